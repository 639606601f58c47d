// One run in its owner's memory: the code, the schedule, the draft of what is not yet committed, and the loop that
// turns what happened into events, deliveries and Commits. The order is K13's: an outcome is logged, delivered, the
// code runs until quiet, its calls are logged directly after. Nothing leaves before its Commit is acknowledged (K14);
// at most one Commit of a run is in flight (K6). Losing the fence abandons all of it: promises that never settle.
import { checkTransition, applyTransition, emptyDerived, nextRunStatus, type Derived } from "../core/transitions.ts";
import { isSettled, type EventType, type Fence, type RunStatus, type Waiting } from "../core/model.ts";
import { PawlError } from "../errors/error.ts";
import { StepNames } from "../core/step-id.ts";
import { seeded, type Seeded } from "../core/seeded.ts";
import { sha256Hex } from "../platform/hash.ts";
import type { Cancel } from "../platform/platform.ts";
import { decode } from "../codec/value.ts";
import { EventMaker } from "../log/record.ts";
import { jsonObject, movedBy, pawlEvents, quote } from "../log/payload.ts";
import type { Commit, CommitAnswer, Due, EventWrite, Fate, InboxRow, NewRun, RunRow } from "../store/port.ts";
import { takeArrival, type Arrival } from "./arrivals.ts";
import type { Definition } from "./definition.ts";
import { Draft, Gathered, nothingLoose, type Proto } from "./draft.ts";
import type { History, StepPast } from "./history.ts";
import type { Leaving, RunHost } from "./host.ts";
import { told } from "./notify.ts";
import { isEffect, type OpenStep } from "./open-step.ts";
import { Replay } from "./replay.ts";
import { RunCalls } from "./run-calls.ts";
import { advanceSettling, type CodeEnd, type Stopping } from "./settle.ts";
import { Mailbox } from "./mailbox.ts";
import { asksFirst, dispatch } from "./dispatch.ts";
import { Drain } from "./drain.ts";
import { dueNow, resumeOpenStep } from "./waits.ts";

/** A turn of the code: `go` runs in an open activation, `at` becomes ctx.now(). */
export interface Delivery {
  readonly at: number;
  readonly go: () => void;
}

/** A completed step that knows how to be undone, in the order of completion. */
export interface Undo {
  readonly step: OpenStep;
  readonly result: string | null;
}

export interface LiveRunOptions {
  readonly host: RunHost;
  readonly row: RunRow;
  /** null: only control rows are handled, no code runs (K5). */
  readonly definition: Definition | null;
  readonly history: History | null;
  /** Outcomes that the store would not hold: final failures of their steps (K12). */
  readonly refused?: ReadonlySet<string>;
  /** The code is not run although it is known: the run waits for a person, or its input was refused. */
  readonly noCode?: boolean;
  /** Recorded outcomes of the run that this one retries, by stepId. */
  readonly adopted: ReadonlyMap<string, StepPast> | null;
  readonly inbox: readonly InboxRow[];
  /** The first Commit creates the run. */
  readonly create: NewRun | null;
  readonly onCreated?: () => void;
  /** Encoded, already checked against the workflow's schema; null when there is none. */
  readonly input: string | null;
}

export class LiveRun {
  readonly host: RunHost;
  readonly row: RunRow;
  readonly definition: Definition | null;
  readonly adopted: ReadonlyMap<string, StepPast> | null;
  readonly input: string | null;
  readonly fence: Fence;
  readonly refused: ReadonlySet<string>;
  readonly #noCode: boolean;
  /** What must not be recorded while the run is paused: taken again when it goes on. */
  readonly held: Arrival[] = [];
  readonly names: StepNames = new StepNames(sha256Hex);
  readonly open: Map<string, OpenStep> = new Map();
  readonly undo: Undo[] = [];
  readonly mailbox: Mailbox;
  readonly replay: Replay;
  readonly draft: Draft;
  readonly derived: Derived;
  readonly deliveries: Delivery[] = [];
  /** Patches asked for, with their answers: one answer per run. */
  readonly patches: Map<string, boolean> = new Map();
  paused: boolean = false;
  activation: boolean = false;
  end: CodeEnd | null = null;
  stopping: Stopping | null = null;
  gone: boolean = false;
  /** Give the run up with the next Commit (stop, eviction, divergence). */
  wantsRelease: boolean = false;
  /** Steps whose compensation failed. */
  readonly uncompensated: string[] = [];
  viewsSeen: number = 0;
  nowMs: number = 0;
  decision: string | null = null;
  /** Its code and its log disagree: paused until a person decides (K20). */
  stuck: boolean;
  /** What was just recorded is committed before the code sees it (K12). */
  commitAlone: boolean = false;
  /** When the store will let somebody claim it again. */
  committedDue: number | null;
  /** By the store's clock: a run that is created here learns it with its first acknowledgement. */
  deadlineAt: number | null;
  /** The deadline is on its way to the log: it is not told twice. */
  deadlineTold: boolean = false;

