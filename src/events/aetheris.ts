// Aetheris' own formulas and its way to read old events, for those who come from there. Pure. A planned call has the step id of this formula for its call id, so
// a plan that both systems execute gives both the same ids. It must never take a label into an id: labels are for people.
import { sha256Hex } from "../platform/crypto/hash.ts";

/**
 * The id of a plan's decision record: the first 16 hex digits of the SHA-256 of the plan's bytes.
 *
 * @example
 * const record = aetherisDecisionId('[{"tool":"email"}]');
 */
export function aetherisDecisionId(plan: string | Uint8Array): string {
  return sha256Hex(plan).slice(0, 16);
}

/**
 * The id of a step of a plan: the first 16 hex digits of the SHA-256 of run, decision record, index and node type, with a NUL between.
 *
 * @example
 * aetherisStepId(runId, "0123456789abcdef", 0, "tool");
 */
export function aetherisStepId(runId: string, decisionId: string, index: number, nodeType: string): string {
  return sha256Hex(`${runId}\0${decisionId}\0${String(index)}\0${nodeType}`).slice(0, 16);
}

/** One event as Aetheris exports it: a type, and a payload with at least `node_id`. */
export interface AetherisEvent {
  readonly type: string;
  readonly payload?: {
    readonly step_id?: string;
    readonly node_id?: string;
    readonly result_type?: string;
    readonly payload_results?: unknown;
  } | null;
}
/** What became of a step; "open": it began, and no end is recorded. */
export interface AetherisStep {
  readonly stepId: string;
  readonly resultType: string;
  /** It is done, and must not be done again: it succeeded, its effect was committed, or it was compensated. */
  readonly done: boolean;
  readonly result?: unknown;
}

const doneTypes: ReadonlySet<string> = new Set(["success", "pure", "side_effect_committed", "compensated"]);

/**
 * What a run of Aetheris had done, by step: so that a workflow that takes it over does not do it again. An old event without a step id counts for its
 * node id, and an end without a result type is a success.
 *
 * @example
 * const done = aetherisSteps(exported).filter((s) => s.done).map((s) => s.stepId);
 */
export function aetherisSteps(events: readonly AetherisEvent[]): readonly AetherisStep[] {
  const steps = new Map<string, AetherisStep>();
  for (const { type, payload } of events) {
    const stepId = filled(payload?.step_id) ?? filled(payload?.node_id);
    if (stepId === undefined) continue;
    if (type === "node_started") {
      if (!steps.has(stepId)) steps.set(stepId, { stepId, resultType: "open", done: false });
    } else if (type === "node_finished") {
      const resultType = filled(payload?.result_type) ?? "success";
      const result = payload?.payload_results;
      steps.set(stepId, { stepId, resultType, done: doneTypes.has(resultType), ...(result === undefined ? {} : { result }) });
    }
  }
  return [...steps.values()];
}

function filled(text: unknown): string | undefined {
  return typeof text === "string" && text !== "" ? text : undefined;
}
