// A tool of the AI SDK that happens once. generateText keeps nothing: run the program again, after a crash or on purpose, and the model asks for the same refund
// again. The guard answers from the record. The model is a mock, so that this runs without a network; put your own in its place.
import { generateText, jsonSchema, stepCountIs, tool as aiTool } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { engine } from "pawl";
import { guard, tool } from "pawl/agents";
import { z } from "zod";

const refund = tool(
  { name: "refund", description: "Refund an order", input: z.object({ orderId: z.string() }) },
  ({ orderId }) => {
    console.log(`the bank refunds ${orderId}`);
    return { refundId: `re_${orderId}` };
  },
  { once: true }, // the bank does not recognise a request that is sent twice
);

const app = await engine();
const call = guard(app, { thread: "chat-7" });

const usage = { inputTokens: { total: 9, noCache: 9, cacheRead: 0, cacheWrite: 0 }, outputTokens: { total: 4, text: 4, reasoning: 0 } };
const model = new MockLanguageModelV4({
  doGenerate: async ({ prompt }) => {
    const done = prompt.some((m) => m.role === "tool");
    return done
      ? {
          content: [{ type: "text", text: "Your money is on its way." }],
          finishReason: { unified: "stop", raw: undefined },
          usage,
          warnings: [],
        }
      : {
          content: [{ type: "tool-call", toolCallId: "call-1", toolName: "refund", input: '{"orderId":"o-1"}' }],
          finishReason: { unified: "tool-calls", raw: undefined },
          usage,
          warnings: [],
        };
  },
});

const { text, steps } = await generateText({
  model,
  prompt: "Please refund order o-1.",
  stopWhen: stepCountIs(5),
  tools: {
    refund: aiTool({
      description: "Refund an order",
      inputSchema: jsonSchema<{ orderId: string }>({ type: "object", properties: { orderId: { type: "string" } }, required: ["orderId"] }),
      execute: (input) => call(refund, input),
    }),
  },
});
console.log(steps[0]?.toolResults[0]?.output, text);
await app.stop();
