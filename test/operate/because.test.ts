// Why a run is not further: runs that really are in each state, on every store, asked by a process without the code. And what operators do to workflows
// and engines: pause, resume, drain.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import type { Client } from "../../src/client/types.ts";
import { task, workflow } from "../../src/index.ts";
import { testStores, type TestStore } from "../support/test-store.ts";

const plain = workflow({ name: "plain" }, async () => 1);
const sleeper = workflow({ name: "sleeper" }, (ctx) => ctx.sleep("nap", "1h"));
const waiter = workflow({ name: "waiter", signals: { go: z.any() } }, (ctx) => ctx.receive("go"));
const caller = workflow({ name: "caller" }, (ctx) => ctx.call(waiter, undefined, { id: "called" }));
const failing = workflow({ name: "failing" }, (ctx) =>
  ctx.step("pay", () => Promise.reject(new Error("no answer")), { repeatable: true, retry: { attempts: 9, initial: "1h" } }),
);
let release = (): void => {};
const working = workflow({ name: "working" }, (ctx) => ctx.step("think", () => new Promise<void>((resolve) => (release = resolve))));
const asking = workflow({ name: "asking" }, (ctx) => ctx.ask("ship", { schema: z.boolean(), text: "May it be shipped?" }));
const approved = task({ name: "transfer", input: z.any() }, () => 1, { approve: "more than 100", once: true });
const approving = workflow({ name: "approving" }, (ctx) => ctx.do(approved, {}));

