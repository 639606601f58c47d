// Who waits for more of which run's log. A hint makes it quick, one look at many heads every quarter of a second makes it certain, however many
// wait: a thousand waits are four reads a second. One for each open store. It must never keep the process alive while nobody waits.
import type { Cancel, Platform } from "../../platform/platform.ts";
import type { FullStore } from "../../store/full-store.ts";

const pollMs = 250;
/** A hint that names no run is followed by one look, at most this often. */
const gatherMs = 25;
const idsPerRead = 500;

interface HeadWaiter {
  readonly beyond: number;
  readonly wake: () => void;
}

export class HeadWatch {
  readonly #store: FullStore;
  readonly #platform: Platform;
  readonly #waiting = new Map<string, Set<HeadWaiter>>();
  readonly #anyRun = new Set<(runId: string | undefined) => void>();
  #unwatch: (() => void) | null = null;
  #poll: Cancel | null = null;
  #soon: Cancel | null = null;
  #looking = false;

  constructor(store: FullStore, platform: Platform) {
    this.#store = store;
    this.#platform = platform;
  }

  /** Resolves when the run may have events beyond `head`, after `timeoutMs`, or when aborted. The caller looks for itself. */
  waitBeyond(
    runId: string,
    head: number,
    o: { readonly timeoutMs?: number; readonly signal?: AbortSignal | undefined } = {},
  ): Promise<void> {
    if (o.signal?.aborted === true) return Promise.resolve();
    return new Promise((resolve) => {
      const done = (): void => {
        cancel?.();
        o.signal?.removeEventListener("abort", done);
        this.#remove(runId, waiter);
        resolve();
      };
      const waiter = { beyond: head, wake: done };
      const cancel = o.timeoutMs === undefined ? undefined : this.#platform.timer(o.timeoutMs, done, true);
      o.signal?.addEventListener("abort", done, { once: true });
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
      if (hint.runId === undefined) this.#soon ??= this.#platform.timer(gatherMs, () => this.#lookNow());
      else for (const waiter of [...(this.#waiting.get(hint.runId) ?? [])]) waiter.wake();
    });
    if (this.#waiting.size > 0) this.#poll ??= this.#platform.timer(pollMs, () => this.#lookNow(), true);
  }

  #remove(runId: string, waiter: HeadWaiter): void {
    const waiters = this.#waiting.get(runId);
    waiters?.delete(waiter);
    if (waiters?.size === 0) this.#waiting.delete(runId);
    this.#stopIfIdle();
  }

  #stopIfIdle(): void {
    if (this.#waiting.size > 0) return;
    this.#poll?.();
    this.#soon?.();
    this.#poll = this.#soon = null;
    if (this.#anyRun.size > 0) return;
    this.#unwatch?.();
    this.#unwatch = null;
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
      const heads = await readHeads(this.#store, ids.slice(from, from + idsPerRead));
      for (const [runId, head] of heads)
        for (const waiter of [...(this.#waiting.get(runId) ?? [])]) if (head > waiter.beyond) waiter.wake();
    }
  }
}

/** The heads of those that exist. */
export async function readHeads(store: FullStore, ids: readonly string[]): Promise<[string, number][]> {
  const heads: [string, number][] = [];
  for (const runId of ids) {
    const row = await store.run({ runId });
    if (row !== undefined) heads.push([runId, row.headSeq]);
  }
  return heads;
}
