// Answers to the questions of a run's code (ctx.ask). An answer is a row in the inbox until the owner takes it: who answers is checked, then the
// value, by the code's own schema. What does not fit is refused with its reason, and the question stays open. The first answer that fits counts;
// it is recorded with who gave it, and the row is consumed by the event that ends the step, so that no crash loses it (I9).
import { decode, encode } from "../../codec/value.ts";
import { answerRefusal } from "../../core/question.ts";
import { PawlError } from "../../errors/error.ts";
import { decisionId } from "../../events/open-decisions.ts";
import { jsonObject, jsonValue, pawlEvents, type AnswerPayload } from "../../events/payload.ts";
import type { InboxRow } from "../../store/port.ts";
import { senderOf } from "../messages/sender.ts";
import type { PendingEvent } from "../run/commit-draft.ts";
import type { LiveRun } from "../run/live-run.ts";
import type { AskBody, Vote } from "../steps/ask.ts";
import type { OpenStep } from "../steps/open-step.ts";
import { completedPayload, deliverCompleted } from "../steps/outcome.ts";
import { notifyWhenCommitted } from "./decision-notice.ts";

/** What the start of a question carries: its place is its id, and listeners learn of it. */
export function askPerson(r: LiveRun, step: OpenStep): Pick<PendingEvent, "onPlaced" | "onAck"> {
  const reason = step.started.ask?.text ?? "";
  return notifyWhenCommitted(r, { kind: "question", code: "PAWL2035", reason }, (runSeq) => (step.seq = runSeq));
}

type Refuse = (problem: string, code?: string) => void;

export function takeQuestionAnswer(r: LiveRun, row: InboxRow, a: AnswerPayload, refuse: (problem: string) => void): void {
  if (!r.hasCode) {
    if (r.state.isPaused && !r.state.isDiverged)
      return refuse(`the run is paused: first resume it (pawl resume ${r.row.workflowId}), then answer`);
    return refuse("the run itself waits for a decision: answer that first (pawl decisions)");
  }
  const refuseWith: Refuse = (problem, code) => {
    const reply = jsonObject({ ok: "false", code: jsonValue(code), problem: jsonValue(problem) });
    r.commits.draft.eventless.consumed.push(row.inboxId);
    r.commits.draft.eventless.replies.push({ inboxId: row.inboxId, reply });
  };
  const step = openQuestionAt(r, a.decisionId);
  if (step === undefined) return refuse(closed);
  const who = refusalOf(step, a);
  if (who !== undefined) return refuseWith(who, "PAWL4081");
  // A schema may answer later: the order of the answers is kept, and what is found out comes back as an arrival.
  r.mailbox.checkInOrder(async () => {
    const what = `the answer to ${step.name}`;
    try {
      const value = await step.body.check(a.result === undefined ? undefined : decode(JSON.stringify(a.result)), what);
      const encoded = encode(value, r.host.limits, what);
      r.arrive({ type: "message", take: () => takeChecked(r, row, a, step, encoded, refuseWith) });
    } catch (e) {
      const [problem, code] = e instanceof PawlError ? [e.message, e.code] : [`${what}: its schema threw ${nameOf(e)}`, "PAWL1008"];
      r.arrive({ type: "message", take: () => refuseWith(problem, code) });
    }
  });
}
const closed = "nothing waits for this decision: it was answered, or the run continued";

function nameOf(e: unknown): string {
  return e instanceof Error ? `${e.name}: ${e.message}` : typeof e;
}

function openQuestionAt(r: LiveRun, id: string): OpenStep<AskBody> | undefined {
  for (const s of r.steps.all())
    if (s.started.kind === "ask" && decisionId(r.row.runId, s.seq) === id) return s as OpenStep as OpenStep<AskBody>;
  return undefined;
}

function refusalOf(step: OpenStep<AskBody>, a: AnswerPayload): string | undefined {
  const answered = step.body.votes.map((v) => v.by);
  return answerRefusal(step.started.ask ?? { text: "" }, a.by ?? "", answered);
}

/** The value fits. Another answer, its time limit or the run's end may have come first. */
function takeChecked(r: LiveRun, row: InboxRow, a: AnswerPayload, step: OpenStep<AskBody>, value: string, refuse: Refuse): void {
  if (!r.steps.isOpen(step as OpenStep)) return refuse(closed);
  if (r.state.isEnding) return refuse("the run is ending: nothing is answered any more");
  const who = refusalOf(step, a);
  if (who !== undefined) return refuse(who, "PAWL4081");
  const at = new Date(r.host.storeNowMs()).toISOString();
  const vote: Vote = { by: a.by ?? "", at, submissionId: a.submissionId ?? "", value };
  const needed = step.started.ask?.votes ?? 1;
  const votes = [...step.body.votes, vote];
  const last = votes.length >= needed;
  const reply = { inboxId: row.inboxId, reply: jsonObject({ ok: "true", state: jsonValue(last ? "applied" : "proposed") }) };
  const consumed = { consumed: [row.inboxId], reply };
  r.commits.append({
    eventType: last ? pawlEvents.decisionAnswered : pawlEvents.decisionProposed,
    stepId: null,
    payload: answerPayload(row, a, step.stepId, vote, last),
    ...(last ? {} : consumed),
  });
  step.body.votes = votes;
  if (!last) return;
  const texts = votes.map(answerText);
  const result = needed === 1 ? texts[0]! : `[${texts.join(",")}]`;
  const event = r.commits.append({
    eventType: "StepCompleted",
    stepId: step.stepId,
    logical: step.attempt,
    engine: step.engineAttempt,
    payload: completedPayload({ result, via: "decision" }),
    ...consumed,
    onAck: () => r.host.platform.hit(`${step.stepId}:E`),
  });
  deliverCompleted(r, step as OpenStep, result, false, event);
}

function answerText({ value, by, at, submissionId }: Vote): string {
  return jsonObject({ value, by: jsonValue(by), at: jsonValue(at), submissionId: jsonValue(submissionId) });
}

/** The value is with the outcome, unless more people must answer: then it must be found again. */
function answerPayload(row: InboxRow, a: AnswerPayload, stepId: string, vote: Vote, last: boolean): string {
  return jsonObject({
    decisionId: jsonValue(a.decisionId),
    stepId: jsonValue(stepId),
    answer: jsonValue("answer"),
    by: jsonValue(vote.by),
    at: last ? undefined : jsonValue(vote.at),
    submissionId: jsonValue(vote.submissionId),
    reason: jsonValue(a.reason),
    kind: jsonValue(a.kind),
    tokenBy: jsonValue(a.tokenBy),
    principal: senderOf(row),
    result: last ? undefined : vote.value,
  });
}
