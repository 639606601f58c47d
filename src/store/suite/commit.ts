// Cases about the Commit: what must hold for it, what it writes, and that it is all or nothing. Whatever a refused Commit
// could have touched is read before and after, and compared whole.
import { isSettled, type RunStatus, runStatuses } from "../../core/model.ts";
import type { Commit, Store } from "../port.ts";
import { equal, kind, ok, present, unanswered } from "./assert.ts";
import { commitOne, create, declareDeadByLease, event, message, next, owned, claimQuery, rowOf } from "./build.ts";
import { type SuiteCase, suiteCase } from "./bundle.ts";

/** Everything about one run that a reader can see. */
async function seen(store: Store, runId: string): Promise<unknown> {
  return [
    await store.run({ runId }),
    await store.events({ runId, after: 0, limit: 100 }),
    await store.inbox({ runId, all: true }),
    await store.views(runId),
  ];
}

export const commitCases: readonly SuiteCase[] = [
  suiteCase("a write with a lost fence changes nothing", ["I3", "W-119", "C14"], async (b) => {
    const old = await owned(b.store, "a", "engine-1");
    await b.store.registerEngine({ engineId: "engine-2", leaseMs: 60_000, serves: [] });
    await declareDeadByLease(b, "engine-1", "engine-2");
    const [taken] = await b.store.claim(claimQuery("engine-2", { runId: "a" }));
    const before = await seen(b.store, "a");
    const zombie = next(old, { events: [event(1)], views: [{ name: "v", value: "1" }], children: [create("child")], commitId: "zombie" });
    kind((await b.store.commit([zombie])).answers[0], "fenced");
    equal(await seen(b.store, "a"), before, "the run");
    equal(await b.store.run({ runId: "child" }), undefined, "the zombie's child");
    await commitOne(b.store, next(present(taken, "claim"), { events: [event(1)] }));
    kind((await b.store.commit([zombie])).answers[0], "fenced");
  }),

  suiteCase("epoch and token are both tested", ["I3", "K4"], async ({ store }) => {
    const row = await owned(store, "a");
    const { epoch, token } = row.fence;
    const before = await seen(store, "a");
    for (const fence of [
      { epoch: epoch + 1, token },
      { epoch: epoch - 1, token },
      { epoch, token: `${token}x` },
      { epoch, token: "" },
    ]) {
      kind((await store.commit([next({ ...row, fence })])).answers[0], "fenced");
    }
    kind((await store.commit([next({ ...row, runId: "none" })])).answers[0], "fenced");
    equal(await seen(store, "a"), before, "the run");
  }),

  suiteCase(
    "of two Commits on one version one is written, the other is stale",
    ["T-81", "W-103", "W-106", "W-107", "W-108", "C13", "L-01", "AX-17"],
    async ({ store, reopen: again }) => {
      const row = await owned(store, "a");
      const other = await again();
      const left = next(row, { commitId: "left", events: [event(1, { eventId: "left" })] });
      const right = next(row, { commitId: "right", events: [event(1, { eventId: "right" })] });
      const answers = (await Promise.all([store.commit([left]), other.commit([right])])).map((a) => present(a.answers[0], "answer"));
      equal(answers.map((a) => a.kind).sort(), ["committed", "stale"], "answers");
      const winner = answers[0]?.kind === "committed" ? "left" : "right";
      equal(
        (await store.events({ runId: "a", after: 0, limit: 9 })).map((e) => e.eventId),
        [winner],
        "events",
      );
      equal((await rowOf(store, "a")).commitId, winner, "the row");
      await other.close();
    },
  ),

  suiteCase("a settled run never changes", ["I8"], async ({ store }) => {
    for (const status of ["COMPLETED", "FAILED", "CANCELLED"] as const satisfies readonly RunStatus[]) {
      const row = await owned(store, status);
      kind(await store.post(message("unheard", { target: { runId: status } })), "accepted"); // it must wake nobody any more
      await commitOne(store, next(row, { status, due: { at: 0, inMs: 5 }, events: [event(1)] }));
      const settled = await rowOf(store, status);
      equal([settled.owner, settled.dueAt, settled.status], [null, null, status], "released and never due again");
      const before = await seen(store, status);
      const more = next(settled, { events: [event(2)], status: "RUNNING", views: [{ name: "v", value: "1" }] });
      kind((await store.commit([more])).answers[0], "stale");
      kind((await store.commit([{ ...more, due: { at: null, inMs: null } }])).answers[0], "stale");
      kind((await store.commit([{ ...more, release: true }])).answers[0], "stale");
      equal(await store.claim(claimQuery("engine-1")), [], "claims");
      equal(await store.inbox({ owner: "engine-1" }), [], "rows for its owner");
      equal(await seen(store, status), before, "the run");
      const atOnce = create(
        `${status}-at-once`,
        { owner: "engine-1" },
        { status, release: false, due: { at: null, inMs: 0 }, events: [event(1)] },
      );
      await commitOne(store, atOnce);
      const born = await rowOf(store, `${status}-at-once`);
      equal([born.owner, born.dueAt, born.status], [null, null, status], "one that settles as it is created");
      equal(await store.claim(claimQuery("engine-1")), [], "nor is that one claimed");
    }
  }),

  suiteCase("a Commit asked again is answered duplicate and written once", ["K10", "C9"], async (b) => {
    const row = await owned(b.store, "a");
    const c = next(row, { events: [event(1)], due: { at: null, inMs: 100 }, views: [{ name: "v", value: "1" }] });
    const first = await commitOne(b.store, c);
    b.advanceClock(10);
    const before = await seen(b.store, "a");
    const again = kind((await b.store.commit([c])).answers[0], "duplicate");
    equal({ ...again, kind: "committed" }, first, "the same answer");
    equal(await seen(b.store, "a"), before, "the run");
    const row2 = await rowOf(b.store, "a");
    kind((await b.store.commit([next(row2, { commitId: c.commitId, events: [event(2)] })])).answers[0], "duplicate");
    equal(await seen(b.store, "a"), before, "the commitId decides, whatever else is asked");
  }),

  suiteCase("a Commit whose answer was lost is there, one that died before COMMIT is not", ["C9", "I1"], async (b) => {
    const row = await owned(b.store, "a");
    const c = next(row, { events: [event(1)] });
    b.failAt("engine:commit");
    ok(await unanswered(() => b.store.commit([c])), "dies before COMMIT");
    equal((await rowOf(b.store, "a")).stateVersion, row.stateVersion, "nothing was written");
    b.failAt("engine:ack");
    ok(await unanswered(() => b.store.commit([c])), "dies after COMMIT");
    kind((await b.store.commit([c])).answers[0], "duplicate");
    equal((await b.store.events({ runId: "a", after: 0, limit: 9 })).length, 1, "one event");
  }),

  suiteCase("a hundred Commits of one version asked at once are written once", ["L-64"], async ({ store, reopen: again }) => {
    const row = await owned(store, "a");
    const other = await again();
    const c = next(row, { events: [event(1)] });
    // A database that is crowded may say "busy": then nothing was written, and it is asked again, as an engine does.
    const ask = async (of: typeof store): Promise<string | undefined> => {
      for (;;) {
        const said = (await of.commit([c])).answers[0]?.kind;
        if (said !== "busy") return said;
      }
    };
    const kinds = await Promise.all(Array.from({ length: 100 }, (_, i) => ask(i % 2 === 0 ? store : other)));
    equal([kinds.filter((k) => k === "committed").length, kinds.filter((k) => k === "duplicate").length], [1, 99], "answers");
    equal((await store.events({ runId: "a", after: 0, limit: 9 })).length, 1, "events");
    await other.close();
  }),

  suiteCase("a Commit before its time is refused as early", ["I10"], async (b) => {
    const row = await owned(b.store, "a");
    const { nowMs } = await b.store.info();
    const c = next(row, { notBefore: nowMs + 10, events: [event(1)] });
    equal((await b.store.commit([c])).answers[0], { kind: "early", nowMs }, "now");
    kind((await b.store.commit([{ ...c, expect: { fence: { epoch: 0, token: "" }, stateVersion: 1 } }])).answers[0], "fenced");
    b.advanceClock(9);
    kind((await b.store.commit([c])).answers[0], "early");
    equal((await b.store.events({ runId: "a", after: 0, limit: 9 })).length, 0, "nothing was written");
    b.advanceClock(1);
    await commitOne(b.store, c);
  }),

  suiteCase("persistedAt is the store's, shared by the events of one Commit, and never goes back", ["P-12"], async (b) => {
    const row = await owned(b.store, "a");
    const { nowMs } = await b.store.info();
    await commitOne(b.store, next(row, { events: [event(1), event(2)] }));
    b.advanceClock(-5_000);
    const answer = kind(
      (await b.store.commit([next(await rowOf(b.store, "a"), { events: [event(3)], due: { at: null, inMs: 7 } })])).answers[0],
      "committed",
    );
    equal([answer.persistedAt, answer.dueAt], [nowMs, nowMs + 7], "the clock was set back");
    const events = await b.store.events({ runId: "a", after: 0, limit: 9 });
    equal(
      events.map((e) => [e.runSeq, e.persistedAt, e.stateVersion]),
      [
        [1, nowMs, 2],
        [2, nowMs, 2],
        [3, nowMs, 3],
      ],
      "events",
    );
    equal(
      events.map(({ persistedAt: _p, stateVersion: _s, ...e }) => e),
      [event(1), event(2), event(3)],
      "as they were given",
    );
    equal((await rowOf(b.store, "a")).persistedAt, nowMs, "the row");
  }),

  suiteCase("events are read in runSeq order, after a place, up to a limit", ["K13"], async ({ store }) => {
    await commitOne(store, create("a", {}, { events: [event(1), event(2), event(5), event(9)] }));
    const seqs = async (after: number, limit: number): Promise<number[]> =>
      (await store.events({ runId: "a", after, limit })).map((e) => e.runSeq);
    equal([await seqs(0, 2), await seqs(2, 9), await seqs(9, 9)], [[1, 2], [5, 9], []], "pages");
  }),

  suiteCase("a run is due at the lesser of a time and a delay", ["K13"], async (b) => {
    let row = await owned(b.store, "a");
    const { nowMs } = await b.store.info();
    const table: [Commit["due"], number | null][] = [
      [{ at: 0, inMs: null }, 0],
      [{ at: null, inMs: null }, null],
      [{ at: nowMs + 50, inMs: null }, nowMs + 50],
      [{ at: null, inMs: 20 }, nowMs + 20],
      [{ at: nowMs + 50, inMs: 20 }, nowMs + 20],
      [{ at: nowMs + 5, inMs: 20 }, nowMs + 5],
    ];
    for (const withEvents of [false, true]) {
      for (const [due, expected] of table) {
        const events = withEvents ? [event(row.headSeq + 1)] : [];
        const answer = kind((await b.store.commit([next(row, { due, events })])).answers[0], "committed");
        row = await rowOf(b.store, "a");
        equal([answer.dueAt, row.dueAt], [expected, expected], JSON.stringify({ due, withEvents }));
      }
    }
  }),

  suiteCase("a Commit moves status, waiting, version and head, and releases when asked", ["K5", "K18", "K20"], async ({ store }) => {
    const row = await owned(store, "a");
    equal(row.idleClaims, 1, "claims without a Commit (K5)");
    await commitOne(store, next(row, { status: "RUNNING", waiting: "timer", events: [event(1), event(2)], exactVersion: true }));
    const second = await rowOf(store, "a");
    const moved = {
      status: "RUNNING",
      waiting: "timer",
      stateVersion: 2,
      headSeq: 2,
      headLink: "link-2",
      idleClaims: 0,
      exactVersion: true,
    } as const;
    equal(second, { ...row, ...moved, commitId: "a-2", persistedAt: second.persistedAt }, "the row");
    await commitOne(store, next(second, { release: true }));
    const third = await rowOf(store, "a");
    equal([third.owner, third.headSeq, third.headLink, third.exactVersion], [null, 2, "link-2", true], "released without events");
    equal(third.fence, row.fence, "the fence changes only with a claim");
    const fourth = present((await store.claim(claimQuery("engine-1", { runId: "a" })))[0], "claim");
    const due = { at: fourth.dueAt, inMs: null };
    await commitOne(store, next(fourth, { release: true, due, events: [event(3)] }));
    equal([(await rowOf(store, "a")).owner, (await rowOf(store, "a")).dueAt], [null, fourth.dueAt], "released with events, due as it was");
  }),

  suiteCase("an event that the log already holds breaks its Commit and no other", ["K9", "L-19", "L-26"], async ({ store }) => {
    const [a, b, c, d] = [await owned(store, "a"), await owned(store, "b"), await owned(store, "c"), await owned(store, "d")];
    await commitOne(store, next(a, { events: [event(1)] }));
    const a2 = await rowOf(store, "a");
    const before = await seen(store, "a");
    const sameKey = next(a2, { events: [event(2), event(3, { idempotencyKey: "key-1" })], views: [{ name: "v", value: "1" }] });
    const sameSeq = next(c, { events: [event(1), event(1, { idempotencyKey: "other" })], children: [create("child")] });
    const { answers } = await store.commit([next(b, { events: [event(1)] }), sameKey, sameSeq, next(d, { events: [event(1)] })]);
    equal(
      answers.map((x) => x.kind),
      ["committed", "refused", "refused", "committed"],
      "answers",
    );
    ok(kind(answers[1], "refused").reason.startsWith("PAWL3007"), "a broken invariant, not a duplicate");
    equal(await seen(store, "a"), before, "the first offender");
    equal(await rowOf(store, "c"), c, "the second offender");
    equal(await store.run({ runId: "child" }), undefined, "its child");
    equal([(await rowOf(store, "b")).headSeq, (await rowOf(store, "d")).headSeq], [1, 1], "the others");
  }),

  suiteCase("nothing of a refused Commit is left anywhere", ["L-01", "L-20", "L-22"], async ({ store }) => {
    const row = await owned(store, "a");
    await owned(store, "b");
    const posted = kind(await store.post(message("s1")), "accepted").record.inboxId;
    const before = [await seen(store, "a"), await seen(store, "b")];
    const broken = next(row, {
      status: "COMPLETED",
      events: [event(1), event(2), event(2)],
      consumed: [posted],
      replies: [{ inboxId: posted, reply: "yes" }],
      views: [{ name: "v", value: "1" }],
      children: [create("child")],
      notices: [{ toRunId: "b", kind: "signal", name: "n", id: "1", payload: null }],
    });
    kind((await store.commit([broken])).answers[0], "refused");
    equal([await seen(store, "a"), await seen(store, "b")], before, "both runs");
    equal(await store.run({ runId: "child" }), undefined, "the child");
    await commitOne(store, { ...broken, events: [event(1), event(2)] });
  }),

  suiteCase("each Commit of a batch has its own answer, in order", ["K9"], async ({ store }) => {
    const [a, b, c] = [await owned(store, "a"), await owned(store, "b"), await owned(store, "c")];
    const batch = [
      next(a, { events: [event(1)] }),
      next({ ...b, fence: { epoch: 9, token: "x" } }),
      next({ ...c, stateVersion: 9 }),
      create("d"),
      create("e", { workflowId: "order-a" }),
    ];
    const { answers, renewal } = await store.commit(batch);
    equal(
      answers.map((x) => x.kind),
      ["committed", "fenced", "stale", "committed", "conflict"],
      "answers",
    );
    equal(renewal, null, "no renewal was asked for");
    equal((await store.commit([])).answers, [], "an empty batch");
  }),

  suiteCase("text that a database would cut or replace is refused, the rest of the batch is written", ["K9"], async ({ store }) => {
    const [a, b] = [await owned(store, "a"), await owned(store, "b")];
    const bad = ["a\0b", "\ud800", "x\udc00y"];
    for (const text of bad) {
      const spoiled: Commit[] = [
        next(a, { events: [event(1, { payload: text })] }),
        next(a, { events: [event(1, { stepId: text })] }),
        next(a, { views: [{ name: text, value: "" }] }),
        next(a, { notices: [{ toRunId: "b", kind: "signal", name: "n", id: text, payload: null }] }),
        next(a, { children: [create("child", { workflowId: text })] }),
        create("child", { tags: { k: text } }),
      ];
      for (const c of spoiled) {
        const reason = kind((await store.commit([c])).answers[0], "refused").reason;
        ok(reason.startsWith("PAWL3005"), reason);
      }
    }
    const { answers } = await store.commit([next(a, { events: [event(1, { payload: "a\0b" })] }), next(b, { events: [event(1)] })]);
    equal(
      answers.map((x) => x.kind),
      ["refused", "committed"],
      "a batch",
    );
    equal(await rowOf(store, "a"), a, "the refused run");
    const fine = "\u{1f4b6} \u0001 é e\u0301 ￿";
    await commitOne(store, next(a, { events: [event(1, { payload: fine, stepId: fine })] }));
    const [stored] = await store.events({ runId: "a", after: 0, limit: 1 });
    equal([stored?.payload, stored?.stepId], [fine, fine], "any other text comes back as it went");
  }),

  suiteCase("a renewal rides with a batch and does not touch its Commits", ["K3"], async (b) => {
    const row = await owned(b.store, "a", "engine-1");
    b.advanceClock(10);
    const first = await b.store.commit([next(row)], { engineId: "engine-1", leaseMs: 5_000 });
    equal([first.answers[0]?.kind, first.renewal], ["committed", "renewed"], "answers");
    const { engines, nowMs } = await b.store.info();
    equal(
      engines.map((e) => [e.engineId, e.leaseUntil]),
      [["engine-1", nowMs + 5_000]],
      "the lease",
    );
    await b.store.declareDead({ self: "engine-1" });
    const second = await b.store.commit([next(await rowOf(b.store, "a"))], { engineId: "engine-1", leaseMs: 5_000 });
    equal([second.answers[0]?.kind, second.renewal], ["committed", "dead"], "K3: a lapsed lease never forbids an outcome in hand");
  }),

  suiteCase("every status a run can have is written as given", [], async ({ store }) => {
    for (const status of runStatuses) {
      await commitOne(store, next(await owned(store, status), { status }));
      const row = await rowOf(store, status);
      equal([row.status, row.owner === null], [status, isSettled(status)], status);
    }
  }),

  suiteCase("a create that is refused names a run that is there, whichever of its batch wrote first", ["K9"], async ({ store }) => {
    await commitOne(store, create("a", { workflowId: "w1" }));
    // Its runId is taken; its workflowId and its start key are about to be.
    const refused = create("a", { workflowId: "w2", idempotencyKey: "k" }, { commitId: "again" });
    const { answers } = await store.commit([refused, create("b", { workflowId: "w2", idempotencyKey: "k" })]);
    kind(answers[1], "committed");
    const { by, existing } = kind(answers[0], "conflict");
    ok((by === "runId" && existing.runId === "a") || (by === "idempotencyKey" && existing.runId === "b"), `${by}: ${existing.runId}`);
    equal(await rowOf(store, existing.runId), existing, "the row that it names");
  }),
];
