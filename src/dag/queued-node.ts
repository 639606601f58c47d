// A node on a queue: any process that has the DAG's code and serves the queue may run it. Workers claim it by workflow, node and version, so that
// versions work side by side. What it is given travels with its start; it must be the same wherever the node runs.
import { encode } from "../codec/value.ts";
import { defaultLimits } from "../core/limits.ts";
import type { EffectSpec, QueuedSpec } from "../engine/calls.ts";
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

/** Which members of what a node is given are the result of which step, as its event records it. */
export type RecordedNeeds = ReadonlyMap<string, string>;
const noNeeds: RecordedNeeds = new Map();
/** A result of so much text is copied for a worker: reading it again costs more. */
const copiedMax = 4_096;

/** `given`: the input of a step that declares none of its own. It is in the log already, as the results of others. */
export function onQueue(
  spec: EffectSpec,
  queue: CheckedQueue | null,
  task: string,
  given?: unknown,
  needs: RecordedNeeds = noNeeds,
): EffectSpec {
  if (queue === null) return spec;
  const input = spec.input === null ? inputOf(given, needs) : null;
  return {
    ...spec,
    queued: { ...queue, task, input, hasCode: spec.queued?.hasCode ?? true, resultParse: spec.queued?.resultParse ?? null },
  };
}

/** A large result is named by its place: one with a thousand dependents is stored once. */
function inputOf(given: unknown, needs: RecordedNeeds): QueuedSpec["input"] {
  const copied = (value: unknown) =>
    ({ of: "value", value: JSON.parse(encode(value, defaultLimits, "what a node is given")) as unknown }) as const;
  const values = given as Readonly<Record<string, unknown>>;
  const isLarge = (name: string): boolean =>
    values[name] !== undefined && encode(values[name], defaultLimits, `the result of ${name}`).length > copiedMax;
  const large = new Map([...needs].filter(([name]) => isLarge(name)));
  if (large.size === 0) return copied(given);
  return (placeOf) => {
    const members = Object.entries(values).flatMap(([name, value]) => {
      if (value === undefined) return [];
      const step = large.get(name);
      const seq = step === undefined ? undefined : placeOf(step);
      return [[name, seq === undefined ? copied(value) : ({ of: "event", seq } as const)] as const];
    });
    return { of: "object", members: Object.fromEntries(members) };
  };
}

/** The inline nodes of a plan that run on queues, for the workers of this process. */
export function workerTasks(workflow: string, version: string, nodes: readonly BuiltNode[]): readonly WorkerTask[] {
  return nodes.flatMap(({ plan, work = [] }) =>
    work.map((w) => ({ id: inlineTaskId(workflow, version, plan.id, w.part), queue: { queue: w.queue.queue }, spec: w.spec })),
  );
}
