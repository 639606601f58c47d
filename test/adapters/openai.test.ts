// openaiCompatible against a server of ours on loopback: what it sends, what it makes of streams cut anywhere, and what each failure says
// about trying again.
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openaiCompatible, type Model } from "../../src/agents.ts";
import { Fatal, NotSent, PawlError, RetryAfter } from "../../src/index.ts";
import { ChatServer, chunk, json, sse } from "./support/chat-server.ts";
import { modelScope, request } from "./support/model-scope.ts";

let server: ChatServer;
let model: Model;
beforeEach(async () => {
  server = new ChatServer();
  model = openaiCompatible({ baseURL: await server.listen(), model: "m", apiKey: () => "secret-key", provider: "ours" });
});
afterEach(() => server.close());

const usage = { usage: { prompt_tokens: 12, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 4 } } };
const done = `data: ${JSON.stringify({ choices: [], ...usage })}\n\ndata: [DONE]\n\n`;
const failure = async (): Promise<Error> =>
  model.generate(request(), modelScope()).then(
    () => expect.unreachable(),
    (e: unknown) => e as Error,
  );

it("a streamed reply is put together, however its bytes are cut", async () => {
  const text = `: a comment\n\n${chunk({ role: "assistant", content: "" })}${chunk({ reasoning_content: "hm" })}${chunk({ content: "Grüße, " })}${chunk({ content: "Welt 🌍" })}${chunk({}, "stop")}${done}`;
  for (const size of [1, 2, 3, 7, 100_000]) {
    server.next(sse(size === 3 ? text.replaceAll("\n", "\r\n") : text, { size }));
    const s = modelScope();
    const reply = await model.generate(request(), s);
    expect(reply).toEqual({
      content: [
        { type: "reasoning", text: "hm", provider: { by: "ours", data: {} } },
        { type: "text", text: "Grüße, Welt 🌍" },
      ],
      finish: "stop",
      usage: { inputTokens: 12, outputTokens: 5, cacheReadTokens: 4 },
      model: "m-2026",
      responseId: "r-1",
    });
    expect(s.streamed.map((p) => `${p.type} ${p.delta}`)).toEqual(["reasoning hm", "text Grüße, ", "text Welt 🌍"]);
  }
});

it("tool calls in pieces, several at once, without ids or indexes, and with arguments that are no JSON", async () => {
  const call = (o: object): string => chunk({ tool_calls: [o] });
  server.next(
    sse(
      call({ index: 0, id: "a", type: "function", function: { name: "pay", arguments: "" } }) +
        call({ index: 1, id: "b", function: { name: "look", arguments: '{"x' } }) +
        call({ index: 0, function: { arguments: '{"cents":5' } }) +
        call({ index: 1, function: { arguments: '":1}' } }) +
        call({ index: 0, function: { arguments: "}" } }) +
        chunk({}, "tool_calls") +
        done,
    ),
    sse(
      call({ id: "x", function: { name: "one", arguments: "{}" } }) +
        call({ id: "y", function: { name: "two", arguments: '{"a":' } }) +
        call({ function: { arguments: "oops" } }) +
        chunk({}, "stop") +
        done,
    ),
  );
  const s = modelScope();
  expect((await model.generate(request(), s)).content).toEqual([
    { type: "tool-call", id: "a", tool: "pay", input: { cents: 5 } },
    { type: "tool-call", id: "b", tool: "look", input: { x: 1 } },
  ]);
  expect(
    s.streamed
      .filter((p) => p.id === "a")
      .map((p) => p.delta)
      .join(""),
  ).toBe('{"cents":5}');
  const second = await model.generate(request(), modelScope());
  expect(second.content).toEqual([
    { type: "tool-call", id: "x", tool: "one", input: {} },
    { type: "tool-call", id: "y", tool: "two", input: '{"a":oops' },
  ]);
  expect(second.finish).toBe("tool-calls");
});

it("a server that does not stream is understood as well", async () => {
  server.next(json(200, { id: "r", choices: [{ message: { role: "assistant", content: "hi" }, finish_reason: "stop" }], ...usage }));
  expect((await model.generate(request(), modelScope())).content).toEqual([{ type: "text", text: "hi" }]);
});

