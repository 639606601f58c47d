// Messages from outside a run's owner, as SQL inside one write transaction: insert-or-read (W-075), never read, then
// write in another. The accepted record is looked for first, then a payload without one (W-078), then the run. Foreign
// writers never touch a run's row (K8).
import { isSettled } from "../../core/model.ts";
import { acceptedResponse, acceptedVersion, noMessage, payloadDigest, scopeKey, storageKey } from "../keys.ts";
import type { AcceptedRecord, InboxRow, Post, PostAnswer } from "../port.ts";
import { type Statements, toInbox, toMessageState, toRun } from "./rows.ts";

export function post(st: Statements, p: Post, now: number): PostAnswer {
  const scope = scopeKey(p.scope);
  const found = "runId" in p.target ? st.run.get(p.target.runId) : st.latest.get(scope, p.target.workflowId);
  const target = found === undefined ? undefined : toRun(found);
  // I11: a run of another scope does not exist for this caller.
  if ("runId" in p.target && (target === undefined || scopeKey(target.scope) !== scope)) return { kind: "unknown" };
  const workflowId = "runId" in p.target ? (target?.workflowId ?? "") : p.target.workflowId;
  const key = storageKey({ scope: p.scope, workflowId, kind: p.kind, name: p.name, id: p.id });
  const base = { workflowId, kind: p.kind, name: p.name, id: p.id, storageKey: key } as const;

  const known = st.accepted.get(key);
  if (known !== undefined) {
    const expiresAt = known["expires_at"] as number | null;
    const inboxId = known["inbox_id"] as number;
    if (expiresAt === null || expiresAt > now) {
      const message = st.replyOf.get(inboxId);
      const reply = (message?.["reply"] ?? null) as string | null;
      const acceptedAt = known["accepted_at"] as number;
      const response = (known["response"] ?? acceptedResponse({ ...base, acceptedAt })) as string;
      const rest = {
        version: known["version"] as number,
        acceptedAt,
        expiresAt,
        runId: known["run_id"] as string,
        inboxId,
        response,
        reply,
        ...(message === undefined ? noMessage : toMessageState(message)),
      };
      return { kind: "accepted", record: { ...base, ...rest }, replayed: true };
    }
    // W-081: the record is gone and its payload keeps no claim on the key; the row itself stays in the inbox.
    st.forgetAccepted.run(key);
    st.retire.run(inboxId);
  }
  if (st.payloadByKey.get(key) !== undefined) return { kind: "indeterminate", storageKey: key };
  if (target === undefined) return { kind: "unknown" };
  if (target.origin !== "engine") return { kind: "external", run: target };
  if (isSettled(target.status)) return { kind: "settled", run: target };
  if (p.checkOnly === true) return { kind: "absent" };

  const [by, digest] = [p.by ?? null, payloadDigest(p.payload)];
  const inboxId = Number(st.insertInbox.run(target.runId, p.kind, p.name, p.id, p.payload, now, key, by, digest).lastInsertRowid);
  const expiresAt = p.retainMs === null ? null : now + p.retainMs;
  const response = acceptedResponse({ ...base, acceptedAt: now });
  st.insertAccepted.run(key, now, expiresAt, target.runId, inboxId, acceptedVersion, response);
  const rest = { acceptedAt: now, expiresAt, runId: target.runId, inboxId, response, reply: null };
  const record: AcceptedRecord = { ...base, version: acceptedVersion, ...rest, by, payloadDigest: digest, rejected: null };
  return { kind: "accepted", record, replayed: false };
}

export function readInbox(st: Statements, q: { runId: string; all?: boolean } | { owner: string }): InboxRow[] {
  const rows = "runId" in q ? st.inboxOfRun.all(q.runId, q.all === true ? 1 : 0) : st.inboxOfOwner.all(q.owner);
  return rows.map(toInbox);
}
