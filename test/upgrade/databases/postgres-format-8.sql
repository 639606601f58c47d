create schema kept_schema;

create table kept_schema.accepted (
  storage_key text collate "C" not null,
  accepted_at bigint not null,
  expires_at bigint,
  run_id text not null,
  inbox_id bigint not null,
  version bigint not null default 1,
  response text,
  constraint accepted_pkey PRIMARY KEY (storage_key)
);

create table kept_schema.checkpoints (
  run_id text collate "C" not null,
  idempotency_key text collate "C" not null,
  step_id bigint not null,
  label text,
  body text not null,
  state_version bigint not null,
  persisted_at bigint not null,
  constraint checkpoints_pkey PRIMARY KEY (run_id, idempotency_key)
);

CREATE UNIQUE INDEX checkpoints_step ON kept_schema.checkpoints USING btree (run_id, step_id);

create table kept_schema.consumers (
  consumer_id bigint not null generated always as identity,
  scope text collate "C" not null,
  name text collate "C" not null,
  joined_at bigint not null,
  filled boolean not null,
  constraint consumers_name UNIQUE (scope, name),
  constraint consumers_pkey PRIMARY KEY (consumer_id)
);

create table kept_schema.dispatches (
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

CREATE INDEX dispatches_claimed ON kept_schema.dispatches USING btree (scope, queue) WHERE (claimed_at IS NOT NULL);

CREATE INDEX dispatches_deadline ON kept_schema.dispatches USING btree (deadline_at) WHERE (deadline_at IS NOT NULL);

CREATE INDEX dispatches_expires ON kept_schema.dispatches USING btree (expires_at) WHERE ((expires_at IS NOT NULL) AND (worker IS NULL));

CREATE INDEX dispatches_held ON kept_schema.dispatches USING btree (scope, queue) WHERE ((worker IS NULL) AND held);

CREATE INDEX dispatches_ready ON kept_schema.dispatches USING btree (scope, queue, task, rank_at, dispatch_id) WHERE ((worker IS NULL) AND (NOT held));

CREATE UNIQUE INDEX dispatches_seq ON kept_schema.dispatches USING btree (run_id, seq, what);

CREATE INDEX dispatches_worker ON kept_schema.dispatches USING btree (worker, dispatch_id) WHERE (worker IS NOT NULL);

create table kept_schema.effects (
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
  constraint effects_pkey PRIMARY KEY (run_id, seq)
) with (fillfactor=80);

CREATE INDEX effects_doubt ON kept_schema.effects USING btree (scope) WHERE in_doubt;

CREATE INDEX effects_key ON kept_schema.effects USING btree (scope, key) WHERE (key IS NOT NULL);

CREATE INDEX effects_receiver ON kept_schema.effects USING btree (scope, receiver) WHERE (receiver IS NOT NULL);

create table kept_schema.engines (
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

create table kept_schema.events (
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

CREATE UNIQUE INDEX events_key ON kept_schema.events USING btree (run_id, idempotency_key);

create table kept_schema.feed (
  position bigint not null generated always as identity,
  consumer_id bigint not null,
  run_id text collate "C" not null,
  head_seq bigint not null,
  constraint feed_pkey PRIMARY KEY (consumer_id, "position")
);

CREATE INDEX feed_run ON kept_schema.feed USING btree (run_id);

create table kept_schema.inbox (
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

CREATE UNIQUE INDEX inbox_dedup ON kept_schema.inbox USING btree (dedup_key) WHERE (dedup_key IS NOT NULL);

CREATE INDEX inbox_run ON kept_schema.inbox USING btree (run_id, inbox_id);

CREATE INDEX inbox_wakes ON kept_schema.inbox USING btree (run_id, kind, name) WHERE wakes;

create table kept_schema.meta (
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

create table kept_schema.queues (
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

create table kept_schema.runs (
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
  constraint runs_pkey PRIMARY KEY (run_id)
) with (fillfactor=60);

CREATE INDEX runs_decision ON kept_schema.runs USING btree (scope, created_at) WHERE (waiting = 'decision'::text);

CREATE INDEX runs_due ON kept_schema.runs USING btree (owner, scope, workflow, version, due_at, run_id) WHERE (due_at IS NOT NULL);

CREATE UNIQUE INDEX runs_generation ON kept_schema.runs USING btree (scope, workflow_id, generation);

CREATE INDEX runs_newest ON kept_schema.runs USING btree (scope, created_at, run_id);

CREATE INDEX runs_parent ON kept_schema.runs USING btree (parent_run_id, created_at, run_id) WHERE (parent_run_id IS NOT NULL);

CREATE UNIQUE INDEX runs_start_key ON kept_schema.runs USING btree (scope, idempotency_key) WHERE (idempotency_key IS NOT NULL);

CREATE INDEX runs_unusual ON kept_schema.runs USING btree (scope, created_at, run_id) WHERE (status = ANY (ARRAY['FAILED'::text, 'CANCELLED'::text, 'PAUSED'::text]));

create table kept_schema.shelves (
  shelf text collate "C" not null,
  key text collate "C" not null,
  value text not null,
  version bigint not null,
  at bigint not null,
  constraint shelves_pkey PRIMARY KEY (shelf, key)
) with (fillfactor=80);

create table kept_schema.snapshots (
  run_id text collate "C" not null,
  at_seq bigint not null,
  digest text not null,
  body text not null,
  constraint snapshots_pkey PRIMARY KEY (run_id, at_seq)
);

create table kept_schema.views (
  run_id text collate "C" not null,
  name text collate "C" not null,
  value text not null,
  constraint views_pkey PRIMARY KEY (run_id, name)
);

CREATE OR REPLACE FUNCTION kept_schema.feed_row()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$ begin insert into kept_schema.feed (consumer_id, run_id, head_seq) select c.consumer_id, new.run_id, new.head_seq from kept_schema.consumers c where c.scope = new.scope; return null; end $function$;

insert into kept_schema.accepted (storage_key, accepted_at, expires_at, run_id, inbox_id, version, response) overriding system value values ('sig:default:default:default:listening:later:later-1', '1794945640913', NULL, '01a1eb18-e998-7608-8652-32704d017155', '1', '1', '{"accepted":true,"workflowId":"listening","signalName":"later","signalId":"later-1","acceptedAt":"2026-11-17T20:00:40.913Z","signalStorageKey":"sig:default:default:default:listening:later:later-1"}');
insert into kept_schema.accepted (storage_key, accepted_at, expires_at, run_id, inbox_id, version, response) overriding system value values ('upd:default:default:default:listening:rename:rename-1', '1794945640978', NULL, '01a1eb18-e998-7608-8652-32704d017155', '2', '1', '{"accepted":true,"workflowId":"listening","signalName":"rename","signalId":"rename-1","acceptedAt":"2026-11-17T20:00:40.978Z","signalStorageKey":"upd:default:default:default:listening:rename:rename-1"}');
insert into kept_schema.effects (run_id, seq, version, scope, workflow_id, step_id, name, class, key, args_digest, status, phase, attempts, engine_attempts, error, event_seq, created_at, updated_at, receiver) overriding system value values ('01a1eb18-dcd4-7286-83e5-e6285284c787', '4', '1', 'default/default/default', 'doubtful', 'charge', 'charge', 'AT-MOST-ONCE', 'pawl-a17b9e86b26339f4479d303f6fd1e72f0a0bde1c598ad63d289a324e277e75ac', NULL, 'indeterminate', 'doubt', '1', '1', '{"code":"PAWL2001","reason":"it began and nobody recorded how it ended"}', '5', '1794945637628', '1794945642884', NULL);
insert into kept_schema.engines (engine_id, lease_until, dead, serves, renewed_at, lock_key, lock_server, scope, kind, works) overriding system value values ('01a1eb18-dc3b-705d-952e-6f481aea1462', '1794945647510', 'true', '[{"workflow":"settled","version":"1"},{"workflow":"sleeping","version":"1"},{"workflow":"listening","version":"1"},{"workflow":"doubtful","version":"1"},{"workflow":"halfway","version":"1"},{"workflow":"child","version":"1"},{"workflow":"parent","version":"1"}]', '1794945637510', '-3885077210400487623', '1794945634427', 'default/default/default', 'engine', NULL);
insert into kept_schema.engines (engine_id, lease_until, dead, serves, renewed_at, lock_key, lock_server, scope, kind, works) overriding system value values ('01a1eb18-e88e-75f5-ba08-071d4a476394', '1794945652884', 'false', '[{"workflow":"settled","version":"1"},{"workflow":"sleeping","version":"1"},{"workflow":"listening","version":"1"},{"workflow":"doubtful","version":"1"},{"workflow":"halfway","version":"1"},{"workflow":"child","version":"1"},{"workflow":"parent","version":"1"}]', '1794945642884', '147882466507612656', '1794945634427', 'default/default/default', 'engine', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1eb18-dcd4-7286-83e5-e6285284c787', '1', '176868f7-daf1-4fc9-903a-9e2a8bb5389e', 'RunStarted', NULL, '1', '1', '2a54ca6bd3a836d6c7f8de41250cd8115fef6e7c5386e3fdfcb51cb71371611a', '1794945637597', '{"parsed":true,"codeVersion":"1","from":"none","engine":"01a1eb18-dc3b-705d-952e-6f481aea1462"}', 'f3fc9a4c31e8ca7b0573f61ff4761c8f', '04ccea176d00160a3b5ecb1a98f7ad479d1136ead7c19645bcde408331933be2', '7f163e27956d08a738f73ec0e1163dc86fd5c75285bc5227ae9d4129651da466', '1794945637607', '1', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1eb18-dcd4-7286-83e5-e6285284c787', '2', '6867252a-98ed-43a9-ad92-d361cb5b26c1', 'StepStarted', 'order', '1', '1', 'c972c544175d214898c2c3672d677f8c5772ef065a214b8be1e47efa6e15652d', '1794945637600', '{"kind":"effect","name":"order","digest":"799d7256bcab06d415e9f017db67b402ee0091972b47d904f8ff7accea7f6687","class":"UNDECLARED"}', 'db4a704010c25b30820c592f2e199cbc', '769e09ca312fa0b23127cae8245af9a0929df03f070a6ffb9c7920eb9305881f', '64af72e93434a8e19b8508a28dc8cba95e766d5c3163824a5a8590da146e834d', '1794945637607', '1', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1eb18-dcd4-7286-83e5-e6285284c787', '3', '85dcaada-0689-4831-bbf0-973a120a3c32', 'StepCompleted', 'order', '1', '1', '7521ae0506604351173c748261dafb9c3399096383bb5c9787e735fe4d7edf38', '1794945637611', '{"result":7}', '4260145ff1983186893ec4d514e035b4', 'b80b28ce88c623cae2c3951f2baa9db27953b897c7e199f72aa5d191410ad4e9', 'df001d44b31a48c27098afffd12baaace771bab948ce44ca138bb4d2748885f1', '1794945637628', '2', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1eb18-dcd4-7286-83e5-e6285284c787', '4', 'fc25a7b2-6808-428c-8e04-84de91da2da1', 'StepStarted', 'charge', '1', '1', '94f730714adbb6eacf282a9e1e8ccd0dc2c87cfc69a9860b3590a842689d167a', '1794945637620', '{"kind":"effect","name":"charge","digest":"2ec79112be9dddff500c39c27d48b690db462962e412c10028ff5eeaf2d040b9","class":"AT-MOST-ONCE","timeoutMs":60000}', 'cae4b74a42d7662e2c8dcf712c850751', 'c9a7a5a570d3c17dce700fb9369ba25b36efa4594b177ab8d23961ec4e56691a', 'dbcda458c8821c0f7984df134b284ca300cb76578465d8cc1de0ad0d71249915', '1794945637628', '2', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1eb18-dcd4-7286-83e5-e6285284c787', '5', '76dcc7fb-557e-45bc-8984-e30b5de4c0ea', 'pawl.StepInDoubt', NULL, '1', '1', 'e1b3f7ad6bb1f26295c658b309961e4a44d7db5cf8ddcb3134a94d245a7c651e', '1794945642879', '{"stepId":"charge","reason":"it began and nobody recorded how it ended","code":"PAWL2001"}', '4f6643b43b4aa1ff6a1bb362778c516c', '24b5feb0b6e6734a974dcd5842efbb7f5f95f358846768075725347858923a57', '82d154979f817f9255f2183085bc2c2a55ed4675ca7fd8cebec230a09e7c86b5', '1794945642884', '3', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1eb18-e925-72a4-a97b-4646ec539742', '1', '3c71ac3b-e091-4bb6-af44-0d9cc676403e', 'RunStarted', NULL, '1', '1', '1dfc7d808b1d2d2370f638f58441c634571f1bcdcee1bd9bb32156b6c4516156', '1794945640740', '{"input":21,"parsed":true,"codeVersion":"1","request":"f351952114dbc24faebe50a8d9d74873e8b8227323b2193a81c35e4441fa6314","from":"none","engine":"01a1eb18-e88e-75f5-ba08-071d4a476394"}', 'a295c596eefb22cc60152ad359146ebb', '02d710ad673099c740cb26766bf9c38ca45a84a6312f53829ae9020d9f0176b6', 'e96cd2a7f3c75ba76b0854255f45a4a67f14d9c6132c04dc46d148eb7150b8fd', '1794945640797', '1', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1eb18-e925-72a4-a97b-4646ec539742', '2', 'c399f9ae-4303-4798-b739-6b1f736f359b', 'pawl.ViewPublished', NULL, '1', '1', '03fc757dfe4982d5ad44ba988590d96dc03ec2a9b670d157ea23fce2deb2e601', '1794945640741', '{"name":"seen","value":21}', 'ec5f9b493eec1dee34b50b8f43494c6d', 'c83f9776ffdffdf2e1d92d974445e5f123356bca21d7636b3cf7addfae496e34', 'bd6c78dfc6536284a3b0bba65f624210d8410ca9bf282eda795cb513a951a3c6', '1794945640797', '1', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1eb18-e925-72a4-a97b-4646ec539742', '3', '9b169fa4-5851-4628-95a8-d1f83bfda584', 'StepStarted', 'double', '1', '1', '1c68f061046013b4ddb55dc9fdba7dbf1b82cfcd5407e1a3fb41233ee587982b', '1794945640759', '{"kind":"effect","name":"double","digest":"ee9ff8738b77f6cb9c3d0cd45ac165bc9e65f949afd79b7dd809848242b0b772","class":"UNDECLARED"}', 'acc862935f83472186150265e3d01943', 'cfc9a2d83d06bc31b53404585ba48de256b3385c3d7f94435a7c2a361a732ad2', '3fa65aaa40f5c3669e46b2c9a7465041b6dbb748c892929f9f7ee05c0da9e567', '1794945640797', '1', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1eb18-e925-72a4-a97b-4646ec539742', '4', '6be43dd5-ff4f-4349-a47b-77f26b9f3459', 'StepCompleted', 'double', '1', '1', 'bf288f31efff5a03a3e930fe47d514703a467e32ac7c9f9109f1e540d2f317eb', '1794945640798', '{"result":42}', '838d8055bb44fdce629275e9516913be', '1e7bf043142961abc4c367d6c59e75f4b1b9597979ad21f8be0831f4f466ab57', 'f5d6afc8ff1d2e39d71035a3903354fcc56c015deeb7bdcd2e84d7fb0931de40', '1794945640835', '2', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1eb18-e925-72a4-a97b-4646ec539742', '5', '7e5f3baa-4523-45ee-9cf0-4476c4c7abee', 'RunCompleted', NULL, '1', '1', 'ece07ef473a36df07a184701d02a7b68737fb2fae101151496766d5947c68845', '1794945640799', '{"result":42,"from":"RUNNING","engine":"01a1eb18-e88e-75f5-ba08-071d4a476394","settledAt":1794945640799}', '871bd6b5b346565b176ad82dd0599964', 'e639ac4f2c5f63de0531e323718881032f6b72b7190b2e52ca740729aabd0da3', 'eb85173c1962252b5896ca6a6e37caa8bee38d7637e6353e4fb1c23bc3560b2f', '1794945640835', '2', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1eb18-e98c-74e8-9528-2c8ecee21b72', '1', '2783c2d9-f4f4-4eb3-9b2b-6595b3d2c71a', 'RunStarted', NULL, '1', '1', '1a3008481190e6eba777e6aa1a83775da3d3db943f3ce12a5cb50a7e01c1f174', '1794945640840', '{"parsed":true,"codeVersion":"1","from":"none","engine":"01a1eb18-e88e-75f5-ba08-071d4a476394"}', '8ca6b7bd7eb4bd2aba7dc6db3effc04f', '066034b93ede06f27d89fe2ec64ce3705e26ed4497999b631f9121570aac9749', '13ed8807485230d16da99079bc6001399992d2a0172db115684fe6f9bfa51330', '1794945640851', '1', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1eb18-e98c-74e8-9528-2c8ecee21b72', '2', '4a5614b6-e7cb-4bfa-857c-c5c58d76dfd4', 'StepStarted', 'before', '1', '1', 'ed3c81195e16056f601c6bd1f2647d170ab682f81c204fee7b0f5a97c610d9e5', '1794945640841', '{"kind":"effect","name":"before","digest":"05bfe291a21a0d1f5f4657f5211cbe8150d540997b33667c9d3ea79321335833","class":"UNDECLARED"}', '39c6024edd4c1360495561f6465bd4bf', 'a917a1768d065e07167feabf501c39c8b78de81e19f5544cd977604ff386795a', 'f99034fc66ed901894211ed959eb5280a45475656653f236c44ce55dea6e28eb', '1794945640851', '1', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1eb18-e98c-74e8-9528-2c8ecee21b72', '3', '56e5d6e2-1ff8-42de-b2de-5f8e5a21124c', 'StepCompleted', 'before', '1', '1', '4027b2b1a0fab231437da6637a4eb75902ed85eea010399a7ce122fce3bcf9df', '1794945640851', '{"result":"slept"}', '919b800ade8283277f6573597b3cb382', 'd7e1861b4aa28590a1b39f93c8b1066c8b77f5fb6702527f2a433a7d5c5ffd42', '88d9e1906d3da367319a739acd4e860e2ad26d2edf546b40ba6b11a4596006aa', '1794945640860', '2', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1eb18-e98c-74e8-9528-2c8ecee21b72', '4', '8cb62ce8-a9bc-43e2-9ccd-30b4837aa8ef', 'StepStarted', 'nap', '1', '1', '63e5a31418674f3ef460c4f08722f00346d5bcfb933e347323a853f0b5df4edf', '1794945640852', '{"kind":"timer","name":"nap","digest":"538b904f34061c9af68dfac9bc3e3f2aa12c8f0274ac1a58dec9793584cd778e","delayMs":5000}', '5e86f225a834b09e26fbe38999456e02', '50ab9707228c7200dd62d8885b79731ee0f77c3707d6abc2157fe968c9509dc9', 'd6a13eb84f5fa4a4f660192d71e8983c9aa76571227f4293d419d88e8a179c1f', '1794945640860', '2', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1eb18-e998-7608-8652-32704d017155', '1', '4a96d9da-d114-4cb1-b3c7-74e3c677aafe', 'RunStarted', NULL, '1', '1', '72a4acd252a49b9a164c10dd3d72ce51f5e68df5aea9231a27a5a00ebc1cbd74', '1794945640853', '{"parsed":true,"codeVersion":"1","from":"none","engine":"01a1eb18-e88e-75f5-ba08-071d4a476394"}', '30b7d73018099f8b4c014c5f0c262d84', '9b8c96ae6a471fd2b11e86940d3509b561c714f97a4d36a90d4d255ceb37b0de', '32be268b3597019d7207874bd11a3a8834f0d935433193db40bcf2ae93a19827', '1794945640863', '1', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1eb18-e998-7608-8652-32704d017155', '2', '254e4353-e947-46d7-8243-b661ae743523', 'StepStarted', 'go', '1', '1', '41a552bdecdb4373b8d93f953db619ab14d5b231e7039bc16db78f904392f6b9', '1794945640854', '{"kind":"signal","name":"go","digest":"3f5b2441e270ad2f461312a47e3f1f735c673b3b83fdb595499e9ce0c6e46d28","signal":"go"}', '72ccad9b7e0664e88df1023e0009179a', 'eee15712df07010bd686065424f28c0e93c95246f49a16445eed6d1e86c1c6be', 'f7e6905bd838a6b9ecbef259f107021699652cc61abc6945465ddb92dd263be3', '1794945640863', '1', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1eb18-e998-7608-8652-32704d017155', '3', 'e0cb8584-935b-4142-bcf4-f0a313ee8641', 'pawl.UpdateAccepted', NULL, '1', '1', '7d2117058eaaf38b2441831d80c92ba0d394464f5e4114ee7e4329390975d8cd', '1794945640985', '{"updateId":"rename-1","name":"rename","inboxId":2,"input":"Ada"}', '3f5ce1040721267bf46b6e44a70bbabc', '9487970dcf98d7a370e2cb2683b6830142ba3bfe724cf66c4a2818361672ad0c', 'f65e0202d3fc3200e30c40f24890c8b10f2a66ba845f71490307ddc3ee4f3ecf', '1794945640991', '2', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1eb18-e998-7608-8652-32704d017155', '4', '1e291454-18c1-409f-86de-4c8cb7c8ae4e', 'pawl.ViewPublished', NULL, '1', '1', '3492973c347b31343c51acc3169c058964b90b7d168ef1e6b6a06c583b9c919c', '1794945640986', '{"name":"name","value":"Ada"}', 'db39b81d12c63c899e63a599abac331c', '6ac3405baa6c47a688db48c45f9e53486c1836cca51d46ecb70c566fea4941a0', 'f50a40a210426c1916e89443589a9f0f3a76d4c2ae6d62781a6379f8e331d458', '1794945640991', '2', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1eb18-e998-7608-8652-32704d017155', '5', '9d751bfc-70da-45e9-b3db-fc19df504433', 'pawl.UpdateCompleted', NULL, '1', '1', 'b5eed0f247c6c7eba999cbc7e8a6ee210b47ee2c6a80470b36a1d45d0f01e25b', '1794945640986', '{"updateId":"rename-1","answer":{"ok":true,"result":"renamed Ada"}}', 'd29c51b415c4f8e98ec2e6351a16241b', 'de04974e8f4c11bd66273de9d442f1891d9d2f395c335cd84056dfca500ed6ca', '7503d0739a578ff81f699567a1280cc3ec39b1fb40c2993f4ba4c696d0f1920e', '1794945640991', '2', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1eb18-e9a6-700c-9b89-da871bae5e0d', '1', 'd869e704-aa58-47ad-84cf-3b7e1ee58365', 'RunStarted', NULL, '1', '1', 'dcd58475ca31d79487aa6ec6acd43da21dc6e8bdd01963d65104a21134fb8ef3', '1794945640868', '{"parsed":true,"codeVersion":"1","from":"none","engine":"01a1eb18-e88e-75f5-ba08-071d4a476394"}', 'b9019fb475b6698bafc3fc02427bf264', '22e0e82a029bf3a5449f24bcfcacda918d46e6221f3ac2f0e0c3c97253a5a3be', 'fb4285ae9785497ee094e1c37219beaabbc4e2969b34528f0ac9abce53df7c0a', '1794945640875', '1', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1eb18-e9a6-700c-9b89-da871bae5e0d', '2', 'bee2cc91-b623-4ade-8cbf-4a35ef900115', 'StepStarted', 'child', '1', '1', 'ddf394762890070f4c4c69d930251a2c227b53bbbeaafdfb61f3bfe0d2286145', '1794945640869', '{"kind":"child","name":"child","digest":"117651691b2a9336f86f4d9b0d54adbaae27db196460c3c4d8f700218d6505ed","child":{"runId":"01a1eb18-e9a7-757d-9321-7a0526977cca","workflowId":"the-child","workflow":"child"},"input":{"$pawl":"undefined"}}', '82d62e359d4b383f51ad49aeedd2c7a7', 'ea08340e1424d1b86e9f5edfd7d1fc50ffb261ec1c4715dc236528c796f01294', '6fa33cb89e1ef387c11ef4e5ccf48b960e35421eff36774ce6190eb0d59cb372', '1794945640875', '1', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1eb18-e9a7-757d-9321-7a0526977cca', '1', '9c9d3cc3-a22b-4287-a3d9-13f78f41299a', 'RunQueued', NULL, '1', '1', '73892e37c9e0395b040ee5157a2a18939dd692f0e4673a20dd050efd2c82d249', '1794945640869', '{"input":{"$pawl":"undefined"},"engine":"01a1eb18-e88e-75f5-ba08-071d4a476394"}', 'f124e49b04a74625a8843c079ac4849b', '29bc0c0ae5373a5b570c84a32a80f720b82ea392211fcc47471d505510cb8b7d', '3b948fa730f23afc0e7e17d387823e105402ee2de5d46b9edda47af679a408d0', '1794945640875', '1', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1eb18-e9a7-757d-9321-7a0526977cca', '2', '4ade50e9-09b8-4d4b-bcc4-190363ab9ceb', 'RunStarted', NULL, '1', '1', '3e4347aa6dc1a14d224f571ea892e25fb255e09bd1d455614e837c68589b1f8a', '1794945640946', '{"parsed":true,"codeVersion":"1","from":"PENDING","engine":"01a1eb18-e88e-75f5-ba08-071d4a476394"}', 'ae308ce45d790de58ff52d6bb4cd7833', '57168b18d2f46933c385cfe2457daab0f9c4516a04a8eada033272fbb4d8ffd6', '792b8f922d9ba1d9b048579af9d54b1da13efe3d7dc214e924c46ae35210e958', '1794945640957', '2', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1eb18-e9a7-757d-9321-7a0526977cca', '3', '56675441-0026-4042-a291-ae3225ce9179', 'StepStarted', 'answer', '1', '1', '9fb1a56fc918f2aba207e9f8d3571b20a6ff383efe0276094ec9ea9d342ac37b', '1794945640947', '{"kind":"signal","name":"answer","digest":"6af44cf9a32d7a8596ddd574de00e2d0e036802c46e1f63c4dd7966c382e4c35","signal":"answer"}', '1c7db689347799ca3e161e54ba929252', 'aea6ecbc93059a70f1e44fdb0b334df9d062c5c320f22c0bcff9a1043512088c', 'aa410bb14999619f24a10d889f0edd9ff6a58cea3349a5503b6709b34c9844d2', '1794945640957', '2', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1eb18-f21f-74c8-906c-b69dc503d590', '1', 'f7fea3dc-b049-4dc5-b2c8-6e3346f2cce5', 'RunStarted', NULL, '1', '1', 'b9a4f74db4dbd610b5c25576d806e5f1803d9b47d9d31b1960ca1ada275a5d69', '1794945643040', '{"parsed":true,"codeVersion":"1","from":"none","engine":"01a1eb18-e88e-75f5-ba08-071d4a476394"}', 'a9449a54b9c6847c328d46562682c191', '0e4040c768257643a848cf25ff979a671848931ecf50435e885422b8b0ba7bd8', 'b538634153f67e5e77265da748db2471ab126b62f4387e937f1005aea495620c', '1794945643043', '1', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1eb18-f21f-74c8-906c-b69dc503d590', '2', 'da29631a-954e-4cb9-a25c-38b9ff31b577', 'StepStarted', 'one', '1', '1', '7b1273a83af95facae343dd850a1a344ead1cb4fa01492a4ff29f0d6c939a6f8', '1794945643040', '{"kind":"effect","name":"one","digest":"65ef844c98b3e85b70e6c5192d76d1b60a81a310e6ba93e27b447a5ad881c94b","class":"UNDECLARED"}', '529add8382dc883bfcecacfc2bee01bd', 'f113216406c0321667968cacb0dbfbb75e087efe211304280101a03c6ee0d60c', '87a4e0e3ea9c9a633f63f699c4faf756ea594686c1a57ba1fd33dbf9a07cd2d1', '1794945643043', '1', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1eb18-f21f-74c8-906c-b69dc503d590', '3', '8b0480f8-bcc3-4fe4-91ff-69dc560abd83', 'StepCompleted', 'one', '1', '1', '0fc4eaf9369e666ef8ab6ce01b013e381d9700bc21146cf68a1bc2ab23d7e303', '1794945643047', '{"result":1}', '3d52e86c13ecb656d0b6229ad8f901ae', 'c20519222a5342cf0d0dd4c8b7d095ecc28eb1cdec0ec9c144b3425ef45e1afb', 'cbbffe3ae1fb611d3ecf5cb48bbca568551ffb6b38d00ec371a8ca3f31f30432', '1794945643050', '2', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1eb18-f21f-74c8-906c-b69dc503d590', '4', 'ce4c0a8a-16de-4e5f-ac1e-9dc61eec5828', 'StepStarted', 'two', '1', '1', '9b29c5a6d1ec0f24b17c856e4a21b9737dff033a39c2e8f80934455eb90322c3', '1794945643047', '{"kind":"effect","name":"two","digest":"a98cec722f9d81d928ab82e4904c332bd488d86208c0d5a9e5abed5d03a2c30b","class":"REPEATABLE"}', 'c4b86e8f69a852cbea24fbf7a6314d15', '483397fd8566056cc6287c5db4ddb145acb00512369d2eafc50af0e63cef07b7', 'd9cbe5e1f92d9402e3bb2cbb189b1955a92010e5e9471f855f422aef0b9d4cd9', '1794945643050', '2', NULL);
insert into kept_schema.inbox (inbox_id, run_id, kind, name, id, payload, accepted_at, taken, consumed, wakes, reply, dedup_key, sent_by, payload_digest, rejected) overriding system value values ('1', '01a1eb18-e998-7608-8652-32704d017155', 'signal', 'later', 'later-1', '"first"', '1794945640913', 'true', 'false', 'false', NULL, 'sig:default:default:default:listening:later:later-1', NULL, 'de5f2cbf4c10a0d146f2a671aac363e8640fefc469ad42ac25364f19e4bc194f', NULL);
insert into kept_schema.inbox (inbox_id, run_id, kind, name, id, payload, accepted_at, taken, consumed, wakes, reply, dedup_key, sent_by, payload_digest, rejected) overriding system value values ('2', '01a1eb18-e998-7608-8652-32704d017155', 'update', 'rename', 'rename-1', '"Ada"', '1794945640978', 'true', 'true', 'false', '{"ok":true,"result":"renamed Ada"}', 'upd:default:default:default:listening:rename:rename-1', NULL, 'a39afeed7d3319213be7a235840b3c6d3f09f2810b9c91779f34572b6b36832a', NULL);
insert into kept_schema.meta (one, format, oldest_reader, oldest_writer, incarnation, store_id, identity) overriding system value values ('true', '8', '1', '8', '1', '56cd46ab-93b4-44a0-b8b5-9c9fc98a3b29', '7709232790265938132/1/5');
insert into kept_schema.runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, origin, expired_at, purged_at, error_code) overriding system value values ('01a1eb18-dcd4-7286-83e5-e6285284c787', 'default/default/default', 'doubtful', '1', 'doubtful', '1', 'RUNNING', 'decision', '01a1eb18-e88e-75f5-ba08-071d4a476394', '2', 'faf459a675148721f76d29565126e208', '3', '5e31ab33-1769-4332-9175-48a13ead4ed2', '5', '82d154979f817f9255f2183085bc2c2a55ed4675ca7fd8cebec230a09e7c86b5', '1794945642884', NULL, '1794945637607', NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1eb18-dcd4-7286-83e5-e6285284c787', NULL, NULL, '0', 'false', 'engine', NULL, NULL, NULL);
insert into kept_schema.runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, origin, expired_at, purged_at, error_code) overriding system value values ('01a1eb18-e925-72a4-a97b-4646ec539742', 'default/default/default', 'settled', '1', 'settled', '1', 'COMPLETED', NULL, NULL, '1', '317a0e3adc68d15ec863e0d766b1c0e1', '2', 'ea020e87-f013-414a-926c-049247e3477e', '5', 'eb85173c1962252b5896ca6a6e37caa8bee38d7637e6353e4fb1c23bc3560b2f', '1794945640835', NULL, '1794945640797', NULL, '{"kind":"kept"}', '6f4b6612125fb3a0daecd2799dfd6c9c299424fd920f9b308110a2c1fbd8f443', 'settled-once', NULL, '01a1eb18-e925-72a4-a97b-4646ec539742', NULL, NULL, '0', 'false', 'engine', NULL, NULL, NULL);
insert into kept_schema.runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, origin, expired_at, purged_at, error_code) overriding system value values ('01a1eb18-e98c-74e8-9528-2c8ecee21b72', 'default/default/default', 'sleeping', '1', 'sleeping', '1', 'RUNNING', 'timer', '01a1eb18-e88e-75f5-ba08-071d4a476394', '1', 'c4ad40dec536596f335463dc7a15f89d', '2', '305b5e82-c6c4-4687-8f62-f1db5bcb8d64', '4', 'd6a13eb84f5fa4a4f660192d71e8983c9aa76571227f4293d419d88e8a179c1f', '1794945640860', '1794945645860', '1794945640851', NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1eb18-e98c-74e8-9528-2c8ecee21b72', NULL, NULL, '0', 'false', 'engine', NULL, NULL, NULL);
insert into kept_schema.runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, origin, expired_at, purged_at, error_code) overriding system value values ('01a1eb18-e998-7608-8652-32704d017155', 'default/default/default', 'listening', '1', 'listening', '1', 'RUNNING', 'signal', '01a1eb18-e88e-75f5-ba08-071d4a476394', '1', '617f851d51f8aa338911bd64a6378fbd', '2', '4c2182fc-fb77-44e7-a37b-d2f2dc043bcb', '5', '7503d0739a578ff81f699567a1280cc3ec39b1fb40c2993f4ba4c696d0f1920e', '1794945640991', NULL, '1794945640863', NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1eb18-e998-7608-8652-32704d017155', NULL, NULL, '0', 'false', 'engine', NULL, NULL, NULL);
insert into kept_schema.runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, origin, expired_at, purged_at, error_code) overriding system value values ('01a1eb18-e9a6-700c-9b89-da871bae5e0d', 'default/default/default', 'parent', '1', 'parent', '1', 'RUNNING', 'child', '01a1eb18-e88e-75f5-ba08-071d4a476394', '1', '74a4c2d27df54d81a5a109f981c9e2cf', '1', '0d200885-9cba-4bd9-9372-506775627a14', '2', '6fa33cb89e1ef387c11ef4e5ccf48b960e35421eff36774ce6190eb0d59cb372', '1794945640875', NULL, '1794945640875', NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1eb18-e9a6-700c-9b89-da871bae5e0d', NULL, NULL, '0', 'false', 'engine', NULL, NULL, NULL);
insert into kept_schema.runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, origin, expired_at, purged_at, error_code) overriding system value values ('01a1eb18-e9a7-757d-9321-7a0526977cca', 'default/default/default', 'the-child', '1', 'child', '1', 'RUNNING', 'signal', '01a1eb18-e88e-75f5-ba08-071d4a476394', '1', 'a97b5152a996a99fa3a37ca5d4ee5ce7', '2', 'd30332f7-9074-4a8e-aea8-9a7fe5aed57b', '3', 'aa410bb14999619f24a10d889f0edd9ff6a58cea3349a5503b6709b34c9844d2', '1794945640957', NULL, '1794945640875', NULL, '{}', '66fb24cb21354877635a93dab77577d75c67408441b22f433c4c30e6506f15c3', NULL, NULL, '01a1eb18-e9a7-757d-9321-7a0526977cca', '01a1eb18-e9a6-700c-9b89-da871bae5e0d', 'child', '0', 'false', 'engine', NULL, NULL, NULL);
insert into kept_schema.runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, origin, expired_at, purged_at, error_code) overriding system value values ('01a1eb18-f21f-74c8-906c-b69dc503d590', 'default/default/default', 'halfway', '1', 'halfway', '1', 'RUNNING', NULL, '01a1eb18-e88e-75f5-ba08-071d4a476394', '1', '59650a8cee4277f3d6daa9b9998667f2', '2', 'caca4c08-7f62-4b5d-bc0c-95aadff4cb81', '4', 'd9cbe5e1f92d9402e3bb2cbb189b1955a92010e5e9471f855f422aef0b9d4cd9', '1794945643050', '1794945643043', '1794945643043', NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1eb18-f21f-74c8-906c-b69dc503d590', NULL, NULL, '0', 'false', 'engine', NULL, NULL, NULL);
insert into kept_schema.shelves (shelf, key, value, version, at) overriding system value values ('messages:default/default/default', 'child/1', '{"workflow":"child","version":"1","input":{"name":"input","schema":{},"whole":true},"signals":[{"name":"answer","schema":{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"number"},"required":true,"whole":true}],"updates":[],"views":[]}', '1', '1794945637464');
insert into kept_schema.shelves (shelf, key, value, version, at) overriding system value values ('messages:default/default/default', 'doubtful/1', '{"workflow":"doubtful","version":"1","input":{"name":"input","schema":{},"whole":true},"signals":[],"updates":[],"views":[]}', '1', '1794945637464');
insert into kept_schema.shelves (shelf, key, value, version, at) overriding system value values ('messages:default/default/default', 'halfway/1', '{"workflow":"halfway","version":"1","input":{"name":"input","schema":{},"whole":true},"signals":[],"updates":[],"views":[]}', '1', '1794945637464');
insert into kept_schema.shelves (shelf, key, value, version, at) overriding system value values ('messages:default/default/default', 'listening/1', '{"workflow":"listening","version":"1","input":{"name":"input","schema":{},"whole":true},"signals":[{"name":"go","schema":{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"string"},"required":true,"whole":true},{"name":"later","schema":{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"string"},"required":true,"whole":true}],"updates":[{"name":"rename","schema":{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"string"},"required":true,"whole":true}],"views":[{"name":"name","schema":{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"string"},"required":true,"whole":true}]}', '1', '1794945637464');
insert into kept_schema.shelves (shelf, key, value, version, at) overriding system value values ('messages:default/default/default', 'parent/1', '{"workflow":"parent","version":"1","input":{"name":"input","schema":{},"whole":true},"signals":[],"updates":[],"views":[]}', '1', '1794945637464');
insert into kept_schema.shelves (shelf, key, value, version, at) overriding system value values ('messages:default/default/default', 'settled/1', '{"workflow":"settled","version":"1","input":{"name":"input","schema":{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"number"},"required":true,"whole":true},"signals":[],"updates":[],"views":[{"name":"seen","schema":{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"number"},"required":true,"whole":true}]}', '1', '1794945637464');
insert into kept_schema.shelves (shelf, key, value, version, at) overriding system value values ('messages:default/default/default', 'sleeping/1', '{"workflow":"sleeping","version":"1","input":{"name":"input","schema":{},"whole":true},"signals":[],"updates":[],"views":[]}', '1', '1794945637464');
insert into kept_schema.views (run_id, name, value) overriding system value values ('01a1eb18-e925-72a4-a97b-4646ec539742', 'seen', '21');
insert into kept_schema.views (run_id, name, value) overriding system value values ('01a1eb18-e998-7608-8652-32704d017155', 'name', '"Ada"');
select setval(pg_get_serial_sequence('kept_schema.inbox', 'inbox_id'), max(inbox_id)) from kept_schema.inbox;
