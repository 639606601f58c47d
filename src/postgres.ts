// pawl/postgres: a durable store in a Postgres database, for many processes on many machines. Entry point: it joins the
// store with the real machine, and holds no logic of its own.
import { systemPlatform } from "./platform/system.ts";
import type { EffectStore } from "./store/effect-store.ts";
import type { FullStore } from "./store/full-store.ts";
import { postgresEffects, type PostgresEffectStoreOptions } from "./store/postgres/effect-store.ts";
import { openPostgres, type PostgresOptions } from "./store/postgres/store.ts";

/** Opens the store at `url`, making its schema and tables if they do not exist. */
export async function postgres(url: string, options: PostgresOptions = {}): Promise<FullStore> {
  return openPostgres(url, systemPlatform(), options);
}

/** An effect store for split mode: a table in a schema of its own, made if it does not exist; the run store's database will do. */
export async function postgresEffectStore(url: string, options: PostgresEffectStoreOptions = {}): Promise<EffectStore> {
  return postgresEffects(url, systemPlatform(), options);
}

export type { PostgresEffectStoreOptions } from "./store/postgres/effect-store.ts";
export type { PostgresOptions } from "./store/postgres/store.ts";
export type { EffectStore } from "./store/effect-store.ts";
export type { FullStore } from "./store/full-store.ts";
export type { Store } from "./store/port.ts";
