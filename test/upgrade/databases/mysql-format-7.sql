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

insert into pawl_accepted (key_hash, storage_key, accepted_at, expires_at, run_id, inbox_id, version, response) values ('96174688ec23684430ebae1570066563a1ebd436443cacce9dfe2200722b6b40', 'upd:default:default:default:listening:rename:rename-1', '1794930409883', NULL, '01a1ea30-7fb5-72ba-909a-fbb4792ed7da', '2', '1', '{"accepted":true,"workflowId":"listening","signalName":"rename","signalId":"rename-1","acceptedAt":"2026-11-17T15:46:49.883Z","signalStorageKey":"upd:default:default:default:listening:rename:rename-1"}');
insert into pawl_accepted (key_hash, storage_key, accepted_at, expires_at, run_id, inbox_id, version, response) values ('e59f673a03c60dd02d8b4f9ff5f8af2ac09881c8bf08a8c7589ebeb85e0771f6', 'sig:default:default:default:listening:later:later-1', '1794930409776', NULL, '01a1ea30-7fb5-72ba-909a-fbb4792ed7da', '1', '1', '{"accepted":true,"workflowId":"listening","signalName":"later","signalId":"later-1","acceptedAt":"2026-11-17T15:46:49.776Z","signalStorageKey":"sig:default:default:default:listening:later:later-1"}');
insert into pawl_effects (run_id, seq, version, scope, workflow_id, step_id, name, class, effect_key, args_digest, status, phase, attempts, engine_attempts, error, event_seq, created_at, updated_at, receiver) values ('01a1ea30-6fc4-703c-be7a-2335b1752192', '4', '1', 'default/default/default', 'doubtful', 'charge', 'charge', 'AT-MOST-ONCE', 'pawl-18a9361788cc050d1be91d9909405799e06fbabe28e64a9fa8f380e414d4b108', NULL, 'indeterminate', 'doubt', '1', '1', '{"code":"PAWL2001","reason":"it began and nobody recorded how it ended"}', '5', '1794930405618', '1794930411352', NULL);
insert into pawl_engines (engine_id, lease_until, renewed_at, session_boot, dead, serves, scope) values ('01a1ea30-6f54-7130-9a8d-3edc23d62123', '1794930415618', '1794930405618', '1794930397000', '1', '[{"workflow":"settled","version":"1"},{"workflow":"sleeping","version":"1"},{"workflow":"listening","version":"1"},{"workflow":"doubtful","version":"1"},{"workflow":"halfway","version":"1"},{"workflow":"child","version":"1"},{"workflow":"parent","version":"1"}]', 'default/default/default');
insert into pawl_engines (engine_id, lease_until, renewed_at, session_boot, dead, serves, scope) values ('01a1ea30-7de7-764b-a938-5e184eba47e6', '1794930421630', '1794930411630', '1794930397000', '0', '[{"workflow":"settled","version":"1"},{"workflow":"sleeping","version":"1"},{"workflow":"listening","version":"1"},{"workflow":"doubtful","version":"1"},{"workflow":"halfway","version":"1"},{"workflow":"child","version":"1"},{"workflow":"parent","version":"1"}]', 'default/default/default');
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1ea30-6fc4-703c-be7a-2335b1752192', '1', '539454c7-0280-4997-b05d-553e98bae790', 'RunStarted', NULL, '1', '1', '9ecc93b2a214d5d37d5f0b0aba245bc8e4ff1b2b1ed72af3682c661528d5683e', '1794930405336', '{"parsed":true,"codeVersion":"1","from":"none","engine":"01a1ea30-6f54-7130-9a8d-3edc23d62123"}', 'cc7122eb9254fb94bfdae52c32714818', '4e07986cb6d76df64fd9fd46623b65b35678871b1f971219d8a53aa5010ded6e', 'fc9a648c313793bc0c34cad2e43c5180a8f7b958aeb7522dffc078b7e1c8075d', '1794930405481', '1', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1ea30-6fc4-703c-be7a-2335b1752192', '2', '1685a9b9-82c9-43f8-a85c-4ad59399f0bf', 'StepStarted', 'order', '1', '1', 'dbbf7f9708fd1eea685f029795178a1f0b296893094255962fde474dd8930e54', '1794930405411', '{"kind":"effect","name":"order","digest":"799d7256bcab06d415e9f017db67b402ee0091972b47d904f8ff7accea7f6687","class":"UNDECLARED"}', '05332e69fb3756fb578185943d92f820', 'ebdb4c9b4d3dcd36e37daa78d5298e26295deb17411a93649616876eb9b7851d', '32def266be158518d1eb9516edd945da226e525d7b99febc2097548b856199f7', '1794930405481', '1', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1ea30-6fc4-703c-be7a-2335b1752192', '3', '0df5df16-8b2e-4c21-8dd2-d687693b46ed', 'StepCompleted', 'order', '1', '1', '16cc78b5bfb17637745fe7f046adfa83bf4194e2fb1baec0dfb517f1e5269cb6', '1794930405566', '{"result":7}', 'ce76e85c4abf49204cbef9fdc7a525d2', '05b323ee97cda40a96c9c85a95488d54e01538fe23639cebe901e3b7b61fad62', '8182bdab62ccd4ec98e026ad9ba852c8ced41ea229422f2a7f549cab337040b4', '1794930405618', '2', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1ea30-6fc4-703c-be7a-2335b1752192', '4', 'de1ba5fc-e1a2-4ac8-8202-9cbe5c60bfcb', 'StepStarted', 'charge', '1', '1', 'dac4547066c7a1bb65a1a215109ba5b5a214585e544dd1e220c845c6180d3835', '1794930405595', '{"kind":"effect","name":"charge","digest":"2ec79112be9dddff500c39c27d48b690db462962e412c10028ff5eeaf2d040b9","class":"AT-MOST-ONCE","timeoutMs":60000}', '85aef231c495c3a306f33adef41e5aa0', 'f759ec00608ac3d562b1d30a97eea255592119eef822812c1f54471eac20624e', 'dd5d26e8bf097ff9b0439e1b47543013ab07b07078ee4d4ba1778952059d6a86', '1794930405618', '2', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1ea30-6fc4-703c-be7a-2335b1752192', '5', '45bf57fc-5433-4081-bbbc-f014a8d68083', 'pawl.StepInDoubt', NULL, '1', '1', '7126a6b58cadd5da3b2c8e21f6746945148d7d75d9249e0ba2af90dc6a4d39e2', '1794930411344', '{"stepId":"charge","reason":"it began and nobody recorded how it ended","code":"PAWL2001"}', '00c9899d5d39cc936d663ef53b044dce', 'f81b97a589816acab71fe0d003b90b3db86fd808778c1920d3991a6a3a6588f8', 'e2976b3548b5f2ecfed2a57206a0d34fcf35f476e6033e3daf537cb4391de6e9', '1794930411352', '3', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1ea30-7ed3-73a1-9c02-16d09a2f25b3', '1', '903958ae-b5ca-4b61-b209-d0ae5e6ed7d9', 'RunStarted', NULL, '1', '1', '43e3add33e24511ae7b96f5a8d7668b4fafb408795b83d3ca522601acf2fbace', '1794930409194', '{"input":21,"parsed":true,"codeVersion":"1","from":"none","engine":"01a1ea30-7de7-764b-a938-5e184eba47e6"}', 'bc286b966543d8733b0dfc7fbf76afa2', '31beac6987d7f895baabffb67c70c6bafd61683594b3d0bf664654bdf249e1ee', '7046e61623c112a37a9cf54de64a35ff075fb00a39449f18ddd91463c6ac8d4a', '1794930409289', '1', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1ea30-7ed3-73a1-9c02-16d09a2f25b3', '2', '9829a0af-1f85-4612-bd90-a8492c8ed98e', 'pawl.ViewPublished', NULL, '1', '1', '47c840bcbe9f617fa7da2647561802e820f0f91fa6fe6e9c162bddd815520d60', '1794930409219', '{"name":"seen","value":21}', '36d0550afd54cef40bfb8e8280ee7c14', 'ba64892b40a325c812f78a9083129c86d9b392cbff91a1d5e6d55121015edc70', '2b55ba0d3ed994a53e0096fdcf35a076e08e6c772301cb5b779f77cb13e20f52', '1794930409289', '1', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1ea30-7ed3-73a1-9c02-16d09a2f25b3', '3', 'a442dd6e-5ce3-4c9d-9ada-cc8fe7d40ef3', 'StepStarted', 'double', '1', '1', 'e27ec0fb6fd03f667e1225dfcdd8f319db0f4b2f06cc17b0a27dc8c6b9824637', '1794930409224', '{"kind":"effect","name":"double","digest":"ee9ff8738b77f6cb9c3d0cd45ac165bc9e65f949afd79b7dd809848242b0b772","class":"UNDECLARED"}', '326e308d63cd9d016428edf1552e272a', '90077a1fa244a626bffeb04b4bc3b264c1a61ed33c163b20834edc147cdd90bd', '2348d3f686ad65a4c211a1811f156c8494d940b816257bd888285142f8e185c8', '1794930409289', '1', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1ea30-7ed3-73a1-9c02-16d09a2f25b3', '4', 'f215c1ad-41de-4fa4-886d-4655af10361c', 'StepCompleted', 'double', '1', '1', '4c8cc511e37767d9b4be7405bbd43dd620536263d13aa50bce48d3ea5dd4df53', '1794930409320', '{"result":42}', '30a807a7be2f6f7ad8d17bebab386a29', 'a1d23acad55e39d70ce19cc72f5fcc3cecc99b1a2e186aeb7b1741dcd6e5077f', 'cefc2c15a78a4c2c91b8c43e6017aa13db165f57705e952d41dc26269c54b72f', '1794930409328', '2', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1ea30-7ed3-73a1-9c02-16d09a2f25b3', '5', '5fc59625-f91f-454c-9a4d-6d669c06b884', 'RunCompleted', NULL, '1', '1', '5897ae8cc487928d9590fb9277ecad0cfdf372aa070cb55b016b6c500e7e6f65', '1794930409321', '{"result":42,"from":"RUNNING","engine":"01a1ea30-7de7-764b-a938-5e184eba47e6","settledAt":1794930409321}', 'dad198eaf051347307f7e46b47268022', '83fc9baf66e923c9e03a34646642fdaa5c0ee0111478b732d8644281825fa0b3', '2d53632dc4daadadf4c82da4d9fa0675d04f9866777d1bd51f8fb9b7c310c5f1', '1794930409328', '2', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1ea30-7f8b-753d-b30d-925cf14a4cd0', '1', '14fc4f1b-2177-4273-90d2-0d79c786b8fb', 'RunStarted', NULL, '1', '1', 'cf1976b97eea53942955fd651db822adc0c58cc4ac3e0cb864f4d3b6f03bbb5b', '1794930409361', '{"parsed":true,"codeVersion":"1","from":"none","engine":"01a1ea30-7de7-764b-a938-5e184eba47e6"}', '1da1170befa3b94c59f96dbc87e305bb', '005060c58e7271db2f473d0a074a526ab9d1a22bde2a81a293fdd9e1693de3dc', '63a59e63c27eca86807f7bd7ce10fcbc515c9820441098efe8faadce911b565b', '1794930409369', '1', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1ea30-7f8b-753d-b30d-925cf14a4cd0', '2', '587ccb7a-3f5c-458d-b072-3228254b97ae', 'StepStarted', 'before', '1', '1', '5e56471fdb9f22dc66cc0598533a114640f408c9438dcbcef0388b026e4fa3c7', '1794930409362', '{"kind":"effect","name":"before","digest":"05bfe291a21a0d1f5f4657f5211cbe8150d540997b33667c9d3ea79321335833","class":"UNDECLARED"}', 'b5f339bc700fb86ebe8987edec7da7d0', '3fcf6e14faf2885cd4067c706fb2ca8ceba03f2018b0db2eae27e49d3bb914df', '42f2d03e8919f008fee3ecd0d4183cb3f230fbc84eea0b0a0b76ec99341cb4cb', '1794930409369', '1', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1ea30-7f8b-753d-b30d-925cf14a4cd0', '3', '7882d78c-f7fc-491d-8608-654a88fb05ac', 'StepCompleted', 'before', '1', '1', '05d8d6b24a65e3df8a7038ec3a3a8cf832e1b89ba17f9a7ca7fdb2608393964b', '1794930409391', '{"result":"slept"}', 'a9630aeacc90f5cc04cd673cbb04f9ee', 'd95f924141dcb5c51833c301db13de2d486da296f3ce90f77415d7c0ab68cbf5', '5a7fdd46b0710a1dc20635c5a3a62efaf8ee7717c7786a932b35322ce524b9e4', '1794930409416', '2', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1ea30-7f8b-753d-b30d-925cf14a4cd0', '4', '6bb25ed9-69bc-45ab-aff7-aaf66a62f30c', 'StepStarted', 'nap', '1', '1', '7e97c1a83840b04791c7b4ba4892c10b1cf0420ce8646123d1ae155fa0c750b1', '1794930409409', '{"kind":"timer","name":"nap","digest":"538b904f34061c9af68dfac9bc3e3f2aa12c8f0274ac1a58dec9793584cd778e","delayMs":5000}', '2e8836e4df36e397236ef40627780228', '59b98d9405aeb521ebe0296d88e7d94aa1a1875410193ad1acd89a1152e74884', '0f55c2f85f7c85c6ec9caf52d1ee81fa41fdc7e2ec727ca03f99be3ee0de0755', '1794930409416', '2', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1ea30-7fb5-72ba-909a-fbb4792ed7da', '1', 'e0f3c3c0-6899-4e40-9dc9-5ac7c6ef9240', 'RunStarted', NULL, '1', '1', '621ee0f710ef229613a9e06306440df51083081c0b8128eaae813f6d3577f1c7', '1794930409451', '{"parsed":true,"codeVersion":"1","from":"none","engine":"01a1ea30-7de7-764b-a938-5e184eba47e6"}', 'e728ac435fe7d887885c310b3a4d4932', '9e8d0a053cd864e160e4177e1f456d0874b5a194da4cffda8b2edfa569185123', 'fee1ac0473fb7cb6827270c8abe8503ffc87b027f0fc919185236d8779c230a2', '1794930409483', '1', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1ea30-7fb5-72ba-909a-fbb4792ed7da', '2', '3e5d30d9-bd53-4e7c-b80a-e93800ce4257', 'StepStarted', 'go', '1', '1', '34bea11758a1b5b8921c0b14958f5ee21fac9eb6a48704a0635721327a53a53d', '1794930409464', '{"kind":"signal","name":"go","digest":"3f5b2441e270ad2f461312a47e3f1f735c673b3b83fdb595499e9ce0c6e46d28","signal":"go"}', '4d020c191a4265aafc4cb95620a58a79', 'ae84d0ec46fea32425f92e94930b8fcd2fdc67f49cfa1bf3e07159a7cca2a5f5', 'dd9b1b2801d11c47c35f8a47df7684cf9b2077e542662d25bbbc25167ffcb8a5', '1794930409483', '1', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1ea30-7fb5-72ba-909a-fbb4792ed7da', '3', '271712b5-55f3-41f5-9163-b4327bb49128', 'pawl.UpdateAccepted', NULL, '1', '1', '7344a7e7067e56994b24a3417b567f9e01fd54a4bfff80377c2d769f368040b1', '1794930409933', '{"updateId":"rename-1","name":"rename","inboxId":2,"input":"Ada"}', '9d620f16143f59dffea3c2db95032d8c', '646059eb6de92e4ea188c0434192195ed478607c69a14dd5a9fb67012b12af61', 'bd0096880a6f8163a7fae99a44334adae4984f4e1538c0ea1b87b1f430b0046f', '1794930409957', '2', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1ea30-7fb5-72ba-909a-fbb4792ed7da', '4', 'd229c22a-9e36-415d-bace-b73fb09f1c22', 'pawl.ViewPublished', NULL, '1', '1', 'cd11e94d47bcffac794f65b1c3d5613afecc62e4ffacfdd61db57c9911aef798', '1794930409949', '{"name":"name","value":"Ada"}', '4d2fa1eddb70109cb400f8dff6ff6cb1', '7e86f392e3077533cab2793099c58e3264c2dadb6d26809e9a0c626b483e32b1', 'f55de95d123165fe36ab5797f0e8d66c434cc43902cee55ba92062e421f3a564', '1794930409957', '2', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1ea30-7fb5-72ba-909a-fbb4792ed7da', '5', '0ef5ce00-5e79-452d-ab9b-45f1fb20829f', 'pawl.UpdateCompleted', NULL, '1', '1', '12254293f3ee072b34ba702bfaa4075aa36158169b662c2053b38031ce5944b0', '1794930409949', '{"updateId":"rename-1","answer":{"ok":true,"result":"renamed Ada"}}', 'a3073158766795499680238a4130cc20', 'd68e4ff7fd2b5c01cd96cc8a61cd667aa97aaaf8501f0ed295d1ac41e6efe611', '715c4a1c8a2e82a50dc5ac2aa385149d4f95ef25317ead9f463a59d9ce332ea9', '1794930409957', '2', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1ea30-802a-7380-9944-2021259fae7a', '1', '19c87095-9d95-479e-8615-8ba2b0e5dcd1', 'RunStarted', NULL, '1', '1', 'e039e2e4fb4b87c5a9db11c4b8e32261535486eb197332a1034378fa8696e6bb', '1794930409517', '{"parsed":true,"codeVersion":"1","from":"none","engine":"01a1ea30-7de7-764b-a938-5e184eba47e6"}', '48a9e1b320256c9855cdef1ac2ce0328', 'be36ef30c52f179d44c5ec7c325c1ba92d550fc00fc36963b5fc0319626e995f', 'e86060114bc6c9b510ba2e8e9f64da5b9ef0f7f27ca7c47c127bcb5e1e54270a', '1794930409572', '1', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1ea30-802a-7380-9944-2021259fae7a', '2', '8f4d89eb-a68f-44f1-a7d2-c3ec5afddb77', 'StepStarted', 'child', '1', '1', 'b01ea953cfb5fe058c38d87b1851f9193a17fc1c4e2b770ea04c90560bb0831c', '1794930409519', '{"kind":"child","name":"child","digest":"117651691b2a9336f86f4d9b0d54adbaae27db196460c3c4d8f700218d6505ed","child":{"runId":"01a1ea30-8034-7295-84dc-70c219d7a140","workflowId":"the-child","workflow":"child"},"input":{"$pawl":"undefined"}}', 'd35530a1cb4a51849ec117c8d4c44e05', '6ac382452425ef1907379a572f16b2b81f40326ae4a4f088ad7553b2045923e8', 'd9bdc4a62bec7f9c5718e37da33d0a6876f7f09fc4e0fd6bf15aecae80fd87ee', '1794930409572', '1', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1ea30-8034-7295-84dc-70c219d7a140', '1', 'dc5a3f2b-c599-452c-af8c-8e5873c85253', 'RunQueued', NULL, '1', '1', 'de8476235e918186c955837aeb560530c570fb4bc3699844dbfa6885eb0193aa', '1794930409518', '{"input":{"$pawl":"undefined"},"engine":"01a1ea30-7de7-764b-a938-5e184eba47e6"}', 'a0258feef579d88dc5d4f9c0fdbbd5b2', '072e3d9938e7e9fa75bbf5b950a01d6ba76f3ee5f153c2dfa4e0d3a6a878cddd', 'a6af9b5249f0a1dec7f6d824fc863e6c0bbf2d1f3088bbc4fa7f169446ba9321', '1794930409572', '1', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1ea30-8034-7295-84dc-70c219d7a140', '2', 'c784e142-02e4-475c-a6b4-a7cc047b3460', 'RunStarted', NULL, '1', '1', '2b5646272f2fc4bc50b2f5845399065de4a10bcfba0b15be3579e4e538cb51a4', '1794930409771', '{"parsed":true,"codeVersion":"1","from":"PENDING","engine":"01a1ea30-7de7-764b-a938-5e184eba47e6"}', 'db7c53ab564d7b9787bb252833757093', '025ac2f5dcabf2f5a835bacccd135df88ae9e6f08a6faab9718a7af7cd5dbf0c', 'ebcb50185523a16870aec9e5856486d9077bb51a46990fa266c505809c0bd341', '1794930409809', '2', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1ea30-8034-7295-84dc-70c219d7a140', '3', '238f58a8-5dcf-45c8-8615-742cc61a82fd', 'StepStarted', 'answer', '1', '1', '505e1a23c1a61eef0f29f8df7a3cfd446d0ad9c2dda48e18ffd28d3507fc5b85', '1794930409783', '{"kind":"signal","name":"answer","digest":"6af44cf9a32d7a8596ddd574de00e2d0e036802c46e1f63c4dd7966c382e4c35","signal":"answer"}', '2bf51a5e5ec800a46b0bb937af60f657', 'd1cf27d64dd41f0866e8effff7266e88575994320c82eb77001ab2a01fc72a8c', '41febf5f6c782c3d8ed90a4af39daa333c156a9134d4d4350fab241fa6e47682', '1794930409809', '2', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1ea30-882a-704e-a180-7960f3042fa0', '1', 'ca352e72-5f61-4247-adc6-6e20281ebce9', 'RunStarted', NULL, '1', '1', '2bbea495998dec318d85c4e85f9849506b93ff66297a4cd7a395da72a0f95171', '1794930411560', '{"parsed":true,"codeVersion":"1","from":"none","engine":"01a1ea30-7de7-764b-a938-5e184eba47e6"}', '0ba87bd9f437df4766af96da8bd3dd5f', '34c8de3ca4781a9f9e635cfbee18168ee68964b02259b867950eca5cdebbae9a', '7bd15b9146e9ffada5ebcaee08e261b7d8d4908316533181b5636ea775541443', '1794930411571', '1', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1ea30-882a-704e-a180-7960f3042fa0', '2', '6a305050-2197-43fa-b10a-71a6f8a0df49', 'StepStarted', 'one', '1', '1', 'b4c820597795aa97168da6cfe04968a640accae2b81818106da8dbba20253728', '1794930411560', '{"kind":"effect","name":"one","digest":"65ef844c98b3e85b70e6c5192d76d1b60a81a310e6ba93e27b447a5ad881c94b","class":"UNDECLARED"}', 'f334ed4f9a12e80aba2a330b2bf6c898', '6685190cf59199839f3a88e295b3a65c71acace87a5b138f15f16f97f5d736f9', '0918e117c41a7e7d72650c53801be46263e6d5d71fc4df706c629df131779138', '1794930411571', '1', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1ea30-882a-704e-a180-7960f3042fa0', '3', '97d43134-0ac4-4585-9032-0c3ef43029fe', 'StepCompleted', 'one', '1', '1', 'bab7825dd792ec1f25af5d31d3c346beb18bc0524f95411d988d0a2c5a5f013b', '1794930411599', '{"result":1}', 'f7c4d77faa7c6493aef754ffcd6f93a7', 'fd641ab01621efb4f0c36ac0e62e1ef0d72d270585f3ed5d906a9dffad0ff553', 'fcd383a642486a14d993997e318a1514679c67e752fd2a6c9b29394cf3d56749', '1794930411630', '2', NULL);
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version, emitted_text) values ('01a1ea30-882a-704e-a180-7960f3042fa0', '4', '77748a9e-68df-4d33-9658-db34c1ce94d1', 'StepStarted', 'two', '1', '1', '9182340aed60809581c6020b5264b045b7c3535d0f5fb7d9905d16011f104a21', '1794930411599', '{"kind":"effect","name":"two","digest":"a98cec722f9d81d928ab82e4904c332bd488d86208c0d5a9e5abed5d03a2c30b","class":"REPEATABLE"}', 'e26ba17dd34cf3552ef911c12beb1ba0', '097226e4b9f24b316b576bdf04d2c9af7822d06fa4a843ed88c2d3fb30a6bf64', 'dab0630a84e1502cae6f82445a2a23ece95e33c0e510f15543feeff61bf1600e', '1794930411630', '2', NULL);
insert into pawl_inbox (inbox_id, run_id, kind, name, id, payload, accepted_at, taken, consumed, wakes, control, reply, dedup_hash, sent_by, payload_digest, rejected) values ('1', '01a1ea30-7fb5-72ba-909a-fbb4792ed7da', 'signal', 'later', 'later-1', '"first"', '1794930409776', '1', '0', '0', '0', NULL, 'e59f673a03c60dd02d8b4f9ff5f8af2ac09881c8bf08a8c7589ebeb85e0771f6', NULL, 'de5f2cbf4c10a0d146f2a671aac363e8640fefc469ad42ac25364f19e4bc194f', NULL);
insert into pawl_inbox (inbox_id, run_id, kind, name, id, payload, accepted_at, taken, consumed, wakes, control, reply, dedup_hash, sent_by, payload_digest, rejected) values ('2', '01a1ea30-7fb5-72ba-909a-fbb4792ed7da', 'update', 'rename', 'rename-1', '"Ada"', '1794930409883', '1', '1', '0', '0', '{"ok":true,"result":"renamed Ada"}', '96174688ec23684430ebae1570066563a1ebd436443cacce9dfe2200722b6b40', NULL, 'a39afeed7d3319213be7a235840b3c6d3f09f2810b9c91779f34572b6b36832a', NULL);
insert into pawl_meta (one, format, oldest_reader, oldest_writer, incarnation, store_id, identity, feed) values ('1', '7', '1', '1', '1', '883df62f-606f-44ad-8c89-3c89d0cd393a', 'mysql:UvLmpqbL7Vk5J4aC0qvTUMb/CPc=/var/lib/mysql//pawl_test_04fa6899d64bdffc/pawl_', '0');
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, long_texts, origin, expired_at, purged_at, error_code) values ('01a1ea30-6fc4-703c-be7a-2335b1752192', 'default/default/default', 'doubtful', '1', 'doubtful', '1', 'RUNNING', 'decision', '01a1ea30-7de7-764b-a938-5e184eba47e6', '2', '9647865883781089bed87114290c9763', '3', '5aa71545-03a0-46cd-92b8-de27e361880e', '5', 'e2976b3548b5f2ecfed2a57206a0d34fcf35f476e6033e3daf537cb4391de6e9', '1794930411352', NULL, '1794930405481', NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1ea30-6fc4-703c-be7a-2335b1752192', NULL, NULL, '0', '0', NULL, 'engine', NULL, NULL, NULL);
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, long_texts, origin, expired_at, purged_at, error_code) values ('01a1ea30-7ed3-73a1-9c02-16d09a2f25b3', 'default/default/default', 'settled', '1', 'settled', '1', 'COMPLETED', NULL, NULL, '1', '05a53b571947d16e889720a1d7cefac0', '2', 'fc5bd411-60dd-4246-8167-c2faa9e387c5', '5', '2d53632dc4daadadf4c82da4d9fa0675d04f9866777d1bd51f8fb9b7c310c5f1', '1794930409328', NULL, '1794930409289', NULL, '{"kind":"kept"}', '6f4b6612125fb3a0daecd2799dfd6c9c299424fd920f9b308110a2c1fbd8f443', 'settled-once', NULL, '01a1ea30-7ed3-73a1-9c02-16d09a2f25b3', NULL, NULL, '0', '0', NULL, 'engine', NULL, NULL, NULL);
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, long_texts, origin, expired_at, purged_at, error_code) values ('01a1ea30-7f8b-753d-b30d-925cf14a4cd0', 'default/default/default', 'sleeping', '1', 'sleeping', '1', 'RUNNING', 'timer', '01a1ea30-7de7-764b-a938-5e184eba47e6', '1', 'c1f8c246c893a768b91b32efd63b5334', '2', '6923a860-eaa0-4c54-878c-2761a5bce3aa', '4', '0f55c2f85f7c85c6ec9caf52d1ee81fa41fdc7e2ec727ca03f99be3ee0de0755', '1794930409416', '1794930414416', '1794930409369', NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1ea30-7f8b-753d-b30d-925cf14a4cd0', NULL, NULL, '0', '0', NULL, 'engine', NULL, NULL, NULL);
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, long_texts, origin, expired_at, purged_at, error_code) values ('01a1ea30-7fb5-72ba-909a-fbb4792ed7da', 'default/default/default', 'listening', '1', 'listening', '1', 'RUNNING', 'signal', '01a1ea30-7de7-764b-a938-5e184eba47e6', '1', '883d1777b6d2f92320a43dca8932f13f', '2', 'fa746a9f-362e-41aa-8db2-8bf257cd9752', '5', '715c4a1c8a2e82a50dc5ac2aa385149d4f95ef25317ead9f463a59d9ce332ea9', '1794930409957', NULL, '1794930409483', NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1ea30-7fb5-72ba-909a-fbb4792ed7da', NULL, NULL, '0', '0', NULL, 'engine', NULL, NULL, NULL);
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, long_texts, origin, expired_at, purged_at, error_code) values ('01a1ea30-802a-7380-9944-2021259fae7a', 'default/default/default', 'parent', '1', 'parent', '1', 'RUNNING', 'child', '01a1ea30-7de7-764b-a938-5e184eba47e6', '1', 'f417f79226cdf46b89e04fd82fca26cb', '1', '0a905fd7-4290-452f-93ca-d97e8220e923', '2', 'd9bdc4a62bec7f9c5718e37da33d0a6876f7f09fc4e0fd6bf15aecae80fd87ee', '1794930409572', NULL, '1794930409572', NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1ea30-802a-7380-9944-2021259fae7a', NULL, NULL, '0', '0', NULL, 'engine', NULL, NULL, NULL);
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, long_texts, origin, expired_at, purged_at, error_code) values ('01a1ea30-8034-7295-84dc-70c219d7a140', 'default/default/default', 'the-child', '1', 'child', '1', 'RUNNING', 'signal', '01a1ea30-7de7-764b-a938-5e184eba47e6', '1', '07f6731031926183e9c5100c71f5f473', '2', '5b8e67c0-9af7-41ac-bbc6-add24b57a0fd', '3', '41febf5f6c782c3d8ed90a4af39daa333c156a9134d4d4350fab241fa6e47682', '1794930409809', NULL, '1794930409572', NULL, '{}', '66fb24cb21354877635a93dab77577d75c67408441b22f433c4c30e6506f15c3', NULL, NULL, '01a1ea30-8034-7295-84dc-70c219d7a140', '01a1ea30-802a-7380-9944-2021259fae7a', 'child', '0', '0', NULL, 'engine', NULL, NULL, NULL);
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, long_texts, origin, expired_at, purged_at, error_code) values ('01a1ea30-882a-704e-a180-7960f3042fa0', 'default/default/default', 'halfway', '1', 'halfway', '1', 'RUNNING', NULL, '01a1ea30-7de7-764b-a938-5e184eba47e6', '1', 'dca07deb0ac9f6bb8d83bc34ca18deec', '2', '2e860530-7f73-4d0b-ba3a-4c15564fbebd', '4', 'dab0630a84e1502cae6f82445a2a23ece95e33c0e510f15543feeff61bf1600e', '1794930411630', '1794930411571', '1794930411571', NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1ea30-882a-704e-a180-7960f3042fa0', NULL, NULL, '0', '0', NULL, 'engine', NULL, NULL, NULL);
insert into pawl_shelves (shelf, shelf_key, value, version, put_at) values ('messages:default/default/default', 'child/1', '{"signals":[{"name":"answer","schema":{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"number"},"required":true,"whole":true}],"updates":[]}', '1', '1794930405243');
insert into pawl_shelves (shelf, shelf_key, value, version, put_at) values ('messages:default/default/default', 'doubtful/1', '{"signals":[],"updates":[]}', '1', '1794930405243');
insert into pawl_shelves (shelf, shelf_key, value, version, put_at) values ('messages:default/default/default', 'halfway/1', '{"signals":[],"updates":[]}', '1', '1794930405243');
insert into pawl_shelves (shelf, shelf_key, value, version, put_at) values ('messages:default/default/default', 'listening/1', '{"signals":[{"name":"go","schema":{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"string"},"required":true,"whole":true},{"name":"later","schema":{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"string"},"required":true,"whole":true}],"updates":[{"name":"rename","schema":{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"string"},"required":true,"whole":true}]}', '1', '1794930405243');
insert into pawl_shelves (shelf, shelf_key, value, version, put_at) values ('messages:default/default/default', 'parent/1', '{"signals":[],"updates":[]}', '1', '1794930405243');
insert into pawl_shelves (shelf, shelf_key, value, version, put_at) values ('messages:default/default/default', 'settled/1', '{"signals":[],"updates":[]}', '1', '1794930405243');
insert into pawl_shelves (shelf, shelf_key, value, version, put_at) values ('messages:default/default/default', 'sleeping/1', '{"signals":[],"updates":[]}', '1', '1794930405243');
insert into pawl_views (run_id, name, value) values ('01a1ea30-7ed3-73a1-9c02-16d09a2f25b3', 'seen', '21');
insert into pawl_views (run_id, name, value) values ('01a1ea30-7fb5-72ba-909a-fbb4792ed7da', 'name', '"Ada"');
