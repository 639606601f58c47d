// Shelves and the feed on plain maps. Rows are replaced, never changed in place, and copied on the way out; a put checks
// everything before it writes anything. What a Commit leaves in the feed is written by `feedCommit`, in the same step as
// the Commit's own rows.
import { scopeKey } from "../keys.ts";
import type { RunRow } from "../port.ts";
import type { ConsumerId, Feed, FeedRow, KvPutAnswer, KvRow, KvWrite, KvTable } from "../reader-store.ts";
import { checkConsumer, checkKvWrites } from "../check-text.ts";
import type { MemoryState } from "./state.ts";

export interface MemoryConsumer {
  readonly name: string;
  readonly scope: string;
  readonly joinedAt: number;
  readonly rows: Map<number, FeedRow>;
}

const consumerKey = (c: ConsumerId): string => `${scopeKey(c.scope)}/${encodeURIComponent(c.name)}`;

/** Leaves a row for every consumer of the run's scope. */
export function appendToFeed(s: MemoryState, run: RunRow): void {
  const scope = scopeKey(run.scope);
  for (const c of s.consumers.values()) {
    if (c.scope !== scope) continue;
    const position = s.nextFeedPosition++;
    c.rows.set(position, { position, runId: run.runId, headSeq: run.headSeq });
  }
}

export function memoryKv(s: MemoryState, now: () => number): KvTable {
  const rowOf = (collection: string, key: string): KvRow | undefined => s.kv.get(collection)?.get(key);
  return {
    async put(writes, seen): Promise<KvPutAnswer> {
      const at = now();
      checkKvWrites("put", writes);
      const wrong = writes.filter((w) => w.expect !== undefined && (rowOf(w.collection, w.key)?.version ?? 0) !== w.expect);
      if (wrong.length > 0) {
        const rows = wrong.map((w) => rowOf(w.collection, w.key)).filter((r) => r !== undefined);
        return { kind: "conflict", rows: rows.map((r) => ({ ...r })) };
      }
      for (const w of writes) writeRow(s, w, (rowOf(w.collection, w.key)?.version ?? 0) + 1, at);
      const consumer = seen === undefined ? undefined : s.consumers.get(consumerKey(seen.consumer));
      for (const p of seen?.positions ?? []) consumer?.rows.delete(p);
      return { kind: "put", at };
    },
    async get(collection, keys) {
      now();
      const found = [...new Set(keys)].map((k) => rowOf(collection, k)).filter((r) => r !== undefined);
      return found.map((r) => ({ ...r }));
    },
    async list(q) {
      now();
      const rows = [...(s.kv.get(q.collection)?.values() ?? [])];
      const within = rows.filter((r) => (q.after === undefined || r.key > q.after) && (q.before === undefined || r.key < q.before));
      within.sort((a, b) => (a.key < b.key ? -1 : 1));
      return within.slice(0, q.limit).map((r) => ({ ...r }));
    },
  };
}

function writeRow(s: MemoryState, w: KvWrite, version: number, at: number): void {
  const collection = s.kv.get(w.collection) ?? new Map<string, KvRow>();
  s.kv.set(w.collection, collection);
  if (w.value === null) collection.delete(w.key);
  else collection.set(w.key, { collection: w.collection, key: w.key, value: w.value, version, at });
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
