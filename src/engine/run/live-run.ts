// One run in its owner's memory: the code, the schedule, and the loop that turns what happened into events, deliveries and
// Commits. The order is K13's: an outcome is logged, delivered, the code runs until quiet, its calls are logged directly after.
// Nothing leaves before its Commit is acknowledged (K14); at most one Commit of a run is in flight (K6). Losing the fence
// abandons all of it: promises that never settle.
import { isSettled, type Fence, type RunStatus } from "../../core/model.ts";
import { seededRandom, type SeededRandom } from "../../core/seeded-random.ts";
import { StepNames } from "../../core/step-id.ts";
import { parseTraceparent } from "../../core/traceparent.ts";
import { decode } from "../../codec/value.ts";
import { PawlError } from "../../errors/error.ts";
import { sha256Hex } from "../../platform/crypto/hash.ts";
import type { DispatchRow, InboxRow, NewRun, RunRow } from "../../store/port.ts";
import { takeArrival, type Arrival } from "./arrivals.ts";
import type { ForkPoint } from "../calls.ts";
import type { Creation } from "../create-run.ts";
import type { Definition } from "../definition.ts";
import type { History } from "./history.ts";
import type { LogLevel, UnloadReason, RunHost } from "../run-host.ts";
import type { RunChain } from "../chain/run-chain.ts";
import { Mailbox } from "../messages/mailbox.ts";
import { UpdateRequests } from "../messages/updates.ts";
import { HeldPlaces } from "../effects/dispatch-age.ts";
import { ToolCalls } from "../effects/tool-calls.ts";
import { OpenDispatches } from "../queued/queued-state.ts";
import { OpenSteps } from "./open-steps.ts";
import { RunState } from "./run-state.ts";
import { UndoList } from "./undo-list.ts";
import { CommitBuilder } from "./commit-builder.ts";
import { Replay } from "./replay.ts";
import { ClosingScopes } from "../steps/closing-scopes.ts";
import { Parking } from "./parking.ts";
import { RunCalls } from "./run-calls.ts";
import type { CodeEnd } from "./ending.ts";
import { advanceSettling, codeReturned } from "./settle.ts";
import { unawaitedSteps } from "./unawaited-steps.ts";
import { CommitLock } from "./commit-lock.ts";
import { commitRun } from "./commit-run.ts";
import { waitsOnUnrecorded, wokenByUnrecorded } from "../decisions/needs-decision.ts";
import { resumeStep } from "../steps/resume-step.ts";
import { RunTrace } from "../telemetry/run-trace.ts";
import type { FoldedEvent } from "../fold/recorded-step.ts";
import { BaseFold } from "../snapshot/base.ts";
import { restoreBefore, type RestoredFrom } from "../snapshot/resume-run.ts";
import { untilRead } from "../snapshot/until-read.ts";
import { SnapshotWriter } from "../snapshot/snapshot-writer.ts";
import { WantedResultsReader } from "../snapshot/wanted-results.ts";

/** A turn of the code: `go` runs in an open activation, `at` becomes ctx.now(). */
export interface CodeDelivery {
  readonly at: number;
  readonly deliver: () => void;
  /** The step whose end it is. */
  readonly of?: { readonly stepId: string; readonly ok: boolean };
}

