// retry: a new run that takes over what an ended one finished. Guards that the old run stays as it was (I8), that keys and
// doubts are carried over (K19), and that nothing that may have happened is sent again on a guess (I7).
import { describe, expect, it } from "vitest";
import { workflow } from "../../workflow/define.ts";
import { anySchema, testClusters, payloadOf, storeKinds } from "../../../test/support/test-cluster.ts";
import { proves } from "../../../test/support/proves.ts";

const fresh = testClusters();

describe.each(storeKinds)("%s", (kind) => {
  it("retry makes a new run that adopts what the old one finished; the old one stays as it was", proves("K19", "I8", "P-32"), async () => {
    const l = await fresh(kind);
    const ran: string[] = [];
    let mended = false;
    const wf = workflow({ name: "wf", input: anySchema<number>() }, async (ctx, n) => {
      const key = ctx.uuid();
      await ctx.step("a", () => ran.push("a"), { input: key });
      await ctx.step("b", (s) => ran.push(`b ${s.key.slice(0, 5)}`));
      await ctx.step("c", () => {
        ran.push("c");
        if (!mended) throw new Error("broken");
      });
      return n;
    });
    const { engine } = await l.engine([wf]);
    const h = await engine.start(wf, 5, { id: "order" });
    await expect(l.advanceUntil(h.result())).rejects.toMatchObject({ message: "broken" });
    const before = await l.log(h.runId);
    mended = true;
    const again = await h.retry();
    expect(await l.advanceUntil(again.result())).toBe(5);
    expect(ran).toEqual(["a", "b pawl-", "c", "c"]);
    expect(await l.log(h.runId)).toEqual(before);
    const row = await l.row(again.runId);
    expect(again.runId).not.toBe(h.runId);
    expect(row).toMatchObject({ workflowId: "order", originalRunId: h.runId, rootRunId: h.runId, generation: 2 });
    const adopted = (await l.log(again.runId)).find((e) => e.eventType === "StepCompleted" && e.stepId === "a");
    expect(payloadOf(adopted)).toMatchObject({
      via: "adopted",
      copiedFrom: before.find((e) => e.eventType === "StepCompleted" && e.stepId === "a")!.eventId,
    });
  });

  it("a retry does not take over what the old run undid: it is done again, or decided by a person", proves("K19", "I7"), async () => {
    const l = await fresh(kind);
    const ran: string[] = [];
    let mended = false;
    const wf = workflow({ name: "wf" }, async (ctx) => {
      await ctx.step("free", () => ran.push("free"), { compensate: () => void ran.push("undo free") });
      await ctx.step("paid", () => ran.push("paid"), { once: true, compensate: () => void ran.push("undo paid") });
      if (!mended) ctx.fail("no");
    });
    const { engine } = await l.engine([wf]);
    const h = await engine.start(wf);
    await expect(l.advanceUntil(h.result())).rejects.toMatchObject({ message: "no" });
    mended = true;
    const again = await h.retry();
    await l.advanceUntilLine(again.runId, "pawl.StepInDoubt");
    expect(ran).toEqual(["free", "paid", "undo paid", "undo free", "free"]);
    expect(await again.status()).toEqual({ status: "RUNNING", waiting: "decision" });
  });

  it(
    "retry of a run that has not ended is refused; from a step, it runs that step and what began after it again",
    proves("K19"),
    async () => {
      const l = await fresh(kind);
      const ran: string[] = [];
      const wf = workflow({ name: "wf", signals: { s: anySchema() } }, async (ctx) => {
        for (const n of ["a", "b", "c"]) await ctx.step(n, () => ran.push(n));
        await ctx.receive("s", { timeout: "1s" });
      });
      const { engine } = await l.engine([wf]);
      const h = await engine.start(wf);
      await l.platform.settle();
      await expect(h.retry()).rejects.toMatchObject({ code: "PAWL4010" });
      await l.advanceUntil(h.result());
      await expect(h.retry()).rejects.toMatchObject({ code: "PAWL4010" });
      const again = await h.retry({ fromStep: "b" });
      await l.advanceUntil(again.result());
      expect(ran).toEqual(["a", "b", "c", "b", "c"]);
    },
  );

  it("a retry makes no child again and sends no signal again that the old run made and sent", proves("K19"), async () => {
    const l = await fresh(kind);
    const heard: string[] = [];
    let mended = false;
    const child = workflow({ name: "child", signals: { say: anySchema<string>() } }, async (ctx) => {
      for await (const word of ctx.receiveAll("say")) if (heard.push(word) && word === "end") break;
      return "heard";
    });
    const wf = workflow({ name: "wf" }, async (ctx) => {
      const c = await ctx.start(child, undefined, { id: "c" });
      await c.signal("say", "once");
      await ctx.step("mended", () => {
        if (!mended) throw new Error("broken");
      });
      await c.signal("say", "end");
      return c.workflowId;
    });
    const { engine } = await l.engine([wf, child]);
    const h = await engine.start(wf);
    await expect(l.advanceUntil(h.result())).rejects.toMatchObject({ message: "broken" });
    mended = true;
    expect(await l.advanceUntil((await h.retry()).result())).toBe("c");
    expect(await l.advanceUntil((await engine.get(child, "c"))!.result())).toBe("heard");
    expect(heard).toEqual(["once", "end"]);
    expect((await engine.list({ workflow: "child" })).runs).toHaveLength(1);
  });

  it.each([
    ["after the retry", "20s"],
    ["before it", "10ms"],
  ])(
    "a retry learns the end of a child that the old run started, if it comes %s, also when its owner dies",
    proves("K19", "I12"),
    async (_when, nap) => {
      const l = await fresh(kind);
      let mended = false;
      const child = workflow({ name: "child", input: anySchema<number>() }, async (ctx, n) => {
        await ctx.sleep("nap", nap as "20s");
        return n > 0 ? ctx.continueAsNew(n - 1) : "grown";
      });
      const wf = workflow({ name: "wf" }, async (ctx) => {
        const c = await ctx.start(child, 1);
        if (!mended) ctx.fail("not yet");
        return c.result();
      });
      const a = await l.engine([wf, child], { lease: "1s" });
      const h = await a.engine.start(wf);
      await expect(l.advanceUntil(h.result())).rejects.toMatchObject({ message: "not yet" });
      await l.platform.advance(1_000);
      mended = true;
      const again = await h.retry();
      await l.advanceUntilLine(again.runId, "StepStarted result");
      a.kill();
      const b = await l.engine([wf, child], { lease: "1s" });
      expect(await l.advanceUntil(b.client.waitForEnd(again.runId))).toMatchObject({ status: "COMPLETED", result: "grown" });
    },
  );

  it(
    "a retry of a retry knows what the first run did and left unknown, although the second never came to it",
    proves("K19", "I6", "I7"),
    async () => {
      const l = await fresh(kind);
      const ran: string[] = [];
      let shut = false;
      const wf = workflow({ name: "wf" }, async (ctx) => {
        if (shut) ctx.fail("shut");
        await ctx.step("done", () => ran.push("done"), { once: true });
        await ctx.step("unknown", () => ran.push("unknown") && new Promise(() => {}), { once: true });
      });
      const { engine } = await l.engine([wf]);
      const h = await engine.start(wf);
      await l.advanceUntilLine(h.runId, "StepStarted unknown");
      await h.terminate("stuck");
      await expect(l.advanceUntil(h.result())).rejects.toMatchObject({ code: "PAWL1014" });
      shut = true;
      const second = await h.retry();
      await expect(l.advanceUntil(second.result())).rejects.toMatchObject({ message: "shut" });
      shut = false;
      const third = await second.retry();
      await l.advanceUntilLine(third.runId, "pawl.StepInDoubt");
      expect(ran).toEqual(["done", "unknown"]);
      expect(await third.status()).toEqual({ status: "RUNNING", waiting: "decision" });
    },
  );

  it("a retry from a step does not send again what is unknown after it; a step that is not there is refused", proves("I7"), async () => {
    const l = await fresh(kind);
    const ran: string[] = [];
    const wf = workflow({ name: "wf" }, async (ctx) => {
      await ctx.step("first", () => ran.push("first"));
      await ctx.step("unknown", () => ran.push("unknown") && new Promise(() => {}), { once: true });
    });
    const { engine } = await l.engine([wf]);
    const h = await engine.start(wf);
    await l.advanceUntilLine(h.runId, "StepStarted unknown");
    await h.terminate("stuck");
    await expect(l.advanceUntil(h.result())).rejects.toMatchObject({ code: "PAWL1014" });
    await expect(h.retry({ fromStep: "frist" })).rejects.toMatchObject({ code: "PAWL4011", data: { stepId: "frist" } });
    const again = await h.retry({ fromStep: "first" });
    await l.advanceUntilLine(again.runId, "pawl.StepInDoubt");
    expect(ran).toEqual(["first", "unknown", "first"]);
  });
});
