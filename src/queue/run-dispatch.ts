// Does what a dispatch asks: runs the task's function, asks its verify, or undoes it, within its time limits; what comes back becomes a report.
// A result is encoded here, once (K12). It never begins anything by itself: its caller knows that the claim and the lease are fresh.
import { failureOf } from "../codec/failure.ts";
import { encode } from "../codec/value.ts";
import type { EngineLimits } from "../core/limits.ts";
import { YieldedStep, type EffectSpec, type Verdict } from "../engine/calls.ts";
import type { RunReport, VerdictReport } from "../engine/queued/dispatch-spec.ts";
import { retryWish } from "../engine/steps/seen-error.ts";
import { isPawlError, PawlError } from "../errors/error.ts";
import { NotSent } from "../errors/step-errors.ts";
import type { Cancel, Platform } from "../platform/platform.ts";
import type { DispatchEnd } from "../store/port.ts";
import type { ClaimedStep } from "./claimed-step.ts";

/** `result`: what is undone, where that is asked. */
export async function runDispatch(
  platform: Platform,
  limits: EngineLimits,
  held: ClaimedStep,
  spec: EffectSpec,
  result: unknown,
): Promise<DispatchEnd> {
  const { what } = held.row;
  if (what === "verify") return { kind: "verdict", report: await verdictOf(platform, limits, held, spec) };
  try {
    const call = what === "run" ? () => spec.fn(held) : undoCall(spec, result, held);
    const value = await withinLimits(platform, held, call);
    if (value instanceof YieldedStep)
      return { kind: "yield", report: { detail: JSON.parse(encode(value.detail, limits, `yield of ${held.spec.name}`)) as unknown } };
    return { kind: "result", report: resultReport(held, limits, what === "run" ? value : undefined) };
  } catch (e) {
    return { kind: "result", report: failureReport(e, isPawlError(e, "PAWL1034") && held.isAborted, limits) };
  }
}

function undoCall(spec: EffectSpec, result: unknown, held: ClaimedStep): () => unknown {
  const { compensate } = spec;
  if (compensate === null) throw new PawlError("PAWL5001", `task ${held.row.task} has no compensation here`);
  return () => compensate.fn(result, held);
}

function resultReport(held: ClaimedStep, limits: EngineLimits, value: unknown): RunReport {
  if (value === undefined) return { ok: true };
  try {
    return { ok: true, result: JSON.parse(encode(value, limits, `result of step ${held.row.stepId}`)) as unknown };
  } catch (e) {
    return { ok: false, error: failureOf(e, limits), retryable: false, notEncodable: true };
  }
}

export function failureReport(e: unknown, timedOut: boolean, limits: EngineLimits): RunReport {
  const { isFinal, retryAfterMs } = retryWish(e);
  return {
    ok: false,
    error: failureOf(e, limits),
    ...(isFinal ? { retryable: false } : {}),
    ...(retryAfterMs === null ? {} : { retryAfterMs }),
    ...(e instanceof NotSent ? { notSent: true } : {}),
    ...(timedOut ? { timedOut: true } : {}),
  };
}

/** Whatever is none of the four answers, in time, is for the owner to judge; what throws is indeterminate. */
async function verdictOf(platform: Platform, limits: EngineLimits, held: ClaimedStep, spec: EffectSpec): Promise<VerdictReport> {
  try {
    const { verify } = spec;
    if (verify === null) return { state: "indeterminate", reason: `task ${held.row.task} has no verify here` };
    const answer = (await withinLimits(platform, held, () => verify(held))) as Verdict<unknown>;
    return JSON.parse(encode(answer, limits, `verdict of ${held.spec.name}`)) as VerdictReport;
  } catch (e) {
    return { state: "indeterminate", reason: `verify threw ${e instanceof Error ? `${e.name}: ${e.message}` : typeof e}` };
  }
}

/** Past a limit its signal is aborted and the attempt fails; whatever the function returns later is dropped. */
function withinLimits(platform: Platform, held: ClaimedStep, call: () => unknown): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const cancels: Cancel[] = [];
    let beat: Cancel | null = null;
    const expire = (message: string): void => {
      const error = new PawlError("PAWL1034", `${held.spec.name}: ${message}`);
      held.abort(error);
      reject(error);
    };
    const { timeoutMs } = held.row;
    if (timeoutMs !== null) cancels.push(platform.timer(timeoutMs, () => expire(`no answer within ${timeoutMs} ms`)));
    const { heartbeatMs } = held.spec;
    if (heartbeatMs !== undefined) {
      held.onHeartbeat = () => {
        beat?.();
        beat = platform.timer(heartbeatMs, () => expire(`no heartbeat within ${heartbeatMs} ms`));
      };
      held.onHeartbeat();
    }
    const over = (): void => {
      for (const c of cancels) c();
      beat?.();
      held.onHeartbeat = null;
    };
    Promise.resolve()
      .then(call)
      .then(resolve, reject)
      .finally(over)
      .catch(() => {});
  });
}
