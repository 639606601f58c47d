// Queues on plain maps: the specification of the facet. Each verb is one synchronous step, so a claim never shares a row and never passes a
// limit. Slots are counted, never stored: none can leak.
import { isSettled, type Scope } from "../../core/model.ts";
import type { Platform } from "../../platform/platform.ts";
import { type CrashPoints, storeCrashPoints } from "../batch-rules.ts";
import { scopeKey } from "../keys.ts";
import type {
  DispatchEnd,
  DispatchQuery,
  DispatchRow,
  QueueClaim,
  QueueClaimAnswer,
  QueueDepth,
  QueueTable,
  StoredQueue,
} from "../port.ts";
import { changedQueue, claimDeadline, claimRoom, heldName, nextPermitAt, tatAfter, unclaimed } from "../queue-rules.ts";
import { type LockedQueue, queueTable } from "../queue-verbs.ts";
import { endDispatch, putDispatch, putResult, removeDispatch } from "./dispatches.ts";
import { type MemoryState, scopedKey } from "./state.ts";

export interface MemoryQueue extends LockedQueue {
  readonly scope: string;
}

export function memoryQueues(s: MemoryState, platform: Platform, now: () => number): QueueTable {
  const claimPoints = storeCrashPoints(platform, "worker:claim", "worker:claimed");
  const finishPoints = storeCrashPoints(platform, "worker:result", "worker:reported");
  return queueTable({
    open: () => void now(),
    tell: (hints) => s.hints.emit(hints),
    queues: async (scope, names) => queuesOf(s, scope).filter((q) => names === undefined || names.includes(q.queue)),
    async makeQueues(scope, names) {
      for (const name of names)
        if (!s.queues.has(scopedKey(scope, name))) putQueue(s, scope, { queue: changedQueue(name, undefined, {}, now()), tatUs: 0 });
    },
    async changeQueue(scope, queue, _make, decide) {
      const decided = decide(s.queues.get(scopedKey(scope, queue)), now());
      if (decided === "moved") return decided;
      putQueue(s, scope, decided);
      return structuredClone(decided.queue);
    },
    claim: async (q) => claimDispatches(s, q, now(), claimPoints),
    async finish(ends) {
      const at = now();
      finishPoints.before?.();
      const ended = ends.flatMap(({ dispatchId, token, end }) => {
        const d = s.dispatches.get(dispatchId);
        return d?.token === token && endDispatch(s, d, end, at) ? d : [];
      });
      finishPoints.after?.();
      return ended;
    },
    postLate: async ({ payload, key, ...of }) => putResult(s, of, payload, key, now()),
    async beat(worker, held) {
      const own = new Map<string, boolean>();
      for (const h of held) {
        const d = s.dispatches.get(h.dispatchId);
        if (d?.worker !== worker || d.token !== h.token) continue;
        if (h.beat !== undefined) putDispatch(s, { ...d, beat: h.beat });
        own.set(heldName(h), d.cancel);
      }
      return own;
    },
    async giveBack(held) {
      const at = now();
      const own = held.flatMap((h) => {
        const d = s.dispatches.get(h.dispatchId);
        return d?.token === h.token ? { ...d, ...unclaimed } : [];
      });
      const [freed, withdrawn] = [own.filter((d) => !d.cancel), own.filter((d) => d.cancel)];
      for (const d of freed) putDispatch(s, d);
      const notified = withdrawn.filter((d) => endDispatch(s, d, { kind: "withdrawn" }, at));
      return { freed, notified: notified.map((d) => d.runId) };
    },
    async lapse(limit) {
      const at = now();
      const over = rowsWhere(s, (d) => overBecause(s, d, at) !== undefined).slice(0, limit);
      return over.map((d) => ({ ...d, notified: endDispatch(s, d, overBecause(s, d, at) ?? { kind: "expired" }, at) }));
    },
    rows: async (q) =>
      rowsWhere(s, (d) => matches(q, d))
        .slice(0, q.limit)
        .map(copyDispatch),
    depth: async (scope, queue, upTo) => depthOf(s, scope, queue, upTo),
    async sweep(limit) {
      const left = rowsWhere(s, (d) => isSettled(s.runs.get(d.runId)?.status ?? "COMPLETED")).slice(0, limit);
      for (const d of left) removeDispatch(s, d);
      return left.length;
    },
  });
}

function queuesOf(s: MemoryState, scope: Scope): StoredQueue[] {
  const here = [...s.queues.values()].filter((q) => q.scope === scopeKey(scope)).map((q) => structuredClone(q.queue));
  return here.sort((a, b) => (a.queue < b.queue ? -1 : 1));
}

