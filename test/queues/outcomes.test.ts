// What becomes of a step that a worker ran, on the virtual clock: which failures are worth another attempt, what the ledger says of who ran it, who hears of
// it and when, and that nobody who hears of it, and no store that is slow to take it, holds up the next step.
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defaultScope } from "../../src/client/environment.ts";
import { responseError } from "../../src/index.ts";
import type { FullStore } from "../../src/store/full-store.ts";
import { task, workflow } from "../../src/workflow/define.ts";
import type { TaskOpts } from "../../src/workflow/types.ts";
import { proves } from "../support/proves.ts";
import { deferred, payloadOf, storeKinds, testClusters } from "../support/test-cluster.ts";

const fresh = testClusters();
let n = 0;
const unique = (name: string): string => `${name}-${++n}`;
const orchestrator = { queues: {}, lease: "1s" } as const;

function single(o: TaskOpts<number, number>, fn: (i: number) => unknown) {
  const t = task({ name: unique("outcome"), input: z.number() }, fn as (i: number) => number, { queue: "q", ...o });
  const wf = workflow({ name: unique("wf"), input: z.number() }, async (ctx, i) => ctx.do(t, i));
  return { t, wf };
}

describe.each(storeKinds)("%s", (kind) => {
  it(
    "an HTTP answer that will not change is final, one that may is tried again, first after what the receiver asks for",
    proves("TX-06"),
    async () => {
      const l = await fresh(kind);
      const sent = new Map<number, number>();
      const { t, wf } = single({ retry: { attempts: 3, initial: "1s" } }, (status) => {
        sent.set(status, (sent.get(status) ?? 0) + 1);
        throw responseError(new Response(null, { status, headers: status === 429 ? { "retry-after": "20" } : {} }));
      });
      const a = await l.engine([wf], orchestrator);
      await l.worker({ tasks: [t], queues: { q: {} } });
      const permanent = [400, 401, 403, 404, 422];
      const retryable = [408, 429, 500, 502, 503, 504];
      for (const status of [...permanent, ...retryable]) await a.engine.start(wf, status, { id: `s-${status}` });
      for (const status of [...permanent, ...retryable])
        expect((await l.advanceUntil(a.client.waitForEnd(`s-${status}`))).status, `${status}`).toBe("FAILED");
      expect(Object.fromEntries(sent)).toEqual(
        Object.fromEntries([...permanent.map((s) => [s, 1]), ...retryable.map((s) => [s, 3])] as [number, number][]),
      );
      const [first] = (await l.log((await l.byWorkflowId("s-429")).runId)).filter((e) => e.eventType === "StepFailed");
      const delay = Date.parse(String(payloadOf(first!)["retryAt"])) - first!.persistedAt;
      expect(Math.abs(delay - 20_000)).toBeLessThan(1_000);
    },
  );

  it("a receiver may ask for a day of patience, and for no more", proves("TX-05"), async () => {
    const l = await fresh(kind);
    const { t, wf } = single({ retry: { attempts: 2, initial: "1s" } }, () => {
      throw responseError(new Response(null, { status: 503, headers: { "retry-after": "31536000" } }));
    });
    const a = await l.engine([wf], orchestrator);
    await l.worker({ tasks: [t], queues: { q: {} } });
    const h = await a.engine.start(wf, 1, { id: "patient" });
    await l.advanceUntilLine(h.runId, `StepFailed ${t.name}`);
    const failed = (await l.log(h.runId)).find((e) => e.eventType === "StepFailed")!;
    const delay = Date.parse(String(payloadOf(failed)["retryAt"])) - failed.persistedAt;
    expect(Math.abs(delay - 86_400_000)).toBeLessThan(1_000);
  });

  it(
    "the developer's word counts before any class; what fails before the code is called is tried again, unsent",
    proves("TX-06"),
    async () => {
      const l = await fresh(kind);
      let calls = 0;
      const { t, wf } = single({ retry: { attempts: 3, initial: "1s", when: () => false } }, () => {
        calls++;
        throw responseError(new Response(null, { status: 503 }));
      });
      const a = await l.engine([wf], orchestrator);
      await l.worker({ tasks: [t], queues: { q: {} } });
      await a.engine.start(wf, 1, { id: "trusted" });
      expect((await l.advanceUntil(a.client.waitForEnd("trusted"))).status).toBe("FAILED");
      expect(calls, "`when` says that it is not worth another attempt").toBe(1);

      // The input cannot be read at first: a failure of ours, before the hand-off.
      let unread = 2;
      let begun = 0;
      const late = single({ once: true, retry: { attempts: 3, initial: "1s" } }, () => ++begun);
      const wrap = (store: FullStore): FullStore => ({
        ...store,
        queues: {
          ...store.queues,
          claim: async (q) => {
            const answer = await store.queues.claim(q);
            if (answer.kind !== "claimed" || unread === 0 || answer.rows.length === 0) return answer;
            unread--;
            return {
              ...answer,
              rows: answer.rows.map((d) => ({ ...d, spec: JSON.stringify({ ...JSON.parse(d.spec), input: { of: "event", seq: 9_999 } }) })),
            };
          },
        },
      });
      const b = await l.engine([late.wf], orchestrator);
      await l.worker({ tasks: [late.t], queues: { q: {} } }, { wrap });
      const h = await b.engine.start(late.wf, 1, { id: "handed" });
      expect((await l.advanceUntil(b.client.waitForEnd("handed"))).result).toBe(1);
      const categories = (await l.log(h.runId)).filter((e) => e.eventType === "StepFailed").map((e) => payloadOf(e)["category"]);
      expect(categories).toEqual(["NOT_SENT", "NOT_SENT"]);
      expect(begun).toBe(1);
    },
  );

  it(
    "the ledger says who ran it, how it ended and how long it took, and is asked by worker, step, run and business id",
    proves("TX-16"),
    async () => {
      const l = await fresh(kind);
      let fails = true;
      const { t, wf } = single({ key: (i) => `k-${i}`, dedup: "24h", timeout: "30s", retry: { attempts: 2, initial: "1s" } }, async () => {
        await new Promise<void>((resolve) => void l.platform.timer(3_000, resolve));
        if (fails) throw new Error("no");
        return 1;
      });
      const a = await l.engine([wf], orchestrator);
      const first = await l.worker({ tasks: [t], queues: { q: {} } });
      const h = await a.engine.start(wf, 1, { id: "order-1" });
      await l.advanceUntilLine(h.runId, `StepFailed ${t.name}`);
      const failed = (await a.client.effects({ worker: first.worker.workerId })).effects;
      expect(failed).toMatchObject([{ stepId: t.name, status: "indeterminate", phase: "retrying", worker: first.worker.workerId }]);
      expect(failed[0]!.durationMs).toBeGreaterThanOrEqual(3_000);
      expect(failed[0]!.durationMs).toBeLessThan(5_000);
      fails = false;
      first.kill();
      const second = await l.worker({ tasks: [t], queues: { q: {} } });
      expect((await l.advanceUntil(a.client.waitForEnd("order-1"))).result).toBe(1);
      expect((await a.client.effects({ worker: first.worker.workerId })).effects, "who ran it last").toEqual([]);
      const asked = [{ worker: second.worker.workerId }, { runId: h.runId, stepId: t.name }, { workflowId: "order-1" }];
      for (const q of asked) {
        const { effects } = await a.client.effects(q);
        expect(effects, JSON.stringify(q)).toMatchObject([
          {
            workflowId: "order-1",
            runId: h.runId,
            stepId: t.name,
            worker: second.worker.workerId,
            status: "completed",
            attempts: 2,
            result: 1,
          },
        ]);
        expect(effects[0]!.durationMs).toBeGreaterThanOrEqual(3_000);
      }
      // In the Commit of the outcome: the record names its event, and changed when that was written.
      const [record] = (await l.store.effects({ scope: defaultScope, worker: second.worker.workerId, limit: 9 })).effects;
      const ended = (await l.log(h.runId)).find((e) => e.eventType === "StepCompleted")!;
      expect([record?.eventSeq, record?.updatedAt]).toEqual([ended.runSeq, ended.persistedAt]);
      expect(payloadOf(ended)).toMatchObject({ worker: second.worker.workerId });
    },
  );

  it("an outcome is published once it is committed, to everybody who listens; one who fails fails nothing", proves("TX-19"), async () => {
    const l = await fresh(kind);
    const { t, wf } = single({}, (i) => i + 1);
    const a = await l.engine([wf], orchestrator);
    await l.worker({ tasks: [t], queues: { q: {} } });
    const heard: [string, number, boolean][] = [];
    const listen = (consumer: string, fails: () => boolean) =>
      a.client.subscribe({
        consumer,
        handler: async (e) => {
          if (e.eventType !== "StepCompleted") return;
          const log = await l.log(e.runId);
          heard.push([consumer, Number(e.runSeq), log.some((x) => x.runSeq === e.runSeq && x.eventId === e.eventId)]);
          if (fails()) throw new Error("the bus is down");
        },
      });
    let broken = true;
    await Promise.all([listen("works", () => false), listen("broken", () => broken)]);
    const h = await a.engine.start(wf, 1, { id: "r" });
    expect((await l.advanceUntil(a.client.waitForEnd("r"))).result, "the step, and its run").toBe(2);
    await l.platform.advance(2_500);
    const { runSeq } = (await l.log(h.runId)).find((e) => e.eventType === "StepCompleted")!;
    expect(
      heard.filter(([who]) => who === "works"),
      "heard once, and in the log by then",
    ).toEqual([["works", runSeq, true]]);
    expect(heard.filter(([who]) => who === "broken").length, "offered again").toBeGreaterThan(1);
    broken = false;
    const before = heard.length;
    await l.platform.advance(70_000);
    expect(heard.slice(before), "durable: it comes until it was taken, and not after").toEqual([["broken", runSeq, true]]);
    expect((await a.client.get("r"))?.status).toBe("COMPLETED");
  });

  it(
    "a place is free again before the outcome is written: a store that takes its time holds up no other step",
    proves("TX-20"),
    async () => {
      const l = await fresh(kind);
      const slow = deferred<void>();
      let holds = false;
      const wrap = (store: FullStore): FullStore => ({
        ...store,
        commit: async (commits, renewal) => {
          if (holds && commits.some((c) => c.events.some((e) => e.eventType === "StepCompleted"))) await slow.promise;
          return store.commit(commits, renewal);
        },
      });
      const begun: number[] = [];
      const wf = workflow({ name: unique("wf") }, async (ctx) =>
        Promise.all([1, 2, 3].map((i) => ctx.step(`s${i}`, () => begun.push(i), { repeatable: true }))),
      );
      const a = await l.engine([wf], { lease: "60s", effectsMax: 1, wrap });
      holds = true;
      await a.engine.start(wf, undefined, { id: "r" });
      await l.platform.advance(300);
      expect(begun, "one place, and no outcome is written yet").toEqual([1, 2, 3]);
      slow.open();
      expect((await l.advanceUntil(a.client.waitForEnd("r"))).status).toBe("COMPLETED");
    },
  );
});
