// Where a time lies on a run's picture. Work is drawn to scale; times in which nothing was at work, hours of a timer or days of waiting for a person, are drawn
// short, so that the work stays visible. Pure: from bars to a function.
import type { Timeline, TimelineBar, TimelineTry } from "../../../src/api/types/operate.ts";

const waits: ReadonlySet<TimelineBar["kind"]> = new Set(["timer", "signal", "child"]);
/** A long wait is drawn as wide as this part of all the work. */
const waitShare = 0.12;

export interface TimeScale {
  /** 0 to 100. */
  at(ms: number): number;
  /** Waits that are drawn shorter than they were. */
  readonly cuts: readonly { readonly from: number; readonly to: number; readonly ms: number }[];
}

interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly idle: boolean;
}

export function timeScale({ bars, from, to, gaps }: Timeline, nowMs: number): TimeScale {
  const start = Date.parse(from);
  const end = Math.max(Date.parse(to), start + 1, ...bars.filter((b) => b.endedAt === undefined).map(() => nowMs));
  const work = bars
    .filter((b) => !waits.has(b.kind))
    .flatMap((b) => triesOf(b))
    .map((t) => [Date.parse(t.from), t.to === undefined ? end : Date.parse(t.to)] as const);
  const lost = gaps.map((g) => [Date.parse(g.from), Date.parse(g.to)] as const);
  const stretches = stretchesOf(start, end, [...work, ...lost]);
  const worked = stretches.filter((s) => !s.idle).reduce((ms, s) => ms + s.to - s.from, 0);
  const most = worked === 0 ? Number.POSITIVE_INFINITY : Math.max(1, worked * waitShare);
  const widthOf = (s: Stretch): number => (s.idle ? Math.min(s.to - s.from, most) : s.to - s.from);
  const whole = stretches.reduce((w, s) => w + widthOf(s), 0) || 1;
  const places: { readonly s: Stretch; readonly x: number; readonly w: number }[] = [];
  let x = 0;
  for (const s of stretches) {
    const w = (widthOf(s) / whole) * 100;
    places.push({ s, x, w });
    x += w;
  }
  return {
    at: (ms) => {
      const found = places.find(({ s }) => ms <= s.to) ?? places.at(-1);
      if (found === undefined) return 0;
      const share = (Math.max(ms, found.s.from) - found.s.from) / Math.max(1, found.s.to - found.s.from);
      return Math.min(100, found.x + share * found.w);
    },
    cuts: places
      .filter(({ s }) => s.idle && s.to - s.from > most)
      .map(({ s, x: left, w }) => ({ from: left, to: left + w, ms: s.to - s.from })),
  };
}

/** What is drawn of a bar: its tries, or the whole of it. */
export function triesOf(b: TimelineBar): readonly TimelineTry[] {
  return b.tries ?? [{ from: b.startedAt, status: b.status, ...(b.endedAt === undefined ? {} : { to: b.endedAt }) }];
}

/** From `start` to `end`, at work or not. */
function stretchesOf(start: number, end: number, work: readonly (readonly [number, number])[]): readonly Stretch[] {
  const merged: [number, number][] = [];
  for (const [from, to] of work.toSorted((a, b) => a[0] - b[0])) {
    const last = merged.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to);
    else merged.push([from, to]);
  }
  const all: Stretch[] = [];
  let at = start;
  for (const [from, to] of merged) {
    if (from > at) all.push({ from: at, to: from, idle: true });
    if (to > Math.max(at, from)) all.push({ from: Math.max(at, from), to, idle: false });
    at = Math.max(at, to);
  }
  if (end > at) all.push({ from: at, to: end, idle: true });
  return all;
}
