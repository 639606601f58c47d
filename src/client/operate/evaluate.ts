// Where the run of a DAG stands, and why each of its steps is not further: from its plan, its log and its dispatches. `evaluate` also wakes the run. Not
// ready is an answer, not an error (T-50). Only the owner ends a run, and it ends once: a second caller learns that it had ended (T-52, T-53).
import { isSettled } from "../../core/model.ts";
import { edgesInto, type PlanData, type PlanNode } from "../../core/plan-data.ts";
import { readEvents } from "../../engine/run/load-run.ts";
import { readPlan } from "../../engine/publish/published-plans.ts";
import { isPawlError, PawlError } from "../../errors/error.ts";
import { toTimeText } from "../../events/envelope.ts";
import { readPayload, type RunStartPayload } from "../../events/payload.ts";
import { PlanLogFold } from "../../events/plan-log.ts";
import { planReadiness, planStatus, type DispatchFact, type Readiness } from "../../events/plan-readiness.ts";
import type { EventRecord, RunRow } from "../../store/port.ts";
import type { RunStanding, StepWhy } from "../../api/types/plan.ts";
import type { LocalClientDeps } from "../client-deps.ts";
import { postMessage } from "../messages/post-message.ts";

interface Standing {
  readonly plan: PlanData;
  readonly log: PlanLogFold;
  readonly labels: ReadonlyMap<string, Readiness>;
}

export async function evaluateRun(c: LocalClientDeps, find: () => Promise<RunRow>): Promise<RunStanding> {
  const before = await find();
  const alreadyFinal = isSettled(before.status);
  if (!alreadyFinal) await wakeRun(c, before);
  const { labels } = await standingOf(c, before);
  const now = alreadyFinal ? before : await find();
  return { runId: now.runId, ...planStatus(labels), final: isSettled(now.status), alreadyFinal };
}

/** C12: one that ends meanwhile needs no waking. */
async function wakeRun(c: LocalClientDeps, row: RunRow): Promise<void> {
  try {
    await postMessage(c, row.runId, "control", "wake", c.platform.uuidV4(), null);
  } catch (e) {
    if (!isPawlError(e, "PAWL4003")) throw e;
  }
}

export async function explainSteps(c: LocalClientDeps, row: RunRow, step?: string): Promise<readonly StepWhy[]> {
  const s = await standingOf(c, row);
  if (step !== undefined && !s.labels.has(step))
    throw new PawlError("PAWL4011", `the plan of run ${row.runId} has no step ${step.slice(0, 80)}`);
  return s.plan.nodes.filter((n) => step === undefined || n.id === step).map((n) => whyOf(n, s));
}

async function standingOf(c: LocalClientDeps, row: RunRow): Promise<Standing> {
  const events = await readEvents(c.store, row.runId);
  const plan = await planOf(c, row, events);
  const log = new PlanLogFold();
  for (const e of events) log.add(e);
  return { plan, log, labels: planReadiness(plan, log, await dispatchesOf(c, row)) };
}

async function planOf(c: LocalClientDeps, row: RunRow, events: readonly EventRecord[]): Promise<PlanData> {
  const start = events.find((e) => e.eventType === "RunStarted");
  const digest = start === undefined ? undefined : readPayload<RunStartPayload>(start.payload).plan;
  const here = [c.engine?.definition(row.workflow), c.known?.get(row.workflow)].find(
    (d) => d?.plan !== undefined && (digest === undefined ? d.version === row.version : d.plan.digest === digest),
  );
  const plan = here?.plan ?? (digest === undefined ? undefined : await readPlan(c.store, c.scope, digest));
  if (plan !== undefined) return plan;
  throw new PawlError(
    "PAWL4010",
    `run ${row.runId} of ${row.workflow} has no plan that is known here: it is no DAG, or no engine has published it`,
    {
      data: { runId: row.runId },
    },
  );
}

async function dispatchesOf(c: LocalClientDeps, row: RunRow): Promise<ReadonlyMap<string, DispatchFact>> {
  if (isSettled(row.status) || c.store.lacks?.includes("queues") === true) return new Map();
  const rows = await c.store.queues.rows({ scope: c.scope, runId: row.runId, limit: 1_000 });
  return new Map(rows.map((d) => [d.stepId, { isClaimed: d.worker !== null, isHeld: d.held }]));
}

const waitsMax = 10;

function whyOf(n: PlanNode, { log, labels }: Standing): StepWhy {
  const readiness = labels.get(n.id)!;
  const fact = log.steps.get(n.id);
  const open = edgesInto(n).filter((e) => !ended.has(labels.get(e)!));
  const failed = edgesInto(n).filter((e) => labels.get(e) === "failed" || labels.get(e) === "blocked");
  const waitsFor = (readiness === "blocked" ? failed : readiness === "waiting-for-dependencies" ? open : []).slice(0, waitsMax);
  const next = fact?.retryAt ?? undefined;
  return {
    stepId: n.id,
    readiness,
    sentence: sentenceOf(n, readiness, waitsFor, fact?.error ?? null, next),
    waitsFor,
    ...(fact === undefined ? {} : { since: toTimeText(fact.since) }),
    ...(next === undefined ? {} : { next }),
  };
}

const ended: ReadonlySet<Readiness> = new Set(["succeeded", "resolved", "failed", "blocked", "skipped"]);

function sentenceOf(n: PlanNode, r: Readiness, waitsFor: readonly string[], error: string | null, next: string | undefined): string {
  const said = error === null ? "" : `: ${error.slice(0, 200)}`;
  const sentences: Record<Readiness, string> = {
    "waiting-for-dependencies": `${n.id} waits for ${waitsFor.join(", ")}`,
    blocked: waitsFor.length === 0 ? `${n.id} never ended: its run is over` : `${n.id} can never begin: ${waitsFor.join(", ")} failed`,
    ready: `${n.id} has everything that it needs, and begins when the run's owner gets to it`,
    queued: `${n.id} waits for a worker${n.queue === undefined ? "" : ` on queue ${n.queue}`}`,
    held: `${n.id} waits for its run, which is paused or waits for a person`,
    running: `${n.id} is running`,
    "waiting-for-retry": `${n.id} failed and is tried again${next === undefined ? "" : ` at ${next}`}${said}`,
    "in-doubt": `nobody knows whether ${n.id} happened: a person decides (pawl decisions)`,
    "waiting-for-approval": `${n.id} waits for a person's approval (pawl decisions)`,
    "waiting-for-decision": `${n.id} failed for good and waits for a person (pawl decisions)${said}`,
    succeeded: `${n.id} has completed`,
    failed: `${n.id} has failed${said}`,
    skipped: `${n.id} was skipped`,
    resolved: `${n.id} was settled by a person`,
  };
  return sentences[r];
}
