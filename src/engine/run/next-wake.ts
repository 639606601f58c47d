// The outlook of a run, as its next Commit says it: what it waits for, and when somebody must look at it again. Read from its open
// steps and its end, never kept: a second copy could disagree with the first. It must never change the run.
import type { Waiting } from "../../core/model.ts";
import type { Due } from "../../store/port.ts";
import type { OpenStep } from "../steps/open-step.ts";
import type { LiveRun } from "./live-run.ts";

/** What a run that waits for several things is said to wait for: the first of these. */
const waitOrder: readonly Waiting[] = ["retry", "worker", "child", "signal", "timer"];

/** `rest`: more of what it has decided follows in another Commit. */
export function waitingFor(r: LiveRun, rest: boolean): Waiting | null {
  if (rest) return null;
  if (r.state.needsDecision || r.state.isDiverged) return "decision";
  if (!r.replay.hasBegun) return waitingWithoutCode(r);
  let effect = false;
  let least = waitOrder.length;
  for (const s of r.steps.all()) {
    if (s.state === "doubt" || s.state === "asked" || s.kind.waiting === "decision") return "decision";
    if (s.state === "retrying") least = 0;
    else if (waitsForWorker(s)) least = Math.min(least, waitOrder.indexOf("worker"));
    else if (s.kind.actsOutside) effect = true;
    else {
      const { waiting } = s.kind;
      const at = waiting === null ? -1 : waitOrder.indexOf(waiting);
      if (at >= 0 && at < least) least = at;
    }
  }
  if (effect) return r.state.isEnding || r.state.isPaused ? "drain" : null;
  return waitOrder[least] ?? (r.updates.hasHandlers ? "signal" : null);
}

/** Without its code: as it was found, but for what was answered meanwhile. */
function waitingWithoutCode(r: LiveRun): Waiting | null {
  if (r.row.waiting === "decision") return r.replay.hasStepInDoubt ? "decision" : null;
  return r.state.isPaused ? null : r.row.waiting;
}

export function nextWake(r: LiveRun, rest: boolean): Due {
  if (rest || r.state.reloadOnRelease) return dueAlready(r);
  if (r.state.isPaused || r.state.needsDecision) return { at: null, inMs: null };
  if (r.hasDeliveries || r.undo.isRestoring) return dueAlready(r);
  if (!r.hasCode) return { at: r.row.dueAt, inMs: null };
  const { create } = r.commits;
  let at: number | null = !r.state.isEnding ? r.state.deadlineAt : null;
  let inMs: number | null = create === null || at !== null ? null : create.deadlineInMs;
  const mailAt = r.mailbox.nextDueAt;
  if (mailAt !== null) at = Math.min(at ?? mailAt, mailAt);
  for (const s of r.steps.all()) {
    if (s.state === "doubt" || s.state === "asked") continue;
    if (s.kind.actsOutside && s.state !== "retrying" && !waitsForWorker(s)) return dueAlready(r);
    if (s.dueAt !== null) at = Math.min(at ?? s.dueAt, s.dueAt);
    else if (s.started.delayMs !== undefined) inMs = Math.min(inMs ?? s.started.delayMs, s.started.delayMs);
    else if (s.started.until !== undefined) at = Math.min(at ?? s.started.until, s.started.until);
    const pollMs = s.dueAt === null ? s.kind.pollMs(s) : null;
    if (pollMs !== null) inMs = Math.min(inMs ?? pollMs, pollMs);
  }
  return { at, inMs };
}

/** Since when it is due already: it keeps its place among those that wait (T-57), and its entry in the index of claims. */
function dueAlready(r: LiveRun): Due {
  const { committedDueAt: since, committedAt } = r.commits;
  const reached = since !== null && since <= Math.max(committedAt, r.host.storeNowMs());
  return reached ? { at: since, inMs: null } : { at: null, inMs: 0 };
}

/** Its dispatch is on a queue, from the Commit on that puts it there: only a report wakes the run. */
function waitsForWorker(s: OpenStep): boolean {
  return s.queue !== null && s.queue.open?.own === false && (s.state === "queued" || s.state === "starting");
}
