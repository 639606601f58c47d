// Spans of models and tools by OpenTelemetry's conventions for generative AI, with its own SDK: where they hang, what they say, what they never say, and
// that a recorded call has none a second time.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SpanKind, SpanStatusCode, trace, context } from "@opentelemetry/api";
import type { ReadableSpan } from "@opentelemetry/sdk-trace-base";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { agent, asTool, generate, scripted, tool, toolTx, userMessage, type Model, type ModelReply } from "../../src/agents.ts";
import { engine, Fatal, workflow, type Engine, type EngineOpts } from "../../src/index.ts";
import { killChildren, startChild } from "../support/child-process.ts";
import { tracedAgent } from "./programs/traced-agent.ts";
import { registerTracing, type Tracing } from "./programs/tracing.ts";

const home = mkdtempSync(join(tmpdir(), "pawl-gen-ai-"));
let n = 0;
let file = "";
let tracing: Tracing;
const engines: Engine[] = [];

beforeAll(() => {
  tracing = registerTracing();
});
beforeEach(() => {
  file = join(home, `${++n}.db`);
  tracing.reset();
});
afterEach(async () => {
  await Promise.all(engines.splice(0).map((e) => e.stop({ grace: 0 })));
});
afterAll(async () => {
  tracing.stop();
  await killChildren();
  rmSync(home, { recursive: true, force: true });
});

async function open(o: EngineOpts): Promise<Engine> {
  const app = await engine({ store: `sqlite:${file}`, ...o });
  engines.push(app);
  return app;
}
const genAi = (): ReadableSpan[] => tracing.spans().filter((s) => /^(chat|execute_tool) /.test(s.name));
const only = (name: string): ReadableSpan => {
  const found = tracing.spans().filter((s) => s.name === name);
  expect(found, name).toHaveLength(1);
  return found[0]!;
};
const parentOf = (s: ReadableSpan): ReadableSpan | undefined =>
  tracing.spans().find((x) => x.spanContext().spanId === s.parentSpanContext?.spanId);
const reply = (text: string, more: Partial<ModelReply> = {}): ModelReply => ({
  content: [{ type: "text", text }],
  finish: "stop",
  usage: {},
  ...more,
});
const released = async (): Promise<void> => void (await Promise.all(engines.splice(0).map((e) => e.stop())));

