// The client: one interface to runs, the same in process and over a wire. Values here are public shapes (RFC 3339
// times, no fences, no tokens); what the CLI prints is exactly this.
import type { RunStatus, StepKindName, GuaranteeClass, StepStatus, Waiting } from "../core/model.ts";
import type { Failure } from "../codec/failure.ts";
import type { AppendAuthority } from "../log/append-types.ts";
import type { RunEventRecord } from "../core/contract.ts";
import type { EvidenceOptions } from "../log/evidence.ts";
import type { Proof } from "../events/proof.ts";
import type { ProducedRun, Producer } from "../log/producer.ts";
import type { UserTransaction } from "../store/user-transaction.ts";
import type { ArchiveVerbs } from "./archive/types.ts";
import type { Webhooks } from "../webhooks/types.ts";
import type { RepairOptions, RepairReport } from "./audit/repair.ts";
import type { StoreVerification, VerifyStoreOptions } from "./audit/verify-store.ts";
import type { ReaderVerbs } from "./reader-types.ts";
import type { Retried, RetryOptions, RetryPlan } from "./start/retry-types.ts";
import type { DecisionAnswer, DecisionView, EffectFilter, EffectView, Resolved } from "./ledger/types.ts";

/** A run as it is shown: times are RFC 3339. */
export interface RunView {
  readonly runId: string;
  readonly workflowId: string;
  readonly workflow: string;
  readonly version: string;
  readonly status: RunStatus;
  readonly waiting?: Waiting;
  /** Present on a run that producers outside write; an engine's run has none. */
  readonly origin?: "external";
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly dueAt?: string;
  readonly deadlineAt?: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly headSeq: number;
  /** When its payloads, and when its log, were taken away by retention. */
  readonly expiredAt?: string;
  readonly purgedAt?: string;
  /** It was moved: it continues in another store, or is on its way there. */
  readonly moved?: true;
  /** By which export; only when a single run is asked for. */
  readonly exportId?: string;
  readonly originalRunId?: string;
  readonly parentRunId?: string;
  /** The engine that owns it; a run that only waits has none. */
  readonly owner?: string;
}

/** A step as it is shown. */
export interface StepView {
  readonly stepId: string;
  readonly name: string;
  readonly kind: StepKindName;
  readonly class?: GuaranteeClass;
  readonly status: StepStatus;
  readonly attempts: number;
  readonly engineAttempts: number;
  readonly startedAt: string;
  readonly endedAt?: string;
  readonly retryAt?: string;
  readonly key?: string;
}

/** What the first acceptance of a signal returned. It is the same for every later request, over every transport. */
export interface AcceptedSignalResult {
  readonly accepted: true;
  readonly workflowId: string;
  readonly signalName: string;
  readonly signalId: string;
  readonly acceptedAt: string;
  readonly signalStorageKey: string;
}

/** What a sender is answered. */
export interface AcceptedSignal {
  readonly result: AcceptedSignalResult;
  /** It was accepted before: nothing was enqueued now. */
  readonly replayed: boolean;
  /** What could not be checked before it was accepted, and why; absent when name and payload were checked. */
  readonly unchecked?: string;
}

/** A start by name, for callers that do not have the workflow's code. The options are those of `engine.start`. */
export interface StartRequest {
  readonly workflow: string;
  readonly version?: string;
  readonly input?: unknown;
  readonly id?: string;
  readonly idempotencyKey?: string;
  readonly onConflict?: "attach" | "reject" | "restart";
  readonly delayMs?: number;
  readonly deadlineMs?: number;
  readonly tags?: Readonly<Record<string, string>>;
  /** In process only: the run is created inside this transaction of yours, and exists when you commit it. */
  readonly tx?: UserTransaction;
}

/** How a run ended: its result, or what it failed with. */
export interface RunEnd {
  readonly runId: string;
  readonly status: RunStatus;
  readonly result?: unknown;
  readonly error?: Failure;
  readonly category?: string;
  readonly reason?: string;
  /** Steps that were still open when the code returned: nobody waited for them (PAWL1031). */
  readonly abandoned?: readonly string[];
}

/**
 * What waiting for a run's end does when the run pauses because its code and its log disagree: rejects with that reason (PAWL1006, PAWL1007), or
 * waits until somebody has resumed it and it has ended.
 */
export type WhenDiverged = "reject" | "wait";

/** Which runs are listed. All that are given must hold. */
export interface RunFilter {
  readonly status?: readonly RunStatus[];
  readonly workflow?: string;
  readonly workflowId?: string;
  readonly tags?: Readonly<Record<string, string>>;
  readonly limit?: number;
  readonly cursor?: string;
}

