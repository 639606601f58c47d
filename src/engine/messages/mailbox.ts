// A run's inbox in its owner's memory: signals buffered until somebody receives them, ends of children, updates and
// their handlers, control rows. A row is never dropped: it is consumed by the event that carries its content, or stays
// (I9). Matching happens only when the code is quiet and the record is used up.
import { decode, encode, revive } from "../../codec/value.ts";
import { failureOf, type Failure } from "../../codec/failure.ts";
import { isSettled } from "../../core/model.ts";
import { PawlError } from "../../errors/error.ts";
import { jsonObject, pawlEvents, jsonValue, readPayload } from "../../events/payload.ts";
import type { InboxRow } from "../../store/port.ts";
import { failureFrom } from "../steps/outcome.ts";
import type { History, RecordedUpdate } from "../run/history.ts";
import type { LiveRun } from "../run/live-run.ts";
import { deliverChildEnd, type ChildEnd } from "../steps/child-end.ts";
import type { OpenStep } from "../steps/open-step.ts";

interface UpdateHandler {
  readonly handle: (input: unknown) => unknown;
  readonly validate: ((input: unknown) => void) | null;
}
interface ParsedMessage {
  readonly row: InboxRow;
  /** Encoded, after the workflow's schema. */
  readonly value: string;
}
export class Mailbox {
  readonly #run: LiveRun;
  readonly #answeredUpdates: ReadonlySet<string>;
  readonly #seen = new Set<number>();
  readonly #signals = new Map<string, ParsedMessage[]>();
  readonly #receivers = new Map<string, OpenStep[]>();
  readonly #childEnds = new Map<string, InboxRow>();
  readonly #childWaiters = new Map<string, OpenStep>();
  readonly #handlers = new Map<string, UpdateHandler>();
  /** Updates whose handler the code has not registered yet. */
  #updates: ParsedMessage[] = [];
  /** Accepted updates whose handler has not ended. */
  readonly #runningUpdates = new Map<string, number>();
  readonly #finishedUpdates: { readonly updateId: string; readonly reply: string }[] = [];
  #parsing: Promise<void> | null = null;
  #unparsed = 0;

  constructor(run: LiveRun, history: History | null) {
    this.#run = run;
    this.#answeredUpdates = history?.updatesCompleted ?? new Set();
  }

