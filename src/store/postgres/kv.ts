// Rows with versions for readers, as SQL. A put is one statement over arrays inside a transaction: it says which writes took hold, and the
// transaction is kept only if all did. Rows are ordered by their bytes. A put that loses a row to another at the same moment
// waits for it, looks at what is there then, and is answered by that.
import type { KvPutAnswer, KvRow, KvTable, KvWrite } from "../reader-store.ts";
import { checkKvWrites } from "../check-text.ts";
import { scopeKey } from "../keys.ts";
import { numberArray, textArray } from "./wire/array-parameters.ts";
import { storeError } from "./errors.ts";
import { toKvRow } from "./rows.ts";
import type { BoundSession } from "./wire/session.ts";
import { nowSql } from "./sql.ts";

export type UseSession = <T>(body: (r: BoundSession) => Promise<T>) => Promise<T>;

const columns = "shelf, key, value, version, at";

/** Four ways to write a row, by what was expected; `there` finds rows that ought to be missing and are not. */
function putText(s: string): string {
  const same = "s.shelf = w.shelf and s.key = w.key";
  const fresh = `insert into ${s}.shelves (${columns}) select w.shelf, w.key, w.value, 1, clock.now from w cross join clock`;
  return (
    `with clock as materialized (select ${nowSql} as now), ` +
    "w as materialized (select * from unnest($2::text[], $3::text[], $4::text[], $5::bigint[]) with ordinality as w (shelf, key, value, expect, place)), " +
    `gone as (delete from ${s}.shelves s using w where ${same} and w.value is null and (w.expect is null or s.version = w.expect) returning s.shelf, s.key), ` +
    `next as (update ${s}.shelves s set value = w.value, version = s.version + 1, at = clock.now from w, clock ` +
    `where ${same} and w.value is not null and w.expect > 0 and s.version = w.expect returning s.shelf, s.key), ` +
    `born as (${fresh} where w.value is not null and w.expect = 0 order by w.place on conflict do nothing returning shelf, key), ` +
    `put as (${fresh} where w.value is not null and w.expect is null order by w.place on conflict (shelf, key) do update ` +
    "set value = excluded.value, version = shelves.version + 1, at = excluded.at returning shelf, key), " +
    `seen as (delete from ${s}.feed f using ${s}.consumers c where c.scope = $6 and c.name = $7 ` +
    "and f.consumer_id = c.consumer_id and f.position = any($8::bigint[])), " +
    `there as (select s.shelf, s.key from w join ${s}.shelves s on ${same} where w.value is null and w.expect = 0), ` +
    "done as (select * from gone union all select * from next union all select * from born union all select * from put) " +
    "select clock.now as at, shelf, key, true as done from clock left join done on true union all select 0, shelf, key, false from there"
  );
}

/** What is there at the places of these writes. */
export async function kvRowsAt(r: BoundSession, writes: readonly KvWrite[]): Promise<KvRow[]> {
  const names = columns.replaceAll(/(\w+)/g, "s.$1");
  const found = await r.query({
    text: `select ${names} from unnest($1::text[], $2::text[]) w (shelf, key) join ${r.settings.schema}.shelves s on s.shelf = w.shelf and s.key = w.key`,
    values: [textArray(writes.map((w) => w.collection)), textArray(writes.map((w) => w.key))],
  });
  return found.rows.map(toKvRow);
}

/** Inside a transaction, which must be taken back if some of them are `wrong`. `at`: another time than the store's. */
export async function putKvRows(
  r: BoundSession,
  writes: readonly KvWrite[],
  seen: Parameters<KvTable["put"]>[1],
  at: number | null = r.settings.clock(),
): Promise<{ readonly wrong: readonly KvWrite[]; readonly at: number }> {
  // In one order everywhere, so that two puts of the same rows wait for each other and not in a circle.
  const sorted = [...writes].sort((a, b) =>
    a.collection === b.collection ? (a.key < b.key ? -1 : 1) : a.collection < b.collection ? -1 : 1,
  );
  const { rows } = await r.query({
    text: putText(r.settings.schema),
    values: [
      at,
      textArray(sorted.map((w) => w.collection)),
      textArray(sorted.map((w) => w.key)),
      textArray(sorted.map((w) => w.value)),
      numberArray(sorted.map((w) => w.expect ?? null)),
      seen === undefined ? null : scopeKey(seen.consumer.scope),
      seen?.consumer.name ?? null,
      numberArray(seen?.positions ?? []),
    ],
  });
  const named = (done: boolean): Set<string> =>
    new Set(rows.filter((x) => x["done"] === done).map((x) => `${String(x["shelf"])} ${String(x["key"])}`));
  const [done, there] = [named(true), named(false)];
  const held = (w: KvWrite): boolean => {
    const name = `${w.collection} ${w.key}`;
    if (w.value === null && w.expect === undefined) return true;
    return w.value === null && w.expect === 0 ? !there.has(name) : done.has(name);
  };
  return { wrong: writes.filter((w) => !held(w)), at: Number(rows[0]?.["at"]) };
}

export function postgresKv(s: string, read: UseSession, write: UseSession): Omit<KvTable, "list"> {
  return {
    async put(writes, seen): Promise<KvPutAnswer> {
      checkKvWrites("put", writes);
      const { wrong, at } = await write(async (r) => {
        await r.exec("begin");
        try {
          const answer = await putKvRows(r, writes, seen);
          await r.exec(answer.wrong.length === 0 ? "commit" : "rollback").catch((e: unknown) => {
            throw storeError(e, "commit");
          });
          return answer;
        } catch (e) {
          await r.rollback();
          throw e;
        }
      });
      return wrong.length === 0 ? { kind: "put", at } : { kind: "conflict", rows: await read((r) => kvRowsAt(r, wrong)) };
    },
    async get(collection, keys) {
      const asked = `select ${columns} from ${s}.shelves where shelf = $1 and key = any($2::text[])`;
      const { rows } = await read((r) => r.query({ name: "pawl_shelf_get", text: asked, values: [collection, textArray(keys)] }));
      return rows.map(toKvRow);
    },
  };
}
