// What a person does about one step: an answer to the decision that the step waits for. A step on a queue is taken back first, and then waits for that
// answer. Nobody but the run's owner writes the run, so both are messages; a client that dies in between leaves a step that
// waits for a person, and never one that was acted upon without a name.
import type { StepAct } from "../../api/types/queues.ts";
import { readEvents } from "../../engine/run/read-events.ts";
import { isPawlError, PawlError } from "../../errors/error.ts";
import type { OpenDecision } from "../../events/open-decisions.ts";
import { jsonObject, jsonValue, pawlEvents, readPayload, type AnswerPayload, type StepHeldPayload } from "../../events/payload.ts";
import type { DispatchRow, RunRow } from "../../store/port.ts";
import type { ClientContext } from "../client-deps.ts";
import { postMessage } from "../messages/post-message.ts";
import { answerOfAct, waitsForNobody } from "./why.ts";

/** How long the owner of the run, and a worker that is asked to stop, have by default. */
const ownerWaitMs = 5_000;

interface Act {
  readonly row: RunRow;
  readonly step: string;
  readonly act: StepAct;
  readonly who: { readonly by: string; readonly reason: string };
  readonly requestId?: string | undefined;
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The decision that an act answers, and the answer. */
export async function decisionOfAct(c: ClientContext, a: Act): Promise<{ readonly decisionId: string; readonly answer: unknown }> {
  answerOfAct(a.act, "failure", a.who); // checked before anything is taken off a queue
  const earlier = await earlierAct(c, a);
  if (earlier !== undefined) return earlier;
  const open = (await openDecision(c, a)) ?? (await takenBack(c, a));
  const answer = answerOfAct(a.act, open.kind, a.who);
  // What may be sent only once is sent again where the log proves that nobody had claimed it.
  if (a.act.do === "retry" && open.effect?.class === "AT-MOST-ONCE" && open.kind === "failure" && (await isUnsent(c, a)))
    return { decisionId: open.decisionId, answer: { ...a.who, happened: false } };
  return { decisionId: open.decisionId, answer };
}

/** The same request again: it is compared with what it answered then, whatever the step has done since. */
async function earlierAct(
  c: ClientContext,
  { row, requestId, act, who }: Act,
): Promise<{ readonly decisionId: string; readonly answer: unknown } | undefined> {
  if (requestId === undefined) return undefined;
  const posted = (await c.store.inbox({ runId: row.runId, all: true })).find(
    (r) => r.kind === "control" && r.name === "resolve" && r.id === requestId,
  );
  if (posted === undefined || posted.payload === null) return undefined;
  const { decisionId, answer } = readPayload<AnswerPayload>(posted.payload);
  const kind = answer === "happened" || answer === "did-not-happen" ? "effect" : "failure";
  return { decisionId, answer: answerOfAct(act, kind, who) };
}

async function openDecision(c: ClientContext, { row, step }: Act): Promise<OpenDecision | undefined> {
  const now = (await c.store.run({ runId: row.runId })) ?? row;
  return (await c.parts.folds.decisions(now)).find((d) => d.effect?.stepId === step);
}

async function dispatchOf(c: ClientContext, { row, step }: Act): Promise<DispatchRow | undefined> {
  if (c.store.lacks?.includes("queues") === true) return undefined;
  const rows = await c.store.queues.rows({ scope: c.scope, runId: row.runId, limit: 10_000 });
  return rows.find((d) => d.stepId === step && d.what === "run");
}

async function takenBack(c: ClientContext, a: Act): Promise<OpenDecision> {
  const { row, step, who, signal } = a;
  const nobody = async (): Promise<PawlError> =>
    waitsForNobody(row, step, await c.parts.folds.steps((await c.store.run({ runId: row.runId })) ?? row));
  if ((await dispatchOf(c, a)) === undefined) throw await nobody();
  let asked = -1;
  let posted: number | undefined;
  let found: OpenDecision | undefined;
  const isOpen = async (): Promise<boolean> => {
    const dispatch = await dispatchOf(c, a);
    found = await openDecision(c, a);
    if (found !== undefined) return true;
    const ended = (await c.parts.folds.steps((await c.store.run({ runId: row.runId })) ?? row)).find((s) => s.stepId === step);
    if (ended !== undefined && ended.status !== "RUNNING" && ended.status !== "PENDING" && dispatch === undefined) throw await nobody();
    await throwIfRefused(c, row.runId, posted, step);
    // Its worker died, and it was dispatched again before anybody knew: it is asked for once more.
    if (dispatch !== undefined && dispatch.dispatchId !== asked) {
      asked = dispatch.dispatchId;
      const payload = jsonObject({ stepId: jsonValue(step), by: jsonValue(who.by), reason: jsonValue(who.reason) });
      const { record } = await postMessage(c, row.runId, "control", "hold", c.platform.uuidV4(), payload);
      posted = record.inboxId;
    }
    return false;
  };
  try {
    await c.parts.watcher.until(row.runId, a.timeoutMs ?? ownerWaitMs, isOpen, signal);
  } catch (e) {
    if (!isPawlError(e, "PAWL4006")) throw e;
    const claimed = (await dispatchOf(c, a))?.worker ?? null;
    const why =
      claimed === null ? "no engine has taken it off its queue yet" : `worker ${claimed} was asked to stop and has not reported yet`;
    throw new PawlError("PAWL4006", `${step} of run ${row.runId}: ${why}`, { data: { runId: row.runId, step } });
  }
  return found!;
}

/** The owner's word on it, where it has refused. */
async function throwIfRefused(c: ClientContext, runId: string, inboxId: number | undefined, step: string): Promise<void> {
  if (inboxId === undefined) return;
  const reply = (await c.store.inbox({ runId, all: true })).find((r) => r.inboxId === inboxId)?.reply ?? null;
  const said = reply === null ? undefined : (JSON.parse(reply) as { readonly ok: boolean; readonly problem?: string });
  if (said?.ok === false) throw new PawlError("PAWL4010", said.problem ?? "it was refused", { data: { runId, step } });
}

/** The failure that it waits with says that nothing was sent, and no attempt before it was. */
async function isUnsent(c: ClientContext, { row, step }: Act): Promise<boolean> {
  const held = (await readEvents(c.store, row.runId)).findLast(
    (e) => e.eventType === pawlEvents.held && readPayload<StepHeldPayload>(e.payload).stepId === step,
  );
  return held !== undefined && readPayload<StepHeldPayload>(held.payload).category === "NOT_SENT";
}
