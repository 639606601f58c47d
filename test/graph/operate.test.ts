// Operating graphs: what is measured, what a full queue does, deadlines and delays, and Commits that are asked for again and
// again. All of it through graph() and what a user calls.
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { append, graph, last, send, sum } from "../../src/graph.ts";
import { retryDelayMs } from "../../src/core/retry.ts";
import { openSse } from "../server/sse.ts";
import { serve } from "../server/serve.ts";
import { proves } from "../support/proves.ts";
import { payloadOf, storeKinds, testClusters } from "../support/test-cluster.ts";
import { wrapCommit } from "../support/wrap-commit.ts";

const fresh = testClusters();

function valueOf(text: string, series: string): number {
  const line = text.split("\n").find((l) => l.startsWith(`${series} `));
  return line === undefined ? Number.NaN : Number(line.slice(series.length + 1));
}

describe("metrics", () => {
  const measured = graph({
    name: "measured",
    state: { n: sum(), top: last(0, { conflict: "highest" }) },
    signals: { go: z.any() },
    concurrency: 2,
  })
    .nodes(({ each }) => ({
      try: async (_s, ctx) => ({
        n: await ctx.step("s", (s) => (s.attempt.logical < 3 ? Promise.reject(new Error("no")) : 1), {
          repeatable: true,
          retry: { attempts: 3, initial: 1 },
        }),
      }),
      many: each(z.number(), async (i, _s, ctx) => {
        await ctx.receive("go");
        return { top: i };
      }),
    }))
    .edges({ start: "try", try: () => [1, 2, 3, 4, 5].map((i) => send("many", i)), many: "end" });

  it("are there from the start and say what graphs do, by graph and node, never by run", proves("LX-25"), async () => {
    const s = await serve({ workflows: [measured] });
    try {
      const names = {
        inflight_nodes: "gauge",
        queue_depth: "gauge",
        step_latency_ms: "histogram",
        retries_total: "counter",
        merge_conflicts_total: "counter",
        backpressure_events_total: "counter",
      };
      const first = (await s.get("/metrics")).text; // the first request that this server gets
      for (const [name, type] of Object.entries(names)) expect(first).toContain(`# TYPE pawl_graph_${name} ${type}\n`);
      const { runId } = (await s.post("/v1/runs", { workflow: "measured", id: "canary-id", input: {} })).json;
      const sse = await openSse(`${s.url}/v1/runs/${runId}/events`);
      for (let waits = 0; waits < 2;)
        if ((await sse.next((f) => f.data.eventType === "StepStarted"))!.data.stepId.startsWith("2/")) waits++;
      const { text } = await s.get("/metrics");
      const of = '{graph="measured"}';
      expect(valueOf(text, 'pawl_graph_inflight_nodes{graph="measured",node="many"}')).toBe(2);
      expect(text).not.toContain('pawl_graph_inflight_nodes{graph="measured",node="try"}'); // it has ended
      expect(valueOf(text, `pawl_graph_queue_depth${of}`)).toBe(3);
      expect(valueOf(text, 'pawl_graph_retries_total{graph="measured",node="try"}')).toBe(2);
      const took = 'pawl_graph_step_latency_ms_bucket{graph="measured",node="try",le="';
      const le = [1, 5, 10, 50, 100, 500, 1000, 5000, 10000, "+Inf"].map((b) => valueOf(text, `${took}${b}"}`));
      expect(le.at(-1)).toBe(1);
      expect(le).toEqual(le.toSorted((a, b) => a - b));
      expect(valueOf(text, 'pawl_graph_step_latency_ms_sum{graph="measured",node="try"}')).toBeGreaterThan(0);
      for (let i = 0; i < 5; i++) await s.post(`/v1/runs/${runId}/signals`, { name: "go", payload: i, signalId: `s${i}` });
      await sse.ended;
      const after = (await s.get("/metrics")).text;
      expect(valueOf(after, `pawl_graph_merge_conflicts_total${of}`)).toBe(4);
      expect(valueOf(after, 'pawl_graph_step_latency_ms_count{graph="measured",node="many"}')).toBe(5);
      expect(after).not.toMatch(/pawl_graph_inflight_nodes\{.*\} [1-9]/);
      expect(after).not.toContain("canary");
      expect(after).not.toContain(runId);
    } finally {
      await s.close();
    }
  });
});

