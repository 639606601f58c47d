// A wait that can be cut short: rung before anybody waits, it is remembered for the next one. Its timer keeps the process
// alive, since somebody wants what comes after it.
import type { Platform } from "../platform/platform.ts";

export class Bell {
  readonly #platform: Platform;
  #rung = false;
  #wake: (() => void) | null = null;

  constructor(platform: Platform) {
    this.#platform = platform;
  }

  ring(): void {
    this.#rung = true;
    this.#wake?.();
  }

  /** Resolves when rung, or after `ms`. */
  async wait(ms: number): Promise<void> {
    if (!this.#rung) {
      await new Promise<void>((resolve) => {
        const cancel = this.#platform.timer(ms, resolve, true);
        this.#wake = (): void => {
          cancel();
          resolve();
        };
      });
    }
    this.#wake = null;
    this.#rung = false;
  }
}
