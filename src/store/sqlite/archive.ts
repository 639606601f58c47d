// Retention and moving on SQLite: the dialect of the shared statements. A transaction is short and stands behind the writers'
// mutex, on the connection that ctx.tx uses, so that an engine in this process goes on between two of them.
import type { Platform } from "../../platform/platform.ts";
import { sqlArchive, type QueryFn } from "../sql/archive.ts";
import * as columns from "../sql/archive-columns.ts";
import type { Archive } from "../archive.ts";
import { bindable, type Row } from "./wire/driver.ts";
import { isDriverError, storeError } from "./errors.ts";
import { prepared } from "./wire/prepared.ts";
import { toCheckpoint, toEffect, toEvent, toInbox, toRun } from "./rows.ts";
import type { TxConnection } from "./tx/transact.ts";
import { type Mutex, rollback, retryWhileBusy } from "./wire/writer.ts";

interface ArchiveDeps {
  readonly platform: Platform;
  /** The store's clock. */
  readonly now: () => number;
  readonly mutex: Mutex;
  connection(): Promise<TxConnection>;
  /** Throws once the store is closed. */
  readonly open: () => void;
}

export function sqliteArchive({ platform, now, mutex, connection, open }: ArchiveDeps): Archive {
  return sqlArchive({
    ...columns,
    async transact(body, changed) {
      open();
      await mutex.lock();
      try {
        return await transactOnce(await connection(), platform, body, changed);
      } finally {
        mutex.unlock();
      }
    },
    nowMs: async () => now(),
    table: (name) => `pawl_${name}`,
    forUpdate: "",
    dedupColumn: "dedup_key",
    acceptedKeyColumn: "storage_key",
    keyValue: (key) => key,
    scopeValue: (scope) => scope,
    keyText: (text) => text,
    kvKeyColumn: "key",
    toRun: (r) => toRun(r as Row),
    toEvent: (r) => toEvent(r as Row),
    toInbox: (r) => toInbox(r as Row),
    toCheckpoint: (r) => toCheckpoint(r as Row),
    toEffect: (r) => toEffect(r as Row),
  });
}

async function transactOnce<T>(
  { db, st }: TxConnection,
  platform: Platform,
  body: (ask: QueryFn) => Promise<T>,
  changed: (value: T) => boolean,
): Promise<T> {
  await retryWhileBusy(platform, () => st.begin.run());
  try {
    const value = await body(async (text, values = []) => prepared(db, text).all(...values.map(bindable)));
    if (changed(value)) platform.hit("engine:archive");
    try {
      st.commit.run();
    } catch (e) {
      throw storeError(e, "commit");
    }
    if (changed(value)) platform.hit("engine:archived");
    return value;
  } catch (e) {
    rollback(db);
    throw isDriverError(e) ? storeError(e, "statement") : e;
  }
}
