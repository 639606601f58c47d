create schema kept_schema;

create table kept_schema.accepted (
  storage_key text collate "C" not null,
  accepted_at bigint not null,
  expires_at bigint,
  run_id text not null,
  inbox_id bigint not null,
  constraint accepted_pkey PRIMARY KEY (storage_key)
);

create table kept_schema.checkpoints (
  run_id text collate "C" not null,
  idempotency_key text collate "C" not null,
  step_id bigint not null,
  label text,
  body text not null,
  state_version bigint not null,
  persisted_at bigint not null,
  constraint checkpoints_pkey PRIMARY KEY (run_id, idempotency_key)
);

CREATE UNIQUE INDEX checkpoints_step ON kept_schema.checkpoints USING btree (run_id, step_id);

create table kept_schema.effects (
  run_id text collate "C" not null,
  seq bigint not null,
  version integer not null,
  scope text collate "C" not null,
  workflow_id text not null,
  step_id text not null,
  name text not null,
  class text not null,
  key text collate "C",
  args_digest text,
  status text not null,
  phase text not null,
  attempts integer not null,
  engine_attempts integer not null,
  error text,
  event_seq bigint not null,
  created_at bigint not null,
  updated_at bigint not null,
  constraint effects_pkey PRIMARY KEY (run_id, seq)
) with (fillfactor=80);

CREATE INDEX effects_doubt ON kept_schema.effects USING btree (scope) WHERE (phase = 'doubt'::text);

CREATE INDEX effects_key ON kept_schema.effects USING btree (scope, key) WHERE (key IS NOT NULL);

create table kept_schema.engines (
  engine_id text collate "C" not null,
  lease_until bigint not null,
  dead boolean not null,
  serves text not null,
  renewed_at bigint not null,
  lock_key bigint,
  lock_server bigint,
  constraint engines_pkey PRIMARY KEY (engine_id)
) with (fillfactor=50);

create table kept_schema.events (
  run_id text collate "C" not null,
  run_seq bigint not null,
  event_id text not null,
  event_type text not null,
  step_id text,
  logical_attempt_id integer not null,
  engine_attempt_id integer not null,
  idempotency_key text collate "C" not null,
  emitted_at bigint not null,
  payload text,
  salt text,
  payload_hash text,
  link text not null,
  persisted_at bigint not null,
  state_version bigint not null,
  constraint events_pkey PRIMARY KEY (run_id, run_seq)
);

CREATE UNIQUE INDEX events_key ON kept_schema.events USING btree (run_id, idempotency_key);

create table kept_schema.inbox (
  inbox_id bigint not null generated always as identity,
  run_id text collate "C" not null,
  kind text not null,
  name text not null,
  id text not null,
  payload text,
  accepted_at bigint not null,
  taken boolean not null,
  consumed boolean not null,
  wakes boolean not null,
  reply text,
  dedup_key text collate "C",
  constraint inbox_pkey PRIMARY KEY (inbox_id)
);

CREATE UNIQUE INDEX inbox_dedup ON kept_schema.inbox USING btree (dedup_key) WHERE (dedup_key IS NOT NULL);

CREATE INDEX inbox_run ON kept_schema.inbox USING btree (run_id, inbox_id);

CREATE INDEX inbox_wakes ON kept_schema.inbox USING btree (run_id, kind, name) WHERE wakes;

create table kept_schema.meta (
  one boolean not null,
  format integer not null,
  oldest_reader integer not null,
  oldest_writer integer not null,
  incarnation integer not null,
  store_id text not null,
  identity text not null,
  constraint meta_one_check CHECK (one),
  constraint meta_pkey PRIMARY KEY (one)
);

create table kept_schema.runs (
  run_id text collate "C" not null,
  scope text collate "C" not null,
  workflow_id text collate "C" not null,
  generation integer not null,
  workflow text collate "C" not null,
  version text collate "C" not null,
  status text not null,
  waiting text,
  owner text collate "C",
  epoch bigint not null,
  token text not null,
  state_version bigint not null,
  commit_id text not null,
  head_seq bigint not null,
  head_link text not null,
  persisted_at bigint not null,
  due_at bigint,
  created_at bigint not null,
  deadline_at bigint,
  tags text not null,
  input_digest text not null,
  idempotency_key text collate "C",
  original_run_id text,
  root_run_id text not null,
  parent_run_id text collate "C",
  parent_step_id text,
  idle_claims integer not null,
  exact_version boolean not null,
  constraint runs_pkey PRIMARY KEY (run_id)
) with (fillfactor=60);

