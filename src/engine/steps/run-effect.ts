// Runs an effect, once its start is acknowledged (K14): its function is called, its outcome encoded once (K12) and handed to the run.
// Before it begins, the engine must be sure of its lease (K3). A function that runs past its limit is aborted; whatever it returns
// later finds the step closed.
import { encode } from "../../codec/value.ts";
import { failureOf } from "../../codec/failure.ts";
import { durationMs, type Duration } from "../../core/duration.ts";
import { retryDelayMs } from "../../core/retry.ts";
import { isPawlError, PawlError } from "../../errors/error.ts";
import { Fatal, NotSent, RetryAfter } from "../../errors/step-errors.ts";
import { sha256Hex } from "../../platform/crypto/hash.ts";
import type { EffectSpec } from "../calls.ts";
import { mayBegin, recordAgeMs } from "../effects/dispatch-age.ts";
import { EffectScope } from "../effects/effect-scope.ts";
import { mustBeSettledFirst } from "../run/ending.ts";
import { settleNeverBegun, settleInFlight } from "../effects/in-flight.ts";
import type { LiveRun } from "../run/live-run.ts";
import { askEarlierGenerations, mustAskEarlierGenerations } from "../chain/earlier-generations.ts";
import type { AttemptTrace } from "../telemetry/run-trace.ts";
import { mustAskFirst, type OpenStep } from "./open-step.ts";
import { TimeLimits } from "./time-limits.ts";
import { askAfterFailure, doubtForgottenKey, recover } from "../effects/recover.ts";
import { storeExternalResult, externalResultKey } from "../effects/external-results.ts";
import { isKeyRemembered } from "../effects/ask-verify.ts";

/** The start of this attempt is acknowledged. */
export function dispatchEffect(r: LiveRun, step: OpenStep, spec: EffectSpec): void {
  if (mustAskEarlierGenerations(r, step)) return askEarlierGenerations(r, step, () => dispatchEffect(r, step, spec));
  const hasPlace = r.heldPlaces.takeBack(step); // it comes back with a new record
  if (!hasPlace && mustAskFirst(step)) return recover(r, step);
  if (step.mayHaveBeenSent && spec.guarantee.class === "KEYED" && !isKeyRemembered(r, step, spec)) {
    if (hasPlace) r.host.effectLimiter.release();
    return doubtForgottenKey(r, step);
  }
  step.state = "running";
  runEffect(r, step, spec, hasPlace);
}

/** Waits for a place and for a sure lease, if it must. Every step passes here: where nothing is waited for, no promise is made. */
function runEffect(r: LiveRun, step: OpenStep, spec: EffectSpec, hasPlace: boolean): void {
  const { host } = r;
  const go = (sure: boolean): void => {
    try {
      if (sure) return callEffect(r, step, spec);
      r.unload({ kind: "abandoned" });
    } catch (e) {
      r.reloadAfterError(e); // a defect of ours is the run's to report
    }
    host.effectLimiter.release();
  };
  const enter = (): void => {
    // K3, and after the wait for a place: what was fresh before it may not be now.
    const fresh = host.ensureFreshLease();
    if (fresh === true) go(true);
    else void fresh.then(go);
  };
  const entered = hasPlace || host.effectLimiter.acquire();
  if (entered === true) enter();
  else void entered.then(enter);
}

