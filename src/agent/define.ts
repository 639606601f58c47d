// agent(): a ready-made graph. A model is asked; the tools that it asks for run in parallel; it is asked again, until it is done or its budget is used up. It
// has no executor of its own: every model call and every tool call is a recorded step of a graph's run, and what it knows is the graph's state.
import type { StandardSchemaV1 as S } from "@standard-schema/spec";
import { byId, last, reduce } from "../graph/channel.ts";
import { graph } from "../graph/define.ts";
import { send } from "../graph/send.ts";
import type { Graph } from "../graph/types.ts";
import type { NodeCtx } from "../graph/node-ctx-types.ts";
import { answerCall, toolCallSchema } from "../graph/tools-node.ts";
import { checkOptions } from "../core/guarantee.ts";
import { PawlError } from "../errors/error.ts";
import { StepError } from "../errors/step-errors.ts";
import { checkCapabilities, type GrantedCapabilities } from "../tools/capabilities.ts";
import { callsOf, modelsOf, type ModelCallResult } from "../tools/model-call.ts";
import type { Message } from "../tools/messages.ts";
import { isTool, definedTool, type Allowance } from "../tools/registry.ts";
import { isToolSource } from "../tools/source.ts";
import { registerSpender } from "../tools/spenders.ts";
import type { CalledStep } from "../tools/toolbox.ts";
import type { AnyTool, ToolFor, ToolSource } from "../tools/types.ts";
import { definitionOf, registerDefinition } from "../workflow/registry.ts";
import type { Out } from "../workflow/types.ts";
import { inputSchema, type ParsedInput } from "./input.ts";
import { readOutput } from "./output.ts";
import {
  addSpent,
  allowanceOf,
  callsLeft,
  checkBudget,
  nothingSpent,
  usedUp,
  withAllowance,
  type Spent,
  type SpentUpdate,
} from "./spent.ts";
import type { AgentChannels, AgentDef, AgentInput, AgentOutput, StoppedReason } from "./types.ts";

/**
 * Defines an agent: a model, its tools, and what it may spend. It is a graph, and so a workflow: start it, call it from another one, give it to
 * another agent with `asTool`. A tool call that the run has made is never simply made again, however often the model asks.
 *
 * @example
 * export const support = agent({
 *   name: "support",
 *   model: openaiCompatible({ baseURL, model: "gpt-5" }),
 *   context: z.object({ customerId: z.string() }),
 *   instructions: "Help the customer. Refund only what was charged.",
 *   tools: [orders, refund],
 *   budget: { turns: 12, tokens: 200_000 },
 * });
 */
export function agent<
  const N extends string,
  X extends S | undefined = undefined,
  K extends S | undefined = undefined,
  const T extends readonly ToolFor<Out<K>>[] = readonly [],
