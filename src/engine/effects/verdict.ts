// What can be asked of a receiver, and what its answer is: one of four, or none. Pure rules that asking (ask-verify.ts), dispatching and
// recovering share; it asks nobody itself.
import { beginMs, remoteBeginMsMax } from "../../events/effect-history.ts";
import type { EffectSpec, Verdict } from "../calls.ts";
import type { LiveRun } from "../run/live-run.ts";
import type { OpenStep } from "../steps/open-step.ts";

/** How long a verifier may take when the step has no limit of its own. */
export const verifyLimitMs = 60_000;

/** The receiver can be asked: by a function here, or by a worker that has one. */
export function canBeAsked(spec: EffectSpec): boolean {
  return spec.verify !== null || isAskedByWorkers(spec);
}
/** Only workers have its verify. */
export function isAskedByWorkers({ verify, queued, guarantee }: EffectSpec): boolean {
  return verify === null && queued !== null && !queued.hasCode && guarantee.verified;
}

/** Whatever is none of the four answers is indeterminate. */
export function judgeAnswer(answer: unknown): Verdict<unknown> | { readonly contradiction: string } {
  const contradiction = contradictionIn(answer);
  if (contradiction !== null) return { contradiction };
  if (isVerdict(answer)) return answer;
  return {
    state: "indeterminate",
    reason: "verify gave none of its four answers: completed-with-result, completed-result-unavailable, not-completed, indeterminate",
  };
}

/** A result beside a state that has none: nobody may choose which half is true (W-037). */
function contradictionIn(v: unknown): string | null {
  if (typeof v !== "object" || v === null || !("result" in v) || v.result === undefined || !("state" in v)) return null;
  if (v.state !== "not-completed" && v.state !== "indeterminate" && v.state !== "completed-result-unavailable") return null;
  return `verify contradicts itself: ${v.state}, and a result`;
}

function isVerdict(v: unknown): v is Verdict<unknown> {
  if (typeof v !== "object" || v === null) return false;
  const { state } = v as { state?: unknown };
  if (state === "completed-with-result") return "result" in v;
  return state === "not-completed" || state === "completed-result-unavailable" || state === "indeterminate";
}

/** K25: the receiver remembers the key until after this send must have arrived. */
export function isKeyRemembered(r: LiveRun, step: OpenStep, spec: EffectSpec): boolean {
  const timeoutMs = spec.timeoutMs ?? 0;
  // On a queue anybody may claim it, a worker over HTTP too, which has longest to begin.
  const begin = step.queue === null ? beginMs(timeoutMs) : remoteBeginMsMax;
  return r.host.storeNowMs() + begin + timeoutMs < step.firstAt + (spec.guarantee.dedupMs ?? 0);
}
