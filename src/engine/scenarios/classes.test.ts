// What an owner does with an effect that an earlier one began: by its class, and nothing on a guess. The windows are
// proved with real processes elsewhere; here are the edges: keys, deadlines, answers of verify, retries, what a person sees.
import { describe, expect, it } from "vitest";
import type { StepError } from "../../errors/step-errors.ts";
import { workflow } from "../../workflow/define.ts";
import type { StepOpts, StepScope, Verdict } from "../../workflow/types.ts";
import { testClusters, payloadOf, storeKinds, type TestCluster } from "../../../test/support/test-cluster.ts";
import { proves } from "../../../test/support/proves.ts";

const fresh = testClusters();

describe.each(storeKinds)("%s", (kind) => {
  /** One step, whose first dispatch is never answered; its engine dies `afterMs` later. */
  const crash = async (
    o: StepOpts<unknown>,
    afterMs = 100,
  ): Promise<{ l: TestCluster; runId: string; sent: StepScope[]; next(): Promise<void>; result(): Promise<unknown> }> => {
    const l = await fresh(kind);
    const sent: StepScope[] = [];
    const wf = workflow({ name: "wf" }, async (ctx) =>
      ctx
        .step<unknown>(
          "s",
          (s) => (sent.push(s), sent.length === 1 ? new Promise<never>(() => {}) : `sent ${sent.length}`),
          o as StepOpts<unknown>,
        )
        .catch((e: StepError) => e.category),
    );
    const a = await l.engine([wf], { lease: "1s" });
    const h = await a.engine.start(wf);
    await l.platform.advance(afterMs);
    a.kill();
    const b = await l.engine([wf], { lease: "1s" });
    return {
      l,
      runId: h.runId,
      sent,
      next: () => l.platform.advance(5_000),
      result: async () => (await l.advanceUntil(b.client.waitForEnd(h.runId))).result,
    };
  };
  const verify =
    (...answers: Verdict<unknown>[]) =>
    async (): Promise<Verdict<unknown>> =>
      answers.length > 1 ? answers.shift()! : answers[0]!;

  it("REPEATABLE and UNDECLARED run again, with the same key and a higher fence", proves("C6", "K4", "K24"), async () => {
    for (const o of [{}, { repeatable: true }] as StepOpts<unknown>[]) {
      const c = await crash(o);
      expect(await c.result()).toBe("sent 2");
      expect(c.sent).toHaveLength(2);
      expect(c.sent[0]!.key).toBe(c.sent[1]!.key);
      expect([c.sent[0]!.fence, c.sent[1]!.fence]).toEqual(["1", "2"]);
      expect(c.sent[0]!.traceKey).toBe(`pawl:${c.runId}:s:1`);
      expect(c.sent[0]!.aetherisTraceKey).toBe(`aetheris:${c.runId}:s:1`);
    }
  });

  it(
    "AT-MOST-ONCE is never sent again: in doubt is RUNNING, waiting for a decision, visible and stable",
    proves("I6", "I7", "K27"),
    async () => {
      for (const o of [{ once: true }, { key: "k" }] as StepOpts<unknown>[]) {
        const c = await crash(o);
        await c.next();
        expect(c.sent).toHaveLength(1);
        expect(await c.l.row(c.runId)).toMatchObject({ status: "RUNNING", waiting: "decision" });
        expect(payloadOf((await c.l.log(c.runId)).at(-1))).toMatchObject({ stepId: "s", code: "PAWL2001" });
        await c.l.platform.advance(120_000); // parked, claimed by nobody, sent by nobody
        expect(c.sent).toHaveLength(1);
        expect((await c.l.lines(c.runId)).filter((x) => x === "pawl.StepInDoubt")).toHaveLength(1);
      }
    },
  );

  it(
    "an AT-MOST-ONCE step past its time limit is in doubt, one that throws has failed for good: no policy sends it again",
    proves("I6"),
    async () => {
      const l = await fresh(kind);
      let sent = 0;
      const wf = workflow({ name: "wf" }, async (ctx) => {
        const thrown = await ctx
          .step("throws", () => (sent++, Promise.reject(new Error("no"))), { once: true, retry: { attempts: 5, initial: 1 } })
          .catch((e: StepError) => e.category);
        await ctx.step("slow", () => (sent++, new Promise<never>(() => {})), {
          once: true,
          timeout: "1s",
          retry: { attempts: 5, initial: 1 },
        });
        return thrown;
      });
      const { engine } = await l.engine([wf]);
      const h = await engine.start(wf);
      await l.platform.advance(60_000);
      expect(sent).toBe(2);
      expect(await h.status()).toEqual({ status: "RUNNING", waiting: "decision" });
      expect((await l.lines(h.runId)).slice(1)).toEqual([
        "StepStarted throws",
        "StepFailed throws",
        "StepStarted slow",
        "pawl.StepInDoubt",
      ]);
    },
  );

  it("KEYED is sent again under the same key inside the receiver's window, and never after it", proves("I7"), async () => {
    const inside = await crash({ key: "order-7", dedup: "1d" });
    expect(await inside.result()).toBe("sent 2");
    expect(inside.sent.map((s) => s.key)).toEqual(["order-7", "order-7"]);
    const outside = await crash({ key: "order-8", dedup: "70s", timeout: "60s" }, 15_000);
    await outside.next();
    expect(outside.sent).toHaveLength(1);
    expect(payloadOf((await outside.l.log(outside.runId)).at(-1))).toMatchObject({ code: "PAWL2003" });
  });

  it("a retry by policy of a KEYED step stays inside the window too", proves("I7"), async () => {
    const l = await fresh(kind);
    let sent = 0;
    const wf = workflow({ name: "wf" }, async (ctx) => {
      await ctx.step("s", () => (sent++, Promise.reject(new Error("no"))), {
        key: "k",
        dedup: "30s",
        timeout: "5s",
        retry: { attempts: 9, initial: "10s", backoff: "fixed" },
      });
    });
    const { engine } = await l.engine([wf]);
    const h = await engine.start(wf);
    await l.platform.advance(120_000);
    expect(sent).toBe(3); // at 0, 10 and 20 s; one at 30 s could arrive after the receiver forgot
    expect(await h.status()).toEqual({ status: "RUNNING", waiting: "decision" });
  });

  it(
    "not-completed permits a send only after the deadline of the latest dispatch, be it a re-dispatch or a retry",
    proves("K25", "I7"),
    async () => {
      const l = await fresh(kind);
      const sent: { at: number; attempt: string }[] = [];
      const wf = workflow({ name: "wf" }, async (ctx) =>
        ctx.step(
          "s",
          ({ attempt: { logical, engine } }) => {
            sent.push({ at: l.platform.wallMs(), attempt: `${logical}.${engine}` });
            if (sent.length === 3) throw new Error("once more");
            return sent.length < 5 ? new Promise<never>(() => {}) : "done";
          },
          { verify: async () => ({ state: "not-completed" }), timeout: "10s", retry: { attempts: 2, initial: "1s" } },
        ),
      );
      let engine = await l.engine([wf], { lease: "1s" });
      const h = await engine.engine.start(wf);
      for (const n of [1, 2, 4]) {
        for (let spent = 0; sent.length < n && spent < 120_000; spent += 250) await l.platform.advance(250);
        await l.platform.advance(1_000);
        engine.kill();
        engine = await l.engine([wf], { lease: "1s" });
      }
      expect((await l.advanceUntil(engine.client.waitForEnd(h.runId))).result).toBe("done");
      expect(sent.map((s) => s.attempt)).toEqual(["1.1", "1.2", "1.3", "2.2", "2.3"]); // 2.1 asked, and sent nothing
      for (const [i, next] of [1, 2, 4].entries()) expect(sent[next]!.at - sent[[0, 1, 3][i]!]!.at).toBeGreaterThanOrEqual(15_000);
    },
  );

  it("verify is asked before anything is sent: each of its four answers, and what is none of them", proves("K25"), async () => {
    const adopted = await crash({ verify: verify({ state: "completed-with-result", result: "found" }) });
    expect(await adopted.result()).toBe("found");
    expect(adopted.sent).toHaveLength(1);
    expect(payloadOf((await adopted.l.log(adopted.runId)).find((e) => e.eventType === "StepCompleted"))).toMatchObject({ via: "verify" });

    const lost = await crash({ verify: verify({ state: "completed-result-unavailable" }) });
    expect(await lost.result()).toBe("RESULT_UNAVAILABLE");
    expect(lost.sent).toHaveLength(1);

    for (const v of [
      verify({ state: "indeterminate" }),
      async () => true as never,
      () => Promise.reject(new Error("x")),
      () => new Promise<never>(() => {}),
    ]) {
      const unknown = await crash({ verify: v, timeout: "3s" });
      await unknown.next();
      await unknown.next();
      expect(unknown.sent).toHaveLength(1);
      expect(await unknown.l.row(unknown.runId)).toMatchObject({ status: "RUNNING", waiting: "decision" });
    }
  });

  it(
    "not-completed permits a send only after the last dispatch can no longer arrive; until then it is asked again",
    proves("K25"),
    async () => {
      let asked = 0;
      const c = await crash({
        verify: async () => (asked++, { state: "not-completed" }),
        timeout: "20s",
        settle: "5s",
      });
      const sentAt = c.l.platform.wallMs();
      await c.l.platform.advance(22_000);
      expect(c.sent).toHaveLength(1);
      expect(asked).toBeGreaterThan(5);
      expect(await c.result()).toBe("sent 2");
      expect(c.sent[1]!.firstAttemptAt.getTime()).toBeLessThan(sentAt);
      expect(c.l.platform.wallMs() - sentAt).toBeGreaterThanOrEqual(24_000);
    },
  );

  it("a step's scope: key and time of the first attempt stay, attempts count, the key holds none of them", async () => {
    const l = await fresh(kind);
    const seen: { key: string; first: number; logical: number; trace: string }[] = [];
    const wf = workflow({ name: "wf" }, async (ctx) => {
      await ctx.step(
        "s",
        (s) => {
          seen.push({ key: s.key, first: s.firstAttemptAt.getTime(), logical: s.attempt.logical, trace: s.traceKey });
          if (s.attempt.logical < 3) throw new Error("no");
        },
        { retry: { attempts: 3, initial: "1s" } },
      );
      await ctx.step("s", (s) => void seen.push({ key: s.key, first: 0, logical: 0, trace: "" }));
    });
    const { engine } = await l.engine([wf]);
    await l.advanceUntil(engine.run(wf));
    expect(new Set(seen.slice(0, 3).map((x) => x.key)).size).toBe(1);
    expect(new Set(seen.slice(0, 3).map((x) => x.first)).size).toBe(1);
    expect(seen.slice(0, 3).map((x) => x.logical)).toEqual([1, 2, 3]);
    expect(seen[3]!.key).not.toBe(seen[0]!.key);
  });
});
