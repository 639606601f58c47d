// Dispatches on plain maps: what a Commit does to them, and their end. Rows are replaced, never changed in place. A dispatch ends once: its
// row goes, and one row comes into the run's inbox in the same step, unless the run has settled.
import { isSettled } from "../../core/model.ts";
import type { Commit, DispatchEnd, DispatchRef, DispatchRow, DispatchWrite, RunRow } from "../port.ts";
import { dispatchEnded, rankOf, unclaimed } from "../queue-rules.ts";
import { type MemoryState, putItem } from "./state.ts";

export function putDispatch(s: MemoryState, row: DispatchRow): void {
  if (!s.dispatches.has(row.dispatchId)) s.dispatchesByRun.set(row.runId, [...(s.dispatchesByRun.get(row.runId) ?? []), row.dispatchId]);
  s.dispatches.set(row.dispatchId, row);
}

export function removeDispatch(s: MemoryState, row: DispatchRow): void {
  s.dispatches.delete(row.dispatchId);
  const left = (s.dispatchesByRun.get(row.runId) ?? []).filter((id) => id !== row.dispatchId);
  if (left.length === 0) s.dispatchesByRun.delete(row.runId);
  else s.dispatchesByRun.set(row.runId, left);
}

export function dispatchesOf(s: MemoryState, runId: string): DispatchRow[] {
  return (s.dispatchesByRun.get(runId) ?? []).map((id) => s.dispatches.get(id)).filter((d) => d !== undefined);
}

const isOf =
  (d: DispatchRef) =>
  (r: DispatchRef): boolean =>
    r.seq === d.seq && r.what === d.what;

/** Everything that a Commit says about queued steps; `run` is its row as it is now. */
export function writeQueueing(s: MemoryState, c: Commit, run: RunRow): void {
  const at = run.persistedAt;
  const settled = isSettled(run.status);
  const rows = dispatchesOf(s, c.runId);
  if (settled || c.drop === true) for (const d of rows) removeDispatch(s, d);
  if (settled) return;
  for (const d of rows) {
    if (!s.dispatches.has(d.dispatchId)) continue;
    if (c.ends?.some(isOf(d))) removeDispatch(s, d);
    else if (c.withdraws?.some(isOf(d))) {
      if (d.worker === null) endDispatch(s, d, { kind: "withdrawn" }, at);
      else putDispatch(s, { ...d, cancel: true });
    }
  }
  if (c.held !== undefined) for (const d of dispatchesOf(s, c.runId)) putDispatch(s, { ...d, held: c.held });
  for (const w of c.dispatches ?? []) putDispatch(s, newDispatch(s.nextDispatchId++, w, run, c.held === true));
}

function newDispatch(dispatchId: number, w: DispatchWrite, run: RunRow, held: boolean): DispatchRow {
  const { priority: _, agingMs: __, since: ___, claimed, ...rest } = w;
  const at = run.persistedAt;
  const claim = claimed === undefined ? unclaimed : { ...claimed, claimedAt: at, deadlineAt: null };
  const own = { runId: run.runId, scope: { ...run.scope }, rankAt: rankOf(w, at), held, enqueuedAt: at, beat: null, cancel: false };
  return { ...rest, dispatchId, ...own, ...claim };
}

/** Whether a dispatch of this Commit has the place of another: a broken invariant (K9). */
export function hasDispatchClash(s: MemoryState, c: Commit): boolean {
  if (c.dispatches === undefined || isSettled(c.status)) return false;
  const there = c.drop === true ? [] : dispatchesOf(s, c.runId).filter((d) => !c.ends?.some(isOf(d)));
  return c.dispatches.some((d, i) => there.some(isOf(d)) || c.dispatches!.slice(0, i).some(isOf(d)));
}

/** False: the run has settled, and nothing was put into its inbox. */
export function endDispatch(s: MemoryState, d: DispatchRow, end: DispatchEnd, at: number): boolean {
  removeDispatch(s, d);
  return putResult(s, d, JSON.stringify(dispatchEnded(d, end)), null, at);
}

/** A row of kind `result` for a run that has not settled. */
export function putResult(
  s: MemoryState,
  d: Pick<DispatchRow, "runId" | "stepId" | "dispatchId">,
  payload: string,
  dedupKey: string | null,
  at: number,
): boolean {
  const run = s.runs.get(d.runId);
  if (run === undefined || isSettled(run.status) || run.origin !== "engine") return false;
  if (dedupKey !== null && s.dedup.has(dedupKey)) return true;
  const row = { inboxId: s.nextInboxId++, runId: d.runId, kind: "result", name: d.stepId, id: String(d.dispatchId), payload } as const;
  const state = { taken: false, consumed: false, reply: null, by: null, payloadDigest: null, rejected: null };
  putItem(s, { dedupKey, row: { ...row, acceptedAt: at, ...state } });
  return true;
}
