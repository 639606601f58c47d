// Retention and moving on plain maps: every check first, then one write. A run that goes takes everything with it that hangs on
// its id; what protects against duplicates stays until it is forgotten.
import { isSettled } from "../../core/model.ts";
import type { Platform } from "../../platform/platform.ts";
import {
  conflictingRun,
  keptByFacts,
  expiryExemptType,
  keptByItsRow,
  compareWithExisting,
  type Archive,
  type CopiedMessage,
  type RunCopy,
} from "../archive.ts";
import { acceptedResponse, acceptedVersion } from "../keys.ts";
import type { AcceptedRecord, EventRecord, RunRow } from "../port.ts";
import { checkText } from "../check-text.ts";
import { appendToFeed } from "./feed.ts";
import { copyRun, itemsOf, latestRun, logOf, type InboxItem, type MemoryState, putItem, scopedKey } from "./state.ts";

export function memoryArchive(s: MemoryState, platform: Platform, now: () => number): Archive {
  const verbs = archiveVerbs(s, now);
  /** A verb is one synchronous step: a crash before it leaves nothing done. (Here a verb that changes nothing also passes the point.) */
  const marked = async <T>(verb: () => Promise<T>): Promise<T> => {
    platform.hit("engine:archive");
    const answer = await verb();
    platform.hit("engine:archived");
    return answer;
  };
  return {
    prune: (q) => marked(() => verbs.prune(q)),
    move: (q) => marked(() => verbs.move(q)),
    copyRun: (runId) => verbs.copyRun(runId),
    insertRun: (copy) => marked(() => verbs.insertRun(copy)),
  };
}

function archiveVerbs(s: MemoryState, now: () => number): Archive {
  return {
    async prune(q) {
      const at = now();
      const run = s.runs.get(q.runId);
      const out = keptByItsRow(run, q);
      if (out !== null || run === undefined) return { kind: "kept", because: out ?? "missing" };
      if (q.stage === "expire" && run.expiredAt !== null && logOf(s, q.runId).events.every((e) => !payloadExpires(e)))
        return { kind: "kept", because: "done" };
      const because = keptByFacts(run, readFacts(s, run, q.unlessHeld), q, at);
      if (because !== null) return { kind: "kept", because };
      if (q.dryRun === true) return { kind: "pruned", more: false };
      if (q.stage === "expire") return { kind: "pruned", more: expire(s, run, q.limit, at) };
      if (q.stage === "purge") purge(s, run, at);
      else forget(s, run);
      return { kind: "pruned", more: false };
    },
    async move(q) {
      now();
      checkText("move", q.token);
      const run = s.runs.get(q.runId);
      if (run === undefined || run.origin !== q.from) return undefined;
      if (q.to === "moved" && s.dispatchesByRun.has(q.runId)) return "queued";
      const fence = { epoch: run.fence.epoch + 1, token: q.token };
      s.runs.set(q.runId, { ...run, origin: q.to, owner: null, fence, dueAt: isSettled(run.status) ? null : q.dueAt });
      if (q.to === "moved" || isSettled(run.status)) s.unsettled.delete(q.runId);
      else s.unsettled.add(q.runId);
      return copyRun(run);
    },
    async copyRun(runId) {
      now();
      const run = s.runs.get(runId);
      return run === undefined ? undefined : copyOf(s, run);
    },
    async insertRun(copy) {
      now();
      const { run } = copy;
      const there = s.runs.get(run.runId);
      if (there !== undefined) {
        const standing = compareWithExisting(there, s.logs.get(run.runId)?.events.find((e) => e.runSeq === run.headSeq)?.link, copy);
        if (standing === "known") return { kind: "known" };
        if (standing === "conflict") return { kind: "conflict", by: "runId" };
      }
      const line = (s.generations.get(scopedKey(run.scope, run.workflowId)) ?? [])
        .map((id) => s.runs.get(id))
        .filter((r) => r !== undefined);
      const by = conflictingRun(copy, line) ?? findTakenKey(s, copy);
      if (by !== null) return { kind: "conflict", by };
      if (there !== undefined) forget(s, there);
      insert(s, copy);
      return { kind: "put" };
    },
  };
}

