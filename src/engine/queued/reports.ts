// Ends of dispatches, as they come into the run's inbox: what a worker reported, or that nobody did. Each becomes an event once, by the owner,
// in the run's own order (K13); the row is consumed by that event and by nothing before, so that a report is never lost (I9). What comes
// for a dispatch that is not the newest, or for a step that has an outcome, is evidence and changes nothing (I2). What this engine's own
// queues ran for a run that is here needs no message: the Commit of its outcome ends the row.
import { revive } from "../../codec/value.ts";
import { jsonObject, jsonValue, pawlEvents, readPayload } from "../../events/payload.ts";
import { utf8Length } from "../../core/names.ts";
import type { DispatchEnd, DispatchEnded, DispatchRef, DispatchRow, InboxRow } from "../../store/port.ts";
import type { LiveRun } from "../run/live-run.ts";
import type { OpenStep } from "../steps/open-step.ts";
import { readRunReport, type DispatchBeat } from "./dispatch-spec.ts";
import { dispatchKey, sentAtOf } from "./queued-state.ts";
import { takeEnd } from "./take-end.ts";

interface Report {
  readonly row: InboxRow;
  readonly ended: DispatchEnded;
}

export class Reports {
  readonly #run: LiveRun;
  /** In the order in which they came. */
  readonly #waiting = new Set<Report>();
  /** Who waits until the result of a dispatch, handed over here, is durable. */
  readonly #handedOver = new Map<string, (recorded: boolean) => void>();
  #hasBegun: boolean;

