// The worker protocol as data: how a program in any language takes steps off queues and reports them. Types only. The rules are in
// docs/worker-protocol.md, and contract/vectors/worker-protocol.json tries each of them.
import type { GuaranteeClass } from "../../core/model.ts";
import type { Verdict } from "../../engine/calls.ts";

/** What a worker says of itself when it registers. */
export interface WorkerHello {
  /** Its language, for people: "python", "node". */
  readonly lang: string;
  /** The tasks that it runs. Without a version: whatever version is asked for. */
  readonly works: readonly { readonly task: string; readonly version?: string }[];
  readonly queues: Readonly<Record<string, { readonly concurrency: number }>>;
  readonly labels?: Readonly<Record<string, string>>;
}

export interface WorkerWelcome {
  readonly workerId: string;
  /** After so long without a request the worker is dead, and what it claimed is decided by class. */
  readonly leaseMs: number;
  readonly beatEveryMs: number;
  /** How long after sending a poll its claims may begin. */
  readonly beginWithinMs: number;
}

/** A step that the worker has claimed, by its opaque id and the secret of the claim. */
export interface WorkerHeld {
  readonly dispatchId: string;
  readonly token: string;
}

export interface WorkerClaim extends WorkerHeld {
  /** run: run the task. verify: say whether it happened. undo: take it back. */
  readonly what: "run" | "verify" | "undo";
  readonly task: string;
  readonly version?: string;
  readonly queue: string;
  readonly runId: string;
  readonly stepId: string;
  /** Of undo: the recorded result and the task's input. */
  readonly input?: unknown;
  /** The same on every attempt: send it to the receiver. */
  readonly key: string;
  /** Rises with every dispatch of the run, so that a receiver can refuse a stale one. */
  readonly fence: string;
  readonly class: GuaranteeClass;
  readonly attempt: { readonly logical: number; readonly engine: number };
  readonly timeoutMs: number | null;
  /** Counted from when the poll was sent. Later than that: give it back, never begin. */
  readonly beginWithinMs: number;
  readonly lastHeartbeat?: unknown;
  readonly cursor?: unknown;
  readonly carried?: unknown;
  readonly traceparent?: string;
}

export interface WorkerPoll {
  /** Free places by queue. */
  readonly free: Readonly<Record<string, number>>;
  /** How long the server may wait for work, at most 25,000. */
  readonly waitMs: number;
  /** Everything that was claimed and whose result has not been answered. */
  readonly holds: readonly WorkerHeld[];
}

/** What the worker should stop: because somebody asked for it, or because it is no longer the worker's. */
export interface WorkerStops {
  readonly cancel: readonly string[];
  readonly lost: readonly string[];
}
export interface WorkerPolled extends WorkerStops {
  readonly claimed: readonly WorkerClaim[];
}

export type WorkerBeat = WorkerHeld & { readonly detail?: unknown; readonly cursor?: unknown; readonly carried?: unknown };

export interface WorkerError {
  readonly name: string;
  readonly message: string;
  readonly data?: unknown;
}
export type WorkerResult = WorkerHeld &
  (
    | { readonly ok: true; readonly result?: unknown }
    | {
        readonly ok: false;
        readonly error: WorkerError;
        readonly retryable?: boolean;
        readonly retryAfterMs?: number;
        /** Nothing was sent to the receiver: it may safely be tried again. */
        readonly notSent?: true;
        /** Its time limit passed: nobody knows whether it happened. */
        readonly timedOut?: true;
        /** It happened, and its result cannot be sent or kept. */
        readonly notEncodable?: true;
      }
    | { readonly verdict: Verdict<unknown> }
    | { readonly yield: unknown; readonly carried?: unknown }
    | { readonly back: true }
  );

/** recorded · known: it was reported before · late: kept as evidence · lost: the run has ended, nothing was kept. Each is final. */
export interface WorkerNoted {
  readonly noted: readonly { readonly dispatchId: string; readonly as: "recorded" | "known" | "late" | "lost" }[];
}
