// Other runs that this one calls. "child" waits for the called run's end, "start" only until it exists. The called run is created in
// the Commit that records the step's start; whether its id was free is a value that arrives later (K9).
import { encode } from "../../codec/value.ts";
import { nameBytesMax, utf8Length } from "../../core/names.ts";
import type { ChildRef, StepStartedPayload } from "../../events/payload.ts";
import { sha256Hex } from "../../platform/crypto/hash.ts";
import type { Notice, RunRow } from "../../store/port.ts";
import type { ChildSpec, StartedChild } from "../calls.ts";
import type { ChainVerdict } from "../chain/run-chain.ts";
import { createCommit } from "../create-run.ts";
import { cancelNotice } from "../messages/notices.ts";
import type { LiveRun } from "../run/live-run.ts";
import { abandonStep } from "./abandon.ts";
import { childPollMs, isPolledChild, pollChild, schedulePoll } from "./children/adopted-child.ts";
import type { ChildBody } from "./children/child-body.ts";
import { callDeadline, childToContinue, waitForOtherSuccessor } from "./children/continue-child.ts";
import { openStep, rejectedPromise } from "./open.ts";
import type { OpenStep } from "./open-step.ts";
import { failureFrom } from "./outcome.ts";
import { type Closing, WaitingKind } from "./step-kind.ts";
import { withNeeds, type StepStart } from "./step-start.ts";
import { openToolCall } from "./tool-call.ts";

abstract class CalledRunKind extends WaitingKind<ChildBody> {
  readonly waiting = "child";

  /** The called run exists. */
  protected abstract exists(r: LiveRun, step: OpenStep<ChildBody>): void;

  override dispatch(r: LiveRun, step: OpenStep<ChildBody>): void {
    step.state = "waiting";
    pollChild(r, step);
  }
  override childCreated(r: LiveRun, step: OpenStep<ChildBody>, created: boolean): void {
    if (created) return this.exists(r, step);
    if (waitForOtherSuccessor(step)) return schedulePoll(r, step);
    const failure = failureFrom("PAWL4002", `the id ${step.started.child?.workflowId ?? ""} is already used by another run`);
    r.arrive({ type: "failed", step, category: "CONFLICT", failure });
  }
  override resume(r: LiveRun, step: OpenStep<ChildBody>): void {
    const { child } = step.started;
    if (child === undefined) {
      step.state = "waiting"; // a wait for a child that another step started
      if (step.body.childStepId !== null) wakeCalledRun(r, r.replay.recordedStep(step.body.childStepId)?.started.child);
      return pollChild(r, step);
    }
    r.host.store.run({ runId: child.runId }).then(
      (row) => {
        this.childCreated(r, step, row !== undefined);
        wakeCalledRun(r, child);
        r.mailbox.match();
        r.pump();
      },
      (e: unknown) => r.reloadAfterError(e),
    );
  }
  override fire(r: LiveRun, step: OpenStep<ChildBody>, notBefore: number): void {
    if (isPolledChild(step) && notBefore < callDeadline(step)) return pollChild(r, step);
    const failure = failureFrom("PAWL1036", "the called run did not end in time");
    const { child } = step.started;
    const notices = child === undefined ? {} : { notices: [cancelNotice(r, step.stepId, child.runId, "the calling run no longer waits")] };
    r.arrive({ type: "failed", step, category: "TIMEOUT", failure, notBefore, ...notices });
  }
  override pollMs(step: OpenStep<ChildBody>): number | null {
    return isPolledChild(step) ? childPollMs : null;
  }
}

class ChildKind extends CalledRunKind {
  override open(r: LiveRun, step: OpenStep<ChildBody>): void {
    r.mailbox.addChildWaiter(step.body.childStepId!, step);
  }
  protected exists(_r: LiveRun, step: OpenStep<ChildBody>): void {
    step.state = "waiting";
  }
  override close(r: LiveRun, step: OpenStep<ChildBody>): Closing {
    const child = step.body.cancels ? step.started.child : undefined;
    const why = r.state.isEnding ? "the calling run ended" : "the node that called this run has ended";
    return abandonStep(r, step, child === undefined ? undefined : [cancelNotice(r, step.stepId, child.runId, why)]);
  }
  override terminateNotices(r: LiveRun, stepId: string, { child }: StepStartedPayload): readonly Notice[] | undefined {
    return child === undefined ? undefined : [cancelNotice(r, stepId, child.runId, "the calling run was terminated")];
  }
  override mattersUnawaited(step: OpenStep<ChildBody>): boolean {
    return step.body.cancels;
  }
}
export const childKind: ChildKind = new ChildKind();

