// `pawl workflows`: what engines have published, and pausing and resuming a workflow. A pause is an order to all engines of the tenant; runs that are
// at work continue.
import type { WorkflowView } from "../../../client/types.ts";
import { PawlError } from "../../../errors/error.ts";
import { writeOut } from "../../../platform/terminal.ts";
import { formatTable, formatTime, withoutControlChars } from "../../output/format.ts";
import { printJson, printNote } from "../../output/print.ts";
import { exitCodes } from "../../output/report-error.ts";
import { withSession } from "../../session.ts";
import type { JsonOption, ReasonOption, StoreOptions } from "../../shared-options.ts";

export interface WorkflowsOptions extends ReasonOption, JsonOption, StoreOptions {}

export async function workflowsCommand(args: readonly string[], o: WorkflowsOptions): Promise<number> {
  const [verb = "list", workflow] = args;
  if (verb !== "list" && verb !== "pause" && verb !== "resume")
    throw new PawlError("PAWL4011", `workflows takes list, pause or resume, not ${JSON.stringify(verb)}`);
  if (verb !== "list" && workflow === undefined) throw new PawlError("PAWL4011", `workflows ${verb} needs a workflow's name`);
  return withSession(o, async ({ client, platform }) => {
    if (verb === "list") return list(await client.workflows(), o, platform.wallMs());
    const name = workflow ?? "";
    const view =
      verb === "pause"
        ? await client.pauseWorkflow(name, o.reason === undefined ? {} : { reason: o.reason })
        : await client.resumeWorkflow(name);
    if (o.json === true) printJson(view);
    else writeOut(verb === "pause" ? `${name} is paused; runs that are at work continue\n` : `${name} is not paused\n`);
    return exitCodes.ok;
  });
}

function list(workflows: readonly WorkflowView[], o: WorkflowsOptions, nowMs: number): number {
  if (o.json === true) printJson({ workflows });
  else if (workflows.length === 0) printNote("no engine has published a workflow here");
  else
    writeOut(
      formatTable(
        workflows.map((w) => [
          withoutControlChars(w.workflow),
          w.latest,
          `${w.versions.length} version${w.versions.length === 1 ? "" : "s"}`,
          formatTime(w.versions[0]?.publishedAt ?? "", nowMs),
          stateOf(w),
        ]),
      ),
    );
  return exitCodes.ok;
}

function stateOf({ paused, served }: WorkflowView): string {
  if (paused !== undefined) return `paused${paused.reason === undefined ? "" : `: ${withoutControlChars(paused.reason)}`}`;
  return served ? "served" : "no engine";
}
