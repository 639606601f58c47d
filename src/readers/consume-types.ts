// What a consumer's handler is given and what it answers. Types, and the default patience. A page belongs to one run; what
// is written with it is written in the same transaction as the watermark, or not at all.
import type { Platform } from "../platform/platform.ts";
import type { FullStore } from "../store/full-store.ts";
import type { EventRecord, RunRow } from "../store/port.ts";
import type { ConsumerId, KvWrite } from "../store/reader-store.ts";

/** The next events of one run. */
export interface Page {
  readonly run: RunRow;
  /** Ascending by runSeq, at least one, all after the watermark. */
  readonly events: readonly EventRecord[];
  /** The watermark: the last runSeq of this run that was acknowledged; 0 = none. */
  readonly after: number;
  /** How often the first of these events has failed in a row. */
  readonly failures: number;
  /** The store's clock, nearly. */
  readonly nowMs: number;
  /** Aborted when the consumer shall stop or has lost its lease: finish what was begun, acknowledge it, return. */
  readonly signal: AbortSignal;
}
export interface HandlerResult {
  /** Acknowledges every event up to and with this runSeq; absent = the whole page. Less than that is handed over again. */
  readonly upTo?: number;
  /** Why the event after `upTo` could not be handled: its run is held back, or the event is given up (`retry`). */
  readonly failed?: { readonly error: unknown };
  /** Rows to put in the same transaction as the watermark. One whose `expect` fails undoes all of it; then the page comes again, and in the end the run is held back. */
  readonly writes?: readonly KvWrite[];
}
/** An event failed for the `failures`th time in a row. */
export interface HandlerFailure {
  readonly run: RunRow;
  readonly event: EventRecord;
  readonly failures: number;
  readonly error: unknown;
}
export interface ConsumeOptions {
  readonly store: FullStore;
  readonly platform: Platform;
  readonly consumer: ConsumerId;
  /** Where a new consumer begins; a known one continues from its watermark. */
  readonly from: "start" | "now";
  /** Throwing is the same as `failed` before the first event. Pages of different runs overlap, those of one run never. */
  readonly handle: (page: Page) => Promise<HandlerResult | void>;
  /** In how many milliseconds an event that failed is tried again, or that it is given up and its run continues (a dead letter). */
  readonly retry?: (f: HandlerFailure) => number | "give up";
  /** Events in a page, at most. */
  readonly batch?: number;
  /** Runs at the same time. */
  readonly concurrency?: number;
  readonly leaseMs?: number;
  /** Ends when nothing waits that is due. */
  readonly once?: boolean;
  /** Called with how many rows of the feed waited when it was looked at; at most 256 are seen. */
  readonly onFeedRead?: (rows: number) => void;
  /** Called with what went wrong outside the handler; the loop continues by itself. */
  readonly onTrouble?: (e: unknown) => void;
}
export interface RunningConsumer {
  /** Lets what was begun end, keeps account of it, and gives the lease back. */
  stop(): Promise<void>;
  /** Settles when the consumer has ended: after stop(), or with `once`. */
  readonly done: Promise<void>;
}

/** A second, two, four …, at most a minute. */
export function defaultBackoffMs(f: Pick<HandlerFailure, "failures">): number {
  return Math.min(60_000, 1_000 * 2 ** (f.failures - 1));
}
