// The SQL texts of queued steps but for the Commit's (commit-parts.ts). The first parameter is the clock of a test, null in life. Claims look
// first and lock afterwards, by primary key only, past whatever others hold; rows that end are taken in the order of their ids.
import { dispatchColumnNames as dispatchNames, queueColumnNames as queueNames } from "../../sql/queue-rows.ts";
import { settledStatuses, clockCte, nowSql } from "../sql.ts";

const prefixed = (names: string, by: string): string => names.replaceAll(/(\w+)/g, `${by}.$1`);

/** The rows of `ids` (a subquery of dispatch ids in order), held one after the other. */
export function lockedInOrder(s: string, from: string, names: string, where: string, how = "for update"): string {
  return `select ${names} from (${from}) o cross join lateral (select d.* from ${s}.dispatches d where ${where} ${how}) d`;
}

/** `ids`: rows with a dispatch_id. */
export const anyOf = (ids: string): string => `dispatch_id = any(array(select x.dispatch_id from ${ids} x))`;

/**
 * The text of a DispatchEnded, made from the row `d` and the text of its end. As `endedText` in queue-rules.ts writes it, member by member:
 * the server writes a text as JSON.stringify does.
 */
export function factsSql(d: string, end: string): string {
  const quoted = (column: string): string => `coalesce(to_json(${d}.${column})::text, 'null')`;
  const plain = (column: string): string => `coalesce(${d}.${column}::text, 'null')`;
  return (
    `'{"seq":' || ${d}.seq || ',"what":"' || ${d}.what || '","dispatchId":' || ${d}.dispatch_id || ',"attempt":' || ${d}.attempt || ` +
    `',"engineAttempt":' || ${d}.engine_attempt || ',"worker":' || ${quoted("worker")} || ',"token":' || ${quoted("token")} || ` +
    `',"claimedAt":' || ${plain("claimed_at")} || ',"deadlineAt":' || ${plain("deadline_at")} || ',"beat":' || coalesce(${d}.beat, 'null') || ',"end":' || ${end} || '}'`
  );
}

/**
 * What the end of a dispatch leaves behind: one row in its run's inbox, unless the run has settled. `gone`: rows that were taken away, each
 * with the text of its end, and its place among them. K8: it looks at the run's row, and neither holds nor changes it.
 */
export function putEnds(s: string, gone: string, now: string): string {
  return (
    `insert into ${s}.inbox (run_id, kind, name, id, payload, accepted_at, taken, consumed, wakes) ` +
    `select g.run_id, 'result', g.step_id, g.dispatch_id::text, ${factsSql("g", "g.ending")}, ${now}, false, false, true from ${gone} g ` +
    `cross join lateral (select r.status, r.origin from ${s}.runs r where r.run_id = g.run_id offset 0) r ` +
    `where r.status not in ${settledStatuses} and r.origin = 'engine' order by g.place returning id`
  );
}

/** The rows that went, and whether their runs were notified. */
const whatWent = (beside: string): string =>
  `select g.dispatch_id, g.run_id, g.token, p.id is not null as notified from gone g left join put p on p.id = g.dispatch_id::text${beside} order by g.dispatch_id`;

/** Rows of the parameters $2 and on, in the order of ids, so that nobody waits in a circle; `place` is the order in which they came. */
const heldRows = (columns: string, kinds: string): string =>
  `g as materialized (select * from unnest(${kinds}) with ordinality as g (${columns}, place) order by dispatch_id)`;

export interface QueueTexts {
  readonly claim: string;
  readonly claimLimited: string;
  readonly lockQueue: string;
  readonly finish: string;
  /** Once it is answered, all is durable that was written before it was asked. */
  readonly flush: string;
  readonly lapse: string;
  readonly beat: string;
  readonly giveBack: string;
  readonly sweep: string;
  readonly openQueues: string;
  readonly queuesNamed: string;
  readonly queuesOf: string;
  readonly reserveQueue: string;
  readonly writeQueue: string;
  readonly depth: string;
  readonly late: string;
}

