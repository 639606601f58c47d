// The limit: what the same driver, database, settings, schema and indexes allow when nothing else is done. W3 is one update
// of the run's row and two ready-made events per transaction; W4 is the two transactions of a run of one step. Beside it
// `raw`: commits per second of a single small row, and rows per second at 100 rows a commit.
import { systemPlatform } from "../dist/platform/system.js";
import { readyMade } from "./ready-made.mjs";
import { idleGapMs } from "./workloads.mjs";

/** @typedef {import("./child.mjs").Order} Order @typedef {import("./child.mjs").Subject} Subject */
/** @typedef {ReturnType<typeof readyMade>} Made */
/**
 * @typedef {object} Hand
 * @property {(made: Made) => Promise<void> | void} created the first transaction of a run
 * @property {(made: Made, n: number, last: boolean) => Promise<void> | void} advanced its n-th after that
 * @property {(rows: 1 | 100) => Promise<void> | void} raw one transaction of so many small rows
 * @property {() => Promise<void> | void} end
 */

const rawMs = 400;

/**
 * @param {Order} order
 * @returns {Promise<Subject>}
 */
export async function subject(order) {
  const { workload, store } = order;
  const platform = systemPlatform();
  const { hand } = /** @type {{ hand: (o: Order) => Promise<Hand> }} */ (await import(`./hand-${store}.mjs`));
  const by = await hand(order);
  const common = { end: () => by.end(), raw: () => perSecond(by, 1), rows: () => perSecond(by, 100) };

  if (workload.kind === "latency") {
    return {
      ...common,
      pass: async (warming) => {
        const made = readyMade(platform, 1);
        if (!warming) await new Promise((resolve) => setTimeout(resolve, idleGapMs));
        const from = performance.now();
        await by.created(made);
        await by.advanced(made, 1, true);
        return { units: 1, steps: 1, latencyMs: performance.now() - from };
      },
    };
  }
  if (!workload.limit) return { ...common, pass: () => ({ units: 0, steps: 0 }) };
  const { steps } = workload;
  return {
    ...common,
    pass: async () => {
      const made = readyMade(platform, steps); // not part of what is timed
      const from = performance.now();
      await by.created(made);
      for (let n = 1; n <= steps; n++) await by.advanced(made, n, n === steps);
      return { units: steps, steps, ms: performance.now() - from };
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
