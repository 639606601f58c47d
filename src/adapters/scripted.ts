// A model for tests and examples: its replies are written down, nothing leaves the process. It must never invent a reply: a call that the
// script does not foresee fails, and says what was asked.
import { PawlError } from "../errors/error.ts";
import { Fatal } from "../errors/step-errors.ts";
import type { Part } from "../tools/messages.ts";
import type { Model, ModelReply, ModelRequest, ModelScope } from "../tools/models.ts";
import type { Json } from "../workflow/types.ts";

/** One reply: a text, a whole reply, or the tools that the model asks for. */
export type Turn =
  | string
  | ModelReply
  | { readonly calls: readonly { readonly tool: string; readonly input: Json; readonly id?: string }[]; readonly text?: string };
/** A turn, a turn with a check of the request, or a function of the request. */
export type ScriptedTurn =
  | Turn
  | { readonly expect: (r: ModelRequest) => boolean; readonly reply: Turn }
  | ((r: ModelRequest) => Turn | Promise<Turn>);

export interface ScriptedOpts {
  /**
   * Which turn a call gets. call (the default): the first call gets the first turn, and so on, in this process. conversation: as many
   * turns in as the request has replies of a model, so that a call that is made again after a crash gets the same turn.
   */
  readonly by?: "call" | "conversation";
  readonly id?: string;
  readonly provider?: string;
}

/** A scripted model, which also says how often it was called in this process. */
export interface ScriptedModel extends Model {
  calls(): number;
}

/**
 * A model whose replies are written down: for tests and examples, without a network. A call too many, or a request that `expect`
 * refuses, fails for good: it is not tried again.
 *
 * @example
 * const model = scripted([{ calls: [{ tool: "weather", input: { city: "Bern" } }] }, "It is sunny in Bern."]);
 */
export function scripted(turns: readonly ScriptedTurn[], o: ScriptedOpts = {}): ScriptedModel {
  if (!Array.isArray(turns)) throw new PawlError("PAWL5001", 'scripted() takes a list of turns, such as scripted(["Hello"])');
  let calls = 0;
  return {
    id: o.id ?? "scripted",
    provider: o.provider ?? "scripted",
    calls: () => calls,
    async generate(request, s) {
      const n = o.by === "conversation" ? request.messages.filter((m) => m.role === "assistant").length : calls;
      calls++;
      if (n >= turns.length)
        throw new Fatal(`call ${n + 1} of the scripted model, which has ${turns.length} turns; asked: ${lastSaid(request)}`);
      const reply = await replyOf(turns[n]!, request, n);
      sendPieces(reply, s, n);
      return reply;
    },
  };
}

async function replyOf(scriptedTurn: ScriptedTurn, request: ModelRequest, n: number): Promise<ModelReply> {
  const turn = typeof scriptedTurn === "function" ? await scriptedTurn(request) : scriptedTurn;
  if (typeof turn === "object" && turn !== null && "expect" in turn) {
    if (turn.expect(request)) return replyOf(turn.reply, request, n);
    throw new Fatal(`turn ${n + 1} of the scripted model expects another request; asked: ${lastSaid(request)}`);
  }
  const usage = { inputTokens: countTokens(JSON.stringify(request.messages)), outputTokens: countTokens(JSON.stringify(turn)) };
  if (typeof turn === "string") return { content: [{ type: "text", text: turn }], finish: "stop", usage };
  if (typeof turn === "object" && turn !== null && "content" in turn) return turn;
  if (!Array.isArray((turn as Partial<typeof turn> | null)?.calls))
    throw new Fatal(
      `turn ${n + 1} of the scripted model is not a reply: give a text, { calls: [{ tool, input }] } or a whole reply with content`,
    );
  const content: Part[] = turn.text === undefined ? [] : [{ type: "text", text: turn.text }];
  turn.calls.forEach((c, i) => content.push({ type: "tool-call", id: c.id ?? `call_${n + 1}_${i + 1}`, tool: c.tool, input: c.input }));
  return { content, finish: "tool-calls", usage };
}

/** Word by word, so that what shows tokens as they come has something to show. */
function sendPieces(reply: ModelReply, s: ModelScope, n: number): void {
  reply.content.forEach((part, i) => {
    const id = `${n + 1}.${i + 1}`;
    if (part.type === "text" || part.type === "reasoning")
      for (const delta of part.text.match(/\S+\s*|\s+/g) ?? []) s.stream({ type: part.type, id, delta });
    if (part.type === "tool-call") s.stream({ type: "tool-input", id: part.id, tool: part.tool, delta: JSON.stringify(part.input) });
  });
}

/** Not what a provider would count, but the same on every machine. */
function countTokens(text: string): number {
  return Math.ceil(text.length / 4);
}

function lastSaid(r: ModelRequest): string {
  const text = JSON.stringify(r.messages.at(-1)?.content ?? null);
  return text.length <= 300 ? text : `${text.slice(0, 300)}…`;
}
