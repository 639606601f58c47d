// Ends of dispatches, as they come into the run's inbox: what a worker reported, or that nobody did. Each becomes an event once, by the owner,
// in the run's own order (K13); the row is consumed by that event and by nothing before, so that a report is never lost (I9). What comes
// for a dispatch that is not the newest, or for a step that has an outcome, is evidence and changes nothing (I2).
import { revive } from "../../codec/value.ts";
import { jsonObject, jsonValue, pawlEvents, readPayload } from "../../events/payload.ts";
import type { DispatchEnded, DispatchRef, InboxRow } from "../../store/port.ts";
import type { LiveRun } from "../run/live-run.ts";
import type { OpenStep } from "../steps/open-step.ts";
import type { DispatchBeat } from "./dispatch-spec.ts";
import { sentAtOf } from "./queued-state.ts";
import { takeEnd } from "./take-end.ts";

interface Report {
  readonly row: InboxRow;
  readonly ended: DispatchEnded;
}

export class Reports {
  readonly #run: LiveRun;
  /** In the order in which they came. */
  readonly #waiting = new Set<Report>();
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

/** A late report of the newest dispatch, while nobody has decided what became of it. */
function canAdopt(step: OpenStep, ended: DispatchEnded): boolean {
  const { queue } = step;
  if (queue === null || queue.open !== null || ended.end.kind !== "late" || queue.lastSeq !== ended.seq) return false;
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
