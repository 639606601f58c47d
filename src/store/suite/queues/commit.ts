// Cases about what a Commit does to queued steps: rows come with their event, and never without it; they go silently, or with a message to
// the run; a run that has settled leaves none.
import type { Commit, DispatchRow, Hint } from "../../port.ts";
import { equal, kind, ok, present, unanswered } from "../assert.ts";
import { claimQuery, commitOne, create, event, next, owned, rowOf, scope, serves } from "../build.ts";
import { type SuiteCase, suiteCase } from "../bundle.ts";
import { claimed, claimFrom, dispatch, endsOf, enlistWorkers, queued, resultsOf, rowsOf, stepsOf } from "./build.ts";

const own = { worker: "engine-1", token: "own" };

export const queueCommitCases: readonly SuiteCase[] = [
  suiteCase("a dispatch comes with the Commit of its event, ranked by how long it waits and by its priority", ["C4"], async (b) => {
    const row = await queued(b.store, "a", [
      dispatch(1, { priority: 2, agingMs: 1_000, timeoutMs: 5_000, expiresAt: 4_000_000_000_000, spec: '{"k":"it\'s ü"}' }),
      dispatch(2, { what: "verify", since: 77, priority: -1, attempt: 3, engineAttempt: 2, task: "t@2", queue: "other" }),
      dispatch(3, { claimed: own, timeoutMs: 5_000 }),
    ]);
    const at = row.persistedAt;
    const rows = await rowsOf(b.store);
    const same = { runId: "a", scope, held: false, enqueuedAt: at, beat: null, cancel: false };
    const free = { worker: null, token: null, claimedAt: null, deadlineAt: null };
    const expected: Omit<DispatchRow, "dispatchId">[] = [
      {
        ...same,
        ...free,
        seq: 1,
        what: "run",
        stepId: "step-1",
        attempt: 1,
        engineAttempt: 1,
        queue: "q",
        task: "t",
        rankAt: at - 2_000,
        spec: '{"k":"it\'s ü"}',
        timeoutMs: 5_000,
        expiresAt: 4_000_000_000_000,
      },
      {
        ...same,
        ...free,
        seq: 2,
        what: "verify",
        stepId: "step-2",
        attempt: 3,
        engineAttempt: 2,
        queue: "other",
        task: "t@2",
        rankAt: 60_077,
        spec: '{"n":2}',
        timeoutMs: null,
        expiresAt: null,
      },
      {
        ...same,
        ...own,
        claimedAt: at,
        deadlineAt: null,
        seq: 3,
        what: "run",
        stepId: "step-3",
        attempt: 1,
        engineAttempt: 1,
        queue: "q",
        task: "t",
        rankAt: at,
        spec: '{"n":3}',
        timeoutMs: 5_000,
        expiresAt: null,
      },
    ];
    const ids = rows.map((r) => r.dispatchId);
    equal(
      rows,
      expected.map((d, i) => ({ ...d, dispatchId: ids[i] })),
      "rows",
    );
    ok(
      ids.every((id, i) => Number.isSafeInteger(id) && id > (ids[i - 1] ?? 0)),
      "their numbers rise",
    );
  }),

  suiteCase(
    "a Commit that is not applied writes no dispatch, and one that is asked again writes it once",
    ["C4", "I3", "K10"],
    async ({ store }) => {
      const row = await owned(store, "a");
      const { nowMs } = await store.info();
      const more: Partial<Commit> = { events: [event(1)], dispatches: [dispatch(1)] };
      const refused: readonly [string, Partial<Commit>][] = [
        ["fenced", { expect: { fence: { epoch: row.fence.epoch, token: "wrong" }, stateVersion: row.stateVersion } }],
        ["stale", { expect: { fence: row.fence, stateVersion: row.stateVersion + 1 } }],
        ["early", { notBefore: nowMs + 1_000 }],
        ["refused", { dispatches: [dispatch(1, { spec: "\0" })] }],
        ["refused", { dispatches: [dispatch(1, { queue: "no spaces" })] }],
        ["refused", { dispatches: [dispatch(1, { queue: "" })] }],
      ];
      for (const [answer, change] of refused) {
        equal((await store.commit([next(row, { ...more, ...change })])).answers[0]?.kind, answer, answer);
        equal(await rowsOf(store), [], answer);
      }
      const c = next(row, more);
      equal((await store.commit([c])).answers[0]?.kind, "committed", "applied");
      equal((await store.commit([c])).answers[0]?.kind, "duplicate", "asked again");
      equal(stepsOf(await rowsOf(store)), ["step-1"], "one row");
    },
  ),

  suiteCase("a process that dies around its Commit leaves the event with its dispatch, or neither", ["C4", "I1"], async (b) => {
    const { store } = b;
    const c = next(await owned(store, "a"), { events: [event(1)], dispatches: [dispatch(1)] });
    const seen = async (): Promise<unknown> => [(await rowOf(store, "a")).headSeq, stepsOf(await rowsOf(store))];
    b.failAt("engine:commit");
    ok(await unanswered(() => store.commit([c])), "died before it was done");
    equal(await seen(), [0, []], "neither");
    b.failAt("engine:ack");
    ok(await unanswered(() => store.commit([c])), "died after it was done");
    equal(await seen(), [1, ["step-1"]], "both");
    equal((await store.commit([c])).answers[0]?.kind, "duplicate", "asked again");
    equal(await seen(), [1, ["step-1"]], "once");
  }),

  suiteCase("two dispatches of one event that ask the same are refused, with all of their Commit", ["K9", "T-24"], async ({ store }) => {
    const row = await queued(store, "a", [dispatch(1), dispatch(1, { what: "undo" })]);
    for (const dispatches of [[dispatch(1)], [dispatch(2), dispatch(2)]])
      equal((await store.commit([next(row, { events: [event(3)], dispatches })])).answers[0]?.kind, "refused", "the same place");
    equal((await rowOf(store, "a")).headSeq, row.headSeq, "nothing was written");
    equal(stepsOf(await rowsOf(store)), ["step-1", "step-1"], "rows");
  }),

  suiteCase(
    "a run's first Commit may have dispatches, and so may its children's; one that is in the way has none",
    ["C4"],
    async ({ store }) => {
      const child = (runId: string): Commit => create(runId, {}, { status: "RUNNING", events: [event(1)], dispatches: [dispatch(1)] });
      await commitOne(store, { ...child("a"), children: [child("b")] });
      equal((await rowsOf(store)).map((r) => r.runId).sort(), ["a", "b"], "rows");
      await commitOne(store, { ...child("c"), children: [{ ...child("d"), expect: child("b").expect }] });
      equal((await store.commit([{ ...child("a"), commitId: "another" }])).answers[0]?.kind, "conflict", "the run is there");
      equal((await rowsOf(store)).map((r) => r.runId).sort(), ["a", "b", "c"], "rows");
      await commitOne(store, create("e", {}, { status: "COMPLETED", events: [event(1)], dispatches: [dispatch(1)] }));
      equal(await rowsOf(store, "e"), [], "of a run that ends as it begins");
      const withPuts = { ...child("f"), puts: [{ collection: "c", key: "k", value: "v" }] };
      equal((await store.commit([create("g", {}, { children: [withPuts] })])).answers[0]?.kind, "refused", "rows beside a child's log");
      equal(await store.run({ runId: "g" }), undefined, "nothing was written");
    },
  ),

  suiteCase("a step that the owner ran ends with its outcome, and no message", ["C4"], async ({ store }) => {
    const row = await queued(store, "a", [dispatch(1, { claimed: own }), dispatch(2), dispatch(3)]);
    const ends = [
      { seq: 1, what: "run" },
      { seq: 2, what: "run" },
      { seq: 3, what: "undo" },
    ] as const;
    await commitOne(store, next(row, { events: [event(4)], ends, dispatches: [dispatch(4, { stepId: "step-1", engineAttempt: 2 })] }));
    equal(
      (await rowsOf(store)).map((r) => [r.stepId, r.engineAttempt]),
      [
        ["step-3", 1],
        ["step-1", 2],
      ],
      "what is left, and a new one of the same step",
    );
    equal(await resultsOf(store, "a"), [], "messages");
  }),

  suiteCase(
    "what nobody has claimed is withdrawn, and proves it was never sent; who has claimed it is asked to stop",
    ["K26", "T-20"],
    async (b) => {
      const { store } = b;
      await enlistWorkers(store, "worker-1");
      let row = await queued(store, "a", [dispatch(1), dispatch(2), dispatch(3)]);
      const [one, two] = await claimed(store, "worker-1", { limit: 2 });
      const withdraws = [1, 2, 3, 9].map((seq) => ({ seq, what: "run" as const }));
      b.advanceClock(5);
      await commitOne(store, next(row, { events: [event(4)], withdraws }));
      row = await rowOf(store, "a");
      const [told, ...more] = await resultsOf(store, "a");
      equal(more, [], "one message");
      equal(
        [told?.name, told?.id, told?.acceptedAt, told?.taken],
        ["step-3", String(told?.ended.dispatchId), row.persistedAt, false],
        "message",
      );
      const { dispatchId: _, ...ended } = present(told, "message").ended;
      const nobody = { worker: null, token: null, claimedAt: null, deadlineAt: null, beat: null };
      equal(ended, { seq: 3, what: "run", attempt: 1, engineAttempt: 1, ...nobody, end: { kind: "withdrawn" } }, "what it says");
      equal(
        (await rowsOf(store)).map((r) => [r.stepId, r.cancel]),
        [
          ["step-1", true],
          ["step-2", true],
        ],
        "those that were claimed",
      );
      const held = [one, two].map((d) => ({ dispatchId: d?.dispatchId ?? 0, token: d?.token ?? "" }));
      equal(await store.queues.beat("worker-1", held), { cancel: held.map((h) => h.dispatchId), lost: [] }, "their worker hears of it");
      await store.queues.giveBack(held.slice(0, 1));
      equal(await endsOf(store, "a"), ["withdrawn", "withdrawn"], "not begun: withdrawn after all");
      equal((await resultsOf(store, "a"))[1]?.ended.worker, null, "and never sent");
      equal(await claimed(store), [], "nobody claims it again");
      equal(await store.queues.finish([{ ...held[1]!, end: { kind: "result", report: 1 } }]), ["recorded"], "begun: its report decides");
    },
  ),

  suiteCase(
    "a run that is held has its steps claimed by nobody, also what was given back, until it continues",
    ["T-20"],
    async ({ store }) => {
      await enlistWorkers(store, "worker-1");
      let row = await queued(store, "a", [dispatch(1), dispatch(2)]);
      await queued(store, "b", [dispatch(1, { stepId: "other" })]);
      const [one] = await claimed(store, "worker-1", { limit: 1 });
      await commitOne(store, next(row, { events: [event(3)], held: true, dispatches: [dispatch(3)] }));
      row = await rowOf(store, "a");
      equal(stepsOf(await claimed(store)), ["other"], "another run's");
      await store.queues.giveBack([{ dispatchId: one?.dispatchId ?? 0, token: one?.token ?? "" }]);
      equal(stepsOf(await claimed(store)), [], "given back");
      equal(
        (await rowsOf(store, "a")).map((r) => [r.stepId, r.held, r.worker]),
        [1, 2, 3].map((n) => [`step-${n}`, true, null]),
        "all are held",
      );
      await commitOne(store, next(row, { events: [event(4)], held: false }));
      equal(stepsOf(await claimed(store)), ["step-1", "step-2", "step-3"], "it continues");
    },
  ),

  suiteCase(
    "a run that settles leaves no dispatch and no message of one, whatever its last Commit says",
    ["I8", "T-105"],
    async ({ store }) => {
      await enlistWorkers(store, "worker-1");
      for (const status of ["COMPLETED", "FAILED", "CANCELLED"] as const) {
        const row = await queued(store, status, [dispatch(1), dispatch(2), dispatch(3, { claimed: own })]);
        const [d] = await claimed(store, "worker-1", { limit: 1 });
        const last = { withdraws: [{ seq: 2, what: "run" }], dispatches: [dispatch(9)], held: false } as const;
        const queueing = status === "COMPLETED" ? {} : status === "FAILED" ? { drop: true as const } : last;
        await commitOne(store, next(row, { events: [event(4)], status, due: { at: null, inMs: null }, ...queueing }));
        equal(await rowsOf(store), [], status);
        const held = { dispatchId: d?.dispatchId ?? 0, token: d?.token ?? "" };
        equal(await store.queues.finish([{ ...held, end: { kind: "result", report: 1 } }]), ["gone"], "its worker comes too late");
        equal(await store.inbox({ runId: status, all: true }), [], "no message");
      }
      const row = await queued(store, "a", [dispatch(1)]);
      await commitOne(store, next(row, { events: [event(2)], drop: true, dispatches: [dispatch(2)] }));
      equal(stepsOf(await rowsOf(store)), ["step-2"], "dropped without an end: what was there before");
    },
  ),

  suiteCase("a run that continues as another takes its messages along, and not the ends of its steps", ["K18"], async ({ store }) => {
    await enlistWorkers(store, "worker-1");
    const row = await queued(store, "a", [dispatch(1)]);
    const [d] = await claimed(store);
    await store.queues.finish([{ dispatchId: d?.dispatchId ?? 0, token: d?.token ?? "", end: { kind: "result", report: 1 } }]);
    await store.post({ scope, target: { runId: "a" }, kind: "signal", name: "s", id: "1", payload: null, retainMs: null });
    const onward = create("b", { workflowId: "order-a", supersedes: "a", originalRunId: "a" });
    const due = { at: null, inMs: null };
    await commitOne(store, next(row, { events: [event(2)], status: "COMPLETED", due, children: [onward], moveInboxTo: "b" }));
    equal(
      (await store.inbox({ runId: "b" })).map((r) => r.kind),
      ["signal"],
      "moved",
    );
    equal(await endsOf(store, "a"), ["result"], "stays");
  }),

  {
    ...suiteCase("a dispatch comes with the rows of a user's transaction, or not at all", ["C4", "K11"], async ({ store }) => {
      const row = await owned(store, "a");
      const stopped = store.transact(
        async () => {
          throw new RangeError("no");
        },
        () => next(row, { events: [event(1)], dispatches: [dispatch(1)] }),
        5_000,
      );
      ok(
        await stopped.then(
          () => false,
          () => true,
        ),
        "it failed",
      );
      equal(await rowsOf(store), [], "rolled back");
      const { answer } = await store.transact(
        async () => 1,
        () => next(row, { events: [event(1)], dispatches: [dispatch(1)] }),
        5_000,
      );
      kind(answer, "committed");
      equal(stepsOf(await rowsOf(store)), ["step-1"], "committed");
    }),
    needs: "transactions",
  },

  {
    ...suiteCase("who listens hears of rows that may be claimed, and of ends", ["TX-08"], async (b) => {
      const { store } = b;
      await enlistWorkers(store, "worker-1");
      const row = await owned(store, "a");
      const hints: Hint[] = [];
      const off = store.watch((h) => hints.push(h));
      const heard = async (what: string, is: (h: Hint) => boolean): Promise<void> => {
        for (let n = 0; n < 50 && !hints.some(is); n++) await store.info();
        ok(hints.some(is), what);
        hints.length = 0;
      };
      const dispatches = [dispatch(1, { priority: 1 }), dispatch(2, { priority: 9 }), dispatch(3, { claimed: own, priority: 20 })];
      await commitOne(store, next(row, { events: [event(1)], dispatches }));
      const { persistedAt } = await rowOf(store, "a");
      await heard("the queue, and its lowest rank", (h) => h.kind === "queue" && h.queue === "q" && h.rank === persistedAt - 540_000);
      const [d] = await claimed(store, "worker-1", { limit: 1 });
      await store.queues.finish([{ dispatchId: d?.dispatchId ?? 0, token: d?.token ?? "", end: { kind: "result", report: 1 } }]);
      await heard("a result", (h) => h.kind === "inbox" && h.runId === "a");
      await claimed(store, "worker-1", { limit: 1 });
      await store.declareDead({ self: "worker-1" });
      await store.queues.lapse(10);
      await heard("a lapse", (h) => h.kind === "inbox" && h.runId === "a");
      off();
    }),
    needs: "watch",
  },

  suiteCase("the end of a dispatch wakes its run, and no engine needs to own it", ["K18", "I12"], async ({ store }) => {
    await enlistWorkers(store, "worker-1");
    await store.registerEngine({ engineId: "engine-2", leaseMs: 60_000, serves });
    await queued(store, "a", [dispatch(1)], { release: true, due: { at: null, inMs: null }, waiting: "signal" });
    equal(await store.claim(claimQuery("engine-2")), [], "it waits");
    const [d] = kind(await claimFrom(store), "claimed").rows;
    await store.queues.finish([{ dispatchId: d?.dispatchId ?? 0, token: d?.token ?? "", end: { kind: "result", report: { ok: 1 } } }]);
    const [woken] = await store.claim(claimQuery("engine-2"));
    equal(woken?.runId, "a", "claimed");
    equal(
      (await store.inbox({ owner: "engine-2" })).map((r) => [r.kind, r.name, r.taken]),
      [["result", "step-1", false]],
      "its owner's inbox",
    );
    const [told] = await resultsOf(store, "a");
    await commitOne(store, next(present(woken, "claim"), { events: [event(2)], consumed: [told?.inboxId ?? 0] }));
    equal(await store.inbox({ runId: "a" }), [], "consumed");
  }),
];
