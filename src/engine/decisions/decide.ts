// What people answered to an effect in doubt (K27), a step that needs approval, or a confirmation: a row in the inbox until the owner takes it;
// then an event that says who and why, and what it leads to, in one Commit. An answer that is not legal now is refused with its reason, and
// changes nothing. "It did not happen" is not believed before the last dispatch can no longer arrive (K25).
import { settleDefaultMs } from "../../core/guarantee.ts";
import { decisionId } from "../../events/open-decisions.ts";
import { mayArriveUntil } from "../../events/effect-history.ts";
import { jsonObject, pawlEvents, jsonValue, readPayload, type AnswerPayload } from "../../events/payload.ts";
import type { InboxRow } from "../../store/port.ts";
import { proposalOf } from "../run/history.ts";
import type { LiveRun } from "../run/live-run.ts";
import { senderOf } from "../messages/sender.ts";
import { sendApproved } from "./approve.ts";
import { applyHeldAnswer, isHeldAnswer } from "./hold.ts";
import { problemOfResult } from "./given-result.ts";
import { takeQuestionAnswer } from "./question.ts";
import { hasOpenCompensation } from "../steps/compensation.ts";
import { stopUnconfirmed } from "../effects/confirm.ts";
import { takeAnswerWhilePaused } from "./decide-paused.ts";
import type { PendingEvent } from "../run/commit-draft.ts";
import type { OpenConfirmation } from "../effects/confirm-record.ts";
import type { OpenStep, Proposal } from "../steps/open-step.ts";
import { failureFrom } from "../steps/outcome.ts";
import { advanceSettling } from "../run/settle.ts";

export function takeAnswer(r: LiveRun, row: InboxRow): void {
  if (r.definition === null) {
    r.commits.draft.taken.delete(row.inboxId); // its outcome must reach the code: the row is left for an engine that has it
    return;
  }
  const a = readPayload<AnswerPayload>(row.payload);
  const refuse = (problem: string): void => {
    r.commits.draft.eventless.consumed.push(row.inboxId);
    r.commits.draft.eventless.replies.push({ inboxId: row.inboxId, reply: jsonObject({ ok: "false", problem: jsonValue(problem) }) });
  };
  if (a.answer === "answer") return takeQuestionAnswer(r, row, a, refuse);
  const confirmation = r.replay.confirmations?.open ?? null;
  if (confirmation !== null && a.decisionId === decisionId(r.row.runId, confirmation.runSeq))
    return takeConfirmationAnswer(r, row, a, confirmation, refuse);
  if (!r.hasCode) {
    if (r.state.isPaused && !r.state.isDiverged)
      return takeAnswerWhilePaused(r, a, refuse, (past) => recordIfFinal(r, row, a, past, past.stepId, refuse));
    return refuse("the run itself waits for a decision: answer that first (pawl decisions)");
  }
  const find = (): OpenStep | undefined =>
    [...r.steps.all()].find((s) => (s.state === "doubt" || s.state === "asked") && decisionId(r.row.runId, s.doubtSeq) === a.decisionId);
  // An answer may have waited for this owner, and is then taken before the run has continued undoing: the question comes first.
  const step = find() ?? (hasOpenCompensation(r) && advanceSettling(r) ? find() : undefined);
  if (step === undefined) return refuse("nothing waits for this decision: it was answered, or the run continued");
  if (step.state === "asked") return takeApprovalAnswer(r, row, a, step, refuse);
  if (step.held !== null && a.answer !== "did-not-happen") return takeHeldAnswer(r, row, a, step, refuse);
  if (a.answer !== "happened" && a.answer !== "did-not-happen" && a.answer !== "fail")
    return refuse(`${String(a.answer)} is not a valid answer here`);
  const now = r.host.storeNowMs();
  const settleMs = step.started.settleMs ?? settleDefaultMs;
  const settledAt = mayArriveUntil({ lastAt: step.lastAt, timeoutMs: step.started.timeoutMs ?? 0, settleMs });
  if (a.answer === "did-not-happen" && now < settledAt)
    return refuse(`the last dispatch may still arrive until ${new Date(settledAt).toISOString()}`);
  const problem = a.answer === "happened" ? problemOfResult(step, proposalOf(a).result) : null;
  if (problem !== null) return refuse(problem);
  // The store has the last word on the time: it refuses the answer before that (I10).
  const then = (): Partial<PendingEvent> => (a.answer === "did-not-happen" ? { notBefore: settledAt } : {});
  if (recordIfFinal(r, row, a, step, step.stepId, refuse, then)) applyAnswer(r, step, a, proposalOf(a).result, settledAt);
}

/** Approved, the answer is what sends it: nothing may be under way to its end. Refused, it fails, and was never sent. */
function takeApprovalAnswer(r: LiveRun, row: InboxRow, a: AnswerPayload, step: OpenStep, refuse: (problem: string) => void): void {
  if (r.state.isPaused) return refuse(`the run is paused: first resume it (pawl resume ${r.row.workflowId}), then answer`);
  if (r.state.isEnding) return refuse("the run is ending: nothing is sent any more");
  if (a.answer === "approve") return void recordIfFinal(r, row, a, step, step.stepId, refuse, () => sendApproved(r, step));
  if (a.answer !== "refuse") return refuse(`${String(a.answer)} is not a valid answer here`);
  if (!recordIfFinal(r, row, a, step, step.stepId, refuse)) return;
  step.state = "recovering";
  const failure = failureFrom("PAWL2034", `${a.by ?? "somebody"} refused it: ${a.reason ?? ""}`);
  r.arrive({ type: "failed", step, category: "NOT_APPROVED", via: "decision", failure });
}

