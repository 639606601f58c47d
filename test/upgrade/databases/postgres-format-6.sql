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
  constraint runs_pkey PRIMARY KEY (run_id)
) with (fillfactor=60);

CREATE INDEX runs_decision ON kept_schema.runs USING btree (scope, created_at) WHERE (waiting = 'decision'::text);

CREATE INDEX runs_due ON kept_schema.runs USING btree (owner, scope, workflow, version, due_at, run_id) WHERE (due_at IS NOT NULL);

CREATE UNIQUE INDEX runs_generation ON kept_schema.runs USING btree (scope, workflow_id, generation);

CREATE INDEX runs_newest ON kept_schema.runs USING btree (scope, created_at, run_id);

CREATE INDEX runs_parent ON kept_schema.runs USING btree (parent_run_id) WHERE (parent_run_id IS NOT NULL);

CREATE UNIQUE INDEX runs_start_key ON kept_schema.runs USING btree (scope, idempotency_key) WHERE (idempotency_key IS NOT NULL);

create table kept_schema.shelves (
  shelf text collate "C" not null,
  key text collate "C" not null,
  value text not null,
  version bigint not null,
  at bigint not null,
  constraint shelves_pkey PRIMARY KEY (shelf, key)
) with (fillfactor=80);

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

insert into kept_schema.accepted (storage_key, accepted_at, expires_at, run_id, inbox_id, version, response) overriding system value values ('sig:default:default:default:listening:later:later-1', '1794909499663', NULL, '01a1e8f1-7080-7680-8108-6eac8b350885', '1', '1', '{"accepted":true,"workflowId":"listening","signalName":"later","signalId":"later-1","acceptedAt":"2026-11-17T09:58:19.663Z","signalStorageKey":"sig:default:default:default:listening:later:later-1"}');
insert into kept_schema.accepted (storage_key, accepted_at, expires_at, run_id, inbox_id, version, response) overriding system value values ('upd:default:default:default:listening:rename:rename-1', '1794909499740', NULL, '01a1e8f1-7080-7680-8108-6eac8b350885', '2', '1', '{"accepted":true,"workflowId":"listening","signalName":"rename","signalId":"rename-1","acceptedAt":"2026-11-17T09:58:19.740Z","signalStorageKey":"upd:default:default:default:listening:rename:rename-1"}');
insert into kept_schema.effects (run_id, seq, version, scope, workflow_id, step_id, name, class, key, args_digest, status, phase, attempts, engine_attempts, error, event_seq, created_at, updated_at, receiver) overriding system value values ('01a1e8f1-5ab7-7490-9b95-733eada0e8a6', '4', '1', 'default/default/default', 'doubtful', 'charge', 'charge', 'AT-MOST-ONCE', 'pawl-514ada373f75ca36ffb4fa387eeea411fe470953a152ec4449f0a0f6f3aa29da', NULL, 'indeterminate', 'doubt', '1', '1', '{"code":"PAWL2001","reason":"it began and nobody recorded how it ended"}', '5', '1794909494005', '1794909501268', NULL);
insert into kept_schema.engines (engine_id, lease_until, dead, serves, renewed_at, lock_key, lock_server) overriding system value values ('01a1e8f1-5a0a-77ce-a6da-0475d90abbea', '1794909503839', 'true', '[{"workflow":"settled","version":"1"},{"workflow":"sleeping","version":"1"},{"workflow":"listening","version":"1"},{"workflow":"doubtful","version":"1"},{"workflow":"halfway","version":"1"},{"workflow":"child","version":"1"},{"workflow":"parent","version":"1"}]', '1794909493839', '8498370101623759096', '1794909488594');
insert into kept_schema.engines (engine_id, lease_until, dead, serves, renewed_at, lock_key, lock_server) overriding system value values ('01a1e8f1-6e47-707b-aef7-637c6a07f8cb', '1794909511268', 'false', '[{"workflow":"settled","version":"1"},{"workflow":"sleeping","version":"1"},{"workflow":"listening","version":"1"},{"workflow":"doubtful","version":"1"},{"workflow":"halfway","version":"1"},{"workflow":"child","version":"1"},{"workflow":"parent","version":"1"}]', '1794909501268', '-4956706342183771066', '1794909488594');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1e8f1-5ab7-7490-9b95-733eada0e8a6', '1', 'c2f73d26-0628-4b21-9ff2-315e710ed49a', 'RunStarted', NULL, '1', '1', '9509f2b3e1a4754aa01ba1ba6e798d32f689dcf3cf5c56733f5327ea2a57756f', '1794909493952', '{"parsed":true,"codeVersion":"1","from":"none","engine":"01a1e8f1-5a0a-77ce-a6da-0475d90abbea"}', '4035650a8964a095c02d462fa8d9dace', '845f67efab72f37e7475dba4a1f86336f084d18cb8d64fb272a8021968ab5a35', '53382789670898adb96d77a8ce70d8019db5af7f97a4af60261fc54376d9102d', '1794909493985', '1', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1e8f1-5ab7-7490-9b95-733eada0e8a6', '2', '37c4c1d7-bfc7-452b-83dc-d6be3ea2c836', 'StepStarted', 'order', '1', '1', '1bc79d91b53fdfe9d7ee2b975271006ddde96f79e986df73a9fa9b2338899bcb', '1794909493974', '{"kind":"effect","name":"order","digest":"799d7256bcab06d415e9f017db67b402ee0091972b47d904f8ff7accea7f6687","class":"UNDECLARED"}', '25edcc485db2a939f3bf8d84a415c689', '4be9b5d1c7aa48464546d7eebdb1bca84e4472a47254321d2b091dd645e9a00c', '8d8acc2ec561de38ed82e0ab11acea448c12c441259e968553cab0a73dd7f4a2', '1794909493985', '1', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1e8f1-5ab7-7490-9b95-733eada0e8a6', '3', '921633ae-3db6-44b6-b676-4e1acde3588f', 'StepCompleted', 'order', '1', '1', 'e737920b8ca144752f20e6ecb521c3eaf7c796c1908867a5f35d4ea9b4ed8e27', '1794909493995', '{"result":7}', 'c518cd4fa419dad85edcf6af242cba4c', 'd522634db38133c231a3c65bee48339e468068771ab66716c64e774928ab7ff4', '652d759b55da3908ed42cc669807f0bded1c27082e721fbea9326a0e8f073d15', '1794909494005', '2', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1e8f1-5ab7-7490-9b95-733eada0e8a6', '4', 'd43aafe4-10c0-4a59-9b5b-162259e84d93', 'StepStarted', 'charge', '1', '1', '561833bf18497ad2cb442c45d5687bd8bb6adfe288480545ae491c43a42a4675', '1794909493996', '{"kind":"effect","name":"charge","digest":"2ec79112be9dddff500c39c27d48b690db462962e412c10028ff5eeaf2d040b9","class":"AT-MOST-ONCE","timeoutMs":60000}', '8f1a79a6f54728341d7a8c097a4b90c8', '43d68fbe12153aa922915c68ee17e236bb065c5b13dba676e0fdf0c964be6318', '53cac81ff286215990e5b78239d3c421b5d2e471cf2fca1dfb2bd3850bcf89d3', '1794909494005', '2', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1e8f1-5ab7-7490-9b95-733eada0e8a6', '5', '353fef46-9bb0-48bd-9a3c-5c7e59dd598a', 'pawl.StepInDoubt', NULL, '1', '1', '5f4f8efedcb5e3ca237c5564a3de6e4808954b2b83d910661eb0e3963013de22', '1794909501260', '{"stepId":"charge","reason":"it began and nobody recorded how it ended","code":"PAWL2001"}', '1323cbe594506f7bb3c093f409436343', '0817ee532f553391056cacb4cafa8c5b90ec6d0287b7e75af3ea964141333d7c', '0799007e733a744c582aca0b333bd17d472e41b96fa0e18172199110e77b7108', '1794909501268', '3', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1e8f1-7001-7183-b9ea-2ee0a9b0cb54', '1', '2647c6e1-e3bc-475c-83c7-b23b0ba9a9c3', 'RunStarted', NULL, '1', '1', 'a6b3dcf2c68bf505f5c962fcddea2f6767eb160071b1fa5e1b865e5339cf998a', '1794909499407', '{"input":21,"parsed":true,"codeVersion":"1","from":"none","engine":"01a1e8f1-6e47-707b-aef7-637c6a07f8cb"}', 'e746e10c3ce2174c830d0666190b5953', '569df9109f739c7550408040f23d16cefd00e2d1e27a7a95b4c1c91083330cd6', '74f3dc508b4279b220ddeae00b2a9a2c82a492f8c7bc67d44770cf518a9cfb5f', '1794909499446', '1', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1e8f1-7001-7183-b9ea-2ee0a9b0cb54', '2', 'b4c415da-1179-495e-b3dc-7eb402ea0a98', 'pawl.ViewPublished', NULL, '1', '1', '1c016049cc20d42152345321ba849f163867f1de9862876314a8d812ce2f7cd7', '1794909499408', '{"name":"seen","value":21}', '6704b7830d29a50731e62456bc617b1b', '16b5c4071128a452d73585cbbdbea1eec938c39a917e008babfe93ad979b765a', '6ebe8c5db3c72adebc1c8d6bd20c02db977c64c37ea8b7a13fd74f4379ea21cb', '1794909499446', '1', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1e8f1-7001-7183-b9ea-2ee0a9b0cb54', '3', '69943965-49fe-4785-a865-5bda92deb85c', 'StepStarted', 'double', '1', '1', '9f0d5b7d955f09d430527b59391e6d0cb5c9e206991b532b534af58ea19aa1d5', '1794909499409', '{"kind":"effect","name":"double","digest":"ee9ff8738b77f6cb9c3d0cd45ac165bc9e65f949afd79b7dd809848242b0b772","class":"UNDECLARED"}', 'ea64ef49bb31282348a42959ff79e56c', '8fbe84dbe0df47213e8b09065522de3f2fe57655384d078580257bacd2b48602', '029344d47849ba43229efa55528064f4e56fcce58c353d2fe27b4515fb271e05', '1794909499446', '1', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1e8f1-7001-7183-b9ea-2ee0a9b0cb54', '4', '694dd2c8-0310-462b-87a8-435f8175499b', 'StepCompleted', 'double', '1', '1', '618e50fe10f63b4fe1af5c5bd8cdf308eeb8e664d811b2dc2d0073b7b008fdba', '1794909499475', '{"result":42}', '40718a1a76b363e71e37d87be09e66dd', 'b3ac65514a971b717dbb949607fd7d0d322a59548ab3c7c834e37b9fd4744c8a', '3dec6d34f837986c4c5fcd4ddeb803377e14a8d79d32d8e3c49c86a356bde347', '1794909499487', '2', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1e8f1-7001-7183-b9ea-2ee0a9b0cb54', '5', '6c9a3cef-b1a8-489f-b76e-15295148b7ed', 'RunCompleted', NULL, '1', '1', 'ccc7e60c5ffaaf018ed034e89cfc7208cb0b26e22cfb6535518ba2424fd3a0b3', '1794909499475', '{"result":42,"from":"RUNNING","engine":"01a1e8f1-6e47-707b-aef7-637c6a07f8cb"}', '9a42a0ff1e1104047c1eff461f289756', '7f3d5b08fcfd2062f25d92c8df7924670e9af26b6f82bef523c22353e979b408', 'e1de282658f7b9a925960f24bfd86ef243a89841d4fd6a3c033d357b3836da56', '1794909499487', '2', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1e8f1-706b-75e7-823d-3d1d8b7a9ddd', '1', '13591c15-0c43-46cf-8989-72e8e3efcb54', 'RunStarted', NULL, '1', '1', '2cfb984ace2bec7033fb5d014c2db563040e8fbe093ed71a8d7a0b00fcca53ab', '1794909499506', '{"parsed":true,"codeVersion":"1","from":"none","engine":"01a1e8f1-6e47-707b-aef7-637c6a07f8cb"}', '57ec2a2417c2f02b723a070b08452b56', '7db28e7eb57455ad7bccac29939253641966083ffa67c622661aa562c464fdd9', '6b4c983b864ca44282f6eb4ba0108eaf65ce289510eccf79623c78e33a99448f', '1794909499508', '1', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1e8f1-706b-75e7-823d-3d1d8b7a9ddd', '2', '97aecb12-cfb4-4623-b85b-5841fc4eabe5', 'StepStarted', 'before', '1', '1', '2ba544f50a08c6715058c2b64173bff77beae6a85e33d7a7e31ebba1cf0701bf', '1794909499506', '{"kind":"effect","name":"before","digest":"05bfe291a21a0d1f5f4657f5211cbe8150d540997b33667c9d3ea79321335833","class":"UNDECLARED"}', 'ff2cc4029bf0c9c6dd02e682e2b7f64c', '31aa86ffc9275ccfa79676d25e7de61d5dfb73a5c8827672d909e8ef65ea129e', 'e9adef5ac25358e27ca14bf2bc956ba32a8c124ac79aa4b77b2d5a70a5b0d58d', '1794909499508', '1', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1e8f1-706b-75e7-823d-3d1d8b7a9ddd', '3', '89624ade-8438-4a5b-b7b5-2b7d26719f59', 'StepCompleted', 'before', '1', '1', 'd7716fff8257d8bf159e57f19f3d23f1378323aec8a06c840a8ff6f3b75793e1', '1794909499519', '{"result":"slept"}', 'db22f09e10158994a627200d39e62c65', '358c43df701766ac6b94d92b3115fec9276c65ea70ffeaad4bbf21a845eba85d', 'ee8fd92e2254461ea6f81434312990990ae824347972bdf1e0de1ec55f6e26b6', '1794909499522', '2', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1e8f1-706b-75e7-823d-3d1d8b7a9ddd', '4', '3bdaed5d-81bf-4294-b89b-ff43b19afee3', 'StepStarted', 'nap', '1', '1', 'f4ea8580bcc74d2895ddcdd1fc3c67a18c49b8324d6025a90d1aee62bff0c37e', '1794909499520', '{"kind":"timer","name":"nap","digest":"538b904f34061c9af68dfac9bc3e3f2aa12c8f0274ac1a58dec9793584cd778e","delayMs":5000}', '99c2c2916093298c30bf0093acaba882', '3c15bfa07e8cda0fd1659f0182e0a24c1f3842b4684d1ea270b9fa9b4b645b32', 'b07f2c11c953a8119dae5e96f710275214e03c0fb797884d25bac31fd0cfed89', '1794909499522', '2', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1e8f1-7080-7680-8108-6eac8b350885', '1', '2978a537-11bc-4017-be1e-ead2263c6f86', 'RunStarted', NULL, '1', '1', '962ab67e900d08c2b84aea6774d0b3fabc7f17c562ccdc8edb36cc33cdb58c46', '1794909499522', '{"parsed":true,"codeVersion":"1","from":"none","engine":"01a1e8f1-6e47-707b-aef7-637c6a07f8cb"}', '5f907a44b3ac92781e7f60a6431d56c1', '41d63c462a7af0938c9a2ee3d3dd6134f8a444f63194bb929f9ca0ff09164bcc', '1b6d83d6422e183f5ed3510f8be0339c017ba4743bdce78781567780994cb24c', '1794909499559', '1', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1e8f1-7080-7680-8108-6eac8b350885', '2', '3dd50abd-f67f-4b4d-9edd-e62a94ace559', 'StepStarted', 'go', '1', '1', '63c6c45769d1ae912b805a47ff87c90fd01e82851bd1328dc82f9b68904d5727', '1794909499523', '{"kind":"signal","name":"go","digest":"3f5b2441e270ad2f461312a47e3f1f735c673b3b83fdb595499e9ce0c6e46d28","signal":"go"}', '2fa8e96b4ee1f96ddb19cf0e33edb402', '43c8232f86d12917fd69fdb08d27cac51b495c2de6dabb20e322d4c1fe8e9894', 'de9e7da8845d5eee11418f69f77f32c506b4c659d2f4ba96c398ff9e6ad27382', '1794909499559', '1', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1e8f1-7080-7680-8108-6eac8b350885', '3', '899ec789-c570-4864-a9de-da0ea0f067be', 'pawl.UpdateAccepted', NULL, '1', '1', 'b36edf70f91f454de25cfa9b4c862df822a09c74e46c1a94c83725920f4db809', '1794909499779', '{"updateId":"rename-1","name":"rename","inboxId":2,"input":"Ada"}', 'aea76400255278959ac8960e183aa286', '957a1d7f88b78f7c4636497de3747ed15ba866687ab2e03595632448f4316742', 'ed1d401650b854f013ca75bf58f22f5f5f7a3e1be5d55659934f6c11dbcea5dc', '1794909499799', '2', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1e8f1-7080-7680-8108-6eac8b350885', '4', '199815fb-5728-4a2f-b6bd-f885fda2342e', 'pawl.ViewPublished', NULL, '1', '1', 'fa01f7d205076552e76b7a8d16f72e97d4f4ce5ce80661e00fc5fc1ddbf1c31a', '1794909499782', '{"name":"name","value":"Ada"}', '5a1470dcb29e2b9c31a5bf04aaabb73e', '2ff530853f19ba83aac3722e58a95a2748995a057a858f383d0df78ba8c6ef2b', '1bcbebdf14bcf35e417710b2a755b96d21697a716a478950a6fad242b3e09dc4', '1794909499799', '2', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1e8f1-7080-7680-8108-6eac8b350885', '5', '72d9d834-50ea-4c69-a2ec-a13a18442f55', 'pawl.UpdateCompleted', NULL, '1', '1', '573af59ad02d8042c5466a25d6d17fb8a2c457690455cc1c25034acb696bca31', '1794909499782', '{"updateId":"rename-1","answer":{"ok":true,"result":"renamed Ada"}}', 'c7763b41359071322c1e09c439cbe329', '2418f4a415daf2e53ebd6c4524c2f28f3eb1e0ab37c6479e291b566abce402a0', '0423200a3850030909d1b1e1959b8bf70f6b6cd1631f802ed1397f3561073ab3', '1794909499799', '2', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1e8f1-70bd-717d-b748-0f750207a128', '1', '017524ce-9ce5-467c-bd7a-d3b87b677bfb', 'RunStarted', NULL, '1', '1', '75ebebaac1fea7f32e6318b6bf500b4f039f49c5be25b8729e1de28833cd29bd', '1794909499592', '{"parsed":true,"codeVersion":"1","from":"none","engine":"01a1e8f1-6e47-707b-aef7-637c6a07f8cb"}', '651a0ca97b628c0a5a235faed1040c73', '8e67392fe8954ada090a40bb3f8cefa4c0116b638bb4d62e8290df0e54c9c84d', 'f62045a982da1e1b92577811edab0444910d2cfec1bfc50c49adbbd16848c564', '1794909499625', '1', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1e8f1-70bd-717d-b748-0f750207a128', '2', 'e749492d-b0d8-420d-a59e-a206a21e4dbd', 'StepStarted', 'child', '1', '1', '9c82480d86cbaecba892732730db5bd12c166c37eda6330fcf15393232fbef80', '1794909499602', '{"kind":"child","name":"child","digest":"117651691b2a9336f86f4d9b0d54adbaae27db196460c3c4d8f700218d6505ed","child":{"runId":"01a1e8f1-70c9-77cd-9706-4fcf3f9405d2","workflowId":"the-child","workflow":"child"},"input":{"$pawl":"undefined"}}', '464dae2c559b265cda500f0f1fb4adfe', 'f699c50be55769b3c0cabd5fca7840bc3889affda66c7c336a6dfab2149c339c', '6154a8e7bc5e0cf48485cdb29be37eb1c3a5fd2c41129f471ee864210b84706e', '1794909499625', '1', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1e8f1-70c9-77cd-9706-4fcf3f9405d2', '1', 'b1d8feae-87af-437b-ad6f-7e91bfd839b7', 'RunQueued', NULL, '1', '1', '8fc6ecc332078e6629c6b0fffb89793ef221e21d98f1155b632f9b9549586379', '1794909499593', '{"input":{"$pawl":"undefined"},"engine":"01a1e8f1-6e47-707b-aef7-637c6a07f8cb"}', 'fb89dcba66e8ad9e15bbca595a78c30c', '7fdcfc55c961f4dd3b9c8418e60c527c4c5680dcdb5171f46d2ca6137ddd1e5c', 'b6dfacb322b9f9ed55c82845fe9c6f0460732f6cc76faa55bd527cb7e771f147', '1794909499625', '1', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1e8f1-70c9-77cd-9706-4fcf3f9405d2', '2', '17774499-9c98-4303-bc16-a74b898786d7', 'RunStarted', NULL, '1', '1', '3521ced14a5afc487df2f27641d889ea696f47796f9517aa367522388f48aa4d', '1794909499682', '{"parsed":true,"codeVersion":"1","from":"PENDING","engine":"01a1e8f1-6e47-707b-aef7-637c6a07f8cb"}', 'd906be49acc4276dfcc35412c64067cd', 'd78a42dc36ca93fa0280e0dfcb55f14bb62c688919c96549b6b1760822c73507', 'bd466cc2e67e16e6abe55b351d7d135e142a76acf0f5ec41f20d41ed36b34510', '1794909499729', '2', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1e8f1-70c9-77cd-9706-4fcf3f9405d2', '3', '5deebcad-10c9-4128-a77e-e9b8894c12e3', 'StepStarted', 'answer', '1', '1', 'ed7405f5b9abb5d52d43bbd2830c1672a49c831b3a0a672f010ce39a2028b313', '1794909499695', '{"kind":"signal","name":"answer","digest":"6af44cf9a32d7a8596ddd574de00e2d0e036802c46e1f63c4dd7966c382e4c35","signal":"answer"}', '75e3b94276f3f2b85242f0619e0a592a', 'cf24d917d27a74ffa9ef1af7616afb10750d51ac1cc1de67e0e7093c888ca58c', 'b7e6809b275bdf215a2ce9e39cfaa30494e5c0914262e10b45ebe804d7c956d2', '1794909499729', '2', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1e8f1-77f2-70c2-b835-fba4a3c59eb6', '1', '60c733d7-1f39-443e-ab77-6f6e86136a3e', 'RunStarted', NULL, '1', '1', '39cc347977d80100b1bc589378346e9b1869bf099de35be693ff7fb389532e31', '1794909501430', '{"parsed":true,"codeVersion":"1","from":"none","engine":"01a1e8f1-6e47-707b-aef7-637c6a07f8cb"}', '673e8376927eafd0277a43167280f016', '315d4742b8fbb0aeaaa8ef09728223a3ea911ed97d3365e810e8278d1cc91c2a', '5a1a4dfc504a4c32878405642f1c4fe9d00d2368763d21b14e87026a424baf8c', '1794909501430', '1', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1e8f1-77f2-70c2-b835-fba4a3c59eb6', '2', '02bbe6b2-9f92-4820-9644-a8de347ad966', 'StepStarted', 'one', '1', '1', '0345ae92bfe08eae569e2b3070669ae29d7492fc8ceda755bdc100eb917be329', '1794909501430', '{"kind":"effect","name":"one","digest":"65ef844c98b3e85b70e6c5192d76d1b60a81a310e6ba93e27b447a5ad881c94b","class":"UNDECLARED"}', '5f5e8fd66bfa27ce55f729441b8db368', '73bf5743b27b3bb23fc14313fc63993728d29bf3db0f4f585c5f8249707ffd37', 'a1f2d423fd67c91aeec94c013345591f1e600b4c235951d3c6ed61dc02a71d5f', '1794909501430', '1', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1e8f1-77f2-70c2-b835-fba4a3c59eb6', '3', '5619b09f-5d83-42e4-b057-2157fd8b264e', 'StepCompleted', 'one', '1', '1', '59caa1ed2b06103521e57215902cf06bbb436167b3b974baa159d18f7ba494c8', '1794909501434', '{"result":1}', 'c79d0a38b2724dfc029f899b49b68f84', '7d8d8d64ca7a421b350680b4316a6ef284115a184f5607d8e259d9ca8e2abb87', '763ecc11324dc9abe5bd58aaec951f071fe34f74b09886663f1c7f5cebb0891b', '1794909501437', '2', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1e8f1-77f2-70c2-b835-fba4a3c59eb6', '4', 'fa2bc813-e9eb-42ea-820e-b01bdc13ed11', 'StepStarted', 'two', '1', '1', '1d62f1b942f79881a525ebf5b7a71c2c3607645ddcdc25a4309b0e8e3e2dbf1d', '1794909501434', '{"kind":"effect","name":"two","digest":"a98cec722f9d81d928ab82e4904c332bd488d86208c0d5a9e5abed5d03a2c30b","class":"REPEATABLE"}', 'd6d39b62e5df167a1fc170266df204a7', '9b2f59ab3133c61de924358483b1f6e123139ac394305f8ad448fed83ba32dc8', '02ae1970051b2926042dab80c6174303f5d3a623df2217b89289bab0fe3305a4', '1794909501437', '2', NULL);
insert into kept_schema.inbox (inbox_id, run_id, kind, name, id, payload, accepted_at, taken, consumed, wakes, reply, dedup_key) overriding system value values ('1', '01a1e8f1-7080-7680-8108-6eac8b350885', 'signal', 'later', 'later-1', '"first"', '1794909499663', 'true', 'false', 'false', NULL, 'sig:default:default:default:listening:later:later-1');
insert into kept_schema.inbox (inbox_id, run_id, kind, name, id, payload, accepted_at, taken, consumed, wakes, reply, dedup_key) overriding system value values ('2', '01a1e8f1-7080-7680-8108-6eac8b350885', 'update', 'rename', 'rename-1', '"Ada"', '1794909499740', 'true', 'true', 'false', '{"ok":true,"result":"renamed Ada"}', 'upd:default:default:default:listening:rename:rename-1');
insert into kept_schema.meta (one, format, oldest_reader, oldest_writer, incarnation, store_id, identity) overriding system value values ('true', '6', '1', '1', '1', '02767692-dd21-4442-a8f9-b664bae1559f', '7709077538184006916/1/5');
insert into kept_schema.runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, origin, expired_at, purged_at) overriding system value values ('01a1e8f1-5ab7-7490-9b95-733eada0e8a6', 'default/default/default', 'doubtful', '1', 'doubtful', '1', 'RUNNING', 'decision', '01a1e8f1-6e47-707b-aef7-637c6a07f8cb', '2', 'b8d0b3210b544fa1a4a10b3fb84a8494', '3', '8c45687c-2c08-48d5-ade9-0f95c21ec784', '5', '0799007e733a744c582aca0b333bd17d472e41b96fa0e18172199110e77b7108', '1794909501268', NULL, '1794909493985', NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1e8f1-5ab7-7490-9b95-733eada0e8a6', NULL, NULL, '0', 'false', 'engine', NULL, NULL);
insert into kept_schema.runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, origin, expired_at, purged_at) overriding system value values ('01a1e8f1-7001-7183-b9ea-2ee0a9b0cb54', 'default/default/default', 'settled', '1', 'settled', '1', 'COMPLETED', NULL, NULL, '1', 'cadfb7c75a2c7725e66a1a60397280db', '2', 'd48e38b9-0132-4ca1-91a1-d1b008aaaf42', '5', 'e1de282658f7b9a925960f24bfd86ef243a89841d4fd6a3c033d357b3836da56', '1794909499487', NULL, '1794909499446', NULL, '{"kind":"kept"}', '6f4b6612125fb3a0daecd2799dfd6c9c299424fd920f9b308110a2c1fbd8f443', 'settled-once', NULL, '01a1e8f1-7001-7183-b9ea-2ee0a9b0cb54', NULL, NULL, '0', 'false', 'engine', NULL, NULL);
insert into kept_schema.runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, origin, expired_at, purged_at) overriding system value values ('01a1e8f1-706b-75e7-823d-3d1d8b7a9ddd', 'default/default/default', 'sleeping', '1', 'sleeping', '1', 'RUNNING', 'timer', '01a1e8f1-6e47-707b-aef7-637c6a07f8cb', '1', 'a2fb1dfecd2c2e8f8786d1e2a755118b', '2', '4db40b25-c63b-473d-a13c-c59470970986', '4', 'b07f2c11c953a8119dae5e96f710275214e03c0fb797884d25bac31fd0cfed89', '1794909499522', '1794909504522', '1794909499508', NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1e8f1-706b-75e7-823d-3d1d8b7a9ddd', NULL, NULL, '0', 'false', 'engine', NULL, NULL);
insert into kept_schema.runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, origin, expired_at, purged_at) overriding system value values ('01a1e8f1-7080-7680-8108-6eac8b350885', 'default/default/default', 'listening', '1', 'listening', '1', 'RUNNING', 'signal', '01a1e8f1-6e47-707b-aef7-637c6a07f8cb', '1', 'e7ea4d0b5c727b103393ea71a5670443', '2', 'ad4049ef-49e4-4a36-95a0-681abe631942', '5', '0423200a3850030909d1b1e1959b8bf70f6b6cd1631f802ed1397f3561073ab3', '1794909499799', NULL, '1794909499559', NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1e8f1-7080-7680-8108-6eac8b350885', NULL, NULL, '0', 'false', 'engine', NULL, NULL);
insert into kept_schema.runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, origin, expired_at, purged_at) overriding system value values ('01a1e8f1-70bd-717d-b748-0f750207a128', 'default/default/default', 'parent', '1', 'parent', '1', 'RUNNING', 'child', '01a1e8f1-6e47-707b-aef7-637c6a07f8cb', '1', 'f84070dff7a4ef2d7f794bb8dc95c8f0', '1', 'b83046d8-28f6-4ac0-ad1b-890f816366a9', '2', '6154a8e7bc5e0cf48485cdb29be37eb1c3a5fd2c41129f471ee864210b84706e', '1794909499625', NULL, '1794909499625', NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1e8f1-70bd-717d-b748-0f750207a128', NULL, NULL, '0', 'false', 'engine', NULL, NULL);
insert into kept_schema.runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, origin, expired_at, purged_at) overriding system value values ('01a1e8f1-70c9-77cd-9706-4fcf3f9405d2', 'default/default/default', 'the-child', '1', 'child', '1', 'RUNNING', 'signal', '01a1e8f1-6e47-707b-aef7-637c6a07f8cb', '1', '278a45416d61f24a5e52933cb2562f03', '2', 'ac8fc4d9-34ca-4f5a-bf3d-a1f81023a7cd', '3', 'b7e6809b275bdf215a2ce9e39cfaa30494e5c0914262e10b45ebe804d7c956d2', '1794909499729', NULL, '1794909499625', NULL, '{}', '66fb24cb21354877635a93dab77577d75c67408441b22f433c4c30e6506f15c3', NULL, NULL, '01a1e8f1-70c9-77cd-9706-4fcf3f9405d2', '01a1e8f1-70bd-717d-b748-0f750207a128', 'child', '0', 'false', 'engine', NULL, NULL);
insert into kept_schema.runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, origin, expired_at, purged_at) overriding system value values ('01a1e8f1-77f2-70c2-b835-fba4a3c59eb6', 'default/default/default', 'halfway', '1', 'halfway', '1', 'RUNNING', NULL, '01a1e8f1-6e47-707b-aef7-637c6a07f8cb', '1', '2368ee31da1d3ef003fefb02af952af7', '2', 'fc685a44-eb4e-45db-a7ac-bd9a06a3f2c0', '4', '02ae1970051b2926042dab80c6174303f5d3a623df2217b89289bab0fe3305a4', '1794909501437', '1794909501430', '1794909501430', NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1e8f1-77f2-70c2-b835-fba4a3c59eb6', NULL, NULL, '0', 'false', 'engine', NULL, NULL);
insert into kept_schema.views (run_id, name, value) overriding system value values ('01a1e8f1-7001-7183-b9ea-2ee0a9b0cb54', 'seen', '21');
insert into kept_schema.views (run_id, name, value) overriding system value values ('01a1e8f1-7080-7680-8108-6eac8b350885', 'name', '"Ada"');
select setval(pg_get_serial_sequence('kept_schema.inbox', 'inbox_id'), max(inbox_id)) from kept_schema.inbox;
