// Starting runs and what a caller may say with it: ids, keys, conflicts, delays, deadlines, tags; and what a handle tells.
// Guards that the same id never starts twice by itself, and that a delay or deadline is kept by the store's clock (I10).
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { workflow } from "../../workflow/define.ts";
import { anySchema, deferred, testClusters, payloadOf, storeKinds } from "../../../test/support/test-cluster.ts";
import { proves } from "../../../test/support/proves.ts";

const fresh = testClusters();

describe.each(storeKinds)("%s", (kind) => {
  it("the same id attaches while the run lives and after it has ended; another input is refused", proves("C2"), async () => {
    const l = await fresh(kind);
    let began = 0;
    const wf = workflow({ name: "wf", input: anySchema<number>() }, async (ctx, n) => ctx.step("s", () => (began++, n)));
    const { engine } = await l.engine([wf]);
    const first = await engine.start(wf, 1, { id: "a" });
    const second = await engine.start(wf, 1, { id: "a" });
    expect([first.created, second.created, second.runId]).toEqual([true, false, first.runId]);
    expect(await l.advanceUntil(second.result())).toBe(1);
    expect(await l.advanceUntil(engine.run(wf, 1, { id: "a" }))).toBe(1);
    expect(began).toBe(1);
    await expect(engine.start(wf, 2, { id: "a" })).rejects.toMatchObject({ code: "PAWL4009" });
    await expect(
      engine.start(
        workflow({ name: "other" }, async () => 0),
        undefined,
        { id: "a" },
      ),
    ).rejects.toMatchObject({ code: "PAWL4002" });
  });

  it(
    "after many new ids in a row nothing is read first; an id that has a run is attached to all the same, and then reads are back",
    proves("C2"),
    async () => {
      const l = await fresh(kind);
      let began = 0;
      const wf = workflow({ name: "wf", input: anySchema<number>() }, async (ctx, n) => ctx.step("s", () => (began++, n)));
      const reads: string[] = [];
      const { engine } = await l.engine([wf], {
        wrap: (s) =>
          new Proxy(s, {
            get: (t, name) =>
              name === "run"
                ? (q: { workflowId?: string }) => (q.workflowId !== undefined && reads.push(q.workflowId), t.run(q as never))
                : Reflect.get(t, name),
          }),
      });
      for (let i = 0; i < 20; i++) await l.advanceUntil(engine.run(wf, i, { id: `n-${i}` }));
      expect(reads).toEqual(Array.from({ length: 16 }, (_, i) => `n-${i}`));
      const again = await l.advanceUntil(engine.start(wf, 3, { id: "n-3" }));
      expect([again.created, await l.advanceUntil(again.result()), began]).toEqual([false, 3, 20]);
      await expect(l.advanceUntil(engine.start(wf, 4, { id: "n-3" }))).rejects.toMatchObject({ code: "PAWL4009" });
      expect(reads.filter((id) => id === "n-3").length).toBe(2);
    },
  );

  it("many starts of one id at once make one run", proves("C2", "K9"), async () => {
    const l = await fresh(kind);
    let began = 0;
    const wf = workflow({ name: "wf" }, async (ctx) => ctx.step("s", () => ++began));
    const { engine } = await l.engine([wf]);
    const all = await l.advanceUntil(Promise.all(Array.from({ length: 20 }, () => engine.start(wf, undefined, { id: "one" }))));
    expect(all.filter((h) => h.created)).toHaveLength(1);
    expect(new Set(all.map((h) => h.runId)).size).toBe(1);
    expect(await l.advanceUntil(all[7]!.result())).toBe(1);
    expect(began).toBe(1);
  });

  it("onConflict: reject refuses, restart ends the old run and begins a new one, which remembers it", proves("K19"), async () => {
    const l = await fresh(kind);
    const wf = workflow({ name: "wf", input: anySchema<number>(), signals: { s: anySchema() } }, async (ctx, n) =>
      n === 1 ? ctx.receive("s") : n,
    );
    const { engine } = await l.engine([wf]);
    const old = await engine.start(wf, 1, { id: "a" });
    await expect(engine.start(wf, 1, { id: "a", onConflict: "rejct" as "reject" })).rejects.toMatchObject({ code: "PAWL4011" });
    await expect(engine.start(wf, 1, { id: "a", onConflict: "reject" })).rejects.toMatchObject({
      code: "PAWL4002",
      data: { runId: old.runId },
    });
    const next = await l.advanceUntil(engine.start(wf, 2, { id: "a", onConflict: "restart" }));
    expect(next.created).toBe(true);
    expect(await l.advanceUntil(next.result())).toBe(2);
    expect(await l.row(old.runId)).toMatchObject({ status: "CANCELLED", generation: 1 });
    expect(await l.row(next.runId)).toMatchObject({ status: "COMPLETED", generation: 2, originalRunId: old.runId });
  });

  it("an idempotency key finds the first run, whatever id a repeat would have had", proves("C2"), async () => {
    const l = await fresh(kind);
    const wf = workflow({ name: "wf", input: anySchema<number>() }, async (_, n) => n);
    const { engine } = await l.engine([wf]);
    const first = await engine.start(wf, 1, { idempotencyKey: "k" });
    const again = await engine.start(wf, 1, { idempotencyKey: "k" });
    expect([again.created, again.runId, again.workflowId]).toEqual([false, first.runId, first.workflowId]);
    await expect(engine.start(wf, 2, { idempotencyKey: "k" })).rejects.toMatchObject({ code: "PAWL4053", data: { differs: "input" } });
  });

  it("an id may come from the input; without one the run is its own workflow", async () => {
    const l = await fresh(kind);
    const wf = workflow(
      { name: "wf", input: z.object({ order: z.string() }), id: (i) => `order-${i.order}` },
      async (ctx) => ctx.run.workflowId,
    );
    const plain = workflow({ name: "plain" }, async (ctx) => ctx.run.workflowId === ctx.run.runId);
    const { engine } = await l.engine([wf, plain]);
    expect(await l.advanceUntil(engine.run(wf, { order: "7" }))).toBe("order-7");
    expect(await l.advanceUntil(engine.run(plain))).toBe(true);
  });

  it("input is checked by the schema before anything is written; a run that was queued without it fails as INVALID_INPUT", async () => {
    const l = await fresh(kind);
    const wf = workflow({ name: "wf", input: z.object({ n: z.coerce.number() }) }, async (_, i) => i.n);
    const e = await l.engine([wf]);
    await expect(e.engine.start(wf, { n: {} } as never, { id: "bad" })).rejects.toMatchObject({
      code: "PAWL1008",
      message: expect.stringContaining("input.n"),
    });
    expect(await e.client.get("bad")).toBeUndefined();
    expect(await l.advanceUntil(e.engine.run(wf, { n: "5" }))).toBe(5);
    const stranger = await l.engine([workflow({ name: "other" }, async () => 0)]);
    const queued = await stranger.client.start({ workflow: "wf", input: { n: {} } });
    const fine = await stranger.client.start({ workflow: "wf", input: { n: "6" } });
    expect(await l.advanceUntil(e.client.waitForEnd(queued.runId))).toMatchObject({ status: "FAILED", category: "INVALID_INPUT" });
    expect(await l.advanceUntil(e.client.waitForEnd(fine.runId))).toMatchObject({ status: "COMPLETED", result: 6 });
  });

  it("a child with an input that its schema refuses fails its caller's step, and does not hang it", proves("K8", "I12"), async () => {
    const l = await fresh(kind);
    const child = workflow({ name: "child", input: z.object({ n: z.number() }) }, async (_, i) => i.n);
    const wf = workflow({ name: "wf" }, async (ctx) =>
      ctx.call(child, { n: "x" } as never).catch((e: { category: string; cause: { code: string } }) => [e.category, e.cause.code]),
    );
    const { engine } = await l.engine([wf, child]);
    expect(await l.advanceUntil(engine.run(wf))).toEqual(["CHILD_FAILED", "PAWL1008"]);
  });

  it("a delayed run begins at its time and not before, not even when a signal comes first", proves("I10"), async () => {
    const l = await fresh(kind);
    let began = 0;
    const wf = workflow({ name: "wf", signals: { s: anySchema() } }, async (ctx) => {
      began ||= l.platform.wallMs();
      return ctx.receive("s");
    });
    const { engine } = await l.engine([wf]);
    const from = l.platform.wallMs();
    const h = await engine.start(wf, undefined, { id: "later", delay: "30s" });
    expect(await h.status()).toEqual({ status: "PENDING", waiting: "timer" });
    await l.platform.advance(5_000);
    await h.signal("s", "early bird");
    await l.platform.advance(20_000);
    expect(began).toBe(0);
    expect(await h.status()).toEqual({ status: "PENDING", waiting: "timer" });
    expect(await l.advanceUntil(h.result())).toBe("early bird");
    expect(began - from).toBeGreaterThanOrEqual(30_000);
    expect(began - from).toBeLessThan(31_000);
    expect((await l.lines(h.runId)).slice(0, 2)).toEqual(["RunQueued", "RunStarted"]);
  });

  it("a delayed run that is paused before its time does nothing when it begins, until it is resumed; both before its time are nothing", async () => {
    const l = await fresh(kind);
    const ran: string[] = [];
    const wf = workflow({ name: "wf", input: anySchema<string>() }, async (ctx, name) => ctx.step("s", () => void ran.push(name)));
    const { engine } = await l.engine([wf]);
    const paused = await engine.start(wf, "paused", { delay: "1m" });
    await paused.pause("not yet");
    const both = await engine.start(wf, "both", { delay: "1m" });
    await both.pause();
    await l.platform.advance(1_000);
    await both.resume();
    await l.platform.advance(90_000);
    await l.advanceUntil(both.result());
    expect([ran, await l.lines(paused.runId)]).toEqual([["both"], ["RunQueued", "RunStarted", "RunPaused"]]);
    await paused.resume();
    await l.advanceUntil(paused.result());
    expect(ran).toEqual(["both", "paused"]);
  });

  it("a delayed run that is cancelled before its time never begins", proves("I10"), async () => {
    const l = await fresh(kind);
    let began = 0;
    const wf = workflow({ name: "wf" }, async () => ++began);
    const { engine } = await l.engine([wf]);
    const h = await engine.start(wf, undefined, { delay: "30s" });
    await h.cancel("no");
    await expect(l.advanceUntil(h.result(), 10_000)).rejects.toMatchObject({ code: "PAWL1014" });
    await l.platform.advance(60_000);
    expect(began).toBe(0);
    expect(await l.lines(h.runId)).toEqual(["RunQueued", "RunCancelled"]);
  });

  it("a time limit holds for whoever the run was created by, for a retry and for the rest of a line", proves("K19"), async () => {
    const l = await fresh(kind);
    const limited = workflow({ name: "limited", timeout: "20s" }, async (ctx) => ctx.sleep("nap", "1h"));
    const rounds = workflow({ name: "rounds", input: anySchema<number>(), timeout: "15s" }, async (ctx, n) => {
      if (n !== 9) await ctx.sleep("nap", "10s"); // or at once, before it is created
      if (n > 1) ctx.continueAsNew(n - 1);
    });
    const a = await l.engine([limited, rounds], { lease: "1s" });
    const late = { code: "PAWL1013", data: { category: "TIMEOUT" } };
    const past = async (runId: string): Promise<number> => {
      const end = (await l.log(runId)).find((e) => e.eventType === "pawl.CancelRequested");
      return end!.persistedAt - (await l.row(runId)).createdAt;
    };
    // By a client that knows only its name; its owner dies, and the next one still knows.
    const { runId } = await a.client.start({ workflow: "limited", id: "named" });
    await l.advanceUntilLine(runId, "StepStarted nap");
    a.kill();
    const { engine } = await l.engine([limited, rounds], { lease: "1s" });
    const named = (await engine.get(limited, "named"))!;
    await expect(l.advanceUntil(named.result())).rejects.toMatchObject(late);
    const retried = await named.retry();
    await expect(l.advanceUntil(retried.result())).rejects.toMatchObject(late);
    for (const id of [runId, retried.runId]) expect(await past(id)).toBeGreaterThanOrEqual(20_000);
    // The workflow's own limit is for each run, the caller's deadline for all of them.
    await l.advanceUntil(engine.run(rounds, 3, { id: "free" }));
    const line = await engine.start(rounds, 9, { id: "line", deadline: "25s" });
    await expect(l.advanceUntil(line.result())).rejects.toMatchObject(late);
    expect(
      await engine
        .get(rounds, "line")
        .then((h) => h!.runId)
        .then(past),
    ).toBeLessThan(6_000);
  });
  it.each(["deadline", "timeout"] as const)(
    "past its %s a run fails as TIMEOUT, never earlier, after its compensations, also when its owner died",
    proves("I10", "K19"),
    async (which) => {
      const l = await fresh(kind);
      const undone: number[] = [];
      const wf = workflow({ name: "wf", ...(which === "timeout" ? { timeout: "20s" } : {}) }, async (ctx) => {
        await ctx.step("a", () => 1, { compensate: () => void undone.push(l.platform.wallMs()) });
        await ctx.sleep("nap", "1h").catch(() => ctx.step("in vain", () => 1));
      });
      const a = await l.engine([wf], { lease: "1s" });
      const from = l.platform.wallMs();
      const h = await a.engine.start(wf, undefined, which === "deadline" ? { deadline: "20s" } : {});
      await l.platform.advance(8_000);
      a.kill();
      let armed = true;
      const b = await l.engine([wf], { lease: "1s", onHit: (p) => armed && p === "a/~compensate:B" });
      await l.platform.advance(11_500);
      expect((await l.row(h.runId)).status).toBe("RUNNING");
      await l.platform.advance(3_000);
      expect(b.alive).toBe(false); // it died while it was undoing: the deadline is in the log
      armed = false;
      const c = await l.engine([wf], { lease: "1s" });
      expect(await l.advanceUntil(c.client.waitForEnd(h.runId))).toMatchObject({ status: "FAILED", category: "TIMEOUT" });
      expect(undone[0]! - from).toBeGreaterThanOrEqual(20_000);
      expect(await l.lines(h.runId)).toEqual([
        "RunStarted",
        "StepStarted a",
        "StepCompleted a",
        "StepStarted nap",
        "pawl.CancelRequested",
        "StepFailed nap",
        "pawl.CallRefused",
        "StepStarted a/~compensate",
        "pawl.TakenOver",
        "pawl.StepRedispatched",
        "StepCompleted a/~compensate",
        "RunFailed",
      ]);
      expect(payloadOf((await l.log(h.runId)).at(-1))).toMatchObject({ category: "TIMEOUT" });
    },
  );

  it("tags are kept, listed by, and not mixed up; a handle tells status, steps and events", async () => {
    const l = await fresh(kind);
    const wf = workflow({ name: "wf", signals: { s: anySchema() } }, async (ctx) => ctx.receive("s"));
    const e = await l.engine([wf]);
    const a = await e.engine.start(wf, undefined, { id: "a", tags: { team: "x", tier: "1" } });
    await e.engine.start(wf, undefined, { id: "b", tags: { team: "y" } });
    await l.platform.settle();
    const ids = async (tags: Record<string, string>): Promise<string[]> => (await e.engine.list({ tags })).runs.map((r) => r.workflowId);
    expect(await ids({ team: "x" })).toEqual(["a"]);
    expect(await ids({ team: "x", tier: "2" })).toEqual([]);
    expect(await ids({ team: "y" })).toEqual(["b"]);
    await expect(e.engine.list({ status: ["running" as never] })).rejects.toMatchObject({ code: "PAWL4011" });
    expect((await e.client.get("a"))?.tags).toEqual({ team: "x", tier: "1" });
    expect(await a.status()).toEqual({ status: "RUNNING", waiting: "signal" });
    expect(await a.steps()).toMatchObject([{ stepId: "s", kind: "signal", status: "RUNNING", attempts: 1 }]);
    await expect(e.engine.start(wf, undefined, { tags: { n: 1 as never } })).rejects.toMatchObject({ code: "PAWL4011" });
    const events: string[] = [];
    for await (const ev of a.events()) events.push(ev.eventType);
    expect(events).toEqual(["RunStarted", "StepStarted"]);
    expect(await e.engine.get(wf, "b")).toMatchObject({ workflowId: "b" });
    expect(await e.engine.get(wf, "none")).toBeUndefined();
  });

  it("events can be followed to the end; a result can be waited for with a limit, and the run goes on", async () => {
    const l = await fresh(kind);
    const slow = deferred<string>();
    const wf = workflow({ name: "wf" }, async (ctx) => ctx.step("s", () => slow.promise));
    const { engine } = await l.engine([wf]);
    const h = await engine.start(wf);
    await expect(l.advanceUntil(h.result({ timeout: "2s" }))).rejects.toMatchObject({ code: "PAWL4006" });
    const followed = (async () => {
      const types: string[] = [];
      for await (const e of h.events({ follow: true })) types.push(e.eventType);
      return types;
    })();
    await l.platform.advance(1_000);
    slow.open("x");
    expect(await l.advanceUntil(followed)).toEqual(["RunStarted", "StepStarted", "StepCompleted", "RunCompleted"]);
    expect(await h.result()).toBe("x");
  });

  it("a settled run never changes: signals, updates and control of it are refused, and its log stays", proves("I8"), async () => {
    const l = await fresh(kind);
    const wf = workflow({ name: "wf", signals: { s: anySchema() }, updates: { u: { input: anySchema() } } }, async () => "done");
    const e = await l.engine([wf]);
    const h = await e.engine.start(wf);
    await l.advanceUntil(h.result());
    const before = [await l.row(h.runId), await l.log(h.runId)];
    const refused = { code: "PAWL4003" };
    await expect(h.signal("s", 1)).rejects.toMatchObject(refused);
    await expect(l.advanceUntil(h.update("u", 1))).rejects.toMatchObject(refused);
    for (const what of ["pause", "resume", "cancel", "terminate"] as const) await expect(h[what]("x")).rejects.toMatchObject(refused);
    await l.platform.advance(30_000);
    expect([await l.row(h.runId), await l.log(h.runId)]).toEqual(before);
  });

  it("a workflow's two names: the same function is one, another under the same name is refused", async () => {
    const l = await fresh(kind);
    const one = workflow({ name: "wf" }, async () => 1);
    const two = workflow({ name: "wf" }, async () => 2);
    await expect(l.engine([one, two])).rejects.toMatchObject({ code: "PAWL5004" });
    const { engine } = await l.engine([one]);
    await expect(engine.start(two)).rejects.toMatchObject({ code: "PAWL5004" });
    await expect(engine.start({ name: "wf", version: "1" } as never, undefined as never)).rejects.toMatchObject({ code: "PAWL4008" });
  });
});
