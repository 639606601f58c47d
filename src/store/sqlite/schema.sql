-- The schema that migrations.ts arrives at, dumped. Never edited by hand: a test keeps it equal to what a new store holds.

CREATE TABLE pawl_meta (
  one integer primary key check (one = 1),
  format integer not null,
  oldest_reader integer not null,
  oldest_writer integer not null,
  incarnation integer not null,
  store_id text not null,
  identity text not null
) strict;

CREATE TABLE pawl_engines (
  engine_id text primary key,
  lease_until integer not null,
  dead integer not null,
  serves text not null
, scope text, kind text not null default 'engine', works text) strict, without rowid;

CREATE TABLE pawl_events (
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
  state_version integer not null, emitted_text text,
  primary key (run_id, run_seq)
) strict;

CREATE UNIQUE INDEX pawl_events_key on pawl_events (run_id, idempotency_key);

CREATE TABLE pawl_inbox (
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
, sent_by text, payload_digest text, rejected text) strict;

CREATE INDEX pawl_inbox_run on pawl_inbox (run_id, inbox_id);

CREATE INDEX pawl_inbox_wakes on pawl_inbox (run_id, kind, name) where wakes = 1;

CREATE UNIQUE INDEX pawl_inbox_dedup on pawl_inbox (dedup_key) where dedup_key is not null;

CREATE TABLE pawl_accepted (
  storage_key text primary key,
  accepted_at integer not null,
  expires_at integer,
  run_id text not null,
  inbox_id integer not null
, version integer not null default 1, response text) strict, without rowid;

CREATE TABLE pawl_views (
  run_id text not null,
  name text not null,
  value text not null,
  primary key (run_id, name)
) strict, without rowid;

CREATE TABLE pawl_checkpoints (
  run_id text not null,
  idempotency_key text not null,
  step_id integer not null,
  label text,
  body text not null,
  state_version integer not null,
  persisted_at integer not null,
  primary key (run_id, idempotency_key)
) strict;

CREATE UNIQUE INDEX pawl_checkpoints_step on pawl_checkpoints (run_id, step_id);

CREATE TABLE pawl_effects (
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
  receiver text, worker text check (status in ('completed', 'failed', 'cancelled', 'timed-out', 'indeterminate')
  and phase in ('queued', 'dispatched', 'retrying', 'doubt', 'settled')),
  primary key (run_id, seq)
) strict;

CREATE INDEX pawl_effects_key on pawl_effects (scope, key) where key is not null;

CREATE INDEX pawl_effects_doubt on pawl_effects (scope) where phase = 'doubt';

CREATE INDEX pawl_effects_receiver on pawl_effects (scope, receiver) where receiver is not null;

CREATE TABLE pawl_shelves (
  shelf text not null,
  key text not null,
  value text not null,
  version integer not null,
  at integer not null,
  primary key (shelf, key)
) strict, without rowid;

CREATE TABLE pawl_consumers (
  consumer_id integer primary key autoincrement,
  scope text not null,
  name text not null,
  joined_at integer not null,
  unique (scope, name)
) strict;

CREATE TABLE pawl_feed (
  position integer primary key autoincrement,
  consumer_id integer not null,
  run_id text not null,
  head_seq integer not null
) strict;

CREATE INDEX pawl_feed_consumer on pawl_feed (consumer_id, position);

CREATE INDEX pawl_feed_run on pawl_feed (run_id);

CREATE TABLE pawl_queues (
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
) strict, without rowid;

CREATE TABLE pawl_dispatches (
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
) strict;

CREATE UNIQUE INDEX pawl_dispatches_seq on pawl_dispatches (run_id, seq, what);

CREATE INDEX pawl_dispatches_ready on pawl_dispatches (scope, queue, task, rank_at, dispatch_id) where worker is null and held = 0;

CREATE INDEX pawl_dispatches_claimed on pawl_dispatches (scope, queue) where worker is not null;

CREATE INDEX pawl_dispatches_held on pawl_dispatches (scope, queue) where worker is null and held = 1;

CREATE INDEX pawl_dispatches_worker on pawl_dispatches (worker, dispatch_id) where worker is not null;

CREATE INDEX pawl_dispatches_deadline on pawl_dispatches (deadline_at) where deadline_at is not null;

CREATE INDEX pawl_dispatches_expires on pawl_dispatches (expires_at) where expires_at is not null and worker is null;

CREATE TABLE pawl_snapshots (
  run_id text not null,
  at_seq integer not null,
  digest text not null,
  body text not null,
  primary key (run_id, at_seq)
) strict;

CREATE TABLE "pawl_runs" (
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
) strict, without rowid;

CREATE UNIQUE INDEX pawl_runs_generation on pawl_runs (scope, workflow_id, generation);

CREATE UNIQUE INDEX pawl_runs_start_key on pawl_runs (scope, idempotency_key) where idempotency_key is not null;

CREATE INDEX pawl_runs_due on pawl_runs (owner, scope, workflow, version, due_at) where due_at is not null;

CREATE INDEX pawl_runs_newest on pawl_runs (scope, created_at, run_id);

CREATE INDEX pawl_runs_decision on pawl_runs (scope, created_at) where waiting = 'decision';

CREATE INDEX pawl_runs_unusual on pawl_runs (scope, created_at, run_id) where status in ('FAILED', 'CANCELLED', 'PAUSED');

CREATE INDEX pawl_runs_parent on pawl_runs (parent_run_id, created_at, run_id) where parent_run_id is not null;

CREATE INDEX pawl_effects_worker on pawl_effects (scope, worker) where worker is not null;
