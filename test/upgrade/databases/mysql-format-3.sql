CREATE TABLE `pawl_meta` (
  `one` tinyint(4) NOT NULL,
  `format` int(11) NOT NULL,
  `oldest_reader` int(11) NOT NULL,
  `oldest_writer` int(11) NOT NULL,
  `incarnation` int(11) NOT NULL,
  `store_id` varchar(64) NOT NULL,
  `identity` text NOT NULL,
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
  PRIMARY KEY (`run_id`,`seq`),
  KEY `by_key` (`scope`,`effect_key`),
  KEY `by_phase` (`scope`,`phase`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;

insert into pawl_accepted (key_hash, storage_key, accepted_at, expires_at, run_id, inbox_id) values ('96174688ec23684430ebae1570066563a1ebd436443cacce9dfe2200722b6b40', 'upd:default:default:default:listening:rename:rename-1', '1794801749484', NULL, '01a1e285-4ad2-75bb-839f-1a82a3b58658', '2');
insert into pawl_accepted (key_hash, storage_key, accepted_at, expires_at, run_id, inbox_id) values ('e59f673a03c60dd02d8b4f9ff5f8af2ac09881c8bf08a8c7589ebeb85e0771f6', 'sig:default:default:default:listening:later:later-1', '1794801749358', NULL, '01a1e285-4ad2-75bb-839f-1a82a3b58658', '1');
insert into pawl_effects (run_id, seq, version, scope, workflow_id, step_id, name, class, effect_key, args_digest, status, phase, attempts, engine_attempts, error, event_seq, created_at, updated_at) values ('01a1e285-3390-73dc-95d8-e1fb5c43538b', '4', '1', 'default/default/default', 'doubtful', 'charge', 'charge', 'AT-MOST-ONCE', 'pawl-4c4bb0cf160b6cc563509fd73d6075dfa086d7e14615cdd0272facb7c7651118', NULL, 'indeterminate', 'doubt', '1', '1', '{"code":"PAWL2001","reason":"it began and nobody recorded how it ended"}', '5', '1794801742908', '1794801750566');
insert into pawl_engines (engine_id, lease_until, renewed_at, session_boot, dead, serves) values ('01a1e285-483f-7249-837d-e87f7fdb658d', '1794801761062', '1794801751062', '1794801735000', '0', '[{"workflow":"settled","version":"1"},{"workflow":"sleeping","version":"1"},{"workflow":"listening","version":"1"},{"workflow":"doubtful","version":"1"},{"workflow":"halfway","version":"1"},{"workflow":"child","version":"1"},{"workflow":"parent","version":"1"}]');
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e285-3390-73dc-95d8-e1fb5c43538b', '1', 'f690627a-953b-413e-b9dd-ffb4e4806979', 'RunStarted', NULL, '1', '1', '3957d61eb4c79196b0f2147abe2481577710dc78e2599e7ef4d98a0295080bf0', '1794801742754', '{"parsed":true,"codeVersion":"1"}', '1128cea940e9ce0757aee9e776f5784d', 'b9186364525066e92b0ebc3742aa740c54f5e1cfd7d693d6d135af2e287a1039', 'f0e8c8d03c5e267cb7da888d3462c42d9bd0a104179c21b8621d2f72eb249b2b', '1794801742829', '1');
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e285-3390-73dc-95d8-e1fb5c43538b', '2', 'e830a150-70c2-42a1-95ab-0e1342c4bc7b', 'StepStarted', 'order', '1', '1', '46d699149d70ed67167e5c132229f379c94a70ab1b6259a8edfe1053f4128efa', '1794801742773', '{"kind":"effect","name":"order","digest":"799d7256bcab06d415e9f017db67b402ee0091972b47d904f8ff7accea7f6687","class":"UNDECLARED"}', 'e1d033eec01672d1540d6e88324bb70c', 'dfae1db69479f70a5bd26f71a719f39e5f14864ed7d0440f0309ba6c7acd8250', 'f24c900cbf4f4f457dac00605d399ca491f6c011a100023dc3df7fc715314cc5', '1794801742829', '1');
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e285-3390-73dc-95d8-e1fb5c43538b', '3', '18c69cfa-7561-4a22-b01c-2a50731e9f83', 'StepCompleted', 'order', '1', '1', '9d34e46b1317571bd3e11fb14037a73c6f61de4e690328a8938dec99a67f5736', '1794801742893', '{"result":7}', '56f2112d9754c9d4af3c0d9a790f2ff4', '4a58d175b69ede41c95aa39f55a84364fac4c8c2950a672913baa8a8dcd41bd0', '16337a4553407ac8bd2edd40e72a420aa9126f16c76ed626bedc65c9e83c4ce2', '1794801742908', '2');
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e285-3390-73dc-95d8-e1fb5c43538b', '4', 'b62fbf59-a419-43ff-96aa-946e61de237c', 'StepStarted', 'charge', '1', '1', '4a8a76fe14f7c3b1f2595b7d412d5cd412565ca459c8f08fef446c98327d0c80', '1794801742896', '{"kind":"effect","name":"charge","digest":"2ec79112be9dddff500c39c27d48b690db462962e412c10028ff5eeaf2d040b9","class":"AT-MOST-ONCE","timeoutMs":60000}', '681a6db5f9bd9870bc846bd018f61627', '29c766ce52b0ba7b153e499b8cedd52c1a78e6e3b4469bad17e6cd3b9c28a037', 'ec7d8a21f478a4c577ebd0f5e93046b3cdc2a8d89e8ce3aca978eb8997698ed8', '1794801742908', '2');
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e285-3390-73dc-95d8-e1fb5c43538b', '5', 'e294596c-6706-4c85-9ee9-f78add8a7274', 'pawl.StepInDoubt', NULL, '1', '1', '49e7ecc9cdc0c35a57018495883230d463c4e8c745278418d5dba2e8c7f4175c', '1794801750515', '{"stepId":"charge","reason":"it began and nobody recorded how it ended","code":"PAWL2001"}', '7be0dccf8f640af6067dcf0e75abcec5', '12abed3c8d25a88fd124626cb33e126a615f1bc568e6224305401e793d2f3769', 'f5975ab4cddeeedc1dd6d378e54b2aeeb0f556178663c540dc5de39db3731fe5', '1794801750566', '3');
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e285-4960-70d5-9838-04b7b1b2dcdf', '1', '5c283a37-ce14-41db-a084-a98ec113661a', 'RunStarted', NULL, '1', '1', '9f9a73bfed91490d4f7b3205ba8c484f20d398996af406a472a24c7023163cde', '1794801748340', '{"input":21,"parsed":true,"codeVersion":"1"}', 'aca5a8b04ec1dfb7cd6c17cf67d220f4', '771f7a37de8c351befa38b629ee8a5447cc3ac15d0e8b211a038e65535824683', 'b107a30060280fdd7526eb3552eb6092a867887d9d9bf1f0c22b2daa7e716088', '1794801748387', '1');
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e285-4960-70d5-9838-04b7b1b2dcdf', '2', '6374ad12-7256-4fb7-8990-5900d8b743e7', 'pawl.ViewPublished', NULL, '1', '1', '430a8301d09aca7449665b3a28ac863aa00d2dc5f7638e16675c62a6504acd94', '1794801748341', '{"name":"seen","value":21}', '0f6bcc683a486f5f4c61bf6951df6b72', '840950ce59e8551415f1d295905b1d98b567bf66155661efd7b3c3bd67bc3e13', 'e35fabf4c750e9419d286e2c1a06aaa65ed881f47d61341e97bf878e5a094972', '1794801748387', '1');
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e285-4960-70d5-9838-04b7b1b2dcdf', '3', 'a09db340-2b80-47ca-955f-1ed1a813c9be', 'StepStarted', 'double', '1', '1', '3d604d7ec513c658d18a36ad81ced4fb9cb7fbff6db63a0138f5725018e45bc4', '1794801748342', '{"kind":"effect","name":"double","digest":"ee9ff8738b77f6cb9c3d0cd45ac165bc9e65f949afd79b7dd809848242b0b772","class":"UNDECLARED"}', 'e9e0f1f1b98c5ff60c75a1bc245ec3a6', 'e168da9a138c3cc00437e026f4827058bfa7cc6479fc1e6eefaf018956e13a19', 'a29a4e469c136a800afe34d2e0517dc1b6dee09df82ad6addb802a97e2bbe6a3', '1794801748387', '1');
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e285-4960-70d5-9838-04b7b1b2dcdf', '4', 'b8b7e7be-de21-47c1-8673-19d116ea5282', 'StepCompleted', 'double', '1', '1', '0bbfebf71613c29bacbe3a285394d6e057a1c9284114ee8c00fb760c0075e4d5', '1794801748453', '{"result":42}', '348baf77c57284e3fd21f189a802db40', '24da0a086d4a98dc0b729c3f5f2813169b4363ce65d1e4fbe33e1a1fd8941bc4', '4408a2889586475577907a2faf48be6d089a288cf66fcffdf30e14354e289743', '1794801748500', '2');
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e285-4960-70d5-9838-04b7b1b2dcdf', '5', '14ba9c10-1ecc-4f9a-bf3f-38775acac755', 'RunCompleted', NULL, '1', '1', '48a0dee243dc922b53beee717184ffa36a9254d71e7bbb4e871958828bc3124d', '1794801748454', '{"result":42}', 'a53a712b1f446cbfe41b6ee7a4574b41', '4fad891728bd9b1754dd8d1b80606aaeeeba06b237775b7376aef8248b09aaa2', '59814170492f7b93ab082e8cd399df465293d7e7b78128bb6195b1c6ebec9a77', '1794801748500', '2');
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e285-4a33-7412-9de3-3d9de6f0c995', '1', '39438645-0bc3-4b5d-afa9-667c2eee4d60', 'RunStarted', NULL, '1', '1', '87eb1678ca8b745380b4a61c6f0cedb3682357614fd8e7c4e4b6a343f6b0fed2', '1794801748623', '{"parsed":true,"codeVersion":"1"}', '476dcd1fb92263e699aa20375f20a7d1', 'db4d04d8ba6f3772719db90acc9eaf455753534920abdaf4b3d339c91435d02c', '8d70e4f332c97b94473b46da7796aa882de2997b4543477c8f8c39afcdb56e1c', '1794801748625', '1');
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e285-4a33-7412-9de3-3d9de6f0c995', '2', '9c543844-af24-4fe9-a8e0-3c94f7adb8bc', 'StepStarted', 'before', '1', '1', 'fc9ea581da9981b01ecc4cccf008c75cb2a1a852769102c70bd96091f3a582af', '1794801748623', '{"kind":"effect","name":"before","digest":"05bfe291a21a0d1f5f4657f5211cbe8150d540997b33667c9d3ea79321335833","class":"UNDECLARED"}', '766d6cbabb6a7af8f3f6ecefaad760dc', '018ba96d0f0d1ca443da8c2385e42deac675dd3ff496ab909b225d617035f348', 'f2bff8d76650a0d8acbf6c38ce2e9c7ffb064e81c3e6d0995ad197f449251fa8', '1794801748625', '1');
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e285-4a33-7412-9de3-3d9de6f0c995', '3', '909026ee-57b3-4c5f-9456-138530e8601a', 'StepCompleted', 'before', '1', '1', '8ed3e1715ab70cf44e4bab37e22d1d048ae38cb84c4aac20577df363d42a6e11', '1794801748689', '{"result":"slept"}', '4a17d782be5c188e4efef645afa4c6bc', '7fbfb20aac081b6c67e0a6630d3e66a311e43922aa03481c2e119dd229895bec', '3f6e0cce134373c31b5246830771369b5a05a4d75b38fd5ebad25e46d1b7c84e', '1794801748722', '2');
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e285-4a33-7412-9de3-3d9de6f0c995', '4', '33f6b081-5142-4212-8e0b-c36ecb33cca8', 'StepStarted', 'nap', '1', '1', '34221e198b014fec202a7ebff5c1779d361928241e9ed9ff3530bdfa2d0dc590', '1794801748690', '{"kind":"timer","name":"nap","digest":"538b904f34061c9af68dfac9bc3e3f2aa12c8f0274ac1a58dec9793584cd778e","delayMs":5000}', '46c0d0c72a019be3f2ece976f9921a3d', '2787aebbae9d6468c60d9935db8c8e969dab5b66022b0e0046de0380305b6219', '34fb8fe7b1b71e294a788a8456e3436a8acfaf3469c590b43c869b9144019be3', '1794801748722', '2');
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e285-4ad2-75bb-839f-1a82a3b58658', '1', 'b2e6533c-a9f8-4d5e-9cab-13e6d4c7159b', 'RunStarted', NULL, '1', '1', '4132e4f7807da8fc3e459700ae631d1cd161c417d4d525d38f92c282f76c5e6e', '1794801748725', '{"parsed":true,"codeVersion":"1"}', 'fc098c1665f8efd0429dd79bf2de22d4', '3af9d94eca5fc0413e8e682544cbad2e935cf6442704f6952b3cda3184cca9b0', '99192a8f8a451662b5e67ac780c5ac62d4c0c681e0700e8cabb964662fa970ca', '1794801748733', '1');
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e285-4ad2-75bb-839f-1a82a3b58658', '2', 'ed3f2ec6-bf7a-46aa-b437-d60a337d73e0', 'StepStarted', 'go', '1', '1', '46c9b7121905bd38dd576fe5cd166a43d9cf35cb79ff97dccf96b038c6bbd55d', '1794801748726', '{"kind":"signal","name":"go","digest":"3f5b2441e270ad2f461312a47e3f1f735c673b3b83fdb595499e9ce0c6e46d28","signal":"go"}', 'c1c481ef2f63404943803dcd75f6200b', '6b27195f6073128fb1db5b49be4b0476747d25c39b4229279b7873789853028a', '49240da6d489429daa41cb5369754d258116515718cd32d94e889d9904f30704', '1794801748733', '1');
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e285-4ad2-75bb-839f-1a82a3b58658', '3', 'bf3a7cc5-9165-4e6a-8907-296ff449accd', 'pawl.UpdateAccepted', NULL, '1', '1', 'a350a4f432bb9a8dbb966af5f6e98dea28e85213d8958b7a95e2dcbfab3d018b', '1794801749565', '{"updateId":"rename-1","name":"rename","inboxId":2,"input":"Ada"}', '8cb2b413f1a934787fb8088bf0179805', 'dc62ba3f152abb4bc1330796db3d6d26dc89bf8b6088f72a04267a0da6dcb2c6', 'aa191b659fa45d01826e2659eaefab35183dc3642d9a72e14b36c7b49c893280', '1794801749605', '2');
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e285-4ad2-75bb-839f-1a82a3b58658', '4', 'b6f3f88d-9f33-4fb3-b235-65e851e1437c', 'pawl.ViewPublished', NULL, '1', '1', '5cab8cd9e2153a6aa3de44aed08790228b6ad2c98b4e2e469538c8991e4a3b6c', '1794801749580', '{"name":"name","value":"Ada"}', '68ab760df9d33ee4eb0a34c7d4bad32d', 'fd4dbe5a0cc94a829261ceab3e512eb4f57c4ad34dd699af7a08de87950abfb5', '166c3854216ca7872f97dcb67fbdb1b73f37b45f30f4488e9db528920249f0f2', '1794801749605', '2');
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e285-4ad2-75bb-839f-1a82a3b58658', '5', '0179b2d6-1ca8-4b74-b053-c970ba22975c', 'pawl.UpdateCompleted', NULL, '1', '1', 'b2df6b56bf4c2c8a3e6f494e457d16d7709d3c4522d5fa0f107107a520642da6', '1794801749580', '{"updateId":"rename-1","answer":{"ok":true,"result":"renamed Ada"}}', '723eb580cef656563b9fa3b9c44fe886', 'f38087bb50bcac865786690401e13d8c7cccf93aefc275adf5c6f0b221343dae', 'e00400dbefe9eca1023c1f3dd6fd6e2c31e31bf4ac923410b9928092499f24f2', '1794801749605', '2');
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e285-4b5a-7176-9899-77ae20b9d2f9', '1', '23f132ff-0354-4972-a129-08738ddb2bb9', 'RunStarted', NULL, '1', '1', '7b5c624255a092123277b6c5747ecd0917c684796e29548c48639330c0ccde23', '1794801748834', '{"parsed":true,"codeVersion":"1"}', '9530ed9ab8f292a29c7814a77b09ddba', 'de52f843d3b33a3732575c89e471ed56495afb5f4efd210cc54b2fa2170e4957', '80d5c86419671953b7096871f3f9b01c28b95c0fd2c4439b5aed5427415ce515', '1794801748924', '1');
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e285-4b5a-7176-9899-77ae20b9d2f9', '2', '1acf0074-0307-462e-9909-5d52e494be9f', 'StepStarted', 'child', '1', '1', '6b015a7627236b765ac29f3a47d26b7e9664438005c4123a52e974598b645a0d', '1794801748908', '{"kind":"child","name":"child","digest":"117651691b2a9336f86f4d9b0d54adbaae27db196460c3c4d8f700218d6505ed","child":{"runId":"01a1e285-4b63-72a1-8ba1-f8cbea7a1044","workflowId":"the-child","workflow":"child"},"input":{"$pawl":"undefined"}}', '4f336e2a385156897d1c25c5f1ec7a0e', '13092a290a710d72897ececbda31a0a7bebce98bf32dbc70a674f57496192583', 'ed23da11c15f2aaf7486d6caf069eea3a9ee356b95f4a4b8314da22a378df052', '1794801748924', '1');
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e285-4b63-72a1-8ba1-f8cbea7a1044', '1', 'bfb69277-0a84-4b16-b56e-49ca7336d59a', 'RunQueued', NULL, '1', '1', '9d29b46907b5f1b97fd27ea65ffc795681c70697b725bb69b9c4a844a464ce36', '1794801748835', '{"input":{"$pawl":"undefined"}}', 'dcb9ef97fa09bd97c983643573d2586b', 'e6b3843fe79524be02578156e3761463653ccc1099a8df60efb5bbf832279c3d', '16161dff72654bbe342d28f2d924477418a02b2137f8108404400c2444f35f97', '1794801748924', '1');
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e285-4b63-72a1-8ba1-f8cbea7a1044', '2', 'e50953c4-8e22-4ccb-af97-6aaf7acb6686', 'RunStarted', NULL, '1', '1', '8b8ec3ebecc0a05a849899ce48cfc731ff88fc6804df48709fbadd3ce6cee3c0', '1794801749196', '{"parsed":true,"codeVersion":"1"}', '17b419c6b33bfb379a378ce825816e8d', '2a557074389ebc6290ac37d7f1b2e3e88f8e23761d3dcebd59fb76bb1126de87', 'b9c5077d80bd0725bcd2c65be345f1528f51c959011c0327af193a1a5ae48198', '1794801749215', '2');
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e285-4b63-72a1-8ba1-f8cbea7a1044', '3', '33b1ef50-603e-4a4d-83b4-15932724a1b9', 'StepStarted', 'answer', '1', '1', '0d96b616b22ff3ca9dca9168c3f1b7c920bb3896f790ffc5f385be4851d58830', '1794801749197', '{"kind":"signal","name":"answer","digest":"6af44cf9a32d7a8596ddd574de00e2d0e036802c46e1f63c4dd7966c382e4c35","signal":"answer"}', 'af9fa52f937e37852961bcfe242c44da', 'd30f50c2e546da6de1e46996b1a0f79eff4db29b62a9f845b8c0194f318ddc91', 'f5e37c1d196f529b6bcfe5bae6bd3b4d42bd09a7069f168de86793098a5841b1', '1794801749215', '2');
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e285-53e1-74a9-878a-cc1e8bbdb6be', '1', '8fef309d-fd0d-4501-839c-373d0128e72c', 'RunStarted', NULL, '1', '1', '8069ef20629b7c68dad862cc5a01603da69dca2bbd8b0afdf15339402f3c280a', '1794801751038', '{"parsed":true,"codeVersion":"1"}', 'b23bd39b5f40fe3a326166d14e0c106d', '98c75fae8ff4d1103535423196c6ac9621cdf11403c6883a8068b776b2bc8dab', '6c615a40f4f9a88d597f1808b1935d2aac54eee4ea833acae81e5c2c096291e4', '1794801751057', '1');
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e285-53e1-74a9-878a-cc1e8bbdb6be', '2', '663c43a8-4394-49c0-bd98-3f1eb120060d', 'StepStarted', 'one', '1', '1', 'c4270d7bed62596eb772ecde598c6b29dd030e75141bd6f76caa6470a257b1bf', '1794801751040', '{"kind":"effect","name":"one","digest":"65ef844c98b3e85b70e6c5192d76d1b60a81a310e6ba93e27b447a5ad881c94b","class":"UNDECLARED"}', '6035043984920e1c1479c6b09094a811', '74562e3d799518cee99acad2262a1aa621cb4f75383a12a6078588e9a4a12ee2', '7844e4ecd8dec2c43f33ad75be7d127e2b683210d832101449fbcf6e9b222f14', '1794801751057', '1');
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e285-53e1-74a9-878a-cc1e8bbdb6be', '3', 'b3e62d4a-d211-4c7d-9988-f0fb04d58953', 'StepCompleted', 'one', '1', '1', '997b5c087674e92cd2b152e3a3497542bbe8174443ef9eb37f0ccf131fc7f4a5', '1794801751069', '{"result":1}', '35fab8304e37fbc73822e87672a59f49', 'bac82db936df9eaada836da377645cb9b22544c48232fa3aaa5689dcec1e80ec', '004e6ca9620ae1902586109711e65d50cebef564154e9717acbc7d41fe315696', '1794801751094', '2');
insert into pawl_events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) values ('01a1e285-53e1-74a9-878a-cc1e8bbdb6be', '4', 'cc8830e1-e60a-424a-ad22-9179e9386f43', 'StepStarted', 'two', '1', '1', '3a2bf83fa0af562b41769afd8eac79712f37936bc7ec424377f0fe2cdc705a3d', '1794801751069', '{"kind":"effect","name":"two","digest":"a98cec722f9d81d928ab82e4904c332bd488d86208c0d5a9e5abed5d03a2c30b","class":"REPEATABLE"}', '0949102582cfd036588d4f83c27bfca1', 'fa20b07264f7f47d0c87a8e32cad596a05326eec9dea5e6ca93a3bb19eec39ba', '4763ff59bee10fc43f884b8bef4c4cf1cb93f0561eb90629d7c84d58266adddb', '1794801751094', '2');
insert into pawl_inbox (inbox_id, run_id, kind, name, id, payload, accepted_at, taken, consumed, wakes, control, reply, dedup_hash) values ('1', '01a1e285-4ad2-75bb-839f-1a82a3b58658', 'signal', 'later', 'later-1', '"first"', '1794801749358', '1', '0', '0', '0', NULL, 'e59f673a03c60dd02d8b4f9ff5f8af2ac09881c8bf08a8c7589ebeb85e0771f6');
insert into pawl_inbox (inbox_id, run_id, kind, name, id, payload, accepted_at, taken, consumed, wakes, control, reply, dedup_hash) values ('2', '01a1e285-4ad2-75bb-839f-1a82a3b58658', 'update', 'rename', 'rename-1', '"Ada"', '1794801749484', '1', '1', '0', '0', '{"ok":true,"result":"renamed Ada"}', '96174688ec23684430ebae1570066563a1ebd436443cacce9dfe2200722b6b40');
insert into pawl_meta (one, format, oldest_reader, oldest_writer, incarnation, store_id, identity) values ('1', '3', '1', '1', '1', '6b62215f-fe73-4d48-b2bc-472b11fc32e9', 'mysql:5vVWGrTrBEMZ20+lrUrEPoAWqdA=/var/lib/mysql//pawl_test_f9631cae1766a341/pawl_');
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, long_texts) values ('01a1e285-3390-73dc-95d8-e1fb5c43538b', 'default/default/default', 'doubtful', '1', 'doubtful', '1', 'RUNNING', 'decision', '01a1e285-483f-7249-837d-e87f7fdb658d', '2', '02b7f70c9f67953ad38d46bc608764f3', '3', '4fff81b7-c2f7-414f-8a38-7927d8a0f14c', '5', 'f5975ab4cddeeedc1dd6d378e54b2aeeb0f556178663c540dc5de39db3731fe5', '1794801750566', NULL, '1794801742829', NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1e285-3390-73dc-95d8-e1fb5c43538b', NULL, NULL, '0', '0', NULL);
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, long_texts) values ('01a1e285-4960-70d5-9838-04b7b1b2dcdf', 'default/default/default', 'settled', '1', 'settled', '1', 'COMPLETED', NULL, NULL, '1', '1da7b0e653af7c2a7f10aee2c85a4cab', '2', '14bbad8f-f065-4ee8-a51a-c3d2a6657fe3', '5', '59814170492f7b93ab082e8cd399df465293d7e7b78128bb6195b1c6ebec9a77', '1794801748500', NULL, '1794801748387', NULL, '{"kind":"kept"}', '6f4b6612125fb3a0daecd2799dfd6c9c299424fd920f9b308110a2c1fbd8f443', 'settled-once', NULL, '01a1e285-4960-70d5-9838-04b7b1b2dcdf', NULL, NULL, '0', '0', NULL);
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, long_texts) values ('01a1e285-4a33-7412-9de3-3d9de6f0c995', 'default/default/default', 'sleeping', '1', 'sleeping', '1', 'RUNNING', 'timer', '01a1e285-483f-7249-837d-e87f7fdb658d', '1', 'c0786eb510f870b551b89cf87944953e', '2', 'e47b5ef1-8e87-4ca3-b9d5-d23d1c0884c6', '4', '34fb8fe7b1b71e294a788a8456e3436a8acfaf3469c590b43c869b9144019be3', '1794801748722', '1794801753722', '1794801748625', NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1e285-4a33-7412-9de3-3d9de6f0c995', NULL, NULL, '0', '0', NULL);
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, long_texts) values ('01a1e285-4ad2-75bb-839f-1a82a3b58658', 'default/default/default', 'listening', '1', 'listening', '1', 'RUNNING', 'signal', '01a1e285-483f-7249-837d-e87f7fdb658d', '1', '660b932a65f27b3c7d628b371e900659', '2', 'c7a2ac43-aab4-41c6-8cfa-1c75e47d582c', '5', 'e00400dbefe9eca1023c1f3dd6fd6e2c31e31bf4ac923410b9928092499f24f2', '1794801749605', NULL, '1794801748733', NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1e285-4ad2-75bb-839f-1a82a3b58658', NULL, NULL, '0', '0', NULL);
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, long_texts) values ('01a1e285-4b5a-7176-9899-77ae20b9d2f9', 'default/default/default', 'parent', '1', 'parent', '1', 'RUNNING', 'child', '01a1e285-483f-7249-837d-e87f7fdb658d', '1', '440d515ef8783782eb3f2b2dcc408ea1', '1', '0481b016-25be-416b-a3ee-f78a85f7cdbf', '2', 'ed23da11c15f2aaf7486d6caf069eea3a9ee356b95f4a4b8314da22a378df052', '1794801748924', NULL, '1794801748924', NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1e285-4b5a-7176-9899-77ae20b9d2f9', NULL, NULL, '0', '0', NULL);
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, long_texts) values ('01a1e285-4b63-72a1-8ba1-f8cbea7a1044', 'default/default/default', 'the-child', '1', 'child', '1', 'RUNNING', 'signal', '01a1e285-483f-7249-837d-e87f7fdb658d', '1', '243410b5a8cf339530d095c8abaf4b3e', '2', '578b182d-e0dc-49f1-a151-5c3b8456e11e', '3', 'f5e37c1d196f529b6bcfe5bae6bd3b4d42bd09a7069f168de86793098a5841b1', '1794801749215', NULL, '1794801748924', NULL, '{}', '66fb24cb21354877635a93dab77577d75c67408441b22f433c4c30e6506f15c3', NULL, NULL, '01a1e285-4b63-72a1-8ba1-f8cbea7a1044', '01a1e285-4b5a-7176-9899-77ae20b9d2f9', 'child', '0', '0', NULL);
insert into pawl_runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version, long_texts) values ('01a1e285-53e1-74a9-878a-cc1e8bbdb6be', 'default/default/default', 'halfway', '1', 'halfway', '1', 'RUNNING', NULL, '01a1e285-483f-7249-837d-e87f7fdb658d', '1', '8c046ca1c96e4d78274c74dda9363a6c', '2', 'ad3ce425-0be7-4fb2-bb77-7e86596399a6', '4', '4763ff59bee10fc43f884b8bef4c4cf1cb93f0561eb90629d7c84d58266adddb', '1794801751094', '0', '1794801751057', NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1e285-53e1-74a9-878a-cc1e8bbdb6be', NULL, NULL, '0', '0', NULL);
insert into pawl_views (run_id, name, value) values ('01a1e285-4960-70d5-9838-04b7b1b2dcdf', 'seen', '21');
insert into pawl_views (run_id, name, value) values ('01a1e285-4ad2-75bb-839f-1a82a3b58658', 'name', '"Ada"');
