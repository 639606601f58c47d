// A call of the code that came too late: the run is ending, and no new step begins (K19). The code gets an error that it may well
// swallow, so the refusal leaves an event and a line in the engine's log: an author who undoes in a `catch` sees that it was not done.
// The event changes no state, and a run records few of them, however often its code asks.
import { PawlError } from "../../errors/error.ts";
import { StepError } from "../../errors/step-errors.ts";
import { jsonObject, pawlEvents, jsonValue } from "../../events/payload.ts";
import type { LiveRun } from "./live-run.ts";

/** How many refused calls of one run are recorded. */
export const recordedRefusalsMax = 20;

export function refuseCall(r: LiveRun, kind: string, name: string): StepError {
  const why = r.state.stopReason?.kind ?? "end";
  const message = `the run is ending (${why}): no new step begins`;
  // The same calls are refused again when the log is read back: those that are recorded are not recorded twice.
  const nth = r.state.refuseCall();
  if (nth > r.replay.callsRefused && nth <= recordedRefusalsMax) {
    r.commits.append({
      eventType: pawlEvents.callRefused,
      stepId: null,
      payload: jsonObject({
        kind: jsonValue(kind),
        name: jsonValue(name),
        why: jsonValue(why),
        last: nth === recordedRefusalsMax ? "true" : undefined,
      }),
    });
    r.log("warn", `${kind} ${name} was refused: ${message}; what a run must undo belongs in compensate (PAWL1020)`, {
      workflowId: r.row.workflowId,
    });
  }
  return new StepError(name, "CANCELLED", message, new PawlError("PAWL1020", message));
}
