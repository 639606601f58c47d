// Events of version 1 of the contract, brought to the form of version 2 before they are reduced (D-140): deterministic, and only
// for records that were persisted before the window's end, so that a rebuild next year decides as this one did. What a record
// does not say and no rule gives is refused, never guessed. Records of version 2 pass as they are. Reached through pawl/compat only.
import type { RunEventRecord } from "../core/contract.ts";
import { stepEventTypes } from "../core/model.ts";
import { PawlError } from "../errors/error.ts";
import { idempotencyKey } from "../events/event-key.ts";
import { isVersion2, version1Error, type NormaliseRecord, type V1Record } from "./record-version.ts";

const stepTypes: ReadonlySet<string> = new Set(stepEventTypes);

/**
 * Lets a projector read records of version 1 that were persisted before `until` (RFC 3339). Later ones are refused (PAWL4032).
 *
 * @example
 * const p = projector({ normalise: readVersion1({ until: "2026-06-01T00:00:00Z" }) });
 */
export function readVersion1(o: { readonly until: string }): NormaliseRecord {
  const until = Date.parse(o.until);
  if (Number.isNaN(until)) throw new PawlError("PAWL5001", 'until must be a time, such as "2026-06-01T00:00:00Z"');
  return (record) => {
    const old = record as V1Record;
    if (isVersion2(old)) return record;
    if (!(Date.parse(String(old.persistedAt)) < until)) throw version1Error(old, o.until);
    return toVersion2(old);
  };
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

/** Names the record's place in its run, where the record has no id: unique there, and plainly not a random id. */
function positionId(runSeq: number): string {
  return `00000000-0000-4000-8000-${runSeq.toString(16).padStart(12, "0").slice(-12)}`;
}
