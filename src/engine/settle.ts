// How a run ends (K19): no new steps; open waits close; effects in flight are aborted, awaited up to their time limit
// and recorded; one in doubt is decided first, one that nobody approved is given up; then compensations in reverse order of completion; then the terminal
// event. Nothing follows a terminal event, ever (I8).
import { encode } from "../codec/value.ts";
import { failureOf, type Failure } from "../codec/failure.ts";
import type { Limits } from "../core/limits.ts";
import { PawlError } from "../errors/error.ts";
import { jsonObject, quote } from "../log/payload.ts";
import { compensateNext } from "./compensate.ts";
import { deliverFailed, failureFrom } from "./outcome.ts";
import { createCommit } from "./create.ts";
import { abandoned, abandonedRetry, effectOf } from "./ledger.ts";
import { continues, ContinueAsNew, FailRun, isFailing, mustBeSettled, toBeUndone, type CodeEnd } from "./ending.ts";
import { cancelNotice, parentNotices } from "./notices.ts";
import { leftBehind } from "./left-behind.ts";
import type { LiveRun } from "./live-run.ts";
import { inputOfUnsent, isEffect, type OpenStep, undoes } from "./open-step.ts";

/** The code returned. A result that cannot be stored fails the run as anything thrown does: what it did is undone. */
export function returned(value: unknown, limits: Limits): CodeEnd {
  try {
    return { kind: "returned", result: value === undefined ? undefined : encode(value, limits, "result of the run") };
  } catch (error) {
    return { kind: "threw", error, category: "NOT_ENCODABLE" };
  }
}

/** How long an aborted effect without a limit of its own is awaited. */
const drainMs = 60_000;

/** One move towards the end; false when there is nothing to do now. */
export function advanceSettling(r: LiveRun): boolean {
  if ((r.end === null && r.stopping === null) || r.paused || r.replay.diverged || !r.hasCode) return false;
  if (closeWaits(r)) return true;
  for (const s of r.open.values()) if (undoes(s) === null) return false; // effects in flight, or in doubt
  if (r.open.size > 0) return false; // a compensation is under way
  if (isFailing(r) && compensateNext(r)) return true;
  finish(r);
  return true;
}

function closeWaits(r: LiveRun): boolean {
  let closed = false;
  for (const s of r.open.values()) {
    if (undoes(s) !== null || s.state === "doubt") continue;
    if (isEffect(s) && (s.state === "running" || s.state === "recovering")) {
      if (s.state === "running" && !s.learns) drain(r, s); // what is only asked goes on asking
      continue;
    }
    if (s.maySent && mustBeSettled(r, s)) {
      // An attempt before may have been sent: the next one begins now, and is asked about before the run ends.
      if (s.state === "starting") continue;
      if (s.work.kind === "effect" && (s.work.spec.verify !== null || toBeUndone(r, s))) {
        r.arrive({ type: "retry", step: s });
        return true;
      }
    }
    const failure = failureFrom("PAWL1015", r.stopping === null ? "the run ended before this step did" : "the run was asked to end");
    // A retry that is due later has no open attempt; everything else closes in the log.
    if (s.state !== "retrying") {
      const at = r.pen.append({
        eventType: "StepFailed",
        stepId: s.stepId,
        logical: s.attempt,
        engine: s.engineAttempt,
        payload: jsonObject({ error: quote(failure), category: quote("ABANDONED") }),
        effect: effectOf(r, s, abandoned, inputOfUnsent(s)),
        ...(s.work.kind === "child" && s.work.cancels && s.started.child !== undefined
          ? { notices: [cancelNotice(r, s.stepId, s.started.child.runId, "the calling run ended")] }
          : {}),
      });
      deliverFailed(r, s, failure, "ABANDONED", at);
    } else {
      const effect = effectOf(r, s, abandonedRetry(s));
      if (effect !== undefined) r.pen.draft.loose.effects.push(effect);
      deliverFailed(r, s, failure, "ABANDONED", r.nowMs);
    }
    closed = true;
  }
  return closed;
}

const draining = new WeakSet<OpenStep>();
function drain(r: LiveRun, s: OpenStep): void {
  if (draining.has(s)) return;
  draining.add(s);
  s.abort?.(new PawlError("PAWL1014", "the run is ending"));
  if (s.work.kind !== "effect" || s.work.spec.timeoutMs !== null) return; // its own limit ends the wait
  r.host.platform.timer(drainMs, () =>
    r.arrive({ type: "failed", step: s, category: "ABANDONED", failure: failureFrom("PAWL4006", "it did not stop when the run ended") }),
  );
}

function finish(r: LiveRun): void {
  r.mailbox.refuseAllUpdates(continues(r));
  const failedUndo = r.uncompensated.length === 0 ? undefined : quote(r.uncompensated);
  if (r.stopping?.kind === "cancel") {
    const payload = jsonObject({ reason: quote(r.stopping.reason), compensationsFailed: failedUndo });
    r.pen.append({ eventType: "RunCancelled", stepId: null, payload, notices: parentNotices(r, "CANCELLED", payload) });
    return;
  }
  if (r.stopping?.kind === "deadline") return fail(r, failureFrom("PAWL4006", "the run passed its deadline"), "TIMEOUT", failedUndo);
  if (r.stopping?.kind === "unconfirmed") return fail(r, failureFrom("PAWL2006", r.stopping.reason), "UNCONFIRMED", failedUndo);
  const end = r.end!;
  if (end.kind === "threw") {
    if (end.error instanceof ContinueAsNew) return continueAsNew(r, end.error.input);
    const failure = failureOf(end.error);
    return fail(
      r,
      end.error instanceof FailRun && end.error.detail !== undefined ? { ...failure, data: end.error.detail } : failure,
      end.category ?? "FAILED",
      failedUndo,
    );
  }
  const payload = jsonObject({ result: end.result, abandoned: leftBehind(r) });
  r.pen.append({ eventType: "RunCompleted", stepId: null, payload, notices: parentNotices(r, "COMPLETED", payload) });
}

function fail(r: LiveRun, failure: Failure, category: string, compensationsFailed: string | undefined): void {
  const payload = jsonObject({ error: quote(failure), category: quote(category), compensationsFailed });
  r.pen.append({ eventType: "RunFailed", stepId: null, payload, notices: parentNotices(r, "FAILED", payload) });
}

/** What the deadline leaves to the rest of the line; a run that is not created yet has all of it. */
function leftMs(r: LiveRun): number | null {
  if (r.pen.create !== null) return r.pen.create.deadlineInMs;
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
    ...(r.lineDeadline ? { lineDeadline: true, deadlineMs: leftMs(r) } : {}),
    continuedFrom: r.row.runId,
    ...(r.row.parentRunId === null ? {} : { parent: { runId: r.row.parentRunId, stepId: r.row.parentStepId! } }),
  });
  r.pen.append({
    eventType: "RunCompleted",
    stepId: null,
    payload: jsonObject({ continuedAs: quote(runId), abandoned: leftBehind(r) }),
    child,
    moveInboxTo: runId,
  });
}
