// What happened, turned into events: outcomes, retries, doubts, heartbeats, updates, control. Called by the run's loop
// only, one at a time, never while a Commit is in flight, so that the log's order is the order of delivery (K13). It
// must never start anything by itself: what an event starts, starts when it is acknowledged.
import type { Failure } from "../../codec/failure.ts";
import { decode } from "../../codec/value.ts";
import { mayRepeat } from "../../core/guarantee.ts";
import type { Code } from "../../errors/catalogue.ts";
import type { StepCategory } from "../../errors/step-errors.ts";
import { jsonObject, pawlEvents, jsonValue } from "../../events/payload.ts";
import type { InboxRow, Notice } from "../../store/port.ts";
import { recordBeginning } from "../effects/dispatch-age.ts";
import { recordContinuedChild } from "../steps/children/continue-child.ts";
import { failGivenUp, takeControl } from "../messages/control.ts";
import type { Creation } from "../create-run.ts";
import type { LiveRun } from "./live-run.ts";
import { parentNotices } from "../messages/notices.ts";
import { notifyWhenCommitted } from "../decisions/decision-notice.ts";
import { completedState, effectDraft, effectStatusOfFailure, ranBy } from "../effects/ledger.ts";
import {
  claimMembers,
  closeDispatch,
  dispatchLedgerState,
  dispatchWithStart,
  makeDispatch,
  recordEnqueued,
  viaOf,
} from "../queued/dispatch.ts";
import { mustBeSettledFirst } from "./ending.ts";
import type { ChildBody } from "../steps/children/child-body.ts";
import { inputBeforeApproval, type OpenStep } from "../steps/open-step.ts";
import { completedPayload, deliverCompleted, deliverFailed, failureFrom, type Completion } from "../steps/outcome.ts";
import { recover } from "../effects/recover.ts";
import { holdStep, isHeld, skipNextAttempt } from "../decisions/hold.ts";

export type Arrival =
  | (Completion & {
      readonly type: "completed";
      readonly step: OpenStep;
      readonly consumed?: readonly number[];
      readonly notBefore?: number;
      /** Asked when its turn has come; false: it is reported another way. */
      readonly mayTake?: () => boolean;
    })
  | {
      readonly type: "failed";
      readonly step: OpenStep;
      readonly failure: Failure;
      readonly category: StepCategory;
      readonly retryAt?: number;
      /** A person, or verify when nothing could arrive any more, said that nothing happened, in this attempt or any before. */
      readonly via?: "decision" | "verify";
      readonly diagnosis?: string;
      readonly consumed?: readonly number[];
      readonly notBefore?: number;
      readonly notices?: readonly Notice[];
      /** A person has decided about this failure: it is not held again. */
      readonly decided?: true;
      /** A person skips the step. */
      readonly skips?: true;
    }
  | { readonly type: "retry"; readonly step: OpenStep; readonly notBefore?: number }
  | {
      readonly type: "redispatch";
      readonly step: OpenStep;
      readonly diagnosis?: string;
      readonly learns?: true;
      readonly notBefore?: number;
    }
  /** The effect is about to begin and its record is too old. */
  | { readonly type: "begins"; readonly step: OpenStep; readonly waitedMs: number }
  /** Nothing keeps it any more: it goes to its queue. */
  | { readonly type: "enqueue"; readonly step: OpenStep }
  | { readonly type: "continue-child"; readonly step: OpenStep<ChildBody>; readonly creation: Creation }
  | { readonly type: "doubt"; readonly step: OpenStep; readonly reason: string; readonly code: string }
  | { readonly type: "heartbeat"; readonly step: OpenStep; readonly detail: string; readonly done: () => void }
  /** Its function gave its place up, and will be called again with this detail. */
  | { readonly type: "yield"; readonly step: OpenStep; readonly detail: string }
  /** A message of the inbox, with the function that records it. */
  | { readonly type: "message"; readonly take: () => void }
  | { readonly type: "control"; readonly row: InboxRow }
  | { readonly type: "deadline"; readonly notBefore: number }
  | { readonly type: "input-refused"; readonly failure: Failure }
  /** Engine after engine died on it, and it is to fail then (AX-18). */
  | { readonly type: "given-up"; readonly reason: string };

