// The outlook of a run, as its next Commit says it: what it waits for, and when somebody must look at it again. Read from its open
// steps and its end, never kept: a second copy could disagree with the first. It must never change the run.
import type { Waiting } from "../core/model.ts";
import type { Due } from "../store/port.ts";
import type { LiveRun } from "./live-run.ts";
import { lookMs, looks } from "./look.ts";
import { isEffect } from "./open-step.ts";

/** What a run that waits for several things is said to wait for: the first of these. */
const waits: readonly Waiting[] = ["retry", "child", "signal", "timer"];

/** `rest`: more of what it has decided follows in another Commit. */
export function waitingOf(r: LiveRun, rest: boolean): Waiting | null {
  if (rest) return null;
  if (r.decision !== null || r.stuck) return "decision";
  if (!r.replay.begun) return waitingUnread(r);
  let effect = false;
  let least = waits.length;
  for (const s of r.open.values()) {
    if (s.state === "doubt" || s.state === "asked") return "decision";
    if (s.state === "retrying") least = 0;
    else if (isEffect(s)) effect = true;
    else {
      const at = waits.indexOf((s.work.kind === "start" ? "child" : s.work.kind) as Waiting);
      if (at >= 0 && at < least) least = at;
    }
  }
  if (effect) return r.end !== null || r.stopping !== null || r.paused ? "drain" : null;
  return waits[least] ?? (r.mailbox.listening ? "signal" : null);
}

/** Without its code: as it was found, but for what was answered meanwhile. */
function waitingUnread(r: LiveRun): Waiting | null {
  if (r.row.waiting === "decision") return r.replay.inDoubt ? "decision" : null;
  return r.paused ? null : r.row.waiting;
}

export function dueOf(r: LiveRun, rest: boolean): Due {
  if (rest || r.reloads) return atOnce(r);
  if (r.paused || r.decision !== null) return { at: null, inMs: null };
  if (r.deliveries.length > 0) return atOnce(r);
  if (!r.hasCode) return { at: r.row.dueAt, inMs: null };
  const { create } = r.pen;
  let at: number | null = r.stopping === null && r.end === null ? r.deadlineAt : null;
  let inMs: number | null = create === null || at !== null ? null : create.deadlineInMs;
  for (const s of r.open.values()) {
    if (s.state === "doubt" || s.state === "asked") continue;
    if (isEffect(s) && s.state !== "retrying") return atOnce(r);
    if (s.dueAt !== null) at = Math.min(at ?? s.dueAt, s.dueAt);
    else if (s.started.delayMs !== undefined) inMs = Math.min(inMs ?? s.started.delayMs, s.started.delayMs);
    else if (s.started.until !== undefined) at = Math.min(at ?? s.started.until, s.started.until);
    if (s.dueAt === null && looks(s)) inMs = Math.min(inMs ?? lookMs, lookMs);
  }
  return { at, inMs };
}

/** Since when it is due already: it keeps its place among those that wait (T-57), and its entry in the index of claims. */
function atOnce(r: LiveRun): Due {
  const { committedDue: since, committedAt } = r.pen;
  const reached = since !== null && since <= Math.max(committedAt, r.host.storeNowMs());
  return reached ? { at: since, inMs: null } : { at: null, inMs: 0 };
}
