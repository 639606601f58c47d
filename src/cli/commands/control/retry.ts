// `pawl retry`: a new run in place of one that has ended, which keeps what its line finished (K19). With --dry-run it says step by
// step what the table of sending again says. The old run's log stays as it is.
import type { PlannedStep, RetryPlan, RunView } from "../../../client/types.ts";
import { PawlError } from "../../../errors/error.ts";
import type { ControlOptions } from "../../shared-options.ts";
import { forEachRun, runOrNotFound, type RunOutput } from "../../runs/for-each-run.ts";
import { waitForRunEnd, printRunEnd } from "../../runs/wait-for-end.ts";
import { exitCodes } from "../../output/report-error.ts";
import { readRunIds, parseDurationMs } from "../../parse-values.ts";
import { listenForInterrupt } from "../../runs/interrupt.ts";
import { printNote } from "../../output/print.ts";
import { hasLiveEngine } from "../../../client/served.ts";
import { withSession, type CliSession } from "../../session.ts";

export interface RetryCommandOptions extends ControlOptions {
  readonly fromStep?: string;
  readonly rerun?: string;
  readonly by?: string;
  readonly wait?: boolean;
}

export async function retryCommand(args: readonly string[], o: RetryCommandOptions): Promise<number> {
  const ids = await readRunIds(args);
  if (o.wait === true && ids.length !== 1) throw new PawlError("PAWL4011", "--wait waits for one run");
  const timeoutMs = parseDurationMs(o.timeout, "--timeout");
  return withSession(o, async (s) => {
    if (o.wait !== true || o.dryRun === true) return forEachRun(s, ids, o, async (run) => (await retryRun(s, run, o)).done);
    const { next, done } = await retryRun(s, await runOrNotFound(s, ids[0] ?? ""), o);
    if (next === undefined) return exitCodes.ok;
    printNote(`${next.workflowId}  ${done.text}`);
    const interrupt = listenForInterrupt();
    try {
      return printRunEnd(
        o,
        next,
        await waitForRunEnd(s.client, next, timeoutMs, interrupt),
        `the run continues; see pawl inspect ${next.workflowId}`,
      );
    } finally {
      interrupt.stopListening();
    }
  });
}

interface RetryResult {
  readonly done: RunOutput;
  readonly next?: { readonly runId: string; readonly workflowId: string };
}

async function retryRun(s: CliSession, run: RunView, o: RetryCommandOptions): Promise<RetryResult> {
  const asked = {
    ...(o.fromStep === undefined ? {} : { fromStep: o.fromStep }),
    // A step id holds no comma: what a name has of them is encoded.
    ...(o.rerun === undefined ? {} : { rerun: o.rerun.split(",").map((id) => id.trim()) }),
    ...(o.by === undefined ? {} : { by: o.by }),
    ...(o.reason === undefined ? {} : { reason: o.reason }),
  };
  if (o.dryRun === true) return { done: planOutput(await s.client.retry(run.runId, { ...asked, dryRun: true })) };
  const next = await s.client.retry(run.runId, asked);
  for (const w of next.warnings ?? []) printNote(`warning: ${w.message}`);
  if (!(await hasLiveEngine(s.client, run.workflow))) printNote(`queued: no engine that serves ${run.workflow} is alive`);
  return { next, done: { data: { originalRunId: run.runId, ...next }, text: `retried as ${next.runId}` } };
}

const outlooks = ["kept", "runs again", "may repeat", "needs a decision"] as const;

/** How many steps of each kind. */
export function outlookCounts(steps: readonly PlannedStep[]): string[] {
  return outlooks.flatMap((w) => {
    const n = steps.filter((x) => x.outlook === w).length;
    return n === 0 ? [] : [`${n} ${w}`];
  });
}
/** Each step with its reason. */
export function plannedLines(steps: readonly PlannedStep[]): string[] {
  return steps.map((x) => `${x.stepId}  ${x.outlook}  (${x.why})`);
}

function planOutput({ steps, lost, warnings }: RetryPlan): RunOutput {
  const whole = lost === undefined ? [] : [`needs a decision first: the log of run ${lost} was removed`];
  return {
    data: { dryRun: true, steps, warnings, ...(lost === undefined ? {} : { lost }) },
    text: [...whole, ...outlookCounts(steps)].join("; ") || "runs from the beginning: no step is recorded",
    lines: [...plannedLines(steps), ...warnings.map((w) => `warning: ${w.message}`)],
  };
}
