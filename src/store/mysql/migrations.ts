// The schema of MySQL and MariaDB as a list of statements for each format, and the database as a place where they run: under a
// lock of the server that dies with its session. DDL commits by itself here, so every statement is written to be run again: a
// kill between two of them is repaired by the next open. schema.sql is the dump of the result. How migrations run is no
// matter of this file (sql/migrate.ts).
import { PawlError } from "../../errors/error.ts";
import { sha256Hex } from "../../platform/crypto/hash.ts";
import { admissionOf } from "../sql/formats.ts";
import type { Migration, MigrationTarget } from "../sql/migrate.ts";
import { alreadyExists } from "./errors.ts";
import type { Connection } from "./wire/driver.ts";
import { lit } from "./wire/literal.ts";
import { transaction } from "./wire/pool.ts";

/** Another process migrates: a long list of statements on a large table takes its time. */
const migrateWaitS = 60;

export const innodb = "engine=InnoDB row_format=DYNAMIC default charset=utf8mb4 collate=utf8mb4_bin";

// Whatever is compared is varbinary: bytes, no case, no padding ('a' and 'a ' are two ids), the same on every server.
// What a key cannot hold is hashed (literal.ts), its text kept in long_texts.
/** The first format that is upgraded. Those before it were never released. */
const base: Migration = {
  format: 5,
  statements: [
    // feed: whether the triggers are there. A user without the right to create some may not see them either.
    `create table if not exists {p}meta (
  one tinyint not null,
  format int not null,
  oldest_reader int not null,
  oldest_writer int not null,
  incarnation int not null,
  store_id varchar(64) not null,
  identity text not null,
  feed tinyint not null default 0,
  primary key (one)
) ${innodb}`,
    `create table if not exists {p}engines (
  engine_id varbinary(512) not null,
  lease_until bigint not null,
  renewed_at bigint not null,
  session_boot bigint,
  dead tinyint not null,
  serves longtext not null,
  primary key (engine_id)
) ${innodb}`,
    // due: the claim's index, with the run's id behind it as in every index; a run without a due time stands before those
    // that have one, so a range of due times never meets a settled run.
    `create table if not exists {p}runs (
  run_id varbinary(512) not null,
  scope varbinary(255) not null,
  workflow_id varbinary(512) not null,
  generation int not null,
  workflow varbinary(512) not null,
  version varbinary(512) not null,
  status varbinary(16) not null,
  waiting varbinary(16),
  owner varbinary(512),
  epoch bigint not null,
  token varbinary(512) not null,
  state_version bigint not null,
  commit_id blob not null,
  head_seq bigint not null,
  head_link blob not null,
  persisted_at bigint not null,
  due_at bigint,
  created_at bigint not null,
  deadline_at bigint,
  tags mediumtext not null,
  input_digest text not null,
  idempotency_key varbinary(512),
  original_run_id varbinary(512),
  root_run_id varbinary(512) not null,
  parent_run_id varbinary(512),
  parent_step_id mediumtext,
  idle_claims int not null,
  exact_version tinyint not null,
  long_texts mediumtext,
  origin varbinary(16) not null default 'engine',
  expired_at bigint,
  purged_at bigint,
  primary key (run_id),
  unique key generation (scope, workflow_id, generation),
  unique key start_key (scope, idempotency_key),
  key due (owner, scope, workflow, version, due_at),
  key newest (scope, created_at, run_id),
  key parent (parent_run_id),
  key decision (scope, waiting)
) ${innodb}`,
    `create table if not exists {p}events (
  run_id varbinary(512) not null,
  run_seq bigint not null,
  event_id varchar(512) not null,
  event_type varchar(512) not null,
  step_id mediumtext,
  logical_attempt_id int not null,
  engine_attempt_id int not null,
  idempotency_key varbinary(512) not null,
  emitted_at bigint not null,
  payload longtext,
  salt varchar(512),
  payload_hash varchar(512),
  link varchar(512) not null,
  persisted_at bigint not null,
  state_version bigint not null,
  primary key (run_id, run_seq),
  unique key idempotency (run_id, idempotency_key)
) ${innodb}`,
    // wakes = untaken, and its run not settled; control = pause, resume or terminate, which need no code of the workflow.
    `create table if not exists {p}inbox (
  inbox_id bigint not null auto_increment,
  run_id varbinary(512) not null,
  kind varbinary(16) not null,
  name mediumtext not null,
  id mediumtext not null,
  payload longtext,
  accepted_at bigint not null,
  taken tinyint not null,
  consumed tinyint not null,
  wakes tinyint not null,
  control tinyint not null,
  reply longtext,
  dedup_hash binary(64),
  primary key (inbox_id),
  unique key dedup (dedup_hash),
  key of_run (run_id, inbox_id),
  key wakes (wakes, run_id, control)
) ${innodb}`,
    `create table if not exists {p}accepted (
  key_hash binary(64) not null,
  storage_key mediumtext not null,
  accepted_at bigint not null,
  expires_at bigint,
  run_id varbinary(512) not null,
  inbox_id bigint not null,
  primary key (key_hash),
  key of_inbox (inbox_id)
) ${innodb}`,
    `create table if not exists {p}views (
  run_id varbinary(512) not null,
  name varbinary(512) not null,
  value longtext not null,
  primary key (run_id, name)
) ${innodb}`,
    `create table if not exists {p}checkpoints (
  run_id varbinary(512) not null,
  idempotency_key varbinary(512) not null,
  step_id bigint not null,
  label mediumtext,
  body longtext not null,
  state_version bigint not null,
  persisted_at bigint not null,
  primary key (run_id, idempotency_key),
  unique key step (run_id, step_id)
) ${innodb}`,
    // The ledger of effects. Derived: the log stays the truth.
    `create table if not exists {p}effects (
  run_id varbinary(512) not null,
  seq bigint not null,
  version int not null,
  scope varbinary(255) not null,
  workflow_id mediumtext not null,
  step_id mediumtext not null,
  name varbinary(512) not null,
  class varbinary(16) not null,
  effect_key varbinary(512),
  args_digest varchar(512),
  status varbinary(16) not null,
  phase varbinary(16) not null,
  attempts int not null,
  engine_attempts int not null,
  error longtext,
  event_seq bigint not null,
  created_at bigint not null,
  updated_at bigint not null,
  receiver varbinary(512),
  primary key (run_id, seq),
  key by_key (scope, effect_key),
  key by_phase (scope, phase),
  key by_receiver (scope, receiver)
) ${innodb}`,
    // For those who read the log (kv.ts). The triggers that write the feed come with the first consumer and go with the last.
    `create table if not exists {p}shelves (
  shelf varbinary(512) not null,
  shelf_key varbinary(512) not null,
  value longtext not null,
  version bigint not null,
  put_at bigint not null,
  primary key (shelf, shelf_key)
) ${innodb}`,
    // filled: whether the runs that were there when it joined have been laid out for it, if it asked for them.
    `create table if not exists {p}consumers (
  consumer_id bigint not null auto_increment,
  scope varbinary(255) not null,
  name varbinary(128) not null,
  joined_at bigint not null,
  filled tinyint not null,
  primary key (consumer_id),
  unique key by_name (scope, name)
) ${innodb}`,
    `create table if not exists {p}feed (
  position bigint not null auto_increment,
  consumer_id bigint not null,
  run_id varbinary(512) not null,
  head_seq bigint not null,
  primary key (position),
  key of_consumer (consumer_id, position),
  key of_run (run_id)
) ${innodb}`,
  ],
};

