// A new process takes a graph over that waits at a superstep: how long until the next step's function is called, from opening the store, from being
// asked to continue, and from when the answer was in the store and the run could be claimed; and how many events it read for it. It must never have run the
// graph before.
import { engine } from "../../dist/index.js";
import { waiting } from "./waiting.mjs";

const { url } = JSON.parse(process.argv[2] ?? "{}");
/** @type {number[]} */
const dispatched = [];
const graph = waiting(dispatched);
const from = performance.now();
const app = await engine({ store: url, workflows: [graph], log: () => {} });
const h = await app.get(graph, "t");
const asked = performance.now();
await h?.signal("go", 1);
const claimable = performance.now();
await h?.result();
const events = Number(/^pawl_events_read_total (\d+)$/m.exec(app.metrics())?.[1]);
const first = dispatched[0] ?? Number.NaN;
process.stdout.write(`${JSON.stringify({ ms: first - from, askedMs: first - asked, claimMs: first - claimable, events })}\n`);
await app.stop();
