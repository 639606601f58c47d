// A step that was asked for and has no outcome yet, as the owner holds it in memory. Its durable truth is the log; this
// is only what the owner needs to go on: the promise of the code, the author's functions, where it stands.
import type { StepStartedPayload } from "../../events/payload.ts";
import type { DispatchRecord } from "../effects/dispatch-age.ts";
import type { EffectSpec, StartedChild, TxUndo } from "../calls.ts";
import type { Definition } from "../definition.ts";
import type { ChainVerdict } from "../chain/run-chain.ts";
import type { TxSql } from "../../store/transaction-store.ts";

/** The workflow that a call names, and the input for it, encoded. */
export interface ChildCall {
  readonly definition: Definition;
  readonly input: string;
}

/** What the author gave for each kind of step. */
export type StepBody =
  | { readonly kind: "effect"; readonly spec: EffectSpec }
  | { readonly kind: "compensation"; readonly spec: EffectSpec; readonly of: string }
  /** undoes: the step whose rows this transaction takes back; null: it is a step of the code. */
  | { readonly kind: "tx"; readonly fn: (sql: TxSql) => Promise<unknown>; readonly undo: TxUndo | null; readonly undoes: string | null }
  | { readonly kind: "timer" }
  | { readonly kind: "signal"; readonly signal: string }
  /** adopted: the run that an earlier run of the line may have started, whose end is told there. */
  | {
      readonly kind: "child";
      readonly childStepId: string;
      readonly cancels: boolean;
      readonly adopted?: string;
      readonly calls?: ChildCall;
    }
  | { readonly kind: "start"; readonly child: StartedChild; readonly calls?: ChildCall }
  | { readonly kind: "send" };

/** What a person said of an effect in doubt; compared as text. */
export interface Proposal {
  readonly by: string;
  readonly answer: string;
  readonly result: string | null;
}

export interface OpenStep {
  readonly stepId: string;
  readonly name: string;
  body: StepBody;
  started: StepStartedPayload;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
  /**
   * starting: its StepStarted is not acknowledged · running: its function runs here · waiting: for a timer, a signal, a
   * child · asked: a person must approve it before it is sent · retrying: until dueAt · recovering: started by an earlier owner, what to do is being found out · doubt: a
   * person decides (K27)
   */
  state: "starting" | "running" | "waiting" | "asked" | "retrying" | "recovering" | "doubt";
  attempt: number;
  engineAttempt: number;
  /** Store time of the first and of the latest dispatch. */
  firstAt: number;
  lastAt: number;
  readonly dispatchRecord: DispatchRecord;
  dueAt: number | null;
  heartbeat: unknown;
  /** What the line says of it; null where it says nothing. */
  readonly chain: ChainVerdict | null;
  /** Earlier runs of the line may have sent it: recovered by its class before anything is sent (K19). */
  inheritedInDoubt: boolean;
  /** The runSeq of its first StepStarted, and of the event that put it in doubt; 0 until they have one. */
  seq: number;
  doubtSeq: number;
  /** An attempt may have reached the receiver: only then is there anything to ask, or to be remembered (W-030). */
  mayHaveBeenSent: boolean;
  /** Sent while the run is ending, under a key that the receiver knows: its answer tells what to undo, so it is not aborted. */
  resentToLearn: boolean;
  /** A person has not approved it: it was never sent, and has no record yet. */
  awaitingApproval: boolean;
  /** The answer of one person that waits for another's. */
  proposal: Proposal | null;
  /** Where its guarantee was declared, as far as it is known. */
  readonly declaredAt: string | null;
  /** Stops the running function; null when none runs. */
  abort: ((reason: unknown) => void) | null;
}

/** The declared input, for the record that begins now: a step that waited for approval has none before. */
export function inputBeforeApproval(s: OpenStep): string | null {
  return s.awaitingApproval && s.body.kind === "effect" ? s.body.spec.input : null;
}

/** The step that this one undoes; null for a step of the code. */
export function undoneStepId({ body: work }: Pick<OpenStep, "body">): string | null {
  return work.kind === "compensation" ? work.of : work.kind === "tx" ? work.undoes : null;
}

/** Its author said how it is undone when the run fails or is cancelled. */
export function hasCompensation({ body: work }: Pick<OpenStep, "body">): boolean {
  return (work.kind === "effect" && work.spec.compensate !== null) || (work.kind === "tx" && work.undo !== null);
}

export function isEffect(s: OpenStep): boolean {
  return s.body.kind === "effect" || s.body.kind === "compensation" || s.body.kind === "tx";
}
