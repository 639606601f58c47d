// The SQLite store: the port's verbs over one file, for one or many processes. Reads and writes go through one
// connection (in WAL mode a reader waits for no writer, and the cache stays warm), ctx.tx through one of its own.
// Everything that waits, waits asynchronously; nothing here keeps a process alive.
import { recordedInfo } from "../sql/columns.ts";
import { PawlError } from "../../errors/error.ts";
import type { Platform } from "../../platform/platform.ts";
import { batchCrashPoints, storeCrashPoints, hintsOfBatch, sqlCapabilities } from "../batch-rules.ts";
import type { FullStore } from "../full-store.ts";
import type { BatchAnswer, StoreInfo } from "../port.ts";
import { checkEngine, checkPost, checkText } from "../check-text.ts";
import { sqlArchive } from "../sql/archive.ts";
import { sqlAudit } from "../sql/audit.ts";
import { sqlConsumers, sqlKvListing, sqlListings } from "../sql/listings.ts";
import { commitBatch, tryCommitNow } from "./batch.ts";
import { candidates, claim } from "./claim.ts";
import { declareDead, type EngineDeps, registerEngine, renew } from "./engines.ts";
import { clockSetting, FileClock } from "./wire/clock.ts";
import { closeFile, openConnection, type Connection } from "./wire/driver.ts";
import { sqliteDialect } from "./dialect.ts";
import { post, readInbox } from "./inbox.ts";
import { EngineLocks } from "./locks.ts";
import { configure, openFile, readSettings, type SqliteOptions } from "./open.ts";
import { dropPrepared } from "./wire/prepared.ts";
import { sqliteFeed } from "./feed.ts";
import { sqliteKv } from "./kv.ts";
import { sqliteQueues } from "./queues.ts";
import { dropStatements, oneRun, statements, toEngine, toEvent, toRun } from "./rows.ts";
import { transact, type TxConnection } from "./tx/transact.ts";
import { DataVersionWatch } from "./watch.ts";
import { joinTransaction } from "./tx/user-transaction.ts";
import { unshareFile, Writer } from "./wire/writer.ts";