class StartKind extends CalledRunKind {
  protected exists(r: LiveRun, step: OpenStep<ChildBody>): void {
    r.arrive({ type: "completed", step, result: JSON.stringify(step.body.child) });
  }
}
export const startKind: StartKind = new StartKind();

/** A called run may itself wait for one whose workflow only its code can name. */
function wakeCalledRun(r: LiveRun, child: ChildRef | undefined): void {
  if (child === undefined) return;
  const latest = r.host.store.run({ scope: r.row.scope, workflowId: child.workflowId });
  latest.then((row) => r.host.wakeIfWaitingForChild(row)).catch((e: unknown) => r.reloadAfterError(e));
}

export function callChild(r: LiveRun, scope: string, spec: ChildSpec): Promise<unknown> {
  return openCalledRun(r, scope, spec, "child");
}
export function startChild(r: LiveRun, scope: string, spec: ChildSpec): Promise<unknown> {
  return openCalledRun(r, scope, spec, "start");
}
/** Waits for a child that another step started. */
export function awaitChild(r: LiveRun, scope: string, c: StartedChild): Promise<unknown> {
  const body: ChildBody = { childStepId: c.stepId, cancels: false, child: null, adopted: r.chain === null ? undefined : c.runId };
  return openStep(r, childKind, {
    scope,
    start: { kind: "child", name: "result" },
    input: JSON.stringify(c.stepId),
    body: () => body,
  });
}

function openCalledRun(r: LiveRun, scope: string, spec: ChildSpec, kind: "child" | "start"): Promise<unknown> {
  r.host.registerWorkflow(spec.definition);
  const { name } = spec.definition;
  const stepName = spec.name ?? name;
  let input: string;
  try {
    input = encode(spec.input, r.host.limits, `input of ${name}`);
  } catch (e) {
    return rejectedPromise(e);
  }
  const calls = { definition: spec.definition, input };
  let ref: StartedChild = { runId: "", workflowId: "", stepId: "" };
  const declared = (): StepStart => {
    const start = withNeeds({ kind, name: stepName }, spec.given);
    if (spec.timeoutMs !== null) start.delayMs = spec.timeoutMs;
    return start;
  };
  const isChild = kind === "child";
  const open = (start: StepStart, repeat?: ChainVerdict): Promise<unknown> =>
    openStep(r, isChild ? childKind : startKind, {
      scope,
      start,
      input,
      given: spec.given?.hash,
      repeat,
      onOpened: spec.onOpened,
      body: (stepId): ChildBody => {
        const recorded = r.replay.recordedStep(stepId)?.started.child;
        if (recorded !== undefined) ref = { ...recorded, stepId };
        return { childStepId: isChild ? stepId : null, cancels: isChild, child: isChild ? null : ref, calls };
      },
      extras: (stepId, before) => {
        if (before?.then === "adopt") return {};
        const continues = childToContinue(before, name, spec.workflowId, input);
        if (continues !== null) return { started: { continues } };
        ref = { runId: r.host.platform.uuidV7(), workflowId: spec.workflowId ?? childId(r.row, stepId), stepId };
        const commit = createCommit(r.host, {
          runId: ref.runId,
          workflowId: ref.workflowId,
          definition: spec.definition,
          input,
          parsed: false,
          parent: { runId: r.row.runId, stepId },
          traceparent: r.traceparent,
        });
        return { child: commit, started: { child: { runId: ref.runId, workflowId: ref.workflowId, workflow: name } } };
      },
    });
  return spec.tool === undefined ? open(declared()) : openToolCall(r, spec.tool, declared, open);
}

/** Of a child without an id of its own. A later run under the same id, continued, retried or restarted, has children of its own. */
function childId(parent: Pick<RunRow, "workflowId" | "runId" | "originalRunId">, stepId: string): string {
  const id = `${parent.workflowId}/${parent.originalRunId === null ? "" : `${parent.runId}/`}${stepId}`;
  return utf8Length(id) <= nameBytesMax ? id : `${parent.runId}/sha256-${sha256Hex(stepId)}`;
}
