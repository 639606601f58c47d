// Cases about checkpoints: what a run may be resumed from, kept in the same write as everything else of its Commit. The body
// is opaque to a store, so a case writes one as a producer would (state, seed, frontier, recorded IO) and compares text.
import { checkpointKey } from "../../core/checkpoint-key.ts";
import { sha256Hex } from "../../platform/crypto/hash.ts";
import type { Checkpoint, Commit, RunRow, Store } from "../port.ts";
import { equal, kind, ok, present, unanswered } from "./assert.ts";
import { commitOne, create, event, message, next, owned, rowOf } from "./build.ts";
import { type OpenBundle, type SuiteCase, suiteCase } from "./bundle.ts";

/** A seed that no double holds: only text that is left alone brings it back. */
const body = (n: number): string =>
  `{"state":{"n":${n}},"seed":-9223372036854775807,"frontier":[{"node":"b","order":18446744073709551615}],"io":[{"call":"é","answer":"\\u0000"}]}`;

/** The key as a producer makes it; the run's name is left out, so that two runs can be given the same one. */
const keyOf = (n: number): string =>
  checkpointKey(sha256Hex, {
    runId: "",
    stepId: n,
    frontier: [{ nodeId: "b", orderKey: 18_446_744_073_709_551_615n }],
    stateJson: `{"n":${n}}`,
  });

const checkpoint = (n: number, more: Partial<Checkpoint> = {}): Checkpoint => {
  return { stepId: n, key: keyOf(n), label: null, body: body(n), ...more };
};

/** The Commit of step n on the row: an event with its key, the checkpoint, a view, a child, a message to another run. */
function step(row: RunRow, n: number, more: Partial<Commit> = {}): Commit {
  return next(row, {
    events: [event(n)],
    checkpoint: checkpoint(n),
    due: { at: null, inMs: 100 },
    views: [{ name: "at", value: String(n) }],
    children: [create(`${row.runId}-child-${n}`, { parentRunId: row.runId })],
    notices: [{ toRunId: "other", kind: "signal", name: "told", id: `${row.runId}-${n}`, payload: null }],
    ...more,
  });
}

/** Everything that a step could have left behind. */
async function everything(store: Store, runId = "a", n = 1): Promise<unknown> {
  return [
    await store.run({ runId }),
    await store.events({ runId, after: 0, limit: 100 }),
    await store.inbox({ runId, all: true }),
    await store.views(runId),
    await store.checkpoint({ runId }),
    await store.run({ runId: `${runId}-child-${n}` }),
    await store.inbox({ runId: "other", all: true }),
  ];
}

async function ready(store: Store): Promise<RunRow> {
  await owned(store, "other");
  return owned(store, "a");
}

/** Whatever happened to its Commit, step 1 took effect once: one of everything. */
async function tookEffectOnce(store: Store): Promise<void> {
  const row = await rowOf(store, "a");
  const events = await store.events({ runId: "a", after: 0, limit: 9 });
  equal([row.stateVersion, row.headSeq, events.length], [2, 1, 1], "one Commit, one event");
  equal((await store.checkpoint({ runId: "a" }))?.key, keyOf(1), "its checkpoint");
  equal((await store.inbox({ runId: "other" })).length, 1, "one message");
  equal((await store.run({ runId: "a-child-1" }))?.generation, 1, "one child");
}

async function refuses(b: OpenBundle, c: Commit): Promise<void> {
  kind((await b.store.commit([c])).answers[0], "refused");
}

