// A model call as one recorded step: streamed, metered, and in the ledger always. The record has a digest of the prompt, the parameters, the reply, usage,
// cost and the provider's response id; never the prompt, which is in the state or in the code. The digest of the call covers its name, not the prompt:
// changed instructions must not stop a run. When retries and fallback models are used up, a person decides, and nothing is undone.
import type { StandardSchemaV1 as S } from "@standard-schema/spec";
import { canonicalJson } from "../codec/canonical.ts";
import type { Duration } from "../core/duration.ts";
import { checkName } from "../core/names.ts";
import type { Retry } from "../core/retry.ts";
import type { Calls } from "../engine/calls.ts";
import { inModelSpan } from "../engine/telemetry/model-spans.ts";
import { PawlError } from "../errors/error.ts";
import { Fatal } from "../errors/step-errors.ts";
import type { ModelPayload } from "../events/payload.ts";
import { sha256Hex } from "../platform/crypto/hash.ts";
import { callsBehind } from "../workflow/ctx.ts";
import { stepSpec } from "../workflow/step-options.ts";
import { toMessageSchema } from "../workflow/to-json-schema.ts";
import type { Json } from "../workflow/types.ts";
import type { Frozen } from "./frozen.ts";
import { sourceTools } from "./listing.ts";
import type { Message, ToolCall } from "./messages.ts";
import type { Model, ModelReply, ModelRequest, ModelScope, ModelSettings, ProviderTool, ToolSchema, Usage } from "./models.ts";
import { isTool, definedTool } from "./registry.ts";
import type { AnyTool, ToolSource } from "./types.ts";

export interface ModelCallRequest extends ModelSettings {
  readonly messages: readonly Frozen<Message>[];
  /** What the model reads before the messages. */
  readonly instructions?: string;
  readonly tools?: readonly (AnyTool | ToolSource)[];
  readonly providerTools?: readonly ProviderTool[];
  /** The reply must be JSON of this schema. */
  readonly output?: S;
  /** After a crash during the call: call again (default), or leave it to a person. */
  readonly repeat?: "repeatable" | "once";
  /** When retries and fallback models are used up: hold the run for a person (default), or throw in the code. */
  readonly onFailure?: "hold" | "throw";
  /** Of each model; 3 attempts unless given. */
  readonly retry?: Retry;
  /** Of one attempt; 10 minutes unless given. */
  readonly timeout?: Duration;
  /** What the call costs, in a unit of your own; recorded when it is computed. */
  readonly price?: (u: Usage, model: string) => number;
}
export interface ModelCallResult extends ModelReply {
  readonly stepId: string;
  /** Ready for a list of messages: its id is made of the run and the step. */
  readonly message: Message;
  /** The calls that the model asks for, each with the recorded output that asked for it. */
  readonly calls: readonly ToolCall[];
  readonly text: string;
  /** Which of the models answered. */
  readonly answeredBy: { readonly id: string; readonly provider: string };
}
type RecordedReply = ModelReply & Pick<ModelCallResult, "answeredBy">;

/**
 * One recorded, streamed, metered model call. With several models the next one is tried when one has failed for good; when all have, the
 * run is held for a person (`onFailure: "throw"` passes the failure to the code).
 *
 * @example
 * const reply = await generate(ctx, "answer", [gpt, backup], { instructions: "Be brief.", messages: [userMessage("Hello")] });
 */
export function generate(
  ctx: object,
  name: string,
  model: Model | readonly [Model, ...Model[]],
  request: ModelCallRequest,
): Promise<ModelCallResult> {
  const { calls, scope } = callsBehind(ctx);
  return callModel(calls, scope, checkName(name, "the model call's name"), model, request);
}

export async function callModel(
  calls: Calls,
  scope: string,
  name: string,
  given: Model | readonly Model[],
  request: ModelCallRequest,
): Promise<ModelCallResult> {
  const models = modelsOf(given);
  const { attempts = 3, ...retry } = request.retry ?? {};
  const wire = await wireRequest(calls, scope, request);
  const once = request.repeat === "once" || wire.providerTools.some((t) => t.class === "once");
  const spec = stepSpec((s) => answer(models, attempts, wire, request.price, s as unknown as ModelScope), {
    ...(once ? { once: true } : { repeatable: true }),
    retry: { ...retry, attempts: attempts * models.length },
    timeout: request.timeout ?? "10m",
    ...(request.onFailure === "throw" ? {} : { onFailure: "hold" }),
  });
  let stepId = "";
  const reply = (await calls.effect(scope, name, {
    ...spec,
    model: modelFacts(calls, models[0]!, wire),
    onOpened: (opened) => (stepId = opened.stepId),
  })) as RecordedReply;
  return resultOf(calls, stepId, reply);
}

/** One model or several, each of which must look like one. */
export function modelsOf(given: Model | readonly Model[]): readonly Model[] {
  const models = Array.isArray(given) ? (given as readonly Model[]) : [given as Model];
  for (const m of models)
    if (typeof m?.generate !== "function" || typeof m.id !== "string" || typeof m.provider !== "string")
      throw new PawlError(
        "PAWL5001",
        "a model has an id, a provider and a function generate: openaiCompatible(), aiSdkModel() and scripted() make them",
      );
  if (models.length === 0) throw new PawlError("PAWL5001", "a model call needs a model");
  return models;
}

