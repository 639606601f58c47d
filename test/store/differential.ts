// One random stream of port verbs, and how two stores are compared over it: the same verbs, the same clock, the same ids, so
// that an answer may differ only where a store is wrong. The numbers of messages are a store's own, and those of a server have
// gaps where one was rolled back: the stream names a message by its place among those that there are, and places are compared.
// Used by the differential test and, for long, by the campaign. For tests; nothing in the package imports it.
import fc from "fast-check";
import { isDeepStrictEqual } from "node:util";
import type { RunStatus } from "../../src/core/model.ts";
import { isPawlError } from "../../src/errors/error.ts";
import { virtualPlatform, type VirtualPlatform } from "../../src/platform/virtual.ts";
import type { FullStore } from "../../src/store/full-store.ts";
import type { BatchAnswer, Commit, InboxRow, MessageKind, Origin, RunRow } from "../../src/store/port.ts";
import { create, otherScope, event, message, next, claimQuery, scope } from "../../src/store/suite/build.ts";
import type { OpenBundle } from "../../src/store/suite/bundle.ts";
import { readerStep, readerStateOf } from "./differential-kv.ts";
import {
  goesAlone,
  noteDispatches,
  type Queueing,
  queueing,
  queueingOf,
  type QueueMemory,
  queueSetup,
  queueStateOf,
  queueStep,
} from "./differential-queues.ts";
import { Specification } from "./specification.ts";

/** What a verb needs to know of the history so far; the same for both stores, since their answers are. */
interface Memory extends QueueMemory {
  /** Whether the stream is also about queues. */
  readonly queues: boolean;
  rows: Map<string, RunRow>;
  commits: Commit[];
  count: number;
  /** The numbers of all messages so far, in their order: a message's place is the same for both stores, its number is not. */
  messages: number[];
}
const emptyMemory = (queues: boolean): Memory => ({
  queues,
  rows: new Map(),
  commits: [],
  count: 0,
  messages: [],
  dispatches: [],
  ended: [],
  dispatchIds: [],
});
/** The message that came so many before the last; where there is none, a number that no message has. */
const messageBack = (m: Memory, n: number): number => m.messages.at(-n) ?? 1_000_000 + n;
type Verb = (s: FullStore, m: Memory) => Promise<unknown>;
export interface Step {
  readonly what: string;
  readonly stepMs?: number;
  readonly verb: Verb;
}

const runIds = ["a", "b", "c", "d"] as const;
const engineIds = ["e1", "e2"] as const;
const run = fc.constantFrom(...runIds);
const engine = fc.constantFrom(...engineIds);
const small = fc.nat({ max: 3 });
const due = fc.constantFrom({ at: 0, inMs: null }, { at: null, inMs: null }, { at: null, inMs: 20 }, { at: 5, inMs: 40 });
const status = fc.constantFrom<RunStatus>("RUNNING", "RUNNING", "RUNNING", "PAUSED", "COMPLETED", "FAILED");
const kinds = fc.constantFrom<MessageKind>("signal", "update", "control", "child");
const names = fc.constantFrom("paid", "pause", "cancel", "");
const served = fc.subarray([
  { workflow: "order", version: "1" },
  { workflow: "order", version: "2" },
  { workflow: "refund", version: "1" },
]);

const notice = fc.record({
  toRunId: fc.constantFrom(...runIds, "none"),
  kind: kinds,
  name: names,
  id: fc.constantFrom("1", "2"),
  payload: fc.constant(null),
});

