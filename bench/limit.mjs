// The limit: what the same driver, database, settings, schema and indexes allow when nothing else is done. W3 is one update
// of the run's row and two ready-made events per transaction; W4 is the two transactions of a run of one step; in W1 and
// W2 as many runs as an engine takes together share a transaction. Beside it `raw`: commits per second of a single small
// row, and rows per second at 100 rows a commit. Its CPU is the database's share where the database is in the process.
import { systemPlatform } from "../dist/platform/system.js";
import { readyMade } from "./baseline/prepared-rows.mjs";
import { idleGapMs } from "./workloads.mjs";

/** @typedef {import("./contender.mjs").Order} Order @typedef {import("./contender.mjs").Subject} Subject */
/** @typedef {ReturnType<typeof readyMade>} Made */
/**
 * @typedef {object} Hand
 * @property {(made: Made) => Promise<void> | void} created the first transaction of a run
 * @property {(made: Made, n: number, last: boolean) => Promise<void> | void} advanced its n-th after that
 * @property {(made: readonly Made[], n: number, last: boolean) => Promise<void> | void} [together] the n-th of each, in one; 0: the first
 * @property {(rows: 1 | 100) => Promise<void> | void} raw one transaction of so many small rows
 * @property {() => Promise<void> | void} end
 */

const rawMs = 400;
/** Runs that share a transaction, as in an engine (K6). */
const batchMax = 256;

/**
 * @param {Order} order
 * @returns {Promise<Subject>}
 */
export async function subject(order) {
  const { workload, store } = order;
  const platform = systemPlatform();
  const { hand } = /** @type {{ hand: (o: Order) => Promise<Hand> }} */ (await import(`./baseline/${store}.mjs`));
  const by = await hand(order);
  const common = { end: () => by.end(), raw: () => perSecond(by, 1), rows: () => perSecond(by, 100) };

  if (workload.kind === "latency") {
    return {
      ...common,
      pass: async (warming) => {
        const made = readyMade(platform, 1);
        if (!warming) await new Promise((resolve) => setTimeout(resolve, idleGapMs));
        const cpu = process.cpuUsage();
        const from = performance.now();
        await by.created(made);
        await by.advanced(made, 1, true);
        const latencyMs = performance.now() - from;
        const { user, system } = process.cpuUsage(cpu);
        return { units: 1, steps: 1, latencyMs, cpuUs: user + system };
      },
    };
  }
  if (!workload.limit.includes(store)) return { ...common, pass: () => ({ units: 0, steps: 0 }) };
  const { steps, runs } = workload;
  const { together } = by;
  /** @param {readonly Made[]} made */
  const alone = async ([made]) => {
    if (made === undefined) return;
    await by.created(made);
    for (let n = 1; n <= steps; n++) await by.advanced(made, n, n === steps);
  };
  /** @param {readonly Made[]} made */
  const many = async (made) => {
    for (let n = 0; n <= steps; n++) {
      for (let i = 0; i < made.length; i += batchMax) await together?.(made.slice(i, i + batchMax), n, n === steps);
    }
  };
  return {
    ...common,
    pass: async () => {
      const made = Array.from({ length: runs }, () => readyMade(platform, steps)); // neither timed nor counted
      const cpu = process.cpuUsage();
      const from = performance.now();
      await (runs === 1 ? alone : many)(made);
      const ms = performance.now() - from;
      const { user, system } = process.cpuUsage(cpu);
      return { units: workload.unit === "runs/s" ? runs : runs * steps, steps: runs * steps, ms, cpuUs: user + system };
    },
  };
}

/** @param {Hand} by @param {1 | 100} rows */
async function perSecond(by, rows) {
  let n = 0;
  const from = performance.now();
  while (performance.now() - from < rawMs) {
    await by.raw(rows);
    n += rows;
  }
  return (n / (performance.now() - from)) * 1_000;
}
