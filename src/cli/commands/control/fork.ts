// `pawl fork`: a new run of a graph that begins where another one stood after a superstep. With --dry-run it says what would run next, and step by
// step what the table of sending again says. The other run stays as it is.
import { PawlError } from "../../../errors/error.ts";
import { writeOut } from "../../../platform/terminal.ts";
import { hasLiveEngine } from "../../../client/served.ts";
import type { ForkEffects, ForkPlan } from "../../../client/types.ts";
import type { DryRunOption, JsonOption, ParamOption, StoreOptions, WhoOptions } from "../../shared-options.ts";
import { withoutControlChars } from "../../output/format.ts";
import { printJson, printNote } from "../../output/print.ts";
import { exitCodes } from "../../output/report-error.ts";
import { parseSuperstep, readValueOption } from "../../parse-values.ts";
import { withSession } from "../../session.ts";
import { outlookCounts, plannedLines } from "./retry.ts";

export interface ForkCommandOptions extends ParamOption, WhoOptions, DryRunOption, JsonOption, StoreOptions {
  readonly id?: string;
  readonly at?: string;
  readonly update?: string;
  readonly effects?: string;
}

export async function forkCommand(args: readonly string[], o: ForkCommandOptions): Promise<number> {
  const at = parseSuperstep(o.at);
  const update = (await readValueOption(o, "update")) as Readonly<Record<string, unknown>> | undefined;
  const asked = {
    ...(at === undefined ? {} : { at }),
    ...(update === undefined ? {} : { update }),
    ...(o.effects === undefined ? {} : { effects: o.effects as ForkEffects }),
    ...(o.by === undefined ? {} : { by: o.by }),
  };
  const from = args[0] ?? "";
  if (o.dryRun !== true && o.id === undefined) throw new PawlError("PAWL4011", "--id: the new run needs an id of its own");
  return withSession(o, async (s) => {
    if (o.dryRun === true) {
      const plan = await s.client.fork(from, { ...asked, dryRun: true });
      if (o.json === true) printJson(plan);
      else
        writeOut(
          planLines(plan)
            .map((line) => `${withoutControlChars(line)}\n`)
            .join(""),
        );
      return exitCodes.ok;
    }
    const forked = await s.client.fork(from, { ...asked, id: o.id ?? "", reason: o.reason ?? "" });
    if (o.json === true) printJson(forked);
    else
      writeOut(
        `${forked.workflowId}  forked after superstep ${forked.superstep} as ${forked.runId}${forked.replayed ? "  (before)" : ""}\n`,
      );
    const run = await s.client.get(forked.runId);
    if (run !== undefined && !(await hasLiveEngine(s.client, run.workflow)))
      printNote(`queued: no engine that serves ${run.workflow} is alive`);
    return exitCodes.ok;
  });
}

function planLines({ workflowId, superstep, next, steps }: ForkPlan): string[] {
  const then = next.length === 0 ? "nothing" : next.map((n) => n.node).join(", ");
  const counts = outlookCounts(steps);
  return [
    `${workflowId} after superstep ${superstep}: next ${then}`,
    ...(counts.length === 0 ? [] : [counts.join("; ")]),
    ...plannedLines(steps),
  ];
}
