// Type tests of effect stores: what opens one, what an engine takes, and that what does not fit does not compile. `npm run types`
// compiles this file and nothing ever runs it, so that a line marked as an error which no longer is one fails the check.
import { engine, fileEffectStore, type EffectStore } from "../../src/index.ts";
import { mysqlEffectStore, type MysqlEffectStoreOptions } from "../../src/mysql.ts";
import { postgresEffectStore, type PostgresEffectStoreOptions } from "../../src/postgres.ts";
import { sqliteEffectStore } from "../../src/sqlite.ts";

type Eq<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const is = <T extends true>(_proof?: T): void => {};

export async function opens(): Promise<void> {
  const pg = await postgresEffectStore("postgres://localhost/app", { schema: "kept", make: false, pooler: true, connectionsMax: 2 });
  const my = await mysqlEffectStore("mysql://localhost/app", { prefix: "kept_", acceptUnsafe: true, connections: 2 });
  is<Eq<typeof pg, EffectStore>>();
  is<Eq<typeof my, EffectStore>>();
  for (const effectStore of [pg, my, await sqliteEffectStore("kept.db"), fileEffectStore("kept")]) await engine({ effectStore });
  is<Eq<keyof PostgresEffectStoreOptions, "schema" | "make" | "pooler" | "acceptUnsafe" | "connectionsMax">>();
  is<Eq<keyof MysqlEffectStoreOptions, "prefix" | "make" | "acceptUnsafe" | "connections">>();
  // @ts-expect-error it has no transactions of the user's
  await postgresEffectStore("postgres://localhost/app", { txIsolation: "serializable" });
  // @ts-expect-error a schema is Postgres'
  await mysqlEffectStore("mysql://localhost/app", { schema: "kept" });
  // @ts-expect-error an engine takes an open one
  await engine({ effectStore: postgresEffectStore("postgres://localhost/app") });
}
