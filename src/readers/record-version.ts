// Which version of the contract a record has. Readers take version 2 and refuse everything else; who has older records puts a function
// in front that brings them to version 2 (pawl/compat). It judges the shape alone: whether an event is valid is for the reducer.
import type { RunEventRecord } from "../core/contract.ts";
import { stepEventTypes } from "../core/model.ts";
import { PawlError } from "../errors/error.ts";

/** Brings a record to version 2, or throws. It must give the same answer for the same record, today and at a rebuild next year. */
export type NormaliseRecord = (record: RunEventRecord) => RunEventRecord;

/** What version 1 may have looked like: fields that version 2 requires may be missing, and time had one name. */
export type V1Record = Omit<Partial<RunEventRecord>, "stepId" | "payload"> & {
  readonly occurredAt?: unknown;
  readonly stepId?: unknown;
  readonly payload?: unknown;
};

const stepTypes: ReadonlySet<string> = new Set(stepEventTypes);

/** Only what tells version 1 for sure; whatever else is odd about a record is for the reducer to judge. */
export function isVersion2(e: V1Record): boolean {
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

/** What readers do unless another function is given. */
export const requireVersion2: NormaliseRecord = (record) => {
  if (isVersion2(record as V1Record)) return record;
  throw version1Error(record as V1Record, null);
};

export function version1Error(old: V1Record, until: string | null): PawlError {
  return new PawlError("PAWL4032", `event ${String(old.runSeq)} of run ${String(old.runId)} has the shape of version 1`, {
    data: { runId: String(old.runId), runSeq: Number(old.runSeq), until },
  });
}
