// pawl/sqlite: a durable store in one file, for one process or many on the same machine. Entry point: it joins the
// store with the real machine, and holds no logic of its own.
import { systemPlatform } from "./platform/system.ts";
import type { EffectStore } from "./store/effect-store.ts";
import type { FullStore } from "./store/full-store.ts";
import { connect } from "./store/sqlite/wire/driver.ts";
import { sqliteEffects } from "./store/sqlite/effect-store.ts";
import { openSqlite, type SqliteOptions } from "./store/sqlite/store.ts";

/** Opens the store in `path`, making the file and its directory if they do not exist. */
export async function sqlite(path: string, options: SqliteOptions = {}): Promise<FullStore> {
  return openSqlite(path, systemPlatform(), options);
}

/** An effect store in a SQLite file of its own, for split mode. */
export async function sqliteEffectStore(path: string): Promise<EffectStore> {
  return sqliteEffects(path, systemPlatform());
}

/** A handle of your own on a file, as Node's `DatabaseSync`. */
export interface SqliteHandle {
  exec(sql: string): void;
  prepare(sql: string): {
    run(...values: SqliteValue[]): { changes: number | bigint; lastInsertRowid: number | bigint };
    get(...values: SqliteValue[]): Record<string, SqliteValue> | undefined;
    all(...values: SqliteValue[]): Record<string, SqliteValue>[];
  };
  close(): void;
}
export type SqliteValue = string | number | bigint | null | Uint8Array;

/**
 * Opens a handle of your own on the store's file, for transactions that start runs and send signals (`tx`). It is of the
 * same SQLite as the store's: two copies of SQLite in one process would take no notice of each other's locks.
 */
export async function openHandle(path: string): Promise<SqliteHandle> {
  const db = await connect(path);
  db.exec(`pragma busy_timeout = ${handleBusyMsMax}`);
  return db;
}
/** Another process is waited for without a turn of the event loop: not for long. */
const handleBusyMsMax = 1_000;

export type { SqliteOptions } from "./store/sqlite/store.ts";
export type { EffectStore } from "./store/effect-store.ts";
export type { FullStore } from "./store/full-store.ts";
export type { Store } from "./store/port.ts";
