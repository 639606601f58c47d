// Rows of the database as values of the port. The one place that knows which column holds which field; it must never
// decide anything, so that a wrong answer is never hidden in a conversion.
import type { RunStatus, Waiting } from "../../core/model.ts";
import { parseScopeKey } from "../keys.ts";
import type { CheckpointRecord, EngineRow, EventRecord, InboxKind, InboxRow, Origin, RunRow } from "../port.ts";
import type { FeedRow, KvRow } from "../reader-store.ts";
import type { Row } from "./wire/driver.ts";

const text = (r: Row, column: string): string => r[column] as string;
const textOrNull = (r: Row, column: string): string | null => r[column] as string | null;
const int = (r: Row, column: string): number => r[column] as number;
const intOrNull = (r: Row, column: string): number | null => r[column] as number | null;
const bool = (r: Row, column: string): boolean => r[column] as boolean;

export function toRun(r: Row): RunRow {
  return {
    runId: text(r, "run_id"),
    scope: parseScopeKey(text(r, "scope")),
    workflowId: text(r, "workflow_id"),
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
    idempotencyKey: textOrNull(r, "idempotency_key"),
    originalRunId: textOrNull(r, "original_run_id"),
    rootRunId: text(r, "root_run_id"),
    parentRunId: textOrNull(r, "parent_run_id"),
    parentStepId: textOrNull(r, "parent_step_id"),
    idleClaims: int(r, "idle_claims"),
    exactVersion: bool(r, "exact_version"),
    origin: text(r, "origin") as Origin,
    expiredAt: intOrNull(r, "expired_at"),
    purgedAt: intOrNull(r, "purged_at"),
  };
}

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
    taken: bool(r, "taken"),
    consumed: bool(r, "consumed"),
    reply: textOrNull(r, "reply"),
  };
}

export function toKvRow(r: Row): KvRow {
  return { collection: text(r, "shelf"), key: text(r, "key"), value: text(r, "value"), version: int(r, "version"), at: int(r, "at") };
}

export function toFeedRow(r: Row): FeedRow {
  return { position: int(r, "position"), runId: text(r, "run_id"), headSeq: int(r, "head_seq") };
}

export function toEngine(r: Row): EngineRow {
  return {
    engineId: text(r, "engine_id"),
    leaseUntil: int(r, "lease_until"),
    dead: bool(r, "dead"),
    serves: JSON.parse(text(r, "serves")) as EngineRow["serves"],
  };
}
