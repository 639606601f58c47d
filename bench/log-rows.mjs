// Events for the log's workloads: as a producer outside writes them, and as the rows that they become, made before anything is
// timed. The hand inserts those rows into the very table that Pawl writes, with its indexes, a hundred a transaction, and
// does nothing else: no key is looked up, nothing is hashed, nothing is checked.
import { join } from "node:path";
import mysql from "mysql2/promise";
import pg from "pg";
import { idempotencyKey } from "../dist/events/event-key.js";
import { EventMaker } from "../dist/events/event-maker.js";
import { openStore } from "../dist/open.js";
import { openFile } from "../dist/store/sqlite/open.js";
import { eventColumns } from "./baseline/prepared-rows.mjs";

/** @typedef {import("./baseline/prepared-rows.mjs").Platform} Platform @typedef {import("./baseline/prepared-rows.mjs").Bind} Bind */
/** @typedef {import("../dist/core/contract.js").RunEventWrite} RunEventWrite */

const scope = { tenantId: "default", projectId: "default", environmentId: "default" };
const payload = { said: "what a producer has to say of an event, in some sixty characters" };

/**
 * The events of one run: its start, then steps that begin and end. All of one shape, as events are that come as JSON: objects
 * put together by spreading others have a hidden class each, and finding their members would cost more than checking them.
 * @param {Platform} platform @param {number} count @returns {RunEventWrite[]}
 */
export function writesOf(platform, count) {
  const runId = platform.uuidV7();
  const emittedAt = new Date(platform.wallMs()).toISOString();
  return Array.from({ length: count }, (_, i) => {
    const eventType = i === 0 ? "RunStarted" : i % 2 === 1 ? "StepStarted" : "StepCompleted";
    const stepId = i === 0 ? null : `s${(i + 1) >> 1}`;
    const [planId, planVersion, logicalAttemptId] = ["plan", "1", 1];
    const write = {
      eventId: platform.uuidV4(),
      eventType,
      runId,
      tenantId: scope.tenantId,
      projectId: scope.projectId,
      environmentId: scope.environmentId,
      planId,
      planVersion,
      stepId: stepId ?? undefined,
      engineAttemptId: 1,
      logicalAttemptId,
      idempotencyKey: idempotencyKey({ runId, stepId, logicalAttemptId, eventType, planId, planVersion }),
      emittedAt,
      payload,
    };
    return /** @type {RunEventWrite} */ (/** @type {unknown} */ (write));
  });
}

/** The same events as rows, in the order of eventColumns. @param {Platform} platform @param {readonly RunEventWrite[]} writes @returns {Bind[][]} */
export function rowsOf(platform, writes) {
  const runId = writes[0]?.runId ?? "";
  const at = platform.wallMs();
  const maker = new EventMaker({ runId, scope, planId: "plan", planVersion: "1" }, platform, { seq: 0, link: "", sealedAt: null });
  return writes.map((w) => {
    const e = maker.make(
      {
        eventType: w.eventType,
        stepId: w.stepId ?? null,
        logicalAttemptId: 1,
        engineAttemptId: 1,
        emittedAt: at,
        payload: JSON.stringify(w.payload),
      },
      1,
    );
    const head = [runId, e.runSeq, e.eventId, e.eventType, e.stepId, 1, 1, e.idempotencyKey, at];
    return [...head, e.payload, e.salt, e.payloadHash, e.link, at, 1];
  });
}

/**
 * @param {string} store @param {{ url: string, dir: string }} place @param {Platform} platform
 * @returns {Promise<{ insert(rows: readonly Bind[][]): Promise<void>, end(): Promise<void> }>}
 */
export async function handOn(store, { url, dir }, platform) {
  if (store === "sqlite") {
    const { db } = await openFile(join(dir, "limit.db"), platform, {});
    const [begin, commit] = [db.prepare("begin immediate"), db.prepare("commit")];
    const one = db.prepare(`insert into pawl_events (${eventColumns}) values (${eventColumns.replaceAll(/[a-z_]+/g, "?")})`);
    const insert = async (/** @type {readonly Bind[][]} */ rows) => {
      begin.run();
      for (const r of rows) one.run(...r);
      commit.run();
    };
    return { insert, end: async () => db.close() };
  }
  await (await openStore(url, platform)).close(); // makes the tables
  if (store === "postgres") {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const text = (/** @type {number} */ n) => {
      let next = 1;
      const row = () => `(${eventColumns.replaceAll(/[a-z_]+/g, () => `$${next++}`)})`;
      return `insert into pawl.events (${eventColumns}) values ${Array.from({ length: n }, row).join(",")}`;
    };
    const insert = async (/** @type {readonly Bind[][]} */ rows) =>
      void (await client.query({ name: `insert${rows.length}`, text: text(rows.length), values: rows.flat() }));
    return { insert, end: () => client.end() };
  }
  const db = await mysql.createConnection({ uri: url, charset: "utf8mb4_bin" });
  const lit = (/** @type {Bind} */ v) => (v === null ? "null" : typeof v === "number" ? String(v) : `'${v.replaceAll(/['\\]/g, "\\$&")}'`);
  const insert = async (/** @type {readonly Bind[][]} */ rows) =>
    void (await db.query(`insert into pawl_events (${eventColumns}) values ${rows.map((r) => `(${r.map(lit).join(",")})`).join(",")}`));
  return { insert, end: () => db.end() };
}
