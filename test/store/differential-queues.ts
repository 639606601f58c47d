// The part of the random stream that is about queues: what a Commit says of them, claims, reports, lapses, limits. Few queues, tasks and
// workers, so that they meet. The numbers of dispatches are a store's own; their order is not, so a place among them stands for a number.
// For tests; nothing in the package imports it.
import fc from "fast-check";
import type { FullStore } from "../../src/store/full-store.ts";
import type { Commit, DispatchEnd, DispatchRow, DispatchWrite, QueueChange, RunRow } from "../../src/store/port.ts";
import { create, otherScope, scope } from "../../src/store/suite/build.ts";
import { writes } from "./differential-kv.ts";

/** What the stream remembers of dispatches; the same for both stores, but for the numbers. */
export interface QueueMemory {
  count: number;
  /** Those that are there. */
  dispatches: readonly DispatchRow[];
  /** Those that were there once, with the last token that each had. */
  ended: DispatchRow[];
  /** The numbers of all so far, in their order. */
  dispatchIds: number[];
}

const workers = ["e1", "e2", "w1", "nobody"] as const;
const names = ["q", "p"] as const;
const queue = fc.constantFrom("q", "q", "q", "p");
const small = fc.nat({ max: 3 });

const dispatch = fc.record({
  what: fc.constantFrom("run", "run", "run", "verify", "undo"),
  queue,
  task: fc.constantFrom("t", "t", "u"),
  priority: fc.constantFrom(0, 0, 3, -2),
  since: fc.constantFrom(null, null, 5, 900),
  expiresIn: fc.constantFrom(null, null, null, 15, 60),
  timeoutMs: fc.constantFrom(null, 5, 40),
  claimed: fc.constantFrom(null, null, null, null, "e1", "gone"),
});

/** What a Commit may say; `refs` name dispatches of the run by their place. */
export const queueing = fc.record({
  dispatches: fc.array(dispatch, { maxLength: 3 }),
  clash: fc.nat({ max: 14 }).map((n) => n === 0),
  ends: fc.constantFrom([], [], [], [], [0], [1, 2], [0, 3]),
  withdraws: fc.constantFrom(undefined, undefined, undefined, undefined, undefined, undefined, [0], [0, 1], [1, 2]),
  held: fc.constantFrom(undefined, undefined, undefined, undefined, undefined, true, false, false),
  drop: fc.constantFrom(undefined, undefined, undefined, undefined, undefined, undefined, true),
  puts: fc.oneof({ weight: 6, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: writes }),
  snapshot: fc.constantFrom(null, null, null, "all", "last"),
});
export type Queueing = typeof queueing extends fc.Arbitrary<infer T> ? T : never;

/** Its members of a Commit. */
export function queueingOf(a: Queueing, m: QueueMemory, row: RunRow, firstSeq: number, nowMs: number): Partial<Commit> {
  const own = m.dispatches.filter((d) => d.runId === row.runId);
  const ref = (n: number): { seq: number; what: DispatchWrite["what"] } => ({ seq: own[n]?.seq ?? 99, what: own[n]?.what ?? "run" });
  const unique = (ns: readonly number[]): ReturnType<typeof ref>[] =>
    [...new Set(ns.map((n) => JSON.stringify(ref(n))))].map((t) => JSON.parse(t));
  const dispatches = a.dispatches.map(({ expiresIn, claimed, ...d }, i): DispatchWrite => {
    const seq = a.clash ? (own[0]?.seq ?? 1) : m.count * 10 + i;
    const base = { ...d, seq, stepId: `s${seq}`, attempt: 1, engineAttempt: i + 1, agingMs: 10, spec: `{"n":${seq}}` };
    const expiresAt = expiresIn === null ? null : nowMs + expiresIn;
    return { ...base, expiresAt, ...(claimed === null ? {} : { claimed: { worker: claimed, token: `own-${m.count}-${i}` } }) };
  });
  // A place is an event's, and never taken twice: what comes of one that is freed and taken in one Commit is no store's to say.
  if (a.clash) return { dispatches };
  return {
    ...(dispatches.length === 0 ? {} : { dispatches }),
    ...(a.ends.length === 0 ? {} : { ends: unique(a.ends) }),
    ...(a.withdraws === undefined ? {} : { withdraws: unique(a.withdraws) }),
    ...(a.held === undefined ? {} : { held: a.held }),
    ...(a.drop === undefined ? {} : { drop: a.drop }),
    ...(a.puts === undefined ? {} : { puts: a.puts }),
    ...(a.snapshot === null
      ? {}
      : { snapshot: { at: firstSeq, digest: `d${m.count}`, body: `b${m.count}`, keep: a.snapshot as "all" | "last" } }),
  };
}