describe("spans of models and tools", () => {
  it("hang under their attempt, with names, settings and counts by the conventions, and no word of the conversation", async () => {
    const usage = { inputTokens: 12, outputTokens: 5, cacheReadTokens: 3, cacheWriteTokens: 2, reasoningTokens: 1 };
    const asked = { type: "tool-call" as const, id: "call_7", tool: "look", input: { city: "canary-argument" } };
    const seen: (string | undefined)[] = [];
    const look = tool(
      { name: "look", description: "canary-description", input: z.object({ city: z.string() }) },
      () => {
        seen.push(trace.getSpanContext(context.active())?.spanId);
        return "canary-result";
      },
      { repeatable: true },
    );
    const a = agent({
      name: "weather",
      instructions: "canary-instructions",
      model: scripted(
        [{ content: [asked], finish: "tool-calls", usage, model: "gpt-5-2026", responseId: "resp_1" }, reply('{"text":"canary-answer"}')],
        { id: "gpt-5", provider: "openai.chat" },
      ),
      output: z.object({ text: z.string() }),
      settings: { temperature: 0.5, topP: 0.9, seed: 4, maxOutputTokens: 100 },
      tools: [look],
      budget: { cost: { max: 100, price: () => 0.25 } },
    });
    const app = await open({ workflows: [a] });
    await app.run(a, { prompt: "canary-prompt" }, { id: "w-1" });
    await released();
    expect(genAi().map((s) => s.name)).toEqual(["chat gpt-5", "execute_tool look", "chat gpt-5"]);
    const [first, called, second] = genAi();
    expect(first!.kind).toBe(SpanKind.CLIENT);
    expect(first!.attributes).toEqual({
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": "openai",
      "gen_ai.request.model": "gpt-5",
      "gen_ai.request.temperature": 0.5,
      "gen_ai.request.top_p": 0.9,
      "gen_ai.request.seed": 4,
      "gen_ai.request.max_tokens": 100,
      "gen_ai.output.type": "json",
      "gen_ai.conversation.id": "w-1",
      "gen_ai.agent.name": "weather",
      "gen_ai.response.finish_reasons": ["tool_call"],
      "gen_ai.response.model": "gpt-5-2026",
      "gen_ai.response.id": "resp_1",
      "gen_ai.usage.input_tokens": 12,
      "gen_ai.usage.output_tokens": 5,
      "gen_ai.usage.cache_read.input_tokens": 3,
      "gen_ai.usage.cache_creation.input_tokens": 2,
      "gen_ai.usage.reasoning.output_tokens": 1,
      "pawl.usage.cost": 0.25,
    });
    expect(called!.kind).toBe(SpanKind.INTERNAL);
    expect(called!.attributes).toEqual({
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "look",
      "gen_ai.tool.type": "function",
      "gen_ai.tool.call.id": "call_7",
      "gen_ai.conversation.id": "w-1",
      "gen_ai.agent.name": "weather",
    });
    expect(second!.attributes["gen_ai.response.finish_reasons"]).toEqual(["stop"]);
    expect(seen, "what the tool calls is traced under its span").toEqual([called!.spanContext().spanId]);
    for (const s of genAi()) {
      const step = parentOf(s)!;
      expect(step.name).toMatch(/^step /);
      expect(step.attributes["pawl.outcome"]).toBe("completed");
      const run = parentOf(step)!;
      expect(run.attributes).toMatchObject({ "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "weather" });
    }
    expect(JSON.stringify(tracing.spans().map((s) => [s.name, s.attributes, s.events, s.status]))).not.toContain("canary");
  });

  it("are one for each model that was called: one that failed is an error, the next one answers", async () => {
    const broken: Model = { id: "first", provider: "mine", generate: () => Promise.reject(new Fatal("canary")) };
    const backup: Model = { id: "second", provider: "mine", generate: async () => reply("hello") };
    const wf = workflow(
      { name: "falls-back" },
      async (ctx) => (await generate(ctx, "ask", [broken, backup], { messages: [userMessage("hi")] })).text,
    );
    const app = await open({ workflows: [wf] });
    expect(await app.run(wf)).toBe("hello");
    await released();
    const [failed, answered] = [only("chat first"), only("chat second")];
    expect([failed.status.code, failed.attributes["error.type"]]).toEqual([SpanStatusCode.ERROR, "Fatal"]);
    expect([answered.status.code, answered.attributes["gen_ai.provider.name"]]).toEqual([SpanStatusCode.UNSET, "mine"]);
    expect(parentOf(failed)).toBe(parentOf(answered));
    expect(parentOf(parentOf(answered)!)!.attributes["gen_ai.operation.name"], "a workflow is no agent").toBeUndefined();
    expect(JSON.stringify(tracing.spans().map((s) => [s.attributes, s.events, s.status]))).not.toContain("canary");
  });

  it("say for each attempt of a tool how it ended; a tool that is a transaction, and a sub-agent's calls, have theirs", async () => {
    let tries = 0;
    const input = z.object({ n: z.number() });
    const flaky = tool(
      { name: "flaky", description: "d", input },
      (i) => {
        if (tries++ === 0) throw new TypeError("canary");
        return i.n;
      },
      { repeatable: true, retry: { attempts: 2, initial: "1ms" } },
    );
    const book = toolTx({ name: "book", description: "d", input }, async (_, db) => (await db.sql`select 1 as one`).rows.length);
    const inner = agent({
      name: "inner",
      model: scripted([{ calls: [{ tool: "book", input: { n: 1 } }] }, "inside"], { id: "small" }),
      tools: [book],
    });
    const outer = agent({
      name: "outer",
      model: scripted(
        [
          {
            calls: [
              { tool: "flaky", input: { n: 1 } },
              { tool: "ask_inner", input: { prompt: "x" } },
            ],
          },
          "done",
        ],
        { id: "large" },
      ),
      tools: [flaky, asTool({ name: "ask_inner", description: "d", input: z.object({ prompt: z.string() }) }, inner, { in: (i) => i })],
    });
    const app = await open({ workflows: [outer, inner] });
    await app.run(outer, { prompt: "x" });
    await released();
    const attempts = tracing.spans().filter((s) => s.name === "execute_tool flaky");
    expect(attempts.map((s) => [s.status.code, s.attributes["error.type"]])).toEqual([
      [SpanStatusCode.ERROR, "TypeError"],
      [SpanStatusCode.UNSET, undefined],
    ]);
    expect(only("execute_tool book").attributes["gen_ai.agent.name"]).toBe("inner");
    const names = (model: string): unknown[] =>
      tracing
        .spans()
        .filter((s) => s.name === `chat ${model}`)
        .map((s) => s.attributes["gen_ai.agent.name"]);
    expect([names("small"), names("large")]).toEqual([
      ["inner", "inner"],
      ["outer", "outer"],
    ]);
    expect(new Set(tracing.spans().map((s) => s.spanContext().traceId)).size, "one trace").toBe(1);
  });

  it("are made by no engine that turned telemetry off", async () => {
    const a = tracedAgent();
    const app = await open({ workflows: [a], telemetry: false });
    expect((await app.run(a, { prompt: "x" })).text).toBe("done");
    expect(tracing.spans()).toEqual([]);
  });
});

describe("after a crash", () => {
  it("a recorded call of a model or a tool has no second span; the call that was under way has one here", async () => {
    const dying = startChild("test/telemetry/programs/traced-agent.js", { args: [file] });
    const before = JSON.parse((await dying.waitForLine("ended")).slice("ended ".length)) as string[];
    expect(before).toEqual(["chat script-1", "execute_tool look", "chat script-1"]);
    dying.signal("SIGKILL");
    await dying.ended;
    const a = tracedAgent();
    const app = await open({ workflows: [a] });
    expect((await (await app.get(a, "ticket-1"))!.result()).text).toBe("done");
    await released();
    expect(
      genAi().map((s) => s.name),
      "with those before: three calls of the model, one of each tool",
    ).toEqual(["execute_tool pay", "chat script-1"]);
    expect(parentOf(only("execute_tool pay"))!.attributes).toMatchObject({ "pawl.step.attempt": 1, "pawl.step.engine_attempt": 2 });
  });

  it("an engine that is lost ends the spans of calls that it left under way as abandoned", async () => {
    let begun = (): void => {};
    const isBegun = new Promise<void>((resolve) => (begun = resolve));
    const hanging: Model = { id: "hangs", provider: "mine", generate: () => (begun(), new Promise(() => {})) };
    const a = agent({ name: "stuck", model: hanging });
    const app = await open({ workflows: [a] });
    await app.start(a, { prompt: "x" });
    await isBegun;
    await engines.pop()!.stop({ grace: 0 });
    expect(only("chat hangs").attributes["pawl.outcome"]).toBe("abandoned");
  });
});
