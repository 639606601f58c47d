// One life of a run in a place: waiting until it has ended and nothing of it continues, and what the log says of it then. Used by
// the crash matrix in this process and by `pawl crashtest` in each of its own. It decides nothing: judge.ts does.
import { errorFromFailure } from "../codec/failure.ts";
import type { Handle } from "../client/engine-types.ts";
import type { Client, RunView, StepView } from "../client/types.ts";
import { isSettled } from "../core/model.ts";
import { isPawlError } from "../errors/error.ts";
import type { RunEventRecord } from "../core/contract.ts";
import type { Observed, SeenStep } from "./judge-kill.ts";
import type { TestBed } from "./test-bed.ts";
import { whyStopped } from "./why-stopped.ts";

const pageSize = 1_000;

/** Lets go what waits for approval; true while something does. */
async function approveAll(place: TestBed): Promise<boolean> {
  const waiting = (await place.client.decisions()).filter((d) => d.kind === "approval");
  const answer = { approve: true, by: "crash test", reason: "approvals are given by default" } as const;
  for (const { decisionId } of waiting)
    await place.client.resolve(decisionId, answer, { timeoutMs: 0, requestId: `approve ${decisionId}` }).catch(() => {}); // taken meanwhile
  return waiting.length > 0;
}

/** Waits until the run has ended and nothing of it continues, or only a person can continue and `drive` is none. */
export async function waitForOutcome(
  place: TestBed,
  h: Handle<any>,
  drive: (() => Promise<unknown>) | undefined,
  approves = true,
): Promise<{ readonly run: RunView; readonly failed?: unknown }> {
  const look = async (): Promise<RunView> => (await place.client.get(h.workflowId))!;
  const stands = async (): Promise<boolean> => (await place.unsettled()).some((r) => r.waiting === "decision" || r.status === "PAUSED");
  let driving = drive !== undefined;
  const driven = Promise.resolve(drive?.()).finally(() => (driving = false));
  const ended = place.waitUntil(undefined, async () => {
    if ((await place.unsettled()).length === 0) return true;
    if (!(await place.idle())) return false;
    if (approves && (await approveAll(place))) return false;
    return isSettled((await look()).status) || (!driving && (await stands()));
  });
  try {
    await Promise.race([ended, driven.then(() => ended)]);
    return { run: await look() };
  } catch (failed) {
    // What `drive` waits for may never come after a kill: then a run that stands is the end.
    return isPawlError(failed, "PAWL5033") && (await stands()) ? { run: await look() } : { run: await look(), failed };
  } finally {
    driven.catch(() => {});
    ended.catch(() => {});
  }
}

/** What the log knows of a life; what happened outside is counted elsewhere. */
export type LoggedOutcome = Pick<Observed, "end" | "why" | "code" | "resultLost" | "doubts" | "outcomes" | "steps">;

export async function readOutcome(place: TestBed, run: RunView, lines: ReadonlyMap<string, string>): Promise<LoggedOutcome> {
  return outcomeOfRuns(place.client, run, (await place.client.list({ limit: 1_000 })).runs, lines);
}

/** `runs`: those that belong to it, itself among them, newest first. */
export async function outcomeOfRuns(
  client: Client,
  run: RunView,
  runs: readonly RunView[],
  lines: ReadonlyMap<string, string>,
): Promise<LoggedOutcome> {
  const steps = new Map<string, SeenStep>();
  const outcomes = new Map<string, number>();
  const doubts = new Set<string>();
  for (const r of runs.toReversed()) {
    for (const s of await client.steps(r.runId)) {
      const line = lines.get(s.stepId) ?? lines.get(s.stepId.replace(/\/~compensate$/, ""));
      if (!steps.has(s.stepId)) steps.set(s.stepId, seenStep(s, line));
      if (s.status === "SUCCESS") outcomes.set(s.stepId, (outcomes.get(s.stepId) ?? 0) + 1);
    }
    if (isSettled(r.status)) continue;
    for (const e of await eventsOf(client, r)) if (e.eventType === "pawl.StepInDoubt") doubts.add((e.payload as { stepId: string }).stepId);
  }
  const end = isSettled(run.status) || run.status === "PAUSED" ? (run.status as Observed["end"]) : "decision";
  return { end, ...(await endReason(client, run)), doubts, outcomes, steps };
}

function seenStep(s: StepView, line: string | undefined): SeenStep {
  return { stepId: s.stepId, kind: s.kind, ...(s.class === undefined ? {} : { class: s.class }), ...(line === undefined ? {} : { line }) };
}

type EndReason = Pick<LoggedOutcome, "why" | "code" | "resultLost">;

async function endReason(client: Client, run: RunView): Promise<EndReason> {
  if (run.status === "COMPLETED") return { resultLost: false };
  if (!isSettled(run.status)) return { why: "nothing happens any more", ...whyStopped(await eventsOf(client, run)), resultLost: false };
  const { error, reason } = await client.waitForEnd(run.runId);
  const thrown = error === undefined ? undefined : errorFromFailure(error);
  const codes = causesOf(thrown).flatMap((e) => (e as { code?: string }).code ?? []);
  const code = codes[0] === undefined ? {} : { code: codes[0] };
  return { why: thrown?.message ?? reason ?? run.status, ...code, resultLost: codes.includes("PAWL2004") };
}

function causesOf(e: unknown): unknown[] {
  return e instanceof Error ? [e, ...causesOf(e.cause)] : [];
}

/** All of them, a page at a time: a server gives a thousand at most. */
async function eventsOf(client: Client, run: RunView): Promise<readonly RunEventRecord[]> {
  const all: RunEventRecord[] = [];
  for (;;) {
    const page = await client.events(run.runId, { after: all.at(-1)?.runSeq ?? 0, limit: pageSize });
    all.push(...page);
    if (page.length < pageSize) return all;
  }
}
