// The times that a cron expression names, in a time zone. Each wall-clock time fires once: one that is left out when clocks go forward fires at
// the first instant after the gap, one that comes twice when they go back fires at its first occurrence. Where the hour is `*`, the expression
// means "every so often": it follows elapsed time, and fires whenever the clock shows a time that matches. Croner reads the expression and
// walks the calendar; it never sees a time zone, so that all rules about changes of clocks are in this file.
import { Cron } from "croner";
import { PawlError } from "../errors/error.ts";
import type { DueTimes } from "./due-times.ts";
import { TimeZone } from "./zone.ts";

const nicknames: Readonly<Record<string, string>> = {
  "@hourly": "0 * * * *",
  "@daily": "0 0 * * *",
  "@midnight": "0 0 * * *",
  "@weekly": "0 0 * * 0",
  "@monthly": "0 0 1 * *",
  "@yearly": "0 0 1 1 *",
  "@annually": "0 0 1 1 *",
};

export function cronTimes(expression: string, tz: string): DueTimes {
  const zone = new TimeZone(tz);
  const { calendar, everyHour } = parse(expression);
  /** The next wall-clock time, as if it were UTC. */
  const nextWall = (after: number): number | null => calendar.nextRun(new Date(after))?.getTime() ?? null;
  if (nextWall(Date.UTC(2000, 0, 1)) === null)
    throw new PawlError("PAWL1040", `cron ${JSON.stringify(expression)} names a date that never comes`, { data: { cron: expression } });

  const nextNamed = (after: number): number | null => {
    for (let wall = nextWall(after + zone.offsetAt(after)); wall !== null; wall = nextWall(wall)) {
      const instant = zone.firstInstant(wall);
      if (instant > after) return instant; // else the clock shows this time for the second time
    }
    return null;
  };
  const nextElapsed = (after: number): number | null => {
    let offset = zone.offsetAt(after);
    let searched = after;
    for (let from = after; ;) {
      const wall = nextWall(from + offset);
      if (wall === null) return null;
      const instant = wall - offset;
      const change = zone.firstChange(searched, instant);
      if (change === undefined) return instant;
      from = change.at - 1; // the first moment of the new time counts too
      searched = change.at;
      offset = change.after;
    }
  };
  return { next: everyHour ? nextElapsed : nextNamed };
}

function parse(expression: string): { readonly calendar: Cron; readonly everyHour: boolean } {
  const text = typeof expression === "string" ? expression.trim() : "";
  const named = nicknames[text.toLowerCase()] ?? text;
  const fields = named.split(/\s+/);
  if (fields.length !== 5 && fields.length !== 6)
    throw invalid(expression, "it needs five fields (minute hour day month weekday), or six with the second first");
  try {
    const calendar = new Cron(named, { utcOffset: 0, mode: "5-or-6-parts" });
    return { calendar, everyHour: /^[*?](\/1)?$/.test(fields.length === 6 ? fields[2]! : fields[1]!) };
  } catch (e) {
    throw invalid(expression, e instanceof Error ? e.message.replace(/^CronPattern: /, "") : String(e));
  }
}

function invalid(expression: unknown, why: string): PawlError {
  const shown = typeof expression === "string" ? JSON.stringify(expression) : String(expression);
  return new PawlError("PAWL1040", `cron ${shown} cannot be read: ${why}`, { data: { cron: String(expression) } });
}
