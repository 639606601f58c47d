// The one fold of a run's log: event by event, what the run stands at. It runs no code of the author's, decides nothing and calls nobody, so
// that an owner, a later owner and `pawl doctor` all get the same from the same events. What becomes of a step that has ended is left to the
// two who use it: a history keeps everything, as replay needs it (history.ts); a base only what a run needs to continue (../snapshot/base.ts).
import { isCalledByCode } from "../../core/step-kind-facts.ts";
import { applyTransition, emptyDerived, type Derived } from "../../core/transitions.ts";
import {
  pawlEvents,
  readPayload,
  type AnswerPayload,
  type ChildRef,
  type ClaimPayload,
  type DispatchVia,
  type RunStartPayload,
  type StepFailedPayload,
  type StepSkippedPayload,
  type StepHeldPayload,
  type StepStartedPayload,
} from "../../events/payload.ts";
import { ConfirmationRecord } from "../effects/confirm-record.ts";
import { recordedActivation } from "../telemetry/run-trace.ts";
import {
  newRecordedStep,
  noteClaim,
  noteDispatch,
  proposalOf,
  voteOf,
  endOfSkipped,
  type FoldedEvent,
  type RecordedStep,
} from "./recorded-step.ts";

export interface RecordedUpdate {
  readonly updateId: string;
  readonly name: string;
  readonly input: unknown;
  readonly inboxId: number;
}
/** A cancel was taken, or the deadline passed (category TIMEOUT). */
export interface RecordedStop {
  readonly reason: string | undefined;
  readonly category: string | undefined;
}

export abstract class LogFold {
  readonly steps: Map<string, RecordedStep> = new Map();
  readonly derived: Derived = emptyDerived();
  /** How many events of each repeatable run-level type there are: their ordinals (K21). */
  readonly ordinals: Map<string, number> = new Map();
  readonly confirmations: ConfirmationRecord = new ConfirmationRecord();
  /** Earlier runs of the chain whose logs are gone, and which a person let it continue without. */
  readonly goneWithout: Set<string> = new Set();
  start: RunStartPayload = {};
  startedEmittedAt: number | null = null;
  lastEmittedAt: number = 0;
  /** The store's time of the head event: the next one seals it (K22). */
  lastPersistedAt: number | null = null;
  viewsPublished: number = 0;
  callsRefused: number = 0;
  decision: string | null = null;
  /** The log of an earlier run that the open decision is about. */
  lost: string | undefined;
  /** Paused because code and log disagree. */
  diverged: boolean = false;
  /** The event by which the run as a whole asks a person, while nobody has answered. */
  asksAt: number | null = null;
  /** Its last seal: the place in the log, and the store's time. */
  lastSeal: { readonly runSeq: number; readonly at: number } | null = null;
  /** The span of the activation that last wrote to it, as W3C trace context. */
  lastActivation: string | null = null;

  /** The first start of a step. */
  protected abstract onStarted(step: RecordedStep, e: FoldedEvent): void;
  /** Its end, recorded for good; `failed` is the payload of a failure. An end without a start has no step. */
  protected abstract onEnded(step: RecordedStep | undefined, e: FoldedEvent, failed: StepFailedPayload | undefined): void;
  /** A step that the plan skipped; what a step of it planned. */
  protected abstract onPlanned(type: "skip" | "plan", stepId: string, e: FoldedEvent): void;
  protected abstract onPaused(isPaused: boolean): void;
  protected abstract onPatched(id: string): void;
  protected abstract onUpdate(update: RecordedUpdate, e: FoldedEvent): void;
  protected abstract onUpdateAnswered(updateId: string): void;
  protected abstract onStop(stop: RecordedStop): void;
  /** An event that its author's style records, and that replay compares. */
  protected abstract onMark(e: FoldedEvent): void;