export const checkpointCases: readonly SuiteCase[] = [
  suiteCase(
    "a checkpoint is written with its run, its key and its outbox, and read back whole",
    ["L-04", "L-05", "L-06", "L-07", "L-08", "L-09", "L-10", "L-58", "L-62", "LX-23"],
    async ({ store, reopen: again }) => {
      const row = await ready(store);
      const { nowMs } = await store.info();
      equal(await store.checkpoint({ runId: "a" }), undefined, "none yet");
      await commitOne(store, step(row, 1, { checkpoint: checkpoint(1, { label: "before shipping" }) }));
      const other = await again();
      const expected = { runId: "a", stateVersion: 2, persistedAt: nowMs, ...checkpoint(1, { label: "before shipping" }) };
      equal(await other.checkpoint({ runId: "a" }), expected, "all of it is one row, and every character as it went");
      equal((await other.run({ runId: "a" }))?.stateVersion, 2, "of the same moment as the run's state");
      equal((await other.run({ runId: "a" }))?.dueAt, nowMs + 100, "what comes next");
      equal((await other.events({ runId: "a", idempotencyKey: "key-1" })).length, 1, "its key");
      equal((await other.inbox({ runId: "other" })).length, 1, "what it sends");
      await commitOne(other, step(await rowOf(store, "a"), 2));
      equal((await store.checkpoint({ runId: "a" }))?.label, null, "a label is optional");
      equal((await store.checkpoint({ runId: "a" }))?.stepId, 2, "the latest");
      equal(await store.checkpoint({ runId: "a", stepId: 1 }), expected, "an earlier one is kept as it was");
      equal(await store.checkpoint({ runId: "a", stepId: 3 }), undefined, "a step that has none");
      equal(await store.checkpoint({ runId: "other" }), undefined, "of another run");
      await other.close();
    },
  ),

  suiteCase("the same Commit again is distinguished from a failure, and changes nothing", ["L-61", "L-63", "L-76"], async (b) => {
    const row = await ready(b.store);
    const c = step(row, 1);
    const first = await commitOne(b.store, c);
    const before = await everything(b.store);
    b.advanceClock(10);
    equal(kind((await b.store.commit([c])).answers[0], "duplicate"), { ...first, kind: "duplicate" }, "already there");
    equal(await everything(b.store), before, "the stored record");
    kind((await b.store.commit([step(row, 2, { commitId: "late" })])).answers[0], "stale");
    equal(await everything(b.store), before, "another reason is another answer");
  }),

  suiteCase("a key, or a step, that is there takes all of the Commit back", ["L-11", "L-15", "L-16", "L-59", "L-73"], async (b) => {
    const row = await ready(b.store);
    await commitOne(b.store, step(row, 1));
    const now = await rowOf(b.store, "a");
    const before = [await everything(b.store, "a", 1), await everything(b.store, "a", 2)];
    await refuses(b, step(now, 2, { checkpoint: checkpoint(2, { key: keyOf(1) }) }));
    await refuses(b, step(now, 2, { checkpoint: checkpoint(1, { key: "sha256:other" }), commitId: "diverged" }));
    equal([await everything(b.store, "a", 1), await everything(b.store, "a", 2)], before, "nothing of it is left");
    await commitOne(b.store, step(now, 2));
    equal((await b.store.checkpoint({ runId: "a" }))?.key, keyOf(2), "the same step under its own key goes through");
    const same = await owned(b.store, "c");
    await commitOne(b.store, next(same, { checkpoint: checkpoint(1) }));
    equal((await b.store.checkpoint({ runId: "c" }))?.key, keyOf(1), "a key is its run's own (I11)");
  }),

  suiteCase(
    "whatever part of it cannot be written, nothing is, and the same Commit can be asked again",
    ["L-12", "L-13", "L-14", "L-15", "L-72"],
    async (b) => {
      const row = await ready(b.store);
      await b.store.post(message("s1"));
      const before = await everything(b.store);
      const cut = "\ud800";
      const failing: readonly [what: string, more: Partial<Commit>][] = [
        ["the state", { checkpoint: checkpoint(1, { body: `${body(1)}${cut}` }) }],
        ["the label", { checkpoint: checkpoint(1, { label: cut }) }],
        ["the key", { checkpoint: checkpoint(1, { key: cut }) }],
        ["what comes next", { children: [create("a-child-1", { workflowId: cut })] }],
        ["what is sent", { notices: [{ toRunId: "other", kind: "signal", name: cut, id: "1", payload: null }] }],
        ["a constraint of the log", { events: [event(1), event(1)] }],
      ];
      for (const [what, more] of failing) {
        await refuses(b, step(row, 1, more));
        equal(await everything(b.store), before, what);
      }
      b.failAt("engine:commit");
      ok(await unanswered(() => b.store.commit([step(row, 1)])), "dies before COMMIT");
      equal(await everything(b.store), before, "an error between statements");
      await commitOne(b.store, step(row, 1));
      await tookEffectOnce(b.store);
    },
  ),

  suiteCase(
    "the row with the Commit's key comes first: the Commit that lost there gets that answer, whatever would have failed after it",
    ["L-17"],
    async (b) => {
      const row = await ready(b.store);
      await commitOne(b.store, step(row, 1));
      const now = await rowOf(b.store, "a");
      const clashing = { checkpoint: checkpoint(1), events: [event(1)] };
      kind((await b.store.commit([step(now, 2, { ...clashing, commitId: now.commitId })])).answers[0], "duplicate");
      kind((await b.store.commit([step({ ...now, stateVersion: 1 }, 2, { ...clashing, commitId: "late" })])).answers[0], "stale");
      const lost = { ...now, fence: { epoch: 0, token: "" } };
      kind((await b.store.commit([step(lost, 2, { ...clashing, commitId: "lost" })])).answers[0], "fenced");
      await refuses(b, step(now, 2, { ...clashing, commitId: "right" }));
    },
  ),

  suiteCase("five steps, the fifth again, then the sixth", ["L-65"], async ({ store }) => {
    let row = await ready(store);
    for (const n of [1, 2, 3, 4, 5]) {
      await commitOne(store, step(row, n));
      if (n < 5) row = await rowOf(store, "a");
    }
    kind((await store.commit([step(row, 5)])).answers[0], "duplicate");
    const now = await rowOf(store, "a");
    kind((await store.commit([step(now, 5, { commitId: "by another", events: [event(6)] })])).answers[0], "refused");
    await commitOne(store, step(now, 6));
    for (const n of [1, 2, 3, 4, 5, 6]) equal((await store.checkpoint({ runId: "a", stepId: n }))?.body, body(n), `step ${n}`);
    equal((await store.events({ runId: "a", after: 0, limit: 9 })).length, 6, "events");
  }),

  suiteCase(
    "a hundred Commits of one checkpoint asked at once are written once",
    ["L-64", "L-68", "L-77", "C13"],
    async ({ store, reopen: again }) => {
      const row = await ready(store);
      const other = await again();
      const asked = Array.from({ length: 100 }, async (_, i) => {
        const c = step(row, 1, i % 4 < 2 ? {} : { commitId: `of process ${i}` });
        return (i % 2 === 0 ? store : other).commit([c]);
      });
      const kinds = (await Promise.all(asked)).map((a) => present(a.answers[0], "answer").kind);
      equal(kinds.filter((k) => k === "committed").length, 1, "one success");
      ok(
        kinds.every((k) => k === "committed" || k === "duplicate" || k === "stale" || k === "busy"),
        `the others lose by a value: ${kinds.join(" ")}`,
      );
      await tookEffectOnce(store);
      await other.close();
    },
  ),

  suiteCase("a step takes effect once: the process dies before its Commit, and the next one makes it", [], async (b) => {
    const row = await ready(b.store);
    b.failAt("engine:commit");
    ok(await unanswered(() => b.store.commit([step(row, 1)])), "dies");
    const heir = await b.reopen();
    kind((await heir.commit([step(row, 1)])).answers[0], "committed");
    await tookEffectOnce(heir);
    await heir.close();
  }),

  suiteCase("a step takes effect once: the answer is lost, and asking again finds it done", ["L-69"], async (b) => {
    const row = await ready(b.store);
    b.failAt("engine:ack");
    ok(await unanswered(() => b.store.commit([step(row, 1)])), "no answer");
    const again = await b.reopen();
    kind((await again.commit([step(row, 1)])).answers[0], "duplicate");
    kind((await again.commit([step(row, 1)])).answers[0], "duplicate");
    await tookEffectOnce(again);
    await again.close();
  }),

  suiteCase("a step takes effect once: two owners of one version commit it at the same time", [], async ({ store, reopen: again }) => {
    const row = await ready(store);
    const other = await again();
    const both = [async () => store.commit([step(row, 1)]), async () => other.commit([step(row, 1, { commitId: "another" })])].map((ask) =>
      ask(),
    );
    const kinds = (await Promise.all(both)).map((a) => a.answers[0]?.kind);
    equal(kinds.filter((k) => k === "committed").length, 1, "one of them");
    await tookEffectOnce(store);
    await other.close();
  }),

  suiteCase("a step takes effect once: a part of its Commit fails, and it is made whole later", [], async (b) => {
    const row = await ready(b.store);
    await refuses(b, step(row, 1, { children: [create("a-child-1", { workflowId: "\0" })] }));
    kind((await b.store.commit([step(row, 1)])).answers[0], "committed");
    await tookEffectOnce(b.store);
  }),

  suiteCase("a run may be created with a checkpoint, and a child with one of its own", [], async ({ store }) => {
    const child = create("child", {}, { checkpoint: checkpoint(1, { key: "of the child" }) });
    await commitOne(store, create("a", {}, { checkpoint: checkpoint(0), children: [child] }));
    const found = [await store.checkpoint({ runId: "a" }), await store.checkpoint({ runId: "child" })];
    equal(
      found.map((c) => [c?.stepId, c?.key, c?.stateVersion]),
      [
        [0, keyOf(0), 1],
        [1, "of the child", 1],
      ],
      "both",
    );
  }),
];
