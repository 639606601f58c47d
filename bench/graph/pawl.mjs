// Pawl's graphs under measure: the built package on a new store, with no setting that differs from the defaults. Each order is one process, so that
// nothing is warm that a user would not have warm, but for what `warmUp` does alike on both sides. Nothing is counted before its result was given out.
import { engine, workflow } from "../../dist/index.js";
import { append, graph, last, sum } from "../../dist/graph.js";
import { z } from "zod";
import { message, warmUp } from "./shared.mjs";
import { waiting } from "./waiting.mjs";

/** @type {{ what: string, url: string, threads: number, supersteps: number }} */
const { what, url, threads, supersteps } = JSON.parse(process.argv[2] ?? "{}");
const loop = graph({ name: "loop", state: { n: sum(), to: last(0) }, maxSteps: 100_000 })
  .nodes(({ effect }) => ({ a: effect(async () => ({ n: 1 }), { repeatable: true }) }))
  .edges({ start: "a", a: (s) => (s.n < s.to ? "a" : "end") });
const list = graph({ name: "list", state: { messages: append(), to: last(0) }, maxSteps: 100_000 })
  .nodes(({ effect }) => ({ a: effect(async () => ({ messages: message() }), { repeatable: true }) }))
  .edges({ start: "a", a: (s) => (s.messages.length < s.to ? "a" : "end") });
const plain = workflow({ name: "plain", input: z.number() }, async (ctx, n) => {
  for (let i = 0; i < n; i++) await ctx.step("s", () => 1, { repeatable: true });
});
const paused = waiting([]);
const app = await engine({ store: url, workflows: [loop, list, paused, plain], log: () => {} });
const commits = () => Number(/^pawl_commits_total (\d+)$/m.exec(app.metrics())?.[1]);
/** @param {string} id @param {number} n */
const begin = (id, n) => (what === "plain" ? app.start(plain, n, { id }) : app.start(what === "list" ? list : loop, { to: n }, { id }));
/** @param {string} name */
const round = async (name) => {
  const all = await Promise.all(Array.from({ length: threads }, (_, i) => begin(`${name}${i}`, supersteps)));
  await Promise.all(all.map((h) => h.result()));
};

if (what === "wait") {
  const h = await app.start(paused, { to: supersteps }, { id: "t" });
  while ((await h.status()).waiting !== "signal") await new Promise((r) => void setTimeout(r, 20));
  process.stdout.write("{}\n");
} else {
  if (what !== "list") await warmUp(threads * supersteps, round);
  const [before, from] = [commits(), performance.now()];
  await round("t");
  const perSecond = (threads * supersteps * 1_000) / (performance.now() - from);
  // The Commit that creates a run records no superstep that is counted here.
  const commitsEach = (commits() - before - threads) / (threads * supersteps);
  process.stdout.write(`${JSON.stringify({ perSecond, commitsEach })}\n`);
}
await app.stop();
