// A reply of an AI SDK model as Pawl's parts. What the provider says about a part stays on that part. What the SDK may add later is kept
// as a custom part: it goes back to its provider as it came.
import { base64 } from "../../platform/base64.ts";
import type { Part } from "../../tools/messages.ts";
import type { ModelReply, Usage } from "../../tools/models.ts";
import type { Json } from "../../workflow/types.ts";
import { defined } from "../parts.ts";
import { callInput, keptFor, plainJson } from "../provider-data.ts";
import type { AiSdkContent, AiSdkReply, AiSdkUsage } from "./shapes.ts";

export function modelReply(r: AiSdkReply, provider: string): ModelReply {
  return {
    content: r.content.flatMap((c) => partOf(c, provider)),
    finish: finishOf(r.finishReason),
    usage: usageOf(r.usage),
    ...(defined({ model: r.response?.modelId, responseId: r.response?.id }) as { model?: string; responseId?: string }),
    ...(r.providerMetadata === undefined ? {} : keptFor(provider, { metadata: r.providerMetadata })),
  };
}

function partOf(c: AiSdkContent, provider: string): Part[] {
  const about = { ...(c.providerMetadata === undefined ? {} : { metadata: c.providerMetadata }), ...defined({ citations: c.citations }) };
  const kept = Object.keys(about).length === 0 ? {} : keptFor(provider, about)!;
  switch (c.type) {
    case "text":
      return [{ type: "text", text: c.text ?? "", ...kept }];
    case "reasoning": // always with its writer: nobody else gets it
      return [{ type: "reasoning", text: c.text ?? "", ...keptFor(provider, about)! }];
    case "tool-call":
      return [
        {
          type: "tool-call",
          id: String(c.toolCallId),
          tool: String(c.toolName),
          input: callInput(c.input),
          ...(c.providerExecuted === true ? { byProvider: true, ...keptFor(provider, about)! } : kept),
        },
      ];
    case "tool-result":
      if (c.preliminary === true) return []; // another one of the same call follows
      return [
        {
          type: "tool-result",
          id: String(c.toolCallId),
          tool: String(c.toolName),
          output: plainJson(c.result ?? null),
          outcome: c.isError === true ? "failed" : "done",
          ...keptFor(provider, about)!,
        },
      ];
    case "file":
      return [filePart(c, kept)];
    case "source":
      return [
        {
          type: "source",
          id: c.id ?? "",
          ...(defined({ url: c.url, mediaType: c.mediaType, title: c.title }) as { url?: string; mediaType?: string; title?: string }),
          ...kept,
        },
      ];
    case "tool-approval-request":
      return [
        { type: "tool-approval-request", approvalId: String(c.approvalId), toolCallId: String(c.toolCallId), ...keptFor(provider, about)! },
      ];
    default:
      return [{ type: "custom", kind: c.kind ?? c.type, ...keptFor(provider, { ...about, part: wholePart(c) })! }];
  }
}

/** Without what is kept beside it. Bytes become base64. */
function wholePart(c: AiSdkContent): Json {
  const { providerMetadata: _beside, ...part } = c;
  return plainJson(part.data instanceof Uint8Array ? { ...part, data: base64(part.data) } : withTextData(part));
}

function withTextData(part: Omit<AiSdkContent, "providerMetadata">): unknown {
  const inner = part.data as { type?: unknown; data?: unknown } | undefined;
  return inner?.data instanceof Uint8Array ? { ...part, data: { ...inner, data: base64(inner.data) } } : part;
}

function filePart(c: AiSdkContent, kept: { provider?: Json }): Part {
  const file = { type: "file" as const, mediaType: c.mediaType ?? "application/octet-stream", ...kept };
  const named = c.filename === undefined ? {} : { filename: c.filename };
  return { ...file, ...named, data: dataOf(c.data) };
}

/** v2 and v3: bytes or base64. v4: one of these or a URL, with its kind. */
function dataOf(data: unknown): string | { url: string } {
  if (data instanceof Uint8Array) return base64(data);
  if (typeof data === "string") return data;
  const typed = data as { type?: string; data?: unknown; url?: unknown } | null | undefined;
  return typed?.type === "url" ? { url: String(typed.url) } : typed?.data === undefined ? "" : dataOf(typed.data);
}

const finishes: readonly ModelReply["finish"][] = ["stop", "length", "tool-calls", "content-filter", "error"];

function finishOf(reason: AiSdkReply["finishReason"]): ModelReply["finish"] {
  const word = typeof reason === "object" ? reason.unified : reason;
  return finishes.find((f) => f === word) ?? "other";
}

function usageOf(u: AiSdkUsage | undefined): Usage {
  const { inputTokens: input, outputTokens: output } = u ?? {};
  return defined({
    inputTokens: typeof input === "object" ? input.total : input,
    outputTokens: typeof output === "object" ? output.total : output,
    cacheReadTokens: typeof input === "object" ? input.cacheRead : u?.cachedInputTokens,
    cacheWriteTokens: typeof input === "object" ? input.cacheWrite : undefined,
    reasoningTokens: typeof output === "object" ? output.reasoning : u?.reasoningTokens,
  }) as Usage;
}
