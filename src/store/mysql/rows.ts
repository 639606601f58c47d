// Rows of the database as values of the port, and back. The one place that knows which column holds which field; it must
// never decide anything. Compared columns come as bytes, since bytes is what they are compared as.
import type { RunStatus, Waiting } from "../../core/model.ts";
import { scopeKey, parseScopeKey } from "../keys.ts";
import type { CheckpointRecord, EngineRow, EventRecord, InboxKind, InboxRow, Origin, RunRow } from "../port.ts";
import type { FeedRow, KvRow } from "../reader-store.ts";
import type { Row } from "./wire/driver.ts";
import { isHashed, keyText, type Literal, scopeBytesMax } from "./wire/literal.ts";

export function text(r: Row, column: string): string {
  const v = r[column];
  return typeof v === "string" ? v : (v as Buffer).toString("utf8");
}
function textOrNull(r: Row, column: string): string | null {
  return r[column] === null ? null : text(r, column);
}
export const int = (r: Row, column: string): number => Number(r[column]);
export const intOrNull = (r: Row, column: string): number | null => (r[column] === null ? null : Number(r[column]));

export const runColumns: string =
  "run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, " +
  "head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, " +
  "root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, long_texts, origin, expired_at, purged_at";

/** Texts whose columns hold a hash: they did not fit into an index. */
interface LongTexts {
  scope?: string;
  workflowId?: string;
  idempotencyKey?: string;
}

export function toRun(r: Row): RunRow {
  const long: LongTexts = r["long_texts"] === null ? {} : (JSON.parse(text(r, "long_texts")) as LongTexts);
  return {
    runId: text(r, "run_id"),
    scope: parseScopeKey(long.scope ?? text(r, "scope")),
    workflowId: long.workflowId ?? text(r, "workflow_id"),
    generation: int(r, "generation"),
    workflow: text(r, "workflow"),
    version: text(r, "version"),
    status: text(r, "status") as RunStatus,
    waiting: textOrNull(r, "waiting") as Waiting | null,
    owner: textOrNull(r, "owner"),
    fence: { epoch: int(r, "epoch"), token: text(r, "token") },
    stateVersion: int(r, "state_version"),
    commitId: text(r, "commit_id"),
    headSeq: int(r, "head_seq"),
    headLink: text(r, "head_link"),
    persistedAt: int(r, "persisted_at"),
    dueAt: intOrNull(r, "due_at"),
    createdAt: int(r, "created_at"),
    deadlineAt: intOrNull(r, "deadline_at"),
    tags: JSON.parse(text(r, "tags")) as Record<string, string>,
    inputDigest: text(r, "input_digest"),
    idempotencyKey: long.idempotencyKey ?? textOrNull(r, "idempotency_key"),
    originalRunId: textOrNull(r, "original_run_id"),
    rootRunId: text(r, "root_run_id"),
    parentRunId: textOrNull(r, "parent_run_id"),
    parentStepId: textOrNull(r, "parent_step_id"),
    idleClaims: int(r, "idle_claims"),
    exactVersion: int(r, "exact_version") === 1,
    origin: text(r, "origin") as Origin,
    expiredAt: intOrNull(r, "expired_at"),
    purgedAt: intOrNull(r, "purged_at"),
  };
}