/** What the model is given: instructions first, tools as schemas. */
async function wireRequest(calls: Calls, scope: string, r: ModelCallRequest): Promise<ModelRequest> {
  const { temperature, topP, seed, maxOutputTokens, toolChoice, providerOptions } = r;
  const settings = Object.fromEntries(
    Object.entries({ temperature, topP, seed, maxOutputTokens, toolChoice, providerOptions }).filter(([, v]) => v !== undefined),
  ) as ModelSettings;
  const system = r.instructions === undefined || r.instructions === "" ? [] : [systemMessage(r.instructions)];
  const schema = r.output === undefined ? undefined : toMessageSchema(r.output)?.schema;
  return {
    ...settings,
    messages: [...system, ...r.messages],
    tools: await schemasOf(calls, scope, r.tools ?? []),
    providerTools: r.providerTools ?? [],
    ...(r.output === undefined ? {} : { output: { name: "output", schema: (schema ?? {}) as Json } }),
  };
}

async function schemasOf(calls: Calls, scope: string, tools: readonly (AnyTool | ToolSource)[]): Promise<ToolSchema[]> {
  const schemas: ToolSchema[] = [];
  for (const t of tools) {
    if (isTool(t)) schemas.push(definedTool(t).schema);
    else for (const listed of (await sourceTools(calls, scope, t)).values()) schemas.push(listed.schema);
  }
  const twice = schemas.find((s, i) => schemas.findIndex((o) => o.name === s.name) !== i);
  if (twice !== undefined) throw new PawlError("PAWL5001", `two tools are called ${twice.name}`);
  return schemas;
}

function systemMessage(text: string): Message {
  return { id: "instructions", role: "system", content: [{ type: "text", text }] };
}

/** One attempt. Each model has its own attempts; one that failed for good makes place for the next at once. */
async function answer(
  models: readonly Model[],
  attempts: number,
  request: ModelRequest,
  price: ModelCallRequest["price"],
  s: ModelScope,
): Promise<RecordedReply> {
  for (let at = Math.min(Math.floor((s.attempt.logical - 1) / attempts), models.length - 1); ; at++) {
    const model = models[at]!;
    try {
      return await inModelSpan(s, { ...request, id: model.id, provider: model.provider }, async () => {
        const reply = checkReply(model, await model.generate(request, s));
        const cost = price?.(reply.usage, reply.model ?? model.id);
        const usage = cost === undefined ? reply.usage : { ...reply.usage, cost };
        return { ...reply, usage, answeredBy: { id: model.id, provider: model.provider } };
      });
    } catch (e) {
      if (!(e instanceof Fatal) || at + 1 >= models.length) throw e;
    }
  }
}

/** A model that answers nonsense has failed: nothing of it may reach the log as a reply. */
function checkReply(model: Model, reply: ModelReply): ModelReply {
  if (typeof reply !== "object" || reply === null || !Array.isArray(reply.content))
    throw new Error(`model ${model.id} gave no reply: content must be a list of parts`);
  return { ...reply, finish: reply.finish ?? "other", usage: reply.usage ?? {} };
}

function modelFacts(calls: Calls, model: Model, { messages, tools, providerTools, output, ...parameters }: ModelRequest): ModelPayload {
  const prompt = JSON.parse(JSON.stringify({ messages, tools, providerTools, output: output ?? null })) as unknown;
  const mine = `${calls.run.runId}:`;
  const saw = messages.filter((m) => m.role === "tool" && m.id.startsWith(mine)).map((m) => m.id.slice(mine.length));
  return {
    id: model.id,
    provider: model.provider,
    promptHash: sha256Hex(canonicalJson(prompt)),
    ...(Object.keys(parameters).length === 0 ? {} : { parameters: JSON.parse(JSON.stringify(parameters)) as Record<string, unknown> }),
    ...(saw.length === 0 ? {} : { saw }),
  };
}

/** Parts that are tool calls say which recorded output they are of. */
function resultOf(calls: Calls, stepId: string, reply: RecordedReply): ModelCallResult {
  const content = reply.content.map((p, part) => (p.type === "tool-call" && p.byProvider !== true ? { ...p, cause: { stepId, part } } : p));
  return {
    ...reply,
    content,
    stepId,
    message: {
      id: stepMessageId(calls, stepId),
      role: "assistant",
      content,
      ...(reply.provider === undefined ? {} : { provider: reply.provider }),
    },
    calls: content.filter((p): p is ToolCall => p.type === "tool-call" && p.byProvider !== true),
    text: content.flatMap((p) => (p.type === "text" ? [p.text] : [])).join(""),
  };
}

/** The id of a message that a step made. */
export function stepMessageId(calls: Calls, stepId: string): string {
  return `${calls.run.runId}:${stepId}`;
}

/**
 * The tool calls of the last message of the model that have no result yet.
 *
 * @example
 * const calls = callsOf(messages);
 */
export function callsOf(messages: readonly Frozen<Message>[]): readonly ToolCall[] {
  const at = messages.findLastIndex((m) => m.role === "assistant");
  if (at < 0) return [];
  const answered = new Set(messages.slice(at + 1).flatMap((m) => m.content.flatMap((p) => (p.type === "tool-result" ? [p.id] : []))));
  return (messages[at] as Message).content.filter(
    (p): p is ToolCall => p.type === "tool-call" && p.byProvider !== true && !answered.has(p.id),
  );
}

/**
 * A message of a user, as text.
 *
 * @example
 * const messages = [userMessage("Where is my order?")];
 */
export function userMessage(text: string, id: string = "user"): Message {
  return { id, role: "user", content: [{ type: "text", text }] };
}
