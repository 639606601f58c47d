// The store port: the verbs through which everything durable happens, and the rows they carry. A store never
// interprets payloads, never runs policy, never imports the engine. Answers are closed unions: losing a fence is a
// value, not an exception. Every verb is idempotent under its own key, so an unknown outcome is answered by asking
// again. What a store throws is a StoreError (errors/), whose `outcome` says what is known.
import type { EffectPhase, EffectStatus, Fence, GuaranteeClass, RunStatus, Scope, Waiting } from "../core/model.ts";
import type { Archive } from "./archive.ts";
import type { Audit } from "./audit.ts";
import type { EventRecord, EventWrite } from "../events/event.ts";
import type { TransactionView, UserTransaction } from "./user-transaction.ts";
import type { Feed, KvTable } from "./kv.ts";
import type { TxClient } from "./sql/tx-client.ts";

export type { EventRecord, EventWrite } from "../events/event.ts";

export interface Capabilities {
  /** Writes conditional on what is stored, in one batch. Whatever needs it fails fast without it (W-105, W-113). */
  readonly conditionalBatch: boolean;
  readonly atomicBatch: boolean;
  readonly readAfterWrite: boolean;
  readonly scanConsistency: "snapshot" | "none";
  readonly persistence: "durable" | "volatile";
  /** `transact` offers SQL in the same transaction as the Commit (ctx.tx). */
  readonly sql: boolean;
}

export interface StoreInfo {
  readonly storeId: string;
  readonly format: number;
  readonly oldestReader: number;
  readonly oldestWriter: number;
  /** Raised by `doctor --restored` (K4). */
  readonly incarnation: number;
  /** What the database physically is (device and inode, system identifier), as found now and as last recorded. */
  readonly identity: string;
  readonly identityRecorded: string;
  /** Unsafe settings that were accepted at open; each becomes an assumption of every proof. */
  readonly unsafe: readonly string[];
  /** Settings of the database that durability rests on, as read back now; absent where there are none. */
  readonly settings?: Readonly<Record<string, string>>;
  /** The store's clock, milliseconds. Leases, due times and persistedAt use it. */
  readonly nowMs: number;
  readonly engines: readonly EngineRow[];
}

export interface EngineRow {
  readonly engineId: string;
  readonly leaseUntil: number;
  /** One-way (K1). */
  readonly dead: boolean;
  /** The workflows it knows: name and version. */
  readonly serves: readonly { readonly workflow: string; readonly version: string }[];
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
}

export type Origin = "engine" | "external" | "moved";

export interface NewRun {
  readonly scope: Scope;
  readonly workflowId: string;
  readonly workflow: string;
  readonly version: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly inputDigest: string;
  /** Idempotent start: a second create under the same (scope, key) is answered `conflict` with the first run. */
  readonly idempotencyKey: string | null;
  readonly deadlineInMs: number | null;
  readonly originalRunId: string | null;
  readonly rootRunId: string;
  readonly parentRunId: string | null;
  readonly parentStepId: string | null;
  /** null: the workflowId must have no run at all. Else its latest run must be this one, settled (or settling in the same Commit). */
  readonly supersedes: string | null;
  /** Who owns it from birth; null = any engine may claim it when due. */
  readonly owner: string | null;
  readonly fence: Fence;
  /** Absent = engine. An external run has no owner and is never due. */
  readonly origin?: Origin;
}

/** due_at = least of `at` and the Commit's time + `inMs`; both null: only an inbox row wakes the run. */
export interface Due {
  readonly at: number | null;
  readonly inMs: number | null;
}