const begins: ReadonlySet<Arrival["type"]> = new Set(["retry", "redispatch", "enqueue", "continue-child"] as const);

export function takeArrival(r: LiveRun, a: Arrival): void {
  // Nothing begins while the run is paused: what would is taken again when it resumes.
  if (r.state.isPaused && begins.has(a.type)) return r.state.hold(a);
  switch (a.type) {
    case "completed":
      return takeCompleted(r, a);
    case "failed":
      return takeFailed(r, a);
    case "retry":
      return takeRetry(r, a.step, a.notBefore);
    case "redispatch":
      return takeRedispatch(r, a);
    case "continue-child":
      return recordContinuedChild(r, a.step, a.creation);
    case "enqueue":
      return recordEnqueued(r, a.step);
    case "begins":
      return recordBeginning(r, a.step, a.waitedMs);
    case "doubt":
      return takeDoubt(r, a.step, a.reason, a.code);
    case "heartbeat":
      return takeHeartbeat(r, a.step, a.detail, a.done);
    case "yield":
      return takeYield(r, a.step, a.detail);
    case "message":
      return a.take();
    case "control":
      return takeControl(r, a.row);
    case "deadline":
      r.state.deadlineTaken();
      if (r.state.isEnding || r.status !== "RUNNING") return;
      r.commits.append({
        eventType: pawlEvents.cancelRequested,
        stepId: null,
        payload: jsonObject({ category: jsonValue("TIMEOUT") }),
        notBefore: a.notBefore,
      });
      r.state.stop({ kind: "deadline" });
      return;
    case "given-up":
      return failGivenUp(r, a.reason);
    case "input-refused": {
      const payload = jsonObject({ error: jsonValue(a.failure), category: jsonValue("INVALID_INPUT") });
      r.commits.append({ eventType: "RunFailed", stepId: null, payload, notices: parentNotices(r, "FAILED", payload) });
      return;
    }
  }
}

/** I2: an outcome is taken only for the attempt that is open; whatever comes later finds the step closed. */
function isStillOpen(r: LiveRun, step: OpenStep): boolean {
  return r.steps.isOpen(step);
}

function takeCompleted(r: LiveRun, arrived: Extract<Arrival, { type: "completed" }>): void {
  const { step } = arrived;
  if (arrived.mayTake?.() === false) return;
  const a = step.spec?.externalId === undefined ? arrived : withExternalId(arrived, step.spec.externalId);
  if (!isStillOpen(r, step)) return;
  const closing = step.queue === null ? null : closeDispatch(r, step, a.consumed);
  // A person's word is no worker's: who had it before is in the event that asked for that word.
  const facts = closing === null || a.via === "decision" ? null : closing.facts;
  const at = r.commits.append({
    eventType: "StepCompleted",
    stepId: step.stepId,
    logical: step.attempt,
    engine: step.engineAttempt,
    payload: completedPayload(a, facts === null ? undefined : claimMembers(facts)),
    consumed: closing === null ? a.consumed : closing.consumed,
    ends: closing?.ends,
    notBefore: a.notBefore,
    effect: step.kind.actsOutside ? effectDraft(r, step, ranBy(completedState, facts)) : undefined,
    onPlaced: step.spec?.given === undefined ? undefined : (runSeq) => void r.commits.outcomePlaces.set(step.stepId, runSeq),
    onAck: () => r.host.platform.hit(`${step.stepId}:E`, r.row.workflowId),
  });
  if (step.kind.actsOutside) r.host.metrics.countEffect(step.started.class, "completed");
  deliverCompleted(r, step, a.result, a.timedOut === true, at);
}

