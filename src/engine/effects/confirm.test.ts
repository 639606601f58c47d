// Confirmation on replay where it is delicate: verifiers that fail in every way, an owner that reads its own log twice, code that
// goes past the record, a stop while a person is asked, two people, engines that die or stop while verifiers look. On the
// virtual clock; the modes themselves are shown on every store elsewhere.
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { task, workflow } from "../../workflow/define.ts";
import type { FullStore } from "../../store/full-store.ts";
import type { Confirm, ResourceVerifier } from "../../workflow/types.ts";
import { deferred, testClusters, payloadOf, storeKinds, type TestCluster, type ClusterEngine } from "../../../test/support/test-cluster.ts";
import { confirmationError, type Unconfirmed } from "./confirm.ts";
import { proves } from "../../../test/support/proves.ts";
import { posted } from "../../../test/support/posted.ts";

const fresh = testClusters();
const ann = { by: "ann", reason: "looked" } as const;
type Check = ResourceVerifier<number, number>["check"];
const wrong: Check = async () => ({ matches: false, reason: "other" });

/** A task that doubles, confirmed by `check`. */
const doubling = (check: Check, mode: NonNullable<Confirm<number, number>["mode"]>) =>
  task({ name: "double", input: z.number() }, (i) => i * 2, {
    timeout: "30s",
    confirm: { mode, verifier: { name: "look", check } },
  });

it("what strict and human say is told apart by code; strict comes first, and warnings alone are no error", proves("A-34"), () => {
  const u = (mode: Unconfirmed["mode"], stepId: string): Unconfirmed => ({ mode, stepId, verifier: "v", reason: "r" });
  expect(confirmationError([])).toBeNull();
  expect(confirmationError([u("warn", "a")])).toBeNull();
  expect(confirmationError([u("human", "a"), u("warn", "b")])?.code).toBe("PAWL2007");
  expect(confirmationError([u("human", "a"), u("strict", "b")])).toMatchObject({ code: "PAWL2006", message: "b is not confirmed by v: r" });
});

it("a mode that is none, and a verifier without name or check, are refused when the task is defined", proves("A-31"), () => {
  const define = (confirm: unknown): unknown => task({ name: "t", input: z.number() }, (i) => i, { confirm: confirm as never });
  const verifier = { name: "v", check: wrong };
  expect(define({ verifier })).toEqual({ name: "t" });
  for (const bad of [
    { mode: "maybe", verifier },
    { mode: "strict" },
    { verifier: { name: "", check: wrong } },
    { verifier: { name: "v" } },
  ])
    expect(() => define(bad)).toThrow(expect.objectContaining({ code: "PAWL5001" }));
});

