// Signals and updates as a client sends them: checked by the workflow's schema, accepted once under their id, and, for an update, awaited
// until the run has answered. An update that is asked for again is the same update. It must never answer for the run.
import { delayedText } from "../../codec/delayed.ts";
import { errorFromFailure } from "../../codec/failure.ts";
import { encode, revive } from "../../codec/value.ts";
import { durationMs } from "../../core/duration.ts";
import { checkOptions } from "../../core/guarantee.ts";
import { isSettled } from "../../core/model.ts";
import { checkId, checkName } from "../../core/names.ts";
import { checkTraceparent } from "../../core/traceparent.ts";
import { isPawlError, PawlError } from "../../errors/error.ts";
import type { AcceptedRecord, RunRow } from "../../store/port.ts";
import { requirePayloads } from "../archive/availability.ts";
import type { LocalClientDeps } from "../client-deps.ts";
import type { MessageCheck } from "./message-check.ts";
import { payloadDiffers, stateOf, type UpdateReply } from "./message-state.ts";
import { postMessage } from "./post-message.ts";
import { checkSignalId } from "./signal-id.ts";
import type { StoreWatcher } from "../store-watcher.ts";
import type { AcceptedSignal, Client } from "../types.ts";
import { acceptedResult } from "../views.ts";

export interface SendDeps {
  readonly c: LocalClientDeps;
  readonly watcher: StoreWatcher;
  readonly messages: MessageCheck;
}

// A misspelt id would be a message that is delivered twice when it is sent twice.
const signalOptions: ReadonlySet<string> = new Set(["signalId", "traceparent", "delay", "tx"]);
const updateOptions: ReadonlySet<string> = new Set(["updateId", "timeoutMs", "traceparent", "signal"]);

export async function sendSignal(
  { c, messages }: SendDeps,
  id: string,
  name: string,
  payload: unknown,
  o: NonNullable<Parameters<Client["signal"]>[3]> = {},
): Promise<AcceptedSignal> {
  checkOptions(o, signalOptions, "signal");
  const now = payload === undefined ? null : encode(payload, c.limits, `signal ${name}`);
  const text = o.delay === undefined ? now : delayedText(durationMs(o.delay, "delay"), now);
  const signalId = checkSignalId(o.signalId, c.platform);
  const [to, called] = [checkId(id, "the run's id"), checkName(name, "the signal's name")];
  const traceparent = traceOf(c, o);
  let unchecked: string | undefined;
  const check = async (run: RunRow | undefined): Promise<void> => {
    unchecked = await messages.check(run, { kind: "signal", name: called, payload });
  };
  const { record, replayed } = await postMessage(c, to, "signal", called, signalId, text, { tx: o.tx, check, traceparent });
  const result = acceptedResult(record);
  if (!replayed) return { result, replayed, state: "accepted", ...(unchecked === undefined ? {} : { unchecked }) };
  // Inside a transaction of the caller's own its inbox cannot be seen from here.
  const { state } = o.tx === undefined ? await stateOf(c, record) : { state: "accepted" as const };
  return { result, replayed, state, ...((await payloadDiffers(c, record, text)) ? { payloadDiffers: true } : {}) };
}

export async function sendUpdate(
  { c, messages, watcher }: SendDeps,
  id: string,
  name: string,
  payload: unknown,
  o: NonNullable<Parameters<Client["update"]>[3]> = {},
): Promise<unknown> {
  checkOptions(o, updateOptions, "update");
  const text = payload === undefined ? null : encode(payload, c.limits, `update ${name}`);
  const updateId = checkSignalId(o.updateId, c.platform, "updateId");
  const traceparent = traceOf(c, o);
  const ask = (check?: (run: RunRow | undefined) => Promise<void>): Promise<{ record: AcceptedRecord }> =>
    postMessage(
      c,
      checkId(id, "the run's id"),
      "update",
      checkName(name, "the update's name"),
      updateId,
      text,
      check === undefined ? { traceparent } : { check, traceparent },
    );
  let { record } = await ask(async (run) => {
    await messages.check(run, { kind: "update", name, payload }).catch((cause: unknown) => {
      if (!isPawlError(cause, "PAWL1008")) throw cause;
      throw new PawlError("PAWL4007", `update ${name}: ${cause.message}`, { cause, data: { updateId, refused: true } });
    });
  });
  const { runId } = record;
  const isAnswered = async (): Promise<boolean> => {
    record = await askForAnswer(c, record, ask);
    if (record.reply !== null) return true;
    const row = await c.store.run({ runId: record.runId });
    if (row === undefined || !isSettled(row.status)) return false;
    requirePayloads(row);
    record = await askForAnswer(c, record, ask); // the answer may have come with the end, or the update moved on
    if (record.reply !== null) return true;
    if (record.runId !== row.runId) return false;
    throw new PawlError("PAWL4003", `run ${runId} ended before it answered`, { data: { runId } });
  };
  await watcher.until(runId, o.timeoutMs, isAnswered, o.signal);
  const reply = JSON.parse(record.reply!) as UpdateReply;
  if (reply.ok) return revive(reply.result);
  const cause = reply.error === undefined ? undefined : errorFromFailure(reply.error);
  throw new PawlError("PAWL4007", `update ${name}: ${cause?.message ?? "refused"}`, {
    cause,
    data: { updateId, refused: reply.refused === true },
  });
}

/** The span from which it is sent: the one that the caller names, else the one that is active here. */
function traceOf(c: LocalClientDeps, o: { readonly traceparent?: string }): string | undefined {
  return o.traceparent === undefined ? c.telemetry?.current() : checkTraceparent(o.traceparent);
}

/** The record as it is now. One that may expire is not asked for again, which would enqueue it again: its row is read (W-081). */
async function askForAnswer(
  c: LocalClientDeps,
  known: AcceptedRecord,
  ask: () => Promise<{ record: AcceptedRecord }>,
): Promise<AcceptedRecord> {
  if (known.reply !== null) return known;
  if (known.expiresAt === null) return (await ask()).record;
  const latest = await c.store.run({ scope: c.scope, workflowId: known.workflowId });
  for (const runId of new Set([known.runId, latest?.runId ?? known.runId])) {
    const row = (await c.store.inbox({ runId, all: true })).find((r) => r.inboxId === known.inboxId);
    if (row !== undefined) return { ...known, runId, reply: row.reply };
  }
  return known;
}
