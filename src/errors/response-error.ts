// What an HTTP answer means for another attempt (TX-06): an answer that will not change is final, one that may change is tried again, after the time
// that the receiver asks for if it asks. Only a proposal: the step's function throws it or decides otherwise, and `retry.when` has the last
// word. It reads the status and two headers, never the body.
import { Fatal, RetryAfter } from "./step-errors.ts";

/** What is read of an answer: a `Response`, or an object like it. */
export interface AnsweredRequest {
  readonly status: number;
  readonly statusText?: string;
  readonly headers?: { get(name: string): string | null };
}

const finalStatuses: ReadonlySet<number> = new Set([400, 401, 403, 404, 422]);
const laterStatuses: ReadonlySet<number> = new Set([408, 429]);
/** A receiver may ask for patience, and not for more than this. */
const askedMsMax = 86_400_000;

/**
 * The error to throw for an HTTP answer that is not a success. 400, 401, 403, 404 and 422 are `Fatal`: the same request gets the same answer. 408, 429 and
 * 500 to 599 are tried again, if `retry` has attempts left; after the time in Retry-After where there is one. Any other status is an ordinary error.
 *
 * @example
 * const response = await fetch(url, { signal: s.signal });
 * if (!response.ok) throw responseError(response);
 */
export function responseError(response: AnsweredRequest): Error {
  const { status } = response;
  const text = `the receiver answered ${[status, response.statusText ?? ""].join(" ").trim()}`;
  if (finalStatuses.has(status)) return new Fatal(text);
  const later = laterStatuses.has(status) || (status >= 500 && status <= 599);
  const delayMs = later ? askedDelayMs(response) : null;
  return delayMs === null ? new Error(text) : new RetryAfter(delayMs, new Error(text));
}

/** Seconds, or a date by the receiver's own clock; null where it asks for nothing that can be read. */
function askedDelayMs({ headers }: AnsweredRequest): number | null {
  const asked = headers?.get("retry-after")?.trim() ?? "";
  const ms = /^\d+$/.test(asked) ? Number(asked) * 1_000 : Date.parse(asked) - Date.parse(headers?.get("date") ?? "");
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), askedMsMax) : null;
}
