// A run's log, read once, as replay needs it: the schedule (what was delivered to the code and what it called, in order), what is known
// of each step, and where the log ends. It decides nothing and calls nobody; a StepFailed that was retried is part of a step's past,
// not of the schedule (K13). A log that is read from a snapshot on begins with the calls of the steps that were open there.
import { readPayload, type StepCompletedPayload, type StepFailedPayload, type StepStartedPayload } from "../../events/payload.ts";
import type { EventRecord } from "../../store/port.ts";
import { withoutActivation } from "../telemetry/run-trace.ts";
import { isDelivered, LogFold, type RecordedStop, type RecordedUpdate } from "../fold/log-fold.ts";
import type { FoldedEvent, RecordedOutcome, RecordedStep } from "../fold/recorded-step.ts";

export type { RecordedUpdate } from "../fold/log-fold.ts";
export { proposalOf, type RecordedOutcome, type RecordedStep } from "../fold/recorded-step.ts";

/** One line of the schedule. */
export type ScheduleEntry =
  | {
      readonly type: "call";
      readonly stepId: string;
      readonly started: StepStartedPayload;
      readonly runSeq: number;
      /** Open where the snapshot was made: the code calls it again, and what it was called with is taken for true. */
      readonly isRestored?: true;
    }
  | { readonly type: "outcome"; readonly stepId: string; readonly outcome: RecordedOutcome; readonly emittedAt: number }
  | { readonly type: "patched"; readonly id: string }
  /** A step that the plan skipped; what a step of it planned. */
  | { readonly type: "skip" | "plan"; readonly stepId: string; readonly runSeq: number }
  | { readonly type: "mark"; readonly eventType: string; readonly payload: string; readonly runSeq: number }
  | { readonly type: "update"; readonly update: RecordedUpdate; readonly emittedAt: number }
  | { readonly type: "paused" }
  | { readonly type: "resumed" }
  | ({ readonly type: "cancel" } & RecordedStop);

export interface History extends Omit<Readonly<LogFold>, "add" | "lost"> {
  readonly schedule: readonly ScheduleEntry[];
  readonly updatesCompleted: ReadonlySet<string>;
}

export function readHistory(events: Iterable<EventRecord>): History {
  const fold = new HistoryFold();
  for (const e of events) fold.add(e);
  return fold;
}

export class HistoryFold extends LogFold implements History {
  readonly schedule: ScheduleEntry[] = [];
  readonly updatesCompleted: Set<string> = new Set();

  protected onStarted(step: RecordedStep): void {
    const { stepId, started, runSeq } = step;
    if (isDelivered(step)) this.schedule.push({ type: "call", stepId, started, runSeq });
  }
  protected onEnded(past: RecordedStep | undefined, e: FoldedEvent, failed: StepFailedPayload | undefined): void {
    if (past === undefined) return;
    const { runSeq, eventId, emittedAt } = e;
    const outcome: RecordedOutcome =
      failed === undefined
        ? { ok: true, payload: readPayload<StepCompletedPayload>(e.payload), runSeq, eventId }
        : { ok: false, payload: failed, runSeq };
    past.outcome = outcome;
    if (isDelivered(past)) this.schedule.push({ type: "outcome", stepId: past.stepId, outcome, emittedAt });
  }
  protected onPlanned(type: "skip" | "plan", stepId: string, { runSeq }: FoldedEvent): void {
    this.schedule.push({ type, stepId, runSeq });
  }
  protected onPaused(isPaused: boolean): void {
    this.schedule.push({ type: isPaused ? "paused" : "resumed" });
  }
  protected onPatched(id: string): void {
    this.schedule.push({ type: "patched", id });
  }
  protected onUpdate(update: RecordedUpdate, e: FoldedEvent): void {
    this.schedule.push({ type: "update", update, emittedAt: e.emittedAt });
  }
  protected onUpdateAnswered(updateId: string): void {
    this.updatesCompleted.add(updateId);
  }
  protected onStop({ reason, category }: RecordedStop): void {
    this.schedule.push({ type: "cancel", reason, category });
  }
  protected onMark({ eventType, payload, runSeq }: FoldedEvent): void {
    this.schedule.push({ type: "mark", eventType, payload: withoutActivation(payload ?? "{}"), runSeq });
  }
}
