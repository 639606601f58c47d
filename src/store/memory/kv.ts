// Rows with versions for readers, on plain maps. Rows are replaced, never changed in place, and copied on the way out; a put checks
// everything before it writes anything.
import { checkKvWrites } from "../check-text.ts";
import type { KvPutAnswer, KvRow, KvTable, KvWrite } from "../reader-store.ts";
import { consumerKey } from "./feed.ts";
import type { MemoryState } from "./state.ts";

export function memoryKv(s: MemoryState, now: () => number): KvTable {
  return {
    async put(writes, seen): Promise<KvPutAnswer> {
      const at = now();
      checkKvWrites("put", writes);
      const unmet = unmetWrites(s, writes);
      if (unmet.length > 0) return { kind: "conflict", rows: kvRowsAt(s, unmet) };
      putRows(s, writes, at);
      const consumer = seen === undefined ? undefined : s.consumers.get(consumerKey(seen.consumer));
      for (const p of seen?.positions ?? []) consumer?.rows.delete(p);
      return { kind: "put", at };
    },
    async get(collection, keys) {
      now();
      const found = [...new Set(keys)].map((k) => rowOf(s, { collection, key: k })).filter((r) => r !== undefined);
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

function rowOf(s: MemoryState, at: Pick<KvWrite, "collection" | "key">): KvRow | undefined {
  return s.kv.get(at.collection)?.get(at.key);
}

/** Those that expect another row than there is. */
export function unmetWrites(s: MemoryState, writes: readonly KvWrite[]): readonly KvWrite[] {
  return writes.filter((w) => w.expect !== undefined && (rowOf(s, w)?.version ?? 0) !== w.expect);
}

export function kvRowsAt(s: MemoryState, writes: readonly KvWrite[]): KvRow[] {
  return writes.flatMap((w) => rowOf(s, w) ?? []).map((r) => ({ ...r }));
}

export function putRows(s: MemoryState, writes: readonly KvWrite[], at: number): void {
  for (const w of writes) writeRow(s, w, (rowOf(s, w)?.version ?? 0) + 1, at);
}

function writeRow(s: MemoryState, w: KvWrite, version: number, at: number): void {
  const collection = s.kv.get(w.collection) ?? new Map<string, KvRow>();
  s.kv.set(w.collection, collection);
  if (w.value === null) collection.delete(w.key);
  else collection.set(w.key, { collection: w.collection, key: w.key, value: w.value, version, at });
}
