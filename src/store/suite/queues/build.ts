// Ready-made dispatches, workers and claims for the cases about queues: everything defaulted, so that a case shows only what it is about. A
// claim is asked again where a store says so: no case depends on how many rows one question brings.
import type {
  Commit,
  DispatchEnded,
  DispatchRow,
  DispatchWrite,
  EngineRow,
  InboxRow,
  QueueClaim,
  QueueClaimAnswer,
  RunRow,
} from "../../port.ts";
import type { FullStore } from "../../full-store.ts";
import { kind, present } from "../assert.ts";
import { commitOne, event, next, owned, rowOf, scope } from "../build.ts";

export function dispatch(seq: number, more: Partial<DispatchWrite> = {}): DispatchWrite {
  const what = { seq, what: "run", stepId: `step-${seq}`, attempt: 1, engineAttempt: 1 } as const;
  const where = { queue: "q", task: "t", priority: 0, agingMs: 60_000, since: null };
  return { ...what, ...where, spec: `{"n":${seq}}`, timeoutMs: null, expiresAt: null, ...more };
}

/** The owner's Commit with these dispatches, each with an event of its own; the row afterwards. */
export async function commitDispatches(
  store: FullStore,
  row: RunRow,
  dispatches: readonly DispatchWrite[],
  more: Partial<Commit> = {},
): Promise<RunRow> {
  const events = dispatches.map((_, i) => event(row.headSeq + i + 1));
  await commitOne(store, next(row, { events, dispatches, ...more }));
  return rowOf(store, row.runId);
}

/** A run of engine-1's with these dispatches. */
export async function queued(
  store: FullStore,
  runId: string,
  dispatches: readonly DispatchWrite[],
  more: Partial<Commit> = {},
): Promise<RunRow> {
  return commitDispatches(store, await owned(store, runId), dispatches, more);
}

export const works: NonNullable<EngineRow["works"]> = { lang: "ts", tasks: ["t"], queues: ["q"], labels: { zone: "a" } };

export async function enlistWorkers(store: FullStore, ...ids: readonly string[]): Promise<void> {
  for (const engineId of ids) await store.registerEngine({ engineId, leaseMs: 60_000, serves: [], scope, kind: "worker", works });
}

export async function queueVersion(store: FullStore, queue = "q"): Promise<number> {
  return present((await store.queues.open(scope, [queue]))[0], queue).version;
}

let tokens = 0;

/** One claim under the queue's version of now; asked again where the store was busy. */
export async function claimFrom(store: FullStore, worker = "worker-1", more: Partial<QueueClaim> = {}): Promise<QueueClaimAnswer> {
  const version = more.version ?? (await queueVersion(store, more.queue));
  const limit = more.limit ?? 100;
  const own = Array.from({ length: limit }, () => `token-${++tokens}`);
  const q = { worker, scope, queue: "q", version, tasks: ["t"], limit, tokens: own, beginWithinMs: 1_000, from: null, ...more };
  for (;;) {
    const answer = await store.queues.claim(q);
    if (answer.kind !== "busy") return answer;
  }
}

/** All that it gets, however often it must ask: a store may ask to be asked again. */
export async function claimed(store: FullStore, worker = "worker-1", more: Partial<QueueClaim> = {}): Promise<DispatchRow[]> {
  const rows: DispatchRow[] = [];
  for (;;) {
    const limit = (more.limit ?? 100) - rows.length;
    const answer = kind(await claimFrom(store, worker, { ...more, limit }), "claimed");
    rows.push(...answer.rows);
    if (!answer.more || rows.length >= (more.limit ?? 100)) return rows;
  }
}

export const stepsOf = (rows: readonly DispatchRow[]): string[] => rows.map((r) => r.stepId);

/** Of one run, or of all. */
export async function rowsOf(store: FullStore, runId?: string): Promise<readonly DispatchRow[]> {
  return store.queues.rows({ scope, limit: 100, ...(runId === undefined ? {} : { runId }) });
}

/** What stands in a run's inbox about ended dispatches: the row, and what it says. */
export async function resultsOf(store: FullStore, runId: string): Promise<(InboxRow & { readonly ended: DispatchEnded })[]> {
  const rows = (await store.inbox({ runId, all: true })).filter((r) => r.kind === "result");
  return rows.map((r) => ({ ...r, ended: JSON.parse(r.payload ?? "null") as DispatchEnded }));
}

export async function endsOf(store: FullStore, runId: string): Promise<string[]> {
  return (await resultsOf(store, runId)).map((r) => r.ended.end.kind);
}
