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

insert into pawl_accepted (key_hash, storage_key, accepted_at, expires_at, run_id, inbox_id) values ('96174688ec23684430ebae1570066563a1ebd436443cacce9dfe2200722b6b40', 'upd:default:default:default:listening:rename:rename-1', '1794836754579', NULL, '01a1e49b-704c-70b3-9030-165bdb01f4d8', '2');
insert into pawl_accepted (key_hash, storage_key, accepted_at, expires_at, run_id, inbox_id) values ('e59f673a03c60dd02d8b4f9ff5f8af2ac09881c8bf08a8c7589ebeb85e0771f6', 'sig:default:default:default:listening:later:later-1', '1794836754537', NULL, '01a1e49b-704c-70b3-9030-165bdb01f4d8', '1');
insert into pawl_effects (run_id, seq, version, scope, workflow_id, step_id, name, class, effect_key, args_digest, status, phase, attempts, engine_attempts, error, event_seq, created_at, updated_at, receiver) values ('01a1e49b-6b4e-731b-8d86-6b67b02823ed', '4', '1', 'default/default/default', 'doubtful', 'charge', 'charge', 'AT-MOST-ONCE', 'pawl-3a07c0c073e243bcfa8c9b4385c5c05a71fb47ce8f1dbbfbd18815e8e078f479', NULL, 'indeterminate', 'doubt', '1', '1', '{"code":"PAWL2001","reason":"it began and nobody recorded how it ended"}', '5', '1794836753247', '1794836756494', NULL);
insert into pawl_engines (engine_id, lease_until, renewed_at, session_boot, dead, serves) values ('01a1e49b-6b35-761e-b1c4-9108ce2a779d', '1794836763217', '1794836753217', '1794836752000', '1', '[{"workflow":"settled","version":"1"},{"workflow":"sleeping","version":"1"},{"workflow":"listening","version":"1"},{"workflow":"doubtful","version":"1"},{"workflow":"halfway","version":"1"},{"workflow":"child","version":"1"},{"workflow":"parent","version":"1"}]');
insert into pawl_engines (engine_id, lease_until, renewed_at, session_boot, dead, serves) values ('01a1e49b-6fe1-7077-aa92-499a3c09891f', '1794836766495', '1794836756495', '1794836752000', '0', '[{"workflow":"settled","version":"1"},{"workflow":"sleeping","version":"1"},{"workflow":"listening","version":"1"},{"workflow":"doubtful","version":"1"},{"workflow":"halfway","version":"1"},{"workflow":"child","version":"1"},{"workflow":"parent","version":"1"}]');
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e49b-6b4e-731b-8d86-6b67b02823ed', '1', '836a211d-d02d-415b-a78e-616722bd9f21', 'RunStarted', NULL, '1', '1', '1c9015c3dfbe445dadba02ce5c1102ff3a480f35590c2f8c14508731199106db', '1794836753234', '{"parsed":true,"codeVersion":"1","from":"none","engine":"01a1e49b-6b35-761e-b1c4-9108ce2a779d"}', '5ef7d2e827a33514f74293d3daedaee8', '47ace68de730a1b1fa0f5e8a14e5e4529980db7bd0cd18022abbccdacefad17b', '60ed6ea98a62a8c6fdeab05213cc3f375b91aa1b5732a9c232242d1b53dfe28c', '1794836753240', '1');
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e49b-6b4e-731b-8d86-6b67b02823ed', '2', '8fe2e2e5-f6dd-406a-939f-29a159fac7b3', 'StepStarted', 'order', '1', '1', '3552f2eb2d9b13828de912204b7fab019ac2bef927e8300da4e48561a601fac2', '1794836753237', '{"kind":"effect","name":"order","digest":"799d7256bcab06d415e9f017db67b402ee0091972b47d904f8ff7accea7f6687","class":"UNDECLARED"}', '10b8ccd93720ed53f89120009cd1f5e2', 'e3fc747a5513e4f33cdd85aca32feaabdea59e5e54a34a59c06dee8dca954f0e', 'bb7b1521a05c9fa80087deb259b2155c885fefb332688f3fad94a958968ffd03', '1794836753240', '1');
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e49b-6b4e-731b-8d86-6b67b02823ed', '3', '6823861b-c064-4c9c-9c88-5396322afcbe', 'StepCompleted', 'order', '1', '1', '7645851ce2e740ecc4194d98d00b4d996323e120088f656917cd9fae897dc177', '1794836753244', '{"result":7}', '0d2255cfc4bf371aa56b2c51dc98eb7e', 'cd748c9e3987cf64e3931cc626e602b664796acd205b40fb84880a032867fe81', '895c0f4d70c536785f8c7a4a386f4accf1aa6d6c50e14b617324c4c94cd73657', '1794836753247', '2');
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e49b-6b4e-731b-8d86-6b67b02823ed', '4', '7ed218a0-da03-4147-9846-f590c2529e43', 'StepStarted', 'charge', '1', '1', 'f166e7e5a8b886e32b050d9595c3a1003f2ff071fcfe4e1f678f628b7bdc1a86', '1794836753245', '{"kind":"effect","name":"charge","digest":"2ec79112be9dddff500c39c27d48b690db462962e412c10028ff5eeaf2d040b9","class":"AT-MOST-ONCE","timeoutMs":60000}', '577694d5cfb8d194afdd13ce3c1149c4', '92246d600c1973ffb64dd487fbb15e82aa82f356864b875236140f0109d373aa', '20bdf8a2b2c1febf1702db3d66baa0490a4f44579b7145abeca53b91a16c3585', '1794836753247', '2');
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e49b-6b4e-731b-8d86-6b67b02823ed', '5', 'ba30af99-fe2b-4af2-bf87-40f1fd57ad46', 'pawl.StepInDoubt', NULL, '1', '1', '3713adca5822f1930940bf81cae1ef4a9074f938060aea719c19d207f2ae649f', '1794836756493', '{"stepId":"charge","reason":"it began and nobody recorded how it ended","code":"PAWL2001"}', 'c6689eda96b0c074aa0b141e4c41ccda', '8f4079fc7976c45573192f6d37a77d380073950f12b0a860ec7b9fe524ab66c0', '96a91c76c5242762efd49f6dc6ce425be51ff0b8494f83d575c2f30513cf63cf', '1794836756494', '3');
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e49b-7024-77ff-b12c-d54b65dffca6', '1', '385a7dc2-a3ff-4e30-98ce-54442b7f8ef9', 'RunStarted', NULL, '1', '1', 'df29f1b650ab02147602d20653166ef61b11e0b6f4abdcefa076bac67a48c000', '1794836754473', '{"input":21,"parsed":true,"codeVersion":"1","from":"none","engine":"01a1e49b-6fe1-7077-aa92-499a3c09891f"}', 'cd6558e7a08557d369be510cb8b2323c', 'e91df9be258851fdda0f8e494533d555b32b931d99057fae12ccf60981597103', '178b94bcfbe10586f4ff8f3d1be5d71708691f13cfd8f61856a04b0657d3eb7b', '1794836754483', '1');
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e49b-7024-77ff-b12c-d54b65dffca6', '2', '12887908-f237-4a0a-9e6c-8da60d1f741b', 'pawl.ViewPublished', NULL, '1', '1', 'fc3cc99315afa1ca73f6da2028d0fd6cd29df605e03316aa4bb5a9700af96c04', '1794836754475', '{"name":"seen","value":21}', '6d2ee151002469ec42d84838bacab459', '623b4b326b6a5dffd00d6f508104c38d27f6cfbf2c4d93193338558865a2ea9c', '0229ed7d9011f7c18008d6266c7d9aa0bbd7b0579691175c694a6269d9d72fbe', '1794836754483', '1');
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e49b-7024-77ff-b12c-d54b65dffca6', '3', '0c39dd1b-245d-48de-bb40-84b5209b5a74', 'StepStarted', 'double', '1', '1', '14f0fb222186ffa088d5f9571cdd2b25107db5ae9645002b8d1767e16044bec6', '1794836754478', '{"kind":"effect","name":"double","digest":"ee9ff8738b77f6cb9c3d0cd45ac165bc9e65f949afd79b7dd809848242b0b772","class":"UNDECLARED"}', 'd837f8ddc50dcff9b6f69695af4a1b92', '3cfc48d02cfcdbce130615d213919902ad3e55646b2ec0e9d6050a839ee5cbde', 'afe751cd3f2cd49e6947e947571eaf422d7eb04563e195d0597ec1681d618868', '1794836754483', '1');
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e49b-7024-77ff-b12c-d54b65dffca6', '4', '7927a45d-8365-4e74-af55-fc756ea86acf', 'StepCompleted', 'double', '1', '1', '36f8dd9a740a2f58954bbccde889199f7d9d9b569f6d87313f44b5f3405261b4', '1794836754492', '{"result":42}', '09f8d6314fff61ea36749cc634309824', '57c562977087695faaf6a3def3a7b6152296e1c5a9b8e4357cadaeb0c756b4f4', '865bf1b84dd5a1479c77ab520618de042ce2768d0bfa77f4123aa9f3bf599902', '1794836754495', '2');
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e49b-7024-77ff-b12c-d54b65dffca6', '5', '049f4c6e-fa7a-4bc4-b1ab-70aad998646a', 'RunCompleted', NULL, '1', '1', 'a8ad8a1ada71bcf0accdc01f68584217a5743d5528a328accf195786e192d4b9', '1794836754493', '{"result":42,"from":"RUNNING","engine":"01a1e49b-6fe1-7077-aa92-499a3c09891f"}', '30b196db41e0a771c7bb09c41f7e6c83', '2b9f600ea07f74f9e49356a8f3a50a141772919b258c305dd309291d1797f3c6', '0f51ce0dea8403d4897e7bedd87862186ece69ab95ef866fad29dc28d8e7e3aa', '1794836754495', '2');
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e49b-7043-75f3-8688-41e74810ead2', '1', '213a7094-b457-4f5c-95e6-3364ac30f46f', 'RunStarted', NULL, '1', '1', '62d1dc7f90664780bedb504742acda2d60a90fd499b98a0879370e5613b4a483', '1794836754500', '{"parsed":true,"codeVersion":"1","from":"none","engine":"01a1e49b-6fe1-7077-aa92-499a3c09891f"}', '67bd78652d976a01ea1acad7657f5045', '28276052baf8933837ca4fc0a9fc3eba5e82fed3cc077357414d78e075f6c237', '19adde0c95b993cde418259a1ee8532c8627c114819e9bf6f4605a41fec66669', '1794836754502', '1');
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e49b-7043-75f3-8688-41e74810ead2', '2', '5290296b-2843-4729-b1cf-44c96e19a7f8', 'StepStarted', 'before', '1', '1', 'f0d35738dbeebf4042b38290447dc00f397160d9446849ce9eb9536b00face11', '1794836754501', '{"kind":"effect","name":"before","digest":"05bfe291a21a0d1f5f4657f5211cbe8150d540997b33667c9d3ea79321335833","class":"UNDECLARED"}', '3bda47d89a3458833637f3a77ed441ab', 'be0b69fb53e72c4e8390235e66606ab6bde0b113a351d1fff93729e111dc9bf1', '025fdbc50f7195d23a74e0bf2abdb53ee8567797eac3b7c0474ddc9cfccd3737', '1794836754502', '1');
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e49b-7043-75f3-8688-41e74810ead2', '3', 'f77041e1-cba8-44cd-b72b-e7ee2201c502', 'StepCompleted', 'before', '1', '1', 'e68ecfb6e27347d5f71e699f277ab5f322df8cf259f98df5435aea6a37a638f1', '1794836754508', '{"result":"slept"}', '7cf2ca96733a08e594aab00141a0b84b', 'e9baabe38f8426fdc6768815bbfba1fdd0b9d98e04a61008aada11097874f579', '9e99b0b14d5e867990ea9a2d8a34188b0ac4a6857e3ba6b23546972be9bde703', '1794836754511', '2');
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e49b-7043-75f3-8688-41e74810ead2', '4', '826d3222-73cb-4b19-85ef-f00f174212bb', 'StepStarted', 'nap', '1', '1', 'ac5757d4cb6b77cebb68dbf24ae370efcdbd5e7f0991b6b152f4cc10cde467b9', '1794836754509', '{"kind":"timer","name":"nap","digest":"538b904f34061c9af68dfac9bc3e3f2aa12c8f0274ac1a58dec9793584cd778e","delayMs":5000}', '1a55195d725354b678b8cc233a26ef24', '09c9b172fb1ced1106939f794bbb47c78b14fbaacd87029a9daae0a58a2e51d1', '2f07524a4bb8e0d553186ba3f2882af114a36a981c9e8395b93759d975f6cccd', '1794836754511', '2');
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e49b-704c-70b3-9030-165bdb01f4d8', '1', 'cfe5ebd8-4978-42e9-b4a7-4443ecd48442', 'RunStarted', NULL, '1', '1', 'a108e966a1886776f855599988fdececa164700d8eed7e6b52fe5ff8d57d9b53', '1794836754511', '{"parsed":true,"codeVersion":"1","from":"none","engine":"01a1e49b-6fe1-7077-aa92-499a3c09891f"}', '7c72840fc3760d051577fa14cbd26f90', '8978ab73d71538035cfc0547f325f3faf3d8364a6179ea73152eb993e7cc03bf', '8b52baf11303e53ea71ae0ae154219cc12bbc0300d547b3c579b2a5375ce6ea1', '1794836754513', '1');
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e49b-704c-70b3-9030-165bdb01f4d8', '2', '8509531f-9c66-4c09-8e77-5400c700428f', 'StepStarted', 'go', '1', '1', '5849dd082cad68de17fc7760164516b01cc163c05219ef7b0bbd4d2141befdf1', '1794836754512', '{"kind":"signal","name":"go","digest":"3f5b2441e270ad2f461312a47e3f1f735c673b3b83fdb595499e9ce0c6e46d28","signal":"go"}', '97dace39fbfc56456ef349e33742e4dc', '226d0c83c60985ccc4505c3e92fb196348d1f4d80e1baab898e521ad9f129ef1', 'f8a8d49a738e72913b458135899a5502d0767c1bea2ff8bd5038eeb6cd46e1dc', '1794836754513', '1');
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e49b-704c-70b3-9030-165bdb01f4d8', '3', '717feae2-f80f-4839-a219-bd209c513e26', 'pawl.UpdateAccepted', NULL, '1', '1', '99e205e2699de6dd85f2b26a8be500cd9eaaf695c1814ccfd3cedea5f2d7d129', '1794836754598', '{"updateId":"rename-1","name":"rename","inboxId":2,"input":"Ada"}', 'd43e819f331a49a6ab0a6c527fa79de5', 'd171bf68a2a385d5183d22946e39cdf862a44bff0e85f9254d253e85f652ba94', '329f345540c577df86c288de8e260d836a4a608a3aa6493b77807f87ee0fe57b', '1794836754604', '2');
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e49b-704c-70b3-9030-165bdb01f4d8', '4', '396d803b-e4d8-459e-954a-33357d258045', 'pawl.ViewPublished', NULL, '1', '1', '1916aac875fd319838c72adc03ad5151f9a5a3f5fdb60b394bc8026c203e7190', '1794836754598', '{"name":"name","value":"Ada"}', '8cacb044ac6d25e3e62a2415114cbf31', 'd002c74bfb41467b9645fa8448c35879675a1bb2520242a914df70513df585a8', '196a5a5df02a84cd6b0b0e139ccc8f322e43be8c5384e86ba7f850e3d4b01e88', '1794836754604', '2');
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e49b-704c-70b3-9030-165bdb01f4d8', '5', 'fde13979-ab80-4a90-a170-c13e52e67465', 'pawl.UpdateCompleted', NULL, '1', '1', 'ba0bae3ded4c24cf64d05f02a2b34bf6a9c40282004bb879842afe842451d91d', '1794836754599', '{"updateId":"rename-1","answer":{"ok":true,"result":"renamed Ada"}}', 'cfc6a49915a629501c8e00d9f7b485ff', '842e439a50a5ef0441392addc49e3dc743f625858bc3fbac46d8563d80eb58e3', 'a67ac5490defd838a1bde932f51bcf465afdf9b16ebd32da130e18f86bfe817b', '1794836754604', '2');
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e49b-7054-7612-b33e-0c79d1b7f71c', '1', '750f2a0c-0024-42dd-85bb-ab95ab6fbbc2', 'RunStarted', NULL, '1', '1', '5406e015a8f1f7afb5856ca811fa07adcfa4bd826a34af3ba9204ee8e3dcffba', '1794836754518', '{"parsed":true,"codeVersion":"1","from":"none","engine":"01a1e49b-6fe1-7077-aa92-499a3c09891f"}', 'efe651df2244acca6ec4ff8cfb9a26c6', '227987cac8a7154b2a684fbc6c792fd2c12fa3ffd31aafe11093d41962cbb227', '825bf859ab6749518830e347c45071f58c455547dbcfd90e5e71b0698ecc3888', '1794836754521', '1');
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e49b-7054-7612-b33e-0c79d1b7f71c', '2', '8c42f97c-727d-4b5a-a965-9a42ee1c7b32', 'StepStarted', 'child', '1', '1', 'db777ea600c8bc3ab863b855c3b99aabd7dd870a1f72bf4b1ec5fe39f3c3d478', '1794836754520', '{"kind":"child","name":"child","digest":"117651691b2a9336f86f4d9b0d54adbaae27db196460c3c4d8f700218d6505ed","child":{"runId":"01a1e49b-7057-74ed-90cf-d7310aad7637","workflowId":"the-child","workflow":"child"},"input":{"$pawl":"undefined"}}', '973729a2d03ed962a9d100475fe9336e', 'e746c7833d682a50cdd9011dd4e74c86013c22cf403ca4e117aae2c4bb126f94', '1a4800863100ec11e4883dcedd1587dfdeafcd683caa9f3d2f2552874c6d1dce', '1794836754521', '1');
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e49b-7057-74ed-90cf-d7310aad7637', '1', 'b5472ba7-109f-4396-b608-a2e5f2992119', 'RunQueued', NULL, '1', '1', '011e9fdf51a9776beaddba948efd87dadbb2c0fab79423ee69ac441ce849a2e2', '1794836754519', '{"input":{"$pawl":"undefined"},"engine":"01a1e49b-6fe1-7077-aa92-499a3c09891f"}', '235986d06d26d8a14021805227970fa9', '02bc7e55df7de09a98c6bcc4b639cedb595017cba3782e8b636df290dc780cad', '7028ad3abd112469147914c4bbfb813ebb81c5a61f27e7cfbaacc4bbaadbcaab', '1794836754521', '1');
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e49b-7057-74ed-90cf-d7310aad7637', '2', '8de29ccb-a398-439f-bbfc-7fec58b9c99c', 'RunStarted', NULL, '1', '1', 'c2ef88cd59549d943f9077269d3318a74d9c987c3dfeb0f8718be5c56810fde4', '1794836754546', '{"parsed":true,"codeVersion":"1","from":"PENDING","engine":"01a1e49b-6fe1-7077-aa92-499a3c09891f"}', '32e979f1724dbc80aea115a2859704b9', 'bffe59cf8e1f44e383a4365363caaab76f056b76328bf9fa081f86720dee7523', '0afc97824bb879baa8ae1cec3aacf9e6c6e0b5ce40d5efa7afc069764366c72b', '1794836754548', '2');
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e49b-7057-74ed-90cf-d7310aad7637', '3', '991ecf21-61bf-45f8-a93e-51e572158f8a', 'StepStarted', 'answer', '1', '1', '8a61d0ba1434842cce4befee75c997ebe2db6c268a5b35e95bf21b0cdd5c771f', '1794836754547', '{"kind":"signal","name":"answer","digest":"6af44cf9a32d7a8596ddd574de00e2d0e036802c46e1f63c4dd7966c382e4c35","signal":"answer"}', '5e1e58417cee3a88e509092a78faec6a', '3e367f4864fdc6050fcbea354a0209a45954268460656cbd70dc812cb8bd5f64', 'ef29f737aabc717070964656c21912bdfbc9e73e405a87854493b1fbe71276fa', '1794836754548', '2');
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e49b-7868-713a-8555-6e573f6fc309', '1', 'b5993c82-ae09-4900-9b62-1ae97c7e8e86', 'RunStarted', NULL, '1', '1', '1636d43934b0a0d5ffbacae5cf81838ceeb783bc5c1a3ef765f40ca46414f73d', '1794836756585', '{"parsed":true,"codeVersion":"1","from":"none","engine":"01a1e49b-6fe1-7077-aa92-499a3c09891f"}', '15ba605952e7fd3c634868ca61b9bc60', 'fdd85bf31ddde833d06fea4dbb7941e913e7a662a4ff70c80a47cbecd9d990de', 'c9ab58bc94bb924fdb53f6d7fe021ef8f7f9792b9aef4dae4cba6393cd0dc3cc', '1794836756586', '1');
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e49b-7868-713a-8555-6e573f6fc309', '2', 'e95f3c65-b68c-4eaa-96fa-7736aba6e972', 'StepStarted', 'one', '1', '1', '6517daa8361e7008f4efd78a7b8cc175c1e2c613b291fa73a0659d25dc42edbf', '1794836756585', '{"kind":"effect","name":"one","digest":"65ef844c98b3e85b70e6c5192d76d1b60a81a310e6ba93e27b447a5ad881c94b","class":"UNDECLARED"}', '44ed7a8ae21d9dec927b082587f0f426', 'a25ca704a5d51833b593befeb254f7270a1887f4f662e0d7eb8c9b7b3e6bfbdf', 'be94ee83ed8c8d2656100252bc7797c626104a0535f3494a2b6b48f71f3f5025', '1794836756586', '1');
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e49b-7868-713a-8555-6e573f6fc309', '3', '1a9beffc-e168-405c-a008-f9fcd443bee1', 'StepCompleted', 'one', '1', '1', 'a0b6e2ab57cc23eddfe2fbc13d7ca7643d76a9458cdc5cb8b99783dcb6255381', '1794836756588', '{"result":1}', 'ff66ca5514382d9465f8d98839920a1d', '3b00f4ccccbb5f3ec941bbf5d4759af198745a3d9b8b5ead2d98e88fac14c7ee', '5853a2ebd38f55a4e27670f8b1ab320ee174c6f8540bb3c51ce4b2a29b2b18d8', '1794836756589', '2');
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e49b-7868-713a-8555-6e573f6fc309', '4', '47f96841-c4f9-4ce6-8f12-29075e4ebb21', 'StepStarted', 'two', '1', '1', '66d9e4c18240c861bed5d9a361fcd494b4848aaaab95bff5a6fa1ea841bf6f5b', '1794836756588', '{"kind":"effect","name":"two","digest":"a98cec722f9d81d928ab82e4904c332bd488d86208c0d5a9e5abed5d03a2c30b","class":"REPEATABLE"}', 'c55b35807088a015368e567611750f95', '2990db60884085c5547b8d07ef410657ca50b9369a3513d2fdacbffab394f578', '18daf036305956b1242117a2f5dd7a7a88bff998913ab3e28d24cd0962c7eb9a', '1794836756589', '2');
insert into pawl_inbox (inbox_id, run_id, kind, name, id, payload, accepted_at, taken, consumed, wakes, control, reply, dedup_hash) values ('1', '01a1e49b-704c-70b3-9030-165bdb01f4d8', 'signal', 'later', 'later-1', '"first"', '1794836754537', '1', '0', '0', '0', NULL, 'e59f673a03c60dd02d8b4f9ff5f8af2ac09881c8bf08a8c7589ebeb85e0771f6');
insert into pawl_inbox (inbox_id, run_id, kind, name, id, payload, accepted_at, taken, consumed, wakes, control, reply, dedup_hash) values ('2', '01a1e49b-704c-70b3-9030-165bdb01f4d8', 'update', 'rename', 'rename-1', '"Ada"', '1794836754579', '1', '1', '0', '0', '{"ok":true,"result":"renamed Ada"}', '96174688ec23684430ebae1570066563a1ebd436443cacce9dfe2200722b6b40');
insert into pawl_meta (one, format, oldest_reader, oldest_writer, incarnation, store_id, identity, feed) values ('1', '5', '1', '1', '1', 'c1e2a114-231f-4bce-9194-445a2d792023', 'mysql:702tMc3ycUEzaTHYGXR6QVS6NJE=/var/lib/mysql//pawl_test_305efc933b93265f/pawl_', '0');
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, long_texts, origin, expired_at, purged_at) values ('01a1e49b-6b4e-731b-8d86-6b67b02823ed', 'default/default/default', 'doubtful', '1', 'doubtful', '1', 'RUNNING', 'decision', '01a1e49b-6fe1-7077-aa92-499a3c09891f', '2', '4accebe5b6936811c36f8f7feb9c03af', '3', 'c86456dc-2914-4624-a6b3-bd8765517e91', '5', '96a91c76c5242762efd49f6dc6ce425be51ff0b8494f83d575c2f30513cf63cf', '1794836756494', NULL, '1794836753240', NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1e49b-6b4e-731b-8d86-6b67b02823ed', NULL, NULL, '0', '0', NULL, 'engine', NULL, NULL);
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, long_texts, origin, expired_at, purged_at) values ('01a1e49b-7024-77ff-b12c-d54b65dffca6', 'default/default/default', 'settled', '1', 'settled', '1', 'COMPLETED', NULL, NULL, '1', '799ccd3140c9488897fb8500f4898988', '2', '419fb6bb-99bd-4c91-99b9-c27c4b74f9da', '5', '0f51ce0dea8403d4897e7bedd87862186ece69ab95ef866fad29dc28d8e7e3aa', '1794836754495', NULL, '1794836754483', NULL, '{"kind":"kept"}', '6f4b6612125fb3a0daecd2799dfd6c9c299424fd920f9b308110a2c1fbd8f443', 'settled-once', NULL, '01a1e49b-7024-77ff-b12c-d54b65dffca6', NULL, NULL, '0', '0', NULL, 'engine', NULL, NULL);
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, long_texts, origin, expired_at, purged_at) values ('01a1e49b-7043-75f3-8688-41e74810ead2', 'default/default/default', 'sleeping', '1', 'sleeping', '1', 'RUNNING', 'timer', '01a1e49b-6fe1-7077-aa92-499a3c09891f', '1', 'ff235dc4d81b01cfa7b5bdd48bca17ef', '2', 'a616ef91-a06f-48e6-949a-aad023cc4f41', '4', '2f07524a4bb8e0d553186ba3f2882af114a36a981c9e8395b93759d975f6cccd', '1794836754511', '1794836759511', '1794836754502', NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1e49b-7043-75f3-8688-41e74810ead2', NULL, NULL, '0', '0', NULL, 'engine', NULL, NULL);
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, long_texts, origin, expired_at, purged_at) values ('01a1e49b-704c-70b3-9030-165bdb01f4d8', 'default/default/default', 'listening', '1', 'listening', '1', 'RUNNING', 'signal', '01a1e49b-6fe1-7077-aa92-499a3c09891f', '1', '23c7ee4c7cbef70182186db90a7f8501', '2', '40b8ab71-5311-48bb-a76f-c1894607f71a', '5', 'a67ac5490defd838a1bde932f51bcf465afdf9b16ebd32da130e18f86bfe817b', '1794836754604', NULL, '1794836754513', NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1e49b-704c-70b3-9030-165bdb01f4d8', NULL, NULL, '0', '0', NULL, 'engine', NULL, NULL);
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, long_texts, origin, expired_at, purged_at) values ('01a1e49b-7054-7612-b33e-0c79d1b7f71c', 'default/default/default', 'parent', '1', 'parent', '1', 'RUNNING', 'child', '01a1e49b-6fe1-7077-aa92-499a3c09891f', '1', '67de893922b238cb7743a1363d2a42db', '1', 'abe8a74b-cd51-4050-8231-3983ef6a440f', '2', '1a4800863100ec11e4883dcedd1587dfdeafcd683caa9f3d2f2552874c6d1dce', '1794836754521', NULL, '1794836754521', NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1e49b-7054-7612-b33e-0c79d1b7f71c', NULL, NULL, '0', '0', NULL, 'engine', NULL, NULL);
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, long_texts, origin, expired_at, purged_at) values ('01a1e49b-7057-74ed-90cf-d7310aad7637', 'default/default/default', 'the-child', '1', 'child', '1', 'RUNNING', 'signal', '01a1e49b-6fe1-7077-aa92-499a3c09891f', '1', '2f5c14fe621be49c26dae98dcf93cae9', '2', '0acbcfc9-6223-4a7e-8864-d5cc9cb2b6a6', '3', 'ef29f737aabc717070964656c21912bdfbc9e73e405a87854493b1fbe71276fa', '1794836754548', NULL, '1794836754521', NULL, '{}', '66fb24cb21354877635a93dab77577d75c67408441b22f433c4c30e6506f15c3', NULL, NULL, '01a1e49b-7057-74ed-90cf-d7310aad7637', '01a1e49b-7054-7612-b33e-0c79d1b7f71c', 'child', '0', '0', NULL, 'engine', NULL, NULL);
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, long_texts, origin, expired_at, purged_at) values ('01a1e49b-7868-713a-8555-6e573f6fc309', 'default/default/default', 'halfway', '1', 'halfway', '1', 'RUNNING', NULL, '01a1e49b-6fe1-7077-aa92-499a3c09891f', '1', '94a7285454818cd9b332089c6b684848', '2', '785b8636-10cc-47dd-9e35-3c110eaca1ff', '4', '18daf036305956b1242117a2f5dd7a7a88bff998913ab3e28d24cd0962c7eb9a', '1794836756589', '1794836756586', '1794836756586', NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1e49b-7868-713a-8555-6e573f6fc309', NULL, NULL, '0', '0', NULL, 'engine', NULL, NULL);
insert into pawl_views (run_id, name, value) values ('01a1e49b-7024-77ff-b12c-d54b65dffca6', 'seen', '21');
insert into pawl_views (run_id, name, value) values ('01a1e49b-704c-70b3-9030-165bdb01f4d8', 'name', '"Ada"');
