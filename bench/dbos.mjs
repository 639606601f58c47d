// DBOS Transact under measure, as its documentation tells to use it: one process, its system database on the server that
// Pawl has, no telemetry. Its pool is the best of the sizes tried. After a crash its runs are recovered by a process that
// is launched under the dead one's executor id, which is how it is done without its paid conductor.
import { readFileSync } from "node:fs";
import { idleGapMs } from "./workloads.mjs";

/** @typedef {import("./contender.mjs").Order} Order @typedef {import("./contender.mjs").Subject} Subject */
/** @typedef {{ getResult(): Promise<unknown> }} Handle */
/**
 * The part of its interface that is used here.
 * @typedef {object} Dbos
 * @property {(config: Record<string, unknown>) => void} setConfig
 * @property {() => Promise<void>} launch
 * @property {() => Promise<void>} shutdown
 * @property {<A extends unknown[]>(fn: (...args: A) => Promise<unknown>, o: { name: string }) => (...args: A) => Promise<unknown>} registerWorkflow
 * @property {(fn: () => Promise<unknown>, o: { name: string }) => Promise<unknown>} runStep
 * @property {<A extends unknown[]>(fn: (...args: A) => Promise<unknown>) => (...args: A) => Promise<Handle>} startWorkflow
 */

const peer = "@dbos-inc/dbos-sdk";
/** Tried: 10 (its default), 20, 40. */
const poolSize = 20;

/** Installed beside this file only when peers are wanted, hence not a static import. @param {string} url */
async function configured(url) {
  process.noDeprecation = true; // it uses its driver in a way that the driver complains about
  const { DBOS } = /** @type {{ DBOS: Dbos }} */ (await import(peer));
  DBOS.setConfig({
    name: "bench",
    systemDatabaseUrl: url,
    systemDatabasePoolSize: poolSize,
    logLevel: "error",
    executorID: "bench",
    applicationVersion: "1",
  });
  return DBOS;
}

function about() {
  const manifest = JSON.parse(readFileSync(new URL(`./node_modules/${peer}/package.json`, import.meta.url), "utf8"));
  return { version: manifest.version, setting: `${poolSize} connections` };
}

/**
 * @param {Order} order
 * @returns {Promise<Subject>}
 */
export async function subject({ workload, url, runs }) {
  const DBOS = await configured(url);
  const { steps } = workload;
  const stepped = DBOS.registerWorkflow(
    async () => {
      for (let i = 0; i < steps; i++) await DBOS.runStep(async () => i, { name: `s${i}` });
      return steps;
    },
    { name: "stepped" },
  );
  await DBOS.launch();
  return {
    about: about(),
    end: () => DBOS.shutdown(),
    one: () => stepped(),
    pass: async (warming) => {
      if (workload.kind === "latency" && !warming) await new Promise((resolve) => setTimeout(resolve, idleGapMs));
      const from = performance.now();
      await Promise.all(Array.from({ length: runs }, () => stepped()));
      const ms = performance.now() - from;
      return {
        units: workload.unit === "runs/s" ? runs : runs * steps,
        steps: runs * steps,
        ms,
        ...(workload.kind === "latency" ? { latencyMs: ms } : {}),
      };
    },
  };
}

/** @param {import("./takeover-process.mjs").Part} p */
export async function part({ order, as, body }) {
  const DBOS = await configured(order.url);
  const doomed = DBOS.registerWorkflow(
    async (/** @type {number} */ run) => {
      for (let i = 0; i < order.workload.steps; i++) await DBOS.runStep(() => body(run, i), { name: `s${i}` });
    },
    { name: "doomed" },
  );
  await DBOS.launch();
  if (as === "victim") await Promise.all(Array.from({ length: order.runs }, (_, run) => DBOS.startWorkflow(doomed)(run)));
  return about();
}
