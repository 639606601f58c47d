// Control rows: cancel, pause, resume, terminate, answers to effects in doubt, and steps that a person takes off their queue. They are requests in the inbox until the owner takes them; then they
// are events, once. Pause, resume and terminate need no code, so any engine (or the CLI) may apply them to a run whose
// code nobody has (K5).
import { onlyWaits } from "../../core/step-kind-facts.ts";
import type { Code } from "../../errors/catalogue.ts";
import { PawlError } from "../../errors/error.ts";
import { decisionId as decisionIdOf } from "../../events/open-decisions.ts";
import { jsonObject, pawlEvents, jsonValue, readPayload } from "../../events/payload.ts";
import type { ControlName, InboxRow } from "../../store/port.ts";
import { takeAnswer } from "../decisions/decide.ts";
import { abandonedState, abandonedRetryState, effectDraft, type EffectState } from "../effects/ledger.ts";
import type { PendingEvent } from "../run/commit-draft.ts";
import type { LiveRun } from "../run/live-run.ts";
import type { RecordedStep } from "../run/history.ts";
import { inputBeforeApproval, type OpenStep } from "../steps/open-step.ts";
import { kinds } from "../steps/kind-table.ts";
import { dispatchKey } from "../queued/queued-state.ts";
import { takeBack } from "../queued/take-back.ts";
import { knowsClaims } from "../queued/withdraw.ts";
import { failureFrom } from "../steps/outcome.ts";
import { parentNotices } from "./notices.ts";
import { senderOf } from "./sender.ts";

interface ControlPayload {
  readonly reason?: string;
  readonly by?: string;
  readonly decisionId?: string;
  /** Somebody waits for what became of it: the owner replies. */
  readonly requestId?: string;
  /** The head of the log that the sender has seen: nothing is done when it has moved on. */
  readonly expectHead?: number;
}
/** Who answered which question of the run as a whole, by which row. */
interface Answerer {
  readonly by: string;
  readonly decisionId: string;
  readonly inboxId: number;
}

const appliedReply = jsonObject({ ok: "true", state: jsonValue("applied") });

/** W-031: nobody waited for it to end. */
const terminatedState: EffectState = {
  status: "indeterminate",
  phase: "settled",
  error: { category: "INDETERMINATE", message: "the run was terminated" },
};

export function takeControl(r: LiveRun, row: InboxRow): void {
  const { reason, by, decisionId, expectHead } = readPayload<ControlPayload>(row.payload);
  const who = by === undefined || decisionId === undefined ? undefined : { by, decisionId, inboxId: row.inboxId };
  // The first answer counts: one to a question that is closed changes nothing, least of all a run that has continued since.
  if (who !== undefined && row.name !== "resolve" && who.decisionId !== decisionIdOf(r.row.runId, r.state.decisionSeq ?? 0)) {
    return refuseRow(r, row, "nothing waits for this decision: it was answered, or the run continued");
  }
  if ((row.name === "pause" || row.name === "cancel") && r.state.continuesAsNew) return; // it is not lost: the next run takes it (K18)
  const earlier = r.controlIds.get(row.id);
  if (earlier !== undefined && earlier !== row.name && row.name !== "resolve")
    // P-25: one id, one control
    return refuseRow(r, row, `its id is that of a ${earlier} of this run`, "PAWL4011");
  r.controlIds.set(row.id, row.name);
  const head = r.commits.headSeq;
  if (expectHead !== undefined && expectHead !== head)
    return refuseRow(r, row, `the run's log has moved on: its head is ${head}, not ${expectHead}`, "PAWL4083");
  switch (row.name as ControlName) {
    case "pause":
      return takePause(r, reason, row);
    case "resume":
      return takeResume(r, reason, row, who);
    case "cancel":
      return takeCancel(r, reason, row);
    case "fail":
      return takeStale(r, reason ?? "", row);
    case "terminate":
      if (who !== undefined) recordAnswer(r, "fail", reason, row, who, true);
      return takeTerminate(r, reason, row);
    case "resolve":
      return takeAnswer(r, row);
    case "hold": {
      const problem = takeBack(r, row);
      if (problem === undefined) return consumeRow(r, row);
      if (problem !== null) return refuseRow(r, row, problem, "PAWL4010");
      r.commits.draft.taken.delete(row.inboxId); // it is left for an engine that has the code
      return;
    }
    case "wake": // it is read now, which is all that was wanted
    default:
      r.commits.draft.eventless.consumed.push(row.inboxId); // a name of a later version: taken, and nothing else
  }
}

