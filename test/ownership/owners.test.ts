// Two owners of one run, in one process over two stores of one database: the fence decides, never a lock in memory, never
// who somebody is. The loser hears the same every time, changes nothing, and none of its code goes on.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { defaultScope } from "../../src/client/environment.ts";
import { runTable } from "../../src/core/contract.ts";
import { dag, workflow } from "../../src/index.ts";
import { foldLog } from "../../src/events/fold.ts";
import type { FullStore } from "../../src/store/full-store.ts";
import type { Commit, CommitAnswer } from "../../src/store/port.ts";
import { testStores, type TestStore } from "../support/test-store.ts";
import { proves } from "../support/proves.ts";

interface Deaf {
  readonly store: FullStore;
  readonly sent: { readonly commit: Commit; readonly answer: CommitAnswer }[];
}
/** A store whose engine hears no bad news of its lease: it learns what became of it from its Commits alone. */
function deaf(real: FullStore): Deaf {
  const sent: Deaf["sent"] = [];
  return {
    sent,
    store: {
      ...real,
      renew: async () => "renewed",
      async commit(batch) {
        const { answers } = await real.commit(batch);
        batch.forEach((commit, i) => sent.push({ commit, answer: answers[i]! }));
        return { answers, renewal: null };
      },
    },
  };
}

