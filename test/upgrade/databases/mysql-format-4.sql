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

insert into pawl_accepted (key_hash, storage_key, accepted_at, expires_at, run_id, inbox_id) values ('96174688ec23684430ebae1570066563a1ebd436443cacce9dfe2200722b6b40', 'upd:default:default:default:listening:rename:rename-1', '1794815644965', NULL, '01a1e359-54a5-756c-a939-68c0c1695880', '2');
insert into pawl_accepted (key_hash, storage_key, accepted_at, expires_at, run_id, inbox_id) values ('e59f673a03c60dd02d8b4f9ff5f8af2ac09881c8bf08a8c7589ebeb85e0771f6', 'sig:default:default:default:listening:later:later-1', '1794815644917', NULL, '01a1e359-54a5-756c-a939-68c0c1695880', '1');
insert into pawl_effects (run_id, seq, version, scope, workflow_id, step_id, name, class, effect_key, args_digest, status, phase, attempts, engine_attempts, error, event_seq, created_at, updated_at, receiver) values ('01a1e359-475a-707f-b56e-b5b7525c71d7', '4', '1', 'default/default/default', 'doubtful', 'charge', 'charge', 'AT-MOST-ONCE', 'pawl-8cf3029bbf22372b5fa96146c432bd957ac6aaca9d5291888b91399ef0b4b568', NULL, 'indeterminate', 'doubt', '1', '1', '{"code":"PAWL2001","reason":"it began and nobody recorded how it ended"}', '5', '1794815641560', '1794815646744', NULL);
insert into pawl_engines (engine_id, lease_until, renewed_at, session_boot, dead, serves) values ('01a1e359-46e3-76b7-80c4-77ad6d7d71f0', '1794815651344', '1794815641344', '1794815636000', '1', '[{"workflow":"settled","version":"1"},{"workflow":"sleeping","version":"1"},{"workflow":"listening","version":"1"},{"workflow":"doubtful","version":"1"},{"workflow":"halfway","version":"1"},{"workflow":"child","version":"1"},{"workflow":"parent","version":"1"}]');
insert into pawl_engines (engine_id, lease_until, renewed_at, session_boot, dead, serves) values ('01a1e359-52d6-702c-98b6-b4b1be61aa19', '1794815656750', '1794815646750', '1794815636000', '0', '[{"workflow":"settled","version":"1"},{"workflow":"sleeping","version":"1"},{"workflow":"listening","version":"1"},{"workflow":"doubtful","version":"1"},{"workflow":"halfway","version":"1"},{"workflow":"child","version":"1"},{"workflow":"parent","version":"1"}]');
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e359-475a-707f-b56e-b5b7525c71d7', '1', 'fb8ad965-bbd4-4d17-b3da-507aad5a6cbd', 'RunStarted', NULL, '1', '1', 'c73dd9d2297dd94c234899821c2bba6d62b6a87205aaa999e4bd420def479543', '1794815641465', '{"parsed":true,"codeVersion":"1","from":"none","engine":"01a1e359-46e3-76b7-80c4-77ad6d7d71f0"}', 'd199311674644c8edbb30618e2456fc4', 'cc6f429ea5474322d189708e7d90c96ee73808732ee92e6d3058f09d8799b720', '620a4d6c244ad04fa07e87fa61e8db5485cce2d9c43cae86595387a614742587', '1794815641513', '1');
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e359-475a-707f-b56e-b5b7525c71d7', '2', '85cc7bf0-e7a7-4955-8789-16880284ef05', 'StepStarted', 'order', '1', '1', 'd82fb325188ebc6536c5aa9cd19fd849ad7d4dfb855ee67a94d85f8561b80732', '1794815641484', '{"kind":"effect","name":"order","digest":"799d7256bcab06d415e9f017db67b402ee0091972b47d904f8ff7accea7f6687","class":"UNDECLARED"}', '4666ebc484174ff9520132bd5510b070', '591b40260db548b831cf7ee085ef18a5f1a4832695d5d77a5e0c131843ad1ab2', '69ec933d81c301cd583631475908800bb70c7d97bbd22e5ef915d838c67f6e92', '1794815641513', '1');
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e359-475a-707f-b56e-b5b7525c71d7', '3', '4fbfbd24-78ba-4389-8acb-4119df1866d8', 'StepCompleted', 'order', '1', '1', '52de0f5cdcff9c216f9bc949e54a0b7123a11b2e9f2982fbd1451519984c44ec', '1794815641545', '{"result":7}', '6765fbc9502a3ae8da833a04091c36e4', 'bdfa75110f97b49b1dd9477f7fb68f0e065aeaa0926cc6230e9885f73555dffc', '8601d1a6f358f6f2a9d466e87acf7520acdd25f50931a7363fc63c6df30ce3a6', '1794815641560', '2');
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e359-475a-707f-b56e-b5b7525c71d7', '4', '01374b04-5267-4e8c-b301-e1cd034b6fe5', 'StepStarted', 'charge', '1', '1', '3cd4dcfebe5855e0060f675f084284c580b4b4d49fb22d1c5ed7289188d33d7d', '1794815641546', '{"kind":"effect","name":"charge","digest":"2ec79112be9dddff500c39c27d48b690db462962e412c10028ff5eeaf2d040b9","class":"AT-MOST-ONCE","timeoutMs":60000}', '1cb79df70eb02dd4ae5ea56c7d63902e', '58fc39eecbe3b60ef2c47bdd0b6841e9f3ae93c4748aabdfe96d8c48ab1d038d', 'eb43562f554a4085f88b74436ce5ddb3be284838d93e3b57c31d3d8070624f0d', '1794815641560', '2');
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e359-475a-707f-b56e-b5b7525c71d7', '5', '0ca20be2-592b-4914-afdd-08d2f99343c1', 'pawl.StepInDoubt', NULL, '1', '1', 'd34f1eda9186ca70eef92e0f23b10ae09136a775e3b184757da11d2fe1c07021', '1794815646736', '{"stepId":"charge","reason":"it began and nobody recorded how it ended","code":"PAWL2001"}', 'da9dc5fa2330e83b826fb69e1977d76c', 'd66af3d075155ad828973b82d2ad5ea90ce12bf74e2664b09db488a1cd4e15cb', '02c2841e50f86681c3bbe58239eddadfb2116612e1a654af3b5b3178aa282a80', '1794815646744', '3');
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e359-5423-77e4-beb5-8124349e6088', '1', '1ef790db-ad9b-4e5c-b9e8-3835734255fd', 'RunStarted', NULL, '1', '1', 'a97c7d46278369afb72277ad1cf413cefd6ad95f4074eef23c0a80abadda567e', '1794815644717', '{"input":21,"parsed":true,"codeVersion":"1","from":"none","engine":"01a1e359-52d6-702c-98b6-b4b1be61aa19"}', '7596be7ef62581fb584a0172955d69a9', '073bb11e7715e9e24996a75ddce2658732c111b8e9e6bcb6e125afbca08896c9', 'cdc9c495d3e5900487ed1fc2ee0453a3530b445643cdf5799b6e87c0318fc752', '1794815644767', '1');
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e359-5423-77e4-beb5-8124349e6088', '2', '729eb4dd-5691-4927-bb82-3e20dbe1d7c2', 'pawl.ViewPublished', NULL, '1', '1', '73f27fb1ff1c168692ec90fbcb2416fe7c6cbc6e83b339c92ffca9d84bad6698', '1794815644718', '{"name":"seen","value":21}', '88746d7a63a02667be3c2d28c503245a', '71c804cae331484f41027f3e63035e3f4578236789ed1b5b49b75fc126fadd0a', '94ba8f5a53c610355fc04af88d39ff6dc4fb20458fb685fb922e9d9940b2bcf8', '1794815644767', '1');
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e359-5423-77e4-beb5-8124349e6088', '3', 'e8639ee0-172c-4675-b1d6-ac9dfb6f4ad4', 'StepStarted', 'double', '1', '1', '4e59641c878750705d9d1d8ecb8ab22511e0d4d89255a674a96ab509a4760d80', '1794815644734', '{"kind":"effect","name":"double","digest":"ee9ff8738b77f6cb9c3d0cd45ac165bc9e65f949afd79b7dd809848242b0b772","class":"UNDECLARED"}', 'dc978530ca31b18fb6eabcbded2309a9', '465640db645f7871b5e4db08f8d40e565bbd5b67196999d6d171bb4d40f7f32b', 'ac20b5a8de9f0e42581bad1b66710822a418f34a654021b91d7efb752b09b91a', '1794815644767', '1');
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e359-5423-77e4-beb5-8124349e6088', '4', '13114dcd-6482-4b0c-8482-97d147d6a091', 'StepCompleted', 'double', '1', '1', '86547efc5d75cabcd3a5f57d8de1613d455e26052a148b24b86a592e67bc2556', '1794815644793', '{"result":42}', 'e89335e273d2d45fce3e9c9d77345dd1', '34b40ffc466fc00755f6603b6de1867320133fe6ac733f7a20827232a226a9ee', '12faffa905e07856511a75d4a18072722c0735a8cce9acd72df67cd5edf88627', '1794815644795', '2');
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e359-5423-77e4-beb5-8124349e6088', '5', 'af1f3621-ae03-44b4-822a-153d2c4e9de5', 'RunCompleted', NULL, '1', '1', '7f7ee38599242f63dc8bf540e519b31a8d67f4503e6726aee1db4a1378b45b9b', '1794815644794', '{"result":42,"from":"RUNNING","engine":"01a1e359-52d6-702c-98b6-b4b1be61aa19"}', 'e88b7799474fa65e2b91bbb0dc221ea3', 'ef4bac953a28ec2f4ac439c00f6a1daba9b7d47d30cbcf38d27ae4e99942d281', 'fb22184fdeac8f270ee8bd4a96ea80eb51c62cfd1539798e8472dd8c32a9e5db', '1794815644795', '2');
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e359-5484-70a3-827e-e4ba2008d66e', '1', '67448e1d-cadc-4dca-b692-52d6dfa04a32', 'RunStarted', NULL, '1', '1', '43a13947748a15be0398dc07eb1be99a45ae3e0bcd3744ece0ca6085e7ffbdad', '1794815644810', '{"parsed":true,"codeVersion":"1","from":"none","engine":"01a1e359-52d6-702c-98b6-b4b1be61aa19"}', '9d31314b80b338a699af3fe47d6397e7', 'c596510df54499a2309e8a620da48b5e088bb60e8c07528a03a05bfb9fc34245', '32379f7bc1f666647554ba8db49fbb57b6965acd09c462ba71a7bfb7359cf154', '1794815644823', '1');
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e359-5484-70a3-827e-e4ba2008d66e', '2', 'bdbf170f-ec03-42e1-bf1f-1ddfee1d44e3', 'StepStarted', 'before', '1', '1', '2c79b2f37160cc3ad8c450b3af4bfc3a7ea5f605d1fb45994d7e7dd15c7b7d48', '1794815644811', '{"kind":"effect","name":"before","digest":"05bfe291a21a0d1f5f4657f5211cbe8150d540997b33667c9d3ea79321335833","class":"UNDECLARED"}', '025ff63adfa39437d025f97ff2d65c71', '50b8c11ad173b5bb568cec7e4ecbfb99f4b90a1e27b4d45779d1268546cdebba', '438e7bd349f5e6b07194fb9e7bf2ce60c0bc91913892c9f306bae5bd14d09e1b', '1794815644823', '1');
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e359-5484-70a3-827e-e4ba2008d66e', '3', 'c2dea686-0888-47ab-a430-35ced382e0af', 'StepCompleted', 'before', '1', '1', '80f31f423ab1216f6e6a601d453ce397dfcacd9a63c7b66401ddd04865b3871a', '1794815644837', '{"result":"slept"}', '9732e4f947c602a4d3e5e1ed312cacbb', '18570dfe02476f52bfab91884043c8550e6b8286a607b2f9b54fd67b348d65ba', 'f4432acf8e519a02b2fc9656746ea9ab9db6b947809eb6e16c2950c5adf2d013', '1794815644844', '2');
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e359-5484-70a3-827e-e4ba2008d66e', '4', '66436299-37f3-4ce8-a53b-f7a7727af6b2', 'StepStarted', 'nap', '1', '1', '3d2dee1c92f926c260f5d91ce371fb5a16eff346822a117ff6c4f54ec1bed293', '1794815644838', '{"kind":"timer","name":"nap","digest":"538b904f34061c9af68dfac9bc3e3f2aa12c8f0274ac1a58dec9793584cd778e","delayMs":5000}', 'abd5c8fe56350039f1aafbeb45315ab7', 'e1e32b04ea074fdb82def768060cb449a101609072dc2e8787b9206e75dc5bea', 'd59877bed977f2c5f254b8db7c4e00b2faf2995cd0a29440d98ddb918fa07f76', '1794815644844', '2');
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e359-54a5-756c-a939-68c0c1695880', '1', 'bdbd56e6-8d3c-4d58-a87f-c6014d017709', 'RunStarted', NULL, '1', '1', '33f100d94615d6eb024d653ad9548dac538c50ed0a2976a5a8a54bc777d8bf14', '1794815644848', '{"parsed":true,"codeVersion":"1","from":"none","engine":"01a1e359-52d6-702c-98b6-b4b1be61aa19"}', '4d854a7d6732792ac00687590800ef55', 'd0b08acbd28d003cb216f761858c3e5ca1a533b25d41c157b714e6c5775f674c', '7db34be87873a4cae2fff81c66e1790d8525c97b4d99fbd383ea9aacca45c0b3', '1794815644858', '1');
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e359-54a5-756c-a939-68c0c1695880', '2', '1e6bd27e-5055-470c-828d-0f706da07b39', 'StepStarted', 'go', '1', '1', '8978f03b3bae74ab693777cd5af536fbc46b19211454d62572a65c0efe6166e8', '1794815644853', '{"kind":"signal","name":"go","digest":"3f5b2441e270ad2f461312a47e3f1f735c673b3b83fdb595499e9ce0c6e46d28","signal":"go"}', '73c295085049df8436ee8b6c860d00a5', 'adcd654fe71f2cbb8c6339850ecdb06f29f0c3643ac3b5fc71a8e882733cddb0', '613bcabc9964bf81f2e74f932a399366d6302bf00e239ec9c33b721931fe6596', '1794815644858', '1');
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e359-54a5-756c-a939-68c0c1695880', '3', '672af72a-e559-4570-a830-3722bbb703c4', 'pawl.UpdateAccepted', NULL, '1', '1', '807989573b544c12660a0b73f58e109dfe379eb7b92b58535ecd181c013c0193', '1794815645015', '{"updateId":"rename-1","name":"rename","inboxId":2,"input":"Ada"}', '7b877eb8a968ec0933d96d62a6e617c6', 'b39e2b29a5bc40f1ba4b380884312a847ea8fb7fe00e072d4153a7ad276a5ddb', '774486937f54e1ab53ad28b519be0e88f2e2684e1534f3a3a6be32eefec2d490', '1794815645034', '2');
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e359-54a5-756c-a939-68c0c1695880', '4', '68a636d1-b8a9-4953-99b8-6a471a5a4b5a', 'pawl.ViewPublished', NULL, '1', '1', 'f7fd64f3254689abfbcfb67302c43a59c3f540aadf05afa196fe1952c0fb17ec', '1794815645020', '{"name":"name","value":"Ada"}', 'fe86f16a4e25a6a8649deada96510ff4', '6059af59e5a81c875e888d3e5076e2513a87fac9ca51609a4e2b017d0b2b0cd0', '6f7f450b8993a1dc6d518a38f136e99b449d43b3b4995b4b62b75d19c7cc8bb8', '1794815645034', '2');
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e359-54a5-756c-a939-68c0c1695880', '5', 'e87b11b2-3244-4932-82da-a5c72b63cdf8', 'pawl.UpdateCompleted', NULL, '1', '1', '82850895a35f12447781e7115620845f6e6da7ce04ed65f775bf17cd4cf7e1bf', '1794815645021', '{"updateId":"rename-1","answer":{"ok":true,"result":"renamed Ada"}}', '01cc6efeef5f3ca9c858d9af02c04149', '45b757269e3318149b62de1e11908953a2d931b93c9619068110b1af4b4b87ed', 'f60e3eb79459e6630b6c1096b07cd135c37dc57a1e14c87a27a4cfff0ef783c4', '1794815645034', '2');
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e359-54bd-75d1-9677-8df80488c3d3', '1', '349bd64c-4c71-4ba1-8e49-942a12eee7eb', 'RunStarted', NULL, '1', '1', '948748998601ffcbdb20187cd07c4ef888258531a3dfb97bf676f3ab5961c8f6', '1794815644869', '{"parsed":true,"codeVersion":"1","from":"none","engine":"01a1e359-52d6-702c-98b6-b4b1be61aa19"}', 'ac29e8af9a1cfeebe78db4e0c836a014', '683cf6910891be69931e25a3fde86cf7de1316e19c5b0e2138286b469a62dcdb', '02b7fc0b4fa1cd8a02cb8e3872dd449af19f75e7b6b6b001c9ace16696e98670', '1794815644874', '1');
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e359-54bd-75d1-9677-8df80488c3d3', '2', '44ba38d2-1c0d-4849-b7ba-742d436b7729', 'StepStarted', 'child', '1', '1', '68b6565ec814f826395c0c57152a526ae6e263fc4346d349fb0fddfa3f2ffe01', '1794815644870', '{"kind":"child","name":"child","digest":"117651691b2a9336f86f4d9b0d54adbaae27db196460c3c4d8f700218d6505ed","child":{"runId":"01a1e359-54c6-73fa-89f6-6eb7a4cfa212","workflowId":"the-child","workflow":"child"},"input":{"$pawl":"undefined"}}', '6ec3a4006f0135709d8d2c35047cf3dc', '2023e68f911c78c82a99a7ed824960a75e60e231949eda3568b767c6c6bc4d1f', 'cd2213d1a95bf35bddf6b66873f5a04f3cd31d3cf4e3cb8a84d0191ba0b700e3', '1794815644874', '1');
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e359-54c6-73fa-89f6-6eb7a4cfa212', '1', 'a715d634-d094-41cb-8687-3cc0330dccce', 'RunQueued', NULL, '1', '1', '905f24964c14762839c448c37a26cfa588a53a60a5087383974579f37453e1d0', '1794815644870', '{"input":{"$pawl":"undefined"},"engine":"01a1e359-52d6-702c-98b6-b4b1be61aa19"}', 'f5d8474dd68e292e2577dbe43f6cb02b', 'ac840866ea504ce07fca26f4816f6dcc71e9233940f68bb0aa4c8c19e85a786f', 'c7d2656e66130ebdd9e8b412a78b681de285a907bb1e40491b9f7f7ca529decb', '1794815644874', '1');
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e359-54c6-73fa-89f6-6eb7a4cfa212', '2', '5461e39a-1dec-44bc-b5a7-e7e86f75b7c3', 'RunStarted', NULL, '1', '1', '1457952efffb672b28d5d422eaf02e66c25d01270e2b4de7b4fc1d6a6ee0aace', '1794815644960', '{"parsed":true,"codeVersion":"1","from":"PENDING","engine":"01a1e359-52d6-702c-98b6-b4b1be61aa19"}', '81a7eb0801f856eeb6693fd90ba92c71', '5534bcf041bdb703e0d99c34aad8fa2f4ab2afee4659baedf9fbcb0c8c185636', '862662b38557a0c010632cfae7a1a3080b27df53ca7409c886f3a9b9b9e0f6b8', '1794815644969', '2');
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e359-54c6-73fa-89f6-6eb7a4cfa212', '3', '1f0e50fc-49ee-4885-b30a-7df38c46fcc3', 'StepStarted', 'answer', '1', '1', 'a592a7e520156890335ea612323c4498dff9e8423982488b353b94548df02bd5', '1794815644961', '{"kind":"signal","name":"answer","digest":"6af44cf9a32d7a8596ddd574de00e2d0e036802c46e1f63c4dd7966c382e4c35","signal":"answer"}', '520d63b3097f6b9d05286a2a82f2e672', 'ead13c2f9f3caff06ff49867153599d4f8e5cb277a0d4592d22d425d1a1f136c', '2f87939f5eba43657f912c8b8b17b49a3820b0b8ccf9dce4cd0207d053430a6c', '1794815644969', '2');
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e359-5caa-7220-afa9-1ebb282c9802', '1', '3fa4b575-c9e9-415b-b3f1-56bca34c9014', 'RunStarted', NULL, '1', '1', '41f2bdf6b0420cea6dd6fe134351b86df8422ff2001e9ea51eb21dcf402127fa', '1794815646894', '{"parsed":true,"codeVersion":"1","from":"none","engine":"01a1e359-52d6-702c-98b6-b4b1be61aa19"}', 'a0703928afbb4450f8548b1c9d0109a7', '231a5a2deb8e637af148697676bd8331a65c9bc993496afa0f0e00b47e45d1a3', '2e685e0bd06ff8e02f74b38b977116f7dbd19864da491a9470fcfacf30c10443', '1794815646902', '1');
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e359-5caa-7220-afa9-1ebb282c9802', '2', 'af0ba9bf-b410-494c-bfbf-caa289aed4ee', 'StepStarted', 'one', '1', '1', 'eb5fc4be237266924050b9eab15c02ce8d6995b7a96ef22112be2c9b59e21c72', '1794815646895', '{"kind":"effect","name":"one","digest":"65ef844c98b3e85b70e6c5192d76d1b60a81a310e6ba93e27b447a5ad881c94b","class":"UNDECLARED"}', '83dea4cb721f3910641a3362db8388e6', '286d7f29afab59b6dad0d2315b736bfbb2f63b28dbddf72258c2be7021b35f56', '7fa197b5fdae29d94a950b9140020ae41b8ab106a30d3364fc30a5e57a8c82d2', '1794815646902', '1');
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e359-5caa-7220-afa9-1ebb282c9802', '3', 'cabccc06-75aa-4950-bb7a-dc3560d74fa2', 'StepCompleted', 'one', '1', '1', 'e17c6a57185cb68854f8c065543d10642f588001ebe4f69018e5d566ad96d3a9', '1794815646910', '{"result":1}', '2bfdeb6a0d091c60410e58a32d0b61a8', '03afcaf0561eada59b2fa57f59bd8270f9cd859a68c609508a720fe0a71036d4', 'd0ac7db76f2341958c75ef84f560b440eda0936082b7f40568319905d42bfcf9', '1794815646918', '2');
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e359-5caa-7220-afa9-1ebb282c9802', '4', '82f5620f-b7cd-4856-83bb-b8878b075e20', 'StepStarted', 'two', '1', '1', '83238d09886bcd338286dab1df54448104ed22e804a8ab42fd93ba828d7d1c30', '1794815646910', '{"kind":"effect","name":"two","digest":"a98cec722f9d81d928ab82e4904c332bd488d86208c0d5a9e5abed5d03a2c30b","class":"REPEATABLE"}', '8b8ddf0d1ae3fca6b1c322306c8ed0c4', '85a91398a346531e61ebb378f18352b4d7ab4937885a352a67b8796a0c4ab92b', '87a54aa3565efa5059c8afb3d5e1e15dc02fa70b49b7ca41e35ebeda2a2b7874', '1794815646918', '2');
insert into pawl_inbox (inbox_id, run_id, kind, name, id, payload, accepted_at, taken, consumed, wakes, control, reply, dedup_hash) values ('1', '01a1e359-54a5-756c-a939-68c0c1695880', 'signal', 'later', 'later-1', '"first"', '1794815644917', '1', '0', '0', '0', NULL, 'e59f673a03c60dd02d8b4f9ff5f8af2ac09881c8bf08a8c7589ebeb85e0771f6');
insert into pawl_inbox (inbox_id, run_id, kind, name, id, payload, accepted_at, taken, consumed, wakes, control, reply, dedup_hash) values ('2', '01a1e359-54a5-756c-a939-68c0c1695880', 'update', 'rename', 'rename-1', '"Ada"', '1794815644965', '1', '1', '0', '0', '{"ok":true,"result":"renamed Ada"}', '96174688ec23684430ebae1570066563a1ebd436443cacce9dfe2200722b6b40');
insert into pawl_meta (one, format, oldest_reader, oldest_writer, incarnation, store_id, identity, feed) values ('1', '4', '1', '1', '1', '7c7eaeb4-cec2-4649-af51-397884df068d', 'mysql:Rsfn+l+UiCNz84hlGtAq6Y9BUE0=/var/lib/mysql//pawl_test_5164b6eae091cf37/pawl_', '0');
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, long_texts, origin, expired_at, purged_at) values ('01a1e359-475a-707f-b56e-b5b7525c71d7', 'default/default/default', 'doubtful', '1', 'doubtful', '1', 'RUNNING', 'decision', '01a1e359-52d6-702c-98b6-b4b1be61aa19', '2', 'f54b957606eede38bc6540c12385ae79', '3', '9002581b-7aad-46c9-a3f0-9d5232651d16', '5', '02c2841e50f86681c3bbe58239eddadfb2116612e1a654af3b5b3178aa282a80', '1794815646744', NULL, '1794815641513', NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1e359-475a-707f-b56e-b5b7525c71d7', NULL, NULL, '0', '0', NULL, 'engine', NULL, NULL);
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, long_texts, origin, expired_at, purged_at) values ('01a1e359-5423-77e4-beb5-8124349e6088', 'default/default/default', 'settled', '1', 'settled', '1', 'COMPLETED', NULL, NULL, '1', 'e158525ec5385020f06ec14f727f2cb5', '2', '7c685923-b943-4a72-825d-7f426ffd9937', '5', 'fb22184fdeac8f270ee8bd4a96ea80eb51c62cfd1539798e8472dd8c32a9e5db', '1794815644795', NULL, '1794815644767', NULL, '{"kind":"kept"}', '6f4b6612125fb3a0daecd2799dfd6c9c299424fd920f9b308110a2c1fbd8f443', 'settled-once', NULL, '01a1e359-5423-77e4-beb5-8124349e6088', NULL, NULL, '0', '0', NULL, 'engine', NULL, NULL);
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, long_texts, origin, expired_at, purged_at) values ('01a1e359-5484-70a3-827e-e4ba2008d66e', 'default/default/default', 'sleeping', '1', 'sleeping', '1', 'RUNNING', 'timer', '01a1e359-52d6-702c-98b6-b4b1be61aa19', '1', '4b395608adc86e703584d745bc1665ac', '2', '462f00c2-8f0a-49c9-ba7a-f9f173d7f24d', '4', 'd59877bed977f2c5f254b8db7c4e00b2faf2995cd0a29440d98ddb918fa07f76', '1794815644844', '1794815649844', '1794815644823', NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1e359-5484-70a3-827e-e4ba2008d66e', NULL, NULL, '0', '0', NULL, 'engine', NULL, NULL);
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, long_texts, origin, expired_at, purged_at) values ('01a1e359-54a5-756c-a939-68c0c1695880', 'default/default/default', 'listening', '1', 'listening', '1', 'RUNNING', 'signal', '01a1e359-52d6-702c-98b6-b4b1be61aa19', '1', '152f6ab61f9bfc391c43bf3495473d80', '2', '73f180a4-ff1b-47bc-a0cb-2fe623e09b42', '5', 'f60e3eb79459e6630b6c1096b07cd135c37dc57a1e14c87a27a4cfff0ef783c4', '1794815645034', NULL, '1794815644858', NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1e359-54a5-756c-a939-68c0c1695880', NULL, NULL, '0', '0', NULL, 'engine', NULL, NULL);
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, long_texts, origin, expired_at, purged_at) values ('01a1e359-54bd-75d1-9677-8df80488c3d3', 'default/default/default', 'parent', '1', 'parent', '1', 'RUNNING', 'child', '01a1e359-52d6-702c-98b6-b4b1be61aa19', '1', '6228857fa7c7fac95f97a37f19f916f2', '1', '0ad935bc-dfe6-456f-9f03-e8ea6f2fed75', '2', 'cd2213d1a95bf35bddf6b66873f5a04f3cd31d3cf4e3cb8a84d0191ba0b700e3', '1794815644874', NULL, '1794815644874', NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1e359-54bd-75d1-9677-8df80488c3d3', NULL, NULL, '0', '0', NULL, 'engine', NULL, NULL);
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, long_texts, origin, expired_at, purged_at) values ('01a1e359-54c6-73fa-89f6-6eb7a4cfa212', 'default/default/default', 'the-child', '1', 'child', '1', 'RUNNING', 'signal', '01a1e359-52d6-702c-98b6-b4b1be61aa19', '1', '910d66e4ff7e1876ca5b68acee8a695b', '2', 'f551966d-8af3-4071-b428-d545993b7b62', '3', '2f87939f5eba43657f912c8b8b17b49a3820b0b8ccf9dce4cd0207d053430a6c', '1794815644969', NULL, '1794815644874', NULL, '{}', '66fb24cb21354877635a93dab77577d75c67408441b22f433c4c30e6506f15c3', NULL, NULL, '01a1e359-54c6-73fa-89f6-6eb7a4cfa212', '01a1e359-54bd-75d1-9677-8df80488c3d3', 'child', '0', '0', NULL, 'engine', NULL, NULL);
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, long_texts, origin, expired_at, purged_at) values ('01a1e359-5caa-7220-afa9-1ebb282c9802', 'default/default/default', 'halfway', '1', 'halfway', '1', 'RUNNING', NULL, '01a1e359-52d6-702c-98b6-b4b1be61aa19', '1', 'fe135cb54a08fa4591cad8f421e02fad', '2', '9dcfe7ef-b75c-4f74-8159-087423e1389f', '4', '87a54aa3565efa5059c8afb3d5e1e15dc02fa70b49b7ca41e35ebeda2a2b7874', '1794815646918', '0', '1794815646902', NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1e359-5caa-7220-afa9-1ebb282c9802', NULL, NULL, '0', '0', NULL, 'engine', NULL, NULL);
insert into pawl_views (run_id, name, value) values ('01a1e359-5423-77e4-beb5-8124349e6088', 'seen', '21');
insert into pawl_views (run_id, name, value) values ('01a1e359-54a5-756c-a939-68c0c1695880', 'name', '"Ada"');
