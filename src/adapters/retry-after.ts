// How long a provider asked to wait, from the headers of its answer. A time of day is read by this machine's clock, which may differ from
// the provider's: never less than nothing, never more than an hour.
import { RetryAfter } from "../errors/step-errors.ts";
import { webPlatform } from "../platform/web.ts";

const delayMsMax = 3_600_000;

export function waitAskedMs(header: (name: string) => string | null, wallMs: () => number = webPlatform().wallMs): number | undefined {
  const exact = header("retry-after-ms");
  const text = header("retry-after");
  const ms =
    exact !== null && /^\d+(\.\d+)?$/.test(exact)
      ? Number(exact)
      : text === null
        ? Number.NaN
        : /^\d+(\.\d+)?$/.test(text)
          ? Number(text) * 1000
          : Date.parse(text) - wallMs();
  return Number.isFinite(ms) ? Math.min(Math.max(0, Math.ceil(ms)), delayMsMax) : undefined;
}

/** Recorded with what happened, not only with the delay: after the last attempt it is all that a person reads. */
export function askAgainAfter(delayMs: number, message: string, cause?: unknown): RetryAfter {
  const failure = new RetryAfter(delayMs, cause);
  failure.message = message;
  return failure;
}
