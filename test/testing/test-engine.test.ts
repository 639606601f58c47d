// testEngine as a user of pawl/testing meets it: waits that take no time and keep their order, mocks, moments, traces, deaths.
// Everything here is asked through the public entry points only.
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { task, workflow } from "../../src/index.ts";
import { testEngine, type TestEngine, type TestEngineOpts } from "../../src/testing.ts";

const open: TestEngine[] = [];
const engineOf = async (o: TestEngineOpts): Promise<TestEngine> => {
  const t = await testEngine(o);
  open.push(t);
  return t;
};
afterEach(async () => {
  for (const t of open.splice(0)) await t.stop();
});

describe("testEngine", () => {
  it("a run that only waits for time is over at once, however long it sleeps", async () => {
    const nap = workflow({ name: "nap" }, async (ctx) => {
      const before = ctx.now().getTime();
      await ctx.sleep("month", "30d");
      await ctx.sleep("moment", "300ms");
      return ctx.now().getTime() - before;
    });
    const t = await engineOf({ workflows: [nap] });
    const began = t.now().getTime();
    expect(await t.run(nap)).toBeGreaterThanOrEqual(30 * 86_400_000 + 300);
    expect(t.now().getTime() - began).toBeLessThan(30 * 86_400_000 + 60_000);
  });

  it("advance moves the clock by exactly as much as was said, and what is due on the way happens in order", async () => {
    const race = workflow({ name: "race" }, async (ctx) => {
      const seen: string[] = [];
      const lane = async (name: string, d: `${number}h`): Promise<void> => {
        await ctx.sleep(name, d);
        seen.push(name);
      };
      await Promise.all([lane("three", "3h"), lane("one", "1h"), lane("two", "2h")]);
      return seen;
    });
    const t = await engineOf({ workflows: [race] });
    const h = await t.start(race);
    const began = t.now().getTime();
    await t.advance("90m");
    expect(t.now().getTime() - began).toBe(5_400_000);
    expect((await h.steps()).map((s) => s.status)).toEqual(["RUNNING", "SUCCESS", "RUNNING"]);
    expect(await h.result()).toEqual(["one", "two", "three"]);
  });

  it("a task's function can be replaced, with its input typed and parsed; a step's by its name", async () => {
    const mail = task({ name: "mail", input: z.object({ to: z.string().toUpperCase() }) }, async (): Promise<string> => {
      throw new Error("no network in tests");
    });
    const welcome = workflow({ name: "welcome" }, async (ctx) => {
      const sent = await ctx.do(mail, { to: "ann" }, { name: "greeting" });
      return [sent, await ctx.step("score", (): number => 1)];
    });
    const t = await engineOf({ workflows: [welcome] });
    t.mock(mail, (i) => `to ${i.to}`);
    t.mock("score", () => 42);
    expect(await t.run(welcome)).toEqual(["to ANN", 42]);
  });

  it("until stops at a step, at a wait, at a status; a signal sent there is received", async () => {
    const order = workflow({ name: "order", signals: { paid: z.object({ cents: z.number() }) } }, async (ctx) => {
      await ctx.sleep("cool-off", "2h");
      const paid = await ctx.receive("paid", { timeout: "3d" });
      return paid?.cents ?? 0;
    });
    const t = await engineOf({ workflows: [order] });
    const h = await t.start(order);
    await t.until(h, { step: "cool-off" });
    expect((await h.status()).waiting).toBe("timer");
    await t.until(h, { waiting: "signal" });
    await h.signal("paid", { cents: 5 });
    await t.until(h, { status: "COMPLETED" });
    expect(await h.result()).toBe(5);
    expect(await (await t.start(order)).result()).toBe(0);
  });

  it("a run that nothing will ever wake is said to be so, with what it waits for", async () => {
    const stuck = workflow({ name: "stuck", signals: { go: z.null() } }, async (ctx) => ctx.receive("go"));
    const t = await engineOf({ workflows: [stuck] });
    const h = await t.start(stuck, undefined, { id: "s-1" });
    await expect(h.result()).rejects.toMatchObject({
      code: "PAWL5033",
      message: expect.stringContaining("s-1 is RUNNING, waiting for a signal"),
    });
  });

  it("a step's function that takes real time holds the clock; one that never answers meets its limit", async () => {
    const slow = workflow({ name: "slow" }, async (ctx) => {
      await ctx.step("real", () => new Promise((resolve) => setTimeout(resolve, 20)), { timeout: "1s", retry: { attempts: 1 } });
      return ctx
        .step("never", () => new Promise(() => {}), { timeout: "30s", retry: { attempts: 1 } })
        .catch((e: { category: string }) => e.category);
    });
    const t = await engineOf({ workflows: [slow] });
    expect(await t.run(slow)).toBe("TIMEOUT");
  });

  it("retries wait on the virtual clock, and the trace tells them", async () => {
    let calls = 0;
    const flaky = workflow({ name: "flaky" }, async (ctx) =>
      ctx.step(
        "call",
        () => {
          if (++calls < 3) throw new Error(`try ${calls}`);
          return "ok";
        },
        { repeatable: true, retry: { attempts: 3, initial: "1h" } },
      ),
    );
    const t = await engineOf({ workflows: [flaky] });
    const h = await t.start(flaky);
    expect(await h.result()).toBe("ok");
    expect(await t.trace(h)).toEqual([
      "RunStarted",
      "StepStarted call effect REPEATABLE",
      "StepFailed call FAILED: try 1, again later",
      "StepStarted call again",
      "StepFailed call FAILED: try 2, again later",
      "StepStarted call again",
      "StepCompleted call",
      "RunCompleted",
    ]);
  });

  it("an engine that is killed, now or at a crash point, is succeeded by one that goes on", async () => {
    const ran: string[] = [];
    const two = workflow({ name: "two" }, async (ctx) => {
      await ctx.step("a", () => void ran.push("a"), { repeatable: true });
      await ctx.sleep("between", "1h");
      await ctx.step("b", () => void ran.push("b"), { repeatable: true });
      return ran.length;
    });
    const t = await engineOf({ workflows: [two] });
    const h = await t.start(two);
    await t.until(h, { step: "between" });
    await t.crash();
    t.crashAt("b:D");
    expect(await h.result()).toBe(3);
    expect(ran).toEqual(["a", "b", "b"]);
    expect(await t.trace(h)).toContain("pawl.StepRedispatched b");
    expect(() => t.crashAt("b")).toThrow(/crash point/);
  });

  it("ctx.tx works on the throw-away SQLite file", async () => {
    const rows = workflow({ name: "rows" }, async (ctx) => {
      await ctx.tx("table", async (db) => void (await db.sql`create table t (n integer)`));
      await ctx.tx("row", async (db) => void (await db.sql`insert into t values (${7})`));
      return ctx.tx("read", async (db) => (await db.sql<{ n: number }>`select n from t`).rows);
    });
    const t = await engineOf({ workflows: [rows], store: "sqlite:" });
    expect(await t.run(rows)).toEqual([{ n: 7 }]);
  });

  it("everything else that an engine can do, it can do: children, updates, views, lists, metrics", async () => {
    const child = workflow({ name: "child" }, async (ctx) => {
      await ctx.sleep("nap", "1d");
      return "rested";
    });
    const parent = workflow(
      { name: "parent", updates: { add: { input: z.number(), output: z.number() } }, views: { sum: z.number() } },
      async (ctx) => {
        let sum = 0;
        ctx.onUpdate("add", (n) => (sum += n));
        const rested = await ctx.call(child);
        ctx.publish("sum", sum);
        return rested;
      },
    );
    const t = await engineOf({ workflows: [parent] });
    const h = await t.start(parent, undefined, { id: "p" });
    expect(await h.update("add", 2)).toBe(2);
    expect(await h.result()).toBe("rested");
    expect(await h.view("sum")).toBe(2);
    expect((await t.list({ workflow: "child" })).runs).toHaveLength(1);
    expect((await t.get(parent, "p"))?.runId).toBe(h.runId);
    expect(t.metrics()).toContain("pawl_runs_started_total");
  });
});
