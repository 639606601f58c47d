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
  scope text collate "C",
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

insert into kept_schema.accepted (storage_key, accepted_at, expires_at, run_id, inbox_id, version, response) overriding system value values ('sig:default:default:default:listening:later:later-1', '1794930387815', NULL, '01a1ea30-2af2-7586-8c31-7a13d518df42', '1', '1', '{"accepted":true,"workflowId":"listening","signalName":"later","signalId":"later-1","acceptedAt":"2026-11-17T15:46:27.815Z","signalStorageKey":"sig:default:default:default:listening:later:later-1"}');
insert into kept_schema.accepted (storage_key, accepted_at, expires_at, run_id, inbox_id, version, response) overriding system value values ('upd:default:default:default:listening:rename:rename-1', '1794930387881', NULL, '01a1ea30-2af2-7586-8c31-7a13d518df42', '2', '1', '{"accepted":true,"workflowId":"listening","signalName":"rename","signalId":"rename-1","acceptedAt":"2026-11-17T15:46:27.881Z","signalStorageKey":"upd:default:default:default:listening:rename:rename-1"}');
insert into kept_schema.effects (run_id, seq, version, scope, workflow_id, step_id, name, class, key, args_digest, status, phase, attempts, engine_attempts, error, event_seq, created_at, updated_at, receiver) overriding system value values ('01a1ea30-1b23-74ec-9c1a-96ae2f9eb22a', '4', '1', 'default/default/default', 'doubtful', 'charge', 'charge', 'AT-MOST-ONCE', 'pawl-578115096658e7bb65169d7eb9917868f8b95fce081e439d7e61a8a423cf7c32', NULL, 'indeterminate', 'doubt', '1', '1', '{"code":"PAWL2001","reason":"it began and nobody recorded how it ended"}', '5', '1794930383694', '1794930389597', NULL);
insert into kept_schema.engines (engine_id, lease_until, dead, serves, renewed_at, lock_key, lock_server, scope) overriding system value values ('01a1ea30-1a5e-76ba-9ac1-3ca76bc299e3', '1794930393552', 'true', '[{"workflow":"settled","version":"1"},{"workflow":"sleeping","version":"1"},{"workflow":"listening","version":"1"},{"workflow":"doubtful","version":"1"},{"workflow":"halfway","version":"1"},{"workflow":"child","version":"1"},{"workflow":"parent","version":"1"}]', '1794930383552', '-2130809761875169165', '1794930380691', 'default/default/default');
insert into kept_schema.engines (engine_id, lease_until, dead, serves, renewed_at, lock_key, lock_server, scope) overriding system value values ('01a1ea30-29bc-7356-8849-36faf575a196', '1794930399896', 'false', '[{"workflow":"settled","version":"1"},{"workflow":"sleeping","version":"1"},{"workflow":"listening","version":"1"},{"workflow":"doubtful","version":"1"},{"workflow":"halfway","version":"1"},{"workflow":"child","version":"1"},{"workflow":"parent","version":"1"}]', '1794930389896', '3333509149147945356', '1794930380691', 'default/default/default');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1ea30-1b23-74ec-9c1a-96ae2f9eb22a', '1', '1f63caf8-454f-46ca-82e9-601a57909ba4', 'RunStarted', NULL, '1', '1', '494f737ec70710ba585849857e00ed41127896d0632da38a9b16d2cb120f3bf2', '1794930383652', '{"parsed":true,"codeVersion":"1","from":"none","engine":"01a1ea30-1a5e-76ba-9ac1-3ca76bc299e3"}', '9d366b5a163559f269ec23f52ead6e27', '4af8b79f61b9d2e484a3d4bce77ea10ae061bc48286a019607b43682061a7ae6', 'd4ee9270638ed0ccb484d42b1116c1c446b3f795d8614c5b114822f05b4e66c9', '1794930383679', '1', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1ea30-1b23-74ec-9c1a-96ae2f9eb22a', '2', '276a3993-5a6c-435f-8a70-9baec08d0edc', 'StepStarted', 'order', '1', '1', 'f665830e994ab7c355278358e96b78446a1b5acb282ea2a5eaa88f7df500da55', '1794930383667', '{"kind":"effect","name":"order","digest":"799d7256bcab06d415e9f017db67b402ee0091972b47d904f8ff7accea7f6687","class":"UNDECLARED"}', '3dbba0f4b87df05558c39b60497c7d29', '8737a42c32884cdd762601728eb77ae39f44f0c14f7ccd0309492ae8820eca81', '53f9b70e5ed395c3f7169559fff70af64d50dad89188b51d700519712e49e115', '1794930383679', '1', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1ea30-1b23-74ec-9c1a-96ae2f9eb22a', '3', 'd875f1fb-26b1-4cce-8b07-f5275e6f6f91', 'StepCompleted', 'order', '1', '1', 'c4ce1c7fde49cb170f45a02499e274ed7d789a1fe3349d739595212bea0adeaf', '1794930383688', '{"result":7}', '8c9a5d93ec131b4716bd853c8fe152b0', '83d79688733f9f9f16c3961f601fb5f9cd58f18f72cdb1ffd3fd6a44b0202f9c', '015e134ecd05d55a07c54faac37b8196d1027ce5b21befbbaadfb9e657105e01', '1794930383694', '2', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1ea30-1b23-74ec-9c1a-96ae2f9eb22a', '4', '83d2b687-8ac0-4920-a1c2-130145952ded', 'StepStarted', 'charge', '1', '1', 'd87fb5f98a93a1328ffa5c7ce167a471d1cb0f1d7f2c4567ecbf84d0d58e108a', '1794930383689', '{"kind":"effect","name":"charge","digest":"2ec79112be9dddff500c39c27d48b690db462962e412c10028ff5eeaf2d040b9","class":"AT-MOST-ONCE","timeoutMs":60000}', 'ef7705a86f836758224575dee8ce35df', '00b2286287c3023823a5f37b7bafc9cb54d90532aa23635a82ab60e9bfc038c3', 'c6b936eb4f9e1734879d65423fa2f106e4eca8b52c7509e164f80a3e5b3f6920', '1794930383694', '2', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1ea30-1b23-74ec-9c1a-96ae2f9eb22a', '5', '6b1754c6-da81-4fe1-8bf5-b8e885df8117', 'pawl.StepInDoubt', NULL, '1', '1', '03a41cd6ec73d04c105b5ea8df46ac040ce71ad134cfd605bc032a4e07658cab', '1794930389583', '{"stepId":"charge","reason":"it began and nobody recorded how it ended","code":"PAWL2001"}', 'ed79125917423e948b4aac378f6d1046', '8b6942472726b04a1210326087a473ca2611ec2282e5c84618865897b88f5759', 'fdea1bc9dd351ac9fbf666eecbb6792f49e356504260077df74bf8ff08a47c18', '1794930389597', '3', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1ea30-2a1f-7458-8f94-71ab179a5bff', '1', 'cf6f94d6-2518-4050-9a58-3f2349c3f0b9', 'RunStarted', NULL, '1', '1', '697ee6c69393ac00effa5ddf67a5b400ad8db7ba256745b74f4764f7a1543ba5', '1794930387486', '{"input":21,"parsed":true,"codeVersion":"1","from":"none","engine":"01a1ea30-29bc-7356-8849-36faf575a196"}', '89ed5fd64e4043f309c372a44a981926', '021d4c7f0d1c1011b4564501e78dbbcbec1fcd16638070b4330bd63b5b018a11', '3677dd76c1deb39dab8f12fac1b98941340c4f806ed5de748e3bc5f686365bab', '1794930387594', '1', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1ea30-2a1f-7458-8f94-71ab179a5bff', '2', '26f2d11e-8a0c-4209-8b8b-0ba565d40f6a', 'pawl.ViewPublished', NULL, '1', '1', '310a7e070716ee9334cff051a70c33392478e172d0d5394786fb936e4d12eb93', '1794930387501', '{"name":"seen","value":21}', 'be1e121e113f93b9cb93b184a4571441', '0c34c001b96e2c368e64e1ac837e28b1c4f87233fe0cbc3a15c6280204d4b6a8', 'df7a5bb0933c204502fd7c77ebff6fc493b0c3a9ba8643be04b711c3c9dd920f', '1794930387594', '1', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1ea30-2a1f-7458-8f94-71ab179a5bff', '3', 'b28c2e6a-dddc-4c91-91ed-351fc6747354', 'StepStarted', 'double', '1', '1', '9ac66d48c4f6dcd019e4dfd020f41ef386f3b22a2ecae011af6ab8fe768d957e', '1794930387516', '{"kind":"effect","name":"double","digest":"ee9ff8738b77f6cb9c3d0cd45ac165bc9e65f949afd79b7dd809848242b0b772","class":"UNDECLARED"}', '15cd0d85609cc504b24d061b495d4fe9', 'cad692b3b04f4b806d61cae0b536dffdb69b4326b5b58b07060984b563e8e6f1', '74f37d3b2082a46c656b89d8ba4ce3a480b094aab093fde48b3775978df6e2ab', '1794930387594', '1', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1ea30-2a1f-7458-8f94-71ab179a5bff', '4', 'dc83a274-9485-4897-9d26-fcbab0172a69', 'StepCompleted', 'double', '1', '1', 'f4b6f07de8ef21fc5e272d2372b93985f82aae361ee98ce821fb195d0aa63ee2', '1794930387611', '{"result":42}', 'aafa50835c8f2fc1cfef9c877da1001a', '7679bcb1c68fb3dbe675756e54dc07a2f296416093f10f06b70e32362a0b9273', '9ecf204c8ddb57b9f7766995b3f4e135a9fe2676581ddbff29e825bf56fe68d3', '1794930387619', '2', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1ea30-2a1f-7458-8f94-71ab179a5bff', '5', 'adbd8e60-6e8e-4851-a87c-264cab5ec1ac', 'RunCompleted', NULL, '1', '1', 'f92d58abe14be6392a0a9b3a265252f3e940409e9adcbf0d8d2b99c06353d3aa', '1794930387611', '{"result":42,"from":"RUNNING","engine":"01a1ea30-29bc-7356-8849-36faf575a196","settledAt":1794930387611}', '4f844a0769c683e737ba77225294beb0', 'c444c890fdf6fb557c665d82299a7ad8cfb01c28c2a13b47c5b6203340f214f0', 'f37bd8c57458315486789fee272a576bc5478ace8a0ecd40ba03a8160b246e80', '1794930387619', '2', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1ea30-2ad3-754a-a2b9-5c38f0a854bb', '1', '9002c7d2-d669-476a-b780-de4603c05ebd', 'RunStarted', NULL, '1', '1', '4e70410b4db350a3208037aec4fa7eec910fd7be5a73301e38be948c88e0d28b', '1794930387669', '{"parsed":true,"codeVersion":"1","from":"none","engine":"01a1ea30-29bc-7356-8849-36faf575a196"}', 'ba912b37dec52cd74f54977677579eb9', '1a417a5edd6ceeadc3a413f06980d13e3b018c241fe4d97d824ae2637e5b11ab', '759f4b06c09f752ccef293d6eacd4eeb2b502092001e98a3d86a997e64a93f1f', '1794930387685', '1', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1ea30-2ad3-754a-a2b9-5c38f0a854bb', '2', 'c589b1fa-5f98-445f-a1a4-6fc4e5ded62b', 'StepStarted', 'before', '1', '1', 'c34816ab5a30167a69ec86659edcaaa1917d2bf272334be8c5a6325e10f175a1', '1794930387670', '{"kind":"effect","name":"before","digest":"05bfe291a21a0d1f5f4657f5211cbe8150d540997b33667c9d3ea79321335833","class":"UNDECLARED"}', '48c322eb2ade19465e1c7a6058ee725e', '2ba2fb6edb52cbee488accdfd96fbbfde377870ad80f208f2a36fe0a4e16db77', '74398f39905b2dccbdad70ff0167956be99a6d8fced5e7ad19ccda04dbc13709', '1794930387685', '1', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1ea30-2ad3-754a-a2b9-5c38f0a854bb', '3', 'c31efc12-09d6-4856-b464-e7a5d05ac957', 'StepCompleted', 'before', '1', '1', 'a6674e3ccc27412a28471197e881c3ad466e82866e4b966f911fa222cbcea8f7', '1794930387693', '{"result":"slept"}', '747358bc872deaf214553f51ce439ec6', '1ea7c457ec7d24743120e25c7801a840fab2c6b7bdb26df542eae01c9a70a536', 'dd24915a0b7e28fcbfe5a436ad632deaa18560ffef8b4111c3f118c32437be2c', '1794930387738', '2', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1ea30-2ad3-754a-a2b9-5c38f0a854bb', '4', '82435dc7-e62f-45a6-a1d4-c92c0a90deb2', 'StepStarted', 'nap', '1', '1', '69af51790884cffac341fa6272950405778531f99926883b36e66cadd205e3ea', '1794930387694', '{"kind":"timer","name":"nap","digest":"538b904f34061c9af68dfac9bc3e3f2aa12c8f0274ac1a58dec9793584cd778e","delayMs":5000}', '45b7d8f83f52185e8cfef131a4911431', '957161ed83e7a79f6b64aa65239cb29e56a16b6c00db0250bae554525f25766f', '8a62806ce681181d90fb51a1f3bd104cba99852a56f4380508e2ba3e0d1c1459', '1794930387738', '2', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1ea30-2af2-7586-8c31-7a13d518df42', '1', 'ef8953c9-ff83-4abd-8fa5-5457438abc35', 'RunStarted', NULL, '1', '1', 'cab8c3b4d8042c011d59fee4762a2509eefa7bffb82c8bd3f09c430e3851b18d', '1794930387705', '{"parsed":true,"codeVersion":"1","from":"none","engine":"01a1ea30-29bc-7356-8849-36faf575a196"}', '9e55830678f4ffa01fd2f2820ccdf2b1', 'e1cab9e43778893fc749785e7ad5a6323cb7324c7b38d712763173545c9be855', 'bf996060b115b547ba3f78bdf0882bad1b342eef19eb3320d99ca86fbaa0b4af', '1794930387747', '1', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1ea30-2af2-7586-8c31-7a13d518df42', '2', 'e63a042a-ff68-4f04-8981-3ec1a4500b55', 'StepStarted', 'go', '1', '1', 'cf8b1f150961399ab1e6240041d44ee1f2191d0f2978de01db8f47923cb6548a', '1794930387706', '{"kind":"signal","name":"go","digest":"3f5b2441e270ad2f461312a47e3f1f735c673b3b83fdb595499e9ce0c6e46d28","signal":"go"}', '75952c01f48dbe2d1335c6014b949c37', '87d40e926e6905a356599b0d020831f0a5a6ecb1f1ffb85a4b0564ac2a2c7c97', '72cfb20db7d87b4b834e63f824c88817aafeda7a0b87011c3baabf238591feb8', '1794930387747', '1', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1ea30-2af2-7586-8c31-7a13d518df42', '3', 'f83cff42-66d6-455c-ad9e-e5ee63c2595e', 'pawl.UpdateAccepted', NULL, '1', '1', 'ed44ace1ad3f1a24e86c98881f84fff31d2c6a04fb8539bd16dc034c7de4281d', '1794930387894', '{"updateId":"rename-1","name":"rename","inboxId":2,"input":"Ada"}', 'dee13c6a5a0abe3eb3907cb8336b45eb', '4e62d9b2d505874ad1168350ac6ad77c6aad52db5c746b185371823d8caf4f78', 'c7c50d46e91700ea38eeb8124fea5f12ec07cdec151d61bfb5e5df534c8af311', '1794930387905', '2', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1ea30-2af2-7586-8c31-7a13d518df42', '4', '446299f8-dcad-4dae-9454-6d457cc3ca04', 'pawl.ViewPublished', NULL, '1', '1', 'a3930d0559de9e02c526387cc1796effc7f13efa353d3eacc2d6091d63b8c25d', '1794930387894', '{"name":"name","value":"Ada"}', 'c8be2196054cfb564cc4038208a07515', '76ed2ca2ef8baaa608b826986cfca6b4f68b8c717850dddcfeb02b767f7ccd7f', 'a6a40cbf66c27d09c0a09ecaebc156efdb1006e17b47e971e9d378cc1bc84683', '1794930387905', '2', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1ea30-2af2-7586-8c31-7a13d518df42', '5', '9e33e93f-98f7-46c6-b0d6-70f0cd9d7b67', 'pawl.UpdateCompleted', NULL, '1', '1', '5282a7feb7ab043246de1c8f886ffcd969409e79e9142fbd5f0590d3359fe45b', '1794930387895', '{"updateId":"rename-1","answer":{"ok":true,"result":"renamed Ada"}}', '22d7c12f7160db0e4f24e066961b01c1', '932b5501fa804ebe1084c230060ddffa0ef36fba8e31f6adca755b14fdff0b18', '2003adc653a7e44393a248c0bcf4429f61a0ae1b3ec9832fc90e6551eed39fe3', '1794930387905', '2', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1ea30-2b2c-757e-93f7-7b7befd3bd41', '1', '44e3a363-68cf-41c8-816d-658057073e34', 'RunStarted', NULL, '1', '1', '452b06746c109de2acf2a103c2208f752185c8ed458ea9b5108db45aa8b447f1', '1794930387757', '{"parsed":true,"codeVersion":"1","from":"none","engine":"01a1ea30-29bc-7356-8849-36faf575a196"}', '79df1ce460ce2cf7da714915e64a2d78', 'a7338626ef34a90463076e3e1f5ffa15468283f8d757658aa05f22ef36fd2934', '6697395dfc8663c3026ccc75084e460335633b8266fbd8036c2aaba1d7062bbf', '1794930387775', '1', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1ea30-2b2c-757e-93f7-7b7befd3bd41', '2', 'baa7596c-ab08-434e-8b5c-ba0a1c31f105', 'StepStarted', 'child', '1', '1', '1c39c57079a565aebbebe31cdd17e28a69563f0fafb49ba6630e19b3c724651a', '1794930387758', '{"kind":"child","name":"child","digest":"117651691b2a9336f86f4d9b0d54adbaae27db196460c3c4d8f700218d6505ed","child":{"runId":"01a1ea30-2b33-714c-a4e3-99521904c2c9","workflowId":"the-child","workflow":"child"},"input":{"$pawl":"undefined"}}', '315c14f5ec461f22cb7de294b6395d55', 'cc1f6f136555acf30e6730e0d1a367c341fbab8dd16c73d13ead76cb385bc0b4', '10500a594a81cf77bf90d0fa91b05b0fc2b4202cf5dfc2c78df632eb80baf181', '1794930387775', '1', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1ea30-2b33-714c-a4e3-99521904c2c9', '1', '21875c07-1338-416b-b23f-2fe5d19d7d3c', 'RunQueued', NULL, '1', '1', '0d96076e047e6980d077d31b901feec0e1e851f471b38af8fc915c1f9247da4e', '1794930387758', '{"input":{"$pawl":"undefined"},"engine":"01a1ea30-29bc-7356-8849-36faf575a196"}', '17e737213ed890a724c71f065189b8da', '274bf72b3df64e202c474e8235cbbf60ba12dd98929110871ae8e40e416c687a', '8e9a4a0563fbaf7aa414cfafd3860f3c8050d2e1859f8806ae5c0cbf11063c19', '1794930387775', '1', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1ea30-2b33-714c-a4e3-99521904c2c9', '2', 'b89e69c4-60a7-4b2a-9653-4f8e4969ff62', 'RunStarted', NULL, '1', '1', '0947d3edce76f27ecb69433bafe2df572a0c7388e86d9dce3d8629add4fc6f39', '1794930387829', '{"parsed":true,"codeVersion":"1","from":"PENDING","engine":"01a1ea30-29bc-7356-8849-36faf575a196"}', '50bd07fcae6bd11ae5ec58e365251550', 'db0922706122de167241323120bb16af0e72bd51bd465388feee82637eb305a9', '258f2516b8e6d9dd5b375267b95c9145c3c89fd1a53a01e2b52f96c104aa69d0', '1794930387865', '2', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1ea30-2b33-714c-a4e3-99521904c2c9', '3', '639b3934-270a-4b18-b8e3-25a441da08ff', 'StepStarted', 'answer', '1', '1', '9ddd73fe9355b8d04b091ec177cf591401bbaaf0928a8f70123fd063351237d0', '1794930387832', '{"kind":"signal","name":"answer","digest":"6af44cf9a32d7a8596ddd574de00e2d0e036802c46e1f63c4dd7966c382e4c35","signal":"answer"}', '63eb0cb925bc1017b6b9bf75c2d3a2a5', '40115355999f1dd8fa476d342114816d62e9b6b8abfc7b94c415b903060daa8b', 'fb7a2e9cc442dd45830e2861b70056fdbbbccf1a098c92a46149de9337edfedd', '1794930387865', '2', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1ea30-3382-77d2-bedf-b6af706f8028', '1', 'e98f9c95-bbf2-4fc9-b636-75449458572e', 'RunStarted', NULL, '1', '1', 'abcc2fac9a668cb2ce09c025f8c9f99ff647726c20142db981f276b858fab33c', '1794930389887', '{"parsed":true,"codeVersion":"1","from":"none","engine":"01a1ea30-29bc-7356-8849-36faf575a196"}', 'b446935f496f176e86532f30b26a4cb4', 'cf245572eb7427825251dc21191317637af7a3a00332d6e3639938a50dc08548', '2067d37746b61cbd9a5082ac3af9d8b655eab82f1a919f6ef9efdafac6f04983', '1794930389896', '1', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1ea30-3382-77d2-bedf-b6af706f8028', '2', '407a36da-fcb4-4d0a-854c-3670bea400c5', 'StepStarted', 'one', '1', '1', 'd21fbc8a527b8a7dced0096e41709d8c3aca577cedb9aa7eccf35de3a004cdfb', '1794930389888', '{"kind":"effect","name":"one","digest":"65ef844c98b3e85b70e6c5192d76d1b60a81a310e6ba93e27b447a5ad881c94b","class":"UNDECLARED"}', 'e8a43b247756a93ccae2ef6fa5c54ed8', 'e07dd6c22a74fc3f6ed0455c9519a183840c33f5ecb8f33c81a59012f4746cbd', '842249a3eadee91d4015218d125e28b70ab6a4ca01399606202d890b9f7b3e02', '1794930389896', '1', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1ea30-3382-77d2-bedf-b6af706f8028', '3', '858f7c9d-d034-4301-9d1f-1ae63aef0343', 'StepCompleted', 'one', '1', '1', 'a926bc4109076ca46789706f58672d2960bf2021878eb086b3483b0e7b58e437', '1794930389906', '{"result":1}', '16326125638c00d45f894238251925d9', 'd239691dd15c383dfd14dbac5796ab77f3983c153f239da7ffa8e1b15ddc7a28', '0b04e1be358882c23d294ca1433660a5d6178f91f51db85da94c7e27c8d38473', '1794930389919', '2', NULL);
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) overriding system value values ('01a1ea30-3382-77d2-bedf-b6af706f8028', '4', '407c8a73-32d8-4b80-a44e-61adcb4f4df3', 'StepStarted', 'two', '1', '1', '964f66caf369446a9741f418079fbbf8721c798cfbd8984366b5a7209f025440', '1794930389907', '{"kind":"effect","name":"two","digest":"a98cec722f9d81d928ab82e4904c332bd488d86208c0d5a9e5abed5d03a2c30b","class":"REPEATABLE"}', '9f9583f2d1722dd3b618d97d459c1d6b', 'd3eccd05c2addd1b407f1cfbac34bf695b2182cd936e9029951a261613a2e5d3', '8f4d43c8273b090a231f586e9af5dcfeff219f406e365482ad0494590c8e253e', '1794930389919', '2', NULL);
insert into kept_schema.inbox (inbox_id, run_id, kind, name, id, payload, accepted_at, taken, consumed, wakes, reply, dedup_key, sent_by, payload_digest, rejected) overriding system value values ('1', '01a1ea30-2af2-7586-8c31-7a13d518df42', 'signal', 'later', 'later-1', '"first"', '1794930387815', 'true', 'false', 'false', NULL, 'sig:default:default:default:listening:later:later-1', NULL, 'de5f2cbf4c10a0d146f2a671aac363e8640fefc469ad42ac25364f19e4bc194f', NULL);
insert into kept_schema.inbox (inbox_id, run_id, kind, name, id, payload, accepted_at, taken, consumed, wakes, reply, dedup_key, sent_by, payload_digest, rejected) overriding system value values ('2', '01a1ea30-2af2-7586-8c31-7a13d518df42', 'update', 'rename', 'rename-1', '"Ada"', '1794930387881', 'true', 'true', 'false', '{"ok":true,"result":"renamed Ada"}', 'upd:default:default:default:listening:rename:rename-1', NULL, 'a39afeed7d3319213be7a235840b3c6d3f09f2810b9c91779f34572b6b36832a', NULL);
insert into kept_schema.meta (one, format, oldest_reader, oldest_writer, incarnation, store_id, identity) overriding system value values ('true', '7', '1', '1', '1', '92c60b64-d508-4abe-9ff6-471d09a0e17c', '7709167270673891660/1/5');
insert into kept_schema.runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, origin, expired_at, purged_at, error_code) overriding system value values ('01a1ea30-1b23-74ec-9c1a-96ae2f9eb22a', 'default/default/default', 'doubtful', '1', 'doubtful', '1', 'RUNNING', 'decision', '01a1ea30-29bc-7356-8849-36faf575a196', '2', '5dc308cedf0b23ffbf03728bd02a2f50', '3', 'cc25fae9-5fe4-4444-a406-173ac5a7bb02', '5', 'fdea1bc9dd351ac9fbf666eecbb6792f49e356504260077df74bf8ff08a47c18', '1794930389597', NULL, '1794930383679', NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1ea30-1b23-74ec-9c1a-96ae2f9eb22a', NULL, NULL, '0', 'false', 'engine', NULL, NULL, NULL);
insert into kept_schema.runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, origin, expired_at, purged_at, error_code) overriding system value values ('01a1ea30-2a1f-7458-8f94-71ab179a5bff', 'default/default/default', 'settled', '1', 'settled', '1', 'COMPLETED', NULL, NULL, '1', 'a3cf6ba8bb37e1881a9e311526793d08', '2', 'f6e8bcf8-738d-4c1d-8b86-d286310d3d4f', '5', 'f37bd8c57458315486789fee272a576bc5478ace8a0ecd40ba03a8160b246e80', '1794930387619', NULL, '1794930387594', NULL, '{"kind":"kept"}', '6f4b6612125fb3a0daecd2799dfd6c9c299424fd920f9b308110a2c1fbd8f443', 'settled-once', NULL, '01a1ea30-2a1f-7458-8f94-71ab179a5bff', NULL, NULL, '0', 'false', 'engine', NULL, NULL, NULL);
insert into kept_schema.runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, origin, expired_at, purged_at, error_code) overriding system value values ('01a1ea30-2ad3-754a-a2b9-5c38f0a854bb', 'default/default/default', 'sleeping', '1', 'sleeping', '1', 'RUNNING', 'timer', '01a1ea30-29bc-7356-8849-36faf575a196', '1', '2fad5419e6f0a61427e1597f58792e96', '2', '78f52dbd-ccb5-4fa4-90f0-f84d81aff17a', '4', '8a62806ce681181d90fb51a1f3bd104cba99852a56f4380508e2ba3e0d1c1459', '1794930387738', '1794930392738', '1794930387685', NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1ea30-2ad3-754a-a2b9-5c38f0a854bb', NULL, NULL, '0', 'false', 'engine', NULL, NULL, NULL);
insert into kept_schema.runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, origin, expired_at, purged_at, error_code) overriding system value values ('01a1ea30-2af2-7586-8c31-7a13d518df42', 'default/default/default', 'listening', '1', 'listening', '1', 'RUNNING', 'signal', '01a1ea30-29bc-7356-8849-36faf575a196', '1', 'e4dd00c6dd1889ce94a41e33c5a5a483', '2', '84ae83d2-60c2-4272-9d1c-09266987bd30', '5', '2003adc653a7e44393a248c0bcf4429f61a0ae1b3ec9832fc90e6551eed39fe3', '1794930387905', NULL, '1794930387747', NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1ea30-2af2-7586-8c31-7a13d518df42', NULL, NULL, '0', 'false', 'engine', NULL, NULL, NULL);
insert into kept_schema.runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, origin, expired_at, purged_at, error_code) overriding system value values ('01a1ea30-2b2c-757e-93f7-7b7befd3bd41', 'default/default/default', 'parent', '1', 'parent', '1', 'RUNNING', 'child', '01a1ea30-29bc-7356-8849-36faf575a196', '1', '94fcec6027461b60c9722a7e9bb5cda3', '1', '8e86e78d-c222-4ee9-a9e7-3fa00fbab12b', '2', '10500a594a81cf77bf90d0fa91b05b0fc2b4202cf5dfc2c78df632eb80baf181', '1794930387775', NULL, '1794930387775', NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1ea30-2b2c-757e-93f7-7b7befd3bd41', NULL, NULL, '0', 'false', 'engine', NULL, NULL, NULL);
insert into kept_schema.runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, origin, expired_at, purged_at, error_code) overriding system value values ('01a1ea30-2b33-714c-a4e3-99521904c2c9', 'default/default/default', 'the-child', '1', 'child', '1', 'RUNNING', 'signal', '01a1ea30-29bc-7356-8849-36faf575a196', '1', '0c221db8625500517d235fc49f64cfa7', '2', '2fd7f178-31fa-4e19-8cd8-fdbc6392aa36', '3', 'fb7a2e9cc442dd45830e2861b70056fdbbbccf1a098c92a46149de9337edfedd', '1794930387865', NULL, '1794930387775', NULL, '{}', '66fb24cb21354877635a93dab77577d75c67408441b22f433c4c30e6506f15c3', NULL, NULL, '01a1ea30-2b33-714c-a4e3-99521904c2c9', '01a1ea30-2b2c-757e-93f7-7b7befd3bd41', 'child', '0', 'false', 'engine', NULL, NULL, NULL);
insert into kept_schema.runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, origin, expired_at, purged_at, error_code) overriding system value values ('01a1ea30-3382-77d2-bedf-b6af706f8028', 'default/default/default', 'halfway', '1', 'halfway', '1', 'RUNNING', NULL, '01a1ea30-29bc-7356-8849-36faf575a196', '1', 'e1f153a460af469b7ebb28acfebee338', '2', '98231054-91ff-4941-b65c-9678d06c9495', '4', '8f4d43c8273b090a231f586e9af5dcfeff219f406e365482ad0494590c8e253e', '1794930389919', '1794930389896', '1794930389896', NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1ea30-3382-77d2-bedf-b6af706f8028', NULL, NULL, '0', 'false', 'engine', NULL, NULL, NULL);
insert into kept_schema.shelves (shelf, key, value, version, at) overriding system value values ('messages:default/default/default', 'child/1', '{"signals":[{"name":"answer","schema":{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"number"},"required":true,"whole":true}],"updates":[]}', '1', '1794930383487');
insert into kept_schema.shelves (shelf, key, value, version, at) overriding system value values ('messages:default/default/default', 'doubtful/1', '{"signals":[],"updates":[]}', '1', '1794930383487');
insert into kept_schema.shelves (shelf, key, value, version, at) overriding system value values ('messages:default/default/default', 'halfway/1', '{"signals":[],"updates":[]}', '1', '1794930383487');
insert into kept_schema.shelves (shelf, key, value, version, at) overriding system value values ('messages:default/default/default', 'listening/1', '{"signals":[{"name":"go","schema":{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"string"},"required":true,"whole":true},{"name":"later","schema":{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"string"},"required":true,"whole":true}],"updates":[{"name":"rename","schema":{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"string"},"required":true,"whole":true}]}', '1', '1794930383487');
insert into kept_schema.shelves (shelf, key, value, version, at) overriding system value values ('messages:default/default/default', 'parent/1', '{"signals":[],"updates":[]}', '1', '1794930383487');
insert into kept_schema.shelves (shelf, key, value, version, at) overriding system value values ('messages:default/default/default', 'settled/1', '{"signals":[],"updates":[]}', '1', '1794930383487');
insert into kept_schema.shelves (shelf, key, value, version, at) overriding system value values ('messages:default/default/default', 'sleeping/1', '{"signals":[],"updates":[]}', '1', '1794930383487');
insert into kept_schema.views (run_id, name, value) overriding system value values ('01a1ea30-2a1f-7458-8f94-71ab179a5bff', 'seen', '21');
insert into kept_schema.views (run_id, name, value) overriding system value values ('01a1ea30-2af2-7586-8c31-7a13d518df42', 'name', '"Ada"');
select setval(pg_get_serial_sequence('kept_schema.inbox', 'inbox_id'), max(inbox_id)) from kept_schema.inbox;
