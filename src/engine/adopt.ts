// What a run that retries another takes over (K19): outcomes of calls that are the same, and doubts. It must never let leave a
// second time what the run before let leave: no child is made again, no signal sent again, no effect repeated on a guess (I7).
import { repeats } from "../core/guarantee.ts";
import { compensationId } from "../core/step-id.ts";
import type { StepStartedPayload } from "../log/payload.ts";
import type { StepPast } from "./history.ts";
import type { LiveRun } from "./live-run.ts";
import type { OpenStep } from "./open-step.ts";

/** What the run before knows of the same call. What it undid says nothing of what this one undoes. */
function before(r: LiveRun, stepId: string, call: StepStartedPayload): StepPast | undefined {
  const past = call.kind === "compensation" ? undefined : r.adopted?.get(stepId);
  return past?.started.kind === call.kind && past.started.digest === call.digest ? past : undefined;
}

/** The run before undid it, or may have. What undoes a transaction is one itself: it was recorded, or it did not happen (I5). */
function undone(r: LiveRun, stepId: string, { class: cls }: StepStartedPayload): boolean {
  const undo = r.adopted?.get(compensationId(stepId));
  return cls === "ATOMIC" ? undo?.state === "completed" : undo !== undefined;
}

/** Finished there, and not undone: its outcome is taken over. */
export function finished(r: LiveRun, stepId: string, call: StepStartedPayload): StepPast | undefined {
  const past = before(r, stepId, call);
  return past?.outcome?.ok === true && !undone(r, stepId, call) ? past : undefined;
}

/** A step that has just begun: its outcome is taken over, or it is recovered by its class before anything is sent. */
export function adopt(r: LiveRun, step: OpenStep): void {
  const past = before(r, step.stepId, step.started);
  if (past === undefined || adoptFinished(r, step)) return;
  const { class: cls } = step.started;
  const free = cls !== undefined && repeats(cls);
  if (undone(r, step.stepId, step.started)) {
    // It was undone, so its result stands for nothing. I7: whether it may be done again under its old key is not ours to say.
    // Rows that were taken back with their record are surely gone: it runs anew.
    if (!free && cls !== "ATOMIC") r.arrive({ type: "doubt", step, code: "PAWL2001", reason: "the run before this one undid it" });
    return;
  }
  if (step.work.kind !== "effect" || free) return;
  if (past.state === "failed" && !past.maySent) return; // nothing of it was ever sent: it is a first attempt
  step.carried = true;
  step.maySent = true;
  step.firstAt = past.firstAt;
  step.lastAt = past.lastAt;
}

/** Also for a step whose owner died between its start and the outcome that it was about to take over. */
export function adoptFinished(r: LiveRun, step: OpenStep): boolean {
  const outcome = finished(r, step.stepId, step.started)?.outcome;
  if (outcome?.ok !== true) return false;
  const { result, timedOut } = outcome.payload;
  r.arrive({
    type: "completed",
    step,
    result: result === undefined ? null : JSON.stringify(result),
    via: "adopted",
    copiedFrom: outcome.eventId,
    ...(timedOut === true ? { timedOut: true } : {}),
  });
  return true;
}
