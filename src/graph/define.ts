// graph(): channels, nodes and edges become a workflow like any other. Everything that can be refused is refused here, when the module is loaded. It
// must never call a function that an author gave for a node, an edge or a channel.
import type { StandardSchemaV1 as S } from "@standard-schema/spec";
import { durationMs, type Duration } from "../core/duration.ts";
import { checkOptions } from "../core/guarantee.ts";
import { updateProblem, type Tree } from "../core/graph/channels.ts";
import { endName, startName } from "../core/graph/plan.ts";
import { depthCeiling } from "../core/limits.ts";
import { checkName } from "../core/names.ts";
import type { Definition, MessageSchema } from "../engine/definition.ts";
import { PawlError } from "../errors/error.ts";
import { isTool } from "../tools/registry.ts";
import type { AnyTool, ToolSource } from "../tools/types.ts";
import { definitionOf, registerDefinition, taskOf } from "../workflow/registry.ts";
import { parseNowWith, parseWith } from "../workflow/schema.ts";
import { stepSpec, type TaskSpec } from "../workflow/step-options.ts";
import { toMessageSchema } from "../workflow/to-json-schema.ts";
import type { AnyWorkflow, In, Schemas, Task } from "../workflow/types.ts";
import { registerGraph, type BuiltGraph, type GraphNode, type BuiltRoute } from "./built-graph.ts";
import { channelSpec, type ChannelSpec } from "./channel.ts";
import { brokenGraph, checkGraph } from "./check.ts";
import { runGraph } from "./run.ts";
import { treeOf } from "./state.ts";
import { graphStyle } from "./style.ts";
import { toolCallSchema, toolsNode, toolsOfGraph } from "./tools-node.ts";
import type { Begin, Channels, GraphBase, GraphBuilder, GraphNodeOpts, NodeBuilder, StateOf, UpdateOf } from "./types.ts";

/** What an author writes, before it is checked. */
interface UncheckedGraph {
  readonly name: string;
  readonly version?: string;
  readonly state: Readonly<Record<string, unknown>>;
  readonly input?: S;
  readonly begin?: (input: unknown) => unknown;
  readonly id?: (input: unknown) => string;
  readonly result?: (s: object) => unknown;
  readonly signals?: Schemas;
  readonly views?: Schemas;
  readonly tasks?: readonly (Task<any, any> | AnyTool)[];
  readonly maxSteps?: number;
  readonly concurrency?: number;
  readonly timeout?: Duration;
  readonly nodeTimeout?: Duration;
  readonly onBranchFailure?: "settle" | "stop";
  readonly queue?: { readonly depth: number; readonly timeout?: Duration };
}
const graphOptions = new Set([
  "name",
  "version",
  "state",
  "input",
  "begin",
  "id",
  "result",
  "signals",
  "views",
  "tasks",
  "maxSteps",
  "concurrency",
  "timeout",
  "nodeTimeout",
  "onBranchFailure",
  "queue",
]);
const queueOptions = new Set(["depth", "timeout"]);
const edgeOptions = new Set(["joins", "catch", "interruptBefore", "interruptAfter"]);
const nodeOptions = new Set(["timeout", "alone"]);
const subOptions = new Set(["in", "out", "compensate"]);
/** An engine's own limits count when a run begins. */
const anySize = { valueBytesMax: Infinity, depthMax: depthCeiling };
const reserved = new Set([startName, endName, "__proto__"]);

const built = new WeakMap<object, GraphNode>();

function makeNode(node: GraphNode): never {
  const made = Object.freeze({ kind: node.kind });
  built.set(made, node);
  return made as never;
}

/**
 * Defines a state graph: channels, nodes that read the state and return updates, edges that say what follows. It is a workflow: start it, call it,
 * query it like one. Each superstep runs the nodes that are due, merges what they returned in a fixed order, and is recorded with one checkpoint.
 *
 * @example
 * export const draft = graph({ name: "draft", state: { text: last(""), rounds: sum() } })
 *   .nodes({
 *     write: async (s, ctx) => ({ text: await ctx.step("write", () => llm(s.text), { repeatable: true }), rounds: 1 }),
 *   })
 *   .edges({ start: "write", write: (s) => (s.rounds < 3 ? "write" : "end") });
 */
export function graph<
  const G extends string,
  C extends Channels,
  X extends S | undefined = undefined,
  O = StateOf<C>,
  Sig extends Schemas = {},
  View extends Schemas = {},
  B extends UpdateOf<C> = UpdateOf<C>,
