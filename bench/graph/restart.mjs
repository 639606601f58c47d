// A new process takes a graph over that waits at a superstep: how long until the next step's function is called, from opening the store, from being
// asked to continue, and from when it began the claim that got the run; and how many events it read for it. It must never have run the graph before.
import { engine } from "../../dist/index.js";
import { postgres } from "../../dist/postgres.js";
import { sqlite } from "../../dist/sqlite.js";
import { waiting } from "./waiting.mjs";

const { url } = JSON.parse(process.argv[2] ?? "{}");
/** @type {number[]} */
const dispatched = [];
const graph = waiting(dispatched);
const from = performance.now();
const store = url.startsWith("sqlite:") ? await sqlite(url.slice("sqlite:".length)) : await postgres(url);
const claim = store.claim.bind(store);
let claimed = Number.NaN;
store.claim = async (q) => {
  const began = performance.now();
  const runs = await claim(q);
  if (runs.length > 0) claimed = began;
  return runs;
};
const app = await engine({ store, workflows: [graph], log: () => {} });
const h = await app.get(graph, "t");
const asked = performance.now();
await h?.signal("go", 1);
await h?.result();
const events = Number(/^pawl_events_read_total (\d+)$/m.exec(app.metrics())?.[1]);
const first = dispatched[0] ?? Number.NaN;
process.stdout.write(`${JSON.stringify({ ms: first - from, askedMs: first - asked, claimMs: first - claimed, events })}\n`);
await app.stop();
await store.close();
