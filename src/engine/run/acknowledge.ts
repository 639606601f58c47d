// A Commit is in the store: what may leave now, leaves, and nothing leaves before (K14). Effects begin, timers get their due time,
// children are known to exist, callers and parents learn results, and a run that ended or was released leaves memory. It runs in the turn
// of the answer, all of it before the run's loop continues. It must never be called for a Commit that may still be rolled back.
import { isSettled } from "../../core/model.ts";
import type { Commit, ChildCreateResult } from "../../store/port.ts";
import { mustAskFirst, type OpenStep } from "../steps/open-step.ts";
import type { PendingEvent } from "./commit-draft.ts";
import type { LiveRun } from "./live-run.ts";

/** What the store says of a Commit that it has written. */
export interface Acknowledgement {
  readonly persistedAt: number;
  readonly dueAt: number | null;
  readonly children: readonly ChildCreateResult[];
}

/** `sentAt`: the machine's uptime before the Commit was sent to the store. */
export function acknowledge(
  r: LiveRun,
  answer: Acknowledgement,
  commit: Commit,
  events: readonly PendingEvent[],
  sentAt: number = Number.NEGATIVE_INFINITY,
): void {
  const { create } = r.commits;
  r.commits.onAcknowledged(answer, commit);
  r.snapshots?.onAcknowledged(commit, answer.persistedAt);
  if (commit.snapshot !== undefined) r.host.metrics.add("pawl_snapshots_written_total");
  if (create !== null) {
    r.state.setDeadline(create.deadlineInMs === null ? null : answer.persistedAt + create.deadlineInMs);
    r.onCreated();
  }
  let child = 0;
  for (const e of events) {
    const step = e.starts;
    if (step !== undefined && step.state === "starting" && r.steps.isOpen(step)) begin(r, step, answer.persistedAt, sentAt);
    if (e.child !== undefined) {
      const { kind } = answer.children[child++]!;
      if (step !== undefined && r.steps.isOpen(step)) step.kind.childCreated(r, step, kind === "created");
    }
    e.onAck?.();
    if (e.ends !== undefined) r.mailbox.reports.onEnded(e.ends);
  }
  if (isSettled(commit.status)) {
    r.host.metrics.add("pawl_runs_settled_total");
    r.unload({ kind: "settled", status: commit.status, payload: commit.events.at(-1)?.payload ?? null });
  } else if (commit.release) r.unload({ kind: "released" });
  else r.mailbox.match(); // a child may have ended before its start was acknowledged
}

/** The step's start is recorded: its times are known, and it goes to work. */
function begin(r: LiveRun, step: OpenStep, persistedAt: number, sentAt: number): void {
  if (step.queue !== null) step.queue.since ??= persistedAt;
  // On a queue nothing is sent before somebody claims it (K26).
  if (step.queue?.open?.own !== false) {
    if (!mustAskFirst(step)) step.lastAt = persistedAt;
    if (step.firstAt === 0) step.firstAt = persistedAt;
  }
  step.dispatchRecord.recordedAt = sentAt;
  if (step.started.delayMs !== undefined) step.dueAt = persistedAt + step.started.delayMs;
  if (step.started.until !== undefined) step.dueAt = step.started.until;
  step.kind.dispatch(r, step);
}