/**
 * What the first request of a message was answered with (W-057, W-062), and a producer's own text of a time (D-035). Both are null in
 * rows of code of earlier formats, and mean then what they meant to it.
 */
const keptAsGiven: Migration = {
  format: 6,
  statements: [
    `alter table {p}accepted add column version bigint not null default 1, add column response longtext`,
    `alter table {p}events add column emitted_text varbinary(64)`,
  ],
};

/**
 * Why a run failed, which tenant an engine serves, who sent a message and what became of it. All are null in rows of code of earlier
 * formats. by_status lists the runs of one status, newest first; there are no partial indexes here.
 */
const whoAndWhy: Migration = {
  format: 7,
  statements: [
    `alter table {p}runs add column error_code varbinary(1024)`,
    `alter table {p}runs add key by_status (scope, status, created_at, run_id)`,
    // The runs of one caller, newest first: a page of them is read in order, however many there are.
    `alter table {p}runs drop key parent, add key parent (parent_run_id, created_at, run_id)`,
    `alter table {p}engines add column scope text`,
    `alter table {p}inbox add column sent_by text, add column payload_digest varbinary(64), add column rejected mediumtext`,
  ],
};

/**
 * Steps that run on a queue (queue-store.ts), workers among the engines, and what a log folds to (Snapshot in records.ts). There are no
 * partial indexes here: `state` says whether a dispatch is ready (0), held (1) or claimed (2), and stands in the claim's index.
 */
