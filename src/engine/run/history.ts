// A run's log, read once, as replay needs it: the schedule (what was delivered to the code and what it called, in order), what is known
// of each step, and where the log ends. It decides nothing and calls nobody; a StepFailed that was retried is part of a step's past,
// not of the schedule (K13).
import { isCalledByCode } from "../../core/step-kind-facts.ts";
import { applyTransition, emptyDerived, type Derived } from "../../core/transitions.ts";
import type { EventRecord } from "../../store/port.ts";
import {
  isGatedByRunChain,
  pawlEvents,
  readPayload,
  type AnswerPayload,
  type ChildRef,
  type RunStartPayload,
  type StepCompletedPayload,
  type StepFailedPayload,
  type StepStartedPayload,
} from "../../events/payload.ts";

import { ConfirmationRecord } from "../effects/confirm-record.ts";
import type { Proposal } from "../steps/open-step.ts";
import { recordedActivation } from "../telemetry/run-trace.ts";

/** One line of the schedule. */
export type ScheduleEntry =
  | { readonly type: "call"; readonly stepId: string; readonly started: StepStartedPayload; readonly runSeq: number }
  | { readonly type: "outcome"; readonly stepId: string; readonly outcome: RecordedOutcome; readonly emittedAt: number }
  | { readonly type: "patched"; readonly id: string }
  | { readonly type: "update"; readonly update: RecordedUpdate; readonly emittedAt: number }
  | { readonly type: "paused" }
  | { readonly type: "resumed" }
  /** A cancel was taken, or the deadline passed (category TIMEOUT). */
  | { readonly type: "cancel"; readonly reason: string | undefined; readonly category: string | undefined };

export type RecordedOutcome =
  | { readonly ok: true; readonly payload: StepCompletedPayload; readonly runSeq: number; readonly eventId: string }
  | { readonly ok: false; readonly payload: StepFailedPayload; readonly runSeq: number };

export interface RecordedUpdate {
  readonly updateId: string;
  readonly name: string;
  readonly input: unknown;
  readonly inboxId: number;
}

/** What the log knows of one step. */
export interface RecordedStep {
  readonly stepId: string;
  started: StepStartedPayload;
  readonly runSeq: number;
  attempt: number;
  /** 1 + re-dispatches of the current logical attempt (K21). */
  engineAttempt: number;
  /** 0: a person vouched that nothing was sent before, and nothing was since. */
  firstAt: number;
  /** When the latest attempt was dispatched or re-dispatched. */
  lastAt: number;
  state: "open" | "retrying" | "completed" | "failed";
  retryAt: number | null;
  heartbeat: unknown;
  inDoubt: string | null;
  /** The event that put it in doubt; 0 if none ever did. */
  doubtSeq: number;
  /** It needs a person's approval and has none: it was never sent, and cannot have been. */
  awaitingApproval: boolean;
  /** An attempt that is over may have reached the receiver. */
  mayHaveBeenSent: boolean;
  proposal: Proposal | null;
  outcome: RecordedOutcome | null;
}

export interface History {
  readonly schedule: readonly ScheduleEntry[];
  readonly steps: ReadonlyMap<string, RecordedStep>;
  readonly derived: Derived;
  readonly start: RunStartPayload;
  readonly startedEmittedAt: number | null;
  readonly lastEmittedAt: number;
  /** The store's time of the head event: the next one seals it (K22). */
  readonly lastPersistedAt: number | null;
  /** How many events of each repeatable run-level type there are: their ordinals (K21). */
  readonly ordinals: Map<string, number>;
  readonly updatesCompleted: ReadonlySet<string>;
  readonly viewsPublished: number;
  readonly callsRefused: number;
  readonly decision: string | null;
  /** Earlier runs of the chain whose logs are gone, and which a person let it continue without. */
  readonly goneWithout: ReadonlySet<string>;
  readonly confirmations: ConfirmationRecord;
  /** Paused because code and log disagree. */
  readonly diverged: boolean;
  /** The event by which the run as a whole asks a person, while nobody has answered. */
  readonly asksAt: number | null;
  /** Its last seal: the place in the log, and the store's time. */
  readonly lastSeal: { readonly runSeq: number; readonly at: number } | null;
  /** The span of the activation that last wrote to it, as W3C trace context. */
  readonly lastActivation: string | null;
}

