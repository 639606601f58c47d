// The five words that a record of an effect may say, on every store, seen at rest: each from an effect that ended so, read back by
// its run and found by its status. Guards that no store knows a sixth, loses one, or takes one for another.
import { describe, expect, it } from "vitest";
import { NotSent, workflow } from "../../src/index.ts";
import type { StepOpts } from "../../src/index.ts";
import { testStores } from "../support/test-store.ts";
import { never, effectTest } from "./effect-test.ts";
import { proves } from "../support/proves.ts";

const once = { once: true } as const;
const ways = {
  completed: { opts: once, does: () => "sent" },
  failed: { opts: once, does: () => Promise.reject(new NotSent("no connection")) },
  cancelled: {
    opts: { repeatable: true },
    does: (stop: AbortSignal) => new Promise((_, reject) => stop.addEventListener("abort", () => reject(stop.reason as Error))),
  },
  "timed-out": { opts: { key: "k", dedup: "1d", timeout: 30 }, does: never },
  indeterminate: { opts: once, does: () => Promise.reject(new Error("reset")) },
} as const satisfies Record<string, { opts: StepOpts<unknown>; does: (stop: AbortSignal) => unknown }>;
type Status = keyof typeof ways;
const statuses = Object.keys(ways) as Status[];

describe.each(testStores)("on %s", (_, open) => {
  const p = effectTest(open);

  it("a record's status is one of five, and each of them is what the effect's end was", proves("W-017"), async () => {
    const wf = workflow({ name: "wf" }, async (ctx) => {
      const id = ctx.run.workflowId as Status;
      await ctx.step<unknown>("send", (s) => (p.send(id), ways[id].does(s.signal)), ways[id].opts).catch(() => {});
    });
    const e = await p.engine({ workflows: [wf], ledger: "all" });
    const runIds = new Map<Status, string>();
    for (const id of statuses) {
      const h = await e.engine.start(wf, undefined, { id });
      runIds.set(id, h.runId);
      await p.until(() => p.sent.get(id) === 1);
      if (id === "cancelled") await h.cancel("enough");
      await e.client.waitForEnd(id);
    }
    for (const id of statuses) {
      const runId = runIds.get(id)!;
      expect(await p.record(e, runId), id).toMatchObject({ status: id, phase: "settled" });
      const found = await e.client.effects({ status: id });
      expect(
        found.effects.map((x) => x.runId),
        `found by its status: ${id}`,
      ).toEqual([runId]);
    }
    // As it is stored: the word itself, and nothing beside the five.
    const { store } = p.testStore();
    const kept = await Promise.all(
      statuses.map(async (id) => {
        const row = (await store.run({ runId: runIds.get(id)! }))!;
        return (await store.effects({ scope: row.scope, runId: row.runId, limit: 9 })).effects.map((x) => x.status);
      }),
    );
    expect(kept).toEqual(statuses.map((id) => [id]));
  });
});
