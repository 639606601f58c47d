// The types of state graphs: channels, nodes, edges, and what a node is given. Types only: what they mean at
// run time is in the files beside it, and nothing here may need any of them.
import type { StandardSchemaV1 as S } from "@standard-schema/spec";
import type { Duration } from "../core/duration.ts";
import type { AnyWorkflow, In, InputOf, Out, OutputOf, Schemas, StepOpts, Task, Workflow } from "../workflow/types.ts";
import type { Frozen } from "../tools/frozen.ts";
import type { GrantedCapabilities } from "../tools/capabilities.ts";
import type { ToolCall, ToolMessage } from "../tools/messages.ts";
import type { AnyTool, StreamScope, Tool, ToolSource } from "../tools/types.ts";
import type { NodeCtx } from "./node-ctx-types.ts";

/** Carries inferred types; only the functions of this folder make channels and nodes. */
declare const types: unique symbol;
export type Awaitable<T> = T | Promise<T>;

/** A named part of a graph's state: its value V, and what a node may return for it, U. */
export interface Channel<V, U> {
  readonly [types]: { v: V; u: U };
}
export type Channels = Record<string, Channel<any, any>>;
export type StateOf<C> = { [K in keyof C]: C[K] extends Channel<infer V, any> ? V : never };
export type UpdateOf<C> = { readonly [K in keyof C]?: C[K] extends Channel<any, infer U> ? U : never };
/** The state as a node sees it. */
export type Seen<C> = { readonly [K in keyof C]: C[K] extends Channel<infer V, any> ? Frozen<V> : never };
type Update<C> = Awaitable<UpdateOf<C> | void>;
/** A misspelt channel beside a right one would compile without this. Distributes over unions of return types. */
type Stray<C, R> = R extends object ? Exclude<keyof R, keyof C> : never;
type Strict<C, R> = 0 extends 1 & Awaited<R>
  ? "it returns any: give it a type, so that its channels can be checked"
  : [Stray<C, Awaited<R>>] extends [never]
    ? unknown
    : `no channel is called ${Stray<C, Awaited<R>> & string}`;

/** Inline compensations are closures, which a restored run does not have: in a graph only tasks are undone. */
export type NodeStepOpts<T> = StepOpts<T> & { compensate?: never };

export interface GraphNodeOpts {
  /** Counts from the item's first recorded start; the run's own deadline may come first. */
  timeout?: Duration;
  /**
   * Its items begin one at a time, when the others of their superstep have ended, and not at all if one of those failed the run. For nodes that wait
   * for a person or a signal: nobody is asked about work that is still under way, or in vain.
   */
  alone?: boolean;
}
export type NodeFn<C, Sig extends Schemas = {}, View extends Schemas = {}> = (s: Seen<C>, ctx: NodeCtx<Sig, View>) => Update<C>;
/** The whole body is one recorded step: it may await anything, and its options say what may be repeated. */
export interface EffectNode<C> {
  readonly kind: "effect";
  readonly [types]: C;
}
/** One item per `send`, each with its own input. */
export interface EachNode<C, I> {
  readonly kind: "each";
  readonly [types]: { c: C; i: I };
}
/** Another graph or workflow, as a child run with its own log. */
export interface SubNode<C> {
  readonly kind: "sub";
  readonly [types]: C;
}
export interface Send<K extends string, I> {
  readonly to: K;
  readonly input: I;
}

type AnyNode<C, Sig extends Schemas, View extends Schemas> = NodeFn<C, Sig, View> | EffectNode<C> | EachNode<C, any> | SubNode<C>;
type Plain<D> = { [K in keyof D]: D[K] extends { readonly kind: "each" } ? never : K }[keyof D] & string;
type Sends<D> = { [K in keyof D]: D[K] extends EachNode<any, infer I> ? Send<K & string, I> : never }[keyof D];
type Target<D> = Plain<D> | "end" | Sends<D>;
type Route<C, D> = Plain<D> | "end" | readonly Plain<D>[] | ((s: Seen<C>) => Target<D> | readonly Target<D>[]);
type StrictNodes<C, D> = { [K in keyof D]: D[K] extends (...a: any[]) => infer R ? Strict<C, R> : unknown };

