// The facet for steps that run on a queue. A dispatch is one row: a step that some process should run, written in the Commit of the event
// that it belongs to, and ended once. Its end puts one row of kind `result` into the run's inbox in the same transaction; a Commit that
// settles the run takes the row away and puts none. The log stays the truth: a row says only who may run what, and until when.
// A worker never touches a run's row (K8). A claim that lapsed is a crash and goes by the class; what nobody claimed just waits (K26).
import type { Scope } from "../core/model.ts";

/** What is asked of the worker: to run the step, to say whether it happened, to undo it. */
export type DispatchWhat = "run" | "verify" | "undo";

/** (seq, what) is unique in a run: the event that the dispatch belongs to, and what is asked. */
export interface DispatchRef {
  readonly seq: number;
  readonly what: DispatchWhat;
}

/** Written with its StepStarted, pawl.StepRedispatched or pawl.StepYielded, in one Commit. */
export interface DispatchWrite extends DispatchRef {
  readonly stepId: string;
  readonly attempt: number;
  readonly engineAttempt: number;
  readonly queue: string;
  /** `name` or `name@version`. */
  readonly task: string;
  readonly priority: number;
  /** What one step of priority is worth in waiting: rank_at = since − priority × agingMs, fixed when the row is written. */
  readonly agingMs: number;
  /** Since when the step waits; null: the Commit's time. A later attempt keeps it. */
  readonly since: number | null;
  /** Class, key, fence, limits and where the input comes from, as JSON text. The store does not read it. */
  readonly spec: string;
  readonly timeoutMs: number | null;
  /** When it may no longer begin; null: it waits for as long as it takes. */
  readonly expiresAt: number | null;
  /** The owner runs it itself: claimed from birth, without a deadline. */
  readonly claimed?: { readonly worker: string; readonly token: string };
}

export interface DispatchRow extends Omit<DispatchWrite, "claimed" | "priority" | "agingMs" | "since"> {
  /** Rises with every row of the store. */
  readonly dispatchId: number;
  readonly runId: string;
  readonly scope: Scope;
  readonly rankAt: number;
  /** Its run is paused or waits for a person: nobody may claim it. (A claimed row may be held too: it counts once it is given back.) */
  readonly held: boolean;
  readonly enqueuedAt: number;
  readonly worker: string | null;
  readonly token: string | null;
  readonly claimedAt: number | null;
  /** Claim + beginWithinMs + timeoutMs; null: only the worker's death ends the claim. */
  readonly deadlineAt: number | null;
  /** What the worker last said of its progress, as JSON text. */
  readonly beat: string | null;
  /** The worker should stop. */
  readonly cancel: boolean;
}

/** How a dispatch ended. `late`: a report that came after its row had ended. */
export type DispatchEnd =
  | { readonly kind: "result" | "verdict" | "yield" | "late"; readonly report: unknown }
  | { readonly kind: "lapsed"; readonly because: "dead" | "deadline" }
  | { readonly kind: "expired" }
  | { readonly kind: "withdrawn" };

/** The payload of an inbox row of kind `result`, as JSON text, its members in any order. Its `name` is the step id, its `id` the dispatch id. */
export interface DispatchEnded extends DispatchRef {
  readonly dispatchId: number;
  readonly attempt: number;
  readonly engineAttempt: number;
  /** null: it was never claimed, so nothing was sent. */
  readonly worker: string | null;
  /** Of the claim: who names it may still say what became of the step. Absent in rows of earlier versions. */
  readonly token?: string | null;
  readonly claimedAt: number | null;
  /** K25 counts from here. */
  readonly deadlineAt: number | null;
  /** The row's `beat`, as it stood. */
  readonly beat: unknown;
  readonly end: DispatchEnd;
}

/** Stored; every claim is made under the version that it names. null: no limit. */
export interface StoredQueueConfig {
  /** At most so many claimed at once, over all processes. */
  readonly concurrency: number | null;
  /** At most `burst` at once, then one every `perMs / limit`. */
  readonly rate: { readonly limit: number; readonly perMs: number; readonly burst: number } | null;
  readonly agingMs: number;
}
/** Who paused it, why, and when (the store's time). */
export interface QueuePause {
  readonly by: string;
  readonly reason: string;
  readonly at: number;
}
export interface StoredQueue {
  readonly queue: string;
  readonly config: StoredQueueConfig;
  readonly paused: QueuePause | null;
  /** 1 when the row is made, one more with every change. */
  readonly version: number;
}
export interface QueueChange {
  readonly config?: Partial<StoredQueueConfig>;
  /** null: resume. `at` is the store's. */
  readonly paused?: { readonly by: string; readonly reason: string } | null;
}

