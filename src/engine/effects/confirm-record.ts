// What a run's log says of confirmations: which recorded effects a person accepted as they are, which an owner has warned of
// under its epoch, and the question that is open. Read with the rest of the log; it decides nothing, and nothing of it is part of
// the schedule that replay compares with the code (K13).
import { pawlEvents, readPayload, type AnswerPayload, type ConfirmationPayload } from "../../events/payload.ts";
import type { EventRecord } from "../../store/port.ts";
import type { Proposal } from "../steps/open-step.ts";

/** A question to a person: may the run continue with results that the world no longer shows? */
export interface OpenConfirmation {
  readonly runSeq: number;
  readonly steps: readonly string[];
  readonly reason: string;
  /** The answer of one person that waits for another's. */
  proposal: Proposal | null;
}

export class ConfirmationRecord {
  /** For good: no later owner asks about these again. */
  readonly accepted: Set<string> = new Set();
  /** By step: the epoch of the owner that warned last. Reading its own log again, it does not warn twice. */
  readonly warned: Map<string, number> = new Map();
  open: OpenConfirmation | null = null;

  addEvent(e: Pick<EventRecord, "eventType" | "payload" | "runSeq">): void {
    switch (e.eventType) {
      case pawlEvents.confirmationFailed: {
        const p = readPayload<ConfirmationPayload>(e.payload);
        if (p.mode === "warn") this.warned.set(p.stepId, p.epoch);
        return;
      }
      case pawlEvents.decisionNeeded: {
        const p = readPayload<{ reason: string; unconfirmed?: readonly string[] }>(e.payload);
        this.open = p.unconfirmed === undefined ? null : { runSeq: e.runSeq, steps: p.unconfirmed, reason: p.reason, proposal: null };
        return;
      }
      case pawlEvents.decisionProposed: {
        const p = readPayload<AnswerPayload>(e.payload);
        if (p.stepId === undefined && this.open !== null) this.open.proposal = { by: p.by ?? "", answer: p.answer, result: null };
        return;
      }
      case pawlEvents.decisionAnswered: {
        const p = readPayload<AnswerPayload>(e.payload);
        if (p.stepId !== undefined || this.open === null) return;
        if (p.answer === "accept") for (const s of this.open.steps) this.accepted.add(s);
        this.open = null;
        return;
      }
      default: // nothing about confirmations
    }
  }
}
