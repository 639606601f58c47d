// The ledger of deliveries of one endpoint, as rows: what was delivered, newest first; what waits for its next attempt and what was
// given up are the consumer's own account (readers/watermarks.ts), read here in the same shape. Writes are returned, never made: they go
// into the transaction that accounts for the event. Only delivered rows are ever taken away, when they are old.
import type { Scope } from "../core/model.ts";
import { toTimeText } from "../events/envelope.ts";
import { Watermarks, type Watermark } from "../readers/watermarks.ts";
import { sortableNumber, consumerCollection } from "../readers/kv-keys.ts";
import type { FullStore } from "../store/full-store.ts";
import type { EventRecord } from "../store/port.ts";
import type { KvWrite } from "../store/reader-store.ts";
import { endpointConsumer } from "./endpoints.ts";
import type { DeliveryView } from "./types.ts";

/** A row of the collection of delivered events. */
interface DeliveredRow {
  readonly eventId: string;
  readonly eventType: string;
  readonly runId: string;
  readonly runSeq: number;
  readonly attempts: number;
  readonly status: number;
  readonly replay?: true;
}

const sweepRows = 500;

export class DeliveryLedger {
  readonly #store: FullStore;
  readonly #endpoint: string;
  readonly #collection: string;
  readonly watermarks: Watermarks;

  constructor(store: FullStore, scope: Scope, endpoint: string) {
    const consumer = endpointConsumer(scope, endpoint);
    this.#store = store;
    this.#endpoint = endpoint;
    this.#collection = consumerCollection("delivered", consumer);
    this.watermarks = new Watermarks(store, consumer);
  }

  delivered(runId: string, e: EventRecord, d: { attempts: number; status: number; atMs: number; replay?: true }): KvWrite {
    const { eventId, eventType, runSeq } = e;
    const row: DeliveredRow = {
      eventId,
      eventType,
      runId,
      runSeq,
      attempts: d.attempts,
      status: d.status,
      ...(d.replay ? { replay: true } : {}),
    };
    return { collection: this.#collection, key: newestFirstKey(d.atMs, `/${eventId}`), value: JSON.stringify(row) };
  }

  async listDelivered(limit: number): Promise<DeliveryView[]> {
    const rows = await this.#store.kv.list({ collection: this.#collection, limit });
    return rows.map((r) => ({
      endpoint: this.#endpoint,
      state: "delivered",
      ...(JSON.parse(r.value) as DeliveredRow),
      at: toTimeText(r.at),
    }));
  }

  /** Where an event was delivered, if it is still in the ledger. */
  async find(eventId: string): Promise<{ readonly runId: string; readonly runSeq: number } | undefined> {
    let after: string | undefined;
    for (;;) {
      const rows = await this.#store.kv.list({ collection: this.#collection, limit: sweepRows, ...(after === undefined ? {} : { after }) });
      const found = rows.find((r) => r.key.endsWith(`/${eventId}`));
      if (found !== undefined) return JSON.parse(found.value) as DeliveredRow;
      if (rows.length < sweepRows) return undefined;
      after = rows.at(-1)?.key;
    }
  }

  async listDead(limit: number): Promise<DeliveryView[]> {
    const letters = await this.watermarks.deadLetters({ limit });
    return letters.map(({ failures, ...d }) => ({ endpoint: this.#endpoint, state: "dead", ...d, attempts: failures }));
  }

  async listWaiting(limit: number): Promise<DeliveryView[]> {
    const views = await Promise.all((await this.watermarks.heldRuns(limit)).map((m) => this.#waitingView(m)));
    return views.filter((v) => v !== undefined);
  }

  /** The event after the watermark is the one that failed. */
  async #waitingView(m: Watermark): Promise<DeliveryView | undefined> {
    const [e] = await this.#store.events({ runId: m.runId, after: m.seq, limit: 1 });
    if (e === undefined || m.heldUntil === null) return undefined;
    return {
      endpoint: this.#endpoint,
      eventId: e.eventId,
      eventType: e.eventType,
      runId: m.runId,
      runSeq: e.runSeq,
      state: "waiting",
      attempts: m.failures,
      ...(m.error === null ? {} : { error: m.error }),
      nextAt: toTimeText(m.heldUntil),
    };
  }

  /** Takes a few delivered rows away that are older; answers how many. */
  async removeOlder(olderThanMs: number): Promise<number> {
    const rows = await this.#store.kv.list({ collection: this.#collection, after: newestFirstKey(olderThanMs, "~"), limit: sweepRows });
    if (rows.length > 0) await this.#store.kv.put(rows.map((r) => ({ collection: this.#collection, key: r.key, value: null })));
    return rows.length;
  }
}

/** Sorts from late to early. */
function newestFirstKey(atMs: number, tail: string): string {
  return `${sortableNumber(9_999_999_999_999 - atMs)}${tail}`;
}
