// ctx.ask on the virtual clock: who may answer and what counts, before and after the engine that asked has died. Every question is one recorded wait:
// the code before it does not run again.
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { workflow } from "../../src/index.ts";
import { proves } from "../support/proves.ts";
import { payloadOf, storeKinds, testClusters, type ClusterEngine, type TestCluster } from "../support/test-cluster.ts";

const fresh = testClusters();
const price = z.object({ cents: z.int().min(1) });

describe.each(storeKinds)("%s", (kind) => {
  const asking = async (
    q: object = {},
  ): Promise<{ l: TestCluster; e: ClusterEngine; runId: string; id: string; next: () => Promise<ClusterEngine> }> => {
    const l = await fresh(kind);
    const wf = workflow({ name: "priced" }, async (ctx) => {
      const answer = await ctx.ask("price", { schema: price, text: "What does order 17 cost?", data: { order: 17 }, ...q });
      return answer === undefined ? "nobody" : answer;
    });
    const next = (): Promise<ClusterEngine> => l.engine([wf], { lease: "1s" });
    const e = await next();
    const h = await e.engine.start(wf, undefined, { id: "o-17" });
    await l.advanceUntilLine(h.runId, "StepStarted price");
    const [question] = await h.questions();
    return { l, e, runId: h.runId, id: question!.questionId, next };
  };

  it("a question shows what a person needs, in decisions, questions and because", proves("LX-26"), async () => {
    const { e, runId, id } = await asking({ from: ["ann", "bob"], timeout: "2d" });
    const said = { name: "price", data: { order: 17 }, from: ["ann", "bob"], schema: { type: "object" } };
    expect(await e.client.decisions()).toMatchObject([
      {
        decisionId: id,
        kind: "question",
        code: "PAWL2035",
        reason: "What does order 17 cost?",
        question: said,
        answers: [{ answer: "answer" }],
      },
    ]);
    const [q] = await e.client.questions("o-17");
    expect(q).toMatchObject({ ...said, questionId: id, runId, workflowId: "o-17", workflow: "priced", kind: "question" });
    expect(Date.parse(q!.expiresAt!) - Date.parse(q!.askedAt)).toBe(172_800_000);
    const run = (await e.client.get("o-17"))!;
    expect(run).toMatchObject({ status: "RUNNING", waiting: "decision" });
    expect(run.because).toMatchObject({
      code: "question",
      text: "It asks a person (price): What does order 17 cost?",
      until: q!.expiresAt,
      fix: "pawl answer o-17 --value <json> --by <you>",
    });
  });

  it("the first answer that fits counts, is recorded with who gave it, and is given to the code once", proves("LX-26"), async () => {
    const { l, e, runId, id, next } = await asking();
    const answer = (value: unknown, by: string, submissionId?: string) =>
      l.advanceUntil(e.client.answer(id, value, { by, ...(submissionId === undefined ? {} : { submissionId }) }));
    await expect(answer({ cents: 0 }, "ann", "s1")).rejects.toMatchObject({ code: "PAWL1008" });
    await expect(answer({ cents: 0 }, "ann", "s1")).rejects.toMatchObject({ code: "PAWL1008" }); // the same reply
    await expect(answer({ cents: 5 }, "ann", "s1")).rejects.toMatchObject({ code: "PAWL4070" });
    expect((await e.client.questions("o-17")).map((q) => q.questionId)).toEqual([id]);
    expect(await answer({ cents: 500 }, "bob", "s2")).toEqual({ state: "applied", replayed: false });
    expect(await answer({ cents: 500 }, "bob", "s2")).toEqual({ state: "applied", replayed: true });
    await expect(answer({ cents: 500 }, "carl", "s3")).rejects.toMatchObject({
      code: "PAWL4070",
      data: { by: "bob" },
      message: expect.stringContaining("bob answered"),
    });
    const end = await l.advanceUntil(e.client.waitForEnd(runId));
    expect(end.result).toEqual({ value: { cents: 500 }, by: "bob", at: expect.any(String), submissionId: "s2" });
    const log = await l.log(runId);
    expect(payloadOf(log.find((x) => x.eventType === "pawl.DecisionAnswered"))).toMatchObject({
      decisionId: id,
      stepId: "price",
      answer: "answer",
      by: "bob",
      submissionId: "s2",
    });
    e.kill();
    const again = await next();
    expect(await again.client.questions("o-17")).toEqual([]);
    expect(await l.advanceUntil(again.client.answer(id, { cents: 500 }, { by: "bob", submissionId: "s2" }))).toEqual({
      state: "applied",
      replayed: true,
    });
  });

  it("of many answers at once one counts, whoever owns the run by then", async () => {
    const { l, e, runId, id, next } = await asking();
    e.kill();
    const client = (await l.engine([], { lease: "1s" })).client;
    const all = await Promise.all(Array.from({ length: 10 }, (_, i) => client.answer(id, { cents: i + 1 }, { by: `p${i}`, timeoutMs: 0 })));
    expect(all.every((a) => a.state === "posted")).toBe(true);
    await next();
    const { result } = await l.advanceUntil(client.waitForEnd(runId));
    expect(result).toMatchObject({ by: "p0", value: { cents: 1 } });
    for (let i = 1; i < 10; i++)
      await expect(client.answer(id, { cents: i + 1 }, { by: `p${i}` })).rejects.toMatchObject({ code: "PAWL4070", data: { by: "p0" } });
    expect((await l.lines(runId)).filter((x) => x === "StepCompleted price")).toHaveLength(1);
  });

  it("an answer to a question that nobody asked is refused, and the one that is open stays so", async () => {
    const { l, e, runId, id } = await asking();
    const answer = (questionId: string): Promise<unknown> => l.advanceUntil(e.client.answer(questionId, { cents: 5 }, { by: "ann" }));
    await expect(answer("019a0000-0000-7000-8000-000000000000:4")).rejects.toMatchObject({ code: "PAWL4072" });
    await expect(answer(`${runId}:1`)).rejects.toMatchObject({ code: "PAWL4010", message: expect.stringContaining("nobody waits") });
    await expect(answer("no question")).rejects.toMatchObject({ code: "PAWL4072" });
    expect((await e.client.questions("o-17")).map((q) => q.questionId)).toEqual([id]);
    expect((await l.lines(runId)).filter((x) => x.startsWith("pawl.DecisionAnswered"))).toEqual([]);
  });

  it("who is not asked may not answer, and the owner checks it again", async () => {
    const { l, e, runId, id } = await asking({ from: ["ann"], notBy: ["bob"] });
    for (const by of ["bob", "eve"])
      await expect(l.advanceUntil(e.client.answer(id, { cents: 1 }, { by }))).rejects.toMatchObject({ code: "PAWL4081" });
    // A row that some other program wrote.
    const payload = JSON.stringify({ decisionId: id, answer: "answer", by: "eve", submissionId: "x", result: { cents: 1 } });
    const { scope } = await l.row(runId);
    await l.store.post({
      scope,
      target: { runId },
      kind: "control",
      name: "resolve",
      id: "forged",
      payload,
      retainMs: null,
      checkOnly: false,
    });
    await l.platform.advance(2_000);
    expect(await e.client.questions("o-17")).toHaveLength(1);
    expect(await l.advanceUntil(e.client.answer(id, { cents: 1 }, { by: "ann" }))).toMatchObject({ state: "applied" });
    expect((await l.advanceUntil(e.client.waitForEnd(runId))).result).toMatchObject({ by: "ann" });
  });

  it("past its time limit it gives undefined, and a late answer is refused", proves("LX-26"), async () => {
    const { l, e, runId, id, next } = await asking({ timeout: "1m" });
    e.kill();
    const second = await next();
    await l.platform.advance(50_000);
    expect(await second.client.questions("o-17")).toHaveLength(1);
    expect((await l.advanceUntil(second.client.waitForEnd(runId))).result).toBe("nobody");
    await expect(second.client.answer(id, { cents: 1 }, { by: "ann" })).rejects.toMatchObject({ code: "PAWL4010" });
  });

  it("a paused run says how to answer; a cancelled one takes none", async () => {
    const { l, e, id, runId, next } = await asking();
    await e.client.control(runId, "pause", { by: "op", reason: "r", timeoutMs: 0 } as never);
    await l.advanceUntilLine(runId, "RunPaused");
    expect((await l.row(runId)).waiting).toBe("decision");
    await expect(l.advanceUntil(e.client.answer(id, { cents: 1 }, { by: "ann", submissionId: "s1" }))).rejects.toMatchObject({
      code: "PAWL4010",
      message: expect.stringContaining("pawl resume o-17"),
    });
    await e.client.control(runId, "resume", { by: "op", reason: "r", timeoutMs: 0 } as never);
    await l.advanceUntilLine(runId, "RunResumed");
    e.kill();
    const second = await next();
    await second.client.control(runId, "cancel", { by: "op", reason: "r", timeoutMs: 0 } as never);
    expect((await l.advanceUntil(second.client.waitForEnd(runId))).status).toBe("CANCELLED");
    await expect(second.client.answer(id, { cents: 1 }, { by: "ann" })).rejects.toMatchObject({ code: "PAWL4010" });
  });

  it(
    "an answer that was refused because the run was paused counts when the same submission comes again after the resume",
    proves("LX-26"),
    async () => {
      const { l, e, id, runId } = await asking();
      for (const o of [{ by: "ann", submissionId: "s1" }, { by: "ann" }]) {
        await e.client.control(runId, "pause", { by: "op", reason: "r", timeoutMs: 0 } as never);
        await l.advanceUntilLine(runId, "RunPaused");
        await expect(l.advanceUntil(e.client.answer(id, { cents: 5 }, o))).rejects.toMatchObject({ code: "PAWL4010" });
        await expect(l.advanceUntil(e.client.answer(id, { cents: 5 }, o))).rejects.toMatchObject({ code: "PAWL4010" });
        await e.client.control(runId, "resume", { by: "op", reason: "r", timeoutMs: 0 } as never);
        await l.advanceUntilLine(runId, "RunResumed");
      }
      expect(await l.advanceUntil(e.client.answer(id, { cents: 5 }, { by: "ann" }))).toEqual({ state: "applied", replayed: false });
      expect(await l.advanceUntil(e.client.answer(id, { cents: 5 }, { by: "ann" }))).toEqual({ state: "applied", replayed: true });
      await expect(l.advanceUntil(e.client.answer(id, { cents: 5 }, { by: "ann", submissionId: "s1" }))).rejects.toMatchObject({
        code: "PAWL4070",
      });
      const answered = (await l.log(runId)).filter((x) => x.eventType === "pawl.DecisionAnswered");
      expect(answered).toHaveLength(1);
    },
  );

  it("votes need different people, over a change of owner", proves("LX-26"), async () => {
    const l = await fresh(kind);
    const wf = workflow({ name: "vote" }, async (ctx) => {
      const votes = await ctx.ask("release", { schema: z.boolean(), text: "Release it?", votes: 3 });
      return votes.map((v) => `${v.by}:${v.value}`);
    });
    const e = await l.engine([wf], { lease: "1s" });
    const h = await e.engine.start(wf, undefined, { id: "v" });
    await l.advanceUntilLine(h.runId, "StepStarted release");
    const id = (await h.questions())[0]!.questionId;
    expect(await l.advanceUntil(h.answer(id, true, { by: "ann" }))).toEqual({ state: "proposed", replayed: false });
    await expect(l.advanceUntil(h.answer(id, false, { by: "ann" }))).rejects.toMatchObject({ code: "PAWL4081" });
    e.kill();
    const second = await l.engine([wf], { lease: "1s" });
    const { client } = second;
    expect(await l.advanceUntil(client.answer(id, false, { by: "bob" }))).toMatchObject({ state: "proposed" });
    await expect(l.advanceUntil(client.answer(id, true, { by: "ann", submissionId: "again" }))).rejects.toMatchObject({ code: "PAWL4081" });
    expect((await client.questions("v"))[0]).toMatchObject({ votes: 3, answered: ["ann", "bob"] });
    expect(await l.advanceUntil(client.answer(id, true, { by: "carl" }))).toMatchObject({ state: "applied" });
    expect((await l.advanceUntil(client.waitForEnd(h.runId))).result).toEqual(["ann:true", "bob:false", "carl:true"]);
  });

  it("questions of children and approvals are the parent's, too; a retried run keeps answers", async () => {
    const l = await fresh(kind);
    let fails = true;
    const child = workflow({ name: "child" }, async (ctx) => (await ctx.ask("size", { schema: z.int(), text: "How many?" })).value);
    const parent = workflow({ name: "parent" }, async (ctx) => {
      const size = await ctx.call(child, undefined);
      const name = await ctx.ask("name", { schema: z.string(), text: "Which name?" });
      const sent = await ctx.step("send", () => `${name.value} ${size}`, { approve: "Send it?", once: true });
      if (fails) ctx.fail("not today");
      return sent;
    });
    const e = await l.engine([parent, child], { lease: "1s" });
    const h = await e.engine.start(parent, undefined, { id: "p" });
    const answer = async (text: string, value: unknown): Promise<void> => {
      for (let t = 0; t < 200; t++) {
        const q = (await h.questions()).find((x) => x.text === text);
        if (q !== undefined) return void (await l.advanceUntil(h.answer(q.questionId, value, { by: "ann" })));
        await l.platform.advance(50);
      }
      throw new Error(`nobody asked ${text}`);
    };
    await answer("How many?", 3);
    await answer("Which name?", "ann");
    await answer("Send it?", true);
    expect((await l.advanceUntil(e.client.waitForEnd(h.runId))).status).toBe("FAILED");
    fails = false;
    const again = await e.client.retry(h.runId);
    expect((await l.advanceUntil(e.client.waitForEnd(again.runId))).result).toBe("ann 3");
  });

  it("a question that nobody has answered for two days is put before somebody, once", proves("LX-26"), async () => {
    const { l, e, runId, next } = await asking();
    e.kill();
    await l.platform.advance(47 * 3_600_000);
    const second = await next();
    await l.platform.advance(6 * 60_000);
    expect(await second.client.investigations.list()).toEqual([]);
    second.kill();
    await l.platform.advance(3_600_000);
    const third = await next();
    await l.platform.advance(12 * 60_000);
    expect(await third.client.investigations.list()).toMatchObject([{ runId, why: "stale" }]);
  });

  it("a schema that answers later keeps the order, and one that throws refuses", async () => {
    const l = await fresh(kind);
    const slow = z.string().refine(async (s) => {
      if (s === "boom") throw new RangeError("boom");
      return s.length > 1;
    });
    const wf = workflow({ name: "slow" }, async (ctx) => (await ctx.ask("word", { schema: slow, text: "Which word?" })).value);
    const e = await l.engine([wf], { lease: "1s" });
    const h = await e.engine.start(wf, undefined, { id: "s" });
    await l.advanceUntilLine(h.runId, "StepStarted word");
    const id = (await h.questions())[0]!.questionId;
    await expect(l.advanceUntil(h.answer(id, "a", { by: "ann" }))).rejects.toMatchObject({ code: "PAWL1008" });
    await expect(l.advanceUntil(h.answer(id, "boom", { by: "ann" }))).rejects.toMatchObject({ code: "PAWL1008" });
    const both = Promise.allSettled([h.answer(id, "first", { by: "ann" }), h.answer(id, "second", { by: "bob" })]);
    expect((await l.advanceUntil(both)).map((x) => x.status)).toEqual(["fulfilled", "rejected"]);
    expect(await l.advanceUntil(h.result())).toBe("first");
  });

  it("what is wrong with a question is refused before it is recorded", async () => {
    const l = await fresh(kind);
    const bad: readonly [object, string][] = [
      [{ text: "x" }, "needs a schema"],
      [{ schema: price, text: "" }, "text must be"],
      [{ schema: price, text: "x", from: [] }, "from must be a list"],
      [{ schema: price, text: "x", votes: 2, from: ["ann"] }, "2 people must answer"],
      [{ schema: price, text: "x", till: "1d" }, 'has no option "till"; there are schema'],
    ];
    const wf = workflow({ name: "bad" }, async (ctx) => {
      const said: string[] = [];
      for (const [q] of bad) await ctx.ask("q", q as never).catch((e: Error) => said.push(e.message));
      return said;
    });
    const { engine } = await l.engine([wf]);
    const h = await engine.start(wf, undefined, { id: "r" });
    const said = (await l.advanceUntil(h.result())) as string[];
    for (const [i, [, text]] of bad.entries()) expect(said[i]).toContain(text);
    expect(await l.lines(h.runId)).not.toContain("StepStarted q");
  });
});
