// The signed records beside the seals (events/seal.ts), read from the store: what each sealer counted, and which seals retention removed.
// It reads rows and checks nothing: anyone who uses a record checks its signature first.
import type { FullStore } from "../store/full-store.ts";
import type { KvRow } from "../store/reader-store.ts";
import { sealCollection } from "../events/seal.ts";

/** All records of one kind in the collection, as their rows. */
export async function readSealRecords(store: Pick<FullStore, "kv">, kind: "sealer" | "retired"): Promise<readonly KvRow[]> {
  const all: KvRow[] = [];
  for (;;) {
    const after = all.at(-1)?.key ?? `${kind}/`;
    const page = await store.kv.list({ collection: sealCollection, after, before: `${kind}0`, limit: pageSize });
    all.push(...page);
    if (page.length < pageSize) return all;
  }
}
const pageSize = 500;
