// Compensations: what a run that fails or is cancelled undoes, one completed step after the other in reverse order (K19). Each is
// a step of its own, recorded with its class and key before it begins, and recovered by what was recorded: code that declares
// something else today says nothing of a request that was sent yesterday.
import { decode, revive } from "../../codec/value.ts";
import { deriveGuarantee, type Guarantee } from "../../core/guarantee.ts";
import { retryPolicy } from "../../core/retry.ts";
import { compensationId } from "../../core/step-id.ts";
import { sha256Hex } from "../../platform/crypto/hash.ts";
import { noDispatchRecord } from "../effects/dispatch-age.ts";
import type { TxSql } from "../../store/transaction-store.ts";
import type { EffectSpec, UndoSpec } from "../calls.ts";
import type { RecordedStep } from "../run/history.ts";
import { dispatchedState, effectDraft } from "../effects/ledger.ts";
import type { LiveRun, UndoableStep } from "../run/live-run.ts";
import type { OpenStep, StepBody } from "./open-step.ts";
import { externalResultKey } from "../effects/external-results.ts";
import { declaredOptions, recordedGuarantee, stepStartPayload, type StepStart } from "./step-start.ts";
import { resumeOpenStep } from "./waits.ts";

/** Starts the next compensation; false when none is left. */
export function compensateNext(r: LiveRun): boolean {
  for (;;) {
    const undo = r.undoable.at(-1);
    if (undo === undefined) return false;
    r.undoable.pop();
    const { stepId } = undo.step;
    const past = r.replay.recordedStep(compensationId(stepId));
    if (past?.state === "completed") continue;
    if (past?.state === "failed") {
      r.failedCompensations.push(stepId);
      continue;
    }
    const planned = compensationPlan(undo, past);
    if (planned === null) continue;
    startCompensation(r, undo, planned, past);
    return true;
  }
}

/** Whether an earlier owner began a compensation that this one has not taken up yet: it is open in the log, and not here. */
export function hasOpenCompensation(r: LiveRun): boolean {
  const states = r.undoable.map(({ step }) => r.replay.recordedStep(compensationId(step.stepId))?.state);
  return states.includes("open") || states.includes("retrying");
}

/** What is run, and how its start is recorded. */
interface CompensationPlan {
  readonly work: StepBody;
  readonly start: StepStart;
}

function compensationPlan({ step, result }: UndoableStep, past: RecordedStep | undefined): CompensationPlan | null {
  const { stepId, name, body: work } = step;
  if (work.kind === "effect" && work.spec.compensate !== null) {
    const spec = compensationSpec(work.spec.compensate, result, past);
    return { work: { kind: "compensation", of: stepId, spec }, start: declaredOptions("compensation", name, spec) };
  }
  if (work.kind !== "tx" || work.undo === null) return null;
  const { undo } = work;
  // I5: the rows go back in the transaction that records it.
  const fn = async (sql: TxSql): Promise<void> => undo(result === null ? undefined : decode(result), sql);
  return { work: { kind: "tx", fn, undo: null, undoes: stepId }, start: { kind: "compensation", name, class: "ATOMIC" } };
}

function compensationSpec(undo: UndoSpec, recorded: string | null, past: RecordedStep | undefined): EffectSpec {
  const result = (): unknown => (recorded === null ? undefined : decode(recorded)); // each call gets its own (K12)
  const { verify, timeoutMs, heartbeatMs } = undo;
  const plain = { compensate: null, confirm: null, approve: null, input: null, receiver: undo.receiver, declaredAt: null };
  let guarantee: Guarantee;
  try {
    guarantee = past?.started.key === undefined ? undo.guarantee(result()) : recordedGuarantee(past.started);
  } catch (e) {
    // Without its key it must not be sent: it is recorded as a compensation that failed.
    const fn = (): never => {
      throw e;
    };
    return {
      ...plain,
      fn,
      verify: null,
      guarantee: deriveGuarantee({}),
      retry: retryPolicy(undefined),
      timeoutMs: null,
      heartbeatMs: null,
    };
  }
  return {
    ...plain,
    fn: (s) => undo.fn(result(), s),
    verify: verify === null ? null : (s) => verify(result(), s),
    guarantee: past === undefined ? guarantee : recordedGuarantee(past.started),
    retry: undo.retry,
    timeoutMs,
    heartbeatMs,
  };
}

function startCompensation(
  r: LiveRun,
  { step }: UndoableStep,
  { work, start: said }: CompensationPlan,
  past: RecordedStep | undefined,
): void {
  const stepId = compensationId(step.stepId);
  const undoStep: OpenStep = {
    stepId,
    name: `${step.name} (compensation)`,
    body: work,
    started: past?.started ?? {
      ...said,
      of: step.stepId,
      digest: sha256Hex(`compensation|${step.stepId}`),
    },
    resolve: () => {},
    reject: () => {},
    state: past === undefined ? "starting" : "recovering",
    attempt: past?.attempt ?? 1,
    engineAttempt: past?.engineAttempt ?? 1,
    firstAt: past?.firstAt ?? 0,
    lastAt: past?.lastAt ?? 0,
    dispatchRecord: noDispatchRecord(),
    dueAt: null,
    heartbeat: past?.heartbeat === undefined ? undefined : revive(past.heartbeat),
    chain: null,
    inheritedInDoubt: false,
    seq: past?.runSeq ?? 0,
    doubtSeq: past?.doubtSeq ?? 0,
    mayHaveBeenSent: past?.mayHaveBeenSent ?? false,
    resentToLearn: false,
    awaitingApproval: false,
    proposal: past?.proposal ?? null,
    declaredAt: step.declaredAt,
    abort: null,
  };
  r.open.set(stepId, undoStep);
  if (past !== undefined) return resumeOpenStep(r, undoStep);
  const key = externalResultKey(r, undoStep);
  r.commits.append({
    eventType: "StepStarted",
    stepId,
    logical: 1,
    payload: stepStartPayload(key === null ? undoStep.started : { ...undoStep.started, invocation: key }, null),
    starts: undoStep,
    effect: effectDraft(r, undoStep, dispatchedState),
  });
}
