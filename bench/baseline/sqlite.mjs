// The loop by hand on SQLite: the same driver, file, settings, schema and indexes that Pawl uses, synchronous, without an
// engine, a log or a fence to lose. Ready-made rows go in as they are; nothing is made while the clock runs.
import { join } from "node:path";
import { systemPlatform } from "../../dist/platform/system.js";
import { openFile } from "../../dist/store/sqlite/open.js";
import { eventColumns, runColumns } from "./prepared-rows.mjs";

/** @typedef {import("../limit.mjs").Hand} Hand @typedef {import("../contender.mjs").Order} Order */

/** @param {string} columns */
const places = (columns) => columns.replaceAll(/[a-z_]+/g, "?");

/** @param {Order} order @returns {Promise<Hand>} */
export async function hand({ dir }) {
  const { db } = await openFile(join(dir, "limit.db"), systemPlatform(), {});
  const begin = db.prepare("begin immediate");
  const commit = db.prepare("commit");
  const insertRun = db.prepare(`insert into pawl_runs (${runColumns}) values (${places(runColumns)})`);
  const insertEvent = db.prepare(`insert into pawl_events (${eventColumns}) values (${places(eventColumns)})`);
  const update =
    "update pawl_runs set status = ?, state_version = state_version + 1, commit_id = ?, persisted_at = ?, head_seq = ?, head_link = ?";
  const where = "where run_id = ? and epoch = ? and token = ? and state_version = ?";
  const advance = db.prepare(`${update} ${where}`);
  const settle = db.prepare(`${update}, due_at = null, owner = null ${where}`);
  db.exec("create table bench_raw (id integer primary key, value text not null) strict");
  const insertRaw = db.prepare("insert into bench_raw (value) values (?)");
  /** @param {import("../limit.mjs").Made} made @param {number} n @param {boolean} last */
  const write = (made, n, last) => {
    if (n === 0) insertRun.run(...made.row);
    else (last ? settle : advance).run(...made.changeOf(n, last));
    for (const e of made.eventsOf(n)) insertEvent.run(...e);
  };
  /** @param {readonly import("../limit.mjs").Made[]} made @param {number} n @param {boolean} last */
  const together = (made, n, last) => {
    begin.run();
    for (const m of made) write(m, n, last);
    commit.run();
  };
  return {
    created: (made) => together([made], 0, false),
    advanced: (made, n, last) => together([made], n, last),
    together,
    raw(rows) {
      begin.run();
      for (let i = 0; i < rows; i++) insertRaw.run("one small row");
      commit.run();
    },
    end: () => db.close(),
  };
}
