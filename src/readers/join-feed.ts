// Where a consumer begins. What it asked for when it was first named is written down before it joins, so that a second process
// that asks for something else continues with the first one's answer. A consumer that begins "now" gets the Commits that were made
// after it joined, whole, and nothing of what was there before.
import type { FullStore } from "../store/full-store.ts";
import type { ConsumerId, FeedRow } from "../store/reader-store.ts";
import { checkConsumer } from "../store/check-text.ts";
import { consumerCollection } from "./kv-keys.ts";

const chunk = 256;

/** Joins the feed; answers where this consumer began when it was new. */
export async function joinFeed(store: FullStore, consumer: ConsumerId, from: "start" | "now"): Promise<"start" | "now"> {
  checkConsumer("join", consumer);
  const answer = await store.kv.put([{ collection: consumerCollection("from", consumer), key: "from", value: from, expect: 0 }]);
  const began = answer.kind === "put" ? from : answer.rows[0]?.value === "now" ? "now" : "start";
  await store.feed.join(consumer, began);
  return began;
}

/** The watermark of a run that a consumer from "now" meets first by these rows: just before the first of their Commits. */
export async function firstWatermark(store: FullStore, runId: string, rows: readonly FeedRow[]): Promise<number> {
  const first = Math.min(...rows.map((r) => r.headSeq));
  if (!Number.isFinite(first)) return 0;
  const [head] = await store.events({ runId, after: first - 1, limit: 1 });
  if (head === undefined) return first;
  let start = first - 1;
  while (start > 0) {
    const after = Math.max(0, start - chunk);
    const before = (await store.events({ runId, after, limit: chunk })).filter((e) => e.runSeq <= start);
    for (const e of before.toReversed()) if (e.stateVersion !== head.stateVersion) return e.runSeq;
    start = after;
  }
  return 0;
}
