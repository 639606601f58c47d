// A request as the JSON body of POST /chat/completions. The protocol has no place for a provider's own data, for reasoning or for tools that
// the provider runs; what it cannot say is left out where that is harmless, and refused where it is not.
import { Fatal } from "../../errors/step-errors.ts";
import type { Frozen } from "../../tools/frozen.ts";
import type { FilePart, Message, Part, ToolResult } from "../../tools/messages.ts";
import type { ModelRequest } from "../../tools/models.ts";
import { defined, isMedia, textsOf } from "../parts.ts";

type Members = Record<string, unknown>;

export function chatBody(r: ModelRequest, model: string): Members {
  const [unsaid] = r.providerTools;
  if (unsaid !== undefined)
    throw new Fatal(`the provider is asked to run ${unsaid.name} (${unsaid.id}), which the chat-completions protocol has no word for`);
  const { toolChoice } = r;
  return {
    model,
    messages: r.messages.flatMap((m) => chatMessages(m)),
    stream: true,
    stream_options: { include_usage: true },
    ...defined({ temperature: r.temperature, top_p: r.topP, seed: r.seed, max_tokens: r.maxOutputTokens }),
    ...(r.tools.length === 0
      ? {}
      : {
          tools: r.tools.map((t) => ({
            type: "function",
            function: { name: t.name, description: t.description, parameters: t.parameters },
          })),
          ...(toolChoice === undefined
            ? {}
            : { tool_choice: typeof toolChoice === "string" ? toolChoice : { type: "function", function: { name: toolChoice.tool } } }),
        }),
    ...(r.output === undefined
      ? {}
      : { response_format: { type: "json_schema", json_schema: { name: r.output.name, schema: r.output.schema, strict: true } } }),
    ...r.providerOptions,
  };
}

function chatMessages(m: Frozen<Message>): Members[] {
  const parts = m.content as readonly Part[];
  switch (m.role) {
    case "system":
      return [{ role: "system", content: textsOf(parts) }];
    case "user":
      return [{ role: "user", content: userContent(parts) }];
    case "tool":
      return parts.flatMap((p) => (p.type === "tool-result" ? [{ role: "tool", tool_call_id: p.id, content: resultText(p) }] : []));
    case "assistant":
      return assistantMessage(parts);
    default:
      throw new Fatal(`a message has the role ${String((m as { role: unknown }).role)}, which no model understands`);
  }
}

function assistantMessage(parts: readonly Part[]): Members[] {
  const text = textsOf(parts);
  const calls = parts.flatMap((p) =>
    p.type === "tool-call" && p.byProvider !== true
      ? [
          {
            id: p.id,
            type: "function",
            function: { name: p.tool, arguments: typeof p.input === "string" ? p.input : JSON.stringify(p.input) },
          },
        ]
      : [],
  );
  if (text === "" && calls.length === 0) return []; // only what the protocol cannot say
  return [{ role: "assistant", content: text === "" ? null : text, ...(calls.length === 0 ? {} : { tool_calls: calls }) }];
}

/** A text alone is sent as one: not every server takes a list. */
function userContent(parts: readonly Part[]): unknown {
  if (parts.every((p) => p.type === "text")) return textsOf(parts);
  return parts.flatMap((p) => (p.type === "text" ? [{ type: "text", text: p.text }] : p.type === "file" ? [fileContent(p)] : []));
}

function fileContent(p: FilePart): Members {
  const url = typeof p.data === "string" ? `data:${p.mediaType};base64,${p.data}` : p.data.url;
  if (p.mediaType.startsWith("image/")) return { type: "image_url", image_url: { url } };
  if (typeof p.data !== "string")
    throw new Fatal(`a file of type ${p.mediaType} must be sent with its bytes: this protocol takes URLs of images only`);
  return { type: "file", file: { filename: p.filename ?? "file", file_data: url } };
}

/** Failures are put in words: the protocol has no mark for them. */
function resultText(p: ToolResult): string {
  const { output } = p;
  if (isMedia(output)) return output.content.map((c) => (c.type === "text" ? c.text : `[${c.mediaType}]`)).join("\n");
  return typeof output === "string" ? output : JSON.stringify(p.outcome === "done" ? output : { outcome: p.outcome, output });
}
