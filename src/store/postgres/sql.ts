// The SQL texts of the Postgres store but for the Commit's, by verb. The first parameter of a text that needs the time is
// the clock of a test, null in life: then it is the server's, as of the statement. Where the planner could choose badly
// while a table is small and keep its choice, a lateral subquery leaves it no choice: from the few rows to their runs.
import { equallyDueMs, pinnedMs } from "../rules.ts";
import { engineColumnNames, eventColumns, inboxColumnNames, namesOf, runColumns } from "../sql/columns.ts";

export const nowSql = "coalesce($1::bigint, floor(extract(epoch from statement_timestamp()) * 1000)::bigint)";
export const clockCte: string = `clock as materialized (select ${nowSql} as now)`;
export const settledStatuses = "('COMPLETED', 'FAILED', 'CANCELLED')";
/** A run that is found by its id must be of this scope; said so that no index on scopes is taken for a way to find it. */
const within = "r.scope is not distinct from $3";
/** What the order of claims, and the check under the lock, need of a run. */
const weighed = (r: string): string => `${r}.epoch, ${r}.due_at, ${r}.status, ${r}.waiting, ${r}.created_at`;
const bare = "kind = 'control' and name in ('pause', 'resume', 'terminate')";

export const runNames: string = namesOf(runColumns);
const eventNames = `${namesOf(eventColumns)}, persisted_at, state_version`;

/** When the server began: a session lock says nothing about engines that held it on an earlier life of the server (K2). */
const serverStart = "floor(extract(epoch from pg_postmaster_start_time()) * 1000)::bigint";

export type SqlName =
  | "meta"
  | "engines"
  | "run"
  | "latest"
  | "byStartKey"
  | "lookup"
  | "events"
  | "eventByKey"
  | "eventsByKeys"
  | "eventsBySeqs"
  | "enlist"
  | "relock"
  | "beat"
  | "renew"
  | "retire"
  | "declare"
  | "forget"
  | "quiet"
  | "claimDue"
  | "claimOne"
  | "postRun"
  | "postLatest"
  | "expire"
  | "inboxOfRun"
  | "owned"
  | "inboxOfOwner"
  | "mark"
  | "putViews"
  | "notify"
  | "hold"
  | "moveInbox";

export type Texts = Readonly<Record<SqlName, string>>;

