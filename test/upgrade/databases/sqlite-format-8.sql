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
, scope text, kind text not null default 'engine', works text) strict, without rowid;

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

CREATE TABLE pawl_queues (
  scope text not null,
  queue text not null,
  concurrency integer,
  rate_limit integer,
  rate_per_ms integer,
  rate_burst integer,
  tat_us integer not null default 0,
  aging_ms integer not null default 60000,
  paused text,
  version integer not null,
  primary key (scope, queue)
) strict, without rowid;

CREATE TABLE pawl_dispatches (
  dispatch_id integer primary key autoincrement,
  scope text not null,
  run_id text not null,
  seq integer not null,
  what text not null check (what in ('run', 'verify', 'undo')),
  step_id text not null,
  attempt integer not null,
  engine_attempt integer not null,
  queue text not null,
  task text not null,
  rank_at integer not null,
  held integer not null,
  spec text not null,
  enqueued_at integer not null,
  expires_at integer,
  timeout_ms integer,
  worker text,
  token text,
  claimed_at integer,
  deadline_at integer,
  beat text,
  cancel integer not null default 0,
  check ((worker is null) = (token is null))
) strict;

CREATE UNIQUE INDEX pawl_dispatches_seq on pawl_dispatches (run_id, seq, what);

CREATE INDEX pawl_dispatches_ready on pawl_dispatches (scope, queue, task, rank_at, dispatch_id) where worker is null and held = 0;

CREATE INDEX pawl_dispatches_claimed on pawl_dispatches (scope, queue) where worker is not null;

CREATE INDEX pawl_dispatches_held on pawl_dispatches (scope, queue) where worker is null and held = 1;

CREATE INDEX pawl_dispatches_worker on pawl_dispatches (worker, dispatch_id) where worker is not null;

CREATE INDEX pawl_dispatches_deadline on pawl_dispatches (deadline_at) where deadline_at is not null;

CREATE INDEX pawl_dispatches_expires on pawl_dispatches (expires_at) where expires_at is not null and worker is null;

CREATE TABLE pawl_snapshots (
  run_id text not null,
  at_seq integer not null,
  digest text not null,
  body text not null,
  primary key (run_id, at_seq)
) strict;

