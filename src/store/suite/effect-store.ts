// Cases that every effect store must pass, as data: what is kept is there after a put returns, for every reader; the first
// result stays; results of other runs and other keys are others'; what comes back is what went in, or it was refused.
import type { EffectStore, StoredEffectResult } from "../effect-store.ts";
import { equal } from "./assert.ts";

export interface EffectStoreCase {
  readonly title: string;
  /** The sentences of the contract that it proves. */
  readonly ids: readonly string[];
  /** `open` opens the same place again and again. */
  run(open: () => Promise<EffectStore>): Promise<void>;
}

const kept = (more: Partial<StoredEffectResult> = {}): StoredEffectResult => ({
  version: 1,
  runId: "r",
  key: "k",
  stepId: "s",
  result: '{"n":"é"}',
  keptAt: 7,
  ...more,
});

/** The conformance suite of effect stores, as data. */
export const effectStoreSuite: readonly EffectStoreCase[] = [
  {
    title: "what was put is found by run and key, as it was, after the place is opened again",
    ids: ["A-17", "A-23"],
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
    title: "the first result stays, no matter who puts a second, and a second is no error",
    ids: [],
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
  {
    title: "many who open a place that nobody has opened before all find one place",
    ids: [],
    async run(open) {
      const all = await Promise.all([1, 2, 3, 4].map(() => open()));
      await Promise.all(all.map((s, i) => s.put(kept({ key: `k${i}`, result: `${i}` }))));
      for (const s of all) {
        const seen = await Promise.all(all.map(async (_, i) => (await s.get("r", `k${i}`))?.result));
        equal(seen, ["0", "1", "2", "3"], "what each of them put");
      }
      for (const s of all) await s.close();
    },
  },
  {
    title: "many results at once are all kept, each its own",
    ids: [],
    async run(open) {
      const s = await open();
      const keys = Array.from({ length: 40 }, (_, i) => `k${i}`);
      await Promise.all(keys.map((key, i) => s.put(kept({ key, result: `${i}` }))));
      const seen = await Promise.all(keys.map(async (key) => (await s.get("r", key))?.result));
      equal(
        seen,
        keys.map((_, i) => `${i}`),
        "as put",
      );
      await s.close();
    },
  },
  {
    title: "ids are compared as bytes: case, accents, a trailing space and the form of an accent make another id",
    ids: ["A-23"],
    async run(open) {
      const s = await open();
      const long = "é".repeat(256);
      const ids = [..."aAá'%_ß🧵", "a\u0301", "a ", " a", "a\\", "", "ss", "日本", long, `${long.slice(1)}e`];
      for (const [i, id] of ids.entries()) {
        await s.put(kept({ runId: id, stepId: id, result: `run ${i}` }));
        await s.put(kept({ key: id, stepId: id, result: `key ${i}` }));
      }
      for (const [i, id] of ids.entries()) {
        equal(await s.get(id, "k"), kept({ runId: id, stepId: id, result: `run ${i}` }), `run ${id}`);
        equal(await s.get("r", id), kept({ key: id, stepId: id, result: `key ${i}` }), `key ${id}`);
      }
      equal(await s.get("a", "A"), undefined, "run and key are two");
      await s.close();
    },
  },
  {
    title: "a result of a megabyte, and any text in it, comes back as it was",
    ids: ["A-17"],
    async run(open) {
      const s = await open();
      const odd = JSON.stringify(["it's \\ \"", "\n\t\r\u0000\u001a\u007f", "\ud800", "é日本🧵", "%s ? $1 :a --", "\u2028\ufeff"]);
      const long = JSON.stringify("🧵'\\x".repeat(131_072));
      const texts = [odd, long, "", " ", "null", "'", "\\'", "\n\r\t\b\u001a"];
      for (const [i, result] of texts.entries()) await s.put(kept({ key: `k${i}`, result, keptAt: 1_900_000_000_000 + i }));
      await s.close();
      const again = await open();
      for (const [i, result] of texts.entries())
        equal(await again.get("r", `k${i}`), kept({ key: `k${i}`, result, keptAt: 1_900_000_000_000 + i }), `text ${i}`);
      await again.close();
    },
  },
  {
    title: "text with U+0000 or a lone surrogate comes back as it was, or was refused",
    ids: [],
    async run(open) {
      const s = await open();
      for (const bad of ["x\u0000y", "x\ud800", "\udc00x"]) {
        for (const e of [
          kept({ runId: bad }),
          kept({ key: bad }),
          kept({ stepId: bad, key: "step" }),
          kept({ result: bad, key: "result" }),
        ]) {
          const put = await s.put(e).then(
            () => true,
            () => false,
          );
          const found = await s.get(e.runId, e.key).catch(() => undefined);
          equal(found, put ? e : undefined, put ? "as it was" : "nothing of it");
        }
      }
      equal(await s.get("x", "k"), undefined, "nothing was cut");
      await s.close();
    },
  },
];
