// A child that an earlier run of the chain called and that has not completed: the later run does not call it as if it were new. It waits
// until the old one has ended, then creates the child as the next run of the old one's chain, so that what the old one sent is known
// and the table of sending again decides. It must never create a child beside one that may still send, nor one that does not know it
// (I6, I7, K19).
import { isSettled } from "../../../core/model.ts";
import {
  jsonObject,
  pawlEvents,
  jsonValue,
  readPayload,
  type ContinuedChild,
  type RunEndPayload,
  type RunStartPayload,
} from "../../../events/payload.ts";
import type { RunRow } from "../../../store/port.ts";
import { createCommit, type Creation } from "../../create-run.ts";
import type { ChainVerdict } from "../../chain/run-chain.ts";
import type { LiveRun } from "../../run/live-run.ts";
import type { ChildBody, ChildCall } from "./child-body.ts";
import { deliverChildEnd } from "./child-end.ts";
import type { OpenStep } from "../open-step.ts";
import { failureFrom } from "../outcome.ts";
import { callDigest } from "../step-start.ts";

/** The child that this call continues, whether it was called or started; null: the chain knows no child of it, or the call names another one. */
export function childToContinue(
  before: ChainVerdict | undefined,
  workflow: string,
  id: string | null,
  input: string,
): ContinuedChild | null {
  const child = before?.before.child;
  if (before === undefined || child === undefined || child.workflow !== workflow) return null;
  const otherId = id !== null && id !== child.workflowId;
  // As with a key: another id is another child, but not while it is unknown what the one before did.
  if (otherId && before.question.recorded === "completed") return null;
  return {
    runId: child.runId,
    workflowId: id ?? child.workflowId,
    workflow,
    ...(otherId ? { otherId } : {}),
    ...(child.digest === callDigest({ kind: child.kind, name: workflow }, input) ? { same: true } : {}),
    ...(before.question.fromStep ? { anew: true } : {}),
  };
}

/** Whether the child of this step is still to be made, after the one before it. */
export function awaitsPredecessor({ started }: Pick<OpenStep, "started">): boolean {
  return started.continues !== undefined && started.child === undefined;
}

/** Looks once; the next poll looks again. */
export function continueAfterPredecessor(r: LiveRun, step: OpenStep<ChildBody>): void {
  const { calls } = step.body;
  const { continues } = step.started;
  if (calls === undefined || continues === undefined) return;
  nextMove(r, step, continues, calls).then(
    (go) => {
      if (!r.state.isUnloaded && r.steps.isOpen(step) && awaitsPredecessor(step)) go?.();
    },
    (e: unknown) => r.reloadAfterError(e),
  );
}

/** What is to be done; null while the old child still runs. */
async function nextMove(r: LiveRun, step: OpenStep<ChildBody>, c: ContinuedChild, calls: ChildCall): Promise<(() => void) | null> {
  const { store, platform } = r.host;
  const { stepId } = step;
  const parent = { runId: r.row.runId, stepId };
  const fresh = { runId: platform.uuidV7(), workflowId: c.workflowId, ...calls, parsed: false, parent };
  const make = (creation: Creation) => (): void => r.arrive({ type: "continue-child", step, creation });
  const first = await store.run({ runId: c.runId });
  // What it sent is not known any more: the new run finds that out, and asks a person before it begins.
  if (first === undefined) return make({ ...fresh, retryOf: c.runId, originalRunId: c.runId });
  // Somebody may have retried it, or it continued as new: the latest run counts.
  const last = (await store.run({ scope: r.row.scope, workflowId: first.workflowId })) ?? first;
  const { runId, workflowId } = last;
  if (last.origin === "moved") {
    const failure = failureFrom("PAWL4042", `run ${runId}, which this call continues, was moved to another store`);
    return () => r.arrive({ type: "failed", step, category: "CHILD_FAILED", failure });
  }
  const same = c.same === true && last.inputDigest === first.inputDigest;
  const ended = isSettled(last.status);
  const isThere = same && (!ended || last.status === "COMPLETED");
  if (isThere && step.body.childStepId === null)
    return () => r.arrive({ type: "completed", step, result: JSON.stringify({ runId, workflowId, stepId }) });
  if (!ended) return null;
  if (isThere && last.expiredAt === null) {
    const end = await predecessorEnd(r, last);
    return () => deliverChildEnd(r, step, end, []);
  }
  const goesOn = same && c.anew !== true ? { retryOf: runId, ...(await predecessorInput(r, last)) } : { restartOf: runId };
  const succeeds = { originalRunId: runId, rootRunId: last.rootRunId, supersedes: c.otherId === true ? null : runId };
  return make({ ...fresh, ...goesOn, ...succeeds });
}

async function predecessorEnd(r: LiveRun, { runId, headSeq, status }: RunRow): Promise<RunEndPayload & { status: RunRow["status"] }> {
  const [last] = await r.host.store.events({ runId, after: headSeq - 1, limit: 1 });
  return { status, ...readPayload<RunEndPayload>(last?.payload ?? null) };
}

/** A retry has the input of the run that it retries: one that continued as new had another than its caller gave. */
async function predecessorInput(r: LiveRun, { runId, expiredAt }: RunRow): Promise<Pick<Creation, "input" | "parsed"> | null> {
  const [queued] = expiredAt === null ? await r.host.store.events({ runId, after: 0, limit: 1 }) : [];
  if (queued === undefined) return null;
  const { input, parsed } = readPayload<RunStartPayload>(queued.payload);
  return { input: input === undefined ? null : JSON.stringify(input), parsed: parsed === true };
}

/** The child and the event that names it are one Commit. Whether the store made it is its fate, as of any child (K9). */
export function recordContinuedChild(r: LiveRun, step: OpenStep<ChildBody>, c: Creation): void {
  if (!r.steps.isOpen(step) || !awaitsPredecessor(step) || r.state.isEnding) return;
  const { runId, workflowId, retryOf, restartOf } = c;
  const child = { runId, workflowId, workflow: c.definition.name };
  step.started = { ...step.started, child };
  if (step.body.childStepId === null) step.body.child = { runId, workflowId, stepId: step.stepId };
  const limit = callDeadline(step);
  step.dueAt = limit === Number.POSITIVE_INFINITY ? null : limit;
  r.commits.append({
    eventType: pawlEvents.childContinued,
    stepId: null,
    payload: jsonObject({
      stepId: jsonValue(step.stepId),
      child: jsonValue(child),
      retryOf: jsonValue(retryOf),
      restartOf: jsonValue(restartOf),
    }),
    starts: step,
    child: createCommit(r.host, { ...c, traceparent: r.traceparent }),
  });
}

/** True: somebody was quicker, and made a run in the old one's place. That one is waited for. */
export function waitForOtherSuccessor(step: OpenStep): boolean {
  const { child, continues, ...rest } = step.started;
  if (child === undefined || continues === undefined || continues.otherId === true) return false;
  step.started = { ...rest, continues };
  return true;
}

/** When a call gives up; Infinity: never. */
export function callDeadline({ started, firstAt }: OpenStep): number {
  return started.delayMs === undefined ? Number.POSITIVE_INFINITY : firstAt + started.delayMs;
}
