// What a log says: the run's status and its steps, from the events alone. Used to show a run and to compare the fast
// tables with the truth. It trusts nothing: an invalid event changes no state and is listed (policy A), an unknown
// type is passed over, a payload that cannot be read says nothing. It must never ask a clock or a store.
import type { EventType, GuaranteeClass, RunStatus, StepKindName, StepStatus } from "../core/model.ts";
import { applyTransition, checkTransition, emptyDerived, type InvalidTransition } from "../core/transitions.ts";
import type { EventRecord } from "./event.ts";
import { pawlEvents } from "./payload.ts";

export interface FoldedStep {
  readonly stepId: string;
  readonly kind: StepKindName | null;
  readonly name: string | null;
  readonly class: GuaranteeClass | null;
  readonly status: StepStatus;
  /** Logical attempts begun, and engine attempts of the latest of them. */
  readonly attempts: number;
  readonly engineAttempts: number;
  /** The store's times: of the first start, and of the latest outcome. */
  readonly startedAt: number;
  readonly endedAt: number | null;
  /** Set while a failed step waits for its next attempt. */
  readonly retryAt?: string;
  readonly key?: string;
}
export interface FoldProblem extends Omit<InvalidTransition, "ok"> {
  readonly runSeq: number;
  readonly eventId: string;
}
export interface Folded {
  readonly status: RunStatus | null;
  readonly headSeq: number;
  readonly headLink: string;
  readonly stateVersion: number;
  /** The store's time of the head event; 0 for an empty log. */
  readonly persistedAt: number;
  /** In the order of their first events. */
  readonly steps: readonly FoldedStep[];
  readonly problems: readonly FoldProblem[];
}

type MutableStep = { -readonly [K in keyof FoldedStep]: FoldedStep[K] };

export function foldLog(events: Iterable<EventRecord>): Folded {
  const derived = emptyDerived();
  const steps = new Map<string, MutableStep>();
  const problems: FoldProblem[] = [];
  let head: EventRecord | null = null;
  for (const e of events) {
    head = e;
    const check = checkTransition(derived, e);
    if (!check.ok) {
      const { ok: _, ...what } = check;
      problems.push({ runSeq: e.runSeq, eventId: e.eventId, ...what });
      continue;
    }
    applyTransition(derived, e);
    if (e.stepId !== null) foldStep(steps, e, derived.steps.get(e.stepId)?.status);
    else if (e.eventType === pawlEvents.redispatched) foldRedispatch(steps, e);
  }
  return {
    status: derived.status,
    headSeq: head?.runSeq ?? 0,
    headLink: head?.link ?? "",
    stateVersion: head?.stateVersion ?? 0,
    persistedAt: head?.persistedAt ?? 0,
    steps: [...steps.values()],
    problems,
  };
}

function foldStep(steps: Map<string, MutableStep>, e: EventRecord, status: StepStatus | undefined): void {
  // Unknown types that name a step change nothing (D-023).
  if (e.stepId === null || status === undefined || !outcomes.has(e.eventType)) return;
  const step = steps.get(e.stepId) ?? beginStep(steps, e.stepId, e);
  step.status = status;
  step.attempts = e.logicalAttemptId;
  step.engineAttempts = e.eventType === "StepStarted" ? e.engineAttemptId : Math.max(e.engineAttemptId, step.engineAttempts);
  delete step.retryAt;
  if (e.eventType === "StepStarted") {
    const p = payloadOf(e);
    step.endedAt = null;
    step.kind = (text(p["kind"]) as StepKindName | undefined) ?? step.kind;
    step.name = text(p["name"]) ?? step.name;
    step.class = (text(p["class"]) as GuaranteeClass | undefined) ?? step.class;
    const key = text(p["key"]);
    if (key !== undefined) step.key = key;
    return;
  }
  step.endedAt = e.persistedAt;
  const retryAt = e.eventType === "StepFailed" ? text(payloadOf(e)["retryAt"]) : undefined;
  if (retryAt !== undefined) step.retryAt = retryAt;
}

const outcomes: ReadonlySet<EventType> = new Set(["StepStarted", "StepCompleted", "StepFailed", "StepSkipped"]);

function beginStep(steps: Map<string, MutableStep>, stepId: string, e: EventRecord): MutableStep {
  const step: MutableStep = {
    stepId,
    kind: null,
    name: null,
    class: null,
    status: "PENDING",
    attempts: 0,
    engineAttempts: 1,
    startedAt: e.persistedAt,
    endedAt: null,
  };
  steps.set(stepId, step);
  return step;
}

/** K21: the re-dispatch names its step in the payload, since `pawl.*` events are run-level. */
function foldRedispatch(steps: Map<string, MutableStep>, e: EventRecord): void {
  const p = payloadOf(e);
  const step = steps.get(text(p["stepId"]) ?? "");
  const engineAttempt = p["engineAttemptId"];
  if (step !== undefined && typeof engineAttempt === "number") step.engineAttempts = Math.max(step.engineAttempts, engineAttempt);
}

function payloadOf(e: EventRecord): Readonly<Record<string, unknown>> {
  if (e.payload === null) return {};
  try {
    const p: unknown = JSON.parse(e.payload);
    return typeof p === "object" && p !== null ? (p as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function text(x: unknown): string | undefined {
  return typeof x === "string" ? x : undefined;
}
