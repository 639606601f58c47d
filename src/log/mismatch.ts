// The same key with another payload (resolution 31): the stored record stays and is returned, and that they differ is kept as
// an alert, one per (runId, eventId), however often it is seen. An alert names hashes under the record's own salt, never a
// payload. It must never decide whether an append succeeds.
import { canonicalJson } from "../codec/canonical.ts";
import type { Scope } from "../core/model.ts";
import { runRowKey, scopedShelf } from "../store/keys.ts";
import type { EventRecord, Store } from "../store/port.ts";
import type { Incoming } from "./append-check.ts";
import { payloadHash } from "./chain.ts";
import { timeText } from "./envelope.ts";

export interface Mismatch {
  readonly record: EventRecord;
  readonly given: Incoming;
}

/** Whether an append says what the record says; null when the record's payload has expired and nobody can tell. */
export function samePayload(record: Pick<EventRecord, "payload" | "payloadHash">, given: string | null): boolean | null {
  if (record.payload === given) return record.payload !== null || record.payloadHash === null ? true : null;
  if (record.payload === null) return record.payloadHash === null ? false : null;
  return given !== null && canonical(record.payload) === canonical(given);
}

/** Members in any order, numbers as they are read; as it stands, where there is no canonical form. */
function canonical(text: string): string {
  try {
    return canonicalJson(JSON.parse(text));
  } catch {
    return text;
  }
}

export async function recordMismatches(store: Store, scope: Scope, mismatches: readonly Mismatch[]): Promise<void> {
  const shelf = scopedShelf("alerts", scope);
  const rows = new Map(mismatches.map((m) => [alertKey(m), JSON.stringify(alertOf(scope, m))]));
  while (rows.size > 0) {
    for (const { key } of await store.shelves.get(shelf, [...rows.keys()])) rows.delete(key);
    if (rows.size === 0) return;
    await store.shelves.put([...rows].map(([key, value]) => ({ shelf, key, value, expect: 0 })));
  }
}

function alertKey({ record, given }: Mismatch): string {
  return runRowKey(given.write.runId, record.eventId, "payload");
}

/** The fields of every alert (D-121 … D-131); the states are the payload's: what is stored, and what was attempted. */
function alertOf(scope: Scope, { record, given }: Mismatch): object {
  const hash = (text: string | null): string => (text === null ? "none" : payloadHash(record.salt ?? "", text));
  return {
    code: "PAYLOAD_MISMATCH",
    runId: given.write.runId,
    ...scope,
    eventId: record.eventId,
    eventType: record.eventType,
    ...(record.stepId === null ? {} : { stepId: record.stepId }),
    runSeq: record.runSeq,
    persistedAt: timeText(record.persistedAt),
    priorState: `payload ${hash(record.payload)}`,
    attemptedState: `payload ${hash(given.payload)}`,
  };
}
