// What operators see and do about queues and steps, on the virtual clock: why a step waits, pausing a queue, limits, acts on a held step, records of
// what somebody should look at and the sweep that opens them. Guards that a word and its sentence say what the store knows, and no more.
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defaultScope } from "../../src/client/environment.ts";
import { dag } from "../../src/dag/builder.ts";
import { remoteTask, task, workflow } from "../../src/workflow/define.ts";
import { deferred, storeKinds, testClusters } from "../support/test-cluster.ts";
import { passTime } from "../schedules/pass-time.ts";
import { proves } from "../support/proves.ts";

const fresh = testClusters();
let n = 0;
const unique = (name: string): string => `${name}-${++n}`;
const ann = { by: "ann", reason: "the bank is down" };
const minute = 60_000;

function charging(fn: () => unknown = () => 1) {
  const name = unique("charge");
  const charge = task({ name, input: z.number() }, fn as () => number, { queue: "payments" });
  const order = workflow({ name: unique("order"), input: z.number() }, async (ctx, i) => ctx.do(charge, i));
  return { charge, order, name };
}

describe.each(storeKinds)("why, on %s", (kind) => {
  it("says of a queued step who is before it, how many run, who is missing and who paused", async () => {
    const l = await fresh(kind);
    const gate = deferred();
    const { charge, order, name } = charging(() => gate.promise);
    const a = await l.engine([order], { queues: {}, lease: "3s" });
    for (let i = 1; i <= 3; i++) await a.engine.start(order, i, { id: `o-${i}` });
    await l.platform.advance(4 * minute);
    const why = async (run: string): Promise<string> => {
      const [w] = await a.client.why(run);
      return `${w!.readiness}: ${w!.sentence}`;
    };
    expect(await why("o-1")).toBe(`queued: ${name} waits 4 m: no worker serves queue payments`);
    expect((await a.client.get("o-1"))!.because).toMatchObject({
      code: "worker",
      text: `${name} waits 4 m: no worker serves queue payments.`,
      fix: "pawl why o-1; pawl queues",
    });
    await a.client.queues.set("payments", { concurrency: 1 }, { by: "ann", reason: "the bank's limit" });
    await l.worker({ tasks: [charge], queues: { payments: {} } });
    await l.platform.advance(1_500);
    expect(await why("o-1")).toMatch(new RegExp(`^running: ${name} runs for \\d+ s on worker \\S+, which is alive$`));
    expect(await why("o-3")).toBe(`queued: ${name} waits 4 m: queue payments has 1 of 1 running, 1 before it`);
    expect((await a.client.why("o-3", name))[0]).toMatchObject({ facts: { queue: "payments", before: 1, claimed: 1, limit: 1, able: 1 } });
    expect((await a.client.get("o-3"))!.because.text).toBe(`${name} waits 4 m: queue payments has 1 of 1 running, 1 before it.`);
    const [view] = await a.client.queues.list();
    expect(view).toMatchObject({ name: "payments", ready: 2, claimed: 1, concurrency: 1, workers: 1, unserved: [], health: "healthy" });
    const paused = a.client.queues.pause("payments", ann);
    await l.advanceUntil(paused);
    expect(await why("o-3")).toBe(`queued: ${name} waits 4 m: queue payments is paused by ann: the bank is down`);
    gate.open();
    await l.platform.advance(2_000);
    expect((await a.client.why("o-1"))[0]).toMatchObject({ readiness: "succeeded" });
    expect((await l.store.queues.rows({ scope: defaultScope, queue: "payments", limit: 10 })).every((r) => r.worker === null)).toBe(true);
    await a.client.queues.resume("payments", { by: "ann", reason: "back" });
    await l.advanceUntil(a.client.waitForEnd("o-3"));
    await expect(a.client.why("o-1", "nothing")).rejects.toMatchObject({ page: "PAWL4132" });
  });
});

