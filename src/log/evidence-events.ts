// What evidence says of single events beside the log: of each step what it was and how it went (effects.jsonl), and what
// people and engines asked of the run (operators.jsonl). A line repeats facts of the payload and nothing else, so that they
// are known where a payload is not shown; it must never carry a value that a user supplied unless the payload is shown.
import type { EventRecord } from "../events/event.ts";
import { isStepEvent } from "../events/envelope.ts";
import { pawlEvents } from "../events/payload.ts";

type EventFacts = Readonly<Record<string, unknown>>;

/** Pawl's own words about a step. */
const stepFacts = [
  "kind",
  "name",
  "class",
  "dedupMs",
  "settleMs",
  "verified",
  "timeoutMs",
  "approve",
  "delayMs",
  "until",
  "of",
  "retry",
  "engineAttemptId",
  "fence",
  "code",
  "category",
  "via",
  "copiedFrom",
  "retryAt",
  "answer",
  "claimedAt",
  "deadlineAt",
  "late",
];
/** Users' words: only where the payload is shown. */
const shownStepFacts = ["key", "receiver"];
const operatorFacts = ["by", "reason", "answer", "category", "proposedBy"];

const stepEventTypes: ReadonlySet<string> = new Set([
  pawlEvents.redispatched,
  pawlEvents.begins,
  pawlEvents.inDoubt,
  pawlEvents.held,
  pawlEvents.yielded,
  pawlEvents.decisionAnswered,
]);
const operatorEventTypes: ReadonlySet<string> = new Set([
  "RunPaused",
  "RunResumed",
  "RunCancelled",
  pawlEvents.cancelRequested,
  pawlEvents.decisionNeeded,
  pawlEvents.decisionProposed,
  pawlEvents.decisionAnswered,
]);

/** `shown` is the payload as it leaves; null when it does not. */
export function effectLine(e: EventRecord, shown: string | null): object | null {
  if (!isStepEvent(e.eventType) && !stepEventTypes.has(e.eventType)) return null;
  // Pawl's own words are shown whatever is hidden of the payload: without them nobody could check what is shown.
  const payload = factsOf(e.payload);
  const stepId = e.stepId ?? payload["stepId"];
  if (typeof stepId !== "string") return null;
  return {
    runSeq: e.runSeq,
    eventType: e.eventType,
    stepId,
    ...pickFacts(payload, stepFacts),
    ...(shown === null ? {} : pickFacts(factsOf(shown), shownStepFacts)),
  };
}

export function operatorLine(e: EventRecord, shown: string | null): object | null {
  if (!operatorEventTypes.has(e.eventType)) return null;
  return { runSeq: e.runSeq, eventType: e.eventType, ...(shown === null ? {} : pickFacts(factsOf(shown), operatorFacts)) };
}

function factsOf(payload: string | null): EventFacts {
  const value: unknown = payload === null ? {} : JSON.parse(payload);
  return typeof value === "object" && value !== null ? (value as EventFacts) : {};
}

function pickFacts(payload: EventFacts, fields: readonly string[]): EventFacts {
  return Object.fromEntries(fields.filter((f) => payload[f] !== undefined).map((f) => [f, payload[f]]));
}
