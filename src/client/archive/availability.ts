// What a client says of a run that is not all there any more: its log or its payloads went with retention, or it continues in
// another store. Its row still answers for its status; whatever needs more is refused with the reason and the date, and is
// never answered from what happens to be left.
import { PawlError } from "../../errors/error.ts";
import { toTimeText } from "../../events/envelope.ts";
import type { RunRow } from "../../store/port.ts";

const errorData = (run: RunRow): { data: Record<string, string> } => ({
  data: { runId: run.runId, workflowId: run.workflowId, status: run.status },
});

/** For everything that reads the log. */
export function requireLog(run: RunRow): RunRow {
  if (run.purgedAt === null) return run;
  throw new PawlError("PAWL4040", `run ${run.runId} is ${run.status}; its log was removed on ${toTimeText(run.purgedAt)}`, errorData(run));
}

/** For everything that reads what is in it. */
export function requirePayloads(run: RunRow): RunRow {
  if (requireLog(run).expiredAt === null) return run;
  throw new PawlError(
    "PAWL4041",
    `run ${run.runId} is ${run.status}; its payloads were removed on ${toTimeText(run.expiredAt ?? 0)}`,
    errorData(run),
  );
}

/** For what only the store that has the run can do. */
export function assertLocal(run: RunRow): RunRow {
  if (run.origin === "moved") throw movedError(run);
  return run;
}

export function movedError(run: RunRow): PawlError {
  return new PawlError("PAWL4042", `run ${run.runId} was moved to another store`, errorData(run));
}
