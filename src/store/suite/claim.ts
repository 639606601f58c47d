// Cases about who owns a run: the claim, its order, its limits, and that two engines never get the same run. A case
// never looks at how a store finds its candidates, only at what it gives to whom.
import type { ClaimQuery, RunRow, Store } from "../port.ts";
import { equal, kind, present } from "./assert.ts";
import {
  commitOne,
  create,
  declareDeadByLease,
  otherScope,
  event,
  message,
  next,
  owned,
  claimQuery,
  rowOf,
  scope,
  serves,
} from "./build.ts";
import { type SuiteCase, suiteCase } from "./bundle.ts";

async function enlist(store: Store, ...ids: string[]): Promise<void> {
  for (const engineId of ids) await store.registerEngine({ engineId, leaseMs: 60_000, serves });
}

const idsOf = (rows: readonly RunRow[]): string[] => rows.map((r) => r.runId);

async function claimed(store: Store, more: Partial<ClaimQuery> = {}): Promise<string[]> {
  return idsOf(await store.claim(claimQuery("engine-1", more)));
}

export const claimCases: readonly SuiteCase[] = [
  suiteCase("a claim gives a new epoch and a token of its own, and counts itself", ["K4"], async ({ store }) => {
    await enlist(store, "engine-1");
    await commitOne(store, create("a"));
    await commitOne(store, create("b"));
    const before = await rowOf(store, "a");
    const rows = await store.claim(claimQuery("engine-1", { tokens: ["x", "y"] }));
    const expected = { ...before, owner: "engine-1", fence: { epoch: before.fence.epoch + 1, token: "x" }, idleClaims: 1 };
    equal(rows[0], expected, "the claimed row");
    equal(rows[1]?.fence.token, "y", "each its own token");
    equal(await rowOf(store, "a"), expected, "as stored");
  }),

  suiteCase("an owner that was not declared dead keeps its runs, however late its lease", ["K1", "I4"], async (b) => {
    const row = await owned(b.store, "a", "engine-1");
    await enlist(b.store, "engine-2");
    b.advanceClock(120_000);
    await b.store.renew({ engineId: "engine-2", leaseMs: 60_000 });
    equal(await b.store.claim(claimQuery("engine-2")), [], "the lease lapsed, nobody declared it");
    equal(await b.store.renew({ engineId: "engine-1", leaseMs: 60_000 }), "renewed", "so it may come back");
    await commitOne(b.store, next(row, { events: [event(1)] }));
    b.advanceClock(60_001);
    await b.store.renew({ engineId: "engine-2", leaseMs: 60_000 });
    equal(await b.store.declareDead({ by: "engine-2" }), ["engine-1"], "declared");
    const [taken] = await b.store.claim(claimQuery("engine-2"));
    equal([taken?.runId, taken?.owner, taken?.fence.epoch], ["a", "engine-2", row.fence.epoch + 1], "taken over");
    equal(await b.store.renew({ engineId: "engine-1", leaseMs: 60_000 }), "dead", "one-way");
  }),

  suiteCase("a run that was claimed and never started is taken over", ["C3", "T-65"], async (b) => {
    await owned(b.store, "a", "engine-1");
    await declareDeadByLease(b, "engine-1", "engine-2");
    const [taken] = await b.store.claim(claimQuery("engine-2"));
    equal([taken?.runId, taken?.idleClaims], ["a", 2], "K5: two claims without a Commit");
    await commitOne(b.store, next(present(taken, "claim"), { events: [event(1)] }));
    equal((await rowOf(b.store, "a")).idleClaims, 0, "a Commit ends the count");
  }),

  suiteCase("a claim says from which dead engine it takes a run, and names nobody where none owned it", ["K21"], async (b) => {
    const row = await owned(b.store, "a", "engine-1");
    await commitOne(b.store, create("b"));
    await enlist(b.store, "engine-2");
    await b.store.declareDead({ self: "engine-1" });
    const found = await b.store.claim(claimQuery("engine-2"));
    const taken = Object.fromEntries(found.map((r) => [r.runId, r.takenFrom ?? "nobody"]));
    equal(taken, { a: "engine-1", b: "nobody" }, "from whom");
    equal((await rowOf(b.store, "a")).owner, "engine-2", "its owner now");
    equal(
      present(
        found.find((r) => r.runId === "a"),
        "claim",
      ).fence.epoch,
      row.fence.epoch + 1,
      "its epoch",
    );
  }),

  suiteCase("an engine that is dead, or was never enlisted, claims nothing", ["K1"], async ({ store }) => {
    await commitOne(store, create("a"));
    equal(await store.claim(claimQuery("engine-1")), [], "never enlisted");
    await enlist(store, "engine-1", "engine-2");
    await store.declareDead({ self: "engine-1" });
    equal(await store.claim(claimQuery("engine-1")), [], "dead");
    equal(idsOf(await store.claim(claimQuery("engine-2"))), ["a"], "another");
  }),

  suiteCase("an owner that no engine row names counts as dead", ["K1"], async ({ store }) => {
    await enlist(store, "engine-1");
    await commitOne(store, create("a", { owner: "gone", fence: { epoch: 3, token: "t" } }));
    equal(await claimed(store), ["a"], "claims");
  }),

  suiteCase(
    "two engines get disjoint runs, and both commit theirs",
    ["T-10", "T-43", "T-62", "T-100"],
    async ({ store, reopen: again }) => {
      await enlist(store, "engine-1", "engine-2");
      const other = await again();
      for (const n of [1, 2, 3, 4, 5, 6]) await commitOne(store, create(`run-${n}`));
      const [left, right] = await Promise.all([
        store.claim(claimQuery("engine-1", { limit: 3 })),
        other.claim(claimQuery("engine-2", { limit: 3 })),
      ]);
      equal([left.length, right.length], [3, 3], "each gets what it has room for");
      equal([...idsOf(left), ...idsOf(right)].sort(), ["run-1", "run-2", "run-3", "run-4", "run-5", "run-6"], "claims");
      const answers = await Promise.all([store.commit(left.map((r) => next(r))), other.commit(right.map((r) => next(r)))]);
      equal(
        answers.flatMap((a) => a.answers.map((x) => x.kind)),
        Array(6).fill("committed"),
        "Commits",
      );
      equal([await claimed(store), idsOf(await other.claim(claimQuery("engine-2")))], [[], []], "nothing is left");
      await other.close();
    },
  ),

  suiteCase("an engine finds what a claim gave it, although nobody notified it: by the due time, or by the message", ["I12"], async (b) => {
    await enlist(b.store, "engine-1", "engine-2");
    const mine = async (engineId = "engine-1", limit = 10): Promise<string[]> => [...(await b.store.ownedRuns({ engineId, limit }))].sort();
    equal(await mine(), [], "nothing yet");
    for (const id of ["a", "b", "c"]) await commitOne(b.store, create(id));
    equal(await mine(), [], "due, and nobody's");
    const rows = await b.store.claim(claimQuery("engine-1")); // suppose that this was never answered
    equal(await mine(), ["a", "b", "c"], "claimed");
    equal((await mine("engine-1", 2)).length, 2, "no more than were asked for");
    equal(await mine("engine-2"), [], "somebody else's are not mine");
    const [a, c] = [present(rows[0], "a"), present(rows[2], "c")];
    await commitOne(b.store, next(a, { release: true, due: { at: null, inMs: 5_000 } }));
    await commitOne(b.store, next(present(rows[1], "b"), { status: "COMPLETED", release: true, due: { at: null, inMs: null } }));
    await commitOne(b.store, next(c, { release: true, due: { at: null, inMs: null } }));
    equal(await mine(), [], "handed back, settled, handed back");
    kind(await b.store.post(message("s1", { target: { runId: "c" } })), "accepted");
    await b.store.claim(claimQuery("engine-1"));
    equal(await mine(), [], "it has no due time");
    const woken = (await b.store.inbox({ owner: "engine-1" })).map((r) => r.runId);
    equal(woken, ["c"], "its message finds it");
  }),

  suiteCase("many engines claiming at once never share a run", ["I4"], async ({ store, reopen: again }) => {
    const names = ["engine-1", "engine-2", "engine-3", "engine-4"];
    await enlist(store, ...names);
    const others = [store, await again(), store, await again()];
    const all = Array.from({ length: 40 }, (_, i) => `run-${String(i).padStart(2, "0")}`);
    await store.commit(all.map((id) => create(id)));
    const got: string[] = [];
    for (let round = 0; round < 4; round++) {
      const claims = await Promise.all(names.map((n, i) => (others[i] ?? store).claim(claimQuery(n, { limit: 3 }))));
      got.push(...claims.flatMap(idsOf));
    }
    equal([...got].sort(), all, "each run once");
    for (const o of new Set(others)) if (o !== store) await o.close();
  }),

  suiteCase("parking loses no wake-up: a run is claimable when due, or while an inbox row is not taken", ["K18"], async (b) => {
    const row = await owned(b.store, "a");
    await commitOne(b.store, next(row, { release: true, waiting: "timer", due: { at: null, inMs: 100 } }));
    equal(await claimed(b.store), [], "asleep");
    b.advanceClock(99);
    equal(await claimed(b.store), [], "not yet due");
    b.advanceClock(1);
    const [due] = await b.store.claim(claimQuery("engine-1"));
    await commitOne(b.store, next(present(due, "due"), { release: true, due: { at: null, inMs: null } }));
    equal(await claimed(b.store), [], "only a message wakes it now");
    const { inboxId } = kind(await b.store.post(message("s1")), "accepted").record;
    const [woken] = await b.store.claim(claimQuery("engine-1"));
    await commitOne(b.store, next(present(woken, "woken"), { release: true, taken: [inboxId], due: { at: null, inMs: null } }));
    equal(await claimed(b.store), [], "a row that was taken wakes nobody twice");
    equal(
      (await b.store.inbox({ runId: "a" })).map((r) => [r.taken, r.consumed]),
      [[true, false]],
      "and is still there",
    );
    await b.store.post(message("s2"));
    equal(await claimed(b.store), ["a"], "a new row does");
  }),

  suiteCase("a message that arrives while the run is being parked wakes it", ["K18"], async ({ store }) => {
    const row = await owned(store, "a");
    await store.post(message("s1"));
    await commitOne(store, next(row, { release: true, due: { at: null, inMs: null } }));
    equal(await claimed(store), ["a"], "claims");
  }),

  suiteCase("an engine claims only workflows that it knows", ["K5"], async ({ store }) => {
    await enlist(store, "engine-1");
    await commitOne(store, create("a", { workflow: "refund" }));
    equal(await claimed(store), [], "another workflow");
    equal(await claimed(store, { runId: "a" }), [], "even by name");
    equal(await claimed(store, { serves: [] }), [], "no workflow at all");
    equal(await claimed(store, { serves: [...serves, { workflow: "refund", version: "9" }] }), ["a"], "its own");
  }),

  suiteCase("any engine may carry out pause, resume and terminate, nothing else", ["K5"], async ({ store }) => {
    await enlist(store, "engine-1");
    for (const name of ["cancel", "pause", "resume", "retry", "terminate"]) {
      await commitOne(store, create(name, { workflow: "refund" }, { due: { at: null, inMs: null } }));
      await store.post(message("c", { target: { runId: name }, kind: "control", name }));
    }
    await commitOne(store, create("signal", { workflow: "refund" }, { due: { at: null, inMs: null } }));
    await store.post(message("c", { target: { runId: "signal" }, name: "terminate" }));
    equal(await claimed(store), [], "not unless it asks for them");
    equal(await claimed(store, { control: true, runId: "cancel" }), [], "a cancel needs the workflow's code");
    equal(await claimed(store, { control: true, runId: "pause" }), ["pause"], "by name");
    equal(await claimed(store, { control: true }), ["resume", "terminate"], "the rest");
  }),

  suiteCase("own versions come first, then the longest due; a pinned run waits for its version", ["K5", "K20"], async (b) => {
    await enlist(b.store, "engine-1");
    const due = (second: number): Partial<Parameters<typeof create>[2]> => ({ due: { at: second * 1_000, inMs: null } });
    await commitOne(b.store, create("old-early", { version: "0" }, due(1)));
    await commitOne(b.store, create("own-late", {}, due(9)));
    await commitOne(b.store, create("own-early", {}, due(5)));
    await commitOne(b.store, create("new-late", { version: "2" }, due(7)));
    await commitOne(b.store, create("pinned", { version: "2" }, { ...due(0), exactVersion: true }));
    await commitOne(b.store, create("own-pinned", {}, { ...due(6), exactVersion: true }));
    equal(await claimed(b.store, { limit: 2 }), ["own-early", "own-pinned"], "the first two");
    equal(await claimed(b.store, { tokens: ["one"] }), ["own-late"], "no more than there are tokens");
    await commitOne(b.store, create("own-last", {}, due(9)));
    equal(await claimed(b.store), ["own-last", "old-early", "new-late"], "other versions, where there is room");
    equal(await claimed(b.store, { runId: "pinned" }), [], "pinned to another version");
    equal(await claimed(b.store, { serves: [{ workflow: "order", version: "2" }] }), ["pinned"], "its own");
  }),

  suiteCase(
    "a pinned run that no engine of its version takes for a minute is offered to any engine that knows the workflow",
    ["K20"],
    async (b) => {
      await enlist(b.store, "engine-1");
      const pinned = (id: string, at: number | null): Parameters<typeof create> => [
        id,
        { version: "2" },
        { due: { at, inMs: null }, exactVersion: true },
      ];
      await commitOne(b.store, create(...pinned("a", 0)));
      await commitOne(b.store, create(...pinned("b", null)));
      await b.store.post(message("s1", { target: { runId: "b" } }));
      await commitOne(b.store, create(...pinned("c", null)));
      b.advanceClock(59_999);
      await b.store.renew({ engineId: "engine-1", leaseMs: 600_000 });
      equal([await claimed(b.store), await claimed(b.store, { runId: "c" })], [[], []], "not yet: neither due, nor woken, nor by name");
      b.advanceClock(1);
      equal([await claimed(b.store), await claimed(b.store, { runId: "c" })], [["a", "b"], ["c"]], "all three");
    },
  ),

  suiteCase("a claim stays in its scope", ["I11"], async ({ store }) => {
    await enlist(store, "engine-1");
    await commitOne(store, create("a", { scope: otherScope }));
    equal([await claimed(store), await claimed(store, { runId: "a" })], [[], []], "another scope");
    equal(await claimed(store, { scope: otherScope }), ["a"], "its own");
    equal(await claimed(store, { scope, runId: "a" }), [], "and still not ours");
  }),

  suiteCase("a run is claimed by name whether or not it is due, unless it is owned or settled", ["I4", "I8"], async ({ store }) => {
    const row = await owned(store, "a");
    await enlist(store, "engine-2");
    equal(await store.claim(claimQuery("engine-2", { runId: "a" })), [], "owned");
    await commitOne(store, next(row, { release: true, due: { at: null, inMs: 1_000 } }));
    const [again] = await store.claim(claimQuery("engine-2", { runId: "a" }));
    equal(again?.owner, "engine-2", "not due");
    await commitOne(store, next(present(again, "claim"), { status: "COMPLETED" }));
    equal(await store.claim(claimQuery("engine-2", { runId: "a" })), [], "settled");
    equal(await store.claim(claimQuery("engine-2", { runId: "none" })), [], "not there");
  }),

  suiteCase("a paused run has no due time and is woken by its inbox alone", ["K18"], async ({ store }) => {
    const row = await owned(store, "a");
    await commitOne(store, next(row, { status: "PAUSED", release: true, due: { at: null, inMs: null } }));
    equal(await claimed(store), [], "paused");
    await store.post(message("r", { kind: "control", name: "resume" }));
    equal(await claimed(store), ["a"], "resumed");
  }),
];
