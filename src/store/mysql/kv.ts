// Rows with versions for readers, as SQL. A put locks the rows that it names, looks at them, and writes all of it or nothing, in one transaction of a
// constant number of statements. A row that appears between the look and the write is somebody else's, and is looked at
// again. Whatever is compared is bytes.
import { scopeKey } from "../keys.ts";
import type { ConsumerId, KvPutAnswer, KvRow, KvTable, KvWrite } from "../reader-store.ts";
import { checkKvWrites } from "../check-text.ts";
import { retryOnConflict, type WriteDeps } from "./batch.ts";
import type { Connection } from "./wire/driver.ts";
import { isContent, isDuplicate, storeError } from "./errors.ts";
import { splitBySize, LostRace } from "./statements.ts";
import { keyText, lit, scopeBytesMax, tuple } from "./wire/literal.ts";
import { transaction } from "./wire/pool.ts";
import { int, toKvRow } from "./rows.ts";
import { anyPair } from "./sql.ts";

export interface ReadDeps {
  readonly read: <T>(body: (db: Connection) => Promise<T>) => Promise<T>;
  /** Throws once the store is closed. */
  readonly open: () => void;
}

/** The consumer's number as SQL. */
export function consumerSql(p: string, c: ConsumerId): string {
  return `select consumer_id from ${p}consumers where scope = ${lit(keyText(scopeKey(c.scope), scopeBytesMax))} and name = ${lit(c.name)}`;
}

export const kvNames = "shelf, shelf_key, value, version, put_at";
const nameOf = (r: { readonly collection: string; readonly key: string }): string => `${r.collection} ${r.key}`;

export function mysqlKv(p: string, now: () => string, w: WriteDeps, { read, open }: ReadDeps): Omit<KvTable, "list"> {
  const placed = (rows: readonly KvWrite[]): string =>
    anyPair(
      "shelf",
      "shelf_key",
      rows.map((x) => [x.collection, x.key]),
    );
  const send = async (db: Connection, before: string, rows: readonly string[], after = ""): Promise<void> => {
    for (const text of splitBySize(w, before, rows, after)) await db.query(text);
  };

  async function put(db: Connection, writes: readonly KvWrite[], seen: Parameters<KvTable["put"]>[1]): Promise<KvPutAnswer> {
    const at = int((await db.query(`select ${now()} as now_ms`)).rows[0] ?? {}, "now_ms");
    const there = new Map<string, KvRow>();
    if (writes.length > 0) {
      const text = `select ${kvNames} from ${p}shelves force index (primary) where ${placed(writes)} order by shelf, shelf_key for update`;
      for (const r of (await db.query(text)).rows.map(toKvRow)) there.set(nameOf(r), r);
    }
    const wrong = writes.filter((x) => x.expect !== undefined && (there.get(nameOf(x))?.version ?? 0) !== x.expect);
    if (wrong.length > 0) return { kind: "conflict", rows: wrong.flatMap((x) => there.get(nameOf(x)) ?? []) };

    const kept = writes.filter((x) => x.value !== null);
    const row = (x: KvWrite): string => tuple([x.collection, x.key, x.value, 1, at]);
    const insert = `insert into ${p}shelves (${kvNames}) values `;
    const more = " on duplicate key update value = values(value), version = version + 1, put_at = values(put_at)";
    await send(db, insert, kept.filter((x) => there.has(nameOf(x))).map(row), more);
    await send(db, insert, kept.filter((x) => !there.has(nameOf(x))).map(row)).catch((e: unknown) => {
      throw isDuplicate(e) ? new LostRace() : e;
    });
    const gone = writes.filter((x) => x.value === null && there.has(nameOf(x)));
    if (gone.length > 0) await db.query(`delete from ${p}shelves where ${placed(gone)}`);
    if (seen !== undefined && seen.positions.length > 0) {
      const id = (await db.query(consumerSql(p, seen.consumer))).rows[0];
      if (id !== undefined)
        await db.query(`delete from ${p}feed where position in ${tuple(seen.positions)} and consumer_id = ${lit(int(id, "consumer_id"))}`);
    }
    return { kind: "put", at };
  }

  return {
    async put(writes, seen) {
      open();
      checkKvWrites("put", writes);
      return retryOnConflict(w.platform, () => w.writers.with((db) => transaction(db, () => put(db, writes, seen)))).catch((e: unknown) => {
        throw isContent(e) ? storeError(e, "statement") : e;
      });
    },
    async get(collection, keys) {
      open();
      if (keys.length === 0) return [];
      const text = `select ${kvNames} from ${p}shelves where shelf = ${lit(collection)} and shelf_key in ${tuple(keys)}`;
      return (await read((db) => db.query(text))).rows.map(toKvRow);
    },
  };
}
