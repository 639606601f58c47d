// External effect store: an effect's result is stored there before the run's Commit (A-15 … A-20: start committed, function, result
// stored, outcome committed). An owner that finds a start without an outcome looks there first; a stored result is written back and
// nothing is sent. A result that could not be stored is no failure: the Commit follows.
import { canonicalJson } from "../../codec/canonical.ts";
import { invocationKey } from "../../events/event-key.ts";
import type { LiveRun } from "../run/live-run.ts";
import type { OpenStep } from "../steps/open-step.ts";

/** The key under which the step's result is kept; null when there is no effect store, or the step may simply run again. */
export function externalResultKey(r: LiveRun, step: OpenStep): string | null {
  if (r.host.effectStore === null || step.spec === null) return null;
  const { guarantee, input } = step.spec;
  if (guarantee.class === "UNDECLARED" || guarantee.class === "REPEATABLE") return null;
  return invocationKey(
    r.row.runId,
    step.started.repeatOf ?? step.stepId,
    step.started.name,
    input === null ? "" : canonicalJson(JSON.parse(input)),
  );
}

export async function storeExternalResult(r: LiveRun, step: OpenStep, key: string, result: string | null): Promise<void> {
  try {
    await r.host.effectStore!.put({ version: 1, runId: r.row.runId, key, stepId: step.stepId, result, keptAt: r.host.platform.wallMs() });
  } catch (e) {
    r.log("warn", `the result of ${step.stepId} could not be stored in the effect store: ${e instanceof Error ? e.message : String(e)}`);
  }
}

/** True when the result was kept, and is on its way to the log. */
export async function takeExternalResult(r: LiveRun, step: OpenStep, key: string): Promise<boolean> {
  const kept = await r.host.effectStore!.get(r.row.runId, key);
  if (r.state.isUnloaded || !r.steps.isOpen(step)) return true;
  if (kept === undefined) return false;
  r.arrive({ type: "completed", step, result: kept.result, via: "kept", invocation: key });
  return true;
}
