// A wait for a signal, perhaps with a time limit. The mailbox hands it the next signal of its name; past its limit it ends without
// one, and a signal that comes then is for the next who waits (I9).
import type { GivenByPlan } from "../calls.ts";
import type { LiveRun } from "../run/live-run.ts";
import { openStep } from "./open.ts";
import type { OpenStep } from "./open-step.ts";
import { withNeeds } from "./step-start.ts";
import { WaitingKind } from "./step-kind.ts";

interface SignalBody {
  readonly signal: string;
}

class SignalKind extends WaitingKind<SignalBody> {
  readonly waiting = "signal";

  override open(r: LiveRun, step: OpenStep<SignalBody>): void {
    r.mailbox.addReceiver(step.body.signal, step);
  }
  override fire(r: LiveRun, step: OpenStep<SignalBody>, notBefore: number): void {
    r.mailbox.removeReceiver(step.body.signal, step);
    r.arrive({ type: "completed", step, result: null, timedOut: true, notBefore });
  }
}
export const signalKind: SignalKind = new SignalKind();

export function openSignal(
  r: LiveRun,
  scope: string,
  signal: string,
  timeoutMs: number | null,
  name: string = signal,
  given?: GivenByPlan,
): Promise<unknown> {
  const start = withNeeds({ kind: "signal", name, signal }, given);
  if (timeoutMs !== null) start.delayMs = timeoutMs;
  return openStep(r, signalKind, { scope, start, input: null, body: () => ({ signal }), given: given?.hash });
}
