// The verdict on a Commit, as pure functions over the rows that it meets: in which order the checks come, what the run's row becomes,
// what a Commit that was applied before is answered. Memory, SQLite and MySQL decide by calling this; Postgres decides inside its
// statement, asks here only why nothing was written, and is held to the same by the differential test. Never reads or writes anything.
// I3: a lost fence or version writes nothing. I8: a settled run never changes. I10: no timer fires early.
import { isSettled, type Scope } from "../core/model.ts";
import type { ChildCreateResult, Commit, CommitAnswer, NewRun, Notice, RunRow } from "./port.ts";
import { dueTime, followsContinuation, isContinuation } from "./rules.ts";

/** The rows that a Commit may meet, as its store has read them. */
export interface KnownRuns {
  run(runId: string): RunRow | undefined;
  /** The last run of a workflowId. */
  latest(scope: Scope, workflowId: string): RunRow | undefined;
  byStartKey(scope: Scope, idempotencyKey: string): RunRow | undefined;
}

/** What to write, or what to answer instead. */
export type Decision =
  | { readonly kind: "write"; readonly row: RunRow; readonly answer?: undefined }
  | { readonly kind: "answer"; readonly answer: CommitAnswer; readonly row?: undefined };

const answered = (answer: CommitAnswer): Decision => ({ kind: "answer", answer });

export function decide(c: Commit, known: KnownRuns, nowMs: number): Decision {
  return "create" in c.expect ? decideCreate(c, c.expect.create, known, nowMs) : decideAdvance(c, known, nowMs);
}

export function decideAdvance(c: Commit, known: KnownRuns, nowMs: number): Decision {
  const row = known.run(c.runId);
  const refused = refuseAdvance(c, row, nowMs);
  if (refused === "duplicate" && row !== undefined) return answered(duplicateAnswer(c, row, known));
  if (refused !== undefined || row === undefined)
    return answered(refused === undefined || refused === "duplicate" ? { kind: "fenced" } : refused);
  return { kind: "write", row: advancedRow(c, row, nowMs) };
}

/** Why this Commit may not change the run's row; undefined when it may. */
export function refuseAdvance(c: Commit, row: RunRow | undefined, nowMs: number): CommitAnswer | "duplicate" | undefined {
  if (row === undefined || "create" in c.expect) return { kind: "fenced" };
  if (row.commitId === c.commitId) return "duplicate";
  if (row.fence.epoch !== c.expect.fence.epoch || row.fence.token !== c.expect.fence.token) return { kind: "fenced" };
  if (row.stateVersion !== c.expect.stateVersion) return { kind: "stale" };
  if (isSettled(row.status) && row.origin === "engine") return { kind: "stale" };
  if (c.notBefore !== null && c.notBefore > nowMs) return { kind: "early", nowMs };
  return undefined;
}

/** The row after the Commit. Its time never goes back, even if the clock did. */
function advancedRow(c: Commit, row: RunRow, nowMs: number): RunRow {
  const persistedAt = Math.max(nowMs, row.persistedAt);
  const settled = isSettled(c.status);
  const last = c.events.at(-1);
  return {
    ...row,
    status: c.status,
    waiting: c.waiting,
    owner: settled || c.release ? null : row.owner,
    stateVersion: row.stateVersion + 1,
    commitId: c.commitId,
    headSeq: last?.runSeq ?? row.headSeq,
    headLink: last?.link ?? row.headLink,
    persistedAt,
    dueAt: dueTime(c.due, persistedAt, settled),
    idleClaims: 0,
    exactVersion: c.exactVersion ?? row.exactVersion,
    errorCode: c.errorCode ?? row.errorCode,
  };
}

