// The Commit, the one way in which the owner of a run changes it, and what a store answers to it. Types only. Answers are closed unions:
// losing a fence is a value, not an exception.
import type { Fence, RunStatus, Scope, Waiting } from "../core/model.ts";
import type { EventWrite } from "../events/event.ts";
import type { CommitQueueing } from "./queue-store.ts";
import type { KvRow, KvWrite } from "./reader-store.ts";
import type { RunRow, Origin, EffectWrite, Checkpoint, MessageKind, Snapshot } from "./records.ts";

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

export interface Commit extends CommitQueueing {
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
  /** With a Commit that fails the run: `errorCode` of its row. */
  readonly errorCode?: string;
  /** The store refuses the Commit as `early` while its clock is before this (I10: no timer fires early). */
  readonly notBefore: number | null;
  /** Inbox rows the owner has seen; they wake nobody any more (K18). */
  readonly taken: readonly number[];
  /** Inbox rows whose content is now in the log; implies taken. */
  readonly consumed: readonly number[];
  /** Answers to updates, in the same write. */
  readonly replies: readonly { readonly inboxId: number; readonly reply: string }[];
  /** Of the consumed rows, those that the owner did not accept, and why. */
  readonly rejected?: readonly { readonly inboxId: number; readonly reason: string }[];
  readonly views: readonly { readonly name: string; readonly value: string }[];
  /** Where a run may be resumed from without its whole log; kept beside the earlier ones, never changed. */
  readonly checkpoint?: Checkpoint;
  /** What the log folds to at an event, so that a later owner reads only what follows it. A cache: a store may refuse it alone. */
  readonly snapshot?: Snapshot;
  /** Rows with versions, in the same write. One `expect` that does not hold: nothing of the Commit is written, `unmet`. Goes alone; not in a child's Commit. */
  readonly puts?: readonly KvWrite[];
  /** Runs created by this one: Commits with `expect.create`, insert-or-nothing, each fate a value (K9). */
  readonly children: readonly Commit[];
  /** Inbox rows for other runs: a child's end, a signal or a cancel from this run's code. Insert-or-nothing by `id`. */
  readonly notices: readonly Notice[];
  /** Continue-as-new: rows not consumed go to this run (which is among `children`). */
  readonly moveInboxTo: string | null;
  /** The ledger, in the same write: a record is put whole, at most once per `seq`; absent = none. */
  readonly effects?: readonly EffectWrite[];
}

/** A signal or a control row for a run that has settled goes to the run that continues it (`continues` in rules.ts). */
export interface Notice {
  readonly toRunId: string;
  readonly kind: MessageKind;
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
  /** A row that the Commit expected in `puts` is not as expected. The rows that are there instead; none for a missing one. */
  | { readonly kind: "unmet"; readonly rows: readonly KvRow[] }
  /** The store cannot hold this content; nothing of this Commit was written, the rest of the batch was. */
  | { readonly kind: "refused"; readonly reason: string };

export interface Renewal {
  readonly engineId: string;
  readonly leaseMs: number;
}

/** The answers of a batch, in its order. */
export interface BatchAnswer {
  readonly answers: readonly CommitAnswer[];
  readonly renewal: "renewed" | "dead" | null;
}