function takeFailed(r: LiveRun, a: Extract<Arrival, { type: "failed" }>): void {
  const { step } = a;
  if (!isStillOpen(r, step)) return;
  const stopping = r.state.isEnding;
  const retryAt = (stopping || (step.isUnwanted && a.skips !== true)) && step.undoes === null ? undefined : a.retryAt;
  if (retryAt === undefined && !stopping && !step.isUnwanted && isHeld(step, a)) return holdStep(r, step, a);
  if (a.via !== undefined) {
    step.mayHaveBeenSent = false;
    step.firstAt = 0;
  } else if (a.category !== "NOT_SENT") step.mayHaveBeenSent = true;
  const status = effectStatusOfFailure(step, a.category, retryAt !== undefined);
  const error = { category: a.category, message: a.failure.message, diagnosis: a.diagnosis };
  const { consumed, ends, facts } = closeDispatch(r, step, a.consumed);
  const at = r.commits.append({
    eventType: "StepFailed",
    stepId: step.stepId,
    logical: step.attempt,
    engine: step.engineAttempt,
    payload: jsonObject({
      error: jsonValue(a.failure),
      category: jsonValue(a.category),
      retryAt: retryAt === undefined ? undefined : jsonValue(new Date(retryAt).toISOString()),
      via: jsonValue(a.via),
      diagnosis: jsonValue(a.diagnosis),
      ...claimMembers(facts),
    }),
    ends,
    effect: step.kind.actsOutside
      ? effectDraft(
          r,
          step,
          ranBy({ status, phase: retryAt === undefined ? "settled" : "retrying", error }, facts),
          inputBeforeApproval(step),
        )
      : undefined,
    ...(consumed === undefined ? {} : { consumed }),
    ...(a.notBefore === undefined ? {} : { notBefore: a.notBefore }),
    ...(a.notices === undefined ? {} : { notices: a.notices }),
    ...(retryAt === undefined ? { onAck: () => r.host.platform.hit(`${step.stepId}:E`, r.row.workflowId) } : {}),
  });
  if (a.skips === true) return skipNextAttempt(r, step, "operator");
  if (retryAt !== undefined) {
    step.state = "retrying";
    step.dueAt = retryAt;
    step.abort = null;
    return;
  }
  if (step.kind.actsOutside) r.host.metrics.countEffect(step.started.class, status);
  if (a.category === "REFUSED") r.state.commitFirst(); // what the code does next may be refused again, this must not be
  deliverFailed(r, step, a.failure, a.category, at);
}

/** What its author's function throws, or anything but text, says nothing: the outcome is what counts. */
function withExternalId<A extends Extract<Arrival, { type: "completed" }>>(a: A, externalId: (result: unknown) => unknown): A {
  try {
    const id = a.result === null ? undefined : externalId(decode(a.result));
    return typeof id === "string" ? { ...a, externalId: id } : a;
  } catch {
    return a;
  }
}

function takeRetry(r: LiveRun, step: OpenStep, notBefore: number | undefined): void {
  if (!isStillOpen(r, step) || step.state !== "retrying") return;
  step.attempt++;
  step.engineAttempt = 1;
  step.state = "starting";
  step.dueAt = null;
  const dispatch = dispatchWithStart(r, step);
  r.commits.append({
    eventType: "StepStarted",
    stepId: step.stepId,
    logical: step.attempt,
    payload: jsonObject({ retry: "true", via: jsonValue(viaOf(dispatch)), declaredAt: jsonValue(step.declaredAt ?? undefined) }),
    starts: step,
    notBefore,
    dispatch,
    effect: effectDraft(r, step, dispatchLedgerState(dispatch)),
  });
}

/** K21: visible before it happens. K25: before its time the store refuses it. */
function takeRedispatch(r: LiveRun, a: Extract<Arrival, { type: "redispatch" }>): void {
  const { step, diagnosis, notBefore } = a;
  const learns = a.learns === true;
  if (!isStillOpen(r, step)) return;
  if (!learns && mustBeSettledFirst(r, step)) return recover(r, step); // its run began to end meanwhile
  const isRepeatable = step.spec === null || mayRepeat(step.started.class ?? "UNDECLARED");
  if (isRepeatable && step.undoes === null && r.state.isEnding) {
    // K19: the run is ending and nobody needs the result.
    return takeFailed(r, {
      type: "failed",
      step,
      category: "ABANDONED",
      failure: failureFrom("PAWL1032", "the run ended before this step did"),
    });
  }
  if (step.engineAttempt >= r.host.limits.engineAttemptsMax) {
    const reason = `${step.engineAttempt} engines began this attempt and none finished it`;
    if (r.host.onGivenUp === "fail") return failGivenUp(r, `step ${step.stepId}: ${reason}`);
    return takeDoubt(r, step, reason, "PAWL2001"); // K5
  }
  const { consumed, ends, facts } = closeDispatch(r, step);
  step.engineAttempt++;
  step.resentToLearn = learns;
  step.state = "starting";
  const queued = step.spec?.queued ?? null;
  const dispatch = queued === null ? undefined : makeDispatch(r, step, step.spec!, queued);
  const state = ranBy(dispatchLedgerState(dispatch), facts);
  r.commits.append({
    eventType: pawlEvents.redispatched,
    stepId: null,
    payload: jsonObject({
      stepId: jsonValue(step.stepId),
      engineAttemptId: String(step.engineAttempt),
      fence: String(r.fence.epoch),
      engine: jsonValue(r.host.engineId()),
      diagnosis: jsonValue(diagnosis),
      via: jsonValue(viaOf(dispatch)),
      ...claimMembers(facts),
      declaredAt: jsonValue(step.declaredAt ?? undefined),
    }),
    starts: step,
    notBefore,
    consumed,
    ends,
    dispatch,
    effect: effectDraft(r, step, diagnosis === undefined ? state : { ...state, error: { diagnosis } }),
  });
}

