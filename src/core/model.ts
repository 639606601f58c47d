// The words of a run as data: statuses, what a run waits for, kinds and classes of steps, the known events.
// Pure types and constants; no behaviour. One word, one meaning (ARCHITECTURE.md).

// Those of the run-event contract come from its files.
export { isSettled, runEventTypes, runStatuses, stepEventTypes } from "./contract.ts";
export type { EventType, RunStatus, StepEventType, StepStatus } from "./contract.ts";

/** What an unsettled run waits for; a second field beside its status. */
export type Waiting = (typeof waitingKinds)[number];
export const waitingKinds = ["timer", "signal", "child", "retry", "worker", "decision", "drain"] as const;

/** What a step is; in the payload of its StepStarted. */
export type StepKindName = "effect" | "tx" | "timer" | "signal" | "child" | "start" | "send" | "ask" | "compensation";

/** The guarantee of a step, derived from what its author supplied, never claimed; the strongest first. */
export type GuaranteeClass = (typeof guaranteeClasses)[number];
export const guaranteeClasses = ["ATOMIC", "KEYED", "VERIFIED", "AT-MOST-ONCE", "REPEATABLE", "UNDECLARED"] as const;

/** What is recorded of an effect. From its dispatch until something is known it is `indeterminate`. */
export type EffectStatus = (typeof effectStatuses)[number];
export const effectStatuses = ["completed", "failed", "cancelled", "timed-out", "indeterminate"] as const;
/** How far it is: on a queue, sent, waiting for its next attempt, waiting for a person, or ended. */
export type EffectPhase = (typeof effectPhases)[number];
export const effectPhases = ["queued", "dispatched", "retrying", "doubt", "settled"] as const;

/** The isolation unit: every run belongs to exactly one. */
export interface Scope {
  readonly tenantId: string;
  readonly projectId: string;
  readonly environmentId: string;
}

/** The epoch rises at each claim; the token is random per claim. Both are tested in every Commit (K4). */
export interface Fence {
  readonly epoch: number;
  readonly token: string;
}