const creation = fc
  .record({
    runId: run,
    workflowId: fc.constantFrom("w1", "w2"),
    workflow: fc.constantFrom("order", "refund"),
    version: fc.constantFrom("1", "2"),
    idempotencyKey: fc.constantFrom(null, null, "k"),
    supersedes: fc.constantFrom(null, null, ...runIds),
    owner: fc.constantFrom(null, null, "e1", "gone"),
    parentRunId: fc.constantFrom(null, "a"),
    scope: fc.constantFrom(scope, scope, scope, otherScope),
    tags: fc.constantFrom<Record<string, string>>({}, { t: "1" }),
    deadlineInMs: fc.constantFrom(null, 50),
    due,
    exactVersion: fc.boolean(),
    events: small,
    origin: fc.constantFrom<Origin>("engine", "engine", "external"),
    again: fc.boolean(),
  })
  .map(({ runId, due: dueIn, exactVersion, events, again, ...r }) => {
    const more = { due: dueIn, exactVersion, events: Array.from({ length: events }, (_, i) => event(i + 1)) };
    const c = create(runId, r, more);
    // The commitId tells creates apart; `again` asks for the very same one.
    return again ? c : { ...c, commitId: JSON.stringify([runId, r, more]) };
  });

const advance = fc.record({
  runId: run,
  skip: fc.constantFrom(0, 0, 0, 0, 1),
  wrongFence: fc.constantFrom(false, false, false, true),
  clash: fc.constantFrom(false, false, false, false, true),
  repeat: fc.constantFrom(false, false, false, false, true),
  events: small,
  status,
  due,
  release: fc.boolean(),
  exactVersion: fc.constantFrom(undefined, undefined, true, false),
  notBefore: fc.constantFrom(null, null, 30),
  taken: fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 2 }),
  consumed: fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 2 }),
  reply: fc.constantFrom(0, 0, 1, 2),
  view: fc.constantFrom(null, "v", "w"),
  checkpoint: fc.constantFrom(null, null, null, 1, 2, 3),
  children: fc.array(creation, { maxLength: 1 }),
  notices: fc.array(notice, { maxLength: 2 }),
  move: fc.constantFrom(null, null, ...runIds),
  spoil: fc.constantFrom("", "", "", "", "", "\0"),
  queueing: fc.constant<Queueing | null>(null),
});
type Advance = Omit<typeof advance extends fc.Arbitrary<infer T> ? T : never, "move"> & { readonly move: string | null };

/** `queued`: only one Commit of a batch has dispatches, so that their order is the same on every store. */
function toCommit(a: Advance, m: Memory, nowMs: number, queued: boolean): Commit {
  const row = m.rows.get(a.runId) ?? ({ runId: a.runId, fence: { epoch: 0, token: "" }, stateVersion: 1, headSeq: 0 } as RunRow);
  const queues = a.queueing === null || !queued ? {} : queueingOf(a.queueing, m, row, row.headSeq + 1, nowMs);
  // Which of two things that are wrong with a Commit is said first is the store's affair.
  const unmixed = queues.puts !== undefined;
  const from = a.clash && !unmixed ? Math.max(row.headSeq - 1, 0) : row.headSeq;
  const events = Array.from({ length: a.events }, (_, i) => event(from + i + 1, { payload: `p${a.spoil}` }));
  const message = (n: number): number => messageBack(m, n);
  const c = next(row, {
    commitId: `c${++m.count}`,
    expect: { fence: a.wrongFence ? { epoch: row.fence.epoch, token: "wrong" } : row.fence, stateVersion: row.stateVersion + a.skip },
    events,
    status: a.status,
    due: a.due,
    release: a.release,
    notBefore: a.notBefore === null ? null : nowMs + a.notBefore - 20,
    taken: a.taken.map(message),
    consumed: a.consumed.map(message),
    replies: a.reply === 0 ? [] : [{ inboxId: message(a.reply), reply: "r" }],
    ...(a.reply === 0 ? {} : { rejected: [{ inboxId: message(a.reply), reason: `no ${a.reply}` }] }),
    ...(a.status === "FAILED" ? { errorCode: `E${m.count}` } : {}),
    views: a.view === null ? [] : [{ name: a.view, value: String(m.count) }],
    // Few steps and keys, so that they meet: the same key again, another step under it, another key for a step.
    ...(a.checkpoint === null || unmixed
      ? {}
      : { checkpoint: { stepId: a.checkpoint, key: `k${(a.checkpoint + m.count) % 4}`, label: a.view, body: `b${m.count}` } }),
    children: a.children,
    notices: a.notices,
    moveInboxTo: a.move === a.runId ? null : a.move,
    ...(a.exactVersion === undefined ? {} : { exactVersion: a.exactVersion }),
    ...queues,
  });
  const again = m.commits.at(-1);
  if (a.repeat && again !== undefined) return again;
  m.commits.push(c);
  return c;
}

