// The way into a transaction of the caller's own, on the database that holds the store. It never begins or ends one: that is the caller's.
// A store without SQL refuses.
import { PawlError } from "../../errors/error.ts";
import type { FullStore } from "../../store/full-store.ts";
import type { TransactionView, UserTransaction } from "../../store/user-transaction.ts";

/** The store from inside a transaction of the caller's own. */
export async function joinUserTransaction(store: FullStore, tx: UserTransaction): Promise<TransactionView> {
  if (store.joinTransaction === undefined)
    throw new PawlError("PAWL3008", `tx needs a store with SQL, which the ${store.name} store has not`);
  return store.joinTransaction(tx);
}