export async function openSqlite(path: string, platform: Platform, o: SqliteOptions = {}): Promise<FullStore> {
  const { db, identity, shared, unsafe } = await openFile(path, platform, o);
  const st = statements(db);
  const writer = new Writer(db, st, shared.mutex, platform);
  const locks = new EngineLocks(path);
  const watch = new DataVersionWatch(st, platform, shared.hints);
  let tx: TxConnection | undefined;
  let closed = false;
  const clock = await FileClock.open(platform, st, writer).catch((e: unknown) => {
    db.close();
    unshareFile(identity);
    throw e;
  });
  const now = (): number => clock.now();
  const postMarks = storeCrashPoints(platform, "engine:post", "engine:posted");
  const open = (): void => {
    if (closed) throw new PawlError("PAWL3009", "the store is closed");
  };
  const marks = batchCrashPoints(platform);
  /** Opened on first use: most programs never need it. Synchronous is a setting of each connection. */
  const txConnection = async (): Promise<TxConnection> => {
    if (tx !== undefined) return tx;
    const own = await openConnection(path);
    await configure(own, platform, o);
    return (tx = { db: own, st: statements(own) });
  };
  const dialect = sqliteDialect({ platform, now, mutex: shared.mutex, db, writer, connection: txConnection, open });
  const engines: EngineDeps = { writer, locks, clock };

  return {
    name: "sqlite",
    capabilities: () => sqlCapabilities,
    async info(): Promise<StoreInfo> {
      open();
      return writer.read((s) => {
        const meta = s.meta.get() ?? {};
        return {
          ...recordedInfo(meta),
          identity,
          unsafe,
          settings: { ...readSettings(db), ...clockSetting(clock.wallAheadMs) },
          nowMs: now(),
          engines: s.engines.all().map(toEngine),
        };
      });
    },
    async registerEngine(e) {
      open();
      checkEngine(e);
      await registerEngine(engines, e);
    },
    async renew(r) {
      open();
      return writer.write((s) => renew(s, r, now()));
    },
    async declareDead(q) {
      open();
      return declareDead(engines, q);
    },
    async claim(q) {
      open();
      checkText("claim", q.engineId, q.runId, ...q.tokens);
      // Looked for without the write lock first: an idle engine disturbs nobody.
      const any = await writer.read((s) => candidates(s, { ...q, limit: Math.min(q.limit, 1) }, now(), 1).length > 0);
      if (!any) return [];
      const rows = await writer.write((s) => claim(s, q, now()));
      if (rows.length > 0) platform.hit("engine:claim");
      return rows;
    },
    async ownedRuns(q) {
      open();
      return writer.read((s) => s.owned.all(q.engineId, q.limit).map((r) => String(r["run_id"])));
    },
    commit(batch, renewal) {
      open();
      const told = (answer: BatchAnswer): BatchAnswer => {
        if (shared.hints.size > 0) shared.hints.emit(hintsOfBatch(batch, answer.answers, shared.hints.wantsEvents));
        return answer;
      };
      const answer = tryCommitNow(writer, now, marks, batch, renewal);
      return answer === undefined ? commitBatch(writer, now, marks, batch, renewal).then(told) : told(answer);
    },
    async transact(user, seal, timeoutMs) {
      open();
      await shared.mutex.lock();
      try {
        const { answer, value, commit } = await transact(await txConnection(), platform, now, user, seal, timeoutMs);
        shared.hints.emit(hintsOfBatch([commit], [answer], shared.hints.wantsEvents));
        return { answer, value };
      } finally {
        shared.mutex.unlock();
      }
    },
    async joinTransaction(own) {
      open();
      return joinTransaction(own, { platform, now, identity, writer });
    },
    async post(p) {
      open();
      checkPost(p);
      const answer = await writer.write((s) => post(s, p, now()), postMarks);
      if (answer.kind === "accepted" && !answer.replayed) shared.hints.emit([{ kind: "inbox", runId: answer.record.runId }]);
      return answer;
    },
    async inbox(q) {
      open();
      return writer.read((s) => readInbox(s, q));
    },
    async run(q) {
      open();
      const row = await writer.read((s) => oneRun(s, q));
      return row === undefined ? undefined : toRun(row);
    },
    async events(q) {
      open();
      return writer.read((s) => {
        if ("idempotencyKey" in q) return s.eventByKey.all(q.runId, q.idempotencyKey).map(toEvent);
        if ("idempotencyKeys" in q) return s.eventsByKeys.all(q.runId, JSON.stringify([...new Set(q.idempotencyKeys)])).map(toEvent);
        if ("runSeqs" in q) return s.eventsBySeqs.all(q.runId, JSON.stringify([...new Set(q.runSeqs)])).map(toEvent);
        return s.events.all(q.runId, q.after, q.limit).map(toEvent);
      });
    },
    ...sqlListings(dialect),
    queues: sqliteQueues({ db, writer, now, open, platform, hints: shared.hints }),
    kv: { ...sqliteKv({ writer, now, open }), ...sqlKvListing(dialect) },
    feed: { ...sqliteFeed({ db, writer, now, open }), ...sqlConsumers(dialect) },
    archive: sqlArchive(dialect),
    audit: sqlAudit(dialect),
    watch(listener, watching) {
      open();
      return watch.add(listener, watching);
    },
    async close() {
      if (closed) return;
      closed = true;
      watch.close();
      await shared.mutex.lock();
      try {
        locks.close();
        if (tx !== undefined) {
          dropStatements(tx.st);
          dropPrepared(tx.db);
          await closeFile(tx.db);
        }
        checkpointFile(db);
        dropStatements(st);
        dropPrepared(db);
        await closeFile(db);
      } finally {
        shared.mutex.unlock();
        unshareFile(identity);
      }
    },
  };
}

/**
 * Brings the file up to date, so that it can be copied alone. SQLite does this when the last connection closes, but one
 * driver keeps a connection half open until its statements are collected. Another process in the way is no failure.
 */
function checkpointFile(db: Connection): void {
  try {
    db.exec("pragma wal_checkpoint(truncate)");
  } catch {
    // The write-ahead log keeps everything; the next process that opens the file reads it.
  }
}

export type { SqliteOptions } from "./open.ts";
