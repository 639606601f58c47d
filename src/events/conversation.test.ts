// What was said in a run, as its log has it: replies and calls in order,
// totals of what was recorded, nothing for a run that asked no model.
import { expect, it } from "vitest";
import type { RunEventRecord } from "../core/contract.ts";
import { conversationOf } from "./conversation.ts";

const event = (eventType: string, stepId: string, payload: object): RunEventRecord =>
  ({ eventType, stepId, payload }) as unknown as RunEventRecord;
const reply = (content: object[], usage: object) => ({ result: { content, usage, answeredBy: { id: "m-2" } } });

it("replies, calls and results in the order of the log, and what the models used", () => {
  const told = conversationOf([
    event("StepStarted", "model", { model: { id: "m-1" } }),
    event("StepFailed", "model", { error: { message: "503" }, retryAt: "2026-01-01T00:00:00Z" }),
    event("StepStarted", "model", {}),
    event(
      "StepCompleted",
      "model",
      reply(
        [
          { type: "text", text: "Let me." },
          { type: "tool-call", tool: "pay", input: { n: 1 } },
        ],
        { inputTokens: 7, cost: 0.5 },
      ),
    ),
    event("StepStarted", "pay", { tool: { name: "pay" }, repeatOf: "earlier" }),
    event("StepCompleted", "pay", { result: { id: 1 } }),
    event("StepStarted", "sleep", {}),
    event("StepCompleted", "sleep", {}),
    event("StepStarted", "model~2", { model: { id: "m-1" } }),
    event("StepFailed", "model~2", { error: { message: "gone" } }),
  ]);
  expect(told).toEqual({
    totals: { modelCalls: 2, inputTokens: 7, outputTokens: 0, cost: 0.5 },
    said: [
      { stepId: "model", by: "m-2", kind: "model", text: "Let me.", calls: ['pay({"n":1})'] },
      { stepId: "pay", by: "pay", kind: "tool", text: '{"id":1}', repeatOf: "earlier" },
      { stepId: "model~2", by: "m-1", kind: "model", text: "failed: gone" },
    ],
  });
  expect(conversationOf([event("StepStarted", "s", {}), event("StepCompleted", "s", {})])).toBeUndefined();
});