/** Taken, with nothing to do: the run is already as it was asked to be. */
function consumeRow(r: LiveRun, row: InboxRow): void {
  r.commits.draft.eventless.consumed.push(row.inboxId);
  const { reply } = taken(row);
  if (reply !== undefined) r.commits.draft.eventless.replies.push(reply);
}
/** Taken, and refused with a reason: nothing is done. */
function refuseRow(r: LiveRun, row: InboxRow, problem: string, code?: Code): void {
  r.commits.draft.eventless.consumed.push(row.inboxId);
  const reply = jsonObject({ ok: "false", code: jsonValue(code), problem: jsonValue(problem) });
  r.commits.draft.eventless.replies.push({ inboxId: row.inboxId, reply });
}
/** What the event that does it carries: the row is consumed, and who asked learns it in the same Commit. */
function taken(row: InboxRow): Pick<PendingEvent, "consumed" | "reply"> {
  const asked = readPayload<ControlPayload>(row.payload).requestId !== undefined;
  return { consumed: [row.inboxId], ...(asked ? { reply: { inboxId: row.inboxId, reply: appliedReply } } : {}) };
}

function reasonPayload(reason: string | undefined, row: InboxRow): string {
  return jsonObject({ reason: jsonValue(reason), principal: senderOf(row) });
}

function takePause(r: LiveRun, reason: string | undefined, row: InboxRow): void {
  // What has not begun cannot be paused: the row stays, and is taken as it begins.
  if (r.status === "PENDING") return r.state.addPendingPause([row.inboxId]);
  if (r.status === "PAUSED") return consumeRow(r, row);
  if (r.status !== "RUNNING" || r.state.isEnding) return refuseRow(r, row, "the run is ending: it cannot be paused", "PAWL4010");
  r.commits.append({ eventType: "RunPaused", stepId: null, payload: reasonPayload(reason, row), ...taken(row) });
  r.state.pause();
}

/** `row`: what asked for it. It is consumed here unless `laterEvent` does that. */
function recordAnswer(r: LiveRun, answer: string, reason: string | undefined, asked: InboxRow, who?: Answerer, laterEvent = false): void {
  const { decisionId, by, inboxId } = who ?? {};
  const payload = jsonObject({
    decisionId: jsonValue(decisionId),
    answer: jsonValue(answer),
    by: jsonValue(by),
    reason: jsonValue(reason),
    principal: senderOf(asked),
  });
  const reply = inboxId === undefined ? {} : { reply: { inboxId, reply: appliedReply } };
  r.commits.append({ eventType: pawlEvents.decisionAnswered, stepId: null, payload, ...(laterEvent ? {} : taken(asked)), ...reply });
  r.state.answerDecision();
}

function takeResume(r: LiveRun, reason: string | undefined, row: InboxRow, who?: Answerer): void {
  if (r.state.needsDecision) {
    recordAnswer(r, who === undefined ? "resume" : "retry", reason, row, who);
    return r.releaseForReload();
  }
  if (r.state.isDiverged && who !== undefined) recordAnswer(r, "retry", reason, row, who, true);
  if (r.status !== "PAUSED") {
    r.commits.draft.eventless.consumed.push(...r.state.takePendingPauses());
    return consumeRow(r, row);
  }
  recordResumed(r, reason, row);
}

function recordResumed(r: LiveRun, reason: string | undefined, row: InboxRow | null): void {
  const payload = row === null ? jsonObject({ reason: jsonValue(reason) }) : reasonPayload(reason, row);
  r.commits.append({ eventType: "RunResumed", stepId: null, payload, ...(row === null ? {} : taken(row)) });
  const held = r.state.resume();
  if (!r.hasCode) return r.releaseForReload(); // the next owner runs its code from the log
  for (const a of held) r.arrive(a);
}

/** K19: a cancel of a paused run resumes it first; its open steps fail in the code; compensations follow. */
function takeCancel(r: LiveRun, reason: string | undefined, row: InboxRow): void {
  if (r.status === "PENDING") {
    r.commits.append({
      eventType: "RunCancelled",
      stepId: null,
      payload: reasonPayload(reason, row),
      ...taken(row),
      notices: parentNotices(r, "CANCELLED", jsonObject({ reason: jsonValue(reason) })),
    });
    return;
  }
  if (r.definition === null) {
    // Compensations need the code: the row is left for an engine that has it.
    r.commits.draft.taken.delete(row.inboxId);
    return;
  }
  if (r.state.isEnding) return consumeRow(r, row);
  if (r.status === "PAUSED") recordResumed(r, "cancelled while paused", null);
  if (r.state.needsDecision)
    r.commits.append({
      eventType: pawlEvents.decisionAnswered,
      stepId: null,
      payload: jsonObject({ answer: jsonValue("cancel"), reason: jsonValue(reason), principal: senderOf(row) }),
    });
  r.state.answerDecision();
  r.commits.append({
    eventType: pawlEvents.cancelRequested,
    stepId: null,
    payload: reasonPayload(reason, row),
    ...taken(row),
  });
  r.state.stop({ kind: "cancel", reason });
  if (!r.hasCode) r.releaseForReload();
}

