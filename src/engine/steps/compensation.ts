// Compensations: what a run that fails or is cancelled undoes, one completed step after the other in reverse order (K19). Each is
// a step of its own, recorded with its class and key before it begins, and recovered by what was recorded. It is run as an effect or
// as a transaction, as the step that it undoes was.
import { compensationId } from "../../core/step-id.ts";
import { sha256Hex } from "../../platform/crypto/hash.ts";
import type { TxSql } from "../../store/transaction-store.ts";
import { externalResultKey } from "../effects/external-results.ts";
import { effectDraft } from "../effects/ledger.ts";
import { dispatchLedgerState, dispatchWithStart, viaOf } from "../queued/dispatch.ts";
import type { RecordedStep } from "../run/history.ts";
import type { LiveRun } from "../run/live-run.ts";
import { ActingKind } from "./acting-kind.ts";
import type { UndoPlan } from "./compensation-plan.ts";
import { OpenStep } from "./open-step.ts";
import { resumeStep } from "./resume-step.ts";
import { dispatchEffect } from "./run-effect.ts";
import { stepStartPayload } from "./step-start.ts";
import { dispatchTransaction } from "./transaction.ts";

interface CompensationBody {
  /** The transaction that takes the rows back; null: an effect undoes it. */
  readonly tx: ((sql: TxSql) => Promise<unknown>) | null;
}

class CompensationKind extends ActingKind<CompensationBody> {
  dispatch(r: LiveRun, step: OpenStep<CompensationBody>): void {
    const { tx } = step.body;
    if (step.queue?.open?.own === false) step.state = "queued";
    else if (tx === null) dispatchEffect(r, step, step.spec!);
    else dispatchTransaction(r, step, tx);
  }
  hasCompensation(): boolean {
    return false;
  }
  undoPlan(): UndoPlan | null {
    return null;
  }
}
export const compensationKind: CompensationKind = new CompensationKind();

/** Starts the next compensation; false when none is left. */
export function compensateNext(r: LiveRun): boolean {
  for (;;) {
    const undo = r.undo.takeLast();
    if (undo === undefined) return false;
    const { step, result } = undo;
    const past = r.replay.recordedStep(compensationId(step.stepId));
    if (past?.state === "completed") continue;
    if (past?.state === "failed") {
      r.undo.fail(step.stepId);
      continue;
    }
    const plan = step.kind.undoPlan(step, result, past);
    if (plan === null) continue;
    startCompensation(r, step, plan, past);
    return true;
  }
}

/** Whether an earlier owner began a compensation that this one has not taken up yet: it is open in the log, and not here. */
export function hasOpenCompensation(r: LiveRun): boolean {
  const states = r.undo.stepIds.map((stepId) => r.replay.recordedStep(compensationId(stepId))?.state);
  return states.includes("open") || states.includes("retrying");
}

function startCompensation(r: LiveRun, step: OpenStep, plan: UndoPlan, past: RecordedStep | undefined): void {
  const stepId = compensationId(step.stepId);
  const undoStep = new OpenStep<CompensationBody>(
    {
      stepId,
      name: `${step.name} (compensation)`,
      kind: compensationKind,
      body: { tx: plan.tx },
      spec: plan.spec,
      undoes: step.stepId,
      declaredAt: step.declaredAt,
      chain: null,
    },
    past?.started ?? { ...plan.start, of: step.stepId, digest: sha256Hex(`compensation|${step.stepId}`) },
    past,
  );
  r.steps.open(undoStep);
  if (past !== undefined) return resumeStep(r, undoStep);
  const key = externalResultKey(r, undoStep);
  const dispatch = dispatchWithStart(r, undoStep);
  const started = dispatch === undefined ? undoStep.started : { ...undoStep.started, via: viaOf(dispatch) };
  r.commits.append({
    eventType: "StepStarted",
    stepId,
    logical: 1,
    payload: stepStartPayload(key === null ? started : { ...started, invocation: key }, null),
    starts: undoStep,
    dispatch,
    effect: effectDraft(r, undoStep, dispatchLedgerState(dispatch)),
  });
}
