// What a run that was read from a snapshot is given of what came before it: what it may have to undo, what must be confirmed, the results that
// its first turn looks up. What is not needed at once is read when it is. It must never run a step again: everything here has ended.
import { askDecision } from "../decisions/needs-decision.ts";
import type { RunHost } from "../run-host.ts";
import type { LiveRun } from "../run/live-run.ts";
import type { Definition } from "../definition.ts";
import type { History } from "../run/history.ts";
import type { ResumeFrom } from "./read-log.ts";
import { restoreEffect, type RestoredEffect } from "./restore-step.ts";
import { untilRead } from "./until-read.ts";
import { readPayloads } from "./wanted-results.ts";

export interface RestoredFrom extends ResumeFrom {
  /** Completed effects that a verifier is asked about before anything new is decided. */
  readonly confirmable: readonly RestoredEffect[];
  /** Results that the first turn looks up, by their places. */
  readonly wanted: ReadonlyMap<number, string | null>;
}

/** Null, with the reason: the code here cannot continue from there. */
export async function prepareResume(
  host: RunHost,
  runId: string,
  definition: Definition,
  input: string | null,
  history: History,
  from: ResumeFrom,
): Promise<RestoredFrom | null> {
  const style = definition.style!;
  const confirmable: RestoredEffect[] = [];
  for (const ref of from.refs) {
    if (!ref.confirm || history.confirmations.accepted.has(ref.stepId)) continue;
    const restored = await restoreEffect(host.store, runId, style, input, from.point, ref);
    if (restored === null) return null;
    confirmable.push(restored);
  }
  const seqs = style.wants(from.point);
  const payloads = await readPayloads(host.store, runId, seqs);
  return { ...from, confirmable, wanted: new Map(seqs.map((seq, i) => [seq, payloads[i] ?? null])) };
}

/** In the run's memory, before its code begins. */
export function restoreBefore(r: LiveRun, from: RestoredFrom): void {
  if (from.wanted.size > 0) r.results.preload(from.wanted);
  r.undo.addRefs(from.refs.filter((ref) => ref.undo));
  for (const stepId of from.undoLost) r.undo.fail(stepId);
  r.chain?.addCalled(from.called);
  r.toolCalls.restore(from.toolCalls, from.toolTotals);
  r.toolCalls.forgetOpen();
}

/** True: what must be undone next ended before the snapshot, and is being read. */
export function restoresUndo(r: LiveRun): boolean {
  const ref = r.undo.refToRestore;
  if (ref === undefined || r.undo.isRestoring || r.state.needsDecision) return ref !== undefined;
  r.undo.isRestoring = true;
  untilRead(r, () => restoreEffect(r.host.store, r.row.runId, r.definition!.style!, r.input, r.from!.point, ref)).then(
    (restored) => {
      r.undo.isRestoring = false;
      if (r.state.isUnloaded) return;
      if (restored !== null) r.undo.onRestored(restored);
      else if (!r.state.needsDecision) askDecision(r, `step ${ref.stepId} must be undone, and no code here knows it`);
      r.pump();
    },
    (e: unknown) => r.reloadAfterError(e),
  );
  return true;
}
