// The shapes of `fork`: what may be asked for, and what a dry run answers. Public: what stands here is a promise, and nothing of a
// store or an engine shows through.
import type { PlannedStep } from "./retry.ts";

/** What the new run does with the effects that the other run had after the superstep. */
export type ForkEffects = "adopt" | "new";

export interface ForkOptions<U = Readonly<Record<string, unknown>>> {
  /** The new run's id: nothing else may have it. */
  readonly id: string;
  /** After this superstep, by its number or its label; the last one unless given. */
  readonly at?: number | string;
  /** An update of the channels, merged before anything else is done. */
  readonly update?: U;
  /**
   * adopt (unless given; the run must have ended): a call that may not be repeated takes over what was recorded of the same call. new: nothing is
   * taken over.
   */
  readonly effects?: ForkEffects;
  /** Who asks for it; recorded. A server that knows the caller fills it in. */
  readonly by?: string;
  readonly reason: string;
}

/** What a dry run is asked: the new run needs no id yet. */
export type ForkQuestion<U = Readonly<Record<string, unknown>>> = Partial<ForkOptions<U>> & { readonly dryRun: true };

export interface ForkPlan {
  readonly dryRun: true;
  /** The run that would be forked. */
  readonly runId: string;
  readonly workflowId: string;
  readonly superstep: number;
  /** Of its checkpoint. */
  readonly key: string;
  readonly effects: ForkEffects;
  /** What would run first. */
  readonly next: readonly { readonly node: string; readonly item: string }[];
  /** What was recorded after the superstep, and what becomes of it if the code makes the same calls again. */
  readonly steps: readonly PlannedStep[];
}

/** The new run. */
export interface Forked {
  readonly runId: string;
  readonly workflowId: string;
  readonly superstep: number;
  /** It had been asked for before, under this id. */
  readonly replayed: boolean;
}
