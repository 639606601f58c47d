// The columns that SQLite and Postgres have in common for whole runs, with their values: what a run that comes in is written
// from. The reverse of each database's rows.ts. A database that keeps long texts elsewhere has its own.
import type { Columns } from "./archive-sql.ts";
import type { CopiedMessage } from "./archive.ts";
import { scopeKey } from "./keys.ts";
import type { CheckpointRecord, EffectRecord, EventRecord, RunRow } from "./port.ts";

export const runs: Columns<RunRow> = {
  names:
    "run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, " +
    "head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, " +
    "root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, origin, expired_at, purged_at",
  of: (r) => [
    ...[r.runId, scopeKey(r.scope), r.workflowId, r.generation, r.workflow, r.version, r.status, r.waiting, r.owner],
    ...[r.fence.epoch, r.fence.token, r.stateVersion, r.commitId, r.headSeq, r.headLink, r.persistedAt, r.dueAt, r.createdAt],
    ...[r.deadlineAt, JSON.stringify(r.tags), r.inputDigest, r.idempotencyKey, r.originalRunId, r.rootRunId, r.parentRunId],
    ...[r.parentStepId, r.idleClaims, r.exactVersion, r.origin, r.expiredAt, r.purgedAt],
  ],
};

export const eventNames =
  "run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, " +
  "link, persisted_at, state_version";

export const events: Columns<{ readonly runId: string; readonly event: EventRecord }> = {
  names: eventNames,
  of: ({ runId, event: e }) => [
    ...[runId, e.runSeq, e.eventId, e.eventType, e.stepId, e.logicalAttemptId, e.engineAttemptId, e.idempotencyKey, e.emittedAt],
    ...[e.payload, e.salt, e.payloadHash, e.link, e.persistedAt, e.stateVersion],
  ],
};

export const inbox: Columns<{ readonly runId: string; readonly message: CopiedMessage; readonly wakes: boolean }> = {
  names: "run_id, kind, name, id, payload, accepted_at, taken, consumed, wakes, reply, dedup_key",
  of: ({ runId, message: m, wakes }) => [
    ...[runId, m.kind, m.name, m.id, m.payload, m.acceptedAt, m.taken, m.consumed, wakes, m.reply, m.key],
  ],
};

export const accepted: Columns<{
  readonly runId: string;
  readonly inboxId: number;
  readonly key: string;
  readonly message: CopiedMessage;
}> = {
  names: "storage_key, accepted_at, expires_at, run_id, inbox_id",
  of: ({ runId, inboxId, key, message: m }) => [key, m.accepted?.acceptedAt ?? 0, m.accepted?.expiresAt ?? null, runId, inboxId],
};

export const checkpoints: Columns<CheckpointRecord> = {
  names: "run_id, idempotency_key, step_id, label, body, state_version, persisted_at",
  of: (c) => [c.runId, c.key, c.stepId, c.label, c.body, c.stateVersion, c.persistedAt],
};

export const effects: Columns<EffectRecord> = {
  names:
    "run_id, seq, version, scope, workflow_id, step_id, name, class, key, args_digest, status, phase, attempts, engine_attempts, error, " +
    "event_seq, created_at, updated_at",
  of: (e) => [
    ...[e.runId, e.seq, e.version, scopeKey(e.scope), e.workflowId, e.stepId, e.name, e.class, e.key, e.argsDigest, e.status, e.phase],
    ...[e.attempts, e.engineAttempts, e.error, e.eventSeq, e.createdAt, e.updatedAt],
  ],
};
