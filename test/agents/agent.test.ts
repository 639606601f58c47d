// agent() as a user writes it, on every store: the loop, budgets that are equal on replay, approvals over kills, outages that hold the run, outputs that are
// corrected, context that no model sees.
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { agent, scripted, tool, type Model, type ModelRequest } from "../../src/agents.ts";
import { Fatal, type Proof } from "../../src/index.ts";
import { membersOf } from "../evidence/archive.ts";
import { proves } from "../support/proves.ts";
import { storeKinds, testClusters } from "../support/test-cluster.ts";

const fresh = testClusters();
const Customer = z.object({ customerId: z.string() });
const refundDef = {
  name: "refund",
  description: "Refund a charge",
  input: z.object({ chargeId: z.string(), cents: z.number() }),
  context: Customer,
};
const ask = (chargeId = "ch_7", cents = 500) => ({ calls: [{ tool: "refund", input: { chargeId, cents } }] });

describe.each(storeKinds)("%s", (kind) => {
  it(
    "asks the model, runs its calls, and returns its answer; a refund that is asked for five times is made once",
    proves("AX-40"),
    async () => {
      const l = await fresh(kind);
      const sent: string[] = [];
      const refund = tool(refundDef, (i, _s, c) => void sent.push(`${c.customerId} ${i.chargeId}`), { once: true });
      const seen: ModelRequest[] = [];
      const script = scripted([ask(), { calls: [...ask().calls, ...ask().calls, ...ask("ch_8").calls] }, ask(), "All done."], {
        by: "conversation",
      });
      const model: Model = { ...script, id: "m", provider: "p", generate: (r, s) => (seen.push(r), script.generate(r, s)) };
      const a = agent({
        name: "support",
        model,
        context: Customer,
        instructions: (c) => `Help ${c.customerId.length} people.`,
        tools: [refund],
      });
      const { engine } = await l.engine([a]);
      const h = await engine.start(a, { prompt: "refund me", context: { customerId: "secret-customer" } });
      const out = await l.advanceUntil(h.result());
      expect(sent).toEqual(["secret-customer ch_7", "secret-customer ch_8"]);
      expect(out).toMatchObject({ text: "All done.", turns: 4, output: undefined });
      expect(out.stopped).toBeUndefined();
      expect(out.messages.filter((m) => m.role === "tool")).toHaveLength(5);
      expect(JSON.stringify(seen), "the context is in no prompt").not.toContain("secret-customer");
      expect(seen[0]!.messages[0]).toMatchObject({ role: "system", content: [{ text: "Help 15 people." }] });
    },
  );

  it("an approval is asked once, over kills; a refusal is a result that the model reads", async () => {
    const l = await fresh(kind);
    const sent: string[] = [];
    const refund = tool(refundDef, (i) => void sent.push(i.chargeId), {
      once: true,
      approve: (i, c) => i.cents > 100 && `refund ${i.cents} to ${c.customerId}?`,
    });
    const a = agent({
      name: "asks",
      model: scripted([{ calls: [...ask("a").calls, ...ask("b").calls] }, ask("a"), "ok"], { by: "conversation" }),
      context: Customer,
      tools: [refund],
    });
    const first = await l.engine([a], { lease: "1s" });
    const h = await first.engine.start(a, { prompt: "x", context: { customerId: "c7" } }, { id: "r" });
    await l.advanceUntilLine(h.runId, "StepStarted 3/tools~2/refund");
    first.kill();
    const { engine } = await l.engine([a], { lease: "1s" });
    await l.platform.advance(15_000);
    const open = await l.advanceUntil(engine.decisions());
    expect(open.map((d) => [d.kind, d.reason])).toEqual([
      ["approval", "refund 500 to c7?"],
      ["approval", "refund 500 to c7?"],
    ]);
    await l.advanceUntil(engine.resolve(open[0]!.decisionId, { approve: true, by: "ann", reason: "fine" }));
    await l.advanceUntil(engine.resolve(open[1]!.decisionId, { refuse: true, by: "ann", reason: "no" }));
    const out = await l.advanceUntil((await engine.get(a, "r"))!.result());
    expect(out.text).toBe("ok");
    expect(sent).toEqual(["a"]);
    const results = out.messages.flatMap((m) => m.content.flatMap((p) => (p.type === "tool-result" ? [[p.outcome, p.repeatOf]] : [])));
    expect(results).toEqual([
      ["done", undefined],
      ["refused", undefined],
      ["done", "3/tools/refund"],
    ]);
    expect(await l.advanceUntil(engine.decisions())).toEqual([]);
  });

  it("an outage holds the run and undoes nothing; the next model is tried first; a person retries", async () => {
    const l = await fresh(kind);
    const undone: string[] = [];
    let down = true;
    let calls = 0;
    const dead: Model = {
      id: "dead",
      provider: "p",
      generate: async () => {
        calls++;
        throw new Error("503");
      },
    };
    const script = scripted([ask(), "back"], { by: "conversation" });
    const backup: Model = {
      id: "backup",
      provider: "q",
      generate: (r, s) => (down && r.messages.length > 1 ? Promise.reject(new Fatal("no such model")) : script.generate(r, s)),
    };
    const refund = tool(refundDef, () => "re_1", { once: true, compensate: (r) => void undone.push(r) });
    const a = agent({ name: "outage", model: [dead, backup], context: Customer, tools: [refund], retry: { attempts: 2, initial: "1s" } });
    const { engine } = await l.engine([a]);
    const h = await engine.start(a, { prompt: "x", context: { customerId: "c7" } });
    await l.advanceUntilLine(h.runId, "pawl.StepHeld");
    const [d] = await l.advanceUntil(engine.decisions());
    expect(d).toMatchObject({ kind: "failure", reason: "no such model" });
    expect([undone, calls]).toEqual([[], 4]);
    down = false;
    await l.advanceUntil(engine.resolve(d!.decisionId, { retry: true, by: "ann", reason: "it is back" }));
    expect(await l.advanceUntil(h.result())).toMatchObject({ text: "back", turns: 2 });
    expect(undone).toEqual([]);
  });
});

