// What becomes of an effect that is in flight when its run ends (K19). It is aborted, and an abort says nothing of what the
// receiver did: an effect that may not simply repeat is settled by its class first. `verify` is asked; what happened is recorded
// and undone; "not completed" counts only when the last request can no longer arrive (K25). Where nobody can say, a person is
// asked if there is something to undo, and the ledger says indeterminate if there is not. It must never send an effect for the
// first time, and never record that nothing happened on a guess (I7).
import type { Failure } from "../../codec/failure.ts";
import type { StepCategory } from "../../errors/step-errors.ts";
import type { EffectSpec, Verdict } from "../calls.ts";
import { mustBeSettledFirst, mustBeUndone } from "../run/ending.ts";
import type { LiveRun } from "../run/live-run.ts";
import type { OpenStep } from "../steps/open-step.ts";
import { failureFrom } from "../steps/outcome.ts";
import { askAgainAt, lastArrivalBy, settleByVerdict, askVerify } from "./ask-verify.ts";
import { canBeAsked, isKeyRemembered } from "./verdict.ts";

/** How the attempt ended, as far as this owner saw it. */
export interface ObservedFailure {
  readonly category: StepCategory;
  readonly failure: Failure;
}
const stoppedFailure = (): ObservedFailure => ({
  category: "CANCELLED",
  failure: failureFrom("PAWL1014", "the run ended while it was in flight"),
});

/** `seen`: without it an earlier owner began it, or the answer is awaited again. */
export function settleInFlight(r: LiveRun, step: OpenStep, spec: EffectSpec, seen: ObservedFailure = stoppedFailure()): void {
  step.state = "recovering";
  step.mayHaveBeenSent = true;
  if (!canBeAsked(spec))
    return settleUnknown(r, step, spec, seen, "PAWL2001", "the run ended while it was in flight, and it has no verify");
  askVerify(r, step, spec).then(
    (verdict) => {
      if (verdict !== null) concludeInFlight(r, step, spec, seen, verdict);
    },
    (e: unknown) => r.reloadAfterError(e),
  );
}

/** What an answer means for an effect of a run that is ending. */
export function concludeInFlight(
  r: LiveRun,
  step: OpenStep,
  spec: EffectSpec,
  seen: ObservedFailure,
  verdict: Verdict<unknown> | { readonly contradiction: string },
): void {
  if ("contradiction" in verdict) return settleUnknown(r, step, spec, seen, "PAWL2014", verdict.contradiction);
  switch (verdict.state) {
    case "indeterminate":
      return settleUnknown(r, step, spec, seen, "PAWL2002", verdict.reason ?? "verify could not say");
    case "not-completed": {
      const again = askAgainAt(r, step, spec);
      if (again === null)
        return r.arrive({ ...seen, type: "failed", step, category: "CANCELLED", via: "verify", notBefore: lastArrivalBy(step, spec) });
      step.dueAt = again;
      return void r.parking.armAlarm();
    }
    default:
      return settleByVerdict(r, step, verdict);
  }
}

/** Nobody can say. A key that the receiver still knows is sent again where its answer tells what to undo; else a person decides. */
function settleUnknown(r: LiveRun, step: OpenStep, spec: EffectSpec, seen: ObservedFailure, code: string, reason: string): void {
  if (!mustBeUndone(r, step)) return r.arrive({ ...seen, type: "failed", step, diagnosis: reason });
  if (spec.guarantee.class === "KEYED" && !step.resentToLearn && isKeyRemembered(r, step, spec))
    return r.arrive({ type: "redispatch", step, learns: true, diagnosis: reason });
  r.arrive({ type: "doubt", step, code, reason });
}

/** It had its place when the run was ending already: nothing of this attempt was sent. */
export function settleNeverBegun(r: LiveRun, step: OpenStep, spec: EffectSpec): void {
  if (step.mayHaveBeenSent && mustBeSettledFirst(r, step)) return settleInFlight(r, step, spec);
  const failure = failureFrom("PAWL1032", "the run ended before this step began");
  r.arrive({ type: "failed", step, category: step.mayHaveBeenSent ? "ABANDONED" : "NOT_SENT", failure });
}
