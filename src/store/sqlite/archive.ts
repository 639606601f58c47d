// Retention and moving on SQLite: the dialect of the shared statements. A transaction is short and stands behind the writers'
// mutex, on the connection that ctx.tx uses, so that an engine in this process goes on between two of them.
import type { Platform } from "../../platform/platform.ts";
import { archiveOver, type Ask } from "../archive-sql.ts";
import * as columns from "../archive-columns.ts";
import type { Archive } from "../archive.ts";
import { toEffect } from "../effect-row.ts";
import { bindable, type Row } from "./driver.ts";
import { isDriverError, storeError } from "./errors.ts";
import { prepared } from "./prepared.ts";
import { toCheckpoint, toEvent, toInbox, toRun } from "./rows.ts";
import type { TxConnection } from "./tx.ts";
import { type Mutex, rollback, untilFree } from "./writer.ts";

interface Parts {
  readonly platform: Platform;
  /** The store's clock. */
  readonly now: () => number;
  readonly mutex: Mutex;
  connection(): Promise<TxConnection>;
  /** Throws once the store is closed. */
  readonly open: () => void;
}

export function sqliteArchive({ platform, now, mutex, connection, open }: Parts): Archive {
  return archiveOver({
    ...columns,
    async transact(body, changed) {
      open();
      await mutex.lock();
      try {
        return await once(await connection(), platform, body, changed);
      } finally {
        mutex.unlock();
      }
    },
    nowMs: async () => now(),
    table: (name) => `pawl_${name}`,
    forUpdate: "",
    dedup: "dedup_key",
    acceptedBy: "storage_key",
    keyValue: (key) => key,
    scopeValue: (scope) => scope,
    keyText: (text) => text,
    shelfKey: "key",
    toRun: (r) => toRun(r as Row),
    toEvent: (r) => toEvent(r as Row),
    toInbox: (r) => toInbox(r as Row),
    toCheckpoint: (r) => toCheckpoint(r as Row),
    toEffect,
  });
}

async function once<T>(
  { db, st }: TxConnection,
  platform: Platform,
  body: (ask: Ask) => Promise<T>,
  changed: (value: T) => boolean,
): Promise<T> {
  await untilFree(platform, () => st.begin.run());
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
