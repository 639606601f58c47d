// A model is a retrier: it asks again for what it has asked for before, also after a tool that acted and then broke. Effects are counted by the receiver. The same
// call is never simply sent a second time, however the model words it, and whenever it asks.
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { generate, scripted, tool, toolbox, userMessage, type Message, type ToolCall, type ToolResult } from "../../src/agents.ts";
import { NotSent, workflow } from "../../src/index.ts";
import { proves } from "../support/proves.ts";
import { storeKinds, testClusters } from "../support/test-cluster.ts";

const fresh = testClusters();
const input = z.object({ chargeId: z.string(), cents: z.number().default(500) });
const def = { name: "refund", description: "Refund a charge", input };

/** Acts, then breaks, as often as it is said to. */
class Bank {
  readonly acted: string[] = [];
  readonly keys = new Map<string, string>();
  breaks = 0;
  refund(chargeId: string, key: string, dedups: boolean): string {
    const before = dedups ? this.keys.get(key) : undefined;
    if (before === undefined) {
      this.acted.push(chargeId);
      this.keys.set(key, `re_${this.acted.length}`);
    }
    if (this.breaks-- > 0) throw new Error("connection reset");
    return this.keys.get(key)!;
  }
}

const call = (id: string, args: object, part = 0): ToolCall => ({
  type: "tool-call",
  id,
  tool: "refund",
  input: args as never,
  cause: { stepId: "model", part },
});

const tools = (bank: Bank) => ({
  once: tool(def, (i, s) => bank.refund(i.chargeId, s.key, false), { once: true }),
  keyed: tool(def, (i, s) => bank.refund(i.chargeId, s.key, true), { key: (i) => `refund:${i.chargeId}`, dedup: "24h" }),
  verified: tool(def, (i, s) => bank.refund(i.chargeId, s.key, false), {
    verify: async (_i, s) => {
      const id = bank.keys.get(s.key);
      return id === undefined ? { state: "not-completed" } : { state: "completed-with-result", result: id };
    },
    settle: "1s",
    timeout: "5s",
  }),
  reads: tool(def, (i, s) => bank.refund(`${i.chargeId} read`, s.key, false), { repeatable: true }),
});

/** Asks for each call in turn, with a wait in between. */
const asking = (t: ReturnType<typeof tools>[keyof ReturnType<typeof tools>], calls: readonly ToolCall[], wait?: "72h") =>
  workflow({ name: "asking" }, async (ctx) => {
    const box = toolbox(ctx, [t]);
    const results: ToolResult[] = [];
    for (const c of calls) {
      if (wait !== undefined && results.length > 0) await ctx.sleep("think", wait);
      results.push(await box.run(c));
    }
    return results;
  });

const again = [
  call("call_1", { chargeId: "ch_7" }),
  call("call_2", { cents: 500, chargeId: "ch_7" }),
  call("call_3", { chargeId: "ch_7" }),
];

