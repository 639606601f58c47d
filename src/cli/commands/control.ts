// `pawl cancel | pause | resume | terminate`. Cancel goes to the run's inbox, since compensations need the code; the other
// three are applied here when no live engine owns the run. What a run's status does not permit is refused before anything
// is written.
import type { RunView } from "../../client/types.ts";
import { PawlError } from "../../errors/error.ts";
import { Applier } from "../apply.ts";
import type { Options, Perform } from "../command.ts";
import { confirmed } from "../confirm.ts";
import { forEachRun, unsettled, type Done } from "../each.ts";
import { allEvents, needIn } from "../ending.ts";
import { exitCodes } from "../failure.ts";
import { givenIds, givenMs } from "../given.ts";
import { note } from "../print.ts";
import { isServed, withSession, type Session } from "../session.ts";

type Verb = "cancel" | "pause" | "resume" | "terminate";

const past: Readonly<Record<Verb, string>> = { cancel: "cancel requested", pause: "paused", resume: "resumed", terminate: "terminated" };
const defaultTimeoutMs = 10_000;

export function control(verb: Verb): Perform {
  return async (args: readonly string[], o: Options): Promise<number> => {
    const ids = await givenIds(args);
    const timeoutMs = givenMs(o.timeout, "--timeout") ?? defaultTimeoutMs;
    return withSession(o, async (s) => {
      const dry = o.dryRun === true;
      const shown = ids.length === 1 ? ids[0] : `${ids.length} runs`;
      if (verb === "terminate" && !dry && !(await confirmed(o, `Terminate ${shown}? No compensation will run.`))) {
        note("nothing was done");
        return exitCodes.ok;
      }
      const applier = new Applier(s);
      try {
        return await forEachRun(s, ids, o, async (run) => {
          await permitted(s, verb, unsettled(run));
          if (dry) return { data: { verb, dryRun: true, status: run.status }, text: `would be ${past[verb]} (now ${run.status})` };
          return verb === "cancel" ? cancel(s, run, o.reason) : apply(s, applier, verb, run, o.reason, timeoutMs);
        });
      } finally {
        await applier.close();
      }
    });
  };
}

async function cancel(s: Session, run: RunView, reason: string | undefined): Promise<Done> {
  await s.client.control(run.runId, "cancel", reason === undefined ? {} : { reason });
  const served = await isServed(s.client, run.workflow);
  if (!served) note(`queued: no engine that serves ${run.workflow} is alive`);
  return { data: { verb: "cancel", queued: !served }, text: past.cancel };
}

async function apply(
  s: Session,
  applier: Applier,
  verb: Exclude<Verb, "cancel">,
  run: RunView,
  reason: string | undefined,
  timeoutMs: number,
): Promise<Done> {
  const after = await applier.apply(run, verb, reason, timeoutMs);
  if (verb === "resume" && !(await isServed(s.client, run.workflow)))
    note(`it goes on when an engine that serves ${run.workflow} is alive`);
  return { data: { verb, status: after.status }, text: past[verb] };
}

/** A control that the run's status makes meaningless would be taken in silence: it is refused instead. */
async function permitted(s: Session, verb: Verb, run: RunView): Promise<void> {
  const refuse = (why: string): PawlError =>
    new PawlError("PAWL4010", `run ${run.runId} ${why}`, { data: { runId: run.runId, status: run.status } });
  if (verb === "pause" && run.status !== "RUNNING") throw refuse(`is ${run.status}: only a run that is RUNNING can be paused`);
  if (verb !== "resume" || run.status === "PAUSED") return;
  if (run.waiting !== "decision") throw refuse(`is ${run.status}: only a run that is PAUSED, or that engines gave up, can be resumed`);
  const need = needIn(run, await allEvents(s.client, run.runId));
  if (need?.data["step"] !== undefined)
    throw refuse(`waits for a decision about step ${String(need.data["step"])}, which resume does not answer`);
}
