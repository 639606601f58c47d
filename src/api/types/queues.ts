// What operators see of queues, workers and steps: how full a queue is and who serves it, why a step is not further, what stands in a record of an
// investigation. Types only; times are RFC 3339.
import type { Duration } from "../../core/duration.ts";

/** Who asks, and why (TX-15). `by` is the caller where somebody is authenticated, and may be left out then. */
export interface AskedBy {
  readonly by?: string;
  readonly reason: string;
}

/** The limits of a queue; null removes one. */
export interface QueueSettings {
  /** At most so many steps claimed at once, over all processes. */
  readonly concurrency?: number | null;
  /** At most `burst` (1) at once, then one every `per / limit`. */
  readonly rate?: { readonly limit: number; readonly per: Duration; readonly burst?: number } | null;
  /** What one step of priority is worth in waiting; applies to steps queued afterwards. */
  readonly aging?: Duration;
}

/** The same as they travel: durations are milliseconds, or text such as "1m". */
export interface WireQueueSettings {
  readonly concurrency?: number | null;
  readonly rate?: { readonly limit: number; readonly per: string | number; readonly burst?: number } | null;
  readonly aging?: string | number;
}

export interface QueueView {
  readonly name: string;
  readonly concurrency: number | null;
  readonly rate: { readonly limit: number; readonly perMs: number; readonly burst: number } | null;
  readonly agingMs: number;
  /** Rises with every change. */
  readonly version: number;
  readonly paused?: { readonly since: string; readonly by: string; readonly reason: string };
  /** Steps that wait for a worker, counted up to 10,000; those that a paused run holds are not counted. */
  readonly ready: number;
  readonly claimed: number;
  readonly held: number;
  /** How long the oldest ready step has waited. */
  readonly oldestMs: number;
  /** Processes that are alive and serve it. */
  readonly workers: number;
  /** Tasks of ready steps that no such process can do. */
  readonly unserved: readonly string[];
  /** By the oldest ready step: stale after 30 minutes, a warning from four fifths of that on. */
  readonly health: "healthy" | "warning" | "stale";
}

/** A process that runs queued steps: a worker, or an engine. */
export interface WorkerView {
  readonly workerId: string;
  readonly kind: "engine" | "worker" | "remote";
  readonly lang: string;
  readonly alive: boolean;
  readonly leaseUntil: string;
  readonly queues: readonly string[];
  readonly works: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
  /** Steps that it has claimed and not reported. */
  readonly running: number;
}

/** What a person does about one step. */
export type StepAct =
  | { readonly do: "retry" }
  | { readonly do: "complete"; readonly result?: unknown }
  | { readonly do: "resolve" }
  | { readonly do: "skip" }
  | { readonly do: "fail" };

export type InvestigationCause = "stale" | "attempts-exhausted" | "no-worker" | "poison" | "by-hand";
/** A run that somebody should look at: a record, never a requeue (TX-13). */
export interface InvestigationView {
  readonly runId: string;
  /** 1, 2, …: one is open at a time. */
  readonly n: number;
  readonly why: InvestigationCause;
  readonly openedAt: string;
  /** How the run stood when it was opened: its status, what it waited for, each step that had not succeeded. */
  readonly snapshot: unknown;
  readonly notes: readonly { readonly at: string; readonly by: string; readonly reason: string }[];
  readonly closed?: { readonly at: string; readonly by: string; readonly reason: string; readonly as: "resolved" | "failed" | "cancelled" };
}
