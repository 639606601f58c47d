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
  worker text collate "C",
  constraint effects_pkey PRIMARY KEY (run_id, seq),
  constraint effects_state CHECK (((status = ANY (ARRAY['completed'::text, 'failed'::text, 'cancelled'::text, 'timed-out'::text, 'indeterminate'::text])) AND (phase = ANY (ARRAY['queued'::text, 'dispatched'::text, 'retrying'::text, 'doubt'::text, 'settled'::text]))))
) with (fillfactor=80);

CREATE INDEX effects_doubt ON kept_schema.effects USING btree (scope) WHERE in_doubt;

CREATE INDEX effects_key ON kept_schema.effects USING btree (scope, key) WHERE (key IS NOT NULL);

CREATE INDEX effects_receiver ON kept_schema.effects USING btree (scope, receiver) WHERE (receiver IS NOT NULL);

CREATE INDEX effects_worker ON kept_schema.effects USING btree (scope, worker) WHERE (worker IS NOT NULL);

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
  constraint runs_pkey PRIMARY KEY (run_id),
  constraint runs_status CHECK ((status = ANY (ARRAY['PENDING'::text, 'RUNNING'::text, 'PAUSED'::text, 'COMPLETED'::text, 'FAILED'::text, 'CANCELLED'::text]))),
  constraint runs_waiting CHECK ((waiting = ANY (ARRAY['timer'::text, 'signal'::text, 'child'::text, 'retry'::text, 'worker'::text, 'decision'::text, 'drain'::text])))
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

