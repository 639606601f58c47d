// What the ledger must say, from the log alone: the other direction of ledger.ts, which writes a record with each event of an
// effect. It follows each effect event by event, so that a record can be compared with the log or made again from it. It
// never guesses: where a payload is gone it says that it cannot know, and where the log leaves room it says which states fit.
import { inputDigest } from "../../codec/canonical.ts";
import { mayRepeat } from "../../core/guarantee.ts";
import { actsOutside } from "../../core/step-kind-facts.ts";
import type { EffectPhase, EffectStatus } from "../../core/model.ts";
import { pawlEvents, type StepFailedPayload, type StepHeldPayload, type StepStartedPayload } from "../../events/payload.ts";
import type { EffectRecord, EventRecord, RunRow } from "../../store/port.ts";
import { abandonedState, abandonedRetryState, stableKey, effectStatusOfFailure } from "./ledger.ts";

/** The state of a record from one event on. */
export interface LedgerState {
  readonly status: EffectStatus;
  readonly phase: EffectPhase;
  readonly attempts: number;
  readonly engineAttempts: number;
  readonly error: Readonly<Record<string, unknown>> | null;
  readonly eventSeq: number;
  /** Who had the dispatch that this event ended. */
  readonly worker: string | null;
  readonly at: number;
}

/** One effect of the log. */
export interface LedgerStep {
  readonly stepId: string;
  /** Of its first StepStarted. */
  readonly seq: number;
  readonly startedAt: number;
  /** Null: the payload of its start is gone, and nothing but its place is known. */
  readonly started: (StepStartedPayload & { readonly input?: unknown }) | null;
  /** A person has not approved it: it was not sent, and has no record yet. */
  awaitingApproval: boolean;
  /** It was in doubt once, or a person had to approve it: from then on it has a record, whatever its class. */
  doubtAt: number | null;
  mayHaveBeenSent: boolean;
  attempt: number;
  engineAttempt: number;
  /** Of every event that changes a record, in order. */
  readonly states: LedgerState[];
}

type Payload = Readonly<Record<string, unknown>>;

export class LedgerFold {
  readonly steps: Map<string, LedgerStep> = new Map();
  /** Where each Commit ended: a retry that will not come is recorded there, with no event of its own. */
  #end: { readonly seq: number; readonly at: number; readonly terminated: boolean } | null = null;

  /** `payload` is that of the event, or null when it is gone. */
  addEvent(e: EventRecord, payload: Payload | null): void {
    switch (e.eventType) {
      case "StepStarted":
        return this.#started(e, payload);
      case "StepCompleted":
      case "StepFailed":
        return this.#ended(e, payload);
      case pawlEvents.redispatched:
        return this.#redispatched(e, payload);
      case pawlEvents.begins:
        return this.#begins(e, payload);
      case pawlEvents.inDoubt:
        return this.#doubted(e, payload);
      case "StepSkipped":
        return this.#skipped(e);
      case pawlEvents.held:
        return this.#held(e, payload);
      case pawlEvents.yielded:
        return this.#yielded(e, payload);
      case pawlEvents.decisionAnswered:
        return this.#answered(e, payload);
      case "RunCompleted":
      case "RunFailed":
      case "RunCancelled":
        this.#end = { seq: e.runSeq, at: e.persistedAt, terminated: payload?.["terminated"] === true };
        return;
      default: // D-016: changes no record
    }
  }