export interface Commit {
  /** Kept in the run row: the same Commit asked again is answered `duplicate` (K10). */
  readonly commitId: string;
  readonly runId: string;
  /** What must hold for anything to be written: the fence and version last seen, or that the run does not exist yet. */
  readonly expect: { readonly fence: Fence; readonly stateVersion: number } | { readonly create: NewRun };
  readonly events: readonly EventWrite[];
  readonly status: RunStatus;
  readonly waiting: Waiting | null;
  readonly due: Due;
  /** Gives up ownership in the same write. A settled run is always released. */
  readonly release: boolean;
  readonly exactVersion?: boolean;
  /** The store refuses the Commit as `early` while its clock is before this (I10: no timer fires early). */
  readonly notBefore: number | null;
  /** Inbox rows the owner has seen; they wake nobody any more (K18). */
  readonly taken: readonly number[];
  /** Inbox rows whose content is now in the log; implies taken. */
  readonly consumed: readonly number[];
  /** Answers to updates, in the same write. */
  readonly replies: readonly { readonly inboxId: number; readonly reply: string }[];
  readonly views: readonly { readonly name: string; readonly value: string }[];
  /** Where a run may be resumed from without its whole log; kept beside the earlier ones, never changed. */
  readonly checkpoint?: Checkpoint;
  /** Runs created by this one: Commits with `expect.create`, insert-or-nothing, each fate a value (K9). */
  readonly children: readonly Commit[];
  /** Inbox rows for other runs: a child's end, a signal or a cancel from this run's code. Insert-or-nothing by `id`. */
  readonly notices: readonly Notice[];
  /** Continue-as-new: rows not consumed go to this run (which is among `children`). */
  readonly moveInboxTo: string | null;
  /** The ledger, in the same write: a record is put whole, at most once per `seq`; absent = none. */
  readonly effects?: readonly EffectWrite[];
}

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
  /** Whom it acts on, as the author named it; null when he named nobody. */
  readonly receiver: string | null;
  readonly status: EffectStatus;
  readonly phase: EffectPhase;
  readonly attempts: number;
  readonly engineAttempts: number;
  /** Category, message and diagnosis as JSON text, when it ended or stands without success. */
  readonly error: string | null;
  /** The event that this state of the record came with: a completed effect's result is in it. */
  readonly eventSeq: number;
}
export interface EffectRecord extends EffectWrite {
  readonly runId: string;
  /** The store's times: of the first dispatch, and of the last change. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface EffectQuery {
  readonly scope: Scope;
  readonly runId?: string;
  readonly key?: string;
  readonly name?: string;
  readonly receiver?: string;
  readonly class?: GuaranteeClass;
  readonly status?: EffectStatus;
  readonly phase?: EffectPhase;
  readonly limit: number;
  /** By runId, newest first as run ids are made, then by seq; opaque. */
  readonly cursor?: string;
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

/** A signal or a control row for a run that has settled goes to the run that continues it (`continues` in rules.ts). */
export interface Notice {
  readonly toRunId: string;
  readonly kind: InboxKind;
  readonly name: string;
  /** Unique per (toRunId, kind, name). */
  readonly id: string;
  readonly payload: string | null;
}

export type ChildCreateResult = { readonly kind: "created" } | { readonly kind: "conflict"; readonly existing: RunRow };

export type CommitAnswer =
  | {
      readonly kind: "committed";
      readonly persistedAt: number;
      readonly dueAt: number | null;
      readonly children: readonly ChildCreateResult[];
    }
  /** Already there, with this commitId. */
  | {
      readonly kind: "duplicate";
      readonly persistedAt: number;
      readonly dueAt: number | null;
      readonly children: readonly ChildCreateResult[];
    }
  /** Another owner holds the run: nothing was written (I3). */
  | { readonly kind: "fenced" }
  /** The fence is right, the version is not: nothing was written. */
  | { readonly kind: "stale" }
  /** The row could not be locked; ask again. */
  | { readonly kind: "busy" }
  | { readonly kind: "early"; readonly nowMs: number }
  /** Only for `expect.create`: the workflowId or the start key has a run. */
  | { readonly kind: "conflict"; readonly by: "workflowId" | "idempotencyKey" | "runId"; readonly existing: RunRow }
  /** The store cannot hold this content; nothing of this Commit was written, the rest of the batch was. */
  | { readonly kind: "refused"; readonly reason: string };

export type InboxKind = "signal" | "update" | "control" | "child";
/** The names of control rows. */
export type ControlName = "cancel" | "pause" | "resume" | "terminate" | "retry" | "resolve" | "wake";

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
}

