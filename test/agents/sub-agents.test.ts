// Agents, graphs and workflows as tools of an agent: a child run, made once per call, whose result an equal call reuses; what it spends is its caller's, and it may not
// spend more than its caller has left. And what `causes` says of calls whose end nobody knows.
import { expect, it } from "vitest";
import { z } from "zod";
import { agent, asTool, scripted, tool, toolbox, type Model, type ToolCall } from "../../src/agents.ts";
import { NotSent, workflow } from "../../src/index.ts";
import { storeKinds, testClusters } from "../support/test-cluster.ts";

const fresh = testClusters();
const q = z.object({ q: z.string() });
const ask = (text = "?") => ({ tool: "ask", input: { q: text } });
const usage = { inputTokens: 7, outputTokens: 1 };
const answers = (seen: unknown[] = []): Model => ({
  id: "i",
  provider: "p",
  generate: async (r) => (seen.push(r), { content: [{ type: "text", text: "42" }], finish: "stop", usage }),
});

/** A scripted model that says nothing of tokens: what is counted is the sub-agents'. */
const free = (turns: Parameters<typeof scripted>[0]): Model => {
  const m = scripted(turns, { by: "conversation" });
  return { ...m, id: "free", provider: "p", generate: async (r, x) => ({ ...(await m.generate(r, x)), usage: {} }) };
};

it.each(storeKinds)("%s: an equal call reuses the child's result, also after a kill, and counts its usage once", async (kind) => {
  const l = await fresh(kind);
  const inner = agent({ name: "inner", model: answers() });
  const askInner = asTool({ name: "ask", description: "Ask", input: q }, inner, { in: (i) => ({ prompt: i.q }) });
  const turns = [{ calls: [ask(), ask()] }, { calls: [ask(), ask("other")] }, "done"];
  const outer = agent({ name: "outer", model: free(turns), tools: [askInner] });
  const first = await l.engine([outer, inner], { lease: "1s" });
  const { runId } = await first.engine.start(outer, { prompt: "x" }, { id: "r" });
  await l.advanceUntilLine(runId, "StepCompleted 4/model/model");
  first.kill();
  const { engine } = await l.engine([outer, inner], { lease: "1s" });
  const h = (await engine.get(outer, "r"))!;
  const out = await l.advanceUntil(h.result());
  const results = out.messages.flatMap((m) => m.content.flatMap((p) => (p.type === "tool-result" ? [p] : [])));
  expect(results.map((p) => [p.outcome, (p.output as { text?: string }).text, p.repeatOf])).toEqual([
    ["done", "42", undefined],
    ["done", "42", "3/tools/ask"],
    ["done", "42", "3/tools/ask"],
    ["done", "42", undefined],
  ]);
  expect((await engine.list({ workflow: "inner" })).runs).toHaveLength(2);
  expect(out.usage).toMatchObject({ inputTokens: 14, outputTokens: 2 });
  expect((await h.causes()).map((c) => [c.effect.tool, c.effect.outcome, c.effect.repeatOf])).toEqual([
    ["ask", "completed", undefined],
    ["ask", "completed", "3/tools/ask"],
    ["ask", "completed", "3/tools/ask"],
    ["ask", "completed", undefined],
  ]);
});

it("a child that failed is not made again: the model reads that nobody knows what it did", async () => {
  const l = await fresh("memory");
  let made = 0;
  const fails = workflow({ name: "fails" }, async (ctx) => {
    made++;
    ctx.fail("no");
  });
  const t = asTool({ name: "ask", description: "Ask", input: q }, fails, { in: () => undefined });
  const call: ToolCall = { type: "tool-call", id: "c1", ...ask() };
  const wf = workflow({ name: "asks" }, async (ctx) => {
    const box = toolbox(ctx, [t]);
    return [await box.run(call), await box.run({ ...call, id: "c2" })];
  });
  const { engine } = await l.engine([wf, fails]);
  const results = await l.advanceUntil((await engine.start(wf, undefined, { id: "r" })).result());
  expect(results.map((r) => r.outcome)).toEqual(["unknown", "unknown"]);
  expect(results[1]!.output).toBe("An equal call did not complete. It is not made again: what it did is not known.");
  expect(made).toBe(1);
});

