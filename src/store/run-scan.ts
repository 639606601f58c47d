// How a listing of runs is bounded, alike on every store. Each listing goes along one order of rows, from the newest on: those of a caller,
// of a workflowId, of the runs that need somebody, or of the whole tenant. What else is asked for is looked for among at most `scanMax` of
// them; then the page ends, even if it is empty, and its cursor says where to continue. Pure.
import type { RunStatus } from "../core/model.ts";
import { encodeCursor, type ListCursor } from "./keys.ts";
import type { RunQuery, RunRow, Store } from "./port.ts";

export const scanMaxDefault = 10_000;

/** Runs of these are few, and somebody looks for them: an index holds no others. */
export const unusualStatuses: readonly RunStatus[] = ["FAILED", "CANCELLED", "PAUSED"];

/** The order of rows that a listing goes along. */
export type ScanOrder = "workflowId" | "parent" | "decision" | "status" | "newest";

/** The statuses that can match; undefined = all. A run with an error code has failed. */
export function statusesAsked(q: RunQuery): readonly RunStatus[] | undefined {
  if (q.errorCode === undefined) return q.status;
  return q.status === undefined || q.status.includes("FAILED") ? ["FAILED"] : [];
}

/** `indexed`: whether the runs of exactly these statuses, and few others, are found in order. */
export function scanOrder(q: RunQuery, indexed: (statuses: readonly RunStatus[]) => boolean): ScanOrder {
  if (q.workflowId !== undefined) return "workflowId";
  if (q.parentRunId !== undefined) return "parent";
  if (q.waiting === "decision") return "decision";
  const statuses = statusesAsked(q);
  return statuses !== undefined && statuses.length > 0 && indexed(statuses) ? "status" : "newest";
}

/** Whether an index can be of unusual runs only. */
export function areUnusual(statuses: readonly RunStatus[]): boolean {
  return statuses.every((s) => unusualStatuses.includes(s));
}

/** Whether rows of the order may not match: only then is there a bound to find. */
export function isFiltered(q: RunQuery, order: ScanOrder): boolean {
  const tags = q.tags !== undefined && Object.keys(q.tags).length > 0;
  if (tags || q.workflow !== undefined || q.errorCode !== undefined) return true;
  if (q.waiting !== undefined && order !== "decision") return true;
  if (q.parentRunId !== undefined && order !== "parent") return true;
  return q.status !== undefined;
}

/** The same in plain code: the specification, and the memory store's way. */
export function isInOrder(q: RunQuery, order: ScanOrder, r: RunRow): boolean {
  if (q.since !== undefined && r.createdAt < q.since) return false;
  if (q.until !== undefined && r.createdAt >= q.until) return false;
  if (order === "workflowId") return r.workflowId === q.workflowId;
  if (order === "parent") return r.parentRunId === q.parentRunId;
  if (order === "decision") return r.waiting === "decision";
  return order === "newest" || unusualStatuses.includes(r.status);
}

export function matchesQuery(q: RunQuery, r: RunRow): boolean {
  const statuses = statusesAsked(q);
  return (
    (statuses === undefined || statuses.includes(r.status)) &&
    (q.workflow === undefined || r.workflow === q.workflow) &&
    (q.workflowId === undefined || r.workflowId === q.workflowId) &&
    (q.parentRunId === undefined || r.parentRunId === q.parentRunId) &&
    (q.waiting === undefined || r.waiting === q.waiting) &&
    (q.errorCode === undefined || r.errorCode === q.errorCode) &&
    Object.entries(q.tags ?? {}).every(([k, v]) => Object.hasOwn(r.tags, k) && r.tags[k] === v)
  );
}

/** One more than `limit` was looked for. `end`: the last row that was looked at, if there may be others after it. */
export function runsPage(found: readonly RunRow[], limit: number, end: ListCursor | undefined): Awaited<ReturnType<Store["runs"]>> {
  const runs = found.slice(0, limit);
  const last = found.length > limit ? runs.at(-1) : end;
  return last === undefined ? { runs } : { runs, cursor: encodeCursor(last) };
}
