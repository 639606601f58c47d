// The chunks of an AI SDK UI message stream that Pawl sends, by shape; the test compiles them against ai 6 and ai 7. And the form in which they
// travel over HTTP. Types, and one pure function.

export type UiFinishReason = "stop" | "length" | "content-filter" | "tool-calls" | "error" | "other";

export type UiChunk =
  | { type: "start"; messageId: string }
  | { type: "start-step" }
  | { type: "finish-step" }
  | { type: "finish"; finishReason?: UiFinishReason }
  | { type: "text-start" | "text-end" | "reasoning-start" | "reasoning-end"; id: string }
  | { type: "text-delta" | "reasoning-delta"; id: string; delta: string }
  | { type: "tool-input-start"; toolCallId: string; toolName: string }
  | { type: "tool-input-delta"; toolCallId: string; inputTextDelta: string }
  | { type: "tool-input-available"; toolCallId: string; toolName: string; input: unknown; providerExecuted?: boolean }
  | { type: "tool-approval-request"; approvalId: string; toolCallId: string }
  | { type: "tool-output-available"; toolCallId: string; output: unknown; providerExecuted?: boolean }
  | { type: "tool-output-error"; toolCallId: string; errorText: string }
  | { type: "tool-output-denied"; toolCallId: string }
  | { type: "source-url"; sourceId: string; url: string; title?: string }
  | { type: "file"; url: string; mediaType: string }
  | { type: "abort"; reason?: string }
  | { type: "error"; errorText: string };

/** What tells the AI SDK's client how to read the stream. */
export const uiStreamHeaders: Readonly<Record<string, string>> = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache",
  "x-vercel-ai-ui-message-stream": "v1",
  "x-accel-buffering": "no",
};

/** As server-sent events. */
export function uiEvent(chunk: UiChunk | "[DONE]"): string {
  return `data: ${chunk === "[DONE]" ? chunk : JSON.stringify(chunk)}\n\n`;
}
