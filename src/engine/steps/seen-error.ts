// An attempt that ended badly, as its owner saw it or as a worker reported it: what is recorded, and whether the policy permits another
// attempt. An effect that may have happened and may not repeat is never sent again on a guess (I6, I7).
import type { Failure } from "../../codec/failure.ts";
import { durationMs, type Duration } from "../../core/duration.ts";
import { retryDelayMs } from "../../core/retry.ts";
import { isPawlError } from "../../errors/error.ts";
import { Fatal, RetryAfter } from "../../errors/step-errors.ts";
import { sha256Hex } from "../../platform/crypto/hash.ts";
import type { EffectSpec } from "../calls.ts";
import { canBeAsked } from "../effects/verdict.ts";
import { settleInFlight } from "../effects/in-flight.ts";
import { askAfterFailure } from "../effects/recover.ts";
import { holdTakenBack } from "../queued/take-back.ts";
import { mustBeSettledFirst } from "../run/ending.ts";
import type { LiveRun } from "../run/live-run.ts";
import type { OpenStep } from "./open-step.ts";

export interface SeenError {
  /** What the policy's `when` is asked about. */
  readonly error: unknown;
  readonly failure: Failure;
  readonly timedOut: boolean;
  /** Nothing left the process that ran it. */
  readonly unsent: boolean;
  /** No more attempts, whatever the policy says. */
  readonly isFinal: boolean;
  /** Instead of the policy's delay. */
  readonly retryAfterMs: number | null;
}

/** What a thrown error wishes of the policy. A delay that is none permits nothing. */
export function retryWish(e: unknown): Pick<SeenError, "isFinal" | "retryAfterMs"> {
  if (e instanceof Fatal || isPawlError(e, "PAWL1030")) return { isFinal: true, retryAfterMs: null };
  if (!(e instanceof RetryAfter)) return { isFinal: false, retryAfterMs: null };
  try {
    return { isFinal: false, retryAfterMs: durationMs(e.delay as Duration, "RetryAfter") };
  } catch {
    return { isFinal: true, retryAfterMs: null };
  }
}

export function takeSeenError(r: LiveRun, step: OpenStep, spec: EffectSpec, seen: SeenError): void {
  const { failure, timedOut } = seen;
  const cancelled = r.state.isEnding && step.undoes === null; // it was asked to stop (W-032)
  const category = timedOut ? "TIMEOUT" : seen.unsent ? "NOT_SENT" : cancelled ? "CANCELLED" : "FAILED";
  if (mustBeSettledFirst(r, step) && (category !== "NOT_SENT" || step.mayHaveBeenSent))
    return settleInFlight(r, step, spec, { category: "CANCELLED", failure }); // its time limit may have passed since: it was stopped first
  if (category !== "NOT_SENT" && category !== "CANCELLED" && spec.guarantee.class === "AT-MOST-ONCE") {
    // I6: it may have happened. Past its limit nobody knows; a thrown failure is final. Neither is sent again.
    if (timedOut) return r.arrive({ type: "doubt", step, code: "PAWL2001", reason: "it did not answer within its time limit" });
    return r.arrive({ type: "failed", step, category, failure });
  }
  if (category !== "CANCELLED" && holdTakenBack(r, step, category)) return; // a person says what becomes of it
  const retryAt = step.isUnwanted ? null : nextAttemptAt(r, step, spec, seen);
  const failed = { type: "failed", step, category, failure } as const;
  if (retryAt !== null) return r.arrive({ ...failed, retryAt });
  if (!canBeAsked(spec) || cancelled || category === "NOT_SENT") return r.arrive(failed);
  askAfterFailure(r, step, spec, failed).catch((x: unknown) => r.reloadAfterError(x));
}

/** The delay is stored as an absolute time and read on replay, never decided again (K13, R-24). */
function nextAttemptAt(r: LiveRun, step: OpenStep, spec: EffectSpec, seen: SeenError): number | null {
  const { retry } = spec;
  if (step.attempt >= retry.attempts || seen.isFinal) return null;
  try {
    if (retry.when !== null && !retry.when(seen.error)) return null;
    const unit = Number.parseInt(sha256Hex(`${r.row.runId}|${step.stepId}|${step.attempt}`).slice(0, 8), 16) / 2 ** 32;
    return r.host.storeNowMs() + (seen.retryAfterMs ?? retryDelayMs(retry, step.attempt, unit));
  } catch {
    return null; // a policy that throws permits nothing
  }
}
