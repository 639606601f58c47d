// A bound on how many things happen at once, first come first served. Bounds and back-pressure everywhere: a caller
// above the bound waits, nothing is dropped. There may be two lines, which are served in turn: neither starves the other.
export class Limiter {
  readonly #max: number;
  readonly #queues: readonly [(() => void)[], (() => void)[]] = [[], []];
  #next: 0 | 1 = 0;
  #inUse = 0;

  constructor(max: number) {
    this.#max = max;
  }
  get inUse(): number {
    return this.#inUse;
  }
  get free(): number {
    return this.#max - this.#inUse;
  }
  /** True at once, or a promise that resolves when there is room. */
  acquire(line: 0 | 1 = 0): true | Promise<true> {
    if (this.#inUse < this.#max) {
      this.#inUse++;
      return true;
    }
    return new Promise((resolve) => this.#queues[line].push(() => resolve(true)));
  }
  release(): void {
    const other = this.#next === 0 ? 1 : 0;
    const next = this.#queues[this.#next].shift() ?? this.#queues[other].shift();
    this.#next = other;
    if (next === undefined) this.#inUse--;
    else next(); // the place is handed over, so the count stays
  }
}

/** Waits in a limiter's second queue for somebody who may not need the place when its turn comes, and holds nothing meanwhile. */
export class ReservedPlace {
  readonly #limiter: Limiter;
  readonly #onReady: () => void;
  #state: "away" | "asked" | "come" = "away";

  constructor(gate: Limiter, onTurn: () => void) {
    this.#limiter = gate;
    this.#onReady = onTurn;
  }
  /** 1 when the turn has come; otherwise `onReady` is called when it has. */
  request(): 0 | 1 {
    if (this.#state === "away") {
      this.#state = "asked";
      void Promise.resolve(this.#limiter.acquire(1)).then(() => {
        this.#state = "come";
        this.#onReady();
      });
    }
    return this.#state === "come" ? 1 : 0;
  }
  /** Takes the place, if there is one. */
  take(): boolean {
    if (this.#state !== "come") return false;
    this.#state = "away";
    return true;
  }
  /** Gives the place to somebody else, if there is one. */
  giveUp(): void {
    if (this.take()) this.#limiter.release();
  }
}
