// What a Commit says about queued steps, its inbox, checkpoints and snapshots, as parts of its statement: rows that end, rows that begin, messages that
// it took, what the log folds to. So a report of a worker becomes an outcome in one round trip. Each part is joined to `written`, the rows of runs that the statement has just written: without one nothing is written (I3). Rows that somebody
// else holds are stepped over (K7): a worker that has one is ending it, or learns soon that it has ended.
import { isSettled } from "../../../core/model.ts";
import { goesAlone } from "../../batch-rules.ts";
import type { Checkpoint, Commit, DispatchRef, DispatchWrite, Snapshot } from "../../port.ts";
import type { Column, ColumnKind } from "../../sql/columns.ts";
import { ArrayParameter } from "../wire/array-parameters.ts";
import type { Bind } from "../wire/driver.ts";
import { settledStatuses } from "../sql.ts";

/** Of one Commit of the statement. */
interface Of<T> {
  readonly runId: string;
  readonly value: T;
}
interface NewDispatch {
  readonly d: DispatchWrite;
  readonly held: boolean;
  readonly place: number;
}

const runIdColumn: Column<Of<unknown>> = { name: "run_id", kind: "text", of: (x) => x.runId };

const dispatchColumns: readonly Column<Of<NewDispatch>>[] = [
  runIdColumn,
  { name: "place", kind: "integer", of: (x) => x.value.place },
  { name: "seq", kind: "bigint", of: (x) => x.value.d.seq },
  { name: "what", kind: "text", of: (x) => x.value.d.what },
  { name: "step_id", kind: "text", of: (x) => x.value.d.stepId },
  { name: "attempt", kind: "integer", of: (x) => x.value.d.attempt },
  { name: "engine_attempt", kind: "integer", of: (x) => x.value.d.engineAttempt },
  { name: "queue", kind: "text", of: (x) => x.value.d.queue },
  { name: "task", kind: "text", of: (x) => x.value.d.task },
  { name: "since", kind: "bigint", of: (x) => x.value.d.since },
  { name: "boost", kind: "bigint", of: (x) => x.value.d.priority * x.value.d.agingMs },
  { name: "held", kind: "boolean", of: (x) => x.value.held },
  { name: "spec", kind: "text", of: (x) => x.value.d.spec },
  { name: "expires_at", kind: "bigint", of: (x) => x.value.d.expiresAt },
  { name: "timeout_ms", kind: "bigint", of: (x) => x.value.d.timeoutMs },
  { name: "worker", kind: "text", of: (x) => x.value.d.claimed?.worker ?? null },
  { name: "token", kind: "text", of: (x) => x.value.d.claimed?.token ?? null },
];
const endColumns: readonly Column<Of<DispatchRef>>[] = [
  runIdColumn,
  { name: "seq", kind: "bigint", of: (x) => x.value.seq },
  { name: "what", kind: "text", of: (x) => x.value.what },
];
const snapshotColumns: readonly Column<Of<Snapshot>>[] = [
  runIdColumn,
  { name: "at_seq", kind: "bigint", of: (x) => x.value.at },
  { name: "digest", kind: "text", of: (x) => x.value.digest },
  { name: "body", kind: "text", of: (x) => x.value.body },
  { name: "alone", kind: "boolean", of: (x) => x.value.keep === "last" },
];
const checkpointColumns: readonly Column<Of<Checkpoint>>[] = [
  runIdColumn,
  { name: "step_id", kind: "bigint", of: (x) => x.value.stepId },
  { name: "key", kind: "text", of: (x) => x.value.key },
  { name: "label", kind: "text", of: (x) => x.value.label },
  { name: "body", kind: "text", of: (x) => x.value.body },
];
/** One row of the inbox that a Commit has taken, or whose content its events carry. */
interface InboxMark {
  readonly inboxId: number;
  readonly consumed: boolean;
}
const markColumns: readonly Column<Of<InboxMark>>[] = [
  runIdColumn,
  { name: "inbox_id", kind: "bigint", of: (x) => x.value.inboxId },
  { name: "consumed", kind: "boolean", of: (x) => x.value.consumed },
];

