// One item of a superstep, from its state to its update or its failure. What it returned is encoded and checked here (K12), so that an update that
// no channel takes is the node's failure, not the superstep's. It must never write to the log itself: only its steps do.
import type { WorkItem } from "../core/graph/plan.ts";
import { itemSeed } from "../core/graph/order.ts";
import type { Calls } from "../engine/calls.ts";
import type { Definition } from "../engine/definition.ts";
import { FailRun } from "../engine/run/ending.ts";
import { PawlError } from "../errors/error.ts";
import { StepError } from "../errors/step-errors.ts";
import type { BuiltGraph, GraphNode } from "./built-graph.ts";
import { ItemCalls } from "./item-calls.ts";
import { createNodeCtx } from "./node-ctx.ts";
import { undoStepSpec } from "./sub.ts";
import { checkUpdate, valueOf, type CheckedUpdate, type GraphValues } from "./state.ts";

type EffectNode = Extract<GraphNode, { readonly kind: "effect" }>;

export type ItemEnd =
  | { readonly ok: true; readonly update: CheckedUpdate | null; readonly label: string | null }
  /** `isFinal`: no `catch` takes it. */
  | { readonly ok: false; readonly error: unknown; readonly code: string; readonly message: string; readonly isFinal: boolean };

export interface RunningGraph {
  readonly g: BuiltGraph;
  readonly d: Definition;
  readonly calls: Calls;
  readonly seed: bigint;
}

export async function runItem(run: RunningGraph, values: GraphValues, superstep: number, work: WorkItem): Promise<ItemEnd> {
  const { g, calls } = run;
  const node = g.nodes.get(work.node)!;
  if (node.kind === "effect") return runEffect(run, node, values, work);
  const timeoutMs = "timeoutMs" in node ? (node.timeoutMs ?? g.nodeTimeoutMs) : node.kind === "sub" ? g.nodeTimeoutMs : null;
  const scoped = new ItemCalls(calls, work.item, itemSeed(run.seed, work.orderKey), { node: work.node, timeoutMs });
  let end: ItemEnd;
  try {
    const returned = await scoped.within(callNode(run, scoped, node, values, superstep, work));
    end = { ok: true, update: checkUpdate(g.channels, returned, calls.limits, `node ${work.node}`), label: scoped.label };
  } catch (error) {
    end = failed(error);
  }
  const closing = scoped.close();
  if (closing !== null) await closing;
  return end;
}

/** One step and nothing else: it has no scope to close, no time of its own and no random numbers. */
async function runEffect({ g, calls }: RunningGraph, node: EffectNode, values: GraphValues, work: WorkItem): Promise<ItemEnd> {
  const seen = values.seen();
  try {
    const spec = node.spec((scope) => node.run(seen, scope));
    const update = checkUpdate(g.channels, await calls.effect(work.item, work.node, spec), calls.limits, `node ${work.node}`);
    return { ok: true, update, label: null };
  } catch (error) {
    return failed(error);
  }
}

async function callNode(
  run: RunningGraph,
  calls: ItemCalls,
  node: Exclude<GraphNode, EffectNode>,
  values: GraphValues,
  superstep: number,
  work: WorkItem,
): Promise<unknown> {
  const seen = values.seen();
  switch (node.kind) {
    case "flow":
      return node.run(seen, createNodeCtx(run.g, run.d, calls, work, superstep));
    case "each":
      return node.run(valueOf(work.input ?? null), seen, createNodeCtx(run.g, run.d, calls, work, superstep));
    case "sub": {
      const input = node.in(seen);
      const result = await calls.callChild(work.item, {
        name: work.node,
        definition: node.definition,
        input,
        workflowId: null,
        timeoutMs: null,
      });
      if (node.compensate !== null) await calls.effect(work.item, "undo", undoStepSpec(node.compensate, result));
      return node.out(result, seen);
    }
  }
}

function failed(error: unknown): ItemEnd {
  const isFinal = error instanceof FailRun;
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof StepError ? error.category : error instanceof PawlError ? error.code : "FAILED";
  return { ok: false, error, code, message, isFinal };
}
