// How the log of an authoring style folds to what its code needs to continue from the middle: one fold per style, chosen by the name that
// the run's start recorded. Pure, and without the author's code: any version of the engine, and `pawl doctor`, can do it. A fold must never
// look at a clock, and must give the same text for the same events, whether it began at event 1 or at a state that it wrote itself.
import { dagFold } from "./dag.ts";
import { graphFold } from "./graph.ts";

/** What a fold reads of an event. */
export interface StyleEvent {
  readonly runSeq: number;
  readonly eventType: string;
  readonly stepId: string | null;
  readonly logicalAttemptId: number;
  readonly payload: string | null;
}

/** `S` is changed in place. */
export interface StyleFold<S = unknown> {
  /** Raised when the state means something else than before: states of another number are not used. */
  readonly v: number;
  /** The only type of event after which its code can begin; absent: after any. No step is open there. */
  readonly mark?: string;
  empty(): S;
  add(state: S, e: StyleEvent): void;
  /** Plain JSON data, its members always in the same order. */
  encode(state: S): unknown;
  decode(data: unknown): S;
}

export type StyleName = "dag" | "graph";

const folds: Readonly<Record<StyleName, StyleFold<never>>> = {
  dag: dagFold as StyleFold<never>,
  graph: graphFold as StyleFold<never>,
};

/** Undefined: a style that this version does not know. */
export function styleFold(name: string): StyleFold | undefined {
  return Object.hasOwn(folds, name) ? (folds[name as StyleName] as StyleFold) : undefined;
}
