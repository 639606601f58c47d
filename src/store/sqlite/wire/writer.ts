// How a process writes to one file: one writer at a time behind an asynchronous mutex that all stores of that file
// share, and waiting for other processes on timers, up to five seconds (K11, L-28). Nothing here ever blocks the event
// loop in the hope that a lock goes away: a synchronous wait would freeze the very transaction it waits for.
import type { Platform } from "../../../platform/platform.ts";
import type { CrashPoints } from "../../batch-rules.ts";
import { Hints } from "../../hints.ts";
import type { Connection } from "./driver.ts";
import { busyError, isBusy, isDriverError, storeError } from "../errors.ts";
import type { Statements } from "../rows.ts";

export const busyMsMax = 5_000;
const pausesMs = [1, 2, 5, 10, 15, 20, 25] as const;

export class Mutex {
  #held = false;
  readonly #waiting: (() => void)[] = [];

  /** Resolves when the caller holds it. */
  async lock(): Promise<void> {
    if (this.#held) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#held = true;
  }

  tryLock(): boolean {
    if (this.#held) return false;
    this.#held = true;
    return true;
  }

  unlock(): void {
    const next = this.#waiting.shift();
    // Handed over without being free in between: nobody overtakes who waits.
    if (next === undefined) this.#held = false;
    else next();
  }
}

/** What all stores that this process opened on one file have in common. */
export interface SharedFile {
  readonly mutex: Mutex;
  readonly hints: Hints;
  stores: number;
}

const files = new Map<string, SharedFile>();

/** By device and inode, so that two paths to one file meet. */
export function shareFile(identity: string): SharedFile {
  let shared = files.get(identity);
  if (shared === undefined) files.set(identity, (shared = { mutex: new Mutex(), hints: new Hints(), stores: 0 }));
  shared.stores++;
  return shared;
}

export function unshareFile(identity: string): void {
  const shared = files.get(identity);
  if (shared !== undefined && --shared.stores === 0) files.delete(identity);
}

/** Calls `attempt` until it is not refused as busy; gives up after five seconds with nothing written. */
export async function retryWhileBusy<T>(platform: Platform, attempt: () => T): Promise<T> {
  const started = platform.monotonicMs();
  for (let n = 0; ; n++) {
    try {
      return attempt();
    } catch (e) {
      if (!isBusy(e)) throw isDriverError(e) ? storeError(e, "statement") : e;
      const waitedMs = platform.monotonicMs() - started;
      if (waitedMs >= busyMsMax) throw busyError(Math.round(waitedMs));
      const pauseMs = Math.min(pausesMs[Math.min(n, pausesMs.length - 1)] ?? 25, busyMsMax - waitedMs);
      // Keeps the process alive: somebody awaits this answer, and nothing else may be pending.
      await new Promise<void>((resolve) => platform.timer(Math.max(pauseMs, 1), resolve, true));
    }
  }
}

/** Rolls back whatever is open; harmless when nothing is. */
export function rollback(db: Connection): void {
  try {
    db.exec("rollback");
  } catch {
    // No transaction was active: the failed statement had already ended it.
  }
}

export class Writer {
  readonly #db: Connection;
  readonly #st: Statements;
  readonly #mutex: Mutex;
  readonly #platform: Platform;

  constructor(db: Connection, st: Statements, mutex: Mutex, platform: Platform) {
    this.#db = db;
    this.#st = st;
    this.#mutex = mutex;
    this.#platform = platform;
  }

  /** One transaction. From begin to COMMIT it is synchronous: no other verb of this connection comes between. */
  async write<T>(body: (st: Statements) => T, marks: CrashPoints = {}): Promise<T> {
    if (!this.#mutex.tryLock()) await this.#mutex.lock();
    try {
      if (!this.#tryBegin()) await retryWhileBusy(this.#platform, () => this.#st.begin.run());
      return this.#finish(body, marks);
    } finally {
      this.#mutex.unlock();
    }
  }

  /** The same without a promise, if nobody is in the way; undefined, with nothing written, if somebody is. */
  tryWrite<T>(body: (st: Statements) => T, marks: CrashPoints): T | undefined {
    if (!this.#mutex.tryLock()) return undefined;
    try {
      return this.#tryBegin() ? this.#finish(body, marks) : undefined;
    } finally {
      this.#mutex.unlock();
    }
  }

  /** Readers wait for no writer in WAL mode; busy means recovery or a closing checkpoint, which pass. */
  async read<T>(body: (st: Statements) => T): Promise<T> {
    return retryWhileBusy(this.#platform, () => body(this.#st));
  }

  #tryBegin(): boolean {
    try {
      this.#st.begin.run();
      return true;
    } catch (e) {
      if (isBusy(e)) return false;
      throw storeError(e, "statement");
    }
  }

  #finish<T>(body: (st: Statements) => T, marks: CrashPoints): T {
    let value: T;
    try {
      value = body(this.#st);
      marks.before?.();
    } catch (e) {
      // L-20: any error between the statements takes all of them back.
      rollback(this.#db);
      throw isDriverError(e) ? storeError(e, "statement") : e;
    }
    try {
      this.#st.commit.run();
    } catch (e) {
      rollback(this.#db);
      throw storeError(e, "commit");
    }
    marks.after?.();
    return value;
  }
}
