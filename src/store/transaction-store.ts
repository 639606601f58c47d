// The facet of stores with SQL: Pawl's writes and the user's own in one transaction, begun by Pawl (ctx.tx) or by the user (the option tx).
// A store without it refuses both.
import type { Commit, CommitAnswer } from "./commit-types.ts";
import type { TxClient } from "./sql/tx-client.ts";
import type { TransactionView, UserTransaction } from "./user-transaction.ts";

export type SqlValue = string | number | bigint | boolean | null | Uint8Array;

export interface TxSql {
  /** `parts` and `values` as a template tag gets them; the store writes its own placeholders. */
  query(parts: readonly string[], values: readonly SqlValue[]): Promise<{ rows: Record<string, SqlValue>[]; changes: number }>;
  /** The driver's own client on the same connection, guarded; absent where a store has none to give. */
  readonly client?: TxClient;
}

export interface TransactionStore {
  /**
   * ctx.tx (K11): begin, the user's statements, the Commit that `seal` makes as the last write, COMMIT. Anything but
   * `committed` rolls all of it back. A user error rolls back and is thrown as it is.
   */
  transact<T>(
    user: (sql: TxSql) => Promise<T>,
    seal: (value: T) => Commit,
    timeoutMs: number,
  ): Promise<{ readonly answer: CommitAnswer; readonly value: T }>;

  /** The same verbs inside a transaction of the user's own, if the store has SQL. PAWL3012 if this is none, or none of this database. */
  joinTransaction?(own: UserTransaction): Promise<TransactionView>;
}
