// Waiting for something in the store: a hint makes it quick, a poll makes it certain, a time limit ends it. One
// subscription serves all waiters of a client and is given back when none waits. Its timers keep the process alive
// only as long as somebody waits.
import { PawlError } from "../errors/error.ts";
import type { Platform } from "../platform/platform.ts";
import type { FullStore } from "../store/full-store.ts";

const pollMs = 250;

export class StoreWatcher {
  readonly #store: FullStore;
  readonly #platform: Platform;
  readonly #waiting = new Map<string | undefined, Set<() => void>>();
  #unwatch: (() => void) | null = null;

  constructor(store: FullStore, platform: Platform) {
    this.#store = store;
    this.#platform = platform;
  }

  /** Resolves at the next hint about this run (any run, if undefined) or after `timeoutMs`. */
  waitForChange(runId: string | undefined, timeoutMs: number): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        cancel();
        this.#remove(runId, done);
        resolve();
      };
      const cancel = this.#platform.timer(timeoutMs, done, true);
      this.#add(runId, done);
    });
  }

  /** Asks `check` until it says true. */
  async until(runId: string, timeoutMs: number | undefined, check: () => Promise<boolean>): Promise<void> {
    const deadline = timeoutMs === undefined ? Number.POSITIVE_INFINITY : this.#platform.monotonicMs() + timeoutMs;
    for (;;) {
      const next = this.waitForChange(runId, Math.min(pollMs, Math.max(0, deadline - this.#platform.monotonicMs())));
      next.catch(() => {}); // a store that is closed meanwhile is reported by the check
      if (await check()) return;
      if (this.#platform.monotonicMs() >= deadline)
        throw new PawlError("PAWL4006", `nothing came of run ${runId} within ${timeoutMs} ms`, { data: { runId } });
      await next;
    }
  }

  withTimeout<T>(p: Promise<T>, timeoutMs: number | undefined, runId: string): Promise<T> {
    return timeoutMs === undefined ? p : this.#addUntil(p, timeoutMs, runId);
  }
  async #addUntil<T>(p: Promise<T>, timeoutMs: number, runId: string): Promise<T> {
    let cancel = (): void => {};
    const late = new Promise<never>((_, reject) => {
      cancel = this.#platform.timer(
        timeoutMs,
        () => reject(new PawlError("PAWL4006", `run ${runId} did not end within ${timeoutMs} ms`, { data: { runId } })),
        true,
      );
    });
    try {
      return await Promise.race([p, late]);
    } finally {
      cancel();
    }
  }

  #add(runId: string | undefined, f: () => void): void {
    const set = this.#waiting.get(runId);
    if (set === undefined) this.#waiting.set(runId, new Set([f]));
    else set.add(f);
    this.#unwatch ??= this.#store.watch((h) => {
      const told = h.runId === undefined ? [...this.#waiting.values()] : [this.#waiting.get(h.runId), this.#waiting.get(undefined)];
      for (const waiters of told) for (const w of waiters === undefined ? [] : [...waiters]) w();
    });
  }
  #remove(runId: string | undefined, f: () => void): void {
    const set = this.#waiting.get(runId);
    set?.delete(f);
    if (set?.size === 0) this.#waiting.delete(runId);
    if (this.#waiting.size > 0) return;
    this.#unwatch?.();
    this.#unwatch = null;
  }
}
