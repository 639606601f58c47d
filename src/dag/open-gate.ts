// How many steps of one run are open at once: the engine has a limit, and a wide plan waits here instead of being refused there. First come,
// first served, which is the same on every replay. Its bound is a fixed number: it must never depend on time or load.
export class OpenGate {
  readonly #max: number;
  #open = 0;
  #waiting: (() => void)[] = [];
  #next = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** `go` is called now, or when a place is free. */
  enter(go: () => void): void {
    if (this.#open >= this.#max) {
      this.#waiting.push(go);
      return;
    }
    this.#open++;
    go();
  }

  /** A place is free: who waits longest gets it. */
  leave(): void {
    const go = this.#waiting[this.#next++];
    if (go !== undefined) return go();
    this.#waiting = [];
    this.#next = 0;
    this.#open--;
  }
}
