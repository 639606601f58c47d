// Asking the receiver: verify's answer, in time and in one of its four forms, and what a completed one leads to. Whatever
// else comes back is indeterminate (fail closed). What the other answers lead to is decided by recover.ts while the run goes
// on, and by in-flight.ts while it ends.
import { PawlError } from "../../errors/error.ts";
import { mayArriveUntil } from "../../events/effect-history.ts";
import { encode } from "../../codec/value.ts";
import type { EffectSpec, Verdict } from "../calls.ts";
import { EffectScope } from "./effect-scope.ts";
import type { LiveRun } from "../run/live-run.ts";
import type { OpenStep } from "../steps/open-step.ts";
import { failureFrom } from "../steps/outcome.ts";
import { askWorkers } from "../queued/ask-workers.ts";
import { isAskedByWorkers, judgeAnswer, verifyLimitMs } from "./verdict.ts";

/** How often a verifier that says not-completed is asked again until the last dispatch can no longer arrive (K25). */
const askAgainMs = 1_000;

type Answer = Verdict<unknown> | { readonly contradiction: string };

/**
 * Anything but one of the four answers, in time, is indeterminate (W-024, W-036: fail closed). Null: nobody waits for it any more, since the step
 * has ended, was asked about again, or its worker has said meanwhile what became of it. An answer that is acted upon twice sends twice.
 */
export async function askVerify(r: LiveRun, step: OpenStep, spec: EffectSpec): Promise<Answer | null> {
  const ask = ++step.asks;
  const answer = await answerOf(r, step, spec);
  return r.state.isUnloaded || !r.steps.isOpen(step) || step.asks !== ask ? null : answer;
}

async function answerOf(r: LiveRun, step: OpenStep, spec: EffectSpec): Promise<Answer> {
  if (isAskedByWorkers(spec)) return askWorkers(r, step, spec);
  const scope = new EffectScope(r, step);
  const limitMs = spec.timeoutMs ?? verifyLimitMs;
  let cancel = (): void => {};
  const abort = (reason: unknown): void => scope.abort(reason);
  step.abort = abort;
  try {
    const timeout = new Promise<Verdict<unknown>>((resolve) => {
      cancel = r.host.platform.timer(limitMs, () => {
        scope.abort(new PawlError("PAWL2002", `verify did not answer within ${limitMs} ms`));
        resolve({ state: "indeterminate", reason: `verify did not answer within ${limitMs} ms` });
      });
    });
    const answer: unknown = await Promise.race([r.host.context.run(r, async () => spec.verify!(scope), step.name), timeout]);
    return judgeAnswer(answer);
  } catch (e) {
    return { state: "indeterminate", reason: `verify threw ${e instanceof Error ? `${e.name}: ${e.message}` : typeof e}` };
  } finally {
    cancel();
    if (step.abort === abort) step.abort = null;
  }
}

/** Completed answers are final at once (K25). */
export function settleByVerdict(r: LiveRun, step: OpenStep, verdict: Extract<Verdict<unknown>, { state: `completed${string}` }>): void {
  if (verdict.state === "completed-result-unavailable") {
    const failure = failureFrom("PAWL2004", `${step.name} happened, but its result is not available`);
    return r.arrive({ type: "failed", step, category: "RESULT_UNAVAILABLE", failure });
  }
  try {
    const result = verdict.result === undefined ? null : encode(verdict.result, r.host.limits, `result of ${step.name}`);
    r.arrive({ type: "completed", step, result, via: "verify" });
  } catch (e) {
    const failure = failureFrom("PAWL1003", e instanceof Error ? e.message : String(e));
    r.arrive({ type: "failed", step, category: "NOT_ENCODABLE", failure });
  }
}

/** K25: when to ask again, as long as a request of the last dispatch may still arrive; null: it no longer can. */
export function askAgainAt(r: LiveRun, step: OpenStep, spec: EffectSpec): number | null {
  const until = lastArrivalBy(step, spec);
  const now = r.host.storeNowMs();
  return now >= until ? null : Math.min(until, now + askAgainMs);
}
/** By the store's clock, and the store has the last word: what is recorded because this has passed says so (`notBefore`). */
export function lastArrivalBy(step: OpenStep, spec: EffectSpec): number {
  return mayArriveUntil({ lastAt: step.lastAt, timeoutMs: spec.timeoutMs ?? 0, settleMs: spec.guarantee.settleMs });
}
