// A new process takes a graph over that waits at a superstep: how long from opening the store until the next step's function
// is called. It must never have run the graph before.
import { engine } from "../../dist/index.js";
import { graph, last, sum } from "../../dist/graph.js";
import { z } from "zod";

const { url } = JSON.parse(process.argv[2] ?? "{}");
/** @type {number[]} */
const dispatched = [];
const waiting = graph({ name: "waiting", state: { n: sum(), to: last(0) }, signals: { go: z.number() }, maxSteps: 100_000 })
  .nodes({
    a: async (s, ctx) => {
      if (s.n === s.to) await ctx.receive("go");
      await ctx.step("s", () => void dispatched.push(performance.now()), { repeatable: true });
      return { n: 1 };
    },
  })
  .edges({ start: "a", a: (s) => (s.n <= s.to ? "a" : "end") });
const from = performance.now();
const app = await engine({ store: url, workflows: [waiting], log: () => {} });
const h = await app.get(waiting, "t");
await h?.signal("go", 1);
await h?.result();
process.stdout.write(`${JSON.stringify({ ms: (dispatched[0] ?? Number.NaN) - from })}\n`);
await app.stop();
