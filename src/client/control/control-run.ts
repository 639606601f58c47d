// `control`: pause, resume, cancel or terminate a run, and what became of it. A request is a row in the run's inbox, durable once accepted, which
// the run's owner turns into events and replies to in the same Commit (K8). A known requestId is answered first, before any rule, with what
// became of it. Where no live engine owns the run, pause, resume and terminate are applied from here; a cancel needs the run's code.
import type { Control } from "../../api/types/run.ts";
import type { ControlAnswer } from "../../api/types/operate.ts";
import { isSettled } from "../../core/model.ts";
import { checkId, isUuidV4 } from "../../core/names.ts";
import { readEvents } from "../../engine/run/load-run.ts";
import { catalogue, type Code } from "../../errors/catalogue.ts";
import { isPawlError, PawlError } from "../../errors/error.ts";
import { toRecord } from "../../events/envelope.ts";
import { jsonObject, jsonValue } from "../../events/payload.ts";
import type { AcceptedRecord, RunRow } from "../../store/port.ts";
import { assertLocal } from "../archive/availability.ts";
import type { ClientContext, LocalClientDeps } from "../client-deps.ts";
import { noSuchRun, requireRun } from "../find-run.ts";
import { lookForMessage, postMessage, type PostedMessage } from "../messages/post-message.ts";
import { hasEngines, isOwned, isServed } from "../served.ts";
import type { ControlCall } from "../types.ts";
import { runView } from "../views.ts";
import { assertPermitted, hasEnded } from "./permitted.ts";

/** How long a client waits for the owner, by default; then the answer is "posted". */
const ownerWaitMs = 5_000;
/** How long the engines that are alive have to take it, before an engine is opened for it here. */
const enginesFirstMs = 500;
const ownerFirstMs = 1_500;

const controls: readonly Control[] = ["pause", "resume", "cancel", "terminate"];

export interface PostedControl {
  readonly c: ClientContext;
  readonly what: Control;
  readonly requestId: string;
}
/** What the owner wrote with its Commit. */
interface ControlReply {
  readonly ok: boolean;
  readonly code?: string;
  readonly problem?: string;
}

export async function controlRun(c: ClientContext, id: string, what: Control, o: ControlCall = {}): Promise<ControlAnswer> {
  checkRequest(o);
  const to = checkId(id, "the run's id");
  const w: PostedControl = { c, what, requestId: o.requestId ?? c.platform.uuidV4() };
  const known = o.requestId === undefined || o.dryRun === true ? undefined : await lookForMessage(c, to, "control", what, w.requestId);
  if (known !== undefined) return { ...(await answerOf(w, known, o)), replayed: true };
  if (o.requestId !== undefined) await assertUnused(w, to);

  const row = assertLocal(await requireRun(c, to));
  if (o.unconditional !== true && row.origin === "engine")
    await assertPermitted(runView(row), what, async () => (await readEvents(c.store, row.runId)).map((e) => toRecord(row, e)));
  if (o.expectHead !== undefined && o.expectHead !== row.headSeq)
    throw movedOn(row.runId, `its head is ${row.headSeq}, not ${o.expectHead}`);
  if (o.dryRun === true) return { state: "dry-run", run: runView(row), requestId: w.requestId, replayed: false };

  const { record, replayed } = await postControl(w, to, o);
  if (o.timeoutMs === 0 && !replayed) return { state: "posted", run: runView(row), requestId: w.requestId, replayed };
  return { ...(await answerOf(w, record, o)), replayed };
}

function checkRequest({ requestId, expectHead }: ControlCall): void {
  if (requestId !== undefined && !isUuidV4(requestId))
    throw new PawlError("PAWL4011", "requestId must be a UUID of version 4, such as crypto.randomUUID() makes");
  if (expectHead !== undefined && (!Number.isSafeInteger(expectHead) || expectHead < 0))
    throw new PawlError("PAWL4011", "expectHead must be the headSeq of the run as it was read");
}

/** P-25: an id is of one control of a run, whichever verb it was. The owner looks again, for two that are sent at once. */
async function assertUnused({ c, what, requestId }: PostedControl, id: string): Promise<void> {
  const others = controls.filter((verb) => verb !== what);
  const used = await Promise.all(others.map((verb) => lookForMessage(c, id, "control", verb, requestId)));
  const at = used.findIndex((record) => record !== undefined);
  if (at >= 0) throw new PawlError("PAWL4011", `requestId ${requestId} is that of a ${others[at]} of this run: use a new one`);
}

