// The record of an effect as its run sees it: what is known at each event of a step, made into a row that goes with that
// event in one Commit, so that log and ledger can never disagree (R-04). It says "indeterminate" wherever an effect may have
// happened and nothing proves how it ended (W-031); it must never say more than the event it came with.
import { inputDigest } from "../../codec/canonical.ts";
import { mayRepeat } from "../../core/guarantee.ts";
import { actsOutside } from "../../core/step-kind-facts.ts";
import type { EffectPhase, EffectStatus } from "../../core/model.ts";
import type { StepCategory } from "../../errors/step-errors.ts";
import { sha256Hex } from "../../platform/crypto/hash.ts";
import type { StepStartedPayload } from "../../events/payload.ts";
import type { EffectWrite, RunRow } from "../../store/port.ts";
import type { LiveRun } from "../run/live-run.ts";
import type { OpenStep } from "../steps/open-step.ts";

/** A record that waits for its event: the place of that event is known when the Commit is built. */
export type EffectDraft = Omit<EffectWrite, "seq" | "eventSeq"> & { readonly of: { seq: number } };

export interface EffectState {
  readonly status: EffectStatus;
  readonly phase: EffectPhase;
  /** What went wrong, with its diagnosis. */
  readonly error?: Readonly<Record<string, unknown>>;
  /** Who had the dispatch that ended with this event. */
  readonly worker?: string | null;
}
export const dispatchedState: EffectState = { status: "indeterminate", phase: "dispatched" };
/** Of a dispatch on a queue: whether somebody has claimed it is not in the log yet. */
export const queuedState: EffectState = { status: "indeterminate", phase: "queued" };
export const completedState: EffectState = { status: "completed", phase: "settled" };
/** TX-16: the record names who ran it, in the Commit of what became of it. */
export function ranBy(s: EffectState, dispatch: { readonly worker: string | null } | null | undefined): EffectState {
  return dispatch === null || dispatch === undefined || dispatch.worker === null ? s : { ...s, worker: dispatch.worker };
}

export const abandonedState: EffectState = { status: "cancelled", phase: "settled", error: { category: "ABANDONED" } };
/** A retry that will not come: an attempt before may have been sent. */
export function abandonedRetryState(step: Pick<OpenStep, "started" | "mayHaveBeenSent">): EffectState {
  const unsure = step.mayHaveBeenSent && !mayRepeat(step.started.class ?? "UNDECLARED");
  return unsure ? { ...abandonedState, status: "indeterminate" } : abandonedState;
}

/** What is recorded of any step, open or read from the log. */
type LedgerSubject = Pick<OpenStep, "stepId" | "started" | "attempt" | "engineAttempt" | "seq" | "doubtSeq">;

/** K24: the key that is the same on every attempt: the author's, or one made of tenant, root run and step. */
export function stableKey(row: KeySource, stepId: string, started: KeyedStart): string {
  if (started.key !== undefined) return started.key;
  return (started[derivedKey] ??= `pawl-${sha256Hex(`${keyPrefix(row)}${JSON.stringify(keyedBy(stepId, started))}]`)}`);
}
type KeyedStart = Pick<StepStartedPayload, "key" | "tool"> & { [derivedKey]?: string };
/** A tool's call is what it is wherever it is made: a step that asks about an earlier call has that call's key. */
function keyedBy(stepId: string, { tool }: KeyedStart): unknown {
  return tool === undefined ? stepId : ["tool", tool.name, tool.identity, tool.n ?? 1];
}
type KeySource = Pick<RunRow, "scope" | "rootRunId">;
/** A key that was made stays with the start of its step: start, function and outcome each ask for it. */
const derivedKey: unique symbol = Symbol("made");

/** What the keys of one run share: the JSON text of all members but the last. */
function keyPrefix(row: KeySource): string {
  let prefix = prefixes.get(row);
  if (prefix === undefined) {
    const { scope, rootRunId } = row;
    prefix = `${JSON.stringify([scope.tenantId, scope.projectId, scope.environmentId, rootRunId]).slice(0, -1)},`;
    prefixes.set(row, prefix);
  }
  return prefix;
}
const prefixes = new WeakMap<KeySource, string>();

/** Whether a step has a record: what may simply run again has one only if the engine was asked for it, or when it is in doubt. */
function hasRecord(r: LiveRun, { started, doubtSeq }: LedgerSubject, phase: EffectPhase): boolean {
  if (!actsOutside(started.kind)) return false;
  if (started.class !== "UNDECLARED" && started.class !== "REPEATABLE") return true;
  if (started.model !== undefined || started.plan !== undefined) return true; // R-36: a model call is an effect, always
  return r.host.ledger === "all" || phase === "doubt" || doubtSeq !== 0;
}

export function effectDraft(r: LiveRun, step: LedgerSubject, s: EffectState, input: string | null = null): EffectDraft | undefined {
  const { started } = step;
  if (!hasRecord(r, step, s.phase)) return undefined;
  return {
    of: step,
    version: 1,
    scope: r.row.scope,
    workflowId: r.row.workflowId,
    stepId: step.stepId,
    name: started.name,
    class: started.class ?? "UNDECLARED",
    key: started.class === "ATOMIC" ? null : stableKey(r.row, step.stepId, started),
    argsDigest: input === null ? null : inputDigest(input),
    receiver: started.receiver ?? null,
    status: s.status,
    phase: s.phase,
    attempts: step.attempt,
    engineAttempts: step.engineAttempt,
    error: s.error === undefined ? null : JSON.stringify(s.error),
    worker: s.worker ?? null,
  };
}

/** The row, once its event has its place. */
export function effectWrite(d: EffectDraft, eventSeq: number): EffectWrite {
  if (d.of.seq === 0) d.of.seq = eventSeq; // its first StepStarted
  // Every member named: on the path of each declared step, where taking one member off a copy is ten times the work.
  return {
    version: d.version,
    seq: d.of.seq,
    scope: d.scope,
    workflowId: d.workflowId,
    stepId: d.stepId,
    name: d.name,
    class: d.class,
    key: d.key,
    argsDigest: d.argsDigest,
    receiver: d.receiver,
    status: d.status,
    phase: d.phase,
    attempts: d.attempts,
    engineAttempts: d.engineAttempts,
    error: d.error,
    eventSeq,
    worker: d.worker,
  };
}

/** Rows W-030 … W-035 of the outcome matrix: what a failure lets us record. */
export function effectStatusOfFailure(
  step: Pick<OpenStep, "started" | "mayHaveBeenSent">,
  category: StepCategory,
  again: boolean,
): EffectStatus {
  switch (category) {
    case "NOT_APPROVED":
      return "failed"; // nobody let it go
    case "NOT_SENT":
      return step.mayHaveBeenSent ? "indeterminate" : "failed"; // an attempt before this one may have been sent
    case "TIMEOUT":
      return "timed-out";
    case "CANCELLED": // "cancelled" says that it did not happen: of what may not repeat only verify or a person can
      return again || (step.mayHaveBeenSent && !mayRepeat(step.started.class ?? "UNDECLARED")) ? "indeterminate" : "cancelled";
    case "ABANDONED":
      return again ? "indeterminate" : "cancelled";
    case "RESULT_UNAVAILABLE":
    case "RESULT_INVALID":
    case "NOT_ENCODABLE":
      return "completed"; // it happened; its result cannot be had
    case "INDETERMINATE":
    case "REFUSED":
      return "indeterminate";
    default: {
      const { class: of } = step.started;
      return of === "ATOMIC" || of === "UNDECLARED" || of === "REPEATABLE" ? "failed" : "indeterminate";
    }
  }
}
