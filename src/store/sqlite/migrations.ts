// The schema's history: an ordered list, forward only. All pending migrations run in one transaction that begins by
// taking the write lock, so that two processes cannot both migrate and nobody ever sees half a schema. schema.sql is
// the dump of the result (kept equal by a test). A published migration is never edited.
import type { Platform } from "../../platform/platform.ts";
import { admissionOf, checkAdmitted, type FormatStep } from "../sql/formats.ts";
import type { Connection } from "./wire/driver.ts";

export interface Migration extends FormatStep {
  readonly statements: readonly string[];
}

const initial: Migration = {
  format: 1,
  statements: [
    `create table pawl_meta (
  one integer primary key check (one = 1),
  format integer not null,
  oldest_reader integer not null,
  oldest_writer integer not null,
  incarnation integer not null,
  store_id text not null,
  identity text not null
) strict`,
    `create table pawl_engines (
  engine_id text primary key,
  lease_until integer not null,
  dead integer not null,
  serves text not null
) strict, without rowid`,
    `create table pawl_runs (
  run_id text primary key,
  scope text not null,
  workflow_id text not null,
  generation integer not null,
  workflow text not null,
  version text not null,
  status text not null,
  waiting text,
  owner text,
  epoch integer not null,
  token text not null,
  state_version integer not null,
  commit_id text not null,
  head_seq integer not null,
  head_link text not null,
  persisted_at integer not null,
  due_at integer,
  created_at integer not null,
  deadline_at integer,
  tags text not null,
  input_digest text not null,
  idempotency_key text,
  original_run_id text,
  root_run_id text not null,
  parent_run_id text,
  parent_step_id text,
  idle_claims integer not null,
  exact_version integer not null
) strict, without rowid`,
    `create unique index pawl_runs_generation on pawl_runs (scope, workflow_id, generation)`,
    `create unique index pawl_runs_start_key on pawl_runs (scope, idempotency_key) where idempotency_key is not null`,
    // The claim's index: settled runs are never due, so they are not in it, and a sleeping run is behind the due ones.
    `create index pawl_runs_due on pawl_runs (owner, scope, workflow, version, due_at) where due_at is not null`,
    `create index pawl_runs_newest on pawl_runs (scope, created_at, run_id)`,
    `create index pawl_runs_parent on pawl_runs (parent_run_id) where parent_run_id is not null`,
    `create table pawl_events (
  run_id text not null,
  run_seq integer not null,
  event_id text not null,
  event_type text not null,
  step_id text,
  logical_attempt_id integer not null,
  engine_attempt_id integer not null,
  idempotency_key text not null,
  emitted_at integer not null,
  payload text,
  salt text,
  payload_hash text,
  link text not null,
  persisted_at integer not null,
  state_version integer not null,
  primary key (run_id, run_seq)
) strict, without rowid`,
    `create unique index pawl_events_key on pawl_events (run_id, idempotency_key)`,
    `create table pawl_inbox (
  inbox_id integer primary key autoincrement,
  run_id text not null,
  kind text not null,
  name text not null,
  id text not null,
  payload text,
  accepted_at integer not null,
  taken integer not null,
  consumed integer not null,
  wakes integer not null,
  reply text,
  dedup_key text
) strict`,
    `create index pawl_inbox_run on pawl_inbox (run_id, inbox_id)`,
    // wakes = untaken, and its run not settled: a row that wakes nobody costs a claim nothing.
    `create index pawl_inbox_wakes on pawl_inbox (run_id, kind, name) where wakes = 1`,
    `create unique index pawl_inbox_dedup on pawl_inbox (dedup_key) where dedup_key is not null`,
    `create table pawl_accepted (
  storage_key text primary key,
  accepted_at integer not null,
  expires_at integer,
  run_id text not null,
  inbox_id integer not null
) strict, without rowid`,
    `create table pawl_views (
  run_id text not null,
  name text not null,
  value text not null,
  primary key (run_id, name)
) strict, without rowid`,
  ],
};

/** Additive: code of format 1 does not see it, and may go on beside this one. */
const checkpoints: Migration = {
  format: 2,
  statements: [
    `create table pawl_checkpoints (
  run_id text not null,
  idempotency_key text not null,
  step_id integer not null,
  label text,
  body text not null,
  state_version integer not null,
  persisted_at integer not null,
  primary key (run_id, idempotency_key)
) strict`,
    `create unique index pawl_checkpoints_step on pawl_checkpoints (run_id, step_id)`,
  ],
};

/** The ledger of effects, and a way to the few runs that wait for a person. Additive as well: the log stays the truth. */
const ledger: Migration = {
  format: 3,
  statements: [
    `create table pawl_effects (
  run_id text not null,
  seq integer not null,
  version integer not null,
  scope text not null,
  workflow_id text not null,
  step_id text not null,
  name text not null,
  class text not null,
  key text,
  args_digest text,
  status text not null,
  phase text not null,
  attempts integer not null,
  engine_attempts integer not null,
  error text,
  event_seq integer not null,
  created_at integer not null,
  updated_at integer not null,
  primary key (run_id, seq)
) strict, without rowid`,
    `create index pawl_effects_key on pawl_effects (scope, key) where key is not null`,
    `create index pawl_effects_doubt on pawl_effects (scope) where phase = 'doubt'`,
    `create index pawl_runs_decision on pawl_runs (scope, created_at) where waiting = 'decision'`,
  ],
};

