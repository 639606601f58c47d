// Moves a virtual clock over long times: from one moment at which something is due to the next, in small steps around it, so that engines do
// between two of them what they do in seconds. Timers of an engine's own rhythm are passed over.
import type { VirtualPlatform } from "../../src/platform/virtual.ts";
import { rhythmMs } from "../../src/testing/test-clock.ts";

const nearMs = 1_500;
const smallMs = 500;

export async function passTime(platform: VirtualPlatform, ms: number): Promise<void> {
  for (let left = ms; left > 0;) {
    await platform.settle();
    const gap = platform.untilTimer(rhythmMs) ?? left;
    const step = Math.min(gap > nearMs ? gap : smallMs, left);
    if (step > nearMs) {
      await platform.leap(step);
      // What the moment woke is done: a run is claimed and ends.
      const after = Math.min(nearMs, left - step);
      for (let spent = 0; spent < after; spent += smallMs) await platform.advance(Math.min(smallMs, after - spent));
      left -= step + after;
    } else {
      await platform.advance(step);
      left -= step;
    }
  }
}