/** A Commit that the port wants alone in its batch. */
export function goesAlone(c: Commit): boolean {
  return c.withdraws !== undefined || c.held !== undefined || c.drop !== undefined || c.puts !== undefined;
}

export interface QueueStep {
  readonly what: string;
  readonly stepMs?: number;
  readonly verb: (s: FullStore, m: QueueMemory) => Promise<unknown>;
}

const change: fc.Arbitrary<QueueChange> = fc.oneof(
  fc.constantFrom<QueueChange>({ config: { concurrency: 1 } }, { config: { concurrency: 2 } }, { config: { concurrency: null } }),
  fc
    .constantFrom({ limit: 3, perMs: 40, burst: 1 }, { limit: 3, perMs: 40, burst: 2 }, null, null)
    .map((rate): QueueChange => ({ config: { rate } })),
  fc.constantFrom<QueueChange>({ paused: { by: "ops", reason: "r" } }, { paused: null }, { config: { agingMs: 7 } }),
);

const end = fc.constantFrom<DispatchEnd>(
  { kind: "result", report: { v: 1 } },
  { kind: "yield", report: { cursor: "c" } },
  { kind: "verdict", report: "completed" },
);

/** One that is there, or one that has ended: by place, so that both stores mean the same. */
function pick(m: QueueMemory, n: number, old: boolean): { dispatchId: number; token: string } {
  const claimed = m.dispatches.filter((d) => d.worker !== null);
  const d = old ? m.ended.at(-1 - n) : claimed[n % Math.max(claimed.length, 1)];
  return { dispatchId: d?.dispatchId ?? 9_999_999, token: d?.token ?? "none" };
}
const picked = fc.record({
  n: small,
  old: fc.constantFrom(false, false, false, true),
  wrong: fc.constantFrom(false, false, false, false, true),
});
type Picked = typeof picked extends fc.Arbitrary<infer T> ? T : never;
const chosen = (m: QueueMemory, p: Picked): { dispatchId: number; token: string } => ({
  ...pick(m, p.n, p.old),
  ...(p.wrong ? { token: "wrong" } : {}),
});

/** A worker names each of its dispatches once. */
const onceEach = <T extends { readonly dispatchId: number }>(held: readonly T[]): T[] => [
  ...new Map(held.map((h) => [h.dispatchId, h])).values(),
];

