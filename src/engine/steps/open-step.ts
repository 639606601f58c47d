// A step that was asked for and has no outcome yet, as the owner holds it in memory. Its durable truth is the log; this is only what
// the owner needs to continue: the promise of the code, the author's functions, the state. All steps have one shape, whatever
// their kind: that keeps reading them cheap.
import type { Failure } from "../../codec/failure.ts";
import { revive } from "../../codec/value.ts";
import type { StepCategory } from "../../errors/step-errors.ts";
import type { StepStartedPayload } from "../../events/payload.ts";
import type { EffectSpec } from "../calls.ts";
import type { ChainVerdict } from "../chain/run-chain.ts";
import { noDispatchRecord, type DispatchRecord } from "../effects/dispatch-age.ts";
import { canBeAsked } from "../effects/verdict.ts";
import { QueuedState } from "../queued/queued-state.ts";
import type { RecordedStep } from "../run/history.ts";
import type { StepKind } from "./step-kind.ts";

/** What a person said of an effect in doubt; compared as text. */
export interface Proposal {
  readonly by: string;
  readonly answer: string;
  readonly result: string | null;
  /** Who made the token that it was given with. */
  readonly tokenBy?: string;
}

/** A final failure that waits for a person. */
export interface HeldFailure {
  readonly failure: Failure;
  readonly category: StepCategory;
}

/** What is known of a step before it starts. */
export interface StepInit<B> {
  readonly stepId: string;
  readonly name: string;
  readonly kind: StepKind<B>;
  readonly body: B;
  readonly spec: EffectSpec | null;
  readonly undoes: string | null;
  readonly declaredAt: string | null;
  readonly chain: ChainVerdict | null;
}

export class OpenStep<B = unknown> {
  readonly stepId: string;
  readonly name: string;
  readonly kind: StepKind<B>;
  /** What the author gave for a step of this kind. */
  readonly body: B;
  /** What is sent, and what was declared of it; null: it sends nothing. */
  readonly spec: EffectSpec | null;
  /** The step that this one undoes; null for a step of the code. */
  readonly undoes: string | null;
  started: StepStartedPayload;
  resolve: (value: unknown) => void = ignore;
  reject: (error: unknown) => void = ignore;
  /**
   * starting: its StepStarted is not acknowledged · queued: a worker will run it, or does · running: its function runs here · waiting: for a timer, a signal, a
   * child · asked: a person must approve it before it is sent · retrying: until dueAt · recovering: started by an earlier owner, what
   * to do is being found out · doubt: a person decides (K27)
   */
  state: "starting" | "queued" | "running" | "waiting" | "asked" | "retrying" | "recovering" | "doubt";
  attempt: number;
  engineAttempt: number;
  /** What is known of its dispatches; null: it never goes to a queue. */
  readonly queue: QueuedState | null;
  /** Store time of the first and of the latest dispatch; of one on a queue, from its claim on. */
  firstAt: number;
  lastAt: number;
  readonly dispatchRecord: DispatchRecord = noDispatchRecord();
  dueAt: number | null = null;
  heartbeat: unknown;
  /** What earlier runs of the chain recorded of it; null: nothing. */
  readonly chain: ChainVerdict | null;
  /** Earlier runs of the chain may have sent it: recovered by its class before anything is sent (K19). */
  inheritedInDoubt: boolean = false;
  /** The runSeq of its first StepStarted, and of the event that put it in doubt; 0 until they have one. */
  seq: number;
  doubtSeq: number;
  /** An attempt may have reached the receiver: only then is there anything to ask, or to be remembered (W-030). */
  mayHaveBeenSent: boolean;
  /** Sent while the run is ending, under a key that the receiver knows: its answer tells what to undo, so it is not aborted. */
  resentToLearn: boolean = false;
  /** The part of the code that called it has ended: its outcome is recorded, and it is not tried again. */
  isUnwanted: boolean = false;
  /** A person has not approved it: it was never sent, and has no record yet. */
  awaitingApproval: boolean;
  /** The answer of one person that waits for another's. */
  proposal: Proposal | null;
  /** It has failed for good, and a person decides what becomes of it. */
  held: HeldFailure | null;
  /** Where its guarantee was declared, as far as it is known. */
  readonly declaredAt: string | null;
  /** Questions about what became of it, counted: only the answer to the newest one counts, and none once a report has come. */
  asks: number = 0;
  /** Stops the running function; null when none runs. */
  abort: ((reason: unknown) => void) | null = null;

  /** `past`: an earlier owner recorded its start. */
  constructor(init: StepInit<B>, started: StepStartedPayload, past: RecordedStep | undefined) {
    this.stepId = init.stepId;
    this.name = init.name;
    this.kind = init.kind;
    this.body = init.body;
    this.spec = init.spec;
    this.undoes = init.undoes;
    this.started = started;
    this.state = past === undefined ? "starting" : "recovering";
    this.attempt = past?.attempt ?? 1;
    this.engineAttempt = past?.engineAttempt ?? 1;
    this.firstAt = past?.firstAt ?? 0;
    this.lastAt = past?.lastAt ?? 0;
    const onQueue = (init.spec !== null && init.spec.queued !== null) || (past !== undefined && past.queue !== null);
    this.queue = onQueue ? new QueuedState() : null;
    this.heartbeat = past?.heartbeat === undefined ? undefined : revive(past.heartbeat);
    this.chain = init.chain;
    this.seq = past?.runSeq ?? 0;
    this.doubtSeq = past?.doubtSeq ?? 0;
    this.mayHaveBeenSent = past?.mayHaveBeenSent ?? false;
    this.awaitingApproval = past?.awaitingApproval ?? started.approve === true;
    this.proposal = past?.proposal ?? null;
    this.held = past?.held ?? null;
    this.declaredAt = init.declaredAt;
  }
}

function ignore(): void {}

/** The declared input, for the record that begins now: a step that waited for approval has none before. */
export function inputBeforeApproval(s: OpenStep): string | null {
  return s.awaitingApproval && s.spec !== null ? s.spec.input : null;
}

/** A later attempt of a step that can be asked is asked first; so is one that an earlier run left unknown. */
export function mustAskFirst(s: OpenStep): boolean {
  if (s.spec === null) return false;
  return s.inheritedInDoubt || (s.mayHaveBeenSent && s.attempt > 1 && s.engineAttempt === 1 && canBeAsked(s.spec));
}
