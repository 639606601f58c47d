// Reports ends of dispatches to the store until each is answered: gathered during one turn of the event loop and while one request is under way, and
// sent again unchanged when nobody knows whether the request arrived. What ended without its worker is posted as evidence, once.
import { isPawlError } from "../errors/error.ts";
import type { Logger } from "../engine/run-host.ts";
import { readPayload } from "../events/payload.ts";
import type { Platform } from "../platform/platform.ts";
import type { FullStore } from "../store/full-store.ts";
import type { DispatchEnd, DispatchEnded, DispatchRow } from "../store/port.ts";
import { dispatchEnded } from "../store/queue-rules.ts";

/** recorded · known: it was reported before · late: kept as evidence · lost: the run has ended, nothing was kept. */
export type Reported = "recorded" | "known" | "late" | "lost";

interface Pending {
  readonly row: DispatchRow;
  readonly end: DispatchEnd;
  readonly done: (as: Reported) => void;
}

const firstWaitMs = 20;
const waitMsMax = 2_000;
const reportsMax = 100;

export class Reporter {
  readonly #platform: Platform;
  readonly #store: FullStore;
  readonly #log: Logger;
  #pending: Pending[] = [];
  #isSending = false;

  constructor(platform: Platform, store: FullStore, log: Logger) {
    this.#platform = platform;
    this.#store = store;
    this.#log = log;
  }
  /** Resolves when it is durable, or can never be. */
  report(row: DispatchRow, end: DispatchEnd): Promise<Reported> {
    return new Promise((done) => {
      this.#pending.push({ row, end, done });
      if (this.#isSending) return;
      this.#isSending = true;
      this.#platform.turn(() => void this.#send()); // what ends in one turn is reported together
    });
  }
  async #send(): Promise<void> {
    while (this.#pending.length > 0) {
      const batch = this.#pending.splice(0, reportsMax);
      const answers = await this.#untilAnswered(() =>
        this.#store.queues.finish(batch.map(({ row, end }) => ({ dispatchId: row.dispatchId, token: row.token ?? "", end }))),
      );
      for (let i = 0; i < batch.length; i++) {
        const p = batch[i]!;
        if (answers[i] === "recorded") p.done("recorded");
        else p.done(await this.#untilAnswered(() => judgeGone(this.#store, p.row, p.end)));
      }
    }
    this.#isSending = false;
  }
  /** A report is never given up: its step may not run again. */
  async #untilAnswered<T>(ask: () => Promise<T>): Promise<T> {
    for (let waitMs = firstWaitMs, n = 0; ; waitMs = Math.min(waitMs * 2, waitMsMax), n++) {
      try {
        return await ask();
      } catch (e) {
        const message = e instanceof Error ? e.message : String(e);
        if (n === 0)
          this.#log("warn", `a report could not be recorded, it is tried again: ${message}`, isPawlError(e) ? { code: e.code } : {});
        await new Promise<void>((resolve) => void this.#platform.timer(waitMs, resolve, true));
      }
    }
  }
}

/** A report without a row: it was reported before, or its dispatch ended otherwise. */
export async function judgeGone(store: FullStore, row: DispatchRow, end: DispatchEnd): Promise<Reported> {
  const { runId, stepId, dispatchId } = row;
  const rows = await store.inbox({ runId, all: true });
  const known = rows.some(
    (r) => r.kind === "result" && r.id === String(dispatchId) && "report" in readPayload<DispatchEnded>(r.payload).end,
  );
  if (known) return "known";
  if (!("report" in end)) return "lost";
  const ended = dispatchEnded(row, { kind: "late", report: end.report });
  return (await store.queues.postLate(runId, stepId, ended)) ? "late" : "lost";
}
