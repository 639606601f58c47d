// The end of a called run, as the outcome of the step that waits for it: completed, failed or cancelled as that run was. The message
// that reported it is consumed by the event that records it (I9).
import type { RunEndPayload } from "../../../events/payload.ts";
import type { LiveRun } from "../../run/live-run.ts";
import type { OpenStep } from "../open-step.ts";

/** What a run that ends tells the run that called it. */
export interface ChildEnd extends RunEndPayload {
  readonly status: string;
}

export function deliverChildEnd(r: LiveRun, step: OpenStep, end: ChildEnd, consumed: readonly number[]): void {
  if (end.status === "COMPLETED")
    return r.arrive({ type: "completed", step, result: end.result === undefined ? null : JSON.stringify(end.result), consumed });
  r.arrive({
    type: "failed",
    step,
    category: end.status === "CANCELLED" ? "CANCELLED" : "CHILD_FAILED",
    failure: end.error ?? { name: "RunCancelled", message: end.reason ?? "the called run was cancelled", code: "PAWL1014" },
    consumed,
  });
}
