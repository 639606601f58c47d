// What a store under test must bring along, and the shape of a case. The suite is data: no test framework inside, so
// that the author of a store can run it with their own. Each case opens a fresh bundle and closes what it opened.
import type { UserTransaction } from "../user-transaction.ts";
import { type AnyStore, completeStore, type Facet, type FullStore } from "../full-store.ts";
import type { AcceptedRecord } from "../port.ts";

/** A connection as a user's program opens it, with the database's driver and without the store. */
export interface UserConnection {
  readonly tx: UserTransaction;
  /** One statement: the rows it answers with. */
  sql(text: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
  end(): Promise<void>;
}

export interface SuiteBundle {
  readonly store: AnyStore;
  /** Another store over the same data: what a second process would open. */
  reopen(): Promise<AnyStore>;
  /** Moves the store's clock, which stands still otherwise; a negative step is a clock that was set back. */
  advanceClock(ms: number): void;
  /** Loses an accepted record while its payload stays: an older writer, or a partial restore (W-078). */
  forgetAccepted(record: AcceptedRecord): Promise<void>;
  /** Runs a statement that defines a table, past the store; absent where the store's own transactions can hold one. */
  define?(statement: string): Promise<void>;
  /** Opens a connection of the user's own; absent where the store has no `within`. */
  userConnection?(): Promise<UserConnection>;
  /** The next time this crash point is passed, the verb fails there, as if the process had died. */
  failAt(point: string): void;
  close(): Promise<void>;
}

/** What a case works on: the same, with verbs that refuse in place of the facets that the store does not have. */
export interface OpenBundle extends SuiteBundle {
  readonly store: FullStore;
  reopen(): Promise<FullStore>;
}

/** The part of the suite that a case belongs to: "store" for the verbs that every store has. */
export type SuiteFacet = "store" | Facet;

export interface SuiteCase {
  readonly title: string;
  /** The sentences of the contract that it proves. */
  readonly ids: readonly string[];
  /** Means nothing for a store without it: `transact`, `joinTransaction`, `watch`, one writer for all processes, or `audit` and `archive`. */
  readonly needs?: "transactions" | "user transaction" | "watch" | "one writer" | "maintenance";
  run(open: () => Promise<SuiteBundle>): Promise<void>;
}

export async function openBundle(open: () => Promise<SuiteBundle>): Promise<OpenBundle> {
  const b = await open();
  return { ...b, store: completeStore(b.store), reopen: async () => completeStore(await b.reopen()), close: () => b.close() };
}

/** A case over one bundle that is closed whatever happens. */
export function suiteCase(title: string, ids: readonly string[], body: (b: OpenBundle) => Promise<void>): SuiteCase {
  return {
    title,
    ids,
    async run(open): Promise<void> {
      const b = await openBundle(open);
      try {
        await body(b);
      } finally {
        await b.close();
      }
    },
  };
}
