// Time as an engine sees it: the deadline of a send counts from when its effect really begins, elapsed time is never read off a clock
// that somebody can set, and what K25 permits is decided by the store. Clocks here are virtual and step apart from each other;
// real processes under a clock that is set are in the campaign (`--only clocks`). Every lab puts the evidence of its runs to the proof.
import { describe, expect, it } from "vitest";
import { proves } from "../../../test/support/proves.ts";
import { deferred, testClusters, payloadOf, storeKinds, type TestCluster } from "../../../test/support/test-cluster.ts";
import { wrapCommit } from "../../../test/support/wrap-commit.ts";
import type { StepError } from "../../errors/step-errors.ts";
import type { FullStore } from "../../store/full-store.ts";
import type { Commit } from "../../store/port.ts";
import { virtualPlatform } from "../../platform/virtual.ts";
import { workflow } from "../../workflow/define.ts";
import type { StepOpts } from "../../workflow/types.ts";
import { StoreClock } from "../store-clock.ts";

const fresh = testClusters();
const hourMs = 3_600_000;
const says = (state: "not-completed") => async (): Promise<{ state: "not-completed" }> => ({ state });
/** A time limit of 60 s and 5 s to settle. */
const asked: StepOpts<unknown> = { verify: says("not-completed"), timeout: "60s" };
const isPay = (c: Commit): boolean => c.events.some((e) => e.eventType === "StepStarted" && e.stepId === "pay");

