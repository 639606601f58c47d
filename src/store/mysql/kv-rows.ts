// Rows with versions inside a transaction that somebody else ends: a put of their own (kv.ts), or a Commit's. They are held first, in the order
// of their keys, and looked at under the lock. A row that appears between the look and the write is somebody else's: who is overtaken asks again.
import type { KvPutAnswer, KvRow, KvWrite } from "../reader-store.ts";
import { unmetRows } from "../batch-rules.ts";
import { isDuplicate } from "./errors.ts";
import { toKvRow } from "./rows.ts";
import { anyPair } from "./sql.ts";
import { LostRace, splitBySize, type StatementLimits } from "./statements.ts";
import type { Connection, Queryable } from "./wire/driver.ts";
import { tuple } from "./wire/literal.ts";
import { transaction } from "./wire/pool.ts";

export const kvNames = "shelf, shelf_key, value, version, put_at";
const nameOf = (r: { readonly collection: string; readonly key: string }): string => `${r.collection} ${r.key}`;

function placed(rows: readonly KvWrite[]): string {
  return anyPair(
    "shelf",
    "shelf_key",
    rows.map((x) => [x.collection, x.key]),
  );
}

/** What is there at the places of these writes, without locks; the session's transaction is ended. */
export async function kvRowsAt(db: Connection, s: StatementLimits, writes: readonly KvWrite[]): Promise<KvRow[]> {
  return transaction(db, async () => {
    const { rows } = await db.query(`select ${kvNames} from ${s.sql.prefix}shelves where ${placed(writes)}`);
    return rows.map(toKvRow);
  });
}

/** Inside a transaction: all of them, or none and the rows that are there instead. Rows are held in the order of their keys. */
export async function putKvRows(db: Queryable, s: StatementLimits, writes: readonly KvWrite[], at: number): Promise<KvPutAnswer> {
  if (writes.length === 0) return { kind: "put", at };
  const p = s.sql.prefix;
  const send = async (before: string, rows: readonly string[], after = ""): Promise<void> => {
    for (const text of splitBySize(s, before, rows, after)) await db.query(text);
  };
  const there = new Map<string, KvRow>();
  const text = `select ${kvNames} from ${p}shelves force index (primary) where ${placed(writes)} order by shelf, shelf_key for update`;
  for (const r of (await db.query(text)).rows.map(toKvRow)) there.set(nameOf(r), r);
  const unmet = unmetRows(writes, [...there.values()]);
  if (unmet !== undefined) return { kind: "conflict", rows: unmet };

  const kept = writes.filter((x) => x.value !== null);
  const row = (x: KvWrite): string => tuple([x.collection, x.key, x.value, 1, at]);
  const insert = `insert into ${p}shelves (${kvNames}) values `;
  const more = " on duplicate key update value = values(value), version = version + 1, put_at = values(put_at)";
  await send(insert, kept.filter((x) => there.has(nameOf(x))).map(row), more);
  await send(insert, kept.filter((x) => !there.has(nameOf(x))).map(row)).catch((e: unknown) => {
    throw isDuplicate(e) ? new LostRace() : e;
  });
  const gone = writes.filter((x) => x.value === null && there.has(nameOf(x)));
  if (gone.length > 0) await db.query(`delete from ${p}shelves where ${placed(gone)}`);
  return { kind: "put", at };
}
