// One event as a row: what its producer writes, and what a store adds to it. Types only. Everything that reads or makes events
// starts from these two; they must never hold anything that is not stored.
import type { EventType } from "../core/model.ts";

/** One event as the producer writes it. runId, scope, planId and planVersion are the run's. */
export interface EventWrite {
  readonly runSeq: number;
  readonly eventId: string;
  readonly eventType: EventType;
  readonly stepId: string | null;
  readonly logicalAttemptId: number;
  readonly engineAttemptId: number;
  readonly idempotencyKey: string;
  readonly emittedAt: number;
  /** The producer's own text of that time, where it is not RFC 3339 in UTC with milliseconds to the letter (D-035). */
  readonly emittedText?: string;
  readonly payload: string | null;
  readonly salt: string | null;
  readonly payloadHash: string | null;
  readonly link: string;
}
export interface EventRecord extends EventWrite {
  readonly persistedAt: number;
  /** The stateVersion that its Commit made: events of one Commit share it, and share persistedAt. */
  readonly stateVersion: number;
}
