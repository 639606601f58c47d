// A message to a child that this run started: a signal, or a cancel. It leaves with the step's start, in one Commit, so it is complete
// as soon as it is recorded. What was sent stays sent: a schema of later does not refuse a recorded call.
import { encode } from "../../codec/value.ts";
import { jsonObject, jsonValue } from "../../events/payload.ts";
import type { Calls, StartedChild } from "../calls.ts";
import type { LiveRun } from "../run/live-run.ts";
import { openStep } from "./open.ts";
import type { OpenStep } from "./open-step.ts";
import { WaitingKind } from "./step-kind.ts";

class SendKind extends WaitingKind<null> {
  readonly waiting = null;

  override started(r: LiveRun, step: OpenStep<null>): void {
    r.arrive({ type: "completed", step, result: null });
  }
  override resume(r: LiveRun, step: OpenStep<null>): void {
    r.arrive({ type: "completed", step, result: null });
  }
}
export const sendKind: SendKind = new SendKind();

export function sendToChild(r: LiveRun, scope: string, child: StartedChild, what: Parameters<Calls["sendToChild"]>[2]): Promise<unknown> {
  const name = "signal" in what ? what.signal : "cancel";
  const payload = "signal" in what ? encode(what.payload, r.host.limits, `signal ${name}`) : jsonObject({ reason: jsonValue(what.cancel) });
  if ("signal" in what && !r.replay.isNextCall("send", name)) what.check();
  return openStep(r, sendKind, {
    scope,
    start: { kind: "send", name },
    input: payload,
    body: () => null,
    extras: (stepId, before) => {
      if (before?.then === "adopt") return {};
      const kind = "signal" in what ? "signal" : "control";
      return { notices: [{ toRunId: child.runId, kind, name, id: `${r.row.runId}/${stepId}`, payload }] };
    },
  });
}
