// The MySQL store: the port's verbs over a MySQL 8 or MariaDB 10.6+ database, for many processes on many machines. Reading,
// writing and ctx.tx have connections of their own kind. Time is the server's. The server cannot notify a client of
// changes: hints come from this process alone, and polling is the truth.
import { recordedInfo } from "../sql/columns.ts";
import { PawlError } from "../../errors/error.ts";
import type { Platform } from "../../platform/platform.ts";
import { batchCrashPoints, storeCrashPoints, hintsOfBatch, sqlCapabilities } from "../batch-rules.ts";
import type { FullStore } from "../full-store.ts";
import type { StoreInfo } from "../port.ts";
import { checkEngine, checkPost, checkText } from "../check-text.ts";
import { sqlArchive } from "../sql/archive.ts";
import { sqlAudit } from "../sql/audit.ts";
import { sqlConsumers, sqlKvListing, sqlListings } from "../sql/listings.ts";
import { commitBatch, retryOnConflict, type WriteDeps } from "./batch.ts";
import { findCandidates, takeCandidates } from "./claim.ts";
import type { Connection } from "./wire/driver.ts";
import { mysqlDialect } from "./dialect.ts";
import { Engines } from "./engines.ts";
import { mysqlFeed } from "./feed.ts";
import { post, readInbox } from "./inbox.ts";
import { lit } from "./wire/literal.ts";
import { EngineLocks } from "./locks.ts";
import { type MysqlOptions, openDatabase, unshareHints } from "./open.ts";
import { openSession, Pool, readerSession, transaction, userSession, writerSession } from "./wire/pool.ts";
import { mysqlQueues } from "./queues/table.ts";
import { int, text, toEngine, toEvent, toRun } from "./rows.ts";
import { mysqlKv } from "./kv.ts";
import { sessionState } from "./tx/session-state.ts";
import { oneRun, serverNow, sqlFor } from "./sql.ts";
import { transact } from "./tx/transact.ts";
import { joinTransaction } from "./tx/user-transaction.ts";