const queuesAndSnapshots: Migration = {
  format: 8,
  // Older code would settle a run and leave its dispatches behind.
  oldestWriter: 8,
  statements: [
    `create table if not exists {p}queues (
  scope varbinary(255) not null,
  queue varbinary(128) not null,
  concurrency bigint,
  rate_limit bigint,
  rate_per_ms bigint,
  rate_burst bigint,
  tat_us bigint not null default 0,
  aging_ms bigint not null default 60000,
  paused text,
  version bigint not null,
  primary key (scope, queue)
) ${innodb}`,
    // long_task: the task's text where its column holds a hash.
    `create table if not exists {p}dispatches (
  dispatch_id bigint not null auto_increment,
  scope varbinary(255) not null,
  run_id varbinary(512) not null,
  seq bigint not null,
  what varbinary(16) not null,
  step_id mediumtext not null,
  attempt int not null,
  engine_attempt int not null,
  queue varbinary(128) not null,
  task varbinary(512) not null,
  long_task mediumtext,
  rank_at bigint not null,
  held tinyint not null,
  spec longtext not null,
  enqueued_at bigint not null,
  expires_at bigint,
  timeout_ms bigint,
  worker varbinary(512),
  token varbinary(512),
  claimed_at bigint,
  deadline_at bigint,
  beat longtext,
  cancel tinyint not null default 0,
  state tinyint as (case when worker is not null then 2 when held = 1 then 1 else 0 end) stored,
  primary key (dispatch_id),
  unique key of_run (run_id, seq, what),
  key ready (scope, queue, state, task, rank_at, dispatch_id),
  key of_worker (worker, dispatch_id),
  key deadline (deadline_at),
  key expires (state, expires_at),
  constraint {p}dispatches_what check (what in ('run', 'verify', 'undo')),
  constraint {p}dispatches_claim check ((worker is null) = (token is null))
) ${innodb}`,
    `create table if not exists {p}snapshots (
  run_id varbinary(512) not null,
  at_seq bigint not null,
  digest varbinary(512) not null,
  body longtext not null,
  primary key (run_id, at_seq)
) ${innodb}`,
    `alter table {p}engines add column kind varbinary(16) not null default 'engine', add column works mediumtext`,
    // Who ran it, of a step that was on a queue (TX-16).
    `alter table {p}effects add column worker varbinary(512), add key by_worker (scope, worker),
  add constraint {p}effects_state check (status in ('completed', 'failed', 'cancelled', 'timed-out', 'indeterminate')
    and phase in ('queued', 'dispatched', 'retrying', 'doubt', 'settled'))`,
    `alter table {p}runs
  add constraint {p}runs_status check (status in ('PENDING', 'RUNNING', 'PAUSED', 'COMPLETED', 'FAILED', 'CANCELLED')),
  add constraint {p}runs_waiting check (waiting in ('timer', 'signal', 'child', 'retry', 'worker', 'decision', 'drain'))`,
  ],
};

export const migrations: readonly Migration[] = [base, keptAsGiven, whoAndWhy, queuesAndSnapshots];
/** The format that this code writes. */
export const format: number = admissionOf(migrations).format;

export function migrationTarget(
  db: Connection,
  prefix: string,
  database: string,
  list: readonly Migration[] = migrations,
): MigrationTarget {
  return {
    migrations: list,
    prefix,
    literal: lit,
    async hasMeta() {
      const name = lit(`${prefix}meta`);
      const text = `select 1 as found from information_schema.tables where table_schema = database() and table_name = ${name}`;
      return (await db.query(text)).rows.length > 0;
    },
    query: async (text) => (await db.query(text)).rows,
    run: (statement) =>
      db.query(statement, migrateWaitS * 1000).catch((e: unknown) => {
        if (!alreadyExists(e)) throw e; // a kill before the format was recorded: the index or column exists already
      }),
    locked: (body) => behindLock(db, prefix, database, body),
    async together(body) {
      await db.query("start transaction");
      await transaction(db, body);
    },
  };
}

/** Holds the lock of these tables: who makes some takes turns. It dies with its session. */
export async function behindLock(db: Connection, prefix: string, database: string, body: () => Promise<void>): Promise<void> {
  const name = lit(`pawl_migrate_${sha256Hex(`${database}/${prefix}`).slice(0, 40)}`);
  const got = (await db.query(`select get_lock(${name}, ${migrateWaitS}) as got`, (migrateWaitS + 5) * 1000)).rows[0]?.["got"];
  if (Number(got) !== 1)
    throw new PawlError(
      "PAWL3001",
      "mysql: another process has been migrating this store for more than a minute; try again when it has finished",
    );
  try {
    await body();
  } finally {
    // An error above left a transaction behind; ending it twice does no harm.
    if (!db.lost) await db.query("rollback");
    if (!db.lost) await db.query(`do release_lock(${name})`);
  }
}
