// Calls `onDecision` when something waits for a person: once its event is committed (K14), and only as a hint. An engine that dies in
// between calls nobody; the list of decisions is the truth. It must never hold up or fail a run.
import { decisionId } from "../../events/open-decisions.ts";
import type { PendingEvent } from "../run/commit-draft.ts";
import type { LiveRun } from "../run/live-run.ts";
import type { Logger } from "../run-host.ts";

/** What a listener learns of a decision; the rest is in the list of decisions under its id. */
export interface DecisionNotice {
  readonly decisionId: string;
  readonly kind: "effect" | "compensation" | "diverged" | "given-up" | "confirmation" | "approval" | "failure" | "question";
  readonly runId: string;
  readonly workflowId: string;
  readonly workflow: string;
  readonly code: string;
  readonly reason: string;
}

/** What the event that asks must carry. */
export function notifyWhenCommitted(
  r: LiveRun,
  what: Pick<DecisionNotice, "kind" | "code" | "reason">,
  placed?: (runSeq: number) => void,
): Pick<PendingEvent, "onPlaced" | "onAck"> {
  let at = 0;
  return {
    onPlaced: (runSeq) => {
      at = runSeq;
      placed?.(runSeq);
    },
    onAck: () => {
      const { runId, workflowId, workflow } = r.row;
      r.host.onDecisionNeeded({ decisionId: decisionId(runId, at), ...what, runId, workflowId, workflow });
    },
  };
}

/** The code asked for it (an approval, a question), or it was logged already (a divergence): no reason for a warning. */
const expected: ReadonlySet<DecisionNotice["kind"]> = new Set(["approval", "question", "diverged"]);

/** Warns where nobody listens to what nobody asked for. The listener may fail: the decision stays in the list. */
export async function notifyListener(
  notice: DecisionNotice,
  listener: ((notice: DecisionNotice) => unknown) | null,
  log: Logger,
): Promise<void> {
  const { reason, workflowId, ...data } = notice;
  log(
    listener !== null || expected.has(notice.kind) ? "info" : "warn",
    `run ${workflowId} waits for a person: ${reason} (pawl decisions has the answers)`,
    data,
  );
  try {
    await listener?.(notice);
  } catch (e) {
    log("warn", `onDecision failed for ${notice.decisionId}: ${e instanceof Error ? e.message : String(e)}`);
  }
}
