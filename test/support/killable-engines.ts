// A fresh bench for each test and engines on it that can die (src/testing/killable-engine.ts), gone with the test: first whatever still
// lives, then the bench. Called inside a describe. For tests; nothing in the package imports it.
import { afterEach, beforeEach } from "vitest";
import type { FullStore } from "../../src/store/full-store.ts";
import { killableEngine, type KillableEngine } from "../../src/testing/killable-engine.ts";
import type { AnyWorkflow } from "../../src/workflow/types.ts";
import type { TestStore } from "./test-store.ts";

export interface KillableEngines {
  /** The bench of this test. */
  testStore(): TestStore;
  /** Its lease is short: where no lock proves its death, that is what does. `wrap` stands between it and its store, and may let it die. */
  startEngine(workflows: readonly AnyWorkflow[], wrap?: (s: FullStore, die: () => void) => FullStore): Promise<KillableEngine>;
}

export function killableEngines(open: () => Promise<TestStore>): KillableEngines {
  let b: TestStore;
  const born: KillableEngine[] = [];
  beforeEach(async () => {
    b = await open();
  });
  afterEach(async () => {
    for (const m of born.splice(0)) m.kill();
    await b.close();
  });
  return {
    testStore: () => b,
    async startEngine(workflows, wrap = (s) => s) {
      let wanted = false;
      const self = { die: (): void => void (wanted = true) };
      const m = await killableEngine(
        { platform: b.platform, connect: () => b.reopen(), closes: true, wrap: (s) => wrap(s, () => self.die()) },
        { workflows, lease: "1s" },
      );
      self.die = m.kill;
      if (wanted) m.kill(); // it began with the first look, which is part of opening
      born.push(m);
      return m;
    },
  };
}
