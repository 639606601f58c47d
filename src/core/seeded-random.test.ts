// Freezes the random stream of workflow code: the golden values must never change, or recorded runs would diverge. They are
// written as literals, so that no snapshot update can rewrite them.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { seededRandom } from "./seeded-random.ts";
import { proves } from "../../test/support/proves.ts";

const hex = fc.string({ unit: fc.constantFrom(..."0123456789abcdef"), minLength: 1, maxLength: 64 });

describe("seeded", () => {
  it("gives the golden values", proves("D-056"), () => {
    const s = seededRandom("0d3c6a9e4f0c4a8e9d5d3d4c0f7dbb8a");
    expect([s.random(), s.random(), s.uuid(), s.random(), s.uuid()]).toEqual([
      0.6376109996446836,
      0.7892268063209037,
      "26185239-8e3c-49ad-bfb6-7ee4aa87ee26",
      0.6939733641031715,
      "d645bf63-75e1-4e13-b0c3-6d20affb0c4d",
    ]);
    expect(seededRandom("00").uuid()).toBe("90f7ef60-ac2b-432f-ab3a-9ec3873dcda7");
    expect(seededRandom("f".repeat(64)).random()).toBe(0.8065042190795265);
  });

  it("the same seed gives the same stream, another digit another one", proves("D-056"), () => {
    const stream = (seed: string): string => {
      const s = seededRandom(seed);
      return [s.random(), s.uuid(), s.random()].join();
    };
    fc.assert(
      fc.property(hex, fc.nat(63), (seed, at) => {
        expect(stream(seed)).toBe(stream(seed));
        const i = at % seed.length;
        const other = seed.slice(0, i) + (seed[i] === "0" ? "1" : "0") + seed.slice(i + 1);
        expect(stream(other)).not.toBe(stream(seed));
        expect(stream(`${seed}0`)).not.toBe(stream(seed));
      }),
      { numRuns: 200 },
    );
  });

  it("numbers lie in [0, 1) and spread; ids have the shape of v4 and do not recur", proves("D-056"), () => {
    const s = seededRandom("abc123");
    const numbers = Array.from({ length: 2000 }, () => s.random());
    expect(numbers.every((n) => n >= 0 && n < 1)).toBe(true);
    const mean = numbers.reduce((a, b) => a + b) / numbers.length;
    expect(mean).toBeGreaterThan(0.45);
    expect(mean).toBeLessThan(0.55);
    const uuids = Array.from({ length: 2000 }, () => s.uuid());
    for (const u of uuids) expect(u).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(new Set(uuids).size).toBe(uuids.length);
  });

  it("a seed that is no hex text is refused", () => {
    for (const seed of ["", "xyz", "0x12"]) expect(() => seededRandom(seed)).toThrow(expect.objectContaining({ code: "PAWL3007" }));
  });
});
