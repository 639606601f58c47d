// Retention and moving on Postgres: the dialect of the shared statements. A transaction is short, on a session of the pool, and
// waits for no row for longer than any other of Pawl's own; whoever is in its way is out of it in a moment, so it is run again.
import type { Platform } from "../../platform/platform.ts";
import { sqlArchive, type QueryFn } from "../sql/archive.ts";
import * as columns from "../sql/archive-columns.ts";
import type { Archive } from "../archive.ts";
import type { WithSession } from "./batch.ts";
import type { Row } from "./wire/driver.ts";
import { isContention, storeError } from "./errors.ts";
import { toCheckpoint, toEffect, toEvent, toInbox, toRun } from "./rows.ts";
import type { BoundSession, StoreSettings } from "./wire/session.ts";
import { nowSql } from "./sql.ts";

const triesMax = 20;

interface ArchiveDeps {
  readonly platform: Platform;
  readonly setting: StoreSettings;
  readonly lend: WithSession;
  /** Throws once the store is closed. */
  readonly open: () => void;
}

export function postgresArchive({ platform, setting, lend, open }: ArchiveDeps): Archive {
  return sqlArchive({
    ...columns,
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
    dedupColumn: "dedup_key",
    acceptedKeyColumn: "storage_key",
    keyValue: (key) => key,
    scopeValue: (scope) => scope,
    keyText: (text) => text,
    kvKeyColumn: "key",
    toRun: (r) => toRun(r as Row),
    toEvent: (r) => toEvent(r as Row),
    toInbox: (r) => toInbox(r as Row),
    toCheckpoint: (r) => toCheckpoint(r as Row),
    toEffect: (r) => toEffect(r as Row),
  });
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
    const value = await body(async (text, values = []) => {
      let n = 0;
      return (await r.query({ text: text.replaceAll("?", () => `$${++n}`), values: [...values] })).rows;
    });
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
