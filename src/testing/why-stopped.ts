// Why a run stands still until a person acts, as its log says: the last pause, doubt or request for a decision. It must never
// guess: a log that says nothing gives nothing.
import type { RunEventRecord } from "../core/contract.ts";

const reasons: readonly string[] = ["RunPaused", "pawl.StepInDoubt", "pawl.DecisionNeeded"];

export interface TestStopReason {
  /** The recorded message: of a divergence both sides, and where the code calls. */
  readonly why?: string;
  readonly code?: string;
}

export function whyStopped(events: readonly RunEventRecord[]): TestStopReason {
  const p = (events.findLast((e) => reasons.includes(e.eventType))?.payload ?? {}) as {
    message?: string;
    reason?: string;
    code?: string;
  };
  const why = p.message ?? p.reason;
  return { ...(why === undefined ? {} : { why }), ...(p.code === undefined ? {} : { code: p.code }) };
}
