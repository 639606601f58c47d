// The log of a graph as its replay needs it: where the graph stood before and after each superstep, how each recorded call ended, and in which order the
// ends reached the code. Read from what `handle.events()` gives. Pure; it runs no code of the author's.
import { graphFold, type GraphState } from "../../core/fold/graph.ts";
import { readSuperstep, type SuperstepItem } from "../../core/graph/superstep.ts";
import type { RunEventRecord } from "../../core/contract.ts";
import { endOfSkipped } from "../../engine/fold/recorded-step.ts";
import { PawlError } from "../../errors/error.ts";
import {
  pawlEvents,
  type RunStartPayload,
  type StepCompletedPayload,
  type StepFailedPayload,
  type StepSkippedPayload,
  type StepStartedPayload,
} from "../../events/payload.ts";

export interface RecordedCall {
  readonly stepId: string;
  readonly started: StepStartedPayload & { readonly input?: unknown };
  /** The logical attempt that ended it. */
  attempt: number;
  /** Null: it was open when the log ended. */
  end: { readonly ok: true; readonly payload: StepCompletedPayload } | { readonly ok: false; readonly payload: StepFailedPayload } | null;
  /** When the end was recorded, in ms. */
  at: number;
}

export interface RecordedSuperstep {
  readonly n: number;
  /** Null: the log begins with this one. */
  readonly before: GraphState | null;
  readonly after: GraphState;
  readonly items: readonly SuperstepItem[];
  /** RFC 3339. */
  readonly at: string;
  /** Its calls that ended, in the order of their ends. */
  readonly ends: readonly RecordedCall[];
}

export interface GraphRecording {
  readonly runId: string;
  readonly start: RunStartPayload;
  readonly supersteps: readonly RecordedSuperstep[];
  readonly calls: ReadonlyMap<string, RecordedCall>;
}

export function readRecording(events: readonly RunEventRecord[], graphName: string): GraphRecording {
  const [first] = events;
  if (first === undefined) throw new PawlError("PAWL4011", "the history is empty");
  if (first.planId !== graphName) throw new PawlError("PAWL4011", `the history is one of workflow ${first.planId}, not of ${graphName}`);
  const state = graphFold.empty();
  const calls = new Map<string, RecordedCall>();
  const supersteps: RecordedSuperstep[] = [];
  let start: RunStartPayload = {};
  let before: GraphState | null = null;
  let ends: RecordedCall[] = [];
  for (const e of events) {
    const payload = e.payload === undefined ? null : JSON.stringify(e.payload);
    const { parts } = state;
    graphFold.add(state, {
      runSeq: e.runSeq,
      eventType: e.eventType,
      stepId: e.stepId ?? null,
      logicalAttemptId: e.logicalAttemptId,
      payload,
    });
    if (e.eventType === "RunQueued" || e.eventType === "RunStarted") start = { ...start, ...(e.payload as RunStartPayload | undefined) };
    else if (e.eventType === pawlEvents.superstep) {
      const after = { ...state };
      supersteps.push({ n: state.n, before, after, items: readSuperstep(payload ?? "{}", parts).items, at: e.persistedAt, ends });
      before = after;
      ends = [];
    } else addCall(calls, ends, e);
  }
  if (supersteps.length === 0)
    throw new PawlError("PAWL4011", "the history has no supersteps: it is that of no graph, or payloads were left out");
  return { runId: first.runId, start, supersteps, calls };
}

function addCall(calls: Map<string, RecordedCall>, ends: RecordedCall[], e: RunEventRecord): void {
  if (e.stepId === undefined || e.stepId === null) return;
  const known = calls.get(e.stepId);
  if (e.eventType === "StepStarted" && known === undefined)
    calls.set(e.stepId, { stepId: e.stepId, started: e.payload as never, attempt: e.logicalAttemptId, end: null, at: 0 });
  if (known === undefined) return;
  const payload = (e.payload ?? {}) as unknown as StepCompletedPayload & StepFailedPayload;
  if (e.eventType === "StepCompleted") known.end = { ok: true, payload };
  else if (e.eventType === "StepFailed" && payload.retryAt === undefined) known.end = { ok: false, payload };
  else if (e.eventType === "StepSkipped") known.end = { ok: false, payload: endOfSkipped(e.payload as unknown as StepSkippedPayload) };
  else return;
  known.attempt = e.logicalAttemptId;
  known.at = Date.parse(e.emittedAt);
  ends.push(known);
}
