// Schedules on a virtual clock: what fires, what is skipped, missed or refused, and what people may ask of a schedule. Guards that a due time is
// fired once and never early. It must never wait for real time.
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { schedule, workflow } from "../../src/index.ts";
import type { FullStore } from "../../src/store/full-store.ts";
import type { ScheduleView } from "../../src/schedule/types.ts";
import { passTime } from "./pass-time.ts";
import { deferred, testClusters, type ClusterEngine, type TestCluster } from "../support/test-cluster.ts";

const open = testClusters();
const hour = 3_600_000;
const minute = 60_000;

interface Bench {
  readonly cluster: TestCluster;
  readonly ran: string[];
  view(name?: string): Promise<ScheduleView>;
  /** Moves the clock from one moment at which something is due to the next. */
  pass(ms: number): Promise<void>;
}

const dids = (v: ScheduleView): string[] => [...v.fires].reverse().map((f) => `${f.due.slice(11, 16)} ${f.did}`);

/** Begins at the full hour: 2027-01-15T08:00:00Z. */
async function bench(): Promise<Bench & { readonly tick: ReturnType<typeof tickWorkflow> }> {
  const cluster = await open();
  const ran: string[] = [];
  return {
    cluster,
    ran,
    tick: tickWorkflow(ran),
    view: async (name = "tick") => clientOf(cluster).get(name, { fires: 1000 }),
    pass: (ms) => passTime(cluster.platform, ms),
  };
}

function tickWorkflow(ran: string[]) {
  return workflow({ name: "tick", input: z.object({ due: z.string() }) }, async (ctx, { due }) => {
    await ctx.step("note", () => void ran.push(due));
    return due;
  });
}

const engines = new Map<TestCluster, ClusterEngine>();
afterEach(() => engines.clear());
function clientOf(cluster: TestCluster): ClusterEngine["client"]["schedules"] {
  return engines.get(cluster)!.client.schedules;
}
async function start(b: Bench, ...args: Parameters<TestCluster["engine"]>): Promise<ClusterEngine> {
  const [workflows, o] = args;
  const e = await b.cluster.engine(workflows, { lease: "3s", ...o });
  engines.set(b.cluster, e);
  return e;
}

