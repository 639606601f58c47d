// The verbs of batches as a client offers them. Types only: what a batch is and how far it is stands in api/types/operate.ts.
// They must stay what an HTTP client can offer too.
import type { BatchView, NewBatch } from "../../api/types/operate.ts";

export interface BatchPage {
  readonly batches: readonly BatchView[];
  readonly cursor?: string;
}
export interface StopBatch {
  readonly reason: string;
  readonly requestId?: string;
}

/** One action on every run that a filter matches and that was created before the batch. */
export interface BatchVerbs {
  /**
   * Orders a batch. Any engine or server of the tenant works it; with `dryRun` it only says which runs match.
   *
   * @example
   * const { batchId } = await client.batches.create({
   *   filter: { status: ["FAILED"], workflow: "order" },
   *   action: "retry",
   *   reason: "the bank is back",
   * });
   */
  create(b: NewBatch): Promise<BatchView>;
  /**
   * Batches, newest first, a page at a time.
   *
   * @example
   * const { batches } = await client.batches.list({ limit: 20 });
   */
  list(q?: { readonly limit?: number; readonly cursor?: string }): Promise<BatchPage>;
  /**
   * One batch, and how far it is.
   *
   * @example
   * const { state, done, failed } = await client.batches.get(batchId);
   */
  get(batchId: string): Promise<BatchView>;
  /**
   * Stops a batch; what it asked for stays asked for.
   *
   * @example
   * await client.batches.stop(batchId, { reason: "wrong filter" });
   */
  stop(batchId: string, o: StopBatch): Promise<BatchView>;
  /**
   * Waits until the batch is over. A client on a store works it meanwhile if no other process does. Rejects with PAWL4006 when `timeoutMs` passes first.
   *
   * @example
   * const { done, skipped, failed } = await client.batches.wait(batchId);
   */
  wait(batchId: string, o?: { readonly timeoutMs?: number }): Promise<BatchView>;
}
