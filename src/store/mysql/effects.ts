// The ledger in MySQL: records of effects as rows and back, and the listing. A record is keyed by its run and the place of
// its step in the run's log, so that records of one run lie together; listing walks that key, newest run first. It decides
// nothing: what a record says was decided by the Commit it came with.
import type { EffectPhase, EffectStatus, GuaranteeClass } from "../../core/model.ts";
import { encodeEffectCursor, decodeEffectCursor, scopeKey } from "../keys.ts";
import type { EffectQuery, EffectRecord, EffectWrite } from "../port.ts";
import type { Connection, Row } from "./wire/driver.ts";
import { keyText, lit, type Literal, scopeBytesMax } from "./wire/literal.ts";
import { int, text } from "./rows.ts";
import type { Sql } from "./sql.ts";

export const effectColumns: string =
  "run_id, seq, version, scope, workflow_id, step_id, name, class, effect_key, args_digest, receiver, status, phase, attempts, engine_attempts, " +
  "error, event_seq, created_at, updated_at";

/** In the order of effectColumns. */
export function fromEffect(runId: string, e: EffectWrite, at: Literal): Literal[] {
  const what = [runId, e.seq, e.version, keyText(scopeKey(e.scope), scopeBytesMax), e.workflowId, e.stepId, e.name, e.class, e.key];
  return [...what, e.argsDigest, e.receiver, e.status, e.phase, e.attempts, e.engineAttempts, e.error, e.eventSeq, at, at];
}

/** The scope is the query's, or the run's: its column may hold a hash. */
export function toEffect(r: Row, q: Pick<EffectQuery, "scope">): EffectRecord {
  const orNull = (column: string): string | null => (r[column] === null ? null : text(r, column));
  return {
    runId: text(r, "run_id"),
    seq: int(r, "seq"),
    version: int(r, "version") as 1,
    scope: { ...q.scope },
    workflowId: text(r, "workflow_id"),
    stepId: text(r, "step_id"),
    name: text(r, "name"),
    class: text(r, "class") as GuaranteeClass,
    key: orNull("effect_key"),
    argsDigest: orNull("args_digest"),
    receiver: orNull("receiver"),
    status: text(r, "status") as EffectStatus,
    phase: text(r, "phase") as EffectPhase,
    attempts: int(r, "attempts"),
    engineAttempts: int(r, "engine_attempts"),
    error: orNull("error"),
    eventSeq: int(r, "event_seq"),
    createdAt: int(r, "created_at"),
    updatedAt: int(r, "updated_at"),
  };
}

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
    toEffect(r, q),
  );
  const effects = found.slice(0, q.limit);
  const last = effects.at(-1);
  return found.length > q.limit && last !== undefined ? { effects, cursor: encodeEffectCursor(last) } : { effects };
}
