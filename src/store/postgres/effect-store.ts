// An effect store as a table in a schema of a Postgres database, which may be the run store's: each put is a transaction of its
// own, committed before the outcome is sent. Durable when a put returns, and the first result stays. It must never make or
// touch anything but its one table, nor need a right to define something where that table is there.
import { PawlError } from "../../errors/error.ts";
import type { Platform } from "../../platform/platform.ts";
import type { EffectStore } from "../effect-store.ts";
import { effectStoreOnTable, type EffectResultTable } from "../sql/effect-result-table.ts";
import type { QueryResult, Bind, Connection } from "./wire/driver.ts";
import { openError } from "../sql/open-error.ts";
import { isContention, isLost, openProblem, storeError } from "./errors.ts";
import { behindLock } from "./migrations.ts";
import { parseAddress, type PostgresOptions } from "./wire/address.ts";
import { inspectServer, ownOptions } from "./open.ts";
import { connectorFor, poolLimits } from "./wire/connector.ts";
import { Pool } from "./wire/pool.ts";

/** As those of the store; the schema's default is "pawl_split". */
export type PostgresEffectStoreOptions = Pick<PostgresOptions, "schema" | "make" | "pooler" | "acceptUnsafe" | "connectionsMax">;

const columns = "run_id, effect_key, version, step_id, result, kept_at";

/** Ids compare as bytes, whatever the database's locale. */
const table = (schema: string): string => `create table ${schema}.kept (
  run_id text collate "C" not null,
  effect_key text collate "C" not null,
  version integer not null,
  step_id text not null,
  result text,
  kept_at bigint not null,
  primary key (run_id, effect_key)
)`;

export async function postgresEffects(url: string, platform: Platform, o: PostgresEffectStoreOptions = {}): Promise<EffectStore> {
  const place = parseAddress(url, o, "pawl_split");
  const { schema } = place;
  const opener = connectorFor(place);
  const pool = new Pool({ platform, ...poolLimits, connect: opener.session(ownOptions), max: Math.max(1, o.connectionsMax ?? 8) });
  try {
    const { pooler } = await pool.use(async (c) => {
      const server = await inspectServer(c, o);
      await prepare(c, schema, o.make !== false);
      return server;
    });
    opener.pooler ||= pooler;
  } catch (e) {
    await pool.close();
    throw openError(e, openProblem, (x) => storeError(x, "statement"));
  }
  // A second result waits for the first one's transaction, which is durable before it is visible.
  const put = `insert into ${schema}.kept (${columns}) values ($1, $2, $3, $4, $5, $6) on conflict (run_id, effect_key) do nothing`;
  const get = `select version, step_id, result, kept_at from ${schema}.kept where run_id = $1 and effect_key = $2`;
  const ask = (name: string, text: string, values: readonly Bind[]): Promise<QueryResult> =>
    pool.use((c) => c.query(opener.pooler ? { text, values } : { name, text, values }));
  const t: EffectResultTable = {
    name: "postgres",
    insert: (e) => ask("pawl_put_kept", put, [e.runId, e.key, e.version, e.stepId, e.result, e.keptAt]),
    find: async (runId, key) => (await ask("pawl_get_kept", get, [runId, key])).rows[0],
    isLost,
    isBusy: isContention,
    toStoreError: storeError,
    close: () => pool.close(),
  };
  return effectStoreOnTable(t, platform);
}

/** The table is there and this role may use it, or no store is opened: otherwise the engine would get the error only at each put. */
async function prepare(c: Connection, schema: string, make: boolean): Promise<void> {
  if (!(await isThere(c, schema))) {
    if (!make) throw new PawlError("PAWL5006", `the table kept does not exist in schema ${schema}`);
    await behindLock(c, schema, async () => {
      if (!(await isThere(c, schema))) await c.exec(table(schema));
    });
  }
  await c.exec(
    `explain insert into ${schema}.kept (${columns}) values ('', '', 1, '', null, 0) on conflict (run_id, effect_key) do nothing`,
  );
  await c.exec(`explain select ${columns} from ${schema}.kept`);
}

async function isThere(c: Connection, schema: string): Promise<boolean> {
  const text =
    "select 1 as found from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = $1 and c.relname = 'kept'";
  return (await c.query({ text, values: [schema] })).rows.length > 0;
}
