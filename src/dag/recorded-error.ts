// The error of a step that failed, made again from its record: the same that its promise was rejected with (K12). It must never say more than
// the record does.
import type { RecordedEnd } from "../engine/calls.ts";
import { stepError } from "../engine/steps/outcome.ts";
import type { StepCategory } from "../errors/step-errors.ts";

/** `name`: the step's. Only of one that failed. */
export function errorOfEnd(name: string, end: RecordedEnd): unknown {
  if (end.ok) return new Error(`${name} did not fail`);
  return stepError(name, end.category as StepCategory, end.failure);
}
