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
, scope text) strict, without rowid;

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
  exact_version integer not null,
  origin text not null default 'engine',
  expired_at integer,
  purged_at integer
, error_code text) strict, without rowid;

CREATE UNIQUE INDEX pawl_runs_generation on pawl_runs (scope, workflow_id, generation);

CREATE UNIQUE INDEX pawl_runs_start_key on pawl_runs (scope, idempotency_key) where idempotency_key is not null;

CREATE INDEX pawl_runs_due on pawl_runs (owner, scope, workflow, version, due_at) where due_at is not null;

CREATE INDEX pawl_runs_newest on pawl_runs (scope, created_at, run_id);

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
  receiver text,
  primary key (run_id, seq)
) strict;

CREATE INDEX pawl_effects_key on pawl_effects (scope, key) where key is not null;

CREATE INDEX pawl_effects_doubt on pawl_effects (scope) where phase = 'doubt';

CREATE INDEX pawl_effects_receiver on pawl_effects (scope, receiver) where receiver is not null;

CREATE INDEX pawl_runs_decision on pawl_runs (scope, created_at) where waiting = 'decision';

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

CREATE INDEX pawl_runs_unusual on pawl_runs (scope, created_at, run_id) where status in ('FAILED', 'CANCELLED', 'PAUSED');

CREATE INDEX pawl_runs_parent on pawl_runs (parent_run_id, created_at, run_id) where parent_run_id is not null;

