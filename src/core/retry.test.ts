// Proves retry policies and their delays: what may be asked for, how the delay grows, where it is capped, how far the jitter
// goes. Delays are recorded once, so they must be a function of their arguments alone.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { retryDelayMs, retryPolicy, type Retry, type RetryPolicy } from "./retry.ts";
import { proves } from "../../test/support/proves.ts";

const invalid = expect.objectContaining({ code: "PAWL1011" });
const policy = (p: Partial<RetryPolicy>): RetryPolicy => ({ ...retryPolicy(undefined), ...p });

describe("retryPolicy", () => {
  it("without a word there is one attempt", proves("R-24"), () => {
    expect(retryPolicy(undefined)).toEqual({ attempts: 1, backoff: "exponential", initialMs: 1000, maxMs: 60_000, when: null });
  });

  it("what is given replaces the defaults, what is not keeps them", () => {
    const when = (): boolean => true;
    expect(retryPolicy({ attempts: 4, initial: "2s", max: "10s", backoff: "fixed", when })).toEqual({
      attempts: 4,
      backoff: "fixed",
      initialMs: 2000,
      maxMs: 10_000,
      when,
    });
    expect(retryPolicy({}, { attempts: 3 }).attempts).toBe(3);
    expect(retryPolicy({ attempts: 2 }, { attempts: 3, initialMs: 7 })).toMatchObject({ attempts: 2, initialMs: 7 });
  });

  it("a misspelt option is refused: it would be no retry", () => {
    const misspelt = { attempt: 3 } as Retry;
    expect(() => retryPolicy(misspelt)).toThrow('retry has no option "attempt"; did you mean "attempts"?');
    expect(() => retryPolicy({ tries: 3 } as Retry)).toThrow(
      'retry has no option "tries"; there are attempts, backoff, initial, max, when',
    );
  });

  it("a first delay above the default cap raises the cap", () => {
    expect(retryPolicy({ initial: "5m" })).toMatchObject({ initialMs: 300_000, maxMs: 300_000 });
  });

  it.each([
    { attempts: 0 },
    { attempts: -1 },
    { attempts: 1.5 },
    { attempts: Number.NaN },
    { attempts: Infinity },
    { attempts: "3" },
    { backoff: "linear" },
    { initial: "soon" },
    { initial: -1 },
    { max: "5" },
    { when: "always" },
    { initial: "10s", max: "5s" },
    "twice",
    null,
  ])("%j is refused", proves("R-23"), (r) => {
    expect(() => retryPolicy(r as unknown as Retry)).toThrow(invalid);
  });
});

describe("retryDelayMs", () => {
  it("doubles from the first delay up to the cap", proves("R-24"), () => {
    const p = policy({ initialMs: 100, maxMs: 1000 });
    expect([1, 2, 3, 4, 5, 50, 5000].map((n) => retryDelayMs(p, n, 0))).toEqual([100, 200, 400, 800, 1000, 1000, 1000]);
  });

  it("fixed stays the same", proves("R-24"), () => {
    const p = policy({ backoff: "fixed", initialMs: 700 });
    expect([1, 2, 9].map((n) => retryDelayMs(p, n, 0))).toEqual([700, 700, 700]);
  });

  it("the jitter is deterministic, comes on top of the cap, and is at most a tenth", proves("R-24"), () => {
    const p = policy({ initialMs: 1000, maxMs: 1000 });
    expect(retryDelayMs(p, 1, 0.5)).toBe(1050);
    expect(retryDelayMs(p, 9, 0.5)).toBe(1050);
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 2000 }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        fc.integer({ min: 0, max: 1e9 }),
        (n, unit, initialMs) => {
          const q = policy({ initialMs, maxMs: 2e9 });
          const least = retryDelayMs(q, n, 0);
          const delay = retryDelayMs(q, n, unit);
          expect(Number.isSafeInteger(delay)).toBe(true);
          expect(delay).toBeGreaterThanOrEqual(least);
          expect(delay).toBeLessThanOrEqual(least * 1.1);
          expect(retryDelayMs(q, n, unit)).toBe(delay);
        },
      ),
      { numRuns: 200 },
    );
  });
});
