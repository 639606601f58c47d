// Moves the virtual clock of a test, so that waits of hours take no time and yet everything happens in its order: from one
// moment at which something is due to the next. A step's function that still runs holds the clock for a moment of real time, so
// that real I/O is not overtaken; then time continues, so that time limits pass. One mover at a time: tests may wait for several
// things at once.
import type { Platform } from "../platform/platform.ts";
import { systemPlatform } from "../platform/system.ts";
import type { VirtualPlatform } from "../platform/virtual.ts";

/** How time passes in a place. */
export interface TestClock {
  /** Moves time by this much. */
  advance(ms: number): Promise<void>;
  /** Lets time pass until the promise has settled; `nothing` is asked when nothing is left that would ever happen. */
  until<T>(p: Promise<T>, nothing: () => Promise<Error>): Promise<T>;
  /** Anyone who waits is answered by `nothing`. */
  close(): void;
}

export interface ClockSources {
  /** How many functions of the user's are running now, and a number that changes whenever one begins or ends. */
  running(): { readonly count: number; readonly stamp: number };
  /** When the store's runs are due next, by the wall clock; 0 = one is at work; undefined = none will ever be by itself. */
  due(): Promise<number | undefined>;
}

export interface ClockOptions extends ClockSources {
  readonly platform: VirtualPlatform;
  /** How long in real time a running function holds the clock. */
  readonly patienceMs: number;
}

/** Timers of the engine's own rhythm (polls, renewals) are armed for no longer than this; what waits longer is worth a leap. */
export const rhythmMs = 1_000;
/** Within this much of something due the clock moves in small steps. */
const nearMs = 2_000;
const smallMs = 250;
const realPauseMs = 2;
/** So much virtual time is given to a take-over before nothing is said to be due. */
const calmMs = 10_000;
/** And so much real time, in which a test may still send something. */
const deadMs = 1_500;

export class VirtualClock implements TestClock {
  readonly #o: ClockOptions;
  readonly #real = systemPlatform();
  #last: Promise<unknown> = Promise.resolve();
  #held = { stamp: -1, spentMs: 0 };
  #closed = false;

  constructor(o: ClockOptions) {
    this.#o = o;
  }

  close(): void {
    this.#closed = true;
  }

  /** Stops wherever something is due. */
  async advance(ms: number): Promise<void> {
    await this.#exclusive(async () => {
      let left = ms;
      if (left <= 0) return this.#o.platform.settle();
      while (left > 0) left -= (await this.#move(left)) ?? 0;
    });
  }

  until<T>(p: Promise<T>, nothing: () => Promise<Error>): Promise<T> {
    let settled = false;
    const done = (): void => void (settled = true);
    p.then(done, done);
    // Anyone who waits continues at once, in the middle of somebody else's move: what it does next must not be overtaken by a leap.
    return Promise.race([p, this.#drive(() => settled, nothing).then(() => p)]);
  }

  async #drive(over: () => boolean, nothing: () => Promise<Error>): Promise<void> {
    let calm = 0;
    let deadSince: number | undefined;
    for (;;) {
      await this.#exclusive(() => this.#o.platform.settle());
      if (over()) return;
      if (this.#closed) throw await nothing();
      const moved = await this.#exclusive(() => this.#move(Number.POSITIVE_INFINITY, over));
      if (moved !== undefined) {
        calm = 0;
        deadSince = undefined;
      } else if (calm < calmMs) {
        calm += smallMs;
        await this.#exclusive(() => this.#o.platform.advance(smallMs));
      } else {
        deadSince ??= this.#real.monotonicMs();
        if (this.#real.monotonicMs() - deadSince > deadMs) throw await nothing();
        await this.#pause();
      }
    }
  }

  /** One move of at most `limitMs`; answers how far, or undefined when nothing is due and no limit was given. */
  async #move(limitMs: number, over: () => boolean = () => false): Promise<number | undefined> {
    const { platform } = this.#o;
    await platform.settle();
    if (over() || (await this.#hold())) return 0;
    const due = await this.#o.due();
    const gaps = [due === undefined ? undefined : due - platform.wallMs(), platform.untilTimer(rhythmMs)].filter((g) => g !== undefined);
    const gap = gaps.length === 0 ? limitMs : Math.min(...gaps);
    if (gap === Number.POSITIVE_INFINITY) return undefined;
    const ms = Math.min(gap > nearMs ? gap : smallMs, limitMs);
    if (ms > nearMs) await platform.leap(ms);
    else await platform.advance(ms);
    return ms;
  }

  /** Waits a moment of real time for functions that run; false when none does, or they had their time. */
  async #hold(): Promise<boolean> {
    const { count, stamp } = this.#o.running();
    if (count === 0) return false;
    if (stamp !== this.#held.stamp) this.#held = { stamp, spentMs: 0 };
    if (this.#held.spentMs >= this.#o.patienceMs) return false;
    const since = this.#real.monotonicMs();
    await this.#pause();
    this.#held.spentMs += this.#real.monotonicMs() - since;
    return true;
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => void this.#real.timer(realPauseMs, resolve, true));
  }

  #exclusive<T>(fn: () => Promise<T>): Promise<T> {
    const next = this.#last.then(fn, fn);
    this.#last = next.catch(() => {});
    return next;
  }
}

/** Time as it passes: for stores whose clock is their own. */
export class RealClock implements TestClock {
  readonly #rhythm: ClockSources;
  readonly #platform: Platform;
  #closed = false;

  constructor(rhythm: ClockSources, platform: Platform) {
    this.#rhythm = rhythm;
    this.#platform = platform;
  }

  close(): void {
    this.#closed = true;
  }

  advance(ms: number): Promise<void> {
    return new Promise((resolve) => void this.#platform.timer(ms, resolve, true));
  }

  until<T>(p: Promise<T>, nothing: () => Promise<Error>): Promise<T> {
    let settled = false;
    const done = (): void => void (settled = true);
    p.then(done, done);
    return Promise.race([p, this.#watch(() => settled, nothing).then(() => p)]);
  }

  /** Nothing has run and nothing was due for as long as a take-over may last. */
  async #watch(over: () => boolean, nothing: () => Promise<Error>): Promise<void> {
    for (let calm = 0; calm < calmMs; calm += smallMs) {
      await this.advance(smallMs);
      if (over()) return;
      if (this.#closed) throw await nothing();
      if (this.#rhythm.running().count > 0 || (await this.#rhythm.due()) !== undefined) calm = 0;
    }
    throw await nothing();
  }
}
