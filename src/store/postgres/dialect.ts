// How Postgres speaks the statements that the databases share (sql/dialect.ts). A transaction is short, on a session of the pool, and
// waits for no row for longer than any other of Pawl's own; what is in its way is over in a moment, so it is run again.
import type { Platform } from "../../platform/platform.ts";
import { textsAsTheyAre } from "../sql/archive-columns.ts";
import { type Dialect, numbered, type QueryFn } from "../sql/dialect.ts";
import type { WithSession } from "./batch.ts";
import { isContention, storeError } from "./errors.ts";
import { mappers } from "./rows.ts";
import type { UseSession } from "./kv.ts";
import type { BoundSession, StoreSettings } from "./wire/session.ts";
import { nowSql } from "./sql.ts";

const triesMax = 20;

interface DialectDeps {
  readonly platform: Platform;
  readonly setting: StoreSettings;
  readonly lend: WithSession;
  /** A session for a read, on a new one if the first is lost. */
  readonly read: UseSession;
  /** Throws once the store is closed. */
  readonly open: () => void;
}

export function postgresDialect({ platform, setting, lend, read, open }: DialectDeps): Dialect {
  return {
    ...textsAsTheyAre,
    ...mappers,
    read: async (text, values, name) =>
      (await read((r) => r.query({ ...(name === undefined ? {} : { name: `pawl_${name}` }), text: numbered(text), values }))).rows,
    async transact(body, changed) {
      open();
      for (let n = 1; ; n++) {
        try {
          return await lend((r) => transactOnce(r, platform, body, changed));
        } catch (e) {
          if (!isContention(e)) throw e;
          if (n >= triesMax) throw storeError(e, "statement");
        }
      }
    },
    nowMs: async (ask) => Number((await ask(`select ${nowSql.replace("$1", "?")} as now_ms`, [setting.clock()]))[0]?.["now_ms"]),
    table: (name) => `${setting.schema}.${name}`,
    // Messages hold the row shared while they come in: this waits for them, and they for this (I9).
    forUpdate: " for update",
    inDoubt: "in_doubt",
    runsIndex: () => "",
    scopeBeside: "scope is not distinct from ?",
    tag: (key, value) => ({ text: "tags::jsonb ->> ? = ?", values: [key, value] }),
  };
}

async function transactOnce<T>(
  r: BoundSession,
  platform: Platform,
  body: (ask: QueryFn) => Promise<T>,
  changed: (value: T) => boolean,
): Promise<T> {
  let ending = false;
  try {
    await r.exec("begin");
    const value = await body(async (text, values = []) => (await r.query({ text: numbered(text), values: [...values] })).rows);
    if (changed(value)) platform.hit("engine:archive");
    ending = true;
    await r.exec("commit");
    if (changed(value)) platform.hit("engine:archived");
    return value;
  } catch (e) {
    await r.rollback();
    throw isContention(e) ? e : storeError(e, ending ? "commit" : "statement");
  }
}