describe.each(testStores)("because on %s", (_, open) => {
  let b: TestStore;
  let client: Client;
  beforeEach(async () => {
    b = await open();
    client = b.client();
  });
  afterEach(() => {
    release();
    return b.close();
  });
  const expectCode = (id: string, code: string): Promise<void> =>
    vi.waitFor(async () => expect((await client.get(id))!.because.code).toBe(code), { timeout: 20_000, interval: 50 });
  const because = async (id: string): Promise<{ readonly text: string; readonly fix?: string; readonly until?: string }> =>
    (await client.get(id))!.because;

  it("names what a run waits for: nobody, a timer, a retry, a signal, a child, a step, its end", async () => {
    const all = [plain, sleeper, waiter, caller, failing, working, asking];
    await client.start({ workflow: "plain", id: "plain", allowUnknown: true });
    expect((await client.get("plain"))!.because).toMatchObject({ code: "no-engine", text: "No engine that has workflow plain is alive." });
    const { engine } = await b.engine({ workflows: all });
    await engine.start(sleeper, undefined, { id: "sleeper" });
    await engine.start(waiter, undefined, { id: "waiter" });
    await engine.start(caller, undefined, { id: "caller" });
    await engine.start(failing, undefined, { id: "failing" });
    await engine.start(working, undefined, { id: "working" });
    await engine.start(asking, undefined, { id: "asking" });
    await expectCode("plain", "ended");
    await expectCode("sleeper", "timer");
    expect(Date.parse((await because("sleeper")).until!)).toBeGreaterThan(Date.now());
    await expectCode("waiter", "signal");
    expect(await because("waiter")).toMatchObject({ text: "It waits for signal go.", fix: "pawl signal waiter go --payload <json>" });
    await expectCode("caller", "child");
    expect((await because("caller")).text).toBe("It waits for called, which it called.");
    await expectCode("failing", "retry");
    expect((await because("failing")).text).toBe("An attempt of step pay failed; the next one follows: no answer.");
    await expectCode("working", "working");
    expect((await because("working")).text).toBe("Step think is at work.");
    expect((await client.why("working")).map((w) => w.sentence)).toEqual(["think is at work"]);
    await vi.waitFor(
      async () => expect((await client.why("asking")).map((w) => w.sentence)).toEqual(["ship waits for a person's answer"]),
      20_000,
    );
  });

  it("says that it is paused and why, that it waits for approval, that a program outside writes it", async () => {
    const { engine } = await b.engine({ workflows: [waiter, approving] });
    await engine.start(waiter, undefined, { id: "w" });
    await client.control("w", "pause", { reason: "bank is down" });
    await expectCode("w", "paused");
    expect(await because("w")).toMatchObject({ text: "It is paused: bank is down.", fix: "pawl resume w" });
    await engine.start(approving, undefined, { id: "a" });
    await expectCode("a", "approval");
    expect((await because("a")).text).toContain("Step transfer waits for approval");
    const outside = client.producer({ runId: "import-7", planId: "import", planVersion: "1" });
    await outside.emit({ eventType: "RunStarted" });
    await expectCode("import-7", "external");
  });

  it("says that its code and its log disagree, and what a person must decide", async () => {
    const one = workflow({ name: "wf", signals: { go: z.any() } }, async (ctx) => {
      await ctx.step("one", () => 1);
      return ctx.receive("go");
    });
    const two = workflow({ name: "wf", signals: { go: z.any() } }, async (ctx) => {
      await ctx.step("other", () => 1);
      return ctx.receive("go");
    });
    const before = await b.engine({ workflows: [one] });
    await before.engine.start(one, undefined, { id: "d" });
    await expectCode("d", "signal");
    await before.engine.stop();
    await b.engine({ workflows: [two] });
    await client.signal("d", "go", 1);
    await expectCode("d", "diverged");
    expect((await because("d")).text).toContain("Its code and its log disagree");
  });

  it("says that a person must decide about an effect in doubt, and that a run was moved to another store", async () => {
    const doubtful = workflow({ name: "doubtful" }, (ctx) =>
      ctx.step("send", () => new Promise<void>(() => {}), { once: true, timeout: 50 }),
    );
    const e = await b.engine({ workflows: [doubtful, waiter] });
    await e.engine.start(doubtful, undefined, { id: "d" });
    await expectCode("d", "decision");
    expect((await because("d")).text).toContain("A person must decide about step send");
    await e.engine.start(waiter, undefined, { id: "m" });
    await expectCode("m", "signal");
    await e.engine.stop();
    b.skipVerification();
    for await (const line of client.exportRuns({ move: true, ids: ["m"] })) expect(line).toBeDefined();
    await expectCode("m", "moved");
  });

  it("a signal that nobody can take leaves a run waiting for an engine", async () => {
    const e = await b.engine({ workflows: [waiter] });
    await e.engine.start(waiter, undefined, { id: "w" });
    await expectCode("w", "signal");
    await e.engine.stop();
    expect((await because("w")).text).toBe("It waits for signal go.");
    await client.signal("w", "go", 1);
    await expectCode("w", "no-engine");
  });

  it("a paused workflow takes nothing on, its live runs continue, and its starts wait until it is resumed", async () => {
    const e = await b.engine({ workflows: [plain, waiter] });
    const live = await e.engine.start(waiter, undefined, { id: "live" });
    await expect(client.pauseWorkflow("nothing")).rejects.toMatchObject({ code: "PAWL4008" });
    const view = await client.pauseWorkflow("waiter", { reason: "bank is down" });
    expect(view.paused).toMatchObject({ reason: "bank is down" });
    expect((await client.pauseWorkflow("waiter", { reason: "another" })).paused?.reason).toBe("bank is down");
    await vi.waitFor(() => expect(e.core.takesOn("waiter")).toBe(false), { timeout: 20_000, interval: 20 });
    await e.engine.start(waiter, undefined, { id: "own" });
    await client.start({ workflow: "waiter", id: "named" });
    await client.signal("live", "go", 1);
    expect(await live.result()).toBe(1);
    await client.signal("own", "go", 2);
    expect(await e.engine.run(plain, undefined)).toBe(1); // others are not held up
    for (const id of ["own", "named"])
      expect((await client.get(id))!.because).toMatchObject({ code: "workflow-paused", fix: "pawl workflows resume waiter" });
    await client.control("named", "terminate", { reason: "not needed" }); // control needs no code and is not held up
    expect((await client.waitForEnd("named")).status).toBe("CANCELLED");
    expect((await client.resumeWorkflow("waiter")).paused).toBeUndefined();
    expect((await client.waitForEnd("own")).result).toBe(2);
  });

  it("an engine that starts while a workflow is paused takes nothing of it on", async () => {
    await (await b.engine({ workflows: [plain] })).engine.stop();
    await client.pauseWorkflow("plain");
    await client.start({ workflow: "plain", id: "p" });
    const e = await b.engine({ workflows: [plain] });
    expect(e.core.takesOn("plain")).toBe(false);
    const awaited = e.engine.run(plain, undefined);
    expect((await client.get("p"))!.because.code).toBe("workflow-paused");
    await client.resumeWorkflow("plain");
    expect([(await client.waitForEnd("p")).result, await awaited]).toEqual([1, 1]);
  });

  it("an engine that drains releases its runs, takes nothing on, stays alive, and another one continues", async () => {
    const a = await b.engine({ workflows: [waiter, working] });
    await a.engine.start(waiter, undefined, { id: "w" });
    await a.engine.start(working, undefined, { id: "busy" });
    await expectCode("busy", "working");
    await expect(client.drainEngine("nobody")).rejects.toMatchObject({ code: "PAWL4132" });
    const view = await client.drainEngine(a.core.engineId, { reason: "replaced" });
    expect(view.draining).toMatchObject({ reason: "replaced" });
    await vi.waitFor(() => expect(a.core.isLive("x") || a.core.liveRuns).toBe(1), { timeout: 20_000, interval: 20 }); // the busy one
    expect(a.engine.health()).toEqual({ ok: true, trouble: null, draining: true });
    await client.start({ workflow: "waiter", id: "later" });
    await a.engine.start(waiter, undefined, { id: "own" });
    await expectCode("later", "no-engine");
    expect((await because("later")).text).toBe("Each engine that has workflow waiter drains.");
    release();
    await vi.waitFor(() => expect(a.core.liveRuns).toBe(0), { timeout: 20_000, interval: 20 });
    expect((await client.engines()).map((e) => [e.engineId, e.alive])).toEqual([[a.core.engineId, true]]);
    await b.engine({ workflows: [waiter, working] });
    for (const id of ["w", "later", "own"]) await client.signal(id, "go", id);
    for (const id of ["w", "later", "own"]) expect((await client.waitForEnd(id)).result).toBe(id);
    expect((await client.waitForEnd("busy")).status).toBe("COMPLETED");
    expect(a.core.liveRuns).toBe(0);
  });
});
