// The verbs of batches: create, list, get, stop, wait. A batch is an order in a row; engines and servers of the tenant work it. The same requestId
// is the same batch. It must never act on a run itself: the worker does, one request per run.
import type { BatchView, NewBatch } from "../../api/types/operate.ts";
import { isUuidV4 } from "../../core/names.ts";
import { PawlError } from "../../errors/error.ts";
import { toTimeText } from "../../events/envelope.ts";
import { canonicalJson } from "../../codec/canonical.ts";
import type { ClientContext, LocalClientDeps } from "../client-deps.ts";
import { toRunQuery } from "../lists/list-runs.ts";
import {
  batchOfRequest,
  batchView,
  insertBatch,
  listBatchRows,
  readBatch,
  replaceBatch,
  type BatchRow,
  type StoredBatch,
} from "./batch-rows.ts";
import { BatchWorker } from "./batch-worker.ts";
import type { BatchPage, BatchVerbs, StopBatch } from "./types.ts";

const actions: readonly string[] = ["retry", "cancel", "pause", "resume", "terminate"];
const defaultMax = 1_000;
const highestMax = 100_000;
const sampleMax = 20;
const waitPollMs = 200;

export function batchVerbs(c: ClientContext): BatchVerbs {
  return {
    create: (b) => createBatch(c, b),
    list: (q) => listBatches(c, q),
    get: async (batchId) => batchView((await requireBatch(c, batchId)).row),
    stop: (batchId, o) => stopBatch(c, batchId, o),
    wait: (batchId, o) => waitForBatch(c, batchId, o?.timeoutMs),
  };
}

async function createBatch(c: LocalClientDeps, b: NewBatch): Promise<BatchView> {
  const { filter, action, reason, max, requestId } = checkBatch(b);
  const query = toRunQuery(c.scope, filter);
  const createdAt = (await c.store.info()).nowMs;
  const row: BatchRow = {
    batchId: c.platform.uuidV7(),
    requestId: requestId ?? c.platform.uuidV4(),
    action,
    filter,
    reason,
    max,
    state: "working",
    createdAt,
    ...(c.by === undefined ? {} : { by: c.by }),
    done: 0,
    skipped: 0,
    failed: 0,
    failures: [],
  };
  if (b.dryRun === true) return dryRun(c, row, query);
  if (await insertBatch(c.store, c.scope, row)) return batchView(row);
  const known = await batchOfRequest(c.store, c.scope, row.requestId);
  if (known === undefined) throw new PawlError("PAWL3002", "the batch was not created, and none has its requestId");
  return sameBatch(known.row, row);
}

function sameBatch(known: BatchRow, asked: BatchRow): BatchView {
  const order = ({ action, filter, reason, max }: BatchRow): string => canonicalJson({ action, filter, reason, max } as never);
  if (order(known) === order(asked)) return { ...batchView(known), replayed: true };
  throw new PawlError("PAWL4053", `this requestId was used for another batch, ${known.batchId}`, { data: { batchId: known.batchId } });
}

async function dryRun(c: LocalClientDeps, row: BatchRow, query: ReturnType<typeof toRunQuery>): Promise<BatchView> {
  const until = Math.min(query.until ?? Number.POSITIVE_INFINITY, row.createdAt);
  const sample: string[] = [];
  let matches = 0;
  let cursor: string | undefined;
  do {
    const limit = Math.min(1_000, row.max - matches);
    const page = await c.store.runs({ ...query, until, limit, ...(cursor === undefined ? {} : { cursor }) });
    matches += page.runs.length;
    sample.push(...page.runs.slice(0, sampleMax - sample.length).map((r) => r.runId));
    cursor = page.cursor;
  } while (cursor !== undefined && matches < row.max);
  return { ...batchView(row), state: "dry-run", createdAt: toTimeText(row.createdAt), matches, sample };
}

async function listBatches(c: LocalClientDeps, q: { readonly limit?: number; readonly cursor?: string } = {}): Promise<BatchPage> {
  const { limit = 50, cursor } = q;
  if (!Number.isSafeInteger(limit) || limit < 1 || limit > 1_000)
    throw new PawlError("PAWL4011", "limit must be a whole number from 1 to 1000");
  if (cursor !== undefined && !/^[\w%.~-]{1,200}$/.test(cursor))
    throw new PawlError("PAWL4011", "cursor is invalid: pass one that a listing returned");
  const { rows, last } = await listBatchRows(c.store, c.scope, { limit, ...(cursor === undefined ? {} : { after: cursor }) });
  return { batches: rows.map(batchView), ...(last === undefined ? {} : { cursor: last }) };
}

async function stopBatch(c: LocalClientDeps, batchId: string, o: StopBatch): Promise<BatchView> {
  checkReason(o?.reason);
  for (;;) {
    const { row, version } = await requireBatch(c, batchId);
    if (row.state !== "working") return batchView(row);
    const stopped: BatchRow = { ...row, state: "stopped" };
    const answer = await c.store.kv.put(replaceBatch(c.scope, stopped, version));
    if (answer.kind === "put") return batchView(stopped);
  }
}

/** Works it from here while no other process does. */
async function waitForBatch(c: ClientContext, batchId: string, timeoutMs?: number): Promise<BatchView> {
  const worker = new BatchWorker(c);
  const deadline = timeoutMs === undefined ? Number.POSITIVE_INFINITY : c.platform.monotonicMs() + timeoutMs;
  try {
    for (;;) {
      const { row } = await requireBatch(c, batchId);
      if (row.state !== "working") return batchView(row);
      if (c.platform.monotonicMs() >= deadline)
        throw new PawlError("PAWL4006", `batch ${batchId} is still at work`, { data: { batchId, done: row.done } });
      await worker.pass();
      if ((await requireBatch(c, batchId)).row.state === "working")
        await new Promise<void>((resolve) => void c.platform.timer(waitPollMs, resolve, true));
    }
  } finally {
    await worker.stop();
  }
}

async function requireBatch(c: LocalClientDeps, batchId: string): Promise<StoredBatch> {
  const found = typeof batchId === "string" ? await readBatch(c.store, c.scope, batchId) : undefined;
  if (found === undefined) throw new PawlError("PAWL4132", `there is no batch ${String(batchId)}`, { data: { batchId: String(batchId) } });
  return found;
}

function checkBatch(b: NewBatch): Omit<NewBatch, "max" | "dryRun"> & { readonly max: number } {
  const { filter, action, reason, max = defaultMax, requestId } = b;
  if (typeof filter !== "object" || filter === null)
    throw new PawlError("PAWL4011", 'filter must be an object, such as { status: ["FAILED"] }');
  if (!actions.includes(action)) throw new PawlError("PAWL4011", `action must be one of ${actions.join(", ")}`);
  checkReason(reason);
  if (!Number.isSafeInteger(max) || max < 1 || max > highestMax)
    throw new PawlError("PAWL4011", `max must be a whole number from 1 to ${highestMax}`);
  if (requestId !== undefined && !isUuidV4(requestId)) throw new PawlError("PAWL4011", "requestId must be a UUID of version 4");
  return { filter, action, reason, max, ...(requestId === undefined ? {} : { requestId }) };
}

function checkReason(reason: unknown): void {
  if (typeof reason !== "string" || reason.trim() === "") throw new PawlError("PAWL4090", "a batch needs a reason");
}
