// The conformance suite, compiled for a store without facets: it runs the part for the verbs that every store has, and says what it
// leaves out.
import { describe, expect, it } from "vitest";
import { MinimalStore } from "../../../test/store/minimal-store.ts";
import { virtualPlatform } from "../../platform/virtual.ts";
import { memoryState } from "../memory/state.ts";
import { memoryStore } from "../memory/store.ts";
import type { SuiteBundle } from "./bundle.ts";
import { suiteFor, suites } from "./index.ts";

async function minimalBundle(): Promise<SuiteBundle> {
  const platform = virtualPlatform();
  const state = memoryState(platform);
  const store = new MinimalStore(platform, state);
  return {
    store,
    reopen: async () => new MinimalStore(platform, state),
    advanceClock: (ms) => platform.suspend(ms),
    failAt(point) {
      platform.onHit = (passed) => {
        if (passed !== point) return;
        platform.onHit = undefined;
        throw new RangeError(`died at ${point}`);
      };
    },
    forgetAccepted: async (r) => void state.accepted.delete(r.storageKey),
    close: () => store.close(),
  };
}

const { runs, skips } = suiteFor(new MinimalStore(virtualPlatform()));

it("the suite says which facets a store is tested for, and which it does not have", () => {
  expect(runs.map((r) => r.facet)).toEqual(["store"]);
  expect(skips).toEqual(["reader", "transactions", "maintenance", "queues"]);
  expect(suiteFor(memoryStore(virtualPlatform()))).toMatchObject({
    runs: [{ facet: "store" }, { facet: "reader" }, { facet: "maintenance" }, { facet: "queues" }],
    skips: ["transactions"],
  });
  expect(Object.keys(suites)).toEqual(["store", "reader", "maintenance", "transactions", "queues"]);
});

describe.each(runs)("minimal, $facet", ({ cases }) => {
  for (const c of cases.filter((x) => x.needs === undefined)) {
    it(c.title, () => expect(c.run(minimalBundle)).resolves.toBeUndefined());
  }
});