export interface QueueClaim {
  /** A registered engine that is not dead. */
  readonly worker: string;
  readonly scope: Scope;
  readonly queue: string;
  /** The version of the queue's row that the caller knows. Another one: `moved`, nothing is claimed. */
  readonly version: number;
  readonly tasks: readonly string[];
  readonly limit: number;
  /** One for each row that may be claimed. */
  readonly tokens: readonly string[];
  readonly beginWithinMs: number;
  /** The lowest rank worth looking at; null: all. A poll always says null. */
  readonly from: number | null;
}

export type QueueClaimAnswer =
  /** `more`: rows were seen that others had locked, ask again at once. `nextAt`: when the rate permits the next one. */
  | { readonly kind: "claimed"; readonly rows: readonly DispatchRow[]; readonly more: boolean; readonly nextAt: number | null }
  /** The queue has another version by now, or no row at all: `open` it again. */
  | { readonly kind: "moved" }
  | { readonly kind: "paused" }
  /** The queue's row could not be locked in time; ask again. */
  | { readonly kind: "busy" }
  | { readonly kind: "dead" };

/** What a worker holds. */
export interface HeldDispatch {
  readonly dispatchId: number;
  readonly token: string;
}

export interface DispatchQuery {
  readonly scope: Scope;
  readonly runId?: string;
  readonly queue?: string;
  readonly worker?: string;
  /** Ascending by dispatchId. */
  readonly after?: number;
  readonly limit: number;
}

export interface QueueDepth {
  readonly ready: number;
  readonly claimed: number;
  readonly held: number;
  /** `enqueuedAt` of the ready row that waits longest. */
  readonly oldestAt: number | null;
  /** Ready rows by task. */
  readonly byTask: Readonly<Record<string, number>>;
}

export interface QueueTable {
  /** Creates the rows that are missing, without limits; returns all of the named ones, each once, ascending by name as `list` does. */
  open(scope: Scope, queues: readonly string[]): Promise<readonly StoredQueue[]>;
  list(scope: Scope): Promise<readonly StoredQueue[]>;
  /** Waits for claims that hold the queue's row. `moved`: it has another version than `ifVersion` (0: no row yet). Creates a missing row. */
  configure(scope: Scope, queue: string, change: QueueChange, ifVersion?: number): Promise<StoredQueue | "moved">;
  claim(q: QueueClaim): Promise<QueueClaimAnswer>;
  /** Each on its own; `gone`: its row had ended before, or has another token. In which order the messages come is the store's affair. */
  finish(ends: readonly (HeldDispatch & { readonly end: DispatchEnd })[]): Promise<readonly ("recorded" | "gone")[]>;
  /** Puts a `late` report into the inbox of a run that has not settled, once per dispatch; false: the run has settled or is not there. */
  postLate(runId: string, stepId: string, ended: DispatchEnded): Promise<boolean>;
  /** Records what the worker says of its work, each dispatch once, and answers what it should stop and what is no longer its own. */
  beat(
    worker: string,
    held: readonly (HeldDispatch & { readonly beat?: string })[],
  ): Promise<{ readonly cancel: readonly number[]; readonly lost: readonly number[] }>;
  /** Nothing has begun: the rows are unclaimed again, with their rank. One that is flagged `cancel` ends as withdrawn. */
  giveBack(held: readonly HeldDispatch[]): Promise<void>;
  /** Ends claims of workers that are not alive, claims past their deadline, and waits past their time. Any process may call it. */
  lapse(limit: number): Promise<readonly { readonly runId: string; readonly dispatchId: number }[]>;
  rows(q: DispatchQuery): Promise<readonly DispatchRow[]>;
  /** Counts up to `upTo` of each; `ready` also counts rows past their time that nobody has ended yet. */
  depth(scope: Scope, queue: string, upTo: number): Promise<QueueDepth>;
  /** Removes rows of runs that have settled or are gone, which a Commit never leaves behind; how many. */
  sweep(limit: number): Promise<number>;
}

export interface QueueStore {
  readonly queues: QueueTable;
}

/**
 * What a Commit says about queued steps. All optional: a Commit without them is written as if they did not exist. A child's Commit may have
 * dispatches, and nothing else of this.
 */
export interface CommitQueueing {
  readonly dispatches?: readonly DispatchWrite[];
  /** Rows that end with this Commit and leave no inbox row: steps that the owner ran, requests that an outcome made pointless. */
  readonly ends?: readonly DispatchRef[];
  /** Unclaimed: removed, with an inbox row `withdrawn`. Claimed: flagged `cancel`. Goes alone. */
  readonly withdraws?: readonly DispatchRef[];
  /**
   * Of all rows of the run, also those that come with this Commit; a claimed one is held once it is given back. With RunPaused, RunResumed
   * and decisions about the whole run. Goes alone.
   */
  readonly held?: boolean;
  /** All its rows go, before those of this Commit are written. Goes alone. A Commit that settles the run does so unasked, and writes none. */
  readonly drop?: true;
}
