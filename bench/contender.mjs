// A contender of one round, in a process of its own, so that Pawl and a peer never share a heap: reads its order from the
// command line, warms up, says so, and then repeats the workload for a stretch of time, or gets warm again, whenever it is told
// to, a line of JSON for each. When nothing more is to be told it says what is left, and ends. The store is new, and the caller's
// to remove.
import { createInterface } from "node:readline";
import { serverCpuUs } from "./cpu.mjs";

/** @typedef {import("./workloads.mjs").Workload} Workload @typedef {import("./workloads.mjs").Role} Role */
/**
 * @typedef {object} Order
 * @property {Role} role
 * @property {Workload} workload
 * @property {import("./workloads.mjs").StoreName} store
 * @property {string} url
 * @property {string} dir
 * @property {number | null} serverPid
 * @property {import("./rounds.mjs").Warming | null} warming null: cold
 * @property {number} forMs how long a stretch is, at least
 * @property {number} runs
 */
/**
 * What a role can do for one workload: `pass` does it once, and tells how much was done; the rest is about the process.
 * @typedef {object} Subject
 * @property {(warming: boolean) => Promise<Pass> | Pass} pass warming: as fast as it can, to have the code compiled
 * @property {() => Promise<void> | void} end
 * @property {() => Promise<unknown>} [one] a single run, awaited: what a route does
 * @property {() => Promise<number>} [raw] single-row commits per second
 * @property {() => Promise<number>} [rows] rows per second at 100 rows per commit
 * @property {Record<string, string | number>} [about]
 */
/** @typedef {{ units: number, steps: number, ms?: number, latencyMs?: number, flat?: number, value?: number, cpuUs?: number }} Pass `ms` and `cpuUs`: what it took, where not all of it counts */
/**
 * @typedef {object} Stretch
 * @property {number} units
 * @property {number} steps
 * @property {number} tookMs
 * @property {number} cpuUs
 * @property {number | null} databaseCpuUs
 * @property {number[]} values what passes told of themselves
 * @property {number[]} latenciesMs
 * @property {number[]} flat
 */
/**
 * What a contender says at its end.
 * @typedef {object} Rest
 * @property {number | null} raw
 * @property {number | null} rows
 * @property {number} peakMb
 * @property {number} residentMb
 * @property {Record<string, string | number>} about
 */

/** @type {Order} */
const order = JSON.parse(process.argv[2] ?? "{}");
const file = order.workload.kind === "claim" ? "claim" : order.role;
const { subject } = /** @type {{ subject: (o: Order) => Promise<Subject> }} */ (await import(`./${file}.mjs`));
const { pass, end, raw, rows, about } = await subject(order);

/** @param {unknown} what */
const say = (what) => void process.stdout.write(`${JSON.stringify(what)}\n`);

/** @param {(tookMs: number, steps: number) => boolean} enough @param {boolean} warming @returns {Promise<Stretch>} */
async function repeat(enough, warming) {
  /** @type {Pass[]} */
  const passes = [];
  let units = 0;
  let steps = 0;
  let tookMs = 0;
  let counted = 0;
  const cpu = process.cpuUsage();
  const server = serverCpuUs(order.serverPid);
  const from = performance.now();
  do {
    const begun = performance.now();
    const done = await pass(warming);
    tookMs += done.ms ?? performance.now() - begun;
    passes.push(done);
    units += done.units;
    steps += done.steps;
    counted += done.cpuUs ?? 0;
  } while (!enough(performance.now() - from, steps));
  const { user, system } = process.cpuUsage(cpu);
  const after = serverCpuUs(order.serverPid);
  return {
    units,
    steps,
    tookMs,
    cpuUs: counted > 0 ? counted : user + system,
    databaseCpuUs: server === null || after === null ? null : after - server,
    values: passes.flatMap((p) => p.value ?? []),
    latenciesMs: passes.flatMap((p) => p.latencyMs ?? []),
    flat: passes.flatMap((p) => p.flat ?? []),
  };
}

const againMs = 1_000;
const single = order.workload.kind === "memory" || order.workload.kind === "claim";
const { warming } = order;
if (!single && warming !== null) {
  await repeat((ms, steps) => (ms >= warming.ms && steps >= warming.steps) || ms >= warming.msMax, true);
}
say("ready");
for await (const line of createInterface({ input: process.stdin })) {
  // Warm again: V8 gives up compiled code of a process that was idle while the others were getting warm.
  if (line === "warm") await repeat((ms) => ms >= againMs, true);
  say(line === "warm" ? "ready" : await repeat((ms) => single || ms >= order.forMs, false));
}
/** @type {Rest} */
const rest = {
  raw: (await raw?.()) ?? null,
  rows: (await rows?.()) ?? null,
  peakMb: process.resourceUsage().maxRSS / 1024,
  residentMb: process.memoryUsage.rss() / (1024 * 1024),
  about: { node: process.versions.node, ...about },
};
await end();
say(rest);
