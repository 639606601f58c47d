// What happened, turned into events: outcomes, retries, doubts, heartbeats, updates, control. Called by the run's loop
// only, one at a time, never while a Commit is in flight, so that the log's order is the order of delivery (K13). It
// must never start anything by itself: what an event starts, starts when it is acknowledged.
import type { Failure } from "../../codec/failure.ts";
import { mayRepeat } from "../../core/guarantee.ts";
import type { StepCategory } from "../../errors/step-errors.ts";
import { jsonObject, pawlEvents, jsonValue } from "../../events/payload.ts";
import type { InboxRow, Notice } from "../../store/port.ts";
import { recordBeginning } from "../effects/dispatch-age.ts";
import { recordContinuedChild } from "../steps/children/continue-child.ts";
import { takeControl } from "../messages/control.ts";
import type { Creation } from "../create-run.ts";
import type { LiveRun } from "./live-run.ts";
import { parentNotices } from "../messages/notices.ts";
import { notifyWhenCommitted } from "../decisions/decision-notice.ts";
import { completedState, dispatchedState, effectDraft, effectStatusOfFailure } from "../effects/ledger.ts";
import { mustBeSettledFirst } from "./ending.ts";
import type { ChildBody } from "../steps/children/child-body.ts";
import { inputBeforeApproval, type OpenStep } from "../steps/open-step.ts";
import { completedPayload, deliverCompleted, deliverFailed, failureFrom, type Completion } from "../steps/outcome.ts";
import { recover } from "../effects/recover.ts";

export type Arrival =
  | (Completion & {
      readonly type: "completed";
      readonly step: OpenStep;
      readonly consumed?: readonly number[];
      readonly notBefore?: number;
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
  | { readonly type: "continue-child"; readonly step: OpenStep<ChildBody>; readonly creation: Creation }
  | { readonly type: "doubt"; readonly step: OpenStep; readonly reason: string; readonly code: string }
  | { readonly type: "heartbeat"; readonly step: OpenStep; readonly detail: string; readonly done: () => void }
  /** A message of the inbox, with the function that records it. */
  | { readonly type: "message"; readonly take: () => void }
  | { readonly type: "control"; readonly row: InboxRow }
  | { readonly type: "deadline"; readonly notBefore: number }
  | { readonly type: "input-refused"; readonly failure: Failure };

export function takeArrival(r: LiveRun, a: Arrival): void {
  // Nothing begins while the run is paused: what would is taken again when it resumes.
  if (r.state.isPaused && (a.type === "retry" || a.type === "redispatch" || a.type === "continue-child")) return r.state.hold(a);
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
    case "begins":
      return recordBeginning(r, a.step, a.waitedMs);
    case "doubt":
      return takeDoubt(r, a.step, a.reason, a.code);
    case "heartbeat":
      return takeHeartbeat(r, a.step, a.detail, a.done);
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

function takeCompleted(r: LiveRun, a: Extract<Arrival, { type: "completed" }>): void {
  const { step } = a;
  if (!isStillOpen(r, step)) return;
  const at = r.commits.append({
    eventType: "StepCompleted",
    stepId: step.stepId,
    logical: step.attempt,
    engine: step.engineAttempt,
    payload: completedPayload(a),
    consumed: a.consumed,
    notBefore: a.notBefore,
    effect: step.kind.actsOutside ? effectDraft(r, step, completedState) : undefined,
    onAck: () => r.host.platform.hit(`${step.stepId}:E`),
  });
  if (step.kind.actsOutside) r.host.metrics.countEffect(step.started.class, "completed");
  deliverCompleted(r, step, a.result, a.timedOut === true, at);
}

function takeFailed(r: LiveRun, a: Extract<Arrival, { type: "failed" }>): void {
  const { step } = a;
  if (!isStillOpen(r, step)) return;
  const stopping = r.state.isEnding;
  const retryAt = stopping && step.undoes === null ? undefined : a.retryAt;
  if (a.via !== undefined) {
    step.mayHaveBeenSent = false;
    step.firstAt = 0;
  } else if (a.category !== "NOT_SENT") step.mayHaveBeenSent = true;
  const status = effectStatusOfFailure(step, a.category, retryAt !== undefined);
  const error = { category: a.category, message: a.failure.message, diagnosis: a.diagnosis };
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
    }),
    effect: step.kind.actsOutside
      ? effectDraft(r, step, { status, phase: retryAt === undefined ? "settled" : "retrying", error }, inputBeforeApproval(step))
      : undefined,
    ...(a.consumed === undefined ? {} : { consumed: a.consumed }),
    ...(a.notBefore === undefined ? {} : { notBefore: a.notBefore }),
    ...(a.notices === undefined ? {} : { notices: a.notices }),
    ...(retryAt === undefined ? { onAck: () => r.host.platform.hit(`${step.stepId}:E`) } : {}),
  });
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

function takeRetry(r: LiveRun, step: OpenStep, notBefore: number | undefined): void {
  if (!isStillOpen(r, step) || step.state !== "retrying") return;
  step.attempt++;
  step.engineAttempt = 1;
  step.state = "starting";
  step.dueAt = null;
  r.commits.append({
    eventType: "StepStarted",
    stepId: step.stepId,
    logical: step.attempt,
    payload: jsonObject({ retry: "true", declaredAt: jsonValue(step.declaredAt ?? undefined) }),
    starts: step,
    notBefore,
    effect: effectDraft(r, step, dispatchedState),
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
  if (step.engineAttempt >= r.host.limits.engineAttemptsMax)
    return takeDoubt(r, step, `${step.engineAttempt} engines began this attempt and none finished it`, "PAWL2001"); // K5
  step.engineAttempt++;
  step.resentToLearn = learns;
  step.state = "starting";
  r.commits.append({
    eventType: pawlEvents.redispatched,
    stepId: null,
    payload: jsonObject({
      stepId: jsonValue(step.stepId),
      engineAttemptId: String(step.engineAttempt),
      fence: String(r.fence.epoch),
      engine: jsonValue(r.host.engineId()),
      diagnosis: jsonValue(diagnosis),
      declaredAt: jsonValue(step.declaredAt ?? undefined),
    }),
    starts: step,
    notBefore,
    effect: effectDraft(r, step, diagnosis === undefined ? dispatchedState : { ...dispatchedState, error: { diagnosis } }),
  });
}

/** K27: RUNNING, waiting for a decision. I7: it is never sent again by itself. */
function takeDoubt(r: LiveRun, step: OpenStep, reason: string, code: string): void {
  if (!isStillOpen(r, step) || step.state === "doubt") return;
  step.state = "doubt";
  step.abort = null;
  step.proposal = null;
  r.host.metrics.add("pawl_effects_in_doubt_total");
  r.commits.append({
    eventType: pawlEvents.inDoubt,
    stepId: null,
    payload: jsonObject({ stepId: jsonValue(step.stepId), reason: jsonValue(reason), code: jsonValue(code) }),
    effect: effectDraft(r, step, { status: "indeterminate", phase: "doubt", error: { code, reason } }),
    ...notifyWhenCommitted(
      r,
      { kind: step.undoes === null ? "effect" : "compensation", code, reason },
      (runSeq) => (step.doubtSeq = runSeq),
    ),
  });
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
