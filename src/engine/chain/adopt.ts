// What a run takes over from the earlier runs of its chain (K19), as the table of sending again says (core/send-again.ts): outcomes,
// doubts, questions. The verdict is recorded with the step's start, and read from there after a crash. Nothing that an earlier run sent
// may leave a second time: no child is created again, no signal sent again, no effect repeated on a guess (I7).
import { isCalledEffect } from "../../core/step-kind-facts.ts";
import { nameBytesMax, utf8Length } from "../../core/names.ts";
import { readPayload, type RunChainPayload, type StepCompletedPayload, type StepStartedPayload } from "../../events/payload.ts";
import { sha256Hex } from "../../platform/crypto/hash.ts";
import type { Arrival } from "../run/arrivals.ts";
import type { RecordedStep } from "../run/history.ts";
import type { ChainVerdict } from "./run-chain.ts";
import type { LiveRun } from "../run/live-run.ts";
import { untilRead } from "../snapshot/until-read.ts";
import { readPayloads } from "../snapshot/wanted-results.ts";
import type { OpenStep } from "../steps/open-step.ts";

/** The start of a step with what the chain says of it; of what is taken over, its outcome says so. */
export function withChainVerdict(r: LiveRun, call: StepStartedPayload, v: ChainVerdict): StepStartedPayload {
  const { before, then, question } = v;
  const { recorded, past, firstAt, lastAt } = before;
  if (then === "adopt" && before.forked !== undefined) return { ...call, forked: true };
  if (!isCalledEffect(call.kind) || then === "adopt" || recorded === "nothing") return call;
  const line: RunChainPayload = { runId: before.runId, stepId: past.stepId, was: recorded, then, firstAt, lastAt };
  const order = question.rerun && question.recorded === "completed" ? r.chain?.rerun : null;
  return {
    ...call,
    line,
    ...(before.forked !== undefined && then !== "run" && then !== "newKey" ? { forked: true as const } : {}),
    ...(order === null || order === undefined ? {} : { rerun: { by: order.by, reason: order.reason } }),
    ...(then === "newKey" && call.key !== undefined ? { key: newKey(r, call.key, v), attemptOf: call.key } : sameKey(call, before)),
  };
}

/** The author's key with the number of the call: what was sent before was undone, or is another call, and its receiver remembers the old key. */
export function keyAfter(key: string, n: number | string): string {
  const said = `${key}~${n}`;
  return utf8Length(said) <= nameBytesMax ? said : `sha256-${sha256Hex(said)}`;
}

/** What was sent under a new key, and may have to be sent again, keeps that one. */
function sameKey(call: StepStartedPayload, { past }: ChainVerdict["before"]): Partial<StepStartedPayload> {
  const { key, attemptOf, tool } = past.started;
  return tool === undefined && key !== undefined && attemptOf !== undefined && attemptOf === call.key ? { key, attemptOf } : {};
}

/** Another call of a forked run has a key of that run: two forks must not have the same one. */
function newKey(r: LiveRun, key: string, { before, question }: ChainVerdict): string {
  return keyAfter(key, question.otherCall === true ? r.row.rootRunId : before.undone + 1);
}

/** A step that has just begun: its outcome is taken over, or a person is asked, or it is recovered by its class before anything is sent. */
export function adoptFromChain(r: LiveRun, step: OpenStep): void {
  if (step.chain === null || adoptFinished(r, step) || (!step.awaitingApproval && askPersonIfChainSays(r, step))) return;
  const { then, before } = step.chain;
  if (then !== "recover" && then !== "sendSameKey" && then !== "verifyFirst") return;
  Object.assign(step, { inheritedInDoubt: true, mayHaveBeenSent: true, firstAt: before.firstAt, lastAt: before.lastAt });
}

/** Also for a step whose owner died between its start and the outcome that it was about to take over. */
export function adoptFinished(r: LiveRun, step: OpenStep): boolean {
  if (step.chain?.then !== "adopt") return false;
  const { past, resultAt } = step.chain.before;
  if (resultAt !== undefined) return adoptFromLog(r, step, resultAt);
  const copied = copiedOutcome(step, past);
  if (copied === null) return false;
  sendsNothing(step);
  r.arrive(copied);
  return true;
}

/** Its start may be acknowledged before what was found out about it is taken: it must not begin then. */
function sendsNothing(step: OpenStep): void {
  if (step.kind.actsOutside) step.state = "recovering";
}

/** An earlier step of this run, which ended before the snapshot that the run was read from. */
function adoptFromLog(r: LiveRun, step: OpenStep, runSeq: number): true {
  sendsNothing(step);
  untilRead(r, () => readPayloads(r.host.store, r.row.runId, [runSeq])).then(
    ([payload = null]) => {
      const { result } = readPayload<StepCompletedPayload>(payload);
      r.arrive({ type: "completed", step, result: result === undefined ? null : JSON.stringify(result), via: "adopted" });
    },
    (e: unknown) => r.reloadAfterError(e),
  );
  return true;
}

/** The recorded outcome as this step's own; null where it has none. */
export function copiedOutcome(step: OpenStep, { outcome }: RecordedStep): Extract<Arrival, { type: "completed" }> | null {
  if (outcome?.ok !== true) return null;
  const { result, timedOut } = outcome.payload;
  return {
    type: "completed",
    step,
    result: result === undefined ? null : JSON.stringify(result),
    via: "adopted",
    ...(outcome.eventId === "" ? {} : { copiedFrom: outcome.eventId }),
    ...(timedOut === true ? { timedOut: true } : {}),
  };
}

/** I7: the table leaves it to a person, and nobody has been asked yet. Also after a crash between its start and the question. */
export function askPersonIfChainSays(r: LiveRun, step: OpenStep): boolean {
  const { line } = step.started;
  if (line?.then !== "decision" || step.attempt > 1 || step.engineAttempt > 1) return false;
  step.mayHaveBeenSent = true;
  step.firstAt = line.firstAt;
  step.lastAt = line.lastAt;
  sendsNothing(step);
  const code = line.was === "undone" || line.was === "undoing" ? "PAWL4051" : "PAWL4050";
  r.arrive({ type: "doubt", step, code, reason: chainReason(line) });
  return true;
}

/** Why a person is asked, for a step that needs approval as well. */
export function chainQuestion({ before }: ChainVerdict): string {
  return chainReason({ runId: before.runId, was: before.recorded });
}

function chainReason({ runId, was }: Pick<RunChainPayload, "runId" | "was">): string {
  switch (was) {
    case "completed":
      return `run ${runId} did it already, and this call is another one: other input, class or name`;
    case "undone":
      return `run ${runId} undid it: whether it may be done again is not known`;
    case "undoing":
      return `run ${runId} began to undo it, and did not finish`;
    default:
      return `run ${runId} may have sent it, and this call is another one: other key, input, class or name`;
  }
}