/** Whether all that it says of its inbox is part of its statement: it answers nobody, and waits for nobody. */
export function marksInStatement(c: Commit): boolean {
  return c.replies.length === 0 && (c.rejected === undefined || c.rejected.length === 0) && !goesAlone(c);
}

/**
 * Rows from one array per column, their parameters numbered from `first`. In the list of what is selected the arrays are read in
 * step; as a table, each would be laid out by itself before the first row is seen.
 */
export function unnestRows(columns: readonly { name: string; kind: ColumnKind }[], first: number): string {
  return `select ${columns.map((c, i) => `unnest($${first + i}::${c.kind}[]) as ${c.name}`).join(", ")}`;
}

/** Which parts a statement has; part of its name. */
export interface QueueingShape {
  readonly dispatches: boolean;
  readonly ends: boolean;
  readonly snapshots: boolean;
  readonly marks: boolean;
  readonly checkpoints: boolean;
}
export const noQueueing: QueueingShape = { dispatches: false, ends: false, snapshots: false, marks: false, checkpoints: false };

/** What Commits say about all this, as lists. */
export interface Queueing {
  readonly shape: QueueingShape;
  readonly values: readonly Bind[];
}

const none: Queueing = { shape: noQueueing, values: [] };

/** `alone`: of one that goes alone, what comes last. Every step passes here: a Commit that says nothing of it costs a few looks. */
export function queueingOf(commits: readonly Commit[], as: "batch" | "alone"): Queueing {
  let rows: Of<NewDispatch>[] | undefined;
  let ends: Of<DispatchRef>[] | undefined;
  let snapshots: Of<Snapshot>[] | undefined;
  let marks: Of<InboxMark>[] | undefined;
  let checkpoints: Of<Checkpoint>[] | undefined;
  for (const c of commits) {
    if (c.checkpoint !== undefined && as === "batch") (checkpoints ??= []).push({ runId: c.runId, value: c.checkpoint });
    if (c.snapshot !== undefined && as === "batch") (snapshots ??= []).push({ runId: c.runId, value: c.snapshot });
    if (as === "batch" && c.taken.length + c.consumed.length > 0 && marksInStatement(c)) addMarks(c, (marks ??= []));
    if ((c.dispatches === undefined && c.ends === undefined) || isSettled(c.status) || (as === "batch" && goesAlone(c))) continue;
    for (const e of c.ends ?? []) (ends ??= []).push({ runId: c.runId, value: e });
    for (const d of c.dispatches ?? []) {
      rows ??= [];
      rows.push({ runId: c.runId, value: { d, held: c.held === true, place: rows.length } });
    }
  }
  if (rows === undefined && ends === undefined && snapshots === undefined && marks === undefined && checkpoints === undefined) return none;
  const values: Bind[] = [];
  const put = <T>(columns: readonly Column<T>[], of: readonly T[] | undefined): void => {
    if (of !== undefined) for (const c of columns) values.push(new ArrayParameter(c.kind, c.of, of));
  };
  put(endColumns, ends);
  put(dispatchColumns, rows);
  put(snapshotColumns, snapshots);
  put(markColumns, marks);
  put(checkpointColumns, checkpoints);
  const shape = {
    dispatches: rows !== undefined,
    ends: ends !== undefined,
    snapshots: snapshots !== undefined,
    marks: marks !== undefined,
    checkpoints: checkpoints !== undefined,
  };
  return { shape, values };
}

/** Each row once: what is consumed is taken. */
function addMarks({ runId, taken, consumed }: Commit, to: Of<InboxMark>[]): void {
  const done = new Set(consumed);
  for (const inboxId of done) to.push({ runId, value: { inboxId, consumed: true } });
  for (const inboxId of new Set(taken)) if (!done.has(inboxId)) to.push({ runId, value: { inboxId, consumed: false } });
}

