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
  constraint effects_pkey PRIMARY KEY (run_id, seq)
) with (fillfactor=80);

CREATE INDEX effects_doubt ON kept_schema.effects USING btree (scope) WHERE (phase = 'doubt'::text);

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

insert into kept_schema.accepted (storage_key, accepted_at, expires_at, run_id, inbox_id) overriding system value values ('sig:default:default:default:listening:later:later-1', '1794815628623', NULL, '01a1e359-1504-73f2-bc0e-e34be099e1dd', '1');
insert into kept_schema.accepted (storage_key, accepted_at, expires_at, run_id, inbox_id) overriding system value values ('upd:default:default:default:listening:rename:rename-1', '1794815628699', NULL, '01a1e359-1504-73f2-bc0e-e34be099e1dd', '2');
insert into kept_schema.effects (run_id, seq, version, scope, workflow_id, step_id, name, class, key, args_digest, status, phase, attempts, engine_attempts, error, event_seq, created_at, updated_at, receiver) overriding system value values ('01a1e358-fb05-7279-93f3-e0f4a37f31b2', '4', '1', 'default/default/default', 'doubtful', 'charge', 'charge', 'AT-MOST-ONCE', 'pawl-9338f198d184229b2baf13a3955ca244f2fe63bb10f93b91cb78b1136705025c', NULL, 'indeterminate', 'doubt', '1', '1', '{"code":"PAWL2001","reason":"it began and nobody recorded how it ended"}', '5', '1794815622147', '1794815630537', NULL);
insert into kept_schema.engines (engine_id, lease_until, dead, serves, renewed_at, lock_key, lock_server) overriding system value values ('01a1e358-fa24-7554-ab8d-13532cf05205', '1794815632089', 'true', '[{"workflow":"settled","version":"1"},{"workflow":"sleeping","version":"1"},{"workflow":"listening","version":"1"},{"workflow":"doubtful","version":"1"},{"workflow":"halfway","version":"1"},{"workflow":"child","version":"1"},{"workflow":"parent","version":"1"}]', '1794815622089', '-2799103463682229265', '1794815615850');
insert into kept_schema.engines (engine_id, lease_until, dead, serves, renewed_at, lock_key, lock_server) overriding system value values ('01a1e359-140f-7114-85ca-d38d983944c9', '1794815640537', 'false', '[{"workflow":"settled","version":"1"},{"workflow":"sleeping","version":"1"},{"workflow":"listening","version":"1"},{"workflow":"doubtful","version":"1"},{"workflow":"halfway","version":"1"},{"workflow":"child","version":"1"},{"workflow":"parent","version":"1"}]', '1794815630696', '7566244855844413418', '1794815615850');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e358-fb05-7279-93f3-e0f4a37f31b2', '1', '405443f8-a6bd-4adb-bbd7-e7fd14d2795d', 'RunStarted', NULL, '1', '1', '24e2752c2ce1b9792259c621afccd4defb627276267b2e54811e964bb0600aa0', '1794815621906', '{"parsed":true,"codeVersion":"1","from":"none","engine":"01a1e358-fa24-7554-ab8d-13532cf05205"}', '2855457d2efb950bda8c8adc9b8c1909', '00edf867ea9cd8f591cd45db0613bed9131f5602955b4b55013bc2e8885ea074', '1a6ac2be1930a763a8d0072d632594a4c6d282ec49e6d2154eb3d4c1a2f22e4e', '1794815622089', '1');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e358-fb05-7279-93f3-e0f4a37f31b2', '2', '21b7e00a-b6a7-45a6-a491-461ac52e329f', 'StepStarted', 'order', '1', '1', 'f8fc52bec9690d09343dae73f1d87c7f14fdbd8ef0bf9f9ffa1d71b8625e286e', '1794815621980', '{"kind":"effect","name":"order","digest":"799d7256bcab06d415e9f017db67b402ee0091972b47d904f8ff7accea7f6687","class":"UNDECLARED"}', 'dc184809cac16562d3dfac4ac3357037', 'a8459fa4e4a5fb00c8f771112f52a0309e69d85fb7261d1660a004145289eb2b', 'aade7077e5b67308f942e8c04dc61ad0222f2d32f4d55532e30a10d75fe7b6b9', '1794815622089', '1');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e358-fb05-7279-93f3-e0f4a37f31b2', '3', '1d0799c2-f5db-4fee-b5e4-dd018bc8094e', 'StepCompleted', 'order', '1', '1', 'dfe7873ec3716f3d9065f67cc1a90b2cf96854bff5b3e2eb47a042313089885e', '1794815622124', '{"result":7}', 'eec40f32caa460d6786a2df3f93360dd', '5b9dbaec24b976f6528ebfbfd6ef7904564ebc5aa32e4e7caa8a0937e523d241', 'c93b64bcb9445c2669db432845c945e2e58933ab3d7ca38dc285043789b24f7e', '1794815622147', '2');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e358-fb05-7279-93f3-e0f4a37f31b2', '4', '202e14b5-904e-4fec-8355-ed1177a4be86', 'StepStarted', 'charge', '1', '1', 'fe0ed29028b4e584279e411db69a2efea6357d5de8ecb2932279d14215769e77', '1794815622126', '{"kind":"effect","name":"charge","digest":"2ec79112be9dddff500c39c27d48b690db462962e412c10028ff5eeaf2d040b9","class":"AT-MOST-ONCE","timeoutMs":60000}', '129ede027e97697393ebb2f989990482', '3daa542e4c1d890832102c55863923b17371ae9cc18390394da62099402ef40f', 'e0ab8c359470fbf7cbae6fd1b11168c7ccdabd855c4cb7759c68ff979f815c36', '1794815622147', '2');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e358-fb05-7279-93f3-e0f4a37f31b2', '5', '4a591acf-15dd-4443-bab5-6191569a41de', 'pawl.StepInDoubt', NULL, '1', '1', 'e38dbc5d2b4cc98361ec25e69782e14005ea48b644c884dcc5252e87e8297239', '1794815630529', '{"stepId":"charge","reason":"it began and nobody recorded how it ended","code":"PAWL2001"}', '4465ca62c873da7060fa2c72b990b1c4', 'e2f6ebfb30636793d92b9247395f8e3edbc309268ab2483d12c7b8338ea41a71', '12386e9035c79bd4837f8e7348720e57ec9cb9518b1d52aa74df60aedd0c00eb', '1794815630537', '3');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e359-14ad-7088-9926-603ccc60c79b', '1', 'ad17733c-c71a-463f-ad9f-b1bedffed354', 'RunStarted', NULL, '1', '1', '3a2afa3f38e7be3eaef16f57be8f02143a65c02f5b3f3b968507f6579566b911', '1794815628465', '{"input":21,"parsed":true,"codeVersion":"1","from":"none","engine":"01a1e359-140f-7114-85ca-d38d983944c9"}', '54624b865b86592ea675b51f0730ee9d', 'e02903da50ae29dc2250a1187dae26887c6968a569b6c0a9bb789b3de745cab0', '85e2069ef2caab72f7b2a995aef2df44ec6b0c905f4ce8f56f9c72b7daf6d08b', '1794815628491', '1');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e359-14ad-7088-9926-603ccc60c79b', '2', 'ae42e955-3a8a-4a82-bf35-fe233c8b0065', 'pawl.ViewPublished', NULL, '1', '1', '07bd88fe598796b923d73f910bf0ce1d655ec946f31606c807c17269435740a5', '1794815628475', '{"name":"seen","value":21}', '06ee3cd7286c0cebffe045a946fc7e81', '6d0af242e82b540f682edf792e36e9ad37184d86347b57c696d388833202bb9a', 'c493b367246d57fe50d860728554878d15ea6c6b615690f7674b11cec4ea5e30', '1794815628491', '1');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e359-14ad-7088-9926-603ccc60c79b', '3', '10aa1ba0-e08e-41b2-9855-3c157914e322', 'StepStarted', 'double', '1', '1', 'c401f9a1ce4621326885ee21bb8f22dae1e5cd375f9ca8f8aaddfc23ff508e8f', '1794815628477', '{"kind":"effect","name":"double","digest":"ee9ff8738b77f6cb9c3d0cd45ac165bc9e65f949afd79b7dd809848242b0b772","class":"UNDECLARED"}', '5093074493c755d5ca55fe632225c950', '46349a7d021784e54a27592f25dc6f7eac03cfd70a7f9fc4214faae83e8f8a0a', '79a84f1df99d27ec336030e3c399cc1170372459ada2914dfb51a4c61760496d', '1794815628491', '1');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e359-14ad-7088-9926-603ccc60c79b', '4', '0fb1631c-4741-40f6-a5f2-419d1a6c401f', 'StepCompleted', 'double', '1', '1', '49d0339743a80ba518f94597675c133940b3af38826813233e30363bef15f5a4', '1794815628508', '{"result":42}', '3a1ef03bb778e77ba6fdab3a01c68284', 'c17375d1f4a43dd59cf6bc1e54218ffb33c3f54763f16b0215591fbdc4ed9508', '0e5735501cbdb34ece1fb565c74d1a6a3a1aceac3bb015ccd08dd6382c7d1cde', '1794815628516', '2');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e359-14ad-7088-9926-603ccc60c79b', '5', '1fcb03d3-126d-4199-a308-73ee70912781', 'RunCompleted', NULL, '1', '1', '392eed392c4ebc2f19814435d1b885cceb793158f99cf0156d015b19dfdc9efc', '1794815628509', '{"result":42,"from":"RUNNING","engine":"01a1e359-140f-7114-85ca-d38d983944c9"}', '276cee5a91a25dd91185b9586d1807c8', 'b62703767fa13c7e5feacb4364ae43e4931c32047905a8492e7b6e95922a5a98', '9a36badef6e0fc6cd9289b4e4de17738e861a03e1cfcce0bf9861e5001bd3b7f', '1794815628516', '2');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e359-14eb-7477-89c4-ed5430925fd8', '1', '1485fbb7-8fea-4ddd-928b-9109a364a7d5', 'RunStarted', NULL, '1', '1', 'e7eccd672dc7ea18efa1604f7040b2be1ad76b7edbb35e1fd629cb788467cbcd', '1794815628528', '{"parsed":true,"codeVersion":"1","from":"none","engine":"01a1e359-140f-7114-85ca-d38d983944c9"}', '73bc7bdf990a4cdca85efeda0ff55e48', '887fdc2f98e6acf7bff4b80936c24d2853e9e95a0a897f0e59666e55561d8739', '3a42384461371f186745e0b8d60f3a8beaded20e6cc68d7528756cf0aa4cb416', '1794815628536', '1');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e359-14eb-7477-89c4-ed5430925fd8', '2', '786b222f-310d-4e17-87a0-5beb7278da05', 'StepStarted', 'before', '1', '1', 'a521b2632ab9666809b729db77f6d43890bb6632595a95adf147eb1a565fe4ec', '1794815628529', '{"kind":"effect","name":"before","digest":"05bfe291a21a0d1f5f4657f5211cbe8150d540997b33667c9d3ea79321335833","class":"UNDECLARED"}', 'a0c2c042dd04e30773ca028c23f0f3a0', '47092221cdfe52bee76cc257e58ed8cad2939ae17e24795d4da8ff6b4f870775', '1e5a147fe5623a58e5573980585eeac68f05934f29d320e05d074e2f13223069', '1794815628536', '1');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e359-14eb-7477-89c4-ed5430925fd8', '3', 'e6a262b3-f68a-428f-b3b8-c9cd83c8e5e4', 'StepCompleted', 'before', '1', '1', 'e50ef5b7791b56c116f9ad85a27e5ff0893e3a82ae3ed2aa84643559f44c4885', '1794815628548', '{"result":"slept"}', '4b43ec9d2f63e02e8ac331d04f5d2afd', 'a8e235331d733fdd733b63b971449a03a583291379bd589a0c61bb59ad34e6f3', 'ecf5701b3d67ec6fdfe0d290793d76387c033550d351767497e27ff610fe065a', '1794815628552', '2');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e359-14eb-7477-89c4-ed5430925fd8', '4', '0910aa56-cb33-4769-8ecf-aaefe5e3aad4', 'StepStarted', 'nap', '1', '1', 'd7d22bfe4a6a3431920e7c4a90826b9dd98d976134c8eed9e4c66648cc167635', '1794815628549', '{"kind":"timer","name":"nap","digest":"538b904f34061c9af68dfac9bc3e3f2aa12c8f0274ac1a58dec9793584cd778e","delayMs":5000}', '0f820a026646c6c67719d56a092aa759', '5de7c93da08151cb216dc653383a25a3ca34575828db637363ba4a4e1b8289d4', '0e83374481cff11903ed365d84592c2a138e39dd55c1379cd466100e293ef470', '1794815628552', '2');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e359-1504-73f2-bc0e-e34be099e1dd', '1', 'bdf0b656-20bb-4448-994a-7c9296ec2fa1', 'RunStarted', NULL, '1', '1', 'dee68abfe554a0707af9cbd37fa2fd5df2717f17b883210267fab023651be6ab', '1794815628557', '{"parsed":true,"codeVersion":"1","from":"none","engine":"01a1e359-140f-7114-85ca-d38d983944c9"}', '6c7b8b08346c5b249fcfafcb0970ab1c', 'eaeddbcee0b8abe94f17646cd605e8055f71ffdd617b846c6a19049b6b92d13c', '8bf5266a4901cd4ecfc014a7dd2232a2427e471e59e0d47aa285baf03607eb61', '1794815628572', '1');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e359-1504-73f2-bc0e-e34be099e1dd', '2', 'd1973693-4f3b-40a6-9cd5-71490151474c', 'StepStarted', 'go', '1', '1', 'c20d458a2199e2b1d0e8f7c28e4b8681bf9f1fd34077eca22b0af1033bea426c', '1794815628558', '{"kind":"signal","name":"go","digest":"3f5b2441e270ad2f461312a47e3f1f735c673b3b83fdb595499e9ce0c6e46d28","signal":"go"}', '8f7a08de84346944121ec71e207f2d11', '5499e3c05979ed9f4343736d26327515f464b54be705e1d1f6b6dab7660ee9fc', 'b254801cf0f3d9933f1fee3e20d032bb1822bc2535d6996126ef2147e485a1c8', '1794815628572', '1');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e359-1504-73f2-bc0e-e34be099e1dd', '3', '75b0ece0-5c68-4b0b-8912-05bebcd022e2', 'pawl.UpdateAccepted', NULL, '1', '1', '5ae1364910162299ecc3a6080dd5144652de34bf68815db3cf9bd0d8e4471ccd', '1794815628752', '{"updateId":"rename-1","name":"rename","inboxId":2,"input":"Ada"}', '2ecb9084099853b5bebeb698486542b8', 'fa844f45c5a88a4930c4278b98eba75e71fd2ef274a8979247327f794ca4e56d', 'd9ab40e09a87449899416743cb72e1b55f7c82d068ad7e778dfc92089279fda0', '1794815628774', '2');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e359-1504-73f2-bc0e-e34be099e1dd', '4', '1a766645-7a10-4e39-b15d-5dac5f21ec0d', 'pawl.ViewPublished', NULL, '1', '1', 'b645a828365f61dcb6308c96d6eba133e9f865b2bc631bd5efdd97fa6ec1a6b1', '1794815628762', '{"name":"name","value":"Ada"}', '673371bfdc771a1167c0c0c831fafdea', 'cb5eb099ebae825771076a80b6f597cf9a7b597676457d08f20b4d4ee223499a', '8980cda14c04e432febbbfa927b7be8ecf69f348d0cb6ba877671957626fa177', '1794815628774', '2');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e359-1504-73f2-bc0e-e34be099e1dd', '5', '1791f1c4-c2e0-4e07-a9c3-11001107611e', 'pawl.UpdateCompleted', NULL, '1', '1', 'cc6591764f5a80691734abda6d533fce96342657055aa69ed823b23f23564646', '1794815628763', '{"updateId":"rename-1","answer":{"ok":true,"result":"renamed Ada"}}', '6703a6ff9961b0fea43617bf90753d54', '00e51a923b6191f24e3496e797e31e874a3b5fc5e2ec445c98e296d4a964b588', '1d34d44aa77d0c32e918b418caf58d2a203062df166f7a712bbb61f1abcaa7c1', '1794815628774', '2');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e359-1520-71d9-bc7e-3281e6c5b3d5', '1', '76c85342-9c31-4be8-a6ae-0e61684afb98', 'RunStarted', NULL, '1', '1', 'd3b428173bed65dc1be58bb1c27d07e57774a31e8681928f0f5700b5fae36af0', '1794815628580', '{"parsed":true,"codeVersion":"1","from":"none","engine":"01a1e359-140f-7114-85ca-d38d983944c9"}', 'd5756ed511bc34e4d3768e0bad8e93d8', 'bacade6988dc9c160bcdcda003eea58e1c0c701931917dc6e9b3257289daf506', '1b3175c0bc5abbeb7cbd8abe60d110790d9927c36942fb8ee5443cedfa4cd041', '1794815628586', '1');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e359-1520-71d9-bc7e-3281e6c5b3d5', '2', 'a07953e1-d905-429a-922d-4b83536278fa', 'StepStarted', 'child', '1', '1', 'fa387f9b7ece22b1ffd91bf76ce63cc3ddfe797ab0158fb82783bd4c4351e594', '1794815628582', '{"kind":"child","name":"child","digest":"117651691b2a9336f86f4d9b0d54adbaae27db196460c3c4d8f700218d6505ed","child":{"runId":"01a1e359-1526-75e3-a494-e680eb47a67d","workflowId":"the-child","workflow":"child"},"input":{"$pawl":"undefined"}}', '2c403e558efaeade0ea181d6403e8aa5', 'e18d2b08f29d99edbe2124ed75377f5edeac518ec08657e5f295d400105843fc', '3033f3812ac220aed35a4365834a5612278ffe9233950f325e45c33feb247478', '1794815628586', '1');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e359-1526-75e3-a494-e680eb47a67d', '1', '2a61f3bd-0660-41f8-a8b0-1388bf9b9e98', 'RunQueued', NULL, '1', '1', 'dbbbb199deec3e18101df72e59833349a8f210ce9cd977cdc0d4539ca52835c7', '1794815628582', '{"input":{"$pawl":"undefined"},"engine":"01a1e359-140f-7114-85ca-d38d983944c9"}', '06b777cf717df3fbf552c7f9da0a44fe', '809a2dfb7df06aba7e5cbae754e966cc1cffb1e8d45d2d21637cb21a3ed17926', 'd83aba33b2bd29da460e01b1c3e20dd9ea74c465b94a822be0323bba725210a3', '1794815628586', '1');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e359-1526-75e3-a494-e680eb47a67d', '2', 'c1b1f063-d243-47f3-a441-295acf63f051', 'RunStarted', NULL, '1', '1', '14c2a669dd77c883f9bfbffd1a15db204870a665e26a405284ae9084c9168572', '1794815628675', '{"parsed":true,"codeVersion":"1","from":"PENDING","engine":"01a1e359-140f-7114-85ca-d38d983944c9"}', 'fe1465ddbf758a828569d332eea969d1', '7ca618da6731f7608abf82e6c4496d7032b654bf78314639f6a42631f89e0175', '9fffe6f220dfde2548c6ec2f619cbe9d7fe2d1353ce616283bc9004b948a430e', '1794815628688', '2');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e359-1526-75e3-a494-e680eb47a67d', '3', 'f65c0851-d8a8-40a4-a66d-5257e0e82a5e', 'StepStarted', 'answer', '1', '1', 'a018fe1b5b61c35b00fedccce7e8a773e1bc23c3f073e689da50db46ff3e7454', '1794815628677', '{"kind":"signal","name":"answer","digest":"6af44cf9a32d7a8596ddd574de00e2d0e036802c46e1f63c4dd7966c382e4c35","signal":"answer"}', 'ea57968af0f5d8107cd9e31f9b2c3a8f', '19a937f1e37909b13d24e1d8841f15dfd84b005197b8a756fbe7fb29fb3893fc', 'd405ab9aa0a1a29e13d6cb885e29e8bb4f67eaf6c0a404b9f4179874644381ad', '1794815628688', '2');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e359-1d4f-77b1-b1dd-4067f4d59885', '1', '6a340186-c340-478b-b940-46cdceac2476', 'RunStarted', NULL, '1', '1', '443799f9060e34c765c3524166b2ce916e61cccbd2e9c6f11b7c171d8f1a2040', '1794815630677', '{"parsed":true,"codeVersion":"1","from":"none","engine":"01a1e359-140f-7114-85ca-d38d983944c9"}', 'c0392f09a6298ee850d0c5e93bdc2b25', '9b6b85ea7fe09151b10363ee9df2003c69b4b35d0a05c7a02263a32203e20463', '0ccd7b3fc7c6b084b75937ed96f6d6b09aa0d13847c9ce49a0ca5a42f5d19b7f', '1794815630681', '1');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e359-1d4f-77b1-b1dd-4067f4d59885', '2', 'e085bc9a-fe52-4a9e-9a23-ae1fb2e4d2c6', 'StepStarted', 'one', '1', '1', 'f697a81c10007efced83a6fee8fb31dee5f5e03118ba7ffe80b608fb0179af8f', '1794815630678', '{"kind":"effect","name":"one","digest":"65ef844c98b3e85b70e6c5192d76d1b60a81a310e6ba93e27b447a5ad881c94b","class":"UNDECLARED"}', '0b892b9c7384d1935128e05d0fbaa30a', '319175aaf5176a3cac0fe1f01d36158d89712e4c2b61efcfcae835d98593e496', 'fa3adc6c21934c66133d4e43dd73eaf9e5b9f37a9ab2f089cb02e6390fb42e81', '1794815630681', '1');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e359-1d4f-77b1-b1dd-4067f4d59885', '3', '84a0c5bc-8651-47a1-83f9-d8594d1803d6', 'StepCompleted', 'one', '1', '1', '31af5513df7b51ad7b9eb2fcae54f34b8acf2ac9ea2963c346bb11fdcccbaac8', '1794815630686', '{"result":1}', 'ac6c122fe4d009b4e1fc3bdbf343e681', '042b32cefb706f98f80d2749455a45e6ef1cafe1ec57ceafa50df76928ceded8', '721232892bc4a9954798300d541b0f342c99efa9a0fe8b056f23d298c14d4d71', '1794815630687', '2');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e359-1d4f-77b1-b1dd-4067f4d59885', '4', '8e3e88af-76c6-41a8-ae32-37fbe7682408', 'StepStarted', 'two', '1', '1', '4f6a56ff7938b7ac7cd9ef28d15c6797bb2af75c2e0d63fc932a6547f4f42105', '1794815630687', '{"kind":"effect","name":"two","digest":"a98cec722f9d81d928ab82e4904c332bd488d86208c0d5a9e5abed5d03a2c30b","class":"REPEATABLE"}', 'ccb067c737273ef644530c965db87f0d', 'c9325734596815312d6c4dd1bce511bcc68b4e4ce51d7125272460496bdd38d5', '72d19c6f6c3ed3598e8e57d760f33b28fc58fd26715dfb2943b0f2c5f99b1511', '1794815630687', '2');
insert into kept_schema.inbox (inbox_id, run_id, kind, name, id, payload, accepted_at, taken, consumed, wakes, reply, dedup_key) overriding system value values ('1', '01a1e359-1504-73f2-bc0e-e34be099e1dd', 'signal', 'later', 'later-1', '"first"', '1794815628623', 'true', 'false', 'false', NULL, 'sig:default:default:default:listening:later:later-1');
insert into kept_schema.inbox (inbox_id, run_id, kind, name, id, payload, accepted_at, taken, consumed, wakes, reply, dedup_key) overriding system value values ('2', '01a1e359-1504-73f2-bc0e-e34be099e1dd', 'update', 'rename', 'rename-1', '"Ada"', '1794815628699', 'true', 'true', 'false', '{"ok":true,"result":"renamed Ada"}', 'upd:default:default:default:listening:rename:rename-1');
insert into kept_schema.meta (one, format, oldest_reader, oldest_writer, incarnation, store_id, identity) overriding system value values ('true', '4', '1', '1', '1', '9cf00caf-1658-4afb-a249-594ec64be80d', '7708674351079362260/1/5');
insert into kept_schema.runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, origin, expired_at, purged_at) overriding system value values ('01a1e358-fb05-7279-93f3-e0f4a37f31b2', 'default/default/default', 'doubtful', '1', 'doubtful', '1', 'RUNNING', 'decision', '01a1e359-140f-7114-85ca-d38d983944c9', '2', '69a90ff231af0083b90da0ecc03a738b', '3', '99dd069a-271d-411e-884d-cb8838071a68', '5', '12386e9035c79bd4837f8e7348720e57ec9cb9518b1d52aa74df60aedd0c00eb', '1794815630537', NULL, '1794815622089', NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1e358-fb05-7279-93f3-e0f4a37f31b2', NULL, NULL, '0', 'false', 'engine', NULL, NULL);
insert into kept_schema.runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, origin, expired_at, purged_at) overriding system value values ('01a1e359-14ad-7088-9926-603ccc60c79b', 'default/default/default', 'settled', '1', 'settled', '1', 'COMPLETED', NULL, NULL, '1', 'c154c398325a0220a428113e0a98f72f', '2', 'df6c3865-c0bc-4514-a7b5-e7384b6d0399', '5', '9a36badef6e0fc6cd9289b4e4de17738e861a03e1cfcce0bf9861e5001bd3b7f', '1794815628516', NULL, '1794815628491', NULL, '{"kind":"kept"}', '6f4b6612125fb3a0daecd2799dfd6c9c299424fd920f9b308110a2c1fbd8f443', 'settled-once', NULL, '01a1e359-14ad-7088-9926-603ccc60c79b', NULL, NULL, '0', 'false', 'engine', NULL, NULL);
insert into kept_schema.runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, origin, expired_at, purged_at) overriding system value values ('01a1e359-14eb-7477-89c4-ed5430925fd8', 'default/default/default', 'sleeping', '1', 'sleeping', '1', 'RUNNING', 'timer', '01a1e359-140f-7114-85ca-d38d983944c9', '1', 'f5822d315d69748e1945d8f462ae5a07', '2', 'ca3a28c8-5f00-4c83-a880-9cac32f634be', '4', '0e83374481cff11903ed365d84592c2a138e39dd55c1379cd466100e293ef470', '1794815628552', '1794815633552', '1794815628536', NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1e359-14eb-7477-89c4-ed5430925fd8', NULL, NULL, '0', 'false', 'engine', NULL, NULL);
insert into kept_schema.runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, origin, expired_at, purged_at) overriding system value values ('01a1e359-1504-73f2-bc0e-e34be099e1dd', 'default/default/default', 'listening', '1', 'listening', '1', 'RUNNING', 'signal', '01a1e359-140f-7114-85ca-d38d983944c9', '1', '430451e70acab9b494c6871b527f2c4b', '2', '2242f229-e886-4c60-b982-788e8c0f577f', '5', '1d34d44aa77d0c32e918b418caf58d2a203062df166f7a712bbb61f1abcaa7c1', '1794815628774', NULL, '1794815628572', NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1e359-1504-73f2-bc0e-e34be099e1dd', NULL, NULL, '0', 'false', 'engine', NULL, NULL);
insert into kept_schema.runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, origin, expired_at, purged_at) overriding system value values ('01a1e359-1520-71d9-bc7e-3281e6c5b3d5', 'default/default/default', 'parent', '1', 'parent', '1', 'RUNNING', 'child', '01a1e359-140f-7114-85ca-d38d983944c9', '1', '922147990b9ebfb8461cc255bc271f3e', '1', '9d4b4f33-3899-4d1d-86e0-c8320608567f', '2', '3033f3812ac220aed35a4365834a5612278ffe9233950f325e45c33feb247478', '1794815628586', NULL, '1794815628586', NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1e359-1520-71d9-bc7e-3281e6c5b3d5', NULL, NULL, '0', 'false', 'engine', NULL, NULL);
insert into kept_schema.runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, origin, expired_at, purged_at) overriding system value values ('01a1e359-1526-75e3-a494-e680eb47a67d', 'default/default/default', 'the-child', '1', 'child', '1', 'RUNNING', 'signal', '01a1e359-140f-7114-85ca-d38d983944c9', '1', 'b56660152a2ea20b508c72c9def5e369', '2', '28ebc484-73de-41cc-8f7b-64e2afed1637', '3', 'd405ab9aa0a1a29e13d6cb885e29e8bb4f67eaf6c0a404b9f4179874644381ad', '1794815628688', NULL, '1794815628586', NULL, '{}', '66fb24cb21354877635a93dab77577d75c67408441b22f433c4c30e6506f15c3', NULL, NULL, '01a1e359-1526-75e3-a494-e680eb47a67d', '01a1e359-1520-71d9-bc7e-3281e6c5b3d5', 'child', '0', 'false', 'engine', NULL, NULL);
insert into kept_schema.runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, origin, expired_at, purged_at) overriding system value values ('01a1e359-1d4f-77b1-b1dd-4067f4d59885', 'default/default/default', 'halfway', '1', 'halfway', '1', 'RUNNING', NULL, '01a1e359-140f-7114-85ca-d38d983944c9', '1', '67b3c2d7bd154fcbd34e50f59344e1fe', '2', '1fcc5b39-227a-43b8-a874-50650d41cee6', '4', '72d19c6f6c3ed3598e8e57d760f33b28fc58fd26715dfb2943b0f2c5f99b1511', '1794815630687', '0', '1794815630681', NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1e359-1d4f-77b1-b1dd-4067f4d59885', NULL, NULL, '0', 'false', 'engine', NULL, NULL);
insert into kept_schema.views (run_id, name, value) overriding system value values ('01a1e359-14ad-7088-9926-603ccc60c79b', 'seen', '21');
insert into kept_schema.views (run_id, name, value) overriding system value values ('01a1e359-1504-73f2-bc0e-e34be099e1dd', 'name', '"Ada"');
select setval(pg_get_serial_sequence('kept_schema.inbox', 'inbox_id'), max(inbox_id)) from kept_schema.inbox;
