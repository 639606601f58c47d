// A step that an earlier owner started, once the record is used up: what the run chain has of it is taken over, its due time is that
// of its recorded start, and its kind decides the rest. It must never begin anything again.
import { adoptFinished } from "../chain/adopt.ts";
import type { LiveRun } from "../run/live-run.ts";
import type { OpenStep } from "./open-step.ts";

export function resumeStep(r: LiveRun, step: OpenStep): void {
  const past = r.replay.recordedStep(step.stepId);
  if (past === undefined || adoptFinished(r, step)) return;
  if (step.started.delayMs !== undefined) step.dueAt = past.firstAt + step.started.delayMs;
  if (step.started.until !== undefined) step.dueAt = step.started.until;
  step.kind.resume(r, step, past);
}
