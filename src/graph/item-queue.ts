// The queue between the items of a superstep and those at work: bounded, in the order of the order keys. Items beyond its depth wait as data. If they wait for
// longer than its timeout, that is recorded and a person is asked; until the answer no further item begins, and the last superstep is the
// checkpoint. Without `queue` it only counts. It must never look at a clock: the timeout is a timer of the log.
import { askToContinue } from "./interrupt.ts";
import type { RunningGraph } from "./run-item.ts";

export class ItemQueue {
  readonly #run: RunningGraph;
  readonly #n: number;
  readonly #total: number;
  readonly #scope: string;
  #taken = 0;
  #isClosed = false;
  #held: Promise<unknown> | null = null;
  #watching: Promise<void> | null = null;

  constructor(run: RunningGraph, superstep: number, total: number) {
    this.#run = run;
    this.#n = superstep;
    this.#total = total;
    this.#scope = `${superstep}/~queue`;
  }

  /** The place of the next item that may begin, of the first `upTo`; undefined: there is none. Waits while a person is asked. */
  take(upTo: number): number | undefined | Promise<number | undefined> {
    if (this.#held !== null) return this.#held.then(() => this.take(upTo));
    if (this.#taken >= upTo) return undefined;
    const i = this.#taken++;
    this.#run.calls.items.queued(Math.min(this.#total - this.#taken, this.#run.g.queue?.depth ?? Number.POSITIVE_INFINITY));
    return i;
  }

  /** Call it when the first items have begun: from then on the timeout counts. */
  watch(): void {
    const { queue } = this.#run.g;
    if (queue === null || queue.timeoutMs === null || this.#blocked <= 0) return;
    this.#watching = this.#watch(queue.depth, queue.timeoutMs);
    this.#watching.catch(() => {}); // awaited in close
  }

  /** Nothing begins any more. Null: nothing is left to wait for. */
  close(): Promise<void> | null {
    this.#isClosed = true;
    this.#run.calls.items.queued(0);
    if (this.#watching !== null) this.#run.calls.closeScope(this.#scope);
    return this.#watching;
  }

  /** Items that have no place in the queue yet. */
  get #blocked(): number {
    return this.#total - this.#taken - (this.#run.g.queue?.depth ?? 0);
  }

  async #watch(depth: number, timeoutMs: number): Promise<void> {
    const { g, calls } = this.#run;
    for (let waitedMs = timeoutMs; this.#blocked > 0; waitedMs += timeoutMs) {
      try {
        await calls.timer(this.#scope, "timeout", { delayMs: timeoutMs });
      } catch (e) {
        if (this.#isClosed) return; // given up with the superstep
        throw e;
      }
      if (this.#isClosed || this.#blocked <= 0) return;
      const said = { n: this.#n, depth, capacity: depth, waitedMs, waiting: this.#blocked };
      calls.mark("pawl.Backpressure", JSON.stringify(said));
      calls.items.backpressure();
      const text = `Superstep ${this.#n} of graph ${g.name}: ${said.waiting} items wait behind a full queue of ${depth} for ${waitedMs} ms. Shall it continue?`;
      this.#held = askToContinue(calls, this.#scope, "full", text, said, false);
      try {
        await this.#held;
      } finally {
        this.#held = null;
      }
    }
  }
}