  /** The code can be woken by an update. */
  get hasUpdateHandlers(): boolean {
    return this.#handlers.size > 0;
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
      any = true;
      this.#seen.add(row.inboxId);
      // K18: marked with the next Commit. Without the code nothing but control is taken: the rest must still wake who has it.
      if (!row.taken && (this.#run.definition !== null || row.kind === "control")) this.#run.commits.draft.taken.add(row.inboxId);
      if (row.kind === "control") this.#run.arrive({ type: "control", row });
      else if (row.kind === "child") this.#childEnds.set(row.name, row);
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
      const parse = row.kind === "signal" ? d.signals.get(row.name) : d.updates.get(row.name);
      try {
        if (parse === undefined) throw new PawlError("PAWL1016", `${row.kind} ${row.name} is not declared by workflow ${d.name}`);
        const value = encode(
          await parse(row.payload === null ? undefined : decode(row.payload), `${row.kind} ${row.name}`),
          r.host.limits,
          row.name,
        );
        if (row.kind === "update") this.#updates.push({ row, value });
        else listOf(this.#signals, row.name).push({ row, value });
        this.match();
      } catch (e) {
        if (row.kind === "update") r.arrive({ type: "update-refused", row, failure: failureOf(e) });
        else r.arrive({ type: "signal-refused", row, problem: e instanceof Error ? e.message : String(e) });
      } finally {
        this.#unparsed--;
        r.pump();
      }
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

  match(): void {
    const r = this.#run;
    this.#finishUpdates();
    if (r.state.isUnloaded || r.replay.isActive || r.replay.hasDiverged || r.state.inActivation) return;
    for (const [signal, steps] of this.#receivers) {
      const buffered = this.#signals.get(signal);
      if (buffered === undefined || buffered.length === 0) continue;
      for (let step = steps[0]; step !== undefined && buffered.length > 0; step = steps[0]) {
        steps.shift();
        if (!r.steps.isOpen(step)) continue; // timed out or closed meanwhile
        const { row, value } = buffered.shift()!;
        r.arrive({ type: "completed", step, result: value, consumed: [row.inboxId], signalId: row.id });
      }
    }
    for (const [childStepId, row] of this.#childEnds) {
      const step = this.#childWaiters.get(childStepId);
      if (step === undefined || !r.steps.isOpen(step) || step.state === "starting") continue;
      this.#childEnds.delete(childStepId);
      deliverChildEnd(r, step, readPayload<ChildEnd>(row.payload), [row.inboxId]);
    }
    if (this.#updates.length > 0 && !r.state.continuesAsNew) this.#updates = this.#updates.filter((u) => !this.#offer(u));
  }

  registerUpdateHandler(name: string, go: UpdateHandler["handle"], validate: UpdateHandler["validate"]): void {
    this.#handlers.set(name, { handle: go, validate });
  }

  #offer(u: ParsedMessage): boolean {
    const handler = this.#handlers.get(u.row.name);
    if (handler === undefined) return false;
    try {
      const said: unknown = handler.validate?.(decode(u.value));
      if (said instanceof Promise) {
        said.catch(() => {}); // K16: nobody waits for it
        throw new PawlError("PAWL4011", `validate of update ${u.row.name} must answer at once, not with a promise`);
      }
    } catch (e) {
      this.#run.arrive({ type: "update-refused", row: u.row, failure: failureOf(e) });
      return true;
    }
    this.#run.arrive({
      type: "update",
      row: u.row,
      input: u.value,
      handler: (input) => this.#handle(u.row.id, u.row.inboxId, handler, input),
    });
    return true;
  }

  /** Validated before it enters the log; the handler runs when the event is delivered, live and on replay alike. */
  acceptUpdate(row: InboxRow, input: string, handler: (input: unknown) => void): void {
    const r = this.#run;
    if (r.state.continuesAsNew) return;
    if (r.state.isEnding) return this.refuseUpdate(row, failureFrom("PAWL4003", "the run is ending"));
    const at = r.commits.append({
      eventType: pawlEvents.updateAccepted,
      stepId: null,
      payload: jsonObject({ updateId: jsonValue(row.id), name: jsonValue(row.name), inboxId: String(row.inboxId), input }),
      consumed: [row.inboxId],
    });
    r.deliver({ at, deliver: () => handler(decode(input)) });
  }

  replayUpdate(u: RecordedUpdate, at: number): void {
    const r = this.#run;
    const handler = this.#handlers.get(u.name);
    if (handler === undefined)
      return r.replay.diverge("PAWL1006", `update ${u.name} is recorded, and the code no longer handles it`, u.name, "no handler");
    r.deliver({ at, deliver: () => this.#handle(u.updateId, u.inboxId, handler, revive(u.input)) });
  }

  #handle(updateId: string, inboxId: number, handler: UpdateHandler, input: unknown): void {
    this.#runningUpdates.set(updateId, inboxId);
    const done = (reply: () => string): void => {
      if (!this.#run.state.inActivation)
        return this.#run.replay.diverge(
          "PAWL1007",
          `an update's handler went on after something that is not recorded`,
          "a recorded outcome",
          updateId,
        );
      let text: string;
      try {
        text = reply();
      } catch (e) {
        text = jsonObject({ ok: "false", error: jsonValue(failureOf(e)) });
      }
      this.#finishedUpdates.push({ updateId, reply: text });
    };
    new Promise((resolve) => resolve(handler.handle(input))).then(
      (value) =>
        done(() =>
          jsonObject({
            ok: "true",
            result: value === undefined ? undefined : encode(value, this.#run.host.limits, "answer to the update"),
          }),
        ),
      (e: unknown) => done(() => jsonObject({ ok: "false", error: jsonValue(failureOf(e)) })),
    );
  }

  #finishUpdates(): void {
    if (this.#finishedUpdates.length === 0) return;
    if (this.#run.state.isUnloaded || this.#run.replay.hasDiverged || (this.#run.status !== null && isSettled(this.#run.status))) return;
    for (const { updateId, reply } of this.#finishedUpdates.splice(0)) {
      const inboxId = this.#runningUpdates.get(updateId);
      this.#runningUpdates.delete(updateId);
      if (inboxId === undefined || this.#answeredUpdates.has(updateId)) continue;
      this.#run.commits.append({
        eventType: pawlEvents.updateCompleted,
        stepId: null,
        payload: jsonObject({ updateId: jsonValue(updateId), answer: reply }),
        reply: { inboxId, reply },
      });
    }
  }

  refuseUpdate(row: InboxRow, failure: Failure): void {
    this.#reply(row.inboxId, failure);
  }
  #reply(inboxId: number, failure: Failure): void {
    this.#run.commits.draft.eventless.consumed.push(inboxId);
    this.#run.commits.draft.eventless.replies.push({
      inboxId,
      reply: jsonObject({ ok: "false", refused: "true", error: jsonValue(failure) }),
    });
  }

  /** K18: a pending update of a run that ends is refused; one that no handler has begun goes on with a run that continues. */
  refusePendingUpdates(continues: boolean = false): void {
    if (this.#runningUpdates.size + this.#updates.length === 0) return;
    const failure = failureFrom("PAWL4003", "the run ended before it answered");
    for (const inboxId of this.#runningUpdates.values()) this.#reply(inboxId, failure);
    if (!continues) for (const u of this.#updates.splice(0)) this.#reply(u.row.inboxId, failure);
  }
}

function listOf<T>(map: Map<string, T[]>, key: string): T[] {
  let list = map.get(key);
  if (list === undefined) map.set(key, (list = []));
  return list;
}
