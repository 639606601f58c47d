// Durations as people write them, and as milliseconds. Pure. Guards that no NaN, fraction, negative or absurdly long time
// ever reaches a timer or a due time. It must never guess a unit: text without one is refused.
import { PawlError } from "../errors/error.ts";

/** A number is milliseconds; text is a number with its unit. */
export type Duration = `${number}${"ms" | "s" | "m" | "h" | "d" | "w"}` | number;

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };
const durationForm = /^(\d+(?:\.\d+)?)(ms|s|m|h|d|w)$/;
/** 100 years of 365.25 days: far beyond any wait that makes sense, far below the largest exact integer. */
export const durationMsMax: number = 100 * 365.25 * 86_400_000;

/** Whole milliseconds of `d`, rounded up so that nothing is ever shorter than asked. */
export function durationMs(d: Duration, what: string): number {
  const ms = typeof d === "number" ? d : typeof d === "string" ? parseText(d) : Number.NaN;
  if (!Number.isFinite(ms) || ms < 0 || ms > durationMsMax) {
    throw new PawlError("PAWL1002", `${what} is not a duration between 0 and 100 years: ${printable(d)}`);
  }
  // "0.3s" is 300 ms although 0.3 * 1000 may not be exact: a hair of floating error must not add a millisecond.
  const whole = Math.round(ms);
  return Math.abs(ms - whole) < 1e-6 ? whole : Math.ceil(ms);
}

function parseText(text: string): number {
  const m = durationForm.exec(text);
  return m === null ? Number.NaN : Number(m[1]) * (unitMs[m[2] as string] as number);
}

function printable(d: unknown): string {
  return typeof d === "string" ? JSON.stringify(d.slice(0, 40)) : typeof d === "number" ? String(d) : typeof d;
}
