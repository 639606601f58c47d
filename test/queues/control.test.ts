// Acts on runs whose steps are on queues: pause, cancel, terminate, approval; workers that are stopped, woken, late or twice. On the virtual
// clock; the evidence of every run is verified when its cluster closes.
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defaultScope } from "../../src/client/environment.ts";
import type { FullStore } from "../../src/store/full-store.ts";
import type { DispatchEnd } from "../../src/store/port.ts";
import { remoteTask, task, workflow } from "../../src/workflow/define.ts";
import type { StepScope, TaskOpts } from "../../src/workflow/types.ts";
import { deferred, payloadOf, storeKinds, testClusters, type TestCluster } from "../support/test-cluster.ts";
import { posted } from "../support/posted.ts";
import { proves } from "../support/proves.ts";

const fresh = testClusters();
let n = 0;
const unique = (name: string): string => `c-${name}-${++n}`;
const orchestrator = { queues: {}, lease: "1s" } as const;
const ann = { by: "ann", reason: "looked" } as const;

function single(o: TaskOpts<number, number>, fn: (i: number, s: StepScope) => unknown) {
  const t = task({ name: unique("t"), input: z.number() }, fn as (i: number) => number, { queue: "q", ...o });
  const wf = workflow({ name: unique("wf"), input: z.number() }, async (ctx, i) => ctx.do(t, i));
  return { t, wf };
}
const rowsOf = async (l: TestCluster, runId: string) => l.store.queues.rows({ scope: defaultScope, runId, limit: 100 });
const until = async (l: TestCluster, isTrue: () => boolean): Promise<void> => {
  for (let i = 0; !isTrue() && i < 200; i++) await l.platform.advance(100);
  expect(isTrue()).toBe(true);
};
const failureOf = async (l: TestCluster, runId: string) => payloadOf((await l.log(runId)).find((e) => e.eventType === "StepFailed"));