function movedOn(runId: string, how: string): PawlError {
  return new PawlError("PAWL4083", `run ${runId} has moved on: ${how}`, { data: { runId } });
}

/** Durable once it is accepted; the same one again is accepted once. */
export function postControl(w: PostedControl, id: string, o: Pick<ControlCall, "reason" | "expectHead">): Promise<PostedMessage> {
  const payload = jsonObject({
    reason: jsonValue(o.reason),
    requestId: jsonValue(w.requestId),
    expectHead: jsonValue(o.expectHead),
  });
  return postMessage(w.c, id, "control", w.what, w.requestId, payload);
}

async function answerOf(w: PostedControl, posted: AcceptedRecord, o: ControlCall): Promise<Omit<ControlAnswer, "replayed">> {
  const { c, what, requestId } = w;
  const outcome = await waitForReply(w, posted, o.timeoutMs ?? ownerWaitMs, o.signal);
  const record = (await lookForMessage(c, posted.runId, "control", what, requestId)) ?? posted;
  const now = await c.store.run({ runId: record.runId });
  if (now === undefined) throw noSuchRun(record.runId);
  const applied = outcome !== undefined || (await isConsumed(c, record));
  return { state: applied ? "applied" : "posted", run: runView(now), requestId };
}

/** Waits for the owner's reply, and opens an engine for it where nobody alive would take it; undefined: nobody has taken it in time. */
export async function waitForReply(
  w: PostedControl,
  posted: AcceptedRecord,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<"applied" | undefined> {
  const { c, what } = w;
  const { watcher, applier } = c.parts;
  let outcome = await outcomeOf(w, posted);
  if (outcome !== undefined || timeoutMs <= 0) return outcome;
  const [row, info] = await Promise.all([c.store.run({ runId: posted.runId }), c.store.info()]);
  c.engine?.wake();
  const check = async (): Promise<boolean> => (outcome = await outcomeOf(w, posted)) !== undefined;
  const wait = (ms: number): Promise<void> => orLate(watcher.until(posted.runId, ms, check, signal));
  // A cancel runs the code's compensations: without an engine that has it, the row waits for one.
  if (what === "cancel") {
    if (row !== undefined && isServed(info, c.scope, row.workflow)) await wait(timeoutMs);
    return outcome;
  }
  const engineMs = hasEngines(info, c.scope) && !applier.isOpen ? enginesFirstMs : 0;
  const firstMs = Math.min(timeoutMs, isOwned(info, row) ? ownerFirstMs : engineMs);
  const first = c.engine === null ? firstMs : timeoutMs; // the engine beside this client applies it itself
  await wait(first);
  if (outcome === undefined && first < timeoutMs) await applier.applyWhile(() => wait(timeoutMs - first));
  return outcome;
}

/** An engine of an earlier version takes a control without a reply. */
async function isConsumed(c: LocalClientDeps, { runId, inboxId }: AcceptedRecord): Promise<boolean> {
  return (await c.store.inbox({ runId, all: true })).find((r) => r.inboxId === inboxId)?.consumed === true;
}

async function orLate(wait: Promise<void>): Promise<void> {
  try {
    await wait;
  } catch (e) {
    if (!isPawlError(e, "PAWL4006")) throw e;
  }
}

/** "applied" when the owner did it; undefined while nobody has taken it; what the owner refused is thrown. */
async function outcomeOf(w: PostedControl, posted: AcceptedRecord): Promise<"applied" | undefined> {
  const { c, what, requestId } = w;
  const look = async (): Promise<AcceptedRecord> => (await lookForMessage(c, posted.runId, "control", what, requestId)) ?? posted;
  let record = await look();
  let row: RunRow | undefined;
  if (record.reply === null) {
    row = await c.store.run({ runId: record.runId });
    if (row === undefined || !isSettled(row.status)) return undefined;
    record = await look(); // it may have come with the end, or moved on to the run that continues this one
    if (record.reply === null && record.runId !== row.runId) return undefined;
  }
  if (record.reply !== null) {
    const { ok, code, problem } = JSON.parse(record.reply) as ControlReply;
    if (ok) return "applied";
    if (code === "PAWL4083") throw movedOn(record.runId, problem ?? "");
    throw new PawlError(isCode(code) ? code : "PAWL4010", `run ${record.runId}: ${problem ?? `${what} was refused`}`, {
      data: { runId: record.runId },
    });
  }
  if (await isConsumed(c, record)) return "applied";
  throw hasEnded(row!, "has ended in the meantime");
}

function isCode(code: string | undefined): code is Code {
  return code !== undefined && Object.hasOwn(catalogue, code);
}
