// The schema of SQLite as a list of statements for each format, and the file as a place where they run: in one transaction that
// begins by taking the write lock, so that nobody ever sees half a schema. schema.sql is the dump of the result (kept equal
// by a test). How migrations run is no matter of this file (sql/migrate.ts).
import { PawlError } from "../../errors/error.ts";
import type { Platform } from "../../platform/platform.ts";
import { admissionOf } from "../sql/formats.ts";
import type { Migration, MigrationTarget } from "../sql/migrate.ts";
import { storeError } from "./errors.ts";
import type { Connection } from "./wire/driver.ts";
import { type Mutex, retryWhileBusy, rollback } from "./wire/writer.ts";

/** The first format that is upgraded. Those before it were never released. */
const base: Migration = {
  format: 5,
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
  exact_version integer not null,
  origin text not null default 'engine',
  expired_at integer,
  purged_at integer
) strict, without rowid`,
    `create unique index pawl_runs_generation on pawl_runs (scope, workflow_id, generation)`,
    `create unique index pawl_runs_start_key on pawl_runs (scope, idempotency_key) where idempotency_key is not null`,
    // The claim's index: settled runs are never due, so they are not in it, and a sleeping run is behind the due ones.
    `create index pawl_runs_due on pawl_runs (owner, scope, workflow, version, due_at) where due_at is not null`,
    `create index pawl_runs_newest on pawl_runs (scope, created_at, run_id)`,
    `create index pawl_runs_parent on pawl_runs (parent_run_id) where parent_run_id is not null`,
    // Events and effects are written side by side for many runs at once, and are wide rows: as tables in the order of writing, a
    // group commit touches half as many pages as when the rows of each run lie together.
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
) strict`,
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
    // The ledger of effects, and a way to the few runs that wait for a person. Derived: the log stays the truth.
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
  receiver text,
  primary key (run_id, seq)
) strict`,
    `create index pawl_effects_key on pawl_effects (scope, key) where key is not null`,
    `create index pawl_effects_doubt on pawl_effects (scope) where phase = 'doubt'`,
    `create index pawl_effects_receiver on pawl_effects (scope, receiver) where receiver is not null`,
    `create index pawl_runs_decision on pawl_runs (scope, created_at) where waiting = 'decision'`,
    // For those who read the log (kv.ts). The triggers that write the feed come with the first consumer and go with the last.
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

/**
 * Why a run failed, which tenant an engine serves, who sent a message and what became of it. All are null in rows of code of earlier
 * formats. The index holds the few runs that need somebody's attention.
 */
const whoAndWhy: Migration = {
  format: 7,
  statements: [
    `alter table pawl_runs add column error_code text`,
    `alter table pawl_engines add column scope text`,
    `alter table pawl_inbox add column sent_by text`,
    `alter table pawl_inbox add column payload_digest text`,
    `alter table pawl_inbox add column rejected text`,
    `create index pawl_runs_unusual on pawl_runs (scope, created_at, run_id) where status in ('FAILED', 'CANCELLED', 'PAUSED')`,
    // The runs of one caller, newest first: a page of them is read in order, however many there are.
    `drop index pawl_runs_parent`,
    `create index pawl_runs_parent on pawl_runs (parent_run_id, created_at, run_id) where parent_run_id is not null`,
  ],
};

/**
 * Queues, what they dispatch, and snapshots of logs. Code of earlier formats would take the end of a dispatch for a signal, and settle a run
 * without its dispatches: it may not write here any more (docs/adr/0011).
 */
const queues: Migration = {
  format: 8,
  oldestWriter: 8,
  statements: [
    `create table pawl_queues (
  scope text not null,
  queue text not null,
  concurrency integer,
  rate_limit integer,
  rate_per_ms integer,
  rate_burst integer,
  tat_us integer not null default 0,
  aging_ms integer not null default 60000,
  paused text,
  version integer not null,
  primary key (scope, queue)
) strict, without rowid`,
    `create table pawl_dispatches (
  dispatch_id integer primary key autoincrement,
  scope text not null,
  run_id text not null,
  seq integer not null,
  what text not null check (what in ('run', 'verify', 'undo')),
  step_id text not null,
  attempt integer not null,
  engine_attempt integer not null,
  queue text not null,
  task text not null,
  rank_at integer not null,
  held integer not null,
  spec text not null,
  enqueued_at integer not null,
  expires_at integer,
  timeout_ms integer,
  worker text,
  token text,
  claimed_at integer,
  deadline_at integer,
  beat text,
  cancel integer not null default 0,
  check ((worker is null) = (token is null))
) strict`,
    `create unique index pawl_dispatches_seq on pawl_dispatches (run_id, seq, what)`,
    `create index pawl_dispatches_ready on pawl_dispatches (scope, queue, task, rank_at, dispatch_id) where worker is null and held = 0`,
    `create index pawl_dispatches_claimed on pawl_dispatches (scope, queue) where worker is not null`,
    `create index pawl_dispatches_held on pawl_dispatches (scope, queue) where worker is null and held = 1`,
    `create index pawl_dispatches_worker on pawl_dispatches (worker, dispatch_id) where worker is not null`,
    `create index pawl_dispatches_deadline on pawl_dispatches (deadline_at) where deadline_at is not null`,
    `create index pawl_dispatches_expires on pawl_dispatches (expires_at) where expires_at is not null and worker is null`,
    `create table pawl_snapshots (
  run_id text not null,
  at_seq integer not null,
  digest text not null,
  body text not null,
  primary key (run_id, at_seq)
) strict`,
    `alter table pawl_engines add column kind text not null default 'engine'`,
    `alter table pawl_engines add column works text`,
    // SQLite adds no constraint to a table that is there: it is written again, with the constraints on its states.
    `create table pawl_runs_checked (
  run_id text primary key,
  scope text not null,
  workflow_id text not null,
  generation integer not null,
  workflow text not null,
  version text not null,
  status text not null check (status in ('PENDING', 'RUNNING', 'PAUSED', 'COMPLETED', 'FAILED', 'CANCELLED')),
  waiting text check (waiting in ('timer', 'signal', 'child', 'retry', 'worker', 'decision', 'drain')),
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
  exact_version integer not null,
  origin text not null default 'engine',
  expired_at integer,
  purged_at integer,
  error_code text
) strict, without rowid`,
    `insert into pawl_runs_checked (
  run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token,
  state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags,
  input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims,
  exact_version, origin, expired_at, purged_at, error_code
) select
  run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token,
  state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags,
  input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims,
  exact_version, origin, expired_at, purged_at, error_code
