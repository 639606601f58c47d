// The rows of a store as its verbs carry them: runs, engines, messages, effects, checkpoints. Types only. What is stored has these
// fields on every store; the columns that hold them are the store's own affair.
import type { EffectPhase, EffectStatus, Fence, GuaranteeClass, RunStatus, Scope, Waiting } from "../core/model.ts";

export type EngineKind = "engine" | "worker" | "remote";

export interface EngineRow {
  readonly engineId: string;
  readonly leaseUntil: number;
  /** One-way (K1). */
  readonly dead: boolean;
  /** The workflows it knows: name and version. */
  readonly serves: readonly { readonly workflow: string; readonly version: string }[];
  /** The tenant whose runs it claims; null = its code is of a format before 7, which does not say. */
  readonly scope: Scope | null;
  /** Absent: an engine. */
  readonly kind?: EngineKind;
  /** What it runs of queued steps: `name` or `name@version`; null or absent: nothing. */
  readonly works?: {
    readonly lang: string;
    readonly tasks: readonly string[];
    readonly queues: readonly string[];
    readonly labels: Readonly<Record<string, string>>;
  } | null;
}

export interface RunRow {
  readonly runId: string;
  readonly scope: Scope;
  /** The caller's business id; a workflowId has one run after another, numbered by `generation` from 1. */
  readonly workflowId: string;
  readonly generation: number;
  /** planId and planVersion, pinned when the run is created (K20). */
  readonly workflow: string;
  readonly version: string;
  readonly status: RunStatus;
  readonly waiting: Waiting | null;
  readonly owner: string | null;
  readonly fence: Fence;
  /** Rises by one with every Commit. */
  readonly stateVersion: number;
  readonly commitId: string;
  readonly headSeq: number;
  readonly headLink: string;
  /** The store's time of the last Commit; never goes back. */
  readonly persistedAt: number;
  /** When an engine must look at it: 0 = at once if its owner is gone, null = only an inbox row wakes it. */
  readonly dueAt: number | null;
  readonly createdAt: number;
  readonly deadlineAt: number | null;
  readonly tags: Readonly<Record<string, string>>;
  readonly inputDigest: string;
  readonly idempotencyKey: string | null;
  /** The run this one retries, restarts or continues; the first of that line; who called it. */
  readonly originalRunId: string | null;
  readonly rootRunId: string;
  readonly parentRunId: string | null;
  readonly parentStepId: string | null;
  /** Claims in a row without a Commit (K5); a Commit sets it to 0. */
  readonly idleClaims: number;
  /** Only an engine that serves exactly `version` may claim it (K20). */
  readonly exactVersion: boolean;
  /** Who writes its log (K23): its owner among the engines, producers outside through the append authority, or another store by now. */
  readonly origin: Origin;
  /** When its payloads were taken away, and when the rest of its log was (archive.ts). */
  readonly expiredAt: number | null;
  readonly purgedAt: number | null;
  /**
   * What an operator filters failed runs by: the failure's `code` if it has one ("PAWL1035", "E_CARD"), else its category, else its name
   * ("TypeError"); of a step's failure, what the step failed with (events/failure-code.ts). null unless the run failed, and in rows that code of a format before 7 wrote.
   */
  readonly errorCode: string | null;
}

export type Origin = "engine" | "external" | "moved";

/**
 * The record of one effect (W-012 … W-021), one per step of a run, whatever its attempts. Its key scope is workflowId, name,
 * operation (runId and stepId) and key, each a column of its own: no two records share one (W-023).
 */