it("a person who gives the model up ends the agent as stopped, not as failed", async () => {
  const l = await fresh("memory");
  const a = agent({
    name: "gone",
    model: {
      id: "m",
      provider: "p",
      generate: async () => {
        throw new Fatal("gone");
      },
    },
  });
  const { engine } = await l.engine([a]);
  const h = await engine.start(a, { prompt: "x" });
  await l.advanceUntilLine(h.runId, "pawl.StepHeld");
  const [d] = await l.advanceUntil(engine.decisions());
  await l.advanceUntil(engine.resolve(d!.decisionId, { skip: true, by: "ann", reason: "not today" }));
  expect(await l.advanceUntil(h.result())).toMatchObject({ stopped: "model", turns: 0 });
});

it.each([
  [{ turns: 3 }, 3],
  [{ tokens: 25 }, 3],
  [{ cost: { max: 2, price: () => 1 } }, 2],
  [{ toolCalls: 2 }, 3],
] as const)("budget %j ends the agent after %d turns, the same after a replay", async (budget, turns) => {
  const l = await fresh("memory");
  const look = tool({ name: "look", description: "Look", input: z.object({ n: z.number() }) }, (i) => i.n, { repeatable: true });
  const reply = (n: number) => ({
    content: [{ type: "tool-call" as const, id: `c${n}`, tool: "look", input: { n } }],
    finish: "tool-calls" as const,
    usage: { inputTokens: 5, outputTokens: 5 },
  });
  const model: Model = { id: "m", provider: "p", generate: async (r) => reply(r.messages.length) };
  const a = agent({ name: "spends", model, tools: [look], budget });
  const first = await l.engine([a], { lease: "1s" });
  const h = await first.engine.start(a, { prompt: "x" }, { id: "r" });
  await l.advanceUntilLine(h.runId, "StepCompleted 4/model/model");
  first.kill();
  const { engine } = await l.engine([a], { lease: "1s" });
  await l.platform.advance(15_000);
  const out = await l.advanceUntil((await engine.get(a, "r"))!.result());
  expect(out).toMatchObject({ stopped: "budget", turns });
  expect(out.usage).toMatchObject({ inputTokens: 5 * turns });
});

