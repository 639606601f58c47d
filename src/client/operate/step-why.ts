// Why each step of a run is not further, in one of fourteen words and one sentence with the facts that count. Pure: it looks at the log, at the run's
// dispatches, at queues and at who is alive. It must never store its answer, nor say that a step waits for a worker when its queue is paused,
// nor that it is at work when its engine is dead.
import type { Readiness, StepWhy } from "../../api/types/plan.ts";
import { isSettled } from "../../core/model.ts";
import { toTimeText } from "../../events/envelope.ts";
import type { EventRecord } from "../../events/event.ts";
import { pawlEvents, questionOf, readPayload, type StepFailedPayload, type StepStartedPayload } from "../../events/payload.ts";
import type { DispatchRow, EngineRow, RunRow, StoredQueue } from "../../store/port.ts";
import { verifierSaid } from "./log-tail.ts";

export interface WhyFacts {
  readonly row: RunRow;
  readonly nowMs: number;
  readonly events: readonly EventRecord[];
  /** The run's own dispatches. */
  readonly dispatches: readonly DispatchRow[];
  readonly queues: readonly StoredQueue[];
  /** Of each queue on which a step waits. */
  readonly crowds: ReadonlyMap<string, QueueCrowd>;
  readonly alive: readonly EngineRow[];
}

/** Who is on a queue, as far as somebody looked. */
export interface QueueCrowd {
  /** Its first rows, in the order in which they came. */
  readonly rows: readonly DispatchRow[];
  /** There are more. */
  readonly isPart: boolean;
  readonly claimed: number;
}

interface Step {
  readonly stepId: string;
  name: string;
  readiness: Readiness;
  since: number;
  text: string;
  /** Words in it that a step's error or a verifier said. */
  quotes?: string | undefined;
  error?: string;
  next?: number;
  facts: Record<string, string | number | boolean>;
}

export function stepWhys(f: WhyFacts): readonly StepWhy[] {
  const steps = recorded(f.events);
  for (const s of steps.values()) {
    if (s.readiness === "running") openStep(f, s);
    else if (s.readiness === "waiting-for-retry" && isSettled(f.row.status)) failWithRun(s);
  }
  return [...steps.values()].map(({ stepId, readiness, since, text, quotes, next, facts }) => ({
    stepId,
    readiness,
    sentence: text,
    ...(quotes === undefined || quotes === "" || !text.includes(quotes) ? {} : { quotes }),
    waitsFor: [],
    since: toTimeText(since),
    ...(next === undefined ? {} : { next: toTimeText(next) }),
    facts,
  }));
}

/** What the log says of every step that has begun or was skipped. */
function recorded(events: readonly EventRecord[]): Map<string, Step> {
  const steps = new Map<string, Step>();
  const at = (id: string, e: EventRecord): Step => {
    const known = steps.get(id);
    if (known !== undefined) return known;
    const made: Step = { stepId: id, name: id, readiness: "running", since: e.persistedAt, text: "", facts: {} };
    steps.set(id, made);
    return made;
  };
  const set = (s: Step, readiness: Readiness, e: EventRecord, text: string, facts: Step["facts"] = {}, quotes?: string): void => {
    Object.assign(s, { readiness, since: e.persistedAt, text, facts, quotes });
    delete s.next;
  };
  for (const e of events) {
    const id = e.stepId ?? readPayload<{ stepId?: string }>(e.payload).stepId;
    if (id === undefined) continue;
    switch (e.eventType) {
      case "StepStarted": {
        const p = readPayload<StepStartedPayload>(e.payload);
        const s = at(id, e);
        s.name = p.name ?? s.name;
        if (p.approve === true) set(s, "waiting-for-approval", e, `${id} waits for approval: ${questionOf(p)}`);
        else set(s, "running", e, waitText(id, p), { attempt: e.logicalAttemptId });
        break;
      }
      case "StepCompleted": {
        const p = readPayload<{ resolved?: true; via?: string }>(e.payload);
        if (p.resolved === true) set(at(id, e), "resolved", e, `${id} was resolved by a person, without a result`);
        else set(at(id, e), "succeeded", e, `${id} succeeded${p.via === "decision" ? ", as a person said" : ""}`);
        break;
      }
      case "StepFailed": {
        const { retryAt, error, category } = readPayload<StepFailedPayload>(e.payload);
        const why = error?.message === undefined ? "" : `: ${error.message}`;
        const s = at(id, e);
        if (retryAt === undefined) set(s, "failed", e, `${id} failed for good${why}`, { category: category ?? "" }, error?.message);
        else {
          set(
            s,
            "waiting-for-retry",
            e,
            `${id} waits for attempt ${e.logicalAttemptId + 1}${why}`,
            { attempt: e.logicalAttemptId },
            error?.message,
          );
          s.error = why;
          const due = typeof retryAt === "number" ? retryAt : Date.parse(String(retryAt));
          if (Number.isFinite(due)) s.next = due;
        }
        break;
      }
      case "StepSkipped": {
        const p = readPayload<{ why?: string; by?: readonly string[] }>(e.payload);
        const by = p.by === undefined || p.by.length === 0 ? "" : ` (${p.by.join(", ")})`;
        set(at(id, e), "skipped", e, `${id} was skipped: ${skipTexts[p.why ?? ""] ?? p.why ?? "by its run"}${by}`, { why: p.why ?? "" });
        break;
      }
      case pawlEvents.inDoubt: {
        const { reason, code } = readPayload<{ reason?: string; code?: string }>(e.payload);
        const quotes = code === verifierSaid ? reason : undefined;
        set(at(id, e), "in-doubt", e, `${id} may have happened or not: ${reason ?? "nobody can know"}`, {}, quotes);
        break;
      }
      case pawlEvents.held: {
        const message = readPayload<{ error?: { message?: string } }>(e.payload).error?.message ?? "";
        set(at(id, e), "waiting-for-decision", e, `${id} failed for good and waits for a person: ${message}`, {}, message);
        break;
      }
      case pawlEvents.decisionAnswered:
        if (steps.has(id)) set(at(id, e), "running", e, `a person answered for ${id}, and the run continues`);
        break;
      default: // says nothing about where a step stands
    }
  }
  return steps;
}