/** For those who read the log (shelf.ts). The triggers that write the feed come with the first consumer and go with the last. */
const readers: Migration = {
  format: 4,
  statements: [
    `alter table pawl_runs add column origin text not null default 'engine'`,
    `alter table pawl_runs add column expired_at integer`,
    `alter table pawl_runs add column purged_at integer`,
    `alter table pawl_effects add column receiver text`,
    `create index pawl_effects_receiver on pawl_effects (scope, receiver) where receiver is not null`,
    `create table pawl_shelves (
  shelf text not null,
  key text not null,
  value text not null,
  version integer not null,
  at integer not null,
  primary key (shelf, key)
) strict, without rowid`,
    `create table pawl_consumers (
  consumer_id integer primary key autoincrement,
  scope text not null,
  name text not null,
  joined_at integer not null,
  unique (scope, name)
) strict`,
    `create table pawl_feed (
  position integer primary key autoincrement,
  consumer_id integer not null,
  run_id text not null,
  head_seq integer not null
) strict`,
    `create index pawl_feed_consumer on pawl_feed (consumer_id, position)`,
    // Retention asks whether somebody has still to see a run.
    `create index pawl_feed_run on pawl_feed (run_id)`,
  ],
};

/**
 * Events and effects are written side by side for many runs at once, and are wide rows: as tables of rows in the order they came,
 * a group commit touches half as many pages as when each run's lie together. Nothing else changes, so code of earlier formats
 * goes on beside this one.
 */
const inOrderOfWriting: Migration = {
  format: 5,
  statements: [
    ...rewritten(
      "pawl_events",
      `run_id text not null,
  run_seq integer not null,
  event_id text not null,
  event_type text not null,
  step_id text,
  logical_attempt_id integer not null,
  engine_attempt_id integer not null,
  idempotency_key text not null,
  emitted_at integer not null,
  payload text,
  salt text,
  payload_hash text,
  link text not null,
  persisted_at integer not null,
  state_version integer not null,
  primary key (run_id, run_seq)`,
    ),
    `create unique index pawl_events_key on pawl_events (run_id, idempotency_key)`,
    ...rewritten(
      "pawl_effects",
      `run_id text not null,
  seq integer not null,
  version integer not null,
  scope text not null,
  workflow_id text not null,
  step_id text not null,
  name text not null,
  class text not null,
  key text,
  args_digest text,
  status text not null,
  phase text not null,
  attempts integer not null,
  engine_attempts integer not null,
  error text,
  event_seq integer not null,
  created_at integer not null,
  updated_at integer not null,
  receiver text,
  primary key (run_id, seq)`,
    ),
    `create index pawl_effects_key on pawl_effects (scope, key) where key is not null`,
    `create index pawl_effects_doubt on pawl_effects (scope) where phase = 'doubt'`,
    `create index pawl_effects_receiver on pawl_effects (scope, receiver) where receiver is not null`,
  ],
};

/**
 * What the first request of a message was answered with (W-057, W-062), and a producer's own text of a time (D-035). Both are null in
 * rows of code of earlier formats, and mean then what they meant to it.
 */
const keptAsGiven: Migration = {
  format: 6,
  statements: [
    `alter table pawl_accepted add column version integer not null default 1`,
    `alter table pawl_accepted add column response text`,
    `alter table pawl_events add column emitted_text text`,
  ],
};

/** A table made again with the same columns in the same order; its indexes go with the old one. */
function rewritten(table: string, columns: string): string[] {
  return [
    `alter table ${table} rename to ${table}_before`,
    `create table ${table} (\n  ${columns}\n) strict`,
    `insert into ${table} select * from ${table}_before order by 1, 2`,
    `drop table ${table}_before`,
  ];
}

export const migrations: readonly Migration[] = [initial, checkpoints, ledger, readers, inOrderOfWriting, keptAsGiven];
/** The format that this code writes. */
export const format: number = admissionOf(migrations).format;

/** The format found; 0 = a database without Pawl's tables. */
export function formatOf(db: Connection): number {
  const known = db.prepare("select 1 as found from sqlite_schema where type = 'table' and name = 'pawl_meta'").get();
  if (known === undefined) return 0;
  const meta = db.prepare("select format, oldest_writer from pawl_meta").get();
  if (meta === undefined) return 0;
  const found = { format: Number(meta["format"]), oldestWriter: Number(meta["oldest_writer"]) };
  checkAdmitted(found, format);
  return found.format;
}

/**
 * What a migration from `from` records when all else is done. Who hands it to somebody else does not know what the file is
 * that it will be run on: without an identity, whoever opens the store first records it.
 */
export function recording(from: number, storeId: string, identity: string, list: readonly Migration[] = migrations): string[] {
  const to = admissionOf(list);
  if (from >= to.format) return [];
  if (from === 0) {
    const columns = "one, format, oldest_reader, oldest_writer, incarnation, store_id, identity";
    const values = `1, ${to.format}, ${to.oldestReader}, ${to.oldestWriter}, 1, ${quoted(storeId)}, ${quoted(identity)}`;
    return [`insert into pawl_meta (${columns}) values (${values})`];
  }
  const admits = `format = ${to.format}, oldest_reader = ${to.oldestReader}, oldest_writer = ${to.oldestWriter}`;
  // W-116: who may not write any more must not go on owning; whoever still may enlists again.
  const dead = to.oldestWriter > from ? ["update pawl_engines set dead = 1"] : [];
  return [...dead, `update pawl_meta set ${admits}`];
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Inside a transaction that holds the write lock: brings the schema to this code's format. */
export function migrate(db: Connection, platform: Platform, identity: string, list: readonly Migration[] = migrations): void {
  const from = formatOf(db);
  let n = 0;
  for (const m of list) {
    for (const statement of m.statements) {
      n++;
      if (m.format <= from) continue;
      platform.hit(`engine:migrate:${n}`);
      db.exec(statement);
    }
  }
  for (const statement of recording(from, platform.uuidV4(), identity, list)) db.exec(statement);
  platform.hit(`engine:migrate:${n + 1}`);
}