export const queueStep: fc.Arbitrary<QueueStep> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .record({
        worker: fc.constantFrom("w1", "w1", "w1", "w1", ...workers),
        queue,
        tasks: fc.constantFrom(["t", "u"], ["t", "u"], ["t"], ["u", "t", "v", "u"], ["v"]),
        limit: fc.constantFrom(0, 1, 2, 2, 3),
        skip: fc.constantFrom(0, 0, 0, 0, 0, 0, 0, 1),
        from: fc.constantFrom(null, null, null, null, 6),
        beginWithinMs: fc.constantFrom(0, 10),
        where: fc.constantFrom(...Array<typeof scope>(9).fill(scope), otherScope),
      })
      .map(({ skip, where, ...q }) => ({
        what: "claimDispatch",
        async verb(s: FullStore, m: QueueMemory) {
          m.count++;
          const tokens = [1, 2, 3].map((n) => `d${m.count}-${n}`);
          const version = (await s.queues.list(where)).find((x) => x.queue === q.queue)?.version ?? 1;
          const answer = await s.queues.claim({ ...q, scope: where, version: version + skip, tokens });
          return answer.kind === "claimed" ? { ...answer, more: null } : answer;
        },
      })),
  },
  {
    weight: 3,
    arbitrary: fc.array(fc.tuple(picked, end), { minLength: 1, maxLength: 3 }).map((ends) => ({
      what: "finish",
      verb: (s: FullStore, m: QueueMemory) => s.queues.finish(ends.map(([p, e]) => ({ ...chosen(m, p), end: e }))),
    })),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom(...workers), fc.array(fc.tuple(picked, fc.constantFrom(undefined, "1", '{"x":2}')), { maxLength: 3 }))
      .map(([worker, beats]) => ({
        what: "beat",
        verb: (s: FullStore, m: QueueMemory) =>
          s.queues.beat(worker, onceEach(beats.map(([p, beat]) => ({ ...chosen(m, p), ...(beat === undefined ? {} : { beat }) })))),
      })),
  },
  {
    weight: 1,
    arbitrary: fc.uniqueArray(picked, { maxLength: 2, selector: (p) => p.n }).map((ps) => ({
      what: "giveBack",
      verb: (s: FullStore, m: QueueMemory) => s.queues.giveBack(onceEach(ps.map((p) => chosen(m, p)))),
    })),
  },
  { weight: 3, arbitrary: fc.constant({ what: "lapse", verb: (s: FullStore) => s.queues.lapse(99) }) },
  {
    weight: 1,
    arbitrary: small.map((n) => ({
      what: "late",
      async verb(s: FullStore, m: QueueMemory) {
        const d = m.ended.at(-1 - n);
        if (d === undefined) return s.queues.sweep(99);
        const { seq, what, dispatchId, attempt, engineAttempt, worker, claimedAt, deadlineAt } = d;
        const report = { end: { kind: "late", report: 1 }, beat: null } as const;
        return s.queues.postLate(d.runId, d.stepId, {
          seq,
          what,
          dispatchId,
          attempt,
          engineAttempt,
          worker,
          claimedAt,
          deadlineAt,
          ...report,
        });
      },
    })),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(queue, change, fc.constantFrom(undefined, undefined, 1, 2))
      .map(([q, c, version]) => ({ what: "configure", verb: (s: FullStore) => s.queues.configure(scope, q, c, version) })),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom(scope, scope, otherScope)
      .map((where) => ({ what: "open", verb: (s: FullStore) => s.queues.open(where, names) })),
  },
);

/** What such a stream begins with. */
export const queueSetup: readonly QueueStep[] = [
  {
    what: "enlist",
    verb: (s) =>
      s.registerEngine({
        engineId: "w1",
        leaseMs: 60_000,
        serves: [],
        kind: "worker",
        works: { lang: "ts", tasks: ["t"], queues: [], labels: {} },
      }),
  },
  { what: "open", verb: (s) => s.queues.open(scope, names) },
  ...["a", "b", "c"].map((runId) => ({
    what: "create",
    verb: async (s: FullStore) =>
      s.commit([create(runId, { workflowId: runId, owner: "e1", fence: { epoch: 1, token: runId } }, { status: "RUNNING" })]),
  })),
];

/** Everything a reader can see of it. */
export async function queueStateOf(s: FullStore, runIds: readonly string[]): Promise<unknown> {
  const of = (where: typeof scope): Promise<unknown> => Promise.all([s.queues.rows({ scope: where, limit: 99 }), s.queues.list(where)]);
  return {
    ours: await of(scope),
    theirs: await of(otherScope),
    depths: await Promise.all(names.map((q) => s.queues.depth(scope, q, 99))),
    mine: await s.queues.rows({ scope, worker: "e1", queue: "q", limit: 9 }),
    snapshots: await Promise.all(runIds.map((runId) => s.snapshots({ runId, limit: 9 }))),
  };
}

/** What is there now, and what has ended since. */
export async function noteDispatches(s: FullStore, m: QueueMemory): Promise<void> {
  const now = [...(await s.queues.rows({ scope, limit: 999 })), ...(await s.queues.rows({ scope: otherScope, limit: 999 }))];
  const ids = new Set(now.map((d) => d.dispatchId));
  m.ended.push(...m.dispatches.filter((d) => !ids.has(d.dispatchId)));
  m.dispatches = now.sort((a, b) => a.dispatchId - b.dispatchId);
  m.dispatchIds = [...new Set([...m.dispatchIds, ...ids])].sort((a, b) => a - b);
}
