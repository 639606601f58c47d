// When a cron expression is due around changes of clocks: a table that people can check by hand, and every minute of the days around
// each change against an oracle that only looks at what the wall clock shows.
import { describe, expect, it } from "vitest";
import { cronTimes } from "./cron.ts";

const dues = (cron: string, tz: string, after: string, n: number): string[] => {
  const times = cronTimes(cron, tz);
  const found: string[] = [];
  for (let at = Date.parse(after); found.length < n;) {
    const next = times.next(at);
    if (next === null) return found;
    found.push(new Date(next).toISOString().replace(":00.000Z", "Z"));
    at = next;
  }
  return found;
};

/** zone, what happens, expression, after, the next due times in UTC. */
const golden: readonly (readonly [string, string, string, string, readonly string[]])[] = [
  ["Europe/Zurich", "2:30 is left out", "30 2 * * *", "2025-03-29T00:00Z", ["2025-03-29T01:30Z", "2025-03-30T01:00Z", "2025-03-31T00:30Z"]],
  ["Europe/Zurich", "2:30 comes twice", "30 2 * * *", "2025-10-25T00:00Z", ["2025-10-25T00:30Z", "2025-10-26T00:30Z", "2025-10-27T01:30Z"]],
  [
    "Europe/Zurich",
    "every hour, forward",
    "0 * * * *",
    "2025-03-29T23:30Z",
    ["2025-03-30T00:00Z", "2025-03-30T01:00Z", "2025-03-30T02:00Z"],
  ],
  ["Europe/Zurich", "every hour, back", "0 * * * *", "2025-10-25T23:30Z", ["2025-10-26T00:00Z", "2025-10-26T01:00Z", "2025-10-26T02:00Z"]],
  ["Europe/Zurich", "two times in a gap are one instant", "*/30 2 * * *", "2025-03-29T12:00Z", ["2025-03-30T01:00Z", "2025-03-31T00:00Z"]],
  [
    "Europe/Zurich",
    "a gap's end is named too",
    "0 2,3 * * *",
    "2025-03-29T12:00Z",
    ["2025-03-30T01:00Z", "2025-03-31T00:00Z", "2025-03-31T01:00Z"],
  ],
  [
    "Europe/Zurich",
    "steps name hours",
    "0 */2 * * *",
    "2025-03-29T23:30Z",
    ["2025-03-30T01:00Z", "2025-03-30T02:00Z", "2025-03-30T04:00Z"],
  ],
  ["Europe/Zurich", "weekdays only", "0 9 * * MON-FRI", "2025-03-28T12:00Z", ["2025-03-31T07:00Z", "2025-04-01T07:00Z"]],
  ["Europe/Zurich", "the last day of a month", "0 0 L * *", "2025-02-01T12:00Z", ["2025-02-27T23:00Z", "2025-03-30T22:00Z"]],
  ["America/New_York", "2:15 is left out", "15 2 * * *", "2025-03-08T12:00Z", ["2025-03-09T07:00Z", "2025-03-10T06:15Z"]],
  ["America/New_York", "1:30 comes twice", "30 1 * * *", "2025-11-01T12:00Z", ["2025-11-02T05:30Z", "2025-11-03T06:30Z"]],
  [
    "America/New_York",
    "fixed hour, steps of minutes",
    "*/20 1 * * *",
    "2025-11-02T04:00Z",
    ["2025-11-02T05:00Z", "2025-11-02T05:20Z", "2025-11-02T05:40Z", "2025-11-03T06:00Z"],
  ],
  [
    "America/New_York",
    "every half hour",
    "*/30 * * * *",
    "2025-11-02T05:00Z",
    ["2025-11-02T05:30Z", "2025-11-02T06:00Z", "2025-11-02T06:30Z", "2025-11-02T07:00Z"],
  ],
  ["Australia/Lord_Howe", "half an hour is left out", "15 2 * * *", "2025-10-03T16:00Z", ["2025-10-04T15:30Z", "2025-10-05T15:15Z"]],
  ["Australia/Lord_Howe", "half an hour comes twice", "45 1 * * *", "2025-04-04T16:00Z", ["2025-04-05T14:45Z", "2025-04-06T15:15Z"]],
  [
    "America/Santiago",
    "midnight is left out",
    "0 0 * * *",
    "2025-09-06T00:00Z",
    ["2025-09-06T04:00Z", "2025-09-07T04:00Z", "2025-09-08T03:00Z"],
  ],
  ["America/Santiago", "23:30 comes twice", "30 23 * * *", "2025-04-05T12:00Z", ["2025-04-06T02:30Z", "2025-04-07T03:30Z"]],
  ["Africa/Cairo", "midnight is left out on a Friday", "@daily", "2025-04-24T00:00Z", ["2025-04-24T22:00Z", "2025-04-25T21:00Z"]],
  [
    "Pacific/Apia",
    "a whole day is left out",
    "0 9 * * *",
    "2011-12-29T12:00Z",
    ["2011-12-29T19:00Z", "2011-12-30T10:00Z", "2011-12-30T19:00Z"],
  ],
  ["Asia/Kolkata", "clocks never change", "0 9 * * *", "2025-03-30T00:00Z", ["2025-03-30T03:30Z", "2025-03-31T03:30Z"]],
  ["UTC", "with seconds", "30 59 23 31 12 *", "2025-01-01T00:00Z", ["2025-12-31T23:59:30.000Z", "2026-12-31T23:59:30.000Z"]],
];

