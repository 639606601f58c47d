// What one run tells another in its own Commit: rows for the other's inbox, never a write to the other's row (K8).
import type { Notice } from "../store/port.ts";
import type { LiveRun } from "./live-run.ts";

/** The run that called this one learns its end in the same Commit. */
export function parentNotices(r: LiveRun, status: string, payload: string): readonly Notice[] {
  const { parentRunId, parentStepId, runId } = r.row;
  if (parentRunId === null || parentStepId === null) return [];
  const members = payload.slice(1, -1);
  return [{ toRunId: parentRunId, kind: "child", name: parentStepId, id: runId, payload: `{"status":"${status}"${members === "" ? "" : `,${members}`}}` }];
}
