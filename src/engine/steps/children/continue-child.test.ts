// Children of a line, case by case: classes, input, ids, generations, children of children, lost logs, crashes of the new owner. Guards that a
// child which did not complete is never called as if it were new (I6, I7, K19), and that the wait for it is never lost (I12).
import { describe, expect, it } from "vitest";
import { workflow } from "../../../workflow/define.ts";
import type { StepError } from "../../../errors/step-errors.ts";
import type { FullStore } from "../../../store/full-store.ts";
import { anySchema, testClusters, payloadOf, storeKinds } from "../../../../test/support/test-cluster.ts";
import { proves } from "../../../../test/support/proves.ts";

const fresh = testClusters();
const never = (): Promise<never> => new Promise(() => {});

describe.each(storeKinds)("%s", (kind) => {
  it.each([
    ["retry", "keyed", 1],
    ["retry", "verified", 1],
    ["retry", "once", 1],
    ["retry", "plain", 1],
    ["restart", "keyed", 1],
    ["restart", "verified", 1],
    ["restart", "once", 1],
    ["restart", "plain", 2],
  ] as const)(
    "after a %s of its caller, a completed %s step of a child was sent %i time(s) in all",
    proves("K19", "I6", "I7"),
    async (how, declared, times) => {
      const l = await fresh(kind);
      const sent: string[] = [];
      let broken = true;
      const verify = (): Promise<{ state: "not-completed" }> => Promise.resolve({ state: "not-completed" });
      const options = { keyed: { key: "k", dedup: "1h" }, verified: { verify }, once: { once: true }, plain: {} }[declared] as object;
      const child = workflow({ name: "child", input: anySchema<number>() }, async (ctx, n) => {
        const got = await ctx.step("charge", () => sent.push("charge"), options);
        if (broken) ctx.fail("broken");
        return n + got;
      });
      const wf = workflow({ name: "wf" }, async (ctx) => ctx.call(child, 10));
      const { engine } = await l.engine([wf, child]);
      const h = await engine.start(wf, undefined, { id: "w" });
      await expect(l.advanceUntil(h.result())).rejects.toMatchObject({ message: "broken" });
      broken = false;
      const next = how === "retry" ? await h.retry() : await engine.start(wf, undefined, { id: "w", onConflict: "restart" });
      await l.advanceUntil(next.result());
      expect(sent).toHaveLength(times);
      const last = await l.byWorkflowId("w/child");
      const first = payloadOf((await l.log(last.runId))[0]);
      expect(Object.keys(first)).toContain(how === "retry" ? "retryOf" : "restartOf");
      expect([last.generation, last.parentRunId]).toEqual([2, next.runId]);
    },
  );

  it.each([
    ["called", "started", "failed"],
    ["started", "called", "failed"],
    ["called", "started", "completed"],
    ["started", "called", "completed"],
  ] as const)("a child that was %s, is now %s, and had %s is the same child", proves("K19", "I6", "I7"), async (was, is, end) => {
    const l = await fresh(kind);
    const sent: string[] = [];
    let [broken, how]: [boolean, typeof was] = [true, was];
    const child = workflow({ name: "child", input: anySchema<number>() }, async (ctx, n) => {
      await ctx.step("charge", () => sent.push("charge"), { once: true });
      if (broken && end === "failed") ctx.fail("broken");
      return n;
    });
    const wf = workflow({ name: "wf" }, async (ctx) => {
      const n = how === "called" ? await ctx.call(child, 7) : await (await ctx.start(child, 7)).result();
      if (broken) ctx.fail("broken");
      return n;
    });
    const { engine, client } = await l.engine([wf, child]);
    const h = await engine.start(wf, undefined, { id: "w" });
    await expect(l.advanceUntil(h.result())).rejects.toMatchObject({ message: "broken" });
    [broken, how] = [false, is];
    expect(await l.advanceUntil((await h.retry()).result())).toBe(7);
    expect(sent).toEqual(["charge"]);
    const { runs } = await client.list({ workflow: "child" });
    expect(new Set(runs.map((r) => r.workflowId))).toEqual(new Set(["w/child"]));
    expect(runs).toHaveLength(end === "failed" ? 2 : 1);
  });

  it(
    "called with another input it is a restart of itself, and what happened under the old one is a person's to decide",
    proves("K19", "I7"),
    async () => {
      const l = await fresh(kind);
      const sent: number[] = [];
      const child = workflow({ name: "child", input: anySchema<number>() }, async (ctx, n) => {
        await ctx.step("charge", () => sent.push(n), { once: true });
      });
      const wf = workflow({ name: "wf", input: anySchema<number>() }, async (ctx, n) => ctx.call(child, n));
      const { engine, client } = await l.engine([wf, child]);
      await l.advanceUntil((await engine.start(wf, 1, { id: "w" })).result());
      const next = await engine.start(wf, 2, { id: "w", onConflict: "restart" });
      await l.advanceUntilLine(next.runId, "pawl.ChildContinued");
      const { runId } = await l.byWorkflowId("w/child");
      await l.advanceUntilLine(runId, "pawl.StepInDoubt");
      const [d] = await client.decisions();
      expect([d?.code, sent]).toEqual(["PAWL4050", [1]]);
      await l.advanceUntil(client.resolve(d!.decisionId, { by: "ann", reason: "it stands", happened: true, result: 1 }));
      await l.advanceUntil(next.result());
      expect(sent).toEqual([1]);
    },
  );

  it(
    "a child that still goes on is waited for, also by a second owner, and is then asked for what it had in flight",
    proves("K19", "I7", "I12"),
    async () => {
      const l = await fresh(kind);
      const sent: string[] = [];
      const child = workflow({ name: "child" }, async (ctx) => {
        await ctx.step("open", () => sent.push("open") && never(), { once: true, timeout: "1h" });
      });
      const wf = workflow({ name: "wf" }, async (ctx) => ctx.call(child));
      const a = await l.engine([wf, child], { lease: "1s" });
      const h = await a.engine.start(wf, undefined, { id: "w" });
      await l.advanceUntil(
        (async () => {
          while (sent.length === 0) await l.platform.settle();
        })(),
      );
      const old = await l.byWorkflowId("w/child");
      await h.terminate("stuck");
      await l.advanceUntil(h.result().catch(() => {}));
      const again = await h.retry();
      await l.advanceUntilLine(again.runId, "StepStarted child");
      await l.platform.advance(5_000);
      expect([(await l.row(old.runId)).status, (await l.lines(again.runId)).includes("pawl.ChildContinued")]).toEqual(["RUNNING", false]);
      a.kill();
      await l.engine([wf, child], { lease: "1s" });
      await l.advanceUntilLine(again.runId, "pawl.ChildContinued");
      const next = await l.byWorkflowId("w/child");
      expect(next.runId).not.toBe(old.runId);
      await l.advanceUntilLine(next.runId, "pawl.StepInDoubt");
      expect(sent).toEqual(["open"]);
    },
  );

  it("children of children go on, too; an id of the author's is no conflict with itself", proves("K19", "K9", "I6", "I7"), async () => {
    const l = await fresh(kind);
    const sent: string[] = [];
    let broken = true;
    const low = workflow({ name: "low" }, async (ctx) => {
      await ctx.step("charge", () => sent.push("charge"), { once: true });
      if (broken) ctx.fail("broken");
      return "paid";
    });
    const mid = workflow({ name: "mid" }, async (ctx) => ctx.call(low));
    const wf = workflow({ name: "wf" }, async (ctx) => ctx.call(mid, undefined, { id: "mine" }));
    const { engine } = await l.engine([wf, mid, low]);
    const h = await engine.start(wf, undefined, { id: "w" });
    await expect(l.advanceUntil(h.result())).rejects.toMatchObject({ message: "broken" });
    const second = await h.retry();
    await expect(l.advanceUntil(second.result())).rejects.toMatchObject({ message: "broken" });
    broken = false;
    expect(await l.advanceUntil((await second.retry()).result())).toBe("paid");
    expect(sent).toEqual(["charge"]);
    expect([(await l.byWorkflowId("mine")).generation, (await l.byWorkflowId("mine/low")).generation]).toEqual([3, 3]);
  });

  it("the proof of a child that went on under another id does not speak for the line alone", proves("K19", "I6"), async () => {
    const l = await fresh(kind);
    let [sent, id] = [0, "one"];
    const low = workflow({ name: "low" }, async (ctx) => {
      await ctx.step("mail", () => ++sent);
      if (sent === 1) ctx.fail("broken");
    });
    const child = workflow({ name: "child" }, async (ctx) => ctx.call(low, undefined, { id: `low-${id}` }));
    const wf = workflow({ name: "wf" }, async (ctx) => ctx.call(child, undefined, { id }));
    const { engine, client } = await l.engine([wf, child, low]);
    await l.advanceUntil((await engine.start(wf, undefined, { id: "w" })).result().catch(() => {}));
    const before = await client.proof("low-one");
    expect(before.effects).toMatchObject([{ stepId: "mail", verdict: "once", sends: 1 }]);
    id = "two";
    await l.advanceUntil((await engine.start(wf, undefined, { id: "w", onConflict: "restart" })).result());
    expect(sent).toBe(2);
    for (const name of ["low-one", "low-two"]) {
      const { verdict, effects } = await client.proof(name);
      expect([verdict, effects[0]?.verdict]).toEqual(["at-least-once", "at-least-once"]);
      const other = await l.byWorkflowId(name === "low-one" ? "low-two" : "low-one");
      expect(effects[0]?.sentence).toContain(other.runId);
    }
  });

  it("under another id of the author's it goes on as well; one that completed is another child then", proves("K19", "I6"), async () => {
    const l = await fresh(kind);
    const sent: string[] = [];
    let [broken, id] = [true, "one"];
    const child = workflow({ name: "child", input: anySchema<number>() }, async (ctx) => {
      await ctx.step("charge", () => sent.push("charge"), { once: true });
      if (broken) ctx.fail("broken");
    });
    const wf = workflow({ name: "wf", input: anySchema<number>() }, async (ctx, n) => ctx.call(child, n, { id }));
    const { engine } = await l.engine([wf, child]);
    const h = await engine.start(wf, 1, { id: "w" });
    await expect(l.advanceUntil(h.result())).rejects.toMatchObject({ message: "broken" });
    [broken, id] = [false, "two"];
    await l.advanceUntil((await h.retry()).result());
    expect(sent).toEqual(["charge"]);
    const { rootRunId } = await l.byWorkflowId("one");
    expect(await l.byWorkflowId("two")).toMatchObject({ rootRunId, generation: 1 });
    id = "three";
    await l.advanceUntil((await engine.start(wf, 2, { id: "w", onConflict: "restart" })).result());
    expect(sent).toEqual(["charge", "charge"]);
    const third = await l.byWorkflowId("three");
    expect(third.rootRunId).toBe(third.runId);
  });

  it("one that continued as new goes on from its last generation", proves("K19", "I6"), async () => {
    const l = await fresh(kind);
    const sent: number[] = [];
    let broken = true;
    const child = workflow({ name: "child", input: anySchema<number>() }, async (ctx, n) => {
      await ctx.step("charge", () => sent.push(n), { once: true });
      if (n > 0) ctx.continueAsNew(n - 1);
      if (broken) ctx.fail("broken");
      return "end";
    });
    const wf = workflow({ name: "wf" }, async (ctx) => ctx.call(child, 2));
    const { engine } = await l.engine([wf, child]);
    const h = await engine.start(wf, undefined, { id: "w" });
    await expect(l.advanceUntil(h.result())).rejects.toMatchObject({ message: "broken" });
    const second = await h.retry();
    await expect(l.advanceUntil(second.result())).rejects.toMatchObject({ message: "broken" });
    broken = false;
    expect(await l.advanceUntil((await second.retry()).result())).toBe("end");
    expect(sent).toEqual([2, 1, 0]);
  });

  it("one that somebody retried meanwhile is kept if it completed; the dry run says what becomes of it", proves("K19", "I6"), async () => {
    const l = await fresh(kind);
    let [broken, runs] = [true, 0];
    const child = workflow({ name: "child" }, async (ctx) => {
      runs++;
      if (broken) ctx.fail("broken");
      return ctx.step("work", () => "done");
    });
    const wf = workflow({ name: "wf" }, async (ctx) => ctx.call(child));
    const { engine, client } = await l.engine([wf, child]);
    const h = await engine.start(wf, undefined, { id: "w" });
    await expect(l.advanceUntil(h.result())).rejects.toMatchObject({ message: "broken" });
    const { runId } = await l.byWorkflowId("w/child");
    expect(await h.retry({ dryRun: true })).toMatchObject({
      steps: [{ stepId: "child", outlook: "runs again", why: `as a retry of its child, run ${runId}` }],
    });
    expect(await h.retry({ dryRun: true, fromStep: "child" })).toMatchObject({
      steps: [{ stepId: "child", outlook: "runs again", why: `as a restart of its child, run ${runId}` }],
    });
    broken = false;
    const other = await client.retry(runId);
    await l.advanceUntil(client.waitForEnd(other.runId));
    expect(await h.retry({ dryRun: true })).toMatchObject({ steps: [{ stepId: "child", outlook: "kept" }] });
    expect(await l.advanceUntil((await h.retry()).result())).toBe("done");
    expect(runs).toBe(2);
  });

  it.each([[["expire"]], [["purge", "forget"]]] as const)(
    "one that retention took (%s) asks a person before it begins",
    proves("K19", "I7"),
    async (stages) => {
      const l = await fresh(kind);
      const sent: string[] = [];
      const child = workflow({ name: "child" }, async (ctx) => {
        await ctx.step("charge", () => sent.push("charge"), { once: true });
        ctx.fail("broken");
      });
      const wf = workflow({ name: "wf" }, async (ctx) => ctx.call(child));
      const { engine } = await l.engine([wf, child]);
      const h = await engine.start(wf, undefined, { id: "w" });
      await expect(l.advanceUntil(h.result())).rejects.toMatchObject({ message: "broken" });
      const { runId } = await l.byWorkflowId("w/child");
      const pruned = { runId, endedBefore: Number.MAX_SAFE_INTEGER, limit: 100, unlessHeld: { collection: "none", keys: [] } };
      for (const stage of stages) expect(await l.store.archive.prune({ ...pruned, stage })).toMatchObject({ kind: "pruned" });
      expect(await h.retry({ dryRun: true })).toMatchObject({ steps: [{ outlook: "needs a decision" }] });
      const again = await h.retry();
      await l.advanceUntilLine(again.runId, "pawl.ChildContinued");
      await l.advanceUntilLine((await l.byWorkflowId("w/child")).runId, "pawl.DecisionNeeded");
      expect(sent).toEqual(["charge"]);
    },
  );

  it("a call with a time limit gives up on a child that does not end; nothing is made then", proves("K19", "I7"), async () => {
    const l = await fresh(kind);
    const sent: string[] = [];
    const child = workflow({ name: "child" }, async (ctx) => {
      await ctx.step("open", () => sent.push("open") && never(), { once: true, timeout: "1h" });
    });
    let late = false;
    const wf = workflow({ name: "wf" }, async (ctx) =>
      ctx.call(child, undefined, { timeout: "5s" }).catch((e: StepError) => (late ? e.category : ctx.fail("late"))),
    );
    const { engine } = await l.engine([wf, child]);
    const h = await engine.start(wf, undefined, { id: "w" });
    await expect(l.advanceUntil(h.result())).rejects.toMatchObject({ message: "late" });
    const old = await l.byWorkflowId("w/child");
    late = true;
    expect(old.status).toBe("RUNNING");
    const again = await h.retry();
    expect(await l.advanceUntil(again.result())).toBe("TIMEOUT");
    expect(sent).toEqual(["open"]);
  });

  it("somebody who is quicker, and retries the old child at the same moment, is waited for", proves("K19", "K9", "I6"), async () => {
    const l = await fresh(kind);
    let [broken, runs] = [true, 0];
    const child = workflow({ name: "child" }, async (ctx) => {
      runs++;
      if (broken) ctx.fail("broken");
      return ctx.step("work", () => "done");
    });
    const wf = workflow({ name: "wf" }, async (ctx) => ctx.call(child));
    let quick: (() => Promise<unknown>) | null = null;
    const wrap = (store: FullStore): FullStore =>
      new Proxy(store, {
        get: (t, name) => {
          const own = Reflect.get(t, name, t) as unknown;
          if (name !== "commit") return typeof own === "function" ? (own as () => unknown).bind(t) : own;
          return async (...args: Parameters<FullStore["commit"]>) => {
            if (quick !== null && args[0].some((c) => c.children.length > 0)) {
              const go = quick;
              quick = null;
              await go();
            }
            return t.commit(...args);
          };
        },
      });
    const { engine } = await l.engine([wf, child], { wrap });
    const other = await l.engine([child]);
    const h = await engine.start(wf, undefined, { id: "w" });
    await expect(l.advanceUntil(h.result())).rejects.toMatchObject({ message: "broken" });
    broken = false;
    const { runId } = await l.byWorkflowId("w/child");
    quick = () => other.client.retry(runId);
    expect(await l.advanceUntil((await h.retry()).result())).toBe("done");
    expect([runs, (await l.byWorkflowId("w/child")).generation]).toEqual([2, 2]);
  });
});
