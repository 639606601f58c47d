// Which control a run's status permits. A control that the status makes meaningless would be taken in silence: it is refused here, before
// anything is written. The owner looks again when it takes the request. Reads only.
import type { Control, RunView } from "../../api/types/run.ts";
import type { RunEventRecord } from "../../core/contract.ts";
import { isSettled } from "../../core/model.ts";
import { PawlError } from "../../errors/error.ts";
import { pendingDecisionIn } from "../pending-decision.ts";

/** Refuses what a run's status does not permit. `readLog` is asked only where the status does not say enough. */
export async function assertPermitted(run: RunView, what: Control, readLog: () => Promise<readonly RunEventRecord[]>): Promise<void> {
  assertNotEnded(run);
  const refuse = (why: string): PawlError =>
    new PawlError("PAWL4010", `run ${run.runId} ${why}`, { data: { runId: run.runId, status: run.status } });
  if (what === "pause" && run.status !== "RUNNING") throw refuse(`is ${run.status}: only a run that is RUNNING can be paused`);
  if (what !== "resume" || run.status === "PAUSED") return;
  if (run.waiting !== "decision") throw refuse(`is ${run.status}: only a run that is PAUSED, or that engines gave up, can be resumed`);
  const need = pendingDecisionIn(run, await readLog());
  // with the code of what is undecided, which says how to answer it.
  if (need?.data["step"] !== undefined)
    throw new PawlError(need.page, `run ${run.runId} waits for a decision, which resume does not answer: ${need.message}`, {
      data: { ...need.data, status: run.status },
    });
}

/** Refuses runs that have ended: they never change (I8). */
export function assertNotEnded(run: RunView): RunView {
  if (isSettled(run.status)) throw hasEnded(run, "has ended");
  return run;
}

export function hasEnded(run: Pick<RunView, "runId" | "status">, how: string): PawlError {
  return new PawlError("PAWL4003", `run ${run.runId} ${how} (${run.status})`, { data: { runId: run.runId, status: run.status } });
}