it("a sub-agent may spend what its caller has left, and two of one turn share it", async () => {
  const l = await fresh("memory");
  const inner = agent({
    name: "inner",
    model: {
      ...answers(),
      generate: async () => ({ content: [{ type: "tool-call", id: "c", tool: "look", input: { q: "1" } }], finish: "tool-calls", usage }),
    },
    tools: [tool({ name: "look", description: "Look", input: q }, () => 1, { repeatable: true })],
  });
  const askInner = asTool({ name: "ask", description: "Ask", input: q }, inner, {
    in: (i) => ({ prompt: i.q }),
    out: (r) => r.stopped ?? "",
  });
  const turns = [{ calls: [ask("a"), ask("b")] }, "done"];
  const outer = agent({ name: "outer", model: free(turns), tools: [askInner], budget: { tokens: 40 } });
  const { engine } = await l.engine([outer, inner]);
  const out = await l.advanceUntil((await engine.start(outer, { prompt: "x" })).result());
  // 40 tokens for two: 20 each, so that each stops after three calls of 8.
  const children = (await engine.list({ workflow: "inner" })).runs;
  const given = await Promise.all(
    children.map(async (c) => JSON.parse((await l.log(c.runId))[0]!.payload!) as { input: { allowance?: unknown } }),
  );
  expect(given.map((p) => p.input.allowance)).toEqual([{ tokens: 20 }, { tokens: 20 }]);
  expect(out.messages.flatMap((m) => m.content.flatMap((p) => (p.type === "tool-result" ? [p.output] : [])))).toEqual(["budget", "budget"]);
  expect(out).toMatchObject({ stopped: "budget", usage: { inputTokens: 42, outputTokens: 6 } });
  await expect(engine.start(inner, { prompt: "x", allowance: { tokens: -1 } })).rejects.toThrow("allowance");
});

it("causes say unknown where the model was told so, and failed where the call surely did not happen", async () => {
  const l = await fresh("memory");
  const def = <const N extends string>(name: N) => ({ name, description: name, input: q });
  const lost = tool(
    def("lost"),
    () => {
      throw new Error("reset");
    },
    { once: true },
  );
  const unsent = tool(
    def("unsent"),
    () => {
      throw new NotSent("no line");
    },
    { once: true },
  );
  const refused = tool(def("refused"), () => 1, { once: true, approve: true });
  const reads = tool(
    def("reads"),
    () => {
      throw new Error("reset");
    },
    { repeatable: true, retry: { attempts: 1 } },
  );
  const calls = ["lost", "unsent", "refused", "reads"].map((name) => ({ tool: name, input: { q: "1" } }));
  const a = agent({ name: "ends", model: scripted([{ calls }, "done"], { by: "conversation" }), tools: [lost, unsent, refused, reads] });
  const { engine } = await l.engine([a]);
  const h = await engine.start(a, { prompt: "x" }, { id: "r" });
  await l.advanceUntilLine(h.runId, "StepStarted 3/tools~3/refused");
  const [d] = await l.advanceUntil(engine.decisions());
  await l.advanceUntil(engine.resolve(d!.decisionId, { refuse: true, by: "ann", reason: "no" }));
  const out = await l.advanceUntil(h.result());
  const told = out.messages.flatMap((m) => m.content.flatMap((p) => (p.type === "tool-result" ? [p.outcome] : [])));
  expect(told).toEqual(["unknown", "failed", "refused", "failed"]);
  expect((await h.causes()).map((c) => c.effect.outcome)).toEqual(["unknown", "failed", "failed", "failed"]);
});
