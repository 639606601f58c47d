// pawl/mysql: a durable store in a MySQL or MariaDB database, for many processes on many machines. Entry point: it joins the
// store with the real machine, and holds no logic of its own.
import { systemPlatform } from "./platform/system.ts";
import type { EffectStore } from "./store/effect-store.ts";
import { mysqlEffects, type MysqlEffectStoreOptions } from "./store/mysql/effect-store.ts";
import { type MysqlOptions, openMysql } from "./store/mysql/store.ts";
import type { FullStore } from "./store/full-store.ts";

/**
 * Opens the store in the database that `url` names. Its tables are made if they do not exist.
 *
 * @example
 * const app = await engine({ store: await mysql("mysql://user:password@localhost/app") });
 */
export async function mysql(url: string, options: MysqlOptions = {}): Promise<FullStore> {
  return openMysql(url, systemPlatform(), options);
}

/**
 * An external effect store: a table with a prefix of its own, made if it does not exist. The run store's database will do.
 *
 * @example
 * const app = await engine({ store: url, effectStore: await mysqlEffectStore(url) });
 */
export async function mysqlEffectStore(url: string, options: MysqlEffectStoreOptions = {}): Promise<EffectStore> {
  return mysqlEffects(url, systemPlatform(), options);
}

export type { MysqlEffectStoreOptions } from "./store/mysql/effect-store.ts";
export type { MysqlOptions } from "./store/mysql/store.ts";
export type { EffectStore } from "./store/effect-store.ts";
export type { FullStore } from "./store/full-store.ts";
export type { Store } from "./store/port.ts";
