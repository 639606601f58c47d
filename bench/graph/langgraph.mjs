// LangGraph JS under measure, with its own savers and `durability: "sync"`. It is installed in bench/agents alone. With `full` its SQLite file has
// synchronous=FULL, as Pawl's has; else the driver's own setting, which is printed.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const from = createRequire(new URL("../agents/package.json", import.meta.url));
/** Loaded by name: the project itself does not depend on it. @type {(name: string) => Promise<any>} */
const load = (name) => import(pathToFileURL(from.resolve(name)).href);
const { Annotation, END, START, StateGraph } = await load("@langchain/langgraph");

/** @type {{ what: string, url: string, threads: number, supersteps: number, full: boolean }} */
const { what, url, threads, supersteps, full } = JSON.parse(process.argv[2] ?? "{}");
/** @type {any} */
let saver;
let about = "";
if (url.startsWith("postgres")) {
  const { PostgresSaver } = await load("@langchain/langgraph-checkpoint-postgres");
  saver = PostgresSaver.fromConnString(url);
  await saver.setup();
  about = "synchronous_commit as the server has it";
} else {
  const { SqliteSaver } = await load("@langchain/langgraph-checkpoint-sqlite");
  saver = SqliteSaver.fromConnString(`${url.slice("sqlite:".length)}.lg`);
  await saver.getTuple({ configurable: { thread_id: "none" } }); // it sets its pragmas when it is first used
  if (full) saver.db.pragma("synchronous = FULL");
  about = `synchronous=${saver.db.pragma("synchronous", { simple: true })}`;
}
const word = "x".repeat(200);
const State = Annotation.Root({
  n: Annotation({ reducer: (/** @type {number} */ a, /** @type {number} */ b) => a + b, default: () => 0 }),
  to: Annotation(),
  messages: Annotation({ reducer: (/** @type {string[]} */ a, /** @type {string[]} */ b) => a.concat(b), default: () => [] }),
});
const app = new StateGraph(State)
  .addNode("a", async (/** @type {any} */ s) => (what === "list" ? { n: 1, messages: [`${s.messages.length} ${word}`] } : { n: 1 }))
  .addEdge(START, "a")
  .addConditionalEdges("a", (/** @type {any} */ s) => (s.n < s.to ? "a" : END), ["a", END])
  .compile({ checkpointer: saver });
/** @param {string} id @param {number} to */
const run = (id, to) => app.invoke({ to }, { configurable: { thread_id: id }, recursionLimit: 100_000, durability: "sync" });
if (what === "loop") await run("warm", 300);
const begun = performance.now();
await Promise.all(Array.from({ length: threads }, (_, i) => run(`t${i}`, supersteps)));
process.stdout.write(`${JSON.stringify({ perSecond: (threads * supersteps * 1_000) / (performance.now() - begun), about })}\n`);
await saver.end?.();
