// Who wants to hear that something changed. Hints are given after the write, on a microtask of their own: a listener
// that throws cannot make a Commit look failed. Losing a hint is harmless, polling is always the truth.
import type { Hint, WatchOptions } from "./port.ts";

export type HintListener = (h: Hint) => void;

const resolved = Promise.resolve();

export class Hints {
  readonly #listeners = new Set<HintListener>();
  /** Those of them that also want to hear of every Commit with events. */
  readonly #followers = new Set<HintListener>();

  get size(): number {
    return this.#listeners.size;
  }

  /** Whether hints of kind `events` are worth making: a step is spared them while nobody follows a log. */
  get wantsEvents(): boolean {
    return this.#followers.size > 0;
  }

  add(listener: HintListener, o: WatchOptions = {}): () => void {
    // A fresh function per subscription: the same listener added twice is notified twice, and is removed one by one.
    const own: HintListener = (h) => listener(h);
    this.#listeners.add(own);
    if (o.events === true) this.#followers.add(own);
    return () => {
      this.#listeners.delete(own);
      this.#followers.delete(own);
    };
  }

  emit(hints: readonly Hint[]): void {
    if (hints.length === 0 || this.#listeners.size === 0) return;
    void resolved.then(() => {
      for (const h of hints) for (const l of h.kind === "events" ? this.#followers : this.#listeners) l(h);
    });
  }
}
