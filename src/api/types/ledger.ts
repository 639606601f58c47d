// The public shapes of effects, decisions and their answers. Field names of an effect's record are the contract's (W-012 …
// W-021). Types only; what must not be seen outside is simply not here.
import type { EffectPhase, EffectStatus, GuaranteeClass } from "../../core/model.ts";
import type { QuestionView } from "./questions.ts";
import type { Hidden } from "./run.ts";

/** The record of one effect. Version 1. */
export interface EffectView {
  readonly effectId: string;
  readonly version: 1;
  readonly workflowId: string;
  /** The name under which the step was called. */
  readonly activityName: string;
  /** runId and stepId: the scheduled operation. */
  readonly operationId: string;
  readonly idempotencyKey?: string;
  /** Injective in all of the above. */
  readonly storageKey: string;
  readonly status: EffectStatus;
  readonly phase: EffectPhase;
  readonly result?: unknown;
  readonly error?: {
    readonly category?: string;
    readonly message?: string;
    readonly code?: string;
    readonly reason?: string;
    readonly diagnosis?: string;
  };
  /** First dispatch, and last change. */
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly runId: string;
  readonly stepId: string;
  readonly class: GuaranteeClass;
  readonly attempts: number;
  readonly engineAttempts: number;
  readonly argsDigest?: string;
  /** Whom it acts on, as its author named it. */
  readonly receiver?: string;
  /** Who ran it, of a step that was on a queue: a worker, or the engine of its run. */
  readonly worker?: string;
  /** From that claim to this state of the record, by the store's clock. */
  readonly durationMs?: number;
  /** Another operation used the same key with other arguments. */
  readonly argumentsDiffer?: true;
  readonly hidden?: Hidden;
}

export interface EffectFilter {
  readonly key?: string;
  readonly runId?: string;
  /** Of all runs of this business id. */
  readonly workflowId?: string;
  readonly stepId?: string;
  readonly name?: string;
  readonly receiver?: string;
  /** Who ran it last, of steps that were on a queue. */
  readonly worker?: string;
  readonly class?: GuaranteeClass;
  readonly status?: EffectStatus;
  readonly phase?: EffectPhase;
  readonly limit?: number;
  readonly cursor?: string;
}

export interface LegalAnswer {
  readonly answer:
    | "happened"
    | "did-not-happen"
    | "fail"
    | "retry"
    | "accept"
    | "approve"
    | "refuse"
    | "complete"
    | "resolve"
    | "skip"
    | "answer";
  readonly consequence: string;
  /** Not before this time: the last dispatch may still arrive. */
  readonly from?: string;
}

/** Something that only a person may answer. */
export interface DecisionView {
  readonly decisionId: string;
  readonly kind: "effect" | "compensation" | "diverged" | "given-up" | "confirmation" | "approval" | "failure" | "question";
  readonly runId: string;
  readonly workflowId: string;
  readonly workflow: string;
  readonly since: string;
  readonly code: string;
  readonly reason: string;
  /** Words in the reason that a step's error or a verifier said. Without the scope `payloads` it has "…" in their place. */
  readonly quotes?: string;
  readonly hidden?: Hidden;
  readonly step?: {
    readonly stepId: string;
    readonly name: string;
    readonly class: GuaranteeClass;
    readonly key?: string;
    readonly attempts: number;
    /** How often it may have been sent, at most. */
    readonly sends: number;
    readonly firstSentAt: string;
    readonly lastSentAt: string;
  };
  /** What would be sent, of a step that a person must approve; nothing of it was sent. */
  readonly approval?: {
    readonly stepId: string;
    readonly name: string;
    readonly class: GuaranteeClass;
    readonly key?: string;
    readonly receiver?: string;
    /** The declared input, and its digest; absent where none was declared. */
    readonly input?: unknown;
    readonly argsDigest?: string;
    readonly hidden?: Hidden;
  };
  /** Of a question that the run's code asks (`ctx.ask`). */
  readonly question?: QuestionView;
  /** Recorded effects that the world no longer shows, by what their verifiers said. */
  readonly unconfirmed?: readonly {
    readonly stepId: string;
    readonly verifier: string;
    readonly reason: string;
    readonly hidden?: Hidden;
  }[];
  /** One person's answer that waits for another's. */
  readonly proposed?: { readonly by: string; readonly reason: string; readonly answer: string };
  /** An answer was posted, and no engine has taken it yet. */
  readonly answered?: true;
  /** The runSeqs of the events that concern it. */
  readonly evidence: readonly number[];
  readonly answers: readonly LegalAnswer[];
}

/** Who answers, and why, and what. */
export type DecisionAnswer = { readonly by: string; readonly reason: string } & (
  | { readonly happened: true; readonly result?: unknown }
  | { readonly happened: false }
  | { readonly fail: true }
  /** Of a run as a whole: a divergence, one that its engines gave up; a confirmation: the verifier is asked again; a held step: another attempt. */
  | { readonly retry: true }
  /** Of a confirmation: the run continues from what was recorded. */
  | { readonly accept: true }
  /** Of a step that waits for approval: it is sent, or fails as NOT_APPROVED. */
  | { readonly approve: true }
  | { readonly refuse: true }
  /** Of a step of a plan that failed for good and is held: it completes with a result, is settled without one, or is skipped. */
  | { readonly complete: true; readonly result?: unknown }
  | { readonly resolve: true }
  | { readonly skip: true }
);

export interface Resolved {
  /** applied: it is in the log. proposed: another person must confirm it. posted: durable, and no engine has taken it yet. */
  readonly state: "applied" | "proposed" | "posted";
  /** This answer had been given before: nothing was written now. */
  readonly replayed?: true;
}
