// Builds a run's Commits. Events are checked against the transition table, wait in the draft, and become Commits under the fence and
// version last acknowledged. It knows nothing of the code, and must never emit an event that the table forbids (D-103 … D-105).
import { isSettled, type EventType, type RunStatus } from "../../core/model.ts";
import { applyTransition, checkTransition, emptyDerived, nextRunStatus, type Derived } from "../../core/transitions.ts";
import { PawlError } from "../../errors/error.ts";
import { jsonObject, jsonValue, withEndTime, withTransition, pawlEvents } from "../../events/payload.ts";
import { EventMaker, type ChainHead, type EventDraft } from "../../events/event-maker.ts";
import { failureCode } from "../../events/failure-code.ts";
import type { Commit, DispatchRef, EventWrite, NewRun, Snapshot } from "../../store/port.ts";
import { CommitDraft, CommitExtras, nothingEventless, type PendingEvent } from "./commit-draft.ts";
import type { History } from "./history.ts";
import type { LiveRun } from "./live-run.ts";
import { foldVersion } from "../snapshot/body.ts";
import type { OpenStep } from "../steps/open-step.ts";
import { nextWake, waitingFor } from "./next-wake.ts";
import type { TakeOver } from "../chain/take-over.ts";

/** An event to append; attempts are counted here unless they are given. */
type NewEvent = Omit<PendingEvent, "emittedAt" | "logical" | "engine"> & { readonly logical?: number; readonly engine?: number };

/** `seal`: the number of the seal that it carries. */
/** What a seal takes in a Commit, about. */
const sealBytes = 1_300;

export interface BuiltCommit {
  readonly commit: Commit;
  readonly bytes: number;
  readonly seal: number | null;
  /** Called when it is acknowledged. */
  readonly onAck: readonly (() => void)[];
}

export class CommitBuilder {
  readonly draft: CommitDraft;
  /** What the log folds to, with the events that are not yet committed. */
  readonly derived: Derived;
  /** The first Commit creates the run; null from its acknowledgement on. */
  create: NewRun | null;
  /** When the store will let somebody claim the run again, and when it said so. */
  committedDueAt: number | null;
  committedAt: number;
  /** Of a plan: where the results of its steps stand in the log, as far as this owner has seen them placed. */
  readonly outcomePlaces: Map<string, number> = new Map();
  /** What the next Commit says about the version that the next owner must serve; undefined: as it was. */
  exactVersion: boolean | undefined;
  /** Written before the next event, and by no Commit that has none. */
  takeOver: TakeOver | null = null;

  readonly #run: LiveRun;
  readonly #ordinals: Map<string, number>;
  #maker: EventMaker;
  #stateVersion: number;
  /** With the events of all Commits that were built. */
  #status: RunStatus | null;
  #lastEmitted: number;
  /** The last Commit said that the run is at work, since something follows from it. */
  #isAtWork = false;
  /** Where the log ended before the snapshot was announced that is on its way. */
  #beforeSnapshot: ChainHead | null = null;
  /** The last seal, or the run's beginning: its place in the log, and the store's time. */
  #sealed: { readonly runSeq: number; readonly at: number };

  constructor(run: LiveRun, history: History | null, create: NewRun | null) {
    const { row, host } = run;
    this.#run = run;
    this.draft = new CommitDraft(host.limits);
    this.derived = history?.derived ?? emptyDerived();
    this.create = create;
    this.committedDueAt = create === null ? row.dueAt : null;
    this.committedAt = row.persistedAt;
    this.#ordinals = history?.ordinals ?? new Map();
    const identity = { runId: row.runId, scope: row.scope, planId: row.workflow, planVersion: row.version };
    const sealedAt = history?.lastPersistedAt ?? null;
    this.#maker = new EventMaker(identity, host.platform, { seq: row.headSeq, link: row.headLink, sealedAt });
    this.#stateVersion = row.stateVersion;
    this.#status = history?.derived.status ?? null;
    this.#lastEmitted = history?.lastEmittedAt ?? 0;
    this.#sealed = history?.lastSeal ?? { runSeq: 0, at: row.createdAt };
  }

  /** The head of the log with all that this owner has decided and not committed yet. */
  get headSeq(): number {
    return this.#maker.seq + this.draft.length;
  }

