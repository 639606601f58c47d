// Where a run stands after a page, pure: the watermark passes what was acknowledged or given up, and nothing else (D-020); an
// event that failed holds its run back or becomes a dead letter. Types do not matter here: an unknown event moves the
// watermark like any other (D-018).
import { newWatermark, failureText, type ConsumerDeadLetter, type Watermark } from "./watermarks.ts";
import { defaultBackoffMs, type ConsumeOptions, type HandlerResult, type Page } from "./consume-types.ts";

export interface Advance {
  readonly to: Watermark;
  readonly deadLetter: ConsumerDeadLetter | null;
}

export function advanceWatermark(a: {
  readonly page: Page;
  readonly mark: Watermark;
  readonly handled: HandlerResult;
  /** The page reached the end of the log. */
  readonly whole: boolean;
  readonly nowMs: number;
  readonly retry: ConsumeOptions["retry"];
}): Advance {
  const { run, events, after } = a.page;
  const last = events.at(-1)?.runSeq ?? after;
  const upTo = Math.min(Math.max(a.handled.upTo ?? last, after), last);
  const event = events.find((e) => e.runSeq > upTo);
  // What is left comes again: from the feed, or, for a run that was held, from its own row, which stays and is due.
  const goOn = (m: Watermark): Watermark => (a.whole && m.seq === last ? m : { ...m, heldUntil: a.mark.heldUntil });
  if (event === undefined || a.handled.failed === undefined) return { to: goOn(newWatermark(run.runId, upTo)), deadLetter: null };
  const { error } = a.handled.failed;
  const failures = upTo === after ? a.mark.failures + 1 : 1;
  const again = (a.retry ?? defaultBackoffMs)({ run, event, failures, error });
  const text = failureText(error);
  if (again !== "give up") {
    const heldUntil = a.nowMs + Math.max(1, Math.ceil(again));
    return { to: { ...newWatermark(run.runId, upTo), failures, error: text, heldUntil }, deadLetter: null };
  }
  const { runSeq, eventId, eventType } = event;
  return { to: goOn(newWatermark(run.runId, runSeq)), deadLetter: { runId: run.runId, runSeq, eventId, eventType, failures, error: text } };
}
