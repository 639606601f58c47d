// What a tool needs and what an agent grants, and resource changes that are confirmed when a run is read back: through agent() and tool(), on every store of
// a cluster. What is not granted must never be sent.
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { agent, asTool, scripted, tool, toolTx, type GrantedCapabilities, type Message } from "../../src/agents.ts";
import { workflow } from "../../src/index.ts";
import { changesVerifier, type ResourceChange, type ResourceNow } from "../../src/verifiers.ts";
import { proves } from "../support/proves.ts";
import { payloadOf, storeKinds, testClusters } from "../support/test-cluster.ts";

const fresh = testClusters();
const input = z.object({ n: z.number() });
const told = (messages: readonly Message[]) => messages.flatMap((m) => m.content.flatMap((p) => (p.type === "tool-result" ? [p] : [])));
const ann = { by: "ann", reason: "looked at it" };

/** A tool that needs two capabilities, and one that needs nothing. */
function desk(capabilities?: GrantedCapabilities | ((c: { vip: boolean }) => GrantedCapabilities)) {
  const sent: string[] = [];
  const pay = tool({ name: "pay", description: "Pay", input, needs: ["payments", "eu"] }, (i) => void sent.push(`pay ${i.n}`), {
    once: true,
  });
  const look = tool({ name: "look", description: "Look", input }, (i) => void sent.push(`look ${i.n}`), { repeatable: true });
  const both = {
    calls: [
      { tool: "pay", input: { n: 1 } },
      { tool: "look", input: { n: 2 } },
      { tool: "pay", input: { n: 3 } },
    ],
  };
  const a = agent({
    name: "desk",
    model: scripted([both, "done"], { by: "conversation" }),
    context: z.object({ vip: z.boolean() }),
    tools: [pay, look],
    ...(capabilities === undefined ? {} : { capabilities: capabilities as never }),
  });
  return { a, sent };
}

