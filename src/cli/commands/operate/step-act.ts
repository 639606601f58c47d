// `pawl step`: what a person does about a step that waits for a person. It posts an answer; the run's owner carries it out. It must never act
// without a reason.
import type { StepAct } from "../../../client/types.ts";
import { PawlError } from "../../../errors/error.ts";
import { writeOut } from "../../../platform/terminal.ts";
import { withoutControlChars } from "../../output/format.ts";
import { printJson } from "../../output/print.ts";
import { exitCodes } from "../../output/report-error.ts";
import { parseDurationMs, readValueOption } from "../../parse-values.ts";
import { withSession } from "../../session.ts";
import type { JsonOption, ParamOption, StoreOptions, TimeoutOption, WhoOptions } from "../../shared-options.ts";

export interface StepActOptions extends WhoOptions, ParamOption, TimeoutOption, JsonOption, StoreOptions {
  readonly result?: string;
  readonly requestId?: string;
}

const acts: readonly string[] = ["retry", "complete", "resolve", "skip", "fail"];

export async function stepActCommand(args: readonly string[], o: StepActOptions): Promise<number> {
  const [act = "", run = "", step = ""] = args;
  if (!acts.includes(act)) throw new PawlError("PAWL4011", `step takes ${acts.join(", ")}, not ${JSON.stringify(act)}`);
  const result = await readValueOption(o, "result");
  if (result !== undefined && act !== "complete") throw new PawlError("PAWL4011", "--result goes with step complete");
  const timeoutMs = parseDurationMs(o.timeout, "--timeout");
  return withSession(o, async ({ client }) => {
    const answer = await client.act(run, step, { do: act, ...(result === undefined ? {} : { result }) } as StepAct, {
      reason: o.reason ?? "",
      ...(o.by === undefined ? {} : { by: o.by }),
      ...(o.requestId === undefined ? {} : { requestId: o.requestId }),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    });
    if (o.json === true) printJson(answer);
    else writeOut(`${act} of ${withoutControlChars(step)}: ${answer.state}\n`);
    return exitCodes.ok;
  });
}