describe.each(storeKinds)("%s", (kind) => {
  it("a paused run's dispatches are held until it resumes", async () => {
    const l = await fresh(kind);
    const { t, wf } = single({}, (i) => i);
    const a = await l.engine([wf], orchestrator);
    const h = await a.engine.start(wf, 1, { id: "r" });
    await l.platform.advance(100);
    await h.pause("later");
    await l.advanceUntilLine(h.runId, "RunPaused");
    expect(await rowsOf(l, h.runId)).toMatchObject([{ held: true }]);
    const w = await l.worker({ tasks: [t], queues: { q: {} } });
    await l.platform.advance(5_000);
    expect(w.worker.running).toBe(0);
    expect((await l.lines(h.runId)).at(-1)).toBe("RunPaused");
    await h.resume();
    expect((await l.advanceUntil(a.client.waitForEnd("r"))).result).toBe(1);
  });

  it("a result that comes while the run is paused is kept, and delivered when it resumes", proves("K13"), async () => {
    const l = await fresh(kind);
    const hold = deferred<number>();
    let begun = 0;
    const { t, wf } = single({ once: true }, () => (begun++, hold.promise));
    const a = await l.engine([wf], orchestrator);
    const h = await a.engine.start(wf, 1, { id: "r" });
    await l.worker({ tasks: [t], queues: { q: {} } });
    await until(l, () => begun === 1);
    await h.pause();
    await l.advanceUntilLine(h.runId, "RunPaused");
    await l.platform.advance(10_000);
    hold.open(8);
    await l.platform.advance(10_000);
    await h.resume();
    expect((await l.advanceUntil(a.client.waitForEnd("r"))).result).toBe(8);
    expect(begun).toBe(1);
  });

  it("a cancel takes an unclaimed step off its queue: it was never sent", proves("K19"), async () => {
    const l = await fresh(kind);
    let calls = 0;
    const { t, wf } = single({ once: true }, () => ++calls);
    const a = await l.engine([wf], orchestrator);
    const h = await a.engine.start(wf, 1, { id: "r" });
    await l.platform.advance(100);
    await h.cancel("enough");
    expect((await l.advanceUntil(a.client.waitForEnd("r"))).status).toBe("CANCELLED");
    expect(await failureOf(l, h.runId)).toMatchObject({ category: "NOT_SENT", worker: null });
    expect(await rowsOf(l, h.runId)).toEqual([]);
    await l.worker({ tasks: [t], queues: { q: {} } });
    await l.platform.advance(3_000);
    expect(calls).toBe(0);
    const proof = await a.client.proof(h.runId);
    expect(proof.effects).toMatchObject([{ verdict: "not-at-all", sends: 0 }]);
  });

  it("a cancel aborts a claimed step, and what its worker reports is recorded", proves("K19"), async () => {
    const l = await fresh(kind);
    let begun = 0;
    const { t, wf } = single({ compensate: () => {} }, (_i, s) => {
      begun++;
      return new Promise((resolve) => s.signal.addEventListener("abort", () => resolve(3)));
    });
    const a = await l.engine([wf], orchestrator);
    const h = await a.engine.start(wf, 1, { id: "r" });
    await l.worker({ tasks: [t], queues: { q: {} } });
    await until(l, () => begun === 1);
    await h.cancel("enough");
    expect((await l.advanceUntil(a.client.waitForEnd("r"))).status).toBe("CANCELLED");
    const lines = await l.lines(h.runId);
    expect(lines.filter((x) => x.startsWith("StepCompleted"))).toHaveLength(2); // the step, and its compensation
  });

  it("terminate closes claimed steps as indeterminate, and unclaimed ones as never sent", proves("K19"), async () => {
    const l = await fresh(kind);
    for (const claimed of [true, false]) {
      let begun = 0;
      const { t, wf } = single({ once: true }, () => (begun++, new Promise(() => {})));
      const a = await l.engine([wf], orchestrator);
      const h = await a.engine.start(wf, 1, { id: `r-${String(claimed)}` });
      await l.platform.advance(100);
      if (claimed) {
        await l.worker({ tasks: [t], queues: { q: {} } });
        await until(l, () => begun === 1);
      }
      await a.client.control(h.runId, "terminate", { reason: "stop", ...posted });
      expect((await l.advanceUntil(a.client.waitForEnd(h.runId))).status).toBe("CANCELLED");
      expect(await failureOf(l, h.runId)).toMatchObject({ category: claimed ? "INDETERMINATE" : "NOT_SENT" });
      const [effect] = (await a.client.effects({ runId: h.runId } as never)).effects.filter((e) => e.runId === h.runId);
      expect(effect?.status).toBe(claimed ? "indeterminate" : "failed");
      expect(await rowsOf(l, h.runId)).toEqual([]);
      a.kill();
    }
  });

  it(
    "terminate without the code: a step whose report nobody has read may have happened, what nobody claimed has not",
    proves("K19"),
    async () => {
      const l = await fresh(kind);
      let begun = 0;
      const tasks = ["done", "left"].map((queue) => task({ name: unique(queue), input: z.number() }, () => ++begun, { queue, once: true }));
      const wf = workflow({ name: unique("wf"), input: z.number() }, (ctx, i) => Promise.all(tasks.map((t) => ctx.do(t, i))));
      const a = await l.engine([wf], orchestrator);
      const h = await a.engine.start(wf, 1, { id: "r" });
      await l.platform.advance(100);
      a.kill();
      await l.worker({ tasks: [tasks[0]!], queues: { done: {} } });
      await until(l, () => begun === 1);
      await l.platform.advance(1_000);
      expect(await rowsOf(l, h.runId)).toMatchObject([{ queue: "left" }]);
      const b = await l.engine([], orchestrator);
      await b.client.control(h.runId, "terminate", { reason: "stop", ...posted });
      expect((await l.advanceUntil(b.client.waitForEnd(h.runId))).status).toBe("CANCELLED");
      const { effects } = await b.client.effects({ runId: h.runId } as never);
      const statusOf = (queue: string) => effects.find((e) => e.stepId.includes(queue))?.status;
      expect([statusOf("done"), statusOf("left")]).toEqual(["indeterminate", "cancelled"]);
    },
  );

  it("a report that wishes for a retry at a time that no clock has is tried again as its policy says", async () => {
    const l = await fresh(kind);
    let calls = 0;
    const { t, wf } = single({ repeatable: true, retry: { attempts: 2, initial: "1ms" } }, () => {
      if (++calls === 1) throw new Error("busy");
      return 7;
    });
    const a = await l.engine([wf], orchestrator);
    await a.engine.start(wf, 1, { id: "r" });
    const never = (end: DispatchEnd): DispatchEnd =>
      end.kind === "result" && calls === 1 ? { ...end, report: { ...(end.report as object), retryAfterMs: Number.MAX_SAFE_INTEGER } } : end;
    const wrap = (s: FullStore): FullStore => ({
      ...s,
      queues: { ...s.queues, finish: (ends) => s.queues.finish(ends.map((e) => ({ ...e, end: never(e.end) }))) },
    });
    await l.worker({ tasks: [t], queues: { q: {} } }, { wrap });
    expect((await l.advanceUntil(a.client.waitForEnd("r"))).result).toBe(7);
  });

  it("a late report settles a doubt that nobody has answered, and is only evidence once somebody has", async () => {
    for (const answered of [false, true]) {
      const l = await fresh(kind);
      const hold = deferred<number>();
      let begun = 0;
      const { t, wf } = single({ once: true, timeout: "10m" }, () => (begun++, hold.promise));
      const a = await l.engine([wf], orchestrator);
      const h = await a.engine.start(wf, 1, { id: "r" });
      // Its beats and renewals do not arrive: it is declared dead while it works.
      let cut = false;
      await l.worker(
        { tasks: [t], queues: { q: {} }, lease: "1s" },
        {
          wrap: (store) =>
            new Proxy(store, {
              get: (target, name) =>
                name === "renew"
                  ? async (...args: [never]) => (cut ? new Promise(() => {}) : target.renew(...args))
                  : (Reflect.get(target, name) as unknown),
            }),
        },
      );
      await until(l, () => begun === 1);
      cut = true;
      await l.advanceUntilLine(h.runId, "pawl.StepInDoubt");
      if (answered) {
        const [d] = await a.engine.decisions();
        await l.advanceUntil(a.client.resolve(d!.decisionId, { ...ann, happened: true, result: 1 } as never));
        hold.open(8);
        await l.platform.advance(5_000);
      } else hold.open(8);
      expect((await l.advanceUntil(a.client.waitForEnd("r"))).result).toBe(answered ? 1 : 8);
      expect(begun).toBe(1);
    }
  });

  it("an approved step goes to its queue only then", async () => {
    const l = await fresh(kind);
    const { t, wf } = single({ approve: true, once: true }, (i) => i + 1);
    const a = await l.engine([wf], orchestrator);
    const h = await a.engine.start(wf, 1, { id: "r" });
    await l.worker({ tasks: [t], queues: { q: {} } });
    await l.platform.advance(3_000);
    expect(await rowsOf(l, h.runId)).toEqual([]);
    const [d] = await a.engine.decisions();
    await l.advanceUntil(a.client.resolve(d!.decisionId, { ...ann, approve: true }));
    expect((await l.advanceUntil(a.client.waitForEnd("r"))).result).toBe(2);
  });

  it("workers answer verify for a remote task whose worker died", proves("K25"), async () => {
    const l = await fresh(kind);
    const name = unique("remote");
    let sent = 0;
    const asked: number[] = [];
    const remote = remoteTask({ name, input: z.number(), output: z.number(), queue: "q" }, { verify: true, timeout: "10s" });
    const real = task({ name, input: z.number() }, () => (++sent, new Promise<number>(() => {})), {
      queue: "q",
      verify: async (i) => (asked.push(i), { state: "completed-with-result", result: 5 }),
    });
    const wf = workflow({ name: unique("wf"), input: z.number() }, async (ctx, i) => ctx.do(remote, i));
    const a = await l.engine([wf], orchestrator);
    await a.engine.start(wf, 4, { id: "r" });
    const w = await l.worker({ tasks: [real], queues: { q: {} }, lease: "1s" });
    await until(l, () => sent === 1);
    w.kill();
    await l.worker({ tasks: [real], queues: { q: {} } });
    expect((await l.advanceUntil(a.client.waitForEnd("r"))).result).toBe(5);
    expect([sent, asked]).toEqual([1, [4]]);
  });

  it("the owner dies while a worker works: its report reaches the next owner", async () => {
    const l = await fresh(kind);
    const hold = deferred<number>();
    let begun = 0;
    const { t, wf } = single({ once: true }, () => (begun++, hold.promise));
    const a = await l.engine([wf], orchestrator);
    const h = await a.engine.start(wf, 1, { id: "r" });
    await l.worker({ tasks: [t], queues: { q: {} } });
    await until(l, () => begun === 1);
    a.kill();
    const b = await l.engine([wf], orchestrator);
    await l.platform.advance(3_000);
    hold.open(6);
    expect((await l.advanceUntil(b.client.waitForEnd("r"))).result).toBe(6);
    expect(begun).toBe(1);
    expect(await l.lines(h.runId)).not.toContain("pawl.StepRedispatched");
  });

  it("the owner that ran a queued step itself dies: it goes by its class", proves("K26"), async () => {
    for (const [o, sends] of [
      [{ repeatable: true }, 2],
      [{ once: true }, 1],
    ] as const) {
      const l = await fresh(kind);
      let begun = 0;
      const { wf } = single(o as TaskOpts<number, number>, () => (++begun === 1 ? new Promise(() => {}) : 4));
      const a = await l.engine([wf], { lease: "1s" });
      await l.platform.advance(1_500);
      const h = await a.engine.start(wf, 1, { id: "r" });
      await until(l, () => begun === 1);
      a.kill();
      const b = await l.engine([wf], { lease: "1s" });
      if (sends === 1) await l.advanceUntilLine(h.runId, "pawl.StepInDoubt");
      else expect((await l.advanceUntil(b.client.waitForEnd("r"))).result).toBe(4);
      expect(payloadOf((await l.log(h.runId))[1])).toMatchObject({ via: "here" });
      expect(begun).toBe(sends);
      expect((await rowsOf(l, h.runId)).filter((d) => d.worker !== b.core.engineId)).toEqual([]);
    }
  });
});

