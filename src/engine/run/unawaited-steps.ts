// Steps that the code left open when it returned. The run's end names them, and so does the engine's log: a forgotten await must
// never pass in silence. It begins nothing, waits for nothing and decides nothing about them (settle.ts does).
import { jsonValue } from "../../events/payload.ts";
import { ContinueAsNew, type CodeEnd } from "./ending.ts";
import type { LiveRun } from "./live-run.ts";

/**
 * Steps that do something, and were open when the code returned: whatever became of them, nobody waited for it. A timer or a signal
 * that lost a race is none of them. A run that fails or is cancelled is stopped in the middle of things, and that is said already.
 */
export function unawaitedSteps(r: Pick<LiveRun, "steps">, end: CodeEnd): readonly string[] {
  if (end.kind === "threw" && !(end.error instanceof ContinueAsNew)) return [];
  return [...r.steps.all()].filter((s) => s.kind.mattersUnawaited(s)).map((s) => s.stepId);
}

/** Never in silence: in the log of the run, and in the engine's. */
export function reportUnawaited(r: LiveRun): string | undefined {
  const { row } = r;
  const { unawaited: abandoned } = r.state;
  if (abandoned.length === 0) return undefined;
  const names = abandoned.slice(0, 10).join(", ");
  r.log("warn", `run ${row.runId} (${row.workflow}) returned while steps were open that nobody awaits: ${names}; pawl explain PAWL1031`, {
    abandoned,
  });
  return jsonValue(abandoned);
}
