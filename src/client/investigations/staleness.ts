// Whether a run gets no further, and why: a queued step that nobody takes, a step that is at work beyond its time, a retry that is overdue, a signal that a
// DAG waits for, a question that nobody answers, a step that used up its attempts, a run that engines gave up. A DAG may say other times. It only
// looks: it must never change a run (TX-13, TX-14).
import type { InvestigationCause } from "../../api/types/queues.ts";
import { liveEngines } from "../../engine/publish/live-engines.ts";
import { readEvents } from "../../engine/run/read-events.ts";
import type { EventRecord } from "../../events/event.ts";
import { readPayload, type RunStartPayload, type StepStartedPayload } from "../../events/payload.ts";
import type { DispatchRow, RunRow, StoreInfo } from "../../store/port.ts";
import type { ClientContext } from "../client-deps.ts";
import { age } from "../operate/step-why.ts";

const minute = 60_000;
export type StaleAfter = Readonly<Record<"waitingForDependencies" | "waitingForRetry" | "inProcess" | "question", number>>;
/** Waiting for a worker or a signal, for a retry, for a step that is at work, for a person. */
export const staleAfter: StaleAfter = {
  waitingForDependencies: 60 * minute,
  waitingForRetry: 30 * minute,
  inProcess: 30 * minute,
  question: 48 * 60 * minute,
};

export interface Stale {
  readonly why: InvestigationCause;
  readonly reason: string;
  /** It is past a time that its definition may say, and a person is not asked already: its definition also says what follows. */
  readonly isTime: boolean;
}

interface Look {
  readonly c: ClientContext;
  readonly row: RunRow;
  readonly info: StoreInfo;
  readonly after: StaleAfter;
}

const overTime = (reason: string): Stale => ({ why: "stale", reason, isTime: true });

export async function stalenessOf(c: ClientContext, row: RunRow, after: StaleAfter): Promise<Stale | null> {
  const l: Look = { c, row, info: await c.store.info(), after };
  return overdueRetry(l) ?? (await ofPerson(l)) ?? (await onQueues(l)) ?? (await inLog(l));
}

const since = ({ info }: Look, at: number): number => info.nowMs - at;

function overdueRetry(l: Look): Stale | null {
  const { waiting, dueAt } = l.row;
  if (waiting !== "retry" || dueAt === null || since(l, dueAt) < l.after.waitingForRetry) return null;
  return overTime(`a retry has been due for ${age(since(l, dueAt))}, and no engine took it`);
}

async function ofPerson(l: Look): Promise<Stale | null> {
  if (l.row.waiting !== "decision") return null;
  const open = await l.c.parts.folds.decisions(l.row);
  const [first] = open.filter((d) => d.kind === "failure" || d.kind === "given-up");
  const person = (why: InvestigationCause, reason: string): Stale => ({ why, reason, isTime: false });
  if (first?.kind === "failure") return person("attempts-exhausted", "a step failed for good and is held");
  const asked = open.find((d) => d.question !== undefined && since(l, d.since) >= l.after.question);
  if (asked !== undefined) return person("stale", `${asked.question!.name} has asked a person for ${age(since(l, asked.since))}`);
  return first === undefined ? null : person("poison", "engines gave the run up");
}

async function onQueues(l: Look): Promise<Stale | null> {
  const { store, scope } = l.c;
  for (const d of await store.queues.rows({ scope, runId: l.row.runId, limit: 1_000 })) {
    const found = d.worker === null ? unclaimed(l, d) : claimed(l, d);
    if (found !== null) return found;
  }
  return null;
}

function unclaimed(l: Look, d: DispatchRow): Stale | null {
  const waited = since(l, d.enqueuedAt);
  if (d.held || waited < l.after.waitingForDependencies) return null;
  const able = liveEngines(l.info, l.c.scope).some((e) => e.works?.queues.includes(d.queue) === true && e.works.tasks.includes(d.task));
  const text = `${d.stepId} has waited ${age(waited)} on queue ${d.queue}`;
  return able ? overTime(text) : { why: "no-worker", reason: `${text}, and no worker can do ${d.task}`, isTime: true };
}

function claimed(l: Look, d: DispatchRow): Stale | null {
  const from = d.deadlineAt ?? d.claimedAt;
  if (from === null || since(l, from) < l.after.inProcess) return null;
  return overTime(`${d.stepId} has been claimed for ${age(since(l, d.claimedAt ?? from))} by ${d.worker}`);
}

/** Of a DAG: a step that its owner has at work, and a signal that has no time limit of its own. Its log is read only if nothing moved for that long. */
async function inLog(l: Look): Promise<Stale | null> {
  const { row, after, c } = l;
  const waitsOutside = row.waiting === "signal" || row.waiting === "child";
  const still = since(l, row.persistedAt);
  if (row.status !== "RUNNING" || (row.waiting !== null && !waitsOutside)) return null;
  if (still < (waitsOutside ? after.waitingForDependencies : after.inProcess)) return null;
  const events = await readEvents(c.store, row.runId);
  const start = events.find((e) => e.eventType === "RunStarted");
  if (start === undefined || readPayload<RunStartPayload>(start.payload).plan === undefined) return null;
  for (const s of openSteps(events)) {
    const { kind, timeoutMs = 0, delayMs, until, signal = "" } = readPayload<StepStartedPayload>(s.payload);
    const waited = since(l, s.persistedAt);
    if (kind === "signal" && delayMs === undefined && until === undefined && waited >= after.waitingForDependencies)
      return overTime(`${s.stepId} has waited ${age(waited)} for signal ${signal}`);
    if (kind === "effect" && row.waiting === null && waited - timeoutMs >= after.inProcess)
      return overTime(`${s.stepId} has been at work for ${age(waited)}`);
  }
  return null;
}

/** The last start of every step that has no outcome. */
function openSteps(events: readonly EventRecord[]): Iterable<EventRecord> {
  const open = new Map<string, EventRecord>();
  for (const e of events) {
    if (e.stepId === null) continue;
    if (e.eventType === "StepStarted") open.set(e.stepId, e);
    else if (e.eventType === "StepCompleted" || e.eventType === "StepFailed" || e.eventType === "StepSkipped") open.delete(e.stepId);
  }
  return open.values();
}
