// The facet for those who read the log: consumers, projections, webhooks, producers. A store keeps two things for them beside the log: small
// rows with versions (`kv`), which are derived from the log or keep account of reading it, and the feed, which leaves one row for each
// consumer in the same transaction as the events it is about, and costs nothing while nobody has joined. A store interprets neither,
// and neither is ever an authority over the log.
import type { Scope } from "../core/model.ts";

/** `collection` and `key` are printable ASCII of at most 512 characters, ordered by their bytes on every store. */
export interface KvRow {
  readonly collection: string;
  readonly key: string;
  readonly value: string;
  /** 1 when the row is first put, one more with every put after that. */
  readonly version: number;
  /** The store's time of the last put. */
  readonly at: number;
}

export interface KvWrite {
  readonly collection: string;
  readonly key: string;
  /** null takes the row away; a row put again later begins at version 1. */
  readonly value: string | null;
  /** The version that must be there now, 0 for no row; absent = whatever there is. */
  readonly expect?: number;
}

export type KvPutAnswer =
  | { readonly kind: "put"; readonly at: number }
  /** Some `expect` did not hold: nothing was written. The rows that are there instead, in no order; none for a missing one. */
  | { readonly kind: "conflict"; readonly rows: readonly KvRow[] };

export interface KvTable {
  /** All of it or nothing, in one transaction; no two writes of one row. `seen` takes away feed rows in the same transaction. */
  put(writes: readonly KvWrite[], seen?: { readonly consumer: ConsumerId; readonly positions: readonly number[] }): Promise<KvPutAnswer>;
  get(collection: string, keys: readonly string[]): Promise<readonly KvRow[]>;
  /** Ascending by key, after `after`, and before `before` if given. */
  list(q: {
    readonly collection: string;
    readonly after?: string;
    readonly before?: string;
    readonly limit: number;
  }): Promise<readonly KvRow[]>;
}

/** A consumer sees the runs of one scope only (I11). */
export interface ConsumerId {
  readonly scope: Scope;
  readonly name: string;
}

/** A Commit added events to this run. Several rows of one run may wait; `headSeq` is the run's head after that Commit. */
export interface FeedRow {
  readonly position: number;
  readonly runId: string;
  readonly headSeq: number;
}

export interface Feed {
  /**
   * From this transaction on, every Commit that adds events to a run of the scope leaves a row for the consumer. `start`
   * also leaves one for each run that already exists. Joining twice is answered `known` and changes nothing.
   */
  join(consumer: ConsumerId, from: "start" | "now"): Promise<"joined" | "known">;
  /** Removes the consumer and its rows of the feed; its rows in `kv` are its own to remove. */
  leave(consumer: ConsumerId): Promise<void>;
  consumers(scope: Scope): Promise<readonly { readonly name: string; readonly joinedAt: number; readonly waiting: number }[]>;
  /** Rows that were not taken away yet, ascending by position. A lower position may still appear: rows are taken away by name, never by a mark. */
  next(q: { readonly consumer: ConsumerId; readonly limit: number }): Promise<readonly FeedRow[]>;
}

export interface ReaderStore {
  readonly kv: KvTable;
  readonly feed: Feed;
}
