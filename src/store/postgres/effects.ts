// The ledger in Postgres: records of effects as columns and back, and the listing. A record is keyed by its run and the
// place of its step in the run's log, so that records of one run lie together; listing walks that key, newest run first. It
// decides nothing: what a record says was decided by the Commit it came with.
import { toEffect } from "../sql/effect-row.ts";
import { encodeEffectCursor, decodeEffectCursor, scopeKey } from "../keys.ts";
import type { EffectQuery, EffectRecord, EffectWrite } from "../port.ts";
import type { Bind } from "./wire/driver.ts";
import type { BoundSession } from "./wire/session.ts";

interface Column {
  readonly name: string;
  readonly kind: "text" | "bigint" | "integer";
  readonly of: (e: EffectWrite) => string | number | null;
}

/** What a Commit brings; the run's id and the two times are the store's to add. */
export const effectColumns: readonly Column[] = [
  { name: "seq", kind: "bigint", of: (e) => e.seq },
  { name: "version", kind: "integer", of: (e) => e.version },
  { name: "scope", kind: "text", of: (e) => scopeKey(e.scope) },
  { name: "workflow_id", kind: "text", of: (e) => e.workflowId },
  { name: "step_id", kind: "text", of: (e) => e.stepId },
  { name: "name", kind: "text", of: (e) => e.name },
  { name: "class", kind: "text", of: (e) => e.class },
  { name: "key", kind: "text", of: (e) => e.key },
  { name: "args_digest", kind: "text", of: (e) => e.argsDigest },
  { name: "receiver", kind: "text", of: (e) => e.receiver },
  { name: "status", kind: "text", of: (e) => e.status },
  { name: "phase", kind: "text", of: (e) => e.phase },
  { name: "attempts", kind: "integer", of: (e) => e.attempts },
  { name: "engine_attempts", kind: "integer", of: (e) => e.engineAttempts },
  { name: "error", kind: "text", of: (e) => e.error },
  { name: "event_seq", kind: "bigint", of: (e) => e.eventSeq },
];
const names = effectColumns.map((c) => c.name).join(", ");
const changing = ["status", "phase", "attempts", "engine_attempts", "error", "event_seq", "updated_at"];

/** `from` has the columns as `f`; `written` is the run's row that was just written as `w`: without it nothing is put (I3). */
export function putEffects(schema: string, from: string): string {
  return (
    `insert into ${schema}.effects (run_id, ${names}, created_at, updated_at) select w.run_id, ${names.replaceAll(/(\w+)/g, "f.$1")}, ` +
    `w.persisted_at, w.persisted_at from ${from} on conflict (run_id, seq) do update set ` +
    changing.map((c) => `${c} = excluded.${c}`).join(", ")
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
  const found = (await r.query({ text, values })).rows.map(toEffect);
  const effects = found.slice(0, q.limit);
  const last = effects.at(-1);
  return found.length > q.limit && last !== undefined ? { effects, cursor: encodeEffectCursor(last) } : { effects };
}
