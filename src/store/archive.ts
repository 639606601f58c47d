// Whole runs that leave a store or come into it: retention takes away what nothing needs any more, moving hands a run to another
// store. Each verb is one transaction about one run, so that it never holds an engine up for long and a kill between two of
// them leaves nothing half done. What may go is decided here, alike for every store; a log never loses single events (P-14).
import { isSettled } from "../core/model.ts";
import type { EventRecord } from "../events/event.ts";
import type { CheckpointRecord, EffectRecord, InboxRow, RunRow } from "./records.ts";

/**
 * expire: payloads become tombstones, and what was made of them (views, checkpoints, snapshots, messages, errors) goes; hashes and links stay.
 * purge: the log and the ledger go; the row stays, and the records that make a late duplicate harmless.
 * forget: those go too.
 */
export type PruneStage = "expire" | "purge" | "forget";

/** The type of event whose payload expires only with its log: a seal holds no value of a user (events/seal.ts). */
export const expiryExemptType = "pawl.HeadSealed";

export interface PruneQuery {
  readonly runId: string;
  readonly stage: PruneStage;
  /** The store's time: who ended later is kept. */
  readonly endedBefore: number;
  /** The run is kept while any of these rows exists: a hold on it, or on a run above it. */
  readonly unlessHeld: { readonly collection: string; readonly keys: readonly string[] };
  /** So many payloads expire in one transaction at most. */
  readonly limit: number;
  /** Answers as if, and does nothing. */
  readonly dryRun?: boolean;
}

/** Why a run was kept: see `keptBecause`. */
export type KeptReason = "missing" | "done" | "open" | "young" | "held" | "awaited" | "protects" | "sealed" | "queued";

export type PruneAnswer =
  /** `more`: payloads are left, ask again. */
  { readonly kind: "pruned"; readonly more: boolean } | { readonly kind: "kept"; readonly because: KeptReason };

/** A message in a run's inbox, with the key that makes it one message. */
export interface CopiedMessage extends Omit<InboxRow, "inboxId" | "runId"> {
  /** null: a later message may take the key, or the store that it comes from no longer knows it. */
  readonly key: string | null;
  /** The record of its acceptance, if there is one. */
  readonly accepted: { readonly acceptedAt: number; readonly expiresAt: number | null } | null;
}

/** Everything that a store holds of one run, in no store's own terms: messages have their order for a number. */
export interface RunCopy {
  readonly run: RunRow;
  readonly events: readonly EventRecord[];
  readonly inbox: readonly CopiedMessage[];
  readonly views: Readonly<Record<string, string>>;
  readonly checkpoints: readonly CheckpointRecord[];
  readonly effects: readonly EffectRecord[];
}

/** A run is taken out of the engines' hands, or given back. */
export interface MoveQuery {
  readonly runId: string;
  /** What the row must say now; who finds it otherwise changes nothing. */
  readonly from: RunRow["origin"];
  readonly to: RunRow["origin"];
  /** The new fence's: the epoch rises, so that no owner of before can write (K4). */
  readonly token: string;
  readonly dueAt: number | null;
}

export type InsertRunAnswer =
  | { readonly kind: "put" }
  /** The run is there, and its log begins with all of this: nothing was changed. */
  | { readonly kind: "known" }
  /** Another run has the id, the place among the runs of the workflowId, the start key or the key of a message. */
  | { readonly kind: "conflict"; readonly by: "runId" | "workflowId" | "idempotencyKey" | "message" };

export interface Archive {
  prune(q: PruneQuery): Promise<PruneAnswer>;
  /**
   * The row as it was before; undefined, and nothing done, when it was not `from`, or not there; `queued`, and nothing done, when it is to be
   * moved away and has dispatches, whose workers report to this store.
   */
  move(q: MoveQuery): Promise<RunRow | "queued" | undefined>;
  /** Of a run that nobody changes any more: one that has settled, or was moved. */
  copyRun(runId: string): Promise<RunCopy | undefined>;
  /**
   * All of it or nothing. `copy.run` is written as it is, but for its owner: there is none. A run that was moved away from here is
   * replaced, if what comes back continues where it ended.
   */
  insertRun(copy: RunCopy): Promise<InsertRunAnswer>;
}