function putQueue(s: MemoryState, scope: Scope, { queue, tatUs }: LockedQueue): void {
  s.queues.set(scopedKey(scope, queue.queue), { scope: scopeKey(scope), queue: structuredClone(queue), tatUs });
}

function copyDispatch(d: DispatchRow): DispatchRow {
  return { ...d, scope: { ...d.scope } };
}

/** Ascending by dispatchId, as rows are made. */
function rowsWhere(s: MemoryState, which: (d: DispatchRow) => boolean): DispatchRow[] {
  return [...s.dispatches.values()].filter(which).sort((a, b) => a.dispatchId - b.dispatchId);
}

function matches(q: DispatchQuery, d: DispatchRow): boolean {
  return (
    scopeKey(d.scope) === scopeKey(q.scope) &&
    (q.runId === undefined || d.runId === q.runId) &&
    (q.queue === undefined || d.queue === q.queue) &&
    (q.worker === undefined || d.worker === q.worker) &&
    d.dispatchId > (q.after ?? 0)
  );
}

function claimDispatches(s: MemoryState, q: QueueClaim, at: number, points: CrashPoints): QueueClaimAnswer {
  // K1: only who is known and was not declared dead.
  if (s.engines.get(q.worker)?.dead !== false) return { kind: "dead" };
  const key = scopedKey(q.scope, q.queue);
  const queue = s.queues.get(key);
  if (queue === undefined || queue.queue.version !== q.version) return { kind: "moved" };
  if (queue.queue.paused !== null) return { kind: "paused" };
  const { config } = queue.queue;
  const here = rowsWhere(s, (d) => d.queue === q.queue && scopeKey(d.scope) === queue.scope);
  const n = claimRoom(q, config, here.filter((d) => d.worker !== null).length, queue.tatUs, at);
  const isReady = (d: DispatchRow): boolean =>
    d.worker === null &&
    !d.held &&
    q.tasks.includes(d.task) &&
    (q.from === null || d.rankAt >= q.from) &&
    (d.expiresAt === null || d.expiresAt > at) &&
    s.runs.get(d.runId)?.status === "RUNNING";
  const ready = here.filter(isReady).sort((a, b) => a.rankAt - b.rankAt || a.dispatchId - b.dispatchId);
  const found = ready.slice(0, n);
  if (found.length > 0) points.before?.();
  const rows = found.map((d, i): DispatchRow => {
    const deadlineAt = claimDeadline(d.timeoutMs, at, q.beginWithinMs);
    const row = { ...d, worker: q.worker, token: q.tokens[i] ?? "", claimedAt: at, deadlineAt };
    putDispatch(s, row);
    return copyDispatch(row);
  });
  const { rate } = config;
  const tatUs = rate === null || rows.length === 0 ? queue.tatUs : tatAfter(rate, queue.tatUs, at, rows.length);
  s.queues.set(key, { ...queue, tatUs });
  if (rows.length > 0) points.after?.();
  return { kind: "claimed", rows, more: false, nextAt: nextPermitAt(rate, tatUs, at) };
}

/** Why this row is over; undefined: it is not. */
function overBecause(s: MemoryState, d: DispatchRow, at: number): DispatchEnd | undefined {
  if (d.worker !== null && s.engines.get(d.worker)?.dead !== false) return { kind: "lapsed", because: "dead" };
  if (d.deadlineAt !== null && d.deadlineAt <= at) return { kind: "lapsed", because: "deadline" };
  return d.worker === null && d.expiresAt !== null && d.expiresAt <= at ? { kind: "expired" } : undefined;
}

function depthOf(s: MemoryState, scope: Scope, queue: string, upTo: number): QueueDepth {
  const here = rowsWhere(s, (d) => d.queue === queue && scopeKey(d.scope) === scopeKey(scope));
  const ready = here.filter((d) => d.worker === null && !d.held).slice(0, upTo);
  const byTask: Record<string, number> = {};
  for (const d of ready) byTask[d.task] = (byTask[d.task] ?? 0) + 1;
  return {
    ready: ready.length,
    claimed: Math.min(here.filter((d) => d.worker !== null).length, upTo),
    held: Math.min(here.filter((d) => d.worker === null && d.held).length, upTo),
    oldestAt: ready.length === 0 ? null : Math.min(...ready.map((d) => d.enqueuedAt)),
    byTask,
  };
}
