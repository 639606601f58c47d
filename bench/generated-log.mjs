// A long log as an engine would have written it, made without one: keys, hashes and links are the real ones, and so are the
// records of the ledger. For measuring what reads logs; it must never be taken for a run that took place.
import { EventMaker } from "../dist/events/event-maker.js";
import { sha256Hex } from "../dist/platform/crypto/hash.js";

/** @typedef {ReturnType<typeof import("../dist/platform/system.js").systemPlatform>} Platform */
/** @typedef {import("../dist/store/port.js").RunRow} RunRow */
/** @typedef {import("../dist/store/port.js").EventRecord} EventRecord */
/** @typedef {import("../dist/store/port.js").EffectRecord} EffectRecord */

const scope = { tenantId: "default", projectId: "default", environmentId: "default" };

/**
 * Two events a step, and one each for the run's start and end.
 * @param {Platform} platform
 * @param {number} steps
 * @returns {{ row: RunRow, events: EventRecord[], effects: EffectRecord[] }}
 */
export function madeLog(platform, steps) {
  const runId = platform.uuidV7();
  const at = platform.wallMs();
  const maker = new EventMaker({ runId, scope, planId: "stepped", planVersion: "1" }, platform, { seq: 0, link: "", sealedAt: null });
  /** @type {EventRecord[]} */
  const events = [];
  /** @type {EffectRecord[]} */
  const effects = [];
  /** @param {string} eventType @param {string | null} stepId @param {string} payload @param {number} stateVersion */
  const make = (eventType, stepId, payload, stateVersion) => {
    const write = maker.make(
      { eventType: /** @type {"RunStarted"} */ (eventType), stepId, logicalAttemptId: 1, engineAttemptId: 1, emittedAt: at, payload },
      stateVersion,
    );
    events.push({ ...write, persistedAt: at, stateVersion });
    return write.runSeq;
  };
  for (let n = 0; n <= steps; n++) {
    const version = n + 1;
    if (n === 0) make("RunStarted", null, '{"parsed":true,"codeVersion":"1"}', version);
    else {
      const record = /** @type {EffectRecord} */ (effects.at(-1));
      const eventSeq = make("StepCompleted", record.stepId, `{"result":${n}}`, version);
      effects[effects.length - 1] = { ...record, status: "completed", phase: "settled", eventSeq };
    }
    if (n === steps) make("RunCompleted", null, `{"result":${n}}`, version);
    else {
      const stepId = `s${n}`;
      const key = `k${n}`;
      const digest = sha256Hex(JSON.stringify(["effect", stepId, "KEYED", key, null, null]));
      const facts = `"class":"KEYED","key":"${key}","dedupMs":86400000,"settleMs":5000,"timeoutMs":60000`;
      const seq = make("StepStarted", stepId, `{"kind":"effect","name":"${stepId}","digest":"${digest}",${facts}}`, version);
      effects.push({
        version: 1,
        runId,
        seq,
        scope,
        workflowId: runId,
        stepId,
        name: stepId,
        class: "KEYED",
        key,
        receiver: null,
        worker: null,
        argsDigest: null,
        status: "indeterminate",
        phase: "dispatched",
        attempts: 1,
        engineAttempts: 1,
        error: null,
        eventSeq: seq,
        createdAt: at,
        updatedAt: at,
      });
    }
    maker.onCommitted(at);
  }
  const head = /** @type {EventRecord} */ (events.at(-1));
  /** @type {RunRow} */
  const row = {
    runId,
    scope,
    workflowId: runId,
    generation: 1,
    workflow: "stepped",
    version: "1",
    status: "COMPLETED",
    waiting: null,
    owner: null,
    fence: { epoch: 1, token: "bench" },
    stateVersion: head.stateVersion,
    commitId: platform.uuidV4(),
    headSeq: head.runSeq,
    headLink: head.link,
    persistedAt: at,
    dueAt: null,
    createdAt: at,
    deadlineAt: null,
    tags: {},
    inputDigest: sha256Hex("null"),
    idempotencyKey: null,
    originalRunId: null,
    rootRunId: runId,
    parentRunId: null,
    parentStepId: null,
    idleClaims: 0,
    exactVersion: false,
    origin: "engine",
    expiredAt: null,
    purgedAt: null,
    errorCode: null,
  };
  return { row, events, effects };
}
