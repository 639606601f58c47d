// Callers that wait in this process for the end of a run that is live here. They are notified once: with how it ended, or with null when the
// run left memory in another way, and then ask the store.
import type { RunStatus } from "../core/model.ts";

/** How a run ended, from its terminal event. */
export interface RunOutcome {
  readonly status: RunStatus;
  readonly payload: string | null;
}
export type EndListener = (e: RunOutcome | null) => void;

/** `leave`: nobody waits any more. */
export interface EndWait {
  readonly ended: Promise<RunOutcome | null>;
  readonly leave: () => void;
}

export class EndWaiters {
  readonly #waiters = new Map<string, EndListener[]>();

  add(runId: string, listener: EndListener): void {
    const list = this.#waiters.get(runId);
    if (list === undefined) this.#waiters.set(runId, [listener]);
    else list.push(listener);
  }
  wait(runId: string): EndWait {
    let leave = (): void => {};
    const ended = new Promise<RunOutcome | null>((resolve) => {
      this.add(runId, resolve);
      leave = () => this.remove(runId, resolve);
    });
    return { ended, leave };
  }
  remove(runId: string, listener: EndListener): void {
    const list = this.#waiters.get(runId);
    const at = list?.indexOf(listener) ?? -1;
    if (at >= 0) list!.splice(at, 1);
    if (list?.length === 0) this.#waiters.delete(runId);
  }
  forget(runId: string): void {
    this.#waiters.delete(runId);
  }
  notify(runId: string, outcome: RunOutcome | null): void {
    const waiters = this.#waiters.get(runId);
    this.#waiters.delete(runId);
    for (const listener of waiters ?? []) listener(outcome);
  }
}
