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
  state_version integer not null,
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

insert into pawl_meta (one, format, oldest_reader, oldest_writer, incarnation, store_id, identity) values (1, 5, 1, 1, 1, '66e49f21-e5a6-4011-a7cc-9d01d0ffc3c1', '65024:2940949');
insert into pawl_engines (engine_id, lease_until, dead, serves) values ('01a1e49b-487f-7115-acef-ab047b2b7433', 1794836754323, 1, '[{"workflow":"settled","version":"1"},{"workflow":"sleeping","version":"1"},{"workflow":"listening","version":"1"},{"workflow":"doubtful","version":"1"},{"workflow":"halfway","version":"1"},{"workflow":"child","version":"1"},{"workflow":"parent","version":"1"}]');
insert into pawl_engines (engine_id, lease_until, dead, serves) values ('01a1e49b-4cf9-75a3-98a9-4894d76ac940', 1794836755468, 0, '[{"workflow":"settled","version":"1"},{"workflow":"sleeping","version":"1"},{"workflow":"listening","version":"1"},{"workflow":"doubtful","version":"1"},{"workflow":"halfway","version":"1"},{"workflow":"child","version":"1"},{"workflow":"parent","version":"1"}]');
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, origin, expired_at, purged_at) values ('01a1e49b-488b-7620-9f1c-a8f6ffe98a54', 'default/default/default', 'doubtful', 1, 'doubtful', '1', 'RUNNING', 'decision', '01a1e49b-4cf9-75a3-98a9-4894d76ac940', 2, '9541c79878368718d532dd7d02821f31', 3, '5c10946a-9683-4e1e-8a49-a9568f31bcf8', 5, '058223c906eba9d96fe9c3b5bdf08cd06898210f5146477b7cd9d113fee2c02f', 1794836745501, NULL, 1794836744342, NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1e49b-488b-7620-9f1c-a8f6ffe98a54', NULL, NULL, 0, 0, 'engine', NULL, NULL);
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, origin, expired_at, purged_at) values ('01a1e49b-4d0f-7158-a35b-f6bfaf19ce33', 'default/default/default', 'settled', 1, 'settled', '1', 'COMPLETED', NULL, NULL, 1, '9d083c8fdae977d0577173c747e42600', 2, 'fc442e1d-9a83-42cb-b17b-3a7acd300225', 5, '4fe548813a708effa3078d5584eacf1dfc39fdbf47cd9576a63e9b8dd0004de1', 1794836745508, NULL, 1794836745501, NULL, '{"kind":"kept"}', '6f4b6612125fb3a0daecd2799dfd6c9c299424fd920f9b308110a2c1fbd8f443', 'settled-once', NULL, '01a1e49b-4d0f-7158-a35b-f6bfaf19ce33', NULL, NULL, 0, 0, 'engine', NULL, NULL);
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, origin, expired_at, purged_at) values ('01a1e49b-4d26-747e-9fa3-f2f74a561850', 'default/default/default', 'sleeping', 1, 'sleeping', '1', 'RUNNING', 'timer', '01a1e49b-4cf9-75a3-98a9-4894d76ac940', 1, '0f815e7d0713d0498ce87a83de5a13f2', 2, '50279f45-c459-44d9-a115-1200f17fa33c', 4, 'efbc3494231b0ecd206b07f6687307cb1140a68f95192279806e02c47114b114', 1794836745515, 1794836750515, 1794836745511, NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1e49b-4d26-747e-9fa3-f2f74a561850', NULL, NULL, 0, 0, 'engine', NULL, NULL);
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, origin, expired_at, purged_at) values ('01a1e49b-4d28-7412-a904-4b253e3752fd', 'default/default/default', 'listening', 1, 'listening', '1', 'RUNNING', 'signal', '01a1e49b-4cf9-75a3-98a9-4894d76ac940', 1, 'cb591f21a46580d8eb60c3e51cf1850f', 2, '63f8a391-534e-4988-8dfe-fca5b16e640f', 5, '6ac0e76a36c3b50913bec95ed2703d24f3a77da91dcabb1c41def023f2b6a708', 1794836745534, NULL, 1794836745515, NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1e49b-4d28-7412-a904-4b253e3752fd', NULL, NULL, 0, 0, 'engine', NULL, NULL);
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, origin, expired_at, purged_at) values ('01a1e49b-4d2c-7363-986e-485a9eeb3cd3', 'default/default/default', 'parent', 1, 'parent', '1', 'RUNNING', 'child', '01a1e49b-4cf9-75a3-98a9-4894d76ac940', 1, '615eeb04b8eb6fc2e876a1d530e345e5', 1, '2144534d-9516-4e83-98ad-56a1bafb6887', 2, '91c56b244f725089d80e8c6d4decb1cbc5294056b600d16306ee638c007e236e', 1794836745519, NULL, 1794836745519, NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1e49b-4d2c-7363-986e-485a9eeb3cd3', NULL, NULL, 0, 0, 'engine', NULL, NULL);
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, origin, expired_at, purged_at) values ('01a1e49b-4d2d-705e-9804-24eae86c7d89', 'default/default/default', 'the-child', 1, 'child', '1', 'RUNNING', 'signal', '01a1e49b-4cf9-75a3-98a9-4894d76ac940', 1, '3244818b0feba48946a43c8e2d9dc1b5', 2, 'feb20823-f575-4795-a1a0-00bc97476ff6', 3, '4227751d350753166949ff5bc66ab0dca5da108187dba385cf0a6486fcad4ca5', 1794836745534, NULL, 1794836745519, NULL, '{}', '66fb24cb21354877635a93dab77577d75c67408441b22f433c4c30e6506f15c3', NULL, NULL, '01a1e49b-4d2d-705e-9804-24eae86c7d89', '01a1e49b-4d2c-7363-986e-485a9eeb3cd3', 'child', 0, 0, 'engine', NULL, NULL);
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, origin, expired_at, purged_at) values ('01a1e49b-4d43-733f-b69d-d51ea1b497e6', 'default/default/default', 'halfway', 1, 'halfway', '1', 'RUNNING', NULL, '01a1e49b-4cf9-75a3-98a9-4894d76ac940', 1, 'e2fa76431b988565c3c2610c040a4ca7', 2, '28e73e17-f376-4421-bacb-e984869c8434', 4, 'd08a2e7c02b9a428d7603df2520d5b709bdffde4abae06317ee68e386869502c', 1794836745542, 1794836745540, 1794836745540, NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1e49b-4d43-733f-b69d-d51ea1b497e6', NULL, NULL, 0, 0, 'engine', NULL, NULL);
insert into pawl_inbox (inbox_id, run_id, kind, name, id, payload, accepted_at, taken, consumed, wakes, reply, dedup_key) values (1, '01a1e49b-4d28-7412-a904-4b253e3752fd', 'signal', 'later', 'later-1', '"first"', 1794836745524, 1, 0, 0, NULL, 'sig:default:default:default:listening:later:later-1');
insert into pawl_inbox (inbox_id, run_id, kind, name, id, payload, accepted_at, taken, consumed, wakes, reply, dedup_key) values (2, '01a1e49b-4d28-7412-a904-4b253e3752fd', 'update', 'rename', 'rename-1', '"Ada"', 1794836745527, 1, 1, 0, '{"ok":true,"result":"renamed Ada"}', 'upd:default:default:default:listening:rename:rename-1');
insert into pawl_accepted (storage_key, accepted_at, expires_at, run_id, inbox_id) values ('sig:default:default:default:listening:later:later-1', 1794836745524, NULL, '01a1e49b-4d28-7412-a904-4b253e3752fd', 1);
insert into pawl_accepted (storage_key, accepted_at, expires_at, run_id, inbox_id) values ('upd:default:default:default:listening:rename:rename-1', 1794836745527, NULL, '01a1e49b-4d28-7412-a904-4b253e3752fd', 2);
insert into pawl_views (run_id, name, value) values ('01a1e49b-4d0f-7158-a35b-f6bfaf19ce33', 'seen', '21');
insert into pawl_views (run_id, name, value) values ('01a1e49b-4d28-7412-a904-4b253e3752fd', 'name', '"Ada"');
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e49b-488b-7620-9f1c-a8f6ffe98a54', 1, '97bf577c-ab6f-445c-8bcc-763427b1267b', 'RunStarted', NULL, 1, 1, 'c11fdec0feb6bc0bd2c620221efe93190563f35632ebb295db5d99d4c678b6f5', 1794836744334, '{"parsed":true,"codeVersion":"1","from":"none","engine":"01a1e49b-487f-7115-acef-ab047b2b7433"}', '49168ffb1093109992b26c4272de2e68', '096a23b8835b5fd08699f097a7ce9b0044ca6e24ed3cbbfeacfd5b7c0d9817ed', '0e020b04194c57219ec12da279d1c532d234b2696810ddba1cc72ce232b727e3', 1794836744342, 1);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e49b-488b-7620-9f1c-a8f6ffe98a54', 2, '2a2d19e4-660e-4963-a16a-9b84065cb543', 'StepStarted', 'order', 1, 1, '76fbb624f6036d81bd3fa35e57fa2f3a9d0b5f8b9ab04b7247c7e545ceb513d4', 1794836744339, '{"kind":"effect","name":"order","digest":"799d7256bcab06d415e9f017db67b402ee0091972b47d904f8ff7accea7f6687","class":"UNDECLARED"}', '59dc68c485acf7d360e6848535956744', '2a478a387186f0ce6bdca38fc9c1cf26d271bf684dcdb8584f4400c0a9dcfc93', '5b2f635779565eaa67eff185340d22d3c933d49317fe8d7e9a0b1b528cc2e0c9', 1794836744342, 1);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e49b-488b-7620-9f1c-a8f6ffe98a54', 3, 'e6cda89c-2fc4-48ac-9ab1-8a146b05e8ac', 'StepCompleted', 'order', 1, 1, '772cb4b62bdd23f25466fd45be73fb88af843bc764aa31159bb144e2fcdf71a6', 1794836744346, '{"result":7}', '565fbd426dd417156d8797302b55425b', '9c5a3806a25d90b125a546b4296b9cffc4a83531f3bd33392c40d930a5d43ce3', '926287b3d6bfcedd8cb9284b7147a4b43f9deb0b0fd2983773b5ecb1416b0146', 1794836744349, 2);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e49b-488b-7620-9f1c-a8f6ffe98a54', 4, '083e0822-4d30-42b5-bb98-4db0bd457f0d', 'StepStarted', 'charge', 1, 1, 'd817714743a471fe81ddc91ce218a718cfb8c9a61cd5b5bce265078c6e9acbca', 1794836744349, '{"kind":"effect","name":"charge","digest":"2ec79112be9dddff500c39c27d48b690db462962e412c10028ff5eeaf2d040b9","class":"AT-MOST-ONCE","timeoutMs":60000}', '6d57b9e0965bbed38aff04d28a7c2ba2', '6cf31a6ad746dd4b35ad1ff390770c7d9d70c6b7340d575160443039b52d3276', 'a3b232d68b8382a86e922120024a64bdad75a49e8b951360c5e54e99183653dc', 1794836744349, 2);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e49b-4d0f-7158-a35b-f6bfaf19ce33', 1, '51b85cb3-fea4-430e-bfec-69f17df3e906', 'RunStarted', NULL, 1, 1, '3fcb19eb6c7173fbbc04d7dded4602724a5bb2d7a6990cafc10913f436c9c33c', 1794836745489, '{"input":21,"parsed":true,"codeVersion":"1","from":"none","engine":"01a1e49b-4cf9-75a3-98a9-4894d76ac940"}', 'ed18229b153af1001892af55ca4091a3', '0e6115acef104568218a9bb390b3dd8af136d2f1929d90602e42b56becf46763', '6f27ba9494873b78b929b719a818ad8c4b0d8b1d3197c5a37abbb4f6097fc196', 1794836745501, 1);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e49b-4d0f-7158-a35b-f6bfaf19ce33', 2, '2111b1fa-bb82-4547-8bda-216041563103', 'pawl.ViewPublished', NULL, 1, 1, '87e5fdbf92578945e41e779c242956d1ecf02512649091cbe1dc90172b8aa81a', 1794836745493, '{"name":"seen","value":21}', '76038bc0273e4a46079c4cce299c1d9e', '7f4bd0e4a1b8f23447b8f0f04b64780287e28423adbe68f3ad45c038325a2f76', '42c7413d44b94b46a9f1ffca63c0d11a6f63c8a15258a3598c62fdf4f650abc0', 1794836745501, 1);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e49b-4d0f-7158-a35b-f6bfaf19ce33', 3, '4f7f51aa-02b5-434e-a8dc-71f2d573c0cd', 'StepStarted', 'double', 1, 1, '1caa49c34ee1403ccd123f426dd331b8ae70767afdab50c709da6b98f5550782', 1794836745494, '{"kind":"effect","name":"double","digest":"ee9ff8738b77f6cb9c3d0cd45ac165bc9e65f949afd79b7dd809848242b0b772","class":"UNDECLARED"}', 'f388dd616988542493b854944452812b', 'e0df190421898d9c148ba5f55ec6586b3c7baee9eda569b5d4ed33ec403b13b3', 'e8390bfd244a41f0b7eb534a47206d2902d6ed6e582b0640dd4ddc2526d79f49', 1794836745501, 1);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e49b-488b-7620-9f1c-a8f6ffe98a54', 5, '1152aa63-b023-4dd5-8760-6cc91bc95be4', 'pawl.StepInDoubt', NULL, 1, 1, '39ca73f475f059306ff2394e567043b25d29dd4bd7ab414666b26e12c9bdd510', 1794836745499, '{"stepId":"charge","reason":"it began and nobody recorded how it ended","code":"PAWL2001"}', 'c07649712a31d218257772d1325d1076', '6a553d06fd54a4c2d7c080ba5a9d43d40ffa9f8cbbf59172a7299c1c5ea22cf4', '058223c906eba9d96fe9c3b5bdf08cd06898210f5146477b7cd9d113fee2c02f', 1794836745501, 3);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e49b-4d0f-7158-a35b-f6bfaf19ce33', 4, 'e8de1e18-e6cd-4acf-a82c-365fd0610715', 'StepCompleted', 'double', 1, 1, '3066f58d9b3a8d53c51f2197618a282ce27398373208e9dd97b9b45e61fb3c55', 1794836745505, '{"result":42}', 'df0f338dc4e49230e8b9de5baa17077f', 'b81d518c0600c52cbe8a4e42bf330e25c2e74ab2b99b2854edc99e8e675c1dcb', '5800438262128d51f44225b834e377df3090e76679c2942000902c8630f668d5', 1794836745508, 2);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e49b-4d0f-7158-a35b-f6bfaf19ce33', 5, 'aa6e8e72-7277-4e6c-916e-693b8137e119', 'RunCompleted', NULL, 1, 1, 'cc8af17cd1ae9e86e02855315a9001609adc1d614f6ed90274b526b975aa5c9e', 1794836745507, '{"result":42,"from":"RUNNING","engine":"01a1e49b-4cf9-75a3-98a9-4894d76ac940"}', 'e0e7f0679856fb92bc160166c0d9bbb3', '3be843bbc8891be39d7f7a09af84fc2448b1be294ebdaf6ef4fe01078dc070a5', '4fe548813a708effa3078d5584eacf1dfc39fdbf47cd9576a63e9b8dd0004de1', 1794836745508, 2);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e49b-4d26-747e-9fa3-f2f74a561850', 1, '592e92bc-9aef-49ca-a78c-92fbc1905473', 'RunStarted', NULL, 1, 1, '87a8b1e5a0b0a4584f8657b7570eef98f8d66840161c84c78d3accaad27eabad', 1794836745510, '{"parsed":true,"codeVersion":"1","from":"none","engine":"01a1e49b-4cf9-75a3-98a9-4894d76ac940"}', '51a85781ade60bc8fa809d8d70915530', '025fe8c5b5db0b4532e9d65a6856f29648167df4cd9cfce8e2094f1c14a71180', '1eebb5882ecb349e6231b28b08f61e9b6ac33ac8c956ffd70b7c8658a5751f75', 1794836745511, 1);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e49b-4d26-747e-9fa3-f2f74a561850', 2, '4418f0d8-c3b3-467b-a1c8-50a59f7233ab', 'StepStarted', 'before', 1, 1, '6a8d2843d955c1a10b18d0c1a49b0ec280a5fe81206e826098625b49b894d9ba', 1794836745510, '{"kind":"effect","name":"before","digest":"05bfe291a21a0d1f5f4657f5211cbe8150d540997b33667c9d3ea79321335833","class":"UNDECLARED"}', '2ba726a0ecbac8412d4aa4616b5d594d', '4a8ffb5b7c050a50b79556bcd0d80d7cbd80477b0878cba4c234d849af26cdf3', '64148ed0e74fd5c1ebe6980ca0fe7bb069dae3f6f42f8967e9371b189820352f', 1794836745511, 1);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e49b-4d26-747e-9fa3-f2f74a561850', 3, '401712c8-4803-4e3b-8cad-1a18786e354e', 'StepCompleted', 'before', 1, 1, '19e49ea0a05e7f28b40a0566015d3f1d58d07c0f8660c5bb8d7bc8f5c4912228', 1794836745512, '{"result":"slept"}', '18ee56eb930e23f96dbeb9a7f56f2140', 'a8b74b92be6fa287869a4a38ee6d36c1907a9d6f368a26f45a704af5fae41448', 'db8f442e58a4e41f318f2f7c792099a9e61b12308a724d2459c7f1d8c58c136a', 1794836745515, 2);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e49b-4d26-747e-9fa3-f2f74a561850', 4, '4d8ae00d-3fa7-4442-be8f-8b54c78dfa0d', 'StepStarted', 'nap', 1, 1, 'ba4f7ef660c20fdf14d4b1251e7367a85c7b6c32b5e2394964334b29909c308d', 1794836745513, '{"kind":"timer","name":"nap","digest":"538b904f34061c9af68dfac9bc3e3f2aa12c8f0274ac1a58dec9793584cd778e","delayMs":5000}', '6872fa56491a2376ec39f95f33b1b13c', '7bc5686b3ab2e0fb0372bfa2b32d9adaff39226aa8597dbebf0926ebbcd9dc6e', 'efbc3494231b0ecd206b07f6687307cb1140a68f95192279806e02c47114b114', 1794836745515, 2);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e49b-4d28-7412-a904-4b253e3752fd', 1, 'dae182af-8070-47c9-9aaa-28c23f2f0f0d', 'RunStarted', NULL, 1, 1, 'd704254a2758a5996b7252b5208847d74b61b7ec525644c7101d52a2dee44ae2', 1794836745513, '{"parsed":true,"codeVersion":"1","from":"none","engine":"01a1e49b-4cf9-75a3-98a9-4894d76ac940"}', '1c7f23991812a3fe29adc3725aaf9ff7', 'db88e5ea2bd04b4145b0b1f179587323669867616945610aa2ea89e5731e86ac', 'e8ed04e079925efcb67b516ebef386c090b03554ea5688154253d5fa582cd67d', 1794836745515, 1);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e49b-4d28-7412-a904-4b253e3752fd', 2, 'aff86d9a-7923-4ee9-bb95-2e2030ab6b9b', 'StepStarted', 'go', 1, 1, '9a77beeaf8f6f5c71184f21da4b9587fad7f4f6d04e525324102676c8e654cb9', 1794836745514, '{"kind":"signal","name":"go","digest":"3f5b2441e270ad2f461312a47e3f1f735c673b3b83fdb595499e9ce0c6e46d28","signal":"go"}', '4f80c01813593fa7523a6919da2dbf8d', '212f6d53df00794bac6e36f8c376a229f5109088f6ad2cbb45f08cee6b94845d', '81cb03252ffcbf338b9963562cf1125f52125f9576a2c4eb023e56282bc13225', 1794836745515, 1);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e49b-4d2c-7363-986e-485a9eeb3cd3', 1, 'd7101782-da17-488c-93f8-bddac9c6f75b', 'RunStarted', NULL, 1, 1, '96e7b1f298af3724254d275e7048b676661ae39a2fe4109cede3a6160b67583a', 1794836745517, '{"parsed":true,"codeVersion":"1","from":"none","engine":"01a1e49b-4cf9-75a3-98a9-4894d76ac940"}', '1eaed2bceaff9d1de9ccd6fd5d779d6f', '11fb52f7abec6b26bd40f615a3a6bb293c8f8ecf6c42be54b84683143804c7f2', '681869d4f4eed47013b48f03dca85f3427ad821a5d1d43443a3c1d9ddf8633d5', 1794836745519, 1);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e49b-4d2c-7363-986e-485a9eeb3cd3', 2, '515990c1-c7c9-4c33-a21b-ddd3f3160272', 'StepStarted', 'child', 1, 1, '994668a5326f8a0f537646c722f89598b9a190b3296f40518e2e7b685590abc4', 1794836745518, '{"kind":"child","name":"child","digest":"117651691b2a9336f86f4d9b0d54adbaae27db196460c3c4d8f700218d6505ed","child":{"runId":"01a1e49b-4d2d-705e-9804-24eae86c7d89","workflowId":"the-child","workflow":"child"},"input":{"$pawl":"undefined"}}', '47c8021c3c1e31147c3f34ef2f57b107', 'b244489abb5bc5e2cd27227ca5168dacdcd3d9c365d2f3a9f1f5330b2b926707', '91c56b244f725089d80e8c6d4decb1cbc5294056b600d16306ee638c007e236e', 1794836745519, 1);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e49b-4d2d-705e-9804-24eae86c7d89', 1, '24355911-8eb0-4af4-b888-0287991218f4', 'RunQueued', NULL, 1, 1, '343a529f451d0e4707e332b36f25b10ed8220fe8ca4fb408b50bb081410f2eaf', 1794836745518, '{"input":{"$pawl":"undefined"},"engine":"01a1e49b-4cf9-75a3-98a9-4894d76ac940"}', '706a72b383ea5ed136ffe34153afc151', '7a67be4110b3b6ec13d1f6fd000c659bc62655ff264e4c97aca592cff1f280ea', '01f14d6dc351ffb2e371603433eecfb8517416b35773863005ec0b12d9d70cd1', 1794836745519, 1);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e49b-4d2d-705e-9804-24eae86c7d89', 2, 'fe9c3774-1506-43a5-84d5-21651b2fa9fa', 'RunStarted', NULL, 1, 1, '79f01dbd56f2c54f7d81537ffa402cfbde2b43d96c197f77a69ef27aeb17dc86', 1794836745529, '{"parsed":true,"codeVersion":"1","from":"PENDING","engine":"01a1e49b-4cf9-75a3-98a9-4894d76ac940"}', '8d7ca8a6753239b534816204f0eb2604', 'aae3a5659f3a91e6431553233eca79e3bb35c035e2192282a28d1e0c5d2785bf', '5ddd64c4dd1f4a7614a1af854d8192fc707f64652dc031f3b5c225a9190a2fa8', 1794836745534, 2);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e49b-4d2d-705e-9804-24eae86c7d89', 3, '793a0b7b-66ee-4915-831f-547f475ef22b', 'StepStarted', 'answer', 1, 1, '5d3bfa611bd8ba2fc3246ab691796664143bf152353a6247dcc87959fa5a4386', 1794836745533, '{"kind":"signal","name":"answer","digest":"6af44cf9a32d7a8596ddd574de00e2d0e036802c46e1f63c4dd7966c382e4c35","signal":"answer"}', 'fa38ec1b8c8942e5ba5cb16019f93ec1', '8d2878dc70cbf7aab1888697c10b6f67a6f19026cd685cf394faddbcf8cd553b', '4227751d350753166949ff5bc66ab0dca5da108187dba385cf0a6486fcad4ca5', 1794836745534, 2);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e49b-4d28-7412-a904-4b253e3752fd', 3, 'a54e2e4e-90df-4648-b52b-4966ab9bbc70', 'pawl.UpdateAccepted', NULL, 1, 1, '9645b4ec4f3d998648f29372157a73f4eac85be64697d02c87ead61eb127732b', 1794836745530, '{"updateId":"rename-1","name":"rename","inboxId":2,"input":"Ada"}', '00e209aed5c9b8e6d1854c758792e449', 'f2040f37f8a06ad1c00808feba53986ca903ccf17fdd6745605d9d29bb635ba3', 'b77996ea4b55b1c483b5e45f02dc36e845c3995e0f6c39a2aaea42faf1f59d48', 1794836745534, 2);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e49b-4d28-7412-a904-4b253e3752fd', 4, 'd5636d9a-1459-45ba-877d-2b80973b5f12', 'pawl.ViewPublished', NULL, 1, 1, '61c2814109ed665ca25420e8e3ba693688e4939c531ea160535d263ac59c0a92', 1794836745533, '{"name":"name","value":"Ada"}', '214526e507dab10bf0d964cf47880959', '769ad8a24ef24909e5e705f624ba1d293bac49e2e9092cdffc7eeb91ea0fd4e8', '3bee0adad3584e75b900bb85d2923f4d5b6db8c369f282015cdc33ab200b45ea', 1794836745534, 2);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e49b-4d28-7412-a904-4b253e3752fd', 5, '159d2290-86a9-4d4d-ba4f-29673bbfea47', 'pawl.UpdateCompleted', NULL, 1, 1, 'dd616ad5c338f6c8bbcdcd1832aee6ee27c1f107b3dc2c9db1c317c5384e076c', 1794836745533, '{"updateId":"rename-1","answer":{"ok":true,"result":"renamed Ada"}}', 'b107edb827fb1582d7edcd8c5f512d6f', '4419c335849a1a2b6b064fed8d1c607b3be831871015ddf49f6f3c39c7e25389', '6ac0e76a36c3b50913bec95ed2703d24f3a77da91dcabb1c41def023f2b6a708', 1794836745534, 2);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e49b-4d43-733f-b69d-d51ea1b497e6', 1, '79fb89c8-bd46-42f4-800b-1fb0f5a69385', 'RunStarted', NULL, 1, 1, '4ffd0336ab560b56401185f4e73b0692d6c280caed755b6c68ae3f30638464a9', 1794836745539, '{"parsed":true,"codeVersion":"1","from":"none","engine":"01a1e49b-4cf9-75a3-98a9-4894d76ac940"}', 'b6d5253adb82df7eb0e153397bd5f62b', 'b29075e8e088b859ae371db8480e69c81c38fb7686731eefbcd32bb2fd08ac81', 'bc4210a36d197b08d201652ec724a9f70c5b2f2e2ea82fd0e5a06c9f859b5e8e', 1794836745540, 1);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e49b-4d43-733f-b69d-d51ea1b497e6', 2, 'b08a3141-d71c-40b8-9b29-a81da7794510', 'StepStarted', 'one', 1, 1, '5b9c9059967385a6777f526ed6072f76d46bfcf8416f961be13534ba698e6bca', 1794836745540, '{"kind":"effect","name":"one","digest":"65ef844c98b3e85b70e6c5192d76d1b60a81a310e6ba93e27b447a5ad881c94b","class":"UNDECLARED"}', '099d8f25eee77b1bc5916427c0e8d534', '6d6a226536f4ca3794b6f4cd6dd70a9e389a1bebfecf765f482ec542073bcb10', '2131acd9549846b38a58c1b8c3806aed9388465f1628c290fc1e9e0a5ca1de62', 1794836745540, 1);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e49b-4d43-733f-b69d-d51ea1b497e6', 3, '044973bc-6746-4469-9d39-feab51fef6ac', 'StepCompleted', 'one', 1, 1, 'f918221bda9763b1d76858c0318bcbd11fcc3089d061c2e6956567425179bc41', 1794836745541, '{"result":1}', '753c18a697bbec60ecd058bce1a6252b', 'a3ce53b7607dfbe725f590e9861c75970bc90464e878989a5998b26021bbb93e', 'd8a08688d7d0fe73f608d55ac0a8152dc43c43eb52ac1f74054f0448d8fa79e6', 1794836745542, 2);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e49b-4d43-733f-b69d-d51ea1b497e6', 4, '9dc68aee-1682-488b-b917-6f98858b5dba', 'StepStarted', 'two', 1, 1, 'a604c8cc53dc3f120ab175b558140e9e09580b54e9fed5aaaa27e4792b5bd204', 1794836745542, '{"kind":"effect","name":"two","digest":"a98cec722f9d81d928ab82e4904c332bd488d86208c0d5a9e5abed5d03a2c30b","class":"REPEATABLE"}', 'ac66049aa889d911c96ed09aed2fe1c9', 'b5921edce6bdd19336bc58febe2d1b46185310ef63e06b276c6aeb689e1e2f53', 'd08a2e7c02b9a428d7603df2520d5b709bdffde4abae06317ee68e386869502c', 1794836745542, 2);
insert into pawl_effects (run_id, seq, version, scope, workflow_id, step_id, name, class, key, args_digest, status, phase, attempts, engine_attempts, error, event_seq, created_at, updated_at, receiver) values ('01a1e49b-488b-7620-9f1c-a8f6ffe98a54', 4, 1, 'default/default/default', 'doubtful', 'charge', 'charge', 'AT-MOST-ONCE', 'pawl-6098c128911a2bdf5248bc4e3369b900b950abaec024674f4001765c88ee0692', NULL, 'indeterminate', 'doubt', 1, 1, '{"code":"PAWL2001","reason":"it began and nobody recorded how it ended"}', 5, 1794836744349, 1794836745501, NULL);
