// One run in its owner's memory: the code, the schedule, and the loop that turns what happened into events, deliveries and
// Commits. The order is K13's: an outcome is logged, delivered, the code runs until quiet, its calls are logged directly after.
// Nothing leaves before its Commit is acknowledged (K14); at most one Commit of a run is in flight (K6). Losing the fence
// abandons all of it: promises that never settle.
import { isSettled, type Fence, type RunStatus } from "../../core/model.ts";
import { seededRandom, type SeededRandom } from "../../core/seeded-random.ts";
import { StepNames } from "../../core/step-id.ts";
import { decode } from "../../codec/value.ts";
import { PawlError } from "../../errors/error.ts";
import { sha256Hex } from "../../platform/crypto/hash.ts";
import type { InboxRow, NewRun, RunRow } from "../../store/port.ts";
import { takeArrival, type Arrival } from "./arrivals.ts";
import type { Definition } from "../definition.ts";
import type { History } from "./history.ts";
import type { UnloadReason, RunHost } from "../run-host.ts";
import type { RunChain } from "../chain/run-chain.ts";
import { Mailbox } from "../messages/mailbox.ts";
import type { OpenStep } from "../steps/open-step.ts";
import { CommitBuilder } from "./commit-builder.ts";
import { Replay } from "./replay.ts";
import { Parking } from "./parking.ts";
import { RunCalls } from "./run-calls.ts";
import type { CodeEnd, StopReason } from "./ending.ts";
import { advanceSettling, codeReturned } from "./settle.ts";
import { unawaitedSteps } from "./unawaited-steps.ts";
import { CommitLock } from "./commit-lock.ts";
import { waitsOnUnrecorded, wokenByUnrecorded } from "../decisions/needs-decision.ts";
import { resumeOpenStep } from "../steps/waits.ts";

/** A turn of the code: `go` runs in an open activation, `at` becomes ctx.now(). */
export interface CodeDelivery {
  readonly at: number;
  readonly deliver: () => void;
}

/** A completed step that knows how to be undone, in the order of completion. */
export interface UndoableStep {
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
  readonly withoutCode?: boolean;
  /** What the runs before it recorded; null: it is the first of its line. */
  readonly chain: RunChain | null;
  /** Its line continues another run: keys of authors are looked for there. */
  readonly isContinuation: boolean;
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
  readonly chain: RunChain | null;
  readonly isContinuation: boolean;
  readonly input: string | null;
  readonly fence: Fence;
  readonly refused: ReadonlySet<string>;
  readonly #withoutCode: boolean;
  /** What must not be recorded while the run is paused: taken again when it goes on. */
  readonly heldArrivals: Arrival[] = [];
  /** Rows of pauses that came before the run has begun. */
  readonly pendingPauses: number[] = [];
  readonly names: StepNames = new StepNames(sha256Hex);
  readonly open: Map<string, OpenStep> = new Map();
  readonly undoable: UndoableStep[] = [];
  /** Steps that hold a place among the running effects while their beginning is recorded (K25). */
  readonly rerecording: Set<OpenStep> = new Set();
  readonly mailbox: Mailbox;
  readonly replay: Replay;
  readonly commits: CommitBuilder;
  readonly commitLock: CommitLock;
  readonly parking: Parking = new Parking(this);
  readonly deliveries: CodeDelivery[] = [];
  /** Patches asked for, with their answers: one answer per run. */
  readonly patches: Map<string, boolean> = new Map();
  isPaused: boolean = false;
  inActivation: boolean = false;
  /** The latest call of the code, for people. */
  lastCall: string | null = null;
  codeEnd: CodeEnd | null = null;
  /** What the code left behind when it returned. */
  unawaited: readonly string[] = [];
  stopReason: StopReason | null = null;
  isUnloaded: boolean = false;
  /** Give the run up with the next Commit (stop, eviction, divergence). */
  releaseRequested: boolean = false;
  /** Due at once for whoever claims it next: its code begins again from the log. */
  reloadOnRelease: boolean = false;
  /** Steps whose compensation failed. */
  readonly failedCompensations: string[] = [];
  viewsPublished: number = 0;
  /** Calls that came while it was ending. */
  refusedCalls: number = 0;
  nowMs: number = 0;
  decisionReason: string | null = null;
  /** The event by which the run as a whole asks a person; null: nothing is asked, or it was answered. */
  decisionSeq: number | null;
  /** Its code and its log disagree: paused until a person decides (K20). */
  isDiverged: boolean;
  /** What was just recorded is committed before the code sees it (K12). */
  commitBeforeDelivery: boolean = false;
  /** By the store's clock: a run that is created here learns it with its first acknowledgement. */
  deadlineAt: number | null;
  /** A caller gave it the deadline, for all of its line; the workflow's own time limit is for each run anew. */
  readonly chainDeadline: boolean;
  /** The deadline is on its way to the log: it is not told twice. */
  deadlineFired: boolean = false;

  #seed: SeededRandom | null = null;
  #arrivals: Arrival[] = [];
  #begun = false;
  #pumping = false;
  #again = false;
  #turns = 0;
  #forced = false;

