// What an agent's run takes, as a schema: a prompt or messages, and the context that its author declared. What does not fit is refused before the run
// begins. It must never look into the context: only its own schema does.
import type { StandardSchemaV1 as S } from "@standard-schema/spec";
import type { Message } from "../tools/messages.ts";
import type { Allowance } from "../tools/registry.ts";

export interface ParsedInput {
  readonly messages: readonly Omit<Message, "id">[];
  readonly context: unknown;
  readonly allowance: Allowance | null;
}

const roles = new Set(["system", "user", "assistant", "tool"]);

export function inputSchema(context: S | undefined): S<unknown, ParsedInput> {
  const refuse = (
    message: string,
    path: readonly string[] = [],
  ): S["~standard"] extends never ? never : { issues: { message: string; path: readonly string[] }[] } => ({
    issues: [{ message, path }],
  });
  return {
    "~standard": {
      version: 1,
      vendor: "pawl",
      validate: (value) => {
        if (typeof value !== "object" || value === null) return refuse("an agent takes { prompt } or { messages }");
        const {
          prompt,
          messages = [],
          context: given,
          allowance = null,
        } = value as { prompt?: unknown; messages?: unknown; context?: unknown; allowance?: unknown };
        if (prompt !== undefined && typeof prompt !== "string") return refuse("must be text", ["prompt"]);
        if (!Array.isArray(messages) || !messages.every(isMessage))
          return refuse("must be messages: { role, content: [parts] }", ["messages"]);
        const said: Omit<Message, "id">[] = [
          ...(messages as Omit<Message, "id">[]),
          ...(prompt === undefined ? [] : [{ role: "user" as const, content: [{ type: "text" as const, text: prompt }] }]),
        ];
        if (said.length === 0) return refuse("an agent takes { prompt } or { messages }");
        if (!isAllowance(allowance)) return refuse("must be { tokens, cost }: numbers of at least 0", ["allowance"]);
        const parsed = (c: unknown): { value: ParsedInput } => ({ value: { messages: said, context: c, allowance } });
        if (context === undefined) return parsed(null);
        const checked = context["~standard"].validate(given);
        if (checked instanceof Promise) return checked.then((c) => (c.issues === undefined ? parsed(c.value) : { issues: c.issues }));
        return checked.issues === undefined ? parsed(checked.value) : { issues: checked.issues };
      },
    },
  };
}

function isAllowance(a: unknown): a is Allowance | null {
  if (a === null) return true;
  if (typeof a !== "object") return false;
  return Object.entries(a).every(([name, n]) => (name === "tokens" || name === "cost") && typeof n === "number" && n >= 0);
}

function isMessage(m: unknown): boolean {
  const { role, content } = (m ?? {}) as { role?: unknown; content?: unknown };
  return typeof role === "string" && roles.has(role) && Array.isArray(content);
}
