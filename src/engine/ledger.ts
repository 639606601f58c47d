// The record of an effect as its run sees it: what is known at each event of a step, made into a row that goes with that
// event in one Commit, so that log and ledger can never disagree (R-04). It says "indeterminate" wherever an effect may have
// happened and nothing proves how it ended (W-031); it must never say more than the event it came with.
import { inputDigest } from "../codec/canonical.ts";
import { repeats } from "../core/guarantee.ts";
import type { EffectPhase, EffectStatus } from "../core/model.ts";
import type { StepCategory } from "../errors/flow.ts";
import { sha256Hex } from "../platform/hash.ts";
import type { StepStartedPayload } from "../log/payload.ts";
import type { EffectWrite, RunRow } from "../store/port.ts";
import type { LiveRun } from "./live-run.ts";
import type { OpenStep } from "./open-step.ts";

/** A record that waits for its event: the place of that event is known when the Commit is built. */
export type EffectDraft = Omit<EffectWrite, "seq" | "eventSeq"> & { readonly of: { seq: number } };

export interface Standing {
  readonly status: EffectStatus;
  readonly phase: EffectPhase;
  /** What went wrong, with its diagnosis. */
  readonly error?: Readonly<Record<string, unknown>>;
}
export const dispatched: Standing = { status: "indeterminate", phase: "dispatched" };
export const completedWell: Standing = { status: "completed", phase: "settled" };

export const abandoned: Standing = { status: "cancelled", phase: "settled", error: { category: "ABANDONED" } };
/** A retry that will not come: an attempt before may have been sent. */
export function abandonedRetry(step: Pick<OpenStep, "started" | "maySent">): Standing {
  const unsure = step.maySent && !repeats(step.started.class ?? "UNDECLARED");
  return unsure ? { ...abandoned, status: "indeterminate" } : abandoned;
}

/** What is recorded of any step, open or read from the log. */
type Subject = Pick<OpenStep, "stepId" | "started" | "attempt" | "engineAttempt" | "seq" | "doubtSeq">;

/** K24: the key that is the same on every attempt: the author's, or one made of tenant, root run and step. */
export function stableKey(row: Keyer, stepId: string, started: Pick<StepStartedPayload, "key"> & { [made]?: string }): string {
  if (started.key !== undefined) return started.key;
  return (started[made] ??= `pawl-${sha256Hex(`${keyPrefix(row)}${JSON.stringify(stepId)}]`)}`);
}
type Keyer = Pick<RunRow, "scope" | "rootRunId">;
/** A key that was made stays with the start of its step: start, function and outcome each ask for it. */
const made: unique symbol = Symbol("made");

/** What the keys of one run share: the JSON text of all members but the last. */
function keyPrefix(row: Keyer): string {
  let prefix = prefixes.get(row);
  if (prefix === undefined) {
    const { scope, rootRunId } = row;
    prefix = `${JSON.stringify([scope.tenantId, scope.projectId, scope.environmentId, rootRunId]).slice(0, -1)},`;
    prefixes.set(row, prefix);
  }
  return prefix;
}
const prefixes = new WeakMap<Keyer, string>();

/** Whether a step has a record: what may simply run again has one only if the engine was asked for it, or when it is in doubt. */
function isLedgered(r: LiveRun, { started, doubtSeq }: Subject, phase: EffectPhase): boolean {
  if (started.kind !== "effect" && started.kind !== "tx" && started.kind !== "compensation") return false;
  if (started.class !== "UNDECLARED" && started.class !== "REPEATABLE") return true;
  return r.host.ledger === "all" || phase === "doubt" || doubtSeq !== 0;
}

export function effectOf(r: LiveRun, step: Subject, s: Standing, input: string | null = null): EffectDraft | undefined {
  const { started } = step;
  if (!isLedgered(r, step, s.phase)) return undefined;
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
  };
}

/** Rows W-030 … W-035 of the outcome matrix: what a failure lets us record. */
export function standingOfFailure(step: Pick<OpenStep, "started" | "maySent">, category: StepCategory, again: boolean): EffectStatus {
  switch (category) {
    case "NOT_APPROVED":
      return "failed"; // nobody let it go
    case "NOT_SENT":
      return step.maySent ? "indeterminate" : "failed"; // an attempt before this one may have been sent
    case "TIMEOUT":
      return "timed-out";
    case "CANCELLED": // "cancelled" says that it did not happen: of what may not repeat only verify or a person can
      return again || (step.maySent && !repeats(step.started.class ?? "UNDECLARED")) ? "indeterminate" : "cancelled";
    case "ABANDONED":
      return again ? "indeterminate" : "cancelled";
    case "RESULT_UNAVAILABLE":
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
