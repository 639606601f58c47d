// Proves what a duration may be, and that it always comes out as whole milliseconds, never shorter than asked. It must
// never need a clock: durations are pure.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { durationMs, type Duration } from "./duration.ts";
import { proves } from "../../test/support/proves.ts";

const invalid = expect.objectContaining({ code: "PAWL1002" });

describe("durationMs", () => {
  it.each([
    ["250ms", 250],
    ["30s", 30_000],
    ["5m", 300_000],
    ["2h", 7_200_000],
    ["1d", 86_400_000],
    ["2w", 1_209_600_000],
    ["1.5s", 1500],
    ["0.3s", 300],
    ["0ms", 0],
    [1500, 1500],
    [0, 0],
  ] as [Duration, number][])("%s is %d milliseconds", (d, ms) => {
    expect(durationMs(d, "delay")).toBe(ms);
  });

  it("a fraction of a millisecond is rounded up", proves("I10"), () => {
    expect(durationMs(0.2, "delay")).toBe(1);
    expect(durationMs("1.0001s", "delay")).toBe(1001);
  });

  it.each([
    "5",
    "",
    "s",
    "-1s",
    "1 s",
    "1e3s",
    "0x10s",
    "5min",
    "1s ",
    "NaNs",
    "Infinitys",
    -1,
    Number.NaN,
    Infinity,
    "5300w",
    null,
    undefined,
    {},
    true,
    5n,
  ])("%s is refused", (d) => {
    expect(() => durationMs(d as Duration, "delay")).toThrow(invalid);
  });

  it("100 years is the longest", () => {
    expect(durationMs("36525d", "delay")).toBe(3_155_760_000_000);
    expect(() => durationMs("36526d", "delay")).toThrow(invalid);
  });

  it("the message names what was wrong", () => {
    expect(() => durationMs("5x" as Duration, "step timeout")).toThrow('step timeout is not a duration between 0 and 100 years: "5x"');
  });

  it("every accepted duration is a whole, safe number that is not shorter", proves("I10"), () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 3_155_760_000_000, noNaN: true }), (ms) => {
        const whole = durationMs(ms, "d");
        expect(Number.isSafeInteger(whole)).toBe(true);
        expect(whole).toBeGreaterThanOrEqual(ms - 1e-6);
        expect(whole - ms).toBeLessThan(1);
      }),
      { numRuns: 200 },
    );
  });
});
