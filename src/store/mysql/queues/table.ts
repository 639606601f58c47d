// Queued steps in MySQL and MariaDB: the verbs of the facet. What is to be ended is looked for without locks, locked by primary key in the
// order of ids, and looked at again under the lock. Slots are counted, never stored, so none can leak. It must never hold or change a run's
// row (K8), except that a late report holds it shared, as a message does.
import { isSettled } from "../../../core/model.ts";
import { type CrashPoints, storeCrashPoints } from "../../batch-rules.ts";
import type { DispatchEnd, DispatchQuery, DispatchRow, HeldDispatch, Hint, QueueClaimAnswer, QueueTable } from "../../port.ts";
import { heldName, unclaimed } from "../../queue-rules.ts";
import { queueTable } from "../../queue-verbs.ts";
import { queueColumns, toDepth } from "../../sql/queue-rows.ts";
import { retryOnConflict, type WriteDeps } from "../batch.ts";
import { isDriverError, isDuplicate, isLockWait, isRetryable, storeError } from "../errors.ts";
import type { ReadDeps } from "../kv.ts";
import { int, reader, text, toDispatch, toQueue, toRun } from "../rows.ts";
import { dedupHash, inboxValues, LostRace } from "../statements.ts";
import type { Connection, Row } from "../wire/driver.ts";
import { lit, tuple } from "../wire/literal.ts";
import { transaction } from "../wire/pool.ts";
import { findReady, scopeText, takeReady } from "./claim.ts";
import { endDispatches, lockDispatches } from "./ends.ts";
import { stateColumn } from "./sql.ts";

export interface QueueDeps extends ReadDeps {
  readonly w: WriteDeps;
  readonly tell: (hints: readonly Hint[]) => void;
}

const idsOf = (held: readonly HeldDispatch[]): number[] => [...new Set(held.map((h) => h.dispatchId))];

export function mysqlQueues({ w, read, open, tell }: QueueDeps): QueueTable {
  const { platform, sql } = w;
  const claimPoints = storeCrashPoints(platform, "worker:claim", "worker:claimed");
  const finishPoints = storeCrashPoints(platform, "worker:result", "worker:reported");
  const write = <T>(body: (db: Connection) => Promise<T>, marks?: CrashPoints): Promise<T> =>
    retryOnConflict(platform, () => w.writers.with((db) => transaction(db, () => body(db), marks)));
  const nowOf = async (db: Connection): Promise<number> => int((await db.query(sql.now())).rows[0] ?? {}, "now_ms");
  /** Those of them that are still held under their tokens, by `heldName`, locked. */
  const lockHeld = async (db: Connection, held: readonly HeldDispatch[]): Promise<Map<string, DispatchRow>> =>
    new Map((await lockDispatches(db, sql, idsOf(held), true)).map((d) => [heldName(d), d]));

  return queueTable({
    open,
    tell,
    queues: async (scope, names) => (await read((db) => db.query(sql.queue.queues(scopeText({ scope }), names)))).rows.map(toQueue),
    makeQueues: (scope, names) => write((db) => db.query(sql.queue.openQueues(scopeText({ scope }), names))),
    changeQueue(scope, queue, make, decide) {
      const at = scopeText({ scope });
      return write(async (db) => {
        const lock = async (): Promise<Row | undefined> => (await db.query(sql.queue.lockQueue(at, queue, "update"))).rows[0];
        let row = await lock();
        if (row === undefined && make) {
          await db.query(sql.queue.reserveQueue(at, queue)).catch((e: unknown) => {
            throw isDuplicate(e) ? new LostRace() : e;
          });
          row = await lock();
        }
        if (row === undefined) return "moved";
        const decided = decide({ queue: toQueue(row), tatUs: int(row, "tat_us") }, int(row, "now_ms"));
        if (decided === "moved") return decided;
        await db.query(sql.queue.writeQueue(at, queue, queueColumns(decided)));
        return decided.queue;
      });
    },
    async claim(q) {
      const found = await read((db) => findReady(db, sql, q));
      if (found.kind !== "found") return found;
      const marks = claimPoints.before === undefined ? {} : { before: claimPoints.before };
      const answer = await w.writers
        .with((db) => transaction(db, () => takeReady(db, sql, q, found), marks))
        .catch((e: unknown): QueueClaimAnswer => {
          // The queue's row could not be had in time, or somebody had to give way: nothing was claimed.
          if (isLockWait(e) || isRetryable(e)) return { kind: "busy" };
          throw isDriverError(e) ? storeError(e, "statement") : e;
        });
      if (answer.kind === "claimed" && answer.rows.length > 0) claimPoints.after?.();
      return answer;
    },
    finish: (ends) =>
      write(async (db) => {
        const locked = await lockHeld(db, ends);
        const ended = ends.flatMap((e) => {
          const row = locked.get(heldName(e));
          return row === undefined ? [] : { row, end: e.end };
        });
        return endDispatches(db, w, ended, await nowOf(db));
      }, finishPoints),
    postLate: ({ runId, stepId, dispatchId, payload, key }) =>
      write(async (db) => {
        const [row] = (await db.query(sql.targetById(runId))).rows;
        const run = row === undefined ? undefined : toRun(row);
        if (row === undefined || run === undefined || isSettled(run.status) || run.origin !== "engine") return false;
        const message = { runId, kind: "result", name: stepId, id: String(dispatchId), payload } as const;
        // Posted before: once per dispatch is enough.
        await db.query(`${sql.insertInbox}${tuple(inboxValues(message, int(row, "now_ms"), dedupHash(key)))}`).catch((e: unknown) => {
          if (!isDuplicate(e)) throw e;
        });
        return true;
      }),
    beat: (worker, held) =>
      write(async (db) => {
        const beats = held.flatMap((h) => (h.beat === undefined ? [] : { ...h, id: h.dispatchId, beat: h.beat }));
        const locked = await lockHeld(db, beats);
        const own = beats.filter((h) => locked.get(heldName(h))?.worker === worker);
        if (own.length > 0) await db.query(sql.queue.beat(own));
        const { rows } = await db.query(sql.queue.held(worker, idsOf(held)));
        return new Map(rows.map((r) => [`${int(r, "dispatch_id")} ${text(r, "token")}`, int(r, "cancel") === 1]));
      }),
    giveBack: (held) =>
      write(async (db) => {
        const locked = await lockHeld(db, held);
        const own = held.flatMap((h) => locked.get(heldName(h)) ?? []);
        const freed = own.filter((d) => !d.cancel);
        if (freed.length > 0) await db.query(sql.queue.free(freed.map((d) => d.dispatchId)));
        // As a claim that never was: nothing had begun.
        const withdrawn = own.filter((d) => d.cancel).map((d) => ({ row: { ...d, ...unclaimed }, end: { kind: "withdrawn" } as const }));
        const notified = await endDispatches(db, w, withdrawn, await nowOf(db));
        return { freed, notified: notified.map((d) => d.runId) };
      }),
    async lapse(limit) {
      const over = await read((db) => findOver(db, w, limit));
      if (over.size === 0) return [];
      return write(async (db) => {
        const at = await nowOf(db);
        const rows = await lockDispatches(db, sql, [...over.keys()], false);
        const ended = rows.flatMap((row) => {
          const end = endOf(row, over.get(row.dispatchId) ?? null, at);
          return end === undefined ? [] : { row, end };
        });
        const notified = await endDispatches(db, w, ended, at);
        return ended.map(({ row }) => ({ ...row, notified: notified.includes(row) }));
      });
    },
    rows: async (q) => (await read((db) => db.query(rowsText(w, q)))).rows.map((r) => toDispatch(r, q.scope)),
    depth: async (scope, queue, upTo) =>
      toDepth((await read((db) => db.query(sql.queue.depth(scopeText({ scope }), queue, upTo)))).rows, reader),
    async sweep(limit) {
      const ids = (await read((db) => db.query(sql.queue.leftBehind(limit)))).rows.map((r) => int(r, "dispatch_id"));
      if (ids.length === 0) return 0;
      return write(async (db) => {
        const rows = await lockDispatches(db, sql, ids, false);
        if (rows.length > 0) await db.query(sql.queue.remove(rows.map((d) => d.dispatchId)));
        return rows.length;
      });
    },
  });
}

