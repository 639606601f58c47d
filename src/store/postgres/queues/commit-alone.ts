// What a Commit writes that may have to wait for others: rows beside the log under a condition, rows of dispatches that are held, withdrawn
// or dropped. Inside the Commit's transaction, after its run's row: first the rows beside the log, in the order of their keys, then the
// dispatches in the order of their ids, then what they leave in the inbox. One condition that does not hold takes the whole Commit back.
import { isSettled } from "../../../core/model.ts";
import { UnmetPuts } from "../../batch-rules.ts";
import type { Commit } from "../../port.ts";
import { kvRowsAt, putKvRows } from "../kv.ts";
import { numberArray, textArray } from "../wire/array-parameters.ts";
import type { BoundSession } from "../wire/session.ts";
import { queueingOf, queueingParts, unnestRows } from "./commit-parts.ts";
import { anyOf, lockedInOrder, putEnds } from "./sql.ts";

export async function writeAlone(r: BoundSession, c: Commit, persistedAt: number): Promise<void> {
  if (c.puts !== undefined && c.puts.length > 0) {
    const { wrong } = await putKvRows(r, c.puts, undefined, persistedAt);
    if (wrong.length > 0) throw new UnmetPuts(await kvRowsAt(r, wrong));
  }
  const { schema: s } = r.settings;
  const settled = isSettled(c.status);
  if (settled || c.drop === true) await r.query({ name: "pawl_drop", text: dropText(s), values: [c.runId] });
  if (settled) return;
  if (c.withdraws !== undefined && c.withdraws.length > 0) {
    const left = c.withdraws.filter((w) => c.ends?.some((e) => e.seq === w.seq && e.what === w.what) !== true);
    const values = [c.runId, numberArray(left.map((w) => w.seq)), textArray(left.map((w) => w.what)), persistedAt];
    await r.query({ name: "pawl_withdraw", text: withdrawText(s), values });
  }
  if (c.held !== undefined) await r.query({ name: "pawl_held", text: heldText(s), values: [c.runId, c.held] });
  const { shape, values } = queueingOf([c], "alone");
  if (!shape.dispatches && !shape.ends) return;
  let next = 2;
  const parts = queueingParts(s, shape, (columns) => {
    const text = unnestRows(columns, next);
    next += columns.length;
    return text;
  });
  const written = `written as materialized (select run_id, scope, persisted_at from ${s}.runs where run_id = $1)`;
  await r.query({ text: `with ${[written, ...parts].join(", ")} select 1`, values: [c.runId, ...values] });
}

/** Rows of the run $1, held in the order of their ids. */
function lockedRows(s: string, from: string): string {
  const ids = `select o.dispatch_id from ${from} order by o.dispatch_id`;
  return `locked as materialized (${lockedInOrder(s, ids, "d.*", "d.dispatch_id = o.dispatch_id")})`;
}

const ofRun = (s: string): string => `${s}.dispatches o where o.run_id = $1`;

function dropText(s: string): string {
  return `with ${lockedRows(s, ofRun(s))} delete from ${s}.dispatches where ${anyOf("locked")}`;
}

function heldText(s: string): string {
  return `with ${lockedRows(s, ofRun(s))} update ${s}.dispatches set held = $2 where ${anyOf("locked")}`;
}

/** Unclaimed: away, with a word that nothing was sent. Claimed: flagged, and the worker's report decides. */
function withdrawText(s: string): string {
  const named =
    "unnest($2::bigint[], $3::text[]) as x (seq, what) cross join lateral " +
    `(select o.dispatch_id from ${s}.dispatches o where o.run_id = $1 and o.seq = x.seq and o.what = x.what) o`;
  return (
    `with ${lockedRows(s, named)}, ` +
    `gone as (delete from ${s}.dispatches where ${anyOf("(select l.dispatch_id from locked l where l.worker is null)")} returning *), ` +
    `notified as (update ${s}.dispatches set cancel = true where ${anyOf("(select l.dispatch_id from locked l where l.worker is not null)")}) ` +
    putEnds(s, `(select g.*, '{"kind":"withdrawn"}' as ending, g.dispatch_id as place from gone g)`, "$4::bigint")
  );
}
