// A run's inbox in its owner's memory: signals are buffered until somebody receives them, ends of children until their step waits for
// them; updates and control rows are passed to where they are handled. A row is never dropped: it is consumed by the event that carries its
// content, or stays (I9). Matching happens only when the code is quiet and the record is used up.
import { decode, encode } from "../../codec/value.ts";
import { readDelayed } from "../../codec/delayed.ts";
import { failureOf } from "../../codec/failure.ts";
import { PawlError } from "../../errors/error.ts";
import { jsonObject, pawlEvents, jsonValue, readPayload } from "../../events/payload.ts";
import type { InboxKind, InboxRow } from "../../store/port.ts";
import type { LiveRun } from "../run/live-run.ts";
import { Reports } from "../queued/reports.ts";
import { linkSender, senderOf } from "./sender.ts";
import { deliverChildEnd, type ChildEnd } from "../steps/children/child-end.ts";
import type { OpenStep } from "../steps/open-step.ts";

interface ParsedMessage {
  readonly row: InboxRow;
  /** Encoded, after the workflow's schema. */
  readonly value: string;
  /** By the store's clock; null: at once. */
  readonly dueAt: number | null;
}

const knownKinds: ReadonlySet<InboxKind> = new Set(["signal", "update", "control", "child", "result"] as const);

export class Mailbox {
  readonly #run: LiveRun;
  readonly #seen = new Set<number>();
  readonly #signals = new Map<string, ParsedMessage[]>();
  readonly #receivers = new Map<string, OpenStep[]>();
  readonly #childEnds = new Map<string, InboxRow>();
  readonly #childWaiters = new Map<string, OpenStep>();
  readonly reports: Reports;
  #parsing: Promise<void> | null = null;
  #unparsed = 0;

  /** `isNew`: there is no record to be used up first. */
  constructor(run: LiveRun, isNew: boolean) {
    this.#run = run;
    this.reports = new Reports(run, isNew);
  }

  /** Rows are being checked: the run must not be parked with them taken and unmatched (K18). */
  get isParsing(): boolean {
    return this.#unparsed > 0;
  }

  /** Rows from the store, each seen once by this owner, in inbox order. False: there was nothing new among them. */
  takeRows(rows: readonly InboxRow[]): boolean {
    let any = false;
    for (const row of rows) {
      if (this.#seen.has(row.inboxId) || row.consumed) continue;
      if (!knownKinds.has(row.kind)) continue; // of a later version: it is left as it is for who knows it
      any = true;
      this.#seen.add(row.inboxId);
      // K18: marked with the next Commit. Without the code nothing but control is taken: the rest must still wake who has it.
      if (!row.taken && (this.#run.definition !== null || row.kind === "control")) this.#run.commits.draft.taken.add(row.inboxId);
      if (row.kind === "control") this.#run.arrive({ type: "control", row });
      else if (row.kind === "child") this.#childEnds.set(row.name, row);
      else if (row.kind === "result") this.reports.add(row);
      else this.#parse(row);
    }
    if (any) this.match();
    return any;
  }

  /** The workflow's schema is asked before a value enters the log; rows stay in order. */
  #parse(row: InboxRow): void {
    const r = this.#run;
    const d = r.definition;
    if (d === null) return;
    this.#unparsed++;
    this.#parsing = (this.#parsing ?? Promise.resolve()).then(async () => {
      const delayed = row.kind === "signal" ? readDelayed(row.payload) : null;
      const payload = delayed === null ? row.payload : delayed.payload;
      const parse = row.kind === "signal" ? d.signals.get(row.name) : d.updates.get(row.name);
      try {
        if (parse === undefined) throw new PawlError("PAWL1016", `${row.kind} ${row.name} is not declared by workflow ${d.name}`);
        const value = encode(
          await parse(payload === null ? undefined : decode(payload), `${row.kind} ${row.name}`),
          r.host.limits,
          row.name,
        );
        if (row.kind === "update") r.updates.add(row, value);
        else listOf(this.#signals, row.name).push({ row, value, dueAt: delayed === null ? null : row.acceptedAt + delayed.afterMs });
        this.match();
      } catch (e) {
        const failure = failureOf(e, this.#run.host.limits);
        const take = row.kind === "update" ? (): void => r.updates.refuse(row, failure) : (): void => refuseSignal(r, row, e);
        r.arrive({ type: "message", take });
      } finally {
        this.#unparsed--;
        r.pump();
      }
    });
  }

  /** Something of a row must be checked before it is taken: after the rows before it, and before the run may be parked (K18). */
  checkInOrder(check: () => Promise<void>): void {
    this.#unparsed++;
    this.#parsing = (this.#parsing ?? Promise.resolve()).then(check).finally(() => {
      this.#unparsed--;
      this.#run.pump();
    });
  }

