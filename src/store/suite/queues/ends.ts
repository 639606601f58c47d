// Cases about the end of a dispatch: it ends once, in one transaction with the message to its run; what comes after that is evidence. A claim
// that lapsed differs from one that was never made.
import type { FullStore } from "../../full-store.ts";
import type { DispatchEnd, DispatchEnded, DispatchRow } from "../../port.ts";
import { equal, kind, ok, present, throws, unanswered } from "../assert.ts";
import { claimQuery, commitOne, create, event, message, next, owned, rowOf, scope, serves } from "../build.ts";
import { type OpenBundle, type SuiteCase, suiteCase } from "../bundle.ts";
import { claimed, claimFrom, dispatch, endsOf, enlistWorkers, queued, resultsOf, rowsOf, stepsOf } from "./build.ts";

const held = (d: DispatchRow | undefined): { dispatchId: number; token: string } => ({
  dispatchId: d?.dispatchId ?? 0,
  token: d?.token ?? "",
});
const result = (report: unknown): { readonly end: DispatchEnd } => ({ end: { kind: "result", report } });

async function oneClaimed(store: FullStore, more: Parameters<typeof dispatch>[1] = {}): Promise<DispatchRow> {
  await enlistWorkers(store, "worker-1");
  await queued(store, "a", [dispatch(1, more)]);
  return present((await claimed(store))[0], "claim");
}

async function dieByLease(b: OpenBundle, worker: string): Promise<void> {
  b.advanceClock(60_001);
  await b.store.registerEngine({ engineId: "engine-2", leaseMs: 600_000, serves });
  ok((await b.store.declareDead({ by: "engine-2" })).includes(worker), `${worker} is dead`);
}