export function queueTexts(s: string): QueueTexts {
  const held = "d.dispatch_id = o.dispatch_id and d.token = o.token and d.worker = $1";
  const deleted = (cte: string): string => `delete from ${s}.dispatches d where d.${anyOf(cte)} returning d.*`;
  return {
    claim: claimText(s, false),
    claimLimited: claimText(s, true),
    lockQueue: `select ${queueNames}, ${nowSql} as now_ms from ${s}.queues where scope = $2 and queue = $3 for update`,
    finish:
      `with ${clockCte}, ${heldRows("dispatch_id, token, ending", "$2::bigint[], $3::text[], $4::text[]")}, ` +
      `ended as materialized (${lockedInOrder(s, "select * from g", "d.dispatch_id, o.ending, o.place", "d.dispatch_id = o.dispatch_id and d.token = o.token")}), ` +
      `gone as (${deleted("ended")}), ` +
      `put as (${putEnds(s, "(select g.*, e.ending, e.place from gone g join ended e on e.dispatch_id = g.dispatch_id)", "(select now from clock)")}) ` +
      // Seen by the run's owner before it is durable: what the owner writes after it is durable only together with it. The worker waits (`flush`).
      whatWent(" cross join set_config('synchronous_commit', 'off', true)"),
    flush: "select pg_logical_emit_message(true, 'pawl', '')",
    lapse: lapseText(s),
    // What is only asked about waits for nobody; what is to be written is held first, and what it shows then counts.
    beat:
      `with ${heldRows("dispatch_id, token, beat", "$2::bigint[], $3::text[], $4::text[]")}, ` +
      `locked as materialized (${lockedInOrder(s, "select * from g where beat is not null", "d.dispatch_id, d.token, d.cancel, o.beat", held)}), ` +
      `put as (update ${s}.dispatches d set beat = (select l.beat from locked l where l.dispatch_id = d.dispatch_id) where d.${anyOf("locked")}) ` +
      "select dispatch_id, token, cancel from locked union all select d.dispatch_id, d.token, d.cancel from (select * from g where beat is null) o " +
      `cross join lateral (select d.dispatch_id, d.token, d.cancel from ${s}.dispatches d where ${held}) d`,
    giveBack:
      `with ${clockCte}, ${heldRows("dispatch_id, token", "$2::bigint[], $3::text[]")}, ` +
      `locked as materialized (${lockedInOrder(s, "select * from g", "d.dispatch_id, d.cancel, o.place", "d.dispatch_id = o.dispatch_id and d.token = o.token")}), ` +
      `freed as (update ${s}.dispatches d set worker = null, token = null, claimed_at = null, deadline_at = null ` +
      `where d.${anyOf("(select l.dispatch_id from locked l where not l.cancel)")} returning d.queue, d.rank_at), ` +
      `gone as (${deleted("(select l.dispatch_id from locked l where l.cancel)")}), ` +
      // As a claim that never was: nothing had begun.
      `put as (${putEnds(
        s,
        "(select g.run_id, g.step_id, g.dispatch_id, g.seq, g.what, g.attempt, g.engine_attempt, null::text as worker, null::text as token, null::bigint as claimed_at, " +
          `null::bigint as deadline_at, g.beat, '{"kind":"withdrawn"}' as ending, ` +
          "(select l.place from locked l where l.dispatch_id = g.dispatch_id) as place from gone g)",
        "(select now from clock)",
      )}) ` +
      "select null as run_id, false as notified, queue, rank_at from freed union all " +
      "select g.run_id, exists (select 1 from put p where p.id = g.dispatch_id::text), null, null from gone g",
    sweep:
      `with found as materialized (select d.dispatch_id from ${s}.dispatches d left join lateral ` +
      `(select r.status from ${s}.runs r where r.run_id = d.run_id offset 0) r on true ` +
      `where r.status is null or r.status in ${settledStatuses} order by d.dispatch_id limit $1), ` +
      `locked as materialized (${lockedInOrder(s, "select * from found order by dispatch_id", "d.dispatch_id", "d.dispatch_id = o.dispatch_id", "for update skip locked")}) ` +
      `delete from ${s}.dispatches d where d.${anyOf("locked")}`,
    openQueues: `insert into ${s}.queues (scope, queue, version) select $1, q, 1 from unnest($2::text[]) q order by q on conflict do nothing`,
    queuesNamed: `select ${queueNames} from ${s}.queues where scope = $1 and queue = any($2::text[]) order by queue`,
    queuesOf: `select ${queueNames} from ${s}.queues where scope = $1 order by queue`,
    reserveQueue: `insert into ${s}.queues (scope, queue, version) values ($1, $2, 0) on conflict do nothing`,
    writeQueue:
      `update ${s}.queues set concurrency = $3, rate_limit = $4, rate_per_ms = $5, rate_burst = $6, tat_us = $7, aging_ms = $8, paused = $9, ` +
      "version = $10 where scope = $1 and queue = $2",
    depth: depthText(s),
    late:
      `with ${clockCte}, target as materialized (select r.run_id from ${s}.runs r where r.run_id = $2 and r.status not in ${settledStatuses} ` +
      "and r.origin = 'engine' for key share), " +
      `put as (insert into ${s}.inbox (run_id, kind, name, id, payload, accepted_at, taken, consumed, wakes, dedup_key) ` +
      "select t.run_id, 'result', $3, $4, $5, clock.now, false, false, true, $6 from target t cross join clock on conflict do nothing) " +
      "select run_id from target",
  };
}

