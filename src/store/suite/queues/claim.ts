// Cases about who gets a dispatch: the order, what is never given, and that two workers never get the same one. A case never looks at how a
// store finds its candidates, only at what it gives to whom.
import type { DispatchRow } from "../../port.ts";
import { equal, kind, ok, unanswered } from "../assert.ts";
import { claimQuery, commitOne, create, declareDeadByLease, event, next, otherScope, owned, scope } from "../build.ts";
import { type SuiteCase, suiteCase } from "../bundle.ts";
import { claimed, claimFrom, commitDispatches, dispatch, enlistWorkers, queued, queueVersion, rowsOf, stepsOf, works } from "./build.ts";

const numbers = (n: number): number[] => Array.from({ length: n }, (_, i) => i + 1);

export const queueClaimCases: readonly SuiteCase[] = [
  suiteCase("a claim gives each row a token of its own and a deadline, and the next claim does not get it", ["T-20", "T-23"], async (b) => {
    const { store } = b;
    await enlistWorkers(store, "worker-1", "worker-2");
    await queued(store, "a", [dispatch(1, { timeoutMs: 5_000 }), dispatch(2)]);
    const before = await rowsOf(store);
    b.advanceClock(10);
    const { nowMs } = await store.info();
    const answer = kind(await claimFrom(store, "worker-1", { limit: 9, tokens: ["x", "y"], beginWithinMs: 700 }), "claimed");
    const expected = before.map((d, i) => ({
      ...d,
      worker: "worker-1",
      token: ["x", "y"][i],
      claimedAt: nowMs,
      deadlineAt: i === 0 ? nowMs + 5_700 : null,
    }));
    equal([answer.rows, answer.nextAt], [expected, null], "the claimed rows");
    equal(await rowsOf(store), expected, "as stored");
    equal(await claimed(store, "worker-2"), [], "not claimed, and no error");
  }),

  suiteCase("the lowest rank comes first, then the older row, whatever its task", ["TX-21"], async ({ store }) => {
    await enlistWorkers(store, "worker-1");
    await queued(store, "a", [
      dispatch(1, { since: 500 }),
      dispatch(2, { since: 500, priority: 9, agingMs: 10, task: "u" }),
      dispatch(3, { since: 400, task: "u" }),
      dispatch(4, { since: 500 }),
      dispatch(5, { since: 500, priority: -9, agingMs: 10 }),
    ]);
    const steps = stepsOf(await claimed(store, "worker-1", { tasks: ["t", "u", "t"], limit: 4 }));
    equal(steps, ["step-3", "step-2", "step-1", "step-4"], "order");
    equal(stepsOf(await claimed(store)), ["step-5"], "the last one");
  }),

  suiteCase("who waits long enough comes before any priority", ["TX-21"], async (b) => {
    const { store } = b;
    await enlistWorkers(store, "worker-1");
    const row = await queued(store, "a", [dispatch(1, { priority: -9, agingMs: 1_000 })]);
    const urgent = (seq: number): ReturnType<typeof dispatch> => dispatch(seq, { priority: 9, agingMs: 1_000 });
    b.advanceClock(17_999);
    const later = await commitDispatches(store, row, [urgent(2)]);
    b.advanceClock(2);
    await commitDispatches(store, later, [urgent(3)]);
    equal(stepsOf(await claimed(store)), ["step-2", "step-1", "step-3"], "after eighteen steps of aging");
  }),

  suiteCase("tasks that nobody here knows stand in nobody's way", ["TX-21"], async ({ store }) => {
    await enlistWorkers(store, "worker-1");
    const row = await owned(store, "a");
    const unknown = numbers(60).map((n) => dispatch(n, { task: `unknown-${n % 3}`, priority: 9 }));
    await commitDispatches(store, row, [...unknown, dispatch(61), dispatch(62, { task: "t@2" })]);
    equal(stepsOf(await claimed(store, "worker-1", { limit: 1 })), ["step-61"], "known");
    equal(await claimed(store, "worker-1", { tasks: [] }), [], "nothing is known");
    equal(stepsOf(await claimed(store, "worker-1", { tasks: ["t@2", "t"], limit: 2 })), ["step-62"], "by version");
  }),

  suiteCase("only who is enlisted and alive claims, and a worker claims no run", ["K1", "T-24"], async (b) => {
    const { store } = b;
    await queued(store, "a", [dispatch(1)]);
    equal(await claimFrom(store, "nobody"), { kind: "dead" }, "never enlisted");
    await enlistWorkers(store, "worker-1");
    equal(
      (await store.info()).engines.map((e) => [e.engineId, e.kind, e.works]),
      [
        ["engine-1", undefined, undefined],
        ["worker-1", "worker", works],
      ],
      "rows",
    );
    await commitOne(store, create("b"));
    equal(await store.claim(claimQuery("worker-1")), [], "no run");
    await declareDeadByLease(b, "worker-1", "engine-1");
    equal(await claimFrom(store, "worker-1"), { kind: "dead" }, "declared dead");
    equal(stepsOf(await claimed(store, "engine-1")), ["step-1"], "an engine may");
  }),

  suiteCase("nothing is claimed under another version of the queue than the caller knows", ["T-23"], async ({ store }) => {
    await enlistWorkers(store, "worker-1");
    await queued(store, "a", [dispatch(1)]);
    equal(await claimFrom(store, "worker-1", { queue: "none", version: 1 }), { kind: "moved" }, "no such queue");
    const version = await queueVersion(store);
    equal(await claimFrom(store, "worker-1", { version: version + 1 }), { kind: "moved" }, "a later one");
    await store.queues.configure(scope, "q", { config: { concurrency: 5 } });
    equal(await claimFrom(store, "worker-1", { version }), { kind: "moved" }, "an earlier one");
    equal(stepsOf(await claimed(store)), ["step-1"], "the one of now");
  }),

  suiteCase("a paused queue gives nothing from the moment that pausing is answered", ["T-20"], async (b) => {
    const { store } = b;
    const other = await b.reopen();
    await enlistWorkers(store, "worker-1", "worker-2", "worker-3", "worker-4");
    await queued(
      store,
      "a",
      numbers(60).map((n) => dispatch(n)),
    );
    const version = await queueVersion(store);
    const got: DispatchRow[] = [];
    let late = 0;
    let paused = false;
    const worker = async (s: typeof store, id: string): Promise<void> => {
      for (let n = 0; n < 15; n++) {
        const after = paused;
        const answer = await claimFrom(s, id, { version, limit: 1 });
        if (answer.kind === "claimed") got.push(...answer.rows);
        if (answer.kind === "claimed" && after) late++;
      }
    };
    const pause = async (): Promise<void> => {
      while (got.length < 4) await store.info();
      await store.queues.configure(scope, "q", { paused: { by: "ops", reason: "maintenance" } });
      paused = true;
    };
    await Promise.all([
      pause(),
      ...["worker-1", "worker-2", "worker-3", "worker-4"].map((id, i) => worker(i % 2 === 0 ? store : other, id)),
    ]);
    equal(late, 0, "claims after the answer");
    equal((await rowsOf(store)).filter((r) => r.worker !== null).length, got.length, "what was claimed before stays claimed");
    equal(await claimFrom(store), { kind: "paused" }, "by its version of now");
    await store.queues.configure(scope, "q", { paused: null });
    equal((await claimed(store)).length, 60 - got.length, "resumed");
    await other.close();
  }),

  suiteCase("what is past its time, or belongs to a run that is not running, is not claimed", ["T-20"], async (b) => {
    const { store } = b;
    await enlistWorkers(store, "worker-1");
    const { nowMs } = await store.info();
    await queued(store, "a", [dispatch(1, { expiresAt: nowMs + 10 }), dispatch(2, { expiresAt: nowMs + 11 })]);
    await queued(store, "b", [dispatch(1, { stepId: "paused" })], { status: "PAUSED" });
    await queued(store, "c", [dispatch(1, { stepId: "pending" })], { status: "PENDING" });
    b.advanceClock(10);
    equal(stepsOf(await claimed(store)), ["step-2"], "in time, and running");
  }),

  suiteCase("a queue of one tenant is not another's, and neither are its rows", ["I11"], async ({ store }) => {
    await enlistWorkers(store, "worker-1");
    await queued(store, "a", [dispatch(1), dispatch(2, { queue: "Q" })]);
    const theirs = await owned(store, "b", "engine-1", { scope: otherScope }).catch(() => undefined);
    equal(theirs, undefined, "claimed by its own tenant only");
    const [row] = await store.claim(claimQuery("engine-1", { runId: "b", scope: otherScope }));
    await commitOne(store, next(row!, { events: [event(1)], dispatches: [dispatch(1, { stepId: "theirs" })] }));
    await store.queues.open(otherScope, ["q"]);
    await store.queues.configure(otherScope, "q", { paused: { by: "b", reason: "theirs" } });
    equal(stepsOf(await claimed(store)), ["step-1"], "ours, of this queue");
    equal(await claimFrom(store, "worker-1", { scope: otherScope, version: 2 }), { kind: "paused" }, "theirs is paused");
    equal(stepsOf(await store.queues.rows({ scope: otherScope, limit: 9 })), ["theirs"], "rows");
    equal(await store.queues.rows({ scope: otherScope, runId: "a", limit: 9 }), [], "a run of ours");
    equal((await store.queues.depth(otherScope, "q", 9)).ready, 1, "depth");
    equal(
      (await store.queues.list(otherScope)).map((q) => [q.queue, q.paused?.by]),
      [["q", "b"]],
      "their queues",
    );
  }),

  suiteCase("a claim may begin at a rank; a poll looks at all", ["TX-08"], async ({ store }) => {
    await enlistWorkers(store, "worker-1");
    await queued(store, "a", [dispatch(1, { since: 10 }), dispatch(2, { since: 20 }), dispatch(3, { since: 30 })]);
    equal(stepsOf(await claimed(store, "worker-1", { from: 20, limit: 1 })), ["step-2"], "from a rank on");
    equal(stepsOf(await claimed(store)), ["step-1", "step-3"], "all");
  }),

  suiteCase("eight workers that claim at once never share a row, and get all of them", ["T-24", "TX-08", "TX-23"], async (b) => {
    const { store } = b;
    const other = await b.reopen();
    const workers = numbers(8).map((n) => `worker-${n}`);
    await enlistWorkers(store, ...workers);
    for (const run of ["a", "b", "c", "d"])
      await queued(
        store,
        run,
        numbers(20).map((n) => dispatch(n)),
      );
    const got = await Promise.all(
      workers.map(async (id, i) => {
        const mine: DispatchRow[] = [];
        // A row that another one is claiming at this moment may be passed over: it is there, or gone, the next time.
        for (let n = 0, empty = 0; n < 100 && empty < 3; n++) {
          const rows = await claimed(i % 2 === 0 ? store : other, id, { limit: 3 });
          empty = rows.length === 0 ? empty + 1 : 0;
          mine.push(...rows);
        }
        return mine;
      }),
    );
    const ids = got.flat().map((r) => r.dispatchId);
    equal([ids.length, new Set(ids).size], [80, 80], "each row once");
    const stored = await rowsOf(store);
    ok(
      got.flat().every((r) => stored.some((x) => x.dispatchId === r.dispatchId && x.worker === r.worker && x.token === r.token)),
      "each belongs to who was given it",
    );
    await other.close();
  }),

  suiteCase("a claim whose answer is lost is found again among the worker's own rows", ["I12", "TX-08"], async (b) => {
    const { store } = b;
    await enlistWorkers(store, "worker-1", "worker-2");
    await queued(store, "a", [dispatch(1), dispatch(2)]);
    const version = await queueVersion(store);
    b.failAt("worker:claim");
    ok(await unanswered(() => claimFrom(store, "worker-1", { version, limit: 1 })), "died before it was done");
    equal(
      (await rowsOf(store)).map((r) => r.worker),
      [null, null],
      "nothing was claimed",
    );
    b.failAt("worker:claimed");
    ok(await unanswered(() => claimFrom(store, "worker-1", { version, limit: 1 })), "died after it was done");
    const mine = await store.queues.rows({ scope, worker: "worker-1", limit: 9 });
    equal(stepsOf(mine), ["step-1"], "its own");
    equal(stepsOf(await claimed(store, "worker-2")), ["step-2"], "nobody else gets it");
  }),
];