/** It has its place, and gives it back when the outcome has been handed to the run. */
function callEffect(r: LiveRun, step: OpenStep, spec: EffectSpec): void {
  const { host } = r;
  if (r.state.isUnloaded || !r.steps.isOpen(step)) return host.effectLimiter.release();
  if (r.state.isEnding && step.undoes === null && !step.resentToLearn) {
    host.effectLimiter.release();
    return settleNeverBegun(r, step, spec);
  }
  const ageMs = recordAgeMs(r, step, spec); // right before the call: nothing waits from here on
  const begins = mayBegin(r, step, spec, ageMs);
  if (begins === "recorded") return;
  if (begins === "slow") {
    takeError(r, step, spec, new PawlError("PAWL3025", `${step.name} was not sent: recording its start takes the store too long`));
    return host.effectLimiter.release();
  }
  const first = step.attempt === 1 && step.engineAttempt === 1;
  const scope = new EffectScope(r, step);
  const limits = spec.timeoutMs === null && spec.heartbeatMs === null ? null : new TimeLimits(r, step, spec, scope, ageMs);
  const attempt = r.trace === null ? null : r.trace.attempt(step);
  const over = (): void => {
    attempt?.end("completed");
    limits?.end();
    host.effectLimiter.release();
  };
  const failed = (e: unknown): void => {
    attempt?.fail(e);
    try {
      if (first) host.platform.hit(`${step.stepId}:D`);
      takeError(r, step, spec, e);
    } catch (x) {
      r.reloadAfterError(x);
    }
    over();
  };
  const done = (value: unknown): void => {
    let keeping: void | Promise<void>;
    try {
      if (first) host.platform.hit(`${step.stepId}:D`);
      keeping = takeResult(r, step, value, attempt);
    } catch (e) {
      return failed(e);
    }
    if (keeping === undefined) over();
    else keeping.then(over, failed);
  };
  if (first) host.platform.hit(`${step.stepId}:B`);
  host.metrics.add("pawl_step_attempts_total");
  step.abort = (reason) => scope.abort(reason);
  let running: unknown;
  try {
    const call = (): unknown => spec.fn(scope);
    running = host.context.run(r, attempt === null ? call : () => attempt.run(call), step.name);
    if (first) host.platform.hit(`${step.stepId}:C`);
    if (limits !== null) running = limits.race(running);
  } catch (e) {
    return failed(e);
  }
  if (Object(running) === running) Promise.resolve(running).then(done, failed);
  else done(running);
}

/** Nothing is awaited unless the result is stored in an external effect store first. */
function takeResult(r: LiveRun, step: OpenStep, value: unknown, attempt: AttemptTrace | null): void | Promise<void> {
  let result: string | null;
  try {
    result = value === undefined ? null : encode(value, r.host.limits, `result of step ${step.stepId}`);
  } catch (e) {
    // K12: what cannot be stored is a final failure of the step, before the code sees anything.
    attempt?.fail(e);
    return r.arrive({ type: "failed", step, category: "NOT_ENCODABLE", failure: failureOf(e) });
  }
  const key = externalResultKey(r, step);
  if (key === null) return r.arrive({ type: "completed", step, result });
  return storeExternalResult(r, step, key, result).then(() => r.arrive({ type: "completed", step, result, invocation: key }));
}

function takeError(r: LiveRun, step: OpenStep, spec: EffectSpec, e: unknown): void {
  const timedOut = isPawlError(e, "PAWL1034") && step.abort !== null;
  const failure = failureOf(e);
  const cancelled = r.state.isEnding && step.undoes === null; // it was asked to stop (W-032)
  const unsent = e instanceof NotSent || isPawlError(e, "PAWL3025");
  const category = timedOut ? "TIMEOUT" : unsent ? "NOT_SENT" : cancelled ? "CANCELLED" : "FAILED";
  if (mustBeSettledFirst(r, step) && (category !== "NOT_SENT" || step.mayHaveBeenSent))
    return settleInFlight(r, step, spec, { category: "CANCELLED", failure }); // its time limit may have passed since: it was stopped first
  if (category !== "NOT_SENT" && category !== "CANCELLED" && spec.guarantee.class === "AT-MOST-ONCE") {
    // I6: it may have happened. Past its limit nobody knows; a thrown failure is final. Neither is sent again.
    if (timedOut) return r.arrive({ type: "doubt", step, code: "PAWL2001", reason: "it did not answer within its time limit" });
    return r.arrive({ type: "failed", step, category, failure });
  }
  const retryAt = nextAttemptAt(r, step, spec, e);
  const failed = { type: "failed", step, category, failure } as const;
  if (retryAt !== null) return r.arrive({ ...failed, retryAt });
  if (spec.verify === null || cancelled || category === "NOT_SENT") return r.arrive(failed);
  askAfterFailure(r, step, spec, failed).catch((x: unknown) => r.reloadAfterError(x));
}

/** The delay is stored as an absolute time and read on replay, never decided again (K13, R-24). */
function nextAttemptAt(r: LiveRun, step: OpenStep, spec: EffectSpec, e: unknown): number | null {
  const { retry } = spec;
  if (step.attempt >= retry.attempts || e instanceof Fatal || isPawlError(e, "PAWL1030")) return null;
  try {
    if (retry.when !== null && !retry.when(e)) return null;
    const unit = Number.parseInt(sha256Hex(`${r.row.runId}|${step.stepId}|${step.attempt}`).slice(0, 8), 16) / 2 ** 32;
    const delay = e instanceof RetryAfter ? durationMs(e.delay as Duration, "RetryAfter") : retryDelayMs(retry, step.attempt, unit);
    return r.host.storeNowMs() + delay;
  } catch {
    return null; // a policy that throws permits nothing
  }
}
