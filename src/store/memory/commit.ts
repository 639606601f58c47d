// The Commit on plain maps: every check first, in the order that all stores keep, then one write.
// I3: a lost fence or version writes nothing. I8: a settled run never changes. I10: no timer fires early.
import { isSettled } from "../../core/model.ts";
import { noticeKey } from "../keys.ts";
import { childResult, decide, type KnownRuns, noticeTarget } from "../decide.ts";
import type { ChildCreateResult, Commit, CommitAnswer, EffectRecord, EventRecord, RunRow, Snapshot } from "../port.ts";
import { clashReason } from "../rules.ts";
import { hasDispatchClash, writeQueueing } from "./dispatches.ts";
import { appendToFeed } from "./feed.ts";
import { kvRowsAt, putRows, unmetWrites } from "./kv.ts";
import { copyRun, itemsOf, latestRun, logOf, type MemoryState, putItem, restore, scopedKey, snapshot } from "./state.ts";

/** An event, a checkpoint or a dispatch that is already there: the Commit it came with must leave no trace (K9). */
const clash: unique symbol = Symbol("clash");

export function applyCommit(s: MemoryState, c: Commit, now: number): CommitAnswer {
  // Rolling back is only ever needed for what occurs twice: nothing else can fail once the checks have passed.
  const before = mayClash(s, c) ? snapshot(s) : undefined;
  try {
    return decideAndWrite(s, c, now);
  } catch (e) {
    if (e !== clash || before === undefined) throw e;
    restore(s, before);
    return { kind: "refused", reason: clashReason };
  }
}

const created: ChildCreateResult = { kind: "created" };

function decideAndWrite(s: MemoryState, c: Commit, now: number): CommitAnswer {
  const { row, answer } = decide(c, knownRuns(s), now);
  if (row === undefined) return answer;
  const unmet = c.puts === undefined ? [] : unmetWrites(s, c.puts);
  if (unmet.length > 0) return { kind: "unmet", rows: kvRowsAt(s, unmet) };
  if ("create" in c.expect) {
    const { scope, workflowId, idempotencyKey } = c.expect.create;
    const wkey = scopedKey(scope, workflowId);
    s.generations.set(wkey, [...(s.generations.get(wkey) ?? []), c.runId]);
    if (idempotencyKey !== null) s.startKeys.set(scopedKey(scope, idempotencyKey), c.runId);
  }
  return write(s, c, row.persistedAt, copyRun(row));
}

/** Rows are copied on the way out: some of them become part of an answer. */
function knownRuns(s: MemoryState): KnownRuns {
  const copy = (row: RunRow | undefined): RunRow | undefined => (row === undefined ? undefined : copyRun(row));
  return {
    run: (runId) => copy(s.runs.get(runId)),
    latest: (scope, workflowId) => copy(latestRun(s, scope, workflowId)),
    byStartKey: (scope, key) => copy(s.runs.get(s.startKeys.get(scopedKey(scope, key)) ?? "")),
  };
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
  if (hasDispatchClash(s, c)) throw clash;
  writeQueueing(s, c, row);
  if (c.snapshot !== undefined) putSnapshot(s, c.runId, c.snapshot);
  if (c.puts !== undefined) putRows(s, c.puts, persistedAt);
  if (c.checkpoint !== undefined) {
    if (hasCheckpoint(s, c)) throw clash;
    const { stepId, key, label, body } = c.checkpoint;
    const record = { runId: c.runId, stepId, key, label, body, stateVersion: row.stateVersion, persistedAt };
    s.checkpoints.set(c.runId, [...(s.checkpoints.get(c.runId) ?? []), record]);
  }
  const children = c.children.map((child) => ("create" in child.expect ? childResult(decideAndWrite(s, child, persistedAt)) : created));
  for (const n of c.notices) notify(s, n, persistedAt);
  if (c.moveInboxTo !== null && s.runs.has(c.moveInboxTo)) moveInbox(s, c.runId, c.moveInboxTo);
  return { kind: "committed", persistedAt, dueAt: row.dueAt, children };
}

/** It takes the place of one at the same event; `last` is the only one that stays of those before it. */
function putSnapshot(s: MemoryState, runId: string, { at, digest, body, keep }: Snapshot): void {
  const others = (s.snapshots.get(runId) ?? []).filter((x) => x.at !== at && (keep === "all" || x.at > at));
  s.snapshots.set(
    runId,
    [...others, { runId, at, digest, body }].sort((a, b) => b.at - a.at),
  );
}

/** The first write of a record says when and what it is; later ones how it stands. */
function putEffects(s: MemoryState, c: Commit, at: number): void {
  if (c.effects === undefined) return;
  const ledger = s.effects.get(c.runId) ?? new Map<number, EffectRecord>();
  s.effects.set(c.runId, ledger);
  for (const e of c.effects) {
    const { status, phase, attempts, engineAttempts, error, eventSeq, worker } = e;
    const before = ledger.get(e.seq) ?? { ...e, scope: { ...e.scope }, runId: c.runId, createdAt: at };
    ledger.set(e.seq, { ...before, status, phase, attempts, engineAttempts, error, eventSeq, worker, updatedAt: at });
  }
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
  for (const r of c.rejected ?? []) {
    const item = own(r.inboxId);
    if (item !== undefined) putItem(s, { ...item, row: { ...item.row, rejected: r.reason } });
  }
}

function notify(s: MemoryState, n: Commit["notices"][number], now: number): void {
  const target = noticeTarget(n, knownRuns(s));
  const dedupKey = noticeKey(n);
  if (target === undefined || s.dedup.has(dedupKey)) return;
  const row = { inboxId: s.nextInboxId++, runId: target.runId, kind: n.kind, name: n.name, id: n.id, payload: n.payload };
  const state = { taken: false, consumed: false, reply: null, by: null, payloadDigest: null, rejected: null };
  putItem(s, { dedupKey, row: { ...row, acceptedAt: now, ...state } });
}

function moveInbox(s: MemoryState, from: string, to: string): void {
  for (const item of itemsOf(s, from)) {
    // The end of a dispatch is about one step of one run.
    if (item.row.consumed || item.row.kind === "result") continue;
    putItem(s, { ...item, row: { ...item.row, runId: to, taken: false } });
    const record = item.dedupKey === null ? undefined : s.accepted.get(item.dedupKey);
    if (record !== undefined) s.accepted.set(record.storageKey, { ...record, runId: to });
  }
}

function hasCheckpoint(s: MemoryState, c: Commit): boolean {
  return s.checkpoints.get(c.runId)?.some((x) => x.stepId === c.checkpoint?.stepId || x.key === c.checkpoint?.key) ?? false;
}

function mayClash(s: MemoryState, c: Commit): boolean {
  if (hasCheckpoint(s, c) || hasDispatchClash(s, c)) return true;
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
