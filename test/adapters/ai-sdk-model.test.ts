// aiSdkModel against the AI SDK's own mock models, of specification v3 (ai 6) and v4 (ai 7), and one of v2. What a provider says about a
// part goes back to it with that part; another provider never sees it.
import { convertArrayToReadableStream as streamOf, MockLanguageModelV4 } from "ai/test";
import { MockLanguageModelV3 } from "ai6/test";
import { APICallError } from "ai";
import { expect, it } from "vitest";
import type { Message, ModelReply } from "../../src/agents.ts";
import { aiSdkModel, type AiSdkModel } from "../../src/ai-sdk.ts";
import { Fatal, PawlError, RetryAfter } from "../../src/index.ts";
import { modelScope, request } from "./support/model-scope.ts";

type Pieces = Awaited<ReturnType<MockLanguageModelV4["doStream"]>>["stream"] extends ReadableStream<infer P> ? P[] : never;

const nested = {
  inputTokens: { total: 20, noCache: 15, cacheRead: 5, cacheWrite: 1 },
  outputTokens: { total: 7, text: 4, reasoning: 3 },
};
const pieces: Pieces = [
  { type: "stream-start", warnings: [] },
  { type: "response-metadata", id: "resp-1", modelId: "big-2026", timestamp: new Date(0) },
  { type: "reasoning-start", id: "r" },
  { type: "reasoning-delta", id: "r", delta: "think" },
  { type: "reasoning-end", id: "r", providerMetadata: { acme: { signature: "sig-1" } } },
  { type: "text-start", id: "t", providerMetadata: { acme: { itemId: "msg_1" } } },
  { type: "text-delta", id: "t", delta: "I " },
  { type: "text-delta", id: "t", delta: "pay" },
  { type: "text-end", id: "t" },
  { type: "tool-input-start", id: "c1", toolName: "pay" },
  { type: "tool-input-delta", id: "c1", delta: '{"cents":5}' },
  { type: "tool-input-end", id: "c1" },
  { type: "tool-call", toolCallId: "c1", toolName: "pay", input: '{"cents":5}', providerMetadata: { acme: { thought: "x" } } },
  { type: "source", sourceType: "url", id: "s1", url: "https://a.example", title: "A" },
  { type: "finish", finishReason: { unified: "tool-calls", raw: "tool_use" }, usage: nested, providerMetadata: { acme: { tier: "std" } } },
];
const expected: ModelReply = {
  content: [
    { type: "reasoning", text: "think", provider: { by: "acme.chat", data: { metadata: { acme: { signature: "sig-1" } } } } },
    { type: "text", text: "I pay", provider: { by: "acme.chat", data: { metadata: { acme: { itemId: "msg_1" } } } } },
    {
      type: "tool-call",
      id: "c1",
      tool: "pay",
      input: { cents: 5 },
      provider: { by: "acme.chat", data: { metadata: { acme: { thought: "x" } } } },
    },
    { type: "source", id: "s1", url: "https://a.example", title: "A" },
  ],
  finish: "tool-calls",
  usage: { inputTokens: 20, outputTokens: 7, cacheReadTokens: 5, cacheWriteTokens: 1, reasoningTokens: 3 },
  model: "big-2026",
  responseId: "resp-1",
  provider: { by: "acme.chat", data: { metadata: { acme: { tier: "std" } } } },
};

const names = { provider: "acme.chat", modelId: "big" };
const v4 = (): MockLanguageModelV4 => new MockLanguageModelV4({ ...names, doStream: async () => ({ stream: streamOf(pieces) }) });
const v3 = (): MockLanguageModelV3 =>
  new MockLanguageModelV3({ ...names, doStream: async () => ({ stream: streamOf(pieces) as ReadableStream<never> }) });
const v2 = (): AiSdkModel & { doStreamCalls: { prompt: unknown; tools?: unknown }[] } => {
  const doStreamCalls: { prompt: unknown; tools?: unknown }[] = [];
  const usage = { inputTokens: 20, outputTokens: 7, totalTokens: 27, reasoningTokens: 3, cachedInputTokens: 5 };
  const old = [...pieces.slice(0, -1), { ...pieces.at(-1), finishReason: "tool-calls", usage }];
  const doStream = async (options: { prompt: unknown }): Promise<unknown> => (doStreamCalls.push(options), { stream: streamOf(old) });
  return { ...names, specificationVersion: "v2", doStreamCalls, doStream, doGenerate: () => Promise.reject(new Error("not used")) };
};

