// A graph that begins in the middle of its log: at the end of its last superstep, with the state that the log folds to. Nothing before that is run
// again; the superstep under way is replayed from there. What was done before and must be undone or confirmed is found by its task's name.
import type { GraphState } from "../core/fold/graph.ts";
import type { Calls } from "../engine/calls.ts";
import type { Definition } from "../engine/definition.ts";
import type { EndedCall, ReadResults, RestoredStep, ResumePoint, Style } from "../engine/style.ts";
import type { Json } from "../workflow/types.ts";
import type { BuiltGraph } from "./built-graph.ts";
import { continueGraph } from "./run.ts";
import { standingOf, whyNotFrom } from "./standing.ts";
import { isUndoStep, undoStepSpec, undoStepTask } from "./sub.ts";

export function graphStyle(g: BuiltGraph, definition: () => Definition): Style {
  return {
    name: "graph",
    recorded: {},
    accepts: ({ state }) => (state as GraphState).n >= 0,
    wants: () => [],
    resume: (calls, _input, from) => resumeGraph(g, calls, definition(), from),
    restore: (step, _from, read) => restoreTask(g, step, read),
  };
}

async function resumeGraph(g: BuiltGraph, calls: Calls, d: Definition, { state }: ResumePoint): Promise<unknown> {
  const s = state as GraphState;
  const refused = whyNotHere(g, calls, d, s);
  if (refused !== null) return calls.diverge(...refused);
  const standing = standingOf(g, s);
  return continueGraph({ g, d, calls, seed: standing.seed }, standing);
}

/** Why this code must not continue the run: what, what was expected, what was found. */
function whyNotHere(g: BuiltGraph, calls: Calls, d: Definition, s: GraphState): [string, string, string] | null {
  const { version } = calls.run;
  if (version !== d.version)
    return [`the run was begun by version ${version} of graph ${g.name}, which finishes it`, `version ${version}`, `version ${d.version}`];
  return whyNotFrom(g, s);
}

/** A step that ended before: its task again, with what it was given. */
async function restoreTask(g: BuiltGraph, step: EndedCall, read: ReadResults): Promise<RestoredStep | null> {
  const { task: name, tool } = step.started;
  if (tool !== undefined) return g.tools.get(tool.name)?.restore(step.input as Json) ?? null;
  if (name === undefined) return null;
  if (!isUndoStep(name)) {
    const task = g.tasks.get(name);
    return task === undefined ? null : { effect: task.spec(step.input) };
  }
  const task = undoStepTask(g, name);
  const [end] = await read([step.outcomeSeq]);
  return task === undefined || end?.ok !== true ? null : { effect: undoStepSpec(task, end.value) };
}
