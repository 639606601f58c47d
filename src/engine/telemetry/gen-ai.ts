// Names of spans and attributes by OpenTelemetry's conventions for generative AI. Pure. Models, tools, settings, ids and counts: what was asked, answered,
// passed to a tool or returned by one must never be here.
import type { ModelPayload, StepStartedPayload } from "../../events/payload.ts";
import type { RunRow } from "../../store/port.ts";
import type { SpanAttributes } from "./telemetry.ts";

export interface NamedSpan {
  readonly name: string;
  readonly attributes: SpanAttributes;
  /** The work is done in another process: a model's provider. */
  readonly isClient?: true;
}

/** One call of one model, inside an attempt. */
export interface ChatCall extends Pick<ModelPayload, "id" | "provider"> {
  readonly temperature?: number;
  readonly topP?: number;
  readonly seed?: number;
  readonly maxOutputTokens?: number;
  readonly output?: unknown;
}
/** What of its reply is counted or named. */
export interface ChatReply {
  readonly finish: string;
  readonly usage: {
    readonly inputTokens?: number;
    readonly outputTokens?: number;
    readonly cacheReadTokens?: number;
    readonly cacheWriteTokens?: number;
    readonly reasoningTokens?: number;
    readonly cost?: number;
  };
  readonly model?: string;
  readonly responseId?: string;
}

/** Whose conversation it is: the run chain's, so that the next turn of a thread has the same. */
export function conversation({ workflowId, workflow }: Pick<RunRow, "workflowId" | "workflow">): SpanAttributes {
  return { "gen_ai.conversation.id": workflowId, "gen_ai.agent.name": workflow };
}

/** Null: the step is no call of a tool. */
export function toolSpan({ tool, cause }: StepStartedPayload, of: SpanAttributes): NamedSpan | null {
  if (tool === undefined) return null;
  const attributes = {
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": tool.name,
    "gen_ai.tool.type": "function",
    ...(cause === undefined ? {} : { "gen_ai.tool.call.id": cause.toolCallId }),
    ...of,
  };
  return { name: `execute_tool ${tool.name}`, attributes };
}

export function chatSpan(call: ChatCall, of: SpanAttributes): NamedSpan {
  const attributes = present({
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": providerName(call.provider),
    "gen_ai.request.model": call.id,
    "gen_ai.request.temperature": call.temperature,
    "gen_ai.request.top_p": call.topP,
    "gen_ai.request.seed": call.seed,
    "gen_ai.request.max_tokens": call.maxOutputTokens,
    "gen_ai.output.type": call.output === undefined ? undefined : "json",
    ...of,
  });
  return { name: `chat ${call.id}`, attributes, isClient: true };
}

/** A model is the author's: what is of another type than its interface says is left out. */
export function replyAttributes({ finish, usage, model, responseId }: ChatReply): SpanAttributes {
  return present({
    "gen_ai.response.finish_reasons": typeof finish === "string" ? [finishReasons[finish] ?? finish] : undefined,
    "gen_ai.response.model": model,
    "gen_ai.response.id": responseId,
    "gen_ai.usage.input_tokens": usage.inputTokens,
    "gen_ai.usage.output_tokens": usage.outputTokens,
    "gen_ai.usage.cache_read.input_tokens": usage.cacheReadTokens,
    "gen_ai.usage.cache_creation.input_tokens": usage.cacheWriteTokens,
    "gen_ai.usage.reasoning.output_tokens": usage.reasoningTokens,
    "pawl.usage.cost": usage.cost,
  });
}

const finishReasons: Readonly<Record<string, string>> = { "tool-calls": "tool_call", "content-filter": "content_filter" };

/** By how the AI SDK calls them; the conventions have names of their own. The longer beginning comes first. */
const providers: readonly (readonly [string, string])[] = [
  ["azure", "azure.ai.openai"],
  ["openai", "openai"],
  ["anthropic", "anthropic"],
  ["amazon-bedrock", "aws.bedrock"],
  ["bedrock", "aws.bedrock"],
  ["google.vertex", "gcp.vertex_ai"],
  ["google-vertex", "gcp.vertex_ai"],
  ["google", "gcp.gemini"],
  ["mistral", "mistral_ai"],
  ["xai", "x_ai"],
  ["cohere", "cohere"],
  ["deepseek", "deepseek"],
  ["groq", "groq"],
  ["perplexity", "perplexity"],
];
function providerName(provider: string): string {
  const isOf = (name: string): boolean => provider === name || provider.startsWith(`${name}.`) || provider.startsWith(`${name}-`);
  return providers.find(([name]) => isOf(name))?.[1] ?? provider;
}

function present(all: Readonly<Record<string, unknown>>): SpanAttributes {
  const is = (v: unknown): boolean => typeof v === "string" || (typeof v === "number" && Number.isFinite(v)) || Array.isArray(v);
  return Object.fromEntries(Object.entries(all).filter(([, v]) => is(v))) as SpanAttributes;
}
