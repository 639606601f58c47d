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

insert into pawl_meta (one, format, oldest_reader, oldest_writer, incarnation, store_id, identity) values (1, 6, 1, 1, 1, 'e08d58c2-9809-49e1-aa0a-ca068884bcbf', '65024:2155237');
insert into pawl_engines (engine_id, lease_until, dead, serves) values ('01a1e8f1-28b6-7558-955e-bea4745459bc', 1794909491145, 1, '[{"workflow":"settled","version":"1"},{"workflow":"sleeping","version":"1"},{"workflow":"listening","version":"1"},{"workflow":"doubtful","version":"1"},{"workflow":"halfway","version":"1"},{"workflow":"child","version":"1"},{"workflow":"parent","version":"1"}]');
insert into pawl_engines (engine_id, lease_until, dead, serves) values ('01a1e8f1-3582-7509-afd8-3dcc3217a55b', 1794909494420, 0, '[{"workflow":"settled","version":"1"},{"workflow":"sleeping","version":"1"},{"workflow":"listening","version":"1"},{"workflow":"doubtful","version":"1"},{"workflow":"halfway","version":"1"},{"workflow":"child","version":"1"},{"workflow":"parent","version":"1"}]');
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, origin, expired_at, purged_at) values ('01a1e8f1-28cf-77aa-a3a5-735ce8b74b84', 'default/default/default', 'doubtful', 1, 'doubtful', '1', 'RUNNING', 'decision', '01a1e8f1-3582-7509-afd8-3dcc3217a55b', 2, 'ab504d306d7c160df93e9551643729f3', 3, '6b4b6cf4-eb9b-4417-925e-2427254423cb', 5, 'a56e000f7f22eb3508a22daf7fc489696a84d6cda46561a8fbc67bb3e82add73', 1794909484487, NULL, 1794909481193, NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1e8f1-28cf-77aa-a3a5-735ce8b74b84', NULL, NULL, 0, 0, 'engine', NULL, NULL);
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, origin, expired_at, purged_at) values ('01a1e8f1-35b2-7435-9453-c4565cdb169f', 'default/default/default', 'settled', 1, 'settled', '1', 'COMPLETED', NULL, NULL, 1, '404f7088880392b5b659db24f8b903d5', 2, 'b1b78ab1-ef81-41b1-9a5e-2cfc193598e6', 5, '8af42fe3e86b6e39b2a40a397dfed70a2f4a174b3580c6b5553bd7e5b5eb3130', 1794909484503, NULL, 1794909484487, NULL, '{"kind":"kept"}', '6f4b6612125fb3a0daecd2799dfd6c9c299424fd920f9b308110a2c1fbd8f443', 'settled-once', NULL, '01a1e8f1-35b2-7435-9453-c4565cdb169f', NULL, NULL, 0, 0, 'engine', NULL, NULL);
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, origin, expired_at, purged_at) values ('01a1e8f1-35e1-7194-b40d-98f35eb5d32b', 'default/default/default', 'sleeping', 1, 'sleeping', '1', 'RUNNING', 'timer', '01a1e8f1-3582-7509-afd8-3dcc3217a55b', 1, '862876cc7750f3935e4c49246d5e07fa', 2, '7619a0cf-b316-4185-9270-e7466002bd6a', 4, 'b440a0446bd53962e022c7738f887be48667aebbf57d1b7754625a72f02131f6', 1794909484542, 1794909489542, 1794909484515, NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1e8f1-35e1-7194-b40d-98f35eb5d32b', NULL, NULL, 0, 0, 'engine', NULL, NULL);
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, origin, expired_at, purged_at) values ('01a1e8f1-35fc-7745-bd26-dd447f3de848', 'default/default/default', 'listening', 1, 'listening', '1', 'RUNNING', 'signal', '01a1e8f1-3582-7509-afd8-3dcc3217a55b', 1, '34b46c1569c99b4ab72c46570645d864', 2, 'a19f05c7-1d12-4c49-9f7f-77bdb37735c6', 5, '20d09305054842837b0a5e61dfcec8260f4618c9123e5a5519ec1634f0328db8', 1794909484620, NULL, 1794909484542, NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1e8f1-35fc-7745-bd26-dd447f3de848', NULL, NULL, 0, 0, 'engine', NULL, NULL);
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, origin, expired_at, purged_at) values ('01a1e8f1-3610-72ed-80ee-3a963830c722', 'default/default/default', 'parent', 1, 'parent', '1', 'RUNNING', 'child', '01a1e8f1-3582-7509-afd8-3dcc3217a55b', 1, 'bc01f66d7e95ea57b76251650d2ccfb7', 1, '7d573a53-2388-4208-b031-e540b2cd5b33', 2, 'cd9091359baf373623f4751821915e55b121607773e668893bcd6bd0f92425e7', 1794909484566, NULL, 1794909484566, NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1e8f1-3610-72ed-80ee-3a963830c722', NULL, NULL, 0, 0, 'engine', NULL, NULL);
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, origin, expired_at, purged_at) values ('01a1e8f1-3611-7338-91ec-e17c2cc732cb', 'default/default/default', 'the-child', 1, 'child', '1', 'RUNNING', 'signal', '01a1e8f1-3582-7509-afd8-3dcc3217a55b', 1, '37a303f64f7987296e7e21b03eb47ea8', 2, 'ebaaff86-4e2f-4247-a431-fc57745dbe42', 3, '947ffb5745c95307bd43eee88f3b01b66d0e8a79885c37c15818b329f59e4445', 1794909484620, NULL, 1794909484566, NULL, '{}', '66fb24cb21354877635a93dab77577d75c67408441b22f433c4c30e6506f15c3', NULL, NULL, '01a1e8f1-3611-7338-91ec-e17c2cc732cb', '01a1e8f1-3610-72ed-80ee-3a963830c722', 'child', 0, 0, 'engine', NULL, NULL);
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, origin, expired_at, purged_at) values ('01a1e8f1-3659-73f7-994b-0972ec1dea85', 'default/default/default', 'halfway', 1, 'halfway', '1', 'RUNNING', NULL, '01a1e8f1-3582-7509-afd8-3dcc3217a55b', 1, 'f3d6b25a94bedf9247e97830d40d50a2', 2, 'b91be1de-52ca-41f9-9999-eaad8d3ca4e6', 4, '2c3462f6ec3652d415b2865fcafc200ec6fbdd49b96a6df3065c493e824ef88f', 1794909484656, 1794909484644, 1794909484644, NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1e8f1-3659-73f7-994b-0972ec1dea85', NULL, NULL, 0, 0, 'engine', NULL, NULL);
insert into pawl_inbox (inbox_id, run_id, kind, name, id, payload, accepted_at, taken, consumed, wakes, reply, dedup_key) values (1, '01a1e8f1-35fc-7745-bd26-dd447f3de848', 'signal', 'later', 'later-1', '"first"', 1794909484594, 1, 0, 0, NULL, 'sig:default:default:default:listening:later:later-1');
insert into pawl_inbox (inbox_id, run_id, kind, name, id, payload, accepted_at, taken, consumed, wakes, reply, dedup_key) values (2, '01a1e8f1-35fc-7745-bd26-dd447f3de848', 'update', 'rename', 'rename-1', '"Ada"', 1794909484610, 1, 1, 0, '{"ok":true,"result":"renamed Ada"}', 'upd:default:default:default:listening:rename:rename-1');
insert into pawl_accepted (storage_key, accepted_at, expires_at, run_id, inbox_id, version, response) values ('sig:default:default:default:listening:later:later-1', 1794909484594, NULL, '01a1e8f1-35fc-7745-bd26-dd447f3de848', 1, 1, '{"accepted":true,"workflowId":"listening","signalName":"later","signalId":"later-1","acceptedAt":"2026-11-17T09:58:04.594Z","signalStorageKey":"sig:default:default:default:listening:later:later-1"}');
insert into pawl_accepted (storage_key, accepted_at, expires_at, run_id, inbox_id, version, response) values ('upd:default:default:default:listening:rename:rename-1', 1794909484610, NULL, '01a1e8f1-35fc-7745-bd26-dd447f3de848', 2, 1, '{"accepted":true,"workflowId":"listening","signalName":"rename","signalId":"rename-1","acceptedAt":"2026-11-17T09:58:04.610Z","signalStorageKey":"upd:default:default:default:listening:rename:rename-1"}');
insert into pawl_views (run_id, name, value) values ('01a1e8f1-35b2-7435-9453-c4565cdb169f', 'seen', '21');
insert into pawl_views (run_id, name, value) values ('01a1e8f1-35fc-7745-bd26-dd447f3de848', 'name', '"Ada"');
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1e8f1-28cf-77aa-a3a5-735ce8b74b84', 1, 'e149c71b-8006-411d-b579-be48378b7bd3', 'RunStarted', NULL, 1, 1, '60b27af79709d4c1448c8aa44a0250e31742662d2089fc4cd564b3be0edee73e', 1794909481168, '{"parsed":true,"codeVersion":"1","from":"none","engine":"01a1e8f1-28b6-7558-955e-bea4745459bc"}', '0b5a7b3e91a2a1476731442e48bea789', '18b885de657ce0387f2b7b2a15b3dc2619bdcbf69b677027ff50793e1d55be80', '8aa5aa9f1c998f64db3be030a357316e3fafd2eb5422c82af15aaf5c9e7db46e', 1794909481193, 1, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1e8f1-28cf-77aa-a3a5-735ce8b74b84', 2, '96274f87-4c18-49e6-a08d-a81a116a7201', 'StepStarted', 'order', 1, 1, '03b8e0b7542ecd3f94a428e4619c5d9c40c21b54ab298319189a890f1b8aa9e1', 1794909481182, '{"kind":"effect","name":"order","digest":"799d7256bcab06d415e9f017db67b402ee0091972b47d904f8ff7accea7f6687","class":"UNDECLARED"}', '65b4b03f10b11d2246a5ba8347a6c0d7', '1c85cb656129e8fcbe5ade1ce02ad153f24fa3dce5e16c4aa38668fccf19a1cc', '1e334c1db6f6a0874fb872342e56b596400379f18d11c2dd1ce56f336072a0d0', 1794909481193, 1, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1e8f1-28cf-77aa-a3a5-735ce8b74b84', 3, 'b5d130b0-a80e-480d-93d3-35c8a95b3eb7', 'StepCompleted', 'order', 1, 1, 'fc388cd14aa520a4f4456ef26ea6253efad09fd0f9c8fe89758a7e75b701f840', 1794909481211, '{"result":7}', '2026c614d9f535d360831609779cf585', 'cde449b7647589f0d034f4d61f06f7c981384bc9fa78ed84673eebdb0c4f0062', '3873fda6d75783e96473d2b86e95168303a95b7516561b08f292d826b1cfbe07', 1794909481212, 2, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1e8f1-28cf-77aa-a3a5-735ce8b74b84', 4, '17ed8f09-1c66-49c7-a3b3-565d5138c707', 'StepStarted', 'charge', 1, 1, '4dd2a2ad934a7c63ccedda57b5a901a6f4d29a6718c92a726b89621bb0129222', 1794909481212, '{"kind":"effect","name":"charge","digest":"2ec79112be9dddff500c39c27d48b690db462962e412c10028ff5eeaf2d040b9","class":"AT-MOST-ONCE","timeoutMs":60000}', '7c8dba7d4e46ab45905651824b4b41f8', '1fbf2b08e69c007eb9d3d4f6e95d6f81741bd95b74bdb69900862c83d58efbbe', '639a108480bec127c9702143d6d10d0f0ff641d0c16a9999d6108cef46c4fe30', 1794909481212, 2, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1e8f1-35b2-7435-9453-c4565cdb169f', 1, '6c04c1ff-df6e-493b-881e-bd2c2086d0ca', 'RunStarted', NULL, 1, 1, 'bca7e8f0ef4c690db8e6d20ba6b5b5dac6b30d7451e465873340b8a89b8d6328', 1794909484467, '{"input":21,"parsed":true,"codeVersion":"1","from":"none","engine":"01a1e8f1-3582-7509-afd8-3dcc3217a55b"}', '4a539ef01ae626482254c042a0db0b60', '0b203d5896c983fc5f01393ccf014c4605306b46f9459689d7df7702698cd1ae', 'c9c29131ccc0322c748ce7b2a0b52681dc2c35dd9e9241761d06d94274c29f4e', 1794909484487, 1, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1e8f1-35b2-7435-9453-c4565cdb169f', 2, '03817e07-e62e-41cc-a6d0-b1e787f716fb', 'pawl.ViewPublished', NULL, 1, 1, '4973d405b8eb6c42454b41fc4cef2f978a0b2f305bdcecd5273d4fa5d96b9cf6', 1794909484474, '{"name":"seen","value":21}', '4959cf090cd66dbf31c6268bfa80edaf', '066907813e26a597cec9d3cde792fa180a27f945bd4f2afa5b1419af9aac6f24', 'c06576d53f7628fbb5bf6e7650ad48211dd2814860a82ff38b9bf692d5df1458', 1794909484487, 1, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1e8f1-35b2-7435-9453-c4565cdb169f', 3, 'efe57ec7-16cc-4d6c-82a3-936548a98328', 'StepStarted', 'double', 1, 1, '431ffec6bb648814d1ae3ac5ef6b02da4861b541eec80630b4339e8dd20c8c03', 1794909484478, '{"kind":"effect","name":"double","digest":"ee9ff8738b77f6cb9c3d0cd45ac165bc9e65f949afd79b7dd809848242b0b772","class":"UNDECLARED"}', '67ab09c18b8c2c616f7beb8244e7740b', 'c3098c8895aeffb1df1d94436053f49df426f557df35bd16615e991aa532042d', '9fddc431c966acd7f3fdd4f9249da7e310c12dea5c258c64a01f240846318ae4', 1794909484487, 1, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1e8f1-28cf-77aa-a3a5-735ce8b74b84', 5, '7a6988a4-4bda-4897-925e-b75d000a9cf5', 'pawl.StepInDoubt', NULL, 1, 1, 'fcaab3bc9631b85c1ca3d707546529604d7f004112b7f3095acd18e5ed595b13', 1794909484486, '{"stepId":"charge","reason":"it began and nobody recorded how it ended","code":"PAWL2001"}', 'f2fa9d346da76737ed38e47732d3f6c2', 'd8abfa1978d13f264b875b1911bb5632500f10594196b0c1ad01f367fe458de5', 'a56e000f7f22eb3508a22daf7fc489696a84d6cda46561a8fbc67bb3e82add73', 1794909484487, 3, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1e8f1-35b2-7435-9453-c4565cdb169f', 4, 'fc2a47bb-b6ff-4a69-9b15-d5dd424487ac', 'StepCompleted', 'double', 1, 1, '2c3dbaa0d99af1d03f5757daefdc4e01cb691f9bf4f012339fed97a1a72b24ae', 1794909484499, '{"result":42}', 'c9e95b3c7283af24c92e1d19b577d9e0', '933b066638ba141c3de406cad42de88ed0879e1c2b5303660979bea653bc579a', '8154b513b5f6e860c7db372037de929439f4f9e83360c8b4afde78a4c6d29833', 1794909484503, 2, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1e8f1-35b2-7435-9453-c4565cdb169f', 5, 'c55c283d-2f3b-42af-8db0-3c2a98cc1a5a', 'RunCompleted', NULL, 1, 1, 'f6beee9202b9e077ede6bd66788c44111b04ff3f16237fb78979319c89c72710', 1794909484503, '{"result":42,"from":"RUNNING","engine":"01a1e8f1-3582-7509-afd8-3dcc3217a55b"}', 'acc1810f4212bd6578ddf289000878de', 'bd068d423ba1c738cb041aced54db7ea706aa53653563a8ad227907dda60650a', '8af42fe3e86b6e39b2a40a397dfed70a2f4a174b3580c6b5553bd7e5b5eb3130', 1794909484503, 2, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1e8f1-35e1-7194-b40d-98f35eb5d32b', 1, '5516dd96-d1ca-4501-80bb-eb3fdd0faa94', 'RunStarted', NULL, 1, 1, 'bd23f023fab7754add571f3d84e68c9da575672ef0b673ea6fc5087f5b859a38', 1794909484513, '{"parsed":true,"codeVersion":"1","from":"none","engine":"01a1e8f1-3582-7509-afd8-3dcc3217a55b"}', 'f75e25dc5958efddd92e8b4abb3f31f1', 'e2f9074ffa253102f4f0891d1816f45b26f88e63ed4ed78793c898f680e369b0', '5cf6442a8478a5d7c271cf35740c3514d4bdce1fdef41aaf8ca61377a3cfc451', 1794909484515, 1, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1e8f1-35e1-7194-b40d-98f35eb5d32b', 2, 'cf5ddf8a-8d72-4237-bcc4-16d9dce4d08b', 'StepStarted', 'before', 1, 1, '03202ebe7e2a487135d7f94c425b06a5db819615ce35b931786266ce64d8364a', 1794909484514, '{"kind":"effect","name":"before","digest":"05bfe291a21a0d1f5f4657f5211cbe8150d540997b33667c9d3ea79321335833","class":"UNDECLARED"}', '73287cc1d41cb9352cc33f4913f215aa', '2c9775d473885391f89070000b684e4ea5e3cb53f9295ebbe2d07bb90e6b1156', 'ab0fa76dd285239a87d4580b0f016b7daca1d5f3521762f8b96ae01750b46f30', 1794909484515, 1, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1e8f1-35e1-7194-b40d-98f35eb5d32b', 3, '72b07fd0-cada-4298-bcd2-ea3787057a32', 'StepCompleted', 'before', 1, 1, '1a8a150a251a7eb24a0d2d10fb4dcd21dd91248dc25057124ef3e4d872e74892', 1794909484530, '{"result":"slept"}', '1733404dd546a641c9f6ddee454b986e', '92935b3386192b7efebb1af2acb65e4cfe46190450320999773f1e83e2aba38e', '705c227e1d94da09983597913edea95d64f6a08f644bfb8b06422c76a5ed7306', 1794909484542, 2, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1e8f1-35e1-7194-b40d-98f35eb5d32b', 4, '9677aaf7-f987-4eff-8e8d-4a5be894abc0', 'StepStarted', 'nap', 1, 1, '9e354406d91b3121d1037da08d08291adc5ca53e8c1aa4ccd460e81fed5844a2', 1794909484541, '{"kind":"timer","name":"nap","digest":"538b904f34061c9af68dfac9bc3e3f2aa12c8f0274ac1a58dec9793584cd778e","delayMs":5000}', '1f442678d6f40c123b7d03ebde5ac230', 'ab97699c0639e4f762a4de8aa05c8e201ca47dafc1252f92784411123b96040c', 'b440a0446bd53962e022c7738f887be48667aebbf57d1b7754625a72f02131f6', 1794909484542, 2, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1e8f1-35fc-7745-bd26-dd447f3de848', 1, 'cf210b89-6399-49fe-9f7e-466d6cc6d16c', 'RunStarted', NULL, 1, 1, 'ff02727e5b0e87f041df5051b5953f2c185b19127da3ced5171d1d0a0d8ba4e2', 1794909484540, '{"parsed":true,"codeVersion":"1","from":"none","engine":"01a1e8f1-3582-7509-afd8-3dcc3217a55b"}', 'b5d7aaa7945cf5ed3dcbfd4701c6c35a', '7a3dd874619dad0de178e9713adc360dfece7f394c69bd01aa7ec56da367cba0', 'c17c442904f49eb170352771a07088ec96b86aac8fbca5cc576e52b54d45d2e8', 1794909484542, 1, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1e8f1-35fc-7745-bd26-dd447f3de848', 2, '21a32a77-86ed-4a6d-817f-f2f5702d5b08', 'StepStarted', 'go', 1, 1, 'b8d63a110a400a3e4ff30cc2c1d7a8416d24d6ca04ab64134dc304cdb4605432', 1794909484542, '{"kind":"signal","name":"go","digest":"3f5b2441e270ad2f461312a47e3f1f735c673b3b83fdb595499e9ce0c6e46d28","signal":"go"}', '76e6333c99aebe548b60fa14e53f56e6', '09442c1165f8d9587437b35263b10587ef993ba1b1db7a96441f4d32a0c7ac9c', '81eec665ca54a0a051d2372bd90f099d8b7aec5bc13c664a1570af43799318ef', 1794909484542, 1, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1e8f1-3610-72ed-80ee-3a963830c722', 1, '6d2090c5-65a5-4e55-9bdd-3a1e080754cf', 'RunStarted', NULL, 1, 1, 'be144a9857933fd9b825ca5fcd54e939637b76b19bf1861c621a992aa8e5c0a8', 1794909484560, '{"parsed":true,"codeVersion":"1","from":"none","engine":"01a1e8f1-3582-7509-afd8-3dcc3217a55b"}', 'd2f02b02e3e625bf5a377bb26b9bf78c', '6229d39158aa87a21ee735c67d010752526c6861be2712a0805f0123acd84854', '8655690fa6e2018bfa3efc7be82ce11555a7c3e5a9f887ae2a1d048288928ebd', 1794909484566, 1, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1e8f1-3610-72ed-80ee-3a963830c722', 2, 'e703d0eb-6d4e-4423-99ad-c889b80f3a23', 'StepStarted', 'child', 1, 1, '773ed77254faf9c12a788e1154e228233786f00c1cd64a6a7d0bf2f76d51c7a4', 1794909484566, '{"kind":"child","name":"child","digest":"117651691b2a9336f86f4d9b0d54adbaae27db196460c3c4d8f700218d6505ed","child":{"runId":"01a1e8f1-3611-7338-91ec-e17c2cc732cb","workflowId":"the-child","workflow":"child"},"input":{"$pawl":"undefined"}}', '7909f8180538e359e5e522a8e8a6465c', 'fea4337816716e4b711a6cf59d3e0930b61e789333d410fe600d06ada847d0b1', 'cd9091359baf373623f4751821915e55b121607773e668893bcd6bd0f92425e7', 1794909484566, 1, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1e8f1-3611-7338-91ec-e17c2cc732cb', 1, '8fbf2856-b608-48c8-87e9-875ca76e514f', 'RunQueued', NULL, 1, 1, '6d2b5f298d4d9d96309082e6c0c946de61269befebbe794db92ebe204e144710', 1794909484561, '{"input":{"$pawl":"undefined"},"engine":"01a1e8f1-3582-7509-afd8-3dcc3217a55b"}', '3da9f697e5a109058fa47880e1e0d70c', '6edd21ee4899c63b8b2e8b474b1d00e061853c762c775d246587e792a08263d9', '034626245159055203488c4ff3ccda71468369b0749203809db6abb781a7b788', 1794909484566, 1, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1e8f1-3611-7338-91ec-e17c2cc732cb', 2, '9ab53bfb-8738-4a89-9523-41381ef0c597', 'RunStarted', NULL, 1, 1, 'e75ad64ccbc92b9577c64fb2fdcb7340243b4e76957d54581c2481309dc6acb0', 1794909484617, '{"parsed":true,"codeVersion":"1","from":"PENDING","engine":"01a1e8f1-3582-7509-afd8-3dcc3217a55b"}', 'ea40ac6c2328c059d5c180dc4781b09f', '269db4bc973726641857fb7400d9ed7884e3272ae59c31b11c6e0c7d3337db77', 'ed9b9510d8d67f8aa2709a7fd481ee3a1bb6f7b03274deffd25590caf65446ae', 1794909484620, 2, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1e8f1-3611-7338-91ec-e17c2cc732cb', 3, '5ff6ecfe-3bd7-4d02-a92b-748ec5bc1a4c', 'StepStarted', 'answer', 1, 1, 'fbb1290f5296b770ed5465399112dd07a6ffa31312b53e9bba884caabcbd6adb', 1794909484619, '{"kind":"signal","name":"answer","digest":"6af44cf9a32d7a8596ddd574de00e2d0e036802c46e1f63c4dd7966c382e4c35","signal":"answer"}', 'ca52d278086f84d3dee8815efba0b6d3', '1c958453915b587e062d50aa6e2398a190f7cc6cb2701b1205ca0d53a9219567', '947ffb5745c95307bd43eee88f3b01b66d0e8a79885c37c15818b329f59e4445', 1794909484620, 2, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1e8f1-35fc-7745-bd26-dd447f3de848', 3, '8101c3f2-ad34-4457-a860-779f6b7381d5', 'pawl.UpdateAccepted', NULL, 1, 1, 'c38a08c447bf45a5b69ba2a5d2df16b5934fac83da772f9ced35cb10f9805484', 1794909484618, '{"updateId":"rename-1","name":"rename","inboxId":2,"input":"Ada"}', 'b1dfadd50382fbd6fa1cf8da7158ed40', 'b37f913cc20c276c14392623af040473752814284a532f9631ab53357f4fdbf5', '18ff6a8fa258ab845c4ec656d59bf4733d0565745a8525a06f21405f9061d6f8', 1794909484620, 2, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1e8f1-35fc-7745-bd26-dd447f3de848', 4, '449b4c6b-e532-457f-a0ec-8d1375c09e82', 'pawl.ViewPublished', NULL, 1, 1, 'e8797a7438c9874498f978196830f79bea4922ff9595b1f7bff78a9c3cdf9c6f', 1794909484619, '{"name":"name","value":"Ada"}', '5877cdf3c8badf9ba9bd5ede8c68fae6', 'f1cf097d6aa97bca029d05333d9359219df101787a426f18aa0da1202c18ac5a', '9d78efbb0fe8b1fa2d55ab8ff3029992b44afdbf7709c5396f39edda91cc79aa', 1794909484620, 2, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1e8f1-35fc-7745-bd26-dd447f3de848', 5, '5da58a7e-6c56-4b80-828b-a7836b8588c4', 'pawl.UpdateCompleted', NULL, 1, 1, '2825c87739e3056c55095d01825450d06893ea4231de0409bd261ce3ef36c6ee', 1794909484619, '{"updateId":"rename-1","answer":{"ok":true,"result":"renamed Ada"}}', '1bd47e2794e2f158ddee27139eae3f69', '898988dd3ccb1c1cfe8065fdd1fe0cbb85dc1abf91bf8d0a636d29abd8780aa2', '20d09305054842837b0a5e61dfcec8260f4618c9123e5a5519ec1634f0328db8', 1794909484620, 2, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1e8f1-3659-73f7-994b-0972ec1dea85', 1, '01ae01c3-e198-41eb-886e-c21bf362276a', 'RunStarted', NULL, 1, 1, '21614d7086285ed402efdce2e00165c8fed0d21254d1a644239fb9b8b442d367', 1794909484633, '{"parsed":true,"codeVersion":"1","from":"none","engine":"01a1e8f1-3582-7509-afd8-3dcc3217a55b"}', '40741ac8a97eb055f1fd42beb0c6d793', '1d3f757b0aaadc4b9224e12b3644ebc8f0df71448c3a357f609d7c6b7ece15a7', 'ddff85a30af321f4cb341228b474c86309cdf711814948379eda1154e7aab324', 1794909484644, 1, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1e8f1-3659-73f7-994b-0972ec1dea85', 2, '4120e78a-c2e4-46ab-8b0c-dabaa13ca5ad', 'StepStarted', 'one', 1, 1, '36e254833931d52044997a9886f05544ee27cc541a4180081a17785b6e17e506', 1794909484633, '{"kind":"effect","name":"one","digest":"65ef844c98b3e85b70e6c5192d76d1b60a81a310e6ba93e27b447a5ad881c94b","class":"UNDECLARED"}', '5e2c6fbf1e5b5a96c840c4bb84f78178', 'c7e0ea543d07de257cd4615b673633880f7e0a3ee0ada5f3a488ccd32bcd7cb2', '21165a1a0c9993567bbbf1a986e646514f9edcf28bb2ddc254be66a9fc1994c4', 1794909484644, 1, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1e8f1-3659-73f7-994b-0972ec1dea85', 3, 'f16ea57b-6f17-4eb8-8ac7-7caf7184099a', 'StepCompleted', 'one', 1, 1, 'e99b029b2524ba8e9f4cccc1d7b615b51e346aaaf235e2c6c31e68504f336b32', 1794909484656, '{"result":1}', '6d402cd7421c7adeb5e44f7549b602f1', 'c84a69a91d2b9cebade2433dca4b099e9f4209e13167b71af9c64c5e66d6b75e', 'e400a4e1f76dc15e00339136a7f7fd40c226cb6dd93a59724b568ebc1bc25485', 1794909484656, 2, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1e8f1-3659-73f7-994b-0972ec1dea85', 4, '9ed041ef-f868-495c-a6fb-e312f5feba7f', 'StepStarted', 'two', 1, 1, 'bb0e2a8d9360acf78dfb738fb953ebcbe43c3d298b474124a6304ce36a045a5a', 1794909484656, '{"kind":"effect","name":"two","digest":"a98cec722f9d81d928ab82e4904c332bd488d86208c0d5a9e5abed5d03a2c30b","class":"REPEATABLE"}', 'de7e4bd228f6a3c6ad0643428d056442', '71e7fa7f9bd0c756b8f5a6cd1ca6080f861474dc8c78b6198b0ad2cf5f203d6e', '2c3462f6ec3652d415b2865fcafc200ec6fbdd49b96a6df3065c493e824ef88f', 1794909484656, 2, NULL);
insert into pawl_effects (run_id, seq, version, scope, workflow_id, step_id, name, class, key, args_digest, status, phase, attempts, engine_attempts, error, event_seq, created_at, updated_at, receiver) values ('01a1e8f1-28cf-77aa-a3a5-735ce8b74b84', 4, 1, 'default/default/default', 'doubtful', 'charge', 'charge', 'AT-MOST-ONCE', 'pawl-a24046be3b18bc23940992fc57d4f75f7eb53c8760db52787109d6ad1c74c0a8', NULL, 'indeterminate', 'doubt', 1, 1, '{"code":"PAWL2001","reason":"it began and nobody recorded how it ended"}', 5, 1794909481212, 1794909484487, NULL);