describe("why, on a queue with a rate or more than a thousand steps", () => {
  it("says how many may start in which time", async () => {
    const l = await fresh();
    const { charge, order, name } = charging();
    const a = await l.engine([order], { queues: {}, lease: "3s" });
    await a.client.queues.set("payments", { rate: { limit: 1, per: "10m" } }, ann);
    await l.worker({ tasks: [charge], queues: { payments: {} } });
    for (let i = 1; i <= 2; i++) await a.engine.start(order, i, { id: `o-${i}` });
    await l.platform.advance(4 * minute);
    const [w] = await a.client.why("o-2");
    expect(w!.sentence).toBe(`${name} waits 4 m: queue payments has 0 running, may start 1 in 10 m, 0 before it`);
    expect(w!.facts).toMatchObject({ rateLimit: 1, ratePerMs: 600_000 });
  });

  it("counts what runs although it came last, and says that it has not counted all who wait", async () => {
    const l = await fresh();
    const gate = deferred();
    const { charge, order, name } = charging(() => gate.promise);
    const crowd = dag({ name: unique("crowd") }, (t) => {
      const items = t.task("items", {}, () => Array.from({ length: 1_000 }, (_, i) => i));
      return t.each("item", items, charge, { id: String, input: (i) => i });
    });
    const a = await l.engine([order, crowd], { queues: {}, lease: "3s" });
    await a.engine.start(crowd, undefined as never, { id: "crowd" });
    await l.platform.advance(3_000);
    await a.engine.start(order, 1, { id: "first", priority: 9 });
    await a.engine.start(order, 2, { id: "last", priority: -9 });
    await l.platform.advance(1_000);
    await a.client.queues.set("payments", { concurrency: 1 }, ann);
    await l.worker({ tasks: [charge], queues: { payments: { concurrency: 1 } } });
    await l.platform.advance(1_500);
    expect((await a.client.why("first"))[0]!.readiness).toBe("running");
    expect((await a.client.why("last"))[0]!.sentence).toMatch(
      new RegExp(`^${name} waits \\d+ s: queue payments has 1 of 1 running, at least 1000 before it$`),
    );
  });
});

