// What the ledger must say, from the log alone: the other direction of ledger.ts, which writes a record with each event of an
// effect. It follows each effect event by event, so that a record can be compared with the log or made again from it. It
// never guesses: where a payload is gone it says that it cannot know, and where the log leaves room it says which states fit.
import { inputDigest } from "../codec/canonical.ts";
import { repeats } from "../core/guarantee.ts";
import type { EffectPhase, EffectStatus } from "../core/model.ts";
import { pawlEvents, type StepFailedPayload, type StepStartedPayload } from "../log/payload.ts";
import type { EffectRecord, EventRecord, RunRow } from "../store/port.ts";
import { abandoned, abandonedRetry, stableKey, standingOfFailure } from "./ledger.ts";

/** How a record stands from one event on. */
export interface LedgerState {
  readonly status: EffectStatus;
  readonly phase: EffectPhase;
  readonly attempts: number;
  readonly engineAttempts: number;
  readonly error: Readonly<Record<string, unknown>> | null;
  readonly eventSeq: number;
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
  unsent: boolean;
  /** It was in doubt once, or a person had to approve it: from then on it has a record, whatever its class. */
  doubtAt: number | null;
  maySent: boolean;
  attempt: number;
  engineAttempt: number;
  /** Of every event that changes a record, in order. */
  readonly states: LedgerState[];
}

type Payload = Readonly<Record<string, unknown>>;
const kinds: ReadonlySet<unknown> = new Set(["effect", "tx", "compensation"]);

export class LedgerFold {
  readonly steps: Map<string, LedgerStep> = new Map();
  /** Where each Commit ended: a retry that will not come is recorded there, with no event of its own. */
  #end: { readonly seq: number; readonly at: number; readonly terminated: boolean } | null = null;

  /** `payload` is that of the event, or null when it is gone. */
  take(e: EventRecord, payload: Payload | null): void {
    switch (e.eventType) {
      case "StepStarted":
        return this.#started(e, payload);
      case "StepCompleted":
      case "StepFailed":
        return this.#ended(e, payload);
      case pawlEvents.redispatched:
        return this.#redispatched(e, payload);
      case pawlEvents.inDoubt:
        return this.#doubted(e, payload);
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
      if (payload !== null && !kinds.has(payload["kind"])) return;
      step = {
        stepId,
        seq: e.runSeq,
        startedAt: e.persistedAt,
        started: payload as LedgerStep["started"],
        unsent: payload?.["approve"] === true,
        doubtAt: payload?.["approve"] === true ? e.persistedAt : null,
        maySent: false,
        attempt: 1,
        engineAttempt: 1,
        states: [],
      };
      this.steps.set(stepId, step);
    }
    step.attempt = e.logicalAttemptId;
    step.engineAttempt = 1;
    if (step.unsent) return;
    stand(step, e, "indeterminate", "dispatched", null);
  }

  #redispatched(e: EventRecord, payload: Payload | null): void {
    const step = this.steps.get(String(payload?.["stepId"]));
    if (step === undefined) return;
    step.engineAttempt = Number(payload?.["engineAttemptId"]);
    step.maySent = true;
    const diagnosis = payload?.["diagnosis"];
    stand(step, e, "indeterminate", "dispatched", diagnosis === undefined ? null : { diagnosis });
  }

  #doubted(e: EventRecord, payload: Payload | null): void {
    const step = this.steps.get(String(payload?.["stepId"]));
    if (step === undefined) return;
    step.doubtAt ??= e.persistedAt;
    stand(step, e, "indeterminate", "doubt", { code: payload?.["code"], reason: payload?.["reason"] });
  }

  /** Approved: the answer is its dispatch. */
  #answered(e: EventRecord, payload: Payload | null): void {
    const step = this.steps.get(String(payload?.["stepId"]));
    if (step === undefined || payload?.["answer"] !== "approve") return;
    step.unsent = false;
    stand(step, e, "indeterminate", "dispatched", null);
  }

  #ended(e: EventRecord, payload: Payload | null): void {
    const step = this.steps.get(e.stepId ?? "");
    if (step === undefined) return;
    step.engineAttempt = e.engineAttemptId;
    if (e.eventType === "StepCompleted") return stand(step, e, "completed", "settled", null);
    if (payload === null || step.started === null) return stand(step, e, "indeterminate", "settled", null);
    const { category = "FAILED", retryAt, via, diagnosis, error } = payload as unknown as Partial<StepFailedPayload>;
    if (via !== undefined) step.maySent = false;
    else if (category !== "NOT_SENT" && !step.unsent) step.maySent = true;
    const again = retryAt !== undefined;
    const status = standingOfFailure({ started: step.started, maySent: step.maySent }, category, again);
    stand(step, e, status, again ? "retrying" : "settled", { category, message: error?.message, diagnosis });
  }

  /** The state that the record of a step ends in. */
  last(step: LedgerStep): LedgerState | undefined {
    const state = step.states.at(-1);
    if (state === undefined || state.phase !== "retrying" || this.#end === null) return state;
    // The run ended before the retry was due: nobody will make it.
    return givenUp(step, state, this.#end.seq, this.#end.at);
  }
  get ended(): boolean {
    return this.#end !== null;
  }
  get terminated(): boolean {
    return this.#end?.terminated === true;
  }
}

/** A retry that nobody will make, recorded with a Commit of its run's end. */
export function givenUp(step: LedgerStep, state: LedgerState, eventSeq: number, at: number): LedgerState {
  const { started, maySent } = step;
  const { status, phase, error = null } = started === null ? abandoned : abandonedRetry({ started, maySent });
  return { ...state, status, phase, error, eventSeq, at };
}

/** Two events of a step in one Commit leave the later one's record. */
function stand(step: LedgerStep, e: EventRecord, status: EffectStatus, phase: EffectPhase, error: LedgerState["error"]): void {
  step.states.push({
    status,
    phase,
    attempts: step.attempt,
    engineAttempts: step.engineAttempt,
    error,
    eventSeq: e.runSeq,
    at: e.persistedAt,
  });
}

/** A step whose class declares something, or that was in doubt, has a record; the others have one if their engine was asked to. */
export function mustHaveRecord(step: LedgerStep): boolean {
  return step.started !== null && step.states.length > 0 && (!repeats(step.started.class ?? "UNDECLARED") || step.doubtAt !== null);
}

/** The digest of the input that its start declared. */
export function argsOf({ started }: LedgerStep): string | null {
  return started?.input === undefined ? null : inputDigest(JSON.stringify(started.input));
}

/** The record as the engine wrote it. */
export function recordOf(
  run: Pick<RunRow, "runId" | "scope" | "workflowId" | "rootRunId">,
  step: LedgerStep,
  s: LedgerState,
): EffectRecord {
  const started = step.started as StepStartedPayload;
  const cls = started.class ?? "UNDECLARED";
  const fromStart = !repeats(cls) || step.doubtAt === null || started.approve === true;
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
    argsDigest: fromStart ? argsOf(step) : null,
    receiver: started.receiver ?? null,
    status: s.status,
    phase: s.phase,
    attempts: s.attempts,
    engineAttempts: s.engineAttempts,
    error: s.error === null ? null : JSON.stringify(s.error),
    eventSeq: s.eventSeq,
    createdAt: fromStart ? (step.states[0]?.at ?? step.startedAt) : (step.doubtAt ?? step.startedAt),
    updatedAt: s.at,
  };
}
