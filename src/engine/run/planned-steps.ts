// What a plan says of its steps beside starting them: that one will not run, and which ones something made. Both are events, in the order
// of the code's other calls, and are matched with the record on replay like calls (K13). They start nothing and wait for nothing.
import type { SkipReason } from "../../core/trigger.ts";
import { jsonObject, jsonValue, pawlEvents } from "../../events/payload.ts";
import type { PlannedSteps } from "../calls.ts";
import { wokenByUnrecorded } from "../decisions/needs-decision.ts";
import type { LiveRun } from "./live-run.ts";

export function skipStep(r: LiveRun, stepId: string, why: SkipReason, by: readonly string[]): void {
  if (!mayRecord(r, `skip ${stepId}`)) return;
  if (r.replay.expectPlanned({ type: "skip", stepId })) return;
  r.commits.append({ eventType: "StepSkipped", stepId, logical: 1, payload: jsonObject({ why: jsonValue(why), by: jsonValue(by) }) });
}

export function planSteps(r: LiveRun, by: string, made: PlannedSteps): void {
  if (!mayRecord(r, `plan ${by}`)) return;
  if (r.replay.expectPlanned({ type: "plan", stepId: by })) return;
  r.commits.append({
    eventType: pawlEvents.planned,
    stepId: null,
    payload: jsonObject({
      by: jsonValue(by),
      steps: jsonValue(made.steps),
      skipped: made.skipped.length === 0 ? undefined : jsonValue(made.skipped),
    }),
  });
}

/** As for a step: never outside an activation (K15), never while the run ends (K19). */
function mayRecord(r: LiveRun, what: string): boolean {
  if (r.state.isUnloaded || r.replay.hasDiverged) return false;
  if (!r.state.inActivation) {
    r.replay.diverge("PAWL1007", `${what} was called ${wokenByUnrecorded(r)}`, "a recorded outcome", what);
    return false;
  }
  r.replay.takeRecordedStop();
  return !r.state.isEnding && !r.replay.hasDiverged;
}