insert into pawl_meta (one, format, oldest_reader, oldest_writer, incarnation, store_id, identity) values (1, 7, 1, 1, 1, '73260ef5-d031-4b39-8314-4c79248ec8a9', '65024:2435666');
insert into pawl_engines (engine_id, lease_until, dead, serves, scope) values ('01a1ea2f-f3e0-77fa-985a-06e6fbbde73b', 1794930383607, 1, '[{"workflow":"settled","version":"1"},{"workflow":"sleeping","version":"1"},{"workflow":"listening","version":"1"},{"workflow":"doubtful","version":"1"},{"workflow":"halfway","version":"1"},{"workflow":"child","version":"1"},{"workflow":"parent","version":"1"}]', 'default/default/default');
insert into pawl_engines (engine_id, lease_until, dead, serves, scope) values ('01a1ea30-0130-7196-8882-eccf45dc7529', 1794930387275, 0, '[{"workflow":"settled","version":"1"},{"workflow":"sleeping","version":"1"},{"workflow":"listening","version":"1"},{"workflow":"doubtful","version":"1"},{"workflow":"halfway","version":"1"},{"workflow":"child","version":"1"},{"workflow":"parent","version":"1"}]', 'default/default/default');
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, origin, expired_at, purged_at, error_code) values ('01a1ea2f-f3ef-709f-8649-2ce0971381ad', 'default/default/default', 'doubtful', 1, 'doubtful', '1', 'RUNNING', 'decision', '01a1ea30-0130-7196-8882-eccf45dc7529', 2, 'e6fd20cbdad49ece5691c1c90a9dd558', 3, 'f29c9c57-04ad-4c22-a99e-981c92f50846', 5, '26a82fb8854e20f2eb6855aefd9e0ae878740e890d5362e3970b89cfd6bb9d02', 1794930377130, NULL, 1794930373624, NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1ea2f-f3ef-709f-8649-2ce0971381ad', NULL, NULL, 0, 0, 'engine', NULL, NULL, NULL);
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, origin, expired_at, purged_at, error_code) values ('01a1ea30-018e-7671-9395-63820e008c19', 'default/default/default', 'settled', 1, 'settled', '1', 'COMPLETED', NULL, NULL, 1, '63402f06fca72b9e51f34822f4684e04', 2, '57f98dbe-19e7-479d-bb4f-9611ed0b191b', 5, 'e874e2b91d548f4fb177323b375f08b33c2ee3f7f990fc6e37b6c6b01e5989d8', 1794930377150, NULL, 1794930377130, NULL, '{"kind":"kept"}', '6f4b6612125fb3a0daecd2799dfd6c9c299424fd920f9b308110a2c1fbd8f443', 'settled-once', NULL, '01a1ea30-018e-7671-9395-63820e008c19', NULL, NULL, 0, 0, 'engine', NULL, NULL, NULL);
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, origin, expired_at, purged_at, error_code) values ('01a1ea30-01c3-70a8-a39f-0cc39f4f5b8d', 'default/default/default', 'sleeping', 1, 'sleeping', '1', 'RUNNING', 'timer', '01a1ea30-0130-7196-8882-eccf45dc7529', 1, 'd88bd561671fcdd262ae256a9b5c93c0', 2, '1e3b5a80-325f-4f4f-9240-1cea59bc44d2', 4, 'c7d122002f41c7e73ce9fd60b8c0e0d51a9a78f692b8bf61d2ee9f1d7ddd21dc', 1794930377168, 1794930382168, 1794930377156, NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1ea30-01c3-70a8-a39f-0cc39f4f5b8d', NULL, NULL, 0, 0, 'engine', NULL, NULL, NULL);
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, origin, expired_at, purged_at, error_code) values ('01a1ea30-01ce-7215-9196-cdfb8ebaa29a', 'default/default/default', 'listening', 1, 'listening', '1', 'RUNNING', 'signal', '01a1ea30-0130-7196-8882-eccf45dc7529', 1, 'f3d6fb4edefc9b4158ee1cc344f9932c', 2, '594389b2-c73d-4fcc-83da-ab664fd7d962', 5, '39b23db057a21a3073e1e5287e9f4cbc8803922ed4f1bce490c62aa3e6c25ef3', 1794930377235, NULL, 1794930377168, NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1ea30-01ce-7215-9196-cdfb8ebaa29a', NULL, NULL, 0, 0, 'engine', NULL, NULL, NULL);
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, origin, expired_at, purged_at, error_code) values ('01a1ea30-01db-7281-b771-c11cad1a3e04', 'default/default/default', 'parent', 1, 'parent', '1', 'RUNNING', 'child', '01a1ea30-0130-7196-8882-eccf45dc7529', 1, '2a3a3e278af607c785ee11cba3389d42', 1, 'c77e8251-4a58-41f4-8122-40c7e2fc3e1d', 2, 'd256f1875e31ee32f2aae3bfcbf5cf6910412894805c5d206a4f04fc497cb133', 1794930377183, NULL, 1794930377183, NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1ea30-01db-7281-b771-c11cad1a3e04', NULL, NULL, 0, 0, 'engine', NULL, NULL, NULL);
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, origin, expired_at, purged_at, error_code) values ('01a1ea30-01dc-728c-bc67-9dfc460ccff3', 'default/default/default', 'the-child', 1, 'child', '1', 'RUNNING', 'signal', '01a1ea30-0130-7196-8882-eccf45dc7529', 1, '3f46d74ade88e1fbadf8999d8fefe24a', 2, 'e9b2a0a6-6806-45a5-9aaf-15e9f08633e5', 3, 'e8607a4c6ed5f5f29210166e9c002a02c75f4d9313c0dd3807e57e77167bc2af', 1794930377235, NULL, 1794930377183, NULL, '{}', '66fb24cb21354877635a93dab77577d75c67408441b22f433c4c30e6506f15c3', NULL, NULL, '01a1ea30-01dc-728c-bc67-9dfc460ccff3', '01a1ea30-01db-7281-b771-c11cad1a3e04', 'child', 0, 0, 'engine', NULL, NULL, NULL);
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, origin, expired_at, purged_at, error_code) values ('01a1ea30-0222-7242-a024-5ac59e42f043', 'default/default/default', 'halfway', 1, 'halfway', '1', 'RUNNING', NULL, '01a1ea30-0130-7196-8882-eccf45dc7529', 1, '2e14481bf829290ef3338ec1b771dfc4', 2, '1004897e-42b9-4535-a263-581762ed2b48', 4, '6b48a5fe5ecb8711962a6916f360d285ea4b0d8bb17a67d2f08c514e92b09ad3', 1794930377275, 1794930377251, 1794930377251, NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1ea30-0222-7242-a024-5ac59e42f043', NULL, NULL, 0, 0, 'engine', NULL, NULL, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1ea2f-f3ef-709f-8649-2ce0971381ad', 1, 'c81922b3-0be6-4989-8544-fd97bad08601', 'RunStarted', NULL, 1, 1, 'ef3b03fed31dffd1cbdc3bd591501fc805b49347e9cb6c52df855e2908395b58', 1794930373616, '{"parsed":true,"codeVersion":"1","from":"none","engine":"01a1ea2f-f3e0-77fa-985a-06e6fbbde73b"}', 'aa5e67973f831e6934451354add800f1', 'ac7ecc4cc4d4d2d4950a8debf3fc9c9cba72ed9d57631fc50b92741b006e1d4b', '62f92dfd0987410c8b07df54b37941e34a817d70de59521191b26f670a8adcf5', 1794930373624, 1, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1ea2f-f3ef-709f-8649-2ce0971381ad', 2, 'f0d43ae7-a71a-4db9-afcd-70e21fa9707b', 'StepStarted', 'order', 1, 1, 'ed7640dbb47c08a9ea022d0ae1448067ce033cf034b260c8a5eaee334c233e46', 1794930373621, '{"kind":"effect","name":"order","digest":"799d7256bcab06d415e9f017db67b402ee0091972b47d904f8ff7accea7f6687","class":"UNDECLARED"}', 'd431c406374976ee2632790289bade06', '2b710f2425f955909720a28c1d384dd5490232eb8b902aec9d7024761f412acb', '3e4875f632a4a892a654b5f45afd290b8457ce7cd1f30eeec69a83c855a87aca', 1794930373624, 1, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1ea2f-f3ef-709f-8649-2ce0971381ad', 3, '1f4ac439-44ce-4796-ab1b-fba7bc3db7dc', 'StepCompleted', 'order', 1, 1, 'b7c05d30efab8b8f88d55f691d46a9deb0d73c77c3fa2f6d074e69f3e8f2b3e3', 1794930373630, '{"result":7}', '4bce40c4425ea0c95229d130cd2258c8', '4f56bb61839b3ccf9c4555591d1d11b52d93e6a4b27d51b3b932ff6f8b666116', 'e439e9768ec2cfacb9806e19d5fb023c71c220ee2f9b99c50f38f17e34ef3f8e', 1794930373663, 2, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1ea2f-f3ef-709f-8649-2ce0971381ad', 4, '59b22211-4ff4-420e-8483-86715bc5f3d2', 'StepStarted', 'charge', 1, 1, '080a3a8a5e72c1bc002d2fd757ab49c38be9c0a92ff097117986db12abc38a59', 1794930373662, '{"kind":"effect","name":"charge","digest":"2ec79112be9dddff500c39c27d48b690db462962e412c10028ff5eeaf2d040b9","class":"AT-MOST-ONCE","timeoutMs":60000}', '33933c672ea7a2fef01bff59da37c9ae', 'e85e262359d31e30e7135def8d54e8413a30b2944845b54659de86eeb0bbc57b', '3dea25518e7a33f24f0dd7a49cd9c614c2a243a1136ee1b4da09dc372625e30d', 1794930373663, 2, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1ea30-018e-7671-9395-63820e008c19', 1, 'a7681dad-b7b4-4403-b83d-880c49585256', 'RunStarted', NULL, 1, 1, '74d56024727cb13c0836a60481d53647283ac7641b2254f425425bba056727a0', 1794930377103, '{"input":21,"parsed":true,"codeVersion":"1","from":"none","engine":"01a1ea30-0130-7196-8882-eccf45dc7529"}', 'bc265b96da38b897ba3f7caa898d4ab0', 'b85a4997f89ff2610e6f442ddc570b2be69cd8fdc4db421ee0d318c4134d0ab6', 'd4198e9380e0e9bacf07b7be2858406de4aff322793856778d43ad1979cb28a9', 1794930377130, 1, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1ea30-018e-7671-9395-63820e008c19', 2, 'aca386f1-17ee-4870-8f60-1e23ae6e6a70', 'pawl.ViewPublished', NULL, 1, 1, '9249b567d166d88b7dd09c06e3e4ac1fd052a55ce0389d13f4da904995974456', 1794930377118, '{"name":"seen","value":21}', '5b9ea8cb46ebdabc7cc8696baead48bc', '660fb70f423c296c2319f8bc8960a52209bc7d1f69b8720df783a6ab527d5a26', '4eaaac64663df54744cfe2716a5b5f2fe4bdce22b52bc276e4cbae46fc8a1c7b', 1794930377130, 1, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1ea30-018e-7671-9395-63820e008c19', 3, '7f62ef0a-13cc-42c9-9c01-f70f98274e8a', 'StepStarted', 'double', 1, 1, '0dd520fa8db5158a6ff4d7119fa06a6a79991a5d2f85b8baaa8b8e089c74a003', 1794930377118, '{"kind":"effect","name":"double","digest":"ee9ff8738b77f6cb9c3d0cd45ac165bc9e65f949afd79b7dd809848242b0b772","class":"UNDECLARED"}', '697ee25c925b34202c33a3e6c60faa52', '51ec15e858016efa9264fbff95f9ef021d9093cb9618d54ec21bffb51f8309af', 'e53a463b768003fbaaff6f7a026adb2cd816c1c1a4e8bbd79100e9b6fbd9f4cf', 1794930377130, 1, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1ea2f-f3ef-709f-8649-2ce0971381ad', 5, '2cccc194-598e-41c3-a6ab-346c30b9d952', 'pawl.StepInDoubt', NULL, 1, 1, '479d44a7e8aa62fc08d7bdc55590173b789ce085e7cda6357d1028fe5b903d5d', 1794930377129, '{"stepId":"charge","reason":"it began and nobody recorded how it ended","code":"PAWL2001"}', 'd56ee612d555ff7f6415df4ae049b8dd', '180ee3ee56a37d4eed062953a4c5bdadb7bb454bace66e597f2d9d16ef97c510', '26a82fb8854e20f2eb6855aefd9e0ae878740e890d5362e3970b89cfd6bb9d02', 1794930377130, 3, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1ea30-018e-7671-9395-63820e008c19', 4, '60b42acd-881c-420f-a3a5-c0e34592dbbf', 'StepCompleted', 'double', 1, 1, '696ff90d90cc1b09b96d48084d1fb97b0218d5309373e89d4df700d1c858cd16', 1794930377143, '{"result":42}', 'f59036e87a591b806f8f8910a0d751be', '3aafe400d545601cdcf422ad227694876f7fd0c0e5f36a2030e619a7ce643139', '68a67800281c893504f559a3d5d8211f8c84d5eda949de1ba9b153876a180a82', 1794930377150, 2, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1ea30-018e-7671-9395-63820e008c19', 5, '1fce0340-c5ba-41af-82c4-e90501f6957d', 'RunCompleted', NULL, 1, 1, '847d26a84f0c67c8db3c8f831da8f15425db5f580e8fa558056d17be789f5e6a', 1794930377149, '{"result":42,"from":"RUNNING","engine":"01a1ea30-0130-7196-8882-eccf45dc7529","settledAt":1794930377149}', 'f382ccc6740398a50b066a468589af66', 'ef7577ec81b7df938eb5d982620a31a61764012e179deb6a4725d2dd5422e4fe', 'e874e2b91d548f4fb177323b375f08b33c2ee3f7f990fc6e37b6c6b01e5989d8', 1794930377150, 2, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1ea30-01c3-70a8-a39f-0cc39f4f5b8d', 1, '697ba14c-57a8-4e84-a455-dc7df9968f4b', 'RunStarted', NULL, 1, 1, '44dec17bf0f48f625fec2802617492d5e083376659bf4576362976fe2a7f9a36', 1794930377154, '{"parsed":true,"codeVersion":"1","from":"none","engine":"01a1ea30-0130-7196-8882-eccf45dc7529"}', '0005a7b8383edc556ebb5f87769fb9de', '91527f249aed88add84068bae57904b7d0f958086fb0e62670c6d85715ed15e5', 'cd2404434b39fbda1e45cf3ba152639209e4bbd5e8522b46534bdcb098316a55', 1794930377156, 1, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1ea30-01c3-70a8-a39f-0cc39f4f5b8d', 2, '776ba9ab-6802-474f-b236-21d046b79be1', 'StepStarted', 'before', 1, 1, '19f306a09257eb3463d53309d5c8225c78646e10f825c45d0237d99fbdb12dc1', 1794930377155, '{"kind":"effect","name":"before","digest":"05bfe291a21a0d1f5f4657f5211cbe8150d540997b33667c9d3ea79321335833","class":"UNDECLARED"}', '1b3c74f0a585f92a99e1740f19859b11', 'f2ba1bfa6d93ae0160905cb19ad7e26c18ebe69a33a2f9f070708e2c8b030e2a', 'ac610ac1c526e5935b20ba9373bf5d4e3072035465a1f1fddb9f94bd3482c534', 1794930377156, 1, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1ea30-01c3-70a8-a39f-0cc39f4f5b8d', 3, '5ba16117-be47-43a2-8d82-8397babeed0f', 'StepCompleted', 'before', 1, 1, 'ea78a0e8faf7f43f3fba532e3507122f15dc001b6ee1d1c99944bd9aa7381996', 1794930377165, '{"result":"slept"}', '5ac0644691e5ffbbb7e985a813c63c35', '03a57ac14808b2eed767f5ed74d132827b19137755ec1994d6c5dbae281e76db', '8467cd03519383b1e267e5ef265949bdc524d58310222fa2ba3c62cd4a5b635f', 1794930377168, 2, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1ea30-01c3-70a8-a39f-0cc39f4f5b8d', 4, '6e659d4a-4eec-4d4c-9e08-8e5f6f28e3fd', 'StepStarted', 'nap', 1, 1, '4586ba1526f4f6e6ab48867ec5ee1a5c5fa1d276ec6acfd63c127f35724e5bcc', 1794930377166, '{"kind":"timer","name":"nap","digest":"538b904f34061c9af68dfac9bc3e3f2aa12c8f0274ac1a58dec9793584cd778e","delayMs":5000}', '3706ed1c50a75faea533ffc4fa9b2f52', '8768b0b7095bdac170bb94adcf1bc3dffaba16b4f737109596c33da32593e159', 'c7d122002f41c7e73ce9fd60b8c0e0d51a9a78f692b8bf61d2ee9f1d7ddd21dc', 1794930377168, 2, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1ea30-01ce-7215-9196-cdfb8ebaa29a', 1, 'c451ed73-5c0d-449d-abdb-4991f08584f8', 'RunStarted', NULL, 1, 1, '5973214f46a3dfe0d8dc2c70d0601d2ade8232816b4f2c538ee01e15a22d0a48', 1794930377165, '{"parsed":true,"codeVersion":"1","from":"none","engine":"01a1ea30-0130-7196-8882-eccf45dc7529"}', '21e00102f416b32906afc504e603f048', '50bd35697a5aa9c4b680720368f09b0ac9b244b6651b03eb5f7357ff9a2810c5', '80c50ee2e42e74bf9d3afbb04ec0d28b3b7e7fdc758640b462d8273cd73ac5e8', 1794930377168, 1, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1ea30-01ce-7215-9196-cdfb8ebaa29a', 2, 'df8d2262-6cbb-438e-9aad-0e762de8c929', 'StepStarted', 'go', 1, 1, 'd3d44690926d57a89bb83593dfcafe3c2980e5497474b7585616ad0f16be67f9', 1794930377167, '{"kind":"signal","name":"go","digest":"3f5b2441e270ad2f461312a47e3f1f735c673b3b83fdb595499e9ce0c6e46d28","signal":"go"}', '9db312a54b8fa2381873dcb5ec76e731', '986dd0c253fc77acca5bfe77af86cc63188bbcd72e2715abced1c37ae6cf5b31', 'c23eaf83647d13f7e05aff3bd3bb4a5ab9117c5131028a8cfc95c464f516cf24', 1794930377168, 1, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1ea30-01db-7281-b771-c11cad1a3e04', 1, '6ab0aa4d-e420-4cfe-9507-0a1c5d9dc65d', 'RunStarted', NULL, 1, 1, 'b055dfbe3fa858cf00a10c2263cc2c70e9083c8087f3dabbdf9431cd0248a94f', 1794930377178, '{"parsed":true,"codeVersion":"1","from":"none","engine":"01a1ea30-0130-7196-8882-eccf45dc7529"}', '5c73a69664fc0d5ba432db250129aaef', '1073f6f5fccae3b3436d7938ccc20632755649c95e9ab500dd37c16f399fd021', 'c7d2b607dab29a15561443dfc9317dedafabae007dbbe2ae84670a94f5608496', 1794930377183, 1, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1ea30-01db-7281-b771-c11cad1a3e04', 2, '3d5399f5-6e8c-4487-a703-5c0886b29d53', 'StepStarted', 'child', 1, 1, '0a4ca340431592f239b6ee085433091abc7c9a7f472e6078d49a64637f856e52', 1794930377182, '{"kind":"child","name":"child","digest":"117651691b2a9336f86f4d9b0d54adbaae27db196460c3c4d8f700218d6505ed","child":{"runId":"01a1ea30-01dc-728c-bc67-9dfc460ccff3","workflowId":"the-child","workflow":"child"},"input":{"$pawl":"undefined"}}', 'fa723e31809ee5fa111be614ab827fe8', '3e8627358084dcb932f62f04cfe0e25da1ef190b9f351b6c8deef17df1c622a3', 'd256f1875e31ee32f2aae3bfcbf5cf6910412894805c5d206a4f04fc497cb133', 1794930377183, 1, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1ea30-01dc-728c-bc67-9dfc460ccff3', 1, '475f8eee-dbb2-4a46-8580-9fabe642baec', 'RunQueued', NULL, 1, 1, '2420f9f224fca2c6e7b030f62147ecd853919362dc17ab84a72aa812729650d3', 1794930377179, '{"input":{"$pawl":"undefined"},"engine":"01a1ea30-0130-7196-8882-eccf45dc7529"}', 'e16fd76b5a2a702c403653f4758a27cf', 'c502bb7ccdae21ccdb1e340922ae3a0507e43ab86225ae88e314821d452dea10', 'd357b76834ecb91c10cb4cbf77cd7ecb6d0625d1e5cf513b2367c68b63010472', 1794930377183, 1, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1ea30-01dc-728c-bc67-9dfc460ccff3', 2, 'faf32d89-5d14-4829-9959-45e4658ce3d6', 'RunStarted', NULL, 1, 1, '01ecfb1b3f9f44b432d78245018ba21a36ce3b044d0b2c9f34b4f8ce2f6d23bb', 1794930377208, '{"parsed":true,"codeVersion":"1","from":"PENDING","engine":"01a1ea30-0130-7196-8882-eccf45dc7529"}', '7f495f4b6e34c1085b93945e1234dc68', 'bcdbcf5621d71b954c9fe0a92a689e36e385af76f1dc48c2fcf3a1bb734010ef', 'b7022594f9f1c6b64e9d411e9bd2afcdf877579716f69d33a5644fb4ca0d19a9', 1794930377235, 2, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1ea30-01dc-728c-bc67-9dfc460ccff3', 3, '00925f91-c144-4609-b76a-bf120bea8b86', 'StepStarted', 'answer', 1, 1, 'b273414c2a2c5633c90a145afde35402f5a27036d3b5c063d035be57240ac5b4', 1794930377226, '{"kind":"signal","name":"answer","digest":"6af44cf9a32d7a8596ddd574de00e2d0e036802c46e1f63c4dd7966c382e4c35","signal":"answer"}', '12793dbf0aed50d5781b125cc6bfaa7c', '68802227a70730360696183f5cbfd702d587b0a71c294ede37d77b092e98fcf5', 'e8607a4c6ed5f5f29210166e9c002a02c75f4d9313c0dd3807e57e77167bc2af', 1794930377235, 2, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1ea30-01ce-7215-9196-cdfb8ebaa29a', 3, '56dee5b9-dee9-4f69-a400-6b1a3b32a665', 'pawl.UpdateAccepted', NULL, 1, 1, '858d37f03ab8fa268931acf1f06ee171179fb998c654457b460ddcb7735a4fb0', 1794930377225, '{"updateId":"rename-1","name":"rename","inboxId":2,"input":"Ada"}', 'fa143224f43955044796b4cbea56fdaa', '0c53f6c70441270f023d0441c14db41b8b71d12d30f37cc2b9d8d72b9e8c089f', '694ec1534114a5e22beaeee15b536bc84d003e664228150f152e8553a8bf3146', 1794930377235, 2, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1ea30-01ce-7215-9196-cdfb8ebaa29a', 4, '20d9f70e-9474-45ce-b8f3-a23918efd3e4', 'pawl.ViewPublished', NULL, 1, 1, 'f30268462711842d8480d1c71f0aebda67cba98e154f480161196e682141d4ea', 1794930377233, '{"name":"name","value":"Ada"}', 'ce42132ec3bc5241ecbca5ce4f21fca2', '1e368f767305f1cfb3153862c2ea99457ba21db2ebf86fefa212d2dd49392e39', '2f23b38fc4bbf9ecc09fb5af047b63a4173d3af91aaf96e2ca96fa7bc34cbc2a', 1794930377235, 2, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1ea30-01ce-7215-9196-cdfb8ebaa29a', 5, '6637a8d1-f0e6-4846-a953-ed5b6d269194', 'pawl.UpdateCompleted', NULL, 1, 1, '00662e6b6de4058ef9d9666d072a380a77ead1cfb9b2584b275a760213c8328b', 1794930377233, '{"updateId":"rename-1","answer":{"ok":true,"result":"renamed Ada"}}', '447d7bf3d0c5358b06c312b26c64699b', 'ff95a4a86b7588e29a786c2089faeed656591f33269fe00669cb0f7c30312e1d', '39b23db057a21a3073e1e5287e9f4cbc8803922ed4f1bce490c62aa3e6c25ef3', 1794930377235, 2, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1ea30-0222-7242-a024-5ac59e42f043', 1, 'e3bcdc94-dc07-40a4-9ab6-fda6b17c8ae2', 'RunStarted', NULL, 1, 1, 'f7f289e1821991a9ea280af55394d25760a6410faba511f0cd3e68ce87e43f2e', 1794930377249, '{"parsed":true,"codeVersion":"1","from":"none","engine":"01a1ea30-0130-7196-8882-eccf45dc7529"}', 'a7502ff7df2dc606dcaf73de8756dad2', 'bd471b85a1973f312b92d1f97c3bad1f8e0c1bb889d994274641ea32ef9d748c', '01076206dede79cc73968725610b45810c1522c16b13f829db4d18238e594d52', 1794930377251, 1, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1ea30-0222-7242-a024-5ac59e42f043', 2, 'ae768e90-aa73-432c-99df-b17c3520c932', 'StepStarted', 'one', 1, 1, '0e379308ef7a622ba7dcd550131159496fc2ee5edde66b40036105e680b71e4d', 1794930377250, '{"kind":"effect","name":"one","digest":"65ef844c98b3e85b70e6c5192d76d1b60a81a310e6ba93e27b447a5ad881c94b","class":"UNDECLARED"}', '81a5b66761b097ff926a8ce28c6532b9', '2a6a0bab9e7bdd152f9204c7f908a396a15d5967b04d4f14a65cd408ae075f7b', 'a32fb1e1dbde32dcff492c7a78a39aaaa94d80ded2c2dc516cd3f421f8398c29', 1794930377251, 1, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1ea30-0222-7242-a024-5ac59e42f043', 3, 'c3249f06-887e-428a-ad08-3f1e34fb38d2', 'StepCompleted', 'one', 1, 1, 'dc4ddf98e1d3166ecc3ffc7ccc66ee156ca23d0b9ae05bfdbeda12490bef17c6', 1794930377271, '{"result":1}', 'e824584f177104f88e842a0b0ce0003f', '6715635fbf63b639d902a9fd72805259909ebf2bd636265bb70a48f3d66c2891', '60541442cf2156f205bad9354c88809e3073a1f598d5200d83108018532bf2cf', 1794930377275, 2, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1ea30-0222-7242-a024-5ac59e42f043', 4, '13b2f895-e448-41c7-a24e-50b9597699d4', 'StepStarted', 'two', 1, 1, '10b61db1c2194cf28e4c6f4f48f6440e6bdcc04878df1e696acabe6be94e431b', 1794930377274, '{"kind":"effect","name":"two","digest":"a98cec722f9d81d928ab82e4904c332bd488d86208c0d5a9e5abed5d03a2c30b","class":"REPEATABLE"}', 'f3bc6874bfaf23521e109b54c2a2588e', 'ccdede3d5eb2f4b4f2258e0b34395863ef0364485e38ad76da93127d9dfc8228', '6b48a5fe5ecb8711962a6916f360d285ea4b0d8bb17a67d2f08c514e92b09ad3', 1794930377275, 2, NULL);
insert into pawl_inbox (inbox_id, run_id, kind, name, id, payload, accepted_at, taken, consumed, wakes, reply, dedup_key, sent_by, payload_digest, rejected) values (1, '01a1ea30-01ce-7215-9196-cdfb8ebaa29a', 'signal', 'later', 'later-1', '"first"', 1794930377200, 1, 0, 0, NULL, 'sig:default:default:default:listening:later:later-1', NULL, 'de5f2cbf4c10a0d146f2a671aac363e8640fefc469ad42ac25364f19e4bc194f', NULL);
insert into pawl_inbox (inbox_id, run_id, kind, name, id, payload, accepted_at, taken, consumed, wakes, reply, dedup_key, sent_by, payload_digest, rejected) values (2, '01a1ea30-01ce-7215-9196-cdfb8ebaa29a', 'update', 'rename', 'rename-1', '"Ada"', 1794930377210, 1, 1, 0, '{"ok":true,"result":"renamed Ada"}', 'upd:default:default:default:listening:rename:rename-1', NULL, 'a39afeed7d3319213be7a235840b3c6d3f09f2810b9c91779f34572b6b36832a', NULL);
insert into pawl_accepted (storage_key, accepted_at, expires_at, run_id, inbox_id, version, response) values ('sig:default:default:default:listening:later:later-1', 1794930377200, NULL, '01a1ea30-01ce-7215-9196-cdfb8ebaa29a', 1, 1, '{"accepted":true,"workflowId":"listening","signalName":"later","signalId":"later-1","acceptedAt":"2026-11-17T15:46:17.200Z","signalStorageKey":"sig:default:default:default:listening:later:later-1"}');
insert into pawl_accepted (storage_key, accepted_at, expires_at, run_id, inbox_id, version, response) values ('upd:default:default:default:listening:rename:rename-1', 1794930377210, NULL, '01a1ea30-01ce-7215-9196-cdfb8ebaa29a', 2, 1, '{"accepted":true,"workflowId":"listening","signalName":"rename","signalId":"rename-1","acceptedAt":"2026-11-17T15:46:17.210Z","signalStorageKey":"upd:default:default:default:listening:rename:rename-1"}');
insert into pawl_views (run_id, name, value) values ('01a1ea30-018e-7671-9395-63820e008c19', 'seen', '21');
insert into pawl_views (run_id, name, value) values ('01a1ea30-01ce-7215-9196-cdfb8ebaa29a', 'name', '"Ada"');
insert into pawl_effects (run_id, seq, version, scope, workflow_id, step_id, name, class, key, args_digest, status, phase, attempts, engine_attempts, error, event_seq, created_at, updated_at, receiver) values ('01a1ea2f-f3ef-709f-8649-2ce0971381ad', 4, 1, 'default/default/default', 'doubtful', 'charge', 'charge', 'AT-MOST-ONCE', 'pawl-caba87214bab8a16e9f2528bf357d08740e87a7d412c414baee621b57fe03705', NULL, 'indeterminate', 'doubt', 1, 1, '{"code":"PAWL2001","reason":"it began and nobody recorded how it ended"}', 5, 1794930373663, 1794930377130, NULL);
insert into pawl_shelves (shelf, key, value, version, at) values ('messages:default/default/default', 'child/1', '{"signals":[{"name":"answer","schema":{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"number"},"required":true,"whole":true}],"updates":[]}', 1, 1794930373603);
insert into pawl_shelves (shelf, key, value, version, at) values ('messages:default/default/default', 'doubtful/1', '{"signals":[],"updates":[]}', 1, 1794930373603);
insert into pawl_shelves (shelf, key, value, version, at) values ('messages:default/default/default', 'halfway/1', '{"signals":[],"updates":[]}', 1, 1794930373603);
insert into pawl_shelves (shelf, key, value, version, at) values ('messages:default/default/default', 'listening/1', '{"signals":[{"name":"go","schema":{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"string"},"required":true,"whole":true},{"name":"later","schema":{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"string"},"required":true,"whole":true}],"updates":[{"name":"rename","schema":{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"string"},"required":true,"whole":true}]}', 1, 1794930373603);
insert into pawl_shelves (shelf, key, value, version, at) values ('messages:default/default/default', 'parent/1', '{"signals":[],"updates":[]}', 1, 1794930373603);
insert into pawl_shelves (shelf, key, value, version, at) values ('messages:default/default/default', 'settled/1', '{"signals":[],"updates":[]}', 1, 1794930373603);
insert into pawl_shelves (shelf, key, value, version, at) values ('messages:default/default/default', 'sleeping/1', '{"signals":[],"updates":[]}', 1, 1794930373603);
insert into pawl_shelves (shelf, key, value, version, at) values ('pawl.clock', 'store', '{"boot":"2c1e76aa-5826-41c3-b8bf-4fade5cbce6c","offset":1794917338677.6958,"at":1794930373591,"uptime":13034913.371363001}', 1, 1794930373591);