insert into pawl_meta (one, format, oldest_reader, oldest_writer, incarnation, store_id, identity) values (1, 8, 1, 8, 1, '21d47844-1da6-459e-9dd6-c9970d821137', '65024:2182151');
insert into pawl_engines (engine_id, lease_until, dead, serves, scope, kind, works) values ('01a1eafc-1b84-71bc-a42e-6338eb6874a9', 1794943763201, 1, '[{"workflow":"settled","version":"1"},{"workflow":"sleeping","version":"1"},{"workflow":"listening","version":"1"},{"workflow":"doubtful","version":"1"},{"workflow":"halfway","version":"1"},{"workflow":"child","version":"1"},{"workflow":"parent","version":"1"}]', 'default/default/default', 'engine', NULL);
insert into pawl_engines (engine_id, lease_until, dead, serves, scope, kind, works) values ('01a1eafc-3472-7534-bf01-98c19236e9ab', 1794943769826, 0, '[{"workflow":"settled","version":"1"},{"workflow":"sleeping","version":"1"},{"workflow":"listening","version":"1"},{"workflow":"doubtful","version":"1"},{"workflow":"halfway","version":"1"},{"workflow":"child","version":"1"},{"workflow":"parent","version":"1"}]', 'default/default/default', 'engine', NULL);
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, origin, expired_at, purged_at, error_code) values ('01a1eafc-1c2c-7508-b99d-97ce651a7ef3', 'default/default/default', 'doubtful', 1, 'doubtful', '1', 'RUNNING', 'decision', '01a1eafc-3472-7534-bf01-98c19236e9ab', 2, '3b75b4f9c513a40ae5cb4a345cf6bb6c', 3, '66b048fa-19f1-456a-99dc-6b470219091f', 5, 'edc0db0be94d34854df58f1c719ae8d9a24ce1ebd93c61e5814a3d473e56c30c', 1794943759624, NULL, 1794943753298, NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1eafc-1c2c-7508-b99d-97ce651a7ef3', NULL, NULL, 0, 0, 'engine', NULL, NULL, NULL);
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, origin, expired_at, purged_at, error_code) values ('01a1eafc-34c7-7693-a8d5-fccdfff8dd6e', 'default/default/default', 'settled', 1, 'settled', '1', 'COMPLETED', NULL, NULL, 1, '4e5d0cea2b2bb22966f2c132227d83bc', 2, 'bce6e89b-3675-48cb-9043-d20d9302cae2', 5, 'b9efae3e1792f4ebbf0039e7c484270849f2bbe3f1b553ad62a5660831894863', 1794943759646, NULL, 1794943759624, NULL, '{"kind":"kept"}', '6f4b6612125fb3a0daecd2799dfd6c9c299424fd920f9b308110a2c1fbd8f443', 'settled-once', NULL, '01a1eafc-34c7-7693-a8d5-fccdfff8dd6e', NULL, NULL, 0, 0, 'engine', NULL, NULL, NULL);
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, origin, expired_at, purged_at, error_code) values ('01a1eafc-352b-7085-bcc5-bf5261389951', 'default/default/default', 'sleeping', 1, 'sleeping', '1', 'RUNNING', 'timer', '01a1eafc-3472-7534-bf01-98c19236e9ab', 1, '43e5c24390e31d8902709bc234348eac', 2, '0c8ce0d0-351d-40ad-8eed-00ca74f2d355', 4, '0f306b0dc0546b67650dcea5c6d6b08c41d09b31777704657fb3c19f6711e0eb', 1794943759688, 1794943764688, 1794943759660, NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1eafc-352b-7085-bcc5-bf5261389951', NULL, NULL, 0, 0, 'engine', NULL, NULL, NULL);
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, origin, expired_at, purged_at, error_code) values ('01a1eafc-3546-72e9-b2a8-b3c87f9665e9', 'default/default/default', 'listening', 1, 'listening', '1', 'RUNNING', 'signal', '01a1eafc-3472-7534-bf01-98c19236e9ab', 1, 'b60f8ae3cac63be30aaafb75a7325bd9', 2, '2a0cfbb6-c39a-4b51-b2fd-7feb4f7649c7', 5, 'f498dfaabe123b2124cb227da972ae404792a67cdf1cc887269a93858d5f6e7d', 1794943759826, NULL, 1794943759688, NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1eafc-3546-72e9-b2a8-b3c87f9665e9', NULL, NULL, 0, 0, 'engine', NULL, NULL, NULL);
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, origin, expired_at, purged_at, error_code) values ('01a1eafc-3558-74ae-a56b-65e1b9df5e15', 'default/default/default', 'parent', 1, 'parent', '1', 'RUNNING', 'child', '01a1eafc-3472-7534-bf01-98c19236e9ab', 1, '37426a10a70d55d6b9b7b99d445e0895', 1, '95f88cdf-fe9d-44c9-83cc-6f35766e006b', 2, '803be543d0ff4a981ff5edaf0ea4842cd4212c4872a60a2432f460377bb6f0df', 1794943759706, NULL, 1794943759706, NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1eafc-3558-74ae-a56b-65e1b9df5e15', NULL, NULL, 0, 0, 'engine', NULL, NULL, NULL);
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, origin, expired_at, purged_at, error_code) values ('01a1eafc-3559-701e-ad84-8aefa7ad82d6', 'default/default/default', 'the-child', 1, 'child', '1', 'RUNNING', 'signal', '01a1eafc-3472-7534-bf01-98c19236e9ab', 1, '701179228a73a1db52ce245e5758eb6c', 2, 'e25e3920-a730-4b17-bc95-59f265a5426b', 3, 'af205abf6679bfea268250120d3f019b51170fd5737d988d70a155a8f7a7c4af', 1794943759826, NULL, 1794943759706, NULL, '{}', '66fb24cb21354877635a93dab77577d75c67408441b22f433c4c30e6506f15c3', NULL, NULL, '01a1eafc-3559-701e-ad84-8aefa7ad82d6', '01a1eafc-3558-74ae-a56b-65e1b9df5e15', 'child', 0, 0, 'engine', NULL, NULL, NULL);
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, origin, expired_at, purged_at, error_code) values ('01a1eafc-35e6-7040-865a-6a916a68997f', 'default/default/default', 'halfway', 1, 'halfway', '1', 'RUNNING', NULL, '01a1eafc-3472-7534-bf01-98c19236e9ab', 1, 'cc8bc68505be832fcdabe3691fae5e1d', 2, '70ac6e90-fcb3-41a9-a86d-62a284beb7e9', 4, '89c29bbb69197f43f4dc08c55e1cb31873e8a10860a9be68744ce6f77a1624f3', 1794943759856, 1794943759851, 1794943759851, NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1eafc-35e6-7040-865a-6a916a68997f', NULL, NULL, 0, 0, 'engine', NULL, NULL, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eafc-1c2c-7508-b99d-97ce651a7ef3', 1, '1f14ea2b-e427-4fe5-b357-9049baacc8ba', 'RunStarted', NULL, 1, 1, '943ad42695aee45fc260e47804801f5196538a14cbc6f5d5f853719a9f5820d1', 1794943753278, '{"parsed":true,"codeVersion":"1","from":"none","engine":"01a1eafc-1b84-71bc-a42e-6338eb6874a9"}', '54edf6df09dcc22d262e859338baeb92', '3099cf03d47559267344027c4d08669269d533a833c0bc5fb860233213adc79c', 'b1fd187807cf485b15d38fd7b32388292b76de5694716ea42f6a81c10ca77a8f', 1794943753298, 1, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eafc-1c2c-7508-b99d-97ce651a7ef3', 2, '3e35122f-d8b5-4a1f-ae99-13c5216d299d', 'StepStarted', 'order', 1, 1, 'c4724215f2e86678f8dab3ee179c9b391866945e390d2a2071e4140b09cd51ad', 1794943753281, '{"kind":"effect","name":"order","digest":"799d7256bcab06d415e9f017db67b402ee0091972b47d904f8ff7accea7f6687","class":"UNDECLARED"}', '603d0b16327e54dc501f48c84db3da0a', '05f548b7567a1b373f20443279f45e7f08ec4dcbe4a9e78468dcf6fd313289f0', '937db6304e6644af4d69a342050fc9534365e5e49531207cd081f250bc865823', 1794943753298, 1, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eafc-1c2c-7508-b99d-97ce651a7ef3', 3, 'd12fad9b-3144-4c83-bb1e-bdcf1f1ebd9a', 'StepCompleted', 'order', 1, 1, 'a93d139378a697eec2f98d8033632fdbb4b0bb7e433b0c39c74ed37f4f4ffd62', 1794943753327, '{"result":7}', '0784035afe0793651dd6bf19c5b4f5e4', 'c3e27bc8e073ecb01dcb3f7b92d549c4b99629819c2705634f3cbd4977d16dee', 'bd7a1a19a4688429653fadd4f82da9e75e505c51abd6174c9aa78ed46ff62c90', 1794943753338, 2, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eafc-1c2c-7508-b99d-97ce651a7ef3', 4, '4e274ae0-14a4-4f1a-a025-2d5e74dd6611', 'StepStarted', 'charge', 1, 1, 'e9c91148486c314442814c72366a575ab9a8f2cfa4c1e53bca204392b397b0ee', 1794943753337, '{"kind":"effect","name":"charge","digest":"2ec79112be9dddff500c39c27d48b690db462962e412c10028ff5eeaf2d040b9","class":"AT-MOST-ONCE","timeoutMs":60000}', '5d70d83ebc40e9eebb7401cb733658c4', '99c219435cfecd61b7da38e6800184f990279a49c672e85c3c80a2dcc678491f', 'f7aad654dd62337f02494055e76d330dbd00569e1ca84ad7085b1cd60c848d08', 1794943753338, 2, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eafc-34c7-7693-a8d5-fccdfff8dd6e', 1, 'f006abf2-b467-4d21-b085-1202cb9800b7', 'RunStarted', NULL, 1, 1, '0dc8a2849945c8fc76dfef77a731c1b6ca0b83b46401a850e3836c533370fe2e', 1794943759559, '{"input":21,"parsed":true,"codeVersion":"1","request":"f351952114dbc24faebe50a8d9d74873e8b8227323b2193a81c35e4441fa6314","from":"none","engine":"01a1eafc-3472-7534-bf01-98c19236e9ab"}', 'fcb86fae5cc22b4c9e3c680f969af75e', '9a33f8f3c1e6ca2266b6fd1bc9d454711418fccf10e67dd8474e98727447436d', '8dbc9d153eb2992eef10fd58fb6b5c57f65bce9446f4f7ea0d8982ae3b1cf5b1', 1794943759624, 1, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eafc-34c7-7693-a8d5-fccdfff8dd6e', 2, 'dba708dc-3c7c-4cde-ac55-30f32518ca2f', 'pawl.ViewPublished', NULL, 1, 1, '5670c522f7599d7b5285bcfd429f1f9867862f417dac5afcad9b2bb454ece69b', 1794943759586, '{"name":"seen","value":21}', '839eb1a292b2097c271ed3ad2e2b1246', 'f04e1e16478ee43946dc50a60159907db4290079ff04df7cee578143eb902614', '1cc4e0c6a312f6ea19af24daecea2d002ecbd7c4f01d2c1434cf02358eea5bff', 1794943759624, 1, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eafc-34c7-7693-a8d5-fccdfff8dd6e', 3, 'd56e8e69-3caa-44ae-a153-49bc35e829c6', 'StepStarted', 'double', 1, 1, '056b01b03c3ebedac61ebadd1948eb40976c85b57418e90c8fac56e8707fb309', 1794943759586, '{"kind":"effect","name":"double","digest":"ee9ff8738b77f6cb9c3d0cd45ac165bc9e65f949afd79b7dd809848242b0b772","class":"UNDECLARED"}', 'c3906b8ae2025e236cf554aaa73bd57e', 'fb5a442f4ae7b335a9008ec9e72473cc1337baee4a16b486e7ad53a20175c7c9', '2102bc976725ccb01f9e4cf0d972d92ae27d4000fc3056a1ae733f7ac8b5b597', 1794943759624, 1, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eafc-1c2c-7508-b99d-97ce651a7ef3', 5, 'cdc69f67-3150-4b0c-82ab-b3781041ea48', 'pawl.StepInDoubt', NULL, 1, 1, '77471bf535f6c5406cc48a7c272ecaefb0ba0d82c8b2909650edcfb91fa3e6d0', 1794943759622, '{"stepId":"charge","reason":"it began and nobody recorded how it ended","code":"PAWL2001"}', '560d50f189c99faea20f54ef38fb1abf', 'de821a156b57426bd39a0cb58d0c1c487105e95290f40573b39b9ccbbc85c74c', 'edc0db0be94d34854df58f1c719ae8d9a24ce1ebd93c61e5814a3d473e56c30c', 1794943759624, 3, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eafc-34c7-7693-a8d5-fccdfff8dd6e', 4, '6c464aba-b190-421a-aca4-a2b341a3c890', 'StepCompleted', 'double', 1, 1, '3b9c2cc1fd652a508656b31accfdce2ead316bdc537c9e6f3cb0e03b2934def3', 1794943759632, '{"result":42}', 'bb192b5fd1886bddeb01d348fb3ec924', '025f6b7093a971abe4063a524427fcdc0250608ff1535004c0cd658c2f83e506', 'df5c64a8c0c6f9855a1a115d5f8610467014a6294ad07860eab06acd395f0e70', 1794943759646, 2, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eafc-34c7-7693-a8d5-fccdfff8dd6e', 5, '39d6e803-2a87-4491-b866-e28d05b59d4b', 'RunCompleted', NULL, 1, 1, '5a3535d3a5b62bf14cc1e5c97b3a8f807f623d1e3863a7a96a0940bd44dee96a', 1794943759644, '{"result":42,"from":"RUNNING","engine":"01a1eafc-3472-7534-bf01-98c19236e9ab","settledAt":1794943759644}', '1f9f8c30aa3adeb3e60ceefc3007c71b', '97fe17a95a30d788396c573790faa9b9108ae73bba007acb03ca976e5ab247f0', 'b9efae3e1792f4ebbf0039e7c484270849f2bbe3f1b553ad62a5660831894863', 1794943759646, 2, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eafc-352b-7085-bcc5-bf5261389951', 1, 'd5569961-94ac-479a-8336-bd716113669a', 'RunStarted', NULL, 1, 1, 'a78635195b8b246521e20045829adc7105dc56795b82944ce026ae69b9572772', 1794943759658, '{"parsed":true,"codeVersion":"1","from":"none","engine":"01a1eafc-3472-7534-bf01-98c19236e9ab"}', '6dc1fbdaf50eb530abfd1a16b1a55f7c', 'c07cb375a1e9216cef44ed6c7e890001f086dcf5ab6189790ee34935b8ee7cdd', 'f73c8ddf86dde949c4bb7369bf74df09786d06ff06b44cd3882e8da797f84772', 1794943759660, 1, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eafc-352b-7085-bcc5-bf5261389951', 2, '64967b0b-99e4-4a2f-a32f-4f44f0e90361', 'StepStarted', 'before', 1, 1, 'f47b0f70f9a52ca20f76788128aee1988549560b6fdbe4b288f7493b9b184e2c', 1794943759658, '{"kind":"effect","name":"before","digest":"05bfe291a21a0d1f5f4657f5211cbe8150d540997b33667c9d3ea79321335833","class":"UNDECLARED"}', '952c9469a8902dfc0377dd924efd9333', '15ecf478bf4ee622def52ea5b496b2365e61f65cd52b92244e663e164cff9772', '1a821f4c43c6363a6c81b0eb75424a53b0ca9fbc7fbe1aa6e97622ec3df91c7f', 1794943759660, 1, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eafc-352b-7085-bcc5-bf5261389951', 3, 'd9c36338-ea48-4db4-b807-e095b30fe4b1', 'StepCompleted', 'before', 1, 1, 'e1ece37b888e7e66f3080a92fa0b82ea41076c0e787e48bfb4aca7db27908183', 1794943759685, '{"result":"slept"}', 'b4b8a0638f15cd53f2720b6135887b98', '874de6f1f135c985b78d0fca3faec3a474812d6eb76520db4ff3c0ff39d39ec5', '480bf0589e1c3362ee96e3ed22b09162b380f75f965bb430fe2235311ac3cefd', 1794943759688, 2, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eafc-352b-7085-bcc5-bf5261389951', 4, '173bbecb-af95-4836-983e-cb25c7ee0659', 'StepStarted', 'nap', 1, 1, 'c4df4e642364e61b4e31f06a3de2dd4b06cba96c9ec472289c55c549b9e83e82', 1794943759686, '{"kind":"timer","name":"nap","digest":"538b904f34061c9af68dfac9bc3e3f2aa12c8f0274ac1a58dec9793584cd778e","delayMs":5000}', '47297b4fe1c3e08fd2b88e5f7625664c', 'fe9e4ea30665881705497ba1822ca1b872fba3d62a06b847e28e30c0c5ef2907', '0f306b0dc0546b67650dcea5c6d6b08c41d09b31777704657fb3c19f6711e0eb', 1794943759688, 2, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eafc-3546-72e9-b2a8-b3c87f9665e9', 1, '4ca3ec72-2448-4160-912e-c2ec5c34b54d', 'RunStarted', NULL, 1, 1, '4028d36bf9139dc119be59c514c2b81a7d5ef825de533d39352876030e0b190e', 1794943759685, '{"parsed":true,"codeVersion":"1","from":"none","engine":"01a1eafc-3472-7534-bf01-98c19236e9ab"}', '5e0f040326ec8abfef9957ea4c905dd8', 'f282a971b4085e3cab30be00a6ebe2ae10094f4c39a02b834871da7a96019009', 'ca8dc6872aaba73692e97dfc657581beb35798931f3810c01f9d6d8e30909775', 1794943759688, 1, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eafc-3546-72e9-b2a8-b3c87f9665e9', 2, '4d6e1634-324b-4afe-ac35-d79c3a4f502b', 'StepStarted', 'go', 1, 1, '5c202ca7304d298468ec9337df1d3ccd51ee80072dec1071dd05f63c397e2677', 1794943759687, '{"kind":"signal","name":"go","digest":"3f5b2441e270ad2f461312a47e3f1f735c673b3b83fdb595499e9ce0c6e46d28","signal":"go"}', '0bbe0021c5ce943c60379600e80554ce', 'd11fcf7f205113cc992e83fa0549d633d39d16e0920d21e8bc3dc11834c978f3', 'fcb178d0fd84726ed5f9901fe4136b4b13ae0766ac6d9fa6c39543b1dfc1d4dd', 1794943759688, 1, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eafc-3558-74ae-a56b-65e1b9df5e15', 1, '0cf3f933-228f-4dbb-9948-ad13662777f6', 'RunStarted', NULL, 1, 1, '551c8d05a20d042aa517aa9f9db9d2aa3988225f5255f8cee0e885d18e46c998', 1794943759703, '{"parsed":true,"codeVersion":"1","from":"none","engine":"01a1eafc-3472-7534-bf01-98c19236e9ab"}', '0f00d2860d0665dbe6708e029533955f', 'c5ba6baf0c99d0b082c65f73e3ec039c8f336da39a8bf5d9c2c97f1f0698d024', 'fa0bb9e0bd924bad63672cb38eccbd47c4920425ccb7503e6f75d43b15c3f077', 1794943759706, 1, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eafc-3558-74ae-a56b-65e1b9df5e15', 2, '85d395db-b4f4-4c59-80e1-0a71aa4a4df1', 'StepStarted', 'child', 1, 1, 'ef85c81e8bf4398b0085bd93fee2cda06d6a3c1c78f84976412f84b6ae9e4410', 1794943759704, '{"kind":"child","name":"child","digest":"117651691b2a9336f86f4d9b0d54adbaae27db196460c3c4d8f700218d6505ed","child":{"runId":"01a1eafc-3559-701e-ad84-8aefa7ad82d6","workflowId":"the-child","workflow":"child"},"input":{"$pawl":"undefined"}}', '913b057ddcaf323534290f3ea63c09a6', 'fcc7c4d90980e7b0a59b6b16e304f4c909ac52ba5755ffde6c675a454a66efb6', '803be543d0ff4a981ff5edaf0ea4842cd4212c4872a60a2432f460377bb6f0df', 1794943759706, 1, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eafc-3559-701e-ad84-8aefa7ad82d6', 1, '59739272-2e8d-4c94-989a-150fa16851b7', 'RunQueued', NULL, 1, 1, '7ed994e8aa484247967a0f2984f49e595c36eb4f8d56f26fc9a812977d024ae4', 1794943759704, '{"input":{"$pawl":"undefined"},"engine":"01a1eafc-3472-7534-bf01-98c19236e9ab"}', '4e77b685202cf65c65c0dd5eb2031777', '65b95bec9c6f86d67f3c21eed7a13ab240a4478e0c75ec7daf91b00aacb02121', 'fb91bf594bdceb8769b35d174cb5d290e9dfe2098d05664fb6d25ca020b80549', 1794943759706, 1, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eafc-3559-701e-ad84-8aefa7ad82d6', 2, 'bbcd4968-48f5-4166-87cb-5b0740a0149e', 'RunStarted', NULL, 1, 1, 'f275436b08a4fbcb037c83ded11fcca62cf4288d0920d78d9d2e45c3e466fbbd', 1794943759797, '{"parsed":true,"codeVersion":"1","from":"PENDING","engine":"01a1eafc-3472-7534-bf01-98c19236e9ab"}', '67c6dc5e4490b3e7360eb665504cc1ca', '617879869700757f48f40e8308ccee23c360648d52d816dfc2484e000da9bc20', '99f3cbdd30f02cb8c81ccbf469ab7500274f6e33c84b4265019c2f7015bf0326', 1794943759826, 2, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eafc-3559-701e-ad84-8aefa7ad82d6', 3, 'f0e6e13a-f5c4-4f36-8514-26955d78bb3a', 'StepStarted', 'answer', 1, 1, '133a2d83a219ef4d694d0beb0d65823f01bacba9e9411262acb6fcba34cc2ab4', 1794943759824, '{"kind":"signal","name":"answer","digest":"6af44cf9a32d7a8596ddd574de00e2d0e036802c46e1f63c4dd7966c382e4c35","signal":"answer"}', 'b4fe5bb0f465bdc0f6690ec56c0b2838', 'a746425ada1dd6eec4233a1e06a547b8655f4924d84880775fc43e2bcb9c0054', 'af205abf6679bfea268250120d3f019b51170fd5737d988d70a155a8f7a7c4af', 1794943759826, 2, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eafc-3546-72e9-b2a8-b3c87f9665e9', 3, 'a7d11638-b332-4c49-990d-aceeb59d8b8d', 'pawl.UpdateAccepted', NULL, 1, 1, 'c31d48581264e24c2a34535e9b5201acff7fa479efe78edb07acc8b513f920b6', 1794943759819, '{"updateId":"rename-1","name":"rename","inboxId":2,"input":"Ada"}', 'e5c3c2e51e37faaa953adb0255a0e407', '6a6de2e756d534edcb885fb8929191659f4bf09e03a578c065376dec3409a8d6', '04ae75c933922c03840feb46b8803d993ef0fd4240894f6b1b900bce01fa35e4', 1794943759826, 2, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eafc-3546-72e9-b2a8-b3c87f9665e9', 4, 'a6b4ef81-3f8f-4571-91cd-e00eb114c349', 'pawl.ViewPublished', NULL, 1, 1, 'a082df49c3a92848124094d490c1751b79dca77e38e0226f2b37967116603b85', 1794943759824, '{"name":"name","value":"Ada"}', 'd3d65b00d5e2597224801173c5e827bb', 'a6d76b06484a3be4949d796918674c3e613295b5bdcf541387cb71a68e2d1682', 'ea7bb9aebff6fede3a8598fdedabdfd0d1307f906daf0810a54ad4bc73156dba', 1794943759826, 2, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eafc-3546-72e9-b2a8-b3c87f9665e9', 5, '461d11a0-9d15-4a10-ac2f-c0e36185e16d', 'pawl.UpdateCompleted', NULL, 1, 1, 'a8c6e49be755580efa067a3cf90a9b095bf47a2cade87770a5d317b59a96bb63', 1794943759824, '{"updateId":"rename-1","answer":{"ok":true,"result":"renamed Ada"}}', '82d5a50ec745a9ca07ace10e01d68766', 'ef4039940b2322cd1d090ada5716ed34adcfea9713238b564d7d89a50a88a10b', 'f498dfaabe123b2124cb227da972ae404792a67cdf1cc887269a93858d5f6e7d', 1794943759826, 2, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eafc-35e6-7040-865a-6a916a68997f', 1, '1fb3e33a-30aa-45f6-9f62-aad7fa60bb6a', 'RunStarted', NULL, 1, 1, '5e871d28aa2db4c306fcba1be6aa7bcf5309ebacadfd052e07d248c9fb988f11', 1794943759845, '{"parsed":true,"codeVersion":"1","from":"none","engine":"01a1eafc-3472-7534-bf01-98c19236e9ab"}', '7cf9b3d39dc99ddda93ea71583303708', 'ef3f07ee9abb0fcfb9d3e0df85d27ff0da11f1c6ad7ce8f6e735dd7cf173d9e1', 'eb93d63d6fc398bb96e7f6e04000ddce287a0a33ef994d4b4f1c66bf6d846fdb', 1794943759851, 1, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eafc-35e6-7040-865a-6a916a68997f', 2, '3ecc86c7-f58a-4feb-81a9-3bc59fc6baff', 'StepStarted', 'one', 1, 1, '124241f0a16723b1aecbf7f44a9951414591f9f48136fd08b2d66f12dd97f173', 1794943759850, '{"kind":"effect","name":"one","digest":"65ef844c98b3e85b70e6c5192d76d1b60a81a310e6ba93e27b447a5ad881c94b","class":"UNDECLARED"}', 'd59c52443a721952117ba2bcd44228f7', '2ce406a47981ae3869db9d86aab6a0c664909e49d2430930647850096bc49907', '7ee49568b7eb78d79f674463e7fc8ea404058f45e120304572622ea3b8c99a7a', 1794943759851, 1, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eafc-35e6-7040-865a-6a916a68997f', 3, 'b7fcd740-d946-415a-8580-31442b54a892', 'StepCompleted', 'one', 1, 1, 'd85a1b4a98ac62822cd58bcf34a811d24b7523294cd0dfce3375ede7fb5543ab', 1794943759854, '{"result":1}', '51a3352fdc088f121d8af8c15a175434', 'e6754c72130d9547d71b11bf8ef5803b7559a4ccb18a8555fc25aef2d89974e2', '31d6ed3665c3077bdb1a272b9567ade6e8ad4d1f24ccefe203529aa6ca1fa61b', 1794943759856, 2, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eafc-35e6-7040-865a-6a916a68997f', 4, '2a13c070-8a77-441f-afc0-8e785737900b', 'StepStarted', 'two', 1, 1, '0f762ded2dfe5b192525f7f1c3ac861d0a170aba1a1954ef5760dcac067f3742', 1794943759854, '{"kind":"effect","name":"two","digest":"a98cec722f9d81d928ab82e4904c332bd488d86208c0d5a9e5abed5d03a2c30b","class":"REPEATABLE"}', '8a21bd6c8e083c9aec1838d6734227ea', '23d076b692f57e10b03856b129995e113c8dedd67facc395c7ba90f1513e67aa', '89c29bbb69197f43f4dc08c55e1cb31873e8a10860a9be68744ce6f77a1624f3', 1794943759856, 2, NULL);
insert into pawl_inbox (inbox_id, run_id, kind, name, id, payload, accepted_at, taken, consumed, wakes, reply, dedup_key, sent_by, payload_digest, rejected) values (1, '01a1eafc-3546-72e9-b2a8-b3c87f9665e9', 'signal', 'later', 'later-1', '"first"', 1794943759753, 1, 0, 0, NULL, 'sig:default:default:default:listening:later:later-1', NULL, 'de5f2cbf4c10a0d146f2a671aac363e8640fefc469ad42ac25364f19e4bc194f', NULL);
insert into pawl_inbox (inbox_id, run_id, kind, name, id, payload, accepted_at, taken, consumed, wakes, reply, dedup_key, sent_by, payload_digest, rejected) values (2, '01a1eafc-3546-72e9-b2a8-b3c87f9665e9', 'update', 'rename', 'rename-1', '"Ada"', 1794943759800, 1, 1, 0, '{"ok":true,"result":"renamed Ada"}', 'upd:default:default:default:listening:rename:rename-1', NULL, 'a39afeed7d3319213be7a235840b3c6d3f09f2810b9c91779f34572b6b36832a', NULL);
insert into pawl_accepted (storage_key, accepted_at, expires_at, run_id, inbox_id, version, response) values ('sig:default:default:default:listening:later:later-1', 1794943759753, NULL, '01a1eafc-3546-72e9-b2a8-b3c87f9665e9', 1, 1, '{"accepted":true,"workflowId":"listening","signalName":"later","signalId":"later-1","acceptedAt":"2026-11-17T19:29:19.753Z","signalStorageKey":"sig:default:default:default:listening:later:later-1"}');
insert into pawl_accepted (storage_key, accepted_at, expires_at, run_id, inbox_id, version, response) values ('upd:default:default:default:listening:rename:rename-1', 1794943759800, NULL, '01a1eafc-3546-72e9-b2a8-b3c87f9665e9', 2, 1, '{"accepted":true,"workflowId":"listening","signalName":"rename","signalId":"rename-1","acceptedAt":"2026-11-17T19:29:19.800Z","signalStorageKey":"upd:default:default:default:listening:rename:rename-1"}');
insert into pawl_views (run_id, name, value) values ('01a1eafc-34c7-7693-a8d5-fccdfff8dd6e', 'seen', '21');
insert into pawl_views (run_id, name, value) values ('01a1eafc-3546-72e9-b2a8-b3c87f9665e9', 'name', '"Ada"');
insert into pawl_effects (run_id, seq, version, scope, workflow_id, step_id, name, class, key, args_digest, status, phase, attempts, engine_attempts, error, event_seq, created_at, updated_at, receiver) values ('01a1eafc-1c2c-7508-b99d-97ce651a7ef3', 4, 1, 'default/default/default', 'doubtful', 'charge', 'charge', 'AT-MOST-ONCE', 'pawl-59bead539cf52b57763e238bb2f4bf293df9b151024e8bda969649ec9581c91a', NULL, 'indeterminate', 'doubt', 1, 1, '{"code":"PAWL2001","reason":"it began and nobody recorded how it ended"}', 5, 1794943753338, 1794943759624, NULL);
insert into pawl_shelves (shelf, key, value, version, at) values ('messages:default/default/default', 'child/1', '{"workflow":"child","version":"1","input":{"name":"input","schema":{},"whole":true},"signals":[{"name":"answer","schema":{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"number"},"required":true,"whole":true}],"updates":[],"views":[]}', 1, 1794943753134);
insert into pawl_shelves (shelf, key, value, version, at) values ('messages:default/default/default', 'doubtful/1', '{"workflow":"doubtful","version":"1","input":{"name":"input","schema":{},"whole":true},"signals":[],"updates":[],"views":[]}', 1, 1794943753134);
insert into pawl_shelves (shelf, key, value, version, at) values ('messages:default/default/default', 'halfway/1', '{"workflow":"halfway","version":"1","input":{"name":"input","schema":{},"whole":true},"signals":[],"updates":[],"views":[]}', 1, 1794943753134);
insert into pawl_shelves (shelf, key, value, version, at) values ('messages:default/default/default', 'listening/1', '{"workflow":"listening","version":"1","input":{"name":"input","schema":{},"whole":true},"signals":[{"name":"go","schema":{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"string"},"required":true,"whole":true},{"name":"later","schema":{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"string"},"required":true,"whole":true}],"updates":[{"name":"rename","schema":{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"string"},"required":true,"whole":true}],"views":[{"name":"name","schema":{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"string"},"required":true,"whole":true}]}', 1, 1794943753134);
insert into pawl_shelves (shelf, key, value, version, at) values ('messages:default/default/default', 'parent/1', '{"workflow":"parent","version":"1","input":{"name":"input","schema":{},"whole":true},"signals":[],"updates":[],"views":[]}', 1, 1794943753134);
insert into pawl_shelves (shelf, key, value, version, at) values ('messages:default/default/default', 'settled/1', '{"workflow":"settled","version":"1","input":{"name":"input","schema":{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"number"},"required":true,"whole":true},"signals":[],"updates":[],"views":[{"name":"seen","schema":{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"number"},"required":true,"whole":true}]}', 1, 1794943753134);
insert into pawl_shelves (shelf, key, value, version, at) values ('messages:default/default/default', 'sleeping/1', '{"workflow":"sleeping","version":"1","input":{"name":"input","schema":{},"whole":true},"signals":[],"updates":[],"views":[]}', 1, 1794943753134);
insert into pawl_shelves (shelf, key, value, version, at) values ('pawl.clock', 'store', '{"boot":"4871b9bc-6f92-4506-8287-242a7f111583","offset":1794941451959.2092,"at":1794943753077,"uptime":2301117.8798189997}', 1, 1794943753077);
