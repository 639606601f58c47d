// Control rows: cancel, pause, resume, terminate, and answers to effects in doubt. They are requests in the inbox until the owner takes them; then they
// are events, once. Pause, resume and terminate need no code, so any engine (or the CLI) may apply them to a run whose
// code nobody has (K5).
import type { StepKind } from "../core/model.ts";
import { PawlError } from "../errors/error.ts";
import { decisionId as decisionIdOf } from "../log/decisions.ts";
import { jsonObject, pawlEvents, quote, readPayload } from "../log/payload.ts";
import type { ControlName, InboxRow } from "../store/port.ts";
import { takeAnswer } from "./decide.ts";
import { abandoned, abandonedRetry, effectOf, type Standing } from "./ledger.ts";
import type { LiveRun } from "./live-run.ts";
import type { StepPast } from "./history.ts";
import { inputOfUnsent, type OpenStep } from "./open-step.ts";
import { cancelNotice, parentNotices } from "./notices.ts";
import { continues } from "./ending.ts";

interface Ask {
  readonly reason?: string;
  readonly by?: string;
  readonly decisionId?: string;
}
/** Who answered which question of the run as a whole, by which row. */
interface Who {
  readonly by: string;
  readonly decisionId: string;
  readonly inboxId: number;
}

/** W-031: nobody waited for it to end. */
const terminated: Standing = {
  status: "indeterminate",
  phase: "settled",
  error: { category: "INDETERMINATE", message: "the run was terminated" },
};

export function takeControl(r: LiveRun, row: InboxRow): void {
  const { reason, by, decisionId } = readPayload<Ask>(row.payload);
  const consumed = [row.inboxId];
  const who = by === undefined || decisionId === undefined ? undefined : { by, decisionId, inboxId: row.inboxId };
  // The first answer counts: one to a question that is closed changes nothing, least of all a run that has gone on since.
  if (who !== undefined && row.name !== "resolve" && who.decisionId !== decisionIdOf(r.row.runId, r.asksAt ?? 0)) {
    const problem = "nothing waits for this decision: it was answered, or the run went on";
    r.pen.draft.loose.consumed.push(row.inboxId);
    r.pen.draft.loose.replies.push({ inboxId: row.inboxId, reply: jsonObject({ ok: "false", problem: quote(problem) }) });
    return;
  }
  if ((row.name === "pause" || row.name === "cancel") && continues(r)) return; // it is not lost: the next run takes it (K18)
  switch (row.name as ControlName) {
    case "pause":
      return pause(r, reason, consumed);
    case "resume":
      return resume(r, reason, consumed, who);
    case "cancel":
      return cancel(r, reason, row);
    case "terminate":
      if (who !== undefined) answered(r, "fail", reason, [], who);
      return terminate(r, reason, consumed);
    case "resolve":
      return takeAnswer(r, row);
    case "wake": // it is read now, which is all that was wanted
    default:
      r.pen.draft.loose.consumed.push(row.inboxId); // a name of a later version: taken, and nothing else
  }
}

function pause(r: LiveRun, reason: string | undefined, consumed: readonly number[]): void {
  // What has not begun cannot be paused: the row stays, and is taken as it begins.
  if (r.status === "PENDING") return void r.pausesAhead.push(...consumed);
  if (r.status !== "RUNNING" || r.stopping !== null || r.end !== null) return void r.pen.draft.loose.consumed.push(...consumed);
  r.pen.append({ eventType: "RunPaused", stepId: null, payload: jsonObject({ reason: quote(reason) }), consumed });
  r.paused = true;
}

function answered(r: LiveRun, answer: string, reason: string | undefined, consumed: readonly number[], who?: Who): void {
  const { decisionId, by, inboxId } = who ?? {};
  const payload = jsonObject({ decisionId: quote(decisionId), answer: quote(answer), by: quote(by), reason: quote(reason) });
  const reply = inboxId === undefined ? undefined : { inboxId, reply: jsonObject({ ok: "true", state: quote("applied") }) };
  r.pen.append({ eventType: pawlEvents.decisionAnswered, stepId: null, payload, consumed, reply });
  r.asksAt = null;
}

function resume(r: LiveRun, reason: string | undefined, consumed: readonly number[], who?: Who): void {
  if (r.decision !== null) {
    answered(r, who === undefined ? "resume" : "retry", reason, consumed, who);
    r.decision = null;
    return r.reload();
  }
  if (r.stuck && who !== undefined) answered(r, "retry", reason, [], who);
  if (r.status !== "PAUSED") return void r.pen.draft.loose.consumed.push(...r.pausesAhead.splice(0), ...consumed);
  resumed(r, reason, consumed);
}

