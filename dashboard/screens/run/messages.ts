// Reads a conversation out of a recorded state. Anything may stand in a state, so nothing is believed: what is not a list of messages is none, and a part of
// a kind that is not known is kept as a value. Pure.
export type SaidPart =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "call"; readonly tool: string; readonly input: unknown; readonly id?: string; readonly askedBy?: string }
  | { readonly kind: "result"; readonly tool: string; readonly outcome: string; readonly output: unknown; readonly repeatOf?: string }
  | { readonly kind: "other"; readonly value: unknown };

export interface SaidMessage {
  readonly id: string;
  readonly role: string;
  readonly content: readonly SaidPart[];
}

/** Undefined: these are no messages of an agent. */
export function messagesOf(value: unknown): readonly SaidMessage[] | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const found: SaidMessage[] = [];
  for (const message of value as readonly unknown[]) {
    const { id, role, content } = membersOf(message);
    if (typeof id !== "string" || typeof role !== "string" || !Array.isArray(content)) return undefined;
    found.push({ id, role, content: content.map(partOf) });
  }
  return found;
}

function partOf(part: unknown): SaidPart {
  const { type, id, text, tool, input, output, outcome, cause, repeatOf } = membersOf(part);
  if (type === "text" && typeof text === "string") return { kind: "text", text };
  if (type === "tool-call" && typeof tool === "string") {
    const { stepId } = membersOf(cause);
    return {
      kind: "call",
      tool,
      input,
      ...(typeof id === "string" ? { id } : {}),
      ...(typeof stepId === "string" ? { askedBy: stepId } : {}),
    };
  }
  if (type === "tool-result" && typeof tool === "string" && typeof outcome === "string")
    return { kind: "result", tool, outcome, output, ...(typeof repeatOf === "string" ? { repeatOf } : {}) };
  return { kind: "other", value: part };
}

/** What an agent says that it has used, in words; undefined where it says nothing. */
export function spentText(value: unknown): string | undefined {
  const { turns, calls, usage } = membersOf(value);
  const { inputTokens, outputTokens, cost } = membersOf(usage);
  const counted = (n: unknown, one: string, several = `${one}s`): readonly string[] =>
    typeof n === "number" ? [`${n.toLocaleString("en")} ${n === 1 ? one : several}`] : [];
  const words = [
    ...counted(turns, "model call"),
    ...counted(calls, "tool call"),
    ...counted(inputTokens, "token in", "tokens in"),
    ...counted(outputTokens, "token out", "tokens out"),
    ...(typeof cost === "number" ? [`cost ${cost.toLocaleString("en", { maximumFractionDigits: 6 })}`] : []),
  ];
  return words.length === 0 ? undefined : words.join(", ");
}

function membersOf(x: unknown): Readonly<Record<string, unknown>> {
  return typeof x === "object" && x !== null ? (x as Readonly<Record<string, unknown>>) : {};
}
