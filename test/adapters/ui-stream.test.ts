// A run as the AI SDK's UI message stream: the SDK's own client reads it, over HTTP, and builds the message that the log has. Tokens are shown early; a
// reply that begins again aborts the stream; whoever asks again gets the message from its start.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { readUIMessageStream, parseJsonEventStream, type UIMessage, type UIMessageChunk } from "ai";
import type { UIMessageChunk as UIMessageChunk6 } from "ai6";
import { afterAll, beforeEach, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import { generate, scripted, tool, toolbox, userMessage, type Message, type Model } from "../../src/agents.ts";
import { uiMessageResponse, uiMessageStream, type UiChunk } from "../../src/ai-sdk.ts";
import { engine, workflow, type Engine } from "../../src/index.ts";

const opened: Engine[] = [];
let app: Engine;
beforeEach(async () => {
  opened.push((app = await engine({ store: "memory:" })));
});
afterAll(async () => {
  for (const e of opened) await e.stop();
});

const input = z.object({ city: z.string() });
const weather = tool({ name: "weather", description: "The weather", input }, ({ city }) => ({ city, sky: "clear" }), { repeatable: true });
const book = tool({ name: "book", description: "Books", input }, () => "booked", { once: true, approve: "Book it?" });
const fails = tool({ name: "fails", description: "Fails", input }, () => Promise.reject(new Error("no seats")), { once: true });
const tools = [weather, book, fails] as const;

const loop = (model: Model, name = "loop") =>
  workflow({ name }, async (ctx) => {
    const box = toolbox(ctx, tools);
    const messages: Message[] = [userMessage("Go")];
    for (let turn = 0; turn < 10; turn++) {
      const reply = await generate(ctx, "model", model, { messages, tools: [...tools], retry: { attempts: 3, initial: "1ms" } });
      messages.push(reply.message);
      if (reply.calls.length === 0) return reply.text;
      const content = await Promise.all(reply.calls.map((c) => box.run(c)));
      messages.push({ id: `t${turn}`, role: "tool", content });
    }
    return "too many";
  });

const all = async (stream: ReadableStream<UiChunk>): Promise<UiChunk[]> => {
  const chunks: UiChunk[] = [];
  for await (const c of stream) chunks.push(c);
  return chunks;
};
const calls = (...list: [string, string][]) => ({
  calls: list.map(([t, city], i) => ({ tool: t, input: { city }, id: `${t}-${city}-${i}` })),
  text: "Let me see.",
});

it("its chunks are chunks of ai 6 and of ai 7", () => {
  expectTypeOf<UiChunk>().toExtend<UIMessageChunk>();
  expectTypeOf<UiChunk>().toExtend<UIMessageChunk6>();
});

it("a turn from its log: steps, texts, calls, outputs, failures and calls that were never made", async () => {
  const wf = loop(scripted([calls(["weather", "Bern"], ["fails", "Rome"], ["nothing", "Oslo"]), "Clear."]));
  const handle = await app.start(wf);
  await handle.result();
  const chunks = await all(uiMessageStream(handle));
  const id = (n: number): string => (chunks.filter((c) => c.type === "text-start")[n] as { id: string }).id;
  expect(chunks).toEqual([
    { type: "start", messageId: handle.runId },
    { type: "start-step" },
    { type: "text-start", id: id(0) },
    { type: "text-delta", id: id(0), delta: "Let me see." },
    { type: "text-end", id: id(0) },
    { type: "tool-input-available", toolCallId: "weather-Bern-0", toolName: "weather", input: { city: "Bern" } },
    { type: "tool-input-available", toolCallId: "fails-Rome-1", toolName: "fails", input: { city: "Rome" } },
    { type: "tool-input-available", toolCallId: "nothing-Oslo-2", toolName: "nothing", input: { city: "Oslo" } },
    { type: "tool-output-available", toolCallId: "weather-Bern-0", output: { city: "Bern", sky: "clear" } },
    { type: "tool-output-error", toolCallId: "fails-Rome-1", errorText: "no seats" },
    { type: "tool-output-error", toolCallId: "nothing-Oslo-2", errorText: "it was not called" },
    { type: "finish-step" },
    { type: "start-step" },
    { type: "text-start", id: id(1) },
    { type: "text-delta", id: id(1), delta: "Clear." },
    { type: "text-end", id: id(1) },
    { type: "finish-step" },
    { type: "finish", finishReason: "stop" },
  ]);
  // Asked again it is the same message.
  expect(await all(uiMessageStream(handle))).toEqual(chunks);
});

/** A model that says one word, waits to be let on, and says the rest. */
function slow(fail = 0): { model: Model; said: Promise<void>; go: () => void } {
  let [go, heard]: [() => void, () => void] = [() => {}, () => {}];
  const said = new Promise<void>((r) => (heard = r));
  const gate = new Promise<void>((r) => (go = r));
  let left = fail;
  const model: Model = {
    id: "slow",
    provider: "test",
    async generate(_r, s) {
      s.stream({ type: "text", id: "1", delta: "Half " });
      heard();
      await gate;
      if (left-- > 0) throw new Error("cut");
      s.stream({ type: "text", id: "1", delta: "and half" });
      return { content: [{ type: "text", text: "Half and half." }], finish: "stop", usage: {} };
    },
  };
  return { model, said, go };
}

it("tokens are shown before they are recorded, also to a late listener; the record completes them", async () => {
  const { model, said, go } = slow();
  const handle = await app.start(loop(model));
  await said;
  const reader = uiMessageStream(handle).getReader(); // late: the first word was said before
  const seen: UiChunk[] = [];
  while (seen.at(-1)?.type !== "text-delta") seen.push((await reader.read()).value!);
  expect(seen.at(-1)).toMatchObject({ delta: "Half " });
  go();
  for (let next = await reader.read(); next.done !== true; next = await reader.read()) seen.push(next.value);
  const texts = seen.flatMap((c) => (c.type === "text-delta" ? [c.delta] : []));
  expect(texts.join("")).toBe("Half and half.");
  expect(seen.filter((c) => c.type === "text-start").length).toBe(1);
  expect(seen.at(-1)).toEqual({ type: "finish", finishReason: "stop" });
});

it("a reply that was shown in part and begins again aborts the stream; asking again serves it from its start", async () => {
  const { model, said, go } = slow(1);
  const handle = await app.start(loop(model));
  const first = all(uiMessageStream(handle));
  await said;
  go();
  expect((await first).at(-1)).toMatchObject({ type: "abort" });
  const again = await all(uiMessageStream(handle));
  expect(again.at(-1)).toEqual({ type: "finish", finishReason: "stop" });
  expect(again.flatMap((c) => (c.type === "text-delta" ? [c.delta] : [])).join("")).toBe("Half and half.");
});

it("an approval has the decision's id; a refusal is a denied output; a failed run is an error; a cancelled one is aborted", async () => {
  const handle = await app.start(loop(scripted([calls(["book", "Rome"]), "As you wish."])));
  const reader = uiMessageStream(handle).getReader();
  let asked: UiChunk | undefined;
  while (asked?.type !== "tool-approval-request") asked = (await reader.read()).value;
  const [decision] = await app.decisions();
  expect(asked).toEqual({ type: "tool-approval-request", approvalId: decision!.decisionId, toolCallId: "book-Rome-0" });
  await app.resolve(asked.approvalId, { refuse: true, by: "ann", reason: "too dear" });
  expect((await reader.read()).value).toEqual({ type: "tool-output-denied", toolCallId: "book-Rome-0" });
  await handle.result();

  const failing = workflow({ name: "failing" }, async (ctx) => ctx.fail("broken"));
  const failed = await app.start(failing);
  expect(await all(uiMessageStream(failed))).toEqual([
    { type: "start", messageId: failed.runId },
    { type: "error", errorText: expect.stringContaining("broken") },
  ]);
  const waiting = await app.start(workflow({ name: "waiting" }, (ctx) => ctx.sleep("long", "1d")));
  const stopped = all(uiMessageStream(waiting));
  await waiting.cancel("enough");
  expect((await stopped).at(-1)).toEqual({ type: "abort", reason: "enough" });
});

it("over HTTP the AI SDK's own reader builds the message, also after its connection was cut", async () => {
  const { model, said, go } = slow();
  const handle = await app.start(loop(model));
  const server = createServer((_req, res) => {
    const gone = new AbortController();
    res.on("close", () => gone.abort());
    const { headers, body } = uiMessageResponse(handle, { signal: gone.signal });
    res.writeHead(200, Object.fromEntries(headers));
    Readable.fromWeb(body as never).pipe(res);
  });
  await new Promise<void>((r) => server.listen(0, "127.0.0.1", r));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  await said;
  const cut = new AbortController();
  const first = (await fetch(url, { signal: cut.signal })).body!.getReader();
  await first.read();
  cut.abort();
  const response = await fetch(url);
  expect(response.headers.get("x-vercel-ai-ui-message-stream")).toBe("v1");
  go();
  const stream = parseJsonEventStream({ stream: response.body!, schema: z.any() }).pipeThrough(
    new TransformStream<{ success: boolean; value?: unknown }, UIMessageChunk>({
      transform: (part, c) => c.enqueue(part.value as UIMessageChunk),
    }),
  );
  let message: UIMessage | undefined;
  for await (const m of readUIMessageStream({ stream })) message = m;
  expect(message).toMatchObject({
    id: handle.runId,
    role: "assistant",
    parts: [{ type: "step-start" }, { type: "text", text: "Half and half.", state: "done" }],
  });
  server.closeAllConnections();
  await new Promise((r) => server.close(r));
});

it("a reader that goes away leaves nothing behind", async () => {
  const handle = await app.start(workflow({ name: "quiet" }, (ctx) => ctx.sleep("long", "1d")));
  const gone = new AbortController();
  const stream = uiMessageStream(handle, { signal: gone.signal });
  gone.abort();
  expect(await all(stream)).toEqual([{ type: "start", messageId: handle.runId }]);
  await uiMessageStream(handle).cancel();
  await handle.terminate("done");
});
