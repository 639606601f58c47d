// How an outcome reaches the code, live and on replay alike (K12): always from its recorded form, decoded again, errors
// always as StepError built from the recorded failure. The step is closed here and nowhere else.
import { decode } from "../../codec/value.ts";
import { failureOf, type Failure } from "../../codec/failure.ts";
import type { Code } from "../../errors/catalogue.ts";
import { PawlError } from "../../errors/error.ts";
import { StepError, type StepCategory } from "../../errors/step-errors.ts";
import { jsonObject, jsonValue } from "../../events/payload.ts";
import { isTakenOver } from "../fold/recorded-step.ts";
import type { LiveRun } from "../run/live-run.ts";
import type { OpenStep } from "./open-step.ts";

/** What is known of a step that ended well. */
export interface Completion {
  /** Encoded; null = undefined. */
  readonly result: string | null;
  readonly via?: "verify" | "adopted" | "decision" | "kept";
  /** The key under which an effect store holds the result. */
  readonly invocation?: string;
  readonly timedOut?: boolean;
  readonly copiedFrom?: string;
  readonly signalId?: string;
  /** A person said that the matter is settled, without a result. */
  readonly resolved?: true;
  /** The receiver's own id of what was done. */
  readonly externalId?: string;
  /** JSON of who sent the signal. */
  readonly principal?: string | undefined;
}

/** `claim`: of a step that ran on a queue, who had claimed it, as members that are JSON text. */
export function completedPayload(a: Completion, claim?: Readonly<Record<string, string | undefined>>): string | null {
  const plain =
    claim === undefined &&
    a.via === undefined &&
    a.timedOut === undefined &&
    a.copiedFrom === undefined &&
    a.signalId === undefined &&
    a.externalId === undefined &&
    a.invocation === undefined;
  if (plain) return a.result === null ? null : `{"result":${a.result}}`;
  return jsonObject({
    result: a.result ?? undefined,
    via: jsonValue(a.via),
    timedOut: jsonValue(a.timedOut),
    copiedFrom: jsonValue(a.copiedFrom),
    signalId: jsonValue(a.signalId),
    principal: a.principal,
    invocation: jsonValue(a.invocation),
    resolved: jsonValue(a.resolved),
    externalId: jsonValue(a.externalId),
    ...claim,
  });
}

/** K12: the code receives the decoded value, live and on replay alike. */
export function deliverCompleted(r: LiveRun, step: OpenStep, result: string | null, timedOut: boolean, at: number): void {
  r.steps.close(step.stepId);
  if (step.started.tool !== undefined) r.toolCalls.noteCompleted(step, result, 0);
  if (step.kind.hasCompensation(step) && !isTakenOver(step.started)) r.undo.add(step, result);
  if (step.undoes !== null) return;
  const of = { stepId: step.stepId, ok: true };
  r.deliver({ at, deliver: () => step.resolve(result === null || timedOut ? undefined : decode(result)), of });
}

export function deliverFailed(r: LiveRun, step: OpenStep, failure: Failure, category: StepCategory, at: number): void {
  r.steps.close(step.stepId);
  if (step.started.tool !== undefined) r.toolCalls.noteFailed(step, category);
  const undone = step.undoes;
  if (undone !== null) return r.undo.fail(undone);
  // It happened, and without its result it cannot be undone.
  const lost = category === "RESULT_UNAVAILABLE" || category === "RESULT_INVALID" || category === "NOT_ENCODABLE";
  if (lost && step.spec !== null && step.spec.compensate !== null) r.undo.fail(step.stepId);
  r.deliver({ at, deliver: () => step.reject(stepError(step.name, category, failure)), of: { stepId: step.stepId, ok: false } });
}

export function stepError(name: string, category: StepCategory, failure: Failure): StepError {
  return new StepError(name, category, failure.message, errorOfFailure(failure), failure.data);
}
function errorOfFailure(f: Failure): Error {
  const e = new Error(f.message, f.cause === undefined ? undefined : { cause: errorOfFailure(f.cause) });
  e.name = f.name;
  if (f.code !== undefined) Object.assign(e, { code: f.code });
  delete e.stack; // K12: the same live and on replay
  return e;
}

/** Where the contract has a name for it, that is its `code`; `data.page` says where it is explained. */
export function failureFrom(code: Code, message: string): Failure {
  const e = new PawlError(code, message);
  return failureOf(e.code === code ? e : new PawlError(code, message, { data: { page: code } }));
}
