// What a run waits for, on every store, through graph(), agent() and a server: the wait is recorded with its kind and with what ends it, nothing else
// ends it, and the same message twice is one.
import { afterEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { agent, scripted, tool } from "../../src/agents.ts";
import { graph, last } from "../../src/graph.ts";
import { serve, type Served } from "../server/serve.ts";
import { payloadOf } from "../support/test-cluster.ts";
import { proves } from "../support/proves.ts";
import { testStores, type TestStore } from "../support/test-store.ts";

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const s of open.splice(0).reverse()) await s.close();
});
const soon = { timeout: 30_000 };

const shop = graph({ name: "shop", state: { paid: last(0), price: last(0) }, signals: { paid: z.number(), shipped: z.string() } })
  .nodes({
    pay: async (_s, ctx) => ({ paid: await ctx.receive("paid") }),
    ask: async (_s, ctx) => ({ price: (await ctx.ask("price", { schema: z.number(), text: "How much?" })).value }),
  })
  .edges({ start: "pay", pay: "ask", ask: "end" });
const refunds: string[] = [];
const refund = tool(
  { name: "refund", description: "Refund a charge", input: z.object({ id: z.string() }) },
  (i) => void refunds.push(i.id),
  { once: true, approve: "refund it?" },
);
const support = agent({
  name: "support",
  model: scripted([{ calls: [{ tool: "refund", input: { id: "ch_1" } }] }, "done"], { by: "conversation" }),
  tools: [refund],
});

describe.each(testStores)("%s", (_name, make) => {
  const place = async (): Promise<{ s: TestStore; at: Served }> => {
    const s = await make();
    open.push(s);
    const at = await serve({ on: s.store, workflows: [shop, support] });
    open.push(at);
    return { s, at };
  };
  const events = (s: TestStore, runId: string) => s.store.events({ runId, after: 0, limit: 1_000 });

  it(
    "only a message of that name ends a wait; any other is refused or kept, and a duplicate is answered without a second end",
    proves("AX-22"),
    async () => {
      const { s, at } = await place();
      const h = await at.app.start(shop, {}, { id: "o-1" });
      await vi.waitFor(async () => expect((await at.get("/v1/runs/o-1")).json).toMatchObject({ waiting: "signal" }), soon);
      const wait = (await events(s, h.runId)).find((e) => e.stepId === "1/pay/paid")!;
      expect(payloadOf(wait), "what the wait says").toMatchObject({ kind: "signal", signal: "paid" });
      const send = (name: string, payload: unknown, signalId: string) => at.post("/v1/runs/o-1/signals", { name, payload, signalId });
      expect(await send("payed", 1, "x")).toMatchObject({ status: 422, json: { code: "PAWL1016" } });
      expect(await send("paid", "much", "y")).toMatchObject({ status: 422, json: { code: "PAWL1008" } });
      expect((await send("shipped", "no", "z")).status, "declared, and nobody waits for it yet").toBeLessThan(300);
      const ends = async (stepId: string): Promise<number> =>
        (await events(s, h.runId)).filter((e) => e.stepId === stepId && e.eventType === "StepCompleted").length;
      expect(await ends("1/pay/paid")).toBe(0);
      const [first, second] = [await send("paid", 500, "p1"), await send("paid", 500, "p1")];
      expect([first.json.replayed, second.json.replayed]).toEqual([false, true]);
      expect(second.json.result).toEqual(first.json.result);
      await vi.waitFor(async () => expect(await h.questions()).toHaveLength(1), soon);

      const [q] = await h.questions();
      expect(q).toMatchObject({ kind: "question", name: "price", questionId: expect.any(String) });
      const answer = (id: string, value: unknown, submissionId: string) =>
        at.post(`/v1/questions/${encodeURIComponent(id)}/answer`, { value, submissionId });
      expect(await answer(`${q!.questionId}0`, 7, "a")).toMatchObject({ status: 409, json: { code: "PAWL4010" } });
      expect(await answer(q!.questionId, "many", "b")).toMatchObject({ status: 422, json: { code: "PAWL1008" } });
      expect(await ends("2/ask/price")).toBe(0);
      expect(await answer(q!.questionId, 7, "c")).toMatchObject({ status: 200, json: { state: "applied", replayed: false } });
      expect(await answer(q!.questionId, 7, "c")).toMatchObject({ status: 200, json: { state: "applied", replayed: true } });
      expect(await h.result()).toEqual({ paid: 500, price: 7 });
      expect((await send("paid", 500, "p1")).json, "after the end, too").toMatchObject({ replayed: true, result: first.json.result });
      expect([await ends("1/pay/paid"), await ends("2/ask/price")]).toEqual([1, 1]);
    },
  );

  it("a call that waits for approval is answered under its own id, once", proves("AX-22"), async () => {
    refunds.length = 0;
    const { s, at } = await place();
    const h = await at.app.start(support, { prompt: "refund ch_1" }, { id: "t-1" });
    await vi.waitFor(async () => expect(await at.app.decisions()).toHaveLength(1), soon);
    const [d] = await at.app.decisions();
    expect(d).toMatchObject({ kind: "approval", reason: "refund it?", decisionId: expect.any(String) });
    const resolve = (id: string, body: object) =>
      at.post(`/v1/decisions/${encodeURIComponent(id)}/answer`, { answer: { reason: "fine", ...body } });
    expect(await resolve(`${d!.decisionId}0`, { approve: true })).toMatchObject({ status: 409, json: { code: "PAWL4010" } });
    expect(refunds).toEqual([]);
    expect(await resolve(d!.decisionId, { approve: true })).toMatchObject({ status: 200, json: { state: "applied" } });
    expect(await resolve(d!.decisionId, { approve: true })).toMatchObject({ status: 200, json: { replayed: true } });
    expect(await h.result()).toMatchObject({ text: "done" });
    expect(refunds).toEqual(["ch_1"]);
    expect((await events(s, h.runId)).filter((e) => e.eventType === "pawl.DecisionAnswered")).toHaveLength(1);
  });
});