it("a person may grant the budget once more", async () => {
  const l = await fresh("memory");
  const look = tool({ name: "look", description: "Look", input: z.object({}) }, () => 1, { repeatable: true });
  const a = agent({
    name: "more",
    model: scripted([{ calls: [{ tool: "look", input: {} }] }, "done"], { by: "conversation" }),
    tools: [look],
    budget: { turns: 1, onEnd: "ask" },
  });
  const { engine } = await l.engine([a]);
  const h = await engine.start(a, { prompt: "x" });
  await l.advanceUntilLine(h.runId, "StepStarted 4/model/budget");
  const [d] = await l.advanceUntil(engine.decisions());
  expect(d!.reason).toBe("agent more has used 1 turns, its budget: approve the same once more?");
  await l.advanceUntil(engine.resolve(d!.decisionId, { approve: true, by: "ann", reason: "go on" }));
  expect(await l.advanceUntil(h.result())).toMatchObject({ text: "done", turns: 2 });
});

it("an output that does not validate is corrected once, then the agent says that it is invalid", async () => {
  const l = await fresh("memory");
  const output = z.object({ ok: z.boolean() });
  const good = agent({ name: "good", model: scripted(["not json", '```json\n{"ok":true}\n```'], { by: "conversation" }), output });
  const bad = agent({ name: "bad", model: scripted(['{"ok":1}', '{"ok":2}'], { by: "conversation" }), output });
  const { engine } = await l.engine([good, bad]);
  expect(await l.advanceUntil((await engine.start(good, { prompt: "x" })).result())).toMatchObject({ output: { ok: true }, turns: 2 });
  expect(await l.advanceUntil((await engine.start(bad, { prompt: "x" })).result())).toMatchObject({ stopped: "invalid", turns: 2 });
  await expect(engine.start(good, {} as never)).rejects.toThrow("an agent takes { prompt } or { messages }");
});

it("what is missing or misspelt is refused when the agent is defined: a limit that nobody reads is none", () => {
  const model = scripted(["x"]);
  const define = (def: object) => () => agent({ name: "a", ...def } as never);
  expect(define({})).toThrow("a model has an id, a provider and a function generate");
  expect(define({ model: "large" })).toThrow("a model has an id, a provider and a function generate");
  expect(define({ model, tool: [] })).toThrow('agent a has no option "tool"');
  expect(define({ model, budget: { token: 1000 } })).toThrow('the budget of agent a has no option "token"');
  expect(() => tool({ name: "t", description: "d" } as never, () => 1, { repeatable: true })).toThrow("tool t needs input");
});

it.each(["retry", "fail"] as const)(
  "a restored agent knows the calls that it made, and undoes them once; %s",
  proves("AX-13", "AX-39"),
  async (then) => {
    const l = await fresh("sqlite");
    const acts: string[] = [];
    const big = "x".repeat(40_000);
    const book = tool(
      { name: "book", description: "Book", input: z.object({ n: z.number() }) },
      (i) => (acts.push(`book ${i.n}`), { n: i.n, big }),
      {
        key: (i) => `book:${i.n}`,
        dedup: "1h",
        compensate: (r) => void acts.push(`undo ${r.n}`),
      },
    );
    const call = (n: number) => ({ calls: [{ tool: "book", input: { n } }] });
    let down = true;
    const script = scripted([call(1), call(2), call(3), call(4), call(5), call(6), call(1), "end"], { by: "conversation" });
    const model: Model = {
      ...script,
      id: "m",
      provider: "p",
      generate: (r, s) => (down && r.messages.length > 12 ? Promise.reject(new Fatal("away")) : script.generate(r, s)),
    };
    const a = agent({ name: "books", model, tools: [book] });
    const first = await l.engine([a], { lease: "1s", limits: { snapshotTailBytesMin: 20_000 } });
    const h = await first.engine.start(a, { prompt: "x" }, { id: "r" });
    await l.advanceUntilLine(h.runId, "pawl.StepHeld");
    expect(await l.lines(h.runId)).toContain("pawl.Snapshot");
    first.kill();
    down = false;
    const { engine } = await l.engine([a], { lease: "1s", limits: { snapshotTailBytesMin: 20_000 } });
    await l.platform.advance(15_000);
    const [d] = await l.advanceUntil(engine.decisions());
    await l.advanceUntil(engine.resolve(d!.decisionId, { [then]: true, by: "ann", reason: "said so" } as never));
    const run = (await engine.get(a, "r"))!;
    if (then === "fail") {
      await expect(l.advanceUntil(run.result())).rejects.toThrow("away");
      expect(acts.slice(6)).toEqual([6, 5, 4, 3, 2, 1].map((n) => `undo ${n}`));
      return;
    }
    const out = await l.advanceUntil(run.result());
    expect(acts).toEqual([1, 2, 3, 4, 5, 6].map((n) => `book ${n}`));
    const repeated = out.messages.flatMap((m) =>
      m.content.flatMap((p) => (p.type === "tool-result" && p.repeatOf !== undefined ? [p] : [])),
    );
    expect(repeated).toMatchObject([{ outcome: "done", output: { n: 1 }, repeatOf: "3/tools/book" }]);
  },
);

