// The ready-made tools node in a loop that is written by hand, on every store: it does with a call what an agent does with it. Equal calls, approvals, limits, causes,
// what a model did wrong, and calls that a restored run undoes by name. Kills in real processes: test/agents/windows.test.ts.
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { callsOf, scripted, tool, userMessage, type AnyTool, type Message, type ScriptedTurn, type ToolCall } from "../../src/agents.ts";
import { append, byId, graph, last, send, sum } from "../../src/graph.ts";
import { Fatal } from "../../src/index.ts";
import { storeKinds, testClusters } from "../support/test-cluster.ts";
import { testStores } from "../support/test-store.ts";

const fresh = testClusters();
const refundDef = {
  name: "refund",
  description: "Refund a charge",
  input: z.object({ chargeId: z.string(), cents: z.number() }),
  context: z.object({ customerId: z.string() }),
};
const ask = (chargeId = "ch_7", cents = 500) => ({ tool: "refund", input: { chargeId, cents } });
const model = (turns: readonly ScriptedTurn[]) => scripted(turns, { by: "conversation" });
const start = { messages: userMessage("refund me") };

/** A model is asked, its calls are made by the node, and it is asked again. */
function loop(turns: readonly ScriptedTurn[], tools: readonly AnyTool[], more: { capabilities?: Record<string, "allow" | "deny"> } = {}) {
  const m = model(turns);
  return graph({ name: "loop", state: { messages: byId<Message>(), customerId: last("c7") } })
    .nodes((b) => ({
      agent: async (s, ctx) => ({ messages: (await ctx.model("model", m, { messages: s.messages, tools })).message }),
      tools: b.tools(tools, { into: "messages", context: (s) => ({ customerId: s.customerId }), ...more }),
    }))
    .edges({
      start: "agent",
      agent: (s) => {
        const calls = callsOf(s.messages);
        return calls.length === 0 ? "end" : calls.map((c) => send("tools", c));
      },
      tools: "agent",
    });
}
const resultsOf = (messages: readonly Message[]) =>
  messages.flatMap((m) => m.content.flatMap((p) => (p.type === "tool-result" ? [p] : [])));

