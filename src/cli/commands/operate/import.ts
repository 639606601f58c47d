// `pawl import`: the runs of an export become runs of this store, and continue here. The whole file is checked first; imported
// twice it adds nothing; interrupted or killed, it is finished by importing it again.
import { PawlError } from "../../../errors/error.ts";
import { readLines } from "../../../platform/line-files.ts";
import { writeOut } from "../../../platform/terminal.ts";
import type { JsonOption, StoreOptions } from "../../shared-options.ts";
import { countOf } from "../../output/format.ts";
import { exitCodes } from "../../output/report-error.ts";
import { printJson } from "../../output/print.ts";
import { ProgressLine } from "../../output/progress-line.ts";
import { withSession } from "../../session.ts";

export interface ImportCommandOptions extends JsonOption, StoreOptions {}

export async function importCommand(args: readonly string[], o: ImportCommandOptions): Promise<number> {
  const file = args[0] ?? "";
  const lines = (): AsyncIterable<string> => {
    const found = readLines(file);
    if (found === undefined) throw new PawlError("PAWL4011", `there is no file ${file}`);
    return found;
  };
  lines();
  return withSession(
    o,
    async ({ client, platform }) => {
      const bar = new ProgressLine(platform);
      const report = await client
        .importRuns(lines, { onProgress: (p) => bar.update(p.runs, p.of, `runs (${p.phase})`) })
        .finally(() => bar.clear());
      if (o.json === true) printJson(report);
      else writeOut(`${countOf(report.runs, "run")}, ${report.added} new in this store, ${countOf(report.events, "event")}\n`);
      return exitCodes.ok;
    },
    true,
  );
}
