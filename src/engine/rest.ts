// A run at rest: quiet, committed, with nothing to take. An alarm wakes it for what is due next; one that only waits leaves memory
// after a while, sooner where there are many (K18). It must never let a run go that has something in flight or due (I12).
import type { Cancel } from "../platform/platform.ts";
import { Drain } from "./drain.ts";
import type { LiveRun } from "./live-run.ts";
import { dueNow } from "./waits.ts";

const timerMsMax = 2_000_000_000;

export class Rest {
  readonly #run: LiveRun;
  readonly #drain = new Drain();
  #alarm: Cancel | null = null;
  #idle: Cancel | null = null;

  constructor(run: LiveRun) {
    this.#run = run;
  }

  begin(): void {
    const r = this.#run;
    // What is due happens before it may leave: under pressure it would be let go of, and claimed, for ever (I12).
    if (this.arm() === 0 || this.busy) return;
    const stays = r.hasCode && !r.paused && !(r.host.crowded() && this.#waitsLong());
    this.#idle = r.host.platform.timer(stays ? r.host.idleMs : 0, () => r.release());
  }
  /** Nothing but its inbox will wake it before it would leave memory anyhow. */
  #waitsLong(): boolean {
    const { pen, host } = this.#run;
    return pen.committedDue === null || pen.committedDue - host.storeNowMs() > host.idleMs;
  }
  /** It may leave memory as soon as somebody needs its place. */
  get idle(): boolean {
    return this.#idle !== null;
  }
  /** Something of it is under way that would be lost with it. */
  get busy(): boolean {
    const r = this.#run;
    if (r.mailbox.parsing) return true;
    for (const s of r.open.values()) {
      if (s.abort !== null || s.state === "running" || s.state === "starting") return true;
      if (s.state === "recovering" && !r.paused) return true;
    }
    return false;
  }
  /** It goes on. */
  end(): void {
    this.#idle?.();
    this.#idle = null;
  }

  /** How long until something is due; undefined: nothing is. */
  arm(): number | undefined {
    const r = this.#run;
    this.#disarm();
    if (r.gone || r.decision !== null) return undefined;
    if (r.paused) {
      this.#alarm = this.#drain.arm(r);
      return undefined;
    }
    this.#drain.over();
    let due = r.deadlineAt ?? Number.POSITIVE_INFINITY;
    if (r.stopping !== null || r.end !== null || r.deadlineTold || !r.hasCode) due = Number.POSITIVE_INFINITY;
    for (const s of r.open.values()) if (s.dueAt !== null) due = Math.min(due, s.dueAt);
    if (due === Number.POSITIVE_INFINITY) return undefined;
    const ms = Math.min(Math.max(0, due - r.host.storeNowMs()), timerMsMax);
    this.#alarm = r.host.platform.timer(ms, () => {
      this.#alarm = null;
      dueNow(r);
      this.arm();
    });
    return ms;
  }
  #disarm(): void {
    this.#alarm?.();
    this.#alarm = null;
  }

  /** The run has left memory: nothing of it may wake anybody. */
  over(): void {
    this.#disarm();
    this.end();
  }
}
