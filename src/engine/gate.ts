// A bound on how many things happen at once, first come first served. Bounds and back-pressure everywhere: a caller
// above the bound waits, nothing is dropped. There may be two lines, which are served in turn: neither starves the other.
export class Gate {
  readonly #max: number;
  readonly #lines: readonly [(() => void)[], (() => void)[]] = [[], []];
  #next: 0 | 1 = 0;
  #inside = 0;

  constructor(max: number) {
    this.#max = max;
  }
  get inside(): number {
    return this.#inside;
  }
  get free(): number {
    return this.#max - this.#inside;
  }
  /** True at once, or a promise that resolves when there is room. */
  enter(line: 0 | 1 = 0): true | Promise<true> {
    if (this.#inside < this.#max) {
      this.#inside++;
      return true;
    }
    return new Promise((resolve) => this.#lines[line].push(() => resolve(true)));
  }
  leave(): void {
    const other = this.#next === 0 ? 1 : 0;
    const next = this.#lines[this.#next].shift() ?? this.#lines[other].shift();
    this.#next = other;
    if (next === undefined) this.#inside--;
    else next(); // the place is handed over, so the count stays
  }
}

/** Stands in a gate's second line for somebody who may not need the place when the turn comes, and so holds nothing meanwhile. */
export class Turn {
  readonly #gate: Gate;
  readonly #onTurn: () => void;
  #state: "away" | "asked" | "come" = "away";

  constructor(gate: Gate, onTurn: () => void) {
    this.#gate = gate;
    this.#onTurn = onTurn;
  }
  /** 1 when the turn has come; otherwise it is told when it has. */
  ask(): 0 | 1 {
    if (this.#state === "away") {
      this.#state = "asked";
      void Promise.resolve(this.#gate.enter(1)).then(() => {
        this.#state = "come";
        this.#onTurn();
      });
    }
    return this.#state === "come" ? 1 : 0;
  }
  /** Takes the place, if there is one. */
  use(): boolean {
    if (this.#state !== "come") return false;
    this.#state = "away";
    return true;
  }
  /** Gives the place to somebody else, if there is one. */
  passOn(): void {
    if (this.use()) this.#gate.leave();
  }
}
