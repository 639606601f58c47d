// The door of the append authority: an event from outside becomes a checked write, or is refused with the place of what is
// wrong (P-41: SCHEMA_VALIDATION_FAILED, nothing persisted). Guards every rule of the envelope (envelope.ts, keys.ts) and the
// bounds that keep an event storable alike everywhere. It must never repair an event, and never take one of another tenant (I11).
import { checkId, utf8Length } from "../core/names.ts";
import type { Scope } from "../core/model.ts";
import { PawlError } from "../errors/error.ts";
import type { RunEventWrite } from "../core/contract.ts";
import { parseTimeMs, validateWrite, type WriteProblem } from "../events/envelope.ts";

/** An event that may be stored. */
export interface CheckedEvent {
  readonly write: RunEventWrite;
  /** JSON text; null when there is none (D-059). */
  readonly payload: string | null;
  readonly emittedAt: number;
  /** About what it takes in the store. */
  readonly bytes: number;
}

/** Attempts are 32-bit numbers in every store. */
const attemptMax = 2_147_483_647;
const scopeFields = ["tenantId", "projectId", "environmentId"] as const;
const attemptFields = ["engineAttemptId", "logicalAttemptId"] as const;
const ids = ["runId", "eventType", "planId", "planVersion", "stepId"] as const;
const envelopeBytes = 600;

/** `at` is the place of the event in what was given: "" for one, "/3" for the fourth of a batch. */
export function checkAppend(given: unknown, scope: Scope, payloadBytesMax: number, at: string): CheckedEvent {
  const check = validateWrite(given);
  if (!check.ok) throw invalidEventError(at, check.errors);
  const { write } = check;
  const problems: WriteProblem[] = [];
  // I11: an event of another tenant is not this authority's to take.
  for (const f of scopeFields)
    if (write[f] !== scope[f]) problems.push({ pointer: `/${f}`, message: "is not the one that this append is for" });
  checkSizes(write, problems);
  const payload = payloadText(write.payload);
  if (payload === undefined) problems.push({ pointer: "/payload", message: "must be JSON" });
  else if (payload !== null && payload.length * 3 > payloadBytesMax && utf8Length(payload) > payloadBytesMax)
    problems.push({ pointer: "/payload", message: `must be at most ${payloadBytesMax} bytes of JSON` });
  if (problems.length > 0 || payload === undefined) throw invalidEventError(at, problems);
  return { write, payload, emittedAt: parseTimeMs(write.emittedAt), bytes: envelopeBytes + (payload?.length ?? 0) };
}

function checkSizes(write: RunEventWrite, problems: WriteProblem[]): void {
  for (const field of ids) {
    try {
      if (write[field] !== undefined) checkId(write[field], "");
    } catch (e) {
      problems.push({ pointer: `/${field}`, message: (e as Error).message.trim() });
    }
  }
  for (const field of attemptFields)
    if (write[field] > attemptMax) problems.push({ pointer: `/${field}`, message: `must be at most ${attemptMax}` });
}

/** undefined when it cannot be written as JSON. */
function payloadText(payload: unknown): string | null | undefined {
  if (payload === undefined) return null;
  try {
    return JSON.stringify(payload);
  } catch {
    return undefined;
  }
}

export function invalidEventError(at: string, problems: readonly WriteProblem[]): PawlError {
  const [first = { pointer: "", message: "is not an event" }] = problems;
  const pointer = `${at}${first.pointer}`;
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : "";
  return new PawlError("PAWL4020", `${pointer === "" ? "the event" : pointer} ${first.message}${more}`, {
    data: { pointer, problem: first.message, problems: problems.length },
  });
}
