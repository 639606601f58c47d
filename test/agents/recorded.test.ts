// What a run has from outside its code is recorded, and no owner after a crash asks for it again: models, tools, other calls, the time, chance, ids, answers of people. Only
// pure code runs again. What had begun and has no end is not simply made again, a model call neither if its author says so.
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { agent, generate, scripted, tool, toolbox, userMessage, type Model } from "../../src/agents.ts";
import { workflow } from "../../src/index.ts";
import { testEngine } from "../../src/testing.ts";
import { proves } from "../support/proves.ts";
import { storeKinds, testClusters } from "../support/test-cluster.ts";

const fresh = testClusters();
const never = (): Promise<never> => new Promise(() => {});

describe.each(storeKinds)("%s", (kind) => {
  it("every kind of effect is recorded and read back; only the code itself runs again", proves("AX-05", "AX-06", "AX-35"), async () => {
    const l = await fresh(kind);
    const made: string[] = [];
    const saw: unknown[][] = [];
    let pure = 0;
    const script = scripted([{ calls: [{ tool: "pay", input: { n: 1 } }] }]);
    const model: Model = { ...script, id: "m", provider: "p", generate: (r, s) => (made.push("model"), script.generate(r, s)) };
    const pay = tool({ name: "pay", description: "Pay", input: z.object({ n: z.number() }) }, (i) => (made.push("tool"), i.n), {
      once: true,
    });
    const wf = workflow({ name: "kinds", signals: { yes: z.string(), go: z.string() } }, async (ctx) => {
      pure++;
      const box = toolbox(ctx, [pay]);
      const reply = await generate(ctx, "model", model, { messages: [userMessage("pay")], tools: [pay] });
      const paid = await box.run(reply.calls[0]!);
      const http = await ctx.step("http", () => (made.push("io"), Math.random()), { repeatable: true });
      const human = await ctx.receive("yes");
      saw.push([reply.calls[0]!.id, paid.output, http, human, ctx.now().getTime(), ctx.random(), ctx.uuid()]);
      await ctx.receive("go");
      return saw.at(-1);
    });
    const first = await l.engine([wf], { lease: "1s" });
    const h = await first.engine.start(wf, undefined, { id: "r" });
    await h.signal("yes", "ann");
    await l.advanceUntilLine(h.runId, "StepCompleted yes");
    await l.platform.advance(1_000);
    first.kill();
    await l.platform.advance(60_000);
    const { engine } = await l.engine([wf], { lease: "1s" });
    const again = (await engine.get(wf, "r"))!;
    await again.signal("go", "now");
    const result = await l.advanceUntil(again.result());
    expect(made, "nothing was asked for again").toEqual(["model", "tool", "io"]);
    expect(pure).toBeGreaterThan(1);
    expect(saw.length).toBeGreaterThan(1);
    for (const s of saw) expect(s).toEqual(saw[0]);
    expect(result).toEqual(saw[0]);
  });

  it.each(["model", "tool"] as const)(
    "killed while a %s call is under way that is declared once: it is not made again",
    proves("AX-09"),
    async (hangs) => {
      const l = await fresh(kind);
      const made: string[] = [];
      const script = scripted([{ calls: [{ tool: "pay", input: {} }] }, "done"], { by: "conversation" });
      const model: Model = {
        ...script,
        id: "m",
        provider: "p",
        generate: (r, s) => (made.push("model"), hangs === "model" ? never() : script.generate(r, s)),
      };
      const pay = tool({ name: "pay", description: "Pay", input: z.object({}) }, () => (made.push("tool"), never()), { once: true });
      const a = agent({ name: "begun", model, modelCalls: "once", tools: [pay] });
      const dead = await l.engine([a], { lease: "1s" });
      const { runId } = await dead.engine.start(a, { prompt: "x" }, { id: "r" });
      await l.advanceUntilLine(runId, hangs === "model" ? "StepStarted 2/model/model" : "StepStarted 3/tools/pay");
      await l.platform.advance(100);
      dead.kill();
      const { engine } = await l.engine([a], { lease: "1s" });
      await l.advanceUntilLine(runId, "pawl.StepInDoubt");
      await l.platform.advance(15_000);
      const stepId = hangs === "model" ? "2/model/model" : "3/tools/pay";
      expect(await l.advanceUntil(engine.decisions())).toMatchObject([{ code: "PAWL2001", step: { stepId } }]);
      expect(made).toEqual(hangs === "model" ? ["model"] : ["model", "tool"]);
    },
  );

  it(
    "a run that waited for days, with every process gone: an answer continues the same plan with what it had",
    proves("AX-25"),
    async () => {
      const l = await fresh(kind);
      const sent: string[] = [];
      const wf = workflow({ name: "waits", signals: { approved: z.object({ by: z.string() }) } }, async (ctx) => {
        const quote = await ctx.step("quote", () => (sent.push("quote"), { cents: 500, at: sent.length }), { once: true });
        const { by } = await ctx.receive("approved");
        return { ...quote, by, order: await ctx.step("order", () => (sent.push("order"), quote.cents), { once: true }) };
      });
      const first = await l.engine([wf], { lease: "1s" });
      const { runId } = await first.engine.start(wf, undefined, { id: "r" });
      await l.advanceUntilLine(runId, "StepStarted approved");
      first.kill();
      await l.platform.advance(3 * 24 * 3_600_000);
      const { engine } = await l.engine([wf], { lease: "1s" });
      const h = (await engine.get(wf, "r"))!;
      expect(h.runId).toBe(runId);
      await h.signal("approved", { by: "ann" });
      expect(await l.advanceUntil(h.result())).toEqual({ cents: 500, at: 1, by: "ann", order: 500 });
      expect(sent).toEqual(["quote", "order"]);
    },
  );
});

it("in a test, the clock or chance used in the code itself is refused, with what to write instead", proves("AX-06"), async () => {
  const t = await testEngine();
  const wf = workflow({ name: "direct" }, async (ctx) => {
    await ctx.step("s", () => Date.now(), { repeatable: true });
    return Math.random();
  });
  await expect(t.run(wf)).rejects.toMatchObject({ message: expect.stringContaining("ctx.random()") as string });
  await t.stop();
});
