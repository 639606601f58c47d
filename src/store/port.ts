// The store port: the verbs that every store has. Everything durable happens through them. A store never interprets payloads, never
// runs policy, never imports the engine. Every verb is idempotent under its own key, so an unknown outcome is answered by asking again.
// What a store throws is a PawlError whose `outcome` says what is known. Three more facets are optional: reader-store.ts,
// transaction-store.ts and maintenance.ts.
import type { EffectPhase, EffectStatus, GuaranteeClass, RunStatus, Scope, Waiting } from "../core/model.ts";
import type { EventRecord } from "../events/event.ts";
import type { Commit, Renewal, BatchAnswer } from "./commit-types.ts";
import type {
  EngineKind,
  EngineRow,
  RunRow,
  EffectRecord,
  CheckpointRecord,
  InboxRow,
  MessageKind,
  AcceptedRecord,
  SnapshotRecord,
} from "./records.ts";

export type { EventRecord, EventWrite } from "../events/event.ts";
export type * from "./commit-types.ts";
export type * from "./records.ts";
export type * from "./queue-store.ts";

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

export interface EffectQuery {
  readonly scope: Scope;
  readonly runId?: string;
  /** All runs of one business id. */
  readonly workflowId?: string;
  readonly stepId?: string;
  readonly key?: string;
  readonly name?: string;
  readonly receiver?: string;
  /** Who ran it last, of steps that were on a queue. */
  readonly worker?: string;
  readonly class?: GuaranteeClass;
  readonly status?: EffectStatus;
  readonly phase?: EffectPhase;
  readonly limit: number;
  /** By runId, newest first as run ids are made, then by seq; opaque. */
  readonly cursor?: string;
}

/** A message from outside the owner: goes to the workflowId's latest run, or to one run. */
export interface Post {
  readonly scope: Scope;
  readonly target: { readonly workflowId: string } | { readonly runId: string };
  readonly kind: MessageKind;
  readonly name: string;
  /** The id that makes it idempotent: (workflowId, kind, name, id) is remembered across the workflowId's runs. */
  readonly id: string;
  readonly payload: string | null;
  /** How long the accepted record is kept at least; null = as long as the store keeps the workflow. */
  readonly retainMs: number | null;
  /** Answers with what was accepted before, and accepts nothing: `absent` if it was not. */
  readonly checkOnly?: boolean;
  /** Who sends it: JSON of a Principal. It is kept with the message; a later request with the same id does not change it. */
  readonly by?: string | null;
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

/** `takenFrom`: the dead engine that owned it until now; absent if nobody did, since it was new, or handed back, or waited outside memory. */
export interface ClaimedRun extends RunRow {
  readonly takenFrom?: string;
}

export interface EngineRegistration {
  readonly engineId: string;
  readonly leaseMs: number;
  readonly serves: EngineRow["serves"];
  /** The tenant that it serves; an engine always says so. */
  readonly scope?: Scope;
  /**
   * A worker has the lease of an engine and claims no run: it runs queued steps. A remote one reaches the store through servers: it holds no
   * lock and no file, so its lease alone decides whether it is dead, never the evidence of a lock (K2). Absent: an engine.
   */
  readonly kind?: EngineKind;
  /** What it runs of queued steps; null or absent: nothing. */
  readonly works?: EngineRow["works"];
}

export interface RunQuery {
  readonly scope: Scope;
  readonly status?: readonly RunStatus[];
  readonly workflow?: string;
  readonly workflowId?: string;
  readonly tags?: Readonly<Record<string, string>>;
  readonly parentRunId?: string;
  readonly waiting?: Waiting;
  /** Exactly this `errorCode`. */
  readonly errorCode?: string;
  /** Created at this time or later, and before that one: the store's times. */
  readonly since?: number;
  readonly until?: number;
  /**
   * After so many rows that were looked at, a page ends, with whatever was found: 10,000 unless given (run-scan.ts). So a filter that few
   * runs match never holds a database up. An empty page with a cursor means: ask for the next one.
   */
  readonly scanMax?: number;
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
  /** Those of the keys, or places, that are there, ascending by runSeq. */
  | { readonly runId: string; readonly idempotencyKeys: readonly string[] }
  | { readonly runId: string; readonly runSeqs: readonly number[] };

/**
 * A hint that something changed; polling is always the truth. `runId` is absent when the store cannot say which. `events`: a Commit of this
 * process added events to the run's log; who follows a log that other processes write also asks for `heads`.
 */
export interface Hint {
  readonly kind: "inbox" | "due" | "reply" | "settled" | "events" | "queue" | "any";
  readonly runId?: string;
  /** Of kind `queue`: rows were added to this queue, the first of them with this rank. */
  readonly queue?: string;
  readonly rank?: number;
}

export interface WatchOptions {
  /** Also hints of kind `events`: one for every Commit that adds some. Nobody else gets them. */
  readonly events?: boolean;
}

/** One event of one run. */
export interface EventPlace {
  readonly runId: string;
  readonly runSeq: number;
}

/** How far a run's log goes, and how the run stands. */
export interface RunHead {
  readonly runId: string;
  readonly headSeq: number;
  readonly status: RunStatus;
}

/** So many effects of a run have this class and this phase. */
export interface LedgerPart {
  readonly runId: string;
  readonly class: GuaranteeClass;
  readonly phase: EffectPhase;
  readonly effects: number;
}

export interface Store {
  /** The adapter's name, for diagnostics: "memory", "sqlite". */
  readonly name: string;
  capabilities(): Capabilities;
  info(): Promise<StoreInfo>;

