// The node that makes the tool calls of a model: one item for each call, a recorded step with the tool's class, and one message with its result. Agents use
// the same. It must never throw for what a model did wrong: an unknown tool and arguments that do not fit are results, which the model reads.
import type { StandardSchemaV1 as S } from "@standard-schema/spec";
import { checkOptions } from "../core/guarantee.ts";
import { checkCapabilities, type GrantedCapabilities } from "../tools/capabilities.ts";
import type { ToolCall, ToolMessage } from "../tools/messages.ts";
import { stepMessageId } from "../tools/model-call.ts";
import { definedTool, isTool, type DefinedTool } from "../tools/registry.ts";
import { isToolSource } from "../tools/source.ts";
import { openToolbox, type CalledStep } from "../tools/toolbox.ts";
import type { AnyTool, ToolSource } from "../tools/types.ts";
import { callsBehind } from "../workflow/ctx.ts";
import type { GraphNode } from "./built-graph.ts";
import { channelSpec } from "./channel.ts";
import { brokenGraph } from "./check.ts";
import type { NodeCtx } from "./node-ctx-types.ts";

type Tools = readonly (AnyTool | ToolSource)[];

/** The input of such a node. What a model may do wrong is not judged here: only that it is a call at all. */
export const toolCallSchema: S<ToolCall, ToolCall> = {
  "~standard": {
    version: 1,
    vendor: "pawl",
    validate: (value) => {
      const { type, id, tool } = (value ?? {}) as Partial<ToolCall>;
      return type === "tool-call" && typeof id === "string" && typeof tool === "string"
        ? { value: value as ToolCall }
        : { issues: [{ message: "must be a tool call" }] };
    },
  },
};

/** Makes one call, and gives the message that answers it: its id is made of the run and the call's step, by which later prompts name what they saw. */
export async function answerCall(
  ctx: NodeCtx,
  tools: Tools,
  call: ToolCall,
  o: { readonly context: unknown; readonly granted: GrantedCapabilities | undefined; readonly step?: CalledStep },
): Promise<ToolMessage> {
  const { calls, scope } = callsBehind(ctx);
  const step = o.step ?? {};
  const result = await openToolbox(calls, scope, tools, o.context, o.granted).run(call, step);
  return { id: stepMessageId(calls, step.stepId ?? ctx.at.item), role: "tool", content: [result] };
}

/** What an author writes, before it is checked. */
interface UncheckedToolsNode {
  readonly into: string;
  readonly context?: (s: object) => unknown;
  readonly capabilities?: GrantedCapabilities | ((s: object) => GrantedCapabilities);
}
const toolsNodeOptions = new Set(["into", "context", "capabilities", "timeout", "alone"]);

/** The run of a tools node, and the tools by which a restored run undoes what it did. */
export function toolsNode(
  graphName: string,
  state: Readonly<Record<string, unknown>>,
  tools: Tools,
  o: UncheckedToolsNode,
): Pick<Extract<GraphNode, { readonly kind: "each" }>, "run" | "tools"> {
  const refuse = (why: string) => brokenGraph(graphName, `tools(): ${why}`);
  if (!Array.isArray(tools)) throw refuse("the first argument is a list of tools");
  if (typeof o !== "object" || o === null) throw refuse('it needs { into }: the channel of its messages, such as { into: "messages" }');
  checkOptions(o, toolsNodeOptions, `tools() of graph ${graphName}`);
  const { into, context, capabilities } = o;
  const channel = Object.hasOwn(state, into) ? channelSpec(state[into]) : undefined;
  if (channel === undefined) throw refuse(`into names ${String(into)}, and no channel is called that`);
  if (channel.kind === "last" || channel.kind === "sum")
    throw refuse(`channel ${into} cannot take the results of several calls: use byId<Message>() or append<Message>()`);
  if (context !== undefined && typeof context !== "function") throw refuse("context is a function of the state");
  if (typeof capabilities !== "function") checkCapabilities(`tools() of graph ${graphName}`, capabilities);
  const granted = (s: object): GrantedCapabilities | undefined =>
    typeof capabilities === "function" ? checkCapabilities(`tools() of graph ${graphName}`, capabilities(s)) : capabilities;
  const list = [...tools];
  const named = toolsByName(graphName, list);
  const run = async (call: unknown, s: object, ctx: NodeCtx): Promise<unknown> => ({
    [into]: await answerCall(ctx, list, call as ToolCall, { context: context?.(s), granted: granted(s) }),
  });
  return { run, tools: named };
}

function toolsByName(graphName: string, tools: Tools): ReadonlyMap<string, DefinedTool> {
  const named = new Map<string, DefinedTool>();
  const sources = new Set<string>();
  for (const t of tools) {
    if (!isTool(t) && !isToolSource(t))
      throw brokenGraph(graphName, "a tool of tools() is not a tool: tool(), toolTx(), asTool() and tool sources make them");
    const name = isTool(t) ? t.name : t.source;
    if (isTool(t) ? named.has(name) : sources.has(name)) throw brokenGraph(graphName, `two tools of tools() are called ${name}`);
    if (isTool(t)) named.set(name, definedTool(t));
    else sources.add(name);
  }
  return named;
}

/**
 * The tools of a graph by name, of `tasks` and of its nodes. A name is part of what a call is, and by it a restored run finds how a call is undone: two tools
 * with one name are refused.
 */
export function toolsOfGraph(
  graphName: string,
  tasks: readonly AnyTool[],
  nodes: ReadonlyMap<string, GraphNode>,
): ReadonlyMap<string, DefinedTool> {
  const known = new Map<string, DefinedTool>();
  const add = (name: string, tool: DefinedTool): void => {
    if ((known.get(name) ?? tool) !== tool) throw brokenGraph(graphName, `two of its tools are called ${name}`);
    known.set(name, tool);
  };
  for (const t of tasks) add(t.name, definedTool(t));
  for (const node of nodes.values()) if (node.kind === "each") for (const [name, t] of node.tools ?? []) add(name, t);
  return known;
}
