// What a log tells of each effect: its sends, how each ended, doubts, and who answered them. Read from the events alone, in
// one pass; the inbox of decisions and the proof are both computed from it, so that they cannot disagree. It counts a send
// wherever the function may have been called, and must never count fewer.
import type { EffectCause } from "./causes.ts";
import { settleDefaultMs } from "../core/guarantee.ts";
import type { GuaranteeClass, StepKindName } from "../core/model.ts";
import { actsOutside } from "../core/step-kind-facts.ts";
import type { StepCategory } from "../errors/step-errors.ts";
import type { EventRecord } from "./event.ts";
import {
  isGatedByRunChain,
  pawlEvents,
  readPayload,
  type AnswerPayload,
  type ClaimPayload,
  type ConfirmationPayload,
  type DispatchVia,
  type StepCompletedPayload,
  type StepFailedPayload,
  type StepHeldPayload,
  type StepStartedPayload,
} from "./payload.ts";

export interface FailedSend {
  readonly runSeq: number;
  readonly category: StepCategory;
  readonly message: string;
  readonly via?: "decision" | "verify";
  /** It was on a queue, and nobody had claimed it: this is the end of no call. */
  readonly unclaimed?: true;
}
export interface EffectDoubt {
  readonly runSeq: number;
  readonly at: number;
  readonly reason: string;
  readonly code: string;
}
export interface RecordedAnswer extends AnswerPayload {
  readonly runSeq: number;
}
/** A verifier looked at the recorded result when the run was read back, and did not find it. */
export interface UnconfirmedResult {
  readonly runSeq: number;
  readonly mode: ConfirmationPayload["mode"];
  readonly verifier: string;
  readonly reason: string;
  /** What a person said of it, where one was asked. */
  answer: RecordedAnswer | null;
}
export type EffectEnd =
  | { readonly ok: true; readonly runSeq: number; readonly via?: "verify" | "adopted" | "decision" | "kept" }
  | (FailedSend & { readonly ok: false });

export interface EffectHistory {
  readonly stepId: string;
  readonly kind: StepKindName;
  readonly name: string;
  readonly class: GuaranteeClass;
  readonly key?: string;
  readonly receiver?: string;
  readonly dedupMs?: number;
  /** verify was supplied. */
  readonly verified: boolean;
  /** An earlier run of the run chain had begun it: its first start is no send by itself. */
  readonly gated: boolean;
  /** The step of an equal call that this run had made. */
  readonly repeatOf?: string;
  /** Which recorded output asked for it, where somebody looked. */
  readonly cause?: EffectCause;
  /** Sent again on a person's order, although the run chain had completed it. */
  readonly rerun?: { readonly by: string; readonly reason: string };
  readonly settleMs: number;
  readonly timeoutMs: number;
  /** Where its guarantee was declared, if an event says so. */
  declaredAt?: string;
  /** The runSeq of its first StepStarted. */
  readonly seq: number;
  firstAt: number;
  /** The store's time of the latest dispatch. */
  lastAt: number;
  attempts: number;
  /** How often its function may have been called, at most. */
  sends: number;
  readonly failures: FailedSend[];
  readonly answers: RecordedAnswer[];
  readonly unconfirmed: UnconfirmedResult[];
  /** A person must approve it, and has not: it was never sent. Stays when it was refused or given up. */
  awaitingApproval: { readonly runSeq: number; readonly at: number; readonly question?: string; readonly input?: unknown } | null;
  /** Open until an outcome follows it. */
  doubt: EffectDoubt | null;
  /** It has failed for good, and a person decides what becomes of it; open until an outcome follows. */
  held: EffectDoubt | null;
  proposal: RecordedAnswer | null;
  end: EffectEnd | null;
  /** The events that say all this. */
  readonly events: number[];
}