  /** The producer's guard (D-103 … D-105): an event that the transition table forbids is never emitted. */
  append(p: NewEvent): number {
    if (this.takeOver !== null) {
      const first = this.takeOver;
      this.takeOver = null;
      this.append(first);
    }
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
    const emittedAt = (this.#lastEmitted = Math.max(this.#lastEmitted, this.#run.host.storeNowMs()));
    const payload = p.eventType.startsWith("Run") ? this.#withStatusMove(p.payload, from) : p.payload;
    // Every member named: all protos have one shape, which is what keeps reading them cheap.
    this.draft.add({
      eventType: p.eventType,
      stepId: p.stepId,
      logical,
      engine: p.engine ?? 1,
      emittedAt,
      payload: this.#run.trace === null ? payload : this.#run.trace.stamp(payload),
      starts: p.starts,
      consumed: p.consumed,
      reply: p.reply,
      rejected: p.rejected,
      view: p.view,
      child: p.child,
      notices: p.notices,
      notBefore: p.notBefore,
      moveInboxTo: p.moveInboxTo,
      effect: p.effect,
      dispatch: p.dispatch,
      ends: p.ends,
      checkpoint: p.checkpoint,
      onPlaced: p.onPlaced,
      onAck: p.onAck,
    });
    return emittedAt;
  }

  /** An outcome that a transaction committed by itself enters the derived state here. */
  applyOutcome(step: OpenStep, p: PendingEvent): void {
    applyTransition(this.derived, { eventType: p.eventType, stepId: step.stepId, logicalAttemptId: p.logical });
    this.#lastEmitted = Math.max(this.#lastEmitted, p.emittedAt);
  }

  /** Steps under `scope` have ended, and nothing follows from them any more. */
  forgetSteps(scope: string): void {
    for (const stepId of this.derived.steps.keys()) if (stepId.startsWith(`${scope}/`)) this.derived.steps.delete(stepId);
  }

  /** An end also says when it was written: nothing follows it that could seal its time (docs/adr/0007). */
  #withStatusMove(payload: string | null, from: RunStatus | null): string {
    const { host } = this.#run;
    const moved = withTransition(payload, from, host.engineId());
    return this.derived.status !== null && isSettled(this.derived.status) ? withEndTime(moved, host.storeNowMs()) : moved;
  }

  #ordinal(type: EventType): number {
    return type.startsWith("pawl.") || type === "RunPaused" || type === "RunResumed" ? (this.#ordinals.get(type) ?? 0) + 1 : 1;
  }

