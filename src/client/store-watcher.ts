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
   * Resolves at the next hint about this run (any run, if undefined) or after `timeoutMs`. Of one run, every Commit that adds events counts;
   * of any, only what somebody may have to act on: else a busy store would keep its watchers busy.
   */
  waitForChange(runId: string | undefined, timeoutMs: number): Promise<void> {
    return this.#next(runId === undefined ? this.#waiting : this.#following, runId, timeoutMs);
  }

  #next(among: HintWaiters, runId: string | undefined, timeoutMs: number): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        cancel();
        among.remove(runId, done);
        resolve();
      };
      const cancel = this.#platform.timer(timeoutMs, done, true);
      among.add(runId, done);
    });
  }

  /** Asks `check` until it says true. */
  async until(runId: string, timeoutMs: number | undefined, check: () => Promise<boolean>): Promise<void> {
    const deadline = timeoutMs === undefined ? Number.POSITIVE_INFINITY : this.#platform.monotonicMs() + timeoutMs;
    for (;;) {
      const next = this.#next(this.#waiting, runId, Math.min(pollMs, Math.max(0, deadline - this.#platform.monotonicMs())));
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
