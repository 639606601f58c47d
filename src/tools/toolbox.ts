// The tools of a run, ready to be called: by code, or for a model. Every call is a recorded step with the tool's class; what the model may read of a
// failure is a result. It keeps nothing between calls: what was called before is in the run's log.
import type { Calls, EffectSpec, OnOpened } from "../engine/calls.ts";
import { PawlError } from "../errors/error.ts";
import { mayRepeat } from "../core/guarantee.ts";
import { stepSpec } from "../workflow/step-options.ts";
import { callsBehind } from "../workflow/ctx.ts";
import { checkCapabilities, judgeNeeds, type GrantedCapabilities } from "./capabilities.ts";
import { sourceTools } from "./listing.ts";
import type { ToolCall, ToolResult } from "./messages.ts";
import type { Usage } from "./models.ts";
import { isTool, definedTool, type Allowance, type PreparedCall, type DefinedTool } from "./registry.ts";
import { doneResult, failedResult, resultOfError } from "./results.ts";
import { isToolSource } from "./source.ts";
import type { AnyTool, Toolbox, ToolFor, ToolSource } from "./types.ts";

/** What is known of a call once its step is open. */
export interface CalledStep {
  /** What a child that is an agent may spend. */
  readonly allowance?: Allowance | undefined;
  stepId?: string;
  repeatOf?: string;
  /** What a child run used, where it says so. */
  usage?: Usage;
}

export interface OpenToolbox {
  call(name: string, args: unknown): Promise<unknown>;
  /** `step` learns which step it became. */
  run(call: ToolCall, step?: CalledStep): Promise<ToolResult>;
}

/**
 * The tools that workflow code may call, or run for a model. Each call is a recorded step with the tool's class, and an equal call that the
 * run made before is not made again. `context` is what the tools need from the run, such as who the customer is; no model sees it.
 *
 * @example
 * const box = toolbox(ctx, [refund, look], { customerId: input.customerId });
 * const reply = await generate(ctx, "model", gpt, { messages, tools: [refund, look] });
 * const results = await Promise.all(reply.calls.map((call) => box.run(call)));
 */
export function toolbox<const T extends readonly ToolFor<K>[], K = undefined>(
  ctx: object,
  tools: T,
  context?: K,
  o: { readonly capabilities?: GrantedCapabilities } = {},
): Toolbox<T> {
  const { calls, scope } = callsBehind(ctx);
  const granted = checkCapabilities("a toolbox", o.capabilities);
  return openToolbox(calls, scope, tools as readonly (AnyTool | ToolSource)[], context, granted) as unknown as Toolbox<T>;
}

export function openToolbox(
  calls: Calls,
  scope: string,
  tools: readonly (AnyTool | ToolSource)[],
  context: unknown,
  granted?: GrantedCapabilities,
): OpenToolbox {
  const byName = new Map<string, DefinedTool>();
  for (const t of tools) {
    if (!isTool(t)) continue;
    const spec = definedTool(t);
    if (byName.has(t.name)) throw new PawlError("PAWL5001", `two tools are called ${t.name}`);
    byName.set(t.name, spec);
  }
  const sources = tools.filter((t) => isToolSource(t));
  if (byName.size + sources.length !== tools.length)
    throw new PawlError("PAWL5001", "tools are made by tool(), toolTx() and asTool(), or come from a tool source");
  const find = async (name: string): Promise<DefinedTool | undefined> => {
    const own = byName.get(name);
    if (own !== undefined || sources.length === 0) return own;
    for (const s of sources) {
      const found = (await sourceTools(calls, scope, s)).get(name);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  const names = (): string => [...byName.keys()].join(", ");
  return {
    call: async (name, args) => {
      const spec = byName.get(name) ?? (await find(name));
      if (spec === undefined) throw new PawlError("PAWL1072", `there is no tool ${name}; there are ${names()}`);
      const asks = judgeNeeds(name, spec.needs ?? [], granted);
      return make(
        calls,
        scope,
        name,
        askFirst(
          asks,
          spec.prepare(args, context, undefined, () => {}),
        ),
      );
    },
    run: async (call, step = {}) => {
      const spec = byName.get(call.tool) ?? (await find(call.tool));
      if (spec === undefined) return failedResult(call, "failed", `There is no tool ${call.tool}. There are: ${names()}.`);
      const onOpened: OnOpened = (opened) => {
        step.stepId = opened.stepId;
        if (opened.repeatOf !== undefined) step.repeatOf = opened.repeatOf;
      };
      const cause = call.cause === undefined ? undefined : { ...call.cause, toolCallId: call.id };
      let prepared: PreparedCall | undefined;
      try {
        const asks = judgeNeeds(call.tool, spec.needs ?? [], granted);
        prepared = askFirst(asks, spec.prepare(call.input, context, cause, onOpened));
        if (prepared.kind === "child" && calls.toolCallState(prepared.identity) === "unknown")
          return failedResult(call, "unknown", "An equal call did not complete. It is not made again: what it did is not known.");
        const value = await make(calls, scope, call.tool, prepared, step.allowance);
        if (prepared.kind !== "child") return doneResult(call, value, step.repeatOf);
        const { usage } = (value ?? {}) as { usage?: Usage };
        if (usage !== undefined && step.repeatOf === undefined) step.usage = usage;
        return doneResult(call, prepared.out(value), step.repeatOf);
      } catch (e) {
        return resultOfError(call, e, prepared === undefined ? "nothing" : knownOf(calls, prepared));
      }
    },
  };
}

/** A person approves it first, in one question with what the tool itself asks. */
function askFirst(text: string | null, p: PreparedCall): PreparedCall {
  if (text === null) return p;
  if (p.kind === "effect") return { ...p, spec: { ...p.spec, approve: withOwn(p.spec, text) } };
  const approval = p.approval ?? onlyAsks;
  return { ...p, approval: { ...approval, approve: withOwn(approval, text) } };
}
function withOwn({ approve }: EffectSpec, text: string): () => boolean | string {
  return () => {
    const own = approve?.() ?? false;
    return typeof own === "string" ? `${own} (${text})` : text;
  };
}
const onlyAsks: EffectSpec = stepSpec(() => null, { repeatable: true });

async function make(calls: Calls, scope: string, name: string, p: PreparedCall, allowance?: Allowance): Promise<unknown> {
  switch (p.kind) {
    case "effect":
      return calls.effect(scope, name, p.spec);
    case "tx": {
      const state = calls.toolCallState(p.identity);
      const asks = p.approval !== null && (state === undefined || state === "nothing" || p.tool.allowsRepeat);
      if (asks) await calls.effect(scope, `${name}.approval`, p.approval!);
      return calls.tx(scope, name, p.body, p.undo, {
        tool: p.tool,
        input: p.input,
        ...(p.onOpened === undefined ? {} : { onOpened: p.onOpened }),
      });
    }
    case "child":
      if (p.approval !== undefined && calls.toolCallState(p.identity) === undefined)
        await calls.effect(scope, `${name}.approval`, p.approval!);
      return calls.callChild(scope, p.spec(calls, allowance));
  }
}

function knownOf(calls: Calls, p: PreparedCall): "nothing" | "unknown" {
  if (p.kind === "child") return "unknown";
  if (p.kind === "effect" && mayRepeat(p.spec.guarantee.class)) return "nothing"; // it may be asked for again
  return calls.toolCallState(p.identity) === "nothing" ? "nothing" : "unknown";
}
