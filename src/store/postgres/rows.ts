// Rows of Postgres as values of the port, by the shared table of columns: the driver gives numbers as numbers and booleans as booleans. It
// must never decide anything, so that a wrong answer is never hidden in a conversion.
import { type RowMappers, rowMappers } from "../sql/columns.ts";
import type { Row } from "./wire/driver.ts";

const mappers: RowMappers<Row> = rowMappers({
  text: (r, column) => r[column] as string,
  textOrNull: (r, column) => r[column] as string | null,
  int: (r, column) => r[column] as number,
  intOrNull: (r, column) => r[column] as number | null,
  bool: (r, column) => r[column] as boolean,
});
export const toRun: RowMappers<Row>["toRun"] = mappers.toRun;
export const toEvent: RowMappers<Row>["toEvent"] = mappers.toEvent;
export const toCheckpoint: RowMappers<Row>["toCheckpoint"] = mappers.toCheckpoint;
export const toInbox: RowMappers<Row>["toInbox"] = mappers.toInbox;
export const toMessageState: RowMappers<Row>["toMessageState"] = mappers.toMessageState;
export const toEffect: RowMappers<Row>["toEffect"] = mappers.toEffect;
export const toKvRow: RowMappers<Row>["toKvRow"] = mappers.toKvRow;
export const toFeedRow: RowMappers<Row>["toFeedRow"] = mappers.toFeedRow;
export const toEngine: RowMappers<Row>["toEngine"] = mappers.toEngine;
