// Reads what step-why.ts looks at, joins it with what a plan says (evaluate.ts), and puts a person's act on a step into the form of an answer. An act is
// an answer to an open decision: nobody but the run's owner writes the run.
import type { StepWhy } from "../../api/types/plan.ts";
import type { StepAct } from "../../api/types/queues.ts";
import { isSettled } from "../../core/model.ts";
import { liveEngines } from "../../engine/publish/live-engines.ts";
import type { FoldedStep } from "../../events/fold.ts";
import { isPawlError, PawlError } from "../../errors/error.ts";
import type { EventRecord, RunRow, StoreInfo } from "../../store/port.ts";
import type { LocalClientDeps } from "../client-deps.ts";
import { readEvents } from "../../engine/run/read-events.ts";
import { explainSteps } from "./evaluate.ts";
import { stepWhys, type QueueCrowd } from "./step-why.ts";

const rowsMax = 1_000;
const claimedMax = 10_000;
const toldByLog: ReadonlySet<StepWhy["readiness"]> = new Set(["running", "skipped"]);

/** Of a DAG every step of its plan, of any other run the steps that have begun; what waits on a queue says who is before it. */
export async function whyOfRun(c: LocalClientDeps, row: RunRow, step?: string): Promise<readonly StepWhy[]> {
  const begun = new Map((await begunSteps(c, row)).map((w) => [w.stepId, w]));
  const planned = await explainSteps(c, row, step).catch((e: unknown) => {
    if (isPawlError(e, "PAWL4010")) return undefined; // it has no plan
    if (isPawlError(e, "PAWL4011") && begun.has(step ?? "")) return undefined; // one item of a list
    throw e;
  });
  if (planned !== undefined) {
    // What the log says of a step that waits on a queue, is at work or was skipped says more than the plan does.
    const more = (w: StepWhy): StepWhy => {
      const { sentence, quotes, facts, next, readiness } = begun.get(w.stepId) ?? w;
      const tells = facts?.["queue"] !== undefined || (readiness === w.readiness && toldByLog.has(readiness));
      const said = quotes === undefined ? {} : { quotes };
      return tells ? { ...w, sentence, ...said, ...(facts === undefined ? {} : { facts }), ...(next === undefined ? {} : { next }) } : w;
    };
    return planned.map(more);
  }
  if (step === undefined) return [...begun.values()];
  const found = begun.get(step);
  if (found === undefined) throw new PawlError("PAWL4132", `run ${row.runId} has no step ${step}`, { data: { runId: row.runId, step } });
  return [found];
}

async function begunSteps(c: LocalClientDeps, row: RunRow): Promise<readonly StepWhy[]> {
  const [info, events] = await Promise.all([c.store.info(), readEvents(c.store, row.runId)]);
  return whysOf(c, row, info, events);
}

/** Of a run that waits for workers, by the end of its log: a step that nobody has claimed, else one that is at work. */
export async function queuedWhy(
  c: LocalClientDeps,
  row: RunRow,
  info: StoreInfo,
  events: readonly EventRecord[],
): Promise<StepWhy | undefined> {
  const queued = (await whysOf(c, row, info, events)).filter((w) => w.facts?.["queue"] !== undefined);
  return queued.find((w) => w.readiness === "queued") ?? queued[0];
}

async function whysOf(c: LocalClientDeps, row: RunRow, info: StoreInfo, events: readonly EventRecord[]): Promise<readonly StepWhy[]> {
  const queued = c.store.lacks?.includes("queues") !== true && !isSettled(row.status);
  const dispatches = queued ? await c.store.queues.rows({ scope: c.scope, runId: row.runId, limit: rowsMax }) : [];
  const names = [...new Set(dispatches.filter((d) => d.worker === null).map((d) => d.queue))];
  const crowds = new Map<string, QueueCrowd>();
  for (const queue of names) {
    const rows = await c.store.queues.rows({ scope: c.scope, queue, limit: rowsMax });
    const isPart = rows.length === rowsMax;
    // What is claimed is not among the oldest where others came before them.
    const claimed = isPart
      ? (await c.store.queues.depth(c.scope, queue, claimedMax)).claimed
      : rows.filter((r) => r.worker !== null).length;
    crowds.set(queue, { rows, isPart, claimed });
  }
  return stepWhys({
    row,
    nowMs: info.nowMs,
    events,
    dispatches,
    queues: names.length === 0 ? [] : await c.store.queues.list(c.scope),
    crowds,
    alive: liveEngines(info, c.scope),
  });
}

/** The answer that an act is, and who gives it. */
export function answerOfAct(act: StepAct, kind: string, who: { readonly by: string; readonly reason: string }): Record<string, unknown> {
  // Of an effect in doubt the same acts have other names: it happened, with this result; it did not, and is sent.
  if (kind === "effect" || kind === "compensation") {
    if (act?.do === "complete") return { ...who, happened: true, ...(act.result === undefined ? {} : { result: act.result }) };
    if (act?.do === "retry") return { ...who, happened: false };
  }
  switch (act?.do) {
    case "complete":
      return { ...who, complete: true, ...(act.result === undefined ? {} : { result: act.result }) };
    case "retry":
    case "resolve":
    case "skip":
    case "fail":
      return { ...who, [act.do]: true };
    default:
      throw new PawlError("PAWL4011", "an act is retry, complete, resolve, skip or fail");
  }
}

/** P-33: with the contract's name for what the step is, where the run has begun it. */
export function waitsForNobody(row: RunRow, step: string, steps: readonly FoldedStep[]): PawlError {
  const status = steps.find((s) => s.stepId === step)?.status;
  const ended = status !== undefined && status !== "PENDING" && status !== "RUNNING";
  const code = status === undefined ? {} : { status, code: ended ? "STEP_TERMINAL" : "STEP_NOT_TERMINAL" };
  const message = `step ${step} of run ${row.runId} does not wait for a person: see pawl why ${row.workflowId} ${step}`;
  return new PawlError("PAWL4010", message, { data: { runId: row.runId, step, ...code } });
}