/** `limited`: inside a transaction that holds the queue's row, so that what is counted here cannot grow meanwhile. */
function claimText(s: string, limited: boolean): string {
  const free = "d.worker is null and not d.held";
  // The same of a row that is looked at by its primary key: said without `worker`, so that no planner goes along the index of ready rows instead.
  const stillFree = "d.token is null and not d.held";
  const running = `(select r.status from ${s}.runs r where r.run_id = d.run_id) = 'RUNNING'`;
  const room = limited
    ? `least($9::bigint, $12::bigint - (select count(*) from ${s}.dispatches d where d.scope = $3 and d.queue = $4 and d.claimed_at is not null))`
    : "$9::bigint";
  const spent = limited
    ? `spent as (update ${s}.queues set tat_us = $13::bigint + $14::bigint * (select count(*) from taken) ` +
      "where scope = $3 and queue = $4 and $14::bigint is not null and exists (select 1 from taken)), "
    : "";
  return (
    `with ${clockCte}, me as materialized (select 1 from ${s}.engines where engine_id = $2 and not dead), ` +
    // Held until the claim is committed: who pauses the queue or changes its limits waits for it, and then no claim is under way.
    `q as materialized (select version, paused, concurrency is not null or rate_limit is not null as limited ` +
    `from ${s}.queues where scope = $3 and queue = $4 for share), ` +
    `room as materialized (select greatest(${room}, 0) as n from me cross join q where q.version = $5 and q.paused is null${limited ? "" : " and not q.limited"}), ` +
    "best as materialized (select d.dispatch_id, d.rank_at, d.run_id from room cross join clock cross join unnest($6::text[]) as t (task) " +
    `cross join lateral (select d.dispatch_id, d.rank_at, d.run_id from ${s}.dispatches d where d.scope = $3 and d.queue = $4 and d.task = t.task ` +
    `and ${free} and d.rank_at >= $7 and (d.expires_at is null or d.expires_at > clock.now) order by d.rank_at, d.dispatch_id limit $8) d ` +
    "where room.n > 0 order by d.rank_at, d.dispatch_id limit $8), " +
    `picked as materialized (select d.dispatch_id, d.rank_at from best b cross join lateral (select d.dispatch_id, d.rank_at from ${s}.dispatches d ` +
    `where d.dispatch_id = b.dispatch_id and ${stillFree} and ${running} for update skip locked) d limit (select n from room)), ` +
    "ids as materialized (select coalesce(array_agg(p.dispatch_id order by p.rank_at, p.dispatch_id), '{}') as taken from picked p), " +
    `taken as (update ${s}.dispatches d set worker = $2, token = ($10::text[])[array_position((select taken from ids), d.dispatch_id)], ` +
    "claimed_at = (select now from clock), deadline_at = (select now from clock) + $11::bigint + d.timeout_ms " +
    `where d.dispatch_id = any((select taken from ids)::bigint[]) returning ${prefixed(dispatchNames, "d")}), ${spent}` +
    // Rows that were free when this was asked, and that somebody else had by then: worth another look.
    "missed as materialized (select count(*) as n from best d where (select count(*) from picked) < (select n from room) " +
    `and not exists (select 1 from picked p where p.dispatch_id = d.dispatch_id) and ${running}) ` +
    "select clock.now as now_ms, exists (select 1 from me) as alive, q.version, q.paused as queue_paused, q.limited, (select n from missed) as missed, (select count(*) from best) as looked, " +
    `${prefixed(dispatchNames, "t")} from clock left join q on true left join taken t on true order by t.rank_at, t.dispatch_id`
  );
}

