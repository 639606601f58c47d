// What a failed run did after the failure that ended it, in a `catch` or `finally`: steps that may have undone what a retry is about to
// keep. Nobody can see from a log what a step was for, so this only says which they are; `compensate` is the way to undo that a retry
// knows of. It must never change what a retry does.
import { isCalledEffect } from "../../core/step-kind-facts.ts";
import type { History } from "../run/history.ts";

export interface ManualUndo {
  /** The step whose failure the code saw last. */
  readonly after: string;
  /** Effects and transactions that began after it, and completed. */
  readonly steps: readonly string[];
}

/** Null: nothing of this kind is recorded, or the run did not fail. */
export function findManualUndo({
  schedule,
  steps,
  derived,
  start,
}: Pick<History, "schedule" | "steps" | "derived" | "start">): ManualUndo | null {
  // A plan has no code that could undo by hand: what ran after a failure did not know of it.
  if (derived.status !== "FAILED" || start.plan !== undefined) return null;
  const at = schedule.findLastIndex((e) => e.type === "outcome" && !e.outcome.ok);
  const failure = schedule[at];
  if (failure?.type !== "outcome") return null;
  const begun = schedule.slice(at + 1).flatMap((e) => (e.type === "call" && isCalledEffect(e.started.kind) ? [e.stepId] : []));
  const done = begun.filter((id) => steps.get(id)?.outcome?.ok === true);
  return done.length === 0 ? null : { after: failure.stepId, steps: done };
}

export function manualUndoText({ after, steps }: ManualUndo): string {
  const which = steps.join(", ");
  return (
    `after ${after} failed, the run continued with ${which}: if that undid what an earlier step did, a retry does not know about it ` +
    `and keeps both. Undo with compensate (PAWL1023)`
  );
}
