// Small rules that every store obeys alike, as pure functions: when a run is due, which reason a refusal gives, which
// of several claimable runs comes first, which hints a Commit gives. No state, no clock of its own.
import { isSettled, type RunStatus, type Scope, type Waiting } from "../core/model.ts";
import { scopeKey } from "./keys.ts";
import { rankOf } from "./queue-rules.ts";
import type { ClaimQuery, Commit, CommitAnswer, Due, EngineRow, Hint, InboxKind, RunRow } from "./port.ts";

/** due_at: the lesser of `at` and the Commit's time + `inMs`; a settled run is never due again (I8). */
export function dueTime(due: Due, persistedAt: number, settled: boolean): number | null {
  if (settled) return null;
  if (due.inMs === null) return due.at;
  const relative = persistedAt + due.inMs;
  return due.at === null || relative < due.at ? relative : due.at;
}

/** K9: under a matching fence this is a broken invariant, not a duplicate. */
export const clashReason = "PAWL3007: an event, a checkpoint or a dispatch with this place or key is already there";

/** Whether a notice of this kind follows a run that was continued; a child's end is about one step of one run. */
export function followsContinuation(kind: InboxKind): boolean {
  return kind === "signal" || kind === "control";
}

/** Whether `latest`, the last run of the workflowId, continues `run`: an unsettled one of the same caller, not a stranger's. */
export function isContinuation(latest: RunRow, run: RunRow): boolean {
  return !isSettled(latest.status) && latest.parentRunId === run.parentRunId && latest.workflow === run.workflow;
}

/** The controls that any engine may carry out, with or without the workflow's code (K5). */
export const codelessControls: readonly string[] = ["pause", "resume", "terminate"];

/**
 * How long a run that was released to its own version waits for an engine of it (K20). After that any engine that knows the workflow
 * may claim it, and finds out: an engine of that version is there after all, or the run is paused for all to see.
 */
export const pinnedMs = 60_000;

export function isPinned(r: { readonly exactVersion: boolean; readonly persistedAt: number }, nowMs: number): boolean {
  return r.exactVersion && r.persistedAt > nowMs - pinnedMs;
}

/** Whether an engine claims runs of this tenant. One of a format before 7 does not say whose it claims: it may be anybody's. */
export function isOfTenant(e: Pick<EngineRow, "scope">, scope: Scope): boolean {
  return e.scope === null || scopeKey(e.scope) === scopeKey(scope);
}

/** What claim needs to know of a run to rank it. */
export interface ClaimCandidate {
  readonly runId: string;
  readonly workflow: string;
  readonly version: string;
  /** Still waits for an engine of exactly this version. */
  readonly pinned: boolean;
  readonly status: RunStatus;
  readonly waiting: Waiting | null;
  readonly createdAt: number;
  /** Since when it could have been claimed. */
  readonly since: number;
}

/**
 * T-57: a run waits from its due time, or from the arrival of the first message that nobody has taken, whichever came first. A
 * message that was moved to it may be older than the run.
 */
export function waitingSince(
  r: { readonly dueAt: number | null; readonly createdAt: number },
  arrivedAt: number | null,
  nowMs: number,
): number {
  const woken = arrivedAt === null ? nowMs : Math.max(arrivedAt, r.createdAt);
  return r.dueAt === null ? woken : Math.min(r.dueAt, woken);
}

/** 0: the engine serves this very version; 1: the name only, and the run permits it; undefined: not its to run. */
export function serveRank(serves: ClaimQuery["serves"], c: ClaimCandidate): 0 | 1 | undefined {
  let named = false;
  for (const s of serves) {
    if (s.workflow !== c.workflow) continue;
    if (s.version === c.version) return 0;
    named = true;
  }
  return named && !c.pinned ? 1 : undefined;
}

/** T-56: what has not begun comes first, then what is to be tried again. */
function stateRank(c: ClaimCandidate): number {
  return c.status === "PENDING" ? 0 : c.waiting === "retry" ? 1 : 2;
}

/** Runs that wait since the same second count as equally due. */
export const equallyDueMs = 1_000;

/**
 * Own versions first, then the run that waits longest, so that none starves (T-57); among those that are equally due by T-56's
 * rank, then the run that was created first.
 */
export function claimOrder(a: { c: ClaimCandidate; rank: number }, b: { c: ClaimCandidate; rank: number }): number {
  const [x, y] = [a.c, b.c];
  return (
    a.rank - b.rank ||
    Math.trunc(x.since / equallyDueMs) - Math.trunc(y.since / equallyDueMs) ||
    stateRank(x) - stateRank(y) ||
    x.createdAt - y.createdAt ||
    (x.runId < y.runId ? -1 : x.runId > y.runId ? 1 : 0)
  );
}

/**
 * How many of the longest due a server's store looks at for a claim of so many: the order is made among these, however many
 * wait, and others may be claiming the first of them at this moment.
 */
export function claimWindow(limit: number): number {
  return limit * 4 + 16;
}

/** What other engines and waiters may want to look at after this Commit. */
export function collectHints(c: Commit, answer: CommitAnswer, into: Hint[], events = false): void {
  if (answer.kind !== "committed") return;
  if (events) {
    if (c.events.length > 0) into.push({ kind: "events", runId: c.runId });
    for (const [i, child] of c.children.entries())
      if (answer.children[i]?.kind === "created" && child.events.length > 0) into.push({ kind: "events", runId: child.runId });
  }
  if (isSettled(c.status)) into.push({ kind: "settled", runId: c.runId });
  else if (answer.dueAt !== null && (c.release || ("create" in c.expect && c.expect.create.owner === null))) {
    into.push({ kind: "due", runId: c.runId });
  }
  if (c.replies.length > 0) into.push({ kind: "reply", runId: c.runId });
  for (const [i, child] of c.children.entries()) {
    if (answer.children[i]?.kind === "created" && "create" in child.expect && child.expect.create.owner === null) {
      into.push({ kind: "due", runId: child.runId });
    }
  }
  for (const n of c.notices) into.push({ kind: "inbox", runId: n.toRunId });
  if (c.withdraws !== undefined && c.withdraws.length > 0) into.push({ kind: "inbox", runId: c.runId });
  collectQueueHints(c, answer.persistedAt, into);
  for (const [i, child] of c.children.entries())
    if (answer.children[i]?.kind === "created") collectQueueHints(child, answer.persistedAt, into);
  if (c.moveInboxTo !== null) into.push({ kind: "inbox", runId: c.moveInboxTo });
}

/** One for each queue that this Commit added rows to which somebody may claim, with the lowest of their ranks. */
function collectQueueHints(c: Commit, persistedAt: number, into: Hint[]): void {
  if (c.dispatches === undefined || c.held === true || isSettled(c.status)) return;
  const lowest = new Map<string, number>();
  for (const d of c.dispatches)
    if (d.claimed === undefined) lowest.set(d.queue, Math.min(rankOf(d, persistedAt), lowest.get(d.queue) ?? Infinity));
  for (const [queue, rank] of lowest) into.push({ kind: "queue", queue, rank });
}
