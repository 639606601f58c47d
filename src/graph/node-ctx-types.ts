// What a node's code is given: the ctx of a workflow without what would outlive the node. Types
// only: node-ctx.ts makes it.
import type { Ctx, Schemas, Tx } from "../workflow/types.ts";
import type { GrantedCapabilities } from "../tools/capabilities.ts";
import type { ModelCallRequest, ModelCallResult } from "../tools/model-call.ts";
import type { Model } from "../tools/models.ts";
import type { StreamScope, Toolbox, ToolFor } from "../tools/types.ts";
import type { TxClient } from "../store/sql/tx-client.ts";
import type { Awaitable, NodeStepOpts } from "./types.ts";

/** A failure that led to this item through `catch`. */
export interface NodeFailure {
  readonly node: string;
  readonly item: string;
  readonly code: string;
  readonly message: string;
}

export interface NodeCtx<Sig extends Schemas = {}, View extends Schemas = {}> extends Omit<
  Ctx<Sig, {}, View, any>,
  "step" | "tx" | "map" | "start" | "onUpdate" | "patched" | "continueAsNew"
> {
  /** This work item. `random` and `uuid` are its own. */
  readonly at: { readonly superstep: number; readonly node: string; readonly item: string; readonly orderKey: bigint };
  /** Failures that led here through `catch`. */
  readonly failures: readonly NodeFailure[];
  /**
   * Gives the superstep that this item is part of a name, by which it is found later. Of several, that of the highest order key counts.
   *
   * @example
   * ctx.label("before publishing");
   */
  label(name: string): void;
  /**
   * Says something to those who listen now: `handle.listen`, and the mode `custom` of `handle.stream`, in the process that runs the node. It is never stored,
   * and not said again when the record is replayed; after a crash, what was said since the last recorded step may be said again.
   *
   * @example
   * ctx.emit({ read: 3, of: 10 });
   */
  emit(value: unknown): void;
  /**
   * Does something outside and records the outcome, as in a workflow. It has no `compensate`: what is to be undone is a task, so that a run that
   * was restored in the middle of its log finds it by name. What it says with `s.stream` reaches `handle.listen` and the modes `tokens` and `custom` of `handle.stream` at once, and is never stored.
   *
   * @example
   * const page = await ctx.step("read", () => fetchText(url), { repeatable: true });
   */
  step<T>(name: string, fn: (s: StreamScope) => Awaitable<T>, opts?: NodeStepOpts<NoInfer<T>>): Promise<T>;
  /**
   * Writes rows of your own in one transaction with the step's outcome. Needs a store with SQL.
   *
   * @example
   * await ctx.tx("book", (db) => db.sql`update stock set free = free - 1 where sku = ${s.sku}`);
   */
  tx<T, C = TxClient>(name: string, fn: (db: Tx<C>) => Promise<T> | T): Promise<T>;
  /**
   * One recorded, streamed, metered model call. With several models the next one is tried when one has failed for good; when all have, the run
   * is held for a person.
   *
   * @example
   * const reply = await ctx.model("model", gpt, { messages: s.messages, tools: [look] });
   */
  model(name: string, model: Model | readonly [Model, ...Model[]], request: ModelCallRequest): Promise<ModelCallResult>;
  /**
   * The tools that this node may call. Each call is a recorded step; an equal call that the run made before is not made again.
   *
   * @example
   * const found = await ctx.tools([look]).call("look", { q: s.topic });
   */
  tools<const T extends readonly ToolFor<K>[], K = undefined>(
    tools: T,
    context?: K,
    o?: { readonly capabilities?: GrantedCapabilities },
  ): Toolbox<T>;
  /**
   * Runs a function for each item, at most `concurrency` at a time. Use the inner `ctx` inside.
   *
   * @example
   * const sizes = await ctx.map("sizes", s.files, { key: (f) => f.id }, (f, each) => each.step("size", () => sizeOf(f), { repeatable: true }));
   */
  map<E, T>(
    name: string,
    items: readonly E[],
    o: { key: (e: E) => string; concurrency?: number },
    fn: (e: E, ctx: NodeCtx<Sig, View>) => Promise<T>,
  ): Promise<T[]>;
}