  /** A Commit of these events, under the fence and version last acknowledged. Freezes them: asked again as it is (K10). */
  build(protos: readonly PendingEvent[], rest: boolean, alone?: EventMaker): BuiltCommit {
    const run = this.#run;
    const maker = alone ?? this.#maker;
    // A Commit that may be rolled back takes nothing along that would be lost with it.
    const loose = alone === undefined ? this.draft.drainEventless() : nothingEventless;
    const version = this.#stateVersion + 1;
    let bytes = 400;
    let status = this.#status ?? "PENDING";
    let notBefore: number | null = null;
    const events: EventWrite[] = [];
    const gathered = new CommitExtras(loose);
    let seal: number | null = null;
    let errorCode: string | undefined;
    for (const p of protos) {
      bytes += 500 + (p.payload?.length ?? 0);
      status = nextRunStatus(this.#status, p.eventType) ?? status;
      this.#status = status;
      if (p.eventType === "RunFailed") errorCode = failureCode(p.payload);
      if (p.notBefore !== undefined) notBefore = Math.max(notBefore ?? 0, p.notBefore);
      const draft = {
        eventType: p.eventType,
        stepId: p.stepId,
        logicalAttemptId: p.logical,
        engineAttemptId: p.engine,
        emittedAt: p.emittedAt,
        payload: p.payload,
      };
      // The end is sealed in its own Commit: nothing follows a terminal event (I8).
      if (run.host.sealer !== null && isSettled(status)) seal = this.#seal(maker, events, draft, version);
      else events.push(maker.make(draft, version));
      gathered.add(p, events.at(-1)!.runSeq);
    }
    const settled = isSettled(status);
    // A transaction's Commit may be rolled back: the next one seals what it wrote.
    if (!settled && alone === undefined && events.length > 0 && this.#sealDue(maker.head.seq))
      seal = this.#seal(maker, events, null, version);
    const snapshot =
      alone !== undefined || settled || seal !== null || this.create !== null ? null : this.#dueSnapshot(rest, protos.length);
    if (snapshot !== null) {
      events.push(this.#announce(snapshot, version));
      bytes += 700 + snapshot.body.length;
    }
    for (const e of loose.effects) gathered.addEffect(e, maker.head.seq);
    const commit: { -readonly [K in keyof Commit]: Commit[K] } = {
      commitId: run.host.platform.uuidV4(),
      runId: run.row.runId,
      expect: this.create === null ? { fence: run.fence, stateVersion: this.#stateVersion } : { create: this.create },
      events,
      status,
      waiting: settled ? null : waitingFor(run, rest),
      due: settled ? { at: null, inMs: null } : nextWake(run, rest),
      release: settled || (!rest && run.canRelease),
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
    if (this.exactVersion !== undefined) commit.exactVersion = this.exactVersion;
    if (errorCode !== undefined) commit.errorCode = errorCode;
    if (gathered.rejected.length > 0) commit.rejected = gathered.rejected;
    if (gathered.effects !== null) commit.effects = [...gathered.effects.values()];
    if (gathered.checkpoint !== null) commit.checkpoint = gathered.checkpoint;
    if (snapshot !== null) commit.snapshot = snapshot;
    if (run.dispatches.size > 0 || gathered.dispatches.length > 0) bytes += this.#addQueueing(commit, gathered, loose.withdraws, settled);
    return { commit, bytes: seal === null ? bytes : bytes + sealBytes, seal, onAck: loose.onAck };
  }

  /** What the Commit says of the run's dispatches; how many bytes that takes. */
  #addQueueing(
    commit: { -readonly [K in keyof Commit]: Commit[K] },
    { dispatches, ends }: CommitExtras,
    withdraws: readonly DispatchRef[],
    settled: boolean,
  ): number {
    const run = this.#run;
    for (const d of dispatches) run.dispatches.add(d);
    const known = ends.filter((d) => run.dispatches.has(d));
    for (const d of known) run.dispatches.delete(d);
    if (settled && run.dispatches.size > 0) {
      commit.drop = true; // all that is left of them
      return 0;
    }
    if (dispatches.length > 0) commit.dispatches = dispatches;
    if (known.length > 0) commit.ends = known;
    if (settled) return 0;
    if (withdraws.length > 0) commit.withdraws = withdraws;
    const held = run.dispatches.hold(run.status === "PAUSED" || run.state.needsDecision);
    if (held !== undefined) commit.held = held;
    return dispatches.reduce((sum, d) => sum + 300 + d.spec.length, 0);
  }

  /** It stands behind the last event that the Commit holds of the draft, so that no place of the draft moves; or in a Commit without any. */
  #dueSnapshot(rest: boolean, events: number): Snapshot | null {
    const { snapshots, canRelease } = this.#run;
    return snapshots === null || (rest && events > 0) || this.#run.state.isEnding ? null : snapshots.due(canRelease);
  }
  #announce({ at, digest, body }: Snapshot, version: number): EventWrite {
    const eventType = pawlEvents.snapshot;
    const logicalAttemptId = this.#ordinal(eventType);
    this.#ordinals.set(eventType, logicalAttemptId);
    this.#beforeSnapshot = this.#maker.head;
    const payload = jsonObject({
      at: String(at),
      digest: jsonValue(digest),
      bytes: String(body.length),
      v: jsonValue(foldVersion(this.#run.snapshots!.fold)),
    });
    return this.#maker.make(
      { eventType, stepId: null, logicalAttemptId, engineAttemptId: 1, emittedAt: this.#lastEmitted, payload },
      version,
    );
  }
  /** The same Commit without its snapshot, which the store would not hold; nothing of it was written. */
  withoutSnapshot(c: Commit): Commit {
    const { snapshot: _, ...rest } = c;
    this.#maker.unmakeLast(this.#beforeSnapshot!);
    this.#ordinals.set(pawlEvents.snapshot, (this.#ordinals.get(pawlEvents.snapshot) ?? 1) - 1);
    return { ...rest, commitId: this.#run.host.platform.uuidV4(), events: c.events.slice(0, -1) };
  }

  #sealDue(headSeq: number): boolean {
    const { sealer, storeNowMs } = this.#run.host;
    return sealer?.isDue(headSeq - this.#sealed.runSeq, storeNowMs() - this.#sealed.at) === true;
  }

  /** Seals what was made so far, and the end if there is one. The number must be answered once the Commit is. */
  #seal(maker: EventMaker, events: EventWrite[], end: EventDraft | null, version: number): number {
    const { host, row } = this.#run;
    const eventType = pawlEvents.sealed;
    const logicalAttemptId = this.#ordinal(eventType);
    this.#ordinals.set(eventType, logicalAttemptId);
    let n = 0;
    const draft = { eventType, stepId: null, logicalAttemptId, engineAttemptId: 1, emittedAt: end?.emittedAt ?? this.#lastEmitted };
    const made = maker.seal(draft, end, version, (place) => {
      const seal = host.sealer!.seal(row.runId, place, host.storeNowMs());
      n = seal.n;
      return seal.payload;
    });
    events.push(...made);
    this.#sealed = { runSeq: made[0]!.runSeq, at: host.storeNowMs() };
    return n;
  }

  /** It is in the store. Never called for a Commit that was rolled back. */
  onAcknowledged(answer: { readonly persistedAt: number; readonly dueAt: number | null }, commit: Commit): void {
    this.create = null;
    this.#stateVersion++;
    this.committedDueAt = answer.dueAt;
    this.committedAt = answer.persistedAt;
    this.#isAtWork = false;
    if (commit.events.length > 0) this.#maker.onCommitted(answer.persistedAt);
  }

  /** A transaction is in the store: its value is delivered next. If nothing comes of that, the store must still learn what the run waits for. */
  noteAtWork(): void {
    this.#isAtWork = true;
  }
  get saysAtWork(): boolean {
    return this.#isAtWork;
  }

  /** A maker that starts at the head, for a Commit that may be rolled back; `adopt` makes it the run's own. */
  forkMaker(): { maker: EventMaker; adopt: () => void } {
    const maker = this.#maker.fork();
    return { maker, adopt: () => (this.#maker = maker) };
  }
}
