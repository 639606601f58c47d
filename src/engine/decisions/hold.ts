// A step whose final failure waits for a person (`onFailure: "hold"`), while the rest of the run continues. The failure is an
// event; the attempt stays open until an answer says what becomes of it: another attempt, a result, a skip, or the failure. Each answer
// says who and why. It must never hold what the run's end closes, nor what a person has decided already.
import type { Failure } from "../../codec/failure.ts";
import type { StepCategory } from "../../errors/step-errors.ts";
import { jsonObject, jsonValue, pawlEvents, type AnswerPayload } from "../../events/payload.ts";
import { holdsFailure } from "../calls.ts";
import { abandonedRetryState, effectDraft, effectStatusOfFailure, ranBy } from "../effects/ledger.ts";
import { claimMembers, closeDispatch } from "../queued/dispatch.ts";
import { proposalOf, skippedAttempt } from "../fold/recorded-step.ts";
import type { LiveRun } from "../run/live-run.ts";
import type { OpenStep } from "../steps/open-step.ts";
import { deliverFailed } from "../steps/outcome.ts";
import { notifyWhenCommitted } from "./decision-notice.ts";

interface FinalFailure {
  readonly failure: Failure;
  readonly category: StepCategory;
  readonly via?: "decision" | "verify";
  readonly decided?: true;
}

/** What ends with the run, or was refused by a person or the store, is never held. */
const neverHeld: ReadonlySet<StepCategory> = new Set(["CANCELLED", "ABANDONED", "NOT_APPROVED", "REFUSED", "SKIPPED"]);

export function isHeld(step: OpenStep, a: FinalFailure): boolean {
  return holdsFailure(step.spec) && step.undoes === null && a.decided !== true && !neverHeld.has(a.category);
}

export function holdStep(r: LiveRun, step: OpenStep, { failure, category }: FinalFailure): void {
  step.held = { failure, category };
  step.state = "doubt";
  step.abort = null;
  step.proposal = null;
  if (category !== "NOT_SENT") step.mayHaveBeenSent = true;
  const status = effectStatusOfFailure(step, category, false);
  const { consumed, ends, facts } = closeDispatch(r, step);
  if (step.queue !== null) step.queue.facts = facts; // the end of the attempt says it again
  r.commits.append({
    eventType: pawlEvents.held,
    stepId: null,
    payload: jsonObject({
      stepId: jsonValue(step.stepId),
      attempt: String(step.attempt),
      error: jsonValue(failure),
      category: jsonValue(category),
      ...claimMembers(facts),
    }),
    consumed,
    ends,
    effect: effectDraft(r, step, ranBy({ status, phase: "doubt", error: { category, message: failure.message } }, facts)),
    ...notifyWhenCommitted(r, { kind: "failure", code: "PAWL2012", reason: failure.message }, (runSeq) => (step.doubtSeq = runSeq)),
  });
}

/** What a person may say of a held step, once it counts. False: it is no answer to this. */
export function isHeldAnswer(answer: AnswerPayload["answer"]): boolean {
  return answer === "retry" || answer === "complete" || answer === "resolve" || answer === "skip" || answer === "fail";
}

export function applyHeldAnswer(r: LiveRun, step: OpenStep, a: AnswerPayload): void {
  const { failure, category } = step.held!;
  step.held = null;
  step.state = "recovering";
  switch (a.answer) {
    case "retry": // attempt n + 1, at once
      return r.arrive({ type: "failed", step, category, failure, decided: true, retryAt: r.host.storeNowMs() });
    case "complete":
      return r.arrive({ type: "completed", step, result: proposalOf(a).result, via: "decision" });
    case "resolve":
      return r.arrive({ type: "completed", step, result: null, via: "decision", resolved: true });
    case "skip":
      return r.arrive({ type: "failed", step, category, failure, decided: true, skips: true, retryAt: r.host.storeNowMs() });
    default:
      return r.arrive({ type: "failed", step, category, failure, decided: true });
  }
}

/** The failed attempt is closed; the next one will not be made: a person said so, or the code that called it has ended. */
export function skipNextAttempt(r: LiveRun, step: OpenStep, why: keyof typeof skippedAttempt): void {
  step.attempt++;
  step.engineAttempt = 1;
  const effect = effectDraft(r, step, abandonedRetryState(step));
  const payload = jsonObject({ why: jsonValue(why), by: "[]" });
  const at = r.commits.append({ eventType: "StepSkipped", stepId: step.stepId, logical: step.attempt, payload, effect });
  const { error, category } = skippedAttempt[why];
  deliverFailed(r, step, error, category, at);
}

/** The run ends: nobody is asked any more. */
export function closeHeld(r: LiveRun, step: OpenStep): "open" {
  const { failure, category } = step.held!;
  step.held = null;
  step.state = "recovering";
  r.arrive({ type: "failed", step, category, failure, decided: true });
  return "open";
}
