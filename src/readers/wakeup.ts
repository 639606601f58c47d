// A wait that can be cut short: a notification before anybody waits is remembered for the next wait. Its timer keeps the process
// alive, since somebody wants what comes after it.
import type { Platform } from "../platform/platform.ts";

export class Wakeup {
  readonly #platform: Platform;
  #notified = false;
  #wake: (() => void) | null = null;

  constructor(platform: Platform) {
    this.#platform = platform;
  }

  notify(): void {
    this.#notified = true;
    this.#wake?.();
  }

  /** Resolves when notified, or after `ms`. */
  async wait(ms: number): Promise<void> {
    if (!this.#notified) {
      await new Promise<void>((resolve) => {
        const cancel = this.#platform.timer(ms, resolve, true);
        this.#wake = (): void => {
          cancel();
          resolve();
        };
      });
    }
    this.#wake = null;
    this.#notified = false;
  }
}
