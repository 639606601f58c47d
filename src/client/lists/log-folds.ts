// What follows from the logs of the runs that are looked at now: their steps and open decisions, kept until the run's head moves. A page of
// steps then costs one look at the run's row, not its whole log again. Bounded, and forgotten when payloads expire. What vouches for a log
// (proofs, evidence, verification) must never come from here: it reads the log as it is.
import { readEvents } from "../../engine/run/load-run.ts";
import { foldLog, type FoldedStep } from "../../events/fold.ts";
import { openDecisions, type OpenDecision } from "../../events/open-decisions.ts";
import type { EventRecord, RunRow, Store } from "../../store/port.ts";

const runsMax = 64;
/** Longer logs are folded each time: what is kept of them would be too much. */
const eventsMax = 20_000;

interface FoldsOfRun {
  /** The row as far as what follows from its log depends on it. */
  readonly state: string;
  steps?: Promise<readonly FoldedStep[]>;
  decisions?: Promise<readonly OpenDecision[]>;
}

export class LogFolds {
  readonly #store: Store;
  /** The run that was looked at last is the last of them. */
  readonly #runs = new Map<string, FoldsOfRun>();

  constructor(store: Store) {
    this.#store = store;
  }

  steps(row: RunRow): Promise<readonly FoldedStep[]> {
    return (this.#foldsOf(row).steps ??= this.#fold(row, (events) => foldLog(events).steps));
  }

  decisions(row: RunRow): Promise<readonly OpenDecision[]> {
    return (this.#foldsOf(row).decisions ??= this.#fold(row, (events) => openDecisions(row.runId, events)));
  }

  #foldsOf(row: RunRow): FoldsOfRun {
    const state = [row.headSeq, row.headLink, row.expiredAt, row.purgedAt, row.origin].join("/");
    const known = this.#runs.get(row.runId);
    const folds = known?.state === state ? known : { state };
    this.#runs.delete(row.runId);
    this.#runs.set(row.runId, folds);
    const [oldest] = this.#runs.size > runsMax ? this.#runs.keys() : [];
    if (oldest !== undefined) this.#runs.delete(oldest);
    return folds;
  }

  /** Up to the row's head: what came since belongs to the next. */
  async #fold<T>(row: RunRow, fold: (events: readonly EventRecord[]) => T): Promise<T> {
    try {
      const events = (await readEvents(this.#store, row.runId)).filter((e) => e.runSeq <= row.headSeq);
      if (events.length > eventsMax) this.#runs.delete(row.runId);
      return fold(events);
    } catch (e) {
      this.#runs.delete(row.runId);
      throw e;
    }
  }
}
