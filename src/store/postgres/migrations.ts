// The schema of Postgres as a list of statements for each format, and the database as a place where they run: in one transaction
// that begins by taking an advisory lock, so that nobody ever sees half a schema. schema.sql is the dump of the result
// (kept equal by a test). How migrations run is no matter of this file (sql/migrate.ts).
import { admissionOf } from "../sql/formats.ts";
import type { Migration, MigrationTarget } from "../sql/migrate.ts";
import { lockKey } from "./wire/address.ts";
import type { Connection } from "./wire/driver.ts";

/** Ids compare as bytes, whatever the database's locale. */
const id = 'text collate "C"';

/** The first format that is upgraded. Those before it were never released. */
const base: Migration = {
  format: 5,
  statements: [
    `create table {p}meta (
  one boolean primary key check (one),
  format integer not null,
  oldest_reader integer not null,
  oldest_writer integer not null,
  incarnation integer not null,
  store_id text not null,
  identity text not null
)`,
    // Each engine rewrites its row several times a second: half of every page is kept free, so that it stays where it is.
    `create table {p}engines (
  engine_id ${id} primary key,
  lease_until bigint not null,
  dead boolean not null,
  serves text not null,
  renewed_at bigint not null,
  lock_key bigint,
  lock_server bigint
) with (fillfactor = 50)`,
    // A step rewrites columns that no index holds, and pages keep room for the new version: such updates touch no index.
    `create table {p}runs (
  run_id ${id} primary key,
  scope ${id} not null,
  workflow_id ${id} not null,
  generation integer not null,
  workflow ${id} not null,
  version ${id} not null,
  status text not null,
  waiting text,
  owner ${id},
  epoch bigint not null,
  token text not null,
  state_version bigint not null,
  commit_id text not null,
  head_seq bigint not null,
  head_link text not null,
  persisted_at bigint not null,
  due_at bigint,
  created_at bigint not null,
  deadline_at bigint,
  tags text not null,
  input_digest text not null,
  idempotency_key ${id},
  original_run_id text,
  root_run_id text not null,
  parent_run_id ${id},
  parent_step_id text,
  idle_claims integer not null,
  exact_version boolean not null,
  origin text not null default 'engine',
  expired_at bigint,
  purged_at bigint
) with (fillfactor = 60)`,
    `create unique index runs_generation on {p}runs (scope, workflow_id, generation)`,
    `create unique index runs_start_key on {p}runs (scope, idempotency_key) where idempotency_key is not null`,
    // The claim's index: settled runs are never due, so they are not in it, and a sleeping run is behind the due ones.
    `create index runs_due on {p}runs (owner, scope, workflow, version, due_at, run_id) where due_at is not null`,
    `create index runs_newest on {p}runs (scope, created_at, run_id)`,
    `create index runs_parent on {p}runs (parent_run_id) where parent_run_id is not null`,
    `create table {p}events (
  run_id ${id} not null,
  run_seq bigint not null,
  event_id text not null,
  event_type text not null,
  step_id text,
  logical_attempt_id integer not null,
  engine_attempt_id integer not null,
  idempotency_key ${id} not null,
  emitted_at bigint not null,
  payload text,
  salt text,
  payload_hash text,
  link text not null,
  persisted_at bigint not null,
  state_version bigint not null,
  constraint events_pkey primary key (run_id, run_seq)
)`,
    `create unique index events_key on {p}events (run_id, idempotency_key)`,
    `create table {p}inbox (
  inbox_id bigint generated always as identity primary key,
  run_id ${id} not null,
  kind text not null,
  name text not null,
  id text not null,
  payload text,
  accepted_at bigint not null,
  taken boolean not null,
  consumed boolean not null,
  wakes boolean not null,
  reply text,
  dedup_key ${id}
)`,
    `create index inbox_run on {p}inbox (run_id, inbox_id)`,
    // wakes = untaken, and its run not known to be settled: a row that wakes nobody costs a claim nothing.
    `create index inbox_wakes on {p}inbox (run_id, kind, name) where wakes`,
    `create unique index inbox_dedup on {p}inbox (dedup_key) where dedup_key is not null`,
    `create table {p}accepted (
  storage_key ${id} primary key,
  accepted_at bigint not null,
  expires_at bigint,
  run_id text not null,
  inbox_id bigint not null
)`,
    `create table {p}views (
  run_id ${id} not null,
  name ${id} not null,
  value text not null,
  primary key (run_id, name)
)`,
    `create table {p}checkpoints (
  run_id ${id} not null,
  idempotency_key ${id} not null,
  step_id bigint not null,
  label text,
  body text not null,
  state_version bigint not null,
  persisted_at bigint not null,
  constraint checkpoints_pkey primary key (run_id, idempotency_key)
)`,
    `create unique index checkpoints_step on {p}checkpoints (run_id, step_id)`,
    // The ledger of effects, and a way to the few runs that wait for a person. Derived: the log stays the truth. A record is written
    // at its start and again at its outcome, in columns that no index holds. What an index's condition reads counts as held:
    // in_doubt changes only for the few that come into doubt, where `phase` changes with every outcome.
    `create table {p}effects (
  run_id ${id} not null,
  seq bigint not null,
  version integer not null,
  scope ${id} not null,
  workflow_id text not null,
  step_id text not null,
  name text not null,
  class text not null,
  key ${id},
  args_digest text,
  status text not null,
  phase text not null,
  attempts integer not null,
  engine_attempts integer not null,
  error text,
  event_seq bigint not null,
  created_at bigint not null,
  updated_at bigint not null,
  receiver ${id},
  in_doubt boolean generated always as (phase = 'doubt') stored,
  constraint effects_pkey primary key (run_id, seq)
) with (fillfactor = 80)`,
    `create index effects_key on {p}effects (scope, key) where key is not null`,
    `create index effects_doubt on {p}effects (scope) where in_doubt`,
    `create index effects_receiver on {p}effects (scope, receiver) where receiver is not null`,
    `create index runs_decision on {p}runs (scope, created_at) where waiting = 'decision'`,
    // For those who read the log (kv.ts). The triggers that call feed_row come with the first consumer and go with the last.
    `create table {p}shelves (
  shelf ${id} not null,
  key ${id} not null,
  value text not null,
  version bigint not null,
  at bigint not null,
  constraint shelves_pkey primary key (shelf, key)
) with (fillfactor = 80)`,
    // filled: whether the runs that were there when it joined have been laid out for it, if it asked for them.
    `create table {p}consumers (
  consumer_id bigint generated always as identity primary key,
  scope ${id} not null,
  name ${id} not null,
  joined_at bigint not null,
  filled boolean not null,
  constraint consumers_name unique (scope, name)
)`,
    // No index by position alone: what waits for one consumer must never be looked for among what waits for all.
    `create table {p}feed (
  position bigint generated always as identity,
  consumer_id bigint not null,
  run_id ${id} not null,
  head_seq bigint not null,
  constraint feed_pkey primary key (consumer_id, position)
)`,
    // Retention asks whether somebody has still to see a run.
    `create index feed_run on {p}feed (run_id)`,
    // With the rights of the tables' owner: who may write a run need not know that somebody reads along.
    `create function {p}feed_row() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as ` +
      `$$ begin insert into {p}feed (consumer_id, run_id, head_seq) ` +
      `select c.consumer_id, new.run_id, new.head_seq from {p}consumers c where c.scope = new.scope; return null; end $$`,
  ],
};