describe.each(storeKinds)("%s", (kind) => {
  /** When the step was sent, by the virtual clock; its first send is never answered. */
  const paying = (l: TestCluster, o: StepOpts<unknown>) => {
    const sent: number[] = [];
    const wf = workflow({ name: "wf" }, (ctx): Promise<unknown> =>
      ctx
        .step<unknown>("pay", () => (sent.push(l.platform.monotonicMs()), sent.length === 1 ? new Promise<never>(() => {}) : "paid"), o)
        .catch((e: StepError) => e.category),
    );
    return { sent, wf };
  };

  it("a deadline counts from when the effect begins: not from a record that waited for a place", proves("K25", "K14"), async () => {
    const l = await fresh(kind);
    const { sent, wf } = paying(l, asked);
    const place = deferred();
    const busy = workflow({ name: "busy" }, async (ctx) => ctx.step("holds the place", () => place.promise));
    const a = await l.engine([wf, busy], { lease: "1s", effectsMax: 1 });
    await a.engine.start(busy);
    const h = await a.engine.start(wf);
    await l.platform.advance(70_000);
    expect(sent).toEqual([]);
    place.open();
    await l.platform.advance(500);
    expect(sent).toHaveLength(1);
    const log = await l.log(h.runId);
    const begins = log.at(-1)!;
    expect(begins.eventType).toBe("pawl.StepBegins");
    expect(payloadOf(begins)).toMatchObject({ stepId: "pay", waitedMs: expect.any(Number) as number });
    expect(begins.persistedAt - log.find((e) => e.stepId === "pay")!.persistedAt).toBeGreaterThanOrEqual(70_000);
    a.kill();
    const b = await l.engine([wf, busy], { lease: "1s" });
    expect((await l.advanceUntil(b.client.waitForEnd(h.runId))).result).toBe("paid");
    expect(sent[1]! - sent[0]!).toBeGreaterThanOrEqual(65_000);
  });

  it.each([
    ["stopped", (l: TestCluster): void => l.platform.suspend(70_000)],
    ["starved of its processor", (l: TestCluster): Promise<void> => new Promise((resolve) => void l.platform.timer(70_000, resolve))],
  ] as const)("a process that is %s between the record and the call begins with a new record", proves("K25", "K14"), async (_, pass) => {
    const l = await fresh(kind);
    const { sent, wf } = paying(l, asked);
    let once = true;
    const wrap = wrapCommit(async (real, batch, renew) => {
      const answer = await real(batch, renew);
      if (once && batch.some(isPay)) {
        once = false;
        await pass(l);
      }
      return answer;
    });
    const a = await l.engine([wf], { lease: "600s", wrap });
    const h = await l.advanceUntil(a.engine.start(wf));
    await l.platform.advance(1_000);
    expect(sent).toHaveLength(1);
    expect(await l.lines(h.runId)).toContain("pawl.StepBegins");
    a.kill();
    const b = await l.engine([wf], { lease: "1s" });
    const from = (await l.log(h.runId)).at(-1)!.persistedAt;
    await l.advanceUntil(b.client.waitForEnd(h.runId));
    const again = (await l.log(h.runId)).find((e) => e.eventType === "pawl.StepRedispatched")!;
    expect(again.persistedAt - from).toBeGreaterThanOrEqual(65_000);
  });

  it("a record that is new costs no second one, and one that is a little old is taken off the time limit", proves("K25"), async () => {
    const l = await fresh(kind);
    const { sent, wf } = paying(l, { once: true, timeout: "10s" });
    const wrap = wrapCommit(async (real, batch, renew) => {
      const answer = await real(batch, renew);
      if (batch.some(isPay)) await new Promise<void>((resolve) => void l.platform.timer(400, resolve));
      return answer;
    });
    const a = await l.engine([wf], { lease: "600s", wrap });
    const started = a.engine.start(wf);
    await l.platform.advance(1_000);
    const h = await started;
    await l.advanceUntilLine(h.runId, "pawl.StepInDoubt");
    const log = await l.log(h.runId);
    expect(log.map((e) => e.eventType)).toEqual(["RunStarted", "StepStarted", "pawl.StepInDoubt"]);
    expect(log[2]!.persistedAt - log[1]!.persistedAt).toBe(10_000);
    expect(sent).toHaveLength(1);
  });

  it(
    "a store that takes longer than a second for a record, again and again, sends nothing, and the step says so",
    proves("W-030", "K25"),
    async () => {
      const l = await fresh(kind);
      const { sent, wf } = paying(l, { once: true, timeout: "1s" });
      const wrap = wrapCommit(async (real, batch, renew) => {
        const answer = await real(batch, renew);
        await new Promise<void>((resolve) => void l.platform.timer(1_500, resolve));
        return answer;
      });
      const a = await l.engine([wf], { lease: "600s", wrap });
      const h = await l.advanceUntil(a.engine.start(wf));
      expect(await l.advanceUntil(h.result())).toBe("NOT_SENT");
      expect(sent).toEqual([]);
      const failed = (await l.log(h.runId)).find((e) => e.eventType === "StepFailed");
      expect(payloadOf(failed)).toMatchObject({ category: "NOT_SENT", error: { code: "PAWL3025" } });
    },
  );

  it("a run that is lost while its beginning is recorded gives its place back", proves("I12"), async () => {
    const l = await fresh(kind);
    const { sent, wf } = paying(l, asked);
    let lost = 0;
    const wrap = wrapCommit(async (real, batch, renew) => {
      const begins = batch.some((c) => c.events.some((e) => e.eventType === "pawl.StepBegins"));
      if (!begins || lost++ > 0) return real(batch, renew);
      return { answers: batch.map(() => ({ kind: "fenced" as const })), renewal: null };
    });
    const place = deferred();
    const busy = workflow({ name: "busy" }, async (ctx) => ctx.step("holds the place", () => place.promise));
    const a = await l.engine([wf, busy], { lease: "600s", effectsMax: 1, wrap });
    await a.engine.start(busy);
    await a.engine.start(wf);
    await l.platform.advance(70_000);
    place.open();
    await l.platform.advance(5_000);
    expect([lost, sent.length]).toEqual([1, 1]); // read again from its log, and sent: there was a place for it
  });

  describe.each([
    ["set back", -hourMs],
    ["set forward", hourMs],
  ] as const)("a wall clock that is %s", (_, ms) => {
    it("moves no timer, no retry and no deadline", proves("I10", "K13", "R-24"), async () => {
      const l = await fresh(kind);
      const at: Record<string, number> = {};
      const mark = (name: string): void => void (at[name] = l.platform.monotonicMs());
      let tries = 0;
      const wf = workflow({ name: "wf" }, async (ctx) => {
        await ctx.sleep("nap", "10s");
        await ctx.step("woke", () => mark("woke"));
        await ctx.step("tries", () => (mark(`try ${++tries}`), tries === 1 ? Promise.reject(new Error("no")) : 0), {
          retry: { attempts: 2, initial: "10s", backoff: "fixed" },
        });
      });
      const e = await l.engine([wf], { lease: "600s" });
      const from = l.platform.monotonicMs();
      const h = await e.engine.start(wf);
      await l.platform.advance(1_000);
      l.platform.skew(ms);
      await l.advanceUntil(h.result());
      expect(at["woke"]! - from).toBeGreaterThanOrEqual(10_000);
      expect(at["woke"]! - from).toBeLessThan(11_000);
      expect(at["try 2"]! - at["try 1"]!).toBeGreaterThan(1_000);
      expect(at["try 2"]! - at["try 1"]!).toBeLessThan(12_000);
    });

    it("sends nothing again before its time, and the evidence holds", proves("K25"), async () => {
      const l = await fresh(kind);
      const { sent, wf } = paying(l, asked);
      const a = await l.engine([wf], { lease: "1s" });
      const h = await a.engine.start(wf);
      await l.platform.advance(1_000);
      a.kill();
      l.platform.skew(ms);
      const b = await l.engine([wf], { lease: "1s" });
      await l.advanceUntil(b.client.waitForEnd(h.runId));
      expect(sent[1]! - sent[0]!).toBeGreaterThanOrEqual(65_000);
      expect(sent[1]! - sent[0]!).toBeLessThan(70_000);
    });

    it("declares nobody dead", proves("K1", "K2"), async () => {
      const l = await fresh(kind);
      const [a, b] = [await l.engine([], { lease: "10s" }), await l.engine([], { lease: "10s" })];
      await l.platform.advance(5_000); // they look for the dead before they renew again
      l.platform.skew(ms);
      await l.platform.advance(30_000);
      for (const e of [a, b]) expect(e.logs.filter((x) => x.message.includes("dead"))).toEqual([]);
      expect((await l.store.info()).engines.map((e) => e.dead)).toEqual([false, false]);
    });
  });

  it("engines that slept with their machine declare nobody dead until everybody could renew", proves("K2"), async () => {
    const l = await fresh(kind);
    const both = [await l.engine([], { lease: "10s" }), await l.engine([], { lease: "10s" })];
    await l.platform.advance(5_000);
    l.platform.suspend(60_000);
    await l.platform.advance(30_000);
    for (const e of both) expect(e.logs.filter((x) => x.message.includes("dead"))).toEqual([]);
    expect((await l.store.info()).engines.map((e) => e.dead)).toEqual([false, false]);
  });

  /** A store whose first answer tells an engine a time that is an hour ahead: what the engine permits by itself is wrong. */
  const misled = (s: FullStore): FullStore => {
    let ahead = hourMs;
    const info = async (): ReturnType<FullStore["info"]> => {
      const told = await s.info();
      const nowMs = told.nowMs + ahead;
      ahead = 0;
      return { ...told, nowMs };
    };
    return { ...s, info };
  };

  it("the store decides when a verified step may be sent again, whatever its owner believes", proves("K25", "I10"), async () => {
    const l = await fresh(kind);
    const { sent, wf } = paying(l, asked);
    const a = await l.engine([wf], { lease: "1s" });
    const h = await a.engine.start(wf);
    await l.platform.advance(1_000);
    a.kill();
    const b = await l.engine([wf], { lease: "1s", wrap: misled });
    await l.advanceUntil(b.client.waitForEnd(h.runId));
    expect(sent[1]! - sent[0]!).toBeGreaterThanOrEqual(65_000);
  });

  it("the store decides when a person may say that it did not happen", proves("K25", "I10"), async () => {
    const l = await fresh(kind);
    const { sent, wf } = paying(l, { once: true, timeout: "60s" });
    const a = await l.engine([wf], { lease: "1s" });
    const h = await a.engine.start(wf);
    await l.platform.advance(1_000);
    a.kill();
    const b = await l.engine([wf], { lease: "1s", wrap: misled });
    await l.advanceUntilLine(h.runId, "pawl.StepInDoubt");
    const [d] = await b.client.decisions();
    await l.store.post({
      scope: (await l.row(h.runId)).scope,
      target: { runId: h.runId },
      kind: "control",
      name: "resolve",
      id: "r",
      payload: JSON.stringify({ decisionId: d!.decisionId, answer: "did-not-happen", by: "ann", reason: "looked" }),
      retainMs: null,
    });
    await l.advanceUntil(b.client.waitForEnd(h.runId));
    const answer = (await l.log(h.runId)).find((e) => e.eventType === "pawl.DecisionAnswered")!;
    expect(answer.persistedAt).toBeGreaterThanOrEqual((await l.log(h.runId)).find((e) => e.stepId === "pay")!.persistedAt + 65_000);
    expect(sent).toHaveLength(2);
  });

  it("the store decides when a retry is due", proves("R-24", "I10"), async () => {
    const l = await fresh(kind);
    let tries = 0;
    const wf = workflow({ name: "wf" }, async (ctx) => {
      await ctx.step("s", () => (++tries === 1 ? Promise.reject(new Error("no")) : 0), { retry: { attempts: 2, initial: "4s" } });
    });
    const answers: string[] = [];
    const wrap = wrapCommit(async (real, batch, renew) => {
      const again = batch.findIndex((c) => c.events.some((e) => e.eventType === "StepStarted" && e.logicalAttemptId === 2));
      if (again >= 0 && answers.length === 0) l.platform.suspend(-3_000); // the store's clock is set back just now
      const told = await real(batch, renew);
      if (again >= 0) answers.push(told.answers[again]!.kind);
      return told;
    });
    const { engine } = await l.engine([wf], { lease: "600s", wrap });
    const h = await engine.start(wf);
    await l.advanceUntil(h.result());
    expect(answers).toEqual(["early", "committed"]);
    const log = await l.log(h.runId);
    const due = Date.parse(String(payloadOf(log.find((e) => e.eventType === "StepFailed"))["retryAt"]));
    expect(log.findLast((e) => e.eventType === "StepStarted")!.persistedAt).toBeGreaterThanOrEqual(due);
  });

  it("an engine that hears nothing for long asks the store for its time", proves("I10"), async () => {
    const l = await fresh(kind);
    let asked = 0;
    const wrap = (s: FullStore): FullStore => ({ ...s, info: () => (asked++, s.info()) });
    await l.engine([], { lease: "600s", wrap });
    const before = asked;
    await l.platform.advance(20_000);
    expect(asked).toBe(before);
    await l.platform.advance(60_000);
    expect(asked - before).toBe(2);
  });
});

it("the estimate of the store's time is corrected by every answer, and goes on by the uptime alone", proves("I10"), async () => {
  const p = virtualPlatform({ startMs: 1_000 });
  const clock = new StoreClock(p);
  clock.sync(50_000);
  p.skew(hourMs);
  expect(clock.nowMs()).toBe(50_000);
  await p.advance(10);
  p.suspend(90);
  expect(clock.nowMs()).toBe(50_100);
  clock.syncAtLeast(50_000); // a Commit of before
  expect(clock.nowMs()).toBe(50_100);
  clock.syncAtLeast(50_200);
  expect(clock.nowMs()).toBe(50_200);
  clock.sync(40_000);
  expect(clock.nowMs()).toBe(40_000);
});
