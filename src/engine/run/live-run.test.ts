// One run in its owner's memory: bounds on what its code may ask, quiet and its exceptions, rejections nobody handles, and
// the guards that stand where an invariant could break. Virtual clock; no sleeps.
import { describe, expect, it } from "vitest";
import { defaultScope } from "../../client/environment.ts";
import { defaultLimits } from "../../core/limits.ts";
import type { StepError } from "../../errors/step-errors.ts";
import { foldLog } from "../../events/fold.ts";
import { verifyChain } from "../../events/hash-chain.ts";
import type { Commit } from "../../store/port.ts";
import { workflow } from "../../workflow/define.ts";
import { anySchema, deferred, testClusters, storeKinds } from "../../../test/support/test-cluster.ts";
import { wrapCommit } from "../../../test/support/wrap-commit.ts";
import { proves } from "../../../test/support/proves.ts";

const fresh = testClusters();

describe.each(storeKinds)("%s", (kind) => {
  it("after 1,000 calls that resolve at once a Commit is made, and the code goes on", proves("K15"), async () => {
    const l = await fresh(kind);
    const sizes: number[] = [];
    const wrap = wrapCommit((real, batch, renew) => {
      for (const c of batch) sizes.push(c.events.filter((e) => e.eventType === "StepCompleted").length);
      return real(batch, renew);
    });
    const wf = workflow({ name: "wf", signals: { s: anySchema() } }, async (ctx) => {
      let n = 0;
      for (let i = 0; i < 120; i++) n += Number(await ctx.receive("s"));
      return n;
    });
    const e = await l.engine([wf], { wrap, limits: { immediateCallsMax: 50, startsPerCommitMax: 1_000 } });
    const { runId, workflowId } = await e.client.start({ workflow: "wf", id: "many", delayMs: 60_000 });
    for (let i = 0; i < 120; i++) await e.client.signal(workflowId, "s", 1); // all there when the code begins
    expect((await l.advanceUntil(e.client.waitForEnd(runId))).result).toBe(120);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(50);
    expect(Math.max(...sizes)).toBeGreaterThan(1);
    expect(defaultLimits.immediateCallsMax).toBe(1_000);
  });

  it("a run may have so many steps open and no more; the call above the limit is refused and records nothing", async () => {
    const l = await fresh(kind);
    const wf = workflow({ name: "wf" }, async (ctx) => {
      const naps = Array.from({ length: 5 }, (_, i) =>
        ctx.sleep(`n${i}`, "1s").then(
          () => "slept",
          (e: { code: string }) => e.code,
        ),
      );
      return Promise.all(naps);
    });
    const { engine } = await l.engine([wf], { limits: { openStepsMax: 3 } });
    const h = await engine.start(wf);
    expect(await l.advanceUntil(h.result())).toEqual(["slept", "slept", "slept", "PAWL1010", "PAWL1010"]);
    expect((await l.lines(h.runId)).filter((x) => x.startsWith("StepStarted"))).toHaveLength(3);
  });

  it("rejections that nobody handles are reported against their run; the run and the process go on", proves("K16"), async () => {
    const l = await fresh(kind);
    const others: unknown[] = [];
    const listener = (reason: unknown): void => void others.push(reason);
    process.on("unhandledRejection", listener); // as a program's own; without one the process would end
    try {
      const wf = workflow({ name: "wf" }, async (ctx) => {
        void ctx.step("fails alone", () => Promise.reject(new Error("not awaited")));
        void ctx.step("fails too", () => Promise.reject(new Error("in a chain"))).then(() => 1);
        void Promise.reject(new Error("of the code's own"));
        await ctx.sleep("nap", "1s");
        return "still here";
      });
      const e = await l.engine([wf]);
      const h = await e.engine.start(wf);
      expect(await l.advanceUntil(h.result())).toBe("still here");
      const warned = e.logs.filter((x) => x.level === "warn" && x.message.includes("unhandled rejection")).map((x) => x.message);
      expect(warned.every((m) => m.includes(h.runId))).toBe(true);
      expect(new Set(warned.map((m) => m.split(": ").at(-1)))).toEqual(new Set(["in a chain", "of the code's own"]));
      expect(warned).toHaveLength(2);
    } finally {
      process.off("unhandledRejection", listener);
    }
  });

  it("whatever happens to a run, its log folds without a fault and its chain holds", proves("K21", "I2", "K22"), async () => {
    const l = await fresh(kind);
    let n = 0;
    const wf = workflow(
      { name: "wf", signals: { s: anySchema() }, updates: { u: { input: anySchema() } }, views: { v: anySchema() } },
      async (ctx) => {
        ctx.onUpdate("u", () => {});
        ctx.publish("v", 1);
        await ctx.step("a", () => (n++ < 2 ? Promise.reject(new Error("x")) : 1), {
          retry: { attempts: 3, initial: 10 },
          compensate: () => {},
        });
        if (ctx.patched("p")) await ctx.sleep("nap", "2s");
        await ctx.receive("s", { timeout: "1s" });
        await ctx.step("b", (s) => (s.heartbeat(1), Promise.reject(new Error("b")))).catch(() => {});
        ctx.fail("end");
      },
    );
    const a = await l.engine([wf], { lease: "1s" });
    const h = await a.engine.start(wf);
    void h.update("u", 1).catch(() => {});
    await l.advanceUntilLine(h.runId, "StepStarted nap");
    await h.pause();
    await l.platform.advance(1_000);
    await h.resume();
    a.kill();
    const b = await l.engine([wf], { lease: "1s" });
    expect((await l.advanceUntil(b.client.waitForEnd(h.runId))).status).toBe("FAILED");
    const log = await l.log(h.runId);
    const row = await l.row(h.runId);
    const folded = foldLog(log);
    expect(folded.problems).toEqual([]);
    expect([folded.status, folded.headSeq, folded.headLink, folded.stateVersion]).toEqual([
      row.status,
      row.headSeq,
      row.headLink,
      row.stateVersion,
    ]);
    expect(verifyChain({ runId: row.runId, scope: row.scope, planId: row.workflow, planVersion: row.version }, log)).toMatchObject({
      ok: true,
    });
  });

  it.each(["a timer", "a receive that gives up", "a call that gives up", "a deadline", "a delayed start"] as const)(
    "a Commit that would let %s come early is refused by the store and asked again when it is due",
    proves("I10"),
    async (what) => {
      const l = await fresh(kind);
      const answers: string[] = [];
      const wrap = wrapCommit(async (real, batch, renew) => {
        const fires = (c: Commit): boolean => c.notBefore !== null;
        if (batch.some(fires) && answers.length === 0) l.platform.suspend(-3_000); // the store's clock is set back just now
        const r = await real(batch, renew);
        batch.forEach((c, i) => fires(c) && answers.push(r.answers[i]!.kind));
        return r;
      });
      const child = workflow({ name: "child", signals: { never: anySchema() } }, async (ctx) => ctx.receive("never"));
      const wf = workflow({ name: "wf", signals: { s: anySchema() } }, async (ctx) => {
        if (what === "a timer") await ctx.sleep("nap", "10s");
        if (what === "a receive that gives up") await ctx.receive("s", { timeout: "10s" });
        if (what === "a call that gives up") await ctx.call(child, undefined, { timeout: "10s" }).catch(() => {});
        if (what === "a deadline") await ctx.receive("s");
      });
      const { engine } = await l.engine([wf, child], { wrap });
      const from = l.platform.wallMs();
      const limits = what === "a deadline" ? { deadline: "10s" as const } : what === "a delayed start" ? { delay: "10s" as const } : {};
      const h = await engine.start(wf, undefined, limits);
      await l.advanceUntil(h.result().catch(() => {}));
      expect(answers[0]).toBe("early");
      expect(answers.at(-1)).toBe("committed");
      expect((await l.log(h.runId)).at(-1)!.persistedAt - from).toBeGreaterThanOrEqual(10_000);
    },
  );

  it("of two timers that fire in one Commit neither comes early, when the store's clock is between them", proves("I10"), async () => {
    const l = await fresh(kind);
    let together = 0;
    const wrap = wrapCommit((real, batch, renew) => {
      const fired = Math.max(...batch.map((c) => c.events.filter((e) => e.eventType === "StepCompleted").length));
      if (fired === 2 && together++ === 0) l.platform.suspend(-1_500);
      return real(batch, renew);
    });
    const wf = workflow({ name: "wf" }, async (ctx) => {
      await Promise.all([ctx.sleep("sooner", "10s"), ctx.sleep("later", "11s")]);
    });
    const { engine } = await l.engine([wf], { wrap, lease: "60s" });
    const h = await engine.start(wf);
    await l.platform.advance(9_000);
    await l.platform.leap(3_000); // both are due when the machine wakes
    await l.advanceUntil(h.result());
    expect(together).toBeGreaterThan(1); // refused, and asked again
    const log = await l.log(h.runId);
    const of = (type: string): number => log.find((e) => e.eventType === type && e.stepId === "later")!.persistedAt;
    expect(of("StepCompleted") - of("StepStarted")).toBeGreaterThanOrEqual(11_000);
  });

  it("of two outcomes that were on their way at once, the first is the step's and the second nobody's", proves("I2"), async () => {
    const l = await fresh(kind);
    const held = deferred();
    let hold = false;
    const wrap = wrapCommit(async (real, batch, renew) => {
      if (hold) await held.promise;
      return real(batch, renew);
    });
    const busy = deferred();
    const wf = workflow({ name: "wf", signals: { s: anySchema<string>() } }, async (ctx) => {
      void ctx.step("keeps a Commit in flight", () => busy.promise);
      return ctx.receive("s", { timeout: "1s" });
    });
    const e = await l.engine([wf], { wrap });
    const h = await e.engine.start(wf);
    await l.platform.advance(900);
    hold = true;
    busy.open();
    await l.platform.settle();
    await l.store.post({
      scope: defaultScope,
      target: { runId: h.runId },
      kind: "signal",
      name: "s",
      id: "x",
      payload: '"in time"',
      retainMs: null,
    });
    await l.platform.advance(500); // the signal is matched, and then the limit passes, while the Commit hangs
    hold = false;
    held.open();
    expect(await l.advanceUntil(h.result())).toBe("in time");
    expect((await l.lines(h.runId)).filter((x) => x === "StepCompleted s")).toHaveLength(1);
    expect(e.logs.filter((x) => x.level === "error")).toEqual([]);
  });

  it("an outcome of a step that is closed enters nothing: the second of two answers is nobody's", proves("I2"), async () => {
    const l = await fresh(kind);
    const late = deferred<string>();
    const wf = workflow({ name: "wf" }, async (ctx) => {
      const first = await ctx.step("s", () => late.promise, { timeout: "1s" }).catch((e: StepError) => e.category);
      await ctx.sleep("nap", "5s");
      return first;
    });
    const { engine } = await l.engine([wf]);
    const h = await engine.start(wf);
    await l.platform.advance(2_000);
    late.open("too late");
    expect(await l.advanceUntil(h.result())).toBe("TIMEOUT");
    expect((await l.lines(h.runId)).filter((x) => x.endsWith(" s"))).toEqual(["StepStarted s", "StepFailed s"]);
  });
});
