// A new process takes a graph over that waits at a superstep: how long from opening the store, and from being asked to continue, until the
// next step's function is called, and how many events it read for it. It must never have run the graph before.
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
await h?.result();
const events = Number(/^pawl_events_read_total (\d+)$/m.exec(app.metrics())?.[1]);
process.stdout.write(
  `${JSON.stringify({ ms: (dispatched[0] ?? Number.NaN) - from, askedMs: (dispatched[0] ?? Number.NaN) - asked, events })}\n`,
);
await app.stop();
