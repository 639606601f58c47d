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

insert into pawl_meta (one, format, oldest_reader, oldest_writer, incarnation, store_id, identity) values (1, 1, 1, 1, 1, '84373e3d-0ff2-4ab4-97d2-d59892ca5af2', '65024:2524059');
insert into pawl_engines (engine_id, lease_until, dead, serves) values ('01a1e25c-078e-764c-a16c-3aefd11c25b3', 1794799054497, 1, '[{"workflow":"settled","version":"1"},{"workflow":"sleeping","version":"1"},{"workflow":"listening","version":"1"},{"workflow":"doubtful","version":"1"},{"workflow":"halfway","version":"1"},{"workflow":"child","version":"1"},{"workflow":"parent","version":"1"}]');
insert into pawl_engines (engine_id, lease_until, dead, serves) values ('01a1e25c-0b5e-7499-a872-d394b56b0ed6', 1794799055473, 0, '[{"workflow":"settled","version":"1"},{"workflow":"sleeping","version":"1"},{"workflow":"listening","version":"1"},{"workflow":"doubtful","version":"1"},{"workflow":"halfway","version":"1"},{"workflow":"child","version":"1"},{"workflow":"parent","version":"1"}]');
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version) values ('01a1e25c-0797-7480-91aa-f40a106f1b4f', 'default/default/default', 'doubtful', 1, 'doubtful', '1', 'RUNNING', 'decision', '01a1e25c-0b5e-7499-a872-d394b56b0ed6', 2, 'b730a01400672958bd668f62fcaa18a1', 3, '5b69f93d-4291-4749-b41c-64186836ed4c', 5, 'c5ee66ea8037a7e051e2500773c0eb56d9d7673abfeb13a6ca3143f2d4da599a', 1794799045501, NULL, 1794799044512, NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1e25c-0797-7480-91aa-f40a106f1b4f', NULL, NULL, 0, 0);
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version) values ('01a1e25c-0b72-745a-a10c-9ca910085541', 'default/default/default', 'settled', 1, 'settled', '1', 'COMPLETED', NULL, NULL, 1, '1a5cff35e9f0cef8153579643cc6a333', 2, '23e27115-00f7-46ea-a920-19761bf47dbb', 5, '78e84b83bd7c00e04b609d40bb434c11a5d59fd2dfd81953725077a1d9178a72', 1794799045507, NULL, 1794799045501, NULL, '{"kind":"kept"}', '6f4b6612125fb3a0daecd2799dfd6c9c299424fd920f9b308110a2c1fbd8f443', 'settled-once', NULL, '01a1e25c-0b72-745a-a10c-9ca910085541', NULL, NULL, 0, 0);
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version) values ('01a1e25c-0b84-74cf-a169-a864ca6a6242', 'default/default/default', 'sleeping', 1, 'sleeping', '1', 'RUNNING', 'timer', '01a1e25c-0b5e-7499-a872-d394b56b0ed6', 1, '0177dbda4f19317f0105f5669caaa5ed', 2, 'bc3e0d22-fe23-440e-a1f1-0cb612ea8dcc', 4, 'ecaa30a498be1898bc4a4988f83dcd3020208814bb106ecd644cb2863b0aa5f1', 1794799045513, 1794799050513, 1794799045510, NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1e25c-0b84-74cf-a169-a864ca6a6242', NULL, NULL, 0, 0);
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version) values ('01a1e25c-0b87-77fb-b849-8a63c408b4c0', 'default/default/default', 'listening', 1, 'listening', '1', 'RUNNING', 'signal', '01a1e25c-0b5e-7499-a872-d394b56b0ed6', 1, '75ae00e22ea69a06461b7c2ac3ee6216', 2, '1546d67f-d277-4a1d-9a01-fede1b538144', 5, 'a4963e041c06e6af5fe97643f4170e6a802f4bfbb17e58b954a98a385efe354f', 1794799045531, NULL, 1794799045513, NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1e25c-0b87-77fb-b849-8a63c408b4c0', NULL, NULL, 0, 0);
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version) values ('01a1e25c-0b8a-7334-a6fa-5218dddcfd08', 'default/default/default', 'parent', 1, 'parent', '1', 'RUNNING', 'child', '01a1e25c-0b5e-7499-a872-d394b56b0ed6', 1, '838c4272fea371ffbe821042b279c844', 1, '8425e5da-7346-4c49-b2d1-fea1d297e926', 2, '55ce6a5f9b97ec7a251a693feefb6a81b7507161cd0b855b293717040e4484c5', 1794799045516, NULL, 1794799045516, NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1e25c-0b8a-7334-a6fa-5218dddcfd08', NULL, NULL, 0, 0);
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version) values ('01a1e25c-0b8b-7217-9d91-4ab65bbb4566', 'default/default/default', 'the-child', 1, 'child', '1', 'RUNNING', 'signal', '01a1e25c-0b5e-7499-a872-d394b56b0ed6', 1, 'd449c665bb63e450ec32558136d5d634', 2, '47414c82-cfab-413d-ac50-dd6e5a4e7658', 3, 'd3cf2fd9761465035540d11e8284b76520598f4c7c2df5c41747fc5a5dd61314', 1794799045531, NULL, 1794799045516, NULL, '{}', '66fb24cb21354877635a93dab77577d75c67408441b22f433c4c30e6506f15c3', NULL, NULL, '01a1e25c-0b8b-7217-9d91-4ab65bbb4566', '01a1e25c-0b8a-7334-a6fa-5218dddcfd08', 'child', 0, 0);
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version) values ('01a1e25c-0b9f-74b4-ae55-18a429c5407d', 'default/default/default', 'halfway', 1, 'halfway', '1', 'RUNNING', NULL, '01a1e25c-0b5e-7499-a872-d394b56b0ed6', 1, '9c0950866d4d049fcce5ac991f341497', 2, 'cf7ff874-e702-4985-b716-a650f8f00287', 4, 'f7c3a654430a7a2bd81d27796b8088fc033cd85cbdecfad35922e7b4021cf5fa', 1794799045539, 0, 1794799045537, NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1e25c-0b9f-74b4-ae55-18a429c5407d', NULL, NULL, 0, 0);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e25c-0797-7480-91aa-f40a106f1b4f', 1, '8fb9d865-5a41-4722-a1cd-23505ee68841', 'RunStarted', NULL, 1, 1, '374f887bc1997916f771246aedf32ce423205f3414da59016756275104e21644', 1794799044505, '{"parsed":true,"codeVersion":"1"}', 'b22a026d8a0e6f415a581ecae03572d6', '299a19f1c2a3287b161bcbdbb8d715e9562978c801873ccabe52b14bebb001a7', '508d406162b14d384010618b34e3f4fba648cb3664d6b3ff7e19efdbbbd88260', 1794799044512, 1);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e25c-0797-7480-91aa-f40a106f1b4f', 2, '35b9deed-f87b-46b6-aad7-7078123518f9', 'StepStarted', 'order', 1, 1, 'e9873987d968f941ac08f04949b49cd0d61ada246946c4dda951b990d64cd5f7', 1794799044509, '{"kind":"effect","name":"order","digest":"799d7256bcab06d415e9f017db67b402ee0091972b47d904f8ff7accea7f6687","class":"UNDECLARED"}', '6524d18ead2cd279db5bf131048415bc', '96d58d9548da76c9c3734d1b9cf57f9c4b30141be16367cc603f49d3906f6744', '86d93490f3b0d390c9b5adeb0853fc2d92d6579687174aa08ac10cb1667579f0', 1794799044512, 1);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e25c-0797-7480-91aa-f40a106f1b4f', 3, 'c92b1e93-a4fe-422e-a0d9-fb9286dafa89', 'StepCompleted', 'order', 1, 1, '347165f2f8489bb251fc086a1f63bcf98ebbf22870dc973d6179c4f26db017b3', 1794799044515, '{"result":7}', 'f2fe38ab36f16f4ad7c01ef13f82ff90', '2e0d82f571d185ef0c41f8a36b754ecb7a02b074f8bf61b57384417fffdc9a4e', 'c43085e08fd1b477ef3644de9ba3a242f88e7d6475eb963e1f45a86412f80252', 1794799044517, 2);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e25c-0797-7480-91aa-f40a106f1b4f', 4, '81ea97c8-71b0-4a0e-b42a-7e5f8e7401bf', 'StepStarted', 'charge', 1, 1, 'c52420fe9fd3b456e392a487aae9e72debbd2ff695577b7ff9f27ff1fec1647c', 1794799044517, '{"kind":"effect","name":"charge","digest":"2ec79112be9dddff500c39c27d48b690db462962e412c10028ff5eeaf2d040b9","class":"AT-MOST-ONCE","timeoutMs":60000}', 'e9d355fe1cd7b1c5fc245578e7f0dfa9', 'c11c441565f237cf9406855c56dcd5de643ee008f61c992d12103b44bf845a41', 'd0f5d6e00358473163a8fa85b63fb7b887aaadb81320a9a4d4be1d9f0ff2571c', 1794799044517, 2);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e25c-0797-7480-91aa-f40a106f1b4f', 5, 'b4862dc0-51fd-4483-92f7-69f171ac1993', 'pawl.StepInDoubt', NULL, 1, 1, '119ea5dba488bdfda98c4ea2585fea1a2b2d9c21e0c6cc467bb79dda510bf891', 1794799045500, '{"stepId":"charge","reason":"it began and nobody recorded how it ended","code":"PAWL2001"}', 'be771790d967f1d5a0c5c7147e731f81', 'e0eee33a8bf029de90d2009cbda03daf6d8c0f34d84de00aa9e0be4ef5139c82', 'c5ee66ea8037a7e051e2500773c0eb56d9d7673abfeb13a6ca3143f2d4da599a', 1794799045501, 3);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e25c-0b72-745a-a10c-9ca910085541', 1, '4a17fd01-649e-44f7-969b-a8eb2366d9c6', 'RunStarted', NULL, 1, 1, 'd6adf1343e34f360d450351f099ab79dc9b0c8ab341f90fcf5d78efe80cae3f6', 1794799045492, '{"input":21,"parsed":true,"codeVersion":"1"}', 'c056f6303276b8c9d5182bcff7d87945', '0e3afb887e50ed068d9c925d2d8db370e955efcab3e3601808f72214a9248f33', 'ea65e4dabfec4fa61b19fe8e6d4e19cb49b9db08f733c77cf09fdeb40a816167', 1794799045501, 1);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e25c-0b72-745a-a10c-9ca910085541', 2, '2a8d1443-c8b3-49af-9df1-000ee2f9fb58', 'pawl.ViewPublished', NULL, 1, 1, 'ebd00d4bf8240eae0dfcdc690879d339015a31a6725ff61f20e90b403b471148', 1794799045496, '{"name":"seen","value":21}', 'b050cc71e6153db1376268c29ab94290', '8e1150e824f0c1a4332f1f6d6f69ecb71f973ac30ca95222a00aba09408bc128', 'ad39858d2e0a50180ad800d0de957d32eda42584e98550fc1a7fa9c8ec722590', 1794799045501, 1);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e25c-0b72-745a-a10c-9ca910085541', 3, 'ae0683b1-623b-4bd6-9b9c-2074cc7141ec', 'StepStarted', 'double', 1, 1, 'd82baec53f7d006138964d3f741fcc26a5e5a9dcc62d07ccfd4b57229d9cb435', 1794799045496, '{"kind":"effect","name":"double","digest":"ee9ff8738b77f6cb9c3d0cd45ac165bc9e65f949afd79b7dd809848242b0b772","class":"UNDECLARED"}', 'b3e04d548a322b877ff9cd817526003b', '07cada378edb382297ec4d3b3c4b5bb3f07a99e7055132a826fd55b0b0c03e8a', 'b38788df4441ae87cc722c949cac7251e3f42aefdd2017dd02365d1f2c490787', 1794799045501, 1);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e25c-0b72-745a-a10c-9ca910085541', 4, 'ba45f12c-8fdf-484d-ad78-04d33eca257a', 'StepCompleted', 'double', 1, 1, '3e04f81e9f65444e6c67baae815f894835a47256917a2e0fb81908f5c3676248', 1794799045505, '{"result":42}', 'b6cbb88ebe56a00a474906c5a16d233f', '5982d4c1e972d5c75ffdbbd5fabaa0b58e04a798bd89b220a6f1b7d7c8f0c906', 'af177d5e5b4723142724041542d0b81c22007ded31bcfa658cb40bbccaed2602', 1794799045507, 2);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e25c-0b72-745a-a10c-9ca910085541', 5, '0fe29cce-0205-415f-b0bf-f4c175b9f8ed', 'RunCompleted', NULL, 1, 1, 'c11d50ef1f2c91d9843c2010d09c1b142f5d3829d0a60111692711e87f3620a3', 1794799045506, '{"result":42}', 'ed02ee43b936f3cd4c02749f886c2f02', 'a36a5abb9cc5d21b9e62f9ff8285cfeb5726f38f40e1672ad714601ea254fdb9', '78e84b83bd7c00e04b609d40bb434c11a5d59fd2dfd81953725077a1d9178a72', 1794799045507, 2);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e25c-0b84-74cf-a169-a864ca6a6242', 1, 'b1ce7951-d706-43f7-95ed-e1ab19816bc8', 'RunStarted', NULL, 1, 1, '467c18e0935f7f3f7539c0a8dc64c271c15b90ea82afcf3051a921118c69e8b3', 1794799045509, '{"parsed":true,"codeVersion":"1"}', '3320e76be9d69744bdadddc729497a77', '34a6fa79de467081c3898810fa2610c52bbb2a5c27762682a52c88104d1b5404', '92d7824b97ba2d7272ee4c9970072870d97915ce2679a7d2cdcf138efe6f35ac', 1794799045510, 1);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e25c-0b84-74cf-a169-a864ca6a6242', 2, 'bef4625b-2c34-41da-a2d1-d8f963583c6b', 'StepStarted', 'before', 1, 1, '74a6c3a59b8b9ec040f972c3ee7b29c8cfa52b0c73b908b9cbdf2d6c4a45eb70', 1794799045509, '{"kind":"effect","name":"before","digest":"05bfe291a21a0d1f5f4657f5211cbe8150d540997b33667c9d3ea79321335833","class":"UNDECLARED"}', 'd85553171121e9b00cd60399b6b0fbcd', 'ffbb0b28be9f2dd6c679b1452e5df82c09d1ed787c5a2c920f56652d76a08dfc', '6daddfcbdbf29b1e8b7f41de9594adc980ef777337e72d0bc6710ccda2ccc5fe', 1794799045510, 1);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e25c-0b84-74cf-a169-a864ca6a6242', 3, 'a7e2ab91-b451-477f-9609-75f792321ac2', 'StepCompleted', 'before', 1, 1, '588dac15f2f1f35b5b32bcebab2a938f26872119628661eee092ff0dccb30058', 1794799045510, '{"result":"slept"}', '57728009a571cfd26b74b5d5fc95e90e', 'd9a366466e2e598fc6804b379daa236b3c42a67106f94437b5015d3d383b8a5c', '7f1ad8a52cd4e4a89a8700c4edf7596c9ecefa6a543ee85b5001cf97b31c979a', 1794799045513, 2);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e25c-0b84-74cf-a169-a864ca6a6242', 4, 'cc0ac6bd-0580-4360-b0b3-75c6a4200e5e', 'StepStarted', 'nap', 1, 1, '6ecf681ab7f62f77e1a32405a97d9090e17a971cf5a68cbe1358853cd3b166f1', 1794799045512, '{"kind":"timer","name":"nap","digest":"538b904f34061c9af68dfac9bc3e3f2aa12c8f0274ac1a58dec9793584cd778e","delayMs":5000}', '55800397a7b3b2d2a0b5765baf128b4b', 'b083c3c75919974271a308a219447b46c1357e4c3ab188faf9874b70fa4984c5', 'ecaa30a498be1898bc4a4988f83dcd3020208814bb106ecd644cb2863b0aa5f1', 1794799045513, 2);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e25c-0b87-77fb-b849-8a63c408b4c0', 1, 'f06f6592-3324-4238-bfb6-c0a29807c037', 'RunStarted', NULL, 1, 1, '9263f016f4057362f9379b90312dc268abe9a327e17624a8e9a38fb9fd8d943e', 1794799045511, '{"parsed":true,"codeVersion":"1"}', '0024f29b65be561467fcf2b0ceb6d7bf', 'c2b098a6247e20496835d2d13b9be331cc4a6940d68fc05051a6d135594840fd', '80c60efd74beec7f0af9ff91ef1072b6ca5bf33c94e96f31c74e1de73a98f210', 1794799045513, 1);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e25c-0b87-77fb-b849-8a63c408b4c0', 2, '6bae1f21-c9af-46a8-9f3a-0a022c3d2ec6', 'StepStarted', 'go', 1, 1, '44fbcf8d6b90cf2b8fd994716916ce18e1e608b6cea960bcc718357765475a07', 1794799045512, '{"kind":"signal","name":"go","digest":"3f5b2441e270ad2f461312a47e3f1f735c673b3b83fdb595499e9ce0c6e46d28","signal":"go"}', '6e60309ea36e0ed1f50e120308d9e12e', '65d9ebbb10df9b1c4fdb46e7bdc1176d9dd73bfc9afbd4e8e68e0c8d928d5a54', '57a91d12a49a3c4d2b7119726dd04d5fe16401fc69032560c7c6f2cb4b24f8d3', 1794799045513, 1);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e25c-0b87-77fb-b849-8a63c408b4c0', 3, '8967285e-5752-4957-a0b7-08e4d5111916', 'pawl.UpdateAccepted', NULL, 1, 1, '327f94c2061e31c25979e7edef3c263d668f9c4646204f8bc88013b84bff3abe', 1794799045527, '{"updateId":"rename-1","name":"rename","inboxId":2,"input":"Ada"}', '3bdb4def9ecaefbfc65cbadd77266123', '52a0bf506d4d33c760fc7c0a8758e550a44b5a0a174f13dff248311c3a83c056', 'b1f3c40f3d67782146a281e3bb14e27cfc205aee87b99ddc71ee415f40d16dcb', 1794799045531, 2);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e25c-0b87-77fb-b849-8a63c408b4c0', 4, '99e8e1fd-59dd-466e-bb7a-76f6dff95226', 'pawl.ViewPublished', NULL, 1, 1, '3bf9002ec9edb40d749bde5070e45bc5e54737f31f2845befc3d52f9f7470424', 1794799045530, '{"name":"name","value":"Ada"}', '2daaf34bc5d5d814b7f3b2b6df807b53', '8434709a90d15df57577930ac862c9ca8edd320e1bfeacbfd04a16004420d86a', '7e01786095abdd024553a89f5ae17f7feda42d8737ad0543628bb6febbfc6054', 1794799045531, 2);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e25c-0b87-77fb-b849-8a63c408b4c0', 5, 'a3e9e886-2faf-4ffd-9378-5c392198aa71', 'pawl.UpdateCompleted', NULL, 1, 1, '363b9b3137dd135a25bd70870c04698f0652eab2fbeab9cfb4725cbfacbd3fdd', 1794799045531, '{"updateId":"rename-1","answer":{"ok":true,"result":"renamed Ada"}}', 'c41e8df0d688dffc5451f65bef62dfd8', '54cf321a49e89e75fa90fcaaec3da21ce438a11c7be392ce06d3671d31ff1fd5', 'a4963e041c06e6af5fe97643f4170e6a802f4bfbb17e58b954a98a385efe354f', 1794799045531, 2);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e25c-0b8a-7334-a6fa-5218dddcfd08', 1, '8c559990-0ee2-4dba-89ce-093281946768', 'RunStarted', NULL, 1, 1, '8f2edef71b3091e1ed71b7436e9eb22d5f8e045731d55b21ac2cd6adae7bbe8f', 1794799045514, '{"parsed":true,"codeVersion":"1"}', '217b1b72bd66a2a642b83f11fff54e59', '9bd582c3bb093d6636c3e0c72f9952c13a435cda434249c215b541c076942c2b', 'a855c47fd87ff3803594e2a6bad78b5bea9b8f870647c353b38daae2b7817039', 1794799045516, 1);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e25c-0b8a-7334-a6fa-5218dddcfd08', 2, '93a4d1dc-b035-4b4a-bafb-2ba79729ae5f', 'StepStarted', 'child', 1, 1, 'ceb2c066bdf0be8bb2c67efece153ce76624308ed3589cb64c9d1343b82f7949', 1794799045516, '{"kind":"child","name":"child","digest":"117651691b2a9336f86f4d9b0d54adbaae27db196460c3c4d8f700218d6505ed","child":{"runId":"01a1e25c-0b8b-7217-9d91-4ab65bbb4566","workflowId":"the-child","workflow":"child"},"input":{"$pawl":"undefined"}}', '1212d489cd223bb8b0e49516cb92d34e', 'f7f0fa80c8b0d350026d17cfb6d5d8cc4a865fb8ae29d1b47105febaec1c220c', '55ce6a5f9b97ec7a251a693feefb6a81b7507161cd0b855b293717040e4484c5', 1794799045516, 1);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e25c-0b8b-7217-9d91-4ab65bbb4566', 1, '392bc6df-ef66-4958-a949-f435cf018008', 'RunQueued', NULL, 1, 1, '9c196e4ce71dd0eed0fe3540cc353d3a38464535f41f35feb0c59d81ba26b6bf', 1794799045515, '{"input":{"$pawl":"undefined"}}', 'de1c8f572a4fb4c60397d8fff75d1a5e', 'a670f7e991dd99a0cac2bc96eb9c9b6944bfa997261e04bb8a80454b6c199bd9', 'c5ccd48bff2cf2d6648a8ab9cdf5c4f275cd8f298b7b53d03ea23184d40ea3b3', 1794799045516, 1);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e25c-0b8b-7217-9d91-4ab65bbb4566', 2, '333344d2-9a1b-4101-9d84-64f26516b890', 'RunStarted', NULL, 1, 1, '5fb54eea2daedd4bebcddfd9e59b9bc7bc3ffc71898ebfd8fa0bd8ad49c2153f', 1794799045524, '{"parsed":true,"codeVersion":"1"}', 'eeea05b9d713e629015c2068918f8a8e', 'f04b050073caabb87f783c2f5a15cb8d0d42d7b3f1fdb1f7a008a9945ee12efa', '9bf0736d4c616cedaffdb990133f1f008bc92f4042a15b0f306d44748e9fa678', 1794799045531, 2);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e25c-0b8b-7217-9d91-4ab65bbb4566', 3, '75a83b6f-2baa-4c86-827c-bb94dcc2fb92', 'StepStarted', 'answer', 1, 1, '607276efb00f0e448e2e23638180f579cb55546289a7de2cec5a01ca8db6430a', 1794799045530, '{"kind":"signal","name":"answer","digest":"6af44cf9a32d7a8596ddd574de00e2d0e036802c46e1f63c4dd7966c382e4c35","signal":"answer"}', '7d101e3fd418653fd8ae919eef6a15ab', 'dceb112ffea686cb985f2e6538a1dcbaae243a42fbb7730729bd23393d4ac085', 'd3cf2fd9761465035540d11e8284b76520598f4c7c2df5c41747fc5a5dd61314', 1794799045531, 2);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e25c-0b9f-74b4-ae55-18a429c5407d', 1, 'f9004ef0-b7c9-4753-90ee-bec65b22bef8', 'RunStarted', NULL, 1, 1, '620439c549a6562829c84f6449831da0f6a241e98323562802249e21e50540a1', 1794799045536, '{"parsed":true,"codeVersion":"1"}', 'ffe3ff18222a809c743e2c85c0703fd6', '396a9b5d567bcb06c181c38126daa7d2d1f4d151f8d236930d3383b6965acced', '99702a55a242c09c821d0fd842d49baad7289f41211c1596c493cf386a3418c5', 1794799045537, 1);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e25c-0b9f-74b4-ae55-18a429c5407d', 2, '89ab1f7f-23ab-4a22-a2cb-4accd1a2f5c1', 'StepStarted', 'one', 1, 1, 'b64a20235794a4e07c084a0b30affebd16971e57cda6b14837885a3d747df667', 1794799045536, '{"kind":"effect","name":"one","digest":"65ef844c98b3e85b70e6c5192d76d1b60a81a310e6ba93e27b447a5ad881c94b","class":"UNDECLARED"}', '29427289fe51a36ec1a940849ae0ea7f', '5164f4575e6c29fd2a1e91d3d371633989cd293bfcb8dd9ef82f320a6b54b571', 'eb4400efb585ca523ed4bf20d056b74a3e5d65243eca694f1ab2d9296b18093b', 1794799045537, 1);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e25c-0b9f-74b4-ae55-18a429c5407d', 3, '70152fb2-58e0-4cdd-875c-4face711df33', 'StepCompleted', 'one', 1, 1, 'dea667cf6ebc93f69ea193c6d56f1bc737e042eb6d655f350278acbe7f00315a', 1794799045538, '{"result":1}', '165667a2dd5b74ed5f16135ccf2c694b', '83dbf5a435ea76d62de5864610e4c790d7fff00f12724364006ab0884b2d5db8', '6282e38d83236fe72fee07b5600e76e797b28107514518489bd561cb8e2d3110', 1794799045539, 2);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e25c-0b9f-74b4-ae55-18a429c5407d', 4, '80fcfc99-14bc-4eef-88ff-44ede419fb88', 'StepStarted', 'two', 1, 1, '7d39cde3e9386bb9ed67b64c7ee4d0a0c8f0239d859c2d12d4844c606799515f', 1794799045538, '{"kind":"effect","name":"two","digest":"a98cec722f9d81d928ab82e4904c332bd488d86208c0d5a9e5abed5d03a2c30b","class":"REPEATABLE"}', 'd28e8f118618d836a1c4e1e02b88e8fe', 'be2ada60262009f75121de6dfbaae1f3a3c5f84ae97163910262374cc186c74e', 'f7c3a654430a7a2bd81d27796b8088fc033cd85cbdecfad35922e7b4021cf5fa', 1794799045539, 2);
insert into pawl_inbox (inbox_id, run_id, kind, name, id, payload, accepted_at, taken, consumed, wakes, reply, dedup_key) values (1, '01a1e25c-0b87-77fb-b849-8a63c408b4c0', 'signal', 'later', 'later-1', '"first"', 1794799045521, 1, 0, 0, NULL, 'sig:default:default:default:listening:later:later-1');
insert into pawl_inbox (inbox_id, run_id, kind, name, id, payload, accepted_at, taken, consumed, wakes, reply, dedup_key) values (2, '01a1e25c-0b87-77fb-b849-8a63c408b4c0', 'update', 'rename', 'rename-1', '"Ada"', 1794799045524, 1, 1, 0, '{"ok":true,"result":"renamed Ada"}', 'upd:default:default:default:listening:rename:rename-1');
insert into pawl_accepted (storage_key, accepted_at, expires_at, run_id, inbox_id) values ('sig:default:default:default:listening:later:later-1', 1794799045521, NULL, '01a1e25c-0b87-77fb-b849-8a63c408b4c0', 1);
insert into pawl_accepted (storage_key, accepted_at, expires_at, run_id, inbox_id) values ('upd:default:default:default:listening:rename:rename-1', 1794799045524, NULL, '01a1e25c-0b87-77fb-b849-8a63c408b4c0', 2);
insert into pawl_views (run_id, name, value) values ('01a1e25c-0b72-745a-a10c-9ca910085541', 'seen', '21');
insert into pawl_views (run_id, name, value) values ('01a1e25c-0b87-77fb-b849-8a63c408b4c0', 'name', '"Ada"');
