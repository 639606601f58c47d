// What the earlier runs of a run chain recorded of each step, folded from their logs, and what the table of sending again says when
// this run reaches the same step. It recognises an effect by its key, or by its step where it has no key, over every run of the
// chain (K19, I7). It reads no store and never decides by itself: core/send-again.ts decides.
import type { ManualUndo } from "./manual-undo.ts";
import { mayRepeat } from "../../core/guarantee.ts";
import { sendAgain, sendClassOf, type RecordedState, type SendAgain, type SendQuestion } from "../../core/send-again.ts";
import { compensationId } from "../../core/step-id.ts";
import { areOneFamily, isCalledByCode, isCalledEffect } from "../../core/step-kind-facts.ts";
import { isGatedByRunChain, type ChildRef, type ForkOrder, type RerunOrder, type StepStartedPayload } from "../../events/payload.ts";
import type { History, RecordedStep } from "../run/history.ts";
import { callDigest } from "../steps/step-start.ts";

/** A child, with the kind and the digest of the call that it was created for. */
type CreatedChild = ChildRef & { readonly kind: StepStartedPayload["kind"]; readonly digest: string };

/** The last thing that the chain recorded of one step or effect. */
export interface ChainStep {
  runId: string;
  past: RecordedStep;
  recorded: RecordedState;
  /** The store's times of the first and the latest dispatch that count. */
  firstAt: number;
  lastAt: number;
  /** How often it was undone. */
  undone: number;
  /** Begun at or after the step from which a later run began again. */
  fromStep: boolean;
  /** Digest of the input of the run that called it. */
  runInput: string;
  /** The last child that was made for it. */
  child: CreatedChild | undefined;
  /** A later run was forked from this one: how its calls are compared with what was recorded. */
  forked?: { readonly edited: boolean };
  /** Of an earlier step of this run: where its result is in the log. */
  resultAt?: number;
}

export interface ChainVerdict {
  readonly then: SendAgain;
  readonly before: ChainStep;
  readonly question: SendQuestion;
}

/** One earlier run, oldest first. */
export interface EarlierRun {
  readonly runId: string;
  readonly history: Pick<History, "steps" | "start">;
  readonly runInput: string;
  /** What it did after the failure that ended it. */
  readonly manualUndo?: ManualUndo | null;
}

export class RunChain {
  readonly rerun: RerunOrder | null;
  readonly #steps: ChainStep[] = [];
  readonly #byStep = new Map<string, ChainStep[]>();
  readonly #byKey = new Map<string, ChainStep[]>();
  readonly #runInput: string;
  /** What this run has called. */
  readonly #calledSteps = new Set<string>();

  constructor(earlier: readonly EarlierRun[], now: { readonly start: History["start"]; readonly runInput: string }) {
    this.rerun = now.start.rerun ?? null;
    this.#runInput = now.runInput;
    let last: EarlierRun | undefined;
    for (const run of earlier) {
      this.#markAnew(run.history.start, last);
      this.#addRun(run);
      last = run;
    }
    this.#markAnew(now.start, last);
  }
  /** Everything the chain recorded, in the order in which it was first called. */
  get steps(): readonly ChainStep[] {
    return this.#steps;
  }

  /** Steps that this run called before the snapshot that it was read from. */
  addCalled(stepIds: readonly string[]): void {
    for (const stepId of stepIds) this.#calledSteps.add(stepId);
  }

  /** What may be done with a step that this run calls now; undefined: the chain knows nothing of it. */
  judge(stepId: string, call: StepStartedPayload, input: string | null, given?: string): ChainVerdict | undefined {
    this.#calledSteps.add(stepId);
    if (!isCalledByCode(call.kind)) return undefined; // what an earlier run undid says nothing of what this one undoes
    const key = effectKey(call);
    const before = this.#match(stepId, key, this.#calledSteps) ?? this.#openEnded(stepId, call);
    if (before === undefined || !isComparable(before.past.started, call)) return undefined;
    const same = before.forked === undefined ? this.#isSame(before, call, input, given) : sameAfterFork(before, call, input, given);
    return this.judgeAs(before, call, same);
  }