export function readHistory(events: Iterable<EventRecord>): History {
  const schedule: ScheduleEntry[] = [];
  const steps = new Map<string, RecordedStep>();
  const derived = emptyDerived();
  const ordinals = new Map<string, number>();
  const updatesCompleted = new Set<string>();
  const confirmations = new ConfirmationRecord();
  let start: RunStartPayload = {};
  let startedEmittedAt: number | null = null;
  let lastEmittedAt = 0;
  let lastPersistedAt: number | null = null;
  let viewsPublished = 0;
  let callsRefused = 0;
  let decision: string | null = null;
  let diverged = false;
  let asksAt: number | null = null;
  let lost: string | undefined;
  const goneWithout = new Set<string>();
  let lastSeal: History["lastSeal"] = null;
  let lastActivation: string | null = null;

  for (const e of events) {
    lastEmittedAt = Math.max(lastEmittedAt, e.emittedAt);
    lastPersistedAt = e.persistedAt;
    applyTransition(derived, e);
    if (e.stepId === null) ordinals.set(e.eventType, (ordinals.get(e.eventType) ?? 0) + 1);
    confirmations.addEvent(e);
    lastActivation = recordedActivation(e.payload) ?? lastActivation;
    switch (e.eventType) {
      case "RunQueued":
      case "RunStarted":
        start = { ...start, ...readPayload<RunStartPayload>(e.payload) };
        if (e.eventType === "RunStarted") startedEmittedAt = e.emittedAt;
        break;
      case "StepStarted": {
        const past = steps.get(e.stepId!);
        if (past === undefined) {
          const started = readPayload<StepStartedPayload>(e.payload);
          steps.set(e.stepId!, newRecordedStep(e, started));
          if (isCalledByCode(started.kind)) schedule.push({ type: "call", stepId: e.stepId!, started, runSeq: e.runSeq });
        } else {
          Object.assign(past, { attempt: e.logicalAttemptId, engineAttempt: 1, lastAt: e.persistedAt, state: "open", retryAt: null });
          if (past.firstAt === 0) past.firstAt = e.persistedAt;
        }
        break;
      }
      case "StepCompleted":
      case "StepFailed":
        recordOutcome(e, steps, schedule);
        break;
      case "RunPaused":
        diverged = readPayload<{ category?: string }>(e.payload).category === "DIVERGED";
        if (diverged) asksAt = e.runSeq;
        schedule.push({ type: "paused" });
        break;
      case "RunResumed":
        diverged = false;
        asksAt = null;
        schedule.push({ type: "resumed" });
        break;
      case pawlEvents.redispatched: {
        const p = readPayload<{ stepId: string; engineAttemptId: number }>(e.payload);
        const past = steps.get(p.stepId);
        if (past !== undefined) Object.assign(past, { engineAttempt: p.engineAttemptId, lastAt: e.persistedAt, mayHaveBeenSent: true });
        break;
      }
      case pawlEvents.childContinued: {
        const p = readPayload<{ stepId: string; child: ChildRef }>(e.payload);
        const past = steps.get(p.stepId);
        if (past !== undefined) past.started = { ...past.started, child: p.child };
        break;
      }
      case pawlEvents.begins: {
        const past = steps.get(readPayload<{ stepId: string }>(e.payload).stepId);
        if (past !== undefined) past.lastAt = e.persistedAt;
        break;
      }
      case pawlEvents.heartbeat: {
        const p = readPayload<{ stepId: string; detail: unknown }>(e.payload);
        const past = steps.get(p.stepId);
        if (past !== undefined) past.heartbeat = p.detail;
        break;
      }
      case pawlEvents.inDoubt: {
        const p = readPayload<{ stepId: string; reason: string }>(e.payload);
        const past = steps.get(p.stepId);
        if (past !== undefined) Object.assign(past, { inDoubt: p.reason, doubtSeq: e.runSeq, proposal: null });
        break;
      }
      case pawlEvents.decisionProposed: {
        const p = readPayload<AnswerPayload>(e.payload);
        const past = steps.get(p.stepId ?? "");
        if (past !== undefined) past.proposal = proposalOf(p);
        break;
      }
      case pawlEvents.patched:
        schedule.push({ type: "patched", id: readPayload<{ id: string }>(e.payload).id });
        break;
      case pawlEvents.updateAccepted:
        schedule.push({ type: "update", update: readPayload<RecordedUpdate>(e.payload), emittedAt: e.emittedAt });
        break;
      case pawlEvents.updateCompleted:
        updatesCompleted.add(readPayload<{ updateId: string }>(e.payload).updateId);
        break;
      case pawlEvents.cancelRequested:
        schedule.push({
          type: "cancel",
          reason: undefined,
          category: undefined,
          ...readPayload<{ reason?: string; category?: string }>(e.payload),
        });
        break;
      case pawlEvents.view:
        viewsPublished++;
        break;
      case pawlEvents.callRefused:
        callsRefused++;
        break;
      case pawlEvents.decisionNeeded:
        ({ reason: decision, lost } = readPayload<{ reason: string; lost?: string }>(e.payload));
        asksAt = e.runSeq;
        break;
      case pawlEvents.decisionAnswered: {
        const p = readPayload<AnswerPayload>(e.payload);
        const past = steps.get(p.stepId ?? "");
        if (p.answer === "approve" && past !== undefined)
          Object.assign(past, { awaitingApproval: false, proposal: null, firstAt: e.persistedAt, lastAt: e.persistedAt });
        // An effect stays in doubt until the outcome that follows its answer.
        if (p.stepId !== undefined) break;
        decision = asksAt = null;
        if (lost !== undefined) goneWithout.add(lost);
        break;
      }
      case pawlEvents.sealed:
        lastSeal = { runSeq: e.runSeq, at: e.persistedAt };
        break;
      default: // D-016: unknown events are tolerated and change nothing
    }
  }
  return {
    schedule,
    steps,
    derived,
    start,
    startedEmittedAt,
    lastEmittedAt,
    lastPersistedAt,
    ordinals,
    updatesCompleted,
    viewsPublished,
    callsRefused,
    decision,
    goneWithout,
    confirmations,
    diverged,
    asksAt,
    lastSeal,
    lastActivation,
  };
}

