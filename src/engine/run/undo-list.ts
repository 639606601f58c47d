// What a run that fails or is cancelled has to undo: the completed steps with a compensation, in the order of completion, and those
// whose compensation failed. The last one that completed is undone first (K19). Steps that ended before the snapshot that the run was read
// from are known by their places only, until it is their turn.
import type { EffectRef } from "../snapshot/base.ts";
import type { OpenStep } from "../steps/open-step.ts";

/** A completed step that knows how to be undone. */
export interface UndoableStep {
  readonly step: OpenStep;
  readonly result: string | null;
}

export class UndoList {
  /** Before all of `#steps`. */
  readonly #refs: EffectRef[] = [];
  readonly #steps: UndoableStep[] = [];
  readonly #failed: string[] = [];
  /** The last one of those known by their places is being read. */
  isRestoring: boolean = false;

  /** Ids of the steps that are still to be undone. */
  get stepIds(): readonly string[] {
    return [...this.#refs.map((r) => r.stepId), ...this.#steps.map(({ step }) => step.stepId)];
  }
  /** Steps that could not be undone. */
  get failed(): readonly string[] {
    return this.#failed;
  }
  addRefs(refs: readonly EffectRef[]): void {
    this.#refs.push(...refs);
  }
  add(step: OpenStep, result: string | null): void {
    this.#steps.push({ step, result });
  }
  /** The step to undo next, where it must be read first. */
  get refToRestore(): EffectRef | undefined {
    return this.#steps.length > 0 ? undefined : this.#refs.at(-1);
  }
  /** It was read: it can be taken. */
  onRestored(step: UndoableStep): void {
    this.#refs.pop();
    this.#steps.push(step);
  }
  /** The step to undo now; it leaves the list. */
  takeLast(): UndoableStep | undefined {
    return this.#steps.pop();
  }
  fail(stepId: string): void {
    this.#failed.push(stepId);
  }
}