describe("cron", () => {
  it.each(golden)("in %s, %s: %s", (tz, _, cron, after, expected) => {
    expect(dues(cron, tz, after, expected.length)).toEqual(expected);
  });

  const minute = 60_000;
  const changes = [
    ["Europe/Zurich", "2025-03-30"],
    ["Europe/Zurich", "2025-10-26"],
    ["America/New_York", "2025-03-09"],
    ["America/New_York", "2025-11-02"],
    ["Australia/Lord_Howe", "2025-04-06"],
    ["Australia/Lord_Howe", "2025-10-05"],
    ["America/Santiago", "2025-04-06"],
    ["America/Santiago", "2025-09-07"],
    ["Africa/Cairo", "2025-04-25"],
    ["Africa/Cairo", "2025-10-31"],
    ["Pacific/Apia", "2011-12-30"],
  ] as const;
  const fields: readonly (readonly [string, string])[] = [
    ["30", "2"],
    ["0", "0"],
    ["0", "0,1,2,3"],
    ["*/15", "1"],
    ["59", "1-3"],
    ["*/7", "0-5"],
    ["5,35", "23"],
    ["*", "2"],
    ["0", "*/3"],
    ["0", "*"],
    ["*/20", "*"],
    ["15,45", "*"],
  ];

  it.each(changes)("in %s around %s each named time fires once, and hours of * follow elapsed time", (tz, day) => {
    const from = Date.parse(`${day}T00:00Z`) - 2 * 86_400_000;
    const to = from + 4 * 86_400_000;
    const shown = new Intl.DateTimeFormat("sv-SE", { timeZone: tz, dateStyle: "short", timeStyle: "short" });
    const walls: number[] = [];
    for (let at = from; at < to; at += minute) walls.push(Date.parse(`${shown.format(at).replace(" ", "T")}Z`));
    for (const [m, h] of fields) {
      const [minutes, hours] = [listOf(m, 59), listOf(h, 23)];
      const matches = (wall: number): boolean => minutes.has(new Date(wall).getUTCMinutes()) && hours.has(new Date(wall).getUTCHours());
      const expected = new Set<number>();
      if (h === "*") walls.forEach((wall, i) => matches(wall) && expected.add(from + i * minute));
      else
        for (let wall = walls[0]! + minute, highest = walls[0]!, i = 0; i < walls.length; i++) {
          // The clock shows a time for the first time, or was put past it.
          for (; wall <= walls[i]!; wall += minute) if (matches(wall)) expected.add(from + i * minute);
          highest = Math.max(highest, walls[i]!);
          wall = Math.max(wall, highest + minute);
        }
      const times = cronTimes(`${m} ${h} * * *`, tz);
      const found: number[] = [];
      for (let at = times.next(from); at !== null && at < to; at = times.next(at)) found.push(at);
      const text = (all: Iterable<number>): string[] => [...all].map((at) => new Date(at).toISOString());
      expect(text(found), `${m} ${h} in ${tz}`).toEqual(text([...expected].filter((at) => at > from)));
    }
  });

  it.each(["0 0 30 2 *", "0 0 31 4,6,9,11 *"])("%s names a date that never comes, and is refused", (cron) => {
    expect(() => cronTimes(cron, "UTC")).toThrow(expect.objectContaining({ page: "PAWL1040" }));
  });
  it.each(["", "* * * *", "61 * * * *", "0 25 * * *", "0 0 0 1 1 * 2030", "a b c d e", "*/0 * * * *", "@reboot", "2030-01-01T00:00:00"])(
    "%j is no expression, and is refused",
    (cron) => {
      expect(() => cronTimes(cron, "UTC")).toThrow(expect.objectContaining({ page: "PAWL1040" }));
    },
  );
  it.each(["Mars/Olympus", "", "local"])("%j is no time zone, and is refused", (tz) => {
    expect(() => cronTimes("0 9 * * *", tz)).toThrow(expect.objectContaining({ page: "PAWL1040" }));
  });
});

function listOf(field: string, max: number): Set<number> {
  const found = new Set<number>();
  for (const part of field.split(",")) {
    const [range = "*", step = "1"] = part.split("/");
    const [low = "0", high = low] = range === "*" ? ["0", String(max)] : range.split("-");
    for (let n = Number(low); n <= Number(high); n += Number(step)) found.add(n);
  }
  return found;
}
