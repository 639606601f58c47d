// The ledger in Postgres: how a Commit writes records of effects. A record is keyed by its run and the place of its step in the run's
// log, so that records of one run lie together. It decides nothing: what a record says was decided by the Commit it came with.
import { changingEffectColumns, effectColumns, namesOf } from "../sql/columns.ts";

const names = namesOf(effectColumns);

/** `from` has the columns as `f`; `written` is the run's row that was just written as `w`: without it nothing is put (I3). */
export function putEffects(schema: string, from: string): string {
  return (
    `insert into ${schema}.effects (run_id, ${names}, created_at, updated_at) select w.run_id, ${names.replaceAll(/(\w+)/g, "f.$1")}, ` +
    `w.persisted_at, w.persisted_at from ${from} on conflict (run_id, seq) do update set ` +
    changingEffectColumns.map((c) => `${c} = excluded.${c}`).join(", ")
  );
}
