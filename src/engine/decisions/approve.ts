// Steps that a person must approve (`approve`): the start of such a step is the question, recorded before anything is sent, and
// the answer is an event of its own. Whether to ask is found out once, live; from then on the record says so. What cannot be
// found out is asked. Once approved, approved: no later attempt, owner or run asks again.
import type { EffectSpec } from "../calls.ts";
import { chainQuestion } from "../chain/adopt.ts";
import { dispatchedState, effectDraft } from "../effects/ledger.ts";
import type { PendingEvent } from "../run/commit-draft.ts";
import type { ChainVerdict } from "../chain/run-chain.ts";
import type { LiveRun } from "../run/live-run.ts";
import { questionOf } from "../../events/payload.ts";
import { notifyWhenCommitted } from "./decision-notice.ts";
import { inputBeforeApproval, type OpenStep } from "../steps/open-step.ts";
import type { StepStart } from "../steps/step-start.ts";

/** What the start of a step says of its approval; nothing where nobody is to be asked. */
export function approvalFields(line: ChainVerdict | undefined, spec: EffectSpec): Pick<StepStart, "approve" | "question" | "approved"> {
  const past = line?.before.past;
  if (line !== undefined && past !== undefined && line.question.same && !past.awaitingApproval && line.before.recorded !== "undone") {
    if (past.started.approve === true || past.started.approved === true) return { approved: true };
    // Done, or begun by code that asked nobody and perhaps sent: it is taken over, or recovered by its class, and not sent again.
    if (line.then !== "run") return {};
  }
  const asked = askPolicy(spec);
  if (asked === false) return {};
  // Where the chain asks a person, too, one question says both.
  const question = [...(typeof asked === "string" ? [asked] : []), ...(line?.then === "decision" ? [chainQuestion(line)] : [])].join("; ");
  return question === "" ? { approve: true } : { approve: true, question };
}

/** A policy that throws, or answers anything else, permits nothing. */
function askPolicy(spec: EffectSpec): boolean | string {
  try {
    const asked: unknown = spec.approve?.();
    if (typeof asked === "boolean" || typeof asked === "string") return asked;
    return "its approve said neither yes nor no";
  } catch (e) {
    return `its approve threw ${e instanceof Error ? `${e.name}: ${e.message}` : typeof e}`;
  }
}

/** Puts the step before a person: the rest of what its StepStarted carries. */
export function askForApproval(r: LiveRun, step: OpenStep): Pick<PendingEvent, "onPlaced" | "onAck"> {
  step.state = "asked";
  return notifyWhenCommitted(r, { kind: "approval", code: "PAWL2033", reason: questionOf(step.started) }, (runSeq) => {
    step.seq = runSeq;
    step.doubtSeq = runSeq;
  });
}

/** Approved: it goes to work when the answer is acknowledged, as a first attempt. */
export function sendApproved(r: LiveRun, step: OpenStep): Pick<PendingEvent, "starts" | "effect"> {
  // One that goes to a queue gets there with an event of its own, once the answer is acknowledged (EffectKind.dispatch).
  const effect = effectDraft(r, step, dispatchedState, inputBeforeApproval(step));
  Object.assign(step, { state: "starting", awaitingApproval: false, firstAt: 0 });
  return { starts: step, effect };
}
