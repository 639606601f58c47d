// Control rows: cancel, pause, resume, terminate, and answers to effects in doubt. They are requests in the inbox until the owner takes them; then they
// are events, once. Pause, resume and terminate need no code, so any engine (or the CLI) may apply them to a run whose
// code nobody has (K5).
import { onlyWaits } from "../../core/step-kind-facts.ts";
import { PawlError } from "../../errors/error.ts";
import { decisionId as decisionIdOf } from "../../events/open-decisions.ts";
import { jsonObject, pawlEvents, jsonValue, readPayload } from "../../events/payload.ts";
import type { ControlName, InboxRow } from "../../store/port.ts";
import { takeAnswer } from "../decisions/decide.ts";
import { abandonedState, abandonedRetryState, effectDraft, type EffectState } from "../effects/ledger.ts";
import type { LiveRun } from "../run/live-run.ts";
import type { RecordedStep } from "../run/history.ts";
import { inputBeforeApproval, type OpenStep } from "../steps/open-step.ts";
import { kinds } from "../steps/kind-table.ts";
import { parentNotices } from "./notices.ts";

interface ControlRequest {
  readonly reason?: string;
  readonly by?: string;
  readonly decisionId?: string;
}
/** Who answered which question of the run as a whole, by which row. */
interface Answerer {
  readonly by: string;
  readonly decisionId: string;
  readonly inboxId: number;
}

/** W-031: nobody waited for it to end. */
const terminatedState: EffectState = {
  status: "indeterminate",
  phase: "settled",
  error: { category: "INDETERMINATE", message: "the run was terminated" },
};

export function takeControl(r: LiveRun, row: InboxRow): void {
  const { reason, by, decisionId } = readPayload<ControlRequest>(row.payload);
  const consumed = [row.inboxId];
  const who = by === undefined || decisionId === undefined ? undefined : { by, decisionId, inboxId: row.inboxId };
  // The first answer counts: one to a question that is closed changes nothing, least of all a run that has continued since.
  if (who !== undefined && row.name !== "resolve" && who.decisionId !== decisionIdOf(r.row.runId, r.state.decisionSeq ?? 0)) {
    const problem = "nothing waits for this decision: it was answered, or the run continued";
    r.commits.draft.eventless.consumed.push(row.inboxId);
    r.commits.draft.eventless.replies.push({ inboxId: row.inboxId, reply: jsonObject({ ok: "false", problem: jsonValue(problem) }) });
    return;
  }
  if ((row.name === "pause" || row.name === "cancel") && r.state.continuesAsNew) return; // it is not lost: the next run takes it (K18)
  switch (row.name as ControlName) {
    case "pause":
      return takePause(r, reason, consumed);
    case "resume":
      return takeResume(r, reason, consumed, who);
    case "cancel":
      return takeCancel(r, reason, row);
    case "terminate":
      if (who !== undefined) recordAnswer(r, "fail", reason, [], who);
      return takeTerminate(r, reason, consumed);
    case "resolve":
      return takeAnswer(r, row);
    case "wake": // it is read now, which is all that was wanted
    default:
      r.commits.draft.eventless.consumed.push(row.inboxId); // a name of a later version: taken, and nothing else
  }
}

function takePause(r: LiveRun, reason: string | undefined, consumed: readonly number[]): void {
  // What has not begun cannot be paused: the row stays, and is taken as it begins.
  if (r.status === "PENDING") return r.state.addPendingPause(consumed);
  if (r.status !== "RUNNING" || r.state.isEnding) return void r.commits.draft.eventless.consumed.push(...consumed);
  r.commits.append({ eventType: "RunPaused", stepId: null, payload: jsonObject({ reason: jsonValue(reason) }), consumed });
  r.state.pause();
}

function recordAnswer(r: LiveRun, answer: string, reason: string | undefined, consumed: readonly number[], who?: Answerer): void {
  const { decisionId, by, inboxId } = who ?? {};
  const payload = jsonObject({
    decisionId: jsonValue(decisionId),
    answer: jsonValue(answer),
    by: jsonValue(by),
    reason: jsonValue(reason),
  });
  const reply = inboxId === undefined ? undefined : { inboxId, reply: jsonObject({ ok: "true", state: jsonValue("applied") }) };
  r.commits.append({ eventType: pawlEvents.decisionAnswered, stepId: null, payload, consumed, reply });
  r.state.answerDecision();
}

function takeResume(r: LiveRun, reason: string | undefined, consumed: readonly number[], who?: Answerer): void {
  if (r.state.needsDecision) {
    recordAnswer(r, who === undefined ? "resume" : "retry", reason, consumed, who);
    return r.releaseForReload();
  }
  if (r.state.isDiverged && who !== undefined) recordAnswer(r, "retry", reason, [], who);
  if (r.status !== "PAUSED") return void r.commits.draft.eventless.consumed.push(...r.state.takePendingPauses(), ...consumed);
  recordResumed(r, reason, consumed);
}

function recordResumed(r: LiveRun, reason: string | undefined, consumed: readonly number[]): void {
  r.commits.append({ eventType: "RunResumed", stepId: null, payload: jsonObject({ reason: jsonValue(reason) }), consumed });
  const held = r.state.resume();
  if (!r.hasCode) return r.releaseForReload(); // the next owner runs its code from the log
  for (const a of held) r.arrive(a);
}

/** K19: a cancel of a paused run resumes it first; its open steps fail in the code; compensations follow. */
function takeCancel(r: LiveRun, reason: string | undefined, row: InboxRow): void {
  const consumed = [row.inboxId];
  if (r.status === "PENDING") {
    r.commits.append({
      eventType: "RunCancelled",
      stepId: null,
      payload: jsonObject({ reason: jsonValue(reason) }),
      consumed,
      notices: parentNotices(r, "CANCELLED", jsonObject({ reason: jsonValue(reason) })),
    });
    return;
  }
  if (r.definition === null) {
    // Compensations need the code: the row is left for an engine that has it.
    r.commits.draft.taken.delete(row.inboxId);
    return;
  }
  if (r.state.isEnding) return void r.commits.draft.eventless.consumed.push(row.inboxId);
  if (r.status === "PAUSED") recordResumed(r, "cancelled while paused", []);
  if (r.state.needsDecision)
    r.commits.append({
      eventType: pawlEvents.decisionAnswered,
      stepId: null,
      payload: jsonObject({ answer: jsonValue("cancel"), reason: jsonValue(reason) }),
    });
  r.state.answerDecision();
  r.commits.append({ eventType: pawlEvents.cancelRequested, stepId: null, payload: jsonObject({ reason: jsonValue(reason) }), consumed });
  r.state.stop({ kind: "cancel", reason });
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

/** Waits for nothing: open effects close as indeterminate, open waits as abandoned. */
function takeTerminate(r: LiveRun, reason: string | undefined, consumed: readonly number[]): void {
  for (const [stepId, s] of r.commits.derived.steps) {
    const open = r.steps.get(stepId);
    if (s.status !== "RUNNING") {
      giveUpRetry(r, open ?? (r.hasCode ? undefined : r.replay.recordedStep(stepId)));
      continue;
    }
    const past = open ?? r.replay.recordedStep(stepId);
    const unsent = past?.awaitingApproval === true; // what nobody approved cannot have happened
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
  const payload = jsonObject({ terminated: "true", reason: jsonValue(reason) });
  r.commits.append({ eventType: "RunCancelled", stepId: null, payload, consumed, notices: parentNotices(r, "CANCELLED", payload) });
}
