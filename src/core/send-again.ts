// The one rule for sending again: what a later run of a run chain (retry, restart, continue-as-new, a fork, a moved run) may do with something
// that an earlier run of it began. One table, read by everything that starts such a run and by the dry run of a retry. Pure. It must
// never answer `run` for an effect that may have happened and that its author did not declare repeatable (I6, I7, K19).
import type { GuaranteeClass, StepKindName } from "./model.ts";

/** A step without a class: WAIT is a timer, a signal or a question, CALL is what another run was asked to do (a child, a start, a send). */
export type SendClass = GuaranteeClass | "WAIT" | "CALL";

/** What the run chain recorded of it last. */
export type RecordedState =
  /** It was never sent, or a person said that it did not happen. */
  | "nothing"
  | "completed"
  /** It may have been sent, and no outcome proves how it ended: in flight, failed, cancelled, or given up by a person. */
  | "unknown"
  /** It waited for a person when its run ended. */
  | "doubt"
  /** Its compensation completed. */
  | "undone"
  /** Its compensation began and did not complete. */
  | "undoing";

export type SendAgain =
  /** Take the recorded outcome over. Nothing is sent. */
  | "adopt"
  /** Run it as if it had never run. */
  | "run"
  /** What an owner does after a crash: by class, with the run chain's first and last dispatch. */
  | "recover"
  /** Send the same key again, inside the receiver's window only. */
  | "sendSameKey"
  /** Ask `verify` first, then by its answer. */
  | "verifyFirst"
  /** A first attempt under a new key that says so. */
  | "newKey"
  /** A person decides. */
  | "decision";

/** The rows of the table. */
export type SendRow =
  | "nothing"
  | "completed"
  | "completedFromStep"
  | "completedRerun"
  | "completedOther"
  | "unknown"
  | "unknownOther"
  | "doubt"
  | "doubtOther"
  | "undone"
  | "undoing"
  | "otherCall";

const columns: readonly SendClass[] = ["REPEATABLE", "UNDECLARED", "KEYED", "VERIFIED", "AT-MOST-ONCE", "ATOMIC", "WAIT", "CALL"];

const row = (...cells: readonly SendAgain[]): Readonly<Record<SendClass, SendAgain>> =>
  Object.fromEntries(columns.map((c, i) => [c, cells[i]!])) as Record<SendClass, SendAgain>;

// prettier-ignore
export const sendAgainTable: Readonly<Record<SendRow, Readonly<Record<SendClass, SendAgain>>>> = {
  //                     REPEATABLE  UNDECLARED KEYED          VERIFIED       AT-MOST-ONCE ATOMIC      WAIT     CALL
  nothing:           row("run",      "run",     "run",         "run",         "run",       "run",      "run",   "run"),
  completed:         row("adopt",    "adopt",   "adopt",       "adopt",       "adopt",     "adopt",    "adopt", "adopt"),
  completedFromStep: row("run",      "run",     "adopt",       "adopt",       "adopt",     "adopt",    "run",   "adopt"),
  completedRerun:    row("run",      "run",     "sendSameKey", "verifyFirst", "adopt",     "adopt",    "run",   "adopt"),
  completedOther:    row("run",      "run",     "decision",    "decision",    "decision",  "decision", "run",   "run"),
  unknown:           row("run",      "run",     "recover",     "recover",     "recover",   "run",      "run",   "run"),
  unknownOther:      row("run",      "run",     "decision",    "decision",    "decision",  "run",      "run",   "run"),
  doubt:             row("run",      "run",     "recover",     "recover",     "recover",   "decision", "run",   "run"),
  doubtOther:        row("run",      "run",     "decision",    "decision",    "decision",  "decision", "run",   "run"),
  undone:            row("run",      "run",     "newKey",      "verifyFirst", "decision",  "run",      "run",   "run"),
  undoing:           row("run",      "run",     "decision",    "decision",    "decision",  "adopt",    "run",   "run"),
  otherCall:         row("run",      "run",     "newKey",      "newKey",      "newKey",    "run",      "run",   "run"),
};

export interface SendQuestion {
  readonly recorded: RecordedState;
  readonly class: SendClass;
  /** The same call with the same input, as far as both say what their input is. */
  readonly same: boolean;
  /** A person asked for it to be sent again. */
  readonly rerun: boolean;
  /** At or after the step from which the run begins again; a restart begins again from its first. */
  readonly fromStep: boolean;
  /** Of a forked run: it declares another input than the recorded call, so it is a call of its own. */
  readonly otherCall?: boolean;
}

export function sendRow(q: Omit<SendQuestion, "class">): SendRow {
  if (q.otherCall === true && q.recorded !== "nothing") return "otherCall";
  switch (q.recorded) {
    case "completed":
      if (!q.same) return "completedOther";
      return q.rerun ? "completedRerun" : q.fromStep ? "completedFromStep" : "completed";
    case "unknown":
      return q.same ? "unknown" : "unknownOther";
    case "doubt":
      return q.same ? "doubt" : "doubtOther";
    default:
      return q.recorded;
  }
}

export function sendAgain(q: SendQuestion): SendAgain {
  return sendAgainTable[sendRow(q)][q.class];
}

/** Whether a person may ask for a completed one to be sent again; the others are kept, always. */
export function mayRerun(c: SendClass): boolean {
  return sendAgainTable.completedRerun[c] !== "adopt";
}

/** The task of a step that does nothing but know how a call is undone begins so. */
export const undoOfCall = "undo of ";

export function sendClassOf(s: {
  readonly kind: StepKindName;
  readonly class?: GuaranteeClass;
  readonly task?: string | undefined;
}): SendClass {
  if (s.task?.startsWith(undoOfCall) === true) return "CALL";
  switch (s.kind) {
    case "timer":
    case "signal":
    case "ask":
      return "WAIT";
    case "child":
    case "start":
    case "send":
      return "CALL";
    case "tx":
      return "ATOMIC";
    default:
      return s.class ?? "UNDECLARED";
  }
}

/** What a dry run says of one step. `may repeat`: it may have happened, and can happen again. */
export type RetryOutlook = "kept" | "runs again" | "may repeat" | "needs a decision";

/** The same cells in the words of a person. `recover` of AT-MOST-ONCE is a decision, as after a crash. */
export function retryOutlook(q: SendQuestion, inWindow: boolean): RetryOutlook {
  switch (sendAgain(q)) {
    case "adopt":
      return "kept";
    case "decision":
      return "needs a decision";
    case "recover":
    case "sendSameKey":
      if (q.class === "AT-MOST-ONCE" || (q.class === "KEYED" && !inWindow)) return "needs a decision";
      return "runs again";
    case "run":
      return q.recorded !== "nothing" && (q.class === "REPEATABLE" || q.class === "UNDECLARED") ? "may repeat" : "runs again";
    default:
      return "runs again";
  }
}
