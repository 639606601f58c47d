// Small rules about queues that every store obeys alike, as pure functions: a dispatch's rank, how many a rate permits, what a queue's row
// becomes, what the end of a dispatch is recorded as. No state, no clock of its own.
import { PawlError } from "../errors/error.ts";
import { checkQueueNames, checkText } from "./check-text.ts";
import type {
  DispatchEnd,
  DispatchEnded,
  DispatchRow,
  DispatchWrite,
  HeldDispatch,
  QueueChange,
  QueueClaim,
  StoredQueue,
  StoredQueueConfig,
} from "./queue-store.ts";

export const defaultQueueConfig: StoredQueueConfig = { concurrency: null, rate: null, agingMs: 60_000 };

/** Fixed when the row is written: who waits longer, or has a higher priority, comes first. */
export function rankOf(d: Pick<DispatchWrite, "since" | "priority" | "agingMs">, persistedAt: number): number {
  return (d.since ?? persistedAt) - d.priority * d.agingMs;
}

/** null: only the worker's death ends the claim. */
export function claimDeadline(timeoutMs: number | null, nowMs: number, beginWithinMs: number): number | null {
  return timeoutMs === null ? null : nowMs + beginWithinMs + timeoutMs;
}

type Rate = NonNullable<StoredQueueConfig["rate"]>;

/** Rounded up: over a whole `perMs`, never more than `limit`. */
function stepUs(rate: Rate): number {
  return Math.ceil((rate.perMs * 1000) / rate.limit);
}

/** A clock may be set back by so much without anything being given twice. */
const clockSlackMs = 60_000;
/** A time that the rate cannot have led to was written before the clock was set back: nobody waits until the clock has caught up. */
function possibleTat(rate: Rate, tatUs: number, nowMs: number): number {
  return tatUs > (nowMs + clockSlackMs) * 1000 + rate.burst * stepUs(rate) ? 0 : tatUs;
}

/** How many may start now. `tatUs`: the time at which the queue would have been empty, in microseconds, as it is stored. */
export function ratePermits(rate: Rate, tatUs: number, nowMs: number): number {
  const step = stepUs(rate);
  const ahead = Math.max(possibleTat(rate, tatUs, nowMs) - nowMs * 1000, 0);
  const room = (rate.burst - 1) * step - ahead;
  return room < 0 ? 0 : Math.floor(room / step) + 1;
}

/** What is stored after so many have started. */
export function tatAfter(rate: Rate, tatUs: number, nowMs: number, taken: number): number {
  return Math.max(possibleTat(rate, tatUs, nowMs), nowMs * 1000) + stepUs(rate) * taken;
}

/** When the rate permits the next one; null: now. */
export function nextPermitAt(rate: Rate | null, tatUs: number, nowMs: number): number | null {
  if (rate === null || ratePermits(rate, tatUs, nowMs) > 0) return null;
  return Math.ceil((possibleTat(rate, tatUs, nowMs) - (rate.burst - 1) * stepUs(rate)) / 1000);
}

/** So many may be claimed, with so many claimed already: the least of what was asked for, the limit and the rate. */
export function claimRoom(q: QueueClaim, config: StoredQueueConfig, claimed: number, tatUs: number, nowMs: number): number {
  const asked = Math.min(q.limit, q.tokens.length);
  const free = config.concurrency === null ? asked : config.concurrency - claimed;
  const permitted = config.rate === null ? asked : ratePermits(config.rate, tatUs, nowMs);
  return Math.max(0, Math.min(asked, free, permitted));
}

export function isLimited(config: StoredQueueConfig): boolean {
  return config.concurrency !== null || config.rate !== null;
}

/** The queue's row after a change; `before` is undefined for a row that is not there yet. */
export function changedQueue(queue: string, before: StoredQueue | undefined, change: QueueChange, nowMs: number): StoredQueue {
  const config = { ...(before?.config ?? defaultQueueConfig), ...change.config };
  const paused = change.paused === undefined ? (before?.paused ?? null) : change.paused === null ? null : { ...change.paused, at: nowMs };
  return { queue, config, paused, version: (before?.version ?? 0) + 1 };
}

/** Whether what was used of the old rate counts no more: another rate begins with all that it permits. */
export function hasOtherRate(before: StoredQueueConfig, after: StoredQueueConfig): boolean {
  const [a, b] = [before.rate, after.rate];
  return a?.limit !== b?.limit || a?.perMs !== b?.perMs || a?.burst !== b?.burst;
}

/** What the end of a dispatch is recorded as. */
type EndedRow = Pick<
  DispatchRow,
  "seq" | "what" | "dispatchId" | "attempt" | "engineAttempt" | "worker" | "token" | "claimedAt" | "deadlineAt" | "beat"
>;

export function dispatchEnded(row: EndedRow, end: DispatchEnd): DispatchEnded {
  const { seq, what, dispatchId, attempt, engineAttempt, worker, token, claimedAt, deadlineAt } = row;
  const beat: unknown = row.beat === null ? null : JSON.parse(row.beat);
  return { seq, what, dispatchId, attempt, engineAttempt, worker, token, claimedAt, deadlineAt, beat, end };
}

/** As a claim that never was: nothing had begun when the row was given back. */
export const unclaimed = { worker: null, token: null, claimedAt: null, deadlineAt: null } as const;

export function checkQueueChange(queue: string, change: QueueChange): void {
  checkQueueNames(queue);
  if (change.paused !== undefined && change.paused !== null) checkText("configure", change.paused.by, change.paused.reason);
  const { concurrency, rate, agingMs } = change.config ?? {};
  const count = (what: string, n: number | null | undefined, least: number): void => {
    if (n === undefined || n === null || (Number.isSafeInteger(n) && n >= least)) return;
    throw new PawlError("PAWL4011", `queue ${queue}: ${what} must be a whole number of at least ${least}`);
  };
  count("concurrency", concurrency, 0);
  count("rate.limit", rate?.limit, 1);
  count("rate.perMs", rate?.perMs, 1);
  count("rate.burst", rate?.burst, 1);
  count("agingMs", agingMs, 0);
}

export function checkQueueClaim(q: QueueClaim): void {
  checkText("claim", q.worker, ...q.tasks, ...q.tokens);
}

/** One text for what a worker holds: its row and the claim's token. */
export function heldName(h: { readonly dispatchId: number; readonly token: string | null }): string {
  return `${h.dispatchId} ${h.token}`;
}

/** Each once; of several beats of one row, the last. */
export function lastBeats<T extends HeldDispatch & { readonly beat?: string }>(held: readonly T[]): T[] {
  const last = new Map<string, T>();
  for (const h of held) if (h.beat !== undefined || !last.has(heldName(h))) last.set(heldName(h), h);
  return [...last.values()];
}

/** `beat` is JSON text: it becomes part of the message to the run when the dispatch ends. */
export function checkBeats(worker: string, held: readonly (HeldDispatch & { readonly beat?: string })[]): void {
  checkText("beat", worker, ...held.flatMap((h) => [h.token, h.beat]));
  for (const { beat } of held) {
    if (beat === undefined) continue;
    try {
      JSON.parse(beat);
    } catch (e) {
      throw new PawlError("PAWL3005", "beat: a beat is JSON text", { cause: e });
    }
  }
}
