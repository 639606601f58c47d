// Retention and moving on Postgres: the dialect of the shared statements. A transaction is short, on a session of the pool, and
// waits for no row for longer than any other of Pawl's own; whoever is in its way is out of it in a moment, so it is run again.
import type { Platform } from "../../platform/platform.ts";
import { archiveOver, type Ask } from "../archive-sql.ts";
import * as columns from "../archive-columns.ts";
import type { Archive } from "../archive.ts";
import { toEffect } from "../effect-row.ts";
import type { Lend } from "./batch.ts";
import type { Row } from "./driver.ts";
import { isContention, storeError } from "./errors.ts";
import { toCheckpoint, toEvent, toInbox, toRun } from "./rows.ts";
import type { Runner, Setting } from "./runner.ts";
import { now } from "./sql.ts";

const triesMax = 20;

interface Parts {
  readonly platform: Platform;
  readonly setting: Setting;
  readonly lend: Lend;
  /** Throws once the store is closed. */
  readonly open: () => void;
}

export function postgresArchive({ platform, setting, lend, open }: Parts): Archive {
  return archiveOver({
    ...columns,
    async transact(body, changed) {
      open();
      for (let n = 1; ; n++) {
        try {
          return await lend((r) => once(r, platform, body, changed));
        } catch (e) {
          if (!isContention(e)) throw e;
          if (n >= triesMax) throw storeError(e, "statement");
        }
      }
    },
    nowMs: async (ask) => Number((await ask(`select ${now.replace("$1", "?")} as now_ms`, [setting.clock()]))[0]?.["now_ms"]),
    table: (name) => `${setting.schema}.${name}`,
    // Messages hold the row shared while they come in: this waits for them, and they for this (I9).
    forUpdate: " for update",
    dedup: "dedup_key",
    acceptedBy: "storage_key",
    keyValue: (key) => key,
    scopeValue: (scope) => scope,
    keyText: (text) => text,
    shelfKey: "key",
    toRun: (r) => toRun(r as Row),
    toEvent: (r) => toEvent(r as Row),
    toInbox: (r) => toInbox(r as Row),
    toCheckpoint: (r) => toCheckpoint(r as Row),
    toEffect,
  });
}

async function once<T>(r: Runner, platform: Platform, body: (ask: Ask) => Promise<T>, changed: (value: T) => boolean): Promise<T> {
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
