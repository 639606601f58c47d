// A node on a queue: any process that has the DAG's code and serves the queue may run it. Workers claim it by workflow, node and version, so that
// versions work side by side. What it is given travels with its start; it must be the same wherever the node runs.
import { encode } from "../codec/value.ts";
import { defaultLimits } from "../core/limits.ts";
import type { EffectSpec } from "../engine/calls.ts";
import type { WorkerTask } from "../engine/worker-task.ts";
import type { CheckedQueue } from "../workflow/queue-options.ts";
import type { BuiltNode } from "./built-node.ts";

/** What workers do of a node whose code is in the DAG. */
export interface InlineWork {
  readonly queue: CheckedQueue;
  /** Of a node that has more than one kind of step; no node has such a name. */
  readonly part?: "work";
  /** With what the node, or one item of it, is given. */
  readonly spec: (given: unknown) => EffectSpec;
}

export function inlineTaskId(workflow: string, version: string, node: string, part?: InlineWork["part"]): string {
  return `${workflow}/${node}${part === undefined ? "" : `/${part}`}@${version}`;
}

/** `given`: the input of a step that declares none of its own. */
export function onQueue(spec: EffectSpec, queue: CheckedQueue | null, task: string, given?: unknown): EffectSpec {
  if (queue === null) return spec;
  const input = spec.input ?? encode(given, defaultLimits, "what a node is given");
  return {
    ...spec,
    input,
    queued: { ...queue, task, input: null, hasCode: spec.queued?.hasCode ?? true, resultParse: spec.queued?.resultParse ?? null },
  };
}

/** The inline nodes of a plan that run on queues, for the workers of this process. */
export function workerTasks(workflow: string, version: string, nodes: readonly BuiltNode[]): readonly WorkerTask[] {
  return nodes.flatMap(({ plan, work = [] }) =>
    work.map((w) => ({ id: inlineTaskId(workflow, version, plan.id, w.part), queue: { queue: w.queue.queue }, spec: w.spec })),
  );
}
