// What a log says of the steps of a plan: how far each is, and what groups and decisions made. Read in one pass, from the events alone. Pure; unknown
// events are tolerated and change nothing (D-016).
import { revive } from "../codec/value.ts";
import type { SkipReason } from "../core/trigger.ts";
import type { EventRecord } from "./event.ts";
import {
  pawlEvents,
  readPayload,
  type AnswerPayload,
  type StepCompletedPayload,
  type StepFailedPayload,
  type StepSkippedPayload,
  type StepsPlannedPayload,
  type StepStartedPayload,
} from "./payload.ts";

export interface StepFact {
  state: "open" | "retrying" | "held" | "doubt" | "asked" | "completed" | "failed" | "skipped";
  /** A person settled it without a result. */
  isResolved: boolean;
  /** Of a skipped step. */
  why: SkipReason | null;
  /** What a decision chose. */
  chosen: readonly string[];
  attempt: number;
  retryAt: string | null;
  /** When it came into this state, by the store's clock. */
  since: number;
  /** The last failure's words. */
  error: string | null;
}

/** The facts of a log, as far as it has been read. */
export class PlanLogFold {
  readonly steps: Map<string, StepFact> = new Map();
  readonly planned: Map<string, string[]> = new Map();
  isPaused: boolean = false;
  /** The run has ended: nothing begins any more. */
  isOver: boolean = false;

  add(e: EventRecord): void {
    switch (e.eventType) {
      case "StepStarted":
        return this.#set(e.stepId!, e, {
          state: readPayload<StepStartedPayload>(e.payload).approve === true ? "asked" : "open",
          attempt: e.logicalAttemptId,
        });
      case "StepCompleted": {
        const p = readPayload<StepCompletedPayload>(e.payload);
        const chosen = p.result === undefined ? [] : revive(p.result);
        const names = (Array.isArray(chosen) ? chosen : [chosen]).filter((x): x is string => typeof x === "string");
        return this.#set(e.stepId!, e, { state: "completed", isResolved: p.resolved === true, chosen: names });
      }
      case "StepFailed": {
        const p = readPayload<StepFailedPayload>(e.payload);
        const state = p.retryAt === undefined ? "failed" : "retrying";
        return this.#set(e.stepId!, e, { state, retryAt: p.retryAt ?? null, error: p.error?.message ?? null });
      }
      case "StepSkipped": {
        const { why } = readPayload<StepSkippedPayload>(e.payload);
        return this.#set(e.stepId!, e, { state: "skipped", why: why === "abandoned" ? null : why });
      }
      case pawlEvents.held: {
        const p = readPayload<{ stepId: string; error?: { message?: string } }>(e.payload);
        return this.#set(p.stepId, e, { state: "held", error: p.error?.message ?? null });
      }
      case pawlEvents.inDoubt:
        return this.#set(readPayload<{ stepId: string }>(e.payload).stepId, e, { state: "doubt" });
      case pawlEvents.decisionAnswered: {
        const { stepId, answer } = readPayload<AnswerPayload>(e.payload);
        if (stepId !== undefined && answer === "approve") this.#set(stepId, e, { state: "open" });
        return;
      }
      case pawlEvents.planned: {
        const { by, steps } = readPayload<StepsPlannedPayload>(e.payload);
        this.planned.set(by, [...(this.planned.get(by) ?? []), ...steps]);
        return;
      }
      case "RunPaused":
      case "RunResumed":
        this.isPaused = e.eventType === "RunPaused";
        return;
      case "RunCompleted":
      case "RunFailed":
      case "RunCancelled":
        this.isOver = true;
        // What waited for its next attempt has failed: there will be none.
        for (const s of this.steps.values()) if (s.state === "retrying") Object.assign(s, { state: "failed", retryAt: null });
        return;
      default: // nothing that says where a step stands
    }
  }

  #set(stepId: string, e: EventRecord, now: Partial<StepFact> & Pick<StepFact, "state">): void {
    const past = this.steps.get(stepId);
    const first: StepFact = { state: "open", isResolved: false, why: null, chosen: [], attempt: 1, retryAt: null, since: 0, error: null };
    this.steps.set(stepId, { ...(past ?? first), retryAt: null, ...now, since: e.persistedAt });
  }
}
