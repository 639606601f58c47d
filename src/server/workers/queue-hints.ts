// Waiting for work on queues: hints of the store make it fast, and a check every second finds what no hint announced. One subscription serves every poll of a
// server, and is ended when no poll waits.
import type { Platform } from "../../platform/platform.ts";
import type { FullStore } from "../../store/full-store.ts";

interface Waiter {
  readonly queues: readonly string[];
  wake: () => void;
  /** A hint that came before the wait began is not lost. */
  hinted: boolean;
}

export interface QueueWait {
  /** Resolves at a hint about one of the queues, after `ms`, or when the signal is aborted. */
  next(ms: number, signal: AbortSignal): Promise<void>;
  leave(): void;
}

export class QueueHints {
  readonly #store: FullStore;
  readonly #platform: Platform;
  readonly #waiters = new Set<Waiter>();
  #unwatch: (() => void) | undefined;

  constructor(store: FullStore, platform: Platform) {
    this.#store = store;
    this.#platform = platform;
  }

  /** From now on hints count. Call `leave`, or `next`, which leaves by itself. */
  begin(queues: readonly string[]): QueueWait {
    const waiter: Waiter = { queues, wake: () => {}, hinted: false };
    this.#waiters.add(waiter);
    this.#unwatch ??= this.#store.watch((h) => {
      if (h.kind !== "queue" && h.kind !== "any") return;
      this.look((queue) => h.queue === undefined || queue === h.queue);
    });
    const leave = (): void => {
      this.#waiters.delete(waiter);
      if (this.#waiters.size > 0) return;
      this.#unwatch?.();
      this.#unwatch = undefined;
    };
    const next = (ms: number, signal: AbortSignal): Promise<void> =>
      new Promise((resolve) => {
        if (waiter.hinted || signal.aborted) {
          leave();
          return resolve();
        }
        const done = (): void => {
          cancel();
          signal.removeEventListener("abort", done);
          leave();
          resolve();
        };
        const cancel = this.#platform.timer(ms, done, true);
        signal.addEventListener("abort", done, { once: true });
        waiter.wake = done;
      });
    return { next, leave };
  }

  /** Those who wait for one of these queues look now. */
  look(isMeant: (queue: string) => boolean): void {
    for (const w of this.#waiters) {
      if (!w.queues.some(isMeant)) continue;
      w.hinted = true;
      w.wake();
    }
  }
}
