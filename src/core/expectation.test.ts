// Tests of what a crash may do to an effect: which counts each class permits, and when fewer are no breach. A class that is
// judged too kindly here would hide a second charge in every crash matrix.
import { describe, expect, it } from "vitest";
import { allowedCountText, meetsExpectation, mayNeedPerson, promisedCalls, promisedEffect } from "./expectation.ts";
import type { GuaranteeClass } from "./model.ts";

const classes: readonly GuaranteeClass[] = ["ATOMIC", "KEYED", "VERIFIED", "AT-MOST-ONCE", "REPEATABLE", "UNDECLARED"];

describe("expectations", () => {
  it("each class promises one thing of its effect; only REPEATABLE says that twice is fine", () => {
    expect(classes.map(promisedEffect)).toEqual(["once", "once", "once", "at-most-once", "at-least-once", "once"]);
    expect(classes.map(promisedCalls)).toEqual(["once", "at-least-once", "once", "at-most-once", "at-least-once", "once"]);
    expect(classes.filter(mayNeedPerson)).toEqual(["KEYED", "VERIFIED", "AT-MOST-ONCE"]);
  });

  it("more than in an uninterrupted run is a breach unless at least once was said; less is one only where the run ended", () => {
    const seen = (e: Parameters<typeof meetsExpectation>[0], ended: boolean): boolean[] =>
      [1, 2, 3].map((n) => meetsExpectation(e, 2, n, ended));
    expect(seen("once", true)).toEqual([false, true, false]);
    expect(seen("once", false)).toEqual([true, true, false]);
    expect(seen("at-most-once", true)).toEqual([true, true, false]);
    expect(seen("at-least-once", true)).toEqual([false, true, true]);
    expect(seen("at-least-once", false)).toEqual([true, true, true]);
  });

  it("permitted counts have words", () => {
    expect([allowedCountText("once", 1, true), allowedCountText("once", 1, false), allowedCountText("at-most-once", 3, true)]).toEqual([
      "1",
      "0 or 1",
      "at most 3",
    ]);
    expect([
      allowedCountText("at-least-once", 1, true),
      allowedCountText("at-least-once", 1, false),
      allowedCountText("once", 0, false),
    ]).toEqual(["at least 1", "any", "0"]);
  });
});
