// What effects, transactions and compensations have in common: they act outside the log. An attempt that an earlier owner began is
// recovered by its class, a retry waits for its time, and one in flight when the run ends is aborted and awaited (K19). It must never
// begin an attempt by itself: what an event starts, starts when it is acknowledged.
import { PawlError } from "../../errors/error.ts";
import type { StepStartedPayload } from "../../events/payload.ts";
import type { Notice } from "../../store/port.ts";
import { askPersonIfChainSays } from "../chain/adopt.ts";
import { skipNextAttempt } from "../decisions/hold.ts";
import { canBeAsked } from "../effects/verdict.ts";
import { recover } from "../effects/recover.ts";
import { resumeQueued } from "../queued/resume-queued.ts";
import { withdrawStep } from "../queued/withdraw.ts";
import type { Arrival } from "../run/arrivals.ts";
import { mustBeSettledFirst, mustBeUndone } from "../run/ending.ts";
import type { RecordedStep } from "../run/history.ts";
import type { LiveRun } from "../run/live-run.ts";
import { abandonStep } from "./abandon.ts";
import type { UndoPlan } from "./compensation-plan.ts";
import type { OpenStep } from "./open-step.ts";
import { failureFrom } from "./outcome.ts";
import type { Closing, StepKind } from "./step-kind.ts";

/** How long an aborted effect without a limit of its own is awaited. */
const abortGraceMs = 60_000;
const abortedSteps = new WeakSet<OpenStep>();

export abstract class ActingKind<B> implements StepKind<B> {
  readonly actsOutside = true;
  readonly waiting = null;

  abstract dispatch(r: LiveRun, step: OpenStep<B>): void;
  abstract hasCompensation(step: OpenStep<B>): boolean;
  abstract undoPlan(step: OpenStep<B>, result: string | null, past: RecordedStep | undefined): UndoPlan | null;

  open(_r: LiveRun, _step: OpenStep<B>): void {}
  started(_r: LiveRun, _step: OpenStep<B>): void {}
  childCreated(_r: LiveRun, _step: OpenStep<B>, _created: boolean): void {}
  resume(r: LiveRun, step: OpenStep<B>, past: RecordedStep): void {
    if (r.refused.has(step.stepId))
      r.arrive({ type: "failed", step, category: "REFUSED", failure: failureFrom("PAWL3018", "the database did not accept this outcome") });
    else if (past.skipping) skipNextAttempt(r, step, "operator");
    else if (past.state === "retrying") {
      step.state = "retrying";
      step.dueAt = past.retryAt;
    } else if (past.awaitingApproval) step.state = "asked";
    else if (past.inDoubt !== null) step.state = "doubt";
    else if (resumeQueued(r, step, past)) return;
    else if (!askPersonIfChainSays(r, step)) recover(r, step);
  }
  fire(r: LiveRun, step: OpenStep<B>, notBefore: number): void {
    if (step.state === "recovering") return recover(r, step);
    if (step.state === "queued") return r.arrive(stoppedTooLate(step)); // its worker was asked to stop, and has not
    r.arrive({ type: "retry", step, notBefore });
  }
  close(r: LiveRun, step: OpenStep<B>): Closing {
    if (step.state === "queued") {
      if (!step.resentToLearn) withdrawStep(r, step); // one that only asks what happened continues
      return "open";
    }
    if (step.state === "running" || step.state === "recovering") {
      if (step.state === "running" && !step.resentToLearn) abortAndAwait(r, step); // one that is only being asked about continues
      return "open";
    }
    if (step.mayHaveBeenSent && mustBeSettledFirst(r, step)) {
      // An attempt before may have been sent: the next one begins now, and is asked about before the run ends.
      if (step.state === "starting") return "open";
      if ((step.spec !== null && canBeAsked(step.spec)) || mustBeUndone(r, step)) {
        r.arrive({ type: "retry", step });
        return "retried";
      }
    }
    return abandonStep(r, step);
  }
  terminateNotices(_r: LiveRun, _stepId: string, _started: StepStartedPayload): readonly Notice[] | undefined {
    return undefined;
  }
  pollMs(_step: OpenStep<B>): number | null {
    return null;
  }
  mattersUnawaited(_step: OpenStep<B>): boolean {
    return true;
  }
}

function abortAndAwait(r: LiveRun, step: OpenStep): void {
  if (abortedSteps.has(step)) return;
  abortedSteps.add(step);
  step.abort?.(new PawlError("PAWL1014", "the run is ending"));
  if (step.spec === null || step.spec.timeoutMs !== null) return; // its own limit ends the wait
  r.host.platform.timer(abortGraceMs, () => r.arrive(stoppedTooLate(step)));
}

function stoppedTooLate(step: OpenStep): Extract<Arrival, { type: "failed" }> {
  return { type: "failed", step, category: "ABANDONED", failure: failureFrom("PAWL1032", "it did not stop when the run ended") };
}
