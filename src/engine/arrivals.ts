// What happened, turned into events: outcomes, retries, doubts, heartbeats, updates, control. Called by the run's loop
// only, one at a time, never while a Commit is in flight, so that the log's order is the order of delivery (K13). It
// must never start anything by itself: what an event starts, starts when it is acknowledged.
import type { Failure } from "../codec/failure.ts";
import type { StepCategory } from "../errors/flow.ts";
import { jsonObject, pawlEvents, quote } from "../log/payload.ts";
import type { InboxRow, Notice } from "../store/port.ts";
import { recordBeginning } from "./beginning.ts";
import { continueChild } from "./continue-child.ts";
import { takeControl } from "./control.ts";
import type { Creation } from "./create.ts";
import type { LiveRun } from "./live-run.ts";
import { parentNotices } from "./notices.ts";
import { told } from "./notify.ts";
import { completedWell, dispatched, effectOf, standingOfFailure } from "./ledger.ts";
import { mustBeSettled } from "./ending.ts";
import { inputOfUnsent, isEffect, type OpenStep, undoes } from "./open-step.ts";
import { completedPayload, deliverCompleted, deliverFailed, failureFrom, type Completion } from "./outcome.ts";
import { recover } from "./recover.ts";

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
  | { readonly type: "continue-child"; readonly step: OpenStep; readonly creation: Creation }
  | { readonly type: "doubt"; readonly step: OpenStep; readonly reason: string; readonly code: string }
  | { readonly type: "heartbeat"; readonly step: OpenStep; readonly detail: string; readonly done: () => void }
  | { readonly type: "update"; readonly row: InboxRow; readonly input: string; readonly handler: (input: unknown) => void }
  | { readonly type: "update-refused"; readonly row: InboxRow; readonly failure: Failure }
  | { readonly type: "signal-refused"; readonly row: InboxRow; readonly problem: string }
  | { readonly type: "control"; readonly row: InboxRow }
  | { readonly type: "deadline"; readonly notBefore: number }
  | { readonly type: "input-refused"; readonly failure: Failure };

export function takeArrival(r: LiveRun, a: Arrival): void {
  // Nothing begins while the run is paused: what would is taken again when it goes on.
  if (r.paused && (a.type === "retry" || a.type === "redispatch" || a.type === "continue-child")) return void r.held.push(a);
  switch (a.type) {
    case "completed":
      return completed(r, a);
    case "failed":
      return failed(r, a);
    case "retry":
      return retry(r, a.step, a.notBefore);
    case "redispatch":
      return redispatch(r, a);
    case "continue-child":
      return continueChild(r, a.step, a.creation);
    case "begins":
      return recordBeginning(r, a.step, a.waitedMs);
    case "doubt":
      return doubt(r, a.step, a.reason, a.code);
    case "heartbeat":
      return heartbeat(r, a.step, a.detail, a.done);
    case "update":
      return r.mailbox.acceptUpdate(a.row, a.input, a.handler);
    case "update-refused":
      return r.mailbox.refuseUpdate(a.row, a.failure);
    case "signal-refused":
      r.host.metrics.add("pawl_signals_rejected_total");
      r.pen.append({
        eventType: pawlEvents.signalRejected,
        stepId: null,
        payload: jsonObject({ name: quote(a.row.name), signalId: quote(a.row.id), problem: quote(a.problem) }),
        consumed: [a.row.inboxId],
      });
      return;
    case "control":
      return takeControl(r, a.row);
    case "deadline":
      r.deadlineTold = false;
      if (r.stopping !== null || r.end !== null || r.status !== "RUNNING") return;
      r.pen.append({
        eventType: pawlEvents.cancelRequested,
        stepId: null,
        payload: jsonObject({ category: quote("TIMEOUT") }),
        notBefore: a.notBefore,
      });
      r.stopping = { kind: "deadline" };
      return;
    case "input-refused": {
      const payload = jsonObject({ error: quote(a.failure), category: quote("INVALID_INPUT") });
      r.pen.append({ eventType: "RunFailed", stepId: null, payload, notices: parentNotices(r, "FAILED", payload) });
      return;
    }
  }
}

/** I2: an outcome is taken only for the attempt that is open; whatever comes later finds the step closed. */
function isOpen(r: LiveRun, step: OpenStep): boolean {
  return r.open.get(step.stepId) === step;
}

function completed(r: LiveRun, a: Extract<Arrival, { type: "completed" }>): void {
  const { step } = a;
  if (!isOpen(r, step)) return;
  const at = r.pen.append({
    eventType: "StepCompleted",
    stepId: step.stepId,
    logical: step.attempt,
    engine: step.engineAttempt,
    payload: completedPayload(a),
    consumed: a.consumed,
    notBefore: a.notBefore,
    effect: isEffect(step) ? effectOf(r, step, completedWell) : undefined,
    onAck: () => r.host.platform.hit(`${step.stepId}:E`),
  });
  if (isEffect(step)) r.host.metrics.effect(step.started.class, "completed");
  deliverCompleted(r, step, a.result, a.timedOut === true, at);
}

