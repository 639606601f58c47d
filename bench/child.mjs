// One round, in a process of its own, so that Pawl and a peer never share a heap: reads its order from the command line,
// warms up, repeats the workload for the time it is given, prints one line of JSON. The store is a new file in a folder
// that the caller made and removes.

/** @typedef {import("./workloads.mjs").Workload} Workload @typedef {import("./workloads.mjs").Role} Role */
/**
 * @typedef {object} Order
 * @property {Role} role
 * @property {Workload} workload
 * @property {string} dir
 * @property {number} warmMs
 * @property {number} forMs
 * @property {number} runs
 */
/**
 * What a role can do for one workload: `pass` does it once, and tells how much was done; the rest is about the process.
 * @typedef {object} Subject
 * @property {(warming: boolean) => Promise<Pass> | Pass} pass warming: as fast as it can, to have the code compiled
 * @property {() => Promise<void> | void} end
 * @property {() => number} [raw] single-row commits per second
 * @property {Record<string, string | number>} [about]
 */
/** @typedef {{ units: number, steps: number, ms?: number, latencyMs?: number, flat?: number }} Pass `ms`: what it took, where not all of it counts */
/**
 * @typedef {object} Round
 * @property {number} rate units per second
 * @property {number} cpuUsPerStep
 * @property {number[]} latenciesMs
 * @property {number[]} flat
 * @property {number | null} raw
 * @property {number} peakMb
 * @property {number} residentMb
 * @property {Record<string, string | number>} about
 */

/** @type {Order} */
const order = JSON.parse(process.argv[2] ?? "{}");
const { subject } = /** @type {{ subject: (o: Order) => Promise<Subject> }} */ (await import(`./${order.role}.mjs`));
const { pass, end, raw, about } = await subject(order);

/** @param {number} ms @param {boolean} warming */
async function repeat(ms, warming) {
  /** @type {Pass[]} */
  const passes = [];
  let units = 0;
  let steps = 0;
  let tookMs = 0;
  const cpu = process.cpuUsage();
  const from = performance.now();
  do {
    const begun = performance.now();
    const done = await pass(warming);
    tookMs += done.ms ?? performance.now() - begun;
    passes.push(done);
    units += done.units;
    steps += done.steps;
  } while (performance.now() - from < ms);
  const { user, system } = process.cpuUsage(cpu);
  return { passes, rate: (units / tookMs) * 1_000, cpuUsPerStep: steps === 0 ? 0 : (user + system) / steps };
}

const memory = order.workload.kind === "memory";
if (!memory && order.warmMs > 0) await repeat(order.warmMs, true);
const measured = await repeat(memory ? 0 : order.forMs, false);
const mb = 1024 * 1024;
/** @type {Round} */
const round = {
  rate: measured.rate,
  cpuUsPerStep: measured.cpuUsPerStep,
  latenciesMs: measured.passes.flatMap((p) => p.latencyMs ?? []),
  flat: measured.passes.flatMap((p) => p.flat ?? []),
  raw: raw === undefined ? null : raw(),
  peakMb: process.resourceUsage().maxRSS / 1024,
  residentMb: process.memoryUsage.rss() / mb,
  about: { node: process.versions.node, ...about },
};
await end();
process.stdout.write(`${JSON.stringify(round)}\n`);
