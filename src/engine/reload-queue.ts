// Runs that an engine owns and does not hold: what it read of them broke, the store refused what they wrote, or the answer to their
// claim was lost. They would make no progress (I12), so each is read again from its log, ever slower. A run that is in memory already,
// or on its way there, is left alone (I4).
import { isSettled } from "../core/model.ts";
import type { Platform } from "../platform/platform.ts";
import type { ClaimedRun, Store } from "../store/port.ts";
import type { UnloadReason } from "./run-host.ts";

/** Why it is read again, where the next owner must know. */
export type ReloadReason = Extract<UnloadReason, { kind: "reload" }>;

const refusalsMax = 3;
const firstMs = 100;
const longestMs = 30_000;

interface ReloadDeps {
  readonly platform: Platform;
  readonly store: Store;
  engineId(): string;
  isOpen(): boolean;
  /** It is live here, or being read. */
  isHeld(runId: string): boolean;
  load(row: ClaimedRun, again: ReloadReason | undefined): Promise<void>;
}

export class ReloadQueue {
  readonly #deps: ReloadDeps;
  /** How often in a row each run had to be read again. */
  readonly #reloadCounts = new Map<string, number>();
  /** Those that will be reloaded anyway. */
  readonly #waiting = new Set<string>();

  constructor(around: ReloadDeps) {
    this.#deps = around;
  }

  /** The store says that it is owned here. It may be a run that left memory a moment ago: that is looked at when it is read. */
  addFound(runId: string): void {
    if (!this.#waiting.has(runId)) this.add(runId);
  }

  /** `takenFrom`: it was claimed from a dead engine, and nothing says so yet. */
  add(runId: string, again?: ReloadReason, takenFrom?: string): void {
    const { platform, isOpen } = this.#deps;
    if (!isOpen()) return;
    this.#waiting.add(runId);
    const times = this.#reloadCounts.get(runId) ?? 0;
    this.#reloadCounts.set(runId, times + 1);
    // K12: refused again and again, whatever is left out: a person decides.
    if (again !== undefined && again.reason !== null && times >= refusalsMax) again = { ...again, refused: new Set() };
    platform.timer(Math.min(longestMs, firstMs * 2 ** times), () => {
      this.#reload(runId, again, takenFrom).then(
        () => this.#waiting.delete(runId),
        () => this.add(runId, again, takenFrom),
      );
    });
  }
  async #reload(runId: string, again: ReloadReason | undefined, takenFrom: string | undefined): Promise<void> {
    const { store, engineId, isOpen, isHeld: holds, load: take } = this.#deps;
    if (!isOpen()) return;
    const row = await store.run({ runId });
    if (row === undefined || row.owner !== engineId() || isSettled(row.status)) return this.forget(runId);
    if (holds(runId)) return; // it was claimed meanwhile; looked at last, because nothing else comes between
    await take(takenFrom === undefined ? row : { ...row, takenFrom }, again);
  }

  /** The run left memory as it should. */
  forget(runId: string): void {
    this.#reloadCounts.delete(runId);
  }
}
