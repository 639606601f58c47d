// engine(): the public face of an engine, and the typed handles it gives out. It adds types and schemas to the client;
// every verb is the client's.
import { checkOptions } from "../core/guarantee.ts";
import { durationMs, type Duration } from "../core/duration.ts";
import { checkLimits, type Limits } from "../core/limits.ts";
import type { RunStatus, Scope, Waiting } from "../core/model.ts";
import { checkName } from "../core/names.ts";
import { errorFromFailure } from "../codec/failure.ts";
import type { Definition } from "../engine/definition.ts";
import { EngineCore, type RunOutcome } from "../engine/engine.ts";
import type { Logger } from "../engine/run-host.ts";
import { BackgroundRetention, type RetentionOpts } from "../engine/upkeep/background-retention.ts";
import type { DecisionNotice } from "../engine/decisions/decision-notice.ts";
import { Sealer } from "../engine/sealer.ts";
import { PawlError } from "../errors/error.ts";
import type { AppendAuthority } from "../log/append-types.ts";
import type { RunEventRecord } from "../core/contract.ts";
import { readKeyFile, type SealKey } from "../log/seal-key-file.ts";
import type { Proof } from "../events/proof.ts";
import type { ProducedRun, Producer } from "../log/producer.ts";
import type { EvidenceOptions } from "../log/evidence.ts";
import type { Platform } from "../platform/platform.ts";
import type { UserTransaction } from "../store/user-transaction.ts";
import type { EffectStore } from "../store/effect-store.ts";
import { type AnyStore, checkFacets, type FullStore } from "../store/full-store.ts";
import { definitionOf } from "../workflow/registry.ts";
import type { DeliverOpts, Delivering, Webhooks } from "../webhooks/types.ts";
import type { AnyWorkflow, In, InputArgs, Out, OutputOf, SigOf, UpdIn, UpdOf, UpdOut, ViewOf } from "../workflow/types.ts";
import { controlRunChain } from "./run-chain-control.ts";
import { publicEnd, localClient, type LocalClientDeps } from "./local-client.ts";
import type { ReaderVerbs } from "./reader-types.ts";
import { OpenReaders } from "./reader-verbs.ts";
import type { Retried, RetryOptions, RetryPlan } from "./start/retry-types.ts";
import { chooseStore, type ChosenStore } from "./choose-store.ts";
import { FreshIds } from "./start/fresh-ids.ts";
import { resolveStart, startAndAwait, type StartAnswer } from "./start/start.ts";
import type {
  AcceptedSignal,
  Client,
  DecisionAnswer,
  DecisionView,
  EffectFilter,
  EffectView,
  Resolved,
  RunEnd,
  RunView,
  StepView,
  WhenDiverged,
} from "./types.ts";

export interface StartOpts {
  id?: string;
  idempotencyKey?: string;
  onConflict?: "attach" | "reject" | "restart";
  delay?: Duration;
  deadline?: Duration;
  tags?: Record<string, string>;
  /** A transaction of yours, on the database that holds the store: the run exists when you commit it, and never if you do not. */
  tx?: UserTransaction;
}

export interface Handle<W> {
  readonly workflowId: string;
  readonly runId: string;
  status(): Promise<{ status: RunStatus; waiting?: Waiting }>;
  /** Rejects with what the run failed with; also when it pauses as diverged, unless `whenDiverged` is "wait". */
  result(o?: { timeout?: Duration; whenDiverged?: WhenDiverged }): Promise<OutputOf<W>>;
  signal<K extends keyof SigOf<W> & string>(
    name: K,
    value: In<SigOf<W>[K]>,
    o?: { signalId?: string; tx?: UserTransaction },
  ): Promise<AcceptedSignal>;
  update<K extends keyof UpdOf<W> & string>(
    name: K,
    value: UpdIn<UpdOf<W>[K]>,
    o?: { updateId?: string; timeout?: Duration },
  ): Promise<UpdOut<UpdOf<W>[K]>>;
  view<K extends keyof ViewOf<W> & string>(name: K): Promise<Out<ViewOf<W>[K]> | undefined>;
  pause(reason?: string): Promise<void>;
  resume(reason?: string): Promise<void>;
  cancel(reason?: string): Promise<void>;
  terminate(reason: string): Promise<void>;
  /** A new run that takes over what its line finished; with `dryRun`, what it would do with each step (docs/retrying.md). */
  retry(o: RetryOptions & { readonly dryRun: true }): Promise<RetryPlan>;
  retry(o?: RetryOptions & { readonly dryRun?: false }): Promise<Handle<W>>;
  steps(): Promise<readonly StepView[]>;
  /** What is known of this run's effects, why, and under which assumptions. */
  proof(): Promise<Proof>;
  events(o?: { after?: number; follow?: boolean }): AsyncIterable<RunEventRecord>;
  /** An archive that proves the run offline; `pawl verify` checks it. */
  evidence(o?: EvidenceOptions): Promise<Uint8Array>;
}

