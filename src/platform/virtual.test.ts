// Tests of the virtual platform: order of timers, settling between them, same seed same trace. The simulator's verdicts
// are only as good as these facts.
import { describe, expect, it } from "vitest";
import { virtualPlatform } from "./virtual.ts";

describe("the virtual platform", () => {
  it("clocks stand still until advanced, and timers fire in due order at their time", async () => {
    const p = virtualPlatform({ startMs: 1000 });
    const seen: [string, number][] = [];
    p.timer(30, () => seen.push(["c", p.wallMs()]));
    p.timer(10, () => seen.push(["a", p.wallMs()]));
    p.timer(10, () => seen.push(["b", p.wallMs()]));
    await p.settle();
    expect(seen).toEqual([]);
    await p.advance(29);
    expect(seen).toEqual([
      ["a", 1010],
      ["b", 1010],
    ]);
    await p.advance(1);
    expect(seen).toHaveLength(3);
    expect([p.wallMs(), p.monotonicMs()]).toEqual([1030, 30]);
  });

  it("work that a timer wakes settles before the next timer fires", async () => {
    const p = virtualPlatform();
    const seen: string[] = [];
    p.timer(1, () => {
      p.turn(() => void Promise.resolve().then(() => p.turn(() => seen.push("woken"))));
    });
    p.timer(2, () => seen.push("second"));
    await p.advance(5);
    expect(seen).toEqual(["woken", "second"]);
  });

  it("a timer armed by a timer fires within the same advance when it is due", async () => {
    const p = virtualPlatform();
    let count = 0;
    const again = (): void => {
      count++;
      p.timer(10, again);
    };
    p.timer(10, again);
    await p.advance(100);
    expect(count).toBe(10);
    expect(p.timers()).toBe(1);
  });

  it("a cancelled timer never fires", async () => {
    const p = virtualPlatform();
    let fired = false;
    p.timer(1, () => (fired = true))();
    await p.advance(10);
    expect(fired).toBe(false);
  });

  it("skew moves the wall clock alone; a suspended process misses monotonic time", async () => {
    const p = virtualPlatform({ startMs: 5000 });
    const up = p.uptimeMs();
    p.skew(-3000);
    expect([p.wallMs(), p.monotonicMs(), p.uptimeMs() - up]).toEqual([2000, 0, 0]);
    p.suspend(700);
    expect([p.wallMs(), p.monotonicMs(), p.uptimeMs() - up]).toEqual([2700, 0, 700]);
  });

  it("the same seed gives the same ids and another seed gives others", () => {
    const trace = (seed: number): string[] => {
      const p = virtualPlatform({ seed });
      return [p.uuidV4(), p.uuidV7(), p.randomHex(16), p.uuidV4(), p.uuidV7()];
    };
    expect(trace(7)).toEqual(trace(7));
    expect(trace(7)).not.toEqual(trace(8));
    expect(trace(7)[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(
      new Set(
        Array.from(
          { length: 1000 },
          (
            (p) => () =>
              p.uuidV4()
          )(virtualPlatform()),
        ),
      ).size,
    ).toBe(1000);
  });

  it("a crash point is reported to the test that listens", () => {
    const p = virtualPlatform();
    p.hit("engine:commit");
    const seen: string[] = [];
    p.onHit = (point) => seen.push(point);
    p.hit("engine:ack");
    expect(seen).toEqual(["engine:ack"]);
  });

  it("a leap is a machine that slept: what is due fires once, late and in due order, and what is not yet due stays", async () => {
    const p = virtualPlatform();
    const seen: [string, number][] = [];
    const began = p.wallMs();
    const note = (name: string) => () => void seen.push([name, p.wallMs() - began]);
    p.timer(3_000, note("late"));
    p.timer(1_000, note("early"));
    p.timer(9_000, note("not yet"));
    const again = (): void => void (note("tick")(), p.timer(500, again));
    p.timer(500, again);
    await p.leap(5_000);
    expect(seen).toEqual([
      ["tick", 5_000],
      ["early", 5_000],
      ["late", 5_000],
    ]);
    expect([p.untilTimer(1_000), p.untilTimer(10_000)]).toEqual([4_000, undefined]);
  });
});
