// Who owns a run, and what an owner may begin: death is declared before anything is claimed, a stale lease renews before an
// effect, a poisonous run becomes a decision, and a run that only waits leaves memory without losing a wake-up.
import { describe, expect, it } from "vitest";
import { PawlError } from "../errors/error.ts";
import type { Store } from "../store/port.ts";
import { workflow } from "../workflow/define.ts";
import { any, gate, labs, payloadOf, storeKinds } from "../../test/support/lab.ts";

const fresh = labs();

describe.each(storeKinds)("%s", (kind) => {
  it("K1 I4 a run is claimed only after its owner was declared dead; the epoch rises and the token is new", async () => {
    const l = await fresh(kind);
    const order: string[] = [];
    const wrap = (s: Store): Store => ({
      ...s,
      bury: async (q) => {
        const dead = await s.bury(q);
        if (dead.length > 0) order.push("declared");
        return dead;
      },
      claim: async (q) => {
        const rows = await s.claim(q);
        if (rows.length > 0) order.push("claimed");
        return rows;
      },
    });
    const wf = workflow({ name: "wf" }, async (ctx) => ctx.step("s", (s) => (s.fence === "1" ? new Promise<string>(() => {}) : s.fence)));
    const a = await l.engine([wf], { lease: "1s" });
    const h = await a.engine.start(wf);
    await l.platform.settle();
    const before = await l.row(h.runId);
    const b = await l.engine([wf], { lease: "1s", wrap });
    await l.platform.advance(10_000); // a lives and renews: nobody takes its run
    expect(order).toEqual([]);
    expect((await l.row(h.runId)).fence).toEqual(before.fence);
    a.die();
    expect((await l.until(b.client.end(h.runId))).result).toBe("2");
    expect(order).toEqual(["declared", "claimed"]);
    const after = await l.row(h.runId);
    expect(after.fence.epoch).toBe(2);
    expect(after.fence.token).not.toBe(before.fence.token);
    expect(after.fence.token).toMatch(/^[0-9a-f]{32}$/);
  });

  it("K1 I3 I4 an engine that was declared dead abandons its runs and begins again under a new id; what it knew changes nothing", async () => {
    const l = await fresh(kind);
    const slow = gate<string>();
    const ran: string[] = [];
    const wf = workflow({ name: "wf" }, async (ctx) => {
      const got = await ctx.step("s", (s) => {
        ran.push(`epoch ${s.fence}`);
        s.signal.addEventListener("abort", () => ran.push("aborted"));
        return s.fence === "1" ? slow.promise : "from the new owner";
      });
      ran.push(`saw ${got}`);
      return got;
    });
    const a = await l.engine([wf], { lease: "1s" });
    const h = await a.engine.start(wf);
    await l.platform.settle();
    const old = a.core.engineId;
    await l.store.bury({ self: old }); // as a partitioned engine's peers would, once its lease lapsed
    const b = await l.engine([wf], { lease: "1s" });
    await l.platform.advance(2_000);
    expect(a.core.engineId).not.toBe(old);
    slow.open("from the old owner");
    expect((await l.until(b.client.end(h.runId))).result).toBe("from the new owner");
    await l.platform.advance(2_000);
    expect(ran.filter((x) => x !== "aborted")).toEqual(["epoch 1", "epoch 2", "saw from the new owner"]);
    expect(ran).toContain("aborted"); // when it learned of its death
    expect((await l.log(h.runId)).filter((e) => e.eventType === "StepCompleted")).toHaveLength(1);
    // Born again, it works: under its new id, which is enlisted and alive.
    expect((await l.store.info()).engines.find((e) => e.engineId === a.core.engineId)).toMatchObject({ dead: false });
    expect(await l.until(a.engine.run(workflow({ name: "later" }, async (ctx) => ctx.step("s", () => "alive"))))).toBe("alive");
  });

  it.each([
    ["monotonic", (p: { advance(ms: number): Promise<void> }) => p.advance(600)],
    ["wall", (p: { skew(ms: number): void }) => p.skew(600)],
    ["uptime", (p: { suspend(ms: number): void }) => p.suspend(600)],
  ] as const)("K3 when the last renewal was sent 500 ms ago by the %s clock, it is renewed before an effect begins", async (_, pass) => {
    const l = await fresh(kind);
    const order: string[] = [];
    const answer = gate();
    const wrap = (s: Store): Store => ({
      ...s,
      renew: async (r) => {
        order.push("renew");
        await answer.promise;
        return s.renew(r);
      },
      // No renewal rides with a Commit here: the only way is the verb.
      commit: async (batch) => s.commit(batch),
    });
    const wf = workflow({ name: "wf" }, async (ctx) => ctx.step("s", () => order.push("effect")));
    const e = await l.engine([wf], { wrap, lease: "60s" });
    await l.platform.settle();
    await pass(l.platform as never);
    const started = await l.until(e.engine.start(wf));
    await l.platform.settle();
    expect(order).toEqual(["renew"]);
    expect(await l.lines(started.runId)).toEqual(["RunStarted", "StepStarted s"]);
    answer.open();
    await l.until(started.result());
    expect(order).toEqual(["renew", "effect"]);
  });

  it("K3 an answer that took its time is not fresh: it is renewed again; a store that is away is asked until it is back", async () => {
    const l = await fresh(kind);
    let asked = 0;
    let begun = 0;
    const wrap = (s: Store): Store => ({
      ...s,
      renew: async (r) => {
        asked++;
        if (asked === 1) throw new PawlError("PAWL3002", "away");
        if (asked === 2) await new Promise<void>((resolve) => void l.platform.timer(700, resolve));
        return s.renew(r);
      },
      commit: async (batch) => s.commit(batch),
    });
    const wf = workflow({ name: "wf" }, async (ctx) => ctx.step("s", () => (begun = asked)));
    const e = await l.engine([wf], { wrap, lease: "60s" });
    l.platform.skew(600);
    expect(await l.until(e.engine.run(wf))).toBe(3);
    expect(begun).toBe(3);
  });

  it("K3 a lapsed lease never forbids committing an outcome already in hand", async () => {
    const l = await fresh(kind);
    const away = gate();
    const wrap = (s: Store): Store => ({
      ...s,
      renew: async (r) => (await away.promise, s.renew(r)),
      commit: async (batch) => s.commit(batch),
    });
    const slow = gate<string>();
    const wf = workflow({ name: "wf" }, async (ctx) => ctx.step("s", () => slow.promise));
    const e = await l.engine([wf], { wrap, lease: "1s" });
    const h = await e.engine.start(wf);
    await l.platform.advance(5_000); // lapsed; nobody declared it dead
    slow.open("in hand");
    expect(await l.until(h.result())).toBe("in hand");
  });

  it("K5 engines claim only workflows they know", async () => {
    const l = await fresh(kind);
    const known = workflow({ name: "known" }, async () => "k");
    const other = await l.engine([workflow({ name: "other" }, async () => 0)]);
    const { runId } = await other.client.start({ workflow: "known", version: "1" });
    await l.platform.advance(5_000);
    expect(await l.row(runId)).toMatchObject({ status: "PENDING", owner: null, fence: { epoch: 0 } });
    const e = await l.engine([known]);
    expect((await l.until(e.client.end(runId))).result).toBe("k");
  });

  it("K5 K27 after five claims in a row without a Commit the run becomes a decision, and kills no sixth engine", async () => {
    const l = await fresh(kind);
    let began = 0;
    let deadly = true;
    const wf = workflow({ name: "wf" }, async () => {
      began++;
      return deadly ? null : "well";
    });
    const first = await l.engine([workflow({ name: "none" }, async () => 0)]);
    const { runId } = await first.client.start({ workflow: "wf" });
    first.die();
    for (let i = 0; i < 5; i++) {
      // It dies before anything of the run is committed: as code that ends the process would.
      const e = await l.engine([wf], { lease: "1s", onHit: (p) => p === "engine:commit" }).catch(() => undefined);
      await l.platform.advance(5_000);
      expect(e?.alive ?? false).toBe(false);
    }
    expect((await l.row(runId)).idleClaims).toBe(5);
    expect(began).toBe(5);
    const survivor = await l.engine([wf], { lease: "1s" });
    await l.platform.advance(20_000);
    expect(began).toBe(5);
    expect(await survivor.client.get(runId)).toMatchObject({ status: "PENDING", waiting: "decision" });
    deadly = false;
    await survivor.client.control(runId, "resume", { reason: "mended" });
    expect((await l.until(survivor.client.end(runId))).result).toBe("well");
  });

  it("K5 K21 D-043 D-044 after five engine attempts of one logical attempt the step is a decision; engineAttemptId counts real re-dispatches only", async () => {
    const l = await fresh(kind);
    const seen: [number, number][] = [];
    const wf = workflow({ name: "wf" }, async (ctx) => {
      await ctx.step("fine", () => 1);
      await ctx.step("deadly", (s) => (seen.push([s.attempt.logical, s.attempt.engine]), new Promise<never>(() => {})));
    });
    let e = await l.engine([wf], { lease: "1s" });
    const h = await e.engine.start(wf);
    for (let i = 0; i < 6; i++) {
      await l.platform.advance(5_000);
      e.die();
      e = await l.engine([wf], { lease: "1s" });
    }
    await l.platform.advance(10_000);
    expect(seen).toEqual([1, 2, 3, 4, 5].map((n) => [1, n]));
    expect(await l.row(h.runId)).toMatchObject({ status: "RUNNING", waiting: "decision" });
    const log = await l.log(h.runId);
    // K21: visible before it happens, never a second StepStarted.
    expect(log.filter((x) => x.eventType === "StepStarted" && x.stepId === "deadly")).toHaveLength(1);
    const redispatched = log.filter((x) => x.eventType === "pawl.StepRedispatched").map(payloadOf);
    expect(redispatched.map((p) => [p["stepId"], p["engineAttemptId"]])).toEqual([2, 3, 4, 5].map((n) => ["deadly", n]));
    expect(redispatched.map((p) => p["fence"])).toEqual([2, 3, 4, 5]);
    expect(log.filter((x) => x.stepId === "fine").map((x) => x.engineAttemptId)).toEqual([1, 1]);
    expect(log.filter((x) => x.stepId === null).every((x) => x.engineAttemptId === 1)).toBe(true);
  });

  it("K21 the outcome of a re-dispatch carries its engineAttemptId; the epoch is not it", async () => {
    const l = await fresh(kind);
    const wf = workflow({ name: "wf", signals: { go: any() } }, async (ctx) => {
      await ctx.receive("go");
      return ctx.step("s", (s) => (s.attempt.engine === 1 ? new Promise<number[]>(() => {}) : [Number(s.fence), s.attempt.engine]));
    });
    const a = await l.engine([wf], { lease: "1s", idle: "100ms" });
    const h = await a.engine.start(wf);
    for (let i = 0; i < 3; i++) await l.platform.advance(2_000); // parked and claimed: epochs rise without attempts
    await h.signal("go", 1);
    await l.platform.advance(2_000);
    a.die();
    const b = await l.engine([wf], { lease: "1s" });
    const [epoch, engine] = (await l.until(b.client.end(h.runId))).result as [number, number];
    expect(engine).toBe(2);
    expect(epoch).toBeGreaterThan(2);
    expect((await l.log(h.runId)).find((e) => e.eventType === "StepCompleted" && e.stepId === "s")?.engineAttemptId).toBe(2);
  });

  it("K18 a waiting run leaves memory after it was idle; timer and signal wake it, and a signal that nobody awaits wakes nobody twice", async () => {
    const l = await fresh(kind);
    let claims = 0;
    const wrap = (s: Store): Store => ({
      ...s,
      claim: async (q) => {
        const rows = await s.claim(q);
        claims += rows.length;
        return rows;
      },
    });
    const wf = workflow({ name: "wf", signals: { wanted: any(), other: any() } }, async (ctx) => {
      const got = await ctx.receive("wanted");
      await ctx.sleep("nap", "30s");
      return [got, await ctx.receive("other")];
    });
    const { engine, core } = await l.engine([wf], { wrap });
    const h = await engine.start(wf);
    await l.platform.advance(4_000);
    expect(core.liveRuns).toBe(1);
    await l.platform.advance(2_000);
    expect(core.liveRuns).toBe(0);
    expect(await l.row(h.runId)).toMatchObject({ owner: null, dueAt: null, waiting: "signal" });
    await h.signal("other", "kept");
    await l.platform.advance(60_000);
    expect(claims).toBe(1); // it was looked at once, and parked again
    expect(await l.row(h.runId)).toMatchObject({ owner: null, dueAt: null, waiting: "signal" });
    await h.signal("wanted", "w");
    await l.platform.advance(10_000);
    expect(claims).toBe(2);
    expect(await l.row(h.runId)).toMatchObject({ owner: null, waiting: "timer" });
    expect(await l.until(h.result())).toEqual(["w", "kept"]);
    expect(claims).toBe(3);
  });

  it("K18 a wake-up that comes while a run is being parked is not lost", async () => {
    const l = await fresh(kind);
    const { parked, wrap } = parking();
    const wf = workflow({ name: "wf", signals: { s: any() } }, async (ctx) => ctx.receive("s"));
    const { engine } = await l.engine([wf], { wrap, idle: "1s" });
    const h = await engine.start(wf);
    parked.before = () =>
      l.store.post({
        scope: scopeOf(),
        target: { workflowId: h.workflowId },
        kind: "signal",
        name: "s",
        id: "x",
        payload: '"just in time"',
        retainMs: null,
      });
    expect(await l.until(h.result(), 30_000)).toBe("just in time");
  });

  it("under pressure runs that only wait leave memory first, and all come to their end", async () => {
    const l = await fresh(kind);
    let most = 0;
    const wf = workflow({ name: "wf", input: any<number>() }, async (ctx, n) => {
      await ctx.sleep("nap", 3_000 + n * 10);
      return n;
    });
    const e = await l.engine([wf], { liveRunsMax: 10, idle: "1h" });
    const runs = Array.from({ length: 40 }, async (_, n) => {
      const h = await e.engine.start(wf, n);
      most = Math.max(most, e.core.liveRuns);
      return h.result();
    });
    expect(await l.until(Promise.all(runs))).toEqual(Array.from({ length: 40 }, (_, n) => n));
    expect(most).toBeLessThanOrEqual(10);
  });

  it("stop lets steps finish, commits what came in, hands every run back; the next engine goes on at once", async () => {
    const l = await fresh(kind);
    const slow = gate<string>();
    const ran: string[] = [];
    const wf = workflow({ name: "wf" }, async (ctx) => {
      const x = await ctx.step("slow", () => slow.promise);
      return ctx.step("next", () => (ran.push("next"), x));
    });
    const a = await l.engine([wf]);
    const h = await a.engine.start(wf);
    await l.platform.settle();
    const stopped = a.engine.stop({ grace: "10s" });
    await l.platform.advance(1_000);
    await expect(a.engine.start(wf)).rejects.toMatchObject({ code: "PAWL5003" });
    slow.open("x");
    await l.until(stopped);
    expect(ran).toEqual([]); // recorded, not gone on with
    expect(await l.row(h.runId)).toMatchObject({ owner: null, status: "RUNNING" });
    expect((await l.lines(h.runId)).at(-1)).toBe("StepCompleted slow");
    expect((await l.store.info()).engines).toEqual([]);
    const b = await l.engine([wf]);
    expect((await l.until(b.client.end(h.runId))).result).toBe("x");
  });

  it("stop aborts what outlives its grace, and hands it back to be recovered by its class", async () => {
    const l = await fresh(kind);
    let aborted = 0;
    const wf = workflow({ name: "wf" }, async (ctx) =>
      ctx.step("slow", (s) =>
        s.attempt.engine > 1 ? "second" : (s.signal.addEventListener("abort", () => aborted++), new Promise<string>(() => {})),
      ),
    );
    const a = await l.engine([wf]);
    const h = await a.engine.start(wf);
    await l.platform.settle();
    await l.until(a.engine.stop({ grace: "1s" }));
    expect(aborted).toBe(1);
    expect(await l.row(h.runId)).toMatchObject({ owner: null, dueAt: 0 });
    const b = await l.engine([wf]);
    expect((await l.until(b.client.end(h.runId))).result).toBe("second");
  });

  it("I12 faults of the store end, and every run comes to its end: reads, claims and commits that failed are asked again", async () => {
    const l = await fresh(kind);
    let faulty = true;
    let n = 0;
    const flaky =
      <A extends unknown[], R>(f: (...a: A) => Promise<R>) =>
      async (...a: A): Promise<R> => {
        if (faulty && n++ % 3 !== 0) throw new PawlError("PAWL3002", "away");
        return f(...a);
      };
    const wrap = (s: Store): Store => ({
      ...s,
      claim: flaky(s.claim),
      events: flaky(s.events),
      inbox: flaky(s.inbox),
      commit: flaky(s.commit),
      renew: flaky(s.renew),
    });
    const child = workflow({ name: "child" }, async (ctx) => ctx.step("c", () => "c"));
    const wf = workflow({ name: "wf", signals: { s: any() } }, async (ctx) => [
      await ctx.step("a", () => "a"),
      await ctx.call(child),
      await ctx.receive("s"),
    ]);
    const quiet = await l.engine([workflow({ name: "none" }, async () => 0)]);
    const ids = await Promise.all(Array.from({ length: 6 }, (_, i) => quiet.client.start({ workflow: "wf", id: `r${i}` })));
    const e = await l.engine([wf, child], { wrap, lease: "5s" });
    await l.platform.advance(3_000);
    for (const { workflowId } of ids) await quiet.client.signal(workflowId, "s", "s");
    await l.platform.advance(10_000);
    faulty = false;
    const ends = await l.until(Promise.all(ids.map(({ runId }) => quiet.client.end(runId))), 120_000);
    expect(ends.map((x) => x.result)).toEqual(ids.map(() => ["a", "c", "s"]));
    expect(e.engine.health()).toEqual({ ok: true, trouble: null });
  });
});

const scopeOf = () => ({ tenantId: "default", projectId: "default", environmentId: "default" });

/** A store that calls `before` just ahead of the Commit that parks the run. */
function parking(): { parked: { before: (() => Promise<unknown>) | null }; wrap: (s: Store) => Store } {
  const parked: { before: (() => Promise<unknown>) | null } = { before: null };
  return {
    parked,
    wrap: (s) => ({
      ...s,
      commit: async (batch, renew) => {
        if (batch.some((c) => c.release) && parked.before !== null) {
          const f = parked.before;
          parked.before = null;
          await f();
        }
        return s.commit(batch, renew);
      },
    }),
  };
}
