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

  /** Resolves at the next hint about this run (any run, if undefined) or after `timeoutMs`; rejects when `signal` is aborted. */
  waitForChange(runId: string | undefined, timeoutMs: number, signal?: AbortSignal): Promise<void> {
    return this.#nextChange(runId, timeoutMs, signal).promise;
  }

  /** `leave` gives back timer and listeners, and resolves it. */
  #nextChange(
    runId: string | undefined,
    timeoutMs: number,
    signal: AbortSignal | undefined,
  ): { promise: Promise<void>; leave: () => void } {
    let leave = (): void => {};
    const promise = new Promise<void>((resolve, reject) => {
      if (signal?.aborted === true) return reject(reasonOf(signal));
      let over = false;
      const remove = (): void => {
        if (over) return;
        over = true;
        cancel();
        this.#remove(runId, done);
        signal?.removeEventListener("abort", aborted);
      };
      const done = (leave = (): void => {
        remove();
        resolve();
      });
      const aborted = (): void => {
        remove();
        reject(reasonOf(signal!));
      };
      const cancel = this.#platform.timer(timeoutMs, done, true);
      signal?.addEventListener("abort", aborted);
      this.#add(runId, done);
    });
    return { promise, leave };
  }

  /** Asks `check` until it says true. */
  async until(runId: string, timeoutMs: number | undefined, check: () => Promise<boolean>, signal?: AbortSignal): Promise<void> {
    const deadline = timeoutMs === undefined ? Number.POSITIVE_INFINITY : this.#platform.monotonicMs() + timeoutMs;
    for (;;) {
      const left = Math.max(0, deadline - this.#platform.monotonicMs());
      const { promise: next, leave } = this.#nextChange(runId, Math.min(pollMs, left), signal);
      next.catch(() => {}); // a store that is closed meanwhile is reported by the check
      try {
        signal?.throwIfAborted();
        if (await check()) return;
        if (this.#platform.monotonicMs() >= deadline)
          throw new PawlError("PAWL4006", `nothing came of run ${runId} within ${timeoutMs} ms`, { data: { runId } });
        await next;
      } finally {
        leave();
      }
    }
  }

  /** `p`, unless the time passes or `signal` is aborted first. */
  async within<T>(p: Promise<T>, timeoutMs: number | undefined, runId: string, signal?: AbortSignal): Promise<T> {
    if (timeoutMs === undefined && signal === undefined) return p;
    let leave = (): void => {};
    const early = new Promise<never>((_, reject) => {
      if (signal?.aborted === true) return reject(reasonOf(signal));
      const aborted = (): void => reject(reasonOf(signal!));
      const late = (): void => reject(new PawlError("PAWL4006", `run ${runId} did not end within ${timeoutMs} ms`, { data: { runId } }));
      const cancel = timeoutMs === undefined ? () => {} : this.#platform.timer(timeoutMs, late, true);
      signal?.addEventListener("abort", aborted);
      leave = () => {
        cancel();
        signal?.removeEventListener("abort", aborted);
      };
    });
    try {
      return await Promise.race([p, early]);
    } finally {
      leave();
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

/** Errors stay errors; anything else that a caller aborts with is rejected with as it is. */
function reasonOf(signal: AbortSignal): Error {
  return signal.reason as Error;
}