describe("queues and workers", () => {
  it("a queue that nobody knows is not paused: the answer names close ones, and nothing is made; set makes one ahead of time", async () => {
    const l = await fresh();
    const { order, charge } = charging();
    const a = await l.engine([order], { queues: {}, lease: "3s" });
    const { queues } = a.client;
    await expect(queues.pause("payments", ann)).rejects.toMatchObject({ page: "PAWL4131", message: expect.not.stringContaining("mean") });
    // A step that waits is enough, and so is a process that serves it.
    await a.engine.start(order, 1, { id: "o-1" });
    await l.platform.advance(1_000);
    await l.advanceUntil(queues.pause("payments", ann));
    await queues.resume("payments", ann);
    await l.worker({ tasks: [charge], queues: { refunds: {} } });
    await l.advanceUntil(queues.pause("refunds", ann));
    await expect(queues.pause("paymnets", ann)).rejects.toMatchObject({
      page: "PAWL4131",
      message: expect.stringContaining("there is no queue paymnets; did you mean payments?"),
      data: { queue: "paymnets", close: "payments" },
    });
    await expect(queues.resume("refund", ann)).rejects.toMatchObject({ page: "PAWL4131", data: { close: "refunds" } });
    expect((await queues.list()).map((q) => q.name)).toEqual(["payments", "refunds"]);
    await queues.set("later", { concurrency: 2 }, ann);
    expect(await l.advanceUntil(queues.pause("later", ann))).toMatchObject({ name: "later", concurrency: 2, paused: { by: "ann" } });
  });
  it("an order without a reason or a name is refused, and a change of an old version too", proves("TX-15"), async () => {
    const l = await fresh();
    const { order } = charging();
    const a = await l.engine([order], { queues: {}, lease: "3s" });
    const { queues } = a.client;
    await expect(queues.set("payments", {}, { by: "ann", reason: " " })).rejects.toMatchObject({ page: "PAWL4090" });
    await expect(queues.set("payments", {}, { reason: "x" })).rejects.toMatchObject({ page: "PAWL4011" });
    await expect(queues.set("payments", { concurrency: 0 }, ann)).rejects.toMatchObject({ page: "PAWL4011" });
    await expect(queues.set("payments", { depth: 1 } as never, ann)).rejects.toMatchObject({ page: "PAWL5001" });
    await expect(queues.resume("nobody", ann)).rejects.toMatchObject({ page: "PAWL4131" });
    const { version } = await queues.set("payments", { rate: { limit: 100, per: "1m" } }, ann);
    await queues.set("payments", { concurrency: 8 }, { ...ann, ifVersion: version });
    await expect(queues.set("payments", { concurrency: 9 }, { ...ann, ifVersion: version })).rejects.toMatchObject({ page: "PAWL4083" });
    expect((await queues.set("payments", { rate: null }, ann)).rate).toBeNull();
    expect((await queues.list())[0]).toMatchObject({ concurrency: 8, rate: null, version: version + 2 });
  });

  it("workers are listed with what they can do, and a task that nobody can do is named", async () => {
    const l = await fresh();
    const { charge, order, name } = charging();
    const other = remoteTask({ name: unique("print"), input: z.number(), output: z.number(), queue: "payments" });
    const prints = workflow({ name: unique("prints"), input: z.number() }, async (ctx, i) => ctx.do(other, i));
    const a = await l.engine([order, prints], { queues: {}, lease: "3s" });
    const { worker } = await l.worker({ tasks: [charge], queues: { payments: {} }, labels: { zone: "a" } });
    await a.engine.start(prints, 1, { id: "p" });
    await l.platform.advance(1_500);
    expect(await a.client.queues.workers()).toMatchObject([
      {
        workerId: worker.workerId,
        kind: "worker",
        lang: "typescript",
        alive: true,
        queues: ["payments"],
        works: [name],
        labels: { zone: "a" },
        running: 0,
      },
    ]);
    expect((await a.client.queues.list())[0]?.unserved).toEqual([other.name]);
    expect((await a.client.why("p"))[0]?.sentence).toMatch(/^print-\d+ waits \d+ s: no worker of queue payments can do print-\d+$/);
  });
});

describe("steps of a plan", () => {
  it("each has one of fourteen words; a person's act is recorded and the run continues", proves("TX-15"), async () => {
    const l = await fresh();
    let broken = true;
    const gate = deferred<number>();
    const wf = dag({ name: unique("plan"), onFailure: "hold" }, (t) => {
      t.task("slow", {}, () => gate.promise);
      const a = t.task("a", {}, () => 1);
      const b = t.task("b", { a }, () => {
        if (broken) throw new Error("no stock");
        return 2;
      });
      const c = t.task("c", { b }, () => 3);
      return t.task("d", { c, a }, () => 4);
    });
    const e = await l.engine([wf], { lease: "3s" });
    await e.engine.start(wf, undefined as never, { id: "p" });
    await l.platform.advance(2_000);
    const words = async (): Promise<Record<string, string>> =>
      Object.fromEntries((await e.client.why("p")).map((w) => [w.stepId, w.readiness]));
    expect(await words()).toEqual({
      slow: "running",
      a: "succeeded",
      b: "waiting-for-decision",
      c: "waiting-for-dependencies",
      d: "waiting-for-dependencies",
    });
    expect((await e.client.why("p", "b"))[0]?.sentence).toBe("b failed for good and waits for a person (pawl decisions): no stock");
    expect((await e.client.why("p", "d"))[0]?.sentence).toBe("d waits for c");
    expect(await e.client.evaluate("p")).toMatchObject({
      counts: { "waiting-for-decision": 1, running: 1 },
      final: false,
      alreadyFinal: false,
    });
    await expect(e.client.act("p", "c", { do: "retry" }, ann)).rejects.toMatchObject({ page: "PAWL4010" });
    await expect(e.client.act("p", "b", { do: "dance" } as never, ann)).rejects.toMatchObject({ page: "PAWL4011" });
    broken = false;
    gate.open(1);
    await l.advanceUntil(e.client.act("p", "b", { do: "retry" }, ann));
    expect((await l.advanceUntil(e.client.waitForEnd("p"))).status).toBe("COMPLETED");
    const answered = (await e.client.events("p", { limit: 100 })).find((x) => x.eventType === "pawl.DecisionAnswered");
    expect(answered?.payload).toMatchObject({ by: "ann", reason: "the bank is down" });
    expect(await e.client.evaluate("p")).toMatchObject({ final: true, alreadyFinal: true });
  });
});

