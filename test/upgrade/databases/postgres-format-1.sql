create schema kept_schema;

create table kept_schema.accepted (
  storage_key text collate "C" not null,
  accepted_at bigint not null,
  expires_at bigint,
  run_id text not null,
  inbox_id bigint not null,
  constraint accepted_pkey PRIMARY KEY (storage_key)
);

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
  constraint runs_pkey PRIMARY KEY (run_id)
) with (fillfactor=60);

CREATE INDEX runs_due ON kept_schema.runs USING btree (owner, scope, workflow, version, due_at, run_id) WHERE (due_at IS NOT NULL);

CREATE UNIQUE INDEX runs_generation ON kept_schema.runs USING btree (scope, workflow_id, generation);

CREATE INDEX runs_newest ON kept_schema.runs USING btree (scope, created_at, run_id);

CREATE INDEX runs_parent ON kept_schema.runs USING btree (parent_run_id) WHERE (parent_run_id IS NOT NULL);

CREATE UNIQUE INDEX runs_start_key ON kept_schema.runs USING btree (scope, idempotency_key) WHERE (idempotency_key IS NOT NULL);

create table kept_schema.views (
  run_id text collate "C" not null,
  name text collate "C" not null,
  value text not null,
  constraint views_pkey PRIMARY KEY (run_id, name)
);

