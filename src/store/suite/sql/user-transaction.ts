// Cases about a start and a message inside a transaction of the user's own: they are there when the user commits, or never, and
// whatever Pawl answers, the transaction is as it was. For stores that have `within`; a bundle brings the connections. A case
// writes past the user's transaction only while none is open: on some stores it holds the only place for a writer.
import type { TransactionView } from "../../user-transaction.ts";
import type { FullStore } from "../../full-store.ts";
import { equal, kind, ok, throws } from "../assert.ts";
import { commitOne, create, otherScope, event, message, next, owned, claimQuery, rowOf, scope, serves } from "../build.ts";
import { type UserConnection, type OpenBundle, type SuiteCase, suiteCase } from "../bundle.ts";

interface Own extends Omit<OpenBundle, "mine"> {
  readonly mine: UserConnection;
  /** The store from inside the transaction that was begun on `mine`. */
  inside(): Promise<TransactionView>;
}

/** A case with a connection of the user's own, beside a table of the user with no rows. */
function ownCase(title: string, ids: readonly string[], body: (b: Own) => Promise<void>): SuiteCase {
  const c = suiteCase(title, ids, async (b) => {
    const { joinTransaction: within } = b.store;
    ok(b.userConnection !== undefined && within !== undefined, "the bundle has no connections of the user's own");
    const mine = await b.userConnection();
    try {
      await mine.sql("create table rows_of_mine (id varchar(64) primary key)");
      await body({ ...b, mine, inside: () => within.call(b.store, mine.tx) });
    } finally {
      await mine.end();
    }
  });
  return { ...c, needs: "user transaction" };
}

const insert = (m: UserConnection, id: string): Promise<unknown> => m.sql(`insert into rows_of_mine values ('${id}')`);
const mineThere = async (m: UserConnection): Promise<unknown[]> =>
  (await m.sql("select id from rows_of_mine order by id")).map((r) => Object.values(r)[0]);

/** All that others can see of a run. */
async function seen(store: FullStore, runId: string): Promise<unknown> {
  return [await store.run({ runId }), await store.events({ runId, after: 0, limit: 9 }), await store.inbox({ runId, all: true })];
}
const nothing = [undefined, [], []];

