// A program of the AI SDK, which remembers nothing: in each of its lives the model asks for the same refund, and generateText runs the tool. The
// tool is guarded. Requests are counted in a file that no engine reads.
import { generateText, jsonSchema, tool as aiTool, stepCountIs } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { z } from "zod";
import { guard, tool } from "../../../src/agents.ts";
import { engine } from "../../../src/index.ts";
import { send } from "../../crash/programs/receiver.ts";

const [store = "", ledger = "", cls = ""] = process.argv.slice(2);
const guarantee = cls === "KEYED" ? { key: (i: { id: string }) => `refund-${i.id}`, dedup: "1d" as const } : { once: true as const };
const refund = tool(
  { name: "refund", description: "Refund an order", input: z.object({ id: z.string() }) },
  (i, s) => (send(ledger, { key: s.key, fence: s.fence }), `refunded ${i.id}`),
  guarantee,
);

const app = await engine({ store: `sqlite:${store}`, onDecision: (d) => console.log(`asked ${d.kind} ${d.decisionId}`) });
const call = guard(app, { thread: "chat-1" });
const usage = { inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 }, outputTokens: { total: 1, text: 1, reasoning: 0 } };
let n = 0;
const model = new MockLanguageModelV4({
  doGenerate: async ({ prompt }) => {
    const done = prompt.some((m) => m.role === "tool");
    const content = done
      ? [{ type: "text" as const, text: JSON.stringify(prompt.at(-1)) }]
      : [{ type: "tool-call" as const, toolCallId: `c-${process.pid}-${n++}`, toolName: "refund", input: '{"id":"o-1"}' }];
    return { content, finishReason: { unified: done ? ("stop" as const) : ("tool-calls" as const), raw: undefined }, usage, warnings: [] };
  },
});
console.log("ready");
const { text } = await generateText({
  model,
  prompt: "Refund order o-1.",
  stopWhen: stepCountIs(3),
  tools: {
    refund: aiTool({
      inputSchema: jsonSchema<{ id: string }>({ type: "object", properties: { id: { type: "string" } } }),
      execute: (input) => call(refund, input),
    }),
  },
});
console.log(`result ${/refunded o-1/.test(text) ? "refunded o-1" : text}`);
await app.stop();
