// What a run is bound to besides its recorded calls: the versions of its workflow, of its tools and their schemas, and of its planners. Each is in the log. Code of
// another version may continue the run (the default), with a warning, or not at all. It compares versions and nothing else: calls are compared by replay.
import type { StepStartedPayload } from "../events/payload.ts";
import type { LiveRun } from "./run/live-run.ts";

/** What an engine does where code has another version than the log. */
export type OnVersionChange = "allow" | "warn" | "strict";

interface VersionChange {
  readonly what: string;
  readonly was: string;
  readonly is: string;
}

/** The first version of a call that is not as recorded. */
function changedVersion(stepId: string, was: StepStartedPayload, is: StepStartedPayload): VersionChange | undefined {
  const pairs: readonly (readonly [string, string | undefined, string | undefined])[] = [
    ["the version of its planner", was.plan?.version, is.plan?.version],
    ["the version of its tool", was.tool?.version, is.tool?.version],
    ["the schema of its tool", was.tool?.schema, is.tool?.schema],
  ];
  for (const [what, a, b] of pairs)
    if (a !== undefined && b !== undefined && a !== b) return { what: `step ${stepId}: ${what}`, was: a, is: b };
  return undefined;
}

/** True: the run has stopped, for an engine of its own version or for a person. */
export function refusesCall(r: LiveRun, stepId: string, was: StepStartedPayload, is: StepStartedPayload, recordedAt: number): boolean {
  if (r.host.onVersionChange === "allow") return false;
  return refuses(r, changedVersion(stepId, was, is), recordedAt);
}

/** The same of the workflow, before its code is run. */
export function refusesWorkflow(r: LiveRun): boolean {
  const { definition, row, host } = r;
  if (host.onVersionChange === "allow" || definition === null || definition.version === row.version) return false;
  return refuses(r, { what: `the version of workflow ${row.workflow}`, was: row.version, is: definition.version });
}

function refuses(r: LiveRun, change: VersionChange | undefined, recordedAt?: number): boolean {
  if (change === undefined) return false;
  const { what, was, is } = change;
  r.host.metrics.add("pawl_version_changes_total");
  if (r.host.onVersionChange === "warn") {
    r.log("warn", `run ${r.row.runId}: ${what} was ${was} when it was recorded, and is ${is}`, { was, is });
    return false;
  }
  r.replay.diverge(
    "PAWL1006",
    `${what} was ${was} when it was recorded, and is ${is}`,
    was,
    is,
    recordedAt === undefined ? {} : { recordedAt },
  );
  return true;
}
