// The consumer SDK: a handler that is called with one event after the other of each run, at least once, in order. It may be called
// again with an event after a crash, never after the event was acknowledged; its own effects go by (runId, runSeq) or eventId.
// What is acknowledged together is a page; a slow handler's page is cut short after a second, so that little comes again.
import { PawlError } from "../errors/error.ts";
import type { RunEventRecord } from "../core/contract.ts";
import { toRecord } from "../events/envelope.ts";
import type { Platform } from "../platform/platform.ts";
import type { FullStore } from "../store/full-store.ts";
import type { ConsumerId } from "../store/reader-store.ts";
import { consume } from "./consume.ts";
import { defaultBackoffMs, type RunningConsumer, type HandlerResult, type Page } from "./consume-types.ts";
import { checkSubscriberName } from "./consumer-names.ts";

export interface Delivery {
  /** The last runSeq of this run that was acknowledged; 0 = none. */
  readonly watermark: number;
  /** How often this event has failed in a row. */
  readonly failures: number;
  /** Aborted when the subscription ends, or another process has taken it over. */
  readonly signal: AbortSignal;
}
export interface SubscribeOptions {
  /** The consumer's name: its progress is kept under it, for all processes that use it. */
  readonly consumer: string;
  /** Where a new consumer begins: with the logs that are there, or with what comes from now on. Default "start". */
  readonly from?: "start" | "now";
  /** Throwing holds the run back and tries the event again later; other runs continue. */
  readonly handler: (event: RunEventRecord, d: Delivery) => unknown;
  /** Events of a run that are acknowledged together, at most: what may come again after a crash. Default 100. */
  readonly batch?: number;
  /** Runs at the same time; the events of one run never overlap. Default 1. */
  readonly concurrency?: number;
  /** After so many failures in a row an event becomes a dead letter and its run continues. Default: never. */
  readonly deadLetterAfter?: number;
  /** How long a process that died keeps others waiting. Default 10 seconds. */
  readonly leaseMs?: number;
  /** Ends by itself when nothing waits. */
  readonly once?: boolean;
}
export interface Subscription {
  /**
   * Lets the handler finish, records how far it came, and gives the lease back.
   *
   * @example
   * await subscription.stop();
   */
  stop(): Promise<void>;
  /** Settles when the subscription has ended: after stop(), or with `once`. */
  readonly done: Promise<void>;
}

const pageTimeMs = 1_000;

export async function subscribe(
  around: {
    readonly store: FullStore;
    readonly platform: Platform;
    readonly scope: ConsumerId["scope"];
    readonly onTrouble?: (e: unknown) => void;
  },
  o: SubscribeOptions,
): Promise<RunningConsumer> {
  const { store, platform, scope, onTrouble } = around;
  const { batch, concurrency, deadLetterAfter, leaseMs } = o;
  if (typeof o.handler !== "function") throw new PawlError("PAWL5001", "handler must be a function");
  if (o.from !== undefined && o.from !== "start" && o.from !== "now") throw new PawlError("PAWL5001", 'from is "start" or "now"');
  const counts = { batch, concurrency, deadLetterAfter, leaseMs };
  for (const [name, n] of Object.entries(counts))
    if (n !== undefined && (!Number.isSafeInteger(n) || n < 1))
      throw new PawlError("PAWL5001", `${name} must be a whole number of at least 1`);
  const consumer: ConsumerId = { scope, name: o.consumer };
  await checkSubscriberName(store, consumer);
  return consume({
    store,
    platform,
    consumer,
    from: o.from ?? "start",
    handle: (page) => eachEvent(platform, page, o.handler),
    retry: (f) => (deadLetterAfter !== undefined && f.failures >= deadLetterAfter ? "give up" : defaultBackoffMs(f)),
    once: o.once === true,
    ...(batch === undefined ? {} : { batch }),
    ...(concurrency === undefined ? {} : { concurrency }),
    ...(leaseMs === undefined ? {} : { leaseMs }),
    ...(onTrouble === undefined ? {} : { onTrouble }),
  });
}

async function eachEvent(platform: Platform, page: Page, handler: SubscribeOptions["handler"]): Promise<HandlerResult> {
  const begunAt = platform.monotonicMs();
  let upTo = page.after;
  for (const e of page.events) {
    if (upTo > page.after && (page.signal.aborted || platform.monotonicMs() - begunAt > pageTimeMs)) break;
    try {
      const failures = upTo === page.after ? page.failures : 0;
      await handler(toRecord(page.run, e), { watermark: page.after, failures, signal: page.signal });
    } catch (error) {
      return { upTo, failed: { error } };
    }
    upTo = e.runSeq;
  }
  return { upTo };
}
