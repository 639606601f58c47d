// The steps of a run as bars of time, at most 400: beyond that neighbours share a bar. Gaps are the times between the last sign of an engine that
// was lost, or the moment when the run could have continued, and the moment when another engine did. Pure: from the log alone.
import type { Timeline, TimelineBar, TimelineGap, TimelineTry } from "../../api/types/operate.ts";
import type { StepStatus } from "../../core/model.ts";
import { toTimeText } from "../../events/envelope.ts";
import type { EventRecord } from "../../events/event.ts";
import { foldLog, type FoldedStep } from "../../events/fold.ts";
import { pawlEvents, readPayload, type StepStartedPayload, type TakenOverPayload } from "../../events/payload.ts";
import type { RunRow } from "../../store/port.ts";

const barsMax = 400;
const plansMax = 100;
const triesMax = 20;
/** Of a bar that stands for several steps: the first of these that one of them has. */
const statusOrder: readonly StepStatus[] = ["RUNNING", "PENDING", "FAILED", "SKIPPED", "SUCCESS"];

const triedStatus: ReadonlyMap<string, StepStatus> = new Map([
  ["StepStarted", "RUNNING"],
  ["StepCompleted", "SUCCESS"],
  ["StepFailed", "FAILED"],
  ["StepSkipped", "SKIPPED"],
]);

export function timelineOf(row: RunRow, events: readonly EventRecord[]): Timeline {
  const steps = [...foldLog(events).steps].sort((a, b) => a.startedAt - b.startedAt);
  const perBar = Math.max(1, Math.ceil(steps.length / barsMax));
  const bars: TimelineBar[] = [];
  const tries = perBar === 1 ? triesOf(events, new Set(steps.filter((s) => s.attempts > 1).map((s) => s.stepId))) : new Map();
  for (let i = 0; i < steps.length; i += perBar) bars.push(barOf(steps.slice(i, i + perBar), tries.get(steps[i]!.stepId)));
  const from = events[0]?.persistedAt ?? row.createdAt;
  const plans = plansOf(events);
  return {
    runId: row.runId,
    from: toTimeText(from),
    to: toTimeText(Math.max(from, row.persistedAt)),
    bars,
    gaps: gapsOf(events),
    ...(plans.length === 0 ? {} : { plans }),
  };
}

/** Steps whose start names a planner. */
function plansOf(events: readonly EventRecord[]): readonly string[] {
  const found = new Set<string>();
  for (const { eventType, stepId, payload } of events) {
    if (eventType !== "StepStarted" || !(payload ?? "").includes('"plan":')) continue;
    if (readPayload<StepStartedPayload>(payload).plan !== undefined) found.add(stepId!);
    if (found.size === plansMax) break;
  }
  return [...found];
}

/** The tries of these steps: a start begins one, an outcome ends it. */
function triesOf(events: readonly EventRecord[], retried: ReadonlySet<string>): ReadonlyMap<string, readonly TimelineTry[]> {
  const tries = new Map<string, TimelineTry[]>();
  for (const { eventType, stepId, persistedAt } of retried.size === 0 ? [] : events) {
    if (stepId === null || !retried.has(stepId)) continue;
    const of = tries.get(stepId) ?? [];
    tries.set(stepId, of);
    const status = triedStatus.get(eventType);
    if (status === undefined) continue;
    if (status === "RUNNING") of.push({ from: toTimeText(persistedAt), status });
    else if (of.at(-1)?.to === undefined && of.length > 0) of.push({ ...of.pop()!, to: toTimeText(persistedAt), status });
  }
  for (const of of tries.values()) of.splice(triesMax);
  return tries;
}

function barOf(steps: readonly FoldedStep[], tries: readonly TimelineTry[] | undefined): TimelineBar {
  const first = steps[0]!;
  const last = steps.at(-1)!;
  const [a, b] = [first.name ?? first.stepId, last.name ?? last.stepId];
  const ends = steps.map((s) => s.endedAt);
  const open = ends.includes(null) || steps.some((s) => s.retryAt !== undefined);
  return {
    stepId: first.stepId,
    name: a === b ? a : `${a} … ${b}`,
    kind: first.kind ?? "effect",
    ...(first.class === null || steps.some((s) => s.class !== first.class) ? {} : { class: first.class }),
    status: statusOrder.find((x) => steps.some((s) => s.status === x)) ?? first.status,
    startedAt: toTimeText(first.startedAt),
    ...(open ? {} : { endedAt: toTimeText(Math.max(...ends.map((e) => e ?? 0))) }),
    attempts: steps.reduce((n, s) => n + s.attempts, 0),
    ...(tries === undefined ? {} : { tries }),
    steps: steps.length,
  };
}

/** K21: an engine that continues a run after another one died records it; in logs of before, only if a step was in flight. */
function gapsOf(events: readonly EventRecord[]): TimelineGap[] {
  const gaps: TimelineGap[] = [];
  let before: EventRecord | null = null;
  let fence = 0;
  for (const [i, e] of events.entries()) {
    const previous = events[i - 1];
    if (previous !== undefined && previous.stateVersion !== e.stateVersion) before = previous;
    if ((e.eventType !== pawlEvents.redispatched && e.eventType !== pawlEvents.takenOver) || before === null) continue;
    const p = readPayload<Partial<TakenOverPayload>>(e.payload);
    const to = toTimeText(e.persistedAt);
    if (gaps.at(-1)?.to === to || (p.fence !== undefined && p.fence === fence)) continue; // more steps of one take-over
    fence = p.fence ?? 0;
    gaps.push({
      from: toTimeText(Math.min(Math.max(before.persistedAt, p.since ?? 0), e.persistedAt)),
      to,
      reason: "crash",
      ...(p.engine === undefined ? {} : { engine: p.engine }),
      ...(p.lost === undefined ? {} : { lost: p.lost }),
    });
  }
  return gaps;
}
