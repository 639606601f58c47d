// The state of a live run: paused, asking a person, ending, on its way out of memory. The members are private and change only by the
// named transitions below, each of which keeps what belongs together; everybody else asks questions. It writes no event and knows
// no store: the caller of a transition has appended the event that goes with it.
import type { Arrival } from "./arrivals.ts";
import { ContinueAsNew, type CodeEnd, type StopReason } from "./ending.ts";

/** What the log, or the run's row, says at the time the run is loaded. */
export interface RecordedRunState {
  readonly isPaused: boolean;
  readonly isDiverged: boolean;
  readonly decisionReason: string | null;
  readonly decisionSeq: number | null;
  readonly deadlineAt: number | null;
}

export class RunState {
  #isPaused: boolean;
  #isDiverged: boolean;
  #decisionReason: string | null;
  #decisionSeq: number | null;
  #stopReason: StopReason | null = null;
  #codeEnd: CodeEnd | null = null;
  #unawaited: readonly string[] = [];
  #deadlineAt: number | null;
  #deadlineFired = false;
  #release: "no" | "requested" | "forced" = "no";
  #reloadOnRelease = false;
  #isUnloaded = false;
  #inActivation = false;
  #nowMs = 0;
  #lastCall: string | null = null;
  #commitFirst = false;
  #refusedCalls = 0;
  #heldArrivals: Arrival[] = [];
  #pendingPauses: number[] = [];

  constructor(recorded: RecordedRunState) {
    this.#isPaused = recorded.isPaused;
    this.#isDiverged = recorded.isDiverged;
    this.#decisionReason = recorded.decisionReason;
    this.#decisionSeq = recorded.decisionSeq;
    this.#deadlineAt = recorded.deadlineAt;
  }

  // Pausing, and questions to a person.

  get isPaused(): boolean {
    return this.#isPaused;
  }
  /** Its code and its log disagree: paused until a person decides (K20). */
  get isDiverged(): boolean {
    return this.#isDiverged;
  }
  /** Why the run as a whole waits for a person; null: it does not. */
  get decisionReason(): string | null {
    return this.#decisionReason;
  }
  get needsDecision(): boolean {
    return this.#decisionReason !== null;
  }
  /** The event by which the run as a whole asks a person; null: nothing is asked, or it was answered. */
  get decisionSeq(): number | null {
    return this.#decisionSeq;
  }
  pause(): void {
    this.#isPaused = true;
  }
  /** Paused because code and log disagree. */
  diverge(): void {
    this.#isPaused = true;
    this.#isDiverged = true;
  }
  /** Also answers a divergence. What was held back during the pause is handed out: it must be taken now. */
  resume(): readonly Arrival[] {
    this.#isPaused = false;
    this.#isDiverged = false;
    this.#decisionSeq = null;
    return this.#heldArrivals.splice(0);
  }
  /** On replay the log says when the run was paused; nothing was held back then. */
  replayPause(isPaused: boolean): void {
    this.#isPaused = isPaused;
  }
  /** Must not be recorded while the run is paused: taken when it resumes. */
  hold(a: Arrival): void {
    this.#heldArrivals.push(a);
  }
  /** Inbox rows of pauses that came before the run has started. */
  addPendingPause(inboxIds: readonly number[]): void {
    this.#pendingPauses.push(...inboxIds);
  }
  takePendingPauses(): readonly number[] {
    return this.#pendingPauses.splice(0);
  }
  needDecision(reason: string): void {
    this.#decisionReason = reason;
  }
  /** The event that asks has its place in the log. */
  decisionAskedAt(runSeq: number): void {
    this.#decisionSeq = runSeq;
  }
  answerDecision(): void {
    this.#decisionReason = null;
    this.#decisionSeq = null;
  }

  // The end.

