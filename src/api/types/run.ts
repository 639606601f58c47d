// The public shapes of a run, as every surface shows it: client, command line, REST, JSON-RPC. Times are RFC 3339; no fences, no tokens.
// Types only; what must not be seen outside is simply not here.
import type { Failure } from "../../codec/failure.ts";
import type { GuaranteeClass, RunStatus, StepKindName, StepStatus, Waiting } from "../../core/model.ts";
import type { UserTransaction } from "../../store/user-transaction.ts";

/** JSON pointers of what was left out of an object, because the caller may not see payloads. Only servers leave something out. */
export type Hidden = readonly string[];

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
  /** Of a run that failed: the code of its error, else its category, else its name. */
  readonly errorCode?: string;
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
  /** What became of it so far: the owner checks it again with the workflow's own schema. */
  readonly state: "accepted" | "delivered" | "rejected";
  /** A replay with another payload than the one that was accepted, which stays. */
  readonly payloadDiffers?: true;
}

/** A start by name, for callers that do not have the workflow's code. The options are those of `engine.start`. */
export interface StartRequest {
  readonly workflow: string;
  readonly version?: string;
  readonly input?: unknown;
  readonly id?: string;
  readonly idempotencyKey?: string;
  readonly onConflict?: "attach" | "reject" | "restart";
  /** With onConflict "restart": why the run that has the id is ended; recorded in its log. Over HTTP it is needed. */
  readonly reason?: string;
  readonly delayMs?: number;
  readonly deadlineMs?: number;
  readonly tags?: Readonly<Record<string, string>>;
  /** Of its queued steps, unless their task says otherwise: -9 … 9, 0 unless given. */
  readonly priority?: number;
  /** The span that this start belongs to, as W3C trace context; the active one unless given. */
  readonly traceparent?: string;
  /** Also when no engine has published this workflow or version: it waits, unchecked, for an engine that has it. */
  readonly allowUnknown?: boolean;
  /** In process only: the run is created inside this transaction of yours, and exists when you commit it. */
  readonly tx?: UserTransaction;
}

/** What a start is answered. */
export interface StartedRun {
  readonly runId: string;
  readonly workflowId: string;
  /** False when the id or the key had a run already. */
  readonly created: boolean;
  /** This very request was made before under its idempotency key. */
  readonly replayed: boolean;
  /** An engine that has the workflow's code is alive. */
  readonly served: boolean;
  /** What could not be checked before it was created, and why; absent when the input was checked. */
  readonly unchecked?: string;
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
  readonly hidden?: Hidden;
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
  /** What its failure is listed by: the code of the error, else its category, else its name (`errorCode` of a RunView). */
  readonly errorCode?: string;
  /** Created at this time or later, and before that one: RFC 3339. */
  readonly since?: string;
  readonly until?: string;
  /** The runId of the run that called it. */
  readonly parent?: string;
  /** What it waits for. */
  readonly waiting?: Waiting;
  readonly limit?: number;
  /** Of the page before, with the same filter. A page may be empty and have a cursor: then there may be more. */
  readonly cursor?: string;
}

export type Control = "cancel" | "pause" | "resume" | "terminate";

export interface EngineView {
  readonly engineId: string;
  /** Whose runs it claims: tenant/project/environment. Absent for an engine of an older version, which does not say. */
  readonly tenant?: string;
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
