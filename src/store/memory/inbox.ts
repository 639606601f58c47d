// Messages from outside a run's owner, on plain maps. Insert-or-read in one step (W-075): the accepted record is looked
// for first, then the payload without a record (W-078), then the run. Nothing here ever changes a run's row (K8).
import { isSettled } from "../../core/model.ts";
import { acceptedResponse, acceptedVersion, payloadDigest, scopeKey, storageKey } from "../keys.ts";
import type { AcceptedRecord, InboxRow, Post, PostAnswer, RunRow } from "../port.ts";
import { copyRun, itemsOf, latestRun, type MemoryState, putItem } from "./state.ts";

export function post(s: MemoryState, p: Post, now: number): PostAnswer {
  let target: RunRow | undefined;
  if ("runId" in p.target) {
    target = s.runs.get(p.target.runId);
    // I11: a run of another scope does not exist for this caller.
    if (target === undefined || scopeKey(target.scope) !== scopeKey(p.scope)) return { kind: "unknown" };
  } else target = latestRun(s, p.scope, p.target.workflowId);
  const workflowId = "runId" in p.target ? (target?.workflowId ?? "") : p.target.workflowId;
  const key = storageKey({ scope: p.scope, workflowId, kind: p.kind, name: p.name, id: p.id });

  const known = s.accepted.get(key);
  if (known !== undefined && (known.expiresAt === null || known.expiresAt > now)) {
    return { kind: "accepted", record: { ...known, ...messageState(s.inbox.get(known.inboxId)?.row) }, replayed: true };
  }
  if (known !== undefined) expireAccepted(s, known);
  if (s.dedup.has(key)) return { kind: "indeterminate", storageKey: key };
  if (target === undefined) return { kind: "unknown" };
  if (target.origin !== "engine") return { kind: "external", run: copyRun(target) };
  if (isSettled(target.status)) return { kind: "settled", run: copyRun(target) };
  if (p.checkOnly === true) return { kind: "absent" };

  const inboxId = s.nextInboxId++;
  const row: InboxRow = {
    inboxId,
    runId: target.runId,
    kind: p.kind,
    name: p.name,
    id: p.id,
    payload: p.payload,
    acceptedAt: now,
    taken: false,
    consumed: false,
    reply: null,
    by: p.by ?? null,
    payloadDigest: payloadDigest(p.payload),
    rejected: null,
  };
  putItem(s, { row, dedupKey: key });
  const record: AcceptedRecord = {
    version: acceptedVersion,
    workflowId,
    kind: p.kind,
    name: p.name,
    id: p.id,
    storageKey: key,
    acceptedAt: now,
    expiresAt: p.retainMs === null ? null : now + p.retainMs,
    runId: target.runId,
    inboxId,
    response: acceptedResponse({ workflowId, name: p.name, id: p.id, storageKey: key, acceptedAt: now }),
    ...messageState(row),
  };
  s.accepted.set(key, record);
  return { kind: "accepted", record: { ...record }, replayed: false };
}

/** What an accepted record reads off its inbox row. */
function messageState(row: InboxRow | undefined): Pick<AcceptedRecord, "reply" | "by" | "payloadDigest" | "rejected"> {
  const { reply = null, by = null, payloadDigest: digest = null, rejected = null } = row ?? {};
  return { reply, by, payloadDigest: digest, rejected };
}

/** W-081: the record is gone and its payload keeps no claim on the key; the row itself stays in the inbox. */
function expireAccepted(s: MemoryState, known: AcceptedRecord): void {
  s.accepted.delete(known.storageKey);
  const item = s.inbox.get(known.inboxId);
  if (item !== undefined) putItem(s, { ...item, dedupKey: null });
}

export function readInbox(s: MemoryState, q: { runId: string; all?: boolean } | { owner: string }): InboxRow[] {
  if ("runId" in q) {
    return itemsOf(s, q.runId)
      .filter((i) => q.all === true || !i.row.consumed)
      .map((i) => ({ ...i.row }));
  }
  const rows: InboxRow[] = [];
  for (const id of s.unsettled) {
    if (s.runs.get(id)?.owner !== q.owner) continue;
    for (const i of itemsOf(s, id)) if (!i.row.taken) rows.push({ ...i.row });
  }
  return rows.sort((a, b) => a.inboxId - b.inboxId);
}