describe.each(storeKinds)("a full queue on %s", (kind) => {
  const make = (timeout?: string, items = 3) =>
    graph({
      name: "queued",
      state: { ran: append<number>() },
      signals: { go: z.any() },
      concurrency: 1,
      queue: { depth: 1, ...(timeout === undefined ? {} : { timeout: timeout as "1m" }) },
    })
      .nodes(({ each }) => ({
        work: each(z.number(), async (i, _s, ctx) => {
          await ctx.receive("go");
          return { ran: i };
        }),
      }))
      .edges({ start: () => Array.from({ length: items }, (_, i) => send("work", i)), work: "end" });

  it(
    "a queue of one: the second waits in it, the third behind it, each begins when the one before has ended",
    proves("LX-16", "LX-24"),
    async () => {
      const l = await fresh(kind);
      const g = make();
      const { engine } = await l.engine([g]);
      const h = await engine.start(g, {}, { id: "q" });
      const depth = (): number => valueOf(engine.metrics(), 'pawl_graph_queue_depth{graph="queued"}');
      const begun = async (): Promise<number> => (await l.lines(h.runId)).filter((x) => x.startsWith("StepStarted 1/work")).length;
      const seen: [number, number][] = [];
      for (let i = 1; i <= 3; i++) {
        await l.advanceUntilLine(h.runId, `StepStarted 1/work${i === 1 ? "" : `~${i}`}/go`);
        await l.platform.advance(100);
        seen.push([await begun(), depth()]);
        await h.signal("go", i);
      }
      expect(seen).toEqual([
        [1, 1], // the third has no place: one is at work, one in the queue
        [2, 1],
        [3, 0],
      ]);
      expect((await l.advanceUntil(h.result())).ran).toEqual([0, 1, 2]);
    },
  );

  it(
    "past its timeout that is recorded at once, a person is asked, and nothing begins until the answer, over a killed engine",
    proves("LX-16", "LX-24"),
    async () => {
      const l = await fresh(kind);
      const g = make("30s");
      const one = await l.engine([g], { lease: "1s" });
      const h = await one.engine.start(g, {}, { id: "q" });
      await l.advanceUntilLine(h.runId, "pawl.Backpressure");
      const log = await l.log(h.runId);
      const timer = log.find((e) => e.stepId === "1/~queue/timeout")!;
      const full = log.find((e) => e.eventType === "pawl.Backpressure")!;
      expect(payloadOf(full)).toMatchObject({ n: 1, depth: 1, capacity: 1, waitedMs: 30_000, waiting: 1 });
      // Paused, with all that is needed to continue in the store: the last superstep, and after it what was recorded since.
      expect((await l.store.checkpoint({ runId: h.runId }))!.stepId).toBe(0);
      expect((await l.row(h.runId)).waiting).toBe("decision");
      const late = full.persistedAt - timer.persistedAt - 30_000;
      expect(late >= 0 && late <= 100, String(late)).toBe(true);
      expect(valueOf(one.engine.metrics(), 'pawl_graph_backpressure_events_total{graph="queued"}')).toBe(1);
      await h.signal("go", 1);
      await l.advanceUntilLine(h.runId, "StepCompleted 1/work/go");
      one.kill();
      const two = await l.engine([g], { lease: "1s" });
      await l.platform.advance(60_000);
      expect((await l.lines(h.runId)).filter((x) => x.startsWith("StepStarted 1/work"))).toEqual(["StepStarted 1/work/go"]);
      const [question] = await two.client.questions("q");
      expect(question).toMatchObject({ name: "full", data: { depth: 1, waiting: 1 } });
      await expect(l.advanceUntil(two.client.answer(question!.questionId, false, { by: "ann" }))).rejects.toMatchObject({
        code: "PAWL1008",
      });
      await l.advanceUntil(two.client.answer(question!.questionId, true, { by: "ann" }));
      await two.client.signal("q", "go", 2);
      await two.client.signal("q", "go", 3);
      const again = (await two.engine.get(g, "q"))!;
      expect((await l.advanceUntil(again.result())).ran).toEqual([0, 1, 2]);
      expect((await l.lines(h.runId)).filter((x) => x === "pawl.Backpressure")).toHaveLength(1);
    },
  );

  it("a cancel ends those who wait, and they never begin", proves("LX-24"), async () => {
    const l = await fresh(kind);
    const g = make("30s");
    const { engine } = await l.engine([g]);
    const h = await engine.start(g, {}, { id: "q" });
    await l.advanceUntilLine(h.runId, "StepStarted 1/work/go");
    await h.cancel("enough");
    await expect(l.advanceUntil(h.result())).rejects.toMatchObject({ name: "RunCancelled" });
    expect((await l.lines(h.runId)).filter((x) => x.startsWith("StepStarted 1/work"))).toEqual(["StepStarted 1/work/go"]);
  });

  it("10,000 items begin in the order in which they were sent", proves("LX-24"), async () => {
    const l = await fresh(kind);
    const began: number[] = [];
    const g = graph({ name: "crowd", state: { n: sum() }, queue: { depth: 100 } })
      .nodes(({ each }) => ({
        work: each(z.number(), (i) => {
          began.push(i);
          return { n: 1 };
        }),
      }))
      .edges({ start: () => Array.from({ length: 10_000 }, (_, i) => send("work", i)), work: "end" });
    const { engine } = await l.engine([g]);
    const h = await engine.start(g, {});
    expect((await l.advanceUntil(h.result())).n).toBe(10_000);
    expect(began).toEqual(Array.from({ length: 10_000 }, (_, i) => i));
  });
});

