// The SQL texts of queued steps for one prefix. Looking takes no locks; what is to be changed is locked by primary key only, in the order of
// ids: two who come by different indexes would wait for each other in a circle. The claim's index is named, since on a small table the
// planner would rather read all of it.
import type { DispatchRef, QueueClaim } from "../../port.ts";
import { dispatchColumnNames, queueColumnNames, snapshotColumnNames } from "../../sql/queue-rows.ts";
import { keyText, lit, type Literal, tuple } from "../wire/literal.ts";

export const dispatchNames: string = `${dispatchColumnNames}, long_task`;

const newNames =
  "scope, run_id, seq, what, step_id, attempt, engine_attempt, queue, task, long_task, rank_at, held, spec, enqueued_at, expires_at, " +
  "timeout_ms, worker, token, claimed_at";

/** What `state` means: see migrations.ts. */
export const stateColumn = { ready: 0, held: 1, claimed: 2 } as const;

export type QueueSql = ReturnType<typeof queueSqlFor>;

// oxlint-disable-next-line typescript/explicit-module-boundary-types -- one object of texts; its type is read from it.
export function queueSqlFor(p: string, now: () => string) {
  const inQueue = (scope: string, queue: string): string => `scope = ${lit(scope)} and queue = ${lit(queue)}`;
  const counted = (scope: string, queue: string, state: number, upTo: number): string =>
    `(select count(*) from (select 1 from ${p}dispatches force index (ready) where ${inQueue(scope, queue)} and state = ${state} limit ${lit(upTo)}) x)`;
  return {
    // Queues.
    queues: (scope: string, names?: readonly string[]): string =>
      `select ${queueColumnNames} from ${p}queues where scope = ${lit(scope)}${names === undefined ? "" : ` and queue in ${tuple(names)}`} order by queue`,
    openQueues: (scope: string, names: readonly string[]): string =>
      `insert ignore into ${p}queues (scope, queue, version) values ${names
        .toSorted()
        .map((n) => tuple([scope, n, 1]))
        .join(",")}`,
    /** Of version 0 until it is written, and seen by nobody before. */
    reserveQueue: (scope: string, queue: string): string =>
      `insert into ${p}queues (scope, queue, version) values ${tuple([scope, queue, 0])}`,
    /** `share`: by a claim that counts nothing; who changes the queue waits for it. */
    lockQueue: (scope: string, queue: string, how: "share" | "update"): string =>
      `select ${queueColumnNames}, ${now()} as now_ms from ${p}queues where ${inQueue(scope, queue)} ${how === "share" ? "lock in share mode" : "for update"}`,
    queue: (scope: string, queue: string, worker: string): string =>
      `select ${now()} as now_ms, exists (select 1 from ${p}engines where engine_id = ${lit(worker)} and dead = 0) as alive, q.* ` +
      `from (select 1 as one) o left join (select ${queueColumnNames} from ${p}queues where ${inQueue(scope, queue)}) q on true`,
    alive: (worker: string): string => `select 1 as found from ${p}engines where engine_id = ${lit(worker)} and dead = 0`,
    writeQueue: (scope: string, queue: string, row: Readonly<Record<string, Literal>>): string =>
      `update ${p}queues set ${Object.entries(row)
        .map(([c, v]) => `${c} = ${lit(v)}`)
        .join(", ")} where ${inQueue(scope, queue)}`,

    // Claims.
    ready: (scope: string, q: QueueClaim, task: string, window: number): string =>
      `(select dispatch_id, rank_at from ${p}dispatches force index (ready) where ${inQueue(scope, q.queue)} and state = ${stateColumn.ready} ` +
      `and task = ${lit(keyText(task))}${q.from === null ? "" : ` and rank_at >= ${lit(q.from)}`} ` +
      `and (expires_at is null or expires_at > ${now()}) order by rank_at, dispatch_id limit ${window})`,
    claimedCount: (scope: string, queue: string): string =>
      `select count(*) as n from ${p}dispatches force index (ready) where ${inQueue(scope, queue)} and state = ${stateColumn.claimed}`,
    take: (worker: string, at: number, beginWithinMs: number, rows: readonly { readonly id: number; readonly token: string }[]): string =>
      `update ${p}dispatches force index (primary) set worker = ${lit(worker)}, claimed_at = ${lit(at)}, ` +
      `deadline_at = ${lit(at + beginWithinMs)} + timeout_ms, ` +
      `token = case dispatch_id ${rows.map((r) => `when ${r.id} then ${lit(r.token)}`).join(" ")} else token end ` +
      `where dispatch_id in ${tuple(rows.map((r) => r.id))}`,
    running: (runIds: readonly string[]): string => `select run_id from ${p}runs where run_id in ${tuple(runIds)} and status = 'RUNNING'`,

    // Rows that are changed or end. `wait`: for those that somebody else holds.
    lock: (ids: readonly number[], wait: boolean): string =>
      `select ${dispatchNames}, ${now()} as now_ms from ${p}dispatches force index (primary) where dispatch_id in ${tuple(ids)} ` +
      `order by dispatch_id for update${wait ? "" : " skip locked"}`,
    /** In a compound statement: what `look` finds, one after the other. */
    removeFound: (look: string): string => `for d in (${look}) do delete from ${p}dispatches where dispatch_id = d.dispatch_id; end for`,
    remove: (ids: readonly number[]): string => `delete from ${p}dispatches where dispatch_id in ${tuple(ids)}`,
    free: (ids: readonly number[]): string =>
      `update ${p}dispatches force index (primary) set worker = null, token = null, claimed_at = null, deadline_at = null ` +
      `where dispatch_id in ${tuple(ids)}`,
    set: (ids: readonly number[], what: "cancel = 1" | "held = 1" | "held = 0"): string =>
      `update ${p}dispatches force index (primary) set ${what} where dispatch_id in ${tuple(ids)}`,
    beat: (rows: readonly { readonly id: number; readonly beat: string }[]): string =>
      `update ${p}dispatches force index (primary) set beat = case dispatch_id ` +
      `${rows.map((r) => `when ${r.id} then ${lit(r.beat)}`).join(" ")} else beat end where dispatch_id in ${tuple(rows.map((r) => r.id))}`,
    held: (worker: string, ids: readonly number[]): string =>
      `select dispatch_id, token, cancel from ${p}dispatches where dispatch_id in ${tuple(ids)} and worker = ${lit(worker)}`,
    /** Of these runs, those that take messages. */
    open: (runIds: readonly string[]): string =>
      `select run_id from ${p}runs where run_id in ${tuple(runIds)} and status in ('PENDING', 'RUNNING', 'PAUSED') and origin = 'engine'`,

    // What a Commit looks for: all dispatches of some runs, and some of others.
    ofRun: (runId: string): string =>
      `select dispatch_id from ${p}dispatches force index (of_run) where run_id = ${lit(runId)} order by dispatch_id`,
    ofCommits: (runIds: readonly string[], refs: readonly (DispatchRef & { readonly runId: string })[]): string => {
      const places = refs.map((r) => `(run_id = ${lit(r.runId)} and seq = ${lit(r.seq)} and what = ${lit(r.what)})`);
      const where = [...(runIds.length === 0 ? [] : [`run_id in ${tuple(runIds)}`]), ...places].join(" or ");
      return `select dispatch_id from ${p}dispatches force index (of_run) where ${where} order by dispatch_id`;
    },
    runScope: (runId: string): Literal => ({ sql: `(select r.scope from ${p}runs r where r.run_id = ${lit(runId)})` }),
    insertDispatches: `insert into ${p}dispatches (${newNames}) values `,
    putSnapshots: {
      before: `insert into ${p}snapshots (${snapshotColumnNames}) values `,
      after: " on duplicate key update digest = values(digest), body = values(body)",
    },
    dropSnapshots: (runId: string, before: number): string =>
      `delete from ${p}snapshots where run_id = ${lit(runId)} and at_seq < ${lit(before)}`,

    // Rows that are over. Workers are found by stepping from one to the next in their index, never by going through what they hold.
    workers: `select worker from ${p}dispatches force index (of_worker) where worker > '' group by worker`,
    live: `select engine_id from ${p}engines where dead = 0`,
    heldBy: (worker: string, limit: number): string =>
      `select dispatch_id from ${p}dispatches force index (of_worker) where worker = ${lit(worker)} order by dispatch_id limit ${lit(limit)}`,
    pastDeadline: (limit: number): string =>
      `select dispatch_id from ${p}dispatches force index (deadline) where deadline_at <= ${now()} order by deadline_at limit ${lit(limit)}`,
    pastTime: (state: number, limit: number): string =>
      `select dispatch_id from ${p}dispatches force index (expires) where state = ${state} and expires_at <= ${now()} order by expires_at limit ${lit(limit)}`,
    leftBehind: (limit: number): string =>
      `select d.dispatch_id from ${p}dispatches d left join ${p}runs r on r.run_id = d.run_id ` +
      `where r.status is null or r.status not in ('PENDING', 'RUNNING', 'PAUSED') order by d.dispatch_id limit ${lit(limit)}`,

    // Reading.
    rows: (where: readonly string[], index: string, limit: number): string =>
      `select ${dispatchNames} from ${p}dispatches force index (${index}) where ${where.join(" and ")} order by dispatch_id limit ${lit(limit)}`,
    depth: (scope: string, queue: string, upTo: number): string =>
      `select ifnull(long_task, task) as task, count(*) as n, min(enqueued_at) as oldest_at, null as claimed, null as held from ` +
      `(select task, long_task, enqueued_at from ${p}dispatches force index (ready) where ${inQueue(scope, queue)} and state = ${stateColumn.ready} limit ${lit(upTo)}) r ` +
      `group by task, long_task union all select null, null, null, ${counted(scope, queue, stateColumn.claimed, upTo)}, ${counted(scope, queue, stateColumn.held, upTo)}`,
  };
}
