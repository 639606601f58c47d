// What a queue promises whatever happens, on the virtual clock: hints may be lost, handlers may do anything, workers may die again and again, and a word of the
// past changes nothing. And what happens in one process stays there: callbacks are not delivered to others.
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defaultScope } from "../../src/client/environment.ts";
import { RetryAfter, Fatal } from "../../src/index.ts";
import { task, workflow } from "../../src/workflow/define.ts";
import type { TaskOpts } from "../../src/workflow/types.ts";
import { proves } from "../support/proves.ts";
import { deferred, payloadOf, storeKinds, testClusters } from "../support/test-cluster.ts";

const fresh = testClusters();
let n = 0;
const unique = (name: string): string => `${name}-${++n}`;
const orchestrator = { queues: {}, lease: "1s" } as const;
type Scope = { readonly attempt: { readonly logical: number } };

function single(o: TaskOpts<number, number>, fn: (i: number, s: Scope) => unknown) {
  const t = task({ name: unique("p"), input: z.number() }, fn as (i: number) => number, { queue: "q", ...o });
  const wf = workflow({ name: unique("wf"), input: z.number() }, async (ctx, i) => ctx.do(t, i));
  return { t, wf };
}

describe.each(storeKinds)("%s", (kind) => {
  it("a hint is only a hint: without any, a worker finds its steps by asking", proves("TX-08"), async () => {
    const l = await fresh(kind);
    const { t, wf } = single({}, (i) => i + 1);
    const a = await l.engine([wf], orchestrator);
    const deaf = { wrap: (store: typeof l.store) => ({ ...store, watch: () => () => {} }) };
    await l.worker({ tasks: [t], queues: { q: {} } }, deaf);
    await l.platform.advance(5_000);
    await a.engine.start(wf, 1, { id: "r" });
    expect((await l.advanceUntil(a.client.waitForEnd("r"))).result).toBe(2);
  });

  it(
    "a claimed step always comes to a result: thrown values, values nobody can store, and handlers that never return",
    proves("TX-07"),
    async () => {
      const l = await fresh(kind);
      const never = deferred<number>();
      const does: readonly (() => unknown)[] = [
        () => {
          // A handler may throw anything.
          // oxlint-disable-next-line no-throw-literal, only-throw-error
          throw "a text";
        },
        () => () => 1,
        () => never.promise,
        () => Promise.reject(new Error("late")),
      ];
      const { t, wf } = single({ timeout: "2s", retry: { attempts: 1 } }, (i) => does[i]!());
      const a = await l.engine([wf], orchestrator);
      const w = await l.worker({ tasks: [t], queues: { q: {} }, lease: "1s" });
      for (const i of does.keys()) await a.engine.start(wf, i, { id: `r-${i}` });
      const categories: unknown[] = [];
      for (const i of does.keys()) {
        const end = await l.advanceUntil(a.client.waitForEnd(`r-${i}`));
        expect(end.status).toBe("FAILED");
        const { runId } = (await a.client.get(`r-${i}`))!;
        const failures = (await l.log(runId)).filter((e) => e.eventType === "StepFailed");
        expect(failures).toHaveLength(1);
        expect(payloadOf(failures[0])["worker"]).toBe(w.worker.workerId);
        categories.push(payloadOf(failures[0])["category"]);
      }
      expect(categories).toEqual(["FAILED", "NOT_ENCODABLE", "TIMEOUT", "FAILED"]);
      expect(await l.store.queues.rows({ scope: defaultScope, queue: "q", limit: 9 })).toEqual([]);
      expect(w.worker.running).toBe(0);
    },
  );

  it(
    "a report counts only under the token of the claim that stands: one of a claim that lapsed finds nothing",
    proves("Q-15"),
    async () => {
      const l = await fresh(kind);
      const first = deferred<number>();
      let begun = 0;
      const { t, wf } = single({ repeatable: true }, () => (++begun === 1 ? first.promise : 2));
      const a = await l.engine([wf], orchestrator);
      const h = await a.engine.start(wf, 1, { id: "r" });
      const w = await l.worker({ tasks: [t], queues: { q: {} }, lease: "1s" });
      while (begun === 0) await l.platform.advance(100);
      const [row] = await l.store.queues.rows({ scope: defaultScope, runId: h.runId, limit: 9 });
      w.kill();
      a.kill();
      await l.platform.advance(5_000);
      const result = (value: number) => ({ kind: "result" as const, report: { ok: true, result: value } });
      await l.store.declareDead({ self: row!.worker! });
      await l.store.queues.lapse(10);
      // The dead worker's claim has ended: its token is void, and nobody owns the run meanwhile.
      expect(await l.store.queues.finish([{ dispatchId: row!.dispatchId, token: row!.token!, end: result(99) }])).toEqual(["gone"]);
      const b = await l.engine([wf], orchestrator);
      await l.advanceUntilLine(h.runId, "pawl.StepRedispatched");
      const w2 = await l.worker({ tasks: [t], queues: { q: {} } });
      expect((await l.advanceUntil(b.client.waitForEnd("r"))).result).toBe(2);
      expect(begun).toBe(2);
      void w2;
    },
  );

  it("attempts: none is refused, one is one, three are three; what is not worth another ends at once", proves("TX-04"), async () => {
    const l = await fresh(kind);
    const tried = async (o: TaskOpts<number, number>, fn: (s: Scope) => unknown): Promise<number> => {
      let count = 0;
      const { t, wf } = single(o, (_i, s) => {
        count++;
        return fn(s);
      });
      const a = await l.engine([wf], orchestrator);
      const w = await l.worker({ tasks: [t], queues: { q: {} } });
      await a.engine.start(wf, 1, { id: wf.name });
      await l.advanceUntil(a.client.waitForEnd(wf.name));
      await l.advanceUntil(w.worker.stop());
      return count;
    };
    const fails = (): never => {
      throw new Error("no");
    };
    const final = (): never => {
      throw new Fatal("no");
    };
    expect(await tried({ retry: { attempts: 0 } }, fails)).toBe(0);
    expect(await tried({ retry: { attempts: 1 } }, fails)).toBe(1);
    expect(await tried({ retry: { attempts: 3, initial: 1 } }, fails)).toBe(3);
    expect(await tried({ retry: { attempts: 3, initial: 1 } }, final)).toBe(1);
    expect(await tried({ retry: { attempts: 3, initial: 1 } }, (s) => (s.attempt.logical === 1 ? fails() : final()))).toBe(2);
    expect(await tried({ retry: { attempts: 3, initial: 1, when: () => false } }, fails)).toBe(1);
  });

  it("claims are counted: a step whose workers die again and again waits for a person", proves("TX-04"), async () => {
    const l = await fresh(kind);
    let begun = 0;
    const { t, wf } = single({ repeatable: true, retry: { attempts: 3 } }, () => {
      begun++;
      return deferred<number>().promise;
    });
    const a = await l.engine([wf], orchestrator);
    const h = await a.engine.start(wf, 1, { id: "r" });
    for (let deaths = 1; (await l.row(h.runId)).waiting !== "decision" && deaths < 20; deaths++) {
      const w = await l.worker({ tasks: [t], queues: { q: {} }, lease: "1s" });
      const before = begun;
      for (let i = 0; begun === before && i < 40; i++) await l.platform.advance(250);
      w.kill();
      await l.platform.advance(3_000);
    }
    expect(begun).toBe(5);
    expect((await l.row(h.runId)).waiting).toBe("decision");
  });

  it("a delay that the receiver asked for comes first, else it doubles, at most a tenth is added", proves("TX-05"), async () => {
    const l = await fresh(kind);
    const { t, wf } = single({ retry: { attempts: 5, initial: "1s", max: "3s" } }, (_i, s) => {
      if (s.attempt.logical === 1) throw new RetryAfter("20s");
      if (s.attempt.logical < 5) throw new Error("no");
      return 1;
    });
    const a = await l.engine([wf], orchestrator);
    await l.worker({ tasks: [t], queues: { q: {} } });
    const h = await a.engine.start(wf, 1, { id: "r" });
    expect((await l.advanceUntil(a.client.waitForEnd("r"), 300_000)).result).toBe(1);
    const log = await l.log(h.runId);
    const delays = log.filter((e) => e.eventType === "StepFailed").map((e) => Date.parse(String(payloadOf(e)["retryAt"])) - e.persistedAt);
    const wanted = [20_000, 2_000, 3_000, 3_000];
    for (const [i, ms] of wanted.entries()) {
      expect(delays[i]).toBeGreaterThanOrEqual(ms - 300);
      expect(delays[i]).toBeLessThanOrEqual(ms * 1.1 + 300);
    }
  });

  it("without a word the delay begins at a second, doubles, and is a minute at most", proves("TX-05"), async () => {
    const l = await fresh(kind);
    const { t, wf } = single({ retry: { attempts: 9 } }, () => {
      throw new Error("no");
    });
    const a = await l.engine([wf], orchestrator);
    await l.worker({ tasks: [t], queues: { q: {} } });
    const h = await a.engine.start(wf, 1, { id: "r" });
    expect((await l.advanceUntil(a.client.waitForEnd("r"), 600_000)).status).toBe("FAILED");
    const failed = (await l.log(h.runId)).filter((e) => e.eventType === "StepFailed").slice(0, -1);
    const delays = failed.map((e) => Date.parse(String(payloadOf(e)["retryAt"])) - e.persistedAt);
    const wanted = [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000];
    expect(delays.length).toBe(wanted.length);
    for (const [i, ms] of wanted.entries()) {
      expect(delays[i], `after attempt ${i + 1}`).toBeGreaterThanOrEqual(ms - 300);
      expect(delays[i], `after attempt ${i + 1}`).toBeLessThanOrEqual(ms * 1.1 + 300);
    }
  });

  it("a callback is called in the process that owns the run, and in no other", proves("T-86"), async () => {
    const l = await fresh(kind);
    const { t, wf } = single({ once: true }, () => deferred<number>().promise);
    const heard: string[] = [];
    const a = await l.engine([wf], { lease: "1s", onDecision: () => void heard.push("a") });
    await l.platform.advance(1_500);
    const h = await a.engine.start(wf, 1, { id: "r" });
    await l.advanceUntilLine(h.runId, `StepStarted ${t.name}`);
    await l.platform.advance(100);
    a.kill();
    const b = await l.engine([wf], { ...orchestrator, onDecision: () => void heard.push("b") });
    await l.advanceUntilLine(h.runId, "pawl.StepInDoubt");
    const c = await l.engine([wf], { ...orchestrator, onDecision: () => void heard.push("c") });
    await l.platform.advance(5_000);
    expect(heard).toEqual(["b"]);
    // Whoever was not told can ask.
    expect(await c.client.decisions()).toHaveLength(1);
    void b;
  });
});