/** Without locks: rows that may be over, in the order of their ids, each with its worker if that one is not alive. */
async function findOver(db: Connection, { sql }: WriteDeps, limit: number): Promise<Map<number, string | null>> {
  const live = new Set((await db.query(sql.queue.live)).rows.map((r) => text(r, "engine_id")));
  const strays = (await db.query(sql.queue.workers)).rows.map((r) => text(r, "worker")).filter((id) => !live.has(id));
  const found = new Map<number, string | null>();
  const look = async (asked: string, worker: string | null): Promise<void> => {
    for (const r of (await db.query(asked)).rows) if (!found.has(int(r, "dispatch_id"))) found.set(int(r, "dispatch_id"), worker);
  };
  for (const worker of strays) await look(sql.queue.heldBy(worker, limit), worker);
  await look(sql.queue.pastDeadline(limit), null);
  await look(sql.queue.pastTime(stateColumn.ready, limit), null);
  await look(sql.queue.pastTime(stateColumn.held, limit), null);
  return new Map([...found].sort(([a], [b]) => a - b).slice(0, limit));
}

/** Why the row, as it is under the lock, is over; undefined: it is not any more. */
function endOf(d: DispatchRow, deadWorker: string | null, at: number): DispatchEnd | undefined {
  if (deadWorker !== null && d.worker === deadWorker) return { kind: "lapsed", because: "dead" };
  if (d.deadlineAt !== null && d.deadlineAt <= at) return { kind: "lapsed", because: "deadline" };
  return d.worker === null && d.expiresAt !== null && d.expiresAt <= at ? { kind: "expired" } : undefined;
}

/** Each way to ask goes along an index of its own. */
export function rowsText({ sql }: Pick<WriteDeps, "sql">, q: DispatchQuery): string {
  const where = [`dispatch_id > ${lit(q.after ?? 0)}`, `scope = ${lit(scopeText(q))}`];
  if (q.runId !== undefined) where.push(`run_id = ${lit(q.runId)}`);
  if (q.worker !== undefined) where.push(`worker = ${lit(q.worker)}`);
  if (q.queue !== undefined) where.push(`queue = ${lit(q.queue)}`);
  return sql.queue.rows(where, q.runId !== undefined ? "of_run" : q.worker !== undefined ? "of_worker" : "primary", q.limit);
}