/** TX-14: it ends as failed, like a run that passed its deadline: open steps end, compensations follow. What a person has stopped or is asked about is left to them. */
function takeStale(r: LiveRun, reason: string, row: InboxRow): void {
  if (r.status !== "RUNNING" || r.state.isPaused) return refuseRow(r, row, "the run is not running", "PAWL4010");
  if (r.state.needsDecision) return refuseRow(r, row, "the run waits for a person", "PAWL4010");
  if (r.state.isEnding) return consumeRow(r, row);
  if (r.definition === null) {
    r.commits.draft.taken.delete(row.inboxId); // as of a cancel: compensations need the code
    return;
  }
  r.commits.append({
    eventType: pawlEvents.cancelRequested,
    stepId: null,
    payload: jsonObject({ category: jsonValue("STALE"), reason: jsonValue(reason) }),
    ...taken(row),
  });
  r.state.stop({ kind: "stale", reason });
  if (!r.hasCode) r.releaseForReload();
}

/** Between two attempts no event of a step is open; its record must not say that another attempt comes. */
function giveUpRetry(r: LiveRun, step: OpenStep | RecordedStep | undefined): void {
  if (step?.state !== "retrying") return;
  r.steps.close(step.stepId);
  const effect = effectDraft(r, ledgerSubject(step), abandonedRetryState(step));
  if (effect !== undefined) r.commits.draft.eventless.effects.push(effect);
}
function ledgerSubject(step: OpenStep | RecordedStep): Parameters<typeof effectDraft>[1] {
  return "seq" in step ? step : { ...step, seq: step.runSeq };
}

/** Its dispatch was taken back before anybody had claimed it. */
function isUnclaimed(r: LiveRun, step: OpenStep | RecordedStep): boolean {
  const seq = "seq" in step ? (step.queue?.open?.seq ?? 0) : (step.queue?.seq ?? 0);
  const { unclaimed } = r.dispatches;
  return (
    seq !== 0 &&
    unclaimed !== null &&
    (unclaimed.has(dispatchKey({ seq, what: "run" })) || unclaimed.has(dispatchKey({ seq, what: "undo" })))
  );
}

/** Waits for nothing: open effects close as indeterminate, open waits as abandoned. */
function takeTerminate(r: LiveRun, reason: string | undefined, row: InboxRow): void {
  // What is on queues is taken back first: then it is known what was never sent.
  if (!knowsClaims(r, () => takeTerminate(r, reason, row))) return;
  closeWithoutCode(r);
  const payload = jsonObject({ terminated: "true", reason: jsonValue(reason), principal: senderOf(row) });
  r.commits.append({ eventType: "RunCancelled", stepId: null, payload, ...taken(row), notices: parentNotices(r, "CANCELLED", payload) });
}

/** AX-18: engine after engine died on it. It fails as it stands, and no engine runs its code again, not even to undo. */
export function failGivenUp(r: LiveRun, reason: string): void {
  if (!knowsClaims(r, () => failGivenUp(r, reason))) return;
  closeWithoutCode(r);
  const payload = jsonObject({ error: jsonValue(failureFrom("PAWL2016", reason)), category: jsonValue("GIVEN_UP") });
  r.commits.append({ eventType: "RunFailed", stepId: null, payload, notices: parentNotices(r, "FAILED", payload) });
}

function closeWithoutCode(r: LiveRun): void {
  for (const [stepId, s] of r.commits.derived.steps) {
    const open = r.steps.get(stepId);
    if (s.status !== "RUNNING") {
      giveUpRetry(r, open ?? (r.hasCode ? undefined : r.replay.recordedStep(stepId)));
      continue;
    }
    const past = open ?? r.replay.recordedStep(stepId);
    // What nobody approved or claimed cannot have happened, unless an attempt before this one may have.
    const unclaimed = past !== undefined && isUnclaimed(r, past) && !past.mayHaveBeenSent;
    const unsent = past?.awaitingApproval === true || unclaimed;
    open?.abort?.(new PawlError("PAWL1014", "the run was terminated"));
    r.steps.close(stepId);
    r.commits.append({
      eventType: "StepFailed",
      stepId,
      logical: s.attempt,
      engine: past?.engineAttempt ?? 1,
      payload: jsonObject({
        error: jsonValue({ name: "Terminated", message: "the run was terminated while this step was open" }),
        category: jsonValue(unsent || onlyWaits(past?.started.kind) ? "ABANDONED" : "INDETERMINATE"),
      }),
      effect:
        past === undefined
          ? undefined
          : effectDraft(
              r,
              ledgerSubject(past),
              unsent ? abandonedState : terminatedState,
              open === undefined ? null : inputBeforeApproval(open),
            ),
      notices: past === undefined ? undefined : kinds[past.started.kind]?.terminateNotices(r, stepId, past.started),
    });
  }
  r.updates.refusePending();
}