  /** Adds an engine's row (its session or file lock is held first). */
  registerEngine(engine: EngineRegistration): Promise<void>;
  /** K1: `… where not dead`; "dead" means abandon all runs and start again under a new id. */
  renew(r: Renewal): Promise<"renewed" | "dead">;
  /** `self`: retires this engine. `by`: declares dead each engine whose lease lapsed or whose lock proves it (K2). Returns the ids. */
  declareDead(q: { readonly self: string } | { readonly by: string }): Promise<readonly string[]>;

  /** Due runs whose owner is none or dead become owned by the caller, each under a new epoch and token. Disjoint, non-blocking. */
  claim(q: ClaimQuery): Promise<readonly ClaimedRun[]>;
  /**
   * Ids of runs that this engine owns and that have a due time, at most `limit`, in no order. With `inbox({ owner })` it finds what a
   * claim took whose answer was lost: runs that the engine owns and does not hold (I12).
   */
  ownedRuns(q: { readonly engineId: string; readonly limit: number }): Promise<readonly string[]>;
  /**
   * Applies each Commit independently, all in one transaction. At most one Commit per run in a batch. One that writes nothing
   * may be judged before or after the others have written: `existing` is there when it is answered. `renew` rides in the same
   * transaction (K3 for the price of nothing); it is answered "dead" without touching the Commits. A store in this process
   * may answer at once.
   */
  commit(batch: readonly Commit[], renew?: Renewal): BatchAnswer | Promise<BatchAnswer>;

  /** Insert-or-read in one transaction; the duplicate is looked for first, then the run. */
  post(p: Post): Promise<PostAnswer>;
  /** Rows in inbox order: of one run (not consumed, unless `all`), or untaken rows of every run that an engine owns. */
  inbox(q: { readonly runId: string; readonly all?: boolean } | { readonly owner: string }): Promise<readonly InboxRow[]>;

  /** One run: itself, the latest of a workflowId, or the one that was started under a key. */
  run(q: RunSelector): Promise<RunRow | undefined>;
  /** The heads of many runs in one statement, in no order; a run that is not there is left out. Absent: each is asked for by `run`. */
  heads?(runIds: readonly string[]): Promise<readonly RunHead[]>;
  runs(q: RunQuery): Promise<{ readonly runs: readonly RunRow[]; readonly cursor?: string }>;
  /** Ascending by runSeq, after `after`, at most `limit`; with a key, the one event that has it (D-074). */
  events(q: EventQuery): Promise<readonly EventRecord[]>;
  views(runId: string): Promise<Readonly<Record<string, string>>>;
  /** The run's latest checkpoint, or that of one step; one row, so all of it is of one moment. */
  checkpoint(q: { readonly runId: string; readonly stepId?: number }): Promise<CheckpointRecord | undefined>;
  /** The run's snapshots, newest first, at most `limit`, with `at` of at most `upTo` if given. Absent: it keeps none. */
  snapshots?(q: { readonly runId: string; readonly upTo?: number; readonly limit: number }): Promise<readonly SnapshotRecord[]>;
  /** The ledger: effects across runs. */
  effects(q: EffectQuery): Promise<{ readonly effects: readonly EffectRecord[]; readonly cursor?: string }>;

  /** Payloads of events of many runs at once, in no order; an event that is not there is left out. Absent: each is read by `events`. */
  payloadsAt?(places: readonly EventPlace[]): Promise<readonly (EventPlace & { readonly payload: string | null })[]>;
  /**
   * Those of the keys under which effects with different `argsDigest` were recorded (K24), among the newest 100 of each. Absent: each key is
   * looked up by `effects`.
   */
  reusedKeys?(q: { readonly scope: Scope; readonly keys: readonly string[] }): Promise<readonly string[]>;
  /**
   * What the ledger has of many runs, in no order: the classes and phases of the first 65 effects of each, and how many of these have them. A run
   * without effects, or of another tenant, is left out. Absent: each run is looked up by `effects`.
   */
  ledgerParts?(q: { readonly scope: Scope; readonly runIds: readonly string[] }): Promise<readonly LedgerPart[]>;

  /** Calls the listener with hints. A store that cannot leaves it out: callers that wait also poll. */
  watch?(listener: (h: Hint) => void, o?: WatchOptions): () => void;
  close(): Promise<void>;
}
