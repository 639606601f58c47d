// What an authoring style says so that its code can begin in the middle of a log: DAGs and graphs have one, code-first workflows do not, and
// are replayed from their first event. The state comes from the style's own fold (core/fold), which runs no code of the author's.
import type { StyleName } from "../core/fold/style-fold.ts";
import type { StepStartedPayload } from "../events/payload.ts";
import type { Calls, EffectSpec, RecordedEnd, TxUndo } from "./calls.ts";

/** Where code begins again: all that was recorded up to there has been folded, and nothing of it is delivered again. */
export interface ResumePoint {
  /** As the style's fold decoded it. */
  readonly state: unknown;
  /** Steps that the code called and that had no end there, in the order of their calls. */
  readonly open: readonly OpenCall[];
}
export interface OpenCall {
  readonly stepId: string;
  readonly runSeq: number;
  /** The payload of its StepStarted. */
  readonly started: StepStartedPayload;
}
/** One that has ended: also where, and what was declared as its input. */
export interface EndedCall extends OpenCall {
  readonly outcomeSeq: number;
  readonly input: unknown;
}

/** A step that ended before the snapshot, with the author's functions again. */
export type RestoredStep = { readonly effect: EffectSpec } | { readonly tx: TxUndo };

/** How the steps ended whose last events are at these places, in their order. */
export type ReadResults = (runSeqs: readonly number[]) => Promise<readonly RecordedEnd[]>;

export interface Style {
  /** Recorded with the run's start; chooses the fold. */
  readonly name: StyleName;
  /** What the start records beside it: a plan's digest. Plain JSON data. */
  readonly recorded: Readonly<Record<string, unknown>>;
  /** Whether this code may continue from there: the same plan, the same way of walking it. False: the log is replayed. */
  accepts(from: ResumePoint, openStepsMax: number): boolean;
  /** Pure: the events whose results the first turn from there reads, by `calls.result`. */
  wants(from: ResumePoint): readonly number[];
  /**
   * The code from there on. In its first turn it calls the steps of `open` again, in that order and before anything else; what it gives for
   * them is used as if the earlier code had given it, and their recorded digests are taken for true.
   */
  resume(calls: Calls, input: unknown, from: ResumePoint): Promise<unknown>;
  /** The author's functions for a step that ended before: asked when it must be undone or confirmed. Null: no code here has them. */
  restore(step: EndedCall, from: ResumePoint, read: ReadResults, input: unknown): Promise<RestoredStep | null>;
}
