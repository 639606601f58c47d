// The one reader of a run's log, for all who follow it here: each event is read once and made a record once, for all of them. The
// latest events are kept while somebody follows; who is further behind reads pages, and equal pages are read once. It must never skip an
// event: each page begins where the one before it ended.
import { isSettled } from "../../core/model.ts";
import type { RunEventRecord } from "../../core/contract.ts";
import { toRecord } from "../../events/envelope.ts";
import type { Platform } from "../../platform/platform.ts";
import type { FullStore } from "../../store/full-store.ts";
import type { EventRecord, RunRow } from "../../store/port.ts";
import type { HeadWatch } from "./head-watch.ts";

/** An event as all followers share it. */
export interface SharedEvent {
  readonly runSeq: number;
  readonly record: RunEventRecord;
}

const pageEvents = 200;
/** Kept for those who follow closely. */
const keptEventsMax = 500;
const keptCharsMax = 1_048_576;
/** Reads of one log are at least this far apart: a busy run is read in pages, not event by event. */
const gatherMs = 20;

export class RunReader {
  readonly #store: FullStore;
  readonly #platform: Platform;
  readonly #heads: HeadWatch;
  readonly #stop = new AbortController();
  readonly #followers = new Set<() => void>();
  readonly #pages = new Map<number, Promise<readonly SharedEvent[]>>();
  #row: RunRow;
  /** Contiguous, up to `#head`. */
  #kept: SharedEvent[] = [];
  #keptChars: number[] = [];
  #chars = 0;
  #head: number;
  #trouble: unknown;

  constructor(store: FullStore, platform: Platform, heads: HeadWatch, row: RunRow) {
    this.#store = store;
    this.#platform = platform;
    this.#heads = heads;
    this.#row = row;
    this.#head = row.headSeq;
    void this.#run();
  }

  get row(): RunRow {
    return this.#row;
  }
  /** Everything up to here can be read. */
  get head(): number {
    return this.#head;
  }
  /** Nothing will follow what is there. */
  get hasEnded(): boolean {
    return isSettled(this.#row.status) && this.#head >= this.#row.headSeq;
  }

  /** The next events after `after`, at most a page; empty: there are none yet. */
  read(after: number): readonly SharedEvent[] | Promise<readonly SharedEvent[]> {
    if (after >= this.#head) return [];
    const first = this.#kept[0]?.runSeq ?? this.#head + 1;
    if (after >= first - 1) return this.#kept.slice(after - first + 1, after - first + 1 + pageEvents);
    const known = this.#pages.get(after);
    if (known !== undefined) return known;
    const page = this.#readPage(after).finally(() => this.#pages.delete(after));
    this.#pages.set(after, page);
    return page;
  }

  /** Resolves when there is more after `after`, the run has ended, or the signal is aborted. */
  async changed(after: number, signal: AbortSignal | undefined): Promise<void> {
    if (this.#trouble !== undefined) throw this.#trouble;
    if (this.#head > after || this.hasEnded || signal?.aborted === true) return;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        this.#followers.delete(done);
        signal?.removeEventListener("abort", done);
        resolve();
      };
      this.#followers.add(done);
      signal?.addEventListener("abort", done, { once: true });
    });
  }

  close(): void {
    this.#stop.abort();
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted && !this.hasEnded) {
      try {
        await this.#heads.waitBeyond(this.#row.runId, this.#head, { signal, events: true });
        if (signal.aborted) return;
        if (await this.#readOn()) await this.#pause(gatherMs);
        this.#trouble = undefined;
      } catch (e) {
        this.#trouble = e;
        this.#wakeAll();
        await this.#pause(1_000);
      }
    }
  }
  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => void this.#platform.timer(ms, resolve));
  }

  /** False: there was nothing new. */
  async #readOn(): Promise<boolean> {
    const { runId } = this.#row;
    let any = false;
    for (;;) {
      const page = await this.#store.events({ runId, after: this.#head, limit: pageEvents });
      for (const e of page) this.#keep(e);
      any ||= page.length > 0;
      if (page.some((e) => e.eventType.startsWith("Run"))) this.#row = (await this.#store.run({ runId })) ?? this.#row;
      if (page.length > 0) this.#wakeAll();
      if (page.length < pageEvents) return any;
    }
  }

  #keep(e: EventRecord): void {
    const chars = 500 + (e.payload?.length ?? 0);
    this.#kept.push({ runSeq: e.runSeq, record: toRecord(this.#row, e) });
    this.#keptChars.push(chars);
    this.#chars += chars;
    this.#head = e.runSeq;
    let over = 0;
    while (this.#kept.length - over > keptEventsMax || (this.#chars > keptCharsMax && this.#kept.length - over > 1))
      this.#chars -= this.#keptChars[over++]!;
    if (over === 0) return;
    this.#kept.splice(0, over);
    this.#keptChars.splice(0, over);
  }

  async #readPage(after: number): Promise<readonly SharedEvent[]> {
    const page = await this.#store.events({ runId: this.#row.runId, after, limit: pageEvents });
    return page.map((e) => ({ runSeq: e.runSeq, record: toRecord(this.#row, e) }));
  }

  #wakeAll(): void {
    for (const wake of this.#followers) wake();
  }
}
