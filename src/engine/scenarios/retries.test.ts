// Attempts of a step: how many, when, and who decides; time limits that abort; heartbeats whose details outlive their
// engine. Guards that a delay is decided once and read on replay (K13), and that nothing of a late attempt enters the log.
import { describe, expect, it } from "vitest";
import { Fatal, RetryAfter, type StepError } from "../../errors/step-errors.ts";
import { workflow } from "../../workflow/define.ts";
import { anySchema, deferred, testClusters, payloadOf, storeKinds } from "../../../test/support/test-cluster.ts";
import { proves } from "../../../test/support/proves.ts";

const fresh = testClusters();

describe.each(storeKinds)("%s", (kind) => {
  it("a step fails for good after its last attempt, and the code catches the recorded failure", proves("K12", "T-22", "T-24"), async () => {
    const l = await fresh(kind);
    const attempts: number[] = [];
    const wf = workflow({ name: "wf" }, async (ctx) =>
      ctx
        .step(
          "s",
          (s) => {
            attempts.push(s.attempt.logical);
            throw Object.assign(new TypeError(`no ${s.attempt.logical}`), { code: "E1", data: { n: s.attempt.logical } });
          },
          { retry: { attempts: 3, initial: 100, backoff: "fixed" } },
        )
        .catch((e: StepError) => [e.name, e.code, e.category, e.message, e.step, (e.cause as Error).name, e.detail]),
    );
    const { engine } = await l.engine([wf]);
    const h = await engine.start(wf);
    expect(await l.advanceUntil(h.result())).toEqual(["StepFailed", "PAWL1012", "FAILED", "no 3", "s", "TypeError", { n: 3 }]);
    expect(attempts).toEqual([1, 2, 3]);
    const failures = (await l.log(h.runId)).filter((e) => e.eventType === "StepFailed");
    expect(failures.map((e) => e.logicalAttemptId)).toEqual([1, 2, 3]);
    expect(failures.map((e) => payloadOf(e)["retryAt"] !== undefined)).toEqual([true, true, false]);
  });

  it(
    "an attempt begins at its recorded retryAt and not before; a second owner reads it instead of deciding again",
    proves("K13", "T-22"),
    async () => {
      const l = await fresh(kind);
      const at: number[] = [];
      const wf = workflow({ name: "wf", signals: { nudge: anySchema() } }, async (ctx) => {
        await ctx.step(
          "s",
          () => {
            at.push(l.platform.wallMs());
            if (at.length < 2) throw new Error("once more");
          },
          { retry: { attempts: 2, initial: "20s", backoff: "exponential" } },
        );
      });
      const a = await l.engine([wf], { lease: "1s" });
      const h = await a.engine.start(wf);
      await l.advanceUntilLine(h.runId, "StepFailed s");
      const retryAt = Date.parse(payloadOf((await l.log(h.runId)).find((e) => e.eventType === "StepFailed"))["retryAt"] as string);
      expect(retryAt - at[0]!).toBeGreaterThanOrEqual(20_000);
      expect(retryAt - at[0]!).toBeLessThan(22_000);
      a.kill();
      const b = await l.engine([wf], { lease: "1s" });
      await b.client.signal(h.runId, "nudge", 0); // it is claimed for that, long before its time
      await l.platform.advance(retryAt - l.platform.wallMs() - 1);
      expect([at.length, (await l.row(h.runId)).fence.epoch]).toEqual([1, 2]);
      await l.advanceUntil(b.client.waitForEnd(h.runId));
      expect(at[1]).toBeGreaterThanOrEqual(retryAt);
      expect(at[1]! - retryAt).toBeLessThan(500);
      expect((await l.lines(h.runId)).slice(1, 5)).toEqual(["StepStarted s", "StepFailed s", "StepStarted s", "StepCompleted s"]);
    },
  );

  it("the jitter of a delay comes from the run, the step and the attempt, never from chance", proves("K13"), async () => {
    const delays = async (seed: number): Promise<number[]> => {
      const l = await fresh(kind, seed);
      const wf = workflow({ name: "wf" }, async (ctx) => {
        await ctx.step("s", () => Promise.reject(new Error("no")), { retry: { attempts: 4, initial: 1_000 } }).catch(() => {});
      });
      const { engine } = await l.engine([wf]);
      const h = await engine.start(wf);
      await l.advanceUntil(h.result());
      const failed = (await l.log(h.runId)).filter((e) => e.eventType === "StepFailed" && payloadOf(e)["retryAt"] !== undefined);
      return failed.map((e) => Date.parse(payloadOf(e)["retryAt"] as string) - e.emittedAt);
    };
    const first = await delays(7);
    expect(first).toEqual(await delays(7));
    expect(first).not.toEqual(await delays(8));
    expect(first.map((d, i) => d >= 1_000 * 2 ** i && d < 1_100 * 2 ** i)).toEqual([true, true, true]);
    expect(new Set(first.map((d, i) => Math.floor(d / 2 ** i))).size).toBe(3); // each attempt has its own
  });

  it(
    "Fatal and a `when` that says no end the attempts; RetryAfter names its own delay; a `when` that throws permits nothing",
    proves("R-24"),
    async () => {
      const l = await fresh(kind);
      const counts = { fatal: 0, when: 0, after: 0, throws: 0 };
      let gap = 0;
      let before = 0;
      const wf = workflow({ name: "wf" }, async (ctx) => {
        const retry = { attempts: 5, initial: 10 };
        const fail = (e: Error) => () => Promise.reject(e);
        await ctx.step("fatal", () => (counts.fatal++, fail(new Fatal("stop"))()), { retry }).catch(() => {});
        await ctx
          .step("when", () => (counts.when++, fail(new Error("x"))()), { retry: { ...retry, when: (e) => (e as Error).message !== "x" } })
          .catch(() => {});
        await ctx
          .step("throws", () => (counts.throws++, fail(new Error("x"))()), {
            retry: {
              ...retry,
              when: () => {
                throw new Error("policy");
              },
            },
          })
          .catch(() => {});
        await ctx.step(
          "after",
          () => {
            if (counts.after++ === 0) {
              before = l.platform.wallMs();
              throw new RetryAfter("30s");
            }
            gap = l.platform.wallMs() - before;
          },
          { retry },
        );
      });
      const { engine } = await l.engine([wf]);
      await l.advanceUntil(engine.run(wf));
      expect(counts).toEqual({ fatal: 1, when: 1, throws: 1, after: 2 });
      expect(gap).toBeGreaterThanOrEqual(30_000);
      expect(gap).toBeLessThan(31_000);
    },
  );

  it("a time limit aborts the attempt, which fails as TIMEOUT; what it returns later is nobody's outcome", proves("I2"), async () => {
    const l = await fresh(kind);
    const late = deferred<string>();
    const aborted: unknown[] = [];
    const wf = workflow({ name: "wf" }, async (ctx) =>
      ctx
        .step(
          "slow",
          (s) => {
            s.signal.addEventListener("abort", () => aborted.push((s.signal.reason as { code: string }).code));
            return late.promise;
          },
          { timeout: "2s", retry: { attempts: 2, initial: 1_000 } },
        )
        .catch((e: StepError) => e.category),
    );
    const { engine } = await l.engine([wf]);
    const h = await engine.start(wf);
    await l.platform.advance(2_100);
    late.open("too late"); // the second attempt gets it, the first is over
    expect(await l.advanceUntil(h.result())).toBe("too late");
    expect(aborted).toEqual(["PAWL1034"]);
    const log = await l.log(h.runId);
    expect(log.filter((e) => e.stepId === "slow").map((e) => `${e.eventType} ${e.logicalAttemptId}`)).toEqual([
      "StepStarted 1",
      "StepFailed 1",
      "StepStarted 2",
      "StepCompleted 2",
    ]);
    expect(payloadOf(log.find((e) => e.eventType === "StepFailed"))).toMatchObject({ category: "TIMEOUT", error: { code: "PAWL1034" } });
  });

  it("a step that stops beating is aborted; one that beats in time is not", async () => {
    const l = await fresh(kind);
    const wf = workflow({ name: "wf" }, async (ctx) => [
      await ctx.step(
        "beats",
        async (s) => {
          for (let i = 0; i < 6; i++) {
            await new Promise<void>((resolve) => void l.platform.timer(800, resolve));
            s.heartbeat();
          }
          return "alive";
        },
        { heartbeat: "1s" },
      ),
      await ctx.step("silent", () => new Promise<never>(() => {}), { heartbeat: "1s" }).catch((e: StepError) => e.category),
    ]);
    const { engine } = await l.engine([wf]);
    expect(await l.advanceUntil(engine.run(wf))).toEqual(["alive", "TIMEOUT"]);
  });

  it("the detail of a heartbeat survives the engine, and is given to the next dispatch", async () => {
    const l = await fresh(kind);
    const seen: unknown[] = [];
    const wf = workflow({ name: "wf" }, async (ctx) =>
      ctx.step("copy", async (s) => {
        seen.push(s.lastHeartbeat);
        if (s.attempt.engine === 2) return s.lastHeartbeat;
        for (const done of [1, 2, 3]) s.heartbeat({ done });
        return new Promise<never>(() => {});
      }),
    );
    const a = await l.engine([wf], { lease: "1s" });
    const h = await a.engine.start(wf);
    await l.advanceUntilLine(h.runId, "pawl.StepHeartbeat");
    await l.platform.settle();
    a.kill();
    const b = await l.engine([wf], { lease: "1s" });
    expect((await l.advanceUntil(b.client.waitForEnd(h.runId))).result).toEqual({ done: 3 });
    expect(seen).toEqual([undefined, { done: 3 }]);
  });

  it("a heartbeat of an attempt that is over is not recorded for the one that follows", async () => {
    const l = await fresh(kind);
    const first = deferred<(detail: string) => void>();
    const wf = workflow({ name: "wf" }, async (ctx) =>
      ctx.step(
        "s",
        (s) => {
          if (s.attempt.logical === 1) first.open((d) => s.heartbeat(d));
          return s.attempt.logical === 1
            ? new Promise<never>(() => {})
            : new Promise<string>((resolve) => void l.platform.timer(5_000, () => resolve("ok")));
        },
        { timeout: "10s", retry: { attempts: 2, initial: 100, backoff: "fixed" } },
      ),
    );
    const { engine } = await l.engine([wf]);
    const h = await engine.start(wf);
    await l.platform.advance(11_000);
    (await first.promise)("from the dead");
    expect(await l.advanceUntil(h.result())).toBe("ok");
    expect(await l.lines(h.runId)).not.toContain("pawl.StepHeartbeat");
  });
});
