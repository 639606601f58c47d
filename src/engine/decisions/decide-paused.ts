// An answer to an effect in doubt while its run is paused. A paused run keeps no code, and an outcome needs none: who, why and what
// follows are recorded in one Commit, and reach the code after RunResumed, as every outcome of a pause does (K13). It must never send
// anything: an approval would, and is refused with the way to give it.
import { settleDefaultMs } from "../../core/guarantee.ts";
import { parseDecisionId } from "../../events/open-decisions.ts";
import { mayArriveUntil } from "../../events/effect-history.ts";
import { jsonObject, jsonValue, type AnswerPayload } from "../../events/payload.ts";
import { proposalOf, type RecordedStep } from "../run/history.ts";
import { completedState, effectDraft, effectStatusOfFailure } from "../effects/ledger.ts";
import type { LiveRun } from "../run/live-run.ts";
import { completedPayload, failureFrom } from "../steps/outcome.ts";

/** `recorded`: writes who said it, and says whether it counts already. */
export function takeAnswerWhilePaused(
  r: LiveRun,
  a: AnswerPayload,
  refuse: (problem: string) => void,
  recorded: (past: RecordedStep) => boolean,
): void {
  const { workflowId } = r.row;
  const past = r.replay.stepWaitingAt(parseDecisionId(a.decisionId)?.runSeq ?? 0);
  if (past === undefined) return refuse("nothing waits for this decision: it was answered, or the run continued");
  if (past.awaitingApproval)
    return refuse(`the run is paused, and what is approved is sent at once: first resume it (pawl resume ${workflowId}), then answer`);
  if (past.held !== null) return refuse(`the run is paused: first resume it (pawl resume ${workflowId}), then answer`);
  if (a.answer !== "happened" && a.answer !== "did-not-happen" && a.answer !== "fail")
    return refuse(`${String(a.answer)} is not a valid answer here`);
  const now = r.host.storeNowMs();
  const { timeoutMs = 0, settleMs = settleDefaultMs } = past.started;
  const settledAt = mayArriveUntil({ lastAt: past.lastAt, timeoutMs, settleMs });
  if (a.answer === "did-not-happen" && now < settledAt)
    return refuse(`the last dispatch may still arrive until ${new Date(settledAt).toISOString()}`);
  if (recorded(past)) applyAnswerWhilePaused(r, past, a, now);
}

function applyAnswerWhilePaused(r: LiveRun, past: RecordedStep, a: AnswerPayload, now: number): void {
  const said = `${a.by ?? "somebody"} decided: ${a.reason ?? ""}`;
  const of = { ...past, seq: past.runSeq };
  const at = { stepId: past.stepId, logical: past.attempt, engine: past.engineAttempt };
  past.inDoubt = null;
  if (a.answer === "happened") {
    past.state = "completed";
    const { result } = proposalOf(a);
    r.commits.append({
      eventType: "StepCompleted",
      ...at,
      payload: completedPayload({ result, via: "decision" }),
      effect: effectDraft(r, of, completedState),
    });
    return r.host.metrics.countEffect(past.started.class, "completed");
  }
  const sends = a.answer === "did-not-happen";
  const category = sends ? "NOT_SENT" : "INDETERMINATE";
  const failure = failureFrom("PAWL2005", `${sends ? "it did not happen" : "given up"}; ${said}`);
  const status = effectStatusOfFailure({ started: past.started, mayHaveBeenSent: !sends }, category, sends);
  past.state = sends ? "retrying" : "failed";
  r.commits.append({
    eventType: "StepFailed",
    ...at,
    payload: jsonObject({
      error: jsonValue(failure),
      category: jsonValue(category),
      // A new logical attempt, when the run resumes.
      retryAt: sends ? jsonValue(new Date(now).toISOString()) : undefined,
      via: sends ? jsonValue("decision") : undefined,
    }),
    effect: effectDraft(r, of, { status, phase: sends ? "retrying" : "settled", error: { category, message: failure.message } }),
  });
  if (!sends) r.host.metrics.countEffect(past.started.class, status);
}
