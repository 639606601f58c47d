// The Commit on plain maps: every check first, in the order that all stores keep, then one write.
// I3: a lost fence or version writes nothing. I8: a settled run never changes. I10: no timer fires early.
import { isSettled } from "../../core/model.ts";
import { noticeKey } from "../keys.ts";
import type { Commit, CommitAnswer, EffectRecord, EventRecord, ChildCreateResult, NewRun, RunRow } from "../port.ts";
import { clashReason, isContinuation, dueTime, followsContinuation } from "../rules.ts";
import { appendToFeed } from "./kv.ts";
import { copyRun, itemsOf, latestRun, logOf, type MemoryState, putItem, restore, scopedKey, snapshot } from "./state.ts";

/** An event or a checkpoint that is already there: the Commit it came with must leave no trace (K9). */
const clash: unique symbol = Symbol("clash");

export function applyCommit(s: MemoryState, c: Commit, now: number): CommitAnswer {
  // Rolling back is only ever needed for what occurs twice: nothing else can fail once the checks have passed.
  const before = mayClash(s, c) ? snapshot(s) : undefined;
  try {
    return "create" in c.expect ? create(s, c, c.expect.create, now) : advance(s, c, now);
  } catch (e) {
    if (e !== clash || before === undefined) throw e;
    restore(s, before);
    return { kind: "refused", reason: clashReason };
  }
}

/** Why nothing may be written, if so; the order of these checks is the same on every store. */
function verdictOf(s: MemoryState, c: Commit, now: number): CommitAnswer | undefined {
  const row = s.runs.get(c.runId);
  if (row === undefined || "create" in c.expect) return { kind: "fenced" };
  if (row.commitId === c.commitId) return duplicate(s, c, row);
  if (row.fence.epoch !== c.expect.fence.epoch || row.fence.token !== c.expect.fence.token) return { kind: "fenced" };
  if (row.stateVersion !== c.expect.stateVersion) return { kind: "stale" };
  if (isSettled(row.status) && row.origin === "engine") return { kind: "stale" };
  if (c.notBefore !== null && c.notBefore > now) return { kind: "early", nowMs: now };
  return undefined;
}

function advance(s: MemoryState, c: Commit, now: number): CommitAnswer {
  const verdict = verdictOf(s, c, now);
  const row = s.runs.get(c.runId);
  if (verdict !== undefined || row === undefined) return verdict ?? { kind: "fenced" };
  const persistedAt = Math.max(now, row.persistedAt);
  const settled = isSettled(c.status);
  return write(s, c, persistedAt, {
    ...row,
    ...headOf(c, row),
    status: c.status,
    waiting: c.waiting,
    owner: settled || c.release ? null : row.owner,
    stateVersion: row.stateVersion + 1,
    commitId: c.commitId,
    persistedAt,
    dueAt: dueTime(c.due, persistedAt, settled),
    idleClaims: 0,
    exactVersion: c.exactVersion ?? row.exactVersion,
  });
}

function createVerdict(s: MemoryState, c: Commit, n: NewRun): CommitAnswer | undefined {
  const keyHolder = n.idempotencyKey === null ? undefined : s.runs.get(s.startKeys.get(scopedKey(n.scope, n.idempotencyKey)) ?? "");
  const sameId = s.runs.get(c.runId);
  if (sameId !== undefined && sameId.commitId === c.commitId) return duplicate(s, c, sameId);
  if (keyHolder !== undefined) return { kind: "conflict", by: "idempotencyKey", existing: copyRun(keyHolder) };
  if (sameId !== undefined) return { kind: "conflict", by: "runId", existing: copyRun(sameId) };
  const latest = latestRun(s, n.scope, n.workflowId);
  if (latest !== undefined && !(latest.runId === n.supersedes && isSettled(latest.status))) {
    return { kind: "conflict", by: "workflowId", existing: copyRun(latest) };
  }
  return undefined;
}