describe.each(storeKinds)("%s", (kind) => {
  it.each(["once", "keyed", "verified"] as const)(
    "%s: a completed call that is asked for again is answered from the record, marked as a repeat",
    proves("AX-10", "A-23", "A-25"),
    async (which) => {
      const l = await fresh(kind);
      const bank = new Bank();
      const wf = asking(tools(bank)[which], again);
      const { engine } = await l.engine([wf]);
      const h = await engine.start(wf, undefined, { id: "r" });
      const results = await l.advanceUntil(h.result());
      expect(bank.acted).toEqual(["ch_7"]);
      expect(results.map((r) => [r.outcome, r.output, r.repeatOf])).toEqual([
        ["done", "re_1", undefined],
        ["done", "re_1", "refund"],
        ["done", "re_1", "refund"],
      ]);
    },
  );

  it("a tool that may be repeated always runs", async () => {
    const l = await fresh(kind);
    const bank = new Bank();
    const wf = asking(tools(bank).reads, again);
    const { engine } = await l.engine([wf]);
    await l.advanceUntil((await engine.start(wf, undefined, { id: "r" })).result());
    expect(bank.acted).toHaveLength(3);
  });

  it(
    "once: it acts, then breaks; the model is told not to repeat it, and a repeated call is left to a person",
    proves("AX-11"),
    async () => {
      const l = await fresh(kind);
      const bank = new Bank();
      bank.breaks = 1;
      const wf = asking(tools(bank).once, again.slice(0, 2));
      const { engine } = await l.engine([wf]);
      const h = await engine.start(wf, undefined, { id: "r" });
      await l.advanceUntilLine(h.runId, "pawl.StepInDoubt");
      const [d] = await l.advanceUntil(engine.decisions());
      expect(d).toMatchObject({ kind: "effect", step: { stepId: "refund~2" } });
      await l.advanceUntil(
        engine.resolve(d!.decisionId, { happened: true, result: "re_1", by: "ann", reason: "the bank says so" } as never),
      );
      const [first, second] = await l.advanceUntil(h.result());
      expect(first).toMatchObject({ outcome: "unknown", output: expect.stringContaining("Do not repeat it") as string });
      expect(second).toMatchObject({ outcome: "done", output: "re_1", repeatOf: "refund" });
      expect(bank.acted).toEqual(["ch_7"]);
    },
  );

  it.each([
    ["keyed", undefined, ["unknown", "done"]],
    ["verified", undefined, ["done", "done"]],
  ] as const)("%s, asked again: it acted and broke, and the second call learns of the first", async (which, _, outcomes) => {
    const l = await fresh(kind);
    const bank = new Bank();
    bank.breaks = 1;
    const wf = asking(tools(bank)[which], again.slice(0, 2));
    const { engine } = await l.engine([wf]);
    const h = await engine.start(wf, undefined, { id: "r" });
    const results = await l.advanceUntil(h.result());
    expect(bank.acted).toEqual(["ch_7"]);
    expect(results.map((r) => r.outcome)).toEqual(outcomes);
    expect(results.at(-1)).toMatchObject({ output: "re_1" });
  });

  it.each(["once", "keyed", "verified"] as const)("%s, asked again 72 hours later, by another engine: still one effect", async (which) => {
    const l = await fresh(kind);
    const bank = new Bank();
    bank.breaks = which === "verified" ? 2 : 1;
    const wf = asking(tools(bank)[which], again.slice(0, 2), "72h");
    const first = await l.engine([wf], { lease: "1s" });
    const h = await first.engine.start(wf, undefined, { id: "r" });
    await l.advanceUntilLine(h.runId, "StepStarted think");
    first.kill();
    await l.platform.advance(73 * 3_600_000);
    const { engine } = await l.engine([wf], { lease: "1s" });
    if (which === "verified") {
      const results = await l.advanceUntil((await engine.get(wf, "r"))!.result());
      expect(results.at(-1)).toMatchObject({ outcome: "done", output: "re_1" });
    } else {
      await l.advanceUntilLine(h.runId, "pawl.StepInDoubt");
      const [d] = await l.advanceUntil(engine.decisions());
      expect(d).toMatchObject({ code: which === "keyed" ? "PAWL2003" : "PAWL2001", step: { stepId: "refund~2" } });
    }
    expect(bank.acted).toEqual(["ch_7"]);
  });
});

it("the attempts of one call share one key, also over a kill, and are counted", proves("AX-12", "A-26"), async () => {
  const l = await fresh("memory");
  const keys: string[] = [];
  const t = tool(def, (_i, s) => (keys.push(s.key), keys.length < 3 ? Promise.reject(new Error("busy")) : "ok"), {
    key: (i) => `k-${i.chargeId}`,
    dedup: "1h",
    retry: { attempts: 3, initial: "10s", backoff: "fixed" },
  });
  const wf = asking(t as never, again.slice(0, 1));
  const first = await l.engine([wf], { lease: "1s" });
  const h = await first.engine.start(wf, undefined, { id: "r" });
  await l.advanceUntilLine(h.runId, "StepFailed refund");
  first.kill();
  const { engine } = await l.engine([wf], { lease: "1s" });
  const run = (await engine.get(wf, "r"))!;
  expect(await l.advanceUntil(run.result())).toMatchObject([{ outcome: "done", output: "ok" }]);
  expect(keys).toEqual(["k-ch_7", "k-ch_7", "k-ch_7"]);
  expect((await run.steps()).find((s) => s.stepId === "refund")).toMatchObject({ attempts: 3 });
});

it(
  "a key that Pawl makes is of the run chain, the tool and its arguments, not of the place of the call",
  proves("A-22", "A-27"),
  async () => {
    const l = await fresh("memory");
    const keys: string[] = [];
    const t = tool({ ...def, name: "refund" }, (_i, s) => void keys.push(s.key), { once: true });
    const make = (name: string, ids: readonly string[]) =>
      workflow({ name }, async (ctx) => {
        const box = toolbox(ctx, [t]);
        for (const chargeId of ids) await box.call("refund", { chargeId });
      });
    const [a, b] = [make("a", ["x", "y"]), make("b", ["x"])];
    const { engine } = await l.engine([a, b]);
    for (const wf of [a, b]) await l.advanceUntil((await engine.start(wf, undefined)).result());
    expect(new Set(keys).size, "other arguments and other runs have other keys").toBe(3);
  },
);

