// What a step's function throws to speak to the retry policy, and what workflow code catches. StepError is the same
// object live and on replay: it is always built from the recorded failure, never from what was thrown (K12).
import { PawlError } from "./error.ts";

/** Thrown by a step: no retry, whatever the policy says. */
export class Fatal extends Error {
  override readonly name: string = "Fatal";
}

/** Thrown by a step: try again after this delay, if the policy has attempts left. */
export class RetryAfter extends Error {
  override readonly name: string = "RetryAfter";
  readonly delay: number | string;
  constructor(delay: number | string, cause?: unknown) {
    super(`try again after ${delay}`, cause === undefined ? undefined : { cause });
    this.delay = delay;
  }
}

/** Thrown by a step: nothing happened outside, the failure came before the effect (W-030). The retry policy decides. */
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
  | "INDETERMINATE"
  | "CHILD_FAILED"
  /** A person refused it before anything was sent. */
  | "NOT_APPROVED"
  | "REFUSED";

/** What workflow code catches when a step ended unsuccessfully. */
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
