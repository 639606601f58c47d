// A sub node that is undone when its run fails later: after the child has ended, a step that does nothing but record the child's result, and whose
// compensation is the author's task with that result. So undoing it is a step like any other, found by name after a restart.
import type { EffectSpec, UndoSpec } from "../engine/calls.ts";
import { undoOfCall } from "../core/send-again.ts";
import { stepSpec, type TaskSpec } from "../workflow/step-options.ts";
import type { BuiltGraph } from "./built-graph.ts";

/** Its input says which result it is of: a forked run takes over that of a child that it took over. */
const prefix = undoOfCall;

export function undoStepSpec(task: TaskSpec, result: unknown): EffectSpec {
  const undo = task.spec(result);
  const { verify } = undo;
  const compensate: UndoSpec = {
    fn: (_result, s) => undo.fn(s),
    verify: verify === null ? null : (_result, s) => verify(s),
    class: undo.guarantee.class,
    guarantee: () => undo.guarantee,
    retry: undo.retry,
    timeoutMs: undo.timeoutMs,
    heartbeatMs: undo.heartbeatMs,
    receiver: undo.receiver,
    queued: undo.queued,
  };
  return { ...stepSpec(() => result, { repeatable: true, input: { result } }), compensate, task: prefix + task.name };
}

export function isUndoStep(recordedTask: string): boolean {
  return recordedTask.startsWith(prefix);
}
export function undoStepTask(g: BuiltGraph, recordedTask: string): TaskSpec | undefined {
  const name = recordedTask.slice(prefix.length);
  for (const node of g.nodes.values()) if (node.kind === "sub" && node.compensate?.name === name) return node.compensate;
  return undefined;
}