from pawl_runs`,
    `drop table pawl_runs`,
    `alter table pawl_runs_checked rename to pawl_runs`,
    `create unique index pawl_runs_generation on pawl_runs (scope, workflow_id, generation)`,
    `create unique index pawl_runs_start_key on pawl_runs (scope, idempotency_key) where idempotency_key is not null`,
    `create index pawl_runs_due on pawl_runs (owner, scope, workflow, version, due_at) where due_at is not null`,
    `create index pawl_runs_newest on pawl_runs (scope, created_at, run_id)`,
    `create index pawl_runs_decision on pawl_runs (scope, created_at) where waiting = 'decision'`,
    `create index pawl_runs_unusual on pawl_runs (scope, created_at, run_id) where status in ('FAILED', 'CANCELLED', 'PAUSED')`,
    `create index pawl_runs_parent on pawl_runs (parent_run_id, created_at, run_id) where parent_run_id is not null`,
    // Who ran it, of a step that was on a queue (TX-16). A constraint of a new column may name others: it is checked against every row.
    `alter table pawl_effects add column worker text check (status in ('completed', 'failed', 'cancelled', 'timed-out', 'indeterminate')
  and phase in ('queued', 'dispatched', 'retrying', 'doubt', 'settled'))`,
    `create index pawl_effects_worker on pawl_effects (scope, worker) where worker is not null`,
  ],
};

export const migrations: readonly Migration[] = [base, keptAsGiven, whoAndWhy, queues];
/** The format that this code writes. */
export const format: number = admissionOf(migrations).format;

/** `mutex`: that of the writers of this file in this process. */
export function migrationTarget(
  db: Connection,
  platform: Platform,
  mutex?: Mutex,
  list: readonly Migration[] = migrations,
): MigrationTarget {
  const query: MigrationTarget["query"] = (text) => retryWhileBusy(platform, () => db.prepare(text).all());
  return {
    migrations: list,
    prefix: "pawl_",
    literal: (text) => `'${text.replaceAll("'", "''")}'`,
    hasMeta: async () => (await query("select 1 as found from sqlite_schema where type = 'table' and name = 'pawl_meta'")).length > 0,
    query,
    run: (statement) => retryWhileBusy(platform, () => db.exec(statement)),
    async locked(body) {
      await mutex?.lock();
      try {
        await retryWhileBusy(platform, () => db.exec("begin immediate"));
        try {
          await body();
          db.exec("commit");
        } catch (e) {
          rollback(db);
          throw e instanceof PawlError ? e : storeError(e, "statement");
        }
      } finally {
        mutex?.unlock();
      }
    },
  };
}
