// The feed on plain maps. What a Commit leaves in it is written by `appendToFeed`, in the same step as the Commit's own rows. Rows are
// deleted by their positions, never by "all up to here".
import { checkConsumer } from "../check-text.ts";
import { scopeKey } from "../keys.ts";
import type { RunRow } from "../port.ts";
import type { ConsumerId, Feed, FeedRow } from "../reader-store.ts";
import type { MemoryState } from "./state.ts";

export interface MemoryConsumer {
  readonly name: string;
  readonly scope: string;
  readonly joinedAt: number;
  readonly rows: Map<number, FeedRow>;
}

export function consumerKey(c: ConsumerId): string {
  return `${scopeKey(c.scope)}/${encodeURIComponent(c.name)}`;
}

/** Leaves a row for every consumer of the run's scope. */
export function appendToFeed(s: MemoryState, run: RunRow): void {
  const scope = scopeKey(run.scope);
  for (const c of s.consumers.values()) {
    if (c.scope !== scope) continue;
    const position = s.nextFeedPosition++;
    c.rows.set(position, { position, runId: run.runId, headSeq: run.headSeq });
  }
}

export function memoryFeed(s: MemoryState, now: () => number): Feed {
  return {
    async join(consumer, from) {
      const joinedAt = now();
      checkConsumer("join", consumer);
      const key = consumerKey(consumer);
      if (s.consumers.has(key)) return "known";
      const joined: MemoryConsumer = { name: consumer.name, scope: scopeKey(consumer.scope), joinedAt, rows: new Map() };
      s.consumers.set(key, joined);
      if (from === "now") return "joined";
      for (const run of s.runs.values()) {
        if (scopeKey(run.scope) !== joined.scope) continue;
        const position = s.nextFeedPosition++;
        joined.rows.set(position, { position, runId: run.runId, headSeq: run.headSeq });
      }
      return "joined";
    },
    async leave(consumer) {
      now();
      s.consumers.delete(consumerKey(consumer));
    },
    async consumers(scope) {
      now();
      const here = [...s.consumers.values()].filter((c) => c.scope === scopeKey(scope));
      here.sort((a, b) => (a.name < b.name ? -1 : 1));
      return here.map((c) => ({ name: c.name, joinedAt: c.joinedAt, waiting: c.rows.size }));
    },
    async next(q) {
      now();
      const rows = [...(s.consumers.get(consumerKey(q.consumer))?.rows.values() ?? [])];
      return rows.slice(0, q.limit).map((r) => ({ ...r }));
    },
  };
}
