// Rows with versions for readers, on plain maps. Rows are replaced, never changed in place, and copied on the way out; a put checks
// everything before it writes anything.
import { checkKvWrites } from "../check-text.ts";
import type { KvPutAnswer, KvRow, KvTable, KvWrite } from "../reader-store.ts";
import { consumerKey } from "./feed.ts";
import type { MemoryState } from "./state.ts";

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
