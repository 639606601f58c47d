// The same key with another payload (resolution 31): the stored record stays and is returned, and that they differ is kept as
// an alert, one per (runId, eventId), however often it is seen, among those that projectors raise: the rows are theirs
// (readers/projection-rows.ts). An alert names hashes under the record's own salt, never a payload. It must never decide whether an
// append succeeds.
import { canonicalJson } from "../codec/canonical.ts";
import type { Scope } from "../core/model.ts";
import { runRowKey, scopedCollection } from "../store/keys.ts";
import type { FullStore } from "../store/full-store.ts";
import type { EventRecord } from "../store/port.ts";
import type { CheckedEvent } from "./append-check.ts";
import { payloadHash } from "../events/hash-chain.ts";
import { toTimeText } from "../events/envelope.ts";

const code = "PAYLOAD_MISMATCH";

export interface PayloadMismatch {
  readonly record: EventRecord;
  readonly given: CheckedEvent;
}

/** Whether an append says what the record says; null when the record's payload has expired and nobody can tell. */
export function samePayload(record: Pick<EventRecord, "payload" | "payloadHash">, given: string | null): boolean | null {
  if (record.payload === given) return record.payload !== null || record.payloadHash === null ? true : null;
  if (record.payload === null) return record.payloadHash === null ? false : null;
  return given !== null && canonicalOrSelf(record.payload) === canonicalOrSelf(given);
}

/** Members in any order, numbers as they are read; as it stands, where there is no canonical form. */
function canonicalOrSelf(text: string): string {
  try {
    return canonicalJson(JSON.parse(text));
  } catch {
    return text;
  }
}

export async function recordMismatches(store: FullStore, scope: Scope, mismatches: readonly PayloadMismatch[]): Promise<void> {
  const [collection, due] = [scopedCollection("alert", scope), scopedCollection("alert-due", scope)];
  const rows = new Map(mismatches.map((m) => [mismatchAlertKey(m), m]));
  while (rows.size > 0) {
    for (const { key } of await store.kv.get(collection, [...rows.keys()])) rows.delete(key);
    if (rows.size === 0) return;
    const writes = [...rows].flatMap(([key, m]) => [
      { collection, key, value: JSON.stringify(mismatchAlert(scope, m)), expect: 0 },
      { collection: due, key, value: m.record.eventId },
    ]);
    await store.kv.put(writes);
  }
}

function mismatchAlertKey({ record, given }: PayloadMismatch): string {
  return runRowKey(given.write.runId, record.eventId, code);
}

/** The fields of every alert (D-121 … D-131); the states are the payload's: what is stored, and what was attempted. */
function mismatchAlert(scope: Scope, { record, given }: PayloadMismatch): object {
  const hash = (text: string | null): string => (text === null ? "none" : payloadHash(record.salt ?? "", text).slice(0, 16));
  return {
    code,
    runId: given.write.runId,
    ...scope,
    eventId: record.eventId,
    eventType: record.eventType,
    ...(record.stepId === null ? {} : { stepId: record.stepId }),
    logicalAttemptId: record.logicalAttemptId,
    runSeq: record.runSeq,
    persistedAt: toTimeText(record.persistedAt),
    priorState: `payload ${hash(record.payload)}`,
    attemptedState: `payload ${hash(given.payload)}`,
    projector: "append",
    delivered: false,
  };
}
