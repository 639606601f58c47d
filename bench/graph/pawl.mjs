// Pawl's graphs under measure: the built package on a new store, with no setting that differs from the defaults. Each order is one process, so that
// nothing is warm that a user would not have warm. Nothing is counted before its result was given out.
import { engine, workflow } from "../../dist/index.js";
import { append, graph, last, sum } from "../../dist/graph.js";
import { z } from "zod";

/** @type {{ what: string, url: string, threads: number, supersteps: number }} */
const { what, url, threads, supersteps } = JSON.parse(process.argv[2] ?? "{}");
const word = "x".repeat(200);
/** @type {number[]} */
const dispatched = [];
const loop = graph({ name: "loop", state: { n: sum(), to: last(0) }, maxSteps: 100_000 })
  .nodes(({ effect }) => ({ a: effect(async () => ({ n: 1 }), { repeatable: true }) }))
  .edges({ start: "a", a: (s) => (s.n < s.to ? "a" : "end") });
const list = graph({ name: "list", state: { messages: append(), to: last(0) }, maxSteps: 100_000 })
  .nodes(({ effect }) => ({ a: effect(async (s) => ({ messages: `${s.messages.length} ${word}` }), { repeatable: true }) }))
  .edges({ start: "a", a: (s) => (s.messages.length < s.to ? "a" : "end") });
const waiting = graph({ name: "waiting", state: { n: sum(), to: last(0) }, signals: { go: z.number() }, maxSteps: 100_000 })
  .nodes({
    a: async (s, ctx) => {
      if (s.n === s.to) await ctx.receive("go");
      await ctx.step("s", () => void dispatched.push(performance.now()), { repeatable: true });
      return { n: 1 };
    },
  })
  .edges({ start: "a", a: (s) => (s.n <= s.to ? "a" : "end") });
const plain = workflow({ name: "plain", input: z.number() }, async (ctx, n) => {
  for (let i = 0; i < n; i++) await ctx.step("s", () => 1, { repeatable: true });
});
const workflows = [loop, list, waiting, plain];
const open = () => engine({ store: url, workflows, log: () => {} });
/** @param {unknown} o */
const say = (o) => process.stdout.write(`${JSON.stringify(o)}\n`);

if (what === "loop" || what === "plain") {
  const app = await open();
  const begin = (/** @type {string} */ id, /** @type {number} */ n) =>
    what === "loop" ? app.start(loop, { to: n }, { id }) : app.start(plain, n, { id });
  await (await begin("warm", 300)).result();
  const from = performance.now();
  const all = await Promise.all(Array.from({ length: threads }, (_, i) => begin(`t${i}`, supersteps)));
  await Promise.all(all.map((h) => h.result()));
  say({ perSecond: (threads * supersteps * 1_000) / (performance.now() - from) });
  await app.stop();
} else if (what === "list") {
  const app = await open();
  await (await app.start(list, { to: supersteps }, { id: "t" })).result();
  await app.stop();
  say({});
} else {
  const first = await open();
  const h = await first.start(waiting, { to: supersteps }, { id: "t" });
  while ((await h.status()).waiting !== "signal") await new Promise((r) => void setTimeout(r, 20));
  await first.stop();
  say({});
}