describe.each(storeKinds)("%s", (kind) => {
  /** Two doublings, then a wait for `go`, then one more step. */
  const waiting = (t: ReturnType<typeof doubling>, announced: number[] = []) =>
    workflow({ name: "wf", signals: { go: z.any() } }, async (ctx) => {
      const [a, b] = await Promise.all([ctx.do(t, 1), ctx.do(t, 2)]);
      await ctx.receive("go");
      await ctx.step("announce", () => void announced.push(a + b));
      return a + b;
    });
  type Wf = ReturnType<typeof waiting>;
  const started = async (
    l: TestCluster,
    wf: Wf,
    o: Parameters<TestCluster["engine"]>[1] = {},
  ): Promise<{ runId: string; e: ClusterEngine }> => {
    const e = await l.engine([wf], { lease: "1s", ...o });
    const h = await e.engine.start(wf, undefined, { id: "r" });
    await l.platform.advance(100);
    return { runId: h.runId, e };
  };
  const takeOver = async (
    l: TestCluster,
    dead: ClusterEngine,
    wf: Wf,
    o: Parameters<TestCluster["engine"]>[1] = {},
  ): Promise<ClusterEngine> => {
    dead.kill();
    const e = await l.engine([wf], { lease: "1s", ...o });
    await e.client.signal("r", "go", 1, { signalId: "s" });
    return e;
  };
  const refusals = async (l: TestCluster, runId: string): Promise<Record<string, unknown>[]> =>
    (await l.log(runId)).filter((e) => e.eventType === "pawl.ConfirmationFailed").map((e) => payloadOf(e));

  it(
    "a verifier that throws, answers with something else, contradicts itself or is late has not confirmed; it is asked to stop",
    proves("A-32"),
    async () => {
      let aborted: unknown;
      const ways: readonly (readonly [unknown, string])[] = [
        [() => Promise.reject(new TypeError("no route")), "it threw TypeError: no route"],
        [async () => true, "it gave neither of its two answers"],
        [async () => ({ matches: "yes" }), "it gave neither of its two answers"],
        [async () => ({ matches: true, reason: "not really" }), "it contradicts itself: it matches, and a reason why not"],
        [async () => ({ matches: false }), "it does not match"],
        [
          (_i: number, _r: number, s: { signal: AbortSignal }) =>
            new Promise(() => s.signal.addEventListener("abort", () => (aborted = s.signal.reason))),
          "it did not answer within 30000 ms",
        ],
      ];
      for (const [check, reason] of ways) {
        const l = await fresh(kind);
        const announced: number[] = [];
        const wf = waiting(doubling(check as Check, "strict"), announced);
        const { e, runId } = await started(l, wf);
        const b = await takeOver(l, e, wf);
        expect((await l.advanceUntil(b.client.waitForEnd("r"))).error, reason).toMatchObject({ code: "PAWL2006" });
        expect(await refusals(l, runId)).toMatchObject([
          { stepId: "double", reason },
          { stepId: "double~2", reason },
        ]);
        expect(announced).toEqual([]);
      }
      expect(aborted).toMatchObject({ code: "PAWL2008" });
    },
  );

  it(
    "a verifier is given the input and the recorded result; an owner that reads its log again neither asks nor warns twice",
    proves("A-33"),
    async () => {
      const l = await fresh(kind);
      const seen: unknown[] = [];
      const t = doubling(async (input, recorded) => {
        seen.push([input, recorded]);
        return { matches: false, reason: "other" };
      }, "warn");
      const child = workflow({ name: "child", signals: { go: z.any() } }, async (ctx) => (await ctx.receive("go")) as number);
      const wf = workflow({ name: "wf", signals: { poke: z.any() } }, async (ctx) => {
        const n = await ctx.do(t, 1);
        const [m] = await Promise.all([ctx.call(child, undefined, { id: "c" }), ctx.receive("poke")]);
        return n + m;
      });
      const a = await l.engine([wf, child], { lease: "1s" });
      const h = await a.engine.start(wf, undefined, { id: "r" });
      await l.platform.advance(100);
      a.kill();
      // The store fails once where the new owner looks for the child: it reads the run again, under the same epoch.
      const childId = (await l.byWorkflowId("c")).runId;
      let failures = 1;
      const wrap = (store: FullStore): FullStore =>
        new Proxy(store, {
          get: (target, name) => {
            const member: unknown = Reflect.get(target, name);
            if (typeof member !== "function") return member;
            return (...args: unknown[]) => {
              if (name === "run" && seen.length > 0 && (args[0] as { runId?: string }).runId === childId && failures-- > 0)
                return new Promise((_, reject) => l.platform.timer(1_000, () => reject(new Error("away"))));
              return Reflect.apply(member, target, args) as unknown;
            };
          },
        });
      const b = await l.engine([wf, child], { lease: "1s", wrap });
      await b.client.signal("r", "poke", 1);
      await l.advanceUntilLine(h.runId, "pawl.ConfirmationFailed");
      await l.platform.advance(2_000);
      await b.client.signal("c", "go", 5);
      expect((await l.advanceUntil(b.client.waitForEnd("r"))).result).toBe(7);
      expect(failures).toBeLessThan(1);
      expect(b.logs.some((x) => x.message.includes("is read again from its log: away"))).toBe(true);
      expect(seen).toEqual([[1, 2]]);
      expect(await refusals(l, h.runId)).toMatchObject([{ stepId: "double", mode: "warn", reason: "other" }]);
      expect(b.engine.metrics()).toContain("\npawl_confirmation_replay_warn_total 1\n");
    },
  );

  it(
    "code that goes past the record is stopped before anything of it begins: what it asked for is recorded as abandoned",
    proves("K13"),
    async () => {
      const l = await fresh(kind);
      const undone: number[] = [];
      const sent: string[] = [];
      const hold = deferred();
      const t = task({ name: "double", input: z.number() }, async (i) => (await hold.promise, i * 2), {
        confirm: { verifier: { name: "look", check: wrong } },
        compensate: (_r, i) => void undone.push(i),
      });
      const wf = workflow({ name: "wf" }, async (ctx) => {
        const n = await ctx.do(t, 1);
        return ctx.step("next", () => (sent.push("next"), n), { once: true });
      });
      const a = await l.engine([wf], { lease: "1s" });
      const h = await a.engine.start(wf, undefined, { id: "r" });
      await l.platform.advance(100);
      // The engine stops: the outcome is committed, and left to the next owner to deliver.
      const stopped = a.engine.stop({ grace: "5s" });
      await l.platform.settle();
      hold.open();
      await l.advanceUntil(stopped);
      expect(await l.lines(h.runId)).toEqual(["RunStarted", "StepStarted double", "StepCompleted double"]);
      const b = await l.engine([wf], { lease: "1s" });
      expect((await l.advanceUntil(b.client.waitForEnd("r"))).error).toMatchObject({ code: "PAWL2006" });
      expect([sent, undone]).toEqual([[], [1]]);
      const lines = await l.lines(h.runId);
      expect(lines.slice(3, 7)).toEqual(["pawl.ConfirmationFailed", "StepStarted next", "pawl.CancelRequested", "StepFailed next"]);
      expect(lines.at(-1)).toBe("RunFailed");
    },
  );

  it(
    "a run that is stopped while a person is asked ends without the code's next call, and replays the same after a crash",
    proves("K13", "K19"),
    async () => {
      for (const how of ["cancel", "fail"] as const) {
        const l = await fresh(kind);
        const undone: number[] = [];
        const sent: string[] = [];
        const hold = deferred();
        const t = task({ name: "double", input: z.number() }, async (i) => (await hold.promise, i * 2), {
          confirm: { mode: "human", verifier: { name: "look", check: wrong } },
          compensate: (_r, i) => (undone.push(i), undone.length === 1 ? new Promise(() => {}) : undefined),
        });
        const wf = workflow({ name: "wf" }, async (ctx) => {
          const n = await ctx.do(t, 1);
          return ctx.step("next", () => (sent.push("next"), n), { once: true });
        });
        const a = await l.engine([wf], { lease: "1s" });
        const h = await a.engine.start(wf, undefined, { id: "r" });
        await l.platform.advance(100);
        const stopped = a.engine.stop({ grace: "5s" });
        await l.platform.settle();
        hold.open();
        await l.advanceUntil(stopped);
        const b = await l.engine([wf], { lease: "1s" });
        await l.advanceUntilLine(h.runId, "pawl.DecisionNeeded");
        const [d] = await b.engine.decisions();
        if (how === "cancel") await b.client.control(h.runId, "cancel", { reason: "enough", ...posted });
        else await l.advanceUntil(b.client.resolve(d!.decisionId, { ...ann, fail: true }));
        for (let n = 0; undone.length === 0 && n < 100; n++) await l.platform.advance(250);
        b.kill(); // in the middle of the compensation: the next owner replays the stop
        const c = await l.engine([wf], { lease: "1s" });
        expect((await l.advanceUntil(c.client.waitForEnd("r"))).status).toBe(how === "cancel" ? "CANCELLED" : "FAILED");
        expect([sent, undone]).toEqual([[], [1, 1]]);
        expect(await l.lines(h.runId)).not.toContain("StepStarted next");
        expect(await c.engine.decisions()).toEqual([]);
      }
    },
  );

  it("a run that is ending is not confirmed any more: whoever takes over its compensations asks nobody", async () => {
    const l = await fresh(kind);
    let asked = 0;
    let undone = 0;
    const t = task({ name: "double", input: z.number() }, (i) => i * 2, {
      confirm: { verifier: { name: "look", check: async () => (asked++, { matches: false, reason: "other" }) } },
      compensate: () => (++undone === 1 ? new Promise(() => {}) : undefined),
    });
    const wf = workflow({ name: "wf" }, async (ctx) => {
      await ctx.do(t, 1);
      ctx.fail("no more");
    });
    const a = await l.engine([wf], { lease: "1s" });
    await a.engine.start(wf, undefined, { id: "r" });
    for (let n = 0; undone === 0 && n < 100; n++) await l.platform.advance(250);
    a.kill();
    const b = await l.engine([wf], { lease: "1s" });
    expect((await l.advanceUntil(b.client.waitForEnd("r"))).error).toMatchObject({ message: "no more" });
    expect([asked, undone]).toEqual([0, 2]);
  });

  it(
    "with two people a confirmation waits until another says the same; a paused run takes the answer, and goes on when resumed",
    proves("A-35"),
    async () => {
      const l = await fresh(kind);
      const wf = waiting(doubling(wrong, "human"));
      const { e, runId } = await started(l, wf);
      const b = await takeOver(l, e, wf, { requireTwoApprovers: true });
      await l.advanceUntilLine(runId, "pawl.DecisionNeeded");
      await b.client.control(runId, "pause", posted);
      await l.advanceUntilLine(runId, "RunPaused");
      const [d] = await b.engine.decisions();
      expect(d).toMatchObject({ kind: "confirmation", unconfirmed: [{ stepId: "double" }, { stepId: "double~2" }] });
      const answer = (by: string): Promise<unknown> => l.advanceUntil(b.client.resolve(d!.decisionId, { ...ann, by, accept: true }));
      expect(await answer("ann")).toEqual({ state: "proposed" });
      expect((await b.engine.decisions())[0]?.proposed).toMatchObject({ by: "ann", answer: "accept" });
      await expect(answer("ann")).rejects.toMatchObject({ code: "PAWL4010" });
      expect(await answer("bob")).toEqual({ state: "applied" });
      await b.client.control(runId, "resume", posted);
      expect((await l.advanceUntil(b.client.waitForEnd("r"))).result).toBe(6);
      const last = (await l.log(runId)).findLast((x) => x.eventType === "pawl.DecisionAnswered");
      expect(payloadOf(last)).toMatchObject({ answer: "accept", by: "bob", proposedBy: "ann" });
    },
  );

  it("terminate does not wait for verifiers; a cancel does, and is taken when they have answered", proves("K19"), async () => {
    for (const how of ["terminate", "cancel"] as const) {
      const l = await fresh(kind);
      const asked: ((answer: { matches: true }) => void)[] = [];
      const wf = waiting(doubling(() => new Promise<{ matches: true }>((resolve) => asked.push(resolve)), "strict"));
      const { e, runId } = await started(l, wf);
      const b = await takeOver(l, e, wf);
      for (let n = 0; asked.length < 2 && n < 100; n++) await l.platform.advance(100);
      await b.client.control(runId, how, { reason: "enough", ...posted });
      await l.platform.advance(2_000);
      expect((await l.row(runId)).status).toBe(how === "terminate" ? "CANCELLED" : "RUNNING");
      for (const answer of asked) answer({ matches: true });
      expect((await l.advanceUntil(b.client.waitForEnd("r"))).status).toBe("CANCELLED");
      expect(await refusals(l, runId)).toEqual([]);
    }
  });

  it("code that no longer fits the record is a divergence, whatever verifiers say of what was recorded", proves("K20"), async () => {
    const l = await fresh(kind);
    const t = doubling(wrong, "strict");
    const of = (handles: boolean) =>
      workflow({ name: "wf", signals: { go: z.any() }, updates: { add: { input: z.number() } } }, async (ctx) => {
        if (handles) ctx.onUpdate("add", () => {});
        await Promise.all([ctx.do(t, 1), ctx.receive("go")]);
      });
    const [old, changed] = [of(true), of(false)];
    const a = await l.engine([old], { lease: "1s" });
    const h = await a.engine.start(old, undefined, { id: "r" });
    await l.advanceUntil(h.update("add", 1)); // the last turn of the record
    a.kill();
    const b = await l.engine([changed], { lease: "1s" });
    await b.client.signal("r", "go", 1);
    await l.advanceUntilLine(h.runId, "RunPaused");
    expect((await b.engine.decisions()).map((d) => d.kind)).toEqual(["diverged"]);
    expect(await refusals(l, h.runId)).toEqual([]);
  });

  it("an engine that stops or dies while verifiers look leaves nothing behind, and the next owner asks again", proves("K14"), async () => {
    const l = await fresh(kind);
    let asked = 0;
    let aborted = 0;
    const wf = waiting(
      doubling(async (_i, _r, s) => {
        if (++asked > 4) return { matches: true };
        s.signal.addEventListener("abort", () => aborted++);
        return new Promise(() => {});
      }, "strict"),
    );
    const { e, runId } = await started(l, wf);
    const b = await takeOver(l, e, wf);
    for (let n = 0; asked < 2 && n < 100; n++) await l.platform.advance(100);
    await l.advanceUntil(b.engine.stop({ grace: 0 }));
    expect([asked, aborted]).toEqual([2, 2]);
    const c = await l.engine([wf], { lease: "1s" });
    for (let n = 0; asked < 4 && n < 100; n++) await l.platform.advance(100);
    c.kill();
    const d = await l.engine([wf], { lease: "1s" });
    expect((await l.advanceUntil(d.client.waitForEnd("r"))).result).toBe(6);
    expect(asked).toBe(6);
    expect(await refusals(l, runId)).toEqual([]);
  });
});
