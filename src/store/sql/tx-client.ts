// The driver's own client inside ctx.tx, as users and their query builders see it: `pg`'s client, `mysql2`'s connection or the SQLite
// handle. Structural types, so that nobody needs a driver's types who does not use that driver. Each is guarded: it lives as long
// as its transaction, and never begins or ends one (statement-guard.ts).
import { PawlError } from "../../errors/error.ts";
import type { Commit, CommitAnswer } from "../port.ts";

/** What the driver of Postgres answers with, as far as it is the same for every query. */
export interface PgTxResult {
  rows: any[];
  rowCount: number | null;
  command: string;
  fields: any[];
  oid: number;
}
type PgQuery = string | { readonly text: string; readonly values?: readonly unknown[] };

/** A client of `pg`: with promises, or with a callback. */
export interface PgTxClient {
  readonly dialect: "postgres";
  query(q: PgQuery, values?: readonly unknown[]): Promise<PgTxResult>;
  query(q: PgQuery, callback: (e: Error | null, result?: PgTxResult) => void): void;
  query(q: PgQuery, values: readonly unknown[], callback: (e: Error | null, result?: PgTxResult) => void): void;
  escapeLiteral(text: string): string;
  escapeIdentifier(text: string): string;
  /** For code that treats it as a client of a pool: does nothing. */
  release(): void;
}

type MysqlQuery = string | { readonly sql: string; readonly values?: readonly unknown[] };
type MysqlDone = (e: Error | null, result?: any, fields?: any) => void;

interface MysqlPromises {
  query(q: MysqlQuery, values?: readonly unknown[]): Promise<[any, any]>;
  execute(q: MysqlQuery, values?: readonly unknown[]): Promise<[any, any]>;
}
/** A connection of `mysql2`: with callbacks, or with promises. */
export interface MysqlTxClient extends MysqlPromises {
  readonly dialect: "mysql";
  query(q: MysqlQuery, values?: readonly unknown[]): Promise<[any, any]>;
  query(q: MysqlQuery, done: MysqlDone): void;
  query(q: MysqlQuery, values: readonly unknown[], done: MysqlDone): void;
  execute(q: MysqlQuery, values?: readonly unknown[]): Promise<[any, any]>;
  execute(q: MysqlQuery, done: MysqlDone): void;
  execute(q: MysqlQuery, values: readonly unknown[], done: MysqlDone): void;
  promise(): MysqlPromises;
  /** For code that treats it as a connection of a pool: does nothing. */
  release(): void;
}

export interface SqliteTxStatement {
  run(...values: any[]): { changes: number | bigint; lastInsertRowid: number | bigint };
  get(...values: any[]): any;
  all(...values: any[]): any[];
}
/** The handle of the SQLite that the store uses. */
export interface SqliteTxClient {
  readonly dialect: "sqlite";
  exec(sql: string): void;
  prepare(sql: string): SqliteTxStatement;
}

export type TxClient = PgTxClient | MysqlTxClient | SqliteTxClient;

/** A statement on its way: refused when the transaction is over, and part of its time. */
export type SendStatement = <R>(statement: () => Promise<R>) => Promise<R>;

export function transactionEnded(): PawlError {
  return new PawlError("PAWL3010", "ctx.tx: this transaction has ended; use db only inside the function of ctx.tx");
}

/** Found at the end of the user's part: its savepoint is gone, and nobody can say what was kept. */
export function endedFromInside(cause: unknown): PawlError {
  const message = "ctx.tx: a statement ended the transaction; leave COMMIT and ROLLBACK to Pawl";
  return new PawlError("PAWL3010", message, { cause, outcome: "unknown" });
}

/** How the transaction of a ctx.tx ended. */
export interface TxAnswer<T> {
  readonly answer: CommitAnswer;
  readonly value: T;
  readonly commit: Commit;
}

/** Thrown where others were in the way: rolled back, and the user's function may be run again. */
export class RetryTransaction extends Error {}

/** Calls back as drivers do where a callback was given; else it is the promise. */
export function promiseOrCallback<R>(
  p: Promise<R>,
  done: ((e: Error | null, ...rest: any[]) => void) | undefined,
  spread: (r: R) => unknown[],
): Promise<R> | undefined {
  if (done === undefined) return p;
  p.then(
    (r) => done(null, ...spread(r)),
    (e: unknown) => done(e as Error),
  );
  return undefined;
}
