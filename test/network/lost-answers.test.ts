// Every verb of the port without its answer. A store has as many verbs as it has functions: each must stand in the table below, with what
// becomes of it when nobody says what it did, or this fails. Then the same through an engine: whichever answers are lost, every run
// ends, and nothing is done twice.
import { readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { localClient } from "../../src/client/local-client.ts";
import { defaultScope } from "../../src/client/environment.ts";
import { checkLimits } from "../../src/core/limits.ts";
import { consume } from "../../src/readers/consume.ts";
import type { FullStore } from "../../src/store/full-store.ts";
import { create, event, message, next, owned, claimQuery, rowOf, scope, serves } from "../../src/store/suite/build.ts";
import { claimed, dispatch, queued, queueVersion } from "../../src/store/suite/queues/build.ts";
import { workflow } from "../../src/workflow/define.ts";
import { testStores, type TestStore } from "../support/test-store.ts";
import { faultyStore, losingAnswers, verbsOf } from "../support/faulty-store.ts";
import { anySchema, testClusters, storeKinds } from "../support/test-cluster.ts";
import { proves } from "../support/proves.ts";

interface Line {
  /** The store without the first answer of this verb. */
  readonly bad: FullStore;
  readonly good: FullStore;
}
type Case = (l: Line) => Promise<void>;

const lost = async (p: unknown): Promise<void> =>
  expect(Promise.resolve(p)).rejects.toMatchObject({ page: "PAWL3002", outcome: "unknown" });
/** A verb that changes nothing answers the same when it is asked again. */
const reads =
  (ask: (s: FullStore) => unknown): Case =>
  async ({ bad, good }) => {
    await owned(good, "a");
    await good.commit([next(await rowOf(good, "a"), { events: [event(1)] })]);
    await lost(ask(bad));
    expect(await ask(bad)).toEqual(await ask(good));
  };
const consumer = { scope, name: "reader" };
const seen = { collection: "s", keys: ["k"] };
const prune = { runId: "a", stage: "expire", endedBefore: Number.MAX_SAFE_INTEGER, unlessHeld: seen, limit: 10 } as const;
const move = { runId: "a", from: "engine", to: "moved", token: "t", dueAt: null } as const;
const ended = async (s: FullStore): Promise<void> => {
  const row = await owned(s, "a");
  await s.commit([next(row, { events: [event(1)], status: "COMPLETED", release: true, due: { at: null, inMs: null } })]);
};

/** Two queued steps and a worker; the version of their queue. */
const queuedSteps = async (s: FullStore): Promise<number> => {
  await s.registerEngine({ engineId: "w", leaseMs: 60_000, serves: [], kind: "worker" });
  await queued(s, "a", [dispatch(1), dispatch(2)]);
  return queueVersion(s);
};
const claimedSteps = async (s: FullStore): Promise<{ dispatchId: number; token: string }[]> => {
  await queuedSteps(s);
  return (await claimed(s, "w")).map((d) => ({ dispatchId: d.dispatchId, token: d.token! }));
};

const cases: Readonly<Record<string, Case>> = {
  "info": reads(async (s) => (await s.info()).storeId),
  "registerEngine": async ({ bad, good }) => {
    const engine = { engineId: "e", leaseMs: 60_000, serves };
    await lost(bad.registerEngine(engine));
    await bad.registerEngine(engine);
    expect((await good.info()).engines.map((e) => [e.engineId, e.dead])).toEqual([["e", false]]);
  },
  "renew": async ({ bad, good }) => {
    await good.registerEngine({ engineId: "e", leaseMs: 60_000, serves });
    await lost(bad.renew({ engineId: "e", leaseMs: 60_000 }));
    expect(await bad.renew({ engineId: "e", leaseMs: 60_000 })).toBe("renewed");
  },
  "declareDead": async ({ bad, good }) => {
    await owned(good, "a", "e");
    await good.registerEngine({ engineId: "f", leaseMs: 60_000, serves });
    await lost(bad.declareDead({ self: "e" }));
    expect(await bad.declareDead({ self: "e" })).toEqual([]);
    expect(await good.renew({ engineId: "e", leaseMs: 1 })).toBe("dead");
    expect((await good.claim(claimQuery("f"))).map((r) => r.runId)).toEqual(["a"]);
  },
  "claim": async ({ bad, good }) => {
    await good.registerEngine({ engineId: "e", leaseMs: 60_000, serves });
    await good.commit([create("a"), create("b")]);
    await lost(bad.claim(claimQuery("e")));
    expect([...(await good.ownedRuns({ engineId: "e", limit: 9 }))].sort()).toEqual(["a", "b"]);
    expect(await bad.claim(claimQuery("e", { tokens: ["x", "y"] }))).toEqual([]);
    const row = await rowOf(good, "a");
    expect([row.owner, row.fence]).toEqual(["e", { epoch: 1, token: "e-token-0" }]);
    expect((await good.commit([next(row, { events: [event(1)] })])).answers[0]?.kind).toBe("committed");
  },
  "ownedRuns": reads((s) => s.ownedRuns({ engineId: "engine-1", limit: 9 })),
  "commit": async ({ bad, good }) => {
    const row = await owned(good, "a");
    const c = next(row, { events: [event(1)], children: [create("child")] });
    await lost(bad.commit([c]));
    expect((await bad.commit([c])).answers[0]?.kind).toBe("duplicate");
    expect((await good.events({ runId: "a", after: 0, limit: 9 })).length).toBe(1);
  },
  "transact": async ({ bad, good }) => {
    if (!good.capabilities().sql) return;
    const row = await owned(good, "a");
    const c = next(row, { events: [event(1)], commitId: "tx" });
    await lost(
      bad.transact(
        async () => 1,
        () => c,
        5_000,
      ),
    );
    expect((await rowOf(good, "a")).commitId, "the run tells what became of it").toBe("tx");
  },
  "joinTransaction": async ({ bad }) => {
    if (bad.joinTransaction === undefined) return;
    // It writes nothing by itself: what the user's own COMMIT did is the user's to find out, and the ids inside make it findable.
    await expect(bad.joinTransaction({} as never)).rejects.toMatchObject({ page: "PAWL3012", outcome: "none" });
  },
  "post": async ({ bad, good }) => {
    await owned(good, "a");
    await lost(bad.post(message("s1")));
    expect(await bad.post(message("s1"))).toMatchObject({ kind: "accepted", replayed: true });
    expect((await good.inbox({ runId: "a" })).length).toBe(1);
  },
  "inbox": reads((s) => s.inbox({ runId: "a" })),
  "run": reads((s) => s.run({ runId: "a" })),
  "runs": reads((s) => s.runs({ scope, limit: 9 })),
  "heads": reads((s) => s.heads(["a", "b"])),
  "ledgerParts": reads((s) => s.ledgerParts({ scope, runIds: ["a"] })),
  "payloadsAt": reads((s) => s.payloadsAt([{ runId: "a", runSeq: 1 }])),
  "reusedKeys": reads((s) => s.reusedKeys({ scope, keys: ["k"] })),
  "events": reads((s) => s.events({ runId: "a", after: 0, limit: 9 })),
  "views": reads((s) => s.views("a")),
  "checkpoint": reads((s) => s.checkpoint({ runId: "a" })),
  "effects": reads((s) => s.effects({ scope, limit: 9 })),
  "kv.put": async ({ bad, good }) => {
    const first = [{ collection: "s", key: "k", value: "1", expect: 0 }];
    await lost(bad.kv.put(first));
    // Its own row is what stands in the way: who expected a version reads it, and finds its own value.
    expect(await bad.kv.put(first)).toMatchObject({ kind: "conflict", rows: [{ value: "1", version: 1 }] });
    expect((await good.kv.list({ collection: "s", limit: 9 })).map((r) => r.value)).toEqual(["1"]);
  },
  "kv.get": reads((s) => s.kv.get("s", ["k"])),
  "kv.list": reads((s) => s.kv.list({ collection: "s", limit: 9 })),
  "feed.join": async ({ bad, good }) => {
    await good.commit([create("a", {}, { events: [event(1)] })]);
    await lost(bad.feed.join(consumer, "start"));
    expect(await bad.feed.join(consumer, "start")).toBe("known");
    expect((await good.feed.next({ consumer, limit: 9 })).map((r) => r.runId)).toEqual(["a"]);
  },
  "feed.leave": async ({ bad, good }) => {
    await good.feed.join(consumer, "now");
    await lost(bad.feed.leave(consumer));
    await bad.feed.leave(consumer);
    expect(await good.feed.consumers(scope)).toEqual([]);
  },
  "feed.consumers": reads((s) => s.feed.consumers(scope)),
  "feed.next": reads((s) => s.feed.next({ consumer, limit: 9 })),
  "audit.size": reads((s) => s.audit.size("")),
  "audit.runIds": reads((s) => s.audit.runIds({ after: "", limit: 9 })),
  "audit.messages": reads((s) => s.audit.messages("a")),
  "audit.checkpoints": reads((s) => s.audit.checkpoints("a")),
  "audit.repair": async ({ bad, good }) => {
    await owned(good, "a");
    const run = await rowOf(good, "a");
    const m = {
      runId: "a",
      expect: { stateVersion: run.stateVersion, epoch: run.fence.epoch, commitId: run.commitId },
      run,
      effects: { put: [], remove: [] },
      views: { put: [], remove: [] },
      consumed: [],
    };
    await lost(bad.audit.repair(m as never));
    expect(await bad.audit.repair(m as never)).toBe("repaired");
    expect(await rowOf(good, "a")).toEqual(run);
  },
  "snapshots": reads((s) => s.snapshots({ runId: "a", limit: 9 })),
  "queues.open": async ({ bad, good }) => {
    await lost(bad.queues.open(scope, ["q"]));
    expect(await bad.queues.open(scope, ["q"])).toEqual(await good.queues.list(scope));
    expect((await good.queues.list(scope)).map((q) => q.version)).toEqual([1]);
  },
  "queues.list": reads((s) => s.queues.list(scope)),
  "queues.configure": async ({ bad, good }) => {
    const paused = { by: "ops", reason: "r" };
    await lost(bad.queues.configure(scope, "q", { paused }, 0));
    expect(await bad.queues.configure(scope, "q", { paused }, 0), "by itself: who asked reads it").toBe("moved");
    expect((await good.queues.list(scope)).map((q) => q.paused?.by)).toEqual(["ops"]);
  },
  "queues.claim": async ({ bad, good }) => {
    const version = await queuedSteps(good);
    const q = { worker: "w", scope, queue: "q", version, tasks: ["t"], limit: 9, beginWithinMs: 1_000, from: null };
    await lost(bad.queues.claim({ ...q, tokens: ["x", "y"] }));
    expect(await bad.queues.claim({ ...q, tokens: ["z", "z2"] })).toMatchObject({ kind: "claimed", rows: [] });
    expect((await good.queues.rows({ scope, worker: "w", limit: 9 })).map((d) => d.token)).toEqual(["x", "y"]);
  },
  "queues.finish": async ({ bad, good }) => {
    const [one] = await claimedSteps(good);
    const end = { ...one!, end: { kind: "result", report: 1 } } as const;
    await lost(bad.queues.finish([end]));
    expect(await bad.queues.finish([end])).toEqual(["gone"]);
    expect((await good.inbox({ runId: "a" })).map((r) => r.kind)).toEqual(["result"]);
  },
  "queues.postLate": async ({ bad, good }) => {
    const [one] = await claimedSteps(good);
    const nobody = { worker: null, claimedAt: null, deadlineAt: null, beat: null };
    const told = { seq: 1, what: "run", attempt: 1, engineAttempt: 1, ...nobody, end: { kind: "late", report: 1 } } as const;
    const late = { ...told, dispatchId: one!.dispatchId };
    await lost(bad.queues.postLate("a", "step-1", late));
    expect(await bad.queues.postLate("a", "step-1", late)).toBe(true);
    expect((await good.inbox({ runId: "a" })).length).toBe(1);
  },
  "queues.beat": async ({ bad, good }) => {
    const [one] = await claimedSteps(good);
    const beat = [{ ...one!, beat: "1" }];
    await lost(bad.queues.beat("w", beat));
    expect(await bad.queues.beat("w", beat)).toEqual({ cancel: [], lost: [] });
    expect((await good.queues.rows({ scope, limit: 1 }))[0]?.beat).toBe("1");
  },
  "queues.giveBack": async ({ bad, good }) => {
    const [one] = await claimedSteps(good);
    await lost(bad.queues.giveBack([one!]));
    await bad.queues.giveBack([one!]);
    expect((await good.queues.rows({ scope, limit: 9 })).map((d) => d.worker)).toEqual([null, "w"]);
  },
  "queues.lapse": async ({ bad, good }) => {
    await claimedSteps(good);
    await good.declareDead({ self: "w" });
    await lost(bad.queues.lapse(9));
    expect(await bad.queues.lapse(9)).toEqual([]);
    expect((await good.inbox({ runId: "a" })).length).toBe(2);
  },
  "queues.rows": reads((s) => s.queues.rows({ scope, limit: 9 })),
  "queues.depth": reads((s) => s.queues.depth(scope, "q", 9)),
  "queues.sweep": async ({ bad, good }) => {
    await claimedSteps(good);
    await lost(bad.queues.sweep(9));
    expect(await bad.queues.sweep(9)).toBe(0);
    expect((await good.queues.rows({ scope, limit: 9 })).length).toBe(2);
  },
  "archive.prune": async ({ bad, good }) => {
    await ended(good);
    await lost(bad.archive.prune(prune));
    expect(["pruned", "kept"]).toContain((await bad.archive.prune(prune)).kind);
    expect((await good.events({ runId: "a", after: 0, limit: 9 }))[0]?.payload).toBe(null);
  },
  "archive.move": async ({ bad, good }) => {
    await owned(good, "a");
    await lost(bad.archive.move(move));
    expect(await bad.archive.move(move), "it is not `from` any more").toBe(undefined);
    expect(await rowOf(good, "a")).toMatchObject({ origin: "moved", fence: { token: "t" } });
  },
  "archive.copyRun": async ({ bad, good }) => {
    await ended(good);
    await lost(bad.archive.copyRun("a"));
    expect(await bad.archive.copyRun("a")).toEqual(await good.archive.copyRun("a"));
  },
  "archive.insertRun": async ({ bad, good }) => {
    await ended(good);
    const copy = (await good.archive.copyRun("a"))!;
    const other = { ...copy, run: { ...copy.run, runId: "z", workflowId: "order-z", rootRunId: "z" } };
    await lost(bad.archive.insertRun(other));
    expect(await bad.archive.insertRun(other)).toEqual({ kind: "known" });
  },
};

describe.each(testStores)("a lost answer on %s", (_, open) => {
  let b: TestStore;
  beforeEach(async () => {
    b = await open();
    b.skipVerification();
  });
  afterEach(() => b.close());

  it("every verb that the store has stands in the table", () => {
    expect(verbsOf(b.store).filter((v) => !(v in cases))).toEqual([]);
  });

  it.each(Object.keys(cases))("%s", proves("K10", "I12"), async (verb) => {
    const lose = losingAnswers(verb);
    await cases[verb]!({ bad: faultyStore(b.store, lose), good: b.store });
    const asked = verbsOf(b.store).includes(verb) && !(verb === "transact" && b.name === "memory");
    expect(lose.struck()).toBe(asked ? 1 : 0);
  });
});

it("docs/store-port.md has a row for each of them", () => {
  const page = readFileSync(new URL("../../docs/store-port.md", import.meta.url), "utf8");
  const table = page.slice(page.indexOf("## When an answer is lost"));
  expect(Object.keys(cases).filter((v) => !new RegExp(`^\\| [^|]*\`${v.replace(".", "\\.")}\`[^|]*\\|`, "m").test(table))).toEqual([]);
});

/**
 * What an engine asks while it runs and is read. At its opening `info` and `registerEngine` fail it, and say so. Of queues it asks more while
 * it has queued steps, which this workflow has not; the rest is asked by operators.
 */
const running = "claim commit declareDead events feed.join feed.next inbox kv.put ownedRuns post queues.lapse renew run transact".split(
  " ",
);
const otherwise =
  /^(audit|archive)\.|^queues\.(?!lapse)|^(snapshots|info|registerEngine|joinTransaction|runs|heads|payloadsAt|reusedKeys|ledgerParts|views|checkpoint|effects|feed\.leave|feed\.consumers|kv\.list|kv\.get)$/;
const fresh = testClusters();

describe.each(storeKinds)("an engine on %s", (kind) => {
  it("every verb that it asks is among those that are lost below", async () => {
    expect(verbsOf((await fresh(kind)).store).filter((v) => !otherwise.test(v))).toEqual(running);
  });

  it.each(running.flatMap((verb) => (["lost", "cut"] as const).map((fault) => ({ verb, fault }))))(
    "$verb is $fault: every run ends, and nothing is sent twice",
    proves("I12", "I9", "K10", "K18"),
    async ({ verb, fault }) => {
      const l = await fresh(kind);
      const lose = losingAnswers(verb, fault, 3);
      let armed = false;
      const sent: string[] = [];
      const wf = workflow({ name: "wf", signals: { go: anySchema<string>() } }, async (ctx) => {
        await ctx.step("a", (s) => void sent.push(s.key));
        if (kind === "sqlite") await ctx.tx("t", async (db) => void (await db.sql`select 1`));
        const got = await ctx.receive("go");
        await ctx.sleep("nap", "20s");
        await ctx.step("b", (s) => void sent.push(s.key));
        return got;
      });
      const bad = (s: FullStore): FullStore => faultyStore(s, (v, args) => (armed ? lose(v, args) : null));
      const e = await l.engine([wf], { wrap: bad, idle: "1s" });
      armed = true;
      const around = { platform: l.platform, scope: defaultScope, limits: checkLimits(), engine: null, retainMs: null };
      const client = localClient({ store: bad(l.store), ...around });
      const again = async <T>(ask: () => Promise<T>): Promise<T> => l.advanceUntil(ask()).catch(() => again(ask));
      await again(() => client.start({ workflow: "wf", allowUnknown: true, id: "one" }));
      await again(() => e.client.start({ workflow: "wf", allowUnknown: true, id: "two" }));
      const consumer = { scope: defaultScope, name: "r" };
      const reading = { store: bad(l.store), platform: l.platform, consumer, from: "start" as const, handle: async () => ({}) };
      const reader = await again(() => consume(reading));
      await l.platform.advance(5_000);
      for (const id of ["one", "two"]) await again(() => client.signal(id, "go", id, { signalId: "s" }));
      for (const id of ["one", "two"]) expect((await again(() => client.waitForEnd(id))).result).toBe(id);
      expect([sent.length, new Set(sent).size]).toEqual([4, 4]);
      await l.platform.advance(10_000);
      expect(await l.store.feed.next({ consumer, limit: 9 })).toEqual([]);
      await l.advanceUntil(reader.stop());
      if (verb !== "transact" || kind === "sqlite") expect(lose.struck()).toBeGreaterThan(0);
    },
  );
});