  add(e: FoldedEvent): void {
    if (e.emittedAt > this.lastEmittedAt) this.lastEmittedAt = e.emittedAt;
    this.lastPersistedAt = e.persistedAt;
    applyTransition(this.derived, e);
    if (e.stepId === null) this.ordinals.set(e.eventType, (this.ordinals.get(e.eventType) ?? 0) + 1);
    this.confirmations.addEvent(e);
    this.lastActivation = recordedActivation(e.payload) ?? this.lastActivation;
    switch (e.eventType) {
      case "RunQueued":
      case "RunStarted":
        this.start = { ...this.start, ...readPayload<RunStartPayload>(e.payload) };
        if (e.eventType === "RunStarted") this.startedEmittedAt = e.emittedAt;
        return;
      case "StepStarted":
        return this.#addStart(e);
      case "StepCompleted": {
        const past = this.steps.get(e.stepId!);
        if (past !== undefined) {
          past.inDoubt = past.held = null;
          past.state = "completed";
        }
        return this.onEnded(past, e, undefined);
      }
      case "StepFailed":
        return this.#addFailure(e);
      case "StepSkipped":
        return this.#addSkip(e);
      case pawlEvents.planned:
        return this.onPlanned("plan", readPayload<{ by: string }>(e.payload).by, e);
      case "RunPaused":
        this.diverged = readPayload<{ category?: string }>(e.payload).category === "DIVERGED";
        if (this.diverged) this.asksAt = e.runSeq;
        return this.onPaused(true);
      case "RunResumed":
        this.diverged = false;
        this.asksAt = null;
        return this.onPaused(false);
      case pawlEvents.patched:
        return this.onPatched(readPayload<{ id: string }>(e.payload).id);
      case pawlEvents.updateAccepted:
        return this.onUpdate(readPayload<RecordedUpdate>(e.payload), e);
      case pawlEvents.updateCompleted:
        return this.onUpdateAnswered(readPayload<{ updateId: string }>(e.payload).updateId);
      case pawlEvents.cancelRequested:
        return this.onStop({
          reason: undefined,
          category: undefined,
          ...readPayload<{ reason?: string; category?: string }>(e.payload),
        });
      case pawlEvents.view:
        this.viewsPublished++;
        return;
      case pawlEvents.callRefused:
        this.callsRefused++;
        return;
      case pawlEvents.decisionNeeded:
        ({ reason: this.decision, lost: this.lost } = readPayload<{ reason: string; lost?: string }>(e.payload));
        this.asksAt = e.runSeq;
        return;
      case pawlEvents.decisionAnswered:
        return this.#addAnswer(e);
      case pawlEvents.sealed:
        this.lastSeal = { runSeq: e.runSeq, at: e.persistedAt };
        return;
      case pawlEvents.superstep:
      case pawlEvents.superstepPart:
      case pawlEvents.backpressure:
        return this.onMark(e);
      default:
        this.#addStepNews(e);
    }
  }

