// Who waits for more of which run's log. A hint makes it quick, one look at many heads every quarter of a second makes it certain, however many
// wait: a thousand waits are four reads a second. One for each open store. It must never keep the process alive while nobody waits.
import type { Cancel, Platform } from "../../platform/platform.ts";
import type { FullStore } from "../../store/full-store.ts";

const pollMs = 250;
/** A hint that names no run is followed by one look, at most this often. */
const gatherMs = 25;
const idsPerRead = 500;

export interface HeadWaitOptions {
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Every event counts; else a hint comes only with what somebody may have to act on, such as the end. */
  readonly events?: boolean;
}

interface HeadWaiter {
  readonly beyond: number;
  readonly events: boolean;
  readonly wake: () => void;
}

export class HeadWatch {
  readonly #store: FullStore;
  readonly #platform: Platform;
  readonly #waiting = new Map<string, Set<HeadWaiter>>();
  readonly #anyRun = new Set<(runId: string | undefined) => void>();
  #followers = 0;
  #unwatch: (() => void) | null = null;
  #unwatchEvents: (() => void) | null = null;
  #poll: Cancel | null = null;
  #soon: Cancel | null = null;
  #looking = false;
  #idle: Cancel | null = null;

  constructor(store: FullStore, platform: Platform) {
    this.#store = store;
    this.#platform = platform;
  }

  /** Resolves when the run may have events beyond `head`, or when aborted; with false after `timeoutMs`. The caller looks for itself. */
  waitBeyond(runId: string, head: number, o: HeadWaitOptions = {}): Promise<boolean> {
    if (o.signal?.aborted === true) return Promise.resolve(true);
    return new Promise((resolve) => {
      const end = (woken: boolean): void => {
        cancel?.();
        o.signal?.removeEventListener("abort", done);
        this.#remove(runId, waiter);
        resolve(woken);
      };
      const done = (): void => end(true);
      const waiter = { beyond: head, events: o.events === true, wake: done };
      const cancel = o.timeoutMs === undefined ? undefined : this.#platform.timer(o.timeoutMs, () => end(false), true);
      o.signal?.addEventListener("abort", done, { once: true });
      if (waiter.events) this.#followers++;
      const waiters = this.#waiting.get(runId);
      if (waiters === undefined) this.#waiting.set(runId, new Set([waiter]));
      else waiters.add(waiter);
      this.#start();
    });
  }

  /** Calls `changed` with hints about any run; undefined: the store cannot say which. */
  onAnyRun(changed: (runId: string | undefined) => void): Cancel {
    this.#anyRun.add(changed);
    this.#start();
    return () => {
      this.#anyRun.delete(changed);
      this.#stopIfIdle();
    };
  }

  #start(): void {
    this.#unwatch ??= this.#store.watch((hint) => {
      for (const changed of this.#anyRun) changed(hint.runId);
      if (hint.runId !== undefined) this.#wake(hint.runId);
      else if (this.#waiting.size > 0) this.#soon ??= this.#platform.timer(gatherMs, () => this.#lookNow());
    });
    if (this.#followers > 0)
      this.#unwatchEvents ??= this.#store.watch((hint) => hint.kind === "events" && hint.runId !== undefined && this.#wake(hint.runId), {
        events: true,
      });
    if (this.#waiting.size > 0) this.#poll ??= this.#platform.timer(pollMs, () => this.#lookNow(), true);
  }

  #wake(runId: string): void {
    for (const waiter of this.#waiting.get(runId) ?? []) waiter.wake();
  }

  #remove(runId: string, waiter: HeadWaiter): void {
    const waiters = this.#waiting.get(runId);
    if (waiters?.delete(waiter) !== true) return;
    if (waiter.events) this.#followers--;
    if (waiters.size === 0) this.#waiting.delete(runId);
    this.#stopIfIdle();
  }

  /** Followers come and go with every event: what they listen to is kept until nobody waits at all. */
  #stopIfIdle(): void {
    if (this.#waiting.size > 0) return;
    this.#poll?.();
    this.#soon?.();
    this.#poll = this.#soon = null;
    if (this.#idle !== null) return;
    this.#idle = this.#platform.timer(pollMs, () => {
      this.#idle = null;
      if (this.#waiting.size > 0) return;
      this.#unwatchEvents?.();
      this.#unwatchEvents = null;
      if (this.#anyRun.size > 0) return;
      this.#unwatch?.();
      this.#unwatch = null;
    });
  }

  #lookNow(): void {
    this.#soon?.();
    this.#poll?.();
    this.#soon = this.#poll = null;
    if (this.#looking) return this.#start();
    this.#looking = true;
    void this.#look()
      .catch(() => {}) // a store that is away is asked again; who reads from it reports it
      .finally(() => {
        this.#looking = false;
        if (this.#waiting.size > 0) this.#start();
      });
  }

  async #look(): Promise<void> {
    const ids = [...this.#waiting.keys()];
    for (let from = 0; from < ids.length; from += idsPerRead) {
      for (const { runId, headSeq } of await this.#store.heads(ids.slice(from, from + idsPerRead)))
        for (const waiter of this.#waiting.get(runId) ?? []) if (headSeq > waiter.beyond) waiter.wake();
    }
  }
}
