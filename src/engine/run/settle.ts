// How a run ends (K19): no new steps; open waits close; effects in flight are aborted, awaited up to their time limit
// and recorded; one in doubt is decided first, one that nobody approved is given up; then compensations in reverse order of completion; then the terminal
// event. Nothing follows a terminal event, ever (I8).
import { encode } from "../../codec/value.ts";
import { failureOf, type Failure } from "../../codec/failure.ts";
import type { Limits } from "../../core/limits.ts";
import { PawlError } from "../../errors/error.ts";
import { jsonObject, jsonValue } from "../../events/payload.ts";
import { compensateNext } from "../steps/compensation.ts";
import { deliverFailed, failureFrom } from "../steps/outcome.ts";
import { createCommit } from "../create-run.ts";
import { abandonedState, abandonedRetryState, effectDraft } from "../effects/ledger.ts";
import { continuesAsNew, ContinueAsNew, FailRun, isFailing, mustBeSettledFirst, mustBeUndone, type CodeEnd } from "./ending.ts";
import { cancelNotice, parentNotices } from "../messages/notices.ts";
import { reportUnawaited } from "./unawaited-steps.ts";
import type { LiveRun } from "./live-run.ts";
import { inputBeforeApproval, isEffect, type OpenStep, undoneStepId } from "../steps/open-step.ts";

/** The code returned. A result that cannot be stored fails the run as anything thrown does: what it did is undone. */
export function codeReturned(value: unknown, limits: Limits): CodeEnd {
  try {
    return { kind: "returned", result: value === undefined ? undefined : encode(value, limits, "result of the run") };
  } catch (error) {
    return { kind: "threw", error, category: "NOT_ENCODABLE" };
  }
}

/** How long an aborted effect without a limit of its own is awaited. */
const abortGraceMs = 60_000;

/** One move towards the end; false when there is nothing to do now. */
export function advanceSettling(r: LiveRun): boolean {
  if ((r.codeEnd === null && r.stopReason === null) || r.isPaused || r.replay.hasDiverged || !r.hasCode) return false;
  if (closeWaits(r)) return true;
  for (const s of r.open.values()) if (undoneStepId(s) === null) return false; // effects in flight, or in doubt
  if (r.open.size > 0) return false; // a compensation is under way
  if (isFailing(r) && compensateNext(r)) return true;
  endRun(r);
  return true;
}

function closeWaits(r: LiveRun): boolean {
  let closed = false;
  for (const s of r.open.values()) {
    if (undoneStepId(s) !== null || s.state === "doubt") continue;
    if (isEffect(s) && (s.state === "running" || s.state === "recovering")) {
      if (s.state === "running" && !s.resentToLearn) abortAndAwait(r, s); // what is only asked goes on asking
      continue;
    }
    if (s.mayHaveBeenSent && mustBeSettledFirst(r, s)) {
      // An attempt before may have been sent: the next one begins now, and is asked about before the run ends.
      if (s.state === "starting") continue;
      if (s.body.kind === "effect" && (s.body.spec.verify !== null || mustBeUndone(r, s))) {
        r.arrive({ type: "retry", step: s });
        return true;
      }
    }
    const failure = failureFrom("PAWL1032", r.stopReason === null ? "the run ended before this step did" : "the run was asked to end");
    // A retry that is due later has no open attempt; everything else closes in the log.
    if (s.state !== "retrying") {
      const at = r.commits.append({
        eventType: "StepFailed",
        stepId: s.stepId,
        logical: s.attempt,
        engine: s.engineAttempt,
        payload: jsonObject({ error: jsonValue(failure), category: jsonValue("ABANDONED") }),
        effect: effectDraft(r, s, abandonedState, inputBeforeApproval(s)),
        ...(s.body.kind === "child" && s.body.cancels && s.started.child !== undefined
          ? { notices: [cancelNotice(r, s.stepId, s.started.child.runId, "the calling run ended")] }
          : {}),
      });
      deliverFailed(r, s, failure, "ABANDONED", at);
    } else {
      const effect = effectDraft(r, s, abandonedRetryState(s));
      if (effect !== undefined) r.commits.draft.eventless.effects.push(effect);
      deliverFailed(r, s, failure, "ABANDONED", r.nowMs);
    }
    closed = true;
  }
  return closed;
}