/** `take`: rows from one array per column. In the order of `values`. */
export function queueingParts(
  s: string,
  shape: QueueingShape,
  take: (columns: readonly { name: string; kind: ColumnKind }[]) => string,
): string[] {
  const parts: string[] = [];
  if (shape.ends)
    parts.push(
      `ending as materialized (select d.dispatch_id from (${take(endColumns)}) x join written w on w.run_id = x.run_id cross join lateral ` +
        `(select d.dispatch_id from ${s}.dispatches d where d.run_id = x.run_id and d.seq = x.seq and d.what = x.what for update skip locked) d)`,
      `ended as (delete from ${s}.dispatches where dispatch_id = any(array(select e.dispatch_id from ending e)) returning dispatch_id)`,
    );
  if (shape.dispatches) {
    const from = take(dispatchColumns);
    // A row may take the place of one that ends here: so those are taken away first.
    const after = shape.ends ? " where (select count(*) from ended) >= 0" : "";
    parts.push(`dispatched as (${insertDispatches(s, `(${from}) x join written w on w.run_id = x.run_id${after}`)})`);
  }
  if (shape.snapshots)
    parts.push(
      `folded as materialized (select x.* from (${take(snapshotColumns)}) x join written w on w.run_id = x.run_id)`,
      `snapped as (insert into ${s}.snapshots (run_id, at_seq, digest, body) select run_id, at_seq, digest, body from folded ` +
        "on conflict (run_id, at_seq) do update set digest = excluded.digest, body = excluded.body)",
      // By where they are: the run's row is held, so nobody moves them.
      `unsnapped as (delete from ${s}.snapshots where ctid = any(array(select o.ctid from folded x cross join lateral ` +
        `(select o.ctid from ${s}.snapshots o where o.run_id = x.run_id and o.at_seq < x.at_seq) o where x.alone)))`,
    );
  if (shape.marks)
    parts.push(
      `mail as materialized (select i.inbox_id, x.consumed from (${take(markColumns)}) x join written w on w.run_id = x.run_id cross join lateral ` +
        `(select i.inbox_id from ${s}.inbox i where i.inbox_id = x.inbox_id and i.run_id = x.run_id offset 0) i)`,
      ...["true", "false"].map(
        (consumed) =>
          `marked_${consumed} as (update ${s}.inbox set taken = true, wakes = false${consumed === "true" ? ", consumed = true" : ""} ` +
          `where inbox_id = any(array(select m.inbox_id from mail m where m.consumed is ${consumed})))`,
      ),
    );
  // A row that already exists makes the statement fail: nobody overwrites a checkpoint.
  if (shape.checkpoints)
    parts.push(
      `checkpointed as (insert into ${s}.checkpoints (run_id, idempotency_key, step_id, label, body, state_version, persisted_at) ` +
        `select w.run_id, x.key, x.step_id, x.label, x.body, w.state_version, w.persisted_at from (${take(checkpointColumns)}) x ` +
        "join written w on w.run_id = x.run_id)",
    );
  return parts;
}

/** `from`: new rows as `x`, each beside its run's row `w`. Their ids rise in the order in which they were given. */
export function insertDispatches(s: string, from: string): string {
  return (
    `insert into ${s}.dispatches (scope, run_id, seq, what, step_id, attempt, engine_attempt, queue, task, rank_at, held, spec, enqueued_at, ` +
    "expires_at, timeout_ms, worker, token, claimed_at) select w.scope, w.run_id, x.seq, x.what, x.step_id, x.attempt, x.engine_attempt, x.queue, " +
    "x.task, coalesce(x.since, w.persisted_at) - x.boost, x.held, x.spec, w.persisted_at, x.expires_at, x.timeout_ms, x.worker, x.token, " +
    `case when x.worker is null then null else w.persisted_at end from ${from} order by x.place`
  );
}

/** All rows of runs that settle: `closing` has their ids. */
export function droppedPart(s: string, closing: string): string {
  return (
    `dropped as (delete from ${s}.dispatches where dispatch_id = any(array(select d.dispatch_id from ${closing} cross join lateral ` +
    `(select d.dispatch_id from ${s}.dispatches d where d.run_id = w.run_id for update skip locked) d)))`
  );
}
/** In a statement of many: those of them that settle. */
export const settling: string = `i join written w on w.run_id = i.run_id and i.status in ${settledStatuses}`;
