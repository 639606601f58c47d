// The end of a child that an earlier run of the line started: it is told to that run, which has ended. The run that retries it looks
// for it, now and again; so is that of a child which another is to continue, until it is there. It must never lose the wait: the time of the next look is part of every Commit (I12).
import { isSettled } from "../core/model.ts";
import { readPayload, type RunEndPayload } from "../log/payload.ts";
import type { Store } from "../store/port.ts";
import { limitOf, seek, seeks } from "./continue-child.ts";
import type { LiveRun } from "./live-run.ts";
import type { ChildEnd } from "./mailbox.ts";
import type { OpenStep } from "./open-step.ts";
import { failureFrom } from "./outcome.ts";

/** How often. */
export const lookMs = 1_000;

/** Whether this step's end must be looked for. */
export function looks(step: OpenStep): boolean {
  return (step.work.kind === "child" && step.work.adopted !== undefined) || seeks(step);
}

export function lookLater(r: LiveRun, step: OpenStep): void {
  step.state = "waiting";
  step.dueAt = Math.min(r.host.storeNowMs() + lookMs, limitOf(step));
  r.rest.arm();
}

export function look(r: LiveRun, step: OpenStep): void {
  if (!looks(step)) return;
  lookLater(r, step);
  if (seeks(step)) return seek(r, step);
  if (step.work.kind !== "child" || step.work.adopted === undefined) return;
  endOf(r.host.store, step.work.adopted, r.row.runId).then(
    (end) => {
      if (end === null || r.gone || r.open.get(step.stepId) !== step) return;
      r.mailbox.childEnded(step, end, []);
    },
    (e: unknown) => r.broken(e),
  );
}

/** Null while it goes on, or where the caller is told by it. */
async function endOf(store: Store, childRunId: string, caller: string): Promise<ChildEnd | null> {
  for (let runId = childRunId; ;) {
    const row = await store.run({ runId });
    if (row === undefined || row.expiredAt !== null)
      return { status: "FAILED", error: failureFrom("PAWL4001", `there is no run ${runId} any more, or it has lost its log`) };
    if (row.parentRunId === caller || !isSettled(row.status)) return null;
    const [last] = await store.events({ runId, after: row.headSeq - 1, limit: 1 });
    const end = readPayload<RunEndPayload>(last?.payload ?? null);
    if (end.continuedAs === undefined) return { status: row.status, ...end };
    runId = end.continuedAs;
  }
}
