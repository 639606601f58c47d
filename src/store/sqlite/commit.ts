// The Commit as SQL, inside a transaction that holds the write lock. The run's row is updated first, conditional on
// fence and version, and nothing else is written unless that row changed (I3, I8). The common case is one update and
// one insert for two events, without a read: only when the update changes nothing is the row read, to say why.
import { isSettled } from "../../core/model.ts";
import { noticeKey, scopeKey } from "../keys.ts";
import type { Commit, CommitAnswer, EventWrite, ChildCreateResult, NewRun, Notice, RunRow } from "../port.ts";
import { isContinuation, dueTime, followsContinuation } from "../rules.ts";
import type { Bind } from "./wire/driver.ts";
import { putEffect } from "./effects.ts";
import { type Statements, toRun } from "./rows.ts";

const noChildren: readonly ChildCreateResult[] = [];

export function applyCommit(st: Statements, c: Commit, now: number): CommitAnswer {
  if ("create" in c.expect) return create(st, c, c.expect.create, now);
  const { fence, stateVersion } = c.expect;
  // I10: an early Commit is answered after the fence is looked at, so it takes the way that reads the row.
  if (c.notBefore === null || c.notBefore <= now) {
    const settled = isSettled(c.status);
    const dueAt = dueTime(c.due, now, settled);
    const last = c.events.at(-1);
    if (!settled && !c.release && c.exactVersion === undefined && last !== undefined) {
      const plain = st.advancePlain.run(
        c.status,
        c.waiting,
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
    c.runId,
    fence.epoch,
    fence.token,
    stateVersion,
    limit,
    c.commitId,
  );
  return full.changes === 1;
}

/** Why nothing was written; or the write after all, where only the clock stood behind the run's last Commit. */
function explain(st: Statements, c: Commit, now: number): CommitAnswer {
  const found = st.run.get(c.runId);
  if (found === undefined || "create" in c.expect) return { kind: "fenced" };
  const row = toRun(found);
  if (row.commitId === c.commitId) return duplicate(st, c, row);
  if (row.fence.epoch !== c.expect.fence.epoch || row.fence.token !== c.expect.fence.token) return { kind: "fenced" };
  if (row.stateVersion !== c.expect.stateVersion) return { kind: "stale" };
  if (isSettled(row.status) && row.origin === "engine") return { kind: "stale" };
  if (c.notBefore !== null && c.notBefore > now) return { kind: "early", nowMs: now };
  // persistedAt never goes back, even if the clock did.
  const persistedAt = Math.max(now, row.persistedAt);
  const dueAt = dueTime(c.due, persistedAt, isSettled(c.status));
  if (!advanceFull(st, c, persistedAt, persistedAt, dueAt)) return { kind: "stale" };
  return writeDependents(st, c, persistedAt, dueAt, row.stateVersion + 1);
}

function create(st: Statements, c: Commit, n: NewRun, now: number): CommitAnswer {
  const scope = scopeKey(n.scope);
  const dueAt = dueTime(c.due, now, isSettled(c.status));
  // Most runs are the first of their workflowId, and nothing is in their way: no need to look beforehand.
  if (n.supersedes === null && st.insertFirstRun.run(...runValues(c, n, scope, 1, now, dueAt)).changes === 1)
    return writeDependents(st, c, now, dueAt, 1);
  const sameId = st.run.get(c.runId);
  if (sameId !== undefined && sameId["commit_id"] === c.commitId) return duplicate(st, c, toRun(sameId));
  const holder = n.idempotencyKey === null ? undefined : st.byStartKey.get(scope, n.idempotencyKey);
  if (holder !== undefined) return { kind: "conflict", by: "idempotencyKey", existing: toRun(holder) };
  if (sameId !== undefined) return { kind: "conflict", by: "runId", existing: toRun(sameId) };
  const latest = st.latest.get(scope, n.workflowId);
  if (latest !== undefined) {
    const existing = toRun(latest);
    if (existing.runId !== n.supersedes || !isSettled(existing.status)) return { kind: "conflict", by: "workflowId", existing };
  }
  st.insertRun.run(...runValues(c, n, scope, latest === undefined ? 1 : Number(latest["generation"]) + 1, now, dueAt));
  return writeDependents(st, c, now, dueAt, 1);
}

/** In the order of runColumns. */
function runValues(c: Commit, n: NewRun, scope: string, generation: number, now: number, dueAt: number | null): Bind[] {
  const last = c.events.at(-1);
  return [
    c.runId,
    scope,
    n.workflowId,
    generation,
    n.workflow,
    n.version,
    c.status,
    c.waiting,
    isSettled(c.status) || c.release ? null : n.owner,
    n.fence.epoch,
    n.fence.token,
    1,
    c.commitId,
    last?.runSeq ?? 0,
    last?.link ?? "",
    now,
    dueAt,
    now,
    n.deadlineInMs === null ? null : now + n.deadlineInMs,
    JSON.stringify(n.tags),
    n.inputDigest,
    n.idempotencyKey,
    n.originalRunId,
    n.rootRunId,
    n.parentRunId,
    n.parentStepId,
    0,
    c.exactVersion === true ? 1 : 0,
    n.origin ?? "engine",
    null,
    null,
  ];
}

/** In the order of insertEvent's columns. */
function addEvent(binds: Bind[], runId: string, e: EventWrite, persistedAt: number, stateVersion: number): void {
  binds.push(
    runId,
    e.runSeq,
    e.eventId,
    e.eventType,
    e.stepId,
    e.logicalAttemptId,
    e.engineAttemptId,
    e.idempotencyKey,
    e.emittedAt,
    e.payload,
    e.salt,
    e.payloadHash,
    e.link,
    persistedAt,
    stateVersion,
    e.emittedText ?? null,
  );
}

/** Two by two, as steps bring them: an outcome and the next start. */
function putEvents(st: Statements, c: Commit, persistedAt: number, stateVersion: number): void {
  for (let i = 0; i < c.events.length; i += 2) {
    const [first, second] = [c.events[i], c.events[i + 1]];
    if (first === undefined) continue;
    const binds: Bind[] = [];
    addEvent(binds, c.runId, first, persistedAt, stateVersion);
    if (second !== undefined) addEvent(binds, c.runId, second, persistedAt, stateVersion);
    (second === undefined ? st.insertEvent : st.insertTwoEvents).run(...binds);
  }
}

/** Everything that hangs on the row just written. */
function writeDependents(st: Statements, c: Commit, persistedAt: number, dueAt: number | null, stateVersion: number): CommitAnswer {
  putEvents(st, c, persistedAt, stateVersion);
  for (const id of c.taken) st.take.run(id, c.runId);
  for (const id of c.consumed) st.consume.run(id, c.runId);
  for (const r of c.replies) st.reply.run(r.reply, r.inboxId, c.runId);
  // Looked for first: an update that finds nothing opens every index of the table.
  if (isSettled(c.status) && st.awake.get(c.runId) !== undefined) st.quiet.run(c.runId);
  for (const v of c.views) st.putView.run(c.runId, v.name, v.value);
  if (c.effects !== undefined) for (const e of c.effects) putEffect(st, c.runId, e, persistedAt);
  if (c.checkpoint !== undefined) {
    const { stepId, key, label, body } = c.checkpoint;
    st.putCheckpoint.run(c.runId, key, stepId, label, body, stateVersion, persistedAt);
  }
  const children = c.children.length === 0 ? noChildren : c.children.map((child) => createChild(st, child, persistedAt));
  for (const n of c.notices) st.notify.run(n.kind, n.name, n.id, n.payload, persistedAt, noticeKey(n), noticeTarget(st, n));
  if (c.moveInboxTo !== null && st.exists.get(c.moveInboxTo) !== undefined) {
    st.moveAccepted.run(c.moveInboxTo, c.runId);
    st.moveInbox.run(c.moveInboxTo, c.runId);
  }
  return { kind: "committed", persistedAt, dueAt, children };
}

/** A run that was continued is spoken to where it goes on. */
function noticeTarget(st: Statements, n: Notice): string {
  const found = followsContinuation(n.kind) ? st.run.get(n.toRunId) : undefined;
  if (found === undefined) return n.toRunId;
  const named = toRun(found);
  if (!isSettled(named.status)) return n.toRunId;
  const last = st.latest.get(scopeKey(named.scope), named.workflowId);
  const latest = last === undefined ? named : toRun(last);
  return isContinuation(latest, named) ? latest.runId : n.toRunId;
}

function createChild(st: Statements, child: Commit, now: number): ChildCreateResult {
  const answer: CommitAnswer = "create" in child.expect ? create(st, child, child.expect.create, now) : { kind: "fenced" };
  return answer.kind === "conflict" ? { kind: "conflict", existing: answer.existing } : { kind: "created" };
}

/** The fates of a Commit that was applied before: a child is there, or another run stands in its place. */
function duplicate(st: Statements, c: Commit, row: RunRow): CommitAnswer {
  const children = c.children.map((child): ChildCreateResult => {
    if (!("create" in child.expect)) return { kind: "created" };
    const n = child.expect.create;
    const own = st.run.get(child.runId);
    if (own?.["workflow_id"] === n.workflowId) return { kind: "created" };
    const scope = scopeKey(n.scope);
    const holder = n.idempotencyKey === null ? undefined : st.byStartKey.get(scope, n.idempotencyKey);
    const existing = holder ?? st.latest.get(scope, n.workflowId) ?? own;
    return existing === undefined ? { kind: "created" } : { kind: "conflict", existing: toRun(existing) };
  });
  return { kind: "duplicate", persistedAt: row.persistedAt, dueAt: row.dueAt, children };
}
