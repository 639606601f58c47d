// How dispatches end, inside a transaction: their rows are locked by primary key, taken away, and one row comes into each run's inbox, unless
// the run has settled. It looks at a run's row, and neither holds nor changes it (K8).
import type { DispatchEnd, DispatchRow } from "../../port.ts";
import { dispatchEnded } from "../../queue-rules.ts";
import { text, toDispatch } from "../rows.ts";
import type { Sql } from "../sql.ts";
import { inboxValues, splitBySize, type StatementLimits } from "../statements.ts";
import type { Queryable } from "../wire/driver.ts";
import { tuple } from "../wire/literal.ts";

/** Those of them that are there, in the order of their ids; their scope may be a hash. `wait`: for rows that somebody else holds. */
export async function lockDispatches(db: Queryable, sql: Sql, ids: readonly number[], wait: boolean): Promise<DispatchRow[]> {
  if (ids.length === 0) return [];
  return (await db.query(sql.queue.lock(ids, wait))).rows.map((r) => toDispatch(r));
}

/** Of rows that this transaction holds. Returns those whose runs were notified. */
export async function endDispatches(
  db: Queryable,
  s: StatementLimits,
  ended: readonly { readonly row: DispatchRow; readonly end: DispatchEnd }[],
  at: number,
): Promise<DispatchRow[]> {
  if (ended.length === 0) return [];
  await db.query(s.sql.queue.remove(ended.map((x) => x.row.dispatchId)));
  const runIds = [...new Set(ended.map((x) => x.row.runId))];
  const open = new Set((await db.query(s.sql.queue.open(runIds))).rows.map((r) => text(r, "run_id")));
  const notified = ended.filter((x) => open.has(x.row.runId));
  const values = notified.map(({ row, end }) => {
    const payload = JSON.stringify(dispatchEnded(row, end));
    return tuple(inboxValues({ runId: row.runId, kind: "result", name: row.stepId, id: String(row.dispatchId), payload }, at, null));
  });
  for (const statement of splitBySize(s, s.sql.insertInbox, values, "")) await db.query(statement);
  return notified.map((x) => x.row);
}
