CREATE TABLE `pawl_meta` (
  `one` tinyint(4) NOT NULL,
  `format` int(11) NOT NULL,
  `oldest_reader` int(11) NOT NULL,
  `oldest_writer` int(11) NOT NULL,
  `incarnation` int(11) NOT NULL,
  `store_id` varchar(64) NOT NULL,
  `identity` text NOT NULL,
  `feed` tinyint(4) NOT NULL DEFAULT 0,
  PRIMARY KEY (`one`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;

CREATE TABLE `pawl_engines` (
  `engine_id` varbinary(512) NOT NULL,
  `lease_until` bigint(20) NOT NULL,
  `renewed_at` bigint(20) NOT NULL,
  `session_boot` bigint(20) DEFAULT NULL,
  `dead` tinyint(4) NOT NULL,
  `serves` longtext NOT NULL,
  `scope` text DEFAULT NULL,
  `kind` varbinary(16) NOT NULL DEFAULT 'engine',
  `works` mediumtext DEFAULT NULL,
  PRIMARY KEY (`engine_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;

CREATE TABLE `pawl_runs` (
  `run_id` varbinary(512) NOT NULL,
  `scope` varbinary(255) NOT NULL,
  `workflow_id` varbinary(512) NOT NULL,
  `generation` int(11) NOT NULL,
  `workflow` varbinary(512) NOT NULL,
  `version` varbinary(512) NOT NULL,
  `status` varbinary(16) NOT NULL,
  `waiting` varbinary(16) DEFAULT NULL,
  `owner` varbinary(512) DEFAULT NULL,
  `epoch` bigint(20) NOT NULL,
  `token` varbinary(512) NOT NULL,
  `state_version` bigint(20) NOT NULL,
  `commit_id` blob NOT NULL,
  `head_seq` bigint(20) NOT NULL,
  `head_link` blob NOT NULL,
  `persisted_at` bigint(20) NOT NULL,
  `due_at` bigint(20) DEFAULT NULL,
  `created_at` bigint(20) NOT NULL,
  `deadline_at` bigint(20) DEFAULT NULL,
  `tags` mediumtext NOT NULL,
  `input_digest` text NOT NULL,
  `idempotency_key` varbinary(512) DEFAULT NULL,
  `original_run_id` varbinary(512) DEFAULT NULL,
  `root_run_id` varbinary(512) NOT NULL,
  `parent_run_id` varbinary(512) DEFAULT NULL,
  `parent_step_id` mediumtext DEFAULT NULL,
  `idle_claims` int(11) NOT NULL,
  `exact_version` tinyint(4) NOT NULL,
  `long_texts` mediumtext DEFAULT NULL,
  `origin` varbinary(16) NOT NULL DEFAULT 'engine',
  `expired_at` bigint(20) DEFAULT NULL,
  `purged_at` bigint(20) DEFAULT NULL,
  `error_code` varbinary(1024) DEFAULT NULL,
  PRIMARY KEY (`run_id`),
  UNIQUE KEY `generation` (`scope`,`workflow_id`,`generation`),
  UNIQUE KEY `start_key` (`scope`,`idempotency_key`),
  KEY `due` (`owner`,`scope`,`workflow`,`version`,`due_at`),
  KEY `newest` (`scope`,`created_at`,`run_id`),
  KEY `decision` (`scope`,`waiting`),
  KEY `by_status` (`scope`,`status`,`created_at`,`run_id`),
  KEY `parent` (`parent_run_id`,`created_at`,`run_id`),
  CONSTRAINT `pawl_runs_status` CHECK (`status` in ('PENDING','RUNNING','PAUSED','COMPLETED','FAILED','CANCELLED')),
  CONSTRAINT `pawl_runs_waiting` CHECK (`waiting` in ('timer','signal','child','retry','worker','decision','drain'))
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;

CREATE TABLE `pawl_events` (
  `run_id` varbinary(512) NOT NULL,
  `run_seq` bigint(20) NOT NULL,
  `event_id` varchar(512) NOT NULL,
  `event_type` varchar(512) NOT NULL,
  `step_id` mediumtext DEFAULT NULL,
  `logical_attempt_id` int(11) NOT NULL,
  `engine_attempt_id` int(11) NOT NULL,
  `idempotency_key` varbinary(512) NOT NULL,
  `emitted_at` bigint(20) NOT NULL,
  `payload` longtext DEFAULT NULL,
  `salt` varchar(512) DEFAULT NULL,
  `payload_hash` varchar(512) DEFAULT NULL,
  `link` varchar(512) NOT NULL,
  `persisted_at` bigint(20) NOT NULL,
  `state_version` bigint(20) NOT NULL,
  `emitted_text` varbinary(64) DEFAULT NULL,
  PRIMARY KEY (`run_id`,`run_seq`),
  UNIQUE KEY `idempotency` (`run_id`,`idempotency_key`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;

CREATE TABLE `pawl_inbox` (
  `inbox_id` bigint(20) NOT NULL AUTO_INCREMENT,
  `run_id` varbinary(512) NOT NULL,
  `kind` varbinary(16) NOT NULL,
  `name` mediumtext NOT NULL,
  `id` mediumtext NOT NULL,
  `payload` longtext DEFAULT NULL,
  `accepted_at` bigint(20) NOT NULL,
  `taken` tinyint(4) NOT NULL,
  `consumed` tinyint(4) NOT NULL,
  `wakes` tinyint(4) NOT NULL,
  `control` tinyint(4) NOT NULL,
  `reply` longtext DEFAULT NULL,
  `dedup_hash` binary(64) DEFAULT NULL,
  `sent_by` text DEFAULT NULL,
  `payload_digest` varbinary(64) DEFAULT NULL,
  `rejected` mediumtext DEFAULT NULL,
  PRIMARY KEY (`inbox_id`),
  UNIQUE KEY `dedup` (`dedup_hash`),
  KEY `of_run` (`run_id`,`inbox_id`),
  KEY `wakes` (`wakes`,`run_id`,`control`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;

CREATE TABLE `pawl_accepted` (
  `key_hash` binary(64) NOT NULL,
  `storage_key` mediumtext NOT NULL,
  `accepted_at` bigint(20) NOT NULL,
  `expires_at` bigint(20) DEFAULT NULL,
  `run_id` varbinary(512) NOT NULL,
  `inbox_id` bigint(20) NOT NULL,
  `version` bigint(20) NOT NULL DEFAULT 1,
  `response` longtext DEFAULT NULL,
  PRIMARY KEY (`key_hash`),
  KEY `of_inbox` (`inbox_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;

CREATE TABLE `pawl_views` (
  `run_id` varbinary(512) NOT NULL,
  `name` varbinary(512) NOT NULL,
  `value` longtext NOT NULL,
  PRIMARY KEY (`run_id`,`name`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;

CREATE TABLE `pawl_checkpoints` (
  `run_id` varbinary(512) NOT NULL,
  `idempotency_key` varbinary(512) NOT NULL,
  `step_id` bigint(20) NOT NULL,
  `label` mediumtext DEFAULT NULL,
  `body` longtext NOT NULL,
  `state_version` bigint(20) NOT NULL,
  `persisted_at` bigint(20) NOT NULL,
  PRIMARY KEY (`run_id`,`idempotency_key`),
  UNIQUE KEY `step` (`run_id`,`step_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;

CREATE TABLE `pawl_effects` (
  `run_id` varbinary(512) NOT NULL,
  `seq` bigint(20) NOT NULL,
  `version` int(11) NOT NULL,
  `scope` varbinary(255) NOT NULL,
  `workflow_id` mediumtext NOT NULL,
  `step_id` mediumtext NOT NULL,
  `name` varbinary(512) NOT NULL,
  `class` varbinary(16) NOT NULL,
  `effect_key` varbinary(512) DEFAULT NULL,
  `args_digest` varchar(512) DEFAULT NULL,
  `status` varbinary(16) NOT NULL,
  `phase` varbinary(16) NOT NULL,
  `attempts` int(11) NOT NULL,
  `engine_attempts` int(11) NOT NULL,
  `error` longtext DEFAULT NULL,
  `event_seq` bigint(20) NOT NULL,
  `created_at` bigint(20) NOT NULL,
  `updated_at` bigint(20) NOT NULL,
  `receiver` varbinary(512) DEFAULT NULL,
  `worker` varbinary(512) DEFAULT NULL,
  PRIMARY KEY (`run_id`,`seq`),
  KEY `by_key` (`scope`,`effect_key`),
  KEY `by_phase` (`scope`,`phase`),
  KEY `by_receiver` (`scope`,`receiver`),
  KEY `by_worker` (`scope`,`worker`),
  CONSTRAINT `pawl_effects_state` CHECK (`status` in ('completed','failed','cancelled','timed-out','indeterminate') and `phase` in ('queued','dispatched','retrying','doubt','settled'))
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;

CREATE TABLE `pawl_shelves` (
  `shelf` varbinary(512) NOT NULL,
  `shelf_key` varbinary(512) NOT NULL,
  `value` longtext NOT NULL,
  `version` bigint(20) NOT NULL,
  `put_at` bigint(20) NOT NULL,
  PRIMARY KEY (`shelf`,`shelf_key`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;

CREATE TABLE `pawl_consumers` (
  `consumer_id` bigint(20) NOT NULL AUTO_INCREMENT,
  `scope` varbinary(255) NOT NULL,
  `name` varbinary(128) NOT NULL,
  `joined_at` bigint(20) NOT NULL,
  `filled` tinyint(4) NOT NULL,
  PRIMARY KEY (`consumer_id`),
  UNIQUE KEY `by_name` (`scope`,`name`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;

CREATE TABLE `pawl_feed` (
  `position` bigint(20) NOT NULL AUTO_INCREMENT,
  `consumer_id` bigint(20) NOT NULL,
  `run_id` varbinary(512) NOT NULL,
  `head_seq` bigint(20) NOT NULL,
  PRIMARY KEY (`position`),
  KEY `of_consumer` (`consumer_id`,`position`),
  KEY `of_run` (`run_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;

CREATE TABLE `pawl_queues` (
  `scope` varbinary(255) NOT NULL,
  `queue` varbinary(128) NOT NULL,
  `concurrency` bigint(20) DEFAULT NULL,
  `rate_limit` bigint(20) DEFAULT NULL,
  `rate_per_ms` bigint(20) DEFAULT NULL,
  `rate_burst` bigint(20) DEFAULT NULL,
  `tat_us` bigint(20) NOT NULL DEFAULT 0,
  `aging_ms` bigint(20) NOT NULL DEFAULT 60000,
  `paused` text DEFAULT NULL,
  `version` bigint(20) NOT NULL,
  PRIMARY KEY (`scope`,`queue`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;

CREATE TABLE `pawl_dispatches` (
  `dispatch_id` bigint(20) NOT NULL AUTO_INCREMENT,
  `scope` varbinary(255) NOT NULL,
  `run_id` varbinary(512) NOT NULL,
  `seq` bigint(20) NOT NULL,
  `what` varbinary(16) NOT NULL,
  `step_id` mediumtext NOT NULL,
  `attempt` int(11) NOT NULL,
  `engine_attempt` int(11) NOT NULL,
  `queue` varbinary(128) NOT NULL,
  `task` varbinary(512) NOT NULL,
  `long_task` mediumtext DEFAULT NULL,
  `rank_at` bigint(20) NOT NULL,
  `held` tinyint(4) NOT NULL,
  `spec` longtext NOT NULL,
  `enqueued_at` bigint(20) NOT NULL,
  `expires_at` bigint(20) DEFAULT NULL,
  `timeout_ms` bigint(20) DEFAULT NULL,
  `worker` varbinary(512) DEFAULT NULL,
  `token` varbinary(512) DEFAULT NULL,
  `claimed_at` bigint(20) DEFAULT NULL,
  `deadline_at` bigint(20) DEFAULT NULL,
  `beat` longtext DEFAULT NULL,
  `cancel` tinyint(4) NOT NULL DEFAULT 0,
  `state` tinyint(4) GENERATED ALWAYS AS (case when `worker` is not null then 2 when `held` = 1 then 1 else 0 end) STORED,
  PRIMARY KEY (`dispatch_id`),
  UNIQUE KEY `of_run` (`run_id`,`seq`,`what`),
  KEY `ready` (`scope`,`queue`,`state`,`task`,`rank_at`,`dispatch_id`),
  KEY `of_worker` (`worker`,`dispatch_id`),
  KEY `deadline` (`deadline_at`),
  KEY `expires` (`state`,`expires_at`),
  CONSTRAINT `pawl_dispatches_what` CHECK (`what` in ('run','verify','undo')),
  CONSTRAINT `pawl_dispatches_claim` CHECK (`worker` is null = (`token` is null))
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;

CREATE TABLE `pawl_snapshots` (
  `run_id` varbinary(512) NOT NULL,
  `at_seq` bigint(20) NOT NULL,
  `digest` varbinary(512) NOT NULL,
  `body` longtext NOT NULL,
  PRIMARY KEY (`run_id`,`at_seq`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;

insert into pawl_accepted (key_hash, storage_key, accepted_at, expires_at, run_id, inbox_id, version, response) values ('96174688ec23684430ebae1570066563a1ebd436443cacce9dfe2200722b6b40', 'upd:default:default:default:listening:rename:rename-1', '1794988250872', NULL, '01a1eda3-16be-7121-a1ee-f198cdcb061d', '2', '1', '{"accepted":true,"workflowId":"listening","signalName":"rename","signalId":"rename-1","acceptedAt":"2026-11-18T07:50:50.872Z","signalStorageKey":"upd:default:default:default:listening:rename:rename-1"}');
insert into pawl_accepted (key_hash, storage_key, accepted_at, expires_at, run_id, inbox_id, version, response) values ('e59f673a03c60dd02d8b4f9ff5f8af2ac09881c8bf08a8c7589ebeb85e0771f6', 'sig:default:default:default:listening:later:later-1', '1794988250864', NULL, '01a1eda3-16be-7121-a1ee-f198cdcb061d', '1', '1', '{"accepted":true,"workflowId":"listening","signalName":"later","signalId":"later-1","acceptedAt":"2026-11-18T07:50:50.864Z","signalStorageKey":"sig:default:default:default:listening:later:later-1"}');
insert into pawl_effects (run_id, seq, version, scope, workflow_id, step_id, name, class, effect_key, args_digest, status, phase, attempts, engine_attempts, error, event_seq, created_at, updated_at, receiver, worker) values ('01a1eda3-0eab-70e1-9a6e-b71bf909f493', '4', '1', 'default/default/default', 'doubtful', 'charge', 'charge', 'AT-MOST-ONCE', 'pawl-4e28b31203be725028d95aeb8f30fa532582c3af0e9271b719972d67c0ecb59c', NULL, 'indeterminate', 'doubt', '1', '1', '{"code":"PAWL2001","reason":"it began and nobody recorded how it ended"}', '5', '1794988248775', '1794988252792', NULL, NULL);
insert into pawl_engines (engine_id, lease_until, renewed_at, session_boot, dead, serves, scope, kind, works) values ('01a1eda3-0e75-726f-8463-6b465eca4e5d', '1794988258723', '1794988248723', '1794988245000', '1', '[{"workflow":"settled","version":"1"},{"workflow":"sleeping","version":"1"},{"workflow":"listening","version":"1"},{"workflow":"doubtful","version":"1"},{"workflow":"halfway","version":"1"},{"workflow":"child","version":"1"},{"workflow":"parent","version":"1"}]', 'default/default/default', 'engine', NULL);
insert into pawl_engines (engine_id, lease_until, renewed_at, session_boot, dead, serves, scope, kind, works) values ('01a1eda3-164a-75fd-8d22-22dc6d96a4e5', '1794988262792', '1794988252792', '1794988245000', '0', '[{"workflow":"settled","version":"1"},{"workflow":"sleeping","version":"1"},{"workflow":"listening","version":"1"},{"workflow":"doubtful","version":"1"},{"workflow":"halfway","version":"1"},{"workflow":"child","version":"1"},{"workflow":"parent","version":"1"}]', 'default/default/default', 'engine', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eda3-0eab-70e1-9a6e-b71bf909f493', '1', '4e00a61b-bdb6-439a-b260-2a27babf78f0', 'RunStarted', NULL, '1', '1', '30c564b17ed2259b661ab9b12d215cbc7a22e02fdb9f27457228ae0ca02d5c90', '1794988248749', '{"parsed":true,"codeVersion":"1","from":"none","engine":"01a1eda3-0e75-726f-8463-6b465eca4e5d"}', 'dda66e00276b264f3d95a92cad17aa12', '7f09c8ed5119234d7e8c2c4df0af72dc546e5a0d00fea80cd221744c1d3f60ce', 'c827b5aef0160f5a874a1ea4c277dc94fa09d78e54cf1b0b977324355ed1e1b9', '1794988248760', '1', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eda3-0eab-70e1-9a6e-b71bf909f493', '2', 'fbea4ada-cc8b-4c81-804a-056a4b3e10fe', 'StepStarted', 'order', '1', '1', 'e33dcb3d20edf14ee50226cab2ae140659c74699658d21dcb287dc52a8c914e5', '1794988248752', '{"kind":"effect","name":"order","digest":"799d7256bcab06d415e9f017db67b402ee0091972b47d904f8ff7accea7f6687","class":"UNDECLARED"}', '52a5c4f6c0c1c6df58cc4bde6f1b7a89', 'c66de6b3a0acc9046a4ecb58440cea277c4c7bda255b4177ae81e9dee1716f32', 'a0340fc459b8b75cad55b81f4e7a4fd888575d843bee844df22cc0499cb75725', '1794988248760', '1', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eda3-0eab-70e1-9a6e-b71bf909f493', '3', '3045e80a-513e-4c47-84eb-aeab199728bb', 'StepCompleted', 'order', '1', '1', '14f1f1d313095022eb14697d4b65703db7b64c06bd0680be1623b09cdf0506d1', '1794988248767', '{"result":7}', 'e1ff691c4c568024e44bc075279fb422', '393c6f439529820185b1d1aee94433af5750e0877e05cd4f6ea8ae8351439672', 'dc8b5a81358c98babc3225862c41cec741f9773240200c70282339120f2f88c7', '1794988248775', '2', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eda3-0eab-70e1-9a6e-b71bf909f493', '4', 'c4d9bb6c-19f7-49de-aed4-ac33050137eb', 'StepStarted', 'charge', '1', '1', '6112e762ff5e73ef1f8343a594512a927c9197404a26985648bb185f885637b4', '1794988248768', '{"kind":"effect","name":"charge","digest":"2ec79112be9dddff500c39c27d48b690db462962e412c10028ff5eeaf2d040b9","class":"AT-MOST-ONCE","timeoutMs":60000}', 'e3a937790365450d2b4393f60e679358', '963f905ac94aef40a9c8da26c60b110565115a41640aed47cb2f458a5572a1f2', 'c9af77fa7e60b5633cbb4be3e5271fd760f194e6edabc31783082f2cad8564bb', '1794988248775', '2', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eda3-0eab-70e1-9a6e-b71bf909f493', '5', 'b0f3ec9a-c318-40d6-895b-8a49f1361f1c', 'pawl.StepInDoubt', NULL, '1', '1', '207b447f0fa050706ceefac68e56d771d9417c03b5c2522e910192b6327edc77', '1794988252789', '{"stepId":"charge","reason":"it began and nobody recorded how it ended","code":"PAWL2001"}', 'ba3f27433de95372edae77c37f1a4337', '3dadb2bcda766eeb3b7cab8eb4e4928f88327b8c6f53f4c850d2984bea07fa3f', '8767530a3f56a7ee4a2538cd6c2ab0e6b43aef3f3f4f90ced40b5746c546e69a', '1794988252792', '3', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eda3-168f-740b-87f4-975691663f85', '1', 'a157f6ac-32f3-42e7-b03a-eae7f2a8330e', 'RunStarted', NULL, '1', '1', '36e34244ca46b5c8a1971e2d5e30e5c6d429ebc84b2b2a2a19402c36bd7e76f6', '1794988250772', '{"input":21,"parsed":true,"codeVersion":"1","request":"f351952114dbc24faebe50a8d9d74873e8b8227323b2193a81c35e4441fa6314","from":"none","engine":"01a1eda3-164a-75fd-8d22-22dc6d96a4e5"}', 'bea00c25fbfad636388d5350d76f70d4', 'b1ea0ef9776b87ab7b0ccb0c242d8dad1bbd6b63f8eaa89d2cfe611c87dadc7b', 'ae5dad2c27d47eba4d65e527b9334279dec7e9f748545c95d9c183498cca2de3', '1794988250785', '1', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eda3-168f-740b-87f4-975691663f85', '2', '77c44d61-aae4-407f-8243-614ccda6d530', 'pawl.ViewPublished', NULL, '1', '1', '7d6a40a8eb650ddddfb092c6c6413d8c6f53337745b4e75a17168a97bbe625e2', '1794988250774', '{"name":"seen","value":21}', '57e9e0cebd8c6a16af358b763b8f6367', '1eaf8b3229fe0fd182fd1a9f11a5634666238bcaebc1032d6cedbe0f7cbbb5c6', 'ac3a730895890d3457f1f082cc7d570686f938425fa1a6d87d203f1bb6568126', '1794988250785', '1', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eda3-168f-740b-87f4-975691663f85', '3', '83382594-9dd6-4a60-bbb3-faa3cd065552', 'StepStarted', 'double', '1', '1', '4334b32f864c9e41a7d3c1a40064964929decdcdee6b00e0af0a54271936bf15', '1794988250777', '{"kind":"effect","name":"double","digest":"ee9ff8738b77f6cb9c3d0cd45ac165bc9e65f949afd79b7dd809848242b0b772","class":"UNDECLARED"}', '05fa0c58fc3dcebd09648d4bb086d257', '79264e5d2f37131c70681d79bf190a36c9011b40891255195f42d916ed055e34', 'b9ab5d1ae36360000f53102a4c5f0ec3fe030a4642682aba82bd2e5a0171aac7', '1794988250785', '1', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eda3-168f-740b-87f4-975691663f85', '4', '6a975d5d-dfce-4833-898c-4bf89c71818f', 'StepCompleted', 'double', '1', '1', '4a8a367be798d5fdaf5c52d1b3dceab0cff727a955ff7e3fe2ceee5254d0ff44', '1794988250796', '{"result":42}', '630998ecac7b2a8c47b4ff8e24fffbec', 'bfb4b10fc3049345de367d8b736010fb790bf2587d110c27e9eb5632cb44e01f', '7b856972b91ec3e0c84e7126964822ede79dd76ba261011707e17677115f129e', '1794988250800', '2', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eda3-168f-740b-87f4-975691663f85', '5', 'ec269f9b-34e9-4145-b9aa-9a95fdca4521', 'RunCompleted', NULL, '1', '1', '306de255a8e2d638b0e98a600387664001a65622e56e966f0454f5c2b8492efb', '1794988250797', '{"result":42,"from":"RUNNING","engine":"01a1eda3-164a-75fd-8d22-22dc6d96a4e5","settledAt":1794988250797}', '56138b0649d93f044223d9759aac0acd', '092382b756b10e1a0d15caf58cb6ab8b87aadb8d6aa0fd2bc5c84682d4e3bd42', '76d98f0579694589dfdb562d544a5b5ea8e5d02bcf5d21cbb88e7214b1925283', '1794988250800', '2', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eda3-16b7-7224-8aec-938f5c6bde07', '1', '42dfffa6-0462-4ca7-a51f-a2bddc532cee', 'RunStarted', NULL, '1', '1', 'a9250d4b4ed24b585032231f8eda13101eda98f4f9a40d7ef6e2d151f636811d', '1794988250808', '{"parsed":true,"codeVersion":"1","from":"none","engine":"01a1eda3-164a-75fd-8d22-22dc6d96a4e5"}', '9fc3f8896af270a9cd720f69f267c075', '3812a82ee69033df542648c141ee6440bfc9fa301824b4b45d67aa343fb193fa', '3aeb231b6f0f54278638cf78288847e155b8f6699cd1b43dfb11c2e454b488ff', '1794988250810', '1', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eda3-16b7-7224-8aec-938f5c6bde07', '2', '674371b9-763d-4a09-b78c-8f8c334e1138', 'StepStarted', 'before', '1', '1', 'fd452e1e9707717b6c8b2609264b255c1adfb2b782a7e31c6555b7141810dbeb', '1794988250808', '{"kind":"effect","name":"before","digest":"05bfe291a21a0d1f5f4657f5211cbe8150d540997b33667c9d3ea79321335833","class":"UNDECLARED"}', '2b366df089ab2cf94feab601705e6a29', 'f942c4225e2fabf8b9e30b2dfabc347cbdfd04ab39e444ab7a733d153557f529', 'b065f7fba26993430ded7b8df59c890d058012fe135532fac73f7f9fabdaac2c', '1794988250810', '1', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eda3-16b7-7224-8aec-938f5c6bde07', '3', '0bbaf41a-6e09-40ba-a3a8-39813c4728da', 'StepCompleted', 'before', '1', '1', '75564897ada4fa2cadc7e07a10b61dddfe4eb65685fba671da09d852d79ed84e', '1794988250813', '{"result":"slept"}', '65ea944ab47e076a6b94f95852fa76fa', 'c67167d891660bd6fa2991ea484238ed551c2e1c831a4cb55ef470439ec86f16', 'd47691d07b7658681b8399e0650d10a73745ddf8a87663e38140752ffed597d6', '1794988250821', '2', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eda3-16b7-7224-8aec-938f5c6bde07', '4', 'd2ad2d26-e052-4495-b108-85f0ed7b55c9', 'StepStarted', 'nap', '1', '1', 'abc93ba9d59d2d2890c9f4bab3e02a842715c84735559ac7d18ed6334b4d9fd4', '1794988250819', '{"kind":"timer","name":"nap","digest":"538b904f34061c9af68dfac9bc3e3f2aa12c8f0274ac1a58dec9793584cd778e","delayMs":5000}', 'ca835f75f9ab41e788af57f79e708a40', '6999eed9a7f76ef2f58586ac59fb7696f12d601afcf96bd79b949e2a29b44d40', 'e219567084029a52eddc6f25c975ca80939eeb466c45b4a45ebd198af3935454', '1794988250821', '2', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eda3-16be-7121-a1ee-f198cdcb061d', '1', '5b6d8c63-e31c-4ca3-80e2-f2f810649bc2', 'RunStarted', NULL, '1', '1', '299df671cf8cffd30944736bc1cf85e0d873b304d4ec028e67ed315b430fece7', '1794988250822', '{"parsed":true,"codeVersion":"1","from":"none","engine":"01a1eda3-164a-75fd-8d22-22dc6d96a4e5"}', '4e28038426280e043eeccac58943791f', 'f6014385e971cd46dd3814e03f2c3fa67f18c764df5023a4cad4ae3b7ee354da', '3ff8410701cb31100b3e465d057ec5c11c027c8435a6e70b4f893243cc009a8b', '1794988250825', '1', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eda3-16be-7121-a1ee-f198cdcb061d', '2', '97492cce-f580-4d2f-b4c0-74dc529639f5', 'StepStarted', 'go', '1', '1', '6dd58d3b903287d9a34bb0d9c2fbf1dd21a5b80cedea4ed0ee49d18bd91fb330', '1794988250822', '{"kind":"signal","name":"go","digest":"3f5b2441e270ad2f461312a47e3f1f735c673b3b83fdb595499e9ce0c6e46d28","signal":"go"}', '7495a130471322e5be0baefdf6e8cd43', 'a349f009b8e071af301ade5d68fa3ebc961f28d40c0da9f2ea473301710ecb95', 'e3348a31f7809c89016cc0958f9e72c440f616814c94a14bd98080baa2a62e56', '1794988250825', '1', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eda3-16be-7121-a1ee-f198cdcb061d', '3', '236b8b55-67b9-440e-bfe1-ec153e087d1a', 'pawl.UpdateAccepted', NULL, '1', '1', 'f943dbcdd5466e48421c484b896041aa55f1b8c4027d055696fde7f43e63b645', '1794988250877', '{"updateId":"rename-1","name":"rename","inboxId":2,"input":"Ada"}', '0758cae74e3251aa8531512e428c00b6', '87f99c3ece0902560a7565fbd62865b7f8924c19a7c1ab461f301908a6b49a22', '5e95d49b6fbd0340f4518af83d69eda95e5ac76ac94e982d15e9864e40fd0d4c', '1794988250881', '2', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eda3-16be-7121-a1ee-f198cdcb061d', '4', '575774a5-c2d6-4dc6-8bbb-9f495982a21b', 'pawl.ViewPublished', NULL, '1', '1', '4d137aeb97234d98421285893a2ec87d01bf68718839c64e113b521df3a04824', '1794988250878', '{"name":"name","value":"Ada"}', 'b691a8e1be21c8ba097bc880c25446fe', 'c4c8cdecf29b5f789fd469682367cc5a2a10a31558f147326262b20278c2e48f', 'f64fe70fe89b503610aa352a2bbad1de5e24a928ccd98663c2ede53e138d97eb', '1794988250881', '2', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eda3-16be-7121-a1ee-f198cdcb061d', '5', 'eed1b174-1f22-4e38-91d3-5c3913564cae', 'pawl.UpdateCompleted', NULL, '1', '1', 'c9bd72b731cf8134148cdbd922507052547ad9647e6e564a207b08bb27916b8a', '1794988250878', '{"updateId":"rename-1","answer":{"ok":true,"result":"renamed Ada"}}', 'ad2149c3c6cbc4be1274dc2e6178fe52', '746e248cff792f62288b3f2fe7ea0e364200353e14488684b3d370c70689cb2f', '8d2a39b082e03551318eef86ff6ecc990af450ef106caf7811b65d2757d9452e', '1794988250881', '2', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eda3-16cf-725a-8aa6-ea0b80270612', '1', '7e929ffa-6ee9-43b4-b392-a969a124941f', 'RunStarted', NULL, '1', '1', '371650f4e9851c9b12352e80a57ed609ee3e301584a35510475f19facfbb48c8', '1794988250832', '{"parsed":true,"codeVersion":"1","from":"none","engine":"01a1eda3-164a-75fd-8d22-22dc6d96a4e5"}', '5dbda9ae7eea26ee7b7085acd83b1d04', 'c420660c91737725da0bd373a98a07b4b747443cbfea4ad1d16a13c3064e0c93', '5c3b7c3b6425b9ec8b2720a2a28cd55c2235bb22323147e013425777e097b64b', '1794988250835', '1', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eda3-16cf-725a-8aa6-ea0b80270612', '2', '54a9858e-e037-4339-9b5d-becb937d0d29', 'StepStarted', 'child', '1', '1', '2319d37581011fc137dd6562d498a661c431842e169ebf91e73eb89a72c52318', '1794988250833', '{"kind":"child","name":"child","digest":"117651691b2a9336f86f4d9b0d54adbaae27db196460c3c4d8f700218d6505ed","child":{"runId":"01a1eda3-16d2-74cf-bf0e-6348cc90ef2c","workflowId":"the-child","workflow":"child"},"input":{"$pawl":"undefined"}}', 'cb6027c2723acaa35f0fbbbe63938cd5', '3cc37320a574f3a3dd115d0602399b739bee491d449f2e5cbd0e0fed73059970', '4c78bf774e39714ccb6d9ea43f8025df857c9608a30154fe250c8cc55db4d52f', '1794988250835', '1', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eda3-16d2-74cf-bf0e-6348cc90ef2c', '1', '920f231e-acb3-4412-b3f6-01ed1115e9e4', 'RunQueued', NULL, '1', '1', '983d306ba8bbe22be2662d1a90edfb43552137ffc43a29908071a353297a4a5b', '1794988250833', '{"input":{"$pawl":"undefined"},"engine":"01a1eda3-164a-75fd-8d22-22dc6d96a4e5"}', 'e41e1730d4927cb1e04352da3bf388cb', '9c33b4f9ebf541d89684fbcf4867a145d50cfcffe5496bae57ee6e1d9d13948a', '4237e2d5cb0d961d86e5cdbbd7782995f14e2ccc428822bfaf16d8ca34fddaed', '1794988250835', '1', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eda3-16d2-74cf-bf0e-6348cc90ef2c', '2', '57315a4e-88e7-40c4-b8a5-c7276f7566ae', 'RunStarted', NULL, '1', '1', '3e2ffad48c2feb48c5a01f9867eb2ddfe29dba0723da391f36ded5129740b496', '1794988250864', '{"parsed":true,"codeVersion":"1","from":"PENDING","engine":"01a1eda3-164a-75fd-8d22-22dc6d96a4e5"}', 'fff7db1449af8a9fd137caa0d5167366', '49595bcf869603326b0442f0f62dc2a96d2de42131bc8722ef3e1a7cb5c88768', '8c25b46aaf76195f7997e734e099d6961bce2a9842a2c05af7b8f54e7523d5ef', '1794988250867', '2', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eda3-16d2-74cf-bf0e-6348cc90ef2c', '3', '73776fc6-2a82-4cac-8e6d-47164255b74d', 'StepStarted', 'answer', '1', '1', '40b645c6c116ea8a911b79d83b8e0173dba0cf07b770965a7a772b7f2ebc944d', '1794988250865', '{"kind":"signal","name":"answer","digest":"6af44cf9a32d7a8596ddd574de00e2d0e036802c46e1f63c4dd7966c382e4c35","signal":"answer"}', '768affa0add93234eae5f6273f47310d', '8f9316da28a2192f28abe13df87da8542cca4a3fb43a4e088ea3c5e0f885447c', 'e7955000e18311d5c21b9abb47a8259594cd2d0684b450653d55444bdfd57de0', '1794988250867', '2', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eda3-1f17-73d9-8bb4-f6e630b23bbe', '1', '77698e2e-78bb-458d-9e80-3c35e24054da', 'RunStarted', NULL, '1', '1', 'f4a1c31ed111833cb1a002b346c468ff4f7792aa0d1ca7c6b47ffffbc276059d', '1794988252952', '{"parsed":true,"codeVersion":"1","from":"none","engine":"01a1eda3-164a-75fd-8d22-22dc6d96a4e5"}', 'c63b351a0e95ac51cc950585449058f4', '47bff10712b9d62c2fad753a40e4cf8c29609c2d1947c9013534d5fb7e51da7c', '548900f25d3fbfdb995371d7facf6da3cb9f48ba61e94c373b949d9b9d57b4b8', '1794988252954', '1', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eda3-1f17-73d9-8bb4-f6e630b23bbe', '2', '175a857d-fd70-40e0-a2b9-4e0c9465a8db', 'StepStarted', 'one', '1', '1', 'bbb13a80c8973e4fa753464d4d78fe2d9c1225a1133b5adc4b7a158b4648fe36', '1794988252952', '{"kind":"effect","name":"one","digest":"65ef844c98b3e85b70e6c5192d76d1b60a81a310e6ba93e27b447a5ad881c94b","class":"UNDECLARED"}', '0155590ab7e241f4da530e290af9ea25', 'f3712e76bfa3a9f82a0c47c7fe985559936ab5866f5625d33d20b936a5982896', 'cb09be07206fb4cca45e53d9a4bc75b503645194819fab1d39a941e661280f27', '1794988252954', '1', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eda3-1f17-73d9-8bb4-f6e630b23bbe', '3', '9c51fe83-3a10-4e99-a293-d247cc8db08d', 'StepCompleted', 'one', '1', '1', '17a0db436b181b62fa56236282bdfeb22a346416e13e2c49c4cf941fe6532b9c', '1794988252957', '{"result":1}', 'a80a320b614d6ffd4d5c397874fa4834', '5258f76a9bc127f79ee145b04ba38243725ff9d442b885ad3884396504731c10', 'e044b55662dcc9d22537fe4a12757df993499d0703adbdbbcaa9ae18c2db2f8c', '1794988252962', '2', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eda3-1f17-73d9-8bb4-f6e630b23bbe', '4', 'e6e20acf-04a2-4b88-826b-857aa60a82dc', 'StepStarted', 'two', '1', '1', '9703d0eff14d17eb9b1d9e12de8e20f899fbfcf74dec46c0cf515cd08431f5c2', '1794988252958', '{"kind":"effect","name":"two","digest":"a98cec722f9d81d928ab82e4904c332bd488d86208c0d5a9e5abed5d03a2c30b","class":"REPEATABLE"}', '740b7d4610f51d8ac919f5d60d58598c', 'b2ab8bf1dc18ed2793a8387b029248076d5ee1c375c8d736dd19f90cd3ea52d4', '30f8674e5a511ed82544369a5bfd6fc89efb3ee91e3280d28190beefd0f57f13', '1794988252962', '2', NULL);
insert into pawl_inbox (inbox_id, run_id, kind, name, id, payload, accepted_at, taken, consumed, wakes, control, reply, dedup_hash, sent_by, payload_digest, rejected) values ('1', '01a1eda3-16be-7121-a1ee-f198cdcb061d', 'signal', 'later', 'later-1', '"first"', '1794988250864', '1', '0', '0', '0', NULL, 'e59f673a03c60dd02d8b4f9ff5f8af2ac09881c8bf08a8c7589ebeb85e0771f6', NULL, 'de5f2cbf4c10a0d146f2a671aac363e8640fefc469ad42ac25364f19e4bc194f', NULL);
insert into pawl_inbox (inbox_id, run_id, kind, name, id, payload, accepted_at, taken, consumed, wakes, control, reply, dedup_hash, sent_by, payload_digest, rejected) values ('2', '01a1eda3-16be-7121-a1ee-f198cdcb061d', 'update', 'rename', 'rename-1', '"Ada"', '1794988250872', '1', '1', '0', '0', '{"ok":true,"result":"renamed Ada"}', '96174688ec23684430ebae1570066563a1ebd436443cacce9dfe2200722b6b40', NULL, 'a39afeed7d3319213be7a235840b3c6d3f09f2810b9c91779f34572b6b36832a', NULL);
insert into pawl_meta (one, format, oldest_reader, oldest_writer, incarnation, store_id, identity, feed) values ('1', '8', '1', '8', '1', 'bac6b984-0363-47ca-933b-b412ac43eeb9', 'mysql:UggsjY+02MDkSzvKq/pG0YUJnA8=/var/lib/mysql//pawl_test_fc6daa4f5a30b864/pawl_', '0');
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, long_texts, origin, expired_at, purged_at, error_code) values ('01a1eda3-0eab-70e1-9a6e-b71bf909f493', 'default/default/default', 'doubtful', '1', 'doubtful', '1', 'RUNNING', 'decision', '01a1eda3-164a-75fd-8d22-22dc6d96a4e5', '2', '4b39efa4e7c4fa01492eb13195cd4e2a', '3', 'a3ca04a9-dfa6-4da6-a204-6f0586a8af1a', '5', '8767530a3f56a7ee4a2538cd6c2ab0e6b43aef3f3f4f90ced40b5746c546e69a', '1794988252792', NULL, '1794988248760', NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1eda3-0eab-70e1-9a6e-b71bf909f493', NULL, NULL, '0', '0', NULL, 'engine', NULL, NULL, NULL);
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, long_texts, origin, expired_at, purged_at, error_code) values ('01a1eda3-168f-740b-87f4-975691663f85', 'default/default/default', 'settled', '1', 'settled', '1', 'COMPLETED', NULL, NULL, '1', '8ebdfab3ce968723bf94fe476a372f50', '2', '4bec834a-6572-4ce8-9e55-2a1a66da2fd9', '5', '76d98f0579694589dfdb562d544a5b5ea8e5d02bcf5d21cbb88e7214b1925283', '1794988250800', NULL, '1794988250785', NULL, '{"kind":"kept"}', '6f4b6612125fb3a0daecd2799dfd6c9c299424fd920f9b308110a2c1fbd8f443', 'settled-once', NULL, '01a1eda3-168f-740b-87f4-975691663f85', NULL, NULL, '0', '0', NULL, 'engine', NULL, NULL, NULL);
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, long_texts, origin, expired_at, purged_at, error_code) values ('01a1eda3-16b7-7224-8aec-938f5c6bde07', 'default/default/default', 'sleeping', '1', 'sleeping', '1', 'RUNNING', 'timer', '01a1eda3-164a-75fd-8d22-22dc6d96a4e5', '1', 'f1c39404ab2e9e7c1f2457b573f1166c', '2', '51b158f1-0730-4824-b103-a661a65e5b5c', '4', 'e219567084029a52eddc6f25c975ca80939eeb466c45b4a45ebd198af3935454', '1794988250821', '1794988255821', '1794988250810', NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1eda3-16b7-7224-8aec-938f5c6bde07', NULL, NULL, '0', '0', NULL, 'engine', NULL, NULL, NULL);
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, long_texts, origin, expired_at, purged_at, error_code) values ('01a1eda3-16be-7121-a1ee-f198cdcb061d', 'default/default/default', 'listening', '1', 'listening', '1', 'RUNNING', 'signal', '01a1eda3-164a-75fd-8d22-22dc6d96a4e5', '1', '3de251e3cd3336f2d9f1e18e93220ef0', '2', 'ffe02782-67bd-4445-9c8b-01ec763c5351', '5', '8d2a39b082e03551318eef86ff6ecc990af450ef106caf7811b65d2757d9452e', '1794988250881', NULL, '1794988250825', NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1eda3-16be-7121-a1ee-f198cdcb061d', NULL, NULL, '0', '0', NULL, 'engine', NULL, NULL, NULL);
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, long_texts, origin, expired_at, purged_at, error_code) values ('01a1eda3-16cf-725a-8aa6-ea0b80270612', 'default/default/default', 'parent', '1', 'parent', '1', 'RUNNING', 'child', '01a1eda3-164a-75fd-8d22-22dc6d96a4e5', '1', 'cc0b6169fe504e6861d624175b1c26a4', '1', '49683473-5f8e-4d7a-bfd5-3a768d503444', '2', '4c78bf774e39714ccb6d9ea43f8025df857c9608a30154fe250c8cc55db4d52f', '1794988250835', NULL, '1794988250835', NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1eda3-16cf-725a-8aa6-ea0b80270612', NULL, NULL, '0', '0', NULL, 'engine', NULL, NULL, NULL);
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, long_texts, origin, expired_at, purged_at, error_code) values ('01a1eda3-16d2-74cf-bf0e-6348cc90ef2c', 'default/default/default', 'the-child', '1', 'child', '1', 'RUNNING', 'signal', '01a1eda3-164a-75fd-8d22-22dc6d96a4e5', '1', '62ceb2af3fade0c64fd11e480d6e0ae5', '2', '61d7485e-726e-40b5-9690-3c5f97f8804e', '3', 'e7955000e18311d5c21b9abb47a8259594cd2d0684b450653d55444bdfd57de0', '1794988250867', NULL, '1794988250835', NULL, '{}', '66fb24cb21354877635a93dab77577d75c67408441b22f433c4c30e6506f15c3', NULL, NULL, '01a1eda3-16d2-74cf-bf0e-6348cc90ef2c', '01a1eda3-16cf-725a-8aa6-ea0b80270612', 'child', '0', '0', NULL, 'engine', NULL, NULL, NULL);
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, long_texts, origin, expired_at, purged_at, error_code) values ('01a1eda3-1f17-73d9-8bb4-f6e630b23bbe', 'default/default/default', 'halfway', '1', 'halfway', '1', 'RUNNING', NULL, '01a1eda3-164a-75fd-8d22-22dc6d96a4e5', '1', '143d03ae7ee6301c62b7b416b898d616', '2', 'ea7fd49c-02af-4da3-88c0-53a7e1af310f', '4', '30f8674e5a511ed82544369a5bfd6fc89efb3ee91e3280d28190beefd0f57f13', '1794988252962', '1794988252954', '1794988252954', NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1eda3-1f17-73d9-8bb4-f6e630b23bbe', NULL, NULL, '0', '0', NULL, 'engine', NULL, NULL, NULL);
insert into pawl_shelves (shelf, shelf_key, value, version, put_at) values ('messages:default/default/default', 'child/1', '{"workflow":"child","version":"1","input":{"name":"input","schema":{},"whole":true},"signals":[{"name":"answer","schema":{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"number"},"required":true,"whole":true}],"updates":[],"views":[]}', '1', '1794988248708');
insert into pawl_shelves (shelf, shelf_key, value, version, put_at) values ('messages:default/default/default', 'doubtful/1', '{"workflow":"doubtful","version":"1","input":{"name":"input","schema":{},"whole":true},"signals":[],"updates":[],"views":[]}', '1', '1794988248708');
insert into pawl_shelves (shelf, shelf_key, value, version, put_at) values ('messages:default/default/default', 'halfway/1', '{"workflow":"halfway","version":"1","input":{"name":"input","schema":{},"whole":true},"signals":[],"updates":[],"views":[]}', '1', '1794988248708');
insert into pawl_shelves (shelf, shelf_key, value, version, put_at) values ('messages:default/default/default', 'listening/1', '{"workflow":"listening","version":"1","input":{"name":"input","schema":{},"whole":true},"signals":[{"name":"go","schema":{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"string"},"required":true,"whole":true},{"name":"later","schema":{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"string"},"required":true,"whole":true}],"updates":[{"name":"rename","schema":{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"string"},"required":true,"whole":true}],"views":[{"name":"name","schema":{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"string"},"required":true,"whole":true}]}', '1', '1794988248708');
insert into pawl_shelves (shelf, shelf_key, value, version, put_at) values ('messages:default/default/default', 'parent/1', '{"workflow":"parent","version":"1","input":{"name":"input","schema":{},"whole":true},"signals":[],"updates":[],"views":[]}', '1', '1794988248708');
insert into pawl_shelves (shelf, shelf_key, value, version, put_at) values ('messages:default/default/default', 'settled/1', '{"workflow":"settled","version":"1","input":{"name":"input","schema":{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"number"},"required":true,"whole":true},"signals":[],"updates":[],"views":[{"name":"seen","schema":{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"number"},"required":true,"whole":true}]}', '1', '1794988248708');
insert into pawl_shelves (shelf, shelf_key, value, version, put_at) values ('messages:default/default/default', 'sleeping/1', '{"workflow":"sleeping","version":"1","input":{"name":"input","schema":{},"whole":true},"signals":[],"updates":[],"views":[]}', '1', '1794988248708');
insert into pawl_views (run_id, name, value) values ('01a1eda3-168f-740b-87f4-975691663f85', 'seen', '21');
insert into pawl_views (run_id, name, value) values ('01a1eda3-16be-7121-a1ee-f198cdcb061d', 'name', '"Ada"');