describe.each(storeKinds)("%s", (kind) => {
  it("makes each call once with the run's context, however often it is asked for, and puts the results into the channel in order", async () => {
    const l = await fresh(kind);
    const sent: string[] = [];
    const refund = tool(refundDef, (i, _s, c) => `${c.customerId} ${i.chargeId} ${sent.push(i.chargeId)}`, {
      key: (i) => `refund:${i.chargeId}`,
      dedup: "1h",
    });
    const g = loop([{ calls: [ask(), ask(), ask("ch_8")] }, { text: "Again.", calls: [ask()] }, "All done."], [refund]);
    const { engine } = await l.engine([g]);
    const h = await engine.start(g, { ...start, customerId: "c9" });
    const { messages } = await l.advanceUntil(h.result());
    expect(sent.toSorted()).toEqual(["ch_7", "ch_8"]);
    expect(messages.map((m) => m.id.replace(h.runId, "run"))).toEqual([
      "user",
      "run:1/agent/model",
      "run:2/tools/refund",
      "run:2/tools~2/refund",
      "run:2/tools~3/refund",
      "run:3/agent/model",
      "run:4/tools/refund",
      "run:5/agent/model",
    ]);
    expect(resultsOf(messages).map((r) => [r.outcome, r.repeatOf])).toEqual([
      ["done", undefined],
      ["done", "2/tools/refund"],
      ["done", undefined],
      ["done", "2/tools/refund"],
    ]);
    expect(resultsOf(messages)[0]!.output).toMatch(/^c9 ch_7 \d$/);
    const causes = await h.causes({ key: "refund:ch_7" });
    expect(causes.map((c) => [c.effect.stepId, c.by.stepId, c.by.part, c.saw])).toEqual([
      ["2/tools/refund", "1/agent/model", 0, []],
      ["2/tools~2/refund", "1/agent/model", 1, []],
      ["4/tools/refund", "3/agent/model", 1, ["2/tools/refund", "2/tools~2/refund", "2/tools~3/refund"]],
    ]);
  });

  it("an unknown tool, arguments that do not fit, a limit and a capability that is denied are results; nothing is sent", async () => {
    const l = await fresh(kind);
    const sent: string[] = [];
    const refund = tool(refundDef, (i) => void sent.push(i.chargeId), { once: true, limit: { calls: 1 } });
    const pay = tool({ name: "pay", description: "Pay", input: z.object({}), needs: ["payments"] }, () => void sent.push("pay"), {
      once: true,
    });
    const bad = { tool: "refund", input: { chargeId: 7 } };
    const calls = [{ tool: "refnd", input: {} }, bad, { tool: "pay", input: {} }];
    const g = loop([{ calls }, { calls: [ask("a")] }, { calls: [ask("b")] }, "Sorry."], [refund, pay], {
      capabilities: { payments: "deny" },
    });
    const { engine } = await l.engine([g]);
    const { messages } = await l.advanceUntil((await engine.start(g, start)).result());
    expect(sent).toEqual(["a"]);
    expect(resultsOf(messages).map((r) => [r.tool, r.outcome])).toEqual([
      ["refnd", "failed"],
      ["refund", "failed"],
      ["pay", "refused"],
      ["refund", "done"],
      ["refund", "failed"],
    ]);
    expect(resultsOf(messages)[0]!.output).toBe("There is no tool refnd. There are: refund, pay.");
    expect(messages.at(-1)).toMatchObject({ role: "assistant", content: [{ text: "Sorry." }] });
  });

  it("an approval is asked once, over kills; a refusal is a result that the model reads", async () => {
    const l = await fresh(kind);
    const sent: string[] = [];
    const refund = tool(refundDef, (i) => void sent.push(i.chargeId), {
      once: true,
      approve: (i, c) => `refund ${i.chargeId} to ${c.customerId}?`,
    });
    const g = loop([{ calls: [ask("a"), ask("b")] }, { calls: [ask("a")] }, "ok"], [refund]);
    const first = await l.engine([g], { lease: "1s" });
    const h = await first.engine.start(g, start, { id: "r" });
    await l.advanceUntilLine(h.runId, "StepStarted 2/tools~2/refund");
    first.kill();
    const { engine } = await l.engine([g], { lease: "1s" });
    await l.platform.advance(15_000);
    const open = await l.advanceUntil(engine.decisions());
    expect(open.map((d) => [d.kind, d.reason])).toEqual([
      ["approval", "refund a to c7?"],
      ["approval", "refund b to c7?"],
    ]);
    await l.advanceUntil(engine.resolve(open[0]!.decisionId, { approve: true, by: "ann", reason: "fine" }));
    await l.advanceUntil(engine.resolve(open[1]!.decisionId, { refuse: true, by: "ann", reason: "no" }));
    const { messages } = await l.advanceUntil((await engine.get(g, "r"))!.result());
    expect(sent).toEqual(["a"]);
    expect(resultsOf(messages).map((r) => [r.outcome, r.repeatOf])).toEqual([
      ["done", undefined],
      ["refused", undefined],
      ["done", "2/tools/refund"],
    ]);
    expect(await l.advanceUntil(engine.decisions())).toEqual([]);
  });

  it("a run that was restored in the middle of its log undoes what the node did, though no tasks name the tool", async () => {
    const l = await fresh(kind);
    const acts: string[] = [];
    const book = tool({ name: "book", description: "Book", input: z.object({ n: z.number() }) }, (i) => (acts.push(`book ${i.n}`), i), {
      once: true,
      compensate: { undo: (_r, i) => void acts.push(`undo ${i.n}`), repeatable: true },
    });
    const turns = [1, 2, 3, 4].map((n) => ({ calls: [{ tool: "book", input: { n } }] }));
    const g = loop([...turns, () => Promise.reject(new Fatal("away"))], [book]);
    const o = { lease: "1s", limits: { snapshotTailBytesMin: 5_000 } } as const;
    const first = await l.engine([g], o);
    const h = await first.engine.start(g, start, { id: "r" });
    await l.advanceUntilLine(h.runId, "pawl.StepHeld");
    first.kill();
    const { engine } = await l.engine([g], o);
    await l.platform.advance(15_000);
    const [d] = await l.advanceUntil(engine.decisions());
    await l.advanceUntil(engine.resolve(d!.decisionId, { fail: true, by: "ann", reason: "no model" } as never));
    await expect(l.advanceUntil((await engine.get(g, "r"))!.result())).rejects.toThrow("away");
    expect(acts).toEqual(["book 1", "book 2", "book 3", "book 4", "undo 4", "undo 3", "undo 2", "undo 1"]);
  });
});

