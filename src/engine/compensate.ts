// Compensations: what a run that fails or is cancelled undoes, one completed step after the other in reverse order (K19). Each is
// a step of its own, recorded with its class and key before it begins, and recovered by what was recorded: code that declares
// something else today says nothing of a request that was sent yesterday.
import { decode, revive } from "../codec/value.ts";
import { deriveGuarantee, type Guarantee } from "../core/guarantee.ts";
import { retryPolicy } from "../core/retry.ts";
import { compensationId } from "../core/step-id.ts";
import { sha256Hex } from "../platform/hash.ts";
import { unrecorded } from "./beginning.ts";
import type { TxSql } from "../store/port.ts";
import type { EffectSpec, UndoSpec } from "./calls.ts";
import type { StepPast } from "./history.ts";
import { dispatched, effectOf } from "./ledger.ts";
import type { LiveRun, Undo } from "./live-run.ts";
import type { OpenStep, Work } from "./open-step.ts";
import { keptUnder } from "./split.ts";
import { declared, recordedGuarantee, startedPayload, type Started } from "./started.ts";
import { resumeOpenStep } from "./waits.ts";

/** Starts the next compensation; false when none is left. */
export function compensateNext(r: LiveRun): boolean {
  for (;;) {
    const undo = r.undo.at(-1);
    if (undo === undefined) return false;
    r.undo.pop();
    const { stepId } = undo.step;
    const past = r.replay.past(compensationId(stepId));
    if (past?.state === "completed") continue;
    if (past?.state === "failed") {
      r.uncompensated.push(stepId);
      continue;
    }
    const planned = planOf(undo, past);
    if (planned === null) continue;
    start(r, undo, planned, past);
    return true;
  }
}

/** Whether an earlier owner began a compensation that this one has not taken up yet: it is open in the log, and not here. */
export function hasBegunUndoing(r: LiveRun): boolean {
  const states = r.undo.map(({ step }) => r.replay.past(compensationId(step.stepId))?.state);
  return states.includes("open") || states.includes("retrying");
}

/** What is run, and how its start is recorded. */
interface Plan {
  readonly work: Work;
  readonly said: Started;
}

function planOf({ step, result }: Undo, past: StepPast | undefined): Plan | null {
  const { stepId, name, work } = step;
  if (work.kind === "effect" && work.spec.compensate !== null) {
    const spec = specOf(work.spec.compensate, result, past);
    return { work: { kind: "compensation", of: stepId, spec }, said: declared("compensation", name, spec) };
  }
  if (work.kind !== "tx" || work.undo === null) return null;
  const { undo } = work;
  // I5: the rows go back in the transaction that records it.
  const fn = async (sql: TxSql): Promise<void> => undo(result === null ? undefined : decode(result), sql);
  return { work: { kind: "tx", fn, undo: null, undoes: stepId }, said: { kind: "compensation", name, class: "ATOMIC" } };
}

function specOf(undo: UndoSpec, recorded: string | null, past: StepPast | undefined): EffectSpec {
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

function start(r: LiveRun, { step }: Undo, { work, said }: Plan, past: StepPast | undefined): void {
  const stepId = compensationId(step.stepId);
  const undoStep: OpenStep = {
    stepId,
    name: `${step.name} (compensation)`,
    work,
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
    beginning: unrecorded(),
    dueAt: null,
    heartbeat: past?.heartbeat === undefined ? undefined : revive(past.heartbeat),
    line: null,
    carried: false,
    seq: past?.runSeq ?? 0,
    doubtSeq: past?.doubtSeq ?? 0,
    maySent: past?.maySent ?? false,
    learns: false,
    unsent: false,
    proposal: past?.proposal ?? null,
    declaredAt: step.declaredAt,
    abort: null,
  };
  r.open.set(stepId, undoStep);
  if (past !== undefined) return resumeOpenStep(r, undoStep);
  const key = keptUnder(r, undoStep);
  r.pen.append({
    eventType: "StepStarted",
    stepId,
    logical: 1,
    payload: startedPayload(key === null ? undoStep.started : { ...undoStep.started, invocation: key }, null),
    starts: undoStep,
    effect: effectOf(r, undoStep, dispatched),
  });
}
