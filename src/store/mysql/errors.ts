// What a server's error means: ask again, refuse this content, somebody else was first, or the store is unavailable; and
// what is known of the write that met it. The one place that reads MySQL's error numbers. No error is never a violation.
import { PawlError, type Outcome } from "../../errors/error.ts";
import { isUnreachable, type OpenProblem } from "../sql/open-error.ts";
import { UnwritableValue } from "./wire/literal.ts";

const numbers = {
  duplicate: 1062,
  duplicateWithKeyName: 1586,
  keyThere: 1061,
  columnThere: 1060,
  triggerThere: 1359,
  checkThere: 1826,
  checkThereMysql: 3822,
  deadlock: 1213,
  lockWait: 1205,
  noWait: 3572,
  recordChanged: 1020,
  noSavepoint: 1305,
} as const;

/** Values that a column cannot hold, and packets that the server does not take. */
const contentNumbers: ReadonlySet<number> = new Set([1048, 1153, 1264, 1265, 1366, 1406, 1118, 3140, 3144, 3819, 4025]);
const forbiddenNumbers: ReadonlySet<number> = new Set([1044, 1142, 1143, 1227, 1419]);
/** The session was ended: shutdown, KILL, time-outs of the network. */
const lostNumbers: ReadonlySet<number> = new Set([1053, 1077, 1079, 1152, 1158, 1159, 1160, 1161, 1184, 1927, 2006, 2013, 2055, 4031]);
const lostCodes: ReadonlySet<string> = new Set([
  "PROTOCOL_CONNECTION_LOST",
  "PROTOCOL_SEQUENCE_TIMEOUT",
  "ECONNREFUSED",
  "ECONNRESET",
  "ECONNABORTED",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
  "ENOENT",
]);

function numberOf(e: unknown): number | undefined {
  const errno = (e as { errno?: unknown } | null | undefined)?.errno;
  return typeof errno === "number" && errno > 0 ? errno : undefined;
}

function codeOf(e: unknown): string {
  const code = (e as { code?: unknown } | null | undefined)?.code;
  return typeof code === "string" ? code : "";
}

/** L-57: a uniqueness rule was hit. */
export function isDuplicate(e: unknown): boolean {
  const n = numberOf(e);
  if (n !== undefined) return n === numbers.duplicate || n === numbers.duplicateWithKeyName;
  return codeOf(e) === "ER_DUP_ENTRY" || (e instanceof Error && e.message.startsWith("Duplicate entry"));
}

const thereNumbers: ReadonlySet<number> = new Set([
  numbers.keyThere,
  numbers.columnThere,
  numbers.triggerThere,
  numbers.checkThere,
  numbers.checkThereMysql,
]);

/** An index, a column or a trigger of this name stands already. */
export function alreadyExists(e: unknown): boolean {
  const n = numberOf(e);
  return thereNumbers.has(n ?? 0);
}

/** The user may not do this; with a binary log, creating triggers may need a right of its own. */
export function isForbidden(e: unknown): boolean {
  return forbiddenNumbers.has(numberOf(e) ?? 0);
}

/** The whole transaction is gone, or must be: roll back and run it again. */
export function isRetryable(e: unknown): boolean {
  const n = numberOf(e);
  return n === numbers.deadlock || n === numbers.lockWait || n === numbers.recordChanged;
}

/** A row that somebody else holds; MySQL says so under another number where it was asked not to wait. */
export function isLockWait(e: unknown): boolean {
  const n = numberOf(e);
  return n === numbers.lockWait || n === numbers.noWait;
}

export function isLost(e: unknown): boolean {
  const n = numberOf(e);
  return (
    (n !== undefined && lostNumbers.has(n)) || lostCodes.has(codeOf(e)) || (e as { fatal?: unknown } | null | undefined)?.fatal === true
  );
}

export function isNoSavepoint(e: unknown): boolean {
  return numberOf(e) === numbers.noSavepoint;
}

/** The content is at fault, and would be again: the server cannot hold it, or it cannot be written as SQL. */
export function isContent(e: unknown): boolean {
  const n = numberOf(e);
  if (n === undefined) return e instanceof UnwritableValue;
  return contentNumbers.has(n) || isDuplicate(e);
}

export function isDriverError(e: unknown): boolean {
  return numberOf(e) !== undefined || lostCodes.has(codeOf(e)) || codeOf(e).startsWith("ER_") || codeOf(e).startsWith("PROTOCOL_");
}

/**
 * `during`: before COMMIT was sent nothing can have been kept, since a server rolls back what its client did not commit. A
 * COMMIT without an answer may have reached the disk or not; one that was refused as a deadlock did not.
 */
export function storeError(e: unknown, during: "statement" | "commit"): PawlError {
  if (e instanceof PawlError) return e;
  const outcome: Outcome = during === "commit" && !isRetryable(e) ? "unknown" : "none";
  if (isRetryable(e)) return busyError(e);
  const message = e instanceof Error && e.message !== "" ? e.message : codeOf(e) || "the driver failed";
  return new PawlError("PAWL3002", `mysql: ${message}`, { cause: e, outcome });
}

export function busyError(e: unknown): PawlError {
  return new PawlError("PAWL3001", "mysql: other transactions held the rows for too long", { cause: e, outcome: "none" });
}

/** By number: what a person can put right when the first session is refused. */
const openingNumbers: Readonly<Record<number, OpenProblem>> = {
  1045: "login",
  1698: "login",
  1130: "login",
  1049: "database",
  3159: "tls",
  1040: "crowded",
  1203: "crowded",
  1226: "crowded",
  1290: "read only",
  1792: "read only",
};

export function openProblem(e: unknown): OpenProblem | undefined {
  if (isUnreachable(e)) return "nobody";
  if (codeOf(e) === "HANDSHAKE_NO_SSL_SUPPORT" || codeOf(e) === "HANDSHAKE_SSL_ERROR") return "tls";
  if (e instanceof Error && e.message.includes("insecure transport")) return "tls";
  return isForbidden(e) ? "forbidden" : openingNumbers[numberOf(e) ?? 0];
}
