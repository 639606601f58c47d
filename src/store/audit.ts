// For checks of a whole store, and for setting right what a check found: rows by run, whatever their scope, that no other verb
// shows whole. A store interprets nothing here. Only an operator's tools call it; the engine never does.
import { Buffer } from "node:buffer";
import type { CheckpointRecord, EffectRecord, InboxRow, RunRow, SnapshotRecord } from "./records.ts";

/** A message with the record that accepted it, if there is one. */
export interface MessageRow extends InboxRow {
  /** SHA-256 of the key under which it is one message, in hex; null once another may take that key. */
  readonly dedup: string | null;
  readonly accepted: { readonly runId: string; readonly inboxId: number; readonly acceptedAt: number } | null;
}

/** What a run's row derives from its log. */
export type DerivedRun = Pick<
  RunRow,
  | "status"
  | "waiting"
  | "owner"
  | "stateVersion"
  | "headSeq"
  | "headLink"
  | "persistedAt"
  | "dueAt"
  | "createdAt"
  | "rootRunId"
  | "originalRunId"
  | "inputDigest"
>;

/** Rows of one run as they shall be. */
export interface Repair {
  readonly runId: string;
  /** Nothing is written unless the run's row has these still. */
  readonly expect: { readonly stateVersion: number; readonly epoch: number; readonly commitId: string };
  readonly run: DerivedRun;
  readonly effects: { readonly put: readonly EffectRecord[]; readonly remove: readonly number[] };
  readonly views: { readonly put: readonly { readonly name: string; readonly value: string }[]; readonly remove: readonly string[] };
  /** Messages whose content is in the log. */
  readonly consumed: readonly number[];
  /** Checkpoints of a graph's supersteps, by number. Absent: they stay. */
  readonly checkpoints?: { readonly put: readonly CheckpointRecord[]; readonly remove: readonly number[] };
  /** Its snapshots as they shall be, instead of those that are there. Absent: they stay. */
  readonly snapshots?: readonly SnapshotRecord[];
}

export interface Audit {
  /** How much there is after a run, in the order of ids; "" = all of it. */
  size(after: string): Promise<{ readonly runs: number; readonly events: number }>;
  /** Ids that any table names, ascending by their bytes. */
  runIds(q: { readonly after: string; readonly limit: number }): Promise<readonly string[]>;
  /** In inbox order, consumed ones too. */
  messages(runId: string): Promise<readonly MessageRow[]>;
  /** In the order of their steps. */
  checkpoints(runId: string): Promise<readonly CheckpointRecord[]>;
  /** All of it in one transaction, or nothing. */
  repair(m: Repair): Promise<"repaired" | "changed">;
}

/** Columns of a run's row that a repair sets, in every database, and their values in that order. */
export const derivedColumns = [
  "status",
  "waiting",
  "owner",
  "state_version",
  "head_seq",
  "head_link",
  "persisted_at",
  "due_at",
  "created_at",
  "root_run_id",
  "original_run_id",
  "input_digest",
] as const;

export function derivedValues(r: DerivedRun): (string | number | null)[] {
  const head = [r.status, r.waiting, r.owner, r.stateVersion, r.headSeq, r.headLink, r.persistedAt, r.dueAt];
  return [...head, r.createdAt, r.rootRunId, r.originalRunId, r.inputDigest];
}

/** The tables that name a run; the last two came with format 8. */
export const runTables = ["runs", "events", "inbox", "effects", "views", "checkpoints", "snapshots", "dispatches"] as const;

/** The least of what several tables say, each list ascending: nothing is left out up to the limit. */
export function smallestIds(lists: readonly (readonly string[])[], limit: number): string[] {
  const ids = new Set(lists.flat());
  return [...ids].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))).slice(0, limit);
}
