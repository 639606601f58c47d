// When a request is sent again. A read, and a write that carries its own id, are sent again while the trouble may pass: within a window of time, and no
// sooner than the server asks. Any other write is sent once. A write that may have arrived and was never answered ends as outcome "unknown";
// a read never does.
import type { AddressedRequest } from "../../api/address.ts";
import { type Operation, operationSpecs } from "../../api/operations.ts";
import { PawlError } from "../../errors/error.ts";
import { type AnswerForm, tryRequest, type TryResult } from "./request.ts";
import type { HttpTarget } from "./target.ts";

/** How long a request is sent again, unless its caller waits longer. */
export const retryWindowMs = 30_000;
/** One try may take this long beyond what it asks the server to wait. */
const tryMs = 15_000;
const firstDelayMs = 100;
const delayMsMax = 2_000;

export interface SendOptions {
  readonly signal?: AbortSignal | undefined;
  /** What the request itself asks the server to wait. */
  readonly waitMs?: number;
  /** Of a read: the caller's own time limit, by the client's clock. */
  readonly deadline?: number;
  readonly answers?: AnswerForm;
  /** Of a stream: the place after which it continues. */
  readonly lastEventId?: string;
}

type Repeats = "read" | "by-id" | "never";

/**
 * Events carry their own keys: to append them again changes nothing. A worker that registers again is another one; that of a lost answer never
 * asks for work.
 */
export function repeatsOf(operation: Operation): Repeats {
  const spec = operationSpecs[operation];
  if (spec.changes !== true) return "read";
  return spec.idempotentBy !== undefined || operation === "events.append" || operation === "workers.register" ? "by-id" : "never";
}

export async function sendRequest(t: HttpTarget, operation: Operation, r: AddressedRequest, o: SendOptions): Promise<unknown> {
  const repeats = repeatsOf(operation);
  const startedAt = t.web.monotonicMs();
  const windowMs = Math.max(retryWindowMs, (o.waitMs ?? 0) + tryMs);
  const until = repeats === "read" && o.deadline !== undefined ? o.deadline : startedAt + windowMs;
  const caller = o.signal === undefined ? t.closed : AbortSignal.any([t.closed, o.signal]);
  let inDoubt = false;
  let refusedToken = false;
  for (let failures = 0; ; failures++) {
    caller.throwIfAborted();
    const result = await tryWithin(t, r, caller, { ...o, repeats, until });
    if (result.kind === "answered") return result.value;
    const first401 = result.unauthenticated && !refusedToken;
    refusedToken ||= result.unauthenticated;
    // Another token, once: the first one may have expired on its way.
    if (first401 && t.renewable) continue;
    inDoubt ||= result.inDoubt;
    const delayMs = Math.max(result.afterMs ?? 0, spread(t, Math.min(firstDelayMs * 2 ** failures, delayMsMax)));
    if (repeats === "never" || !result.passing || t.web.monotonicMs() + delayMs >= until) throw lastError(result.error, repeats, inDoubt);
    if (failures === 0) t.onRetry?.(result.error);
    await t.web.sleep(delayMs, caller);
  }
}

/** One try, cut when its time is over: a line that is silent is as good as one that broke. */
async function tryWithin(
  t: HttpTarget,
  r: AddressedRequest,
  caller: AbortSignal,
  o: SendOptions & { readonly repeats: Repeats; readonly until: number },
): Promise<TryResult> {
  const limitMs = (o.waitMs ?? 0) + tryMs;
  const ownMs = o.repeats === "never" ? limitMs : Math.max(1, Math.min(limitMs, o.until - t.web.monotonicMs()));
  const late = new AbortController();
  const done = new AbortController();
  void t.web.sleep(ownMs, done.signal).then(
    () => late.abort(),
    () => {},
  );
  try {
    return await tryRequest(t, r, { ...o, signal: AbortSignal.any([caller, late.signal]) });
  } catch (e) {
    if (!late.signal.aborted || caller.aborted) throw e;
    const message = `${t.base} did not answer within ${Math.round(ownMs)} ms`;
    return { kind: "failed", error: new PawlError("PAWL4088", message), passing: true, inDoubt: true, unauthenticated: false };
  } finally {
    done.abort();
  }
}

/** Half of it for certain, half by chance: callers that failed together do not come back together. */
function spread(t: HttpTarget, ms: number): number {
  return ms / 2 + t.web.random() * (ms / 2);
}

/** What an earlier try did stays unknown, unless the last answer is about the request itself: known ids are answered before anything else. */
function lastError(e: PawlError, repeats: Repeats, inDoubt: boolean): PawlError {
  if (repeats === "read" || !inDoubt || e.outcome !== "none" || !beforeTheRequest.has(e.page)) return e;
  return new PawlError(e.page, e.message, { cause: e.cause, outcome: "unknown", data: e.data });
}

/** What a server says before it looks whether it knows a request's id. */
const beforeTheRequest = new Set(["PAWL4080", "PAWL4081", "PAWL4084", "PAWL4085", "PAWL4088", "PAWL4091", "PAWL4092"]);
