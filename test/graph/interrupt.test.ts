// Stops between supersteps: interruptBefore and interruptAfter ask a person, over a change of owner, once, and the state that the person looks at is
// committed by then.
import { afterEach, describe, expect, it } from "vitest";
import { graph, sum } from "../../src/graph.ts";
import { replayGraph } from "../../src/testing.ts";
import { proves } from "../support/proves.ts";
import { payloadOf, storeKinds, testClusters } from "../support/test-cluster.ts";
import { testStores, type TestStore } from "../support/test-store.ts";

const fresh = testClusters();
const open: TestStore[] = [];
afterEach(async () => {
  for (const s of open.splice(0)) await s.close();
});

function made(calls: string[]) {
  return graph({ name: "stops", state: { n: sum() } })
    .nodes({
      plan: async (_s, ctx) => ({ n: await ctx.step("plan", () => (calls.push("plan"), 1), { repeatable: true }) }),
      act: async (_s, ctx) => ({ n: await ctx.step("act", () => (calls.push("act"), 10), { repeatable: true }) }),
      last: () => ({ n: 100 }),
    })
    .edges({ start: "plan", plan: "act", act: "last", last: "end" }, { interruptBefore: ["act"], interruptAfter: ["act", "last"] });
}

describe.each(storeKinds)("%s", (kind) => {
  it("each stop is one question over a change of owner, and only true lets the run go on", proves("LX-26"), async () => {
    const l = await fresh(kind);
    const calls: string[] = [];
    const g = made(calls);
    let e = await l.engine([g], { lease: "1s" });
    const { runId } = await e.engine.start(g, {}, { id: "s" });
    const seen: unknown[] = [];
    for (const superstep of [1, 2, 3]) {
      await l.advanceUntilLine(runId, `StepStarted ${superstep + 1}/~interrupt/continue`);
      e.kill(); // the next owner finds the same question
      e = await l.engine([g], { lease: "1s" });
      await l.platform.advance(5_000);
      const questions = await e.client.questions("s");
      expect(questions).toHaveLength(1);
      const [q] = questions;
      expect(q).toMatchObject({ kind: "interrupt", name: "continue" });
      const told = [];
      for await (const x of e.client.streamGraph("s", { modes: ["questions"], follow: false }))
        if (x.mode === "questions" && x.state === "asked") told.push(x.question);
      expect(told.at(-1), "a stream says the same").toEqual(q);
      seen.push([q!.data, (await e.client.state("s"))!.values]);
      await expect(l.advanceUntil(e.client.answer(q!.questionId, false, { by: "ann" }))).rejects.toMatchObject({ code: "PAWL1008" });
      expect(calls).toEqual(superstep === 1 ? ["plan"] : ["plan", "act"]);
      await l.advanceUntil(e.client.answer(q!.questionId, true, { by: "ann" }));
    }
    expect(seen).toEqual([
      [{ superstep: 1, after: [], before: ["act"], next: ["act"] }, { n: 1 }],
      [{ superstep: 2, after: ["act"], before: [], next: ["last"] }, { n: 11 }],
      [{ superstep: 3, after: ["last"], before: [], next: [] }, { n: 111 }],
    ]);
    expect((await l.advanceUntil(e.client.waitForEnd(runId))).result).toEqual({ n: 111 });
    expect(calls).toEqual(["plan", "act"]);
    const log = await l.log(runId);
    expect(log.filter((x) => x.eventType === "pawl.DecisionAnswered").map((x) => payloadOf(x)["by"])).toEqual(["ann", "ann", "ann"]);
    const h = (await e.engine.get(g, "s"))!;
    expect((await replayGraph(g, h.events({ follow: false }))).mismatches).toEqual([]);
  });
});

it.each(testStores)("%s: a run that stops can be cancelled, and one that is let go ends", async (_name, make) => {
  const s = await make();
  open.push(s);
  const calls: string[] = [];
  const g = made(calls);
  const { engine } = await s.engine({ workflows: [g] });
  const one = await engine.start(g, {}, { id: "one" });
  const two = await engine.start(g, {}, { id: "two" });
  const asked = async (h: typeof one): Promise<string> => {
    for (;;) {
      const [q] = await h.questions();
      if (q !== undefined) return q.questionId;
      await new Promise((r) => void setTimeout(r, 20));
    }
  };
  await asked(one);
  await one.cancel("not today");
  await expect(one.result()).rejects.toMatchObject({ code: expect.any(String) });
  expect(calls.filter((c) => c === "act")).toEqual([]);
  for (let i = 0; i < 3; i++) await two.answer(await asked(two), true, { by: "bob" });
  expect(await two.result()).toEqual({ n: 111 });
});

it("a stop at a node that does not exist is refused when the module is loaded", () => {
  const nodes = graph({ name: "x", state: {} }).nodes({ a: () => {} });
  const edges = { start: "a", a: "end" } as const;
  expect(() => nodes.edges(edges, { interruptBefore: ["b" as "a"] })).toThrow(/PAWL1050|interruptBefore names b/);
  expect(() => nodes.edges(edges, { interruptAfter: ["b" as "a"] })).toThrow(/interruptAfter names b/);
  expect(() => nodes.edges(edges, { interruptAfter: "a" as never })).toThrow(/interruptAfter must be names of nodes/);
});
