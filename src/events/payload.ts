// The payloads of Pawl's events: what the producer writes and what replay reads. Values of users are embedded as text
// that the codec already made (K12: encoded once), so a payload is assembled, never re-encoded. Reading is defensive:
// an unknown field is ignored, a missing one is undefined.
import type { PrincipalKind } from "../core/principal.ts";
import type { GuaranteeClass, RunStatus, StepKindName } from "../core/model.ts";
import type { Principal } from "../core/principal.ts";
import type { QuestionData } from "../core/question.ts";
import type { RecordedState, SendAgain } from "../core/send-again.ts";
import type { SkipReason } from "../core/trigger.ts";
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
  /** Of a plan: the digest of its graph. */
  readonly plan?: string;
  /** The workflow's time limit, where the run's row says none. */
  readonly timeoutMs?: number;
  /** Its deadline is that of the run chain: a caller gave it. */
  readonly lineDeadline?: boolean;
  readonly retryOf?: string;
  readonly fromStep?: string;
  /** The run in whose place it began again (onConflict: "restart"): what that one let leave is carried, as for a retry. */
  readonly restartOf?: string;
  readonly continuedFrom?: string;
  /** The superstep of another run that it began from. */
  readonly fork?: ForkOrder;
  /** Of a graph: a retry that begins where the run that it retries stood, or the next turn. */
  readonly begin?: BeginOrder;
  /** A person ordered completed effects to be sent again: which, who and why. Each one's StepStarted repeats who and why. */
  readonly rerun?: RerunOrder;
  /** Of its queued steps, unless their task says otherwise. */
  readonly priority?: number;
  /** The span that it was started in, and its first activation, as W3C trace context. */
  readonly traceparent?: string;
  readonly activation?: string;
  /** Who asked for it, where somebody was authenticated. */
  readonly principal?: Principal;
  /** A digest of the request as it was sent, of a start under a key. */
  readonly request?: string;
  /** The authoring style of its code, where that may begin in the middle of the log (core/fold). */
  readonly style?: string;
}

/** A graph that begins where another run stood after a superstep (`fork`). */
export interface ForkOrder {
  /** The run that it was forked from. */
  readonly runId: string;
  readonly superstep: number;
  /** Of that run's checkpoint. */
  readonly key: string;
  /** adopt: what that run did after it is judged by the table of sending again (core/send-again.ts). new: nothing is taken over. */
  readonly effects: "adopt" | "new";
  /** An update of its channels, merged before anything else is done. */
  readonly update?: Readonly<Record<string, unknown>>;
  readonly by: string;
  readonly reason: string;
}

/** The number of the first superstep in a graph's log. */
export function firstSuperstep({ begin, fork }: Pick<RunStartPayload, "begin" | "fork">): number {
  if (begin !== undefined) return begin.turn === true ? 0 : begin.superstep;
  return fork?.superstep ?? 0;
}

