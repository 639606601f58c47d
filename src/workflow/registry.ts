// What belongs to the objects that workflow() and task() hand out. Kept outside of them, so that what a user holds is only a name and
// a version, and nothing can be reached or changed through it.
import type { Definition } from "../engine/definition.ts";
import { PawlError } from "../errors/error.ts";
import type { TaskSpec } from "./step-options.ts";
import type { AnyWorkflow, Task } from "./types.ts";

const definitions = new WeakMap<object, Definition>();
const tasks = new WeakMap<object, TaskSpec>();

export function registerDefinition(wf: object, d: Definition): void {
  definitions.set(wf, d);
}
/** Tasks with code that run on a queue, by the id that workers claim by: an engine serves those of its process. */
const queuedTasks = new Map<string, TaskSpec>();

export function registerTask(t: object, spec: TaskSpec): void {
  tasks.set(t, spec);
  if (spec.queue === null || !spec.hasCode) return;
  const other = queuedTasks.get(spec.id);
  // Loaded again from the same place, it is the same task.
  if (other !== undefined && other.declaredAt !== spec.declaredAt)
    throw new PawlError(
      "PAWL5012",
      `two tasks on queues are called ${spec.id}: one at ${other.declaredAt ?? "?"}, one at ${spec.declaredAt ?? "?"}`,
    );
  queuedTasks.set(spec.id, spec);
}
/** The tasks on queues that this process has code for. */
export function queuedTasksHere(): readonly TaskSpec[] {
  return [...queuedTasks.values()];
}

/**
 * Whether a value was made by `workflow()`.
 *
 * @example
 * const workflows = Object.values(flows).filter(isWorkflow); // of `import * as flows from "./flows.ts"`
 */
export function isWorkflow(x: unknown): x is AnyWorkflow {
  return typeof x === "object" && x !== null && definitions.has(x);
}

/** The engine's view of a workflow that `workflow()` made. */
export function definitionOf(wf: AnyWorkflow): Definition {
  const d = definitions.get(wf);
  if (d === undefined) throw new PawlError("PAWL4008", "this is not a workflow made by workflow()");
  return d;
}

/** Whether a value was made by `task()` or `remoteTask()`. */
export function isTask(x: unknown): x is Task<any, any> {
  return typeof x === "object" && x !== null && tasks.has(x);
}

export function taskOf(t: Task<any, any>): TaskSpec {
  const spec = tasks.get(t);
  if (spec === undefined) throw new PawlError("PAWL4011", "this is not a task made by task()");
  return spec;
}
