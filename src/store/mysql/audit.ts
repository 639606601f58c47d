// Checks and mends as SQL on the server. Rows are read as they are; a mend is one transaction, and changes nothing unless the
// run's row is still the one that was looked at. Whatever is compared is bytes.
import { isSettled } from "../../core/model.ts";
import { type Audit, derivedColumns, derivedValues, smallestIds, type Repair, type MessageRow, runTables } from "../audit.ts";
import { retryOnConflict, type WriteDeps } from "./batch.ts";
import type { Connection, Row } from "./wire/driver.ts";
import { lit, tuple } from "./wire/literal.ts";
import { transaction } from "./wire/pool.ts";
import { effectNames, effectValues, int, text, toCheckpoint, toInbox } from "./rows.ts";
import type { ReadDeps } from "./kv.ts";

export function mysqlAudit(p: string, w: WriteDeps, { read, open }: ReadDeps): Audit {
  const ask = async <T>(query: string, to: (r: Row) => T): Promise<T[]> => {
    open();
    return (await read((db) => db.query(query))).rows.map(to);
  };
  return {
    async size(after) {
      const count = (t: string): string => `(select count(*) from ${p}${t} where run_id > ${lit(after)}) as ${t}`;
      const [n] = await ask(`select ${count("runs")}, ${count("events")}`, (r) => ({ runs: int(r, "runs"), events: int(r, "events") }));
      return n ?? { runs: 0, events: 0 };
    },
    async runIds({ after, limit }) {
      const ids = (t: string): Promise<string[]> =>
        ask(`select distinct run_id from ${p}${t} where run_id > ${lit(after)} order by run_id limit ${lit(limit)}`, (r) =>
          text(r, "run_id"),
        );
      return smallestIds(await Promise.all(runTables.map(ids)), limit);
    },
    messages: (runId) =>
      ask(
        `select i.*, a.run_id as a_run, a.inbox_id as a_inbox, a.accepted_at as a_at from ${p}inbox i ` +
          `left join ${p}accepted a on a.key_hash = i.dedup_hash where i.run_id = ${lit(runId)} order by i.inbox_id`,
        toMessage,
      ),
    checkpoints: (runId) => ask(`select * from ${p}checkpoints where run_id = ${lit(runId)} order by step_id`, toCheckpoint),
    async repair(m) {
      open();
      return retryOnConflict(w.platform, () => w.writers.with((db) => transaction(db, () => repair(p, db, m))));
    },
  };
}

function toMessage(r: Row): MessageRow {
  const accepted = r["a_run"] === null ? null : { runId: text(r, "a_run"), inboxId: int(r, "a_inbox"), acceptedAt: int(r, "a_at") };
  return { ...toInbox(r), dedup: r["dedup_hash"] === null ? null : text(r, "dedup_hash"), accepted };
}

async function repair(p: string, db: Connection, m: Repair): Promise<"repaired" | "changed"> {
  const run = lit(m.runId);
  const { stateVersion, epoch, commitId } = m.expect;
  const found = await db.query(
    `select 1 from ${p}runs where run_id = ${run} and state_version = ${lit(stateVersion)} and epoch = ${lit(epoch)} ` +
      `and commit_id = ${lit(commitId)} for update`,
  );
  if (found.rows.length !== 1) return "changed";
  const values = derivedValues(m.run);
  await db.query(
    `update ${p}runs set ${derivedColumns.map((c, i) => `${c} = ${lit(values[i] ?? null)}`).join(", ")} where run_id = ${run}`,
  );
  if (m.effects.remove.length > 0) await db.query(`delete from ${p}effects where run_id = ${run} and seq in ${tuple(m.effects.remove)}`);
  for (const e of m.effects.put) {
    await db.query(`replace into ${p}effects (${effectNames}) values ${tuple(effectValues(m.runId, e, e.createdAt, e.updatedAt))}`);
  }
  if (m.views.remove.length > 0) await db.query(`delete from ${p}views where run_id = ${run} and name in ${tuple(m.views.remove)}`);
  for (const v of m.views.put) await db.query(`replace into ${p}views (run_id, name, value) values ${tuple([m.runId, v.name, v.value])}`);
  if (m.consumed.length > 0)
    await db.query(`update ${p}inbox set taken = 1, consumed = 1 where run_id = ${run} and inbox_id in ${tuple(m.consumed)}`);
  await db.query(`update ${p}inbox set wakes = (taken = 0 and ${lit(!isSettled(m.run.status))}) where run_id = ${run}`);
  return "repaired";
}