>(def: AgentDef<N, T, X, K>): Graph<N, AgentChannels, AgentInput<K>, AgentOutput<X extends S ? Out<X> : undefined>> {
  const d = def as unknown as AgentDef<string, readonly (AnyTool | ToolSource)[], S | undefined, S | undefined>;
  checkOptions(d, agentMembers, `agent ${String(d?.name)}`);
  modelsOf(d.model);
  const tools = checkTools(d.name, d.tools ?? []);
  const own = checkBudget(d.name, d.budget);
  const repairsMax = d.repairs ?? 1;
  if (typeof d.capabilities !== "function") checkCapabilities(`agent ${d.name}`, d.capabilities);
  const granted = (c: unknown): GrantedCapabilities | undefined =>
    typeof d.capabilities === "function" ? checkCapabilities(`agent ${d.name}`, d.capabilities(c as never)) : d.capabilities;
  const instructions = (c: unknown): string => (typeof d.instructions === "function" ? d.instructions(c as never) : (d.instructions ?? ""));

  /** One model call, or undefined: a person gave the model up. */
  const ask = async (ctx: NodeCtx, messages: readonly Message[], context: unknown): Promise<ModelCallResult | undefined> => {
    try {
      return await ctx.model("model", d.model, {
        ...d.settings,
        messages,
        instructions: instructions(context),
        tools,
        ...(d.providerTools === undefined ? {} : { providerTools: d.providerTools }),
        ...(d.output === undefined ? {} : { output: d.output }),
        ...(d.modelCalls === undefined ? {} : { repeat: d.modelCalls }),
        ...(d.retry === undefined ? {} : { retry: d.retry }),
        ...(own.price === undefined ? {} : { price: own.price }),
      });
    } catch (e) {
      if (e instanceof StepError && e.category === "SKIPPED") return undefined;
      throw e;
    }
  };

  const made = graph({
    name: d.name,
    ...(d.version === undefined ? {} : { version: d.version }),
    ...(d.timeout === undefined ? {} : { timeout: d.timeout }),
    input: inputSchema(d.context),
    begin: (i: ParsedInput) => ({ incoming: i.messages, context: i.context, allowance: i.allowance }),
    state: {
      messages: byId<Message>(),
      incoming: last<readonly Omit<Message, "id">[]>([]),
      context: last<unknown>(null),
      allowance: last<Allowance | null>(null),
      spent: reduce(nothingSpent, addSpent as (a: Spent, b: SpentUpdate) => Spent),
      repairs: last(0),
      end: last<{ readonly stopped?: StoppedReason; readonly output?: unknown } | null>(null),
    },
    result: (s) => resultOf(s as never),
    tasks: tools.filter((t) => isTool(t)),
    concurrency: d.parallel ?? 8,
    maxSteps: 10_000,
  })
    .nodes(({ each }) => ({
      /** A new turn begins: what was spent before it was another turn's. */
      take: (s, ctx) => ({
        messages: s.incoming.map((m, i) => ({ ...(m as Omit<Message, "id">), id: `${ctx.run.runId}:in~${i}` })) as never,
        spent: { reset: true } as SpentUpdate,
        repairs: 0,
        end: null,
      }),
      model: async (s, ctx) => {
        const spent = s.spent as Spent;
        const budget = withAllowance(own, s.allowance as Allowance | null);
        const over = usedUp(budget, spent);
        if (over !== undefined && !(budget.asks && (await grantedMore(ctx, d.name, over)))) return { end: { stopped: "budget" as const } };
        const more = over === undefined ? {} : { granted: 1 };
        const begun = ctx.now().getTime();
        const reply = await ask(ctx, s.messages as readonly Message[], s.context);
        if (reply === undefined) return { end: { stopped: "model" as const } };
        const used: SpentUpdate = { turns: 1, usage: reply.usage, ms: ctx.now().getTime() - begun, ...more };
        const base = { messages: reply.message as never, spent: used };
        const after = addSpent(spent, used);
        if (reply.finish === "length") return { ...base, end: { stopped: "length" as const } };
        if (reply.finish === "content-filter") return { ...base, end: { stopped: "refused" as const } };
        if (reply.calls.length > 0)
          return reply.calls.length > callsLeft(budget, after) ? { ...base, end: { stopped: "budget" as const } } : base;
        if (d.output === undefined) return { ...base, end: {} };
        const read = readOutput(d.output, reply.text);
        if ("output" in read) return { ...base, end: { output: read.output } };
        if (s.repairs >= repairsMax) return { ...base, end: { stopped: "invalid" as const } };
        const problem: Message = { id: `${reply.message.id}:repair`, role: "user", content: [{ type: "text", text: read.problem }] };
        return { messages: [reply.message, problem] as never, spent: used, repairs: s.repairs + 1 };
      },
      tools: each(toolCallSchema, async (call, s, ctx) => {
        const asked = spenders(tools, s.messages as readonly Message[], call.tool);
        const step: CalledStep =
          asked === 0 ? {} : { allowance: allowanceOf(withAllowance(own, s.allowance as Allowance | null), s.spent as Spent, asked) };
        const begun = ctx.now().getTime();
        const message = await answerCall(ctx, tools, call, { context: s.context, granted: granted(s.context), step });
        const [result] = message.content;
        if (result?.outcome === "failed" && d.onToolFailure === "fail")
          throw new PawlError("PAWL1012", `tool ${call.tool} failed: ${JSON.stringify(result.output)}`);
        const ms = asksPerson(tools, call.tool, granted(s.context)) ? 0 : ctx.now().getTime() - begun;
        return { messages: message as never, spent: { calls: 1, ms, ...(step.usage === undefined ? {} : { usage: step.usage }) } };
      }),
    }))
    .edges({
      start: "take",
      take: "model",
      model: (s) => {
        if (s.end !== null) return "end";
        const calls = callsOf(s.messages as readonly Message[]);
        return calls.length === 0 ? "model" : calls.map((call) => send("tools", call));
      },
      tools: "model",
    });
  registerSpender(made);
  registerDefinition(made, { ...definitionOf(made), isAgent: true });
  return made as unknown as Graph<N, AgentChannels, AgentInput<K>, AgentOutput<X extends S ? Out<X> : undefined>>;
}

