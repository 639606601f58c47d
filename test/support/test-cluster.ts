// A place to run engines in: one store, one virtual clock, as many engines as a test wants, each of which can die
// (src/testing/killable-engine.ts). Sees everything, unlike pawl/testing's testEngine, which is for users. Nothing in the package imports it.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach } from "vitest";
import { defaultScope } from "../../src/client/environment.ts";
import type { EngineOpts } from "../../src/client/engine-types.ts";
import type { Platform } from "../../src/platform/platform.ts";
import { virtualPlatform, type VirtualPlatform } from "../../src/platform/virtual.ts";
import { memoryState } from "../../src/store/memory/state.ts";
import { memoryStore } from "../../src/store/memory/store.ts";
import type { FullStore } from "../../src/store/full-store.ts";
import type { EventRecord, RunRow } from "../../src/store/port.ts";
import { EngineKilled, killableBody, killableEngine, type KillableEngine } from "../../src/testing/killable-engine.ts";
import { openWorker } from "../../src/client/worker.ts";
import type { Worker, WorkerOpts } from "../../src/client/worker-types.ts";
import { openSqlite } from "../../src/store/sqlite/store.ts";
import type { AnyWorkflow } from "../../src/workflow/types.ts";
import { verifyAllRuns } from "./verify-all-runs.ts";

export const storeKinds = ["memory", "sqlite"] as const;
export type StoreKind = (typeof storeKinds)[number];

export { EngineKilled };
export interface ClusterEngine extends KillableEngine {
  readonly logs: { readonly level: string; readonly message: string; readonly data: Readonly<Record<string, unknown>> }[];
}

export interface ClusterWorker {
  readonly worker: Worker;
  readonly alive: boolean;
  readonly logs: ClusterEngine["logs"];
  kill(): void;
}

export interface ClusterEngineOptions extends EngineOpts {
  /** Told every crash point of this engine; true = die there. */
  readonly onHit?: (point: string) => boolean | void;
  /** Stands between this engine and its store. */
  readonly wrap?: (store: FullStore) => FullStore;
}

export interface TestCluster {
  readonly kind: StoreKind;
  readonly platform: VirtualPlatform;
  /** A connection of the test's own. */
  readonly store: FullStore;
  engine(workflows: readonly AnyWorkflow[], o?: ClusterEngineOptions): Promise<ClusterEngine>;
  worker(o: Omit<WorkerOpts, "store">, w?: Pick<ClusterEngineOptions, "onHit" | "wrap">): Promise<ClusterWorker>;
  /** Moves the clock, a quarter of a second at a time, until the promise has settled. */
  advanceUntil<T>(p: Promise<T>, limitMs?: number): Promise<T>;
  row(id: string): Promise<RunRow>;
  log(runId: string): Promise<readonly EventRecord[]>;
  /** The log as lines: "StepStarted a", "RunCompleted". */
  lines(runId: string): Promise<string[]>;
  /** Moves the clock until the run's log has this line. */
  advanceUntilLine(runId: string, line: string): Promise<void>;
  byWorkflowId(workflowId: string): Promise<RunRow>;
  close(): Promise<void>;
}

