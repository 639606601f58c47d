// Between an outcome and what follows from it: encoded before it is seen, acknowledged before anything leaves, and silence
// once the fence is lost. Guards K12 and K14 with a store that holds, refuses or fences what the engine asks.
import { describe, expect, it } from "vitest";
import type { StepError } from "../../errors/step-errors.ts";
import type { Commit, CommitAnswer } from "../../store/port.ts";
import { workflow } from "../../workflow/define.ts";
import { anySchema, deferred, testClusters, payloadOf, storeKinds } from "../../../test/support/test-cluster.ts";
import { wrapCommit } from "../../../test/support/wrap-commit.ts";
import { proves } from "../../../test/support/proves.ts";

const fresh = testClusters();

describe.each(storeKinds)("%s", (kind) => {
  it(
    "what cannot be encoded, or is too large, is a final failure before the code sees anything; values are seen decoded",
    proves("K12"),
    async () => {
      const l = await fresh(kind);
      class Money {
        readonly amount = 5;
      }
      let tries = 0;
      const shared = { n: 1 };
      const wf = workflow({ name: "wf" }, async (ctx) => {
        const why = (e: StepError): unknown => [e.name, e.category, (e.cause as { code?: string }).code];
        const seen = await ctx.step("copy", () => shared);
        return [
          await ctx.step("instance", () => (tries++, new Money() as unknown), { retry: { attempts: 3, initial: 1 } }).catch(why),
          await ctx.step("large", () => "x".repeat(2_000)).catch(why),
          seen !== shared && seen.n === 1,
          await ctx
            .step("throws", () => {
              throw Object.assign(new RangeError("r"), { stack: "secret" });
            })
            .catch((e: StepError) => [e instanceof Error, e.name, (e.cause as Error).name, (e.cause as Error).stack]),
        ];
      });
      const { engine } = await l.engine([wf], { limits: { valueBytesMax: 1_000 } });
      expect(await l.advanceUntil(engine.run(wf))).toEqual([
        ["StepFailed", "NOT_ENCODABLE", "PAWL1003"],
        ["StepFailed", "NOT_ENCODABLE", "PAWL1004"],
        true,
        [true, "StepFailed", "RangeError", undefined],
      ]);
      expect(tries).toBe(1);
    },
  );

  it(
    "an outcome that the store refuses is committed alone as a final failure, and the effect is not done again",
    proves("K12"),
    async () => {
      const l = await fresh(kind);
      const wrap = wrapCommit(async (real, batch, renew) => {
        const bad = (c: Commit): boolean => c.events.some((e) => e.payload?.includes("unstorable") === true);
        const { answers, renewal } = await real(
          batch.filter((c) => !bad(c)),
          renew,
        );
        const rest = [...answers];
        return {
          renewal,
          answers: batch.map((c): CommitAnswer => (bad(c) ? { kind: "refused", reason: "too much for this database" } : rest.shift()!)),
        };
      });
      let calls = 0;
      const wf = workflow({ name: "wf" }, async (ctx) => {
        await ctx.step("before", () => 1);
        const why = await ctx.step("s", () => (calls++, "unstorable")).catch((e: StepError) => e.category);
        return [why, await ctx.step("after", () => "went on")];
      });
      const { engine } = await l.engine([wf], { wrap });
      const h = await engine.start(wf);
      expect(await l.advanceUntil(h.result())).toEqual(["REFUSED", "went on"]);
      expect(calls).toBe(1);
      expect(payloadOf((await l.log(h.runId)).find((e) => e.eventType === "StepFailed"))["category"]).toBe("REFUSED");
    },
  );

  it("the failure of a refused outcome is in the log before the code sees it, whatever the store refuses next", proves("K12"), async () => {
    const l = await fresh(kind);
    const wrap = wrapCommit(async (real, batch, renew) =>
      batch.some((c) => c.events.some((e) => e.payload?.includes("unstorable") === true))
        ? { renewal: null, answers: batch.map((): CommitAnswer => ({ kind: "refused", reason: "too much for this database" })) }
        : real(batch, renew),
    );
    let calls = 0;
    const wf = workflow({ name: "wf" }, async (ctx) => {
      await ctx.step("s", () => (calls++, "unstorable")).catch(() => {});
      await ctx.step("next", () => calls++, { input: "unstorable as well" });
    });
    const { engine } = await l.engine([wf], { wrap });
    const h = await engine.start(wf);
    await l.platform.advance(60_000);
    expect(await h.status()).toEqual({ status: "RUNNING", waiting: "decision" });
    expect(calls).toBe(1);
    expect((await l.lines(h.runId)).slice(0, 3)).toEqual(["RunStarted", "StepStarted s", "StepFailed s"]);
  });

  it("a call that the store refuses becomes a decision, not a loop", proves("K12"), async () => {
    const l = await fresh(kind);
    let asked = 0;
    const wrap = wrapCommit(async (real, batch, renew) => {
      const bad = (c: Commit): boolean => c.events.some((e) => e.eventType === "StepStarted" && e.stepId === "bad");
      if (!batch.some(bad)) return real(batch, renew);
      asked++;
      return { renewal: null, answers: batch.map((): CommitAnswer => ({ kind: "refused", reason: "no" })) };
    });
    const wf = workflow({ name: "wf" }, async (ctx) => {
      await ctx.sleep("first", 10);
      await ctx.step("bad", () => 1, { input: "x" });
    });
    const { engine } = await l.engine([wf], { wrap });
    const h = await engine.start(wf);
    await l.platform.advance(60_000);
    expect(await h.status()).toEqual({ status: "RUNNING", waiting: "decision" });
    expect(asked).toBeLessThan(6);
  });

  it("nothing leaves before the acknowledgement: no start, effect, child, view, reply or result", proves("K14", "I1"), async () => {
    const l = await fresh(kind);
    let held: (() => void)[] = [];
    let hold = true;
    const wrap = wrapCommit(async (real, batch, renew) => {
      if (hold) await new Promise<void>((resolve) => held.push(resolve));
      return real(batch, renew);
    });
    const let1 = async (): Promise<void> => {
      for (const go of held.splice(0)) go();
      await l.platform.settle();
    };
    const ran: string[] = [];
    const child = workflow({ name: "child" }, async () => void ran.push("child"));
    const wf = workflow(
      { name: "wf", views: { v: anySchema() }, updates: { u: { input: anySchema(), output: anySchema<string>() } } },
      async (ctx) => {
        ctx.onUpdate("u", () => "answered");
        ctx.publish("v", "shown");
        await ctx.step("s", () => void ran.push("s"));
        await ctx.call(child);
        return "done";
      },
    );
    const { engine, client } = await l.engine([wf, child], { wrap });
    const told: string[] = [];
    const started = engine.start(wf, undefined as never, { id: "w" } as never).then((h) => (told.push("started"), h));
    await l.platform.advance(1_000);
    expect(told).toEqual([]); // created nowhere yet
    expect(await client.get("w")).toBeUndefined();
    await let1();
    const h = await started;
    expect(told).toEqual(["started"]);
    expect(ran).toEqual(["s"]);
    expect(await h.view("v")).toBe("shown");
    const reply = h.update("u", 1).then((x) => told.push(String(x)));
    const result = h.result().then((x) => told.push(String(x)));
    await l.platform.advance(1_000);
    expect(ran).toEqual(["s"]); // the child is in a Commit that hangs
    expect(told).toEqual(["started"]); // and so is the answer
    for (let i = 0; i < 40 && told.length < 3; i++) {
      await let1();
      await l.platform.advance(300);
    }
    await Promise.all([reply, result]);
    expect(ran).toEqual(["s", "child"]);
    expect(told).toEqual(["started", "answered", "done"]);
    hold = false;
    held = [];
  });

  it.each(["fenced", "stale"] as const)(
    "on %s the run is abandoned: no catch, no finally, its signals fire, its later calls do nothing, its waiters read the store",
    proves("K14", "I3"),
    async (answer) => {
      const l = await fresh(kind);
      let lose = false;
      const wrap = wrapCommit(async (real, batch, renew) =>
        lose ? { renewal: null, answers: batch.map((): CommitAnswer => ({ kind: answer })) } : real(batch, renew),
      );
      const ran: string[] = [];
      const slow = deferred<string>();
      const code = async (ctx: Parameters<Parameters<typeof workflow>[1]>[0], who: string): Promise<string> => {
        try {
          const quick = ctx.step("quick", () => `${who} quick`);
          const aborted = ctx.step("slow", (s) => (s.signal.addEventListener("abort", () => ran.push(`${who} aborted`)), slow.promise));
          await quick;
          await ctx.step("next", () => ran.push(`${who} next`));
          return await aborted;
        } catch {
          ran.push(`${who} caught`);
          return "caught";
        } finally {
          ran.push(`${who} finally`);
        }
      };
      const wf = workflow({ name: "wf" }, async (ctx) => code(ctx, "first"));
      const a = await l.engine([wf], { wrap, lease: "1s" });
      const h = await a.engine.start(wf, undefined as never, { id: "w" } as never);
      const waiter = h.result();
      lose = true; // the outcome of quick, and the start of next, meet another owner
      await l.platform.settle();
      expect(ran).toEqual(["first aborted"]);
      slow.open("late");
      await l.platform.settle();
      expect(ran).toEqual(["first aborted"]);
      expect(await l.lines(h.runId)).toEqual(["RunStarted", "StepStarted quick", "StepStarted slow"]);
      a.kill();
      const wf2 = workflow({ name: "wf" }, async (ctx) => code(ctx, "second"));
      const b = await l.engine([wf2], { lease: "1s" });
      expect((await l.advanceUntil(b.client.waitForEnd(h.runId))).result).toBe("late");
      expect(ran).toEqual(["first aborted", "second next", "second finally"]);
      waiter.catch(() => {});
    },
  );
});
