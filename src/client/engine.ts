// engine(): puts an engine together, its core, its client, its readers and its webhooks, and gives the verbs their types. Every verb is
// the client's; what an option means is checked in engine-options.ts.
import { checkOptions } from "../core/guarantee.ts";
import { durationMs } from "../core/duration.ts";
import type { Definition } from "../engine/definition.ts";
import type { RunOutcome } from "../engine/end-waiters.ts";
import { EngineCore } from "../engine/engine.ts";
import type { Logger } from "../engine/run-host.ts";
import { Sealer } from "../engine/sealer.ts";
import { BackgroundRetention } from "../engine/upkeep/background-retention.ts";
import { PawlError } from "../errors/error.ts";
import { checkFacets } from "../store/full-store.ts";
import { ScheduleLoop } from "../schedule/loop.ts";
import type { Delivering } from "../webhooks/types.ts";
import { QueueServer } from "../queue/queue-server.ts";
import { definitionOf, queuedTasksHere } from "../workflow/registry.ts";
import type { AnyWorkflow } from "../workflow/types.ts";
import { BatchWorker } from "./batches/batch-worker.ts";
import { chooseStore, type ChosenStore } from "./choose-store.ts";
import { checkEngineOptions } from "./engine-options.ts";
import type { AwaitedStart, Engine, EngineOpts, StartOpts } from "./engine-types.ts";
import type { Environment } from "./environment.ts";
import { handleOf, unwrapEnd } from "./handle.ts";
import { publicEnd } from "./run-end.ts";
import { StaleSweep } from "./investigations/stale-sweep.ts";
import { localClient } from "./local-client.ts";
import type { ClientContext } from "./client-deps.ts";
import { OpenReaders } from "./reader-verbs.ts";
import { SharedParts } from "./shared-parts.ts";
import { FreshIds } from "./start/fresh-ids.ts";
import { resolveStart, startAndAwait, type StartAnswer } from "./start/start.ts";
import type { Client } from "./types.ts";

const startOptions: ReadonlySet<string> = new Set(
  "id idempotencyKey onConflict reason delay deadline tags priority traceparent tx".split(" "),
);
const stopOptions: ReadonlySet<string> = new Set(["grace"]);
const pollMs = 250;

/** The engine with its parts in reach, for run() and for tests; users get `Engine`. */
export interface OpenEngine {
  readonly engine: Engine;
  readonly core: EngineCore;
  readonly client: Client;
}

type EngineContext = ClientContext & { readonly engine: EngineCore };

const contexts = new WeakMap<Engine, EngineContext>();

/** What the client of an engine works with, for a server beside it. */
export function contextOfEngine(engine: Engine): EngineContext {
  const context = contexts.get(engine);
  if (context === undefined) throw new PawlError("PAWL5001", "engine must be what engine() returned, from the same copy of Pawl");
  return context;
}

