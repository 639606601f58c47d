// Cases about retention: what each of its stages takes away and leaves, and what keeps a run from it. A log never loses single
// events, and what makes a late duplicate harmless goes last.
import { equal, kind, ok } from "../assert.ts";
import { commitOne, create, event, message, next, owned, claimQuery, rowOf, scope } from "../build.ts";
import { type OpenBundle, type SuiteCase, suiteCase } from "../bundle.ts";
import type { KeptReason, PruneAnswer, PruneQuery, PruneStage } from "../../archive.ts";
import type { FullStore } from "../../full-store.ts";
import type { EffectWrite, NewRun, RunRow } from "../../port.ts";

const unlessHeld = { collection: "hold", keys: ["a"] };
const far = Number.MAX_SAFE_INTEGER;

function prune(store: FullStore, stage: PruneStage, more: Partial<PruneQuery> = {}): Promise<PruneAnswer> {
  return store.archive.prune({ runId: "a", stage, endedBefore: far, unlessHeld: unlessHeld, limit: 100, ...more });
}
async function pruned(store: FullStore, stage: PruneStage, more: Partial<PruneQuery> = {}): Promise<boolean> {
  return kind(await prune(store, stage, more), "pruned").more;
}
async function kept(store: FullStore, stage: PruneStage, because: KeptReason, more: Partial<PruneQuery> = {}): Promise<void> {
  equal(await prune(store, stage, more), { kind: "kept", because }, `${stage}: kept because ${because}`);
}

/** A run with something of everything, which has ended. */
async function ended(store: FullStore, runId: string, run: Partial<NewRun> = {}): Promise<RunRow> {
  const row = await owned(store, runId, "engine-1", run);
  await store.post(message("m1", { target: { runId }, by: "ann" }));
  const [m] = await store.inbox({ runId });
  const effect: EffectWrite = {
    version: 1,
    seq: 1,
    scope,
    workflowId: row.workflowId,
    stepId: "s",
    name: "s",
    class: "KEYED",
    key: "k",
    argsDigest: null,
    receiver: null,
    worker: null,
    status: "failed",
    phase: "settled",
    attempts: 1,
    engineAttempts: 1,
    error: '{"message":"secret"}',
    eventSeq: 1,
  };
  await commitOne(
    store,
    next(row, {
      events: [event(1), event(2), event(3)],
      consumed: [m?.inboxId ?? 0],
      replies: [{ inboxId: m?.inboxId ?? 0, reply: "secret" }],
      rejected: [{ inboxId: m?.inboxId ?? 0, reason: "secret" }],
      views: [{ name: "v", value: "secret" }],
      checkpoint: { stepId: 1, key: "c1", label: null, body: "secret" },
      effects: [effect],
    }),
  );
  await commitOne(store, next({ ...row, stateVersion: 2 }, { events: [event(4)], status: "COMPLETED" }));
  return rowOf(store, runId);
}

