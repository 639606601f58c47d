// Which run the current code belongs to, for attribution only (K16): which run an unhandled rejection or a stray call
// belongs to, and, while something watches (tests, the determinism guard), whether it is the workflow's own code or a step's
// function. Nothing about ownership or order may depend on it.
import { AsyncLocalStorage } from "node:async_hooks";

/** Where in a run the current code stands. Only what watches a run's code makes zones; else there are none. */
export interface Zone {
  readonly runId: string;
  readonly workflow: string;
  /** null: the workflow's own code, which must do the same on every replay. */
  readonly stepId: string | null;
  /** The engine that runs this code has not died meanwhile. */
  alive(): boolean;
  /** Called with every use of the machine in a workflow's own code; may throw. */
  used?(use: MachineUse): void;
}

export interface MachineUse {
  /** As it is written: "Date.now()". */
  readonly what: string;
  /** What to write instead. */
  readonly instead: string;
}

interface ContextValue {
  readonly context: object | null;
  readonly value: unknown;
  readonly zone: Zone | null;
  /** Set inside the function of a step. */
  readonly step: string | null;
}

/** One for the process: every storage that was ever used costs each promise something, and engines come and go. */
const storage = new AsyncLocalStorage<ContextValue>();

export class RunContext<T> {
  /** Runs `fn` with `value` as current, for all that it starts, however late. In no zone: code that watches makes one. */
  run<R>(value: T, fn: () => R, step: string | null = null): R {
    return storage.run({ context: this, value, zone: null, step }, fn);
  }

  /** The step whose function the current code belongs to; null: it is the workflow's own code, or nobody's. */
  step(): string | null {
    const held = storage.getStore();
    return held?.context === this ? held.step : null;
  }

  /** What this context's own `run` was given; another engine's value is none. */
  current(): T | undefined {
    const held = storage.getStore();
    return held?.context === this ? (held.value as T) : undefined;
  }
}

/** Runs `fn` in a zone of the current run, or in none. */
export function inZone<R>(zone: Zone | null, fn: () => R): R {
  const held = storage.getStore();
  if ((held?.zone ?? null) === zone) return fn();
  return storage.run({ context: held?.context ?? null, value: held?.value, zone, step: held?.step ?? null }, fn);
}

export function currentZone(): Zone | null {
  return storage.getStore()?.zone ?? null;
}
