// The Commit as SQL, inside a transaction that holds the write lock. The run's row is updated first, conditional on
// fence and version, and nothing else is written unless that row changed (I3, I8). The common case is one update and
// one insert for two events, without a read: only when the update changes nothing is the row read, to say why.
import { isSettled } from "../../core/model.ts";
import { noticeKey, scopeKey } from "../keys.ts";
import { childResult, decide, decideAdvance, decideCreate, type KnownRuns, newRunRow, noticeTarget } from "../decide.ts";
import type { ChildCreateResult, Commit, CommitAnswer, NewRun, RunRow } from "../port.ts";
import { dueTime, followsContinuation } from "../rules.ts";
import type { Bind, Row } from "./wire/driver.ts";
import { saysMore, writeQueueing } from "./dispatches.ts";
import { putEffect } from "./effects.ts";
import { kvRowsAt, putRows, unmetWrites } from "./kv.ts";
import { addEventValues, runValues, type Statements, toRun } from "./rows.ts";

const noChildren: readonly ChildCreateResult[] = [];

export function applyCommit(st: Statements, c: Commit, now: number): CommitAnswer {
  if (c.puts !== undefined) {
    // Whether the Commit may be written at all is said first, and what it would write beside the log is looked at before anything is.
    const { answer } = decide(c, knownRuns(st), now);
    if (answer !== undefined) return answer;
    const unmet = unmetWrites(st, c.puts);
    if (unmet.length > 0) return { kind: "unmet", rows: kvRowsAt(st, unmet) };
  }
  if ("create" in c.expect) return create(st, c, c.expect.create, now);
  const { fence, stateVersion } = c.expect;
  // I10: an early Commit is answered after the fence is looked at, so it takes the way that reads the row.
  if (c.notBefore === null || c.notBefore <= now) {
    const settled = isSettled(c.status);
    const dueAt = dueTime(c.due, now, settled);
    const last = c.events.at(-1);
    if (!settled && !c.release && c.exactVersion === undefined && c.errorCode === undefined && last !== undefined) {
      const plain = st.advancePlain.run(
        c.commitId,
        now,
        last.runSeq,
        last.link,
        c.runId,
        fence.epoch,
        fence.token,
        stateVersion,
        now,
        c.commitId,
        dueAt,
        c.status,
        c.waiting,
      );
      if (plain.changes === 1) return writeDependents(st, c, now, dueAt, stateVersion + 1);
    }
    if (advanceFull(st, c, now, now, dueAt)) return writeDependents(st, c, now, dueAt, stateVersion + 1);
  }
  return explain(st, c, now);
}

function advanceFull(st: Statements, c: Commit, limit: number, persistedAt: number, dueAt: number | null): boolean {
  if ("create" in c.expect) return false;
  const { fence, stateVersion } = c.expect;
  const last = c.events.at(-1);
  const free = c.release || isSettled(c.status) ? 1 : 0;
  const exact = c.exactVersion === undefined ? null : c.exactVersion ? 1 : 0;
  const full = st.advanceFull.run(
    c.status,
    c.waiting,
    c.commitId,
    persistedAt,
    last?.runSeq ?? null,
    last?.link ?? null,
    dueAt,
    free,
    exact,
    c.errorCode ?? null,
    c.runId,
    fence.epoch,
    fence.token,
    stateVersion,
    limit,
    c.commitId,
  );
  return full.changes === 1;
}

/** Why nothing was written; or the write after all, where only the clock was behind the run's last Commit. */
function explain(st: Statements, c: Commit, now: number): CommitAnswer {
  const { row, answer } = decideAdvance(c, knownRuns(st), now);
  if (row === undefined) return answer;
  if (!advanceFull(st, c, row.persistedAt, row.persistedAt, row.dueAt)) return { kind: "stale" };
  return writeDependents(st, c, row.persistedAt, row.dueAt, row.stateVersion);
}

function create(st: Statements, c: Commit, n: NewRun, now: number): CommitAnswer {
  // Most runs are the first of their workflowId, and nothing is in their way: no need to look beforehand.
  const first = newRunRow(c, n, 1, now);
  if (n.supersedes === null && st.insertFirstRun.run(...runValues(first)).changes === 1) return writeDependents(st, c, now, first.dueAt, 1);
  const { row, answer } = decideCreate(c, n, knownRuns(st), now);
  if (row === undefined) return answer;
  st.insertRun.run(...runValues(row));
  return writeDependents(st, c, now, row.dueAt, 1);
}

