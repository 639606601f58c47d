// How SQLite speaks the statements that the databases share (sql/dialect.ts). A transaction is short and waits for the writers'
// mutex, on the connection that ctx.tx uses, so that an engine in this process continues between two of them.
import type { Platform } from "../../platform/platform.ts";
import { textsAsTheyAre } from "../sql/archive-columns.ts";
import type { ScanOrder } from "../run-scan.ts";
import type { Dialect, QueryFn } from "../sql/dialect.ts";
import { bindable, type Connection } from "./wire/driver.ts";
import { isDriverError, storeError } from "./errors.ts";
import { prepared } from "./wire/prepared.ts";
import { mappers } from "./rows.ts";
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
    ...textsAsTheyAre,
    ...mappers,
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
    inDoubt: "phase = 'doubt'",
    runsIndex: (order) => ` indexed by pawl_runs_${indexes[order]}`,
    scopeBeside: "scope = ?",
    tag: (key, value) => ({
      text: "exists (select 1 from json_each(tags) t where t.key = ? and t.type = 'text' and t.value = ?)",
      values: [key, value],
    }),
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
