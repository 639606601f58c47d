// Messages from outside a run's owner, in one transaction: insert-or-read (W-075), never read, then write in another. The
// accepted record is looked for first, then a payload without one (W-078), then the run. The run's row is held shared, not
// touched (K8): a run that settles or hands on its inbox does so before the message or after it (I9).
import { isSettled } from "../../core/model.ts";
import { acceptedResponse, acceptedVersion, payloadDigest, scopeKey, storageKey } from "../keys.ts";
import type { AcceptedRecord, InboxRow, Post, PostAnswer, RunRow } from "../port.ts";
import type { Connection, Queryable } from "./wire/driver.ts";
import { isDuplicate } from "./errors.ts";
import { dedupHash, inboxValues, LostRace } from "./statements.ts";
import { keyText, scopeBytesMax, tuple } from "./wire/literal.ts";
import { int, intOrNull, text, toInbox, toMessageState, toRun } from "./rows.ts";
import type { Sql } from "./sql.ts";

/** The run that the message is for, its row held until the transaction ends, and the store's time. */
async function targetOf(db: Queryable, sql: Sql, p: Post, scope: string): Promise<{ target: RunRow | undefined; now: number }> {
  const byId = "runId" in p.target;
  const found = await db.query(
    "runId" in p.target
      ? sql.targetById(p.target.runId)
      : sql.targetByWorkflow(keyText(scope, scopeBytesMax), keyText(p.target.workflowId)),
  );
  const [row] = found.rows;
  if (row === undefined) return { target: undefined, now: int((await db.query(sql.now())).rows[0] ?? {}, "now_ms") };
  const target = toRun(row);
  // I11: a run of another scope does not exist for this caller.
  return { target: byId && scopeKey(target.scope) !== scope ? undefined : target, now: int(row, "now_ms") };
}

export async function post(db: Queryable, sql: Sql, p: Post): Promise<PostAnswer> {
  const { target, now } = await targetOf(db, sql, p, scopeKey(p.scope));
  if ("runId" in p.target && target === undefined) return { kind: "unknown" };
  const workflowId = "runId" in p.target ? (target?.workflowId ?? "") : p.target.workflowId;
  const key = storageKey({ scope: p.scope, workflowId, kind: p.kind, name: p.name, id: p.id });
  const hash = dedupHash(key);
  const base = { workflowId, kind: p.kind, name: p.name, id: p.id, storageKey: key } as const;

  const rows = (await db.query(sql.accepted(hash))).rows;
  const known = rows.find((r) => int(r, "bare") === 0);
  const bare = rows.find((r) => int(r, "bare") === 1);
  if (known !== undefined) {
    const expiresAt = intOrNull(known, "expires_at");
    const inboxId = int(known, "inbox_id");
    if (expiresAt === null || expiresAt > now) {
      const reply = known["reply"] === null ? null : text(known, "reply");
      const acceptedAt = int(known, "accepted_at");
      const response = known["response"] === null ? acceptedResponse({ ...base, acceptedAt }) : text(known, "response");
      const rest = { version: int(known, "version"), acceptedAt, expiresAt, runId: text(known, "run_id"), inboxId, response, reply };
      return { kind: "accepted", record: { ...base, ...rest, ...toMessageState(known) }, replayed: true };
    }
    // W-081: the record is gone and its payload keeps no claim on the key; the row itself stays in the inbox.
    await db.query(sql.forgetAccepted(hash));
    await db.query(sql.retireKey(inboxId));
  }
  if (bare !== undefined && (known === undefined || int(bare, "inbox_id") !== int(known, "inbox_id"))) {
    return { kind: "indeterminate", storageKey: key };
  }
  if (target === undefined) return { kind: "unknown" };
  if (target.origin !== "engine") return { kind: "external", run: target };
  if (isSettled(target.status)) {
    // A caller that waited for this row may have waited for the Commit that settled the run and put another one in its place (I9).
    const latest = "runId" in p.target ? target : (await targetOf(db, sql, p, scopeKey(p.scope))).target;
    if (latest?.runId !== target.runId) throw new LostRace();
    return { kind: "settled", run: target };
  }
  if (p.checkOnly === true) return { kind: "absent" };

  const expiresAt = p.retainMs === null ? null : now + p.retainMs;
  const digest = payloadDigest(p.payload);
  try {
    const values = inboxValues({ ...p, runId: target.runId, payloadDigest: digest }, now, hash);
    const inboxId = (await db.query(`${sql.insertInbox}${tuple(values)}`)).insertId;
    const response = acceptedResponse({ ...base, acceptedAt: now });
    await db.query(sql.insertAccepted([hash, key, now, expiresAt, target.runId, inboxId, acceptedVersion, response]));
    const rest = { acceptedAt: now, expiresAt, runId: target.runId, inboxId, response, reply: null };
    const fresh = { by: p.by ?? null, payloadDigest: digest, rejected: null };
    const record: AcceptedRecord = { ...base, version: acceptedVersion, ...rest, ...fresh };
    return { kind: "accepted", record, replayed: false };
  } catch (e) {
    // The same message was accepted since we looked: look again, and answer with its record.
    throw isDuplicate(e) ? new LostRace() : e;
  }
}

export async function readInbox(db: Connection, sql: Sql, q: { runId: string; all?: boolean } | { owner: string }): Promise<InboxRow[]> {
  const found = await db.query("runId" in q ? sql.inboxOfRun(q.runId, q.all === true) : sql.inboxOfOwner(q.owner));
  return found.rows.map(toInbox);
}
