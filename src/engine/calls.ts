// What workflow code, in any style, may ask of its run. Each call that waits is a step: it is matched with the record
// on replay, or recorded, before anything happens. The authoring layers (workflow, DAG, graph) are written on these
// primitives alone; nothing here knows how a user spells them.
import type { Failure } from "../codec/failure.ts";
import type { Guarantee } from "../core/guarantee.ts";
import type { QuestionData } from "../core/question.ts";
import type { InputRef } from "../core/input-ref.ts";
import type { Limits } from "../core/limits.ts";
import type { GuaranteeClass } from "../core/model.ts";
import type { RetryPolicy } from "../core/retry.ts";
import type { SkipReason } from "../core/trigger.ts";
import type { CausePayload, ModelPayload, PlanMadePayload, ToolPayload } from "../events/payload.ts";
import type { TxSql } from "../store/transaction-store.ts";
import type { Definition, Parse } from "./definition.ts";

/** What a step's function is given. `key` is the same on every attempt; `fence` lets a receiver refuse a stale owner. */
export interface EffectStepScope {
  /** The same on every attempt: your `key`, or one derived from the run chain and the step. Send it to the receiver. */
  readonly key: string;
  /** Rises with every new owner of the run, so that a receiver can refuse a stale one. */
  readonly fence: string;
  /** `pawl:<run>:<step>:<owner>`: names this owner's attempt. For traces, never for deduplication: it changes with every owner. */
  readonly traceKey: string;
  /** The same as `aetheris:<run>:<step>:<owner>`, for receivers that expect that form. */
  readonly aetherisTraceKey: string;
  /**
   * The number of this attempt: `logical` counts retries by policy, `engine` re-dispatches of the same attempt after a crash.
   */
  readonly attempt: { readonly logical: number; readonly engine: number };
  /** When the first attempt began. */
  readonly firstAttemptAt: Date;
  /** Aborted on a time limit, a cancel, or when this engine has lost the run. */
  readonly signal: AbortSignal;
  /** The detail of the last heartbeat of an earlier attempt; undefined when there was none. */
  readonly lastHeartbeat: unknown;
  /** Says that the step is alive, with a detail for the next attempt. */
  heartbeat(detail?: unknown): void;
  /** The same, and resolves when the detail is durable. */
  checkpoint(detail: unknown): Promise<void>;
  /** Sends a value to those who listen to the run now; never stored. A step on a queue has no listeners. */
  stream?(value: unknown): void;
  /** Writes to the engine's log, with the run and the step. */
  log(message: string, data?: unknown): void;
}

/** What a step's function returns to give its place up: the step stays open, and its function is called again with this detail. */
export class YieldedStep {
  readonly detail: unknown;
  constructor(detail: unknown) {
    this.detail = detail;
  }
}

/** The four answers of `verify`. A boolean is not an answer. */
export type Verdict<T> =
  | { state: "not-completed" }
  | { state: "completed-with-result"; result: T }
  | { state: "completed-result-unavailable" }
  | { state: "indeterminate"; reason?: string };

/** Asked when the run is replayed: does the world still match what was recorded? */
export interface ConfirmSpec {
  readonly mode: "strict" | "warn" | "human";
  /** The verifier's name, for the log and for people. */
  readonly verifier: string;
  /** It looks at nothing: refused in production. */
  readonly placeholder: boolean;
  readonly check: (recorded: unknown, s: EffectStepScope) => Promise<unknown>;
}

