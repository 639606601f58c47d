// The end of a child that an earlier run of the chain started: it is reported to that run, which has ended. The run that retries it
// polls for the end instead; so does a step that waits for a child that another run is to continue. It must never lose the wait: the
// time of the next poll is part of every Commit (I12).
import { isSettled } from "../../../core/model.ts";
import { readPayload, type RunEndPayload } from "../../../events/payload.ts";
import type { Store } from "../../../store/port.ts";
import { callDeadline, continueAfterPredecessor, awaitsPredecessor } from "./continue-child.ts";
import type { LiveRun } from "../../run/live-run.ts";
import type { ChildBody } from "./child-body.ts";
import { deliverChildEnd, type ChildEnd } from "./child-end.ts";
import type { OpenStep } from "../open-step.ts";
import { failureFrom } from "../outcome.ts";

/** How often. */
export const childPollMs = 1_000;

/** Whether this step's end must be looked for. */
export function isPolledChild(step: OpenStep<ChildBody>): boolean {
  return step.body.adopted !== undefined || awaitsPredecessor(step);
}

export function schedulePoll(r: LiveRun, step: OpenStep): void {
  step.state = "waiting";
  step.dueAt = Math.min(r.host.storeNowMs() + childPollMs, callDeadline(step));
  r.parking.armAlarm();
}

export function pollChild(r: LiveRun, step: OpenStep<ChildBody>): void {
  if (!isPolledChild(step)) return;
  schedulePoll(r, step);
  if (awaitsPredecessor(step)) return continueAfterPredecessor(r, step);
  if (step.body.adopted === undefined) return;
  adoptedChildEnd(r.host.store, step.body.adopted, r.row.runId).then(
    (end) => {
      if (end === null || r.state.isUnloaded || !r.steps.isOpen(step)) return;
      deliverChildEnd(r, step, end, []);
    },
    (e: unknown) => r.reloadAfterError(e),
  );
}

/** Null while it runs, or where it reports its end to this run itself. */
async function adoptedChildEnd(store: Store, childRunId: string, caller: string): Promise<ChildEnd | null> {
  for (let runId = childRunId; ;) {
    const row = await store.run({ runId });
    if (row === undefined || row.expiredAt !== null)
      return { status: "FAILED", error: failureFrom("PAWL4001", `there is no run ${runId} any more, or it has lost its log`) };
    if (row.parentRunId === caller || !isSettled(row.status)) return null;
    const [last] = await store.events({ runId, after: row.headSeq - 1, limit: 1 });
    const end = readPayload<RunEndPayload>(last?.payload ?? null);
    if (end.continuedAs === undefined) return { status: row.status, ...end };
    runId = end.continuedAs;
  }
}
