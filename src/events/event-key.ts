// The idempotency key of an event (D-060 … D-073): SHA-256 over six fields, in one order, joined by '|'. Guards that the same
// fact has the same key, no matter who writes it, and that two facts never share one: a '|' inside a field is refused, never
// escaped. It must never take part in anything else: no tenant, no engine attempt, no payload, no time (D-070).
import { isWellFormedText } from "../core/names.ts";
import { PawlError } from "../errors/error.ts";
import { sha256Hex } from "../platform/crypto/hash.ts";

export interface KeyFields {
  readonly runId: string;
  /** null for run-level events: "RUN" stands in its place (D-069), and is therefore reserved. */
  readonly stepId: string | null;
  readonly logicalAttemptId: number;
  readonly eventType: string;
  readonly planId: string;
  readonly planVersion: string;
}

/** The exact text that is hashed. A pure formatter: the only place where an attempt of 0 is let through (D-067). */
export function keyPreimage(e: KeyFields): string {
  return `${e.runId}|${e.stepId ?? "RUN"}|${e.logicalAttemptId}|${e.eventType}|${e.planId}|${e.planVersion}`;
}

export function idempotencyKey(e: KeyFields): string {
  const preimage = keyPreimage(e);
  // One look at the joined text finds a stray delimiter or malformed text in any field; only then is the field named.
  if (countDelimiters(preimage) !== 5 || !isWellFormedText(preimage)) throw keyError(e);
  if (e.stepId === "RUN" || e.stepId === "" || e.runId === "" || e.eventType === "" || e.planId === "" || e.planVersion === "")
    throw keyError(e);
  if (!Number.isSafeInteger(e.logicalAttemptId) || e.logicalAttemptId < 1) throw keyError(e);
  return sha256Hex(preimage);
}

/** A-22, exact: run, step, name and canonical arguments, joined by NUL. Empty arguments contribute nothing. */
export function invocationKey(runId: string, stepId: string, name: string, canonicalArgs: string): string {
  return sha256Hex(`${runId}\0${stepId}\0${name}\0${canonicalArgs}`);
}

/** Names one owner's attempt at a step, for traces. It changes with every owner, so it is never for deduplication. */
export function traceKey(runId: string, stepId: string, attemptId: string): string {
  return `pawl:${runId}:${stepId}:${attemptId}`;
}

/** The form of A-28, exact: for receivers that expect that form; never for deduplication. */
export function aetherisTraceKey(runId: string, stepId: string, attemptId: string): string {
  return `aetheris:${runId}:${stepId}:${attemptId === "" ? "0" : attemptId}`;
}

function countDelimiters(text: string): number {
  let n = 0;
  for (let i = text.indexOf("|"); i !== -1; i = text.indexOf("|", i + 1)) n++;
  return n;
}

function keyError(e: KeyFields): PawlError {
  if (!Number.isSafeInteger(e.logicalAttemptId) || e.logicalAttemptId < 1) {
    return new PawlError("PAWL3007", "logicalAttemptId must be a whole number of at least 1");
  }
  if (e.stepId === "RUN") return new PawlError("PAWL1001", "a stepId must not be RUN, which is reserved");
  for (const field of ["runId", "stepId", "eventType", "planId", "planVersion"] as const) {
    const text = e[field];
    if (text === "") return new PawlError("PAWL1001", `${field} must not be empty`);
    if (text?.includes("|")) return new PawlError("PAWL1001", `${field} must not contain '|'`);
    if (text !== null && !isWellFormedText(text)) return new PawlError("PAWL1001", `${field} must be well-formed UTF-16`);
  }
  return new PawlError("PAWL1001", "a field of the key is not text");
}
