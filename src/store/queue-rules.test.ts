// Rates of queues as pure rules: what is stored of a rate lasts over restarts, and a clock that is set back stops nobody until it has
// caught up. No rate is ever passed while the clock goes on.
import { describe, expect, it } from "vitest";
import { nextPermitAt, ratePermits, tatAfter } from "./queue-rules.ts";

describe("a rate", () => {
  const rate = { limit: 4, perMs: 1_000, burst: 3 }; // one every 250 ms
  const now = 1_800_000_000_000;

  it("permits its burst at once and then one every step", () => {
    expect(ratePermits(rate, 0, now)).toBe(3);
    const used = tatAfter(rate, 0, now, 3);
    expect([ratePermits(rate, used, now), nextPermitAt(rate, used, now)]).toEqual([0, now + 250]);
    expect(ratePermits(rate, used, now + 250)).toBe(1);
    expect(ratePermits(rate, used, now + 750)).toBe(3);
  });

  it("begins anew after the clock was set back, instead of waiting until it has caught up", () => {
    const used = tatAfter(rate, 0, now, 3);
    const back = now - 3_600_000;
    expect([ratePermits(rate, used, back), nextPermitAt(rate, used, back)]).toEqual([3, null]);
    const after = tatAfter(rate, used, back, 3);
    expect([ratePermits(rate, after, back), ratePermits(rate, after, back + 250)]).toEqual([0, 1]);
    expect(nextPermitAt(rate, used, now - 100), "a little: nothing is given twice").toBe(now + 250);
  });

  it("never passes its limit while the clock goes on, whatever is asked for", () => {
    let tat = 0;
    let started = 0;
    for (let ms = 0; ms < 10_000; ms++) {
      const n = Math.min(ratePermits(rate, tat, now + ms), ms % 3);
      if (n > 0) tat = tatAfter(rate, tat, now + ms, n);
      started += n;
    }
    expect(started).toBeLessThanOrEqual(3 + 40);
    expect(started).toBeGreaterThanOrEqual(40);
  });
});