function knownRuns(st: Statements): KnownRuns {
  const toRow = (r: Row | undefined): RunRow | undefined => (r === undefined ? undefined : toRun(r));
  return {
    run: (runId) => toRow(st.run.get(runId)),
    latest: (scope, workflowId) => toRow(st.latest.get(scopeKey(scope), workflowId)),
    byStartKey: (scope, key) => toRow(st.byStartKey.get(scopeKey(scope), key)),
  };
}

/** Two by two, as steps bring them: an outcome and the next start. The last three at once: those of a superstep. */
function putEvents(st: Statements, { runId, events }: Commit, persistedAt: number, stateVersion: number): void {
  for (let i = 0; i < events.length;) {
    const left = events.length - i;
    const n = left === 3 ? 3 : Math.min(left, 2);
    const binds: Bind[] = [];
    for (const to = i + n; i < to; i++) addEventValues(binds, runId, events[i]!, persistedAt, stateVersion);
    (n === 1 ? st.insertEvent : n === 2 ? st.insertTwoEvents : st.insertThreeEvents).run(...binds);
  }
}

/** Everything that hangs on the row just written. */
function writeDependents(st: Statements, c: Commit, persistedAt: number, dueAt: number | null, stateVersion: number): CommitAnswer {
  putEvents(st, c, persistedAt, stateVersion);
  for (const id of c.taken) st.take.run(id, c.runId);
  for (const id of c.consumed) st.consume.run(id, c.runId);
  for (const r of c.replies) st.reply.run(r.reply, r.inboxId, c.runId);
  if (c.rejected !== undefined) for (const r of c.rejected) st.reject.run(r.reason, r.inboxId, c.runId);
  if (isSettled(c.status)) {
    // Looked for first: an update that finds nothing opens every index of the table.
    const left = st.awake.get(c.runId);
    if (left?.["inbox"] === 1) st.quiet.run(c.runId);
    if (left?.["queued"] === 1) st.dropDispatches.run(c.runId);
  }
  if (saysMore(c)) writeMore(st, c, persistedAt);
  for (const v of c.views) st.putView.run(c.runId, v.name, v.value);
  if (c.effects !== undefined) for (const e of c.effects) putEffect(st, c.runId, e, persistedAt);
  if (c.checkpoint !== undefined) {
    const { stepId, key, label, body } = c.checkpoint;
    st.putCheckpoint.run(c.runId, key, stepId, label, body, stateVersion, persistedAt);
  }
  const children = c.children.length === 0 ? noChildren : c.children.map((child) => createChild(st, child, persistedAt));
  for (const n of c.notices) {
    // A notice that follows no continuation needs no look at its run: the statement finds out.
    const to = followsContinuation(n.kind) ? noticeTarget(n, knownRuns(st))?.runId : n.toRunId;
    if (to !== undefined) st.notify.run(n.kind, n.name, n.id, n.payload, persistedAt, noticeKey(n), to);
  }
  if (c.moveInboxTo !== null && st.exists.get(c.moveInboxTo) !== undefined) {
    st.moveAccepted.run(c.moveInboxTo, c.runId);
    st.moveInbox.run(c.moveInboxTo, c.runId);
  }
  return { kind: "committed", persistedAt, dueAt, children };
}

/** What most Commits have nothing of: queued steps, a snapshot, rows beside the log. */
function writeMore(st: Statements, c: Commit, persistedAt: number): void {
  if (!isSettled(c.status)) writeQueueing(st, c, persistedAt);
  if (c.snapshot !== undefined) {
    const { at, digest, body, keep } = c.snapshot;
    if (keep === "last") st.dropSnapshots.run(c.runId, at);
    st.putSnapshot.run(c.runId, at, digest, body);
  }
  if (c.puts !== undefined) putRows(st, c.puts, persistedAt);
}

function createChild(st: Statements, child: Commit, now: number): ChildCreateResult {
  return "create" in child.expect ? childResult(create(st, child, child.expect.create, now)) : { kind: "created" };
}
