// The base of a snapshot: what a run's log folds to without the steps that have ended, so that it stays small however long the log is. Kept by
// the owner event by event, written to a snapshot, read back by the next owner, and made again from the log by `pawl doctor`; the same
// events give the same text in all four. Results are not copied: an effect that may have to be undone or confirmed is remembered by its places.
import { styleFold, type StyleFold } from "../../core/fold/style-fold.ts";
import { pawlEvents, readPayload, type SnapshotPayload, type StepFailedPayload } from "../../events/payload.ts";
import { ToolCalls } from "../effects/tool-calls.ts";
import { isDelivered, LogFold, type RecordedStop, type RecordedUpdate } from "../fold/log-fold.ts";
import { isTakenOver, type FoldedEvent, type RecordedStep } from "../fold/recorded-step.ts";

/** A step that has ended and that the run may still have to undo or to confirm. */
export interface EffectRef {
  readonly stepId: string;
  /** The places of its first StepStarted and of its StepCompleted. */
  readonly seq: number;
  readonly outcomeSeq: number;
  readonly attempt: number;
  readonly engineAttempt: number;
  readonly firstAt: number;
  readonly undo: boolean;
  readonly confirm: boolean;
}

/** What one event costs a reader. */
export function tailCost(e: Pick<FoldedEvent, "payload">): number {
  return 512 + (e.payload?.length ?? 0);
}

export class BaseFold extends LogFold {
  /** The place of the last event. */
  headSeq: number = 0;
  /** What the code knew as the time: that of the last end it saw. */
  nowMs: number = 0;
  /** In the order of their ends: the last one is undone first. */
  readonly refs: Map<string, EffectRef> = new Map();
  /** Steps that happened and cannot be undone, since their results are lost. */
  readonly undoLost: string[] = [];
  /** Steps that have ended, of a run whose chain asks what it called before. */
  readonly called: string[] = [];
  /** A model that asks again, after the snapshot, must find the calls that were made before it. */
  readonly toolCalls: ToolCalls = new ToolCalls();
  readonly updates: Map<string, RecordedUpdate> = new Map();
  stop: RecordedStop | null = null;
  style: { readonly name: string; readonly fold: StyleFold; readonly state: unknown } | null = null;
  /** The log since the last announcement of a snapshot, as bytes to read; and how large that snapshot was. */
  tailBytes: number = 0;
  bodyBytes: number = 0;
  /** An end without a start: these events do not continue what the fold began with. */
  isBroken: boolean = false;
  #isMarked = false;

  /** Of a style whose code begins after marks only: their type. */
  get mark(): string | undefined {
    return this.style?.fold.mark;
  }

  override add(e: FoldedEvent): void {
    super.add(e);
    if (e.runSeq !== this.headSeq + 1) this.isBroken = true;
    this.headSeq = e.runSeq;
    this.#isMarked = e.eventType === this.mark;
    if (e.eventType === "RunStarted") {
      this.nowMs = Math.max(this.nowMs, e.emittedAt);
      const { style: name } = this.start;
      const fold = name === undefined ? undefined : styleFold(name);
      if (fold !== undefined) this.style = { name: name!, fold, state: fold.empty() };
    }
    this.style?.fold.add(this.style.state, e);
    this.tailBytes += tailCost(e);
    if (e.eventType === pawlEvents.snapshot) {
      this.tailBytes = 0;
      this.bodyBytes = readPayload<SnapshotPayload>(e.payload).bytes;
    }
  }

  /** As it was written: at a place where code can begin. */
  restoreHead(runSeq: number): void {
    this.headSeq = runSeq;
    this.#isMarked = true;
  }

  /** Nothing is open but steps: code can begin here. */
  get isResumable(): boolean {
    if (this.mark !== undefined && (this.steps.size > 0 || !this.#isMarked)) return false;
    return this.style !== null && this.stop === null && this.updates.size === 0 && this.derived.status === "RUNNING";
  }

  protected onStarted(step: RecordedStep): void {
    // What was declared as input is in the log, and nothing that continues the step reads it.
    const { input: _, ...started } = step.started as typeof step.started & { input?: unknown };
    step.started = started;
    this.toolCalls.noteStart(step.stepId, started);
  }
  protected onEnded(step: RecordedStep | undefined, e: FoldedEvent, failed: StepFailedPayload | undefined): void {
    if (step === undefined) {
      this.isBroken = true;
      return;
    }
    const { stepId, runSeq: seq, attempt, engineAttempt, firstAt, started } = step;
    if (failed === undefined) this.toolCalls.noteCompleted(step, undefined, e.runSeq);
    else this.toolCalls.noteFailed(step, failed.category);
    this.steps.delete(stepId);
    this.derived.steps.delete(stepId);
    if (!isDelivered(step)) return;
    this.nowMs = Math.max(this.nowMs, e.emittedAt);
    const { retryOf, restartOf, fork } = this.start;
    if (retryOf !== undefined || restartOf !== undefined || fork?.effects === "adopt") this.called.push(stepId);
    const undo = started.undo === true && !isTakenOver(started);
    const confirm = started.confirm === true;
    if (failed === undefined && (undo || confirm))
      this.refs.set(stepId, { stepId, seq, outcomeSeq: e.runSeq, attempt, engineAttempt, firstAt, undo, confirm });
    const isLost = failed?.category === "RESULT_UNAVAILABLE" || failed?.category === "NOT_ENCODABLE";
    if (isLost && undo && started.kind === "effect") this.undoLost.push(stepId);
  }
  protected onPlanned(type: "skip" | "plan", stepId: string): void {
    if (type === "skip") this.derived.steps.delete(stepId);
  }
  protected onPaused(): void {}
  protected onPatched(): void {}
  protected onUpdate(update: RecordedUpdate, e: FoldedEvent): void {
    this.updates.set(update.updateId, update);
    this.nowMs = Math.max(this.nowMs, e.emittedAt);
  }
  protected onUpdateAnswered(updateId: string): void {
    this.updates.delete(updateId);
  }
  protected onStop(stop: RecordedStop): void {
    this.stop ??= stop;
  }
  protected onMark(): void {}
}
