// Pawl under measure: the built package, one engine on a new store, as a user would open it. No setting differs from the
// defaults. A pass ends when every result has been given out, so that nothing is counted that is not durable.
import { z } from "zod";
import { engine, workflow } from "../dist/index.js";
import { idleGapMs, startsInFlight } from "./workloads.mjs";

/** @typedef {import("./contender.mjs").Order} Order @typedef {import("./contender.mjs").Subject} Subject */

/** Steps between which the cost of early and late steps is compared. */
const stretch = 1_000;

/** Never asked in a run that nothing happens to. */
const verify = async () => ({ state: /** @type {const} */ ("not-completed") });

/**
 * @param {Order} order
 * @returns {Promise<Subject>}
 */
export async function subject({ workload, url, runs }) {
  const { steps, kind, id, declared } = workload;
  /** @type {number[]} */
  let marks = [];
  const stepped = workflow({ name: "stepped" }, async (ctx) => {
    for (let i = 0; i < steps; i++) {
      if (i % stretch === 0) marks.push(performance.now());
      if (declared === "keyed") await ctx.step(`s${i}`, () => i, { key: `${ctx.run.runId}-${i}`, dedup: "24h" });
      else if (declared === "verified") await ctx.step(`s${i}`, () => i, { verify });
      else await ctx.step(`s${i}`, () => i);
    }
    marks.push(performance.now());
    return steps;
  });
  const sleeper = workflow({ name: "sleeper" }, async (ctx) => {
    await ctx.sleep("long", "30d");
  });
  const e = await engine({ store: url, workflows: [stepped, sleeper], log: () => {} });
  const end = () => e.stop();
  let started = 0;
  /** As users do: under an id of their own, so that a second request finds the first run. */
  const named = async () => (await e.start(stepped, undefined, { id: `run-${process.pid}-${++started}` })).result();
  const one = workload.unnamed === true ? () => e.run(stepped) : named;

  if (kind === "latency") {
    return {
      end,
      pass: async (warming) => {
        if (!warming) await new Promise((resolve) => setTimeout(resolve, idleGapMs));
        const from = performance.now();
        await one();
        return { units: 1, steps: 1, latencyMs: performance.now() - from };
      },
    };
  }
  if (id === "M-sleep") {
    return {
      end,
      pass: async () => {
        let left = runs;
        const lane = async () => {
          while (left-- > 0) await e.start(sleeper);
        };
        await Promise.all(Array.from({ length: startsInFlight }, lane));
        return { units: runs, steps: 0 };
      },
    };
  }
  return {
    end,
    pass: async () => {
      marks = [];
      await Promise.all(Array.from({ length: runs }, one));
      return { units: workload.unit === "runs/s" ? runs : runs * steps, steps: runs * steps, ...flatness(marks, runs) };
    },
  };
}

/**
 * W5: no more than a workflow and an engine.
 * @param {import("./takeover-process.mjs").Part} p
 */
export async function part({ order, as, body }) {
  const doomed = workflow({ name: "doomed", input: z.number() }, async (ctx, run) => {
    for (let i = 0; i < order.workload.steps; i++) await ctx.step(`s${i}`, () => body(run, i));
  });
  const e = await engine({ store: order.url, workflows: [doomed], log: () => {} });
  if (as === "victim") await Promise.all(Array.from({ length: order.runs }, (_, run) => e.start(doomed, run)));
  return {};
}

/**
 * The last full stretch of a single run over its first.
 * @param {readonly number[]} marks
 * @param {number} runs
 */
function flatness(marks, runs) {
  const [a = 0, b = 0] = marks;
  const y = marks.at(-2) ?? 0;
  const z = marks.at(-1) ?? 0;
  return runs === 1 && marks.length > 2 ? { flat: (z - y) / (b - a) } : {};
}
