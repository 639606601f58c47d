// A timer: it fires at its recorded due time, which the store checks again in the Commit that records it (I10). A delay is counted from
// the time at which the store recorded the start.
import type { GivenByPlan } from "../calls.ts";
import type { LiveRun } from "../run/live-run.ts";
import { openStep } from "./open.ts";
import type { OpenStep } from "./open-step.ts";
import { withNeeds } from "./step-start.ts";
import { WaitingKind } from "./step-kind.ts";

class TimerKind extends WaitingKind<null> {
  readonly waiting = "timer";

  override fire(r: LiveRun, step: OpenStep<null>, notBefore: number): void {
    r.arrive({ type: "completed", step, result: null, notBefore });
  }
}
export const timerKind: TimerKind = new TimerKind();

export function openTimer(
  r: LiveRun,
  scope: string,
  name: string,
  due: { readonly delayMs: number } | { readonly until: number },
  given?: GivenByPlan,
): Promise<unknown> {
  const start = withNeeds({ kind: "timer", name, ...due }, given);
  return openStep(r, timerKind, { scope, start, input: null, body: () => null, given: given?.hash });
}
