// The projector as a library: a run's state and its steps' from records alone, by the policy that was chosen (D-117). Pure: the same
// records give the same state, whatever was delivered twice, and however often one stopped in between. It must never ask a store,
// a clock, or the engine.
import { PawlError } from "../errors/error.ts";
import type { RunEventRecord } from "../core/contract.ts";
import { requireVersion2, type NormaliseRecord } from "./record-version.ts";
import { reduceRecord, emptyRun, type ProjectorAlert, type ProjectorPolicy, type ProjectedRun, type ProjectedStep } from "./reduce.ts";

export interface ProjectorState {
  readonly run: ProjectedRun;
  /** In the order of their first events; keys are the projector's own. */
  readonly steps: ReadonlyMap<string, ProjectedStep>;
}
export interface Reduced {
  readonly state: ProjectorState;
  readonly alerts: readonly ProjectorAlert[];
}
export interface ProjectorOptions {
  /** "mark" (the default): an invalid event is ignored and its run marked INCONSISTENT. "freeze": the run is frozen before it. */
  readonly policy?: ProjectorPolicy;
  /** Brings older records to the present version; `readVersion1` of pawl/compat does. Absent: they are refused (PAWL4032). */
  readonly normalise?: NormaliseRecord;
}
export interface Projector {
  /** What is done about an invalid event. */
  readonly policy: ProjectorPolicy;
  /**
   * The state of a run before its first record.
   *
   * @example
   * let state = p.empty("run-1");
   */
  empty(runId: string): ProjectorState;
  /**
   * The state after one record; the state given is left as it is. It copies the run's steps: use `reduceAll` for many records.
   *
   * @example
   * state = p.reduce(state, record).state;
   */
  reduce(state: ProjectorState, record: RunEventRecord): Reduced;
  /**
   * The state after many records, in time that is linear in their number.
   *
   * @example
   * const { state, alerts } = p.reduceAll(p.empty("run-1"), records);
   */
  reduceAll(state: ProjectorState, records: Iterable<RunEventRecord>): Reduced;
}

/**
 * The projector as a library: the state of a run from its records alone. Pure; it needs no store.
 *
 * @example
 * const p = projector();
 * const { state } = p.reduceAll(p.empty(runId), records);
 */
export function projector(o: ProjectorOptions = {}): Projector {
  const policy = checkPolicy(o.policy ?? "mark");
  const normalise = o.normalise ?? requireVersion2;
  const reduceAll = (state: ProjectorState, records: Iterable<RunEventRecord>): Reduced => {
    const folding = new ProjectionFold(state.run, state.steps.values());
    for (const r of records) folding.add(normalise(r));
    const same = folding.run === state.run;
    return { state: same ? state : { run: folding.run, steps: folding.steps }, alerts: folding.alerts };
  };
  return {
    policy,
    empty: (runId) => ({ run: emptyRun(runId, policy), steps: new Map() }),
    reduce: (state, record) => reduceAll(state, [record]),
    reduceAll,
  };
}

export function checkPolicy(p: unknown): ProjectorPolicy {
  if (p !== "mark" && p !== "freeze") throw new PawlError("PAWL5001", 'policy must be "mark" or "freeze"');
  return p;
}

/** A run that is being reduced, with those attempts of its steps that are in memory. */
export class ProjectionFold<R extends ProjectedRun = ProjectedRun> {
  run: R;
  readonly steps: Map<string, ProjectedStep> = new Map();
  /** The attempts that changed since `changed` was last emptied. */
  readonly changed: Map<string, ProjectedStep> = new Map();
  readonly alerts: ProjectorAlert[] = [];

  constructor(run: R, steps: Iterable<ProjectedStep>) {
    this.run = run;
    this.addKnownSteps(steps);
  }

  /** Attempts as they are stored; one that is in memory is newer and stays. */
  addKnownSteps(steps: Iterable<ProjectedStep>): void {
    for (const s of steps) {
      const key = attemptKey(s.stepId, s.logicalAttemptId);
      if (!this.steps.has(key)) this.steps.set(key, s);
    }
  }
  add(record: RunEventRecord): void {
    const { run, step, alert } = reduceRecord(this.run, (id, attempt) => this.steps.get(attemptKey(id, attempt)), record);
    if (run !== this.run) this.run = { ...this.run, ...run };
    if (alert !== null) this.alerts.push(alert);
    if (step === null) return;
    const key = attemptKey(step.stepId, step.logicalAttemptId);
    this.steps.set(key, step);
    this.changed.set(key, step);
  }
}

/** A stepId contains no '|'. */
function attemptKey(stepId: string, attempt: number): string {
  return `${stepId}|${attempt}`;
}