  #seed: Seeded | null = null;
  #create: NewRun | null;
  readonly #onCreated: (() => void) | null;
  #stateVersion: number;
  #committedAt: number;
  #status: RunStatus | null;
  #ordinals: Map<string, number>;
  #maker: EventMaker;
  #lastEmitted: number;
  #arrivals: Arrival[] = [];
  #begun = false;
  #pumping = false;
  #again = false;
  #committing = false;
  #turns = 0;
  #alarm: Cancel | null = null;
  readonly #drain = new Drain();
  #idle: Cancel | null = null;
  #slotWaiters: (() => void)[] = [];
  /** What the next Commit says about the version that the next owner must serve; undefined: as it was. */
  #exactVersion: boolean | undefined;
  #reload = false;
  #forced = false;

  constructor(o: LiveRunOptions) {
    this.host = o.host;
    this.row = o.row;
    this.definition = o.definition;
    this.adopted = o.adopted;
    this.input = o.input;
    this.fence = o.row.fence;
    this.deadlineAt = o.create === null ? o.row.deadlineAt : null;
    this.committedDue = o.create === null ? o.row.dueAt : null;
    this.#committedAt = o.row.persistedAt;
    this.refused = o.refused ?? new Set();
    this.#noCode = o.noCode === true;
    this.#create = o.create;
    this.#onCreated = o.onCreated ?? null;
    this.#stateVersion = o.row.stateVersion;
    this.#status = o.history?.derived.status ?? null;
    this.derived = o.history?.derived ?? emptyDerived();
    this.#ordinals = o.history?.ordinals ?? new Map();
    this.#lastEmitted = o.history?.lastEmittedAt ?? 0;
    this.decision = o.history?.decision ?? null;
    this.stuck = o.history?.diverged ?? false;
    this.#maker = this.#makerAt(o.row.headSeq, o.row.headLink, o.history?.lastPersistedAt ?? null);
    this.draft = new Draft(o.host.limits);
    this.mailbox = new Mailbox(this, o.history);
    this.replay = new Replay(this, o.history);
    this.paused = this.derived.status === "PAUSED";
    this.mailbox.take(o.inbox);
  }

  get status(): RunStatus | null {
    return this.derived.status;
  }
  /** Of the first run of the line: a run that retries another draws the same keys, so that its outcomes can be adopted. */
  get seed(): Seeded {
    return (this.#seed ??= seeded(sha256Hex(this.row.rootRunId)));
  }
  /** The code runs here: not so for a run that is paused, in doubt as a whole, or of a workflow unknown to this engine. */
  get hasCode(): boolean {
    return this.replay.begun && !this.replay.diverged;
  }
  /** Given up with the next Commit, due at once: its code begins again from the log. */
  reload(): void {
    this.#reload = true;
    this.wantsRelease = true;
  }

  /** A row woke it before its delay has passed: the row is taken, the start waits (I10). */
  get #delayed(): boolean {
    const { dueAt, createdAt } = this.row;
    return this.status === "PENDING" && dueAt !== null && dueAt > Math.max(createdAt, this.host.storeNowMs());
  }

