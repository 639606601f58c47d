// Cases about what a Commit does to other runs: children created with it, notices sent with it, and the inbox that a
// continued run hands on. Each is in the same write as its sender's own row, or nowhere.
import type { Notice } from "../port.ts";
import { equal, kind, present } from "./assert.ts";
import { commitOne, create, event, message, next, owned, claimQuery, rowOf, scope } from "./build.ts";
import { type SuiteCase, suiteCase } from "./bundle.ts";

const notice = (toRunId: string, id: string, more: Partial<Notice> = {}): Notice => {
  return { toRunId, kind: "child", name: "ended", id, payload: null, ...more };
};

export const childCases: readonly SuiteCase[] = [
  suiteCase("a child's fate is a value, and its parent's Commit stands", ["K9", "K10"], async ({ store }) => {
    const row = await owned(store, "a");
    await commitOne(store, create("taken", { idempotencyKey: "k" }));
    const c = next(row, {
      events: [event(1)],
      children: [
        create("c1", { parentRunId: "a", parentStepId: "call" }, { events: [event(1)] }),
        create("c2", { workflowId: "order-taken" }),
        create("c3", { idempotencyKey: "k" }),
        create("c4", { workflowId: "order-c1" }),
        { ...create("taken", { workflowId: "another" }), commitId: "of another" },
      ],
    });
    const { children } = kind((await store.commit([c])).answers[0], "committed");
    const fates = children.map((f) => (f.kind === "conflict" ? f.existing.runId : f.kind));
    equal(fates, ["created", "taken", "taken", "c1", "taken"], "fates");
    equal((await store.events({ runId: "c1", after: 0, limit: 9 })).length, 1, "the child's own log");
    equal(
      (await store.runs({ scope, parentRunId: "a", limit: 9 })).runs.map((r) => r.runId),
      ["c1"],
      "children",
    );
    const again = kind((await store.commit([c])).answers[0], "duplicate");
    equal(
      again.children.map((f) => (f.kind === "conflict" ? f.existing.runId : f.kind)),
      fates,
      "K10: the same fates again",
    );
  }),

  suiteCase("a run that settles may create its own successor in the same Commit", ["K9", "K19"], async ({ store }) => {
    const row = await owned(store, "a");
    const unsettled = next(row, { commitId: "early", children: [create("b", { workflowId: "order-a", supersedes: "a" })] });
    equal(kind((await store.commit([unsettled])).answers[0], "committed").children[0]?.kind, "conflict", "while it is running");
    const c = next(await rowOf(store, "a"), { status: "COMPLETED", children: [create("c", { workflowId: "order-a", supersedes: "a" })] });
    equal(kind((await store.commit([c])).answers[0], "committed").children, [{ kind: "created" }], "when it settles");
    equal((await store.run({ scope, workflowId: "order-a" }))?.generation, 2, "generation");
  }),

  suiteCase(
    "a signal or a cancel for a run that was continued goes to the run that continues it; a child's end and a stranger's run do not",
    ["I9", "K18"],
    async ({ store }) => {
      const sender = await owned(store, "sender");
      const first = await owned(store, "first", "engine-1", { workflowId: "line", parentRunId: "sender" });
      const second = create("second", { workflowId: "line", supersedes: "first", parentRunId: "sender" });
      await commitOne(store, next(first, { status: "COMPLETED", children: [second] }));
      const settled = await owned(store, "ended", "engine-1", { workflowId: "other-line", parentRunId: "sender" });
      await commitOne(store, next(settled, { status: "COMPLETED" }));
      await commitOne(store, create("stranger", { workflowId: "other-line", supersedes: "ended" }));
      const gone = await owned(store, "gone", "engine-1", { workflowId: "third-line", parentRunId: "sender" });
      await commitOne(store, next(gone, { status: "COMPLETED" }));
      await commitOne(store, create("unlike", { workflowId: "third-line", workflow: "unlike", supersedes: "gone", parentRunId: "sender" }));
      const notices = [
        notice("first", "1", { kind: "signal", name: "paid" }),
        notice("first", "2", { kind: "control", name: "cancel" }),
        notice("first", "3"),
        notice("ended", "4", { kind: "signal", name: "paid" }),
        notice("gone", "5", { kind: "signal", name: "paid" }),
      ];
      await commitOne(store, next(sender, { notices }));
      const heard = async (runId: string): Promise<string[]> => (await store.inbox({ runId, all: true })).map((r) => `${r.kind} ${r.id}`);
      equal(await heard("second"), ["signal 1", "control 2"], "the run that continues");
      for (const runId of ["first", "ended", "stranger", "gone", "unlike"]) equal(await heard(runId), [], runId);
      await commitOne(store, next(await rowOf(store, "sender"), { notices }));
      equal((await heard("second")).length, 2, "once");
    },
  ),

  suiteCase("a notice is delivered once, and dropped where no run can take it", ["I9"], async ({ store }) => {
    const row = await owned(store, "a");
    const done = await owned(store, "done");
    await owned(store, "b");
    await commitOne(store, next(done, { status: "COMPLETED" }));
    const notices = [
      notice("b", "1"),
      notice("b", "1"),
      notice("b", "2"),
      notice("b", "1", { kind: "signal" }),
      notice("done", "1"),
      notice("none", "1"),
    ];
    await commitOne(store, next(row, { notices }));
    await commitOne(store, next(await rowOf(store, "a"), { notices: [notice("b", "2"), notice("b", "2", { name: "other" })] }));
    const rows = await store.inbox({ runId: "b" });
    equal(
      rows.map((r) => [r.kind, r.name, r.id]),
      [
        ["child", "ended", "1"],
        ["child", "ended", "2"],
        ["signal", "ended", "1"],
        ["child", "other", "2"],
      ],
      "the inbox of b",
    );
    equal([await store.inbox({ runId: "done" }), await store.inbox({ runId: "none" })], [[], []], "nobody else's");
  }),

  suiteCase("a notice reaches a child that the same Commit creates, and wakes a parked run", ["K8", "K18"], async ({ store }) => {
    const row = await owned(store, "a");
    const parked = await owned(store, "b");
    await commitOne(store, next(parked, { release: true, due: { at: null, inMs: null } }));
    equal(await store.claim(claimQuery("engine-1")), [], "parked: nothing to claim");
    const cancel = notice("child", "c", { kind: "control", name: "cancel", payload: '"why"' });
    await commitOne(
      store,
      next(row, { children: [create("child", {}, { due: { at: null, inMs: null } })], notices: [cancel, notice("b", "1")] }),
    );
    equal(
      (await store.inbox({ runId: "child" })).map((r) => [r.name, r.payload]),
      [["cancel", '"why"']],
      "the child's inbox",
    );
    equal((await store.claim(claimQuery("engine-1"))).map((r) => r.runId).sort(), ["b", "child"], "both are awake");
  }),

  suiteCase("a continued run hands on what it has not consumed, as not yet taken", ["K18", "I9"], async ({ store }) => {
    const row = await owned(store, "a");
    const ids: number[] = [];
    for (const id of ["s1", "s2", "s3"]) ids.push(kind(await store.post(message(id)), "accepted").record.inboxId);
    const [one = 0, two = 0, three = 0] = ids;
    await commitOne(store, next(row, { taken: [one, two] }));
    const c = next(await rowOf(store, "a"), {
      status: "COMPLETED",
      consumed: [one],
      children: [create("b", { workflowId: "order-a", supersedes: "a" }, { due: { at: null, inMs: null } })],
      moveInboxTo: "b",
    });
    await commitOne(store, c);
    equal(
      (await store.inbox({ runId: "a", all: true })).map((r) => [r.inboxId, r.consumed]),
      [[one, true]],
      "the old run's",
    );
    const moved = await store.inbox({ runId: "b" });
    equal(
      moved.map((r) => [r.inboxId, r.runId, r.taken, r.id]),
      [
        [two, "b", false, "s2"],
        [three, "b", false, "s3"],
      ],
      "the new run's",
    );
    const again = kind(await store.post(message("s2")), "accepted");
    equal([again.replayed, again.record.runId, again.record.inboxId], [true, "b", two], "W-051: the tuple's memory moved with it");
    equal(
      (await store.claim(claimQuery("engine-1"))).map((r) => r.runId),
      ["b"],
      "the new run is awake",
    );
  }),

  suiteCase("rows stay where they are when the run to move them to was not created", ["I9", "K18"], async ({ store }) => {
    const row = await owned(store, "a");
    await store.post(message("s1"));
    await commitOne(store, next(row, { status: "COMPLETED", moveInboxTo: "never" }));
    equal(
      (await store.inbox({ runId: "a" })).map((r) => r.id),
      ["s1"],
      "kept and shown",
    );
    present(await store.run({ runId: "a" }), "a");
  }),
];
