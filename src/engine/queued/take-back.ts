// A person wants to act on a step that is on a queue: it is taken back first, then it waits for that person's answer as a held step does. What nobody had
// claimed is proved not sent. What a worker has is asked to stop, and its report decides: a result stands, anything else is held. It must never
// record an act by itself: the answer does, with who and why.
import { mayRepeat } from "../../core/guarantee.ts";
import { PawlError } from "../../errors/error.ts";
import { readPayload } from "../../events/payload.ts";
import type { InboxRow } from "../../store/port.ts";
import { holdStep } from "../decisions/hold.ts";
import type { LiveRun } from "../run/live-run.ts";
import type { OpenStep } from "../steps/open-step.ts";
import { failureFrom } from "../steps/outcome.ts";
import { withdraw } from "./withdraw.ts";

interface TakeBackPayload {
  readonly stepId?: string;
  readonly by?: string;
  readonly reason?: string;
}

/** What is wrong with it; undefined: it is being taken back, and its row is consumed. null: for an engine that has the code. */
export function takeBack(r: LiveRun, row: InboxRow): string | null | undefined {
  const { stepId = "", by = "somebody", reason = "" } = readPayload<TakeBackPayload>(row.payload);
  if (r.state.isPaused) return `the run is paused: first resume it (pawl resume ${r.row.workflowId}), then act`;
  if (r.state.isEnding) return "the run is ending";
  if (r.definition === null || !r.hasCode) return null;
  const step = r.steps.get(stepId);
  const open = step?.queue?.open ?? null;
  if (step === undefined || open === null || step.undoes !== null)
    return `step ${stepId} is not on a queue: it has ended, or waits for something else`;
  step.queue!.takenBack = `${by} took it off its queue: ${reason}`;
  if (open.own) step.abort?.(new PawlError("PAWL1014", step.queue!.takenBack));
  else if (!open.withdrawn) {
    open.withdrawn = true;
    withdraw(r, [open], () => {});
  }
  return undefined;
}

/** Instead of another attempt, or of a failure that the code would see. False: nobody wants to act on it. */
export function holdTakenBack(r: LiveRun, step: OpenStep, category: "NOT_SENT" | "FAILED" | "TIMEOUT" | "INDETERMINATE"): boolean {
  const why = step.queue?.takenBack ?? null;
  if (why === null || r.state.isEnding || step.undoes !== null) return false;
  step.queue!.takenBack = null;
  const code = category === "NOT_SENT" ? "PAWL2009" : "PAWL2012";
  holdStep(r, step, { failure: failureFrom(code, category === "NOT_SENT" ? `${step.name} was not sent: ${why}` : why), category });
  return true;
}

/** Its worker died. What may not simply repeat goes by its class, as ever. */
export function holdLapsed(r: LiveRun, step: OpenStep): boolean {
  return mayRepeat(step.started.class ?? "UNDECLARED") && holdTakenBack(r, step, "INDETERMINATE");
}
