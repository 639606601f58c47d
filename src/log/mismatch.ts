// The same key with another payload (resolution 31): the stored record stays and is returned, and that they differ is kept as
// an alert, one per (runId, eventId), however often it is seen, among those that projectors raise: the rows are theirs
// (readers/projections.ts). An alert names hashes under the record's own salt, never a payload. It must never decide whether an
// append succeeds.
import { canonicalJson } from "../codec/canonical.ts";
import type { Scope } from "../core/model.ts";
import { runRowKey, scopedShelf } from "../store/keys.ts";
import type { EventRecord, Store } from "../store/port.ts";
import type { Incoming } from "./append-check.ts";
import { payloadHash } from "./chain.ts";
import { timeText } from "./envelope.ts";

const code = "PAYLOAD_MISMATCH";

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
  const [shelf, due] = [scopedShelf("alert", scope), scopedShelf("alert-due", scope)];
  const rows = new Map(mismatches.map((m) => [alertKey(m), m]));
  while (rows.size > 0) {
    for (const { key } of await store.shelves.get(shelf, [...rows.keys()])) rows.delete(key);
    if (rows.size === 0) return;
    const writes = [...rows].flatMap(([key, m]) => [
      { shelf, key, value: JSON.stringify(alertOf(scope, m)), expect: 0 },
      { shelf: due, key, value: m.record.eventId },
    ]);
    await store.shelves.put(writes);
  }
}

function alertKey({ record, given }: Mismatch): string {
  return runRowKey(given.write.runId, record.eventId, code);
}

/** The fields of every alert (D-121 … D-131); the states are the payload's: what is stored, and what was attempted. */
function alertOf(scope: Scope, { record, given }: Mismatch): object {
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
    persistedAt: timeText(record.persistedAt),
    priorState: `payload ${hash(record.payload)}`,
    attemptedState: `payload ${hash(given.payload)}`,
    projector: "append",
    delivered: false,
  };
}