  constructor(o: LiveRunOptions) {
    this.host = o.host;
    this.row = o.row;
    this.definition = o.definition;
    this.chain = o.chain;
    this.isContinuation = o.isContinuation;
    this.input = o.input;
    this.fence = o.row.fence;
    const { createdAt, deadlineAt } = o.row;
    const learned = o.history?.start.timeoutMs;
    this.deadlineAt = o.create !== null ? null : (deadlineAt ?? (learned === undefined ? null : createdAt + learned));
    const limitMs = o.create?.deadlineInMs ?? (deadlineAt === null ? null : deadlineAt - createdAt);
    this.chainDeadline = o.history?.start.lineDeadline === true || (limitMs !== null && limitMs !== o.definition?.timeoutMs);
    this.refused = o.refused ?? new Set();
    this.#withoutCode = o.withoutCode === true;
    this.decisionReason = o.history?.decision ?? null;
    this.isDiverged = o.history?.diverged ?? false;
    this.decisionSeq = o.history?.asksAt ?? null;
    this.commits = new CommitBuilder(this, o.history, o.create);
    this.commitLock = new CommitLock(this, o.onCreated ?? null);
    this.mailbox = new Mailbox(this, o.history);
    this.replay = new Replay(this, o.history);
    this.isPaused = this.status === "PAUSED";
    this.mailbox.takeRows(o.inbox);
  }

  get status(): RunStatus | null {
    return this.commits.derived.status;
  }
  /** Of the first run of the line: a run that retries another draws the same keys, so that its outcomes can be adopted. */
  get seed(): SeededRandom {
    return (this.#seed ??= seededRandom(sha256Hex(this.row.rootRunId)));
  }
  /** The code runs here: not so for a run that is paused, in doubt as a whole, or of a workflow unknown to this engine. */
  get hasCode(): boolean {
    return this.replay.hasBegun && !this.replay.hasDiverged;
  }
  /** Given up with the next Commit, due at once: its code begins again from the log. */
  releaseForReload(): void {
    this.reloadOnRelease = true;
    this.releaseRequested = true;
  }

  /** A row woke it before its delay has passed: the row is taken, the start waits (I10). */
  get #isDelayed(): boolean {
    const { dueAt, createdAt } = this.row;
    return this.status === "PENDING" && dueAt !== null && dueAt > Math.max(createdAt, this.host.storeNowMs());
  }

  /** Begins: replays what is recorded, or starts the code for the first time. Returns at once. */
  begin(): void {
    try {
      // A paused run's code is not run: a call it made now could not be recorded (K13). It reloads when resumed.
      const begins = this.status === "PENDING";
      if (this.definition !== null && !this.#withoutCode && !this.isPaused && this.decisionReason === null && !this.#isDelayed) {
        this.replay.begin(() => this.#runCode());
        while (begins && this.#takeControl(["pause", "resume"])); // before its code does anything
      } else this.replay.skip();
    } catch (error) {
      return this.reloadAfterError(error); // D-105: a log that forbids the next event ends this owner's part, not the engine's
    }
    this.#begun = true;
    this.pump();
  }

  #runCode(): void {
    const settle = (end: CodeEnd): void => {
      if (!this.inActivation)
        return this.replay.diverge("PAWL1007", `the code ended ${wokenByUnrecorded(this)}`, "a recorded outcome", "the end of the code");
      if (this.codeEnd !== null) return;
      this.codeEnd = end;
      this.unawaited = unawaitedSteps(this, end);
    };
    try {
      this.definition!.code(new RunCalls(this), this.input === null ? undefined : decode(this.input)).then(
        (value) => settle(codeReturned(value, this.host.limits)),
        (error: unknown) => settle({ kind: "threw", error }),
      );
    } catch (error) {
      settle({ kind: "threw", error });
    }
  }

  /** Something happened outside the code. Accepted always, taken in order when no Commit is in flight. */
  arrive(a: Arrival): void {
    if (this.isUnloaded) return;
    this.#arrivals.push(a);
    this.pump();
  }

  pump(): void {
    if (this.isUnloaded || !this.#begun) return;
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
      if (closed) this.#onQuiet();
      do {
        this.#again = false;
        this.parking.stop();
        const delivery = this.#loop();
        if (delivery !== undefined) return this.#activate(delivery);
      } while (this.#again); // what came in while the last turn ended
      this.#pumping = false;
    } catch (error) {
      this.#pumping = false;
      this.reloadAfterError(error);
    }
  }

  /** Goes on until there is nothing to do, or a delivery to make. */
  #loop(): CodeDelivery | undefined {
    for (;;) {
      if (this.isUnloaded || this.commitLock.isHeld) return;
      if (this.status !== null && isSettled(this.status)) return this.#commit(); // I8: nothing more is taken
      if (this.releaseRequested && this.replay.isActive) return this.#releaseMidReplay();
      if (this.replay.isConfirming && !this.#takeTerminate()) return;
      // Not past the record yet: whether what the code asked for there may begin is known when the record is used up.
      if (
        (this.commitBeforeDelivery || this.#turns >= this.host.limits.immediateCallsMax) &&
        !this.commits.draft.isEmpty &&
        !this.replay.isActive
      )
        return this.#commit();
      if (this.codeEnd !== null || this.replay.hasDiverged) this.deliveries.length = 0;
      if (!this.isPaused && !this.releaseRequested && this.deliveries.length > 0) return this.deliveries.shift();
      if (this.replay.isActive) {
        this.replay.next();
        continue;
      }
      const arrival = this.#arrivals.shift();
      if (arrival !== undefined) {
        takeArrival(this, arrival);
        continue;
      }
      if (advanceSettling(this)) continue;
      if (!this.commits.draft.isEmpty || this.canRelease) return this.#commit();
      // Only here: everything the code was told is committed, so a transaction's outcome comes after it in the log (K13).
      if (this.commitLock.grantNext()) return;
      this.parking.start();
      return;
    }
  }

  /** K19: terminate waits for nothing, not even for verifiers. Everything else does. */
  #takeTerminate(): boolean {
    return this.#takeControl(["terminate"]);
  }
  /** Takes the first of these before whatever else has come; false: there is none. */
  #takeControl(names: readonly string[]): boolean {
    const at = this.#arrivals.findIndex((a) => a.type === "control" && names.includes(a.row.name));
    if (at < 0) return false;
    for (const a of this.#arrivals.splice(at, 1)) takeArrival(this, a);
    return true;
  }

  /** Given up in the middle of the record: nothing new was decided, so the next owner reads it from the start. */
  #releaseMidReplay(): undefined {
    this.releaseForReload();
    this.#forced = true;
    this.#commit();
  }

  /** K15: deliver in one turn, close in a second queued with it; all microtasks run between, no I/O does. */
  #activate(d: CodeDelivery): void {
    this.host.platform.turn(() => {
      if (this.isUnloaded) return;
      this.inActivation = true;
      this.nowMs = Math.max(this.nowMs, d.at);
      try {
        this.host.context.run(this, d.deliver);
      } catch (e) {
        this.reloadAfterError(e); // a record that cannot be read must not end the process
      }
    });
    this.host.platform.turn(() => {
      this.inActivation = false;
      this.#turn(true);
    });
  }