function newRecordedStep(e: EventRecord, started: StepStartedPayload): RecordedStep {
  const gated = isGatedByRunChain(started) ? started.line : undefined;
  return {
    stepId: e.stepId!,
    started,
    runSeq: e.runSeq,
    attempt: e.logicalAttemptId,
    engineAttempt: 1,
    // A start that follows from the chain is no send by itself: what counts is when the chain sent it.
    firstAt: gated?.firstAt ?? e.persistedAt,
    lastAt: gated?.lastAt ?? e.persistedAt,
    state: "open",
    retryAt: null,
    heartbeat: undefined,
    inDoubt: null,
    doubtSeq: started.approve === true ? e.runSeq : 0,
    awaitingApproval: started.approve === true,
    mayHaveBeenSent: gated !== undefined && started.approve !== true,
    proposal: null,
    outcome: null,
  };
}

export function proposalOf(p: AnswerPayload): Proposal {
  const tokenBy = p.tokenBy === undefined ? {} : { tokenBy: p.tokenBy };
  return { by: p.by ?? "", answer: p.answer, result: p.result === undefined ? null : JSON.stringify(p.result), ...tokenBy };
}

function recordOutcome(e: EventRecord, steps: Map<string, RecordedStep>, schedule: ScheduleEntry[]): void {
  const past = steps.get(e.stepId!);
  if (past === undefined) return;
  past.inDoubt = null;
  if (e.eventType === "StepFailed") {
    const payload = readPayload<StepFailedPayload>(e.payload);
    if (payload.via !== undefined) {
      // A person or verify vouched for every attempt so far: what is sent next is the first that counts.
      past.mayHaveBeenSent = false;
      past.firstAt = 0;
    } else if (payload.category !== "NOT_SENT" && !past.awaitingApproval) past.mayHaveBeenSent = true;
    if (payload.retryAt !== undefined) {
      past.state = "retrying";
      past.retryAt = Date.parse(payload.retryAt);
      return;
    }
    past.state = "failed";
    past.outcome = { ok: false, payload, runSeq: e.runSeq };
  } else {
    past.state = "completed";
    past.outcome = { ok: true, payload: readPayload<StepCompletedPayload>(e.payload), runSeq: e.runSeq, eventId: e.eventId };
  }
  if (isCalledByCode(past.started.kind))
    schedule.push({ type: "outcome", stepId: past.stepId, outcome: past.outcome, emittedAt: e.emittedAt });
}
