// A value that follows one chain of asynchronous calls. Used for attribution only (K16): which run an unhandled rejection
// or a stray call belongs to. Nothing about ownership or order may depend on it.
import { AsyncLocalStorage } from "node:async_hooks";

/** One for the process: every storage that was ever used costs each promise something, and engines come and go. */
const storage = new AsyncLocalStorage<{ readonly context: object; readonly value: unknown }>();

export class RunContext<T> {
  /** Runs `fn` with `value` as current, for all that it starts, however late. */
  run<R>(value: T, fn: () => R): R {
    return storage.run({ context: this, value }, fn);
  }

  /** What this context's own `run` was given; another engine's value is none. */
  current(): T | undefined {
    const held = storage.getStore();
    return held?.context === this ? (held.value as T) : undefined;
  }
}
