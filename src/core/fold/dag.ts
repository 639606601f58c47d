// What the log of a DAG folds to: for each step that was started or skipped, how it ended and where that is recorded. Results are not copied: they
// are read by their places. Pure; it knows no plan, so it keeps every step. It must never keep a value of the author's.
import type { StyleEvent, StyleFold } from "./style-fold.ts";

/** - open · c completed · f failed · s skipped by the plan · o skipped by a person */
export type NodeEnd = "-" | "c" | "f" | "s" | "o";

/** `seq`: the place of its end; 0 while it is open. */
export interface StepEnd {
  end: NodeEnd;
  seq: number;
}

export interface DagState {
  /** The digest of the plan, as the start recorded it. */
  plan: string | null;
  /** In the order of their starts. */
  readonly steps: Map<string, StepEnd>;
  /** By the node that planned them: how many steps there are. */
  readonly planned: Map<string, number>;
}

interface DagData {
  readonly plan: string | null;
  readonly ids: readonly string[];
  /** One letter for each of `ids`. */
  readonly ends: string;
  /** For each that has ended, the distance of its place to the one before. */
  readonly seqs: readonly number[];
  readonly planned: readonly (readonly [string, number])[];
}

export const dagFold: StyleFold<DagState> = {
  v: 1,
  empty: () => ({ plan: null, steps: new Map(), planned: new Map() }),
  add(s, e) {
    if (e.eventType === "RunStarted") s.plan = (read(e) as { plan?: string }).plan ?? null;
    else if (e.eventType === "pawl.StepsPlanned") addPlanned(s, read(e) as { by: string; steps: readonly string[] });
    else if (e.stepId === null || e.stepId.endsWith("/~compensate")) return;
    else if (e.eventType === "StepStarted") setEnd(s, e.stepId, "-", 0);
    else if (e.eventType === "StepCompleted") setEnd(s, e.stepId, "c", e.runSeq);
    else if (e.eventType === "StepSkipped") setEnd(s, e.stepId, s.steps.has(e.stepId) ? "o" : "s", e.runSeq);
    else if (e.eventType === "StepFailed") addFailure(s, e.stepId, e);
  },
  encode(s): DagData {
    let ends = "";
    let before = 0;
    const seqs: number[] = [];
    for (const { end, seq } of s.steps.values()) {
      ends += end;
      if (end === "-") continue;
      seqs.push(seq - before);
      before = seq;
    }
    return { plan: s.plan, ids: [...s.steps.keys()], ends, seqs, planned: [...s.planned] };
  },
  decode(data) {
    const { plan, ids, ends, seqs, planned } = data as DagData;
    const steps: DagState["steps"] = new Map();
    let seq = 0;
    let next = 0;
    ids.forEach((id, i) => {
      const end = ends[i] as NodeEnd;
      steps.set(id, { end, seq: end === "-" ? 0 : (seq += seqs[next++]!) });
    });
    return { plan, steps, planned: new Map(planned) };
  },
};

function setEnd(s: DagState, stepId: string, end: NodeEnd, seq: number): void {
  const step = s.steps.get(stepId);
  if (step === undefined) s.steps.set(stepId, { end, seq });
  else {
    step.end = end;
    step.seq = seq;
  }
}
function addPlanned(s: DagState, { by, steps }: { readonly by: string; readonly steps: readonly string[] }): void {
  s.planned.set(by, (s.planned.get(by) ?? 0) + steps.length);
}
/** A failure that will be tried again is no end. */
function addFailure(s: DagState, stepId: string, e: StyleEvent): void {
  if ((read(e) as { retryAt?: unknown }).retryAt === undefined) setEnd(s, stepId, "f", e.runSeq);
}

function read(e: StyleEvent): unknown {
  return e.payload === null ? {} : JSON.parse(e.payload);
}
