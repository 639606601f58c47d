// Every SQL text of the SQLite store, by verb. Keys compare as bytes (SQLite's default collation), so ids stay
// case-sensitive. The run's row is the fence: each write of a Commit is conditional on it.
import { pinnedMs } from "../rules.ts";
import { queueSql, type QueueSqlName } from "./queue-sql.ts";
import {
  changingEffectColumns,
  checkpointColumns,
  effectColumns,
  engineColumnNames,
  eventColumns,
  inboxColumnNames,
  namesOf,
  runColumns,
} from "../sql/columns.ts";

const runNames = namesOf(runColumns);
const runPlaces = runColumns.map(() => "?").join(", ");
const eventNames = `${namesOf(eventColumns)}, persisted_at, state_version`;
const eventPlaces = `?, ${eventNames.replaceAll(/[a-z_]+/g, "?")}`;
/** Every column of the ledger. */
export const effectNames: string = `run_id, ${namesOf(effectColumns)}, created_at, updated_at`;
const effectPlaces = effectNames.replaceAll(/[a-z_]+/g, "?");
const checkpointNames = namesOf(checkpointColumns);

const settled = "('COMPLETED', 'FAILED', 'CANCELLED')";
const candidate = (r: string): string =>
  `${r}run_id, ${r}workflow, ${r}version, ${r}exact_version, ${r}persisted_at, ${r}due_at, ${r}status, ${r}waiting, ${r}created_at, ${r}owner`;

/** I8: a run that its engine has settled never changes; the log of one from outside may grow. */
const closed = `status in ${settled} and origin = 'engine'`;
/** I3, I8: what must hold before a Commit may write; `persisted_at <= now` lets the caller know the time beforehand. */
const fence = `run_id = ? and epoch = ? and token = ? and state_version = ? and persisted_at <= ? and commit_id <> ? and not (${closed})`;
const advance = "state_version = state_version + 1, commit_id = ?, persisted_at = ?, idle_claims = 0";

export type SqlName =
  | "begin"
  | "commit"
  | "rollback"
  | "meta"
  | "advancePlain"
  | "advanceFull"
  | "insertRun"
  | "insertFirstRun"
  | "insertEvent"
  | "insertTwoEvents"
  | "insertThreeEvents"
  | "putView"
  | "putEffect"
  | "changeEffect"
  | "putCheckpoint"
  | "take"
  | "consume"
  | "reply"
  | "reject"
  | "awake"
  | "quiet"
  | "notify"
  | "moveAccepted"
  | "moveInbox"
  | "exists"
  | "run"
  | "latest"
  | "byStartKey"
  | "events"
  | "eventByKey"
  | "eventsByKeys"
  | "eventsBySeqs"
  | "engines"
  | "engine"
  | "enlist"
  | "renew"
  | "declareLapsed"
  | "declare"
  | "forget"
  | "deadOwners"
  | "versions"
  | "due"
  | "dueLoose"
  | "woken"
  | "one"
  | "claim"
  | "accepted"
  | "replyOf"
  | "forgetAccepted"
  | "retire"
  | "payloadByKey"
  | "insertInbox"
  | "insertAccepted"
  | "inboxOfRun"
  | "owned"
  | "inboxOfOwner"
  | "shelfRow"
  | "putShelf"
  | "dropShelf"
  | "consumer"
  | "join"
  | "backfill"
  | "leave"
  | "forgetFeed"
  | "anyConsumer"
  | "feed"
  | "seen"
  | "lastEventAt"
  | "dataVersion"
  | "unsettled"
  | QueueSqlName;

