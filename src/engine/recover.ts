// What an owner does with an effect that began and has no recorded outcome: windows B, C and D, alike from inside. The
// answer is the step's class (ARCHITECTURE.md §7): run again, send the same key inside the receiver's window, ask, or
// put it to a person. I6, I7: nothing that may have happened is sent again on a guess.
import { encode } from "../codec/value.ts";
import { failureFrom } from "./outcome.ts";
import type { EffectSpec, Verdict } from "./calls.ts";
import { EffectScope } from "./effect-scope.ts";
import type { LiveRun } from "./live-run.ts";
import type { OpenStep } from "./open-step.ts";

/** How long a verifier may take when the step has no limit of its own. */
export const verifyLimitMs = 60_000;
/** How often a verifier that says not-completed is asked again until the last dispatch can no longer arrive (K25). */
const askAgainMs = 1_000;

export function recover(r: LiveRun, step: OpenStep): void {
  step.state = "recovering";
  step.carried = false;
  if (step.work.kind === "tx") return r.arrive({ type: "redispatch", step }); // its commit is not there: it did not happen
  if (step.work.kind !== "effect" && step.work.kind !== "compensation") return;
  const { spec } = step.work;
  switch (spec.guarantee.class) {
    case "REPEATABLE":
    case "UNDECLARED":
    case "ATOMIC":
      return r.arrive({ type: "redispatch", step });
    case "AT-MOST-ONCE":
      return r.arrive({ type: "doubt", step, code: "PAWL2001", reason: "it began and nobody recorded how it ended" });
    case "KEYED":
    case "VERIFIED":
      if (spec.verify === null) return resend(r, step, spec);
      ask(r, step, spec).catch((e: unknown) => r.broken(e));
  }
}

/** KEYED: the same key again, only while the receiver still remembers it for sure. */
function resend(r: LiveRun, step: OpenStep, spec: EffectSpec): void {
  return remembered(r, step, spec) ? r.arrive({ type: "redispatch", step }) : forgotten(r, step);
}
/** K25: the receiver remembers the key until after this send must have arrived. */
export function remembered(r: LiveRun, step: OpenStep, spec: EffectSpec): boolean {
  return r.host.storeNowMs() + (spec.timeoutMs ?? 0) < step.firstAt + (spec.guarantee.dedupMs ?? 0);
}
export function forgotten(r: LiveRun, step: OpenStep): void {
  r.arrive({ type: "doubt", step, code: "PAWL2003", reason: "the receiver may have forgotten the key: its dedup window has passed" });
}

async function ask(r: LiveRun, step: OpenStep, spec: EffectSpec): Promise<void> {
  const verdict = await verdictOf(r, step, spec);
  if (r.gone || r.open.get(step.stepId) !== step) return;
  const keyed = spec.guarantee.class === "KEYED";
  switch (verdict.state) {
    case "completed-with-result":
      try {
        const result = verdict.result === undefined ? null : encode(verdict.result, r.host.limits, `result of ${step.name}`);
        return r.arrive({ type: "completed", step, result, via: "verify" });
      } catch (e) {
        return r.arrive({
          type: "failed",
          step,
          category: "NOT_ENCODABLE",
          failure: failureFrom("PAWL1003", e instanceof Error ? e.message : String(e)),
        });
      }
    case "completed-result-unavailable":
      return r.arrive({
        type: "failed",
        step,
        category: "RESULT_UNAVAILABLE",
        failure: failureFrom("PAWL2004", `${step.name} happened, its result is not to be had`),
      });
    case "indeterminate":
      if (keyed) return resend(r, step, spec); // K25: when it cannot say, the receiver's own deduplication decides
      return r.arrive({ type: "doubt", step, code: "PAWL2002", reason: verdict.reason ?? "verify could not say" });
    case "not-completed": {
      // K25: a request of the last dispatch may still be on its way; only a receiver that deduplicates makes it harmless.
      const lastMayArrive = step.lastAt + (spec.timeoutMs ?? 0) + spec.guarantee.settleMs;
      const now = r.host.storeNowMs();
      if (keyed) return resend(r, step, spec);
      if (now >= lastMayArrive) return r.arrive({ type: "redispatch", step });
      step.dueAt = Math.min(lastMayArrive, now + askAgainMs);
      r.armAlarm();
    }
  }
}

/** Anything but one of the four answers, in time, is indeterminate (W-024, W-036: fail closed). */
async function verdictOf(r: LiveRun, step: OpenStep, spec: EffectSpec): Promise<Verdict<unknown>> {
  const scope = new EffectScope(r, step);
  const limitMs = spec.timeoutMs ?? verifyLimitMs;
  let cancel = (): void => {};
  step.abort = (reason) => scope.abort(reason);
  try {
    const timeout = new Promise<Verdict<unknown>>((resolve) => {
      cancel = r.host.platform.timer(limitMs, () => {
        scope.abort(new Error("verify took too long"));
        resolve({ state: "indeterminate", reason: `verify did not answer within ${limitMs} ms` });
      });
    });
    const answer: unknown = await Promise.race([r.host.context.run(r, async () => spec.verify!(scope)), timeout]);
    return isVerdict(answer) ? answer : { state: "indeterminate", reason: "verify gave none of its four answers" };
  } catch (e) {
    return { state: "indeterminate", reason: `verify threw ${e instanceof Error ? e.name : typeof e}` };
  } finally {
    cancel();
    step.abort = null;
  }
}

function isVerdict(v: unknown): v is Verdict<unknown> {
  if (typeof v !== "object" || v === null) return false;
  const { state } = v as { state?: unknown };
  if (state === "completed-with-result") return "result" in v;
  return state === "not-completed" || state === "completed-result-unavailable" || state === "indeterminate";
}
