// Results of steps that ended before this owner had the run. The code of a style names them before a turn, they are read by their places, and the
// code finds them there at once (K15: a turn awaits nothing). They are let go of when the turn is over. It must never give a result that was
// not asked for: that would be a read in the middle of a turn.
import { decode } from "../../codec/value.ts";
import type { Failure } from "../../codec/failure.ts";
import { PawlError } from "../../errors/error.ts";
import { readPayload } from "../../events/payload.ts";
import type { FullStore } from "../../store/full-store.ts";
import type { RecordedEnd, WantedResults } from "../calls.ts";

/** The payloads of these events, in their order. */
export async function readPayloads(store: FullStore, runId: string, seqs: readonly number[]): Promise<readonly (string | null)[]> {
  if (seqs.length === 0) return [];
  const found = await store.payloadsAt(seqs.map((runSeq) => ({ runId, runSeq })));
  const bySeq = new Map(found.map((f) => [f.runSeq, f.payload]));
  return seqs.map((seq) => {
    const payload = bySeq.get(seq);
    if (payload === undefined) throw new PawlError("PAWL3007", `event ${seq} of run ${runId} is not there`);
    return payload;
  });
}

/** How a step ended, as its last event recorded it. */
export function recordedEnd(payload: string | null): RecordedEnd {
  const p = readPayload<{ result?: unknown; timedOut?: boolean; error?: Failure; category?: string }>(payload);
  if (p.error !== undefined) return { ok: false, failure: p.error, category: p.category ?? "FAILED" };
  return { ok: true, value: p.result === undefined || p.timedOut === true ? undefined : decode(JSON.stringify(p.result)) };
}

export class WantedResultsReader {
  readonly #store: FullStore;
  readonly #runId: string;
  /** Of the code; null: it keeps its results itself, or has none. */
  #wants: WantedResults | null = null;
  readonly #payloads = new Map<number, string | null>();
  #isReading = false;

  constructor(store: FullStore, runId: string) {
    this.#store = store;
    this.#runId = runId;
  }

  get isReading(): boolean {
    return this.#isReading;
  }
  onWants(wants: WantedResults): void {
    this.#wants = wants;
  }
  get(runSeq: number): RecordedEnd {
    const payload = this.#payloads.get(runSeq);
    if (payload === undefined) throw new PawlError("PAWL3007", `the code reads the result at ${runSeq}, which it did not ask for`);
    return recordedEnd(payload);
  }

  /** Read before there was a run to read them for. */
  preload(payloads: ReadonlyMap<number, string | null>): void {
    for (const [seq, payload] of payloads) this.#payloads.set(seq, payload);
  }

  /** What must be read before this end is delivered; empty: nothing. */
  missing(of: { readonly stepId: string; readonly ok: boolean } | undefined): readonly number[] {
    if (this.#wants === null || of === undefined) return [];
    return this.#wants(of.stepId, of.ok ? "completed" : "failed").filter((seq) => !this.#payloads.has(seq));
  }
  async read(seqs: readonly number[]): Promise<void> {
    this.#isReading = true;
    try {
      const payloads = await readPayloads(this.#store, this.#runId, seqs);
      seqs.forEach((seq, i) => this.#payloads.set(seq, payloads[i] ?? null));
    } finally {
      this.#isReading = false;
    }
  }
  /** The turn is over. */
  forget(): void {
    if (this.#payloads.size > 0) this.#payloads.clear();
  }
}