  /** The table's answer, of a call that is known to be the same or another one. */
  judgeAs(before: ChainStep, call: StepStartedPayload, sameness: boolean | "other"): ChainVerdict {
    const was = before.past.started;
    // A step that was declared repeatable since then: what was sent before was not, and is judged by what was recorded.
    const judged = mayRepeat(call.class ?? "UNDECLARED") && was.class !== undefined && !mayRepeat(was.class) ? was : call;
    const of =
      before.forked === undefined
        ? { kind: judged.kind, ...(judged.class === undefined ? {} : { class: judged.class }) }
        : { ...judged, task: was.task };
    const rerun = this.rerun?.steps.includes(before.past.stepId) === true;
    const question = { recorded: before.recorded, class: sendClassOf(of), same: sameness === true, rerun, fromStep: before.fromStep };
    if (sameness === "other") Object.assign(question, { otherCall: true });
    return { then: sendAgain(question), before, question };
  }

  #isSame({ past, runInput }: ChainStep, call: StepStartedPayload, input: string | null, given: string | undefined): boolean {
    // A step that has moved or was renamed is the same effect under its key.
    const name = call.key === undefined ? call.name : past.started.name;
    if (past.started.kind !== call.kind || callDigest({ ...call, name }, input, given) !== past.started.digest) return false;
    // Without a key and without a declared input, what it does can depend on the run's input.
    const depends = isCalledEffect(call.kind) && call.key === undefined && input === null && given === undefined;
    return !depends || runInput === this.#runInput;
  }

  /** By its key, or by its step where it or the recorded one has no key. A step that `called` has is an operation of its own. */
  #match(stepId: string, key: string | undefined, called: { has(stepId: string): boolean }): ChainStep | undefined {
    const here = this.#byStep.get(stepId) ?? [];
    const exact = here.find((e) => authorKey(e.past) === key);
    if (exact !== undefined) return exact;
    const byKey =
      key === undefined ? undefined : this.#byKey.get(key)?.find((e) => e.past.started.tool !== undefined || !called.has(e.past.stepId));
    return byKey ?? here.find((e) => key === undefined || authorKey(e.past) === undefined);
  }

  /** What is known by its step alone; a tool's call is known by what it is. */
  #openEnded(stepId: string, { tool }: StepStartedPayload): ChainStep | undefined {
    return tool === undefined ? this.#byStep.get(stepId)?.find((e) => isOpenEnded(e.recorded)) : undefined;
  }

  #markAnew(start: History["start"], last: EarlierRun | undefined): void {
    if (last === undefined) return;
    if (isForkItself(start)) return this.#markForked(start.fork);
    if (start.begin !== undefined) this.#forget(start.begin.superstep);
    const { steps } = last.history;
    const from = start.fromStep === undefined ? undefined : steps.get(start.fromStep);
    if (start.restartOf === undefined && from === undefined) return;
    const seq = from?.runSeq ?? 0;
    for (const e of this.#steps) if ((steps.get(e.past.stepId)?.runSeq ?? seq) >= seq) e.fromStep = true;
  }

  #markForked({ superstep, update }: ForkOrder): void {
    this.#forget(superstep);
    for (const e of this.#steps) Object.assign(e, { fromStep: true, forked: { edited: update !== undefined } });
  }

  /** What was called up to the superstep is not called again; a tool's call is known by what it is, wherever it was made. */
  #forget(superstep: number): void {
    const kept = this.#steps.filter((e) => e.past.started.tool !== undefined || Number.parseInt(e.past.stepId, 10) > superstep);
    this.#steps.length = 0;
    this.#byStep.clear();
    this.#byKey.clear();
    for (const e of kept) this.#add(e);
  }

  #addRun(run: EarlierRun): void {
    const { steps } = run.history;
    for (const past of steps.values()) {
      if (!isCalledByCode(past.started.kind)) continue;
      const before = this.#match(past.stepId, authorKey(past), steps);
      const now = foldStep(before, past, run);
      if (before === undefined) this.#add(now);
      else {
        Object.assign(before, now);
        this.#index(before);
      }
      const undo = steps.get(compensationId(past.stepId));
      if (undo !== undefined) foldUndo(before ?? now, undo);
    }
  }

  #add(e: ChainStep): void {
    this.#steps.push(e);
    this.#index(e);
  }
  #index(e: ChainStep): void {
    addTo(this.#byStep, e.past.stepId, e);
    const key = authorKey(e.past);
    if (key !== undefined) addTo(this.#byKey, key, e);
  }
}

