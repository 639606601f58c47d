// Cases about the ledger: records of effects, written in the same Commit as the events that explain them. They hold every
// store to what a record keeps from its first write, what later ones change, that records never collide, and that a Commit
// which writes nothing leaves no record.
import type { EffectWrite, RunRow, Store } from "../port.ts";
import { effectKey } from "../keys.ts";
import { equal, kind, throws } from "./assert.ts";
import { commitOne, create, otherScope, event, next, owned, scope } from "./build.ts";
import { type SuiteCase, suiteCase } from "./bundle.ts";

export function effect(seq: number, more: Partial<EffectWrite> = {}): EffectWrite {
  return {
    version: 1,
    seq,
    scope,
    workflowId: "order-a",
    stepId: `charge~${seq}`,
    name: "charge",
    class: "KEYED",
    key: "order-7",
    argsDigest: "digest",
    receiver: "bank",
    status: "indeterminate",
    phase: "dispatched",
    attempts: 1,
    engineAttempts: 1,
    error: null,
    eventSeq: seq,
    worker: null,
    ...more,
  };
}

const all = async (s: Store, more: object = {}): Promise<string[]> =>
  (await s.effects({ scope, limit: 50, ...more })).effects.map((e) => `${e.runId}/${e.seq}`);

export const effectCases: readonly SuiteCase[] = [
  suiteCase(
    "a record is whole from its dispatch on",
    ["W-012", "W-013", "W-014", "W-015", "W-016", "W-017", "W-020", "W-021"],
    async ({ store, advanceClock: step }) => {
      const row = await owned(store, "a");
      const at = (await store.info()).nowMs;
      await commitOne(store, next(row, { events: [event(1)], effects: [effect(1)] }));
      step(25);
      const again = next(
        { ...row, stateVersion: 2 },
        {
          events: [event(2)],
          effects: [effect(1, { status: "failed", phase: "retrying", attempts: 2, engineAttempts: 3, error: '{"x":"é"}', eventSeq: 2 })],
        },
      );
      await commitOne(store, again);
      const { effects, cursor } = await store.effects({ scope, limit: 9 });
      const changed = { status: "failed", phase: "retrying", attempts: 2, engineAttempts: 3, error: '{"x":"é"}', eventSeq: 2 } as const;
      equal(effects, [{ ...effect(1), ...changed, runId: "a", createdAt: at, updatedAt: at + 25 }], "the record");
      equal(cursor, undefined, "no more");
    },
  ),

  suiteCase("every status and phase is kept as it is", ["W-017", "W-018", "W-019"], async ({ store }) => {
    const row = await owned(store, "a");
    const states = [
      ["completed", "settled", null],
      ["failed", "settled", '{"category":"FAILED"}'],
      ["cancelled", "settled", "{}"],
      ["timed-out", "settled", "{}"],
      ["indeterminate", "doubt", '{"reason":"nobody knows"}'],
    ] as const;
    const effects = states.map(([status, phase, error], i) => effect(i + 1, { status, phase, error }));
    await commitOne(store, next(row, { effects }));
    const found = (await store.effects({ scope, limit: 9, runId: "a" })).effects;
    equal(
      found.map((e) => [e.status, e.phase, e.error]),
      states,
      "states",
    );
  }),

  suiteCase("what a record was first written as never changes", [], async ({ store }) => {
    const row = await owned(store, "a");
    await commitOne(store, next(row, { effects: [effect(1)] }));
    const other = effect(1, {
      workflowId: "x",
      stepId: "x",
      name: "x",
      class: "VERIFIED",
      key: "x",
      argsDigest: "x",
      receiver: "x",
      status: "completed",
    });
    await commitOne(store, next({ ...row, stateVersion: 2 }, { effects: [other] }));
    const [found] = (await store.effects({ scope, limit: 1 })).effects;
    const { workflowId, stepId, name, class: of, key, argsDigest, receiver, status } = found ?? other;
    equal(
      [workflowId, stepId, name, of, key, argsDigest, receiver, status],
      ["order-a", "charge~1", "charge", "KEYED", "order-7", "digest", "bank", "completed"],
      "kept",
    );
  }),

  suiteCase(
    "a record says who ran it, changes with its outcome, and is found by worker, step and business id",
    ["TX-16"],
    async ({ store }) => {
      const [a, b] = [await owned(store, "a"), await owned(store, "b")];
      await commitOne(store, next(a, { effects: [effect(1, { phase: "queued" }), effect(2)] }));
      equal(await all(store, { worker: "worker-1" }), [], "nobody has run it");
      const ended = effect(1, { eventSeq: 3, status: "failed", phase: "retrying", error: "{}", worker: "worker-1" });
      await commitOne(store, next({ ...a, stateVersion: 2 }, { effects: [ended] }));
      equal(await all(store, { worker: "worker-1" }), ["a/1"], "with its outcome");
      await commitOne(store, next(b, { effects: [effect(1, { worker: "worker-2" }), effect(2, { worker: "Worker-1" })] }));
      const done = effect(1, { eventSeq: 5, status: "completed", phase: "settled", worker: "worker-2" });
      await commitOne(store, next({ ...a, stateVersion: 3 }, { effects: [done] }));
      equal(await all(store, { worker: "worker-1" }), [], "the last one counts");
      equal(await all(store, { worker: "worker-2" }), ["b/1", "a/1"], "of several runs");
      equal(await all(store, { worker: "worker-2", runId: "a" }), ["a/1"], "by worker and run");
      equal(await all(store, { worker: "worker-2", scope: otherScope }), [], "I11: another scope sees none");
      equal(await all(store, { stepId: "charge~2" }), ["b/2", "a/2"], "by step");
      equal(await all(store, { workflowId: b.workflowId }), ["b/1", "b/2"], "by the business id of its run");
      equal(await all(store, { workflowId: b.workflowId, stepId: "charge~2" }), ["b/2"], "by both");
      const [found] = (await store.effects({ scope, runId: "a", limit: 1 })).effects;
      equal([found?.worker, found?.status, found?.eventSeq], ["worker-2", "completed", 5], "as it was written last");
    },
  ),

  suiteCase("a Commit that is refused leaves no record, and one asked again leaves one", ["I3"], async ({ store }) => {
    const row = await owned(store, "a");
    const lost: RunRow = { ...row, fence: { epoch: row.fence.epoch, token: "lost" } };
    kind((await store.commit([next(lost, { effects: [effect(1)] })])).answers[0], "fenced");
    kind((await store.commit([next({ ...row, stateVersion: 9 }, { effects: [effect(1)] })])).answers[0], "stale");
    const clash = next(row, { events: [event(1), event(1)], effects: [effect(1)] });
    kind((await store.commit([clash])).answers[0], "refused");
    kind((await store.commit([next(row, { effects: [effect(1, { error: "\0" })] })])).answers[0], "refused");
    equal(await all(store), [], "nothing");
    const good = next(row, { effects: [effect(1)] });
    await commitOne(store, good);
    kind((await store.commit([good])).answers[0], "duplicate");
    equal(await all(store), ["a/1"], "one");
  }),

  suiteCase(
    "records never collide across runs, names, operations and keys, and each is found by any of them",
    ["W-004", "W-023"],
    async ({ store }) => {
      const [a, b] = [await owned(store, "a"), await owned(store, "b")];
      await commitOne(
        store,
        next(a, {
          effects: [
            effect(1),
            effect(2, { key: "Order-7" }),
            effect(3, { key: "order-7 " }),
            effect(4, { name: "refund", class: "AT-MOST-ONCE", phase: "doubt", receiver: "Bank" }),
            effect(5, { key: null, class: "ATOMIC", status: "completed", phase: "settled", receiver: null }),
          ],
        }),
      );
      await commitOne(store, next(b, { effects: [effect(1), effect(2, { key: "order:7", workflowId: "order-b" })] }));
      equal(await all(store), ["b/1", "b/2", "a/1", "a/2", "a/3", "a/4", "a/5"], "newest run first, then in the run's order");
      equal(await all(store, { key: "order-7" }), ["b/1", "a/1", "a/4"], "by key, as bytes");
      equal(await all(store, { name: "refund" }), ["a/4"], "by name");
      equal(await all(store, { receiver: "Bank" }), ["a/4"], "by receiver, as bytes");
      equal(await all(store, { receiver: "bank", runId: "a" }), ["a/1", "a/2", "a/3"], "by receiver and run");
      equal(await all(store, { class: "ATOMIC" }), ["a/5"], "by class");
      equal(await all(store, { phase: "doubt" }), ["a/4"], "by phase");
      equal(await all(store, { phase: "dispatched", runId: "b" }), ["b/1", "b/2"], "by run and phase");
      equal(await all(store, { status: "completed" }), ["a/5"], "by status");
      equal(await all(store, { scope: otherScope }), [], "I11: another scope sees none");
      const records = (await store.effects({ scope, limit: 50 })).effects;
      equal(new Set(records.map(effectKey)).size, records.length, "storage keys");
    },
  ),

  suiteCase("the ledger is read page by page, nothing twice and nothing left out", [], async ({ store }) => {
    for (const id of ["a", "b", "c"]) await commitOne(store, create(id, {}, { effects: [effect(1), effect(2), effect(3)] }));
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await store.effects({ scope, limit: 2, ...(cursor === undefined ? {} : { cursor }) });
      seen.push(...page.effects.map((e) => `${e.runId}/${e.seq}`));
      cursor = page.cursor;
    } while (cursor !== undefined);
    equal(seen, ["c/1", "c/2", "c/3", "b/1", "b/2", "b/3", "a/1", "a/2", "a/3"], "all");
    await throws("PAWL4011", () => store.effects({ scope, limit: 1, cursor: "nonsense" }));
    await throws("PAWL3005", () => store.effects({ scope, limit: 1, key: "\0" }));
  }),

  suiteCase("a record is no workflow, no message and no event; runs that wait for a person are found", ["W-129"], async ({ store }) => {
    const row = await owned(store, "a");
    await commitOne(store, create("b"));
    await commitOne(store, next(row, { waiting: "decision", due: { at: null, inMs: null }, effects: [effect(1, { phase: "doubt" })] }));
    equal(
      (await store.runs({ scope, limit: 9, waiting: "decision" })).runs.map((r) => r.runId),
      ["a"],
      "waiting for a decision",
    );
    equal((await store.runs({ scope, limit: 9 })).runs.length, 2, "runs");
    equal([await store.inbox({ runId: "a", all: true }), await store.events({ runId: "a", after: 0, limit: 9 })], [[], []], "nothing else");
  }),
];
