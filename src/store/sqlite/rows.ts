// Rows of the database as values of the port. The one place that knows which column holds which field; it must never
// decide anything, so that a wrong answer is never hidden in a conversion.
import type { RunStatus, Waiting } from "../../core/model.ts";
import { scopeKey, parseScopeKey } from "../keys.ts";
import type { CheckpointRecord, EngineRow, EventRecord, InboxKind, InboxRow, RunSelector, Origin, RunRow } from "../port.ts";
import type { FeedRow, KvRow } from "../reader-store.ts";
import type { Connection, Row, Statement } from "./wire/driver.ts";
import { sql, type SqlName } from "./sql.ts";

/** The statements of one connection, each prepared when first used and kept. */
export type Statements = Readonly<Record<SqlName, Statement>>;

export function statements(db: Connection): Statements {
  const prepared = {} as Record<SqlName, Statement>;
  for (const name of Object.keys(sql) as SqlName[]) {
    Object.defineProperty(prepared, name, {
      configurable: true,
      get(): Statement {
        const value = db.prepare(sql[name]);
        Object.defineProperty(prepared, name, { value });
        return value;
      },
    });
  }
  return prepared;
}

/** The connection is closed: whoever holds the store must not hold its statements with it. */
export function dropStatements(st: Statements): void {
  for (const name of Object.keys(sql) as SqlName[]) Object.defineProperty(st, name, { value: undefined });
}

const text = (r: Row, column: string): string => r[column] as string;
const textOrNull = (r: Row, column: string): string | null => r[column] as string | null;
const int = (r: Row, column: string): number => r[column] as number;
const intOrNull = (r: Row, column: string): number | null => r[column] as number | null;

/** The row of one run, whichever way it is named. */
export function oneRun(s: Statements, q: RunSelector): Row | undefined {
  if ("runId" in q) return s.run.get(q.runId);
  return "workflowId" in q ? s.latest.get(scopeKey(q.scope), q.workflowId) : s.byStartKey.get(scopeKey(q.scope), q.idempotencyKey);
}

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
    exactVersion: int(r, "exact_version") === 1,
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
    taken: int(r, "taken") === 1,
    consumed: int(r, "consumed") === 1,
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
    dead: int(r, "dead") === 1,
    serves: JSON.parse(text(r, "serves")) as EngineRow["serves"],
  };
}