it("two equal calls in one turn share one outcome, also a failure; another call is another effect", async () => {
  const l = await fresh("memory");
  const bank = new Bank();
  const t = tools(bank).once;
  let sent = 0;
  const flaky = tool(
    { ...def, name: "flaky" },
    () => {
      sent++;
      throw new NotSent("no connection");
    },
    { once: true },
  );
  const wf = workflow({ name: "turn" }, async (ctx) => {
    const box = toolbox(ctx, [t, flaky]);
    const same = [...again.slice(0, 2), call("call_9", { chargeId: "ch_8" })].map((c) => box.run(c));
    const failing = ["f1", "f2"].map((id) => box.run({ ...call(id, { chargeId: "ch_7" }), tool: "flaky" }));
    const results = await Promise.all([...same, ...failing]);
    return [...results, await box.run({ ...call("f3", { chargeId: "ch_7" }), tool: "flaky" })];
  });
  const { engine } = await l.engine([wf]);
  const results = await l.advanceUntil((await engine.start(wf, undefined, { id: "r" })).result());
  expect(bank.acted).toEqual(["ch_7", "ch_8"]);
  expect(results.map((r) => r.outcome)).toEqual(["done", "done", "done", "failed", "failed", "failed"]);
  expect(results[1]).toMatchObject({ output: "re_1", repeatOf: "refund" });
  expect(sent).toBe(2); // not sent for sure: a later call is a new one
});

it("a new call of its own: allowed by the author, under another key; the same key with other arguments is not sent", async () => {
  const l = await fresh("memory");
  const keys: string[] = [];
  const send = tool({ ...def, name: "send" }, (_i, s) => void keys.push(s.key), { once: true, onRepeat: "allow" });
  const keyed = tool({ ...def, name: "keyed" }, (_i, s) => void keys.push(s.key), {
    key: (i) => i.chargeId,
    dedup: "1h",
    onRepeat: "allow",
  });
  const fixed = tool({ ...def, name: "fixed" }, () => 1, { key: (i) => `fixed:${i.chargeId}`, dedup: "1h" });
  const wf = workflow({ name: "allow" }, async (ctx) => {
    const box = toolbox(ctx, [send, keyed, fixed]);
    for (const name of ["send", "keyed"] as const) for (let i = 0; i < 2; i++) await box.call(name, { chargeId: "a" });
    await box.call("fixed", { chargeId: "a", cents: 1 });
    return box.run({ ...call("x", { chargeId: "a", cents: 2 }), tool: "fixed" });
  });
  const { engine } = await l.engine([wf]);
  const result = await l.advanceUntil((await engine.start(wf, undefined, { id: "r" })).result());
  expect(new Set(keys).size).toBe(4);
  expect(keys.slice(2)).toEqual(["a", "a~2"]);
  expect(result).toMatchObject({ outcome: "failed", output: expect.stringContaining("same key and other arguments") as string });
});

it("a call of another tool under the same key is not that call: it is not sent, and does not take its result", async () => {
  const l = await fresh("memory");
  const acted: string[] = [];
  const named = (name: string) =>
    tool({ ...def, name }, (i) => (acted.push(name), `${name} ${i.chargeId}`), { key: (i) => i.chargeId, dedup: "1h" });
  const wf = workflow({ name: "two" }, async (ctx) => {
    const box = toolbox(ctx, [named("charge"), named("ship")]);
    return [
      await box.run({ ...call("x", { chargeId: "a" }), tool: "charge" }),
      await box.run({ ...call("y", { chargeId: "a" }), tool: "ship" }),
    ];
  });
  const { engine } = await l.engine([wf]);
  const [charged, shipped] = await l.advanceUntil((await engine.start(wf, undefined, { id: "r" })).result());
  expect(charged).toMatchObject({ outcome: "done", output: "charge a" });
  expect(shipped).toMatchObject({ outcome: "failed", output: expect.stringContaining("a call of charge with the same key") as string });
  expect(acted).toEqual(["charge"]);
});

