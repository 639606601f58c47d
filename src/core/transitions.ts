// The state machines of a run and of its steps, by the contract's one declared table (resolutions 26 to 28). The producer's guard
// asks it before every event (D-103, D-104), and readers fold the log with it. It must never throw on an event it does not know: a
// `pawl.*` or unknown type leaves the state alone (D-023, K21). On the path of every event: O(1), nothing allocated on ok.
import {
  isSettled,
  runTable,
  stepTable,
  type EventType,
  type RunRule,
  type RunStatus,
  type StepRule,
  type StepStatus,
} from "./contract.ts";

// Maps, not property reads: an event type may be called "constructor".
const runRules: ReadonlyMap<string, RunRule> = new Map(Object.entries(runTable));
const stepRules: ReadonlyMap<string, StepRule> = new Map(Object.entries(stepTable));

export interface DerivedStep {
  attempt: number;
  status: StepStatus;
}
/** What the log says so far: the run's status, and each step's latest logical attempt with its status. */
export interface Derived {
  status: RunStatus | null;
  steps: Map<string, DerivedStep>;
}
export interface TransitionEvent {
  readonly eventType: EventType;
  readonly stepId: string | null;
  readonly logicalAttemptId: number;
}
/** The fields that the payload of this condition must carry (D-108). */
export interface InvalidTransition {
  readonly ok: false;
  readonly invalidTransitionDetected: true;
  readonly expectedState: string;
  readonly actualState: string;
  readonly attemptedEventType: string;
}
export type TransitionCheck = { readonly ok: true } | InvalidTransition;

const allowed: TransitionCheck = Object.freeze({ ok: true });

export function emptyDerived(): Derived {
  return { status: null, steps: new Map() };
}

/** The run's status after `type`; undefined when the event is invalid now. Step events and unknown types change nothing. */
export function nextRunStatus(from: RunStatus | null, type: EventType): RunStatus | undefined {
  const rule = runRules.get(type);
  if (rule === undefined) return from ?? undefined;
  return rule.from.includes(from ?? "none") ? rule.to : undefined;
}

export function checkTransition(d: Derived, e: TransitionEvent): TransitionCheck {
  const step = stepRules.get(e.eventType);
  if (step !== undefined) return checkStep(d, e, step);
  const run = runRules.get(e.eventType);
  if (run !== undefined)
    return run.from.includes(d.status ?? "none") ? allowed : invalidTransition(e, run.from.join(" or "), d.status ?? "none");
  // I8: nothing follows a terminal event, not even an event that would change no state.
  if (d.status === null || isSettled(d.status)) return invalidTransition(e, "PENDING or RUNNING or PAUSED", d.status ?? "none");
  return allowed;
}

/** Records what `checkTransition` permitted. */
export function applyTransition(d: Derived, e: TransitionEvent): void {
  const step = stepRules.get(e.eventType);
  if (step === undefined) {
    d.status = nextRunStatus(d.status, e.eventType) ?? d.status;
    return;
  }
  if (e.stepId === null) return;
  const known = d.steps.get(e.stepId);
  if (known === undefined) d.steps.set(e.stepId, { attempt: e.logicalAttemptId, status: step.to });
  else {
    known.attempt = e.logicalAttemptId;
    known.status = step.to;
  }
}

function checkStep(d: Derived, e: TransitionEvent, rule: StepRule): TransitionCheck {
  if (d.status === null || !rule.while.includes(d.status))
    return invalidTransition(e, `run ${rule.while.join(" or ")}`, `run ${d.status ?? "none"}`);
  if (e.stepId === null) return invalidTransition(e, "a stepId", "none");
  const known = d.steps.get(e.stepId);
  const attempt = known?.attempt ?? 0;
  const ended = known === undefined || (known.status !== "RUNNING" && known.status !== "PENDING");
  // Attempt n + 1 is PENDING as soon as n has ended, and only then (resolution 27).
  const fits = rule.from === "PENDING" ? ended && e.logicalAttemptId === attempt + 1 : !ended && e.logicalAttemptId === attempt;
  if (fits) return allowed;
  return invalidTransition(
    e,
    `attempt ${e.logicalAttemptId} ${rule.from}`,
    known === undefined ? "none" : `attempt ${attempt} ${known.status}`,
  );
}

function invalidTransition(e: TransitionEvent, expectedState: string, actualState: string): InvalidTransition {
  return { ok: false, invalidTransitionDetected: true, expectedState, actualState, attemptedEventType: e.eventType };
}
