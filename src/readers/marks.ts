// How far a consumer has come in each run, and what stands in its way: the watermark (last acknowledged runSeq, D-019, D-020),
// and for a run whose next event fails, how often, why, and when it is tried again. A run that is held back has a row on a shelf
// sorted by that time, in place of its rows in the feed: however many are held, they keep nobody else from being seen.
import { PawlError } from "../errors/error.ts";
import type { Store } from "../store/port.ts";
import type { ConsumerId, ShelfWrite } from "../store/shelf.ts";
import { keyIn, padded, runKey, shelfOf, within } from "./places.ts";

export interface Mark {
  readonly runId: string;
  /** Every event up to and with this runSeq was acknowledged. */
  readonly seq: number;
  /** How often the event after it has failed in a row. */
  readonly failures: number;
  readonly error: string | null;
  /** Held back until this time of the store's clock; null = not held. */
  readonly heldUntil: number | null;
}

export function cleanMark(runId: string, seq: number): Mark {
  return { runId, seq, failures: 0, error: null, heldUntil: null };
}

/** An event that was given up, so that its run could go on (P-37). */
export interface DeadLetter {
  readonly runId: string;
  readonly runSeq: number;
  readonly eventId: string;
  readonly eventType: string;
  readonly failures: number;
  readonly error: string;
}

export class Marks {
  readonly #store: Store;
  readonly #marks: string;
  readonly #held: string;
  readonly #dead: string;

  constructor(store: Store, consumer: ConsumerId) {
    this.#store = store;
    this.#marks = shelfOf("mark", consumer);
    this.#held = shelfOf("held", consumer);
    this.#dead = shelfOf("dead", consumer);
  }

  async read(runIds: readonly string[]): Promise<ReadonlyMap<string, Mark>> {
    if (runIds.length === 0) return new Map();
    const rows = await this.#store.shelves.get(this.#marks, runIds.map(runKey));
    return new Map(rows.map((r) => JSON.parse(r.value) as Mark).map((m) => [m.runId, m]));
  }

  /** From one mark to the next; the row among the held goes with it. */
  move(from: Mark | undefined, to: Mark): ShelfWrite[] {
    const writes: ShelfWrite[] = [{ shelf: this.#marks, key: runKey(to.runId), value: JSON.stringify(to) }];
    const [old, next] = [from?.heldUntil ?? null, to.heldUntil];
    if (next !== null) writes.push({ shelf: this.#held, key: heldKey(next, to.runId), value: JSON.stringify(to) });
    if (old !== null && old !== next) writes.push({ shelf: this.#held, key: heldKey(old, to.runId), value: null });
    return writes;
  }

  /** The run is not there any more. */
  drop(runId: string, mark: Mark | undefined): ShelfWrite[] {
    const held = mark?.heldUntil ?? null;
    return [
      { shelf: this.#marks, key: runKey(runId), value: null },
      ...(held === null ? [] : [{ shelf: this.#held, key: heldKey(held, runId), value: null }]),
    ];
  }

  /** Runs that are held back, those that are due first. */
  async held(limit: number): Promise<readonly Mark[]> {
    const rows = await this.#store.shelves.list({ shelf: this.#held, limit });
    return rows.map((r) => JSON.parse(r.value) as Mark);
  }

  bury(d: DeadLetter): ShelfWrite {
    return { shelf: this.#dead, key: keyIn(d.runId, d.runSeq), value: JSON.stringify(d) };
  }

  /** Events that were given up, of one run or of all; `after` is the last one of the page before. */
  async dead(q: {
    readonly runId?: string;
    readonly after?: { readonly runId: string; readonly runSeq: number };
    readonly limit: number;
  }): Promise<readonly DeadLetter[]> {
    const { after, before } = q.runId === undefined ? {} : within(q.runId);
    const from = q.after === undefined ? after : keyIn(q.after.runId, q.after.runSeq);
    const rows = await this.#store.shelves.list({
      shelf: this.#dead,
      ...(from === undefined ? {} : { after: from }),
      ...(before === undefined ? {} : { before }),
      limit: q.limit,
    });
    return rows.map((r) => JSON.parse(r.value) as DeadLetter);
  }

  /** Takes a dead letter away: it was seen to. */
  forgive(d: Pick<DeadLetter, "runId" | "runSeq">): ShelfWrite {
    return { shelf: this.#dead, key: keyIn(d.runId, d.runSeq), value: null };
  }
}

function heldKey(until: number, runId: string): string {
  return `${padded(until)}/${runKey(runId)}`;
}

/** What is shown of a failure; never longer than a few lines. */
export function failureText(e: unknown): string {
  const text = e instanceof PawlError ? `${e.code} ${e.message}` : e instanceof Error ? e.message : String(e);
  return text.slice(0, 500).replaceAll(/\p{Cs}|\0/gu, "?"); // cutting may leave half a character
}
