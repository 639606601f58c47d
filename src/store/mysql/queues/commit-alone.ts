// What a Commit writes that may have to wait for others: rows beside the log under a condition, rows of dispatches that are held, withdrawn
// or dropped. Inside the Commit's transaction, after its run's row: first the rows beside the log, in the order of their keys, then the
// dispatches by primary key in the order of their ids, then what they leave in the inbox. One condition that does not hold takes the whole
// Commit back.
import { isSettled } from "../../../core/model.ts";
import type { Commit, CommitAnswer, DispatchRef, DispatchRow } from "../../port.ts";
import { goesAlone, UnmetPuts } from "../../batch-rules.ts";
import { putKvRows } from "../kv-rows.ts";
import { int } from "../rows.ts";
import { dispatchValues, sendStatements, splitBySize, type Statement, type StatementLimits } from "../statements.ts";
import type { Queryable } from "../wire/driver.ts";
import { tuple } from "../wire/literal.ts";
import { endDispatches, lockDispatches } from "./ends.ts";

/** What a batch decided; for one Commit that goes alone, with the rest of what it writes, before it speaks to other runs. */
export async function sendDecided(
  db: Queryable,
  s: StatementLimits,
  [c]: readonly Commit[],
  [answer]: readonly CommitAnswer[],
  rest: readonly Statement[],
): Promise<void> {
  if (c === undefined || !goesAlone(c) || answer?.kind !== "committed") return sendStatements(db, rest);
  await sendStatements(
    db,
    rest.filter((x) => x.last !== true),
  );
  await writeAlone(db, s, c, answer.persistedAt);
  await sendStatements(
    db,
    rest.filter((x) => x.last === true),
  );
}

async function writeAlone(db: Queryable, s: StatementLimits, c: Commit, at: number): Promise<void> {
  const { queue } = s.sql;
  const put = await putKvRows(db, s, c.puts ?? [], at);
  if (put.kind === "conflict") throw new UnmetPuts(put.rows);
  // A run that settles has lost its rows with the rest of what hangs on it.
  if (isSettled(c.status)) return;
  const ids = (await db.query(queue.ofRun(c.runId))).rows.map((r) => int(r, "dispatch_id"));
  let rows = await lockDispatches(db, s.sql, ids, true);
  const remove = async (which: readonly DispatchRow[]): Promise<void> => {
    if (which.length > 0) await db.query(queue.remove(which.map((d) => d.dispatchId)));
    rows = rows.filter((d) => !which.includes(d));
  };
  await remove(c.drop === true ? rows : rows.filter(isAmong(c.ends)));
  const withdrawn = rows.filter(isAmong(c.withdraws));
  const unclaimed = withdrawn.filter((d) => d.worker === null);
  await endDispatches(
    db,
    s,
    unclaimed.map((row) => ({ row, end: { kind: "withdrawn" } })),
    at,
  );
  rows = rows.filter((d) => !unclaimed.includes(d));
  const notified = withdrawn.filter((d) => d.worker !== null).map((d) => d.dispatchId);
  if (notified.length > 0) await db.query(queue.set(notified, "cancel = 1"));
  if (c.held !== undefined && rows.length > 0)
    await db.query(
      queue.set(
        rows.map((d) => d.dispatchId),
        c.held ? "held = 1" : "held = 0",
      ),
    );
  const values = (c.dispatches ?? []).map((d) => tuple(dispatchValues(s.sql, c.runId, d, c.held === true, at)));
  const texts = splitBySize(s, queue.insertDispatches, values, "");
  await sendStatements(
    db,
    texts.map((text) => ({ text, onDuplicate: "clash" })),
  );
}

function isAmong(refs: readonly DispatchRef[] | undefined): (d: DispatchRef) => boolean {
  return (d) => refs?.some((r) => r.seq === d.seq && r.what === d.what) === true;
}