it("limits count what was sent; an invented tool and malformed arguments are answered, and nothing is sent", async () => {
  const l = await fresh("memory");
  const sent: number[] = [];
  const pay = tool({ ...def, name: "pay" }, (i) => void sent.push(i.cents), {
    once: true,
    limit: { calls: 3, sum: { of: (i) => i.cents, max: 1000 } },
  });
  const args = [
    { chargeId: "a" },
    { chargeId: "a" },
    { chargeId: "b", cents: 501 },
    { chargeId: "b", cents: 1 },
    { chargeId: "c", cents: 1 },
    { chargeId: "d", cents: 1 },
  ];
  const wf = workflow({ name: "limits" }, async (ctx) => {
    const box = toolbox(ctx, [pay]);
    const results: ToolResult[] = [];
    for (const [i, a] of args.entries()) results.push(await box.run({ ...call(`c${i}`, a), tool: "pay" }));
    results.push(await box.run({ ...call("x", {}), tool: "payy" }), await box.run({ ...call("y", { chargeId: 7 }), tool: "pay" }));
    return results;
  });
  const { engine } = await l.engine([wf]);
  const results = await l.advanceUntil((await engine.start(wf, undefined, { id: "r" })).result());
  expect(sent).toEqual([500, 1, 1]);
  expect(results.map((r) => r.outcome)).toEqual(["done", "done", "failed", "done", "done", "failed", "failed", "failed"]);
  expect(results[6]!.output).toBe("There is no tool payy. There are: pay.");
  expect(results[7]!.output).toContain("arguments of pay.chargeId");
});

it("a hand-written loop: each call names the model's recorded output that asked for it", proves("AX-03"), async () => {
  const l = await fresh("memory");
  const bank = new Bank();
  const t = tools(bank).once;
  const model = scripted([
    { text: "I will.", calls: [{ tool: "refund", input: { chargeId: "ch_7" } }] },
    { calls: [{ tool: "refund", input: { chargeId: "ch_7" } }] },
    "done",
  ]);
  const wf = workflow({ name: "loop" }, async (ctx) => {
    const box = toolbox(ctx, [t]);
    const messages: Message[] = [userMessage("refund ch_7")];
    for (;;) {
      const reply = await generate(ctx, "model", model, { messages, tools: [t], temperature: 0.2 });
      messages.push(reply.message);
      if (reply.calls.length === 0) return reply.text;
      const results = await Promise.all(reply.calls.map((c) => box.run(c)));
      messages.push({ id: `results ${messages.length}`, role: "tool", content: results });
    }
  });
  const { engine } = await l.engine([wf]);
  const h = await engine.start(wf, undefined, { id: "r" });
  expect(await l.advanceUntil(h.result())).toBe("done");
  expect(bank.acted).toEqual(["ch_7"]);
  const log = await l.log(h.runId);
  const starts = log.filter((e) => e.eventType === "StepStarted").map((e) => JSON.parse(e.payload!) as Record<string, any>);
  expect(starts.filter((s) => s["tool"] !== undefined).map((s) => s["cause"])).toEqual([
    { stepId: "model", part: 1, toolCallId: "call_1_1" },
    { stepId: "model~2", part: 0, toolCallId: "call_2_1" },
  ]);
  expect(starts[0]).toMatchObject({
    model: { id: "scripted", promptHash: expect.stringMatching(/^[0-9a-f]{64}$/) as string, parameters: { temperature: 0.2 } },
  });
  expect(JSON.stringify(log.filter((e) => e.stepId === "model" && e.eventType === "StepStarted"))).not.toContain("refund ch_7");
  // Every tool's start comes after the end of the call that asked for it.
  for (const e of log) {
    const { cause } = JSON.parse(e.payload ?? "{}") as { cause?: { stepId: string } };
    if (cause === undefined) continue;
    expect(log.find((x) => x.eventType === "StepCompleted" && x.stepId === cause.stepId)!.runSeq).toBeLessThan(e.runSeq);
  }
});

it("a call that ran out of time: what may be repeated is tried again, what may not is left to a person", proves("AX-20"), async () => {
  const l = await fresh("memory");
  const begun: string[] = [];
  const hangs = (name: string) => (_i: unknown, s: { attempt: { logical: number } }) => {
    begun.push(name);
    return name === "reads" && s.attempt.logical === 2 ? 1 : new Promise(() => {});
  };
  const reads = tool({ ...def, name: "reads" }, hangs("reads"), { repeatable: true, timeout: "1s", retry: { attempts: 2 } });
  const pays = tool({ ...def, name: "pays" }, hangs("pays"), { once: true, timeout: "1s", retry: { attempts: 2 } });
  const wf = workflow({ name: "slow" }, async (ctx) => {
    const box = toolbox(ctx, [reads, pays]);
    const first = await box.run({ ...call("a", { chargeId: "x" }), tool: "reads" });
    return [first, await box.run({ ...call("b", { chargeId: "x" }), tool: "pays" })];
  });
  const { engine } = await l.engine([wf]);
  const h = await engine.start(wf, undefined, { id: "r" });
  await l.advanceUntilLine(h.runId, "pawl.StepInDoubt");
  expect(begun).toEqual(["reads", "reads", "pays"]);
  expect(await l.advanceUntil(engine.decisions())).toMatchObject([{ code: "PAWL2001", step: { stepId: "pays" } }]);
});