/** Channels that take the message of a tool's result and can hold several: not `last`, whose value would be the message itself. */
type MessageChannels<C> = {
  [K in keyof C]: C[K] extends Channel<infer V, infer U> ? (ToolMessage extends V ? never : ToolMessage extends U ? K : never) : never;
}[keyof C] &
  string;

/** What all of these tools need from the run; unknown: nothing. */
type NeededBy<T extends readonly unknown[]> = (
  T[number] extends infer U ? (U extends Tool<any, any, any, infer K> ? (k: K) => void : never) : never
) extends (k: infer All) => void
  ? All
  : never;
/** A tool that needs a context does not compile without one. */
type ContextFor<C, T extends readonly unknown[]> =
  unknown extends NeededBy<T> ? { context?: (s: Seen<C>) => unknown } : { context: (s: Seen<C>) => NeededBy<T> | Frozen<NeededBy<T>> };

export interface EdgeOpts<D> {
  /** Runs once when all of these have run since it last did. Without a join a node runs in every superstep that leads to it. */
  joins?: { readonly [K in Plain<D>]?: readonly (keyof D & string)[] };
  /** Where an item's failure leads. Without it the failure fails the run, after the other items of the superstep have finished. */
  catch?: { readonly [K in keyof D]?: Plain<D> };
  /** A person must let the run continue before these nodes run. The superstep before is recorded then, and can be looked at. */
  interruptBefore?: readonly (keyof D & string)[];
  /** A person must let the run continue after these nodes have run, and their superstep is recorded. */
  interruptAfter?: readonly (keyof D & string)[];
}

export interface GraphBase<G extends string, C extends Channels, O, Sig extends Schemas, View extends Schemas> {
  /** Its runs are stored under it, so it must not change. */
  name: G;
  /** A run is finished by the version that began it. */
  version?: string;
  /** The channels, by name. */
  state: C;
  /** What the run returns; the whole state unless given. */
  result?: (s: Seen<C>) => O;
  signals?: Sig;
  views?: View;
  /** Found by name when a restored run must undo or confirm what earlier supersteps did. */
  tasks?: readonly (Task<any, any> | AnyTool)[];
  /** Supersteps of one run: 1,000. */
  maxSteps?: number;
  /** Items at work at once: 8. */
  concurrency?: number;
  /** A run that takes longer fails with category TIMEOUT. */
  timeout?: Duration;
  /** Of every node that has none of its own. */
  nodeTimeout?: Duration;
  /** When an item has failed: the others of its superstep finish (settle), or those that have not begun do not begin (stop). */
  onBranchFailure?: "settle" | "stop";
  /**
   * Items of a superstep that wait for their turn: at most `depth` in the queue. If others wait behind a full queue for `timeout`, that is
   * recorded, a person is asked, and no further item begins until the answer.
   */
  queue?: { depth: number; timeout?: Duration };
}
export type Begin<C, X, B> = X extends S
  ? { input: X; begin: ((i: Out<X>) => B) & Strict<C, B>; id?: (i: Out<X>) => string }
  : { id?: (i: UpdateOf<C>) => string };

