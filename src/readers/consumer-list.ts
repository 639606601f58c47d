// Consumers as an operator sees them: how much waits, who is at work, what is held back and why, what was given up. And how one
// is taken away, with everything it kept. Looking changes nothing.
import type { Scope } from "../core/model.ts";
import { toTimeText } from "../events/envelope.ts";
import type { FullStore } from "../store/full-store.ts";
import type { ConsumerId } from "../store/reader-store.ts";
import { leaseHolder } from "./consumer-lease.ts";
import { Watermarks, type Watermark } from "./watermarks.ts";
import { consumerCollection } from "./kv-keys.ts";

export interface HeldRun {
  readonly runId: string;
  /** The event after this one fails. */
  readonly watermark: number;
  readonly failures: number;
  readonly error: string;
  readonly nextTry: string;
  /** What a caller without the scope `payloads` is not shown. */
  readonly hidden?: readonly string[];
}
export interface ConsumerView {
  readonly consumer: string;
  readonly joinedAt: string;
  /** Commits whose events were not acknowledged yet, without those of held runs. */
  readonly waiting: number;
  /** A process works as this consumer now. */
  readonly active: boolean;
  /** Runs held back because an event fails, those tried next first; at most 100. */
  readonly held: readonly HeldRun[];
  /** Events that were given up; at most 100 are counted. */
  readonly deadLetters: number;
}

const shownMax = 100;
const pageSize = 500;
const collectionKinds = ["from", "desk", "mark", "held", "dead"];

export async function listConsumers(store: FullStore, scope: Scope): Promise<readonly ConsumerView[]> {
  const { nowMs } = await store.info();
  const views: ConsumerView[] = [];
  for (const c of await store.feed.consumers(scope)) {
    const id: ConsumerId = { scope, name: c.name };
    const marks = new Watermarks(store, id);
    const { holder, until } = await leaseHolder(store, id);
    views.push({
      consumer: c.name,
      joinedAt: toTimeText(c.joinedAt),
      waiting: c.waiting,
      active: holder !== null && until > nowMs,
      held: (await marks.heldRuns(shownMax)).filter((m) => m.error !== null).map(toHeldRun),
      deadLetters: (await marks.deadLetters({ limit: shownMax })).length,
    });
  }
  return views;
}

function toHeldRun(m: Watermark): HeldRun {
  return { runId: m.runId, watermark: m.seq, failures: m.failures, error: m.error ?? "", nextTry: toTimeText(m.heldUntil ?? 0) };
}

/** Leaves the feed and takes the consumer's own rows away; under the same name it would begin from zero. */
export async function removeConsumer(store: FullStore, consumer: ConsumerId): Promise<void> {
  await store.feed.leave(consumer);
  for (const kind of collectionKinds) {
    const collection = consumerCollection(kind, consumer);
    for (;;) {
      const rows = await store.kv.list({ collection, limit: pageSize });
      if (rows.length > 0) await store.kv.put(rows.map((r) => ({ collection, key: r.key, value: null })));
      if (rows.length < pageSize) break;
    }
  }
}
