// The public shapes of a worker: what worker() takes and returns. Types only. Every member says what it does, since this is what people
// read while they type.
import type { Duration } from "../core/duration.ts";
import type { Scope } from "../core/model.ts";
import type { Logger } from "../engine/run-host.ts";
import type { AnyStore } from "../store/full-store.ts";
import type { TokenSource } from "./http/target.ts";
import type { AnyWorkflow, Task } from "../workflow/types.ts";

export interface WorkerOpts {
  /** The store whose queues it serves, as for engine(). Absent: PAWL_STORE, else the nearest .pawl. */
  store?: string | AnyStore;
  /**
   * Instead of a store: a Pawl server, which it reaches the queues through (docs/worker-protocol.md). worker() waits half a minute for one that
   * does not answer or lets nobody in, and then rejects.
   */
  url?: string;
  /** With `url`: a token with the scope worker, or a function that gives one. */
  token?: TokenSource;
  /** The tasks that it can do. */
  tasks?: readonly Task<any, any>[];
  /** DAGs whose inline steps it can do, in their versions. */
  workflows?: readonly AnyWorkflow[];
  /** The queues that it serves, and how many steps of each at once; 10 unless given. */
  queues: Readonly<Record<string, { concurrency?: number }>>;
  /** Short texts that say more about it, for people who look at the list of workers. */
  labels?: Readonly<Record<string, string>>;
  /** Whose steps it runs, as for engine(). */
  tenant?: Scope;
  /** How long it may be silent before its steps go to somebody else; 10 s unless given. */
  lease?: Duration;
  /** How often the lease is renewed; a third of `lease` unless given, and never more. */
  renew?: Duration;
  /** Texts that must never be recorded, by name, as for engine(). Only with a store: with `url` it is refused. */
  secrets?: Readonly<Record<string, string | undefined>>;
  log?: Logger;
}

export interface Worker {
  readonly workerId: string;
  /** How many steps it has claimed and not reported yet. */
  readonly running: number;
  /**
   * Claims nothing more, gives back what has not begun, and waits for the rest. What is not done after `grace` (10 s) is asked to stop;
   * what does not is left to the class of its step.
   *
   * @example
   * process.once("SIGTERM", () => void app.stop({ grace: "30s" }));
   */
  stop(o?: { grace?: Duration }): Promise<void>;
}