CREATE INDEX runs_decision ON kept_schema.runs USING btree (scope, created_at) WHERE (waiting = 'decision'::text);

CREATE INDEX runs_due ON kept_schema.runs USING btree (owner, scope, workflow, version, due_at, run_id) WHERE (due_at IS NOT NULL);

CREATE UNIQUE INDEX runs_generation ON kept_schema.runs USING btree (scope, workflow_id, generation);

CREATE INDEX runs_newest ON kept_schema.runs USING btree (scope, created_at, run_id);

CREATE INDEX runs_parent ON kept_schema.runs USING btree (parent_run_id) WHERE (parent_run_id IS NOT NULL);

CREATE UNIQUE INDEX runs_start_key ON kept_schema.runs USING btree (scope, idempotency_key) WHERE (idempotency_key IS NOT NULL);

create table kept_schema.views (
  run_id text collate "C" not null,
  name text collate "C" not null,
  value text not null,
  constraint views_pkey PRIMARY KEY (run_id, name)
);

insert into kept_schema.accepted (storage_key, accepted_at, expires_at, run_id, inbox_id) overriding system value values ('sig:default:default:default:listening:later:later-1', '1794801727430', NULL, '01a1e284-f66d-7551-b8f1-a5344498a844', '1');
insert into kept_schema.accepted (storage_key, accepted_at, expires_at, run_id, inbox_id) overriding system value values ('upd:default:default:default:listening:rename:rename-1', '1794801727567', NULL, '01a1e284-f66d-7551-b8f1-a5344498a844', '2');
insert into kept_schema.effects (run_id, seq, version, scope, workflow_id, step_id, name, class, key, args_digest, status, phase, attempts, engine_attempts, error, event_seq, created_at, updated_at) overriding system value values ('01a1e284-d60c-7665-a84f-2ef44cfc7af0', '4', '1', 'default/default/default', 'doubtful', 'charge', 'charge', 'AT-MOST-ONCE', 'pawl-62fb0367fbbd4bb778c13e1a42d8719528c57f040e685b982eb063b36ee21745', NULL, 'indeterminate', 'doubt', '1', '1', '{"code":"PAWL2001","reason":"it began and nobody recorded how it ended"}', '5', '1794801718919', '1794801728555');
insert into kept_schema.engines (engine_id, lease_until, dead, serves, renewed_at, lock_key, lock_server) overriding system value values ('01a1e284-d578-70e0-bc61-bd1ff516a08f', '1794801728919', 'true', '[{"workflow":"settled","version":"1"},{"workflow":"sleeping","version":"1"},{"workflow":"listening","version":"1"},{"workflow":"doubtful","version":"1"},{"workflow":"halfway","version":"1"},{"workflow":"child","version":"1"},{"workflow":"parent","version":"1"}]', '1794801718919', '836894750188633766', '1794801712364');
insert into kept_schema.engines (engine_id, lease_until, dead, serves, renewed_at, lock_key, lock_server) overriding system value values ('01a1e284-f2cb-74ce-96f9-9db51ac1c0fc', '1794801738555', 'false', '[{"workflow":"settled","version":"1"},{"workflow":"sleeping","version":"1"},{"workflow":"listening","version":"1"},{"workflow":"doubtful","version":"1"},{"workflow":"halfway","version":"1"},{"workflow":"child","version":"1"},{"workflow":"parent","version":"1"}]', '1794801728555', '-2774212709498185730', '1794801712364');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e284-d60c-7665-a84f-2ef44cfc7af0', '1', '2c826a79-5dd3-4744-adac-77851e42d5eb', 'RunStarted', NULL, '1', '1', 'f42640571895d42db4f37ce9c0db1676c5723f8dd83890380956acf24dcd9abb', '1794801718807', '{"parsed":true,"codeVersion":"1"}', 'a2ae2e44fd07637c899d1adde8cfd37e', '3c0080c8d300b8b3af44c4cc16565d5966c735b1c19589901c8f5cd0f72feabf', '272e35881ce5e4c563a034120094be0953ccaceab267b292b4bc46499373669d', '1794801718877', '1');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e284-d60c-7665-a84f-2ef44cfc7af0', '2', '6b561f1d-d0f4-418e-aad5-9b648fa7cceb', 'StepStarted', 'order', '1', '1', 'a528578167307519a9734e5c101c1ce231f796e65b447a8b9a11b2c85a25b84e', '1794801718830', '{"kind":"effect","name":"order","digest":"799d7256bcab06d415e9f017db67b402ee0091972b47d904f8ff7accea7f6687","class":"UNDECLARED"}', '760e4aa030ef666595f801da4fa39e83', '426b4c90cdb2a635d59349d39deed1763aefb69ed8ba1b59c05206ca3d3d2565', '2cfd17c0ba93b14166bb5b6dbe05c43eb1511c74fc77dc089d510e134ac0f75f', '1794801718877', '1');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e284-d60c-7665-a84f-2ef44cfc7af0', '3', 'fa2d3941-a74a-4b09-a1b4-784200be4334', 'StepCompleted', 'order', '1', '1', 'f58e152c9d247c295c9918d7b1394c046b96d6129737df02b3f45bef822732cb', '1794801718898', '{"result":7}', 'dc971a797523ff60d82469a25efd5d18', '015045aa99f28868d130b46d4d0c1e79ea7b2fef6f1dbfd9d22fc92ec4f2d827', '705f912558785e679a9ab7db7bf994d829697c60d8c1b92fe0466083720101d8', '1794801718919', '2');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e284-d60c-7665-a84f-2ef44cfc7af0', '4', 'db8c561e-6821-427d-a5af-5ec6b7293617', 'StepStarted', 'charge', '1', '1', 'cbd4b5a9e9a2dd0db7337bbf9adbf5209d401ae6c15069ebb176c66ac1cfa8e6', '1794801718899', '{"kind":"effect","name":"charge","digest":"2ec79112be9dddff500c39c27d48b690db462962e412c10028ff5eeaf2d040b9","class":"AT-MOST-ONCE","timeoutMs":60000}', '0e97a6a2554813c215003f7b8836241d', 'c957cd19e1f9ce0480e4e5ced55956b3df832443474cdcbe1c40e095e26f6aa0', '131b42f1ed21d34889fb4aec7e333d8fc182c0b9630c1a28998e951ee55e6cd2', '1794801718919', '2');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e284-d60c-7665-a84f-2ef44cfc7af0', '5', '687838cd-6cd7-4e1f-99ea-c83489d61ef2', 'pawl.StepInDoubt', NULL, '1', '1', '4876c61cb8898434df19a8e4f87319108a2212626bd3a7c2105cc3c33b85a1ab', '1794801728530', '{"stepId":"charge","reason":"it began and nobody recorded how it ended","code":"PAWL2001"}', '13eff95d3b4aaaab76cb51b2455b8080', 'aa845b0ede846cb4998d3ac4439d888861fbe3a341c37888ff265342eb993a76', '0f649df47f23954845f9b721a572f4b95ad613850308ad8946d237ac858f9def', '1794801728555', '3');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e284-f4fa-77f2-8c8f-f040605d88d4', '1', '8cc73b0b-8d7b-42ea-8070-4c32cdf40bba', 'RunStarted', NULL, '1', '1', '77b02042b6f23d3c4dab26852e8c392ded9784077c02d87d1d4587aaedd215e2', '1794801726728', '{"input":21,"parsed":true,"codeVersion":"1"}', '32241768d055690822c3566e24dfdbe1', '7628cd64972e0c43251727a98f2571fe869fd9df7cf26abb417a413b2dcaeffe', '3ea7e7b7aa42ee6d695c6ed7897ffe3651fe49e7848d313be70470b598510dd0', '1794801726910', '1');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e284-f4fa-77f2-8c8f-f040605d88d4', '2', 'd97fd6c3-603d-4cf0-9faa-a64f70f293c9', 'pawl.ViewPublished', NULL, '1', '1', 'dc0c9e09ff1a14481369d5d379fa79d55fb740a24f7f4d8fd9c4d4e123dc13b8', '1794801726767', '{"name":"seen","value":21}', '289d5265fc51858e7f3b9b459fd2c607', '12ccd9671d6e75a6b9f4d50f9b58cef8b6198cf38dba6020d38687d82813c298', 'b17ca17ee98b6e4e78720d4e0c70332583d8b6aab533fd94e9c335e4c20ceb0c', '1794801726910', '1');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e284-f4fa-77f2-8c8f-f040605d88d4', '3', '11d5f14f-9964-4337-9df9-b4d0163678a6', 'StepStarted', 'double', '1', '1', 'b473144a3876b04b888a0284c5f98638b70d14bc76cfb6289b85dcd027cbf1a3', '1794801726785', '{"kind":"effect","name":"double","digest":"ee9ff8738b77f6cb9c3d0cd45ac165bc9e65f949afd79b7dd809848242b0b772","class":"UNDECLARED"}', '8317fca58c7d3d3d227b2039dbcef443', 'a36649becef12b81afa6a10fa198037211995b827dc69bcaed3281bf80b98c15', 'b2efe6ea83757a03c7670e675fcdf155353ac68c2f0e41fe4d39425a8e905561', '1794801726910', '1');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e284-f4fa-77f2-8c8f-f040605d88d4', '4', '200862b2-a2c4-45b3-b5ea-4ea85c971cdb', 'StepCompleted', 'double', '1', '1', '6dad2a6e344c821bc4a8c1d4a5529d6aac9f932835ef4ffc74de774f300c98f0', '1794801726998', '{"result":42}', 'b62a2d0cb5e95a80bdb65fdc9d69fbb2', 'd49196a71c12e336e3d11ea5e055fc7a498a027830e27333f749157b567de9e4', '9ebe3b9942b5b129d49cb13f8cf7f2fa3191e022dde1a11263e34f1659638f36', '1794801727023', '2');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e284-f4fa-77f2-8c8f-f040605d88d4', '5', '5a8bf602-f6e4-4f80-bcf1-591c53d5a01f', 'RunCompleted', NULL, '1', '1', '5fd61665c0d3464aac9f2c91b9aea8793114099b43234451062156576f4aa9d8', '1794801727012', '{"result":42}', '5034954d018b2356760b4681822f4dcb', '731875e0d20fe1ad6cfede79b84acd35527969b9388046c500782e96740ca3c1', '4d16b207b7aa55c047d6bb1b58062fdb0a605e87c1ce2d5cec0cf0a40edf5554', '1794801727023', '2');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e284-f642-7422-aecc-2948c8f34674', '1', '7eb0e735-8cde-4c65-9d7b-f9f85303be5e', 'RunStarted', NULL, '1', '1', '56c954f26a6e8b5d6ab4bf780f9ddc249de6872d33fa8f1cb16cc2f3085b6657', '1794801727043', '{"parsed":true,"codeVersion":"1"}', 'f7385a242e4ba799eed42d0c1b7fc18b', '81a9ed0624307185dfee49bf4125b9502ceb7567fb293ad17eb7eb3f1aaa0a86', 'f48effd606531bc96112bd75268d7efb7215687846a8d0c7d2073cae74f5704b', '1794801727066', '1');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e284-f642-7422-aecc-2948c8f34674', '2', '4d8bf0f8-2710-44b2-880b-af0af60fe336', 'StepStarted', 'before', '1', '1', 'e251140839ad778a30a136317f2b5fc2924becb5bc059911b5ef97cc8b6189b8', '1794801727043', '{"kind":"effect","name":"before","digest":"05bfe291a21a0d1f5f4657f5211cbe8150d540997b33667c9d3ea79321335833","class":"UNDECLARED"}', '7b4dd9a935aee425f5aec504696e8692', 'ea1e65c59451ec097984773f290580c0df8f698c5587f128cc96baad26c78aef', '07c310863c1f1eaf1f6bfddac369f83f137ab719c513fba3344a6e0b51a97d0f', '1794801727066', '1');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e284-f642-7422-aecc-2948c8f34674', '3', 'af49e956-1b23-41e2-ada6-8deb22a93b10', 'StepCompleted', 'before', '1', '1', 'f99fee2345ad38d17a96dab38626b4e7c7436362c17714bb87b507fbcd4bfd36', '1794801727085', '{"result":"slept"}', 'ccccc9cf98b3c0ef6fc8a5bad2c1a348', 'f7c22b7790029e9de6518449f9cda5b2f46ddcabf45b8364bcbd4b7eb7649c61', 'dad362e09272084fb7768ee89e6d7f0e85d2de6cdb726375f2670cefab8e1f65', '1794801727169', '2');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e284-f642-7422-aecc-2948c8f34674', '4', '25ec823f-ec7d-4db0-b286-56f9f45b2105', 'StepStarted', 'nap', '1', '1', '82b68d802cf4d9a8fa4350cee663cce8e31f6a732bfa1438f1c8d58713ab098b', '1794801727086', '{"kind":"timer","name":"nap","digest":"538b904f34061c9af68dfac9bc3e3f2aa12c8f0274ac1a58dec9793584cd778e","delayMs":5000}', '0cab41cbe5e96729173fe852d70e8f06', '8129eed26daa691887b00b6cb33c0d124ca6a29bf4abd610a9cbb1acf4c30cc3', '561272312dd0165f8652d6b33164f9d90b2a53ebc4ec1390ecdc900657277c32', '1794801727169', '2');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e284-f66d-7551-b8f1-a5344498a844', '1', '6ee60fd6-8ea3-4842-a41a-dec95335f2c7', 'RunStarted', NULL, '1', '1', 'ce7bc7aa849c28791f46c098787f7b2c22a1f29f1b616b6fee5534b24d5d9ecb', '1794801727134', '{"parsed":true,"codeVersion":"1"}', 'a88dbe7f89b7b879b19144a110a32cdd', '15a30308776faea32fde9ff25c1f9143d1d63fd7f38c9e348e0f6f047a288c3c', '68f536c4632ae239341f212418fec16c90d813a98f935b592759234dbaa9781b', '1794801727199', '1');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e284-f66d-7551-b8f1-a5344498a844', '2', '283b6b5c-7340-46b9-849b-9795cda0259e', 'StepStarted', 'go', '1', '1', '6d9e658ed06c61a0985bd5725593dd36aec2c5f35d94029ca087675850156404', '1794801727146', '{"kind":"signal","name":"go","digest":"3f5b2441e270ad2f461312a47e3f1f735c673b3b83fdb595499e9ce0c6e46d28","signal":"go"}', 'd17f70bf4f0380f610f193386c70f1cf', '4db75459b6c6329dcca69b613b296f40a2c7846289a6cb857992d047ceb783fc', '2e38c9910938592fab495ea422abfe37d0fa0c2bea1ef712e6c0a3845ac198b6', '1794801727199', '1');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e284-f66d-7551-b8f1-a5344498a844', '3', '3fdd2a5c-7293-42a0-898b-5ed98ae81cec', 'pawl.UpdateAccepted', NULL, '1', '1', '8f24ac4feccd57a3e4bedf2d210e81172f637c054ba00bcae1fe7e52237f8698', '1794801727621', '{"updateId":"rename-1","name":"rename","inboxId":2,"input":"Ada"}', 'b53ee1d6d7b1f08bf4d266bca803f461', 'bac9340017c97539192cea5612a171b3b36cea9878bc71345fc09ed5dca2ae10', 'fb2293051af82b257f745421dbbeb36857bc879fe19f85d744afae3c39eec784', '1794801727682', '2');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e284-f66d-7551-b8f1-a5344498a844', '4', '54d635c3-853d-477b-9813-af152124d5df', 'pawl.ViewPublished', NULL, '1', '1', '7c57f595fec3b0cb2bd957b0b77d78bfb6443d93ad00efd34afbff1ac3b72a33', '1794801727644', '{"name":"name","value":"Ada"}', '57ab6281740fefffe72f5317ba2d922e', '7b36e5dc4c6da09ac886337774943b3a465cf8172554bc9a43da4c1b31e8bf77', '829cb34d9c0238ec282dad4b1d1d69b68b4c51338cd3d49f49318569ecd2ec41', '1794801727682', '2');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e284-f66d-7551-b8f1-a5344498a844', '5', 'eef16f10-becf-4d02-9bd4-e8c72b95de09', 'pawl.UpdateCompleted', NULL, '1', '1', '195e25e28cd0dc1a11f404eeda8623ab6676d893bb8fd59bf0eeadd526646617', '1794801727644', '{"updateId":"rename-1","answer":{"ok":true,"result":"renamed Ada"}}', 'cfe2bb8569d031aacb1ac0e69665606a', '9223ed88a9553a3c42a45b03447b68a215e528d77bcbb7de4245f2920018521e', '0736ac47c48de8521ef99bba62c2f28f6b3f5944df6eee6655fca6a39172ae32', '1794801727682', '2');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e284-f6f8-7354-ad9a-e6f034f89fd0', '1', 'c7036027-88b2-4248-ad1c-476981c00df9', 'RunStarted', NULL, '1', '1', '725fc6cb363214197b15bc2c1254f9f624a8e1e98a49b16d3c604aa98e18fced', '1794801727228', '{"parsed":true,"codeVersion":"1"}', 'b3934ec3e8b0d00e8fb4245a0ecced37', '9f0abcdd9ef6cc3a0fd424753cbceb5bc09be537f48834e4288fbe595e9907cd', '46a033d14e89e988ba936505cbb35b4083e76482fdb964464ffe584ef7b8f6ba', '1794801727325', '1');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e284-f6f8-7354-ad9a-e6f034f89fd0', '2', 'fb40d6df-6bbb-47d2-8036-12e5b72c84dc', 'StepStarted', 'child', '1', '1', '23974fd0ca7a681ea54ef7d8b8f206a7a922357e4bfdc3ef5dcaf216f3cfbd69', '1794801727229', '{"kind":"child","name":"child","digest":"117651691b2a9336f86f4d9b0d54adbaae27db196460c3c4d8f700218d6505ed","child":{"runId":"01a1e284-f6fc-76bd-baa2-777a3b1b826a","workflowId":"the-child","workflow":"child"},"input":{"$pawl":"undefined"}}', '0ac06ae92a93cdb23fcc0fbf8b022ce8', '32fc121fd2bea9af67f5f299ac405e1fab64365bde9735b1cd4bdf5ab8610f86', '97b9273d762289cb964427d78164e9ad8e40a2d4314726d5dd97af0e8b99f14c', '1794801727325', '1');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e284-f6fc-76bd-baa2-777a3b1b826a', '1', '1149696c-5575-400b-84ec-1a06ea5c2160', 'RunQueued', NULL, '1', '1', '0e06d866aea86da3ce2d40205b728864b7df104b6a36874dd8f317e2d254879b', '1794801727228', '{"input":{"$pawl":"undefined"}}', '7078a5e8259a659333ac364b2811d93d', '6f66e84313d1fca59963a7bcacc6da3687ff147361330b12252b4bca5b7321bb', 'd10c7c827365fe1eee420e234050bd8846a5637aaaacc97a4e7c788cfe0c8023', '1794801727325', '1');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e284-f6fc-76bd-baa2-777a3b1b826a', '2', '5d90ab01-6ad4-404b-b6ce-975a45d077a7', 'RunStarted', NULL, '1', '1', '61844496e237f464bb2d8d08ec3137e8dfd5e4d67ca73ab089ec9e8b8c534580', '1794801727515', '{"parsed":true,"codeVersion":"1"}', '7fd25f424b2c1f252fc7ccc89a013b03', 'df383cbc296ae72bc8b4ac9af50dd3b33f6b82ba62a7eb389400afd82ed50498', '4b4fc14d7f43d5db5f437d24947bce2165f67899139404ccf4f66623939a4034', '1794801727518', '2');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e284-f6fc-76bd-baa2-777a3b1b826a', '3', '6d6f0bad-665d-4905-add8-09100c13a603', 'StepStarted', 'answer', '1', '1', 'e6fc442262b680d6e2fbd139aef99a6c32a75ad5c043657820c09af6dab414b7', '1794801727515', '{"kind":"signal","name":"answer","digest":"6af44cf9a32d7a8596ddd574de00e2d0e036802c46e1f63c4dd7966c382e4c35","signal":"answer"}', '7d5afba319c682ef0177d7df3a52b51d', '9d56e4ea625d4a699ec492ff9bb3b34c023df9f123f2317b2daa90c60bc7630f', '80297ee578acebb88bc180397faf6ffb505c5ccfce8f76bf7b76790473a6f2a9', '1794801727518', '2');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e284-fcc1-747e-bf8e-c23ee3f39e65', '1', '301aecea-306c-42fd-b670-2ad299db3e53', 'RunStarted', NULL, '1', '1', 'dc6d1694d699f0b02e3b7bf788bd1a181fa72cd011f80da9f207f8574d4a7f1c', '1794801728707', '{"parsed":true,"codeVersion":"1"}', 'ca8379bd4171451a3128bd65427dba47', '3b9bb9896c900fc42aed7239f9969061444a721d5e6f97e710c98259b61af864', '39eaa094dda7158f4c68a33aa9de18f712bef8f296ce3cf082ff13b312777e80', '1794801728740', '1');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e284-fcc1-747e-bf8e-c23ee3f39e65', '2', '47c8fd4a-0ce3-48dc-8035-4f19d40aabfb', 'StepStarted', 'one', '1', '1', '72568ff0c4f38167d7dd519f9e1fc9ffbdbd50b0233779748d2f86de69b097cd', '1794801728720', '{"kind":"effect","name":"one","digest":"65ef844c98b3e85b70e6c5192d76d1b60a81a310e6ba93e27b447a5ad881c94b","class":"UNDECLARED"}', '59ae005626e406f8963baf32d451a348', '4f1bb30f16195fc7c7790402147c1efee7c1ca928b39d24abb23f3b96cf0ce19', 'bbe62f17627ea7a5cbb038c9f2629ca11893f5d2479f14eff37c1c2796dc4a9a', '1794801728740', '1');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e284-fcc1-747e-bf8e-c23ee3f39e65', '3', 'b3ededae-7d87-4a4c-9f82-f7989e6e0c95', 'StepCompleted', 'one', '1', '1', 'b8bbc1fd682c61c80c1005de5662a8c41436ffa93355294fae58b1d06bd0536a', '1794801728745', '{"result":1}', '7fa4227e7b2e393149ae93eed5cfeb5a', '871ec7ae5159cfd16f18b6ceffff5c33a293fa7fc341171741b90ce8d06f8118', 'f06c6b9d450e2512f22fd4dc5479452e394edf5d3c69754e4c1745c10ab0e841', '1794801728751', '2');
insert into kept_schema.events (run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, payload_hash, link, persisted_at, state_version) overriding system value values ('01a1e284-fcc1-747e-bf8e-c23ee3f39e65', '4', '3b03f1ed-6293-489e-a297-750ff50d33b6', 'StepStarted', 'two', '1', '1', '587128942c609da9f6113b7eb8e3d86c04be1bef434e22135dfd228da7d388e9', '1794801728746', '{"kind":"effect","name":"two","digest":"a98cec722f9d81d928ab82e4904c332bd488d86208c0d5a9e5abed5d03a2c30b","class":"REPEATABLE"}', '86e1224a9b0d61b25a4fd4601c671165', 'f85b0b5dfcd164c9ecde49572353182bff20a5324e122704a76bb6b4cfdb5ee5', '731386aa4ed70bd9ad0d1f64e8fb1bb891317eddda353ef8a51508499fb9efd7', '1794801728751', '2');
insert into kept_schema.inbox (inbox_id, run_id, kind, name, id, payload, accepted_at, taken, consumed, wakes, reply, dedup_key) overriding system value values ('1', '01a1e284-f66d-7551-b8f1-a5344498a844', 'signal', 'later', 'later-1', '"first"', '1794801727430', 'true', 'false', 'false', NULL, 'sig:default:default:default:listening:later:later-1');
insert into kept_schema.inbox (inbox_id, run_id, kind, name, id, payload, accepted_at, taken, consumed, wakes, reply, dedup_key) overriding system value values ('2', '01a1e284-f66d-7551-b8f1-a5344498a844', 'update', 'rename', 'rename-1', '"Ada"', '1794801727567', 'true', 'true', 'false', '{"ok":true,"result":"renamed Ada"}', 'upd:default:default:default:listening:rename:rename-1');
insert into kept_schema.meta (one, format, oldest_reader, oldest_writer, incarnation, store_id, identity) overriding system value values ('true', '3', '1', '1', '1', '7c002c87-54d2-47b6-a8cc-0eae88c3ac98', '7708614633885939713/1/5');
insert into kept_schema.runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version) overriding system value values ('01a1e284-d60c-7665-a84f-2ef44cfc7af0', 'default/default/default', 'doubtful', '1', 'doubtful', '1', 'RUNNING', 'decision', '01a1e284-f2cb-74ce-96f9-9db51ac1c0fc', '2', '6d325bdcf853998067fd896423807c36', '3', '632d3a2f-b2bc-4fe4-afce-d89285cb4e53', '5', '0f649df47f23954845f9b721a572f4b95ad613850308ad8946d237ac858f9def', '1794801728555', NULL, '1794801718877', NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1e284-d60c-7665-a84f-2ef44cfc7af0', NULL, NULL, '0', 'false');
insert into kept_schema.runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version) overriding system value values ('01a1e284-f4fa-77f2-8c8f-f040605d88d4', 'default/default/default', 'settled', '1', 'settled', '1', 'COMPLETED', NULL, NULL, '1', 'f48fe429a5b6e9a2bc69470bbd5288fb', '2', 'a888f6c5-e0a0-46f8-89b4-3c83f046d110', '5', '4d16b207b7aa55c047d6bb1b58062fdb0a605e87c1ce2d5cec0cf0a40edf5554', '1794801727023', NULL, '1794801726910', NULL, '{"kind":"kept"}', '6f4b6612125fb3a0daecd2799dfd6c9c299424fd920f9b308110a2c1fbd8f443', 'settled-once', NULL, '01a1e284-f4fa-77f2-8c8f-f040605d88d4', NULL, NULL, '0', 'false');
insert into kept_schema.runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version) overriding system value values ('01a1e284-f642-7422-aecc-2948c8f34674', 'default/default/default', 'sleeping', '1', 'sleeping', '1', 'RUNNING', 'timer', '01a1e284-f2cb-74ce-96f9-9db51ac1c0fc', '1', 'ede6b6080295e6a64479744e336562c4', '2', 'e71957f7-68e3-4e90-8108-9a7da11bc9b0', '4', '561272312dd0165f8652d6b33164f9d90b2a53ebc4ec1390ecdc900657277c32', '1794801727169', '1794801732169', '1794801727066', NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1e284-f642-7422-aecc-2948c8f34674', NULL, NULL, '0', 'false');
insert into kept_schema.runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version) overriding system value values ('01a1e284-f66d-7551-b8f1-a5344498a844', 'default/default/default', 'listening', '1', 'listening', '1', 'RUNNING', 'signal', '01a1e284-f2cb-74ce-96f9-9db51ac1c0fc', '1', '252f3d4319163c12842c923ddb0d326b', '2', '08e27fef-10a8-466a-b6b3-b98e70bf4541', '5', '0736ac47c48de8521ef99bba62c2f28f6b3f5944df6eee6655fca6a39172ae32', '1794801727682', NULL, '1794801727199', NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1e284-f66d-7551-b8f1-a5344498a844', NULL, NULL, '0', 'false');
insert into kept_schema.runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version) overriding system value values ('01a1e284-f6f8-7354-ad9a-e6f034f89fd0', 'default/default/default', 'parent', '1', 'parent', '1', 'RUNNING', 'child', '01a1e284-f2cb-74ce-96f9-9db51ac1c0fc', '1', '70bc57c8da846f85e9e3b284bde14c95', '1', '1c50d2b3-0775-4234-876b-029ddf03c5f8', '2', '97b9273d762289cb964427d78164e9ad8e40a2d4314726d5dd97af0e8b99f14c', '1794801727325', NULL, '1794801727325', NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1e284-f6f8-7354-ad9a-e6f034f89fd0', NULL, NULL, '0', 'false');
insert into kept_schema.runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version) overriding system value values ('01a1e284-f6fc-76bd-baa2-777a3b1b826a', 'default/default/default', 'the-child', '1', 'child', '1', 'RUNNING', 'signal', '01a1e284-f2cb-74ce-96f9-9db51ac1c0fc', '1', '31c0a3e1a21395eb82319a4ed7c6956e', '2', '53c94c6f-82b9-4c7c-b7fe-efed6852b022', '3', '80297ee578acebb88bc180397faf6ffb505c5ccfce8f76bf7b76790473a6f2a9', '1794801727518', NULL, '1794801727325', NULL, '{}', '66fb24cb21354877635a93dab77577d75c67408441b22f433c4c30e6506f15c3', NULL, NULL, '01a1e284-f6fc-76bd-baa2-777a3b1b826a', '01a1e284-f6f8-7354-ad9a-e6f034f89fd0', 'child', '0', 'false');
insert into kept_schema.runs (run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, parent_run_id, parent_step_id, idle_claims, exact_version) overriding system value values ('01a1e284-fcc1-747e-bf8e-c23ee3f39e65', 'default/default/default', 'halfway', '1', 'halfway', '1', 'RUNNING', NULL, '01a1e284-f2cb-74ce-96f9-9db51ac1c0fc', '1', 'ea6f63bbaeca333b525bc93e0ea8b3ac', '2', '2a4b5e3a-917a-4708-930e-810cba5b0915', '4', '731386aa4ed70bd9ad0d1f64e8fb1bb891317eddda353ef8a51508499fb9efd7', '1794801728751', '0', '1794801728740', NULL, '{}', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', NULL, NULL, '01a1e284-fcc1-747e-bf8e-c23ee3f39e65', NULL, NULL, '0', 'false');
insert into kept_schema.views (run_id, name, value) overriding system value values ('01a1e284-f4fa-77f2-8c8f-f040605d88d4', 'seen', '21');
insert into kept_schema.views (run_id, name, value) overriding system value values ('01a1e284-f66d-7551-b8f1-a5344498a844', 'name', '"Ada"');
select setval(pg_get_serial_sequence('kept_schema.inbox', 'inbox_id'), max(inbox_id)) from kept_schema.inbox;
