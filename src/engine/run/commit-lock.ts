// The lock on a run's Commits: at most one is in flight (K6), the run's own or that of a transaction (K11), which waits for the lock
// and commits on a connection of its own. It knows nothing of what is committed.
export class CommitLock {
  readonly #waiting: (() => void)[] = [];
  readonly #onFree: () => void;
  #isHeld = false;

  /** `onFree`: the run continues when the lock is free, or when somebody asks for it. */
  constructor(onFree: () => void) {
    this.#onFree = onFree;
  }
  get isHeld(): boolean {
    return this.#isHeld;
  }
  /** For the run itself, which asks only while the lock is free. */
  take(): void {
    this.#isHeld = true;
  }
  /** Resolves when the lock is held by the caller, or the run was unloaded. */
  acquire(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#onFree();
    });
  }
  /** To the first who waits; false: nobody does. */
  grantNext(): boolean {
    const next = this.#waiting.shift();
    if (next === undefined) return false;
    this.#isHeld = true;
    next();
    return true;
  }
  release(): void {
    this.#isHeld = false;
    this.#onFree();
  }
  /** The run was unloaded: the callers that wait find it so. */
  close(): void {
    for (const next of this.#waiting.splice(0)) next();
  }
}
