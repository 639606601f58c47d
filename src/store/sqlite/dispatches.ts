// What a Commit does to dispatches, as SQL inside its transaction, and their end. A dispatch ends once: its row goes, and one row comes into
// the run's inbox in the same transaction, unless the run has settled. A Commit that says nothing about queues never comes here.
import type { Commit, DispatchEnd, DispatchRef, DispatchRow } from "../port.ts";
import { dispatchEnded, rankOf } from "../queue-rules.ts";
import { type Statements, toDispatch } from "./rows.ts";

/** Whether a Commit says anything about queues, snapshots or rows beside the log. */
export function saysMore(c: Commit): boolean {
  return (
    c.dispatches !== undefined ||
    c.ends !== undefined ||
    c.withdraws !== undefined ||
    c.held !== undefined ||
    c.drop !== undefined ||
    c.snapshot !== undefined ||
    c.puts !== undefined
  );
}

/** Of a Commit that leaves its run unsettled. */
export function writeQueueing(st: Statements, c: Commit, at: number): void {
  if (c.drop === true) st.dropDispatches.run(c.runId);
  for (const d of placesOf(st, c.runId, c.ends)) st.removeDispatch.run(d.dispatchId);
  for (const d of placesOf(st, c.runId, c.withdraws)) {
    if (d.worker === null) endDispatch(st, d, { kind: "withdrawn" }, at);
    else st.flagDispatch.run(d.dispatchId);
  }
  if (c.held !== undefined) st.holdDispatches.run(c.held ? 1 : 0, c.runId);
  for (const d of c.dispatches ?? []) {
    const { seq, what, stepId, attempt, engineAttempt, queue, task, spec, expiresAt, timeoutMs, claimed } = d;
    const head = [c.runId, seq, what, stepId, attempt, engineAttempt, queue, task, rankOf(d, at), c.held === true ? 1 : 0] as const;
    const claim = [claimed?.worker ?? null, claimed?.token ?? null, claimed === undefined ? null : at] as const;
    st.insertDispatch.run(...head, spec, at, expiresAt, timeoutMs, ...claim);
  }
}

/** In the order of their numbers, so that messages of one Commit have the same order on every store. */
function placesOf(st: Statements, runId: string, refs: readonly DispatchRef[] | undefined): DispatchRow[] {
  if (refs === undefined) return [];
  const rows = refs.flatMap((r) => st.dispatchOfPlace.all(runId, r.seq, r.what)).map(toDispatch);
  return rows.sort((a, b) => a.dispatchId - b.dispatchId);
}

/** False: the run has settled, and nothing was put into its inbox. */
export function endDispatch(st: Statements, d: DispatchRow, end: DispatchEnd, at: number): boolean {
  st.removeDispatch.run(d.dispatchId);
  const payload = JSON.stringify(dispatchEnded(d, end));
  return st.notify.run("result", d.stepId, String(d.dispatchId), payload, at, null, d.runId).changes === 1;
}
