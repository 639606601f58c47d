// How far consumers of the log are behind, in time: the age of the oldest Commit that each has not acknowledged, also while no process works as that consumer. It reads
// a row or two for each consumer, and changes nothing. A run's own row never lags: it is written in the transaction of its events.
import type { Scope } from "../core/model.ts";
import type { FullStore } from "../store/full-store.ts";

export interface ConsumerLag {
  readonly consumer: string;
  readonly seconds: number;
}

const consumersMax = 100;

export async function consumerLags(store: FullStore, scope: Scope): Promise<readonly ConsumerLag[]> {
  const { nowMs } = await store.info();
  const consumers = (await store.feed.consumers(scope)).slice(0, consumersMax);
  return Promise.all(consumers.map(async ({ name, waiting }) => ({ consumer: name, seconds: waiting === 0 ? 0 : await oldest(name) })));

  async function oldest(name: string): Promise<number> {
    const [row] = await store.feed.next({ consumer: { scope, name }, limit: 1 });
    if (row === undefined) return 0;
    const [event] = await store.events({ runId: row.runId, after: Math.max(0, row.headSeq - 1), limit: 1 });
    return event === undefined ? 0 : Math.max(0, nowMs - event.persistedAt) / 1_000;
  }
}
