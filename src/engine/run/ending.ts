// How a run can end, and what follows from that for its open steps: pure questions that the whole engine asks. It decides
// nothing; settle.ts does.
import { mayRepeat } from "../../core/guarantee.ts";
import { PawlError } from "../../errors/error.ts";
import type { LiveRun } from "./live-run.ts";
import type { OpenStep } from "../steps/open-step.ts";

export type CodeEnd =
  /** The result is encoded. */
  | { readonly kind: "returned"; readonly result: string | undefined }
  | { readonly kind: "threw"; readonly error: unknown; readonly category?: "NOT_ENCODABLE" };
export type StopReason =
  | { readonly kind: "cancel"; readonly reason: string | undefined }
  | { readonly kind: "deadline" }
  /** It has not moved for longer than its definition permits (TX-14). */
  | { readonly kind: "stale"; readonly reason: string }
  /** What was recorded is no longer true. */
  | { readonly kind: "unconfirmed"; readonly reason: string };

/** Thrown through the code by ctx.continueAsNew; not an error that a user handles. */
export class ContinueAsNew extends PawlError {
  readonly input: string;
  constructor(input: string) {
    super("PAWL1033", "ctx.continueAsNew ends the run: do not catch it");
    this.input = input;
  }
}
/** Thrown through the code by ctx.fail. */
export class FailRun extends PawlError {
  readonly detail: unknown;
  constructor(reason: string, detail: unknown) {
    super("PAWL1013", reason);
    this.detail = detail;
  }
}

/** Thrown through the code of a plan: steps failed for good, and others never began because of them. */
export class PlanFailed extends PawlError {
  /** What the first one that failed threw. */
  readonly first: unknown;
  readonly failed: readonly string[];
  readonly blocked: readonly string[];
  constructor(first: unknown, failed: readonly string[], blocked: readonly string[]) {
    super("PAWL1012", first instanceof Error ? first.message : "a step of the plan failed", { cause: first });
    this.first = first;
    this.failed = failed;
    this.blocked = blocked;
  }
}

/** Its run is ending, and nobody may simply run it again: what became of it is found out first. */
export function mustBeSettledFirst(r: LiveRun, step: OpenStep): boolean {
  return r.state.isEnding && step.spec !== null && step.undoes === null && !mayRepeat(step.spec.guarantee.class);
}

/** The run undoes what it did: only then does anything depend on whether this one happened. */
export function mustBeUndone(r: LiveRun, step: OpenStep): boolean {
  return r.state.isFailing && step.spec !== null && step.spec.compensate !== null;
}
