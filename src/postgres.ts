// pawl/postgres: a durable store in a Postgres database, for many processes on many machines. Entry point: it joins the
// store with the real machine, and holds no logic of its own.
import { systemPlatform } from "./platform/system.ts";
import type { Store } from "./store/port.ts";
import { openPostgres, type PostgresOptions } from "./store/postgres/store.ts";

/** Opens the store at `url`, making its schema and tables if they do not exist. */
export async function postgres(url: string, options: PostgresOptions = {}): Promise<Store> {
  return openPostgres(url, systemPlatform(), options);
}

export type { PostgresOptions } from "./store/postgres/store.ts";
export type { Store } from "./store/port.ts";
