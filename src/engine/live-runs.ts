// The runs that are in this engine's memory, and those on their way there. One run is never here twice, not even while it is being
// read (I4). Under pressure, runs that only wait leave first, oldest first.
import type { Platform } from "../platform/platform.ts";
import type { LiveRun } from "./run/live-run.ts";

/**
 * Above this share of the limit a run that waits for long does not stay for its idle time. A live run takes some
 * 13 KB: with 100,000 sleepers started on one engine this bounds it at a thousand of them, not at four.
 */
const crowdedShare = 0.2;
/** Above this share of the limit, idle runs are let go of. */
const evictShare = 0.8;

export class LiveRuns {
  readonly #platform: Platform;
  readonly #max: number;
  readonly #runs = new Map<string, LiveRun>();
  readonly #loading = new Set<string>();
  readonly #emptyWaiters: (() => void)[] = [];
  #evicting = false;

  constructor(platform: Platform, max: number) {
    this.#platform = platform;
    this.#max = max;
  }
  get size(): number {
    return this.#runs.size;
  }
  get isCrowded(): boolean {
    return this.#runs.size > this.#max * crowdedShare;
  }
  has(runId: string): boolean {
    return this.#runs.has(runId);
  }
  get(runId: string): LiveRun | undefined {
    return this.#runs.get(runId);
  }
  all(): IterableIterator<LiveRun> {
    return this.#runs.values();
  }
  /** It is live here, or being read. */
  isHeld(runId: string): boolean {
    return this.#runs.has(runId) || this.#loading.has(runId);
  }
  beginLoading(runId: string): void {
    this.#loading.add(runId);
  }
  endLoading(runId: string): void {
    this.#loading.delete(runId);
  }
  add(run: LiveRun): void {
    this.#runs.set(run.row.runId, run);
  }
  remove(run: LiveRun): void {
    if (this.#runs.get(run.row.runId) === run) this.#runs.delete(run.row.runId);
  }

  evict(): void {
    if (this.#evicting || this.#runs.size <= this.#max * evictShare) return;
    this.#evicting = true;
    this.#platform.turn(() => {
      this.#evicting = false;
      let over = this.#runs.size - Math.floor(this.#max * evictShare);
      for (const run of this.#runs.values()) {
        if (over <= 0) return;
        if (!run.parking.isIdle) continue;
        over--;
        run.release();
      }
    });
  }

  /** Whether all runs have left within this time. */
  whenEmpty(ms: number): Promise<boolean> {
    if (this.#runs.size === 0) return Promise.resolve(true);
    return new Promise((resolve) => {
      const cancel = this.#platform.timer(ms, () => resolve(this.#runs.size === 0), true);
      this.#emptyWaiters.push(() => {
        cancel();
        resolve(true);
      });
    });
  }
  /** Called after whatever follows from a run's leaving. */
  notifyIfEmpty(): void {
    if (this.#runs.size === 0) for (const f of this.#emptyWaiters.splice(0)) f();
  }
}