/**
 * What the first request of a message was answered with (W-057, W-062), and a producer's own text of a time (D-035). Both are null in
 * rows of code of earlier formats, and mean then what they meant to it.
 */
const keptAsGiven: Migration = {
  format: 6,
  statements: [
    `alter table {p}accepted add column version bigint not null default 1`,
    `alter table {p}accepted add column response text`,
    `alter table {p}events add column emitted_text text`,
  ],
};

/**
 * Why a run failed, which tenant an engine serves, who sent a message and what became of it. All are null in rows of code of earlier
 * formats. The index holds the few runs that need somebody's attention.
 */
const whoAndWhy: Migration = {
  format: 7,
  statements: [
    `alter table {p}runs add column error_code text`,
    `alter table {p}engines add column scope ${id}`,
    `alter table {p}inbox add column sent_by text`,
    `alter table {p}inbox add column payload_digest text`,
    `alter table {p}inbox add column rejected text`,
    `create index runs_unusual on {p}runs (scope, created_at, run_id) where status in ('FAILED', 'CANCELLED', 'PAUSED')`,
    // The runs of one caller, newest first: a page of them is read in order, however many there are.
    `drop index {p}runs_parent`,
    `create index runs_parent on {p}runs (parent_run_id, created_at, run_id) where parent_run_id is not null`,
  ],
};

/**
 * Steps that run on a queue (queue-store.ts), workers among the engines, and what a log folds to (Snapshot in records.ts). Dispatches come
 * and go all day: pages keep room for a beat, and the dead are cleared away early.
 */
