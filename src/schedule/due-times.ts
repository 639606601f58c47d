// When a schedule is due: the times after a moment, from a cron expression or an interval, up to its end. Pure:
// it knows no clock and no store.
import { durationMs } from "../core/duration.ts";
import { PawlError } from "../errors/error.ts";
import { cronTimes } from "./cron.ts";
import type { StoredWhen, When } from "./types.ts";

export interface DueTimes {
  /** The first due time after an instant; null: there is none. */
  next(after: number): number | null;
}

/** More often than this is no schedule: use a timer of a workflow. */
export const everyMsMin = 1_000;

/** What a user wrote, as it is stored; refuses what can never be due. */
export function checkWhen(when: When): StoredWhen {
  const given = typeof when === "object" && when !== null ? (when as { readonly [name: string]: unknown }) : {};
  const { cron, tz, every, from, until } = given;
  const end = until === undefined ? {} : { until: instantOf(until, "until") };
  if ((cron === undefined) === (every === undefined))
    throw invalid('a schedule has either cron, such as "0 9 * * *", or every, such as "15m"');
  if (cron !== undefined) {
    if (from !== undefined) throw invalid("from goes with every; a cron expression says itself when it begins");
    const stored = { cron: cron as string, tz: (tz ?? "UTC") as string, ...end };
    cronTimes(stored.cron, stored.tz);
    return stored;
  }
  if (tz !== undefined) throw invalid("tz goes with cron; every counts elapsed time");
  const everyMs = durationMs(every as never, "every");
  if (everyMs < everyMsMin) throw invalid(`every must be at least 1s, not ${everyMs} ms`);
  return { everyMs, ...(from === undefined ? {} : { from: instantOf(from, "from") }), ...end };
}

/** `anchor`: what an interval without `from` is counted from. */
export function dueTimes(when: StoredWhen, anchor: number): DueTimes {
  const { until = Number.POSITIVE_INFINITY } = when;
  const times = "cron" in when ? cronTimes(when.cron, when.tz) : intervalTimes(when.everyMs, when.from ?? anchor + when.everyMs);
  return {
    next: (after) => {
      const due = times.next(after);
      return due === null || due > until ? null : due;
    },
  };
}

function intervalTimes(everyMs: number, from: number): DueTimes {
  return { next: (after) => (after < from ? from : from + (Math.floor((after - from) / everyMs) + 1) * everyMs) };
}

/** The last due times from `first` to `now`, both included, ascending; `more`: there were others before them. */
export function duesUpTo(
  times: DueTimes,
  first: number,
  now: number,
  max: number,
): { readonly dues: readonly number[]; readonly more: boolean } {
  for (let windowMs = 60_000; ; windowMs *= 4) {
    const start = Math.max(first - 1, now - windowMs);
    const dues: number[] = [];
    let more = start > first - 1;
    for (let due = times.next(start); due !== null && due <= now; due = times.next(due)) {
      dues.push(due);
      if (dues.length > max) {
        dues.shift();
        more = true;
      }
    }
    if (dues.length >= max || start === first - 1) return { dues, more };
  }
}

function instantOf(value: unknown, what: string): number {
  const ms = value instanceof Date ? value.getTime() : typeof value === "string" ? Date.parse(value) : Number.NaN;
  if (!Number.isSafeInteger(ms)) throw invalid(`${what} must be a Date, or a time such as "2026-12-31T00:00:00Z"`);
  return ms;
}

function invalid(why: string): PawlError {
  return new PawlError("PAWL1040", why);
}