const agentMembers: ReadonlySet<string> = new Set<keyof AgentDef<string, unknown, undefined, undefined>>([
  "name",
  "version",
  "model",
  "context",
  "instructions",
  "tools",
  "capabilities",
  "providerTools",
  "settings",
  "output",
  "repairs",
  "budget",
  "parallel",
  "modelCalls",
  "onToolFailure",
  "retry",
  "timeout",
]);

function checkTools(agent: string, tools: readonly (AnyTool | ToolSource)[]): readonly (AnyTool | ToolSource)[] {
  const names = new Set<string>();
  for (const t of tools) {
    if (!isTool(t) && !isToolSource(t))
      throw new PawlError("PAWL5001", `a tool of agent ${agent} is not a tool: tool(), toolTx(), asTool() and tool sources make them`);
    const name = isTool(t) ? t.name : t.source;
    if (names.has(name)) throw new PawlError("PAWL5001", `two tools of agent ${agent} are called ${name}`);
    names.add(name);
  }
  return tools;
}

function asksPerson(tools: readonly (AnyTool | ToolSource)[], name: string, granted: GrantedCapabilities | undefined): boolean {
  const t = tools.find((x) => isTool(x) && x.name === name);
  if (t === undefined || !isTool(t)) return true;
  const { asks, needs = [] } = definedTool(t);
  return asks || needs.some((n) => granted?.[n] === "ask");
}

/** How many calls of this turn are agents that share what is left; 0: this one is none. */
function spenders(tools: readonly (AnyTool | ToolSource)[], messages: readonly Message[], name: string): number {
  const names = new Set(tools.flatMap((t) => (isTool(t) && definedTool(t).spends === true ? [t.name] : [])));
  return names.has(name) ? callsOf(messages).filter((c) => names.has(c.tool)).length : 0;
}

/** A person may grant the same budget once more: a step that does nothing, and that must be approved. */
async function grantedMore(ctx: NodeCtx, agent: string, over: string): Promise<boolean> {
  try {
    await ctx.step("budget", () => true, {
      repeatable: true,
      approve: `agent ${agent} has used ${over}, its budget: approve the same once more?`,
    });
    return true;
  } catch (e) {
    if (e instanceof StepError && e.category === "NOT_APPROVED") return false;
    throw e;
  }
}

interface EndState {
  readonly messages: readonly Message[];
  readonly spent: Spent;
  readonly end: { readonly stopped?: StoppedReason; readonly output?: unknown } | null;
}

function resultOf({ messages, spent, end }: EndState): AgentOutput<unknown> {
  const reply = messages.findLast((m) => m.role === "assistant");
  const text = (reply?.content ?? []).flatMap((p) => (p.type === "text" ? [p.text] : [])).join("");
  const base = { text, messages, turns: spent.turns, usage: spent.usage };
  return end?.stopped === undefined ? { ...base, output: end?.output } : { ...base, stopped: end.stopped };
}
