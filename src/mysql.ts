// pawl/mysql: a durable store in a MySQL or MariaDB database, for many processes on many machines. Entry point: it joins the
// store with the real machine, and holds no logic of its own.
import { systemPlatform } from "./platform/system.ts";
import { type MysqlOptions, openMysql } from "./store/mysql/store.ts";
import type { Store } from "./store/port.ts";

/** Opens the store in the database that `url` names (mysql://user:password@host/database), making its tables if need be. */
export async function mysql(url: string, options: MysqlOptions = {}): Promise<Store> {
  return openMysql(url, systemPlatform(), options);
}

export type { MysqlOptions } from "./store/mysql/store.ts";
export type { Store } from "./store/port.ts";