/** Another attempt may send: nothing may be under way to the run's end, and a paused run begins nothing. */
function takeHeldAnswer(r: LiveRun, row: InboxRow, a: AnswerPayload, step: OpenStep, refuse: (problem: string) => void): void {
  if (r.state.isPaused) return refuse(`the run is paused: first resume it (pawl resume ${r.row.workflowId}), then answer`);
  if (!isHeldAnswer(a.answer)) return refuse(`${String(a.answer)} is not a valid answer here`);
  if (a.answer === "retry" && step.started.class === "AT-MOST-ONCE")
    return refuse("it may be sent only once: say that it did not happen, if that is certain"); // I6
  const problem = a.answer === "complete" || a.answer === "resolve" ? problemOfResult(step, proposalOf(a).result) : null;
  if (problem !== null) return refuse(problem);
  if (recordIfFinal(r, row, a, step, step.stepId, refuse)) applyHeldAnswer(r, step, a);
}

/** A person looked at what a verifier did not confirm. The run is read again from its log, with the answer in it. */
function takeConfirmationAnswer(
  r: LiveRun,
  row: InboxRow,
  a: AnswerPayload,
  question: OpenConfirmation,
  refuse: (problem: string) => void,
): void {
  if (!r.state.needsDecision || r.state.stopReason !== null)
    return refuse("nothing waits for this decision: it was answered, or the run is ending");
  if (a.answer !== "accept" && a.answer !== "retry" && a.answer !== "fail") return refuse(`${String(a.answer)} is not a valid answer here`);
  if (!recordIfFinal(r, row, a, question, undefined, refuse)) return;
  r.state.answerDecision();
  if (a.answer === "fail") stopUnconfirmed(r, `${question.reason}; ${a.by ?? "somebody"} decided: ${a.reason ?? ""}`);
  r.releaseForReload();
}

/** True when the answer counts: at once, or when a second person has said the same. */
function recordIfFinal(
  r: LiveRun,
  row: InboxRow,
  a: AnswerPayload,
  question: { proposal: Proposal | null },
  stepId: string | undefined,
  refuse: (problem: string) => void,
  then?: () => Partial<PendingEvent>,
): boolean {
  const proposal = proposalOf(a);
  const first = question.proposal;
  const confirms = first !== null && first.answer === proposal.answer && first.result === proposal.result;
  if (r.host.requireTwoApprovers && a.kind !== undefined && a.kind !== "person") {
    refuse(`two people decide this: ${proposal.by} is ${a.kind === "agent" ? "an agent" : "a service"}`);
    return false;
  }
  if (r.host.requireTwoApprovers && !(confirms && areTwoPeople(first, proposal))) {
    if (confirms && first.by !== proposal.by)
      refuse(`one of ${first.by} and ${proposal.by} made the other's token: a third person must confirm it`);
    else if (confirms) refuse(`${proposal.by} has said so already: another person must confirm it`);
    else {
      question.proposal = proposal;
      appendAnswer(r, pawlEvents.decisionProposed, row, stepId, a, "proposed");
    }
    return false;
  }
  appendAnswer(r, pawlEvents.decisionAnswered, row, stepId, a, "applied", r.host.requireTwoApprovers ? first?.by : undefined, then?.());
  return true;
}

/** Different subjects, and neither's token was made by the other: who can make a token can speak as its subject. */
function areTwoPeople(a: Proposal, b: Proposal): boolean {
  return a.by !== b.by && a.tokenBy !== b.by && b.tokenBy !== a.by;
}

function appendAnswer(
  r: LiveRun,
  eventType: string,
  row: InboxRow,
  stepId: string | undefined,
  a: AnswerPayload,
  state: string,
  proposedBy?: string,
  carried?: Partial<PendingEvent>,
): void {
  r.commits.append({
    eventType,
    stepId: null,
    payload: jsonObject({
      decisionId: jsonValue(a.decisionId),
      stepId: jsonValue(stepId),
      answer: jsonValue(a.answer),
      by: jsonValue(a.by),
      reason: jsonValue(a.reason),
      proposedBy: jsonValue(proposedBy),
      kind: jsonValue(a.kind),
      tokenBy: jsonValue(a.tokenBy),
      principal: senderOf(row),
      result: jsonValue(a.result),
    }),
    consumed: [row.inboxId],
    reply: { inboxId: row.inboxId, reply: jsonObject({ ok: "true", state: jsonValue(state) }) },
    ...carried,
  });
}

function applyAnswer(r: LiveRun, step: OpenStep, a: AnswerPayload, result: string | null, settledAt: number): void {
  const said = `${a.by ?? "somebody"} decided: ${a.reason ?? ""}`;
  step.held = null;
  step.state = "recovering";
  switch (a.answer) {
    case "happened":
      return r.arrive({ type: "completed", step, result, via: "decision" });
    case "did-not-happen":
      // A new logical attempt; while the run is ending there is none, and the failure is final.
      return r.arrive({
        type: "failed",
        step,
        category: "NOT_SENT",
        via: "decision",
        failure: failureFrom("PAWL2005", `it did not happen; ${said}`),
        retryAt: settledAt, // which has passed: the store takes the answer no sooner
      });
    default:
      return r.arrive({ type: "failed", step, category: "INDETERMINATE", failure: failureFrom("PAWL2005", `given up; ${said}`) });
  }
}