export function texts(s: string): Texts {
  const live = `(select engine_id from ${s}.engines where not dead)`;
  return {
    meta: `select ${nowSql} as now_ms, format, oldest_reader, oldest_writer, incarnation, store_id, identity from ${s}.meta`,
    engines: `select ${engineColumnNames} from ${s}.engines order by engine_id`,

    run: `select ${runNames} from ${s}.runs where run_id = $1`,
    latest: `select ${runNames} from ${s}.runs where scope = $1 and workflow_id = $2 order by generation desc limit 1`,
    byStartKey: `select ${runNames} from ${s}.runs where scope = $1 and idempotency_key = $2`,
    lookup: lookup(s),
    events: `select ${eventNames} from ${s}.events where run_id = $1 and run_seq > $2 order by run_seq limit $3`,
    // Each key is looked up by itself: what the planner believes of the length of logs must not matter.
    eventsByKeys:
      `select e.* from (select distinct k from unnest($2::text[]) k) k cross join lateral ` +
      `(select ${eventNames} from ${s}.events where run_id = $1 and idempotency_key = k.k limit 1) e order by e.run_seq`,
    eventsBySeqs: `select ${eventNames} from ${s}.events where run_id = $1 and run_seq = any($2::bigint[]) order by run_seq`,
    eventByKey: `select ${eventNames} from ${s}.events where run_id = $1 and idempotency_key = $2`,

    // Engines. lock_key is null where no session lock is held: then only the lease is evidence.
    enlist:
      `insert into ${s}.engines (engine_id, lease_until, dead, serves, renewed_at, lock_key, lock_server, scope, kind, works) ` +
      `select $2, ${nowSql} + $3, false, $4, ${nowSql}, $5::bigint, case when $5::bigint is null then null else ${serverStart} end, $7, $8, $9 ` +
      // W-116: the row of meta is held, so that a migration which shuts this writer out comes before or after, never between.
      `from (select 1 from ${s}.meta where oldest_writer <= $6 for share) admitted ` +
      "on conflict (engine_id) do update set lease_until = excluded.lease_until, serves = excluded.serves, renewed_at = excluded.renewed_at, " +
      "lock_key = excluded.lock_key, lock_server = excluded.lock_server, scope = excluded.scope, kind = excluded.kind, works = excluded.works where not engines.dead",
    relock: `update ${s}.engines set lock_key = $3, lock_server = ${serverStart}, renewed_at = ${nowSql} where engine_id = $2 and not dead`,
    beat: `update ${s}.engines set renewed_at = ${nowSql} where engine_id = any($2::text[]) and not dead`,
    renew: `update ${s}.engines set lease_until = ${nowSql} + $3, renewed_at = ${nowSql} where engine_id = $2 and not dead`,
    retire: `update ${s}.engines set dead = true where engine_id = $1 and not dead returning engine_id`,
    // K1, K2: one way, and on evidence that holds for the row as it is when it is written.
    declare:
      `with ${clockCte}, held as materialized (select (classid::bigint << 32) | objid::bigint as key from pg_locks ` +
      "where locktype = 'advisory' and objsubid = 1 and granted and database = (select oid from pg_database where datname = current_database())) " +
      `update ${s}.engines e set dead = true from clock where e.engine_id <> $2 and not e.dead and (e.lease_until < clock.now or ` +
      `($3 and e.lock_key is not null and e.lock_server = ${serverStart} and e.renewed_at < clock.now - $4 ` +
      "and not exists (select 1 from held where held.key = e.lock_key))) returning e.engine_id",
    forget:
      `delete from ${s}.engines e where e.dead and not exists ` +
      `(select 1 from ${s}.runs r where r.owner = e.engine_id and r.due_at is not null) ` +
      `and not exists (select 1 from ${s}.dispatches d where d.worker = e.engine_id) returning e.engine_id`,
    // A message may be accepted while its run settles: it is kept and shown, and must not be looked at by every claim.
    quiet:
      `update ${s}.inbox set wakes = false where inbox_id = any(array(select i.inbox_id from ${s}.inbox i ` +
      `cross join lateral (select r.status from ${s}.runs r where r.run_id = i.run_id offset 0) r ` +
      `where i.wakes and r.status in ${settledStatuses} limit 1000))`,

    claimDue: claimDue(s),
    claimOne: claimOne(s),
    owned: `select r.run_id from ${s}.runs r where r.owner = $1 and r.due_at is not null order by r.owner limit $2`,

    postRun: post(s, `run_id = $4 and ${within}`, ""),
    postLatest: post(s, "r.scope = $3 and r.workflow_id = $4", "order by generation desc limit 1"),
    expire:
      `with gone as (delete from ${s}.accepted where storage_key = $2 and expires_at <= ${nowSql} returning inbox_id) ` +
      `update ${s}.inbox i set dedup_key = null from gone where i.inbox_id = gone.inbox_id`,
    inboxOfRun: `select ${inboxColumnNames} from ${s}.inbox where run_id = $1 and ($2::boolean or not consumed) order by inbox_id`,
    inboxOfOwner:
      `select ${inboxColumnNames.replaceAll(/(\w+)/g, "i.$1")} from ${s}.inbox i ` +
      `cross join lateral (select r.owner from ${s}.runs r where r.run_id = i.run_id offset 0) r ` +
      "where i.wakes and r.owner = $1 order by i.inbox_id",

    // What hangs on a Commit, over arrays: inside its transaction, after the run's row.
    mark:
      `update ${s}.inbox i set taken = i.taken or m.taken, consumed = i.consumed or m.consumed, wakes = i.wakes and not m.taken, ` +
      "reply = coalesce(m.reply, i.reply), rejected = coalesce(m.rejected, i.rejected) " +
      "from unnest($1::bigint[], $2::text[], $3::boolean[], $4::boolean[], $5::text[], $6::text[]) " +
      "as m (inbox_id, run_id, taken, consumed, reply, rejected) where i.inbox_id = m.inbox_id and i.run_id = m.run_id",
    putViews:
      `insert into ${s}.views (run_id, name, value) select * from unnest($1::text[], $2::text[], $3::text[]) ` +
      "on conflict (run_id, name) do update set value = excluded.value",
    // nowait: a batch never waits for a run's row (K7); the engine that is settling that run is done in a moment.
    notify:
      "with asked as materialized (select n.*, coalesce(t.run_id, n.named) as run_id " +
      "from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::text[]) " +
      "with ordinality as n (named, kind, name, id, payload, accepted_at, dedup_key, place) " +
      `left join lateral (${continuing(s)}) t on true), n as materialized (select n.* from asked n ` +
      `cross join lateral (select 1 from ${s}.runs r where r.run_id = n.run_id and r.status not in ${settledStatuses} and r.origin = 'engine' ` +
      "for key share nowait) r) " +
      `insert into ${s}.inbox (run_id, kind, name, id, payload, accepted_at, taken, consumed, wakes, reply, dedup_key) ` +
      "select run_id, kind, name, id, payload, accepted_at, false, false, true, null, dedup_key from n " +
      `where not exists (select 1 from ${s}.inbox i where i.dedup_key = n.dedup_key) order by place on conflict do nothing`,
    hold: `select 1 from ${s}.runs where run_id = any($1::text[]) order by run_id for key share nowait`,
    moveInbox:
      "with m as materialized (select m.*, r.status from unnest($1::text[], $2::text[]) as m (was, becomes) " +
      `cross join lateral (select r.status from ${s}.runs r where r.run_id = m.becomes offset 0) r), ` +
      `moved as (update ${s}.inbox i set run_id = m.becomes, taken = false, wakes = m.status not in ${settledStatuses} from m ` +
      // The end of a dispatch is about one step of one run.
      "where i.run_id = m.was and not i.consumed and i.kind <> 'result' returning i.run_id, i.dedup_key) " +
      `update ${s}.accepted a set run_id = moved.run_id from moved where a.storage_key = moved.dedup_key`,
  };

  function claimDue(schema: string): string {
    const unowned = branch(schema, "r.owner is null", "(select 1 from me)");
    const orphaned = branch(schema, "r.owner = o.owner", "orphans");
    return (
      `with recursive ${clockCte}, ` +
      `me as materialized (select 1 from ${schema}.engines where engine_id = $2 and not dead and kind = 'engine'), ` +
      "served as materialized (select * from unnest($4::text[], $5::text[]) as t (workflow, version)), " +
      // Owners are found by stepping from one distinct value to the next, never by going through their runs.
      `stepping (owner) as ((select r.owner from ${schema}.runs r where r.owner is not null and r.due_at is not null order by r.owner limit 1) ` +
      `union all select (select r.owner from ${schema}.runs r where r.owner > p.owner and r.due_at is not null order by r.owner limit 1) ` +
      "from stepping p where p.owner is not null), " +
      `orphans as materialized (select p.owner from stepping p cross join me where p.owner is not null and p.owner not in ${live}), ` +
      `woken as materialized (select w.run_id, ${weighed("r")}, ${rank("r", "$6 and w.controlled")} as rank, ` +
      "least(greatest(w.arrived_at, r.created_at), r.due_at) as since from " +
      `(select run_id, min(accepted_at) as arrived_at, bool_or(${bare}) as controlled from ${schema}.inbox where wakes group by run_id) w cross join me ` +
      `cross join lateral (select ${weighed("r")}, r.workflow, r.version, r.exact_version, r.persisted_at, r.owner ` +
      `from ${schema}.runs r where r.run_id = w.run_id and ${within} and r.status not in ${settledStatuses} and r.origin = 'engine' offset 0) r ` +
      `where r.owner is null or r.owner not in ${live}), ` +
      `found as (${unowned} union all ${orphaned} union all select * from woken where rank is not null), ` +
      // As claimOrder() in rules.ts says, among the longest due of each kind.
      `best as materialized (select b.*, row_number() over (order by rank, since / ${equallyDueMs}, ` +
      "case when status = 'PENDING' then 0 when waiting = 'retry' then 1 else 2 end, created_at, run_id) as place " +
      "from (select distinct on (run_id) * from found order by run_id, rank, since) b order by place limit $8), " +
      // Locked one by one, in order, and only as many as are wanted; what somebody else is claiming is stepped over.
      `picked as materialized (select b.rank, b.place, r.* from best b cross join lateral (select ${runNames} from ${schema}.runs r ` +
      // K23: said once more where it is decided.
      `where r.run_id = b.run_id and r.epoch = b.epoch and r.due_at is not distinct from b.due_at and r.status not in ${settledStatuses} ` +
      "and r.origin = 'engine' " +
      `for no key update skip locked) r limit $7), ${claimed(schema, "$9")}`
    );
  }

  /** Due runs of one kind of owner: for each served workflow its versions by stepping, for each version the longest due. */
  function branch(schema: string, owner: string, owners: string): string {
    const version = (after: string): string =>
      `select r.version from ${schema}.runs r where ${owner} and r.scope = $3 and r.workflow = s.workflow${after} and r.due_at is not null ` +
      "order by r.owner, r.version limit 1";
    return (
      `select d.run_id, ${weighed("d")}, ${rank("d", "false")} as rank, d.due_at as since from ${owners} o ` +
      "cross join (select distinct workflow from served) s cross join clock " +
      `cross join lateral (with recursive v (version) as ((${version("")}) union all ` +
      `select (${version(" and r.version > v.version")}) from v where v.version is not null) select version from v where version is not null) v ` +
      `cross join lateral (select r.run_id, ${weighed("r")}, r.workflow, r.version, r.exact_version, r.persisted_at from ${schema}.runs r where ${owner} ` +
      "and r.scope = $3 and r.workflow = s.workflow and r.version = v.version and r.due_at <= clock.now and r.origin = 'engine' " +
      `and (not ${pinned("r")} or exists (select 1 from served x where x.workflow = r.workflow and x.version = r.version)) ` +
      "order by r.owner, r.due_at, r.run_id limit $8) d"
    );
  }

  function claimOne(schema: string): string {
    const controlled = `exists (select 1 from ${schema}.inbox i where i.run_id = r.run_id and i.wakes and ${bare})`;
    return (
      `with ${clockCte}, served as materialized (select * from unnest($4::text[], $5::text[]) as t (workflow, version)), ` +
      `picked as materialized (select ${rank("r", `$6 and ${controlled}`)} as rank, 1 as place, r.* from (select ${runNames} from ${schema}.runs r ` +
      `where r.run_id = $7 and ${within} and r.status not in ${settledStatuses} and r.origin = 'engine' and (r.owner is null or r.owner not in ${live}) ` +
      `and exists (select 1 from ${schema}.engines where engine_id = $2 and not dead and kind = 'engine') for no key update skip locked) r), ${claimed(schema, "$8")}`
    );
  }

  /**
   * The claim itself: rows that are locked, written through their key. An upsert that always finds its row is an update that
   * the planner cannot turn into a scan.
   */
  function claimed(schema: string, tokens: string): string {
    const changed: Readonly<Record<string, string>> = {
      owner: "$2",
      epoch: "p.epoch + 1",
      token: `(${tokens}::text[])[p.nth]`,
      idle_claims: "p.idle_claims + 1",
    };
    return (
      "numbered as (select p.*, row_number() over (order by place) as nth from picked p where rank is not null), " +
      `taken as (insert into ${schema}.runs (${runNames}) select ${runColumns.map(({ name }) => changed[name] ?? `p.${name}`).join(", ")} from numbered p ` +
      "on conflict (run_id) do update set owner = excluded.owner, epoch = excluded.epoch, token = excluded.token, " +
      `idle_claims = excluded.idle_claims returning ${runNames}) ` +
      "select t.*, n.owner as taken_from from taken t join numbered n on n.run_id = t.run_id order by n.nth"
    );
  }
}