/** A step that may run in another process: on which queue, as which task, with what. */
export interface QueuedSpec {
  readonly queue: string;
  /** `name` or `name@version`: what workers claim by. */
  readonly task: string;
  /** -9 … 9; null: the run's own. */
  readonly priority: number | null;
  /** How long it may wait for a worker; then it fails as NOT_SENT. null: as long as it takes. */
  readonly withinMs: number | null;
  /**
   * What the worker is given; null: the declared input (`EffectSpec.input`). A function is asked when the places of results in the log are known;
   * undefined: that one is not.
   */
  readonly input: InputRef | ((placeOf: (stepId: string) => number | undefined) => InputRef) | null;
  /** Of a compensation: the encoded result that it undoes; null: undefined. Absent: it undoes nothing. */
  readonly undone?: string | null;
  /** `fn`, `verify` and `compensate` can be called in this process; false: only workers have them. */
  readonly hasCode: boolean;
  /** Checks a result that came from a worker; what throws is a final failure, RESULT_INVALID. null: anything is accepted. */
  readonly resultParse: ((result: unknown) => unknown) | null;
}

/** How a completed step is undone: by a step of its own, with a class, a key and limits of its own. */
export interface UndoSpec {
  readonly fn: (result: unknown, s: EffectStepScope) => unknown;
  readonly verify: ((result: unknown, s: EffectStepScope) => Promise<Verdict<unknown>>) | null;
  readonly class: GuaranteeClass;
  /** Its key comes of the result, so it is known when the compensation begins; what the author's function throws is thrown. */
  readonly guarantee: (result: unknown) => Guarantee;
  readonly retry: RetryPolicy;
  readonly timeoutMs: number | null;
  readonly heartbeatMs: number | null;
  readonly receiver: string | null;
  /** Only workers can undo it; null: `fn` is called here. */
  readonly queued: QueuedSpec | null;
}

/** Of a tool that is a transaction: what it is, and its declared input, encoded. */
export interface TxOf {
  readonly tool: ToolFacts;
  readonly input: string;
  readonly onOpened?: OnOpened;
}

/** How the rows of a transaction are taken back: by a transaction of its own. What it returns is recorded nowhere. */
export type TxUndo = (result: unknown, sql: TxSql) => Promise<void>;

export interface EffectSpec {
  readonly fn: (s: EffectStepScope) => unknown;
  readonly verify: ((s: EffectStepScope) => Promise<Verdict<unknown>>) | null;
  readonly compensate: UndoSpec | null;
  readonly confirm: ConfirmSpec | null;
  readonly guarantee: Guarantee;
  readonly retry: RetryPolicy;
  /** null: no limit (only REPEATABLE and UNDECLARED may have none). */
  readonly timeoutMs: number | null;
  readonly heartbeatMs: number | null;
  /** Whom it acts on, by name; for the ledger. */
  readonly receiver: string | null;
  /** Where a task was defined, as file:line:column; null for a step, whose place is looked for when it is needed. */
  readonly declaredAt: string | null;
  /** Asked once, before the step begins: must a person approve it, and what do they read? Null: nobody is asked. */
  readonly approve: (() => boolean | string) | null;
  /** The declared input, encoded; it enters the recorded digest. */
  readonly input: string | null;
  /** It goes to a queue, and the process that claims it there runs it; null: the run's owner does. */
  readonly queued: QueuedSpec | null;
  /**
   * A final failure waits for a person instead of reaching the code: `pawl.StepHeld`, and a decision of kind "failure" (retry, complete, resolve,
   * skip, fail). Nothing is undone meanwhile. For a step outside a plan; a node of a plan says it in `given`.
   */
  readonly hold?: true;
  /** What is in doubt fails (INDETERMINATE) instead of waiting for a person. */
  readonly failsInDoubt?: true;
  /** The task that it was made of, by name: recorded with a step that may have to be undone or confirmed after its code is gone. */
  readonly task?: string;
  /** Of a node of a plan. */
  readonly given?: GivenByPlan;
  /** Of a tool: a call that a model may ask for again. */
  readonly tool?: ToolFacts;
  /** Of a model call. It always has a record in the ledger. */
  readonly model?: ModelPayload;
  /** Of a plan. It always has a record in the ledger, too. */
  readonly plan?: PlanMadePayload;
  /** Called when the step is opened, live and on replay alike, before anything is sent. */
  readonly onOpened?: OnOpened;
  /** Of a step whose result must be one of a kind: what a person says it is, or that it has none, is refused where this throws. */
  readonly checkAnswer?: (result: unknown) => unknown;
  /** The receiver's own id of what was done; recorded with the outcome. */
  readonly externalId?: (result: unknown) => unknown;
}

