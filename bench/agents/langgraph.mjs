// The agents of the campaign on LangGraph JS with its SQLite saver, to be killed: the same script, the same file that counts the calls, one task for each
// call (Send), `durability: "sync"`. It begins an agent, or continues it from its last checkpoint. With `store` its tools are guarded by Pawl, each by the class that its
// name says; what is in doubt fails, and the model reads it. LangGraph is installed in this folder alone.
import { setTimeout as pause } from "node:timers/promises";
import { breaksOff, callsOfTurn, noteLine, toolNames, turns } from "../../test/campaign/programs/agent-script.ts";

/** Loaded by name: the project itself does not depend on it. @type {(name: string) => Promise<any>} */
const load = (name) => import(name);
const { Annotation, END, messagesStateReducer, Send, START, StateGraph } = await load("@langchain/langgraph");
const { SqliteSaver } = await load("@langchain/langgraph-checkpoint-sqlite");
const { AIMessage, HumanMessage, ToolMessage } = await load("@langchain/core/messages");

/** @type {{ db: string, ledger: string, agents: string[], store?: string }} */
const { db, ledger, agents, store } = JSON.parse(process.argv[2] ?? "{}");
const State = Annotation.Root({ messages: Annotation({ reducer: messagesStateReducer, default: () => [] }) });

/** @param {any} s */
async function model(s) {
  const agent = s.messages[0].content;
  const turn = s.messages.filter((/** @type {any} */ m) => m.getType() === "ai").length;
  noteLine(ledger, { what: "model", agent, turn });
  if (turn === turns) return { messages: [new AIMessage({ id: `ai-${turn}`, content: "done" })] };
  const tool_calls = callsOfTurn(agent, turn).map((c, i) => ({ id: `call_${turn}_${i}`, name: c.tool, args: c.input, type: "tool_call" }));
  return { messages: [new AIMessage({ id: `ai-${turn}`, content: "", tool_calls })] };
}

/** @type {(agent: string, tool: string, input: any) => Promise<unknown>} */
let guarded;
if (store !== undefined) {
  const { engine } = await import("../../src/index.ts");
  const { guard, tool } = await import("../../src/agents.ts");
  const app = await engine({ store, lease: "1s", log: () => {} });
  const input = { "~standard": { version: 1, vendor: "bench", validate: (/** @type {any} */ value) => ({ value }) } };
  const act = (/** @type {any} */ name) => async (/** @type {any} */ i, /** @type {any} */ s) => {
    noteLine(ledger, { what: "tool", agent: i.agent, tool: name, call: i.call, key: s.key });
    await pause(3);
    return `done ${i.call}`;
  };
  /** @type {any} */
  const classes = {
    once: { once: true, onDoubt: "fail" },
    keyed: { key: (/** @type {any} */ i) => `${i.agent}:${i.call}`, dedup: "1d" },
    reads: { repeatable: true },
  };
  const known = new Map(
    toolNames.map((name) => [
      name,
      tool({ name, description: name, input: /** @type {any} */ (input) }, act(name), classes[name] ?? classes.once),
    ]),
  );
  guarded = (agent, name, i) => guard(app, { thread: agent })(/** @type {any} */ (known.get(/** @type {any} */ (name))), i);
}

/** @param {any} call */
async function tools(call) {
  const message = (/** @type {string} */ content) => ({
    messages: [new ToolMessage({ id: `r-${call.id}`, tool_call_id: call.id, content })],
  });
  if (guarded !== undefined)
    return guarded(call.args.agent, call.name, call.args).then(
      (done) => message(String(done)),
      (/** @type {Error} */ e) => message(`Error: ${e.message}`),
    );
  noteLine(ledger, { what: "tool", agent: call.args.agent, tool: call.name, call: call.args.call, key: call.id });
  await pause(3);
  // A receiver that acts and then breaks the connection: its own ToolNode gives the model the error to read.
  const content = breaksOff(call.args.call) ? "Error: read ECONNRESET" : `done ${call.args.call}`;
  return message(content);
}

/** @param {any} s */
const route = (s) => {
  const calls = s.messages.at(-1).tool_calls ?? [];
  return calls.length === 0 ? END : calls.map((/** @type {any} */ c) => new Send("tools", c));
};
const graph = new StateGraph(State)
  .addNode("model", model)
  .addNode("tools", tools)
  .addEdge(START, "model")
  .addConditionalEdges("model", route, ["tools", END])
  .addEdge("tools", "model")
  .compile({ checkpointer: SqliteSaver.fromConnString(db) });

console.log("ready");
for (const agent of agents) {
  const config = { configurable: { thread_id: agent }, recursionLimit: 1_000, durability: "sync" };
  const { messages = [] } = (await graph.getState(config)).values;
  const last = messages.at(-1);
  if (last?.getType() === "ai" && last.content === "done") continue;
  const begun = messages.length > 0;
  await graph.invoke(begun ? null : { messages: [new HumanMessage({ id: "h", content: agent })] }, config);
}
console.log("over");
process.exit(0);
