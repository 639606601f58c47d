// Small questions about parts of messages that adapters share. Pure. What is asked for one provider only belongs into
// that provider's folder.
import type { FilePart, Part, TextPart, ToolResult } from "../tools/messages.ts";
import type { Frozen } from "../tools/frozen.ts";

/** The texts of a message, one under the other. */
export function textsOf(content: Frozen<readonly Part[]> | readonly Part[]): string {
  return content.flatMap((p) => (p.type === "text" ? [p.text] : [])).join("\n");
}

/** A tool's result that is texts and files, not data. */
export function isMedia(output: ToolResult["output"]): output is { readonly content: readonly (TextPart | FilePart)[] } {
  if (typeof output !== "object" || output === null || Array.isArray(output)) return false;
  const { content } = output as { content?: unknown };
  return Array.isArray(content) && Object.keys(output).length === 1 && content.every((c) => isTextOrFile(c));
}

function isTextOrFile(c: unknown): boolean {
  const part = c as { type?: unknown; text?: unknown; mediaType?: unknown } | null;
  return part?.type === "text" ? typeof part.text === "string" : part?.type === "file" && typeof part.mediaType === "string";
}

/** Without the members that are undefined: receivers look whether a member is there. */
export function defined(members: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, v]) => v !== undefined));
}
