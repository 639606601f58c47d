// The loop by hand on MariaDB: the same driver, server, schema and indexes that Pawl uses, one session, each transaction sent
// as one compound statement, which is as few round trips as there can be. No fence that could be lost, no engine.
import mysql from "mysql2/promise";
import { systemPlatform } from "../../dist/platform/system.js";
import { openMysql } from "../../dist/store/mysql/store.js";
import { eventColumns, runColumns } from "./prepared-rows.mjs";

/** @typedef {import("../limit.mjs").Hand} Hand @typedef {import("../contender.mjs").Order} Order */
/** @typedef {import("./prepared-rows.mjs").Bind} Bind */

/** @param {Bind} v */
const lit = (v) => (v === null ? "null" : typeof v === "number" ? String(v) : `'${v.replaceAll(/['\\]/g, "\\$&")}'`);
/** @param {readonly Bind[]} row */
const tuple = (row) => `(${row.map(lit).join(",")})`;

/** @param {Order} order @returns {Promise<Hand>} */
export async function hand({ url }) {
  await (await openMysql(url, systemPlatform())).close(); // makes the tables
  const db = await mysql.createConnection({ uri: url, charset: "utf8mb4_bin" });
  /** @param {readonly (readonly Bind[])[]} events */
  const inserted = (events) => `insert into pawl_events (${eventColumns}) values ${events.map(tuple).join(",")}`;
  /** @param {string} body */
  const transaction = (body) => db.query(`begin not atomic start transaction; ${body}; commit; end`);
  await db.query("create table bench_raw (id bigint auto_increment primary key, value text not null)");
  const many = Array.from({ length: 100 }, () => "('one small row')").join(",");
  return {
    async created(made) {
      await transaction(`insert into pawl_runs (${runColumns}) values ${tuple(made.row)}; ${inserted(made.eventsOf(0))}`);
    },
    async advanced(made, n, last) {
      const [status = "", commitId = "", at = 0, seq = 0, link = "", runId = "", epoch = 0, token = "", version = 0] = made.changeOf(
        n,
        last,
      );
      await transaction(
        `update pawl_runs set status = ${lit(status)}, state_version = state_version + 1, commit_id = ${lit(commitId)}, ` +
          `persisted_at = ${lit(at)}, head_seq = ${lit(seq)}, head_link = ${lit(link)}${last ? ", due_at = null, owner = null" : ""} ` +
          `where run_id = ${lit(runId)} and epoch = ${lit(epoch)} and token = ${lit(token)} and state_version = ${lit(version)}; ` +
          inserted(made.eventsOf(n)),
      );
    },
    async raw(rows) {
      if (rows === 1) await db.execute("insert into bench_raw (value) values (?)", ["one small row"]);
      else await db.query(`insert into bench_raw (value) values ${many}`);
    },
    end: () => db.end(),
  };
}
