// Decisions, on every store: an effect in doubt is listed with its evidence and its legal answers, an answer is durable once
// accepted, becomes an event that says who and why, and leads to its consequence; what is not legal is refused and changes
// nothing. Divergences, runs that were given up and compensations stand in the same inbox.
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { StepError, workflow } from "../../src/index.ts";
import type { DecisionView } from "../../src/index.ts";
import { testStores } from "../support/test-store.ts";
import { never, effectTest } from "./effect-test.ts";
import { proves } from "../support/proves.ts";

const ann = { by: "ann", reason: "asked the bank" } as const;

describe.each(testStores)("decisions on %s", (_, open) => {
  const p = effectTest(open);
  const payout = workflow({ name: "payout" }, async (ctx) =>
    ctx
      .step<unknown>("pay", () => (p.send(ctx.run.workflowId) === 1 ? never() : "paid again"), {
        key: `pay-${ctx.run.workflowId}`,
        timeout: "30s",
      })
      .catch((e: unknown) => ({ category: (e as StepError).category, message: (e as Error).message })),
  );
  type Engine = Awaited<ReturnType<typeof p.engine>>;

  /** Runs whose only effect is in doubt, by id. */
  const inDoubt = async (
    ids: readonly string[],
    o: { requireTwoApprovers?: boolean } = {},
  ): Promise<{ e: Engine; by: Map<string, DecisionView> }> => {
    const a = await p.engine({ workflows: [payout] });
    for (const id of ids) await a.engine.start(payout, undefined, { id });
    await p.until(() => ids.every((id) => p.sent.get(id) === 1));
    const e = await p.takeOver(a, { workflows: [payout], ...o });
    await p.until(async () => (await e.engine.decisions()).length === ids.length);
    return { e, by: new Map((await e.engine.decisions()).map((d) => [d.workflowId, d])) };
  };
  const events = async (e: Engine, id: string): Promise<readonly { eventType: string; payload?: unknown }[]> => e.client.events(id);

  it(
    "an effect in doubt is answered three ways, each with its consequence, and the answer is an event with who and why",
    proves("K25", "K27", "W-028"),
    async () => {
      const { e, by } = await inDoubt(["yes", "no", "up"]);
      const yes = by.get("yes")!;
      expect(yes).toMatchObject({
        kind: "effect",
        workflow: "payout",
        code: "PAWL2001",
        reason: "it began and nobody recorded how it ended",
        step: { stepId: "pay", name: "pay", class: "AT-MOST-ONCE", key: "pay-yes", attempts: 1, sends: 1 },
      });
      expect(yes.answers.map((a) => a.answer)).toEqual(["happened", "did-not-happen", "fail"]);
      expect(yes.evidence.length).toBeGreaterThanOrEqual(2);

      expect(await e.engine.resolve(yes.decisionId, { ...ann, happened: true, result: { ref: 7 } })).toEqual({ state: "applied" });
      expect((await e.client.waitForEnd("yes")).result).toEqual({ ref: 7 });
      expect(await p.record(e, yes.runId)).toMatchObject({ status: "completed", phase: "settled", result: { ref: 7 } });

      // K25: not before the last dispatch can no longer arrive: 30 s of time limit and 5 s to settle.
      const no = by.get("no")!;
      const from = Date.parse(no.answers[1]!.from!);
      expect(from).toBe(Date.parse(no.step!.lastSentAt) + 35_000);
      await expect(e.engine.resolve(no.decisionId, { ...ann, happened: false })).rejects.toMatchObject({
        code: "PAWL4010",
        data: { from: no.answers[1]!.from },
      });
      expect(p.sent.get("no")).toBe(1);
      p.testStore().advanceClock(from - p.testStore().platform.wallMs() + 2_000); // the owner only estimates the store's clock
      expect(await e.engine.resolve(no.decisionId, { ...ann, happened: false })).toEqual({ state: "applied" });
      expect((await e.client.waitForEnd("no")).result).toBe("paid again");
      expect(p.sent.get("no")).toBe(2);
      expect(await p.record(e, no.runId)).toMatchObject({ status: "completed", attempts: 2, result: "paid again" });

      const up = by.get("up")!;
      await e.engine.resolve(up.decisionId, { ...ann, fail: true });
      expect((await e.client.waitForEnd("up")).result).toEqual({
        category: "INDETERMINATE",
        message: "given up; ann decided: asked the bank",
      });
      expect(p.sent.get("up")).toBe(1);
      expect(await p.record(e, up.runId)).toMatchObject({ status: "indeterminate", phase: "settled" });

      for (const d of [yes, no, up]) {
        const answered = (await events(e, d.runId)).filter((x) => x.eventType === "pawl.DecisionAnswered");
        expect(answered.map((x) => x.payload)).toMatchObject([
          { decisionId: d.decisionId, stepId: "pay", by: "ann", reason: "asked the bank" },
        ]);
      }
      expect(await e.engine.decisions()).toEqual([]);
      await expect(e.engine.resolve(yes.decisionId, { ...ann, fail: true })).rejects.toMatchObject({ code: "PAWL4070" });
    },
  );

  it("an answer needs who, why and exactly one thing; what is wrong is refused before anything is stored", proves("K27"), async () => {
    const { e, by } = await inDoubt(["a"]);
    const { decisionId, runId } = by.get("a")!;
    const bad = [
      { by: "", reason: "x", fail: true },
      { by: "x", reason: " ", fail: true },
      { by: "x", reason: "y" },
      { ...ann, fail: true, happened: true },
      { ...ann, retry: true },
      { ...ann, happened: "yes" },
      { by: "a\0", reason: "x", fail: true },
    ];
    for (const answer of bad)
      await expect(e.engine.resolve(decisionId, answer as never), JSON.stringify(answer)).rejects.toMatchObject({ code: "PAWL4011" });
    for (const id of ["x", `${runId}:99`, `${runId}:0`, "no-run:3"])
      await expect(e.engine.resolve(id, { ...ann, fail: true }), id).rejects.toMatchObject({
        code: expect.stringMatching(/^PAWL40(10|72)$/) as string,
      });
    expect(await p.testStore().store.inbox({ runId, all: true })).toEqual([]);
    expect((await e.engine.decisions()).map((d) => d.decisionId)).toEqual([decisionId]);
  });

  it("an answer is durable without any engine, is taken once, and the same request again gets the same answer", proves("K8"), async () => {
    const { e, by } = await inDoubt(["a"]);
    const { decisionId, runId } = by.get("a")!;
    await e.stop();
    const client = p.testStore().client();
    const answer = { ...ann, happened: true, result: 1 } as const;
    expect(await client.resolve(decisionId, answer, { requestId: "r1", timeoutMs: 0 })).toEqual({ state: "posted" });
    expect(await client.resolve(decisionId, answer, { requestId: "r1", timeoutMs: 0 })).toEqual({ state: "posted", replayed: true });
    expect(await p.testStore().store.inbox({ runId, all: true })).toHaveLength(1);
    const next = await p.engine({ workflows: [payout] });
    expect((await next.client.waitForEnd("a")).result).toBe(1);
    expect((await events(next, runId)).filter((x) => x.eventType === "pawl.DecisionAnswered")).toHaveLength(1);
  });

  it(
    "an answer about a compensation is durable without any engine too, and taken by whoever comes",
    proves("K8", "K19", "K27"),
    async () => {
      let undone = 0;
      const wf = workflow({ name: "undoing" }, async (ctx) => {
        for (const name of ["first", "second"])
          await ctx.step(name, () => name, {
            compensate: { undo: () => (++undone, name === "second" ? new Promise(() => {}) : undefined), once: true, timeout: "50ms" },
          });
        ctx.fail("no more");
      });
      const a = await p.engine({ workflows: [wf] });
      const { runId } = await a.engine.start(wf);
      await p.until(async () => (await a.engine.decisions()).length === 1);
      const [d] = await a.engine.decisions();
      expect(d).toMatchObject({ kind: "compensation", step: { name: "second" } });
      await a.stop();
      const answer = { ...ann, happened: true } as const;
      expect(await p.testStore().client().resolve(d!.decisionId, answer, { timeoutMs: 0 })).toEqual({ state: "posted" });
      const b = await p.engine({ workflows: [wf] });
      expect((await b.client.waitForEnd(runId, { timeoutMs: 20_000 })).status).toBe("FAILED");
      expect(undone).toBe(2);
      const answered = (await events(b, runId)).filter((x) => x.eventType === "pawl.DecisionAnswered");
      expect(answered.map((x) => x.payload)).toMatchObject([{ by: "ann", stepId: "second/~compensate" }]);
      expect((await events(b, runId)).at(-1)?.payload).not.toHaveProperty("compensationsFailed");
    },
  );

  it("with two people an answer waits until another person says the same; one person cannot be both", proves("K27"), async () => {
    const { e, by } = await inDoubt(["a"], { requireTwoApprovers: true });
    const { decisionId, runId } = by.get("a")!;
    const answer = { happened: true, result: 5 } as const;
    expect(await e.engine.resolve(decisionId, { ...ann, ...answer })).toEqual({ state: "proposed" });
    await expect(e.engine.resolve(decisionId, { ...ann, ...answer })).rejects.toMatchObject({ code: "PAWL4010" });
    expect((await e.engine.decisions())[0]?.proposed).toEqual({ by: "ann", reason: "asked the bank", answer: "happened" });
    // Another result is another proposal, which ann may confirm only if she says the same.
    expect(await e.engine.resolve(decisionId, { by: "bob", reason: "saw it", happened: true, result: 6 })).toEqual({ state: "proposed" });
    expect((await e.client.get("a"))?.waiting).toBe("decision");
    // It is remembered across owners.
    const next = await p.takeOver(e, { workflows: [payout], requireTwoApprovers: true });
    expect(await next.client.resolve(decisionId, { ...ann, happened: true, result: 6 }, { timeoutMs: 15_000 })).toEqual({
      state: "applied",
    });
    expect((await next.client.waitForEnd("a")).result).toBe(6);
    const said = (await events(next, runId)).filter((x) => x.eventType.startsWith("pawl.Decision"));
    expect(said.map((x) => (x.payload as { by: string }).by)).toEqual(["ann", "bob", "ann"]);
    expect(said.at(-1)?.payload).toMatchObject({ proposedBy: "bob" });
  });

  it("a divergence is in the same inbox: answered, the run goes on with mended code, or is terminated", proves("K20"), async () => {
    const version = (n: number): typeof payout =>
      workflow({ name: "payout", signals: { go: z.any() } }, async (ctx) => {
        await ctx.step(n === 1 ? "one" : "two", () => p.send("s"));
        return (await ctx.receive("go" as never)) as unknown;
      }) as never;
    const [good, bad] = [version(1), version(2)];
    const a = await p.engine({ workflows: [good] });
    for (const id of ["d1", "d2"]) await a.engine.start(good, undefined, { id });
    await p.until(async () => (await a.client.list()).runs.every((r) => r.waiting === "signal"));
    const b = await p.takeOver(a, { workflows: [bad] });
    for (const id of ["d1", "d2"]) await b.client.signal(id, "go", "gone");
    await p.until(async () => (await b.engine.decisions()).length === 2);
    const decisions = await b.engine.decisions();
    expect(decisions.map((d) => [d.kind, d.code, d.answers.map((x) => x.answer)])).toEqual(
      Array(2).fill(["diverged", "PAWL1006", ["retry", "fail"]]),
    );
    const [d1, d2] = ["d1", "d2"].map((id) => decisions.find((d) => d.workflowId === id)!);
    const c = await p.takeOver(b, { workflows: [good] });
    await expect(c.engine.resolve(d1!.decisionId, { ...ann, happened: false })).rejects.toMatchObject({ code: "PAWL4011" });
    await c.engine.resolve(d1!.decisionId, { ...ann, retry: true });
    await c.engine.resolve(d2!.decisionId, { ...ann, fail: true });
    expect((await c.client.waitForEnd("d1")).result).toBe("gone");
    expect((await c.client.waitForEnd("d2")).status).toBe("CANCELLED");
    expect((await events(c, "d1")).find((x) => x.eventType === "pawl.DecisionAnswered")?.payload).toMatchObject({
      by: "ann",
      reason: "asked the bank",
      decisionId: d1!.decisionId,
    });
    expect(await c.engine.decisions()).toEqual([]);
  });
});
