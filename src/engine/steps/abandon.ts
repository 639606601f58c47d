// A step that ends because its run does, or the node of a graph that called it: nobody waits for it any more. Its failure is recorded and delivered like
// any other. It must never be used for an effect that may have been sent and whose class asks for more (acting-kind.ts decides).
import { jsonObject, jsonValue } from "../../events/payload.ts";
import type { Notice } from "../../store/port.ts";
import { abandonedRetryState, abandonedState, effectDraft } from "../effects/ledger.ts";
import type { LiveRun } from "../run/live-run.ts";
import { inputBeforeApproval, type OpenStep } from "./open-step.ts";
import { deliverFailed, failureFrom } from "./outcome.ts";

export function abandonStep(r: LiveRun, s: OpenStep, notices?: readonly Notice[]): "closed" {
  const failure = failureFrom("PAWL1032", whyAbandoned(r));
  // A retry that is due later has no open attempt; everything else closes in the log.
  if (s.state !== "retrying") {
    const at = r.commits.append({
      eventType: "StepFailed",
      stepId: s.stepId,
      logical: s.attempt,
      engine: s.engineAttempt,
      payload: jsonObject({ error: jsonValue(failure), category: jsonValue("ABANDONED") }),
      effect: effectDraft(r, s, abandonedState, inputBeforeApproval(s)),
      notices,
    });
    deliverFailed(r, s, failure, "ABANDONED", at);
  } else {
    const effect = effectDraft(r, s, abandonedRetryState(s));
    if (effect !== undefined) r.commits.draft.eventless.effects.push(effect);
    deliverFailed(r, s, failure, "ABANDONED", r.state.nowMs);
  }
  return "closed";
}

/** Part of the run's code may end before the run does: a node of a graph. */
function whyAbandoned(r: LiveRun): string {
  if (!r.state.isEnding) return "the node that called this step has ended";
  return r.state.stopReason === null ? "the run ended before this step did" : "the run was asked to end";
}
