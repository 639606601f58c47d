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
) strict, without rowid;

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
  updated_at integer not null,
  primary key (run_id, seq)
) strict, without rowid;

CREATE INDEX pawl_effects_key on pawl_effects (scope, key) where key is not null;

CREATE INDEX pawl_effects_doubt on pawl_effects (scope) where phase = 'doubt';

CREATE INDEX pawl_runs_decision on pawl_runs (scope, created_at) where waiting = 'decision';

insert into pawl_meta (one, format, oldest_reader, oldest_writer, incarnation, store_id, identity) values (1, 3, 1, 1, 1, '72b9704a-ca0e-4f9a-b9b9-820f717aa2b9', '65024:2625680');
insert into pawl_engines (engine_id, lease_until, dead, serves) values ('01a1e284-78ec-77b4-8c12-429cee9c0129', 1794801704962, 1, '[{"workflow":"settled","version":"1"},{"workflow":"sleeping","version":"1"},{"workflow":"listening","version":"1"},{"workflow":"doubtful","version":"1"},{"workflow":"halfway","version":"1"},{"workflow":"child","version":"1"},{"workflow":"parent","version":"1"}]');
insert into pawl_engines (engine_id, lease_until, dead, serves) values ('01a1e284-9f99-776d-a556-cf031091a5e7', 1794801715470, 0, '[{"workflow":"settled","version":"1"},{"workflow":"sleeping","version":"1"},{"workflow":"listening","version":"1"},{"workflow":"doubtful","version":"1"},{"workflow":"halfway","version":"1"},{"workflow":"child","version":"1"},{"workflow":"parent","version":"1"}]');
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version) values ('01a1e284-790b-772a-a898-46e6803c0efe', 'default/default/default', 'doubtful', 1, 'doubtful', '1', 'RUNNING', 'decision', '01a1e284-9f99-776d-a556-cf031091a5e7', 2, '3c65b333b6ec69e9c2165e4455f1a526', 3, '3f077680-9f07-43d7-98f8-2b5e944f1090', 5, 'c719f7e7132b1ef36790753e163098c7d79809b358581edac9903ddf8b2b3a8b', 1794801705206, NULL, 1794801695026, NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1e284-790b-772a-a898-46e6803c0efe', NULL, NULL, 0, 0);
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version) values ('01a1e284-a070-7642-bfe8-bc619c28db2a', 'default/default/default', 'settled', 1, 'settled', '1', 'COMPLETED', NULL, NULL, 1, '092a801a6bdb21f46c1fb8f02d79911a', 2, '8d179412-79a8-444d-93cf-d2e8860b2384', 5, '37777c194733235361d2a18a4268a1ca06c67f6766cce1f963bea88d15d7eb58', 1794801705282, NULL, 1794801705206, NULL, '{"kind":"kept"}', '6f4b6612125fb3a0daecd2799dfd6c9c299424fd920f9b308110a2c1fbd8f443', 'settled-once', NULL, '01a1e284-a070-7642-bfe8-bc619c28db2a', NULL, NULL, 0, 0);
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version) values ('01a1e284-a151-7744-9d0f-bceb027a9b4e', 'default/default/default', 'sleeping', 1, 'sleeping', '1', 'RUNNING', 'timer', '01a1e284-9f99-776d-a556-cf031091a5e7', 1, '12cf0a5515890e89fa078ad0d13f0d33', 2, 'ec9b802e-7c07-45c2-8fe1-37c063d50fcc', 4, '64eeca4b13a23b131d8f15cf40e6dc2d6ae0725b81a4f1a9ba570915a483718c', 1794801705305, 1794801710305, 1794801705299, NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1e284-a151-7744-9d0f-bceb027a9b4e', NULL, NULL, 0, 0);
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version) values ('01a1e284-a154-70e8-a123-3530f32c6664', 'default/default/default', 'listening', 1, 'listening', '1', 'RUNNING', 'signal', '01a1e284-9f99-776d-a556-cf031091a5e7', 1, '795a593277142d3b010b8afa8f65768d', 2, '84c840df-ab8d-46ff-9b19-9c4a51dbf440', 5, 'b96a4fc2699cd511c0af88be6cc73ac9cb1c960142c395cdb63cbcd6d1b10ae0', 1794801705470, NULL, 1794801705305, NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1e284-a154-70e8-a123-3530f32c6664', NULL, NULL, 0, 0);
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version) values ('01a1e284-a160-74a9-9d3e-e40a778a4f4b', 'default/default/default', 'parent', 1, 'parent', '1', 'RUNNING', 'child', '01a1e284-9f99-776d-a556-cf031091a5e7', 1, 'f6a6a21279c1d051d747f6c3dd4b627c', 1, '5eca65a2-b60c-4338-85b5-346492e0bbb2', 2, '5a657e7759a7d1943f94b8f7ef7251b992aa157e299e436bbb545da8214eea79', 1794801705364, NULL, 1794801705364, NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1e284-a160-74a9-9d3e-e40a778a4f4b', NULL, NULL, 0, 0);
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version) values ('01a1e284-a161-731f-b119-72955e1d2c4a', 'default/default/default', 'the-child', 1, 'child', '1', 'RUNNING', 'signal', '01a1e284-9f99-776d-a556-cf031091a5e7', 1, '399b4d9ce3b3af558ea77f61fa4b5956', 2, 'ef9bdcf0-a54c-4300-af79-1e6e6902ff79', 3, '2680355bf3e2e801f9c205709cbe2750c1fa3cd577e73c8e7a85bff46d4d1c27', 1794801705470, NULL, 1794801705364, NULL, '{}', '66fb24cb21354877635a93dab77577d75c67408441b22f433c4c30e6506f15c3', NULL, NULL, '01a1e284-a161-731f-b119-72955e1d2c4a', '01a1e284-a160-74a9-9d3e-e40a778a4f4b', 'child', 0, 0);
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version) values ('01a1e284-a244-7338-a056-ae4f0d017b83', 'default/default/default', 'halfway', 1, 'halfway', '1', 'RUNNING', NULL, '01a1e284-9f99-776d-a556-cf031091a5e7', 1, '05c013e86d032726ab71a8733509e024', 2, '6cf41479-2a24-49f9-a4e8-98c3f58fd300', 4, '7442cedd26c922d4c3412e8d3e3dee97450b3cd8fb5afc47a32575e039e66a0d', 1794801705549, 0, 1794801705547, NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1e284-a244-7338-a056-ae4f0d017b83', NULL, NULL, 0, 0);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e284-790b-772a-a898-46e6803c0efe', 1, 'cf977031-aac1-4909-bac1-b442c904893d', 'RunStarted', NULL, 1, 1, '43f50227d20bf28b6b389b7848b484c17af90ed9f6e45e8ce8ae2c9a203813a7', 1794801694989, '{"parsed":true,"codeVersion":"1"}', 'ab3c20d1c77a75480384e08e8413dd4c', 'd5dab2415e227ca58e751ba9d1932cb9b22dbf537bf68fa9ed49a157a2c513c4', '9e8e7c532bedd9539c7e2f3d95dca82b94df5b3f9a218c4fdad37c6a0b44caa6', 1794801695026, 1);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e284-790b-772a-a898-46e6803c0efe', 2, '3cadbf59-a8b1-4a9a-b746-69a110e1209d', 'StepStarted', 'order', 1, 1, '032d452a6f67bbcb6d3128548b608e590724905fef6009f974e007ab461202f5', 1794801695024, '{"kind":"effect","name":"order","digest":"799d7256bcab06d415e9f017db67b402ee0091972b47d904f8ff7accea7f6687","class":"UNDECLARED"}', 'fc86ca1b6dfbc7bbdd90b975dd5899cf', '78cba3014b7ba0e3527bbbbd53f3b39e32df4607ca99cafd37f01855db8139a4', '61db7445652e4f49a71caf126452a55cbd719d62128e655cf15e6a9ba2d181bc', 1794801695026, 1);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e284-790b-772a-a898-46e6803c0efe', 3, 'da415181-f292-4b8b-bda4-e66a752fbe15', 'StepCompleted', 'order', 1, 1, '8872b737e971e49f83f34d31a63c2aedda2d60ba4ba58427df02174ff6fc1209', 1794801695045, '{"result":7}', '76f56581db5067893ad0568cbdb05f48', '0119a2a37d79d1896527950a0652868efca00af3aada9942e9984149b4236f28', 'f6b408106e9e62e9072f3470fcdcbe182e63757e7fd02efa699645446233afe5', 1794801695059, 2);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e284-790b-772a-a898-46e6803c0efe', 4, 'e73fc927-02f6-4dcc-8077-2bd1519bee6f', 'StepStarted', 'charge', 1, 1, '826d6af4b750ca7425817b52f38dd687a153970bb9ff3971017230acf6dbad77', 1794801695058, '{"kind":"effect","name":"charge","digest":"2ec79112be9dddff500c39c27d48b690db462962e412c10028ff5eeaf2d040b9","class":"AT-MOST-ONCE","timeoutMs":60000}', '0a693938e44b62257d7bbaf9ea86ed9f', '76315959a04fc315dbd27b67c200add3cbe65a3e09fa1fc84bba332f7fa5dbb8', '432c0784374e68658db751ea532371aef6441e23193b7ed38a5fd6c77926d139', 1794801695059, 2);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e284-790b-772a-a898-46e6803c0efe', 5, 'f7c863cc-6fd2-422c-ae4f-7afa34ffeead', 'pawl.StepInDoubt', NULL, 1, 1, 'd5bbdf23fa09eec362c29c868b910234476e50a53f76e11556a2a331695df770', 1794801705194, '{"stepId":"charge","reason":"it began and nobody recorded how it ended","code":"PAWL2001"}', '0d764bc8790429ddb1649b23d76348a9', '008a3cb266b2fa1c68a1a598a8df9e9aa350b2f624d9027c8c3171fd19772cbe', 'c719f7e7132b1ef36790753e163098c7d79809b358581edac9903ddf8b2b3a8b', 1794801705206, 3);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e284-a070-7642-bfe8-bc619c28db2a', 1, '0381fbff-551b-49ce-9a30-35a43d6fe8fa', 'RunStarted', NULL, 1, 1, '094d7a3f43212a32f3849ad941d78727b02a4c2e03fcae0abaf61fd6356571fd', 1794801705085, '{"input":21,"parsed":true,"codeVersion":"1"}', '95de7f19f30b43db48b10b6c608995b0', '8d843f8aa5c136a44921f6faf13ee5c864053591d947b30421acc67fc229b0f5', 'b4a9c34288040513b8d15df6df0849e05ed8c0e458488ee55730a22f81cb333a', 1794801705206, 1);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e284-a070-7642-bfe8-bc619c28db2a', 2, '0e34365c-9878-4230-8aae-01b32df343f9', 'pawl.ViewPublished', NULL, 1, 1, '8375386114a127d08f9302ea4da6ffe0e0f13edc0636d9156d057180b17a451c', 1794801705138, '{"name":"seen","value":21}', '8753b172886d0ddfc2ff89f54dde4250', '29653a8311cfd8289902e3914b9a022e1195aeb0bfda5e4fae90bf3ed6200dd7', 'f5949fcc5d4e9c6aaabf17aac971e77a7201f415ae2ad683dba6edbd750dc155', 1794801705206, 1);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e284-a070-7642-bfe8-bc619c28db2a', 3, '18756829-f250-4dca-ba81-f5bd8b65c3ca', 'StepStarted', 'double', 1, 1, '45f6e3a8e6558bfb308fe9c850f109cc03dff07486b31e170be582bbea6504b6', 1794801705139, '{"kind":"effect","name":"double","digest":"ee9ff8738b77f6cb9c3d0cd45ac165bc9e65f949afd79b7dd809848242b0b772","class":"UNDECLARED"}', 'aea524e3636452e5bad52c7de1f987c3', '42dd9cecb4e10ab245ef6daa8a9d2c07202380550658a7b3dbb16ad3450fc576', '42b5b19defd7bc5fcafa4cccfd596d560677cbc422cf2d02bfcaa54d56f392f3', 1794801705206, 1);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e284-a070-7642-bfe8-bc619c28db2a', 4, 'f8f09868-eb9c-4a76-93e6-635ee99e8ea4', 'StepCompleted', 'double', 1, 1, '3df4d5ce3afca1e81ce634c6f2293a5a702d6c22ee5acd1a37b6cd12510de7c9', 1794801705225, '{"result":42}', '36cecfa15c81aa289fb5022bf379ae76', 'fd458aa7c01a2a5c4585559ad9a1cee2e462d2fdfcf31bff9160a581258b8a04', '749fdaa2afecc87d21f23127bfeaba1ede5946368168b7bab27aab938d893e53', 1794801705282, 2);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e284-a070-7642-bfe8-bc619c28db2a', 5, 'a96441b0-b07d-49d9-bb4b-7d78917e484c', 'RunCompleted', NULL, 1, 1, 'a60014abe067402f3690432d70da3bb4d59c783c506b7f6e7faa64690649e1c9', 1794801705279, '{"result":42}', '9996f775695f42324cf17d12fe05ffa0', 'e6d0cd8f091dfa533e13c03cdcb18bdbea95a9c3deb325f39a25060844ffa188', '37777c194733235361d2a18a4268a1ca06c67f6766cce1f963bea88d15d7eb58', 1794801705282, 2);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e284-a151-7744-9d0f-bceb027a9b4e', 1, '3c273a8c-1174-47db-9ede-91b9358924e6', 'RunStarted', NULL, 1, 1, 'fa34f38eb86785094f90f9858307554cd74fe96a3a31c338d09fb7168f4f9f55', 1794801705298, '{"parsed":true,"codeVersion":"1"}', '92dc106b08922ec0bf30605005360fd4', '4b34fd616093781a593ee41df5ec896753cef365f452e82647f13668756bdfe4', 'da51fa055c6db79c2b8cd853aa7529b4bbc4f6e5ef592f0b6c2c3f0e81d0c684', 1794801705299, 1);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e284-a151-7744-9d0f-bceb027a9b4e', 2, 'b449a201-2fd3-4218-8df9-8ac74901b41b', 'StepStarted', 'before', 1, 1, '7e1142f0506f855dda8c9256ad5524affa4bfe95f580cb674b8a08ad9e32886d', 1794801705298, '{"kind":"effect","name":"before","digest":"05bfe291a21a0d1f5f4657f5211cbe8150d540997b33667c9d3ea79321335833","class":"UNDECLARED"}', '02db4c4311288f2a8f65084eee7a2592', '9060ceacba676c2008481bbb9390fa12d5a18bf7bfb54f92dd4376a10efe11bb', '4606a174d3bbc2bc457d278919b8044e6197f6ab5706be643d47c65b238666df', 1794801705299, 1);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e284-a151-7744-9d0f-bceb027a9b4e', 3, '0445f233-34ed-425f-bd92-6c4d9b2baeb5', 'StepCompleted', 'before', 1, 1, '14125893b9ec74a7b7b57d5cc61a4b6c06c669693f5be4b3411e7aed64d2912d', 1794801705300, '{"result":"slept"}', 'a0f5ad23624d915deab3ca128b095718', '4e8d966dca71e95769b0cb1ab1771c265d5b1f21500d784f18c85180cdabc75f', 'eb4452102c80c6807c61a99facb96232f96cc845726d47c0ea3efc67a66a03dd', 1794801705305, 2);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e284-a151-7744-9d0f-bceb027a9b4e', 4, 'fee7c24f-7643-4874-bfb3-6c1c1458d048', 'StepStarted', 'nap', 1, 1, 'ea5dd1c430fe1c1e7f418ca8d1cd9db7f3dd9672235041fb8520eefd2dea09a8', 1794801705301, '{"kind":"timer","name":"nap","digest":"538b904f34061c9af68dfac9bc3e3f2aa12c8f0274ac1a58dec9793584cd778e","delayMs":5000}', 'c49aef2ea6f590c83c5a9a579a2713b7', 'c6c0c87e756e2eff4037bccbb558ceaca041527b3c4c3712a7ef7f3667e88bd6', '64eeca4b13a23b131d8f15cf40e6dc2d6ae0725b81a4f1a9ba570915a483718c', 1794801705305, 2);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e284-a154-70e8-a123-3530f32c6664', 1, '85dd51a5-3e77-4c0c-9eee-04825fa70791', 'RunStarted', NULL, 1, 1, '90f3585ff5cd55ef834e06474ccf4e27c3e40f412009f269fa6f0fd931953847', 1794801705301, '{"parsed":true,"codeVersion":"1"}', '3a8e3b64f9f81d7eb4f87a301616b45f', '04a493d6ab725afdb2c280249b29289a3b68b132ac0d080f425ade5d7f63048c', '5a81f85bbf11ee2db5652e61b4e2527b58ad52167748a5ff328973ac7e061b07', 1794801705305, 1);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e284-a154-70e8-a123-3530f32c6664', 2, '4e7d4523-85e5-421d-a847-aa626942a206', 'StepStarted', 'go', 1, 1, '3651bf738a3721ac3c3bf9cff9f34a9e7a19b13d776ff43ac4c5f44c7ccd11f6', 1794801705302, '{"kind":"signal","name":"go","digest":"3f5b2441e270ad2f461312a47e3f1f735c673b3b83fdb595499e9ce0c6e46d28","signal":"go"}', 'a068fa56f0c028d706307c18ca8821cb', '45c116c7e225ff6fc57f91819fe072f1654edd38a354738144177afc4db13073', '195e27696eb85b79214f683c60a054131616e313b3603a24c5971bc8fabd3a21', 1794801705305, 1);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e284-a154-70e8-a123-3530f32c6664', 3, '0cebb047-ec42-4546-8eb0-30391cf90974', 'pawl.UpdateAccepted', NULL, 1, 1, 'c764b80c6376dae8d01d6b648eac776ffd50a8658b185470bbd18b0d7ef127d9', 1794801705468, '{"updateId":"rename-1","name":"rename","inboxId":2,"input":"Ada"}', '17b34b9e67136d610d4462947fa3e8a2', '370991744a3fa682c0ec9fad902bad82edc855e4d02c66ed667ffdb1dc35e34c', 'dccd962cbef5333df7a7ea6864f2ff87838e7aace448b547f865970b164e7b64', 1794801705470, 2);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e284-a154-70e8-a123-3530f32c6664', 4, 'a735f358-1518-4749-9171-f42f79490de3', 'pawl.ViewPublished', NULL, 1, 1, 'be30e5e7a99f34b76961076ee050b6a53bd3a093cec7e6002e8cbe257bec4c53', 1794801705469, '{"name":"name","value":"Ada"}', '3e2b5fefe1a54fea5dc9040ab8e436c3', 'bc0d075ab7dcb888d0a5ed440d9db3359af5642421d2786d4700fda740dd2249', 'b3d2f1f06e4c7d96967dfb3a83c1dcc8726d3988d8ddff2fd6fa3a12408d9b84', 1794801705470, 2);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e284-a154-70e8-a123-3530f32c6664', 5, '8c51fe91-9942-4630-af28-01f067925913', 'pawl.UpdateCompleted', NULL, 1, 1, 'f6d9683072b3c2178035f33ca14a61cf76b3179e0e2610f9c1b26f470b52661b', 1794801705470, '{"updateId":"rename-1","answer":{"ok":true,"result":"renamed Ada"}}', '5bfb62c8cb83e7d88ebb7a3795bd764a', 'a37cd0d3ddd8010018ac860895200bda7b79b92aa334de0e0b46f825e579d0c0', 'b96a4fc2699cd511c0af88be6cc73ac9cb1c960142c395cdb63cbcd6d1b10ae0', 1794801705470, 2);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e284-a160-74a9-9d3e-e40a778a4f4b', 1, '7245614e-90dc-4925-82f7-c7ebd6ed0ed9', 'RunStarted', NULL, 1, 1, 'c82d796be321d89a8545eee63e8acf415a102000bc3b5a75231eafc6f0c163bc', 1794801705312, '{"parsed":true,"codeVersion":"1"}', 'b662bf5576b5262207b4a12992c4e86f', 'c141e76fd0db827e1064c68c2bc2b0e978723d4e7c39b4a8c34c83f15c3e3654', 'e5d3533ab4102685aefd1c71fb27a1d0a8790411228545aaef04a7f5285112a9', 1794801705364, 1);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e284-a160-74a9-9d3e-e40a778a4f4b', 2, 'ea86a844-78bc-464a-ae6d-f4d3139304eb', 'StepStarted', 'child', 1, 1, '32217459572f24c792f21914307069778fbf1c5f990615b312d2d46c52f4f2f7', 1794801705318, '{"kind":"child","name":"child","digest":"117651691b2a9336f86f4d9b0d54adbaae27db196460c3c4d8f700218d6505ed","child":{"runId":"01a1e284-a161-731f-b119-72955e1d2c4a","workflowId":"the-child","workflow":"child"},"input":{"$pawl":"undefined"}}', '7147f00642d8bc2e1da716fa8067a5b4', 'd40de931694df02e3dafa6435782c970ecd208bf97c3f738a9ec837401d45b11', '5a657e7759a7d1943f94b8f7ef7251b992aa157e299e436bbb545da8214eea79', 1794801705364, 1);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e284-a161-731f-b119-72955e1d2c4a', 1, 'dea4a3d3-6161-45dc-8e6f-934b16c510dc', 'RunQueued', NULL, 1, 1, '387fb0df82b4ab7164142e8c840db2bec541a99a8fca67c5547be0252e1789e3', 1794801705313, '{"input":{"$pawl":"undefined"}}', 'c643b1150e73de23d4e2f85598d715d1', '1c545352b95fefc83841bf7334e2168d19f2bfc5d2072cf815285e38bdf094c2', 'a7be390978ac415fcf24e55f33170396cbc4256b70a562a81ff4d642164d0d5c', 1794801705364, 1);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e284-a161-731f-b119-72955e1d2c4a', 2, 'c6679636-8ccb-4922-b430-b7201bbe42a9', 'RunStarted', NULL, 1, 1, 'dd745ca09a9e511d75ba33c0e49a9d229cfb555e60b9514f5b692f8e4bf0cbc9', 1794801705457, '{"parsed":true,"codeVersion":"1"}', 'c35fd85b4f29fd2aed87320fa22c1515', 'a29edd0f60303e2616541e33901ed3bc6d4efb3b6dba100b072176994dd29510', '6e3117044c169c3ef11e821747d9908bbdaa9325c34d73927a0b19d1e0dfc61b', 1794801705470, 2);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e284-a161-731f-b119-72955e1d2c4a', 3, 'eecd8566-6bfb-4213-8569-f2447a8eb5b2', 'StepStarted', 'answer', 1, 1, 'a7dc8dcf8bcf1767fae5186b0a8260ef00994e4443bd5dbd60bdb0abb3f937bd', 1794801705469, '{"kind":"signal","name":"answer","digest":"6af44cf9a32d7a8596ddd574de00e2d0e036802c46e1f63c4dd7966c382e4c35","signal":"answer"}', '3be342c9d1f3764b5d3c93051f8d9a5a', '13de76f1cdcce20950ff6c3b65517052ba6ad2469b16093697a3b63de05d8373', '2680355bf3e2e801f9c205709cbe2750c1fa3cd577e73c8e7a85bff46d4d1c27', 1794801705470, 2);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e284-a244-7338-a056-ae4f0d017b83', 1, 'df33e873-7955-4b16-984b-d2e016ffd6b7', 'RunStarted', NULL, 1, 1, 'f609b64b03ec0d6f97961da735128f01b1382ece23ce9b7f6c82e9eb16fa62c9', 1794801705540, '{"parsed":true,"codeVersion":"1"}', 'a328b552d5e91194b7608936d495b751', '21217e97329a3e12798f251fb81548c24c845ded55e45857b2c24dfce26b1fa6', '45a704aa6a9d556fc4762af381623c1af2d6b36e9e605adfd1aef960712006f0', 1794801705547, 1);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e284-a244-7338-a056-ae4f0d017b83', 2, '4b492b39-2ebc-4c37-980e-c558911d3b6c', 'StepStarted', 'one', 1, 1, '3cc2ecd5608e170c2ce1bcd19d0e521f9aabf0383a008d136331e8f428f38f4f', 1794801705541, '{"kind":"effect","name":"one","digest":"65ef844c98b3e85b70e6c5192d76d1b60a81a310e6ba93e27b447a5ad881c94b","class":"UNDECLARED"}', '5552b951bd4d52b412fed1c38c32e650', '505b3c90ff76ef4c017a3cdbad0169284f1be0de8a51967a8f9bef712480f4d1', '0e303b9ec846b398222133b0fb76d0ff9d684544546f9f7986aaaf0b496d9e2b', 1794801705547, 1);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e284-a244-7338-a056-ae4f0d017b83', 3, '255cc656-8551-4b81-95d4-f223380c8877', 'StepCompleted', 'one', 1, 1, '045fa1b7ebb70862f48bf1ec7aa2abd7ccb06d2e7630e70adb8f6c506f664053', 1794801705549, '{"result":1}', '36bb4a6e7424f80be1781db43e8ce29a', 'ee572f1606eafbe04e6dd63e9e1b98934fb340815cefbc4b977d4626dc673e08', '2d4414f4d53c2350bc1cb0f415423ea2684e99b5470540e15e70e4dab9b5787e', 1794801705549, 2);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e284-a244-7338-a056-ae4f0d017b83', 4, '2e9e6bf6-ae0f-4d22-ba6c-b9240c26a686', 'StepStarted', 'two', 1, 1, '0e2a81ac4fe5f5165789b7c49001d195a7b7cdea2e1a6bf64ca72fea86bca4c1', 1794801705549, '{"kind":"effect","name":"two","digest":"a98cec722f9d81d928ab82e4904c332bd488d86208c0d5a9e5abed5d03a2c30b","class":"REPEATABLE"}', '5420f0f790acd0e5169a7a37925b8d1d', '243fcef8db902859508f92bcdc97182a335a22c9d6e933e578fb428cd38b63fd', '7442cedd26c922d4c3412e8d3e3dee97450b3cd8fb5afc47a32575e039e66a0d', 1794801705549, 2);
insert into pawl_inbox (inbox_id, run_id, kind, name, id, payload, accepted_at, taken, consumed, wakes, reply, dedup_key) values (1, '01a1e284-a154-70e8-a123-3530f32c6664', 'signal', 'later', 'later-1', '"first"', 1794801705437, 1, 0, 0, NULL, 'sig:default:default:default:listening:later:later-1');
insert into pawl_inbox (inbox_id, run_id, kind, name, id, payload, accepted_at, taken, consumed, wakes, reply, dedup_key) values (2, '01a1e284-a154-70e8-a123-3530f32c6664', 'update', 'rename', 'rename-1', '"Ada"', 1794801705457, 1, 1, 0, '{"ok":true,"result":"renamed Ada"}', 'upd:default:default:default:listening:rename:rename-1');
insert into pawl_accepted (storage_key, accepted_at, expires_at, run_id, inbox_id) values ('sig:default:default:default:listening:later:later-1', 1794801705437, NULL, '01a1e284-a154-70e8-a123-3530f32c6664', 1);
insert into pawl_accepted (storage_key, accepted_at, expires_at, run_id, inbox_id) values ('upd:default:default:default:listening:rename:rename-1', 1794801705457, NULL, '01a1e284-a154-70e8-a123-3530f32c6664', 2);
insert into pawl_views (run_id, name, value) values ('01a1e284-a070-7642-bfe8-bc619c28db2a', 'seen', '21');
insert into pawl_views (run_id, name, value) values ('01a1e284-a154-70e8-a123-3530f32c6664', 'name', '"Ada"');
insert into pawl_effects (run_id, seq, version, scope, workflow_id, step_id, name, class, key, args_digest, status, phase, attempts, engine_attempts, error, event_seq, created_at, updated_at) values ('01a1e284-790b-772a-a898-46e6803c0efe', 4, 1, 'default/default/default', 'doubtful', 'charge', 'charge', 'AT-MOST-ONCE', 'pawl-061ed58f8a6b1f90b615203596af065fa2718ff83be59a7e45eee5d4cc0335f4', NULL, 'indeterminate', 'doubt', 1, 1, '{"code":"PAWL2001","reason":"it began and nobody recorded how it ended"}', 5, 1794801695059, 1794801705206);
