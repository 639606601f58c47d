// Queues as SQL, each verb in one write transaction. What finds nothing to do is looked for without the write lock first, so that idle workers
// disturb nobody; the claim looks again inside its transaction, under the file's one write lock: rows are never shared and limits never passed.
import type { Platform } from "../../platform/platform.ts";
import { storeCrashPoints } from "../batch-rules.ts";
import type { Hints } from "../hints.ts";
import { scopeKey } from "../keys.ts";
import type { DispatchEnd, DispatchQuery, DispatchRow, QueueClaim, QueueClaimAnswer, QueueTable, StoredQueue } from "../port.ts";
import { changedQueue, claimDeadline, claimRoom, heldName, nextPermitAt, tatAfter, unclaimed } from "../queue-rules.ts";
import { type LockedQueue, queueTable } from "../queue-verbs.ts";
import { dispatchColumnNames, queueColumns, toDepth } from "../sql/queue-rows.ts";
import { isLive } from "./claim.ts";
import { endDispatch } from "./dispatches.ts";
import type { KvDeps } from "./kv.ts";
import { reader, type Statements, toDispatch, toQueue } from "./rows.ts";
import type { Bind, Connection, Row } from "./wire/driver.ts";
import { prepared } from "./wire/prepared.ts";

interface QueueDeps extends KvDeps {
  readonly db: Connection;
  readonly platform: Platform;
  readonly hints: Hints;
}

export function sqliteQueues({ db, writer, now, open, platform, hints }: QueueDeps): QueueTable {
  const claimPoints = storeCrashPoints(platform, "worker:claim", "worker:claimed");
  const finishPoints = storeCrashPoints(platform, "worker:result", "worker:reported");
  return queueTable({
    open,
    tell: (told) => hints.emit(told),
    queues: (scope, names) =>
      writer.read((st) => {
        const all = st.queues.all(scopeKey(scope)).map(toQueue);
        return names === undefined ? all : all.filter((q) => names.includes(q.queue));
      }),
    makeQueues: (scope, names) =>
      writer.write((st) => {
        for (const name of names)
          if (st.queue.get(scopeKey(scope), name) === undefined)
            putQueue(st, scopeKey(scope), { queue: changedQueue(name, undefined, {}, now()), tatUs: 0 });
      }),
    changeQueue: (scope, queue, _make, decide) =>
      writer.write((st) => {
        const row = st.queue.get(scopeKey(scope), queue);
        const decided = decide(row === undefined ? undefined : toLocked(row), now());
        if (decided === "moved") return decided;
        putQueue(st, scopeKey(scope), decided);
        return decided.queue;
      }),
    async claim(q) {
      const looked = await writer.read((st) => findDispatches(st, q, now()));
      if (looked.answer.kind !== "claimed" || looked.found.length === 0) return looked.answer;
      return writer.write((st) => claimDispatches(st, q, now()), claimPoints);
    },
    finish: (ends) =>
      writer.write((st) => {
        const at = now();
        return ends.flatMap(({ dispatchId, token, end }) => {
          const held = st.dispatchOfToken.all(dispatchId, token).map(toDispatch);
          return held.filter((d) => endDispatch(st, d, end, at));
        });
      }, finishPoints),
    postLate: ({ runId, stepId, dispatchId, payload, key }) =>
      writer.write((st) => {
        if (st.notify.run("result", stepId, String(dispatchId), payload, now(), key, runId).changes === 1) return true;
        return st.unsettled.get(runId) !== undefined; // it was posted before
      }),
    beat(worker, held) {
      const body = (st: Statements): Map<string, boolean> => {
        const own = new Map<string, boolean>();
        for (const h of held) {
          const row = st.heldBy.get(h.dispatchId, h.token, worker);
          if (row === undefined) continue;
          if (h.beat !== undefined) st.beatDispatch.run(h.beat, h.dispatchId);
          own.set(heldName(h), row["cancel"] === 1);
        }
        return own;
      };
      return held.some((h) => h.beat !== undefined) ? writer.write(body) : writer.read(body);
    },
    giveBack: (held) =>
      writer.write((st) => {
        const rows = held.flatMap((h) => st.dispatchOfToken.all(h.dispatchId, h.token)).map(toDispatch);
        const [freed, withdrawn] = [rows.filter((d) => !d.cancel), rows.filter((d) => d.cancel)];
        for (const d of freed) st.freeDispatch.run(d.dispatchId);
        const notified = withdrawn.filter((d) => endDispatch(st, { ...d, ...unclaimed }, { kind: "withdrawn" }, now()));
        return { freed, notified: notified.map((d) => d.runId) };
      }),
    async lapse(limit) {
      if (!(await writer.read((st) => findOver(st, now(), 1).length > 0))) return [];
      return writer.write((st) => {
        const at = now();
        return findOver(st, at, limit).map(({ d, end }) => ({ ...d, notified: endDispatch(st, d, end, at) }));
      });
    },
    rows(q) {
      const { text, values } = rowsQuery(q);
      return writer.read(() =>
        prepared(db, text)
          .all(...values)
          .map(toDispatch),
      );
    },
    depth: (scope, queue, upTo) => writer.read((st) => toDepth(st.depth.all(scopeKey(scope), queue, upTo), reader)),
    async sweep(limit) {
      const find = (st: Statements): number[] => st.leftDispatches.all(limit).map((r) => r["dispatch_id"] as number);
      if ((await writer.read(find)).length === 0) return 0;
      return writer.write((st) => {
        const left = find(st);
        for (const id of left) st.removeDispatch.run(id);
        return left.length;
      });
    },
  });
}

