// `pawl append` as a real process: lines in, one answer per event out, and the same file again changes nothing. A line that
// cannot be taken is told and never stops the others.
import { afterEach, expect, it } from "vitest";
import type { RunEventWrite } from "../../src/index.ts";
import { life, step, write } from "../log/producer-events.ts";
import { killCommands, CliFolder } from "./pawl-process.ts";
import { proves } from "../support/proves.ts";

afterEach(killCommands);
const jsonl = (events: readonly object[]): string => events.map((e) => `${JSON.stringify(e)}\n`).join("");
const lines = (out: string): any[] =>
  out
    .trimEnd()
    .split("\n")
    .map((l) => JSON.parse(l) as unknown);

it(
  "a file is appended once, however often; with --json each event is answered by a line of its own",
  proves("D-074", "D-076", "P-11"),
  async () => {
    const events = [...life("r-1"), ...life("r-2")];
    const place = new CliFolder({ "events.jsonl": jsonl(events) });
    const first = await place.pawl("append", "events.jsonl");
    expect([first.code, first.out, first.err]).toEqual([0, "14 appended, 0 already there\n", ""]);
    const again = await place.pawl("append", "events.jsonl", "--json");
    expect(again.code).toBe(0);
    expect(lines(again.out)).toMatchObject(
      events.map((e, i) => ({
        line: i + 1,
        runId: e.runId,
        eventType: e.eventType,
        eventId: e.eventId,
        idempotent: true,
        persisted: false,
      })),
    );
    expect(lines(again.out).map((l: { runSeq: number }) => l.runSeq)).toEqual([1, 2, 3, 4, 5, 6, 7, 1, 2, 3, 4, 5, 6, 7]);
    expect((await place.json("events", "r-2")).length).toBe(7);
    const differing = events.map((e) => ({ ...e, payload: { another: 1 } }) as RunEventWrite);
    expect((await place.start(["append", "-"], {}, jsonl(differing)).ended).out).toBe(
      "0 appended, 14 already there, 14 of them with a different payload\n",
    );
  },
);

it("invalid lines are told with their number and place, and the rest is appended", proves("P-41"), async () => {
  const [a, b] = [write({ eventType: "RunStarted" }), write({ eventType: "RunCompleted" })];
  const place = new CliFolder({ "events.jsonl": `${jsonl([a])}{no json\n\n${jsonl([{ ...b, emittedAt: "today" }, b])}"text"\n` });
  const { code, out, err } = await place.pawl("append", "events.jsonl");
  expect([code, out]).toEqual([2, "2 appended, 0 already there, 3 invalid\n"]);
  expect(err).toContain("line 2: SCHEMA_VALIDATION_FAILED  the line is not JSON\n");
  expect(err).toContain("line 4: SCHEMA_VALIDATION_FAILED  /emittedAt must be RFC 3339");
  expect(err).toContain("line 6: SCHEMA_VALIDATION_FAILED");
  expect((await place.pawl("append", "nowhere.jsonl")).code).toBe(2);
});

it("with --validate a rejection is told, stays, and goes with --forget", proves("D-111", "D-113"), async () => {
  const early = write(step("StepStarted", "a"));
  const place = new CliFolder({ "early.jsonl": jsonl([early]), "start.jsonl": jsonl([write({ eventType: "RunStarted" })]) });
  for (let i = 0; i < 2; i++) {
    const { code, out, err } = await place.pawl("append", "early.jsonl", "--validate");
    expect([code, out]).toEqual([5, "0 appended, 0 already there, 1 rejected\n"]);
    expect(err).toBe("line 1: INVALID_TRANSITION  StepStarted is invalid now: it needs run RUNNING, but found run none\n");
    await place.pawl("append", "start.jsonl");
  }
  const forgotten = await place.pawl("append", "early.jsonl", "--validate", "--forget");
  expect([forgotten.code, forgotten.out]).toEqual([0, "1 appended, 0 already there\n"]);
});