  constructor(run: LiveRun, isNew: boolean) {
    this.#run = run;
    this.#hasBegun = isNew;
  }
  /** The steps of earlier owners are resumed: each knows what it waits for. */
  begin(): void {
    this.#hasBegun = true;
    this.match();
  }
  add(row: InboxRow): void {
    this.#waiting.add({ row, ended: readPayload<DispatchEnded>(row.payload) });
  }
  /** The dispatch has ended, and what it said waits here. */
  has(d: DispatchRef): boolean {
    for (const { ended } of this.#waiting) if (ended.seq === d.seq && ended.what === d.what) return true;
    return false;
  }

  /**
   * A result of a step that this engine claimed like any worker, and whose run is here. Null: it must be reported. True when its Commit is
   * acknowledged; false when none was: the row is still there as far as is known, and the result must be reported after all (I9).
   */
  handOver(d: DispatchRow, end: DispatchEnd): Promise<boolean> | null {
    const r = this.#run;
    const step = r.steps.get(d.stepId);
    if (step === undefined || d.what !== "run" || end.kind !== "result" || !this.#hasBegun || !r.hasCode || r.state.isUnloaded) return null;
    const report = readRunReport(end.report);
    if (report?.ok !== true || !waitsFor(step, d) || step.spec?.queued?.resultParse !== null) return null;
    const result = report.result === undefined ? null : JSON.stringify(report.result);
    if (result !== null && utf8Length(result) > r.host.limits.valueBytesMax) return null;
    return new Promise((over) => {
      this.#handedOver.set(dispatchKey(d), over);
      r.arrive({ type: "completed", step, result, mayTake: () => this.#takeHandedOver(step, d, end) });
    });
  }
  #takeHandedOver(step: OpenStep, d: DispatchRow, end: DispatchEnd): boolean {
    const r = this.#run;
    if (!r.steps.isOpen(step) || !waitsFor(step, d)) {
      this.#answer(d, false);
      return false;
    }
    r.host.platform.hit("engine:hand-over");
    const { seq, what, dispatchId, attempt, engineAttempt, worker, claimedAt, deadlineAt } = d;
    noteClaim(r, step, { seq, what, dispatchId, attempt, engineAttempt, worker, claimedAt, deadlineAt, beat: null, end });
    return true;
  }
  /** A Commit that ends these rows is in the store. */
  onEnded(ends: readonly DispatchRef[]): void {
    if (this.#handedOver.size > 0) for (const d of ends) this.#answer(d, true);
  }
  /** The run leaves memory: nobody here will say more. */
  onUnloaded(): void {
    for (const over of this.#handedOver.values()) over(false);
    this.#handedOver.clear();
  }
  #answer(d: DispatchRef, recorded: boolean): void {
    this.#handedOver.get(dispatchKey(d))?.(recorded);
    this.#handedOver.delete(dispatchKey(d));
  }

  /** Only with the code, the record used up and the code quiet. */
  match(): void {
    const r = this.#run;
    if (this.#waiting.size === 0 || !this.#hasBegun || !r.hasCode) return;
    for (const report of this.#waiting) {
      const { row, ended } = report;
      const step = r.steps.get(row.name);
      // In the log it is open: this owner has not come to it yet, as with a compensation of an earlier owner's.
      if (step === undefined && r.commits.derived.steps.get(row.name)?.status === "RUNNING") continue;
      if (step !== undefined && step.state === "starting") continue;
      this.#waiting.delete(report);
      if (ended.end.kind === "lapsed" && this.#hasLate(ended)) {
        r.commits.draft.eventless.consumed.push(row.inboxId); // the worker's own word comes next
        continue;
      }
      r.arrive({ type: "message", take: () => this.#take(row, ended) });
    }
  }
  #hasLate({ dispatchId }: DispatchEnded): boolean {
    for (const { ended } of this.#waiting) if (ended.dispatchId === dispatchId && ended.end.kind === "late") return true;
    return false;
  }

  #take(row: InboxRow, ended: DispatchEnded): void {
    const r = this.#run;
    const step = r.steps.get(row.name);
    const queue = step?.queue ?? null;
    r.dispatches.delete(ended);
    if (step === undefined || queue === null) return this.#late(row, ended);
    if (ended.what === "verify") {
      const { asking } = queue;
      if (asking === null || asking.of.seq !== ended.seq) return this.#late(row, ended);
      queue.asking = null;
      queue.reported.push(row.inboxId);
      return asking.answered(ended.end);
    }
    const { open } = queue;
    const isOpen = open !== null && open.seq === ended.seq && open.what === ended.what;
    if (!isOpen && !canAdopt(step, ended)) return this.#late(row, ended);
    r.host.platform.hit("engine:adopt");
    queue.open = null;
    queue.lastSeq = ended.seq;
    queue.reported.push(row.inboxId);
    step.asks++; // what became of it may be being asked: this is the answer
    noteClaim(r, step, ended);
    takeEnd(r, step, ended);
  }

  /** Evidence, if it says anything: a worker's report after its dispatch had ended otherwise. */
  #late(row: InboxRow, ended: DispatchEnded): void {
    const { end, dispatchId, worker, claimedAt } = ended;
    const r = this.#run;
    if (!("report" in end)) return void r.commits.draft.eventless.consumed.push(row.inboxId);
    r.commits.append({
      eventType: pawlEvents.lateResult,
      stepId: null,
      payload: jsonObject({
        stepId: jsonValue(row.name),
        dispatchId: jsonValue(dispatchId),
        worker: jsonValue(worker),
        claimedAt: jsonValue(claimedAt),
        report: jsonValue(end.report),
      }),
      consumed: [row.inboxId],
    });
  }
}

/** Its newest dispatch is this one, and no end of it has come yet. */
function waitsFor(step: OpenStep, d: DispatchRef): boolean {
  const open = step.queue?.open ?? null;
  return step.state === "queued" && open !== null && !open.own && open.seq === d.seq && open.what === d.what;
}

/** A late report of the newest dispatch, while nobody has decided what became of it. */
function canAdopt(step: OpenStep, ended: DispatchEnded): boolean {
  const { queue } = step;
  if (queue === null || queue.open !== null || ended.end.kind !== "late" || queue.lastSeq !== ended.seq) return false;
  if (readRunReport(ended.end.report) === null) return false; // it does not say what became of the step
  return step.state === "doubt" || step.state === "recovering";
}

/** K25, K26: from its claim on it may have been sent. What nobody claimed was not. */
function noteClaim(r: LiveRun, step: OpenStep, ended: DispatchEnded): void {
  const { dispatchId, worker, claimedAt, deadlineAt, beat, end } = ended;
  step.queue!.facts = { dispatchId, worker, claimedAt, deadlineAt, ...(end.kind === "late" ? { late: true } : {}) };
  if (claimedAt !== null) {
    if (step.firstAt === 0) step.firstAt = claimedAt;
    step.lastAt = sentAtOf({ claimedAt, deadlineAt }, step.started.timeoutMs ?? 0);
  }
  const { detail } = (beat ?? {}) as DispatchBeat;
  if (detail === undefined || (end.kind === "result" && (end.report as { ok?: unknown }).ok === true)) return;
  step.heartbeat = revive(structuredClone(detail)); // the next attempt finds it
  r.commits.append({
    eventType: pawlEvents.heartbeat,
    stepId: null,
    payload: jsonObject({ stepId: jsonValue(step.stepId), attempt: String(ended.attempt), detail: jsonValue(detail) }),
  });
}