insert into kept_schema.accepted (storage_key, accepted_at, expires_at, run_id, inbox_id) overriding system value values ('sig:default:default:default:listening:later:later-1', '1794799049246', NULL, '01a1e25c-19ed-7305-a403-b56ac51605d2', '1');
insert into kept_schema.accepted (storage_key, accepted_at, expires_at, run_id, inbox_id) overriding system value values ('upd:default:default:default:listening:rename:rename-1', '1794799049287', NULL, '01a1e25c-19ed-7305-a403-b56ac51605d2', '2');
insert into kept_schema.engines (engine_id, lease_until, dead, serves, renewed_at, lock_key, lock_server) overriding system value values ('01a1e25c-14fb-74d3-a17c-1f14871394ff', '1794799057955', 'true', '[{"workflow":"settled","version":"1"},{"workflow":"sleeping","version":"1"},{"workflow":"listening","version":"1"},{"workflow":"doubtful","version":"1"},{"workflow":"halfway","version":"1"},{"workflow":"child","version":"1"},{"workflow":"parent","version":"1"}]', '1794799047955', '-7738759652422147208', '1794799046786');
insert into kept_schema.engines (engine_id, lease_until, dead, serves, renewed_at, lock_key, lock_server) overriding system value values ('01a1e25c-195e-7573-a891-e9177893bb9e', '1794799061160', 'false', '[{"workflow":"settled","version":"1"},{"workflow":"sleeping","version":"1"},{"workflow":"listening","version":"1"},{"workflow":"doubtful","version":"1"},{"workflow":"halfway","version":"1"},{"workflow":"child","version":"1"},{"workflow":"parent","version":"1"}]', '1794799051160', '-4092816459946572406', '1794799046786');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e25c-1529-72c2-83ea-905f22dd7561', '1', 'c0b6e7b4-b38a-48a7-a9a0-83e30067920f', 'RunStarted', NULL, '1', '1', '77d53bdf248f673220c77751afa8d4b54d6b846869acb1575875cd4f447f625a', '1794799047981', '{"parsed":true,"codeVersion":"1"}', 'bc9e0ea708f2adc49ce459b04669ab36', '8d2aa4c505c5a8310b9122bf4db2b135a0f98812a19118a22611913a5d4b6f81', '6ef88b83d2582f4956fbfabde44865612e9bd5cddfe56a7f65702823d873942d', '1794799047991', '1');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e25c-1529-72c2-83ea-905f22dd7561', '2', 'ea828b9c-6c91-4b06-aa72-0878e0773c1d', 'StepStarted', 'order', '1', '1', '7e2853fdbc0ed8ca8f59c762aec091b0f6b10d57af0b67c2f7ca7eb9533ee871', '1794799047984', '{"kind":"effect","name":"order","digest":"799d7256bcab06d415e9f017db67b402ee0091972b47d904f8ff7accea7f6687","class":"UNDECLARED"}', 'e81d81ab9ac3e0ed81c8e185182f340e', '71c39542c1102d8c9584ab3c6d4c62a424272b1347323068acaf515f66a32816', '02860b3002e1ad006941f0c24a99671a5f14550d97c740f5efefed4e324dc3ed', '1794799047991', '1');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e25c-1529-72c2-83ea-905f22dd7561', '3', '111a8baf-0bb7-475a-b22a-e36851b9d30c', 'StepCompleted', 'order', '1', '1', '04df17392d8f8ae21c138fcdfec0a976fc6db28c13447f3829e0955988d974f6', '1794799047996', '{"result":7}', '36c93b7c9d7d8f3904438e6ee2817194', '55d5aea01b8c5dce244ed6a6d1c88ee6bc68483fc8a6f500d9e3ebaa1d4ccfc2', '75474d29412dfc5983f7d6f0ff9bf9a95ee819f016d3747e1e12d41d3efc6233', '1794799047999', '2');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e25c-1529-72c2-83ea-905f22dd7561', '4', '42d85d27-a0a0-4072-8fd8-f76e64f0c074', 'StepStarted', 'charge', '1', '1', '4ee4ba4087b1e0b91e444eb1d9b970a50356eb737bca489030e2f8f06aa7ee1f', '1794799047997', '{"kind":"effect","name":"charge","digest":"2ec79112be9dddff500c39c27d48b690db462962e412c10028ff5eeaf2d040b9","class":"AT-MOST-ONCE","timeoutMs":60000}', '318c01746284a9bf7580b4c81fbca57b', 'a75a5e322e17da174fe6fce9c6c5b51115185cddba55157f85fdf975b8fe0566', 'f62f4d5371f6ec768828b1f82571a92f07d910889a23de091e259637d09ebc9f', '1794799047999', '2');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e25c-1529-72c2-83ea-905f22dd7561', '5', '36dc56ba-cd6a-4a7a-955c-9a6c743e9dec', 'pawl.StepInDoubt', NULL, '1', '1', 'f221f5b92b9bf0c855438733f2e38eab63996234f95041389fb5666d6950e74e', '1794799051156', '{"stepId":"charge","reason":"it began and nobody recorded how it ended","code":"PAWL2001"}', 'd33636d8f480e8ef773b074d6b63d571', 'dee80f1f42580f12aaabec18329e0b876ab73449edf19fe9f75bd220d3405b29', '1c0bde11421497266bfb81aaa90972fdac287c74f989ec135bde14d90d1cc1a9', '1794799051160', '3');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e25c-19c5-77b2-9bfe-b40a7fff19f6', '1', '7885a4d4-4383-4ea3-935d-87e7ea36add6', 'RunStarted', NULL, '1', '1', '91b7470a8d552deb8cd5507a10735f8c08f14a3d5dda3e089a2553a50b563298', '1794799049160', '{"input":21,"parsed":true,"codeVersion":"1"}', '7a0e75ee83e2099f86490d11f1df3fba', 'f27beb3c411f71c111fead2a15113a88849731335a43e130120bece54b766f9f', 'aa234e7b4f81605acabba50018c981fa9cf71a3181e3ae9b9e988f59e6c7801d', '1794799049174', '1');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e25c-19c5-77b2-9bfe-b40a7fff19f6', '2', '593b3d81-5e53-414d-ad49-3c17b24c95e2', 'pawl.ViewPublished', NULL, '1', '1', '48d8d4cf667e55bff8e7da264fdc0e797c86dd6e480649ed9026f957d685cfbb', '1794799049161', '{"name":"seen","value":21}', '78017ec30ebba6bd2ba0450bd43af39f', '985ebdf9e24138a85534e67363079611d6e5bf64083c1b204abd746840f41e7f', 'bfea6a9325c56c9b17eaea16dd52445a918792d637c5309e4c34748f84624e69', '1794799049174', '1');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e25c-19c5-77b2-9bfe-b40a7fff19f6', '3', '1fcda022-6923-4217-afc2-0345772e819c', 'StepStarted', 'double', '1', '1', 'b6965317d3ef9298beff2de7abf978a27aaa7e3bd3059b03e8d7e3ed28818201', '1794799049162', '{"kind":"effect","name":"double","digest":"ee9ff8738b77f6cb9c3d0cd45ac165bc9e65f949afd79b7dd809848242b0b772","class":"UNDECLARED"}', 'f52390934e4a136be686171db2415f2c', '12eef54697b759e439a4ee4d0d8c10d478542c9b8a796d988ca7de99abfee0a9', 'df9f85aea59006713c2b4de205f539518f5c465de35148f9e71be2eabfd0fdde', '1794799049174', '1');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e25c-19c5-77b2-9bfe-b40a7fff19f6', '4', '2430110d-706b-4369-b9fe-30ae4333091c', 'StepCompleted', 'double', '1', '1', 'eb3465936a13608dd1b1bd41d783bdb11bb041ae6f2814233aa055b2ac15fc86', '1794799049180', '{"result":42}', 'ff380f05b567330689f226678fa613a9', '5219fe7353bfcb7bd845ae7ef173fb33c3c8eaa36a33fae04be9c177da7d3685', '79541a9fc5fe865ec4cb53491695a4612d602684e99512773139e4c8ec296d06', '1794799049184', '2');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e25c-19c5-77b2-9bfe-b40a7fff19f6', '5', 'fbad3823-4331-4f11-924e-308244768ac8', 'RunCompleted', NULL, '1', '1', '54bae9a93eda4c5ac97ef4e0de15ae7217961fbf504c91c7db94ea120e027c07', '1794799049181', '{"result":42}', '2c0ee18de0d41a0cdcb08b0c5cc87f1d', '60bf253c264c55ed9b54b6598ee6100adf78f7d6ccc9ed3ba5934643f77fa575', '26f92347e3274f33cc112b816bd173b2a1223435c3db6a793c83d54c81f2291b', '1794799049184', '2');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e25c-19e3-767c-8cfc-0e59331d7227', '1', '17abfacb-ab06-4d69-9035-ff2b46c8fd11', 'RunStarted', NULL, '1', '1', '06163e046a2706752ade11d145b5fa74189ac0df609c50841428c45e074fbe87', '1794799049192', '{"parsed":true,"codeVersion":"1"}', '10baaced382a74384522e10398cfdc50', 'a7a26fe2de0de8d21866b8c54e656657128acaafe8c8c2ad198d35fed9217429', '5bf392d3015b04dd13212b86621e8c128b4049aca8c8306f122f9541e13106be', '1794799049195', '1');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e25c-19e3-767c-8cfc-0e59331d7227', '2', 'b5afc710-833a-446b-ad1a-ba182f3b2f66', 'StepStarted', 'before', '1', '1', '412e105d74f4d254aa0596fce489809c578a9a7896a24a81a4a9d9194033e7a0', '1794799049192', '{"kind":"effect","name":"before","digest":"05bfe291a21a0d1f5f4657f5211cbe8150d540997b33667c9d3ea79321335833","class":"UNDECLARED"}', 'e75f9109b8ee44ee51ed26b41e8ae14c', 'c9b8406539284841261d2368ef92a890176f05ed768fa27eeba015dfc886f822', 'd122f5a0ce923cb647c586c600bbe5135e95dad3828a49e21435e4d9a7fcc9ed', '1794799049195', '1');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e25c-19e3-767c-8cfc-0e59331d7227', '3', '2c593c58-cf09-4d98-b4d6-8e13292d65ab', 'StepCompleted', 'before', '1', '1', '8bc0e0a8eedc192685bc5012ee2aa96e54dec04c6fe473bf13a603de654a6f00', '1794799049197', '{"result":"slept"}', '48f5217cac09240282f0c7b2b4c0d25b', '337356e7b94528c663588f7809f93ac08f3ae93d50449a85c9b8f0dd36632ee0', '0052c958121929706480b1e7feb8d3e61a6157088b8ea302be13e7c4cd58b0d6', '1794799049200', '2');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e25c-19e3-767c-8cfc-0e59331d7227', '4', '2b6d4611-b2da-4ca2-9c71-ffae877828cd', 'StepStarted', 'nap', '1', '1', 'a2ab85b1ae90fe7b592f3a0547fb59f97ab799334427f0fb297f0fd3f1f39ef3', '1794799049198', '{"kind":"timer","name":"nap","digest":"538b904f34061c9af68dfac9bc3e3f2aa12c8f0274ac1a58dec9793584cd778e","delayMs":5000}', '86d5f65200432829a12a72b964bfba1a', 'da5e1d54c1e3e80bed3c0c0a9a22b48b39df2e0b198d1413f6b4b0a4ae33530d', '2b579240eb44944ae934ee0d7f585267e244cd15639b9b4935127df8dd391114', '1794799049200', '2');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e25c-19ed-7305-a403-b56ac51605d2', '1', '07da23f6-a228-4a60-be2c-9e89f0376f39', 'RunStarted', NULL, '1', '1', '0292de9ed4f8f2503f123249e68d118cf1c729cca139fad10fcc299fdb495c25', '1794799049200', '{"parsed":true,"codeVersion":"1"}', '93923a3d9bd3299d6168d7aba6e78151', '4e7e4781cb11e77d32ef7abc77a6579716a3d6b5ec5ee5f1dc9bc00819f23150', '3ba265ce336450e2636f9eaabfb138c29c31a8d297a47d0106885c0fc2486d37', '1794799049212', '1');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e25c-19ed-7305-a403-b56ac51605d2', '2', '9d5ef515-fee9-424e-83b1-07609bd09d17', 'StepStarted', 'go', '1', '1', 'f97602affaeb55e0970a4ae1408bd6f5e6a0235375ba3b66c29bb3ed29d1bd44', '1794799049201', '{"kind":"signal","name":"go","digest":"3f5b2441e270ad2f461312a47e3f1f735c673b3b83fdb595499e9ce0c6e46d28","signal":"go"}', '3c285d538aab130c770090c6c8c85ffe', 'f1536fb5c8933bd4e2c99595f6664c631ecd615f5b289b9516e7a932ff95401c', '9eb5d412d32210d1972c489b9b3e9549b0b306851c21b625a4a447913fdb4205', '1794799049212', '1');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e25c-19ed-7305-a403-b56ac51605d2', '3', 'a900a7e7-a3da-4a61-948e-85a95903b3fa', 'pawl.UpdateAccepted', NULL, '1', '1', '8790979ec830d4454fd07c82c285177820fc6bf18467290e8fb54244f1666d1e', '1794799049295', '{"updateId":"rename-1","name":"rename","inboxId":2,"input":"Ada"}', 'a4cf17fa0f72a7c209e7c87bf2e02db5', 'dc9273952842a4b699a5552656a8d7be704d484a87047f44ea835b9971fa2f39', '71afcc8766edd370e88bd2b9b2220a1e27132ede4db9f6d3922aa237360e723f', '1794799049314', '2');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e25c-19ed-7305-a403-b56ac51605d2', '4', 'f42815d1-3714-4a22-a144-5ed988881dcf', 'pawl.ViewPublished', NULL, '1', '1', 'f0fa4be10b782395c12c9d173094a0cd0798323347e8db86d57c707efd351a23', '1794799049296', '{"name":"name","value":"Ada"}', 'ea1eae87775168ec1210cd555b509600', '37e42d803c20fde18bc744c5d67ebbd071fb57930466a6e54f596c947111181c', '89953c63ef9963997ec869561264b52a887e17b91232a52131755e60a272307d', '1794799049314', '2');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e25c-19ed-7305-a403-b56ac51605d2', '5', 'f6d95579-57aa-4ced-b781-27908a5228a7', 'pawl.UpdateCompleted', NULL, '1', '1', 'd00d5452e9951305eebca3d7c2ace6357a65ee3a386775a970648c6edd7bc9ca', '1794799049297', '{"updateId":"rename-1","answer":{"ok":true,"result":"renamed Ada"}}', '06258daf1747ad725e1f285e47fea781', 'de29b4ff9367006afbc56a7a6ccf4888f62a993c2d1629f5546a9e4d9c41eea0', 'ddbf21ed54f4d28268a99b3390d2a7e94b7fa9c429b6cb86f234f6e44acdbb0b', '1794799049314', '2');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e25c-19fd-71cc-93e6-28df18cd579a', '1', '174c7398-12e2-4689-a019-79ddc86a18f3', 'RunStarted', NULL, '1', '1', '27955fe72e2ea1692177b2253bbf51399da1e14401a5a2b174b3f77fb584881b', '1794799049214', '{"parsed":true,"codeVersion":"1"}', 'e0cf47cd24373ad5b9e190a26503231b', '8fd5f972cc9719e402ca663df87ea5d4cb68e1651b5ae754ddab0dbddccc3ae9', 'a465c940beb48634f5d6a44be3c589c37101494cd00101ab09ca7cc57dd7a7cf', '1794799049219', '1');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e25c-19fd-71cc-93e6-28df18cd579a', '2', 'f04c3b47-be7a-43c7-8f5f-5eb405d63618', 'StepStarted', 'child', '1', '1', '5b8d8aa081e4094d4d3cf6701af62ffb106aab4e97a340ea3fb8f611d2e05b22', '1794799049216', '{"kind":"child","name":"child","digest":"117651691b2a9336f86f4d9b0d54adbaae27db196460c3c4d8f700218d6505ed","child":{"runId":"01a1e25c-19ff-7794-90b1-2641fc0de5f7","workflowId":"the-child","workflow":"child"},"input":{"$pawl":"undefined"}}', 'def22591bb927079ff376396425539a0', '09891ab8364ffd151f31e2fc7ef664185779cddfeebfa3665f46658cd829747f', 'ba043a93caf2c1e17f46c786d52f8c1ade773f231c39d5371978071f0cfec2ff', '1794799049219', '1');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e25c-19ff-7794-90b1-2641fc0de5f7', '1', '6f27a171-e4d0-4088-8e14-8db19d51980a', 'RunQueued', NULL, '1', '1', 'c568e4fb48443734485975d6afe2fb03f8b89306f33f372e96527683b524a88d', '1794799049216', '{"input":{"$pawl":"undefined"}}', '72666b53c604f528aecf55da1909901d', '41bb6eb878d71173c7afd96d0f05ecdd10e76905385083979aee898651c488bf', '3ae8be218bafb35cb5a09e828b8dc08bf9549fe06fe116c19391cd0f030a82ea', '1794799049219', '1');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e25c-19ff-7794-90b1-2641fc0de5f7', '2', '34bfed0d-c8ab-4987-98bc-51cca5f54fd3', 'RunStarted', NULL, '1', '1', 'eb5a966da07707348125a2c148e21d8dc295533ca1977cee4c180f18f0d30b4c', '1794799049285', '{"parsed":true,"codeVersion":"1"}', '7d8aa3947204d96c10c298b61b286ba0', '8f106317c9ffdfbe03b773a8753d57f9b96d43d3d10953e02e116fbb57a5051d', '1513c986139f94a534738050ebbaa4dc51d7fac2681b1287b00eba22c51ca25d', '1794799049288', '2');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e25c-19ff-7794-90b1-2641fc0de5f7', '3', '0ed57a9f-cb1b-4d90-bcd5-f68192f2dbcf', 'StepStarted', 'answer', '1', '1', 'c96d64aac9b126ca3a5dd940ccef9c671c11e57e7a3d289ba1a65aeb2be8add8', '1794799049286', '{"kind":"signal","name":"answer","digest":"6af44cf9a32d7a8596ddd574de00e2d0e036802c46e1f63c4dd7966c382e4c35","signal":"answer"}', '4b287e33f6fc154d3d540c74befcc620', 'f11a0f05740b15ba647789ba2b0573d1dcb98bf65285ab93cd8d6892c52fc701', '95f73874c54163f9baa5706af3104c09ebeabf56136e4cb0e9f89c393be93484', '1794799049288', '2');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e25c-21c5-74ec-8b68-d30f991e8aad', '1', '8bcaff63-5917-468c-b47f-08a247af4388', 'RunStarted', NULL, '1', '1', 'a000655492096cd3f1a09be49491482287f7dde6e35baddb98eaaadee992a40d', '1794799051206', '{"parsed":true,"codeVersion":"1"}', 'ad0771826f9dc01f8356edf5c5d54830', 'a8fab0494d784d277fece98856882d3b9f74896ed3eff4c82d820fd6708fe040', 'b0f469b43e6680ae3ac1f4e5c73c70654d41db2eba13acf18a10893256bf3fa4', '1794799051208', '1');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e25c-21c5-74ec-8b68-d30f991e8aad', '2', '6cb69a7e-8b16-4364-ba5e-10bd79a75155', 'StepStarted', 'one', '1', '1', 'bb74e9234fcc7f652d9704e468eff60370ffc91f34e69aa8b7b1c0227e2c7e56', '1794799051207', '{"kind":"effect","name":"one","digest":"65ef844c98b3e85b70e6c5192d76d1b60a81a310e6ba93e27b447a5ad881c94b","class":"UNDECLARED"}', '18f36e11babcea5ed08a85545c376d51', '00b134e4ad1a1dacaed49a875f96ab204da54ce83d130beb2aef0fea7950eaf5', '22ab2a30fe2ea95397d9414c718281fdd684dcb67666cc857c5ca5cf998b6323', '1794799051208', '1');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e25c-21c5-74ec-8b68-d30f991e8aad', '3', '0a0d8ce4-383c-4035-9f4f-3aa628a06139', 'StepCompleted', 'one', '1', '1', '031f8fff610e9aff729946868cb4c85a449ff4d66dcadb53f6ee7aadfa9af4d8', '1794799051210', '{"result":1}', 'c6d3b3b7ad1419f72690c9fabdb973e6', '694b57d27c95e44f3b93410fd07a5d929e31e092fa6a9f81d50ce053b1a66408', 'c896a7c6c6084a13002db00f613fd8d3c60b653fb11814329edb7e9cbafcb6c8', '1794799051212', '2');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e25c-21c5-74ec-8b68-d30f991e8aad', '4', '3133d4f7-5f09-4c44-b097-ceebdc14310b', 'StepStarted', 'two', '1', '1', 'b369b3bdeef6a8d43b7c5405bfb8ba081ad7bb140528f9bc13c66fe6d147757f', '1794799051211', '{"kind":"effect","name":"two","digest":"a98cec722f9d81d928ab82e4904c332bd488d86208c0d5a9e5abed5d03a2c30b","class":"REPEATABLE"}', '541187446ff46bc7112cbfb12db621ed', '3fa4975a4823b98cb58639a6b65f098e3d4a29c5396621b5d3a025917e98494b', '699f77a1c2a30a09a9f301a6b0c1022663071e0e6db8e4e93d8af3afa730a4a7', '1794799051212', '2');
insert into kept_schema.inbox (inbox_id, run_id, kind, name, id, payload, accepted_at, taken, consumed, wakes, reply, dedup_key) overriding system value values ('1', '01a1e25c-19ed-7305-a403-b56ac51605d2', 'signal', 'later', 'later-1', '"first"', '1794799049246', 'true', 'false', 'false', NULL, 'sig:default:default:default:listening:later:later-1');
insert into kept_schema.inbox (inbox_id, run_id, kind, name, id, payload, accepted_at, taken, consumed, wakes, reply, dedup_key) overriding system value values ('2', '01a1e25c-19ed-7305-a403-b56ac51605d2', 'update', 'rename', 'rename-1', '"Ada"', '1794799049287', 'true', 'true', 'false', '{"ok":true,"result":"renamed Ada"}', 'upd:default:default:default:listening:rename:rename-1');
insert into kept_schema.meta (one, format, oldest_reader, oldest_writer, incarnation, store_id, identity) overriding system value values ('true', '1', '1', '1', '1', 'b28c82d2-94e3-4694-87fb-1130f719bf83', '7708603204631288389/1/5');
insert into kept_schema.runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version) overriding system value values ('01a1e25c-1529-72c2-83ea-905f22dd7561', 'default/default/default', 'doubtful', '1', 'doubtful', '1', 'RUNNING', 'decision', '01a1e25c-195e-7573-a891-e9177893bb9e', '2', '187bd4118b619fe6c8d8d2c335b847da', '3', 'cf39ba92-63b6-4cee-abd5-18a11253dba5', '5', '1c0bde11421497266bfb81aaa90972fdac287c74f989ec135bde14d90d1cc1a9', '1794799051160', NULL, '1794799047991', NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1e25c-1529-72c2-83ea-905f22dd7561', NULL, NULL, '0', 'false');
insert into kept_schema.runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version) overriding system value values ('01a1e25c-19c5-77b2-9bfe-b40a7fff19f6', 'default/default/default', 'settled', '1', 'settled', '1', 'COMPLETED', NULL, NULL, '1', 'ef4f4a0adbc3b805034d22652bc532bf', '2', '4d3a20dc-a0a9-4749-a691-8197c90c95c0', '5', '26f92347e3274f33cc112b816bd173b2a1223435c3db6a793c83d54c81f2291b', '1794799049184', NULL, '1794799049174', NULL, '{"kind":"kept"}', '6f4b6612125fb3a0daecd2799dfd6c9c299424fd920f9b308110a2c1fbd8f443', 'settled-once', NULL, '01a1e25c-19c5-77b2-9bfe-b40a7fff19f6', NULL, NULL, '0', 'false');
insert into kept_schema.runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version) overriding system value values ('01a1e25c-19e3-767c-8cfc-0e59331d7227', 'default/default/default', 'sleeping', '1', 'sleeping', '1', 'RUNNING', 'timer', '01a1e25c-195e-7573-a891-e9177893bb9e', '1', '54930b413178af8a47ab67d5cb5145db', '2', 'eba08712-55b2-49e0-a547-8bb5972ebe4a', '4', '2b579240eb44944ae934ee0d7f585267e244cd15639b9b4935127df8dd391114', '1794799049200', '1794799054200', '1794799049195', NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1e25c-19e3-767c-8cfc-0e59331d7227', NULL, NULL, '0', 'false');
insert into kept_schema.runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version) overriding system value values ('01a1e25c-19ed-7305-a403-b56ac51605d2', 'default/default/default', 'listening', '1', 'listening', '1', 'RUNNING', 'signal', '01a1e25c-195e-7573-a891-e9177893bb9e', '1', '6d72cee8968f31bb927703a493d51da3', '2', '044c4cd5-c3aa-4fa0-a515-32e967afd1ab', '5', 'ddbf21ed54f4d28268a99b3390d2a7e94b7fa9c429b6cb86f234f6e44acdbb0b', '1794799049314', NULL, '1794799049212', NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1e25c-19ed-7305-a403-b56ac51605d2', NULL, NULL, '0', 'false');
insert into kept_schema.runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version) overriding system value values ('01a1e25c-19fd-71cc-93e6-28df18cd579a', 'default/default/default', 'parent', '1', 'parent', '1', 'RUNNING', 'child', '01a1e25c-195e-7573-a891-e9177893bb9e', '1', 'd0e8908be16245eed63970e537b69c00', '1', '8a355c1f-c0e7-4b40-be4d-2406a9bb0bbb', '2', 'ba043a93caf2c1e17f46c786d52f8c1ade773f231c39d5371978071f0cfec2ff', '1794799049219', NULL, '1794799049219', NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1e25c-19fd-71cc-93e6-28df18cd579a', NULL, NULL, '0', 'false');
insert into kept_schema.runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version) overriding system value values ('01a1e25c-19ff-7794-90b1-2641fc0de5f7', 'default/default/default', 'the-child', '1', 'child', '1', 'RUNNING', 'signal', '01a1e25c-195e-7573-a891-e9177893bb9e', '1', '78c63f7d93847c7fbeb19651a943cbf1', '2', 'cdd0c743-a62d-4174-92b7-0dad0d12c5bd', '3', '95f73874c54163f9baa5706af3104c09ebeabf56136e4cb0e9f89c393be93484', '1794799049288', NULL, '1794799049219', NULL, '{}', '66fb24cb21354877635a93dab77577d75c67408441b22f433c4c30e6506f15c3', NULL, NULL, '01a1e25c-19ff-7794-90b1-2641fc0de5f7', '01a1e25c-19fd-71cc-93e6-28df18cd579a', 'child', '0', 'false');
insert into kept_schema.runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version) overriding system value values ('01a1e25c-21c5-74ec-8b68-d30f991e8aad', 'default/default/default', 'halfway', '1', 'halfway', '1', 'RUNNING', NULL, '01a1e25c-195e-7573-a891-e9177893bb9e', '1', '5b39f519fcf5c8b1c53d5fde00387de6', '2', 'ae2e6d1e-4ca8-4f42-9e8e-023ff05b6e34', '4', '699f77a1c2a30a09a9f301a6b0c1022663071e0e6db8e4e93d8af3afa730a4a7', '1794799051212', '0', '1794799051208', NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1e25c-21c5-74ec-8b68-d30f991e8aad', NULL, NULL, '0', 'false');
insert into kept_schema.views (run_id, name, value) overriding system value values ('01a1e25c-19c5-77b2-9bfe-b40a7fff19f6', 'seen', '21');
insert into kept_schema.views (run_id, name, value) overriding system value values ('01a1e25c-19ed-7305-a403-b56ac51605d2', 'name', '"Ada"');
select setval(pg_get_serial_sequence('kept_schema.inbox', 'inbox_id'), max(inbox_id)) from kept_schema.inbox;