/** K27: RUNNING, waiting for a decision. I7: it is never sent again by itself. */
function takeDoubt(r: LiveRun, step: OpenStep, reason: string, code: string): void {
  if (!isStillOpen(r, step) || step.state === "doubt") return;
  if (step.spec?.failsInDoubt === true)
    return takeFailed(r, {
      type: "failed",
      step,
      category: "INDETERMINATE",
      failure: failureFrom(code as Code, reason),
      diagnosis: reason,
    });
  step.state = "doubt";
  step.abort = null;
  step.proposal = null;
  const { consumed, ends, facts } = closeDispatch(r, step);
  r.host.metrics.add("pawl_effects_in_doubt_total");
  r.commits.append({
    eventType: pawlEvents.inDoubt,
    stepId: null,
    payload: jsonObject({ stepId: jsonValue(step.stepId), reason: jsonValue(reason), code: jsonValue(code), ...claimMembers(facts) }),
    consumed,
    ends,
    effect: effectDraft(r, step, ranBy({ status: "indeterminate", phase: "doubt", error: { code, reason } }, facts)),
    ...notifyWhenCommitted(
      r,
      { kind: step.undoes === null ? "effect" : "compensation", code, reason },
      (runSeq) => (step.doubtSeq = runSeq),
    ),
  });
}

/** TX-12: where it continues is recorded before it does. The step stays open; engines that begin it are counted from one again. */
function takeYield(r: LiveRun, step: OpenStep, detail: string): void {
  if (!isStillOpen(r, step)) return;
  if (r.state.isEnding && step.undoes === null)
    return takeFailed(r, {
      type: "failed",
      step,
      category: "ABANDONED",
      failure: failureFrom("PAWL1032", "the run ended before this step did"),
    });
  const { consumed, ends, facts } = closeDispatch(r, step);
  step.heartbeat = decode(detail);
  step.mayHaveBeenSent = true; // nobody says what it did before it gave its place up
  step.engineAttempt = 1;
  step.abort = null;
  const isPaused = r.state.isPaused;
  step.state = isPaused ? "recovering" : "starting";
  const queued = isPaused ? null : (step.spec?.queued ?? null);
  const dispatch = queued === null ? undefined : makeDispatch(r, step, step.spec!, queued);
  const members = { via: jsonValue(viaOf(dispatch)), ...claimMembers(facts) };
  r.commits.append({
    eventType: pawlEvents.yielded,
    stepId: null,
    payload: jsonObject({ stepId: jsonValue(step.stepId), attempt: String(step.attempt), detail, ...members }),
    starts: isPaused ? undefined : step,
    consumed,
    ends,
    dispatch,
    effect: effectDraft(r, step, ranBy(dispatchLedgerState(dispatch), facts)),
  });
  if (isPaused) r.state.hold({ type: "redispatch", step });
}

function takeHeartbeat(r: LiveRun, step: OpenStep, detail: string, done: () => void): void {
  if (!isStillOpen(r, step)) return;
  r.commits.append({
    eventType: pawlEvents.heartbeat,
    stepId: null,
    payload: jsonObject({ stepId: jsonValue(step.stepId), attempt: String(step.attempt), detail }),
    onAck: done,
  });
}
