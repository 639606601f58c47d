// What a run used, from its log alone: through the client, over HTTP and in `pawl inspect`, on every store. And the four models that nobody wants: one that asks for the same
// refund five times, one that invents a tool, one that writes broken arguments, one that is down for an hour.
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { agent, scripted, tool, type Message, type Model } from "../../src/agents.ts";
import { serve, type Served } from "../server/serve.ts";
import { proves } from "../support/proves.ts";
import { storeKinds, testClusters } from "../support/test-cluster.ts";
import { testStores } from "../support/test-store.ts";

const fresh = testClusters();
const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const s of open.splice(0).reverse()) await s.close();
});
const told = (messages: readonly Message[]) => messages.flatMap((m) => m.content.flatMap((p) => (p.type === "tool-result" ? [p] : [])));
const asks = (input: unknown, name = "refund") => ({ calls: [{ tool: name, input: input as never }] });
function till(): { sent: string[]; refund: ReturnType<typeof makeRefund> } {
  const sent: string[] = [];
  return { sent, refund: makeRefund(sent) };
}
const makeRefund = (sent: string[]) =>
  tool(
    { name: "refund", description: "Refund a charge", input: z.object({ id: z.string(), cents: z.number().default(500) }) },
    (i) => (sent.push(i.id), `re_${i.id}`),
    { once: true },
  );

describe.each(testStores)("on %s", (_name, make) => {
  it("calls, tokens and cost of a run, in all and by model", async () => {
    const s = await make();
    open.push(s);
    const { refund } = till();
    const inner = scripted([asks({ id: "a" }), "done"], { by: "conversation" });
    const used = [
      { inputTokens: 10, outputTokens: 2 },
      { inputTokens: 30, outputTokens: 5 },
    ];
    const large: Model = { ...inner, generate: async (r, x) => ({ ...(await inner.generate(r, x)), usage: used.shift()! }) };
    const a = agent({
      name: "spends",
      model: large,
      tools: [refund],
      budget: { cost: { max: 100, price: (u) => (u.inputTokens ?? 0) / 10 } },
    });
    const at: Served = await serve({ on: s.store, workflows: [a] });
    open.push(at);
    const h = await at.app.start(a, { prompt: "x" }, { id: "t-1" });
    await h.result();
    const usage = await h.usage();
    expect(usage).toMatchObject({ runId: h.runId, modelCalls: 2, inputTokens: 40, outputTokens: 7, cost: 4, toolCalls: 1, repeats: 0 });
    expect(usage.byModel).toEqual([
      { model: large.id, provider: large.provider, modelCalls: 2, inputTokens: 40, outputTokens: 7, cost: 4 },
    ]);
    expect((await at.get("/v1/runs/t-1/usage")).json).toEqual(JSON.parse(JSON.stringify(usage)));
    expect((await at.get("/v1/runs/t-none/usage")).status).toBe(404);
  });
});

describe.each(storeKinds)("%s", (kind) => {
  it("a model that asks for the same refund five times: one refund, and it is told each time", proves("AX-12"), async () => {
    const l = await fresh(kind);
    const { sent, refund } = till();
    const five = [1, 2, 3].map(() => asks({ id: "ch_7" }));
    const twice = { calls: [...asks({ id: "ch_7", cents: 500 }).calls, ...asks({ cents: 500, id: "ch_7" }).calls] };
    const a = agent({ name: "five", model: scripted([...five, twice, "done"], { by: "conversation" }), tools: [refund] });
    const { engine } = await l.engine([a]);
    const h = await engine.start(a, { prompt: "x" });
    const out = await l.advanceUntil(h.result());
    expect(sent).toEqual(["ch_7"]);
    expect(told(out.messages).map((p) => [p.outcome, p.output])).toEqual(Array.from({ length: 5 }, () => ["done", "re_ch_7"]));
    expect(told(out.messages).map((p) => p.repeatOf !== undefined)).toEqual([false, true, true, true, true]);
    expect(await h.usage()).toMatchObject({ modelCalls: 5, toolCalls: 5, repeats: 4 });
  });

  it("a model that invents a tool, and one that writes broken arguments: nothing is sent, it reads why, and mends it", async () => {
    const l = await fresh(kind);
    const { sent, refund } = till();
    const a = agent({
      name: "wild",
      model: scripted([asks({ id: "ch_7" }, "steal"), asks("{broken"), asks({ id: 7 }), asks(null), asks({ id: "ch_7" }), "done"], {
        by: "conversation",
      }),
      tools: [refund],
    });
    const { engine } = await l.engine([a]);
    const out = await l.advanceUntil(engine.run(a, { prompt: "x" }));
    expect(sent).toEqual(["ch_7"]);
    const results = told(out.messages);
    expect(results.map((p) => p.outcome)).toEqual(["failed", "failed", "failed", "failed", "done"]);
    expect(results[0]!.output).toContain("There is no tool steal");
    expect(results[2]!.output).toMatch(/id/);
  });

  it("a model that is down for an hour: held for a person, nothing undone, nothing sent twice, and it goes on", async () => {
    const l = await fresh(kind);
    const sent: string[] = [];
    let undone = 0;
    const refund = tool({ name: "refund", description: "Refund", input: z.object({ id: z.string() }) }, (i) => (sent.push(i.id), "re_1"), {
      once: true,
      compensate: () => void undone++,
    });
    let [down, asked] = [false, 0];
    const inner = scripted([asks({ id: "ch_7" }), "done"], { by: "conversation" });
    const model: Model = {
      id: inner.id,
      provider: inner.provider,
      generate: async (r, s) => {
        asked++;
        if (down) throw new Error("503 overloaded");
        const reply = await inner.generate(r, s);
        down = asked === 1; // after its first answer
        return reply;
      },
    };
    const a = agent({ name: "outage", model, tools: [refund] });
    let e = await l.engine([a], { lease: "1s" });
    await e.engine.start(a, { prompt: "x" }, { id: "r" });
    await l.platform.advance(600_000);
    e.kill();
    e = await l.engine([a], { lease: "1s" });
    await l.platform.advance(600_000);
    const [d] = await e.engine.decisions();
    expect([d?.kind, sent, undone]).toEqual(["failure", ["ch_7"], 0]);
    const during = asked;
    await l.platform.advance(2_400_000);
    expect(asked, "nobody hammers a provider that is down").toBe(during);
    down = false;
    await l.advanceUntil(e.engine.resolve(d!.decisionId, { retry: true, by: "ann", reason: "it is back" }));
    const out = await l.advanceUntil((await e.engine.get(a, "r"))!.result());
    expect([out.text, out.stopped, sent, undone]).toEqual(["done", undefined, ["ch_7"], 0]);
  });
});