export type OnOpened = (step: { readonly stepId: string; readonly repeatOf: string | undefined }) => void;

/** A call that something else asked for, and may ask for again: how an equal call of this run is recognised (effects/tool-calls.ts). */
export interface ToolFacts extends Omit<ToolPayload, "n"> {
  /** An equal call that has completed may be made again, under a key of its own. */
  readonly allowsRepeat: boolean;
  /** Per run: how many calls there may be, and what they may add up to. */
  readonly limit?: { readonly calls?: number; readonly sum?: number };
  readonly cause?: CausePayload;
}

/** Its final failure waits for a person. */
export function holdsFailure(spec: EffectSpec | null): boolean {
  return spec !== null && (spec.hold === true || spec.given?.hold === true);
}

/** What a node of a plan is given: recorded with its start, and part of its identity (K17). */
export interface GivenByPlan {
  /** The ids of the steps that it needs. */
  readonly needs: readonly string[];
  /** Hex SHA-256 over what they gave; never a place in the log, which differs from run to run. */
  readonly hash: string;
  /** A final failure waits for a person while the rest of the plan continues. */
  readonly hold: boolean;
}

/** A question to a person (`ctx.ask`). */
export interface AskSpec {
  readonly question: QuestionData;
  /** Then it ends with undefined; null: it waits as long as it takes. */
  readonly timeoutMs: number | null;
  /** An answer counts only if this accepts it; what it returns is the answer's value. */
  readonly check: Parse;
}

export interface ChildSpec {
  /** The step's name; the workflow's unless given. */
  readonly name?: string;
  readonly definition: Definition;
  readonly input: unknown;
  readonly workflowId: string | null;
  readonly timeoutMs: number | null;
  /** Of a node of a plan. */
  readonly given?: GivenByPlan;
  /** Of a tool: a call that a model may ask for again. */
  readonly tool?: ToolFacts;
  readonly onOpened?: OnOpened;
}

/** The steps that something made while its run was under way, and those that will not run because of it. */
export interface PlannedSteps {
  readonly steps: readonly string[];
  readonly skipped: readonly string[];
}

export interface StartedChild {
  readonly runId: string;
  readonly workflowId: string;
  /** The step that started it: its end is reported under this name. */
  readonly stepId: string;
}

/** Events that a style records in the middle of its calls. */
export type StyleMark = "pawl.Superstep" | "pawl.SuperstepPart" | "pawl.Backpressure";
/** What the items of a graph do, for those who measure it. It says nothing back. */
export interface ItemWatch {
  /** So many wait in the queue now. */
  queued(n: number): void;
  /** An item of this node began; call what it returns when it has ended. */
  began(node: string): () => void;
  /** So many values of this superstep had two writers. */
  conflicts(n: number): void;
  /** The queue was full for too long. */
  backpressure(): void;
}
/** A step's end as it is recorded. */
export type RecordedEnd =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly failure: Failure; readonly category: string };
export type WantedResults = (stepId: string, outcome: "completed" | "failed") => readonly number[];

/** What a superstep's event is a checkpoint of: its number, and the key that names it (L-36). */
export interface MarkedCheckpoint {
  readonly stepId: number;
  readonly key: string;
  readonly label: string | null;
}

/** Where a graph begins that does not begin from its input alone: what the log of another run folds to after a superstep. */
export interface ForkPoint {
  readonly state: unknown;
  /** Of a fork: an update of its channels, encoded. */
  readonly update: Readonly<Record<string, unknown>> | undefined;
  /** The next turn: its input is applied to that state, and it begins at its start. */
  readonly isTurn: boolean;
}

