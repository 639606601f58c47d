// Waiting for something in the store: a hint makes it quick, a poll makes it certain, a time limit ends it. One
// watcher serves all clients of a store in this process; its subscriptions are given back when nobody waits. Its timers keep the process
// alive only as long as somebody waits.
import { PawlError } from "../errors/error.ts";
import type { Platform } from "../platform/platform.ts";
import type { FullStore } from "../store/full-store.ts";
import type { WatchOptions } from "../store/port.ts";

const pollMs = 250;

const watchers = new WeakMap<FullStore, WeakMap<Platform, StoreWatcher>>();

/** The watcher of a store in this process. */
export function watcherOf(store: FullStore, platform: Platform): StoreWatcher {
  const known = watchers.get(store) ?? new WeakMap<Platform, StoreWatcher>();
  watchers.set(store, known);
  const watcher = known.get(platform) ?? new StoreWatcher(store, platform);
  known.set(platform, watcher);
  return watcher;
}

export class StoreWatcher {
  readonly #platform: Platform;
  readonly #waiting: HintWaiters;
  /** Those who follow a log. */
  readonly #following: HintWaiters;

  constructor(store: FullStore, platform: Platform) {
    this.#platform = platform;
    this.#waiting = new HintWaiters(store, {});
    this.#following = new HintWaiters(store, { events: true });
  }

  /**
   * Resolves at the next hint about this run (any run, if undefined) or after `timeoutMs`; rejects when `signal` is aborted. Of one run, every
   * Commit that adds events counts; of any, only what somebody may have to act on: else a busy store would keep its watchers busy.
   */
  waitForChange(runId: string | undefined, timeoutMs: number, signal?: AbortSignal): Promise<void> {
    return this.#next(runId === undefined ? this.#waiting : this.#following, runId, timeoutMs, signal).promise;
  }

  /** `leave` gives back timer and listeners, and resolves it. */
  #next(
    among: HintWaiters,
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
        among.remove(runId, done);
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
      among.add(runId, done);
    });
    return { promise, leave };
  }

  /** Asks `check` until it says true. */
  async until(runId: string, timeoutMs: number | undefined, check: () => Promise<boolean>, signal?: AbortSignal): Promise<void> {
    const deadline = timeoutMs === undefined ? Number.POSITIVE_INFINITY : this.#platform.monotonicMs() + timeoutMs;
    for (;;) {
      const left = Math.max(0, deadline - this.#platform.monotonicMs());
      const { promise: next, leave } = this.#next(this.#waiting, runId, Math.min(pollMs, left), signal);
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
}

/** Who waits for which run, behind one subscription. */
class HintWaiters {
  readonly #store: FullStore;
  readonly #options: WatchOptions;
  readonly #waiting = new Map<string | undefined, Set<() => void>>();
  #unwatch: (() => void) | null = null;

  constructor(store: FullStore, options: WatchOptions) {
    this.#store = store;
    this.#options = options;
  }

  add(runId: string | undefined, f: () => void): void {
    const set = this.#waiting.get(runId);
    if (set === undefined) this.#waiting.set(runId, new Set([f]));
    else set.add(f);
    this.#unwatch ??= this.#store.watch((h) => {
      const concerned = h.runId === undefined ? [...this.#waiting.values()] : [this.#waiting.get(h.runId), this.#waiting.get(undefined)];
      for (const waiters of concerned) for (const w of waiters === undefined ? [] : [...waiters]) w();
    }, this.#options);
  }

  remove(runId: string | undefined, f: () => void): void {
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