function resumed(r: LiveRun, reason: string | undefined, consumed: readonly number[]): void {
  r.pen.append({ eventType: "RunResumed", stepId: null, payload: jsonObject({ reason: quote(reason) }), consumed });
  r.paused = false;
  r.stuck = false;
  r.asksAt = null;
  if (!r.hasCode) return r.reload(); // whoever claims it next runs its code from the log
  for (const a of r.held.splice(0)) r.arrive(a);
}

/** K19: a cancel of a paused run resumes it first; the code is told through its open steps; compensations follow. */
function cancel(r: LiveRun, reason: string | undefined, row: InboxRow): void {
  const consumed = [row.inboxId];
  if (r.status === "PENDING") {
    r.pen.append({
      eventType: "RunCancelled",
      stepId: null,
      payload: jsonObject({ reason: quote(reason) }),
      consumed,
      notices: parentNotices(r, "CANCELLED", jsonObject({ reason: quote(reason) })),
    });
    return;
  }
  if (r.definition === null) {
    // Compensations need the code: the row is left for an engine that has it.
    r.pen.draft.taken.delete(row.inboxId);
    return;
  }
  if (r.stopping !== null || r.end !== null) return void r.pen.draft.loose.consumed.push(row.inboxId);
  if (r.status === "PAUSED") resumed(r, "cancelled while paused", []);
  if (r.decision !== null)
    r.pen.append({
      eventType: pawlEvents.decisionAnswered,
      stepId: null,
      payload: jsonObject({ answer: quote("cancel"), reason: quote(reason) }),
    });
  r.decision = null;
  r.pen.append({ eventType: pawlEvents.cancelRequested, stepId: null, payload: jsonObject({ reason: quote(reason) }), consumed });
  r.stopping = { kind: "cancel", reason };
  if (!r.hasCode) r.reload();
}

/** What only waited: nothing of it can have happened outside. */
const waits: readonly StepKind[] = ["timer", "signal", "child"];

/** Between two attempts no event of a step is open; its record must not say that another attempt comes. */
function giveUpRetry(r: LiveRun, step: OpenStep | StepPast | undefined): void {
  if (step?.state !== "retrying") return;
  r.open.delete(step.stepId);
  const effect = effectOf(r, subjectOf(step), abandonedRetry(step));
  if (effect !== undefined) r.pen.draft.loose.effects.push(effect);
}
function subjectOf(step: OpenStep | StepPast): Parameters<typeof effectOf>[1] {
  return "seq" in step ? step : { ...step, seq: step.runSeq };
}

/** Waits for nothing: open effects close as indeterminate, open waits as abandoned. */
function terminate(r: LiveRun, reason: string | undefined, consumed: readonly number[]): void {
  for (const [stepId, s] of r.pen.derived.steps) {
    const open = r.open.get(stepId);
    if (s.status !== "RUNNING") {
      giveUpRetry(r, open ?? (r.hasCode ? undefined : r.replay.past(stepId)));
      continue;
    }
    const past = open ?? r.replay.past(stepId);
    const child = past?.started.kind === "child" ? past.started.child : undefined;
    const unsent = past?.unsent === true; // what nobody approved cannot have happened
    const waited = past !== undefined && waits.includes(past.started.kind);
    open?.abort?.(new PawlError("PAWL1014", "the run was terminated"));
    r.open.delete(stepId);
    r.pen.append({
      eventType: "StepFailed",
      stepId,
      logical: s.attempt,
      engine: past?.engineAttempt ?? 1,
      payload: jsonObject({
        error: quote({ name: "Terminated", message: "the run was terminated while this step was open" }),
        category: quote(unsent || waited ? "ABANDONED" : "INDETERMINATE"),
      }),
      effect:
        past === undefined
          ? undefined
          : effectOf(r, subjectOf(past), unsent ? abandoned : terminated, open === undefined ? null : inputOfUnsent(open)),
      ...(child === undefined ? {} : { notices: [cancelNotice(r, stepId, child.runId, "the calling run was terminated")] }),
    });
  }
  r.mailbox.refuseAllUpdates();
  const payload = jsonObject({ terminated: "true", reason: quote(reason) });
  r.pen.append({ eventType: "RunCancelled", stepId: null, payload, consumed, notices: parentNotices(r, "CANCELLED", payload) });
}
