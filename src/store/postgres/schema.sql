-- The schema that migrations.ts arrives at, dumped. Never edited by hand: a test keeps it equal to what a new store holds.

create table pawl.accepted (
  storage_key text collate "C" not null,
  accepted_at bigint not null,
  expires_at bigint,
  run_id text not null,
  inbox_id bigint not null,
  version bigint not null default 1,
  response text,
  constraint accepted_pkey PRIMARY KEY (storage_key)
);

create table pawl.checkpoints (
  run_id text collate "C" not null,
  idempotency_key text collate "C" not null,
  step_id bigint not null,
  label text,
  body text not null,
  state_version bigint not null,
  persisted_at bigint not null,
  constraint checkpoints_pkey PRIMARY KEY (run_id, idempotency_key)
);

CREATE UNIQUE INDEX checkpoints_step ON pawl.checkpoints USING btree (run_id, step_id);

create table pawl.consumers (
  consumer_id bigint not null generated always as identity,
  scope text collate "C" not null,
  name text collate "C" not null,
  joined_at bigint not null,
  filled boolean not null,
  constraint consumers_name UNIQUE (scope, name),
  constraint consumers_pkey PRIMARY KEY (consumer_id)
);

create table pawl.dispatches (
  dispatch_id bigint not null generated always as identity,
  scope text collate "C" not null,
  run_id text collate "C" not null,
  seq bigint not null,
  what text not null,
  step_id text not null,
  attempt integer not null,
  engine_attempt integer not null,
  queue text collate "C" not null,
  task text collate "C" not null,
  rank_at bigint not null,
  held boolean not null,
  spec text not null,
  enqueued_at bigint not null,
  expires_at bigint,
  timeout_ms bigint,
  worker text collate "C",
  token text,
  claimed_at bigint,
  deadline_at bigint,
  beat text,
  cancel boolean not null default false,
  constraint dispatches_claim CHECK (((worker IS NULL) = (token IS NULL))),
  constraint dispatches_pkey PRIMARY KEY (dispatch_id),
  constraint dispatches_what CHECK ((what = ANY (ARRAY['run'::text, 'verify'::text, 'undo'::text])))
) with (fillfactor=70, autovacuum_vacuum_scale_factor=0.02);

CREATE INDEX dispatches_claimed ON pawl.dispatches USING btree (scope, queue) WHERE (claimed_at IS NOT NULL);

CREATE INDEX dispatches_deadline ON pawl.dispatches USING btree (deadline_at) WHERE (deadline_at IS NOT NULL);

CREATE INDEX dispatches_expires ON pawl.dispatches USING btree (expires_at) WHERE ((expires_at IS NOT NULL) AND (worker IS NULL));

CREATE INDEX dispatches_held ON pawl.dispatches USING btree (scope, queue) WHERE ((worker IS NULL) AND held);

CREATE INDEX dispatches_ready ON pawl.dispatches USING btree (scope, queue, task, rank_at, dispatch_id) WHERE ((worker IS NULL) AND (NOT held));

CREATE UNIQUE INDEX dispatches_seq ON pawl.dispatches USING btree (run_id, seq, what);

CREATE INDEX dispatches_worker ON pawl.dispatches USING btree (worker, dispatch_id) WHERE (worker IS NOT NULL);

create table pawl.effects (
  run_id text collate "C" not null,
  seq bigint not null,
  version integer not null,
  scope text collate "C" not null,
  workflow_id text not null,
  step_id text not null,
  name text not null,
  class text not null,
  key text collate "C",
  args_digest text,
  status text not null,
  phase text not null,
  attempts integer not null,
  engine_attempts integer not null,
  error text,
  event_seq bigint not null,
  created_at bigint not null,
  updated_at bigint not null,
  receiver text collate "C",
  in_doubt boolean generated always as (phase = 'doubt'::text) stored,
  worker text collate "C",
  constraint effects_pkey PRIMARY KEY (run_id, seq),
  constraint effects_state CHECK (((status = ANY (ARRAY['completed'::text, 'failed'::text, 'cancelled'::text, 'timed-out'::text, 'indeterminate'::text])) AND (phase = ANY (ARRAY['queued'::text, 'dispatched'::text, 'retrying'::text, 'doubt'::text, 'settled'::text]))))
) with (fillfactor=80);

CREATE INDEX effects_doubt ON pawl.effects USING btree (scope) WHERE in_doubt;

CREATE INDEX effects_key ON pawl.effects USING btree (scope, key) WHERE (key IS NOT NULL);

CREATE INDEX effects_receiver ON pawl.effects USING btree (scope, receiver) WHERE (receiver IS NOT NULL);

CREATE INDEX effects_worker ON pawl.effects USING btree (scope, worker) WHERE (worker IS NOT NULL);

create table pawl.engines (
  engine_id text collate "C" not null,
  lease_until bigint not null,
  dead boolean not null,
  serves text not null,
  renewed_at bigint not null,
  lock_key bigint,
  lock_server bigint,
  scope text collate "C",
  kind text not null default 'engine'::text,
  works text,
  constraint engines_pkey PRIMARY KEY (engine_id)
) with (fillfactor=50);

