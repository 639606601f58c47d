// A fresh bench for each test and engines on it that can die (src/testing/mortal.ts), gone with the test: first whatever still
// lives, then the bench. Called inside a describe. For tests; nothing in the package imports it.
import { afterEach, beforeEach } from "vitest";
import type { Store } from "../../src/store/port.ts";
import { mortalEngine, type MortalEngine } from "../../src/testing/mortal.ts";
import type { AnyWorkflow } from "../../src/workflow/types.ts";
import type { Bench } from "./bench.ts";

export interface Mortals {
  /** The bench of this test. */
  bench(): Bench;
  /** Its lease is short: where no lock proves its death, that is what does. `wrap` stands between it and its store, and may let it die. */
  mortal(workflows: readonly AnyWorkflow[], wrap?: (s: Store, die: () => void) => Store): Promise<MortalEngine>;
}

export function mortals(open: () => Promise<Bench>): Mortals {
  let b: Bench;
  const born: MortalEngine[] = [];
  beforeEach(async () => {
    b = await open();
  });
  afterEach(async () => {
    for (const m of born.splice(0)) m.die();
    await b.close();
  });
  return {
    bench: () => b,
    async mortal(workflows, wrap = (s) => s) {
      let wanted = false;
      const self = { die: (): void => void (wanted = true) };
      const m = await mortalEngine(
        { platform: b.platform, connect: () => b.again(), closes: true, wrap: (s) => wrap(s, () => self.die()) },
        { workflows, lease: "1s" },
      );
      self.die = m.die;
      if (wanted) m.die(); // it began with the first look, which is part of opening
      born.push(m);
      return m;
    },
  };
}
