// Batches as rows of the store: one row per batch with its order, its place and its counts, one that makes a repeated request find it, and one
// that exists while it has work left. Keys sort newest first. It must never lose a count: a row is written under the version it was read at.
import type { BatchAction, BatchView, NewBatch } from "../../api/types/operate.ts";
import type { Principal } from "../../core/principal.ts";
import type { Scope } from "../../core/model.ts";
import { toTimeText } from "../../events/envelope.ts";
import { sha256Hex } from "../../platform/crypto/hash.ts";
import { scopedCollection } from "../../store/keys.ts";
import type { FullStore } from "../../store/full-store.ts";
import type { KvRow, KvWrite } from "../../store/reader-store.ts";

export interface BatchRow {
  readonly batchId: string;
  readonly requestId: string;
  readonly action: BatchAction;
  readonly filter: NewBatch["filter"];
  readonly reason: string;
  readonly max: number;
  readonly state: "working" | "done" | "stopped";
  /** The store's time: runs created since then are not its own. */
  readonly createdAt: number;
  readonly by?: Principal;
  readonly done: number;
  readonly skipped: number;
  readonly failed: number;
  readonly failures: BatchView["failures"];
  /** Of the store's listing; absent before the first page. */
  readonly cursor?: string;
}
export interface StoredBatch {
  readonly row: BatchRow;
  readonly version: number;
}

const rowsOf = (scope: Scope): string => scopedCollection("batches", scope);
const requestsOf = (scope: Scope): string => scopedCollection("batch-requests", scope);
const activeOf = (scope: Scope): string => scopedCollection("batches-active", scope);

/** A UUID v7 begins with its time: counted down, the newest comes first. */
function keyOf(batchId: string): string {
  const time = Number.parseInt(batchId.replaceAll("-", "").slice(0, 12), 16);
  return `${(0xffff_ffff_ffff - (Number.isNaN(time) ? 0 : time)).toString(16).padStart(12, "0")}-${encodeURIComponent(batchId).slice(0, 100)}`;
}

/** The same for the same batch and run: whatever is asked for twice acts once. */
export function requestIdFor(batchId: string, runId: string): string {
  const h = sha256Hex(`batch|${batchId}|${runId}`);
  const variant = ((Number.parseInt(h[16]!, 16) & 3) | 8).toString(16);
  return `${h.slice(0, 8)}-${h.slice(8, 12)}-4${h.slice(13, 16)}-${variant}${h.slice(17, 20)}-${h.slice(20, 32)}`;
}

/** false: a batch was created under this requestId before. */
export async function insertBatch(store: FullStore, scope: Scope, row: BatchRow): Promise<boolean> {
  const answer = await store.kv.put([
    { collection: requestsOf(scope), key: row.requestId, value: row.batchId, expect: 0 },
    { collection: rowsOf(scope), key: keyOf(row.batchId), value: JSON.stringify(row), expect: 0 },
    { collection: activeOf(scope), key: row.batchId, value: "1", expect: 0 },
  ]);
  return answer.kind === "put";
}

export async function batchOfRequest(store: FullStore, scope: Scope, requestId: string): Promise<StoredBatch | undefined> {
  const [found] = await store.kv.get(requestsOf(scope), [requestId]);
  return found === undefined ? undefined : readBatch(store, scope, found.value);
}

export async function readBatch(store: FullStore, scope: Scope, batchId: string): Promise<StoredBatch | undefined> {
  const [row] = await store.kv.get(rowsOf(scope), [keyOf(batchId)]);
  return row === undefined ? undefined : parseBatch(row);
}

export async function listBatchRows(
  store: FullStore,
  scope: Scope,
  q: { readonly limit: number; readonly after?: string },
): Promise<{ readonly rows: readonly BatchRow[]; readonly last?: string }> {
  const rows = await store.kv.list({ collection: rowsOf(scope), limit: q.limit, ...(q.after === undefined ? {} : { after: q.after }) });
  const last = rows.length < q.limit ? undefined : rows.at(-1)?.key;
  return { rows: rows.map((r) => parseBatch(r).row), ...(last === undefined ? {} : { last }) };
}

export async function activeBatches(store: FullStore, scope: Scope): Promise<readonly string[]> {
  if (store.lacks?.includes("reader") === true) return [];
  return (await store.kv.list({ collection: activeOf(scope), limit: 50 })).map((r) => r.key);
}

/** The writes that put this row in place of the one that was read. */
export function replaceBatch(scope: Scope, row: BatchRow, version: number): KvWrite[] {
  const put: KvWrite = { collection: rowsOf(scope), key: keyOf(row.batchId), value: JSON.stringify(row), expect: version };
  return row.state === "working" ? [put] : [put, removeActive(scope, row.batchId)];
}

export function removeActive(scope: Scope, batchId: string): KvWrite {
  return { collection: activeOf(scope), key: batchId, value: null };
}

function parseBatch(row: KvRow): StoredBatch {
  return { row: JSON.parse(row.value) as BatchRow, version: row.version };
}

/** Without what is only for the worker and for repeated requests. */
export function batchView(b: BatchRow): BatchView {
  const { batchId, action, filter, reason, max, state, by, done, skipped, failed, failures } = b;
  const order = { batchId, action, filter, reason, max, state, createdAt: toTimeText(b.createdAt), ...(by === undefined ? {} : { by }) };
  return { ...order, done, skipped, failed, failures };
}