/** A message from outside the owner: goes to the workflowId's latest run, or to one run. */
export interface Post {
  readonly scope: Scope;
  readonly target: { readonly workflowId: string } | { readonly runId: string };
  readonly kind: InboxKind;
  readonly name: string;
  /** The id that makes it idempotent: (workflowId, kind, name, id) is remembered across the workflowId's runs. */
  readonly id: string;
  readonly payload: string | null;
  /** How long the accepted record is kept at least; null = as long as the store keeps the workflow. */
  readonly retainMs: number | null;
  /** Answers with what was accepted before, and accepts nothing: `absent` if it was not. */
  readonly checkOnly?: boolean;
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
}

export type PostAnswer =
  | { readonly kind: "accepted"; readonly record: AcceptedRecord; readonly replayed: boolean }
  /** The payload is there, the accepted record is not: an older writer or a partial restore (W-078). */
  | { readonly kind: "indeterminate"; readonly storageKey: string }
  /** To a post that only looks: this message was not accepted before, and is not now. */
  | { readonly kind: "absent" }
  | { readonly kind: "settled"; readonly run: RunRow }
  /** Its log is written by producers outside (K23), or in another store: no engine here would ever read the message. */
  | { readonly kind: "external"; readonly run: RunRow }
  | { readonly kind: "unknown" };

export interface ClaimQuery {
  readonly engineId: string;
  /** The engine's scope; runs of other scopes are never claimed (I11). */
  readonly scope: Scope;
  /** The workflows it has code for; its own versions first. */
  readonly serves: readonly { readonly workflow: string; readonly version: string }[];
  /** Also runs of any workflow with an untaken control row named pause, resume or terminate (K5). */
  readonly control: boolean;
  readonly runId?: string;
  /** At most this many; each claim uses one of `tokens`. */
  readonly limit: number;
  readonly tokens: readonly string[];
}

export interface RunQuery {
  readonly scope: Scope;
  readonly status?: readonly RunStatus[];
  readonly workflow?: string;
  readonly workflowId?: string;
  readonly tags?: Readonly<Record<string, string>>;
  readonly parentRunId?: string;
  readonly waiting?: Waiting;
  readonly limit: number;
  /** Newest first; opaque. */
  readonly cursor?: string;
}

export type RunSelector =
  | { readonly runId: string }
  | { readonly scope: Scope; readonly workflowId: string }
  | { readonly scope: Scope; readonly idempotencyKey: string };

export type EventQuery =
  | { readonly runId: string; readonly after: number; readonly limit: number }
  | { readonly runId: string; readonly idempotencyKey: string }
  /** Those of the keys that are there, ascending by runSeq. */
  | { readonly runId: string; readonly idempotencyKeys: readonly string[] };

export type SqlValue = string | number | bigint | boolean | null | Uint8Array;
export interface TxSql {
  /** `parts` and `values` as a template tag gets them; the store writes its own placeholders. */
  query(parts: readonly string[], values: readonly SqlValue[]): Promise<{ rows: Record<string, SqlValue>[]; changes: number }>;
  /** The driver's own client on the same connection, guarded; absent where a store has none to give. */
  readonly client?: TxClient;
}

/** A hint that something changed; polling is always the truth. `runId` is absent when the store cannot say which. */
export interface Hint {
  readonly kind: "inbox" | "due" | "reply" | "settled" | "any";
  readonly runId?: string;
}

export interface Renewal {
  readonly engineId: string;
  readonly leaseMs: number;
}
/** The answers of a batch, in its order. */
export interface BatchAnswer {
  readonly answers: readonly CommitAnswer[];
  readonly renewal: "renewed" | "dead" | null;
}

export interface Store {
  /** The adapter's name, for diagnostics: "memory", "sqlite". */
  readonly name: string;
  capabilities(): Capabilities;
  info(): Promise<StoreInfo>;

