// pawl/sqlite: a durable store in one file, for one process or many on the same machine. Entry point: it joins the
// store with the real machine, and holds no logic of its own.
import { systemPlatform } from "./platform/system.ts";
import type { EffectStore } from "./store/effect-store.ts";
import type { FullStore } from "./store/full-store.ts";
import { openConnection } from "./store/sqlite/wire/driver.ts";
import { sqliteEffects } from "./store/sqlite/effect-store.ts";
import { openSqlite, type SqliteOptions } from "./store/sqlite/store.ts";

/**
 * Opens the store in the file `path`. The file and its folder are made if they do not exist.
 *
 * @example
 * const app = await engine({ store: await sqlite("./data.db"), workflows: [order] });
 */
export async function sqlite(path: string, options: SqliteOptions = {}): Promise<FullStore> {
  return openSqlite(path, systemPlatform(), options);
}

/**
 * An external effect store in a SQLite file of its own.
 *
 * @example
 * const app = await engine({ store: "sqlite:./data.db", effectStore: await sqliteEffectStore("./effects.db") });
 */
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
 * Opens a handle of your own on the store's file, for transactions that start runs and send signals (`tx`). It uses the same SQLite as the
 * store: two copies of SQLite in one process would ignore each other's locks.
 *
 * @example
 * const db = await openHandle("./data.db");
 * db.exec("begin immediate");
 * await app.start(order, { id: "17" }, { tx: db });
 * db.exec("commit");
 */
export async function openHandle(path: string): Promise<SqliteHandle> {
  const db = await openConnection(path);
  db.exec(`pragma busy_timeout = ${handleBusyMsMax}`);
  return db;
}
/** Another process is waited for without a turn of the event loop: not for long. */
const handleBusyMsMax = 1_000;

export type { SqliteOptions } from "./store/sqlite/store.ts";
export type { EffectStore } from "./store/effect-store.ts";
export type { FullStore } from "./store/full-store.ts";
export type { Store } from "./store/port.ts";
