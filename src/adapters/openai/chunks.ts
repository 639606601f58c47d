// The chunks of a streamed chat completion, put together to one reply while each goes out at once. Servers differ in what they leave out:
// ids of calls, the index, the usage. What cannot be read is a failure, never a shorter reply.
import type { Part } from "../../tools/messages.ts";
import type { ModelReply, ModelScope, Usage } from "../../tools/models.ts";
import { defined } from "../parts.ts";
import { callInput, keptFor } from "../provider-data.ts";

interface CallChunk {
  readonly index?: number;
  readonly id?: string;
  readonly function?: { readonly name?: string; readonly arguments?: string };
}
interface Delta {
  readonly content?: string | null;
  readonly reasoning_content?: string | null;
  readonly reasoning?: string | null;
  readonly refusal?: string | null;
  readonly tool_calls?: readonly CallChunk[] | null;
}
/** A chunk, or a whole completion: servers that do not stream answer with one. */
export interface CompletionChunk {
  readonly id?: string;
  readonly model?: string;
  readonly choices?: readonly { readonly delta?: Delta; readonly message?: Delta; readonly finish_reason?: string | null }[];
  readonly usage?: ChatUsage | null;
  readonly error?: unknown;
}
interface ChatUsage {
  readonly prompt_tokens?: number;
  readonly completion_tokens?: number;
  readonly prompt_tokens_details?: { readonly cached_tokens?: number } | null;
  readonly completion_tokens_details?: { readonly reasoning_tokens?: number } | null;
}
interface OpenCall {
  id: string;
  name: string;
  arguments: string;
}

export class ReplyBuilder {
  readonly #provider: string;
  readonly #stream: ModelScope["stream"];
  #text = "";
  #reasoning = "";
  #refused = false;
  readonly #calls: OpenCall[] = [];
  #finish: string | undefined;
  #usage: ChatUsage | undefined;
  #id: string | undefined;
  #model: string | undefined;

  constructor(provider: string, stream: ModelScope["stream"]) {
    this.#provider = provider;
    this.#stream = stream;
  }

  /** The server has said how the reply ended. */
  get isFinished(): boolean {
    return this.#finish !== undefined;
  }

  add(chunk: CompletionChunk): void {
    this.#id ??= chunk.id;
    this.#model ??= chunk.model;
    if (chunk.usage !== undefined && chunk.usage !== null) this.#usage = chunk.usage;
    const choice = chunk.choices?.[0];
    if (choice === undefined) return;
    const delta = choice.delta ?? choice.message ?? {};
    const reasoning = delta.reasoning_content ?? delta.reasoning;
    if (typeof reasoning === "string" && reasoning !== "") {
      this.#reasoning += reasoning;
      this.#stream({ type: "reasoning", id: "reasoning", delta: reasoning });
    }
    if (typeof delta.refusal === "string" && delta.refusal !== "") this.#refused = true;
    for (const text of [delta.content, delta.refusal]) {
      if (typeof text !== "string" || text === "") continue;
      this.#text += text;
      this.#stream({ type: "text", id: "text", delta: text });
    }
    for (const call of delta.tool_calls ?? []) this.#addCall(call);
    if (typeof choice.finish_reason === "string") this.#finish = choice.finish_reason;
  }

  /** A piece belongs to the call with its index; without one, to the last call unless it brings an id of its own. */
  #addCall(piece: CallChunk): void {
    const at =
      piece.index ??
      (piece.id !== undefined && piece.id !== this.#calls.at(-1)?.id ? this.#calls.length : Math.max(0, this.#calls.length - 1));
    const call = (this.#calls[at] ??= { id: "", name: "", arguments: "" });
    if (call.id === "") call.id = piece.id ?? "";
    call.name += piece.function?.name ?? "";
    const delta = piece.function?.arguments ?? "";
    call.arguments += delta;
    if (delta !== "") this.#stream({ type: "tool-input", id: call.id, tool: call.name, delta });
  }

  reply(): ModelReply {
    const content: Part[] = [];
    if (this.#reasoning !== "") content.push({ type: "reasoning", text: this.#reasoning, ...keptFor(this.#provider, {})! });
    if (this.#text !== "") content.push({ type: "text", text: this.#text });
    const calls = this.#calls.filter((c) => c !== undefined);
    calls.forEach((c, i) =>
      // Some servers give no ids; within a reply the place is one.
      content.push({ type: "tool-call", id: c.id === "" ? `call_${i + 1}` : c.id, tool: c.name, input: callInput(c.arguments) }),
    );
    return {
      content,
      finish: this.#refused ? "content-filter" : calls.length > 0 && this.#finish === "stop" ? "tool-calls" : finishOf(this.#finish),
      usage: usageOf(this.#usage),
      ...(defined({ model: this.#model, responseId: this.#id }) as { model?: string; responseId?: string }),
    };
  }
}

const finishes: Readonly<Record<string, ModelReply["finish"]>> = {
  stop: "stop",
  length: "length",
  tool_calls: "tool-calls",
  function_call: "tool-calls",
  content_filter: "content-filter",
};

function finishOf(word: string | undefined): ModelReply["finish"] {
  return finishes[word ?? ""] ?? "other";
}

function usageOf(u: ChatUsage | undefined): Usage {
  return defined({
    inputTokens: u?.prompt_tokens,
    outputTokens: u?.completion_tokens,
    cacheReadTokens: u?.prompt_tokens_details?.cached_tokens,
    reasoningTokens: u?.completion_tokens_details?.reasoning_tokens,
  }) as Usage;
}
