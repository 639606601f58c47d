// Takes dispatches back before anything is recorded about their steps: what nobody had claimed is proved not sent, and what somebody had is
// asked to stop, whose report decides (K19). The withdrawal is a Commit of the owner's, so that it is fenced. It must never record that
// nothing happened: only the row that comes back says so.
import { readPayload } from "../../events/payload.ts";
import type { DispatchEnded, DispatchRef } from "../../store/port.ts";
import type { LiveRun } from "../run/live-run.ts";
import type { OpenStep } from "../steps/open-step.ts";
import { dispatchKey } from "./queued-state.ts";

/** How long a worker that was asked to stop is awaited, where the step has no time limit. */
const stopGraceMs = 60_000;

/** Of a step whose run is ending; once. */
export function withdrawStep(r: LiveRun, step: OpenStep): void {
  const open = step.queue?.open ?? null;
  if (open === null) return;
  if (step.spec !== null && step.spec.timeoutMs === null && step.dueAt === null) step.dueAt = r.host.storeNowMs() + stopGraceMs;
  if (open.withdrawn) return;
  open.withdrawn = true;
  withdraw(r, [open], () => {});
}

/** `then` once it is committed, and the inbox is being looked at. */
export function withdraw(r: LiveRun, refs: readonly DispatchRef[], then: () => void): void {
  for (const { seq, what } of refs) r.commits.draft.eventless.withdraws.push({ seq, what });
  r.commits.draft.eventless.onAck.push(() => {
    r.host.lookAtInbox(r);
    then();
  });
}

/**
 * Takes all of a run's dispatches back and finds out which of them nobody had claimed; then `go`, in a turn of the run's loop. True:
 * there is nothing left to find out.
 */
export function knowsClaims(r: LiveRun, go: () => void): boolean {
  if (r.dispatches.unclaimed !== null || r.dispatches.size === 0) return true;
  r.dispatches.areTakenBack = true;
  withdraw(r, r.dispatches.all(), () => {
    r.host.store.inbox({ runId: r.row.runId, all: true }).then(
      (rows) => {
        // A row that is gone may have been claimed and reported a moment ago, or before this owner came: only what came back says that it was not.
        const ends = rows.filter((row) => row.kind === "result").map((row) => readPayload<DispatchEnded>(row.payload));
        r.dispatches.unclaimed = new Set(ends.filter((ended) => ended.worker === null).map(dispatchKey));
        r.arrive({ type: "message", take: go });
      },
      (e: unknown) => r.reloadAfterError(e),
    );
  });
  return false;
}
