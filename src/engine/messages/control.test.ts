// Cancel, pause, resume, terminate and retry, as a caller uses them. Guards K19's order of ending, K13's silence while
// paused, and that control needs no code where the code is not needed (K5). Virtual clock; no sleeps.
import { describe, expect, it } from "vitest";
import { defaultScope } from "../../client/environment.ts";
import type { StepError } from "../../errors/step-errors.ts";
import type { FullStore } from "../../store/full-store.ts";
import { workflow } from "../../workflow/define.ts";
import { anySchema, deferred, testClusters, payloadOf, storeKinds } from "../../../test/support/test-cluster.ts";
import { wrapCommit } from "../../../test/support/wrap-commit.ts";
import { proves } from "../../../test/support/proves.ts";
import { posted } from "../../../test/support/posted.ts";

const fresh = testClusters();

describe.each(storeKinds)("%s", (kind) => {
  it(
    "a cancel closes open waits as ABANDONED, tells the code, takes no new step, undoes what was done, then ends",
    proves("K19"),
    async () => {
      const l = await fresh(kind);
      const told: unknown[] = [];
      const wf = workflow({ name: "wf", signals: { s: anySchema() } }, async (ctx) => {
        await ctx.step("a", () => 1, { compensate: () => void told.push("undo a") });
        const why = (e: StepError): string => `${e.step} ${e.category}`;
        told.push(await Promise.all([ctx.sleep("nap", "1h").catch(why), ctx.receive("s").catch(why)]));
        told.push(await ctx.step("more", () => told.push("ran more")).catch(why));
        return "went on";
      });
      const { engine } = await l.engine([wf]);
      const h = await engine.start(wf);
      await l.platform.settle();
      await h.cancel("changed my mind");
      await expect(l.advanceUntil(h.result())).rejects.toMatchObject({
        code: "PAWL1014",
        message: expect.stringContaining("changed my mind"),
      });
      expect(told).toEqual([["nap ABANDONED", "s ABANDONED"], "more CANCELLED", "undo a"]);
      expect((await l.lines(h.runId)).slice(3)).toEqual([
        "StepStarted nap",
        "StepStarted s",
        "pawl.CancelRequested",
        "StepFailed nap",
        "StepFailed s",
        "pawl.CallRefused",
        "StepStarted a/~compensate",
        "StepCompleted a/~compensate",
        "RunCancelled",
      ]);
      expect(payloadOf((await l.log(h.runId)).find((e) => e.eventType === "StepFailed"))).toMatchObject({ category: "ABANDONED" });
      expect(payloadOf((await l.log(h.runId)).at(-1))).toMatchObject({ reason: "changed my mind", from: "RUNNING" });
    },
  );

  it("an effect in flight is aborted, awaited and recorded before the end, and undone if it came to a result", proves("K19"), async () => {
    const l = await fresh(kind);
    const aborted = deferred();
    const undone: unknown[] = [];
    const wf = workflow({ name: "wf" }, async (ctx) => {
      await ctx.step(
        "late",
        async (s) => {
          s.signal.addEventListener("abort", () => aborted.open());
          await aborted.promise;
          await new Promise<void>((resolve) => void l.platform.timer(3_000, resolve));
          return "done after all";
        },
        { compensate: (r) => void undone.push(r) },
      );
    });
    const { engine } = await l.engine([wf]);
    const h = await engine.start(wf);
    await l.platform.settle();
    await h.cancel();
    await l.platform.advance(1_000);
    expect(await h.status()).toEqual({ status: "RUNNING", waiting: "drain" });
    await expect(l.advanceUntil(h.result())).rejects.toMatchObject({ code: "PAWL1014" });
    expect(undone).toEqual(["done after all"]);
    expect((await l.lines(h.runId)).slice(1)).toEqual([
      "StepStarted late",
      "pawl.CancelRequested",
      "StepCompleted late",
      "StepStarted late/~compensate",
      "StepCompleted late/~compensate",
      "RunCancelled",
    ]);
  });

  it("compensations go on where a dead engine left them: none is skipped, none that ended is done again", proves("K19"), async () => {
    const l = await fresh(kind);
    const undone: string[] = [];
    let killed = false;
    const wf = workflow({ name: "wf" }, async (ctx) => {
      for (const n of ["a", "b", "c"]) await ctx.step(n, () => n, { compensate: (r) => void undone.push(r) });
      ctx.fail("no");
    });
    const onHit = (point: string): boolean => !killed && point === "b/~compensate:D" && (killed = true);
    const a = await l.engine([wf], { lease: "1s", onHit });
    const h = await a.engine.start(wf);
    await l.platform.settle();
    expect(a.alive).toBe(false);
    const b = await l.engine([wf], { lease: "1s" });
    expect((await l.advanceUntil(b.client.waitForEnd(h.runId))).status).toBe("FAILED");
    expect(undone).toEqual(["c", "b", "b", "a"]); // b's first undoing was not recorded: UNDECLARED, at least once
    expect((await l.lines(h.runId)).filter((x) => x === "StepCompleted c/~compensate")).toHaveLength(1);
  });

  it("a cancel reaches called children, and not those that were only started", proves("K19"), async () => {
    const l = await fresh(kind);
    const undone: string[] = [];
    const child = workflow({ name: "child", signals: { s: anySchema() } }, async (ctx) => {
      await ctx.step("a", () => 1, { compensate: () => void undone.push(ctx.run.workflowId) });
      await ctx.receive("s");
    });
    const wf = workflow({ name: "wf" }, async (ctx) => {
      await ctx.start(child, undefined, { id: "started" });
      await ctx.call(child, undefined, { id: "called" });
    });
    const { engine } = await l.engine([wf, child]);
    const h = await engine.start(wf);
    await l.platform.advance(2_000);
    await h.cancel();
    await expect(l.advanceUntil(h.result())).rejects.toMatchObject({ code: "PAWL1014" });
    await l.platform.advance(2_000);
    expect((await l.byWorkflowId("called")).status).toBe("CANCELLED");
    expect((await l.byWorkflowId("started")).status).toBe("RUNNING");
    expect(undone).toEqual(["called"]);
  });

  it(
    "while paused, outcomes are committed and not delivered, nothing begins; after RunResumed they are, in order",
    proves("K13"),
    async () => {
      const l = await fresh(kind);
      const a = deferred<string>();
      const b = deferred<string>();
      const told: string[] = [];
      const wf = workflow({ name: "wf" }, async (ctx) => {
        const first = ctx
          .step("a", () => a.promise)
          .then(async (x) => {
            told.push(x);
            await ctx.step("after a", () => 0);
          });
        const second = ctx.step("b", () => b.promise).then((x) => told.push(x));
        await Promise.all([first, second, ctx.sleep("nap", "5s").then(() => told.push("nap"))]);
      });
      const { engine } = await l.engine([wf]);
      const h = await engine.start(wf);
      await l.platform.settle();
      await h.pause("wait");
      await l.advanceUntilLine(h.runId, "RunPaused");
      b.open("b");
      await l.advanceUntilLine(h.runId, "StepCompleted b");
      a.open("a");
      await l.advanceUntilLine(h.runId, "StepCompleted a");
      await l.platform.advance(20_000);
      expect(told).toEqual([]);
      expect((await h.status()).status).toBe("PAUSED");
      expect((await l.lines(h.runId)).slice(4)).toEqual(["RunPaused", "StepCompleted b", "StepCompleted a"]);
      await h.resume("go");
      await l.advanceUntil(h.result());
      expect(told).toEqual(["b", "a", "nap"]);
      expect((await l.lines(h.runId)).slice(7, 10)).toEqual(["RunResumed", "StepStarted after%20a", expect.any(String)]);
    },
  );

  it("the same schedule replays: pauses, the outcomes in them, and what followed", proves("K13"), async () => {
    const l = await fresh(kind);
    const told: string[][] = [];
    const a = deferred<string>();
    const b = deferred<string>();
    const wf = workflow({ name: "wf" }, async (ctx) => {
      const mine: string[] = [];
      told.push(mine);
      const branch = async (name: string, g: Promise<string>): Promise<void> => {
        mine.push(await ctx.step(name, () => g));
        mine.push(await ctx.step(`after ${name}`, () => `after ${name}`));
      };
      await Promise.all([branch("a", a.promise), branch("b", b.promise)]);
      await ctx.sleep("nap", "30s");
      return mine;
    });
    const first = await l.engine([wf], { lease: "1s" });
    const h = await first.engine.start(wf);
    await l.platform.settle();
    await h.pause();
    await l.advanceUntilLine(h.runId, "RunPaused");
    b.open("b");
    await l.advanceUntilLine(h.runId, "StepCompleted b");
    a.open("a");
    await l.advanceUntilLine(h.runId, "StepCompleted a");
    await h.resume();
    await l.advanceUntilLine(h.runId, "StepStarted nap");
    first.kill();
    const second = await l.engine([wf], { lease: "1s" });
    const end = await l.advanceUntil(second.client.waitForEnd(h.runId));
    expect(end.status).toBe("COMPLETED");
    const whole = told.filter((x) => x.length === 4); // a paused run leaves memory, so the code began more than twice
    expect(whole.length).toBeGreaterThan(1);
    for (const one of whole) expect(one).toEqual(end.result);
    expect(whole[0]!.slice(0, 2)).toEqual(["b", "a"]);
  });

  it("a retry that falls due while the run is paused begins after RunResumed", proves("K13"), async () => {
    const l = await fresh(kind);
    let calls = 0;
    const wf = workflow({ name: "wf" }, async (ctx) => {
      await ctx.step("s", () => (calls++ === 0 ? Promise.reject(new Error("no")) : 1), { retry: { attempts: 2, initial: "5s" } });
    });
    const { engine } = await l.engine([wf]);
    const h = await engine.start(wf);
    await l.advanceUntilLine(h.runId, "StepFailed s");
    await h.pause();
    await l.platform.advance(60_000);
    expect(calls).toBe(1);
    await h.resume();
    await l.advanceUntil(h.result());
    expect((await l.lines(h.runId)).slice(2)).toEqual([
      "StepFailed s",
      "RunPaused",
      "RunResumed",
      "StepStarted s",
      "StepCompleted s",
      "RunCompleted",
    ]);
  });

  it("a retry that falls due behind a pause that is not yet recorded waits for RunResumed too", proves("K13"), async () => {
    const l = await fresh(kind);
    const held = deferred();
    let hold = false;
    const wrap = wrapCommit(async (real, batch, renew) => {
      if (hold) await held.promise;
      return real(batch, renew);
    });
    const other = deferred();
    let calls = 0;
    const wf = workflow({ name: "wf" }, async (ctx) => {
      const beside = ctx.step("beside", () => other.promise);
      await ctx.step("s", () => (calls++ === 0 ? Promise.reject(new Error("no")) : 1), { retry: { attempts: 2, initial: "5s" } });
      await beside;
    });
    const e = await l.engine([wf], { wrap });
    const h = await e.engine.start(wf);
    await l.advanceUntilLine(h.runId, "StepFailed s");
    await l.platform.advance(4_500);
    hold = true;
    other.open(); // its outcome is in flight
    await l.platform.settle();
    const posted = {
      scope: defaultScope,
      target: { runId: h.runId },
      kind: "control",
      name: "pause",
      id: "p",
      payload: null,
      retainMs: null,
    } as const;
    await l.store.post(posted);
    await l.platform.advance(2_000); // the pause waits behind it, and the retry behind the pause
    hold = false;
    held.open();
    await l.platform.advance(10_000);
    expect((await l.lines(h.runId)).at(-1)).toBe("RunPaused");
    expect(calls).toBe(1);
    await h.resume();
    await l.advanceUntil(h.result());
    expect(calls).toBe(2);
    expect(e.logs.filter((x) => x.level === "error")).toEqual([]);
  });

  it("each pause and each resume has an ordinal of its own, so that a second one is no duplicate of the first", proves("K21"), async () => {
    const l = await fresh(kind);
    const wf = workflow({ name: "wf", signals: { s: anySchema() } }, async (ctx) => ctx.receive("s"));
    const { engine } = await l.engine([wf]);
    const h = await engine.start(wf);
    for (let i = 0; i < 3; i++) {
      await h.pause();
      await l.platform.advance(1_000);
      await h.pause(); // already paused: no event
      await h.resume();
      await l.platform.advance(1_000);
      await h.resume();
    }
    await h.signal("s", "end");
    await l.advanceUntil(h.result());
    const log = await l.log(h.runId);
    for (const type of ["RunPaused", "RunResumed"])
      expect(log.filter((e) => e.eventType === type).map((e) => e.logicalAttemptId)).toEqual([1, 2, 3]);
    expect(new Set(log.map((e) => e.idempotencyKey)).size).toBe(log.length);
    expect(
      log.filter((e) => e.stepId === null && !/^(RunPaused|RunResumed|pawl\.)/.test(e.eventType)).every((e) => e.logicalAttemptId === 1),
    ).toBe(true);
  });

  it("a cancel of a paused run resumes it first", proves("K19"), async () => {
    const l = await fresh(kind);
    const undone: number[] = [];
    const wf = workflow({ name: "wf", signals: { s: anySchema() } }, async (ctx) => {
      await ctx.step("a", () => 1, { compensate: (r) => void undone.push(r) });
      await ctx.receive("s");
    });
    const { engine } = await l.engine([wf]);
    const h = await engine.start(wf);
    await l.platform.settle();
    await h.pause();
    await l.platform.advance(10_000); // parked by now
    await h.cancel("enough");
    await expect(l.advanceUntil(h.result())).rejects.toMatchObject({ code: "PAWL1014" });
    expect(undone).toEqual([1]);
    const lines = await l.lines(h.runId);
    expect(lines.slice(lines.indexOf("RunPaused"))).toEqual([
      "RunPaused",
      "RunResumed",
      "pawl.CancelRequested",
      "StepFailed s",
      "StepStarted a/~compensate",
      "StepCompleted a/~compensate",
      "RunCancelled",
    ]);
  });

  it(
    "terminate waits for nothing, runs no code and needs none: open effects close as indeterminate, open waits as abandoned",
    proves("K19", "K5"),
    async () => {
      const l = await fresh(kind);
      let undone = 0;
      let aborted = 0;
      const wf = workflow({ name: "wf" }, async (ctx) => {
        await ctx.step("a", () => 1, { compensate: () => void undone++ });
        void ctx.sleep("nap", "1h");
        await ctx.step("stuck", (s) => (s.signal.addEventListener("abort", () => aborted++), new Promise<never>(() => {})));
      });
      const a = await l.engine([wf]);
      const h = await a.engine.start(wf);
      await l.platform.settle();
      await h.terminate("now");
      await expect(l.advanceUntil(h.result())).rejects.toMatchObject({ code: "PAWL1014" });
      expect({ undone, aborted }).toEqual({ undone: 0, aborted: 1 });
      expect(payloadOf((await l.log(h.runId)).at(-1))).toMatchObject({ terminated: true, reason: "now", from: "RUNNING" });
      const closed = (await l.log(h.runId)).filter((e) => e.eventType === "StepFailed");
      expect(closed.map((e) => [e.stepId, payloadOf(e)["category"]])).toEqual([
        ["nap", "ABANDONED"],
        ["stuck", "INDETERMINATE"],
      ]);
      await l.platform.advance(120_000); // and nothing follows
      expect((await l.lines(h.runId)).at(-1)).toBe("RunCancelled");

      // A run whose code no live engine has: any engine carries it out.
      const h2 = await a.engine.start(wf);
      await l.platform.settle();
      a.kill();
      const b = await l.engine([workflow({ name: "another" }, async () => 0)], { lease: "1s" });
      await l.platform.advance(20_000);
      await b.client.control(h2.runId, "terminate", { reason: "gone", ...posted });
      expect((await l.advanceUntil(b.client.waitForEnd(h2.runId))).status).toBe("CANCELLED");
    },
  );

  it(
    "terminate closes a call as abandoned and cancels the called run; an update that is under way is refused",
    proves("K19", "K18"),
    async () => {
      const l = await fresh(kind);
      const child = workflow({ name: "child", signals: { s: anySchema() } }, async (ctx) => ctx.receive("s"));
      const wf = workflow({ name: "wf", updates: { u: { input: anySchema(), output: anySchema() } } }, async (ctx) => {
        ctx.onUpdate("u", () => ctx.sleep("thinks", "1h"));
        await ctx.call(child, undefined, { id: "called" });
      });
      const { engine } = await l.engine([wf, child]);
      const h = await engine.start(wf);
      const asked = h.update("u", 1).catch((e: { code: string }) => e.code);
      await l.advanceUntilLine(h.runId, "StepStarted thinks");
      await h.terminate("now");
      expect(await l.advanceUntil(asked)).toBe("PAWL4007");
      const [update] = (await l.store.inbox({ runId: h.runId, all: true })).filter((r) => r.kind === "update");
      expect(JSON.parse(update?.reply ?? "null")).toMatchObject({ ok: false, refused: true, error: { code: "PAWL4003" } });
      const closed = (await l.log(h.runId)).filter((e) => e.eventType === "StepFailed");
      expect(closed.map((e) => [e.stepId, payloadOf(e)["category"]])).toEqual([
        ["child", "ABANDONED"],
        ["thinks", "ABANDONED"],
      ]);
      await l.platform.advance(2_000);
      expect(await l.byWorkflowId("called")).toMatchObject({ status: "CANCELLED" });
    },
  );

  it.each(["terminated", "cancelled before it began"] as const)(
    "a called run that is %s tells its caller",
    proves("K8", "K19", "I12"),
    async (how) => {
      const l = await fresh(kind);
      let hold = how !== "terminated";
      const wrap = (s: FullStore): FullStore => ({ ...s, claim: async (q) => (hold ? [] : s.claim(q)) });
      const child = workflow({ name: "child", signals: { s: anySchema() } }, async (ctx) => ctx.receive("s"));
      const wf = workflow({ name: "wf" }, async (ctx) =>
        ctx.call(child, undefined, { id: "called" }).then(
          () => "ended",
          (e: StepError) => e.category,
        ),
      );
      const { engine, client } = await l.engine([wf, child], { wrap });
      const h = await engine.start(wf);
      await l.platform.advance(1_000);
      await client.control("called", how === "terminated" ? "terminate" : "cancel", { reason: "no", ...posted });
      if (hold) {
        await l.engine([workflow({ name: "other" }, async () => 0)]);
        await client.control("called", "pause", posted); // nothing to pause, but it makes the other engine look
      }
      await l.platform.advance(2_000);
      hold = false;
      expect(await l.advanceUntil(h.result(), 30_000)).toBe("CANCELLED");
      const { runId } = await l.byWorkflowId("called");
      expect((await l.lines(runId)).filter((x) => x.startsWith("Run"))).toEqual(
        how === "terminated" ? ["RunQueued", "RunStarted", "RunCancelled"] : ["RunQueued", "RunCancelled"],
      );
    },
  );

  it("the first cancel counts: another one, while the run is ending, changes nothing", proves("K19"), async () => {
    const l = await fresh(kind);
    const slow = deferred<string>();
    const wf = workflow({ name: "wf" }, async (ctx) => ctx.step("slow", () => slow.promise));
    const { engine } = await l.engine([wf]);
    const h = await engine.start(wf);
    await l.platform.settle();
    await h.cancel("first");
    await l.advanceUntilLine(h.runId, "pawl.CancelRequested");
    await h.cancel("second");
    await l.platform.advance(1_000);
    slow.open("late");
    await expect(l.advanceUntil(h.result(), 30_000)).rejects.toMatchObject({ code: "PAWL1014" });
    expect((await l.lines(h.runId)).filter((x) => x === "pawl.CancelRequested")).toHaveLength(1);
    expect(payloadOf((await l.log(h.runId)).at(-1))).toMatchObject({ reason: "first" });
  });

  it("a run that is ending is not paused any more: it ends", proves("K19"), async () => {
    const l = await fresh(kind);
    const slow = deferred<string>();
    const wf = workflow({ name: "wf" }, async (ctx) => ctx.step("slow", () => slow.promise));
    const { engine } = await l.engine([wf]);
    const h = await engine.start(wf);
    await l.platform.settle();
    await h.cancel("no");
    await l.advanceUntilLine(h.runId, "pawl.CancelRequested");
    await h.pause("wait");
    await l.platform.advance(1_000);
    slow.open("late");
    await expect(l.advanceUntil(h.result(), 30_000)).rejects.toMatchObject({ code: "PAWL1014" });
    expect(await l.lines(h.runId)).not.toContain("RunPaused");
    expect(await l.store.inbox({ runId: h.runId })).toEqual([]); // the request was taken, once
  });

  it("a cancel that an engine without the code has seen still wakes the one that has it", proves("K5", "K18"), async () => {
    const l = await fresh(kind);
    const wf = workflow({ name: "wf", signals: { s: anySchema() } }, async (ctx) => ctx.receive("s"));
    const a = await l.engine([wf], { idle: "1s", lease: "1s" });
    const h = await a.engine.start(wf);
    await l.platform.advance(3_000); // parked: only a row wakes it
    a.kill();
    const other = await l.engine([workflow({ name: "other" }, async () => 0)], { lease: "1s" });
    await other.client.control(h.runId, "cancel", posted);
    await other.client.control(h.runId, "pause", posted);
    await l.platform.advance(5_000);
    expect(await l.row(h.runId)).toMatchObject({ status: "PAUSED", owner: null });
    const b = await l.engine([wf], { lease: "1s" });
    expect((await l.advanceUntil(b.client.waitForEnd(h.runId), 30_000)).status).toBe("CANCELLED");
  });

  it("what could not be undone is named at the end, also by an owner that was not there", proves("K19"), async () => {
    const l = await fresh(kind);
    const wf = workflow({ name: "wf" }, async (ctx) => {
      await ctx.step("a", () => 1, { compensate: () => {} });
      await ctx.step("b", () => 2, { compensate: () => Promise.reject(new Error("cannot")) });
      ctx.fail("no");
    });
    let armed = true;
    const a = await l.engine([wf], { lease: "1s", onHit: (p) => armed && p === "a/~compensate:B" });
    const h = await a.engine.start(wf);
    await l.platform.advance(1_000);
    expect(a.alive).toBe(false);
    armed = false;
    const b = await l.engine([wf], { lease: "1s" });
    expect((await l.advanceUntil(b.client.waitForEnd(h.runId))).status).toBe("FAILED");
    expect((await l.lines(h.runId)).filter((x) => x.startsWith("StepFailed"))).toEqual(["StepFailed b/~compensate"]);
    expect(payloadOf((await l.log(h.runId)).at(-1))).toMatchObject({ compensationsFailed: ["b"] });
  });

  it("pause and resume are carried out by an engine without the code; a cancel waits for one that has it", proves("K5"), async () => {
    const l = await fresh(kind);
    const wf = workflow({ name: "wf", signals: { s: anySchema() } }, async (ctx) => {
      await ctx.step("a", () => 1, { compensate: () => {} });
      return ctx.receive("s");
    });
    const a = await l.engine([wf], { lease: "1s" });
    const h = await a.engine.start(wf);
    await l.platform.settle();
    a.kill();
    const other = await l.engine([workflow({ name: "other" }, async () => 0)], { lease: "1s" });
    await l.platform.advance(5_000);
    await other.client.control(h.runId, "pause", posted);
    await l.platform.advance(2_000);
    expect((await l.row(h.runId)).status).toBe("PAUSED");
    await other.client.control(h.runId, "resume", posted);
    await l.platform.advance(2_000);
    expect((await l.row(h.runId)).status).toBe("RUNNING");
    await other.client.control(h.runId, "cancel", posted);
    await l.platform.advance(10_000);
    expect((await l.row(h.runId)).status).toBe("RUNNING");
    const b = await l.engine([wf], { lease: "1s" });
    expect((await l.advanceUntil(b.client.waitForEnd(h.runId))).status).toBe("CANCELLED");
    expect(await l.lines(h.runId)).toContain("StepCompleted a/~compensate");
  });

  it("an engine without the code takes no signal from the one that has it", proves("K18"), async () => {
    const l = await fresh(kind);
    const wf = workflow({ name: "wf", signals: { s: anySchema() } }, async (ctx) => ctx.receive("s"));
    const a = await l.engine([wf], { idle: "1s", lease: "1s" });
    const h = await a.engine.start(wf);
    await l.platform.advance(3_000); // parked: only a row wakes it
    a.kill();
    const other = await l.engine([workflow({ name: "other" }, async () => 0)], { lease: "1s" });
    await other.client.signal(h.workflowId, "s", "hello");
    await other.client.control(h.runId, "resume", posted); // nothing to resume, but it makes the other engine look
    await l.platform.advance(5_000);
    other.kill();
    const b = await l.engine([wf], { lease: "1s" });
    expect((await l.advanceUntil(b.client.waitForEnd(h.runId))).result).toBe("hello");
  });
});
