// Who owns a run, and what an owner may begin: death is declared before anything is claimed, a stale lease renews before an
// effect, a poisonous run becomes a decision, and a run that only waits leaves memory without losing a wake-up.
import { describe, expect, it } from "vitest";
import { PawlError } from "../../errors/error.ts";
import type { FullStore } from "../../store/full-store.ts";
import { workflow } from "../../workflow/define.ts";
import { anySchema, deferred, testClusters, payloadOf, storeKinds } from "../../../test/support/test-cluster.ts";
import { proves } from "../../../test/support/proves.ts";
import { posted } from "../../../test/support/posted.ts";

const fresh = testClusters();

describe.each(storeKinds)("%s", (kind) => {
  it(
    "a run is claimed only after its owner was declared dead; the epoch rises and the token is new",
    proves("K1", "I4", "AX-16"),
    async () => {
      const l = await fresh(kind);
      const order: string[] = [];
      const wrap = (s: FullStore): FullStore => ({
        ...s,
        declareDead: async (q) => {
          const dead = await s.declareDead(q);
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
      a.kill();
      expect((await l.advanceUntil(b.client.waitForEnd(h.runId))).result).toBe("2");
      expect(order).toEqual(["declared", "claimed"]);
      const after = await l.row(h.runId);
      expect(after.fence.epoch).toBe(2);
      expect(after.fence.token).not.toBe(before.fence.token);
      expect(after.fence.token).toMatch(/^[0-9a-f]{32}$/);
    },
  );

  it("a run that only waited when its owner died says who took it over, from whom and since when", proves("K21"), async () => {
    const l = await fresh(kind);
    const wf = workflow({ name: "wf", signals: { go: anySchema() } }, async (ctx) => ctx.receive("go"));
    const a = await l.engine([wf], { lease: "1s" });
    const h = await a.engine.start(wf, undefined, { id: "w" });
    await l.platform.settle();
    const lost = a.core.engineId;
    a.kill();
    const b = await l.engine([wf], { lease: "1s" });
    await l.platform.advance(60_000); // it waits: nobody is missing
    await b.client.signal("w", "go", 1);
    expect((await l.advanceUntil(b.client.waitForEnd(h.runId))).result).toBe(1);
    const log = await l.log(h.runId);
    const at = log.findIndex((e) => e.eventType === "pawl.TakenOver");
    expect(log.map((e) => e.eventType).slice(at)).toEqual(["pawl.TakenOver", "StepCompleted", "RunCompleted"]);
    expect(log[at]!.stateVersion).toBe(log.at(-1)!.stateVersion); // no Commit of its own
    const payload = payloadOf(log[at]) as { since: number };
    expect(payload).toEqual({ engine: b.core.engineId, lost, fence: 2, since: payload.since });
    const [gap, ...more] = (await b.client.timeline("w")).gaps;
    expect(more).toEqual([]);
    expect(gap).toMatchObject({ reason: "crash", engine: b.core.engineId, lost });
    expect(Date.parse(gap!.from)).toBe(payload.since); // the signal's time, not the time of the crash
    expect(payload.since - log[at - 1]!.persistedAt).toBeGreaterThanOrEqual(60_000);
  });

  it("a run that was handed back, or left memory because it waits, is taken over from nobody", proves("K21"), async () => {
    const l = await fresh(kind);
    const wf = workflow({ name: "wf", signals: { go: anySchema() } }, async (ctx) => [await ctx.receive("go"), await ctx.receive("go")]);
    const a = await l.engine([wf], { lease: "1s" });
    const h = await a.engine.start(wf, undefined, { id: "w" });
    await l.platform.advance(30_000); // it leaves memory
    expect((await l.row(h.runId)).owner).toBeNull();
    await a.client.signal("w", "go", 1);
    await l.advanceUntil(a.stop());
    const b = await l.engine([wf], { lease: "1s" });
    await b.client.signal("w", "go", 2);
    expect((await l.advanceUntil(b.client.waitForEnd(h.runId))).result).toEqual([1, 2]);
    expect((await l.row(h.runId)).fence.epoch).toBeGreaterThan(1);
    expect(await l.lines(h.runId)).not.toContain("pawl.TakenOver");
    expect((await b.client.timeline("w")).gaps).toEqual([]);
  });

  it(
    "an engine that was declared dead abandons its runs and begins again under a new id; what it knew changes nothing",
    proves("K1", "I3", "I4", "AX-16"),
    async () => {
      const l = await fresh(kind);
      const slow = deferred<string>();
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
      await l.store.declareDead({ self: old }); // as a partitioned engine's peers would, once its lease lapsed
      const b = await l.engine([wf], { lease: "1s" });
      await l.platform.advance(2_000);
      expect(a.core.engineId).not.toBe(old);
      slow.open("from the old owner");
      expect((await l.advanceUntil(b.client.waitForEnd(h.runId))).result).toBe("from the new owner");
      await l.platform.advance(2_000);
      expect(ran.filter((x) => x !== "aborted")).toEqual(["epoch 1", "epoch 2", "saw from the new owner"]);
      expect(ran).toContain("aborted"); // when it learned of its death
      expect((await l.log(h.runId)).filter((e) => e.eventType === "StepCompleted")).toHaveLength(1);
      // Born again, it works: under its new id, which is enlisted and alive.
      expect((await l.store.info()).engines.find((e) => e.engineId === a.core.engineId)).toMatchObject({ dead: false });
      expect(await l.advanceUntil(a.engine.run(workflow({ name: "later" }, async (ctx) => ctx.step("s", () => "alive"))))).toBe("alive");
    },
  );

  it(
    "each claim has a token of its own, 16 random bytes: a run that is started here, and each of many that are claimed at once",
    proves("K4"),
    async () => {
      const l = await fresh(kind);
      const wf = workflow({ name: "wf", signals: { s: anySchema() } }, async (ctx) => ctx.receive("s"));
      const before = await l.engine([]);
      const runs = await Promise.all(Array.from({ length: 5 }, () => before.client.start({ workflow: "wf", allowUnknown: true })));
      const { engine } = await l.engine([wf]);
      runs.push({ ...(await engine.start(wf)), created: true, replayed: false, served: true });
      await l.platform.settle();
      const fences = await Promise.all(runs.map(async (r) => (await l.row(r.runId)).fence));
      expect(fences.map((f) => f.epoch)).toEqual(runs.map(() => 1));
      for (const { token } of fences) expect(token).toMatch(/^[0-9a-f]{32}$/);
      expect(new Set(fences.map((f) => f.token)).size).toBe(6);
    },
  );

  it("an engine that could not reach its store declares nobody dead until it has been well for two seconds", proves("K2"), async () => {
    const l = await fresh(kind);
    let away = false;
    const failed: number[] = [];
    const judged: number[] = [];
    const wrap = (s: FullStore): FullStore => ({
      ...s,
      declareDead: async (q) => {
        if ("by" in q) judged.push(l.platform.monotonicMs());
        return s.declareDead(q);
      },
      claim: async (q) => {
        if (!away) return s.claim(q);
        failed.push(l.platform.monotonicMs());
        throw new PawlError("PAWL3002", "away");
      },
    });
    await l.engine([], { wrap });
    const began = l.platform.monotonicMs();
    await l.platform.advance(5_000);
    expect(judged[0]).toBe(began); // what is proved already, as part of starting
    expect(judged[1]! - began).toBeGreaterThanOrEqual(2_000);
    expect(judged.length).toBeGreaterThan(4); // and then often
    away = true;
    await l.platform.advance(5_000);
    away = false;
    const well = failed.at(-1)!;
    await l.platform.advance(5_000);
    expect(judged.filter((at) => at > well && at < well + 2_000)).toEqual([]);
    expect(judged.filter((at) => at >= well + 2_000).length).toBeGreaterThan(2);
  });

  it.each([
    ["monotonic", (p: { advance(ms: number): Promise<void> }) => p.advance(600)],
    ["wall", (p: { skew(ms: number): void }) => p.skew(600)],
    ["uptime", (p: { suspend(ms: number): void }) => p.suspend(600)],
  ] as const)(
    "when the last renewal was sent 500 ms ago by the %s clock, it is renewed before an effect begins",
    proves("K3"),
    async (_, pass) => {
      const l = await fresh(kind);
      const order: string[] = [];
      const answer = deferred();
      const wrap = (s: FullStore): FullStore => ({
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
      const started = await l.advanceUntil(e.engine.start(wf));
      await l.platform.settle();
      expect(order).toEqual(["renew"]);
      expect(await l.lines(started.runId)).toEqual(["RunStarted", "StepStarted s"]);
      answer.open();
      await l.advanceUntil(started.result());
      expect(order).toEqual(["renew", "effect"]);
    },
  );

  it(
    "an answer that took its time is not fresh: it is renewed again; a store that is away is asked until it is back",
    proves("K3"),
    async () => {
      const l = await fresh(kind);
      let asked = 0;
      let begun = 0;
      const wrap = (s: FullStore): FullStore => ({
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
      expect(await l.advanceUntil(e.engine.run(wf))).toBe(3);
      expect(begun).toBe(3);
    },
  );

  it("a lapsed lease never forbids committing an outcome already in hand", proves("K3"), async () => {
    const l = await fresh(kind);
    const away = deferred();
    const wrap = (s: FullStore): FullStore => ({
      ...s,
      renew: async (r) => (await away.promise, s.renew(r)),
      commit: async (batch) => s.commit(batch),
    });
    const slow = deferred<string>();
    const wf = workflow({ name: "wf" }, async (ctx) => ctx.step("s", () => slow.promise));
    const e = await l.engine([wf], { wrap, lease: "1s" });
    const h = await e.engine.start(wf);
    await l.platform.advance(5_000); // lapsed; nobody declared it dead
    slow.open("in hand");
    expect(await l.advanceUntil(h.result())).toBe("in hand");
  });

  it("engines claim only workflows they know", proves("K5"), async () => {
    const l = await fresh(kind);
    const known = workflow({ name: "known" }, async () => "k");
    const other = await l.engine([workflow({ name: "other" }, async () => 0)]);
    const { runId } = await other.client.start({ workflow: "known", allowUnknown: true, version: "1" });
    await l.platform.advance(5_000);
    expect(await l.row(runId)).toMatchObject({ status: "PENDING", owner: null, fence: { epoch: 0 } });
    const e = await l.engine([known]);
    expect((await l.advanceUntil(e.client.waitForEnd(runId))).result).toBe("k");
  });

  it("after five claims in a row without a Commit the run becomes a decision, and kills no sixth engine", proves("K5", "K27"), async () => {
    const l = await fresh(kind);
    let began = 0;
    let deadly = true;
    const wf = workflow({ name: "wf" }, async () => {
      began++;
      return deadly ? null : "well";
    });
    const first = await l.engine([workflow({ name: "none" }, async () => 0)]);
    const { runId } = await first.client.start({ workflow: "wf", allowUnknown: true });
    first.kill();
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
    await survivor.client.control(runId, "resume", { reason: "mended", ...posted });
    expect((await l.advanceUntil(survivor.client.waitForEnd(runId))).result).toBe("well");
  });

  it(
    "after five engine attempts of one logical attempt the step is a decision; engineAttemptId counts real re-dispatches only",
    proves("K5", "K21", "D-043", "D-044"),
    async () => {
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
        e.kill();
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
    },
  );

  it("a store that was opened with unsafe settings is told of at each start, by their names", async () => {
    const l = await fresh(kind);
    const e = await l.engine([]);
    const told = e.logs.filter((x) => x.level === "warn").map((x) => x.message);
    expect(told).toEqual(kind === "sqlite" ? ["the store may lose what it has acknowledged: synchronous=off"] : []);
  });

  it("a new logical attempt counts its engines anew, for the owner that began it and for the next", proves("K21"), async () => {
    const l = await fresh(kind);
    const seen: string[] = [];
    const wf = workflow({ name: "wf" }, async (ctx) =>
      ctx.step(
        "s",
        ({ attempt: { logical, engine } }) => {
          seen.push(`${logical}.${engine}`);
          if (engine === 1) return new Promise<never>(() => {});
          if (logical === 1) throw new Error("once more");
          return "done";
        },
        { retry: { attempts: 2, initial: "1s" } },
      ),
    );
    const a = await l.engine([wf], { lease: "1s" });
    const h = await a.engine.start(wf);
    await l.platform.settle();
    a.kill();
    const b = await l.engine([wf], { lease: "1s" });
    await l.platform.advance(10_000);
    b.kill();
    const c = await l.engine([wf], { lease: "1s" });
    expect((await l.advanceUntil(c.client.waitForEnd(h.runId))).result).toBe("done");
    expect(seen).toEqual(["1.1", "1.2", "2.1", "2.2"]);
    const outcomes = (await l.log(h.runId)).filter((e) => e.eventType === "StepFailed" || e.eventType === "StepCompleted");
    expect(outcomes.map((e) => `${e.logicalAttemptId}.${e.engineAttemptId}`)).toEqual(["1.2", "2.2"]);
  });

  it("the outcome of a re-dispatch carries its engineAttemptId; the epoch is not it", proves("K21"), async () => {
    const l = await fresh(kind);
    const wf = workflow({ name: "wf", signals: { go: anySchema() } }, async (ctx) => {
      await ctx.receive("go");
      return ctx.step("s", (s) => (s.attempt.engine === 1 ? new Promise<number[]>(() => {}) : [Number(s.fence), s.attempt.engine]));
    });
    const a = await l.engine([wf], { lease: "1s", idle: "100ms" });
    const h = await a.engine.start(wf);
    for (let i = 0; i < 3; i++) await l.platform.advance(2_000); // parked and claimed: epochs rise without attempts
    await h.signal("go", 1);
    await l.platform.advance(2_000);
    a.kill();
    const b = await l.engine([wf], { lease: "1s" });
    const [epoch, engine] = (await l.advanceUntil(b.client.waitForEnd(h.runId))).result as [number, number];
    expect(engine).toBe(2);
    expect(epoch).toBeGreaterThan(2);
    expect((await l.log(h.runId)).find((e) => e.eventType === "StepCompleted" && e.stepId === "s")?.engineAttemptId).toBe(2);
  });
});