export async function openMysql(url: string, platform: Platform, o: MysqlOptions = {}): Promise<FullStore> {
  const opened = await openDatabase(url, platform, o);
  const { address, prefix, readers, identity, hints } = opened;
  const { clock } = o;
  const now = clock === undefined ? (): string => serverNow : (): string => lit(clock());
  const sql = sqlFor(prefix, now);
  const max = o.connections ?? 8;
  const writers = new Pool(() => openSession(address, platform, writerSession), max);
  const users = new Pool(() => openSession(address, platform, userSession), max);
  const w: WriteDeps = {
    sql,
    platform,
    pointsOf: batchCrashPoints(platform),
    writers,
    packetBytesMax: opened.packetBytesMax,
    compound: opened.compound,
  };
  const read = <T>(body: (db: Connection) => Promise<T>): Promise<T> => retryOnConflict(platform, () => readers.with(body));
  const storeId = await read(async (db) => text((await db.query(sql.meta)).rows[0] ?? {}, "store_id"));
  const locks = new EngineLocks(() => openSession(address, platform, readerSession), platform, sql, storeId);
  const engines = new Engines(w, readers, locks);
  const leave = new Set<() => void>();
  const postMarks = storeCrashPoints(platform, "engine:post", "engine:posted");
  let closed = false;
  const open = (): void => {
    if (closed) throw new PawlError("PAWL3009", "the store is closed");
  };

  const dialect = mysqlDialect({ w, prefix, read, open });

  return {
    name: "mysql",
    capabilities: () => sqlCapabilities,
    async info(): Promise<StoreInfo> {
      open();
      return read(async (db) => {
        const meta = (await db.query(sql.meta)).rows[0] ?? {};
        const rows = (await db.query(sql.engines())).rows;
        return {
          ...recordedInfo(meta),
          identity,
          unsafe: opened.unsafe,
          settings: opened.settings,
          nowMs: int((await db.query(sql.now())).rows[0] ?? {}, "now_ms"),
          engines: rows.map(toEngine),
        };
      });
    },
    async registerEngine(e) {
      open();
      checkEngine(e);
      await engines.register(e);
    },
    async renew(r) {
      open();
      return engines.renew(r);
    },
    async declareDead(q) {
      open();
      return engines.declareDead(q);
    },
    async claim(q) {
      open();
      checkText("claim", q.engineId, q.runId, ...q.tokens);
      const candidates = await read((db) => findCandidates(db, sql, q));
      if (candidates.length === 0) return [];
      const rows = await retryOnConflict(platform, () =>
        writers.with((db) => transaction(db, () => takeCandidates(db, sql, q, candidates))),
      );
      if (rows.length > 0) platform.hit("engine:claim");
      return rows;
    },
    async ownedRuns(q) {
      open();
      return (await read((db) => db.query(sql.owned(q.engineId, q.limit)))).rows.map((r) => text(r, "run_id"));
    },
    async commit(batch, renewal) {
      open();
      const answer = await commitBatch(w, batch, renewal);
      if (renewal !== undefined && answer.renewal !== null) engines.onRenewalAnswer(renewal.engineId, answer.renewal);
      hints.emit(hintsOfBatch(batch, answer.answers, hints.wantsEvents));
      return answer;
    },
    async transact(user, seal, timeoutMs) {
      open();
      const { answer, value, commit } = await users.with((db) =>
        transact(db, w, platform, user, seal, timeoutMs, (n) => read((r) => sessionState(r, n))),
      );
      hints.emit(hintsOfBatch([commit], [answer], hints.wantsEvents));
      return { answer, value };
    },
    async joinTransaction(own) {
      open();
      // Named with their database: the user's connection may have another one before its eyes.
      const named = sqlFor(`\`${address.database.replaceAll("`", "``")}\`.${prefix}`, now);
      return joinTransaction(own, { ...w, sql: named, storeId, read: (body) => readers.with(body) });
    },
    async post(p) {
      open();
      checkPost(p);
      const answer = await retryOnConflict(platform, () => writers.with((db) => transaction(db, () => post(db, sql, p), postMarks)));
      if (answer.kind === "accepted" && !answer.replayed) hints.emit([{ kind: "inbox", runId: answer.record.runId }]);
      return answer;
    },
    async inbox(q) {
      open();
      return read((db) => readInbox(db, sql, q));
    },
    async run(q) {
      open();
      const asked = oneRun(sql, q);
      const row = (await read((db) => db.query(asked))).rows[0];
      return row === undefined ? undefined : toRun(row);
    },
    async events(q) {
      open();
      if (("idempotencyKeys" in q && q.idempotencyKeys.length === 0) || ("runSeqs" in q && q.runSeqs.length === 0)) return [];
      const asked =
        "idempotencyKey" in q
          ? sql.eventByKey(q.runId, q.idempotencyKey)
          : "idempotencyKeys" in q
            ? sql.eventsByKeys(q.runId, q.idempotencyKeys)
            : "runSeqs" in q
              ? sql.eventsBySeqs(q.runId, q.runSeqs)
              : sql.events(q.runId, q.after, q.limit);
      return (await read((db) => db.query(asked))).rows.map(toEvent);
    },
    ...sqlListings(dialect),
    queues: mysqlQueues({ w, read, open, tell: (told) => hints.emit(told) }),
    kv: { ...mysqlKv(prefix, now, w, { read, open }), ...sqlKvListing(dialect) },
    feed: {
      ...mysqlFeed(prefix, now, w, { read, open, session: () => openSession(address, platform, writerSession), storeId }),
      ...sqlConsumers(dialect),
    },
    archive: sqlArchive(dialect),
    audit: sqlAudit(dialect),
    watch(listener, watching) {
      open();
      const off = hints.add(listener, watching);
      leave.add(off);
      return () => {
        off();
        leave.delete(off);
      };
    },
    async close() {
      if (closed) return;
      closed = true;
      for (const off of leave) off();
      leave.clear();
      await Promise.all([locks.close(), writers.close(), readers.close(), users.close()]);
      unshareHints(identity);
    },
  };
}

export type { MysqlOptions } from "./open.ts";
