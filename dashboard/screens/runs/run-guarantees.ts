// The guarantees of the runs in view: asked for some at a time, after the rows are on the page, and again when a run has gone on. A run that has ended is asked
// for once. While somebody scrolls nothing is asked, and rows that have left the view are not asked for. It must never hold up a row: one whose answer is not here
// yet shows nothing.
import { signal, type Signal } from "@preact/signals";
import type { RunGuarantee } from "../../../src/api/types/operate.ts";
import type { RunView } from "../../../src/api/types/run.ts";
import { call } from "../../data/server.ts";

const askedAtOnce = 100;
/** Asked when the view has been still this long: a reader who scrolls waits for rows, not for these. */
const stillMs = 150;
/** A list that never rests is asked for this often: a run at work grows with every step. */
const lateMs = 600;
const keptMax = 2_000;

export class RunGuarantees {
  readonly changes: Signal<number> = signal(0);
  readonly #signal: AbortSignal;
  /** By run: how long its log was when somebody asked, and what was answered; null: it has no effects. */
  readonly #known = new Map<string, { readonly head: number; of: RunGuarantee | null | undefined }>();
  #wanted: ReadonlyMap<string, number> = new Map();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #waitingSince = 0;
  #asking = false;

  constructor(ended: AbortSignal) {
    this.#signal = ended;
    ended.addEventListener("abort", () => clearTimeout(this.#timer));
  }

  of(runId: string): RunGuarantee | undefined {
    return this.#known.get(runId)?.of ?? undefined;
  }

  /** These are in view now. */
  look(runs: readonly RunView[]): void {
    const unknown = runs.filter(({ runId, headSeq }) => (this.#known.get(runId)?.head ?? -1) < headSeq);
    this.#wanted = new Map(unknown.map(({ runId, headSeq }) => [runId, headSeq]));
    if (!this.#asking) this.#soon();
  }

  #soon(): void {
    if (this.#wanted.size === 0) return;
    const now = performance.now();
    if (this.#timer === undefined) this.#waitingSince = now;
    else if (now - this.#waitingSince > lateMs) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#ask(), this.#known.size === 0 ? 0 : stillMs);
  }

  async #ask(): Promise<void> {
    this.#timer = undefined;
    this.#asking = true;
    const asked = [...this.#wanted].slice(0, askedAtOnce);
    this.#wanted = new Map([...this.#wanted].slice(askedAtOnce));
    for (const [runId, head] of asked) {
      const { of } = this.#known.get(runId) ?? {};
      this.#known.delete(runId);
      this.#known.set(runId, { head, of });
    }
    try {
      const { items } = await call("runs.guarantees", { runs: asked.map(([runId]) => runId) }, { signal: this.#signal });
      const found = new Map(items.map((g) => [g.runId, g]));
      for (const [runId] of asked) this.#known.get(runId)!.of = found.get(runId) ?? null;
      for (const runId of this.#known.keys()) {
        if (this.#known.size <= keptMax) break;
        this.#known.delete(runId);
      }
      this.changes.value++;
    } catch {
      // They are wished for again when the reader scrolls; the rows say the rest.
      for (const [runId] of asked) this.#known.delete(runId);
    } finally {
      this.#asking = false;
      if (!this.#signal.aborted) this.#soon();
    }
  }
}
