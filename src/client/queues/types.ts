// The verbs of queues as a client offers them. Types only: what a queue is stands in api/types/queues.ts.
// They must stay what an HTTP client can offer too.
import type { AskedBy, QueueSettings, QueueView, WorkerView } from "../../api/types/queues.ts";

/** Queues of this tenant: how full they are, their limits, who serves them. */
export interface QueueVerbs {
  /**
   * All queues by name.
   *
   * @example
   * for (const q of await client.queues.list()) console.log(q.name, q.ready, q.claimed, q.health);
   */
  list(): Promise<readonly QueueView[]>;
  /**
   * Changes limits of a queue, and makes it if there is none. With `ifVersion` only if nobody changed it since.
   *
   * @example
   * await client.queues.set("payments", { concurrency: 8, rate: { limit: 100, per: "1m" } }, { by: "ann", reason: "the bank's limit" });
   */
  set(queue: string, settings: QueueSettings, o: AskedBy & { readonly ifVersion?: number }): Promise<QueueView>;
  /**
   * Stops a queue that exists: one with limits, with a step that waits, or with a process that serves it. When this returns, no claim can commit any more and no engine begins a step of it; what was claimed continues.
   *
   * @example
   * await client.queues.pause("payments", { by: "ann", reason: "the bank is down" });
   */
  pause(queue: string, o: AskedBy): Promise<QueueView>;
  /**
   * Lets a paused queue continue.
   *
   * @example
   * await client.queues.resume("payments", { by: "ann", reason: "the bank is back" });
   */
  resume(queue: string, o: AskedBy): Promise<QueueView>;
  /**
   * The processes that run queued steps, those that are alive first.
   *
   * @example
   * for (const w of await client.queues.workers()) console.log(w.workerId, w.alive, w.running);
   */
  workers(): Promise<readonly WorkerView[]>;
}
