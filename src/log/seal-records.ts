// The signed records beside the seals (log/seal.ts), read from the store: what each sealer counted, and which seals retention removed.
// It reads rows and checks nothing: whoever uses a record checks its signature first.
import type { Store } from "../store/port.ts";
import type { ShelfRow } from "../store/shelf.ts";
import { sealShelf } from "./seal.ts";

/** All records of one kind on the shelf, as their rows. */
export async function sealRecords(store: Pick<Store, "shelves">, kind: "sealer" | "retired"): Promise<readonly ShelfRow[]> {
  const all: ShelfRow[] = [];
  for (;;) {
    const after = all.at(-1)?.key ?? `${kind}/`;
    const page = await store.shelves.list({ shelf: sealShelf, after, before: `${kind}0`, limit: recordsAtOnce });
    all.push(...page);
    if (page.length < recordsAtOnce) return all;
  }
}
const recordsAtOnce = 500;
