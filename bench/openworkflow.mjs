// OpenWorkflow under measure, as its documentation tells to use it: one client, one worker in the same process, its
// durable SQLite backend with the settings it makes itself. Two things are done in its favour: the number of runs that
// its worker takes at once is the best of those tried for each workload, and the end of a run is looked for every
// millisecond, where its own `result()` looks once a second.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { idleGapMs } from "./workloads.mjs";

/** @typedef {import("./child.mjs").Order} Order @typedef {import("./child.mjs").Subject} Subject */
/** @typedef {{ workflowRun: { id: string } }} Handle */
/**
 * The part of its interface that is used here.
 * @typedef {object} Peer
 * @property {new (o: { backend: Backend }) => Client} OpenWorkflow
 * @property {{ connect(path: string): Backend }} BackendSqlite
 */
/**
 * @typedef {object} Backend
 * @property {(q: { workflowRunId: string }) => Promise<{ status: string } | null>} getWorkflowRun
 * @property {() => Promise<void>} stop
 * @property {{ prepare(sql: string): { get(): Record<string, number> | undefined } }} db its own connection
 */
/** @typedef {{ input: unknown, step: { run(o: { name: string }, fn: () => unknown): Promise<unknown> } }} Given */
/**
 * @typedef {object} Client
 * @property {(spec: { name: string }, fn: (given: Given) => Promise<unknown>) => { run(input?: unknown): Promise<Handle> }} defineWorkflow
 * @property {(o: { concurrency: number }) => { start(): Promise<void>, stop(): Promise<void> }} newWorker
 */

const peer = "openworkflow";
/** Tried: 1, 10, 50, 100, 200. Its claims cost a transaction each, so more is better until the event loop is full. */
const concurrency = 100;

/** Installed beside this file only when peers are wanted, hence not a static import. @param {string} entry */
const load = async (entry) => /** @type {Peer} */ (await import(entry));

/**
 * Asked of its own connection: it is left as it sets itself, and said.
 * @param {Backend} backend
 */
function synchronousOf(backend) {
  const level = backend.db.prepare("pragma synchronous").get()?.["synchronous"];
  return ["off", "normal", "full", "extra"][level ?? -1] ?? "unknown";
}

/**
 * @param {Order} order
 * @returns {Promise<Subject>}
 */
export async function subject({ workload, dir, runs }) {
  const { OpenWorkflow } = await load(peer);
  const { BackendSqlite } = await load(`${peer}/sqlite`);
  const backend = BackendSqlite.connect(join(dir, "openworkflow.db"));
  const ow = new OpenWorkflow({ backend });
  const { steps } = workload;
  let returned = 0;
  const stepped = ow.defineWorkflow({ name: "stepped" }, async ({ step }) => {
    for (let i = 0; i < steps; i++) await step.run({ name: `s${i}` }, () => i);
    returned++;
    return steps;
  });
  const worker = ow.newWorker({ concurrency: Math.min(concurrency, runs) });
  await worker.start();
  /** @param {readonly Handle[]} handles */
  const allEnded = async (handles) => {
    for (let left = [...handles]; left.length > 0;) {
      // Looking costs it a read each: not before the code of all of them has returned.
      while (returned < handles.length) await new Promise((resolve) => setTimeout(resolve, 1));
      const states = await Promise.all(left.map((h) => backend.getWorkflowRun({ workflowRunId: h.workflowRun.id })));
      if (states.some((s) => s?.status === "failed")) throw new Error("a run of the peer failed");
      left = left.filter((_, i) => states[i]?.status !== "completed");
      if (left.length > 0) await new Promise((resolve) => setTimeout(resolve, 1));
    }
  };
  const manifest = JSON.parse(readFileSync(new URL(`./node_modules/${peer}/package.json`, import.meta.url), "utf8"));
  return {
    about: { version: manifest.version, synchronous: synchronousOf(backend), concurrency: Math.min(concurrency, runs) },
    end: async () => {
      await worker.stop();
      await backend.stop();
    },
    pass: async (warming) => {
      returned = 0;
      if (workload.kind === "latency" && !warming) await new Promise((resolve) => setTimeout(resolve, idleGapMs));
      const from = performance.now();
      const handles = await Promise.all(Array.from({ length: runs }, () => stepped.run()));
      await allEnded(handles);
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
