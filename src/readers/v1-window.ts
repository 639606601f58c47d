// Events of version 1 of the contract, brought to the form of version 2 before they are reduced (D-140): deterministic, and only
// for records that were persisted before the window's end, so that a rebuild next year decides as this one did. What a record
// does not say and no rule gives is refused, never guessed. Records of version 2 pass as they are.
import { stepEventTypes } from "../core/model.ts";
import { PawlError } from "../errors/error.ts";
import type { RunEventRecord } from "../core/contract.ts";
import { idempotencyKey } from "../events/event-key.ts";

/** Accepts version 1 for records persisted before `v1Until` (RFC 3339); absent = never. */
export interface CompatibilityWindow {
  readonly v1Until?: string;
}

/** What version 1 may have looked like: fields that version 2 requires may be missing, and time had one name. */
type V1Record = Omit<Partial<RunEventRecord>, "stepId" | "payload"> & {
  readonly occurredAt?: unknown;
  readonly stepId?: unknown;
  readonly payload?: unknown;
};

const stepTypes: ReadonlySet<string> = new Set(stepEventTypes);

/** A record as the reducer takes it; PAWL4032 for one of version 1 outside the window. */
export function v1Normaliser(window: CompatibilityWindow): (record: RunEventRecord) => RunEventRecord {
  const until = window.v1Until === undefined ? null : Date.parse(window.v1Until);
  if (until !== null && Number.isNaN(until)) throw new PawlError("PAWL5001", "v1Until is not a time");
  return (record) => {
    const old = record as V1Record;
    if (isVersion2(old)) return record;
    if (until === null || !(Date.parse(String(old.persistedAt)) < until))
      throw new PawlError("PAWL4032", `event ${String(old.runSeq)} of run ${String(old.runId)} has the shape of version 1`, {
        data: { runId: String(old.runId), runSeq: Number(old.runSeq), until: window.v1Until ?? null },
      });
    return toVersion2(old);
  };
}

/** Only what tells version 1 for sure; whatever else is odd about a record is the reducer's to judge. */
function isVersion2(e: V1Record): boolean {
  const ofRun = e.stepId === null || e.stepId === "" || e.stepId === "RUN";
  return (
    typeof e.eventId === "string" &&
    typeof e.emittedAt === "string" &&
    typeof e.idempotencyKey === "string" &&
    typeof e.engineAttemptId === "number" &&
    typeof e.logicalAttemptId === "number" &&
    e.occurredAt === undefined &&
    (!ofRun || stepTypes.has(String(e.eventType)))
  );
}

function toVersion2(old: V1Record): RunEventRecord {
  const { occurredAt, stepId: oldStep, payload: oldPayload, ...rest } = old;
  const emittedAt = old.emittedAt ?? occurredAt;
  for (const [name, value] of Object.entries({ ...identityFields(old), emittedAt }))
    if (typeof value !== "string" || value === "") throw new PawlError("PAWL4032", `an event of version 1 has no ${name}`);
  const { runId, eventType, planId, planVersion } = identityFields(old) as Record<"runId" | "eventType" | "planId" | "planVersion", string>;
  const named = typeof oldStep === "string" && oldStep !== "" && oldStep !== "RUN" ? oldStep : undefined;
  const stepId = stepTypes.has(eventType) ? named : undefined;
  if (stepTypes.has(eventType) && stepId === undefined) throw new PawlError("PAWL4032", `${eventType} of version 1 names no step`);
  const logicalAttemptId = old.logicalAttemptId ?? 1;
  const added = {
    ...(occurredAt === undefined ? {} : { sourceOccurredAt: occurredAt }),
    ...(stepId === undefined && named !== undefined ? { stepId: named } : {}),
  };
  const payload = Object.keys(added).length === 0 ? oldPayload : { ...objectOf(oldPayload), ...added };
  return {
    ...rest,
    eventId: old.eventId ?? positionId(Number(old.runSeq)),
    emittedAt,
    logicalAttemptId,
    engineAttemptId: old.engineAttemptId ?? 1,
    idempotencyKey: idempotencyKey({ runId, stepId: stepId ?? null, logicalAttemptId, eventType, planId, planVersion }),
    ...(stepId === undefined ? {} : { stepId }),
    ...(payload === undefined ? {} : { payload }),
  } as RunEventRecord;
}

function identityFields(e: V1Record): Record<string, unknown> {
  return { runId: e.runId, eventType: e.eventType, planId: e.planId, planVersion: e.planVersion };
}

function objectOf(payload: unknown): Record<string, unknown> {
  if (payload === undefined) return {};
  return typeof payload === "object" && payload !== null && !Array.isArray(payload)
    ? (payload as Record<string, unknown>)
    : { value: payload };
}

/** Names the record's place in its run, for want of an id: unique there, and plainly nobody's random id. */
function positionId(runSeq: number): string {
  return `00000000-0000-4000-8000-${runSeq.toString(16).padStart(12, "0").slice(-12)}`;
}
