// Rows with versions for readers, as SQL. A put locks the rows that it names, looks at them, and writes all of it or nothing, in one transaction of a
// constant number of statements. A row that appears between the look and the write is somebody else's, and is looked at
// again. Whatever is compared is bytes.
import { scopeKey } from "../keys.ts";
import type { ConsumerId, KvPutAnswer, KvTable, KvWrite } from "../reader-store.ts";
import { checkKvWrites } from "../check-text.ts";
import { retryOnConflict, type WriteDeps } from "./batch.ts";
import type { Connection } from "./wire/driver.ts";
import { isContent, storeError } from "./errors.ts";
import { kvNames, putKvRows } from "./kv-rows.ts";
import { keyText, lit, scopeBytesMax, tuple } from "./wire/literal.ts";
import { transaction } from "./wire/pool.ts";
import { int, toKvRow } from "./rows.ts";

export interface ReadDeps {
  readonly read: <T>(body: (db: Connection) => Promise<T>) => Promise<T>;
  /** Throws once the store is closed. */
  readonly open: () => void;
}

/** The consumer's number as SQL. */
export function consumerSql(p: string, c: ConsumerId): string {
  return `select consumer_id from ${p}consumers where scope = ${lit(keyText(scopeKey(c.scope), scopeBytesMax))} and name = ${lit(c.name)}`;
}

export function mysqlKv(p: string, now: () => string, w: WriteDeps, { read, open }: ReadDeps): Omit<KvTable, "list"> {
  async function put(db: Connection, writes: readonly KvWrite[], seen: Parameters<KvTable["put"]>[1]): Promise<KvPutAnswer> {
    const at = int((await db.query(`select ${now()} as now_ms`)).rows[0] ?? {}, "now_ms");
    const answer = await putKvRows(db, w, writes, at);
    if (answer.kind === "conflict") return answer;
    if (seen !== undefined && seen.positions.length > 0) {
      const id = (await db.query(consumerSql(p, seen.consumer))).rows[0];
      if (id !== undefined)
        await db.query(`delete from ${p}feed where position in ${tuple(seen.positions)} and consumer_id = ${lit(int(id, "consumer_id"))}`);
    }
    return answer;
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