function toLocked(row: Row): LockedQueue {
  return { queue: toQueue(row), tatUs: row["tat_us"] as number };
}

function putQueue(st: Statements, scope: string, q: LockedQueue): void {
  const { queue } = q.queue;
  if (st.queue.get(scope, queue) === undefined) st.insertQueue.run(scope, queue);
  st.changeQueue.run(...Object.values(queueColumns(q)), scope, queue);
}

/** What a claim would be answered now, before anything is written, and the rows that it would get. */
function findDispatches(
  st: Statements,
  q: QueueClaim,
  at: number,
): { readonly answer: QueueClaimAnswer; readonly found: readonly DispatchRow[]; readonly queue?: StoredQueue; readonly tatUs?: number } {
  const none = (answer: QueueClaimAnswer): { answer: QueueClaimAnswer; found: [] } => ({ answer, found: [] });
  // K1: only who is known and was not declared dead.
  if (!isLive(st, q.worker)) return none({ kind: "dead" });
  const key = [scopeKey(q.scope), q.queue] as const;
  const row = st.queue.get(...key);
  if (row === undefined || row["version"] !== q.version) return none({ kind: "moved" });
  const { queue, tatUs } = toLocked(row);
  if (queue.paused !== null) return none({ kind: "paused" });
  const { config } = queue;
  const taken = config.concurrency === null ? 0 : (st.countClaimed.get(...key)?.["n"] as number);
  const n = claimRoom(q, config, taken, tatUs, at);
  const answer: QueueClaimAnswer = { kind: "claimed", rows: [], more: false, nextAt: nextPermitAt(config.rate, tatUs, at) };
  if (n === 0) return { answer, found: [], queue, tatUs };
  const from = q.from ?? Number.MIN_SAFE_INTEGER;
  const ready = [...new Set(q.tasks)].flatMap((task) => st.readyDispatches.all(...key, task, from, at, n)).map(toDispatch);
  ready.sort((a, b) => a.rankAt - b.rankAt || a.dispatchId - b.dispatchId);
  return { answer, found: ready.slice(0, n), queue, tatUs };
}

/** Inside a write transaction. */
function claimDispatches(st: Statements, q: QueueClaim, at: number): QueueClaimAnswer {
  const { answer, found, queue, tatUs = 0 } = findDispatches(st, q, at);
  if (answer.kind !== "claimed" || queue === undefined || found.length === 0) return answer;
  const rows = found.flatMap((d, i) =>
    st.claimDispatch.all(q.worker, q.tokens[i] ?? "", at, claimDeadline(d.timeoutMs, at, q.beginWithinMs), d.dispatchId),
  );
  const { rate } = queue.config;
  if (rate === null) return { ...answer, rows: rows.map(toDispatch) };
  const after = tatAfter(rate, tatUs, at, rows.length);
  st.moveTat.run(after, scopeKey(q.scope), q.queue);
  return { ...answer, rows: rows.map(toDispatch), nextAt: nextPermitAt(rate, after, at) };
}

/** Rows that are over, each for its first reason, ascending. */
function findOver(st: Statements, at: number, limit: number): { readonly d: DispatchRow; readonly end: DispatchEnd }[] {
  const over = new Map<number, { d: DispatchRow; end: DispatchEnd }>();
  const add = (rows: ReturnType<Statements["run"]["all"]>, end: DispatchEnd): void => {
    for (const d of rows.map(toDispatch)) if (!over.has(d.dispatchId)) over.set(d.dispatchId, { d, end });
  };
  add(st.deadDispatches.all(limit), { kind: "lapsed", because: "dead" });
  add(st.lateDispatches.all(at, limit), { kind: "lapsed", because: "deadline" });
  add(st.expiredDispatches.all(at, limit), { kind: "expired" });
  return [...over.values()].sort((a, b) => a.d.dispatchId - b.d.dispatchId).slice(0, limit);
}

function rowsQuery(q: DispatchQuery): { readonly text: string; readonly values: readonly Bind[] } {
  const by = { scope: scopeKey(q.scope), run_id: q.runId, queue: q.queue, worker: q.worker };
  const asked = Object.entries(by).filter(([, v]) => v !== undefined) as [string, string][];
  const where = [...asked.map(([column]) => `${column} = ?`), "dispatch_id > ?"].join(" and ");
  return {
    text: `select ${dispatchColumnNames} from pawl_dispatches where ${where} order by dispatch_id limit ?`,
    values: [...asked.map(([, v]) => v), q.after ?? 0, q.limit],
  };
}
