// The one way in which a client sends something to a run: a row in its inbox, durable once accepted. What was accepted before is answered
// with that. A message that the check refuses is not newly accepted. It never touches the run's row (K8).
import { senderText } from "../../core/principal.ts";
import { PawlError } from "../../errors/error.ts";
import type { AcceptedRecord, MessageKind, RunRow } from "../../store/port.ts";
import type { UserTransaction } from "../../store/user-transaction.ts";
import { assertLocal } from "../archive/availability.ts";
import type { LocalClientDeps } from "../client-deps.ts";
import { noSuchRun, sameScope } from "../find-run.ts";
import { retryUnknown } from "./retry-unknown.ts";
import { joinUserTransaction } from "../start/join-transaction.ts";

export interface PostedMessage {
  readonly record: AcceptedRecord;
  /** It was accepted before: nothing was written now. */
  readonly replayed: boolean;
}

/** A run by its own id, or the latest run of a workflowId. */
async function targetOf(
  c: LocalClientDeps,
  at: Pick<LocalClientDeps["store"], "run">,
  id: string,
  kind: MessageKind,
): Promise<{ readonly byRun: RunRow | undefined; readonly toLatest: boolean }> {
  const found = await at.run({ runId: id });
  const byRun = found !== undefined && sameScope(found.scope, c.scope) ? found : undefined;
  // A run without an id of its own has its runId for a workflowId: what is sent to that goes to the latest run.
  return { byRun, toLatest: byRun === undefined || (byRun.workflowId === id && kind !== "control") };
}

/** What was accepted under this id before; undefined if nothing was. It accepts nothing. */
export async function lookForMessage(
  c: LocalClientDeps,
  id: string,
  kind: MessageKind,
  name: string,
  messageId: string,
): Promise<AcceptedRecord | undefined> {
  const target = (await targetOf(c, c.store, id, kind)).toLatest ? { workflowId: id } : { runId: id };
  const message = { scope: c.scope, target, kind, name, id: messageId, payload: null, retainMs: null, checkOnly: true };
  const answer = await retryUnknown(c.platform, () => c.store.post(message));
  return answer.kind === "accepted" ? answer.record : undefined;
}

export async function postMessage(
  c: LocalClientDeps,
  id: string,
  kind: MessageKind,
  name: string,
  messageId: string,
  payload: string | null,
  o: {
    readonly tx?: UserTransaction | undefined;
    readonly check?: (run: RunRow | undefined) => Promise<void>;
    /** The span from which it is sent. */
    readonly traceparent?: string | undefined;
  } = {},
): Promise<PostedMessage> {
  const at = o.tx === undefined ? c.store : await joinUserTransaction(c.store, o.tx);
  const { byRun, toLatest } = await targetOf(c, at, id, kind);
  const to = toLatest ? await at.run({ scope: c.scope, workflowId: id }) : byRun;
  let refusal: { readonly error: unknown } | undefined;
  await o.check?.(to).catch((error: unknown) => (refusal = { error }));
  const target = toLatest ? { workflowId: id } : { runId: id };
  // What was accepted before is answered with that, even if the workflow would not take it today. Nothing new is accepted then.
  const checkOnly = refusal !== undefined;
  const by = senderText(c.by, o.traceparent);
  const message = { scope: c.scope, target, kind, name, id: messageId, payload, retainMs: c.retainMs, checkOnly, by };
  const answer = o.tx === undefined ? await retryUnknown(c.platform, () => at.post(message)) : await at.post(message);
  if (refusal !== undefined && answer.kind !== "accepted" && answer.kind !== "indeterminate") throw refusal.error;
  switch (answer.kind) {
    case "accepted":
      return answer;
    case "absent": // only where the check refused it, above
    case "unknown":
      throw noSuchRun(id);
    case "settled":
      throw new PawlError("PAWL4003", `run ${answer.run.runId} has ended (${answer.run.status})`, {
        data: { runId: answer.run.runId, status: answer.run.status, code: "RUN_TERMINAL" },
      });
    case "external":
      assertLocal(answer.run);
      throw new PawlError("PAWL3016", `run ${answer.run.runId} is written by its producers: no engine reads what is sent to it`, {
        data: { runId: answer.run.runId },
      });
    case "indeterminate":
      // W-082, W-086, W-087: ids for the operator, never the payload.
      throw new PawlError("PAWL4004", `a payload of ${kind} ${name} is stored without its acceptance`, {
        outcome: "unknown",
        data: {
          workflowId: byRun?.workflowId ?? id,
          signalName: name,
          signalId: messageId,
          correlationId: c.platform.uuidV4(),
          retryable: false,
        },
      });
  }
}
