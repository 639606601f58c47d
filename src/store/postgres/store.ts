// The Postgres store: the port's verbs over one schema of a database, for many processes. Pawl's own statements go through
// one bounded pool, ctx.tx through another whose sessions are the user's, and one session more holds the engines' locks and
// listens. Time is the server's everywhere. Correctness comes from constraints and row locks under READ COMMITTED; nothing
// here keeps a process alive.
import { engineTexts, recordedInfo } from "../sql/columns.ts";
import { PawlError } from "../../errors/error.ts";
import type { Platform } from "../../platform/platform.ts";
import { batchCrashPoints, hintsOfBatch, sqlCapabilities } from "../batch-rules.ts";
import { checkAdmitted } from "../sql/formats.ts";
import type { FullStore } from "../full-store.ts";
import type { StoreInfo } from "../port.ts";
import { checkEngine, checkPost, checkText } from "../check-text.ts";
import { sqlArchive } from "../sql/archive.ts";
import { sqlAudit } from "../sql/audit.ts";
import { sqlConsumers, sqlKvListing, sqlListings } from "../sql/listings.ts";
import { commitBatch, type WithSession } from "./batch.ts";
import { claim } from "./claim.ts";
import { declareDead, renew, retireEngine } from "./engines.ts";
import type { Connection } from "./wire/driver.ts";
import { postgresDialect } from "./dialect.ts";
import { textArray } from "./wire/array-parameters.ts";
import { openError } from "../sql/open-error.ts";
import { isContention, isLost, openProblem, storeError } from "./errors.ts";
import { post, readInbox } from "./inbox.ts";
import { formatOf } from "../sql/migrate.ts";
import { format, migrationTarget } from "./migrations.ts";
import { channelOf, parseAddress, type PostgresOptions } from "./wire/address.ts";
import { inspectServer, ownOptions, prepareSchema, txOptions } from "./open.ts";
import { connectorFor, poolLimits } from "./wire/connector.ts";
import { Pool } from "./wire/pool.ts";
import { postgresFeed } from "./feed.ts";
import { postgresKv } from "./kv.ts";
import { postgresQueues } from "./queues/table.ts";
import { toEngine, toEvent, toRun } from "./rows.ts";
import { oneRun, BoundSession, type StoreSettings } from "./wire/session.ts";
import { EngineLocks } from "./locks.ts";
import { texts } from "./sql.ts";
import type { SessionState } from "../sql/tx-limit.ts";
import { sessionState } from "./tx/session-state.ts";
import { transact } from "./tx/transact.ts";
import { HintChannel } from "./watch.ts";
import { joinTransaction } from "./tx/user-transaction.ts";

const contentionTriesMax = 5;
/** A session that migrates is silent for as long as a large table takes. */
const migrateMsMax = 3_600_000;

/** What only tests set. */
export interface PostgresTestOptions {
  /** Stands in for the server's clock. */
  readonly clock?: () => number;
  /** Sends nothing past the driver's own queries. */
  readonly plainQueries?: boolean;
}

