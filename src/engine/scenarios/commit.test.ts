// The Commit, from the engine's side: one in flight per run, prefix by prefix, grouped, and asked again as it was when
// nobody knows. The store is the real one behind a wrapper that watches, holds or drops answers.
import { describe, expect, it } from "vitest";
import { PawlError } from "../../errors/error.ts";
import type { StepError } from "../../errors/step-errors.ts";
import type { Commit, CommitAnswer } from "../../store/port.ts";
import { workflow } from "../../workflow/define.ts";
import { anySchema, deferred, testClusters, storeKinds } from "../../../test/support/test-cluster.ts";
import { wrapCommit } from "../../../test/support/wrap-commit.ts";
import { proves } from "../../../test/support/proves.ts";

const fresh = testClusters();

describe.each(storeKinds)("%s", (kind) => {
  it("one Commit per run is in flight, and at most one per run is in a batch", proves("K6"), async () => {
    const l = await fresh(kind);
    const inFlight = new Set<string>();
    let most = 0;
    const wrap = wrapCommit(async (real, batch, renew) => {
      for (const c of batch) {
        expect(inFlight.has(c.runId)).toBe(false);
        inFlight.add(c.runId);
      }
      most = Math.max(most, batch.length);
      await new Promise<void>((resolve) => void l.platform.timer(30, resolve));
      const answer = await real(batch, renew);
      for (const c of batch) inFlight.delete(c.runId);
      return answer;
    });
    const wf = workflow({ name: "wf" }, async (ctx) => {
      await Promise.all(
        [1, 2, 3, 4].map(async (n) => {
          for (let i = 0; i < 5; i++)
            await ctx.step(`s${n}`, () => new Promise<void>((resolve) => void l.platform.timer(n * 7 + i, resolve)));
        }),
      );
    });
    const { engine } = await l.engine([wf], { wrap });
    await l.advanceUntil(Promise.all(Array.from({ length: 8 }, () => engine.run(wf))));
    expect(most).toBeGreaterThan(1); // and yet they are grouped
  });

  it(
    "wide fan-outs are logged prefix by prefix, at most 100 starts each; a crash between prefixes loses and repeats nothing",
    proves("K6"),
    async () => {
      const l = await fresh(kind);
      const starts: number[] = [];
      const began = new Map<number, number>();
      let live = true;
      const wrap = wrapCommit((real, batch, renew) => {
        for (const c of batch) {
          const n = c.events.filter((e) => e.eventType === "StepStarted").length;
          expect(n).toBeLessThanOrEqual(100);
          if (n > 0) starts.push(n);
        }
        return starts.length === 3 && live ? new Promise(() => {}) : real(batch, renew); // the third prefix never arrives
      });
      const wf = workflow({ name: "wf" }, async (ctx) => {
        const all = await Promise.all(
          Array.from({ length: 250 }, (_, i) => ctx.step("s", () => (began.set(i, (began.get(i) ?? 0) + 1), i), { once: true })),
        );
        return all.length;
      });
      const a = await l.engine([wf], { wrap, lease: "1s" });
      const started = a.client.start({ workflow: "wf", id: "wide" });
      await l.advanceUntil(started);
      await l.platform.settle();
      expect(starts).toEqual([100, 100, 50]);
      expect(began.size).toBe(200); // K14: only acknowledged starts begin
      const { runId } = await started;
      const { dueAt, createdAt } = await l.row(runId);
      expect(dueAt).toBe(createdAt); // due at once
      a.kill();
      live = false;
      const b = await l.engine([wf], { lease: "1s" });
      await l.advanceUntilLine(runId, "StepStarted s~250");
      await l.platform.advance(2_000);
      expect((await l.lines(runId)).filter((x) => x.startsWith("StepStarted"))).toHaveLength(250);
      expect(began.size).toBe(250);
      expect([...began.values()].every((n) => n === 1)).toBe(true);
      // What had begun and was not recorded is AT-MOST-ONCE: a decision for each, nothing sent again.
      expect(await l.row(runId)).toMatchObject({ status: "RUNNING", waiting: "decision" });
      expect(b.alive).toBe(true);
    },
  );

  it("a batch holds at most 256 Commits and 1 MiB; one over 256 KiB goes alone", proves("K6"), async () => {
    const l = await fresh(kind);
    const batches: Commit[][] = [];
    const release = deferred();
    const wrap = wrapCommit(async (real, batch, renew) => {
      batches.push([...batch]);
      await release.promise;
      return real(batch, renew);
    });
    const wf = workflow({ name: "wf", input: anySchema<string>() }, async () => 0);
    const { engine } = await l.engine([wf], { wrap });
    const runs = [engine.run(wf, "first")];
    await l.platform.settle(); // in flight: the rest gathers
    for (let i = 0; i < 300; i++) runs.push(engine.run(wf, "x"));
    runs.push(engine.run(wf, "y".repeat(300_000)));
    for (let i = 0; i < 6; i++) runs.push(engine.run(wf, "z".repeat(200_000)));
    await l.platform.settle();
    release.open();
    await l.advanceUntil(Promise.all(runs));
    const bytes = (b: Commit[]): number => b.reduce((sum, c) => sum + c.events.reduce((n, e) => n + (e.payload?.length ?? 0), 0), 0);
    expect(Math.max(...batches.map((b) => b.length))).toBeLessThanOrEqual(256);
    expect(Math.max(...batches.filter((b) => b.length > 1).map(bytes))).toBeLessThanOrEqual(1_048_576);
    expect(batches.filter((b) => b.length > 1).some((b) => b.some((c) => bytes([c]) > 262_144))).toBe(false);
    expect(batches.filter((b) => b.length === 1 && bytes(b) > 262_144)).toHaveLength(1);
    expect(batches.length).toBeLessThan(12); // grouped, not one by one
  });

  it("a Commit over 256 KiB goes beside the batches: while it is being written, other runs go on", proves("K6"), async () => {
    const l = await fresh(kind);
    const release = deferred();
    const lone: number[] = [];
    const wrap = wrapCommit(async (real, batch, renew) => {
      if (!batch.some((c) => c.events.some((e) => (e.payload?.length ?? 0) > 262_144))) return real(batch, renew);
      expect(renew).toBeUndefined(); // the lease is renewed by whoever is quick
      lone.push(batch.length);
      await release.promise;
      return real(batch, renew);
    });
    const wf = workflow({ name: "wf", input: anySchema<string>() }, async (ctx, text) => (await ctx.step("s", () => text)).length);
    const { engine } = await l.engine([wf], { wrap });
    const large = [engine.run(wf, "y".repeat(300_000)), engine.run(wf, "z".repeat(300_001))];
    await l.platform.settle();
    expect(lone).toEqual([1]); // one at a time
    expect(await l.advanceUntil(Promise.all([engine.run(wf, "a"), engine.run(wf, "bc")]))).toEqual([1, 2]);
    release.open();
    expect(await l.advanceUntil(Promise.all(large))).toEqual([300_000, 300_001]);
    expect(Math.max(...lone)).toBe(1);
  });

  it("above the bound of pending bytes nothing new is started or claimed, while outcomes are accepted", proves("K6"), async () => {
    const l = await fresh(kind);
    const release = deferred();
    let hold = false;
    const wrap = wrapCommit(async (real, batch, renew) => {
      if (hold) await release.promise;
      return real(batch, renew);
    });
    const outcome = deferred<string>();
    const begun: string[] = [];
    const wf = workflow({ name: "wf", input: anySchema<string>() }, async (ctx, name) => {
      begun.push(name.slice(0, 4));
      return name.startsWith("slow") ? ctx.step("s", () => outcome.promise) : name.length;
    });
    const { engine, client } = await l.engine([wf], { wrap, limits: { pendingBytesMax: 10_000 } });
    const slow = await engine.start(wf, "slow");
    const waiting = await client.start({ workflow: "wf", input: "late", id: "late", delayMs: 500 });
    await l.platform.settle();
    hold = true;
    const big = engine.run(wf, `big ${"x".repeat(20_000)}`);
    await l.platform.settle();
    const next = engine.run(wf, "next");
    await l.platform.advance(2_000);
    expect(begun).toEqual(["slow", "big "]);
    outcome.open("taken");
    hold = false;
    release.open();
    expect(await l.advanceUntil(slow.result())).toBe("taken");
    expect(await l.advanceUntil(Promise.all([big, next, client.waitForEnd(waiting.runId)]))).toMatchObject([20_004, 4, { result: 4 }]);
  });

  it(
    "an unknown outcome is asked again, byte for byte, with its commitId; nothing is added meanwhile",
    proves("K10", "I1", "L-01"),
    async () => {
      const l = await fresh(kind);
      const asked: string[] = [];
      let drops = 3;
      const wrap = wrapCommit(async (real, batch, renew) => {
        const mine = batch.filter((c) => c.events.some((e) => e.stepId === "s"));
        for (const c of mine) asked.push(JSON.stringify(c));
        if (mine.length === 0 || drops-- <= 0) return real(batch, renew);
        if (drops === 1) await real(batch, renew); // applied, and the answer is lost
        throw new PawlError("PAWL3002", "the connection died", { outcome: "unknown" });
      });
      let calls = 0;
      const wf = workflow({ name: "wf", signals: { x: anySchema() } }, async (ctx) => {
        await ctx.sleep("first", 10);
        return ctx.step("s", () => ++calls);
      });
      const { engine } = await l.engine([wf], { wrap });
      const h = await engine.start(wf);
      await l.platform.advance(15);
      await h.signal("x", "arrives meanwhile");
      expect(await l.advanceUntil(h.result())).toBe(1);
      expect(calls).toBe(1);
      const first = asked.filter((a) => a.includes('"StepStarted"'));
      expect(first).toHaveLength(4);
      expect(new Set(first).size).toBe(1);
      const log = await l.log(h.runId);
      expect(log.map((e) => e.runSeq)).toEqual(log.map((_, i) => i + 1));
    },
  );

  it(
    "an event that is in the log already, under a matching fence, is a broken invariant: the run is read again, nothing is written twice",
    proves("K9"),
    async () => {
      const l = await fresh(kind);
      let spoil = true;
      const wrap = wrapCommit((real, batch, renew) => {
        const spoiled = batch.map((c) => {
          if (!spoil || !c.events.some((e) => e.eventType === "StepCompleted" && e.stepId === "a")) return c;
          spoil = false;
          const twin = c.events[0]!;
          return { ...c, events: [...c.events, { ...twin, runSeq: c.events.at(-1)!.runSeq + 1 }] };
        });
        return real(spoiled, renew);
      });
      let calls = 0;
      const wf = workflow({ name: "wf" }, async (ctx) => {
        const a = await ctx.step("a", () => ++calls).catch((e: StepError) => e.category);
        return [a, await ctx.step("b", () => "b")];
      });
      const e = await l.engine([wf], { wrap });
      const h = await e.engine.start(wf);
      expect(await l.advanceUntil(h.result())).toEqual(["REFUSED", "b"]);
      expect(calls).toBe(1);
      expect(e.logs.some((x) => x.level === "error" && x.message.includes("PAWL3007"))).toBe(true);
    },
  );

  it("one Commit that the store refuses does not hurt its neighbours in the batch", proves("K9"), async () => {
    const l = await fresh(kind);
    const wrap = wrapCommit((real, batch, renew) =>
      real(
        batch.map((c) =>
          c.events.some((e) => e.payload?.includes("poison") === true)
            ? { ...c, events: c.events.map((e) => ({ ...e, payload: "\u0000" })) }
            : c,
        ),
        renew,
      ),
    );
    const wf = workflow({ name: "wf", input: anySchema<number>() }, async (ctx, n) =>
      ctx.step("s", () => (n === 3 ? "poison" : n)).catch((e: StepError) => e.category),
    );
    const { engine } = await l.engine([wf], { wrap });
    expect(await l.advanceUntil(Promise.all([1, 2, 3, 4, 5].map((n) => engine.run(wf, n))))).toEqual([1, 2, "REFUSED", 4, 5]);
  });

  it("a busy run joins the next batch, and goes alone after three times; its neighbours do not wait", proves("K7"), async () => {
    const l = await fresh(kind);
    const sizes: number[] = [];
    let busy = 4;
    let target = "";
    const wrap = wrapCommit(async (real, batch, renew) => {
      const mine = batch.findIndex((c) => c.runId === target && c.events.some((e) => e.stepId === "late"));
      if (mine < 0 || busy === 0) return real(batch, renew);
      sizes.push(batch.length);
      busy--;
      await new Promise<void>((resolve) => void l.platform.timer(20, resolve)); // the others gather
      const { answers, renewal } = await real(
        batch.filter((_, i) => i !== mine),
        renew,
      );
      const rest = [...answers];
      return { renewal, answers: batch.map((_, i): CommitAnswer => (i === mine ? { kind: "busy" } : rest.shift()!)) };
    });
    const wf = workflow({ name: "wf", input: anySchema<string>() }, async (ctx, name) => {
      await ctx.sleep("first", 100);
      for (let i = 0; i < 6; i++) await ctx.step(name, () => i);
      return name;
    });
    const { engine } = await l.engine([wf], { wrap });
    const late = await engine.start(wf, "late");
    target = late.runId;
    const others = Array.from({ length: 5 }, () => engine.run(wf, "other"));
    expect(await l.advanceUntil(Promise.all([late.result(), ...others]))).toEqual(["late", ...others.map(() => "other")]);
    expect(busy).toBe(0);
    expect(sizes.slice(0, 3).some((n) => n > 1)).toBe(true);
    expect(sizes[3]).toBe(1);
  });
});
