// `pawl retry`: a new run in place of one that has ended, which keeps what its line finished (K19). With --dry-run it says step by
// step what the table of sending again says. The old run's log stays as it is.
import type { RetryPlan, RunView } from "../../client/types.ts";
import { PawlError } from "../../errors/error.ts";
import type { Options } from "../command.ts";
import { forEachRun, found, type Done } from "../each.ts";
import { awaitEnd, printEnding } from "../ending.ts";
import { exitCodes } from "../failure.ts";
import { givenIds, givenMs } from "../given.ts";
import { interruptible } from "../interrupt.ts";
import { note } from "../print.ts";
import { isServed, withSession, type Session } from "../session.ts";

export async function retry(args: readonly string[], o: Options): Promise<number> {
  const ids = await givenIds(args);
  if (o.wait === true && ids.length !== 1) throw new PawlError("PAWL4011", "--wait waits for one run");
  const timeoutMs = givenMs(o.timeout, "--timeout");
  return withSession(o, async (s) => {
    if (o.wait !== true || o.dryRun === true) return forEachRun(s, ids, o, async (run) => (await act(s, run, o)).done);
    const { next, done } = await act(s, await found(s, ids[0] ?? ""), o);
    if (next === undefined) return exitCodes.ok;
    note(`${next.workflowId}  ${done.text}`);
    const interrupt = interruptible();
    try {
      return printEnding(
        o,
        next,
        await awaitEnd(s.client, next, timeoutMs, interrupt),
        `the run goes on; look with pawl inspect ${next.workflowId}`,
      );
    } finally {
      interrupt.end();
    }
  });
}

interface Act {
  readonly done: Done;
  readonly next?: { readonly runId: string; readonly workflowId: string };
}

async function act(s: Session, run: RunView, o: Options): Promise<Act> {
  const asked = {
    ...(o.fromStep === undefined ? {} : { fromStep: o.fromStep }),
    // A step id holds no comma: what a name has of them is encoded.
    ...(o.rerun === undefined ? {} : { rerun: o.rerun.split(",").map((id) => id.trim()) }),
    ...(o.by === undefined ? {} : { by: o.by }),
    ...(o.reason === undefined ? {} : { reason: o.reason }),
  };
  if (o.dryRun === true) return { done: told(await s.client.retry(run.runId, { ...asked, dryRun: true })) };
  const next = await s.client.retry(run.runId, asked);
  for (const w of next.warnings ?? []) note(`warning: ${w.message}`);
  if (!(await isServed(s.client, run.workflow))) note(`queued: no engine that serves ${run.workflow} is alive`);
  return { next, done: { data: { originalRunId: run.runId, ...next }, text: `retried as ${next.runId}` } };
}

const outlooks = ["kept", "runs again", "may repeat", "needs a decision"] as const;

/** How many steps of each kind, then each step with its reason. */
function told({ steps, lost, warnings }: RetryPlan): Done {
  const of = outlooks.map((w) => ({ w, n: steps.filter((x) => x.outlook === w).length })).filter(({ n }) => n > 0);
  const whole = lost === undefined ? [] : [`waits for a person first: the log of run ${lost} is gone`];
  return {
    data: { dryRun: true, steps, warnings, ...(lost === undefined ? {} : { lost }) },
    text: [...whole, ...of.map(({ w, n }) => `${n} ${w}`)].join("; ") || "runs from the beginning: no step is recorded",
    lines: [...steps.map((x) => `${x.stepId}  ${x.outlook}  (${x.why})`), ...warnings.map((w) => `warning: ${w.message}`)],
  };
}
