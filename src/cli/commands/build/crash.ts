// `pawl crash`: kills the process of a running `pawl dev` in one window of a step, and shows what followed, in the words of `pawl crashtest`. It works
// with pawl dev only: a server that others rely on has no such door.
import { fromProblem } from "../../../api/problem.ts";
import { PawlError } from "../../../errors/error.ts";
import { systemPlatform } from "../../../platform/system.ts";
import { colourAllowed, writeOut } from "../../../platform/terminal.ts";
import { webPlatform } from "../../../platform/web.ts";
import { matrixTable } from "../../../testing/matrix-table.ts";
import { windowList, type CrashTrial } from "../../dev/lab.ts";
import { runningDevSession, type DevSessionFile } from "../../dev/session-file.ts";
import { printJson, printNote } from "../../output/print.ts";
import { exitCodes } from "../../output/report-error.ts";
import { tintOf } from "../../output/tint.ts";
import { parseDurationMs } from "../../parse-values.ts";
import type { JsonOption, TimeoutOption } from "../../shared-options.ts";

export interface CrashCommandOptions extends JsonOption, TimeoutOption {
  readonly at?: string;
}

const lookMs = 100;
const limitMs = 60_000;

export async function crashCommand([run = "", step = ""]: readonly string[], o: CrashCommandOptions): Promise<number> {
  if (o.at === undefined) throw new PawlError("PAWL4011", `say where the process dies: --at ${windowList()}`);
  const timeoutMs = parseDurationMs(o.timeout, "--timeout") ?? limitMs;
  const dev = runningDevSession();
  const trial = await ask<CrashTrial>(dev, "/dev/crash", { run, step, window: o.at });
  if (trial.workflowId !== run) printNote(`a new run like ${run}: ${trial.workflowId}`);
  const done = await untilOver(dev, trial.trialId, timeoutMs);
  const ok = done.cells.length > 0 && done.cells.every((c) => c.ok);
  if (o.json === true) printJson({ ...done, ok });
  else writeOut(matrixTable(done.cells, tintOf(colourAllowed("out"))));
  return ok ? exitCodes.ok : exitCodes.checkFailed;
}

async function untilOver(dev: DevSessionFile, trialId: number, timeoutMs: number): Promise<CrashTrial> {
  const web = webPlatform();
  const late = systemPlatform().monotonicMs() + timeoutMs;
  let said = "";
  for (;;) {
    const { lab } = await ask<{ lab: { trials: readonly CrashTrial[] } }>(dev, "/dev/state", {});
    const trial = lab.trials.find((t) => t.trialId === trialId);
    if (trial === undefined || trial.state === "withdrawn")
      throw new PawlError("PAWL4011", "another crash was asked for before this one happened");
    if (trial.state === "judged" || trial.state === "missed") return trial;
    const { waits = "", workflowId, state } = trial;
    const where = state === "armed" ? "the run has not come to this window yet" : "the process died there; the run has not ended since";
    if (systemPlatform().monotonicMs() > late)
      throw new PawlError("PAWL5032", `${where}: ${waits === "" ? `pawl why ${workflowId} says what it waits for` : waits}`);
    // Once for each thing that it waits for: somebody may have to do something.
    if (waits !== "" && waits !== said) printNote(`${workflowId}: ${where}. ${(said = waits)}`);
    await web.sleep(lookMs);
  }
}

async function ask<T>({ url, token }: DevSessionFile, path: string, body: unknown): Promise<T> {
  const headers = { "content-type": "application/json", ...(token === null ? {} : { authorization: `Bearer ${token}` }) };
  const response = await webPlatform()
    .fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) })
    .catch((e: unknown) => {
      throw new PawlError("PAWL4088", `pawl dev at ${url} does not answer`, { cause: e });
    });
  const answer: unknown = await response.json();
  if (!response.ok) throw fromProblem(answer) ?? new PawlError("PAWL4088", `pawl dev answered ${response.status}`);
  return answer as T;
}