/** As follows() and continues() in rules.ts say: the run that continues where the settled run n.named ended. */
function continuing(s: string): string {
  return (
    "select x.run_id from (select t.scope, t.workflow_id, t.workflow, t.parent_run_id " +
    `from ${s}.runs t where t.run_id = n.named and n.kind in ('signal', 'control') and t.status in ${settledStatuses} offset 0) t ` +
    `cross join lateral (select x.run_id, x.status, x.workflow, x.parent_run_id from ${s}.runs x ` +
    "where x.scope = t.scope and x.workflow_id = t.workflow_id order by x.generation desc limit 1) x " +
    `where x.status not in ${settledStatuses} and x.workflow = t.workflow and x.parent_run_id is not distinct from t.parent_run_id`
  );
}

/** As isPinned() in rules.ts says. */
function pinned(r: string): string {
  return `(${r}.exact_version and ${r}.persisted_at > (select now from clock) - ${pinnedMs})`;
}

/** As servedAs() in rules.ts says: 0 its own version, 1 the name only, 2 for the sake of a control row. */
function rank(r: string, controlled: string): string {
  const same = `exists (select 1 from served x where x.workflow = ${r}.workflow and x.version = ${r}.version)`;
  const named = `exists (select 1 from served x where x.workflow = ${r}.workflow)`;
  return `case when ${same} then 0 when not ${pinned(r)} and ${named} then 1 when ${controlled} then 2 end`;
}