/** `platform`: the clock of another lab, to share it. */
export async function openTestCluster(
  kind: StoreKind = "memory",
  seed = 1,
  platform: VirtualPlatform = virtualPlatform({ seed }),
): Promise<TestCluster> {
  const state = memoryState(platform);
  const dir = kind === "sqlite" ? mkdtempSync(join(tmpdir(), "pawl-lab-")) : "";
  // Without fsync: what is proved here is the engine; the disk is proved with real processes.
  const connect = async (p: Platform): Promise<FullStore> =>
    kind === "memory" ? memoryStore(p, { state }) : openSqlite(join(dir, "lab.db"), p, { synchronous: "off", acceptUnsafe: true });
  const store = await connect(platform);
  const closing: (() => Promise<void>)[] = [];

  const engine = async (workflows: readonly AnyWorkflow[], o: ClusterEngineOptions = {}): Promise<ClusterEngine> => {
    const { onHit, wrap, ...opts } = o;
    const logs: ClusterEngine["logs"] = [];
    const log: EngineOpts["log"] = (level, message, data) => void logs.push({ level, message, data: data ?? {} });
    const mortal = await killableEngine(
      { platform, connect, closes: kind === "sqlite", ...(onHit === undefined ? {} : { onHit }), ...(wrap === undefined ? {} : { wrap }) },
      { workflows, log, ...opts },
    );
    closing.push(async () => until(mortal.stop(), 60_000).catch(() => {}));
    return Object.defineProperty({ ...mortal, logs }, "alive", { get: () => mortal.alive });
  };

  const worker: TestCluster["worker"] = async (o, w = {}) => {
    const logs: { level: string; message: string; data: Readonly<Record<string, unknown>> }[] = [];
    const log: WorkerOpts["log"] = (level, message, data) => void logs.push({ level, message, data: data ?? {} });
    const body = await killableBody({ platform, connect, closes: kind === "sqlite", ...w }, () => {});
    const opened = await Promise.race([openWorker(body.environment, { log, ...o, store: body.store }), body.died]);
    closing.push(async () => {
      if (!body.alive) return;
      await until(opened.stop({ grace: 0 }), 60_000).catch(() => {});
      await body.end();
    });
    return Object.defineProperty({ worker: opened, logs, alive: true, kill: () => body.kill() }, "alive", { get: () => body.alive });
  };

  const until = async <T>(p: Promise<T>, limitMs = 600_000): Promise<T> => {
    let settled = false;
    const done = (): void => void (settled = true);
    p.then(done, done);
    await platform.settle();
    for (let spent = 0; !settled && spent < limitMs; spent += 250) await platform.advance(250);
    if (!settled) throw new Error(`nothing came of it within ${limitMs} ms`);
    return p;
  };
  const log = async (runId: string): Promise<readonly EventRecord[]> => store.events({ runId, after: 0, limit: 100_000 });
  const lines = async (runId: string): Promise<string[]> =>
    (await log(runId)).map((e) => (e.stepId === null ? e.eventType : `${e.eventType} ${e.stepId}`));
  return {
    kind,
    platform,
    store,
    engine,
    worker,
    advanceUntil: until,
    row: async (runId) => (await store.run({ runId }))!,
    log,
    lines,
    advanceUntilLine: async (runId, line) => {
      await platform.settle();
      for (let spent = 0; spent < 120_000; spent += 50) {
        if ((await lines(runId)).includes(line)) return;
        await platform.advance(50);
      }
      throw new Error(`the log never had ${line}: ${(await lines(runId)).join(", ")}`);
    },
    byWorkflowId: async (workflowId) => (await store.run({ scope: defaultScope, workflowId }))!,
    close: async () => {
      for (const f of closing) await f();
      try {
        await verifyAllRuns(store, platform);
      } finally {
        await store.close();
      }
      if (dir !== "") rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** Labs that are closed after each test; each has a seed of its own unless the test says one. */
export function testClusters(): (kind?: StoreKind, seed?: number) => Promise<TestCluster> {
  const open: TestCluster[] = [];
  afterEach(async () => {
    for (const l of open.splice(0)) await l.close();
  });
  return async (kind = "memory", seed = open.length + 1) => {
    const l = await openTestCluster(kind, seed);
    open.push(l);
    return l;
  };
}

/** A promise that a test settles by hand. */
export function deferred<T = void>(): { readonly promise: Promise<T>; open(value: T): void; fail(e: unknown): void } {
  let open!: (value: T) => void;
  let fail!: (e: unknown) => void;
  const promise = new Promise<T>((resolve, reject) => {
    open = resolve;
    fail = reject;
  });
  promise.catch(() => {});
  return { promise, open, fail };
}

/** A schema that takes anything, with the type the test says. */
export function anySchema<T = unknown>(): {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (v: unknown) => { value: T };
    readonly types?: { readonly input: T; readonly output: T };
  };
} {
  return { "~standard": { version: 1, vendor: "lab", validate: (value) => ({ value: value as T }) } };
}

export function payloadOf(e: EventRecord | undefined): Record<string, unknown> {
  return JSON.parse(e?.payload ?? "{}") as Record<string, unknown>;
}