/** What a store finds out about a run, in the transaction that prunes it. */
export interface PruneFacts {
  /** The last run of its workflowId; it may be the run itself. */
  readonly latest: RunRow;
  /** The workflowId has other runs. */
  readonly hasOtherRuns: boolean;
  readonly held: boolean;
  /** It has dispatches: rows that its last Commit should have taken away (queue-store.ts). */
  readonly queued: boolean;
  /** A consumer of the feed has not seen all of it. */
  readonly awaitedByConsumer: boolean;
  /** The time until which an accepted message is to be remembered; null = no longer than the run. */
  readonly rememberUntil: number | null;
}

/** Before anything is read of others: what the row alone rules out. */
export function keptByItsRow(run: RunRow | undefined, q: PruneQuery): KeptReason | null {
  if (run === undefined) return "missing";
  if ((q.stage === "forget") === (run.purgedAt === null)) return q.stage === "forget" ? "open" : "done";
  if (!isSettled(run.status) || run.origin === "moved") return "open";
  return run.persistedAt > q.endedBefore ? "young" : null;
}

/** W-128: null when nothing needs what this stage takes away. */
export function keptByFacts(run: RunRow, f: PruneFacts, q: PruneQuery, nowMs: number): KeptReason | null {
  if (f.held) return "held";
  if (f.queued) return "queued";
  const stillOpen = !isSettled(f.latest.status);
  // Its successor reads this log when it is read back itself; one that retries reads all of its line, which have one root.
  const read = f.latest.originalRunId === run.runId || f.latest.rootRunId === run.rootRunId;
  if (q.stage !== "forget") return stillOpen && read ? "open" : f.awaitedByConsumer ? "awaited" : null;
  // A late duplicate is distinguished from a new request as long as its workflowId lives, and for as long again after that.
  if (stillOpen || f.latest.persistedAt > q.endedBefore) return "protects";
  if (f.rememberUntil !== null && f.rememberUntil > nowMs) return "protects";
  // Generation numbers continue from the last run: it is removed only when it is alone.
  return f.latest.runId === run.runId && f.hasOtherRuns ? "protects" : null;
}

/** What stands in the way of a run that comes in. Only the last run of a workflowId may be unsettled, wherever it came from. */
export function conflictingRun(copy: RunCopy, others: readonly RunRow[]): "workflowId" | null {
  const { run } = copy;
  const open = !isSettled(run.status);
  const clashes = others.some((o) => {
    if (o.runId === run.runId) return false;
    if (o.generation === run.generation) return true;
    if (o.origin === "moved") return false;
    return o.generation < run.generation ? !isSettled(o.status) : open;
  });
  return clashes ? "workflowId" : null;
}

/** How the run that is there stands to the one that comes in; its log at the copy's head, if there is such an event. */
export function compareWithExisting(there: RunRow, linkThere: string | undefined, copy: RunCopy): "known" | "replaced" | "conflict" {
  const { run } = copy;
  const sameHead = there.headSeq === run.headSeq && there.headLink === run.headLink;
  if (there.origin === "moved") {
    // K22: a link covers everything before it, so one that occurs in both says that one log continues the other.
    const goesOn = sameHead || copy.events.some((e) => e.runSeq === there.headSeq && e.link === there.headLink);
    if (sameHead && run.fence.epoch === there.fence.epoch) return "known";
    return goesOn && run.fence.epoch > there.fence.epoch ? "replaced" : "conflict";
  }
  return sameHead || (linkThere !== undefined && linkThere === run.headLink) ? "known" : "conflict";
}
