// The log is the schedule, on every store: what one engine recorded, the next replays in that order; nothing leaves before its
// Commit is acknowledged, nothing unrecorded wakes code, and what is sent again is seen to be. The same rules in more cases, on
// a virtual clock: src/engine. Engines die in this process (test/support/killable-engines.ts); nothing here may rely on how long it takes.
import { beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import type { AnyWorkflow } from "../../src/workflow/types.ts";
import { workflow } from "../../src/index.ts";
import type { Commit } from "../../src/store/port.ts";
import { testStores, type TestStore } from "../support/test-store.ts";
import { deferred } from "../support/test-cluster.ts";
import { killableEngines } from "../support/killable-engines.ts";
import { wrapCommit } from "../support/wrap-commit.ts";
import { proves } from "../support/proves.ts";
import { posted } from "../support/posted.ts";

// A take-over waits for a lease or for two seconds of being well.
vi.setConfig({ testTimeout: 60_000 });

describe.each(testStores)("on %s", (_, open) => {
  const { testStore: bench, startEngine: mortal } = killableEngines(open);
  let b: TestStore;
  beforeEach(() => void (b = bench()));
  const lines = async (id: string): Promise<string[]> =>
    (await b.client().events(id)).map((e) => `${e.eventType} ${e.stepId ?? ""}`.trim());
  async function reached(id: string, line: string): Promise<void> {
    await expect.poll(() => lines(id), { timeout: 20_000 }).toContain(line);
  }

  it("branches and a race that two engines die in are replayed in the recorded order, to the same result", proves("K13"), async () => {
    const gates = { a: deferred<string>(), b: deferred<string>(), c: deferred<string>() };
    const told: string[][] = [];
    const wf = workflow({ name: "wf", signals: { go: z.string() } }, async (ctx) => {
      const mine: string[] = [];
      told.push(mine);
      const branch = async (name: "a" | "b" | "c"): Promise<string> => {
        mine.push(await ctx.step(name, () => gates[name].promise, { repeatable: true }));
        mine.push(await ctx.step(`then-${name}`, () => `then-${name}`, { repeatable: true }));
        return name;
      };
      const all = [branch("a"), branch("b"), branch("c")];
      mine.push(`first ${await Promise.race(all)}`);
      mine.push(`all ${(await Promise.all(all)).join()}`);
      await ctx.receive("go");
      return mine;
    });
    const client = b.client();
    await client.start({ workflow: "wf", allowUnknown: true, id: "w" });
    const first = await mortal([wf]);
    // Not in the order of the calls, which is what code that is run anew would come to.
    gates.c.open("c");
    await reached("w", "StepCompleted then-c");
    gates.b.open("b");
    await reached("w", "StepCompleted then-b");
    first.kill();
    const second = await mortal([wf]);
    gates.a.open("a");
    await reached("w", "StepStarted go");
    second.kill();
    await mortal([wf]);
    await client.signal("w", "go", "now");
    const end = await client.waitForEnd("w");
    expect(end).toMatchObject({
      status: "COMPLETED",
      result: ["c", "then-c", "first c", "b", "then-b", "a", "then-a", "all a,b,c"],
    });
    expect(told.length).toBeGreaterThan(2);
    for (const one of told) expect(one).toEqual((end.result as string[]).slice(0, one.length));
    const log = await lines("w");
    for (const name of ["a", "b", "c"]) expect(log[log.indexOf(`StepCompleted ${name}`) + 1]).toBe(`StepStarted then-${name}`);
  });

  it(
    "while paused, outcomes are committed and not delivered; the next owner delivers them after RunResumed, in order",
    proves("K13"),
    async () => {
      const gates = { a: deferred<string>(), b: deferred<string>() };
      const told: string[][] = [];
      const wf = workflow({ name: "wf" }, async (ctx) => {
        const mine: string[] = [];
        told.push(mine);
        const branch = async (name: "a" | "b"): Promise<void> => {
          mine.push(await ctx.step(name, () => gates[name].promise));
          await ctx.step(`then-${name}`, () => 0);
        };
        await Promise.all([branch("a"), branch("b")]);
        return mine;
      });
      const client = b.client();
      await client.start({ workflow: "wf", allowUnknown: true, id: "w" });
      const first = await mortal([wf]);
      await reached("w", "StepStarted b");
      await client.control("w", "pause", posted);
      await reached("w", "RunPaused");
      gates.b.open("b");
      await reached("w", "StepCompleted b");
      gates.a.open("a");
      await reached("w", "StepCompleted a");
      expect(told.flat()).toEqual([]);
      first.kill();
      await mortal([wf]);
      await client.control("w", "resume", posted);
      expect(await client.waitForEnd("w")).toMatchObject({ status: "COMPLETED", result: ["b", "a"] });
      const log = (await lines("w")).filter((line) => line !== "pawl.TakenOver");
      const paused = ["RunPaused", "StepCompleted b", "StepCompleted a", "RunResumed", "StepStarted then-b"];
      expect(log.slice(log.indexOf("RunPaused")).slice(0, 5)).toEqual(paused);
    },
  );

  it("when a step is tried again is read from the record, not decided anew, and its failure is not delivered", proves("K13"), async () => {
    const defined = (initial: number | "1h"): AnyWorkflow =>
      workflow({ name: "wf", signals: { nudge: z.string() } }, async (ctx) =>
        ctx.step(
          "s",
          (s) => {
            if (s.attempt.logical === 1) throw new Error("once");
            return s.attempt.logical;
          },
          { retry: { attempts: 3, initial }, repeatable: true },
        ),
      );
    const client = b.client();
    const dies = wrapCommit(async (real, batch, renew) => {
      const answer = await real(batch, renew);
      if (batch.some((c) => c.events.some((e) => e.eventType === "StepFailed"))) first.kill();
      return answer;
    });
    const first = await mortal([defined(5_000)], dies);
    await client.start({ workflow: "wf", allowUnknown: true, id: "w" });
    await expect.poll(() => first.alive, { timeout: 20_000 }).toBe(false);
    // Its own policy would let the run wait for an hour; a message lets it claim the run before the time has come.
    await mortal([defined("1h")]);
    await client.signal("w", "nudge", "now");
    expect(await client.waitForEnd("w")).toMatchObject({ status: "COMPLETED", result: 2 });
    const log = await client.events("w");
    const [failed, again] = [log.find((e) => e.eventType === "StepFailed"), log.findLast((e) => e.eventType === "StepStarted")];
    expect(again?.logicalAttemptId).toBe(2);
    const { retryAt } = (failed?.payload ?? {}) as { retryAt?: string };
    expect(Date.parse(String(again?.persistedAt))).toBeGreaterThanOrEqual(Date.parse(String(retryAt)));
  });

  it("no start, effect, child, reply or result leaves before its Commit", proves("K14"), async () => {
    const order: string[] = [];
    const later = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));
    const named = (c: Commit): string[] => [
      ...c.events.map((e) => `${e.eventType} ${e.stepId ?? ""}`.trim()),
      ...c.children.map(() => "child"),
      ...c.replies.map(() => "reply"),
    ];
    // Whatever would leave too early has the time for it, before the store is asked and after it has answered.
    const slow = wrapCommit(async (real, batch, renew) => {
      await later();
      order.push(...batch.flatMap(named).map((x) => `sent ${x}`));
      const answer = await real(batch, renew);
      await later();
      order.push(...batch.flatMap(named).map((x) => `acknowledged ${x}`));
      return answer;
    });
    const child = workflow({ name: "child" }, async () => void order.push("child began"));
    const wf = workflow(
      { name: "wf", signals: { go: z.string() }, updates: { u: { input: z.string(), output: z.string() } } },
      async (ctx) => {
        ctx.onUpdate("u", (x) => x);
        await ctx.step("s", () => void order.push("effect began"));
        await ctx.call(child, undefined, { id: "the-child" });
        return ctx.receive("go");
      },
    );
    const e = await mortal([wf, child], slow);
    const h = await e.engine.start(wf, undefined, { id: "w" });
    order.push("started");
    const result = h.result().then(() => order.push("result told"));
    await h.update("u", "x");
    order.push("reply told");
    await h.signal("go", "now");
    await result;
    const before = (x: string, y: string): void => {
      expect(order).toContain(x);
      expect(order).toContain(y);
      expect(order.indexOf(x), `${x} before ${y}: ${order.join(", ")}`).toBeLessThan(order.indexOf(y));
    };
    before("acknowledged RunStarted", "started");
    before("acknowledged StepStarted s", "effect began");
    // These may be read from the store by others as soon as they are there.
    before("sent child", "child began");
    before("sent reply", "reply told");
    before("sent RunCompleted", "result told");
  });

  it(
    "an owner that the store fences abandons its run: no catch, no finally, its signals fire, its later calls do nothing",
    proves("K14"),
    async () => {
      const ran: string[] = [];
      const slow = deferred<string>();
      const aborted = deferred();
      const code = (who: string): AnyWorkflow =>
        workflow({ name: "wf" }, async (ctx) => {
          try {
            const quick = ctx.step("quick", () => "quick", { repeatable: true });
            const other = ctx.step(
              "slow",
              (s) => {
                s.signal.addEventListener("abort", () => (ran.push(`${who} aborted`), aborted.open()));
                return slow.promise;
              },
              { repeatable: true },
            );
            await quick;
            await ctx.step("next", () => ran.push(`${who} next`), { repeatable: true });
            return await other;
          } catch {
            ran.push(`${who} caught`);
            return "caught";
          } finally {
            ran.push(`${who} finally`);
          }
        });
      const [asked, free] = [deferred(), deferred()];
      const answers: string[] = [];
      const held = wrapCommit(async (real, batch, renew) => {
        if (!batch.some((c) => c.events.some((e) => e.eventType === "StepCompleted"))) return real(batch, renew);
        asked.open();
        await free.promise;
        const answer = await real(batch);
        answers.push(...answer.answers.map((a) => a.kind));
        return answer;
      });
      const client = b.client();
      const { runId } = await client.start({ workflow: "wf", allowUnknown: true, id: "w" });
      // It is not told in any other way that it was declared dead.
      const first = await mortal([code("first")], (s) => ({ ...held(s), renew: async () => "renewed" }));
      await asked.promise;
      await b.store.declareDead({ self: String((await b.store.run({ runId }))?.owner) });
      await mortal([code("second")]);
      await reached("w", "StepStarted next");
      free.open();
      await aborted.promise;
      slow.open("late");
      expect(await client.waitForEnd("w")).toMatchObject({ status: "COMPLETED", result: "late" });
      expect(ran.toSorted()).toEqual(["first aborted", "second finally", "second next"]);
      expect(answers).toEqual(["fenced"]);
      expect(first.alive).toBe(true);
    },
  );

  it("a call, or the end of the code, after something unrecorded stops the run before it is recorded", proves("K15"), async () => {
    const outside = deferred();
    let ran = false;
    const calls = workflow({ name: "calls" }, async (ctx) => {
      void ctx.sleep("nap", "1h");
      await outside.promise;
      await ctx.step("after", () => (ran = true));
    });
    const ends = workflow({ name: "ends" }, async (ctx) => {
      void ctx.sleep("nap", "1h");
      await outside.promise;
      return "decided by chance";
    });
    const waits = workflow({ name: "waits" }, async (ctx) => {
      await ctx.step("one", () => 1);
      await new Promise(() => {});
    });
    const { client } = await b.engine({ store: await b.reopen(), workflows: [calls, ends, waits] });
    for (const name of ["calls", "ends", "waits"]) await client.start({ workflow: name, allowUnknown: true, id: name });
    for (const name of ["calls", "ends"]) await reached(name, "StepStarted nap");
    await reached("waits", "RunPaused");
    outside.open();
    const why = async (id: string): Promise<unknown> => {
      await reached(id, "RunPaused");
      return (await client.events(id)).at(-1)?.payload;
    };
    expect(await why("calls")).toMatchObject({ category: "DIVERGED", code: "PAWL1007", found: "after" });
    expect(await why("ends")).toMatchObject({ category: "DIVERGED", code: "PAWL1007", found: "the end of the code" });
    expect(await why("waits")).toMatchObject({ category: "DIVERGED", code: "PAWL1007", expected: "an open step" });
    expect([ran, await lines("calls")]).toEqual([false, ["RunStarted", "StepStarted nap", "RunPaused"]]);
  });

  it(
    "microtasks and ticks belong to the activation, and after so many calls that resolve at once a Commit is made",
    proves("K15"),
    async () => {
      const sizes: number[] = [];
      const counted = wrapCommit((real, batch, renew) => {
        for (const c of batch) sizes.push(c.events.filter((e) => e.eventType === "StepCompleted").length);
        return real(batch, renew);
      });
      const wf = workflow({ name: "wf", signals: { s: z.number() } }, async (ctx) => {
        let n = 0;
        for (let i = 0; i < 30; i++) {
          await new Promise<void>((resolve) => process.nextTick(() => queueMicrotask(resolve)));
          n += await ctx.receive("s");
        }
        return n;
      });
      const client = b.client();
      await client.start({ workflow: "wf", allowUnknown: true, id: "w" });
      for (let i = 0; i < 30; i++) await client.signal("w", "s", 1); // all there when the code begins
      await b.engine({ store: counted(await b.reopen()), workflows: [wf], limits: { immediateCallsMax: 10, startsPerCommitMax: 100 } });
      expect(await client.waitForEnd("w")).toMatchObject({ status: "COMPLETED", result: 30 });
      expect(Math.max(...sizes)).toBeLessThanOrEqual(10);
      expect(Math.max(...sizes)).toBeGreaterThan(1);
    },
  );

  it(
    "a step that is sent again is recorded so before it is, never as a second start; attempts count what was sent, not owners",
    proves("K21"),
    async () => {
      const sent: string[] = [];
      const wf = workflow({ name: "wf", signals: { go: z.string() } }, async (ctx) => {
        await ctx.receive("go");
        return ctx.step(
          "s",
          async (s) => {
            const seen = (await lines("w")).filter((l) => l.startsWith("pawl.StepRedispatched")).length;
            sent.push(`${s.attempt.logical}.${s.attempt.engine} after ${seen}`);
            return s.attempt.engine < 3 ? new Promise<string>(() => {}) : s.fence;
          },
          { repeatable: true },
        );
      });
      const client = b.client();
      await client.start({ workflow: "wf", allowUnknown: true, id: "w" });
      const idle = await mortal([wf]);
      await reached("w", "StepStarted go");
      idle.kill(); // an owner, and no attempt
      const second = await mortal([wf]);
      for (const round of [1, 2]) {
        await client.control("w", "pause", posted);
        await expect.poll(async () => (await lines("w")).filter((l) => l === "RunPaused").length, { timeout: 20_000 }).toBe(round);
        await client.control("w", "resume", posted);
        await expect.poll(async () => (await lines("w")).filter((l) => l === "RunResumed").length, { timeout: 20_000 }).toBe(round);
      }
      await client.signal("w", "go", "now");
      await expect.poll(() => sent.length, { timeout: 20_000 }).toBe(1);
      second.kill();
      const third = await mortal([wf]);
      await expect.poll(() => sent.length, { timeout: 20_000 }).toBe(2);
      third.kill();
      await mortal([wf]);
      const end = await client.waitForEnd("w");
      expect(end.status).toBe("COMPLETED");
      expect(sent).toEqual(["1.1 after 0", "1.2 after 1", "1.3 after 2"]);
      const log = await client.events("w");
      const of = (type: string, stepId: string | null): typeof log =>
        log.filter((e) => e.eventType === type && (e.stepId ?? null) === stepId);
      expect(of("StepStarted", "s")).toHaveLength(1);
      const again = of("pawl.StepRedispatched", null);
      expect(again.map((e) => e.payload)).toMatchObject([
        { stepId: "s", engineAttemptId: 2 },
        { stepId: "s", engineAttemptId: 3, fence: Number(end.result) },
      ]);
      expect(Number(end.result)).toBeGreaterThan(3);
      expect(again.map((e) => e.logicalAttemptId)).toEqual([1, 2]);
      expect(of("StepCompleted", "s").map((e) => e.engineAttemptId)).toEqual([3]);
      for (const type of ["RunPaused", "RunResumed"]) expect(of(type, null).map((e) => e.logicalAttemptId)).toEqual([1, 2]);
      for (const type of ["RunStarted", "RunCompleted"]) expect(of(type, null).map((e) => e.logicalAttemptId)).toEqual([1]);
    },
  );
});
