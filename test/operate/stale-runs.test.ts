// What a DAG says of runs that stand still: its own times for signals, workers, retries and steps at work, and `then: "fail"`. Guards that a run which is past
// its time gets a record first and then fails as any run does, once, whoever dies in between; that a run which continues by itself is left alone; and
// that what a person has stopped or is asked about stays theirs.
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defaultScope } from "../../src/client/environment.ts";
import { StaleSweep } from "../../src/client/investigations/stale-sweep.ts";
import { SharedParts } from "../../src/client/shared-parts.ts";
import { checkLimits } from "../../src/core/limits.ts";
import { dag, dagFromTemplate, Fatal, remoteTask, type Staleness } from "../../src/index.ts";
import type { FullStore } from "../../src/store/full-store.ts";
import { passTime } from "../schedules/pass-time.ts";
import { proves } from "../support/proves.ts";
import { deferred, payloadOf, storeKinds, testClusters, type TestCluster } from "../support/test-cluster.ts";
import { testStores } from "../support/test-store.ts";

const fresh = testClusters();
const minute = 60_000;
const pack = remoteTask({ name: "pack", input: z.number(), output: z.number(), queue: "packing" });
const approved = { name: "approved", payload: z.string() };

async function pass(l: TestCluster, minutes: number): Promise<void> {
  for (let i = 0; i < minutes; i++) await passTime(l.platform, minute);
}

/** It pays, then waits for a worker that never comes; what was paid is paid back if it fails. */
const order = (undone: string[], stale: Staleness) =>
  dag({ name: "order", version: "1", stale }, (t) => {
    const paid = t.task("pay", {}, () => 5, { repeatable: true, compensate: () => void undone.push("pay") });
    return t.do("pack", { paid }, pack, ({ paid }) => paid);
  });

describe.each(storeKinds)("%s", (kind) => {
  it(
    "a run that is past its time gets a record, fails, and undoes what it did; nothing is sent again",
    proves("TX-14", "TX-13"),
    async () => {
      const l = await fresh(kind);
      const undone: string[] = [];
      const wf = order(undone, { waitingForDependencies: "10m", then: "fail" });
      const { engine, client } = await l.engine([wf], { queues: {}, lease: "3s" });
      const h = await engine.start(wf, undefined, { id: "o-1" });
      await pass(l, 9);
      expect(await client.investigations.list()).toEqual([]);
      await pass(l, 8);
      const [found, ...more] = await client.investigations.list({ open: true });
      expect(more).toEqual([]);
      expect(found).toMatchObject({ runId: h.runId, why: "no-worker", notes: [{ by: "pawl", reason: expect.stringMatching(/fail$/) }] });
      expect(await client.get("o-1")).toMatchObject({ status: "FAILED" });
      expect(undone).toEqual(["pay"]);
      const error = await h.result().catch((e: unknown) => e);
      expect(error).toMatchObject({
        code: "PAWL1013",
        cause: {
          code: "PAWL1037",
          message: expect.stringMatching(/^stale: pack has waited 1\d m on queue packing, and no worker can do pack$/),
        },
      });
      const log = await l.log(h.runId);
      expect(payloadOf(log.at(-1))).toMatchObject({ category: "STALE" });
      expect(log.filter((e) => e.eventType === "StepStarted" && e.stepId === "pack")).toHaveLength(1);
      expect(await l.store.queues.rows({ scope: defaultScope, limit: 10 })).toEqual([]);
      await pass(l, 12);
      expect(await client.investigations.list()).toHaveLength(1);
    },
  );

  it(
    "a process that dies between the record and the order to fail: the next one finds the record and fails the run, once",
    proves("TX-14"),
    async () => {
      const l = await fresh(kind);
      const wf = order([], { waitingForDependencies: "10m", then: "fail" });
      let dies = true;
      const first = await l.engine([wf], {
        queues: {},
        lease: "3s",
        wrap: (s: FullStore): FullStore => ({
          ...s,
          post: async (m) => {
            if (m.name === "fail" && dies) return new Promise(() => first.kill());
            return s.post(m);
          },
        }),
      });
      await first.engine.start(wf, undefined, { id: "o-1" });
      await pass(l, 17);
      expect(first.alive).toBe(false);
      dies = false;
      const { client } = await l.engine([wf], { queues: {}, lease: "3s" });
      await l.platform.advance(5_000);
      expect(await client.investigations.list({ open: true })).toHaveLength(1);
      expect(await client.get("o-1")).toMatchObject({ status: "RUNNING" });
      await pass(l, 8);
      expect(await client.get("o-1")).toMatchObject({ status: "FAILED" });
      expect(await client.investigations.list()).toHaveLength(1);
    },
  );
});

