// `pawl retry`: a new run in place of one that has ended, which keeps what the old one finished (K19). With --dry-run it
// says step by step what would be kept and what would run again. The old run's log stays as it is.
import type { RunView, StepView } from "../../client/types.ts";
import { isSettled } from "../../core/model.ts";
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
  const steps = await s.client.steps(run.runId);
  if (o.fromStep !== undefined && !steps.some((x) => x.stepId === o.fromStep))
    throw new PawlError("PAWL4011", `run ${run.runId} has no step ${o.fromStep}`, { data: { runId: run.runId, stepId: o.fromStep } });
  return o.dryRun === true ? { done: wouldRetry(run, steps, o.fromStep) } : retried(s, run, o);
}

async function retried(s: Session, run: RunView, o: Options): Promise<Act> {
  const next = await s.client.retry(run.runId, {
    ...(o.fromStep === undefined ? {} : { fromStep: o.fromStep }),
    ...(o.reason === undefined ? {} : { reason: o.reason }),
  });
  if (!(await isServed(s.client, run.workflow))) note(`queued: no engine that serves ${run.workflow} is alive`);
  return { next, done: { data: { originalRunId: run.runId, runId: next.runId }, text: `retried as ${next.runId}` } };
}

function wouldRetry(run: RunView, steps: readonly StepView[], fromStep: string | undefined): Done {
  if (!isSettled(run.status))
    throw new PawlError("PAWL4010", `run ${run.runId} is ${run.status}: only a run that has ended can be retried`);
  const from = fromStep === undefined ? steps.length : steps.findIndex((x) => x.stepId === fromStep);
  const kept = steps.filter((x, i) => i < from && x.status === "SUCCESS").map((x) => x.stepId);
  const again = steps.map((x) => x.stepId).filter((id) => !kept.includes(id));
  return {
    data: { dryRun: true, kept, again },
    text: `would keep ${kept.join(", ") || "nothing"}; run again ${again.join(", ") || "what follows"}`,
  };
}
