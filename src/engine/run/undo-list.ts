// What a run that fails or is cancelled has to undo: the completed steps with a compensation, in the order of completion, and those
// whose compensation failed. The last one that completed is undone first (K19).
import type { OpenStep } from "../steps/open-step.ts";

/** A completed step that knows how to be undone. */
export interface UndoableStep {
  readonly step: OpenStep;
  readonly result: string | null;
}

export class UndoList {
  readonly #steps: UndoableStep[] = [];
  readonly #failed: string[] = [];

  get steps(): readonly UndoableStep[] {
    return this.#steps;
  }
  /** Steps that could not be undone. */
  get failed(): readonly string[] {
    return this.#failed;
  }
  add(step: OpenStep, result: string | null): void {
    this.#steps.push({ step, result });
  }
  /** The step to undo now; it leaves the list. */
  takeLast(): UndoableStep | undefined {
    return this.#steps.pop();
  }
  fail(stepId: string): void {
    this.#failed.push(stepId);
  }
}
