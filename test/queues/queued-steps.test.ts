// Steps on queues, on the virtual clock: what is recorded, who runs them, and what becomes of them when a process dies, by class. The
// evidence of every run is verified when its cluster closes.
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { remoteTask, task, workflow } from "../../src/workflow/define.ts";
import type { TaskOpts } from "../../src/workflow/types.ts";
import { deferred, payloadOf, storeKinds, testClusters, type TestCluster } from "../support/test-cluster.ts";
import { proves } from "../support/proves.ts";
import { defaultScope } from "../../src/client/environment.ts";
import type { FullStore } from "../../src/store/full-store.ts";

const fresh = testClusters();
let n = 0;
/** Task names are unique in a process. */
const unique = (name: string): string => `${name}-${++n}`;
const orchestrator = { queues: {}, lease: "1s" } as const;

/** A workflow that does one task, and the task twice: as its workers have it, and as a caller without the code does. */
function single(o: TaskOpts<number, number>, fn: (i: number, s: { attempt: { engine: number; logical: number } }) => unknown) {
  const name = unique("t");
  const t = task({ name, input: z.number() }, fn as (i: number) => number, { queue: "q", ...o });
  const wf = workflow({ name: unique("wf"), input: z.number() }, async (ctx, i) => ctx.do(t, i));
  return { t, wf, name };
}
const rowsOf = async (l: TestCluster, runId: string) => l.store.queues.rows({ scope: defaultScope, runId, limit: 100 });
const ends = async (l: TestCluster, ms = 5_000): Promise<void> => l.platform.advance(ms);

