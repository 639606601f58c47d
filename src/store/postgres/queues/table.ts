// Queued steps in Postgres: the verbs of the facet. A claim without limits is one statement; under a limit it is a transaction that holds the
// queue's row, and counts what is claimed in a statement of its own: a count under an older snapshot would let the limit be passed. Slots
// are counted, never stored, so none can leak. It must never hold or change a run's row (K8).
import type { Platform } from "../../../platform/platform.ts";
import { storeCrashPoints } from "../../batch-rules.ts";
import { scopeKey } from "../../keys.ts";
import type { DispatchQuery, HeldDispatch, Hint, QueueTable } from "../../port.ts";
import { heldName } from "../../queue-rules.ts";
import { queueTable } from "../../queue-verbs.ts";
import { dispatchColumnNames, queueColumns, toDepth } from "../../sql/queue-rows.ts";
import type { WithSession } from "../batch.ts";
import type { UseSession } from "../kv.ts";
import { reader, toDispatch, toQueue } from "../rows.ts";
import { numberArray, textArray } from "../wire/array-parameters.ts";
import type { Bind, Row } from "../wire/driver.ts";
import type { BoundSession } from "../wire/session.ts";
import { QueueClaims } from "./claim.ts";
import { readCommitted } from "./read-committed.ts";
import { queueTexts } from "./sql.ts";

export interface QueueDeps {
  readonly schema: string;
  readonly platform: Platform;
  /** Throws once the store is closed. */
  readonly open: () => void;
  readonly lend: WithSession;
  readonly read: UseSession;
  readonly write: UseSession;
  readonly tell: (hints: readonly Hint[]) => void;
}

const idsOf = (held: readonly HeldDispatch[]): Bind => numberArray(held.map((h) => h.dispatchId));
const tokensOf = (held: readonly HeldDispatch[]): Bind => textArray(held.map((h) => h.token));

const toHeld = (x: Row): { dispatchId: number; token: string; runId: string } => ({
  dispatchId: Number(x["dispatch_id"]),
  token: String(x["token"]),
  runId: String(x["run_id"]),
});

export function postgresQueues(deps: QueueDeps): QueueTable {
  const { schema: s, platform, open, read, write, tell } = deps;
  const texts = queueTexts(s);
  const ask = (r: BoundSession, name: keyof typeof texts, ...values: Bind[]): Promise<{ rows: Row[]; changes: number }> =>
    r.query({ name: `pawl_q_${name}`, text: texts[name], values });
  const finishPoints = storeCrashPoints(platform, "worker:result", "worker:reported");
  const claims = new QueueClaims(deps, texts);

  return queueTable({
    open,
    tell,
    async queues(scope, names) {
      const key = scopeKey(scope);
      const { rows } = await read((r) => (names === undefined ? ask(r, "queuesOf", key) : ask(r, "queuesNamed", key, textArray(names))));
      return rows.map(toQueue);
    },
    makeQueues: (scope, names) => write((r) => ask(r, "openQueues", scopeKey(scope), textArray(names))),
    changeQueue(scope, queue, make, decide) {
      const key = [scopeKey(scope), queue];
      return write((r) =>
        readCommitted(r, async () => {
          const lock = async (): Promise<Row | undefined> => (await ask(r, "lockQueue", r.settings.clock(), ...key)).rows[0];
          let row = await lock();
          if (row === undefined && make) {
            // Of version 0 until it is written below, and seen by nobody; or somebody else has just made it.
            await ask(r, "reserveQueue", ...key);
            row = await lock();
          }
          if (row === undefined) return "moved";
          const decided = decide({ queue: toQueue(row), tatUs: Number(row["tat_us"]) }, Number(row["now_ms"]));
          if (decided === "moved") return decided;
          await ask(r, "writeQueue", ...key, ...Object.values(queueColumns(decided)));
          return decided.queue;
        }),
      );
    },
    claim: (q) => claims.claim(q),
    async finish(ends) {
      const reports = textArray(ends.map((e) => JSON.stringify(e.end)));
      const { rows } = await write((r) => {
        finishPoints.before?.();
        return ask(r, "finish", r.settings.clock(), idsOf(ends), tokensOf(ends), reports);
      });
      return rows.filter((x) => x["notified"] === true).map(toHeld);
    },
    async flush() {
      await write((r) => ask(r, "flush"));
      finishPoints.after?.();
    },
    async postLate({ runId, stepId, dispatchId, payload, key }) {
      const { rows } = await write((r) => ask(r, "late", r.settings.clock(), runId, stepId, String(dispatchId), payload, key));
      return rows.length > 0;
    },
    async beat(worker, held) {
      const beats = textArray(held.map((h) => h.beat ?? null));
      const { rows } = await write((r) => ask(r, "beat", worker, idsOf(held), tokensOf(held), beats));
      return new Map(rows.map((x) => [heldName(toHeld(x)), x["cancel"] === true]));
    },
    async giveBack(held) {
      const { rows } = await write((r) => ask(r, "giveBack", r.settings.clock(), idsOf(held), tokensOf(held)));
      const freed = rows.filter((x) => x["run_id"] === null);
      return {
        freed: freed.map((x) => ({ queue: String(x["queue"]), rankAt: Number(x["rank_at"]) })),
        notified: rows.filter((x) => x["notified"] === true).map((x) => String(x["run_id"])),
      };
    },
    async lapse(limit) {
      const { rows } = await write((r) => ask(r, "lapse", r.settings.clock(), limit));
      return rows.map((x) => ({ ...toHeld(x), notified: x["notified"] === true }));
    },
    async rows(q) {
      const { text, values } = rowsStatement(s, q);
      return (await read((r) => r.query({ text, values }))).rows.map(toDispatch);
    },
    depth: async (scope, queue, upTo) => toDepth((await read((r) => ask(r, "depth", scopeKey(scope), queue, upTo))).rows, reader),
    sweep: async (limit) => (await write((r) => ask(r, "sweep", limit))).changes,
  });
}

/**
 * Each way to ask goes along an index of its own, whatever the planner believes of the table: a run's few rows are all read, a worker's and
 * a queue's in order up to the limit.
 */
export function rowsStatement(s: string, q: DispatchQuery): { readonly text: string; readonly values: readonly Bind[] } {
  const values: Bind[] = [];
  const bind = (v: Bind): string => `$${values.push(v)}`;
  const where = [`dispatch_id > ${bind(q.after ?? 0)}`, `scope = ${bind(scopeKey(q.scope))}`];
  if (q.queue !== undefined) where.push(`queue = ${bind(q.queue)}`);
  if (q.worker !== undefined) where.push(`worker = ${bind(q.worker)}`);
  const table = `${s}.dispatches`;
  const from = q.runId === undefined ? table : `(select * from ${table} where run_id = ${bind(q.runId)} offset 0) d`;
  const order = q.runId === undefined && q.worker !== undefined ? "worker, dispatch_id" : "dispatch_id";
  return {
    text: `select ${dispatchColumnNames} from ${from} where ${where.join(" and ")} order by ${order} limit ${bind(q.limit)}`,
    values,
  };
}
