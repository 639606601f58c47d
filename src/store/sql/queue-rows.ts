// Rows of queues, dispatches and snapshots as values of the port, for the stores that speak SQL: which column holds which field. It decides
// nothing, so that a wrong answer is never hidden in a conversion.
import { parseScopeKey } from "../keys.ts";
import type { DispatchRow, DispatchWhat, QueueDepth, QueuePause, StoredQueue } from "../port.ts";
import type { LockedQueue } from "../queue-verbs.ts";
import type { RowReader } from "./columns.ts";

/** What is read of a dispatch, of a queue and of a snapshot. */
export const dispatchColumnNames: string =
  "dispatch_id, scope, run_id, seq, what, step_id, attempt, engine_attempt, queue, task, rank_at, held, spec, enqueued_at, expires_at, " +
  "timeout_ms, worker, token, claimed_at, deadline_at, beat, cancel";
export const queueColumnNames = "queue, concurrency, rate_limit, rate_per_ms, rate_burst, tat_us, aging_ms, paused, version";
export const snapshotColumnNames = "run_id, at_seq, digest, body";

/** What is written of a queue. */
export function queueColumns({ queue: { config, paused, version }, tatUs }: LockedQueue): Record<string, string | number | null> {
  const { concurrency, rate, agingMs } = config;
  return {
    concurrency,
    rate_limit: rate?.limit ?? null,
    rate_per_ms: rate?.perMs ?? null,
    rate_burst: rate?.burst ?? null,
    tat_us: tatUs,
    aging_ms: agingMs,
    paused: paused === null ? null : JSON.stringify(paused),
    version,
  };
}

export interface QueueRowMappers<R> {
  toDispatch(r: R): DispatchRow;
  toQueue(r: R): StoredQueue;
}

export function queueRowMappers<R>({ text, textOrNull, int, intOrNull, bool }: RowReader<R>): QueueRowMappers<R> {
  return {
    toDispatch: (r) => ({
      dispatchId: int(r, "dispatch_id"),
      scope: parseScopeKey(text(r, "scope")),
      runId: text(r, "run_id"),
      seq: int(r, "seq"),
      what: text(r, "what") as DispatchWhat,
      stepId: text(r, "step_id"),
      attempt: int(r, "attempt"),
      engineAttempt: int(r, "engine_attempt"),
      queue: text(r, "queue"),
      task: text(r, "task"),
      rankAt: int(r, "rank_at"),
      held: bool(r, "held"),
      spec: text(r, "spec"),
      enqueuedAt: int(r, "enqueued_at"),
      expiresAt: intOrNull(r, "expires_at"),
      timeoutMs: intOrNull(r, "timeout_ms"),
      worker: textOrNull(r, "worker"),
      token: textOrNull(r, "token"),
      claimedAt: intOrNull(r, "claimed_at"),
      deadlineAt: intOrNull(r, "deadline_at"),
      beat: textOrNull(r, "beat"),
      cancel: bool(r, "cancel"),
    }),
    toQueue(r) {
      const limit = intOrNull(r, "rate_limit");
      const paused = textOrNull(r, "paused");
      const rate = limit === null ? null : { limit, perMs: int(r, "rate_per_ms"), burst: int(r, "rate_burst") };
      return {
        queue: text(r, "queue"),
        config: { concurrency: intOrNull(r, "concurrency"), rate, agingMs: int(r, "aging_ms") },
        paused: paused === null ? null : (JSON.parse(paused) as QueuePause),
        version: int(r, "version"),
      };
    },
  };
}

/** From rows with a task and its count, and one without that has the other two counts. */
export function toDepth<R>(rows: readonly R[], { text, textOrNull, int }: RowReader<R>): QueueDepth {
  const byTask: Record<string, number> = {};
  const depth = { ready: 0, claimed: 0, held: 0, oldestAt: null as number | null, byTask };
  for (const r of rows) {
    if (textOrNull(r, "task") === null) {
      depth.claimed = int(r, "claimed");
      depth.held = int(r, "held");
      continue;
    }
    byTask[text(r, "task")] = int(r, "n");
    depth.ready += int(r, "n");
    depth.oldestAt = Math.min(depth.oldestAt ?? Infinity, int(r, "oldest_at"));
  }
  return depth;
}
