// Cases about what else a Commit writes in the same transaction: rows with versions, all of them or nothing at all, and snapshots, which are
// a cache of the log and never the truth.
import type { FullStore } from "../../full-store.ts";
import type { Commit } from "../../port.ts";
import type { KvRow, KvWrite } from "../../reader-store.ts";
import { equal, kind } from "../assert.ts";
import { commitOne, create, event, next, owned, rowOf, scope } from "../build.ts";
import { type SuiteCase, suiteCase } from "../bundle.ts";
import { dispatch, queued, rowsOf } from "./build.ts";

const put = (key: string, value: string | null, expect?: number): KvWrite => ({
  collection: "c",
  key,
  value,
  ...(expect === undefined ? {} : { expect }),
});
const all = (store: FullStore): Promise<readonly KvRow[]> => store.kv.list({ collection: "c", limit: 9 });
const snapshot = (at: number, keep: "all" | "last", body = `body ${at}`): NonNullable<Commit["snapshot"]> => ({
  at,
  digest: `d${at}`,
  body,
  keep,
});

export const commitRowCases: readonly SuiteCase[] = [
  suiteCase("rows that a Commit puts are there with it, each with the version it expects", ["T-25"], async (b) => {
    const { store } = b;
    await store.kv.put([put("old", "1"), put("gone", "1")]);
    b.advanceClock(5);
    const row = await owned(store, "a");
    await commitOne(
      store,
      next(row, { events: [event(1)], puts: [put("new", "ü", 0), put("old", "2", 1), put("gone", null, 1), put("any", "")] }),
    );
    const at = (await rowOf(store, "a")).persistedAt;
    const made = (key: string, value: string, version: number): KvRow => ({ collection: "c", key, value, version, at });
    equal(await all(store), [made("any", "", 1), made("new", "ü", 1), made("old", "2", 2)], "rows");
  }),

  suiteCase("one row that is not as expected, and nothing of the Commit is written; it says what is there", ["T-25"], async ({ store }) => {
    await store.kv.put([put("x", "theirs"), put("y", "theirs")]);
    const rows = await all(store);
    const row = await owned(store, "a");
    const more: Partial<Commit> = { events: [event(1)], dispatches: [dispatch(1)], views: [{ name: "v", value: "1" }] };
    const puts = [put("free", "1", 0), put("x", "mine", 0), put("y", "mine", 1), put("z", "mine", 3)];
    equal((await store.commit([next(row, { ...more, puts })])).answers, [{ kind: "unmet", rows: [rows[0]] }], "answer");
    equal([await rowOf(store, "a"), await all(store), await rowsOf(store), await store.views("a")], [row, rows, [], {}], "as before");
    const first = create("b", {}, { ...more, status: "RUNNING", puts });
    equal((await store.commit([first])).answers, [{ kind: "unmet", rows: [rows[0]] }], "a run's first Commit");
    equal([await store.run({ runId: "b" }), await all(store), await rowsOf(store)], [undefined, rows, []], "no run");
    await commitOne(store, { ...first, puts: puts.slice(0, 1) });
    equal(
      (await all(store)).map((r) => r.key),
      ["free", "x", "y"],
      "the same run, without them",
    );
  }),

  suiteCase(
    "who may not write is refused as such, whatever rows it wanted; a Commit that was made is a duplicate, and puts nothing again",
    ["I3", "K10"],
    async ({ store }) => {
      const row = await owned(store, "a");
      const puts = [put("k", "1", 0)];
      const wrong = { fence: { epoch: row.fence.epoch, token: "wrong" }, stateVersion: row.stateVersion };
      equal((await store.commit([next(row, { expect: wrong, puts: [put("k", "1", 7)] })])).answers[0]?.kind, "fenced", "fenced first");
      equal((await store.commit([next(row, { puts: [put("", "1")] })])).answers[0]?.kind, "refused", "no key");
      equal((await store.commit([next(row, { puts: [put("k", "1"), put("k", "2")] })])).answers[0]?.kind, "refused", "one row twice");
      equal(await all(store), [], "nothing");
      const c = next(row, { events: [event(1)], puts });
      await commitOne(store, c);
      equal((await store.commit([c])).answers[0]?.kind, "duplicate", "asked again");
      const first = create("b", { idempotencyKey: "start" }, { puts: [put("b", "1", 0)] });
      await commitOne(store, first);
      equal((await store.commit([first])).answers[0]?.kind, "duplicate", "a run's first Commit, again");
      equal(
        (await store.commit([create("c", { idempotencyKey: "start" }, { puts: [put("b", "1", 0)] })])).answers[0]?.kind,
        "conflict",
        "another start under the key",
      );
      equal(
        (await all(store)).map((r) => [r.key, r.version]),
        [
          ["b", 1],
          ["k", 1],
        ],
        "put once",
      );
    },
  ),

  suiteCase("of many first Commits at once that expect the same row, one is made", ["T-32"], async (b) => {
    const other = await b.reopen();
    const commits = Array.from({ length: 8 }, (_, i) => create(`run-${i}`, {}, { puts: [put("one", String(i), 0)] }));
    const answers = await Promise.all(
      commits.map(async (c, i) => {
        for (;;) {
          const [answer] = (await (i % 2 === 0 ? b.store : other).commit([c])).answers;
          if (answer?.kind !== "busy") return answer?.kind;
        }
      }),
    );
    equal(
      answers.toSorted((x, y) => ((x ?? "") < (y ?? "") ? -1 : 1)),
      ["committed", ...Array<string>(7).fill("unmet")],
      "answers",
    );
    equal((await b.store.runs({ scope, limit: 9 })).runs.length, 1, "one run");
    await other.close();
  }),

  suiteCase(
    "a snapshot comes with its Commit: one of the same event is replaced, and the last one may be the only one",
    ["K10"],
    async ({ store }) => {
      const seen = async (upTo?: number, limit = 9): Promise<unknown> =>
        (await store.snapshots({ runId: "a", limit, ...(upTo === undefined ? {} : { upTo }) })).map((s) => [s.at, s.body]);
      let row = await owned(store, "a");
      equal(await seen(), [], "none yet");
      const step = async (s: NonNullable<Commit["snapshot"]>): Promise<void> => {
        await commitOne(store, next(row, { events: [event(row.headSeq + 1)], snapshot: s }));
        row = await rowOf(store, "a");
      };
      await step(snapshot(1, "all", "it's ü"));
      await step(snapshot(2, "all"));
      await step(snapshot(3, "all"));
      equal(await store.snapshots({ runId: "a", upTo: 1, limit: 9 }), [{ runId: "a", at: 1, digest: "d1", body: "it's ü" }], "read back");
      equal(
        [await seen(), await seen(2), await seen(undefined, 1)],
        [
          [
            [3, "body 3"],
            [2, "body 2"],
            [1, "it's ü"],
          ],
          [
            [2, "body 2"],
            [1, "it's ü"],
          ],
          [[3, "body 3"]],
        ],
        "newest first",
      );
      await step(snapshot(3, "all", "again"));
      equal(await seen(undefined, 1), [[3, "again"]], "replaced");
      await step(snapshot(4, "last"));
      equal(await seen(), [[4, "body 4"]], "the only one");
      const stale = next(row, { events: [event(9)], snapshot: snapshot(9, "last"), expect: { fence: row.fence, stateVersion: 1 } });
      equal((await store.commit([stale])).answers[0]?.kind, "stale", "I3");
      equal(await seen(), [[4, "body 4"]], "unchanged");
      await commitOne(store, create("b", {}, { snapshot: snapshot(1, "last") }));
      equal((await store.snapshots({ runId: "b", limit: 9 })).length, 1, "in a run's first Commit");
    },
  ),

  {
    ...suiteCase("a run's snapshots go with what they were made of, and are not part of its copy", [], async (b) => {
      const { store } = b;
      for (const runId of ["a", "b"]) {
        const row = await queued(store, runId, [dispatch(1)]);
        const due = { at: null, inMs: null };
        await commitOne(store, next(row, { events: [event(2)], status: "COMPLETED", due, snapshot: snapshot(1, "all") }));
      }
      equal(
        Object.keys((await store.archive.copyRun("a")) ?? {}).sort(),
        ["checkpoints", "effects", "events", "inbox", "run", "views"],
        "its copy",
      );
      const { nowMs } = await store.info();
      const q = { endedBefore: nowMs, unlessHeld: { collection: "none", keys: ["none"] }, limit: 99 };
      kind(await store.archive.prune({ ...q, runId: "a", stage: "expire" }), "pruned");
      kind(await store.archive.prune({ ...q, runId: "b", stage: "purge" }), "pruned");
      for (const runId of ["a", "b"]) equal(await store.snapshots({ runId, limit: 9 }), [], runId);
    }),
    needs: "maintenance",
  },
];