  #started(e: EventRecord, payload: Payload | null): void {
    const stepId = e.stepId ?? "";
    let step = this.steps.get(stepId);
    if (step === undefined) {
      if (payload !== null && !actsOutside(payload["kind"])) return;
      step = {
        stepId,
        seq: e.runSeq,
        startedAt: e.persistedAt,
        started: payload as LedgerStep["started"],
        awaitingApproval: payload?.["approve"] === true,
        doubtAt: payload?.["approve"] === true ? e.persistedAt : null,
        mayHaveBeenSent: false,
        attempt: 1,
        engineAttempt: 1,
        states: [],
      };
      this.steps.set(stepId, step);
    }
    step.attempt = e.logicalAttemptId;
    step.engineAttempt = 1;
    if (step.awaitingApproval) return;
    addState(step, e, "indeterminate", phaseOf(payload), null);
  }

  /** Put on its queue by an event of its own. */
  #begins(e: EventRecord, payload: Payload | null): void {
    const step = this.steps.get(String(payload?.["stepId"]));
    if (step !== undefined && payload?.["via"] !== undefined) addState(step, e, "indeterminate", phaseOf(payload), null);
  }

  #redispatched(e: EventRecord, payload: Payload | null): void {
    const step = this.steps.get(String(payload?.["stepId"]));
    if (step === undefined) return;
    step.engineAttempt = Number(payload?.["engineAttemptId"]);
    step.mayHaveBeenSent = true;
    const diagnosis = payload?.["diagnosis"];
    addState(step, e, "indeterminate", phaseOf(payload), diagnosis === undefined ? null : { diagnosis }, payload);
  }

  #doubted(e: EventRecord, payload: Payload | null): void {
    const step = this.steps.get(String(payload?.["stepId"]));
    if (step === undefined) return;
    step.doubtAt ??= e.persistedAt;
    addState(step, e, "indeterminate", "doubt", { code: payload?.["code"], reason: payload?.["reason"] }, payload);
  }

  /** By a person, after an attempt of it had failed: no other will be made. */
  #skipped(e: EventRecord): void {
    const step = this.steps.get(e.stepId ?? "");
    if (step === undefined || step.started === null) return;
    step.attempt = e.logicalAttemptId;
    step.engineAttempt = 1;
    const { status, phase, error = null } = abandonedRetryState({ started: step.started, mayHaveBeenSent: step.mayHaveBeenSent });
    addState(step, e, status, phase, error);
  }

  #held(e: EventRecord, payload: Payload | null): void {
    const step = this.steps.get(String(payload?.["stepId"]));
    if (step === undefined || step.started === null) return;
    const { category = "FAILED", error } = (payload ?? {}) as Partial<StepHeldPayload>;
    step.doubtAt ??= e.persistedAt;
    if (category !== "NOT_SENT") step.mayHaveBeenSent = true;
    const status = effectStatusOfFailure({ started: step.started, mayHaveBeenSent: step.mayHaveBeenSent }, category, false);
    addState(step, e, status, "doubt", { category, message: error?.message }, payload);
  }

  /** It gave its place up, and is dispatched again. */
  #yielded(e: EventRecord, payload: Payload | null): void {
    const step = this.steps.get(String(payload?.["stepId"]));
    if (step === undefined) return;
    step.engineAttempt = 1;
    step.mayHaveBeenSent = true;
    addState(step, e, "indeterminate", phaseOf(payload), null, payload);
  }

  /** Approved: the answer is its dispatch. */
  #answered(e: EventRecord, payload: Payload | null): void {
    const step = this.steps.get(String(payload?.["stepId"]));
    if (step === undefined || payload?.["answer"] !== "approve") return;
    step.awaitingApproval = false;
    addState(step, e, "indeterminate", phaseOf(payload), null);
  }

  #ended(e: EventRecord, payload: Payload | null): void {
    const step = this.steps.get(e.stepId ?? "");
    if (step === undefined) return;
    step.engineAttempt = e.engineAttemptId;
    if (e.eventType === "StepCompleted") return addState(step, e, "completed", "settled", null, payload);
    if (payload === null || step.started === null) return addState(step, e, "indeterminate", "settled", null);
    const { category = "FAILED", retryAt, via, diagnosis, error } = payload as unknown as Partial<StepFailedPayload>;
    if (via !== undefined) step.mayHaveBeenSent = false;
    else if (category !== "NOT_SENT" && !step.awaitingApproval) step.mayHaveBeenSent = true;
    const again = retryAt !== undefined;
    const status = effectStatusOfFailure({ started: step.started, mayHaveBeenSent: step.mayHaveBeenSent }, category, again);
    addState(step, e, status, again ? "retrying" : "settled", { category, message: error?.message, diagnosis }, payload);
  }

  /** The state that the record of a step ends in. */
  finalState(step: LedgerStep): LedgerState | undefined {
    const state = step.states.at(-1);
    if (state === undefined || state.phase !== "retrying" || this.#end === null) return state;
    // The run ended before the retry was due: nobody will make it.
    return withRetryGivenUp(step, state, this.#end.seq, this.#end.at);
  }
  get ended(): boolean {
    return this.#end !== null;
  }
  get terminated(): boolean {
    return this.#end?.terminated === true;
  }
}

/** A retry that nobody will make, recorded with a Commit of its run's end. */
export function withRetryGivenUp(step: LedgerStep, state: LedgerState, eventSeq: number, at: number): LedgerState {
  const { started, mayHaveBeenSent } = step;
  const { status, phase, error = null } = started === null ? abandonedState : abandonedRetryState({ started, mayHaveBeenSent });
  return { ...state, status, phase, error, eventSeq, worker: null, at };
}

function phaseOf(payload: Payload | null): EffectPhase {
  return payload?.["via"] === "queue" ? "queued" : "dispatched";
}

/** Two events of a step in one Commit leave the later one's record. */
function addState(
  step: LedgerStep,
  e: EventRecord,
  status: EffectStatus,
  phase: EffectPhase,
  error: LedgerState["error"],
  ended: Payload | null = null,
): void {
  const worker = ended?.["worker"];
  step.states.push({
    status,
    phase,
    attempts: step.attempt,
    engineAttempts: step.engineAttempt,
    error,
    eventSeq: e.runSeq,
    worker: typeof worker === "string" ? worker : null,
    at: e.persistedAt,
  });
}

/** A step whose class declares something, or that was in doubt, has a record; the others have one if their engine was asked to. */
export function mustHaveRecord(step: LedgerStep): boolean {
  return step.started !== null && step.states.length > 0 && (!mayRepeat(step.started.class ?? "UNDECLARED") || step.doubtAt !== null);
}

/** The digest of the input that its start declared. */
export function argsDigestOf({ started }: LedgerStep): string | null {
  return started?.input === undefined ? null : inputDigest(JSON.stringify(started.input));
}

/** The record as the engine wrote it. */
export function ledgerRecord(
  run: Pick<RunRow, "runId" | "scope" | "workflowId" | "rootRunId">,
  step: LedgerStep,
  s: LedgerState,
): EffectRecord {
  const started = step.started as StepStartedPayload;
  const cls = started.class ?? "UNDECLARED";
  const fromStart = !mayRepeat(cls) || step.doubtAt === null || started.approve === true;
  return {
    version: 1,
    runId: run.runId,
    seq: step.seq,
    scope: run.scope,
    workflowId: run.workflowId,
    stepId: step.stepId,
    name: started.name,
    class: cls,
    key: cls === "ATOMIC" ? null : stableKey(run, step.stepId, started),
    argsDigest: fromStart ? argsDigestOf(step) : null,
    receiver: started.receiver ?? null,
    status: s.status,
    phase: s.phase,
    attempts: s.attempts,
    engineAttempts: s.engineAttempts,
    error: s.error === null ? null : JSON.stringify(s.error),
    eventSeq: s.eventSeq,
    worker: s.worker,
    createdAt: fromStart ? (step.states[0]?.at ?? step.startedAt) : (step.doubtAt ?? step.startedAt),
    updatedAt: s.at,
  };
}
