// The columns that SQLite and Postgres have in common for whole runs, each with its value: what a run that comes in is written
// from. The reverse of each database's rows.ts. A database that keeps long texts elsewhere has its own.
import { type AcceptedCopy, columnsOf, type Columns } from "./dialect.ts";
import type { CopiedMessage } from "../archive.ts";
import { checkpointColumns, type Column, effectColumns, eventColumns, namesOf, runColumns } from "./columns.ts";
import type { CheckpointRecord, EffectRecord, EventRecord, RunRow } from "../port.ts";

function fromTable<T>(columns: readonly Column<T>[]): Columns<T> {
  return { names: namesOf(columns), of: (value) => columns.map((c) => c.of(value)) };
}

const runs: Columns<RunRow> = fromTable(runColumns);

const events: Columns<{ readonly runId: string; readonly event: EventRecord }> = {
  names: `run_id, ${namesOf(eventColumns)}, persisted_at, state_version`,
  of: ({ runId, event }) => [runId, ...eventColumns.map((c) => c.of(event)), event.persistedAt, event.stateVersion],
};

const inbox: Columns<{ readonly runId: string; readonly message: CopiedMessage; readonly wakes: boolean }> = columnsOf({
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
  sent_by: (i) => i.message.by,
  payload_digest: (i) => i.message.payloadDigest,
  rejected: (i) => i.message.rejected,
  dedup_key: (i) => i.message.key,
});

const accepted: Columns<AcceptedCopy> = columnsOf({
  storage_key: (a) => a.key,
  accepted_at: (a) => a.acceptedAt,
  expires_at: (a) => a.expiresAt,
  run_id: (a) => a.runId,
  inbox_id: (a) => a.inboxId,
  response: (a) => a.response,
});

const checkpoints: Columns<CheckpointRecord> = fromTable(checkpointColumns);

const effects: Columns<EffectRecord> = {
  names: `run_id, ${namesOf(effectColumns)}, created_at, updated_at`,
  of: (e) => [e.runId, ...effectColumns.map((c) => c.of(e)), e.createdAt, e.updatedAt],
};

export const archiveColumns: {
  readonly runs: typeof runs;
  readonly events: typeof events;
  readonly inbox: typeof inbox;
  readonly accepted: typeof accepted;
  readonly checkpoints: typeof checkpoints;
  readonly effects: typeof effects;
} = { runs, events, inbox, accepted, checkpoints, effects };
