// How SQLite speaks the statements that the databases share (sql/dialect.ts). A transaction is short and waits for the writers'
// mutex, on the connection that ctx.tx uses, so that an engine in this process continues between two of them.
import { sha256Hex } from "../../platform/crypto/hash.ts";
import type { Platform } from "../../platform/platform.ts";
import { archiveColumns } from "../sql/archive-columns.ts";
import { areUnusual, type ScanOrder } from "../run-scan.ts";
import { type Dialect, ofUnusual, type QueryFn } from "../sql/dialect.ts";
import { bindable, type Connection, type Row } from "./wire/driver.ts";
import { isDriverError, storeError } from "./errors.ts";
import { prepared } from "./wire/prepared.ts";
import { toCheckpoint, toEffect, toEvent, toInbox, toKvRow, toRun } from "./rows.ts";
import type { TxConnection } from "./tx/transact.ts";
import { type Mutex, rollback, retryWhileBusy, type Writer } from "./wire/writer.ts";

interface DialectDeps {
  readonly platform: Platform;
  /** The store's clock. */
  readonly now: () => number;
  readonly mutex: Mutex;
  readonly db: Connection;
  readonly writer: Writer;
  connection(): Promise<TxConnection>;
  /** Throws once the store is closed. */
  readonly open: () => void;
}

/** Named, because the planner has no statistics: it may take any index that begins with the scope. */
const indexes: Readonly<Record<ScanOrder, string>> = {
  workflowId: "generation",
  parent: "parent",
  decision: "decision",
  status: "unusual",
  newest: "newest",
};

export function sqliteDialect({ platform, now, mutex, db, writer, connection, open }: DialectDeps): Dialect {
  return {
    ...archiveColumns,
    async read(text, values) {
      open();
      return writer.read(() => prepared(db, text).all(...values.map(bindable)));
    },
    async transact(body, changed) {
      open();
      await mutex.lock();
      try {
        return await transactOnce(await connection(), platform, body, changed);
      } finally {
        mutex.unlock();
      }
    },
    nowMs: async () => now(),
    table: (name) => `pawl_${name}`,
    forUpdate: "",
    dedupColumn: "dedup_key",
    acceptedKeyColumn: "storage_key",
    keyValue: (key) => key,
    keyDigest: sha256Hex,
    scopeValue: (scope) => scope,
    keyText: (text) => text,
    kvNames: "shelf, key, value, version, at",
    kvKeyColumn: "key",
    effectKeyColumn: "key",
    inDoubt: "phase = 'doubt'",
    comparesRows: true,
    runsIndex: (order) => ` indexed by pawl_runs_${indexes[order]}`,
    listsStatuses: areUnusual,
    ofStatuses: () => ofUnusual,
    scopeBeside: "scope = ?",
    tag: (key, value) => ({
      text: "exists (select 1 from json_each(tags) t where t.key = ? and t.type = 'text' and t.value = ?)",
      values: [key, value],
    }),
    toRun: (r) => toRun(r as Row),
    toEvent: (r) => toEvent(r as Row),
    toInbox: (r) => toInbox(r as Row),
    toCheckpoint: (r) => toCheckpoint(r as Row),
    toEffect: (r) => toEffect(r as Row),
    toKvRow: (r) => toKvRow(r as Row),
  };
}

async function transactOnce<T>(
  { db, st }: TxConnection,
  platform: Platform,
  body: (ask: QueryFn) => Promise<T>,
  changed: (value: T) => boolean,
): Promise<T> {
  await retryWhileBusy(platform, () => st.begin.run());
  try {
    const value = await body(async (text, values = []) => prepared(db, text).all(...values.map(bindable)));
    if (changed(value)) platform.hit("engine:archive");
    try {
      st.commit.run();
    } catch (e) {
      throw storeError(e, "commit");
    }
    if (changed(value)) platform.hit("engine:archived");
    return value;
  } catch (e) {
    rollback(db);
    throw isDriverError(e) ? storeError(e, "statement") : e;
  }
}
