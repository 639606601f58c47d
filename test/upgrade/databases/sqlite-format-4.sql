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
) strict, without rowid;

CREATE TABLE pawl_runs (
  run_id text primary key,
  scope text not null,
  workflow_id text not null,
  generation integer not null,
  workflow text not null,
  version text not null,
  status text not null,
  waiting text,
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
  exact_version integer not null
, origin text not null default 'engine', expired_at integer, purged_at integer) strict, without rowid;

CREATE UNIQUE INDEX pawl_runs_generation on pawl_runs (scope, workflow_id, generation);

CREATE UNIQUE INDEX pawl_runs_start_key on pawl_runs (scope, idempotency_key) where idempotency_key is not null;

CREATE INDEX pawl_runs_due on pawl_runs (owner, scope, workflow, version, due_at) where due_at is not null;

CREATE INDEX pawl_runs_newest on pawl_runs (scope, created_at, run_id);

CREATE INDEX pawl_runs_parent on pawl_runs (parent_run_id) where parent_run_id is not null;

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
  state_version integer not null,
  primary key (run_id, run_seq)
) strict, without rowid;

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
) strict;

CREATE INDEX pawl_inbox_run on pawl_inbox (run_id, inbox_id);

CREATE INDEX pawl_inbox_wakes on pawl_inbox (run_id, kind, name) where wakes = 1;

CREATE UNIQUE INDEX pawl_inbox_dedup on pawl_inbox (dedup_key) where dedup_key is not null;

CREATE TABLE pawl_accepted (
  storage_key text primary key,
  accepted_at integer not null,
  expires_at integer,
  run_id text not null,
  inbox_id integer not null
) strict, without rowid;

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
  updated_at integer not null, receiver text,
  primary key (run_id, seq)
) strict, without rowid;

CREATE INDEX pawl_effects_key on pawl_effects (scope, key) where key is not null;

CREATE INDEX pawl_effects_doubt on pawl_effects (scope) where phase = 'doubt';

CREATE INDEX pawl_runs_decision on pawl_runs (scope, created_at) where waiting = 'decision';

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