describe("deadlines and delays", () => {
  it.each([
    { run: "3s", node: "10s", ms: 3_000 },
    { run: "10s", node: "3s", ms: 3_000 },
  ] as const)("a node ends at the earlier of the run's deadline and its own: %j", proves("LX-17"), async ({ run, node: own, ms }) => {
    const l = await fresh("memory");
    const g = graph({ name: "both", state: { n: sum() }, signals: { go: z.any() }, timeout: run })
      .nodes(({ node }) => ({ slow: node(async (_s, ctx) => void (await ctx.receive("go")), { timeout: own }) }))
      .edges({ start: "slow", slow: "end" });
    const { engine } = await l.engine([g]);
    const h = await engine.start(g, {});
    await expect(l.advanceUntil(h.result())).rejects.toMatchObject({ name: "RunFailed" });
    const log = await l.log(h.runId);
    const ended = log.at(-1)!.persistedAt - log[0]!.persistedAt;
    expect(ended >= ms && ended <= ms * 1.01, String(ended)).toBe(true);
  });

  it(
    "a node's step is tried again after min(base * 2^n, max) and less than base more, the first attempt counted",
    proves("LX-19"),
    async () => {
      const delays = async (): Promise<{ delays: number[]; attempts: number }> => {
        const l = await fresh("memory", 7);
        let attempts = 0;
        const g = graph({ name: "again", state: { n: sum() } })
          .nodes({
            a: async (_s, ctx) => {
              const retry = { attempts: 8, initial: 100, max: 2_000 };
              await ctx.step("s", () => (attempts++, Promise.reject(new Error("no"))), { repeatable: true, retry }).catch(() => {});
            },
          })
          .edges({ start: "a", a: "end" });
        const { engine } = await l.engine([g]);
        const h = await engine.start(g, {}, { id: "same" });
        await l.advanceUntil(h.result());
        const failed = (await l.log(h.runId)).filter((e) => e.eventType === "StepFailed" && payloadOf(e)["retryAt"] !== undefined);
        return { delays: failed.map((e) => Date.parse(payloadOf(e)["retryAt"] as string) - e.emittedAt), attempts };
      };
      const first = await delays();
      expect(first.attempts).toBe(8);
      expect(first.delays).toHaveLength(7);
      for (const [n, ms] of first.delays.entries()) {
        const least = Math.min(100 * 2 ** n, 2_000);
        expect(ms >= least && ms < least + 100, `${n}: ${ms}`).toBe(true);
      }
      expect(await delays()).toEqual(first);
      // Long delays show the bound: a tenth of them would be more than the base.
      for (let n = 1; n < 40; n++) {
        const p = { attempts: 50, backoff: "exponential", initialMs: 10, maxMs: 60_000, when: null } as const;
        expect(retryDelayMs(p, n, 0.999) - retryDelayMs(p, n, 0)).toBeLessThan(10);
      }
    },
  );
});

describe.each(storeKinds)("Commits asked for again on %s", (kind) => {
  it("100 graphs of 10 supersteps, each asked for three times: 3,000 attempts, 1,000 rows", proves("LX-22"), async () => {
    const l = await fresh(kind);
    let attempts = 0;
    const threeTimes = wrapCommit(async (real, batch, renew) => {
      attempts += 3 * batch.filter((c) => c.checkpoint !== undefined).length;
      await real(batch, renew);
      await real(batch, renew);
      return real(batch, renew);
    });
    const acted = new Map<string, number>();
    const g = graph({ name: "loop", state: { n: sum() } })
      .nodes({
        a: async (_s, ctx) => ({
          n: await ctx.step("s", (s) => (acted.set(s.key, (acted.get(s.key) ?? 0) + 1), 1), { repeatable: true }),
        }),
      })
      .edges({ start: "a", a: (s) => (s.n < 9 ? "a" : "end") });
    const { engine } = await l.engine([g], { wrap: threeTimes });
    const runs = await Promise.all(Array.from({ length: 100 }, (_, i) => engine.start(g, {}, { id: `f-${i}` })));
    for (const h of runs) expect((await l.advanceUntil(h.result())).n).toBe(9);
    expect(attempts).toBe(3_000);
    let rows = 0;
    for (const { runId } of runs) for (let n = 0; n <= 10; n++) if ((await l.store.checkpoint({ runId, stepId: n })) !== undefined) rows++;
    expect(rows).toBe(1_000);
    expect([...acted.values()]).toEqual(Array.from({ length: 900 }, () => 1));
  });

  it("1,000 graphs at once: each effect once, each superstep one row", proves("LX-22"), async () => {
    const l = await fresh(kind);
    const acted = new Map<string, number>();
    const g = graph({ name: "once", state: { n: sum() } })
      .nodes(({ effect }) => ({
        a: effect((_s, s) => (acted.set(s.key, (acted.get(s.key) ?? 0) + 1), { n: 1 }), { repeatable: true }),
      }))
      .edges({ start: "a", a: "end" });
    const { engine } = await l.engine([g]);
    const runs = await Promise.all(Array.from({ length: 1_000 }, (_, i) => engine.start(g, {}, { id: `o-${i}` })));
    for (const h of runs) expect((await l.advanceUntil(h.result())).n).toBe(1);
    expect([acted.size, Math.max(...acted.values())]).toEqual([1_000, 1]);
    for (const { runId } of runs.slice(0, 50)) expect((await l.log(runId)).filter((e) => e.eventType === "pawl.Superstep")).toHaveLength(2);
  });
});
