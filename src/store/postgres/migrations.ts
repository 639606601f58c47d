// The schema's history: an ordered list, forward only. All pending migrations run in one transaction that begins by taking
// an advisory lock, so that two processes cannot both migrate and nobody ever sees half a schema. schema.sql is the dump
// of the result (kept equal by a test). A published migration is never edited.
import type { Platform } from "../../platform/platform.ts";
import { admissionOf, checkAdmitted, type FormatStep } from "../sql/formats.ts";
import type { Connection } from "./wire/driver.ts";
import { lockKey } from "./wire/address.ts";

export interface Migration extends FormatStep {
  /** Statements for the schema `s`, a checked name. */
  readonly statements: (s: string) => readonly string[];
}

/** Ids compare as bytes, whatever the database's locale. */
const id = 'text collate "C"';

const initial: Migration = {
  format: 1,
  statements: (s) => [
    `create table ${s}.meta (
  one boolean primary key check (one),
  format integer not null,
  oldest_reader integer not null,
  oldest_writer integer not null,
  incarnation integer not null,
  store_id text not null,
  identity text not null
)`,
    // Each engine rewrites its row several times a second: half of every page is kept free, so that it stays where it is.
    `create table ${s}.engines (
  engine_id ${id} primary key,
  lease_until bigint not null,
  dead boolean not null,
  serves text not null,
  renewed_at bigint not null,
  lock_key bigint,
  lock_server bigint
) with (fillfactor = 50)`,
    // A step rewrites columns that no index holds, and pages keep room for the new version: such updates touch no index.
    `create table ${s}.runs (
  run_id ${id} primary key,
  scope ${id} not null,
  workflow_id ${id} not null,
  generation integer not null,
  workflow ${id} not null,
  version ${id} not null,
  status text not null,
  waiting text,
  owner ${id},
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
  idempotency_key ${id},
  original_run_id text,
  root_run_id text not null,
  parent_run_id ${id},
  parent_step_id text,
  idle_claims integer not null,
  exact_version boolean not null
) with (fillfactor = 60)`,
    `create unique index runs_generation on ${s}.runs (scope, workflow_id, generation)`,
    `create unique index runs_start_key on ${s}.runs (scope, idempotency_key) where idempotency_key is not null`,
    // The claim's index: settled runs are never due, so they are not in it, and a sleeping run is behind the due ones.
    `create index runs_due on ${s}.runs (owner, scope, workflow, version, due_at, run_id) where due_at is not null`,
    `create index runs_newest on ${s}.runs (scope, created_at, run_id)`,
    `create index runs_parent on ${s}.runs (parent_run_id) where parent_run_id is not null`,
    `create table ${s}.events (
  run_id ${id} not null,
  run_seq bigint not null,
  event_id text not null,
  event_type text not null,
  step_id text,
  logical_attempt_id integer not null,
  engine_attempt_id integer not null,
  idempotency_key ${id} not null,
  emitted_at bigint not null,
  payload text,
  salt text,
  payload_hash text,
  link text not null,
  persisted_at bigint not null,
  state_version bigint not null,
  constraint events_pkey primary key (run_id, run_seq)
)`,
    `create unique index events_key on ${s}.events (run_id, idempotency_key)`,
    `create table ${s}.inbox (
  inbox_id bigint generated always as identity primary key,
  run_id ${id} not null,
  kind text not null,
  name text not null,
  id text not null,
  payload text,
  accepted_at bigint not null,
  taken boolean not null,
  consumed boolean not null,
  wakes boolean not null,
  reply text,
  dedup_key ${id}
)`,
    `create index inbox_run on ${s}.inbox (run_id, inbox_id)`,
    // wakes = untaken, and its run not known to be settled: a row that wakes nobody costs a claim nothing.
    `create index inbox_wakes on ${s}.inbox (run_id, kind, name) where wakes`,
    `create unique index inbox_dedup on ${s}.inbox (dedup_key) where dedup_key is not null`,
    `create table ${s}.accepted (
  storage_key ${id} primary key,
  accepted_at bigint not null,
  expires_at bigint,
  run_id text not null,
  inbox_id bigint not null
)`,
    `create table ${s}.views (
  run_id ${id} not null,
  name ${id} not null,
  value text not null,
  primary key (run_id, name)
)`,
  ],
};

