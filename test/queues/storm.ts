// What the actors of a storm on queues have in common (lock-storm.ts): the queues, the stores, and where problems are reported. For tests;
// nothing in the package imports it.
import type { FullStore } from "../../src/store/full-store.ts";

export interface StormProblem {
  readonly kind: "lost" | "duplicate" | "broken";
  readonly what: string;
}

export interface Storm {
  readonly random: (below: number) => number;
  /** One of several stores on the same database, each with connections of its own. */
  store(): FullStore;
  problem(kind: StormProblem["kind"], what: string): void;
}

export const queues = { open: "open", limited: "limited" } as const;
export const tasks = ["t1", "t2"] as const;
/** At most so many claimed at once on the limited queue. */
export const limit = 5;