>(
  def: GraphBase<G, C, O, Sig, View> & { input?: X } & Begin<C, X, B>,
): GraphBuilder<G, C, X extends S ? In<X> : UpdateOf<C>, O, Sig, View> {
  const d = def as unknown as UncheckedGraph;
  if (typeof d !== "object" || d === null)
    throw new PawlError("PAWL5001", 'graph() takes a definition, such as { name: "draft", state: {} }');
  const name = checkName(d.name, "the graph's name");
  checkOptions(d, graphOptions, `graph ${name}`);
  const channels = checkChannels(name, d.state);
  if (d.input !== undefined && typeof d.begin !== "function")
    throw brokenGraph(name, "it takes an input, and needs begin: which channels the input sets");
  if (d.input === undefined && d.begin !== undefined) throw brokenGraph(name, "begin needs an input schema");
  for (const member of ["result", "id"] as const)
    if (d[member] !== undefined && typeof d[member] !== "function") throw brokenGraph(name, `${member} must be a function`);
  if (d.tasks !== undefined && !Array.isArray(d.tasks)) throw brokenGraph(name, "tasks must be a list of tasks and tools");
  return {
    nodes: (given: unknown) => {
      const nodes = checkNodes(
        name,
        d,
        typeof given === "function" ? (given as (b: unknown) => unknown)(nodeBuilder(name, d.state)) : given,
      );
      return {
        edges: (routes: unknown, o: unknown = {}) => define(d, { name, channels, nodes, ...checkEdges(name, routes, o) }),
      };
    },
  } as unknown as GraphBuilder<G, C, X extends S ? In<X> : UpdateOf<C>, O, Sig, View>;
}

function checkChannels(name: string, state: unknown): ReadonlyMap<string, ChannelSpec> {
  if (!isByName(state)) throw brokenGraph(name, "it needs state: its channels, by name");
  const channels = new Map<string, ChannelSpec>();
  for (const [key, channel] of Object.entries(state)) {
    const spec = channelSpec(channel);
    if (spec === undefined) throw brokenGraph(name, `channel ${key} was not made by last, append, byId, sum or reduce`, { channel: key });
    if (key === "__proto__") throw brokenGraph(name, "no channel may be called __proto__");
    treeOf(spec.initial, anySize, `the initial value of channel ${key} of graph ${name}`);
    channels.set(checkName(key, `a channel of graph ${name}`), spec);
  }
  return channels;
}

function nodeBuilder(graphName: string, state: UncheckedGraph["state"]): NodeBuilder<Channels, {}, {}> {
  const needs = (f: unknown, what: string): void => {
    if (typeof f !== "function") throw brokenGraph(graphName, `${what} needs a function`);
  };
  const nodeOpts = (what: string, o: GraphNodeOpts = {}): { readonly timeoutMs: number | null; readonly alone: boolean } => {
    checkOptions(o, nodeOptions, `${what} of graph ${graphName}`);
    if (o.alone !== undefined && typeof o.alone !== "boolean") throw brokenGraph(graphName, `${what}: alone must be true or false`);
    return { timeoutMs: o.timeout === undefined ? null : durationMs(o.timeout, "timeout"), alone: o.alone === true };
  };
  const builder = {
    each: (input: S, run: never, o?: GraphNodeOpts) => {
      needs(run, "each()");
      return makeNode({ kind: "each", parse: parseNowWith(input), run, ...nodeOpts("each()", o) });
    },
    effect: (run: never, o: object = {}) => {
      needs(run, "effect()");
      refuseCompensate(graphName, "effect()", o);
      const spec = stepSpec(() => null, o);
      return makeNode({ kind: "effect", run, spec: (fn) => ({ ...spec, fn }) });
    },
    node: (run: never, o: GraphNodeOpts) => {
      needs(run, "node()");
      return makeNode({ kind: "flow", run, ...nodeOpts("node()", o) });
    },
    sub: (wf: AnyWorkflow, o: { in: never; out: never; compensate?: Task<unknown, unknown> }) => {
      const definition = definitionOf(wf);
      if (o !== undefined) checkOptions(o, subOptions, `sub(${definition.name}) of graph ${graphName}`); // a misspelt compensate would undo nothing
      needs(o?.in, `sub(${definition.name}): in`);
      needs(o?.out, `sub(${definition.name}): out`);
      return makeNode({
        kind: "sub",
        definition,
        in: o.in,
        out: o.out,
        compensate: o.compensate === undefined ? null : taskOf(o.compensate),
      });
    },
    tools: (list: readonly (AnyTool | ToolSource)[], o: GraphNodeOpts & { into: string }) => {
      const made = toolsNode(graphName, state, list, o);
      const { timeout, alone } = o;
      const opts = nodeOpts("tools()", { ...(timeout === undefined ? {} : { timeout }), ...(alone === undefined ? {} : { alone }) });
      return makeNode({ kind: "each", parse: parseNowWith(toolCallSchema), ...made, ...opts });
    },
  };
  return builder as unknown as NodeBuilder<Channels, {}, {}>;
}

