// Rows of SQLite as values of the port and back, by the shared table of columns, and the statements of one connection. It must never decide
// anything, so that a wrong answer is never hidden in a conversion.
import { scopeKey } from "../keys.ts";
import type { EffectWrite, EventWrite, RunRow, RunSelector } from "../port.ts";
import {
  type Cell,
  effectColumns,
  eventColumns,
  plainReader,
  type RowMappers,
  rowMappers,
  type RowReader,
  runColumns,
} from "../sql/columns.ts";
import { type QueueRowMappers, queueRowMappers } from "../sql/queue-rows.ts";
import type { Bind, Connection, Row, Statement } from "./wire/driver.ts";
import { sql, type SqlName } from "./sql.ts";

/** The statements of one connection, each prepared when first used and kept. */
export type Statements = Readonly<Record<SqlName, Statement>>;

export function statements(db: Connection): Statements {
  const prepared = {} as Record<SqlName, Statement>;
  for (const name of Object.keys(sql) as SqlName[]) {
    Object.defineProperty(prepared, name, {
      configurable: true,
      get(): Statement {
        const value = db.prepare(sql[name]);
        Object.defineProperty(prepared, name, { value });
        return value;
      },
    });
  }
  return prepared;
}

/** The connection is closed: a reference to the store must not keep its statements. */
export function dropStatements(st: Statements): void {
  for (const name of Object.keys(sql) as SqlName[]) Object.defineProperty(st, name, { value: undefined });
}

/** The row of one run, whichever way it is named. */
export function oneRun(s: Statements, q: RunSelector): Row | undefined {
  if ("runId" in q) return s.run.get(q.runId);
  return "workflowId" in q ? s.latest.get(scopeKey(q.scope), q.workflowId) : s.byStartKey.get(scopeKey(q.scope), q.idempotencyKey);
}

export const reader: RowReader<Row> = plainReader((v) => v === 1);
export const mappers: RowMappers<Row> = rowMappers(reader);
const queueMappers: QueueRowMappers<Row> = queueRowMappers(reader);
export const toDispatch: QueueRowMappers<Row>["toDispatch"] = queueMappers.toDispatch;
export const toQueue: QueueRowMappers<Row>["toQueue"] = queueMappers.toQueue;
export const toRun: RowMappers<Row>["toRun"] = mappers.toRun;
export const toEvent: RowMappers<Row>["toEvent"] = mappers.toEvent;
export const toInbox: RowMappers<Row>["toInbox"] = mappers.toInbox;
export const toMessageState: RowMappers<Row>["toMessageState"] = mappers.toMessageState;
export const toKvRow: RowMappers<Row>["toKvRow"] = mappers.toKvRow;
export const toFeedRow: RowMappers<Row>["toFeedRow"] = mappers.toFeedRow;
export const toEngine: RowMappers<Row>["toEngine"] = mappers.toEngine;

/** In the order of the table's columns; the driver takes no booleans. */
export function runValues(r: RunRow): Bind[] {
  return runColumns.map((c) => bindOf(c.of(r)));
}

/** In the order of `run_id`, the event's columns, `persisted_at` and `state_version`. */
export function addEventValues(into: Bind[], runId: string, e: EventWrite, persistedAt: number, stateVersion: number): void {
  into.push(runId);
  for (const c of eventColumns) into.push(c.of(e) as Bind);
  into.push(persistedAt, stateVersion);
}

/** In the order of `run_id`, the record's columns, `created_at` and `updated_at`. */
export function effectValues(runId: string, e: EffectWrite, createdAt: number, updatedAt: number): Bind[] {
  const values: Bind[] = [runId];
  for (const c of effectColumns) values.push(c.of(e) as Bind);
  values.push(createdAt, updatedAt);
  return values;
}

function bindOf(v: Cell): Bind {
  return typeof v === "boolean" ? (v ? 1 : 0) : v;
}