const skipTexts: Readonly<Record<string, string>> = {
  when: "its condition was not met",
  "not-chosen": "another branch was chosen",
  "upstream-skipped": "what it needs was skipped",
  operator: "a person skipped it",
  abandoned: "the node that called it has ended",
};

function waitText(id: string, p: StepStartedPayload): string {
  if (p.kind === "timer") return `${id} sleeps`;
  if (p.kind === "signal") return `${id} waits for signal ${p.signal ?? ""}`;
  if (p.kind === "ask") return `${id} waits for a person's answer`;
  if (p.kind === "child") return `${id} waits for ${p.child?.workflowId ?? "a run"}, which it called`;
  return atWork(id);
}

function atWork(id: string): string {
  return `${id} is at work`;
}

/** There will be no next attempt. */
function failWithRun(s: Step): void {
  Object.assign(s, { readiness: "failed", text: `${s.stepId} failed, and its run ended before the next attempt${s.error ?? ""}` });
  delete s.next;
}

/** It has begun and not ended: its dispatch says the rest. */
function openStep(f: WhyFacts, s: Step): void {
  const d = f.dispatches.findLast((r) => r.stepId === s.stepId);
  if (d === undefined) {
    if (s.text === atWork(s.stepId) && !isSettled(f.row.status) && !f.alive.some((e) => e.engineId === f.row.owner))
      s.text = `${s.stepId} had begun when its engine died; the next engine continues it, by its class`;
    return;
  }
  const { queue, task } = d;
  const waited = age(f.nowMs - d.enqueuedAt);
  const say = (readiness: Readiness, text: string, facts: Step["facts"]): void => {
    Object.assign(s, { readiness, text, since: d.claimedAt ?? d.enqueuedAt, facts: { queue, task, ...facts } });
    if (d.expiresAt !== null && d.worker === null) s.next = d.expiresAt;
  };
  if (d.worker !== null) {
    const gone = !f.alive.some((e) => e.engineId === d.worker);
    const how = gone ? "which is gone: its claim lapses and the step's class decides" : "which is alive";
    return say("running", `${s.stepId} runs for ${age(f.nowMs - (d.claimedAt ?? d.enqueuedAt))} on worker ${d.worker}, ${how}`, {
      worker: d.worker,
      alive: !gone,
    });
  }
  if (d.held)
    return say(
      "held",
      `${s.stepId} waits ${waited}: its run is ${f.row.status === "PAUSED" ? "paused" : "waiting for a person"}, and nobody may claim it`,
      {},
    );
  const config = f.queues.find((q) => q.queue === queue);
  const { rows, isPart, claimed } = f.crowds.get(queue) ?? { rows: [], isPart: false, claimed: 0 };
  const before = rows.filter(
    (r) => r.worker === null && !r.held && (r.rankAt < d.rankAt || (r.rankAt === d.rankAt && r.dispatchId < d.dispatchId)),
  ).length;
  const serving = f.alive.filter((e) => e.works?.queues.includes(queue) === true);
  const able = serving.filter((e) => e.works?.tasks.includes(task) === true).length;
  const facts = { before, claimed, workers: serving.length, able, paused: config?.paused !== null && config?.paused !== undefined };
  const start = `${s.stepId} waits ${waited}: `;
  const paused = config?.paused ?? null;
  if (paused !== null) return say("queued", `${start}queue ${queue} is paused by ${paused.by}: ${paused.reason}`, facts);
  if (serving.length === 0) return say("queued", `${start}no worker serves queue ${queue}`, facts);
  if (able === 0) return say("queued", `${start}no worker of queue ${queue} can do ${task}`, facts);
  const { concurrency: limit = null, rate = null } = config?.config ?? {};
  const busy = limit === null ? `${claimed} running` : `${claimed} of ${limit} running`;
  const paced = rate === null ? "" : `, may start ${rate.limit} in ${rate.perMs < 1_000 ? `${rate.perMs} ms` : age(rate.perMs)}`;
  return say("queued", `${start}queue ${queue} has ${busy}${paced}, ${isPart ? "at least " : ""}${before} before it`, {
    ...facts,
    ...(limit === null ? {} : { limit }),
    ...(rate === null ? {} : { rateLimit: rate.limit, ratePerMs: rate.perMs }),
  });
}

/** For people: "40 s", "4 m", "3 h", "2 d". */
export function age(ms: number): string {
  const s = Math.max(0, Math.floor(ms / 1_000));
  if (s < 60) return `${s} s`;
  if (s < 3_600) return `${Math.floor(s / 60)} m`;
  return s < 86_400 ? `${Math.floor(s / 3_600)} h` : `${Math.floor(s / 86_400)} d`;
}
