// The SQL texts of queues, dispatches and snapshots, by verb. A row is looked for by the index that its state is in: ready, claimed, past its
// deadline, past its time. None of them reads through the rows of other tasks or of workers that live.
import { dispatchColumnNames, queueColumnNames, snapshotColumnNames } from "../sql/queue-rows.ts";

export type QueueSqlName =
  | "insertDispatch"
  | "dispatchOfPlace"
  | "dispatchOfToken"
  | "removeDispatch"
  | "dropDispatches"
  | "flagDispatch"
  | "holdDispatches"
  | "readyDispatches"
  | "countClaimed"
  | "claimDispatch"
  | "freeDispatch"
  | "beatDispatch"
  | "heldBy"
  | "deadDispatches"
  | "lateDispatches"
  | "expiredDispatches"
  | "depth"
  | "leftDispatches"
  | "insertQueue"
  | "queue"
  | "queues"
  | "changeQueue"
  | "moveTat"
  | "putSnapshot"
  | "dropSnapshots";

const settled = "('COMPLETED', 'FAILED', 'CANCELLED')";
const names = dispatchColumnNames;
const ready = "worker is null and held = 0";
const counted = (index: string, where: string): string =>
  `(select count(*) from (select 1 from pawl_dispatches indexed by pawl_dispatches_${index} where scope = ?1 and queue = ?2 and ${where} limit ?3))`;

export const queueSql: Readonly<Record<QueueSqlName, string>> = {
  // In a Commit, after the run's row: the scope is the run's.
  insertDispatch:
    "insert into pawl_dispatches (scope, run_id, seq, what, step_id, attempt, engine_attempt, queue, task, rank_at, held, spec, enqueued_at, " +
    "expires_at, timeout_ms, worker, token, claimed_at, cancel) select scope, run_id, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, " +
    "?15, ?16, ?17, 0 from pawl_runs where run_id = ?1",
  dispatchOfPlace: `select ${names} from pawl_dispatches where run_id = ? and seq = ? and what = ?`,
  dispatchOfToken: `select ${names} from pawl_dispatches where dispatch_id = ? and token = ?`,
  removeDispatch: "delete from pawl_dispatches where dispatch_id = ?",
  dropDispatches: "delete from pawl_dispatches where run_id = ?",
  flagDispatch: "update pawl_dispatches set cancel = 1 where dispatch_id = ?",
  holdDispatches: "update pawl_dispatches set held = ? where run_id = ?",

  // Claim. Each task by itself, so that tasks which nobody asked for are not even looked at.
  readyDispatches:
    `select ${names} from pawl_dispatches d indexed by pawl_dispatches_ready where scope = ?1 and queue = ?2 and task = ?3 and ${ready} ` +
    "and rank_at >= ?4 and (expires_at is null or expires_at > ?5) " +
    "and exists (select 1 from pawl_runs r where r.run_id = d.run_id and r.status = 'RUNNING') order by rank_at, dispatch_id limit ?6",
  countClaimed:
    "select count(*) as n from pawl_dispatches indexed by pawl_dispatches_claimed where scope = ? and queue = ? and worker is not null",
  claimDispatch: `update pawl_dispatches set worker = ?, token = ?, claimed_at = ?, deadline_at = ? where dispatch_id = ? and ${ready} returning ${names}`,
  freeDispatch: "update pawl_dispatches set worker = null, token = null, claimed_at = null, deadline_at = null where dispatch_id = ?",
  beatDispatch: "update pawl_dispatches set beat = ? where dispatch_id = ?",
  heldBy: "select cancel from pawl_dispatches where dispatch_id = ? and token = ? and worker = ?",

  // Lapse. Workers are found by stepping from one distinct value to the next: those that live cost one look each, however much they hold.
  deadDispatches:
    "with recursive w (worker) as (select min(worker) from pawl_dispatches where worker is not null union all " +
    "select (select min(d.worker) from pawl_dispatches d where d.worker > w.worker) from w where w.worker is not null) " +
    `select ${names.replaceAll(/\w+/g, "d.$&")} from w left join pawl_engines e on e.engine_id = w.worker ` +
    "cross join pawl_dispatches d on d.worker = w.worker where w.worker is not null and (e.engine_id is null or e.dead) limit ?",
  lateDispatches: `select ${names} from pawl_dispatches where deadline_at <= ? order by deadline_at, dispatch_id limit ?`,
  expiredDispatches: `select ${names} from pawl_dispatches where expires_at <= ? and worker is null order by expires_at, dispatch_id limit ?`,

  depth:
    "select task, count(*) as n, min(enqueued_at) as oldest_at, null as claimed, null as held from " +
    `(select task, enqueued_at from pawl_dispatches indexed by pawl_dispatches_ready where scope = ?1 and queue = ?2 and ${ready} limit ?3) ` +
    `group by task union all select null, null, null, ${counted("claimed", "worker is not null")}, ${counted("held", "worker is null and held = 1")}`,
  leftDispatches:
    "select d.dispatch_id from pawl_dispatches d left join pawl_runs r on r.run_id = d.run_id " +
    `where r.run_id is null or r.status in ${settled} order by d.dispatch_id limit ?`,

  // Queues.
  insertQueue: "insert or ignore into pawl_queues (scope, queue, version) values (?, ?, 0)",
  queue: `select ${queueColumnNames} from pawl_queues where scope = ? and queue = ?`,
  queues: `select ${queueColumnNames} from pawl_queues where scope = ? order by queue`,
  changeQueue:
    "update pawl_queues set concurrency = ?, rate_limit = ?, rate_per_ms = ?, rate_burst = ?, tat_us = ?, aging_ms = ?, paused = ?, version = ? " +
    "where scope = ? and queue = ?",
  moveTat: "update pawl_queues set tat_us = ? where scope = ? and queue = ?",

  // Snapshots.
  putSnapshot:
    `insert into pawl_snapshots (${snapshotColumnNames}) values (?, ?, ?, ?) ` +
    "on conflict (run_id, at_seq) do update set digest = excluded.digest, body = excluded.body",
  dropSnapshots: "delete from pawl_snapshots where run_id = ? and at_seq < ?",
};
