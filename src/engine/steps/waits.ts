// Waits that are not effects: timers, receives with a limit, children, retries that are due; and what becomes of each
// open step when an owner takes the run over. A timer fires only at its recorded due time, which the store checks again
// in the Commit that fires it (I10).
import { adoptFinished, askPersonIfChainSays } from "../chain/adopt.ts";
import type { ChildRef } from "../../events/payload.ts";
import { callDeadline } from "./continue-child.ts";
import { cancelNotice } from "../messages/notices.ts";
import { failureFrom } from "./outcome.ts";
import type { LiveRun } from "../run/live-run.ts";
import { pollChild, isPolledChild } from "./adopted-child.ts";
import type { OpenStep } from "./open-step.ts";
import { recover } from "../effects/recover.ts";

/** Takes what is due now. Nothing is due while the run is paused. */
export function fireDueSteps(r: LiveRun): void {
  if (r.isUnloaded || r.isPaused || r.replay.isActive) return;
  const now = r.host.storeNowMs();
  for (const s of r.open.values()) {
    if (s.dueAt === null || s.dueAt > now) continue;
    const notBefore = s.dueAt;
    s.dueAt = null;
    fireStep(r, s, notBefore);
  }
  if (r.deadlineAt !== null && r.deadlineAt <= now && !r.deadlineFired && r.stopReason === null && r.codeEnd === null) {
    r.deadlineFired = true;
    r.arrive({ type: "deadline", notBefore: r.deadlineAt });
  }
}

function fireStep(r: LiveRun, step: OpenStep, notBefore: number): void {
  switch (step.body.kind) {
    case "timer":
      return r.arrive({ type: "completed", step, result: null, notBefore });
    case "signal":
      r.mailbox.removeReceiver(step);
      return r.arrive({ type: "completed", step, result: null, timedOut: true, notBefore });
    case "child":
    case "start":
      if (isPolledChild(step) && notBefore < callDeadline(step)) return pollChild(r, step);
      return r.arrive({
        type: "failed",
        step,
        category: "TIMEOUT",
        failure: failureFrom("PAWL1036", "the called run did not end in time"),
        notBefore,
        ...(step.started.child === undefined
          ? {}
          : { notices: [cancelNotice(r, step.stepId, step.started.child.runId, "the calling run no longer waits")] }),
      });
    default:
      if (step.state === "recovering") return recover(r, step);
      return r.arrive({ type: "retry", step, notBefore });
  }
}

/** A called run may itself wait for one whose workflow only its code can name. */
function wakeCalledRun(r: LiveRun, child: ChildRef | undefined): void {
  if (child === undefined) return;
  const latest = r.host.store.run({ scope: r.row.scope, workflowId: child.workflowId });
  latest.then((row) => r.host.wakeIfWaitingForChild(row)).catch((e: unknown) => r.reloadAfterError(e));
}

/** A step that an earlier owner started. */
export function resumeOpenStep(r: LiveRun, step: OpenStep): void {
  const past = r.replay.recordedStep(step.stepId);
  if (past === undefined || adoptFinished(r, step)) return;
  if (step.started.delayMs !== undefined) step.dueAt = past.firstAt + step.started.delayMs;
  if (step.started.until !== undefined) step.dueAt = step.started.until;
  switch (step.body.kind) {
    case "timer":
    case "signal":
      step.state = "waiting";
      return;
    case "child":
    case "start": {
      const child = step.started.child;
      if (child === undefined) {
        step.state = "waiting"; // a wait for a child that another step started
        if (step.body.kind === "child") wakeCalledRun(r, r.replay.recordedStep(step.body.childStepId)?.started.child);
        return pollChild(r, step);
      }
      r.host.store.run({ runId: child.runId }).then(
        (row) => {
          r.mailbox.childCreateKnown(step, row !== undefined);
          wakeCalledRun(r, child);
          r.mailbox.match();
          r.pump();
        },
        (e: unknown) => r.reloadAfterError(e),
      );
      return;
    }
    case "send":
      return r.arrive({ type: "completed", step, result: null }); // it left with its StepStarted
    default:
      if (r.refused.has(step.stepId))
        r.arrive({
          type: "failed",
          step,
          category: "REFUSED",
          failure: failureFrom("PAWL3018", "the database did not accept this outcome"),
        });
      else if (past.state === "retrying") {
        step.state = "retrying";
        step.dueAt = past.retryAt;
      } else if (past.awaitingApproval) step.state = "asked";
      else if (past.inDoubt !== null) step.state = "doubt";
      else if (!askPersonIfChainSays(r, step)) recover(r, step);
  }
}