describe("limits and order", () => {
  it("eight claimers never pass a queue's limit, and a paused queue starts nothing", async () => {
    const l = await fresh();
    let now = 0;
    let most = 0;
    const { t, wf } = single({ repeatable: true }, async () => {
      most = Math.max(most, ++now);
      await new Promise<void>((resolve) => void l.platform.timer(300, resolve));
      return --now;
    });
    await l.store.queues.configure(defaultScope, "q", { config: { concurrency: 3 } });
    const a = await l.engine([wf], orchestrator);
    for (let i = 0; i < 20; i++) await a.engine.start(wf, i, { id: `r${i}` });
    for (let i = 0; i < 8; i++) await l.worker({ tasks: [t], queues: { q: { concurrency: 5 } } });
    await l.platform.advance(2_000);
    await l.store.queues.configure(defaultScope, "q", { paused: ann });
    const begunBefore = await l.store.queues.depth(defaultScope, "q", 100);
    await l.platform.advance(5_000);
    expect((await l.store.queues.depth(defaultScope, "q", 100)).ready).toBe(begunBefore.ready);
    expect(now).toBe(0);
    await l.store.queues.configure(defaultScope, "q", { paused: null });
    for (let i = 0; i < 20; i++) await l.advanceUntil(a.client.waitForEnd(`r${i}`));
    expect(most).toBe(3);
  });

  it.each(["a worker", "an engine"])("%s claims the next step of a limited queue when one has ended, not a second later", async (who) => {
    const l = await fresh();
    let now = 0;
    let most = 0;
    const { t, wf } = single({ repeatable: true }, async (i) => {
      most = Math.max(most, ++now);
      await new Promise<void>((resolve) => void l.platform.timer(20, resolve));
      now--;
      return i;
    });
    await l.store.queues.configure(defaultScope, "q", { config: { concurrency: 2 } });
    const a = await l.engine([wf], who === "an engine" ? { lease: "1s" } : orchestrator);
    if (who === "a worker") await l.worker({ tasks: [t], queues: { q: { concurrency: 5 } } });
    const from = l.platform.monotonicMs();
    for (let i = 0; i < 20; i++) await a.engine.start(wf, i, { id: `r${i}` });
    for (let i = 0; i < 20; i++) await l.advanceUntil(a.client.waitForEnd(`r${i}`));
    expect(most).toBe(2);
    expect(l.platform.monotonicMs() - from).toBeLessThan(3_000); // ten pairs, one after another: ten seconds if each waited for the next look
  });

  it("an engine that runs its own queued steps starts none on a queue once a pause has settled", async () => {
    const l = await fresh();
    let calls = 0;
    const { wf } = single({ repeatable: true }, () => ++calls);
    const a = await l.engine([wf]);
    await l.platform.advance(1_500);
    await l.store.queues.configure(defaultScope, "q", { paused: ann });
    await l.platform.advance(500);
    const h = await a.engine.start(wf, 1, { id: "r" });
    await l.platform.advance(5_000);
    expect(calls).toBe(0);
    expect(await rowsOf(l, h.runId)).toMatchObject([{ worker: null }]);
    await l.store.queues.configure(defaultScope, "q", { paused: null });
    expect((await l.advanceUntil(a.client.waitForEnd("r"))).result).toBe(1);
  });

  it("priority is worth a minute of waiting each: -9 comes within 18 minutes of what was queued later with 9", async () => {
    const l = await fresh();
    const order: number[] = [];
    const { t, wf } = single({ repeatable: true }, async (i) => {
      order.push(i);
      await new Promise<void>((resolve) => void l.platform.timer(60_000, resolve));
      return i;
    });
    const a = await l.engine([wf], orchestrator);
    await l.worker({ tasks: [t], queues: { q: { concurrency: 1 } } });
    const high = (i: number): Promise<unknown> => a.engine.start(wf, i, { id: `high${i}`, priority: 9 });
    await high(0);
    await l.platform.advance(1_000); // at work from now on
    await high(1);
    await a.engine.start(wf, -1, { id: "low", priority: -9 });
    // A step of the highest priority comes every minute, as many as the worker can do, and one more waits: without aging the other would wait for ever.
    for (let i = 2; i < 30; i++) {
      await l.platform.advance(60_000);
      await high(i);
    }
    expect(order.slice(0, 17)).toEqual(Array.from({ length: 17 }, (_, i) => i));
    expect(order.indexOf(-1)).toBeGreaterThanOrEqual(17);
    expect(order.indexOf(-1)).toBeLessThanOrEqual(20);
  });
});

