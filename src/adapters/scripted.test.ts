// The scripted model: which call gets which turn, what it streams, and that it never invents a reply. No engine: a model is a
// function of its request.
import { expect, it } from "vitest";
import { Fatal } from "../errors/step-errors.ts";
import type { ModelRequest, ModelScope, StreamPart } from "../tools/models.ts";
import { scripted } from "./scripted.ts";

const asked = (assistants: number): ModelRequest => ({
  messages: Array.from({ length: assistants }, (_, i) => ({
    id: `a${i}`,
    role: "assistant" as const,
    content: [{ type: "text" as const, text: "x" }],
  })),
  tools: [],
  providerTools: [],
});
const streamed: StreamPart[] = [];
const scope = { stream: (p: StreamPart) => void streamed.push(p) } as unknown as ModelScope;

it("the n-th call gets the n-th turn; a call too many and an unexpected request fail for good", async () => {
  const model = scripted([
    "one two",
    { calls: [{ tool: "pay", input: { cents: 1 } }], text: "paying" },
    (r) => `${r.messages.length} messages`,
    { expect: (r) => r.tools.length > 0, reply: "never" },
  ]);
  const first = await model.generate(asked(0), scope);
  expect(first.content).toEqual([{ type: "text", text: "one two" }]);
  expect(streamed.map((p) => p.delta)).toEqual(["one ", "two"]);
  const second = await model.generate(asked(0), scope);
  expect(second).toMatchObject({ finish: "tool-calls", content: [{ type: "text" }, { type: "tool-call", id: "call_2_1", tool: "pay" }] });
  expect((await model.generate(asked(3), scope)).content).toEqual([{ type: "text", text: "3 messages" }]);
  await expect(model.generate(asked(0), scope)).rejects.toBeInstanceOf(Fatal);
  await expect(model.generate(asked(0), scope)).rejects.toThrow("call 5 of the scripted model, which has 4 turns");
  expect(model.calls()).toBe(5);
});

it.each([{ text: "no calls" }, null, 7, { calls: "pay" }])(
  "a turn that is not a reply fails for good and says what one is: %j",
  async (turn) => {
    const asWritten = scripted([turn as never]).generate(asked(0), scope);
    await expect(asWritten).rejects.toBeInstanceOf(Fatal);
    await expect(asWritten).rejects.toThrow("turn 1 of the scripted model is not a reply: give a text");
  },
);

it("by conversation: the same request gets the same turn, however often it is made", async () => {
  const model = scripted(["a", "b"], { by: "conversation" });
  const texts = await Promise.all([0, 1, 1, 0].map(async (n) => (await model.generate(asked(n), scope)).content[0]));
  expect(texts.map((t) => (t as { text: string }).text)).toEqual(["a", "b", "b", "a"]);
});
