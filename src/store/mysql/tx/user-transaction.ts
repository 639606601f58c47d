// A start or a signal inside a transaction of the user's own, on their connection: the same statements as everywhere, between a
// savepoint and its release. It never begins, commits or rolls back that transaction. Its isolation may be REPEATABLE READ,
// under which plain reads show the past: so the insert goes first, and who meets a row reads it with a lock, which shows the
// present. Reading with a lock first would hold gaps that two such transactions need of each other.
import { PawlError } from "../../../errors/error.ts";
import type { Platform } from "../../../platform/platform.ts";
import { scopeKey } from "../../keys.ts";
import { type TransactionView, oneAtATime, hasMethods, unusableTransaction } from "../../user-transaction.ts";
import type { Commit, CommitAnswer } from "../../port.ts";
import { checkPost, refusalReason } from "../../check-text.ts";
import { contentReason, UnmetPuts } from "../../batch-rules.ts";
import { triesMax } from "../batch.ts";
import { BatchPlan, scopedKey } from "../batch-plan.ts";
import { type Connection, type Fields, type QueryResult, type Queryable, toResult } from "../wire/driver.ts";
import { busyError, isContent, isLockWait, isLost, isNoSavepoint, isRetryable, storeError } from "../errors.ts";
import { Clash, LostRace, type StatementLimits, statementsOf } from "../statements.ts";
import { post } from "../inbox.ts";
import { sendDecided } from "../queues/commit-alone.ts";
import { keyText, scopeBytesMax } from "../wire/literal.ts";
import { int, text, toRun } from "../rows.ts";
import { oneRun, type Sql } from "../sql.ts";

export interface UserTransactionOptions extends StatementLimits {
  readonly platform: Platform;
  readonly storeId: string;
  /** A connection of the store's own, for reading. */
  readonly read: <T>(body: (db: Connection) => Promise<T>) => Promise<T>;
}

type Guard = <T>(body: () => Promise<T>) => Promise<T>;

export async function joinTransaction(own: unknown, o: UserTransactionOptions): Promise<TransactionView> {
  const db = queryableOf(own);
  const guarded: Guard = (body) => oneAtATime(own as object, () => withSavepoint(db, o, body));
  await guarded(() => checkConnection(db, o));
  return {
    create: (c) => create(db, o, guarded, c),
    async post(p) {
      checkPost(p);
      return retryInside((first) => guarded(() => post(db, first ? o.sql : withCurrentReads(o.sql), p)));
    },
    async run(q) {
      const asked = oneRun(o.sql, q);
      const [row] = (await guarded(() => db.query(asked))).rows;
      return row === undefined ? undefined : toRun(row);
    },
    async hasEnded(runId) {
      try {
        await o.read((reader) => reader.query(o.sql.held(runId)));
        return true;
      } catch (e) {
        if (isLockWait(e)) return false;
        throw storeError(e, "statement");
      }
    },
  };
}

/** Whether this is the store's database, on a session under which Pawl's statements mean what they say. */
async function checkConnection(db: Queryable, o: UserTransactionOptions): Promise<void> {
  const asked = o.sql.meta.replace("select ", "select @@sql_mode as sql_mode, @@character_set_client as spoken, ");
  const row = await db.query(asked).then(
    (a) => a.rows[0],
    (e: unknown) => {
      if (isLost(e) || isRetryable(e)) throw e;
      throw unusableTransaction("this connection cannot read the store's tables", e);
    },
  );
  if (row === undefined || text(row, "store_id") !== o.storeId)
    throw unusableTransaction("this connection belongs to another store than the engine's");
  const mode = text(row, "sql_mode");
  if (!/STRICT|TRADITIONAL/.test(mode) || mode.includes("NO_BACKSLASH_ESCAPES") || text(row, "spoken") !== "utf8mb4") {
    throw unusableTransaction("this session must use a strict sql_mode, the character set utf8mb4 and backslash escapes");
  }
}

async function create(db: Queryable, o: UserTransactionOptions, guarded: Guard, c: Commit): Promise<CommitAnswer> {
  const reason = refusalReason(c);
  if (reason !== null) return { kind: "refused", reason };
  const later = "create" in c.expect && c.expect.create.supersedes !== null;
  const attempt = (first: boolean): Promise<CommitAnswer> =>
    guarded(async () => {
      const seen = await readRun(db, o.sql, c, !first || later);
      const answer = seen.apply(c);
      if (answer.kind === "committed") await sendDecided(db, o, [c], [answer], statementsOf(o, seen.writes));
      return answer;
    });
  try {
    return await retryInside(attempt);
  } catch (e) {
    if (e instanceof UnmetPuts) return { kind: "unmet", rows: e.rows };
    const cause = e instanceof PawlError ? e.cause : e;
    if (cause instanceof Clash || isContent(cause)) return { kind: "refused", reason: contentReason(cause, cause instanceof Clash) };
    throw e;
  }
}

