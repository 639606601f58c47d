// What one run tells another in its own Commit: rows for the other's inbox, never a write to the other's row (K8). They
// are written with the event that caused them, so neither can exist without the other.
import { jsonObject, jsonValue } from "../../events/payload.ts";
import type { Notice } from "../../store/port.ts";
import type { LiveRun } from "../run/live-run.ts";

/** The run that called this one learns its end in the same Commit. */
export function parentNotices(r: LiveRun, status: string, payload: string): readonly Notice[] {
  const { parentRunId, parentStepId, runId } = r.row;
  if (parentRunId === null || parentStepId === null) return [];
  const members = payload.slice(1, -1);
  return [
    {
      toRunId: parentRunId,
      kind: "child",
      name: parentStepId,
      id: runId,
      payload: `{"status":"${status}"${members === "" ? "" : `,${members}`}}`,
    },
  ];
}

/** A called run is cancelled with its caller, or when its caller no longer waits for it. */
export function cancelNotice(r: LiveRun, stepId: string, childRunId: string, reason: string): Notice {
  return {
    toRunId: childRunId,
    kind: "control",
    name: "cancel",
    id: `${r.row.runId}/${stepId}`,
    payload: jsonObject({ reason: jsonValue(reason) }),
  };
}