describe("a schedule in code", () => {
  it("that cannot be fired here holds up none of the others", async () => {
    const b = await bench();
    const [broken, sound] = ["broken", "sound"].map((name) =>
      schedule(name, { every: "10m" }, b.tick, (due) => ({ due: `${name} ${due.toISOString().slice(11, 16)}` })),
    );
    let breaks = false;
    const wrap = (s: FullStore): FullStore => ({
      ...s,
      commit: async (cs) => {
        if (breaks && cs.some((c) => JSON.stringify(c.puts ?? []).includes("broken"))) throw new Error("no such time zone");
        return s.commit(cs);
      },
    });
    await start(b, [b.tick], { schedules: [broken!, sound!], wrap });
    breaks = true;
    await b.pass(15 * minute);
    expect(b.ran).toEqual(["sound 08:10"]);
    breaks = false;
    await b.pass(minute);
    expect(b.ran).toEqual(["sound 08:10", "broken 08:10"]);
  });

  it("fires at every due time, once, with an input made from it, as runs named after it", async () => {
    const b = await bench();
    const every = schedule("tick", { every: "10m" }, b.tick, (due) => ({ due: due.toISOString().slice(11, 16) }));
    await start(b, [b.tick], { schedules: [every] });
    await b.pass(35 * minute);
    expect(b.ran).toEqual(["08:10", "08:20", "08:30"]);
    const v = await b.view();
    expect(dids(v)).toEqual(["08:10 started", "08:20 started", "08:30 started"]);
    expect(v).toMatchObject({ workflow: "tick", input: "code", inCode: true, nextAt: "2027-01-15T08:40:00.000Z", overlap: "skip" });
    const run = await b.cluster.byWorkflowId("tick/2027-01-15T08:10:00.000Z");
    expect(run).toMatchObject({
      status: "COMPLETED",
      idempotencyKey: `sch/tick/${Date.parse("2027-01-15T08:10:00Z")}`,
      tags: { schedule: "tick" },
    });
  });

  it("fires once where several engines have it, each of which tries", async () => {
    const b = await bench();
    const hourly = schedule("tick", { cron: "0 * * * *" }, b.tick, { due: "x" });
    for (let i = 0; i < 3; i++) await start(b, [b.tick], { schedules: [hourly] });
    await b.pass(3 * hour + minute);
    expect(b.ran).toHaveLength(3);
    expect(dids(await b.view())).toEqual(["09:00 started", "10:00 started", "11:00 started"]);
  });

  it("is fired by an engine that does not have its code, if its input is a value", async () => {
    const b = await bench();
    const other = workflow({ name: "other" }, async () => 1);
    const first = await start(b, [b.tick], { schedules: [schedule("tick", { cron: "0 * * * *" }, b.tick, { due: "x" })] });
    await start(b, [b.tick, other]);
    first.kill();
    await b.pass(hour + minute);
    expect(b.ran).toEqual(["x"]);
    expect((await b.view()).inCode).toBe(false);
  });

  it("waits for an engine that has its code, if a function makes its input, and is made up within its catchup", async () => {
    const b = await bench();
    const s = schedule("tick", { cron: "0 * * * *" }, b.tick, (due) => ({ due: due.toISOString() }));
    (await start(b, [b.tick], { schedules: [s] })).kill();
    await start(b, [b.tick]);
    await b.pass(hour + 30 * minute);
    expect(b.ran).toEqual([]);
    await start(b, [b.tick], { schedules: [s] });
    await b.pass(minute);
    expect(b.ran).toEqual(["2027-01-15T09:00:00.000Z"]);
  });

  it("is skipped while the last run is open, and says which; overlap: allow starts another", async () => {
    const b = await bench();
    const gate = deferred();
    const slow = workflow({ name: "slow" }, async (ctx) => ctx.step("wait", () => gate.promise));
    await start(b, [slow], {
      schedules: [schedule("tick", { every: "10m" }, slow), schedule("side", { every: "10m", overlap: "allow" }, slow)],
    });
    await b.pass(21 * minute);
    const v = await b.view();
    expect(dids(v)).toEqual(["08:10 started", "08:20 skipped"]);
    expect(v.fires[0]?.because).toBe(`run ${v.lastRunId} of the last fire is still open`);
    expect(dids(await b.view("side"))).toEqual(["08:10 started", "08:20 started"]);
    gate.open();
    await b.pass(10 * minute);
    expect(dids(await b.view())).toEqual(["08:10 started", "08:20 skipped", "08:30 started"]);
  });

  it("after downtime runs the last due time within its catchup, and records the others as missed", async () => {
    const b = await bench();
    const s = schedule("tick", { every: "10m", catchup: "15m" }, b.tick, (due) => ({ due: due.toISOString().slice(11, 16) }));
    (await start(b, [b.tick], { schedules: [s] })).kill();
    await b.cluster.platform.leap(52 * minute);
    await start(b, [b.tick], { schedules: [s] });
    await b.pass(minute);
    expect(b.ran).toEqual(["08:50"]);
    expect(dids(await b.view())).toEqual(["08:10 missed", "08:20 missed", "08:30 missed", "08:40 missed", "08:50 started"]);
  });

  it("after downtime beyond its catchup runs nothing, and says how late it was", async () => {
    const b = await bench();
    const s = schedule("tick", { cron: "30 * * * *", catchup: "5m" }, b.tick, { due: "x" });
    (await start(b, [b.tick], { schedules: [s] })).kill();
    await b.cluster.platform.leap(40 * minute);
    await start(b, [b.tick], { schedules: [s] });
    await b.pass(minute);
    expect(b.ran).toEqual([]);
    expect((await b.view()).fires[0]).toMatchObject({ did: "missed", because: expect.stringMatching(/^found 6\d{5} ms late/) });
  });

  it("records a year of missed seconds in 51 rows", async () => {
    const b = await bench();
    const s = schedule("tick", { every: "1s" }, b.tick, { due: "x" });
    (await start(b, [b.tick], { schedules: [s] })).kill();
    await b.cluster.platform.leap(365 * 24 * hour);
    await start(b, [b.tick], { schedules: [s] });
    await b.cluster.platform.advance(100);
    const { fires } = await b.view();
    expect(fires.filter((f) => f.did === "missed").length).toBe(51 - 1);
    expect(fires.at(-1)).toMatchObject({ due: "2027-01-15T08:00:01.000Z", did: "missed", before: expect.any(String) });
  });

  it("ends with until, and stays listed", async () => {
    const b = await bench();
    await start(b, [b.tick], { schedules: [schedule("tick", { every: "10m", until: "2027-01-15T08:20:00Z" }, b.tick, { due: "x" })] });
    await b.pass(hour);
    const v = await b.view();
    expect(dids(v)).toEqual(["08:10 started", "08:20 started"]);
    expect(v.nextAt).toBeUndefined();
  });

  it("with from and until at the same time is due once", async () => {
    const b = await bench();
    const at = "2027-01-15T08:20:00Z";
    await start(b, [b.tick], { schedules: [schedule("tick", { every: "1d", from: at, until: at }, b.tick, { due: "x" })] });
    await b.pass(72 * hour);
    const v = await b.view();
    expect(dids(v)).toEqual(["08:20 started"]);
    expect(v.nextAt).toBeUndefined();
  });

  it("whose input cannot be made is recorded as failed, and fires at its next due time", async () => {
    const b = await bench();
    const s = schedule("tick", { every: "10m" }, b.tick, (due) => {
      if (due.getUTCMinutes() === 10) throw new Error("no rates yet");
      return due.getUTCMinutes() === 20 ? ({ due: 7 } as never) : { due: "ok" };
    });
    await start(b, [b.tick], { schedules: [s] });
    await b.pass(31 * minute);
    const v = await b.view();
    expect(dids(v)).toEqual(["08:10 failed", "08:20 failed", "08:30 started"]);
    expect(v.fires.at(-1)?.because).toContain("no rates yet");
    expect(b.ran).toEqual(["ok"]);
  });

  it("changed in code is what the engine that started last says; a pause and an overdue time outlive the change", async () => {
    const b = await bench();
    const at = (cron: string) => [schedule("tick", { cron }, b.tick, (due) => ({ due: due.toISOString().slice(11, 16) }))];
    const old = await start(b, [b.tick], { schedules: at("10 * * * *") });
    await start(b, [b.tick], { schedules: at("20 * * * *") });
    await b.pass(30 * minute);
    expect(b.ran).toEqual(["08:20"]);
    old.kill();
    engines.get(b.cluster)!.kill();
    await b.cluster.platform.leap(55 * minute); // 09:25; 09:20 is overdue
    await start(b, [b.tick], { schedules: at("40 * * * *") });
    await b.pass(minute);
    expect(b.ran).toEqual(["08:20", "09:20"]);
    await clientOf(b.cluster).pause("tick", { by: "ann" });
    await start(b, [b.tick], { schedules: at("50 * * * *") });
    await b.pass(hour);
    expect(b.ran).toEqual(["08:20", "09:20"]);
    expect((await b.view()).paused).toMatchObject({ by: "ann" });
  });

  it("that left the code stays until it is removed", async () => {
    const b = await bench();
    (await start(b, [b.tick], { schedules: [schedule("tick", { every: "10m" }, b.tick, { due: "x" })] })).kill();
    await start(b, [b.tick]);
    await b.pass(11 * minute);
    expect(b.ran).toEqual(["x"]);
    expect(await b.view()).toMatchObject({ inCode: false });
    await clientOf(b.cluster).remove("tick", { by: "ann", reason: "gone" });
    await b.pass(30 * minute);
    expect(b.ran).toEqual(["x"]);
    expect(await clientOf(b.cluster).list()).toEqual([]);
  });

  it("is refused where it can never be due, has a name twice, or is no schedule", async () => {
    const b = await bench();
    const page = (code: string): unknown => expect.objectContaining({ page: code });
    expect(() => schedule("a", { cron: "0 0 30 2 *" }, b.tick, { due: "x" })).toThrow(page("PAWL1040"));
    expect(() => schedule("a", { cron: "0 9 * * *", tz: "Mars/Olympus" }, b.tick, { due: "x" })).toThrow(page("PAWL1040"));
    expect(() => schedule("a", { every: "999ms" }, b.tick, { due: "x" })).toThrow(page("PAWL1040"));
    expect(() => schedule("a", { every: "soon" as never }, b.tick, { due: "x" })).toThrow(page("PAWL1002"));
    expect(() => schedule("a", {} as never, b.tick, { due: "x" })).toThrow(page("PAWL1040"));
    expect(() => schedule("a", { every: "1m", tz: "UTC" } as never, b.tick, { due: "x" })).toThrow(page("PAWL1040"));
    expect(() => schedule("a", { every: "1m", overlap: "queue" as never }, b.tick, { due: "x" })).toThrow(page("PAWL1040"));
    expect(() => schedule("a", { every: "1m", jitter: "1s" } as never, b.tick, { due: "x" })).toThrow(page("PAWL5001"));
    expect(() => schedule("a|b", { every: "1m" }, b.tick, { due: "x" })).toThrow(page("PAWL1001"));
    const [one, two] = [1, 2].map(() => schedule("a", { every: "1m" }, b.tick, { due: "x" }));
    await expect(b.cluster.engine([b.tick], { schedules: [one!, two!] })).rejects.toThrow(page("PAWL5050"));
    await expect(b.cluster.engine([b.tick], { schedules: [{ name: "a" }] })).rejects.toThrow(page("PAWL5001"));
    const wrong = schedule("a", { every: "1m" }, b.tick, { due: 7 } as never);
    await expect(b.cluster.engine([b.tick], { schedules: [wrong] })).rejects.toThrow(page("PAWL1008"));
    expect(await (await b.cluster.engine([b.tick])).client.schedules.list()).toEqual([]);
  });
});

