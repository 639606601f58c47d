// What follows from the kind of a step alone, for everybody who reads a log: the engine, the ledger, proofs, the command line. A new
// kind gets one line here; how it behaves is one file in engine/steps. Unknown kinds, of a later version, do nothing and wait for nothing.
import type { StepKindName } from "./model.ts";

interface KindFacts {
  /** It does something outside the log, so it has a class and a record in the ledger, and can be in doubt. */
  readonly actsOutside: boolean;
  /** The code calls it; otherwise the run starts it by itself. */
  readonly calledByCode: boolean;
  /** Nothing but waiting: nothing of it can have happened outside. */
  readonly onlyWaits: boolean;
  /** Kinds of one family may stand for one another when a later run of a chain calls the same thing; null: no other does. */
  readonly family: "effect" | "child" | null;
}

const facts: Readonly<Record<StepKindName, KindFacts>> = {
  effect: { actsOutside: true, calledByCode: true, onlyWaits: false, family: "effect" },
  tx: { actsOutside: true, calledByCode: true, onlyWaits: false, family: "effect" },
  timer: { actsOutside: false, calledByCode: true, onlyWaits: true, family: null },
  signal: { actsOutside: false, calledByCode: true, onlyWaits: true, family: null },
  child: { actsOutside: false, calledByCode: true, onlyWaits: true, family: "child" },
  start: { actsOutside: false, calledByCode: true, onlyWaits: false, family: "child" },
  send: { actsOutside: false, calledByCode: true, onlyWaits: false, family: null },
  ask: { actsOutside: false, calledByCode: true, onlyWaits: true, family: null },
  compensation: { actsOutside: true, calledByCode: false, onlyWaits: false, family: null },
};

const unknown: KindFacts = { actsOutside: false, calledByCode: true, onlyWaits: false, family: null };
function factsOf(kind: unknown): KindFacts {
  return typeof kind === "string" && Object.hasOwn(facts, kind) ? facts[kind as StepKindName] : unknown;
}

export function actsOutside(kind: unknown): boolean {
  return factsOf(kind).actsOutside;
}
export function isCalledByCode(kind: unknown): boolean {
  return factsOf(kind).calledByCode;
}
/** An effect or a transaction of the code, not what the run does to undo one. */
export function isCalledEffect(kind: unknown): boolean {
  const f = factsOf(kind);
  return f.actsOutside && f.calledByCode;
}
export function onlyWaits(kind: unknown): boolean {
  return factsOf(kind).onlyWaits;
}
/** Two kinds that can be the same thing, called in two ways. */
export function areOneFamily(a: unknown, b: unknown): boolean {
  const { family } = factsOf(a);
  return family !== null && family === factsOf(b).family;
}
/** As an author says it: "step", "timer". */
export function kindLabel(kind: StepKindName): string {
  return kind === "effect" ? "step" : kind;
}
