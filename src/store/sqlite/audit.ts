// Checks and mends as SQL on the file. Rows are read as they are; a mend is one transaction, and changes nothing unless the
// run's row is still the one that was looked at.
import { isSettled } from "../../core/model.ts";
import { sha256Hex } from "../../platform/crypto/hash.ts";
import { type Audit, derivedColumns, derivedValues, smallestIds, type Repair, type MessageRow, runTables } from "../audit.ts";
import type { Connection, Row } from "./wire/driver.ts";
import { effectValues, toCheckpoint, toInbox } from "./rows.ts";
import { effectNames } from "./sql.ts";
import type { Writer } from "./wire/writer.ts";

interface AuditDeps {
  readonly db: Connection;
  readonly writer: Writer;
  /** Throws once the store is closed. */
  readonly open: () => void;
}

const messages =
  "select i.*, a.run_id as a_run, a.inbox_id as a_inbox, a.accepted_at as a_at from pawl_inbox i " +
  "left join pawl_accepted a on a.storage_key = i.dedup_key where i.run_id = ? order by i.inbox_id";

export function sqliteAudit({ db, writer, open }: AuditDeps): Audit {
  const count = (table: string, after: string): number =>
    Number(db.prepare(`select count(*) as n from ${table} where run_id > ?`).get(after)?.["n"]);
  return {
    async size(after) {
      open();
      return writer.read(() => ({ runs: count("pawl_runs", after), events: count("pawl_events", after) }));
    },
    async runIds({ after, limit }) {
      open();
      const text = (t: string): string => `select distinct run_id from pawl_${t} where run_id > ? order by run_id limit ?`;
      const ids = (t: string): string[] =>
        db
          .prepare(text(t))
          .all(after, limit)
          .map((r) => String(r["run_id"]));
      return writer.read(() => smallestIds(runTables.map(ids), limit));
    },
    async messages(runId) {
      open();
      return writer.read(() => db.prepare(messages).all(runId).map(toMessage));
    },
    async checkpoints(runId) {
      open();
      return writer.read(() => db.prepare("select * from pawl_checkpoints where run_id = ? order by step_id").all(runId).map(toCheckpoint));
    },
    async repair(m) {
      open();
      return writer.write(() => repair(db, m));
    },
  };
}

function toMessage(r: Row): MessageRow {
  const key = r["dedup_key"] as string | null;
  const accepted = r["a_run"] === null ? null : { runId: String(r["a_run"]), inboxId: Number(r["a_inbox"]), acceptedAt: Number(r["a_at"]) };
  return { ...toInbox(r), dedup: key === null ? null : sha256Hex(key), accepted };
}

function repair(db: Connection, m: Repair): "repaired" | "changed" {
  const { stateVersion, epoch, commitId } = m.expect;
  const sets = derivedColumns.map((c) => `${c} = ?`).join(", ");
  const update = `update pawl_runs set ${sets} where run_id = ? and state_version = ? and epoch = ? and commit_id = ?`;
  const { changes } = db.prepare(update).run(...derivedValues(m.run), m.runId, stateVersion, epoch, commitId);
  if (Number(changes) !== 1) return "changed";
  for (const seq of m.effects.remove) db.prepare("delete from pawl_effects where run_id = ? and seq = ?").run(m.runId, seq);
  const put = db.prepare(`insert or replace into pawl_effects (${effectNames}) values (${effectNames.replaceAll(/[a-z_]+/g, "?")})`);
  for (const e of m.effects.put) put.run(...effectValues(m.runId, e, e.createdAt, e.updatedAt));
  for (const name of m.views.remove) db.prepare("delete from pawl_views where run_id = ? and name = ?").run(m.runId, name);
  for (const v of m.views.put)
    db.prepare("insert or replace into pawl_views (run_id, name, value) values (?, ?, ?)").run(m.runId, v.name, v.value);
  for (const id of m.consumed)
    db.prepare("update pawl_inbox set taken = 1, consumed = 1 where run_id = ? and inbox_id = ?").run(m.runId, id);
  db.prepare("update pawl_inbox set wakes = (taken = 0 and ?) where run_id = ?").run(isSettled(m.run.status) ? 0 : 1, m.runId);
  return "repaired";
}
