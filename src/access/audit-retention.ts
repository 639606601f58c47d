// Retention of the audit log, apart from that of runs: seven years at least. What is removed leaves the place where its chain now begins,
// so that verification can tell retention from records that somebody removed. Interrupted, it continues where it was.
import type { Scope } from "../core/model.ts";
import { PawlError } from "../errors/error.ts";
import type { FullStore } from "../store/full-store.ts";
import type { KvWrite } from "../store/reader-store.ts";
import { auditCollections, auditLink, auditTimeKey, indexWrites, type AuditFloor, type AuditHead, type AuditRow } from "./audit-rows.ts";

/** Seven years, with their leap days. */
export const auditKeepMsMin: number = 2_557 * 86_400_000;
const pageSize = 200;

/** Removes records that are older, and returns how many. */
export async function removeOldAudit(store: FullStore, scope: Scope, keepMs: number = auditKeepMsMin): Promise<number> {
  if (!(keepMs >= auditKeepMsMin)) throw new PawlError("PAWL5001", "the audit log is kept for seven years at least: 2557d");
  const c = auditCollections(scope);
  const before = (await store.info()).nowMs - keepMs;
  const floors = new Map<string, AuditFloor>();
  let removed = 0;
  for (;;) {
    // Always from the newest of the old ones: what was listed is gone by the next time.
    const page = await store.kv.list({ collection: c.rows, limit: pageSize, after: `${auditTimeKey(before)}0` });
    const writes = new Map<string, KvWrite>();
    const remove = (collection: string, key: string): unknown => writes.set(`${collection} ${key}`, { collection, key, value: null });
    for (const stored of page) {
      const r = JSON.parse(stored.value) as AuditRow;
      if (!floors.has(r.chain)) {
        const floor: AuditFloor = { seq: r.seq + 1, prev: auditLink(stored.value), at: r.at };
        floors.set(r.chain, floor);
        const [known] = await store.kv.get(c.floors, [r.chain]);
        if (known === undefined || (JSON.parse(known.value) as AuditFloor).seq < floor.seq)
          writes.set(`floor ${r.chain}`, { collection: c.floors, key: r.chain, value: JSON.stringify(floor) });
      }
      remove(c.rows, stored.key);
      for (const w of indexWrites(c, r)) remove(w.collection, w.key);
    }
    if (writes.size > 0) await store.kv.put([...writes.values()]);
    removed += page.length;
    if (page.length < pageSize) break;
  }
  await removeEmptyChains(store, c.heads, c.floors, floors);
  return removed;
}

async function removeEmptyChains(
  store: FullStore,
  heads: string,
  floorRows: string,
  floors: ReadonlyMap<string, AuditFloor>,
): Promise<void> {
  for (const [chain, floor] of floors) {
    const [head] = await store.kv.get(heads, [chain]);
    if (head === undefined || (JSON.parse(head.value) as AuditHead).seq >= floor.seq) continue;
    await store.kv.put([
      { collection: heads, key: chain, value: null, expect: head.version },
      { collection: floorRows, key: chain, value: null },
    ]);
  }
}
