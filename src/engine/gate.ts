// A bound on how many things happen at once, first come first served. Bounds and back-pressure everywhere: a caller
// above the bound waits, nothing is dropped.
export class Gate {
  readonly #max: number;
  readonly #waiting: (() => void)[] = [];
  #inside = 0;

  constructor(max: number) {
    this.#max = max;
  }
  get inside(): number {
    return this.#inside;
  }
  /** True at once, or a promise that resolves when there is room. */
  enter(): true | Promise<true> {
    if (this.#inside < this.#max) {
      this.#inside++;
      return true;
    }
    return new Promise((resolve) => this.#waiting.push(() => resolve(true)));
  }
  leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#inside--;
    else next(); // the place is handed over, so the count stays
  }
}
