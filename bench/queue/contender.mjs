// One process of a queue workload: the owner that adds work, or the worker that does it. It reads orders from its standard input, a line of JSON
// each, and answers each with a line. Owner and worker never share a process, so that every step really crosses.
import { createInterface } from "node:readline";

/**
 * @typedef {object} Owner
 * @property {boolean} counted it learns of no results: the worker's count says when a pass is over
 * @property {(groups: number, each: number) => Promise<void>} fanOut
 * @property {(runs: number) => Promise<void>} singles
 * @property {(runs: number, steps: number, isQueued: boolean) => Promise<void>} [stepped] one step after the other, on the queue or without one
 * @property {() => Promise<unknown>} end
 */
/**
 * @typedef {object} QueueWorker
 * @property {() => number} done steps that it marked complete
 * @property {(fn: () => void) => void} onDone
 * @property {() => Promise<unknown>} end
 */
/** @typedef {{ role: string, part: "owner" | "worker", url: string, places: number, local?: boolean }} QueueOrder */

/** @type {QueueOrder} */
const order = JSON.parse(process.argv[2] ?? "{}");
/** @type {{ owner: (url: string, places: number, local: boolean) => Promise<Owner>, worker: (url: string, places: number) => Promise<QueueWorker> }} */
const { owner, worker } = await import(`./${order.role}.mjs`);

/** @param {unknown} what */
const say = (what) => void process.stdout.write(`${JSON.stringify(what)}\n`);
const lines = createInterface({ input: process.stdin });

if (order.part === "owner") {
  const o = await owner(order.url, order.places, order.local === true);
  say({ counted: o.counted });
  for await (const line of lines) {
    const { groups, each, runs, steps, isQueued } = JSON.parse(line);
    if (steps !== undefined) await o.stepped?.(runs, steps, isQueued === 1);
    else await (runs === undefined ? o.fanOut(groups, each) : o.singles(runs));
    say({ added: true, residentMb: process.memoryUsage.rss() / (1024 * 1024) });
  }
  await o.end();
} else {
  const w = await worker(order.url, order.places);
  say({ ready: true });
  for await (const line of lines) {
    const { until } = JSON.parse(line);
    await new Promise((resolve) => {
      const look = () => w.done() >= until && resolve(undefined);
      w.onDone(look);
      look();
    });
    say({ done: w.done() });
  }
  await w.end();
}
process.exit(0);