export const retentionCases: readonly SuiteCase[] = [
  suiteCase("an expired run keeps every event, with its hash and its link, and no payload", ["P-14", "D-142"], async ({ store }) => {
    const row = await ended(store, "a");
    await ended(store, "b");
    const [before, other] = [await store.events({ runId: "a", after: 0, limit: 10 }), await store.archive.copyRun("b")];
    await pruned(store, "purge", { dryRun: true });
    equal(await rowOf(store, "a"), row, "asked what would be done, it does nothing");
    ok(await pruned(store, "expire", { limit: 3 }), "three at once, and one is left");
    // Nobody computes anything from what is left: it is said with the first that goes.
    equal((await rowOf(store, "a")).expiredAt, (await store.info()).nowMs, "said at once");
    equal(await store.views("a"), {}, "what is beside the log goes first");
    equal(await pruned(store, "expire", { limit: 3 }), false, "the rest");
    const bare = before.map((e) => ({ ...e, payload: null, salt: null }));
    equal(await store.events({ runId: "a", after: 0, limit: 10 }), bare, "tombstones");
    const { nowMs } = await store.info();
    equal(await rowOf(store, "a"), { ...row, expiredAt: nowMs }, "the row says when");
    equal(await store.views("a"), {}, "views");
    equal(await store.checkpoint({ runId: "a" }), undefined, "checkpoints");
    const [m] = await store.inbox({ runId: "a", all: true });
    equal([m?.payload, m?.reply, m?.payloadDigest, m?.rejected, m?.by], [null, null, null, null, "ann"], "messages");
    equal(
      (await store.effects({ scope, runId: "a", limit: 9 })).effects.map((e) => [e.key, e.status, e.error]),
      [["k", "failed", null]],
      "ledger",
    );
    equal(await store.archive.copyRun("b"), other, "the other run");
    await kept(store, "expire", "done");
  }),

  suiteCase(
    "a purged run leaves its row and what protects it, and nothing else",
    ["W-128", "W-134", "Q-11"],
    async ({ store, reopen: again }) => {
      const row = await ended(store, "a", { idempotencyKey: "start" });
      const first = kind(await store.post(message("m1", { target: { runId: "a" } })), "accepted").record;
      equal(await pruned(store, "purge"), false, "at once");
      const { nowMs } = await store.info();
      const fence = { ...row.fence, epoch: row.fence.epoch + 1 };
      equal(await rowOf(store, "a"), { ...row, fence, expiredAt: nowMs, purgedAt: nowMs }, "the row");
      const { answers: lookedBefore } = await store.commit([next(row, { status: "COMPLETED", events: [event(9)] })]);
      kind(lookedBefore[0], "fenced"); // an engine that looked at the log while it was there
      equal(await store.events({ runId: "a", after: 0, limit: 10 }), [], "the log");
      equal((await store.effects({ scope, runId: "a", limit: 9 })).effects, [], "the ledger");
      equal(await store.views("a"), {}, "views");
      equal(await store.checkpoint({ runId: "a" }), undefined, "checkpoints");
      const late = await again();
      const replayed = kind(await late.post(message("m1", { target: { workflowId: "order-a" } })), "accepted");
      equal(
        [replayed.replayed, replayed.record],
        [true, { ...first, reply: null, by: null, payloadDigest: null, rejected: null }],
        "a late duplicate of a message",
      );
      kind(await late.post(message("m2")), "settled");
      const { answers } = await late.commit([
        create("x", { workflowId: "else", idempotencyKey: "start" }),
        create("y", { workflowId: "order-a" }),
      ]);
      equal([kind(answers[0], "conflict").by, kind(answers[1], "conflict").by], ["idempotencyKey", "workflowId"], "a late start");
      equal(await late.claim(claimQuery("engine-1", { runId: "a" })), [], "nobody claims it");
      await kept(store, "purge", "done");
      await kept(store, "expire", "done");
      await late.close();
    },
  ),

  suiteCase("what is forgotten is free again: the same request is a new one", ["W-081", "W-094", "W-134"], async ({ store }) => {
    await ended(store, "a", { idempotencyKey: "start" });
    await kept(store, "forget", "open"); // its log is still there
    await pruned(store, "purge");
    equal(await pruned(store, "forget"), false, "forgotten");
    equal(await store.run({ runId: "a" }), undefined, "the row");
    kind(await store.post(message("m1")), "unknown");
    await kept(store, "forget", "missing");
    await commitOne(store, create("n", { workflowId: "order-a", idempotencyKey: "start" }));
    equal((await rowOf(store, "n")).generation, 1, "a workflowId that never was");
    equal(kind(await store.post(message("m1")), "accepted").replayed, false, "enqueued again");
  }),

  suiteCase("a run that is not over, or not for long enough, is kept", ["W-128"], async (b) => {
    const { store } = b;
    await owned(store, "a");
    for (const stage of ["expire", "purge", "forget"] as const) await kept(store, stage, "open");
    const row = await rowOf(store, "a");
    await commitOne(store, next(row, { events: [event(1)], status: "FAILED" }));
    const endedAt = (await rowOf(store, "a")).persistedAt;
    b.advanceClock(1_000);
    await kept(store, "expire", "young", { endedBefore: endedAt - 1 });
    await kept(store, "purge", "young", { endedBefore: endedAt - 1 });
    await pruned(store, "purge", { endedBefore: endedAt });
    await kept(store, "forget", "young", { endedBefore: endedAt - 1 });
    equal((await rowOf(store, "a")).purgedAt, endedAt + 1_000, "the store's time");
  }),

  suiteCase("a run that was moved is kept at every stage: when it is given back, all of it is there", ["W-128"], async ({ store }) => {
    await ended(store, "a");
    const before = await store.archive.copyRun("a");
    await store.archive.move({ runId: "a", from: "engine", to: "moved", token: "t", dueAt: null });
    for (const stage of ["expire", "purge"] as const) await kept(store, stage, "open");
    await store.archive.move({ runId: "a", from: "moved", to: "engine", token: "u", dueAt: 0 });
    equal((await rowOf(store, "a")).dueAt, null, "nobody looks at a run that is over");
    equal((await store.archive.copyRun("a"))?.events, before?.events, "untouched");
    await pruned(store, "purge");
    await store.archive.move({ runId: "a", from: "engine", to: "moved", token: "v", dueAt: null });
    await kept(store, "forget", "open");
  }),

  suiteCase("a held run is kept at every stage, and goes when it is released", ["W-128"], async ({ store }) => {
    await ended(store, "a");
    const hold = async (value: string | null): Promise<void> => void (await store.kv.put([{ collection: "hold", key: "root", value }]));
    const asked = { unlessHeld: { collection: "hold", keys: ["a", "root"] } };
    await hold("why");
    await kept(store, "expire", "held", asked);
    await kept(store, "purge", "held", asked);
    equal((await store.events({ runId: "a", after: 0, limit: 1 }))[0]?.payload, '{"n":1}', "untouched");
    await hold(null);
    await pruned(store, "purge", asked);
    await hold("again");
    await kept(store, "forget", "held", asked);
    await hold(null);
    await pruned(store, "forget", asked);
  }),

  suiteCase("a run that a consumer has not seen yet is kept", ["W-128"], async ({ store }) => {
    const consumer = { scope, name: "reader" };
    await store.feed.join(consumer, "now");
    await ended(store, "a");
    await ended(store, "b");
    await kept(store, "expire", "awaited");
    await kept(store, "purge", "awaited");
    const rows = await store.feed.next({ consumer, limit: 99 });
    await store.kv.put([], { consumer, positions: rows.filter((r) => r.runId === "a").map((r) => r.position) });
    await pruned(store, "expire");
    await pruned(store, "purge");
    await kept(store, "purge", "awaited", { runId: "b" });
    await store.feed.leave(consumer);
    await pruned(store, "purge", { runId: "b" });
  }),

  suiteCase(
    "a log is kept while the run that continues from it lives; what protects, as long as the workflowId does",
    ["W-128"],
    async (b) => {
      const { store } = b;
      await ended(store, "a");
      await commitOne(store, create("n", { workflowId: "order-a", supersedes: "a", originalRunId: "a" }));
      await kept(store, "purge", "open");
      await commitOne(store, next(await rowOf(store, "n"), { events: [event(1)], status: "COMPLETED" }));
      await commitOne(store, create("o", { workflowId: "order-a", supersedes: "n", originalRunId: "n" }));
      await pruned(store, "purge"); // two runs ago
      await kept(store, "purge", "open", { runId: "n" });
      await kept(store, "forget", "protects");
      b.advanceClock(10);
      await commitOne(store, next(await rowOf(store, "o"), { events: [event(1)], status: "COMPLETED" }));
      const { persistedAt } = await rowOf(store, "o");
      await kept(store, "forget", "protects", { endedBefore: persistedAt - 1 });
      await pruned(store, "purge", { runId: "n" });
      await pruned(store, "purge", { runId: "o" });
      await kept(store, "forget", "protects", { runId: "o" }); // the last goes last
      await pruned(store, "forget");
      await pruned(store, "forget", { runId: "n" });
      await pruned(store, "forget", { runId: "o" });
      equal((await store.runs({ scope, limit: 9 })).runs, [], "all gone");
    },
  ),

  suiteCase("the logs of all runs that a run retries, one after the other, are kept while it lives", ["W-128"], async (b) => {
    const { store } = b;
    await ended(store, "a");
    const { rootRunId } = await rowOf(store, "a");
    await commitOne(store, create("n", { workflowId: "order-a", supersedes: "a", originalRunId: "a", rootRunId }));
    await commitOne(store, next(await rowOf(store, "n"), { events: [event(1)], status: "FAILED" }));
    await commitOne(store, create("o", { workflowId: "order-a", supersedes: "n", originalRunId: "n", rootRunId }));
    await kept(store, "purge", "open");
    await kept(store, "expire", "open", { runId: "n" });
    await commitOne(store, next(await rowOf(store, "o"), { events: [event(1)], status: "COMPLETED" }));
    await pruned(store, "purge");
  }),

  suiteCase("an acceptance is remembered until its own time is up, however early its run may be forgotten", ["W-081"], async (b) => {
    const { store } = b;
    const row = await owned(store, "a");
    await store.post(message("m1", { retainMs: 5_000 }));
    await commitOne(store, next(row, { status: "COMPLETED" }));
    await pruned(store, "purge");
    b.advanceClock(4_999);
    await kept(store, "forget", "protects");
    kind(await store.post(message("m1")), "accepted");
    b.advanceClock(1);
    await pruned(store, "forget");
  }),

  suiteCase("a stage that dies before its end has done nothing, and is done when it is asked again", ["W-134"], async (b: OpenBundle) => {
    const { store } = b;
    await ended(store, "a");
    const before = await store.archive.copyRun("a");
    for (const stage of ["expire", "purge"] as const) {
      b.failAt("engine:archive");
      let died = false;
      await prune(store, stage).catch(() => (died = true));
      ok(died, `${stage} died`);
      if (stage === "expire") equal(await store.archive.copyRun("a"), before, "nothing done");
      await pruned(store, stage);
    }
    b.failAt("engine:archive");
    await prune(store, "forget").catch(() => {});
    equal((await rowOf(store, "a")).runId, "a", "still there");
    await pruned(store, "forget");
  }),

  suiteCase("several who prune at once do it once", [], async ({ store, reopen: again }) => {
    await ended(store, "a");
    const others = [await again(), await again()];
    const answers = await Promise.all([store, ...others].flatMap((s) => [prune(s, "purge"), prune(s, "purge")]));
    equal(answers.filter((a) => a.kind === "pruned").length, 1, "one of them");
    ok(
      answers.every((a) => a.kind === "pruned" || a.because === "done"),
      "the others find it done",
    );
    for (const s of others) await s.close();
  }),
];