insert into pawl_meta (one, format, oldest_reader, oldest_writer, incarnation, store_id, identity) values (1, 4, 1, 1, 1, '9b0b2cfd-69dc-4af5-86ff-9d379b860b43', '65024:2656179');
insert into pawl_engines (engine_id, lease_until, dead, serves) values ('01a1e358-be7b-7188-b420-8eadd928c448', 1794815616421, 1, '[{"workflow":"settled","version":"1"},{"workflow":"sleeping","version":"1"},{"workflow":"listening","version":"1"},{"workflow":"doubtful","version":"1"},{"workflow":"halfway","version":"1"},{"workflow":"child","version":"1"},{"workflow":"parent","version":"1"}]');
insert into pawl_engines (engine_id, lease_until, dead, serves) values ('01a1e358-ccf0-702c-ae92-cd8d61259d4c', 1794815620378, 0, '[{"workflow":"settled","version":"1"},{"workflow":"sleeping","version":"1"},{"workflow":"listening","version":"1"},{"workflow":"doubtful","version":"1"},{"workflow":"halfway","version":"1"},{"workflow":"child","version":"1"},{"workflow":"parent","version":"1"}]');
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, origin, expired_at, purged_at) values ('01a1e358-beb4-76d3-a08e-664c5c5be962', 'default/default/default', 'doubtful', 1, 'doubtful', '1', 'RUNNING', 'decision', '01a1e358-ccf0-702c-ae92-cd8d61259d4c', 2, '9bf471b49ff08aa6d341455ae5ccd91b', 3, '8725c04c-268e-44bf-b183-57dbe21cc285', 5, '1c45877f9e436913860a823a96c32073839a811362c7ba50203ed9b9a99659f2', 1794815610351, NULL, 1794815606485, NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1e358-beb4-76d3-a08e-664c5c5be962', NULL, NULL, 0, 0, 'engine', NULL, NULL);
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, origin, expired_at, purged_at) values ('01a1e358-cd5c-7109-bf21-517d366c7aaf', 'default/default/default', 'settled', 1, 'settled', '1', 'COMPLETED', NULL, NULL, 1, '63f49577fee818c7655bffa6d06c963d', 2, '8b100388-2610-4742-8747-001fa47689d7', 5, 'cfbbb0ea2a203b55434a468b96c0dca559328bb0988cd25cf0da95ebcad5f86e', 1794815610378, NULL, 1794815610351, NULL, '{"kind":"kept"}', '6f4b6612125fb3a0daecd2799dfd6c9c299424fd920f9b308110a2c1fbd8f443', 'settled-once', NULL, '01a1e358-cd5c-7109-bf21-517d366c7aaf', NULL, NULL, 0, 0, 'engine', NULL, NULL);
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, origin, expired_at, purged_at) values ('01a1e358-ce1d-7477-b629-d718ffde563d', 'default/default/default', 'sleeping', 1, 'sleeping', '1', 'RUNNING', 'timer', '01a1e358-ccf0-702c-ae92-cd8d61259d4c', 1, '5ac2b0e49d79688b187960c3d78c6e8b', 2, '0a22b7ff-8f5d-4823-83f4-0e11e313bd57', 4, '356824112da427c06d5c1c689614f28e9c9d0b66aca150fb2335f314fd1036fb', 1794815610421, 1794815615421, 1794815610399, NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1e358-ce1d-7477-b629-d718ffde563d', NULL, NULL, 0, 0, 'engine', NULL, NULL);
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, origin, expired_at, purged_at) values ('01a1e358-ce28-7337-aa19-41df46fe0254', 'default/default/default', 'listening', 1, 'listening', '1', 'RUNNING', 'signal', '01a1e358-ccf0-702c-ae92-cd8d61259d4c', 1, '2ee306390d728d1ae47a6adc8ca3ddc7', 2, '4e128e10-3dbc-4a19-921c-fef4e4a92339', 5, 'f1f452bb8be877db925e3d4dae5b6c1949be34ba5c196cc7da7ef468b815616b', 1794815610493, NULL, 1794815610421, NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1e358-ce28-7337-aa19-41df46fe0254', NULL, NULL, 0, 0, 'engine', NULL, NULL);
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, origin, expired_at, purged_at) values ('01a1e358-ce3a-7774-b7c2-259edc9c3ced', 'default/default/default', 'parent', 1, 'parent', '1', 'RUNNING', 'child', '01a1e358-ccf0-702c-ae92-cd8d61259d4c', 1, 'dd4342ff9efe067f1fa2382ac4886289', 1, 'f05cb035-4110-40e7-ae87-19565fe14322', 2, 'b09865e9e2459a4b87c78f47c6138596b10d4b9c9a4b75435d67d01405f0a7e5', 1794815610441, NULL, 1794815610441, NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1e358-ce3a-7774-b7c2-259edc9c3ced', NULL, NULL, 0, 0, 'engine', NULL, NULL);
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, origin, expired_at, purged_at) values ('01a1e358-ce3b-7564-bae0-c4e4da067ea3', 'default/default/default', 'the-child', 1, 'child', '1', 'RUNNING', 'signal', '01a1e358-ccf0-702c-ae92-cd8d61259d4c', 1, '57a5bfb7aa117c454ce76af037e60eae', 2, '489cd860-6c1c-40a4-9904-25bb5a63b7b6', 3, '81ea368ef5860607c49c531a6f0321a34c0c7139e2551aba6491e765836c616d', 1794815610493, NULL, 1794815610441, NULL, '{}', '66fb24cb21354877635a93dab77577d75c67408441b22f433c4c30e6506f15c3', NULL, NULL, '01a1e358-ce3b-7564-bae0-c4e4da067ea3', '01a1e358-ce3a-7774-b7c2-259edc9c3ced', 'child', 0, 0, 'engine', NULL, NULL);
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, origin, expired_at, purged_at) values ('01a1e358-ce86-72f3-b510-5e9f4e16a43b', 'default/default/default', 'halfway', 1, 'halfway', '1', 'RUNNING', NULL, '01a1e358-ccf0-702c-ae92-cd8d61259d4c', 1, '56da6d031127a041352c88c3811ab009', 2, '98b626e1-34bd-4928-8eb1-cb97e3b714c5', 4, '78bc4970af0cf71fce6bbdb2c4aa87f1d146de486db611bb101c6908ba195544', 1794815610511, 0, 1794815610505, NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1e358-ce86-72f3-b510-5e9f4e16a43b', NULL, NULL, 0, 0, 'engine', NULL, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e358-beb4-76d3-a08e-664c5c5be962', 1, 'af1aed7c-e75a-4534-853a-bd28c8da8e1b', 'RunStarted', NULL, 1, 1, '496fd599eb6c0e93e7815c1fa0b159b496c78f95b54ce52d762b5e0809d7e26e', 1794815606454, '{"parsed":true,"codeVersion":"1","from":"none","engine":"01a1e358-be7b-7188-b420-8eadd928c448"}', '9d95d2d4653c6e572580c2c6ba4cc419', 'ef7359b4015a47882f696736025c20b402f02d8699b39f2370daeefad1878332', 'a9763a41376ca81cff5dadb7aa933ea1d3d5a81c7235a0a87004f5ec73a7a6e0', 1794815606485, 1);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e358-beb4-76d3-a08e-664c5c5be962', 2, '3178a58b-7277-4a77-88ce-d0cf8ee96c06', 'StepStarted', 'order', 1, 1, '01a0ca3daf8dcfc5cda3206f34fe07f3d0baa77acadb470304bc4208773d8007', 1794815606476, '{"kind":"effect","name":"order","digest":"799d7256bcab06d415e9f017db67b402ee0091972b47d904f8ff7accea7f6687","class":"UNDECLARED"}', '4e638b9bacdade897c9e29c473d0a08b', '946afabc4cb904e58537d563a3b2d7820f3c1aac85b69cbdd4cc6acd91aa39d8', 'cb721d1aeb954970fc9c1fccf7a16dfc7ddadddb1e9abafb882a85cbe813b4eb', 1794815606485, 1);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e358-beb4-76d3-a08e-664c5c5be962', 3, '628d4be4-d64a-4545-8f38-01a4dfd896fc', 'StepCompleted', 'order', 1, 1, 'fd2192c4ec78d84671954b3dae5087439d574a46e5e06fe0817f95f64e9ded67', 1794815606488, '{"result":7}', '73e7ff11bb97130ad78978a47123fe0a', '896be78f7a86e92ef19c9adb65e5c9d776335225ce54fe031eca292695a24a07', '9a5fb837b9173b8b9827728732830e18bee7cd2605e46b528d98390d3fc51b63', 1794815606493, 2);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e358-beb4-76d3-a08e-664c5c5be962', 4, 'add59ea5-5d63-4e92-96fe-63872f9dd59e', 'StepStarted', 'charge', 1, 1, '2ed53a1a30dbfd2d875e5cf5b0118e6fea1187d93d0179ce46d67b70a0a42177', 1794815606492, '{"kind":"effect","name":"charge","digest":"2ec79112be9dddff500c39c27d48b690db462962e412c10028ff5eeaf2d040b9","class":"AT-MOST-ONCE","timeoutMs":60000}', 'b1be3b4879ce3bf868981d323b13ab6f', '34a319ff396384857205a12dba6cfb615f91742a72bd037230a97882ea70c3dc', '6723af6f678ab246959b43ac0056434d57ec2ed0400aa2e122d069d85ff75a36', 1794815606493, 2);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e358-beb4-76d3-a08e-664c5c5be962', 5, '7ed72b12-d9a6-47d2-9105-a8517527f8d3', 'pawl.StepInDoubt', NULL, 1, 1, '8f1a9cbc8cec0ca4dcc9e3012e173fa6ab3fbeb19cfdc592a357fc78816377e7', 1794815610343, '{"stepId":"charge","reason":"it began and nobody recorded how it ended","code":"PAWL2001"}', '35190217b77eb8bd67a4be75b027a8bf', '0b5d550df39d7858a1ed454af93f616edbc0b51916fa76b0c4a5136f35411d97', '1c45877f9e436913860a823a96c32073839a811362c7ba50203ed9b9a99659f2', 1794815610351, 3);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e358-cd5c-7109-bf21-517d366c7aaf', 1, '18c66dc7-3f74-427b-a3e5-bf915613b7d3', 'RunStarted', NULL, 1, 1, 'f77af0a2db5b2399ea930aab1397fa1c6bfb79ad93ed0978b3dc8cd7cc1621d2', 1794815610206, '{"input":21,"parsed":true,"codeVersion":"1","from":"none","engine":"01a1e358-ccf0-702c-ae92-cd8d61259d4c"}', 'b5b377fe3e1878091b09a407c099b9b9', '05ff1d1bfad65b33c1d9b5dfdece02bac614d66789eed462b054e2a4a80f92d1', 'a02f9eaa1a89fcf9903eef4347878276dbcc1998329ce497cfc8309b7f5a19e2', 1794815610351, 1);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e358-cd5c-7109-bf21-517d366c7aaf', 2, 'bd06b834-94f2-4851-a326-6aab99f30640', 'pawl.ViewPublished', NULL, 1, 1, 'cd5b1926312c760c2a00160d3b1bde073c6db86c3fec3fa408d77585955fa4aa', 1794815610314, '{"name":"seen","value":21}', '1ffdcc42a8e482dbbe3c2ed24f7434a3', 'e7b18022b22a92fe6ef95671a3b8284f04bed9a517d7b87cee5075ecafc0a0f1', '8b95315b74296aeff5dbb6ed4fec1e4f054b8f718e42a21e1ac3b01492fb988a', 1794815610351, 1);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e358-cd5c-7109-bf21-517d366c7aaf', 3, 'd36b0424-7f74-408c-83ec-9f6497770ee0', 'StepStarted', 'double', 1, 1, 'c093377303c09a476803707ccc1ce8b3237b51927b02b16fea6accd372698aaf', 1794815610315, '{"kind":"effect","name":"double","digest":"ee9ff8738b77f6cb9c3d0cd45ac165bc9e65f949afd79b7dd809848242b0b772","class":"UNDECLARED"}', '73989dd4dc310ea1497480b489b12650', '5653b7d7c87a1430f3b8d20ced4fe9674472cb98e8630dd621f59a9868d2db2f', '6da42486b6fd98944465ca284f7ea424ad064b779b38c4c9cab0615592eb076a', 1794815610351, 1);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e358-cd5c-7109-bf21-517d366c7aaf', 4, '35e23dbe-15fa-489c-afd6-3f59509ddacb', 'StepCompleted', 'double', 1, 1, '5ac73da2b193db6aa195327b5a77c51c9f7c283fa03dfded2547416d25b9226c', 1794815610369, '{"result":42}', '24d5c4bfdfb7cf66a090ce8cdf64d8ab', 'ad6df4a93373036aecda6d889ddec3a213b9faa8df5a85b43ada15f638280732', 'd69fc5f2cce28cd6b277c6011056410a4c8241b624ece2638db1605fcb55b821', 1794815610378, 2);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e358-cd5c-7109-bf21-517d366c7aaf', 5, 'c9b3fc4f-ca7d-40ce-986a-47c6b3095d98', 'RunCompleted', NULL, 1, 1, '52d2b119cf38625643f090c8c3a8034ef496f38f730fd77da546a3bda40079c0', 1794815610378, '{"result":42,"from":"RUNNING","engine":"01a1e358-ccf0-702c-ae92-cd8d61259d4c"}', 'b73c209ac288cd7cfb1bb4ef10d04dbc', '09b838e77bf202a377a7cc728a8d24bae7b0c6d2254bc82c72d36a5675e0d8f1', 'cfbbb0ea2a203b55434a468b96c0dca559328bb0988cd25cf0da95ebcad5f86e', 1794815610378, 2);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e358-ce1d-7477-b629-d718ffde563d', 1, '32438e89-9f7e-45c1-8fe7-44915abb27e5', 'RunStarted', NULL, 1, 1, '2d4b6db97518e8393ad2ee0b2f27f6fe7d185d7ea858d8a7db31da8c2e84b48c', 1794815610397, '{"parsed":true,"codeVersion":"1","from":"none","engine":"01a1e358-ccf0-702c-ae92-cd8d61259d4c"}', '6894f0897f44a7dbdc460d916f60e5f6', 'b4e5ca616af96a605a8282719ae271ec4cdcd4ad143304d5a4f4799cebf25ca3', '0177e504f5937565c97644a2236d19890b6d67217ebb0d762eb7e55289f6d8b7', 1794815610399, 1);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e358-ce1d-7477-b629-d718ffde563d', 2, 'b6d583d3-bacb-47a5-af61-3096817457de', 'StepStarted', 'before', 1, 1, '88c28f965614b402316a4d293954bf5cf75346b9c9ba95af1a6b60b47b9922c0', 1794815610398, '{"kind":"effect","name":"before","digest":"05bfe291a21a0d1f5f4657f5211cbe8150d540997b33667c9d3ea79321335833","class":"UNDECLARED"}', 'c7587a53ea0ddfa4511e1d16970f8627', '3685f6eb533e052f39cefb0c221c4b366012455de15dd65bc06da34570072d56', '35951a8014648328316ff1d7f7d188a7e6b210437d13f0fb20a99bccd777a449', 1794815610399, 1);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e358-ce1d-7477-b629-d718ffde563d', 3, '9673442f-644d-4294-a70a-e35ee60e4a57', 'StepCompleted', 'before', 1, 1, 'e6c3f2e7f61d38608259aa0500c4dc094d028996c14176ebcd0d8becd8da782e', 1794815610407, '{"result":"slept"}', '0ce02f33fa03a0cc59d9c4abf344edf6', '8558af955a91722475300e0a414e10a91823f354f87a857d7c3e216d4588717f', '1bfc52ec356d5b64d2808981124bcbe2d58d8c4f9969832bac61b6b641aaa678', 1794815610421, 2);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e358-ce1d-7477-b629-d718ffde563d', 4, '32779b27-8097-4bd1-b48b-42d73a7c48d0', 'StepStarted', 'nap', 1, 1, '33a92e9af1663f3f658be91be31f8ea7324362a60c29a850f6b326d57d3c3e45', 1794815610412, '{"kind":"timer","name":"nap","digest":"538b904f34061c9af68dfac9bc3e3f2aa12c8f0274ac1a58dec9793584cd778e","delayMs":5000}', 'aa9dbecd5bf37f0e613f9d5f8b4c0f3d', '3f3cf704284895442cc817e80a6ade6812b8c4ad633883e6abf9c2f4783e9997', '356824112da427c06d5c1c689614f28e9c9d0b66aca150fb2335f314fd1036fb', 1794815610421, 2);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e358-ce28-7337-aa19-41df46fe0254', 1, '60645cf3-2d51-4334-8604-bfac52efcd1d', 'RunStarted', NULL, 1, 1, 'b72674fabdadf75a137ff792cb6ac4facbc02796639633f7f6fdf93b5cc62016', 1794815610408, '{"parsed":true,"codeVersion":"1","from":"none","engine":"01a1e358-ccf0-702c-ae92-cd8d61259d4c"}', 'e38140c06b6a99e2bda1bbff5b512fc0', '379d0ef2fe106c44d0fcdb60d53af9229cbe6e84105907153c2fd584a87a7657', '8fa8aa06a7f474b61c407e9baf139a996ca4b7b32d6f472bd5789e810fc2e1a2', 1794815610421, 1);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e358-ce28-7337-aa19-41df46fe0254', 2, '00aecad8-abfc-42e4-b720-f0044c8ca7c7', 'StepStarted', 'go', 1, 1, '4607febe32e922ded139f9db392081476f3d1982ad9b8121ba972762dadecf9a', 1794815610417, '{"kind":"signal","name":"go","digest":"3f5b2441e270ad2f461312a47e3f1f735c673b3b83fdb595499e9ce0c6e46d28","signal":"go"}', 'a20496e6bb3422aa39e6af2d9d7d3f59', '1689f992606c82fed01262e036dde2a15075aada1fbe63a745b7d08796dda4e4', '630abd65058e37b92e254190ec5706a30339b7240e555aee85de95fc5a248e05', 1794815610421, 1);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e358-ce28-7337-aa19-41df46fe0254', 3, 'e2dbfe78-cd8e-4705-94de-8539850f98d0', 'pawl.UpdateAccepted', NULL, 1, 1, '4161a50798c252083893a1408aa745989ec70cf3d76610014398778966c052db', 1794815610486, '{"updateId":"rename-1","name":"rename","inboxId":2,"input":"Ada"}', '6dd9a598f8b5d349a4b512e329cc38d3', '699c53882c54b822c833c3cdd60022a3494836c6de55df5be91a8def76aeb79b', 'ce3092e7728d2cd97ad20330321af09e2d9954d949654d25009ec713f6cbf3fd', 1794815610493, 2);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e358-ce28-7337-aa19-41df46fe0254', 4, '4605c9b9-8df6-4d99-9f5c-debed2f88306', 'pawl.ViewPublished', NULL, 1, 1, 'd6ca194965ba85deaf2ef41237174458f0a8b4314fe1550370b71164f8c0853e', 1794815610490, '{"name":"name","value":"Ada"}', '0aa72ea2956d2fd730172295b52c3c89', 'b08f069cb7f0cd878303183904a0d5fe55a0ccbf0ba33f86c3ce8da34fe1eec0', '43ac3bbd52544c7526116e80be659dc5f89bacc76d0e48a8497666f91b02ba77', 1794815610493, 2);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e358-ce28-7337-aa19-41df46fe0254', 5, 'adc5fed1-b7d3-4344-9511-780cf1ba69ff', 'pawl.UpdateCompleted', NULL, 1, 1, '2f0eb5d7e48b2122f9f3fd05127781f159f1e551e0c1367871c0ad8d7faa9de8', 1794815610490, '{"updateId":"rename-1","answer":{"ok":true,"result":"renamed Ada"}}', 'b7a16bac1bc692bc5d424d3f6202ab9f', '2bf644ed6e8eda17245a4ee98d721d46bafa80b3ebc120db76edbb6aadc6bf17', 'f1f452bb8be877db925e3d4dae5b6c1949be34ba5c196cc7da7ef468b815616b', 1794815610493, 2);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e358-ce3a-7774-b7c2-259edc9c3ced', 1, 'a99891eb-ccca-45b0-93c9-c9114716f751', 'RunStarted', NULL, 1, 1, 'fd264fc68b8bea4580588d660f17bad6b6d413d6c5605f6ea8a263588e8a6144', 1794815610426, '{"parsed":true,"codeVersion":"1","from":"none","engine":"01a1e358-ccf0-702c-ae92-cd8d61259d4c"}', '823ba0ee67fc3d0c2caf6170e9df0394', '3ad4e76b79d5e4fbda4eacf6033092f7c468ca6c3c38c17ce24070d0e41b06cc', '347d64f457ca03c229941a2950f83dfadf8fb1d3a5a8edc5d11250d3f6d99d68', 1794815610441, 1);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e358-ce3a-7774-b7c2-259edc9c3ced', 2, '3a86cdf6-8dd5-44d1-9f85-6332241c557d', 'StepStarted', 'child', 1, 1, 'fe740daf59c07235e90dbbc1f20b32a8bf4940bbe71047019fbc39b6f78b3a02', 1794815610435, '{"kind":"child","name":"child","digest":"117651691b2a9336f86f4d9b0d54adbaae27db196460c3c4d8f700218d6505ed","child":{"runId":"01a1e358-ce3b-7564-bae0-c4e4da067ea3","workflowId":"the-child","workflow":"child"},"input":{"$pawl":"undefined"}}', 'ce1536294e59425a6ba312edf709b4d2', 'd4a5a1a3048bca5c3a9d9b2c4a4455c974eff46889a1c9cf7619ee4aa1c4980e', 'b09865e9e2459a4b87c78f47c6138596b10d4b9c9a4b75435d67d01405f0a7e5', 1794815610441, 1);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e358-ce3b-7564-bae0-c4e4da067ea3', 1, '2d9e11e3-1d81-4ff7-814c-b328547f3f7c', 'RunQueued', NULL, 1, 1, 'c34b9b4a5fdab848f2e5c71328eedb3e08b767f99712c4388b821b6dc76d2f62', 1794815610432, '{"input":{"$pawl":"undefined"},"engine":"01a1e358-ccf0-702c-ae92-cd8d61259d4c"}', '0ce6dd78bf80dd22974be78ffaf9fe85', 'dea3bc358b702100dc929664c8130def7997c757d7b0b60ae42e4558375f13f0', 'b4cdb3b8b2e9cffdb75d0c03736caaea8c489dec08afc997e4f4bddbe5a04de1', 1794815610441, 1);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e358-ce3b-7564-bae0-c4e4da067ea3', 2, 'a10976ad-3a7c-4621-9a80-79cd13488ff9', 'RunStarted', NULL, 1, 1, 'ce0039ed3131a57908bf8e424195d0c8451064ad986344883194cc66f1ebc06f', 1794815610482, '{"parsed":true,"codeVersion":"1","from":"PENDING","engine":"01a1e358-ccf0-702c-ae92-cd8d61259d4c"}', 'c5fc3b3a7e7c6b362badc0fc6cfe73df', 'a4a31ad6f8ce4a932c1cefae912aff4277c3805182230d599568305a1a9cf852', 'c3b4a7ed487ef866872fff632605f320a037cb271f159a454873d46f280b2761', 1794815610493, 2);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e358-ce3b-7564-bae0-c4e4da067ea3', 3, '58c193e7-431f-452d-9f0c-662938cbc2c1', 'StepStarted', 'answer', 1, 1, 'f7e9b3cab3624294490d58b820b420ad8234db804b639c59109deff39c83cf09', 1794815610489, '{"kind":"signal","name":"answer","digest":"6af44cf9a32d7a8596ddd574de00e2d0e036802c46e1f63c4dd7966c382e4c35","signal":"answer"}', '22efb8c66419f1423d66ecee28026995', '4d65554ba8da23e3bf28f1e92fd8fb729f281563ae6e6b05d9edb56ee8dc8809', '81ea368ef5860607c49c531a6f0321a34c0c7139e2551aba6491e765836c616d', 1794815610493, 2);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e358-ce86-72f3-b510-5e9f4e16a43b', 1, '25f956bd-5cd6-419f-a84d-4d15c4308535', 'RunStarted', NULL, 1, 1, 'f5212a0b2f05cd99738a3a9b3c205cd673aad373bdefdcd618959a2dcd8ee400', 1794815610502, '{"parsed":true,"codeVersion":"1","from":"none","engine":"01a1e358-ccf0-702c-ae92-cd8d61259d4c"}', '706d5b137c5d291123f97aa9c27c1bb2', '5cb3fe00ea2828ecf5564eab7c7e39393059ead99f31cb3acc2fdb32ccaefd3b', '0f2d5e06e22d32bfe9499cbe99e2559f2056243e7a217a59c599808bd65db6eb', 1794815610505, 1);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e358-ce86-72f3-b510-5e9f4e16a43b', 2, 'adcea712-3859-4b22-b846-17812b913fbd', 'StepStarted', 'one', 1, 1, 'ce0c43418395056ddf0e41e0671cddb56054f8b146e9eb25c31507e74851b237', 1794815610504, '{"kind":"effect","name":"one","digest":"65ef844c98b3e85b70e6c5192d76d1b60a81a310e6ba93e27b447a5ad881c94b","class":"UNDECLARED"}', '97be8ca61585277d35113a55f9ca56db', '487439447253cada47128cdaae5a8da4040aff9a33ce8dd179fdd1d154727c41', '6d2a19ca9aa54637552aa96c180a4ece79dc2f86f88e30900e56e90442a09438', 1794815610505, 1);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e358-ce86-72f3-b510-5e9f4e16a43b', 3, 'feb09b54-9a08-47b7-a72a-3d02a283c69b', 'StepCompleted', 'one', 1, 1, '675520869ed26d51cb3f1471d1f2db37b1daa7648578e426fbf220f27e0b4b16', 1794815610509, '{"result":1}', 'f76f824032f7993cde0d0956cdfaca9a', '3ed57b89de20fecee648eea8f08757dfb841d61c6bb21676ed0839574042096f', 'bf3189c1b27ba2e65ed0e0fe4158cf3294022df251bbc09288a0e0ef887e4a35', 1794815610511, 2);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e358-ce86-72f3-b510-5e9f4e16a43b', 4, 'cb01d15c-e121-4c2a-b9bd-f7af1192cd3c', 'StepStarted', 'two', 1, 1, 'c3cf2ac9d38c3d22de83f69439842db119592645965ae6fdd637152c9269bfae', 1794815610509, '{"kind":"effect","name":"two","digest":"a98cec722f9d81d928ab82e4904c332bd488d86208c0d5a9e5abed5d03a2c30b","class":"REPEATABLE"}', '89675532f040f763f36bc1aeb9baf3ae', '92f45f7add1576409b1a0919dcc137f9eb234ed70f056fc8d50723334d4f35c5', '78bc4970af0cf71fce6bbdb2c4aa87f1d146de486db611bb101c6908ba195544', 1794815610511, 2);
insert into pawl_inbox (inbox_id, run_id, kind, name, id, payload, accepted_at, taken, consumed, wakes, reply, dedup_key) values (1, '01a1e358-ce28-7337-aa19-41df46fe0254', 'signal', 'later', 'later-1', '"first"', 1794815610459, 1, 0, 0, NULL, 'sig:default:default:default:listening:later:later-1');
insert into pawl_inbox (inbox_id, run_id, kind, name, id, payload, accepted_at, taken, consumed, wakes, reply, dedup_key) values (2, '01a1e358-ce28-7337-aa19-41df46fe0254', 'update', 'rename', 'rename-1', '"Ada"', 1794815610476, 1, 1, 0, '{"ok":true,"result":"renamed Ada"}', 'upd:default:default:default:listening:rename:rename-1');
insert into pawl_accepted (storage_key, accepted_at, expires_at, run_id, inbox_id) values ('sig:default:default:default:listening:later:later-1', 1794815610459, NULL, '01a1e358-ce28-7337-aa19-41df46fe0254', 1);
insert into pawl_accepted (storage_key, accepted_at, expires_at, run_id, inbox_id) values ('upd:default:default:default:listening:rename:rename-1', 1794815610476, NULL, '01a1e358-ce28-7337-aa19-41df46fe0254', 2);
insert into pawl_views (run_id, name, value) values ('01a1e358-cd5c-7109-bf21-517d366c7aaf', 'seen', '21');
insert into pawl_views (run_id, name, value) values ('01a1e358-ce28-7337-aa19-41df46fe0254', 'name', '"Ada"');
insert into pawl_effects (run_id, seq, version, scope, workflow_id, step_id, name, class, key, args_digest, status, phase, attempts, engine_attempts, error, event_seq, created_at, updated_at, receiver) values ('01a1e358-beb4-76d3-a08e-664c5c5be962', 4, 1, 'default/default/default', 'doubtful', 'charge', 'charge', 'AT-MOST-ONCE', 'pawl-1d6a81223751a522bbc9c5978b6c3803f71ffd858ffaa721fe7de0079bd20b56', NULL, 'indeterminate', 'doubt', 1, 1, '{"code":"PAWL2001","reason":"it began and nobody recorded how it ended"}', 5, 1794815606493, 1794815610351, NULL);
