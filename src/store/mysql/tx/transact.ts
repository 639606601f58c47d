// ctx.tx (K11): the user's statements and the run's Commit in one transaction, on a connection of its own and serializable,
// so that what was read is still so when it commits. The user's part stands inside a savepoint of a random name that must
// still be there at its end: DDL, commit and rollback all take it away, and then nobody can say what was kept. Who meets
// a deadlock is rolled back and run again. Never grouped with other Commits.
import { pause } from "../batch.ts";
import { PawlError } from "../../../errors/error.ts";
import type { Platform } from "../../../platform/platform.ts";
import type { Commit, CommitAnswer } from "../../port.ts";
import type { SqlValue, TxSql } from "../../transaction-store.ts";
import { checkText, refusalReason } from "../../check-text.ts";
import { endedFromInside, RetryTransaction, type SendStatement, transactionEnded, type TxAnswer } from "../../sql/tx-client.ts";
import { type SessionState, TxLimit } from "../../sql/tx-limit.ts";
import { contentReason, UnmetPuts } from "../../batch-rules.ts";
import { decideBatch } from "../commit.ts";
import { txClient } from "./client.ts";
import type { Connection, QueryResult } from "../wire/driver.ts";
import { busyError, isContent, isDriverError, isLost, isNoSavepoint, isRetryable, storeError } from "../errors.ts";
import { Clash, LostRace, type StatementLimits } from "../statements.ts";
import { sendDecided } from "../queues/commit-alone.ts";
import { rollback } from "../wire/pool.ts";

const triesMax = 50;

export async function transact<T>(
  db: Connection,
  s: StatementLimits,
  platform: Platform,
  user: (sql: TxSql) => Promise<T>,
  seal: (value: T) => Commit,
  timeoutMs: number,
  doing: (session: number) => Promise<SessionState>,
): Promise<TxAnswer<T>> {
  const until = platform.monotonicMs() + timeoutMs;
  for (let tries = 1; ; tries++) {
    try {
      return await transactOnce(
        db,
        s,
        platform,
        user,
        seal,
        new TxLimit(platform, Math.max(1, until - platform.monotonicMs()), timeoutMs, () => doing(db.session)),
      );
    } catch (e) {
      await rollback(db);
      if (!(e instanceof RetryTransaction)) throw e;
      if (tries >= triesMax || platform.monotonicMs() >= until) throw busyError(e.cause);
      await pause(platform, tries);
    }
  }
}

async function transactOnce<T>(
  db: Connection,
  s: StatementLimits,
  platform: Platform,
  user: (sql: TxSql) => Promise<T>,
  seal: (value: T) => Commit,
  limit: TxLimit,
): Promise<TxAnswer<T>> {
  const savepoint = `pawl_${platform.randomHex(8)}`;
  try {
    // With autocommit off the savepoint begins the transaction, and a lost connection is noticed before the user's part.
    await db.query("start transaction");
    await db.query(`savepoint ${savepoint}`);
  } catch (e) {
    throw storeError(e, "statement");
  }
  const value = await userPart(db, savepoint, user, limit);
  const commit = seal(value);
  const reason = refusalReason(commit);
  const answer: CommitAnswer = reason === null ? await applyFinalCommit(db, s, commit) : { kind: "refused", reason };
  if (answer.kind !== "committed") {
    await rollback(db);
    return { answer, value, commit };
  }
  platform.hit("engine:commit");
  try {
    await db.query("commit");
  } catch (e) {
    if (isRetryable(e)) throw new RetryTransaction("", { cause: e });
    throw storeError(e, "commit");
  }
  platform.hit("engine:ack");
  return { answer, value, commit };
}

async function applyFinalCommit(db: Connection, s: StatementLimits, commit: Commit): Promise<CommitAnswer> {
  try {
    const { answers, rest } = await decideBatch(db, s, [commit], true);
    await sendDecided(db, s, [commit], answers, rest);
    return answers[0] ?? { kind: "busy" };
  } catch (e) {
    if (e instanceof UnmetPuts) return { kind: "unmet", rows: e.rows };
    if (e instanceof LostRace || isRetryable(e)) throw new RetryTransaction("", { cause: e });
    if (e instanceof Clash || isContent(e)) return { kind: "refused", reason: contentReason(e, e instanceof Clash) };
    throw storeError(e, "statement");
  }
}

async function userPart<T>(db: Connection, savepoint: string, user: (sql: TxSql) => Promise<T>, limit: TxLimit): Promise<T> {
  const gate = { open: true, trouble: undefined as unknown };
  const send: SendStatement = async (statement) => {
    if (!gate.open) throw transactionEnded();
    try {
      return await limit.track(statement);
    } catch (e) {
      // Whatever the user makes of it, the server has rolled back, or the connection is gone.
      if (isRetryable(e) || isLost(e)) gate.trouble = e;
      throw e;
    }
  };
  const sql: TxSql = { query: async (parts, values) => send(() => query(db, parts, values)), client: txClient(db, send) };
  let late = false;
  const passed = limit.expired.catch((e: unknown) => {
    late = true;
    // A statement may be under way on it; the server rolls back what its client leaves.
    db.destroy();
    throw e;
  });
  passed.catch(() => {});
  try {
    const value = await Promise.race([user(sql), passed]);
    gate.open = false;
    if (gate.trouble === undefined) await release(db, savepoint);
    else throw gate.trouble;
    return value;
  } catch (e) {
    gate.open = false;
    if (late || (e instanceof PawlError && e.page === "PAWL3010" && e.outcome === "unknown")) throw e;
    if (gate.trouble !== undefined)
      throw isRetryable(gate.trouble) ? new RetryTransaction("", { cause: gate.trouble }) : storeError(gate.trouble, "statement");
    await release(db, savepoint);
    throw e;
  } finally {
    limit.end();
  }
}

async function release(db: Connection, savepoint: string): Promise<void> {
  try {
    await db.query(`release savepoint ${savepoint}`);
  } catch (e) {
    if (!isNoSavepoint(e)) throw isDriverError(e) ? storeError(e, "statement") : e;
    throw endedFromInside(e);
  }
}

/** One statement as a template tag gives it: also what tests write their tables with. */
export async function query(
  db: Connection,
  parts: readonly string[],
  values: readonly SqlValue[],
): Promise<{ rows: Record<string, SqlValue>[]; changes: number }> {
  for (const v of values) if (typeof v === "string") checkText("ctx.tx", v);
  // Prepared by the server, so that a `?` in a text of the statement stays what it is.
  const result = values.length === 0 ? await db.query(parts.join("")) : await db.execute(parts.join("?"), values);
  return { rows: result.rows.map((r) => plainRow(r, result)), changes: result.changes };
}

/** Integers beyond 2^53 come as text from the driver: they are returned as bigint. */
function plainRow(row: Record<string, unknown>, { bigintColumns: wide }: QueryResult): Record<string, SqlValue> {
  const entries = Object.entries(row).map(([k, v]): [string, SqlValue] => [
    k,
    typeof v === "string" && wide.includes(k) ? BigInt(v) : (v as SqlValue),
  ]);
  return Object.fromEntries(entries);
}