/** A closure that a run which was restored in the middle of its log does not have. */
export function refuseCompensate(graphName: string, what: string, o: object): void {
  if ((o as { compensate?: unknown }).compensate !== undefined)
    throw brokenGraph(graphName, `${what}: in a graph only tasks are undone; give compensate to a task, and name it in tasks`);
}

function checkNodes(name: string, d: UncheckedGraph, given: unknown): ReadonlyMap<string, GraphNode> {
  if (!isByName(given) || given instanceof Promise) throw brokenGraph(name, "nodes() takes nodes by name, or a function that returns them");
  const nodes = new Map<string, GraphNode>();
  for (const [key, value] of Object.entries(given)) {
    if (reserved.has(key)) throw brokenGraph(name, `no node may be called ${key}`, { node: key });
    checkName(key, `a node of graph ${name}`);
    const node = typeof value === "object" && value !== null ? built.get(value) : undefined;
    if (node !== undefined) nodes.set(key, node);
    else if (typeof value === "function") nodes.set(key, { kind: "flow", run: value as never, timeoutMs: null, alone: false });
    else throw brokenGraph(name, `node ${key} is neither a function nor made by the builder`, { node: key });
  }
  return nodes;
}

type BuiltEdges = Pick<BuiltGraph, "routes" | "joins" | "catches" | "interruptBefore" | "interruptAfter">;

function isByName(x: unknown): x is object {
  return typeof x === "object" && x !== null && !Array.isArray(x);
}

function checkEdges(name: string, routes: unknown, o: unknown): BuiltEdges {
  if (typeof routes !== "object" || routes === null) throw brokenGraph(name, "edges() takes an edge for each node, and one for start");
  if (typeof o !== "object" || o === null) throw brokenGraph(name, "the options of edges() must be an object");
  checkOptions(o, edgeOptions, `the edges of graph ${name}`);
  const { joins = {}, catch: catches = {} } = o as { joins?: Record<string, unknown>; catch?: Record<string, unknown> };
  const { interruptBefore = [], interruptAfter = [] } = o as { interruptBefore?: unknown; interruptAfter?: unknown };
  if (!isByName(joins)) throw brokenGraph(name, 'joins must be an object, such as { c: ["a", "b"] }');
  if (!isByName(catches)) throw brokenGraph(name, 'catch must be an object, such as { a: "help" }');
  const checked = new Map<string, BuiltRoute>();
  for (const [from, route] of Object.entries(routes)) {
    if (typeof route === "function") checked.set(from, route as (s: object) => unknown);
    else checked.set(from, names(name, `the edge of ${from}`, typeof route === "string" ? [route] : route));
  }
  return {
    routes: checked,
    joins: Object.fromEntries(Object.entries(joins).map(([to, sources]) => [to, names(name, `the join of ${to}`, sources)])),
    catches: new Map(Object.entries(catches).map(([from, to]) => [from, names(name, `catch of ${from}`, [to])[0]!])),
    interruptBefore: new Set(names(name, "interruptBefore", interruptBefore)),
    interruptAfter: new Set(names(name, "interruptAfter", interruptAfter)),
  };
}
function names(graphName: string, what: string, list: unknown): readonly string[] {
  if (!Array.isArray(list) || list.some((n) => typeof n !== "string")) throw brokenGraph(graphName, `${what} must be names of nodes`);
  return [...(list as string[])];
}

