// The part of the random stream that is about shelves and the feed: puts, joins, leaves and rows taken away, few enough of
// each that they meet. Positions are a store's own, and so is the order of rows that one batch left: what waits is compared
// as a set, and a row is named by the run that it is about. For tests; nothing in the package imports it.
import fc from "fast-check";
import type { FullStore } from "../../src/store/full-store.ts";
import type { ConsumerId, FeedRow, KvWrite } from "../../src/store/reader-store.ts";
import { otherScope, scope } from "../../src/store/suite/build.ts";

const consumers: readonly ConsumerId[] = [
  { scope, name: "one" },
  { scope, name: "two" },
  { scope: otherScope, name: "one" },
];
const consumer = fc.constantFrom(...consumers);
const key = fc.constantFrom("a", "B", "_");

const write: fc.Arbitrary<KvWrite> = fc
  .record({ key, value: fc.constantFrom("x", "", null), expect: fc.constantFrom(undefined, 0, 1, 2) })
  .map(({ expect, ...w }) => ({ collection: "s", ...w, ...(expect === undefined ? {} : { expect }) }));

export const writes: fc.Arbitrary<KvWrite[]> = fc.uniqueArray(write, { maxLength: 3, selector: (w) => w.key });

const waiting = (s: FullStore, c: ConsumerId): Promise<readonly FeedRow[]> => s.feed.next({ consumer: c, limit: 999 });

/** Shelf rows that a conflict shows come in no order. */
async function put(s: FullStore, w: readonly KvWrite[], seen?: Parameters<FullStore["kv"]["put"]>[1]): Promise<unknown> {
  const answer = await s.kv.put(w, seen);
  return answer.kind === "put" ? answer : { ...answer, rows: answer.rows.toSorted((a, b) => (a.key < b.key ? -1 : 1)) };
}

/** Rows about one run are taken away, with or without writes that may not hold. */
async function take(s: FullStore, c: ConsumerId, runId: string, w: readonly KvWrite[]): Promise<unknown> {
  const positions = (await waiting(s, c)).filter((r) => r.runId === runId).map((r) => r.position);
  return [positions.length, await put(s, w, { consumer: c, positions })];
}

/** As the steps of the stream are. */
export const readerStep: fc.Arbitrary<{ readonly what: string; readonly verb: (s: FullStore) => Promise<unknown> }> = fc.oneof(
  { weight: 3, arbitrary: writes.map((w) => ({ what: "put", verb: (s: FullStore) => put(s, w) })) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(consumer, fc.constantFrom<"start" | "now">("start", "now"))
      .map(([c, from]) => ({ what: "join", verb: (s: FullStore) => s.feed.join(c, from) })),
  },
  { weight: 1, arbitrary: consumer.map((c) => ({ what: "leave", verb: (s: FullStore) => s.feed.leave(c) })) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(consumer, fc.constantFrom("a", "b", "c", "d"), writes)
      .map(([c, runId, w]) => ({ what: "take", verb: (s: FullStore) => take(s, c, runId, w) })),
  },
);

/** Everything a reader can see of it. */
export async function readerStateOf(s: FullStore): Promise<unknown> {
  const feeds = await Promise.all(consumers.map(async (c) => (await waiting(s, c)).map((r) => `${r.runId} ${r.headSeq}`).sort()));
  return {
    rows: await s.kv.list({ collection: "s", limit: 9 }),
    after: await s.kv.list({ collection: "s", after: "B", limit: 1 }),
    consumers: [await s.feed.consumers(scope), await s.feed.consumers(otherScope)],
    feeds,
  };
}