const abortedSteps = new WeakSet<OpenStep>();
function abortAndAwait(r: LiveRun, s: OpenStep): void {
  if (abortedSteps.has(s)) return;
  abortedSteps.add(s);
  s.abort?.(new PawlError("PAWL1014", "the run is ending"));
  if (s.body.kind !== "effect" || s.body.spec.timeoutMs !== null) return; // its own limit ends the wait
  r.host.platform.timer(abortGraceMs, () =>
    r.arrive({ type: "failed", step: s, category: "ABANDONED", failure: failureFrom("PAWL1032", "it did not stop when the run ended") }),
  );
}

function endRun(r: LiveRun): void {
  r.mailbox.refusePendingUpdates(continuesAsNew(r));
  const failedUndo = r.failedCompensations.length === 0 ? undefined : jsonValue(r.failedCompensations);
  if (r.stopReason?.kind === "cancel") {
    const payload = jsonObject({ reason: jsonValue(r.stopReason.reason), compensationsFailed: failedUndo });
    r.commits.append({ eventType: "RunCancelled", stepId: null, payload, notices: parentNotices(r, "CANCELLED", payload) });
    return;
  }
  if (r.stopReason?.kind === "deadline") return failRun(r, failureFrom("PAWL1035", "the run passed its deadline"), "TIMEOUT", failedUndo);
  if (r.stopReason?.kind === "unconfirmed") return failRun(r, failureFrom("PAWL2006", r.stopReason.reason), "UNCONFIRMED", failedUndo);
  const end = r.codeEnd!;
  if (end.kind === "threw") {
    if (end.error instanceof ContinueAsNew) return continueAsNew(r, end.error.input);
    const failure = failureOf(end.error);
    return failRun(
      r,
      end.error instanceof FailRun && end.error.detail !== undefined ? { ...failure, data: end.error.detail } : failure,
      end.category ?? "FAILED",
      failedUndo,
    );
  }
  const payload = jsonObject({ result: end.result, abandoned: reportUnawaited(r) });
  r.commits.append({ eventType: "RunCompleted", stepId: null, payload, notices: parentNotices(r, "COMPLETED", payload) });
}

function failRun(r: LiveRun, failure: Failure, category: string, compensationsFailed: string | undefined): void {
  const payload = jsonObject({ error: jsonValue(failure), category: jsonValue(category), compensationsFailed });
  r.commits.append({ eventType: "RunFailed", stepId: null, payload, notices: parentNotices(r, "FAILED", payload) });
}

/** What the deadline leaves to the rest of the line; a run that is not created yet has all of it. */
function deadlineLeftMs(r: LiveRun): number | null {
  if (r.commits.create !== null) return r.commits.create.deadlineInMs;
  return r.deadlineAt === null ? null : Math.max(0, r.deadlineAt - r.host.storeNowMs());
}

function continueAsNew(r: LiveRun, input: string): void {
  const runId = r.host.platform.uuidV7();
  const child = createCommit(r.host, {
    runId,
    workflowId: r.row.workflowId,
    definition: r.definition!,
    input,
    parsed: false,
    inputDigest: r.row.inputDigest,
    supersedes: r.row.runId,
    originalRunId: r.row.runId,
    tags: r.row.tags,
    ...(r.chainDeadline ? { chainDeadline: true, deadlineMs: deadlineLeftMs(r) } : {}),
    continuedFrom: r.row.runId,
    ...(r.row.parentRunId === null ? {} : { parent: { runId: r.row.parentRunId, stepId: r.row.parentStepId! } }),
  });
  r.commits.append({
    eventType: "RunCompleted",
    stepId: null,
    payload: jsonObject({ continuedAs: jsonValue(runId), abandoned: reportUnawaited(r) }),
    child,
    moveInboxTo: runId,
  });
}