it("a streamed reply keeps the provider's data on every part, in v2, v3 and v4", async () => {
  for (const m of [v2(), v3(), v4()]) {
    const s = modelScope();
    const reply = await aiSdkModel(m).generate(request(), s);
    const { cacheWriteTokens: _absentInV2, ...usage } = expected.usage;
    expect(reply).toEqual(m.specificationVersion === "v2" ? { ...expected, usage } : expected);
    expect(s.streamed).toEqual([
      { type: "reasoning", id: "r", delta: "think" },
      { type: "text", id: "t", delta: "I " },
      { type: "text", id: "t", delta: "pay" },
      { type: "tool-input", id: "c1", tool: "pay", delta: '{"cents":5}' },
    ]);
  }
});

const conversation: Message[] = [
  { id: "0", role: "system", content: [{ type: "text", text: "be brief" }] },
  {
    id: "1",
    role: "user",
    content: [
      { type: "text", text: "pay" },
      { type: "file", mediaType: "image/png", data: "AAAA" },
    ],
  },
  { id: "2", role: "assistant", content: expected.content },
  {
    id: "3",
    role: "tool",
    content: [
      { type: "tool-result", id: "c1", tool: "pay", output: { ok: true }, outcome: "done" },
      { type: "tool-result", id: "c2", tool: "pay", output: "no money", outcome: "failed" },
      { type: "tool-result", id: "c3", tool: "pay", output: "ann said no", outcome: "refused" },
      {
        type: "tool-result",
        id: "c4",
        tool: "see",
        output: { content: [{ type: "file", mediaType: "image/png", data: "BBBB" }] },
        outcome: "done",
      },
    ],
  },
];

it("the same provider gets its data back with the part; another one gets neither it nor the reasoning", async () => {
  const same = v4();
  await aiSdkModel(same).generate(request({ messages: conversation }), modelScope());
  const own = same.doStreamCalls[0]!.prompt;
  expect(own[2]).toEqual({
    role: "assistant",
    content: [
      { type: "reasoning", text: "think", providerOptions: { acme: { signature: "sig-1" } } },
      { type: "text", text: "I pay", providerOptions: { acme: { itemId: "msg_1" } } },
      { type: "tool-call", toolCallId: "c1", toolName: "pay", input: { cents: 5 }, providerOptions: { acme: { thought: "x" } } },
    ],
  });
  const other = new MockLanguageModelV4({ provider: "other", modelId: "small", doStream: async () => ({ stream: streamOf(pieces) }) });
  await aiSdkModel(other).generate(request({ messages: conversation }), modelScope());
  expect(other.doStreamCalls[0]!.prompt[2]).toEqual({
    role: "assistant",
    content: [
      { type: "text", text: "I pay" },
      { type: "tool-call", toolCallId: "c1", toolName: "pay", input: { cents: 5 } },
    ],
  });
  expect(JSON.stringify(other.doStreamCalls[0]!.prompt)).not.toContain("sig-1");
});

it("each version gets results and files in its own words", async () => {
  const prompts: unknown[][] = [];
  for (const m of [v2(), v3(), v4()]) {
    await aiSdkModel(m).generate(request({ messages: conversation }), modelScope());
    prompts.push(m.doStreamCalls[0]!.prompt as unknown[]);
  }
  const outputs = prompts.map((p) => (p[3] as { content: { output: unknown }[] }).content.map((c) => c.output));
  const common = [
    { type: "json", value: { ok: true } },
    { type: "error-text", value: "no money" },
  ];
  expect(outputs).toEqual([
    [
      ...common,
      { type: "error-text", value: "ann said no" },
      { type: "content", value: [{ type: "media", data: "BBBB", mediaType: "image/png" }] },
    ],
    [
      ...common,
      { type: "execution-denied", reason: "ann said no" },
      { type: "content", value: [{ type: "file-data", data: "BBBB", mediaType: "image/png" }] },
    ],
    [
      ...common,
      { type: "execution-denied", reason: "ann said no" },
      { type: "content", value: [{ type: "file", mediaType: "image/png", data: { type: "data", data: "BBBB" } }] },
    ],
  ]);
  const files = prompts.map((p) => (p[1] as { content: { data?: unknown }[] }).content[1]!.data);
  expect(files).toEqual(["AAAA", "AAAA", { type: "data", data: "AAAA" }]);
});

