// The loop by hand on Postgres: the same driver, server, schema and indexes that Pawl uses, one session, each transaction one
// prepared statement, which is as few round trips as there can be. No arrays, no fence that could be lost, no engine.
import pg from "pg";
import { systemPlatform } from "../../dist/platform/system.js";
import { openPostgres } from "../../dist/store/postgres/store.js";
import { eventColumns, runColumns } from "./prepared-rows.mjs";

/** @typedef {import("../limit.mjs").Hand} Hand @typedef {import("../contender.mjs").Order} Order */

/** @param {string} columns @param {number} first @returns {{ text: string, next: number }} */
const places = (columns, first) => {
  let next = first;
  return { text: `(${columns.replaceAll(/[a-z_]+/g, () => `$${next++}`)})`, next };
};

/** @param {Order} order @returns {Promise<Hand>} */
export async function hand({ url }) {
  await (await openPostgres(url, systemPlatform())).close(); // makes the schema
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const events = (/** @type {number} */ first) => {
    const one = places(eventColumns, first);
    return `insert into pawl.events (${eventColumns}) values ${one.text}, ${places(eventColumns, one.next).text}`;
  };
  const run = places(runColumns, 1);
  const create = `with w as (insert into pawl.runs (${runColumns}) values ${run.text}) ${events(run.next)}`;
  const update =
    "with w as (update pawl.runs set status = $1, state_version = state_version + 1, commit_id = $2, persisted_at = $3, head_seq = $4, head_link = $5";
  const where = `where run_id = $6 and epoch = $7 and token = $8 and state_version = $9) ${events(10)}`;
  const advance = `${update} ${where}`;
  const settle = `${update}, due_at = null, owner = null ${where}`;
  await client.query("create table bench_raw (id bigint generated always as identity primary key, value text not null)");
  const many = `{${Array.from({ length: 100 }, () => '"one small row"').join(",")}}`;
  return {
    async created(made) {
      await client.query({ name: "create", text: create, values: [...made.row, ...made.eventsOf(0).flat()] });
    },
    async advanced(made, n, last) {
      const values = [...made.changeOf(n, last), ...made.eventsOf(n).flat()];
      await client.query(last ? { name: "settle", text: settle, values } : { name: "advance", text: advance, values });
    },
    async raw(rows) {
      if (rows === 1) await client.query({ name: "raw", text: "insert into bench_raw (value) values ($1)", values: ["one small row"] });
      else await client.query({ name: "raws", text: "insert into bench_raw (value) select unnest($1::text[])", values: [many] });
    },
    end: () => client.end(),
  };
}
