// A transaction that belongs to the user: what may be handed in, and the view of a store from inside it. Structural types,
// so that nobody needs a driver's types who does not use that driver. Guards that Pawl never ends such a transaction: it
// writes between savepoints of its own and leaves COMMIT and ROLLBACK to the caller that said BEGIN.
import { PawlError } from "../errors/error.ts";
import type { Commit, CommitAnswer, Store } from "./port.ts";

/** A `Client` or a `PoolClient` of `pg`; a pool is none, since its statements may meet different sessions. */
export interface PgTransaction {
  query(q: { text: string }): unknown;
  readonly escapeLiteral: (text: string) => string;
  readonly totalCount?: undefined;
}

/** A connection of `mysql2`, with promises or with callbacks; a pool is none. */
export interface MysqlTransaction {
  query(q: { sql: string }): unknown;
  readonly beginTransaction: unknown;
  readonly getConnection?: undefined;
}

/** A handle of the SQLite that the store itself uses: `openHandle` of pawl/sqlite makes one. */
export interface SqliteTransaction {
  exec(sql: string): unknown;
  prepare(sql: string): { run(...values: never[]): unknown; get(...values: never[]): unknown; all(...values: never[]): unknown };
}

/**
 * The connection on which you have begun a transaction, to the database that holds the store. Use it for nothing else until
 * Pawl has answered: what goes wrong is taken back to a savepoint, with whatever was written since.
 */
export type UserTransaction = PgTransaction | MysqlTransaction | SqliteTransaction;

/** The verbs inside the user's transaction: what they write exists once the user commits, or never. */
export interface TransactionView extends Pick<Store, "post" | "run"> {
  /** A Commit with `expect.create` and no owner: any engine claims the run once it is there. */
  create(c: Commit): Promise<CommitAnswer>;
  /** Whether the transaction is over. Asked on the store's own connections, never on the user's, which may long be elsewhere. */
  hasEnded(runId: string): Promise<boolean>;
}

export function unusableTransaction(why: string, cause?: unknown): PawlError {
  return new PawlError("PAWL3012", `tx: ${why}`, { outcome: "none", ...(cause === undefined ? {} : { cause }) });
}

/** An object that has all of these as functions. */
export function hasMethods(own: unknown, ...verbs: readonly string[]): boolean {
  if (typeof own !== "object" || own === null) return false;
  return verbs.every((v) => typeof (own as Record<string, unknown>)[v] === "function");
}

const queues = new WeakMap<object, Promise<unknown>>();

/** One after the other on each connection: two at a time would end each other's savepoints. */
export function oneAtATime<T>(own: object, body: () => Promise<T>): Promise<T> {
  const mine = (queues.get(own) ?? Promise.resolve()).then(body);
  queues.set(
    own,
    mine.catch(() => {}),
  );
  return mine;
}
