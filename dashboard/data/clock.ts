// The time of the page, for "3 minutes ago": it moves on every few seconds, and only while somebody looks. Times that matter are the store's and are
// shown in full beside it.
import { signal } from "@preact/signals";

export const nowMs = signal(Date.now());
const everyMs = 5_000;

setInterval(() => {
  if (document.visibilityState === "visible") nowMs.value = Date.now();
}, everyMs);
document.addEventListener("visibilitychange", () => (nowMs.value = Date.now()));

const units = [
  [86_400_000, "d"],
  [3_600_000, "h"],
  [60_000, "m"],
  [1_000, "s"],
] as const;

/** "2d 3h", "1.2 s", "41 ms". */
export function durationText(ms: number): string {
  if (ms < 0) return "0 ms";
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(ms < 10_000 ? 1 : 0)} s`;
  const parts: string[] = [];
  let rest = ms;
  for (const [size, name] of units) {
    const n = Math.floor(rest / size);
    if (n === 0 && parts.length === 0) continue;
    rest -= n * size;
    if (n > 0) parts.push(`${n}${name}`);
    if (parts.length === 2) break;
  }
  return parts.join(" ");
}

const moment = new Intl.DateTimeFormat(undefined, {
  year: "numeric",
  month: "short",
  day: "2-digit",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  fractionalSecondDigits: 3,
  hourCycle: "h23",
});
const timeOfDay = new Intl.DateTimeFormat(undefined, {
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  fractionalSecondDigits: 3,
  hourCycle: "h23",
});
/** The time alone, if it was today. */
export function shortMomentText(at: string): string {
  const ms = Date.parse(at);
  const today = new Date(ms).toDateString() === new Date(nowMs.value).toDateString();
  return today ? timeOfDay.format(ms) : momentText(at);
}

export function momentText(at: string): string {
  const ms = Date.parse(at);
  return Number.isNaN(ms) ? at : moment.format(ms);
}