export type Control = "cancel" | "pause" | "resume" | "terminate";

export interface EngineView {
  readonly engineId: string;
  /** Not declared dead, and its lease has not run out. */
  readonly alive: boolean;
  readonly leaseUntil: string;
  readonly serves: readonly { readonly workflow: string; readonly version: string }[];
}

/** The store as an operator sees it. */
export interface StoreView {
  readonly store: string;
  readonly storeId: string;
  readonly format: number;
  readonly oldestReader: number;
  readonly oldestWriter: number;
  readonly incarnation: number;
  readonly identity: string;
  /** What the store was when this was last recorded; another identity may mean a restored backup. */
  readonly identityRecorded: string;
  readonly persistence: "durable" | "volatile";
  readonly settings: Readonly<Record<string, string>>;
  readonly unsafe: readonly string[];
  readonly now: string;
  readonly engines: readonly EngineView[];
}

/** Ids: a runId, or a workflowId, which means its latest run. */
export interface Client extends ArchiveVerbs, ReaderVerbs {
  /**
   * Starts a run of a workflow by name. Some engine that has its code runs it. `created` is false when the id had a run already.
   *
   * @example
   * const { runId } = await client.start({ workflow: "order", input: { id: "17" }, id: "order-17" });
   */
  start(r: StartRequest): Promise<{ readonly runId: string; readonly workflowId: string; readonly created: boolean }>;
  /**
   * One run; undefined when there is none.
   *
   * @example
   * const run = await client.get("order-17");
   */
  get(id: string): Promise<RunView | undefined>;
  /**
   * Runs, newest first, a page at a time; pass `cursor` back for the next page.
   *
   * @example
   * const { runs, cursor } = await client.list({ status: ["FAILED"], limit: 100 });
   */
  list(q?: RunFilter): Promise<{ readonly runs: readonly RunView[]; readonly cursor?: string }>;
  /**
   * The steps of a run, in the order in which they began.
   *
   * @example
   * const open = (await client.steps("order-17")).filter((s) => s.status === "RUNNING");
   */
  steps(id: string): Promise<readonly StepView[]>;
  /**
   * The log of a run, a page at a time: the events after `after`.
   *
   * @example
   * const page = await client.events("order-17", { after: 0, limit: 100 });
   */
  events(id: string, o?: { readonly after?: number; readonly limit?: number }): Promise<readonly RunEventRecord[]>;
  /**
   * Waits until the run, and the runs that continue it, have ended. Rejects with PAWL4006 when `timeoutMs` passes first.
   *
   * @example
   * const { status, result } = await client.waitForEnd("order-17", { timeoutMs: 30_000 });
   */
  waitForEnd(id: string, o?: { readonly timeoutMs?: number; readonly whenDiverged?: WhenDiverged }): Promise<RunEnd>;
  /**
   * Sends a signal. It is checked before it is accepted, by the workflow's code where this process has it, otherwise by what its engines
   * published (docs/signals.md). With a `signalId` of your own it may be sent again: it is accepted once.
   *
   * @example
   * await client.signal("order-17", "approved", { by: "ann" }, { signalId: "approval-17" });
   */
  signal(
    id: string,
    name: string,
    payload: unknown,
    o?: { readonly signalId?: unknown; readonly tx?: UserTransaction },
  ): Promise<AcceptedSignal>;
  /**
   * Sends a request to the run and waits for its answer; rejects with PAWL4007 when the run refuses it.
   *
   * @example
   * const answer = await client.update("order-17", "setAddress", { city: "Bern" });
   */
  update(id: string, name: string, payload: unknown, o?: { readonly updateId?: string; readonly timeoutMs?: number }): Promise<unknown>;
  /**
   * The value that the run published last under this name; undefined before the first one. Where this process has
   * the workflow's code, a name that it does not declare is refused (PAWL1016).
   *
   * @example
   * const status = await client.view("order-17", "status");
   */
  view(id: string, name: string): Promise<unknown>;
  /**
   * Pauses, resumes, cancels or terminates a run. It is durable once this returns; the run's owner does it.
   *
   * @example
   * await client.control("order-17", "pause", { reason: "the bank is down" });
   */
  control(id: string, what: Control, o?: { readonly reason?: string; readonly requestId?: string }): Promise<void>;
  /**
   * Appends events of a run that producers outside an engine write, and creates the run with the first one (docs/append.md). An event that
   * exists already is answered with its record. Nothing can be appended to a run of an engine.
   *
   * @example
   * const { runSeq } = await client.append(event);
   */
  readonly append: AppendAuthority["append"];
  /**
   * Forgets that an event was rejected as INVALID_TRANSITION, so that it is judged again; false when nothing was remembered.
   *
   * @example
   * await client.clearRejection("import-7", rejection.idempotencyKey);
   */
  clearRejection(runId: string, idempotencyKey: string): Promise<boolean>;
  /**
   * Emits the events of one run of your own, each under an id that survives crashes (docs/append.md).
   *
   * @example
   * const producer = client.producer({ runId: "import-7", planId: "import", planVersion: "1" });
   * await producer.emit({ eventType: "RunStarted" });
   */
  producer(run: ProducedRun): Producer;
  /**
   * Says what a retry would do with each step, and writes nothing.
   *
   * @example
   * const { steps } = await client.retry("order-17", { dryRun: true });
   */
  retry(id: string, o: RetryOptions & { readonly dryRun: true }): Promise<RetryPlan>;
  /**
   * A new run in place of one that has ended, which takes over what the run chain completed (docs/retrying.md).
   *
   * @example
   * const { runId } = await client.retry("order-17", { fromStep: "ship" });
   */
  retry(id: string, o?: RetryOptions & { readonly dryRun?: false }): Promise<Retried>;
  /**
   * An archive that proves the run offline (docs/evidence.md); `pawl verify` checks it.
   *
   * @example
   * await writeFile("order-17.zip", await client.evidence("order-17"));
   */
  evidence(id: string, o?: EvidenceOptions): Promise<Uint8Array>;
  /**
   * The ledger: recorded effects across runs, by key, class, status, name, receiver or run.
   *
   * @example
   * const { effects } = await client.effects({ status: "indeterminate" });
   */
  effects(q?: EffectFilter): Promise<{ readonly effects: readonly EffectView[]; readonly cursor?: string }>;
  /**
   * Everything that waits for a person, with the answers that are possible and what follows from each.
   *
   * @example
   * for (const d of await client.decisions()) console.log(d.decisionId, d.reason);
   */
  decisions(o?: { readonly limit?: number }): Promise<readonly DecisionView[]>;
  /**
   * Answers a decision. It is durable once this returns; the run's owner records who answered, and why.
   *
   * @example
   * await client.resolve(id, { happened: false, by: "ann", reason: "the bank has no such charge" });
   */
  resolve(decisionId: string, answer: DecisionAnswer, o?: { readonly requestId?: string; readonly timeoutMs?: number }): Promise<Resolved>;
  /**
   * How often effects may have happened, and why that is known: of a run, or of every effect under a key.
   *
   * @example
   * const { sentence } = await client.proof("order-17");
   */
  proof(id: string): Promise<Proof>;
  /** Events out: endpoints, deliveries, and the service that delivers (docs/webhooks.md). */
  readonly webhooks: Webhooks;
  /**
   * The store as an operator sees it: format, clock, settings, engines.
   *
   * @example
   * const alive = (await client.info()).engines.filter((e) => e.alive);
   */
  info(): Promise<StoreView>;
  /**
   * Folds every log again and compares every derived table with it. Engines may be writing meanwhile.
   *
   * @example
   * const { ok, findings } = await client.verifyStore();
   */
  verifyStore(o?: VerifyStoreOptions): Promise<StoreVerification>;
  /**
   * Makes derived tables again from the logs. It writes only with `write: true`, and only while no engine is alive.
   *
   * @example
   * const { left } = await client.repairStore({ write: true });
   */
  repairStore(o?: RepairOptions): Promise<RepairReport>;
  /**
   * Waits until something about the run (any run, if undefined) may have changed, or `timeoutMs` has passed. A hint, for code that follows
   * a run.
   *
   * @example
   * await client.waitForChange("order-17", { timeoutMs: 1_000 });
   */
  waitForChange(id: string | undefined, o: { readonly timeoutMs: number }): Promise<void>;
}

export type { ExportOptions, HoldView, ImportOptions, ImportReport, RetentionPolicy, RetentionReport, Who } from "./archive/types.ts";
export type { DecisionAnswer, DecisionView, EffectFilter, EffectView, LegalAnswer, Resolved } from "./ledger/types.ts";
export type { PlannedStep, Retried, RetryOptions, RetryPlan, RetryWarning } from "./start/retry-types.ts";
export type { Finding } from "./audit/finding.ts";
export type { RepairOptions, RepairReport } from "./audit/repair.ts";
export type { StoreVerification, VerifyProgress, VerifyStoreOptions } from "./audit/verify-store.ts";