/** In the order of runColumns. */
export function fromRun(r: RunRow): Literal[] {
  const [scopeText, startKey] = [scopeKey(r.scope), r.idempotencyKey];
  const [scope, workflowId] = [keyText(scopeText, scopeBytesMax), keyText(r.workflowId)];
  const idempotencyKey = startKey === null ? null : keyText(startKey);
  const long: LongTexts = {};
  if (isHashed(scope)) long.scope = scopeText;
  if (isHashed(workflowId)) long.workflowId = r.workflowId;
  if (startKey !== null && idempotencyKey !== startKey) long.idempotencyKey = startKey;
  return [
    r.runId,
    scope,
    workflowId,
    r.generation,
    r.workflow,
    r.version,
    r.status,
    r.waiting,
    r.owner,
    r.fence.epoch,
    r.fence.token,
    r.stateVersion,
    r.commitId,
    r.headSeq,
    r.headLink,
    r.persistedAt,
    r.dueAt,
    r.createdAt,
    r.deadlineAt,
    JSON.stringify(r.tags),
    r.inputDigest,
    idempotencyKey,
    r.originalRunId,
    r.rootRunId,
    r.parentRunId,
    r.parentStepId,
    r.idleClaims,
    r.exactVersion,
    Object.keys(long).length === 0 ? null : JSON.stringify(long),
    r.origin,
    r.expiredAt,
    r.purgedAt,
  ];
}

export const eventColumns: string =
  "run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, " +
  "link, persisted_at, state_version, emitted_text";

export function toEvent(r: Row): EventRecord {
  return {
    runSeq: int(r, "run_seq"),
    eventId: text(r, "event_id"),
    eventType: text(r, "event_type"),
    stepId: textOrNull(r, "step_id"),
    logicalAttemptId: int(r, "logical_attempt_id"),
    engineAttemptId: int(r, "engine_attempt_id"),
    idempotencyKey: text(r, "idempotency_key"),
    emittedAt: int(r, "emitted_at"),
    payload: textOrNull(r, "payload"),
    salt: textOrNull(r, "salt"),
    payloadHash: textOrNull(r, "payload_hash"),
    link: text(r, "link"),
    persistedAt: int(r, "persisted_at"),
    stateVersion: int(r, "state_version"),
    ...(r["emitted_text"] === null ? {} : { emittedText: text(r, "emitted_text") }),
  };
}

/** In the order of `run_id` and eventColumns. */
export function fromEvent(runId: string, e: EventRecord, persistedAt: Literal): Literal[] {
  return [
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
    e.stateVersion,
    e.emittedText ?? null,
  ];
}

export const checkpointColumns = "run_id, idempotency_key, step_id, label, body, state_version, persisted_at";

/** In the order of checkpointColumns. */
export function fromCheckpoint(r: CheckpointRecord, persistedAt: Literal): Literal[] {
  return [r.runId, r.key, r.stepId, r.label, r.body, r.stateVersion, persistedAt];
}

export function toCheckpoint(r: Row): CheckpointRecord {
  return {
    runId: text(r, "run_id"),
    stepId: int(r, "step_id"),
    key: text(r, "idempotency_key"),
    label: textOrNull(r, "label"),
    body: text(r, "body"),
    stateVersion: int(r, "state_version"),
    persistedAt: int(r, "persisted_at"),
  };
}

export function toInbox(r: Row): InboxRow {
  return {
    inboxId: int(r, "inbox_id"),
    runId: text(r, "run_id"),
    kind: text(r, "kind") as InboxKind,
    name: text(r, "name"),
    id: text(r, "id"),
    payload: textOrNull(r, "payload"),
    acceptedAt: int(r, "accepted_at"),
    taken: int(r, "taken") === 1,
    consumed: int(r, "consumed") === 1,
    reply: textOrNull(r, "reply"),
  };
}

export function toKvRow(r: Row): KvRow {
  return {
    collection: text(r, "shelf"),
    key: text(r, "shelf_key"),
    value: text(r, "value"),
    version: int(r, "version"),
    at: int(r, "put_at"),
  };
}

export function toFeedRow(r: Row): FeedRow {
  return { position: int(r, "position"), runId: text(r, "run_id"), headSeq: int(r, "head_seq") };
}

export function toEngine(r: Row): EngineRow {
  return {
    engineId: text(r, "engine_id"),
    leaseUntil: int(r, "lease_until"),
    dead: int(r, "dead") === 1,
    serves: JSON.parse(text(r, "serves")) as EngineRow["serves"],
  };
}
