// What a person does about a step that is on a queue: it is taken off the queue first, then acted upon. Guards that nothing is recorded of a step before its
// dispatch has ended, that a worker's result stands, and that whoever dies in between leaves a step that waits for a person. Logs are verified at the end.
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defaultScope } from "../../src/client/environment.ts";
import type { FullStore } from "../../src/store/full-store.ts";
import { task, workflow } from "../../src/workflow/define.ts";
import type { TaskOpts } from "../../src/workflow/types.ts";
import { proves } from "../support/proves.ts";
import { deferred, payloadOf, storeKinds, testClusters } from "../support/test-cluster.ts";

const fresh = testClusters();
let n = 0;
const unique = (name: string): string => `${name}-${++n}`;
const ann = { by: "ann", reason: "the printer is broken" };
const orchestrator = { queues: {}, lease: "1s" } as const;

function single(o: TaskOpts<number, number>, fn: (i: number, s: { readonly signal: AbortSignal }) => unknown = (i) => i + 1) {
  const t = task({ name: unique("act"), input: z.number() }, fn as (i: number) => number, { queue: "q", ...o });
  const wf = workflow({ name: unique("wf"), input: z.number() }, async (ctx, i) =>
    ctx.do(t, i).catch((e: unknown) => `${(e as { category?: string }).category ?? ""} ${(e as Error).message}`),
  );
  return { t, wf };
}
/** Ends when it is asked to, and not before. */
const stoppable = (_i: number, s: { readonly signal: AbortSignal }): Promise<never> =>
  new Promise((_, reject) => s.signal.addEventListener("abort", () => reject(new Error("stopped")), { once: true }));

