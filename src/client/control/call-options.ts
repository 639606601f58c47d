// What calls of the client have in common: a wait that its caller may end, a page of a list, how a control is asked for.
// Shapes only: they must never say what a call does.
import type { DecisionView } from "../../api/types/ledger.ts";
import type { ControlRequest } from "../../api/types/operate.ts";
import type { StepView } from "../../api/types/run.ts";

/** A wait that its caller may end: it rejects with the signal's reason, and what was asked for stays asked for. */
export interface Abortable {
  readonly signal?: AbortSignal | undefined;
}

export interface StartWait extends Abortable {
  /** How long a start with `onConflict: "restart"` waits for the end of the run that is in its way: 10 seconds, over HTTP 30. */
  readonly timeoutMs?: number;
}

/** How a control is asked for, and how long its caller waits. */
export interface ControlCall extends ControlRequest, Abortable {
  /** How long to wait for the run's owner, in milliseconds; 5,000 unless given, 0: not at all. */
  readonly timeoutMs?: number;
  /** Posts it whatever the run's status is: its owner does it when it makes sense, such as a pause of a run that has not begun. */
  readonly unconditional?: boolean;
}

/** Which page of a list: `cursor` is that of the page before. */
export interface PageOptions {
  readonly limit?: number;
  readonly cursor?: string;
}
export interface StepPage {
  readonly steps: readonly StepView[];
  readonly cursor?: string;
}
export interface DecisionPage {
  readonly decisions: readonly DecisionView[];
  readonly cursor?: string;
}
