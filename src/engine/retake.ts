// Runs that an engine owns and does not hold: what it read of them broke, the store refused what they wrote, or the answer to their
// claim was lost. They would make no progress (I12), so each is read again from its log, ever slower. A run that is in memory already,
// or on its way there, is left alone (I4).
import { isSettled } from "../core/model.ts";
import type { Platform } from "../platform/platform.ts";
import type { RunRow, Store } from "../store/port.ts";
import type { Leaving } from "./host.ts";

/** Why it is read again, where the next owner must know. */
export type Again = Extract<Leaving, { kind: "reload" }>;

const refusalsMax = 3;
const firstMs = 100;
const longestMs = 30_000;

interface Around {
  readonly platform: Platform;
  readonly store: Store;
  engineId(): string;
  isOpen(): boolean;
  /** It is live here, or being read. */
  holds(runId: string): boolean;
  take(row: RunRow, again: Again | undefined): Promise<void>;
}

export class Retakes {
  readonly #around: Around;
  /** How often in a row each run had to be read again. */
  readonly #troubled = new Map<string, number>();
  /** Those that will be looked at: whoever finds one of them again need not say so. */
  readonly #waiting = new Set<string>();

  constructor(around: Around) {
    this.#around = around;
  }

  /** The store says that it is owned here. It may be a run that left memory a moment ago: that is looked at when it is read. */
  found(runId: string): void {
    if (!this.#waiting.has(runId)) this.later(runId);
  }

  later(runId: string, again?: Again): void {
    const { platform, isOpen } = this.#around;
    if (!isOpen()) return;
    this.#waiting.add(runId);
    const times = this.#troubled.get(runId) ?? 0;
    this.#troubled.set(runId, times + 1);
    // K12: refused again and again, whatever is left out: a person decides.
    if (again !== undefined && again.reason !== null && times >= refusalsMax) again = { ...again, refused: new Set() };
    platform.timer(Math.min(longestMs, firstMs * 2 ** times), () => {
      this.#now(runId, again).then(
        () => this.#waiting.delete(runId),
        () => this.later(runId, again),
      );
    });
  }
  async #now(runId: string, again: Again | undefined): Promise<void> {
    const { store, engineId, isOpen, holds, take } = this.#around;
    if (!isOpen()) return;
    const row = await store.run({ runId });
    if (row === undefined || row.owner !== engineId() || isSettled(row.status)) return this.over(runId);
    if (holds(runId)) return; // it was claimed meanwhile; looked at last, because nothing else comes between
    await take(row, again);
  }

  /** The run left memory as it should. */
  over(runId: string): void {
    this.#troubled.delete(runId);
  }
}
