// An engine that claims steps of its own runs: their results need no message, the Commit of the outcome ends the row. Killed in between they go by
// their class; where that Commit was not written, the result is reported like any worker's. On the virtual clock.
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defaultScope } from "../../src/client/environment.ts";
import type { FullStore } from "../../src/store/full-store.ts";
import { task, workflow } from "../../src/workflow/define.ts";
import type { TaskOpts } from "../../src/workflow/types.ts";
import { payloadOf, storeKinds, testClusters, type TestCluster } from "../support/test-cluster.ts";
import { proves } from "../support/proves.ts";

const fresh = testClusters();
let n = 0;

function single(o: TaskOpts<number, number>, fn: (i: number) => unknown) {
  const t = task({ name: `h-t-${++n}`, input: z.number() }, fn as (i: number) => number, { queue: "q", ...o });
  return workflow({ name: `h-wf-${n}`, input: z.number() }, async (ctx, i) => ctx.do(t, i));
}
/** One place: what comes while it is taken goes to the queue, and is claimed from there. */
const onePlace = { queues: { q: { concurrency: 1 } }, lease: "1s" } as const;
const rowsOf = async (l: TestCluster, runId: string) => l.store.queues.rows({ scope: defaultScope, runId, limit: 100 });
const messagesTo = async (l: TestCluster, runId: string) => (await l.store.inbox({ runId, all: true })).filter((m) => m.kind === "result");

describe.each(storeKinds)("%s", (kind) => {
  it("a result of its own run is recorded with who claimed it, without a message, and its row is gone", proves("C4"), async () => {
    const l = await fresh(kind);
    const wf = single({ repeatable: true }, (i) => i);
    const a = await l.engine([wf], onePlace);
    const handles = await Promise.all([1, 2, 3, 4, 5].map((i) => a.engine.start(wf, i, { id: `r${i}` })));
    let claimed = 0;
    for (const [i, h] of handles.entries()) {
      expect((await l.advanceUntil(a.client.waitForEnd(`r${i + 1}`))).result).toBe(i + 1);
      const log = await l.log(h.runId);
      const outcome = payloadOf(log.find((e) => e.eventType === "StepCompleted")) as { dispatchId?: number };
      expect(outcome).toMatchObject({ worker: a.core.engineId, claimedAt: expect.any(Number) });
      if (outcome.dispatchId !== undefined) claimed++;
      expect(await rowsOf(l, h.runId)).toEqual([]);
      expect(await messagesTo(l, h.runId)).toEqual([]);
    }
    expect(claimed).toBeGreaterThan(0);
    // Nobody reported what was recorded already.
    expect(a.logs.filter((x) => x.message.includes("came after its dispatch had ended"))).toEqual([]);
  });

  it("the engine dies with its effect done and nothing recorded: by class", proves("K26"), async () => {
    for (const [o, sends] of [
      [{ repeatable: true }, 2],
      [{ once: true }, 1],
    ] as const) {
      const l = await fresh(kind);
      let begun = 0;
      const wf = single(o as TaskOpts<number, number>, () => ++begun);
      let died = false;
      const a = await l.engine([wf], { ...onePlace, onHit: (point) => point === "engine:hand-over" && (died = true) });
      await l.store.queues.configure(defaultScope, "q", { config: { concurrency: 9 } }); // limited: by claims alone
      const h = await a.engine.start(wf, 1, { id: "r" });
      for (let i = 0; i < 100 && !died; i++) await l.platform.advance(100);
      expect({ died, begun }).toEqual({ died: true, begun: 1 });
      const b = await l.engine([wf], onePlace);
      if (sends === 1) await l.advanceUntilLine(h.runId, "pawl.StepInDoubt");
      else expect((await l.advanceUntil(b.client.waitForEnd("r"))).result).toBe(2);
      expect(begun).toBe(sends);
    }
  });

  it("a Commit that was not written: the result is reported after all, and nothing runs again", proves("I9"), async () => {
    const l = await fresh(kind);
    let begun = 0;
    const wf = single({ once: true }, () => ++begun);
    let failures = 0;
    const refusing = (s: FullStore): FullStore => ({
      ...s,
      commit: (batch, renewal) => {
        if (failures > 0 || !batch.some((c) => c.events.some((e) => e.eventType === "StepCompleted"))) return s.commit(batch, renewal);
        failures++;
        throw new Error("a defect");
      },
    });
    const a = await l.engine([wf], { ...onePlace, wrap: refusing });
    await l.store.queues.configure(defaultScope, "q", { config: { concurrency: 9 } });
    const h = await a.engine.start(wf, 1, { id: "r" });
    expect((await l.advanceUntil(a.client.waitForEnd("r"))).result).toBe(1);
    expect({ failures, begun }).toEqual({ failures: 1, begun: 1 });
    expect(await messagesTo(l, h.runId)).toHaveLength(1);
    expect(await rowsOf(l, h.runId)).toEqual([]);
  });
});
