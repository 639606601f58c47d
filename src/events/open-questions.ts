// Questions that a run's code has asked and nobody has answered, from its log. Pure. The id of a question is that of the decision: it names the event
// that asked.
import type { QuestionData } from "../core/question.ts";
import type { EventRecord } from "./event.ts";
import { pawlEvents, readPayload, type AnswerPayload, type StepStartedPayload } from "./payload.ts";

export interface AskedQuestion extends QuestionData {
  readonly stepId: string;
  readonly name: string;
  readonly runSeq: number;
  /** The store's time of the question, and when it ends without an answer. */
  readonly askedAt: number;
  readonly expiresAt?: number;
  /** Who has answered, of a question that several people must answer. */
  readonly answered: readonly string[];
}

export function openQuestions(events: readonly EventRecord[]): AskedQuestion[] {
  const open = new Map<string, AskedQuestion>();
  for (const e of events) {
    switch (e.eventType) {
      case "StepStarted": {
        const { kind, name, ask, delayMs } = readPayload<StepStartedPayload>(e.payload);
        if (kind !== "ask" || e.stepId === null || ask === undefined) break;
        const expires = delayMs === undefined ? {} : { expiresAt: e.persistedAt + delayMs };
        open.set(e.stepId, { ...ask, stepId: e.stepId, name, runSeq: e.runSeq, askedAt: e.persistedAt, ...expires, answered: [] });
        break;
      }
      case "StepCompleted":
      case "StepFailed":
        open.delete(e.stepId ?? "");
        break;
      case pawlEvents.decisionProposed: {
        const { stepId, answer, by } = readPayload<AnswerPayload>(e.payload);
        const q = open.get(stepId ?? "");
        if (q !== undefined && answer === "answer") open.set(q.stepId, { ...q, answered: [...q.answered, by ?? ""] });
        break;
      }
      default: // says nothing of a question
    }
  }
  return [...open.values()];
}
