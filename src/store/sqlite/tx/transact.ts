// ctx.tx (K11): the user's statements and the run's Commit in one transaction, on a connection of its own, behind the
// writers' mutex. The user's part stands inside a savepoint of a random name that must still be there at its end: if it
// is not, somebody ended the transaction, and nobody can say what was kept. Never grouped with other Commits.
import type { Platform } from "../../../platform/platform.ts";
import type { Commit, CommitAnswer } from "../../port.ts";
import type { SqlValue, TxSql } from "../../transaction-store.ts";
import { checkText, refusalReason } from "../../check-text.ts";
import { endedFromInside, transactionEnded, type TxAnswer } from "../../sql/tx-client.ts";
import { TxLimit } from "../../sql/tx-limit.ts";
import { txClient } from "./client.ts";
import { applyCommit } from "../commit.ts";
import { bindable, type Connection, type Row } from "../wire/driver.ts";
import { isClash, isContent, storeError } from "../errors.ts";
import { contentReason } from "../../batch-rules.ts";
import type { Statements } from "../rows.ts";
import { rollback, retryWhileBusy } from "../wire/writer.ts";

export interface TxConnection {
  readonly db: Connection;
  readonly st: Statements;
}

/** The caller holds the writers' mutex. */
export async function transact<T>(
  { db, st }: TxConnection,
  platform: Platform,
  now: () => number,
  user: (sql: TxSql) => Promise<T>,
  seal: (value: T) => Commit,
  timeoutMs: number,
): Promise<TxAnswer<T>> {
  await retryWhileBusy(platform, () => st.begin.run());
  const savepoint = `pawl_${platform.randomHex(8)}`;
  const gate = { open: true };
  try {
    db.exec(`savepoint ${savepoint}`);
    const value = await userPart(db, platform, savepoint, gate, user, timeoutMs);
    const commit = seal(value);
    const reason = refusalReason(commit);
    const answer: CommitAnswer = reason === null ? applyFinalCommit(st, commit, now()) : { kind: "refused", reason };
    if (answer.kind !== "committed") {
      rollback(db);
      return { answer, value, commit };
    }
    platform.hit("engine:commit");
    try {
      st.commit.run();
    } catch (e) {
      throw storeError(e, "commit");
    }
    platform.hit("engine:ack");
    return { answer, value, commit };
  } catch (e) {
    rollback(db);
    throw e;
  } finally {
    gate.open = false;
  }
}

function applyFinalCommit(st: Statements, commit: Commit, now: number): CommitAnswer {
  try {
    return applyCommit(st, commit, now);
  } catch (e) {
    if (isContent(e)) return { kind: "refused", reason: contentReason(e, isClash(e)) };
    throw storeError(e, "statement");
  }
}

async function userPart<T>(
  db: Connection,
  platform: Platform,
  savepoint: string,
  gate: { open: boolean },
  user: (sql: TxSql) => Promise<T>,
  timeoutMs: number,
): Promise<T> {
  const sql: TxSql = {
    async query(parts, values) {
      if (!gate.open) throw transactionEnded();
      return query(db, parts, values);
    },
    client: txClient(db, gate),
  };
  const limit = new TxLimit(platform, timeoutMs, timeoutMs, async () => "executing"); // no network: nothing is ever on its way
  try {
    return await Promise.race([user(sql), limit.expired]);
  } finally {
    limit.end();
    gate.open = false;
    try {
      db.exec(`release ${savepoint}`);
    } catch (e) {
      // oxlint-disable-next-line no-unsafe-finally -- whatever the user's part said, its transaction is in doubt.
      throw endedFromInside(e);
    }
  }
}

/** One statement as a template tag gives it: also what tests write their tables with. */
export function query(
  db: Connection,
  parts: readonly string[],
  values: readonly SqlValue[],
): { rows: Record<string, SqlValue>[]; changes: number } {
  for (const v of values) if (typeof v === "string") checkText("ctx.tx", v);
  const before = totalChanges(db);
  const statement = db.prepare(parts.join("?"));
  // Integers beyond 2^53 would make the driver throw: they come as bigint, and are returned as numbers where they fit.
  statement.setReadBigInts(true);
  const rows = statement.all(...values.map(bindable)).map(plainRow);
  const changed = totalChanges(db) !== before;
  return { rows, changes: changed ? Number(db.prepare("select changes() as n").get()?.["n"]) : 0 };
}

function totalChanges(db: Connection): number {
  return Number(db.prepare("select total_changes() as n").get()?.["n"]);
}

function plainRow(row: Row): Record<string, SqlValue> {
  const entries = Object.entries(row).map(([k, v]): [string, SqlValue] => {
    return [k, typeof v === "bigint" && v >= -9007199254740991n && v <= 9007199254740991n ? Number(v) : v];
  });
  return Object.fromEntries(entries);
}