describe("a run that moves while somebody looks at it", () => {
  it("is not failed for where it stood before", proves("TX-14"), async () => {
    const l = await fresh();
    const wf = dag({ name: "order", version: "1", stale: { waitingForDependencies: "10m", then: "fail" } }, (t) => {
      const word = t.receive("word", {}, approved);
      return t.sleep("rest", { word }, "5h");
    });
    let moves = async (): Promise<void> => {};
    const wrap = (s: FullStore): FullStore => ({
      ...s,
      post: async (m) => {
        if (m.name === "fail") await moves();
        return s.post(m);
      },
    });
    const { engine, client } = await l.engine([wf], { queues: {}, lease: "3s", wrap });
    const h = await engine.start(wf, undefined, { id: "o-1" });
    let moved = 0;
    moves = async () => {
      moved++;
      await client.signal("o-1", "approved", "yes");
      while (!(await l.lines(h.runId)).includes("StepStarted rest")) await new Promise((again) => setImmediate(again));
    };
    await pass(l, 17);
    expect(moved).toBe(1);
    expect(await client.get("o-1")).toMatchObject({ status: "RUNNING", waiting: "timer" });
  });

  it("a run that cannot be looked at hides none of the others", async () => {
    const l = await fresh();
    const wf = order([], { waitingForDependencies: "10m" });
    let broken = "";
    const wrap = (s: FullStore): FullStore => ({
      ...s,
      queues: { ...s.queues, rows: async (q) => (q.runId === broken ? Promise.reject(new Error("damaged")) : s.queues.rows(q)) },
    });
    const { engine, client } = await l.engine([wf], { queues: {}, lease: "3s", wrap });
    const { runId } = await engine.start(wf, undefined, { id: "o-1" });
    await l.platform.advance(10);
    broken = (await engine.start(wf, undefined, { id: "o-2" })).runId;
    await pass(l, 17);
    expect((await client.investigations.list()).map((i) => i.runId)).toEqual([runId]);
  });
});