function readFacts(
  s: MemoryState,
  run: RunRow,
  unless: { collection: string; keys: readonly string[] },
): Parameters<typeof keptByFacts>[1] {
  const ends = itemsOf(s, run.runId).map((i) => (i.dedupKey === null ? undefined : s.accepted.get(i.dedupKey))?.expiresAt ?? 0);
  return {
    latest: latestRun(s, run.scope, run.workflowId) ?? run,
    hasOtherRuns: (s.generations.get(scopedKey(run.scope, run.workflowId)) ?? []).length > 1,
    held: unless.keys.some((k) => s.kv.get(unless.collection)?.has(k) === true),
    queued: s.dispatchesByRun.has(run.runId),
    awaitedByConsumer: [...s.consumers.values()].some((c) => [...c.rows.values()].some((r) => r.runId === run.runId)),
    rememberUntil: Math.max(0, ...ends),
  };
}

function payloadExpires(e: EventRecord): boolean {
  return e.payload !== null && e.eventType !== expiryExemptType;
}

/** A message once its payload has expired: a digest of a short value could be guessed, and a reason may quote it. */
const expiredMessage = { payload: null, reply: null, payloadDigest: null, rejected: null } as const;

/** True when payloads are left. From the first time on the row says that they are going. */
function expire(s: MemoryState, run: RunRow, limit: number, at: number): boolean {
  const { events } = logOf(s, run.runId);
  let n = 0;
  events.forEach((e, i) => {
    if (payloadExpires(e) && n++ < limit) events[i] = { ...e, payload: null, salt: null };
  });
  s.views.delete(run.runId);
  s.checkpoints.delete(run.runId);
  s.snapshots.delete(run.runId);
  for (const i of itemsOf(s, run.runId)) putItem(s, { ...i, row: { ...i.row, ...expiredMessage } });
  const ledger = s.effects.get(run.runId);
  for (const [seq, e] of ledger ?? []) ledger?.set(seq, { ...e, error: null });
  s.runs.set(run.runId, { ...run, expiredAt: at });
  return n > limit;
}

function purge(s: MemoryState, run: RunRow, at: number): void {
  s.logs.delete(run.runId);
  s.views.delete(run.runId);
  s.checkpoints.delete(run.runId);
  s.snapshots.delete(run.runId);
  s.effects.delete(run.runId);
  for (const i of itemsOf(s, run.runId)) {
    // A message whose acceptance is on record keeps its place: that is how the record is found again.
    if (i.dedupKey !== null && s.accepted.has(i.dedupKey))
      putItem(s, { ...i, row: { ...i.row, ...expiredMessage, by: null, taken: true } });
    else removeItem(s, i);
  }
  // Under a new epoch: a Commit that was made from a look at the log before finds itself fenced.
  const fence = { ...run.fence, epoch: run.fence.epoch + 1 };
  s.runs.set(run.runId, { ...run, fence, expiredAt: run.expiredAt ?? at, purgedAt: at });
}

/** Nothing of it is left, nor of what is known by it. */
function forget(s: MemoryState, run: RunRow): void {
  purge(s, run, 0);
  for (const i of itemsOf(s, run.runId)) {
    if (i.dedupKey !== null) s.accepted.delete(i.dedupKey);
    removeItem(s, i);
  }
  s.inboxByRun.delete(run.runId);
  s.runs.delete(run.runId);
  s.unsettled.delete(run.runId);
  if (run.idempotencyKey !== null) s.startKeys.delete(scopedKey(run.scope, run.idempotencyKey));
  const key = scopedKey(run.scope, run.workflowId);
  const left = (s.generations.get(key) ?? []).filter((id) => id !== run.runId);
  if (left.length === 0) s.generations.delete(key);
  else s.generations.set(key, left);
}

