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
  receiver text, worker text check (status in ('completed', 'failed', 'cancelled', 'timed-out', 'indeterminate')
  and phase in ('queued', 'dispatched', 'retrying', 'doubt', 'settled')),
  primary key (run_id, seq)
) strict;

CREATE INDEX pawl_effects_key on pawl_effects (scope, key) where key is not null;

CREATE INDEX pawl_effects_doubt on pawl_effects (scope) where phase = 'doubt';

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

CREATE TABLE "pawl_runs" (
  run_id text primary key,
  scope text not null,
  workflow_id text not null,
  generation integer not null,
  workflow text not null,
  version text not null,
  status text not null check (status in ('PENDING', 'RUNNING', 'PAUSED', 'COMPLETED', 'FAILED', 'CANCELLED')),
  waiting text check (waiting in ('timer', 'signal', 'child', 'retry', 'worker', 'decision', 'drain')),
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
  purged_at integer,
  error_code text
) strict, without rowid;

CREATE UNIQUE INDEX pawl_runs_generation on pawl_runs (scope, workflow_id, generation);

CREATE UNIQUE INDEX pawl_runs_start_key on pawl_runs (scope, idempotency_key) where idempotency_key is not null;

CREATE INDEX pawl_runs_due on pawl_runs (owner, scope, workflow, version, due_at) where due_at is not null;

CREATE INDEX pawl_runs_newest on pawl_runs (scope, created_at, run_id);

CREATE INDEX pawl_runs_decision on pawl_runs (scope, created_at) where waiting = 'decision';

CREATE INDEX pawl_runs_unusual on pawl_runs (scope, created_at, run_id) where status in ('FAILED', 'CANCELLED', 'PAUSED');

CREATE INDEX pawl_runs_parent on pawl_runs (parent_run_id, created_at, run_id) where parent_run_id is not null;

CREATE INDEX pawl_effects_worker on pawl_effects (scope, worker) where worker is not null;

