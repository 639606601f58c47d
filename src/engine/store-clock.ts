// The store's clock as an engine estimates it between two answers: the last time that the store said, plus what has elapsed since by
// the machine's uptime. The wall clock is never asked: somebody may set it. It decides nothing by itself: what depends on the
// store's time for safety is refused by the store (`notBefore`), and every answer corrects this estimate.
import type { Platform } from "../platform/platform.ts";

/** How often an engine that hears nothing asks the store for its time. */
const askEveryMs = 30_000;

export class StoreClock {
  readonly #platform: Platform;
  /** The store's time minus the uptime. */
  #offsetMs: number;
  #syncedAt = Number.NEGATIVE_INFINITY;

  constructor(platform: Platform) {
    this.#platform = platform;
    this.#offsetMs = platform.wallMs() - platform.uptimeMs(); // until the store has said its own
  }

  /** Never ahead of the store's clock, but for what the two clocks have drifted apart since the last answer. */
  nowMs(): number {
    return Math.floor(this.#platform.uptimeMs() + this.#offsetMs);
  }
  /** The store said that this is its time now. */
  sync(nowMs: number): void {
    this.#offsetMs = nowMs - this.#platform.uptimeMs();
    this.#syncedAt = this.#platform.uptimeMs();
  }
  /** The store recorded something at this time: it is not earlier now. */
  syncAtLeast(persistedAt: number): void {
    const ahead = persistedAt - this.#platform.uptimeMs();
    if (ahead > this.#offsetMs) this.#offsetMs = ahead;
  }
  /** Asks, if the last answer is old. */
  async refreshIfOld(store: { info(): Promise<{ readonly nowMs: number }> }): Promise<void> {
    if (this.#platform.uptimeMs() - this.#syncedAt >= askEveryMs) this.sync((await store.info()).nowMs);
  }
}
