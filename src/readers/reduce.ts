// The projector's reducer (layer 3, D-102, D-114): pure, separate from the engine's own fold, and trusting nothing. It knows the
// declared table and the record in hand; nothing else. An invalid event raises one alert and changes no state
// (D-115, D-116); an unknown type changes nothing at all (D-016, D-023); a record that was seen is passed over (P-09). What it
// needs of a step is the attempt itself and the one before (resolution 27), so a service loads a page's steps, never a whole run.
import {
  runTable,
  stepTable,
  type InvalidTransitionAlert as ContractAlert,
  type RunEventRecord,
  type RunStatus,
  type StepStatus,
} from "../core/contract.ts";
import { PawlError } from "../errors/error.ts";

/** What happens after an invalid event: it is ignored and the run marked (A), or the run is frozen before it (B). */
export type ProjectorPolicy = "mark" | "freeze";
export type Condition = "INCONSISTENT" | "STALLED_INVALID_TRANSITION";

/** An alert for an operator: what the contract asks for, and what this projector knows in addition. */
export interface ProjectorAlert extends ContractAlert {
  readonly logicalAttemptId: number;
  /** Of the run, when the event was met. */
  readonly runStatus: RunStatus | "none";
  readonly policy: ProjectorPolicy;
}

/** One attempt of a step. Times are the store's. */
export interface ProjectedStep {
  readonly stepId: string;
  readonly logicalAttemptId: number;
  readonly status: StepStatus;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
}
/** A run without its steps: small, whatever the run's length. */
export interface ProjectedRun {
  readonly runId: string;
  readonly policy: ProjectorPolicy;
  readonly planId: string | null;
  readonly planVersion: string | null;
  /** null before the first event that says so. */
  readonly status: RunStatus | null;
  /** Steps that have begun and not ended. */
  readonly openSteps: number;
  /** The last record seen, of whatever type: how far the projection is. */
  readonly watermark: number;
  /** The last record that state was made of; with "freeze" it no longer moves once the run is stalled. */
  readonly reducedTo: number;
  /** The store's time of that record. */
  readonly asOf: string | null;
  readonly condition: Condition | null;
  readonly invalidEvents: number;
  /** The first invalid event. */
  readonly firstInvalid: Pick<ProjectorAlert, "eventId" | "eventType" | "runSeq" | "priorState" | "attemptedState"> | null;
}
export interface Reduction {
  readonly run: ProjectedRun;
  /** The attempt that changed; at most one does. */
  readonly step: ProjectedStep | null;
  readonly alert: ProjectorAlert | null;
}
export type StepLookup = (stepId: string, logicalAttemptId: number) => ProjectedStep | undefined;

// Maps, not property reads: an event type may be called "constructor".
const runRules = new Map(Object.entries(runTable));
const stepRules = new Map(Object.entries(stepTable));
const endedStatuses: ReadonlySet<StepStatus> = new Set(["SUCCESS", "FAILED", "SKIPPED"]);

export function emptyRun(runId: string, policy: ProjectorPolicy): ProjectedRun {
  return {
    runId,
    policy,
    planId: null,
    planVersion: null,
    status: null,
    openSteps: 0,
    watermark: 0,
    reducedTo: 0,
    asOf: null,
    condition: null,
    invalidEvents: 0,
    firstInvalid: null,
  };
}

/** What one record changes; nothing is touched. */
export function reduceRecord(run: ProjectedRun, lookup: StepLookup, e: RunEventRecord): Reduction {
  checkRecord(run, e);
  if (e.runSeq <= run.watermark) return { run, step: null, alert: null };
  const seen: ProjectedRun = { ...run, planId: run.planId ?? e.planId, planVersion: run.planVersion ?? e.planVersion, watermark: e.runSeq };
  if (run.condition === "STALLED_INVALID_TRANSITION") return { run: seen, step: null, alert: null };
  const here: ProjectedRun = { ...seen, reducedTo: e.runSeq, asOf: e.persistedAt };
  const stepRule = stepRules.get(e.eventType);
  if (stepRule !== undefined) {
    const { stepId, logicalAttemptId: attempt } = e;
    if (stepId === undefined || stepId === "") return invalidEvent(seen, e, "none", stepRule.to);
    const known = lookup(stepId, attempt);
    const state =
      known?.status ?? (attempt === 1 || endedStatuses.has(lookup(stepId, attempt - 1)?.status ?? "PENDING") ? "PENDING" : "none");
    if (state !== stepRule.from || run.status === null || !stepRule.while.includes(run.status))
      return invalidEvent(seen, e, state, stepRule.to);
    const starts = stepRule.to === "RUNNING";
    const step: ProjectedStep = {
      stepId,
      logicalAttemptId: attempt,
      status: stepRule.to,
      startedAt: starts ? e.persistedAt : (known?.startedAt ?? null),
      endedAt: starts ? null : e.persistedAt,
    };
    const openSteps = run.openSteps + (starts ? 1 : stepRule.from === "RUNNING" ? -1 : 0);
    return { run: { ...here, openSteps }, step, alert: null };
  }
  const runRule = runRules.get(e.eventType);
  if (runRule === undefined) return { run: here, step: null, alert: null };
  const state = run.status ?? "none";
  if (e.stepId !== undefined || !runRule.from.includes(state)) return invalidEvent(seen, e, state, runRule.to);
  return { run: { ...here, status: runRule.to }, step: null, alert: null };
}

function invalidEvent(run: ProjectedRun, e: RunEventRecord, priorState: string, attemptedState: string): Reduction {
  const { runId, eventId, eventType, runSeq, persistedAt, tenantId, projectId, environmentId, logicalAttemptId } = e;
  const alert: ProjectorAlert = {
    code: "INVALID_TRANSITION",
    runId,
    tenantId,
    projectId,
    environmentId,
    eventId,
    eventType,
    runSeq,
    persistedAt,
    logicalAttemptId,
    ...(e.stepId === undefined ? {} : { stepId: e.stepId }),
    priorState,
    attemptedState,
    runStatus: run.status ?? "none",
    policy: run.policy,
  };
  const marked: ProjectedRun = {
    ...run,
    condition: run.policy === "mark" ? "INCONSISTENT" : "STALLED_INVALID_TRANSITION",
    invalidEvents: run.invalidEvents + 1,
    firstInvalid: run.firstInvalid ?? { eventId, eventType, runSeq, priorState, attemptedState },
  };
  // "mark" continues from here (D-118); "freeze" stays at the last valid record (D-119).
  return { run: run.policy === "mark" ? { ...marked, reducedTo: runSeq, asOf: persistedAt } : marked, step: null, alert };
}

/** Only a persisted record of this run may change what is derived from its log (D-022). */
function checkRecord(run: ProjectedRun, e: RunEventRecord): void {
  if (typeof e !== "object" || e === null || e.runId !== run.runId)
    throw new PawlError("PAWL4033", `the record is not of run ${run.runId}`);
  if (!Number.isSafeInteger(e.runSeq) || e.runSeq < 1 || typeof e.persistedAt !== "string" || Number.isNaN(Date.parse(e.persistedAt)))
    throw new PawlError("PAWL4033", "the record has no runSeq or no persistedAt");
}