export interface Engine {
  run<W extends AnyWorkflow>(wf: W, ...args: InputArgs<W, Omit<StartOpts, "tx"> & { whenDiverged?: WhenDiverged }>): Promise<OutputOf<W>>;
  start<W extends AnyWorkflow>(wf: W, ...args: InputArgs<W, StartOpts>): Promise<Handle<W> & { readonly created: boolean }>;
  get<W extends AnyWorkflow>(wf: W, workflowId: string): Promise<Handle<W> | undefined>;
  list(q?: {
    status?: readonly RunStatus[];
    workflow?: string;
    tags?: Record<string, string>;
    limit?: number;
    cursor?: string;
  }): Promise<{ runs: readonly RunView[]; cursor?: string }>;
  /** The ledger: effects across runs. */
  effects(q?: EffectFilter): Promise<{ readonly effects: readonly EffectView[]; readonly cursor?: string }>;
  /** Everything that waits for a person, with the legal answers and what follows from each. */
  decisions(o?: { limit?: number }): Promise<readonly DecisionView[]>;
  resolve(decisionId: string, answer: DecisionAnswer): Promise<Resolved>;
  /** Appends events of runs that are written outside an engine (docs/append.md). */
  readonly append: AppendAuthority["append"];
  /** Emits the events of one such run, each once, under ids that outlive crashes. */
  producer(run: ProducedRun): Producer;
  /** Endpoints that events are sent to; the option `webhooks` makes this engine send them. */
  readonly webhooks: Webhooks;
  /** Calls a handler with every event of this tenant's runs, in order per run, at least once (docs/consumers.md). */
  readonly subscribe: ReaderVerbs["subscribe"];
  /** Keeps projections of this tenant's runs while this engine lives (docs/projector.md). */
  readonly project: ReaderVerbs["project"];
  /** Prometheus text: what this engine counted. */
  metrics(): string;
  /** Null while all is well; else what the store said. */
  health(): { readonly ok: boolean; readonly trouble: string | null };
  /** Stops claiming, lets steps finish or records them, releases what it owns. */
  stop(o?: { grace?: Duration }): Promise<void>;
}

export interface EngineOpts {
  /** "memory:", "sqlite:<path>", "postgres://…", "mysql://…", or an open Store. Absent: PAWL_STORE, else the nearest .pawl. */
  store?: string | AnyStore;
  workflows?: readonly AnyWorkflow[];
  tenant?: Scope;
  checkpointOwnership?: "cas-required" | "single-owner";
  lease?: Duration;
  limits?: Partial<Limits>;
  log?: Logger;
  /** Runs held in memory, and step functions running, at once. */
  liveRunsMax?: number;
  effectsMax?: number;
  /** Which effects have a record in the ledger: those that declare a guarantee (the default), or all. */
  ledger?: "declared" | "all";
  /** Split mode: a place of its own where results of effects are kept before the store is told. It is yours to close. */
  effectStore?: EffectStore;
  /** An effect in doubt is decided by two people: the second confirms the first. */
  requireTwoApprovers?: boolean;
  /** Called when something begins to wait for a person, after that is committed: a hint, for a mail or a message. */
  onDecision?: (notice: DecisionNotice) => unknown;
  /** Placeholder verifiers are refused; by default when NODE_ENV is "production". */
  production?: boolean;
  /** A run that only waits leaves memory after this long. */
  idle?: Duration;
  /** Takes away, in the background, what is older than this; by default nothing is (docs/retention.md). */
  retention?: RetentionOpts;
  /** How long a signal's acceptance is remembered at least; by default as long as its workflow. */
  signalRetention?: Duration;
  /** Sends events to the endpoints of this tenant as well, as `pawl deliver` does (docs/webhooks.md). */
  webhooks?: boolean | Omit<DeliverOpts, "once">;
  /** Signs the heads of logs with a key that is not in the store (docs/sealing.md). Absent: PAWL_SEAL_KEY; false: never. */
  seal?: SealOpts | false;
}

