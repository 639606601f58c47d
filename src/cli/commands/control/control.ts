// `pawl cancel | pause | resume | terminate`. The client says what a run's status permits, and applies what needs no code where no live
// engine owns the run; a cancel goes to the run's inbox, since compensations need the code. Here is only how it is asked and shown.
import type { Control, RunView } from "../../../client/types.ts";
import { hasLiveEngine } from "../../../client/served.ts";
import type { CommandHandler } from "../../command.ts";
import type { ControlOptions } from "../../shared-options.ts";
import { applyControl } from "../../runs/apply-control.ts";
import { askConfirmation } from "../../runs/ask-confirmation.ts";
import { forEachRun, type RunOutput } from "../../runs/for-each-run.ts";
import { exitCodes } from "../../output/report-error.ts";
import { readRunIds, parseDurationMs } from "../../parse-values.ts";
import { printNote } from "../../output/print.ts";
import { withSession, type CliSession } from "../../session.ts";

const pastTense: Readonly<Record<Control, string>> = {
  cancel: "cancel requested",
  pause: "paused",
  resume: "resumed",
  terminate: "terminated",
};
const defaultTimeoutMs = 10_000;

export function controlCommand(verb: Control): CommandHandler<ControlOptions> {
  return async (args: readonly string[], o: ControlOptions): Promise<number> => {
    const ids = await readRunIds(args);
    const timeoutMs = parseDurationMs(o.timeout, "--timeout") ?? defaultTimeoutMs;
    return withSession(o, async (s) => {
      const dryRun = o.dryRun === true;
      const shown = ids.length === 1 ? ids[0] : `${ids.length} runs`;
      if (verb === "terminate" && !dryRun && !(await askConfirmation(o, `Terminate ${shown}? No compensation will run.`))) {
        printNote("nothing was done");
        return exitCodes.ok;
      }
      return forEachRun(s, ids, o, async (run) => {
        if (dryRun) {
          await s.client.control(run.runId, verb, { dryRun });
          return { data: { verb, dryRun: true, status: run.status }, text: `would be ${pastTense[verb]} (now ${run.status})` };
        }
        if (verb === "cancel") return cancel(s, run, o.reason);
        const { status } = await applyControl(s, run, verb, o.reason, timeoutMs);
        if (verb === "resume" && !(await hasLiveEngine(s.client, run.workflow)))
          printNote(`it continues when an engine that serves ${run.workflow} is running`);
        return { data: { verb, status }, text: pastTense[verb] };
      });
    });
  };
}

/** Its compensations may take long: nobody waits for them here. */
async function cancel(s: CliSession, run: RunView, reason: string | undefined): Promise<RunOutput> {
  await s.client.control(run.runId, "cancel", { timeoutMs: 0, ...(reason === undefined ? {} : { reason }) });
  const served = await hasLiveEngine(s.client, run.workflow);
  if (!served) printNote(`queued: no engine that serves ${run.workflow} is alive`);
  return { data: { verb: "cancel", queued: !served }, text: pastTense.cancel };
}
