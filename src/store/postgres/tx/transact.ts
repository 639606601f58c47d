// ctx.tx (K11): the user's statements and the run's Commit in one transaction, on a connection of its own. The user's part
// stands inside a savepoint of a random name that must still be there at its end: if it is not, somebody ended the
// transaction, and nobody can say what was kept. A transaction that the server could not serialize is rolled back and the
// user's function is run again. Never grouped with other Commits.
import { isPawlError, PawlError } from "../../../errors/error.ts";
import type { Platform } from "../../../platform/platform.ts";
import type { Commit, CommitAnswer } from "../../port.ts";
import type { SqlValue, TxSql } from "../../transaction-store.ts";
import { checkText, refusalReason } from "../../check-text.ts";
import { endedFromInside, RetryTransaction, type SendStatement, transactionEnded, type TxAnswer } from "../../sql/tx-client.ts";
import { type SessionState, TxLimit } from "../../sql/tx-limit.ts";
import { refusedContent } from "../batch.ts";
import { applyAll } from "../commit.ts";
import { UnmetPuts } from "../../batch-rules.ts";
import { txClient } from "./client.ts";
import type { Connection } from "../wire/driver.ts";
import { isAborted, isContent, isContention, isLost, isNoTransaction, isStatementTimeout, storeError } from "../errors.ts";
import type { Pool } from "../wire/pool.ts";
import { BoundSession, type StoreSettings } from "../wire/session.ts";

export interface TxOptions {
  readonly pool: Pool;
  readonly platform: Platform;
  readonly setting: StoreSettings;
  readonly isolation: string;
  /** What the session with this process number does. */
  readonly doing: (pid: number) => Promise<SessionState>;
}

const triesMax = 100;
const pauseMsMax = 50;
/** Beyond the time limit: for the Commit itself, and for the server to notice. */
const graceMs = 10_000;

export async function transact<T>(
  o: TxOptions,
  user: (sql: TxSql) => Promise<T>,
  seal: (value: T) => Commit,
  timeoutMs: number,
): Promise<TxAnswer<T>> {
  const started = o.platform.monotonicMs();
  for (let n = 1; ; n++) {
    try {
      return await o.pool.use((c) => transactOnce(o, c, user, seal, timeoutMs), timeoutMs + graceMs);
    } catch (e) {
      if (!(e instanceof RetryTransaction)) throw e;
      if (n >= triesMax || o.platform.monotonicMs() - started > timeoutMs) {
        throw new PawlError("PAWL3001", `ctx.tx: other transactions conflicted with this one ${n} times; try again`, {
          cause: e.cause,
          outcome: "none",
        });
      }
    }
    // Those who met each other must not meet again in step.
    const ms = (Number.parseInt(o.platform.randomHex(2), 16) / 0xffff) * Math.min(2 ** n, pauseMsMax);
    await new Promise<void>((resolve) => void o.platform.timer(ms, resolve, true));
  }
}

async function transactOnce<T>(
  o: TxOptions,
  c: Connection,
  user: (sql: TxSql) => Promise<T>,
  seal: (value: T) => Commit,
  timeoutMs: number,
): Promise<TxAnswer<T>> {
  const r = new BoundSession(c, o.setting, false);
  const savepoint = `pawl_${o.platform.randomHex(8)}`;
  let ending = false;
  try {
    // A wait for rows of others fails before the time is up: that is contention, not slowness.
    const limits = `set local statement_timeout = ${Math.ceil(timeoutMs)}; set local lock_timeout = ${Math.ceil(timeoutMs * 0.8)}; set local idle_in_transaction_session_timeout = ${Math.ceil(timeoutMs) + graceMs}`;
    await r.exec(`begin isolation level ${o.isolation}; ${limits}; savepoint ${savepoint}`).catch((e: unknown) => {
      throw storeError(e, "statement");
    });
    const value = await userPart(o, c, savepoint, user, timeoutMs);
    const commit = seal(value);
    const reason = refusalReason(commit);
    const answer: CommitAnswer = reason === null ? await applyFinalCommit(r, commit) : { kind: "refused", reason };
    if (answer.kind === "busy") throw new RetryTransaction();
    if (answer.kind !== "committed") {
      await r.rollback();
      return { answer, value, commit };
    }
    o.platform.hit("engine:commit");
    ending = true;
    await r.exec("commit");
    o.platform.hit("engine:ack");
    return { answer, value, commit };
  } catch (e) {
    if (!c.broken) await r.rollback();
    if (isContention(e)) throw new RetryTransaction("", { cause: e });
    if (ending) throw storeError(e, "commit");
    throw e;
  }
}

