// Runs an effect, once its start is acknowledged (K14): its function is called, its outcome encoded once (K12) and handed to the run.
// Before it begins, the engine must be sure of its lease (K3). A function that runs past its limit is aborted; whatever it returns
// later finds the step closed.
import { encode } from "../../codec/value.ts";
import { failureOf } from "../../codec/failure.ts";
import { isPawlError, PawlError } from "../../errors/error.ts";
import { NotSent } from "../../errors/step-errors.ts";
import { YieldedStep, type EffectSpec } from "../calls.ts";
import { reportMistake } from "../code-mistake.ts";
import { mayBegin, recordAgeMs } from "../effects/dispatch-age.ts";
import { EffectScope } from "../effects/effect-scope.ts";
import { settleNeverBegun } from "../effects/in-flight.ts";
import { beginOwnDispatch, hasOwnPlace } from "../queued/own-dispatch.ts";
import { countRetry } from "../graphs/item-watch.ts";
import type { LiveRun } from "../run/live-run.ts";
import { askEarlierGenerations, mustAskEarlierGenerations } from "../chain/earlier-generations.ts";
import { traceModelCalls } from "../telemetry/model-spans.ts";
import type { AttemptTrace } from "../telemetry/run-trace.ts";
import { mustAskFirst, type OpenStep } from "./open-step.ts";
import { TimeLimits } from "./time-limits.ts";
import { retryWish, takeSeenError } from "./seen-error.ts";
import { doubtForgottenKey, recover } from "../effects/recover.ts";
import { storeExternalResult, externalResultKey } from "../effects/external-results.ts";
import { isKeyRemembered } from "../effects/verdict.ts";

/** The start of this attempt is acknowledged. */
export function dispatchEffect(r: LiveRun, step: OpenStep, spec: EffectSpec): void {
  if (mustAskEarlierGenerations(r, step)) return askEarlierGenerations(r, step, () => dispatchEffect(r, step, spec));
  const hasPlace = r.heldPlaces.takeBack(step); // it comes back with a new record
  if (!hasPlace && mustAskFirst(step)) return recover(r, step);
  if (step.mayHaveBeenSent && spec.guarantee.class === "KEYED" && !isKeyRemembered(r, step, spec)) {
    if (hasPlace) r.host.effectLimiter.release();
    return doubtForgottenKey(r, step);
  }
  if (spec.queued !== null && step.queue?.open?.own !== true) {
    if (hasPlace) r.host.effectLimiter.release();
    if (r.state.isEnding && step.undoes === null && !step.resentToLearn) return settleNeverBegun(r, step, spec);
    return r.arrive({ type: "enqueue", step });
  }
  step.state = "running";
  if (hasPlace || hasOwnPlace(r, step, () => runEffect(r, step, spec, false))) runEffect(r, step, spec, hasPlace);
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
    if (step.queue !== null) return beginOwnDispatch(r, step, fresh, go);
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
  if (attempt !== null && spec.model !== undefined) traceModelCalls(scope, attempt);
  const over = (): void => {
    attempt?.end("completed");
    limits?.end();
    scope.end();
    host.effectLimiter.release();
    step.queue?.releasePlace();
  };
  const failed = (e: unknown): void => {
    attempt?.fail(e);
    try {
      if (first) host.platform.hit(`${step.stepId}:D`, r.row.workflowId);
      takeError(r, step, spec, e);
    } catch (x) {
      r.reloadAfterError(x);
    }
    over();
  };
  const done = (value: unknown): void => {
    let keeping: void | Promise<void>;
    try {
      if (first) host.platform.hit(`${step.stepId}:D`, r.row.workflowId);
      keeping = takeResult(r, step, value, attempt);
    } catch (e) {
      return failed(e);
    }
    if (keeping === undefined) over();
    else keeping.then(over, failed);
  };
  if (first) host.platform.hit(`${step.stepId}:B`, r.row.workflowId);
  host.metrics.add("pawl_step_attempts_total");
  if (scope.attempt.logical > 1) countRetry(r, step.stepId);
  step.abort = (reason) => scope.abort(reason);
  let running: unknown;
  try {
    const call = (): unknown => spec.fn(scope);
    running = host.context.run(r, attempt === null ? call : () => attempt.run(call), step.name);
    if (first) host.platform.hit(`${step.stepId}:C`, r.row.workflowId);
    if (limits !== null) running = limits.race(running);
  } catch (e) {
    return failed(e);
  }
  if (Object(running) === running) Promise.resolve(running).then(done, failed);
  else done(running);
}

/** Nothing is awaited unless the result is stored in an external effect store first. */
function takeResult(r: LiveRun, step: OpenStep, value: unknown, attempt: AttemptTrace | null): void | Promise<void> {
  if (value instanceof YieldedStep) return takeYield(r, step, value);
  let result: string | null;
  try {
    result = value === undefined ? null : encode(value, r.host.limits, `result of step ${step.stepId}`);
  } catch (e) {
    // K12: what cannot be stored is a final failure of the step, before the code sees anything.
    attempt?.fail(e);
    return r.arrive({ type: "failed", step, category: "NOT_ENCODABLE", failure: failureOf(e, r.host.limits) });
  }
  const key = externalResultKey(r, step);
  if (key === null) return r.arrive({ type: "completed", step, result });
  return storeExternalResult(r, step, key, result).then(() => r.arrive({ type: "completed", step, result, invocation: key }));
}

/** It gave its place up: what it said is recorded, and it continues from there in its turn. */
function takeYield(r: LiveRun, step: OpenStep, { detail }: YieldedStep): void {
  try {
    const text = encode(detail, r.host.limits, `yield of step ${step.stepId}`);
    r.arrive({ type: "yield", step, detail: text });
  } catch (e) {
    r.arrive({ type: "failed", step, category: "NOT_ENCODABLE", failure: failureOf(e, r.host.limits) });
  }
}

function takeError(r: LiveRun, step: OpenStep, spec: EffectSpec, e: unknown): void {
  reportMistake(r, e, step.stepId);
  takeSeenError(r, step, spec, {
    error: e,
    failure: failureOf(e, r.host.limits),
    timedOut: isPawlError(e, "PAWL1034") && step.abort !== null,
    unsent: e instanceof NotSent || isPawlError(e, "PAWL3025"),
    ...retryWish(e),
  });
}
