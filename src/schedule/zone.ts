// The offsets of a time zone, as this Node's zone data has them: what a wall clock shows at an instant, and at which instants it is put
// forward or back. Two processes with other zone data may disagree: the one that fires writes the next time down, and all obey it. It only
// reads.
import { PawlError } from "../errors/error.ts";

/** A clock is put from `before` to `after`, both milliseconds ahead of UTC. */
export interface ClockChange {
  readonly at: number;
  readonly before: number;
  readonly after: number;
}

const dayMs = 86_400_000;
/** No zone has changed its clock twice within this time. */
const stepMs = dayMs;

export class TimeZone {
  readonly name: string;
  readonly #format: Intl.DateTimeFormat;
  readonly #years = new Map<number, readonly ClockChange[]>();

  constructor(name: string) {
    this.#format = formatOf(name);
    this.name = name;
  }

  /** How far the wall clock is ahead of UTC at an instant. */
  offsetAt(ms: number): number {
    const text = this.#format.format(ms);
    const found = /GMT(?:([+-])(\d{2}):(\d{2})(?::(\d{2}))?)?$/.exec(text);
    if (found?.[1] === undefined) return 0;
    const [, sign, h, m, s = "0"] = found;
    const ahead = (Number(h) * 3600 + Number(m) * 60 + Number(s)) * 1000;
    return sign === "-" ? -ahead : ahead;
  }

  /** The first change after `from` and not after `to`. */
  firstChange(from: number, to: number): ClockChange | undefined {
    for (let year = yearOf(from); year <= yearOf(to); year++)
      for (const c of this.#changesIn(year)) if (c.at > from) return c.at <= to ? c : undefined;
    return undefined;
  }

  /** The first instant at which the wall clock shows `wall`; if it never does, the instant at which it is put past it. */
  firstInstant(wall: number): number {
    const from = wall - 2 * dayMs;
    let offset = this.offsetAt(from);
    for (let at = from; ;) {
      const change = this.firstChange(at, wall + 2 * dayMs);
      const instant = wall - offset;
      if (change === undefined || instant < change.at) return instant;
      if (wall < change.at + change.after) return change.at;
      at = change.at;
      offset = change.after;
    }
  }

  #changesIn(year: number): readonly ClockChange[] {
    const known = this.#years.get(year);
    if (known !== undefined) return known;
    const changes: ClockChange[] = [];
    const end = Date.UTC(year + 1, 0, 1);
    let at = Date.UTC(year, 0, 1) - 1; // so that a change in the first moment of a year belongs to it
    let before = this.offsetAt(at);
    while (at < end - 1) {
      const next = Math.min(at + stepMs, end - 1);
      const after = this.offsetAt(next);
      if (after !== before) changes.push({ at: this.#changeBetween(at, next, before), before, after });
      at = next;
      before = after;
    }
    this.#years.set(year, changes);
    return changes;
  }

  #changeBetween(from: number, to: number, before: number): number {
    let [low, high] = [from, to];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (this.offsetAt(middle) === before) low = middle;
      else high = middle;
    }
    return high;
  }
}

function yearOf(ms: number): number {
  return new Date(ms).getUTCFullYear();
}

function formatOf(name: string): Intl.DateTimeFormat {
  try {
    if (typeof name === "string")
      return new Intl.DateTimeFormat("en-US", { timeZone: name, timeZoneName: "longOffset", year: "numeric", hourCycle: "h23" });
  } catch {
    // Falls through: whatever is wrong with the name, the answer is the same.
  }
  throw new PawlError("PAWL1040", `there is no time zone ${JSON.stringify(name)}: write one such as "Europe/Zurich" or "UTC"`, {
    data: { tz: String(name) },
  });
}