function addTo(map: Map<string, ChainStep[]>, name: string, e: ChainStep): void {
  const list = map.get(name);
  if (list === undefined) map.set(name, [e]);
  else if (!list.includes(e)) list.push(e);
}

/** The author's key. */
export function authorKey({ started }: RecordedStep): string | undefined {
  return effectKey(started);
}
/** What an effect is known by in a chain: the author's key; of a tool, what its call is. */
function effectKey({ tool, attemptOf, key }: StepStartedPayload): string | undefined {
  return tool === undefined ? (attemptOf ?? key) : `tool ${tool.identity} ${tool.n ?? 1}`;
}

/** A retry of a fork repeats where that began; it is no fork of its own. */
function isForkItself(start: History["start"]): start is History["start"] & { readonly fork: ForkOrder } {
  return start.fork !== undefined && start.retryOf === undefined && start.restartOf === undefined;
}

/**
 * A forked run's call: the same one, one with another declared input, which is a call of its own, or one of which nobody can say. Without a declared
 * input that is so once the state was edited: what the step does may depend on it.
 */
export function sameAfterFork(
  { past, forked }: ChainStep,
  call: StepStartedPayload,
  input: string | null,
  given?: string,
): boolean | "other" {
  const { digest, kind } = past.started;
  if (kind !== call.kind) return false;
  if (callDigest(call, input, given) === digest)
    return call.tool !== undefined || !isCalledEffect(kind) || input !== null || forked?.edited !== true;
  const was = (past.started as { readonly input?: unknown }).input;
  return input !== null && was !== undefined && callDigest(call, JSON.stringify(was), given) === digest ? "other" : false;
}

function isOpenEnded(r: RecordedState): boolean {
  return r === "unknown" || r === "doubt" || r === "undoing";
}

/** Effects are compared with effects, whatever they were, and children with children; anything else with its own kind. */
function isComparable(was: StepStartedPayload, call: StepStartedPayload): boolean {
  return was.kind === call.kind || areOneFamily(was.kind, call.kind);
}

/** What is known after one more run that called it. */
function foldStep(before: ChainStep | undefined, past: RecordedStep, { runId, runInput }: EarlierRun): ChainStep {
  const { firstAt, lastAt } = past;
  const now = {
    runId,
    past,
    firstAt,
    lastAt,
    undone: before?.undone ?? 0,
    fromStep: false,
    runInput,
    child: createdChild(past) ?? before?.child,
  };
  if (past.outcome?.ok === true) {
    if (past.outcome.payload.via === "adopted" && before !== undefined)
      return { ...now, recorded: "completed", firstAt: before.firstAt, lastAt: before.lastAt };
    return { ...now, recorded: "completed" };
  }
  if (wasVouchedFor(past)) return { ...now, recorded: "nothing" };
  if (wasSent(past)) return { ...now, recorded: past.doubtSeq !== 0 && past.doubtSeq !== past.runSeq ? "doubt" : "unknown" };
  // That run added nothing: what was known before it still is.
  if (before !== undefined) return before;
  const { line } = past.started;
  return line === undefined ? { ...now, recorded: "nothing" } : { ...now, recorded: line.was };
}

/** The child that a call made; none where its id had a run already. */
function createdChild({ started, outcome }: RecordedStep): CreatedChild | undefined {
  const none = started.child === undefined || (outcome?.ok === false && outcome.payload.category === "CONFLICT");
  return none ? undefined : { ...started.child, kind: started.kind, digest: started.digest };
}

/** A person said that it did not happen, and nothing was sent since. */
function wasVouchedFor(past: RecordedStep): boolean {
  return past.firstAt === 0 && !past.mayHaveBeenSent;
}

/** Whether the run itself may have sent it. A start that follows from the chain is no send: its re-dispatch is. */
function wasSent(past: RecordedStep): boolean {
  if (past.awaitingApproval) return false;
  if (isGatedByRunChain(past.started) && past.started.approve !== true) return past.attempt > 1 || past.engineAttempt > 1;
  return past.mayHaveBeenSent || past.state === "open";
}

function foldUndo(e: ChainStep, undo: RecordedStep): void {
  if (undo.state === "completed") {
    e.recorded = "undone";
    e.undone++;
  } else if (undo.mayHaveBeenSent || undo.state === "open") e.recorded = "undoing";
}
