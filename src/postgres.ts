// pawl/postgres: a durable store in a Postgres database, for many processes on many machines. Entry point: it joins the
// store with the real machine, and holds no logic of its own.
import { systemPlatform } from "./platform/system.ts";
import type { EffectStore } from "./store/effect-store.ts";
import type { FullStore } from "./store/full-store.ts";
import { postgresEffects, type PostgresEffectStoreOptions } from "./store/postgres/effect-store.ts";
import { openPostgres, type PostgresOptions } from "./store/postgres/store.ts";

/**
 * Opens the store at `url`. Its schema and tables are made if they do not exist.
 *
 * @example
 * const app = await engine({ store: await postgres("postgres://localhost/app", { schema: "pawl" }) });
 */
export async function postgres(url: string, options: PostgresOptions = {}): Promise<FullStore> {
  return openPostgres(url, systemPlatform(), options);
}

/**
 * An external effect store: a table in a schema of its own, made if it does not exist. The run store's database will do.
 *
 * @example
 * const app = await engine({ store: url, effectStore: await postgresEffectStore(url) });
 */
export async function postgresEffectStore(url: string, options: PostgresEffectStoreOptions = {}): Promise<EffectStore> {
  return postgresEffects(url, systemPlatform(), options);
}

export type { PostgresEffectStoreOptions } from "./store/postgres/effect-store.ts";
export type { PostgresOptions } from "./store/postgres/store.ts";
export type { EffectStore } from "./store/effect-store.ts";
export type { FullStore } from "./store/full-store.ts";
export type { Store } from "./store/port.ts";
