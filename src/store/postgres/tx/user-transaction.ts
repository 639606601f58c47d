// A start or a signal inside a transaction of the user's own, on their connection: the same statements as everywhere, between a
// savepoint and its release, because on Postgres an error would end the whole transaction. It never begins,
// commits or rolls back that transaction. The hint is sent by NOTIFY in it, which the server delivers with the COMMIT or
// not at all.
import { isPawlError, PawlError } from "../../../errors/error.ts";
import type { Platform } from "../../../platform/platform.ts";
import { type TransactionView, oneAtATime, hasMethods, unusableTransaction } from "../../user-transaction.ts";
import type { Commit, CommitAnswer, Hint } from "../../port.ts";
import { checkPost, refusalReason } from "../../check-text.ts";
import { hintsOfBatch, UnmetPuts } from "../../batch-rules.ts";
import { refusedContent, type WithSession } from "../batch.ts";
import { applyAll } from "../commit.ts";
import { type QueryResult, bindable, type Query, type Row, plainTypeParsers } from "../wire/driver.ts";
import { isAborted, isContent, isContention, isLost, isNoTransaction, storeError } from "../errors.ts";
import { post } from "../inbox.ts";
import { toRun } from "../rows.ts";
import { oneRun, BoundSession, type StoreSettings, type Queryable } from "../wire/session.ts";
import { encodeHints } from "../watch.ts";

export interface UserTransactionOptions {
  readonly platform: Platform;
  readonly setting: StoreSettings;
  readonly channel: string;
  readonly storeId: string;
  readonly lend: WithSession;
}

type Guard = <T>(body: () => Promise<T>) => Promise<T>;

export async function joinTransaction(own: unknown, o: UserTransactionOptions): Promise<TransactionView> {
  if (!hasMethods(own, "query", "escapeLiteral") || "totalCount" in (own as object)) {
    throw unusableTransaction("tx is not a Client of pg: pass the client on which you began the transaction, not its pool");
  }
  const r = new BoundSession(queryableOf(own as UserClient), o.setting, false);
  const guarded: Guard = (body) => oneAtATime(own as object, () => withSavepoint(r, o, body));
  const xid = await guarded(() => checkConnection(r, o));
  return {
    create: (c) => create(r, o, guarded, c),
    async post(p) {
      checkPost(p);
      return guarded(async () => {
        const answer = await post(r, p);
        if (answer.kind === "accepted" && !answer.replayed) await notifyHints(r, o, [{ kind: "inbox", runId: answer.record.runId }]);
        return answer;
      });
    },
    async run(q) {
      const [row] = (await guarded(() => oneRun(r, q))).rows;
      return row === undefined ? undefined : toRun(row);
    },
    async hasEnded() {
      const text = "select pg_xact_status($1::text::xid8) as status";
      const { rows } = await o
        .lend((x) => x.query({ text, values: [xid] }))
        .catch((e: unknown) => {
          throw storeError(e, "statement");
        });
      return rows[0]?.["status"] !== "in progress";
    },
  };
}

/** Whether this is the store's database, and which transaction of it. */
async function checkConnection(r: BoundSession, o: UserTransactionOptions): Promise<string> {
  const text = `select store_id, pg_current_xact_id()::text as xid from ${o.setting.schema}.meta`;
  const row = await r.query({ text }).then(
    (a) => a.rows[0],
    (e: unknown) => {
      if (isLost(e) || isContention(e)) throw e;
      throw unusableTransaction(`this connection cannot read the store's tables in schema ${o.setting.schema}`, e);
    },
  );
  if (row?.["store_id"] !== o.storeId) throw unusableTransaction("this connection belongs to another store than the engine's");
  return String(row["xid"]);
}

async function create(r: BoundSession, o: UserTransactionOptions, guarded: Guard, c: Commit): Promise<CommitAnswer> {
  const reason = refusalReason(c);
  if (reason !== null) return { kind: "refused", reason };
  try {
    return await guarded(async () => {
      const { answers } = await applyAll(r, [c]);
      await notifyHints(r, o, hintsOfBatch([c], answers));
      return answers[0] ?? { kind: "busy" };
    });
  } catch (e) {
    if (e instanceof UnmetPuts) return { kind: "unmet", rows: e.rows };
    const cause = isPawlError(e) ? e.cause : e;
    if (isContent(cause)) return { kind: "refused", reason: refusedContent(cause) };
    throw e;
  }
}

async function notifyHints(r: BoundSession, o: UserTransactionOptions, hints: readonly Hint[]): Promise<void> {
  if (hints.length === 0) return;
  await r.query({ text: "select pg_notify($1, $2)", values: [o.channel, encodeHints("", hints)] });
}

/** What goes wrong in `body` is taken back, and the user's transaction continues as if it had not been asked. */
async function withSavepoint<T>(r: BoundSession, o: UserTransactionOptions, body: () => Promise<T>): Promise<T> {
  const savepoint = `pawl_${o.platform.randomHex(8)}`;
  try {
    await r.exec(`savepoint ${savepoint}`);
  } catch (e) {
    if (isNoTransaction(e)) throw unusableTransaction("no transaction is open on this connection: run BEGIN first", e);
    if (isAborted(e)) throw unusableTransaction("a statement of this transaction has failed: roll it back and begin again", e);
    throw storeError(e, "statement");
  }
  try {
    const value = await body();
    await r.exec(`release savepoint ${savepoint}`);
    return value;
  } catch (e) {
    // A connection that is lost has taken the transaction with it.
    await r.exec(`rollback to savepoint ${savepoint}; release savepoint ${savepoint}`).catch(() => {});
    if (e instanceof UnmetPuts) throw e;
    if (isContention(e)) {
      throw new PawlError("PAWL3001", "postgres: another transaction conflicts with yours: roll yours back and run it again", { cause: e });
    }
    throw storeError(e, "statement");
  }
}

interface UserClient {
  query(q: object): Promise<{ rows: Row[]; rowCount: number | null; command: string | null }>;
}

/** The user's client as the store sends statements to it, whatever types the user reads. */
function queryableOf(own: UserClient): Queryable {
  const ask = async (q: Query): Promise<QueryResult> => {
    const given = { text: q.text, ...(q.values === undefined ? {} : { values: q.values.map(bindable) }), types: plainTypeParsers };
    const { rows, rowCount, command } = await own.query(given);
    return { rows, changes: rowCount ?? 0, command: command ?? "" };
  };
  return {
    query: ask,
    // Several statements in one text answer with a list, of which nothing is read.
    exec: async (text) => {
      await own.query({ text });
      return { rows: [], changes: 0, command: "" };
    },
    destroy: () => {}, // not Pawl's to cut
  };
}