create table pawl.events (
  run_id text collate "C" not null,
  run_seq bigint not null,
  event_id text not null,
  event_type text not null,
  step_id text,
  logical_attempt_id integer not null,
  engine_attempt_id integer not null,
  idempotency_key text collate "C" not null,
  emitted_at bigint not null,
  payload text,
  salt text,
  payload_hash text,
  link text not null,
  persisted_at bigint not null,
  state_version bigint not null,
  emitted_text text,
  constraint events_pkey PRIMARY KEY (run_id, run_seq)
);

CREATE UNIQUE INDEX events_key ON pawl.events USING btree (run_id, idempotency_key);

create table pawl.feed (
  position bigint not null generated always as identity,
  consumer_id bigint not null,
  run_id text collate "C" not null,
  head_seq bigint not null,
  constraint feed_pkey PRIMARY KEY (consumer_id, "position")
);

CREATE INDEX feed_run ON pawl.feed USING btree (run_id);

create table pawl.inbox (
  inbox_id bigint not null generated always as identity,
  run_id text collate "C" not null,
  kind text not null,
  name text not null,
  id text not null,
  payload text,
  accepted_at bigint not null,
  taken boolean not null,
  consumed boolean not null,
  wakes boolean not null,
  reply text,
  dedup_key text collate "C",
  sent_by text,
  payload_digest text,
  rejected text,
  constraint inbox_pkey PRIMARY KEY (inbox_id)
);

CREATE UNIQUE INDEX inbox_dedup ON pawl.inbox USING btree (dedup_key) WHERE (dedup_key IS NOT NULL);

CREATE INDEX inbox_run ON pawl.inbox USING btree (run_id, inbox_id);

CREATE INDEX inbox_wakes ON pawl.inbox USING btree (run_id, kind, name) WHERE wakes;

create table pawl.meta (
  one boolean not null,
  format integer not null,
  oldest_reader integer not null,
  oldest_writer integer not null,
  incarnation integer not null,
  store_id text not null,
  identity text not null,
  constraint meta_one_check CHECK (one),
  constraint meta_pkey PRIMARY KEY (one)
);

create table pawl.queues (
  scope text collate "C" not null,
  queue text collate "C" not null,
  concurrency bigint,
  rate_limit bigint,
  rate_per_ms bigint,
  rate_burst bigint,
  tat_us bigint not null default 0,
  aging_ms bigint not null default 60000,
  paused text,
  version bigint not null,
  constraint queues_pkey PRIMARY KEY (scope, queue)
) with (fillfactor=50);

create table pawl.runs (
  run_id text collate "C" not null,
  scope text collate "C" not null,
  workflow_id text collate "C" not null,
  generation integer not null,
  workflow text collate "C" not null,
  version text collate "C" not null,
  status text not null,
  waiting text,
  owner text collate "C",
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
  idempotency_key text collate "C",
  original_run_id text,
  root_run_id text not null,
  parent_run_id text collate "C",
  parent_step_id text,
  idle_claims integer not null,
  exact_version boolean not null,
  origin text not null default 'engine'::text,
  expired_at bigint,
  purged_at bigint,
  error_code text,
  constraint runs_pkey PRIMARY KEY (run_id),
  constraint runs_status CHECK ((status = ANY (ARRAY['PENDING'::text, 'RUNNING'::text, 'PAUSED'::text, 'COMPLETED'::text, 'FAILED'::text, 'CANCELLED'::text]))),
  constraint runs_waiting CHECK ((waiting = ANY (ARRAY['timer'::text, 'signal'::text, 'child'::text, 'retry'::text, 'worker'::text, 'decision'::text, 'drain'::text])))
) with (fillfactor=60);

CREATE INDEX runs_decision ON pawl.runs USING btree (scope, created_at) WHERE (waiting = 'decision'::text);

CREATE INDEX runs_due ON pawl.runs USING btree (owner, scope, workflow, version, due_at, run_id) WHERE (due_at IS NOT NULL);

CREATE UNIQUE INDEX runs_generation ON pawl.runs USING btree (scope, workflow_id, generation);

CREATE INDEX runs_newest ON pawl.runs USING btree (scope, created_at, run_id);

CREATE INDEX runs_parent ON pawl.runs USING btree (parent_run_id, created_at, run_id) WHERE (parent_run_id IS NOT NULL);

CREATE UNIQUE INDEX runs_start_key ON pawl.runs USING btree (scope, idempotency_key) WHERE (idempotency_key IS NOT NULL);

CREATE INDEX runs_unusual ON pawl.runs USING btree (scope, created_at, run_id) WHERE (status = ANY (ARRAY['FAILED'::text, 'CANCELLED'::text, 'PAUSED'::text]));

create table pawl.shelves (
  shelf text collate "C" not null,
  key text collate "C" not null,
  value text not null,
  version bigint not null,
  at bigint not null,
  constraint shelves_pkey PRIMARY KEY (shelf, key)
) with (fillfactor=80);

create table pawl.snapshots (
  run_id text collate "C" not null,
  at_seq bigint not null,
  digest text not null,
  body text not null,
  constraint snapshots_pkey PRIMARY KEY (run_id, at_seq)
);

create table pawl.views (
  run_id text collate "C" not null,
  name text collate "C" not null,
  value text not null,
  constraint views_pkey PRIMARY KEY (run_id, name)
);

CREATE OR REPLACE FUNCTION pawl.feed_row()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$ begin insert into pawl.feed (consumer_id, run_id, head_seq) select c.consumer_id, new.run_id, new.head_seq from pawl.consumers c where c.scope = new.scope; return null; end $function$;
