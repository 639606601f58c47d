// `pawl replay`: does the code of a file fit runs that are in the store? Each run's log is read and the code is run over a copy of it;
// no step's function is called, and nothing is written to the store. Made for the minute before a deploy: with --live, every
// unfinished run of the file's workflows.
import type { Client, RunView } from "../../../client/types.ts";
import { PawlError } from "../../../errors/error.ts";
import type { RunEventRecord } from "../../../core/contract.ts";
import { colourAllowed, isTty, writeErr, writeOut } from "../../../platform/terminal.ts";
import { replay as replayLog } from "../../../testing.ts";
import { retriedBy } from "../../../testing/replay.ts";
import type { AnyWorkflow } from "../../../workflow/types.ts";
import type { JsonOption, StoreOptions } from "../../shared-options.ts";
import { unsettledRuns } from "../../doctor/diagnose.ts";
import { runOrNotFound } from "../../runs/for-each-run.ts";
import { allEvents } from "../../runs/wait-for-end.ts";
import { toPawlError, exitCodes } from "../../output/report-error.ts";
import { loadWorkflows } from "../../runs/load-file.ts";
import { paint } from "../../output/colors.ts";
import { printNote, printJson } from "../../output/print.ts";
import { withSession, type CliSession } from "../../session.ts";
import { withoutControlChars } from "../../output/format.ts";

export interface ReplayOptions extends JsonOption, StoreOptions {
  readonly live?: boolean;
}

interface Replayed {
  readonly runId: string;
  readonly workflowId: string;
  readonly workflow: string;
  /** The version that recorded it, and that of the file. */
  readonly recordedBy: string;
  readonly code: string;
  readonly fits: boolean;
  readonly error?: { readonly code: string; readonly message: string; readonly expected?: unknown; readonly found?: unknown };
}

export async function replayCommand(args: readonly string[], o: ReplayOptions): Promise<number> {
  const [target = "", ...ids] = args;
  if ((o.live === true) === ids.length > 0)
    throw new PawlError("PAWL4011", "name runs, or say --live for all unfinished runs of the file's workflows");
  const workflows = await loadWorkflows(target);
  const known = new Map(workflows.map((wf) => [String(wf.name), wf]));
  return withSession(o, async (s) => {
    const runs = o.live === true ? await liveRuns(s, known) : await Promise.all(ids.map((id) => runOrNotFound(s, id)));
    const all: Replayed[] = [];
    for (const run of runs) {
      if (isTty("err")) writeErr(`\r\u001B[2K${all.length}/${runs.length} ${withoutControlChars(run.workflowId)}`);
      all.push(await replayRun(s.client, run, known, workflows));
    }
    if (isTty("err")) writeErr("\r\u001B[2K");
    return show(all, o);
  });
}

/** The runs that a deploy of this file would continue; not runs of another store, and not runs that producers write. */
async function liveRuns(s: CliSession, known: ReadonlyMap<string, AnyWorkflow>): Promise<RunView[]> {
  const { runs, complete } = await unsettledRuns(s.client);
  if (!complete) printNote(`only the newest ${runs.length} unfinished runs were checked: name others by their ids`);
  return runs.filter((r) => known.has(r.workflow) && r.moved !== true && r.origin !== "external");
}

async function replayRun(
  client: Client,
  run: RunView,
  known: ReadonlyMap<string, AnyWorkflow>,
  workflows: readonly AnyWorkflow[],
): Promise<Replayed> {
  const wf = known.get(run.workflow);
  if (wf === undefined)
    throw new PawlError("PAWL4011", `${run.workflowId} is a run of workflow ${run.workflow}, which the file does not export`);
  const { runId, workflowId, workflow, version: recordedBy } = run;
  const base = { runId, workflowId, workflow, recordedBy, code: String(wf.version) };
  try {
    const events = await allEvents(client, runId);
    await replayLog(wf, events, { workflows, workflowId, before: await logsBefore(client, events) });
    return { ...base, fits: true };
  } catch (e) {
    const { page, message, data } = toPawlError(e);
    return { ...base, fits: false, error: { code: page, message, ...data } };
  }
}

/** The logs of the runs that this one retries, oldest first. */
async function logsBefore(client: Client, events: readonly RunEventRecord[]): Promise<RunEventRecord[][]> {
  const first = events[0];
  const retried = first === undefined ? undefined : retriedBy(first);
  if (retried === undefined) return [];
  const log = [...(await allEvents(client, retried))];
  return [...(await logsBefore(client, log)), log];
}

function show(all: readonly Replayed[], o: ReplayOptions): number {
  const bad = all.filter((r) => !r.fits);
  if (o.json === true) printJson({ ok: bad.length === 0, runs: all });
  else {
    const p = paint(colourAllowed("out"));
    for (const r of bad) {
      writeOut(
        `${p.red("✘")} ${withoutControlChars(r.workflowId)}  ${withoutControlChars(`${r.workflow}@${r.recordedBy}`)}  ${r.error?.code ?? ""}\n`,
      );
      writeOut(`  ${withoutControlChars(r.error?.message ?? "")}\n`);
    }
    if (all.length === 0) printNote("no run to replay");
    else
      writeOut(
        bad.length === 0
          ? `${p.green("✔")} the code fits all ${all.length} runs\n`
          : `${bad.length} of ${all.length} runs would diverge: keep the old code for them, or guard the change with ctx.patched\n`,
      );
  }
  return bad.length === 0 ? exitCodes.ok : exitCodes.checkFailed;
}
