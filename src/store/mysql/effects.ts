// The ledger in MySQL: records of effects as rows and back, and the listing. A record is keyed by its run and the place of
// its step in the run's log, so that records of one run lie together; listing walks that key, newest run first. It decides
// nothing: what a record says was decided by the Commit it came with.
import { decodeEffectCursor, encodeEffectCursor, scopeKey } from "../keys.ts";
import type { EffectQuery, EffectRecord } from "../port.ts";
import { toEffect } from "./rows.ts";
import type { Sql } from "./sql.ts";
import type { Connection } from "./wire/driver.ts";
import { keyText, lit, scopeBytesMax } from "./wire/literal.ts";

export async function listEffects(db: Connection, sql: Sql, q: EffectQuery): Promise<{ effects: EffectRecord[]; cursor?: string }> {
  const where = [`${sql.listEffects}${lit(keyText(scopeKey(q.scope), scopeBytesMax))}`];
  const equal = (column: string, value: string | undefined): void => {
    if (value !== undefined) where.push(`${column} = ${lit(value)}`);
  };
  equal("run_id", q.runId);
  equal("effect_key", q.key);
  equal("name", q.name);
  equal("receiver", q.receiver);
  equal("class", q.class);
  equal("status", q.status);
  equal("phase", q.phase);
  if (q.cursor !== undefined) {
    const { runId, seq } = decodeEffectCursor(q.cursor);
    where.push(`run_id <= ${lit(runId)} and (run_id < ${lit(runId)} or seq > ${lit(seq)})`);
  }
  const found = (await db.query(`${where.join(" and ")} order by run_id desc, seq limit ${lit(q.limit + 1)}`)).rows.map((r) =>
    toEffect(r, q.scope),
  );
  const effects = found.slice(0, q.limit);
  const last = effects.at(-1);
  return found.length > q.limit && last !== undefined ? { effects, cursor: encodeEffectCursor(last) } : { effects };
}
