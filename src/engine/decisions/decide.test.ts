// Decisions that are rare: a compensation in doubt, a run that its engines gave up, answers while the run is paused or ending,
// answers to a question that was asked again. On the virtual clock; the common ones are shown on every store elsewhere.
import { describe, expect, it } from "vitest";
import { defaultScope } from "../../client/environment.ts";
import { workflow } from "../../workflow/define.ts";
import type { StepError } from "../../errors/step-errors.ts";
import { deferred, testClusters, payloadOf, storeKinds, type TestCluster, type ClusterEngine } from "../../../test/support/test-cluster.ts";
import { proves } from "../../../test/support/proves.ts";
import { posted } from "../../../test/support/posted.ts";

const fresh = testClusters();
const ann = { by: "ann", reason: "looked" } as const;

describe.each(storeKinds)("%s", (kind) => {
  const never = (): Promise<never> => new Promise(() => {});
  const resolve = (l: TestCluster, e: ClusterEngine, id: string, answer: object): Promise<unknown> =>
    l.advanceUntil(e.client.resolve(id, { ...ann, ...answer } as never));
  const only = async (e: ClusterEngine): Promise<string> => {
    const all = await e.engine.decisions();
    expect(all).toHaveLength(1);
    return all[0]!.decisionId;
  };

  it(
    "a compensation that five engines began and none finished is a decision too, with a record and the same answers",
    proves("K5", "K19"),
    async () => {
      for (const [answer, ends] of [
        [{ happened: true }, undefined],
        [{ fail: true }, ["reserve"]],
      ] as const) {
        const l = await fresh(kind);
        let undone = 0;
        const wf = workflow({ name: "wf" }, async (ctx) => {
          await ctx.step("reserve", () => 1, { compensate: () => (undone++, never()) });
          ctx.fail("no more");
        });
        let e = await l.engine([wf], { lease: "1s" });
        const h = await e.engine.start(wf);
        for (let n = 1; n <= 5; n++) {
          for (let t = 0; undone < n && t < 100; t++) await l.platform.advance(250);
          e.kill();
          e = await l.engine([wf], { lease: "1s" });
        }
        await l.advanceUntilLine(h.runId, "pawl.StepInDoubt");
        expect(undone).toBe(5);
        const [d] = await e.engine.decisions();
        expect(d).toMatchObject({ kind: "compensation", runId: h.runId, step: { name: "reserve", class: "UNDECLARED", sends: 5 } });
        const record = { class: "UNDECLARED", phase: "doubt", status: "indeterminate" };
        expect((await e.client.effects()).effects).toMatchObject([record]);
        await resolve(l, e, d!.decisionId, answer);
        expect((await l.advanceUntil(e.client.waitForEnd(h.runId))).status).toBe("FAILED");
        expect(payloadOf((await l.log(h.runId)).at(-1))["compensationsFailed"]).toEqual(ends);
        expect((await e.client.effects()).effects[0]?.phase).toBe("settled");
        expect(undone).toBe(5);
      }
    },
  );

  it("a run that its engines gave up is in the inbox: answered, engines try it again and the answer says who", proves("K5"), async () => {
    const l = await fresh(kind);
    const wf = workflow({ name: "wf" }, async (ctx) => ctx.run.workflowId);
    const a = await l.engine([], {});
    const { runId } = await a.client.start({ workflow: "wf", allowUnknown: true, id: "w" });
    // Claimed again and again by engines that die before they commit.
    for (let n = 0; n < 6; n++) {
      await l.engine([wf], { lease: "1s", onHit: (point) => point === "engine:claim" }).catch(() => {});
      await l.platform.advance(2_000);
    }
    const b = await l.engine([wf], { lease: "1s" });
    await l.advanceUntilLine(runId, "pawl.DecisionNeeded");
    const [d] = await b.engine.decisions();
    expect(d).toMatchObject({ kind: "given-up", runId, answers: [{ answer: "retry" }, { answer: "fail" }] });
    await resolve(l, b, d!.decisionId, { retry: true });
    expect((await l.advanceUntil(b.client.waitForEnd(runId))).result).toBe("w");
    const answered = (await l.log(runId)).find((x) => x.eventType === "pawl.DecisionAnswered");
    expect(payloadOf(answered)).toEqual({ decisionId: d!.decisionId, answer: "retry", ...ann });
  });

  /** One AT-MOST-ONCE step whose every dispatch is lost with its engine. */
  const doubted = async (
    then?: (l: TestCluster, e: ClusterEngine, runId: string) => Promise<unknown>,
  ): Promise<{ l: TestCluster; e: ClusterEngine; runId: string; sent: () => number }> => {
    const l = await fresh(kind);
    let sent = 0;
    const wf = workflow({ name: "wf" }, async (ctx) =>
      ctx.step<unknown>("s", () => (sent++, never()), { once: true, timeout: "1s" }).catch((e: StepError) => e.category),
    );
    const a = await l.engine([wf], { lease: "1s" });
    const h = await a.engine.start(wf);
    await l.platform.advance(100);
    a.kill();
    const e = await l.engine([wf], { lease: "1s" });
    await l.advanceUntilLine(h.runId, "pawl.StepInDoubt");
    await then?.(l, e, h.runId);
    return { l, e, runId: h.runId, sent: () => sent };
  };

  it(
    "the owner looks again: that it did not happen is not believed while the last dispatch may still arrive",
    proves("K25", "K27", "I7"),
    async () => {
      const l = await fresh(kind);
      let sent = 0;
      const wf = workflow({ name: "wf" }, async (ctx) => {
        await ctx.step("s", () => (sent++, new Promise<never>(() => {})), { once: true, timeout: "30s" });
      });
      const a = await l.engine([wf], { lease: "1s" });
      const h = await a.engine.start(wf);
      await l.platform.settle();
      a.kill();
      const b = await l.engine([wf], { lease: "1s" });
      await l.advanceUntilLine(h.runId, "pawl.StepInDoubt");
      const [d] = await b.client.decisions();
      const payload = JSON.stringify({ decisionId: d!.decisionId, answer: "did-not-happen", by: "ann", reason: "looked" });
      const target = { runId: h.runId };
      await l.store.post({ scope: defaultScope, target, kind: "control", name: "resolve", id: "x", payload, retainMs: null });
      await l.platform.advance(5_000);
      const [row] = await l.store.inbox({ runId: h.runId, all: true });
      expect(JSON.parse(row?.reply ?? "null")).toMatchObject({ ok: false, problem: expect.stringContaining("may still arrive") as string });
      expect(sent).toBe(1);
      expect(await l.row(h.runId)).toMatchObject({ status: "RUNNING", waiting: "decision" });
    },
  );

  it(
    "what was in doubt, was answered and sent anew is in doubt anew when its next owner dies too",
    proves("K27", "I7", "I12"),
    async () => {
      const l = await fresh(kind);
      let sent = 0;
      const wf = workflow({ name: "wf" }, async (ctx) =>
        ctx.step("s", () => (sent++, new Promise<string>(() => {})), { once: true, timeout: "5s" }),
      );
      const a = await l.engine([wf], { lease: "1s" });
      const h = await a.engine.start(wf);
      await l.platform.settle();
      a.kill();
      const b = await l.engine([wf], { lease: "1s" });
      await l.platform.advance(20_000);
      const first = await only(b);
      await resolve(l, b, first, { happened: false });
      await l.platform.advance(1_000);
      expect(sent).toBe(2);
      b.kill();
      const c = await l.engine([wf], { lease: "1s" });
      await l.platform.advance(20_000);
      const second = await only(c);
      expect(second).not.toBe(first);
      await resolve(l, c, second, { happened: true, result: "found" });
      expect((await l.advanceUntil(c.client.waitForEnd(h.runId), 30_000)).result).toBe("found");
      expect(sent).toBe(2);
    },
  );

  it("an answer that an engine without the code has seen still wakes the one that has it", proves("K27", "K18"), async () => {
    const l = await fresh(kind);
    const wf = workflow({ name: "wf" }, async (ctx) => ctx.step("s", () => new Promise<string>(() => {}), { once: true }));
    const a = await l.engine([wf], { lease: "1s" });
    const h = await a.engine.start(wf);
    await l.platform.settle();
    a.kill();
    const b = await l.engine([wf], { lease: "1s", idle: "1s" });
    await l.advanceUntilLine(h.runId, "pawl.StepInDoubt");
    const [d] = await b.client.decisions();
    await l.platform.advance(3_000); // parked: only a row wakes it
    expect(await l.row(h.runId)).toMatchObject({ owner: null, dueAt: null });
    b.kill();
    const other = await l.engine([workflow({ name: "other" }, async () => 0)], { lease: "1s" });
    await l.advanceUntil(other.client.resolve(d!.decisionId, { ...ann, happened: true, result: "found" }));
    await other.client.control(h.runId, "resume", posted); // nothing to resume, but it makes the other engine look
    await l.platform.advance(5_000);
    const c = await l.engine([wf], { lease: "1s" });
    expect((await l.advanceUntil(c.client.waitForEnd(h.runId), 30_000)).result).toBe("found");
  });

  it.each([
    [{ happened: true, result: "found" }, "found", 1],
    [{ fail: true }, "INDETERMINATE", 1],
    [{ happened: false }, null, 2],
  ] as const)(
    "a decision of a paused run is answered, recorded with who and why, and counts when the run goes on: %o",
    proves("K27", "K13"),
    async (answer, result, sent) => {
      const c = await doubted(async (_l, e, runId) => e.client.control(runId, "pause", posted));
      await c.l.advanceUntilLine(c.runId, "RunPaused");
      await c.l.platform.advance(20_000);
      const id = await only(c.e);
      expect(await resolve(c.l, c.e, id, answer)).toEqual({ state: "applied" });
      const events = await c.l.log(c.runId);
      expect(payloadOf(events.find((e) => e.eventType === "pawl.DecisionAnswered"))).toMatchObject({ ...ann, stepId: "s" });
      await c.l.platform.advance(10_000);
      expect([await c.e.engine.decisions(), c.sent()]).toEqual([[], 1]);
      expect(await c.l.row(c.runId)).toMatchObject({ status: "PAUSED", waiting: null });
      expect(await resolve(c.l, c.e, id, answer)).toMatchObject({ replayed: true });
      await c.e.client.control(c.runId, "resume", posted);
      for (let t = 0; c.sent() < sent && t < 100; t++) await c.l.platform.advance(250);
      expect(c.sent()).toBe(sent);
      if (result !== null) expect((await c.l.advanceUntil(c.e.client.waitForEnd(c.runId))).result).toBe(result);
    },
  );

  it("an approval of a paused run is refused with the way to give it", proves("K27"), async () => {
    const l = await fresh(kind);
    let sent = 0;
    const wf = workflow({ name: "wf" }, async (ctx) => ctx.step("s", () => ++sent, { once: true, approve: true }));
    const e = await l.engine([wf]);
    const h = await e.engine.start(wf, undefined, { id: "w" });
    await l.advanceUntilLine(h.runId, "StepStarted s");
    await h.pause();
    await l.advanceUntilLine(h.runId, "RunPaused");
    await l.platform.advance(20_000);
    const id = await only(e);
    await expect(resolve(l, e, id, { approve: true })).rejects.toMatchObject({
      code: "PAWL4010",
      message: expect.stringContaining("first resume it (pawl resume w), then answer") as unknown,
    });
    await h.resume();
    await l.advanceUntilLine(h.runId, "RunResumed");
    await resolve(l, e, id, { approve: true });
    expect(await l.advanceUntil(h.result())).toBe(1);
  });

  it(
    "an effect in doubt of a run that is ending is decided first: that it did not happen sends nothing any more",
    proves("K19"),
    async () => {
      const c = await doubted(async (_l, e, runId) => e.client.control(runId, "cancel", posted));
      await c.l.platform.advance(20_000);
      expect((await c.l.row(c.runId)).status).toBe("RUNNING");
      await resolve(c.l, c.e, await only(c.e), { happened: false });
      expect((await c.l.advanceUntil(c.e.client.waitForEnd(c.runId))).status).toBe("CANCELLED");
      expect(c.sent()).toBe(1);
      expect((await c.e.client.effects()).effects).toMatchObject([{ status: "failed", phase: "settled" }]);
      // A run that retries it may send: a person said that nothing had been sent.
      await c.e.client.retry(c.runId);
      for (let t = 0; c.sent() < 2 && t < 100; t++) await c.l.platform.advance(250);
      expect(c.sent()).toBe(2);
    },
  );

  it("in doubt again is another question: an answer to the first is refused, and nothing is sent", proves("K27", "I7"), async () => {
    const c = await doubted();
    await c.l.platform.advance(20_000);
    const first = await only(c.e);
    await resolve(c.l, c.e, first, { happened: false });
    for (let t = 0; c.sent() < 2 && t < 100; t++) await c.l.platform.advance(250);
    await c.l.platform.advance(2_000); // the second dispatch runs into its time limit
    const second = await only(c.e);
    expect(second).not.toBe(first);
    await expect(resolve(c.l, c.e, first, { happened: true, result: 1 })).rejects.toMatchObject({ code: "PAWL4070" });
    await resolve(c.l, c.e, second, { happened: true, result: 2 });
    expect((await c.l.advanceUntil(c.e.client.waitForEnd(c.runId))).result).toBe(2);
    expect(c.sent()).toBe(2);
  });

  it("two answers at once: one is taken, the other refused; the gauge counts what waits", proves("K27", "I2"), async () => {
    const c = await doubted();
    const id = await only(c.e);
    c.e.engine.metrics();
    await c.l.platform.settle();
    expect(c.e.engine.metrics()).toContain("\npawl_effects_in_doubt 1\n");
    const both = Promise.allSettled([
      c.e.client.resolve(id, { ...ann, happened: true, result: "a" }),
      c.e.client.resolve(id, { ...ann, happened: true, result: "b" }),
    ]);
    const settled = await c.l.advanceUntil(both);
    expect(settled.filter((s) => s.status === "fulfilled")).toHaveLength(1);
    expect((await c.l.log(c.runId)).filter((x) => x.eventType === "pawl.DecisionAnswered")).toHaveLength(1);
    await c.l.advanceUntil(c.e.client.waitForEnd(c.runId));
    c.e.engine.metrics();
    await c.l.platform.settle();
    expect(c.e.engine.metrics()).toContain("\npawl_effects_in_doubt 0\n");
  });

  it("terminate waits for no answer: the record of an open effect says indeterminate, for good", proves("K19", "K27"), async () => {
    const l = await fresh(kind);
    const hold = deferred();
    const wf = workflow({ name: "wf" }, async (ctx) => ctx.step("s", () => hold.promise, { once: true }));
    const e = await l.engine([wf]);
    const h = await e.engine.start(wf);
    await l.platform.settle();
    await e.client.control(h.runId, "terminate", { reason: "test", ...posted });
    expect((await l.advanceUntil(e.client.waitForEnd(h.runId))).status).toBe("CANCELLED");
    expect((await e.client.effects()).effects).toMatchObject([
      { status: "indeterminate", phase: "settled", error: { category: "INDETERMINATE" } },
    ]);
  });
});
