// What a log says of one step: how it was started, how often, whether it may have been sent, and how it ended. Made and changed by the fold of
// the log (log-fold.ts) alone; everybody else reads it.
import type { EventRecord } from "../../store/port.ts";
import {
  isGatedByRunChain,
  type AnswerPayload,
  type ClaimPayload,
  type DispatchVia,
  type StepCompletedPayload,
  type StepFailedPayload,
  type StepSkippedPayload,
  type StepStartedPayload,
} from "../../events/payload.ts";
import { sentAtOf } from "../queued/queued-state.ts";
import type { Vote } from "../steps/ask.ts";
import type { HeldFailure, Proposal } from "../steps/open-step.ts";

/** What a fold reads of an event. The owner of a run has it as soon as its Commit is acknowledged. */
export type FoldedEvent = Pick<
  EventRecord,
  "runSeq" | "eventId" | "eventType" | "stepId" | "logicalAttemptId" | "emittedAt" | "persistedAt" | "payload"
>;

export type RecordedOutcome =
  | { readonly ok: true; readonly payload: StepCompletedPayload; readonly runSeq: number; readonly eventId: string }
  | { readonly ok: false; readonly payload: StepFailedPayload; readonly runSeq: number };

/** What the log knows of one step. */
export interface RecordedStep {
  readonly stepId: string;
  started: StepStartedPayload;
  readonly runSeq: number;
  attempt: number;
  /** 1 + re-dispatches of the current logical attempt (K21). */
  engineAttempt: number;
  /** 0: a person vouched that nothing was sent before, and nothing was since. */
  firstAt: number;
  /** When the latest attempt was dispatched or re-dispatched; on a queue, when it was last claimed, as far as the log says. */
  lastAt: number;
  /** Its dispatches on a queue; null: it never went to one. `seq`: the event of the newest, 0 if that used none. */
  queue: { readonly seq: number; readonly since: number } | null;
  state: "open" | "retrying" | "completed" | "failed";
  retryAt: number | null;
  heartbeat: unknown;
  inDoubt: string | null;
  /** The event that put it in doubt; 0 if none ever did. */
  doubtSeq: number;
  /** It needs a person's approval and has none: it was never sent, and cannot have been. */
  awaitingApproval: boolean;
  /** An attempt that is over may have reached the receiver. */
  mayHaveBeenSent: boolean;
  proposal: Proposal | null;
  /** Of a question that several people must answer: those who have. */
  votes: readonly Vote[];
  held: HeldFailure | null;
  /** A person skipped it: its StepSkipped follows the end of the failed attempt, or must. */
  skipping: boolean;
  outcome: RecordedOutcome | null;
}

/** What the code is given for a step whose next attempt is not made, by `why` of its StepSkipped. */
export const skippedAttempt: Readonly<Record<"operator" | "abandoned", StepFailedPayload>> = {
  operator: { error: { name: "Skipped", message: "a person skipped this step" }, category: "SKIPPED" },
  abandoned: { error: { name: "Abandoned", message: "the node that called this step has ended" }, category: "ABANDONED" },
};
export function endOfSkipped({ why }: Pick<StepSkippedPayload, "why">): StepFailedPayload {
  return skippedAttempt[why === "abandoned" ? why : "operator"];
}

const noVotes: readonly Vote[] = [];

export function newRecordedStep(e: FoldedEvent, started: StepStartedPayload): RecordedStep {
  const gated = isGatedByRunChain(started) ? started.line : undefined;
  const waits = started.via === "queue"; // nothing is sent before its claim
  return {
    stepId: e.stepId!,
    started,
    runSeq: e.runSeq,
    attempt: e.logicalAttemptId,
    engineAttempt: 1,
    // A start that follows from the chain is no send by itself: what counts is when the chain sent it.
    firstAt: gated?.firstAt ?? (waits ? 0 : e.persistedAt),
    lastAt: gated?.lastAt ?? (waits ? 0 : e.persistedAt),
    queue: started.via === undefined ? null : { seq: e.runSeq, since: e.persistedAt },
    state: "open",
    retryAt: null,
    heartbeat: undefined,
    inDoubt: null,
    doubtSeq: started.approve === true ? e.runSeq : 0,
    awaitingApproval: started.approve === true,
    mayHaveBeenSent: gated !== undefined && started.approve !== true,
    proposal: null,
    votes: noVotes,
    held: null,
    skipping: false,
    outcome: null,
  };
}

/** A further dispatch. One on a queue sends nothing before its claim, which a later event tells (K26). */
export function noteDispatch(past: RecordedStep, e: FoldedEvent, via: DispatchVia | undefined): void {
  if (via !== undefined) past.queue = { seq: e.runSeq, since: past.queue?.since ?? e.persistedAt };
  else if (past.queue !== null) past.queue = { ...past.queue, seq: 0 };
  if (via === "queue") return;
  past.lastAt = e.persistedAt;
  if (past.firstAt === 0) past.firstAt = e.persistedAt;
}
/** When the dispatch that ended was claimed: from then on it may have been sent. */
export function noteClaim(past: RecordedStep, { claimedAt, deadlineAt }: ClaimPayload): void {
  if (claimedAt === undefined || claimedAt === null) return;
  if (past.firstAt === 0) past.firstAt = claimedAt;
  past.lastAt = sentAtOf({ claimedAt, deadlineAt: deadlineAt ?? null }, past.started.timeoutMs ?? 0);
}

/** Its effect is an earlier step's of this run, which is undone under its own name; or that of the run which this one was forked from. */
export function isTakenOver({ repeatOf, line, forked }: StepStartedPayload): boolean {
  return forked === true || (repeatOf !== undefined && line === undefined);
}

/** A recorded answer to a question that needs more of them. */
export function voteOf(p: AnswerPayload): Vote {
  return { by: p.by ?? "", at: p.at ?? "", submissionId: p.submissionId ?? "", value: JSON.stringify(p.result ?? null) };
}

export function proposalOf(p: AnswerPayload): Proposal {
  const tokenBy = p.tokenBy === undefined ? {} : { tokenBy: p.tokenBy };
  return { by: p.by ?? "", answer: p.answer, result: p.result === undefined ? null : JSON.stringify(p.result), ...tokenBy };
}