/** `ready`: a store that its caller has opened as `chooseStore` does. */
export async function openEngine(environment: Environment, o: EngineOpts = {}, ready?: ChosenStore): Promise<OpenEngine> {
  const { definitions, schedules, seal, signalRetentionMs, queues: served, ...settings } = checkEngineOptions(environment, o);
  const { scope, limits, log, production } = settings;
  const { platform } = environment;
  const telemetry = o.telemetry === false ? null : ((await environment.telemetry?.()) ?? null);
  const { store, opened } = ready ?? (await chooseStore(environment, o, production, log));
  checkFacets(store, { seal, retention: o.retention, webhooks: o.webhooks === false ? undefined : o.webhooks, schedules: o.schedules });
  const core = new EngineCore(
    {
      ...settings,
      platform,
      store,
      pollMs,
      requireTwoApprovers: o.requireTwoApprovers === true,
      effectStore: o.effectStore ?? null,
      onDecision: o.onDecision ?? null,
      telemetry,
      sealer: seal === null ? null : new Sealer({ ...seal, store, platform, log }),
    },
    definitions,
  );
  const queues = core.queueConfigs.isSupported
    ? new QueueServer({
        platform,
        store,
        scope,
        limits,
        log,
        configs: core.queueConfigs,
        workerId: () => core.engineId,
        storeNowMs: () => core.storeNowMs,
        ensureFreshLease: () => core.ensureFreshLease(),
        tasks: () => [...queuedTasksHere(), ...core.definitions().flatMap((d) => d.tasks?.() ?? [])],
        queues: served,
        labels: {},
        onServes: () => core.announce(),
        handOver: (row, end) => core.handOver(row, end),
      })
    : null;
  if (queues !== null) core.serveQueues(queues);
  let retention: BackgroundRetention | null = null;
  const firing = new ScheduleLoop(core, schedules);
  try {
    if (o.retention !== undefined) retention = new BackgroundRetention({ ...core.settings, sealKey: seal?.key ?? null }, o.retention);
    await core.open();
    queues?.start();
    await firing.start();
    retention?.start();
  } catch (e) {
    await firing.stop();
    await core.stop(0).catch(() => {}); // the first error counts
    if (opened) await store.close();
    throw e;
  }
  const known = new Map<string, Definition>();
  const knows = (wf: AnyWorkflow): Definition => {
    const d = definitionOf(wf);
    known.set(d.name, d);
    return d;
  };
  const readers = new OpenReaders((error) => log("warn", "a reader waits for the store", { error }));
  const parts = new SharedParts({ store, platform, scope, sealKey: environment.sealKey });
  const delivery: { running?: Delivering | undefined } = {};
  const metricsText = (): string => core.metricsText() + readers.metrics() + (delivery.running?.metrics() ?? "");
  const context: EngineContext = {
    store,
    readers,
    parts,
    platform,
    scope,
    limits,
    engine: core,
    known,
    freshIds: new FreshIds(),
    retainMs: signalRetentionMs,
    telemetry,
    schedules: firing,
    metricsText,
  };
  const client = localClient(context);
  const sweep = new StaleSweep(context, (error) => log("warn", "the sweep for stale runs waits for the store", { error }));
  sweep.start();
  const batches = new BatchWorker(context, (error) => log("warn", "a batch waits for the store", { error }));
  batches.start();
  delivery.running = startDelivery(client, o.webhooks, log);

  const begin = (wf: AnyWorkflow, input: unknown, opts: StartOpts = {}): Promise<StartAnswer> => {
    checkOptions(opts, startOptions, "start");
    const { delay, deadline, ...rest } = opts;
    return resolveStart(
      context,
      {
        workflow: wf.name,
        input,
        ...rest,
        ...(delay === undefined ? {} : { delayMs: durationMs(delay, "delay") }),
        ...(deadline === undefined ? {} : { deadlineMs: durationMs(deadline, "deadline") }),
      },
      knows(wf),
    );
  };
  const runNamed = async (wf: AnyWorkflow, input: unknown, o: StartOpts & AwaitedStart): Promise<unknown> => {
    const { whenDiverged = "reject", signal, ...opts } = o;
    if (opts.tx !== undefined) throw new PawlError("PAWL4011", "tx: a result cannot be awaited inside the transaction; use start");
    const { runId } = await begin(wf, input, opts);
    return unwrapEnd(await client.waitForEnd(runId, { whenDiverged, signal }));
  };
  const runUnnamed = (wf: AnyWorkflow, input: unknown): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const definition = definitionOf(wf);
      const isNew = definition.idOf === null && definition.identity === undefined && definition.template === undefined;
      if (!isNew || !core.takesOn(definition.name)) return resolve(runNamed(wf, input, {}));
      const ended = (runId: string, outcome: RunOutcome | null): void => {
        try {
          const end = outcome === null ? null : publicEnd(runId, outcome);
          if (end !== null && !("continuedAs" in end)) return resolve(unwrapEnd(end));
        } catch (e) {
          return reject(e);
        }
        resolve(client.waitForEnd(runId, { whenDiverged: "reject" }).then(unwrapEnd)); // elsewhere, paused, or as another run
      };
      startAndAwait(context, definition, input, ended, reject);
    });
  const engine: Engine = {
    start: async (wf, ...args) => {
      const answer = await begin(wf, ...(args as [unknown, StartOpts?]));
      return { ...handleOf(client, wf, answer, core.streams), created: answer.created };
    },
    run: (wf, ...args) => {
      const [input, opts] = args as [unknown, StartOpts?];
      return (opts === undefined ? runUnnamed(wf, input) : runNamed(wf, input, opts)) as Promise<never>;
    },
    get: async (wf, workflowId) => {
      knows(wf);
      const row = await client.get(workflowId);
      return row === undefined || row.workflow !== wf.name ? undefined : handleOf(client, wf, row, core.streams);
    },
    list: (q) => client.list(q),
    effects: (q) => client.effects(q),
    decisions: (o) => client.decisions(o),
    resolve: (id, answer) => client.resolve(id, answer),
    append: client.append,
    producer: (run) => client.producer(run),
    webhooks: client.webhooks,
    schedules: client.schedules,
    subscribe: client.subscribe,
    project: client.project,
    metrics: metricsText,
    health: () => ({ ok: core.problem === null, trouble: core.problem, ...(core.isDraining ? { draining: true } : {}) }),
    stop: async (s) => {
      if (s !== undefined) checkOptions(s, stopOptions, "stop");
      const graceMs = s?.grace === undefined ? 10_000 : durationMs(s.grace, "grace");
      await Promise.all([
        retention?.stop(),
        firing.stop(),
        delivery.running?.stop(),
        readers.stop(),
        batches.stop(),
        sweep.stop(),
        parts.close(),
        queues?.stop(graceMs),
      ]);
      await core.stop(graceMs);
      if (opened) await store.close();
    },
  };
  contexts.set(engine, context);
  return { engine, core, client };
}

/** Sends events to endpoints from this process; problems go to the log as well as to the caller's own handlers. */
function startDelivery(client: Client, o: EngineOpts["webhooks"], log: Logger): Delivering | undefined {
  if (o === undefined || o === false) return undefined;
  const opts = o === true ? {} : o;
  return client.webhooks.deliver({
    ...opts,
    onDead: (letter) => {
      log("error", "an event was given up", { ...letter });
      opts.onDead?.(letter);
    },
    onTrouble: (error) => {
      log("warn", "webhooks wait for the store", { error });
      opts.onTrouble?.(error);
    },
  });
}