describe.each(storeKinds)("%s", (kind) => {
  it.each([
    ["no policy", undefined],
    ["one of two", { payments: "allow" }],
    ["denied", { payments: "allow", eu: "deny" }],
    ["of another name", { payments: "allow", us: "allow", constructor: "allow" }],
    ["by the context", (c: { vip: boolean }) => (c.vip ? { payments: "allow", eu: "allow" } : { eu: "allow" })],
  ] as const)("what is not granted whole is not sent, and the model is told (%s)", proves("AX-19"), async (_, granted) => {
    const l = await fresh(kind);
    const { a, sent } = desk(granted as GrantedCapabilities);
    const { engine } = await l.engine([a]);
    const h = await engine.start(a, { prompt: "x", context: { vip: false } });
    const out = await l.advanceUntil(h.result());
    expect(sent).toEqual(["look 2"]);
    expect(told(out.messages).map((p) => p.outcome)).toEqual(["refused", "done", "refused"]);
    expect((await l.log(h.runId)).filter((e) => e.stepId?.endsWith("/pay") === true)).toEqual([]);
  });

  it("granted whole it is sent; by the context, too", proves("AX-19"), async () => {
    for (const granted of [
      { payments: "allow", eu: "allow" },
      (c: { vip: boolean }) => (c.vip ? { payments: "allow", eu: "allow" } : {}),
    ] as const) {
      const l = await fresh(kind);
      const { a, sent } = desk(granted as GrantedCapabilities);
      const { engine } = await l.engine([a]);
      await l.advanceUntil(engine.run(a, { prompt: "x", context: { vip: true } }));
      expect([...sent].sort()).toEqual(["look 2", "pay 1", "pay 3"]);
    }
  });

  it("ask: each call has a question of its own, and an answer counts for the call whose id it names", proves("AX-19"), async () => {
    const l = await fresh(kind);
    const { a, sent } = desk({ payments: "ask", eu: "allow" });
    const { engine } = await l.engine([a]);
    const h = await engine.start(a, { prompt: "x", context: { vip: false } });
    await l.advanceUntilLine(h.runId, "StepCompleted 3/tools~2/look");
    const open = await engine.decisions();
    expect(open.map((d) => [d.kind, d.approval?.stepId])).toEqual([
      ["approval", "3/tools/pay"],
      ["approval", "3/tools~3/pay"],
    ]);
    expect(open[0]!.reason).toContain("payments");
    const second = open[1]!.decisionId;
    await expect(engine.resolve(`${second}0`, { approve: true, ...ann })).rejects.toMatchObject({
      code: expect.stringMatching(/^PAWL4/) as string,
    });
    await l.advanceUntil(engine.resolve(second, { approve: true, ...ann }));
    await l.advanceUntilLine(h.runId, "StepCompleted 3/tools~3/pay");
    expect(sent).toEqual(["look 2", "pay 3"]);
    await l.advanceUntil(engine.resolve(open[0]!.decisionId, { refuse: true, ...ann }));
    const out = await l.advanceUntil(h.result());
    expect(sent).toEqual(["look 2", "pay 3"]);
    expect(told(out.messages).map((p) => p.outcome)).toEqual(["refused", "done", "done"]);
  });

  it("ask: an agent or a transaction that is a tool is approved first, too", async () => {
    const l = await fresh(kind);
    const ran: string[] = [];
    const child = workflow({ name: "child", input }, async (ctx) => ctx.step("s", () => (ran.push("child"), 1), { repeatable: true }));
    const ask = asTool({ name: "ask", description: "Ask", input, needs: ["people"] }, child, { in: (i) => i, out: (r) => r as never });
    const book = toolTx({ name: "book", description: "Book", input, needs: ["people"] }, () => ran.push("book"));
    const calls = ["ask", ...(kind === "sqlite" ? ["book"] : [])].map((name) => ({ tool: name, input: { n: 1 } }));
    const a = agent({
      name: "boss",
      model: scripted([{ calls }, "done"], { by: "conversation" }),
      tools: [ask, book],
      capabilities: { people: "ask" },
    });
    const { engine } = await l.engine([a, child]);
    const h = await engine.start(a, { prompt: "x" });
    await l.platform.advance(2_000);
    expect(ran).toEqual([]);
    const open = await engine.decisions();
    expect(open).toHaveLength(calls.length);
    for (const d of open) await l.advanceUntil(engine.resolve(d.decisionId, { approve: true, ...ann }));
    await l.advanceUntil(h.result());
    expect([...ran].sort()).toEqual(calls.map((c) => (c.tool === "ask" ? "child" : "book")).sort());
  });

  const made: ResourceChange = { type: "issue", id: "7", operation: "create", externalRef: "ext-7", version: 3, etag: '"a"' };
  const same: ResourceNow = { type: "issue", id: "7", externalRef: "ext-7", version: 3, etag: '"a"' };
  it.each([
    ["nothing changed", made, same, null],
    ["it is gone", made, null, "it is gone"],
    ["another type", made, { ...same, type: "pull" }, "type is"],
    ["another id", made, { ...same, id: "8" }, "id is"],
    ["another reference", made, { ...same, externalRef: "ext-8" }, "externalRef is"],
    ["another version", made, { ...same, version: 4 }, "version is 4, not 3"],
    ["another etag", made, { ...same, etag: '"b"' }, "etag is"],
    ["an etag that it no longer has", made, { type: "issue", id: "7", externalRef: "ext-7", version: 3 }, "etag is"],
    ["a deletion that holds", { ...made, operation: "delete" }, null, null],
    ["a deletion that was undone", { ...made, operation: "delete" }, same, "it is there again"],
    ["an operation that is none", { ...made, operation: "touch" }, same, "is not an operation"],
  ] as const)("the recorded change of a tool is compared with the world: %s", proves("AX-14"), async (_, change, now, problem) => {
    const l = await fresh(kind);
    let deadly = true;
    const make = tool({ name: "make", description: "Make", input }, () => ({ changes: [change] as readonly ResourceChange[] }), {
      once: true,
      confirm: {
        verifier: changesVerifier<unknown, { changes: readonly ResourceChange[] }>({
          changes: (_i, r) => r.changes,
          look: async () => now,
        }),
      },
    });
    const stop = tool({ name: "stop", description: "Stop", input }, () => (deadly ? new Promise<never>(() => {}) : "went on"), {
      repeatable: true,
    });
    const turns = ["make", "stop"].map((name) => ({ calls: [{ tool: name, input: { n: 1 } }] }));
    const a = agent({ name: "maker", model: scripted([...turns, "done"], { by: "conversation" }), tools: [make, stop] });
    const dead = await l.engine([a], { lease: "1s" });
    const h = await dead.engine.start(a, { prompt: "x" }, { id: "r" });
    await l.advanceUntilLine(h.runId, "StepStarted 5/tools/stop");
    dead.kill();
    deadly = false;
    const { engine } = await l.engine([a], { lease: "1s" });
    const end = await l.advanceUntil(
      (await engine.get(a, "r"))!.result().then(
        () => null,
        (e: Error) => e.message,
      ),
    );
    if (problem === null) expect(end).toBe(null);
    else expect(end).toContain(problem);
    const failed = (await l.log(h.runId)).filter((e) => e.eventType === "pawl.ConfirmationFailed");
    expect(failed.map((e) => payloadOf(e)["verifier"])).toEqual(problem === null ? [] : ["changes"]);
  });
});

it("needs and capabilities that are none are refused when they are defined", () => {
  const pay = { name: "pay", description: "Pay", input };
  expect(() => tool({ ...pay, needs: "payments" as never }, () => 0, { once: true })).toThrow(/PAWL5001|list of capabilities/);
  expect(() => agent({ name: "x", model: scripted(["a"]), capabilities: { payments: "yes" } as never })).toThrow(/allow/);
});