describe("what people ask of a schedule", () => {
  it("a pause holds from the moment it is answered, and what was due meanwhile is recorded when it is resumed", async () => {
    const b = await bench();
    await start(b, [b.tick], { schedules: [schedule("tick", { every: "10m" }, b.tick, { due: "x" })] });
    await b.pass(10 * minute + 500);
    const paused = await clientOf(b.cluster).pause("tick", { by: "ann", reason: "closed" });
    expect(paused).toMatchObject({ paused: { by: "ann", reason: "closed" }, orders: [{ order: "pause", by: "ann", reason: "closed" }] });
    expect(paused.nextAt).toBeUndefined();
    await clientOf(b.cluster).pause("tick", { by: "bob" }); // the first order stands
    await b.pass(25 * minute);
    const resumed = await clientOf(b.cluster).resume("tick", { by: "bob", reason: "open" });
    expect(resumed.nextAt).toBe("2027-01-15T08:40:00.000Z");
    await b.pass(10 * minute);
    const v = await b.view();
    expect(dids(v)).toEqual(["08:10 started", "08:20 missed", "08:30 missed", "08:40 started"]);
    expect(v.fires[2]?.because).toBe("paused by ann: closed");
    expect(v.orders.map((o) => `${o.order} ${o.by ?? ""}`)).toEqual(["resume bob", "pause ann"]);
  });

  it("a fire that was decided before a pause and is written after it starts nothing", async () => {
    const b = await bench();
    const s = schedule("tick", { every: "10m" }, b.tick, { due: "x" });
    const ops = await start(b, [b.tick]);
    let asked: Promise<unknown> | undefined;
    await b.cluster.engine([b.tick], {
      schedules: [s],
      lease: "3s",
      // The engine has decided to fire and is about to ask the store; the pause gets there first.
      wrap: (store) =>
        new Proxy(store, {
          get: (target, name) => {
            if (name !== "commit") return Reflect.get(target, name) as unknown;
            return async (...args: Parameters<typeof store.commit>) => {
              if (args[0].some((c) => c.puts !== undefined)) await (asked ??= ops.client.schedules.pause("tick", { by: "ann" }));
              return target.commit(...args);
            };
          },
        }),
    });
    ops.kill(); // it must not win the race
    await b.pass(15 * minute);
    expect(asked).toBeDefined();
    expect(b.ran).toEqual([]);
    expect((await b.cluster.engine([b.tick])).client.schedules.list).toBeDefined();
  });

  it("a fire by hand starts one run for one request, even while the schedule is paused, and says who asked", async () => {
    const b = await bench();
    const s = schedule("tick", { cron: "0 0 1 1 *" }, b.tick, (due) => ({ due: due.toISOString() }));
    const e = await start(b, [b.tick], { schedules: [s] });
    await clientOf(b.cluster).pause("tick");
    const requestId = "7d2f9a53-18c4-4e0b-a6f1-3b5c7d9e1f20";
    const fired = await e.client.schedules.fire("tick", { by: "ann", reason: "the board asks", requestId });
    expect(await e.client.schedules.fire("tick", { requestId })).toEqual(fired);
    await b.pass(2_000);
    expect(b.ran).toEqual([fired.due]);
    expect((await b.view()).fires).toMatchObject([{ did: "started", runId: fired.runId, because: "by hand, by ann: the board asks" }]);
    expect((await b.view()).orders[0]).toMatchObject({ order: "fire", by: "ann", reason: "the board asks" });
  });

  it("a fire by hand is refused while the last run is open, and where a function makes the input that this process does not have", async () => {
    const b = await bench();
    const gate = deferred();
    const slow = workflow({ name: "slow" }, async (ctx) => ctx.step("wait", () => gate.promise));
    const e = await start(b, [slow], {
      schedules: [schedule("tick", { cron: "0 0 1 1 *" }, slow), schedule("made", { cron: "0 0 1 1 *" }, slow, () => undefined)],
    });
    const { runId } = await e.client.schedules.fire("tick");
    await expect(e.client.schedules.fire("tick")).rejects.toMatchObject({ page: "PAWL4122", message: expect.stringContaining(runId) });
    const other = await start(b, [slow]);
    await expect(other.client.schedules.fire("made")).rejects.toMatchObject({ page: "PAWL4121" });
    gate.open();
    await b.pass(2_000);
    expect((await e.client.schedules.fire("tick")).runId).not.toBe(runId);
  });

  it("one that a client puts is checked as a start is, replaces what has its name, and fires", async () => {
    const b = await bench();
    const e = await start(b, [b.tick]);
    const { schedules } = e.client;
    const tick = { name: "tick", workflow: "tick", when: { every: "10m" }, input: { due: "x" } } as const;
    await expect(schedules.put({ ...tick, workflow: "nobody" })).rejects.toMatchObject({ page: "PAWL4008" });
    await expect(schedules.put({ ...tick, input: { due: 7 } })).rejects.toMatchObject({ page: "PAWL1008" });
    await expect(schedules.put({ ...tick, when: { cron: "0 0 30 2 *" } })).rejects.toMatchObject({ page: "PAWL1040" });
    await expect(schedules.pause("tick")).rejects.toMatchObject({ page: "PAWL4120" });
    expect(await schedules.put({ ...tick, by: "ann" })).toMatchObject({
      nextAt: "2027-01-15T08:10:00.000Z",
      orders: [{ order: "put", by: "ann" }],
    });
    await b.pass(11 * minute);
    await schedules.put({ ...tick, input: { due: "y" } });
    await b.pass(11 * minute);
    expect(b.ran).toEqual(["x", "y"]);
  });
});

