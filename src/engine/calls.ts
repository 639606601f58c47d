// What workflow code, in any style, may ask of its run. Each call that waits is a step: it is matched with the record
// on replay, or recorded, before anything happens. The authoring layers (workflow, DAG, graph) are written on these
// primitives alone; nothing here knows how a user spells them.
import type { Guarantee } from "../core/guarantee.ts";
import type { GuaranteeClass } from "../core/model.ts";
import type { RetryPolicy } from "../core/retry.ts";
import type { TxSql } from "../store/transaction-store.ts";
import type { Definition } from "./definition.ts";

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
  /** Writes to the engine's log, with the run and the step. */
  log(message: string, data?: unknown): void;
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
}

export interface ChildSpec {
  readonly definition: Definition;
  readonly input: unknown;
  readonly workflowId: string | null;
  readonly timeoutMs: number | null;
}

export interface StartedChild {
  readonly runId: string;
  readonly workflowId: string;
  /** The step that started it: its end is reported under this name. */
  readonly stepId: string;
}

export interface Calls {
  readonly run: { readonly runId: string; readonly workflowId: string; readonly workflow: string; readonly version: string };
  effect(scope: string, name: string, spec: EffectSpec): Promise<unknown>;
  tx(scope: string, name: string, fn: (sql: TxSql) => Promise<unknown>, undo: TxUndo | null): Promise<unknown>;
  timer(scope: string, name: string, due: { readonly delayMs: number } | { readonly until: number }): Promise<void>;
  receive(scope: string, signal: string, timeoutMs: number | null): Promise<unknown>;
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
  /** A name under `scope` that is new in this run: "ship", then "ship~2". */
  subscope(scope: string, name: string): string;
}
