// pawl/mysql: a durable store in a MySQL or MariaDB database, for many processes on many machines. Entry point: it joins the
// store with the real machine, and holds no logic of its own.
import { systemPlatform } from "./platform/system.ts";
import type { EffectStore } from "./store/effect-store.ts";
import { mysqlEffects, type MysqlEffectStoreOptions } from "./store/mysql/effect-store.ts";
import { type MysqlOptions, openMysql } from "./store/mysql/store.ts";
import type { FullStore } from "./store/full-store.ts";

/** Opens the store in the database that `url` names (mysql://user:password@host/database), making its tables if need be. */
export async function mysql(url: string, options: MysqlOptions = {}): Promise<FullStore> {
  return openMysql(url, systemPlatform(), options);
}

/** An effect store for split mode: a table with a prefix of its own, made if it does not exist; the run store's database will do. */
export async function mysqlEffectStore(url: string, options: MysqlEffectStoreOptions = {}): Promise<EffectStore> {
  return mysqlEffects(url, systemPlatform(), options);
}

export type { MysqlEffectStoreOptions } from "./store/mysql/effect-store.ts";
export type { MysqlOptions } from "./store/mysql/store.ts";
export type { EffectStore } from "./store/effect-store.ts";
export type { FullStore } from "./store/full-store.ts";
export type { Store } from "./store/port.ts";
