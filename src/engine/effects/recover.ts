// What an owner does with an effect that began and has no recorded outcome. Whether it was sent cannot be seen from inside, so the
// step's class decides (docs/guarantees): run it again, send the same key while the receiver remembers it, ask verify, or ask a
// person. Nothing that may have happened is sent again on a guess (I6, I7).
import type { EffectSpec } from "../calls.ts";
import type { Arrival } from "../run/arrivals.ts";
import { mustBeSettledFirst } from "../run/ending.ts";
import { concludeInFlight, settleInFlight } from "./in-flight.ts";
import type { LiveRun } from "../run/live-run.ts";
import { askEarlierGenerations, mustAskEarlierGenerations } from "../chain/earlier-generations.ts";
import type { OpenStep } from "../steps/open-step.ts";
import { takeExternalResult, externalResultKey } from "./external-results.ts";
import { askAgainAt, lastArrivalBy, settleByVerdict, askVerify } from "./ask-verify.ts";
import { canBeAsked, isKeyRemembered } from "./verdict.ts";

type FailedArrival = Extract<Arrival, { type: "failed" }>;

export function recover(r: LiveRun, step: OpenStep): void {
  if (mustAskEarlierGenerations(r, step)) return askEarlierGenerations(r, step, () => recover(r, step));
  step.state = "recovering";
  step.inheritedInDoubt = false;
  step.mayHaveBeenSent = true; // it began, and nobody knows how far it came
  const { spec } = step;
  if (spec === null) return r.arrive({ type: "redispatch", step }); // a transaction whose commit is not there did not happen
  const key = externalResultKey(r, step);
  if (key === null) return recoverByClass(r, step, spec);
  const ask = ++step.asks;
  takeExternalResult(r, step, key).then(
    (kept) => (kept || step.asks !== ask ? undefined : recoverByClass(r, step, spec)),
    (e: unknown) => r.reloadAfterError(e), // an effect store that cannot be read is no reason to send again
  );
}

function recoverByClass(r: LiveRun, step: OpenStep, spec: EffectSpec): void {
  if (mustBeSettledFirst(r, step)) return settleInFlight(r, step, spec);
  switch (spec.guarantee.class) {
    case "REPEATABLE":
    case "UNDECLARED":
    case "ATOMIC":
      return r.arrive({ type: "redispatch", step });
    case "AT-MOST-ONCE":
      return r.arrive({ type: "doubt", step, code: "PAWL2001", reason: unknownEnd(step) });
    case "KEYED":
    case "VERIFIED":
      if (!canBeAsked(spec)) return resend(r, step, spec);
      askAndDecide(r, step, spec).catch((e: unknown) => r.reloadAfterError(e));
  }
}

function unknownEnd({ queue }: OpenStep): string {
  const worker = queue?.facts?.worker ?? null;
  return worker === null ? "it began and nobody recorded how it ended" : `worker ${worker} claimed it and did not report how it ended`;
}

/** KEYED: the same key again, only while the receiver still remembers it for sure. */
function resend(r: LiveRun, step: OpenStep, spec: EffectSpec, diagnosis?: string): void {
  if (!isKeyRemembered(r, step, spec)) return doubtForgottenKey(r, step);
  r.arrive({ type: "redispatch", step, ...(diagnosis === undefined ? {} : { diagnosis }) });
}
export function doubtForgottenKey(r: LiveRun, step: OpenStep): void {
  r.arrive({ type: "doubt", step, code: "PAWL2003", reason: "the receiver may have forgotten the key: its dedup window has passed" });
}

async function askAndDecide(r: LiveRun, step: OpenStep, spec: EffectSpec): Promise<void> {
  const verdict = await askVerify(r, step, spec);
  if (verdict === null) return;
  if (mustBeSettledFirst(r, step)) return settleInFlight(r, step, spec); // its run began to end meanwhile
  // W-037: an answer that contradicts itself is no ground for anything, not even inside the receiver's window.
  if ("contradiction" in verdict) return r.arrive({ type: "doubt", step, code: "PAWL2014", reason: verdict.contradiction });
  if (verdict.state !== "indeterminate" && verdict.state !== "not-completed") {
    // An earlier run undid it and this run has not sent it: verify can only mean the one that was undone.
    if (step.started.line?.was === "undone" && step.attempt === 1 && step.engineAttempt === 1)
      return r.arrive({ type: "doubt", step, code: "PAWL4051", reason: `it was undone, and verify says ${verdict.state}` });
    return settleByVerdict(r, step, verdict);
  }
  const keyed = spec.guarantee.class === "KEYED";
  switch (verdict.state) {
    case "indeterminate":
      if (keyed) return resend(r, step, spec, verdict.reason ?? "verify could not say"); // K25: when it cannot say, the receiver's own deduplication decides
      return r.arrive({ type: "doubt", step, code: "PAWL2002", reason: verdict.reason ?? "verify could not say" });
    case "not-completed": {
      // K25: a request of the last dispatch may still be on its way; only a receiver that deduplicates makes it harmless.
      if (keyed) return resend(r, step, spec);
      const again = askAgainAt(r, step, spec);
      if (again === null) return r.arrive({ type: "redispatch", step, notBefore: lastArrivalBy(step, spec) });
      step.dueAt = again;
      r.parking.armAlarm();
    }
  }
}

/**
 * The last attempt threw or ran out of time, and nothing will be sent again: verify may still prove what became of it (W-031,
 * W-033). What it cannot prove stays indeterminate, with its diagnosis.
 */
export async function askAfterFailure(r: LiveRun, step: OpenStep, spec: EffectSpec, failed: FailedArrival): Promise<void> {
  step.state = "recovering";
  const verdict = await askVerify(r, step, spec);
  if (verdict === null) return;
  if (mustBeSettledFirst(r, step)) return concludeInFlight(r, step, spec, failed, verdict);
  if ("contradiction" in verdict) return r.arrive({ ...failed, category: "INDETERMINATE", diagnosis: verdict.contradiction });
  // K25: no proof that it did not happen: what was sent may still arrive, and nobody waits for that when nothing is sent again.
  if (verdict.state === "not-completed")
    return r.arrive({ ...failed, diagnosis: "verify says not-completed, and what was sent may still arrive" });
  if (verdict.state !== "indeterminate") return settleByVerdict(r, step, verdict);
  const diagnosis = verdict.reason ?? "verify could not say";
  r.arrive({ ...failed, category: failed.category === "TIMEOUT" ? "TIMEOUT" : "INDETERMINATE", diagnosis });
}