  /** Begins: replays what is recorded, or starts the code for the first time. Returns at once. */
  begin(): void {
    try {
      // A paused run's code is not run: a call it made now could not be recorded (K13). It reloads when resumed.
      if (this.definition !== null && !this.#noCode && !this.paused && this.decision === null && !this.#delayed)
        this.replay.begin(() => this.#runCode());
      else this.replay.skip();
    } catch (error) {
      return this.broken(error); // D-105: a log that forbids the next event ends this owner's part, not the engine's
    }
    this.#begun = true;
    this.pump();
  }

  #runCode(): void {
    const settle = (end: CodeEnd): void => {
      if (!this.activation)
        return this.replay.diverge(
          "PAWL1007",
          "the code ended after it had been woken by something that is not recorded",
          "a recorded outcome",
          "the end of the code",
        );
      if (this.end === null) this.end = end;
    };
    try {
      this.definition!.code(new RunCalls(this), this.input === null ? undefined : decode(this.input)).then(
        (value) => settle({ kind: "returned", value }),
        (error: unknown) => settle({ kind: "threw", error }),
      );
    } catch (error) {
      settle({ kind: "threw", error });
    }
  }

  /** Something happened outside the code. Accepted always, taken in order when no Commit is in flight. */
  arrive(a: Arrival): void {
    if (this.gone) return;
    this.#arrivals.push(a);
    this.pump();
  }

  pump(): void {
    if (this.gone || !this.#begun) return;
    if (this.#pumping) {
      this.#again = true;
      return;
    }
    this.#pumping = true;
    this.#turn(false);
  }

  /** Every step passes here several times: no promise of its own, the activation comes back when it has closed. */
  #turn(closed: boolean): void {
    try {
      if (closed) this.#quiet();
      do {
        this.#again = false;
        this.#cancelIdle();
        const delivery = this.#loop();
        if (delivery !== undefined) return this.#activate(delivery);
      } while (this.#again); // what came in while the last turn ended
      this.#pumping = false;
    } catch (error) {
      this.#pumping = false;
      this.broken(error);
    }
  }

  /** Goes on until there is nothing to do, or a delivery to make. */
  #loop(): Delivery | undefined {
    for (;;) {
      if (this.gone || this.#committing) return;
      if (this.status !== null && isSettled(this.status)) return this.#commit(); // I8: nothing more is taken
      if (this.wantsRelease && this.replay.active) return this.#giveBack();
      if (this.replay.asking && !this.#terminated()) return;
      // Not past the record yet: whether what the code asked for there may begin is known when the record is used up.
      if ((this.commitAlone || this.#turns >= this.host.limits.immediateCallsMax) && !this.draft.empty && !this.replay.active)
        return this.#commit();
      if (this.end !== null || this.replay.diverged) this.deliveries.length = 0;
      if (!this.paused && !this.wantsRelease && this.deliveries.length > 0) return this.deliveries.shift();
      if (this.replay.active) {
        this.replay.next();
        continue;
      }
      const arrival = this.#arrivals.shift();
      if (arrival !== undefined) {
        takeArrival(this, arrival);
        continue;
      }
      if (advanceSettling(this)) continue;
      if (!this.draft.empty || this.#releasable()) return this.#commit();
      const waiting = this.#slotWaiters.shift();
      if (waiting !== undefined) {
        // Only here: everything the code was told is committed, so a transaction's outcome comes after it in the log (K13).
        this.#committing = true;
        waiting();
        return;
      }
      this.#rest();
      return;
    }
  }

  /** K19: terminate waits for nothing, not even for verifiers. Everything else does. */
  #terminated(): boolean {
    const at = this.#arrivals.findIndex((a) => a.type === "control" && a.row.name === "terminate");
    if (at < 0) return false;
    for (const a of this.#arrivals.splice(at, 1)) takeArrival(this, a);
    return true;
  }

  /** Given up in the middle of the record: nothing new was decided, so the next owner reads it from the start. */
  #giveBack(): undefined {
    this.reload();
    this.#forced = true;
    this.#commit();
  }

  /** K15: deliver in one turn, close in a second queued with it; all microtasks run between, no I/O does. */
  #activate(d: Delivery): void {
    this.host.platform.turn(() => {
      if (this.gone) return;
      this.activation = true;
      this.nowMs = Math.max(this.nowMs, d.at);
      try {
        this.host.context.run(this, d.go);
      } catch (e) {
        this.broken(e); // a record that cannot be read must not end the process
      }
    });
    this.host.platform.turn(() => {
      this.activation = false;
      this.#turn(true);
    });
  }

  #quiet(): void {
    this.#turns++;
    if (this.gone || this.replay.diverged) return;
    this.mailbox.match();
    if (this.end !== null || this.stopping !== null || this.replay.active || this.deliveries.length > 0 || this.#arrivals.length > 0)
      return;
    if (this.open.size === 0 && !this.mailbox.listening)
      this.replay.diverge("PAWL1007", "the code waits for something that is not recorded", "an open step", "none");
  }

  /** The producer's guard (D-103 … D-105): an event that the transition table forbids is never emitted. */
  append(p: Omit<Proto, "emittedAt" | "logical" | "engine"> & { readonly logical?: number; readonly engine?: number }): number {
    const logical = p.logical ?? this.#ordinal(p.eventType);
    const transition = { eventType: p.eventType, stepId: p.stepId, logicalAttemptId: logical };
    const check = checkTransition(this.derived, transition);
    if (!check.ok)
      throw new PawlError(
        "PAWL3007",
        `invalid transition: ${check.attemptedEventType} needs ${check.expectedState}, found ${check.actualState}`,
        {
          data: {
            invalidTransitionDetected: true,
            expectedState: check.expectedState,
            actualState: check.actualState,
            attemptedEventType: p.eventType,
          },
        },
      );
    const from = this.derived.status;
    applyTransition(this.derived, transition);
    if (p.stepId === null) this.#ordinals.set(p.eventType, logical);
    const emittedAt = (this.#lastEmitted = Math.max(this.#lastEmitted, this.host.platform.wallMs()));
    // Every member named: all protos have one shape, which is what keeps reading them cheap.
    this.draft.add({
      eventType: p.eventType,
      stepId: p.stepId,
      logical,
      engine: p.engine ?? 1,
      emittedAt,
      payload: p.eventType.startsWith("Run") ? movedBy(p.payload, from, this.host.engineId()) : p.payload,
      starts: p.starts,
      consumed: p.consumed,
      reply: p.reply,
      view: p.view,
      child: p.child,
      notices: p.notices,
      notBefore: p.notBefore,
      moveInboxTo: p.moveInboxTo,
      effect: p.effect,
      placed: p.placed,
      onAck: p.onAck,
    });
    return emittedAt;
  }

  /** An outcome that a transaction committed by itself enters the derived state here. */
  settleStep(step: OpenStep, p: Proto): void {
    applyTransition(this.derived, { eventType: p.eventType, stepId: step.stepId, logicalAttemptId: p.logical });
    this.#lastEmitted = Math.max(this.#lastEmitted, p.emittedAt);
  }

  #ordinal(type: EventType): number {
    return type.startsWith("pawl.") || type === "RunPaused" || type === "RunResumed" ? (this.#ordinals.get(type) ?? 0) + 1 : 1;
  }

  #makerAt(seq: number, link: string, sealedAt: number | null): EventMaker {
    const run = { runId: this.row.runId, scope: this.row.scope, planId: this.row.workflow, planVersion: this.row.version };
    return new EventMaker(run, this.host.platform, { seq, link, sealedAt });
  }

  /** A Commit of these events, under the fence and version last acknowledged. Freezes them: asked again as it is (K10). */
  build(protos: readonly Proto[], rest: boolean, alone?: EventMaker): { commit: Commit; bytes: number } {
    const maker = alone ?? this.#maker;
    // A Commit that may be rolled back takes nothing along that would be lost with it.
    const loose = alone === undefined ? this.draft.takeLoose() : nothingLoose;
    const version = this.#stateVersion + 1;
    let bytes = 400;
    let status = this.#status ?? "PENDING";
    let notBefore: number | null = null;
    const events: EventWrite[] = [];
    const gathered = new Gathered(loose);
    for (const p of protos) {
      bytes += 500 + (p.payload?.length ?? 0);
      status = nextRunStatus(this.#status, p.eventType) ?? status;
      this.#status = status;
      if (p.notBefore !== undefined) notBefore = Math.max(notBefore ?? 0, p.notBefore);
      events.push(
        maker.make(
          {
            eventType: p.eventType,
            stepId: p.stepId,
            logicalAttemptId: p.logical,
            engineAttemptId: p.engine,
            emittedAt: p.emittedAt,
            payload: p.payload,
          },
          version,
        ),
      );
      gathered.add(p, events.at(-1)!.runSeq);
    }
    for (const e of loose.effects) gathered.record(e, maker.head.seq);
    const settled = isSettled(status);
    const commit: { -readonly [K in keyof Commit]: Commit[K] } = {
      commitId: this.host.platform.uuidV4(),
      runId: this.row.runId,
      expect: this.#create === null ? { fence: this.fence, stateVersion: this.#stateVersion } : { create: this.#create },
      events,
      status,
      waiting: settled ? null : this.waiting(rest),
      due: settled ? { at: null, inMs: null } : this.#due(rest),
      release: settled || (!rest && this.#releasable()),
      notBefore,
      taken: loose.taken,
      consumed: gathered.consumed,
      replies: gathered.replies,
      views: gathered.views,
      children: gathered.children,
      notices: gathered.notices,
      moveInboxTo: gathered.moveInboxTo,
    };
    // Added, not spread: every step passes here.
    if (this.#exactVersion !== undefined) commit.exactVersion = this.#exactVersion;
    if (gathered.effects !== null) commit.effects = [...gathered.effects.values()];
    return { commit, bytes };
  }

  #commit(): undefined {
    // Window A of a run's first step: the run is committed without it first, so that a restart finds the run and survives.
    const { protos, rest } = this.draft.cut(this.#create === null ? undefined : (p) => this.host.platform.armed?.(windowA(p)) === true);
    if (this.fence.epoch === 1) for (const p of protos) if (p.starts !== undefined) this.host.platform.hit(windowA(p));
    const { commit, bytes } = this.build(protos, rest);
    this.#committing = true;
    this.commitAlone = false;
    this.#turns = 0;
    this.host.submit(commit, bytes, {
      answered: (answer) => {
        try {
          this.#answered(answer, commit, protos);
        } catch (error) {
          this.broken(error);
        }
      },
      failed: (error) => this.broken(error),
    });
  }

  #answered(answer: CommitAnswer, commit: Commit, protos: readonly Proto[]): void {
    if (this.gone) return;
    switch (answer.kind) {
      case "committed":
      case "duplicate":
        this.acknowledged(answer, commit, protos); // all of it, before the loop goes on
        this.#committing = false;
        return this.pump();
      case "conflict":
        return this.leave({ kind: "conflict", answer });
      case "refused": {
        this.host.log("error", `the store refused a Commit: ${answer.reason}`, { runId: this.row.runId });
        const outcomes = protos.filter((p) => p.eventType === "StepCompleted" || p.eventType === "StepFailed");
        return this.leave({ kind: "reload", refused: new Set(outcomes.map((p) => p.stepId!)), reason: answer.reason });
      }
      case "fenced":
      case "stale":
        this.host.metrics.add("pawl_fence_rejections_total");
        return this.leave({ kind: "abandoned" }); // I3: a lost fence writes nothing, and says nothing more
      case "busy":
      case "early":
        return this.broken(new PawlError("PAWL3007", `the committer passed on ${answer.kind}`));
    }
  }

  /** What may leave now, leaves: effects begin, replies and results are told (K14). */
  acknowledged(
    answer: { persistedAt: number; dueAt: number | null; children: readonly Fate[] },
    commit: Commit,
    protos: readonly Proto[],
  ): void {
    if (this.#create !== null) {
      const { deadlineInMs } = this.#create;
      this.deadlineAt = deadlineInMs === null ? null : answer.persistedAt + deadlineInMs;
      this.#create = null;
      this.#onCreated?.();
    }
    this.#stateVersion++;
    this.committedDue = answer.dueAt;
    this.#committedAt = answer.persistedAt;
    if (commit.events.length > 0) this.#maker.sealed(answer.persistedAt);
    let child = 0;
    for (const p of protos) {
      const step = p.starts;
      if (step !== undefined && step.state === "starting" && this.open.get(step.stepId) === step) {
        if (!asksFirst(step)) step.lastAt = answer.persistedAt;
        if (step.firstAt === 0) step.firstAt = answer.persistedAt;
        if (step.started.delayMs !== undefined) step.dueAt = answer.persistedAt + step.started.delayMs;
        if (step.started.until !== undefined) step.dueAt = step.started.until;
        dispatch(this, step);
      }
      if (p.child !== undefined) this.mailbox.fate(p, answer.children[child++]!);
      p.onAck?.();
    }
    if (isSettled(commit.status)) {
      this.host.metrics.add("pawl_runs_settled_total");
      this.leave({ kind: "settled", status: commit.status, payload: commit.events.at(-1)?.payload ?? null });
    } else if (commit.release) this.leave({ kind: "released" });
    else this.mailbox.match(); // a child may have ended before its start was acknowledged
  }

  /** ctx.tx commits by itself, on a connection of its own: no other Commit of this run may be in flight meanwhile (K11). */
  takeSlot(): Promise<void> {
    return new Promise((resolve) => {
      this.#slotWaiters.push(resolve);
      this.pump();
    });
  }
  returnSlot(): void {
    this.#committing = false;
    this.pump();
  }
  /** A maker that starts at the head, for a Commit that may be rolled back; `adopt` makes it the run's own. */
  forkMaker(): { maker: EventMaker; adopt: () => void } {
    const maker = this.#maker.fork();
    return { maker, adopt: () => (this.#maker = maker) };
  }

  waiting(rest: boolean): Waiting | null {
    if (rest) return null;
    if (this.decision !== null || this.stuck) return "decision";
    if (!this.replay.begun) return this.#waitingUnread();
    let effect = false;
    let least = waits.length;
    for (const s of this.open.values()) {
      if (s.state === "doubt" || s.state === "asked") return "decision";
      if (s.state === "retrying") least = 0;
      else if (isEffect(s)) effect = true;
      else {
        const at = waits.indexOf((s.work.kind === "start" ? "child" : s.work.kind) as Waiting);
        if (at >= 0 && at < least) least = at;
      }
    }
    if (effect) return this.end !== null || this.stopping !== null || this.paused ? "drain" : null;
    return waits[least] ?? (this.mailbox.listening ? "signal" : null);
  }

  /** Without its code: as it was found, but for what was answered meanwhile. */
  #waitingUnread(): Waiting | null {
    if (this.row.waiting === "decision") return this.replay.inDoubt ? "decision" : null;
    return this.paused ? null : this.row.waiting;
  }

  #due(rest: boolean): Due {
    if (rest || this.#reload) return this.#atOnce();
    if (this.paused || this.decision !== null) return { at: null, inMs: null };
    if (this.deliveries.length > 0) return this.#atOnce();
    if (!this.hasCode) return { at: this.row.dueAt, inMs: null };
    let at: number | null = this.stopping === null && this.end === null ? this.deadlineAt : null;
    let inMs: number | null = this.#create === null || at !== null ? null : this.#create.deadlineInMs;
    for (const s of this.open.values()) {
      if (s.state === "doubt" || s.state === "asked") continue;
      if (isEffect(s) && s.state !== "retrying") return this.#atOnce();
      if (s.dueAt !== null) at = Math.min(at ?? s.dueAt, s.dueAt);
      else if (s.started.delayMs !== undefined) inMs = Math.min(inMs ?? s.started.delayMs, s.started.delayMs);
      else if (s.started.until !== undefined) at = Math.min(at ?? s.started.until, s.started.until);
    }
    return { at, inMs };
  }

  /** Since when it is due already: it keeps its place among those that wait (T-57), and its entry in the index of claims. */
  #atOnce(): Due {
    const since = this.committedDue;
    const reached = since !== null && since <= Math.max(this.#committedAt, this.host.storeNowMs());
    return reached ? { at: since, inMs: null } : { at: null, inMs: 0 };
  }

  /** Quiet, committed, nothing to take: arm the alarm for the next due time, and the eviction of a run that only waits. */
  #rest(): void {
    // What is due happens before it may leave: under pressure it would be let go of, and claimed, for ever (I12).
    if (this.armAlarm() === 0 || this.#busy()) return;
    const stays = this.hasCode && !this.paused && !(this.host.crowded() && this.#waitsLong());
    const ms = stays ? this.host.idleMs : 0;
    this.#idle = this.host.platform.timer(ms, () => this.release());
  }
  /** Nothing but its inbox will wake it before it would leave memory anyhow. */
  #waitsLong(): boolean {
    return this.committedDue === null || this.committedDue - this.host.storeNowMs() > this.host.idleMs;
  }
  #busy(): boolean {
    if (this.mailbox.parsing) return true;
    for (const s of this.open.values()) {
      if (s.abort !== null || s.state === "running" || s.state === "starting") return true;
      if (s.state === "recovering" && !this.paused) return true;
    }
    return false;
  }
  get idle(): boolean {
    return this.#idle !== null;
  }
  #cancelIdle(): void {
    this.#idle?.();
    this.#idle = null;
  }
  /** Gives the run up as soon as nothing is in flight; outcomes that come in are committed, and delivered by the next owner. */
  release(): void {
    this.wantsRelease = true;
    this.pump();
  }
  /** Gives it up now: what is in flight is aborted, and recovered by its class elsewhere. */
  releaseNow(): void {
    this.#forced = true;
    for (const s of this.open.values()) s.abort?.(new PawlError("PAWL5003", "the engine is stopping"));
    this.release();
  }
  #releasable(): boolean {
    return this.wantsRelease && (this.#forced || !this.#busy());
  }
  /** The next owner must serve exactly the pinned version (K20). */
  releaseToPinnedVersion(): void {
    this.#exactVersion = true;
    this.reload(); // due at once: the rows that woke it are taken, and would wake nobody again (K18)
    this.pump();
  }

  /** How long until something is due; undefined: nothing is. */
  armAlarm(): number | undefined {
    this.#alarm?.();
    this.#alarm = null;
    if (this.gone || this.decision !== null) return undefined;
    if (this.paused) {
      this.#alarm = this.#drain.arm(this);
      return undefined;
    }
    this.#drain.over();
    let due = this.deadlineAt ?? Number.POSITIVE_INFINITY;
    if (this.stopping !== null || this.end !== null || this.deadlineTold || !this.hasCode) due = Number.POSITIVE_INFINITY;
    for (const s of this.open.values()) if (s.dueAt !== null) due = Math.min(due, s.dueAt);
    if (due === Number.POSITIVE_INFINITY) return undefined;
    const ms = Math.min(Math.max(0, due - this.host.storeNowMs()), 2_000_000_000);
    this.#alarm = this.host.platform.timer(ms, () => {
      this.#alarm = null;
      dueNow(this);
      this.armAlarm();
    });
    return ms;
  }

  /** Every open step of an earlier owner goes on by its kind and class. */
  resumeOpenSteps(): void {
    for (const s of this.open.values()) if (s.state !== "starting") resumeOpenStep(this, s);
  }

  /** A defect, ours or the store's: this owner stops touching the run; whoever claims it next starts from the log. */
  broken(error: unknown): void {
    if (this.gone) return;
    this.host.log("error", `run ${this.row.runId} is read again from its log: ${error instanceof Error ? error.message : String(error)}`, {
      error,
    });
    this.leave({ kind: "reload", refused: new Set(), reason: null });
  }

  leave(why: Leaving): void {
    if (this.gone) return;
    this.gone = true;
    this.#alarm?.();
    this.#cancelIdle();
    // Made where it is wanted: an error that nobody is given costs as much as a step.
    const reason = (): PawlError => new PawlError("PAWL1015", "the run was given up by this engine");
    for (const s of this.open.values()) s.abort?.(reason());
    this.replay.abandon(reason);
    for (const w of this.#slotWaiters.splice(0)) w();
    this.host.left(this, why);
  }

  /** K5, K27: the run as a whole waits for a person; `resume` lets engines try again. */
  needsDecision(reason: string, confirmation?: { readonly code: string; readonly unconfirmed: readonly string[] }): void {
    this.decision = reason;
    const payload = jsonObject({ reason: quote(reason), ...mapQuote({ ...confirmation }) });
    const what = {
      kind: confirmation === undefined ? "given-up" : "confirmation",
      code: confirmation?.code ?? "PAWL2001",
      reason,
    } as const;
    this.append({ eventType: pawlEvents.decisionNeeded, stepId: null, payload, ...told(this, what) });
  }

  divergence(p: Readonly<{ code: string; message: string } & Record<string, unknown>>): void {
    const payload = jsonObject({ category: quote("DIVERGED"), ...mapQuote(p) });
    this.append({ eventType: "RunPaused", stepId: null, payload, ...told(this, { kind: "diverged", code: p.code, reason: p.message }) });
    this.paused = true;
    this.stuck = true;
    // K20: it stands before a person now, who may let any version go on.
    if (this.row.exactVersion) this.#exactVersion = false;
  }
}

/** The crash point before this event's step has its start recorded; only the first start of a step has one. */
function windowA(p: Proto): string {
  return p.eventType === "StepStarted" && p.logical === 1 ? `${p.stepId}:A` : "";
}

/** What a run that waits for several things is said to wait for: the first of these. */
const waits: readonly Waiting[] = ["retry", "child", "signal", "timer"];

function mapQuote(o: Readonly<Record<string, unknown>>): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(o).map(([k, v]) => [k, quote(v)]));
}