export interface EffectWrite {
  readonly version: 1;
  /** The runSeq of the step's first StepStarted: with the runId, the record's identity. */
  readonly seq: number;
  readonly scope: Scope;
  readonly workflowId: string;
  readonly stepId: string;
  /** The name under which the step or task was called. */
  readonly name: string;
  readonly class: GuaranteeClass;
  /** What the receiver knows it by: the author's key, or the one made from the step's identity; null for ATOMIC. */
  readonly key: string | null;
  /** SHA-256 of the declared input; null when none was declared. */
  readonly argsDigest: string | null;
  /** Whom it acts on, as the author named it; null when no receiver was named. */
  readonly receiver: string | null;
  readonly status: EffectStatus;
  readonly phase: EffectPhase;
  readonly attempts: number;
  readonly engineAttempts: number;
  /** Category, message and diagnosis as JSON text, when it ended or stands without success. */
  readonly error: string | null;
  /** The event that this state of the record came with: a completed effect's result is in it. */
  readonly eventSeq: number;
  /** Who had the dispatch that this event ended: the worker, or the engine that ran it itself. null: it used no queue, or nobody had claimed it. */
  readonly worker: string | null;
}

export interface EffectRecord extends EffectWrite {
  readonly runId: string;
  /** The store's times: of the first dispatch, and of the last change. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

/**
 * One place that a run has reached, as its producer sees it. `body` is opaque: state, frontier, recorded IO, seed. Within a
 * run a `stepId` and a `key` occur once: the same key is a commit that was made already, the same step under another key a
 * divergence, and either is refused.
 */
export interface Checkpoint {
  readonly stepId: number;
  readonly key: string;
  readonly label: string | null;
  readonly body: string;
}

export interface CheckpointRecord extends Checkpoint {
  readonly runId: string;
  /** The stateVersion and time of the Commit that it came with. */
  readonly stateVersion: number;
  readonly persistedAt: number;
}

/**
 * What a run's log folds to at event `at`, made without the author's code. It replaces the run's earlier one (`last`) or stays beside it
 * (`all`). Never the truth: the log announces it in a `pawl.Snapshot` event, and one whose digest differs is ignored.
 */
export interface Snapshot {
  readonly at: number;
  readonly digest: string;
  readonly body: string;
  readonly keep: "all" | "last";
}
export interface SnapshotRecord extends Omit<Snapshot, "keep"> {
  readonly runId: string;
}

/** `result`: the end of a dispatch (queue-store.ts). An engine leaves rows of a kind that it does not know alone. */
export type InboxKind = MessageKind | "result";
/** What may be posted or sent to a run; `result` is put by the end of a dispatch only. */
export type MessageKind = "signal" | "update" | "control" | "child";

/** The names of control rows. */
export type ControlName = "cancel" | "pause" | "resume" | "terminate" | "retry" | "resolve" | "hold" | "wake" | "fail";

export interface InboxRow {
  readonly inboxId: number;
  readonly runId: string;
  readonly kind: InboxKind;
  readonly name: string;
  readonly id: string;
  readonly payload: string | null;
  readonly acceptedAt: number;
  readonly taken: boolean;
  readonly consumed: boolean;
  readonly reply: string | null;
  /** Who sent it: JSON of a Principal (core/principal.ts); null = nobody was named. */
  readonly by: string | null;
  /** SHA-256 of the payload as it was posted (`payloadDigest` in keys.ts), in hex; null for a notice, and once the payload has expired. */
  readonly payloadDigest: string | null;
  /** Why the run's owner did not accept it; null = it did, or has not looked at it yet. */
  readonly rejected: string | null;
}

/** The accepted-response record (W-057 … W-064), as it is stored. */
export interface AcceptedRecord {
  readonly version: number;
  readonly workflowId: string;
  readonly kind: InboxKind;
  readonly name: string;
  readonly id: string;
  /** The key under which the first request's payload is stored; injective in (scope, workflowId, kind, name, id). */
  readonly storageKey: string;
  readonly acceptedAt: number;
  readonly expiresAt: number | null;
  readonly runId: string;
  readonly inboxId: number;
  /** The canonical accepted result (W-065 … W-071) as JSON: what the first request was answered with, and every later one is. */
  readonly response: string;
  readonly reply: string | null;
  /** As in its inbox row. */
  readonly by: string | null;
  readonly payloadDigest: string | null;
  readonly rejected: string | null;
}
