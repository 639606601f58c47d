// Cases about the feed: each Commit that adds events leaves one row per consumer of its scope, in the same transaction or
// not at all; joining misses nothing, leaving leaves nothing behind. And about runs from outside, which no engine touches.
import type { FullStore } from "../../full-store.ts";
import type { ConsumerId } from "../../reader-store.ts";
import { equal, kind, ok, present, throws, unanswered } from "../assert.ts";
import { commitOne, create, otherScope, event, message, next, owned, claimQuery, rowOf, scope, serves } from "../build.ts";
import { type OpenBundle, suiteCase, type SuiteCase } from "../bundle.ts";

const reader: ConsumerId = { scope, name: "reader" };

/** Run and head of each waiting row, in order. */
async function waiting(store: FullStore, consumer = reader): Promise<string[]> {
  return (await store.feed.next({ consumer, limit: 1_000 })).map((r) => `${r.runId} ${r.headSeq}`);
}

/** Takes all waiting rows away. */
async function drain(store: FullStore, consumer = reader): Promise<void> {
  const positions = (await store.feed.next({ consumer, limit: 1_000 })).map((r) => r.position);
  await store.kv.put([], { consumer, positions });
}

const external = { origin: "external", owner: null } as const;
const quiet = { due: { at: null, inMs: null } } as const;

