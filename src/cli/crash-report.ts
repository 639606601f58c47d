// What a process of `pawl crashtest` tells its parent: lines in a file, each written before anything else happens, so that
// they are there after a SIGKILL. The file lies outside the store, and no engine reads it.
import { appendText, readText } from "../platform/files.ts";
import type { Observed, SeenStep } from "../testing/judge-kill.ts";
import type { LoggedOutcome } from "../testing/run-outcome.ts";

/** What the parent asks for; handed over as one JSON argument. */
export interface ChildRequest {
  readonly target: string;
  readonly input?: unknown;
  readonly store: string;
  /** Time passes as it does: the store has a clock of its own. */
  readonly real: boolean;
  readonly tenantId: string;
  /** Where the virtual clock begins. */
  readonly startMs: number;
  readonly signals: readonly { readonly name: string; readonly payload: unknown }[];
  readonly report: string;
}

export type ReportLine =
  | { readonly passed: string; readonly at: number }
  | { readonly begun: string }
  | { readonly called: string; readonly line: string }
  | { readonly workflow: string }
  | { readonly end: LoggedText }
  | { readonly error: { readonly code: string; readonly message: string } };

/** `Logged`, as JSON can carry it. */
interface LoggedText {
  readonly end: Observed["end"];
  readonly why?: string;
  readonly resultLost: boolean;
  readonly doubts: readonly string[];
  readonly outcomes: readonly (readonly [string, number])[];
  readonly steps: readonly SeenStep[];
}

export function writeReportLine(file: string, line: ReportLine): void {
  appendText(file, `${JSON.stringify(line)}\n`);
}

export function readReport(file: string): ReportLine[] {
  return (readText(file) ?? "")
    .split("\n")
    .filter((l) => l !== "")
    .map((l) => JSON.parse(l) as ReportLine);
}

export function toReportEnd(l: LoggedOutcome): LoggedText {
  return { ...l, doubts: [...l.doubts], outcomes: [...l.outcomes], steps: [...l.steps.values()] };
}

export function fromReportEnd(l: LoggedText): LoggedOutcome {
  return { ...l, doubts: new Set(l.doubts), outcomes: new Map(l.outcomes), steps: new Map(l.steps.map((s) => [s.stepId, s])) };
}