/** Workers are found by stepping from one distinct value to the next, never by going through what they hold. */
function lapseText(s: string): string {
  const next = (after: string): string => `select d.worker from ${s}.dispatches d where ${after} order by d.worker limit 1`;
  const now = "(select now from clock)";
  return (
    `with recursive ${clockCte}, live as materialized (select engine_id from ${s}.engines where not dead), ` +
    `stepping (worker) as ((${next("d.worker is not null")}) union all select (${next("d.worker > p.worker")}) from stepping p where p.worker is not null), ` +
    "stray as materialized (select p.worker from stepping p where p.worker is not null and p.worker not in (select engine_id from live)), " +
    "over as materialized (select x.dispatch_id, 1 as why, x.worker from stray o cross join lateral " +
    `(select d.dispatch_id, d.worker from ${s}.dispatches d where d.worker = o.worker order by d.dispatch_id limit $2) x ` +
    `union all (select d.dispatch_id, 2, null from ${s}.dispatches d where d.deadline_at <= ${now} order by d.deadline_at limit $2) ` +
    `union all (select d.dispatch_id, 3, null from ${s}.dispatches d where d.expires_at <= ${now} and d.worker is null order by d.expires_at limit $2)), ` +
    "chosen as materialized (select dispatch_id, min(why) as why, min(worker) as worker from over group by dispatch_id order by dispatch_id limit $2), " +
    `ended as materialized (${lockedInOrder(
      s,
      "select * from chosen",
      `d.dispatch_id, (array['{"kind":"lapsed","because":"dead"}', '{"kind":"lapsed","because":"deadline"}', '{"kind":"expired"}'])[o.why] as ending`,
      `d.dispatch_id = o.dispatch_id and case o.why when 1 then d.worker = o.worker when 2 then d.deadline_at <= ${now} ` +
        `else d.worker is null and d.expires_at <= ${now} end`,
      "for update skip locked",
    )}), ` +
    `gone as (delete from ${s}.dispatches d where d.${anyOf("ended")} returning d.*), ` +
    `put as (${putEnds(s, "(select g.*, e.ending, g.dispatch_id as place from gone g join ended e on e.dispatch_id = g.dispatch_id)", now)}) ` +
    whatWent("")
  );
}

/** However deep the queue: so many entries of each index, and no more. */
function depthText(s: string): string {
  const some = (where: string): string => `(select 1 from ${s}.dispatches d where d.scope = $1 and d.queue = $2 and ${where} limit $3) x`;
  return (
    `with ready as materialized (select d.task, d.enqueued_at from ${s}.dispatches d where d.scope = $1 and d.queue = $2 ` +
    "and d.worker is null and not d.held limit $3) " +
    "select r.task, count(*) as n, min(r.enqueued_at) as oldest_at, null::bigint as claimed, null::bigint as held from ready r group by r.task " +
    `union all select null, null, null, (select count(*) from ${some("d.claimed_at is not null")}), (select count(*) from ${some("d.worker is null and d.held")})`
  );
}