/** What a create may meet, as it is now; or, `met` being false, nothing: then the insert tells. */
async function readRun(db: Queryable, sql: Sql, c: Commit, met: boolean): Promise<BatchPlan> {
  const draft = new BatchPlan(int((await db.query(sql.now())).rows[0] ?? {}, "now_ms"), met);
  if (!met || !("create" in c.expect)) return draft;
  const n = c.expect.create;
  const scope = keyText(scopeKey(n.scope), scopeBytesMax);
  const add = async (asked: string, into?: (runId: string) => void): Promise<void> => {
    const [row] = (await db.query(asked)).rows;
    if (row === undefined) return;
    draft.add(toRun(row));
    into?.(text(row, "run_id"));
  };
  await add(sql.targetById(c.runId));
  await add(sql.targetByWorkflow(scope, keyText(n.workflowId)), (id) => draft.latestIds.set(scopedKey(n.scope, n.workflowId), id));
  const key = n.idempotencyKey;
  if (key !== null) await add(sql.targetByStartKey(scope, keyText(key)), (id) => draft.startKeys.set(scopedKey(n.scope, key), id));
  return draft;
}

/** An accepted record that is younger than what a plain read of this transaction shows. */
function withCurrentReads(sql: Sql): Sql {
  const locking = (hash: string): string =>
    `(${sql.accepted(hash).replace(" union all ", " lock in share mode) union all (")} lock in share mode)`;
  return { ...sql, accepted: locking };
}

/** Who is overtaken looks at who was first. */
async function retryInside<T>(attempt: (first: boolean) => Promise<T>): Promise<T> {
  for (let n = 1; ; n++) {
    try {
      return await attempt(n === 1);
    } catch (e) {
      if (!(e instanceof LostRace)) throw e;
      if (n >= triesMax) throw busyError(e);
    }
  }
}

/** What goes wrong in `body` is taken back, and the user's transaction continues as if it had not been asked. */
async function withSavepoint<T>(db: Queryable, o: UserTransactionOptions, body: () => Promise<T>): Promise<T> {
  const savepoint = `pawl_${o.platform.randomHex(8)}`;
  try {
    // Sent together, so that nothing of the user's comes between. Outside a transaction it is gone as soon as it is made.
    await Promise.all([db.query(`savepoint ${savepoint}`), db.query(`rollback to savepoint ${savepoint}`)]);
  } catch (e) {
    if (isNoSavepoint(e)) throw unusableTransaction("no transaction is open on this connection: call beginTransaction first", e);
    throw storeError(e, "statement");
  }
  try {
    const value = await body();
    await db.query(`release savepoint ${savepoint}`);
    return value;
  } catch (e) {
    // Gone after a deadlock: then the server has taken back the whole transaction.
    await db.query(`rollback to savepoint ${savepoint}`).then(
      () => db.query(`release savepoint ${savepoint}`),
      () => {},
    );
    if (e instanceof LostRace || e instanceof Clash || e instanceof UnmetPuts) throw e;
    if (isRetryable(e)) {
      throw new PawlError("PAWL3001", "mysql: another transaction conflicts with yours: roll yours back and run it again", { cause: e });
    }
    throw storeError(e, "statement");
  }
}

interface UserConnectionLike {
  query(o: object, done: (error: unknown, result: unknown, fields: Fields) => void): unknown;
}

/** Rows as objects and values as Pawl reads them, however the user has set the connection. */
const plainOptions = {
  rowsAsArray: false,
  nestTables: false,
  typeCast: true,
  supportBigNumbers: true,
  bigNumberStrings: false,
  dateStrings: true,
  namedPlaceholders: false,
} as const;

function queryableOf(own: unknown): Queryable {
  const raw = hasMethods(own, "query", "beginTransaction") ? ((own as { connection?: unknown }).connection ?? own) : undefined;
  if (!hasMethods(raw, "query") || hasMethods(own, "getConnection")) {
    throw unusableTransaction("tx is not a connection of mysql2: pass the connection on which you began the transaction, not its pool");
  }
  return {
    query: (sql) =>
      new Promise<QueryResult>((resolve, reject) => {
        (raw as UserConnectionLike).query({ sql, ...plainOptions }, (error, result, fields) => {
          if (error === null || error === undefined) resolve(toResult(result, fields));
          else reject(error as Error);
        });
      }),
  };
}