export interface LiveRunOptions {
  readonly host: RunHost;
  readonly row: RunRow;
  /** null: only control rows are handled, no code runs (K5). */
  readonly definition: Definition | null;
  readonly history: History | null;
  /** What its log folds to, and where its code begins: of a run whose style has snapshots. */
  readonly fold?: BaseFold | null;
  /** What its log has after the fold. */
  readonly unfolded?: readonly FoldedEvent[];
  readonly from?: RestoredFrom | null;
  readonly forkPoint?: ForkPoint | null;
  /** Outcomes that the store would not hold: final failures of their steps (K12). */
  readonly refused?: ReadonlySet<string>;
  /** The code is not run although it is known: the run waits for a person, or its input was refused. */
  readonly withoutCode?: boolean;
  /** What the runs before it recorded; null: it is the first of its chain. */
  readonly chain: RunChain | null;
  /** Its chain continues another run: keys of authors are looked for there. */
  readonly isContinuation: boolean;
  readonly inbox: readonly InboxRow[];
  /** Its rows on queues, read before its inbox. */
  readonly dispatchRows?: readonly DispatchRow[];
  /** The first Commit creates the run. */
  readonly create: NewRun | null;
  readonly onCreated?: () => void;
  /** Encoded, already checked against the workflow's schema; null when there is none. */
  readonly input: string | null;
  /** Of a run that is created here: the span that it was started in. */
  readonly traceparent?: string | undefined;
  /** Of a run that is created here: who asked for it, and by which request. */
  readonly asked?: Pick<Creation, "by" | "request" | "priority">;
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
  /** The span that it was started in, as W3C trace context. */
  readonly starter: string | undefined;
  /** Of a run that is created here: its first event says so. */
  readonly asked: Pick<Creation, "by" | "request" | "priority"> | undefined;
  /** Of its queued steps, unless their task says otherwise. */
  readonly priority: number;
  /** Its spans; null: nobody wants any. */
  readonly trace: RunTrace | null;
  /** Controls that this owner has taken: their names by their ids. */
  readonly controlIds: Map<string, string> = new Map();
  readonly #withoutCode: boolean;
  readonly names: StepNames = new StepNames(sha256Hex);
  readonly state: RunState;
  readonly steps: OpenSteps = new OpenSteps();
  readonly undo: UndoList = new UndoList();
  readonly toolCalls: ToolCalls = new ToolCalls();
  readonly dispatches: OpenDispatches = new OpenDispatches();
  /** As they were when it was loaded. */
  readonly dispatchRows: readonly DispatchRow[];
  readonly heldPlaces: HeldPlaces;
  readonly mailbox: Mailbox;
  readonly updates: UpdateRequests;
  readonly replay: Replay;
  readonly commits: CommitBuilder;
  readonly commitLock: CommitLock;
  /** Parts of its code that have ended, while steps of theirs are open. */
  readonly closingScopes: ClosingScopes = new ClosingScopes();
  readonly parking: Parking = new Parking(this);
  /** Null: its code always begins at event 1. */
  readonly snapshots: SnapshotWriter | null;
  /** Where its code begins; null: at event 1. */
  readonly from: RestoredFrom | null;
  /** Of a forked graph whose code begins at event 1. */
  readonly forkPoint: ForkPoint | null;
  /** A caller gave it the deadline, for the whole run chain; the workflow's own time limit counts for each run separately. */
  readonly chainDeadline: boolean;

