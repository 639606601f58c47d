// What a step's function throws to speak to the retry policy, and what workflow code catches. StepError is the same
// object live and on replay: it is always built from the recorded failure, never from what was thrown (K12).
import { PawlError } from "./error.ts";

/**
 * Thrown by a step's function: no more attempts, whatever `retry` says.
 *
 * @example
 * throw new Fatal("no such article");
 */
export class Fatal extends Error {
  override readonly name: string = "Fatal";
}

/**
 * Thrown by a step's function: try again after this delay, if `retry` has attempts left.
 *
 * @example
 * throw new RetryAfter("20s");
 */
export class RetryAfter extends Error {
  override readonly name: string = "RetryAfter";
  readonly delay: number | string;
  constructor(delay: number | string, cause?: unknown) {
    super(`try again after ${delay}`, cause === undefined ? undefined : { cause });
    this.delay = delay;
  }
}

/**
 * Thrown by a step's function: nothing left this process, so nothing can have happened outside. `retry` decides about another attempt.
 *
 * @example
 * throw new NotSent("no connection to the bank");
 */
export class NotSent extends Error {
  override readonly name: string = "NotSent";
}

/** Why a step ended without a result. */
export type StepCategory =
  | "FAILED"
  | "TIMEOUT"
  | "NOT_SENT"
  | "ABANDONED"
  | "CANCELLED"
  | "CONFLICT"
  | "NOT_ENCODABLE"
  | "RESULT_UNAVAILABLE"
  /** A worker did it, and its result does not fit the task's output schema. */
  | "RESULT_INVALID"
  | "INDETERMINATE"
  | "CHILD_FAILED"
  /** A person refused it before anything was sent. */
  | "NOT_APPROVED"
  /** A person skipped it. */
  | "SKIPPED"
  | "REFUSED";

/**
 * What workflow code catches when a step ended without a result: live and on replay the same.
 *
 * @example
 * try {
 *   await ctx.step("charge", charge);
 * } catch (e) {
 *   if (!(e instanceof StepError) || e.category !== "FAILED") throw e;
 * }
 */
export class StepError extends PawlError {
  readonly step: string;
  readonly category: StepCategory;
  /** What the author attached to the failure. */
  readonly detail: unknown;
  constructor(step: string, category: StepCategory, message: string, cause?: unknown, detail?: unknown) {
    super("PAWL1012", message, { cause, data: { step, category } });
    this.step = step;
    this.category = category;
    this.detail = detail;
  }
}
