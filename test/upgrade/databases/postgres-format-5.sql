create schema kept_schema;

create table kept_schema.accepted (
  storage_key text collate "C" not null,
  accepted_at bigint not null,
  expires_at bigint,
  run_id text not null,
  inbox_id bigint not null,
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

insert into kept_schema.accepted (storage_key, accepted_at, expires_at, run_id, inbox_id) overriding system value values ('sig:default:default:default:listening:later:later-1', '1794836748839', NULL, '01a1e49b-5a0f-734e-a437-f1bac679843e', '1');
insert into kept_schema.accepted (storage_key, accepted_at, expires_at, run_id, inbox_id) overriding system value values ('upd:default:default:default:listening:rename:rename-1', '1794836748857', NULL, '01a1e49b-5a0f-734e-a437-f1bac679843e', '2');
insert into kept_schema.effects (run_id, seq, version, scope, workflow_id, step_id, name, class, key, args_digest, status, phase, attempts, engine_attempts, error, event_seq, created_at, updated_at, receiver) overriding system value values ('01a1e49b-55b1-7470-be32-cd58e310ee6f', '4', '1', 'default/default/default', 'doubtful', 'charge', 'charge', 'AT-MOST-ONCE', 'pawl-6018277ea74b1964bc3fc5f600060ffdf63b50b6dcb24df512d11dde5c7daaed', NULL, 'indeterminate', 'doubt', '1', '1', '{"code":"PAWL2001","reason":"it began and nobody recorded how it ended"}', '5', '1794836747724', '1794836750785', NULL);
insert into kept_schema.engines (engine_id, lease_until, dead, serves, renewed_at, lock_key, lock_server) overriding system value values ('01a1e49b-5588-7303-b491-e819985a43f8', '1794836757671', 'true', '[{"workflow":"settled","version":"1"},{"workflow":"sleeping","version":"1"},{"workflow":"listening","version":"1"},{"workflow":"doubtful","version":"1"},{"workflow":"halfway","version":"1"},{"workflow":"child","version":"1"},{"workflow":"parent","version":"1"}]', '1794836747671', '4283774740523869828', '1794836746455');
insert into kept_schema.engines (engine_id, lease_until, dead, serves, renewed_at, lock_key, lock_server) overriding system value values ('01a1e49b-59b5-70dd-8376-eed9bb38f3c6', '1794836760785', 'false', '[{"workflow":"settled","version":"1"},{"workflow":"sleeping","version":"1"},{"workflow":"listening","version":"1"},{"workflow":"doubtful","version":"1"},{"workflow":"halfway","version":"1"},{"workflow":"child","version":"1"},{"workflow":"parent","version":"1"}]', '1794836750785', '-5636827978222762478', '1794836746455');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e49b-55b1-7470-be32-cd58e310ee6f', '1', 'd28a719d-b313-4020-8868-797b972c9e69', 'RunStarted', NULL, '1', '1', '87de9062f07365c6c1587bc619aba162f1bc68b2e07ab8fe198f64b2d7270534', '1794836747702', '{"parsed":true,"codeVersion":"1","from":"none","engine":"01a1e49b-5588-7303-b491-e819985a43f8"}', 'a976daa1dddb5d97ef59cf8a2d31322d', '1ee4fb7144631ab2c428af15be4a3d68dcb74e00044053ca94ab3ba1cf394d5b', '3a843752cb6f0125174598319e56ce88bff74937efab69549cc9f7b281d664ad', '1794836747714', '1');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e49b-55b1-7470-be32-cd58e310ee6f', '2', '832f5641-6d13-4947-8c5a-b0071b1ae492', 'StepStarted', 'order', '1', '1', '0aaa38aac757c5d38250b3934ae8113df9ec2674177b2e966f6b76aab352b76d', '1794836747705', '{"kind":"effect","name":"order","digest":"799d7256bcab06d415e9f017db67b402ee0091972b47d904f8ff7accea7f6687","class":"UNDECLARED"}', '4b9478bf8aac1f067f4ec01394c9db7a', 'befda6d4004c1f1b4930840d4dd8abdb12df138b6fef2850fee299ece974711b', '9652ee1adec7b6077055762743ef94baaa19eeccfe512d40e1e75c3ab679dba3', '1794836747714', '1');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e49b-55b1-7470-be32-cd58e310ee6f', '3', '50b01886-58c8-4a9b-ad41-a63774926dac', 'StepCompleted', 'order', '1', '1', '4b9bb218bcdd1126b25d9cbe6133a60c6a7de9197d7180fcb91fc74522b39a3a', '1794836747719', '{"result":7}', '99bfcad7a09e5ac5e0dbf22ddb4a73e5', '8479044522c04e29845499bc594344b6bd8dd0d2fcf7d3f00af06c449a2ba28d', '0867fcf9dbedec2b414662292be011deb28c05934206b468795a3d89c2729917', '1794836747724', '2');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e49b-55b1-7470-be32-cd58e310ee6f', '4', 'c83aace7-798e-469b-98a9-a94bf8bddc00', 'StepStarted', 'charge', '1', '1', '40ae3511abadb1407e2530cab5a0f098dfb6022119935782c86a2b5f2803bfbb', '1794836747720', '{"kind":"effect","name":"charge","digest":"2ec79112be9dddff500c39c27d48b690db462962e412c10028ff5eeaf2d040b9","class":"AT-MOST-ONCE","timeoutMs":60000}', 'b525f020f7d705caeb70cc4ddebc5c00', '0a33bebfd730c169b2caa295705b2262e0dcbefe62a2ecd88280d1c3c7df1ba8', 'ffa8abedd15a17c8a2c7bc4c9acfcc03f6c43c1d2a19989ff96fb2ad3829e770', '1794836747724', '2');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e49b-55b1-7470-be32-cd58e310ee6f', '5', '7ff032b0-3e90-418e-8a5d-29c6b76a0b74', 'pawl.StepInDoubt', NULL, '1', '1', '71d104f6b5894adfe97ee0ba356718801e1328748d11792dadb94bce4d67b3f8', '1794836750782', '{"stepId":"charge","reason":"it began and nobody recorded how it ended","code":"PAWL2001"}', '246d01c4ae1a26c00964a67b1f00cc77', 'aeac1270a68038075e896c83a2ba6185ce6b551a9694a78627b5a9fd423e181e', 'd1429c05a0314eac4453817d2f229aa00ef1053701f7ad919fce32faa06233d4', '1794836750785', '3');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e49b-59e8-7748-a64f-92540abfaddd', '1', '81e2a197-57fa-4867-a781-876d723a951b', 'RunStarted', NULL, '1', '1', 'b71847cea1834a0cbaa344bf552f5d9f4bfea85d9fdd69ad06d9a5617f8ed4a4', '1794836748780', '{"input":21,"parsed":true,"codeVersion":"1","from":"none","engine":"01a1e49b-59b5-70dd-8376-eed9bb38f3c6"}', 'ac7038bcc2c3c297643c385ee633ce5f', 'ccea08dec61893eac634c11c1a52e468813eaf10494cdf2e10423404ad2815e6', '35679989a1e1f8bd3894698da7324e77c7ab6a91cca8042cef1e2d7b64c15d48', '1794836748789', '1');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e49b-59e8-7748-a64f-92540abfaddd', '2', '28d1fc8b-485b-4791-b604-32d83daf21b6', 'pawl.ViewPublished', NULL, '1', '1', '57a1de943497d3d4b7f3a58e6102f6f2ba8c4b1fdeefcb73077da5c2e5b51f3e', '1794836748781', '{"name":"seen","value":21}', 'a9999aa0b8817ac10d517ad5e4eaf105', '186f20bafddf31973210d75d82404a20b300fc736153d68c6f99eef989297b9c', '4bab558da39112cd0cc54326ee893f66da19d166856947bed6ec5585e984e576', '1794836748789', '1');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e49b-59e8-7748-a64f-92540abfaddd', '3', 'cc0e0507-e67a-4b1a-8c3c-9489f15fd4ba', 'StepStarted', 'double', '1', '1', '68ec5d85f2b768c66819460049bfe3f1dc78df366ed2c300f0895e288a139bc4', '1794836748782', '{"kind":"effect","name":"double","digest":"ee9ff8738b77f6cb9c3d0cd45ac165bc9e65f949afd79b7dd809848242b0b772","class":"UNDECLARED"}', 'e3eead94e86f44d502deb1f772d78881', '68aa33b260b7b53d22323888dc17a35657ff1f8b7dda3f460de4164749d9ba4e', '190e04be3ec2e136c8ee91eb2e227ee0ae5900c5aaabe47b32e2b25f200355ee', '1794836748789', '1');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e49b-59e8-7748-a64f-92540abfaddd', '4', '713b3fb3-d578-41ef-b474-8019ae61ee98', 'StepCompleted', 'double', '1', '1', '53bcf2a731830a39e718b192e956b7b711eba7ffc0d9e76e2fb5a16004c6e057', '1794836748794', '{"result":42}', 'b3db646255b7ec30b75510bc893addd6', '1f01b2a76bca89784b3733a1639ad9221c54d18133236b0a8d0d821191d004e0', 'b47504f5306dddf7f96d963123f4c49aab3767d5aca98ccb6d7ca303e3549ffd', '1794836748798', '2');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e49b-59e8-7748-a64f-92540abfaddd', '5', 'e58a9f08-65f6-4a1d-99b2-3e9951dedc5d', 'RunCompleted', NULL, '1', '1', '088d9011e9beac4d296db22775f6cd3e14fbfcdbc31686d7fd98b92cac2b5b8a', '1794836748795', '{"result":42,"from":"RUNNING","engine":"01a1e49b-59b5-70dd-8376-eed9bb38f3c6"}', '446fd1addaf125e59f79cd40237802f6', 'c73dfcb7759621c9d9dace2413ababde0f8f7ccf64ef972c65abc0bf980f9189', '00ad1eae50f634eaabbe81d1f563b7723e93b26cc3589e06e886d178692813f4', '1794836748798', '2');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e49b-5a00-75c1-ac76-2e6d271b8902', '1', 'd68bd7cd-827d-458f-88e9-d6c4425335b5', 'RunStarted', NULL, '1', '1', '3d1841f912cbb74199b40cacdc19afba6b83ffd724c076cec021cb0c5f4de653', '1794836748809', '{"parsed":true,"codeVersion":"1","from":"none","engine":"01a1e49b-59b5-70dd-8376-eed9bb38f3c6"}', '0a84501a877637c0532826b9aeb27604', 'd25833f9012ddc9eca1ecfbbe9b222da190ae9da21b3654b256e1df5d60e2031', '0f4b0684c286da16f5caed9b7fdcc26d084e0dd56c23b912c2ea53ff1bd6c41e', '1794836748813', '1');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e49b-5a00-75c1-ac76-2e6d271b8902', '2', 'c44217bb-19c3-46b8-839d-1b012df1dd08', 'StepStarted', 'before', '1', '1', '4a7bbf8d546c5331f03050d67c9f3c41a40d7683e8a0b30a20cdfcb5238d9334', '1794836748810', '{"kind":"effect","name":"before","digest":"05bfe291a21a0d1f5f4657f5211cbe8150d540997b33667c9d3ea79321335833","class":"UNDECLARED"}', '8f8dbf64bf92ff5049d6c27827d98890', '059cbb131e231df6682d2759c6e7e0e8d436e902c3b6d939857a4495ffaa4935', '24d6ef40583743a5720b135b16cf656f0e98edec0dda42be2c124e3b40cd830e', '1794836748813', '1');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e49b-5a00-75c1-ac76-2e6d271b8902', '3', 'fade8e2e-c915-4b14-ad56-546b98e3ee5c', 'StepCompleted', 'before', '1', '1', '0a269916344e87065460904e837f586f317eb6b161c38b7b3c9a28947cdbd629', '1794836748815', '{"result":"slept"}', 'dd4122758232dccb84a199768ebd192e', '35f6fae0329a85a64a57f6432064363cece71f3b11052726da27c9227971f6a6', 'e050cd62d6322609c69ee6f0ff4394bdc65da07c0a9bac5953e813c5991269ca', '1794836748817', '2');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e49b-5a00-75c1-ac76-2e6d271b8902', '4', 'b7c16915-7088-4565-8cfd-9261f7ad56d5', 'StepStarted', 'nap', '1', '1', '03bc901afd2f86b7c01632cb1b216b7960ad853573125694110bc4a1f13baa0b', '1794836748816', '{"kind":"timer","name":"nap","digest":"538b904f34061c9af68dfac9bc3e3f2aa12c8f0274ac1a58dec9793584cd778e","delayMs":5000}', 'b5f0b16d34b0b2f1e20cf12fd693f0a6', '259fe18974dd927da07ef2e8ee6c54858424c21918a07b6a0073f5dbac3de567', 'a609e90f40b86ac46611034fe64402d870c3c50ba6a63449d0e6cd95c07cee09', '1794836748817', '2');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e49b-5a0f-734e-a437-f1bac679843e', '1', '2de513ab-5d2f-4990-b524-99ec3d7639b8', 'RunStarted', NULL, '1', '1', 'e907480c96b656703958c74faf0d581b35b38ac6d657aa4e2dc31c556de9ed90', '1794836748817', '{"parsed":true,"codeVersion":"1","from":"none","engine":"01a1e49b-59b5-70dd-8376-eed9bb38f3c6"}', 'd7999c912030405ee41c2b23bed72eb4', 'edb5dcec58c80257684407dc648a8c25b3938b7324efc3f29f56c250f0d6bd18', 'c917817abb9228442342c03f4d20359b9219ae5843209c966c3dc058a53c4a5a', '1794836748820', '1');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e49b-5a0f-734e-a437-f1bac679843e', '2', '2f9b78fc-4daa-4402-89ff-3ad47a2a9cbf', 'StepStarted', 'go', '1', '1', '1158c5fbcc2f631aa1992d046f09aa5a48c90ae24b4047c82c593178e0f4ab9f', '1794836748817', '{"kind":"signal","name":"go","digest":"3f5b2441e270ad2f461312a47e3f1f735c673b3b83fdb595499e9ce0c6e46d28","signal":"go"}', '882cc489b1e15a6c1e58c9b7129f0b05', 'd8f8bffdb9a5fcfb4e4fb5f92dc3630f9a72b96d928eac6bb07dd03338b94d25', '41133f350135e6fb0107bec1efe6ca72eb3260c177fa768d46a6ce055c50029f', '1794836748820', '1');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e49b-5a0f-734e-a437-f1bac679843e', '3', 'af3416b7-1c8e-4db8-82ce-17b65ce095ef', 'pawl.UpdateAccepted', NULL, '1', '1', '5fa9c8e812564f295fe5053e0e2de46939ecb80bf0a29766f64602d9706a0c86', '1794836748862', '{"updateId":"rename-1","name":"rename","inboxId":2,"input":"Ada"}', 'f47b4f9bf596c06580cb895963884680', 'b127bb76d617281abcbc9719a5fce3cdfdb69096c661d370b4df3541007e8c41', 'dd9ed0f62bba74e5623f648efd379250585880caa4e3962c673df8ba90224140', '1794836748870', '2');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e49b-5a0f-734e-a437-f1bac679843e', '4', '1315daf7-22f4-4072-b4bd-694e846a2c74', 'pawl.ViewPublished', NULL, '1', '1', 'bab9e9892d95541188ef5658243e4254e9dc7da6c38d11b9d27303d9252e9021', '1794836748863', '{"name":"name","value":"Ada"}', 'd107c88adf4390a854fd8a3bea55c16b', '8614a69666d787ff95f33a3735992fd953cd6a7c4247f30976348095a64b9ebf', 'da237da00ede2a454959d5ffa3d25fc5fa6b824ed4128a2cd6fd4f0d412fb8ca', '1794836748870', '2');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e49b-5a0f-734e-a437-f1bac679843e', '5', '6030e033-6b78-49b8-94a9-1f93910f3734', 'pawl.UpdateCompleted', NULL, '1', '1', 'a4a7e2867262aa2e762c6fae9f4a760c937a9d6442a1734cf69334546699b54d', '1794836748864', '{"updateId":"rename-1","answer":{"ok":true,"result":"renamed Ada"}}', '20e4d48d8447afd9bda26e7dd3813552', 'b91fc3abfca870473d77a2b463897b136ffeca8a36e017935ac3e1726e41fe7e', '66869b09a8569daa01d350446b7a1aaf8645bc0d320cf75fbb765ff2d12383ee', '1794836748870', '2');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e49b-5a15-7567-a6fc-be40a5ed33bd', '1', '58c07513-a640-46a7-87e3-305552a7cd80', 'RunStarted', NULL, '1', '1', '7cacf325770ee2992f6384372856eb6b1eae83d989bf157dff36110da7ee5b0f', '1794836748822', '{"parsed":true,"codeVersion":"1","from":"none","engine":"01a1e49b-59b5-70dd-8376-eed9bb38f3c6"}', '68a083b0d8d3cba9ad0b64b807938a5d', '1b0d342942b3dfc1fcc087bf849a2108f2eb2423e6eddb763d0dbdb89f75fff7', '221c4ac129e14f9cd7b6ab831ee97f5c50e19e078b28f63173169285ca8dbf0c', '1794836748825', '1');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e49b-5a15-7567-a6fc-be40a5ed33bd', '2', '29fa322d-3421-41a3-bf06-f6271e6a282b', 'StepStarted', 'child', '1', '1', 'f1e5556117c77654281f270036eea0a103d3957d13df294e217d01591112219b', '1794836748823', '{"kind":"child","name":"child","digest":"117651691b2a9336f86f4d9b0d54adbaae27db196460c3c4d8f700218d6505ed","child":{"runId":"01a1e49b-5a17-773d-803f-f021964d25f0","workflowId":"the-child","workflow":"child"},"input":{"$pawl":"undefined"}}', '077e2cb65f4964743f39a19066e95b1a', 'cf3b119577ee9b179a6b570a846df8f29843bd380c260065511bdd9732465571', '612450e6f240ca572f980af77d2263ef84ad77372702a19e38c5a8aedb723ab6', '1794836748825', '1');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e49b-5a17-773d-803f-f021964d25f0', '1', 'ce306b18-e086-445e-8f5a-bb72c03b19fa', 'RunQueued', NULL, '1', '1', '9b03319b5ba2f6985ac65bf32f66f2617afea72839134dba7f841353ea604a29', '1794836748823', '{"input":{"$pawl":"undefined"},"engine":"01a1e49b-59b5-70dd-8376-eed9bb38f3c6"}', '125e5410728ba205b8322e2730a3f333', '4f9e923b882e3ca89cab37f514f3ae151416c159b3d17a2dc5a36ae077fc3067', '20322922ffd90f529ac19e12bd75d1be67be9b706026d9e1fbf6030c0bd9d86c', '1794836748825', '1');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e49b-5a17-773d-803f-f021964d25f0', '2', '43825a85-61ad-42e4-9635-a2aef06b90f2', 'RunStarted', NULL, '1', '1', '868e2f00b55141db39c49e206d9bcc549b444a2ed9943e743b7abf40de97c1eb', '1794836748851', '{"parsed":true,"codeVersion":"1","from":"PENDING","engine":"01a1e49b-59b5-70dd-8376-eed9bb38f3c6"}', 'f093b1f65fe526020e8e77d0854d22b0', 'd9467f42a3790ab7563fae90f52f4c2223e4fe45866e424d98b90ead9a972f2b', 'd6f46de11b4abca78d168fcefaa3544134c34ba5079d8476e08284e2f51988f9', '1794836748853', '2');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e49b-5a17-773d-803f-f021964d25f0', '3', '08c8467b-1663-4d2f-8eb8-f48df7cf5df0', 'StepStarted', 'answer', '1', '1', '7a56d75bb70da749a7b715ddb78730bd39bdcf7190c0c61dc9c3190b0b1ca8fe', '1794836748852', '{"kind":"signal","name":"answer","digest":"6af44cf9a32d7a8596ddd574de00e2d0e036802c46e1f63c4dd7966c382e4c35","signal":"answer"}', '22b2786035951259efc3ca1d6483c832', 'e976d7c17a80fb956a96d4feeef36a8104ddf982bdfb9e867669955ec2b728e6', 'fbfbba7272c9a231b9f64a16e50b8f53d4d8dd0a77e207c2edeb5b272e9aee13', '1794836748853', '2');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e49b-61e9-701a-b092-6ef7451386b6', '1', '90b71839-bb2f-400d-b7a0-ff3356110077', 'RunStarted', NULL, '1', '1', '80477eb17536e1471f06a94efd70216a6a2a81bf5787d8c01fb9d83196980596', '1794836750826', '{"parsed":true,"codeVersion":"1","from":"none","engine":"01a1e49b-59b5-70dd-8376-eed9bb38f3c6"}', '11f2a7e777439f5975d5cb0d0f7750b7', '5e04f3d3e8e826cf9862812ddfde99c28739c75f860a53d8a7827ec54b6e3515', 'c4028855d14211accaf84723d8aad801a322192fd2369c453d9d403813588c46', '1794836750827', '1');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e49b-61e9-701a-b092-6ef7451386b6', '2', '92eb4420-0769-4d74-bac6-3ef14d603482', 'StepStarted', 'one', '1', '1', 'a58be741e4a09cb043040352356ccd0e1f9ac09ef77f555e31b51c1240be12f6', '1794836750826', '{"kind":"effect","name":"one","digest":"65ef844c98b3e85b70e6c5192d76d1b60a81a310e6ba93e27b447a5ad881c94b","class":"UNDECLARED"}', '4ce7d57304149428cc23c9849c3f46c8', 'a5336f6f75084f57fa7c6022ef3981e37e0384ee39ee3f819d852b458512b6c9', '714fb4b25ce6354700e4c3f242bb0217f3b77a2bf80ee05f706ccbfce798e17c', '1794836750827', '1');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e49b-61e9-701a-b092-6ef7451386b6', '3', '24628f52-d1c5-4e11-aa19-fa9e9f685755', 'StepCompleted', 'one', '1', '1', 'dbbc377010571a185d8995652f801ae3ce976e5df51f5df2332475b954c1d734', '1794836750828', '{"result":1}', '1f88ef773f5911e6ea1e273c48a32335', 'aeb5842b06236ac16b0d2a6192b59889f191bcdb933c23db9cc6b693a8e934d1', 'e10fdc189210a75366f0c9b61244be71be4f6da4361891889a65023879623881', '1794836750828', '2');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e49b-61e9-701a-b092-6ef7451386b6', '4', '9811a75a-7267-4362-beb7-99d62510bb22', 'StepStarted', 'two', '1', '1', 'f36861dcee517fb8d6d52915a0316359da0843d1d7f8a0e2d524cdf5f1646180', '1794836750828', '{"kind":"effect","name":"two","digest":"a98cec722f9d81d928ab82e4904c332bd488d86208c0d5a9e5abed5d03a2c30b","class":"REPEATABLE"}', '4322aa163a5c0ae52b9047f58f826be7', 'df9ae2cb9a43206c510df264e41397dc63c5ad8aa20da29509ceaf5fd9d8a0eb', 'e7de3f0e28fa2cfb9f51718ccc29dc389273f3a0c59432aafb0aec3432fd988b', '1794836750828', '2');
insert into kept_schema.inbox (inbox_id, run_id, kind, name, id, payload, accepted_at, taken, consumed, wakes, reply, dedup_key) overriding system value values ('1', '01a1e49b-5a0f-734e-a437-f1bac679843e', 'signal', 'later', 'later-1', '"first"', '1794836748839', 'true', 'false', 'false', NULL, 'sig:default:default:default:listening:later:later-1');
insert into kept_schema.inbox (inbox_id, run_id, kind, name, id, payload, accepted_at, taken, consumed, wakes, reply, dedup_key) overriding system value values ('2', '01a1e49b-5a0f-734e-a437-f1bac679843e', 'update', 'rename', 'rename-1', '"Ada"', '1794836748857', 'true', 'true', 'false', '{"ok":true,"result":"renamed Ada"}', 'upd:default:default:default:listening:rename:rename-1');
insert into kept_schema.meta (one, format, oldest_reader, oldest_writer, incarnation, store_id, identity) overriding system value values ('true', '5', '1', '1', '1', '464336f8-ecdd-40d4-9db8-995ed5bae2aa', '7708765124507053848/1/5');
insert into kept_schema.runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, origin, expired_at, purged_at) overriding system value values ('01a1e49b-55b1-7470-be32-cd58e310ee6f', 'default/default/default', 'doubtful', '1', 'doubtful', '1', 'RUNNING', 'decision', '01a1e49b-59b5-70dd-8376-eed9bb38f3c6', '2', 'd46787493029447e632b8c28cb854d07', '3', '412dbd01-6c90-4eb6-9676-ba9f3aff5c39', '5', 'd1429c05a0314eac4453817d2f229aa00ef1053701f7ad919fce32faa06233d4', '1794836750785', NULL, '1794836747714', NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1e49b-55b1-7470-be32-cd58e310ee6f', NULL, NULL, '0', 'false', 'engine', NULL, NULL);
insert into kept_schema.runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, origin, expired_at, purged_at) overriding system value values ('01a1e49b-59e8-7748-a64f-92540abfaddd', 'default/default/default', 'settled', '1', 'settled', '1', 'COMPLETED', NULL, NULL, '1', '227f0778c28e47e2805828fb6857da2c', '2', '852db795-2344-48a8-b376-c45d9029a885', '5', '00ad1eae50f634eaabbe81d1f563b7723e93b26cc3589e06e886d178692813f4', '1794836748798', NULL, '1794836748789', NULL, '{"kind":"kept"}', '6f4b6612125fb3a0daecd2799dfd6c9c299424fd920f9b308110a2c1fbd8f443', 'settled-once', NULL, '01a1e49b-59e8-7748-a64f-92540abfaddd', NULL, NULL, '0', 'false', 'engine', NULL, NULL);
insert into kept_schema.runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, origin, expired_at, purged_at) overriding system value values ('01a1e49b-5a00-75c1-ac76-2e6d271b8902', 'default/default/default', 'sleeping', '1', 'sleeping', '1', 'RUNNING', 'timer', '01a1e49b-59b5-70dd-8376-eed9bb38f3c6', '1', '52fb278b6b1c832750b442bd5e530f1c', '2', 'ee85e511-d85a-4908-b8f3-d09d936a3e4e', '4', 'a609e90f40b86ac46611034fe64402d870c3c50ba6a63449d0e6cd95c07cee09', '1794836748817', '1794836753817', '1794836748813', NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1e49b-5a00-75c1-ac76-2e6d271b8902', NULL, NULL, '0', 'false', 'engine', NULL, NULL);
insert into kept_schema.runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, origin, expired_at, purged_at) overriding system value values ('01a1e49b-5a0f-734e-a437-f1bac679843e', 'default/default/default', 'listening', '1', 'listening', '1', 'RUNNING', 'signal', '01a1e49b-59b5-70dd-8376-eed9bb38f3c6', '1', 'cdfc6fc469d6eaf0fa40a7a54c82f504', '2', '1a0680fc-3d31-469e-8448-5454070f6aa2', '5', '66869b09a8569daa01d350446b7a1aaf8645bc0d320cf75fbb765ff2d12383ee', '1794836748870', NULL, '1794836748820', NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1e49b-5a0f-734e-a437-f1bac679843e', NULL, NULL, '0', 'false', 'engine', NULL, NULL);
insert into kept_schema.runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, origin, expired_at, purged_at) overriding system value values ('01a1e49b-5a15-7567-a6fc-be40a5ed33bd', 'default/default/default', 'parent', '1', 'parent', '1', 'RUNNING', 'child', '01a1e49b-59b5-70dd-8376-eed9bb38f3c6', '1', 'e5125252e5c4e02e88bd59884293eb7a', '1', '56470bb3-f4ba-4627-b44a-4abe9f4b7cb7', '2', '612450e6f240ca572f980af77d2263ef84ad77372702a19e38c5a8aedb723ab6', '1794836748825', NULL, '1794836748825', NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1e49b-5a15-7567-a6fc-be40a5ed33bd', NULL, NULL, '0', 'false', 'engine', NULL, NULL);
insert into kept_schema.runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, origin, expired_at, purged_at) overriding system value values ('01a1e49b-5a17-773d-803f-f021964d25f0', 'default/default/default', 'the-child', '1', 'child', '1', 'RUNNING', 'signal', '01a1e49b-59b5-70dd-8376-eed9bb38f3c6', '1', 'b9fd4039016f583bf4380922596f3e07', '2', 'fba2e4be-03c5-4f93-8ff5-59601829ae58', '3', 'fbfbba7272c9a231b9f64a16e50b8f53d4d8dd0a77e207c2edeb5b272e9aee13', '1794836748853', NULL, '1794836748825', NULL, '{}', '66fb24cb21354877635a93dab77577d75c67408441b22f433c4c30e6506f15c3', NULL, NULL, '01a1e49b-5a17-773d-803f-f021964d25f0', '01a1e49b-5a15-7567-a6fc-be40a5ed33bd', 'child', '0', 'false', 'engine', NULL, NULL);
insert into kept_schema.runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, origin, expired_at, purged_at) overriding system value values ('01a1e49b-61e9-701a-b092-6ef7451386b6', 'default/default/default', 'halfway', '1', 'halfway', '1', 'RUNNING', NULL, '01a1e49b-59b5-70dd-8376-eed9bb38f3c6', '1', '47499d388b0f82fa3879e5255b275854', '2', 'da02e018-81ed-454b-876a-da3fc9d40937', '4', 'e7de3f0e28fa2cfb9f51718ccc29dc389273f3a0c59432aafb0aec3432fd988b', '1794836750828', '1794836750827', '1794836750827', NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1e49b-61e9-701a-b092-6ef7451386b6', NULL, NULL, '0', 'false', 'engine', NULL, NULL);
insert into kept_schema.views (run_id, name, value) overriding system value values ('01a1e49b-59e8-7748-a64f-92540abfaddd', 'seen', '21');
insert into kept_schema.views (run_id, name, value) overriding system value values ('01a1e49b-5a0f-734e-a437-f1bac679843e', 'name', '"Ada"');
select setval(pg_get_serial_sequence('kept_schema.inbox', 'inbox_id'), max(inbox_id)) from kept_schema.inbox;