describe("investigations", () => {
  it("one is open at a time, with a snapshot and its history; closing one changes nothing of its run", proves("TX-13"), async () => {
    const l = await fresh();
    const { order } = charging();
    const a = await l.engine([order], { queues: {}, lease: "3s" });
    await a.engine.start(order, 1, { id: "o" });
    await l.platform.advance(1_000);
    const { investigations } = a.client;
    const head = (await a.client.get("o"))?.headSeq;
    const opened = await investigations.open("o", ann);
    expect(opened).toMatchObject({ n: 1, why: "by-hand", notes: [ann], snapshot: { status: "RUNNING", steps: [{ readiness: "queued" }] } });
    await expect(investigations.open("o", ann)).rejects.toMatchObject({ page: "PAWL4010" });
    await investigations.note("o", { by: "bob", reason: "called them" });
    await expect(investigations.close("o", "gone" as never, ann)).rejects.toMatchObject({ page: "PAWL4011" });
    const closed = await investigations.close("o", "resolved", { by: "bob", reason: "paid by hand" });
    expect(closed).toMatchObject({ notes: [ann, { by: "bob" }], closed: { as: "resolved", by: "bob", reason: "paid by hand" } });
    await expect(investigations.note("o", ann)).rejects.toMatchObject({ page: "PAWL4132" });
    expect(await investigations.open("o", ann)).toMatchObject({ n: 2 });
    expect((await investigations.list({ open: true })).map((i) => i.n)).toEqual([2]);
    expect((await investigations.list({ run: "o" })).map((i) => i.n)).toEqual([1, 2]);
    const run = await a.client.get("o");
    expect([run?.status, run?.headSeq]).toEqual(["RUNNING", head]); // never a requeue
    expect(await l.store.queues.rows({ scope: defaultScope, runId: run!.runId, limit: 10 })).toHaveLength(1);
  });

  it("a sweep every five minutes opens one for a step that nobody has taken for an hour, and none before", async () => {
    const l = await fresh();
    const { order, name } = charging();
    const a = await l.engine([order], { queues: {}, lease: "3s" });
    const b = await l.engine([order], { queues: {}, lease: "3s" });
    await a.engine.start(order, 1, { id: "o" });
    const pass = async (ms: number): Promise<void> => {
      for (let left = ms; left > 0; left -= minute) await passTime(l.platform, Math.min(minute, left));
    };
    await pass(59 * minute);
    expect(await a.client.investigations.list()).toEqual([]);
    await pass(12 * minute);
    const [found, ...more] = await b.client.investigations.list({ open: true });
    expect(more).toEqual([]);
    expect(found).toMatchObject({
      why: "no-worker",
      notes: [{ by: "pawl", reason: expect.stringContaining(`${name} has waited 1 h on queue payments`) }],
    });
    await pass(11 * minute);
    expect(await a.client.investigations.list()).toHaveLength(1);
    expect((await a.client.queues.list())[0]?.health).toBe("stale");
  });
});