const createStep: fc.Arbitrary<Step> = fc
  .array(creation, { minLength: 1, maxLength: 2 })
  .map((cs) => ({ what: "create", verb: async (s: FullStore) => s.commit(cs) }));

/** Most of its Commits are applied, and most runs go on: else nothing would ever be on a queue. */
const calmAdvance: fc.Arbitrary<Advance> = fc
  .record({
    a: advance,
    runId: fc.constantFrom<(typeof runIds)[number]>("a", "a", "b", "b", "c", "d"),
    status: fc.constantFrom<RunStatus>(...Array<RunStatus>(14).fill("RUNNING"), "PAUSED", "PAUSED", "COMPLETED"),
    queueing: fc.option(queueing, { freq: 9, nil: null }),
    odd: fc.constantFrom(false, false, false, false, false, true),
  })
  .map(({ a, odd, ...more }) => ({
    ...a,
    ...more,
    ...(odd ? {} : { skip: 0, wrongFence: false, clash: false, repeat: false, notBefore: null, spoil: "" }),
    release: false,
    children: [],
    move: null,
  }));

const commitSteps = (advances: fc.Arbitrary<Advance>, maxLength: number): fc.Arbitrary<Step> =>
  fc.array(advances, { minLength: 1, maxLength }).map((as) => ({
    what: "commit",
    async verb(s: FullStore, m: Memory) {
      const { nowMs } = await s.info();
      const one = new Map(as.map((a) => [a.runId, a]));
      const queued = m.queues ? [...one.values()].find((a) => a.queueing !== null) : undefined;
      const batch = [...one.values()].map((a) => toCommit(a, m, nowMs, a === queued));
      const alone = batch.find(goesAlone);
      return sortedRows(await s.commit(alone === undefined ? batch : [alone], { engineId: "e1", leaseMs: 80 }));
    },
  }));

const claimStep: fc.Arbitrary<Step> = fc
  .record({
    e: engine,
    served,
    control: fc.boolean(),
    limit: small,
    runId: fc.option(run, { nil: undefined }),
    where: fc.constantFrom(scope, scope, otherScope),
  })
  .map((q) => ({
    what: "claim",
    verb: (s: FullStore, m: Memory) => {
      m.count++;
      const tokens = [1, 2, 3].map((n) => `${m.count}-${n}`);
      const only = q.runId === undefined ? {} : { runId: q.runId };
      return s.claim(claimQuery(q.e, { serves: q.served, control: q.control, limit: q.limit, tokens, scope: q.where, ...only }));
    },
  }));

const postStep: fc.Arbitrary<Step> = fc
  .record({
    to: fc.oneof(
      run.map((runId) => ({ runId })),
      fc.constantFrom({ workflowId: "w1" }, { workflowId: "w2" }),
    ),
    kind: kinds,
    name: names,
    id: fc.constantFrom("1", "2"),
    retainMs: fc.constantFrom(null, 30),
    where: fc.constantFrom(scope, scope, otherScope),
  })
  .map(({ to, where, ...p }) => ({
    what: "post",
    verb: (s: FullStore) => s.post(message(p.id, { ...p, by: p.kind, target: to, scope: where })),
  }));