describe.each(storeKinds)("%s", (kind) => {
  it("a queued step is dispatched with its start, claimed by a worker, and its outcome says who ran it", proves("C4"), async () => {
    const l = await fresh(kind);
    const { t, wf, name } = single({}, (i) => i * 2);
    const a = await l.engine([wf], orchestrator);
    const h = await a.engine.start(wf, 21, { id: "r" });
    await l.platform.advance(500);
    expect(await l.row(h.runId)).toMatchObject({ status: "RUNNING", waiting: "worker" });
    const [row] = await rowsOf(l, h.runId);
    const started = (await l.log(h.runId)).find((e) => e.eventType === "StepStarted");
    expect(row).toMatchObject({ seq: started?.runSeq, queue: "q", task: name, worker: null, what: "run", attempt: 1 });
    expect(row?.enqueuedAt, "state and queue are one Commit").toBe(started?.persistedAt);
    expect((await l.row(h.runId)).stateVersion).toBe(1);
    expect(payloadOf(started)).toMatchObject({ via: "queue", class: "UNDECLARED" });
    const w = await l.worker({ tasks: [t], queues: { q: {} } });
    expect((await l.advanceUntil(a.client.waitForEnd("r"))).result).toBe(42);
    const done = (await l.log(h.runId)).find((e) => e.eventType === "StepCompleted");
    expect(payloadOf(done)).toMatchObject({ result: 42, worker: w.worker.workerId, dispatchId: row?.dispatchId });
    expect(await rowsOf(l, h.runId)).toEqual([]);
  });

  it("an engine runs a queued step itself where nothing older waits, without a Commit more", async () => {
    const l = await fresh(kind);
    const { wf } = single({}, (i) => i + 1);
    const a = await l.engine([wf]);
    await ends(l, 1_500);
    const h = await a.engine.start(wf, 1, { id: "r" });
    expect((await l.advanceUntil(a.client.waitForEnd("r"))).result).toBe(2);
    const log = await l.log(h.runId);
    expect(payloadOf(log.find((e) => e.eventType === "StepStarted"))).toMatchObject({ via: "here" });
    expect(payloadOf(log.find((e) => e.eventType === "StepCompleted"))).toMatchObject({ worker: a.core.engineId });
    expect((await l.row(h.runId)).stateVersion).toBe(2);
    expect(await rowsOf(l, h.runId)).toEqual([]);
  });

  it("an engine that serves its tasks' queues also claims what others dispatched", async () => {
    const l = await fresh(kind);
    const { wf } = single({}, (i) => i + 1);
    const a = await l.engine([wf], orchestrator);
    const h = await a.engine.start(wf, 1, { id: "r" });
    await l.engine([wf]);
    expect((await l.advanceUntil(a.client.waitForEnd("r"))).result).toBe(2);
    expect(payloadOf((await l.log(h.runId))[1])).toMatchObject({ via: "queue" });
  });

  it("the run leaves memory while it waits for a worker, and another engine takes the report", proves("K18"), async () => {
    const l = await fresh(kind);
    const { t, wf } = single({}, (i) => i + 1);
    const a = await l.engine([wf], { ...orchestrator, idle: "1s" });
    const h = await a.engine.start(wf, 1, { id: "r" });
    await ends(l);
    expect((await l.row(h.runId)).owner).toBeNull();
    a.kill();
    const b = await l.engine([wf], orchestrator);
    await l.worker({ tasks: [t], queues: { q: {} } });
    expect((await l.advanceUntil(b.client.waitForEnd("r"))).result).toBe(2);
  });

  it("a failed attempt is retried by policy in a new dispatch that keeps its place", async () => {
    const l = await fresh(kind);
    let calls = 0;
    const { t, wf } = single({ retry: { attempts: 3, initial: "1s" } }, () => {
      if (++calls < 3) throw new Error("not yet");
      return 7;
    });
    const a = await l.engine([wf], orchestrator);
    const h = await a.engine.start(wf, 1, { id: "r" });
    await l.platform.advance(100);
    const since = (await rowsOf(l, h.runId))[0]!.rankAt;
    const ranks: number[] = [];
    const wrap = (store: FullStore): FullStore => ({
      ...store,
      queues: {
        ...store.queues,
        claim: async (q) => {
          const answer = await store.queues.claim(q);
          if (answer.kind === "claimed") ranks.push(...answer.rows.map((d) => d.rankAt));
          return answer;
        },
      },
    });
    await l.worker({ tasks: [t], queues: { q: {} } }, { wrap });
    expect((await l.advanceUntil(a.client.waitForEnd("r"))).result).toBe(7);
    const starts = (await l.log(h.runId)).filter((e) => e.eventType === "StepStarted");
    expect(starts.map((e) => e.logicalAttemptId)).toEqual([1, 2, 3]);
    expect(ranks).toEqual([since, since, since]);
    expect(calls).toBe(3);
  });

  it("an unclaimed dispatch of a dead owner stays as it is, and runs once", proves("C5", "K26"), async () => {
    const l = await fresh(kind);
    let calls = 0;
    const { t, wf } = single({ once: true }, () => ++calls);
    const a = await l.engine([wf], orchestrator);
    const h = await a.engine.start(wf, 1, { id: "r" });
    await l.platform.advance(100);
    a.kill();
    const b = await l.engine([wf], orchestrator);
    await ends(l);
    await l.worker({ tasks: [t], queues: { q: {} } });
    expect((await l.advanceUntil(b.client.waitForEnd("r"))).result).toBe(1);
    expect(calls).toBe(1);
    expect(await l.lines(h.runId)).not.toContain("pawl.StepRedispatched");
  });

  describe("a worker that dies after it began", () => {
    const cases: readonly (readonly [string, TaskOpts<number, number>, "again" | "decision" | "verified"])[] = [
      ["REPEATABLE", { repeatable: true }, "again"],
      ["UNDECLARED", {}, "again"],
      ["KEYED", { key: (i) => `k-${i}`, dedup: "24h" }, "again"],
      ["KEYED whose window has passed", { key: (i) => `k-${i}`, dedup: "61s" }, "decision"],
      ["AT-MOST-ONCE", { once: true }, "decision"],
      ["VERIFIED, and it happened", { verify: async () => ({ state: "completed-with-result", result: 5 }) }, "verified"],
      ["VERIFIED, and it did not", { verify: async () => ({ state: "not-completed" }) }, "again"],
      ["VERIFIED, and nobody can say", { verify: async () => ({ state: "indeterminate" }) }, "decision"],
    ];
    it.each(cases)("%s", proves("K26", "K25"), async (_name, o, then) => {
      const l = await fresh(kind);
      let sent = 0;
      const hang = deferred<number>();
      const { t, wf } = single(o, () => (++sent === 1 ? hang.promise : 9));
      const a = await l.engine([wf], orchestrator);
      const h = await a.engine.start(wf, 1, { id: "r" });
      const w = await l.worker({ tasks: [t], queues: { q: {} }, lease: "1s" });
      for (let i = 0; sent === 0 && i < 100; i++) await l.platform.advance(100);
      w.kill();
      await l.worker({ tasks: [t], queues: { q: {} }, lease: "1s" });
      if (then === "decision") {
        await l.advanceUntilLine(h.runId, "pawl.StepInDoubt");
        expect((await l.row(h.runId)).waiting).toBe("decision");
        const doubt = (await l.log(h.runId)).find((e) => e.eventType === "pawl.StepInDoubt");
        expect(payloadOf(doubt)["claimedAt"]).toBeGreaterThan(0);
        return expect(sent).toBe(1);
      }
      const end = await l.advanceUntil(a.client.waitForEnd("r"));
      expect([end.result, sent]).toEqual(then === "again" ? [9, 2] : [5, 1]);
      const again = (await l.log(h.runId)).find((e) => e.eventType === "pawl.StepRedispatched");
      if (then === "again") expect(payloadOf(again)).toMatchObject({ via: "queue", worker: expect.any(String) });
    });
  });

  it("what no worker claims in time was not sent: it fails as NOT_SENT, and is retried by policy", async () => {
    const l = await fresh(kind);
    const { wf } = single({ queue: { name: "q", within: "3s" }, once: true, retry: { attempts: 2, initial: "1s" } }, (i) => i);
    const a = await l.engine([wf], orchestrator);
    const h = await a.engine.start(wf, 1, { id: "r" });
    expect((await l.advanceUntil(a.client.waitForEnd("r"))).status).toBe("FAILED");
    const failures = (await l.log(h.runId)).filter((e) => e.eventType === "StepFailed").map((e) => payloadOf(e));
    expect(failures).toMatchObject([
      { category: "NOT_SENT", worker: null, claimedAt: null },
      { category: "NOT_SENT", worker: null },
    ]);
    expect((await a.client.effects({})).effects).toMatchObject([{ status: "failed" }]);
  });

  it("a remote task runs on workers alone; they verify and undo it, and its result is checked", async () => {
    const l = await fresh(kind);
    const name = unique("remote");
    const undone: unknown[] = [];
    const asked: string[] = [];
    const output = z.object({ w: z.number() });
    const remote = remoteTask({ name, input: z.number(), output, queue: "q" }, { verify: true, undo: true });
    const real = task({ name, input: z.number() }, (i) => ({ w: i }), {
      queue: "q",
      verify: async (i) => (asked.push(`v${i}`), { state: "completed-with-result", result: { w: i } }),
      compensate: (r, i) => void undone.push([r, i]),
    });
    const wf = workflow({ name: unique("wf"), input: z.number() }, async (ctx, i) => {
      const r = await ctx.do(remote, i);
      ctx.fail(`made ${r.w}`);
    });
    const a = await l.engine([wf], orchestrator);
    await a.engine.start(wf, 4, { id: "r" });
    await l.worker({ tasks: [real], queues: { q: {} } });
    expect((await l.advanceUntil(a.client.waitForEnd("r"))).error).toMatchObject({ message: "made 4" });
    expect(undone).toEqual([[{ w: 4 }, 4]]);
    expect(asked).toEqual([]);
  });

  it("a result that the output schema refuses is final: RESULT_INVALID, and the ledger says that it happened", async () => {
    const l = await fresh(kind);
    const name = unique("remote");
    const remote = remoteTask(
      { name, input: z.number(), output: z.object({ w: z.number() }), queue: "q" },
      { key: (i) => `k${i}`, dedup: "1h", retry: { attempts: 3 } },
    );
    let calls = 0;
    const real = task({ name, input: z.number() }, () => (calls++, { w: "wide" }), { queue: "q" });
    const wf = workflow({ name: unique("wf"), input: z.number() }, async (ctx, i) => ctx.do(remote, i));
    const a = await l.engine([wf], orchestrator);
    const h = await a.engine.start(wf, 4, { id: "r" });
    await l.worker({ tasks: [real], queues: { q: {} } });
    expect((await l.advanceUntil(a.client.waitForEnd("r"))).status).toBe("FAILED");
    const failed = (await l.log(h.runId)).find((e) => e.eventType === "StepFailed");
    expect(payloadOf(failed)).toMatchObject({ category: "RESULT_INVALID" });
    expect((await a.client.effects({})).effects).toMatchObject([{ status: "completed" }]);
    expect(calls).toBe(1);
  });

  it("an unknown kind of message is left alone", async () => {
    const l = await fresh(kind);
    const { t, wf } = single({}, (i) => i);
    const a = await l.engine([wf], orchestrator);
    const h = await a.engine.start(wf, 1, { id: "r" });
    await l.platform.advance(100);
    const post = { scope: defaultScope, target: { runId: h.runId }, name: "x", id: "1", payload: "1", retainMs: null } as const;
    await l.store.post({ ...post, kind: "later" as never }).catch(() => {});
    await ends(l);
    const rows = (await l.store.inbox({ runId: h.runId, all: true })).filter((r) => (r.kind as string) === "later");
    expect(rows.length).toBe(1);
    for (const r of rows) expect(r).toMatchObject({ taken: false, consumed: false });
    await l.worker({ tasks: [t], queues: { q: {} } });
    expect((await l.advanceUntil(a.client.waitForEnd("r"))).result).toBe(1);
  });
});
