// The places of one queue in this process: how many functions run at once, and which steps wait for a place. A step that its run's owner runs itself
// reserves its place before its start is committed and takes it when it begins. While functions end quickly, more may reserve than there are
// places: they begin in turn, within a moment, and need no claim. A step that waits for longer is sent away: it has not begun, and anybody may claim its row.
// It must never let more functions run than there are places.
import type { Cancel, Platform } from "../platform/platform.ts";
import type { OwnPlace } from "../engine/queued/queue-configs.ts";

/** So long may a step be expected to wait here when it is written as claimed; then somebody else might have begun it sooner. */
const expectedWaitMsMax = 50;
/** Who has waited for this long is sent away. */
const waitMsMax = 200;
/** So many may wait for each place, at most. */
const waitersPerPlace = 16;

export class Places {
  readonly #platform: Platform;
  readonly #count: number;
  readonly #onFree: () => void;
  #running = 0;
  /** A claim is under way for so many: their places are kept. */
  #asked = 0;
  /** Written as claimed, and not begun. */
  #reserved = 0;
  /** Have ended, and what they said is not durable yet. */
  #ending = 0;
  /** In the order in which their starts were committed. */
  readonly #waiting = new Set<Reservation>();
  #timer: Cancel | null = null;
  /** How long a function holds its place, of late; infinity: nobody knows. */
  #holdsMs = Number.POSITIVE_INFINITY;

  constructor(platform: Platform, count: number, onFree: () => void) {
    this.#platform = platform;
    this.#count = count;
    this.#onFree = onFree;
  }
  get running(): number {
    return this.#running;
  }
  /** For claims. As many again may wait until their reports are durable: a store that does not take reports gives out no work. */
  get free(): number {
    return Math.min(this.#count, 2 * this.#count - this.#ending) - this.#running - this.#reserved;
  }
  /** A claim is asked for so many. */
  ask(n: number): void {
    this.#asked = n;
  }
  /** It brought so many, which begin. */
  answer(n: number): void {
    this.#asked = 0;
    this.#running += n;
    this.#admit();
  }
  release(): void {
    this.#running--;
    this.#admit();
    this.#onFree();
  }
  /** Its function has ended: its place is free, though it is held until what it said is durable. Call what is returned then. */
  end(): () => void {
    this.#ending++;
    this.release();
    return () => {
      this.#ending--;
      this.#onFree();
    };
  }

  /** `mayWait`: it may be written as claimed although its place is not free yet. */
  reserve(mayWait: boolean): OwnPlace | null {
    const soon = Math.floor((this.#count * expectedWaitMsMax) / Math.max(this.#holdsMs, 0.001));
    const more = mayWait ? Math.min(soon, this.#count * waitersPerPlace) : 0;
    if (this.#running + this.#asked + this.#reserved >= this.#count + more) return null;
    this.#reserved++;
    return new Reservation(this.#platform, this);
  }
  /** Whether it begins at once. Of a reservation. */
  enter(r: Reservation): boolean {
    if (this.#running + this.#asked < this.#count && this.#waiting.size === 0) {
      this.#reserved--;
      this.#running++;
      return true;
    }
    this.#waiting.add(r);
    this.#timer ??= this.#platform.timer(waitMsMax / 2, () => this.#sendAway());
    return false;
  }
  /** It will not begin here. Of a reservation. */
  leave(r: Reservation): void {
    this.#reserved--;
    this.#waiting.delete(r);
    this.#onFree();
  }
  onHeld(ms: number): void {
    this.#holdsMs = this.#holdsMs === Number.POSITIVE_INFINITY ? ms : 0.9 * this.#holdsMs + 0.1 * ms;
  }
  #admit(): void {
    for (const r of this.#waiting) {
      if (this.#running + this.#asked >= this.#count) return;
      this.#waiting.delete(r);
      this.#reserved--;
      this.#running++;
      r.begin();
    }
  }
  #sendAway(): void {
    this.#timer = null;
    const before = this.#platform.monotonicMs() - waitMsMax;
    for (const r of this.#waiting) {
      if (r.waitsSince > before) break;
      this.#holdsMs = Number.POSITIVE_INFINITY; // what was known does not hold any more
      r.sendAway();
    }
    if (this.#waiting.size > 0) this.#timer = this.#platform.timer(waitMsMax / 2, () => this.#sendAway());
  }
  stop(): void {
    this.#timer?.();
    for (const r of this.#waiting) r.sendAway();
  }
}

class Reservation implements OwnPlace {
  readonly #platform: Platform;
  readonly #places: Places;
  #state: "reserved" | "waiting" | "in" | "over" = "reserved";
  #since = 0;
  #entered: ((has: boolean) => void) | null = null;

  constructor(platform: Platform, places: Places) {
    this.#platform = platform;
    this.#places = places;
  }
  get waitsSince(): number {
    return this.#since;
  }
  enter(): true | Promise<boolean> {
    if (this.#state === "in") return true;
    if (this.#state !== "reserved") return Promise.resolve(false);
    this.#since = this.#platform.monotonicMs();
    if (this.#places.enter(this)) {
      this.#state = "in";
      return true;
    }
    this.#state = "waiting";
    return new Promise((resolve) => (this.#entered = resolve));
  }
  begin(): void {
    this.#state = "in";
    this.#since = this.#platform.monotonicMs();
    this.#entered?.(true);
  }
  sendAway(): void {
    if (this.#state !== "waiting") return;
    this.release();
  }
  release(): void {
    const before = this.#state;
    this.#state = "over";
    if (before === "in") {
      this.#places.onHeld(this.#platform.monotonicMs() - this.#since);
      this.#places.release();
    } else if (before !== "over") {
      this.#places.leave(this);
      this.#entered?.(false);
    }
  }
}
