// Replay: the recorded schedule against the code, line by line. A call must be the recorded one (kind, name, digest,
// order) or the run stops as diverged, with both sides and both places named; nothing is ever re-executed on a guess (K13, K20). Where
// the record ends, the code is live. It never writes an outcome.
import { PawlError } from "../../errors/error.ts";
import type { Code } from "../../errors/catalogue.ts";
import { jsonObject, pawlEvents, jsonValue, type StepStartedPayload } from "../../events/payload.ts";
import { callerLocation, locationText, type SourceLocation } from "../../platform/source-location.ts";
import { Confirmations } from "../effects/confirm.ts";
import type { ConfirmationRecord } from "../effects/confirm-record.ts";
import { deliverCompleted, deliverFailed } from "../steps/outcome.ts";
import type { ScheduleEntry, History, RecordedStep } from "./history.ts";
import { refusesCall, refusesWorkflow } from "../version-binding.ts";
import type { LiveRun } from "./live-run.ts";
import type { StopReason } from "./ending.ts";
import type { Style } from "../style.ts";
import { recordDivergence } from "../decisions/needs-decision.ts";

/** Both places of a divergence: the recorded event, and the line of user code that called. */
interface DivergencePlaces {
  readonly recordedAt?: number;
  readonly calledAt?: SourceLocation | undefined;
}

export class Replay {
  readonly #run: LiveRun;
  readonly #history: History | null;
  #cursor = 0;
  #hasBegun = false;
  #isActive = false;
  #hasDiverged = false;
  /** Its calls may go past the record: confirmations come before it. */
  readonly #lastTurn: number;
  readonly #confirmations: Confirmations | null;

