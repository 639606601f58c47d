// The ledger in SQLite: how a Commit writes records of effects. A record is keyed by its run and the place of its step in the run's
// log. It decides nothing: what a record says was decided by the Commit it came with.
import type { EffectWrite } from "../port.ts";
import { effectValues, type Statements } from "./rows.ts";

/** A record that is there is changed where it may change; half the work of putting it whole, and half of all puts are that. */
export function putEffect(st: Statements, runId: string, e: EffectWrite, at: number): void {
  const isFirst = e.seq === e.eventSeq;
  if (!isFirst) {
    const { changes } = st.changeEffect.run(
      e.status,
      e.phase,
      e.attempts,
      e.engineAttempts,
      e.error,
      e.eventSeq,
      e.worker,
      at,
      runId,
      e.seq,
    );
    if (changes === 1) return;
  }
  st.putEffect.run(...effectValues(runId, e, at, at));
}
