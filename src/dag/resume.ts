// A DAG that begins in the middle of its log. What has ended is taken from the fold of the log (core/fold/dag.ts) without a value; a value is read
// by its place before the turn that looks at it. What was open is called again, in the order in which it was called first. It must never
// decide anything that the log has decided: it only puts the walker where it stood.
import type { DagState, StepEnd } from "../core/fold/dag.ts";
import type { OpenCall, ReadResults, RestoredStep, ResumePoint, Style } from "../engine/style.ts";
import type { BuiltNode, BuiltPlan } from "./built-node.ts";
import { captureStep } from "./capture-step.ts";
import { groupSteps, isBlind, nodeIdOf } from "./folded-steps.ts";
import { givenValues, recordedValue, type ValueSource } from "./walk/walked-node.ts";
import { resumePlan } from "./walker.ts";

export function planStyle(plan: BuiltPlan, digest: string): Style {
  return {
    name: "dag",
    recorded: {},
    accepts: ({ state, open }, openStepsMax) => (state as DagState).plan === digest && open.length < openStepsMax,
    wants: (from) => [...wantedFirst(plan, from)].sort((a, b) => a - b),
    resume: (calls, input, from) => resumePlan(plan, calls, input, from),
    restore: (step, from, read, input) => restoreStep(plan, step, from, read, input),
  };
}

/** What was chosen, what failed, and what the open steps were given: all of it is looked at in the first turn. */
function wantedFirst(plan: BuiltPlan, { state, open }: ResumePoint): Set<number> {
  const { steps } = state as DagState;
  const groups = groupSteps(state as DagState);
  const wanted = new Set<number>();
  const kinds = new Map(plan.nodes.map((n) => [n.plan.id, n]));
  const want = (step: StepEnd | undefined): void => {
    if (step?.end === "c" || step?.end === "f") wanted.add(step.seq);
  };
  for (const [stepId, step] of steps) if (step.end === "f" || (step.end === "c" && kinds.get(stepId)?.plan.kind === "decide")) want(step);
  for (const id of new Set(open.map((o) => nodeIdOf(o.stepId)))) {
    const node = kinds.get(id);
    if (node === undefined || isBlind(node)) continue;
    want(steps.get(id)); // of a batch: where its work is
    for (const need of node.plan.needs) {
      want(steps.get(need));
      for (const [, item] of groups.get(need) ?? []) want(item);
    }
  }
  return wanted;
}

/** A step of a plan that ended before: its node is opened once more, with what it was given, on calls that only look. */
async function restoreStep(
  plan: BuiltPlan,
  step: OpenCall,
  { state }: ResumePoint,
  read: ReadResults,
  input: unknown,
): Promise<RestoredStep | null> {
  const id = nodeIdOf(step.stepId);
  const built = plan.nodes.find((n) => n.plan.id === id);
  if (built === undefined) return null;
  const values = givenValues(built, input, await readSource(plan, built, state as DagState, read));
  const own = (state as DagState).steps.get(id);
  const [cursors] = id === step.stepId || own?.end !== "c" ? [] : await read([own.seq]);
  return captureStep(built, step.stepId, values, cursors?.ok === true ? cursors.value : undefined);
}

/** How the nodes ended that this one needs, with their values. */
async function readSource(plan: BuiltPlan, built: BuiltNode, state: DagState, read: ReadResults): Promise<ValueSource> {
  const groups = groupSteps(state);
  const found = new Map<string, ReturnType<ValueSource>>();
  for (const id of built.plan.needs) {
    const need = plan.nodes.find((n) => n.plan.id === id)!;
    const items = groups.get(id);
    const own = state.steps.get(id);
    if (items !== undefined) {
      const ends = await read(items.filter(([, s]) => s.end === "c").map(([, s]) => s.seq));
      const values = ends.map((e) => (e.ok ? e.value : undefined));
      const failed = items.some(([, s]) => s.end === "f");
      found.set(id, failed ? { is: "failed", error: null } : { is: "ok", value: values });
    } else if (own?.end === "c") {
      const [end] = await read([own.seq]);
      found.set(id, { is: "ok", value: recordedValue(need, end!) });
    } else if (own?.end === "f") {
      const [end] = await read([own.seq]);
      found.set(id, { is: "failed", error: end!.ok ? null : { message: end!.failure.message, category: end!.category } });
    } else found.set(id, { is: own === undefined ? "failed" : "skipped", error: null });
  }
  return (id) => found.get(id)!;
}