export function effectHistories(events: Iterable<EventRecord>): EffectHistory[] {
  const stories = new Map<string, EffectHistory>();
  /** What the open question to a person is about, if verifiers led to it; a run has one at a time. */
  let asked: readonly { readonly story: EffectHistory; readonly said: UnconfirmedResult }[] = [];
  const named = (p: { readonly stepId?: string }, e: EventRecord): EffectHistory | undefined => {
    const story = stories.get(p.stepId ?? "");
    story?.events.push(e.runSeq);
    return story;
  };
  for (const e of events) {
    switch (e.eventType) {
      case "StepStarted":
        addStart(stories, e);
        break;
      case "StepCompleted": {
        const story = named({ stepId: e.stepId! }, e);
        if (story === undefined) break;
        const { via } = readPayload<StepCompletedPayload>(e.payload);
        story.doubt = story.held = null;
        story.end = { ok: true, runSeq: e.runSeq, ...(via === undefined ? {} : { via }) };
        break;
      }
      case "StepFailed": {
        const story = named({ stepId: e.stepId! }, e);
        if (story === undefined) break;
        const payload = readPayload<StepFailedPayload>(e.payload);
        const { category, error, retryAt, via } = payload;
        noteClaim(story, payload);
        const unclaimed = payload.claimedAt === null;
        if (unclaimed) story.sends--;
        const said = { ...(via === undefined ? {} : { via }), ...(unclaimed ? { unclaimed } : {}) };
        const failed: FailedSend = { runSeq: e.runSeq, category, message: error.message, ...said };
        story.doubt = story.held = null;
        story.failures.push(failed);
        if (retryAt === undefined) story.end = { ok: false, ...failed };
        break;
      }
      case pawlEvents.redispatched: {
        const p = readPayload<{ stepId: string; declaredAt?: string; via?: DispatchVia } & ClaimPayload>(e.payload);
        const story = named(p, e);
        if (story === undefined) break;
        story.sends++;
        if (p.declaredAt !== undefined) story.declaredAt = p.declaredAt;
        noteClaim(story, p);
        if (p.via !== "queue") story.lastAt = e.persistedAt;
        break;
      }
      case pawlEvents.yielded: {
        // It gave its place up, and its function is called again: what it did before that, nobody says.
        const p = readPayload<{ stepId: string; via?: DispatchVia } & ClaimPayload>(e.payload);
        const story = named(p, e);
        if (story === undefined) break;
        story.sends++;
        noteClaim(story, p);
        if (p.via !== "queue") story.lastAt = e.persistedAt;
        break;
      }
      case pawlEvents.begins: {
        const p = readPayload<{ stepId: string; via?: DispatchVia }>(e.payload);
        const story = named(p, e);
        if (story !== undefined && p.via !== "queue") story.lastAt = e.persistedAt;
        break;
      }
      case pawlEvents.inDoubt: {
        const p = readPayload<{ stepId: string; reason: string; code: string } & ClaimPayload>(e.payload);
        const story = named(p, e);
        if (story === undefined) break;
        noteClaim(story, p);
        story.doubt = { runSeq: e.runSeq, at: e.persistedAt, reason: p.reason, code: p.code };
        story.proposal = null;
        break;
      }
      case pawlEvents.held: {
        const p = readPayload<StepHeldPayload>(e.payload);
        const story = named(p, e);
        if (story === undefined) break;
        noteClaim(story, p);
        story.held = { runSeq: e.runSeq, at: e.persistedAt, reason: p.error.message, code: "PAWL2012" };
        story.proposal = null;
        break;
      }
      case pawlEvents.decisionProposed:
      case pawlEvents.decisionAnswered: {
        const p = readPayload<AnswerPayload>(e.payload);
        if (p.stepId === undefined && e.eventType === pawlEvents.decisionAnswered) {
          // Of the run as a whole: it may be about what verifiers said, of whatever steps.
          for (const { story, said } of asked) {
            story.events.push(e.runSeq);
            said.answer = { ...p, runSeq: e.runSeq };
          }
          asked = [];
          break;
        }
        const story = named(p, e);
        if (story === undefined) break;
        if (e.eventType === pawlEvents.decisionProposed) story.proposal = { ...p, runSeq: e.runSeq };
        else {
          story.answers.push({ ...p, runSeq: e.runSeq });
          story.proposal = null;
          if (p.answer === "approve")
            Object.assign(story, { awaitingApproval: null, sends: 1, firstAt: e.persistedAt, lastAt: e.persistedAt });
        }
        break;
      }
      case pawlEvents.confirmationFailed: {
        const { stepId, mode, verifier, reason } = readPayload<ConfirmationPayload>(e.payload);
        const story = named({ stepId }, e);
        story?.unconfirmed.push({ runSeq: e.runSeq, mode, verifier, reason, answer: null });
        break;
      }
      case pawlEvents.decisionNeeded: {
        const { unconfirmed = [] } = readPayload<{ unconfirmed?: readonly string[] }>(e.payload);
        asked = unconfirmed.flatMap((stepId) => {
          const story = stories.get(stepId);
          const said = story?.unconfirmed.at(-1);
          return story === undefined || said === undefined ? [] : [{ story, said }];
        });
        break;
      }
      case "RunCompleted":
      case "RunFailed":
      case "RunCancelled":
        // A retry that will not come: the run's end is its end.
        for (const s of stories.values()) s.end ??= { ok: false, runSeq: e.runSeq, category: "ABANDONED", message: "the run ended" };
        break;
      default: // D-016: unknown events are tolerated and change nothing
    }
  }
  return [...stories.values()];
}

