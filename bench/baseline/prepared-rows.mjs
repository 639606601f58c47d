// A run and its events, made before anything is timed, with the very texts, keys, hashes and links that Pawl would write:
// the limit must put the same bytes into the same tables. Steps are named and return what they do in pawl.mjs.
import { EventMaker } from "../../dist/events/event-maker.js";
import { sha256Hex } from "../../dist/platform/crypto/hash.js";

/** @typedef {ReturnType<typeof import("../../dist/platform/system.js").systemPlatform>} Platform */
/** @typedef {string | number | null} Bind */

export const runColumns =
  "run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, " +
  "head_link, persisted_at, due_at, created_at, deadline_at, tags, input_digest, idempotency_key, original_run_id, root_run_id, " +
  "parent_run_id, parent_step_id, idle_claims, exact_version";
export const eventColumns =
  "run_id, run_seq, event_id, event_type, step_id, logical_attempt_id, engine_attempt_id, idempotency_key, emitted_at, payload, salt, " +
  "payload_hash, link, persisted_at, state_version";

const scope = { tenantId: "default", projectId: "default", environmentId: "default" };

/**
 * Events 2n and 2n + 1 belong to the n-th transaction: the start and the first step, then each outcome with the next start,
 * at last the outcome with the end of the run.
 * @param {Platform} platform
 * @param {number} steps
 */
export function readyMade(platform, steps) {
  const runId = platform.uuidV7();
  const token = platform.randomHex(16);
  const at = platform.wallMs();
  const maker = new EventMaker({ runId, scope, planId: "stepped", planVersion: "1" }, platform, { seq: 0, link: "", sealedAt: null });
  /** @type {Bind[][]} */
  const events = [];
  /** @type {string[]} */
  const heads = [];
  /** @type {string[]} */
  const commitIds = [];
  /** @param {string} eventType @param {string | null} stepId @param {string | null} payload @param {number} version */
  const make = (eventType, stepId, payload, version) => {
    const e = maker.make(
      { eventType: /** @type {"RunStarted"} */ (eventType), stepId, logicalAttemptId: 1, engineAttemptId: 1, emittedAt: at, payload },
      version,
    );
    heads.push(e.link);
    const head = [runId, e.runSeq, e.eventId, eventType, stepId, 1, 1, e.idempotencyKey, at];
    events.push([...head, e.payload, e.salt, e.payloadHash, e.link, at, version]);
  };
  /** @param {number} i @param {number} version */
  const start = (i, version) => {
    const digest = sha256Hex(JSON.stringify(["effect", `s${i}`, "UNDECLARED", null, null, null]));
    make("StepStarted", `s${i}`, `{"kind":"effect","name":"s${i}","digest":"${digest}","class":"UNDECLARED"}`, version);
  };
  for (let n = 0; n <= steps; n++) {
    const version = n + 1;
    if (n === 0) make("RunStarted", null, '{"parsed":true,"codeVersion":"1"}', version);
    else make("StepCompleted", `s${n - 1}`, `{"result":${n - 1}}`, version);
    if (n < steps) start(n, version);
    else make("RunCompleted", null, `{"result":${steps}}`, version);
    maker.onCommitted(at);
    commitIds.push(platform.uuidV4());
  }
  const digest = sha256Hex("null");
  /** @type {Bind[]} */
  const row = [runId, "default/default/default", runId, 1, "stepped", "1", "RUNNING", null, "bench", 1, token, 1, commitIds[0] ?? "", 2];
  row.push(heads[1] ?? "", at, 0, at, null, "{}", digest, null, null, runId, null, null, 0, 0);
  return {
    /** In the order of runColumns. */
    row,
    /** Both events of the n-th transaction, in the order of eventColumns. @param {number} n */
    eventsOf: (n) => events.slice(2 * n, 2 * n + 2),
    /** What the n-th sets in the run's row: status, commit, time, head; and what must hold: id, fence, version. @param {number} n @param {boolean} last @returns {Bind[]} */
    changeOf: (n, last) => {
      const status = last ? "COMPLETED" : "RUNNING";
      return [status, commitIds[n] ?? "", at, 2 * n + 2, heads[2 * n + 1] ?? "", runId, 1, token, n];
    },
  };
}