it(
  "every effect names the output that asked for it: by the run, by its key, from the log alone",
  proves("AX-03", "AX-15", "AX-40"),
  async () => {
    const l = await fresh("memory");
    const refund = tool({ ...refundDef, context: undefined }, (i) => ({ id: `re_${i.chargeId}` }), {
      key: (i) => `refund:${i.chargeId}`,
      dedup: "1h",
      version: "3",
      approve: true,
      externalId: (r) => r.id,
    });
    const script = scripted([{ text: "Let me.", calls: ask("ch_7").calls }, ask("ch_7"), "done"], { by: "conversation" });
    const model: Model = {
      ...script,
      id: "m-1",
      provider: "p",
      generate: async (r, s) => ({
        ...(await script.generate(r, s)),
        responseId: `resp_${r.messages.length}`,
        usage: { inputTokens: 9, outputTokens: 2 },
      }),
    };
    const a = agent({ name: "why", model, tools: [refund], settings: { temperature: 0.1 } });
    const { engine, client } = await l.engine([a]);
    const h = await engine.start(a, { prompt: "x" }, { id: "r" });
    await l.advanceUntilLine(h.runId, "StepStarted 3/tools/refund");
    const [d] = await l.advanceUntil(engine.decisions());
    await l.advanceUntil(engine.resolve(d!.decisionId, { approve: true, by: "ann", reason: "fine" }));
    await l.advanceUntil(h.result());
    const log = await l.log(h.runId);
    const event = (stepId: string) => log.find((e) => e.eventType === "StepCompleted" && e.stepId === stepId)!;
    const [first, second, ...more] = await h.causes();
    expect(first).toMatchObject({
      runId: h.runId,
      effect: { stepId: "3/tools/refund", tool: "refund", key: "refund:ch_7", externalId: "re_ch_7", outcome: "completed" },
      by: { stepId: "2/model/model", eventId: event("2/model/model").eventId, part: 1, toolCallId: "call_1_1" },
      model: { id: "m-1", provider: "p", responseId: "resp_1", temperature: 0.1, inputTokens: 9, outputTokens: 2 },
      tool: { version: "3", schemaHash: expect.stringMatching(/^[0-9a-f]{64}$/) as string },
      approvedBy: "ann",
      saw: [],
    });
    expect(second).toMatchObject({
      effect: { repeatOf: "3/tools/refund" },
      by: { stepId: "4/model/model" },
      saw: ["3/tools/refund"],
      approvedBy: "ann",
    });
    expect(more).toEqual([]);
    expect(await h.causes({ key: "refund:ch_7", stepId: "3/tools/refund" })).toEqual([first]);
    // The proof has it, by the run and by the key.
    const cause = {
      by: first!.by,
      model: { id: "m-1", provider: "p", promptHash: first!.model.promptHash },
      approvedBy: "ann",
    };
    const refunds = (p: Proof) => p.effects.filter((e) => e.name === "refund").map((e) => e.cause);
    expect(refunds(await h.proof())).toMatchObject([cause, { by: { stepId: "4/model/model" } }]);
    expect(refunds(await client.proof("refund:ch_7"))[0]).toEqual(cause);
    // The archive of the run has it in its log, whose chain vouches for it.
    const archived = membersOf(await h.evidence()).get("payloads.jsonl")!;
    const lines = archived.split("\n").flatMap((x) => (x === "" ? [] : [JSON.parse(x) as { payload: string }]));
    const payloads = lines.map((x) => JSON.parse(x.payload) as { name?: string; cause?: unknown });
    expect(payloads.find((x) => x.name === "refund")?.cause).toEqual({ stepId: "2/model/model", part: 1, toolCallId: "call_1_1" });
    // The words that the cause points at are the call.
    const { result } = JSON.parse(event(first!.by.stepId).payload!) as { result: { content: { tool?: string; id?: string }[] } };
    expect(result.content[first!.by.part]).toMatchObject({ tool: "refund", id: first!.by.toolCallId });
  },
);
