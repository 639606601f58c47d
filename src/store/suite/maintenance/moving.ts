// Cases about moving: a run that was taken out cannot be changed by anybody who had it, and what is put in elsewhere is the same
// run, to the byte, but for the numbers of its messages. Two stores are open in most of them.
import { equal, kind, ok, present } from "../assert.ts";
import { commitOne, create, event, message, next, owned, claimQuery, rowOf, scope } from "../build.ts";
import { type OpenBundle, openBundle, type SuiteCase, suiteCase } from "../bundle.ts";
import type { RunCopy } from "../../archive.ts";
import type { FullStore } from "../../full-store.ts";
import type { EffectWrite, RunRow } from "../../port.ts";

/** A case with two stores. */
function twoStores(title: string, ids: readonly string[], body: (from: OpenBundle, to: OpenBundle) => Promise<void>): SuiteCase {
  return {
    title,
    ids,
    async run(open): Promise<void> {
      const from = await openBundle(open);
      const to = await openBundle(open);
      try {
        await body(from, to);
      } finally {
        await from.close();
        await to.close();
      }
    },
  };
}

/** A live run with something of everything: messages taken, consumed and waiting, an effect under way. */
async function live(store: FullStore): Promise<RunRow> {
  const row = await owned(store, "a", "engine-1", { idempotencyKey: "start", tags: { t: "ü" }, deadlineInMs: 99_000 });
  for (const id of ["m1", "m2", "m3"]) await store.post(message(id, { retainMs: id === "m3" ? 60_000 : null, by: `by ${id}` }));
  const [m1, m2] = await store.inbox({ runId: "a" });
  const effect: EffectWrite = {
    version: 1,
    seq: 2,
    scope,
    workflowId: row.workflowId,
    stepId: "step-2",
    name: "pay",
    class: "KEYED",
    key: "k",
    argsDigest: "d",
    receiver: "the bank",
    worker: "worker-1",
    status: "indeterminate",
    phase: "dispatched",
    attempts: 1,
    engineAttempts: 2,
    error: null,
    eventSeq: 2,
  };
  await commitOne(
    store,
    next(row, {
      events: [
        event(1),
        event(2, { payload: '{"text":"it\'s \\\\ ? ü\\u0000"}' }),
        event(3, { payload: null, salt: null, payloadHash: null }),
      ],
      taken: [m2?.inboxId ?? 0],
      consumed: [m1?.inboxId ?? 0],
      replies: [{ inboxId: m1?.inboxId ?? 0, reply: "yes" }],
      rejected: [{ inboxId: m1?.inboxId ?? 0, reason: "no" }],
      views: [{ name: "v", value: "1" }],
      checkpoint: { stepId: 1, key: "c1", label: "l", body: "b" },
      effects: [effect],
      due: { at: 4_000_000_000_000, inMs: null },
      waiting: "timer",
    }),
  );
  return rowOf(store, "a");
}

async function takenOut(store: FullStore): Promise<RunCopy> {
  present(await store.archive.move({ runId: "a", from: "engine", to: "moved", token: "gone", dueAt: null }), "moved");
  const copy = present(await store.archive.copyRun("a"), "copy");
  const fence = { epoch: copy.run.fence.epoch + 1, token: "arrived" };
  return { ...copy, run: { ...copy.run, origin: "engine", fence, dueAt: 4_000_000_000_000 } };
}

