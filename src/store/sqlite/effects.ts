// The ledger in SQLite: records of effects as rows and back, and the listing. A record is keyed by its run and the place of
// its step in the run's log; listing walks that key, newest run first. It decides nothing: what a record says was decided
// by the Commit it came with.
import { encodeEffectCursor, decodeEffectCursor, scopeKey } from "../keys.ts";
import type { EffectQuery, EffectRecord, EffectWrite } from "../port.ts";
import type { Bind, Connection } from "./wire/driver.ts";
import { effectValues, type Statements, toEffect } from "./rows.ts";
import { effectNames } from "./sql.ts";

/** A record that is there is changed where it may change; half the work of putting it whole, and half of all puts are that. */
export function putEffect(st: Statements, runId: string, e: EffectWrite, at: number): void {
  const isFirst = e.seq === e.eventSeq;
  if (!isFirst) {
    const { changes } = st.changeEffect.run(e.status, e.phase, e.attempts, e.engineAttempts, e.error, e.eventSeq, at, runId, e.seq);
    if (changes === 1) return;
  }
  st.putEffect.run(...effectValues(runId, e, at, at));
}

export function listEffects(db: Connection, q: EffectQuery): { effects: EffectRecord[]; cursor?: string } {
  const where = ["scope = ?"];
  const values: Bind[] = [scopeKey(q.scope)];
  const narrow = (text: string, ...more: Bind[]): void => {
    where.push(text);
    values.push(...more);
  };
  if (q.runId !== undefined) narrow("run_id = ?", q.runId);
  if (q.key !== undefined) narrow("key = ?", q.key);
  if (q.name !== undefined) narrow("name = ?", q.name);
  if (q.receiver !== undefined) narrow("receiver = ?", q.receiver);
  if (q.class !== undefined) narrow("class = ?", q.class);
  if (q.status !== undefined) narrow("status = ?", q.status);
  // Written out, so that the index of what is in doubt is known to fit.
  if (q.phase !== undefined) narrow(q.phase === "doubt" ? "phase = 'doubt'" : "phase = ?", ...(q.phase === "doubt" ? [] : [q.phase]));
  if (q.cursor !== undefined) {
    const { runId, seq } = decodeEffectCursor(q.cursor);
    narrow("run_id <= ? and (run_id < ? or seq > ?)", runId, runId, seq);
  }
  values.push(q.limit + 1);
  const text = `select ${effectNames} from pawl_effects where ${where.join(" and ")} order by run_id desc, seq limit ?`;
  const found = db
    .prepare(text)
    .all(...values)
    .map((r) => toEffect(r));
  const effects = found.slice(0, q.limit);
  const last = effects.at(-1);
  return found.length > q.limit && last !== undefined ? { effects, cursor: encodeEffectCursor(last) } : { effects };
}