export interface SealOpts {
  /** An Ed25519 private key, as `pawl keys new` makes it; readable by its owner alone. */
  keyFile: string;
  /** A live run that writes is sealed at most this long after its last seal; 60 seconds unless given. */
  every?: Duration;
}

/** What the entry point supplies: the machine, and how to open a store. */
export interface Environment {
  readonly platform: Platform;
  readonly log: Logger;
  /** NODE_ENV says so. */
  readonly production?: boolean;
  /** PAWL_SEAL_KEY: the key file to seal with where no option says otherwise. */
  readonly sealKey?: string | undefined;
  open(store: string | undefined): Promise<FullStore>;
  /** The URL that is opened when none was given; absent: `open` knows. */
  nearest?(): string;
}

/** A misspelt option would be a setting that silently does not hold. */
const engineOptions: ReadonlySet<string> = new Set(
  `store workflows tenant checkpointOwnership lease limits log liveRunsMax effectsMax ledger effectStore requireTwoApprovers onDecision
   production idle retention signalRetention webhooks seal`.split(/\s+/),
);
const startOptions: ReadonlySet<string> = new Set("id idempotencyKey onConflict delay deadline tags tx".split(" "));

export const defaultScope: Scope = { tenantId: "default", projectId: "default", environmentId: "default" };
const pollMs = 250;

function checkScope(s: Scope): Scope {
  for (const f of ["tenantId", "projectId", "environmentId"] as const) checkName(s[f], f);
  return s;
}
function checkLedgerMode(l: EngineOpts["ledger"]): "declared" | "all" {
  if (l !== undefined && l !== "declared" && l !== "all") throw new PawlError("PAWL5001", 'ledger is "declared" or "all"');
  return l ?? "declared";
}
function checkCount(n: number | undefined, what: string, fallback: number): number {
  if (n === undefined) return fallback;
  if (!Number.isSafeInteger(n) || n < 1) throw new PawlError("PAWL5001", `${what} must be a whole number of at least 1`);
  return n;
}

/** What goes wrong is told to the log, beside whoever asked to be told. */
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

/** What an engine seals with: its own option, else what the surroundings name. */
export function sealSettings(around: Pick<Environment, "sealKey">, o: EngineOpts["seal"]): { key: SealKey; everyMs: number } | null {
  const named: SealOpts | undefined = around.sealKey === undefined || around.sealKey === "" ? undefined : { keyFile: around.sealKey };
  const seal = o ?? named;
  if (seal === undefined || seal === false) return null;
  if (typeof seal !== "object" || seal === null || typeof seal.keyFile !== "string" || seal.keyFile === "")
    throw new PawlError("PAWL5001", "seal.keyFile is the path of a private key");
  const everyMs = seal.every === undefined ? 60_000 : durationMs(seal.every, "seal.every");
  if (everyMs < 1_000) throw new PawlError("PAWL5001", "seal.every must be at least one second");
  return { key: readKeyFile(seal.keyFile), everyMs };
}

/** The engine with its parts in reach, for run() and for tests; users get `Engine`. */
export interface OpenEngine {
  readonly engine: Engine;
  readonly core: EngineCore;
  readonly client: Client;
}

/** The user's log, or ours for what it failed at: it is called from timers and answers, where nobody could catch what it throws. */
function withFallbackLog(theirs: Logger, ours: Logger): Logger {
  return (level, message, data) => {
    try {
      theirs(level, message, data);
    } catch (error) {
      ours(level, message, data);
      ours("warn", "the log that was given to the engine failed", { error });
    }
  };
}