describe("time", () => {
  it("a store without schedules is asked nothing for them, however long an engine runs", async () => {
    const b = await bench();
    const asked: string[] = [];
    const e = await b.cluster.engine([b.tick], {
      lease: "3s",
      wrap: (store) =>
        new Proxy(store, {
          get: (target, name) =>
            name !== "kv"
              ? (Reflect.get(target, name) as unknown)
              : {
                  ...target.kv,
                  list: (q: Parameters<typeof target.kv.list>[0]) => (asked.push(q.collection), target.kv.list(q)),
                  get: (c: string, k: readonly string[]) => (asked.push(c), target.kv.get(c, k)),
                },
        }),
    });
    const ofSchedules = (): number => asked.filter((c) => c.startsWith("schedule")).length;
    await b.pass(5_000);
    const before = ofSchedules();
    await b.pass(10 * minute);
    expect(ofSchedules()).toBe(before);
    expect(e.alive).toBe(true);
  });

  it("a machine that slept, a wall clock that was set, and a store's clock that went back fire nothing twice and nothing early", async () => {
    const b = await bench();
    const { platform } = b.cluster;
    const s = schedule("tick", { every: "10m", overlap: "allow" }, b.tick, (due) => ({ due: due.toISOString() }));
    await start(b, [b.tick], { schedules: [s] });
    await b.pass(10 * minute + 500);
    platform.suspend(25 * minute); // asleep over two due times
    await b.pass(2_000);
    platform.suspend(-20 * minute); // the store's clock goes back
    await b.pass(30 * minute);
    platform.skew(3 * hour); // a person sets the wall clock: the store has its own
    platform.skew(-3 * hour);
    await b.pass(10 * minute);
    const v = await b.view();
    const started = v.fires.filter((f) => f.did === "started");
    expect(new Set(b.ran).size).toBe(b.ran.length);
    expect(started.map((f) => f.due).sort()).toEqual([...b.ran].sort());
    for (const f of v.fires) expect(Date.parse(f.at)).toBeGreaterThanOrEqual(Date.parse(f.due));
    expect(new Set(v.fires.map((f) => f.due)).size).toBe(v.fires.length);
  });
});
