// Retry policies, and the delay before the next attempt. Pure: the jitter comes from a number the caller drew, so the
// due time can be recorded once and read on replay. It must never say whether an effect may be sent again: that is the
// guarantee's to say.
import { PawlError, isPawlError } from "../errors/error.ts";
import { unknownName } from "../errors/unknown-name.ts";
import { durationMs, type Duration } from "./duration.ts";

/** attempts includes the first; `when` decides per error. */
export interface Retry {
  /** Attempts in all, the first included; 1 unless given. */
  readonly attempts?: number;
  /** "exponential" doubles the delay after each failure; "fixed" keeps it. */
  readonly backoff?: "fixed" | "exponential";
  /** The delay after the first failure; 1 s unless given. */
  readonly initial?: Duration;
  /** The longest delay; 1 min unless given. */
  readonly max?: Duration;
  /** Whether this failure may be tried again; every failure may unless given. */
  readonly when?: (e: unknown) => boolean;
}

export interface RetryPolicy {
  readonly attempts: number;
  readonly backoff: "fixed" | "exponential";
  readonly initialMs: number;
  readonly maxMs: number;
  readonly when: ((e: unknown) => boolean) | null;
}

const defaultRetry: RetryPolicy = { attempts: 1, backoff: "exponential", initialMs: 1000, maxMs: 60_000, when: null };
const members: ReadonlySet<string> = new Set(["attempts", "backoff", "initial", "max", "when"] satisfies (keyof Retry)[]);
const jitterShare = 0.1;
/** Any delay has met its cap by then; without a bound, 0 times infinity would be no delay at all but NaN. */
const doublingsMax = 60;

export function retryPolicy(r: Retry | undefined, defaults?: Partial<RetryPolicy>): RetryPolicy {
  const base = defaults === undefined ? defaultRetry : { ...defaultRetry, ...defaults };
  if (r === undefined) return base;
  if (typeof r !== "object" || r === null) throw invalidRetry("retry must be an object, such as { attempts: 3 }");
  for (const name in r) if (!members.has(name)) throw invalidRetry(`retry ${unknownName("option", name, members)}`); // a misspelt one would be no retry
  const attempts = r.attempts ?? base.attempts;
  if (!Number.isSafeInteger(attempts) || attempts < 1) throw invalidRetry("retry.attempts must be a whole number of at least 1");
  const backoff = r.backoff ?? base.backoff;
  if (backoff !== "fixed" && backoff !== "exponential") throw invalidRetry('retry.backoff must be "fixed" or "exponential"');
  const when = r.when ?? base.when;
  if (when !== null && typeof when !== "function") throw invalidRetry("retry.when must be a function");
  const initialMs = r.initial === undefined ? base.initialMs : checkDelay(r.initial, "retry.initial");
  // Who asks for 5 minutes and names no cap wants 5 minutes, not the cap that happens to be the default.
  const maxMs = r.max === undefined ? Math.max(base.maxMs, initialMs) : checkDelay(r.max, "retry.max");
  if (r.max !== undefined && r.initial !== undefined && maxMs < initialMs)
    throw invalidRetry("retry.max must not be shorter than retry.initial");
  return { attempts, backoff, initialMs, maxMs, when };
}

/** Delay after the `failedAttempt`-th attempt failed; `unit` is in [0, 1) and adds at most a tenth, and less than the first delay. */
export function retryDelayMs(p: RetryPolicy, failedAttempt: number, unit: number): number {
  const grown = p.backoff === "fixed" ? p.initialMs : p.initialMs * 2 ** Math.min(failedAttempt - 1, doublingsMax);
  const delayMs = Math.min(p.maxMs, grown);
  return delayMs + Math.floor(Math.min(delayMs * jitterShare, p.initialMs) * unit);
}

function checkDelay(d: Duration, what: string): number {
  try {
    return durationMs(d, what);
  } catch (e) {
    if (isPawlError(e, "PAWL1002")) throw new PawlError("PAWL1011", e.message, { cause: e });
    throw e;
  }
}

function invalidRetry(message: string): PawlError {
  return new PawlError("PAWL1011", message);
}