function create(s: MemoryState, c: Commit, n: NewRun, now: number): CommitAnswer {
  const verdict = createVerdict(s, c, n);
  if (verdict !== undefined) return verdict;
  const settled = isSettled(c.status);
  const generation = (latestRun(s, n.scope, n.workflowId)?.generation ?? 0) + 1;
  const wkey = scopedKey(n.scope, n.workflowId);
  s.generations.set(wkey, [...(s.generations.get(wkey) ?? []), c.runId]);
  if (n.idempotencyKey !== null) s.startKeys.set(scopedKey(n.scope, n.idempotencyKey), c.runId);
  return write(s, c, now, {
    runId: c.runId,
    scope: { ...n.scope },
    workflowId: n.workflowId,
    generation,
    workflow: n.workflow,
    version: n.version,
    status: c.status,
    waiting: c.waiting,
    owner: settled || c.release ? null : n.owner,
    fence: { ...n.fence },
    stateVersion: 1,
    commitId: c.commitId,
    ...headOf(c, { headSeq: 0, headLink: "" }),
    persistedAt: now,
    dueAt: dueTime(c.due, now, settled),
    createdAt: now,
    deadlineAt: n.deadlineInMs === null ? null : now + n.deadlineInMs,
    tags: { ...n.tags },
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
  });
}

/** The one write: the run's row first, then everything that hangs on it. */
function write(s: MemoryState, c: Commit, persistedAt: number, row: RunRow): CommitAnswer {
  s.runs.set(c.runId, row);
  if (isSettled(row.status)) s.unsettled.delete(c.runId);
  else s.unsettled.add(c.runId);
  const log = logOf(s, c.runId);
  for (const e of c.events) {
    if (log.seqs.has(e.runSeq) || log.keys.has(e.idempotencyKey)) throw clash;
    const record: EventRecord = { ...e, persistedAt, stateVersion: row.stateVersion };
    log.events.push(record);
    log.seqs.add(e.runSeq);
    log.keys.add(e.idempotencyKey);
  }
  if (c.events.some((e) => e.runSeq < row.headSeq)) log.events.sort((a, b) => a.runSeq - b.runSeq);
  if (c.events.length > 0) appendToFeed(s, row);
  markInbox(s, c);
  for (const v of c.views) {
    const views = s.views.get(c.runId) ?? new Map<string, string>();
    s.views.set(c.runId, views.set(v.name, v.value));
  }
  putEffects(s, c, persistedAt);
  if (c.checkpoint !== undefined) {
    if (hasCheckpoint(s, c)) throw clash;
    const { stepId, key, label, body } = c.checkpoint;
    const record = { runId: c.runId, stepId, key, label, body, stateVersion: row.stateVersion, persistedAt };
    s.checkpoints.set(c.runId, [...(s.checkpoints.get(c.runId) ?? []), record]);
  }
  const children = c.children.map((child): ChildCreateResult => createChild(s, child, persistedAt));
  for (const n of c.notices) notify(s, n, persistedAt);
  if (c.moveInboxTo !== null && s.runs.has(c.moveInboxTo)) moveInbox(s, c.runId, c.moveInboxTo);
  return { kind: "committed", persistedAt, dueAt: row.dueAt, children };
}

/** The first write of a record says when and what it is; later ones how it stands. */
function putEffects(s: MemoryState, c: Commit, at: number): void {
  if (c.effects === undefined) return;
  const ledger = s.effects.get(c.runId) ?? new Map<number, EffectRecord>();
  s.effects.set(c.runId, ledger);
  for (const e of c.effects) {
    const { status, phase, attempts, engineAttempts, error, eventSeq } = e;
    const before = ledger.get(e.seq) ?? { ...e, scope: { ...e.scope }, runId: c.runId, createdAt: at };
    ledger.set(e.seq, { ...before, status, phase, attempts, engineAttempts, error, eventSeq, updatedAt: at });
  }
}

function createChild(s: MemoryState, child: Commit, now: number): ChildCreateResult {
  const answer: CommitAnswer = "create" in child.expect ? create(s, child, child.expect.create, now) : { kind: "fenced" };
  return answer.kind === "conflict" ? { kind: "conflict", existing: answer.existing } : { kind: "created" };
}