insert into kept_schema.accepted (storage_key, accepted_at, expires_at, run_id, inbox_id, version, response) overriding system value values ('sig:default:default:default:listening:later:later-1', '1794988241063', NULL, '01a1eda2-f084-7315-93d1-4b6fff6e4b78', '1', '1', '{"accepted":true,"workflowId":"listening","signalName":"later","signalId":"later-1","acceptedAt":"2026-11-18T07:50:41.063Z","signalStorageKey":"sig:default:default:default:listening:later:later-1"}');
insert into kept_schema.accepted (storage_key, accepted_at, expires_at, run_id, inbox_id, version, response) overriding system value values ('upd:default:default:default:listening:rename:rename-1', '1794988241085', NULL, '01a1eda2-f084-7315-93d1-4b6fff6e4b78', '2', '1', '{"accepted":true,"workflowId":"listening","signalName":"rename","signalId":"rename-1","acceptedAt":"2026-11-18T07:50:41.085Z","signalStorageKey":"upd:default:default:default:listening:rename:rename-1"}');
insert into kept_schema.effects (run_id, seq, version, scope, workflow_id, step_id, name, class, key, args_digest, status, phase, attempts, engine_attempts, error, event_seq, created_at, updated_at, receiver, worker) overriding system value values ('01a1eda2-e86b-7167-86d0-67bc06df1007', '4', '1', 'default/default/default', 'doubtful', 'charge', 'charge', 'AT-MOST-ONCE', 'pawl-7f9f6aaa81fe42d1650b81e8d53438ae8e3e8337a00c1ff28f554074cfc01044', NULL, 'indeterminate', 'doubt', '1', '1', '{"code":"PAWL2001","reason":"it began and nobody recorded how it ended"}', '5', '1794988238979', '1794988242955', NULL, NULL);
insert into kept_schema.engines (engine_id, lease_until, dead, serves, renewed_at, lock_key, lock_server, scope, kind, works) overriding system value values ('01a1eda2-e815-760d-a181-9e3a6bc63ef9', '1794988248904', 'true', '[{"workflow":"settled","version":"1"},{"workflow":"sleeping","version":"1"},{"workflow":"listening","version":"1"},{"workflow":"doubtful","version":"1"},{"workflow":"halfway","version":"1"},{"workflow":"child","version":"1"},{"workflow":"parent","version":"1"}]', '1794988238904', '-7072622666456655452', '1794988236410', 'default/default/default', 'engine', NULL);
insert into kept_schema.engines (engine_id, lease_until, dead, serves, renewed_at, lock_key, lock_server, scope, kind, works) overriding system value values ('01a1eda2-efb5-7106-b688-cb58e17ced79', '1794988252955', 'false', '[{"workflow":"settled","version":"1"},{"workflow":"sleeping","version":"1"},{"workflow":"listening","version":"1"},{"workflow":"doubtful","version":"1"},{"workflow":"halfway","version":"1"},{"workflow":"child","version":"1"},{"workflow":"parent","version":"1"}]', '1794988242955', '-3299963527861478694', '1794988236410', 'default/default/default', 'engine', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1eda2-e86b-7167-86d0-67bc06df1007', '1', '4988fbe4-55ec-40af-a0f7-2aa2c06fd74b', 'RunStarted', NULL, '1', '1', 'c380aecbcdb9ec4bae2b99727e715c8ec7827006a08a30d81613d61c195bf2ce', '1794988238958', '{"parsed":true,"codeVersion":"1","from":"none","engine":"01a1eda2-e815-760d-a181-9e3a6bc63ef9"}', '2a2f3b2438fc42625ba526df0715c066', '9928acaed8ee5233f75ac7f41518c15556416a344a91bea7773ea2e93db34794', '6f21709ee583a33f8fe3c9c504de0077f07a947abc8e8b6e4a1a095faffa2465', '1794988238972', '1', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1eda2-e86b-7167-86d0-67bc06df1007', '2', '4efad0a4-2758-41ba-a6cd-77ae4b75889e', 'StepStarted', 'order', '1', '1', 'ed46847200a5927534d4126641b566e0ef9fd2e117c0b5c6e0616ab62ba53010', '1794988238961', '{"kind":"effect","name":"order","digest":"799d7256bcab06d415e9f017db67b402ee0091972b47d904f8ff7accea7f6687","class":"UNDECLARED"}', '16ec063fc0c729b9d3024f253a04283d', '9efa00fc9bbe87888e4d01f192e4df12606ddefd75b824406977760209e64833', '0bf86936d689722ee78899f4ffcad8c463e9160fd0dcf35ac84bccc6b99820f1', '1794988238972', '1', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1eda2-e86b-7167-86d0-67bc06df1007', '3', '74315945-0ca1-48b5-9252-fddd08c22d24', 'StepCompleted', 'order', '1', '1', 'd958dfd6cb1819f38480113d3a5ef8cea01705c81faf51242f50098600a87c76', '1794988238973', '{"result":7}', 'bbd771297eeae2ff9c770183e96ea1e4', '49b49ab1ca8300a5f8dff5c16829b383b8dfe0c34b13c0161fef9ed5319f62c8', '30ee02b1284a9e966cfbf311042c74563e5cbccafa38cabaf51eed2dc3aa6b97', '1794988238979', '2', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1eda2-e86b-7167-86d0-67bc06df1007', '4', '44dbf047-d1b4-4f5a-b6af-35a55dc6ad65', 'StepStarted', 'charge', '1', '1', '1e19ade622b580158d4dd2877583789243af76859da53a76884b62440fb38454', '1794988238974', '{"kind":"effect","name":"charge","digest":"2ec79112be9dddff500c39c27d48b690db462962e412c10028ff5eeaf2d040b9","class":"AT-MOST-ONCE","timeoutMs":60000}', 'b055f7cf6b8b6c82379aaaadd0b2d7a9', '955a067c9246fed34008801c39ec2adadbb37c657962db93a6111193e45c7230', '28e5c4f1df907481895804539626670b95c800504a95b8b5c39cfdc99426957a', '1794988238979', '2', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1eda2-e86b-7167-86d0-67bc06df1007', '5', '471ecb74-da21-45b5-b8b5-4bc5bec38652', 'pawl.StepInDoubt', NULL, '1', '1', '5e4501e0293014b5fe3fdaf8972a870431d92dfba77d3d5635ad0342a15931e8', '1794988242950', '{"stepId":"charge","reason":"it began and nobody recorded how it ended","code":"PAWL2001"}', 'aafdcb6ebd8eda7482651bab9e8f6899', '46e7bab73dd04c9dcfe66e46a6229ec721b442a434aad89649fec936dccae291', '98b9c468b8fc4d20982f9806c80305819002c4cd5fc258e1ac4d9074877cba3e', '1794988242955', '3', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1eda2-f02b-7452-a52e-e3e610384dae', '1', '1d834908-c3d5-4798-8e90-d3477269b852', 'RunStarted', NULL, '1', '1', 'eed39340be75ed8d0b3e5f90f9263f996fd64aee71ba87cf50ff8c2127699976', '1794988240940', '{"input":21,"parsed":true,"codeVersion":"1","request":"f351952114dbc24faebe50a8d9d74873e8b8227323b2193a81c35e4441fa6314","from":"none","engine":"01a1eda2-efb5-7106-b688-cb58e17ced79"}', 'ba0073dd28683b04472ab5cfe0dd5f7c', '4c8f54467e11eb747daee6bc6e3abbafba3e4a3b5418eb7c1ddfa090aa6bda6c', '54ab8a353770b3dd0e7f7445323df9853a292588e18c97b700330bd13262f830', '1794988241001', '1', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1eda2-f02b-7452-a52e-e3e610384dae', '2', '91c506e7-ac79-4d06-9c25-6e75beec93ed', 'pawl.ViewPublished', NULL, '1', '1', '2cc4729bbf64ffa8a5a799083efa365fdb8df717daca95607bb54e0eb8c0fc3d', '1794988240941', '{"name":"seen","value":21}', '00a655997185a24e3e43632af0ac540e', '14595830f371d4b76694f085d4a64e670e395dd3a76214ba33c93001177f5796', '9e5b145376cbb7830eb5ab5cc4fc902362749e9d48b4a1191f7430bffc25ee5b', '1794988241001', '1', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1eda2-f02b-7452-a52e-e3e610384dae', '3', 'd94cd749-bf21-4ff6-9146-bbcc2a8a35c2', 'StepStarted', 'double', '1', '1', 'ac7f158a8e14e455658965628437b406f9d211117f17f59eb8278a09ba3fc59e', '1794988240944', '{"kind":"effect","name":"double","digest":"ee9ff8738b77f6cb9c3d0cd45ac165bc9e65f949afd79b7dd809848242b0b772","class":"UNDECLARED"}', '584f00e206c8e580f8fc97c01836afcc', '7bdbb9800a13540e2b5057a30a4325041ccd5afca283baf0bd0fa4df1f6241ff', 'fb4c74ba909e79382b51ccd3eb5e2c4e8c2a79a1c16410af3ff7176488ba79c3', '1794988241001', '1', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1eda2-f02b-7452-a52e-e3e610384dae', '4', '939968df-ee0a-484d-9c12-d18223f8b4eb', 'StepCompleted', 'double', '1', '1', 'e3ac97f59709e5c7de4c82c9cca5b0ace9d04e280b8f0211fe842c4398bc3acf', '1794988241004', '{"result":42}', '0853c9f4858a127e93e6ad2fb74fa6e7', '855efa8e91ce89bf202724140d69020675c7a6687181976adce96cd72762b76e', 'a25638c0dc1f616065d6b0809eb00aa056be0052bc60c0cac9c49cc4c765b268', '1794988241014', '2', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1eda2-f02b-7452-a52e-e3e610384dae', '5', '60c01cda-412e-497f-890c-cbf6c4417ad4', 'RunCompleted', NULL, '1', '1', '503391b9237bbe57e7f792b9f2384d51ef4af460bb514617ea88666ec375ff8f', '1794988241005', '{"result":42,"from":"RUNNING","engine":"01a1eda2-efb5-7106-b688-cb58e17ced79","settledAt":1794988241005}', 'c6b78c557009dacd0907311cece11106', '5c2446f48d1fb3b59bd82c9e05f93c443e939192060a1a5cd829a2882258cf70', 'ca3f8666ff5041cb05527203cb6ad6c23547996200f33a49f19be6733f01a248', '1794988241014', '2', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1eda2-f07a-7172-8df1-2e54fe69b708', '1', '02fc0edd-27e4-49d0-809a-de006f121a7a', 'RunStarted', NULL, '1', '1', 'c7b5548b176a7682e102fd31b4b744406ea1d579f60d0c55759837a961e7a4ec', '1794988241020', '{"parsed":true,"codeVersion":"1","from":"none","engine":"01a1eda2-efb5-7106-b688-cb58e17ced79"}', 'fb16cdd5d349632c011dc1bb72f991d9', '31bb9619500dd2f65a7481cd943eb1db00854cbcced98bd8f774355922a602bb', 'c1859e83f02182fbd0c8994aaab3d7221e5bbdc7e1078342baf6806f6d783876', '1794988241026', '1', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1eda2-f07a-7172-8df1-2e54fe69b708', '2', 'd20e31db-0b75-4c42-9a20-9096fa7109d5', 'StepStarted', 'before', '1', '1', '64a7195ceb14173361d79893b0f45d762262a53bbb9eae2e81ad450de797493f', '1794988241021', '{"kind":"effect","name":"before","digest":"05bfe291a21a0d1f5f4657f5211cbe8150d540997b33667c9d3ea79321335833","class":"UNDECLARED"}', '691a1f9c6b01ed83f9610e12eb52a52f', 'c2fe8872babc138d83c558115ff848dc0409688eaebea7a1bdaacdbb569f5ebb', 'fb5012cfad090ebce89cb7744014e1147fcbc4739566ec03b21cad4539b1f3bc', '1794988241026', '1', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1eda2-f07a-7172-8df1-2e54fe69b708', '3', '139b5111-f09f-4894-aa4c-8253c8db8cea', 'StepCompleted', 'before', '1', '1', '7f7b8ca4c99a2c81e9b3233271796e63937368f1c8621a56655a821c2e004eb3', '1794988241026', '{"result":"slept"}', 'ddf420b6fcaefb52bba7e30209fefe46', '150a3d8ca3f106f396146981b3f8b3973308e3a49da4b923bcf02a668a58f566', '454525ca91296971940f6de6d292f0aef7e5748f94fed170f78a6d6b3181bbe4', '1794988241031', '2', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1eda2-f07a-7172-8df1-2e54fe69b708', '4', '82cbfbac-89f0-4622-8416-47363e579708', 'StepStarted', 'nap', '1', '1', '377d43396b53db1e9dc58df934d379eaa4dfe7a53ae02927b29ce951f8500f4b', '1794988241027', '{"kind":"timer","name":"nap","digest":"538b904f34061c9af68dfac9bc3e3f2aa12c8f0274ac1a58dec9793584cd778e","delayMs":5000}', 'c63de39be9854c64d593cde9fef8581f', 'c16d2483c976e6d39225e9231640fd9e076e87b5014bdbd368e24af11caaabd2', '28e822f96756a4a800e3cd09a4360a619bda244311b6a2af3241dc4ca3695933', '1794988241031', '2', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1eda2-f084-7315-93d1-4b6fff6e4b78', '1', '367b8229-558a-4b78-91e0-2f7b3cd53b83', 'RunStarted', NULL, '1', '1', '3d44fca6ff9bfe8ec7d6f0722d736a9b9ea1f257e49986490586e952bab07178', '1794988241028', '{"parsed":true,"codeVersion":"1","from":"none","engine":"01a1eda2-efb5-7106-b688-cb58e17ced79"}', '5e5b42e4a003932edd6a25d74c0994e2', '09bdd14744f85e9c0ce1ba8c128ee1f47e2710eea333103d0da206c153320ded', 'e3cda80d77b77266ee98342c81dca579aa95879f857bd1c89b41517bfe09fd27', '1794988241034', '1', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1eda2-f084-7315-93d1-4b6fff6e4b78', '2', 'f496f57d-8941-41b8-b19b-0e721710f96d', 'StepStarted', 'go', '1', '1', '19d73136655882df301cdde151e6a988d977424d56ec943ee81cc997f1b12cf3', '1794988241029', '{"kind":"signal","name":"go","digest":"3f5b2441e270ad2f461312a47e3f1f735c673b3b83fdb595499e9ce0c6e46d28","signal":"go"}', '8bffe642882ce36dfd0906d14314379e', '86a9413709b6ad84bd20745e6bb6860a79cf929f59c63b22b6da85477727303b', '2d379a8b02d8f006c45380371994b68fd9fc77438f00881b7cc38bbfbcbeb2e1', '1794988241034', '1', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1eda2-f084-7315-93d1-4b6fff6e4b78', '3', 'b16f65a0-e2d1-4661-a449-513516eaf93d', 'pawl.UpdateAccepted', NULL, '1', '1', '83c64f75963faabab148faa24d87f5bb4fc16dc75cc7d854297179a1bc1d1244', '1794988241094', '{"updateId":"rename-1","name":"rename","inboxId":2,"input":"Ada"}', '22d5d7debb4d84e2e5ef243f584270be', 'd95bb0ee49cf1e532589680769c114e94ebd9ccec4573794798cc86fb57f9844', '074a4fb92d01b51216e91e726812d6ea28fd9a1478b7025529045058439865b6', '1794988241109', '2', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1eda2-f084-7315-93d1-4b6fff6e4b78', '4', '1fd6884f-f824-4db2-855a-d97259228362', 'pawl.ViewPublished', NULL, '1', '1', 'b79dbddbf37d3cbfacff56bb26cbeaed1a14e8ebd1173e4535f817d3dccfdf17', '1794988241098', '{"name":"name","value":"Ada"}', '368a0e558323538a552cfe86dc1d29ee', '53189a829d64520cab643c1e36d864611e348e58bdaac275455a5857a4aa541e', 'b8d83a0185a22c9856973f7dc5c6a3a265af1a752fc3987c425c2e8d8f7128c3', '1794988241109', '2', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1eda2-f084-7315-93d1-4b6fff6e4b78', '5', '5a3f5c81-abd7-452d-ba04-429a5a9cb13b', 'pawl.UpdateCompleted', NULL, '1', '1', '123057fe0353b61e86800e0be6b955a137b5ff1ea0f2e593797a0a269dbae3af', '1794988241098', '{"updateId":"rename-1","answer":{"ok":true,"result":"renamed Ada"}}', '496e6e9696a363685c4aff3ec4c05124', 'cdd3f20add1c0071e61a83307680af426b6e1e5f2934b1c6ba2943052b1070e4', '293c5cad8bfeaad77481e4bd1b9c124e476cad96758fe93453881e171415c572', '1794988241109', '2', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1eda2-f08b-76a8-99ba-0279efd9fbcf', '1', 'ba25d9af-7551-4185-8494-647382a2fff8', 'RunStarted', NULL, '1', '1', '8b837fe8919b2d4c4f3fc7d762158542d44157a1536a2eae46b22a66a9c323b4', '1794988241034', '{"parsed":true,"codeVersion":"1","from":"none","engine":"01a1eda2-efb5-7106-b688-cb58e17ced79"}', '049349b3ddd1c194d311809f5f6bacb1', '4d902f665b5f62f2612866fe4fd5e1504414c7d74881434e7fb0fafa63ad779b', '251f36c5a0e72530fb170196d81eb633a41fcccaaef082b1e716b2199e9a454c', '1794988241042', '1', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1eda2-f08b-76a8-99ba-0279efd9fbcf', '2', '6120438f-12fb-4d76-85f1-82abf345deb2', 'StepStarted', 'child', '1', '1', '4f9288767450ac48f105eda6fe76bd61d63ad3efc470554d89a6f25a97bcf514', '1794988241036', '{"kind":"child","name":"child","digest":"117651691b2a9336f86f4d9b0d54adbaae27db196460c3c4d8f700218d6505ed","child":{"runId":"01a1eda2-f08d-7343-a859-95ab647c87b4","workflowId":"the-child","workflow":"child"},"input":{"$pawl":"undefined"}}', 'e3d699b4d4e65a65098b105d8b6725d2', 'fc2d979ca2999de95a758ccb577f271951d2b7cc7af10651e98c9e3316c980a1', '772ba63e9fd1723f8cb5c5ee02739da80d7125a05418a109ef8af2dcbe1e64e4', '1794988241042', '1', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1eda2-f08d-7343-a859-95ab647c87b4', '1', 'b5269ac4-2f91-4864-89bb-6cf91bc506a4', 'RunQueued', NULL, '1', '1', '21d32da39bd5566b3b372e1c167a26c0163367d20b507a306d7e1f9471d489d5', '1794988241035', '{"input":{"$pawl":"undefined"},"engine":"01a1eda2-efb5-7106-b688-cb58e17ced79"}', '815ded171b3e00008c8efa2ec67c5c08', '325d4e255fd217dffda4b57fc27dc6b920af392cc6b95e8c3e44ed1627f0f00a', 'e360c4164843629a16933ffc5adf1897840145c98bf8fe4bdea039f2761eff55', '1794988241042', '1', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1eda2-f08d-7343-a859-95ab647c87b4', '2', '21de2413-4da7-4f2a-8607-1b1e52548104', 'RunStarted', NULL, '1', '1', '70eb3e0b2f66fb808410fe9886624434e73fddefcc3f871ad7b36f0f52325729', '1794988241067', '{"parsed":true,"codeVersion":"1","from":"PENDING","engine":"01a1eda2-efb5-7106-b688-cb58e17ced79"}', 'ae211982afd96ceea29d6a99e1f29349', 'af02d597bf8212029bd4c0cd51b38baf22656b16b013d23b8b4a17d8a3c76370', '511ccd67357b466e60472fbf213185f549e77a6616299633249603292cf899b7', '1794988241076', '2', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1eda2-f08d-7343-a859-95ab647c87b4', '3', 'd1e6cdf9-7a00-47eb-86f7-add4a02d06b2', 'StepStarted', 'answer', '1', '1', 'f77c07f9e23e712c67a774473a83dca8940f9cfb12aa4c550f27ae3bc1eb61cf', '1794988241073', '{"kind":"signal","name":"answer","digest":"6af44cf9a32d7a8596ddd574de00e2d0e036802c46e1f63c4dd7966c382e4c35","signal":"answer"}', '4a2f8dd74a6c9564e39b52d94c8ac39a', 'f702033fbde94d3c0ef89fdc4331860d9391dd4ab7348462b451f1020b9c9d16', 'd8fc7205e50b96a346d2522d93ddc5f651b5ba686c2ddc8c4d42bdb9bea37bc0', '1794988241076', '2', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1eda2-f887-7793-b819-96f999532d9d', '1', 'da9958bd-bd62-4b0e-9357-281401834a2d', 'RunStarted', NULL, '1', '1', 'fb152ed4a3de9a768d93e215b48422986c6ddabf9f5b7bd5cd14c4bf86af08db', '1794988243081', '{"parsed":true,"codeVersion":"1","from":"none","engine":"01a1eda2-efb5-7106-b688-cb58e17ced79"}', 'f6b2e19e0152004291196ccc9ee8b43a', '1ae6093e4f01cfea7bb41e499fb649500041d2e14fbf1303c64325eb66c45d0a', '5755abeccc3d7a8d39851ffdb5502818f7640ff7fb780260dbc2b0a597dd06d1', '1794988243084', '1', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1eda2-f887-7793-b819-96f999532d9d', '2', '6887331e-e5aa-4fe3-8297-23fe69881081', 'StepStarted', 'one', '1', '1', '8701d1938cf2e90dbea1eeffc7d0fad4c977cb40086e355b787c49b7c4113769', '1794988243082', '{"kind":"effect","name":"one","digest":"65ef844c98b3e85b70e6c5192d76d1b60a81a310e6ba93e27b447a5ad881c94b","class":"UNDECLARED"}', '075588dfbdd43897a9f38346b6f24d25', 'fd186684bc6f62cefe8b301d290321774789682a4f4baa3de2f0c8932fe6d1ac', '8222264c5474304a1744c842d92c012208555c90cf2fb38a03b123d62d4cd7aa', '1794988243084', '1', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1eda2-f887-7793-b819-96f999532d9d', '3', 'a9c1f275-bf7f-481c-99eb-de0ee70c3ab6', 'StepCompleted', 'one', '1', '1', '3eb264fbfe4c76648ff03720b109f4150322aee57528da10be12295c9a2bb9ea', '1794988243090', '{"result":1}', '81464bb8fef1d4f4d9e798214893a89f', 'f36c3c40adb274cf489d77555a5695fcc5935918b7a87bc0896b22c55506dfd0', '119f951a5d38aaf5dfb70883d271bd2bd8cb03726ca8132057a2afaf219a1175', '1794988243095', '2', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1eda2-f887-7793-b819-96f999532d9d', '4', '08809abf-cded-4f5e-8e2d-510711d3af55', 'StepStarted', 'two', '1', '1', 'a18f53a9b6b9b2a8097ee814550ad3b0807f11b24e945e0510c9b20568bfaa04', '1794988243092', '{"kind":"effect","name":"two","digest":"a98cec722f9d81d928ab82e4904c332bd488d86208c0d5a9e5abed5d03a2c30b","class":"REPEATABLE"}', 'd5daf13ad05e389a5e55c8f2a224d5a1', 'a1496071aefd97fb58051abb65ab6c2bd0fdacf5755067af387c8837b8e199a3', '62bbfe55d017eb935f80b355d5f952632d461c5557af6d140b096804472cfa2a', '1794988243095', '2', NULL);
insert into kept_schema.inbox (inbox_id, run_id, kind, name, id, payload, accepted_at, taken, consumed, wakes, reply, dedup_key, sent_by, payload_digest, rejected) overriding system value values ('1', '01a1eda2-f084-7315-93d1-4b6fff6e4b78', 'signal', 'later', 'later-1', '"first"', '1794988241063', 'true', 'false', 'false', NULL, 'sig:default:default:default:listening:later:later-1', NULL, 'de5f2cbf4c10a0d146f2a671aac363e8640fefc469ad42ac25364f19e4bc194f', NULL);
insert into kept_schema.inbox (inbox_id, run_id, kind, name, id, payload, accepted_at, taken, consumed, wakes, reply, dedup_key, sent_by, payload_digest, rejected) overriding system value values ('2', '01a1eda2-f084-7315-93d1-4b6fff6e4b78', 'update', 'rename', 'rename-1', '"Ada"', '1794988241085', 'true', 'true', 'false', '{"ok":true,"result":"renamed Ada"}', 'upd:default:default:default:listening:rename:rename-1', NULL, 'a39afeed7d3319213be7a235840b3c6d3f09f2810b9c91779f34572b6b36832a', NULL);
insert into kept_schema.meta (one, format, oldest_reader, oldest_writer, incarnation, store_id, identity) overriding system value values ('true', '8', '1', '8', '1', '8e93445a-b4d9-4771-95bd-f63fbd407216', '7709415765582134093/1/5');
insert into kept_schema.runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, origin, expired_at, purged_at, error_code) overriding system value values ('01a1eda2-e86b-7167-86d0-67bc06df1007', 'default/default/default', 'doubtful', '1', 'doubtful', '1', 'RUNNING', 'decision', '01a1eda2-efb5-7106-b688-cb58e17ced79', '2', '10d041ce250d699639e26304ee55890c', '3', 'e02276b2-743f-4377-a1d8-0548a2d06ac3', '5', '98b9c468b8fc4d20982f9806c80305819002c4cd5fc258e1ac4d9074877cba3e', '1794988242955', NULL, '1794988238972', NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1eda2-e86b-7167-86d0-67bc06df1007', NULL, NULL, '0', 'false', 'engine', NULL, NULL, NULL);
insert into kept_schema.runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, origin, expired_at, purged_at, error_code) overriding system value values ('01a1eda2-f02b-7452-a52e-e3e610384dae', 'default/default/default', 'settled', '1', 'settled', '1', 'COMPLETED', NULL, NULL, '1', '830eafeb406567c365ccaea03a1dfda9', '2', '8fded323-a75a-4e4f-a0aa-89aaffcdaff3', '5', 'ca3f8666ff5041cb05527203cb6ad6c23547996200f33a49f19be6733f01a248', '1794988241014', NULL, '1794988241001', NULL, '{"kind":"kept"}', '6f4b6612125fb3a0daecd2799dfd6c9c299424fd920f9b308110a2c1fbd8f443', 'settled-once', NULL, '01a1eda2-f02b-7452-a52e-e3e610384dae', NULL, NULL, '0', 'false', 'engine', NULL, NULL, NULL);
insert into kept_schema.runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, origin, expired_at, purged_at, error_code) overriding system value values ('01a1eda2-f07a-7172-8df1-2e54fe69b708', 'default/default/default', 'sleeping', '1', 'sleeping', '1', 'RUNNING', 'timer', '01a1eda2-efb5-7106-b688-cb58e17ced79', '1', 'a07a9b23cafb653d1e635880eb5acf55', '2', '69d9216f-ea5b-4eb5-b8de-b0081775dd5f', '4', '28e822f96756a4a800e3cd09a4360a619bda244311b6a2af3241dc4ca3695933', '1794988241031', '1794988246031', '1794988241026', NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1eda2-f07a-7172-8df1-2e54fe69b708', NULL, NULL, '0', 'false', 'engine', NULL, NULL, NULL);
insert into kept_schema.runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, origin, expired_at, purged_at, error_code) overriding system value values ('01a1eda2-f084-7315-93d1-4b6fff6e4b78', 'default/default/default', 'listening', '1', 'listening', '1', 'RUNNING', 'signal', '01a1eda2-efb5-7106-b688-cb58e17ced79', '1', '1e5fb87463c525a72d8e2eaa213903d3', '2', '28751dd4-e610-40bf-8b5c-a2eaa300e6a5', '5', '293c5cad8bfeaad77481e4bd1b9c124e476cad96758fe93453881e171415c572', '1794988241109', NULL, '1794988241034', NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1eda2-f084-7315-93d1-4b6fff6e4b78', NULL, NULL, '0', 'false', 'engine', NULL, NULL, NULL);
insert into kept_schema.runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, origin, expired_at, purged_at, error_code) overriding system value values ('01a1eda2-f08b-76a8-99ba-0279efd9fbcf', 'default/default/default', 'parent', '1', 'parent', '1', 'RUNNING', 'child', '01a1eda2-efb5-7106-b688-cb58e17ced79', '1', '492efdba80c20a00778ca63b8d37f007', '1', 'e002d284-6b58-4673-bf04-d28661f0be73', '2', '772ba63e9fd1723f8cb5c5ee02739da80d7125a05418a109ef8af2dcbe1e64e4', '1794988241042', NULL, '1794988241042', NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1eda2-f08b-76a8-99ba-0279efd9fbcf', NULL, NULL, '0', 'false', 'engine', NULL, NULL, NULL);
insert into kept_schema.runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, origin, expired_at, purged_at, error_code) overriding system value values ('01a1eda2-f08d-7343-a859-95ab647c87b4', 'default/default/default', 'the-child', '1', 'child', '1', 'RUNNING', 'signal', '01a1eda2-efb5-7106-b688-cb58e17ced79', '1', 'e7c69e67de56fe1e0b617c1e516c4ee5', '2', '475b0347-2725-4904-9339-7c409a87bc1e', '3', 'd8fc7205e50b96a346d2522d93ddc5f651b5ba686c2ddc8c4d42bdb9bea37bc0', '1794988241076', NULL, '1794988241042', NULL, '{}', '66fb24cb21354877635a93dab77577d75c67408441b22f433c4c30e6506f15c3', NULL, NULL, '01a1eda2-f08d-7343-a859-95ab647c87b4', '01a1eda2-f08b-76a8-99ba-0279efd9fbcf', 'child', '0', 'false', 'engine', NULL, NULL, NULL);
insert into kept_schema.runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, origin, expired_at, purged_at, error_code) overriding system value values ('01a1eda2-f887-7793-b819-96f999532d9d', 'default/default/default', 'halfway', '1', 'halfway', '1', 'RUNNING', NULL, '01a1eda2-efb5-7106-b688-cb58e17ced79', '1', '41fbc0b46ec6cdf1be85978e71f98ca3', '2', '58521b5c-956c-4be5-b72b-d0b1499b8f8f', '4', '62bbfe55d017eb935f80b355d5f952632d461c5557af6d140b096804472cfa2a', '1794988243095', '1794988243084', '1794988243084', NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1eda2-f887-7793-b819-96f999532d9d', NULL, NULL, '0', 'false', 'engine', NULL, NULL, NULL);
insert into kept_schema.shelves (shelf, key, value, version, at) overriding system value values ('messages:default/default/default', 'child/1', '{"workflow":"child","version":"1","input":{"name":"input","schema":{},"whole":true},"signals":[{"name":"answer","schema":{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"number"},"required":true,"whole":true}],"updates":[],"views":[]}', '1', '1794988238881');
insert into kept_schema.shelves (shelf, key, value, version, at) overriding system value values ('messages:default/default/default', 'doubtful/1', '{"workflow":"doubtful","version":"1","input":{"name":"input","schema":{},"whole":true},"signals":[],"updates":[],"views":[]}', '1', '1794988238881');
insert into kept_schema.shelves (shelf, key, value, version, at) overriding system value values ('messages:default/default/default', 'halfway/1', '{"workflow":"halfway","version":"1","input":{"name":"input","schema":{},"whole":true},"signals":[],"updates":[],"views":[]}', '1', '1794988238881');
insert into kept_schema.shelves (shelf, key, value, version, at) overriding system value values ('messages:default/default/default', 'listening/1', '{"workflow":"listening","version":"1","input":{"name":"input","schema":{},"whole":true},"signals":[{"name":"go","schema":{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"string"},"required":true,"whole":true},{"name":"later","schema":{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"string"},"required":true,"whole":true}],"updates":[{"name":"rename","schema":{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"string"},"required":true,"whole":true}],"views":[{"name":"name","schema":{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"string"},"required":true,"whole":true}]}', '1', '1794988238881');
insert into kept_schema.shelves (shelf, key, value, version, at) overriding system value values ('messages:default/default/default', 'parent/1', '{"workflow":"parent","version":"1","input":{"name":"input","schema":{},"whole":true},"signals":[],"updates":[],"views":[]}', '1', '1794988238881');
insert into kept_schema.shelves (shelf, key, value, version, at) overriding system value values ('messages:default/default/default', 'settled/1', '{"workflow":"settled","version":"1","input":{"name":"input","schema":{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"number"},"required":true,"whole":true},"signals":[],"updates":[],"views":[{"name":"seen","schema":{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"number"},"required":true,"whole":true}]}', '1', '1794988238881');
insert into kept_schema.shelves (shelf, key, value, version, at) overriding system value values ('messages:default/default/default', 'sleeping/1', '{"workflow":"sleeping","version":"1","input":{"name":"input","schema":{},"whole":true},"signals":[],"updates":[],"views":[]}', '1', '1794988238881');
insert into kept_schema.views (run_id, name, value) overriding system value values ('01a1eda2-f02b-7452-a52e-e3e610384dae', 'seen', '21');
insert into kept_schema.views (run_id, name, value) overriding system value values ('01a1eda2-f084-7315-93d1-4b6fff6e4b78', 'name', '"Ada"');
select setval(pg_get_serial_sequence('kept_schema.inbox', 'inbox_id'), max(inbox_id)) from kept_schema.inbox;
