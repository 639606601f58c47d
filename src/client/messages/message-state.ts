// What became of a signal or an update that was accepted: it waits for the run's owner, it is in the run's log, or the owner rejected it and
// says why. Read from the accepted record and the run's inbox. It accepts nothing and answers for nobody.
import type { MessageState } from "../../api/types/operate.ts";
import { errorFromFailure } from "../../codec/failure.ts";
import { inputDigest } from "../../codec/canonical.ts";
import { revive } from "../../codec/value.ts";
import { checkId, checkName } from "../../core/names.ts";
import { payloadDigest } from "../../store/keys.ts";
import type { AcceptedRecord } from "../../store/port.ts";
import type { LocalClientDeps } from "../client-deps.ts";
import { acceptedResult } from "../views.ts";
import { lookForMessage } from "./post-message.ts";
import { checkSignalId } from "./signal-id.ts";

/** What the owner answered to an update. */
export interface UpdateReply {
  readonly ok: boolean;
  readonly refused?: boolean;
  readonly result?: unknown;
  readonly error?: Parameters<typeof errorFromFailure>[0];
}

export async function messageState(
  c: LocalClientDeps,
  kind: "signal" | "update",
  id: string,
  name: string,
  messageId: string,
): Promise<MessageState | undefined> {
  const given = checkSignalId(messageId, c.platform, kind === "update" ? "updateId" : "signalId");
  const record = await lookForMessage(c, checkId(id, "the run's id"), kind, checkName(name, `the ${kind}'s name`), given);
  return record === undefined ? undefined : { ...(await stateOf(c, record)), result: acceptedResult(record) };
}

export async function stateOf(c: LocalClientDeps, record: AcceptedRecord): Promise<Omit<MessageState, "result">> {
  if (record.kind === "update" && record.reply !== null) {
    const { ok, refused, result, error } = JSON.parse(record.reply) as UpdateReply;
    if (ok) return { state: "delivered", ...(result === undefined ? {} : { answer: revive(result) }) };
    const reason = error === undefined ? "refused" : errorFromFailure(error).message;
    return { state: refused === true ? "rejected" : "delivered", reason };
  }
  if (record.rejected !== null) return { state: "rejected", reason: record.rejected };
  const waiting = await c.store.inbox({ runId: record.runId });
  return { state: waiting.some((r) => r.inboxId === record.inboxId) ? "accepted" : "delivered" };
}

/** True when what is sent now is not what was accepted. The order of members makes no difference, while the first payload is still there. */
export async function payloadDiffers(c: LocalClientDeps, record: AcceptedRecord, payload: string | null): Promise<boolean> {
  if (record.payloadDigest === null || record.payloadDigest === payloadDigest(payload)) return false;
  const row = (await c.store.inbox({ runId: record.runId, all: true })).find((r) => r.inboxId === record.inboxId);
  const first = row?.payload ?? null;
  return first === null || payload === null || inputDigest(first) !== inputDigest(payload);
}
