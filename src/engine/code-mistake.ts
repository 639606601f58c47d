// Where the author's code broke: a TypeError or its like is a mistake in the code, and its stack says where. The log of a run keeps no stack, so the
// engine's own log says it, while it is known. It decides nothing and records nothing.
import { locationText, thrownAt } from "../platform/source-location.ts";
import type { LiveRun } from "./run/live-run.ts";

/** `where`: the step, or nothing for the workflow's own code. What has a cause was wrapped on purpose (`fetch failed`), and is no such mistake. */
export function reportMistake(r: Pick<LiveRun, "row" | "log">, e: unknown, where?: string): void {
  if (!(e instanceof TypeError || e instanceof ReferenceError || e instanceof RangeError) || e.cause !== undefined) return;
  const place = thrownAt(e);
  if (place === undefined) return;
  const what = where === undefined ? `the code of workflow ${r.row.workflow}` : `step ${where} of workflow ${r.row.workflow}`;
  r.log("error", `${what} threw ${e.name} at ${locationText(place)}: ${e.message}`);
}