function removeItem(s: MemoryState, i: InboxItem): void {
  s.inbox.delete(i.row.inboxId);
  s.inboxByRun.get(i.row.runId)?.delete(i.row.inboxId);
  if (i.dedupKey !== null) s.dedup.delete(i.dedupKey);
}

function copyOf(s: MemoryState, run: RunRow): RunCopy {
  const message = ({ row, dedupKey }: InboxItem): CopiedMessage => {
    const { inboxId: _, runId: __, ...rest } = row;
    const record = dedupKey === null ? undefined : s.accepted.get(dedupKey);
    const accepted = record === undefined ? null : { acceptedAt: record.acceptedAt, expiresAt: record.expiresAt };
    return { ...rest, key: dedupKey, accepted };
  };
  return {
    run: copyRun(run),
    events: (s.logs.get(run.runId)?.events ?? []).map((e) => ({ ...e })),
    inbox: itemsOf(s, run.runId).map(message),
    views: Object.fromEntries([...(s.views.get(run.runId) ?? [])].sort(([a], [b]) => (a < b ? -1 : 1))),
    checkpoints: (s.checkpoints.get(run.runId) ?? []).toSorted((a, b) => a.stepId - b.stepId).map((c) => ({ ...c })),
    effects: [...(s.effects.get(run.runId)?.values() ?? [])]
      .toSorted((a, b) => a.seq - b.seq)
      .map((e) => ({ ...e, scope: { ...e.scope } })),
  };
}

function findTakenKey(s: MemoryState, { run, inbox }: RunCopy): "idempotencyKey" | "message" | null {
  const holder = run.idempotencyKey === null ? undefined : s.startKeys.get(scopedKey(run.scope, run.idempotencyKey));
  if (holder !== undefined && holder !== run.runId) return "idempotencyKey";
  const foreign = (key: string | null): boolean => {
    const row = key === null ? undefined : s.inbox.get(s.dedup.get(key) ?? -1)?.row;
    return row !== undefined && row.runId !== run.runId;
  };
  return inbox.some((m) => foreign(m.key)) ? "message" : null;
}

function insert(s: MemoryState, copy: RunCopy): void {
  const { run } = copy;
  s.runs.set(run.runId, { ...copyRun(run), owner: null });
  if (!isSettled(run.status)) s.unsettled.add(run.runId);
  const key = scopedKey(run.scope, run.workflowId);
  const line = [...(s.generations.get(key) ?? []), run.runId];
  s.generations.set(
    key,
    line.toSorted((a, b) => (s.runs.get(a)?.generation ?? 0) - (s.runs.get(b)?.generation ?? 0)),
  );
  if (run.idempotencyKey !== null) s.startKeys.set(scopedKey(run.scope, run.idempotencyKey), run.runId);
  const log = logOf(s, run.runId);
  for (const e of copy.events) {
    log.events.push({ ...e });
    log.seqs.add(e.runSeq);
    log.keys.add(e.idempotencyKey);
  }
  s.views.set(run.runId, new Map(Object.entries(copy.views)));
  s.checkpoints.set(
    run.runId,
    copy.checkpoints.map((c) => ({ ...c })),
  );
  s.effects.set(run.runId, new Map(copy.effects.map((e) => [e.seq, { ...e }])));
  for (const m of copy.inbox) insertMessage(s, run, m);
  if (copy.events.length > 0) appendToFeed(s, run);
}

function insertMessage(s: MemoryState, run: RunRow, m: CopiedMessage): void {
  const { key, accepted, ...rest } = m;
  const inboxId = s.nextInboxId++;
  putItem(s, { row: { ...rest, inboxId, runId: run.runId }, dedupKey: key });
  if (accepted === null || key === null) return;
  const base = { workflowId: run.workflowId, kind: m.kind, name: m.name, id: m.id, storageKey: key, acceptedAt: accepted.acceptedAt };
  const more = { version: acceptedVersion, response: acceptedResponse(base), expiresAt: accepted.expiresAt, runId: run.runId, inboxId };
  const record: AcceptedRecord = { ...base, ...more, reply: null, by: null, payloadDigest: null, rejected: null };
  s.accepted.set(key, record);
}
