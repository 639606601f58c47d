// An effect store as a table in a MySQL or MariaDB database, which may be the run store's: each put is a transaction of its own,
// committed before the outcome is sent. Durable when a put returns, and the first result stays. It must never make or touch
// anything but its one table, nor need a right to define something where that table is there.
import { PawlError } from "../../errors/error.ts";
import type { Platform } from "../../platform/platform.ts";
import type { EffectStore, StoredEffectResult } from "../effect-store.ts";
import { effectStoreOnTable, type EffectResultTable } from "../sql/effect-result-table.ts";
import type { Connection } from "./wire/driver.ts";
import { openError } from "../sql/open-error.ts";
import { isLost, isRetryable, openProblem, storeError } from "./errors.ts";
import { checkLength } from "./statements.ts";
import { keyText, lit, tuple } from "./wire/literal.ts";
import { behindLock, innodb } from "./migrations.ts";
import { inspectServer, type MysqlOptions, type MysqlAddress, parseAddress } from "./open.ts";
import { openSession, Pool, readerSession } from "./wire/pool.ts";

/** As those of the store; the prefix's default is "pawl_split_". */
export type MysqlEffectStoreOptions = Pick<MysqlOptions, "prefix" | "make" | "acceptUnsafe" | "connections">;

// Ids are bytes, as in the store's tables; what a key cannot hold is hashed (literal.ts).
const table = (prefix: string): string => `create table if not exists ${prefix}kept (
  run_id varbinary(512) not null,
  effect_key varbinary(512) not null,
  version int not null,
  step_id mediumtext not null,
  result longtext,
  kept_at bigint not null,
  puts bigint not null,
  primary key (run_id, effect_key)
) ${innodb}`;

/**
 * Only a duplicate key is forgiven, never a value that does not fit. A second put counts itself, because it must write: the
 * server shows a row before its commit has reached the disk, and only a commit of one's own waits until all before it have.
 */
function insertSql(prefix: string, e: StoredEffectResult): string {
  const row = tuple([keyText(e.runId), keyText(e.key), e.version, e.stepId, e.result, e.keptAt, 1]);
  return (
    `insert into ${prefix}kept (run_id, effect_key, version, step_id, result, kept_at, puts) values ${row} ` +
    "on duplicate key update puts = puts + 1"
  );
}

function selectSql(prefix: string, runId: string, key: string): string {
  return (
    `select version, step_id, result, kept_at from ${prefix}kept ` +
    `where run_id = ${lit(keyText(runId))} and effect_key = ${lit(keyText(key))}`
  );
}

export async function mysqlEffects(url: string, platform: Platform, o: MysqlEffectStoreOptions = {}): Promise<EffectStore> {
  const place = parseAddress(url, o, "pawl_split_");
  const { address, prefix } = place;
  // Every statement commits itself.
  const pool = new Pool(() => openSession(address, platform, readerSession), Math.max(1, o.connections ?? 8));
  let limits: { readonly packetBytesMax: number };
  try {
    limits = await pool.with(async (db) => {
      const server = await inspectServer(db, o);
      await prepare(db, place, o.make !== false);
      return server;
    });
  } catch (e) {
    await pool.close();
    throw openError(e, openProblem, (x) => storeError(x, "statement"));
  }
  const t: EffectResultTable = {
    name: "mysql",
    insert: (e) => {
      const text = checkLength(limits, insertSql(prefix, e));
      return pool.with((db) => db.query(text));
    },
    find: (runId, key) => pool.with(async (db) => (await db.query(selectSql(prefix, runId, key))).rows[0]),
    isLost,
    isBusy: isRetryable,
    toStoreError: (e, during) => storeError(e, during === "commit" && isLost(e) ? "commit" : "statement"),
    close: () => pool.close(),
  };
  return effectStoreOnTable(t, platform);
}

/** The table is there and this user may use it, or no store is opened: otherwise the engine would get the error only at each put. */
async function prepare(db: Connection, { prefix, address }: MysqlAddress, make: boolean): Promise<void> {
  if (!(await isThere(db, prefix))) {
    if (!make) throw new PawlError("PAWL5006", `the table ${prefix}kept does not exist in the database`);
    await behindLock(db, prefix, address.database, async () => void (await db.query(table(prefix))));
  }
  await db.query(`explain ${insertSql(prefix, { version: 1, runId: "", key: "", stepId: "", result: null, keptAt: 0 })}`);
  await db.query(`explain ${selectSql(prefix, "", "")}`);
}

async function isThere(db: Connection, prefix: string): Promise<boolean> {
  const name = lit(`${prefix}kept`);
  const text = `select 1 as found from information_schema.tables where table_schema = database() and table_name = ${name}`;
  return (await db.query(text)).rows.length > 0;
}
