// A run at rest: quiet, committed, with nothing to take. An alarm wakes it for what is due next; one that only waits leaves memory
// after a while, sooner where there are many (K18). It must never let a run go that has something in flight or due (I12).
import type { Cancel } from "../../platform/platform.ts";
import { SlowPauseWarning } from "./slow-pause.ts";
import type { LiveRun } from "./live-run.ts";
import { fireDueSteps } from "../steps/due-steps.ts";

const timerMsMax = 2_000_000_000;

export class Parking {
  readonly #run: LiveRun;
  readonly #slowPause = new SlowPauseWarning();
  #alarm: Cancel | null = null;
  #idleTimer: Cancel | null = null;

  constructor(run: LiveRun) {
    this.#run = run;
  }

  start(): void {
    const r = this.#run;
    // What is due happens before it may leave: under pressure it would be let go of, and claimed, for ever (I12).
    if (this.armAlarm() === 0 || this.isBusy) return;
    r.trace?.end("waiting");
    const stays = r.hasCode && !r.state.isPaused && !(r.host.isCrowded() && this.#waitsLong());
    this.#idleTimer = r.host.platform.timer(stays ? r.host.idleMs : 0, () => r.release());
  }
  /** Nothing but its inbox will wake it before it would leave memory anyhow. */
  #waitsLong(): boolean {
    const { commits, host } = this.#run;
    return commits.committedDueAt === null || commits.committedDueAt - host.storeNowMs() > host.idleMs;
  }
  /** It may leave memory as soon as somebody needs its place. */
  get isIdle(): boolean {
    return this.#idleTimer !== null;
  }
  /** Something of it is under way that would be lost with it. */
  get isBusy(): boolean {
    const r = this.#run;
    if (r.mailbox.isParsing || r.undo.isRestoring) return true;
    for (const s of r.steps.all()) {
      if (s.abort !== null || s.state === "running" || s.state === "starting") return true;
      if (s.state === "recovering" && !r.state.isPaused) return true;
    }
    return false;
  }
  /** It has something to do again. */
  stop(): void {
    this.#idleTimer?.();
    this.#idleTimer = null;
  }

  /** How long until something is due; undefined: nothing is. */
  armAlarm(): number | undefined {
    const r = this.#run;
    this.#disarmAlarm();
    if (r.state.isUnloaded || r.state.needsDecision) return undefined;
    if (r.state.isPaused) {
      this.#alarm = this.#slowPause.arm(r);
      return undefined;
    }
    this.#slowPause.reset();
    let due = (r.hasCode ? r.state.pendingDeadline : null) ?? Number.POSITIVE_INFINITY;
    for (const s of r.steps.all()) if (s.dueAt !== null) due = Math.min(due, s.dueAt);
    due = Math.min(due, (r.hasCode ? r.mailbox.nextDueAt : null) ?? due);
    if (due === Number.POSITIVE_INFINITY) return undefined;
    const ms = Math.min(Math.max(0, due - r.host.storeNowMs()), timerMsMax);
    this.#alarm = r.host.platform.timer(ms, () => {
      this.#alarm = null;
      fireDueSteps(r);
      this.armAlarm();
    });
    return ms;
  }
  #disarmAlarm(): void {
    this.#alarm?.();
    this.#alarm = null;
  }

  /** The run has left memory: nothing of it may wake anybody. */
  close(): void {
    this.#disarmAlarm();
    this.stop();
  }
}