async function applyFinalCommit(r: BoundSession, commit: Commit): Promise<CommitAnswer> {
  try {
    return (await applyAll(r, [commit])).answers[0] ?? { kind: "busy" };
  } catch (e) {
    if (e instanceof UnmetPuts) return { kind: "unmet", rows: e.rows };
    if (isContention(e)) throw e;
    if (isContent(e)) return { kind: "refused", reason: refusedContent(e) };
    throw storeError(e, "statement");
  }
}

async function userPart<T>(
  o: TxOptions,
  c: Connection,
  savepoint: string,
  user: (sql: TxSql) => Promise<T>,
  timeoutMs: number,
): Promise<T> {
  let open = true;
  let failed: unknown;
  const limit = new TxLimit(o.platform, timeoutMs, timeoutMs, () => o.doing(c.pid));
  const send: SendStatement = async (statement) => {
    if (!open) throw transactionEnded();
    try {
      return await limit.track(statement);
    } catch (e) {
      if (!isPawlError(e, "PAWL1021")) failed ??= e; // what was refused here never reached the server
      throw e;
    }
  };
  const sql: TxSql = {
    async query(parts, values) {
      for (const v of values) if (typeof v === "string") checkText("ctx.tx", v);
      const text = parts.reduce((all, part, i) => `${all}$${i}${part}`);
      return send(() => query(c, text, values));
    },
    client: txClient(c.raw, send),
  };
  try {
    const value = await Promise.race([user(sql), limit.expired]);
    open = false;
    if ((await checkSavepoint(c, savepoint)) === "aborted") throw failed;
    return value;
  } catch (e) {
    open = false;
    // A statement still under way would hold the rollback up: the line is cut instead, and the server rolls back.
    if (limit.pending > 0) c.destroy();
    else if (!c.broken && !isPawlError(e, "PAWL3010")) await checkSavepoint(c, savepoint);
    if (isContention(failed)) throw failed;
    if (e !== failed) throw e;
    if (isStatementTimeout(e)) throw new PawlError("PAWL3011", `ctx.tx: a statement took longer than ${timeoutMs} ms`, { cause: e });
    throw isLost(e) ? storeError(e, "statement") : e;
  } finally {
    limit.end();
  }
}

/**
 * Whether the transaction that the user's part was given is still there. "aborted": a statement failed and its error was
 * swallowed, so that nothing of it can be kept. A transaction that is gone was ended from inside, whatever else was said.
 */
async function checkSavepoint(c: Connection, savepoint: string): Promise<"intact" | "aborted"> {
  try {
    // From here on Pawl's own statements: found by index, whatever the tables' size, so that transactions of different runs
    // have nothing in common that the server could take for a conflict.
    await c.exec(`release savepoint ${savepoint}; savepoint ${savepoint}; set local enable_seqscan = off`);
    return "intact";
  } catch (e) {
    if (isAborted(e)) return "aborted";
    if (isNoTransaction(e)) throw endedFromInside(e);
    throw storeError(e, "statement");
  }
}

/** One statement; a change is what was written. Also what tests write their tables with. */
export async function query(
  c: Connection,
  text: string,
  values: readonly SqlValue[],
): Promise<{ rows: Record<string, SqlValue>[]; changes: number }> {
  const { rows, changes, command } = await c.query({ text, values });
  // The server counts rows that were read as well; a change is what was written.
  return { rows, changes: command === "SELECT" ? 0 : changes };
}
