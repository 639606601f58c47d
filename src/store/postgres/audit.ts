// Checks and mends as SQL on the server. Rows are read as they are; a mend is one transaction, and changes nothing unless the
// run's row is still the one that was looked at.
import { isSettled } from "../../core/model.ts";
import { sha256Hex } from "../../platform/crypto/hash.ts";
import { type Audit, derivedColumns, derivedValues, smallestIds, type Repair, type MessageRow, runTables } from "../audit.ts";
import type { EffectRecord } from "../port.ts";
import type { Row } from "./wire/driver.ts";
import { effectColumns } from "../sql/columns.ts";
import { numberArray, textArray } from "./wire/array-parameters.ts";
import { toCheckpoint, toInbox } from "./rows.ts";
import type { BoundSession } from "./wire/session.ts";
import type { UseSession } from "./kv.ts";

export function postgresAudit(s: string, read: UseSession, write: UseSession): Audit {
  return {
    size: (after) =>
      read(async (r) => {
        const count = (t: string): string => `(select count(*) from ${s}.${t} where run_id > $1)::bigint as ${t}`;
        const { rows } = await r.query({ text: `select ${count("runs")}, ${count("events")}`, values: [after] });
        return { runs: Number(rows[0]?.["runs"]), events: Number(rows[0]?.["events"]) };
      }),
    runIds: ({ after, limit }) =>
      read(async (r) => {
        const lists: string[][] = [];
        for (const t of runTables) {
          const text = `select distinct run_id from ${s}.${t} where run_id > $1 order by run_id limit $2`;
          lists.push((await r.query({ text, values: [after, limit] })).rows.map((x) => String(x["run_id"])));
        }
        return smallestIds(lists, limit);
      }),
    messages: (runId) =>
      read(async (r) => {
        const text =
          `select i.*, a.run_id as a_run, a.inbox_id as a_inbox, a.accepted_at as a_at from ${s}.inbox i ` +
          `left join ${s}.accepted a on a.storage_key = i.dedup_key where i.run_id = $1 order by i.inbox_id`;
        return (await r.query({ name: "pawl_auditMessages", text, values: [runId] })).rows.map(toMessage);
      }),
    checkpoints: (runId) =>
      read(async (r) => {
        const text = `select * from ${s}.checkpoints where run_id = $1 order by step_id`;
        return (await r.query({ name: "pawl_auditCheckpoints", text, values: [runId] })).rows.map(toCheckpoint);
      }),
    repair: (m) =>
      write(async (r) => {
        await r.exec("begin");
        try {
          const answer = await repair(s, r, m);
          await r.exec("commit");
          return answer;
        } catch (e) {
          await r.rollback();
          throw e;
        }
      }),
  };
}

function toMessage(r: Row): MessageRow {
  const key = r["dedup_key"] as string | null;
  const accepted = r["a_run"] === null ? null : { runId: String(r["a_run"]), inboxId: Number(r["a_inbox"]), acceptedAt: Number(r["a_at"]) };
  return { ...toInbox(r), dedup: key === null ? null : sha256Hex(key), accepted };
}

async function repair(s: string, r: BoundSession, m: Repair): Promise<"repaired" | "changed"> {
  const values = derivedValues(m.run);
  const sets = derivedColumns.map((c, i) => `${c} = $${i + 1}`).join(", ");
  const n = values.length;
  const text = `update ${s}.runs set ${sets} where run_id = $${n + 1} and state_version = $${n + 2} and epoch = $${n + 3} and commit_id = $${n + 4}`;
  const { stateVersion, epoch, commitId } = m.expect;
  if ((await r.query({ text, values: [...values, m.runId, stateVersion, epoch, commitId] })).changes !== 1) return "changed";
  const gone = [...m.effects.remove, ...m.effects.put.map((e) => e.seq)];
  await r.query({ text: `delete from ${s}.effects where run_id = $1 and seq = any($2::bigint[])`, values: [m.runId, numberArray(gone)] });
  for (const e of m.effects.put) await putEffect(s, r, e);
  const names = [...m.views.remove, ...m.views.put.map((v) => v.name)];
  await r.query({ text: `delete from ${s}.views where run_id = $1 and name = any($2::text[])`, values: [m.runId, textArray(names)] });
  for (const v of m.views.put)
    await r.query({ text: `insert into ${s}.views (run_id, name, value) values ($1, $2, $3)`, values: [m.runId, v.name, v.value] });
  const taken = `update ${s}.inbox set taken = true, consumed = true where run_id = $1 and inbox_id = any($2::bigint[])`;
  await r.query({ text: taken, values: [m.runId, numberArray(m.consumed)] });
  const wakes = `update ${s}.inbox set wakes = not taken and $2::boolean where run_id = $1`;
  await r.query({ text: wakes, values: [m.runId, !isSettled(m.run.status)] });
  return "repaired";
}

async function putEffect(s: string, r: BoundSession, e: EffectRecord): Promise<void> {
  const columns = ["run_id", ...effectColumns.map((c) => c.name), "created_at", "updated_at"];
  const text = `insert into ${s}.effects (${columns.join(", ")}) values (${columns.map((_, i) => `$${i + 1}`).join(", ")})`;
  await r.query({ text, values: [e.runId, ...effectColumns.map((c) => c.of(e)), e.createdAt, e.updatedAt] });
}
