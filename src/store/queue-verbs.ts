// The verbs of queues as every store answers them: what is checked before anything is asked, what needs no asking, who hears of it
// afterwards. A store brings only what it does to its rows, each in a transaction of its own (or one synchronous step).
import { checkQueueNames, checkText } from "./check-text.ts";
import { noticeKey } from "./keys.ts";
import type { Scope } from "../core/model.ts";
import type {
  DispatchEnd,
  DispatchQuery,
  DispatchRow,
  HeldDispatch,
  Hint,
  QueueClaim,
  QueueClaimAnswer,
  QueueDepth,
  QueueTable,
  StoredQueue,
} from "./port.ts";
import { changedQueue, checkBeats, checkQueueChange, checkQueueClaim, hasOtherRate, heldName, lastBeats } from "./queue-rules.ts";

/** A queue's row under its lock. One of version 0 is only reserved: nobody has seen it. */
export interface LockedQueue {
  readonly queue: StoredQueue;
  /** When the queue would have been empty at its rate, in microseconds. */
  readonly tatUs: number;
}
/** Whether the row may be changed, and into what. Decided under the lock. */
export type DecideQueue = (there: LockedQueue | undefined, nowMs: number) => LockedQueue | "moved";

/** A report that came after its row had ended. */
export interface LateReport {
  readonly runId: string;
  readonly stepId: string;
  readonly dispatchId: number;
  readonly payload: string;
  /** Once per dispatch. */
  readonly key: string;
}

export interface QueueRows {
  /** Throws once the store is closed. */
  open(): void;
  tell(hints: readonly Hint[]): void;
  /** Ascending by name, each once; without names, all of the scope. */
  queues(scope: Scope, names?: readonly string[]): Promise<readonly StoredQueue[]>;
  /** Rows without limits, where there are none. */
  makeQueues(scope: Scope, names: readonly string[]): Promise<unknown>;
  /** Holds the row, writes what is decided. `make`: a missing row may be made. */
  changeQueue(scope: Scope, queue: string, make: boolean, decide: DecideQueue): Promise<StoredQueue | "moved">;
  claim(q: QueueClaim): Promise<QueueClaimAnswer>;
  /** Each named once. Returns the rows that ended and whose runs have got the message. */
  finish(
    ends: readonly (HeldDispatch & { readonly end: DispatchEnd })[],
  ): Promise<readonly Pick<DispatchRow, "dispatchId" | "token" | "runId">[]>;
  /** Where what `finish` wrote may be seen before it is durable: resolves when it is. Until then nobody may forget what it reported. */
  flush?(): Promise<void>;
  postLate(report: LateReport): Promise<boolean>;
  /** Each named once. By `heldName`: whether the worker should stop. What is missing is no longer its own. */
  beat(worker: string, held: readonly (HeldDispatch & { readonly beat?: string })[]): Promise<ReadonlyMap<string, boolean>>;
  /** Each named once. */
  giveBack(held: readonly HeldDispatch[]): Promise<{
    readonly freed: readonly Pick<DispatchRow, "queue" | "rankAt">[];
    /** Runs that have got the message `withdrawn`. */
    readonly notified: readonly string[];
  }>;
  lapse(limit: number): Promise<readonly (Pick<DispatchRow, "runId" | "dispatchId"> & { readonly notified: boolean })[]>;
  rows(q: DispatchQuery): Promise<readonly DispatchRow[]>;
  depth(scope: Scope, queue: string, upTo: number): Promise<QueueDepth>;
  sweep(limit: number): Promise<number>;
}

/** The first that names a row has it. */
function firstOfEach<T extends HeldDispatch>(held: readonly T[]): T[] {
  const first = new Map<string, T>();
  for (const h of held) if (!first.has(heldName(h))) first.set(heldName(h), h);
  return [...first.values()];
}

export function queueTable(d: QueueRows): QueueTable {
  const notify = (runIds: readonly string[]): void => d.tell([...new Set(runIds)].map((runId) => ({ kind: "inbox", runId })));
  return {
    async open(scope, names) {
      d.open();
      checkQueueNames(...names);
      const wanted = [...new Set(names)];
      if (wanted.length === 0) return [];
      const found = await d.queues(scope, wanted);
      if (found.length === wanted.length) return found;
      await d.makeQueues(scope, wanted);
      return d.queues(scope, wanted);
    },
    async list(scope) {
      d.open();
      return d.queues(scope);
    },
    async configure(scope, queue, change, ifVersion) {
      d.open();
      checkQueueChange(queue, change);
      return d.changeQueue(scope, queue, (ifVersion ?? 0) === 0, (there, nowMs) => {
        const before = there?.queue.version === 0 ? undefined : there?.queue;
        if (ifVersion !== undefined && ifVersion !== (before?.version ?? 0)) return "moved";
        const after = changedQueue(queue, before, change, nowMs);
        const anew = before === undefined || hasOtherRate(before.config, after.config);
        return { queue: after, tatUs: anew ? 0 : (there?.tatUs ?? 0) };
      });
    },
    async claim(q) {
      d.open();
      checkQueueClaim(q);
      return d.claim(q);
    },
    async finish(ends) {
      d.open();
      checkText("finish", ...ends.map((e) => e.token));
      if (ends.length === 0) return [];
      const asked = firstOfEach(ends);
      const notified = await d.finish(asked);
      notify(notified.map((x) => x.runId)); // the owner may read it while it becomes durable
      await d.flush?.(); // also what is gone: it may have gone a moment ago, by a report whose answer was lost
      const [first, recorded] = [new Set(asked), new Set(notified.map(heldName))];
      return ends.map((e) => (first.has(e) && recorded.has(heldName(e)) ? "recorded" : "gone"));
    },
    async postLate(runId, stepId, ended) {
      d.open();
      checkText("postLate", runId, stepId);
      const { dispatchId } = ended;
      const key = noticeKey({ toRunId: runId, kind: "result", name: stepId, id: String(dispatchId) });
      const put = await d.postLate({ runId, stepId, dispatchId, payload: JSON.stringify(ended), key });
      if (put) notify([runId]);
      return put;
    },
    async beat(worker, held) {
      d.open();
      checkBeats(worker, held);
      if (held.length === 0) return { cancel: [], lost: [] };
      const known = await d.beat(worker, lastBeats(held));
      const idsWhere = (is: (name: string) => boolean): number[] => held.filter((h) => is(heldName(h))).map((h) => h.dispatchId);
      return { cancel: idsWhere((name) => known.get(name) === true), lost: idsWhere((name) => !known.has(name)) };
    },
    async giveBack(held) {
      d.open();
      checkText("giveBack", ...held.map((h) => h.token));
      if (held.length === 0) return;
      const { freed, notified } = await d.giveBack(firstOfEach(held));
      notify(notified);
      d.tell(freed.map((x) => ({ kind: "queue", queue: x.queue, rank: x.rankAt })));
    },
    async lapse(limit) {
      d.open();
      const over = await d.lapse(limit);
      notify(over.filter((x) => x.notified).map((x) => x.runId));
      return over.map(({ runId, dispatchId }) => ({ runId, dispatchId }));
    },
    async rows(q) {
      d.open();
      checkText("rows", q.runId, q.queue, q.worker);
      return d.rows(q);
    },
    async depth(scope, queue, upTo) {
      d.open();
      return d.depth(scope, queue, upTo);
    },
    async sweep(limit) {
      d.open();
      return d.sweep(limit);
    },
  };
}
