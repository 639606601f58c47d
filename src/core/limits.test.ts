// Proves the default bounds, and that a bound which is none is refused. A default that changes must be changed here too,
// on purpose.
import { describe, expect, it } from "vitest";
import { defaultLimits, checkLimits } from "./limits.ts";
import { proves } from "../../test/support/proves.ts";

describe("limits", () => {
  it("the defaults are those of the design", proves("K5", "K6", "K15"), () => {
    expect(checkLimits()).toEqual(defaultLimits);
    expect(defaultLimits).toMatchObject({ valueBytesMax: 1_048_576, depthMax: 64, openStepsMax: 10_000, immediateCallsMax: 1000 });
    expect(defaultLimits).toMatchObject({
      batchCommitsMax: 256,
      batchBytesMax: 1_048_576,
      commitBytesMax: 262_144,
      startsPerCommitMax: 100,
      pendingBytesMax: 16_777_216,
    });
    expect(defaultLimits).toMatchObject({ engineAttemptsMax: 5, idleClaimsMax: 5 });
  });

  it("each can be set, and undefined keeps the default", () => {
    expect(checkLimits({ depthMax: 8 })).toEqual({ ...defaultLimits, depthMax: 8 });
    expect(checkLimits({ depthMax: undefined } as never)).toEqual(defaultLimits);
    expect(defaultLimits.depthMax).toBe(64);
  });

  const refused: readonly unknown[] = [
    { depthMax: 0 },
    { depthMax: 1.5 },
    { depthMax: 5000 },
    { valueBytesMax: Infinity },
    { openStepsMax: "9" },
    { depth: 4 },
    { toString: 4 },
    { batchBytesMax: null },
  ];
  it.each(refused)("%j is refused", (o) => {
    expect(() => checkLimits(o as never)).toThrow(expect.objectContaining({ code: "PAWL5001" }));
  });
});
