// The limit: what the same driver, file, settings, schema and indexes allow when nothing else is done. A loop by hand:
// W3 is one update of the run's row and two ready-made events per transaction; W4 is the two transactions of a run of one
// step. Beside it `raw`: commits per second of a single small row. Synchronous, without an engine, a log or a fence to check.
import { join } from "node:path";
import { systemPlatform } from "../dist/platform/system.js";
import { openFile } from "../dist/store/sqlite/open.js";
import { idleGapMs } from "./workloads.mjs";
import { readyMade } from "./ready-made.mjs";

/** @typedef {import("./child.mjs").Order} Order @typedef {import("./child.mjs").Subject} Subject */
/** @typedef {Awaited<ReturnType<typeof openFile>>["db"]} Connection */

const runColumns =
  "run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, " +
  "head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, " +
  "parent_run_id, parent_step_id, idle_claims, exact_version";
const eventColumns =
  "run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, " +
  "payload_hash, link, persisted_at, state_version";
/** @param {string} columns */
const places = (columns) => columns.replaceAll(/[a-z_]+/g, "?");

const rawMs = 400;

/**
 * @param {Order} order
 * @returns {Promise<Subject>}
 */
export async function subject({ workload, dir }) {
  const platform = systemPlatform();
  const { db } = await openFile(join(dir, "limit.db"), platform, {});
  const begin = db.prepare("begin immediate");
  const commit = db.prepare("commit");
  const insertRun = db.prepare(`insert into pawl_runs (${runColumns}) values (${places(runColumns)})`);
  const insertEvent = db.prepare(`insert into pawl_events (${eventColumns}) values (${places(eventColumns)})`);
  const advance = db.prepare(
    "update pawl_runs set status = ?, state_version = state_version + 1, commit_id = ?, persisted_at = ?, head_seq = ?, head_link = ? " +
      "where run_id = ? and epoch = ? and token = ? and state_version = ?",
  );
  const settle = db.prepare(
    "update pawl_runs set status = ?, state_version = state_version + 1, commit_id = ?, persisted_at = ?, head_seq = ?, head_link = ?, " +
      "due_at = null, owner = null where run_id = ? and epoch = ? and token = ? and state_version = ?",
  );
  /** @param {ReturnType<typeof readyMade>} made @param {number} from @param {number} to @param {number} version */
  const events = (made, from, to, version) => {
    for (let i = from; i < to; i++) insertEvent.run(made.runId, ...(made.events[i] ?? []), made.at, version);
  };
  /** @param {ReturnType<typeof readyMade>} made */
  const created = (made) => {
    begin.run();
    insertRun.run(...made.row);
    events(made, 0, 2, 1);
    commit.run();
  };
  /** @param {ReturnType<typeof readyMade>} made @param {number} n @param {typeof advance} update @param {string} status */
  const advanced = (made, n, update, status) => {
    begin.run();
    const head = made.heads[2 * n + 1] ?? "";
    update.run(status, made.commitIds[n] ?? "", made.at, 2 * n + 2, head, made.runId, 1, made.token, n);
    events(made, 2 * n, 2 * n + 2, n + 1);
    commit.run();
  };
  const end = () => db.close();
  const raw = () => singleRows(db);

  if (workload.kind === "latency") {
    return {
      end,
      raw,
      pass: async (warming) => {
        const made = readyMade(platform, 1);
        if (!warming) await new Promise((resolve) => setTimeout(resolve, idleGapMs));
        const from = performance.now();
        created(made);
        advanced(made, 1, settle, "COMPLETED");
        return { units: 1, steps: 1, latencyMs: performance.now() - from };
      },
    };
  }
  if (!workload.limit) return { end, raw, pass: () => ({ units: 0, steps: 0 }) };
  const { steps } = workload;
  return {
    end,
    raw,
    pass: () => {
      const made = readyMade(platform, steps); // not part of what is timed
      const from = performance.now();
      created(made);
      for (let n = 1; n < steps; n++) advanced(made, n, advance, "RUNNING");
      advanced(made, steps, settle, "COMPLETED");
      return { units: steps, steps, ms: performance.now() - from };
    },
  };
}

/** @param {Connection} db */
function singleRows(db) {
  db.exec("create table bench_raw (id integer primary key, value text not null) strict");
  const begin = db.prepare("begin immediate");
  const commit = db.prepare("commit");
  const insert = db.prepare("insert into bench_raw (value) values (?)");
  let n = 0;
  const from = performance.now();
  while (performance.now() - from < rawMs) {
    begin.run();
    insert.run("one small row");
    commit.run();
    n++;
  }
  return (n / (performance.now() - from)) * 1_000;
}
