// Workflows under the determinism guard in a process that runs them for real: what their own code takes from the machine is
// reported with its line. For development; anyone who calls this gives it back when done.
import type { Logger } from "../engine/run-host.ts";
import { guardMachine } from "../platform/determinism-guard.ts";
import type { Cancel } from "../platform/platform.ts";
import type { AnyWorkflow } from "../workflow/types.ts";
import { guardReport, type GuardMode } from "./guard-report.ts";
import { InstrumentedWorkflows, type WorkflowObserver } from "./instrumented-workflows.ts";

/** `watched`: what else is reported of their steps. */
export function guardWorkflows(
  workflows: readonly AnyWorkflow[],
  mode: GuardMode,
  log: Logger,
  watched: Pick<WorkflowObserver, "begun" | "called"> = {},
): { readonly workflows: readonly AnyWorkflow[]; readonly end: Cancel } {
  const used = guardReport(mode, log);
  if (used === undefined) return { workflows, end: () => {} };
  const twins = new InstrumentedWorkflows({ alive: () => true, used, ...watched });
  return { workflows: workflows.map((wf) => twins.of(wf)), end: guardMachine() };
}
