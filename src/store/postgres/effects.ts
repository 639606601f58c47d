// The ledger in Postgres: records of effects as columns and back, and the listing. A record is keyed by its run and the
// place of its step in the run's log, so that records of one run lie together; listing walks that key, newest run first. It
// decides nothing: what a record says was decided by the Commit it came with.
import { changingEffectColumns, effectColumns, namesOf } from "../sql/columns.ts";
import { encodeEffectCursor, decodeEffectCursor, scopeKey } from "../keys.ts";
import type { EffectQuery, EffectRecord } from "../port.ts";
import type { Bind } from "./wire/driver.ts";
import { toEffect } from "./rows.ts";
import type { BoundSession } from "./wire/session.ts";

const names = namesOf(effectColumns);

/** `from` has the columns as `f`; `written` is the run's row that was just written as `w`: without it nothing is put (I3). */
export function putEffects(schema: string, from: string): string {
  return (
    `insert into ${schema}.effects (run_id, ${names}, created_at, updated_at) select w.run_id, ${names.replaceAll(/(\w+)/g, "f.$1")}, ` +
    `w.persisted_at, w.persisted_at from ${from} on conflict (run_id, seq) do update set ` +
    changingEffectColumns.map((c) => `${c} = excluded.${c}`).join(", ")
  );
}

export async function listEffects(r: BoundSession, q: EffectQuery): Promise<{ effects: EffectRecord[]; cursor?: string }> {
  const values: Bind[] = [];
  const where: string[] = [];
  const equal = (column: string, value: string | undefined): void => {
    if (value !== undefined) where.push(`${column} = $${values.push(value)}`);
  };
  equal("scope", scopeKey(q.scope));
  equal("run_id", q.runId);
  equal("key", q.key);
  equal("name", q.name);
  equal("receiver", q.receiver);
  equal("class", q.class);
  equal("status", q.status);
  // Written out, so that the index of what is in doubt is known to fit.
  if (q.phase === "doubt") where.push("in_doubt");
  else equal("phase", q.phase);
  if (q.cursor !== undefined) {
    const place = decodeEffectCursor(q.cursor);
    const n = values.push(place.runId, place.seq);
    where.push(`run_id <= $${n - 1} and (run_id < $${n - 1} or seq > $${n})`);
  }
  const text =
    `select run_id, ${names}, created_at, updated_at from ${r.settings.schema}.effects where ${where.join(" and ")} ` +
    `order by run_id desc, seq limit $${values.push(q.limit + 1)}`;
  const found = (await r.query({ text, values })).rows.map((x) => toEffect(x));
  const effects = found.slice(0, q.limit);
  const last = effects.at(-1);
  return found.length > q.limit && last !== undefined ? { effects, cursor: encodeEffectCursor(last) } : { effects };
}