insert into pawl_meta (one, format, oldest_reader, oldest_writer, incarnation, store_id, identity) values (1, 8, 1, 8, 1, '49cb6ead-d7bc-4b5b-9b34-f9675609b5c5', '65024:2687448');
insert into pawl_engines (engine_id, lease_until, dead, serves, scope, kind, works) values ('01a1eda2-cf19-7184-9e44-032d502443c6', 1794988242487, 1, '[{"workflow":"settled","version":"1"},{"workflow":"sleeping","version":"1"},{"workflow":"listening","version":"1"},{"workflow":"doubtful","version":"1"},{"workflow":"halfway","version":"1"},{"workflow":"child","version":"1"},{"workflow":"parent","version":"1"}]', 'default/default/default', 'engine', NULL);
insert into pawl_engines (engine_id, lease_until, dead, serves, scope, kind, works) values ('01a1eda2-d6f8-7501-af2d-59b0a33a0523', 1794988244493, 0, '[{"workflow":"settled","version":"1"},{"workflow":"sleeping","version":"1"},{"workflow":"listening","version":"1"},{"workflow":"doubtful","version":"1"},{"workflow":"halfway","version":"1"},{"workflow":"child","version":"1"},{"workflow":"parent","version":"1"}]', 'default/default/default', 'engine', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eda2-cf3b-757c-9565-7439e642f01b', 1, '0abc4845-8c98-44eb-a4e8-ff90956ef9c8', 'RunStarted', NULL, 1, 1, '0096551232fc119853860014b57c1de0e922e520699f679c84cc54c3794fa800', 1794988232508, '{"parsed":true,"codeVersion":"1","from":"none","engine":"01a1eda2-cf19-7184-9e44-032d502443c6"}', 'd9c6738f086ef7ef32c28db016f61ed1', '1a86e21685565f2a51fa65fc4758f38bd8fc6750f70303c5a8dba241e28e6b58', '07a649b3e597f71412d04a0191b8f1ff7903215e544b11cc950ea19006f30982', 1794988232522, 1, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eda2-cf3b-757c-9565-7439e642f01b', 2, '08730e84-5ef5-41f4-a956-4a34c58e1306', 'StepStarted', 'order', 1, 1, '283ce9bdd16aba3d424dbb793ddf70b0c173c59faa6eae401eb9dd8f9fa64d3f', 1794988232519, '{"kind":"effect","name":"order","digest":"799d7256bcab06d415e9f017db67b402ee0091972b47d904f8ff7accea7f6687","class":"UNDECLARED"}', 'd9f30d659170425fdb3535014c3e5f55', '2d90bb296674fdbe5b8081790db8d42f4768782858fcf6d60268da6512957033', '9aed031856f054e347a8b26c49f0af8106ff96f081972b6618fa7e6f4d818ded', 1794988232522, 1, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eda2-cf3b-757c-9565-7439e642f01b', 3, 'eb97c9f5-2fff-4a73-82b7-8e53e771d13a', 'StepCompleted', 'order', 1, 1, 'a89cf2fff001685adf4449b34b65f031a6dd9c139855b1a12d14046fd36b56d2', 1794988232530, '{"result":7}', 'a9eb9124d07c1fc8de00ecbfa6d1014c', '576a863d539e3f2e07ef3ee4664b583ba9b559dcb243a06c45ab323c0973a905', '72eb813bbdde51ab498322f67258fbd162ddd84cfaaf3499f9795275ed04b9ed', 1794988232533, 2, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eda2-cf3b-757c-9565-7439e642f01b', 4, 'b9cf5b00-9818-4a6a-8305-f3fe3dbbe009', 'StepStarted', 'charge', 1, 1, '3d2f23397f37714d59a776dd5fe88e165085fb60b76803c93acb8bd35e522d50', 1794988232532, '{"kind":"effect","name":"charge","digest":"2ec79112be9dddff500c39c27d48b690db462962e412c10028ff5eeaf2d040b9","class":"AT-MOST-ONCE","timeoutMs":60000}', '12da4b9a2b7d089664dd1851bf1866e3', '2d29a2ecc819af3a7564d5ff361a55a1d05062563dbdc8351ba609f289ee1050', '325515addb94cba971039cbd109c2fb67d8dfa6d3e8476c50ec288cdcfb5bd9e', 1794988232533, 2, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eda2-d712-7576-93ec-92a4819271ee', 1, '0a503ca5-34b9-4b18-a3e8-738c0e658500', 'RunStarted', NULL, 1, 1, 'd52ba89d1efea315ec459d8485c0267f994d8bb48a2073f0cfcf532e809f9f83', 1794988234518, '{"input":21,"parsed":true,"codeVersion":"1","request":"f351952114dbc24faebe50a8d9d74873e8b8227323b2193a81c35e4441fa6314","from":"none","engine":"01a1eda2-d6f8-7501-af2d-59b0a33a0523"}', '3b64c345a4f3e9ee0d41387edde34ee7', '1e8b1dbbb6765fcda62e28d95957e271c56fb864724203fb7baa6115efea531f', '08ed1c17634ec03fb1346593827c388e5a03b6fc7702bfc4f94d8402cf664093', 1794988234539, 1, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eda2-d712-7576-93ec-92a4819271ee', 2, '2fcea59a-3b94-4ffe-a336-4be92b555322', 'pawl.ViewPublished', NULL, 1, 1, '09e49df7474beb852b2f94c76f0825888094d46f84dcea4626c3fa7280bf3f7e', 1794988234522, '{"name":"seen","value":21}', '98cce839b54490cea9cce4c752b9c918', '283da8292c5f0f715c81441a538664862f789632f75b8e3f190a98e56b79490e', '5929ad43d1780e30bce88ee0dec65c8df0fd298499fd09091ae8774449570995', 1794988234539, 1, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eda2-d712-7576-93ec-92a4819271ee', 3, 'aac13734-4e44-4334-b889-c7e207bba428', 'StepStarted', 'double', 1, 1, '89dcfbbbfc46a81c17041d1b92eef47e5df86538961109c13571d0073ae9bfd7', 1794988234523, '{"kind":"effect","name":"double","digest":"ee9ff8738b77f6cb9c3d0cd45ac165bc9e65f949afd79b7dd809848242b0b772","class":"UNDECLARED"}', '9f558fd34e6a3848d8fdaafff032009f', '56b05d4c5c015552f051ec19427bd92db69458767ebed9734ce6e499a17d2931', '727212449ead54c6eb1f5d341619f30866651e92ee0c1deae6db682680062cc6', 1794988234539, 1, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eda2-cf3b-757c-9565-7439e642f01b', 5, 'a0032765-9548-4d79-b48f-6e0ac70e7eee', 'pawl.StepInDoubt', NULL, 1, 1, '4641cd25bf6414bd49dbdb24296c2f5b03051c4cf70b213519a86f36b1eb565e', 1794988234537, '{"stepId":"charge","reason":"it began and nobody recorded how it ended","code":"PAWL2001"}', '762348d3220fca7624dc70e4389d0857', '31a318e2c1e3db2dfa55526acf5403b19a288a297f39b2b48173a4d0cc5be6e3', '8707411475d01f41f6b5c7646b652ed1bd32cf287b6f48020b4dc53d39cfc566', 1794988234539, 3, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eda2-d712-7576-93ec-92a4819271ee', 4, '007912da-b0e2-4a68-9f82-5b201c1d5df0', 'StepCompleted', 'double', 1, 1, '3ffe69513e6cc702e505e59be52d546b70391a0767ba3f77c542ab4ce34d47ef', 1794988234542, '{"result":42}', 'c840878ee316c6069ce7f87e7a40065b', '613fcd657836e4479893199e6c74cb48936ee1ad759e85a0b438751fcf7ff6f3', 'e78d62e1569f5654b4e4858604446eeffb0b4e498ef06a461251fa5c299d41a0', 1794988234545, 2, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eda2-d712-7576-93ec-92a4819271ee', 5, '1846acb7-58a7-4866-9e3a-58d98ef89664', 'RunCompleted', NULL, 1, 1, '885999f4a1104d1f6e45bf75fca26ad1c87362f7f5be5080a03aac8161a67289', 1794988234544, '{"result":42,"from":"RUNNING","engine":"01a1eda2-d6f8-7501-af2d-59b0a33a0523","settledAt":1794988234544}', '68fa7a92d4d179d49124c16ebf191292', 'c10bdc9fe8afc89b6bc036ed6cf06f5975e64c2dc645b60dd4c5121f5a37bf6a', '2f11c09551fe5937c619f22fab51be1344624815561ffb1f436fe76e86f81a38', 1794988234545, 2, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eda2-d734-7609-9697-e6f450d7a2ac', 1, '6dd07ced-941d-4bcf-8c5f-45ccbaf13e21', 'RunStarted', NULL, 1, 1, '1f5aae951737739dce597a6dc59345d8197611074a8bdebe1d399932cef3051d', 1794988234548, '{"parsed":true,"codeVersion":"1","from":"none","engine":"01a1eda2-d6f8-7501-af2d-59b0a33a0523"}', 'bcb7710e848054798616640ddaa5c9c4', '68ee0bd337b75120aa462699e5be17522b815e19e21e70f5628f8f3a4df37489', '9644c0369fbc670ee92ea1729d8cd8750636677fe8e28ca960ebf571be56e967', 1794988234552, 1, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eda2-d734-7609-9697-e6f450d7a2ac', 2, '6fee4fb4-e4b9-442e-9c38-70a355b05197', 'StepStarted', 'before', 1, 1, '599194c9030b81efd41621b33468fafefab1ab7062d2c640a704c0da2bfbae89', 1794988234549, '{"kind":"effect","name":"before","digest":"05bfe291a21a0d1f5f4657f5211cbe8150d540997b33667c9d3ea79321335833","class":"UNDECLARED"}', '780a05791ffa52f10280e1a3b71ed45b', 'f30a4d4050d8e2e11df8ea0f42dd47459b24b5d1ced7977910ee63ad3ba0ffaa', 'ca1361f2755c08dc5efa3cf54dc76a6aad4a489e1cc75d56fc3bdd42cc71b207', 1794988234552, 1, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eda2-d734-7609-9697-e6f450d7a2ac', 3, 'ea1f3a39-8014-4e5a-bf6e-352d5e012eba', 'StepCompleted', 'before', 1, 1, 'ae0359b7c3129adfbe22278150123b6b26eb7012eefd1ec788acc84c06c5eafe', 1794988234555, '{"result":"slept"}', '9cd1864da4a66d25d6c47e17be3598f9', '9de3f4d7ebc6f8443b96f80a9031c5e4a141cdc274af1a33a9533425bfec7857', '7e2b58df66947c4c4d4f2732f617b24f48b07472b0c4be60dfafc046e717ceeb', 1794988234558, 2, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eda2-d734-7609-9697-e6f450d7a2ac', 4, 'c285ee0e-0bd7-4aba-aa72-4ebe50efb04d', 'StepStarted', 'nap', 1, 1, 'f7a97b9cc23c5e8bd75d7924a7ab8c2191d97181790ff9505f1aad46f6103d80', 1794988234556, '{"kind":"timer","name":"nap","digest":"538b904f34061c9af68dfac9bc3e3f2aa12c8f0274ac1a58dec9793584cd778e","delayMs":5000}', '29bbcce9078ab8f4ef487c86e83e450a', '190d152dd43cc53508134b8aa0c4dc8fcab8e7b70da45b4f5d4b1ed0ca307a44', '0f7d5c177d6ea4570ed0ed42db9a4e8bb6c6432d93e03c78250cc22d0e4849c6', 1794988234558, 2, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eda2-d73c-777e-8873-1d78e591eab9', 1, '9eb4fa99-0116-45a4-84c7-00ac5a46facb', 'RunStarted', NULL, 1, 1, '071d02d3412e066f8a2e0c18d8877effb616630adf9b703fb2ca9672b58a7d42', 1794988234556, '{"parsed":true,"codeVersion":"1","from":"none","engine":"01a1eda2-d6f8-7501-af2d-59b0a33a0523"}', 'de53f4965b1420adab98742da1cb7225', '54b911cd863c795b2f2a2ef957f811b96db3655b8eef5f2f1b39f574537fb67b', '9f92c014719d139249f128fd063b4ba1fc63145851cc7a34d19a6e3bf2c6a2f9', 1794988234558, 1, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eda2-d73c-777e-8873-1d78e591eab9', 2, 'bd7488cb-1592-428b-8bfe-3c6e40c075b5', 'StepStarted', 'go', 1, 1, 'e2730ec1cd4b3af757254bbf7f460ed735df8c8b2579bce3cf3e51a838b7f305', 1794988234557, '{"kind":"signal","name":"go","digest":"3f5b2441e270ad2f461312a47e3f1f735c673b3b83fdb595499e9ce0c6e46d28","signal":"go"}', 'a81825a5355bad5762924410f5c1c692', '9cfe624d68102756f850e61f3818fb5d9c7e98710b3df90c1c1a9b0865e9b663', 'bc89b076f7f07e7381f242f3b409fdec9d53d37818ccd183829443628ca50aed', 1794988234558, 1, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eda2-d740-7720-a093-fc73d831b67a', 1, '81f1bf2a-4b42-4aec-8478-98e723327641', 'RunStarted', NULL, 1, 1, '8cfe069ceab4e6914343eb06a72c1c99f6494efca352cf3234d693bb6aa7bb1b', 1794988234559, '{"parsed":true,"codeVersion":"1","from":"none","engine":"01a1eda2-d6f8-7501-af2d-59b0a33a0523"}', 'b0257db925e59d21ee3e06b2e29ef30d', 'b1f3b529d7c147f6e189b50aacb558e2b3cf88b255f08e66261eb76a9d92b624', 'b8630268f87bcdc28a787bdaf5d675d645ff0903ecf026552d2da7f1358e4993', 1794988234561, 1, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eda2-d740-7720-a093-fc73d831b67a', 2, '57ff5d58-4a5f-4804-8c9e-33b0c81782e0', 'StepStarted', 'child', 1, 1, 'edfe3f7a8701382787a068ede515d245f0613d8b1f343f84d0a3aedce283cfb3', 1794988234561, '{"kind":"child","name":"child","digest":"117651691b2a9336f86f4d9b0d54adbaae27db196460c3c4d8f700218d6505ed","child":{"runId":"01a1eda2-d741-739e-8135-2c1d01dcde8a","workflowId":"the-child","workflow":"child"},"input":{"$pawl":"undefined"}}', '96fb4c69497a3c638ca8c45453d666b6', '3347ccfb7296d8d7f15bf46f86f0babf017e5ebe53321ccc6eb2b345909c400a', '98cb1d35e7388b08af1a2455bde54c5e24d07dc63d99f15bc399a7781a958b0a', 1794988234561, 1, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eda2-d741-739e-8135-2c1d01dcde8a', 1, '7af77244-ed00-49c0-89a6-11fd3dc7aaa6', 'RunQueued', NULL, 1, 1, 'b76d0cbda5a1bec0123c0adfec1769f83023716d3e165feb8e23dcec6f70c7c5', 1794988234560, '{"input":{"$pawl":"undefined"},"engine":"01a1eda2-d6f8-7501-af2d-59b0a33a0523"}', 'e640baef8068d7d07760ec7f0267eb45', '891a4c712407dc15c5a7eedf9df1f1f93b8b8be049b5c5564b75dc5df020692a', '581a83685d06e43867e42bbf07eb0df0a098565ada5359eb96b8d760a9829835', 1794988234561, 1, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eda2-d741-739e-8135-2c1d01dcde8a', 2, '9f4bb632-5845-45fb-903a-b6f8840f6406', 'RunStarted', NULL, 1, 1, 'ab1433db3d7718851bda681cc95f06b0817a99e9f3fd7914ea464e8da3676851', 1794988234582, '{"parsed":true,"codeVersion":"1","from":"PENDING","engine":"01a1eda2-d6f8-7501-af2d-59b0a33a0523"}', 'da3ca6cd29feb89b7c2afc837d974667', '639a98f1ca7c3aa6760389058507e08525c05645950fae234e438323766a7fe8', '61fc037e8b8ffaf29e079944133a876416873be10b816cf52f2ff614cb581704', 1794988234590, 2, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eda2-d741-739e-8135-2c1d01dcde8a', 3, 'eec79531-fdc9-4faa-b3cb-a278c9da86a9', 'StepStarted', 'answer', 1, 1, '8c514efd438917e71960c27dc234a0a5e132090441d6b1ae0fc36d3c9a3161b2', 1794988234588, '{"kind":"signal","name":"answer","digest":"6af44cf9a32d7a8596ddd574de00e2d0e036802c46e1f63c4dd7966c382e4c35","signal":"answer"}', '9fbb0a549b08780072805dda4540c466', 'abdc002b3ef181e0e98f5de84edb7243b7d0360c8dd26b2ee76b9bb85b46a807', '0df9db834f56d8541ec6890b5d5f00f3d87b49880ffb66040ca80e1e435fc6a8', 1794988234590, 2, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eda2-d73c-777e-8873-1d78e591eab9', 3, '70ecfbda-c3b9-4eb7-945f-311d6c76848c', 'pawl.UpdateAccepted', NULL, 1, 1, '80bdc05acd93a6590e7c0846acc1a3baf0f994981dc152743bfe74d2f0c43a24', 1794988234587, '{"updateId":"rename-1","name":"rename","inboxId":2,"input":"Ada"}', 'c1b56d0c2fa5da8e90bd7e543d6f8412', '0cd0c977d3125bf8e2df58b9b176a22df954c57c2f7631922ed991853d919ddc', '3d456d73d7237879be5acecad1b2c45a50957d1d1487814b9670764eda041560', 1794988234590, 2, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eda2-d73c-777e-8873-1d78e591eab9', 4, '7b2c0a4d-05e3-485c-ba19-07700e92d816', 'pawl.ViewPublished', NULL, 1, 1, '6a52e3bd4ee6b113e7064ec3208e60ba9d48c374a854c42bcb60a794b334b722', 1794988234589, '{"name":"name","value":"Ada"}', 'da686bd45d0af89d0dea6c03b5de0690', '009272cee55f08ec753dfa1b3e40ab0ad27549f45822af6d765fdc8f3c8eabe2', '191c49327a4b03fa19944d993e2b073f30547011967c273652c298915d0a9704', 1794988234590, 2, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eda2-d73c-777e-8873-1d78e591eab9', 5, 'd9aed4a8-f71b-4fcc-adfa-307b0be82051', 'pawl.UpdateCompleted', NULL, 1, 1, '9bd844f375379a4df78de40e32686656c9c693e23505b4c0c976a6cee516c2d6', 1794988234589, '{"updateId":"rename-1","answer":{"ok":true,"result":"renamed Ada"}}', '9b991b89fdd02523d52144df4b12e05e', '99c48ea2b4577854a65efdcc5cc5a1eda604b14572e483ae2a18cb7c86970a45', '5335bd99552d4048dd68e9d5a7bdea3ea3e076203b58cbd60e6563c187777fdd', 1794988234590, 2, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eda2-d766-73d8-bf05-3123b4d5c76b', 1, '26931129-e227-4392-a1f9-41128392844a', 'RunStarted', NULL, 1, 1, '3458d1b43326959e275926b636b7a6e15cb2136c52beda3ca057a081808cd636', 1794988234598, '{"parsed":true,"codeVersion":"1","from":"none","engine":"01a1eda2-d6f8-7501-af2d-59b0a33a0523"}', 'af139e1f27ccbf4f89cf7181e4ef6d88', '56575d16776dafc6e04288d9ff4909c921c429dce7084a07f83aae360eb3b64c', 'f9b6275cc53a9b704e7f194c767f81a987bfd56b8ca5d455426617e02155bf79', 1794988234603, 1, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eda2-d766-73d8-bf05-3123b4d5c76b', 2, 'bb1977b0-ed5a-4f7f-a15c-a3dcabce1fb6', 'StepStarted', 'one', 1, 1, '7ae0bea35dde58afbe33c3b03f47b8a9ba6a50162d8991cd6766d9cf2b5a4fb0', 1794988234602, '{"kind":"effect","name":"one","digest":"65ef844c98b3e85b70e6c5192d76d1b60a81a310e6ba93e27b447a5ad881c94b","class":"UNDECLARED"}', 'fdbd7b1bbdb2bc06a1c26d8e194e8463', '1dfd86fb1a874ff9c5b393ea8b7256f88346fa0602ca0f86393bc905d17ed3fc', '1fe099ba0f79f81bedf43f3b626301f3ecab01a2652597b25873331dc6d60e64', 1794988234603, 1, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eda2-d766-73d8-bf05-3123b4d5c76b', 3, '6f2ec3f9-f196-4100-9131-18a2f20c911e', 'StepCompleted', 'one', 1, 1, '263321922cec21ac09af560b8535f9483569c73200c06f90058e86ac6b2820f7', 1794988234604, '{"result":1}', 'ae650993d00c57809f5737f07151aa8a', '730f0ee65088a970fb7346a6bb4ac97e9bb7260affa8ee2f497c16d793f84f43', '056b3c50c712ba7eeaf546e28c22448d61b8e507938a3d25053737aa66187cf9', 1794988234606, 2, NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eda2-d766-73d8-bf05-3123b4d5c76b', 4, '05888720-f911-4e91-9f86-8757193af22f', 'StepStarted', 'two', 1, 1, '0e9ccb08607e29d6b158c0c4a9608131b9ded4b8cd5bbb751e83a0f82b2f9e73', 1794988234605, '{"kind":"effect","name":"two","digest":"a98cec722f9d81d928ab82e4904c332bd488d86208c0d5a9e5abed5d03a2c30b","class":"REPEATABLE"}', '9c1cca7ede08d46ed5bf4eca1687fbb1', '35557056f0b972f4999fed2d34d576229c9e92ec8e03ce389c570d3a5d29944a', '80773b78cde5f5e643f2b8ad83e6488288394894fb3c9a591022f3dea5c79301', 1794988234606, 2, NULL);
insert into pawl_inbox (inbox_id, run_id, kind, name, id, payload, accepted_at, taken, consumed, wakes, reply, dedup_key, sent_by, payload_digest, rejected) values (1, '01a1eda2-d73c-777e-8873-1d78e591eab9', 'signal', 'later', 'later-1', '"first"', 1794988234576, 1, 0, 0, NULL, 'sig:default:default:default:listening:later:later-1', NULL, 'de5f2cbf4c10a0d146f2a671aac363e8640fefc469ad42ac25364f19e4bc194f', NULL);
insert into pawl_inbox (inbox_id, run_id, kind, name, id, payload, accepted_at, taken, consumed, wakes, reply, dedup_key, sent_by, payload_digest, rejected) values (2, '01a1eda2-d73c-777e-8873-1d78e591eab9', 'update', 'rename', 'rename-1', '"Ada"', 1794988234584, 1, 1, 0, '{"ok":true,"result":"renamed Ada"}', 'upd:default:default:default:listening:rename:rename-1', NULL, 'a39afeed7d3319213be7a235840b3c6d3f09f2810b9c91779f34572b6b36832a', NULL);
insert into pawl_accepted (storage_key, accepted_at, expires_at, run_id, inbox_id, version, response) values ('sig:default:default:default:listening:later:later-1', 1794988234576, NULL, '01a1eda2-d73c-777e-8873-1d78e591eab9', 1, 1, '{"accepted":true,"workflowId":"listening","signalName":"later","signalId":"later-1","acceptedAt":"2026-11-18T07:50:34.576Z","signalStorageKey":"sig:default:default:default:listening:later:later-1"}');
insert into pawl_accepted (storage_key, accepted_at, expires_at, run_id, inbox_id, version, response) values ('upd:default:default:default:listening:rename:rename-1', 1794988234584, NULL, '01a1eda2-d73c-777e-8873-1d78e591eab9', 2, 1, '{"accepted":true,"workflowId":"listening","signalName":"rename","signalId":"rename-1","acceptedAt":"2026-11-18T07:50:34.584Z","signalStorageKey":"upd:default:default:default:listening:rename:rename-1"}');
insert into pawl_views (run_id, name, value) values ('01a1eda2-d712-7576-93ec-92a4819271ee', 'seen', '21');
insert into pawl_views (run_id, name, value) values ('01a1eda2-d73c-777e-8873-1d78e591eab9', 'name', '"Ada"');
insert into pawl_effects (run_id, seq, version, scope, workflow_id, step_id, name, class, key, args_digest, status, phase, attempts, engine_attempts, error, event_seq, created_at, updated_at, receiver, worker) values ('01a1eda2-cf3b-757c-9565-7439e642f01b', 4, 1, 'default/default/default', 'doubtful', 'charge', 'charge', 'AT-MOST-ONCE', 'pawl-14060ce0dd992a3faf4f7272e2a6c8af52b957735c51a646f73c2c4d9073cbc8', NULL, 'indeterminate', 'doubt', 1, 1, '{"code":"PAWL2001","reason":"it began and nobody recorded how it ended"}', 5, 1794988232533, 1794988234539, NULL, NULL);
insert into pawl_shelves (shelf, key, value, version, at) values ('messages:default/default/default', 'child/1', '{"workflow":"child","version":"1","input":{"name":"input","schema":{},"whole":true},"signals":[{"name":"answer","schema":{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"number"},"required":true,"whole":true}],"updates":[],"views":[]}', 1, 1794988232479);
insert into pawl_shelves (shelf, key, value, version, at) values ('messages:default/default/default', 'doubtful/1', '{"workflow":"doubtful","version":"1","input":{"name":"input","schema":{},"whole":true},"signals":[],"updates":[],"views":[]}', 1, 1794988232479);
insert into pawl_shelves (shelf, key, value, version, at) values ('messages:default/default/default', 'halfway/1', '{"workflow":"halfway","version":"1","input":{"name":"input","schema":{},"whole":true},"signals":[],"updates":[],"views":[]}', 1, 1794988232479);
insert into pawl_shelves (shelf, key, value, version, at) values ('messages:default/default/default', 'listening/1', '{"workflow":"listening","version":"1","input":{"name":"input","schema":{},"whole":true},"signals":[{"name":"go","schema":{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"string"},"required":true,"whole":true},{"name":"later","schema":{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"string"},"required":true,"whole":true}],"updates":[{"name":"rename","schema":{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"string"},"required":true,"whole":true}],"views":[{"name":"name","schema":{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"string"},"required":true,"whole":true}]}', 1, 1794988232479);
insert into pawl_shelves (shelf, key, value, version, at) values ('messages:default/default/default', 'parent/1', '{"workflow":"parent","version":"1","input":{"name":"input","schema":{},"whole":true},"signals":[],"updates":[],"views":[]}', 1, 1794988232479);
insert into pawl_shelves (shelf, key, value, version, at) values ('messages:default/default/default', 'settled/1', '{"workflow":"settled","version":"1","input":{"name":"input","schema":{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"number"},"required":true,"whole":true},"signals":[],"updates":[],"views":[{"name":"seen","schema":{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"number"},"required":true,"whole":true}]}', 1, 1794988232479);
insert into pawl_shelves (shelf, key, value, version, at) values ('messages:default/default/default', 'sleeping/1', '{"workflow":"sleeping","version":"1","input":{"name":"input","schema":{},"whole":true},"signals":[],"updates":[],"views":[]}', 1, 1794988232479);
insert into pawl_shelves (shelf, key, value, version, at) values ('pawl.clock', 'store', '{"boot":"b98f0dc8-218c-45a7-8503-7a415b640cca","offset":1794986224670.4521,"at":1794988232466,"uptime":2007795.629162}', 1, 1794988232466);
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, origin, expired_at, purged_at, error_code) values ('01a1eda2-cf3b-757c-9565-7439e642f01b', 'default/default/default', 'doubtful', 1, 'doubtful', '1', 'RUNNING', 'decision', '01a1eda2-d6f8-7501-af2d-59b0a33a0523', 2, 'cbc93fc98b14bc8647ff40da97103b35', 3, '154ac4a0-8f89-425c-a22f-2f3b1d9597d8', 5, '8707411475d01f41f6b5c7646b652ed1bd32cf287b6f48020b4dc53d39cfc566', 1794988234539, NULL, 1794988232522, NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1eda2-cf3b-757c-9565-7439e642f01b', NULL, NULL, 0, 0, 'engine', NULL, NULL, NULL);
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, origin, expired_at, purged_at, error_code) values ('01a1eda2-d712-7576-93ec-92a4819271ee', 'default/default/default', 'settled', 1, 'settled', '1', 'COMPLETED', NULL, NULL, 1, '98d9825005af00d68b4a9f6d2158d1b2', 2, 'a7fb885d-f2c2-4e32-a9de-036bc44956da', 5, '2f11c09551fe5937c619f22fab51be1344624815561ffb1f436fe76e86f81a38', 1794988234545, NULL, 1794988234539, NULL, '{"kind":"kept"}', '6f4b6612125fb3a0daecd2799dfd6c9c299424fd920f9b308110a2c1fbd8f443', 'settled-once', NULL, '01a1eda2-d712-7576-93ec-92a4819271ee', NULL, NULL, 0, 0, 'engine', NULL, NULL, NULL);
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, origin, expired_at, purged_at, error_code) values ('01a1eda2-d734-7609-9697-e6f450d7a2ac', 'default/default/default', 'sleeping', 1, 'sleeping', '1', 'RUNNING', 'timer', '01a1eda2-d6f8-7501-af2d-59b0a33a0523', 1, '035232e915a781f7f300bcc82246db1c', 2, '4cb3a43f-529f-476e-aa14-d54d950887ec', 4, '0f7d5c177d6ea4570ed0ed42db9a4e8bb6c6432d93e03c78250cc22d0e4849c6', 1794988234558, 1794988239558, 1794988234552, NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1eda2-d734-7609-9697-e6f450d7a2ac', NULL, NULL, 0, 0, 'engine', NULL, NULL, NULL);
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, origin, expired_at, purged_at, error_code) values ('01a1eda2-d73c-777e-8873-1d78e591eab9', 'default/default/default', 'listening', 1, 'listening', '1', 'RUNNING', 'signal', '01a1eda2-d6f8-7501-af2d-59b0a33a0523', 1, 'cfd5026d757beab09fbda2e3f355a412', 2, '3ee70640-018a-44c4-b343-f09cc10a218e', 5, '5335bd99552d4048dd68e9d5a7bdea3ea3e076203b58cbd60e6563c187777fdd', 1794988234590, NULL, 1794988234558, NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1eda2-d73c-777e-8873-1d78e591eab9', NULL, NULL, 0, 0, 'engine', NULL, NULL, NULL);
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, origin, expired_at, purged_at, error_code) values ('01a1eda2-d740-7720-a093-fc73d831b67a', 'default/default/default', 'parent', 1, 'parent', '1', 'RUNNING', 'child', '01a1eda2-d6f8-7501-af2d-59b0a33a0523', 1, '41bb78c7cc3692ec6cc9933eeddea4e7', 1, '7f851f66-0a45-4e5e-a352-5ca17e7edc65', 2, '98cb1d35e7388b08af1a2455bde54c5e24d07dc63d99f15bc399a7781a958b0a', 1794988234561, NULL, 1794988234561, NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1eda2-d740-7720-a093-fc73d831b67a', NULL, NULL, 0, 0, 'engine', NULL, NULL, NULL);
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, origin, expired_at, purged_at, error_code) values ('01a1eda2-d741-739e-8135-2c1d01dcde8a', 'default/default/default', 'the-child', 1, 'child', '1', 'RUNNING', 'signal', '01a1eda2-d6f8-7501-af2d-59b0a33a0523', 1, '9c172fe5bfc03a9d6ad8b178e4752c6f', 2, '42dbcb51-3bda-4faf-8734-f8c3b7974fb8', 3, '0df9db834f56d8541ec6890b5d5f00f3d87b49880ffb66040ca80e1e435fc6a8', 1794988234590, NULL, 1794988234561, NULL, '{}', '66fb24cb21354877635a93dab77577d75c67408441b22f433c4c30e6506f15c3', NULL, NULL, '01a1eda2-d741-739e-8135-2c1d01dcde8a', '01a1eda2-d740-7720-a093-fc73d831b67a', 'child', 0, 0, 'engine', NULL, NULL, NULL);
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, origin, expired_at, purged_at, error_code) values ('01a1eda2-d766-73d8-bf05-3123b4d5c76b', 'default/default/default', 'halfway', 1, 'halfway', '1', 'RUNNING', NULL, '01a1eda2-d6f8-7501-af2d-59b0a33a0523', 1, 'af23de3bec68978b8f8a366fadf18b93', 2, '0982c4ca-b65f-4367-a2fb-a3eee766e716', 4, '80773b78cde5f5e643f2b8ad83e6488288394894fb3c9a591022f3dea5c79301', 1794988234606, 1794988234603, 1794988234603, NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1eda2-d766-73d8-bf05-3123b4d5c76b', NULL, NULL, 0, 0, 'engine', NULL, NULL, NULL);
