// Pawl under measure on queues: the built package as a user would use it. The owner has no code of the task (remote), or serves its own queue
// (local); the worker is a process of its own on the store. A pass ends when every result has been given out, so that nothing is counted that is not durable.
import { z } from "zod";
import { engine, task, worker as startWorker, workflow } from "../../dist/index.js";

/** @typedef {import("./contender.mjs").Owner} Owner @typedef {import("./contender.mjs").QueueWorker} QueueWorker */

const noop = task({ name: "noop", input: z.number() }, (n) => n, { queue: "bench", repeatable: true });

/** @param {string} url @param {number} places @returns {Promise<QueueWorker>} */
export async function worker(url, places) {
  const w = await startWorker({ store: url, tasks: [noop], queues: { bench: { concurrency: places } } });
  return { done: () => 0, onDone: () => {}, end: () => w.stop() };
}

/** @param {string} url @param {number} places @param {boolean} local @returns {Promise<Owner>} */
export async function owner(url, places, local) {
  const fan = workflow({ name: "fan", input: z.number() }, async (ctx, each) => {
    await Promise.all(Array.from({ length: each }, (_, n) => ctx.do(noop, n)));
  });
  const single = workflow({ name: "single", input: z.number() }, (ctx, n) => ctx.do(noop, n));
  const queued = workflow({ name: "queued", input: z.number() }, async (ctx, steps) => {
    for (let n = 0; n < steps; n++) await ctx.do(noop, n);
  });
  const plain = workflow({ name: "plain", input: z.number() }, async (ctx, steps) => {
    for (let n = 0; n < steps; n++) await ctx.step(`s${n}`, () => n);
  });
  const queues = local ? { bench: { concurrency: places } } : {};
  const e = await engine({ store: url, workflows: [fan, single, queued, plain], queues, log: () => {} });
  let started = 0;
  const named = () => ({ id: `run-${process.pid}-${++started}` });
  return {
    counted: false,
    fanOut: async (groups, each) => {
      await Promise.all(Array.from({ length: groups }, async () => (await e.start(fan, each, named())).result()));
    },
    singles: async (runs) => {
      await Promise.all(Array.from({ length: runs }, async (_, n) => (await e.start(single, n, named())).result()));
    },
    stepped: async (runs, steps, isQueued) => {
      const of = isQueued ? queued : plain;
      await Promise.all(Array.from({ length: runs }, async () => (await e.start(of, steps, named())).result()));
    },
    end: () => e.stop(),
  };
}
