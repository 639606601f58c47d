// What SQLite and Postgres have in common as dialects: texts of any length are columns and keys as they are. The columns of whole runs, each
// with its value, are what a run that comes in is written from, and the reverse of each database's rows.ts. A database that hashes long
// texts has its own, and shares the rest.
import { sha256Hex } from "../../platform/crypto/hash.ts";
import { areUnusual } from "../run-scan.ts";
import { type AcceptedCopy, columnsOf, type Columns, type Dialect, ofUnusual, type SqlParameter } from "./dialect.ts";
import { checkpointColumns, type Column, effectColumns, eventColumns, namesOf, type RowMappers, runColumns } from "./columns.ts";
import type { CheckpointRecord, EffectRecord, EventRecord, RunRow } from "../port.ts";

function fromTable<T>(columns: readonly Column<T>[]): Columns<T> {
  return { names: namesOf(columns), of: (value) => columns.map((c) => c.of(value)) };
}

const runs: Columns<RunRow> = fromTable(runColumns);

const events: Columns<{ readonly runId: string; readonly event: EventRecord }> = {
  names: `run_id, ${namesOf(eventColumns)}, persisted_at, state_version`,
  of: ({ runId, event }) => [runId, ...eventColumns.map((c) => c.of(event)), event.persistedAt, event.stateVersion],
};

type CopiedInbox = Parameters<Dialect["inbox"]["of"]>[0];

export const inboxColumns: Readonly<Record<string, (i: CopiedInbox) => SqlParameter>> = {
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
};

export const acceptedColumns: Readonly<Record<string, (a: AcceptedCopy) => SqlParameter>> = {
  storage_key: (a) => a.key,
  accepted_at: (a) => a.acceptedAt,
  expires_at: (a) => a.expiresAt,
  run_id: (a) => a.runId,
  inbox_id: (a) => a.inboxId,
  response: (a) => a.response,
};

const checkpoints: Columns<CheckpointRecord> = fromTable(checkpointColumns);

const effects: Columns<EffectRecord> = {
  names: `run_id, ${namesOf(effectColumns)}, created_at, updated_at`,
  of: (e) => [e.runId, ...effectColumns.map((c) => c.of(e)), e.createdAt, e.updatedAt],
};

type OwnMembers = "read" | "transact" | "nowMs" | "table" | "forUpdate" | "inDoubt" | "runsIndex" | "scopeBeside" | "tag";

export const textsAsTheyAre: Omit<Dialect, OwnMembers | keyof RowMappers<unknown>> = {
  runs,
  events,
  inbox: columnsOf({ ...inboxColumns, dedup_key: (i) => i.message.key }),
  accepted: columnsOf(acceptedColumns),
  checkpoints,
  effects,
  dedupColumn: "dedup_key",
  acceptedKeyColumn: "storage_key",
  keyValue: (key) => key,
  keyDigest: sha256Hex,
  scopeValue: (scope) => scope,
  keyText: (text) => text,
  kvNames: "shelf, key, value, version, at",
  kvKeyColumn: "key",
  effectKeyColumn: "key",
  comparesRows: true,
  listsStatuses: areUnusual,
  ofStatuses: () => ofUnusual,
};