/** Additive: code of format 1 does not see it, and may go on beside this one. */
const checkpoints: Migration = {
  format: 2,
  statements: (s) => [
    `create table ${s}.checkpoints (
  run_id ${id} not null,
  idempotency_key ${id} not null,
  step_id bigint not null,
  label text,
  body text not null,
  state_version bigint not null,
  persisted_at bigint not null,
  constraint checkpoints_pkey primary key (run_id, idempotency_key)
)`,
    `create unique index checkpoints_step on ${s}.checkpoints (run_id, step_id)`,
  ],
};

/** The ledger of effects, and a way to the few runs that wait for a person. Additive as well: the log stays the truth. */
const ledger: Migration = {
  format: 3,
  statements: (s) => [
    // A record is written at its start and again at its outcome, in columns that no index holds.
    `create table ${s}.effects (
  run_id ${id} not null,
  seq bigint not null,
  version integer not null,
  scope ${id} not null,
  workflow_id text not null,
  step_id text not null,
  name text not null,
  class text not null,
  key ${id},
  args_digest text,
  status text not null,
  phase text not null,
  attempts integer not null,
  engine_attempts integer not null,
  error text,
  event_seq bigint not null,
  created_at bigint not null,
  updated_at bigint not null,
  constraint effects_pkey primary key (run_id, seq)
) with (fillfactor = 80)`,
    `create index effects_key on ${s}.effects (scope, key) where key is not null`,
    `create index effects_doubt on ${s}.effects (scope) where phase = 'doubt'`,
    `create index runs_decision on ${s}.runs (scope, created_at) where waiting = 'decision'`,
  ],
};

/** For those who read the log (shelf.ts). The triggers that call feed_row come with the first consumer and go with the last. */
const readers: Migration = {
  format: 4,
  statements: (s) => [
    `alter table ${s}.runs add column origin text not null default 'engine'`,
    `alter table ${s}.runs add column expired_at bigint`,
    `alter table ${s}.runs add column purged_at bigint`,
    `alter table ${s}.effects add column receiver ${id}`,
    `create index effects_receiver on ${s}.effects (scope, receiver) where receiver is not null`,
    `create table ${s}.shelves (
  shelf ${id} not null,
  key ${id} not null,
  value text not null,
  version bigint not null,
  at bigint not null,
  constraint shelves_pkey primary key (shelf, key)
) with (fillfactor = 80)`,
    // filled: whether the runs that were there when it joined have been laid out for it, if it asked for them.
    `create table ${s}.consumers (
  consumer_id bigint generated always as identity primary key,
  scope ${id} not null,
  name ${id} not null,
  joined_at bigint not null,
  filled boolean not null,
  constraint consumers_name unique (scope, name)
)`,
    // No index by position alone: what waits for one consumer must never be looked for among what waits for all.
    `create table ${s}.feed (
  position bigint generated always as identity,
  consumer_id bigint not null,
  run_id ${id} not null,
  head_seq bigint not null,
  constraint feed_pkey primary key (consumer_id, position)
)`,
    // Retention asks whether somebody has still to see a run.
    `create index feed_run on ${s}.feed (run_id)`,
    // With the rights of the tables' owner: who may write a run need not know that somebody reads along.
    `create function ${s}.feed_row() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as ` +
      `$$ begin insert into ${s}.feed (consumer_id, run_id, head_seq) ` +
      `select c.consumer_id, new.run_id, new.head_seq from ${s}.consumers c where c.scope = new.scope; return null; end $$`,
  ],
};

/**
 * What an index's condition reads counts as held by the index: with `phase` there, every outcome rewrote all indexes of the
 * ledger. in_doubt changes only for the few that come into doubt. Code of earlier formats neither sees nor writes it.
 */
const doubts: Migration = {
  format: 5,
  statements: (s) => [
    `alter table ${s}.effects add column in_doubt boolean generated always as (phase = 'doubt') stored`,
    `drop index ${s}.effects_doubt`,
    `create index effects_doubt on ${s}.effects (scope) where in_doubt`,
  ],
};