export const queueEndCases: readonly SuiteCase[] = [
  suiteCase("a result ends its dispatch and is put into the run's inbox, in one write", ["T-21", "T-46"], async (b) => {
    const { store } = b;
    const d = await oneClaimed(store, { timeoutMs: 5_000, attempt: 2, engineAttempt: 3 });
    equal(await store.queues.beat("worker-1", [{ ...held(d), beat: '{"page":7}' }]), { cancel: [], lost: [] }, "at work");
    b.advanceClock(30);
    const { nowMs } = await store.info();
    const report = { ok: true, value: "it's ü", n: [1, null] };
    equal(await store.queues.finish([{ ...held(d), ...result(report) }]), ["recorded"], "recorded");
    equal(await rowsOf(store), [], "the row is gone");
    const [row, ...more] = await resultsOf(store, "a");
    equal(more, [], "one message");
    const { inboxId: _, payload: __, ended, ...rest } = present(row, "message");
    const state = { taken: false, consumed: false, reply: null, by: null, payloadDigest: null, rejected: null };
    equal(rest, { runId: "a", kind: "result", name: "step-1", id: String(d.dispatchId), acceptedAt: nowMs, ...state }, "the message");
    const facts: DispatchEnded = {
      dispatchId: d.dispatchId,
      seq: 1,
      what: "run",
      attempt: 2,
      engineAttempt: 3,
      worker: "worker-1",
      token: d.token,
      claimedAt: d.claimedAt,
      deadlineAt: d.deadlineAt,
      beat: { page: 7 },
      end: { kind: "result", report },
    };
    equal(ended, facts, "what it says");
  }),

  suiteCase(
    "a dispatch ends once: a second report, or one with another token, finds it gone",
    ["T-21", "T-24", "T-46", "T-71", "T-110", "T-113", "Q-15"],
    async ({ store }) => {
      await enlistWorkers(store, "worker-1");
      await queued(store, "a", [dispatch(1), dispatch(2), dispatch(3)]);
      const [one, two] = await claimed(store, "worker-1", { limit: 2 });
      const three = (await rowsOf(store))[2];
      const wrong = { ...held(two), token: "wrong" };
      const answers = await store.queues.finish([
        { ...held(one), ...result(1) },
        { ...held(one), ...result(2) },
        { ...wrong, ...result(3) },
        { dispatchId: three?.dispatchId ?? 0, token: "", ...result(4) },
        { dispatchId: 999_999, token: "x", ...result(5) },
        { ...held(two), end: { kind: "yield", report: { cursor: 1 } } },
      ]);
      equal(answers, ["recorded", "gone", "gone", "gone", "gone", "recorded"], "each on its own");
      equal(await store.queues.finish([{ ...held(one), ...result(6) }]), ["gone"], "again");
      equal(
        (await resultsOf(store, "a")).map((r) => r.ended.end),
        [
          { kind: "result", report: 1 },
          { kind: "yield", report: { cursor: 1 } },
        ],
        "messages",
      );
      equal(stepsOf(await rowsOf(store)), ["step-3"], "what nobody had claimed is still there");
      equal(await store.queues.finish([]), [], "nothing to say");
    },
  ),

  suiteCase("two reports of one dispatch at once: one is recorded", ["T-46", "T-71", "TX-23"], async (b) => {
    const d = await oneClaimed(b.store);
    const other = await b.reopen();
    const both = await Promise.all([b.store, other, b.store, other].map((s, i) => s.queues.finish([{ ...held(d), ...result(i) }])));
    equal(both.flat().sort(), ["gone", "gone", "gone", "recorded"], "answers");
    equal(await endsOf(b.store, "a"), ["result"], "messages");
    await other.close();
  }),

  suiteCase("a report whose answer is lost is asked again, and was recorded once", ["T-48", "K10"], async (b) => {
    const { store } = b;
    const d = await oneClaimed(store);
    b.failAt("worker:result");
    ok(await unanswered(() => store.queues.finish([{ ...held(d), ...result(1) }])), "died before it was done");
    equal([stepsOf(await rowsOf(store)), await endsOf(store, "a")], [["step-1"], []], "nothing was done");
    b.failAt("worker:reported");
    ok(await unanswered(() => store.queues.finish([{ ...held(d), ...result(1) }])), "died after it was done");
    equal(await store.queues.finish([{ ...held(d), ...result(1) }]), ["gone"], "asked again");
    equal([await rowsOf(store), await endsOf(store, "a")], [[], ["result"]], "once");
  }),

  suiteCase(
    "a claim lapses with its worker's death, and says so; while the worker lives, nothing happens",
    ["K26", "C5", "K1"],
    async (b) => {
      const { store } = b;
      const d = await oneClaimed(store);
      await queued(store, "b", [dispatch(1, { stepId: "unclaimed" })]);
      await store.queues.beat("worker-1", [{ ...held(d), beat: '"half"' }]);
      equal(await store.queues.lapse(9), [], "alive");
      b.advanceClock(60_001);
      equal(await store.queues.lapse(9), [], "its lease is over, and nobody declared it dead");
      await dieByLease(b, "worker-1");
      equal(await store.queues.lapse(9), [{ runId: "a", dispatchId: d.dispatchId }], "dead");
      equal(await store.queues.lapse(9), [], "once");
      const [told] = await resultsOf(store, "a");
      equal(
        [told?.ended.end, told?.ended.worker, told?.ended.token, told?.ended.claimedAt, told?.ended.beat],
        [{ kind: "lapsed", because: "dead" }, "worker-1", d.token, d.claimedAt, "half"],
        "what it says",
      );
      equal(stepsOf(await rowsOf(store)), ["unclaimed"], "what nobody had claimed stays as it is");
      equal(stepsOf(await claimed(store, "engine-2")), ["unclaimed"], "for anybody who lives");
      equal(await store.queues.finish([{ ...held(d), ...result(1) }]), ["gone"], "its report comes too late");
    },
  ),

  suiteCase("a worker without a row counts as dead, and a dead one is known while it holds a dispatch", ["K1", "K26"], async (b) => {
    const { store } = b;
    const row = await queued(store, "a", [dispatch(1, { claimed: { worker: "never", token: "t" } })]);
    equal((await store.queues.lapse(9)).length, 1, "never enlisted");
    await enlistWorkers(store, "worker-1");
    await commitOne(store, next(await rowOf(store, row.runId), { events: [event(2)], dispatches: [dispatch(2)] }));
    await claimed(store);
    await dieByLease(b, "worker-1");
    const known = async (): Promise<boolean> => (await store.info()).engines.some((e) => e.engineId === "worker-1");
    equal(await known(), true, "it holds one");
    await store.queues.lapse(9);
    await store.declareDead({ by: "engine-2" });
    equal(await known(), false, "nothing names it any more");
  }),

  suiteCase("a claim lapses at its deadline, which the message carries", ["K26", "TX-08"], async (b) => {
    const { store } = b;
    const d = await oneClaimed(store, { timeoutMs: 2_000 });
    b.advanceClock(2_999);
    equal(await store.queues.lapse(9), [], "one millisecond before");
    b.advanceClock(1);
    equal((await store.queues.lapse(9)).length, 1, "at the deadline");
    const [told] = await resultsOf(store, "a");
    equal([told?.ended.end, told?.ended.deadlineAt], [{ kind: "lapsed", because: "deadline" }, d.deadlineAt], "what it says");
  }),

  suiteCase("what waited past its time expires and was never sent; what was claimed in time does not", ["K26"], async (b) => {
    const { store } = b;
    await enlistWorkers(store, "worker-1");
    const { nowMs } = await store.info();
    const expiresAt = nowMs + 100;
    const row = await queued(store, "a", [dispatch(1, { expiresAt }), dispatch(2, { expiresAt }), dispatch(3, { expiresAt })]);
    await claimed(store, "worker-1", { limit: 1 });
    await commitOne(store, next(row, { held: true, events: [event(4)] }));
    b.advanceClock(100);
    equal((await store.queues.lapse(1)).length, 1, "no more than were asked for");
    equal((await store.queues.lapse(9)).length, 1, "held or not");
    equal(
      (await resultsOf(store, "a")).map((r) => [r.ended.end.kind, r.ended.worker]),
      [
        ["expired", null],
        ["expired", null],
      ],
      "messages",
    );
    equal(stepsOf(await rowsOf(store)), ["step-1"], "claimed in time");
  }),

  suiteCase("a worker that comes back too late learns what it lost, and its report is evidence, once", ["T-71", "T-45"], async (b) => {
    const { store } = b;
    const d = await oneClaimed(store, { timeoutMs: 1_000 });
    b.advanceClock(2_000);
    await store.queues.lapse(9);
    equal(await store.queues.beat("worker-1", [held(d)]), { cancel: [], lost: [d.dispatchId] }, "lost");
    equal(await store.queues.finish([{ ...held(d), ...result(1) }]), ["gone"], "gone");
    const { seq, what, dispatchId, attempt, engineAttempt, worker, claimedAt, deadlineAt } = d;
    const ended: DispatchEnded = {
      seq,
      what,
      dispatchId,
      attempt,
      engineAttempt,
      worker,
      claimedAt,
      deadlineAt,
      beat: null,
      end: { kind: "late", report: { v: 1 } },
    };
    equal([await store.queues.postLate("a", "step-1", ended), await store.queues.postLate("a", "step-1", ended)], [true, true], "posted");
    const told = await resultsOf(store, "a");
    equal(
      told.map((r) => r.ended.end.kind),
      ["lapsed", "late"],
      "once",
    );
    equal([told[1]?.ended, told[1]?.name, told[1]?.id], [ended, "step-1", String(dispatchId)], "what it says");
    equal(await store.queues.postLate("none", "step-1", ended), false, "no such run");
    const due = { at: null, inMs: null };
    await commitOne(store, next(await rowOf(store, "a"), { events: [event(2)], status: "COMPLETED", due }));
    equal(await store.queues.postLate("a", "step-1", { ...ended, dispatchId: dispatchId + 1 }), false, "it has settled");
    equal((await resultsOf(store, "a")).length, 2, "nothing was put");
  }),

  suiteCase("a beat is recorded for who holds the row, and for nobody else", ["T-24"], async ({ store }) => {
    const d = await oneClaimed(store);
    await enlistWorkers(store, "worker-2");
    equal(await store.queues.beat("worker-2", [{ ...held(d), beat: "1" }]), { cancel: [], lost: [d.dispatchId] }, "another worker");
    equal(
      await store.queues.beat("worker-1", [{ ...held(d), token: "old", beat: "2" }]),
      { cancel: [], lost: [d.dispatchId] },
      "another claim",
    );
    equal((await rowsOf(store))[0]?.beat, null, "not recorded");
    await store.queues.beat("worker-1", [{ ...held(d), beat: '{"at":3}' }]);
    await store.queues.beat("worker-1", [held(d)]);
    equal((await rowsOf(store))[0]?.beat, '{"at":3}', "kept until there is another");
    await throws("PAWL3005", () => store.queues.beat("worker-1", [{ ...held(d), beat: "{" }]));
  }),

  suiteCase("what is given back is claimed again at its old rank, under another token", ["K26", "T-20"], async ({ store }) => {
    await enlistWorkers(store, "worker-1", "worker-2");
    await queued(store, "a", [dispatch(1, { timeoutMs: 9 }), dispatch(2)]);
    const before = (await rowsOf(store))[0];
    const [d] = await claimed(store, "worker-1", { limit: 1 });
    await store.queues.giveBack([{ ...held(d), token: "wrong" }, held(undefined)]);
    equal((await rowsOf(store))[0]?.worker, "worker-1", "not by somebody else");
    await store.queues.giveBack([held(d)]);
    equal((await rowsOf(store))[0], before, "as it was");
    const [again] = await claimed(store, "worker-2", { limit: 1 });
    equal([again?.dispatchId, again?.rankAt], [d?.dispatchId, d?.rankAt], "first in line");
    equal(await store.queues.finish([{ ...held(d), ...result(1) }]), ["gone"], "the old token is void");
  }),

  suiteCase("nobody can post the end of a dispatch, and it is no accepted message", ["T-24"], async ({ store }) => {
    await owned(store, "a");
    const forged = { ...message("1"), kind: "result" } as unknown as ReturnType<typeof message>;
    await throws("PAWL3007", () => store.post(forged));
    equal(await store.inbox({ runId: "a", all: true }), [], "nothing");
  }),

  suiteCase("rows and depths are read without changing anything, in order and in pages", ["T-24"], async ({ store }) => {
    await enlistWorkers(store, "worker-1");
    const row = await queued(
      store,
      "a",
      [1, 2, 3, 4].map((n) => dispatch(n, { task: n === 4 ? "u" : "t" })),
    );
    await queued(store, "b", [dispatch(1, { stepId: "held" }), dispatch(2, { queue: "p", stepId: "p" })], { held: true });
    await claimed(store, "worker-1", { limit: 1 });
    const steps = async (q: Partial<Parameters<FullStore["queues"]["rows"]>[0]>): Promise<string[]> =>
      stepsOf(await store.queues.rows({ scope, limit: 9, ...q }));
    equal(await steps({}), ["step-1", "step-2", "step-3", "step-4", "held", "p"], "all");
    const [, second] = await store.queues.rows({ scope, limit: 2 });
    equal(await steps({ after: second?.dispatchId ?? 0, limit: 2 }), ["step-3", "step-4"], "a page");
    equal(
      [await steps({ runId: "b" }), await steps({ queue: "p" }), await steps({ worker: "worker-1" })],
      [["held", "p"], ["p"], ["step-1"]],
      "by",
    );
    equal(await steps({ queue: "q", runId: "b", worker: "nobody" }), [], "all of it must hold");
    const depth = { ready: 3, claimed: 1, held: 1, oldestAt: row.persistedAt, byTask: { t: 2, u: 1 } };
    equal(await store.queues.depth(scope, "q", 9), depth, "depth");
    const few = await store.queues.depth(scope, "q", 2);
    equal(
      [few.ready, few.claimed, few.held, Object.values(few.byTask).reduce((x, y) => x + y)],
      [2, 1, 1, 2],
      "counted no further than asked",
    );
    equal(await store.queues.depth(scope, "none", 9), { ready: 0, claimed: 0, held: 0, oldestAt: null, byTask: {} }, "empty");
  }),

  {
    ...suiteCase("rows that a run left behind, which no Commit does, are swept away without a message", ["T-105"], async ({ store }) => {
      await enlistWorkers(store, "worker-1");
      for (const id of ["a", "b"]) await queued(store, id, [dispatch(1), dispatch(2)]);
      equal(await store.queues.sweep(9), 0, "nothing to sweep");
      const run = await rowOf(store, "a");
      const expect = { stateVersion: run.stateVersion, epoch: run.fence.epoch, commitId: run.commitId };
      const none = { put: [], remove: [] };
      const repaired = { ...run, status: "COMPLETED", owner: null, dueAt: null } as const;
      equal(
        await store.audit.repair({ runId: "a", expect, run: repaired, effects: none, views: none, consumed: [] }),
        "repaired",
        "as a repair would",
      );
      equal([await store.queues.sweep(1), await store.queues.sweep(9), await store.queues.sweep(9)], [1, 1, 0], "swept");
      equal(
        (await rowsOf(store)).map((r) => r.runId),
        ["b", "b"],
        "rows of runs that continue",
      );
      equal(await resultsOf(store, "a"), [], "no message");
    }),
    needs: "maintenance",
  },

  {
    ...suiteCase("a run with dispatches is not moved to another store; once they have ended, it is", ["K8"], async ({ store }) => {
      const row = await queued(store, "a", [dispatch(1)]);
      const move = { runId: "a", from: "engine", to: "moved", token: "t", dueAt: null } as const;
      equal(await store.archive.move(move), "queued", "it stays");
      equal(await rowOf(store, "a"), row, "as it was");
      await commitOne(store, next(row, { events: [event(2)], ends: [{ seq: 1, what: "run" }] }));
      const moved = await store.archive.move(move);
      ok(moved !== undefined && moved !== "queued", "moved");
      kind(await claimFrom(store, "engine-1"), "claimed");
    }),
    needs: "maintenance",
  },

  suiteCase("a worker's lease is an engine's: renewed, lapsed, and never taken back", ["K1"], async (b) => {
    const { store } = b;
    await enlistWorkers(store, "worker-1");
    await commitOne(store, create("a"));
    equal(await store.renew({ engineId: "worker-1", leaseMs: 60_000 }), "renewed", "alive");
    await dieByLease(b, "worker-1");
    equal(await store.renew({ engineId: "worker-1", leaseMs: 60_000 }), "dead", "dead");
    equal((await store.claim(claimQuery("engine-2"))).length, 1, "an engine claims runs");
  }),
];