const queuesAndSnapshots: Migration = {
  format: 8,
  // Older code would settle a run and leave its dispatches behind.
  oldestWriter: 8,
  statements: [
    `create table {p}queues (
  scope ${id} not null,
  queue ${id} not null,
  concurrency bigint,
  rate_limit bigint,
  rate_per_ms bigint,
  rate_burst bigint,
  tat_us bigint not null default 0,
  aging_ms bigint not null default 60000,
  paused text,
  version bigint not null,
  constraint queues_pkey primary key (scope, queue)
) with (fillfactor = 50)`,
    `create table {p}dispatches (
  dispatch_id bigint generated always as identity primary key,
  scope ${id} not null,
  run_id ${id} not null,
  seq bigint not null,
  what text not null constraint dispatches_what check (what in ('run', 'verify', 'undo')),
  step_id text not null,
  attempt integer not null,
  engine_attempt integer not null,
  queue ${id} not null,
  task ${id} not null,
  rank_at bigint not null,
  held boolean not null,
  spec text not null,
  enqueued_at bigint not null,
  expires_at bigint,
  timeout_ms bigint,
  worker ${id},
  token text,
  claimed_at bigint,
  deadline_at bigint,
  beat text,
  cancel boolean not null default false,
  constraint dispatches_claim check ((worker is null) = (token is null))
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02)`,
    `create unique index dispatches_seq on {p}dispatches (run_id, seq, what)`,
    // The claim's index: by task, so that rows which nobody here can run are never stepped over.
    `create index dispatches_ready on {p}dispatches (scope, queue, task, rank_at, dispatch_id) where worker is null and not held`,
    // For counting. Its condition says the same in other words than the workers' index, so that neither is taken for the other while both are small.
    `create index dispatches_claimed on {p}dispatches (scope, queue) where claimed_at is not null`,
    `create index dispatches_held on {p}dispatches (scope, queue) where worker is null and held`,
    `create index dispatches_worker on {p}dispatches (worker, dispatch_id) where worker is not null`,
    `create index dispatches_deadline on {p}dispatches (deadline_at) where deadline_at is not null`,
    `create index dispatches_expires on {p}dispatches (expires_at) where expires_at is not null and worker is null`,
    `create table {p}snapshots (
  run_id ${id} not null,
  at_seq bigint not null,
  digest text not null,
  body text not null,
  constraint snapshots_pkey primary key (run_id, at_seq)
)`,
    `alter table {p}engines add column kind text not null default 'engine'`,
    `alter table {p}engines add column works text`,
    // Who ran it, of a step that was on a queue (TX-16).
    `alter table {p}effects add column worker ${id},
  add constraint effects_state check (status in ('completed', 'failed', 'cancelled', 'timed-out', 'indeterminate')
    and phase in ('queued', 'dispatched', 'retrying', 'doubt', 'settled'))`,
    `create index effects_worker on {p}effects (scope, worker) where worker is not null`,
    `alter table {p}runs
  add constraint runs_status check (status in ('PENDING', 'RUNNING', 'PAUSED', 'COMPLETED', 'FAILED', 'CANCELLED')),
  add constraint runs_waiting check (waiting in ('timer', 'signal', 'child', 'retry', 'worker', 'decision', 'drain'))`,
  ],
};

export const migrations: readonly Migration[] = [base, keptAsGiven, whoAndWhy, queuesAndSnapshots];
/** The format that this code writes. */
export const format: number = admissionOf(migrations).format;

export function migrationTarget(c: Connection, schema: string, list: readonly Migration[] = migrations): MigrationTarget {
  return {
    migrations: list,
    prefix: `${schema}.`,
    literal: (text) => `'${text.replaceAll("'", "''")}'`,
    async hasMeta() {
      // Asked of the catalogue's rows, not of a name: a session that once did not find the name may keep not finding it.
      const text =
        "select 1 as found from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = $1 and c.relname = 'meta'";
      return (await c.query({ text, values: [schema] })).rows.length > 0;
    },
    query: async (text) => (await c.query({ text })).rows,
    run: (statement) => c.exec(statement),
    locked: (body) => behindLock(c, schema, body),
  };
}

/** One transaction behind the schema's lock: who makes something in it takes turns. The schema itself is made if it is missing. */
export async function behindLock(c: Connection, schema: string, body: () => Promise<void>): Promise<void> {
  await c.exec("begin");
  try {
    // What is made again takes as long as the rows are many; nobody's other limits hold here.
    await c.exec("set local lock_timeout = '30s'; set local statement_timeout = 0");
    await c.query({ text: "select pg_advisory_xact_lock($1)", values: [lockKey(schema, "migrations")] });
    const found = await c.query({ text: "select 1 as found from pg_namespace where nspname = $1", values: [schema] });
    // Looked for first: a role that may not create schemas may still use one that exists.
    if (found.rows.length === 0) await c.exec(`create schema ${schema}`);
    await body();
    await c.exec("commit");
  } catch (e) {
    await c.exec("rollback").catch(() => c.destroy());
    throw e;
  }
}