/**
 * What the first request of a message was answered with (W-057, W-062), and a producer's own text of a time (D-035). Both are null in
 * rows of code of earlier formats, and mean then what they meant to it.
 */
const keptAsGiven: Migration = {
  format: 6,
  statements: (s) => [
    `alter table ${s}.accepted add column version bigint not null default 1`,
    `alter table ${s}.accepted add column response text`,
    `alter table ${s}.events add column emitted_text text`,
  ],
};

export const migrations: readonly Migration[] = [initial, checkpoints, ledger, readers, doubts, keptAsGiven];
/** The format that this code writes. */
export const format: number = admissionOf(migrations).format;

/** The format found; 0 = a database without Pawl's tables in this schema. */
export async function formatOf(c: Connection, schema: string): Promise<number> {
  // Asked of the catalogue's rows, not of a name: a session that once did not find the name may go on not finding it.
  const text =
    "select 1 as found from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = $1 and c.relname = 'meta'";
  if ((await c.query({ text, values: [schema] })).rows.length === 0) return 0;
  const meta = (await c.query({ text: `select format, oldest_writer from ${schema}.meta` })).rows[0];
  if (meta === undefined) return 0;
  const found = { format: Number(meta["format"]), oldestWriter: Number(meta["oldest_writer"]) };
  checkAdmitted(found, format);
  return found.format;
}

/**
 * What a migration from `from` records when all else is done. Who hands it to somebody else does not know what the database
 * is that it will be run on: without an identity, whoever opens the store first records it.
 */
export function recording(
  schema: string,
  from: number,
  storeId: string,
  identity: string,
  list: readonly Migration[] = migrations,
): string[] {
  const to = admissionOf(list);
  if (from >= to.format) return [];
  if (from === 0) {
    const columns = "one, format, oldest_reader, oldest_writer, incarnation, store_id, identity";
    const values = `true, ${to.format}, ${to.oldestReader}, ${to.oldestWriter}, 1, ${quoted(storeId)}, ${quoted(identity)}`;
    return [`insert into ${schema}.meta (${columns}) values (${values})`];
  }
  const admits = `format = ${to.format}, oldest_reader = ${to.oldestReader}, oldest_writer = ${to.oldestWriter}`;
  // W-116: who may not write any more must not go on owning; whoever still may enlists again. After meta, whose row an
  // engine that is just enlisting holds.
  const dead = to.oldestWriter > from ? [`update ${schema}.engines set dead = true`] : [];
  return [`update ${schema}.meta set ${admits}`, ...dead];
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** One transaction behind the schema's lock: who makes something in it takes turns. The schema itself is made if it is missing. */
export async function behindLock(c: Connection, schema: string, body: () => Promise<void>): Promise<void> {
  await c.exec("begin");
  try {
    // What is made again takes as long as the rows are many; nobody's other limits hold here.
    await c.exec("set local lock_timeout = '30s'; set local statement_timeout = 0");
    await c.query({ text: "select pg_advisory_xact_lock($1)", values: [lockKey(schema, "migrations")] });
    const found = await c.query({ text: "select 1 as found from pg_namespace where nspname = $1", values: [schema] });
    // Looked for first: who may not create schemas may still use one that was made for him.
    if (found.rows.length === 0) await c.exec(`create schema ${schema}`);
    await body();
    await c.exec("commit");
  } catch (e) {
    await c.exec("rollback").catch(() => c.destroy());
    throw e;
  }
}

/** Brings the schema to this code's format. */
export async function migrate(
  c: Connection,
  platform: Platform,
  schema: string,
  identity: string,
  list: readonly Migration[] = migrations,
): Promise<void> {
  let n = 0;
  await behindLock(c, schema, async () => {
    const from = await formatOf(c, schema);
    for (const m of list) {
      for (const statement of m.statements(schema)) {
        n++;
        if (m.format <= from) continue;
        platform.hit(`engine:migrate:${n}`);
        await c.exec(statement);
      }
    }
    for (const statement of recording(schema, from, platform.uuidV4(), identity, list)) await c.exec(statement);
    platform.hit(`engine:migrate:${n + 1}`);
  });
  platform.hit(`engine:migrate:${n + 2}`);
}