const engineStep: fc.Arbitrary<Step> = fc.oneof(
  engine.map((engineId) => ({ what: "enlist", verb: (s: FullStore) => s.registerEngine({ engineId, leaseMs: 60, serves: [], scope }) })),
  engine.map((engineId) => ({ what: "renew", verb: (s: FullStore) => s.renew({ engineId, leaseMs: 60 }) })),
  engine.map((e) => ({ what: "bury", verb: (s: FullStore) => s.declareDead({ by: e }) })),
  engine.map((e) => ({ what: "retire", verb: (s: FullStore) => s.declareDead({ self: e }) })),
  fc.constantFrom(-15, 10, 25, 70).map((stepMs) => ({ what: "clock", stepMs, verb: (s: FullStore) => s.inbox({ owner: "e1" }) })),
);

/** Runs, messages and readers. */
export const verbStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: createStep },
  { weight: 8, arbitrary: commitSteps(advance, 3) },
  { weight: 5, arbitrary: claimStep },
  { weight: 4, arbitrary: postStep },
  { weight: 4, arbitrary: readerStep },
  { weight: 5, arbitrary: engineStep },
);

/** Queued steps, and what happens to their runs and workers; only with `queues`. */
export const queuedStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 1, arbitrary: createStep },
  { weight: 7, arbitrary: commitSteps(calmAdvance, 2) },
  { weight: 1, arbitrary: claimStep },
  { weight: 11, arbitrary: queueStep },
  { weight: 3, arbitrary: engineStep },
);

/** Everything a reader can see. */
async function seen(s: FullStore, m: Memory): Promise<unknown> {
  const runs = await Promise.all(
    runIds.map(async (runId) => [
      await s.run({ runId }),
      await s.events({ runId, after: 0, limit: 100 }),
      await s.inbox({ runId, all: true }),
      await s.views(runId),
      await s.checkpoint({ runId }),
      await s.checkpoint({ runId, stepId: 1 }),
    ]),
  );
  const lists = [
    await s.runs({ scope, limit: 9 }),
    await s.runs({ scope, limit: 2, tags: { t: "1" } }),
    await s.runs({ scope: otherScope, limit: 1 }),
  ];
  const inboxes = await Promise.all(engineIds.map((owner) => s.inbox({ owner })));
  const owned = await Promise.all(engineIds.map(async (engineId) => [...(await s.ownedRuns({ engineId, limit: 9 }))].sort()));
  const queues = m.queues ? await queueStateOf(s, runIds) : null;
  return { runs, lists, inboxes, owned, engines: (await s.info()).engines, shelves: await readerStateOf(s), queues };
}

async function trace(s: FullStore, step: Step, m: Memory, look: boolean): Promise<unknown> {
  const answer = await step.verb(s, m).catch((e: unknown) => (isPawlError(e) ? e.page : `${String(e)}`));
  if (!still.has(step.what)) await note(s, m);
  return placed([step.what, answer, ...(look ? [await seen(s, m)] : [])], m);
}

/** Rows that a Commit did not find as expected come in no order. */
function sortedRows(b: BatchAnswer): BatchAnswer {
  const byKey = (a: { readonly key: string }, c: { readonly key: string }): number => (a.key < c.key ? -1 : 1);
  return { ...b, answers: b.answers.map((a) => (a.kind === "unmet" ? { ...a, rows: a.rows.toSorted(byKey) } : a)) };
}

/** The verbs that change no run, message or dispatch. */
const still: ReadonlySet<string> = new Set([
  "put",
  "join",
  "leave",
  "take",
  "enlist",
  "renew",
  "bury",
  "retire",
  "clock",
  "configure",
  "open",
]);