export const userTransactionCases: readonly SuiteCase[] = [
  ownCase("a run that is created inside is there with the user's rows after the commit, and not before", [], async (b) => {
    await b.mine.sql("begin");
    await insert(b.mine, "x");
    const inside = await b.inside();
    const answer = kind(await inside.create(create("a", {}, { events: [event(1)], release: true })), "committed");
    const within = await inside.run({ runId: "a" });
    equal([within?.stateVersion, within?.headSeq, within?.persistedAt], [1, 1, answer.persistedAt], "seen from inside");
    equal(await inside.run({ scope, workflowId: "order-a" }), within, "and by its workflowId");
    equal(await seen(b.store, "a"), nothing, "nobody else sees it");
    equal(await inside.hasEnded("a"), false, "still open");
    await b.mine.sql("commit");
    equal(await inside.hasEnded("a"), true, "over");
    equal(await rowOf(b.store, "a"), within, "the row as it was seen inside");
    await b.store.registerEngine({ engineId: "engine-1", leaseMs: 60_000, serves });
    equal(
      (await b.store.claim(claimQuery("engine-1"))).map((r) => r.runId),
      ["a"],
      "any engine claims it",
    );
  }),

  ownCase("what the user rolls back was never there, and its ids are free", ["C1"], async (b) => {
    await owned(b.store, "there", "engine-1", { workflowId: "order-there" });
    const signal = message("s1", { target: { runId: "there" } });
    const before = await seen(b.store, "there");
    await b.mine.sql("begin");
    await insert(b.mine, "x");
    const inside = await b.inside();
    const request = create("a", { idempotencyKey: "k" }, { events: [event(1)] });
    kind(await inside.create(request), "committed");
    equal(kind(await inside.post(signal), "accepted").replayed, false, "inside");
    await b.mine.sql("rollback");
    equal(await inside.hasEnded("a"), true, "over");
    equal([await seen(b.store, "a"), await seen(b.store, "there"), await mineThere(b.mine)], [nothing, before, []], "nothing of it");
    equal(kind(await b.store.post(signal), "accepted").replayed, false, "the message is new");
    await commitOne(b.store, create("b", { workflowId: "order-a", idempotencyKey: "k" }));
  }),

  ownCase("a message inside is accepted once for its id, wherever it is sent again from", ["I9", "W-075"], async (b) => {
    const row = await owned(b.store, "a");
    await b.mine.sql("begin");
    const inside = await b.inside();
    const first = kind(await inside.post(message("s1", { retainMs: 500 })), "accepted");
    const again = kind(await inside.post(message("s1", { payload: '"something else"' })), "accepted");
    equal([first.replayed, again.replayed, again.record], [false, true, first.record], "inside");
    equal((await b.store.inbox({ runId: "a" })).length, 0, "nobody else sees it");
    await b.mine.sql("commit");
    const outside = kind(await b.store.post(message("s1")), "accepted");
    equal([outside.replayed, outside.record], [true, first.record], "outside");
    equal(
      (await b.store.inbox({ runId: "a" })).map((r) => [r.id, r.payload, r.taken]),
      [["s1", '{"id":"s1"}', false]],
      "the first payload, and it wakes",
    );
    const rest = next(row, { taken: [first.record.inboxId], replies: [{ inboxId: first.record.inboxId, reply: "r" }] });
    await commitOne(b.store, rest);
    await b.mine.sql("begin");
    const later = kind(await (await b.inside()).post(message("s1")), "accepted");
    equal([later.replayed, later.record.reply], [true, "r"], "an answer that came meanwhile");
    await b.mine.sql("commit");
  }),

  ownCase("a run that was created inside takes a message inside", [], async (b) => {
    await b.mine.sql("begin");
    const inside = await b.inside();
    kind(await inside.create(create("a")), "committed");
    kind(await inside.post(message("s1")), "accepted");
    await b.mine.sql("commit");
    equal(
      (await b.store.inbox({ runId: "a" })).map((r) => r.id),
      ["s1"],
      "its inbox",
    );
  }),

  ownCase("conflicts inside are values, and the user's transaction continues", ["K9"], async (b) => {
    const there = await owned(b.store, "a", "engine-1", { idempotencyKey: "k" });
    await b.mine.sql("begin");
    await insert(b.mine, "before");
    const inside = await b.inside();
    const met = async (c: ReturnType<typeof create>): Promise<unknown> => {
      const { by, existing } = kind(await inside.create(c), "conflict");
      return [by, existing.runId, existing.stateVersion];
    };
    equal(await met(create("b", { workflowId: "order-a" })), ["workflowId", "a", there.stateVersion], "the workflowId");
    equal(await met(create("b", { idempotencyKey: "k" })), ["idempotencyKey", "a", there.stateVersion], "the start key");
    equal(await met({ ...create("a", { workflowId: "other" }), commitId: "other" }), ["runId", "a", there.stateVersion], "the runId");
    const mine = create("mine", { idempotencyKey: "mine" });
    kind(await inside.create(mine), "committed");
    equal(await met(create("c", { workflowId: "order-mine" })), ["workflowId", "mine", 1], "a run of this transaction");
    equal(await met(create("c", { idempotencyKey: "mine" })), ["idempotencyKey", "mine", 1], "and its key");
    const found = async (key: string): Promise<unknown> => (await inside.run({ scope, idempotencyKey: key }))?.runId;
    equal([await found("k"), await found("mine"), await found("none")], ["a", "mine", undefined], "found by the key");
    kind(await inside.create(mine), "duplicate");
    kind(await inside.create(create("d", { scope: otherScope, workflowId: "order-a", idempotencyKey: "k" })), "committed");
    await insert(b.mine, "after");
    await b.mine.sql("commit");
    equal(await mineThere(b.mine), ["after", "before"], "the user's rows");
    const ids = ["a", "b", "c", "d", "mine"];
    equal(
      (await Promise.all(ids.map((runId) => b.store.run({ runId })))).map((r) => r?.runId),
      ["a", undefined, undefined, "d", "mine"],
      "runs",
    );
  }),

  ownCase("a run that has settled is followed by another inside, one that has not is not", [], async (b) => {
    const row = await owned(b.store, "a");
    const follower = create("b", { workflowId: "order-a", supersedes: "a" });
    await b.mine.sql("begin");
    kind(await (await b.inside()).create(follower), "conflict");
    await b.mine.sql("rollback");
    await commitOne(b.store, next(row, { status: "COMPLETED" }));
    await b.mine.sql("begin");
    const inside = await b.inside();
    kind(await inside.post(message("s1")), "settled");
    kind(await inside.create(follower), "committed");
    kind(await inside.post(message("s1")), "accepted");
    await b.mine.sql("commit");
    equal([(await rowOf(b.store, "b")).generation, (await b.store.inbox({ runId: "b" })).length], [2, 1], "the second of its line");
  }),

  ownCase("what cannot be written is refused, and leaves the user's transaction as it was", ["K9"], async (b) => {
    await b.mine.sql("begin");
    await insert(b.mine, "before");
    const inside = await b.inside();
    kind(await inside.create(create("a", {}, { events: [event(1, { payload: "\0" })] })), "refused");
    kind(await inside.create(create("a", {}, { events: [event(1), event(1)] })), "refused");
    kind(await inside.post(message("s1", { target: { workflowId: "nobody" } })), "unknown");
    kind(await inside.post(message("s1", { target: { runId: "nobody" } })), "unknown");
    kind(await inside.create(create("b")), "committed");
    await insert(b.mine, "after");
    await b.mine.sql("commit");
    equal([await seen(b.store, "a"), await mineThere(b.mine)], [nothing, ["after", "before"]], "nothing of it, all of the user's");
    equal((await rowOf(b.store, "b")).runId, "b", "what came between");
  }),

  ownCase("a part that the user rolls back to a savepoint takes with it what Pawl wrote in it", [], async (b) => {
    await b.mine.sql("begin");
    const inside = await b.inside();
    kind(await inside.create(create("a")), "committed");
    await b.mine.sql("savepoint part");
    await insert(b.mine, "gone");
    kind(await inside.create(create("gone")), "committed");
    kind(await inside.post(message("gone")), "accepted");
    await b.mine.sql("rollback to savepoint part");
    kind(await inside.post(message("kept")), "accepted");
    await insert(b.mine, "kept");
    await b.mine.sql("commit");
    equal([await seen(b.store, "gone"), await mineThere(b.mine)], [nothing, ["kept"]], "that part");
    equal(
      (await b.store.inbox({ runId: "a" })).map((r) => r.id),
      ["kept"],
      "the rest",
    );
  }),

  ownCase("several at once on one connection go one after the other", [], async (b) => {
    await b.mine.sql("begin");
    const inside = await b.inside();
    const answers = await Promise.all(
      ["a", "b", "c", "d"].map((id) => inside.create(create(id, { workflowId: id === "d" ? "order-a" : `order-${id}` }))),
    );
    equal(
      answers.map((x) => x.kind),
      ["committed", "committed", "committed", "conflict"],
      "answers",
    );
    await b.mine.sql("commit");
    equal((await b.store.runs({ scope, limit: 9 })).runs.length, 3, "runs");
  }),

  ownCase("a connection that is in no transaction, and what is not a connection, are refused", [], async (b) => {
    await throws("PAWL3012", b.inside);
    await b.mine.sql("begin");
    await b.mine.sql("commit");
    await throws("PAWL3012", b.inside);
    for (const own of [{}, { query: 1 }, { exec: (): void => {} }])
      await throws("PAWL3012", async () => b.store.joinTransaction?.(own as unknown as UserConnection["tx"]));
    equal((await b.store.runs({ scope, limit: 9 })).runs, [], "nothing was written");
  }),
];
