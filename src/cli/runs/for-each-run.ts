// One verb on many runs, one after the other: each answer is printed as it comes, a failure of one does not stop the
// rest, and the first failure gives the exit code.
import type { RunView } from "../../client/types.ts";
import { PawlError } from "../../errors/error.ts";
import { writeOut } from "../../platform/terminal.ts";
import type { JsonOption } from "../shared-options.ts";
import { exitCodes, withLocation, reportError } from "../output/report-error.ts";
import { printJson, printJsonLine } from "../output/print.ts";
import { withoutControlChars } from "../output/format.ts";
import type { CliSession } from "../session.ts";

export interface RunOutput {
  /** For --json. */
  readonly data: Readonly<Record<string, unknown>>;
  /** For people: what follows the run's id. */
  readonly text: string;
  /** For people: lines of their own below it. */
  readonly lines?: readonly string[];
}

export async function forEachRun(
  s: CliSession,
  ids: readonly string[],
  o: JsonOption,
  act: (run: RunView) => Promise<RunOutput>,
): Promise<number> {
  let code: number = exitCodes.ok;
  for (const id of ids) {
    try {
      const run = await runOrNotFound(s, id);
      const done = await act(run);
      // One run, one document; many runs, a line each.
      if (o.json === true) (ids.length === 1 ? printJson : printJsonLine)({ runId: run.runId, workflowId: run.workflowId, ...done.data });
      else
        for (const line of [`${run.workflowId}  ${done.text}`, ...(done.lines ?? []).map((x) => `  ${x}`)])
          writeOut(`${withoutControlChars(line)}\n`);
    } catch (e) {
      const failed = reportError(withLocation(e, s.url), o.json === true);
      if (code === exitCodes.ok) code = failed;
    }
  }
  return code;
}

export async function runOrNotFound(s: CliSession, id: string): Promise<RunView> {
  const run = await s.client.get(id);
  if (run === undefined) throw new PawlError("PAWL4001", `there is no run ${id}`, { data: { id } });
  return run;
}