export interface Calls {
  readonly run: { readonly runId: string; readonly workflowId: string; readonly workflow: string; readonly version: string };
  /** The first run of its chain: retries draw the same random numbers. */
  readonly rootRunId: string;
  /** Null: it begins from its input. */
  readonly forkPoint: ForkPoint | null;
  readonly limits: Limits;
  effect(scope: string, name: string, spec: EffectSpec): Promise<unknown>;
  /** Tells those who listen now what the code says; never stored, and not said again while the record is replayed. */
  emit(item: string, value: unknown): void;
  tx(
    scope: string,
    name: string,
    fn: (sql: TxSql) => Promise<unknown>,
    undo: TxUndo | null,
    of?: TxOf,
    given?: GivenByPlan,
  ): Promise<unknown>;
  timer(scope: string, name: string, due: { readonly delayMs: number } | { readonly until: number }, given?: GivenByPlan): Promise<void>;
  /** `name`: the step's; the signal's unless given. */
  receive(scope: string, signal: string, timeoutMs: number | null, name?: string, given?: GivenByPlan): Promise<unknown>;
  /**
   * Waits for a person. Gives {value, by, at, submissionId}; a list of those where the question needs several votes; undefined past its time limit.
   */
  ask(scope: string, name: string, spec: AskSpec): Promise<unknown>;
  callChild(scope: string, spec: ChildSpec): Promise<unknown>;
  startChild(scope: string, spec: ChildSpec): Promise<StartedChild>;
  awaitChild(scope: string, child: StartedChild): Promise<unknown>;
  /** A signal, or a cancel, to a child that this run started. */
  sendToChild(
    scope: string,
    child: StartedChild,
    /** `check` throws what the child's workflow would refuse. */
    what: { readonly signal: string; readonly payload: unknown; readonly check: () => void } | { readonly cancel: string | undefined },
  ): Promise<void>;
  onUpdate(name: string, handler: (input: unknown) => unknown, validate: ((input: unknown) => void) | null): void;
  publish(view: string, value: unknown): void;
  nowMs(): number;
  uuid(): string;
  random(): number;
  patched(id: string): boolean;
  continueAsNew(input: unknown): never;
  fail(reason: string, data: unknown): never;
  /** A step of a plan that will not run, and which steps are the reason (StepSkipped): recorded, or matched with the record. */
  skip(stepId: string, why: SkipReason, by: readonly string[]): void;
  /** What a decision, an each or a batch made (pawl.StepsPlanned): recorded, or matched with the record. */
  plan(by: string, made: PlannedSteps): void;
  /** The run is ending: nothing new begins. */
  readonly isEnding: boolean;
  /** How many steps may be open at once. */
  readonly openStepsMax: number;
  /**
   * Records an event of the author's style, or finds it in the record, where it must be the same to the letter. `payload` is JSON text.
   * With a checkpoint, its row goes into the same Commit, and no Commit holds two.
   */
  mark(eventType: StyleMark, payload: string, checkpoint?: MarkedCheckpoint): void;
  /** This code must not continue the run: it stops for a person, or goes to an engine of its own version (K20). Never settles. */
  diverge(what: string, expected: string, found: string): Promise<never>;
  /** Nobody waits for what is open under `scope` any more: waits are given up, effects are awaited. Their promises settle as they end. */
  closeScope(scope: string): void;
  readonly items: ItemWatch;
  /** Nothing will be called under `scope` again. */
  forgetScope(scope: string): void;
  /** Asked before an end is delivered: the events whose results the code will read then. Pure. They are read before the turn opens (K15). */
  onWants(wants: WantedResults): void;
  /** How the step ended whose last event is at this place: one that was wanted. Each call gives a value of its own (K12). */
  result(runSeq: number): RecordedEnd;
  /** What is known of the last call of a tool with this identity; unknown: it may have taken effect. Undefined: there was none. */
  toolCallState(identity: string): "open" | "nothing" | "completed" | "unknown" | undefined;
  /** A name under `scope` that is new in this run: "ship", then "ship~2". */
  subscope(scope: string, name: string): string;
}