  #onQuiet(): void {
    this.#turns++;
    if (this.isUnloaded || this.replay.hasDiverged) return;
    this.mailbox.match();
    if (
      this.codeEnd !== null ||
      this.stopReason !== null ||
      this.replay.isActive ||
      this.deliveries.length > 0 ||
      this.#arrivals.length > 0
    )
      return;
    if (this.open.size === 0 && !this.mailbox.hasUpdateHandlers)
      this.replay.diverge("PAWL1007", waitsOnUnrecorded(this), "an open step", "none");
  }

  #commit(): undefined {
    this.commitBeforeDelivery = false;
    this.#turns = 0;
    this.commitLock.commit();
  }

  /** Gives the run up as soon as nothing is in flight; outcomes that come in are committed, and delivered by the next owner. */
  release(): void {
    this.releaseRequested = true;
    this.pump();
  }
  /** Gives it up now: what is in flight is aborted, and recovered by its class elsewhere. */
  releaseNow(): void {
    this.#forced = true;
    for (const s of this.open.values()) s.abort?.(new PawlError("PAWL5003", "the engine is stopping"));
    this.release();
  }
  get canRelease(): boolean {
    return this.releaseRequested && (this.#forced || !this.parking.isBusy);
  }
  /** The next owner must serve exactly the pinned version (K20). */
  releaseToPinnedVersion(): void {
    this.commits.exactVersion = true;
    this.releaseForReload(); // due at once: the rows that woke it are taken, and would wake nobody again (K18)
    this.pump();
  }

  /** Every open step of an earlier owner goes on by its kind and class. */
  resumeOpenSteps(): void {
    for (const s of this.open.values()) if (s.state !== "starting") resumeOpenStep(this, s);
  }

  /** A defect, ours or the store's: this owner stops touching the run; whoever claims it next starts from the log. */
  reloadAfterError(error: unknown): void {
    if (this.isUnloaded) return;
    this.host.log("error", `run ${this.row.runId} is read again from its log: ${error instanceof Error ? error.message : String(error)}`, {
      error,
    });
    this.unload({ kind: "reload", refused: new Set(), reason: null });
  }

  unload(why: UnloadReason): void {
    if (this.isUnloaded) return;
    this.isUnloaded = true;
    this.parking.close();
    // Made where it is wanted: an error that nobody is given costs as much as a step.
    const reason = (): PawlError => new PawlError("PAWL3017", "this engine no longer owns the run");
    for (const s of this.open.values()) s.abort?.(reason());
    for (const _ of this.rerecording) this.host.effectLimiter.release();
    this.rerecording.clear();
    this.replay.abortConfirmations(reason);
    this.commitLock.close();
    this.host.onUnloaded(this, why);
  }
}
