// Progress on a stream of events that are not persisted yet (D-021): no runSeq, no persistedAt, so its checkpoint is the ingestion
// offset, how many events of the stream were taken, in the order in which they came. It is kept in a collection of its own and only ever
// rises. Such a stream is for showing and counting: it has no way to a projection, and the reducer refuses its events (D-022).
import { PawlError } from "../errors/error.ts";
import type { FullStore } from "../store/full-store.ts";
import type { ConsumerId } from "../store/reader-store.ts";
import { consumerCollection } from "./kv-keys.ts";

export interface StreamCursor {
  /**
   * How many events of the stream were taken.
   *
   * @example
   * const from = await cursor.offset();
   */
  offset(): Promise<number>;
  /**
   * Notes that the events up to this offset were taken: true when that was new, false when it was known.
   *
   * @example
   * await cursor.advance(from + batch.length);
   */
  advance(offset: number): Promise<boolean>;
}

const key = "offset";

export function streamCursor(store: FullStore, consumer: ConsumerId): StreamCursor {
  const collection = consumerCollection("stream", consumer);
  return {
    offset: async () => Number((await store.kv.get(collection, [key]))[0]?.value ?? 0),
    advance: async (offset) => {
      if (!Number.isSafeInteger(offset) || offset < 0) throw new PawlError("PAWL4011", "offset must be a whole number of at least 0");
      for (;;) {
        const [row] = await store.kv.get(collection, [key]);
        if (Number(row?.value ?? 0) >= offset) return false;
        const answer = await store.kv.put([{ collection, key, value: String(offset), expect: row?.version ?? 0 }]);
        if (answer.kind === "put") return true;
      }
    },
  };
}
