// How far a consumer has come in each run, and what stands in its way: the watermark (last acknowledged runSeq, D-019, D-020),
// and for a run whose next event fails, how often, why, and when it is tried again. A run that is held back has a row in a collection
// sorted by that time, in place of its rows in the feed: however many are held, they keep nobody else from being seen.
import { PawlError } from "../errors/error.ts";
import type { FullStore } from "../store/full-store.ts";
import type { ConsumerId, KvWrite } from "../store/reader-store.ts";
import { keyUnderRun, sortableNumber, consumerRunKey, consumerCollection, runKeyRange } from "./kv-keys.ts";

export interface Watermark {
  readonly runId: string;
  /** Every event up to and with this runSeq was acknowledged. */
  readonly seq: number;
  /** How often the event after it has failed in a row. */
  readonly failures: number;
  readonly error: string | null;
  /** Held back until this time of the store's clock; null = not held. */
  readonly heldUntil: number | null;
}

export function newWatermark(runId: string, seq: number): Watermark {
  return { runId, seq, failures: 0, error: null, heldUntil: null };
}

/** An event that was given up, so that its run could continue (P-37). */
export interface ConsumerDeadLetter {
  readonly runId: string;
  readonly runSeq: number;
  readonly eventId: string;
  readonly eventType: string;
  readonly failures: number;
  readonly error: string;
}

export class Watermarks {
  readonly #store: FullStore;
  readonly #marks: string;
  readonly #held: string;
  readonly #dead: string;

  constructor(store: FullStore, consumer: ConsumerId) {
    this.#store = store;
    this.#marks = consumerCollection("mark", consumer);
    this.#held = consumerCollection("held", consumer);
    this.#dead = consumerCollection("dead", consumer);
  }

  async read(runIds: readonly string[]): Promise<ReadonlyMap<string, Watermark>> {
    if (runIds.length === 0) return new Map();
    const rows = await this.#store.kv.get(this.#marks, runIds.map(consumerRunKey));
    return new Map(rows.map((r) => JSON.parse(r.value) as Watermark).map((m) => [m.runId, m]));
  }

  /** From one mark to the next; the row among the held goes with it. */
  move(from: Watermark | undefined, to: Watermark): KvWrite[] {
    const writes: KvWrite[] = [{ collection: this.#marks, key: consumerRunKey(to.runId), value: JSON.stringify(to) }];
    const [old, next] = [from?.heldUntil ?? null, to.heldUntil];
    if (next !== null) writes.push({ collection: this.#held, key: heldKey(next, to.runId), value: JSON.stringify(to) });
    if (old !== null && old !== next) writes.push({ collection: this.#held, key: heldKey(old, to.runId), value: null });
    return writes;
  }

  /** The run is not there any more. */
  remove(runId: string, mark: Watermark | undefined): KvWrite[] {
    const held = mark?.heldUntil ?? null;
    return [
      { collection: this.#marks, key: consumerRunKey(runId), value: null },
      ...(held === null ? [] : [{ collection: this.#held, key: heldKey(held, runId), value: null }]),
    ];
  }

  /** Runs that are held back, those that are due first. */
  async heldRuns(limit: number): Promise<readonly Watermark[]> {
    const rows = await this.#store.kv.list({ collection: this.#held, limit });
    return rows.map((r) => JSON.parse(r.value) as Watermark);
  }

  addDeadLetter(d: ConsumerDeadLetter): KvWrite {
    return { collection: this.#dead, key: keyUnderRun(d.runId, d.runSeq), value: JSON.stringify(d) };
  }

  /** Events that were given up, of one run or of all; `after` is the last one of the page before. */
  async deadLetters(q: {
    readonly runId?: string;
    readonly after?: { readonly runId: string; readonly runSeq: number };
    readonly limit: number;
  }): Promise<readonly ConsumerDeadLetter[]> {
    const { after, before } = q.runId === undefined ? {} : runKeyRange(q.runId);
    const from = q.after === undefined ? after : keyUnderRun(q.after.runId, q.after.runSeq);
    const rows = await this.#store.kv.list({
      collection: this.#dead,
      ...(from === undefined ? {} : { after: from }),
      ...(before === undefined ? {} : { before }),
      limit: q.limit,
    });
    return rows.map((r) => JSON.parse(r.value) as ConsumerDeadLetter);
  }

  /** Takes a dead letter away: it was seen to. */
  removeDeadLetter(d: Pick<ConsumerDeadLetter, "runId" | "runSeq">): KvWrite {
    return { collection: this.#dead, key: keyUnderRun(d.runId, d.runSeq), value: null };
  }
}

function heldKey(until: number, runId: string): string {
  return `${sortableNumber(until)}/${consumerRunKey(runId)}`;
}

/** What is shown of a failure; never longer than a few lines. */
export function failureText(e: unknown): string {
  const text = e instanceof PawlError ? `${e.code} ${e.message}` : e instanceof Error ? e.message : String(e);
  return text.slice(0, 500).replaceAll(/\p{Cs}|\0/gu, "?"); // cutting may leave half a character
}