describe("workers that are stopped", () => {
  it("a worker that slept past its lease writes nothing stale: its claim went on, and its report is evidence", async () => {
    const l = await fresh();
    const hold = deferred<number>();
    let begun = 0;
    const { t, wf } = single({ repeatable: true }, () => (++begun === 1 ? hold.promise : 2));
    const a = await l.engine([wf], orchestrator);
    const h = await a.engine.start(wf, 1, { id: "r" });
    let asleep = false;
    const w = await l.worker(
      { tasks: [t], queues: { q: {} }, lease: "1s" },
      {
        wrap: (store) =>
          new Proxy(store, {
            get: (target, name) => {
              const verb = Reflect.get(target, name) as unknown;
              if (typeof verb !== "function" || name === "capabilities" || name === "watch") return verb;
              return async (...args: unknown[]) => {
                while (asleep) await new Promise<void>((resolve) => void l.platform.timer(100, resolve));
                return Reflect.apply(verb, target, args) as unknown;
              };
            },
          }),
      },
    );
    await until(l, () => begun === 1);
    asleep = true;
    await l.worker({ tasks: [t], queues: { q: {} } });
    expect((await l.advanceUntil(a.client.waitForEnd("r"))).result).toBe(2);
    asleep = false;
    hold.open(99);
    await l.platform.advance(5_000);
    expect(w.logs.some((x) => x.message.includes("came after its dispatch had ended"))).toBe(true);
    expect((await l.log(h.runId)).filter((e) => e.eventType === "StepCompleted").map((e) => payloadOf(e)["result"])).toEqual([2]);
  });

  it("a worker stops in order: what runs is finished, what has not begun is given back", async () => {
    const l = await fresh();
    const hold = deferred<number>();
    let begun = 0;
    const { t, wf } = single({ once: true }, () => (begun++, hold.promise));
    const a = await l.engine([wf], orchestrator);
    await a.engine.start(wf, 1, { id: "r" });
    const w = await l.worker({ tasks: [t], queues: { q: {} } });
    await until(l, () => begun === 1);
    const stopped = w.worker.stop({ grace: "30s" });
    await l.platform.advance(1_000);
    await a.engine.start(wf, 2, { id: "s" });
    await l.platform.advance(2_000);
    hold.open(5);
    await l.advanceUntil(stopped);
    expect((await l.advanceUntil(a.client.waitForEnd("r"))).result).toBe(5);
    expect(begun).toBe(1);
  });
});
