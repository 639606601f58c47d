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
  KEY `parent` (`parent_run_id`,`created_at`,`run_id`)
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
  PRIMARY KEY (`run_id`,`seq`),
  KEY `by_key` (`scope`,`effect_key`),
  KEY `by_phase` (`scope`,`phase`),
  KEY `by_receiver` (`scope`,`receiver`)
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

insert into pawl_accepted (key_hash, storage_key, accepted_at, expires_at, run_id, inbox_id, version, response) values ('96174688ec23684430ebae1570066563a1ebd436443cacce9dfe2200722b6b40', 'upd:default:default:default:listening:rename:rename-1', '1794945658366', NULL, '01a1eb19-2db8-77cc-bfa7-6fe551dfc43f', '2', '1', '{"accepted":true,"workflowId":"listening","signalName":"rename","signalId":"rename-1","acceptedAt":"2026-11-17T20:00:58.366Z","signalStorageKey":"upd:default:default:default:listening:rename:rename-1"}');
insert into pawl_accepted (key_hash, storage_key, accepted_at, expires_at, run_id, inbox_id, version, response) values ('e59f673a03c60dd02d8b4f9ff5f8af2ac09881c8bf08a8c7589ebeb85e0771f6', 'sig:default:default:default:listening:later:later-1', '1794945658347', NULL, '01a1eb19-2db8-77cc-bfa7-6fe551dfc43f', '1', '1', '{"accepted":true,"workflowId":"listening","signalName":"later","signalId":"later-1","acceptedAt":"2026-11-17T20:00:58.347Z","signalStorageKey":"sig:default:default:default:listening:later:later-1"}');
insert into pawl_effects (run_id, seq, version, scope, workflow_id, step_id, name, class, effect_key, args_digest, status, phase, attempts, engine_attempts, error, event_seq, created_at, updated_at, receiver) values ('01a1eb19-25d0-71c0-a9ba-b17d3e66f88e', '4', '1', 'default/default/default', 'doubtful', 'charge', 'charge', 'AT-MOST-ONCE', 'pawl-d4d81f0903907c0a63ec8d8b658d035e6fd7ebed9477ca2dd90e37cfb15c2e5a', NULL, 'indeterminate', 'doubt', '1', '1', '{"code":"PAWL2001","reason":"it began and nobody recorded how it ended"}', '5', '1794945656287', '1794945660236', NULL);
insert into pawl_engines (engine_id, lease_until, renewed_at, session_boot, dead, serves, scope, kind, works) values ('01a1eb19-25a1-77e3-8a7e-512cd9d81fab', '1794945666260', '1794945656260', '1794945651000', '1', '[{"workflow":"settled","version":"1"},{"workflow":"sleeping","version":"1"},{"workflow":"listening","version":"1"},{"workflow":"doubtful","version":"1"},{"workflow":"halfway","version":"1"},{"workflow":"child","version":"1"},{"workflow":"parent","version":"1"}]', 'default/default/default', 'engine', NULL);
insert into pawl_engines (engine_id, lease_until, renewed_at, session_boot, dead, serves, scope, kind, works) values ('01a1eb19-2d1f-7212-89c6-86199c025335', '1794945670236', '1794945660236', '1794945651000', '0', '[{"workflow":"settled","version":"1"},{"workflow":"sleeping","version":"1"},{"workflow":"listening","version":"1"},{"workflow":"doubtful","version":"1"},{"workflow":"halfway","version":"1"},{"workflow":"child","version":"1"},{"workflow":"parent","version":"1"}]', 'default/default/default', 'engine', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eb19-25d0-71c0-a9ba-b17d3e66f88e', '1', '72722b8c-bca0-4fc6-89f0-314f7beee468', 'RunStarted', NULL, '1', '1', 'e4d948c2cfb87d33e57ffefefadbdc1eed9314544f6ccb041864c3440e82210d', '1794945656273', '{"parsed":true,"codeVersion":"1","from":"none","engine":"01a1eb19-25a1-77e3-8a7e-512cd9d81fab"}', 'c14ecb0ac0449c3fbaa7a115cfda4497', 'd0333ee4dd3b5f438f6e1b35636fadf9567b85a070dcc2832fdce64199806b0e', '37e5e38bc08ba9d09627436d8987e1f37b82c221126e1037fda0467a844b407d', '1794945656279', '1', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eb19-25d0-71c0-a9ba-b17d3e66f88e', '2', '2980b6ca-98d0-42a4-9abe-02292b310692', 'StepStarted', 'order', '1', '1', '0af24fdd07beaf9062642575b2a4a8957feea1dd0a152e880bcf53caec2b629b', '1794945656276', '{"kind":"effect","name":"order","digest":"799d7256bcab06d415e9f017db67b402ee0091972b47d904f8ff7accea7f6687","class":"UNDECLARED"}', '688fbc140aecae9d9f04c5bf65eb0589', 'c070f4c06eba7e524a8b7d79d6c314cc66a37fa2c1c5ffcda5d1cc5badf82939', '5227797d358e6fb2c05e2fa61b46f8e278541f9845cdafd47f6b75a5fb5a3a7f', '1794945656279', '1', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eb19-25d0-71c0-a9ba-b17d3e66f88e', '3', '8f745639-15ed-48f1-8b95-04b41f684480', 'StepCompleted', 'order', '1', '1', 'd4fa84c18a880df55f87d11e4736d3c276d8d37941131c6ee08ea6c12a31fa58', '1794945656284', '{"result":7}', '204675a3123b198bc23995956ebd53ce', '171be1ad85bf451e5b7e0c00cbde04f1db641533a5f3939143d5471fa04fa036', 'e0acec1013086ee44bbcbca82ebbdba9d1e1874ab881c7741a09618497656dad', '1794945656287', '2', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eb19-25d0-71c0-a9ba-b17d3e66f88e', '4', 'c2bf35ee-6580-44c8-bde8-6ea5532f1fb3', 'StepStarted', 'charge', '1', '1', '6e68ec0356e0e5782c1dad36f20fa4168e85878b7a4acd7961fb4d6dbdff36b4', '1794945656285', '{"kind":"effect","name":"charge","digest":"2ec79112be9dddff500c39c27d48b690db462962e412c10028ff5eeaf2d040b9","class":"AT-MOST-ONCE","timeoutMs":60000}', 'b2dc77c9e113fbb894c843dfa67f7c9c', '3d9fc22f5b4f13b3e05dfb5129efde0c1842a6df736d430f16d29cfba9f6b390', '5804811b7306547776b7ebf26f669f0eecd83653bff6b0e0ed74295b9bd9651e', '1794945656287', '2', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eb19-25d0-71c0-a9ba-b17d3e66f88e', '5', '4978f450-1764-4eb8-bef3-7bc2571fcf25', 'pawl.StepInDoubt', NULL, '1', '1', '57b822a5a58657871c8e62cf7b24f9313070bff377169a7d63628d73438ee8e4', '1794945660228', '{"stepId":"charge","reason":"it began and nobody recorded how it ended","code":"PAWL2001"}', '2ebd3dfcc2990c56b89994917276bd7c', '87721df599dd2c2f686ad3fc2c80a8afbbe1506c59561c0084dab6440ffa3cb5', 'f86fb1e0c2f7a12513aba44f290fffd9ca7b9f0def7daf4d31601d66efa5c05c', '1794945660236', '3', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eb19-2d54-7029-9320-b4ad866e749b', '1', '38e72249-d0b3-49fb-b317-f583c7ba7285', 'RunStarted', NULL, '1', '1', '496f1142b0517afe3a0ba4542365d71bbd0136dd2b2c0a6fd714ff0847f9f77c', '1794945658203', '{"input":21,"parsed":true,"codeVersion":"1","request":"f351952114dbc24faebe50a8d9d74873e8b8227323b2193a81c35e4441fa6314","from":"none","engine":"01a1eb19-2d1f-7212-89c6-86199c025335"}', 'e4577b1e491af9371a37f9a85a7bc067', 'a05495bf3c343edcfa0b2237c24dc9eecf9c09720e0198e5ff986a03ee81b69b', '90e2a40f24c36502b201fa8e38a707d5555b4d221978bb396a8e3a4e90a9d74d', '1794945658229', '1', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eb19-2d54-7029-9320-b4ad866e749b', '2', 'a0e1013b-b68b-424b-b827-488041fa3904', 'pawl.ViewPublished', NULL, '1', '1', '66bad53b8ef04842d4189d36b551bb860fa9f64b1a88f750d4ea687b6afc1bf4', '1794945658215', '{"name":"seen","value":21}', '3922f561d4f174779d01a7d61c72026d', 'd3f7719e0233e0636515cb5ed83db1d2271eb3b395000cb841024f02eea0894f', '4455f87a20c5d1e53177e64c8f033fb5dae2ee779b76fa7b0d6b2388c9ddad96', '1794945658229', '1', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eb19-2d54-7029-9320-b4ad866e749b', '3', '7fc76219-5bf9-4700-a301-2302c2861b3c', 'StepStarted', 'double', '1', '1', 'b0fb5db8ead236fb28e5849281c1610841b1aaf70f46e5e1ae713f5212c4a06c', '1794945658223', '{"kind":"effect","name":"double","digest":"ee9ff8738b77f6cb9c3d0cd45ac165bc9e65f949afd79b7dd809848242b0b772","class":"UNDECLARED"}', '1a8ecca608daa9183bac60efc93a4da8', 'b32437f3fbf2ad3d7f8be27132893837d0d35f78ee08b14fc62bc880e4634e38', '269f68a350f195657d5c585291e9c2adcdf51b552385d8e6be4abb83814a1af3', '1794945658229', '1', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eb19-2d54-7029-9320-b4ad866e749b', '4', 'accfe4ef-2913-4212-a5b0-c301e188ce56', 'StepCompleted', 'double', '1', '1', '04d1b28d12ed8f2d7b45e5e2b33360a68fd1bd9b083a5cec78b0ca9123ed30e2', '1794945658271', '{"result":42}', 'c9ef5042932a6eead1669f5a3abd42e8', '97e328467930d0660c30798ec9a9c993ee1aa1874c850d266a5080203dc0be81', 'eb717d5e0549ecd98c0586bd046433dcf88dec2293fe08ad32154e5f1794cf24', '1794945658274', '2', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eb19-2d54-7029-9320-b4ad866e749b', '5', '0730fd3b-1776-47b3-be02-f6d587186649', 'RunCompleted', NULL, '1', '1', '27181655ddf346a7d720cfe44d49cdcc3a20fe6309d12993a1e3bdc12e655c1e', '1794945658272', '{"result":42,"from":"RUNNING","engine":"01a1eb19-2d1f-7212-89c6-86199c025335","settledAt":1794945658272}', '3f5f2415759aaa0c5bad2d3e07581941', '0b189d01ca6d5fca4a162790339eac68c2e06020cb71f60ad53b520c50fcd490', 'b69098ab05a32e7edce8653d335b1ea9cfd9e985a5f89632dd6b574eaf780dff', '1794945658274', '2', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eb19-2dac-70d9-bf2c-8f0236a07a4c', '1', 'fdba47c3-fd1b-484c-92f6-4e961563cff2', 'RunStarted', NULL, '1', '1', '749544050b78561f950d22d2b60d82b52f7e007378e603783bdaa582bb391240', '1794945658287', '{"parsed":true,"codeVersion":"1","from":"none","engine":"01a1eb19-2d1f-7212-89c6-86199c025335"}', 'acb87ca092d15d233c5b1a602501d416', '149ae800d2f527e94096cd128dd504f3747b046a0d6e4d805a9c9dd1d8b1432a', '45e33ed9fcbe229d8818f7d380b9ee6e1c4faccd50576402d9f02a9d6b928bda', '1794945658289', '1', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eb19-2dac-70d9-bf2c-8f0236a07a4c', '2', 'c39cc3d5-61a6-44fe-b964-bbcb5c3cad5d', 'StepStarted', 'before', '1', '1', '3417461f4f6ebafcba9c86efa26dd7c4dd0febc33cf70cf6d0d70f36bdf06f9c', '1794945658288', '{"kind":"effect","name":"before","digest":"05bfe291a21a0d1f5f4657f5211cbe8150d540997b33667c9d3ea79321335833","class":"UNDECLARED"}', '38c9729189261f49f9f36556191b90bf', '14eddb5b5bdbe6d564221d713d4d4792b7cce5a02ab8e8543c1bff4876444f59', '0f70e2606efbf3ef600c27d76d9bfc162d268ac47ccfa0d5bbb7447bae46e814', '1794945658289', '1', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eb19-2dac-70d9-bf2c-8f0236a07a4c', '3', 'cf67239f-f698-4630-a5e6-7e5adfbb4db3', 'StepCompleted', 'before', '1', '1', '651bbbd7ff333b4f7922020069e4cf1632dc113563e4f08e5498a42d5811e9f4', '1794945658295', '{"result":"slept"}', 'b7b69f05365fd15d92faa26bf16757b0', '504a174e6d92c1eaef5e3b8cfa194142228684e11781fda3030ac1ca6487d9d1', 'be421fef65c3e5663aeffdf1f730a4fc2f6f61a6e6f05bf9fc1e437374c73a7b', '1794945658297', '2', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eb19-2dac-70d9-bf2c-8f0236a07a4c', '4', '8c4ec82f-f311-4457-b223-372958ca538c', 'StepStarted', 'nap', '1', '1', '16008126b273c8d83b1f9438bd83f71b7f818ede0dd789089f732d0d020a3908', '1794945658296', '{"kind":"timer","name":"nap","digest":"538b904f34061c9af68dfac9bc3e3f2aa12c8f0274ac1a58dec9793584cd778e","delayMs":5000}', '06868c4a5a14734342c25efa23cd4eb5', '5422ca2044da6f142f4b2dab0ee48b5205af89ccb42d6990bb377414ac3689ba', 'ff63ccc3ccef3096fa7d60479cfa473b56e23e05bfd57b6f55736d587ecf1d04', '1794945658297', '2', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eb19-2db8-77cc-bfa7-6fe551dfc43f', '1', 'd8045a2a-e42b-4248-978d-ded9f5b1c959', 'RunStarted', NULL, '1', '1', '0772ba5d99493c26ebab5705f70ed158caccafe5aed15d29d21a8f7fcc5ecb7e', '1794945658296', '{"parsed":true,"codeVersion":"1","from":"none","engine":"01a1eb19-2d1f-7212-89c6-86199c025335"}', 'cce9a29d66380509dfeaff958574ff64', '70750631cfa972399b34d58e818da6b4a2e6e7c49adf21a4a3556f97ead6c780', 'f1bca8590d40b975336ebb435e7e6f3e752afd88f6e9090a0db6663bf29dc94f', '1794945658300', '1', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eb19-2db8-77cc-bfa7-6fe551dfc43f', '2', '91c66d47-a48c-4dfe-9217-19e5fa7ca181', 'StepStarted', 'go', '1', '1', '544251308cf76e0b8f176af63a539c68d07924c12800dab43487ab4603070a58', '1794945658297', '{"kind":"signal","name":"go","digest":"3f5b2441e270ad2f461312a47e3f1f735c673b3b83fdb595499e9ce0c6e46d28","signal":"go"}', 'f2f045d36b7915cee1888e8306689e35', '0abcef3990fc924adbbf7083ce84d849d7ce7db3db3218be65f2ef97de53cb97', '51889f9b2ce71c7be9b97448ab6e9dada71591f4c8b19772182e620296cb882c', '1794945658300', '1', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eb19-2db8-77cc-bfa7-6fe551dfc43f', '3', '13d2dbde-a191-4cff-88b4-57580f20d900', 'pawl.UpdateAccepted', NULL, '1', '1', '4b57f0a186c6bff93d690299c508b25bfa9e11c04b99013d8ff9ae3737b821a9', '1794945658371', '{"updateId":"rename-1","name":"rename","inboxId":2,"input":"Ada"}', '6e939a710d565050fced197235396eab', '333bc101720771a12f929c735d3badca4f1b07eae53d3382b15e789138c04389', 'c091327cc91e213f3ee56e3de48e7936a323a615f28c21916e2f0b1b7b5e037f', '1794945658374', '2', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eb19-2db8-77cc-bfa7-6fe551dfc43f', '4', '8c04a90b-6e2f-4d14-ba71-2a5655b7dcf3', 'pawl.ViewPublished', NULL, '1', '1', '33414cbcece4fa62025f801b8947cefa81b3e202bb8b2aafefbdd03c93aac1bf', '1794945658371', '{"name":"name","value":"Ada"}', '114dfa0b80856539c7e4f56a748a9166', '83d1672a41d7312d300d3534cd3bd3f6ae459c8f15432c4720cd8858db94e628', '686759179fe2e82a05606f0fd11cd35992b229c09be38ac91d3553fdd2f628b9', '1794945658374', '2', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eb19-2db8-77cc-bfa7-6fe551dfc43f', '5', '0a3a726e-3222-4b0b-a9ab-23a6bfd68c3d', 'pawl.UpdateCompleted', NULL, '1', '1', 'bde82c61baedaf3670ac83c5e4d65cd313b5f73a6f1d06856646ffc3f7922ae5', '1794945658371', '{"updateId":"rename-1","answer":{"ok":true,"result":"renamed Ada"}}', 'ce3c48a5dcc972cd0a455feac3ad72fc', '1dcc67296a602b1aec8fd3a0b3172061fbdb30cd7c2ca54d793d76645d24d151', '3bb75b47386cc116cb766d5a0f5a2ff9f6587398722971384ba648fd7f42238f', '1794945658374', '2', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eb19-2dbe-74fc-a4ae-e37b974ddd19', '1', '2a0a719c-4c24-4d23-86de-71e96b21be6a', 'RunStarted', NULL, '1', '1', 'a795b8ab2861a772f71883cfd78848a5be5c8303dfba2a65651fed617e621106', '1794945658310', '{"parsed":true,"codeVersion":"1","from":"none","engine":"01a1eb19-2d1f-7212-89c6-86199c025335"}', '7fa00fa24279397a1b0973a3840ba15d', '27869d9ecd2f1ec0528cf7f635cd592fb2e7b9580a5f7ad3fb100d912e5b030e', '4882da60f05f46ed26fd4b34d053a232450e1a4acc1ae74b543080f7bf6a5063', '1794945658318', '1', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eb19-2dbe-74fc-a4ae-e37b974ddd19', '2', 'cdc327b6-dacf-4ed9-a1eb-447371ecf397', 'StepStarted', 'child', '1', '1', 'cb8d94093ccf8db627b4d2b7165be2d399a003452c23874e82525363b54f2dd8', '1794945658315', '{"kind":"child","name":"child","digest":"117651691b2a9336f86f4d9b0d54adbaae27db196460c3c4d8f700218d6505ed","child":{"runId":"01a1eb19-2dcc-72e6-86c3-7743989a76c0","workflowId":"the-child","workflow":"child"},"input":{"$pawl":"undefined"}}', '6f0507b41f413824c2eb2563981515a5', '36468f9bc6e50dabe4d02159eb8729aac0e1aeecaacc61c0915fe00088b96348', '99a66323946f91485f37cc138027edfc4d8ec29074b594218e2d7aa662ac08aa', '1794945658318', '1', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eb19-2dcc-72e6-86c3-7743989a76c0', '1', '9fb8b332-686a-45f0-acf1-d61b84a4503e', 'RunQueued', NULL, '1', '1', 'e1b13746e5e8838b13c39c7962b93dd266499366c3083a2d51baafcf0b2b4d72', '1794945658315', '{"input":{"$pawl":"undefined"},"engine":"01a1eb19-2d1f-7212-89c6-86199c025335"}', 'e85fb455d7035c65b0f6ff3ff1c59273', '31a51405118382a3a1219f4f0e9c37b44918b02a9815547c013ced83214cc61c', 'bdb8f8468ed7290c86702179dead468cd314a262a520a5c16a8de047060fb1d4', '1794945658318', '1', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eb19-2dcc-72e6-86c3-7743989a76c0', '2', '1d00b3f4-917d-495a-8dee-0f69d6fe80fa', 'RunStarted', NULL, '1', '1', 'bd21f0b34509d32d3a28d25246d541f5fa850f0756b69539ff8fafd42868df05', '1794945658360', '{"parsed":true,"codeVersion":"1","from":"PENDING","engine":"01a1eb19-2d1f-7212-89c6-86199c025335"}', '15f0e34b66741b51fa882532caca3f18', '5bd5ad77a99c30dfa44fc72f8fdd38ee3872e7c70ba9325848881e7106441e51', '2f461e9e20f4e53be2f480ce1bc38be8b09238f3d524d0663d793788bb049ca7', '1794945658364', '2', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eb19-2dcc-72e6-86c3-7743989a76c0', '3', '9fe4ae41-304b-4c80-9c00-ab98e3296320', 'StepStarted', 'answer', '1', '1', '0c74dad411fe0c596fca679e66de911c767812943a0e5417c16ddad372409dc9', '1794945658361', '{"kind":"signal","name":"answer","digest":"6af44cf9a32d7a8596ddd574de00e2d0e036802c46e1f63c4dd7966c382e4c35","signal":"answer"}', '173a4d157932a983c360ec9f2bbc44ad', 'b7e23573fac40a6b86a4531a018c0847c401d48156d929f8e93700292d149b6b', 'af8dc8f19c636c57591dabfa9fdb1965567bfd00517ffa0e866eea3bad641a67', '1794945658364', '2', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eb19-3595-75fc-9fb2-4cb0e1f60d86', '1', '2d82dd96-da03-4d03-ae36-ede216d2696e', 'RunStarted', NULL, '1', '1', '5beb4490f94611710392687f4d2ce42b666cac9d62c0b4a94a1e629e753b38cd', '1794945660309', '{"parsed":true,"codeVersion":"1","from":"none","engine":"01a1eb19-2d1f-7212-89c6-86199c025335"}', '3bcc2e3f186ce178e7ea0d1503e3df03', '68aa789cfd174e5c9e4453978bcaeb9ddbdcd67d2fe355afe6ffce1193b12388', '5fccf46d147a1fdf03f0cc46ed0c82c6232fb79a864e1b71e6ef79de89723b49', '1794945660313', '1', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eb19-3595-75fc-9fb2-4cb0e1f60d86', '2', 'd67d6902-8563-4f17-8644-1100493cd8d1', 'StepStarted', 'one', '1', '1', '7a9eccc8dbbd81b4debebdf7b4a3eb45e0e86b473d5197da3c0b71f123b25e05', '1794945660310', '{"kind":"effect","name":"one","digest":"65ef844c98b3e85b70e6c5192d76d1b60a81a310e6ba93e27b447a5ad881c94b","class":"UNDECLARED"}', '4d34bd48d2fc4e8e76e4042e76fe4772', '2c6a9de346696a819367be86890a5392f4c96035d7c5b03469c99024b1c5dd8e', '66d434f3e0078ac19ad17a40de9f27c3e015fc9c22c85ac4312d0f92a1f12bbf', '1794945660313', '1', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eb19-3595-75fc-9fb2-4cb0e1f60d86', '3', 'f4838e3c-cdd3-4e0d-9cad-96b34c13ac17', 'StepCompleted', 'one', '1', '1', 'e631d341e2d06afed8240922a4d464dc7d1ccdf1d756d34810776049a2bd9dc5', '1794945660314', '{"result":1}', '517435250df2a044bc2922a6f6f39020', '8e2d0664a844761123850ff92c23221663cc1800ff10cc61033683ace0fca916', 'bf7f849d5fd19e0f61089ecfd04c55ba2d7c97676e9dc845033dbdb08177d97a', '1794945660316', '2', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1eb19-3595-75fc-9fb2-4cb0e1f60d86', '4', '0309aacf-2365-48c2-96e8-20a5dff7b8f8', 'StepStarted', 'two', '1', '1', '37479f1e2702555cebda09d9d908f0fbecb2e8b2308765245a98628e043aadf9', '1794945660315', '{"kind":"effect","name":"two","digest":"a98cec722f9d81d928ab82e4904c332bd488d86208c0d5a9e5abed5d03a2c30b","class":"REPEATABLE"}', '9fde4391abc65f55df3d1bb5e1f094ff', '17f1edc73ec91760a750b42f344dca546ceb4016db2e2ca259451f0c3469b69c', 'd7b7a47aea041e84322138cf1d41fe14a73fe444911938fd4e759f04ab150936', '1794945660316', '2', NULL);
insert into pawl_inbox (inbox_id, run_id, kind, name, id, payload, accepted_at, taken, consumed, wakes, control, reply, dedup_hash, sent_by, payload_digest, rejected) values ('1', '01a1eb19-2db8-77cc-bfa7-6fe551dfc43f', 'signal', 'later', 'later-1', '"first"', '1794945658347', '1', '0', '0', '0', NULL, 'e59f673a03c60dd02d8b4f9ff5f8af2ac09881c8bf08a8c7589ebeb85e0771f6', NULL, 'de5f2cbf4c10a0d146f2a671aac363e8640fefc469ad42ac25364f19e4bc194f', NULL);
insert into pawl_inbox (inbox_id, run_id, kind, name, id, payload, accepted_at, taken, consumed, wakes, control, reply, dedup_hash, sent_by, payload_digest, rejected) values ('2', '01a1eb19-2db8-77cc-bfa7-6fe551dfc43f', 'update', 'rename', 'rename-1', '"Ada"', '1794945658366', '1', '1', '0', '0', '{"ok":true,"result":"renamed Ada"}', '96174688ec23684430ebae1570066563a1ebd436443cacce9dfe2200722b6b40', NULL, 'a39afeed7d3319213be7a235840b3c6d3f09f2810b9c91779f34572b6b36832a', NULL);
insert into pawl_meta (one, format, oldest_reader, oldest_writer, incarnation, store_id, identity, feed) values ('1', '8', '1', '8', '1', 'aeefc0dd-950c-4755-b029-b1b79005c8df', 'mysql:p39hHTxm7QX/VWPb9cqzCR4tRzg=/var/lib/mysql//pawl_test_66e93b4f9d5ac253/pawl_', '0');
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, long_texts, origin, expired_at, purged_at, error_code) values ('01a1eb19-25d0-71c0-a9ba-b17d3e66f88e', 'default/default/default', 'doubtful', '1', 'doubtful', '1', 'RUNNING', 'decision', '01a1eb19-2d1f-7212-89c6-86199c025335', '2', '850da70c2628dd358ec5492f0ab75a84', '3', '7e2b1a7a-9171-4447-b072-b9358802afb1', '5', 'f86fb1e0c2f7a12513aba44f290fffd9ca7b9f0def7daf4d31601d66efa5c05c', '1794945660236', NULL, '1794945656279', NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1eb19-25d0-71c0-a9ba-b17d3e66f88e', NULL, NULL, '0', '0', NULL, 'engine', NULL, NULL, NULL);
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, long_texts, origin, expired_at, purged_at, error_code) values ('01a1eb19-2d54-7029-9320-b4ad866e749b', 'default/default/default', 'settled', '1', 'settled', '1', 'COMPLETED', NULL, NULL, '1', '5e09bcebed969fd7b693da151d5a9efc', '2', '8f0778fd-f2dd-4e33-866b-6210e0ab4b8b', '5', 'b69098ab05a32e7edce8653d335b1ea9cfd9e985a5f89632dd6b574eaf780dff', '1794945658274', NULL, '1794945658229', NULL, '{"kind":"kept"}', '6f4b6612125fb3a0daecd2799dfd6c9c299424fd920f9b308110a2c1fbd8f443', 'settled-once', NULL, '01a1eb19-2d54-7029-9320-b4ad866e749b', NULL, NULL, '0', '0', NULL, 'engine', NULL, NULL, NULL);
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, long_texts, origin, expired_at, purged_at, error_code) values ('01a1eb19-2dac-70d9-bf2c-8f0236a07a4c', 'default/default/default', 'sleeping', '1', 'sleeping', '1', 'RUNNING', 'timer', '01a1eb19-2d1f-7212-89c6-86199c025335', '1', 'b312fbfc8d823ce219867db2a991a208', '2', 'a64e4421-7bc0-4304-860c-8dbd75f3d7db', '4', 'ff63ccc3ccef3096fa7d60479cfa473b56e23e05bfd57b6f55736d587ecf1d04', '1794945658297', '1794945663297', '1794945658289', NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1eb19-2dac-70d9-bf2c-8f0236a07a4c', NULL, NULL, '0', '0', NULL, 'engine', NULL, NULL, NULL);
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, long_texts, origin, expired_at, purged_at, error_code) values ('01a1eb19-2db8-77cc-bfa7-6fe551dfc43f', 'default/default/default', 'listening', '1', 'listening', '1', 'RUNNING', 'signal', '01a1eb19-2d1f-7212-89c6-86199c025335', '1', 'adcd68b8acf21b3a98f0e821ef00f4e7', '2', 'f35ada27-1677-481e-a87d-f830aae84ece', '5', '3bb75b47386cc116cb766d5a0f5a2ff9f6587398722971384ba648fd7f42238f', '1794945658374', NULL, '1794945658300', NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1eb19-2db8-77cc-bfa7-6fe551dfc43f', NULL, NULL, '0', '0', NULL, 'engine', NULL, NULL, NULL);
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, long_texts, origin, expired_at, purged_at, error_code) values ('01a1eb19-2dbe-74fc-a4ae-e37b974ddd19', 'default/default/default', 'parent', '1', 'parent', '1', 'RUNNING', 'child', '01a1eb19-2d1f-7212-89c6-86199c025335', '1', '6f5b885adf8e895f7d348373952fd771', '1', '9ae8bc8c-3abe-40e2-8a5a-c70915f01ad5', '2', '99a66323946f91485f37cc138027edfc4d8ec29074b594218e2d7aa662ac08aa', '1794945658318', NULL, '1794945658318', NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1eb19-2dbe-74fc-a4ae-e37b974ddd19', NULL, NULL, '0', '0', NULL, 'engine', NULL, NULL, NULL);
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, long_texts, origin, expired_at, purged_at, error_code) values ('01a1eb19-2dcc-72e6-86c3-7743989a76c0', 'default/default/default', 'the-child', '1', 'child', '1', 'RUNNING', 'signal', '01a1eb19-2d1f-7212-89c6-86199c025335', '1', '09446913ba405edbb267bd8dc32ab930', '2', '580b371c-5143-4781-a5a3-fccfaeb01b70', '3', 'af8dc8f19c636c57591dabfa9fdb1965567bfd00517ffa0e866eea3bad641a67', '1794945658364', NULL, '1794945658318', NULL, '{}', '66fb24cb21354877635a93dab77577d75c67408441b22f433c4c30e6506f15c3', NULL, NULL, '01a1eb19-2dcc-72e6-86c3-7743989a76c0', '01a1eb19-2dbe-74fc-a4ae-e37b974ddd19', 'child', '0', '0', NULL, 'engine', NULL, NULL, NULL);
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, long_texts, origin, expired_at, purged_at, error_code) values ('01a1eb19-3595-75fc-9fb2-4cb0e1f60d86', 'default/default/default', 'halfway', '1', 'halfway', '1', 'RUNNING', NULL, '01a1eb19-2d1f-7212-89c6-86199c025335', '1', 'd392fe5d6c4d6f1d636677fc9be572e9', '2', '2b8b339b-352e-43b8-a241-ca8248ce6802', '4', 'd7b7a47aea041e84322138cf1d41fe14a73fe444911938fd4e759f04ab150936', '1794945660316', '1794945660313', '1794945660313', NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1eb19-3595-75fc-9fb2-4cb0e1f60d86', NULL, NULL, '0', '0', NULL, 'engine', NULL, NULL, NULL);
insert into pawl_shelves (shelf, shelf_key, value, version, put_at) values ('messages:default/default/default', 'child/1', '{"workflow":"child","version":"1","input":{"name":"input","schema":{},"whole":true},"signals":[{"name":"answer","schema":{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"number"},"required":true,"whole":true}],"updates":[],"views":[]}', '1', '1794945656242');
insert into pawl_shelves (shelf, shelf_key, value, version, put_at) values ('messages:default/default/default', 'doubtful/1', '{"workflow":"doubtful","version":"1","input":{"name":"input","schema":{},"whole":true},"signals":[],"updates":[],"views":[]}', '1', '1794945656242');
insert into pawl_shelves (shelf, shelf_key, value, version, put_at) values ('messages:default/default/default', 'halfway/1', '{"workflow":"halfway","version":"1","input":{"name":"input","schema":{},"whole":true},"signals":[],"updates":[],"views":[]}', '1', '1794945656242');
insert into pawl_shelves (shelf, shelf_key, value, version, put_at) values ('messages:default/default/default', 'listening/1', '{"workflow":"listening","version":"1","input":{"name":"input","schema":{},"whole":true},"signals":[{"name":"go","schema":{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"string"},"required":true,"whole":true},{"name":"later","schema":{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"string"},"required":true,"whole":true}],"updates":[{"name":"rename","schema":{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"string"},"required":true,"whole":true}],"views":[{"name":"name","schema":{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"string"},"required":true,"whole":true}]}', '1', '1794945656242');
insert into pawl_shelves (shelf, shelf_key, value, version, put_at) values ('messages:default/default/default', 'parent/1', '{"workflow":"parent","version":"1","input":{"name":"input","schema":{},"whole":true},"signals":[],"updates":[],"views":[]}', '1', '1794945656242');
insert into pawl_shelves (shelf, shelf_key, value, version, put_at) values ('messages:default/default/default', 'settled/1', '{"workflow":"settled","version":"1","input":{"name":"input","schema":{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"number"},"required":true,"whole":true},"signals":[],"updates":[],"views":[{"name":"seen","schema":{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"number"},"required":true,"whole":true}]}', '1', '1794945656242');
insert into pawl_shelves (shelf, shelf_key, value, version, put_at) values ('messages:default/default/default', 'sleeping/1', '{"workflow":"sleeping","version":"1","input":{"name":"input","schema":{},"whole":true},"signals":[],"updates":[],"views":[]}', '1', '1794945656242');
insert into pawl_views (run_id, name, value) values ('01a1eb19-2d54-7029-9320-b4ad866e749b', 'seen', '21');
insert into pawl_views (run_id, name, value) values ('01a1eb19-2db8-77cc-bfa7-6fe551dfc43f', 'name', '"Ada"');