/** A graph that begins where an earlier run of its id stood after a superstep. */
export interface BeginOrder {
  readonly runId: string;
  readonly superstep: number;
  /** Of that run's checkpoint. */
  readonly key: string;
  /** The next turn: only the state is taken over, and `begin` is applied to it. Absent: a retry, which continues there. */
  readonly turn?: true;
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

/** How a dispatch left: to a queue, where a worker claims it, or born claimed, since the run's owner runs it itself. Absent: no queue. */
export type DispatchVia = "queue" | "here";

/** Who claimed a dispatch that has ended; null: nobody did, so nothing was sent. Absent where no queue was used. */
export interface ClaimPayload {
  readonly dispatchId?: number;
  readonly worker?: string | null;
  readonly claimedAt?: number | null;
  /** K25: until when it could have begun and run. */
  readonly deadlineAt?: number | null;
  /** Its worker reported after it had ended, while nobody had decided what became of it. */
  readonly late?: true;
}

export interface StepStartedPayload {
  readonly kind: StepKindName;
  readonly name: string;
  readonly digest: string;
  /** The task that it was made of, where a later owner may need that to undo or confirm it. */
  readonly task?: string;
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
  readonly via?: DispatchVia;
  /** Of a further attempt: where its guarantee was declared, file:line:column. */
  readonly declaredAt?: string;
  /** Timers and limits of waits: due = persistedAt of this event + delayMs, or the absolute `until`. */
  readonly delayMs?: number;
  readonly until?: number;
  readonly signal?: string;
  /** Of a question to a person. */
  readonly ask?: QuestionData;
  readonly child?: ChildRef;
  /** Its child is made when that of an earlier run of the run chain has ended: `pawl.ChildContinued` names it. */
  readonly continues?: ContinuedChild;
  /** Of a node of a plan: the steps that it needs. */
  readonly needs?: readonly string[];
  /** The step that a compensation undoes. */
  readonly of?: string;
  /** What earlier runs of the run chain knew of it. */
  readonly line?: RunChainPayload;
  /** It had completed in the line, and is sent again on a person's order. */
  readonly rerun?: { readonly by: string; readonly reason: string };
  /** `key` is a new one, since what was sent under this key, the author's, was undone, or was another call. */
  readonly attemptOf?: string;
  /** It is the effect of the run that this one was forked from, which this run never undoes. */
  readonly forked?: true;
  /** Of a tool: which one, and how an equal call of this run is recognised. */
  readonly tool?: ToolPayload;
  /** The recorded output of a model that asked for it. */
  readonly cause?: CausePayload;
  /** The step of an equal call that this run made before: it is taken over, or this start only asks what became of it. */
  readonly repeatOf?: string;
  /** Of a model call: which model, and a digest of what it was given. The prompt itself is never recorded here. */
  readonly model?: ModelPayload;
  /** Of a plan: its end has the calls. */
  readonly plan?: PlanMadePayload;
  /** Of a run with snapshots: its author says how it is undone, or confirmed. So it is remembered after its end. */
  readonly undo?: true;
  readonly confirm?: true;
}

/** A tool, as the start of a call has it. */
export interface ToolPayload {
  readonly name: string;
  readonly version: string;
  /** SHA-256 of its schema, as the model was given it. */
  readonly schema: string;
  /** SHA-256 of what the call is: the author's key, or the tool's name and its arguments in canonical form. */
  readonly identity: string;
  /** SHA-256 of the arguments, where the identity is made of a key. */
  readonly args?: string;
  /** What it adds to the sum that its limit is about. */
  readonly amount?: number;
  /** The number of this call among equal ones that its author allows; absent: 1. */
  readonly n?: number;
}
/** Which recorded output of a model asked for a call: the step, the number of the part in its reply, the provider's id of the call. */
export interface CausePayload {
  readonly stepId: string;
  readonly part: number;
  readonly toolCallId: string;
}
export interface ModelPayload {
  readonly id: string;
  readonly provider: string;
  readonly promptHash: string;
  /** Settings, as far as they were given. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** Steps whose recorded results were in the prompt. */
  readonly saw?: readonly string[];
}

/** Of a plan: who made it, by which version, a digest of what the planner was given, and the plan that it replaces. */
export interface PlanMadePayload {
  readonly planner: string;
  readonly version: string;
  readonly inputHash: string;
  readonly replaces?: string;
  readonly why?: string;
}

/** The table of sending again let nothing leave with this start: a send is a re-dispatch, or a further attempt. */
export function isGatedByRunChain({ line }: Pick<StepStartedPayload, "line">): boolean {
  return line !== undefined && line.then !== "run" && line.then !== "newKey";
}

/** What is said to anyone who must approve a step. */
export function questionOf({ question }: Pick<StepStartedPayload, "question">): string {
  return question ?? "a person must approve it before it is sent";
}

/** A step of a plan that does not run: why, and which steps are the reason. Abandoned: a step of a graph whose node has ended, and whose next attempt is not made. */
export interface StepSkippedPayload {
  readonly why: SkipReason | "abandoned";
  readonly by: readonly string[];
}

/** What a decision, an each or a batch made (`pawl.StepsPlanned`). */
export interface StepsPlannedPayload {
  readonly by: string;
  readonly steps: readonly string[];
  readonly skipped?: readonly string[];
}

export interface StepCompletedPayload extends ClaimPayload {
  readonly result?: unknown;
  readonly via?: "verify" | "adopted" | "decision" | "kept";
  /** The key under which an effect store holds the result. */
  readonly invocation?: string;
  readonly timedOut?: boolean;
  readonly signalId?: string;
  readonly copiedFrom?: string;
  /** A person said that the matter is settled, without a result. */
  readonly resolved?: true;
  /** The receiver's own id of what was done, as the tool's author reads it from the result. */
  readonly externalId?: string;
}

export interface StepFailedPayload extends ClaimPayload {
  readonly error: Failure;
  readonly category: StepCategory;
  /** RFC 3339; present when the step will be tried again: then the failure is not delivered to the code (K13). */
  readonly retryAt?: string;
  /** A person, or verify when nothing could arrive any more, said that nothing happened, in this attempt and any before. */
  readonly via?: "decision" | "verify";
  /** What verify said, or why it said nothing. */
  readonly diagnosis?: string;
}

/** A final failure that waits for a person (`pawl.StepHeld`). */
export interface StepHeldPayload extends ClaimPayload {
  readonly stepId: string;
  readonly attempt: number;
  readonly error: Failure;
  readonly category: StepCategory;
}

/** An answer to a decision, in the inbox and in the log (`pawl.DecisionAnswered`, `pawl.DecisionProposed`). */
export interface AnswerPayload {
  readonly decisionId: string;
  readonly stepId?: string;
  readonly answer:
    | "happened"
    | "did-not-happen"
    | "fail"
    | "retry"
    | "accept"
    | "approve"
    | "refuse"
    | "complete"
    | "resolve"
    | "skip"
    | "answer"
    | "resume"
    | "cancel";
  readonly by?: string;
  readonly reason?: string;
  readonly result?: unknown;
  /** Of an answer to a question: which submission it was, and when the owner took it. */
  readonly submissionId?: string;
  readonly at?: string;
  /** What the one who answered is, as a server authenticated it; absent: not known. */
  readonly kind?: PrincipalKind;
  /** Who made the token that the answer was given with, where somebody did. */
  readonly tokenBy?: string;
  /** Who proposed what `by` confirmed. */
  readonly proposedBy?: string;
}

/** What the log folds to at event `at` is in the store (`pawl.Snapshot`): its digest, and its size, which says when the next one is due. */
export interface SnapshotPayload {
  readonly at: number;
  readonly digest: string;
  readonly bytes: number;
  /** Which fold made it: only the same one makes the same text. */
  readonly v: string;
}

/** An engine continues a run whose owner died (`pawl.TakenOver`). */
export interface TakenOverPayload {
  readonly engine: string;
  /** The engine that died. */
  readonly lost: string;
  readonly fence: number;
  /** When the run could have continued, in milliseconds of the store's clock; absent: it was at work when its owner died. */
  readonly since?: number;
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
  /** Of a plan: steps that failed for good, and steps that never began because of them. */
  readonly failed?: readonly string[];
  readonly blocked?: readonly string[];
  /** Steps that were still open when the code returned: nobody waited for them. */
  readonly abandoned?: readonly string[];
  /** The store's time when the owner wrote the end, in milliseconds: sealed by the end itself, which no later Commit follows. */
  readonly settledAt?: number;
}

export const pawlEvents = {
  redispatched: "pawl.StepRedispatched",
  /** Its owner died, and another engine continues the run (engine/chain/take-over.ts). */
  takenOver: "pawl.TakenOver",
  /** The effect begins only now: what was recorded of this dispatch before sent nothing. */
  begins: "pawl.StepBegins",
  heartbeat: "pawl.StepHeartbeat",
  /** A worker's report that came after its dispatch had ended otherwise: evidence, never an outcome. */
  lateResult: "pawl.LateResult",
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
  /** A step of a plan has failed for good, and a person decides what becomes of it. */
  held: "pawl.StepHeld",
  /** A step gave its place up, and continues from what it said. */
  yielded: "pawl.StepYielded",
  /** What a decision, an each or a batch of a plan made. */
  planned: "pawl.StepsPlanned",
  sealed: "pawl.HeadSealed",
  /** What the log folds to at an earlier event is in the store: it says where, and the digest of it (engine/snapshot). */
  snapshot: "pawl.Snapshot",
  /** The end of one superstep of a graph, and what of it was too large for one event. */
  superstep: "pawl.Superstep",
  superstepPart: "pawl.SuperstepPart",
  /** The queue of a superstep was full for too long: the run waits for a person. */
  backpressure: "pawl.Backpressure",
} as const;

export function readPayload<T>(payload: string | null): T {
  return (payload === null ? {} : JSON.parse(payload)) as T;
}
