// The open steps of a run, in the order of their calls. A step is open from its call until its outcome is recorded; an outcome,
// a verdict or a message for a step that is no longer here is ignored (I2).
import type { OpenStep } from "../steps/open-step.ts";

export class OpenSteps {
  readonly #steps = new Map<string, OpenStep>();

  get size(): number {
    return this.#steps.size;
  }
  get(stepId: string): OpenStep | undefined {
    return this.#steps.get(stepId);
  }
  /** This very step, not a later one under its name. */
  isOpen(step: OpenStep): boolean {
    return this.#steps.get(step.stepId) === step;
  }
  /** In the order in which they were opened; steps may be closed meanwhile. */
  all(): IterableIterator<OpenStep> {
    return this.#steps.values();
  }
  open(step: OpenStep): void {
    this.#steps.set(step.stepId, step);
  }
  close(stepId: string): void {
    this.#steps.delete(stepId);
  }
}