function define(d: UncheckedGraph, parts: Pick<BuiltGraph, "name" | "channels" | "nodes"> & BuiltEdges): object {
  const { name } = parts;
  const version = checkName(d.version ?? "1", "the graph's version");
  const g: BuiltGraph = {
    ...parts,
    begin: d.begin ?? null,
    result: d.result ?? null,
    tasks: checkTasks(name, (d.tasks ?? []).filter((t) => !isTool(t)) as readonly Task<any, any>[]),
    tools: toolsOfGraph(
      name,
      (d.tasks ?? []).filter((t) => isTool(t)),
      parts.nodes,
    ),
    maxSteps: wholeNumber(name, "maxSteps", d.maxSteps ?? 1_000),
    concurrency: wholeNumber(name, "concurrency", d.concurrency ?? 8),
    nodeTimeoutMs: d.nodeTimeout === undefined ? null : durationMs(d.nodeTimeout, "nodeTimeout"),
    onBranchFailure: d.onBranchFailure ?? "settle",
    queue: d.queue === undefined ? null : checkQueue(name, d.queue),
  };
  if (g.onBranchFailure !== "settle" && g.onBranchFailure !== "stop") throw brokenGraph(name, 'onBranchFailure must be "settle" or "stop"');
  checkGraph(g);
  const each = <P>(members: Schemas | undefined, parse: (m: S) => P): Map<string, P> =>
    new Map(Object.entries(members ?? {}).map(([n, m]) => [checkName(n, `a member of graph ${name}`), parse(m)]));
  const wf = Object.freeze({ name, version });
  registerGraph(wf, g);
  registerDefinition(wf, {
    name,
    version,
    timeoutMs: d.timeout === undefined ? null : durationMs(d.timeout, "timeout"),
    input: d.input === undefined ? channelsOnly(g.channels) : parseWith(d.input, `input of graph ${d.name}`),
    signals: each(d.signals, parseWith),
    updates: new Map(),
    views: each(d.views, parseNowWith),
    describe: () => ({
      input: d.input === undefined ? channelsSchema(g.channels) : toMessageSchema(d.input),
      signals: each(d.signals, (s) => toMessageSchema(s)),
      updates: new Map(),
      views: each(d.views, (v) => toMessageSchema(v, "output")),
      derivesId: d.id !== undefined,
    }),
    idOf: d.id === undefined ? null : (input) => d.id!(input),
    code: (calls, input) => runGraph(g, calls, definitionOf(wf as AnyWorkflow), input),
    style: graphStyle(g, () => definitionOf(wf as AnyWorkflow)),
  });
  return wf;
}

/** Without a schema the input is an update: a misspelt channel, or a value that it does not take, is refused before anything is stored. */
function channelsOnly(channels: BuiltGraph["channels"]): Definition["input"] {
  return (value, what) => {
    if (value === undefined || value === null) return value;
    if (typeof value !== "object" || Array.isArray(value))
      throw new PawlError("PAWL1008", `${what}: it must be an object with values for channels`);
    for (const [name, update] of Object.entries(value)) {
      const spec = channels.get(name);
      const problem = spec === undefined || update === undefined ? undefined : updateProblem(spec.kind, update as Tree);
      const why = spec === undefined ? `no channel is called ${name}` : problem === undefined ? undefined : `channel ${name} ${problem}`;
      if (why !== undefined) throw new PawlError("PAWL1008", `${what}: ${why}`, { data: { channel: name } });
    }
    return value;
  };
}

/** The same for senders without the code: the names of the channels, and where it is a number. */
function channelsSchema(channels: BuiltGraph["channels"]): MessageSchema {
  const properties = Object.fromEntries([...channels].map(([name, { kind }]) => [name, kind === "sum" ? { type: "number" } : {}]));
  return { schema: { type: ["object", "null"], properties, additionalProperties: false }, required: false, whole: false };
}

function checkTasks(name: string, tasks: readonly Task<any, any>[]): ReadonlyMap<string, TaskSpec> {
  const known = new Map<string, TaskSpec>();
  for (const t of tasks) {
    const spec = taskOf(t);
    if (known.has(spec.name)) throw brokenGraph(name, `two of its tasks are called ${spec.name}`);
    known.set(spec.name, spec);
  }
  return known;
}
function checkQueue(name: string, queue: NonNullable<UncheckedGraph["queue"]>): NonNullable<BuiltGraph["queue"]> {
  if (typeof queue !== "object" || queue === null) throw brokenGraph(name, "queue must be an object, such as { depth: 100 }");
  checkOptions(queue, queueOptions, `the queue of graph ${name}`);
  const timeoutMs = queue.timeout === undefined ? null : durationMs(queue.timeout, "queue.timeout");
  return { depth: wholeNumber(name, "queue.depth", queue.depth), timeoutMs };
}
function wholeNumber(name: string, what: string, n: unknown): number {
  if (!Number.isSafeInteger(n) || (n as number) < 1) throw brokenGraph(name, `${what} must be a whole number of at least 1`);
  return n as number;
}