function failed(r: LiveRun, a: Extract<Arrival, { type: "failed" }>): void {
  const { step } = a;
  if (!isOpen(r, step)) return;
  const stopping = r.stopping !== null || r.end !== null;
  const retryAt = stopping && undoes(step) === null ? undefined : a.retryAt;
  if (a.via !== undefined) {
    step.maySent = false;
    step.firstAt = 0;
  } else if (a.category !== "NOT_SENT") step.maySent = true;
  const status = standingOfFailure(step, a.category, retryAt !== undefined);
  const error = { category: a.category, message: a.failure.message, diagnosis: a.diagnosis };
  const at = r.pen.append({
    eventType: "StepFailed",
    stepId: step.stepId,
    logical: step.attempt,
    engine: step.engineAttempt,
    payload: jsonObject({
      error: quote(a.failure),
      category: quote(a.category),
      retryAt: retryAt === undefined ? undefined : quote(new Date(retryAt).toISOString()),
      via: quote(a.via),
      diagnosis: quote(a.diagnosis),
    }),
    effect: isEffect(step)
      ? effectOf(r, step, { status, phase: retryAt === undefined ? "settled" : "retrying", error }, inputOfUnsent(step))
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
  if (isEffect(step)) r.host.metrics.effect(step.started.class, status);
  if (a.category === "REFUSED") r.commitAlone = true; // what the code does next may be refused again, this must not be
  deliverFailed(r, step, a.failure, a.category, at);
}

function retry(r: LiveRun, step: OpenStep, notBefore: number | undefined): void {
  if (!isOpen(r, step) || step.state !== "retrying") return;
  step.attempt++;
  step.engineAttempt = 1;
  step.state = "starting";
  step.dueAt = null;
  r.pen.append({
    eventType: "StepStarted",
    stepId: step.stepId,
    logical: step.attempt,
    payload: jsonObject({ retry: "true", declaredAt: quote(step.declaredAt ?? undefined) }),
    starts: step,
    notBefore,
    effect: effectOf(r, step, dispatched),
  });
}

/** K21: visible before it happens. K25: before its time the store refuses it. */
function redispatch(r: LiveRun, a: Extract<Arrival, { type: "redispatch" }>): void {
  const { step, diagnosis, notBefore } = a;
  const learns = a.learns === true;
  if (!isOpen(r, step)) return;
  if (!learns && mustBeSettled(r, step)) return recover(r, step); // its run began to end meanwhile
  const repeats =
    (step.work.kind === "tx" && undoes(step) === null) ||
    (step.work.kind === "effect" && (step.started.class === "UNDECLARED" || step.started.class === "REPEATABLE"));
  if (repeats && (r.end !== null || r.stopping !== null)) {
    // K19: the run is ending and nobody needs the result.
    return failed(r, {
      type: "failed",
      step,
      category: "ABANDONED",
      failure: failureFrom("PAWL1015", "the run ended before this step did"),
    });
  }
  if (step.engineAttempt >= r.host.limits.engineAttemptsMax)
    return doubt(r, step, `${step.engineAttempt} engines began this attempt and none finished it`, "PAWL2001"); // K5
  step.engineAttempt++;
  step.learns = learns;
  step.state = "starting";
  r.pen.append({
    eventType: pawlEvents.redispatched,
    stepId: null,
    payload: jsonObject({
      stepId: quote(step.stepId),
      engineAttemptId: String(step.engineAttempt),
      fence: String(r.fence.epoch),
      engine: quote(r.host.engineId()),
      diagnosis: quote(diagnosis),
      declaredAt: quote(step.declaredAt ?? undefined),
    }),
    starts: step,
    notBefore,
    effect: effectOf(r, step, diagnosis === undefined ? dispatched : { ...dispatched, error: { diagnosis } }),
  });
}

/** K27: RUNNING, waiting for a decision. I7: it is never sent again by itself. */
function doubt(r: LiveRun, step: OpenStep, reason: string, code: string): void {
  if (!isOpen(r, step) || step.state === "doubt") return;
  step.state = "doubt";
  step.abort = null;
  step.proposal = null;
  r.host.metrics.add("pawl_effects_in_doubt_total");
  r.pen.append({
    eventType: pawlEvents.inDoubt,
    stepId: null,
    payload: jsonObject({ stepId: quote(step.stepId), reason: quote(reason), code: quote(code) }),
    effect: effectOf(r, step, { status: "indeterminate", phase: "doubt", error: { code, reason } }),
    ...told(r, { kind: undoes(step) === null ? "effect" : "compensation", code, reason }, (runSeq) => (step.doubtSeq = runSeq)),
  });
}

function heartbeat(r: LiveRun, step: OpenStep, detail: string, done: () => void): void {
  if (!isOpen(r, step)) return;
  r.pen.append({
    eventType: pawlEvents.heartbeat,
    stepId: null,
    payload: jsonObject({ stepId: quote(step.stepId), attempt: String(step.attempt), detail }),
    onAck: done,
  });
}
