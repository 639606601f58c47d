// A value that follows one chain of asynchronous calls. Used for attribution only (K16): which run an unhandled rejection
// or a stray call belongs to. Nothing about ownership or order may depend on it.
import { AsyncLocalStorage } from "node:async_hooks";

export class RunContext<T> {
  readonly #storage = new AsyncLocalStorage<T>();

  /** Runs `fn` with `value` as current, for all that it starts, however late. */
  run<R>(value: T, fn: () => R): R {
    return this.#storage.run(value, fn);
  }

  current(): T | undefined {
    return this.#storage.getStore();
  }
}
