// The run that nothing interrupted, which every kill is compared with: whether it ended as its author says it does. A run that
// fails before its first effect would pass every kill, so it must never count as a success.
import type { CrashCell, Observed } from "./judge-kill.ts";
import { noColours, type Tint } from "./matrix-table.ts";

export interface PlainRun {
  readonly end: Observed["end"];
  /** Why it did not complete. */
  readonly why?: string;
  readonly expected: Observed["end"];
  readonly asExpected: boolean;
}

export function plainRun(seen: Observed, expected: Observed["end"] = "COMPLETED"): PlainRun {
  const why = seen.end === "COMPLETED" || seen.why === undefined ? {} : { why: seen.why };
  return { end: seen.end, ...why, expected, asExpected: seen.end === expected };
}

/** Nothing killed is nothing shown: that is so too when the run did not end as expected. */
export function allHold(cells: readonly CrashCell[]): boolean {
  return cells.length > 0 && cells.every((c) => c.ok);
}

/** The first line of a report: how the run ended by itself. */
export function plainRunText(plain: PlainRun, cells: readonly CrashCell[], tint: Tint = noColours): string {
  const ended = `without a kill the run ${endText(plain.end)}${plain.why === undefined ? "" : `: ${plain.why}`}`;
  if (!plain.asExpected)
    return `${tint("✘", "bad")} ${ended}\n  expected   it ${endText(plain.expected)}\n  change     repair the run, or say that this is its end: expectEnd: "${plain.end}" (--expect-end ${plain.end})`;
  if (cells.length === 0)
    return `${tint("✘", "bad")} ${ended}\n  nothing was killed: the run passes no step that was asked for, so nothing is shown`;
  return `${tint("✔", "good")} ${ended}`;
}

function endText(end: Observed["end"]): string {
  return end === "decision" ? "waits for a person" : `is ${end}`;
}