/** `ready`: a store that its caller has opened as `storeOf` does. */
export async function openEngine(around: Environment, o: EngineOpts = {}, ready?: ChosenStore): Promise<OpenEngine> {
  checkOptions(o, engineOptions, "an engine");
  const leaseMs = o.lease === undefined ? 10_000 : durationMs(o.lease, "lease");
  if (leaseMs < 1_000) throw new PawlError("PAWL5001", "lease must be at least one second");
  const ownership = o.checkpointOwnership ?? "cas-required";
  if (ownership !== "cas-required" && ownership !== "single-owner")
    throw new PawlError("PAWL5001", 'checkpointOwnership is "cas-required" or "single-owner"');
  const scope = checkScope(o.tenant ?? defaultScope);
  const bounds = checkLimits(o.limits);
  if (o.workflows !== undefined && !Array.isArray(o.workflows)) throw new PawlError("PAWL5001", "workflows is a list of workflows");
  const definitions = (o.workflows ?? []).map(definitionOf);
  const seal = sealSettings(around, o.seal);
  const production = o.production ?? around.production ?? false;
  const log = o.log === undefined ? around.log : withFallbackLog(o.log, around.log);
  const { store, opened } = ready ?? (await chooseStore(around, o, production, log));
  checkFacets(store, { seal, retention: o.retention, webhooks: o.webhooks });
  const core = new EngineCore(
    {
      platform: around.platform,
      store,
      scope,
      limits: bounds,
      log,
      checkpointOwnership: ownership,
      leaseMs,
      idleMs: o.idle === undefined ? 5_000 : durationMs(o.idle, "idle"),
      pollMs,
      liveRunsMax: checkCount(o.liveRunsMax, "liveRunsMax", 5_000),
      effectsMax: checkCount(o.effectsMax, "effectsMax", 1_000),
      ledger: checkLedgerMode(o.ledger),
      requireTwoApprovers: o.requireTwoApprovers === true,
      effectStore: o.effectStore ?? null,
      production,
      onDecision: o.onDecision ?? null,
      sealer: seal === null ? null : new Sealer({ ...seal, store, platform: around.platform, log }),
    },
    definitions,
  );
  let house: BackgroundRetention | null = null;
  try {
    if (o.retention !== undefined) house = new BackgroundRetention({ ...core.settings, sealKey: seal?.key ?? null }, o.retention);
    await core.open();
    house?.start();
  } catch (e) {
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
  const context: LocalClientDeps & { readonly engine: EngineCore } = {
    store,
    readers,
    platform: around.platform,
    scope,
    limits: bounds,
    engine: core,
    known,
    freshIds: new FreshIds(),
    retainMs: o.signalRetention === undefined ? null : durationMs(o.signalRetention, "signalRetention"),
  };
  const client = localClient(context);
  const delivering = startDelivery(client, o.webhooks, log);

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
  const runNamed = async (wf: AnyWorkflow, input: unknown, o: StartOpts & { whenDiverged?: WhenDiverged }): Promise<unknown> => {
    const { whenDiverged = "reject", ...opts } = o;
    if (opts.tx !== undefined) throw new PawlError("PAWL4011", "tx: a result cannot be awaited inside the transaction; use start");
    const { runId } = await begin(wf, input, opts);
    return unwrapEnd(await client.waitForEnd(runId, { whenDiverged }));
  };
  const runUnnamed = (wf: AnyWorkflow, input: unknown): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const definition = definitionOf(wf);
      if (definition.idOf !== null) return resolve(runNamed(wf, input, {}));
      const told = (runId: string, ended: RunOutcome | null): void => {
        try {
          const end = ended === null ? null : publicEnd(runId, ended);
          if (end !== null && !("continuedAs" in end)) return resolve(unwrapEnd(end));
        } catch (e) {
          return reject(e);
        }
        resolve(client.waitForEnd(runId, { whenDiverged: "reject" }).then(unwrapEnd)); // elsewhere, paused, or as another run
      };
      startAndAwait(context, definition, input, told, reject);
    });
  const engine: Engine = {
    start: async (wf, ...args) => {
      const answer = await begin(wf, ...(args as [unknown, StartOpts?]));
      return { ...handleOf(client, wf, answer), created: answer.created };
    },
    run: (wf, ...args) => {
      const [input, opts] = args as [unknown, StartOpts?];
      return (opts === undefined ? runUnnamed(wf, input) : runNamed(wf, input, opts)) as Promise<never>;
    },
    get: async (wf, workflowId) => {
      knows(wf);
      const row = await client.get(workflowId);
      return row === undefined || row.workflow !== wf.name ? undefined : handleOf(client, wf, row);
    },
    list: (q) => client.list(q),
    effects: (q) => client.effects(q),
    decisions: (o) => client.decisions(o),
    resolve: (id, answer) => client.resolve(id, answer),
    append: client.append,
    producer: (run) => client.producer(run),
    webhooks: client.webhooks,
    subscribe: client.subscribe,
    project: client.project,
    metrics: () => core.metricsText() + readers.metrics() + (delivering?.metrics() ?? ""),
    health: () => ({ ok: core.problem === null, trouble: core.problem }),
    stop: async (s) => {
      await Promise.all([house?.stop(), delivering?.stop(), readers.stop()]);
      await core.stop(s?.grace === undefined ? 10_000 : durationMs(s.grace, "grace"));
      if (opened) await store.close();
    },
  };
  return { engine, core, client };
}

