// The shapes of `retry`: what may be asked for, and what a dry run answers. Public: what stands here is a promise, and nothing of a
// store or an engine shows through.
import type { GuaranteeClass, StepKindName } from "../../core/model.ts";
import type { RetryOutlook } from "../../core/send-again.ts";

export interface RetryOptions {
  /** From this step on, REPEATABLE and UNDECLARED steps run again; completed effects of the other classes are kept. */
  readonly fromStep?: string;
  /** Completed steps to send again on purpose: KEYED inside its window and under the same key, VERIFIED after asking. Needs `by` and `reason`. */
  readonly rerun?: readonly string[];
  readonly by?: string;
  readonly reason?: string;
  /** A UUID v4; the same one asks for the same retry again, and is answered with the run that it made. */
  readonly requestId?: string;
  /** Says what a retry would do with each step, and writes nothing. */
  readonly dryRun?: boolean;
}

export interface PlannedStep {
  readonly stepId: string;
  readonly name: string;
  readonly kind: StepKindName;
  readonly class?: GuaranteeClass;
  readonly key?: string;
  /** The run of the run chain that last recorded something about it. */
  readonly runId: string;
  /** If the code makes the same calls again. */
  readonly outlook: RetryOutlook;
  readonly why: string;
}

export interface RetryPlan {
  readonly dryRun: true;
  readonly runId: string;
  readonly workflowId: string;
  /** A run of the run chain whose log was removed: the new run would wait for a person first. */
  readonly lost?: string;
  readonly steps: readonly PlannedStep[];
  /** Steps of the run before that may have undone others by hand, which a retry cannot know. */
  readonly warnings: readonly RetryWarning[];
}

export interface RetryWarning {
  readonly code: "PAWL1023";
  readonly message: string;
  readonly steps: readonly string[];
}

/** The new run. */
export interface Retried {
  readonly runId: string;
  readonly workflowId: string;
  readonly warnings?: readonly RetryWarning[];
  /** It had been asked for before under this requestId. */
  readonly replayed: boolean;
}