async function note(s: FullStore, m: Memory): Promise<void> {
  const known = new Set(m.messages);
  const come: InboxRow[] = [];
  if (m.queues) await noteDispatches(s, m);
  await Promise.all(
    runIds.map(async (runId) => {
      const [row, inbox] = await Promise.all([s.run({ runId }), s.inbox({ runId, all: true })]);
      if (row !== undefined) m.rows.set(runId, row);
      come.push(...inbox.filter((i) => !known.has(i.inboxId)));
    }),
  );
  // In which order one write puts the ends of several dispatches is the store's affair.
  const name = (i: InboxRow): string => JSON.stringify([i.runId, i.kind, i.name, i.id.padStart(9, "0")]);
  come.sort((a, b) => (m.queues && name(a) !== name(b) ? (name(a) < name(b) ? -1 : 1) : a.inboxId - b.inboxId));
  m.messages.push(...come.map((i) => i.inboxId));
}

/** The same with places for numbers. */
function placed(x: unknown, m: Memory): unknown {
  if (Array.isArray(x)) {
    const isInbox = m.queues && x.length > 0 && typeof x[0] === "object" && x[0] !== null && "inboxId" in x[0];
    const place = (y: { readonly inboxId: number }): number => m.messages.indexOf(y.inboxId);
    return (isInbox ? (x as { inboxId: number }[]).toSorted((a, b) => place(a) - place(b)) : x).map((y) => placed(y, m));
  }
  if (typeof x !== "object" || x === null) return x;
  const dispatch = (id: unknown): number => m.dispatchIds.indexOf(Number(id)) + 1;
  // What a message of this kind says is the same; how its text is written may differ.
  const isResult = (x as { kind?: unknown }).kind === "result" && "payload" in x;
  return Object.fromEntries(
    Object.entries(x).map(([name, y]) => {
      if (name === "inboxId") return [name, m.messages.indexOf(y as number) + 1];
      if (name === "dispatchId" || name === "cancel" || name === "lost")
        return [name, Array.isArray(y) ? y.map(dispatch) : typeof y === "number" ? dispatch(y) : y];
      if (isResult && name === "id") return [name, dispatch(y)];
      return [name, isResult && name === "payload" ? placed(JSON.parse(y as string), m) : placed(y, m)];
    }),
  );
}

export interface Difference {
  readonly at: number;
  readonly what: string;
  readonly expected: unknown;
  readonly got: unknown;
}

/** The first step whose answer differs from the memory store's; what a reader sees is compared after every `lookEvery`th. */
export async function compare(
  bundle: (platform: VirtualPlatform) => Promise<OpenBundle>,
  steps: readonly Step[],
  o: {
    readonly lookEvery: number;
    readonly onAnswer?: (expected: unknown) => void;
    readonly wrap?: (s: FullStore) => FullStore;
    /** The steps are also about queues. */
    readonly queues?: boolean;
  },
): Promise<Difference | undefined> {
  const platform = virtualPlatform();
  const spec = new Specification(platform);
  const real = await bundle(platform);
  const store = o.wrap === undefined ? real.store : o.wrap(real.store);
  try {
    let ms = emptyMemory(o.queues === true);
    const mr = emptyMemory(o.queues === true);
    const enlist = (engineId: string): Step => ({ what: "enlist", verb: (s) => s.registerEngine({ engineId, leaseMs: 60, serves: [] }) });
    const all = [...engineIds.map(enlist), ...(o.queues === true ? queueSetup : []), ...steps];
    for (const [at, one] of all.entries()) {
      if (one.stepMs !== undefined) platform.suspend(one.stepMs);
      const look = at % o.lookEvery === 0 || at === all.length - 1;
      const before = structuredClone(ms);
      spec.mark();
      let expected = await trace(spec.store, one, ms, look);
      const got = await trace(store, one, mr, look);
      o.onAnswer?.(expected);
      if (!isDeepStrictEqual(got, expected) && spec.otherwise()) {
        ms = before;
        expected = await trace(spec.store, one, ms, look);
      }
      if (!isDeepStrictEqual(got, expected)) return { at, what: one.what, expected, got };
    }
    return undefined;
  } finally {
    await spec.store.close();
    await real.close();
  }
}