describe.each(storeKinds)("%s", (kind) => {
  it(
    "a step that nobody serves is completed, resolved, skipped or failed, as never sent; a retry waits on the queue again",
    proves("TX-15"),
    async () => {
      const l = await fresh(kind);
      const { t, wf } = single({ once: true });
      const a = await l.engine([wf], orchestrator);
      const acts = [{ do: "complete", result: 7 }, { do: "resolve" }, { do: "skip" }, { do: "fail" }, { do: "retry" }] as const;
      for (const act of acts) await a.engine.start(wf, 1, { id: act.do });
      await l.platform.advance(70_000); // from then on a person is believed that it did not happen
      for (const act of acts) {
        expect(await l.advanceUntil(a.client.act(act.do, t.name, act, ann)), act.do).toEqual({ state: "applied" });
        const log = await l.log((await l.byWorkflowId(act.do)).runId);
        const held = log.findIndex((e) => e.eventType === "pawl.StepHeld");
        expect(payloadOf(log[held]!), act.do).toMatchObject({ category: "NOT_SENT", claimedAt: null, worker: null });
        const answered = log.slice(held).find((e) => e.eventType === "pawl.DecisionAnswered");
        expect(payloadOf(answered!), act.do).toMatchObject(ann);
      }
      const rows = await l.store.queues.rows({ scope: defaultScope, queue: "q", limit: 9 });
      expect(rows.map((d) => [d.attempt, d.worker])).toEqual([[2, null]]);
      await l.worker({ tasks: [t], queues: { q: {} } });
      const ends = await Promise.all(acts.map(async ({ do: id }) => (await l.advanceUntil(a.client.waitForEnd(id))).result));
      expect(ends).toEqual([
        7,
        undefined,
        "SKIPPED a person skipped this step",
        expect.stringMatching(/^NOT_SENT .*ann took it off its queue: the printer is broken/),
        2,
      ]);
      // Nothing was sent, and the proof says so.
      expect((await a.client.proof("fail")).effects).toMatchObject([{ verdict: "not-at-all" }]);
      await expect(a.client.act("retry", t.name, { do: "skip" }, ann)).rejects.toMatchObject({ page: "PAWL4010" });
    },
  );

  it("a worker that has the step is asked to stop, and then the act is taken; its result would have stood", async () => {
    const l = await fresh(kind);
    const { t, wf } = single({ repeatable: true, retry: { attempts: 5 } }, stoppable);
    const a = await l.engine([wf], orchestrator);
    const { worker } = await l.worker({ tasks: [t], queues: { q: {} } });
    const h = await a.engine.start(wf, 1, { id: "r" });
    await l.platform.advance(2_000);
    await l.advanceUntil(a.client.act("r", t.name, { do: "complete", result: 9 }, ann));
    expect((await l.advanceUntil(a.client.waitForEnd("r"))).result).toBe(9);
    const held = (await l.log(h.runId)).find((e) => e.eventType === "pawl.StepHeld")!;
    expect(payloadOf(held)).toMatchObject({ category: "FAILED", worker: worker.workerId });

    const gate = deferred<number>();
    const deaf = single({ repeatable: true }, () => gate.promise);
    const b = await l.engine([deaf.wf], orchestrator);
    await l.worker({ tasks: [deaf.t], queues: { q: {} } });
    await b.engine.start(deaf.wf, 1, { id: "d" });
    await l.platform.advance(2_000);
    // It does not listen: whoever asks is told so, and may ask again.
    await expect(l.advanceUntil(b.client.act("d", deaf.t.name, { do: "skip" }, ann))).rejects.toMatchObject({
      page: "PAWL4006",
      message: expect.stringMatching(/worker \S+ was asked to stop and has not reported yet/),
    });
    const again = b.client.act("d", deaf.t.name, { do: "skip" }, ann);
    again.catch(() => {});
    await l.platform.advance(500);
    gate.open(5);
    await expect(l.advanceUntil(again)).rejects.toMatchObject({ page: "PAWL4010", data: { code: "STEP_TERMINAL" } });
    expect((await l.advanceUntil(b.client.waitForEnd("d"))).result).toBe(5);
  });

  it("a step that the run's own engine runs is stopped, and then the act is taken", async () => {
    const l = await fresh(kind);
    const { t, wf } = single({ repeatable: true }, stoppable);
    const a = await l.engine([wf], { lease: "1s" });
    await l.platform.advance(1_500);
    await a.engine.start(wf, 1, { id: "r" });
    await l.platform.advance(500);
    expect((await l.store.queues.rows({ scope: defaultScope, queue: "q", limit: 9 }))[0]?.worker).not.toBeNull();
    await l.advanceUntil(a.client.act("r", t.name, { do: "skip" }, ann));
    expect((await l.advanceUntil(a.client.waitForEnd("r"))).result).toBe("SKIPPED a person skipped this step");
    expect(await l.store.queues.rows({ scope: defaultScope, queue: "q", limit: 9 })).toEqual([]);
  });

  it("an owner that dies when it has taken the step off its queue leaves it waiting for a person", async () => {
    const l = await fresh(kind);
    const { t, wf } = single({ repeatable: true, retry: { attempts: 1 } });
    let dies = false;
    const wrap = (store: FullStore): FullStore => ({
      ...store,
      commit: async (commits, renewal) => {
        const answer = await store.commit(commits, renewal);
        if (commits.some((c) => (c.withdraws ?? []).length > 0)) {
          dies = true;
          a.kill();
        }
        return answer;
      },
    });
    const a = await l.engine([wf], { ...orchestrator, wrap });
    const h = await a.engine.start(wf, 1, { id: "r" });
    await l.platform.advance(1_000);
    const b = await l.engine([wf], orchestrator);
    const acted = b.client.act("r", t.name, { do: "complete", result: 3 }, { ...ann, timeoutMs: 30_000 });
    expect(await l.advanceUntil(acted)).toEqual({ state: "applied" });
    expect(dies).toBe(true);
    expect((await l.advanceUntil(b.client.waitForEnd("r"))).result).toBe(3);
    expect((await l.lines(h.runId)).filter((line) => line.startsWith("pawl.StepHeld"))).toHaveLength(1);
  });

  it("a run that is paused or ending, and a step that is on no queue, are refused with what to do", async () => {
    const l = await fresh(kind);
    const { t, wf } = single({ repeatable: true });
    const sleeps = workflow({ name: unique("s") }, async (ctx) => ctx.sleep("long", "1h"));
    const a = await l.engine([wf, sleeps], orchestrator);
    await a.engine.start(wf, 1, { id: "r" });
    await a.engine.start(sleeps, undefined, { id: "s" });
    await l.platform.advance(1_000);
    await expect(a.client.act("r", t.name, { do: "dance" } as never, ann)).rejects.toMatchObject({ page: "PAWL4011" });
    await expect(a.client.act("r", t.name, { do: "skip" }, { by: "ann", reason: "" })).rejects.toMatchObject({ page: "PAWL4090" });
    expect(await l.store.queues.rows({ scope: defaultScope, queue: "q", limit: 9 })).toHaveLength(1);
    await expect(a.client.act("s", "long", { do: "skip" }, ann)).rejects.toMatchObject({ page: "PAWL4010" });
    await l.advanceUntil(a.client.control("r", "pause"));
    await expect(l.advanceUntil(a.client.act("r", t.name, { do: "skip" }, ann))).rejects.toMatchObject({
      page: "PAWL4010",
      message: expect.stringContaining("the run is paused: first resume it"),
    });
    await l.advanceUntil(a.client.control("r", "resume"));
    await l.advanceUntil(a.client.act("r", t.name, { do: "skip" }, ann));
    expect((await l.advanceUntil(a.client.waitForEnd("r"))).status).toBe("COMPLETED");
  });
});
