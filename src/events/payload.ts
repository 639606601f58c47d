// The payloads of Pawl's events: what the producer writes and what replay reads. Values of users are embedded as text
// that the codec already made (K12: encoded once), so a payload is assembled, never re-encoded. Reading is defensive:
// an unknown field is ignored, a missing one is undefined.
import type { PrincipalKind } from "../core/principal.ts";
import type { GuaranteeClass, RunStatus, StepKindName } from "../core/model.ts";
import type { Principal } from "../core/principal.ts";
import type { RecordedState, SendAgain } from "../core/send-again.ts";
import type { StepCategory } from "../errors/step-errors.ts";
import type { Failure } from "../codec/failure.ts";

/** An object from members that are JSON text already; undefined members are left out. */
export function jsonObject(members: Readonly<Record<string, string | undefined>>): string {
  let out = "";
  for (const name in members) {
    const text = members[name];
    if (text !== undefined) out += (out === "" ? "" : ",") + `"${name}":${text}`;
  }
  return `{${out}}`;
}

/** JSON text of a plain string, number, boolean, null or tree of these; undefined stays undefined. */
export function jsonValue(value: unknown): string | undefined {
  return value === undefined ? undefined : JSON.stringify(value);
}

/**
 * The record of a transition (T-97): from which status, and which engine wrote it. For anyone who looks into it later; nothing
 * reads it to decide, since the fence decides who may write.
 */
export function withTransition(payload: string | null, from: RunStatus | null, engineId: string): string {
  const move = `"from":"${from ?? "none"}","engine":${JSON.stringify(engineId)}`;
  return payload === null || payload === "{}" ? `{${move}}` : `${payload.slice(0, -1)},${move}}`;
}

/** An end says when its owner wrote it, by the store's clock as the owner knew it: its link covers that. */
export function withEndTime(payload: string, storeMs: number): string {
  return `${payload.slice(0, -1)},"settledAt":${Math.round(storeMs)}}`;
}

export interface RunStartPayload {
  readonly input?: unknown;
  /** The input went through the workflow's schema already. */
  readonly parsed?: boolean;
  readonly codeVersion?: string;
  /** The workflow's time limit, where the run's row says none. */
  readonly timeoutMs?: number;
  /** Its deadline is that of the run chain: a caller gave it. */
  readonly lineDeadline?: boolean;
  readonly retryOf?: string;
  readonly fromStep?: string;
  /** The run in whose place it began again (onConflict: "restart"): what that one let leave is carried, as for a retry. */
  readonly restartOf?: string;
  readonly continuedFrom?: string;
  /** A person ordered completed effects to be sent again: which, who and why. Each one's StepStarted repeats who and why. */
  readonly rerun?: RerunOrder;
  /** The span that it was started in, and its first activation, as W3C trace context. */
  readonly traceparent?: string;
  readonly activation?: string;
  /** Who asked for it, where somebody was authenticated. */
  readonly principal?: Principal;
  /** A digest of the request as it was sent, of a start under a key. */
  readonly request?: string;
}

/** A person's order to send completed effects again (`retry({ rerun, by, reason })`). */
export interface RerunOrder {
  readonly steps: readonly string[];
  readonly by: string;
  readonly reason: string;
}

/**
 * What earlier runs of the run chain had recorded of this effect when a later run came to it, and what the table of sending again
 * (core/send-again.ts) said. A StepStarted with it is no send by itself unless `then` is `run` or `newKey`: the send, if there is one,
 * is a `pawl.StepRedispatched` or a further attempt. Absent where nothing was recorded, and where the outcome was taken over.
 */
export interface RunChainPayload {
  /** The run, and its step, that last recorded something of it. */
  readonly runId: string;
  readonly stepId: string;
  readonly was: RecordedState;
  readonly then: SendAgain;
  /** The store's times of the first and the latest dispatch that count, over the whole line. */
  readonly firstAt: number;
  readonly lastAt: number;
}

export interface ChildRef {
  readonly runId: string;
  readonly workflowId: string;
  readonly workflow: string;
}

/** The child of an earlier run of the run chain that a call continues from. */
export interface ContinuedChild {
  /** The old child. */
  readonly runId: string;
  /** The id under which the next one is made. */
  readonly workflowId: string;
  readonly workflow: string;
  /** It is another id than the old child's. */
  readonly otherId?: true;
  /** The old child was made for the same call: the same input. */
  readonly same?: true;
  /** The calling run begins again before this call: so does the child. */
  readonly anew?: true;
}