export const feedCases: readonly SuiteCase[] = [
  suiteCase(
    "a Commit that adds events leaves a row for who has joined, in order; one without events leaves none",
    ["L-03", "LX-21"],
    async ({ store }) => {
      const before = await owned(store, "before");
      equal(await waiting(store), [], "nobody has joined");
      equal(await store.feed.join(reader, "now"), "joined", "join");
      await commitOne(store, next(before, { events: [event(1), event(2)] }));
      await commitOne(store, create("a", {}, { events: [event(1)] }));
      await commitOne(store, create("b"));
      await commitOne(store, next(await rowOf(store, "before"), { views: [{ name: "v", value: "1" }] }));
      await commitOne(store, next(await rowOf(store, "before"), { events: [event(3)], status: "COMPLETED" }));
      equal(await waiting(store), ["before 2", "a 1", "before 3"], "rows");
      const rows = await store.feed.next({ consumer: reader, limit: 2 });
      equal(rows.length, 2, "a page");
      ok((rows[0]?.position ?? 0) < (rows[1]?.position ?? 0), "positions rise");
    },
  ),

  suiteCase("a batch, a child and a claim: one row for each run whose log grew", ["L-03", "LX-21"], async ({ store }) => {
    const parent = await owned(store, "parent");
    const other = await owned(store, "other");
    await store.feed.join(reader, "now");
    const child = create("child", { parentRunId: "parent", parentStepId: "call/1" }, { events: [event(1), event(2)] });
    const quietChild = create("quiet", { parentRunId: "parent", parentStepId: "call/2" });
    const batch = [next(parent, { events: [event(1)], children: [child, quietChild] }), next(other, { events: [event(1)] })];
    for (const a of (await store.commit(batch)).answers) kind(a, "committed");
    equal((await store.claim(claimQuery("engine-1"))).map((r) => r.runId).sort(), ["child", "quiet"], "claims");
    equal((await waiting(store)).sort(), ["child 2", "other 1", "parent 1"], "rows");
  }),

  suiteCase(
    "a Commit that was not written leaves no row: fenced, stale, duplicate, early, conflicting, refused or failed",
    ["L-03", "LX-21"],
    async (b) => {
      const { store } = b;
      const row = await owned(store, "a");
      await store.feed.join(reader, "now");
      const good = next(row, { events: [event(1)] });
      await commitOne(store, good);
      await drain(store);
      const now = await rowOf(store, "a");
      const { nowMs } = await store.info();
      const bad = [
        { commit: next({ ...now, fence: { epoch: 99, token: "x" } }, { events: [event(2)] }), answer: "fenced" },
        { commit: next({ ...now, stateVersion: 1 }, { commitId: "stale", events: [event(2)] }), answer: "stale" },
        { commit: good, answer: "duplicate" },
        { commit: next(now, { events: [event(2)], notBefore: nowMs + 1 }), answer: "early" },
        { commit: create("c", { workflowId: "order-a" }, { events: [event(1)] }), answer: "conflict" },
        { commit: next(now, { events: [event(2, { idempotencyKey: "key-1" })] }), answer: "refused" },
        { commit: next(now, { events: [event(2, { payload: "\0" })] }), answer: "refused" },
      ] as const;
      for (const { commit, answer } of bad) kind((await store.commit([commit])).answers[0], answer);
      b.failAt("engine:commit");
      const rich = next(now, { events: [event(2)], children: [create("child", {}, { events: [event(1)] })] });
      ok(await unanswered(() => store.commit([rich])), "it was written");
      equal(await waiting(store), [], "rows");
      await commitOne(store, next(now, { events: [event(2)] }));
      equal(await waiting(store), ["a 2"], "the next one leaves its row");
    },
  ),

  {
    ...suiteCase("ctx.tx leaves its row with the Commit, and none when it is rolled back", ["LX-21"], async ({ store }) => {
      const row = await owned(store, "a");
      await store.feed.join(reader, "now");
      const fails = async (): Promise<void> => {
        throw new RangeError("no");
      };
      await store.transact(fails, () => next(row, { events: [event(1)] }), 5_000).catch(() => {});
      const fenced = next({ ...row, fence: { epoch: 9, token: "x" } }, { events: [event(1)] });
      kind(
        (
          await store.transact(
            async () => 1,
            () => fenced,
            5_000,
          )
        ).answer,
        "fenced",
      );
      equal(await waiting(store), [], "nothing was kept");
      kind(
        (
          await store.transact(
            async () => 1,
            () => next(row, { events: [event(1)] }),
            5_000,
          )
        ).answer,
        "committed",
      );
      equal(await waiting(store), ["a 1"], "a row");
    }),
    needs: "transactions",
  },

  suiteCase("who joins from the start has a row for each run that is there; joining again changes nothing", ["LX-21"], async (b) => {
    const { store } = b;
    for (let i = 0; i < 5; i++) await commitOne(store, create(`r${i}`, {}, { events: i === 0 ? [] : [event(1), event(i + 1)] }));
    await commitOne(store, create("elsewhere", { scope: otherScope }, { events: [event(1)] }));
    const { nowMs } = await store.info();
    equal(await store.feed.join(reader, "start"), "joined", "join");
    const all = Array.from({ length: 5 }, (_, i) => `r${i} ${i === 0 ? 0 : i + 1}`);
    equal((await waiting(store)).sort(), all, "rows");
    equal(await store.feed.consumers(scope), [{ name: "reader", joinedAt: nowMs, waiting: 5 }], "consumers");
    b.advanceClock(50);
    equal([await store.feed.join(reader, "start"), await store.feed.join(reader, "now")], ["known", "known"], "again");
    const other = await b.reopen();
    equal(await other.feed.join(reader, "start"), "known", "from another process");
    await other.close();
    equal(await store.feed.consumers(scope), [{ name: "reader", joinedAt: nowMs, waiting: 5 }], "nothing changed");
  }),

  suiteCase(
    "a consumer sees the runs of its scope only; consumers of one scope each have their own rows",
    ["I11", "LX-21"],
    async ({ store }) => {
      const [second, away]: ConsumerId[] = [
        { scope, name: "second" },
        { scope: otherScope, name: "reader" },
      ];
      for (const c of [reader, present(second, ""), present(away, "")]) await store.feed.join(c, "now");
      await commitOne(store, create("a", {}, { events: [event(1)] }));
      await commitOne(store, create("b", { scope: otherScope }, { events: [event(1)] }));
      await drain(store, second);
      equal(await waiting(store), ["a 1"], "reader");
      equal(await waiting(store, second), [], "second has taken its own away");
      equal(await waiting(store, away), ["b 1"], "elsewhere");
      const [row] = await store.feed.next({ consumer: reader, limit: 1 });
      await store.kv.put([], { consumer: present(away, ""), positions: [row?.position ?? 0] });
      equal(await waiting(store), ["a 1"], "nobody takes away another's rows");
      const counts = (await store.feed.consumers(scope)).map((c) => `${c.name} ${c.waiting}`);
      equal(counts, ["reader 1", "second 0"], "consumers by name");
    },
  ),

  suiteCase("rows are taken away together with what accounts for them, or neither is", ["LX-21", "C15", "P-37"], async ({ store }) => {
    await store.feed.join(reader, "now");
    for (const id of ["a", "b", "c"]) await commitOne(store, create(id, {}, { events: [event(1)] }));
    const [a, , c] = (await store.feed.next({ consumer: reader, limit: 9 })).map((r) => r.position);
    const seen = { consumer: reader, positions: [a ?? 0, c ?? 0, 999_999] };
    kind(await store.kv.put([{ collection: "s", key: "k", value: "v", expect: 7 }], seen), "conflict");
    equal((await waiting(store)).length, 3, "a conflict takes nothing away");
    kind(await store.kv.put([{ collection: "s", key: "k", value: "v", expect: 0 }], seen), "put");
    equal(await waiting(store), ["b 1"], "by name, not by a mark");
    kind(await store.kv.put([{ collection: "s", key: "k", value: "w" }], { consumer: { scope, name: "nobody" }, positions: [1] }), "put");
    equal(await store.feed.next({ consumer: { scope, name: "nobody" }, limit: 9 }), [], "who never joined has no rows");
  }),

  suiteCase("who leaves has no rows, also when it joins again; the others stay", ["LX-21"], async ({ store }) => {
    const second: ConsumerId = { scope, name: "second" };
    await store.feed.join(reader, "now");
    await store.feed.join(second, "now");
    await commitOne(store, create("a", {}, { events: [event(1)] }));
    await store.feed.leave(reader);
    await store.feed.leave(reader);
    await commitOne(store, create("b", {}, { events: [event(1)] }));
    equal([await waiting(store), (await waiting(store, second)).length], [[], 2], "after one has left");
    equal(await store.feed.join(reader, "now"), "joined", "it may join again");
    equal(await waiting(store), [], "and starts again");
    await store.feed.leave(reader);
    await store.feed.leave(second);
    await commitOne(store, create("c", {}, { events: [event(1)] }));
    equal(await store.feed.consumers(scope), [], "nobody is left");
    await store.feed.join(second, "now");
    await commitOne(store, create("d", {}, { events: [event(1)] }));
    equal(await waiting(store, second), ["d 1"], "the first to come back starts again");
  }),

  suiteCase("joining while Commits are under way misses none of them", ["LX-21"], async (b) => {
    const other = await b.reopen();
    try {
      const stores = [b.store, other, b.store, other];
      let made = 0;
      const done = new Set<string>();
      const write = async (s: FullStore, lane: number): Promise<void> => {
        for (let i = 0; i < 12; i++) {
          const id = `run-${lane}-${i}`;
          const [answer] = (await s.commit([create(id, {}, { events: [event(1)] })])).answers;
          if (answer?.kind === "committed") done.add(id);
          made++;
        }
      };
      const writing = stores.map((s, i) => write(s, i));
      const join = async (name: string, after: number): Promise<void> => {
        while (made < after) await b.store.feed.consumers(scope);
        await (after % 2 === 0 ? b.store : other).feed.join({ scope, name }, "start");
      };
      await Promise.all([...writing, join("early", 4), join("same", 4), join("late", 15), join("later", 24)]);
      ok(done.size > 40, "most were written");
      for (const name of ["early", "same", "late", "later"]) {
        const seen = new Set((await b.store.feed.next({ consumer: { scope, name }, limit: 1_000 })).map((r) => r.runId));
        equal(
          [...done].filter((id) => !seen.has(id)),
          [],
          `missed by ${name}`,
        );
      }
    } finally {
      await other.close();
    }
  }),

  suiteCase("a run from outside is claimed by no engine, due or not, and takes no messages", ["K23"], async ({ store }) => {
    await store.registerEngine({ engineId: "engine-1", leaseMs: 60_000, serves });
    await commitOne(store, create("x", { ...external }, { ...quiet, status: "RUNNING", events: [event(1)] }));
    await commitOne(store, create("due", { ...external }, { status: "RUNNING" }));
    await commitOne(store, create("due-2", { ...external, version: "2" }, { status: "RUNNING" }));
    equal((await rowOf(store, "x")).origin, "external", "origin");
    const to = { target: { runId: "x" } };
    equal(kind(await store.post(message("m", to)), "external").run.runId, "x", "a signal");
    const control = { target: { workflowId: "order-x" }, kind: "control", name: "terminate" } as const;
    kind(await store.post(message("c", control)), "external");
    const parent = await owned(store, "parent");
    const notice = { toRunId: "x", kind: "control", name: "cancel", id: "1", payload: null } as const;
    await commitOne(store, next(parent, { notices: [notice] }));
    equal(await store.inbox({ runId: "x", all: true }), [], "its inbox");
    equal(await store.claim(claimQuery("engine-1", { control: true })), [], "claim");
    equal(await store.claim(claimQuery("engine-1", { runId: "x", control: true })), [], "claim by name");
    await commitOne(store, create("later", {}, { due: { at: 9, inMs: null } }));
    await commitOne(store, create("other", { version: "2" }, { due: { at: 9, inMs: null } }));
    const first = async (): Promise<unknown> => (await store.claim(claimQuery("engine-1", { limit: 1 }))).map((r) => r.runId);
    equal([await first(), await first()], [["later"], ["other"]], "it takes nobody's place in a claim");
    await throws("PAWL3005", () => store.post(message("\0", to)));
  }),

  suiteCase("a run that its engine has settled never changes; the log of one from outside may grow", ["I8", "K23"], async ({ store }) => {
    const own = await owned(store, "own");
    await commitOne(store, next(own, { status: "COMPLETED", events: [event(1)] }));
    await commitOne(store, create("x", { ...external }, { ...quiet, status: "COMPLETED", events: [event(1)] }));
    await store.feed.join(reader, "now");
    for (const [id, answer] of [
      ["own", "stale"],
      ["x", "committed"],
    ] as const) {
      const row = await rowOf(store, id);
      const [alone] = (await store.commit([next(row, { ...quiet, status: "COMPLETED", events: [event(2)] })])).answers;
      kind(alone, answer);
      const again = await rowOf(store, id);
      const child = create(`${id}-child`);
      const more = next(again, { ...quiet, commitId: `${id}-more`, status: "RUNNING", events: [event(3)], children: [child] });
      const [rich] = (await store.commit([more, create(`${id}-beside`)])).answers;
      kind(rich, answer);
    }
    equal((await rowOf(store, "own")).headSeq, 1, "the engine's");
    equal(await waiting(store), ["x 2", "x 3"], "the other's");
    const x = await rowOf(store, "x");
    equal([x.status, x.headSeq, x.origin, x.owner, x.dueAt], ["RUNNING", 3, "external", null, null], "its row");
  }),

  suiteCase("events are found by many keys at once, in the order of the log", ["D-074"], async ({ store }) => {
    await commitOne(store, create("a", {}, { events: [event(1), event(2), event(3)] }));
    const found = await store.events({ runId: "a", idempotencyKeys: ["key-3", "none", "key-1", "key-3", '"\\'] });
    equal(
      found.map((e) => e.runSeq),
      [1, 3],
      "those that are there",
    );
    equal(await store.events({ runId: "a", idempotencyKeys: [] }), [], "none asked");
    equal(await store.events({ runId: "b", idempotencyKeys: ["key-1"] }), [], "another run");
  }),

  {
    ...suiteCase(
      "a start inside the user's own transaction leaves its row when the user commits, and none otherwise",
      ["LX-21"],
      async (b: OpenBundle) => {
        const within = b.store.joinTransaction?.bind(b.store);
        ok(b.userConnection !== undefined && within !== undefined, "the bundle has no connections of the user's own");
        await b.store.feed.join(reader, "now");
        const mine = await b.userConnection();
        try {
          for (const [id, end] of [
            ["taken-back", "rollback"],
            ["kept", "commit"],
          ] as const) {
            await mine.sql("begin");
            kind(await (await within(mine.tx)).create(create(id, {}, { events: [event(1)], release: true })), "committed");
            await mine.sql(end);
          }
        } finally {
          await mine.end();
        }
        equal(await waiting(b.store), ["kept 1"], "rows");
      },
    ),
    needs: "user transaction",
  },
];