describe("staleness of a DAG", () => {
  it("a signal without a time limit counts; a sleep and a limited wait do not: they end by themselves", proves("TX-14"), async () => {
    const l = await fresh();
    const waits = (name: string, o: { sleep?: true; timeout?: "5h" }) =>
      dag({ name, stale: { waitingForDependencies: "2h" } }, (t) => {
        const asked = t.task("ask", {}, () => 1);
        const word =
          o.sleep === true
            ? t.sleep("nap", { asked }, "5h")
            : t.receive("word", { asked }, approved, o.timeout === undefined ? {} : { timeout: o.timeout });
        return t.task("act", { word }, () => 1);
      });
    const all = [waits("unlimited", {}), waits("limited", { timeout: "5h" }), waits("sleeps", { sleep: true })];
    const { engine, client } = await l.engine(all, { lease: "3s" });
    for (const wf of all) await engine.start(wf, undefined, { id: wf.name });
    const { runId } = (await client.get("unlimited"))!;
    for (let h = 0; h < 2; h++) await pass(l, 58);
    expect(await client.investigations.list()).toEqual([]);
    await pass(l, 12);
    expect(await client.investigations.list()).toMatchObject([
      { runId, why: "stale", notes: [{ reason: expect.stringMatching(/^word has waited 2 h for signal approved$/) }] },
    ]);
    expect(await client.get("unlimited")).toMatchObject({ status: "RUNNING" });
  });

  it("a step at work in its owner: beyond its own time limit, by what the DAG says", proves("TX-14"), async () => {
    const l = await fresh();
    const never = deferred<number>();
    const works = (name: string, o: { timeout?: "3h" }) =>
      dag({ name, stale: { inProcess: "15m" } }, (t) => t.task("dig", {}, () => never.promise, { repeatable: true, ...o }));
    const short = works("short", {});
    const long = works("long", { timeout: "3h" });
    const { engine, client } = await l.engine([short, long], { lease: "3s" });
    await engine.start(short, undefined, { id: "short" });
    await engine.start(long, undefined, { id: "long" });
    await pass(l, 14);
    expect(await client.investigations.list()).toEqual([]);
    await pass(l, 8);
    const { runId } = (await client.get("short"))!;
    expect(await client.investigations.list()).toMatchObject([
      { runId, why: "stale", notes: [{ reason: expect.stringMatching(/^dig has been at work for (1|2)\d m$/) }] },
    ]);
    never.open(1);
  });

  it("a paused run is left to who paused it, and fails once it is resumed; a held step is left to a person", async () => {
    const l = await fresh();
    const wf = order([], { waitingForDependencies: "10m", then: "fail" });
    const held = dag({ name: "held", onFailure: "hold", stale: { waitingForDependencies: "10m", then: "fail" } }, (t) =>
      t.task("a", {}, () => {
        throw new Fatal("no");
      }),
    );
    const { engine, client } = await l.engine([wf, held], { queues: {}, lease: "3s" });
    await engine.start(wf, undefined, { id: "o-1" });
    await engine.start(held, undefined, { id: "h-1" });
    await l.platform.advance(2_000);
    await l.advanceUntil(client.control("o-1", "pause", { reason: "I look at it" }));
    await pass(l, 40);
    expect(await client.get("o-1")).toMatchObject({ status: "PAUSED" });
    expect(await client.get("h-1")).toMatchObject({ status: "RUNNING", waiting: "decision" });
    expect((await client.investigations.list()).map((i) => i.why)).toEqual(["attempts-exhausted"]);
    await l.advanceUntil(client.control("o-1", "resume", { reason: "done" }));
    await pass(l, 8);
    expect(await client.get("o-1")).toMatchObject({ status: "FAILED" });
  });
});

describe.each(testStores)("on %s", { timeout: 60_000 }, (_, open) => {
  it("found, recorded, and failed by the run's owner", proves("TX-14"), async () => {
    const t = await open();
    const { store, platform } = t;
    const parts = new SharedParts({ store, platform, scope: defaultScope });
    try {
      const wf = dagFromTemplate({
        namespace: "shop",
        name: "order",
        version: "1",
        stale: { waitingForDependencies: "20ms", then: "fail" },
        steps: [{ name: "pack", handler: "pack", queue: "packing" }],
      });
      const { engine, client } = await t.engine({ workflows: [wf], queues: {} });
      const h = await engine.start(wf, {}, { id: "o-1" });
      const context = { store, platform, scope: defaultScope, limits: checkLimits(), engine: null, retainMs: null, parts };
      const sweep = new StaleSweep(context, () => {});
      while ((await sweep.pass()) === 0) await new Promise((again) => setTimeout(again, 10));
      const error = await h.result().catch((e: unknown) => e);
      expect(error).toMatchObject({ code: "PAWL1013", cause: { code: "PAWL1037" } });
      expect(await client.investigations.list()).toMatchObject([{ runId: h.runId, why: "no-worker" }]);
      expect(await sweep.pass()).toBe(0);
    } finally {
      await parts.close();
      await t.close();
    }
  });
});
