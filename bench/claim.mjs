// What a claim costs beside very many runs that nobody wants: measured on the empty store first, then on the same store
// with a million ended and a hundred thousand sleeping runs, made by the server itself. Two claims are compared, one that
// finds nothing and one that finds sixteen runs; the worse of both ratios is told.
import mysql from "mysql2/promise";
import pg from "pg";
import { systemPlatform } from "../dist/platform/system.js";
import { openMysql } from "../dist/store/mysql/store.js";
import { openPostgres } from "../dist/store/postgres/store.js";
import { median } from "./stats.mjs";

/** @typedef {import("./contender.mjs").Order} Order @typedef {import("./contender.mjs").Subject} Subject */
/** @typedef {{ exec: (sql: string) => Promise<void>, end: () => Promise<void>, table: string, numbers: (n: number) => string, id: string, tidy: string[] }} Maker */

const found = 16;
/** With --small there are fewer runs, and fewer samples. @param {number} runs */
const samplesFor = (runs) => (runs < 1_000_000 ? 20 : 200);
const columns =
  "run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, " +
  "head_link, persisted_at, due_at, created_at, tags, input_digest, root_run_id, idle_claims, exact_version";
const farAway = "9000000000000";

/** @param {Order} order @returns {Promise<Maker>} */
async function makerOf({ store, url }) {
  if (store === "postgres") {
    const c = new pg.Client({ connectionString: url });
    await c.connect();
    const exec = async (/** @type {string} */ sql) => void (await c.query(sql));
    const numbers = (/** @type {number} */ n) => `generate_series(1, ${n}) as g (seq)`;
    return { exec, end: () => c.end(), table: "pawl.runs", numbers, id: "lpad(seq::text, 8, '0')", tidy: ["vacuum analyze pawl.runs"] };
  }
  const c = await mysql.createConnection(url);
  const exec = async (/** @type {string} */ sql) => void (await c.query(sql));
  const numbers = (/** @type {number} */ n) => `seq_1_to_${n}`;
  return { exec, end: () => c.end(), table: "pawl_runs", numbers, id: "lpad(seq, 8, '0')", tidy: ["analyze table pawl_runs"] };
}

/** @param {Order} order @returns {Promise<Subject>} */
export async function subject(order) {
  const platform = systemPlatform();
  const store = order.store === "postgres" ? await openPostgres(order.url, platform) : await openMysql(order.url, platform);
  const maker = await makerOf(order);
  const samples = samplesFor(order.runs);
  const engineId = platform.uuidV7();
  const serves = [{ workflow: "wanted", version: "1" }];
  const scope = { tenantId: "default", projectId: "default", environmentId: "default" };
  await store.registerEngine({ engineId, leaseMs: 600_000, serves });
  /** @param {string} prefix @param {number} n @param {string} status @param {string} due */
  const make = (prefix, n, status, due) => {
    const id = `concat('${prefix}', ${maker.id})`;
    return maker.exec(
      `insert into ${maker.table} (${columns}) select ${id}, 'default/default/default', ${id}, 1, 'wanted', '1', '${status}', null, null, 1, 't', ` +
        `1, 'c', 2, 'l', seq, ${due}, seq, '{}', 'd', ${id}, 0, ${order.store === "postgres" ? "false" : "0"} from ${maker.numbers(n)}`,
    );
  };
  const claim = async () => {
    const tokens = Array.from({ length: 64 }, () => platform.randomHex(16));
    const from = performance.now();
    const rows = await store.claim({ engineId, scope, serves, control: true, limit: 64, tokens });
    return { ms: performance.now() - from, rows: rows.length };
  };
  const cost = async (/** @type {string} */ series) => {
    /** @type {number[]} */
    const nothing = [];
    /** @type {number[]} */
    const some = [];
    for (let i = 0; i < samples; i++) {
      const idle = await claim();
      await make(`${series}-${i}-`, found, "RUNNING", "1");
      const busy = await claim();
      if (idle.rows !== 0 || busy.rows !== found) throw new Error(`a claim found ${idle.rows} and ${busy.rows} runs`);
      await maker.exec(`update ${maker.table} set status = 'COMPLETED', owner = null, due_at = null where run_id like '${series}-${i}-%'`);
      if (i >= samples / 4) {
        nothing.push(idle.ms);
        some.push(busy.ms);
      }
    }
    return { nothing: median(nothing), some: median(some) };
  };
  return {
    end: async () => {
      await maker.end();
      await store.close();
    },
    pass: async () => {
      await cost("warm");
      const empty = await cost("empty");
      await make("ended-", order.runs, "COMPLETED", "null");
      await make("asleep-", order.runs / 10, "RUNNING", farAway);
      for (const sql of maker.tidy) await maker.exec(sql);
      await cost("again");
      const full = await cost("full");
      return { units: 0, steps: 0, value: Math.max(full.nothing / empty.nothing, full.some / empty.some) };
    },
  };
}
