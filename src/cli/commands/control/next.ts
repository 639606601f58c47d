// `pawl next`: the next turn of a graph, a new run of its id that begins with the state which the last one left.
// The run before stays as it is.
import { hasLiveEngine } from "../../../client/served.ts";
import { writeOut } from "../../../platform/terminal.ts";
import { printJson, printNote } from "../../output/print.ts";
import { exitCodes } from "../../output/report-error.ts";
import { readValueOption } from "../../parse-values.ts";
import { withSession } from "../../session.ts";
import type { JsonOption, ParamOption, StoreOptions } from "../../shared-options.ts";

export interface NextCommandOptions extends ParamOption, JsonOption, StoreOptions {
  readonly input?: string;
  readonly requestId?: string;
}

export async function nextCommand(args: readonly string[], o: NextCommandOptions): Promise<number> {
  const input = await readValueOption(o, "input");
  return withSession(o, async (s) => {
    const turn = await s.client.next(args[0] ?? "", input, o.requestId === undefined ? {} : { requestId: o.requestId });
    if (o.json === true) printJson(turn);
    else {
      const asked = turn.replayed ? ", which this request had made" : "";
      writeOut(`${turn.workflowId}  next turn as ${turn.runId}, after superstep ${turn.after.superstep} of ${turn.after.runId}${asked}\n`);
    }
    const run = await s.client.get(turn.runId);
    if (run !== undefined && !(await hasLiveEngine(s.client, run.workflow)))
      printNote(`queued: no engine that serves ${run.workflow} is alive`);
    return exitCodes.ok;
  });
}