export async function openPostgres(url: string, platform: Platform, o: PostgresOptions & PostgresTestOptions = {}): Promise<FullStore> {
  const place = parseAddress(url, o);
  const { schema } = place;
  const setting: StoreSettings = { schema, texts: texts(schema), clock: () => o.clock?.() ?? null };
  const opener = connectorFor(place, o.plainQueries);
  const limits = { platform, ...poolLimits };
  const pool = new Pool({ ...limits, connect: opener.session(ownOptions), max: Math.max(2, o.connectionsMax ?? 8) });
  const txPool = new Pool({ ...limits, connect: opener.session(txOptions), max: Math.max(1, o.txConnectionsMax ?? 8) });

  let server: Awaited<ReturnType<typeof inspectServer>>;
  try {
    server = await pool.use((c) => inspectServer(c, o));
    const behind = (await pool.use((c) => formatOf(migrationTarget(c, schema)))) < format;
    const prepare = (c: Connection): Promise<void> => prepareSchema(c, platform, place, server.identity, o.make !== false);
    await pool.use(prepare, behind ? migrateMsMax : undefined);
  } catch (e) {
    await pool.close();
    throw openError(e, openProblem, (x) => storeError(x, "statement"));
  }
  opener.pooler ||= server.pooler;

  const lend: WithSession = (body) => pool.use((c) => body(new BoundSession(c, setting, !opener.pooler)));
  const line = new HintChannel(`${server.identity}/${schema}`, channelOf(schema), platform, lend);
  const watcher = new EngineLocks({
    platform,
    settings: setting,
    channel: channelOf(schema),
    pooler: opener.pooler,
    connect: opener.session(""),
    withSession: lend,
    onHint: (p) => line.receive(p),
  });
  const pointsOf = batchCrashPoints(platform);
  let storeId: string | undefined;
  let closed = false;
  const open = (): void => {
    if (closed) throw new PawlError("PAWL3009", "the store is closed");
  };
  /** A read that met a dead session is asked once more, on a new one. */
  const read = async <T>(body: (r: BoundSession) => Promise<T>): Promise<T> => {
    open();
    try {
      return await lend(body);
    } catch (e) {
      if (!isLost(e)) throw storeError(e, "statement");
      return lend(body).catch((again: unknown) => {
        throw storeError(again, "statement");
      });
    }
  };
  /** A write of one statement, idempotent under its own key; a transaction that is in the way ends in a moment. */
  const write = async <T>(body: (r: BoundSession) => Promise<T>): Promise<T> => {
    open();
    for (let n = 1; ; n++) {
      try {
        return await lend(body);
      } catch (e) {
        if (!isContention(e) || n >= contentionTriesMax) throw storeError(e, "commit");
      }
    }
  };

  const dialect = postgresDialect({ platform, setting, lend, read, open });

  return {
    name: "postgres",
    capabilities: () => sqlCapabilities,
    async info(): Promise<StoreInfo> {
      return read(async (r) => {
        const meta = (await r.execute("meta", setting.clock())).rows[0] ?? {};
        return {
          ...recordedInfo(meta),
          identity: server.identity,
          unsafe: server.unsafe,
          settings: {
            ...server.settings,
            postgres: server.version,
            pooler: String(opener.pooler),
            hints: watcher.listening ? "notify" : "polled",
          },
          nowMs: Number(meta["now_ms"]),
          engines: (await r.execute("engines")).rows.map(toEngine),
        };
      });
    },
    async registerEngine(e) {
      open();
      checkEngine(e);
      // A remote worker has no session of its own here: its lease alone says whether it lives (K2).
      const remote = e.kind === "remote";
      if (!remote)
        await watcher.acquire(e.engineId).catch((x: unknown) => {
          throw storeError(x, "statement");
        });
      const { serves, scope, kind, works } = engineTexts(e);
      await write(async (r) => {
        const own = [e.engineId, e.leaseMs, serves, remote ? null : watcher.lockOf(e.engineId), format, scope, kind, works];
        const done = await r.execute("enlist", setting.clock(), ...own);
        if (done.changes === 1) return;
        const meta = (await r.execute("meta", setting.clock())).rows[0] ?? {};
        checkAdmitted({ format: Number(meta["format"]), oldestWriter: Number(meta["oldest_writer"]) }, format);
      });
    },
    async renew(r) {
      return (await write((x) => renew(x, r))) ? "renewed" : "dead";
    },
    async declareDead(q) {
      const dead = await write((r) => ("self" in q ? retireEngine(r, q.self) : declareDead(r, q.by, watcher.canProveDeath)));
      for (const id of dead) await watcher.release(id);
      return dead;
    },
    async claim(q) {
      checkText("claim", q.engineId, q.runId, ...q.tokens);
      const rows = await write((r) => claim(r, q));
      if (rows.length > 0) platform.hit("engine:claim");
      return rows;
    },
    async ownedRuns(q) {
      return (await read((r) => r.execute("owned", q.engineId, q.limit))).rows.map((x) => String(x["run_id"]));
    },
    commit(batch, renewal) {
      open();
      return commitBatch(lend, pointsOf, batch, renewal).then((answer) => {
        line.emit(hintsOfBatch(batch, answer.answers, line.wantsEvents));
        return answer;
      });
    },
    async transact(user, seal, timeoutMs) {
      open();
      const isolation = o.txIsolation ?? "serializable";
      const asked = (pid: number): Promise<SessionState> => pool.use((c) => sessionState(c, pid, opener.pooler));
      const { answer, value, commit } = await transact({ pool: txPool, platform, setting, isolation, doing: asked }, user, seal, timeoutMs);
      line.emit(hintsOfBatch([commit], [answer], line.wantsEvents));
      return { answer, value };
    },
    async joinTransaction(own) {
      storeId ??= String((await read((r) => r.execute("meta", setting.clock()))).rows[0]?.["store_id"]);
      return joinTransaction(own, { platform, setting, channel: channelOf(schema), storeId, lend });
    },
    async post(p) {
      open();
      checkPost(p);
      platform.hit("engine:post");
      const answer = await write((r) => post(r, p));
      platform.hit("engine:posted");
      if (answer.kind === "accepted" && !answer.replayed) line.emit([{ kind: "inbox", runId: answer.record.runId }]);
      return answer;
    },
    async inbox(q) {
      return read((r) => readInbox(r, q));
    },
    async run(q) {
      const { rows } = await read((r) => oneRun(r, q));
      return rows[0] === undefined ? undefined : toRun(rows[0]);
    },
    async events(q) {
      const { rows } = await read((r) => {
        if ("idempotencyKey" in q) return r.execute("eventByKey", q.runId, q.idempotencyKey);
        if ("idempotencyKeys" in q) return r.execute("eventsByKeys", q.runId, textArray(q.idempotencyKeys));
        if ("runSeqs" in q) return r.execute("eventsBySeqs", q.runId, `{${q.runSeqs.join(",")}}`);
        return r.execute("events", q.runId, q.after, q.limit);
      });
      return rows.map(toEvent);
    },
    ...sqlListings(dialect),
    queues: postgresQueues({ schema, platform, open, lend, read, write, tell: (hints) => line.emit(hints) }),
    kv: { ...postgresKv(schema, read, write), ...sqlKvListing(dialect) },
    feed: { ...postgresFeed(schema, platform, read, write), ...sqlConsumers(dialect) },
    archive: sqlArchive(dialect),
    audit: sqlAudit(dialect),
    watch(listener, watching) {
      open();
      watcher.listen();
      return line.add(listener, watching);
    },
    async close() {
      if (closed) return;
      closed = true;
      line.close();
      await watcher.close();
      await Promise.all([pool.close(), txPool.close()]);
    },
  };
}

export type { PostgresOptions } from "./wire/address.ts";
