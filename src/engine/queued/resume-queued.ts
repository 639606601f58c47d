// A step that an earlier owner put on a queue. Its row is still there, and the owner waits for its end; or it has ended, and the report is in
// the inbox; or the earlier owner ran it itself and is gone, which is a crash like any other (K26). Rows were read before the inbox, so one of the
// three is true. If none is, the store has lost something: a person decides, nobody guesses.
import { recover } from "../effects/recover.ts";
import type { RecordedStep } from "../run/history.ts";
import type { LiveRun } from "../run/live-run.ts";
import type { OpenStep } from "../steps/open-step.ts";
import { isOwnToken } from "./dispatch.ts";
import type { OpenDispatch } from "./queued-state.ts";

/** False: its newest dispatch used no queue. */
export function resumeQueued(r: LiveRun, step: OpenStep, past: RecordedStep): boolean {
  const recorded = past.queue;
  const { queue } = step;
  if (recorded === null || queue === null || recorded.seq === 0) return false;
  queue.since = recorded.since;
  queue.lastSeq = recorded.seq;
  const what = step.undoes === null ? "run" : "undo";
  const open: OpenDispatch = { seq: recorded.seq, what, own: false, withdrawn: false };
  const row = r.dispatchRows.find((d) => d.seq === open.seq && d.what === what);
  if (row === undefined && !r.mailbox.reports.has(open)) {
    r.log("error", `step ${step.stepId} of run ${r.row.runId} was put on a queue, and has neither a row there nor a report`);
    r.arrive({ type: "doubt", step, code: "PAWL2011", reason: "it was put on a queue, and has neither a row there nor a report" });
    return true;
  }
  queue.open = open;
  if (row !== undefined && isOwnToken(row.token)) {
    open.own = true;
    queue.facts = { dispatchId: row.dispatchId, worker: row.worker, claimedAt: row.claimedAt, deadlineAt: row.deadlineAt };
    recover(r, step);
    return true;
  }
  open.withdrawn = row?.cancel === true;
  step.state = "queued";
  return true;
}
