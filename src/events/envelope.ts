// From an event to its public shape and back (D-024 … D-044, D-087 … D-091); the shape itself is the contract's. Step events
// name their step and run-level events cannot, in its types and here at run time (D-036, D-037). It must never invent a field: a
// record shows what the log holds. Times are RFC 3339 in UTC; Pawl writes them with milliseconds, and keeps a producer's as it was given.
import { stepEventTypes, type EventType, type RunEventRecord, type RunEventWrite, type StepEventType } from "../core/contract.ts";
import type { Scope } from "../core/model.ts";
import type { EventRecord } from "./event.ts";
import { idempotencyKey } from "./event-key.ts";

const stepTypes: ReadonlySet<string> = new Set(stepEventTypes);

export function isStepEvent(type: EventType): type is StepEventType {
  return stepTypes.has(type);
}

// Events of one Commit share their time, and are mostly written out together. Only what timeMs would take is kept.
let cachedTime: { readonly ms: number; readonly text: string } = { ms: 0, text: new Date(0).toISOString() };

/** RFC 3339 in UTC, with milliseconds. */
export function toTimeText(ms: number): string {
  if (cachedTime.ms === ms) return cachedTime.text;
  const text = new Date(ms).toISOString();
  if (text.length === cachedTime.text.length) cachedTime = { ms, text }; // a year of six digits is no time of the contract
  return text;
}

export interface RecordRun {
  readonly runId: string;
  readonly scope: Scope;
  /** planId and planVersion. */
  readonly workflow: string;
  readonly version: string;
}

export function toRecord(run: RecordRun, e: EventRecord): RunEventRecord {
  const record = {
    eventId: e.eventId,
    eventType: e.eventType,
    runId: run.runId,
    tenantId: run.scope.tenantId,
    projectId: run.scope.projectId,
    environmentId: run.scope.environmentId,
    planId: run.workflow,
    planVersion: run.version,
    ...(e.stepId === null ? {} : { stepId: e.stepId }),
    engineAttemptId: e.engineAttemptId,
    logicalAttemptId: e.logicalAttemptId,
    idempotencyKey: e.idempotencyKey,
    emittedAt: e.emittedText ?? toTimeText(e.emittedAt),
    ...(e.payload === null ? {} : { payload: parsePayload(e.payload) }),
    runSeq: e.runSeq,
    persistedAt: toTimeText(e.persistedAt),
  };
  return record as RunEventRecord;
}

/** A reader shows what is there: text that is no JSON is shown as text. */
function parsePayload(payload: string): unknown {
  try {
    return JSON.parse(payload);
  } catch {
    return payload;
  }
}

export interface WriteProblem {
  /** JSON pointer of the member. */
  readonly pointer: string;
  readonly message: string;
}
export type WriteCheck =
  | { readonly ok: true; readonly write: RunEventWrite }
  | { readonly ok: false; readonly errors: readonly WriteProblem[] };

export const uuidV4: RegExp = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;
const textFields = ["eventType", "runId", "tenantId", "projectId", "environmentId", "planId", "planVersion"] as const;
const attemptFields = ["engineAttemptId", "logicalAttemptId"] as const;

/** Checks a write from outside, all of it, and keeps only the envelope's members (further ones are permitted). */
export function validateWrite(x: unknown): WriteCheck {
  if (typeof x !== "object" || x === null || Array.isArray(x))
    return { ok: false, errors: [{ pointer: "", message: "must be an object" }] };
  const o = pickFields(x as Readonly<Record<string, unknown>>);
  const errors: WriteProblem[] = [];
  const problem = (field: string, message: string): void => void errors.push({ pointer: `/${field}`, message });
  if (typeof o["eventId"] !== "string" || !uuidV4.test(o["eventId"])) problem("eventId", "must be a UUID v4");
  for (const field of textFields) {
    if (typeof o[field] !== "string" || o[field] === "") problem(field, "must be non-empty text");
  }
  for (const field of attemptFields) {
    if (!Number.isSafeInteger(o[field]) || (o[field] as number) < 1) problem(field, "must be a whole number of at least 1");
  }
  if (Number.isNaN(parseTimeMs(o["emittedAt"]))) problem("emittedAt", "must be RFC 3339 in UTC, as 2026-01-31T12:00:00Z");
  if (o["payload"] !== undefined && !isRecord(o["payload"])) problem("payload", "must be an object");
  checkStepId(o, problem);
  if (errors.length === 0) checkKey(o, problem);
  return errors.length === 0 ? { ok: true, write: o as unknown as RunEventWrite } : { ok: false, errors };
}

function checkStepId(o: Readonly<Record<string, unknown>>, problem: (field: string, message: string) => void): void {
  const present = o["stepId"] !== undefined;
  if (stepTypes.has(o["eventType"] as string)) {
    if (typeof o["stepId"] !== "string" || o["stepId"] === "") problem("stepId", "must be non-empty text on a step's event");
  } else if (present) problem("stepId", "must not be present on a run-level or unknown event");
}

function checkKey(o: Readonly<Record<string, unknown>>, problem: (field: string, message: string) => void): void {
  try {
    const { runId, stepId = null, logicalAttemptId, eventType, planId, planVersion } = o as unknown as RunEventWrite;
    const key = idempotencyKey({ runId, stepId, logicalAttemptId, eventType, planId, planVersion });
    if (o["idempotencyKey"] !== key) problem("idempotencyKey", "is not the SHA-256 of the six fields");
  } catch (e) {
    problem("idempotencyKey", (e as Error).message);
  }
}

function isRecord(x: unknown): boolean {
  return typeof x === "object" && x !== null && !Array.isArray(x);
}

const rfc3339 = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(?:Z|\+00:00)$/;

/**
 * Milliseconds of a time in UTC, with any number of digits after the second (D-035); NaN of anything else: no 30th of February and no
 * hour 24, which are read as another day.
 */
export function parseTimeMs(text: unknown): number {
  if (text === cachedTime.text) return cachedTime.ms;
  const [, day, clock, fraction = ""] = typeof text === "string" ? (rfc3339.exec(text) ?? []) : [];
  if (day === undefined) return Number.NaN;
  const ms = Date.parse(`${day}T${clock}.${fraction.padEnd(3, "0").slice(0, 3)}Z`);
  if (new Date(ms).getUTCDate() !== Number(day.slice(8))) return Number.NaN;
  if (new Date(ms).toISOString() === text) cachedTime = { ms, text };
  return ms;
}

/** The envelope's members, each read once; in one shape, whatever shape they come in: what follows looks at all of them. */
function pickFields(o: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return {
    eventId: o["eventId"],
    eventType: o["eventType"],
    runId: o["runId"],
    tenantId: o["tenantId"],
    projectId: o["projectId"],
    environmentId: o["environmentId"],
    planId: o["planId"],
    planVersion: o["planVersion"],
    stepId: o["stepId"],
    engineAttemptId: o["engineAttemptId"],
    logicalAttemptId: o["logicalAttemptId"],
    idempotencyKey: o["idempotencyKey"],
    emittedAt: o["emittedAt"],
    payload: o["payload"],
  };
}
