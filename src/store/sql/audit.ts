// Checks and repairs for the stores that speak SQL. Rows are read as they are, whatever their scope; a repair is one transaction, and
// changes nothing unless the run's row is still the one that was read. It interprets nothing.
import { isSettled } from "../../core/model.ts";
import { type Audit, derivedColumns, derivedValues, type MessageRow, type Repair, runTables, smallestIds } from "../audit.ts";
import type { SnapshotRecord } from "../records.ts";
import { chunks, type Dialect, insertRows, lockRun, marks, type QueryFn, type SqlParameter, type SqlRow, textValue } from "./dialect.ts";
import { snapshotColumnNames } from "./queue-rows.ts";

export function sqlAudit(d: Dialect): Audit {
  return {
    async size(after) {
      const count = (t: "runs" | "events"): string => `(select count(*) from ${d.table(t)} where run_id > ?) as ${t}`;
      const [n] = await d.read(`select ${count("runs")}, ${count("events")}`, [after, after]);
      return { runs: Number(n?.["runs"]), events: Number(n?.["events"]) };
    },
    async runIds({ after, limit }) {
      const lists: string[][] = [];
      for (const t of runTables) {
        const text = `select distinct run_id from ${d.table(t)} where run_id > ? order by run_id limit ?`;
        lists.push((await d.read(text, [after, limit])).map((r) => textValue(r["run_id"])));
      }
      return smallestIds(lists, limit);
    },
    async messages(runId) {
      const text =
        `select i.*, i.${d.dedupColumn} as dedup, a.run_id as a_run, a.inbox_id as a_inbox, a.accepted_at as a_at from ${d.table("inbox")} i ` +
        `left join ${d.table("accepted")} a on a.${d.acceptedKeyColumn} = i.${d.dedupColumn} where i.run_id = ? order by i.inbox_id`;
      return (await d.read(text, [runId], "auditMessages")).map((r) => toMessage(d, r));
    },
    async checkpoints(runId) {
      const text = `select ${d.checkpoints.names} from ${d.table("checkpoints")} where run_id = ? order by step_id`;
      return (await d.read(text, [runId], "auditCheckpoints")).map((r) => d.toCheckpoint(r));
    },
    repair: (m) =>
      d.transact(
        (ask) => repair(d, ask, m),
        () => false,
      ),
  };
}

function toMessage(d: Dialect, r: SqlRow): MessageRow {
  const [dedup, run] = [r["dedup"] ?? null, r["a_run"] ?? null];
  const accepted = run === null ? null : { runId: textValue(run), inboxId: Number(r["a_inbox"]), acceptedAt: Number(r["a_at"]) };
  return { ...d.toInbox(r), dedup: dedup === null ? null : d.keyDigest(textValue(dedup)), accepted };
}

async function repair(d: Dialect, ask: QueryFn, m: Repair): Promise<"repaired" | "changed"> {
  const { runId, expect } = m;
  const run = await lockRun(d, ask, runId);
  if (run?.stateVersion !== expect.stateVersion || run.fence.epoch !== expect.epoch || run.commitId !== expect.commitId) return "changed";
  const sets = derivedColumns.map((c) => `${c} = ?`).join(", ");
  await ask(`update ${d.table("runs")} set ${sets} where run_id = ?`, [...derivedValues(m.run), runId]);

  const remove = async (table: "effects" | "views" | "checkpoints", column: string, values: readonly SqlParameter[]): Promise<void> => {
    for (const some of chunks(values))
      await ask(`delete from ${d.table(table)} where run_id = ? and ${column} in (${marks(some)})`, [runId, ...some]);
  };
  await remove("effects", "seq", [...m.effects.remove, ...m.effects.put.map((e) => e.seq)]);
  await insertRows(d, ask, "effects", d.effects, m.effects.put);
  await remove("views", "name", [...m.views.remove, ...m.views.put.map((v) => v.name)]);
  const views = { names: "run_id, name, value", of: (v: Repair["views"]["put"][number]) => [runId, v.name, v.value] };
  await insertRows(d, ask, "views", views, m.views.put);

  for (const some of chunks(m.consumed)) {
    const values = [true, true, runId, ...some];
    await ask(`update ${d.table("inbox")} set taken = ?, consumed = ? where run_id = ? and inbox_id in (${marks(some)})`, values);
  }
  if (isSettled(m.run.status)) await ask(`update ${d.table("inbox")} set wakes = ? where run_id = ?`, [false, runId]);
  else await ask(`update ${d.table("inbox")} set wakes = not taken where run_id = ?`, [runId]);
  if (m.checkpoints !== undefined) {
    const { put, remove: gone } = m.checkpoints;
    await remove("checkpoints", "step_id", [...gone, ...put.map((c) => c.stepId)]);
    await insertRows(d, ask, "checkpoints", d.checkpoints, put);
  }
  if (m.snapshots !== undefined) {
    await ask(`delete from ${d.table("snapshots")} where run_id = ?`, [runId]);
    const columns = { names: snapshotColumnNames, of: (x: SnapshotRecord) => [x.runId, x.at, x.digest, x.body] };
    await insertRows(d, ask, "snapshots", columns, m.snapshots);
  }
  return "repaired";
}
