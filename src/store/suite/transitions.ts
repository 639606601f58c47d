// Cases about a run as a state machine that several processes move at once: who may move it, from where, and what the
// loser sees. Every check is inside the write; a case never relies on who asks first.
import { type RunStatus, runStatuses } from "../../core/model.ts";
import type { Store } from "../port.ts";
import { claimWindow } from "../rules.ts";
import { equal, kind, ok, present, throws, unanswered } from "./assert.ts";
import { commitOne, create, declareDeadByLease, event, message, next, owned, claimQuery, rowOf, scope, serves } from "./build.ts";
import { type SuiteCase, suiteCase } from "./bundle.ts";

async function seen(store: Store, runId: string): Promise<unknown> {
  return [await store.run({ runId }), await store.events({ runId, after: 0, limit: 99 }), await store.inbox({ runId, all: true })];
}

export const transitionCases: readonly SuiteCase[] = [
  suiteCase(
    "of two that begin one run, one does; the other is answered stale and leaves no trace",
    ["T-11", "T-12", "T-13", "T-63", "T-101"],
    async (b) => {
      const row = await owned(b.store, "a");
      equal(row.status, "PENDING", "not begun");
      b.advanceClock(25);
      const { nowMs } = await b.store.info();
      const other = await b.reopen();
      const begin = (by: string): Parameters<Store["commit"]>[0] => [
        next(row, { commitId: by, events: [event(1, { eventId: by })], status: "RUNNING" }),
      ];
      const both = await Promise.all([b.store.commit(begin("left")), other.commit(begin("right"))]);
      const answers = both.map((x) => present(x.answers[0], "answer"));
      const won = kind(
        answers.find((x) => x.kind === "committed"),
        "committed",
      );
      equal(answers.filter((x) => x.kind === "stale").length, 1, "the other saw no row in the state it expected");
      const now = await rowOf(b.store, "a");
      equal([now.status, now.stateVersion, now.persistedAt, won.persistedAt], ["RUNNING", 2, nowMs, nowMs], "the row, and when it changed");
      const loser = answers[0]?.kind === "stale" ? begin("left") : begin("right");
      const before = await seen(b.store, "a");
      for (const s of [b.store, other]) kind((await s.commit(loser)).answers[0], "stale");
      equal(await seen(b.store, "a"), before, "asking again is safe");
      await other.close();
    },
  ),

  suiteCase(
    "a Commit is judged by what is stored, not by what its sender remembers",
    ["T-14", "T-103"],
    async ({ store, reopen: again }) => {
      const remembered = await owned(store, "a");
      const other = await again();
      await commitOne(other, next(remembered, { events: [event(1)], status: "RUNNING" }));
      kind((await store.commit([next(remembered, { commitId: "from memory", events: [event(1)] })])).answers[0], "stale");
      const read = await rowOf(store, "a");
      equal([read.status, read.stateVersion], ["RUNNING", 2], "what a read shows is the latest");
      await commitOne(store, next(read, { events: [event(2)] }));
      await other.close();
    },
  ),

  suiteCase("nothing leads out of a settled run: no Commit, no claim, no second beginning", ["T-16", "T-19", "T-81"], async ({ store }) => {
    for (const status of ["COMPLETED", "FAILED", "CANCELLED"] as const satisfies readonly RunStatus[]) {
      await commitOne(store, next(await owned(store, status), { status, events: [event(1)] }));
      const row = await rowOf(store, status);
      const before = await seen(store, status);
      for (const to of runStatuses)
        kind((await store.commit([next(row, { commitId: `to ${to}`, status: to, events: [event(2)] })])).answers[0], "stale");
      equal(await store.claim(claimQuery("engine-1", { runId: status })), [], "claims");
      kind((await store.commit([{ ...create(status), commitId: "again" }])).answers[0], "conflict");
      equal(await seen(store, status), before, status);
    }
  }),

  suiteCase("who owned a run does not matter: another engine continues from its state alone", ["T-49", "T-54", "T-65"], async (b) => {
    const row = await owned(b.store, "a", "engine-1");
    await commitOne(b.store, next(row, { status: "RUNNING", events: [event(1)] }));
    await declareDeadByLease(b, "engine-1", "engine-2");
    const [taken] = await b.store.claim(claimQuery("engine-2"));
    const heir = present(taken, "claim");
    equal([heir.status, heir.owner], ["RUNNING", "engine-2"], "in the middle, without its owner's leave; the new one is recorded");
    const before = await seen(b.store, "a");
    kind((await b.store.commit([next({ ...heir, stateVersion: 1 }, { commitId: "x" })])).answers[0], "stale");
    equal(await seen(b.store, "a"), before, "a mismatch changes nothing");
    await commitOne(b.store, next(heir, { events: [event(2)], status: "COMPLETED" }));
  }),

  suiteCase("claimable is what is pending or under way and due; a retry only when its time has come", ["T-55"], async (b) => {
    await b.store.registerEngine({ engineId: "engine-1", leaseMs: 600_000, serves });
    const put = async (id: string, status: RunStatus, waiting: "retry" | null, inMs: number | null): Promise<void> => {
      const row = await owned(b.store, id);
      await commitOne(b.store, next(row, { status, waiting, release: true, due: { at: null, inMs } }));
    };
    await put("retrying", "RUNNING", "retry", 1_000);
    await put("paused", "PAUSED", null, null);
    await put("completed", "COMPLETED", null, 0);
    await put("under-way", "RUNNING", null, 0);
    await commitOne(b.store, create("pending"));
    const ids = async (): Promise<string[]> => (await b.store.claim(claimQuery("engine-1"))).map((r) => r.runId).sort();
    equal(await ids(), ["pending", "under-way"], "now");
    b.advanceClock(999);
    equal(await ids(), [], "a moment before the retry");
    b.advanceClock(1);
    equal(await ids(), ["retrying"], "when its time has come");
  }),

  suiteCase(
    "of runs that are equally due, what has not begun comes first, then retries, then the rest, the oldest first",
    ["T-56"],
    async (b) => {
      await b.store.registerEngine({ engineId: "engine-1", leaseMs: 600_000, serves });
      b.advanceClock(1_000 - ((await b.store.info()).nowMs % 1_000)); // the beginning of a second
      const put = async (id: string, waiting: "retry" | "timer", inMs: number): Promise<void> => {
        const row = await owned(b.store, id);
        await commitOne(b.store, next(row, { waiting, release: true, due: { at: null, inMs } }));
        b.advanceClock(10);
      };
      // Created in this order, ten milliseconds apart; due in the next second in quite another.
      await put("timer-z", "timer", 1_010);
      await put("timer-y", "timer", 1_005);
      await put("retry-z", "retry", 1_500);
      await put("retry-y", "retry", 1_400);
      for (const id of ["new-z", "new-y"]) {
        await commitOne(b.store, create(id, {}, { waiting: "timer", due: { at: null, inMs: 1_800 } }));
        b.advanceClock(10);
      }
      await put("late-timer", "timer", 1_940); // in the second after
      b.advanceClock(2_000);
      const late = create("late-new", {}, { due: { at: null, inMs: 0 } });
      await commitOne(b.store, late);
      const got: string[][] = [];
      for (const limit of [1, 3, 2, 9]) got.push((await b.store.claim(claimQuery("engine-1", { limit }))).map((r) => r.runId));
      equal(
        got,
        [["new-z"], ["new-y", "retry-z", "retry-y"], ["timer-z", "timer-y"], ["late-new", "late-timer"]],
        "a batch at a time, the earlier second first",
      );
    },
  ),

  suiteCase("claims take the run that waits longest, so that newcomers starve nobody", ["T-57"], async (b) => {
    await b.store.registerEngine({ engineId: "engine-1", leaseMs: 600_000, serves });
    const park = async (id: string, inMs: number | null): Promise<void> => {
      await commitOne(b.store, next(await owned(b.store, id), { release: true, waiting: "timer", due: { at: null, inMs } }));
    };
    const one = async (): Promise<string[]> => (await b.store.claim(claimQuery("engine-1", { limit: 1 }))).map((r) => r.runId);
    await park("timer", 2_000);
    await park("signal", null);
    await park("signal-and-timer", 3_600_000); // woken long before its time
    const got: string[] = [];
    for (let n = 0; n < 8; n++) {
      if (n === 3) await b.store.post(message("s1", { target: { runId: "signal" } }));
      if (n === 4) await b.store.post(message("s2", { target: { runId: "signal-and-timer" } }));
      if (n === 6) for (const runId of ["signal", "signal-and-timer"]) await b.store.post(message("s3", { target: { runId } }));
      // Two come where one is claimed.
      for (const which of ["a", "b"]) await commitOne(b.store, create(`new-${n}-${which}`, {}, { due: { at: null, inMs: 0 } }));
      got.push(...(await one()));
      b.advanceClock(1_000);
    }
    for (let n = 0; n < 4; n++) got.push(...(await one()));
    const expected = [
      "new-0-a",
      "new-0-b",
      "new-1-a",
      "new-1-b",
      "new-2-a",
      "new-2-b",
      "timer",
      "new-3-a",
      "new-3-b",
      "signal",
      "new-4-a",
      "new-4-b",
    ];
    equal(got, expected, "claimed");
    equal(await one(), ["signal-and-timer"], "by its message, not by its time");
    for (let n = 5; n < 8; n++) equal([...(await one()), ...(await one())], [`new-${n}-a`, `new-${n}-b`], "the rest");
  }),

  suiteCase("a run that is woken and due waits since the earlier of the two, and since the first of its messages", ["T-57"], async (b) => {
    await b.store.registerEngine({ engineId: "engine-1", leaseMs: 600_000, serves });
    const park = async (id: string, inMs: number | null): Promise<void> => {
      await commitOne(b.store, next(await owned(b.store, id), { release: true, waiting: "signal", due: { at: null, inMs } }));
    };
    await park("last", 9_000);
    await park("woken-twice", null);
    await park("due", 4_000);
    await park("woken-then-due", 8_000);
    const wake = async (id: string, runId: string): Promise<void> => void (await b.store.post(message(id, { target: { runId } })));
    b.advanceClock(2_000);
    await wake("s1", "woken-then-due");
    b.advanceClock(4_000);
    await wake("s2", "woken-twice");
    b.advanceClock(5_000);
    await wake("s3", "woken-twice");
    equal(
      (await b.store.claim(claimQuery("engine-1"))).map((r) => r.runId),
      ["woken-then-due", "due", "woken-twice", "last"],
      "claimed",
    );
  }),

  suiteCase("the run that waits longest is claimed first, also when more wait than are looked at", ["T-57"], async (b) => {
    await commitOne(b.store, create("z-longest", {}, { due: { at: null, inMs: 0 } }));
    b.advanceClock(2_000);
    const others = Array.from({ length: claimWindow(1) + 5 }, (_, n) => create(`a-${n}`, {}, { due: { at: null, inMs: 0 } }));
    for (const a of (await b.store.commit(others)).answers) kind(a, "committed");
    await b.store.registerEngine({ engineId: "engine-1", leaseMs: 600_000, serves });
    equal(
      (await b.store.claim(claimQuery("engine-1", { limit: 1 }))).map((r) => r.runId),
      ["z-longest"],
      "claimed",
    );
  }),

  suiteCase("a message that waited with another run does not make a new one the oldest", ["T-57"], async (b) => {
    const row = await owned(b.store, "old");
    await b.store.post(message("s1", { target: { runId: "old" } }));
    b.advanceClock(5_000);
    await commitOne(b.store, create("earlier", {}, { due: { at: null, inMs: 0 } }));
    b.advanceClock(5_000);
    const successor = create("successor", { workflowId: "order-old", supersedes: "old" }, { due: { at: null, inMs: 0 } });
    await commitOne(b.store, next(row, { status: "COMPLETED", children: [successor], moveInboxTo: "successor" }));
    equal(
      (await b.store.claim(claimQuery("engine-1"))).map((r) => r.runId),
      ["earlier", "successor"],
      "claimed",
    );
  }),

  suiteCase(
    "a create whose answer was lost: made once, found by asking again; rolled back, made then",
    ["T-69", "T-70", "C1", "C2"],
    async (b) => {
      const request = create("a", { idempotencyKey: "k" }, { events: [event(1)] });
      b.failAt("engine:create");
      ok(await unanswered(() => b.store.commit([request])), "the connection is lost before COMMIT");
      equal(await b.store.run({ runId: "a" }), undefined, "rolled back");
      b.failAt("engine:created");
      ok(await unanswered(() => b.store.commit([request])), "and after it");
      kind((await b.store.commit([request])).answers[0], "duplicate");
      const same = kind((await b.store.commit([create("b", { idempotencyKey: "k" })])).answers[0], "conflict");
      equal([same.by, same.existing.runId], ["idempotencyKey", "a"], "the constraint finds the one that is there");
      equal((await b.store.runs({ scope, limit: 9 })).runs.length, 1, "one run");
      const other = await b.reopen();
      await other.close();
      await throws("PAWL3009", () => other.commit([create("c")]));
      equal(await b.store.run({ runId: "c" }), undefined, "any other error is reported as such");
    },
  ),

  suiteCase("whatever does not fit is refused whole, and whatever is asked twice is done once", ["T-94", "T-95", "T-102"], async (b) => {
    const row = await owned(b.store, "a");
    const before = await seen(b.store, "a");
    kind((await b.store.commit([next({ ...row, stateVersion: 9 }, { events: [event(1)] })])).answers[0], "stale");
    kind((await b.store.commit([next(row, { events: [event(1), event(1)], children: [create("child")] })])).answers[0], "refused");
    kind((await b.store.commit([create("other", { workflowId: "order-a" })])).answers[0], "conflict");
    equal([await seen(b.store, "a"), await b.store.run({ runId: "child" })], [before, undefined], "nothing of it");
    const step = next(row, { events: [event(1)], children: [create("child")], status: "RUNNING" });
    for (const verb of [
      (): Promise<unknown> => b.store.registerEngine({ engineId: "engine-1", leaseMs: 60_000, serves }),
      async (): Promise<unknown> => b.store.commit([step]),
      (): Promise<unknown> => b.store.post(message("s1")),
      (): Promise<unknown> => b.store.renew({ engineId: "engine-1", leaseMs: 60_000 }),
    ]) {
      await verb();
      const once = [await seen(b.store, "a"), await seen(b.store, "child"), (await b.store.info()).engines];
      await verb();
      equal([await seen(b.store, "a"), await seen(b.store, "child"), (await b.store.info()).engines], once, "asked again");
    }
  }),
];
