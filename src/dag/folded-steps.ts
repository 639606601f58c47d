// The steps that the log of a DAG folds to, by the nodes that they belong to. Pure: ids in, ids out. It must never need the plan, so that a
// fold can be read by code that does not have it.
import type { DagState, StepEnd } from "../core/fold/dag.ts";
import type { BuiltNode } from "./built-node.ts";

/** The steps of each group, in the order of their starts, which is that of the items. */
export function groupSteps(state: DagState): ReadonlyMap<string, readonly (readonly [string, StepEnd])[]> {
  const groups = new Map<string, [string, StepEnd][]>();
  for (const entry of state.steps) {
    const slash = entry[0].indexOf("/");
    if (slash < 0) continue;
    const id = entry[0].slice(0, slash);
    const steps = groups.get(id);
    if (steps === undefined) groups.set(id, [entry]);
    else steps.push(entry);
  }
  return groups;
}

/** The node that a step belongs to. */
export function nodeIdOf(stepId: string): string {
  const slash = stepId.indexOf("/");
  return slash < 0 ? stepId : stepId.slice(0, slash);
}

/** A node whose step looks at nothing that it is given: it can be called again without reading anything. */
export function isBlind({ plan, when }: Pick<BuiltNode, "plan" | "when">): boolean {
  return when === null && (plan.kind === "sleep" || plan.kind === "receive");
}