/** Looks for what stands in the way of a new run: itself, the holder of its start key, its id, the last run of its workflowId. */
export function decideCreate(c: Commit, n: NewRun, known: KnownRuns, nowMs: number): Decision {
  const sameId = known.run(c.runId);
  if (sameId !== undefined && sameId.commitId === c.commitId) return answered(duplicateAnswer(c, sameId, known));
  const holder = n.idempotencyKey === null ? undefined : known.byStartKey(n.scope, n.idempotencyKey);
  if (holder !== undefined) return answered({ kind: "conflict", by: "idempotencyKey", existing: holder });
  if (sameId !== undefined) return answered({ kind: "conflict", by: "runId", existing: sameId });
  const latest = known.latest(n.scope, n.workflowId);
  if (latest !== undefined && !(latest.runId === n.supersedes && isSettled(latest.status)))
    return answered({ kind: "conflict", by: "workflowId", existing: latest });
  return { kind: "write", row: newRunRow(c, n, (latest?.generation ?? 0) + 1, nowMs) };
}

/** The row of a run as its first Commit writes it. */
export function newRunRow(c: RunStart, n: NewRun, generation: number, nowMs: number): RunRow {
  const settled = isSettled(c.status);
  const last = c.events.at(-1);
  return {
    runId: c.runId,
    scope: n.scope,
    workflowId: n.workflowId,
    generation,
    workflow: n.workflow,
    version: n.version,
    status: c.status,
    waiting: c.waiting,
    owner: settled || c.release ? null : n.owner,
    fence: n.fence,
    stateVersion: 1,
    commitId: c.commitId,
    headSeq: last?.runSeq ?? 0,
    headLink: last?.link ?? "",
    persistedAt: nowMs,
    dueAt: dueTime(c.due, nowMs, settled),
    createdAt: nowMs,
    deadlineAt: n.deadlineInMs === null ? null : nowMs + n.deadlineInMs,
    tags: n.tags,
    inputDigest: n.inputDigest,
    idempotencyKey: n.idempotencyKey,
    originalRunId: n.originalRunId,
    rootRunId: n.rootRunId,
    parentRunId: n.parentRunId,
    parentStepId: n.parentStepId,
    idleClaims: 0,
    exactVersion: c.exactVersion ?? false,
    origin: n.origin ?? "engine",
    expiredAt: null,
    purgedAt: null,
    errorCode: c.errorCode ?? null,
  };
}
/** What of a Commit makes the first row. */
type RunStart = Pick<Commit, "runId" | "commitId" | "status" | "waiting" | "due" | "release" | "events" | "exactVersion" | "errorCode">;

/** The answer to a Commit that was applied before: each child exists, or another run has its place. */
export function duplicateAnswer(c: Commit, row: RunRow, known: KnownRuns): CommitAnswer {
  const children = c.children.map((child): ChildCreateResult => {
    if (!("create" in child.expect)) return { kind: "created" };
    const n = child.expect.create;
    const own = known.run(child.runId);
    if (own?.workflowId === n.workflowId) return { kind: "created" };
    const holder = n.idempotencyKey === null ? undefined : known.byStartKey(n.scope, n.idempotencyKey);
    const existing = holder ?? known.latest(n.scope, n.workflowId) ?? own;
    return existing === undefined ? { kind: "created" } : { kind: "conflict", existing };
  });
  return { kind: "duplicate", persistedAt: row.persistedAt, dueAt: row.dueAt, children };
}

/** What is returned to the parent for a child that it wanted to create. */
export function childResult(answer: CommitAnswer): ChildCreateResult {
  return answer.kind === "conflict" ? { kind: "conflict", existing: answer.existing } : { kind: "created" };
}

/** The run that takes a notice: the one it names, or the one that continues it; undefined when neither takes messages any more. */
export function noticeTarget(n: Notice, known: KnownRuns): RunRow | undefined {
  const named = known.run(n.toRunId);
  if (named === undefined) return undefined;
  const latest = isSettled(named.status) && followsContinuation(n.kind) ? known.latest(named.scope, named.workflowId) : undefined;
  const target = latest !== undefined && isContinuation(latest, named) ? latest : named;
  return target.origin === "engine" && !isSettled(target.status) ? target : undefined;
}
