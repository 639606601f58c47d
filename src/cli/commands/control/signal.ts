// `pawl signal` and `pawl update`: messages to a run, kept until its owner takes them. A signal is answered with its
// acceptance; an update with what the run's code answers, if an engine is there to run it.
import { isPawlError } from "../../../errors/error.ts";
import { PawlError } from "../../../errors/error.ts";
import { writeOut } from "../../../platform/terminal.ts";
import type { DryRunOption, JsonOption, ParamOption, StoreOptions, TimeoutOption } from "../../shared-options.ts";
import { assertNotEnded } from "../../../client/control/permitted.ts";
import { runOrNotFound } from "../../runs/for-each-run.ts";
import { exitCodes } from "../../output/report-error.ts";
import { readRunIds, parseDurationMs, readValueOption } from "../../parse-values.ts";
import { printNote, printJson, printValue } from "../../output/print.ts";
import { hasLiveEngine } from "../../../client/served.ts";
import { withSession } from "../../session.ts";

interface PayloadOptions extends ParamOption {
  readonly payload?: string;
}
export interface SignalCommandOptions extends PayloadOptions, DryRunOption, JsonOption, StoreOptions {
  readonly signalId?: string;
  readonly delay?: string;
}
export interface UpdateCommandOptions extends PayloadOptions, TimeoutOption, DryRunOption, JsonOption, StoreOptions {
  readonly updateId?: string;
}

const defaultTimeoutMs = 30_000;

async function target(args: readonly string[], o: PayloadOptions): Promise<{ id: string; name: string; payload: unknown }> {
  if (args[0] === "-" && o.payload === "-") throw new PawlError("PAWL4011", "standard input gives the run's id or the payload, not both");
  const [id = "", ...more] = await readRunIds(args.slice(0, 1));
  if (more.length > 0) throw new PawlError("PAWL4011", "standard input named several runs; this takes one");
  return { id, name: args[1] ?? "", payload: await readValueOption(o, "payload") };
}

export async function signalCommand(args: readonly string[], o: SignalCommandOptions): Promise<number> {
  const { id, name, payload } = await target(args, o);
  return withSession(o, async (s) => {
    if (o.dryRun === true) {
      const run = assertNotEnded(await runOrNotFound(s, id));
      if (o.json === true) printJson({ dryRun: true, runId: run.runId, workflowId: run.workflowId, signalName: name });
      else writeOut(`signal ${name} would go to ${run.workflowId} (${run.status})\n`);
      return exitCodes.ok;
    }
    // A duplicate of an accepted signal is answered even when its run has ended: the client decides, not this command.
    const accepted = await s.client.signal(id, name, payload, {
      ...(o.signalId === undefined ? {} : { signalId: o.signalId }),
      ...(o.delay === undefined ? {} : { delay: parseDurationMs(o.delay, "--delay")! }),
    });
    if (o.json === true) printJson(accepted);
    else
      writeOut(
        `accepted  ${accepted.result.signalName}  ${accepted.result.signalId}${accepted.replayed ? "  (already accepted before)" : ""}\n`,
      );
    if (accepted.unchecked !== undefined) printNote(`accepted without a full check: ${accepted.unchecked}`);
    const run = await s.client.get(id);
    if (run !== undefined && !accepted.replayed && !(await hasLiveEngine(s.client, run.workflow)))
      printNote(`queued: no engine that serves ${run.workflow} is alive`);
    return exitCodes.ok;
  });
}

export async function updateCommand(args: readonly string[], o: UpdateCommandOptions): Promise<number> {
  const { id, name, payload } = await target(args, o);
  const asked = parseDurationMs(o.timeout, "--timeout");
  return withSession(o, async (s) => {
    const run = await runOrNotFound(s, id);
    if (o.dryRun === true) {
      assertNotEnded(run);
      if (o.json === true) printJson({ dryRun: true, runId: run.runId, workflowId: run.workflowId, updateName: name });
      else writeOut(`update ${name} would go to ${run.workflowId} (${run.status})\n`);
      return exitCodes.ok;
    }
    const updateId = o.updateId ?? s.platform.uuidV4();
    const served = await hasLiveEngine(s.client, run.workflow);
    if (!served) printNote(`queued: no engine that serves ${run.workflow} is alive`);
    try {
      // Nobody is there to answer: recorded, and not waited for, unless the caller says how long.
      const answer = await s.client.update(id, name, payload, { updateId, timeoutMs: asked ?? (served ? defaultTimeoutMs : 0) });
      if (o.json === true) printJson({ updateId, ...(answer === undefined ? {} : { result: answer }) });
      else printValue(answer);
      return exitCodes.ok;
    } catch (e) {
      if (!isPawlError(e, "PAWL4006")) throw e;
      printNote(`ask for the answer: pawl update ${id} ${name} --update-id ${updateId}`);
      if (served || asked !== undefined) throw e;
      if (o.json === true) printJson({ updateId, queued: true });
      return exitCodes.ok;
    }
  });
}
