// Code and log that disagree: the run stops as diverged, with both sides named, and goes on when the code is mended. Guards
// that nothing is ever re-executed on a guess (K13), that only recorded outcomes wake code (K15), and K20's releases.
import { describe, expect, it } from "vitest";
import { workflow } from "../../workflow/define.ts";
import type { Ctx } from "../../workflow/types.ts";
import {
  anySchema,
  deferred,
  testClusters,
  payloadOf,
  storeKinds,
  type TestCluster,
  type ClusterEngine,
} from "../../../test/support/test-cluster.ts";
import { proves } from "../../../test/support/proves.ts";
import { posted } from "../../../test/support/posted.ts";

const fresh = testClusters();
type Code = (ctx: Ctx<{ s: ReturnType<typeof anySchema>; t: ReturnType<typeof anySchema> }, any, any>, ran: string[]) => Promise<unknown>;

describe.each(storeKinds)("%s", (kind) => {
  const define = (code: Code, ran: string[], version = "1") =>
    workflow({ name: "wf", version, signals: { s: anySchema(), t: anySchema() } }, async (ctx) => {
      const value = await code(ctx as never, ran);
      await ctx.sleep("nap", "10s");
      return value;
    });

  /** Recorded by `old` up to its nap, then taken over by `changed`, then by `old` again. */
  const changing = async (
    old: Code,
    changed: Code,
  ): Promise<{ l: TestCluster; runId: string; paused: Record<string, unknown>; ran: string[] }> => {
    const l = await fresh(kind);
    const ran: string[] = [];
    const a = await l.engine([define(old, ran)], { lease: "1s" });
    const run = await a.client.start({ workflow: "wf", id: "r" });
    await l.advanceUntilLine(run.runId, "StepStarted nap");
    a.kill();
    const before = ran.length;
    const b = await l.engine([define(changed, ran)], { lease: "1s" });
    await l.advanceUntilLine(run.runId, "RunPaused");
    await l.platform.advance(30_000);
    expect(ran).toHaveLength(before); // never re-executed on a guess
    const paused = payloadOf((await l.log(run.runId)).at(-1));
    expect((await l.lines(run.runId)).at(-1)).toBe("RunPaused");
    b.kill();
    const c = await l.engine([define(old, ran)], { lease: "1s" });
    await l.platform.advance(5_000);
    expect((await l.row(run.runId)).status).toBe("PAUSED");
    await c.client.control(run.runId, "resume", posted);
    expect((await l.advanceUntil(c.client.waitForEnd(run.runId))).status).toBe("COMPLETED");
    expect(ran).toHaveLength(before);
    return { l, runId: run.runId, paused, ran };
  };

  const step =
    (name: string, o: object = {}): Code =>
    async (ctx, ran) => {
      await ctx.step(name, () => ran.push(name), o);
    };
  const items =
    (...keys: string[]): Code =>
    async (ctx, ran) => {
      await ctx.map("m", keys, { key: (k) => k, concurrency: 1 }, (_, c) => c.step("s", () => ran.push("s")));
    };
  const seq =
    (...codes: Code[]): Code =>
    async (ctx, ran) => {
      for (const c of codes) await c(ctx, ran);
    };

  it.each([
    ["order", seq(step("a"), step("b")), seq(step("b"), step("a"))],
    ["place, under the same name", items("x", "y"), items("y", "x")],
    ["name", step("a"), step("renamed")],
    ["kind", step("a"), (async (ctx) => ctx.sleep("a", 1)) as Code],
    ["class", step("a"), step("a", { once: true })],
    ["key", step("a", { key: "k1", dedup: "1d" }), step("a", { key: "k2", dedup: "1d" })],
    ["declared input", step("a", { input: { n: 1 } }), step("a", { input: { n: 2 } })],
    ["signal", (async (ctx) => ctx.receive("s", { timeout: 1 })) as Code, (async (ctx) => ctx.receive("t", { timeout: 1 })) as Code],
    ["number of calls, fewer", seq(step("a"), step("b")), step("a")],
    ["number of calls, more", step("a"), seq(step("a"), step("b"))],
  ])(
    "a changed %s is a divergence: RunPaused, never RunFailed, and mended by the old code",
    proves("K13", "K17", "K20"),
    async (_, old, changed) => {
      const { paused } = await changing(old, changed);
      expect(paused).toMatchObject({ category: "DIVERGED", code: "PAWL1006" });
      expect(typeof paused["expected"]).toBe("string");
      expect(typeof paused["found"]).toBe("string");
      expect(paused["expected"]).not.toBe(paused["found"]);
      expect(paused["recordedAt"]).toBeGreaterThan(1);
      expect(paused["message"]).toContain(`recorded as event ${String(paused["recordedAt"])}`);
    },
  );

  it("a change that no call shows is no divergence: another function, time limit or retry policy", proves("K13", "K17"), async () => {
    const l = await fresh(kind);
    const ran: string[] = [];
    const a = await l.engine([define(step("a"), ran)], { lease: "1s" });
    const run = await a.client.start({ workflow: "wf", id: "r" });
    await l.advanceUntilLine(run.runId, "StepStarted nap");
    a.kill();
    const other: Code = async (ctx) => {
      await ctx.step("a", () => ran.push("other"), { timeout: "1m", retry: { attempts: 7 } });
    };
    const b = await l.engine([define(other, ran)], { lease: "1s" });
    expect((await l.advanceUntil(b.client.waitForEnd(run.runId))).status).toBe("COMPLETED");
    expect(ran).toEqual(["a"]);
  });

  it("a call after an await of something unrecorded stops the run as PAWL1007 before it is recorded", proves("K15"), async () => {
    const l = await fresh(kind);
    const outside = deferred();
    let ran = false;
    const wf = workflow({ name: "wf" }, async (ctx) => {
      void ctx.sleep("keeps it open", "1h");
      await outside.promise;
      await ctx.step("after", () => (ran = true));
    });
    const { engine } = await l.engine([wf]);
    const h = await engine.start(wf);
    await l.platform.settle();
    outside.open();
    await l.advanceUntilLine(h.runId, "RunPaused");
    await l.platform.advance(5_000);
    expect(ran).toBe(false);
    expect(await l.lines(h.runId)).toEqual(["RunStarted", "StepStarted keeps%20it%20open", "RunPaused"]);
    expect(payloadOf((await l.log(h.runId)).at(-1))).toMatchObject({ category: "DIVERGED", code: "PAWL1007", found: "after" });
  });

  it("a quiet, unfinished run with no open step waits for something unrecorded: PAWL1007", proves("K15"), async () => {
    const l = await fresh(kind);
    const wf = workflow({ name: "wf" }, async (ctx) => {
      await ctx.step("a", () => 1);
      await new Promise(() => {});
    });
    const { engine } = await l.engine([wf]);
    const h = await engine.start(wf);
    await l.advanceUntilLine(h.runId, "RunPaused");
    expect(payloadOf((await l.log(h.runId)).at(-1))).toMatchObject({ code: "PAWL1007", expected: "an open step" });
  });

  it("code that ends after something unrecorded has not ended: PAWL1007", proves("K15"), async () => {
    const l = await fresh(kind);
    const outside = deferred();
    const wf = workflow({ name: "wf" }, async (ctx) => {
      void ctx.sleep("keeps it open", "1h");
      await outside.promise;
      return "decided by chance";
    });
    const { engine } = await l.engine([wf]);
    const h = await engine.start(wf);
    await l.platform.settle();
    outside.open();
    await l.advanceUntilLine(h.runId, "RunPaused");
    expect(payloadOf((await l.log(h.runId)).at(-1))).toMatchObject({ code: "PAWL1007", found: "the end of the code" });
  });

  it("a ctx call from inside a step's function is no call of the code", proves("K15"), async () => {
    const l = await fresh(kind);
    const wf = workflow({ name: "wf" }, async (ctx) => {
      await ctx.step("outer", async () => {
        await Promise.resolve();
        await ctx.step("inner", () => 1);
      });
    });
    const { engine } = await l.engine([wf]);
    const h = await engine.start(wf);
    await l.advanceUntilLine(h.runId, "RunFailed");
    expect(payloadOf((await l.log(h.runId)).find((e) => e.eventType === "StepFailed"))).toMatchObject({ error: { code: "PAWL1030" } });
    expect(await l.lines(h.runId)).not.toContain("StepStarted inner");
  });

  it("microtasks and ticks between two recorded outcomes are part of the activation", proves("K15"), async () => {
    const l = await fresh(kind);
    const wf = workflow({ name: "wf" }, async (ctx) => {
      for (let i = 0; i < 50; i++) await Promise.resolve();
      await new Promise<void>((resolve) => process.nextTick(resolve));
      await new Promise<void>((resolve) => queueMicrotask(resolve));
      return ctx.step("a", () => "ok");
    });
    const { engine } = await l.engine([wf]);
    expect(await l.advanceUntil(engine.run(wf))).toBe("ok");
  });

  it("under another version a divergence gives the run to a live engine of the pinned one, at once", proves("K20"), async () => {
    const l = await fresh(kind);
    const ran: string[] = [];
    const v1 = define(step("a"), ran);
    const v2 = define(step("changed"), ran, "2");
    const a = await l.engine([v1], { lease: "1s" });
    const run = await a.client.start({ workflow: "wf", id: "r" });
    await l.advanceUntilLine(run.runId, "StepStarted nap");
    a.kill();
    const busy = deferred();
    const hog = workflow({ name: "hog" }, async (ctx) => ctx.step("hold", () => busy.promise));
    const pinned = await l.engine([v1, hog], { lease: "1s", liveRunsMax: 1 });
    await pinned.engine.start(hog); // no room: the other version gets the run first
    const other = await l.engine([v2], { lease: "1s" });
    await l.platform.advance(12_000);
    expect(other.core.metrics.get("pawl_divergences_total")).toBe(1);
    expect(await l.row(run.runId)).toMatchObject({ status: "RUNNING", owner: null, exactVersion: true });
    busy.open();
    const end = await l.advanceUntil(pinned.client.waitForEnd(run.runId));
    expect(end.status).toBe("COMPLETED");
    expect(await l.lines(run.runId)).not.toContain("RunPaused");
    expect(ran.filter((x) => x === "changed")).toEqual([]);
    const log = await l.log(run.runId);
    expect(payloadOf(log.find((e) => e.eventType === "RunStarted"))["codeVersion"]).toBe("1");
    expect((await l.row(run.runId)).version).toBe("1");
  });

  it(
    "a run that was released to its version, and whose engines are then all gone, is paused as diverged for all to see",
    proves("K20"),
    async () => {
      const l = await fresh(kind);
      const ran: string[] = [];
      const a = await l.engine([define(step("a"), ran)], { lease: "1s" });
      const run = await a.client.start({ workflow: "wf", id: "r" });
      await l.advanceUntilLine(run.runId, "StepStarted nap");
      a.kill();
      const hog = workflow({ name: "hog" }, async (ctx) => ctx.step("hold", () => deferred().promise));
      const pinned = await l.engine([define(step("a"), ran), hog], { lease: "1s", liveRunsMax: 1 });
      await pinned.engine.start(hog);
      const other = await l.engine([define(step("changed"), ran, "2")], { lease: "1s" });
      await l.platform.advance(12_000);
      expect(await l.row(run.runId)).toMatchObject({ status: "RUNNING", owner: null, exactVersion: true });
      pinned.kill();
      await l.platform.advance(30_000);
      expect(await l.lines(run.runId), "an engine of that version may still come").not.toContain("RunPaused");
      await l.advanceUntilLine(run.runId, "RunPaused");
      expect(payloadOf((await l.log(run.runId)).at(-1))).toMatchObject({ category: "DIVERGED", codeVersion: "2" });
      expect(await l.row(run.runId)).toMatchObject({ status: "PAUSED", exactVersion: false });
      expect([other.core.metrics.get("pawl_divergences_total"), ran]).toEqual([2, ["a"]]);
      const mended = await l.engine([define(step("a"), ran, "3")], { lease: "1s" });
      other.kill();
      await mended.client.control(run.runId, "resume", posted);
      expect((await l.advanceUntil(mended.client.waitForEnd(run.runId), 30_000)).status).toBe("COMPLETED");
    },
  );

  it("an engine's row names a workflow that it learned after it had enlisted", proves("K20"), async () => {
    const l = await fresh(kind);
    const { engine, core } = await l.engine([]);
    const late = workflow({ name: "late", version: "7" }, async () => 1);
    expect(await l.advanceUntil(engine.run(late))).toBe(1);
    await l.platform.settle();
    const { engines } = await l.store.info();
    expect(engines.find((e) => e.engineId === core.engineId)?.serves).toEqual([{ workflow: "late", version: "7" }]);
  });

  it("an engine of another tenant is none that a run could be left to, and is not shown", proves("K20", "I11"), async () => {
    const l = await fresh(kind);
    const tenant = { tenantId: "other", projectId: "p", environmentId: "e" };
    const foreign = await l.engine([define(step("a"), [])], { tenant });
    const a = await l.engine([define(step("a"), [])], { lease: "1s" });
    const run = await a.client.start({ workflow: "wf", id: "r" });
    await l.advanceUntilLine(run.runId, "StepStarted nap");
    const engines = async (e: ClusterEngine): Promise<unknown> =>
      (await e.client.info()).engines.map(({ engineId, tenant: of }) => [engineId, of]);
    expect(await engines(a)).toEqual([[a.core.engineId, "default/default/default"]]);
    expect(await engines(foreign)).toEqual([[foreign.core.engineId, "other/p/e"]]);
    a.kill();
    const b = await l.engine([define(step("changed"), [], "2")], { lease: "1s" });
    await l.advanceUntilLine(run.runId, "RunPaused");
    expect((await b.client.get(run.runId))?.status).toBe("PAUSED");
    expect((await l.row(run.runId)).exactVersion, "it was never left to that engine").toBe(false);
  });

  it(
    "without one it is RunPaused DIVERGED; a run that does not diverge goes on under the other version, its own pinned",
    proves("K20"),
    async () => {
      const l = await fresh(kind);
      const ran: string[] = [];
      const a = await l.engine([define(step("a"), ran)], { lease: "1s" });
      const diverging = await a.client.start({ workflow: "wf", id: "r" });
      await l.advanceUntilLine(diverging.runId, "StepStarted nap");
      a.kill();
      const b: ClusterEngine = await l.engine([define(step("changed"), ran, "2")], { lease: "1s" });
      await l.advanceUntilLine(diverging.runId, "RunPaused");
      expect(payloadOf((await l.log(diverging.runId)).at(-1))).toMatchObject({ category: "DIVERGED", codeVersion: "2" });
      b.kill();
      const c = await l.engine([define(step("a"), ran, "3")], { lease: "1s" });
      await c.client.control(diverging.runId, "resume", posted);
      expect((await l.advanceUntil(c.client.waitForEnd(diverging.runId))).status).toBe("COMPLETED");
      expect((await l.row(diverging.runId)).version).toBe("1");
    },
  );
});
