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
  PRIMARY KEY (`run_id`),
  UNIQUE KEY `generation` (`scope`,`workflow_id`,`generation`),
  UNIQUE KEY `start_key` (`scope`,`idempotency_key`),
  KEY `due` (`owner`,`scope`,`workflow`,`version`,`due_at`),
  KEY `newest` (`scope`,`created_at`,`run_id`),
  KEY `parent` (`parent_run_id`),
  KEY `decision` (`scope`,`waiting`)
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

insert into pawl_accepted (key_hash, storage_key, accepted_at, expires_at, run_id, inbox_id, version, response) values ('96174688ec23684430ebae1570066563a1ebd436443cacce9dfe2200722b6b40', 'upd:default:default:default:listening:rename:rename-1', '1794909520869', NULL, '01a1e8f1-c366-7565-9230-29b9b99face1', '2', '1', '{"accepted":true,"workflowId":"listening","signalName":"rename","signalId":"rename-1","acceptedAt":"2026-11-17T09:58:40.869Z","signalStorageKey":"upd:default:default:default:listening:rename:rename-1"}');
insert into pawl_accepted (key_hash, storage_key, accepted_at, expires_at, run_id, inbox_id, version, response) values ('e59f673a03c60dd02d8b4f9ff5f8af2ac09881c8bf08a8c7589ebeb85e0771f6', 'sig:default:default:default:listening:later:later-1', '1794909520834', NULL, '01a1e8f1-c366-7565-9230-29b9b99face1', '1', '1', '{"accepted":true,"workflowId":"listening","signalName":"later","signalId":"later-1","acceptedAt":"2026-11-17T09:58:40.834Z","signalStorageKey":"sig:default:default:default:listening:later:later-1"}');
insert into pawl_effects (run_id, seq, version, scope, workflow_id, step_id, name, class, effect_key, args_digest, status, phase, attempts, engine_attempts, error, event_seq, created_at, updated_at, receiver) values ('01a1e8f1-aed8-76dc-92df-085543a5a1e5', '4', '1', 'default/default/default', 'doubtful', 'charge', 'charge', 'AT-MOST-ONCE', 'pawl-bcb99cfc88d95e03e9a58fbe7c3199b0ed0a6a690d0c2298bd54ad4e3a56f604', NULL, 'indeterminate', 'doubt', '1', '1', '{"code":"PAWL2001","reason":"it began and nobody recorded how it ended"}', '5', '1794909515561', '1794909523186', NULL);
insert into pawl_engines (engine_id, lease_until, renewed_at, session_boot, dead, serves) values ('01a1e8f1-c258-7309-8921-2479c7bf288b', '1794909533186', '1794909523186', '1794909509000', '0', '[{"workflow":"settled","version":"1"},{"workflow":"sleeping","version":"1"},{"workflow":"listening","version":"1"},{"workflow":"doubtful","version":"1"},{"workflow":"halfway","version":"1"},{"workflow":"child","version":"1"},{"workflow":"parent","version":"1"}]');
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1e8f1-aed8-76dc-92df-085543a5a1e5', '1', '128618ec-2278-441a-9f6b-7cfd105e4ac0', 'RunStarted', NULL, '1', '1', 'eb685bdd2b76ac1c05aae6d999c7e74374e1c41a5e81d6fb23d4caced7ac9867', '1794909515491', '{"parsed":true,"codeVersion":"1","from":"none","engine":"01a1e8f1-ade1-776e-b210-351cd42b796c"}', 'a87982222deff7a17ecb58960d440247', '055d35ee113f3e272b4b0e0f19b63a7b3aeb1692792a88aa6cf9bdb8440c9470', 'f919f788843b4695ae0281da354fc1841d30f43516725dc03adbd71847128662', '1794909515530', '1', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1e8f1-aed8-76dc-92df-085543a5a1e5', '2', 'd860359a-1313-4312-bfa2-f769d55fb4b9', 'StepStarted', 'order', '1', '1', '2c478776b8e854a61493ea63cb2be164bf5161f9befb21116871b8e322c042bf', '1794909515512', '{"kind":"effect","name":"order","digest":"799d7256bcab06d415e9f017db67b402ee0091972b47d904f8ff7accea7f6687","class":"UNDECLARED"}', 'ee9a42f81e1d57dec9a66a9a22178984', '9cacfd1a6cc837c6501cfcb2e34cc8e9ccb4495924bba6b757a1c716a2d2035c', 'f8dea937182025ee9cef2926b7518dcc5cc28005fb8a667b59de91f10a753ae4', '1794909515530', '1', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1e8f1-aed8-76dc-92df-085543a5a1e5', '3', '93da5d1d-3360-4fe5-99f5-b1d3ecc3586a', 'StepCompleted', 'order', '1', '1', 'd2dd0aadef0ca741aa66af052afb6957adb7bd2d93745c28f6d48415fff8ac84', '1794909515551', '{"result":7}', 'b2633a9933763051adeb7af0f8371853', '9981bac690863609f1177d1e4d68996f5c2c4c2ae7e5a2971247148c4c9ba2b6', '98eab4f8fdc22ca1d1a1492d470fc256c1421447ab7b358e28c44e10093392d3', '1794909515561', '2', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1e8f1-aed8-76dc-92df-085543a5a1e5', '4', 'b4bc4d66-a4d1-4b15-a651-7978d82fa167', 'StepStarted', 'charge', '1', '1', '0f7ee9c048aa94483e5424273d5c84f872d7a5074c1f761aeda7b366d9433a39', '1794909515552', '{"kind":"effect","name":"charge","digest":"2ec79112be9dddff500c39c27d48b690db462962e412c10028ff5eeaf2d040b9","class":"AT-MOST-ONCE","timeoutMs":60000}', '518dc382564bf069cc8fd62fe3cba9a7', '24d0c6d07167cdaf1c7fb45fb4bb990b5fffa534a6fbae6645c13ba7e76c8cdb', 'bb028858ad23218f6bf08c2506c9c3e2de5f97e628fd9d442dc9354a32682e31', '1794909515561', '2', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1e8f1-aed8-76dc-92df-085543a5a1e5', '5', 'a695cc32-44a3-47de-a0fc-8a9ab7905007', 'pawl.StepInDoubt', NULL, '1', '1', '6e69672cbd513dcfac53c8244d87614bf7898d94c389a3e07c477fd6b45fc04e', '1794909523178', '{"stepId":"charge","reason":"it began and nobody recorded how it ended","code":"PAWL2001"}', 'b1f7e4c136668806a715583898820a4d', 'b327c591e58d5d82cfcf85f32894c25cb574f8b361db7f27adb146d73605f82e', '9b05cf4a78fcfcf47ce79030446356d883a519a3767f408e9eef0b729c269d2d', '1794909523186', '3', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1e8f1-c2e4-736b-9e56-32d07850d7a8', '1', '6d719c11-c460-458e-8090-7f4210fcf666', 'RunStarted', NULL, '1', '1', 'b854860b3434c0db73b1222c040b1aee3d57a66865f5925477bd2cbb9bef4d2a', '1794909520617', '{"input":21,"parsed":true,"codeVersion":"1","from":"none","engine":"01a1e8f1-c258-7309-8921-2479c7bf288b"}', '1db3f19d09157381bb767f216b99726c', 'ee5343252ced10d1887a3c7390ec8cb20555478b64291155fcc2b338c5bcf303', 'a46b7f73d3873cee08c809aad4e87d477ddb7785154118aad3fd317e4494b854', '1794909520660', '1', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1e8f1-c2e4-736b-9e56-32d07850d7a8', '2', '22551505-190a-4d45-ad71-3ecc178ee82b', 'pawl.ViewPublished', NULL, '1', '1', '16629bb5a89a38f866c66abc8d559e7613f4ed04d78aabec4ad91fdbd29609a7', '1794909520633', '{"name":"seen","value":21}', 'd4029befa12fda6b8107b61a8de5ab6b', '2405b19c707d18e8c7aeadfcf657d7f9e213cc6680688a332e9a2583efbccd1e', 'e46544a2808b49b5b70f226fe3afb3dd994b33527621e26609ba3cb286174648', '1794909520660', '1', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1e8f1-c2e4-736b-9e56-32d07850d7a8', '3', 'd8ad4d1b-db19-455d-b50a-b31d995ea891', 'StepStarted', 'double', '1', '1', 'fcd3e713079997bbf63e7dc8e65eb57d5eba47877c897b53ccd7efdbcd894b18', '1794909520643', '{"kind":"effect","name":"double","digest":"ee9ff8738b77f6cb9c3d0cd45ac165bc9e65f949afd79b7dd809848242b0b772","class":"UNDECLARED"}', '404f9a23c9f5f24148f5e2ab6c99a32b', 'aea3567f5aee7e3ce0397ded110972e077f2f4467c12d7d998276cce3ef2754e', '1c57d466ef9089a982bed263faeb03635cc333c16b639ec012e0d7f7b7af8504', '1794909520660', '1', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1e8f1-c2e4-736b-9e56-32d07850d7a8', '4', 'b1fb865c-626d-410d-b0d4-3f0ad2c8a1aa', 'StepCompleted', 'double', '1', '1', '5316b830327be8a7951894e11e39d692d3616be5760a43d42cccb6769ccfb5ab', '1794909520682', '{"result":42}', '6cc959b29ddab9ea96ef460f151f14a8', 'e1dba31e1ee5272d5640211b7c5f1b004573189f7c210a2adc8c9db55370455c', '145fa889946eb886e00432170798e07e19833f83892764dbd15d4a86e80d891c', '1794909520698', '2', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1e8f1-c2e4-736b-9e56-32d07850d7a8', '5', 'ffdfdb27-0e63-4058-8b42-15984390e3af', 'RunCompleted', NULL, '1', '1', '20a50c5fe4bc616190edf10f3a0bdd72cd24ea15d69222a1000adc28024a6991', '1794909520690', '{"result":42,"from":"RUNNING","engine":"01a1e8f1-c258-7309-8921-2479c7bf288b"}', '4c621caced0f9436cc4d3d31c95c97df', '0afd47d7713d25b4ffe7e94ac94cef381914ac5bd3b9e30398f8e38cb43de607', '4fab079d100aeb18f3a9a2c3f8c8cf90e6da15c83908d60d026aaecfe44c33ae', '1794909520698', '2', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1e8f1-c34d-74e7-9f27-3e1e2845ef2f', '1', '00362c5a-48e1-47c0-b2be-91c4abfd6b38', 'RunStarted', NULL, '1', '1', 'db1145387cc9dce6dc8eb93c94a487c570968a1b23f35fe16a7e879256c9a339', '1794909520724', '{"parsed":true,"codeVersion":"1","from":"none","engine":"01a1e8f1-c258-7309-8921-2479c7bf288b"}', 'c399cfe15657c106485a359ab7f4a8b7', 'e0327988b29e3691b3270f14b0377a58fa8de80b3d375326b7daab61d1b19d12', 'dc3a4106455525c585943d62c8ba29b0fb60fe05ad744228bd7edf9ac3017e6c', '1794909520726', '1', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1e8f1-c34d-74e7-9f27-3e1e2845ef2f', '2', 'c9e1e917-f5db-4925-ac69-a27caaa1fd13', 'StepStarted', 'before', '1', '1', '170fc4bc4840cc405aea251b201280ea17a645977a276eaecb2fe978d032b448', '1794909520724', '{"kind":"effect","name":"before","digest":"05bfe291a21a0d1f5f4657f5211cbe8150d540997b33667c9d3ea79321335833","class":"UNDECLARED"}', '27ad1a62321a6780bd7edeaf3e9c4adb', '330527b37d37fa36497de75b374737ea83107460bff508d59fe473b03e290419', '72acdaa366e1acc4774ca3d2755bd96556dc65436eb51fe4d8684182b741df09', '1794909520726', '1', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1e8f1-c34d-74e7-9f27-3e1e2845ef2f', '3', '53676681-4d68-4b67-962a-038664c4ed75', 'StepCompleted', 'before', '1', '1', 'ff1b0916a8b953cb1885d82a5a3b3fe8f18aa134affa44b20db88d780d31a4e5', '1794909520742', '{"result":"slept"}', 'f74181f022a0d0e6bd75bff6c9c757df', 'b2d425d3939cc34f8d3183a6e97c4cb187a1dd44da5336d50cc50115a6305d33', '662e2d15d14ca99d94b4b64a700735381b381e93e90e7b77a293e6257f04d6d7', '1794909520748', '2', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1e8f1-c34d-74e7-9f27-3e1e2845ef2f', '4', 'b1765236-3e4b-45a6-8e59-0cf54291efd0', 'StepStarted', 'nap', '1', '1', '15bec25bff05d44846c7d56ee970fbccdcb5797e0d7e6c5b14e925bdc39e0600', '1794909520742', '{"kind":"timer","name":"nap","digest":"538b904f34061c9af68dfac9bc3e3f2aa12c8f0274ac1a58dec9793584cd778e","delayMs":5000}', 'b9589db3c53aeb68e86034cebeba3c61', '53f69cac6e02bf0f30c1f6e1844ae7acd390bbd545dd6059021f70fc4744f48c', 'f3568bd2b85f88dfff318910df0b05eefc705815079ea31be971abe4fda03ce1', '1794909520748', '2', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1e8f1-c366-7565-9230-29b9b99face1', '1', 'd7c2ecaf-d0e7-40be-88cb-eccebfee22c4', 'RunStarted', NULL, '1', '1', '752573c68afdee9055bdac1d9958da8190d9f2539884a87d6065b77e02f5f11b', '1794909520760', '{"parsed":true,"codeVersion":"1","from":"none","engine":"01a1e8f1-c258-7309-8921-2479c7bf288b"}', '0991445f999b7a6c0df4ff25680c3fb0', '05379885edb0f957b119dda199413c90e34437b6ee5ee23039ec2f6eddfa5901', 'fc4870d61f1b3080d8757a8c4435f9bea83b89e244968dcc609d6e2935ae3172', '1794909520761', '1', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1e8f1-c366-7565-9230-29b9b99face1', '2', '45251ef3-6164-4207-94a4-30055b4123d1', 'StepStarted', 'go', '1', '1', '771e661e3110c0a9cffec43b71a16dbe824a63380b4834d35ede4997706440e9', '1794909520760', '{"kind":"signal","name":"go","digest":"3f5b2441e270ad2f461312a47e3f1f735c673b3b83fdb595499e9ce0c6e46d28","signal":"go"}', 'c19ee97d7fa17dc41a2eeeeb870e2cd3', 'd586cf0f13fe0ad7ace3a7d6a13281802b1bd0636f5d91cd47d25185d43d3b0b', 'f9b72bd5d421532e83dd5d0c7ecc188da97745503fb04122be2d48ceb6fd0ad7', '1794909520761', '1', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1e8f1-c366-7565-9230-29b9b99face1', '3', 'e324dce0-d950-4381-b2cf-fdcd126778d7', 'pawl.UpdateAccepted', NULL, '1', '1', '8c8166e1b80383ae192138047a58093feb64b6bca82c4f82f3ab8e41b7dc0f30', '1794909520916', '{"updateId":"rename-1","name":"rename","inboxId":2,"input":"Ada"}', '10c098a696be6a728385c06b65d52037', 'b99a039507e58d9c960c2beef2234d5acbc2e59dce01a00e9adf603faf37fe7c', '3039acc27d7872bf70c6e50d83506bf927fd28ade4c22456736db307ae6200e7', '1794909520921', '2', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1e8f1-c366-7565-9230-29b9b99face1', '4', '83d38863-d122-4ce1-9e1c-68fd773ad7d1', 'pawl.ViewPublished', NULL, '1', '1', 'cfea332cb7c32b185cbef52961395d6d33cc2ef214cbce5cf4dfdaa287c6837a', '1794909520916', '{"name":"name","value":"Ada"}', 'f6e848dacb3de8719832f8b969f43a98', '26c99244bc030e8f0883229f6a13723656292e158e11c50cab21267ea1389e49', 'a6e3841cd29455d9bc8e7b8f5cff0f01630c2b9be588a30ba18c210417af6cb8', '1794909520921', '2', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1e8f1-c366-7565-9230-29b9b99face1', '5', '9fd4c4e3-8671-4325-bb67-015fc9f76d70', 'pawl.UpdateCompleted', NULL, '1', '1', '3ae4ea2eea85ed1cbe8c53e67a37e97e068601cc710e7e84cd80af6614ce1fde', '1794909520916', '{"updateId":"rename-1","answer":{"ok":true,"result":"renamed Ada"}}', '580723b6141ca598383691f412ad6cef', 'b5c250cb4ebf47e92239181508a6b15a1b63349afabf2cbb72873b75a6995bc3', 'a383086090504a4041bfdee74b73a10fccd3be9b2992011941cefcbfa7257c6b', '1794909520921', '2', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1e8f1-c382-7480-8a22-65b9eacb8b18', '1', 'ed2f2e84-4710-4ce9-9b53-399851a4e6df', 'RunStarted', NULL, '1', '1', '2cd5bdad8bc0ccbd4311ae8e759c2285310df2e0f590a31af3796dc1d7257c23', '1794909520781', '{"parsed":true,"codeVersion":"1","from":"none","engine":"01a1e8f1-c258-7309-8921-2479c7bf288b"}', 'b88ea120e7b62812d0004fdf890408f0', '967fe310d7cde46a57a39825005cb37cebe14e5c8a2bc42b117598834527a16e', '31ac37ed19dc0065d168c2fd64923eeba6f55ce6f7f5fc412fc43d7bdad07f38', '1794909520786', '1', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1e8f1-c382-7480-8a22-65b9eacb8b18', '2', 'c3f44709-6858-4825-bdb7-f8e65b8c8f24', 'StepStarted', 'child', '1', '1', 'efdf642efa4341303ceda4b891e5d6f5087f018ec261bc3171d47f0594b7c73e', '1794909520786', '{"kind":"child","name":"child","digest":"117651691b2a9336f86f4d9b0d54adbaae27db196460c3c4d8f700218d6505ed","child":{"runId":"01a1e8f1-c38e-7533-a73f-42f5c5ea42cf","workflowId":"the-child","workflow":"child"},"input":{"$pawl":"undefined"}}', '5cdcadc87e85c8630e85b95de1dcd08c', '4ac85bb722d54abe942228cbec8f9564762f1397b9aa09d8e6d23ab58784e86c', '1abc356659f16d2332e5532f99640fd2fcea650e1a9f4629abafbd153bfa40f4', '1794909520786', '1', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1e8f1-c38e-7533-a73f-42f5c5ea42cf', '1', 'e7471fd5-7aeb-4719-b15e-fc7935022bdc', 'RunQueued', NULL, '1', '1', '10b8cbde6ea9f30726e9dd30b1cedd090971a82d5a24d98aaf72877ff263dfba', '1794909520782', '{"input":{"$pawl":"undefined"},"engine":"01a1e8f1-c258-7309-8921-2479c7bf288b"}', 'e620a71f6766761be68f1ee779982803', '2f5f5cbf8976dc7b2025535ee0f1d66c67961db43c8859b12d8cc9cb6d397a5d', 'a9ed3d7c78e51588a9f284007230ade4c53a8032364dc7a22ca7f04bb8c23020', '1794909520786', '1', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1e8f1-c38e-7533-a73f-42f5c5ea42cf', '2', '36c3ab63-a1b3-4677-8b81-1536e80d2763', 'RunStarted', NULL, '1', '1', 'fcc8b8caf5b3e4e51ed64b4d303d129396b18294b6ca1e1811b1b9e8cd53caa0', '1794909520884', '{"parsed":true,"codeVersion":"1","from":"PENDING","engine":"01a1e8f1-c258-7309-8921-2479c7bf288b"}', '371fb24a76cfeaf1b5fab6a9e13f8221', 'bef0ec0d7cb5522d9dc4d8a75832330589d9326769025207ee034709af42739c', 'fb809f11e95559af92310cfcd1ae1e0196ee570b52151a1a9c0f9304f3154606', '1794909520898', '2', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1e8f1-c38e-7533-a73f-42f5c5ea42cf', '3', 'f558d89b-0852-43e4-8d5e-1e617f32223a', 'StepStarted', 'answer', '1', '1', '1bd4abb21df29f1bcd2150b5d1c7bcb727bd050b8ee5ced08321a68d902e7df1', '1794909520885', '{"kind":"signal","name":"answer","digest":"6af44cf9a32d7a8596ddd574de00e2d0e036802c46e1f63c4dd7966c382e4c35","signal":"answer"}', '047f6835ae0d776bc4acc42dc43a88c7', '7e2981f27fba5fbed8994d99912980f3163f7db543d619c02cabb7dd71d0e5e2', '39104d0aa512fd1f840768078465dac0c878cebebf7b33328f13475246e0335d', '1794909520898', '2', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1e8f1-cd55-754c-8539-6c7141999752', '1', 'd3ac89f4-4e0c-4a08-ae79-9b5bee11dcb3', 'RunStarted', NULL, '1', '1', 'ffdc0e065399430e7bb4834291a7c9f32397aa46de08aa3c85fd7cd3f279724a', '1794909523290', '{"parsed":true,"codeVersion":"1","from":"none","engine":"01a1e8f1-c258-7309-8921-2479c7bf288b"}', '8a66f741e8745782227975e463cefe48', 'aec72d53fe48ad1f95aade0e542d6f53e588f4a9c908ea4fb24ed60756474a8e', '07759040988233cdf22a443e8af54775eff70d9ed658a76deefd3b2f8d5f7898', '1794909523291', '1', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1e8f1-cd55-754c-8539-6c7141999752', '2', 'afaaba88-aa94-446f-858b-a8e42560f88a', 'StepStarted', 'one', '1', '1', '8f7f268c99b434be513bc7acb5928664c18195511c5d50ac9f6c8f4196e1dbcd', '1794909523290', '{"kind":"effect","name":"one","digest":"65ef844c98b3e85b70e6c5192d76d1b60a81a310e6ba93e27b447a5ad881c94b","class":"UNDECLARED"}', '0e6ef10bec805317590909b344339417', 'c5aae71fbdd3a4bce96d55629d1b5d1c721ee4c030f42a83ff618287d562d2d4', '5c70a12bf93ae60f311b51975ad895b0f1e736dde487654e9b966beeec1e0ec9', '1794909523291', '1', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1e8f1-cd55-754c-8539-6c7141999752', '3', 'b4e9c65c-6302-4242-9143-db34c73173f0', 'StepCompleted', 'one', '1', '1', '84c13099519e9341b8bf53864b92678cbe03b30d9aea5550b83d8f15150f99cc', '1794909523294', '{"result":1}', '33a4f0577c5ee3bb163d05c86ba69060', '767210ec4671c99094eedad967cd924c15f53ce1a68d67ce03d8264a486d900d', '05419256d5fefaa4f0d481d89086b68e2ac8a628e73140de197556e96baa0e98', '1794909523294', '2', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1e8f1-cd55-754c-8539-6c7141999752', '4', 'aa5bdf4c-ef14-4922-bb17-054bac924160', 'StepStarted', 'two', '1', '1', 'df23892a34ebaba3187b756639acc9f3de483f4941632405f13d70997dfb72b7', '1794909523294', '{"kind":"effect","name":"two","digest":"a98cec722f9d81d928ab82e4904c332bd488d86208c0d5a9e5abed5d03a2c30b","class":"REPEATABLE"}', 'ad4c5f360e2880204a1922fa45bbb74b', '297f4c97140246e3f88680a2f3a8bb2ed868bacd71201d7746eb43c062541e79', '1db12da60e805b56cf3db2709d782d0594a45f5e29f6be50fe148815ff00f9b2', '1794909523294', '2', NULL);
insert into pawl_inbox (inbox_id, run_id, kind, name, id, payload, accepted_at, taken, consumed, wakes, control, reply, dedup_hash) values ('1', '01a1e8f1-c366-7565-9230-29b9b99face1', 'signal', 'later', 'later-1', '"first"', '1794909520834', '1', '0', '0', '0', NULL, 'e59f673a03c60dd02d8b4f9ff5f8af2ac09881c8bf08a8c7589ebeb85e0771f6');
insert into pawl_inbox (inbox_id, run_id, kind, name, id, payload, accepted_at, taken, consumed, wakes, control, reply, dedup_hash) values ('2', '01a1e8f1-c366-7565-9230-29b9b99face1', 'update', 'rename', 'rename-1', '"Ada"', '1794909520869', '1', '1', '0', '0', '{"ok":true,"result":"renamed Ada"}', '96174688ec23684430ebae1570066563a1ebd436443cacce9dfe2200722b6b40');
insert into pawl_meta (one, format, oldest_reader, oldest_writer, incarnation, store_id, identity, feed) values ('1', '6', '1', '1', '1', '6da09a89-0550-40ff-b152-c5b28d50b324', 'mysql:D70DhJJPCEElc9OqmMrqbMSyKrA=/var/lib/mysql//pawl_test_764c8e24e535981c/pawl_', '0');
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, long_texts, origin, expired_at, purged_at) values ('01a1e8f1-aed8-76dc-92df-085543a5a1e5', 'default/default/default', 'doubtful', '1', 'doubtful', '1', 'RUNNING', 'decision', '01a1e8f1-c258-7309-8921-2479c7bf288b', '2', 'd36d6b8c1f46503cb9fe414fc44dfcb6', '3', '5c908d26-6ca1-44d2-acfd-de17283d9d12', '5', '9b05cf4a78fcfcf47ce79030446356d883a519a3767f408e9eef0b729c269d2d', '1794909523186', NULL, '1794909515530', NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1e8f1-aed8-76dc-92df-085543a5a1e5', NULL, NULL, '0', '0', NULL, 'engine', NULL, NULL);
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, long_texts, origin, expired_at, purged_at) values ('01a1e8f1-c2e4-736b-9e56-32d07850d7a8', 'default/default/default', 'settled', '1', 'settled', '1', 'COMPLETED', NULL, NULL, '1', '8d05a61acc752f9db31b14e8fc075d48', '2', '851d1233-aa8f-445c-9869-5bf0b2ea895f', '5', '4fab079d100aeb18f3a9a2c3f8c8cf90e6da15c83908d60d026aaecfe44c33ae', '1794909520698', NULL, '1794909520660', NULL, '{"kind":"kept"}', '6f4b6612125fb3a0daecd2799dfd6c9c299424fd920f9b308110a2c1fbd8f443', 'settled-once', NULL, '01a1e8f1-c2e4-736b-9e56-32d07850d7a8', NULL, NULL, '0', '0', NULL, 'engine', NULL, NULL);
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, long_texts, origin, expired_at, purged_at) values ('01a1e8f1-c34d-74e7-9f27-3e1e2845ef2f', 'default/default/default', 'sleeping', '1', 'sleeping', '1', 'RUNNING', 'timer', '01a1e8f1-c258-7309-8921-2479c7bf288b', '1', 'e096357c69ba422e6f3ba005312f3995', '2', 'd64a5b3d-c105-4c98-a735-684c3c18b084', '4', 'f3568bd2b85f88dfff318910df0b05eefc705815079ea31be971abe4fda03ce1', '1794909520748', '1794909525748', '1794909520726', NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1e8f1-c34d-74e7-9f27-3e1e2845ef2f', NULL, NULL, '0', '0', NULL, 'engine', NULL, NULL);
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, long_texts, origin, expired_at, purged_at) values ('01a1e8f1-c366-7565-9230-29b9b99face1', 'default/default/default', 'listening', '1', 'listening', '1', 'RUNNING', 'signal', '01a1e8f1-c258-7309-8921-2479c7bf288b', '1', '7f4269aff1a5df10d57ce810b4e79033', '2', '171bc405-90f4-4d90-b3a5-982a5a21d59c', '5', 'a383086090504a4041bfdee74b73a10fccd3be9b2992011941cefcbfa7257c6b', '1794909520921', NULL, '1794909520761', NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1e8f1-c366-7565-9230-29b9b99face1', NULL, NULL, '0', '0', NULL, 'engine', NULL, NULL);
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, long_texts, origin, expired_at, purged_at) values ('01a1e8f1-c382-7480-8a22-65b9eacb8b18', 'default/default/default', 'parent', '1', 'parent', '1', 'RUNNING', 'child', '01a1e8f1-c258-7309-8921-2479c7bf288b', '1', '70ddadf4e529fd4a1766950eac1455d7', '1', 'e21df762-a082-4068-accc-c4510fbd6e21', '2', '1abc356659f16d2332e5532f99640fd2fcea650e1a9f4629abafbd153bfa40f4', '1794909520786', NULL, '1794909520786', NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1e8f1-c382-7480-8a22-65b9eacb8b18', NULL, NULL, '0', '0', NULL, 'engine', NULL, NULL);
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, long_texts, origin, expired_at, purged_at) values ('01a1e8f1-c38e-7533-a73f-42f5c5ea42cf', 'default/default/default', 'the-child', '1', 'child', '1', 'RUNNING', 'signal', '01a1e8f1-c258-7309-8921-2479c7bf288b', '1', '19d597fdcda73d82f250b54df8438296', '2', '3eb9a4b0-84a3-43f0-9b17-b56dc11eb12c', '3', '39104d0aa512fd1f840768078465dac0c878cebebf7b33328f13475246e0335d', '1794909520898', NULL, '1794909520786', NULL, '{}', '66fb24cb21354877635a93dab77577d75c67408441b22f433c4c30e6506f15c3', NULL, NULL, '01a1e8f1-c38e-7533-a73f-42f5c5ea42cf', '01a1e8f1-c382-7480-8a22-65b9eacb8b18', 'child', '0', '0', NULL, 'engine', NULL, NULL);
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, long_texts, origin, expired_at, purged_at) values ('01a1e8f1-cd55-754c-8539-6c7141999752', 'default/default/default', 'halfway', '1', 'halfway', '1', 'RUNNING', NULL, '01a1e8f1-c258-7309-8921-2479c7bf288b', '1', '46f6a75b2cda18e498cc03eb787748ad', '2', '24c8676d-1e98-4692-95d6-540acd6df771', '4', '1db12da60e805b56cf3db2709d782d0594a45f5e29f6be50fe148815ff00f9b2', '1794909523294', '1794909523291', '1794909523291', NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1e8f1-cd55-754c-8539-6c7141999752', NULL, NULL, '0', '0', NULL, 'engine', NULL, NULL);
insert into pawl_views (run_id, name, value) values ('01a1e8f1-c2e4-736b-9e56-32d07850d7a8', 'seen', '21');
insert into pawl_views (run_id, name, value) values ('01a1e8f1-c366-7565-9230-29b9b99face1', 'name', '"Ada"');