export function handleOf<W extends AnyWorkflow>(client: Client, wf: W, at: Omit<StartAnswer, "created">): Handle<W> {
  const { runId, workflowId, committed: appears } = at;
  return {
    runId,
    workflowId,
    status: async () => {
      const row = await client.get(runId);
      if (row === undefined) throw new PawlError("PAWL4001", `there is no run ${runId}`);
      return { status: row.status, ...(row.waiting === undefined ? {} : { waiting: row.waiting }) };
    },
    result: async (o) => {
      const timeoutMs = o?.timeout === undefined ? undefined : durationMs(o.timeout, "timeout");
      await appears?.(timeoutMs);
      const end = await client.waitForEnd(runId, {
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
        whenDiverged: o?.whenDiverged ?? "reject",
      });
      return unwrapEnd(end) as OutputOf<W>;
    },
    signal: (name, value, o) => client.signal(workflowId, name, value, o),
    update: async (name, value, o) => {
      const { timeout, ...rest } = o ?? {};
      return (await client.update(workflowId, name, value, {
        ...rest,
        ...(timeout === undefined ? {} : { timeoutMs: durationMs(timeout, "timeout") }),
      })) as never;
    },
    view: async (name) => (await client.view(runId, name)) as never,
    pause: (reason) => controlRunChain(client, runId, "pause", reason),
    resume: (reason) => controlRunChain(client, runId, "resume", reason),
    cancel: (reason) => controlRunChain(client, runId, "cancel", reason),
    terminate: (reason) => controlRunChain(client, runId, "terminate", reason),
    retry: (async (o?: RetryOptions) => {
      const answer = await (client.retry as (id: string, o?: RetryOptions) => Promise<RetryPlan | Retried>)(runId, o);
      return "dryRun" in answer ? answer : handleOf(client, wf, answer);
    }) as Handle<W>["retry"],
    steps: () => client.steps(runId),
    proof: () => client.proof(runId),
    events: (o) => followEvents(client, runId, o ?? {}),
    evidence: (o) => client.evidence(runId, o),
  };
}

/** The recorded result, or the recorded failure, thrown. */
export function unwrapEnd(end: RunEnd): unknown {
  if (end.status === "COMPLETED") return end.result;
  const data = { runId: end.runId, status: end.status, category: end.category ?? null };
  if (end.status === "CANCELLED")
    throw new PawlError("PAWL1014", `run ${end.runId} was cancelled${end.reason === undefined ? "" : `: ${end.reason}`}`, { data });
  const cause = end.error === undefined ? undefined : errorFromFailure(end.error);
  throw new PawlError("PAWL1013", cause?.message ?? `run ${end.runId} failed`, { cause, data });
}

async function* followEvents(client: Client, runId: string, o: { after?: number; follow?: boolean }): AsyncGenerator<RunEventRecord> {
  let after = o.after ?? 0;
  for (;;) {
    const row = await client.get(runId);
    const page = await client.events(runId, { after });
    yield* page;
    after = page.at(-1)?.runSeq ?? after;
    const ended = row !== undefined && (row.status === "COMPLETED" || row.status === "FAILED" || row.status === "CANCELLED");
    if (page.length > 0) continue;
    if (o.follow !== true || ended) return;
    await client.waitForChange(runId, { timeoutMs: 250 });
  }
}