export const sql: Readonly<Record<SqlName, string>> = {
  begin: "begin immediate",
  commit: "commit",
  rollback: "rollback",

  meta: "select format, oldest_reader, oldest_writer, incarnation, store_id, identity from pawl_meta",

  // Commit. The plain form leaves alone whatever an index holds or has for its condition, so that no index is looked at: owner, due time,
  // status and what is waited for stay as they are, or it changes nothing.
  advancePlain: `update pawl_runs set ${advance}, head_seq = ?, head_link = ? where ${fence} and due_at is ? and status = ? and waiting is ?`,
  advanceFull:
    `update pawl_runs set status = ?, waiting = ?, ${advance}, head_seq = coalesce(?, head_seq), head_link = coalesce(?, head_link), due_at = ?, ` +
    `owner = case when ? then null else owner end, exact_version = coalesce(?, exact_version), error_code = coalesce(?, error_code) where ${fence}`,
  insertRun: `insert into pawl_runs (${runNames}) values (${runPlaces})`,
  /** A workflowId's first run, if it has none; whatever is in the way, nothing is written, and the caller finds out what. */
  insertFirstRun:
    `insert or ignore into pawl_runs (${runNames}) select ${runPlaces} ` +
    "where not exists (select 1 from pawl_runs where scope = ?2 and workflow_id = ?3)",
  insertEvent: `insert into pawl_events (run_id, ${eventNames}) values (${eventPlaces})`,
  insertTwoEvents: `insert into pawl_events (run_id, ${eventNames}) values (${eventPlaces}), (${eventPlaces})`,
  insertThreeEvents: `insert into pawl_events (run_id, ${eventNames}) values (${eventPlaces}), (${eventPlaces}), (${eventPlaces})`,
  putView: "insert into pawl_views (run_id, name, value) values (?, ?, ?) on conflict (run_id, name) do update set value = excluded.value",
  putCheckpoint: `insert into pawl_checkpoints (${checkpointNames}) values (?, ?, ?, ?, ?, ?, ?)`,
  putEffect:
    `insert into pawl_effects (${effectNames}) values (${effectPlaces}) on conflict (run_id, seq) do update set ` +
    changingEffectColumns.map((c) => `${c} = excluded.${c}`).join(", "),
  changeEffect: `update pawl_effects set ${changingEffectColumns.map((c) => `${c} = ?`).join(", ")} ` + "where run_id = ? and seq = ?",
  take: "update pawl_inbox set taken = 1, wakes = 0 where inbox_id = ? and run_id = ?",
  consume: "update pawl_inbox set taken = 1, consumed = 1, wakes = 0 where inbox_id = ? and run_id = ?",
  reply: "update pawl_inbox set reply = ? where inbox_id = ? and run_id = ?",
  reject: "update pawl_inbox set rejected = ? where inbox_id = ? and run_id = ?",
  /** What a run that settles leaves behind, in one look. */
  awake:
    "select exists (select 1 from pawl_inbox where run_id = ?1 and wakes = 1) as inbox, " +
    "exists (select 1 from pawl_dispatches where run_id = ?1) as queued",
  quiet: "update pawl_inbox set wakes = 0 where run_id = ? and wakes = 1",
  notify:
    "insert into pawl_inbox (run_id, kind, name, id, payload, accepted_at, taken, consumed, wakes, reply, dedup_key) " +
    `select run_id, ?1, ?2, ?3, ?4, ?5, 0, 0, 1, null, ?6 from pawl_runs where run_id = ?7 and status not in ${settled} and origin = 'engine' ` +
    "and not exists (select 1 from pawl_inbox where dedup_key = ?6)",
  moveAccepted:
    "update pawl_accepted set run_id = ? where storage_key in " +
    "(select dedup_key from pawl_inbox where run_id = ? and consumed = 0 and dedup_key is not null)",
  moveInbox:
    "update pawl_inbox set run_id = ?1, taken = 0, " +
    `wakes = exists (select 1 from pawl_runs where run_id = ?1 and status not in ${settled}) where run_id = ?2 and consumed = 0 and kind <> 'result'`,
  exists: "select 1 as found from pawl_runs where run_id = ?",
  unsettled: `select 1 as found from pawl_runs where run_id = ? and status not in ${settled} and origin = 'engine'`,

  // Runs and their logs.
  run: `select ${runNames} from pawl_runs where run_id = ?`,
  latest: `select ${runNames} from pawl_runs where scope = ? and workflow_id = ? order by generation desc limit 1`,
  byStartKey: `select ${runNames} from pawl_runs where scope = ? and idempotency_key = ?`,
  events: `select ${eventNames} from pawl_events where run_id = ? and run_seq > ? order by run_seq limit ?`,
  // Keys outside, so that each is looked up by itself: the other way round the whole log would be gone through.
  eventsByKeys:
    `select ${eventNames} from json_each(?2) k cross join pawl_events e on e.run_id = ?1 and e.idempotency_key = k.value ` +
    "order by e.run_seq",
  eventsBySeqs:
    `select ${eventNames} from json_each(?2) k cross join pawl_events e on e.run_id = ?1 and e.run_seq = k.value ` + "order by e.run_seq",
  eventByKey: `select ${eventNames} from pawl_events where run_id = ? and idempotency_key = ?`,

  // Engines.
  engines: `select ${engineColumnNames} from pawl_engines order by engine_id`,
  engine: "select dead, kind from pawl_engines where engine_id = ?",
  enlist:
    "insert into pawl_engines (engine_id, lease_until, dead, serves, scope, kind, works) values (?, ?, 0, ?, ?, ?, ?) on conflict (engine_id) " +
    "do update set lease_until = excluded.lease_until, serves = excluded.serves, scope = excluded.scope, kind = excluded.kind, " +
    "works = excluded.works where not dead",
  renew: "update pawl_engines set lease_until = ? where engine_id = ? and not dead",
  // K1: one way, and only on evidence that still holds inside this transaction.
  declareLapsed: "update pawl_engines set dead = 1 where engine_id = ? and not dead and lease_until < ?",
  declare: "update pawl_engines set dead = 1 where engine_id = ? and not dead",
  forget:
    "delete from pawl_engines where dead and not exists " +
    "(select 1 from pawl_runs where owner = pawl_engines.engine_id and due_at is not null) " +
    "and not exists (select 1 from pawl_dispatches where worker = pawl_engines.engine_id)",

  // Claim. A cross join fixes the order of looking: from the few rows that wake somebody to their runs, never from all runs
  // of a scope (which the planner, without statistics, takes for few). Owners and versions are found by stepping from
  // one distinct value to the next, never by scanning their runs.
  deadOwners:
    "with recursive o (owner) as (" +
    "select min(owner) from pawl_runs where owner is not null and due_at is not null union all " +
    "select (select min(r.owner) from pawl_runs r where r.owner > o.owner and r.due_at is not null) from o where o.owner is not null) " +
    "select o.owner from o left join pawl_engines e on e.engine_id = o.owner where o.owner is not null and (e.engine_id is null or e.dead)",
  versions:
    "with recursive v (version) as (" +
    "select min(version) from pawl_runs where owner is ?1 and scope = ?2 and workflow = ?3 and due_at is not null union all " +
    "select (select min(r.version) from pawl_runs r where r.owner is ?1 and r.scope = ?2 and r.workflow = ?3 and r.version > v.version " +
    "and r.due_at is not null) from v where v.version is not null) select version from v where version is not null",
  due:
    `select ${candidate("")} from pawl_runs where owner is ? and scope = ? and workflow = ? ` +
    "and version = ? and due_at <= ? and origin = 'engine' order by due_at, run_id limit ?",
  dueLoose:
    `select ${candidate("")} from pawl_runs where owner is ?1 and scope = ?2 and workflow = ?3 ` +
    `and version = ?4 and due_at <= ?5 and origin = 'engine' and (exact_version = 0 or persisted_at <= ?5 - ${pinnedMs}) order by due_at, run_id limit ?6`,
  woken:
    `select ${candidate("r.")}, w.controlled, w.arrived_at from ` +
    "(select run_id, min(accepted_at) as arrived_at, max(kind = 'control' and name in ('pause', 'resume', 'terminate')) as controlled " +
    "from pawl_inbox where wakes = 1 group by run_id) w " +
    "cross join pawl_runs r on r.run_id = w.run_id left join pawl_engines e on e.engine_id = r.owner " +
    "where r.scope = ? and r.origin = 'engine' and (r.owner is null or e.engine_id is null or e.dead)",
  one:
    `select ${candidate("r.")}, exists (select 1 from pawl_inbox i where i.run_id = r.run_id ` +
    "and i.wakes = 1 and i.kind = 'control' and i.name in ('pause', 'resume', 'terminate')) as controlled " +
    "from pawl_runs r left join pawl_engines e on e.engine_id = r.owner " +
    `where r.run_id = ? and r.scope = ? and r.origin = 'engine' and r.status not in ${settled} ` +
    "and (r.owner is null or e.engine_id is null or e.dead)",
  // K23: said once more where it is decided.
  claim: `update pawl_runs set owner = ?, epoch = epoch + 1, token = ?, idle_claims = idle_claims + 1 where run_id = ? and origin = 'engine' returning ${runNames}`,
  owned: "select run_id from pawl_runs indexed by pawl_runs_due where owner = ? and due_at is not null limit ?",

  // Inbox.
  accepted: "select version, response, accepted_at, expires_at, run_id, inbox_id from pawl_accepted where storage_key = ?",
  replyOf: "select reply, sent_by, payload_digest, rejected from pawl_inbox where inbox_id = ?",
  forgetAccepted: "delete from pawl_accepted where storage_key = ?",
  retire: "update pawl_inbox set dedup_key = null where inbox_id = ?",
  payloadByKey: "select inbox_id from pawl_inbox where dedup_key = ?",
  insertInbox:
    "insert into pawl_inbox (run_id, kind, name, id, payload, accepted_at, taken, consumed, wakes, reply, dedup_key, sent_by, payload_digest) " +
    "values (?, ?, ?, ?, ?, ?, 0, 0, 1, null, ?, ?, ?)",
  insertAccepted:
    "insert into pawl_accepted (storage_key, accepted_at, expires_at, run_id, inbox_id, version, response) values (?, ?, ?, ?, ?, ?, ?)",
  inboxOfRun: `select ${inboxColumnNames} from pawl_inbox ` + "where run_id = ? and (consumed = 0 or ?) order by inbox_id",
  inboxOfOwner:
    `select ${inboxColumnNames.replaceAll(/\w+/g, "i.$&")} from pawl_inbox i ` +
    "indexed by pawl_inbox_wakes cross join pawl_runs r on r.run_id = i.run_id where i.wakes = 1 and r.owner = ? order by i.inbox_id",

  // Rows for readers, and the feed.
  lastEventAt: "select persisted_at from pawl_events order by rowid desc limit 1",
  shelfRow: "select shelf, key, value, version, at from pawl_shelves where shelf = ? and key = ?",
  putShelf:
    "insert into pawl_shelves (shelf, key, value, version, at) values (?, ?, ?, 1, ?) " +
    "on conflict (shelf, key) do update set value = excluded.value, version = version + 1, at = excluded.at",
  dropShelf: "delete from pawl_shelves where shelf = ? and key = ?",
  consumer: "select consumer_id from pawl_consumers where scope = ? and name = ?",
  join: "insert into pawl_consumers (scope, name, joined_at) values (?, ?, ?)",
  backfill:
    "insert into pawl_feed (consumer_id, run_id, head_seq) select ?, run_id, head_seq from pawl_runs where scope = ? order by created_at, run_id",
  leave: "delete from pawl_consumers where consumer_id = ?",
  forgetFeed: "delete from pawl_feed where consumer_id = ?",
  anyConsumer: "select 1 as found from pawl_consumers limit 1",
  feed: "select position, run_id, head_seq from pawl_feed where consumer_id = ? order by position limit ?",
  seen: "delete from pawl_feed where position = ? and consumer_id = ?",

  dataVersion: "pragma data_version",

  ...queueSql,
};
