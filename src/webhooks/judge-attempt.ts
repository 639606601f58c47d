// What follows from one attempt: delivered, again later, given up, or the endpoint wants no more. Pure. Guards that the time to
// the next attempt is bounded whatever the receiver asks for, and that an event is given up after a known number of failures.
import { retryDelayMs, type RetryPolicy } from "../core/retry.ts";
import type { HttpPostResult } from "../platform/net/post.ts";

export type AttemptVerdict =
  | { readonly kind: "delivered" }
  | { readonly kind: "again"; readonly inMs: number }
  | { readonly kind: "dead" }
  /** 410: it wants no more of this source. */
  | { readonly kind: "gone" };

/** A receiver may ask for patience, and not for more than this. */
const retryAfterMsMax = 86_400_000;

/** `attempt` counts from 1; `unit` in [0, 1) is the jitter; `nowMs` is for a Retry-After that names a date. */
export function judgeAttempt(a: HttpPostResult, attempt: number, policy: RetryPolicy, unit: number, nowMs: number): AttemptVerdict {
  if (a.kind === "answered" && a.status >= 200 && a.status < 300) return { kind: "delivered" };
  if (a.kind === "answered" && a.status === 410) return { kind: "gone" };
  if (attempt >= policy.attempts) return { kind: "dead" };
  const asked = a.kind === "answered" ? retryAfterMs(a.retryAfter, nowMs) : 0;
  return { kind: "again", inMs: Math.max(retryDelayMs(policy, attempt, unit), asked) };
}

/** Seconds, or an HTTP date; 0 for anything else. */
export function retryAfterMs(text: string | undefined, nowMs: number): number {
  if (text === undefined) return 0;
  const ms = /^\d+$/.test(text.trim()) ? Number(text) * 1000 : Date.parse(text) - nowMs;
  return Number.isNaN(ms) ? 0 : Math.min(Math.max(ms, 0), retryAfterMsMax);
}

/** For people: what the receiver said, or why it said nothing. */
export function answerText(a: HttpPostResult): string {
  return a.kind === "answered" ? `it answered ${a.status}` : a.reason;
}
