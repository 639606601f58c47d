// A request as the options of doGenerate and doStream, in the version of the model. A provider's own data goes back on the part that it came
// with, to that provider alone; what another provider meant for itself is left out.
import { Fatal } from "../../errors/step-errors.ts";
import type { Frozen } from "../../tools/frozen.ts";
import type { FilePart, Message, Part, TextPart, ToolResult } from "../../tools/messages.ts";
import type { ModelRequest } from "../../tools/models.ts";
import { defined, isMedia, textsOf } from "../parts.ts";
import { isForOthers, ownData } from "../provider-data.ts";
import type { SpecificationVersion } from "./shapes.ts";

type Options = Record<string, unknown>;
interface Reader {
  readonly version: SpecificationVersion;
  readonly provider: string;
}

export function callOptions(r: ModelRequest, to: Reader, signal: AbortSignal): Options {
  const { temperature, topP, seed, maxOutputTokens, toolChoice, providerOptions } = r;
  const tools = [
    ...r.tools.map((t) => ({ type: "function", name: t.name, description: t.description, inputSchema: t.parameters })),
    ...r.providerTools.map((t) => ({ type: to.version === "v2" ? "provider-defined" : "provider", id: t.id, name: t.name, args: t.args })),
  ];
  return {
    prompt: r.messages.flatMap((m) => promptMessages(m, to)),
    abortSignal: signal,
    ...(tools.length === 0 ? {} : { tools }),
    ...(tools.length === 0 || toolChoice === undefined
      ? {}
      : { toolChoice: typeof toolChoice === "string" ? { type: toolChoice } : { type: "tool", toolName: toolChoice.tool } }),
    ...(r.output === undefined ? {} : { responseFormat: { type: "json", name: r.output.name, schema: r.output.schema } }),
    ...defined({ temperature, topP, seed, maxOutputTokens, providerOptions }),
  };
}

function promptMessages(m: Frozen<Message>, to: Reader): Options[] {
  const options = given(ownData(m, to.provider));
  if (m.role === "system") return [{ role: "system", content: textsOf(m.content), ...options }];
  const content = (m.content as readonly Part[]).flatMap((part) => promptPart(part, m.role, to));
  return content.length === 0 ? [] : [{ role: m.role, content, ...options }];
}

function promptPart(part: Part, role: Message["role"], to: Reader): Options[] {
  if (isForOthers(part, to.provider)) return [];
  const own = ownData(part, to.provider);
  const options = given(own);
  switch (part.type) {
    case "text":
    case "reasoning":
      return [{ type: part.type, text: part.text, ...options }];
    case "file":
      return [{ type: "file", mediaType: part.mediaType, data: fileData(part, to), ...defined({ filename: part.filename }), ...options }];
    case "tool-call":
      return [
        {
          type: "tool-call",
          toolCallId: part.id,
          toolName: part.tool,
          input: part.input,
          ...(part.byProvider === true ? { providerExecuted: true } : {}),
          ...options,
        },
      ];
    case "tool-result":
      return [{ type: "tool-result", toolCallId: part.id, toolName: part.tool, output: resultOutput(part, to), ...options }];
    case "custom":
      return customPart(own, part.kind);
    case "source": // what a reply rested on; no version takes it back
    case "tool-approval-request":
      return [];
    default:
      throw new Fatal(`a ${role} message has a part of type ${String((part as { type: unknown }).type)}, which no model understands`);
  }
}

/** Kept whole when the reply was read; v4 alone has such parts. */
function customPart(own: unknown, kind: string): Options[] {
  const kept = own as { part?: Options } | undefined;
  return [{ ...(kept?.part ?? { type: "custom", kind }), ...given(own) }];
}

function fileData(part: FilePart, to: Reader): unknown {
  if (typeof part.data === "string") return to.version === "v4" ? { type: "data", data: part.data } : part.data;
  return to.version === "v4" ? { type: "url", url: new URL(part.data.url) } : new URL(part.data.url);
}

function resultOutput(part: ToolResult, to: Reader): Options {
  const { output, outcome } = part;
  if (outcome === "refused") {
    const reason = typeof output === "string" ? output : JSON.stringify(output);
    return to.version === "v2" ? { type: "error-text", value: reason } : { type: "execution-denied", reason };
  }
  if (isMedia(output)) return { type: "content", value: output.content.map((c) => resultContent(c, to)) };
  const isError = outcome !== "done";
  if (typeof output === "string") return { type: isError ? "error-text" : "text", value: output };
  return { type: isError ? "error-json" : "json", value: output };
}

function resultContent(c: TextPart | FilePart, to: Reader): Options {
  if (c.type === "text") return { type: "text", text: c.text };
  if (to.version === "v4") return { type: "file", mediaType: c.mediaType, data: fileData(c, to), ...defined({ filename: c.filename }) };
  if (typeof c.data !== "string") return to.version === "v3" ? { type: "file-url", url: c.data.url } : { type: "text", text: c.data.url };
  if (to.version === "v2") return { type: "media", data: c.data, mediaType: c.mediaType };
  return { type: "file-data", data: c.data, mediaType: c.mediaType, ...defined({ filename: c.filename }) };
}

/** `own` is what the provider said of the part: its metadata goes back as options. */
function given(own: unknown): Options {
  const metadata = (own as { metadata?: unknown } | null | undefined)?.metadata ?? undefined;
  return metadata === undefined ? {} : { providerOptions: metadata };
}