function markInbox(s: MemoryState, c: Commit): void {
  const own = (inboxId: number): ReturnType<typeof s.inbox.get> => {
    const item = s.inbox.get(inboxId);
    return item?.row.runId === c.runId ? item : undefined;
  };
  for (const id of c.taken) {
    const item = own(id);
    if (item !== undefined) putItem(s, { ...item, row: { ...item.row, taken: true } });
  }
  for (const id of c.consumed) {
    const item = own(id);
    if (item !== undefined) putItem(s, { ...item, row: { ...item.row, taken: true, consumed: true } });
  }
  for (const r of c.replies) {
    const item = own(r.inboxId);
    if (item !== undefined) putItem(s, { ...item, row: { ...item.row, reply: r.reply } });
  }
}

function notify(s: MemoryState, n: Commit["notices"][number], now: number): void {
  const named = s.runs.get(n.toRunId);
  const latest =
    named !== undefined && isSettled(named.status) && followsContinuation(n.kind) ? latestRun(s, named.scope, named.workflowId) : undefined;
  const target = named !== undefined && latest !== undefined && isContinuation(latest, named) ? latest : named;
  const dedupKey = noticeKey(n);
  if (target === undefined || target.origin !== "engine" || isSettled(target.status) || s.dedup.has(dedupKey)) return;
  const row = { inboxId: s.nextInboxId++, runId: target.runId, kind: n.kind, name: n.name, id: n.id, payload: n.payload };
  putItem(s, { dedupKey, row: { ...row, acceptedAt: now, taken: false, consumed: false, reply: null } });
}

function moveInbox(s: MemoryState, from: string, to: string): void {
  for (const item of itemsOf(s, from)) {
    if (item.row.consumed) continue;
    putItem(s, { ...item, row: { ...item.row, runId: to, taken: false } });
    const record = item.dedupKey === null ? undefined : s.accepted.get(item.dedupKey);
    if (record !== undefined) s.accepted.set(record.storageKey, { ...record, runId: to });
  }
}

/** The fates of a Commit that was applied before: a child is there, or another run stands in its place. */
function duplicate(s: MemoryState, c: Commit, row: RunRow): CommitAnswer {
  const children = c.children.map((child): ChildCreateResult => {
    if (!("create" in child.expect)) return { kind: "created" };
    const n = child.expect.create;
    if (s.runs.get(child.runId)?.workflowId === n.workflowId) return { kind: "created" };
    const holder = n.idempotencyKey === null ? undefined : s.runs.get(s.startKeys.get(scopedKey(n.scope, n.idempotencyKey)) ?? "");
    const existing = holder ?? latestRun(s, n.scope, n.workflowId) ?? s.runs.get(child.runId);
    return existing === undefined ? { kind: "created" } : { kind: "conflict", existing: copyRun(existing) };
  });
  return { kind: "duplicate", persistedAt: row.persistedAt, dueAt: row.dueAt, children };
}

function headOf(c: Commit, before: { headSeq: number; headLink: string }): { headSeq: number; headLink: string } {
  const last = c.events.at(-1);
  return last === undefined ? { headSeq: before.headSeq, headLink: before.headLink } : { headSeq: last.runSeq, headLink: last.link };
}

function hasCheckpoint(s: MemoryState, c: Commit): boolean {
  return s.checkpoints.get(c.runId)?.some((x) => x.stepId === c.checkpoint?.stepId || x.key === c.checkpoint?.key) ?? false;
}

function mayClash(s: MemoryState, c: Commit): boolean {
  if (hasCheckpoint(s, c)) return true;
  const log = s.logs.get(c.runId);
  const seqs = new Set<number>();
  const keys = new Set<string>();
  for (const e of c.events) {
    if (log?.seqs.has(e.runSeq) || log?.keys.has(e.idempotencyKey)) return true;
    seqs.add(e.runSeq);
    keys.add(e.idempotencyKey);
  }
  return seqs.size < c.events.length || keys.size < c.events.length || c.children.some((child) => mayClash(s, child));
}