function addStart(stories: Map<string, EffectHistory>, e: EventRecord): void {
  const known = stories.get(e.stepId!);
  if (known === undefined) {
    const p = readPayload<StepStartedPayload>(e.payload);
    if (actsOutside(p.kind)) stories.set(e.stepId!, beginHistory(e, p));
    return;
  }
  known.events.push(e.runSeq);
  known.attempts = e.logicalAttemptId;
  const { declaredAt, via } = readPayload<StepStartedPayload>(e.payload);
  if (via !== "queue") known.lastAt = e.persistedAt;
  if (declaredAt !== undefined) known.declaredAt = declaredAt;
  // A later attempt of a step that can be asked, and may have been sent, is asked first: its send is a re-dispatch.
  const asks = known.verified && known.failures.some((f) => f.category !== "NOT_SENT");
  if (!asks) known.sends++;
}

function beginHistory(e: EventRecord, p: StepStartedPayload & { readonly input?: unknown }): EffectHistory {
  return {
    stepId: e.stepId!,
    kind: p.kind,
    name: p.name,
    class: p.class ?? "UNDECLARED",
    ...(p.key === undefined ? {} : { key: p.key }),
    ...(p.receiver === undefined ? {} : { receiver: p.receiver }),
    ...(p.dedupMs === undefined ? {} : { dedupMs: p.dedupMs }),
    verified: p.verified === true || p.class === "VERIFIED",
    gated: isGatedByRunChain(p),
    ...(p.repeatOf === undefined ? {} : { repeatOf: p.repeatOf }),
    ...(p.rerun === undefined ? {} : { rerun: p.rerun }),
    settleMs: p.settleMs ?? settleDefaultMs,
    timeoutMs: p.timeoutMs ?? 0,
    seq: e.runSeq,
    firstAt: e.persistedAt,
    lastAt: e.persistedAt,
    attempts: e.logicalAttemptId,
    sends: p.approve === true ? 0 : 1,
    failures: [],
    answers: [],
    unconfirmed: [],
    awaitingApproval:
      p.approve === true
        ? {
            runSeq: e.runSeq,
            at: e.persistedAt,
            ...(p.question === undefined ? {} : { question: p.question }),
            ...(p.input === undefined ? {} : { input: p.input }),
          }
        : null,
    doubt: null,
    held: null,
    proposal: null,
    end: null,
    events: [e.runSeq],
  };
}

/** When a dispatch on a queue was claimed, and until when it could have begun and run: from its claim on it may have been sent (K26). */
function noteClaim(story: EffectHistory, { claimedAt, deadlineAt }: ClaimPayload): void {
  if (typeof claimedAt !== "number") return;
  const { timeoutMs } = story;
  story.lastAt = typeof deadlineAt === "number" ? Math.max(claimedAt, deadlineAt - timeoutMs - beginMs(timeoutMs)) : claimedAt;
}

/** An effect begins within this time of the record of its dispatch, or is recorded again. */
export const beginMsMax = 1_000;
/** Between a worker over HTTP and the store lies a network: it has so long, from its claim on. */
export const remoteBeginMsMax = 5_000;
/** What a time limit leaves for the beginning: it counts from the record, unless it is so short that little would be left of it. */
export function beginMs(timeoutMs: number): number {
  return timeoutMs < 4 * beginMsMax ? beginMsMax : 0;
}

/** K25: until then a request of the last dispatch may still arrive, so nobody may say that it did not happen. */
export function mayArriveUntil(s: Pick<EffectHistory, "lastAt" | "timeoutMs" | "settleMs">): number {
  return s.lastAt + beginMs(s.timeoutMs) + s.timeoutMs + s.settleMs;
}