/** What stands in the way of Commits that were not written: by run id, by start key, by workflowId. */
function lookup(s: string): string {
  const part = (tag: string, where: string, tail: string): string =>
    `select '${tag}' as tag, i.place, clock.now as now_ms, r.* from i cross join clock cross join lateral ` +
    `(select ${runNames} from ${s}.runs where ${where} ${tail}) r`;
  return (
    `with ${clockCte}, i as materialized (select * from unnest($2::text[], $3::text[], $4::text[], $5::text[]) ` +
    "with ordinality as i (run_id, scope, start_key, workflow_id, place)) " +
    `${part("id", "runs.run_id = i.run_id", "offset 0")} union all ` +
    `${part("key", "runs.scope = i.scope and runs.idempotency_key = i.start_key", "offset 0")} union all ` +
    `${part("latest", "runs.scope = i.scope and runs.workflow_id = i.workflow_id", "order by generation desc limit 1")}`
  );
}

/** Milliseconds as the text of that time in UTC. */
const rfc3339 = (column: string): string => `to_char(to_timestamp(${column} / 1000.0) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/**
 * W-075: insert-or-read in one statement. The run's row is held by a key-share lock, which steps do not feel: only a Commit
 * that settles the run or moves its inbox waits for it, so that no accepted message is left behind (I9, K8).
 */
function post(s: string, where: string, tail: string): string {
  return (
    `with ${clockCte}, known as materialized (select a.*, a.expires_at is null or a.expires_at > clock.now as live, ` +
    `i.reply, i.sent_by, i.payload_digest, i.rejected from ${s}.accepted a cross join clock ` +
    `left join lateral (select * from ${s}.inbox i where i.inbox_id = a.inbox_id offset 0) i on true where a.storage_key = $2), ` +
    `held as materialized (select inbox_id from ${s}.inbox where dedup_key = $2), ` +
    `target as materialized (select r.run_id, r.status, r.origin from ${s}.runs r where ${where} and not exists (select 1 from known) ` +
    `${tail} for key share), ` +
    `put as (insert into ${s}.inbox (run_id, kind, name, id, payload, accepted_at, taken, consumed, wakes, reply, dedup_key, sent_by, payload_digest) ` +
    "select t.run_id, $5, $6, $7, $8, clock.now, false, false, true, null, $2, $14, $15 from target t cross join clock " +
    `where t.status not in ${settledStatuses} and t.origin = 'engine' and $13::boolean and not exists (select 1 from held) on conflict do nothing returning inbox_id, run_id, accepted_at), ` +
    `record as (insert into ${s}.accepted (storage_key, accepted_at, expires_at, run_id, inbox_id, version, response) ` +
    `select $2, accepted_at, accepted_at + $9::bigint, run_id, inbox_id, $10::bigint, $11::text || ${rfc3339("accepted_at")} || $12::text from put) ` +
    "select k.live, k.version, k.response, k.accepted_at, k.expires_at, k.run_id, k.inbox_id, k.reply, k.sent_by, k.payload_digest, k.rejected, h.inbox_id as held, t.run_id as target, " +
    "t.status, t.origin, p.inbox_id as put, p.accepted_at as put_at from clock left join known k on true left join held h on true " +
    "left join target t on true left join put p on true"
  );
}
