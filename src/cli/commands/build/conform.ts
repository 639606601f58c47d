// `pawl conform --worker '<command>'`: drives a worker in any language through every transcript of the worker protocol. It prints what each
// rule says and whether the worker keeps it. The command runs on this machine and talks to a server of this command only.
import { PawlError } from "../../../errors/error.ts";
import { systemPlatform } from "../../../platform/system.ts";
import { writeOut } from "../../../platform/terminal.ts";
import { conformWorker, type TranscriptResult } from "../../../testing/conform/conform-worker.ts";
import type { WorkerProtocol } from "../../../testing/conform/transcript.ts";
import { exitCodes } from "../../output/report-error.ts";
import { printJson } from "../../output/print.ts";
import { workerProtocolText } from "../../package-files.ts";
import { parseDurationMs } from "../../parse-values.ts";
import type { JsonOption, TimeoutOption } from "../../shared-options.ts";

export interface ConformOptions extends JsonOption, TimeoutOption {
  readonly worker?: string;
  readonly only?: string;
}

export async function conformCommand(_args: readonly string[], o: ConformOptions): Promise<number> {
  if (o.worker === undefined || o.worker.trim() === "")
    throw new PawlError("PAWL4011", "--worker is missing: the command that starts your worker, as --worker 'python3 worker.py'");
  const whole = JSON.parse(workerProtocolText()) as WorkerProtocol;
  const transcripts = whole.transcripts.filter((t) => o.only === undefined || t.name === o.only);
  if (transcripts.length === 0)
    throw new PawlError("PAWL4011", `there is no transcript ${o.only}: ${whole.transcripts.map((t) => t.name).join(", ")}`);
  const results = await conformWorker({
    command: o.worker,
    protocol: { ...whole, transcripts },
    platform: systemPlatform(),
    limitMs: parseDurationMs(o.timeout, "--timeout") ?? 20_000,
    onResult: (r) => (o.json === true ? undefined : writeOut(lineOf(r))),
  });
  const failed = results.filter((r) => !r.ok);
  if (o.json === true) printJson({ ok: failed.length === 0, transcripts: results });
  else writeOut(`${results.length - failed.length} of ${results.length} transcripts were kept.\n`);
  return failed.length === 0 ? exitCodes.ok : exitCodes.checkFailed;
}

function lineOf(r: TranscriptResult): string {
  const problems = r.problems.map((p) => `        ${p}\n`).join("");
  return `${r.ok ? "ok  " : "FAIL"}  ${r.name.padEnd(20)} ${r.says}\n${problems}`;
}
