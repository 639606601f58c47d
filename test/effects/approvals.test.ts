// Approvals, on every store: a step that a person must approve is asked about once, before anything is sent, in the same inbox as
// every other decision. Whoever dies meanwhile changes nothing: the question stays the same, and what is sent after the answer is
// sent as the step's class allows. The world outside counts what reached it.
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { StepError, task, workflow, type DecisionNotice, type DecisionView } from "../../src/index.ts";
import { testStores } from "../support/test-store.ts";
import { never, effectTest } from "./effect-test.ts";
import { proves } from "../support/proves.ts";

const ann = { by: "ann", reason: "checked the invoice" } as const;
const caught = (e: unknown): unknown => ({ category: (e as StepError).category, message: (e as Error).message });

describe.each(testStores)("approvals on %s", (_, open) => {
  const p = effectTest(open);
  type Engine = Awaited<ReturnType<typeof p.engine>>;
  let asked = 0;
  const pay = task(
    { name: "pay", input: z.object({ to: z.string(), cents: z.number() }) },
    (i) => (p.send(i.to) === 1 && i.to.startsWith("lost") ? never() : `paid ${i.cents}`),
    {
      key: (i) => `pay-${i.to}`,
      receiver: "bank",
      approve: (i) => {
        asked++;
        return i.cents >= 100 && `pay ${i.cents} to ${i.to}?`;
      },
    },
  );
  const payout = workflow({ name: "payout", input: z.number() }, async (ctx, cents) =>
    ctx.do(pay, { to: ctx.run.workflowId, cents }).catch(caught),
  );
  const only = async (e: Engine): Promise<DecisionView> => {
    await p.until(async () => (await e.engine.decisions()).length > 0);
    const all = await e.engine.decisions();
    expect(all).toHaveLength(1);
    return all[0]!;
  };
  const types = async (e: Engine, id: string): Promise<string[]> =>
    (await e.client.events(id)).flatMap((x) => (x.eventType.startsWith("Run") ? [] : [x.eventType]));

  it(
    "a step that a person must approve is in the inbox with its evidence, and is sent when it is approved and not before",
    proves("K27"),
    async () => {
      const told: DecisionNotice[] = [];
      const e = await p.engine({ workflows: [payout], onDecision: (d) => void told.push(d) });
      await e.engine.start(payout, 500, { id: "a" });
      const d = await only(e);
      expect(d).toMatchObject({
        kind: "approval",
        workflow: "payout",
        code: "PAWL2033",
        reason: "pay 500 to a?",
        approval: { stepId: "pay", name: "pay", class: "AT-MOST-ONCE", key: "pay-a", receiver: "bank", input: { to: "a", cents: 500 } },
        answers: [{ answer: "approve" }, { answer: "refuse" }],
      });
      expect(d.approval?.argsDigest).toMatch(/^[0-9a-f]{64}$/);
      expect(d.step).toBeUndefined();
      expect(told).toMatchObject([{ decisionId: d.decisionId, kind: "approval", reason: "pay 500 to a?" }]);
      expect((await e.client.get("a"))?.waiting).toBe("decision");
      expect([p.sent.get("a"), (await e.client.effects({ runId: d.runId })).effects]).toEqual([undefined, []]);
      expect((await e.client.proof(d.runId)).effects).toMatchObject([
        { verdict: "not-at-all", sends: 0, sentence: "pay for pay-a waits for approval and was not sent (AT-MOST-ONCE)." },
      ]);
      for (const wrong of [{ happened: true }, { fail: true }, { approve: true, refuse: true }])
        await expect(e.engine.resolve(d.decisionId, { ...ann, ...wrong } as never)).rejects.toMatchObject({ code: "PAWL4011" });

      expect(await e.engine.resolve(d.decisionId, { ...ann, approve: true })).toEqual({ state: "applied" });
      expect((await e.client.waitForEnd("a")).result).toBe("paid 500");
      expect(p.sent.get("a")).toBe(1);
      expect(await types(e, "a")).toEqual(["StepStarted", "pawl.DecisionAnswered", "StepCompleted"]);
      expect(await p.record(e, d.runId)).toMatchObject({
        status: "completed",
        attempts: 1,
        engineAttempts: 1,
        argsDigest: d.approval?.argsDigest,
      });
      const [proof] = (await e.client.proof(d.runId)).effects;
      expect(proof).toMatchObject({ verdict: "once", sends: 1 });
      expect(proof?.sentence).toContain("was approved by ann because checked the invoice, was attempted once and took effect once");
      await expect(e.engine.resolve(d.decisionId, { ...ann, refuse: true })).rejects.toMatchObject({ code: "PAWL4070" });
    },
  );

  it("what the function says no to is sent at once; a refused step was never sent, and the code can catch that", async () => {
    const e = await p.engine({ workflows: [payout] });
    expect(await e.engine.run(payout, 99, { id: "small" })).toBe("paid 99");
    await e.engine.start(payout, 100, { id: "big" });
    const d = await only(e);
    await e.engine.resolve(d.decisionId, { ...ann, refuse: true });
    expect((await e.client.waitForEnd("big")).result).toEqual({ category: "NOT_APPROVED", message: "ann refused it: checked the invoice" });
    expect(p.sent.has("big")).toBe(false);
    const failed = (await e.client.events(d.runId)).find((x) => x.eventType === "StepFailed");
    expect(failed?.payload).toMatchObject({ error: { code: "PAWL2034" } });
    expect(await p.record(e, d.runId)).toMatchObject({ status: "failed", phase: "settled", error: { category: "NOT_APPROVED" } });
    expect((await e.client.proof(d.runId)).effects).toMatchObject([
      {
        verdict: "not-at-all",
        sends: 0,
        sentence: "pay for pay-big was refused by ann because checked the invoice, and never sent (AT-MOST-ONCE).",
      },
    ]);
  });

  it("the question outlives its engines: asked once, evaluated once, answered without any engine", proves("K27"), async () => {
    asked = 0;
    const a = await p.engine({ workflows: [payout] });
    await a.engine.start(payout, 500, { id: "a" });
    const d = await only(a);
    const b = await p.takeOver(a, { workflows: [payout] });
    expect((await only(b)).decisionId).toBe(d.decisionId);
    await b.stop();
    const client = p.testStore().client();
    expect(await client.resolve(d.decisionId, { ...ann, approve: true }, { timeoutMs: 0 })).toEqual({ state: "posted" });
    const c = await p.engine({ workflows: [payout] });
    expect((await c.client.waitForEnd("a")).result).toBe("paid 500");
    expect([asked, p.sent.get("a")]).toEqual([1, 1]);
    expect(await types(c, "a")).toEqual(["StepStarted", "pawl.TakenOver", "pawl.DecisionAnswered", "StepCompleted"]);
  });

  it(
    "once approved, approved: an engine that dies with it leaves what its class says, and nobody is asked for leave again",
    proves("I6"),
    async () => {
      const a = await p.engine({ workflows: [payout] });
      await a.engine.start(payout, 500, { id: "lost" });
      await a.engine.resolve((await only(a)).decisionId, { ...ann, approve: true });
      await p.until(() => p.sent.get("lost") === 1);
      const b = await p.takeOver(a, { workflows: [payout] });
      const doubt = await only(b);
      expect(doubt).toMatchObject({ kind: "effect", code: "PAWL2001", step: { sends: 1 } });
      await b.engine.resolve(doubt.decisionId, { ...ann, happened: true, result: "paid 500" });
      expect((await b.client.waitForEnd("lost")).result).toBe("paid 500");
      expect(p.sent.get("lost")).toBe(1);
    },
  );

  it("with two people an approval waits for the second, and one person cannot be both", proves("K27"), async () => {
    const e = await p.engine({ workflows: [payout], requireTwoApprovers: true });
    await e.engine.start(payout, 500, { id: "a" });
    const { decisionId } = await only(e);
    expect(await e.engine.resolve(decisionId, { ...ann, approve: true })).toEqual({ state: "proposed" });
    await expect(e.engine.resolve(decisionId, { ...ann, approve: true })).rejects.toMatchObject({ code: "PAWL4010" });
    expect((await only(e)).proposed).toEqual({ ...ann, answer: "approve" });
    expect(p.sent.has("a")).toBe(false);
    expect(await e.engine.resolve(decisionId, { by: "bob", reason: "so do I", approve: true })).toEqual({ state: "applied" });
    expect((await e.client.waitForEnd("a")).result).toBe("paid 500");
  });
});