it("tools, the output's schema and settings are passed on; parts that no version knows go back as they came", async () => {
  const m = new MockLanguageModelV4({
    ...names,
    doGenerate: async () => ({
      content: [
        { type: "custom", kind: "acme.compaction", providerMetadata: { acme: { blob: "b" } } },
        { type: "reasoning-file", mediaType: "image/png", data: { type: "data", data: new Uint8Array([0, 0, 0]) } },
        { type: "text", text: "ok" },
      ],
      finishReason: { unified: "stop", raw: undefined },
      usage: nested,
      warnings: [],
    }),
  });
  const model = aiSdkModel(m, { stream: false });
  const first = await model.generate(
    request({
      tools: [{ name: "pay", description: "pays", parameters: { type: "object" } }],
      providerTools: [{ id: "acme.search", name: "search", args: { max: 1 }, class: "repeatable" }],
      toolChoice: "required",
      output: { name: "answer", schema: { type: "object" } },
      temperature: 0.5,
    }),
    modelScope(),
  );
  expect(m.doGenerateCalls[0]).toMatchObject({
    tools: [
      { type: "function", name: "pay", description: "pays", inputSchema: { type: "object" } },
      { type: "provider", id: "acme.search", name: "search", args: { max: 1 } },
    ],
    toolChoice: { type: "required" },
    responseFormat: { type: "json", name: "answer", schema: { type: "object" } },
    temperature: 0.5,
  });
  await model.generate(
    request({ messages: [{ id: "1", role: "assistant", content: JSON.parse(JSON.stringify(first.content)) as [] }] }),
    modelScope(),
  );
  expect(m.doGenerateCalls[1]!.prompt[0]!.content).toEqual([
    { type: "custom", kind: "acme.compaction", providerOptions: { acme: { blob: "b" } } },
    { type: "reasoning-file", mediaType: "image/png", data: { type: "data", data: "AAAA" } },
    { type: "text", text: "ok" },
  ]);
});

it("failures say whether asking again may help", async () => {
  const failing = (error: unknown, inStream = false): AiSdkModel =>
    new MockLanguageModelV4({
      doStream: async () => {
        if (inStream) return { stream: streamOf([{ type: "error", error }] as Pieces) };
        throw error;
      },
    });
  const failure = async (m: AiSdkModel): Promise<unknown> => {
    try {
      return await aiSdkModel(m).generate(request(), modelScope());
    } catch (e) {
      return e;
    }
  };
  const call = (o: Partial<ConstructorParameters<typeof APICallError>[0]>): APICallError =>
    new APICallError({ message: "it failed", url: "http://x", requestBodyValues: {}, ...o });
  const busy = await failure(failing(call({ statusCode: 429, responseHeaders: { "retry-after": "3" } })));
  expect(busy).toBeInstanceOf(RetryAfter);
  expect((busy as RetryAfter).delay).toBe(3000);
  expect(await failure(failing(call({ statusCode: 400 })))).toBeInstanceOf(Fatal);
  expect(await failure(failing(call({ statusCode: 500 })))).toBeInstanceOf(APICallError);
  expect(await failure(failing({ message: "overloaded" }, true))).toMatchObject({ message: "overloaded" });
  const cut = new MockLanguageModelV4({ doStream: async () => ({ stream: streamOf(pieces.slice(0, 8)) }) });
  expect(await failure(cut)).toMatchObject({ message: "the model's stream ended before its reply did" });
});

it("what is no model of the AI SDK is refused at once", () => {
  expect(() => aiSdkModel("openai/gpt-5" as unknown as AiSdkModel)).toThrow(PawlError);
  expect(() => aiSdkModel({ ...v4(), specificationVersion: "v9" } as unknown as AiSdkModel)).toThrow("v9");
});