  #seed: SeededRandom | null = null;
  #results: WantedResultsReader | null = null;
  #arrivals: Arrival[] = [];
  readonly #deliveries: CodeDelivery[] = [];
  #onCreated: (() => void) | undefined;
  #begun = false;
  #pumping = false;
  #again = false;
  #turns = 0;

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
    const limitMs = o.create?.deadlineInMs ?? (deadlineAt === null ? null : deadlineAt - createdAt);
    this.chainDeadline = o.history?.start.lineDeadline === true || (limitMs !== null && limitMs !== o.definition?.timeoutMs);
    this.refused = o.refused ?? new Set();
    const starter = (this.starter = o.traceparent ?? o.history?.start.traceparent);
    this.asked = o.asked;
    this.priority = o.asked?.priority ?? o.history?.start.priority ?? 0;
    const latest = o.history?.lastActivation ?? null;
    const { telemetry } = o.host;
    this.trace =
      telemetry === null || !telemetry.isOn()
        ? null
        : new RunTrace(telemetry, o.row, o.host.engineId, {
            starter,
            first: o.history?.start.activation,
            latest,
            isAgent: o.definition?.isAgent === true,
          });
    this.#withoutCode = o.withoutCode === true;
    this.heldPlaces = new HeldPlaces(o.host.effectLimiter);
    this.commits = new CommitBuilder(this, o.history, o.create);
    this.state = new RunState({
      isPaused: this.status === "PAUSED",
      isDiverged: o.history?.diverged ?? false,
      decisionReason: o.history?.decision ?? null,
      decisionSeq: o.history?.asksAt ?? null,
      deadlineAt: o.create !== null ? null : (deadlineAt ?? (learned === undefined ? null : createdAt + learned)),
    });
    this.commitLock = new CommitLock(() => this.pump());
    const fold = o.definition?.style === undefined ? null : o.create === null ? (o.fold ?? null) : new BaseFold();
    this.snapshots = fold === null ? null : new SnapshotWriter(o.row.runId, fold, o.host.limits.snapshotTailBytesMin, o.unfolded);
    this.from = o.from ?? null;
    this.forkPoint = o.forkPoint ?? null;
    if (this.from !== null) restoreBefore(this, this.from);
    this.#onCreated = o.onCreated;
    this.updates = new UpdateRequests(this, o.history);
    this.mailbox = new Mailbox(this, o.history === null || o.history.startedEmittedAt === null);
    this.replay = new Replay(this, o.history);
    this.dispatchRows = o.dispatchRows ?? [];
    for (const d of this.dispatchRows) this.dispatches.add(d);
    this.dispatches.setHeld(this.dispatchRows.some((d) => d.held));
    this.mailbox.takeRows(o.inbox);
  }

  get status(): RunStatus | null {
    return this.commits.derived.status;
  }
  /** Of the first run of the chain: a run that retries another draws the same keys, so that its outcomes can be adopted. */
  get seed(): SeededRandom {
    return (this.#seed ??= seededRandom(sha256Hex(this.row.rootRunId)));
  }
  /** Results that its code asked for, of steps that ended before this owner had it. */
  get results(): WantedResultsReader {
    return (this.#results ??= new WantedResultsReader(this.host.store, this.row.runId));
  }
  /** The code runs here: not so for a run that is paused, in doubt as a whole, or of a workflow unknown to this engine. */
  get hasCode(): boolean {
    return this.replay.hasBegun && !this.replay.hasDiverged;
  }
  /** Given up with the next Commit, due at once: its code begins again from the log. */
  releaseForReload(): void {
    this.state.requestReload();
  }

  /** A row woke it before its delay has passed: the row is taken, the start waits (I10). */
  get #isDelayed(): boolean {
    const { dueAt, createdAt } = this.row;
    return this.status === "PENDING" && dueAt !== null && dueAt > Math.max(createdAt, this.host.storeNowMs());
  }

  /** Its first Commit is acknowledged. */
  onCreated(): void {
    this.#onCreated?.();
  }

  /** Begins: replays what is recorded, or starts the code for the first time. Returns at once. */
  begin(): void {
    this.trace?.begin(this.commits.create === null ? "claim" : "start");
    try {
      // A paused run's code is not run: a call it made now could not be recorded (K13). It reloads when resumed.
      const begins = this.status === "PENDING";
      if (this.definition !== null && !this.#withoutCode && !this.state.isPaused && !this.state.needsDecision && !this.#isDelayed) {
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
      if (!this.state.inActivation)
        return this.replay.diverge("PAWL1007", `the code ended ${wokenByUnrecorded(this)}`, "a recorded outcome", "the end of the code");
      if (this.state.codeEnd === null) this.state.endCode(end, unawaitedSteps(this, end));
    };
    try {
      const calls = new RunCalls(this);
      const input = this.input === null ? undefined : decode(this.input);
      const { code, style } = this.definition!;
      (this.from === null ? code(calls, input) : style!.resume(calls, input, this.from.point)).then(
        (value) => settle(codeReturned(value, this.host.limits)),
        (error: unknown) => settle({ kind: "threw", error }),
      );
    } catch (error) {
      settle({ kind: "threw", error });
    }
  }

  /** Something happened outside the code. Accepted always, taken in order when no Commit is in flight. */
  arrive(a: Arrival): void {
    if (this.state.isUnloaded) return;
    this.#arrivals.push(a);
    this.pump();
  }

  /** A turn for the code, after those that wait already. */
  deliver(d: CodeDelivery): void {
    this.#deliveries.push(d);
  }
  get hasDeliveries(): boolean {
    return this.#deliveries.length > 0;
  }

  pump(): void {
    if (this.state.isUnloaded || !this.#begun) return;
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

  /** Runs until there is nothing to do, or a delivery to make. */
  #loop(): CodeDelivery | undefined {
    const { state } = this;
    for (;;) {
      if (state.isUnloaded || this.commitLock.isHeld) return;
      if (this.status !== null && isSettled(this.status)) return this.#commit(); // I8: nothing more is taken
      if (state.releaseRequested && this.replay.isActive) return this.#releaseMidReplay();
      if (this.replay.isConfirming && !this.#takeTerminate()) return;
      // Not past the record yet: whether what the code asked for there may begin is known when the record is used up.
      if (
        (state.mustCommitFirst || this.#turns >= this.host.limits.immediateCallsMax) &&
        !this.commits.draft.isEmpty &&
        !this.replay.isActive
      )
        return this.#commit();
      if (state.codeEnd !== null || this.replay.hasDiverged) this.#deliveries.length = 0;
      if (!state.isPaused && !state.releaseRequested && this.#deliveries.length > 0) {
        if (this.#results !== null && this.#readsFirst(this.#results)) return;
        return this.#deliveries.shift();
      }
      if (this.replay.isActive) {
        this.replay.next();
        continue;
      }
      if (this.snapshots !== null && this.commits.draft.isEmpty && this.hasCode && !state.isEnding) this.snapshots.noteClean();
      if (this.closingScopes.advance(this)) continue;
      const arrival = this.#arrivals.shift();
      if (arrival !== undefined) {
        takeArrival(this, arrival);
        continue;
      }
      if (advanceSettling(this)) continue;
      if (this.undo.isRestoring && !state.releaseForced) return; // what is undone next goes into the same Commit
      if (!this.commits.draft.isEmpty || this.canRelease) return this.#commit();
      // Only here: everything that was delivered to the code is committed, so a transaction's outcome comes after it in the log (K13).
      if (this.commitLock.grantNext()) return;
      // A transaction ended last, and the code waits for something else: without a Commit the store would say that the run is at work, and due.
      if (this.commits.saysAtWork && !this.parking.isBusy) return this.#commit();
      this.parking.start();
      return;
    }
  }

  /** K15: what the code will look up in its next turn is read before the turn opens. */
  #readsFirst(results: WantedResultsReader): boolean {
    if (results.isReading) return true;
    const missing = results.missing(this.#deliveries[0]!.of);
    if (missing.length === 0) return false;
    untilRead(this, () => results.read(missing)).then(
      () => this.pump(),
      (e: unknown) => this.reloadAfterError(e),
    );
    return true;
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
    this.state.requestReload();
    this.state.forceRelease();
    this.#commit();
  }

  /** K15: deliver in one turn, close in a second queued with it; all microtasks run between, no I/O does. */
  #activate(d: CodeDelivery): void {
    this.host.platform.turn(() => {
      if (this.state.isUnloaded) return;
      this.state.openActivation(d.at);
      try {
        this.host.context.run(this, d.deliver);
      } catch (e) {
        this.reloadAfterError(e); // a record that cannot be read must not end the process
      }
    });
    this.host.platform.turn(() => {
      this.state.closeActivation();
      this.#turn(true);
    });
  }

  #onQuiet(): void {
    this.#turns++;
    this.#results?.forget();
    if (this.state.isUnloaded || this.replay.hasDiverged) return;
    this.mailbox.match();
    if (this.state.isEnding || this.replay.isActive || this.#deliveries.length > 0 || this.#arrivals.length > 0) return;
    if (this.steps.size === 0 && !this.updates.hasHandlers)
      this.replay.diverge("PAWL1007", waitsOnUnrecorded(this), "an open step", "none");
  }

  #commit(): undefined {
    this.state.committing();
    this.#turns = 0;
    commitRun(this);
  }

  /** Gives the run up as soon as nothing is in flight; outcomes that come in are committed, and delivered by the next owner. */
  release(): void {
    this.state.requestRelease();
    this.pump();
  }
  /** Gives it up now: what is in flight is aborted, and recovered by its class elsewhere. */
  releaseNow(): void {
    this.state.forceRelease();
    for (const s of this.steps.all()) s.abort?.(new PawlError("PAWL5003", "the engine is stopping"));
    this.pump();
  }
  get canRelease(): boolean {
    return this.state.releaseRequested && (this.state.releaseForced || !this.parking.isBusy);
  }
  /** The next owner must serve exactly the pinned version (K20). */
  releaseToPinnedVersion(): void {
    this.commits.exactVersion = true;
    this.releaseForReload(); // due at once: the rows that woke it are taken, and would wake nobody again (K18)
    this.pump();
  }

  /** Every open step of an earlier owner is resumed by its kind and class. */
  resumeOpenSteps(): void {
    for (const s of this.steps.all()) if (s.state !== "starting") resumeStep(this, s);
    this.mailbox.reports.begin();
  }

  /** A defect, ours or the store's: this owner stops touching the run; the next owner starts from the log. */
  reloadAfterError(error: unknown): void {
    if (this.state.isUnloaded) return;
    this.log("error", `run ${this.row.runId} is read again from its log: ${error instanceof Error ? error.message : String(error)}`, {
      error,
    });
    this.unload({ kind: "reload", refused: new Set(), reason: null });
  }

  unload(why: UnloadReason): void {
    if (!this.state.unload()) return;
    this.parking.close();
    // Made where it is wanted: an error that nobody is given costs as much as a step.
    const reason = (): PawlError => new PawlError("PAWL3017", "this engine no longer owns the run");
    for (const s of this.steps.all()) {
      s.abort?.(reason());
      s.queue?.releasePlace();
    }
    this.mailbox.reports.onUnloaded();
    this.heldPlaces.giveUpAll();
    this.replay.abortConfirmations(reason);
    this.commitLock.close();
    this.trace?.end(
      why.kind === "settled" ? why.status : why.kind,
      why.kind === "settled" && why.status === "FAILED" ? "FAILED" : undefined,
    );
    this.host.onUnloaded(this, why);
  }

  /** What a run that this one starts belongs under, as W3C trace context. */
  get traceparent(): string | undefined {
    return this.trace?.traceparent ?? this.starter;
  }
  /** A line about this run: it says which one, and in which trace. */
  log(level: LogLevel, message: string, data: Readonly<Record<string, unknown>> = {}): void {
    const traceId = parseTraceparent(this.traceparent)?.traceId;
    this.host.log(level, message, { runId: this.row.runId, ...(traceId === undefined ? {} : { traceId }), ...data });
  }
}