  /** The step gets the next signal of this name. */
  addReceiver(signal: string, step: OpenStep): void {
    listOf(this.#receivers, signal).push(step);
  }
  /** It no longer waits: a signal that comes now is for the next who does (I9). */
  removeReceiver(signal: string, step: OpenStep): void {
    const steps = listOf(this.#receivers, signal);
    const at = steps.indexOf(step);
    if (at >= 0) steps.splice(at, 1);
  }
  /** The step gets the end of the run that step `childStepId` started. */
  addChildWaiter(childStepId: string, step: OpenStep): void {
    this.#childWaiters.set(childStepId, step);
  }

  /** When the next delayed message is due that somebody waits for; null: none is. */
  get nextDueAt(): number | null {
    let next: number | null = null;
    for (const [signal, messages] of this.#signals) {
      if (this.#receivers.get(signal)?.some((step) => this.#run.steps.isOpen(step)) !== true) continue;
      for (const { dueAt } of messages) if (dueAt !== null) next = Math.min(next ?? dueAt, dueAt);
    }
    return next;
  }

  match(): void {
    const r = this.#run;
    r.updates.finish();
    if (r.state.isUnloaded || r.replay.isActive || r.replay.hasDiverged || r.state.inActivation) return;
    for (const [signal, steps] of this.#receivers) {
      const buffered = this.#signals.get(signal);
      if (buffered === undefined || buffered.length === 0) continue;
      for (let step = steps[0]; step !== undefined; step = steps[0]) {
        if (!r.steps.isOpen(step)) {
          steps.shift(); // timed out or closed meanwhile
          continue;
        }
        // The first that is due: a delayed one holds up nobody.
        const at = buffered.findIndex(({ dueAt }) => dueAt === null || dueAt <= r.host.storeNowMs());
        if (at < 0) break;
        steps.shift();
        const [{ row, value, dueAt }] = buffered.splice(at, 1) as [ParsedMessage];
        linkSender(r, row);
        const from = { consumed: [row.inboxId], signalId: row.id, principal: senderOf(row) };
        r.arrive({ type: "completed", step, result: value, ...from, ...(dueAt === null ? {} : { notBefore: dueAt }) });
      }
    }
    for (const [childStepId, row] of this.#childEnds) {
      const step = this.#childWaiters.get(childStepId);
      if (step === undefined || !r.steps.isOpen(step) || step.state === "starting") continue;
      this.#childEnds.delete(childStepId);
      deliverChildEnd(r, step, readPayload<ChildEnd>(row.payload), [row.inboxId]);
    }
    this.reports.match();
    r.updates.match();
  }
}

/** Its payload does not fit, or the workflow has no such signal: nobody will ever receive it. */
function refuseSignal(r: LiveRun, row: InboxRow, e: unknown): void {
  const problem = e instanceof Error ? e.message : String(e);
  r.host.metrics.add("pawl_signals_rejected_total");
  r.commits.append({
    eventType: pawlEvents.signalRejected,
    stepId: null,
    payload: jsonObject({ name: jsonValue(row.name), signalId: jsonValue(row.id), problem: jsonValue(problem), principal: senderOf(row) }),
    consumed: [row.inboxId],
    rejected: { inboxId: row.inboxId, reason: problem },
  });
}

function listOf<T>(map: Map<string, T[]>, key: string): T[] {
  let list = map.get(key);
  if (list === undefined) map.set(key, (list = []));
  return list;
}