  /** Adds an engine's row (its session or file lock is held first). */
  registerEngine(engine: { readonly engineId: string; readonly leaseMs: number; readonly serves: EngineRow["serves"] }): Promise<void>;
  /** K1: `… where not dead`; "dead" means abandon all runs and start again under a new id. */
  renew(r: Renewal): Promise<"renewed" | "dead">;
  /** `self`: retires this engine. `by`: declares dead whoever's lease lapsed or whose lock proves it (K2). Returns the ids. */
  declareDead(q: { readonly self: string } | { readonly by: string }): Promise<readonly string[]>;

  /** Due runs whose owner is none or dead become owned by the caller, each under a new epoch and token. Disjoint, non-blocking. */
  claim(q: ClaimQuery): Promise<readonly RunRow[]>;
  /**
   * Ids of runs that this engine owns and that have a due time, at most `limit`, in no order. With `inbox({ owner })` it finds what a
   * claim took whose answer was lost: runs that the engine owns and does not hold (I12).
   */
  ownedRuns(q: { readonly engineId: string; readonly limit: number }): Promise<readonly string[]>;
  /**
   * Applies each Commit independently, all in one transaction. At most one Commit per run in a batch. One that writes nothing
   * may be judged before or after the others have written: `existing` is there when it is told. `renew` rides in the same
   * transaction (K3 for the price of nothing); it is answered "dead" without touching the Commits. A store in this process
   * may answer at once.
   */
  commit(batch: readonly Commit[], renew?: Renewal): BatchAnswer | Promise<BatchAnswer>;
  /**
   * ctx.tx (K11): begin, the user's statements, the Commit that `seal` makes as the last write, COMMIT. Anything but
   * `committed` rolls all of it back. A user error rolls back and is thrown as it is.
   */
  transact<T>(
    user: (sql: TxSql) => Promise<T>,
    seal: (value: T) => Commit,
    timeoutMs: number,
  ): Promise<{ readonly answer: CommitAnswer; readonly value: T }>;

  /** The same verbs inside a transaction of the user's own, if the store has SQL. PAWL3012 if this is none, or none of this database. */
  joinTransaction?(own: UserTransaction): Promise<TransactionView>;

  /** Insert-or-read in one transaction; the duplicate is looked for first, then the run. */
  post(p: Post): Promise<PostAnswer>;
  /** Rows in inbox order: of one run (not consumed, unless `all`), or untaken rows of every run that an engine owns. */
  inbox(q: { readonly runId: string; readonly all?: boolean } | { readonly owner: string }): Promise<readonly InboxRow[]>;

  /** One run: itself, the latest of a workflowId, or the one that was started under a key. */
  run(q: RunSelector): Promise<RunRow | undefined>;
  runs(q: RunQuery): Promise<{ readonly runs: readonly RunRow[]; readonly cursor?: string }>;
  /** Ascending by runSeq, after `after`, at most `limit`; with a key, the one event that has it (D-074). */
  events(q: EventQuery): Promise<readonly EventRecord[]>;
  views(runId: string): Promise<Readonly<Record<string, string>>>;
  /** The run's latest checkpoint, or that of one step; one row, so all of it is of one moment. */
  checkpoint(q: { readonly runId: string; readonly stepId?: number }): Promise<CheckpointRecord | undefined>;
  /** The ledger: effects across runs. */
  effects(q: EffectQuery): Promise<{ readonly effects: readonly EffectRecord[]; readonly cursor?: string }>;

  /** For those who read the log: their own rows, and what changed since they looked (shelf.ts). */
  readonly kv: KvTable;
  readonly feed: Feed;

  /** For checks of the whole store (audit.ts). */
  readonly audit: Audit;
  /** Whole runs that leave or come in: retention and moving (archive.ts). */
  readonly archive: Archive;

  watch(listener: (h: Hint) => void): () => void;
  close(): Promise<void>;
}