export interface StepStartedPayload {
  readonly kind: StepKindName;
  readonly name: string;
  readonly digest: string;
  readonly class?: GuaranteeClass;
  readonly key?: string;
  /** Whom it acts on, as the author named it. */
  readonly receiver?: string;
  readonly dedupMs?: number;
  readonly settleMs?: number;
  /** verify was supplied. */
  readonly verified?: boolean;
  /** The key under which an effect store will hold the result. */
  readonly invocation?: string;
  readonly timeoutMs?: number;
  /** It stands before a person: nothing is sent until an answer says so. `question` is what its author says to them. */
  readonly approve?: true;
  readonly question?: string;
  /** The run before this one was given leave for it. */
  readonly approved?: true;
  /** Of a further attempt: where its guarantee was declared, file:line:column. */
  readonly declaredAt?: string;
  /** Timers and limits of waits: due = persistedAt of this event + delayMs, or the absolute `until`. */
  readonly delayMs?: number;
  readonly until?: number;
  readonly signal?: string;
  readonly child?: ChildRef;
  /** Its child is made when that of an earlier run of the run chain has ended: `pawl.ChildContinued` names it. */
  readonly continues?: ContinuedChild;
  /** The step that a compensation undoes. */
  readonly of?: string;
  /** What earlier runs of the run chain knew of it. */
  readonly line?: RunChainPayload;
  /** It had completed in the line, and is sent again on a person's order. */
  readonly rerun?: { readonly by: string; readonly reason: string };
  /** `key` is a new one, since what was sent under this key, the author's, was undone. */
  readonly attemptOf?: string;
}

/** The table of sending again let nothing leave with this start: a send is a re-dispatch, or a further attempt. */
export function isGatedByRunChain({ line }: Pick<StepStartedPayload, "line">): boolean {
  return line !== undefined && line.then !== "run" && line.then !== "newKey";
}

/** What is said to anyone who must approve a step. */
export function questionOf({ question }: Pick<StepStartedPayload, "question">): string {
  return question ?? "a person must approve it before it is sent";
}

export interface StepCompletedPayload {
  readonly result?: unknown;
  readonly via?: "verify" | "adopted" | "decision" | "kept";
  /** The key under which an effect store holds the result. */
  readonly invocation?: string;
  readonly timedOut?: boolean;
  readonly signalId?: string;
  readonly copiedFrom?: string;
}

export interface StepFailedPayload {
  readonly error: Failure;
  readonly category: StepCategory;
  /** RFC 3339; present when the step will be tried again: then the failure is not delivered to the code (K13). */
  readonly retryAt?: string;
  /** A person, or verify when nothing could arrive any more, said that nothing happened, in this attempt and any before. */
  readonly via?: "decision" | "verify";
  /** What verify said, or why it said nothing. */
  readonly diagnosis?: string;
}

/** An answer to a decision, in the inbox and in the log (`pawl.DecisionAnswered`, `pawl.DecisionProposed`). */
export interface AnswerPayload {
  readonly decisionId: string;
  readonly stepId?: string;
  readonly answer: "happened" | "did-not-happen" | "fail" | "retry" | "accept" | "approve" | "refuse" | "resume" | "cancel";
  readonly by?: string;
  readonly reason?: string;
  readonly result?: unknown;
  /** What the one who answered is, as a server authenticated it; absent: not known. */
  readonly kind?: PrincipalKind;
  /** Who made the token that the answer was given with, where somebody did. */
  readonly tokenBy?: string;
  /** Who proposed what `by` confirmed. */
  readonly proposedBy?: string;
}

/** What a verifier said against a recorded effect when the run was replayed (`pawl.ConfirmationFailed`). */
export interface ConfirmationPayload {
  readonly stepId: string;
  readonly mode: "strict" | "warn" | "human";
  readonly verifier: string;
  readonly reason: string;
  /** Of the owner that asked. */
  readonly epoch: number;
}

export interface RunEndPayload {
  readonly result?: unknown;
  readonly continuedAs?: string;
  readonly error?: Failure;
  readonly category?: string;
  readonly reason?: string;
  readonly terminated?: boolean;
  readonly compensationsFailed?: readonly string[];
  /** Steps that were still open when the code returned: nobody waited for them. */
  readonly abandoned?: readonly string[];
  /** The store's time when the owner wrote the end, in milliseconds: sealed by the end itself, which no later Commit follows. */
  readonly settledAt?: number;
}

export const pawlEvents = {
  redispatched: "pawl.StepRedispatched",
  /** The effect begins only now: what was recorded of this dispatch before sent nothing. */
  begins: "pawl.StepBegins",
  heartbeat: "pawl.StepHeartbeat",
  inDoubt: "pawl.StepInDoubt",
  patched: "pawl.Patched",
  view: "pawl.ViewPublished",
  updateAccepted: "pawl.UpdateAccepted",
  updateCompleted: "pawl.UpdateCompleted",
  cancelRequested: "pawl.CancelRequested",
  signalRejected: "pawl.SignalRejected",
  callRefused: "pawl.CallRefused",
  /** A call's child was made as the next run of the child that an earlier run of the run chain called. */
  childContinued: "pawl.ChildContinued",
  decisionNeeded: "pawl.DecisionNeeded",
  decisionAnswered: "pawl.DecisionAnswered",
  decisionProposed: "pawl.DecisionProposed",
  confirmationFailed: "pawl.ConfirmationFailed",
  sealed: "pawl.HeadSealed",
} as const;

export function readPayload<T>(payload: string | null): T {
  return (payload === null ? {} : JSON.parse(payload)) as T;
}
