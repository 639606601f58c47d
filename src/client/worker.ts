// worker(): a process that runs queued steps and no runs. It has the lease of an engine (K1, K2), and its death is noticed in the same way. It must
// never touch a run: it claims, works, and reports into the run's inbox (K8).
import { secretTexts } from "../codec/secrets.ts";
import { leaseTimes } from "../engine/lease-times.ts";
import { checkOptions } from "../core/guarantee.ts";
import { defaultLimits } from "../core/limits.ts";
import { checkStore } from "../engine/check-store.ts";
import { Lease } from "../engine/lease.ts";
import { QueueConfigs } from "../engine/queued/queue-configs.ts";
import { StoreClock } from "../engine/store-clock.ts";
import type { WorkerTask } from "../engine/worker-task.ts";
import { PawlError } from "../errors/error.ts";
import type { Cancel } from "../platform/platform.ts";
import { webPlatform } from "../platform/web.ts";
import { QueueServer } from "../queue/queue-server.ts";
import { missingFacet } from "../store/full-store.ts";
import { definitionOf, taskOf } from "../workflow/registry.ts";
import { chooseStore } from "./choose-store.ts";
import { checkQueues, checkScope } from "./engine-options.ts";
import { defaultScope, type Environment } from "./environment.ts";
import { callerOf } from "./http/call.ts";
import { openHttpWorker } from "./http/http-worker.ts";
import { httpTarget } from "./http/target.ts";
import type { Worker, WorkerOpts } from "./worker-types.ts";

const workerOptions: ReadonlySet<string> = new Set(
  "store url token tasks workflows queues labels tenant lease renew secrets log".split(" "),
);
const lapseEveryMs = 1_000;
const lapseMax = 100;
const againMs = 1_000;

export async function openWorker(environment: Environment, o: WorkerOpts): Promise<Worker> {
  checkOptions(o, workerOptions, "worker()");
  const { platform } = environment;
  const log = o.log ?? environment.log;
  const scope = checkScope(o.tenant ?? defaultScope);
  const served = checkQueues(o.queues);
  if (Object.keys(served).length === 0) throw new PawlError("PAWL5001", "worker() needs at least one queue, such as { payments: {} }");
  const tasks = tasksOf(o);
  if (tasks.length === 0) throw new PawlError("PAWL5001", "worker() has nothing to do: name its tasks, or DAGs with inline steps");
  if (o.url !== undefined) return overHttp(environment, o, o.url, tasks, served);
  if (o.token !== undefined) throw new PawlError("PAWL5001", "token belongs to url: name the server, or leave token out");
  const times = leaseTimes(o);
  const secrets = secretTexts(o.secrets);
  const { store, opened } = await chooseStore(environment, o, environment.production ?? false, log);
  const clock = new StoreClock(platform);
  const configs = new QueueConfigs(platform, store, scope);
  let stopped = false;
  const lease: Lease = new Lease({
    platform,
    store,
    ...times,
    scope,
    workflowsServed: () => [],
    works: () => ({ kind: "worker", works: server.works() }),
    log,
    onDead: () => {
      server.onDead();
      enlistAgain();
    },
    onProblem: (e) => log("warn", `the lease could not be renewed: ${String(e)}`),
  });
  const server: QueueServer = new QueueServer({
    platform,
    store,
    scope,
    limits: secrets === undefined ? defaultLimits : { ...defaultLimits, secrets },
    log,
    configs,
    workerId: () => lease.engineId,
    storeNowMs: () => clock.nowMs(),
    ensureFreshLease: () => lease.ensureFresh(),
    tasks: () => tasks,
    queues: served,
    labels: o.labels ?? {},
    onServes: () => {},
  });
  const enlistAgain = (): void => {
    if (stopped) return;
    lease.enlist().catch((e: unknown) => {
      log("warn", `the worker could not register again: ${String(e)}`);
      platform.timer(againMs, enlistAgain);
    });
  };
  let lapsing: Cancel = () => {};
  const lapse = (): void => {
    lapsing = platform.timer(lapseEveryMs, () => {
      if (stopped) return;
      lapse();
      clock.refreshIfOld(store).catch(() => {});
      store.queues.lapse(lapseMax).catch((e: unknown) => log("debug", `looking for lapsed dispatches failed: ${String(e)}`));
    });
  };
  try {
    if (!configs.isSupported) throw missingFacet(store.name, "queues", "worker()");
    clock.sync((await checkStore({ store, scope, checkpointOwnership: "cas-required", log })).nowMs);
    await store.queues.open(scope, Object.keys(served));
    await lease.enlist();
  } catch (e) {
    if (opened) await store.close();
    throw e;
  }
  server.start();
  lapse();
  return {
    get workerId() {
      return lease.engineId;
    },
    get running() {
      return server.running;
    },
    stop: async (s) => {
      if (stopped) return;
      await server.stop(s?.grace ?? "10s");
      stopped = true;
      lapsing();
      await lease.retire();
      if (opened) await store.close();
    },
  };
}

function overHttp(
  { platform, log }: Environment,
  o: WorkerOpts,
  url: string,
  tasks: readonly WorkerTask[],
  queues: Readonly<Record<string, { readonly concurrency: number }>>,
): Promise<Worker> {
  for (const name of ["store", "tenant", "lease", "renew"] as const)
    if (o[name] !== undefined) throw new PawlError("PAWL5001", `worker({ url }) takes no ${name}: the server has one`);
  // Ignoring it would let a secret reach the log that somebody believes to be kept out.
  if (o.secrets !== undefined)
    throw new PawlError(
      "PAWL5001",
      "worker({ url }) cannot keep secrets out of results: leave secrets out, or run the worker on the store",
    );
  const say = o.log ?? log;
  const onRetry = (e: PawlError): void => say("warn", `a request to the server failed and is sent again: ${e.message}`);
  const { call } = callerOf(httpTarget({ url, token: o.token, onRetry }, webPlatform(), new AbortController().signal));
  return openHttpWorker({
    platform,
    log: say,
    tasks,
    queues,
    labels: o.labels ?? {},
    ask: (operation, input, waitMs) => call(operation, input as never, { waitMs }),
  });
}

function tasksOf(o: WorkerOpts): readonly WorkerTask[] {
  const found = new Map<string, WorkerTask>();
  const named = (o.tasks ?? []).map((t) => {
    const spec = taskOf(t);
    if (!spec.hasCode) throw new PawlError("PAWL5001", `task ${spec.id} has no code here: remoteTask() says that it is elsewhere`);
    return spec;
  });
  for (const t of [...named, ...(o.workflows ?? []).flatMap((wf) => definitionOf(wf).tasks?.() ?? [])]) {
    if (found.has(t.id) && found.get(t.id) !== t) throw new PawlError("PAWL5012", `two tasks of this worker are called ${t.id}`);
    found.set(t.id, t);
  }
  return [...found.values()];
}
