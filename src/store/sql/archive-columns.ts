// The columns that SQLite and Postgres have in common for whole runs, each with its value: what a run that comes in is written
// from. The reverse of each database's rows.ts. A database that keeps long texts elsewhere has its own.
import { type AcceptedCopy, columnsOf, type Columns } from "./archive.ts";
import type { CopiedMessage } from "../archive.ts";
import { scopeKey } from "../keys.ts";
import type { CheckpointRecord, EffectRecord, EventRecord, RunRow } from "../port.ts";

export const runs: Columns<RunRow> = columnsOf({
  run_id: (r) => r.runId,
  scope: (r) => scopeKey(r.scope),
  workflow_id: (r) => r.workflowId,
  generation: (r) => r.generation,
  workflow: (r) => r.workflow,
  version: (r) => r.version,
  status: (r) => r.status,
  waiting: (r) => r.waiting,
  owner: (r) => r.owner,
  epoch: (r) => r.fence.epoch,
  token: (r) => r.fence.token,
  state_version: (r) => r.stateVersion,
  commit_id: (r) => r.commitId,
  head_seq: (r) => r.headSeq,
  head_link: (r) => r.headLink,
  persisted_at: (r) => r.persistedAt,
  due_at: (r) => r.dueAt,
  created_at: (r) => r.createdAt,
  deadline_at: (r) => r.deadlineAt,
  tags: (r) => JSON.stringify(r.tags),
  input_digest: (r) => r.inputDigest,
  idempotency_key: (r) => r.idempotencyKey,
  original_run_id: (r) => r.originalRunId,
  root_run_id: (r) => r.rootRunId,
  parent_run_id: (r) => r.parentRunId,
  parent_step_id: (r) => r.parentStepId,
  idle_claims: (r) => r.idleClaims,
  exact_version: (r) => r.exactVersion,
  origin: (r) => r.origin,
  expired_at: (r) => r.expiredAt,
  purged_at: (r) => r.purgedAt,
});

export const events: Columns<{ readonly runId: string; readonly event: EventRecord }> = columnsOf({
  run_id: (e) => e.runId,
  run_seq: (e) => e.event.runSeq,
  event_id: (e) => e.event.eventId,
  event_type: (e) => e.event.eventType,
  step_id: (e) => e.event.stepId,
  logical_attempt_id: (e) => e.event.logicalAttemptId,
  engine_attempt_id: (e) => e.event.engineAttemptId,
  idempotency_key: (e) => e.event.idempotencyKey,
  emitted_at: (e) => e.event.emittedAt,
  emitted_text: (e) => e.event.emittedText ?? null,
  payload: (e) => e.event.payload,
  salt: (e) => e.event.salt,
  payload_hash: (e) => e.event.payloadHash,
  link: (e) => e.event.link,
  persisted_at: (e) => e.event.persistedAt,
  state_version: (e) => e.event.stateVersion,
});

export const inbox: Columns<{ readonly runId: string; readonly message: CopiedMessage; readonly wakes: boolean }> = columnsOf({
  run_id: (i) => i.runId,
  kind: (i) => i.message.kind,
  name: (i) => i.message.name,
  id: (i) => i.message.id,
  payload: (i) => i.message.payload,
  accepted_at: (i) => i.message.acceptedAt,
  taken: (i) => i.message.taken,
  consumed: (i) => i.message.consumed,
  wakes: (i) => i.wakes,
  reply: (i) => i.message.reply,
  dedup_key: (i) => i.message.key,
});

export const accepted: Columns<AcceptedCopy> = columnsOf({
  storage_key: (a) => a.key,
  accepted_at: (a) => a.acceptedAt,
  expires_at: (a) => a.expiresAt,
  run_id: (a) => a.runId,
  inbox_id: (a) => a.inboxId,
  response: (a) => a.response,
});

export const checkpoints: Columns<CheckpointRecord> = columnsOf({
  run_id: (c) => c.runId,
  idempotency_key: (c) => c.key,
  step_id: (c) => c.stepId,
  label: (c) => c.label,
  body: (c) => c.body,
  state_version: (c) => c.stateVersion,
  persisted_at: (c) => c.persistedAt,
});

export const effects: Columns<EffectRecord> = columnsOf({
  run_id: (e) => e.runId,
  seq: (e) => e.seq,
  version: (e) => e.version,
  scope: (e) => scopeKey(e.scope),
  workflow_id: (e) => e.workflowId,
  step_id: (e) => e.stepId,
  name: (e) => e.name,
  class: (e) => e.class,
  key: (e) => e.key,
  args_digest: (e) => e.argsDigest,
  receiver: (e) => e.receiver,
  status: (e) => e.status,
  phase: (e) => e.phase,
  attempts: (e) => e.attempts,
  engine_attempts: (e) => e.engineAttempts,
  error: (e) => e.error,
  event_seq: (e) => e.eventSeq,
  created_at: (e) => e.createdAt,
  updated_at: (e) => e.updatedAt,
});