  #addStart(e: FoldedEvent): void {
    const past = this.steps.get(e.stepId!);
    if (past === undefined) {
      const step = newRecordedStep(e, readPayload<StepStartedPayload>(e.payload));
      this.steps.set(e.stepId!, step);
      return this.onStarted(step, e);
    }
    past.attempt = e.logicalAttemptId;
    past.engineAttempt = 1;
    past.state = "open";
    past.retryAt = null;
    noteDispatch(past, e, readPayload<{ via?: DispatchVia }>(e.payload).via);
  }

  #addFailure(e: FoldedEvent): void {
    const past = this.steps.get(e.stepId!);
    const payload = readPayload<StepFailedPayload>(e.payload);
    if (past !== undefined) {
      past.inDoubt = past.held = null;
      noteClaim(past, payload);
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
    }
    this.onEnded(past, e, payload);
  }

  /** By the plan; or by a person, of a step that was called: the code learns it as its outcome. */
  #addSkip(e: FoldedEvent): void {
    const past = this.steps.get(e.stepId!);
    if (past === undefined) return this.onPlanned("skip", e.stepId!, e);
    past.skipping = false;
    past.attempt = e.logicalAttemptId;
    past.engineAttempt = 1;
    past.state = "failed";
    past.retryAt = null;
    this.onEnded(past, e, endOfSkipped(readPayload<StepSkippedPayload>(e.payload)));
  }

  #addAnswer(e: FoldedEvent): void {
    const p = readPayload<AnswerPayload>(e.payload);
    const past = this.steps.get(p.stepId ?? "");
    if (p.answer === "skip" && past !== undefined) past.skipping = true;
    if (p.answer === "approve" && past !== undefined) {
      past.awaitingApproval = false;
      past.proposal = null;
      past.firstAt = past.lastAt = e.persistedAt;
    }
    // An effect stays in doubt until the outcome that follows its answer.
    if (p.stepId !== undefined) return;
    this.decision = this.asksAt = null;
    if (this.lost !== undefined) this.goneWithout.add(this.lost);
  }

  /** Events that say more of a step that has begun. D-016: unknown events are tolerated and change nothing. */
  #addStepNews(e: FoldedEvent): void {
    switch (e.eventType) {
      case pawlEvents.redispatched: {
        const p = readPayload<{ stepId: string; engineAttemptId: number; via?: DispatchVia } & ClaimPayload>(e.payload);
        const past = this.steps.get(p.stepId);
        if (past === undefined) return;
        past.engineAttempt = p.engineAttemptId;
        past.mayHaveBeenSent = true;
        noteClaim(past, p);
        return noteDispatch(past, e, p.via);
      }
      case pawlEvents.childContinued: {
        const p = readPayload<{ stepId: string; child: ChildRef }>(e.payload);
        const past = this.steps.get(p.stepId);
        if (past !== undefined) past.started = { ...past.started, child: p.child };
        return;
      }
      case pawlEvents.begins: {
        const { stepId, via } = readPayload<{ stepId: string; via?: DispatchVia }>(e.payload);
        const past = this.steps.get(stepId);
        if (past === undefined) return;
        if (via === undefined) past.lastAt = e.persistedAt;
        else {
          if (!past.mayHaveBeenSent) past.firstAt = 0;
          noteDispatch(past, e, via);
        }
        return;
      }
      case pawlEvents.heartbeat: {
        const p = readPayload<{ stepId: string; detail: unknown }>(e.payload);
        const past = this.steps.get(p.stepId);
        if (past !== undefined) past.heartbeat = p.detail;
        return;
      }
      case pawlEvents.yielded: {
        const p = readPayload<{ stepId: string; detail: unknown; via?: DispatchVia } & ClaimPayload>(e.payload);
        const past = this.steps.get(p.stepId);
        if (past === undefined) return;
        past.heartbeat = p.detail;
        past.engineAttempt = 1;
        past.mayHaveBeenSent = true;
        noteClaim(past, p);
        return noteDispatch(past, e, p.via);
      }
      case pawlEvents.held: {
        const p = readPayload<StepHeldPayload>(e.payload);
        const past = this.steps.get(p.stepId);
        if (past === undefined) return;
        noteClaim(past, p);
        const held = { failure: p.error, category: p.category };
        Object.assign(past, { held, inDoubt: p.error.message, doubtSeq: e.runSeq, proposal: null });
        if (p.category !== "NOT_SENT") past.mayHaveBeenSent = true;
        return;
      }
      case pawlEvents.inDoubt: {
        const p = readPayload<{ stepId: string; reason: string } & ClaimPayload>(e.payload);
        const past = this.steps.get(p.stepId);
        if (past === undefined) return;
        noteClaim(past, p);
        Object.assign(past, { inDoubt: p.reason, doubtSeq: e.runSeq, proposal: null });
        return;
      }
      case pawlEvents.decisionProposed: {
        const p = readPayload<AnswerPayload>(e.payload);
        const past = this.steps.get(p.stepId ?? "");
        if (past === undefined) return;
        if (p.answer === "answer") past.votes = [...past.votes, voteOf(p)];
        else past.proposal = proposalOf(p);
        return;
      }
      default: // nothing that this version knows
    }
  }
}

/** The code sees this end: its time becomes the code's. */
export function isDelivered(step: RecordedStep): boolean {
  return isCalledByCode(step.started.kind);
}
