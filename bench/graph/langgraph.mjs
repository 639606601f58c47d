// LangGraph JS under measure, with its own savers and `durability: "sync"`. It is installed in bench/agents alone. With `full` its SQLite file has
// synchronous=FULL, as Pawl's has; else the driver's own setting, which is printed.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { message, warmUp } from "./shared.mjs";

const from = createRequire(new URL("../agents/package.json", import.meta.url));
/** Loaded by name: the project itself does not depend on it. @type {(name: string) => Promise<any>} */
const load = (name) => import(pathToFileURL(from.resolve(name)).href);
const { Annotation, Command, DeltaChannel, END, START, StateGraph, interrupt } = await load("@langchain/langgraph");

/** @type {{ what: string, url: string, threads: number, supersteps: number, full: boolean }} */
const { what, url, threads, supersteps, full } = JSON.parse(process.argv[2] ?? "{}");
const isPostgres = url.startsWith("postgres");
const { PostgresSaver } = isPostgres ? await load("@langchain/langgraph-checkpoint-postgres") : {};
const { SqliteSaver } = isPostgres ? {} : await load("@langchain/langgraph-checkpoint-sqlite");
const opened = performance.now();
/** @type {any} */
let saver;
let about = "";
if (isPostgres) {
  saver = PostgresSaver.fromConnString(url);
  await saver.setup();
  about = "synchronous_commit as the server has it";
} else {
  saver = SqliteSaver.fromConnString(`${url.slice("sqlite:".length)}.lg`);
  await saver.getTuple({ configurable: { thread_id: "none" } }); // it sets its pragmas when it is first used
  if (full) saver.db.pragma("synchronous = FULL");
  about = `synchronous=${saver.db.pragma("synchronous", { simple: true })}`;
}
const isList = what === "list" || what === "delta list";
/** @param {string[]} a @param {string[]} b */
const joined = (a, b) => a.concat(b);
const State = Annotation.Root({
  n: Annotation({ reducer: (/** @type {number} */ a, /** @type {number} */ b) => a + b, default: () => 0 }),
  to: Annotation(),
  messages:
    what === "delta list"
      ? () =>
          new DeltaChannel((/** @type {string[]} */ a, /** @type {string[][]} */ writes) => a.concat(...writes), {
            initialValueFactory: () => [],
          })
      : Annotation({ reducer: joined, default: () => [] }),
});
/** @type {number[]} */
const dispatched = [];
const app = new StateGraph(State)
  .addNode("a", async (/** @type {any} */ s) => {
    if (what === "wait" || what === "restart") {
      if (s.n === s.to) interrupt("go");
      dispatched.push(performance.now());
    }
    return isList ? { n: 1, messages: [message()] } : { n: 1 };
  })
  .addEdge(START, "a")
  .addConditionalEdges("a", (/** @type {any} */ s) => (s.n < s.to + Number(what === "wait" || what === "restart") ? "a" : END), ["a", END])
  .compile({ checkpointer: saver });
/** @param {unknown} input @param {string} id */
const run = (input, id) => app.invoke(input, { configurable: { thread_id: id }, recursionLimit: 100_000, durability: "sync" });
/** @param {string} name */
const round = (name) => Promise.all(Array.from({ length: threads }, (_, i) => run({ to: supersteps }, `${name}${i}`)));

/** @type {Record<string, unknown>} */
let answer = {};
if (what === "restart") {
  const asked = performance.now();
  await run(new Command({ resume: 1 }), "t0");
  answer = { ms: (dispatched[0] ?? Number.NaN) - opened, askedMs: (dispatched[0] ?? Number.NaN) - asked };
} else {
  if (what === "loop") await warmUp(threads * supersteps, async (name) => void (await round(name)));
  const begun = performance.now();
  await round("t");
  answer = { perSecond: (threads * supersteps * 1_000) / (performance.now() - begun), about };
}
process.stdout.write(`${JSON.stringify(answer)}\n`);
await saver.end?.();
