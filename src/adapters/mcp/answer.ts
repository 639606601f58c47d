// What an MCP server answered, as a tool's output. Structured data as it is, one text as a text, anything else as texts and files. An answer
// that reports a problem is the caller's to judge: the tool ran, and nobody can say what it did before.
import type { FilePart, TextPart, ToolResult } from "../../tools/messages.ts";
import type { Json } from "../../workflow/types.ts";
import { plainJson } from "../provider-data.ts";
import type { McpAnswer } from "./shapes.ts";

export function outputOf(answer: McpAnswer): ToolResult["output"] {
  if (answer.structuredContent !== undefined) return plainJson(answer.structuredContent);
  const parts = (answer.content ?? []).flatMap((c) => partOf(c));
  const [first] = parts;
  if (parts.length === 1 && first?.type === "text") return first.text;
  return { content: parts };
}

/** In words, for an error. */
export function problemText(answer: McpAnswer): string {
  const texts = (answer.content ?? []).flatMap((c) => (c.type === "text" && c.text !== undefined ? [c.text] : []));
  return texts.length > 0 ? texts.join("\n") : "the tool reported an error and did not say which";
}

/** Recorded as an answer, with the mark that it reports a problem. */
export function problemOutput(answer: McpAnswer): Json {
  return { isError: true, message: problemText(answer) };
}

function partOf(c: NonNullable<McpAnswer["content"]>[number]): (TextPart | FilePart)[] {
  if (c.type === "text") return [{ type: "text", text: c.text ?? "" }];
  if ((c.type === "image" || c.type === "audio") && c.data !== undefined)
    return [{ type: "file", mediaType: c.mimeType ?? "application/octet-stream", data: c.data }];
  if (c.type === "resource_link" && c.uri !== undefined)
    return [{ type: "file", mediaType: c.mimeType ?? "application/octet-stream", data: { url: c.uri } }];
  const { resource } = c;
  if (resource?.text !== undefined) return [{ type: "text", text: resource.text }];
  if (resource?.blob !== undefined)
    return [{ type: "file", mediaType: resource.mimeType ?? "application/octet-stream", data: resource.blob }];
  return [{ type: "text", text: JSON.stringify(c) }];
}