describe.each(testStores)("owners on %s", (_, open) => {
  let b: TestStore;
  beforeEach(async () => {
    b = await open();
  });
  afterEach(() => b.close());
  const snapshot = async (runId: string): Promise<unknown> => ({
    row: await b.store.run({ runId }),
    events: await b.store.events({ runId, after: 0, limit: 1_000 }),
    inbox: await b.store.inbox({ runId, all: true }),
    views: await b.store.views(runId),
  });

  it(
    "of two owners over one checkpoint one commits, the other is refused, always, and changes nothing",
    proves("W-106", "W-109", "W-119", "C13", "C14", "I3", "I4", "AX-35", "AX-36"),
    async () => {
      const gates: (() => void)[] = [];
      const fences: string[] = [];
      const seen: string[] = [];
      const pay = workflow({ name: "pay", views: { at: z.string() } }, async (ctx) => {
        try {
          const by = await ctx.step("charge", async (s) => {
            fences.push(s.fence);
            await new Promise<void>((resolve) => gates.push(resolve));
            return s.fence;
          });
          ctx.publish("at", by);
          await ctx.step("after", (s) => void seen.push(`after ${s.fence}`));
          return by;
        } finally {
          seen.push("finally");
        }
      });
      const old = deaf(await b.reopen());
      const first = await b.engine({ store: old.store, workflows: [pay] });
      const h = await first.engine.start(pay, undefined, { id: "p" });
      await expect.poll(() => gates.length, { timeout: 20_000 }).toBe(1);
      await b.store.declareDead({ self: first.core.engineId });

      const second = await b.engine({ store: await b.reopen(), workflows: [pay] });
      await expect.poll(() => gates.length, { timeout: 20_000 }).toBe(2);
      gates[1]!();
      expect(await second.client.waitForEnd("p")).toMatchObject({ status: "COMPLETED", result: "2" });
      const before = await snapshot(h.runId);
      gates[0]!();
      expect(await h.result(), "the loser answers with what the owner recorded").toBe("2");
      await expect.poll(() => old.sent.at(-1)?.answer, { timeout: 20_000 }).toEqual({ kind: "fenced" });
      const { commit } = old.sent.at(-1)!;
      expect(commit.events.map((e) => e.eventType)).toContain("StepCompleted");
      // The same Commit, asked again, by whomever: the same answer, and nothing changed (I3).
      for (const s of [b.store, old.store]) expect((await s.commit([commit])).answers).toEqual([{ kind: "fenced" }]);
      expect(await snapshot(h.runId)).toEqual(before);
      expect(fences).toEqual(["1", "2"]);
      expect(seen, "one owner's code ended, the other's never went on").toEqual(["after 2", "finally"]);
      expect(first.core.isLive(h.runId)).toBe(false);
    },
  );

  it(
    "two owners finalise one run: one end is written; the other's changes nothing, is no error, and both callers hear the same",
    proves("T-52", "T-53", "C12", "TX-17"),
    async () => {
      const gates: (() => void)[] = [];
      const last = dag({ name: "last" }, (t) =>
        t.task("only", {}, async () => {
          await new Promise<void>((resolve) => gates.push(resolve));
          return "done";
        }),
      );
      const old = deaf(await b.reopen());
      const first = await b.engine({ store: old.store, workflows: [last] });
      const h = await first.engine.start(last, undefined, { id: "l" });
      await expect.poll(() => gates.length, { timeout: 20_000 }).toBe(1);
      await b.store.declareDead({ self: first.core.engineId });
      const second = await b.engine({ store: await b.reopen(), workflows: [last] });
      await expect.poll(() => gates.length, { timeout: 20_000 }).toBe(2);
      for (const open of gates) open();

      expect([await h.result(), (await second.client.waitForEnd("l")).result]).toEqual(["done", "done"]);
      const ends = (): readonly (readonly [string, boolean])[] =>
        old.sent.filter((s) => s.answer.kind !== "committed").map((s) => [s.answer.kind, s.commit.status === "COMPLETED"] as const);
      await expect.poll(ends, { timeout: 20_000 }).toEqual([["fenced", true]]);
      const log = await b.store.events({ runId: h.runId, after: 0, limit: 100 });
      expect(log.filter((e) => e.eventType === "RunCompleted").map((e) => e.payload)).toEqual([
        expect.stringContaining(second.core.engineId) as string,
      ]);
      for (const client of [first.client, second.client])
        expect(await client.evaluate("l")).toMatchObject({ status: "all-complete", final: true, alreadyFinal: true });
    },
  );

  it(
    "every transition of a run carries from where, to where, by which engine and when; whose it was before gates nothing",
    proves("T-97"),
    async () => {
      const order = workflow({ name: "order", signals: { paid: z.number() } }, async (ctx) => {
        const cents = await ctx.receive("paid");
        return ctx.call(child, cents);
      });
      const child = workflow({ name: "child", input: z.number() }, async (ctx, n) => ctx.step("double", () => n * 2));
      const workflows = [order, child];
      const client = b.client();
      const { runId } = await client.start({ workflow: "order", allowUnknown: true, id: "o" });
      const first = await b.engine({ store: await b.reopen(), workflows });
      await expect.poll(async () => (await client.get("o"))?.waiting, { timeout: 20_000 }).toBe("signal");
      await client.control("o", "pause", { reason: "lunch" });
      await expect.poll(async () => (await client.get("o"))?.status, { timeout: 20_000 }).toBe("PAUSED");
      const one = first.core.engineId;
      await first.engine.stop();

      const second = await b.engine({ store: await b.reopen(), workflows });
      const two = second.core.engineId;
      await client.control("o", "resume");
      await client.signal("o", "paid", 4);
      expect(await client.waitForEnd("o")).toMatchObject({ status: "COMPLETED", result: 8 });

      const events = await b.store.events({ runId, after: 0, limit: 100 });
      const moves = events.filter((e) => e.eventType in runTable);
      expect(
        moves.map((e, n) => {
          const { from, engine } = JSON.parse(e.payload ?? "{}") as Record<string, string>;
          return [e.eventType, from, foldLog(moves.slice(0, n + 1)).status, engine];
        }),
      ).toEqual([
        ["RunQueued", undefined, "PENDING", undefined], // made by a client: no engine moved it
        ["RunStarted", "PENDING", "RUNNING", one],
        ["RunPaused", "RUNNING", "PAUSED", one],
        ["RunResumed", "PAUSED", "RUNNING", two],
        ["RunCompleted", "RUNNING", "COMPLETED", two],
      ]);
      for (const e of moves) expect([e.runSeq > 0, e.emittedAt > 0, e.persistedAt > 0]).toEqual([true, true, true]);
      const called = (await b.store.runs({ scope: defaultScope, parentRunId: runId, limit: 9 })).runs[0]!;
      const [queued] = await b.store.events({ runId: called.runId, after: 0, limit: 1 });
      expect(JSON.parse(queued!.payload!)).toMatchObject({ engine: two });
      expect(one).not.toBe(two);
    },
  );

  it("engines that start together on many runs claim each run once", proves("I4", "K1"), async () => {
    const ran = new Map<string, string[]>();
    const small = workflow({ name: "small", input: z.number() }, async (ctx, n) =>
      ctx.step("work", (s) => {
        ran.set(ctx.run.workflowId, [...(ran.get(ctx.run.workflowId) ?? []), s.fence]);
        return n;
      }),
    );
    const client = b.client();
    const ids = Array.from({ length: 30 }, (_unused, i) => `r${i}`);
    for (const [i, id] of ids.entries()) await client.start({ workflow: "small", allowUnknown: true, input: i, id });
    await Promise.all(Array.from({ length: 4 }, async () => b.engine({ store: await b.reopen(), workflows: [small] })));
    for (const [i, id] of ids.entries()) expect(await client.waitForEnd(id)).toMatchObject({ status: "COMPLETED", result: i });
    expect([...ran.keys()].toSorted()).toEqual(ids.toSorted());
    expect([...ran.values()].every((fences) => fences.join() === "1")).toBe(true);
  });

  it("a fence of the right epoch and another token writes nothing", proves("K4"), async () => {
    b.skipVerification();
    const client = b.client();
    const { runId } = await client.start({ workflow: "small", allowUnknown: true, input: 1, id: "x" });
    await b.store.registerEngine({ engineId: "e", leaseMs: 60_000, serves: [{ workflow: "small", version: "1" }] });
    const [row] = await b.store.claim({
      engineId: "e",
      scope: { tenantId: "default", projectId: "default", environmentId: "default" },
      serves: [{ workflow: "small", version: "1" }],
      control: false,
      limit: 1,
      tokens: ["right"],
    });
    const base = {
      runId,
      events: [],
      status: "RUNNING",
      waiting: null,
      due: { at: 0, inMs: null },
      release: false,
      notBefore: null,
      taken: [],
      consumed: [],
      replies: [],
      views: [{ name: "v", value: "1" }],
      children: [],
      notices: [],
      moveInboxTo: null,
    } as const;
    const before = await snapshot(runId);
    const expectation = { fence: { epoch: row!.fence.epoch, token: "wrong" }, stateVersion: row!.stateVersion };
    expect((await b.store.commit([{ ...base, commitId: "c1", expect: expectation }])).answers).toEqual([{ kind: "fenced" }]);
    expect(
      (
        await b.store.commit([
          { ...base, commitId: "c2", expect: { ...expectation, fence: { ...row!.fence, epoch: row!.fence.epoch + 1 } } },
        ])
      ).answers,
    ).toEqual([{ kind: "fenced" }]);
    expect(await snapshot(runId)).toEqual(before);
    expect((await b.store.commit([{ ...base, commitId: "c3", expect: { ...expectation, fence: row!.fence } }])).answers).toMatchObject([
      { kind: "committed" },
    ]);
  });
});
