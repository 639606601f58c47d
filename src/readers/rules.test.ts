// Small rules of those who read the log: how their rows are called, how long a failing run waits, what is shown of a failure. No
// store is needed for them; what readers do with them is in test/readers.
import { describe, expect, it } from "vitest";
import { PawlError } from "../errors/error.ts";
import { policyFromStore, policyToStore } from "./projection-rows.ts";
import { failureText } from "./watermarks.ts";
import { defaultBackoffMs } from "./consume-types.ts";
import { keyUnderRun, sortableNumber, consumerRunKey, scopeCollection, consumerCollection, runKeyRange } from "./kv-keys.ts";
import { proves } from "../../test/support/proves.ts";

const scope = { tenantId: "t", projectId: "p", environmentId: "e" };
const long = "x".repeat(400);

describe("where rows lie", () => {
  it("no two runs, scopes or consumers share a row, however long or odd their names are", proves("I11", "D-132", "P-37"), () => {
    const ids = ["r", "r/1", "r0", "R", "r%2F1", "é", "=", long, `${long}1`, `${long}2`, `${"é".repeat(90)}1`, `${"é".repeat(90)}2`];
    expect(new Set(ids.map(consumerRunKey)).size).toBe(ids.length);
    expect(new Set(ids.map((id) => keyUnderRun("run", id))).size).toBe(ids.length);
    expect(new Set(ids.map((tenantId) => scopeCollection("alert", { ...scope, tenantId }))).size).toBe(ids.length);
    expect(consumerCollection("mark", { scope, name: "a" })).not.toBe(consumerCollection("held", { scope, name: "a" }));
    for (const id of ids) expect(keyUnderRun(id, id, 1).length).toBeLessThanOrEqual(512);
  });

  it("the rows of one run stand together, by number, and those of a run whose id goes on from it do not", proves("D-132", "P-37"), () => {
    const { after, before } = runKeyRange("r");
    const inside = (key: string): boolean => key > after && key < before;
    const mine = [2, 10, 9_007_199_254_740_991].map((n) => keyUnderRun("r", n));
    expect(mine.toSorted()).toEqual(mine);
    expect(mine.every(inside)).toBe(true);
    for (const other of ["r1", "r0", "r/1", "ra", "R", "q", "r-", "r~"]) expect(inside(keyUnderRun(other, 2))).toBe(false);
    expect(sortableNumber(7) < sortableNumber(10)).toBe(true);
  });
});

describe("a failing event", () => {
  it("is tried again after a second, two, four, and a minute at most", proves("P-37"), () => {
    expect([1, 2, 3, 6, 7, 8, 100].map((failures) => defaultBackoffMs({ failures }))).toEqual([
      1_000, 2_000, 4_000, 32_000, 60_000, 60_000, 60_000,
    ]);
  });

  it("is shown with its error, in text that every store can keep", proves("P-37"), () => {
    expect(failureText(new PawlError("PAWL4032", "of version 1"))).toBe("PAWL4032 of version 1");
    expect(failureText(new Error("no\0way"))).toBe("no?way");
    expect(failureText(`${"x".repeat(499)}🙂`)).toBe(`${"x".repeat(499)}?`);
    expect(failureText(long + long)).toHaveLength(500);
  });

  it("policies are stored as the letters of the contract, which older stores hold", proves("D-117"), () => {
    expect([policyToStore("mark"), policyToStore("freeze")]).toEqual(["A", "B"]);
    expect(["A", "B", undefined].map(policyFromStore)).toEqual(["mark", "freeze", "mark"]);
  });
});
