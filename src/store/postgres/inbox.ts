// Messages from outside a run's owner. Insert-or-read is one statement (W-075), never read, then write. What it tells is
// looked at in the order that all stores keep: the accepted record, then a payload without one (W-078), then the run. Who
// loses a race against the same message, or meets a run that is just being continued, asks again.
import { isSettled, type RunStatus } from "../../core/model.ts";
import { PawlError } from "../../errors/error.ts";
import { acceptedResponse, acceptedVersion, acceptedResponseParts, payloadDigest, scopeKey, storageKey } from "../keys.ts";
import type { InboxRow, Post, PostAnswer } from "../port.ts";
import type { Row } from "./wire/driver.ts";
import { toInbox, toMessageState, toRun } from "./rows.ts";
import type { BoundSession } from "./wire/session.ts";

const triesMax = 20;

export async function post(r: BoundSession, p: Post): Promise<PostAnswer> {
  const scope = scopeKey(p.scope);
  let workflowId: string;
  if ("runId" in p.target) {
    const found = (await r.execute("run", p.target.runId)).rows[0];
    // I11: a run of another scope does not exist for this caller.
    if (found === undefined || found["scope"] !== scope) return { kind: "unknown" };
    workflowId = String(found["workflow_id"]);
  } else workflowId = p.target.workflowId;
  const key = storageKey({ scope: p.scope, workflowId, kind: p.kind, name: p.name, id: p.id });

  for (let n = 0; n < triesMax; n++) {
    const to = "runId" in p.target ? p.target.runId : workflowId;
    const text = "runId" in p.target ? "postRun" : "postLatest";
    const { before, after } = acceptedResponseParts({ workflowId, name: p.name, id: p.id, storageKey: key });
    const record = [p.kind, p.name, p.id, p.payload, p.retainMs, acceptedVersion, before, after, p.checkOnly !== true];
    const { rows } = await r.execute(text, r.settings.clock(), key, scope, to, ...record, p.by ?? null, payloadDigest(p.payload));
    const answer = await readPostAnswer(r, p, rows[0] ?? {}, key, workflowId);
    if (answer !== undefined) return answer;
  }
  throw new PawlError("PAWL3001", "postgres: the message could not be delivered, because its run changed 20 times meanwhile; try again", {
    outcome: "none",
  });
}

/** undefined: the moment was a bad one, and another may tell. */
async function readPostAnswer(r: BoundSession, p: Post, row: Row, key: string, workflowId: string): Promise<PostAnswer | undefined> {
  const base = { workflowId, kind: p.kind, name: p.name, id: p.id, storageKey: key } as const;
  if (row["live"] === true) {
    const acceptedAt = row["accepted_at"] as number;
    const record = {
      version: row["version"] as number,
      ...base,
      acceptedAt,
      expiresAt: row["expires_at"] as number | null,
      runId: row["run_id"] as string,
      inboxId: row["inbox_id"] as number,
      response: (row["response"] ?? acceptedResponse({ ...base, acceptedAt })) as string,
      reply: row["reply"] as string | null,
      ...toMessageState(row),
    };
    return { kind: "accepted", record, replayed: true };
  }
  if (row["live"] === false) {
    // W-081: the record is gone and its payload keeps no claim on the key; the row itself stays in the inbox.
    await r.executeUnprepared("expire", r.settings.clock(), key);
    return undefined;
  }
  if (row["held"] !== null) return { kind: "indeterminate", storageKey: key };
  if (row["put"] !== null) {
    const acceptedAt = row["put_at"] as number;
    const expiresAt = p.retainMs === null ? null : acceptedAt + p.retainMs;
    const at = { runId: row["target"] as string, inboxId: row["put"] as number };
    const response = acceptedResponse({ ...base, acceptedAt });
    const fresh = { by: p.by ?? null, payloadDigest: payloadDigest(p.payload), rejected: null };
    const record = { version: acceptedVersion, ...base, acceptedAt, expiresAt, ...at, response, reply: null, ...fresh };
    return { kind: "accepted", record, replayed: false };
  }
  if (row["target"] === null) return { kind: "unknown" };
  if (p.checkOnly === true && row["origin"] === "engine" && !isSettled(row["status"] as RunStatus)) return { kind: "absent" };
  const external = row["origin"] !== "engine";
  if (!external && !isSettled(row["status"] as RunStatus)) return undefined;
  const found = "runId" in p.target ? await r.execute("run", p.target.runId) : await r.execute("latest", scopeKey(p.scope), workflowId);
  const run = found.rows[0] === undefined ? undefined : toRun(found.rows[0]);
  if (run !== undefined && run.origin !== "engine") return { kind: "external", run };
  return run !== undefined && isSettled(run.status) ? { kind: "settled", run } : undefined;
}

export async function readInbox(r: BoundSession, q: { runId: string; all?: boolean } | { owner: string }): Promise<InboxRow[]> {
  const { rows } = "runId" in q ? await r.execute("inboxOfRun", q.runId, q.all === true) : await r.execute("inboxOfOwner", q.owner);
  return rows.map(toInbox);
}
