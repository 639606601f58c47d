// What the end of a dispatch means for its step: a result, a failure for the retry policy, a crash that goes by the class (K26), or nothing
// was sent. It decides nothing about classes itself: recover.ts does, as for any effect that began and has no outcome.
import { encode, revive } from "../../codec/value.ts";
import { errorFromFailure, failureOf } from "../../codec/failure.ts";
import { durationMsMax } from "../../core/duration.ts";
import { mayRepeat } from "../../core/guarantee.ts";
import { utf8Length } from "../../core/names.ts";
import type { DispatchEnded } from "../../store/port.ts";
import type { EffectSpec } from "../calls.ts";
import { doubtForgottenKey, recover } from "../effects/recover.ts";
import { isKeyRemembered } from "../effects/verdict.ts";
import { settleNeverBegun } from "../effects/in-flight.ts";
import type { LiveRun } from "../run/live-run.ts";
import type { OpenStep } from "../steps/open-step.ts";
import { failureFrom } from "../steps/outcome.ts";
import { takeSeenError } from "../steps/seen-error.ts";
import { readRunReport, type RunReport } from "./dispatch-spec.ts";
import { holdLapsed } from "./take-back.ts";

export function takeEnd(r: LiveRun, step: OpenStep, ended: DispatchEnded): void {
  const { spec } = step;
  const { end } = ended;
  if (spec === null) return recover(r, step);
  switch (end.kind) {
    case "lapsed":
      if (holdLapsed(r, step)) return;
      return recover(r, step); // K26: a crash between its start and its outcome
    case "expired":
      if (step.mayHaveBeenSent && spec.guarantee.class === "KEYED" && !isKeyRemembered(r, step, spec)) return doubtForgottenKey(r, step);
      return takeUnsent(r, step, spec, "no worker claimed it in time");
    case "withdrawn":
      if (r.state.isEnding && step.undoes === null) return settleNeverBegun(r, step, spec);
      // Unless the run is to end at once, nobody but a person takes a step of a run that continues off its queue, though this owner may not know who it was.
      if (step.undoes === null && !r.dispatches.areTakenBack) step.queue!.takenBack ??= "somebody took it off its queue";
      return takeUnsent(r, step, spec, "it was taken off its queue");
    default: {
      if (end.kind === "yield") return takeYield(r, step, spec, end.report);
      const report = readRunReport(end.report);
      if (report === null) return recover(r, step); // whatever it says, it does not say what became of the step
      if (report.ok) takeResult(r, step, spec, report);
      else takeFailure(r, step, spec, report);
    }
  }
}

/**
 * TX-12: it continues where it says, in a new dispatch. That calls its function again, and a worker that gives its place up does not say what it has sent: what
 * must not be sent again on a guess is recovered by its class instead (I6, I7).
 */
function takeYield(r: LiveRun, step: OpenStep, spec: EffectSpec, report: unknown): void {
  const { class: promised } = spec.guarantee;
  if (promised === "KEYED" && !isKeyRemembered(r, step, spec)) return doubtForgottenKey(r, step);
  if (promised !== "KEYED" && !mayRepeat(promised)) return recover(r, step);
  const { detail } = (report ?? {}) as { readonly detail?: unknown };
  r.arrive({ type: "yield", step, detail: JSON.stringify(detail ?? null) });
}

function takeUnsent(r: LiveRun, step: OpenStep, spec: EffectSpec, why: string): void {
  const failure = failureFrom("PAWL2009", `${step.name} was not sent: ${why}`);
  takeSeenError(r, step, spec, {
    error: errorFromFailure(failure),
    failure,
    timedOut: false,
    unsent: true,
    isFinal: false,
    retryAfterMs: null,
  });
}

function takeFailure(r: LiveRun, step: OpenStep, spec: EffectSpec, report: RunReport & { readonly ok: false }): void {
  const { error: failure, retryAfterMs } = report;
  if (report.notEncodable === true) return r.arrive({ type: "failed", step, category: "NOT_ENCODABLE", failure });
  takeSeenError(r, step, spec, {
    error: errorFromFailure(failure),
    failure,
    timedOut: report.timedOut === true,
    unsent: report.notSent === true,
    isFinal: report.retryable === false,
    // No time that can be recorded is no wish: a worker must not be able to hold up a run for ever.
    retryAfterMs: typeof retryAfterMs === "number" && retryAfterMs >= 0 && retryAfterMs <= durationMsMax ? retryAfterMs : null,
  });
}

/** K12: bounded and checked before the code sees it. A result that does not fit is final: the worker did it. */
function takeResult(r: LiveRun, step: OpenStep, spec: EffectSpec, report: RunReport & { readonly ok: true }): void {
  const text = report.result === undefined ? null : JSON.stringify(report.result);
  const parse = spec.queued?.resultParse ?? null;
  if (parse === null) {
    if (text === null || utf8Length(text) <= r.host.limits.valueBytesMax) return r.arrive({ type: "completed", step, result: text });
    return r.arrive({
      type: "failed",
      step,
      category: "NOT_ENCODABLE",
      failure: failureFrom("PAWL1004", `the result of ${step.name} is too large`),
    });
  }
  step.state = "recovering"; // it stays in memory until the schema has answered
  const check = async (): Promise<void> => {
    let result: string | null;
    try {
      const value = await parse(report.result === undefined ? undefined : revive(structuredClone(report.result)));
      result = value === undefined ? null : encode(value, r.host.limits, `result of ${step.name}`);
    } catch (e) {
      const problem = e instanceof Error ? e.message : String(e);
      return r.arrive({ type: "failed", step, category: "RESULT_INVALID", failure: failureFrom("PAWL2010", problem) });
    }
    r.arrive({ type: "completed", step, result });
  };
  check().catch((e: unknown) => r.arrive({ type: "failed", step, category: "RESULT_INVALID", failure: failureOf(e, r.host.limits) }));
}
