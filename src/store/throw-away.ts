// A place in a database that is made for one test and removed after it: a file, a schema, a database. Its maker gives a store's
// URL, a connection past the store for the tables of the user's own, and a way to remove all of it. It must never touch
// anything that it did not make.
import type { TxSql } from "./transaction-store.ts";

export interface ThrowAway {
  /** Where the store lies; unqualified names of the user's tables lie there too. */
  readonly url: string;
  /** Statements past the store, on a connection of their own. */
  readonly sql: TxSql;
  /** Closes the connection and removes what was made. */
  remove(): Promise<void>;
}

/** The name of what is made: plain on every server, and nobody else's. */
export function throwAwayName(randomHex: (bytes: number) => string): string {
  return `pawl_test_${randomHex(8)}`;
}
