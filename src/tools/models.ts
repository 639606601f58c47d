// A model, as Pawl sees one: a function from a request to a reply, called only inside a recorded step. Concrete models are adapters.
// A model must never retry by itself, must never keep state between calls, and must never call a tool of the author's.
import type { Json, StepScope } from "../workflow/types.ts";
import type { Frozen } from "./frozen.ts";
import type { Message, Part } from "./messages.ts";

export interface Usage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly cacheReadTokens?: number;
  readonly cacheWriteTokens?: number;
  readonly reasoningTokens?: number;
  /** In the unit of `budget.cost.price`, recorded when it is computed. */
  readonly cost?: number;
}

export interface ModelSettings {
  readonly temperature?: number;
  readonly topP?: number;
  readonly seed?: number;
  readonly maxOutputTokens?: number;
  readonly toolChoice?: "auto" | "none" | "required" | { readonly tool: string };
  readonly providerOptions?: { readonly [k: string]: Json | undefined };
}

/** A tool that the provider runs itself: the model call then has this class. */
export interface ProviderTool {
  readonly id: `${string}.${string}`;
  readonly name: string;
  readonly args: { readonly [k: string]: Json | undefined };
  readonly class: "repeatable" | "once";
}

/** A tool as a model knows it. */
export interface ToolSchema {
  readonly name: string;
  readonly description: string;
  /** A JSON schema. */
  readonly parameters: Json;
}

export interface ModelRequest extends ModelSettings {
  readonly messages: readonly Frozen<Message>[];
  readonly tools: readonly ToolSchema[];
  readonly providerTools: readonly ProviderTool[];
  /** The reply must be JSON text of this schema. */
  readonly output?: { readonly name: string; readonly schema: Json };
}

export interface ModelReply {
  readonly content: readonly Part[];
  readonly finish: "stop" | "length" | "tool-calls" | "content-filter" | "error" | "other";
  readonly usage: Usage;
  /** As the provider reports it: which model answered, and under which id. */
  readonly model?: string;
  readonly responseId?: string;
  readonly provider?: Json;
}

/** A piece of a reply on its way: provisional, of one attempt, never stored. */
export type StreamPart =
  | { readonly type: "text" | "reasoning"; readonly id: string; readonly delta: string }
  | { readonly type: "tool-input"; readonly id: string; readonly tool: string; readonly delta: string };

/** What a model is given beside its request: the step's scope, and where its tokens go. */
export interface ModelScope extends StepScope {
  /** Sends a piece of the reply to live listeners at once. It is never stored. */
  stream(part: StreamPart): void;
}

export interface Model {
  /** The provider's name of the model. */
  readonly id: string;
  readonly provider: string;
  /**
   * Called only inside a recorded step. What it throws is the attempt's failure: a `StepError` with a category says whether a retry may
   * help; anything else may be retried.
   */
  generate(request: ModelRequest, s: ModelScope): Promise<ModelReply>;
}
