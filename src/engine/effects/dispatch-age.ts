// When an effect really begins. K25 counts the deadline of a dispatch from its record, so that a later owner can know it: the record
// must be new when the effect is called, and the effect's time limit counts from the record. Whatever waited in between (for a
// place, for a sure lease, a stopped process, a machine asleep) is noticed right before the call: the owner then records first
// that the effect begins only now. It must never let an effect begin whose record cannot answer for its time limit.
import { mayRepeat } from "../../core/guarantee.ts";
import { beginMs, beginMsMax } from "../../events/effect-history.ts";
import { jsonObject, pawlEvents, jsonValue } from "../../events/payload.ts";
import type { EffectSpec } from "../calls.ts";
import type { Limiter } from "../limiter.ts";
import type { LiveRun } from "../run/live-run.ts";
import type { OpenStep } from "../steps/open-step.ts";

/** Places among the running effects that steps keep while a new record of their dispatch is committed. */
export class HeldPlaces {
  readonly #limiter: Limiter;
  readonly #steps = new Set<OpenStep>();

  constructor(limiter: Limiter) {
    this.#limiter = limiter;
  }
  has(step: OpenStep): boolean {
    return this.#steps.has(step);
  }
  hold(step: OpenStep): void {
    this.#steps.add(step);
  }
  /** True: it has its place again. */
  takeBack(step: OpenStep): boolean {
    return this.#steps.delete(step);
  }
  giveUp(step: OpenStep): void {
    if (this.#steps.delete(step)) this.#limiter.release();
  }
  giveUpAll(): void {
    for (const _ of this.#steps) this.#limiter.release();
    this.#steps.clear();
  }
}

/** Of the dispatch that is recorded last. */
export interface DispatchRecord {
  /** The machine's uptime before its record was sent to the store. */
  recordedAt: number;
  /** How often its record was too old at the call, in a row. */
  renewals: number;
}
export function noDispatchRecord(): DispatchRecord {
  return { recordedAt: Number.NEGATIVE_INFINITY, renewals: 0 };
}

/** A store that is too slow so often in a row: the step is given up, unsent. */
const renewalsMax = 5;

/** How old the record is when the effect is called; 0 where nothing is decided by its deadline. */
export function recordAgeMs(r: LiveRun, step: OpenStep, spec: EffectSpec): number {
  if (spec.timeoutMs === null || mayRepeat(spec.guarantee.class)) return 0;
  return Math.max(0, r.host.platform.uptimeMs() - step.dispatchRecord.recordedAt);
}

/** What is left of the time limit at the call. */
export function timeLeftMs(timeoutMs: number, ageMs: number): number {
  return beginMs(timeoutMs) === 0 ? timeoutMs - ageMs : timeoutMs;
}

/**
 * Whether the effect may be called now. "recorded": the step keeps its place and comes back once its new record is acknowledged.
 * "slow": the store cannot record it in time.
 */
export function mayBegin(r: LiveRun, step: OpenStep, spec: EffectSpec, ageMs: number): "now" | "recorded" | "slow" {
  const { dispatchRecord: beginning } = step;
  const limit = spec.timeoutMs ?? 0;
  // A new record of a slow store is taken as it is, if half of the time is left.
  const slowly = beginning.renewals > 0 && ageMs <= limit / 2 && beginMs(limit) === 0;
  if (ageMs <= beginMsMax || slowly) {
    beginning.renewals = 0;
    return "now";
  }
  if (beginning.renewals >= renewalsMax) {
    beginning.renewals = 0;
    return "slow";
  }
  beginning.renewals++;
  r.heldPlaces.hold(step);
  r.arrive({ type: "begins", step, waitedMs: Math.round(Math.min(ageMs, Number.MAX_SAFE_INTEGER)) });
  return "recorded";
}

/** Recorded before the effect begins (K14): nothing of this dispatch was sent until here. */
export function recordBeginning(r: LiveRun, step: OpenStep, waitedMs: number): void {
  if (!r.heldPlaces.has(step)) return;
  if (!r.steps.isOpen(step)) return r.heldPlaces.giveUp(step);
  step.state = "starting";
  r.commits.append({
    eventType: pawlEvents.begins,
    stepId: null,
    payload: jsonObject({ stepId: jsonValue(step.stepId), waitedMs: String(waitedMs) }),
    starts: step,
    onAck: () => r.heldPlaces.giveUp(step), // it ended meanwhile: nobody comes back for its place
  });
}
