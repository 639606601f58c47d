// Approvals where they are rare: the run is cancelled, terminated, paused or late meanwhile, another run takes over, an attempt fails
// after the answer, the author's function breaks, the code changes its mind. On the virtual clock; the common ones are shown on every
// store elsewhere. Nothing that nobody approved is ever sent, or said to have been.
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { task, workflow } from "../../workflow/define.ts";
import type { StepError } from "../../errors/step-errors.ts";
import type { StepOpts } from "../../workflow/types.ts";
import { testClusters, payloadOf, storeKinds, type TestCluster, type ClusterEngine } from "../../../test/support/test-cluster.ts";
import { proves } from "../../../test/support/proves.ts";
import { posted } from "../../../test/support/posted.ts";

const fresh = testClusters();
const ann = { by: "ann", reason: "looked" } as const;

describe.each(storeKinds)("%s", (kind) => {
  interface Case {
    readonly l: TestCluster;
    readonly e: ClusterEngine;
    readonly runId: string;
    readonly sent: () => number;
    /** The question that waits. */
    readonly id: () => Promise<string>;
    readonly resolve: (id: string, answer: object) => Promise<unknown>;
    /** Another engine in the place of the last. */
    readonly next: () => Promise<ClusterEngine>;
  }
  const waiting = async (
    opts: StepOpts<unknown>,
    fn: (n: number) => unknown = () => "done",
    o: { readonly timeout?: string; readonly caught?: boolean } = {},
  ): Promise<Case> => {
    const l = await fresh(kind);
    let sent = 0;
    const wf = workflow({ name: "wf", ...(o.timeout === undefined ? {} : { timeout: o.timeout as never }) }, async (ctx) => {
      const step = ctx.step<unknown>("s", () => fn(++sent), opts);
      return o.caught === false ? step : step.catch((e: StepError) => `${e.category}: ${e.message}`);
    });
    const e = await l.engine([wf], { lease: "1s" });
    const h = await e.engine.start(wf, undefined, { id: "w" });
    await l.advanceUntilLine(h.runId, "StepStarted s");
    await l.platform.settle();
    const id = async (): Promise<string> => {
      const all = await e.client.decisions();
      expect(all).toHaveLength(1);
      return all[0]!.decisionId;
    };
    const next = async (): Promise<ClusterEngine> => l.engine([wf], { lease: "1s" });
    const resolve = (d: string, answer: object): Promise<unknown> => l.advanceUntil(e.client.resolve(d, { ...ann, ...answer } as never));
    return { l, e, runId: h.runId, sent: () => sent, id, resolve, next };
  };
  const effects = async (c: Case): Promise<unknown> => (await c.e.client.effects({ runId: c.runId })).effects;

  it(
    "a run that is cancelled, terminated or late waits for no approval: the step is given up, and was never sent",
    proves("K19"),
    async () => {
      for (const how of ["cancel", "terminate", "deadline"] as const) {
        const c = await waiting(
          { once: true, approve: true, input: { to: "bob" } },
          undefined,
          how === "deadline" ? { timeout: "5s" } : {},
        );
        const id = await c.id();
        if (how !== "deadline") await c.e.client.control(c.runId, how, posted);
        expect((await c.l.advanceUntil(c.e.client.waitForEnd(c.runId))).status, how).toBe(how === "deadline" ? "FAILED" : "CANCELLED");
        expect(c.sent()).toBe(0);
        expect(await effects(c)).toMatchObject([{ status: "cancelled", phase: "settled", error: { category: "ABANDONED" } }]);
        expect((await c.e.client.proof(c.runId)).effects).toMatchObject([
          { verdict: "not-at-all", sends: 0, sentence: "s was given up before anybody approved it, and never sent (AT-MOST-ONCE)." },
        ]);
        await expect(c.resolve(id, { approve: true })).rejects.toMatchObject({ code: "PAWL4010" });
      }
    },
  );

  it("an answer that comes after the cancel sends nothing, and neither does one to a paused run", proves("K19"), async () => {
    const c = await waiting({ once: true, approve: true });
    const id = await c.id();
    await c.e.client.control(c.runId, "pause", posted);
    await c.l.advanceUntilLine(c.runId, "RunPaused");
    await expect(c.resolve(id, { approve: true })).rejects.toMatchObject({
      message: expect.stringContaining("first resume it (pawl resume "),
    });
    await c.e.client.control(c.runId, "resume", posted);
    await c.l.advanceUntilLine(c.runId, "RunResumed");
    expect(await c.id()).toBe(id);
    c.e.kill();
    const client = (await c.l.engine([], { lease: "1s" })).client;
    await client.control(c.runId, "cancel", posted);
    await client.resolve(id, { ...ann, approve: true }, { timeoutMs: 0 });
    await c.next();
    expect((await c.l.advanceUntil(client.waitForEnd(c.runId))).status).toBe("CANCELLED");
    expect(c.sent()).toBe(0);
    expect(await c.l.lines(c.runId)).not.toContain("pawl.DecisionAnswered");
  });

  it("a run that retries one that was cancelled while it waited asks anew; after an approval it does not", async () => {
    const c = await waiting(
      { repeatable: true, approve: true, retry: { attempts: 1 } },
      (n) => (n <= 2 ? Promise.reject(new Error("no")) : n),
      {
        caught: false,
      },
    );
    await c.e.client.control(c.runId, "cancel", posted);
    await c.l.advanceUntil(c.e.client.waitForEnd(c.runId));
    const second = await c.e.client.retry(c.runId);
    await c.l.advanceUntilLine(second.runId, "StepStarted s");
    await c.resolve(await c.id(), { approve: true });
    expect((await c.l.advanceUntil(c.e.client.waitForEnd(second.runId))).status).toBe("FAILED");
    const third = await c.e.client.retry(second.runId);
    expect((await c.l.advanceUntil(c.e.client.waitForEnd(third.runId))).status).toBe("FAILED");
    const fourth = await c.e.client.retry(third.runId);
    expect((await c.l.advanceUntil(c.e.client.waitForEnd(fourth.runId))).result).toBe(3);
    expect(await c.e.client.decisions()).toEqual([]);
  });

  it("a run that retries one whose code asked nobody asks, where the step would be sent anew", async () => {
    const l = await fresh(kind);
    let sent = 0;
    const version = (asks: boolean) =>
      workflow({ name: "wf" }, async (ctx) =>
        ctx.step("s", () => (++sent === 1 ? Promise.reject(new Error("no")) : sent), { approve: asks, retry: { attempts: 1 } }),
      );
    const a = await l.engine([version(false)], { lease: "1s" });
    const { runId } = await a.client.start({ workflow: "wf", id: "w" });
    expect((await l.advanceUntil(a.client.waitForEnd(runId))).status).toBe("FAILED");
    a.kill();
    const b = await l.engine([version(true)], { lease: "1s" });
    const again = await b.client.retry(runId);
    await l.advanceUntilLine(again.runId, "StepStarted s");
    await l.platform.settle();
    expect([sent, (await b.client.decisions()).map((d) => d.kind)]).toEqual([1, ["approval"]]);
  });

  it("further attempts and re-dispatches are not asked about, and count from the approval", proves("K25"), async () => {
    const c = await waiting({ key: "k", dedup: "90s", timeout: "5s", approve: "may it?", retry: { attempts: 3, initial: "1s" } }, (n) =>
      n === 1 ? Promise.reject(new Error("no")) : n === 2 ? new Promise(() => {}) : n,
    );
    await c.l.platform.advance(120_000); // longer than the receiver remembers: it has seen nothing yet
    await c.resolve(await c.id(), { approve: true });
    for (let t = 0; c.sent() < 2 && t < 100; t++) await c.l.platform.advance(250);
    c.e.kill();
    const e = await c.next();
    expect((await c.l.advanceUntil(e.client.waitForEnd(c.runId))).result).toBe(3);
    const lines = (await c.l.lines(c.runId)).filter((x) => !x.startsWith("Run"));
    expect(lines).toEqual([
      "StepStarted s",
      "pawl.DecisionAnswered",
      "StepFailed s",
      "StepStarted s",
      "pawl.TakenOver",
      "pawl.StepRedispatched",
      "StepCompleted s",
    ]);
    expect((await e.client.proof(c.runId)).effects).toMatchObject([{ verdict: "once", sends: 3 }]);
  });

  it("a step that declares nothing can be asked about too, and is on record from the answer on", async () => {
    const c = await waiting({ approve: true, input: 7 });
    expect(payloadOf((await c.l.log(c.runId)).find((x) => x.eventType === "StepStarted"))).toMatchObject({
      approve: true,
      class: "UNDECLARED",
    });
    expect(await effects(c)).toEqual([]);
    await c.resolve(await c.id(), { approve: true });
    expect((await c.l.advanceUntil(c.e.client.waitForEnd(c.runId))).result).toBe("done");
    expect(await effects(c)).toMatchObject([{ class: "UNDECLARED", status: "completed" }]);
  });

  it("an approve that throws, or answers neither yes nor no, permits nothing: a person is asked", proves("K27"), async () => {
    for (const [approve, reason] of [
      [() => Promise.resolve(false), "its approve said neither yes nor no"],
      [
        () => {
          throw new RangeError("oops");
        },
        "its approve threw RangeError: oops",
      ],
    ] as const) {
      const c = await waiting({ approve: approve as never });
      expect(await c.e.client.decisions()).toMatchObject([{ kind: "approval", reason }]);
      expect(c.sent()).toBe(0);
    }
    expect(() => task({ name: "t", input: z.any() }, () => 1, { approve: 1 as never })).toThrow(
      expect.objectContaining({ code: "PAWL5001" }),
    );
  });

  it(
    "the record says whether a person is asked: code that asks nobody any more still waits, and one that asks now does not",
    proves("K13"),
    async () => {
      const l = await fresh(kind);
      let sent = 0;
      const version = (asks: boolean) =>
        workflow({ name: "wf" }, async (ctx) => {
          await ctx.step("first", () => ++sent, { approve: asks });
          return ctx.step("second", () => ++sent, { approve: !asks });
        });
      const a = await l.engine([version(true)], { lease: "1s" });
      const h = await a.client.start({ workflow: "wf", id: "w" });
      await l.advanceUntilLine(h.runId, "StepStarted first");
      a.kill();
      const b = await l.engine([version(false)], { lease: "1s" });
      await l.platform.advance(5_000);
      expect(sent).toBe(0);
      const answer = async (): Promise<unknown> =>
        l.advanceUntil(b.client.resolve((await b.client.decisions())[0]!.decisionId, { ...ann, approve: true }));
      await answer();
      await l.advanceUntilLine(h.runId, "StepStarted second");
      expect(sent).toBe(1);
      await answer();
      expect((await l.advanceUntil(b.client.waitForEnd(h.runId))).result).toBe(2);
    },
  );
});
