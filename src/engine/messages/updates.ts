// Updates of a run: requests with an answer. Each waits until the code has registered a handler for it, is validated before it enters
// the log, and is answered when the handler ends; the handler runs when the event is delivered, live and on replay alike. A run that
// ends refuses what it has not answered (K18). The rows reach it through the mailbox, in order.
import { failureOf, type Failure } from "../../codec/failure.ts";
import { decode, encode, revive } from "../../codec/value.ts";
import { isSettled } from "../../core/model.ts";
import { PawlError } from "../../errors/error.ts";
import { jsonObject, jsonValue, pawlEvents } from "../../events/payload.ts";
import type { InboxRow } from "../../store/port.ts";
import type { History, RecordedUpdate } from "../run/history.ts";
import type { LiveRun } from "../run/live-run.ts";
import { linkSender, senderOf } from "./sender.ts";
import { failureFrom } from "../steps/outcome.ts";

interface UpdateHandler {
  readonly handle: (input: unknown) => unknown;
  readonly validate: ((input: unknown) => void) | null;
}
interface PendingUpdate {
  readonly row: InboxRow;
  /** Encoded, after the workflow's schema. */
  readonly input: string;
}

export class UpdateRequests {
  readonly #run: LiveRun;
  /** Those that the log has an answer of. */
  readonly #answered: ReadonlySet<string>;
  readonly #handlers = new Map<string, UpdateHandler>();
  /** The code has not registered their handler yet. */
  #pending: PendingUpdate[] = [];
  /** Accepted, and their handler has not ended: their rows, by id. */
  readonly #running = new Map<string, number>();
  readonly #finished: { readonly updateId: string; readonly reply: string }[] = [];

  constructor(run: LiveRun, history: History | null) {
    this.#run = run;
    this.#answered = history?.updatesCompleted ?? new Set();
  }

  /** The code can be woken by an update. */
  get hasHandlers(): boolean {
    return this.#handlers.size > 0;
  }
  registerHandler(name: string, handle: UpdateHandler["handle"], validate: UpdateHandler["validate"]): void {
    this.#handlers.set(name, { handle, validate });
  }

  /** Checked against the workflow's schema. */
  add(row: InboxRow, input: string): void {
    this.#pending.push({ row, input });
  }
  /** Those whose handler is known are validated and go to the log. */
  match(): void {
    if (this.#pending.length > 0 && !this.#run.state.continuesAsNew) this.#pending = this.#pending.filter((u) => !this.#offer(u));
  }

  #offer({ row, input }: PendingUpdate): boolean {
    const handler = this.#handlers.get(row.name);
    if (handler === undefined) return false;
    try {
      const said: unknown = handler.validate?.(decode(input));
      if (said instanceof Promise) {
        said.catch(() => {}); // K16: nobody waits for it
        throw new PawlError("PAWL4011", `validate of update ${row.name} must be synchronous: it returned a promise`);
      }
    } catch (e) {
      const failure = failureOf(e, this.#run.host.limits);
      this.#run.arrive({ type: "message", take: () => this.refuse(row, failure) });
      return true;
    }
    this.#run.arrive({ type: "message", take: () => this.#accept(row, input, handler) });
    return true;
  }

  #accept(row: InboxRow, input: string, handler: UpdateHandler): void {
    const r = this.#run;
    if (r.state.continuesAsNew) return;
    if (r.state.isEnding) return this.refuse(row, failureFrom("PAWL4003", "the run is ending"));
    linkSender(r, row);
    const at = r.commits.append({
      eventType: pawlEvents.updateAccepted,
      stepId: null,
      payload: jsonObject({
        updateId: jsonValue(row.id),
        name: jsonValue(row.name),
        inboxId: String(row.inboxId),
        input,
        principal: senderOf(row),
      }),
      consumed: [row.inboxId],
    });
    r.deliver({ at, deliver: () => this.#handle(row.id, row.inboxId, handler, decode(input)) });
  }

  replay(u: RecordedUpdate, at: number): void {
    const r = this.#run;
    const handler = this.#handlers.get(u.name);
    if (handler === undefined)
      return r.replay.diverge("PAWL1006", `update ${u.name} is recorded, and the code no longer handles it`, u.name, "no handler");
    r.deliver({ at, deliver: () => this.#handle(u.updateId, u.inboxId, handler, revive(u.input)) });
  }

  #handle(updateId: string, inboxId: number, handler: UpdateHandler, input: unknown): void {
    const r = this.#run;
    this.#running.set(updateId, inboxId);
    const done = (reply: () => string): void => {
      if (!r.state.inActivation)
        return r.replay.diverge(
          "PAWL1007",
          "the handler of an update was resumed by something that is not recorded",
          "a recorded outcome",
          updateId,
        );
      let text: string;
      try {
        text = reply();
      } catch (e) {
        text = jsonObject({ ok: "false", error: jsonValue(failureOf(e, this.#run.host.limits)) });
      }
      this.#finished.push({ updateId, reply: text });
    };
    const encoded = (value: unknown): string | undefined =>
      value === undefined ? undefined : encode(value, r.host.limits, "answer to the update");
    new Promise((resolve) => resolve(handler.handle(input))).then(
      (value) => done(() => jsonObject({ ok: "true", result: encoded(value) })),
      (e: unknown) => done(() => jsonObject({ ok: "false", error: jsonValue(failureOf(e, this.#run.host.limits)) })),
    );
  }

  /** Answers those whose handler has ended. */
  finish(): void {
    if (this.#finished.length === 0) return;
    const r = this.#run;
    if (r.state.isUnloaded || r.replay.hasDiverged || (r.status !== null && isSettled(r.status))) return;
    for (const { updateId, reply } of this.#finished.splice(0)) {
      const inboxId = this.#running.get(updateId);
      this.#running.delete(updateId);
      if (inboxId === undefined || this.#answered.has(updateId)) continue;
      r.commits.append({
        eventType: pawlEvents.updateCompleted,
        stepId: null,
        payload: jsonObject({ updateId: jsonValue(updateId), answer: reply }),
        reply: { inboxId, reply },
      });
    }
  }

  refuse(row: InboxRow, failure: Failure): void {
    this.#reply(row.inboxId, failure);
  }
  #reply(inboxId: number, failure: Failure): void {
    const reply = jsonObject({ ok: "false", refused: "true", error: jsonValue(failure) });
    this.#run.commits.draft.eventless.consumed.push(inboxId);
    this.#run.commits.draft.eventless.replies.push({ inboxId, reply });
    this.#run.commits.draft.eventless.rejected.push({ inboxId, reason: failure.message });
  }

  /** K18: a pending update of a run that ends is refused; one that no handler has begun goes to the run that continues this one. */
  refusePending(continues: boolean = false): void {
    if (this.#running.size + this.#pending.length === 0) return;
    const failure = failureFrom("PAWL4003", "the run ended before it answered");
    for (const inboxId of this.#running.values()) this.#reply(inboxId, failure);
    if (!continues) for (const u of this.#pending.splice(0)) this.#reply(u.row.inboxId, failure);
  }
}
