-- The schema that migrations.ts arrives at, as MariaDB shows it. Never edited by hand: a test keeps it equal to what a new
-- store holds.

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
