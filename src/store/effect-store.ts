// The port of an external effect store: a place of its own, outside the store's transactions, where the result of an effect
// is kept before it is written to the store. It closes the window between the two: the engine that takes the run over finds the result
// there and sends nothing. It decides nothing and is never the truth; the log is.

/** The result of one effect. Version 1. */
export interface StoredEffectResult {
  readonly version: 1;
  readonly runId: string;
  /** SHA-256 of run, step, name and canonical arguments: the same in every replay and retry. */
  readonly key: string;
  readonly stepId: string;
  /** Encoded; null = undefined. */
  readonly result: string | null;
  /** Milliseconds, by the clock of the process that kept it; for people. */
  readonly keptAt: number;
}

export interface EffectStore {
  /** For diagnostics: "file", "sqlite", "postgres", "mysql". */
  readonly name: string;
  /**
   * Durable when it resolves. The first result of (runId, key) stays; a second is not an error. Text that it could not give
   * back as it was is refused.
   */
  put(e: StoredEffectResult): Promise<void>;
  /** By run and key. */
  get(runId: string, key: string): Promise<StoredEffectResult | undefined>;
  close(): Promise<void>;
}