  constructor(run: LiveRun, history: History | null) {
    this.#run = run;
    this.#history = history;
    this.#lastTurn = history?.schedule.findLastIndex((e) => e.type === "outcome" || e.type === "update") ?? -1;
    this.#confirmations = history === null ? null : new Confirmations(run, history);
  }
  /** Verifiers are asked whether the record is still true: the run waits for their answers. */
  get isConfirming(): boolean {
    return this.#confirmations?.isAsking === true && !this.#hasDiverged;
  }
  get confirmations(): ConfirmationRecord | undefined {
    return this.#history?.confirmations;
  }
  /** Nobody waits for the verifiers any more. */
  abortConfirmations(reason: () => unknown): void {
    this.#confirmations?.abort(reason());
  }
  /** The record is not used up: nothing new may be taken yet. */
  get isActive(): boolean {
    return this.#isActive;
  }
  /** The code was given its first turn. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }
  get hasDiverged(): boolean {
    return this.#hasDiverged;
  }
  recordedStep(stepId: string): RecordedStep | undefined {
    return this.#history?.steps.get(stepId);
  }
  /** The record leaves a step to a person. */
  get hasStepInDoubt(): boolean {
    for (const s of this.#history?.steps.values() ?? [])
      if (s.inDoubt !== null || (s.outcome === null && (s.awaitingApproval || s.started.kind === "ask"))) return true;
    return false;
  }
  /** Refused calls that the log has already. */
  get callsRefused(): number {
    return this.#history?.callsRefused ?? 0;
  }
  /** The step that the event at this place put before a person, if it still waits. */
  stepWaitingAt(runSeq: number): RecordedStep | undefined {
    for (const s of this.#history?.steps.values() ?? [])
      if (s.doubtSeq === runSeq && s.outcome === null && (s.inDoubt !== null || s.awaitingApproval)) return s;
    return undefined;
  }
  get viewsRecorded(): number {
    return this.#history?.viewsPublished ?? 0;
  }

  /** No code is run: the record stays as it is. */
  skip(): void {
    this.#isActive = false;
  }

  begin(go: () => void): void {
    this.#hasBegun = true;
    const r = this.#run;
    const h = this.#history;
    if (h === null || h.startedEmittedAt === null) {
      const fromOutside = h === null || h.start.parsed !== true;
      // A creator without the code does not know the workflow's own time limit: it is learned and recorded with the start.
      const timeoutMs = h === null || r.state.deadlineAt !== null ? null : r.definition!.timeoutMs;
      if (timeoutMs !== null) r.state.setDeadline(r.row.createdAt + timeoutMs);
      const at = r.commits.append({
        eventType: "RunStarted",
        stepId: null,
        notBefore: h === null || r.row.dueAt === null || r.row.dueAt <= r.row.createdAt ? undefined : r.row.dueAt,
        payload: jsonObject({
          input: fromOutside && r.input !== null ? r.input : undefined,
          parsed: fromOutside ? "true" : undefined,
          codeVersion: jsonValue(r.definition!.version),
          plan: jsonValue(r.definition!.plan?.digest),
          timeoutMs: timeoutMs === null ? undefined : jsonValue(timeoutMs),
          retryOf: jsonValue(h?.start.retryOf),
          restartOf: jsonValue(h?.start.restartOf),
          ...styleMembers(r.definition!.style),
          traceparent: h === null ? jsonValue(r.starter) : undefined,
          priority: jsonValue(r.asked?.priority),
          principal: r.asked?.by,
          request: jsonValue(r.asked?.request),
        }),
      });
      r.deliver({ at, deliver: go });
      return;
    }
    this.#isActive = true;
    if (refusesWorkflow(r)) return;
    r.state.replayPause(false); // the schedule says when it was
    this.#confirmations!.addRestored(r.from?.confirmable ?? []);
    // Where no end is recorded after the snapshot, the first turn is the last one of the record.
    if (r.from !== null && this.#lastTurn < 0) this.#confirmations!.askVerifiers();
    r.deliver({ at: r.from?.nowMs ?? h.startedEmittedAt, deliver: go });
  }

  /** The next recorded line, once the code is quiet. */
  next(): void {
    const r = this.#run;
    const entry = this.#history!.schedule[this.#cursor];
    if (entry === undefined) {
      this.#isActive = false;
      r.state.replayPause(r.status === "PAUSED");
      this.#confirmations!.stopIfUnconfirmed();
      r.mailbox.match();
      r.resumeOpenSteps();
      return;
    }
    if (entry.type === "outcome") this.#confirmations!.collect(r.steps.get(entry.stepId), entry.outcome);
    if (this.#cursor === this.#lastTurn) this.#confirmations!.askVerifiers(); // the turn itself waits until they have answered
    switch (entry.type) {
      case "call":
        return this.diverge(
          "PAWL1006",
          `the code no longer makes the recorded call ${entry.stepId}`,
          describeCall(entry.started, entry.stepId),
          "quiet",
          { recordedAt: entry.runSeq },
        );
      case "skip":
      case "plan":
        return this.diverge(
          "PAWL1006",
          `the plan no longer ${entry.type === "skip" ? "skips" : "makes steps of"} ${entry.stepId}, as recorded`,
          `${entry.type} ${entry.stepId}`,
          "quiet",
          { recordedAt: entry.runSeq },
        );
      case "mark":
        return this.diverge("PAWL1006", `the code no longer records the ${entry.eventType} that is recorded`, entry.eventType, "quiet", {
          recordedAt: entry.runSeq,
        });
      case "patched":
        break; // the patch is no longer asked for
      case "outcome": {
        const step = r.steps.get(entry.stepId);
        if (step === undefined)
          return this.diverge(
            "PAWL1006",
            `an outcome of ${entry.stepId} is recorded, which the code did not call`,
            entry.stepId,
            "not called",
            { recordedAt: entry.outcome.runSeq },
          );
        if (entry.outcome.ok) {
          const { result, timedOut } = entry.outcome.payload;
          if (step.spec?.given !== undefined) r.commits.outcomePlaces.set(entry.stepId, entry.outcome.runSeq);
          deliverCompleted(r, step, result === undefined ? null : JSON.stringify(result), timedOut === true, entry.emittedAt);
        } else deliverFailed(r, step, entry.outcome.payload.error, entry.outcome.payload.category, entry.emittedAt);
        break;
      }
      case "update":
        r.updates.replay(entry.update, entry.emittedAt);
        break;
      case "paused":
        r.state.replayPause(true);
        break;
      case "resumed":
        r.state.replayPause(false);
        break;
      case "cancel":
        r.state.stop(recordedStopReason(entry));
        break;
    }
    this.#cursor++;
  }

  /** A stop that was recorded while the code did not run comes before whatever the code calls next. */
  takeRecordedStop(): void {
    const entry = this.#peek();
    if (entry?.type !== "cancel") return;
    this.#run.state.stop(recordedStopReason(entry));
    this.#cursor++;
  }

  /** The recorded call that this one must be; undefined where the record ends; null when it diverged. */
  expect(stepId: string, started: StepStartedPayload): RecordedStep | undefined | null {
    const entry = this.#peek();
    if (entry === undefined) return undefined;
    if (
      entry.type !== "call" ||
      entry.stepId !== stepId ||
      entry.started.kind !== started.kind ||
      (entry.isRestored !== true && entry.started.digest !== started.digest)
    ) {
      const expected = entry.type === "call" ? describeCall(entry.started, entry.stepId) : nameOfEntry(entry);
      const places = { calledAt: callerLocation(), ...(entry.type === "call" ? { recordedAt: entry.runSeq } : {}) };
      this.diverge(
        "PAWL1006",
        `the code calls ${stepId} where the record has ${expected}`,
        expected,
        describeCall(started, stepId),
        places,
      );
      return null;
    }
    if (refusesCall(this.#run, stepId, entry.started, started, entry.runSeq)) return null;
    this.#cursor++;
    return this.#history!.steps.get(stepId);
  }

  /** True: what the plan says now is recorded, or the run has diverged. False where the record ends. */
  expectPlanned(now: { readonly type: "skip" | "plan"; readonly stepId: string }): boolean {
    const entry = this.#peek();
    if (entry === undefined) return false;
    if (entry.type === now.type && entry.stepId === now.stepId) {
      this.#cursor++;
      return true;
    }
    const expected = entry.type === "call" ? describeCall(entry.started, entry.stepId) : nameOfEntry(entry);
    const places = "runSeq" in entry ? { recordedAt: entry.runSeq } : {};
    this.diverge("PAWL1006", `the plan has ${nameOfEntry(now)} where the record has ${expected}`, expected, nameOfEntry(now), places);
    return true;
  }

  /** True: it is in the record. False: the record ends before it. Null: the record has something else there. */
  expectMark(eventType: string, payload: string): boolean | null {
    const entry = this.#peek();
    if (entry === undefined) return false;
    if (entry.type === "mark" && entry.eventType === eventType && entry.payload === payload) {
      this.#cursor++;
      return true;
    }
    const expected = entry.type === "mark" ? `${entry.eventType} with other content` : entry.type;
    const places = entry.type === "mark" ? { recordedAt: entry.runSeq } : {};
    this.diverge("PAWL1006", `the code records ${eventType} where the record has ${expected}`, expected, eventType, places);
    return null;
  }

  /** Whether the next recorded call is one of this kind and name; changes nothing. */
  isNextCall(kind: StepStartedPayload["kind"], name: string): boolean {
    const next = this.#history?.schedule.slice(this.#cursor).find((e) => e.type === "call" || e.type === "outcome");
    return next?.type === "call" && next.started.kind === kind && next.started.name === name;
  }

  /** True on a recorded patch or where the record ends (then it is recorded); false for code that ran before it. */
  patched(id: string): boolean {
    const entry = this.#peek(true);
    if (entry === undefined) {
      this.#run.commits.append({ eventType: pawlEvents.patched, stepId: null, payload: jsonObject({ id: jsonValue(id) }) });
      return true;
    }
    if (entry.type !== "patched" || entry.id !== id) return false;
    this.#cursor++;
    return true;
  }

  /** Control without code may stand in the middle of an activation's calls: it is passed over (K5). */
  #peek(patches = false): ScheduleEntry | undefined {
    for (;;) {
      const entry = this.#history?.schedule[this.#cursor];
      if (entry === undefined) return undefined;
      const skips = entry.type === "paused" || entry.type === "resumed" || (entry.type === "patched" && !patches);
      if (!skips) return entry;
      this.#cursor++;
    }
  }

  diverge(code: Code, what: string, expected: string, found: string, at: DivergencePlaces = {}): void {
    if (this.#hasDiverged || this.#run.state.isUnloaded) return;
    const calledAt = at.calledAt === undefined ? undefined : locationText(at.calledAt);
    const { recordedAt } = at;
    const where = [
      ...(calledAt === undefined ? [] : [`called at ${calledAt}`]),
      ...(recordedAt === undefined ? [] : [`recorded as event ${recordedAt}`]),
    ].join(", ");
    const message = where === "" ? what : `${what}; ${where}`;
    const sides = { expected, found, recordedAt, calledAt };
    this.#hasDiverged = true;
    this.#isActive = false;
    const r = this.#run;
    r.host.metrics.add("pawl_divergences_total");
    r.log("error", `run ${r.row.runId} (${r.row.workflow}) stopped: ${message}; pawl explain ${code}`, { code, ...sides });
    r.state.replayPause(r.status === "PAUSED");
    for (const s of r.steps.all()) if (s.abort === null && s.state !== "running" && s.state !== "starting") r.steps.close(s.stepId);
    const stop = (): void => {
      if (r.state.isUnloaded || r.status !== "RUNNING") return;
      recordDivergence(r, { code, message, ...sides, codeVersion: r.definition?.version, fix: new PawlError(code, message).fix });
      r.pump();
    };
    if (r.definition === null || r.definition.version === r.row.version) return stop();
    // K20: under another version the run belongs to an engine of the pinned one, if any lives.
    r.host.isServedElsewhere(r.row.workflow, r.row.version).then(
      (served) => (served && r.commits.draft.isEmpty ? r.releaseToPinnedVersion() : stop()),
      (error: unknown) => r.reloadAfterError(error),
    );
  }
}

/** What the start says of an author's style, so that its log can be folded without its code. */
function styleMembers(style: Style | undefined): Readonly<Record<string, string | undefined>> {
  if (style === undefined) return {};
  const recorded = Object.entries(style.recorded).map(([name, value]) => [name, jsonValue(value)] as const);
  return { style: jsonValue(style.name), ...Object.fromEntries(recorded) };
}

function recordedStopReason({ category, reason }: Extract<ScheduleEntry, { type: "cancel" }>): StopReason {
  if (category === "TIMEOUT") return { kind: "deadline" };
  if (category === "STALE") return { kind: "stale", reason: reason ?? "" };
  return category === "UNCONFIRMED" ? { kind: "unconfirmed", reason: reason ?? "" } : { kind: "cancel", reason };
}

function nameOfEntry(entry: { readonly type: string; readonly stepId?: string }): string {
  return `${entry.type}${entry.stepId === undefined ? "" : ` of ${entry.stepId}`}`;
}

function describeCall(s: StepStartedPayload, stepId: string): string {
  return `${s.kind} ${stepId}${s.class === undefined ? "" : ` ${s.class}`}${s.key === undefined ? "" : ` key ${s.key}`} (${s.digest.slice(0, 12)})`;
}
