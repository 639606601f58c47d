// Work that a process can do for others: a task's code under the id that workers claim by. Made by the authoring layers, run by the process that serves
// a queue.
import type { EffectSpec } from "./calls.ts";

export interface WorkerTask {
  /** `name` or `name@version`. */
  readonly id: string;
  /** Where it is dispatched to unless a caller says otherwise; null: nowhere by itself. */
  readonly queue: { readonly queue: string } | null;
  /** With the input that the step was given, decoded; throws what it refuses. */
  spec(input: unknown): EffectSpec;
}