it("what is sent must be a tool call: anything else fails the run before anything is called", async () => {
  const l = await fresh("memory");
  let calls = 0;
  const look = tool({ name: "look", description: "Look", input: z.any() }, () => ++calls, { repeatable: true });
  const g = graph({ name: "bad", state: { messages: append<Message>(), call: last<unknown>(null) } })
    .nodes(({ tools }) => ({ tools: tools([look], { into: "messages" }) }))
    .edges({ start: (s) => send("tools", s.call as ToolCall), tools: "end" });
  const { engine } = await l.engine([g]);
  for (const call of [null, "look", { type: "tool-call", tool: "look" }, { type: "text", id: "1", tool: "look" }])
    await expect(l.advanceUntil((await engine.start(g, { call })).result())).rejects.toThrow("must be a tool call");
  expect(calls).toBe(0);
});

it("what is missing or misspelt is refused when the graph is defined", () => {
  const look = tool({ name: "look", description: "Look", input: z.object({}) }, () => 1, { repeatable: true });
  const other = tool({ name: "look", description: "Another", input: z.object({}) }, () => 2, { repeatable: true });
  const base = graph({ name: "bad", state: { messages: byId<Message>(), one: last<unknown>(null), n: sum() }, tasks: [look] });
  const node = (tools: unknown, o: unknown) => () => base.nodes((b) => ({ t: b.tools(tools as never, o as never) }));
  expect(node([look], { into: "mesages" })).toThrow("into names mesages");
  expect(node([look], { into: "toString" })).toThrow("no channel is called that");
  expect(node([look], { into: "one" })).toThrow("cannot take the results of several calls");
  expect(node([look], { into: "n" })).toThrow("cannot take the results of several calls");
  expect(node([look], undefined)).toThrow("it needs { into }");
  expect(node(look, { into: "messages" })).toThrow("a list of tools");
  expect(node([{ name: "rm" }], { into: "messages" })).toThrow("is not a tool");
  expect(node([look, look], { into: "messages" })).toThrow("two tools of tools() are called look");
  expect(node([look], { into: "messages", context: { id: 1 } })).toThrow("context is a function of the state");
  expect(node([look], { into: "messages", capabilities: { web: "maybe" } })).toThrow('"allow", "ask" or "deny"');
  expect(node([look], { into: "messages", contxt: () => 1 })).toThrow("contxt");
  expect(node([look], { into: "messages", alone: 1 })).toThrow("alone must be true or false");
  const edges = { start: () => [], t: "end" } as const;
  expect(() => base.nodes(({ tools }) => ({ t: tools([look], { into: "messages" }) })).edges(edges)).not.toThrow();
  expect(() => base.nodes(({ tools }) => ({ t: tools([other], { into: "messages" }) })).edges(edges)).toThrow(
    "two of its tools are called look",
  );
});

describe.each(testStores)("on a real %s", (_name, make) => {
  it("makes equal calls once, and undoes what the node did when the run fails later", async () => {
    const s = await make();
    try {
      const done: string[] = [];
      const refund = tool(refundDef, (i) => `paid ${done.push(`refund ${i.chargeId}`)}`, {
        key: (i) => `refund:${i.chargeId}`,
        dedup: "1h",
        compensate: (_r, i) => void done.push(`back ${i.chargeId}`),
      });
      const fails = model([{ calls: [ask(), ask()] }, "All done."]);
      const g = graph({ name: "fails", state: { messages: byId<Message>(), n: sum() } })
        .nodes((b) => ({
          agent: async (st, ctx) => ({ messages: (await ctx.model("model", fails, { messages: st.messages, tools: [refund] })).message }),
          tools: b.tools([refund], { into: "messages", context: () => ({ customerId: "c7" }) }),
          stop: () => {
            throw new Fatal("no more");
          },
        }))
        .edges({
          start: "agent",
          agent: (st) => {
            const calls = callsOf(st.messages);
            return calls.length === 0 ? "stop" : calls.map((c) => send("tools", c));
          },
          tools: "agent",
          stop: "end",
        });
      const { engine } = await s.engine({ workflows: [g] });
      const h = await engine.start(g, start);
      await expect(h.result()).rejects.toMatchObject({ code: "PAWL1013", message: "no more" });
      expect(done).toEqual(["refund ch_7", "back ch_7"]);
      expect(resultsOf((await h.state())!.values.messages)).toHaveLength(2);
    } finally {
      await s.close();
    }
  });
});
