// What layer 2 rejected, remembered outside the log (resolution 29): the same append is answered with the same rejection, by
// whichever process, until an operator forgets it (D-111 … D-113). One row per (runId, idempotencyKey), written once. It is
// never asked about an event that is in the log: duplicates are found before (resolution 30).
import type { Scope } from "../core/model.ts";
import type { InvalidTransition } from "../core/transitions.ts";
import { PawlError } from "../errors/error.ts";
import { runRowKey, scopedCollection } from "../store/keys.ts";
import type { FullStore } from "../store/full-store.ts";
import type { KvRow } from "../store/reader-store.ts";
import type { RunEventWrite } from "../core/contract.ts";

/** Why, and what the log said then. */
export interface Rejection extends Pick<InvalidTransition, "expectedState" | "actualState" | "attemptedEventType"> {
  readonly runId: string;
  readonly idempotencyKey: string;
  /** The last runSeq when it was rejected. */
  readonly headSeq: number;
}

export function rejectionKey(e: { readonly runId: string; readonly idempotencyKey: string }): string {
  return runRowKey(e.runId, e.idempotencyKey);
}

export function rejectionOf(write: RunEventWrite, invalid: InvalidTransition, headSeq: number): Rejection {
  const { expectedState, actualState, attemptedEventType } = invalid;
  return { runId: write.runId, idempotencyKey: write.idempotencyKey, expectedState, actualState, attemptedEventType, headSeq };
}

/** Made from what is remembered and nothing else, so that it says the same every time (D-113). */
export function rejectionError(r: Rejection): PawlError {
  const text = `${r.attemptedEventType} is invalid now: it needs ${r.expectedState}, but found ${r.actualState}`;
  return new PawlError("PAWL4021", text, { data: { ...r } });
}

export interface RejectionStore {
  /** Those of these events that were rejected before, by their row's key. */
  known(events: readonly RunEventWrite[]): Promise<Map<string, Rejection>>;
  /** Durable once it returns; a row that another process wrote first is the one that holds, and is returned. */
  remember(rejections: readonly Rejection[]): Promise<Map<string, Rejection>>;
  clear(runId: string, idempotencyKey: string): Promise<boolean>;
}

export function rejectionStore(store: FullStore, scope: Scope): RejectionStore {
  const collection = scopedCollection("rejected", scope);
  const read = (rows: readonly KvRow[]): Map<string, Rejection> => new Map(rows.map((r) => [r.key, JSON.parse(r.value) as Rejection]));
  return {
    known: async (events) => (events.length === 0 ? new Map() : read(await store.kv.get(collection, events.map(rejectionKey)))),
    async remember(all) {
      const rows = new Map(all.map((r) => [rejectionKey(r), r]));
      for (;;) {
        const there = rows.size === 0 ? [] : await store.kv.get(collection, [...rows.keys()]);
        for (const [key, first] of read(there)) rows.set(key, first);
        const missing = [...rows].filter(([key]) => !there.some((r) => r.key === key));
        if (missing.length === 0) return rows;
        await store.kv.put(missing.map(([key, r]) => ({ collection, key, value: JSON.stringify(r), expect: 0 })));
      }
    },
    async clear(runId, idempotencyKey) {
      const key = rejectionKey({ runId, idempotencyKey });
      const [there] = await store.kv.get(collection, [key]);
      if (there !== undefined) await store.kv.put([{ collection, key, value: null }]);
      return there !== undefined;
    },
  };
}
