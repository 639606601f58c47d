// `pawl cancel | pause | resume | terminate`. Cancel goes to the run's inbox, since compensations need the code; the other
// three are applied here when no live engine owns the run. What a run's status does not permit is refused before anything
// is written.
import type { RunView } from "../../../client/types.ts";
import { PawlError } from "../../../errors/error.ts";
import { ControlApplier } from "../../runs/apply-control.ts";
import type { CommandHandler } from "../../command.ts";
import type { ControlOptions } from "../../shared-options.ts";
import { askConfirmation } from "../../runs/ask-confirmation.ts";
import { forEachRun, assertNotEnded, type RunOutput } from "../../runs/for-each-run.ts";
import { allEvents, pendingDecisionIn } from "../../runs/wait-for-end.ts";
import { exitCodes } from "../../output/report-error.ts";
import { readRunIds, parseDurationMs } from "../../parse-values.ts";
import { printNote } from "../../output/print.ts";
import { hasLiveEngine, withSession, type CliSession } from "../../session.ts";

type Verb = "cancel" | "pause" | "resume" | "terminate";

const pastTense: Readonly<Record<Verb, string>> = {
  cancel: "cancel requested",
  pause: "paused",
  resume: "resumed",
  terminate: "terminated",
};
const defaultTimeoutMs = 10_000;

export function controlCommand(verb: Verb): CommandHandler<ControlOptions> {
  return async (args: readonly string[], o: ControlOptions): Promise<number> => {
    const ids = await readRunIds(args);
    const timeoutMs = parseDurationMs(o.timeout, "--timeout") ?? defaultTimeoutMs;
    return withSession(o, async (s) => {
      const dry = o.dryRun === true;
      const shown = ids.length === 1 ? ids[0] : `${ids.length} runs`;
      if (verb === "terminate" && !dry && !(await askConfirmation(o, `Terminate ${shown}? No compensation will run.`))) {
        printNote("nothing was done");
        return exitCodes.ok;
      }
      const applier = new ControlApplier(s);
      try {
        return await forEachRun(s, ids, o, async (run) => {
          await assertPermitted(s, verb, assertNotEnded(run));
          if (dry) return { data: { verb, dryRun: true, status: run.status }, text: `would be ${pastTense[verb]} (now ${run.status})` };
          return verb === "cancel" ? cancel(s, run, o.reason) : apply(s, applier, verb, run, o.reason, timeoutMs);
        });
      } finally {
        await applier.close();
      }
    });
  };
}

async function cancel(s: CliSession, run: RunView, reason: string | undefined): Promise<RunOutput> {
  await s.client.control(run.runId, "cancel", reason === undefined ? {} : { reason });
  const served = await hasLiveEngine(s.client, run.workflow);
  if (!served) printNote(`queued: no engine that serves ${run.workflow} is alive`);
  return { data: { verb: "cancel", queued: !served }, text: pastTense.cancel };
}

async function apply(
  s: CliSession,
  applier: ControlApplier,
  verb: Exclude<Verb, "cancel">,
  run: RunView,
  reason: string | undefined,
  timeoutMs: number,
): Promise<RunOutput> {
  const after = await applier.apply(run, verb, reason, timeoutMs);
  if (verb === "resume" && !(await hasLiveEngine(s.client, run.workflow)))
    printNote(`it continues when an engine that serves ${run.workflow} is running`);
  return { data: { verb, status: after.status }, text: pastTense[verb] };
}

/** A control that the run's status makes meaningless would be taken in silence: it is refused instead. */
async function assertPermitted(s: CliSession, verb: Verb, run: RunView): Promise<void> {
  const refuse = (why: string): PawlError =>
    new PawlError("PAWL4010", `run ${run.runId} ${why}`, { data: { runId: run.runId, status: run.status } });
  if (verb === "pause" && run.status !== "RUNNING") throw refuse(`is ${run.status}: only a run that is RUNNING can be paused`);
  if (verb !== "resume" || run.status === "PAUSED") return;
  if (run.waiting !== "decision") throw refuse(`is ${run.status}: only a run that is PAUSED, or that engines gave up, can be resumed`);
  const need = pendingDecisionIn(run, await allEvents(s.client, run.runId));
  if (need?.data["step"] !== undefined)
    throw refuse(`waits for a decision about step ${String(need.data["step"])}, which resume does not answer`);
}
