// Cases that every effect store must pass, as data: what is kept is there after a put returns, for every reader; the first
// result stays; results of other runs and other keys are others'.
import type { EffectStore, KeptEffect } from "../effect-store.ts";
import { equal } from "./assert.ts";

export interface EffectStoreCase {
  readonly title: string;
  /** `open` opens the same place again and again. */
  run(open: () => Promise<EffectStore>): Promise<void>;
}

const kept = (more: Partial<KeptEffect> = {}): KeptEffect => ({
  version: 1,
  runId: "r",
  key: "k",
  stepId: "s",
  result: '{"n":"é"}',
  keptAt: 7,
  ...more,
});

export const effectStoreSuite: readonly EffectStoreCase[] = [
  {
    title: "A-17 A-23 what was put is found by run and key, as it was, by whoever opens the place again",
    async run(open) {
      const s = await open();
      await s.put(kept());
      await s.put(kept({ key: "K", result: null }));
      await s.put(kept({ runId: "r2", result: "2" }));
      await s.close();
      const again = await open();
      equal(await again.get("r", "k"), kept(), "as it was");
      equal((await again.get("r", "K"))?.result, null, "a result of nothing, under a key of other case");
      equal((await again.get("r2", "k"))?.result, "2", "of another run");
      equal([await again.get("r", "x"), await again.get("x", "k")], [undefined, undefined], "nothing else");
      await again.close();
    },
  },
  {
    title: "the first result stays, whoever puts a second, and a second is no error",
    async run(open) {
      const [a, b] = [await open(), await open()];
      await a.put(kept({ result: "1" }));
      await b.put(kept({ result: "2" }));
      equal([(await a.get("r", "k"))?.result, (await b.get("r", "k"))?.result], ["1", "1"], "the first");
      await Promise.all([a.put(kept({ key: "both", result: "1" })), b.put(kept({ key: "both", result: "2" }))]);
      equal((await a.get("r", "both"))?.result, (await b.get("r", "both"))?.result, "one for both");
      await a.close();
      await b.close();
    },
  },
];