export interface NodeBuilder<C extends Channels, Sig extends Schemas, View extends Schemas> {
  /**
   * A node with inputs: one item for each `send`. The input is checked, and recorded, before the node runs.
   *
   * @example
   * read: each(z.object({ url: z.string() }), async ({ url }, s, ctx) => ({ pages: await ctx.step("get", () => get(url), { repeatable: true }) })),
   */
  each<X extends S, R extends UpdateOf<C> | void>(
    input: X,
    run: ((input: Out<X>, s: Seen<C>, ctx: NodeCtx<Sig, View>) => Awaitable<R>) & Strict<C, R>,
    o?: GraphNodeOpts,
  ): EachNode<C, In<X>>;
  /**
   * A node that is one recorded step: its body may await anything, and the options say what may be repeated.
   *
   * @example
   * search: effect(async (s) => ({ hits: await web.search(s.topic) }), { repeatable: true, retry: { attempts: 3 } }),
   */
  effect<R extends UpdateOf<C> | void>(
    run: ((s: Seen<C>, scope: StreamScope) => Awaitable<R>) & Strict<C, R>,
    o?: NodeStepOpts<any>,
  ): EffectNode<C>;
  /**
   * A plain node with a deadline of its own.
   *
   * @example
   * review: node(async (s, ctx) => ({ ok: await ctx.receive("review") }), { timeout: "7d" }),
   */
  node<R extends UpdateOf<C> | void>(
    run: ((s: Seen<C>, ctx: NodeCtx<Sig, View>) => Awaitable<R>) & Strict<C, R>,
    o: GraphNodeOpts,
  ): NodeFn<C, Sig, View>;
  /**
   * Another graph or workflow, as a child run with its own log.
   *
   * @example
   * deeper: sub(inner, { in: (s) => ({ n: s.depth }), out: (r) => ({ depth: r.n }) }),
   */
  sub<W extends AnyWorkflow, R extends UpdateOf<C>>(
    wf: W,
    o: {
      in: (s: Seen<C>) => InputOf<W>;
      out: ((r: OutputOf<W>, s: Seen<C>) => R) & Strict<C, R>;
      /** Undoes what the child did when this run fails later. */
      compensate?: Task<OutputOf<W>, unknown>;
    },
  ): SubNode<C>;
  /**
   * A node that makes the tool calls of a model, one item for each `send` of a call, and puts a message with the result into a channel. Each call is a
   * recorded step with the tool's class, as in an agent; what the model did wrong is a result that it reads. `context` is what the tools need from the
   * run, such as who the customer is; no model sees it.
   *
   * @example
   * tools: tools([look, refund], { into: "messages", context: (s) => ({ customerId: s.customerId }) }),
   */
  tools<const T extends readonly (AnyTool | ToolSource)[]>(
    tools: T,
    o: GraphNodeOpts & {
      /** A channel of messages: `byId<Message>()` or `append<Message>()`. */
      into: MessageChannels<C>;
      /** What its tools may do of what they need: allow, ask a person for each call, or deny. What is not named is denied. */
      capabilities?: GrantedCapabilities | ((s: Seen<C>) => GrantedCapabilities);
    } & ContextFor<C, T>,
  ): EachNode<C, Frozen<ToolCall>>;
}
export interface GraphBuilder<G extends string, C extends Channels, I, O, Sig extends Schemas, View extends Schemas> {
  /**
   * The nodes, by name: plain functions of the state, or what the builder makes.
   *
   * @example
   * .nodes(({ effect }) => ({ search: effect(async (s) => ({ hits: await find(s.topic) }), { repeatable: true }) }))
   */
  nodes<D extends Record<string, AnyNode<C, Sig, View>>>(
    d: (D & StrictNodes<C, D>) | ((b: NodeBuilder<C, Sig, View>) => D & StrictNodes<C, D>),
  ): {
    /**
     * Where each node leads. Every node has an edge; the run completes only through "end".
     *
     * @example
     * .edges({ start: "plan", plan: "act", act: (s) => (s.done ? "end" : "plan") });
     */
    edges(e: { readonly start: Route<C, D> } & { readonly [K in keyof D]: Route<C, D> }, o?: EdgeOpts<D>): Graph<G, C, I, O, Sig, View>;
  };
}
export interface Graph<G extends string, C, I, O, Sig extends Schemas = {}, View extends Schemas = {}> extends Workflow<
  G,
  I,
  O,
  I,
  Sig,
  {},
  View
> {
  readonly channels?: C;
}
export type AnyGraph = Graph<any, any, any, any, any, any>;
export type ChannelsOf<W> = W extends Graph<any, infer C, any, any, any, any> ? C : never;
