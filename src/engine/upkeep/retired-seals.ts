// What retention leaves of sealed logs: a signed record, per sealer, of the seals that went with them. So a check of the
// store can tell a log that expired from one that somebody took away. The record is written before the log goes, under the
// same key. It must never sign over a record that none of its own keys made: somebody may have added to it.
import type { SealKey } from "../../log/seal-key-file.ts";
import { idempotencyKey } from "../../events/event-key.ts";
import { pawlEvents } from "../../events/payload.ts";
import {
  readStatement,
  retiredRowKey,
  sealCollection,
  signStatement,
  type RetiredStatement,
  type SealStatement,
} from "../../events/seal.ts";
import type { FullStore } from "../../store/full-store.ts";
import type { RunRow } from "../../store/port.ts";

const keysAtOnce = 100;

/** The payloads of a run's seals, to be put on record before its log goes. False: nobody can sign for them, and the log stays. */
export async function recordRetiredSeals(
  store: FullStore,
  storeId: string,
  key: SealKey,
  payloads: readonly (string | null)[],
): Promise<boolean> {
  const seals: SealStatement[] = [];
  for (const payload of payloads) {
    const read = readStatement(payload, "pawl.seal", key.ring);
    if (!read.ok) return false;
    if (read.statement.storeId === storeId) seals.push(read.statement);
  }
  for (const sealer of new Set(seals.map((s) => s.sealer))) {
    const numbers = seals.filter((s) => s.sealer === sealer).map((s) => s.n);
    if (!(await writeRetired(store, storeId, key, sealer, numbers))) return false;
  }
  return true;
}

/** The payloads of a run's seals. Ordinals are counted from 1: the first that is missing ends them. */
export async function sealPayloads(store: FullStore, run: RunRow): Promise<(string | null)[]> {
  const { runId, workflow: planId, version: planVersion } = run;
  const found: (string | null)[] = [];
  for (;;) {
    const keys = Array.from({ length: keysAtOnce }, (_, i) =>
      idempotencyKey({ runId, stepId: null, logicalAttemptId: found.length + i + 1, eventType: pawlEvents.sealed, planId, planVersion }),
    );
    const page = await store.events({ runId, idempotencyKeys: keys });
    found.push(...page.map((e) => e.payload));
    if (page.length < keysAtOnce) return found;
  }
}

async function writeRetired(store: FullStore, storeId: string, key: SealKey, sealer: string, numbers: readonly number[]): Promise<boolean> {
  for (;;) {
    const [row] = await store.kv.get(sealCollection, [retiredRowKey(sealer)]);
    const before = row === undefined ? null : readStatement(row.value, "pawl.retired", key.ring);
    if (before?.ok === false) return false;
    const ranges = mergeRanges([...(before?.statement.ranges ?? []), ...numbers.map((n) => [n, n] as const)]);
    const statement: RetiredStatement = { kind: "pawl.retired", v: 1, storeId, keyId: key.keyId, sealer, ranges };
    const write = {
      collection: sealCollection,
      key: retiredRowKey(sealer),
      value: signStatement(key.signer, statement),
      expect: row?.version ?? 0,
    };
    if ((await store.kv.put([write])).kind === "put") return true;
  }
}

/** The same numbers in the fewest ranges. */
export function mergeRanges(ranges: readonly (readonly [number, number])[]): (readonly [number, number])[] {
  const out: [number, number][] = [];
  for (const [from, to] of [...ranges].sort((a, b) => a[0] - b[0])) {
    const last = out.at(-1);
    if (last !== undefined && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else out.push([from, to]);
  }
  return out;
}
