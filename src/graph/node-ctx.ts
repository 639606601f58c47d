// ctx of a node: the ctx of a workflow on the calls of one item, without what would outlive the node. More that only nodes have (questions, model
// calls, tools) is added here, each in a file of its own, on `ItemCalls`.
import type { WorkItem } from "../core/graph/plan.ts";
import type { Calls } from "../engine/calls.ts";
import type { Definition } from "../engine/definition.ts";
import { PawlError } from "../errors/error.ts";
import { checkName } from "../core/names.ts";
import { checkCapabilities, type GrantedCapabilities } from "../tools/capabilities.ts";
import { callModel, type ModelCallRequest } from "../tools/model-call.ts";
import type { Model } from "../tools/models.ts";
import { definedTool, isTool } from "../tools/registry.ts";
import { openToolbox } from "../tools/toolbox.ts";
import type { AnyTool, ToolSource } from "../tools/types.ts";
import { callsBehind, createCtx, registerCtx } from "../workflow/ctx.ts";
import { taskOf } from "../workflow/registry.ts";
import type { Ctx, StepOpts, StepScope, Task } from "../workflow/types.ts";
import type { BuiltGraph } from "./built-graph.ts";
import type { ItemCalls } from "./item-calls.ts";
import type { NodeCtx } from "./node-ctx-types.ts";

type AnyCtx = Ctx<any, any, any, any>;

export function createNodeCtx(g: BuiltGraph, d: Definition, calls: ItemCalls, work: WorkItem, superstep: number): NodeCtx {
  const at = Object.freeze({ superstep, node: work.node, item: work.item, orderKey: work.orderKey });
  const failures = Object.freeze((work.failures ?? []).map((f) => Object.freeze({ ...f })));
  const narrow = (ctx: AnyCtx): NodeCtx => {
    const { start: _s, onUpdate: _u, patched: _p, continueAsNew: _c, ...rest } = ctx;
    const node = {
      ...rest,
      at,
      failures,
      emit: (value: unknown) => calls.emit(value),
      label: (name: string) => void (calls.label = checkName(name, "a superstep's label")),
      step: (name: string, fn: (s: StepScope) => unknown, opts: StepOpts<unknown> = {} as StepOpts<unknown>) => {
        const refused = closureRefused(`ctx.step("${String(name)}")`, opts);
        return refused ?? ctx.step(name, fn, opts);
      },
      do: (t: Task<unknown, unknown>, input: unknown, o?: { name?: string }) => refuseUnknownTask(g, t) ?? ctx.do(t, input, o),
      tx: (name: string, fn: never, opts: object = {}) => closureRefused(`ctx.tx("${String(name)}")`, opts) ?? ctx.tx(name, fn),
      map: (name: string, items: readonly unknown[], o: never, fn: (e: unknown, inner: NodeCtx) => Promise<unknown>) =>
        ctx.map(name, items, o, (e: unknown, inner: AnyCtx) => fn(e, narrow(inner))),
    };
    const { calls: own, scope } = callsBehind(ctx);
    const whole = Object.assign(node, {
      model: (name: string, m: Model | readonly [Model, ...Model[]], request: ModelCallRequest) =>
        callModel(own, scope, checkName(name, "the model call's name"), m, request),
      tools: (tools: readonly (AnyTool | ToolSource)[], context?: unknown, o: { readonly capabilities?: GrantedCapabilities } = {}) => {
        refuseUnknownTool(g, tools);
        return openToolbox(own, scope, tools, context, checkCapabilities("a toolbox", o.capabilities));
      },
    });
    registerCtx(whole, { calls: own, scope });
    return whole as unknown as NodeCtx;
  };
  return narrow(createCtx(calls as unknown as Calls, calls.scope, d));
}

function rejected(e: PawlError): Promise<never> {
  const p = Promise.reject(e);
  p.catch(() => {});
  return p;
}

/** A run that was restored in the middle of its log does not have the closure. */
function closureRefused(what: string, opts: object): Promise<never> | undefined {
  if ((opts as { compensate?: unknown } | null)?.compensate === undefined) return undefined;
  return rejected(
    new PawlError("PAWL1005", `${what}: in a node only tasks are undone; give compensate to a task, and name it in the graph's tasks`),
  );
}

/** What must be undone or confirmed later is found by its name. */
function refuseUnknownTask(g: BuiltGraph, t: Task<unknown, unknown>): Promise<never> | undefined {
  const spec = taskOf(t);
  if (!spec.isRemembered || g.tasks.get(spec.name) === spec) return undefined;
  return rejected(new PawlError("PAWL1050", `task ${spec.name} has compensate or confirm: name it in tasks of graph ${g.name}`));
}

function refuseUnknownTool(g: BuiltGraph, tools: readonly (AnyTool | ToolSource)[]): void {
  for (const t of tools)
    if (isTool(t) && definedTool(t).isRemembered && g.tools.get(t.name) !== definedTool(t))
      throw new PawlError("PAWL1050", `tool ${t.name} has compensate or confirm: name it in tasks of graph ${g.name}`);
}
