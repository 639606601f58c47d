// OpenWorkflow under measure, as its documentation tells to use it: one client, one worker in the same process, its
// SQLite or Postgres backend with the settings it makes itself. Two things are done in its favour: the number of runs that
// its worker takes at once is the best of those tried for each workload, and the end of a run is looked for every
// millisecond, where its own `result()` looks once a second.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { idleGapMs } from "./workloads.mjs";

/** @typedef {import("./contender.mjs").Order} Order @typedef {import("./contender.mjs").Subject} Subject */
/** @typedef {{ workflowRun: { id: string } }} Handle */
/**
 * The part of its interface that is used here.
 * @typedef {object} Peer
 * @property {new (o: { backend: Backend }) => Client} OpenWorkflow
 * @property {{ connect(path: string): SqliteBackend }} BackendSqlite
 * @property {{ connect(url: string): Promise<Backend> }} BackendPostgres
 */
/**
 * @typedef {object} Backend
 * @property {(q: { workflowRunId: string }) => Promise<{ status: string } | null>} getWorkflowRun
 * @property {() => Promise<void>} stop
 */
/** @typedef {Backend & { db: { prepare(sql: string): { get(): Record<string, number> | undefined } } }} SqliteBackend `db`: its own connection */
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
 * SQLite's level of durability is asked of its own connection: it is left as it sets itself, and said.
 * @param {Order} order
 */
async function connected({ store, url, dir }) {
  const { OpenWorkflow } = await load(peer);
  if (store === "postgres") {
    const backend = await (await load(`${peer}/postgres`)).BackendPostgres.connect(url);
    return { OpenWorkflow, backend, level: undefined };
  }
  const backend = (await load(`${peer}/sqlite`)).BackendSqlite.connect(join(dir, "openworkflow.db"));
  const level = backend.db.prepare("pragma synchronous").get()?.["synchronous"];
  return { OpenWorkflow, backend, level: ["off", "normal", "full", "extra"][level ?? -1] ?? "unknown" };
}

/** @param {string | undefined} level @param {number} atOnce */
function about(level, atOnce) {
  const manifest = JSON.parse(readFileSync(new URL(`./node_modules/${peer}/package.json`, import.meta.url), "utf8"));
  return { version: manifest.version, setting: `${level === undefined ? "" : `synchronous=${level}, `}${atOnce} at once` };
}

/**
 * @param {Order} order
 * @returns {Promise<Subject>}
 */
export async function subject(order) {
  const { workload, runs } = order;
  const { OpenWorkflow, backend, level } = await connected(order);
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
  return {
    about: about(level, Math.min(concurrency, runs)),
    one: async () => {
      const { workflowRun } = await stepped.run();
      for (;;) {
        const state = await backend.getWorkflowRun({ workflowRunId: workflowRun.id });
        if (state?.status === "completed") return steps;
        if (state?.status === "failed") throw new Error("a run of the peer failed");
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
    },
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

/**
 * W5: all runs must be in the body of one step at once, so the worker takes as many.
 * @param {import("./takeover-process.mjs").Part} p
 */
export async function part({ order, as, body }) {
  const { OpenWorkflow, backend, level } = await connected(order);
  const ow = new OpenWorkflow({ backend });
  const doomed = ow.defineWorkflow({ name: "doomed" }, async ({ input, step }) => {
    const { run } = /** @type {{ run: number }} */ (input);
    for (let i = 0; i < order.workload.steps; i++) await step.run({ name: `s${i}` }, () => body(run, i));
  });
  await ow.newWorker({ concurrency: order.runs }).start();
  if (as === "victim") await Promise.all(Array.from({ length: order.runs }, (_, run) => doomed.run({ run })));
  return about(level, order.runs);
}
