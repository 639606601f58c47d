// Rows of MySQL as values of the port and back, by the shared table of columns. Compared columns come as bytes, since bytes is what they are
// compared as; texts too long for an index are hashed, and stand whole in long_texts. It must never decide anything.
import { parseScopeKey, scopeKey } from "../keys.ts";
import type { Scope } from "../../core/model.ts";
import type { CheckpointRecord, DispatchRow, EffectWrite, EventRecord, RunRow } from "../port.ts";
import {
  checkpointColumns,
  type Column,
  effectColumns,
  eventColumns,
  namesOf,
  type RowMappers,
  rowMappers,
  type RowReader,
  runColumns,
} from "../sql/columns.ts";
import { type QueueRowMappers, queueRowMappers } from "../sql/queue-rows.ts";
import type { Row } from "./wire/driver.ts";
import { isHashed, keyText, type Literal, scopeBytesMax } from "./wire/literal.ts";

export function text(r: Row, column: string): string {
  const v = r[column];
  return typeof v === "string" ? v : (v as Buffer).toString("utf8");
}
function textOrNull(r: Row, column: string): string | null {
  return r[column] === null ? null : text(r, column);
}
export const int = (r: Row, column: string): number => Number(r[column]);
export const intOrNull = (r: Row, column: string): number | null => (r[column] === null ? null : Number(r[column]));

/** Texts whose columns hold a hash: they did not fit into an index. */
interface LongTexts {
  scope?: string;
  workflowId?: string;
  idempotencyKey?: string;
}
type Written = Column<RunRow>["of"];

/** Columns that hold something else here than elsewhere: what an index could not hold is hashed. */
const ownColumns: Readonly<Record<string, Written>> = {
  scope: (r) => keyText(scopeKey(r.scope), scopeBytesMax),
  workflow_id: (r) => keyText(r.workflowId),
  idempotency_key: (r) => (r.idempotencyKey === null ? null : keyText(r.idempotencyKey)),
};
const allRunColumns: readonly Column<RunRow>[] = [
  ...runColumns.map((c) => ({ ...c, of: ownColumns[c.name] ?? c.of })),
  { name: "long_texts", kind: "text", of: longTexts },
];
export const runNames: string = namesOf(allRunColumns);
export const eventNames: string = `${namesOf(eventColumns)}, persisted_at, state_version`;
export const checkpointNames: string = namesOf(checkpointColumns);
/** `key` is a word of the database's own. */
export const effectNames: string = `run_id, ${namesOf(effectColumns).replace(/\bkey\b/, "effect_key")}, created_at, updated_at`;

function longTexts(r: RunRow): string | null {
  const scope = scopeKey(r.scope);
  const long: LongTexts = {};
  if (isHashed(keyText(scope, scopeBytesMax))) long.scope = scope;
  if (isHashed(keyText(r.workflowId))) long.workflowId = r.workflowId;
  if (r.idempotencyKey !== null && isHashed(keyText(r.idempotencyKey))) long.idempotencyKey = r.idempotencyKey;
  return Object.keys(long).length === 0 ? null : JSON.stringify(long);
}

/** In the order of runNames. */
export function runValues(r: RunRow): Literal[] {
  return allRunColumns.map((c) => c.of(r));
}

/** In the order of `run_id` and eventNames. */
export function eventValues(runId: string, e: EventRecord, persistedAt: Literal): Literal[] {
  return [runId, ...eventColumns.map((c) => c.of(e)), persistedAt, e.stateVersion];
}

/** In the order of checkpointNames, of which the time is the last. */
export function checkpointValues(r: CheckpointRecord, persistedAt: Literal): Literal[] {
  return [...checkpointColumns.slice(0, -1).map((c) => c.of(r)), persistedAt];
}

/** In the order of effectNames. */
export function effectValues(runId: string, e: EffectWrite, createdAt: Literal, updatedAt: Literal = createdAt): Literal[] {
  const of = (c: Column<EffectWrite>): Literal => (c.name === "scope" ? keyText(scopeKey(e.scope), scopeBytesMax) : c.of(e));
  return [runId, ...effectColumns.map(of), createdAt, updatedAt];
}

export const reader: RowReader<Row> = { text, textOrNull, int, intOrNull, bool: (r, column) => Number(r[column]) === 1 };
export const mappers: RowMappers<Row> = rowMappers(reader, { effectKey: "effect_key", kvKey: "shelf_key", kvAt: "put_at" });
const queueMappers: QueueRowMappers<Row> = queueRowMappers(reader);
export const toEvent: RowMappers<Row>["toEvent"] = mappers.toEvent;
export const toInbox: RowMappers<Row>["toInbox"] = mappers.toInbox;
export const toMessageState: RowMappers<Row>["toMessageState"] = mappers.toMessageState;
export const toKvRow: RowMappers<Row>["toKvRow"] = mappers.toKvRow;
export const toFeedRow: RowMappers<Row>["toFeedRow"] = mappers.toFeedRow;
export const toEngine: RowMappers<Row>["toEngine"] = mappers.toEngine;
export const toQueue: QueueRowMappers<Row>["toQueue"] = queueMappers.toQueue;

/** `scope`: the one that was asked for, since the column may hold a hash of it; absent where nobody looks at it. */
export function toDispatch(r: Row, scope?: Scope): DispatchRow {
  const long = textOrNull(r, "long_task");
  return {
    ...queueMappers.toDispatch(r),
    ...(scope === undefined ? {} : { scope: { ...scope } }),
    ...(long === null ? {} : { task: long }),
  };
}

export function toRun(r: Row): RunRow {
  const run = mappers.toRun(r);
  if (r["long_texts"] === null) return run;
  const { scope, ...texts } = JSON.parse(text(r, "long_texts")) as LongTexts;
  return { ...run, ...texts, ...(scope === undefined ? {} : { scope: parseScopeKey(scope) }) };
}
