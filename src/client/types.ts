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
  /** It goes on in another store, or is on its way there. */
  readonly moved?: true;
  /** By which export; only when a single run is asked for. */
  readonly exportId?: string;
  readonly originalRunId?: string;
  readonly parentRunId?: string;
  /** The engine that owns it; a run that only waits has none. */
  readonly owner?: string;
}

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

/** The canonical accepted result (W-065 … W-071), the same over every transport. */
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
  /** What the store was when this was last recorded; another identity may mean a restored backup (K4). */
  readonly identityRecorded: string;
  readonly persistence: "durable" | "volatile";
  readonly settings: Readonly<Record<string, string>>;
  readonly unsafe: readonly string[];
  readonly now: string;
  readonly engines: readonly EngineView[];
}

/** Ids: a runId, or a workflowId, which means its latest run. */
export interface Client extends ArchiveVerbs, ReaderVerbs {
  start(r: StartRequest): Promise<{ readonly runId: string; readonly workflowId: string; readonly created: boolean }>;
  get(id: string): Promise<RunView | undefined>;
  list(q?: RunFilter): Promise<{ readonly runs: readonly RunView[]; readonly cursor?: string }>;
  steps(id: string): Promise<readonly StepView[]>;
  events(id: string, o?: { readonly after?: number; readonly limit?: number }): Promise<readonly RunEventRecord[]>;
  /** Waits until the run, and the runs that continue it, have ended; PAWL4006 when that takes too long. */
  waitForEnd(id: string, o?: { readonly timeoutMs?: number; readonly whenDiverged?: WhenDiverged }): Promise<RunEnd>;
  /** Checked before it is accepted (docs/signals.md): by the workflow's code where this process has it, else by what its engines published. */
  signal(
    id: string,
    name: string,
    payload: unknown,
    o?: { readonly signalId?: unknown; readonly tx?: UserTransaction },
  ): Promise<AcceptedSignal>;
  update(id: string, name: string, payload: unknown, o?: { readonly updateId?: string; readonly timeoutMs?: number }): Promise<unknown>;
  view(id: string, name: string): Promise<unknown>;
  control(id: string, what: Control, o?: { readonly reason?: string; readonly requestId?: string }): Promise<void>;
  /**
   * Appends events of a run that a producer outside writes, and creates it with the first (docs/append.md). An event that is
   * there is answered with its record; to an engine's run nothing is added (K23).
   */
  readonly append: AppendAuthority["append"];
  /** Forgets that an event was rejected as INVALID_TRANSITION; false when nothing was remembered. */
  clearRejection(runId: string, idempotencyKey: string): Promise<boolean>;
  /** Emits the events of one run, each under an id that outlives crashes (D-049 … D-055). */
  producer(run: ProducedRun): Producer;
  /** A new run that takes over what its line finished; with `dryRun`, what it would do with each step, and nothing is written. */
  retry(id: string, o: RetryOptions & { readonly dryRun: true }): Promise<RetryPlan>;
  retry(id: string, o?: RetryOptions & { readonly dryRun?: false }): Promise<Retried>;
  /** An archive that proves the run offline (docs/evidence.md); `pawl verify` checks it. */
  evidence(id: string, o?: EvidenceOptions): Promise<Uint8Array>;
  /** The ledger: effects across runs, by key, class, status, name or run. */
  effects(q?: EffectFilter): Promise<{ readonly effects: readonly EffectView[]; readonly cursor?: string }>;
  /** Everything that waits for a person. */
  decisions(o?: { readonly limit?: number }): Promise<readonly DecisionView[]>;
  /** Durable once it returns; the run's owner turns it into events that say who and why. */
  resolve(decisionId: string, answer: DecisionAnswer, o?: { readonly requestId?: string; readonly timeoutMs?: number }): Promise<Resolved>;
  /** Computed from the log: of a run, or of every effect under a key. */
  proof(id: string): Promise<Proof>;
  /** Events out: endpoints, deliveries, and the service that delivers (docs/webhooks.md). */
  readonly webhooks: Webhooks;
  info(): Promise<StoreView>;
  /** Folds every log again and compares every derived table with it; an engine may be writing meanwhile. */
  verifyStore(o?: VerifyStoreOptions): Promise<StoreVerification>;
  /** Makes what the log determines again from the log; only with `write`, and only while no engine is alive. */
  repairStore(o?: RepairOptions): Promise<RepairReport>;
  /** Waits until `changed` may have become true again; for followers. */
  waitForChange(id: string | undefined, o: { readonly timeoutMs: number }): Promise<void>;
}

export type { ExportOptions, HoldView, ImportOptions, ImportReport, RetentionPolicy, RetentionReport, Who } from "./archive/types.ts";
export type { DecisionAnswer, DecisionView, EffectFilter, EffectView, LegalAnswer, Resolved } from "./ledger/types.ts";
export type { PlannedStep, Retried, RetryOptions, RetryPlan, RetryWarning } from "./start/retry-types.ts";
export type { Finding } from "./audit/finding.ts";
export type { RepairOptions, RepairReport } from "./audit/repair.ts";
export type { StoreVerification, VerifyProgress, VerifyStoreOptions } from "./audit/verify-store.ts";
