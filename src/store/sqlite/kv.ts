// Rows with versions for readers, as SQL. A put checks every expected version, then writes, in one transaction under the file's one write
// lock; rows of the feed that it accounts for are deleted in the same transaction.
import { scopeKey } from "../keys.ts";
import type { ConsumerId, KvPutAnswer, KvRow, KvTable, KvWrite } from "../reader-store.ts";
import { checkKvWrites } from "../check-text.ts";
import { type Statements, toKvRow } from "./rows.ts";
import type { Writer } from "./wire/writer.ts";

export interface KvDeps {
  readonly writer: Writer;
  readonly now: () => number;
  /** Throws once the store is closed. */
  readonly open: () => void;
}

export function sqliteKv({ writer, now, open }: KvDeps): Omit<KvTable, "list"> {
  return {
    async put(writes, seen): Promise<KvPutAnswer> {
      open();
      checkKvWrites("put", writes);
      return writer.write((st) => {
        const at = now();
        const unmet = unmetWrites(st, writes);
        if (unmet.length > 0) return { kind: "conflict", rows: kvRowsAt(st, unmet) };
        putRows(st, writes, at);
        const consumer = seen === undefined ? undefined : consumerIdOf(st, seen.consumer);
        if (consumer !== undefined) for (const p of seen?.positions ?? []) st.seen.run(p, consumer);
        return { kind: "put", at };
      });
    },
    async get(collection, keys) {
      open();
      return writer.read((st) => [...new Set(keys)].flatMap((key) => rowOf(st, { collection, key }) ?? []));
    },
  };
}

function rowOf(st: Statements, at: Pick<KvWrite, "collection" | "key">): KvRow | undefined {
  const found = st.shelfRow.get(at.collection, at.key);
  return found === undefined ? undefined : toKvRow(found);
}

/** Those that expect another row than there is. */
export function unmetWrites(st: Statements, writes: readonly KvWrite[]): readonly KvWrite[] {
  return writes.filter((w) => w.expect !== undefined && (rowOf(st, w)?.version ?? 0) !== w.expect);
}

export function kvRowsAt(st: Statements, writes: readonly KvWrite[]): KvRow[] {
  return writes.flatMap((w) => rowOf(st, w) ?? []);
}

export function putRows(st: Statements, writes: readonly KvWrite[], at: number): void {
  for (const w of writes) {
    if (w.value === null) st.dropShelf.run(w.collection, w.key);
    else st.putShelf.run(w.collection, w.key, w.value, at);
  }
}

export function consumerIdOf(st: Statements, c: ConsumerId): number | undefined {
  return st.consumer.get(scopeKey(c.scope), c.name)?.["consumer_id"] as number | undefined;
}
