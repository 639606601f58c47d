// Steps that a person must approve (`approve`): the start of such a step is the question, recorded before anything is sent, and
// the answer is an event of its own. Whether to ask is found out once, live; from then on the record says so. What cannot be
// found out is asked. Once approved, approved: no later attempt, owner or run asks again.
import type { EffectSpec } from "./calls.ts";
import { lineQuestion } from "./adopt.ts";
import { dispatched, effectOf } from "./ledger.ts";
import type { Proto } from "./draft.ts";
import type { LineVerdict } from "./line.ts";
import type { LiveRun } from "./live-run.ts";
import { questionOf } from "../log/payload.ts";
import { told } from "./notify.ts";
import { inputOfUnsent, type OpenStep } from "./open-step.ts";
import type { Started } from "./started.ts";

/** What the start of a step says of its approval; nothing where nobody is to be asked. */
export function approvalOf(line: LineVerdict | undefined, spec: EffectSpec): Pick<Started, "approve" | "question" | "approved"> {
  const past = line?.before.past;
  if (line !== undefined && past !== undefined && line.question.same && !past.unsent && line.before.recorded !== "undone") {
    if (past.started.approve === true || past.started.approved === true) return { approved: true };
    // Done, or begun by code that asked nobody and perhaps sent: it is taken over, or recovered by its class, and not sent anew.
    if (line.then !== "run") return {};
  }
  const asked = whether(spec);
  if (asked === false) return {};
  // Where the line asks a person, too, one question says both.
  const question = [...(typeof asked === "string" ? [asked] : []), ...(line?.then === "decision" ? [lineQuestion(line)] : [])].join("; ");
  return question === "" ? { approve: true } : { approve: true, question };
}

/** A policy that throws, or answers anything else, permits nothing. */
function whether(spec: EffectSpec): boolean | string {
  try {
    const asked: unknown = spec.approve?.();
    if (typeof asked === "boolean" || typeof asked === "string") return asked;
    return "its approve said neither yes nor no";
  } catch (e) {
    return `its approve threw ${e instanceof Error ? `${e.name}: ${e.message}` : typeof e}`;
  }
}

/** Puts the step before a person: the rest of what its StepStarted carries. */
export function asks(r: LiveRun, step: OpenStep): Pick<Proto, "placed" | "onAck"> {
  step.state = "asked";
  return told(r, { kind: "approval", code: "PAWL2033", reason: questionOf(step.started) }, (runSeq) => {
    step.seq = runSeq;
    step.doubtSeq = runSeq;
  });
}

/** Approved: it goes to work when the answer is acknowledged, as a first attempt. */
export function goes(r: LiveRun, step: OpenStep): Pick<Proto, "starts" | "effect"> {
  const effect = effectOf(r, step, dispatched, inputOfUnsent(step));
  Object.assign(step, { state: "starting", unsent: false, firstAt: 0 });
  return { starts: step, effect };
}
