// The process of D1: an engine with a DAG of layers, each node needing one node of the layer before, and the stepped workflow of W2 beside it. One order a
// line: {"layers", "width"} runs the DAG, {"runs", "steps"} the workflow. Each is answered with its time and the memory of the process.
import { createInterface } from "node:readline";
import { z } from "zod";
import { dag, engine, workflow } from "../../dist/index.js";

const { url } = JSON.parse(process.argv[2] ?? "{}");
const [layers, width] = [100, 50];

const wide = dag({ name: "wide" }, (t) => {
  /** @type {ReturnType<typeof t.task<number>>[]} */
  let before = [];
  for (let layer = 0; layer < layers; layer++) {
    before = Array.from({ length: width }, (_, n) => {
      const needs = layer === 0 ? {} : { up: /** @type {any} */ (before[n]), side: /** @type {any} */ (before[(n + 1) % width]) };
      return t.task(`n${layer}-${n}`, needs, () => n, { repeatable: true });
    });
  }
  return t.task("end", Object.fromEntries(before.map((node, n) => [`n${n}`, node])), () => layers * width, { repeatable: true });
});
const stepped = workflow({ name: "stepped", input: z.number() }, async (ctx, steps) => {
  for (let i = 0; i < steps; i++) await ctx.step(`s${i}`, () => i);
});
const e = await engine({ store: url, workflows: [wide, stepped], log: () => {} });
const say = (/** @type {unknown} */ what) => void process.stdout.write(`${JSON.stringify(what)}\n`);
say({ ready: true });
let n = 0;
for await (const line of createInterface({ input: process.stdin })) {
  const { runs, steps } = JSON.parse(line);
  const from = performance.now();
  let done = layers * width + 1;
  if (runs === undefined) await (await e.start(wide, undefined, { id: `wide-${++n}` })).result();
  else {
    done = runs * steps;
    await Promise.all(Array.from({ length: runs }, async () => (await e.start(stepped, steps, { id: `s-${++n}` })).result()));
  }
  say({ ms: performance.now() - from, done, peakMb: process.resourceUsage().maxRSS / 1024 });
}
await e.stop();
process.exit(0);