  /** Why the run must end; null: nobody asked for it. */
  get stopReason(): StopReason | null {
    return this.#stopReason;
  }
  get codeEnd(): CodeEnd | null {
    return this.#codeEnd;
  }
  /** Steps that were open when the code returned. */
  get unawaited(): readonly string[] {
    return this.#unawaited;
  }
  /** Its code has ended, or it was asked to end: no new steps but compensations. */
  get isEnding(): boolean {
    return this.#stopReason !== null || this.#codeEnd !== null;
  }
  /** It will fail or be cancelled: what it did is undone. */
  get isFailing(): boolean {
    const end = this.#codeEnd;
    return this.#stopReason !== null || (end?.kind === "threw" && !(end.error instanceof ContinueAsNew));
  }
  /** Another run continues it and gets what this one has not consumed: nothing that is asked of it now is for this one (K18). */
  get continuesAsNew(): boolean {
    const end = this.#codeEnd;
    return this.#stopReason === null && end?.kind === "threw" && end.error instanceof ContinueAsNew;
  }
  /** The first reason counts. */
  stop(why: StopReason): void {
    this.#stopReason ??= why;
  }
  /** The code ends once. */
  endCode(end: CodeEnd, unawaited: readonly string[]): void {
    if (this.#codeEnd !== null) return;
    this.#codeEnd = end;
    this.#unawaited = unawaited;
  }

  // The deadline, by the store's clock.

  /** A run that is created here learns it with its first acknowledgement. */
  get deadlineAt(): number | null {
    return this.#deadlineAt;
  }
  /** The deadline that is still to come; null: there is none, it has fired, or the run is ending anyway. */
  get pendingDeadline(): number | null {
    return this.#deadlineFired || this.isEnding ? null : this.#deadlineAt;
  }
  setDeadline(at: number | null): void {
    this.#deadlineAt = at;
  }
  /** The deadline, if it has passed and was not reported before. */
  fireDeadline(nowMs: number): number | null {
    const at = this.pendingDeadline;
    if (at === null || at > nowMs) return null;
    this.#deadlineFired = true;
    return at;
  }
  /** It reached the loop. Where nothing could be done about it, it may fire again. */
  deadlineTaken(): void {
    this.#deadlineFired = false;
  }

  // Leaving memory.

  /** This owner is done with it: whatever comes now is ignored. */
  get isUnloaded(): boolean {
    return this.#isUnloaded;
  }
  /** To be given up with a Commit (stop, eviction, divergence). */
  get releaseRequested(): boolean {
    return this.#release !== "no";
  }
  /** Without waiting for what is in flight. */
  get releaseForced(): boolean {
    return this.#release === "forced";
  }
  /** Due at once for the next owner: its code starts again from the log. */
  get reloadOnRelease(): boolean {
    return this.#reloadOnRelease;
  }
  requestRelease(): void {
    if (this.#release === "no") this.#release = "requested";
  }
  forceRelease(): void {
    this.#release = "forced";
  }
  requestReload(): void {
    this.#reloadOnRelease = true;
    this.requestRelease();
  }
  /** False: it was unloaded already. */
  unload(): boolean {
    if (this.#isUnloaded) return false;
    return (this.#isUnloaded = true);
  }

  // The code.

  /** The code runs now: only in an open activation may it call ctx (K15). */
  get inActivation(): boolean {
    return this.#inActivation;
  }
  /** What ctx.now() says: the time of the last delivery, never going back. */
  get nowMs(): number {
    return this.#nowMs;
  }
  /** The latest call of the code, for people. */
  get lastCall(): string | null {
    return this.#lastCall;
  }
  openActivation(at: number): void {
    this.#inActivation = true;
    if (at > this.#nowMs) this.#nowMs = at;
  }
  closeActivation(): void {
    this.#inActivation = false;
  }
  noteCall(call: string): void {
    this.#lastCall = call;
  }
  /** Counts a call that came while the run was ending. */
  refuseCall(): number {
    return ++this.#refusedCalls;
  }

  /** What was just recorded is committed before the code sees it (K12). */
  get mustCommitFirst(): boolean {
    return this.#commitFirst;
  }
  commitFirst(): void {
    this.#commitFirst = true;
  }
  committing(): void {
    this.#commitFirst = false;
  }
}