export const movingCases: readonly SuiteCase[] = [
  suiteCase("a run that was moved cannot be changed, claimed or written to where it was", ["K4", "I3"], async (b) => {
    const { store } = b;
    const row = await live(store);
    await store.post(message("wakes"));
    const before = await store.archive.move({ runId: "a", from: "engine", to: "moved", token: "gone", dueAt: null });
    equal(before, row, "the row as it was");
    const after = await rowOf(store, "a");
    const fence = { epoch: row.fence.epoch + 1, token: "gone" };
    equal(after, { ...row, origin: "moved", owner: null, fence, dueAt: null }, "the row");
    kind((await store.commit([next(row, { events: [event(4)] })])).answers[0], "fenced");
    await store.registerEngine({ engineId: "engine-2", leaseMs: 60_000, serves: [{ workflow: "order", version: "1" }] });
    equal(await store.claim(claimQuery("engine-2", { control: true })), [], "claimed by nobody");
    equal(await store.claim(claimQuery("engine-2", { runId: "a" })), [], "not by name either");
    equal(kind(await store.post(message("late")), "external").run, after, "takes no message");
    equal(kind(await store.post(message("m1")), "accepted").replayed, true, "and knows those it took");
    equal(kind((await store.commit([create("n", { workflowId: "order-a" })])).answers[0], "conflict").existing, after, "keeps its id");
    equal(await store.archive.move({ runId: "a", from: "engine", to: "moved", token: "x", dueAt: null }), undefined, "once");
    equal(await rowOf(store, "a"), after, "nothing changed");
    const log = await store.events({ runId: "a", after: 0, limit: 9 });
    equal(log.length, 3, "its log is as it was");
  }),

  suiteCase("a run that is given back continues under a new fence", ["K4"], async ({ store }) => {
    const row = await live(store);
    await store.archive.move({ runId: "a", from: "engine", to: "moved", token: "gone", dueAt: null });
    await store.archive.move({ runId: "a", from: "moved", to: "engine", token: "back", dueAt: 0 });
    kind((await store.commit([next(row, { events: [event(4)] })])).answers[0], "fenced");
    await store.registerEngine({ engineId: "engine-2", leaseMs: 60_000, serves: [{ workflow: "order", version: "1" }] });
    const [claimed] = await store.claim(claimQuery("engine-2"));
    equal(claimed?.fence.epoch, row.fence.epoch + 3, "claimed");
    await commitOne(store, next(present(claimed, "claimed"), { events: [event(4)] }));
  }),

  twoStores("a run that is put in is the run that was taken out", [], async ({ store: from }, { store: to }) => {
    await live(from);
    await commitOne(to, create("z"));
    await to.post(message("numbers-differ", { target: { runId: "z" } }));
    const copy = await takenOut(from);
    equal(await to.archive.insertRun(copy), { kind: "put" }, "put in");
    equal(await to.archive.copyRun("a"), copy, "the same, to the byte");
    equal(await to.events({ runId: "a", after: 0, limit: 9 }), copy.events, "its log");
    const inbox = await to.inbox({ runId: "a" });
    equal(
      inbox.map((m) => [m.id, m.taken]),
      [
        ["m2", true],
        ["m3", false],
      ],
      "its messages, in order",
    );
    const known = kind(await to.post(message("m1")), "accepted");
    equal([known.replayed, known.record.reply, known.record.runId], [true, "yes", "a"], "a message it took there");
    equal(kind(await to.post(message("m3")), "accepted").record.expiresAt, copy.inbox[2]?.accepted?.expiresAt, "and how long it is known");
    equal(kind(await to.post(message("m4")), "accepted").replayed, false, "a new one");
    equal((await to.effects({ scope, key: "k", limit: 9 })).effects, copy.effects, "its ledger");
    equal(
      kind((await to.commit([create("n", { workflowId: "x", idempotencyKey: "start" })])).answers[0], "conflict").by,
      "idempotencyKey",
      "its start key",
    );
  }),

  twoStores("a run that is put in reaches the consumers there", ["LX-21"], async ({ store: from }, { store: to }) => {
    const consumer = { scope, name: "reader" };
    await to.feed.join(consumer, "now");
    await live(from);
    await to.archive.insertRun(await takenOut(from));
    equal(
      (await to.feed.next({ consumer, limit: 9 })).map((r) => [r.runId, r.headSeq]),
      [["a", 3]],
      "one row, with its head",
    );
  }),

  twoStores("who owned it before cannot write where it is now; who claims it there can", ["K4"], async ({ store: from }, { store: to }) => {
    const row = await live(from);
    await to.archive.insertRun(await takenOut(from));
    kind((await to.commit([next(row, { events: [event(4)] })])).answers[0], "fenced");
    await to.registerEngine({ engineId: "engine-9", leaseMs: 60_000, serves: [{ workflow: "order", version: "1" }] });
    // m3 was not taken yet: it wakes the run although its timer is far.
    const [claimed] = await to.claim(claimQuery("engine-9"));
    equal(claimed?.fence.epoch, row.fence.epoch + 3, "a new epoch");
    const [m2] = await to.inbox({ runId: "a" });
    await commitOne(to, next(present(claimed, "claimed"), { events: [event(4)], consumed: [m2?.inboxId ?? 0], status: "COMPLETED" }));
    equal(
      (await to.inbox({ runId: "a" })).map((m) => m.id),
      ["m3"],
      "consumed",
    );
  }),

  twoStores(
    "a message that nobody has taken wakes a run that was put in closed, once it is opened",
    ["K18", "I9"],
    async ({ store: from }, { store: to }) => {
      await live(from);
      const copy = await takenOut(from);
      await to.archive.insertRun({ ...copy, run: { ...copy.run, origin: "moved", dueAt: null } });
      await to.registerEngine({ engineId: "engine-9", leaseMs: 60_000, serves: [{ workflow: "order", version: "1" }] });
      equal(await to.claim(claimQuery("engine-9")), [], "closed");
      await to.archive.move({ runId: "a", from: "moved", to: "engine", token: "open", dueAt: null });
      equal(
        (await to.claim(claimQuery("engine-9"))).map((r) => r.runId),
        ["a"],
        "opened",
      );
    },
  ),

  twoStores("the same copy twice adds nothing, not even when the run has continued", [], async ({ store: from }, { store: to }) => {
    await live(from);
    const copy = await takenOut(from);
    await to.archive.insertRun(copy);
    equal(await to.archive.insertRun(copy), { kind: "known" }, "at once");
    await to.registerEngine({ engineId: "engine-9", leaseMs: 60_000, serves: [{ workflow: "order", version: "1" }] });
    const [claimed] = await to.claim(claimQuery("engine-9", { runId: "a" }));
    await commitOne(to, next(present(claimed, "claimed"), { events: [event(4)] }));
    const now = await rowOf(to, "a");
    equal(await to.archive.insertRun(copy), { kind: "known" }, "later");
    equal(await rowOf(to, "a"), now, "nothing changed");
  }),

  twoStores("a run comes back to where it was moved from, with what happened elsewhere", [], async ({ store: from }, { store: to }) => {
    await live(from);
    await to.archive.insertRun(await takenOut(from));
    await to.registerEngine({ engineId: "engine-9", leaseMs: 60_000, serves: [{ workflow: "order", version: "1" }] });
    const [claimed] = await to.claim(claimQuery("engine-9", { runId: "a" }));
    await commitOne(to, next(present(claimed, "claimed"), { events: [event(4)] }));
    const copy = await takenOut(to);
    equal(await from.archive.insertRun(copy), { kind: "put" }, "put in");
    equal(await from.archive.copyRun("a"), copy, "as it is elsewhere");
    equal((await rowOf(to, "a")).origin, "moved", "and no longer there");
  }),

  suiteCase("what comes back continues the log that was left, under a later epoch, or is refused", ["K4", "K22"], async ({ store }) => {
    await live(store);
    const copy = await takenOut(store);
    const left = await rowOf(store, "a");
    const head = { ...event(4), stateVersion: left.stateVersion + 1, persistedAt: left.persistedAt };
    const run = { ...copy.run, headSeq: 4, headLink: head.link, stateVersion: head.stateVersion };
    const longer: RunCopy = { ...copy, run, events: [...copy.events, head] };
    const another = longer.events.map((e) => (e.runSeq === left.headSeq ? { ...e, link: "else" } : e));
    for (const wrong of [
      { ...longer, run: { ...run, fence: { ...run.fence, epoch: left.fence.epoch } } },
      { ...longer, run: { ...run, fence: { ...run.fence, epoch: left.fence.epoch - 1 } } },
      { ...longer, events: another },
    ])
      equal(await store.archive.insertRun(wrong), { kind: "conflict", by: "runId" }, "refused");
    equal(await rowOf(store, "a"), left, "nothing changed");
    equal(await store.archive.insertRun(longer), { kind: "put" }, "put in");
  }),

  twoStores("what already exists is not overwritten", [], async ({ store: from }, { store: to }) => {
    await live(from);
    const copy = await takenOut(from);
    const refused = async (by: string, other: RunCopy): Promise<void> => {
      const before = await to.runs({ scope, limit: 9 });
      equal(await to.archive.insertRun(other), { kind: "conflict", by }, by);
      equal(await to.runs({ scope, limit: 9 }), before, `${by}: nothing changed`);
    };
    await commitOne(to, create("o", { idempotencyKey: "start" }));
    await refused("idempotencyKey", copy);
    await commitOne(to, create("p", { workflowId: "order-a" }));
    const free = { ...copy, run: { ...copy.run, idempotencyKey: null } };
    await refused("workflowId", free);
    await refused("workflowId", { ...free, run: { ...free.run, generation: 2 } }); // the one before it is not over
    await commitOne(to, next(await rowOf(to, "p"), { events: [event(1)], status: "COMPLETED" }));
    await refused("workflowId", { ...free, run: { ...free.run, status: "COMPLETED", waiting: null, dueAt: null } }); // both are over, in one place
    await refused("message", { ...free, run: { ...free.run, workflowId: "q", runId: "q" }, inbox: await taking(to) });
    await commitOne(to, create("a", { workflowId: "r" }, { events: [event(1, { link: "else" })] }));
    await refused("runId", free);
  }),

  twoStores("a copy whose writing dies is not there at all", [], async ({ store: from }, b) => {
    await live(from);
    const copy = await takenOut(from);
    b.failAt("engine:archive");
    let died = false;
    await b.store.archive.insertRun(copy).catch(() => (died = true));
    ok(died, "died");
    equal(await b.store.run({ runId: "a" }), undefined, "no row");
    equal(await b.store.events({ runId: "a", after: 0, limit: 9 }), [], "no log");
    equal(await b.store.archive.insertRun(copy), { kind: "put" }, "and then it is put in");
  }),
];

/** Messages whose key a run of the store has. */
async function taking(store: FullStore): Promise<RunCopy["inbox"]> {
  kind(await store.post(message("taken", { target: { workflowId: "order-o" } })), "accepted");
  return present(await store.archive.copyRun("o"), "o").inbox;
}
