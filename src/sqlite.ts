// pawl/sqlite: a durable store in one file, for one process or many on the same machine. Entry point: it joins the
// store with the real machine, and holds no logic of its own.
import { systemPlatform } from "./platform/system.ts";
import type { Store } from "./store/port.ts";
import { openSqlite, type SqliteOptions } from "./store/sqlite/store.ts";

/** Opens the store in `path`, making the file and its directory if they do not exist. */
export async function sqlite(path: string, options: SqliteOptions = {}): Promise<Store> {
  return openSqlite(path, systemPlatform(), options);
}

export type { SqliteOptions } from "./store/sqlite/store.ts";
export type { Store } from "./store/port.ts";
