// How a run ends (K19): no new steps; open waits close; effects in flight are aborted, awaited up to their time limit
// and recorded; one in doubt is decided first, one that nobody approved is given up; then compensations in reverse order of completion; then the terminal
// event. Nothing follows a terminal event, ever (I8).
import { encode } from "../../codec/value.ts";
import { failureOf, type Failure } from "../../codec/failure.ts";
import type { Limits } from "../../core/limits.ts";
import { jsonObject, jsonValue } from "../../events/payload.ts";
import { closeHeld } from "../decisions/hold.ts";
import { compensateNext } from "../steps/compensation.ts";
import { failureFrom } from "../steps/outcome.ts";
import { reportMistake } from "../code-mistake.ts";
import { createCommit } from "../create-run.ts";
import { ContinueAsNew, FailRun, PlanFailed, type CodeEnd } from "./ending.ts";
import { parentNotices } from "../messages/notices.ts";
import { restoresUndo } from "../snapshot/resume-run.ts";
import { reportUnawaited } from "./unawaited-steps.ts";
import type { LiveRun } from "./live-run.ts";

/** The code returned. A result that cannot be stored fails the run as anything thrown does: what it did is undone. */
export function codeReturned(value: unknown, limits: Limits): CodeEnd {
  try {
    return { kind: "returned", result: value === undefined ? undefined : encode(value, limits, "result of the run") };
  } catch (error) {
    return { kind: "threw", error, category: "NOT_ENCODABLE" };
  }
}

/** One move towards the end; false when there is nothing to do now. */
export function advanceSettling(r: LiveRun): boolean {
  if (!r.state.isEnding || r.state.isPaused || r.replay.hasDiverged || !r.hasCode) return false;
  if (closeSteps(r)) return true;
  for (const s of r.steps.all()) if (s.undoes === null) return false; // effects in flight, or in doubt
  if (r.steps.size > 0) return false; // a compensation is under way
  if (r.state.isFailing && compensateNext(r)) return true;
  if (r.state.isFailing && restoresUndo(r)) return false;
  endRun(r);
  return true;
}

/** Each open step ends as its kind does; true: something changed. */
function closeSteps(r: LiveRun): boolean {
  let closed = false;
  for (const s of r.steps.all()) {
    if (s.held !== null) {
      closeHeld(r, s);
      closed = true;
      continue;
    }
    if (s.undoes !== null || s.state === "doubt") continue;
    const now = s.kind.close(r, s);
    if (now === "retried") return true;
    if (now === "closed") closed = true;
  }
  return closed;
}

function endRun(r: LiveRun): void {
  r.updates.refusePending(r.state.continuesAsNew);
  const failedUndo = r.undo.failed.length === 0 ? undefined : jsonValue(r.undo.failed);
  if (r.state.stopReason?.kind === "cancel") {
    const payload = jsonObject({ reason: jsonValue(r.state.stopReason.reason), compensationsFailed: failedUndo });
    r.commits.append({ eventType: "RunCancelled", stepId: null, payload, notices: parentNotices(r, "CANCELLED", payload) });
    return;
  }
  if (r.state.stopReason?.kind === "deadline")
    return failRun(r, failureFrom("PAWL1035", "the run passed its deadline"), "TIMEOUT", failedUndo);
  if (r.state.stopReason?.kind === "stale") return failRun(r, failureFrom("PAWL1037", r.state.stopReason.reason), "STALE", failedUndo);
  if (r.state.stopReason?.kind === "unconfirmed")
    return failRun(r, failureFrom("PAWL2006", r.state.stopReason.reason), "UNCONFIRMED", failedUndo);
  const end = r.state.codeEnd!;
  if (end.kind === "threw") {
    if (end.error instanceof ContinueAsNew) return continueAsNew(r, end.error.input);
    if (end.error instanceof PlanFailed) return failPlan(r, end.error, failedUndo);
    const failure = failureOf(end.error, r.host.limits);
    reportMistake(r, end.error);
    return failRun(
      r,
      end.error instanceof FailRun && end.error.detail !== undefined ? { ...failure, data: end.error.detail } : failure,
      end.category ?? "FAILED",
      failedUndo,
    );
  }
  const payload = jsonObject({ result: end.result, abandoned: reportUnawaited(r) });
  r.commits.append({ eventType: "RunCompleted", stepId: null, payload, notices: parentNotices(r, "COMPLETED", payload) });
}

/** At most so many ids of one kind stand in the last event. */
const listedMax = 1_000;

function failPlan(r: LiveRun, e: PlanFailed, compensationsFailed: string | undefined): void {
  failRun(r, failureOf(e.first, r.host.limits), "FAILED", compensationsFailed, {
    failed: jsonValue(e.failed.slice(0, listedMax)),
    blocked: e.blocked.length === 0 ? undefined : jsonValue(e.blocked.slice(0, listedMax)),
  });
}

function failRun(
  r: LiveRun,
  failure: Failure,
  category: string,
  compensationsFailed: string | undefined,
  plan?: Readonly<Record<"failed" | "blocked", string | undefined>>,
): void {
  const payload = jsonObject({ error: jsonValue(failure), category: jsonValue(category), compensationsFailed, ...plan });
  r.commits.append({ eventType: "RunFailed", stepId: null, payload, notices: parentNotices(r, "FAILED", payload) });
}

/** What the deadline leaves to the rest of the chain; a run that is not created yet has all of it. */
function deadlineLeftMs(r: LiveRun): number | null {
  if (r.commits.create !== null) return r.commits.create.deadlineInMs;
  return r.state.deadlineAt === null ? null : Math.max(0, r.state.deadlineAt - r.host.storeNowMs());
}

function continueAsNew(r: LiveRun, input: string): void {
  const runId = r.host.platform.uuidV7();
  const child = createCommit(r.host, {
    runId,
    workflowId: r.row.workflowId,
    definition: r.definition!,
    input,
    parsed: false,
    inputDigest: r.row.inputDigest,
    supersedes: r.row.runId,
    originalRunId: r.row.runId,
    tags: r.row.tags,
    ...(r.priority === 0 ? {} : { priority: r.priority }),
    ...(r.chainDeadline ? { chainDeadline: true, deadlineMs: deadlineLeftMs(r) } : {}),
    continuedFrom: r.row.runId,
    traceparent: r.traceparent,
    ...(r.row.parentRunId === null ? {} : { parent: { runId: r.row.parentRunId, stepId: r.row.parentStepId! } }),
  });
  r.commits.append({
    eventType: "RunCompleted",
    stepId: null,
    payload: jsonObject({ continuedAs: jsonValue(runId), abandoned: reportUnawaited(r) }),
    child,
    moveInboxTo: runId,
  });
}
