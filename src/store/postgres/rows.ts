// Rows of Postgres as values of the port, by the shared table of columns: the driver gives numbers as numbers and booleans as booleans. It
// must never decide anything, so that a wrong answer is never hidden in a conversion.
import { plainReader, type RowMappers, rowMappers, type RowReader } from "../sql/columns.ts";
import { type QueueRowMappers, queueRowMappers } from "../sql/queue-rows.ts";
import type { Row } from "./wire/driver.ts";

export const reader: RowReader<Row> = plainReader((v) => v as boolean);
export const mappers: RowMappers<Row> = rowMappers(reader);
const queueMappers: QueueRowMappers<Row> = queueRowMappers(reader);
export const toRun: RowMappers<Row>["toRun"] = mappers.toRun;
export const toEvent: RowMappers<Row>["toEvent"] = mappers.toEvent;
export const toInbox: RowMappers<Row>["toInbox"] = mappers.toInbox;
export const toMessageState: RowMappers<Row>["toMessageState"] = mappers.toMessageState;
export const toKvRow: RowMappers<Row>["toKvRow"] = mappers.toKvRow;
export const toFeedRow: RowMappers<Row>["toFeedRow"] = mappers.toFeedRow;
export const toEngine: RowMappers<Row>["toEngine"] = mappers.toEngine;
export const toDispatch: QueueRowMappers<Row>["toDispatch"] = queueMappers.toDispatch;
export const toQueue: QueueRowMappers<Row>["toQueue"] = queueMappers.toQueue;