it("what is sent: messages, tools, results and their failures, the schema of the output, settings and the key", async () => {
  server.next(sse(chunk({ content: "ok" }, "stop") + done));
  await model.generate(
    request({
      messages: [
        { id: "0", role: "system", content: [{ type: "text", text: "be brief" }] },
        {
          id: "1",
          role: "user",
          content: [
            { type: "text", text: "look" },
            { type: "file", mediaType: "image/png", data: "AAAA" },
          ],
        },
        {
          id: "2",
          role: "assistant",
          content: [
            { type: "reasoning", text: "private", provider: { by: "other" } },
            { type: "tool-call", id: "c1", tool: "pay", input: { cents: 1 } },
          ],
        },
        { id: "3", role: "tool", content: [{ type: "tool-result", id: "c1", tool: "pay", output: { why: "broke" }, outcome: "failed" }] },
        { id: "4", role: "assistant", content: [{ type: "reasoning", text: "only this", provider: { by: "other" } }] },
      ],
      tools: [{ name: "pay", description: "pays", parameters: { type: "object" } }],
      toolChoice: { tool: "pay" },
      temperature: 0,
      maxOutputTokens: 100,
      output: { name: "answer", schema: { type: "object" } },
      providerOptions: { user: "u-1" },
    }),
    modelScope(),
  );
  const [asked] = server.asked;
  expect(asked!.url).toBe("/v1/chat/completions");
  expect(asked!.headers.authorization).toBe("Bearer secret-key");
  expect(asked!.body).toEqual({
    model: "m",
    messages: [
      { role: "system", content: "be brief" },
      {
        role: "user",
        content: [
          { type: "text", text: "look" },
          { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } },
        ],
      },
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "c1", type: "function", function: { name: "pay", arguments: '{"cents":1}' } }],
      },
      { role: "tool", tool_call_id: "c1", content: '{"outcome":"failed","output":{"why":"broke"}}' },
    ],
    stream: true,
    stream_options: { include_usage: true },
    temperature: 0,
    max_tokens: 100,
    tools: [{ type: "function", function: { name: "pay", description: "pays", parameters: { type: "object" } } }],
    tool_choice: { type: "function", function: { name: "pay" } },
    response_format: { type: "json_schema", json_schema: { name: "answer", schema: { type: "object" }, strict: true } },
    user: "u-1",
  });
});

it("a busy server names its delay; a refusal is final; neither shows the key", async () => {
  server.next(
    json(429, { error: { message: "slow down" } }, { "retry-after": "7" }),
    json(429, { error: { message: "slow down" } }, { "retry-after-ms": "250" }),
    json(503, "<html>busy</html>"),
    json(401, { error: { message: "bad key" } }),
    json(400, { error: { message: "context too long" } }),
  );
  const busy = (await failure()) as RetryAfter;
  expect(busy).toBeInstanceOf(RetryAfter);
  expect([busy.delay, busy.message]).toEqual([7000, "the model's server answered 429: slow down"]);
  expect(((await failure()) as RetryAfter).delay).toBe(250);
  const later = await failure();
  expect(later.message).toBe("the model's server answered 503: <html>busy</html>");
  expect(later).not.toBeInstanceOf(Fatal);
  for (const text of ["bad key", "context too long"]) {
    const refused = await failure();
    expect(refused).toBeInstanceOf(Fatal);
    expect(refused.message).toContain(text);
    expect(refused.message).not.toContain("secret-key");
  }
});

it("a stream that is cut, says nothing, reports an error or sends what is no JSON is a failure that may pass", async () => {
  server.next(
    sse(chunk({ content: "half a" }), { cut: true }),
    sse(chunk({ content: "half a" })), // ended in good order, but before its end
    sse("data: [DONE]\n\n"),
    sse('data: {"choices":[{"delta":{"content":"x\n\n'),
    sse(`${chunk({ content: "x" })}data: {"error":{"message":"overloaded"}}\n\n`),
    json(200, "not json"),
    json(200, { choices: [] }),
  );
  const texts: string[] = [];
  for (let i = 0; i < 7; i++) {
    const e = await failure();
    expect(e).not.toBeInstanceOf(Fatal);
    texts.push(e.message);
  }
  expect(texts.slice(1, 3)).toEqual(Array(2).fill("the model's stream was cut before its reply ended"));
  expect(texts[3]).toMatch(/^the model's server sent something that is not JSON/);
  expect(texts[4]).toBe("the model's server reports: overloaded");
  expect(texts[5]).toMatch(/not JSON: not json/);
  expect(texts[6]).toBe("the model's server answered with JSON that is not a chat completion");
});

it("nobody listens: nothing was sent; an abort ends the call", async () => {
  const closed = createServer();
  await new Promise<void>((resolve) => closed.listen(0, "127.0.0.1", resolve));
  const { port } = closed.address() as AddressInfo;
  await new Promise((resolve) => closed.close(resolve));
  const nobody = openaiCompatible({ baseURL: `http://127.0.0.1:${port}/v1/`, model: "m" });
  await expect(nobody.generate(request(), modelScope())).rejects.toBeInstanceOf(NotSent);

  const abort = new AbortController();
  server.next((res) => {
    res.writeHead(200, { "content-type": "text/event-stream" });
    res.write(chunk({ content: "x" }));
    setImmediate(() => abort.abort(new Error("stopped")));
  });
  await expect(model.generate(request(), modelScope(abort.signal))).rejects.toThrow("stopped");
});

it("what cannot be sent is refused before anything is", async () => {
  expect(() => openaiCompatible({ baseURL: "localhost:1", model: "m" })).toThrow(PawlError);
  expect(() => openaiCompatible({ baseURL: "http://localhost", model: "" })).toThrow(PawlError);
  const search = { id: "openai.search", name: "search", args: {}, class: "repeatable" } as const;
  await expect(model.generate(request({ providerTools: [search] }), modelScope())).rejects.toBeInstanceOf(Fatal);
  const pdf = { type: "file", mediaType: "application/pdf", data: { url: "http://x/a.pdf" } } as const;
  await expect(model.generate(request({ messages: [{ id: "1", role: "user", content: [pdf] }] }), modelScope())).rejects.toBeInstanceOf(
    Fatal,
  );
  expect(server.asked).toEqual([]);
});
